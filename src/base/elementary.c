/* Elementary functions with the same bits everywhere (see elementary.h). */
#include "base/target.h"

#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Polynomials are minimax fits: Remez exchange in 45-digit arithmetic, coefficients rounded from the lowest order up. "fit" is the error of
 * the rounded polynomial, relative to the function computed from it. */

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double with_sign_of(double magnitude, double sign) {
  return from_bits((bits_of(magnitude) & ~(UINT64_C(1) << 63)) | (bits_of(sign) & (UINT64_C(1) << 63)));
}

static bool is_negative(double x) {
  return bits_of(x) >> 63 != 0;
}

/* 2^n for n in -1022 .. 1023 */
static double power_of_two(int n) {
  return from_bits((uint64_t)(n + 1023) << 52);
}

/* a + b without error, for |a| >= |b| or a == 0 */
static eli_pair quick_two_sum(double a, double b) {
  const double high = a + b;
  return (eli_pair){high, b - (high - a)};
}

static eli_pair pair_product(eli_pair a, eli_pair b) {
  const eli_pair p = eli_two_product(a.high, b.high);
  return quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/* (a.high + a.low)/(b.high + b.low), correct to about 2^-104 */
static eli_pair pair_quotient(eli_pair a, eli_pair b) {
  const double quotient = a.high / b.high;
  const eli_pair p = eli_two_product(quotient, b.high);
  return quick_two_sum(quotient, (((a.high - p.high) - p.low) + (a.low - quotient * b.low)) / b.high);
}

/* ---- sine and cosine ---- */

/* Bits of 2/pi, most significant first, after two words of zeros. The table suffices for the largest exponent of a double. */
static const uint32_t two_over_pi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
    0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
    0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
    0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d, 0xa9e39161, 0x5ee61b08};

/* Reduces x in (pi/4, 2^20) to x - n pi/2 (Cody and Waite). pi/2 is split into three parts of 33 bits, with exact products with n, and a
 * remainder. */
static int reduce_moderate(double x, eli_pair *rest) {
  const double n = floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  const eli_pair first = eli_two_sum(x - n * 0x1.921fb54400000p+0, -n * 0x1.0b4611a600000p-34);
  const eli_pair second = eli_two_sum(first.high, -n * 0x1.3198a2e000000p-69);
  *rest = quick_two_sum(second.high, (first.low + second.low) - n * 0x1.b839a252049c1p-104);
  return (int)n & 3;
}

/* Multiplies x >= 2^20 by 2/pi, modulo 4 (Payne and Hanek). x = m 2^exponent with an integer m. Bits of 2/pi that give multiples of 4 are
 * left out: m times a window of 192 bits of 2/pi, modulo 2^192, is x 2/pi modulo 4 in units of 2^-190. */
static void product_with_two_over_pi(double x, uint32_t product[6]) {
  const uint64_t bits = bits_of(x);
  const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  const int exponent = (int)(bits >> 52) - 1075;
  const int start = exponent - 2 + 64; /* first bit of the window in the table */
  const int word = start / 32, shift = start % 32;
  const uint64_t m_low = m & UINT32_MAX, m_high = m >> 32;
  uint64_t carry = 0, previous = 0;
  for (int i = 5; i >= 0; i--) {
    const uint64_t two_words = (uint64_t)two_over_pi[word + i] << 32 | two_over_pi[word + i + 1];
    const uint64_t window = (two_words << shift) >> 32;
    const uint64_t low = window * m_low, high = previous * m_high;
    const uint64_t digit = (low & UINT32_MAX) + (high & UINT32_MAX) + (carry & UINT32_MAX);
    product[i] = (uint32_t)digit;
    carry = (carry >> 32) + (low >> 32) + (high >> 32) + (digit >> 32);
    previous = window;
  }
}

static int reduce_large(double x, eli_pair *rest) {
  uint32_t product[6];
  product_with_two_over_pi(x, product);
  const uint32_t rounded = product[0] + (UINT32_C(1) << 29); /* rounds to the nearest quarter turn */
  double scale = 0x1p-30;
  double high = (double)(rounded & 0x3fffffffu) * scale - 0.5, low = 0.0;
  for (int i = 1; i < 6; i++) {
    scale *= 0x1p-32;
    const eli_pair sum = eli_two_sum(high, (double)product[i] * scale);
    high = sum.high;
    low += sum.low;
  }
  const eli_pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  *rest = pair_product((eli_pair){high, low}, half_pi);
  return (int)(rounded >> 30);
}

/* Reduces x to n pi/2 + rest with |rest| <= pi/4. Returns n modulo 4. */
static int reduce(double x, eli_pair *rest) {
  const double magnitude = fabs(x);
  if (magnitude <= ELI_QUARTER_PI) {
    *rest = (eli_pair){x, 0.0};
    return 0;
  }
  const int quarter = magnitude < 0x1p20 ? reduce_moderate(magnitude, rest) : reduce_large(magnitude, rest);
  if (x > 0.0) return quarter;
  *rest = (eli_pair){-rest->high, -rest->low};
  return -quarter & 3;
}

/* sin y for |y| <= pi/4; fit: 3.5e-18 */
static double sine_near_zero(eli_pair y) {
  if (fabs(y.high) < 0x1p-27) return y.high; /* keeps the sign of zero */
  const double z = y.high * y.high;
  const double p =
      -0x1.5555555555549p-3 +
      z * (0x1.111111110f89cp-7 +
           z * (-0x1.a01a019c14163p-13 + z * (0x1.71de3578e4849p-19 + z * (-0x1.ae5e6699eecdfp-26 + z * 0x1.5d92fd45ba43cp-33))));
  return y.high + (y.high * (z * p) + y.low * (1.0 - 0.5 * z));
}

/* cos y for |y| <= pi/4; fit: 4.9e-20 */
static double cosine_near_zero(eli_pair y) {
  const double z = y.high * y.high;
  const double p =
      0x1.555555555554cp-5 +
      z * (-0x1.6c16c16c15218p-10 +
           z * (0x1.a01a019cbe2e2p-16 + z * (-0x1.27e4f81189af2p-22 + z * (0x1.1ee9f059a056dp-29 + z * -0x1.8fb09c263b938p-37))));
  const double leading = 1.0 - 0.5 * z;
  return leading + (((1.0 - leading) - 0.5 * z) + (z * z * p - y.high * y.low));
}

static double sine_in_quarter(int quarter, eli_pair rest) {
  const double value = quarter & 1 ? cosine_near_zero(rest) : sine_near_zero(rest);
  return quarter & 2 ? -value : value;
}

void eli_sincos(double x, double *sine, double *cosine) {
  if (!(fabs(x) < INFINITY)) {
    *sine = NAN;
    *cosine = NAN;
    return;
  }
  eli_pair rest;
  const int quarter = reduce(x, &rest);
  *sine = sine_in_quarter(quarter, rest);
  *cosine = sine_in_quarter(quarter + 1, rest);
}

/* ---- exponential, logarithm, power ---- */

static const double ln2_high = 0x1.62e42fefa3800p-1; /* 42 bits: its product with any exponent is exact */
static const double ln2_low = 0x1.ef35793c76730p-45;

/* exp(x + tail) with |tail| at most one ulp of x; fit: 8.1e-18 */
static double exponential(double x, double tail) {
  if (x > 709.79) return INFINITY; /* the logarithm of the largest double is 709.7827 */
  if (x < -745.14) return 0.0;     /* the logarithm of half the smallest double is -745.1332 */
  const double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
  const eli_pair reduced = eli_two_sum(x - k * ln2_high, tail - k * ln2_low);
  const double r = reduced.high;
  const double p =
      0x1.0000000000003p-1 +
      r * (0x1.555555555555cp-3 +
           r * (0x1.5555555552740p-5 +
                r * (0x1.111111110e7aep-7 +
                     r * (0x1.6c16c17e69117p-10 +
                          r * (0x1.a01a01b5c91e1p-13 +
                               r * (0x1.a019a7b3fcedcp-16 +
                                    r * (0x1.71dde9cee68e1p-19 + r * (0x1.28a239db06ab8p-22 + r * 0x1.af77656ae41a8p-26))))))));
  const eli_pair leading = quick_two_sum(1.0, r);
  const double value = leading.high + (leading.low + (r * r * p + reduced.low * leading.high));
  const int exponent = (int)k, half = exponent / 2; /* two factors, because 2^k exceeds the range of a double at both ends */
  return value * power_of_two(half) * power_of_two(exponent - half);
}

double eli_exp(double x) {
  if (x != x) return NAN;
  return exponential(x, 0.0);
}

/* Logarithm of a positive finite x, correct to 2^-65 of itself. x = 2^k m with m in [sqrt 1/2, sqrt 2);
 * log m = 2 atanh s, s = (m - 1)/(m + 1), in powers of s^2 <= 0.0295; fit: 2e-21.
 */
static eli_pair logarithm(double x) {
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  const uint64_t bits = bits_of(x);
  const uint64_t above = (bits & ((UINT64_C(1) << 52) - 1)) >= UINT64_C(0x6a09e667f3bcd); /* significand of sqrt 2 */
  k += (int)(bits >> 52) - 1023 + (int)above;
  const double m = from_bits((bits & ((UINT64_C(1) << 52) - 1)) | (1023 - above) << 52);
  const eli_pair s = pair_quotient((eli_pair){m - 1.0, 0.0}, eli_two_sum(m, 1.0));
  const eli_pair s2 = pair_product(s, s);
  const double t = s2.high;
  const double p =
      t *
      (0x1.9999999999999p-2 +
       t * (0x1.2492492492b22p-2 +
            t * (0x1.c71c71c5978c7p-3 +
                 t * (0x1.745d1863c5031p-3 +
                      t * (0x1.3b13473479202p-3 + t * (0x1.1126aed53840bp-3 + t * (0x1.dd0272304a185p-4 + t * 0x1.f6aaf89d20944p-4)))))));
  const eli_pair two_thirds = eli_two_sum(0x1.5555555555555p-1, p + 0x1.5555555555555p-55);
  const eli_pair cubic = pair_product(s, pair_product(s2, two_thirds));
  const eli_pair linear = eli_two_sum(k * ln2_high, 2.0 * s.high);
  const eli_pair sum = eli_two_sum(linear.high, cubic.high);
  return quick_two_sum(sum.high, sum.low + (linear.low + (2.0 * s.low + cubic.low + k * ln2_low)));
}

double eli_log(double x) {
  if (!(x >= 0.0)) return NAN;
  if (x == 0.0) return -INFINITY;
  if (x == INFINITY) return INFINITY;
  const eli_pair value = logarithm(x);
  return value.high;
}

/* x to the power y for positive finite x: exp(y log x) with the product as a pair */
static double positive_power(double x, double y) {
  if (fabs(y) > 0x1p65) { /* the result is 0, 1 or infinity, because |log x| >= 2^-53 for every x except 1 */
    if (x == 1.0) return 1.0;
    return (x > 1.0) == (y > 0.0) ? INFINITY : 0.0;
  }
  if (fabs(y) < 0x1p-65) return 1.0;
  const eli_pair log_x = logarithm(x);
  const eli_pair product = eli_two_product(y, log_x.high);
  const eli_pair exponent = quick_two_sum(product.high, product.low + y * log_x.low);
  return exponential(exponent.high, exponent.low);
}

double eli_pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return NAN;
  const double size = fabs(x);
  const bool integer = floor(y) == y; /* 1 for infinities, which count as even */
  const bool odd = fabs(y) < 0x1p53 && integer && floor(0.5 * y) != 0.5 * y;
  const double sign = is_negative(x) && odd ? -1.0 : 1.0;
  if (size == 0.0) return sign * (y < 0.0 ? INFINITY : 0.0);
  if (size == INFINITY) return sign * (y < 0.0 ? 0.0 : INFINITY);
  if (x < 0.0 && !integer) return NAN;
  return sign * positive_power(size, y);
}

/* ---- arc functions ---- */

/* Correction c in arctan z = z + c for |z| <= tan(pi/8); fit: 1.3e-18 */
static double arctangent_correction(eli_pair z) {
  const double t = z.high * z.high;
  const double p =
      -0x1.555555555553ep-2 +
      t * (0x1.9999999995a53p-3 +
           t * (-0x1.24924922b7f86p-3 +
                t * (0x1.c71c70e9cb1f1p-4 +
                     t * (-0x1.745cf93ea61cap-4 +
                          t * (0x1.3b111f6b367ffp-4 +
                               t * (-0x1.10ebfb07e5f24p-4 +
                                    t * (0x1.df12d87060760p-5 +
                                         t * (-0x1.9ce1c731699bcp-5 + t * (0x1.37f9abf4458f0p-5 + t * -0x1.25b4f1c77227ep-6)))))))));
  return z.high * (t * p) + z.low / (1.0 + t);
}

/* Angle of (x, y) in [0, pi] for y >= 0: the nearest multiple of pi/4 plus the arc tangent of the remaining angle, both as pairs. */
static double angle_from_axis(double y, double x) {
  static const eli_pair eighths[] = {/* multiples of pi/4 */
                                     {0.0, 0.0},
                                     {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
                                     {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                     {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54},
                                     {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}};
  const double width = fabs(x);
  const double tan_eighth = 0x1.a827999fcef32p-2;
  eli_pair z;
  int eighth;
  if (y <= tan_eighth * width) {
    eighth = 0;
    z = pair_quotient((eli_pair){y, 0.0}, (eli_pair){width, 0.0});
  } else if (width <= tan_eighth * y) {
    eighth = 2;
    z = pair_quotient((eli_pair){-width, 0.0}, (eli_pair){y, 0.0});
  } else {
    eighth = 1;
    z = pair_quotient(eli_two_sum(y, -width), eli_two_sum(y, width));
  }
  if (x < 0.0) {
    eighth = 4 - eighth;
    z = (eli_pair){-z.high, -z.low};
  }
  const eli_pair leading = eli_two_sum(eighths[eighth].high, z.high);
  return leading.high + (leading.low + (arctangent_correction(z) + eighths[eighth].low));
}

/* Angle of (x, y) if one of the two is infinite, zero, or below 2^-60 of the other. The angle is then a multiple of pi/4, or so close to
 * zero that one term suffices. */
static double angle_near_axis(double y, double x) {
  if (y == INFINITY && fabs(x) == INFINITY) return x > 0.0 ? ELI_QUARTER_PI : 0x1.2d97c7f3321d2p+1;
  if (y > fabs(x)) return ELI_HALF_PI;
  if (is_negative(x)) return ELI_PI;
  return x == 0.0 ? 0.0 : y / x;
}

double eli_atan2(double y, double x) {
  if (x != x || y != y) return NAN;
  const double height = fabs(y), width = fabs(x);
  const double larger = height > width ? height : width, smaller = height > width ? width : height;
  double angle;
  if (larger == INFINITY || smaller <= larger * 0x1p-60) {
    angle = angle_near_axis(height, x);
  } else {
    const double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-500 ? 0x1p600 : 1.0;
    angle = angle_from_axis(height * scale, x * scale);
  }
  return with_sign_of(angle, y);
}
