/* Multiply and add with one rounding where the processor has no instruction for it. Included by simd.h. */
#ifndef ELI_EMULATED_FMA_H
#define ELI_EMULATED_FMA_H

ELI_INLINE V madd(V a, V b, V c) {
  V r;
  for (int l = 0; l < WIDTH; l++) r[l] = __builtin_fma(a[l], b[l], c[l]);
  return r;
}

ELI_INLINE V nmadd(V a, V b, V c) {
  return madd(-a, b, c);
}

ELI_INLINE V msub(V a, V b, V c) {
  return madd(a, b, -c);
}

#endif
