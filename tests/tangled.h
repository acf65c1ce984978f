/* A rod that runs through itself many times, for tests of self-contact. */
#ifndef TESTS_TANGLED_H
#define TESTS_TANGLED_H

#include "support.h"

/* A random walk of n elements, or a ring of it, with frames along the axes. Its elements are longer or shorter than at rest by up to a
 * quarter, and everything moves. */
static inline elastica_rod *add_stretched_tangle(elastica_world *world, uint64_t seed, int n, int closed) {
  random_source source = {seed};
  double position[3 * SAMPLE_NODES], velocity[3 * SAMPLE_NODES], omega[3 * SAMPLE_ELEMENTS];
  double director[9 * SAMPLE_ELEMENTS] = {0}, radius[SAMPLE_ELEMENTS], length[SAMPLE_ELEMENTS];
  for (int i = 0; i <= n; i++) {
    random_vector(&source, 0.15, position + 3 * i);
    random_vector(&source, 1.0, velocity + 3 * i);
  }
  for (int j = 0; j < n; j++) {
    const double *p = position + 3 * j, *q = closed && j == n - 1 ? position : p + 3;
    const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    director[9 * j] = director[9 * j + 4] = director[9 * j + 8] = 1.0;
    radius[j] = random_between(&source, 0.02, 0.05);
    length[j] = norm(edge) * random_between(&source, 0.8, 1.25);
    random_vector(&source, 1.0, omega + 3 * j);
  }
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n, def.closed = closed;
  def.position = position, def.director = director, def.velocity = velocity, def.omega = omega, def.rest_length = length;
  def.rest = ELASTICA_REST_INITIAL;
  def.element_radius = radius, def.density = 1000.0, def.youngs_modulus = 1e4;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

#endif
