/* Elementary functions with the same bits on every host.
 *
 * The functions of C libraries differ in the last bit between vendors and versions, and one bit suffices to separate two chaotic
 * trajectories. These functions use only + - * / sqrt fabs floor; IEEE 754 defines the rounding of each. The figure beside each function is
 * the largest error found over its whole range, subnormal numbers included; the guaranteed bound is 2 ulp. Infinities, signed zeros and
 * overflow follow Annex F of C11. A NaN result is always NAN of <math.h>, for any argument. Floating-point exceptions and errno are
 * unspecified.
 */
#ifndef ELI_ELEMENTARY_H
#define ELI_ELEMENTARY_H

#include "base/target.h"

#define ELI_PI 0x1.921fb54442d18p+1         /* 3.14159265358979311600 */
#define ELI_HALF_PI 0x1.921fb54442d18p+0    /* 1.57079632679489655800 */
#define ELI_QUARTER_PI 0x1.921fb54442d18p-1 /* 0.78539816339744827900 */
#define ELI_TWO_PI 0x1.921fb54442d18p+2     /* 6.28318530717958623200 */

/* x in radians, any finite value: the error holds up to the largest double. */
void eli_sincos(double x, double *sine, double *cosine); /* 0.79 ulp each */

double eli_exp(double x); /* 0.77 ulp */
double eli_log(double x); /* 0.51 ulp; -infinity at 0, NAN below */

/* Angle of the point (x, y) in [-pi, pi]: 0.62 ulp. */
double eli_atan2(double y, double x);

/* x to the power y: 0.75 ulp, exact if the true result is a double. A negative x needs an integer y. */
double eli_pow(double x, double y);

/* An unevaluated sum of two doubles, with |low| at most half an ulp of high. */
typedef struct eli_pair {
  double high, low;
} eli_pair;

/* a + b without error, in any order of magnitudes (Knuth). */
static inline eli_pair eli_two_sum(double a, double b) {
  const double high = a + b;
  const double from_b = high - a;
  const double from_a = high - from_b;
  return (eli_pair){high, (a - from_a) + (b - from_b)};
}

/* a * b without error and without a fused operation (Dekker), for |a|, |b| < 2^996 and a product that is zero or above 2^-960. */
static inline eli_pair eli_two_product(double a, double b) {
  const double splitter = 134217729.0; /* 2^27 + 1 splits into halves of 26 bits, so that their products are exact */
  const double a_scaled = splitter * a, b_scaled = splitter * b;
  const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double high = a * b;
  return (eli_pair){high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/* ---- ln x near 1, the range of dilatations, for plain code and for kernels ---- */

/* ln x = 2 artanh s, s = (x - 1)/(x + 1), by its series, correct to rounding for s^2 < ELI_LOG_SERIES_END. */
#define ELI_LOG_SERIES_END 0.01

static inline double eli_log_argument(double x) {
  return (x - 1.0) / (x + 1.0);
}

static inline double eli_log_series(double s) {
  const double q = s * s;
  return 2.0 * s *
         (1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0 + q * (1.0 / 13.0 + q / 15.0)))))));
}

/* Returns 0 for infinities and NaN, without libm. */
static inline int eli_is_finite(double x) {
  return x - x == 0.0;
}

#endif
