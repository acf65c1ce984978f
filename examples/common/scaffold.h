/* The body of walker: two beams on four legs, cross bars, two muscle rings on each pair of legs, and four strips between the rings.
 *
 * source    Zhang et al. 2019 and their program, with its values. Units: mm, g, s; so forces are in uN and moduli in Pa
 * settings  x is across, z up; the short legs stand at y = -1.75, the long ones at y = -12.25. Springs of 5e8 g/s^2 tie nodes (links.h);
 *           couples of 5e4 g/s^2 align bars with beams, and a damper of 5e3 g mm^2/s acts between beams and legs. Rings are open chains
 *           that overlap and are closed by a spring of 1e8; they are in contact with the lines from leg to leg. Only the scaffold has
 *           weight. Dissipation of 0.13 + 0.3 exp(-t/0.1 s) per length in the scaffold, of 0.05 in muscles; Kelvin-Voigt viscosity rises
 *           to 10 g mm/s at 0.06 s
 * kept      mistakes of their program that affect numbers: the closing spring of a ring acts along the direction of its gap; only half
 *           of the nodes of a ring are in contact with legs, and only their outer row acts on the legs; strips have the stiffness of
 *           rings
 * changed   the damper between beams and legs, the damper of the ground, and friction are computed so that they at most stop the motion
 *           in a step
 */
#ifndef EXAMPLES_SCAFFOLD_H
#define EXAMPLES_SCAFFOLD_H

#include "example.h"
#include "links.h"

enum { SCAFFOLD_RODS = 18, SCAFFOLD_STIFF = 10, SCAFFOLD_LINKS = 64 }; /* rods below STIFF belong to the scaffold, the others contract */

typedef struct scaffold_plan {
  double frequency;      /* [Hz] of contractions */
  double softer;         /* divisor of the spring constants */
  double bridge_modulus; /* [Pa] of the thinner middle of the beams */
  double short_leg;      /* [mm] */
  double lower;          /* lowering of rings and strips on the legs, in elements of the legs */
  double
      press_from; /* [s] start of contact of rings and legs; the authors': 0.1 s, with the muscles. From 0 on rings follow falling legs */
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

/* Builds the scaffold; `of` must remain valid as long as its world. */
void scaffold_build(example *e, scaffold *of, const scaffold_plan *plan);

/* Length of the first ring round the long legs, without its overlap [mm]. */
double scaffold_ring(const scaffold *of);

#endif
