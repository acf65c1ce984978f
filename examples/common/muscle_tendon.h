/* A muscle between two tendons as one rod: elements first .. last are soft flesh with a tension, the others tendon, stiff in stretch and
 * shear, with the bending stiffness of their radius and modulus. */
#ifndef EXAMPLES_MUSCLE_TENDON_H
#define EXAMPLES_MUSCLE_TENDON_H

#include "example.h"

enum { MUSCLE_TENDON_MOST = 64 }; /* elements */

typedef struct muscle_tendon {
  int n, first, last;                       /* number of elements; first and last element of the flesh */
  double length;                            /* [m] of all */
  double start[3], direction[3], normal[3]; /* as in elastica_rod_def */
  double muscle_radius, tendon_radius;      /* [m] */
  double density, youngs_modulus;           /* [kg/m^3] [Pa] of both */
  double hardening;                         /* factor of the tendon's stiffness in stretch and shear */
  double rotary_inertia_scale;              /* as in elastica_rod_def; 0: 1 */
  double damping, spin_damping;             /* [kg/(m s)] [kg m/s] */
  double force;                             /* [N] tension of the flesh at full activation */
  elastica_status (*activate)(void *user, double time, double x, double *activation); /* like the function of elastica_contraction_def */
  void *user;
} muscle_tendon;

/* Adds the rod with G = 2E/3, as in all cases of the authors of muscle-tendon assemblies. */
elastica_rod *muscle_tendon_add(const example *e, elastica_world *world, const muscle_tendon *of);

#endif
