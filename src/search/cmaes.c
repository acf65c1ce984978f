/* The public functions of a search by CMA-ES.
 *
 * source     N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016); restarts with larger populations: A. Auger and
 *            N. Hansen, IEEE Congress on Evolutionary Computation (2005) 1769
 * test       tests/test_cmaes.c
 */
#include "base/target.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checks.h"
#include "search/cmaes.h"
#include "search/normals.h"
#include "search/ranking.h"

elastica_status eli_cmaes_refuse(elastica_cmaes *search, elastica_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(search->message, sizeof search->message, format, arguments);
  va_end(arguments);
  return status;
}

const char *elastica_cmaes_message(const elastica_cmaes *search) {
  return search != NULL ? search->message : "there is no search: elastica_cmaes_create writes why to the buffer elastica_cmaes_def.message";
}

/* ---- Descents ---- */

void eli_cmaes_begin_descent(elastica_cmaes *search, const double *x) {
  const int n = search->n;
  const size_t vector = (size_t)n * sizeof(double), matrix = (size_t)n * vector;
  memset(search->covariance, 0, matrix);
  for (int i = 0; i < n; i++) {
    search->mean[i] = x[i] / search->scale[i];
    search->deviation[i] = search->covariance[(long)n * i + i] = 1.0;
  }
  memcpy(search->axes, search->covariance, matrix);
  memcpy(search->root, search->covariance, matrix);
  memcpy(search->inverse_root, search->covariance, matrix);
  memset(search->path_sigma, 0, vector);
  memset(search->path_c, 0, vector);
  memset(search->penalty, 0, vector);
  search->sigma = search->def.step;
  search->descent_generation = search->eigen_generation = search->stall_generation = 0;
  search->history_count = search->penalty_set = search->asked = search->restart_due = 0;
  search->stall_best = INFINITY;
}

int eli_cmaes_next_population(const elastica_cmaes *search) {
  const double grown = floor(search->c.lambda * search->def.growth + 0.5);
  if (!search->restart_due) return search->c.lambda;
  return grown <= ELI_CMAES_MOST_PEOPLE ? (int)grown : ELI_CMAES_MOST_PEOPLE;
}

/* Draws the start of a descent: uniform between finite bounds, else normal about the first start. */
static void find_new_start(const elastica_cmaes *search, double *x) {
  eli_random random = eli_random_at(search->def.seed, (uint64_t)search->restart, UINT64_MAX, 0);
  for (int i = 0; i < search->n; i++) {
    const double lower = search->lower[i], upper = search->upper[i], part = eli_random_uniform(&random);
    double normal;
    eli_random_normals(&random, 1, &normal);
    x[i] = search->start[i] + search->scale[i] * search->def.step * normal;
    if (eli_is_finite(lower) && eli_is_finite(upper)) x[i] = lower + part * (upper - lower);
    x[i] = x[i] < lower ? lower : x[i] > upper ? upper : x[i];
  }
}

static elastica_status start_again(elastica_cmaes *search) {
  eli_cmaes_people people;
  const int lambda = eli_cmaes_next_population(search);
  if (!eli_cmaes_people_create(&search->allocator, search->n, lambda, &people))
    return eli_cmaes_refuse(search, ELASTICA_OUT_OF_MEMORY, "cmaes_ask: no memory for a population of %d", lambda);
  eli_release(&search->allocator, search->people.block);
  search->people = people;
  eli_cmaes_constants_of(search->n, lambda, search->def.active, search->def.revision, &search->c, people.weights);
  search->restart++;
  find_new_start(search, search->work);
  eli_cmaes_begin_descent(search, search->work);
  return ELASTICA_OK;
}

/* ---- Ask and tell ---- */

elastica_status elastica_cmaes_ask(elastica_cmaes *search, double *x, size_t capacity) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  const size_t needed = (size_t)eli_cmaes_next_population(search) * (size_t)search->n;
  if (x == NULL) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_ask: x is NULL");
  if (capacity < needed)
    return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_ask: capacity %zu is less than %zu, %d candidates of %d numbers",
                            capacity, needed, eli_cmaes_next_population(search), search->n);
  const elastica_status status = search->restart_due ? start_again(search) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  if (!search->asked) eli_cmaes_draw(search);
  for (int k = 0; k < search->c.lambda; k++) eli_cmaes_candidate(search, k, x + (long)search->n * k);
  return ELASTICA_OK;
}

static elastica_status check_fitness(elastica_cmaes *search, const double *fitness) {
  if (fitness == NULL) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness is NULL");
  if (!search->asked)
    return eli_cmaes_refuse(search, ELASTICA_WRONG_STATE, "cmaes_tell: the candidates of this generation were not asked for");
  for (int k = 0; k < search->c.lambda; k++) {
    if (eli_is_nan(fitness[k]))
      return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness[%d] is not a number; infinity is a failed evaluation",
                              k);
    if (fitness[k] < 0.0 && !eli_is_finite(fitness[k]))
      return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness[%d] is minus infinity", k);
  }
  return ELASTICA_OK;
}

/* Records best, mean and failures of a generation. It runs before the distribution changes, because candidates are computed from the
 * distribution. */
static void take_notes(elastica_cmaes *search) {
  const double *fitness = search->people.fitness;
  double sum = 0.0;
  int best = 0, good = 0;
  for (int k = 0; k < search->c.lambda; k++) {
    if (fitness[k] < fitness[best]) best = k;
    if (!eli_is_finite(fitness[k])) continue;
    good++;
    sum += fitness[k];
  }
  search->generation_best = fitness[best];
  search->generation_mean = good > 0 ? sum / good : INFINITY;
  search->failed = search->c.lambda - good;
  if (!(fitness[best] < search->best)) return;
  search->best = fitness[best];
  eli_cmaes_candidate(search, best, search->best_x);
}

static int is_a_limit(elastica_stop stop) {
  return stop == ELASTICA_STOP_TARGET || stop == ELASTICA_STOP_EVALUATIONS || stop == ELASTICA_STOP_GENERATIONS;
}

elastica_status elastica_cmaes_tell(elastica_cmaes *search, const double *fitness) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = check_fitness(search, fitness);
  if (status != ELASTICA_OK) return status;
  memcpy(search->people.fitness, fitness, (size_t)search->c.lambda * sizeof *fitness);
  take_notes(search);
  eli_cmaes_penalise(search);
  eli_rank(search->people.ranked, search->c.lambda, search->people.order, search->people.scratch);
  const int positive = eli_cmaes_update(search);
  search->generation++;
  search->evaluations += search->c.lambda;
  search->asked = 0;
  eli_cmaes_remember(search);
  search->stop = eli_cmaes_find_stop(search, positive);
  if (search->stop == ELASTICA_STOP_NONE || is_a_limit(search->stop) || search->restart >= search->def.restart_limit) return ELASTICA_OK;
  search->restart_due = 1;
  search->restarted = search->stop;
  search->stop = ELASTICA_STOP_NONE;
  return ELASTICA_OK;
}

elastica_status elastica_cmaes_get(elastica_cmaes *search, elastica_cmaes_info *out) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_get: out is NULL");
  for (int i = 0; i < search->n; i++) {
    const double x = search->scale[i] * search->mean[i];
    search->mean_x[i] = x < search->lower[i] ? search->lower[i] : x > search->upper[i] ? search->upper[i] : x;
  }
  *out = (elastica_cmaes_info){.stop = search->stop,
                               .restarted = search->restarted,
                               .population = eli_cmaes_next_population(search),
                               .restart = search->restart + search->restart_due,
                               .generation = search->generation,
                               .evaluations = search->evaluations,
                               .best = search->best,
                               .generation_best = search->generation_best,
                               .generation_mean = search->generation_mean,
                               .failed = search->failed,
                               .step = search->sigma,
                               .condition = eli_cmaes_condition(search),
                               .best_x = search->best_x,
                               .mean = search->mean_x};
  return ELASTICA_OK;
}
