/* The frame of two legs at a right angle of Argyris et al. 1979: legs of 240, depth 30, E = 71240, nu = 0.31, clamped at its first end.
 *
 * The first leg lies along x, the second one along -y; d1 of both is z: the depth is in their plane. They are two rods that a rigid joint
 * connects, because a sharp corner within one rod is a joint of a whole element in a frame halfway between those of the legs: this is of
 * first order in n.
 */
#ifndef EXAMPLES_RIGHT_ANGLE_H
#define EXAMPLES_RIGHT_ANGLE_H

#include "example.h"

typedef struct right_angle {
  double leg, shear[3], bend[3]; /* length; kGA, kGA, EA; EI about d1, EI about d2, GJ */
  double radius, density;        /* of a round rod with the mass and the polar inertia of the section */
} right_angle;

right_angle right_angle_of(double width, double density);

/* Adds both legs, with n elements each. */
void right_angle_add(example *e, elastica_world *world, const right_angle *of, int n, elastica_rod *leg[2]);

#endif
