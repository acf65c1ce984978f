/* The stepping functions and the certified limit: they stay below it, refuse steps beyond it, check it again and follow it. */
#include "measured.h"

TEST(rod_stays_bounded_just_below_the_limit) {
  elastica_world *world = make_noisy_world(0);
  const double start = total_energy(world), dt = 0.99 * limit_of(world).dt;
  double largest = 0.0;
  for (int k = 0; k < 200; k++) {
    must(world, elastica_world_step(world, dt, 100));
    largest = fmax(largest, total_energy(world));
  }
  assert_between(largest, 0.0, 20.0 * start); /* near the limit the apparent energy of a mode oscillates without growth */
  elastica_world_destroy(world);
}

TEST(refused_step_changes_no_bit) {
  elastica_world *world = make_noisy_world(0);
  const double limit = limit_of(world).dt;
  must(world, elastica_world_step(world, 0.5 * limit, 10));
  const uint64_t before = hash_world(world);
  assert_status(world, elastica_world_step(world, 1.5 * limit, 5), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "rod 1", "shear");
  assert_names_number(elastica_world_message(world), 1.5 * limit);
  assert_names_number(elastica_world_message(world), limit);
  assert_true(hash_world(world) == before);
  assert_int_equal(elastica_world_get(world).step_count, 10);
  must(world, elastica_world_step(world, 0.5 * limit, 1)); /* a smaller step succeeds */
  elastica_world_destroy(world);
}

/* A stiffness of every node that grows from a given step on. */
typedef struct stiffening {
  long from_step;
  double stiffness; /* [N/m] */
} stiffening;

static elastica_status stiffen(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const stiffening *s = self;
  for (int i = 0; i < rod->node_count; i++) stiffness->node[i] += now->step >= s->from_step ? s->stiffness : 0.0;
  return ELASTICA_OK;
}

static elastica_effect *add_stiffening(elastica_world *world, long from_step, double stiffness) {
  const stiffening s = {from_step, stiffness};
  elastica_effect *effect = NULL;
  elastica_module module = module_named("stiffening");
  module.self = &s;
  module.self_size = sizeof s;
  module.add_stiffness = stiffen;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, &effect));
  return effect;
}

TEST(limit_is_computed_every_64_steps) {
  elastica_world *world = make_noisy_world(0);
  const double dt = 0.5 * limit_of(world).dt;
  add_stiffening(world, 100, 1e12); /* the limit is not checked before step 128 */
  assert_status(world, elastica_world_step(world, dt, 1000), ELASTICA_UNSTABLE_STEP);
  assert_int_equal(elastica_world_get(world).step_count, 128);
  assert_says(elastica_world_message(world), "stiffening");
  elastica_world_destroy(world);
}

/* The working step may only decrease, by the small decrease of the limit due to the motion of the rods; the short last step does not
 * change it. */
TEST(advance_ends_at_its_duration_and_keeps_its_step) {
  elastica_world *world = make_noisy_world(0);
  const double limit = limit_of(world).dt, duration[5] = {100.5 * 0.8 * limit, 0.01, 1.0 / 3.0, 1e-7, 0.123};
  double end = 0.0, step = 0.8 * limit;
  assert_close(elastica_world_get(world).working_step, 0.0, 0.0);
  for (int k = 0; k < 5; k++) {
    must(world, elastica_world_advance(world, duration[k]));
    end += duration[k];
    assert_close(elastica_world_get(world).time, end, 0.0);
    assert_between(elastica_world_get(world).working_step, (1.0 - 1e-4) * step, step);
    step = elastica_world_get(world).working_step;
    if (k == 0) assert_int_equal(elastica_world_get(world).step_count, 101);
  }
  elastica_world_destroy(world);
}

/* A stiffness is enabled: 0.8 of the limit falls below the working step, which follows; after it is disabled, the step returns, since
 * 0.8 of the limit is more than twice as much. */
TEST(advance_follows_the_limit) {
  elastica_world *world = make_noisy_world(0);
  elastica_effect *effect = add_stiffening(world, 0, 1e9);
  must(world, elastica_effect_set_enabled(effect, 0));
  const double loose = limit_of(world).dt;
  must(world, elastica_world_advance(world, 0.01));
  must(world, elastica_effect_set_enabled(effect, 1));
  const double held = limit_of(world).dt;
  assert_true(held < 0.2 * loose);
  must(world, elastica_world_advance(world, 0.01));
  assert_close(elastica_world_get(world).working_step, 0.8 * held, 1e-2 * held);
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_advance(world, 0.01));
  assert_close(elastica_world_get(world).working_step, 0.8 * loose, 1e-2 * loose);
  elastica_world_destroy(world);
}

static elastica_status no_step_of_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  long *steps = self;
  (void)rod;
  assert_true(now->dt > 0.0);
  (*steps)++;
  return ELASTICA_OK;
}

/* After steps of a size chosen by the user, elastica_world_advance checks the limit and takes its own step. */
TEST(advance_computes_its_step_anew_after_other_steps) {
  elastica_world *world = make_noisy_world(0);
  long steps = 0;
  elastica_module module = module_named("count");
  module.self = &steps;
  module.observe = no_step_of_nothing;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, NULL));
  const double limit = limit_of(world).dt;
  must(world, elastica_world_step(world, 0.01 * limit, 1));
  must(world, elastica_world_advance(world, 7.9 * limit));
  assert_int_equal(steps, 11);
  assert_close(elastica_world_get(world).working_step, 0.8 * limit, 1e-3 * limit);
  elastica_world_destroy(world);
}

/* Between two calls of elastica_world_advance the limit falls below its former step; the steps in between are short. */
TEST(advance_does_not_trust_an_old_step) {
  elastica_world *world = make_noisy_world(0);
  const double limit = limit_of(world).dt;
  add_stiffening(world, 100, 1e9);
  must(world, elastica_world_advance(world, 0.1 * limit));
  assert_close(elastica_world_get(world).working_step, 0.8 * limit, 1e-3 * limit);
  must(world, elastica_world_step(world, 1e-3 * limit, 200));
  must(world, elastica_world_advance(world, 20.0 * limit));
  assert_true(elastica_world_get(world).working_step < 0.2 * limit);
  elastica_world_destroy(world);
}

/* A refused step that is too long has no effect: elastica_world_advance continues with the same steps. */
TEST(a_refused_step_leaves_the_choice_alone) {
  uint64_t hash[2];
  for (int asks = 0; asks < 2; asks++) {
    elastica_world *world = make_noisy_world(0);
    const double limit = limit_of(world).dt;
    add_stiffening(world, 100, 1e9);
    for (int k = 0; k < 20; k++) {
      must(world, elastica_world_advance(world, 7.9 * limit));
      if (asks && k % 3 == 1) assert_status(world, elastica_world_step(world, 2.0 * limit, 1), ELASTICA_UNSTABLE_STEP);
    }
    hash[asks] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

TEST(durations_lost_in_rounding_are_refused) {
  elastica_world *world = make_world(NULL);
  must(world, elastica_world_advance(world, 1e9));
  assert_refused(world, elastica_world_advance(world, 1e-8), ELASTICA_INVALID_ARGUMENT, "advance", "duration = 1e-08 s", "lost in rounding",
                 "t = 1e+09 s");
  must(world, elastica_world_advance(world, 0.0));
  elastica_world_destroy(world);
  world = make_world(NULL);
  assert_refused(world, elastica_world_advance(world, 1e-200), ELASTICA_INVALID_ARGUMENT, "advance", "duration = 1e-200 s", "too small");
  elastica_world_destroy(world);
}
