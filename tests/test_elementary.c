/* Elementary functions: compared with the C library in 80-bit arithmetic, at the limits of the domain, and bit for bit. */
#include "test.h"

#include "base/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 200000 };

static uint64_t seed;

static uint64_t random_bits(void) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return seed ^ seed >> 33;
}

static double uniform(double low, double high) {
  return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

static double any_finite(void) {
  double x;
  do {
    const uint64_t bits = random_bits();
    memcpy(&x, &bits, sizeof x);
  } while (!isfinite(x));
  return x;
}

/* A random sign and a magnitude spread evenly over the powers of two between the two given. */
static double spread(double lowest_exponent, double highest_exponent) {
  const double magnitude = exp2(uniform(lowest_exponent, highest_exponent));
  return random_bits() >> 63 ? -magnitude : magnitude;
}

static double ulps(double computed, long double exact) {
  const double rounded = (double)exact;
  if (isnan(rounded)) return isnan(computed) ? 0.0 : INFINITY;
  if (isinf(rounded) || !isfinite(computed)) return computed == rounded ? 0.0 : INFINITY;
  int exponent;
  frexp(rounded, &exponent);
  if (rounded == 0.0 || exponent < DBL_MIN_EXP) exponent = DBL_MIN_EXP;
  return (double)(fabsl(computed - exact) / ldexpl(1.0L, exponent - DBL_MANT_DIG));
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

typedef double (*function)(double);
typedef long double (*exact_function)(long double);

static double largest_error(function computed, exact_function exact, const double *x, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; i++) largest = fmax(largest, ulps(computed(x[i]), exact((long double)x[i])));
  return largest;
}

/* Arguments below 2^62, the limit of the 80-bit instruction used by some sinl: random numbers, and the doubles nearest to the multiples
 * of pi/2, at which the reduction cancels most. */
static void angles(double x[SAMPLES]) {
  seed = 1;
  for (int i = 0; i < SAMPLES; i += 4) {
    x[i] = uniform(-10.0, 10.0);
    x[i + 1] = spread(-1074.0, 62.0);
    x[i + 2] = spread(-30.0, 40.0);
    x[i + 3] = (double)(floorl((long double)exp2(uniform(0.0, 50.0))) * 1.57079632679489661923132169163975144L);
  }
}

static double sample[SAMPLES];

static double sine_of(double x) {
  double sine, cosine;
  eli_sincos(x, &sine, &cosine);
  return sine;
}

static double cosine_of(double x) {
  double sine, cosine;
  eli_sincos(x, &sine, &cosine);
  return cosine;
}

TEST(sine_is_within_two_ulp) {
  angles(sample);
  assert_true(largest_error(sine_of, sinl, sample, SAMPLES) <= 0.8);
}

TEST(cosine_is_within_two_ulp) {
  angles(sample);
  assert_true(largest_error(cosine_of, cosl, sample, SAMPLES) <= 0.8);
}

typedef struct reduced_angle {
  double x, sine, cosine;
} reduced_angle;

/* Computed with 1200 bits and rounded. The first is the double closest to a multiple of pi/2. */
static const reduced_angle large_angles[] = {
    {0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61},
    {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
    {0x1.0000000000000p+62, -0x1.67e57355f0147p-1, -0x1.6c2b1f820c708p-1},
    {0x1.0000000000000p+1023, 0x1.205248cbdb760p-1, -0x1.a719f26c232bfp-1},
    {-0x1.0f0cf064dd592p+73, 0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
    {0x1.249ad2594c37dp+332, -0x1.85c5e5b929359p-2, 0x1.d9757496841f5p-1},
    {-0x1.f5aa543c31387p+665, 0x1.ba37227ddc095p-1, -0x1.020caed4afb05p-1},
    {0x1.0000000000000p+20, 0x1.526ccb2fc8656p-2, 0x1.e33ada92fe2aep-1},
    {0x1.fffff00000000p+19, -0x1.4cb305757fa66p-3, 0x1.f932ec65b1d71p-1},
    {0x1.4d0dd265482ccp+495, 0x1.3de914cbcf084p-1, -0x1.91580a3756dd9p-1},
    {0x1.32f7e274f2bbap+598, -0x1.b29abd61e0b02p-9, 0x1.ffff478b9cdc1p-1},
    {0x1.5054d405fe37cp+947, -0x1.c9cba9c25c579p-2, -0x1.c9fc087f9cf2bp-1},
    {0x1.11007c320cc5bp+508, -0x1.db178f0ca89b1p-1, -0x1.7dbdb88dc6e63p-2},
    {0x1.6d0c1bc31d091p+548, 0x1.f9aa1643f9f12p-1, 0x1.412f8436fe973p-3},
    {0x1.a41f58437ae1cp+624, -0x1.d0e6257c979f2p-2, -0x1.c8312d26ff424p-1},
    {0x1.df3ddb3332f0fp+238, -0x1.8352c4144088bp-3, -0x1.f6c29aab486e0p-1},
    {0x1.53c8d486f5809p+552, 0x1.3c045f1f1ae07p-1, 0x1.92d621beeff8bp-1},
    {0x1.585459f71f1d9p+665, -0x1.f4aeaaaef31fep-1, 0x1.ac3a90c7d937ep-3},
    {0x1.97d5e955ecae6p+821, -0x1.e1d4685f8c467p-1, -0x1.5a5188384b873p-2},
    {0x1.2011b00720c99p+152, 0x1.f9788704ec01bp-1, -0x1.460658466750ap-3},
    {0x1.940e340552875p+352, -0x1.ec58988e9c363p-1, 0x1.18fe575bdc7d2p-2},
    {0x1.6ede55ed02264p+149, -0x1.faf87081619e8p-2, -0x1.bcd8f13586503p-1},
    {0x1.64c0ad0a5bbe2p+822, 0x1.6cef9ed0304b0p-2, 0x1.de61d0c698a93p-1},
    {0x1.a2bdcd1935369p+713, -0x1.2b5aa92572531p-3, 0x1.fa803d0af7279p-1},
    {0x1.cdead869597b7p+103, -0x1.348d4a6a738cdp-3, 0x1.fa27e4fce5641p-1},
    {0x1.fa8abe7d57607p+983, -0x1.e58ba70aa4250p-1, -0x1.44e5affc7c8eap-2},
    {0x1.95d7e79c50366p+967, -0x1.fa440b56dc477p-1, 0x1.31a6e1353903bp-3},
};

TEST(huge_angles_are_reduced_exactly) {
  for (size_t i = 0; i < sizeof large_angles / sizeof large_angles[0]; i++) {
    const reduced_angle *angle = &large_angles[i];
    assert_true(ulps(sine_of(angle->x), (long double)angle->sine) <= 1.0);
    assert_true(ulps(cosine_of(angle->x), (long double)angle->cosine) <= 1.0);
  }
}

TEST(sine_is_odd_and_cosine_even) {
  angles(sample);
  for (int i = 0; i < SAMPLES; i++) {
    assert_true(same_bits(sine_of(-sample[i]), -sine_of(sample[i])) && same_bits(cosine_of(-sample[i]), cosine_of(sample[i])));
  }
  assert_true(same_bits(sine_of(-0.0), -0.0) && same_bits(sine_of(0.0), 0.0));
}

TEST(exponential_is_within_two_ulp) {
  seed = 2;
  for (int i = 0; i < SAMPLES; i++) sample[i] = i % 3 == 0 ? uniform(-746.0, 710.0) : i % 3 == 1 ? uniform(-1.0, 1.0) : spread(-60.0, 9.0);
  assert_true(largest_error(eli_exp, expl, sample, SAMPLES) <= 0.8);
}

TEST(logarithm_is_within_two_ulp) {
  seed = 3;
  for (int i = 0; i < SAMPLES; i++)
    sample[i] = i % 3 == 0 ? fabs(any_finite()) : i % 3 == 1 ? uniform(0.0, 3.0) : 1.0 + spread(-52.0, -2.0);
  assert_true(largest_error(eli_log, logl, sample, SAMPLES) <= 0.51);
}

TEST(arc_tangent_is_within_two_ulp) {
  seed = 4;
  for (int i = 0; i < SAMPLES; i++) {
    const double x = i % 2 ? any_finite() : uniform(-1.0, 1.0);
    const double y = i % 3 == 0 ? any_finite() : i % 3 == 1 ? uniform(-1.0, 1.0) : x * spread(-70.0, 70.0);
    assert_true(ulps(eli_atan2(y, x), atan2l((long double)y, (long double)x)) <= 0.65);
  }
}

TEST(power_is_within_two_ulp) {
  seed = 6;
  for (int i = 0; i < SAMPLES; i++) {
    const double x = i % 3 == 0 ? fabs(any_finite()) : i % 3 == 1 ? uniform(0.0, 3.0) : 1.0 + spread(-50.0, -2.0);
    const double y = i % 5 ? uniform(-745.0, 710.0) / log(x) : spread(-80.0, 80.0);
    if (x != 1.0) assert_true(ulps(eli_pow(x, y), powl((long double)x, (long double)y)) <= 0.8);
  }
}

TEST(powers_that_are_doubles_are_exact) {
  for (int base = -20; base <= 20; base++) {
    double product = 1.0;
    for (int n = 0; fabs(product) < 0x1p53; n++) {
      assert_true(same_bits(eli_pow((double)base, (double)n), product));
      product *= (double)base;
      if (abs(base) < 2 && n > 40) break;
    }
  }
  for (int n = -1074; n <= 1023; n++) assert_true(eli_pow(2.0, (double)n) == ldexp(1.0, n));
  for (int n = 1; n < 3000; n++) assert_true(eli_pow((double)n * n, 0.5) == n);
}

/* Annex F of C11; in addition every NaN result has the same bit pattern. */
TEST(exponential_and_logarithm_end_as_the_standard_says) {
  assert_true(eli_exp(0.0) == 1.0 && eli_exp(-0.0) == 1.0);
  assert_true(eli_exp(INFINITY) == INFINITY && same_bits(eli_exp(-INFINITY), 0.0));
  assert_true(eli_exp(709.782712893383973096) < INFINITY && eli_exp(709.782712893384087) == INFINITY);
  assert_true(eli_exp(-745.13321910194110842) == 0x1p-1074 && eli_exp(-745.14) == 0.0 && eli_exp(-1e300) == 0.0);
  assert_true(same_bits(eli_log(1.0), 0.0) && eli_log(0.0) == -INFINITY && eli_log(-0.0) == -INFINITY);
  assert_true(eli_log(INFINITY) == INFINITY && same_bits(eli_log(-1.0), NAN) && same_bits(eli_log(-INFINITY), NAN));
}

TEST(arc_tangent_keeps_signs_and_quadrants) {
  const double values[] = {0.0, 0x1p-1074, DBL_MIN, 1.0, 1e200, DBL_MAX, INFINITY};
  for (int i = 0; i < 28; i++) {
    for (int k = 0; k < 28; k++) {
      const double y = (i & 1 ? -1.0 : 1.0) * values[i / 4], x = (k & 1 ? -1.0 : 1.0) * values[k / 4];
      const double expected = (double)atan2l((long double)y, (long double)x);
      assert_true(ulps(eli_atan2(y, x), (long double)expected) <= 1.0 && !signbit(eli_atan2(y, x)) == !signbit(y));
    }
  }
}

TEST(power_ends_as_the_standard_says) {
  const double x[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 0x1p-1074, -DBL_MAX, INFINITY, -INFINITY, NAN};
  const double y[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, 3.0, 0x1p52 + 1.0, 0x1p60, -0x1p70, 1e-300, INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
    for (size_t k = 0; k < sizeof y / sizeof y[0]; k++) {
      const double expected = pow(x[i], y[k]), computed = eli_pow(x[i], y[k]);
      assert_true(isnan(expected) ? same_bits(computed, NAN)
                                  : ulps(computed, (long double)expected) <= 1.0 && !signbit(computed) == !signbit(expected));
    }
  }
}

TEST(nan_has_one_bit_pattern) {
  const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    double sine, cosine;
    eli_sincos(bad[i], &sine, &cosine);
    assert_true(same_bits(sine, NAN) && same_bits(cosine, NAN));
  }
  assert_true(same_bits(eli_exp(-NAN), NAN) && same_bits(eli_log(-NAN), NAN) && same_bits(eli_pow(-NAN, 2.0), NAN));
  assert_true(same_bits(eli_atan2(-NAN, 1.0), NAN) && same_bits(eli_atan2(1.0, -NAN), NAN));
}

static uint64_t hash_bits(uint64_t hash, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  for (int i = 0; i < 64; i += 8) hash = (hash ^ (bits >> i & 255)) * UINT64_C(1099511628211); /* FNV-1a */
  return hash;
}

/* Arguments made from integers only, so that only the tested function can differ between two builds. */
static double patterned(uint64_t exponent_count) {
  const uint64_t bits = random_bits();
  const uint64_t exponent = 1023 - exponent_count / 2 + (bits >> 52) % exponent_count;
  const uint64_t pattern = (bits & UINT64_C(0x800fffffffffffff)) | exponent << 52;
  double x;
  memcpy(&x, &pattern, sizeof x);
  return x;
}

static double angle_of_unit_point(double x) {
  return eli_atan2(x, 0.7);
}

static double power_of_argument(double x) {
  return eli_pow(fabs(x), 3.7);
}

static double sine_plus_cosine(double x) {
  double sine, cosine;
  eli_sincos(x, &sine, &cosine);
  return sine + cosine;
}

/* One stored number per function: it must be equal for every compiler, instruction set and optimisation level; otherwise two builds
 * could diverge. A new number is right only after an intended change of the polynomials. */
TEST(results_are_the_same_bits_everywhere) {
  const struct {
    function f;
    uint64_t seed, exponents, hash;
  } expected[] = {
      {sine_of, 0, 2040, UINT64_C(0x235a1fab97a315fe)},          {cosine_of, 1, 60, UINT64_C(0x8eed4c11c9a1788c)},
      {sine_plus_cosine, 2, 40, UINT64_C(0x5c68633cb9429a4f)},   {eli_exp, 3, 22, UINT64_C(0x78b29152664f3b16)},
      {eli_log, 4, 2040, UINT64_C(0x1884f581b4967f9b)},          {angle_of_unit_point, 5, 120, UINT64_C(0xad8e8a7d5fc75f35)},
      {power_of_argument, 7, 500, UINT64_C(0x21db647f5cc4cc64)},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    uint64_t hash = UINT64_C(14695981039346656037);
    seed = expected[i].seed;
    for (int k = 0; k < 20000; k++) hash = hash_bits(hash, expected[i].f(patterned(expected[i].exponents)));
    assert_int_equal(hash, expected[i].hash);
  }
}
