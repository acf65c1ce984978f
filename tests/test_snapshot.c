/* Data restored by a snapshot; taking a snapshot changes nothing: pending changes, parameters, masses, failures. */
#include "base/target.h"

#include "measured.h"
#include "restarts.h"

/* A clamped rod under gravity, with a mass at its tip, and a ring. */
static elastica_world *build(void) {
  const double gravity[3] = {0.0, 1.0, -9.81};
  elastica_world *world = make_world(NULL);
  DEFAULTS(boundary, clamp);
  DEFAULTS(node_mass, mass);
  mass.mass = 0.05;
  elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 1e6 / 3.0);
  add_usual_ring(world);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  return world;
}

enum { CLAMP, MASS_OF_TIP, GRAVITY };

static const double dt = 0x1p-14;

/* Saves the world, continues there and in a newly built world; the bits must be equal. */
static void claim_restart(elastica_world *world) {
  elastica_world *fresh = build();
  snapshot s = take_snapshot(world);
  must(fresh, load_snapshot(fresh, &s));
  assert_true(hash_course(fresh) == hash_course(world));
  must(world, elastica_world_advance(world, 0.02));
  must(fresh, elastica_world_advance(fresh, 0.02));
  assert_true(hash_course(fresh) == hash_course(world));
  must(fresh, load_snapshot(fresh, &s));
  must(fresh, elastica_world_advance(fresh, 0.02));
  assert_true(hash_course(fresh) == hash_course(world));
  elastica_world_destroy(fresh);
  elastica_world_destroy(world);
  free(s.bytes);
}

TEST(a_world_that_never_stepped) {
  claim_restart(build());
}

TEST(an_empty_world) {
  elastica_world *world = make_world(NULL), *other = make_world(NULL);
  must(world, elastica_world_advance(world, 0.5));
  snapshot s = take_snapshot(world);
  must(other, load_snapshot(other, &s));
  assert_true(elastica_world_get(other).time == 0.5);
  assert_int_equal(elastica_world_get(other).step_count, elastica_world_get(world).step_count);
  free(s.bytes);
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}

TEST(a_state_that_was_set_before_saving) {
  elastica_world *world = build();
  rod_state now;
  must(world, elastica_world_step(world, dt, 21));
  read_state(elastica_world_rod(world, 1), &now);
  for (int k = 0; k < 24; k++) now.velocity[k] += 0.1 * k;
  must(world, elastica_rod_set_state(elastica_world_rod(world, 1), NULL, now.velocity, NULL, NULL));
  claim_restart(world);
}

TEST(rest_strains_that_were_set) {
  double curvature[3 * 11], strain[3 * 12];
  for (int k = 0; k < 33; k++) curvature[k] = 0.3 * (k % 3);
  for (int k = 0; k < 36; k++) strain[k] = 0.001 * (k % 5);
  for (int later = 0; later < 2; later++) {
    elastica_world *world = build();
    must(world, elastica_world_step(world, dt, 21));
    must(world, elastica_rod_set_rest(elastica_world_rod(world, 0), curvature, strain));
    if (later) must(world, elastica_world_step(world, dt, 21));
    claim_restart(world);
  }
}

TEST(effects_that_were_switched) {
  for (int k = 0; k < 3; k++)
    for (int later = 0; later < 2; later++) {
      elastica_world *world = build();
      must(world, elastica_world_step(world, dt, 21));
      must(world, elastica_effect_set_enabled(elastica_world_effect(world, k), 0));
      if (later) must(world, elastica_world_step(world, dt, 21));
      claim_restart(world);
    }
}

/* The effects are enabled again, with their masses. */
TEST(a_world_with_disabled_effects_takes_those_of_the_snapshot) {
  elastica_world *world = build();
  must(world, elastica_world_step(world, dt, 21));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 30));
  const uint64_t expected = hash_course(world);
  for (int k = 0; k < 3; k++) must(world, elastica_effect_set_enabled(elastica_world_effect(world, k), 0));
  must(world, elastica_world_step(world, dt, 10));
  must(world, load_snapshot(world, &s));
  for (int k = 0; k < 3; k++) assert_true(elastica_effect_get(elastica_world_effect(world, k)).is_enabled);
  must(world, elastica_world_step(world, dt, 30));
  assert_true(hash_course(world) == expected);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* Parameters set before loading do not matter. */
TEST(parameters_are_those_of_the_snapshot) {
  const double up[3] = {0.0, 0.0, 30.0};
  elastica_world *world = build();
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_world_step(world, dt, 21));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 30));
  const uint64_t expected = hash_course(world);
  must(world, elastica_gravity_set(elastica_world_effect(world, GRAVITY), up));
  must(world, elastica_boundary_set(elastica_world_effect(world, CLAMP), &clamp));
  must(world, elastica_world_step(world, dt, 30));
  assert_true(hash_course(world) != expected);
  must(world, load_snapshot(world, &s));
  must(world, elastica_world_step(world, dt, 30));
  assert_true(hash_course(world) == expected);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* Time, history and state are restored, and so is the step. */
TEST(loading_heals_a_failed_world) {
  elastica_world *world = build();
  must(world, elastica_world_advance(world, 0.02));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_advance(world, 0.02));
  const uint64_t expected = hash_course(world);
  add_pull_too_far(world);
  assert_status(world, elastica_world_step(world, dt, 2), ELASTICA_NOT_FINITE);
  assert_status(world, load_snapshot(world, &s), ELASTICA_INVALID_ARGUMENT); /* one effect too many */
  assert_status(world, elastica_world_step(world, dt, 2), ELASTICA_WRONG_STATE);
  elastica_world_destroy(world);

  world = build();
  double velocity[3 * 13];
  for (int k = 0; k < 39; k++) velocity[k] = 1e6 * (k % 2);
  must(world, elastica_rod_set_state(elastica_world_rod(world, 0), NULL, velocity, NULL, NULL));
  assert_true(elastica_world_step(world, dt, 20) != ELASTICA_OK);
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
  assert_status(world, elastica_world_snapshot_save(world, s.bytes, s.size, NULL), ELASTICA_WRONG_STATE);
  must(world, load_snapshot(world, &s));
  assert_string_equal(elastica_world_message(world), "");
  must(world, elastica_world_advance(world, 0.02));
  assert_true(hash_course(world) == expected);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* ---- Walls ---- */

static elastica_world *build_on_a_floor(void) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  DEFAULTS(obstacle, floor);
  floor.balance = ELASTICA_BALANCE_ELEMENTS;
  floor.stiffness = 1.0;
  must(world, elastica_add_obstacle(world, NULL, &floor, NULL)); /* before the rod: its record is made when the world is prepared */
  must(world, elastica_add_gravity(world, gravity, NULL));
  add_on_the_ground(world, 0, 3);
  return world;
}

/* Takes steps until the next one would move a centre below the surface in its middle. Returns 1 if a centre is already below. */
static int step_to_the_surface(elastica_world *world, double step) {
  elastica_world *scout = build_on_a_floor();
  const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, 0));
  assert_status(scout, elastica_world_step(scout, step, 1000), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(scout), "effect 0 \"obstacle\"", "rod 0, element", "would pass through the plane");
  must(world, elastica_world_step(world, step, elastica_world_get(scout).step_count - 1));
  elastica_world_destroy(scout);
  for (int j = 0; j < view->element_count; j++)
    if (view->position[2][j] + view->position[2][j + 1] < 0.0) return 1;
  return 0;
}

/* In a soft wall a centre can sink to the surface, and below it by the motion of half a step. Such a state is refused when it is set,
 * but it can be restored. */
TEST(a_rod_inside_a_wall_is_restored) {
  elastica_world *world = build_on_a_floor(), *fresh = build_on_a_floor();
  double force[3], found[3], step = dt;
  rod_state now;
  while (!step_to_the_surface(world, step)) {
    elastica_world_destroy(world);
    world = build_on_a_floor();
    step *= 0.99;
    assert_true(step > 0.5 * dt);
  }
  snapshot s = take_snapshot(world);
  must(world, elastica_obstacle_get_force(elastica_world_effect(world, 0), force, NULL));
  assert_true(force[2] < 0.0);
  must(fresh, load_snapshot(fresh, &s));
  must(fresh, elastica_obstacle_get_force(elastica_world_effect(fresh, 0), found, NULL));
  assert_memory_equal(force, found, sizeof force);
  read_state(elastica_world_rod(fresh, 0), &now);
  must(fresh, elastica_rod_set_state(elastica_world_rod(fresh, 0), now.position, NULL, NULL, NULL));
  assert_status(fresh, elastica_world_step(fresh, step, 1), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(fresh), "inside the obstacle");
  must(fresh, load_snapshot(fresh, &s));
  assert_status(world, elastica_world_step(world, step, 1), ELASTICA_UNSTABLE_STEP);
  assert_status(fresh, elastica_world_step(fresh, step, 1), ELASTICA_UNSTABLE_STEP);
  assert_true(hash_course(fresh) == hash_course(world));
  elastica_world_destroy(world);
  elastica_world_destroy(fresh);
  free(s.bytes);
}

/* ---- Sizes ---- */

/* About 220 bytes per element, and less than 1000 for all other data. */
TEST(a_snapshot_is_as_large_as_its_rods) {
  elastica_world *world = make_world(NULL);
  add_straight_rod(world, 100, 1.0, 0.01, 1000.0, 1e6, 4e5);
  const size_t one = size_of_snapshot(world);
  add_straight_rod(world, 100, 1.0, 0.01, 1000.0, 1e6, 4e5);
  const size_t two = size_of_snapshot(world);
  assert_true(two - one >= 100 * 216 && two - one <= 100 * 216 + 1000);
  must(world, elastica_world_step(world, 1e-6, 3));
  assert_int_equal(size_of_snapshot(world), two);
  elastica_world_destroy(world);
}

/* The bytes depend on the state only: saved twice, and saved again after loading. */
TEST(equal_states_have_equal_snapshots) {
  elastica_world *world = build(), *other = build();
  must(world, elastica_world_advance(world, 0.013));
  snapshot s = take_snapshot(world), again = take_snapshot(world);
  assert_int_equal(s.size, again.size);
  assert_memory_equal(s.bytes, again.bytes, s.size);
  must(other, load_snapshot(other, &s));
  snapshot third = take_snapshot(other);
  assert_memory_equal(s.bytes, third.bytes, s.size);
  free(s.bytes), free(again.bytes), free(third.bytes);
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}
