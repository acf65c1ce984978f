/* Claims about candidates between bounds. */
#include "base/target.h"

#include "searching.h"

enum { N = 4, ROOM = 4 * 64 };

/* The free optimum, at 2, lies outside the box in the first two coordinates. */
static double towards_2(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += pow(10.0, i) * (x[i] - 2.0) * (x[i] - 2.0);
  return sum;
}

static const double lower[N] = {-1.0, -1.0, 0.0, -INFINITY}, upper[N] = {1.0, 0.5, 3.0, INFINITY}, best[N] = {1.0, 0.5, 2.0, 2.0};

static elastica_cmaes_def bounded(int penalty, unsigned seed) {
  elastica_cmaes_def def = search_def(N, 0.5);
  def.lower = lower;
  def.upper = upper;
  def.penalty = penalty;
  def.seed = seed;
  return def;
}

TEST(candidates_lie_between_bounds) {
  double x[ROOM], f[64];
  for (int penalty = 0; penalty < 2; penalty++) {
    const elastica_cmaes_def def = bounded(penalty, 1);
    elastica_cmaes *search = make_search(&def);
    for (int g = 0; g < 100; g++) {
      const int count = search_info(search).population;
      must_search(search, elastica_cmaes_ask(search, x, ROOM));
      for (int k = 0; k < N * count; k++) assert_true(x[k] >= lower[k % N] && x[k] <= upper[k % N]);
      for (int k = 0; k < count; k++) f[k] = towards_2(x + N * k, N);
      must_search(search, elastica_cmaes_tell(search, f));
    }
    elastica_cmaes_destroy(search);
  }
}

TEST(an_optimum_on_bounds_is_found_with_penalties) {
  for (unsigned seed = 1; seed < 50; seed++) {
    const elastica_cmaes_def def = bounded(1, seed);
    elastica_cmaes *search = make_search(&def);
    const elastica_cmaes_info info = search_all(search, towards_2);
    for (int i = 0; i < N; i++)
      if (!(fabs(info.best_x[i] - best[i]) <= 1e-4))
        fail_msg("seed %u, %s: x[%d] is %.17g, not %g", seed, info.stop_text, i, info.best_x[i], best[i]);
    elastica_cmaes_destroy(search);
  }
}

/* An optimum inside, near the bounds. */
static double towards_0_4(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += pow(10.0, i) * (x[i] - 0.4) * (x[i] - 0.4);
  return sum;
}

TEST(an_optimum_near_bounds_is_found_by_both) {
  for (int penalty = 0; penalty < 2; penalty++)
    for (unsigned seed = 1; seed < 50; seed++) {
      const elastica_cmaes_def def = bounded(penalty, seed);
      elastica_cmaes *search = make_search(&def);
      const elastica_cmaes_info info = search_all(search, towards_0_4);
      if (!(info.best < 1e-9)) fail_msg("penalty %d, seed %u, %s: %.17g", penalty, seed, info.stop_text, info.best);
      elastica_cmaes_destroy(search);
    }
}

/* With bounds that are never reached, both kinds equal the search without bounds, to the bit. */
TEST(bounds_far_away_change_nothing) {
  const double low[N] = {-1e9, -1e9, -1e9, -1e9}, high[N] = {1e9, 1e9, 1e9, 1e9};
  elastica_cmaes_def def = search_def(N, 0.5);
  elastica_cmaes *plain = make_search(&def);
  search_all(plain, rosenbrock);
  for (def.penalty = 0; def.penalty < 2; def.penalty++) {
    def.lower = low;
    def.upper = high;
    elastica_cmaes *search = make_search(&def);
    search_all(search, rosenbrock);
    assert_memory_equal(search_info(search).best_x, search_info(plain).best_x, N * sizeof(double));
    assert_int_equal(search_info(search).evaluations, search_info(plain).evaluations);
    elastica_cmaes_destroy(search);
  }
  elastica_cmaes_destroy(plain);
}

/* A box that is tiny compared with the step: a hundred draws are not enough, and candidates lie on its bounds. */
TEST(a_tiny_box_does_not_hold_up_the_search) {
  const double low[N] = {0.0, 0.0, 0.0, 0.0}, high[N] = {1e-3, 1e-3, 1e-3, 1e-3}, start[N] = {5e-4, 5e-4, 5e-4, 5e-4};
  elastica_cmaes_def def = search_def(N, 10.0);
  def.lower = low;
  def.upper = high;
  def.start = start;
  for (def.penalty = 0; def.penalty < 2; def.penalty++) {
    elastica_cmaes *search = make_search(&def);
    const elastica_cmaes_info info = search_all(search, towards_2);
    assert_close(info.best, 1111.0 * (2.0 - 1e-3) * (2.0 - 1e-3), 1e-3);
    elastica_cmaes_destroy(search);
  }
}

static double fails_above(const double *x, int n) {
  return x[0] > 0.9 ? INFINITY : towards_2(x, n);
}

/* Failed evaluations and penalties together. */
TEST(failures_near_bounds_are_survived) {
  for (int penalty = 0; penalty < 2; penalty++) {
    const elastica_cmaes_def def = bounded(penalty, 3);
    elastica_cmaes *search = make_search(&def);
    const elastica_cmaes_info info = search_all(search, fails_above);
    assert_close(info.best_x[0], 0.9, 1e-3);
    elastica_cmaes_destroy(search);
  }
}
