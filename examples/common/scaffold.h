/* The body of walker: two beams on four legs, cross bars, two muscle rings on each pair of legs, and four strips between the rings.
 *
 * source    Zhang et al. 2019 and their program, whose values these are. Units: mm, g, s; so forces are in uN and moduli in Pa
 * settings  x is across, z up; the short legs stand at y = -1.75, the long ones at y = -12.25. Springs of 5e8 g/s^2 tie nodes (links.h);
 *           couples of 5e4 g/s^2 align bars with beams, and a damper of 5e3 g mm^2/s acts between beams and legs. Rings are open chains that
 *           overlap and are closed by a spring of 1e8; they press on the lines from leg to leg. Weight of the scaffold alone. Dissipation of
 *           0.13 + 0.3 exp(-t/0.1 s) per length in the scaffold, of 0.05 in muscles; Kelvin-Voigt viscosity rises to 10 g mm/s at 0.06 s
 * kept      slips of their program that numbers depend on: what closes a ring pulls along the direction of its gap; only half of the nodes of a
 *           ring press on legs, of which only the outer row is felt there; strips have the stiffness of rings
 * changed   the damper between beams and legs, that of the ground and friction are taken so that one step brings nothing further than to rest
 */
#ifndef EXAMPLES_SCAFFOLD_H
#define EXAMPLES_SCAFFOLD_H

#include "example.h"
#include "links.h"

enum { SCAFFOLD_RODS = 18, SCAFFOLD_STIFF = 10, SCAFFOLD_LINKS = 64 }; /* rods below STIFF are of the scaffold, the others contract */

typedef struct scaffold_plan {
  double frequency;      /* [Hz] of contractions */
  double softer;         /* what springs are divided by */
  double bridge_modulus; /* [Pa] of the thinner middle of the beams */
  double short_leg;      /* [mm] */
  double lower;          /* rings, and with them the strips, lie lower on the legs, by so many of their elements */
  double
      press_from; /* [s] rings press on legs from then on; theirs, with the muscles, at 0.1 s. From 0 on they follow legs that fall far */
  int guided;     /* 1: beams keep to their planes. Free, the even walk is unstable, and turns by rounding errors after some strides */
} scaffold_plan;

/* The original design, for an initialiser. */
#define SCAFFOLD_ORIGINAL .bridge_modulus = 3.194e5, .short_leg = 2.8, .lower = 0, .press_from = 0.1

typedef struct scaffold {
  elastica_world *world;
  scaffold_plan plan;
  link links[SCAFFOLD_LINKS];
  int link_count;
  const elastica_rod_view *rod[SCAFFOLD_RODS];
} scaffold;

/* of must last as long as its world. */
void scaffold_build(example *e, scaffold *of, const scaffold_plan *plan);

/* Length of the first ring round the long legs, without its overlap [mm]. */
double scaffold_ring(const scaffold *of);

#endif
