/* Blocks of 6 by 6 for AVX2, and for all sets that include it. */
#include "base/target.h"

#include "kernels/blocks.h"
#include "kernels/kernels.h"

#ifdef ELI_KERNELS_X86

#include <float.h>
#include <immintrin.h>
#include <math.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#include "base/rotation.h"
#include "slab/slab.h"

#define ELI_SIMD_WIDTH 4
#define ELI_BLOCKS_WIDE
#define ELI_BLOCKS_NAME eli_blocks_avx2
#include "kernels/blocks.inl"

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
