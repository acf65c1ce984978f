/* Jacobi's method: sweeps of plane rotations. Each rotation zeroes one off-diagonal entry.
 *
 * Jacobi's method gives small eigenvalues of a positive definite matrix with small relative errors, whereas reduction to tridiagonal form
 * has errors of the size of the largest eigenvalue. CMA-ES needs the small ones if it shrinks some axes of its distribution.
 *
 * equation   tan: the smaller root of t^2 + 2 c t - 1 = 0, c = (a_qq - a_pp)/(2 a_pq)
 * source     C. G. J. Jacobi, 1846; accuracy: J. Demmel and K. Veselic, SIAM J. Matrix Anal. Appl. 13 (1992) 1204
 * test       tests/test_symmetric_eigen.c, tests/test_principal_axes.c
 */
#include "base/target.h"

#include "base/symmetric_eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Convergence is quadratic after some sweeps: 6 to 10 in total for a hundred rows. In a singular matrix, rotations may only exchange
 * rounding errors. Therefore, after PATIENT_SWEEPS, off-diagonal entries below the rounding error of the largest diagonal entry count as
 * 0. */
enum { PATIENT_SWEEPS = 20, MOST_SWEEPS = 60 };

static int all_finite(const double *numbers, int count) {
  for (int k = 0; k < count; k++)
    if (!eli_is_finite(numbers[k])) return 0;
  return 1;
}

/* The rotation that zeroes the entry `off` between two diagonal entries, by the smaller of the two possible angles. */
typedef struct turn {
  double t, c, s; /* tangent, cosine, sine */
} turn;

static turn turn_of(double first, double second, double off) {
  const double half = (second - first) / (2.0 * off);
  const double t = (half < 0.0 ? -1.0 : 1.0) / (fabs(half) + sqrt(half * half + 1.0)); /* 0 if half^2 overflows */
  const double c = 1.0 / sqrt(t * t + 1.0);
  return (turn){t, c, t * c};
}

/* Rotates rows p and q: p <- c p - s q, q <- s p + c q. */
static void turn_rows(int n, double *restrict a, double *restrict b, const turn *by) {
  const double c = by->c, s = by->s;
  for (int k = 0; k < n; k++) {
    const double x = a[k], y = b[k];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

/* Zeroes entry (p, q). Returns 1 if it was not negligible. Columns are copied from the rotated rows. The two diagonal entries are computed
 * from the angle: exact if they differ by much. */
static int make_zero(int n, double *m, double *vectors, int p, int q, double negligible) {
  double *const a = m + (long)n * p, *const b = m + (long)n * q;
  const double off = a[q], first = a[p], second = b[q];
  if (fabs(off) <= negligible || fabs(off) <= DBL_EPSILON * sqrt(fabs(first)) * sqrt(fabs(second))) return 0;
  const turn by = turn_of(first, second, off);
  turn_rows(n, a, b, &by);
  turn_rows(n, vectors + (long)n * p, vectors + (long)n * q, &by);
  a[p] = first - by.t * off;
  b[q] = second + by.t * off;
  a[q] = b[p] = 0.0;
  for (int k = 0; k < n; k++) {
    m[(long)n * k + p] = a[k];
    m[(long)n * k + q] = b[k];
  }
  return 1;
}

/* Rotates each pair of rows once. Returns the number of rotations. */
static long sweep(int n, double *matrix, double *vectors, double negligible) {
  long count = 0;
  for (int p = 0; p < n; p++)
    for (int q = p + 1; q < n; q++) count += make_zero(n, matrix, vectors, p, q, negligible);
  return count;
}

static double rounding_of(int n, const double *matrix) {
  double largest = 0.0;
  for (int k = 0; k < n; k++)
    if (fabs(matrix[(long)n * k + k]) > largest) largest = fabs(matrix[(long)n * k + k]);
  return DBL_EPSILON * largest;
}

static void swap(double *a, double *b) {
  const double other = *a;
  *a = *b;
  *b = other;
}

static void put_in_order(int n, double *values, double *vectors) {
  for (int k = 0; k < n; k++) {
    int least = k;
    for (int j = k + 1; j < n; j++)
      if (values[j] < values[least]) least = j;
    if (least == k) continue;
    swap(&values[k], &values[least]);
    for (int i = 0; i < n; i++) swap(&vectors[(long)n * k + i], &vectors[(long)n * least + i]);
  }
}

int eli_symmetric_eigen(int n, double *matrix, double *values, double *vectors) {
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++) {
      if (q < p) matrix[(long)n * p + q] = matrix[(long)n * q + p];
      vectors[(long)n * p + q] = p == q ? 1.0 : 0.0;
    }
  if (!all_finite(matrix, n * n)) return 0;
  int sweeps = 0;
  while (sweeps < MOST_SWEEPS && sweep(n, matrix, vectors, sweeps < PATIENT_SWEEPS ? 0.0 : rounding_of(n, matrix)) > 0) sweeps++;
  for (int k = 0; k < n; k++) values[k] = matrix[(long)n * k + k];
  put_in_order(n, values, vectors);
  return sweeps < MOST_SWEEPS;
}

/* ---- A tensor ---- */

/* Three or four sweeps reduce its off-diagonal entries to rounding. */
enum { TENSOR_SWEEPS = 12 };

static void zero_of_tensor(double m[9], double axes[9], int p, int q) {
  if (m[3 * p + q] == 0.0) return;
  const turn by = turn_of(m[4 * p], m[4 * q], m[3 * p + q]);
  turn_rows(3, m + 3 * p, m + 3 * q, &by);
  for (int k = 0; k < 3; k++) turn_rows(1, m + 3 * k + p, m + 3 * k + q, &by);
  turn_rows(3, axes + 3 * p, axes + 3 * q, &by);
  m[3 * p + q] = m[3 * q + p] = 0.0;
}

void eli_principal_axes(const double tensor[9], double values[3], double axes[9]) {
  double m[9];
  memcpy(m, tensor, sizeof m);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < a; b++) m[3 * a + b] = m[3 * b + a];
  for (int k = 0; k < 9; k++) axes[k] = k % 4 == 0 ? 1.0 : 0.0;
  for (int sweeps = 0; sweeps < TENSOR_SWEEPS; sweeps++) {
    zero_of_tensor(m, axes, 0, 1);
    zero_of_tensor(m, axes, 0, 2);
    zero_of_tensor(m, axes, 1, 2);
  }
  for (int a = 0; a < 3; a++) values[a] = m[4 * a];
}
