/* Jacobi's method: plane rotations zero the off-diagonal entries in turn, always by the smaller of the two possible angles.
 *
 * equation   tan: the smaller root of t^2 + 2 c t - 1 = 0, c = (a_qq - a_pp)/(2 a_pq)
 * source     C. G. J. Jacobi, 1846
 * test       tests/test_principal_axes.c
 */
#include "base/target.h"

#include "base/principal_axes.h"

#include <math.h>
#include <string.h>

/* Convergence is quadratic: three or four sweeps reduce the off-diagonal entries to rounding. */
enum { SWEEPS = 12 };

/* Rotates rows p and q of a matrix: p <- c p - s q, q <- s p + c q. */
static void turn_rows(double m[9], int p, int q, double c, double s) {
  for (int k = 0; k < 3; k++) {
    const double x = m[3 * p + k], y = m[3 * q + k];
    m[3 * p + k] = c * x - s * y;
    m[3 * q + k] = s * x + c * y;
  }
}

static void turn_columns(double m[9], int p, int q, double c, double s) {
  for (int k = 0; k < 3; k++) {
    const double x = m[3 * k + p], y = m[3 * k + q];
    m[3 * k + p] = c * x - s * y;
    m[3 * k + q] = s * x + c * y;
  }
}

static void make_zero(double m[9], double axes[9], int p, int q) {
  if (m[3 * p + q] == 0.0) return;
  const double half = (m[4 * q] - m[4 * p]) / (2.0 * m[3 * p + q]);
  const double t = (half < 0.0 ? -1.0 : 1.0) / (fabs(half) + sqrt(half * half + 1.0)); /* 0 where half^2 overflows */
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  turn_rows(m, p, q, c, s);
  turn_columns(m, p, q, c, s);
  turn_rows(axes, p, q, c, s);
  m[3 * p + q] = m[3 * q + p] = 0.0;
}

void eli_principal_axes(const double tensor[9], double values[3], double axes[9]) {
  double m[9];
  memcpy(m, tensor, sizeof m);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < a; b++) m[3 * a + b] = m[3 * b + a];
  for (int k = 0; k < 9; k++) axes[k] = k % 4 == 0 ? 1.0 : 0.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    make_zero(m, axes, 0, 1);
    make_zero(m, axes, 0, 2);
    make_zero(m, axes, 1, 2);
  }
  for (int a = 0; a < 3; a++) values[a] = m[4 * a];
}
