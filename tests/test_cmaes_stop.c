/* Claims about stop conditions and restarts of searches. */
#include "base/target.h"

#include "searching.h"

static elastica_stop stop_of(const elastica_cmaes_def *def, objective of) {
  elastica_cmaes *search = make_search(def);
  const elastica_stop stop = search_all(search, of).stop;
  elastica_cmaes_destroy(search);
  return stop;
}

static double constant(const double *x, int n) {
  (void)x, (void)n;
  return 3.0;
}

static double linear(const double *x, int n) {
  (void)n;
  return x[0];
}

/* Its Hessian has a condition of 1e20. */
static double needle(const double *x, int n) {
  (void)n;
  return x[0] * x[0] + 1e20 * x[1] * x[1];
}

/* Noise independent of x: neither best nor median improve. */
static double noise(const double *x, int n) {
  static random_source source = {4};
  (void)x, (void)n;
  return random_between(&source, 0.0, 1.0);
}

TEST(each_reason_is_met) {
  elastica_cmaes_def def = search_def(2, 1.0);
  const double far[2] = {1e9, -1e9}, near[2] = {1.0, 1.0};
  def.start = near;
  def.target = 1e-8;
  assert_int_equal(stop_of(&def, sphere), ELASTICA_STOP_TARGET);
  def.target = -INFINITY;
  assert_int_equal(stop_of(&def, sphere), ELASTICA_STOP_FITNESS);
  assert_int_equal(stop_of(&def, constant), ELASTICA_STOP_FITNESS);
  def.fitness_tolerance = 0.0;
  assert_int_equal(stop_of(&def, sphere), ELASTICA_STOP_STEP);
  assert_int_equal(stop_of(&def, constant), ELASTICA_STOP_EQUAL);
  assert_int_equal(stop_of(&def, noise), ELASTICA_STOP_STAGNATION);
  assert_int_equal(stop_of(&def, linear), ELASTICA_STOP_DIVERGED);
  def.step_tolerance = 0.0;
  assert_int_equal(stop_of(&def, needle), ELASTICA_STOP_CONDITION);
  def.evaluation_limit = 100;
  assert_int_equal(stop_of(&def, sphere), ELASTICA_STOP_EVALUATIONS);
  def.evaluation_limit = 0;
  def.generation_limit = 7;
  assert_int_equal(stop_of(&def, sphere), ELASTICA_STOP_GENERATIONS);
  def.generation_limit = 0;
  def.start = far;
  def.step = 1e-12;
  assert_int_equal(stop_of(&def, constant), ELASTICA_STOP_AXIS);
}

/* The first generation tests the second axis, along which a step changes the second coordinate; the first is too far off. */
TEST(a_coordinate_without_effect_stops_a_search) {
  const double start[2] = {1e9, 1.0};
  elastica_cmaes_def def = search_def(2, 1e-9);
  def.start = start;
  def.fitness_tolerance = def.step_tolerance = 0.0;
  elastica_cmaes *search = make_search(&def);
  const elastica_cmaes_info info = search_all(search, constant);
  assert_int_equal(info.stop, ELASTICA_STOP_COORDINATE);
  assert_int_equal(info.generation, 1);
  assert_string_equal(info.stop_text, "a step along a coordinate does not change the mean");
  elastica_cmaes_destroy(search);
}

/* Limits hold to the generation. */
TEST(limits_count_told_evaluations) {
  elastica_cmaes_def def = search_def(5, 1.0);
  def.generation_limit = 7;
  elastica_cmaes *search = make_search(&def);
  elastica_cmaes_info info = search_all(search, rosenbrock);
  assert_int_equal(info.generation, 7);
  assert_int_equal(info.evaluations, 56);
  search_once(search, rosenbrock); /* the search continues if asked */
  info = search_info(search);
  assert_int_equal(info.generation, 8);
  assert_int_equal(info.stop, ELASTICA_STOP_GENERATIONS);
  assert_string_equal(info.stop_text, "the limit of generations is reached");
  elastica_cmaes_destroy(search);
}

/* The best improves by 1, 1/2, 1/4, ... in successive generations: the gain since generation k is below 2^-k. */
TEST(a_search_without_gain_stalls) {
  double x[64], f[8];
  elastica_cmaes_def def = search_def(5, 1.0);
  def.stall_gain = 0.01;
  def.stall_generations = 15;
  elastica_cmaes *search = make_search(&def);
  for (int g = 1; !search_info(search).stop; g++) {
    must_search(search, elastica_cmaes_ask(search, x, 64));
    for (int k = 0; k < 8; k++) f[k] = pow(0.5, g) + k;
    must_search(search, elastica_cmaes_tell(search, f));
  }
  /* 2^-7 is less than 0.01 above the limit 0: the last gain is that of the 7th generation, from 2^-6 + ... to below 2^-6 - 0.01. */
  assert_int_equal(search_info(search).stop, ELASTICA_STOP_STALLED);
  assert_true(search_info(search).generation >= 15 + 6 && search_info(search).generation <= 15 + 8);
  elastica_cmaes_destroy(search);
}

/* ---- Restarts ---- */

/* Rastrigin's function in 4 dimensions by 8, 16, 32, ... candidates: some population is large enough. */
TEST(restarts_with_growing_populations_find_the_lowest_of_many_minima) {
  const double start[4] = {3.0, 3.0, 3.0, 3.0}, low[4] = {-5.0, -5.0, -5.0, -5.0}, high[4] = {5.0, 5.0, 5.0, 5.0};
  elastica_cmaes_def def = search_def(4, 2.0);
  def.start = start;
  def.target = 1e-8;
  def.restart_limit = 9;
  for (int bounded = 0; bounded < 2; bounded++)
    for (def.seed = 1; def.seed < 10; def.seed++) {
      def.lower = bounded ? low : NULL;
      def.upper = bounded ? high : NULL;
      elastica_cmaes *search = make_search(&def);
      const elastica_cmaes_info info = search_all(search, rastrigin);
      assert_int_equal(info.stop, ELASTICA_STOP_TARGET);
      assert_int_equal(info.population, 8 << info.restart);
      if (info.restart > 0) assert_true(info.restarted >= ELASTICA_STOP_STALLED);
      elastica_cmaes_destroy(search);
    }
}

/* Without bounds a descent begins beside the first start: at a normal deviation of scale times step along each axis. */
TEST(restarts_without_bounds_begin_about_the_first_start) {
  const double start[3] = {1.0, -20.0, 300.0}, scale[3] = {0.01, 1.0, 5.0};
  elastica_cmaes_def def = search_def(3, 0.1);
  double x[3 * 64], largest[3] = {0.0};
  def.start = start, def.scale = scale;
  def.restart_limit = 3;
  def.growth = 1.0;
  elastica_cmaes *search = make_search(&def);
  int restart = 0;
  while (!search_info(search).stop) {
    must_search(search, elastica_cmaes_ask(search, x, 3 * 64));
    const elastica_cmaes_info info = search_info(search);
    for (int k = 0; k < 3 * info.population && info.restart > restart; k++) {
      const double deviation = fabs(x[k] - start[k % 3]) / (0.1 * scale[k % 3]);
      if (deviation > largest[k % 3]) largest[k % 3] = deviation;
    }
    restart = info.restart;
    double f[64];
    for (int k = 0; k < info.population; k++) f[k] = 3.0;
    must_search(search, elastica_cmaes_tell(search, f));
  }
  assert_int_equal(restart, 3);
  for (int a = 0; a < 3; a++) assert_between(largest[a], 0.2, 8.0); /* a candidate is two normal deviations off; the largest of 21 */
  elastica_cmaes_destroy(search);
}

/* One finite bound leaves the start of a descent normal, and holds. A population never exceeds 1,000,000. */
TEST(restarts_with_one_bound_keep_it_and_the_largest_population) {
  const double start[1] = {0.5}, low[1] = {0.0}, high[1] = {1.0};
  elastica_cmaes_def def = search_def(1, 1.0);
  def.start = start;
  def.restart_limit = 20;
  def.growth = 1.0;
  for (int side = 0; side < 2; side++) {
    def.lower = side == 0 ? low : NULL;
    def.upper = side == 1 ? high : NULL;
    elastica_cmaes *search = make_search(&def);
    double x[4], farthest = 0.0;
    while (!search_info(search).stop) {
      must_search(search, elastica_cmaes_ask(search, x, 4));
      for (int k = 0; k < 4; k++) {
        assert_between(x[k], side == 0 ? 0.0 : -INFINITY, side == 1 ? 1.0 : INFINITY);
        if (fabs(x[k] - 0.5) > farthest) farthest = fabs(x[k] - 0.5);
      }
      must_search(search, elastica_cmaes_tell(search, (const double[4]){3.0, 3.0, 3.0, 3.0}));
    }
    assert_true(farthest > 1.0);
    elastica_cmaes_destroy(search);
  }
  def.population = 2000;
  def.growth = 1000.0;
  def.restart_limit = 1;
  elastica_cmaes *search = make_search(&def);
  while (search_info(search).restarted == ELASTICA_STOP_NONE) search_once(search, constant);
  double *x = calloc(1000000, sizeof *x);
  assert_non_null(x);
  must_search(search, elastica_cmaes_ask(search, x, 1000000));
  assert_int_equal(search_info(search).population, 1000000);
  free(x);
  elastica_cmaes_destroy(search);
}

/* The reported best is that of all restarts; after the last restart the search stops. */
TEST(the_last_restart_ends_the_search) {
  elastica_cmaes_def def = search_def(3, 1.0);
  double best = INFINITY;
  def.restart_limit = 3;
  def.growth = 1.5;
  elastica_cmaes *search = make_search(&def);
  assert_int_equal(search_info(search).population, 7);
  const int expected[] = {7, 11, 17, 26};
  while (!search_info(search).stop) {
    search_once(search, rastrigin);
    const elastica_cmaes_info info = search_info(search);
    assert_int_equal(info.population, expected[info.restart]);
    assert_true(info.best <= best);
    best = info.best;
  }
  assert_int_equal(search_info(search).restart, 3);
  assert_true(search_info(search).stop >= ELASTICA_STOP_STALLED);
  elastica_cmaes_destroy(search);
}
