/* Chooses one of the compiled instruction sets from the features of the processor. */
#include "base/target.h"

#include "kernels/kernels.h"

static const eli_kernels *fma128(void) {
#ifdef ELI_KERNELS_X86
  if (__builtin_cpu_supports("avx") && __builtin_cpu_supports("fma")) return &eli_kernels_fma;
#endif
  return NULL;
}

static const eli_kernels *avx2(void) {
#ifdef ELI_KERNELS_WIDE
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &eli_kernels_avx2;
#endif
  return NULL;
}

static const eli_kernels *avx512(void) {
#ifdef ELI_KERNELS_WIDE
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("fma"))
    return &eli_kernels_avx512;
#endif
  return NULL;
}

const eli_kernels *eli_kernels_select(elastica_instruction_set set) {
  switch (set) {
  case ELASTICA_INSTRUCTION_SET_BASE: return &eli_kernels_base;
  case ELASTICA_INSTRUCTION_SET_FMA: return fma128();
  case ELASTICA_INSTRUCTION_SET_AVX2: return avx2();
  case ELASTICA_INSTRUCTION_SET_AVX512: return avx512();
  case ELASTICA_INSTRUCTION_SET_AUTO: break;
  default: return NULL;
  }
  const eli_kernels *widest = avx512();
  if (widest == NULL) widest = avx2();
  if (widest == NULL) widest = fma128();
  return widest != NULL ? widest : &eli_kernels_base;
}
