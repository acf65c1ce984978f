/* A sparse symmetric matrix of 6 by 6 blocks, its factors and its inertia. */
#ifndef ELI_FACTOR_H
#define ELI_FACTOR_H

#include <stddef.h>

#include "base/memory.h"

/* Unknowns by slot: displacement of a node (three), turn of an element (three). */
enum { ELI_FACTOR_NODE = 0, ELI_FACTOR_ELEMENT = 1, ELI_SLOT_UNKNOWNS = 6 };

typedef struct eli_factor {
  const eli_allocator *allocator;
  size_t slots;
  int starved; /* 1: memory ran out */

  /* The pattern, and the order of elimination. */
  size_t *order;           /* [slots] slot by position */
  size_t *rank;            /* [slots] position by slot */
  size_t *begin, *degree;  /* [slots] list of a slot in neighbour: its neighbours at its elimination, all of them later */
  size_t *room;            /* [slots] length that the list may have in place */
  size_t *neighbour;       /* lists; each entry has a block */
  size_t used, capacity;   /* of neighbour */
  size_t *next, *previous; /* [slots] slots of one degree; bucket: first of each degree. Scratch of the analysis */
  size_t *bucket, *place;  /* place: position of a slot in a list, scratch */
  void *tables;            /* memory of these arrays */

  /* The matrix: the blocks below the diagonal in the order of elimination, the blocks of elements on the diagonal, and the response of each
   * slot to a common translation of all nodes. */
  double *block;    /* [36] per entry of neighbour: rows of the neighbour, columns of the slot */
  double *turning;  /* [9] per slot */
  double *response; /* [18] per slot: 6 by 3 */
  double *error;    /* [6] per slot: bound of the error of the diagonal */
  unsigned char *held;
  double *values;

  /* The factors; blocks as above, but Schur complements. */
  double *down, *inner, *front, *common, *doubt;
  int negative, zero; /* of the last factorisation */
  int uncertain;      /* 1: a pivot of the size of rounding was coupled to others */
} eli_factor;

/* Creates a matrix without couplings, for this many slots; couple: declares a block; analyse: finds the order, with all blocks declared.
 * Return 0 without memory, then also analyse. */
int eli_factor_create(eli_factor *factor, const eli_allocator *allocator, size_t slots);
void eli_factor_couple(eli_factor *factor, size_t slot, size_t other);
int eli_factor_analyse(eli_factor *factor);
void eli_factor_release(eli_factor *factor);

/* Sets all to 0 and no unknown prescribed. add: adds a block of 3 by 3 of a part of one slot and a part of another, by rows; the matrix is
 * the symmetric part of the sum. internal 1: the block belongs to loads that a common translation does not change, which are added
 * completely; blocks from a node to itself are then left out, since they follow. hold: prescribes an unknown. */
void eli_factor_clear(eli_factor *factor);
void eli_factor_add(eli_factor *factor, size_t row_slot, int row_part, size_t column_slot, int column_part, const double m[9],
                    int internal);
void eli_factor_hold(eli_factor *factor, size_t slot, int unknown);

/* Adds to the bound of the error of the matrix on the diagonal [N/m, N m]. */
void eli_factor_doubt(eli_factor *factor, size_t slot, int unknown, double error);

/* Factorises matrix + shift diag(weight), weight [6 slots] or NULL, and counts the negative eigenvalues and those of the size of rounding
 * errors. */
void eli_factor_compute(eli_factor *factor, double shift, const double *weight);

/* x = (matrix + shift diag(weight))^-1 b; [6 slots], x may be b; 0 for prescribed unknowns and along zero eigenvalues.
 * The order does not depend on the numbers: in an indefinite matrix one refinement is due. */
void eli_factor_solve(const eli_factor *factor, const double *b, double *x);

#endif
