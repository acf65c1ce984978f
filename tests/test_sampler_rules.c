/* Claims about samplers: forbidden calls and refused definitions. */
#include "base/target.h"

#include "diary.h"
#include "one_rod.h"
#include "rationed_memory.h"
#include "scenes.h"

/* ---- Forbidden calls ---- */

static elastica_status call_back(void *user, elastica_world *world) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  const double gravity[3] = {0.0, 0.0, -9.81}, *zero = gravity;
  const elastica_sampler none = {.struct_size = sizeof none};
  elastica_module module = module_named("late");
  elastica_effect *effect = elastica_world_effect(world, 0);
  ++*(int *)user;
  elastica_modes *modes = NULL;
  DEFAULTS(run, run);
  DEFAULTS(rod, def);
  run.until = 1.0;
  elastica_world_destroy(world); /* has no effect here */
  assert_refused(world, elastica_world_step(world, 1e-5, 1), ELASTICA_WRONG_STATE, "step", "sampler");
  assert_refused(world, elastica_world_advance(world, 1e-3), ELASTICA_WRONG_STATE, "advance", "sampler");
  assert_refused(world, elastica_world_run(world, &run, NULL), ELASTICA_WRONG_STATE, "run", "sampler");
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_WRONG_STATE, "relax", "sampler");
  assert_refused(world, elastica_modes_find(world, NULL, &modes), ELASTICA_WRONG_STATE, "modes_find", "sampler");
  assert_refused(world, elastica_world_set_sampler(world, &none), ELASTICA_WRONG_STATE, "set_sampler", "sampler");
  assert_refused(world, elastica_world_set_sampler(world, NULL), ELASTICA_WRONG_STATE, "set_sampler", "sampler");
  assert_refused(world, elastica_world_add_rod(world, &def, NULL), ELASTICA_WRONG_STATE, "add_rod", "sampler");
  assert_refused(world, elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_WRONG_STATE, "add_module", "sampler");
  assert_refused(world, elastica_add_gravity(world, gravity, NULL), ELASTICA_WRONG_STATE, "add_gravity", "sampler");
  assert_refused(world, elastica_gravity_set(effect, gravity), ELASTICA_WRONG_STATE, "gravity_set", "sampler");
  assert_refused(world, elastica_effect_set_enabled(effect, 0), ELASTICA_WRONG_STATE, "effect_set_enabled", "sampler");
  assert_refused(world, elastica_rod_set_state(rod, NULL, NULL, NULL, NULL), ELASTICA_WRONG_STATE, "set_state", "sampler");
  assert_refused(world, elastica_rod_set_rest(rod, zero, NULL), ELASTICA_WRONG_STATE, "set_rest", "sampler");
  return ELASTICA_OK;
}

TEST_WITH_ROD(a_sampler_may_not_change_the_world) {
  fixture *f = *state;
  const double gravity[3] = {0.0, 0.0, -1.0};
  elastica_sampler sampler;
  int calls = 0;
  must(f->world, elastica_add_gravity(f->world, gravity, NULL));
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = call_back;
  sampler.user = &calls;
  sampler.interval = 1e-4;
  must(f->world, elastica_world_set_sampler(f->world, &sampler));
  must(f->world, elastica_world_step(f->world, 1e-5, 20));
  assert_int_equal(calls, 3);
  must(f->world, elastica_rod_set_state(f->rod, NULL, NULL, NULL, NULL)); /* outside again */
}

static elastica_status set_from_a_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  elastica_world *world = *(elastica_world **)self;
  (void)now, (void)rod, (void)loads;
  DEFAULTS(run, run);
  run.until = 1.0;
  assert_refused(world, elastica_world_set_sampler(world, NULL), ELASTICA_WRONG_STATE, "set_sampler", "hook");
  assert_refused(world, elastica_world_run(world, &run, NULL), ELASTICA_WRONG_STATE, "run", "hook");
  return ELASTICA_OK;
}

TEST_WITH_ROD(hooks_may_neither_set_a_sampler_nor_run) {
  fixture *f = *state;
  elastica_module module = module_named("setter");
  module.self = &f->world;
  module.add_loads = set_from_a_hook;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  must(f->world, elastica_world_step(f->world, 1e-5, 3));
}

static elastica_status give_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod, (void)loads;
  return now->step == *(const long *)self ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST_WITH_ROD(a_failing_step_is_not_sampled) {
  fixture *f = *state;
  static diary of;
  const long bad = 9;
  elastica_module module = module_named("tired");
  module.self = &bad;
  module.self_size = sizeof bad;
  module.add_loads = give_up;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  keep_diary(f->world, &of, 1e-5);
  assert_status(f->world, elastica_world_step(f->world, 1e-5, 20), ELASTICA_CALLBACK_FAILED);
  assert_int_equal(of.count, 10); /* one before the first step and nine after it */
}

/* ---- Refusals ---- */

TEST_WITH_ROD(wrong_samplers_are_refused) {
  fixture *f = *state;
  static diary of;
  const elastica_sampler sound = sampler_of(&of, 1e-4);
  elastica_sampler wrong = sound;
  wrong.sample = NULL;
  assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_INVALID_ARGUMENT, "sampler.sample", "NULL");
  wrong = sound;
  wrong.interval = NAN;
  assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_INVALID_ARGUMENT, "sampler.interval", "not set");
  for (double interval = 0.0; interval > -2.0; interval--) {
    wrong.interval = interval;
    assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_INVALID_ARGUMENT, "sampler.interval", "not positive");
  }
  wrong.interval = INFINITY;
  assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_INVALID_ARGUMENT, "sampler.interval", "not finite");
  wrong = sound;
  wrong.start = INFINITY;
  assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_INVALID_ARGUMENT, "sampler.start", "not finite");
  wrong = sound;
  wrong.struct_size++;
  assert_refused(f->world, elastica_world_set_sampler(f->world, &wrong), ELASTICA_WRONG_VERSION, "sampler.struct_size");
  assert_int_equal(elastica_world_set_sampler(NULL, &sound), ELASTICA_INVALID_ARGUMENT);
  must(f->world, elastica_world_step(f->world, 1e-5, 50));
  assert_int_equal(of.count, 0);
}

static elastica_status return_no_status(void *user, elastica_world *world) {
  (void)user, (void)world;
  return (elastica_status)99;
}

TEST_WITH_ROD(a_number_that_is_no_status_is_refused) {
  fixture *f = *state;
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = return_no_status, sampler.interval = 1e-4;
  must(f->world, elastica_world_set_sampler(f->world, &sampler));
  assert_refused(f->world, elastica_world_step(f->world, 1e-5, 1), ELASTICA_CALLBACK_FAILED, "sampler returned 99", "no elastica_status");
}

/* The lanes for samples are allocated before the first step, so that no run ends in the middle for lack of memory. */
TEST(without_memory_for_the_lanes_no_step_is_taken) {
  static diary of;
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  fill_small_rods(world);
  must(world, elastica_world_step(world, 0x1p-13, 1));
  keep_diary(world, &of, 1e-3);
  ration.left = 0;
  assert_refused(world, elastica_world_step(world, 0x1p-13, 20), ELASTICA_OUT_OF_MEMORY, "sampler", "memory");
  assert_refused(world, elastica_world_advance(world, 0.01), ELASTICA_OUT_OF_MEMORY, "sampler", "memory");
  assert_refused(world, follow_clock(world, 0.01, NULL), ELASTICA_OUT_OF_MEMORY, "sampler", "memory");
  assert_int_equal(elastica_world_get(world).step_count, 1);
  assert_int_equal(of.count, 0);
  ration.left = 1;
  must(world, elastica_world_step(world, 0x1p-13, 20));
  ration.left = 0;
  must(world, elastica_world_step(world, 0x1p-13, 20));
  assert_true(of.count > 3);
  elastica_world_destroy(world);
  assert_int_equal(ration.blocks, 0);
}
