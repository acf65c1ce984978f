/* Positions of bodies at the last pair search (see reference.h). */
#include "base/target.h"

#include "contact/reference.h"

#include <math.h>
#include <string.h>

size_t eli_reference_size(int element_count) {
  return 3 * ((size_t)element_count + 1) + (size_t)element_count;
}

void eli_reference_init(eli_reference *reference, int element_count, int closed, double *memory) {
  reference->element_count = element_count;
  reference->node_count = closed ? element_count : element_count + 1;
  for (int a = 0; a < 3; a++) reference->position[a] = memory + (size_t)a * ((size_t)element_count + 1);
  reference->least_square = memory + 3 * ((size_t)element_count + 1);
  reference->least_cosine = NULL;
  reference->set = 0;
}

void eli_reference_set(eli_reference *reference, const double *const position[3], double shrinkage) {
  const int n = reference->element_count;
  double *const *x = reference->position;
  for (int a = 0; a < 3; a++) {
    memcpy(x[a], position[a], (size_t)reference->node_count * sizeof(double));
    if (reference->node_count == n) x[a][n] = x[a][0];
  }
  for (int j = 0; j < n; j++) {
    const double u = x[0][j + 1] - x[0][j], v = x[1][j + 1] - x[1][j], w = x[2][j + 1] - x[2][j];
    reference->least_square[j] = shrinkage * shrinkage * (u * u + v * v + w * w);
  }
  reference->set = 1;
}

/* Returns 1 if the element that closes a ring is shorter than allowed, or turned too far against one of its neighbours. */
static int ring_has_left(const eli_reference *reference, const double *const position[3]) {
  const int n = reference->element_count;
  double square[3] = {0.0, 0.0, 0.0}, product[2] = {0.0, 0.0};
  if (reference->node_count != n) return 0;
  for (int a = 0; a < 3; a++) {
    const double *x = position[a], edge[3] = {x[n - 1] - x[n - 2], x[0] - x[n - 1], x[1] - x[0]};
    for (int k = 0; k < 3; k++) square[k] += edge[k] * edge[k];
    for (int k = 0; k < 2; k++) product[k] += edge[k] * edge[k + 1];
  }
  if (!(square[1] >= reference->least_square[n - 1])) return 1;
  for (int k = 0; k < 2 && reference->least_cosine != NULL; k++)
    if (!(product[k] * fabs(product[k]) >= reference->least_cosine[n - 2 + k] * (square[k] * square[k + 1]))) return 1;
  return 0;
}

/* Number of nodes and elements that are checked between two tests for an early return. */
enum { CHUNK = 128 };

int eli_reference_is_left_by(const eli_reference *reference, const double *const position[3], const double drift[3], double limit,
                             eli_reference_look *look) {
  const int nodes = reference->node_count;
  if (!reference->set || !(limit >= 0.0)) return 1;
  for (int i = 0; i < nodes; i += CHUNK)
    if (look(reference, position, drift, limit * limit, i, i + CHUNK < nodes ? i + CHUNK : nodes)) return 1;
  return ring_has_left(reference, position);
}
