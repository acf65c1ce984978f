/* Resetting a world: the bits of one that was newly built. */
#include "base/target.h"

#include "changing.h"
#include "conformance_table.h"
#include "rationed_memory.h"

static const double dt = 0x1p-14;
enum { RODS = 20 };

static void build(elastica_world *world, const int *left_out) {
  add_common_effects(world);
  for (int r = 0; r < RODS; r++) {
    if (left_out && left_out[r]) continue;
    elastica_rod *rod = add_numbered_rod(world, r);
    add_own_effects(world, rod, r);
  }
}

/* The bits of the state, of steps of a given size and of those that the library chooses. */
static uint64_t run(elastica_world *world) {
  uint64_t hash = hash_rods(world);
  must(world, elastica_world_step(world, dt, 40));
  hash ^= hash_rods(world);
  must(world, elastica_world_advance(world, 0.01));
  const double numbers[] = {elastica_world_time(world), elastica_world_working_step(world), (double)elastica_world_step_count(world)};
  return hash_numbers(hash ^ hash_rods(world), numbers, 3);
}

static void spoil(elastica_world *world) {
  const double gravity[3] = {3.0, 2.0, 1.0};
  must(world, elastica_gravity_set(elastica_world_effect(world, 0), gravity));
  must(world, elastica_effect_set_enabled(elastica_world_effect(world, 1), 0));
  for (elastica_rod *rod = elastica_world_next_rod(world, NULL); rod; rod = elastica_world_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double velocity[3 * SAMPLE_NODES] = {0.0}, curvature[3 * SAMPLE_NODES] = {0.0}, strain[3 * SAMPLE_ELEMENTS] = {0.0};
    for (int j = 0; j < view->joint_count; j++) curvature[component(j, X)] = 0.1;
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
    must(world, elastica_rod_set_rest(rod, curvature, strain));
  }
}

TEST(a_world_begins_anew) {
  elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
  build(fresh, NULL);
  build(world, NULL);
  const uint64_t expected = run(fresh);
  for (int round = 0; round < 3; round++) {
    assert_true(run(world) == expected);
    spoil(world);
    must(world, elastica_world_step(world, dt, 5));
    must(world, elastica_world_reset(world));
    assert_close(elastica_world_time(world), 0.0, 0.0);
    assert_int_equal(elastica_world_step_count(world), 0);
    assert_close(elastica_world_working_step(world), 0.0, 0.0);
  }
  elastica_world_destroy(fresh);
  elastica_world_destroy(world);
}

TEST(what_was_removed_stays_so) {
  int left_out[RODS] = {0};
  elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
  build(world, NULL);
  must(world, elastica_world_step(world, dt, 10));
  for (int r = 0; r < RODS; r += 3) {
    left_out[r] = 1;
    must(world, elastica_rod_remove(elastica_world_rod(world, r)));
  }
  must(world, elastica_world_step(world, dt, 10));
  must(world, elastica_world_reset(world));
  build(fresh, left_out);
  assert_true(run(world) == run(fresh));
  assert_null(elastica_world_rod(world, 3));
  elastica_world_destroy(fresh);
  elastica_world_destroy(world);
}

TEST(a_failure_is_over) {
  elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
  build(fresh, NULL);
  build(world, NULL);
  double velocity[3 * SAMPLE_NODES] = {0.0};
  for (int i = 0; i < SAMPLE_NODES; i++) velocity[component(i, X)] = i % 2 ? 1e5 : -1e5;
  must(world, elastica_rod_set_state(elastica_world_rod(world, 6), NULL, velocity, NULL, NULL));
  assert_status(world, elastica_world_step(world, dt, 5), ELASTICA_UNSTABLE_STEP);
  must(world, elastica_world_reset(world));
  assert_message(world, "");
  assert_true(run(world) == run(fresh));
  elastica_world_destroy(fresh);
  elastica_world_destroy(world);
}

/* ---- Every effect of the library ---- */

static uint64_t run_row(elastica_world *world) {
  uint64_t hash = hash_rods(world);
  must(world, elastica_world_step(world, dt, 8));
  return hash ^ hash_rods(world);
}

TEST(every_effect_returns_to_its_first_parameters) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (!takes(row, closed)) continue;
      elastica_world *worlds[2] = {make_world(NULL), make_world(NULL)};
      elastica_rod *rod = NULL;
      elastica_effect *effect = NULL;
      for (int w = 0; w < 2; w++) {
        rod = add_row_rod(row, worlds[w], closed, 1);
        effect = add_effect_of(row, worlds[w], rod, 1.0);
      }
      elastica_world *world = worlds[1];
      void *def = make_def(row, rod, 0.5);
      must(world, elastica_world_step(world, dt, 3));
      must(world, row->set(effect, def));
      must(world, elastica_world_step(world, dt, 3));
      must(world, elastica_world_reset(world));
      free(def);
      if (run_row(world) != run_row(worlds[0])) fail_msg("%s: other bits after a reset", label_of(row, closed));
      elastica_world_destroy(worlds[0]);
      elastica_world_destroy(world);
    }
}

/* ---- Modules of one's own ---- */

static elastica_status count_steps(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  ++*(int *)self;
  return ELASTICA_OK;
}

static void set_to_seven(void *self) {
  *(int *)self = 7;
}

static void do_nothing(void *self) {
  (void)self;
}

static elastica_effect *add_counter(elastica_world *world, int *borrowed, void (*reset)(void *), void (*destroy)(void *), int stateless) {
  const int zero = 0;
  elastica_effect *effect = NULL;
  elastica_module module = module_named("counter");
  module.self = borrowed ? (const void *)borrowed : &zero;
  module.self_size = borrowed ? 0 : sizeof zero;
  module.begin_step = count_steps;
  module.reset = reset;
  module.destroy = destroy;
  module.stateless = stateless;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}

TEST(history_in_a_copy_is_put_back) {
  elastica_world *world = make_world(NULL);
  add_numbered_rod(world, 0);
  const int *count = elastica_effect_self(add_counter(world, NULL, NULL, NULL, 0));
  must(world, elastica_world_step(world, dt, 5));
  assert_int_equal(*count, 5);
  must(world, elastica_world_reset(world));
  assert_int_equal(*count, 0);
  elastica_world_destroy(world);
}

TEST(a_module_puts_back_what_the_library_cannot) {
  int borrowed[2] = {0, 0};
  elastica_world *world = make_world(NULL);
  add_numbered_rod(world, 0);
  add_counter(world, &borrowed[0], set_to_seven, NULL, 0);
  add_counter(world, &borrowed[1], NULL, NULL, 1);
  must(world, elastica_world_step(world, dt, 5));
  must(world, elastica_world_reset(world));
  assert_int_equal(borrowed[0], 7);
  assert_int_equal(borrowed[1], 5);
  elastica_world_destroy(world);
}

TEST(what_cannot_be_put_back_is_refused) {
  int borrowed = 0;
  elastica_world *world = make_world(NULL);
  add_numbered_rod(world, 0);
  elastica_effect *effect = add_counter(world, &borrowed, NULL, NULL, 0);
  must(world, elastica_world_step(world, dt, 5));
  const uint64_t before = hash_rods(world);
  assert_refused(world, elastica_world_reset(world), ELASTICA_INVALID_ARGUMENT, "world_reset", "effect 0", "borrows its self");
  must(world, elastica_effect_remove(effect));
  effect = add_counter(world, NULL, NULL, do_nothing, 0);
  assert_refused(world, elastica_world_reset(world), ELASTICA_INVALID_ARGUMENT, "world_reset", "effect 1", "destroy");
  assert_true(hash_rods(world) == before);
  must(world, elastica_effect_remove(effect));
  must(world, elastica_world_reset(world));
  elastica_world_destroy(world);
}

static elastica_status try_to_reset(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  return elastica_world_reset(*(elastica_world **)self) == ELASTICA_WRONG_STATE ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT;
}

TEST(hooks_cannot_reset) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("resetter");
  add_numbered_rod(world, 0);
  module.self = &world;
  module.self_size = sizeof world;
  module.begin_step = try_to_reset;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, dt, 2));
  assert_int_equal(elastica_world_reset(NULL), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}

/* ---- Memory ---- */

TEST(without_memory_nothing_changes) {
  memory_ration memory = plenty();
  elastica_world *fresh = make_world(NULL), *world = make_rationed_world(&memory);
  build(fresh, NULL);
  build(world, NULL);
  must(world, elastica_world_step(world, dt, 10));
  const uint64_t before = hash_world(world);
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  long allowed = 0;
  for (; status != ELASTICA_OK; allowed++) {
    assert_true(allowed < 100);
    memory.left = allowed;
    status = elastica_world_reset(world);
    memory.left = LONG_MAX;
    if (status == ELASTICA_OK) continue;
    assert_refused(world, status, ELASTICA_OUT_OF_MEMORY, "world_reset", "no memory");
    assert_true(hash_world(world) == before);
  }
  assert_true(allowed > 1);
  assert_true(run(world) == run(fresh));
  elastica_world_destroy(fresh);
  elastica_world_destroy(world);
  assert_int_equal(memory.blocks, 0);
}
