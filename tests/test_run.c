/* Claims about runs with a budget: for all budgets, samplers and clocks a run has the bits of an uninterrupted run, and each call
 * reports its progress.
 */
#include "base/target.h"

#include "one_rod.h"
#include "rationed_memory.h"
#include "scenes.h"

static elastica_run_def run_until(double until) {
  DEFAULTS(run, run);
  run.until = until;
  return run;
}

/* ---- Steps ---- */

static uint64_t run_whole(const scene *s, int whole_steps, double until) {
  elastica_world *world = make_world_of_scene(s);
  elastica_run_def run = run_until(until);
  elastica_run_result result;
  run.whole_steps = whole_steps;
  must(world, elastica_world_run(world, &run, &result));
  assert_int_equal(result.finished, 1);
  assert_int_equal(result.steps, elastica_world_get(world).step_count);
  assert_true(result.lag == until - elastica_world_get(world).time);
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

/* Budgets of these numbers of steps, repeatedly. */
static uint64_t run_in_pieces(const scene *s, int whole_steps, double until, const long *budgets, int count) {
  elastica_world *world = make_world_of_scene(s);
  elastica_run_def run = run_until(until);
  elastica_run_result result = {0, 0, 0.0, 0.0};
  run.whole_steps = whole_steps;
  for (int k = 0; !result.finished; k = (k + 1) % count) {
    const long before = elastica_world_get(world).step_count;
    run.most_steps = budgets[k];
    must(world, elastica_world_run(world, &run, &result));
    assert_int_equal(result.steps, elastica_world_get(world).step_count - before);
    if (!result.finished) assert_int_equal(result.steps, budgets[k]);
    assert_true(result.lag == until - elastica_world_get(world).time);
    assert_true(result.finished == (whole_steps ? result.lag < elastica_world_get(world).working_step : result.lag == 0.0));
  }
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(budgets_of_steps_may_cut_a_run_anywhere) {
  static const long single[] = {1}, odd[] = {7, 1, 0, 16, 33, 2, 64, 15}, many[] = {100};
  for (int k = 0; k < SCENE_COUNT; k++)
    for (int whole_steps = 0; whole_steps < 2; whole_steps++) {
      const scene *s = &scenes[k];
      const double until = 333.3 * s->dt;
      const uint64_t whole = run_whole(s, whole_steps, until);
      if (run_in_pieces(s, whole_steps, until, single, 1) != whole || run_in_pieces(s, whole_steps, until, odd, 8) != whole ||
          run_in_pieces(s, whole_steps, until, many, 1) != whole)
        fail_msg("%s depends on how budgets cut it (whole steps %d)", s->name, whole_steps);
    }
}

/* From time 0, so that the duration has no rounding. */
TEST(without_a_budget_a_run_is_an_advance) {
  for (int k = 0; k < SCENE_COUNT; k++) {
    const double until = 200.0 * scenes[k].dt;
    elastica_world *world = make_world_of_scene(&scenes[k]);
    must(world, elastica_world_advance(world, until));
    assert_true(hash_world(world) == run_whole(&scenes[k], 0, until));
    elastica_world_destroy(world);
  }
}

/* ---- The clock ---- */

/* A clock that advances with each reading, and with each step. */
typedef struct toy_clock {
  elastica_world *world;
  double look, step; /* [s] */
  long looks;
} toy_clock;

static double read_toy_clock(void *user) {
  toy_clock *clock = user;
  return 1e3 + clock->look * (double)clock->looks++ + clock->step * (double)elastica_world_get(clock->world).step_count;
}

TEST(a_run_ends_with_its_time) {
  const scene *s = &scenes[2];
  const double until = 500.0 * s->dt;
  const uint64_t whole = run_whole(s, 0, until);
  elastica_world *world = make_world_of_scene(s);
  toy_clock clock = {world, 1e-6, 1e-3, 0};
  elastica_run_def run = run_until(until);
  elastica_run_result result = {0, 0, 0.0, 0.0};
  int calls = 0;
  run.clock = read_toy_clock;
  run.user = &clock;
  run.most_seconds = 20.5e-3;
  for (; !result.finished; calls++) {
    must(world, elastica_world_run(world, &run, &result));
    assert_between((double)result.steps, result.finished ? 1.0 : 15.0, 20.0); /* near the budget, and never beyond it */
    assert_between(result.seconds, 1e-3 * (double)result.steps, 20.5e-3);
  }
  assert_between(calls, (double)elastica_world_get(world).step_count / 20.0, (double)elastica_world_get(world).step_count / 15.0 + 1.0);
  assert_true(hash_world(world) == whole);
  elastica_world_destroy(world);
}

/* Budgets shorter than a step, and clocks that stand, run backwards or return NaN: every call makes progress. */
TEST(every_call_takes_a_step) {
  static const double looks[] = {1.0, 0.0, -1.0, (double)NAN, (double)INFINITY};
  const scene *s = &scenes[2];
  const double until = 100.0 * s->dt;
  const uint64_t whole = run_whole(s, 0, until);
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_world_of_scene(s);
    toy_clock clock = {world, looks[k], 0.0, 1};
    elastica_run_def run = run_until(until);
    elastica_run_result result = {0, 0, 0.0, 0.0};
    run.clock = read_toy_clock;
    run.user = &clock;
    run.most_seconds = k == 0 ? 0.0 : 1e-3;
    while (!result.finished) {
      must(world, elastica_world_run(world, &run, &result));
      assert_true(result.steps >= 1);
    }
    assert_true(hash_world(world) == whole);
    elastica_world_destroy(world);
  }
}

/* The system's clock: a call of 2 ms ends long before the run. */
TEST_WITH_ROD(the_clock_on_the_wall_ends_a_run) {
  fixture *f = *state;
  elastica_run_def run = run_until(1e3);
  elastica_run_result result;
  run.most_seconds = 2e-3;
  for (int k = 0; k < 5; k++) {
    must(f->world, elastica_world_run(f->world, &run, &result));
    assert_int_equal(result.finished, 0);
    assert_true(result.steps >= 1);
    assert_between(result.seconds, 0.0, 1.0); /* less than the minutes needed for 1e3 s of simulation */
  }
}

/* ---- Going on ---- */

/* A clock that tries to change the world during the run. */
typedef struct meddler {
  elastica_world *world;
  int refused, read;
} meddler;

static double meddle(void *user) {
  meddler *of = user;
  elastica_rod *rod = elastica_world_rod(of->world, 0);
  of->refused += elastica_world_step(of->world, 1e-6, 1) == ELASTICA_WRONG_STATE;
  of->refused += elastica_rod_remove(rod) == ELASTICA_WRONG_STATE;
  elastica_world_destroy(of->world);
  return 1e-3 * of->read++;
}

TEST(a_clock_changes_nothing) {
  const scene *s = &scenes[2];
  elastica_world *world = make_world_of_scene(s), *other = make_world_of_scene(s);
  meddler of = {world, 0, 0};
  elastica_run_def run = run_until(0.01);
  must(other, elastica_world_run(other, &run, NULL));
  run.clock = meddle;
  run.user = &of;
  run.most_seconds = 1e6;
  must(world, elastica_world_run(world, &run, NULL));
  assert_true(of.read > 2);
  assert_int_equal(of.refused, 2 * of.read);
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}

/* After other steps in between, or with another end, the remaining time is divided again, and the run ends at its time. */
TEST_WITH_ROD(steps_in_between_divide_the_rest_again) {
  fixture *f = *state;
  elastica_run_def run = run_until(0.01);
  elastica_run_result result;
  const double bend[3] = {0.3, 0.0, 0.0};
  elastica_point_load_def load;
  run.most_steps = 2;
  must(f->world, elastica_world_run(f->world, &run, &result));
  must(f->world, elastica_world_step(f->world, 1e-6, 1));
  run.most_steps = 1000000;
  must(f->world, elastica_world_run(f->world, &run, &result));
  assert_int_equal(result.finished, 1);
  assert_true(elastica_world_get(f->world).time == 0.01);
  run.until = 0.02, run.most_steps = 2;
  must(f->world, elastica_world_run(f->world, &run, &result));
  run.until = 0.015, run.most_steps = 1000000;
  must(f->world, elastica_world_run(f->world, &run, &result));
  assert_true(elastica_world_get(f->world).time == 0.015);
  run.until = 0.02, run.most_steps = 2;
  must(f->world, elastica_world_run(f->world, &run, &result));
  elastica_point_load_def_init(&load, sizeof load); /* a change in the middle of a run has the same effect */
  memcpy(load.force, bend, sizeof bend);
  must(f->world, elastica_add_point_load(f->world, f->rod, &load, NULL));
  run.most_steps = 1000000;
  must(f->world, elastica_world_run(f->world, &run, &result));
  assert_true(elastica_world_get(f->world).time == 0.02);
}

TEST_WITH_ROD(a_time_in_the_past_takes_no_step) {
  fixture *f = *state;
  elastica_run_result result;
  must(f->world, elastica_world_step(f->world, 1e-5, 10));
  for (int whole_steps = 0; whole_steps < 2; whole_steps++) {
    elastica_run_def run = run_until(5e-5);
    run.whole_steps = whole_steps;
    must(f->world, elastica_world_run(f->world, &run, &result));
    assert_int_equal(result.finished, 1);
    assert_int_equal(result.steps, 0);
    assert_close(result.lag, -5e-5, 1e-18);
  }
  assert_int_equal(elastica_world_get(f->world).step_count, 10);
}

TEST(a_world_without_rods_arrives_at_once) {
  elastica_run_def run = run_until(2.5);
  elastica_run_result result;
  elastica_world *world = make_world(NULL);
  must(world, elastica_world_run(world, &run, &result));
  assert_int_equal(result.finished, 1);
  assert_true(elastica_world_get(world).time == 2.5);
  elastica_world_destroy(world);
}

/* ---- Failures and refusals ---- */

static elastica_status give_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod, (void)loads;
  return now->step == *(const long *)self ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST_WITH_ROD(a_failure_says_how_far_it_came) {
  fixture *f = *state;
  const long bad = 9;
  elastica_run_def run = run_until(0.1);
  elastica_run_result result;
  elastica_module module = module_named("tired");
  module.self = &bad;
  module.self_size = sizeof bad;
  module.add_loads = give_up;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  assert_status(f->world, elastica_world_run(f->world, &run, &result), ELASTICA_CALLBACK_FAILED);
  assert_int_equal(result.finished, 0);
  assert_int_equal(result.steps, 10);
  assert_true(result.lag == 0.1 - elastica_world_get(f->world).time);
  const elastica_run_result none = {1, -1, -1.0, -1.0};
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%s", elastica_world_message(f->world));
  run.until = 0.2;
  result = none;
  assert_status(f->world, elastica_world_run(f->world, &run, &result), ELASTICA_WRONG_STATE);
  assert_int_equal(result.finished, 0);
  assert_int_equal(result.steps, 0);
  assert_true(result.lag == 0.2 - elastica_world_get(f->world).time && result.seconds == 0.0);
  run.most_steps = -1; /* a refused definition */
  result = none;
  assert_status(f->world, elastica_world_run(f->world, &run, &result), ELASTICA_WRONG_STATE);
  assert_string_equal(elastica_world_message(f->world), sentence);
  assert_int_equal(result.steps, none.steps);
}

TEST_WITH_ROD(wrong_runs_are_refused) {
  fixture *f = *state;
  elastica_run_result result;
  elastica_run_def wrong = run_until(NAN);
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.until", "not set");
  wrong = run_until(INFINITY);
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.until", "not finite");
  wrong = run_until(1e200);
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.until", "too large");
  wrong = run_until(1.0);
  wrong.whole_steps = 2;
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.whole_steps", "2");
  wrong = run_until(1e30);
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_UNSTABLE_STEP, "run",
                 "lost in rounding before t = 1e+30 s");
  wrong = run_until(1.0);
  wrong.most_steps = -1;
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.most_steps", "negative");
  wrong = run_until(1.0);
  wrong.most_seconds = -1.0;
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.most_seconds", "negative");
  wrong.most_seconds = NAN;
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_INVALID_ARGUMENT, "run_def.most_seconds",
                 "not a number");
  wrong = run_until(1.0);
  wrong.struct_size += 8;
  assert_refused(f->world, elastica_world_run(f->world, &wrong, &result), ELASTICA_WRONG_VERSION, "run_def.struct_size");
  assert_refused(f->world, elastica_world_run(f->world, NULL, &result), ELASTICA_INVALID_ARGUMENT, "run", "def", "NULL");
  assert_int_equal(elastica_world_run(NULL, &wrong, &result), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_get(f->world).step_count, 0);
}

TEST(without_memory_nothing_runs) {
  memory_ration ration = plenty();
  elastica_run_def run = run_until(0.01);
  elastica_world *world = make_rationed_world(&ration);
  add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  ration.left = 0;
  assert_status(world, elastica_world_run(world, &run, NULL), ELASTICA_OUT_OF_MEMORY);
  assert_int_equal(elastica_world_get(world).step_count, 0);
  ration.left = 100;
  must(world, elastica_world_run(world, &run, NULL));
  elastica_world_destroy(world);
}

/* Nothing bounds the step of a ball in free flight: a single step leads to the end, if the budget allows one. */
TEST(a_ball_in_flight_is_not_there_before_its_step) {
  elastica_world *world = make_world(NULL);
  elastica_run_def run = run_until(1.0);
  elastica_run_result result;
  DEFAULTS(body, ball);
  ball.radius = 0.1, ball.density = 1000.0, ball.velocity[0] = 1.0;
  must(world, elastica_world_add_body(world, &ball, NULL));
  must(world, elastica_world_advance(world, 0.1));
  run.whole_steps = 1, run.most_steps = 0;
  must(world, elastica_world_run(world, &run, &result));
  assert_true(!result.finished && result.steps == 0);
  run.most_steps = 10;
  must(world, elastica_world_run(world, &run, &result));
  assert_true(result.finished && result.steps == 1 && result.lag == 0.0);
  elastica_world_destroy(world);
}

/* At any step of a run, after its first limit check. */
TEST_WITH_ROD(a_time_too_far_is_refused_at_once) {
  fixture *f = *state;
  const elastica_run_def far = run_until(1e30);
  for (int k = 0; k < 5; k++) {
    must(f->world, elastica_world_advance(f->world, 1e-3));
    const long steps = elastica_world_get(f->world).step_count;
    assert_refused(f->world, elastica_world_run(f->world, &far, NULL), ELASTICA_INVALID_ARGUMENT, "run", "t = 1e+30 s is too far");
    assert_int_equal(elastica_world_get(f->world).step_count, steps);
  }
}

/* A whole step may end after the run by 1e-9 of itself, so that rounding of a multiple of the step leaves no step out. */
TEST(a_whole_step_may_end_late_by_a_billionth) {
  static const struct {
    double missing;
    long steps;
  } cases[] = {{0.0, 1}, {5e-10, 1}, {2e-9, 0}};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    (void)add_straight_rod(world, 8, 1.0, 0.05, 1000.0, 1e6, 4e5);
    elastica_run_def run = run_until(1.0);
    elastica_run_result result;
    run.whole_steps = 1, run.most_steps = 1;
    must(world, elastica_world_run(world, &run, &result));
    const double step = elastica_world_get(world).working_step;
    run.until = elastica_world_get(world).time + step * (1.0 - cases[k].missing);
    run.most_steps = 10;
    must(world, elastica_world_run(world, &run, &result));
    assert_int_equal(result.steps, cases[k].steps);
    assert_int_equal(result.finished, 1);
    elastica_world_destroy(world);
  }
}
