/* Computes a b + c with one rounding on processors without such an instruction, with the same bits.
 *
 * method   the product is an exact sum p + q (T. J. Dekker, A floating-point technique for extending the available precision, Numerische
 *          Mathematik 18 (1971) 224-242). The sum p + c and its error are exact too. The small terms are rounded to odd, so that the last
 *          sum rounds as if it were the only rounding (S. Boldo and G. Melquiond, Emulation of a FMA and correctly rounded sums: proved
 *          algorithms using rounding to odd, IEEE Transactions on Computers 57 (2008) 462-471)
 * range    operands for which no operation overflows or underflows; other elements are computed one by one in integers
 * needs    rounding to nearest and no contraction; no libm
 * test     tests/test_emulated_fma.c
 *
 * simd.h includes this file and defines the vectors used here.
 */
#ifndef ELI_EMULATED_FMA_H
#define ELI_EMULATED_FMA_H

#include <stdint.h>
#include <string.h>

/* ---- In integers: any operands, one element at a time ---- */

/* m 2^exponent with a 128-bit integer m. */
typedef struct wide {
  uint64_t high, low;
  int exponent;
} wide;

/* Returns m with |x| = m 2^e, 2^52 <= m < 2^53. x must be finite and not 0. */
static inline uint64_t mantissa(double x, int *exponent) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint64_t m = bits & ((UINT64_C(1) << 52) - 1);
  int e = (int)(bits >> 52 & 0x7ff);
  if (e > 0)
    m |= UINT64_C(1) << 52;
  else
    for (e = 1; m >> 52 == 0; e--) m <<= 1;
  *exponent = e - 1075;
  return m;
}

/* Returns |a b|. The highest bit set is bit 124 or 125. */
static inline wide wide_product(double a, double b) {
  int ea, eb;
  const uint64_t ma = mantissa(a, &ea) << 10, mb = mantissa(b, &eb) << 10, half = UINT64_C(0xffffffff);
  const uint64_t low = (ma & half) * (mb & half), middle = (ma >> 32) * (mb & half) + (low >> 32);
  const uint64_t other = (ma & half) * (mb >> 32) + (middle & half);
  return (wide){(ma >> 32) * (mb >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & half), ea + eb - 20};
}

/* Returns x 2^-n. If bits are lost at the low end, the last bit is set (rounding to odd). */
static inline wide shifted(wide x, int n) {
  wide y = {0, 0, x.exponent + n};
  uint64_t lost;
  if (n == 0) return x;
  if (n < 64) {
    y.high = x.high >> n;
    y.low = x.low >> n | x.high << (64 - n);
    lost = x.low << (64 - n);
  } else if (n < 128) {
    y.low = n == 64 ? x.high : x.high >> (n - 64);
    lost = x.low | (n == 64 ? 0 : x.high << (128 - n));
  } else {
    lost = x.high | x.low;
  }
  y.low |= lost != 0;
  return y;
}

/* Returns the double nearest to x; in a tie, the even one. */
static inline double nearest(wide x, int negative) {
  while (x.high >> 63 == 0) {
    x.high = x.high << 1 | x.low >> 63;
    x.low <<= 1;
    x.exponent--;
  }
  /* x = m 2^(exponent + 64), 2^63 <= m < 2^64; m is odd if bits were lost. */
  const uint64_t m = x.high | (x.low != 0), infinity = UINT64_C(0x7ff) << 52;
  const int top = x.exponent + 127, subnormal = top < -1022, dropped = subnormal ? -1011 - top : 11; /* 2^top <= x < 2^(top + 1) */
  uint64_t bits = 0;
  if (top > 1023) {
    bits = infinity;
  } else if (dropped <= 64) {
    const uint64_t kept = dropped < 64 ? m >> dropped : 0, rest = dropped < 64 ? m - (kept << dropped) : m;
    const uint64_t half = UINT64_C(1) << (dropped - 1);
    const uint64_t up = rest > half || (rest == half && (kept & 1));
    bits = ((uint64_t)(subnormal ? 0 : top + 1022) << 52) + kept + up; /* A carry enters the exponent, and may give infinity. */
  }
  bits |= (uint64_t)negative << 63;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

static __attribute__((noinline, cold, unused)) double madd_in_integers(double a, double b, double c) {
  if (!(a - a == 0.0 && b - b == 0.0)) return a * b + c; /* infinite or not a number */
  if (c - c != 0.0) return c;                            /* a b is finite, so the sum is c */
  if (a == 0.0 || b == 0.0) return a * b + c;
  if (c == 0.0) return a * b; /* one rounding, and the sign of a vanishing product is kept */
  int e;
  const uint64_t m = mantissa(c, &e);
  wide x = wide_product(a, b), y = {m << 8, 0, e - 72};
  int x_negative = (a < 0.0) != (b < 0.0), y_negative = c < 0.0;
  if (x.exponent < y.exponent || (x.exponent == y.exponent && (x.high < y.high || (x.high == y.high && x.low < y.low)))) {
    const wide z = x;
    const int negative = x_negative;
    x = y, x_negative = y_negative;
    y = z, y_negative = negative;
  }
  y = shifted(y, x.exponent - y.exponent);
  if (x_negative == y_negative) {
    x.low += y.low;
    x.high += y.high + (x.low < y.low);
  } else if (x.high > y.high || (x.high == y.high && x.low >= y.low)) {
    x.high -= y.high + (x.low < y.low);
    x.low -= y.low;
  } else {
    x_negative = y_negative;
    x.high = y.high - x.high - (y.low < x.low);
    x.low = y.low - x.low;
  }
  return x.high == 0 && x.low == 0 ? 0.0 : nearest(x, x_negative);
}

/* The multiply-add of vectors with a number outside the range of the method. */
static __attribute__((noinline, cold, unused)) V madd_one_by_one(V a, V b, V c) {
  V r = a;
  for (int l = 0; l < WIDTH; l++) r[l] = madd_in_integers(a[l], b[l], c[l]);
  return r;
}

/* ---- In vectors ---- */

/* a + b and the error of its rounding; the sum of both is exact. */
typedef struct exact_sum {
  V sum, error;
} exact_sum;

ELI_INLINE exact_sum two_sum(V a, V b) {
  const V sum = a + b, part = sum - a;
  return (exact_sum){sum, (a - (sum - part)) + (b - part)};
}

/* The leading 26 bits of a, rounded. Products of such parts and of the remainders are exact. */
ELI_INLINE V leading_half(V a) {
  return (V)(((M)a + (1LL << 26)) & -(1LL << 27));
}

/* a + b rounded to odd: the sum is truncated, and its last bit is set if the result is inexact. */
ELI_INLINE V odd_sum(V a, V b) {
  typedef unsigned long long bits __attribute__((vector_size(8 * WIDTH), may_alias));
  const exact_sum s = two_sum(a, b);
  const bits inexact = (bits)(s.error != all(0.0)), rounded_up = ((bits)s.sum ^ (bits)s.error) >> 63 & inexact;
  return (V)(((bits)s.sum - rounded_up) | inexact >> 63);
}

/* 2^exponent, computed from its bits, because gcc then loads the constant at once. */
ELI_INLINE V power_of_two(long long exponent) {
  return (V)(((M)all(0.0) + (exponent + 1023)) << 52);
}

/* With a b = p + q and p + c = s.sum + s.error exactly, s.error + q is rounded to odd: it is either exact or far below s.sum. A product
 * that is too small for an exact q is either 0 or negligible beside c; otherwise the elements are computed one by one. This is also done if
 * a number is so large that an operation might overflow. The conditions are signs of differences, because gcc tests these faster than
 * comparisons. The function is not inlined: the kernels would exceed the instruction cache and be slower. */
static __attribute__((noinline, unused)) V emulated_madd(V a, V b, V c) {
  const V p = a * b, size = larger(size_of(p), size_of(c));
  const V a1 = leading_half(a), a2 = a - a1, b1 = leading_half(b), b2 = b - b1;
  const V q = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
  const M large = (M)(power_of_two(1000) - size) | (q != q), small = (M)(size - power_of_two(-900));
  if (any(large | small)) {
    const M vanishing = (M)(a == all(0.0)) | (M)(b == all(0.0));
    if (any(large | (small & ~vanishing))) return madd_one_by_one(a, b, c);
  }
  const exact_sum s = two_sum(p, c);
  const V r = s.sum + odd_sum(s.error, q);
  return (V)((M)r | ((M)p & (M)c & (M)all(-0.0))); /* the sum of -0 and -0 is -0 */
}

#endif
