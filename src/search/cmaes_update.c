/* One generation of CMA-ES: computes the next distribution from ranked candidates.
 *
 * equation   (41) to (47): mean, evolution paths, covariance with ranks one and mu, step
 * source     N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016), figure 6 and appendix A
 * test       tests/test_cmaes.c
 *
 * A failed candidate never has a positive weight. If all candidates failed, all weights are 0: the mean stays and the step shrinks.
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "base/elementary.h"
#include "search/cmaes.h"
#include "search/symmetric_eigen.h"

static const double *ranked_y(const elastica_cmaes *search, int rank) {
  return search->people.y + (long)search->n * search->people.order[rank];
}

static void multiply(int n, const double *matrix, const double *v, double *out) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += matrix[(long)n * i + j] * v[j];
    out[i] = sum;
  }
}

static double square(int n, const double *v) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  return sum;
}

static void choose_weights(elastica_cmaes *search) {
  const eli_cmaes_people *people = &search->people;
  const int all_failed = !eli_is_finite(people->ranked[people->order[0]]);
  for (int k = 0; k < search->c.lambda; k++) {
    const double w = people->weights[k];
    const int failed = !eli_is_finite(people->ranked[people->order[k]]);
    people->used[k] = all_failed || (failed && w > 0.0) ? 0.0 : w;
  }
}

/* (41): weighted mean of the better half. */
static void recombine(const elastica_cmaes *search, double *y) {
  memset(y, 0, (size_t)search->n * sizeof *y);
  for (int k = 0; k < search->c.mu; k++)
    for (int i = 0; i < search->n; i++) y[i] += search->people.used[k] * ranked_y(search, k)[i];
}

/* (43) and (45): both evolution paths. Returns h_sigma; it is 0 while path_sigma is long, and then path_c gets no increment. */
static double follow_paths(elastica_cmaes *search, const double *y, const double *whitened) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  const double turn = sqrt(c->c_sigma * (2.0 - c->c_sigma) * c->mu_eff);
  for (int i = 0; i < n; i++) search->path_sigma[i] = (1.0 - c->c_sigma) * search->path_sigma[i] + turn * whitened[i];
  const double grown = 1.0 - eli_pow(1.0 - c->c_sigma, 2.0 * ((double)search->descent_generation + 1.0));
  const double length = sqrt(square(n, search->path_sigma)) / sqrt(grown);
  const double h = length < (1.4 + 2.0 / (n + 1.0)) * c->chi_n ? 1.0 : 0.0;
  const double part = h * sqrt(c->c_c * (2.0 - c->c_c) * c->mu_eff);
  for (int i = 0; i < n; i++) search->path_c[i] = (1.0 - c->c_c) * search->path_c[i] + part * y[i];
  return h;
}

/* (46): negative weights are divided by the squared Mahalanobis length of their candidate. */
static double weight_in_covariance(elastica_cmaes *search, int rank) {
  const double w = search->people.used[rank];
  if (w >= 0.0) return w;
  multiply(search->n, search->inverse_root, ranked_y(search, rank), search->work);
  const double length = square(search->n, search->work);
  return length > 0.0 ? w * search->n / length : 0.0;
}

static void add_product(int n, double weight, const double *v, double *matrix) {
  for (int i = 0; i < n; i++) {
    const double part = weight * v[i];
    for (int j = i; j < n; j++) matrix[(long)n * i + j] += part * v[j];
  }
}

/* (47) in the upper triangle, then mirrored. */
static void adapt_covariance(elastica_cmaes *search, double h) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  double sum = 0.0;
  for (int k = 0; k < c->lambda; k++) sum += search->people.used[k];
  const double kept = 1.0 + c->c_1 * (1.0 - h) * c->c_c * (2.0 - c->c_c) - c->c_1 - c->c_mu * sum;
  for (long k = 0; k < (long)n * n; k++) search->covariance[k] *= kept;
  add_product(n, c->c_1, search->path_c, search->covariance);
  for (int k = 0; k < c->lambda; k++)
    if (search->people.used[k] != 0.0) add_product(n, c->c_mu * weight_in_covariance(search, k), ranked_y(search, k), search->covariance);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) search->covariance[(long)n * i + j] = search->covariance[(long)n * j + i];
}

/* out = sum over axes of factor_k b_k b_k^T. */
static void assemble(int n, const double *axes, const double *deviation, int inverse, double *out) {
  memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
  for (int k = 0; k < n; k++) add_product(n, inverse ? 1.0 / deviation[k] : deviation[k], axes + (long)n * k, out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) out[(long)n * i + j] = out[(long)n * j + i];
}

void eli_cmaes_roots(elastica_cmaes *search) {
  assemble(search->n, search->axes, search->deviation, 0, search->root);
  assemble(search->n, search->axes, search->deviation, 1, search->inverse_root);
}

/* Uses the roots as scratch for the eigensystem, which replaces the last one only if all eigenvalues are positive. */
static int decompose(elastica_cmaes *search) {
  const int n = search->n;
  double *values = search->work, *matrix = search->root, *axes = search->inverse_root;
  memcpy(matrix, search->covariance, (size_t)n * (size_t)n * sizeof *matrix);
  const int positive = eli_symmetric_eigen(n, matrix, values, axes) && values[0] > 0.0;
  if (positive) {
    memcpy(search->axes, axes, (size_t)n * (size_t)n * sizeof *axes);
    for (int k = 0; k < n; k++) search->deviation[k] = sqrt(values[k]);
    search->eigen_generation = search->descent_generation;
  }
  eli_cmaes_roots(search);
  return positive;
}

int eli_cmaes_update(elastica_cmaes *search) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  double *y = search->work + n, *whitened = search->work + 2L * n;
  choose_weights(search);
  recombine(search, y);
  multiply(n, search->inverse_root, y, whitened);
  for (int i = 0; i < n; i++) search->mean[i] += search->sigma * y[i];
  const double h = follow_paths(search, y, whitened);
  adapt_covariance(search, h);
  search->sigma *= eli_exp(c->c_sigma / c->d_sigma * (sqrt(square(n, search->path_sigma)) / c->chi_n - 1.0)); /* (44) */
  search->descent_generation++;
  const double lazy = 1.0 / ((c->c_1 + c->c_mu) * n * 10.0); /* generations between eigensystems: a tenth of the time that C takes to
                                                              * change */
  return (double)(search->descent_generation - search->eigen_generation) > lazy ? decompose(search) : 1;
}
