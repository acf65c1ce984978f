/* Claims about the purpose of a call, as the hooks of a user's module see it. */
#include "base/target.h"

#include "support.h"

enum { PURPOSES = 5 };

/* The number of calls of one hook by purpose, and the last instant for each purpose. */
typedef struct calls {
  int count[PURPOSES];
  elastica_instant last[PURPOSES];
} calls;

typedef struct witness {
  calls loads, resultants, constraints, stiffness;
} witness;

static void note(calls *of, const elastica_instant *now) {
  assert_in_range(now->purpose, 0, PURPOSES - 1);
  of->count[now->purpose]++;
  of->last[now->purpose] = *now;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod, (void)loads;
  note(&((witness *)self)->loads, now);
  return ELASTICA_OK;
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)rod, (void)to;
  note(&((witness *)self)->resultants, now);
  return ELASTICA_OK;
}

static elastica_status constrain_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)rod, (void)state;
  note(&((witness *)self)->constraints, now);
  return ELASTICA_OK;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *to) {
  (void)rod, (void)to;
  note(&((witness *)self)->stiffness, now);
  return ELASTICA_OK;
}

/* A cantilever under its weight. */
static elastica_world *make_scene(witness *seen) {
  const double down[3] = {0.0, 0.0, -0.1};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.05, 1000.0, 1e6, 0.35e6);
  must(world, elastica_add_gravity(world, down, NULL));
  DEFAULTS(boundary, clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  elastica_module module = module_named("witness");
  memset(seen, 0, sizeof *seen);
  module.self = seen;
  module.stateless = 1;
  module.add_loads = add_loads;
  module.add_resultants = add_resultants;
  module.constrain_position = constrain_position;
  module.add_stiffness = add_stiffness;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  return world;
}

/* Only one of the purposes has been seen by the hook. */
static void assert_only(const calls *of, elastica_purpose purpose) {
  for (int p = 0; p < PURPOSES; p++) assert_int_equal(of->count[p] > 0, p == (int)purpose);
}

TEST(a_given_step_is_one_and_comes_after_a_limit_check) {
  witness seen;
  elastica_world *world = make_scene(&seen);
  const double dt = 1e-5;
  must(world, elastica_world_step(world, dt, 3));
  assert_only(&seen.loads, ELASTICA_PURPOSE_STEP);
  assert_int_equal(seen.loads.count[ELASTICA_PURPOSE_STEP], 3);
  const elastica_instant *step = &seen.loads.last[ELASTICA_PURPOSE_STEP], *check = &seen.stiffness.last[ELASTICA_PURPOSE_LIMIT_CHECK];
  assert_true(step->dt == dt && step->step == 2 && !step->is_frozen && !step->is_adaptive && !step->is_accepted);
  assert_only(&seen.stiffness, ELASTICA_PURPOSE_LIMIT_CHECK);
  assert_true(check->checked_dt == dt && check->horizon > dt && check->until == check->time + check->horizon && !check->is_adaptive);
  assert_true(seen.constraints.count[ELASTICA_PURPOSE_QUERY] > 0); /* the preparation */
  assert_true(seen.constraints.last[ELASTICA_PURPOSE_QUERY].dt == 0.0 && seen.constraints.last[ELASTICA_PURPOSE_STEP].dt == dt);
  elastica_world_destroy(world);
}

TEST(steps_that_the_library_chooses_are_adaptive) {
  witness seen;
  elastica_world *world = make_scene(&seen);
  must(world, elastica_world_advance(world, 0.01));
  const elastica_instant *check = &seen.stiffness.last[ELASTICA_PURPOSE_LIMIT_CHECK];
  assert_true(seen.loads.last[ELASTICA_PURPOSE_STEP].is_adaptive && check->is_adaptive);
  assert_true(check->checked_dt > 0.0 && isfinite(check->horizon));
  elastica_world_destroy(world);
}

TEST(a_query_of_the_limit_is_not_a_check_for_steps) {
  witness seen;
  elastica_step_limit limit;
  elastica_world *world = make_scene(&seen);
  must(world, elastica_world_step_limit(world, &limit));
  assert_only(&seen.stiffness, ELASTICA_PURPOSE_LIMIT_QUERY);
  assert_only(&seen.resultants, ELASTICA_PURPOSE_LIMIT_QUERY);
  const elastica_instant *query = &seen.stiffness.last[ELASTICA_PURPOSE_LIMIT_QUERY];
  assert_true(query->checked_dt == 0.0 && isinf(query->horizon) && !query->is_adaptive);
  elastica_world_destroy(world);
}

TEST(queries_of_the_state_are_queries_also_between_adaptive_steps) {
  witness seen;
  elastica_world *world = make_scene(&seen);
  must(world, elastica_world_advance(world, 0.01));
  memset(&seen, 0, sizeof seen);
  must(world, elastica_rod_refresh(elastica_world_rod(world, 0)));
  assert_only(&seen.resultants, ELASTICA_PURPOSE_QUERY);
  must(world, elastica_world_evaluate(world, 1e-4));
  assert_only(&seen.resultants, ELASTICA_PURPOSE_QUERY);
  assert_only(&seen.loads, ELASTICA_PURPOSE_QUERY);
  assert_true(seen.loads.last[ELASTICA_PURPOSE_QUERY].dt == 1e-4 && !seen.loads.last[ELASTICA_PURPOSE_QUERY].is_adaptive);
  elastica_world_destroy(world);
}

TEST(a_relaxation_is_statics_in_frozen_time) {
  witness seen;
  elastica_world *world = make_scene(&seen);
  must(world, elastica_world_relax(world, NULL, NULL));
  assert_only(&seen.loads, ELASTICA_PURPOSE_STATICS);
  assert_only(&seen.resultants, ELASTICA_PURPOSE_STATICS);
  assert_true(seen.loads.last[ELASTICA_PURPOSE_STATICS].is_frozen && seen.loads.last[ELASTICA_PURPOSE_STATICS].dt == 1.0);
  assert_true(seen.constraints.last[ELASTICA_PURPOSE_STATICS].is_frozen);
  elastica_world_destroy(world);
}
