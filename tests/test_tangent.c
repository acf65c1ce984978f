/* The linearised stiffness is the derivative of the loads: it predicts their change in a small step. */
#include "support.h"

#include "statics/relax.h"

enum { BLOCKS = SAMPLE_NODES, NUMBERS = 6 * BLOCKS };

typedef struct loads {
  double total[NUMBERS], external[NUMBERS], added[NUMBERS], strain[2 * NUMBERS];
  size_t first[1];
} loads;

static eli_statics measure(elastica_world *world, loads *l) {
  const eli_statics statics = {l->first, l->total, l->external, l->added, l->strain};
  eli_tile_report report;
  l->first[0] = 0;
  assert_int_equal(eli_world_statics(world, 1, &statics, &report), ELASTICA_OK);
  return statics;
}

/* A small displacement of all unknowns except held ones; size -1 gives the opposite displacement. */
static void displace(elastica_rod *rod, const rod_state *base, const double *step, double size) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  rod_state moved = *base;
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) moved.position[3 * i + a] += size * step[6 * i + a];
  for (int j = 0; j < view->element_count; j++) {
    const double phi[3] = {size * step[6 * j + 3], size * step[6 * j + 4], size * step[6 * j + 5]};
    turn_frame_exactly(phi, moved.director + 9 * j);
  }
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, moved.position, NULL, moved.director, NULL));
  assert_int_equal(eli_world_prepare(elastica_rod_get_view(rod)->world, "test"), ELASTICA_OK);
}

static void add_to_factor(void *factor, size_t row, size_t column, const double block[9], int balanced) {
  eli_factor_add(factor, row / 2, (int)(row % 2), column / 2, (int)(column % 2), block, balanced);
}

/* (matrix + shift)^-1 (change of loads + shift step) equals the step, up to the cube of its size. Node 0 and element 0 are held; the
 * shift is the smallest with a positive matrix. The rod is at rest: couples of spins are no part of the matrix. */
static void check_rod(elastica_world *world, elastica_rod *rod, uint64_t seed) {
  static loads base, up, down;
  static double step[NUMBERS], change[NUMBERS], inertia[NUMBERS], predicted[3 * BLOCKS];
  static unsigned char held[NUMBERS];
  static const double still[3 * BLOCKS];
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  random_source source = {seed};
  rod_state state;
  const int blocks = view->node_count;
  must(world, elastica_rod_set_state(rod, NULL, still, NULL, still));
  must(world, elastica_rod_refresh(rod));
  read_state(rod, &state);
  memset(held, 0, sizeof held);
  for (int i = 0; i < 6 * blocks; i++) {
    held[i] = i < 6 || i / 6 == view->element_count ? i < 6 || i % 6 > 2 : 0;
    step[i] = held[i] ? 0.0 : random_between(&source, -1e-5, 1e-5) * (i % 6 < 3 ? view->rest_length[0] : 1.0);
    inertia[i] = 1.0;
  }
  const eli_statics now = measure(world, &base);
  for (int i = 0; i < blocks; i++)
    for (int a = 0; a < 3; a++) predicted[3 * i + a] = base.strain[12 * i + 3 + a];

  const eli_allocator allocator = eli_allocator_default();
  eli_factor factor;
  assert_true(eli_factor_create(&factor, &allocator, (size_t)blocks, 0));
  for (int i = 0; i < blocks; i++)
    for (int k = 1; k <= 2; k++)
      if (i + k < blocks || view->closed) eli_factor_couple(&factor, (size_t)i, (size_t)((i + k) % blocks));
  assert_true(eli_factor_analyse(&factor) && eli_factor_reserve(&factor));
  eli_factor_clear(&factor);
  for (int i = 0; i < 6 * blocks; i++)
    if (held[i]) eli_factor_hold(&factor, (size_t)i / 6, i % 6);
  eli_tangent_visit(rod, 1.0, 1.0, &now, predicted, now.first[rod->body->rank], add_to_factor, &factor);
  assert_int_equal(factor.misses, 0);
  double shift = 0.0;
  eli_factor_compute_general(&factor, shift, inertia);
  while (factor.negative > 0) {
    shift = shift > 0.0 ? 2.0 * shift : 1e-3;
    assert_true(shift < 1e3);
    eli_factor_compute_general(&factor, shift, inertia);
  }

  displace(rod, &state, step, 1.0);
  measure(world, &up);
  displace(rod, &state, step, -1.0);
  measure(world, &down);
  for (int i = 0; i < 6 * blocks; i++) change[i] = held[i] ? 0.0 : 0.5 * (down.total[i] - up.total[i]) + shift * step[i];
  eli_factor_solve(&factor, change, change);
  assert_all_close(change, step, 6 * blocks, 1e-12);
  eli_factor_release(&factor);
}

TEST(matrix_is_the_derivative) {
  for (int law = 0; law < 4; law++)
    for (int flat = 0; flat < 2; flat++) {
      elastica_world_def def = default_world();
      sample_rod sample;
      sample_recipe recipe = usual_recipe();
      def.law = (elastica_law)(law % 2);
      def.exact_couple = law / 2;
      recipe.length = 0.05;
      make_sample(&sample, 12, 3, &recipe);
      if (flat) sample.flatness = 0.5;
      elastica_world *world = make_world(&def);
      check_rod(world, add_sample(world, &sample), 5);
      elastica_world_destroy(world);
    }
}

TEST(matrix_of_a_ring_is_the_derivative) {
  for (int law = 0; law < 4; law++)
    for (int n = 3; n < 20; n += 4) {
      elastica_world_def def = default_world();
      sample_rod sample;
      def.law = (elastica_law)(law % 2);
      def.exact_couple = law / 2;
      make_sample_ring(&sample, n < 6 ? 6 : n, 11);
      elastica_world *world = make_world(&def);
      check_rod(world, add_sample(world, &sample), 7);
      elastica_world_destroy(world);
    }
}
