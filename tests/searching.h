/* Shared code of the tests of searches: creation that must succeed, and functions to minimise. */
#ifndef TESTS_SEARCHING_H
#define TESTS_SEARCHING_H

#include "samples.h"
#include "search/cmaes.h"

static inline elastica_cmaes_def search_def(int dimension, double step) {
  DEFAULTS(cmaes, def);
  def.dimension = dimension;
  def.step = step;
  return def;
}

static inline elastica_cmaes *make_search(const elastica_cmaes_def *def) {
  char message[256] = "";
  elastica_cmaes_def copy = *def;
  elastica_cmaes *search = NULL;
  copy.message = message;
  copy.message_size = sizeof message;
  const elastica_status status = elastica_cmaes_create(&copy, &search);
  if (status != ELASTICA_OK) fail_msg("elastica_cmaes_create: %s: %s", elastica_status_text(status), message);
  return search;
}

static inline elastica_cmaes_info search_info(elastica_cmaes *search) {
  elastica_cmaes_info info;
  assert_int_equal(elastica_cmaes_get(search, &info), ELASTICA_OK);
  return info;
}

static inline void must_search(elastica_cmaes *search, elastica_status status) {
  if (status != ELASTICA_OK) fail_msg("%s: %s", elastica_status_text(status), elastica_cmaes_message(search));
}

/* Lets a search ask for the candidates of given normal numbers [lambda n], regardless of the bounds: y = C^(1/2) z. */
static inline void draw_from(elastica_cmaes *search, const double *z) {
  const int n = search->n;
  for (int k = 0; k < search->c.lambda; k++)
    for (int i = 0; i < n; i++) {
      double *y = search->population.y + n * k + i;
      *y = 0.0;
      for (int j = 0; j < n; j++) *y += search->root[n * i + j] * z[n * k + j];
    }
  search->asked = 1;
}

typedef double (*objective)(const double *x, int n);

static inline double sphere(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

static inline double ellipsoid(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += pow(10.0, 6.0 * i / (n - 1)) * x[i] * x[i];
  return sum;
}

static inline double rosenbrock(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}

static inline double rastrigin(const double *x, int n) {
  double sum = 10.0 * n;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] - 10.0 * cos(2.0 * acos(-1.0) * x[i]);
  return sum;
}

/* One generation: ask, evaluate, tell. */
static inline void search_once(elastica_cmaes *search, objective of) {
  enum { ROOM = 20000 };
  static double x[ROOM], fitness[ROOM];
  const int count = search_info(search).population, n = search->n;
  must_search(search, elastica_cmaes_ask(search, x, ROOM));
  for (int k = 0; k < count; k++) fitness[k] = of(x + n * k, n);
  must_search(search, elastica_cmaes_tell(search, fitness));
}

static inline elastica_cmaes_info search_all(elastica_cmaes *search, objective of) {
  while (!search_info(search).stop) search_once(search, of);
  return search_info(search);
}

#endif
