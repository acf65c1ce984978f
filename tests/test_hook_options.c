/* Claims about the optional hooks and declarations of a user's module beside its loads: history, sentences, idle calls, removed rods, and
 * what a step may leave out.
 */
#include "base/target.h"

#include "support.h"

static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 6, 1.0, 0.05, 1000.0, 1e6, 0.35e6);
}

/* ---- History ---- */

/* A reaction whose force grows with the number of its calls; the number lies outside self. */
typedef struct tired {
  long *calls;
} tired;

static elastica_status react(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  tired *t = self;
  (void)now, (void)rod;
  loads->force[2][3] -= 1e-4 * (double)++*t->calls;
  return ELASTICA_OK;
}

static void each_history(void *self, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  visit(context, ((tired *)self)->calls, sizeof(long));
}

static elastica_world *make_tired_world(tired *self, int tells) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("tired");
  module.self = self;
  module.parallel_safe = 1;
  module.add_reactions = react;
  if (tells) module.each_history = each_history;
  must(world, elastica_world_add_module(world, add_rod(world), &module, NULL));
  return world;
}

TEST(history_that_is_visited_is_put_back_after_a_query) {
  for (int tells = 0; tells < 2; tells++) {
    long calls = 0;
    tired self = {&calls};
    elastica_world *world = make_tired_world(&self, tells);
    must(world, elastica_world_step(world, 1e-5, 70));
    assert_int_equal(calls, 70);
    assert_int_equal(elastica_world_evaluate(world, 1e-5), tells ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT);
    assert_int_equal(calls, 70);
    elastica_world_destroy(world);
  }
}

static int kept_histories;

static int keep_history(void *self) {
  (void)self;
  kept_histories++;
  return 1;
}

static void put_back_history(void *self) {
  (void)self;
}

TEST(a_module_that_keeps_its_history_takes_batches) {
  long calls = 0;
  tired self = {&calls};
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("keeper");
  module.self = &self;
  module.stateless = 1;
  module.parallel_safe = 1;
  module.add_reactions = react;
  module.keep_history = keep_history;
  elastica_rod *rod = add_rod(world);
  assert_int_equal(elastica_world_add_module(world, rod, &module, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_world_message(world), "needs both keep_history and put_back_history"));
  module.put_back_history = put_back_history;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  kept_histories = 0;
  must(world, elastica_world_step(world, 1e-5, 64));
  assert_true(calls == 64 && kept_histories > 0);
  elastica_world_destroy(world);
}

/* ---- Failures ---- */

static elastica_status fail_later(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod, (void)loads;
  return now->step == 5 ? ELASTICA_NOT_FINITE : ELASTICA_OK;
}

static void explain(void *self, const elastica_rod_view *rod, char *text, size_t size) {
  (void)self;
  snprintf(text, size, "the magnet of rod %d is too hot", rod->rod_index);
}

TEST(a_failure_is_explained_by_its_effect) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("magnet");
  module.add_loads = fail_later;
  module.explain = explain;
  must(world, elastica_world_add_module(world, add_rod(world), &module, NULL));
  assert_int_equal(elastica_world_step(world, 1e-5, 10), ELASTICA_CALLBACK_FAILED);
  assert_non_null(strstr(elastica_world_message(world), "effect 0 \"magnet\": the magnet of rod 0 is too hot"));
  elastica_world_destroy(world);
}

static elastica_status fail_between(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)loads;
  return now->step == 5 ? ELASTICA_NOT_FINITE : ELASTICA_OK;
}

static int fails_for(void *self, const elastica_rod_view *rod) {
  (void)self;
  return rod->rod_index == 1;
}

TEST(a_failure_between_rods_ends_when_the_named_rod_is_removed) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("glue");
  module.add_world_loads = fail_between;
  module.fails_for = fails_for;
  add_rod(world);
  elastica_rod *second = add_rod(world);
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_int_equal(elastica_world_step(world, 1e-5, 10), ELASTICA_CALLBACK_FAILED);
  must(world, elastica_rod_remove(second));
  must(world, elastica_world_step(world, 1e-5, 10));
  elastica_world_destroy(world);
}

/* ---- Rods that go ---- */

static int forgotten;

static void forget_rod(void *self, const elastica_rod_view *rod) {
  (void)self;
  forgotten = rod->rod_index;
}

TEST(an_effect_on_every_rod_learns_that_one_goes) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("ledger");
  module.forget_rod = forget_rod;
  add_rod(world);
  elastica_rod *second = add_rod(world);
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  forgotten = -1;
  must(world, elastica_rod_remove(second));
  assert_int_equal(forgotten, 1);
  elastica_world_destroy(world);
}

/* ---- Less work ---- */

/* Pushes a node for a while, with a force that depends on the length of an element. */
typedef struct pushing {
  long idle, calls;
} pushing;

static int is_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  pushing *p = self;
  (void)rod;
  p->idle += now->step < 20;
  return now->step < 20;
}

static elastica_status push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  pushing *p = self;
  p->calls++;
  if (now->step >= 20) loads->force[1][3] += rod->length[3];
  return ELASTICA_OK;
}

static uint64_t run_pushed(elastica_module *module, const pushing **self) {
  static pushing last;
  static const pushing start = {0, 0};
  elastica_effect *effect = NULL;
  elastica_world *world = make_world(NULL);
  module->self = &start;
  module->self_size = sizeof start;
  module->parallel_safe = 1;
  module->add_loads = push;
  must(world, elastica_world_add_module(world, add_rod(world), module, &effect));
  must(world, elastica_world_step(world, 1e-5, 100));
  last = *(const pushing *)elastica_effect_get(effect).self;
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  *self = &last;
  return hash;
}

TEST(declarations_change_no_bit) {
  const pushing *self;
  elastica_module module = module_named("push");
  const uint64_t hash = run_pushed(&module, &self);
  assert_int_equal(self->calls, 100);
  module.needs_derived = module.needs_geometry = module.adds_rates = 0;
  module.reads_lengths = 1;
  module.first_written = module.last_written = 3;
  assert_true(run_pushed(&module, &self) == hash);
  module.reads_lengths = 0;
  module.is_idle = is_idle; /* the geometry is computed when it is not idle */
  assert_true(run_pushed(&module, &self) == hash);
  assert_true(self->calls == 80 && self->idle == 20);
}

TEST(other_numbers_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("push");
  module.reads_lengths = 3;
  assert_int_equal(elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_world_message(world), "module.reads_lengths"));
  assert_non_null(strstr(elastica_world_message(world), "neither 0, 1 nor 2"));
  elastica_world_destroy(world);
}

static double latest;

static elastica_status note_time(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod, (void)loads;
  latest = now->time;
  return ELASTICA_OK;
}

TEST(a_check_judges_loads_at_their_full_time) {
  elastica_rod_facts facts;
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("ramp");
  elastica_rod *rod = add_rod(world);
  module.add_loads = note_time;
  module.full_time = 2.5;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  must(world, elastica_rod_get_facts(rod, &facts));
  assert_true(latest == 2.5);
  elastica_world_destroy(world);
}

/* ---- Incomplete modules ---- */

static elastica_status no_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now, (void)loads;
  return ELASTICA_OK;
}

static int may_sleep(void *self, const elastica_instant *now) {
  (void)self, (void)now;
  return 1;
}

static int must_wake(void *self, const elastica_rod_view *rod) {
  (void)self, (void)rod;
  return 1;
}

TEST(modules_that_lack_a_part_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("half");
  module.self_size = 8;
  assert_refused(world, elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT, "add_module", "\"half\"",
                 "self_size but no self");
  for (int half = 0; half < 3; half++) {
    module = module_named("half");
    module.add_world_loads = no_world_loads;
    if (half != 1) module.may_sleep = may_sleep;
    if (half != 0) module.must_wake = must_wake;
    if (half == 2)
      must(world, elastica_world_add_module(world, NULL, &module, NULL));
    else
      assert_refused(world, elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT, "\"half\"",
                     "both may_sleep and must_wake");
  }
  elastica_world_destroy(world);
}

/* ---- Changed declarations ---- */

static elastica_status push_by_place(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i <= 2; i++) loads->force[0][i] -= 3.0 * rod->position[0][i];
  return ELASTICA_OK;
}

static int is_never_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)self, (void)now, (void)rod;
  return 0;
}

/* Each change of a declaration leaves the bits of a world that had it from the start. */
static elastica_module declared(int changed) {
  elastica_module module = module_named("pusher");
  module.add_loads = push_by_place;
  module.needs_derived = changed == 1, module.needs_geometry = changed == 2, module.parallel_safe = changed == 3;
  module.reads_lengths = changed == 4, module.reads_resultants = changed == 5;
  if (changed == 6) module.first_written = 0, module.last_written = 2;
  if (changed == 7) module.is_idle = is_never_idle;
  return module;
}

TEST(declarations_may_change_between_steps) {
  for (int changed = 1; changed <= 7; changed++) {
    uint64_t hash[2];
    for (int later = 0; later < 2; later++) {
      elastica_world *world = make_world(NULL);
      elastica_effect *effect = NULL;
      const elastica_module before = declared(later ? 0 : changed), after = declared(changed);
      must(world, elastica_world_add_module(world, add_rod(world), &before, &effect));
      must(world, elastica_world_step(world, 1e-5, 3));
      must(world, elastica_effect_set_module(effect, &after));
      must(world, elastica_world_step(world, 1e-5, 70));
      hash[later] = hash_world(world);
      elastica_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
  }
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  (void)self, (void)rod;
  return 1;
}

TEST(declarations_about_pairs_need_loads_between_rods) {
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    elastica_module module = module_named("half");
    if (k == 0)
      module.acts_on = acts_on;
    else
      module.may_sleep = may_sleep, module.must_wake = must_wake;
    assert_refused(world, elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT, "\"half\"",
                   "acts_on or may_sleep without add_world_loads");
  }
  elastica_world_destroy(world);
}
