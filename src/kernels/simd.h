/* A vector of doubles and its arithmetic, for the instruction set that is being compiled.
 *
 * Each instruction set includes this text with its own width. All operations act element by element and round as IEEE arithmetic does, so
 * the bits of a result do not depend on the width. The fused operations round once. They are single instructions if the processor has them;
 * otherwise they are emulated exactly (emulated_fma.h).
 */
#ifndef ELI_SIMD_H
#define ELI_SIMD_H

#include <stddef.h>

#include "slab/slab.h"

#define ELI_INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#else
#include <math.h>
#endif

/* A file for one instruction set defines ELI_SIMD_WIDTH before it includes this header; such a set has fused operations. The file must say
 * so because clang does not define the macros below for the targets of single functions. The base set uses the instructions that the
 * compiler flags allow. Windows aligns its stack to 16 bytes only, therefore no vector is wider than that there. */
#ifndef ELI_SIMD_WIDTH
#if defined(__AVX512F__) && !defined(_WIN32)
#define ELI_SIMD_WIDTH 8
#elif defined(__AVX2__) && defined(__FMA__) && !defined(_WIN32)
#define ELI_SIMD_WIDTH 4
#else
#define ELI_SIMD_WIDTH 2
#if defined(__SSE2__) && !defined(__FMA__)
#define ELI_EMULATES_FMA
#endif
#endif
#endif

enum { WIDTH = ELI_SIMD_WIDTH };

/* V is a vector. VU is the same vector in memory, aligned to one double. M is the result of a comparison: all bits of an element are set if
 * the comparison holds, otherwise none. */
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));
typedef double VU __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef long long M __attribute__((vector_size(8 * WIDTH), may_alias));

/* Returns a vector with the same number in every element. */
ELI_INLINE V all(double c) {
  return c - (V){0.0};
}

/* madd: a b + c, nmadd: c - a b, msub: a b - c, each with one rounding. larger and smaller return b if one of the two is not a number. */
#if ELI_SIMD_WIDTH == 8
ELI_INLINE V madd(V a, V b, V c) {
  return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return (V)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
ELI_INLINE V msub(V a, V b, V c) {
  return (V)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
ELI_INLINE V larger(V a, V b) {
  return (V)_mm512_max_pd((__m512d)a, (__m512d)b);
}
ELI_INLINE V smaller(V a, V b) {
  return (V)_mm512_min_pd((__m512d)a, (__m512d)b);
}
ELI_INLINE V root(V a) {
  return (V)_mm512_sqrt_pd((__m512d)a);
}
#elif ELI_SIMD_WIDTH == 4
ELI_INLINE V madd(V a, V b, V c) {
  return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return (V)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
ELI_INLINE V msub(V a, V b, V c) {
  return (V)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
ELI_INLINE V larger(V a, V b) {
  return (V)_mm256_max_pd((__m256d)a, (__m256d)b);
}
ELI_INLINE V smaller(V a, V b) {
  return (V)_mm256_min_pd((__m256d)a, (__m256d)b);
}
ELI_INLINE V root(V a) {
  return (V)_mm256_sqrt_pd((__m256d)a);
}
#elif defined(__SSE2__)
ELI_INLINE V larger(V a, V b) {
  return (V)_mm_max_pd((__m128d)a, (__m128d)b);
}
ELI_INLINE V smaller(V a, V b) {
  return (V)_mm_min_pd((__m128d)a, (__m128d)b);
}
ELI_INLINE V root(V a) {
  return (V)_mm_sqrt_pd((__m128d)a);
}
#ifndef ELI_EMULATES_FMA
ELI_INLINE V madd(V a, V b, V c) {
  return (V)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return (V)_mm_fnmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
}
ELI_INLINE V msub(V a, V b, V c) {
  return (V)_mm_fmsub_pd((__m128d)a, (__m128d)b, (__m128d)c);
}
#endif
#elif defined(__ARM_NEON) && defined(__aarch64__)
ELI_INLINE V madd(V a, V b, V c) {
  return (V)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return (V)vfmsq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}
ELI_INLINE V msub(V a, V b, V c) {
  return (V)vfmaq_f64((float64x2_t)(-c), (float64x2_t)a, (float64x2_t)b);
}
ELI_INLINE V larger(V a, V b) {
  return (V)vbslq_f64(vcgtq_f64((float64x2_t)a, (float64x2_t)b), (float64x2_t)a, (float64x2_t)b);
}
ELI_INLINE V smaller(V a, V b) {
  return (V)vbslq_f64(vcltq_f64((float64x2_t)a, (float64x2_t)b), (float64x2_t)a, (float64x2_t)b);
}
ELI_INLINE V root(V a) {
  return (V)vsqrtq_f64((float64x2_t)a);
}
#else
ELI_INLINE V larger(V a, V b) {
  return (V){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
ELI_INLINE V smaller(V a, V b) {
  return (V){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}
ELI_INLINE V root(V a) {
  return (V){sqrt(a[0]), sqrt(a[1])};
}
#define ELI_EMULATES_FMA
#endif
/* ---- Comparing and choosing ---- */

/* Returns a if the comparison holds, otherwise b. */
ELI_INLINE V choose(M holds, V a, V b) {
  return (V)((holds & (M)a) | (~holds & (M)b));
}

/* Returns a if the condition holds, otherwise 0, even if a is not a number. */
ELI_INLINE V where(M holds, V a) {
  return (V)(holds & (M)a);
}

/* Returns slots i - 1, ... of a lane from the vectors at i - WIDTH and i: the last element of the first vector, then all but the last of
 * the second. */
ELI_INLINE V one_before(V before, V a) {
#if ELI_SIMD_WIDTH == 8
  return __builtin_shufflevector(before, a, 7, 8, 9, 10, 11, 12, 13, 14);
#elif ELI_SIMD_WIDTH == 4
  return __builtin_shufflevector(before, a, 3, 4, 5, 6);
#else
  return __builtin_shufflevector(before, a, 1, 2);
#endif
}

/* Returns slots i + 1, ... of a lane from the vectors at i and i + WIDTH: all but the first element of the first vector, then the first of
 * the second. */
ELI_INLINE V one_behind(V a, V behind) {
#if ELI_SIMD_WIDTH == 8
  return __builtin_shufflevector(a, behind, 1, 2, 3, 4, 5, 6, 7, 8);
#elif ELI_SIMD_WIDTH == 4
  return __builtin_shufflevector(a, behind, 1, 2, 3, 4);
#else
  return __builtin_shufflevector(a, behind, 1, 2);
#endif
}

ELI_INLINE V size_of(V a) {
  return (V)((M)a & ~(M)all(-0.0));
}

ELI_INLINE int any(M holds) {
#if ELI_SIMD_WIDTH == 8
  return _mm512_movepi64_mask((__m512i)holds) != 0;
#elif ELI_SIMD_WIDTH == 4
  return _mm256_movemask_pd((__m256d)holds) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_pd((__m128d)holds) != 0;
#else
  return (holds[0] | holds[1]) < 0;
#endif
}

/* Returns the largest element. No element may be NaN. */
ELI_INLINE double largest(V a) {
  double most = a[0];
  for (int l = 1; l < WIDTH; l++) most = a[l] > most ? a[l] : most;
  return most;
}

#if defined(ELI_EMULATES_FMA) && defined(ELASTICA_FAST_MADD)
/* Two roundings, so other bits than everywhere else; elastica_version() says so. */
ELI_INLINE V madd(V a, V b, V c) {
  return a * b + c;
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return c - a * b;
}
ELI_INLINE V msub(V a, V b, V c) {
  return a * b - c;
}
#elif defined(ELI_EMULATES_FMA)
#include "kernels/emulated_fma.h"

ELI_INLINE V madd(V a, V b, V c) {
  return emulated_madd(a, b, c);
}
ELI_INLINE V nmadd(V a, V b, V c) {
  return emulated_madd(-a, b, c);
}
ELI_INLINE V msub(V a, V b, V c) {
  return emulated_madd(a, b, -c);
}
#endif

#endif
