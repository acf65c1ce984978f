/* A rod that runs through itself many times, for tests of contact. */
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

/* Two turns of a smooth curve that lies beside itself all the way round and overlaps, or a ring of it; bent at rest, in motion. */
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
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = N, def.closed = closed;
  def.position = position, def.velocity = velocity, def.omega = omega;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e4;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

#endif
