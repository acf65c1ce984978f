/* Penalties of candidates outside their bounds. The user evaluates such a candidate on the bound.
 *
 * equation   f = f(x_in) + 1/n sum_i gamma_i (u_i - u_in_i)^2/xi_i, xi_i = exp(0.9 (ln C_ii - mean of ln C_jj)); gamma begins at
 *            2 delta/(sigma^2 mean of C_jj), delta the median spread of fitness, when the mean is outside, and grows by
 *            1.1^max(1, mu_eff/(10 n)) while the mean is farther out than 3 sigma sqrt(C_ii) max(1, sqrt(n)/mu_eff)
 * source     N. Hansen, A. Niederberger, L. Guzzella and P. Koumoutsakos, IEEE Trans. Evol. Comput. 13 (2009) 180, section IV
 * test       tests/test_cmaes_bounds.c
 */
#include "base/target.h"

#include <math.h>

#include "base/checks.h"
#include "base/elementary.h"
#include "search/cmaes.h"
#include "search/ranking.h"

static double diagonal(const elastica_cmaes *search, int i) {
  return search->covariance[(long)search->n * i + i];
}

/* Distance of u_i from its bounds, 0 inside them [units of scale]. */
static double outside(const elastica_cmaes *search, int i, double u) {
  const double lower = search->lower[i] / search->scale[i], upper = search->upper[i] / search->scale[i];
  return u < lower ? lower - u : u > upper ? u - upper : 0.0;
}

static int mean_is_outside(const elastica_cmaes *search) {
  for (int i = 0; i < search->n; i++)
    if (outside(search, i, search->mean[i]) > 0.0) return 1;
  return 0;
}

/* Interquartile range of the fitness of the candidates that did not fail. */
static double spread_of_fitness(elastica_cmaes *search) {
  eli_cmaes_people *people = &search->people;
  int good = 0;
  eli_rank(people->fitness, search->c.lambda, people->order, people->scratch);
  while (good < search->c.lambda && eli_is_finite(people->fitness[people->order[good]])) good++;
  if (good < 2) return 0.0;
  return people->fitness[people->order[(3 * (good - 1) + 2) / 4]] - people->fitness[people->order[(good - 1) / 4]];
}

/* Median spread of the last 20 + 3 n/lambda generations, the present one included. */
static double usual_spread(elastica_cmaes *search) {
  const int before = search->history_count, window = 19 + 3 * search->n / search->c.lambda, count = before < window ? before : window;
  double *last = search->spread_history + before - count;
  last[count] = spread_of_fitness(search); /* the history has one free place, filled here before eli_cmaes_remember counts it */
  eli_rank(last, count + 1, search->history_order, search->history_scratch);
  return eli_ranked_median(last, search->history_order, count + 1);
}

/* Limits a weight, which overflows if the user reports failures as the largest double. */
static double moderate(double weight) {
  return eli_is_moderate(weight) ? weight : ELI_LARGEST;
}

static void set_weights(elastica_cmaes *search, double spread) {
  double variance = 0.0;
  for (int i = 0; i < search->n; i++) variance += diagonal(search, i) / search->n;
  if (!(spread > 0.0)) return;
  for (int i = 0; i < search->n; i++) search->penalty[i] = moderate(2.0 * spread / (search->sigma * search->sigma * variance));
  search->penalty_set = 1;
}

static void raise_weights(elastica_cmaes *search) {
  const double far = 3.0 * search->sigma * (sqrt((double)search->n) > search->c.mu_eff ? sqrt((double)search->n) / search->c.mu_eff : 1.0);
  const double power = search->c.mu_eff / (10.0 * search->n), factor = eli_pow(1.1, power > 1.0 ? power : 1.0);
  for (int i = 0; i < search->n; i++)
    if (outside(search, i, search->mean[i]) > far * sqrt(diagonal(search, i)) && eli_is_moderate(search->penalty[i]))
      search->penalty[i] = moderate(search->penalty[i] * factor);
}

static double penalty_of(const elastica_cmaes *search, int candidate, double mean_log) {
  double sum = 0.0;
  for (int i = 0; i < search->n; i++) {
    const double off = outside(search, i, search->mean[i] + search->sigma * search->people.y[(long)search->n * candidate + i]);
    if (off > 0.0) sum += search->penalty[i] * off * off / eli_exp(0.9 * (eli_log(diagonal(search, i)) - mean_log));
  }
  return sum / search->n;
}

void eli_cmaes_penalise(elastica_cmaes *search) {
  const eli_cmaes_people *people = &search->people;
  for (int k = 0; k < search->c.lambda; k++) people->ranked[k] = people->fitness[k];
  if (!search->def.penalty) return;
  const double spread = usual_spread(search);
  if (mean_is_outside(search)) {
    if (!search->penalty_set || search->descent_generation == 1) set_weights(search, spread);
    raise_weights(search);
  }
  double mean_log = 0.0;
  for (int i = 0; i < search->n; i++) mean_log += eli_log(diagonal(search, i)) / search->n;
  for (int k = 0; k < search->c.lambda; k++) people->ranked[k] += penalty_of(search, k, mean_log);
}
