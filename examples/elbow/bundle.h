/* Bundles of muscle fibres, each a rod with tension along its own edges: the biceps of Zhang et al. 2019, with the force-length law of
 * their program.
 *
 * equation  tension of element j of a fibre:  f(t) F_max (R(eta) + P(eta)) (1 + c min(j, n-1-j)/8),  eta = 100 l/l^ of the whole fibre
 *           eta < 100:  R = (-0.036 eta^2 + 7.2 eta - 260)/100 + (100 - eta)/1200 - 0.027,  P = 0
 *           eta >= 100: R = (50 + 50 sin(2 pi (eta - 70)/120))/100 - (eta - 100)/1200,  P = (4 exp(0.045 (eta - 100)) - 4)/100,  c = 0
 * slips     kept, since numbers depend on them: R jumps by 0.027 at eta = 100; the passive part P is activated with the active one; and
 *           with 14 elements the two elements at node 7 have 1 + c at that node and 1 + 6 c/8 at their other ends
 */
#ifndef EXAMPLES_BUNDLE_H
#define EXAMPLES_BUNDLE_H

#include "common/example.h"

enum { BUNDLE_ELEMENTS = 14 };

#define BUNDLE_LENGTH 0.238 /* [m] of a fibre at rest */
#define BUNDLE_FORCE 43.38  /* [N] F_max of a fibre at full strength */

typedef struct bundle {
  int first, count;     /* rods of the world */
  double maximum_force; /* F_max [N] */
  double spread;        /* c below eta = 100 */
  double firing_time;   /* [s] f rises from 0 to 1 in this time */
} bundle;

/* R + P. */
double bundle_force_length(double eta);

/* A fibre from start along a direction, d1 along normal: E = 10 kPa, radius 4 mm; its shear stiffness is 1e4 times that of the material,
 * as in their program. Kelvin-Voigt viscosity [N s] with their ramp, from 0.01 to 0.11 s. */
elastica_rod *bundle_add_fibre(const example *e, elastica_world *world, const double start[3], const double direction[3],
                               const double normal[3], double viscosity);

/* Kelvin-Voigt viscosity with the ramp of the authors' elbow. 0: none. */
void bundle_stiffen(const example *e, elastica_world *world, elastica_rod *rod, double viscosity);

/* Adds the tensions of all fibres; for add_world_loads of a user module. */
void bundle_pull(const bundle *muscle, double time, elastica_world_loads *loads);

/* The same by elastica_add_contraction: one effect for the uniform part, and while eta < 100 a second one with a share per element for
 * the part of c. It omits the slip at node 7 and never pushes. muscle must remain valid as long as the world. */
void bundle_contract(const example *e, elastica_world *world, elastica_rod *rod, bundle *muscle);

#endif
