/* Claims about eigenvalues and eigenvectors of symmetric matrices. */
#include "base/target.h"

#include "base/symmetric_eigen.h"
#include "samples.h"

enum { MOST = 60 };

static double entry(const double *m, int n, int row, int column) {
  return m[n * row + column];
}

/* A symmetric matrix with these eigenvalues: a diagonal matrix turned by n (n - 1)/2 random plane rotations. */
static void make_matrix(random_source *source, int n, const double *values, double *m) {
  for (int k = 0; k < n * n; k++) m[k] = k % (n + 1) == 0 ? values[k / (n + 1)] : 0.0;
  for (int p = 0; p < n; p++)
    for (int q = p + 1; q < n; q++) {
      const double angle = random_between(source, -3.0, 3.0), c = cos(angle), s = sin(angle);
      for (int k = 0; k < n; k++) {
        const double x = m[n * p + k], y = m[n * q + k];
        m[n * p + k] = c * x - s * y, m[n * q + k] = s * x + c * y;
      }
      for (int k = 0; k < n; k++) {
        const double x = m[n * k + p], y = m[n * k + q];
        m[n * k + p] = c * x - s * y, m[n * k + q] = s * x + c * y;
      }
    }
  for (int p = 0; p < n; p++)
    for (int q = 0; q < p; q++) m[n * p + q] = m[n * q + p];
}

/* M b = value b for each b, and the b are orthonormal. */
static void assert_eigensystem(int n, const double *m, const double *values, const double *vectors, double size) {
  for (int k = 0; k < n; k++) {
    if (k > 0) assert_true(values[k] >= values[k - 1]);
    for (int i = 0; i < n; i++) {
      double image = 0.0, product = 0.0;
      for (int j = 0; j < n; j++) {
        image += entry(m, n, i, j) * vectors[n * k + j];
        product += vectors[n * k + j] * vectors[n * i + j];
      }
      assert_close(image, values[k] * vectors[n * k + i], 1e-13 * size);
      assert_close(product, i == k ? 1.0 : 0.0, 1e-13);
    }
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

TEST(matrices_of_any_size_are_taken_apart_to_1e_13) {
  static double m[MOST * MOST], copy[MOST * MOST], vectors[MOST * MOST];
  random_source source = {5};
  for (int n = 1; n <= MOST; n = n < 12 ? n + 1 : n + 16) {
    for (int kind = 0; kind < 4; kind++) {
      double given[MOST], values[MOST], size = 0.0;
      for (int k = 0; k < n; k++) {
        given[k] = kind == 0 ? random_between(&source, -1.0, 1.0) : kind == 1 ? 1.0 + k / 4 : exp(random_between(&source, -20.0, 5.0));
        if (kind == 3) given[k] = k % 2 ? 1e-8 : -3.0;
        size = fmax(size, fabs(given[k]));
      }
      make_matrix(&source, n, given, m);
      memcpy(copy, m, sizeof m);
      assert_true(eli_symmetric_eigen(n, copy, values, vectors));
      assert_eigensystem(n, m, values, vectors, size);
      qsort(given, (size_t)n, sizeof *given, ascending);
      for (int k = 0; k < n; k++) assert_close(values[k], given[k], 1e-13 * size);
    }
  }
}

/* The Hilbert matrix of 5 rows has the determinant 1/266716800000; its rows and columns are scaled from 1 to 1e-8. */
TEST(small_eigenvalues_have_small_relative_errors) {
  double m[25], values[5], vectors[25];

  double product = 1.0;
  const double scale[5] = {1.0, 1e-2, 1e-4, 1e-6, 1e-8};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) m[5 * i + j] = scale[i] * scale[j] / (i + j + 1);
  assert_true(eli_symmetric_eigen(5, m, values, vectors));
  for (int k = 0; k < 5; k++) {
    assert_true(values[k] > 0.0);
    product *= values[k];
  }
  assert_close(product / (1e-40 / 266716800000.0), 1.0, 1e-9);
}

/* The second difference matrix: 2 - 2 cos(k pi/(n + 1)). */
TEST(the_chain_has_its_known_frequencies) {
  enum { N = 50 };
  static double m[N * N], vectors[N * N];
  double values[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) m[N * i + j] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
  assert_true(eli_symmetric_eigen(N, m, values, vectors));
  for (int k = 0; k < N; k++) assert_close(values[k], 2.0 - 2.0 * cos((k + 1) * acos(-1.0) / (N + 1)), 1e-13);
}

/* All entries 1: the eigenvalues are n, and n - 1 times 0. */
TEST(singular_matrices_are_taken_apart) {
  static double m[MOST * MOST], copy[MOST * MOST], vectors[MOST * MOST];
  double values[MOST];
  for (int n = 1; n <= MOST; n++) {
    for (int k = 0; k < n * n; k++) m[k] = copy[k] = 1.0;
    assert_true(eli_symmetric_eigen(n, copy, values, vectors));
    assert_eigensystem(n, m, values, vectors, n);
    assert_close(values[n - 1], n, 1e-13 * n);
  }
  memset(m, 0, sizeof m);
  assert_true(eli_symmetric_eigen(7, m, values, vectors));
  assert_true(values[0] == 0.0 && values[6] == 0.0);
}

/* Of rank 2, with rows of very different size: rotations that only exchange rounding errors come to an end. */
TEST(singular_matrices_with_rows_of_any_size_are_taken_apart) {
  static double m[MOST * MOST], copy[MOST * MOST], vectors[MOST * MOST];
  double values[MOST], x[2][MOST];
  random_source source = {3};
  for (int round = 0; round < 8; round++) {
    double size = 0.0;
    for (int k = 0; k < 2 * MOST; k++) x[k / MOST][k % MOST] = exp(random_between(&source, -20.0, 20.0));
    for (int k = 0; k < MOST * MOST; k++)
      m[k] = copy[k] = x[0][k / MOST] * x[0][k % MOST] + x[1][k / MOST] * x[1][k % MOST], size = fmax(size, m[k]);
    assert_true(eli_symmetric_eigen(MOST, copy, values, vectors));
    assert_eigensystem(MOST, m, values, vectors, 10.0 * size);
    for (int k = 0; k < MOST - 2; k++) assert_close(values[k], 0.0, 1e-14 * size);
  }
}

TEST(numbers_that_are_not_finite_are_named) {
  double m[4] = {1.0, NAN, 0.0, 1.0}, values[2], vectors[4];
  assert_false(eli_symmetric_eigen(2, m, values, vectors));
  double infinite[4] = {INFINITY, 0.0, 0.0, 1.0};
  assert_false(eli_symmetric_eigen(2, infinite, values, vectors));
}

/* The lower half is not read. */
TEST(the_upper_half_counts) {
  double m[4] = {2.0, 1.0, NAN, 2.0}, values[2], vectors[4];
  assert_true(eli_symmetric_eigen(2, m, values, vectors));
  assert_close(values[0], 1.0, 1e-15);
  assert_close(values[1], 3.0, 1e-15);
}
