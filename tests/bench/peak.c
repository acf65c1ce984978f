/* Measures the peak rate of multiply-adds (see peak.h). */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "peak.h"

#include <stdio.h>
#include <time.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_processor_seconds(void) {
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_clock_seconds(void) {
  return seconds(CLOCK_MONOTONIC);
}

static const long COUNT = 100000;

/* Ten independent chains: more than the latency of a multiply-add in cycles, times the multiply-adds that start per cycle. Separate
 * variables stay in registers. A macro, since functions for several instruction sets cannot share an inlined body. Returns operations. */
#define LOOP(name, attributes, vector, multiply_add)                                                                                       \
  attributes static double name(void) {                                                                                                    \
    enum { CHAINS = 10, LANES = sizeof(vector) / sizeof(double) };                                                                         \
    vector m, t;                                                                                                                           \
    for (int l = 0; l < LANES; l++) m[l] = 0.999999, t[l] = 1e-3;                                                                          \
    vector a = t, b = a + t, c = b + t, d = c + t, e = d + t, f = e + t, g = f + t, h = g + t, i = h + t, j = i + t;                       \
    for (long k = 0; k < COUNT; k++) {                                                                                                     \
      a = multiply_add(a, m, t), b = multiply_add(b, m, t), c = multiply_add(c, m, t), d = multiply_add(d, m, t);                          \
      e = multiply_add(e, m, t), f = multiply_add(f, m, t), g = multiply_add(g, m, t), h = multiply_add(h, m, t);                          \
      i = multiply_add(i, m, t), j = multiply_add(j, m, t);                                                                                \
      __asm__ volatile("" ::: "memory");                                                                                                   \
    }                                                                                                                                      \
    const vector sum = a + b + c + d + e + f + g + h + i + j;                                                                              \
    return sum[0] == 0.123 ? 0.0 : 2.0 * CHAINS * LANES * (double)COUNT;                                                                   \
  }

typedef double two __attribute__((vector_size(16)));
#define APART(a, b, c) ((a) * (b) + (c))
#if defined(__x86_64__) && defined(__GNUC__)
LOOP(loop_base, , two, APART)
LOOP(loop_fma, __attribute__((target("fma"))), __m128d, _mm_fmadd_pd)
LOOP(loop_avx2, __attribute__((target("avx2,fma"))), __m256d, _mm256_fmadd_pd)
LOOP(loop_avx512, __attribute__((target("avx512f"))), __m512d, _mm512_fmadd_pd)
#elif defined(__aarch64__)
#define FUSED(a, b, c) vfmaq_f64(c, a, b)
LOOP(loop_base, , float64x2_t, FUSED)
#else
LOOP(loop_base, , two, APART)
#endif

static double (*loop_of(elastica_instruction_set set))(void) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (set == ELASTICA_INSTRUCTION_SET_FMA) return loop_fma;
  if (set == ELASTICA_INSTRUCTION_SET_AVX2) return loop_avx2;
  if (set == ELASTICA_INSTRUCTION_SET_AVX512) return loop_avx512;
#endif
  (void)set;
  return loop_base;
}

double bench_peak(elastica_instruction_set set) {
  double (*const loop)(void) = loop_of(set);
  double most = 0.0;
  for (int run = 0; run < 100; run++) {
    const double start = bench_processor_seconds(), operations = loop(), rate = operations / (bench_processor_seconds() - start) * 1e-9;
    if (rate > most) most = rate;
  }
  return most;
}
