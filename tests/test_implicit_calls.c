/* Many short calls with an accuracy cost about as much as one long one: the size of the steps goes on from call to call. */
#include "restarts.h"
#include "measured.h"

#define LENGTH 0.5 /* [m] */
#define ACCURACY (1e-4 * LENGTH)

/* A clamped rod under its weight, from the horizontal; with rests 1 at its equilibrium. */
static elastica_world *make_cantilever(int rests) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, clamp);
  def.element_count = 10, def.length = LENGTH, def.radius = 1e-3;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.density = 7800.0, def.youngs_modulus = 200e9;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  if (rests) must(world, elastica_world_relax(world, NULL, NULL));
  return world;
}

/* Returns the number of steps in calls of equal length to a time. */
static long run_in_calls(elastica_world *world, double until, int calls) {
  const double start = elastica_world_get(world).time;
  long steps = 0;
  for (int k = 1; k <= calls; k++) {
    elastica_implicit_result result;
    DEFAULTS(implicit, def);
    def.until = start + (until - start) * k / calls;
    def.accuracy = ACCURACY;
    must(world, elastica_world_run_implicit(world, &def, &result));
    assert_true(result.finished);
    steps += result.steps + result.rejected;
  }
  return steps;
}

TEST(short_calls_in_motion_cost_as_much_as_a_long_one) {
  elastica_world *whole = make_cantilever(0), *parts = make_cantilever(0);
  const long most = run_in_calls(whole, 1.0, 1), steps = run_in_calls(parts, 1.0, 50);
  if (steps > most + 2 * 50) fail_msg("%ld steps in 50 calls, %ld in one", steps, most);
  elastica_world_destroy(parts);
  elastica_world_destroy(whole);
}

/* The first call takes its hundred steps; then steps grow with the time at rest, until a call is one step. */
TEST(short_calls_at_rest_cost_little_more_than_a_long_one) {
  elastica_world *whole = make_cantilever(1), *parts = make_cantilever(1);
  const long most = run_in_calls(whole, 10.0, 1), steps = run_in_calls(parts, 10.0, 100);
  if (steps > 2 * most + 100) fail_msg("%ld steps in 100 calls, %ld in one", steps, most);
  elastica_world_destroy(parts);
  elastica_world_destroy(whole);
}

/* In motion a call much shorter than a step leaves the size of the next step, although nothing moves by the accuracy in it. */
TEST(calls_much_shorter_than_a_step_leave_its_size) {
  elastica_world *world = make_cantilever(0);
  elastica_implicit_result before, after;
  DEFAULTS(implicit, def);
  def.until = 0.03, def.accuracy = ACCURACY;
  must(world, elastica_world_run_implicit(world, &def, &before));
  for (int k = 0; k < 20; k++) {
    def.until += 1e-3 * before.next_step;
    must(world, elastica_world_run_implicit(world, &def, &after));
    assert_int_equal(after.steps, 1);
    assert_true(after.next_step == before.next_step);
  }
  elastica_world_destroy(world);
}

/* A snapshot has the size of the next step; a change of the world discards it. */
TEST(steps_go_on_after_a_snapshot_and_begin_anew_after_a_change) {
  elastica_world *world = make_cantilever(0), *copy = make_cantilever(0);
  (void)run_in_calls(world, 0.2, 1);
  snapshot kept = take_snapshot(world);
  must(copy, load_snapshot(copy, &kept));
  const long first = run_in_calls(world, 0.3, 1), again = run_in_calls(copy, 0.3, 1);
  assert_int_equal(first, again);
  assert_true(hash_world(world) == hash_world(copy));
  must(copy, load_snapshot(copy, &kept));
  const double gravity[3] = {0.0, 0.0, -9.81};
  must(copy, elastica_gravity_set(elastica_world_effect(copy, 1), gravity));
  elastica_implicit_result result;
  DEFAULTS(implicit, def);
  def.until = 0.3, def.accuracy = ACCURACY, def.most_steps = 1;
  must(copy, elastica_world_run_implicit(copy, &def, &result));
  assert_close(result.longest, 8.0 * limit_of(copy).dt, 0.01 * result.longest);
  free(kept.bytes);
  elastica_world_destroy(copy);
  elastica_world_destroy(world);
}
