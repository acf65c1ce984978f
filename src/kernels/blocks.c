/* Blocks of 6 by 6 for the instruction set that the compiler flags select, and the choice of a set. */
#include "base/target.h"

#include "kernels/blocks.h"
#include "kernels/kernels.h"

#define ELI_BLOCKS_NAME eli_blocks_base
#include "kernels/blocks.inl"

const eli_blocks *eli_blocks_of(elastica_instruction_set set) {
#ifdef ELI_KERNELS_X86
  if (set == ELASTICA_INSTRUCTION_SET_AVX2 || set == ELASTICA_INSTRUCTION_SET_AVX512) return &eli_blocks_avx2;
#else
  (void)set;
#endif
  return &eli_blocks_base;
}
