/* The hooks of a step are called in the order of the table of stages, for every way of taking a step. */
#include "base/target.h"

#include "support.h"

#include "step/stages.h"

enum { MOST = 32 };

/* The hooks in the order of their calls. */
typedef struct diary {
  int called[MOST], count;
} diary;

static elastica_status note(void *self, eli_hook hook) {
  diary *of = *(diary **)self;
  if (of->count < MOST) of->called[of->count++] = (int)hook;
  return ELASTICA_OK;
}

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  return note(self, ELI_BEGIN_STEP);
}

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)now, (void)loads;
  return note(self, ELI_ADD_WORLD_LOADS);
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                      elastica_resultants *resultants) {
  (void)now, (void)rod, (void)resultants;
  return note(self, ELI_ADD_RESULTANTS);
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod, (void)loads;
  return note(self, ELI_ADD_LOADS);
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod, (void)loads;
  return note(self, ELI_ADD_REACTIONS);
}

static elastica_status constrain_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)now, (void)rod, (void)state;
  return note(self, ELI_CONSTRAIN_POSITION);
}

static elastica_status constrain_velocity(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)now, (void)rod, (void)state;
  return note(self, ELI_CONSTRAIN_VELOCITY);
}

static elastica_status constrain_spin(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)now, (void)rod, (void)state;
  return note(self, ELI_CONSTRAIN_SPIN);
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  return note(self, ELI_OBSERVE);
}

/* A world with a single effect that notes its hooks; the first step, which applies the constraints to the initial state, has been taken. */
static elastica_world *make_scene(diary *to, int pairs) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("diary");
  add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
  module.self = &to;
  module.self_size = sizeof to;
  module.begin_step = begin_step;
  module.add_world_loads = pairs ? add_world_loads : NULL;
  module.add_resultants = add_resultants;
  module.add_loads = add_loads;
  module.add_reactions = add_reactions;
  module.constrain_position = constrain_position;
  module.constrain_velocity = constrain_velocity;
  module.constrain_spin = constrain_spin;
  module.observe = observe;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-5, 1));
  return world;
}

static void assert_order_of_table(elastica_world *world, diary *of, int pairs) {
  of->count = 0;
  must(world, elastica_world_step(world, 1e-5, 1));
  int count = 0;
  for (int stage = 0; stage < ELI_STAGE_COUNT; stage++) {
    const int hook = eli_stages[stage].hook;
    if (hook == ELI_HOOK_COUNT || (hook == ELI_ADD_WORLD_LOADS && !pairs)) continue;
    assert_true(count < of->count);
    assert_int_equal(of->called[count], hook);
    count++;
  }
  assert_int_equal(of->count, count);
  elastica_world_destroy(world);
}

TEST(a_step_goes_in_the_order_of_the_table) {
  for (int pairs = 0; pairs < 2; pairs++) {
    diary of = {.count = 0};
    elastica_world *world = make_scene(&of, pairs);
    assert_order_of_table(world, &of, pairs);
  }
}

TEST(a_step_with_a_budget_goes_in_the_same_order) {
  for (int pairs = 0; pairs < 2; pairs++) {
    diary of = {.count = 0};
    elastica_world *world = make_scene(&of, pairs);
    elastica_budget *budget;
    must(world, elastica_budget_open(world, &budget));
    must(world, elastica_world_step(world, 1e-5, 1));
    assert_order_of_table(world, &of, pairs);
  }
}

TEST(stages_taken_together_follow_each_other) {
  for (int stage = 0; stage < ELI_STAGE_COUNT; stage++) {
    const eli_stage_row *row = &eli_stages[stage];
    assert_non_null(row->name);
    assert_non_null(row->run);
    if (row->together != NULL) assert_true((int)row->until > stage && row->until < ELI_STAGE_COUNT);
  }
}
