/* What the tests of self-contact share: rods whose elements cross. */
#ifndef TESTS_TOUCHING_H
#define TESTS_TOUCHING_H

#include "support.h"

static inline elastica_self_contact_def contact_of(double stiffness, double damping) {
  elastica_self_contact_def def;
  elastica_self_contact_def_init(&def, sizeof def);
  def.stiffness = stiffness;
  def.damping = damping;
  return def;
}

/* A rod through given nodes with negligible stiffness and equal frames: only contact forces are compared. */
static inline elastica_rod *add_polyline(elastica_world *world, const double *position, int n, int closed, double radius) {
  double director[9 * SAMPLE_ELEMENTS] = {0};
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  for (int j = 0; j < n; j++) director[9 * j] = director[9 * j + 4] = director[9 * j + 8] = 1.0;
  elastica_rod_def_init(&def, sizeof def);
  def.director = director;
  def.element_count = n;
  def.closed = closed;
  def.position = position;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e-3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Four nodes: element 0 along y, element 2 along z above it, crossing at a distance of h; element 1 is far away. */
static inline void make_crossing(double position[12], double s, double t, double h) {
  const double first[3] = {0.0, -s, 0.0}, second[3] = {0.0, 1.0 - s, 0.0}, third[3] = {h, 0.0, -t}, fourth[3] = {h, 0.0, 1.0 - t};
  memcpy(position, first, sizeof first);
  memcpy(position + 3, second, sizeof second);
  memcpy(position + 6, third, sizeof third);
  memcpy(position + 9, fourth, sizeof fourth);
}

#endif
