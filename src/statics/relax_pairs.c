/* Stiffness of loads between bodies, such as joints: measured unknown by unknown, because it reaches across rods.
 *
 * models     E = -d(loads of add_world_loads)/d(displacements and turns) among the unknowns with such loads
 * equation   the part of E from a block to itself and its neighbours goes into the band of its rod; the rest, C, couples bands B:
 *            (B + P C P^T)^-1 b = u - B^-1 P C (1 + G C)^-1 P^T u,  u = B^-1 b,  G = P^T B^-1 P   (Woodbury), P picks the unknowns.
 *            With G = R^T R, B + P C P^T has as many negative eigenvalues as 1 + R C R^T (Sylvester)
 * source     Hager, Updating the inverse of a matrix, SIAM Review 31 (1989) 221
 * test       tests/test_relax_bodies.c
 *
 * Bands contain the stiffness of each body with its partners fixed, so that a body on nothing but a joint has a regular matrix too.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

/* Extent of the displacement in a difference, as in relax_loads.c. */
#define DIFFERENCE 1e-6

int eli_relax_allocate_pairs(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  const size_t size = relaxation->size, most = size < ELI_MOST_PAIR_UNKNOWNS ? size : ELI_MOST_PAIR_UNKNOWNS, square = most * most;
  if (!eli_world_has_pair_phase(relaxation->world) || size == 0) return 1;
  double *memory =
      eli_allocate(&relaxation->world->allocator, 1, (5 * square + most + 2 * size) * sizeof(double) + 2 * most * sizeof(size_t));
  if (memory == NULL) return 0;
  pairs->stiffness = memory;
  pairs->most = most;
  pairs->across = pairs->stiffness + square;
  pairs->yield = pairs->across + square;
  pairs->solver = pairs->yield + square;
  pairs->factor = pairs->solver + square;
  pairs->part = pairs->factor + square;
  pairs->force = pairs->part + most;
  pairs->moved = pairs->force + size;
  pairs->unknown = (size_t *)(pairs->moved + size);
  pairs->order = pairs->unknown + most;
  memset(pairs->force, 0, size * sizeof(double));
  return 1;
}

/* ---- Measurement ---- */

/* Computes the loads of pairs alone in the state displaced by x, into probe. Leaves the present state unchanged. */
static elastica_status loads_at(eli_relaxation *relaxation, const double *x) {
  eli_tile_report report;
  double *const step = relaxation->step;
  if (x != relaxation->displacement) memcpy(relaxation->displacement, x, relaxation->size * sizeof *x);
  relaxation->step = relaxation->displacement;
  eli_relax_swap_saved(relaxation);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->world->calls.leaves_contacts = relaxation->touching.known;
  const elastica_status status = eli_world_pair_loads(relaxation->world, &relaxation->probe, &report);
  relaxation->world->calls.leaves_contacts = 0;
  eli_relax_restore(relaxation);
  eli_relax_swap_saved(relaxation);
  relaxation->step = step;
  return status;
}

static double unit_of(const eli_relaxation *relaxation, int r, size_t k) {
  return k % 6 < 3 ? eli_relax_length_at(relaxation, r, k / 6 - relaxation->first[r]) : 1.0;
}

/* Finds the unknowns with loads that change under a displacement of all unknowns. Too many count as none. */
static elastica_status find_unknowns(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  double *x = relaxation->displacement;
  pairs->count = 0;
  memset(x, 0, relaxation->size * sizeof *x);
  elastica_status status = loads_at(relaxation, x);
  if (status != ELASTICA_OK) return status;
  memcpy(pairs->force, relaxation->probe.loads, relaxation->size * sizeof *x);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t k = 6 * relaxation->first[r]; k < 6 * (relaxation->first[r] + relaxation->tangents[r].blocks); k++)
      x[k] = relaxation->held[k] ? 0.0 : DIFFERENCE * eli_relax_noise(k) * unit_of(relaxation, r, k);
  status = loads_at(relaxation, x);
  for (size_t k = 0; k < relaxation->size && status == ELASTICA_OK; k++) {
    const size_t part = k - k % 3; /* all components of a vector: one of them may stay unchanged by chance */
    const double *now = relaxation->probe.loads + part, *before = pairs->force + part;
    if (relaxation->held[k] || (now[0] == before[0] && now[1] == before[1] && now[2] == before[2])) continue;
    if (pairs->count == pairs->most) {
      pairs->count = 0;
      return status;
    }
    pairs->unknown[pairs->count++] = k;
  }
  return status;
}

static int rod_of(const eli_relaxation *relaxation, size_t unknown) {
  int low = 0, high = relaxation->rod_count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (6 * relaxation->first[middle] <= unknown)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Returns 1 if the band of the rod has a place for both unknowns. */
static int in_band(const eli_relaxation *relaxation, int r, size_t row, size_t column) {
  const size_t first = relaxation->first[r], blocks = relaxation->tangents[r].blocks;
  if (row / 6 < first || row / 6 >= first + blocks) return 0;
  const size_t low = row < column ? row / 6 : column / 6, high = row < column ? column / 6 : row / 6;
  return high - low <= 1 || (relaxation->rods[r]->closed && high - low == blocks - 1);
}

int eli_relax_band_of(const eli_relaxation *relaxation, size_t row, size_t column) {
  const int r = rod_of(relaxation, column);
  return in_band(relaxation, r, row, column) ? r : -1;
}

/* Stores one number: the change since the last measurement into the band if it has a place there, and the rest in across. */
static void store(eli_relaxation *relaxation, int r, size_t k, size_t c, double now) {
  eli_pairs *pairs = &relaxation->pairs;
  const size_t row = pairs->unknown[k], column = pairs->unknown[c], first = 6 * relaxation->first[r];
  double *known = &pairs->stiffness[k * pairs->most + c];
  const int band = in_band(relaxation, r, row, column);
  if (band) eli_tangent_add_load(&relaxation->tangents[r], row - first, column - first, now - *known);
  *known = now;
  pairs->across[k * pairs->most + c] = band ? 0.0 : now;
}

static void store_column(eli_relaxation *relaxation, int r, size_t c, double size) {
  const eli_pairs *pairs = &relaxation->pairs;
  for (size_t k = 0; k < pairs->count; k++) {
    const size_t row = pairs->unknown[k];
    store(relaxation, r, k, c, (pairs->force[row] - relaxation->probe.loads[row]) / size);
  }
}

/* Removes the measured stiffness from the bands. */
static void forget_known(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  for (size_t c = 0; c < pairs->count; c++) {
    const size_t column = pairs->unknown[c];
    const int r = rod_of(relaxation, column);
    const size_t first = 6 * relaxation->first[r];
    for (size_t k = 0; k < pairs->count; k++) {
      double *known = &pairs->stiffness[k * pairs->most + c];
      const size_t row = pairs->unknown[k];
      if (*known != 0.0 && in_band(relaxation, r, row, column))
        eli_tangent_add_load(&relaxation->tangents[r], row - first, column - first, -*known);
      *known = 0.0;
    }
  }
}

void eli_relax_leave_pairs(eli_relaxation *relaxation) {
  forget_known(relaxation);
  relaxation->pairs.count = 0;
  relaxation->leaves_pairs = 1;
}

/* ---- Stiffness that effects know ---- */

static void mark_parts(void *context, size_t row, size_t column, const double block[9], int balanced) {
  eli_relaxation *relaxation = context;
  (void)block, (void)balanced;
  for (size_t a = 0; a < 3; a++) relaxation->displacement[3 * row + a] = relaxation->displacement[3 * column + a] = 1.0;
}

/* Finds the unknowns of all blocks. */
static elastica_status list_unknowns(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  pairs->count = 0;
  memset(relaxation->displacement, 0, relaxation->size * sizeof(double));
  const elastica_status status = eli_relax_visit_tangents(relaxation, 1, mark_parts, relaxation);
  for (size_t k = 0; k < relaxation->size && status == ELASTICA_OK; k++) {
    if (relaxation->displacement[k] == 0.0 || relaxation->held[k]) continue;
    if (pairs->count == pairs->most) {
      pairs->count = 0;
      return status;
    }
    pairs->unknown[pairs->count++] = k;
  }
  return status;
}

/* Returns the place of an unknown in the ascending list, or its length. */
static size_t place_of(const eli_pairs *pairs, size_t unknown) {
  size_t low = 0, high = pairs->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (pairs->unknown[middle] < unknown)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pairs->count && pairs->unknown[low] == unknown ? low : pairs->count;
}

/* Adds a block to the matrix in factor. */
static void add_block(void *context, size_t row, size_t column, const double block[9], int balanced) {
  const eli_pairs *pairs = &((const eli_relaxation *)context)->pairs;
  (void)balanced;
  for (size_t k = 0; k < 9; k++) {
    const size_t i = place_of(pairs, 3 * row + k / 3), j = place_of(pairs, 3 * column + k % 3);
    if (i < pairs->count && j < pairs->count) pairs->factor[i * pairs->most + j] += block[k];
  }
}

static elastica_status take_tangents(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  memset(pairs->factor, 0, pairs->count * pairs->most * sizeof(double));
  const elastica_status status = eli_relax_visit_tangents(relaxation, 1, add_block, relaxation);
  for (size_t c = 0; c < pairs->count && status == ELASTICA_OK; c++) {
    const int r = rod_of(relaxation, pairs->unknown[c]);
    for (size_t k = 0; k < pairs->count; k++) store(relaxation, r, k, c, pairs->factor[k * pairs->most + c]);
  }
  return status;
}

elastica_status eli_relax_measure_pairs(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  double *x = relaxation->displacement;
  if (relaxation->leaves_pairs) return ELASTICA_OK;
  if (relaxation->touching.limit > 0.0 && !relaxation->touching.known && pairs->most > 0) {
    forget_known(relaxation);
    const elastica_status found = find_unknowns(relaxation);
    if (found != ELASTICA_OK) return found;
  }
  if (pairs->count == 0) return ELASTICA_OK;
  memset(x, 0, relaxation->size * sizeof *x);
  elastica_status status = loads_at(relaxation, x);
  if (status != ELASTICA_OK) return status;
  memcpy(pairs->force, relaxation->probe.loads, relaxation->size * sizeof *x);
  if (relaxation->exact) return take_tangents(relaxation);
  for (size_t c = 0; c < pairs->count; c++) {
    const int r = rod_of(relaxation, pairs->unknown[c]);
    const double size = DIFFERENCE * unit_of(relaxation, r, pairs->unknown[c]);
    memset(x, 0, relaxation->size * sizeof *x);
    x[pairs->unknown[c]] = size;
    status = loads_at(relaxation, x);
    if (status != ELASTICA_OK) return status;
    store_column(relaxation, r, c, size);
  }
  return ELASTICA_OK;
}

elastica_status eli_relax_find_pairs(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  if (pairs->most == 0 || relaxation->leaves_pairs) return ELASTICA_OK;
  memset(pairs->stiffness, 0, pairs->most * pairs->most * sizeof(double));
  relaxation->exact = eli_relax_has_tangents(relaxation, 1);
  return relaxation->exact ? list_unknowns(relaxation) : find_unknowns(relaxation);
}

/* ---- Solution ---- */

void eli_relax_add_pairs(const eli_relaxation *relaxation, const double *x, double *y) {
  const eli_pairs *pairs = &relaxation->pairs;
  for (size_t k = 0; k < pairs->count; k++)
    for (size_t c = 0; c < pairs->count; c++) y[pairs->unknown[k]] += pairs->across[k * pairs->most + c] * x[pairs->unknown[c]];
}

/* Computes G, column by column; each column belongs to one rod. */
static void find_yield(const eli_relaxation *relaxation) {
  const eli_pairs *pairs = &relaxation->pairs;
  for (size_t c = 0; c < pairs->count; c++) {
    const int r = rod_of(relaxation, pairs->unknown[c]);
    const size_t first = 6 * relaxation->first[r], count = 6 * relaxation->tangents[r].blocks;
    double *b = pairs->moved + first;
    memset(b, 0, count * sizeof *b);
    b[pairs->unknown[c] - first] = 1.0;
    eli_tangent_solve(&relaxation->tangents[r], b, b);
    for (size_t k = 0; k < pairs->count; k++) {
      const size_t row = pairs->unknown[k];
      pairs->yield[k * pairs->most + c] = row >= first && row < first + count ? pairs->moved[row] : 0.0;
    }
  }
}

/* m = L L^T, the lower triangle, from the symmetric part of m. Returns 0 if that is not positive definite. */
static int cholesky(double *m, size_t n, size_t width) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0.5 * (m[i * width + j] + m[j * width + i]);
      if (i == j) sum = m[i * width + i];
      for (size_t k = 0; k < j; k++) sum -= m[i * width + k] * m[j * width + k];
      if (i == j && !(sum > 0.0)) return 0;
      m[i * width + j] = i == j ? sqrt(sum) : sum / m[j * width + j];
    }
  return 1;
}

/* Computes 1 + G C, into solver. */
static void fill_solver(const eli_pairs *pairs) {
  const size_t n = pairs->count, w = pairs->most;
  for (size_t i = 0; i < n; i++) {
    double *row = pairs->solver + i * w;
    for (size_t j = 0; j < n; j++) row[j] = i == j ? 1.0 : 0.0;
    for (size_t k = 0; k < n; k++) {
      const double yield = pairs->yield[i * w + k];
      for (size_t j = 0; j < n && yield != 0.0; j++) row[j] += yield * pairs->across[k * w + j];
    }
  }
}

/* Computes 1 + R C R^T with R^T the lower triangle of factor, into factor. Overwrites yield. */
static void make_congruent(const eli_pairs *pairs) {
  const size_t n = pairs->count, w = pairs->most;
  double *product = pairs->yield;
  memset(product, 0, n * w * sizeof *product);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      const double stiffness = 0.5 * (pairs->across[i * w + k] + pairs->across[k * w + i]);
      for (size_t j = 0; j <= k && stiffness != 0.0; j++) product[i * w + j] += stiffness * pairs->factor[k * w + j];
    }
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      pairs->part[i] = i == j ? 1.0 : 0.0;
      for (size_t k = i; k < n; k++) pairs->part[i] += pairs->factor[k * w + i] * product[k * w + j];
    }
    for (size_t i = 0; i < n; i++) product[i * w + j] = pairs->part[i];
  }
  memcpy(pairs->factor, product, n * w * sizeof *product);
}

/* a = L U with row pivoting, in place; order: of the rows. Returns 0 if a is singular. */
static int lu(double *a, size_t n, size_t width, size_t *order) {
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * width + k]) > fabs(a[best * width + k])) best = i;
    order[k] = best;
    if (!(fabs(a[best * width + k]) > 0.0)) return 0;
    for (size_t j = 0; j < n && best != k; j++) {
      const double kept = a[k * width + j];
      a[k * width + j] = a[best * width + j];
      a[best * width + j] = kept;
    }
    for (size_t i = k + 1; i < n; i++) {
      const double ratio = a[i * width + k] /= a[k * width + k];
      for (size_t j = k + 1; j < n && ratio != 0.0; j++) a[i * width + j] -= ratio * a[k * width + j];
    }
  }
  return 1;
}

static void lu_solve(const double *a, size_t n, size_t width, const size_t *order, double *x) {
  for (size_t k = 0; k < n; k++) {
    const double kept = x[k];
    x[k] = x[order[k]];
    x[order[k]] = kept;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) x[i] -= a[i * width + j] * x[j];
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) x[i] -= a[i * width + j] * x[j];
    x[i] /= a[i * width + i];
  }
}

int eli_relax_factorise_pairs(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  const size_t n = pairs->count, w = pairs->most;
  if (n == 0) return 1;
  find_yield(relaxation);
  fill_solver(pairs);
  pairs->ready = lu(pairs->solver, n, w, pairs->order);
  memcpy(pairs->factor, pairs->yield, n * w * sizeof(double));
  if (!pairs->ready || !cholesky(pairs->factor, n, w)) return 0;
  make_congruent(pairs);
  return cholesky(pairs->factor, n, w);
}

void eli_relax_correct_for_pairs(const eli_relaxation *relaxation, double *x) {
  const eli_pairs *pairs = &relaxation->pairs;
  const size_t n = pairs->count;
  if (n == 0 || !pairs->ready) return;
  for (size_t k = 0; k < n; k++) pairs->part[k] = x[pairs->unknown[k]];
  lu_solve(pairs->solver, n, pairs->most, pairs->order, pairs->part);
  memset(pairs->moved, 0, relaxation->size * sizeof *x);
  for (size_t k = 0; k < n; k++)
    for (size_t c = 0; c < n; c++) pairs->moved[pairs->unknown[k]] += pairs->across[k * pairs->most + c] * pairs->part[c];
  for (int r = 0; r < relaxation->rod_count; r++) {
    double *b = pairs->moved + 6 * relaxation->first[r];
    eli_tangent_solve(&relaxation->tangents[r], b, b);
  }
  for (size_t i = 0; i < relaxation->size; i++) x[i] -= pairs->moved[i];
}
