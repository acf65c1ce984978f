/* What forces and moments between rods leave over, which is nothing where each has its opposite. */
#ifndef EXAMPLES_BALANCE_H
#define EXAMPLES_BALANCE_H

#include "example.h"

/* Over all rods of a world at its present state, moments about the origin. */
typedef struct balance {
  double force[3], moment[3]; /* [N] [N m] internal and external loads, without reactions and dissipation */
  double drag[3];             /* [N] dissipation */
} balance;

void balance_find(const example *e, elastica_world *world, balance *of);

/* Shares of the sum of the impulses of all effects but joints, each by its size; angular ones about the origin likewise. */
typedef struct balance_impulses {
  double left;                   /* those, less the change of momentum */
  double joints, angular_joints; /* the sum of all joints */
} balance_impulses;

/* Advances by duration [s] with a budget. A joint with the world, which is none between rods, is handed in as `but`; or NULL. */
balance_impulses balance_advance(example *e, elastica_world *world, double duration, const elastica_effect *but);

/* Length of a vector. */
double balance_size(const double v[3]);

#endif
