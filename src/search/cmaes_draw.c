/* Candidates: x = scale (m + sigma C^(1/2) z), with a vector z of normal numbers.
 *
 * The symmetric root of C is used, so that a rotation of the problem and of z rotates the candidates.
 *
 * equation   (38) to (40) of the tutorial, with C^(1/2) = B D B^T
 * source     N. Hansen, arXiv:1604.00772 (2016)
 * test       tests/test_cmaes.c, tests/test_cmaes_bounds.c
 */
#include "base/target.h"

#include "search/cmaes.h"
#include "search/normals.h"

static double free_coordinate(const elastica_cmaes *search, int candidate, int i) {
  const double y = search->people.y[(long)search->n * candidate + i];
  return search->scale[i] * (search->mean[i] + search->sigma * y);
}

static double between(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

void eli_cmaes_place(elastica_cmaes *search, int candidate, const double *z) {
  const int n = search->n;
  double *y = search->people.y + (long)n * candidate;
  for (int i = 0; i < n; i++) {
    const double *row = search->root + (long)n * i;
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += row[j] * z[j];
    y[i] = sum;
  }
}

static int is_inside(const elastica_cmaes *search, int candidate) {
  for (int i = 0; i < search->n; i++) {
    const double x = free_coordinate(search, candidate, i);
    if (x < search->lower[i] || x > search->upper[i]) return 0;
  }
  return 1;
}

/* Changes y so that the candidate lies on each bound that it violates. */
static void move_inside(elastica_cmaes *search, int candidate) {
  double *y = search->people.y + (long)search->n * candidate;
  for (int i = 0; i < search->n; i++) {
    const double x = free_coordinate(search, candidate, i), in = between(x, search->lower[i], search->upper[i]);
    if (in != x) y[i] = (in / search->scale[i] - search->mean[i]) / search->sigma;
  }
}

static void draw_one(elastica_cmaes *search, int candidate) {
  double *z = search->work;
  eli_random random = eli_random_at(search->def.seed, (uint64_t)search->restart, (uint64_t)search->descent_generation, (uint64_t)candidate);
  for (int tries = 0; tries < ELI_CMAES_TRIES; tries++) {
    eli_random_normals(&random, search->n, z);
    eli_cmaes_place(search, candidate, z);
    if (search->def.penalty || is_inside(search, candidate)) return;
  }
  move_inside(search, candidate);
}

void eli_cmaes_draw(elastica_cmaes *search) {
  for (int k = 0; k < search->c.lambda; k++) draw_one(search, k);
  search->asked = 1;
}

void eli_cmaes_draw_from(elastica_cmaes *search, const double *z) {
  for (int k = 0; k < search->c.lambda; k++) eli_cmaes_place(search, k, z + (long)search->n * k);
  search->asked = 1;
}

void eli_cmaes_candidate(const elastica_cmaes *search, int candidate, double *x) {
  for (int i = 0; i < search->n; i++) x[i] = between(free_coordinate(search, candidate, i), search->lower[i], search->upper[i]);
}
