/* Termination of a search.
 *
 * source     N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016), appendix B.3
 * test       tests/test_cmaes_stop.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "search/cmaes.h"
#include "search/ranking.h"

const char *elastica_stop_text(elastica_stop stop) {
  switch (stop) {
  case ELASTICA_STOP_NONE: return "goes on";
  case ELASTICA_STOP_TARGET: return "the target is reached";
  case ELASTICA_STOP_EVALUATIONS: return "the limit of evaluations is reached";
  case ELASTICA_STOP_GENERATIONS: return "the limit of generations is reached";
  case ELASTICA_STOP_STALLED: return "the best fitness has stalled";
  case ELASTICA_STOP_FITNESS: return "the fitness varies by less than its tolerance";
  case ELASTICA_STOP_STEP: return "the step is smaller than its tolerance";
  case ELASTICA_STOP_EQUAL: return "the best fitness of each generation is the same";
  case ELASTICA_STOP_STAGNATION: return "neither best nor median fitness improve";
  case ELASTICA_STOP_CONDITION: return "the covariance is ill-conditioned";
  case ELASTICA_STOP_AXIS: return "a step along an axis does not change the mean";
  case ELASTICA_STOP_COORDINATE: return "a step along a coordinate does not change the mean";
  case ELASTICA_STOP_DIVERGED: return "the step has grown out of proportion";
  }
  return "unknown reason";
}

/* ---- History ---- */

/* Drops the oldest generation of full histories. The spread of the present generation is in the extra place and moves with them. */
static void make_room(elastica_cmaes *search) {
  if (search->history_count < ELI_CMAES_HISTORY) return;
  const size_t rest = (ELI_CMAES_HISTORY - 1) * sizeof(double);
  memmove(search->best_history, search->best_history + 1, rest);
  memmove(search->median_history, search->median_history + 1, rest);
  memmove(search->spread_history, search->spread_history + 1, rest + sizeof(double));
  search->history_count--;
}

void eli_cmaes_remember(elastica_cmaes *search) {
  make_room(search);
  const int last = search->history_count++;
  search->best_history[last] = search->generation_best;
  search->median_history[last] = eli_ranked_median(search->people.ranked, search->people.order, search->c.lambda);
  if (search->generation_best < search->stall_best - search->def.stall_gain) {
    search->stall_best = search->generation_best;
    search->stall_generation = search->descent_generation;
  }
}

/* ---- Reasons ---- */

double eli_cmaes_condition(const elastica_cmaes *search) {
  const double ratio = search->deviation[search->n - 1] / search->deviation[0];
  return ratio * ratio;
}

typedef struct range {
  double least, largest;
} range;

static void include(range *of, const double *values, int count) {
  for (int k = 0; k < count; k++) {
    if (values[k] < of->least) of->least = values[k];
    if (values[k] > of->largest) of->largest = values[k];
  }
}

/* Range of the best fitness in the last 10 + ceil(30 n/lambda) generations. Returns 0 before that many generations. */
static int recent_range(const elastica_cmaes *search, range *out) {
  const int lambda = search->c.lambda, count = 10 + (30 * search->n + lambda - 1) / lambda;
  if (search->history_count < count) return 0;
  const double *last = search->best_history + search->history_count - count;
  *out = (range){last[0], last[0]};
  include(out, last, count);
  return 1;
}

static int is_flat(const elastica_cmaes *search) {
  range recent = {0.0, 0.0};
  if (!recent_range(search, &recent)) return 0;
  include(&recent, search->people.fitness, search->c.lambda);
  return recent.largest - recent.least < search->def.fitness_tolerance; /* 0 if a candidate failed: the difference is then infinite or
                                                                         * NaN */
}

static int is_equal(const elastica_cmaes *search) {
  range recent = {0.0, 0.0};
  return recent_range(search, &recent) && recent.least == recent.largest;
}

static double standard_deviation(const elastica_cmaes *search, int i) {
  return search->sigma * sqrt(search->covariance[(long)search->n * i + i]);
}

static int is_small(const elastica_cmaes *search) {
  const double tolerance = search->def.step_tolerance * search->def.step;
  for (int i = 0; i < search->n; i++)
    if (!(standard_deviation(search, i) < tolerance && fabs(search->sigma * search->path_c[i]) < tolerance)) return 0;
  return 1;
}

/* Returns 1 if the median of the last 30 % of a window is below that of its first 30 %. */
static int got_better(elastica_cmaes *search, const double *window, int count) {
  const int part = 3 * count / 10;
  double median[2];
  for (int k = 0; k < 2; k++) {
    const double *values = window + (k == 0 ? 0 : count - part);
    eli_rank(values, part, search->history_order, search->history_scratch);
    median[k] = eli_ranked_median(values, search->history_order, part);
  }
  return median[1] < median[0];
}

/* Tests for stagnation over the last fifth of the descent, at least 120 + 30 n/lambda generations. It sorts, and therefore runs in every
 * tenth generation only. */
static int stagnates(elastica_cmaes *search) {
  const long shortest = 120 + 30L * search->n / search->c.lambda, fifth = search->descent_generation / 5;
  long count = fifth > shortest ? fifth : shortest;
  if (count > ELI_CMAES_HISTORY) count = ELI_CMAES_HISTORY;
  if (search->history_count < count || search->descent_generation % 10 != 0) return 0;
  const long begin = search->history_count - count;
  return !got_better(search, search->best_history + begin, (int)count) && !got_better(search, search->median_history + begin, (int)count);
}

/* Tests one axis in each generation, in turn. */
static int axis_has_no_effect(const elastica_cmaes *search) {
  const int n = search->n, k = (int)(search->descent_generation % n);
  const double length = 0.1 * search->sigma * search->deviation[k];
  for (int i = 0; i < n; i++)
    if (search->mean[i] + length * search->axes[(long)n * k + i] != search->mean[i]) return 0;
  return 1;
}

static int coordinate_has_no_effect(const elastica_cmaes *search) {
  for (int i = 0; i < search->n; i++)
    if (search->mean[i] + 0.2 * standard_deviation(search, i) == search->mean[i]) return 1;
  return 0;
}

static int has_reached(long value, long limit) {
  return limit > 0 && value >= limit;
}

elastica_stop eli_cmaes_find_stop(elastica_cmaes *search, int positive) {
  const elastica_cmaes_def *def = &search->def;
  if (search->best <= def->target) return ELASTICA_STOP_TARGET;
  if (has_reached(search->evaluations, def->evaluation_limit)) return ELASTICA_STOP_EVALUATIONS;
  if (has_reached(search->generation, def->generation_limit)) return ELASTICA_STOP_GENERATIONS;
  if (has_reached(search->descent_generation - search->stall_generation, def->stall_generations)) return ELASTICA_STOP_STALLED;
  if (is_flat(search)) return ELASTICA_STOP_FITNESS;
  if (is_small(search)) return ELASTICA_STOP_STEP;
  if (is_equal(search)) return ELASTICA_STOP_EQUAL;
  if (stagnates(search)) return ELASTICA_STOP_STAGNATION;
  if (!positive || !(eli_cmaes_condition(search) <= 1e14)) return ELASTICA_STOP_CONDITION;
  if (axis_has_no_effect(search)) return ELASTICA_STOP_AXIS;
  if (coordinate_has_no_effect(search)) return ELASTICA_STOP_COORDINATE;
  if (!(search->sigma * search->deviation[search->n - 1] <= 1e4 * def->step)) return ELASTICA_STOP_DIVERGED;
  return ELASTICA_STOP_NONE;
}
