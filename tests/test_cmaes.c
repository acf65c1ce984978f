/* Claims about successive generations of CMA-ES, compared with a computation in another language. */
#include "base/target.h"

#include "searching.h"

typedef struct cmaes_generation {
  double h_sigma, sigma, m[4], p_sigma[4], p_c[4], c[16];
} cmaes_generation;

typedef struct cmaes_vector {
  const char *name;
  const double *z; /* [3 8 4] */
  int active, revision;
  cmaes_generation generation[3];
} cmaes_vector;

typedef struct cmaes_constants {
  int n, lambda;
  double of[9]; /* mu_eff, mu_eff_minus, c_sigma, d_sigma, c_c, c_1, c_mu, chi_n, c_mu of 2023 */
  double weights[12], weights_2023[12];
} cmaes_constants;

#include "reference/cmaes.inc"

static void assert_near(const double *got, const double *expected, int count, double tolerance, const char *what) {
  double size = 0.0;
  for (int k = 0; k < count; k++) size = fmax(size, fabs(expected[k]));
  for (int k = 0; k < count; k++)
    if (!(fabs(got[k] - expected[k]) <= tolerance * size)) fail_msg("%s[%d] is %.17g, not %.17g", what, k, got[k], expected[k]);
}

TEST(constants_are_those_of_the_tutorial) {
  for (size_t k = 0; k < sizeof cmaes_defaults / sizeof *cmaes_defaults; k++) {
    const cmaes_constants *of = &cmaes_defaults[k];
    for (int revision = 2016; revision <= 2023; revision += 7) {
      eli_cmaes_constants c;
      double weights[12];
      eli_cmaes_constants_of(of->n, of->lambda, 1, revision, &c, weights);
      const double got[9] = {c.mu_eff,
                             c.mu_eff_minus,
                             c.c_sigma,
                             c.d_sigma,
                             c.c_c,
                             c.c_1,
                             revision == 2016 ? c.c_mu : of->of[6],
                             c.chi_n,
                             revision == 2023 ? c.c_mu : of->of[8]};
      for (int i = 0; i < 9; i++) assert_close(got[i], of->of[i], 1e-14 * of->of[i]);
      assert_near(weights, revision == 2016 ? of->weights : of->weights_2023, of->lambda, 1e-14, "weight");
    }
  }
}

TEST(default_population_is_4_and_3_ln_n) {
  const int pairs[][2] = {{1, 4}, {2, 6}, {5, 8}, {10, 10}, {20, 12}, {100, 17}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    const elastica_cmaes_def def = search_def(pairs[k][0], 1.0);
    elastica_cmaes *search = make_search(&def);
    assert_int_equal(search_info(search).population, pairs[k][1]);
    elastica_cmaes_destroy(search);
  }
}

/* Three generations with given normal numbers, in one of them the path is so long that h_sigma is 0. */
TEST(three_generations_agree_to_1e_9) {
  const double start[4] = {3.0, 3.0, 3.0, 3.0};
  double x[32], fitness[8];
  for (size_t k = 0; k < sizeof cmaes_vectors / sizeof *cmaes_vectors; k++) {
    const cmaes_vector *of = &cmaes_vectors[k];
    elastica_cmaes_def def = search_def(4, 1.0);
    def.start = start;
    def.active = of->active;
    def.revision = of->revision;
    elastica_cmaes *search = make_search(&def);
    for (int g = 0; g < 3; g++) {
      const cmaes_generation *expected = &of->generation[g];
      double path_before[4];
      memcpy(path_before, search->path_c, sizeof path_before);
      draw_from(search, of->z + 32 * g);
      must_search(search, elastica_cmaes_ask(search, x, 32));
      for (int c = 0; c < 8; c++) fitness[c] = ellipsoid(x + 4 * c, 4);
      must_search(search, elastica_cmaes_tell(search, fitness));
      assert_near(&search->sigma, &expected->sigma, 1, 1e-12, of->name);
      assert_near(search->mean, expected->m, 4, 1e-12, of->name);
      assert_near(search->path_sigma, expected->p_sigma, 4, 1e-12, of->name);
      assert_near(search->path_c, expected->p_c, 4, 1e-12, of->name);
      assert_near(search->covariance, expected->c, 16, 1e-12, of->name);
      if (expected->h_sigma == 0.0) /* the path only decays */
        for (int i = 0; i < 4; i++) assert_close(search->path_c[i], (1.0 - search->c.c_c) * path_before[i], 1e-15 * fabs(path_before[i]));
    }
    elastica_cmaes_destroy(search);
  }
}

/* ---- Rotation ---- */

enum { N = 6, LAMBDA = 9 };

static double turned[N][N];

static void make_rotation(random_source *source) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) turned[i][j] = i == j;
  for (int p = 0; p < N; p++)
    for (int q = p + 1; q < N; q++) {
      const double angle = random_between(source, -3.0, 3.0);
      for (int j = 0; j < N; j++) {
        const double a = turned[p][j], b = turned[q][j];
        turned[p][j] = cos(angle) * a - sin(angle) * b;
        turned[q][j] = sin(angle) * a + cos(angle) * b;
      }
    }
}

static void turn(const double *v, double *out) {
  for (int i = 0; i < N; i++) {
    out[i] = 0.0;
    for (int j = 0; j < N; j++) out[i] += turned[i][j] * v[j];
  }
}

static void turn_back(const double *v, double *out) {
  for (int i = 0; i < N; i++) {
    out[i] = 0.0;
    for (int j = 0; j < N; j++) out[i] += turned[j][i] * v[j];
  }
}

/* A search in rotated coordinates, with rotated normal numbers, takes the rotated path. */
TEST(a_rotated_search_takes_the_rotated_path) {
  random_source source = {3};
  double start[N], turned_start[N], z[N * LAMBDA], turned_z[N * LAMBDA], x[N * LAMBDA], back[N], f[LAMBDA];
  make_rotation(&source);
  for (int i = 0; i < N; i++) start[i] = random_between(&source, -2.0, 2.0);
  turn(start, turned_start);
  for (int active = 0; active < 2; active++) {
    elastica_cmaes_def def = search_def(N, 0.7);
    def.population = LAMBDA;
    def.active = active;
    def.start = start;
    elastica_cmaes *plain = make_search(&def);
    def.start = turned_start;
    elastica_cmaes *other = make_search(&def);
    for (int g = 0; g < 50; g++) {
      for (int k = 0; k < N * LAMBDA; k++) z[k] = random_between(&source, -1.7, 1.7);
      for (int k = 0; k < LAMBDA; k++) turn(z + N * k, turned_z + N * k);
      draw_from(plain, z);
      draw_from(other, turned_z);
      must_search(plain, elastica_cmaes_ask(plain, x, N * LAMBDA));
      for (int k = 0; k < LAMBDA; k++) f[k] = ellipsoid(x + N * k, N);
      must_search(plain, elastica_cmaes_tell(plain, f));
      must_search(other, elastica_cmaes_ask(other, x, N * LAMBDA));
      for (int k = 0; k < LAMBDA; k++) {
        turn_back(x + N * k, back);
        f[k] = ellipsoid(back, N);
      }
      must_search(other, elastica_cmaes_tell(other, f));
      turn(search_info(plain).mean, back);
      assert_near(search_info(other).mean, back, N, 1e-8, "mean");
      assert_close(other->sigma / plain->sigma, 1.0, 1e-8);
      assert_close(search_info(other).generation_best / search_info(plain).generation_best, 1.0, 1e-8);
    }
    elastica_cmaes_destroy(plain);
    elastica_cmaes_destroy(other);
  }
}

/* ---- Other symmetries, and the protocol of asking and telling ---- */

/* scale is a unit: a search in millimetres is the search in metres. */
TEST(scale_is_a_unit) {
  const double start[3] = {1.0, 2.0, 3.0}, scaled_start[3] = {8.0, 1.0, 192.0}, scale[3] = {8.0, 0.5, 64.0};
  double x[3 * 7], other_x[3 * 7], f[7];
  elastica_cmaes_def def = search_def(3, 0.4);
  def.start = start;
  elastica_cmaes *search = make_search(&def);
  def.start = scaled_start;
  def.scale = scale;
  elastica_cmaes *other = make_search(&def);
  for (int g = 0; g < 40; g++) {
    must_search(search, elastica_cmaes_ask(search, x, 21));
    must_search(other, elastica_cmaes_ask(other, other_x, 21));
    for (int k = 0; k < 7; k++)
      for (int i = 0; i < 3; i++) assert_true(other_x[3 * k + i] == scale[i] * x[3 * k + i]);
    for (int k = 0; k < 7; k++) f[k] = rosenbrock(x + 3 * k, 3);
    must_search(search, elastica_cmaes_tell(search, f));
    must_search(other, elastica_cmaes_tell(other, f));
  }
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
}

/* Only the ranking matters: any increasing function of the fitness gives the same path. */
TEST(only_the_ranking_counts) {
  double x[5 * 8], f[8], g[8];
  const elastica_cmaes_def def = search_def(5, 1.0);
  elastica_cmaes *search = make_search(&def), *other = make_search(&def);
  for (int generation = 0; generation < 60; generation++) {
    must_search(search, elastica_cmaes_ask(search, x, 40));
    for (int k = 0; k < 8; k++) {
      f[k] = rosenbrock(x + 5 * k, 5);
      g[k] = log(f[k]) - 7.0;
    }
    must_search(search, elastica_cmaes_tell(search, f));
    must_search(other, elastica_cmaes_ask(other, x, 40));
    must_search(other, elastica_cmaes_tell(other, g));
    assert_memory_equal(search_info(search).mean, search_info(other).mean, 5 * sizeof(double));
  }
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
}

TEST(asked_again_it_answers_the_same) {
  double first[40], second[40], f[8] = {3.0, 1.0, 2.0, 7.0, 8.0, 9.0, 10.0, 11.0};
  const elastica_cmaes_def def = search_def(5, 1.0);
  elastica_cmaes *search = make_search(&def);
  must_search(search, elastica_cmaes_ask(search, first, 40));
  must_search(search, elastica_cmaes_ask(search, second, 40));
  assert_memory_equal(first, second, sizeof first);
  must_search(search, elastica_cmaes_tell(search, f));
  const elastica_cmaes_info info = search_info(search);
  assert_memory_equal(info.best_x, first + 5, 5 * sizeof(double));
  assert_true(info.best == 1.0 && info.generation_best == 1.0 && info.generation_mean == 51.0 / 8.0);
  assert_int_equal(info.evaluations, 8);
  assert_int_equal(info.generation, 1);
  elastica_cmaes_destroy(search);
}

TEST(seeds_tell_searches_apart) {
  double first[40], second[40];
  elastica_cmaes_def def = search_def(5, 1.0);
  for (unsigned seed = 0; seed < 20; seed++) {
    def.seed = seed;
    elastica_cmaes *search = make_search(&def);
    memcpy(second, first, sizeof first);
    must_search(search, elastica_cmaes_ask(search, first, 40));
    if (seed > 0) assert_memory_not_equal(first, second, sizeof first);
    elastica_cmaes_destroy(search);
  }
}

/* ---- Failures ---- */

/* Two thirds of the plane cannot be evaluated; the optimum lies on their border. */
static double half_broken(const double *x, int n) {
  return x[0] < 1.0 || x[1] < -4.0 ? INFINITY : sphere(x, n);
}

TEST(failed_evaluations_are_avoided) {
  const double start[3] = {0.5, 2.0, 2.0};
  elastica_cmaes_def def = search_def(3, 1.0);
  def.start = start;
  for (def.active = 0; def.active < 2; def.active++)
    for (def.seed = 1; def.seed < 10; def.seed++) {
      elastica_cmaes *search = make_search(&def);
      const elastica_cmaes_info info = search_all(search, half_broken);
      if (!(info.best < 1.0 + 1e-6)) fail_msg("seed %u, active %d: %.17g, %s", def.seed, def.active, info.best, info.stop_text);
      elastica_cmaes_destroy(search);
    }
}

static double all_fail(const double *x, int n) {
  (void)x, (void)n;
  return INFINITY;
}

/* The mean remains, and the step shrinks. */
TEST(a_generation_of_failures_keeps_the_mean) {
  const double start[3] = {1.0, 2.0, 3.0};
  elastica_cmaes_def def = search_def(3, 1.0);
  def.start = start;
  elastica_cmaes *search = make_search(&def);
  search_once(search, all_fail);
  elastica_cmaes_info info = search_info(search);
  assert_int_equal(info.failed, info.population);
  assert_true(info.best == INFINITY && info.generation_mean == INFINITY && info.step < 1.0);
  assert_memory_equal(info.mean, start, sizeof start);
  assert_memory_equal(info.best_x, start, sizeof start);
  info = search_all(search, all_fail);
  assert_int_equal(info.stop, ELASTICA_STOP_EQUAL);
  elastica_cmaes_destroy(search);
}
