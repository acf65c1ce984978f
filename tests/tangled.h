/* A rod in contact with itself, for tests of contact. */
#ifndef TESTS_TANGLED_H
#define TESTS_TANGLED_H

#include "support.h"

/* Two turns of a smooth curve, or a ring of it; the turns overlap along their whole length; bent at rest, in motion. */
static inline elastica_rod *add_double_turn(elastica_world *world, int closed, uint64_t seed) {
  enum { N = 40 };
  random_source source = {seed};
  double position[3 * (N + 1)], velocity[3 * (N + 1)], omega[3 * N];
  for (int i = 0; i <= N; i++) {
    const double angle = (closed ? 4.0 : 3.8) * 3.14159265358979 * i / N, wide = 0.3 + 0.046 * cos(0.5 * angle);
    position[3 * i] = wide * cos(angle), position[3 * i + 1] = wide * sin(angle),
                 position[3 * i + 2] = 0.046 * sin(0.5 * angle) + 2.0 * (double)seed;
    for (int a = 0; a < 3; a++) position[3 * i + a] += random_between(&source, -1e-3, 1e-3);
    random_vector(&source, 0.3, velocity + 3 * i);
    if (i < N) random_vector(&source, 1.0, omega + 3 * i);
  }
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = N, def.closed = closed;
  def.position = position, def.velocity = velocity, def.omega = omega;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e4;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

#endif
