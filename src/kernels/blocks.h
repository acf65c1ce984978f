/* Blocks of 6 by 6 numbers, for the factors of statics, and the blocks of the stiffness of rods.
 *
 * The text is written once (blocks.inl, tangent.inl) and compiled for two instruction sets. Blocks are stored by columns. Products and sums
 * are rounded one by one, without fused operations: so the bits are the same for all sets, and the base set emulates nothing.
 */
#ifndef ELI_BLOCKS_H
#define ELI_BLOCKS_H

#include <elastica.h>
#include <stddef.h>

enum { ELI_BLOCK_ROWS = 6, ELI_TANGENT_LANES = 8 };

/* The internal stiffness of a rod, of elements and joints (kernels/tangent.inl). Slots of lanes count from `offset`; strain [12] and
 * predicted [3] have a group per block of the rod, as in eli_statics. */
typedef struct eli_tangent_input {
  double *const *lane;
  size_t offset, elements;
  int closed, classical, exact_couple;
  double share, scale;
  const double *strain, *predicted;
} eli_tangent_input;

/* Stiffness of some elements, each with the joint behind it, by columns. A pair is the block i of the element and the next one. Where an
 * element is not wanted, the pointers may be those of any memory. */
typedef struct eli_tangent_output {
  double *own[ELI_TANGENT_LANES];    /* [18] rows of block i, columns of its element, with the joint before it in the same call */
  double *across[ELI_TANGENT_LANES]; /* [36] rows of block i, columns of the next */
  double *back[ELI_TANGENT_LANES];   /* [36] rows of the next block, columns of block i */
  double behind[9]; /* in and out, by rows: the joint before the first element, on that element; then the one behind the last */
  double lost[ELI_TANGENT_LANES][6]; /* rescaled law: the decrease of the couples on both elements of the joint per length of either */
} eli_tangent_output;

typedef struct eli_blocks {
  /* Inverts a block in place, without exchanges of rows. Returns 0, and leaves the block as it was, if a pivot is not positive. */
  int (*invert)(double *block);

  /* out = a b; out is neither a nor b. */
  void (*multiply)(const double *a, const double *b, double *out);

  /* For so many columns: out -= a b. */
  void (*subtract)(const double *a, const double *b, int columns, double *out);

  /* out -= a x, and out = a x, of a vector; out is not x. */
  void (*subtract_from)(const double *a, const double *x, double *out);
  void (*apply)(const double *a, const double *x, double *out);

  /* Computes the stiffness of elements begin to begin + count - 1 of a rod, count at most ELI_TANGENT_LANES. The joint behind the last
   * element of an open rod has none. */
  void (*tangent)(const eli_tangent_input *input, size_t begin, size_t count, eli_tangent_output *output);
} eli_blocks;

extern const eli_blocks eli_blocks_base, eli_blocks_avx2;

/* Returns the functions for an instruction set that the processor has. */
const eli_blocks *eli_blocks_of(elastica_instruction_set set);

#endif
