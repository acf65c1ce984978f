/* The emulation of fused multiply-add: bit for bit fma() of the C library, which is exact. */
#include "base/target.h"

#include "test.h"

#include "kernels/simd.h"

#include "kernels/emulated_fma.h"

#include <math.h>
#include <string.h>

/* Fewer samples in builds with one round in many (samples.h). */
#ifndef TESTS_ONE_ROUND_IN
#define TESTS_ONE_ROUND_IN 1
#endif
enum { TRIPLES = 400000 / TESTS_ONE_ROUND_IN };

static uint64_t seed = 1;

static uint64_t random_bits(void) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  const uint64_t x = (seed ^ seed >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

/* low..high */
static int random_int(int low, int high) {
  return low + (int)(random_bits() % (uint64_t)(high - low + 1));
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* A significand of many, few or special bits, with a random sign, times a power of two. */
static double shaped(int exponent) {
  uint64_t fraction = random_bits() >> 12;
  const int end = random_int(0, 52);
  switch (random_int(0, 3)) {
  case 0: fraction = fraction >> end << end; break;                     /* the last bits are 0 */
  case 1: fraction |= (UINT64_C(1) << end) - 1; break;                  /* the last bits are 1 */
  case 2: fraction = (UINT64_C(1) << end) - (random_bits() & 1); break; /* one bit, or a row of ones */
  default: break;
  }
  const double x = ldexp(1.0 + ldexp((double)(fraction & (UINT64_MAX >> 12)), -52), exponent); /* rounds in the subnormal range */
  return random_bits() & 1 ? -x : x;
}

/* ---- Kinds of triples ---- */

typedef struct triple {
  double a, b, c;
} triple;

/* The exponent of c is near that of a b, or anywhere. */
static triple usual(void) {
  const int ea = random_int(-100, 100), eb = random_int(-100, 100), near = random_int(-120, 120);
  return (triple){shaped(ea), shaped(eb), shaped(ea + eb + near)};
}

static triple any_bits(void) {
  return (triple){from_bits(random_bits()), from_bits(random_bits()), from_bits(random_bits())};
}

/* c is -a b, rounded or with one of its last bits changed. */
static triple cancelling(void) {
  const double a = shaped(random_int(-300, 300)), b = shaped(random_int(-300, 300));
  return (triple){a, b, from_bits(bits_of(-(a * b)) + (uint64_t)random_int(-4, 4))};
}

/* a b + c lies halfway between two doubles, or differs from it by the last bit of a b: a sum with two roundings is wrong here. */
static triple halfway(void) {
  const int e = random_int(-200, 200), gap = random_int(1, 60);
  const double a = ldexp(1.0 + ldexp((double)random_int(-2, 2), -random_int(20, 52)), e);
  const double b = 1.0 + ldexp((double)random_int(-2, 2), -random_int(20, 52));
  const double c = ldexp(shaped(0), e + (random_int(0, 1) ? 53 : gap));
  return (triple){random_bits() & 1 ? -a : a, b, c};
}

/* The result is subnormal or near the smallest normal number. */
static triple underflowing(void) {
  const int e = random_int(-1085, -1010), ea = random_int(-1074, 60);
  triple t = {shaped(ea), shaped(e - ea), shaped(random_int(-1080, -1000))};
  if (random_int(0, 3) == 0) t.c = from_bits(random_bits() & 7) * (random_bits() & 1 ? -1.0 : 1.0);
  return t;
}

/* At the limits of the range of the vectorised code, and of doubles. */
static triple at_the_edges(void) {
  static const int edge[12] = {-1074, -1022, -990, -960, -900, -500, 480, 500, 996, 1000, 1020, 1023};
  const int ea = edge[random_int(0, 11)] + random_int(-2, 2), sum = edge[random_int(0, 11)] + random_int(-3, 3), eb = sum - ea;
  triple t = {shaped(ea), shaped(eb > 1100 ? 1100 : eb), 0.0};
  switch (random_int(0, 2)) {
  case 0: t.c = shaped(sum + random_int(-60, 60)); break;
  case 1: t.c = shaped(edge[random_int(0, 11)] + random_int(-2, 2)); break;
  default: t.c = from_bits(bits_of(-(t.a * t.b)) + (uint64_t)random_int(-1, 1)); break;
  }
  return t;
}

static triple overflowing(void) {
  const int ea = random_int(-40, 1023), sum = random_int(1018, 1027);
  return (triple){shaped(ea), shaped(sum - ea), shaped(random_int(960, 1024))};
}

static triple special(void) {
  static const double values[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  1.5,
                                  -3.0,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  0x1p-1022,
                                  0x1.fffffffffffffp-1023,
                                  -0x1p-537,
                                  0x1p-538,
                                  0x1p511,
                                  0x1p512,
                                  0x1.fffffffffffffp1023,
                                  -0x1.fffffffffffffp1023,
                                  0x1p-1000,
                                  0x1.0000000000001p0};
  enum { COUNT = sizeof values / sizeof values[0] };
  return (triple){values[random_int(0, COUNT - 1)], values[random_int(0, COUNT - 1)], values[random_int(0, COUNT - 1)]};
}

/* ---- Claims ---- */

static int agree(double got, double expected) {
  return isnan(expected) ? isnan(got) : bits_of(got) == bits_of(expected);
}

static void claim(const char *kind, triple t, double got) {
  const double expected = fma(t.a, t.b, t.c);
  if (!agree(got, expected)) fail_msg("%s: %a * %a + %a is %a, not %a", kind, t.a, t.b, t.c, expected, got);
}

static void claim_exact(const char *kind, triple (*draw)(void)) {
  for (int k = 0; k < TRIPLES; k += WIDTH) {
    triple t[WIDTH];
    V a = all(0.0), b = a, c = a;
    for (int l = 0; l < WIDTH; l++) {
      t[l] = draw();
      a[l] = t[l].a, b[l] = t[l].b, c[l] = t[l].c;
    }
    const V r = emulated_madd(a, b, c);
    for (int l = 0; l < WIDTH; l++) {
      claim(kind, t[l], r[l]);
      claim(kind, t[l], madd_in_integers(t[l].a, t[l].b, t[l].c));
    }
  }
}

TEST(it_rounds_once) {
  claim_exact("usual", usual);
  claim_exact("any bits", any_bits);
}

TEST(it_is_exact_for_cancelling_terms) {
  claim_exact("cancelling", cancelling);
}

TEST(it_is_to_even_halfway_between_two_doubles) {
  claim_exact("halfway", halfway);
}

TEST(it_is_exact_at_the_ends_of_the_range) {
  claim_exact("underflowing", underflowing);
  claim_exact("overflowing", overflowing);
  claim_exact("at the edges", at_the_edges);
}

TEST(zeros_infinities_and_nan_are_as_in_ieee_754) {
  claim_exact("special", special);
}

/* An element that is computed singly does not change the others. */
TEST(elements_do_not_depend_on_each_other) {
  for (int k = 0; k < TRIPLES; k++) {
    V a = all(0.0), b = a, c = a;
    triple t[WIDTH];
    for (int l = 0; l < WIDTH; l++) {
      t[l] = l == k % WIDTH ? special() : usual();
      a[l] = t[l].a, b[l] = t[l].b, c[l] = t[l].c;
    }
    const V r = emulated_madd(a, b, c);
    for (int l = 0; l < WIDTH; l++) claim("mixed", t[l], r[l]);
  }
}

/* The three forms of simd.h, emulated or not. */
TEST(each_form_has_its_signs) {
  for (int k = 0; k < TRIPLES / 10; k++) {
    const triple t = k % 2 ? usual() : cancelling();
    claim("madd", t, madd(all(t.a), all(t.b), all(t.c))[0]);
    claim("nmadd", (triple){-t.a, t.b, t.c}, nmadd(all(t.a), all(t.b), all(t.c))[0]);
    claim("msub", (triple){t.a, t.b, -t.c}, msub(all(t.a), all(t.b), all(t.c))[0]);
  }
}
