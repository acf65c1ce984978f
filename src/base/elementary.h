/* Elementary functions with the same bits everywhere.
 *
 * The C library's own differ between vendors and versions by a last bit, and one bit is enough to part two chaotic trajectories. These use
 * only + - * / and sqrt, fabs, floor, each of which IEEE 754 rounds in one way. The figure behind each function is the largest error found
 * over its whole range, subnormal numbers included; 2 ulp is the promise. Infinities, signed zeros and overflow follow Annex F of C11; a
 * result that is not a number is always NAN of <math.h>, whatever was put in. No floating-point exception or errno is promised.
 */
#ifndef ELI_ELEMENTARY_H
#define ELI_ELEMENTARY_H

#include "base/target.h"

#define ELI_PI 0x1.921fb54442d18p+1         /* 3.14159265358979311600 */
#define ELI_HALF_PI 0x1.921fb54442d18p+0    /* 1.57079632679489655800 */
#define ELI_QUARTER_PI 0x1.921fb54442d18p-1 /* 0.78539816339744827900 */
#define ELI_TWO_PI 0x1.921fb54442d18p+2     /* 6.28318530717958623200 */

/* x in radians, any finite value: the figures hold up to the largest double. */
void eli_sincos(double x, double *sine, double *cosine); /* 0.79 ulp each */

double eli_exp(double x); /* 0.77 ulp */
double eli_log(double x); /* 0.51 ulp; -infinity at 0, NAN below */

/* Angle of the point (x, y) in [-pi, pi]: 0.62 ulp. */
double eli_atan2(double y, double x);

/* x to the power y: 0.75 ulp, exact where the true result is a double. A negative x needs an integer y. */
double eli_pow(double x, double y);

/* An unevaluated sum of two doubles, |low| at most half an ulp of high. */
typedef struct eli_pair {
  double high, low;
} eli_pair;

/* a + b without error (Knuth), for any order of magnitudes. */
static inline eli_pair eli_two_sum(double a, double b) {
  const double high = a + b;
  const double from_b = high - a;
  const double from_a = high - from_b;
  return (eli_pair){high, (a - from_a) + (b - from_b)};
}

/* a * b without error (Dekker; no fused operation is assumed), for |a|, |b| < 2^996 and a product above 2^-960 or zero. */
static inline eli_pair eli_two_product(double a, double b) {
  const double splitter = 134217729.0; /* 2^27 + 1 leaves halves of 26 bits, whose products are exact */
  const double a_scaled = splitter * a, b_scaled = splitter * b;
  const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double high = a * b;
  return (eli_pair){high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

#endif
