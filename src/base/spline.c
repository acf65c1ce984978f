/* Clamped uniform cubic B-splines (see spline.h). */
#include "base/target.h"

#include "base/spline.h"

#include <math.h>

/* Knot i of a spline with m intervals. */
static double knot(int i, int m) {
  return i <= 3 ? 0.0 : i >= m + 3 ? 1.0 : (double)(i - 3) / m;
}

/* de Boor's recursion. d holds the four control values span - 3 .. span of the interval. */
static double combine(double d[4], int span, int m, double u) {
  for (int level = 1; level <= 3; level++) {
    for (int k = 3; k >= level; k--) {
      const double left = knot(span - 3 + k, m), right = knot(span + 1 + k - level, m);
      const double share = (u - left) / (right - left);
      d[k] = (1.0 - share) * d[k - 1] + share * d[k];
    }
  }
  return d[3];
}

/* The last interval includes its end, u = 1. */
static int span_of(double u, int m) {
  const int interval = (int)floor(u * m);
  return 3 + (interval < m ? interval : m - 1);
}

static double value_at(const double *control, int m, double u) {
  const int span = span_of(u, m);
  double d[4];
  for (int k = 0; k < 4; k++) d[k] = control[span - 3 + k];
  return combine(d, span, m, u);
}

static double abscissa_at(int m, double u) {
  const int span = span_of(u, m);
  double d[4];
  for (int k = 0; k < 4; k++) {
    const int i = span - 3 + k; /* 0..m+2 */
    d[k] = i == 0 ? 0.0 : i == m + 2 ? 1.0 : (double)(i - 1) / m;
  }
  return combine(d, span, m, u);
}

/* Solves X(u) = x by bisection to the last bit. X rises monotonically from 0 to 1, but its slope is 0 at both ends. */
static double parameter_of(int m, double x) {
  double low = 0.0, high = 1.0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    if (abscissa_at(m, middle) < x) {
      low = middle;
    } else {
      high = middle;
    }
  }
}

double eli_spline_at(elastica_spline kind, const double *control, int count, double x) {
  const int m = count - 3;
  if (!(x > 0.0)) return control[0];
  if (x >= 1.0) return value_at(control, m, 1.0);
  return value_at(control, m, kind == ELASTICA_SPLINE_CURVE ? parameter_of(m, x) : x);
}
