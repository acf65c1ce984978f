/* States kept for elastica_world_rewind: their times, their memory, and the restored data. Keeping states changes no bit. */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"

static const double dt = 0x1p-14;

static elastica_world *build(long interval) {
  elastica_world_def def = default_world();
  def.snapshot_interval = interval;
  elastica_world *world = make_world(&def);
  fill_wanderers(world);
  return world;
}

TEST(keeping_changes_no_bit) {
  static const long intervals[] = {1, 5, 16, 17, 64, 100};
  restart r;
  for (int k = 0; next_restart(k, &r); k++)
    for (taking how = BY_STEPS; how < TAKINGS; how++) {
      elastica_world *plain = build_restart(&r, NULL);
      take_half(&r, plain, how, 0);
      const uint64_t expected = hash_course(plain);
      elastica_world_destroy(plain);
      for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        elastica_world_def def = default_world();
        def.snapshot_interval = intervals[i];
        elastica_world *world = build_restart(&r, &def);
        take_half(&r, world, how, 0);
        if (hash_course(world) != expected)
          fail_msg("%s (%d): other bits with snapshot_interval %ld", restart_name(&r), (int)how, intervals[i]);
        elastica_world_destroy(world);
      }
    }
}

/* A rewind returns to the last multiple of the interval, with the bits of a run up to there; it can be repeated. */
TEST(rewind_goes_back_to_the_last_kept_state) {
  static const long intervals[] = {1, 16, 20, 64, 100};
  for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
    const long kept = 149 / intervals[i] * intervals[i]; /* step number 149 has the last limit check */
    elastica_world *world = build(intervals[i]), *plain = build(0);
    must(world, elastica_world_step(world, dt, 150));
    const uint64_t end = hash_course(world);
    must(plain, elastica_world_step(plain, dt, kept));
    for (int again = 0; again < 3; again++) {
      must(world, elastica_world_rewind(world));
      assert_int_equal(elastica_world_get(world).step_count, kept);
      assert_true(hash_course(world) == hash_course(plain));
      must(world, elastica_world_step(world, dt, 150 - kept));
      assert_true(hash_course(world) == end);
    }
    elastica_world_destroy(world), elastica_world_destroy(plain);
  }
}

static void blow_up(elastica_world *world) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  double velocity[3 * SAMPLE_NODES];
  for (int k = 0; k < 3 * SAMPLE_NODES; k++) velocity[k] = 1e6 * (k % 2);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  assert_true(elastica_world_step(world, dt, 20) != ELASTICA_OK);
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
}

TEST(rewind_heals_a_failed_world) {
  elastica_world *world = build(64), *plain = build(0);
  must(world, elastica_world_step(world, dt, 150));
  blow_up(world);
  must(world, elastica_world_rewind(world));
  assert_int_equal(elastica_world_get(world).step_count, 128);
  must(world, elastica_world_step(world, dt, 100));
  must(plain, elastica_world_step(plain, dt, 228));
  assert_true(hash_course(world) == hash_course(plain));
  elastica_world_destroy(world), elastica_world_destroy(plain);
}

/* The cause existed before the newest kept state; the next rewind returns to the older state, and then no older one exists. */
TEST(a_failure_that_comes_back_goes_back_further) {
  elastica_world *world = build(64);
  must(world, elastica_world_step(world, dt, 150));
  for (int k = 0; k < 4; k++) {
    blow_up(world);
    must(world, elastica_world_rewind(world));
    assert_int_equal(elastica_world_get(world).step_count, k == 0 ? 128 : 64);
    must(world, elastica_world_step(world, dt, 3));
  }
  must(world, elastica_world_step(world, dt, 100)); /* keeps a state at step 128 */
  blow_up(world);
  must(world, elastica_world_rewind(world));
  assert_int_equal(elastica_world_get(world).step_count, 128);
  elastica_world_destroy(world);
}

TEST(rewind_without_a_kept_state_is_refused) {
  elastica_world *never = build(0), *not_yet = build(10);
  assert_status(never, elastica_world_rewind(never), ELASTICA_WRONG_STATE);
  assert_says(elastica_world_message(never), "snapshot_interval");
  assert_status(not_yet, elastica_world_rewind(not_yet), ELASTICA_WRONG_STATE);
  assert_says(elastica_world_message(not_yet), "no state has been kept");
  must(not_yet, elastica_world_step(not_yet, dt, 1));
  must(not_yet, elastica_world_rewind(not_yet));
  assert_int_equal(elastica_world_get(not_yet).step_count, 0);
  elastica_world_destroy(never), elastica_world_destroy(not_yet);
}

TEST(a_negative_interval_is_refused) {
  elastica_world_def def = default_world();
  elastica_world *world = NULL;
  char message[200];
  def.snapshot_interval = -1;
  def.message = message, def.message_size = sizeof message;
  assert_int_equal(elastica_world_create(&def, &world), ELASTICA_INVALID_ARGUMENT);
  assert_says(message, "snapshot_interval", "negative");
}

/* A world cannot return to a state with fewer rods: it keeps a new state at the next steps. */
TEST(a_world_that_grew_keeps_a_state_at_once) {
  elastica_world *world = build(64);
  must(world, elastica_world_step(world, dt, 70));
  add_usual_rod(world);
  assert_status(world, elastica_world_rewind(world), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "2 rods", "3");
  must(world, elastica_world_step(world, dt, 5));
  must(world, elastica_world_rewind(world));
  assert_int_equal(elastica_world_get(world).step_count, 70);
  elastica_world_destroy(world);
}

static uint64_t hash_those_there(elastica_world *world) {
  uint64_t hash = hash_start();
  for (elastica_rod *rod = next_rod(world, NULL); rod != NULL; rod = next_rod(world, rod)) hash = hash_rod(hash, rod);
  return hash;
}

/* Other rods use the lanes and lists of the removed rods: no state of the former rods is restored into them, and nothing changes. */
TEST(a_world_with_replaced_rods_does_not_go_back) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_effect *effect;
  elastica_world *world = build(64);
  must(world, elastica_add_gravity(world, gravity, &effect));
  must(world, elastica_world_step(world, dt, 70));
  for (int way = 0; way < 3; way++) {
    const long steps = elastica_world_get(world).step_count;
    if (way == 0) {
      must(world, elastica_rod_remove(elastica_world_rod(world, 0)));
      add_usual_rod(world);
    } else {
      must(world, elastica_effect_remove(effect));
      if (way == 1) must(world, elastica_add_gravity(world, gravity, &effect));
    }
    const uint64_t before = hash_those_there(world);
    assert_status(world, elastica_world_rewind(world), ELASTICA_INVALID_ARGUMENT);
    assert_says(elastica_world_message(world), "rewind", way == 0 ? "rods" : way == 1 ? "effects" : "was removed in this world");
    assert_true(hash_those_there(world) == before);
    must(world, elastica_world_step(world, dt, 5));
    must(world, elastica_world_rewind(world));
    assert_int_equal(elastica_world_get(world).step_count, steps);
  }
  elastica_world_destroy(world);
}

/* States kept before another snapshot was loaded belong to another run. */
TEST(loading_a_snapshot_forgets_kept_states) {
  elastica_world *world = build(64);
  must(world, elastica_world_step(world, dt, 10));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 100));
  must(world, load_snapshot(world, &s));
  assert_status(world, elastica_world_rewind(world), ELASTICA_WRONG_STATE);
  must(world, elastica_world_step(world, dt, 5));
  must(world, elastica_world_rewind(world));
  assert_int_equal(elastica_world_get(world).step_count, 10);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* The first step detects a module that cannot be saved. */
TEST(a_world_that_cannot_be_saved_takes_no_steps) {
  static double number;
  elastica_world *world = build(64);
  elastica_module module = module_named("borrower");
  module.self = &number;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "step", "\"borrower\"", "stateless");
  assert_int_equal(elastica_world_get(world).step_count, 0);
  elastica_world_destroy(world);
}

/* Two blocks are allocated at the first two kept states, none later. */
TEST(keeping_asks_for_memory_twice) {
  memory_ration memory = plenty();
  elastica_world_def def = rationed_world_def(&memory);
  def.snapshot_interval = 10;
  elastica_world *world = make_world(&def);
  fill_wanderers(world);
  must(world, elastica_world_step(world, dt, 35));
  const long calls = memory.calls;
  memory.left = 0;
  must(world, elastica_world_step(world, dt, 500));
  assert_true(memory.calls == calls);
  must(world, elastica_world_advance(world, 0.01));
  assert_true(memory.calls == calls);
  memory.left = LONG_MAX;
  elastica_world_destroy(world);
  assert_int_equal(memory.blocks, 0);
}

TEST(keeping_without_memory_refuses_the_step) {
  memory_ration memory = plenty();
  elastica_world_def def = rationed_world_def(&memory);
  long refusals = 0;
  def.snapshot_interval = 10;
  elastica_world *world = make_world(&def), *plain = build(0);
  fill_wanderers(world);
  must(plain, elastica_world_step(plain, dt, 40));
  while (elastica_world_get(world).step_count < 40) {
    memory.left = refusals;
    const elastica_status status = elastica_world_step(world, dt, 40 - elastica_world_get(world).step_count);
    memory.left = LONG_MAX;
    if (status == ELASTICA_OK) break;
    assert_status(world, status, ELASTICA_OUT_OF_MEMORY);
    assert_true(++refusals < 60);
  }
  assert_true(hash_course(world) == hash_course(plain));
  elastica_world_destroy(world), elastica_world_destroy(plain);
  assert_int_equal(memory.blocks, 0);
}
