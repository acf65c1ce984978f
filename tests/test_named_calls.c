/* Sentences begin with the refused call, not with a function called by it. */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"

/* ---- From inside a hook ---- */

typedef struct asker {
  elastica_world *world;
  elastica_rod *rod;
  int calls;
} asker;

static elastica_status ask(void *self, const elastica_instant *now, const elastica_rod_view *view) {
  asker *a = self;
  elastica_rod_facts facts;
  elastica_check_report report;
  elastica_totals energy;
  (void)now, (void)view;
  a->calls++;
  assert_refused(a->world, elastica_rod_get_facts(a->rod, &facts), ELASTICA_WRONG_STATE, "rod_get_facts", "hook");
  assert_refused(a->world, elastica_world_check(a->world, 0.0, &report), ELASTICA_WRONG_STATE, "check", "hook");
  assert_refused(a->world, elastica_rod_get_totals(a->rod, &energy), ELASTICA_WRONG_STATE, "rod_get_totals", "hook");
  return ELASTICA_OK;
}

TEST(refusals_in_hooks_name_their_call) {
  elastica_world *world = make_world(NULL);
  asker a = {world, add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5), 0};
  elastica_module module = module_named("asker");
  module.self = &a, module.observe = ask;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-5, 2));
  assert_int_equal(a.calls, 2);
  elastica_world_destroy(world);
}

/* ---- Without memory ---- */

static elastica_status step(elastica_world *world) {
  return elastica_world_step(world, 1e-5, 1);
}

static elastica_status advance(elastica_world *world) {
  return elastica_world_advance(world, 1e-3);
}

static elastica_status run(elastica_world *world) {
  DEFAULTS(run, def);
  def.until = 1e-3;
  return elastica_world_run(world, &def, NULL);
}

static elastica_status relax(elastica_world *world) {
  return elastica_world_relax(world, NULL, NULL);
}

static elastica_status find_modes(elastica_world *world) {
  elastica_modes *modes = NULL;
  const elastica_status status = elastica_modes_find(world, NULL, &modes);
  elastica_modes_destroy(modes);
  return status;
}

static elastica_status step_limit(elastica_world *world) {
  elastica_step_limit limit;
  return elastica_world_step_limit(world, &limit);
}

static elastica_status get_facts(elastica_world *world) {
  elastica_rod_facts facts;
  return elastica_rod_get_facts(elastica_world_rod(world, 0), &facts);
}

static elastica_status check(elastica_world *world) {
  elastica_check_report report;
  return elastica_world_check(world, 0.0, &report);
}

static elastica_status evaluate(elastica_world *world) {
  return elastica_world_evaluate(world, 0.0);
}

static elastica_status refresh(elastica_world *world) {
  return elastica_rod_refresh(elastica_world_rod(world, 0));
}

static elastica_status get_totals(elastica_world *world) {
  elastica_totals totals;
  return elastica_world_get_totals(world, &totals);
}

static const struct {
  const char *name;
  elastica_status (*call)(elastica_world *world);
} calls[] = {{"step", step},
             {"advance", advance},
             {"run", run},
             {"relax", relax},
             {"modes_find", find_modes},
             {"step_limit", step_limit},
             {"rod_get_facts", get_facts},
             {"check", check},
             {"evaluate", evaluate},
             {"refresh", refresh},
             {"world_get_totals", get_totals}};

/* Memory runs out anywhere within the call. */
TEST(calls_without_memory_are_named) {
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
    elastica_status status = ELASTICA_OUT_OF_MEMORY;
    long allowed = 0;
    for (; status != ELASTICA_OK; allowed++) {
      memory_ration memory = plenty();
      elastica_world *world = make_rationed_world(&memory);
      elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
      clamp_first_end(world, rod);
      memory.left = allowed;
      status = calls[k].call(world);
      memory.left = LONG_MAX;
      if (status != ELASTICA_OK) {
        assert_status(world, status, ELASTICA_OUT_OF_MEMORY);
        const char *sentence = elastica_world_message(world);
        const size_t length = strlen(calls[k].name);
        if (strncmp(sentence, calls[k].name, length) != 0 || sentence[length] != ':') fail_msg("%s: %s", calls[k].name, sentence);
      }
      elastica_world_destroy(world);
      assert_true(allowed < 60);
    }
    assert_true(allowed > 1);
  }
}

/* ---- One and several ---- */

TEST(one_rod_is_no_rods) {
  elastica_world *one = make_world(NULL), *two = make_world(NULL);
  add_straight_rod(one, 1, 1.0, 0.02, 1000.0, 1e6, 4e5);
  for (int k = 0; k < 2; k++) add_straight_rod(two, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  snapshot s = take_snapshot(one);
  assert_status(two, load_snapshot(two, &s), ELASTICA_INVALID_ARGUMENT);
  assert_message(two, "snapshot_load: the snapshot has 1 rod, this world 2");
  must(two, elastica_rod_remove(elastica_world_rod(two, 1)));
  add_straight_rod(one, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  free(s.bytes);
  s = take_snapshot(one);
  assert_status(two, load_snapshot(two, &s), ELASTICA_INVALID_ARGUMENT);
  assert_message(two, "snapshot_load: the snapshot has 1 element in rod 0, this world 8");
  free(s.bytes);
  elastica_world_destroy(one), elastica_world_destroy(two);
}

/* ---- Without a handle, or without room for the answer ---- */

TEST(calls_without_their_handle_are_refused) {
  elastica_step_limit limit;
  elastica_budget_share share;
  elastica_module module = module_named("none");
  elastica_rod *rod = (elastica_rod *)&limit;
  elastica_effect *effect = (elastica_effect *)&limit;
  DEFAULTS(rod, rod_def);
  size_t size = 0;
  assert_int_equal(elastica_world_create(NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_add_rod(NULL, &rod_def, &rod), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_add_module(NULL, NULL, &module, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_null(rod);
  assert_null(effect);
  effect = (elastica_effect *)&limit;
  assert_int_equal(elastica_add_gravity(NULL, (double[]){0.0, 0.0, -9.81}, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_null(effect);
  assert_int_equal(elastica_world_step(NULL, 1e-5, 1), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_advance(NULL, 1e-5), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_step_limit(NULL, &limit), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_snapshot_save_file(NULL, "none"), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_snapshot_load_file(NULL, "none"), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_path_save(NULL, NULL, 0, &size), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_path_load(NULL, "none", 4), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_budget_get_effect(NULL, 0, &share), ELASTICA_INVALID_ARGUMENT);
}

TEST(queries_without_room_for_their_answer_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.05, 1000.0, 1e6, 0.35e6);
  elastica_effect *effect = NULL;
  elastica_budget *budget = NULL;
  DEFAULTS(joint, joint);
  joint.first.rod = rod;
  must(world, elastica_add_joint(world, &joint, &effect));
  must(world, elastica_budget_open(world, &budget));
  assert_refused(world, elastica_joint_get(effect, NULL), ELASTICA_INVALID_ARGUMENT, "joint_get: out is NULL");
  assert_refused(world, elastica_rod_get_facts(rod, NULL), ELASTICA_INVALID_ARGUMENT, "rod_get_facts: out is NULL");
  assert_refused(world, elastica_budget_get_effect(budget, 0, NULL), ELASTICA_INVALID_ARGUMENT, "budget_get_effect: out is NULL");
  elastica_budget_close(budget);
  elastica_world_destroy(world);
}
