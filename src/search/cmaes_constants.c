/* Weights and learning rates.
 *
 * equation   (49) to (58) and table 1 of the tutorial
 * source     N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016); its revision of 2023 adds 1/4 to c_mu
 * test       tests/test_cmaes.c
 */
#include "base/target.h"

#include <math.h>

#include "base/elementary.h"
#include "search/cmaes.h"

/* (49): ln((lambda+1)/2) - ln i, positive for the better half. */
static double raw_weight(int lambda, int rank) {
  return eli_log((lambda + 1) / 2.0) - eli_log(rank + 1.0);
}

/* Variance effective selection mass of the ranks [begin, end), and the sum of their raw weights. */
static double selection_mass(int lambda, int begin, int end, double *sum) {
  double squares = 0.0;
  *sum = 0.0;
  for (int k = begin; k < end; k++) {
    const double w = raw_weight(lambda, k);
    *sum += w;
    squares += w * w;
  }
  return squares > 0.0 ? *sum * *sum / squares : 0.0;
}

static double least(double a, double b) {
  return a < b ? a : b;
}

/* (50) to (52): bound on the sum of the negative weights. With c_mu = 0 the first and the third bound are infinite. */
static double negative_sum(const eli_cmaes_constants *c) {
  const double alpha_mu = 1.0 + c->c_1 / c->c_mu;
  const double alpha_mu_eff = 1.0 + 2.0 * c->mu_eff_minus / (c->mu_eff + 2.0);
  const double alpha_positive = (1.0 - c->c_1 - c->c_mu) / (c->n * c->c_mu);
  return least(alpha_mu, least(alpha_mu_eff, alpha_positive));
}

void eli_cmaes_constants_of(int n, int lambda, int active, int revision, eli_cmaes_constants *out, double *weights) {
  double better, worse;
  eli_cmaes_constants c = {.n = n, .lambda = lambda, .mu = lambda / 2};
  c.mu_eff = selection_mass(lambda, 0, c.mu, &better);
  c.mu_eff_minus = selection_mass(lambda, c.mu, lambda, &worse);
  c.c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + c.mu_eff);
  c.c_mu =
      least(1.0 - c.c_1, 2.0 * ((revision == 2023 ? 0.25 : 0.0) + c.mu_eff - 2.0 + 1.0 / c.mu_eff) / ((n + 2.0) * (n + 2.0) + c.mu_eff));
  c.c_sigma = (c.mu_eff + 2.0) / (n + c.mu_eff + 5.0);
  const double excess = sqrt((c.mu_eff - 1.0) / (n + 1.0)) - 1.0;
  c.d_sigma = 1.0 + 2.0 * (excess > 0.0 ? excess : 0.0) + c.c_sigma;
  c.c_c = (4.0 + c.mu_eff / n) / (n + 4.0 + 2.0 * c.mu_eff / n);
  c.chi_n = sqrt((double)n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  const double sum = active ? negative_sum(&c) : 0.0;
  for (int k = 0; k < lambda; k++) { /* (53); the middle rank of an odd number has weight 0 */
    const double w = raw_weight(lambda, k);
    weights[k] = k < c.mu ? w / better : w < 0.0 ? sum * w / -worse : 0.0;
  }
  *out = c;
}
