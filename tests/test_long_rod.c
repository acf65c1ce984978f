/* A long rod takes batches of steps in windows: the same bits, limit checks and sentences as in single steps, which sweep over the whole
 * rod. */
#include "base/target.h"

#include <math.h>

#include "samples.h"
#include "support.h"

enum { N = 17000 };

/* A bent, twisted, waving rope of uneven elements. fast: factor on the spins about its middle. */
static elastica_world *make_rope(int unstable, double fast) {
  static double position[3 * (N + 1)], velocity[3 * (N + 1)], omega[3 * N];
  elastica_world_def world_def = default_world();
  elastica_rod *rod = NULL;
  random_source source = {7};
  world_def.allow_unstable_step = unstable;
  elastica_world *world = make_world(&world_def);
  DEFAULTS(rod, def);
  for (int i = 0; i <= N; i++) {
    const double s = 0.01 * i + 0.001 * sin(1.7 * i);
    position[3 * i] = 0.3 * sin(2.0 * s), position[3 * i + 1] = 0.2 * cos(1.3 * s), position[3 * i + 2] = s;
    random_vector(&source, 0.02, velocity + 3 * i);
  }
  for (int j = 0; j < N; j++) random_vector(&source, j > N / 2 && j < N / 2 + 9 ? 0.5 * fast : 0.5, omega + 3 * j);
  def.element_count = N;
  def.position = position, def.velocity = velocity, def.omega = omega;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return world;
}

static double limit_of(elastica_world *world) {
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  return limit.dt;
}

/* Takes steps until the world refuses; returns its status. */
static elastica_status take(elastica_world *world, double dt, long steps, long at_once) {
  elastica_status status = ELASTICA_OK;
  for (long k = 0; k < steps && status == ELASTICA_OK; k += at_once) status = elastica_world_step(world, dt, at_once);
  return status;
}

static void assert_same(elastica_world *one, elastica_world *other) {
  assert_true(hash_world(one) == hash_world(other));
  assert_true(elastica_world_get(one).time == elastica_world_get(other).time);
  assert_int_equal(elastica_world_get(one).step_count, elastica_world_get(other).step_count);
  assert_string_equal(elastica_world_message(one), elastica_world_message(other));
}

TEST(calls_may_cut_a_run_anywhere) {
  static const long at_once[] = {192, 48, 24};
  elastica_world *single = make_rope(0, 1.0);
  const double dt = 0.5 * limit_of(single);
  must(single, take(single, dt, 192, 1));
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_rope(0, 1.0);
    must(world, take(world, dt, 192, at_once[k]));
    assert_same(world, single);
    elastica_world_destroy(world);
  }
  elastica_world_destroy(single);
}

/* Elements in the middle spin so fast that the watch requires limit checks; then faster, so that the world fails. */
TEST(events_come_in_the_same_step_as_in_single_steps) {
  static const double fast[] = {1e3, 2e4, 1e5};
  int failed = 0;
  for (int k = 0; k < 3; k++) {
    elastica_world *single = make_rope(1, fast[k]), *whole = make_rope(1, fast[k]);
    const double dt = 0.5 * limit_of(single);
    const elastica_status status = take(single, dt, 192, 1);
    assert_int_equal(take(whole, dt, 192, 192), status);
    assert_same(whole, single);
    failed += status != ELASTICA_OK;
    elastica_world_destroy(single);
    elastica_world_destroy(whole);
  }
  assert_int_equal(failed, 2);
}

TEST(an_unstable_step_ends_as_single_steps_do) {
  elastica_world *single = make_rope(1, 1.0), *whole = make_rope(1, 1.0);
  const double dt = 1.5 * limit_of(single);
  const elastica_status status = take(single, dt, 4000, 1);
  assert_true(status != ELASTICA_OK);
  assert_int_equal(elastica_world_step(whole, dt, 4000), status);
  assert_same(whole, single);
  elastica_world_destroy(single);
  elastica_world_destroy(whole);
}
