/* Pairs of bodies that are close to each other: a grid of cells, stored as a sorted list of keys.
 *
 * models     bounding spheres, each in the cell of its centre; cells are as wide as the largest sphere, so that overlapping spheres are in
 *            the same cell or in neighbouring cells. Spheres of unlike radii are on different levels, each with a grid of its own: a large
 *            sphere does not bring small ones into one cell
 * source     the cell list of molecular dynamics; keys are sorted (radix sort, stable) instead of hashed, so that the order of pairs
 *            depends on no table size and no history
 * test       tests/test_broad_phase.c
 */
#include "base/target.h"

#include "contact/broad_phase.h"

#include <math.h>
#include <string.h>

/* The key of a cell is x + y 2^21 + z 2^42, counted from 1, so that the neighbours of an outermost cell have keys too. */
enum { AXIS_BITS = 21, LARGEST_CELL = (1 << 20) };

void eli_near_pairs_init(eli_near_pairs *pairs, const eli_allocator *allocator) {
  memset(pairs, 0, sizeof *pairs);
  pairs->allocator = *allocator;
}

static void release_bodies(eli_near_pairs *pairs) {
  eli_release(&pairs->allocator, pairs->cells);
  eli_release(&pairs->allocator, pairs->spare_cells);
  eli_release(&pairs->allocator, pairs->bodies);
  eli_release(&pairs->allocator, pairs->spare_bodies);
  pairs->cells = pairs->spare_cells = NULL;
  pairs->bodies = pairs->spare_bodies = NULL;
  pairs->body_capacity = 0;
}

void eli_near_pairs_destroy(eli_near_pairs *pairs) {
  release_bodies(pairs);
  eli_release(&pairs->allocator, pairs->keys);
  eli_release(&pairs->allocator, pairs->spare);
}

static int reserve_bodies(eli_near_pairs *pairs, size_t count) {
  if (count <= pairs->body_capacity) return 1;
  release_bodies(pairs);
  pairs->cells = eli_allocate(&pairs->allocator, count, sizeof *pairs->cells);
  pairs->spare_cells = eli_allocate(&pairs->allocator, count, sizeof *pairs->spare_cells);
  pairs->bodies = eli_allocate(&pairs->allocator, count, sizeof *pairs->bodies);
  pairs->spare_bodies = eli_allocate(&pairs->allocator, count, sizeof *pairs->spare_bodies);
  if (pairs->cells == NULL || pairs->spare_cells == NULL || pairs->bodies == NULL || pairs->spare_bodies == NULL) {
    release_bodies(pairs);
    return 0;
  }
  pairs->body_capacity = count;
  return 1;
}

/* Keeps the present keys. */
static int reserve_keys(eli_near_pairs *pairs, size_t count) {
  if (count <= pairs->capacity) return 1;
  uint64_t *keys = eli_allocate(&pairs->allocator, count, sizeof *keys), *spare = eli_allocate(&pairs->allocator, count, sizeof *spare);
  if (keys == NULL || spare == NULL) {
    eli_release(&pairs->allocator, keys);
    eli_release(&pairs->allocator, spare);
    return 0;
  }
  if (pairs->count > 0) memcpy(keys, pairs->keys, pairs->count * sizeof *keys);
  eli_release(&pairs->allocator, pairs->keys);
  eli_release(&pairs->allocator, pairs->spare);
  pairs->keys = keys;
  pairs->spare = spare;
  pairs->capacity = count;
  return 1;
}

int eli_near_pairs_reserve(eli_near_pairs *pairs, size_t body_count, size_t pair_count) {
  return reserve_bodies(pairs, body_count) && reserve_keys(pairs, pair_count);
}

/* ---- Sorting ---- */

/* Sorts keys by one byte, and moves the values, if any, with them; the result is in the other arrays. Returns 0 if all keys have the same
 * byte; nothing is moved then. */
static int sort_by_byte(const uint64_t *keys, const uint32_t *values, size_t count, int shift, uint64_t *to_keys, uint32_t *to_values) {
  size_t place[256] = {0}, sum = 0;
  for (size_t k = 0; k < count; k++) place[(keys[k] >> shift) & 255]++;
  if (place[(keys[0] >> shift) & 255] == count) return 0;
  for (int b = 0; b < 256; b++) {
    const size_t here = place[b];
    place[b] = sum;
    sum += here;
  }
  for (size_t k = 0; k < count; k++) {
    const size_t to = place[(keys[k] >> shift) & 255]++;
    to_keys[to] = keys[k];
    if (values != NULL) to_values[to] = values[k];
  }
  return 1;
}

static void sort(uint64_t **keys, uint64_t **spare, uint32_t **values, uint32_t **spare_values, size_t count) {
  if (count < 2) return;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!sort_by_byte(*keys, values != NULL ? *values : NULL, count, shift, *spare, values != NULL ? *spare_values : NULL)) continue;
    uint64_t *k = *keys;
    *keys = *spare;
    *spare = k;
    if (values == NULL) continue;
    uint32_t *v = *values;
    *values = *spare_values;
    *spare_values = v;
  }
}

/* ---- Cells ---- */

/* Returns the largest radius of these bodies. */
static double largest_of(const eli_spheres *spheres, const uint32_t *bodies, size_t count) {
  double radius = 0.0;
  for (size_t k = 0; k < count; k++)
    if (spheres->radius[bodies[k]] > radius) radius = spheres->radius[bodies[k]];
  return radius;
}

typedef struct grid {
  double least[3], width;
} grid;

/* Makes cells as wide as the largest sphere of these bodies, or wider if the number of cells would exceed the range of the keys. */
static grid make_grid(const eli_spheres *spheres, const uint32_t *bodies, size_t count) {
  grid of = {{0.0, 0.0, 0.0}, 0.0};
  double extent = 0.0;
  const double radius = largest_of(spheres, bodies, count);
  for (int a = 0; a < 3; a++) {
    double most = of.least[a] = spheres->centre[a][bodies[0]];
    for (size_t k = 1; k < count; k++) {
      const double x = spheres->centre[a][bodies[k]];
      if (x < of.least[a]) of.least[a] = x;
      if (x > most) most = x;
    }
    if (most - of.least[a] > extent) extent = most - of.least[a];
  }
  of.width = 2.0 * radius * (1.0 + 1e-9);
  if (!(of.width * LARGEST_CELL > extent)) of.width = extent / LARGEST_CELL;
  return of;
}

static uint64_t cell_of(const grid *of, const eli_spheres *spheres, uint32_t k) {
  uint64_t key = 0;
  for (int a = 0; a < 3; a++) {
    double x = (spheres->centre[a][k] - of->least[a]) / of->width;
    if (!(x > 0.0)) x = 0.0; /* also for NaN */
    if (x > LARGEST_CELL) x = LARGEST_CELL;
    key |= ((uint64_t)x + 1) << (AXIS_BITS * a);
  }
  return key;
}

/* ---- Pair search ---- */

typedef struct finder {
  eli_near_pairs *pairs;
  const eli_spheres *spheres;
  int (*keep)(void *context, int first, int second);
  void *context;
} finder;

int eli_near_pairs_add(eli_near_pairs *pairs, uint32_t first, uint32_t second) {
  if (pairs->count == pairs->capacity && !reserve_keys(pairs, pairs->capacity < 64 ? 64 : 2 * pairs->capacity)) return 0;
  pairs->keys[pairs->count++] = (uint64_t)first << 32 | second;
  return 1;
}

/* Adds the pair of two bodies if their spheres overlap; returns 0 without memory. */
static int try_pair(const finder *find, uint32_t one, uint32_t other) {
  const eli_spheres *spheres = find->spheres;
  eli_near_pairs *pairs = find->pairs;
  const double x = spheres->centre[0][one] - spheres->centre[0][other], y = spheres->centre[1][one] - spheres->centre[1][other],
               z = spheres->centre[2][one] - spheres->centre[2][other], reach = spheres->radius[one] + spheres->radius[other];
  const uint32_t first = one < other ? one : other, second = one < other ? other : one;
  if (x * x + y * y + z * z > reach * reach || !find->keep(find->context, (int)first, (int)second)) return 1;
  return eli_near_pairs_add(pairs, first, second);
}

/* ---- Levels ---- */

/* The radii of a level are at most this many times apart, except on the last level. */
#define LEVEL_RATIO 4.0
enum { MOST_LEVELS = 8 };

/* On a level with so few bodies, all of them are tried. */
enum { FEW = 8 };

typedef struct level {
  grid of;
  size_t first, end; /* its bodies, in the order of their cells */
} level;

/* Divides all bodies into levels, the largest first. Returns the number of levels. */
static int divide(const eli_near_pairs *pairs, const eli_spheres *spheres, level levels[MOST_LEVELS]) {
  uint32_t *left = pairs->spare_bodies;
  size_t rest = (size_t)spheres->count, end = 0;
  int count = 0;
  for (size_t k = 0; k < rest; k++) left[k] = (uint32_t)k;
  for (; rest > 0; count++) {
    const double least = count + 1 < MOST_LEVELS ? largest_of(spheres, left, rest) / LEVEL_RATIO : 0.0;
    size_t kept = 0;
    levels[count].first = end;
    for (size_t k = 0; k < rest; k++) {
      if (spheres->radius[left[k]] < least)
        left[kept++] = left[k];
      else
        pairs->bodies[end++] = left[k];
    }
    levels[count].end = end;
    rest = kept;
  }
  return count;
}

/* Makes the grid of a level, and sorts its bodies by their cells. */
static void sort_level(const eli_near_pairs *pairs, const eli_spheres *spheres, level *of) {
  const size_t count = of->end - of->first;
  uint64_t *cells = pairs->cells + of->first, *spare = pairs->spare_cells + of->first;
  uint32_t *bodies = pairs->bodies + of->first, *spare_bodies = pairs->spare_bodies + of->first;
  of->of = make_grid(spheres, bodies, count);
  for (size_t k = 0; k < count; k++) cells[k] = cell_of(&of->of, spheres, bodies[k]);
  sort(&cells, &spare, &bodies, &spare_bodies, count);
  if (cells == pairs->cells + of->first) return;
  memcpy(spare, cells, count * sizeof *cells);
  memcpy(spare_bodies, bodies, count * sizeof *bodies);
}

/* Returns the first body of a level in this cell or behind it. */
static size_t first_in(const finder *find, const level *of, uint64_t cell) {
  size_t low = of->first, high = of->end;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (find->pairs->cells[middle] < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Tries a body with the bodies of a level of larger ones, in the cell of its centre there and all neighbours. */
static int try_larger(const finder *find, const level *of, uint32_t body) {
  const uint64_t row = (uint64_t)1 << AXIS_BITS, layer = (uint64_t)1 << (2 * AXIS_BITS);
  const uint64_t *cells = find->pairs->cells;
  const uint32_t *bodies = find->pairs->bodies;
  if (of->end - of->first <= FEW) {
    for (size_t m = of->first; m < of->end; m++)
      if (!try_pair(find, bodies[m], body)) return 0;
    return 1;
  }
  const uint64_t corner = cell_of(&of->of, find->spheres, body) - 1 - row - layer;
  for (uint64_t r = 0; r < 9; r++) {
    const uint64_t from = corner + r % 3 * row + r / 3 * layer;
    for (size_t m = first_in(find, of, from); m < of->end && cells[m] <= from + 2; m++)
      if (!try_pair(find, bodies[m], body)) return 0;
  }
  return 1;
}

/* Tries the bodies of a level with each other: each with the later bodies in its own cell, with those in the next cell, and with those in
 * three cells of each of the four following rows. This is half of the 26 neighbours; the other half is tried from the other side. The
 * starts of the rows only move forward, as the cells do. */
static int try_level(const finder *find, const level *of) {
  const uint64_t row = (uint64_t)1 << AXIS_BITS, layer = (uint64_t)1 << (2 * AXIS_BITS);
  const uint64_t offsets[4] = {row, layer - row, layer, layer + row};
  const uint64_t *cells = find->pairs->cells;
  const uint32_t *bodies = find->pairs->bodies;
  size_t start[4] = {of->first, of->first, of->first, of->first};
  for (size_t k = of->first; k < of->end; k++) {
    const uint64_t here = cells[k];
    for (size_t m = k + 1; m < of->end && cells[m] <= here + 1; m++)
      if (!try_pair(find, bodies[k], bodies[m])) return 0;
    for (int r = 0; r < 4; r++) {
      const uint64_t there = here + offsets[r];
      while (start[r] < of->end && cells[start[r]] < there - 1) start[r]++;
      for (size_t m = start[r]; m < of->end && cells[m] <= there + 1; m++)
        if (!try_pair(find, bodies[k], bodies[m])) return 0;
    }
  }
  return 1;
}

/* Tries the bodies of all levels. */
static int try_all(const finder *find, const level *levels, int count) {
  for (int k = 0; k < count; k++) {
    if (!try_level(find, &levels[k])) return 0;
    for (int larger = 0; larger < k; larger++)
      for (size_t m = levels[k].first; m < levels[k].end; m++)
        if (!try_larger(find, &levels[larger], find->pairs->bodies[m])) return 0;
  }
  return 1;
}

int eli_near_pairs_find(eli_near_pairs *pairs, const eli_spheres *spheres, int (*keep)(void *context, int first, int second),
                        void *context) {
  const size_t count = (size_t)spheres->count;
  const finder find = {pairs, spheres, keep, context};
  level levels[MOST_LEVELS];
  pairs->count = 0;
  if (count < 2) return 1;
  if (!reserve_bodies(pairs, count)) return 0;
  const int level_count = divide(pairs, spheres, levels);
  for (int k = 0; k < level_count; k++) sort_level(pairs, spheres, &levels[k]);
  if (!try_all(&find, levels, level_count)) {
    pairs->count = 0;
    return 0;
  }
  sort(&pairs->keys, &pairs->spare, NULL, NULL, pairs->count);
  return 1;
}

/* ---- Positions at the last pair search ---- */

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
                             eli_reference_check *check) {
  const int nodes = reference->node_count;
  if (!reference->set || !(limit >= 0.0)) return 1;
  for (int i = 0; i < nodes; i += CHUNK)
    if (check(reference, position, drift, limit * limit, i, i + CHUNK < nodes ? i + CHUNK : nodes)) return 1;
  return ring_has_left(reference, position);
}
