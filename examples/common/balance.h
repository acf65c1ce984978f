/* The resultants of forces and moments between rods: zero if each load has its opposite. */
#ifndef EXAMPLES_BALANCE_H
#define EXAMPLES_BALANCE_H

#include "example.h"

/* Sums over all rods of a world at its present state; moments about the origin. */
typedef struct balance {
  double force[3], moment[3]; /* [N] [N m] internal and external loads, without reactions and dissipation */
  double drag[3];             /* [N] dissipation */
} balance;

void balance_find(const example *e, elastica_world *world, balance *of);

/* Resultant impulse of all effects but joints, as a share of the sum of the sizes of their impulses; likewise for angular impulses about
 * the origin. */
typedef struct balance_impulses {
  double left;                   /* the same, minus the change of momentum */
  double joints, angular_joints; /* the sums over all joints */
} balance_impulses;

/* Advances by duration [s] with a budget. `but`: a joint with the world, excluded from the sums, as it is not between rods; or NULL. */
balance_impulses balance_advance(example *e, elastica_world *world, double duration, const elastica_effect *but);

/* Length of a vector. */
double balance_size(const double v[3]);

#endif
