/* CMA-ES on known functions: evaluations and share of success against a computation in another language.
 *
 * functions  sphere, ellipsoid, Rosenbrock in 5, 10, 20 dimensions, Rastrigin in 5, 10 with a population of 20 n
 * expected   medians over 500 seeds, here over 51: within 8 %; share of success within 15 points, of Rastrigin over 153 seeds, since
 *            over 51 it scatters by 7 points
 * source     reference/cmaes_rows.inc
 */
#include "base/target.h"

#include "searching.h"

typedef struct cmaes_row {
  const char *function;
  int n, active;
  double median, success_rate;
} cmaes_row;

#include "reference/cmaes_rows.inc"

enum { SEEDS = 51, RASTRIGIN_SEEDS = 153, MOST = 20 };

typedef struct problem {
  const char *name;
  objective of;
  double start, step;
} problem;

static const problem problems[] = {{"sphere", sphere, 3.0, 1.0},
                                   {"ellipsoid", ellipsoid, 3.0, 1.0},
                                   {"rosenbrock", rosenbrock, 0.0, 0.5},
                                   {"rastrigin", rastrigin, NAN, 2.0}};

static const problem *problem_of(const cmaes_row *row) {
  const problem *p = problems;
  while (strcmp(p->name, row->function) != 0) p++;
  return p;
}

/* Evaluations until 1e-8; 0: the search stopped earlier. Rastrigin starts anywhere in [-5, 5]^n. */
static double run(const cmaes_row *row, unsigned seed) {
  const problem *p = problem_of(row);
  random_source source = {1000 + seed};
  double start[MOST];
  elastica_cmaes_def def = search_def(row->n, p->step);
  for (int i = 0; i < row->n; i++) start[i] = isnan(p->start) ? random_between(&source, -5.0, 5.0) : p->start;
  def.start = start;
  def.seed = seed;
  def.active = row->active;
  def.population = p->of == rastrigin ? 20 * row->n : 0;
  def.target = 1e-8;
  def.evaluation_limit = 100000L * row->n;
  elastica_cmaes *search = make_search(&def);
  const elastica_cmaes_info info = search_all(search, p->of);
  elastica_cmaes_destroy(search);
  return info.stop == ELASTICA_STOP_TARGET ? (double)info.evaluations : 0.0;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void compare(const cmaes_row *row) {
  double evaluations[RASTRIGIN_SEEDS];
  const int seeds = problem_of(row)->of == rastrigin ? RASTRIGIN_SEEDS : SEEDS;
  int count = 0;
  for (int seed = 0; seed < seeds; seed++) {
    evaluations[count] = run(row, (unsigned)seed);
    count += evaluations[count] > 0.0;
  }
  qsort(evaluations, (size_t)count, sizeof *evaluations, ascending);
  const double median = 0.5 * (evaluations[(count - 1) / 2] + evaluations[count / 2]), rate = (double)count / seeds;
  print_message("%-10s n %2d active %d: median %6.0f against %6.0f, success %.3f against %.3f\n", row->function, row->n, row->active,
                median, row->median, rate, row->success_rate);
  if (!(fabs(median / row->median - 1.0) <= 0.08)) fail_msg("the median is off by %.1f %%", 100.0 * (median / row->median - 1.0));
  if (!(fabs(rate - row->success_rate) <= 0.15)) fail_msg("the success rate is off");
}

TEST(evaluations_are_those_of_another_code) {
#ifdef TESTS_WHOLE
  const size_t stride = 1;
#else
  const size_t stride = 3;
#endif
  for (size_t k = 0; k < sizeof cmaes_rows / sizeof *cmaes_rows; k += stride) compare(&cmaes_rows[k]);
}
