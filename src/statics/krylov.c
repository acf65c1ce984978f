/* Eigenpairs by a block Krylov space with full orthogonalisation.
 *
 * models     A x = theta x for the largest theta, A self-adjoint in the product x . B y
 * method     the space of a block of start vectors X and A X, A A X, ..., orthonormal in B by two passes of Gram and Schmidt; Ritz pairs of
 *            the projected matrix, by Jacobi's method. Pairs that are found are kept out of later spaces. A space that is full starts again
 *            from its best vectors
 * source     G. H. Golub and R. Underwood, The block Lanczos method for computing eigenvalues (1977); B. N. Parlett, The Symmetric
 * Eigenvalue
 *            Problem (1998), chapters 11 and 13
 * test       tests/test_krylov.c
 */
#include "base/target.h"

#include "statics/krylov.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/symmetric_eigen.h"

/* A vector that orthogonalisation reduces below this share is rounding. */
#define LOST 1e-12

/* Largest number of spaces in a search. */
enum { MOST_SPACES = 30 };

enum { BLOCK = ELI_KRYLOV_BLOCK };

/* A space: an orthonormal basis and the projected matrix. */
typedef struct space {
  eli_krylov *of;
  size_t size;
  int block;                                          /* start vectors */
  int rank, most;                                     /* vectors of the basis; most of them */
  int expanded;                                       /* vectors with an image: the first of them */
  double *basis;                                      /* [most size] */
  double *product;                                    /* [most most] basis_i . B A basis_j by rows, for expanded j */
  double *weighed;                                    /* [size] */
  double *matrix, *ritz, *ritz_vectors, *coefficient; /* [most most], [most], [most most], [most] */
  uint64_t random;
  int ended; /* 1: no further vector is independent of the basis and the pairs found */
} space;

/* ---- Vectors ---- */

enum { LANES = 8 };

/* Eight partial sums: the order does not depend on the instruction set. */
static double dot(size_t size, const double *restrict x, const double *restrict y) {
  double sum[LANES] = {0.0}, rest = 0.0;
  size_t i = 0;
  for (; i + LANES <= size; i += LANES)
    for (size_t k = 0; k < LANES; k++) sum[k] += x[i + k] * y[i + k];
  for (; i < size; i++) rest += x[i] * y[i];
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + rest;
}

static void add(size_t size, double factor, const double *restrict x, double *restrict y) {
  for (size_t i = 0; i < size; i++) y[i] += factor * x[i];
}

static void scale(size_t size, double factor, double *x) {
  for (size_t i = 0; i < size; i++) x[i] *= factor;
}

static double norm(const space *s, const double *x) {
  s->of->on->weigh(s->of->on->context, x, s->weighed);
  const double square = dot(s->size, x, s->weighed);
  return square > 0.0 ? sqrt(square) : 0.0;
}

/* Removes from x its parts along the pairs found and along the basis; adds those along the basis to coefficient. */
static void orthogonalise(const space *s, double *x, double *coefficient) {
  const eli_krylov *of = s->of;
  of->on->weigh(of->on->context, x, s->weighed);
  for (int k = 0; k < of->count; k++) {
    const double *found = of->vector + (size_t)k * s->size;
    add(s->size, -dot(s->size, found, s->weighed), found, x);
  }
  for (int k = 0; k < s->rank; k++) {
    const double *v = s->basis + (size_t)k * s->size, along = dot(s->size, v, s->weighed);
    add(s->size, -along, v, x);
    coefficient[k] += along;
  }
}

/* Makes the vector behind the basis its next one, unless it depends on the others. column: of product, or NULL. Returns 0 if it does. */
static int join(space *s, double *column) {
  double *x = s->basis + (size_t)s->rank * s->size;
  const double before = norm(s, x);
  memset(s->coefficient, 0, (size_t)s->most * sizeof *s->coefficient);
  for (int pass = 0; pass < 2; pass++) orthogonalise(s, x, s->coefficient);
  const double left = norm(s, x);
  for (int k = 0; k < s->rank && column != NULL; k++) column[(size_t)k * (size_t)s->most] = s->coefficient[k];
  if (!(left > LOST * before)) return 0;
  if (column != NULL) column[(size_t)s->rank * (size_t)s->most] = left;
  scale(s->size, 1.0 / left, x);
  orthogonalise(s, x, s->coefficient); /* parts of the size of rounding, beside a short rest */
  const double length = norm(s, x);
  if (!(length > 0.5)) return 0;
  scale(s->size, 1.0 / length, x);
  s->rank++;
  return 1;
}

static double draw(space *s) {
  s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(s->random >> 11) * 0x1p-52 - 1.0;
}

/* Joins the image of a vector of random numbers: its rough parts are damped. Returns 0 without success. */
static int join_random(space *s) {
  double *x = s->basis + (size_t)s->rank * s->size;
  for (int try = 0; try < 3; try++) {
    for (size_t i = 0; i < s->size; i++) s->weighed[i] = draw(s);
    memcpy(x, s->weighed, s->size * sizeof *x);
    orthogonalise(s, x, s->coefficient);
    memcpy(s->weighed, x, s->size * sizeof *x);
    s->of->on->apply(s->of->on->context, s->weighed, x);
    s->of->applications++;
    if (join(s, NULL)) return 1;
  }
  return 0;
}

/* ---- The space ---- */

/* Appends the image of the first vector without one. */
static void expand(space *s) {
  const int j = s->expanded;
  double *image = s->basis + (size_t)s->rank * s->size;
  s->of->on->apply(s->of->on->context, s->basis + (size_t)j * s->size, image);
  s->of->applications++;
  (void)join(s, s->product + j);
  s->expanded++;
}

/* Finds the Ritz pairs of the expanded vectors, by descending value. Returns 0 if numbers are not finite. */
static int find_ritz(space *s) {
  const int n = s->expanded;
  const size_t most = (size_t)s->most;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s->matrix[i * n + j] =
          -0.5 * (s->product[(size_t)i * most + (size_t)j] + s->product[(size_t)j * most + (size_t)i]); /* ascending there */
  if (!eli_symmetric_eigen(n, s->matrix, s->ritz, s->ritz_vectors)) return 0;
  for (int k = 0; k < n; k++) s->ritz[k] = -s->ritz[k];
  return 1;
}

/* Returns the norm of A x - theta x of a Ritz pair: its part along the vectors that are not expanded. */
static double residual_of(const space *s, int k) {
  double square = 0.0;
  for (int i = s->expanded; i < s->rank; i++) {
    double sum = 0.0;
    for (int j = 0; j < s->expanded; j++) sum += s->product[i * s->most + j] * s->ritz_vectors[k * s->expanded + j];
    square += sum * sum;
  }
  return sqrt(square);
}

static int converged(const space *s, int wanted, double tolerance) {
  int k = 0;
  while (k < wanted && k < s->expanded && residual_of(s, k) <= tolerance * fabs(s->ritz[k])) k++;
  return k;
}

static void form_ritz_vector(const space *s, int k, double *x) {
  memset(x, 0, s->size * sizeof *x);
  for (int j = 0; j < s->expanded; j++) add(s->size, s->ritz_vectors[k * s->expanded + j], s->basis + (size_t)j * s->size, x);
}

/* Moves a Ritz pair to its place among the pairs found. */
static void keep(const space *s, int k) {
  eli_krylov *of = s->of;
  int at = of->count;
  double *x = of->vector + (size_t)of->count * s->size;
  form_ritz_vector(s, k, x);
  const double value = s->ritz[k], residual = residual_of(s, k), length = norm(s, x);
  if (length > 0.0) scale(s->size, 1.0 / length, x);
  for (; at > 0 && of->value[at - 1] < value; at--) {
    of->value[at] = of->value[at - 1];
    of->residual[at] = of->residual[at - 1];
  }
  of->value[at] = value;
  of->residual[at] = residual;
  memcpy(s->weighed, x, s->size * sizeof *x);
  memmove(of->vector + (size_t)(at + 1) * s->size, of->vector + (size_t)at * s->size, (size_t)(of->count - at) * s->size * sizeof *x);
  memcpy(of->vector + (size_t)at * s->size, s->weighed, s->size * sizeof *x);
  of->count++;
}

/* Extends the space until so many pairs have converged, or it is full or complete. Returns their number. */
static int extend(space *s, int wanted, double tolerance) {
  int done = 0, next_check = wanted + 2 * s->block;
  for (;;) {
    s->ended = s->expanded == s->rank && !join_random(s); /* the space is invariant */
    const int full = s->rank >= s->most - s->block;
    if (s->expanded >= next_check || full || s->ended) {
      if (!find_ritz(s)) return 0;
      done = converged(s, wanted, s->ended ? INFINITY : tolerance);
      if (done >= wanted || full || s->ended) return done;
      next_check = s->expanded + (wanted - done > s->block ? wanted - done : s->block) + s->expanded / 8;
    }
    expand(s);
  }
}

/* Begins with the Ritz vectors from `first` on, and with random ones. */
static void restart(space *s, int first, int keeps) {
  double *start = s->basis + (size_t)s->most * s->size; /* BLOCK vectors of room */
  for (int k = 0; k < keeps; k++) form_ritz_vector(s, first + k, start + (size_t)k * s->size);
  s->rank = s->expanded = 0;
  memset(s->product, 0, (size_t)s->most * (size_t)s->most * sizeof *s->product);
  for (int k = 0; k < keeps; k++) {
    memcpy(s->basis + (size_t)s->rank * s->size, start + (size_t)k * s->size, s->size * sizeof *start);
    (void)join(s, NULL);
  }
  while (s->rank < s->block && join_random(s)) {
  }
}

static int allocate(space *s, int wanted) {
  const size_t n = s->size, room = 3 * (size_t)wanted + 30;
  s->most = (int)(room < n + BLOCK ? room : n + BLOCK) + BLOCK;
  const size_t most = (size_t)s->most;
  s->basis = eli_allocate(s->of->allocator, (most + BLOCK + 1) * n + 3 * most * most + 2 * most, sizeof *s->basis);
  if (s->basis == NULL) return 0;
  s->weighed = s->basis + (most + BLOCK) * n;
  s->product = s->weighed + n;
  s->matrix = s->product + most * most;
  s->ritz_vectors = s->matrix + most * most;
  s->ritz = s->ritz_vectors + most * most;
  s->coefficient = s->ritz + most;
  return 1;
}

int eli_krylov_create(eli_krylov *krylov, const eli_allocator *allocator, const eli_operator *on, int capacity) {
  memset(krylov, 0, sizeof *krylov);
  krylov->allocator = allocator;
  krylov->on = on;
  krylov->capacity = capacity;
  krylov->next = -INFINITY;
  krylov->value = eli_allocate(allocator, ((size_t)capacity + 1) * (on->size + 2), sizeof *krylov->value);
  if (krylov->value == NULL) return 0;
  krylov->residual = krylov->value + capacity + 1;
  krylov->vector = krylov->residual + capacity + 1;
  return 1;
}

void eli_krylov_release(eli_krylov *krylov) {
  if (krylov->allocator != NULL) eli_release(krylov->allocator, krylov->value);
  memset(krylov, 0, sizeof *krylov);
}

int eli_krylov_find(eli_krylov *krylov, int more, double tolerance) {
  space s = {.of = krylov, .size = krylov->on->size, .random = (uint64_t)krylov->count + 1};
  int wanted = more < krylov->capacity - krylov->count ? more : krylov->capacity - krylov->count;
  s.block = BLOCK;
  if (wanted < 1) return 1;
  if (!allocate(&s, wanted)) return 0;
  restart(&s, 0, 0);
  for (int spaces = 0; wanted > 0 && s.rank > 0 && spaces < MOST_SPACES; spaces++) {
    const int done = extend(&s, wanted, tolerance), left = s.expanded - done;
    krylov->complete = s.ended && done == s.expanded;
    krylov->next = done < s.expanded ? s.ritz[done] : -INFINITY;
    for (int k = 0; k < done; k++) keep(&s, k);
    wanted -= done;
    if (s.ended || s.expanded == 0) break;
    if (wanted > 0) restart(&s, done, left < s.block ? left : s.block);
  }
  eli_release(krylov->allocator, s.basis);
  return 1;
}
