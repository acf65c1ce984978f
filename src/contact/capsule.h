/* Elements of rods and round bodies as capsules: segments with a radius (see line.h). */
#ifndef ELI_CAPSULE_H
#define ELI_CAPSULE_H

#include "base/target.h"

#include <elastica.h>

#include "contact/line.h"
#include "contact/segment.h"
#include "rod/law.h"

#include <math.h>

/* Half a ball on a free end counts as the length of a rod with the same volume. */
#define ELI_CAP (2.0 / 3.0)

/* A ball or a capsule. */
typedef struct eli_round {
  double radius, half_length; /* [m] */
  double axis[3];             /* unit vector, material */
} eli_round;

static inline eli_edge eli_edge_of(const eli_capsule *of) {
  return (eli_edge){of->end[0][0], of->end[0][1], of->end[0][2], of->end[1][0], of->end[1][1], of->end[1][2]};
}

/* Computes the laboratory spin of an element. */
static inline void eli_spin_of(const elastica_rod_view *rod, int j, double spin[3]) {
  for (int a = 0; a < 3; a++)
    spin[a] =
        rod->director[0][a][j] * rod->omega[0][j] + rod->director[1][a][j] * rod->omega[1][j] + rod->director[2][a][j] * rod->omega[2][j];
}

/* Computes the half axis [m] of a round body, laboratory. */
static inline void eli_round_arm(const eli_round *shape, const elastica_rod_view *body, double arm[3]) {
  for (int a = 0; a < 3; a++) {
    arm[a] = 0.0;
    for (int b = 0; b < 3; b++) arm[a] += shape->half_length * shape->axis[b] * body->director[b][a][0];
  }
}

/* Returns the square of the half axis [m^2] for bounds of turns, which the step limit divides by the smallest moment of the body. Forces on
 * the axis turn the body about axes across it only: the square is reduced by the ratio of the smallest moment to the one across it, the
 * largest 1/J of those directions. */
static inline double eli_round_turning(const eli_round *shape, const elastica_rod_view *body) {
  const double *u = shape->axis, h = shape->half_length;
  double least = body->inertia[0][0], ease[3], sum = 0.0, product = 0.0;
  if (!(h > 0.0)) return 0.0;
  for (int a = 1; a < 3; a++)
    if (body->inertia[a][0] < least) least = body->inertia[a][0];
  for (int a = 0; a < 3; a++) ease[a] = least / body->inertia[a][0];
  for (int a = 0; a < 3; a++) {
    sum += ease[a] * (1.0 - u[a] * u[a]);
    product += ease[(a + 1) % 3] * ease[(a + 2) % 3] * u[a] * u[a];
  }
  const double root = 0.25 * sum * sum - product; /* sum and product of the two eigenvalues of 1/J across the axis */
  return h * h * (0.5 * sum + (root > 0.0 ? sqrt(root) : 0.0));
}

/* Returns the second node of an element. For the last element of a ring it is node 0. */
static inline int eli_second_node(const elastica_rod_view *rod, int j) {
  return rod->closed && j + 1 == rod->element_count ? 0 : j + 1;
}

/* Returns the displacement [m] for finite differences of a contact of this depth: 1e-3 of the depth, but between 1e-7 and 1e-6 of the
 * thinner radius; outside stages at most a quarter of the depth, but 1e-11 of the radius, since the stiffness jumps at the first touch. */
static inline double eli_capsule_difference(double depth, double radius, int in_stage) {
  const double wanted = 1e-3 * depth, wide = wanted < 1e-6 * radius ? wanted : 1e-6 * radius;
  const double size = wide > 1e-7 * radius ? wide : 1e-7 * radius, shallow = 0.25 * depth;
  if (in_stage || size < shallow) return size;
  return shallow > 1e-11 * radius ? shallow : 1e-11 * radius;
}

#endif
