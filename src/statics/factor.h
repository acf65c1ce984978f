/* A sparse matrix of 6 by 6 blocks, its factors, and the inertia of its symmetric part. A stiffness k g g^T between many slots would fill
 * the matrix; it is given as a spring instead: a hidden slot with the elongation e = g . x as an unknown. */
#ifndef ELI_FACTOR_H
#define ELI_FACTOR_H

#include <stddef.h>

#include "base/memory.h"
#include "kernels/blocks.h"

/* Unknowns by slot: displacement of a node (three), turn of an element (three). At most ELI_FACTOR_PINS unknowns are pinned. */
enum { ELI_FACTOR_NODE = 0, ELI_FACTOR_ELEMENT = 1, ELI_SLOT_UNKNOWNS = 6, ELI_FACTOR_PINS = 12 };

typedef struct eli_division eli_division;

typedef struct eli_factor {
  const eli_allocator *allocator;
  const eli_blocks *blocks; /* those of the base set, unless the owner sets others after eli_factor_create; same bits */
  size_t slots, shown;      /* hidden slots follow the shown ones */
  int starved;              /* 1: memory ran out */

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

  /* The matrix: the blocks beside the diagonal, and one on it with the columns of the element; its columns of the node are the response to
   * a common translation of all free nodes. All are stored by columns. */
  double *lower;                  /* [36] per entry of neighbour: rows of the neighbour, columns of the slot */
  double *upper;                  /* [36] per entry: rows of the slot, columns of the neighbour */
  double *own;                    /* [36] per slot; of a part it is `diagonal`, too, and lost in the elimination */
  double *transposed;             /* [18] per slot: response of the transposed matrix, 6 by 3 */
  double *error;                  /* [6] per slot: bound of the error of the diagonal */
  unsigned char *held, *any_held; /* per unknown, per slot */
  unsigned char *changes;         /* per entry: 1 if the elimination of other slots changes the block */
  unsigned char *expected;        /* per entry: 1 for blocks of pairs that the owner places after each clear */
  unsigned char *expected_own;    /* per slot: likewise for the columns of its element */
  double *values;                 /* memory of all numbers */
  unsigned char *flags;           /* memory of the bytes */
  int misses;                     /* 1: a block that was added has no place in the pattern */
  int careful;                    /* 1: elimination without the error of inverses; 2: of the symmetric part, to all digits; by the owner */

  /* The factors; blocks as above, but Schur complements. A block that does not change is not copied: its factor in the rows of the slot is
   * `upper`. Those of the symmetric part: down, and a block [36] on the diagonal with the response [18] and the part of the element [9], by
   * rows. */
  double *down, *up, *diagonal, *front, *doubt;

  /* Unknowns whose pivots are too small for the elimination are pinned by springs, of 1/scale^2; the responses to a force 1/scale on each,
   * and the eigenvalues of 1 - scale^-1 (K')^-1 scale^-1 with their vectors by rows, whose signs the pins leave out. 0: a zero. */
  int pins;
  size_t pin[ELI_FACTOR_PINS];
  double pin_scale[ELI_FACTOR_PINS], pin_value[ELI_FACTOR_PINS], pin_vector[ELI_FACTOR_PINS * ELI_FACTOR_PINS];
  double *response;     /* [6] per slot and pin */
  double *hidden[2];    /* [6] per slot: vectors with hidden slots; NULL without such slots */
  double *local;        /* [6] per slot: bound of the error of the diagonal that arises there, elimination included */
  int is_general;       /* 1: those of the whole matrix, 0: of its symmetric part */
  double shift;         /* of the last factorisation */
  const double *weight; /* of the last factorisation, or NULL */
  int negative, zero;   /* of the last factorisation */
  int uncertain;        /* 1: a pivot of the size of rounding was coupled to others, and there were more of them than pins */

  eli_division *division; /* into parts; NULL: the matrix is whole */
  int is_part;            /* 1: a part of a matrix */
} eli_factor;

/* Creates a matrix without couplings, for this many slots and springs; couple: declares a block, of spring s with slot `shown` + s;
 * analyse: finds the order, with all blocks declared; reserve: then takes memory for the numbers, once. Return 0 without memory, then also
 * analyse. Vectors of the functions below have the length [6 shown]. */
int eli_factor_create(eli_factor *factor, const eli_allocator *allocator, size_t slots, size_t springs);
void eli_factor_couple(eli_factor *factor, size_t slot, size_t other);
int eli_factor_analyse(eli_factor *factor);
int eli_factor_reserve(eli_factor *factor);
void eli_factor_release(eli_factor *factor);

/* Sets all to 0 and no unknown prescribed; hold then prescribes unknowns, before blocks are added. add: adds a block of 3 by 3 of a part of
 * one slot and a part of another, by rows. internal 1: the block belongs to loads that a common translation does not change, which are
 * added completely; blocks from a node to itself are not stored, since they follow. A block without a place in the pattern sets misses. */
void eli_factor_clear(eli_factor *factor);
void eli_factor_hold(eli_factor *factor, size_t slot, int unknown);
void eli_factor_add(eli_factor *factor, size_t row_slot, int row_part, size_t column_slot, int column_part, const double m[9],
                    int internal);

/* The same for the element of a slot and itself, internal or not. */
void eli_factor_add_turn(eli_factor *factor, size_t slot, const double m[9]);

/* Finds places for blocks of internal loads of a slot and another; the caller overwrites them. By columns: own [18], the columns of the
 * element of the slot in its own rows; across [36], the rows of the slot and the columns of the other; back [36], the rows of the other and
 * the columns of the slot. Call it after hold and before add. Returns 0 if there is no place for them; with prescribed unknowns 2 in a part
 * of a matrix, where hold_pair must follow, and 0 in others. expect_pair, after the analysis: announces that each clear is followed by such
 * a call, and leaves the blocks of the pair to it. */
void eli_factor_expect_pair(eli_factor *factor, size_t slot, size_t other);
int eli_factor_place_pair(eli_factor *factor, size_t slot, size_t other, double **own, double **across, double **back);
void eli_factor_hold_pair(eli_factor *factor, size_t slot, size_t other, double *own, double *across, double *back);

/* Sets the stiffness k of a spring, and adds a gradient by the unknowns of a part to its g. Without a stiffness it is absent. */
void eli_factor_set_spring(eli_factor *factor, size_t spring, double stiffness);
void eli_factor_pull(eli_factor *factor, size_t spring, size_t slot, int part, const double gradient[3], int internal);

/* Writes the diagonal of the matrix. */
void eli_factor_diagonal(const eli_factor *factor, double *diagonal);

/* Adds to the bound of the error of the matrix on the diagonal [N/m, N m]. */
void eli_factor_doubt(eli_factor *factor, size_t slot, int unknown, double error);

/* Factorises the symmetric part of the matrix + shift diag(weight), weight or NULL, and counts the negative eigenvalues and those
 * of the size of rounding errors. weight must live as long as the factors are used. */
void eli_factor_compute(eli_factor *factor, double shift, const double *weight);

/* Factorises the whole matrix + shift diag(weight), symmetric or not: L U, with row exchanges within a block alone and only if a pivot is
 * not positive. negative is 0 if all pivots are positive, as for every positive definite matrix, and else odd if and only if the
 * determinant is negative. */
void eli_factor_compute_general(eli_factor *factor, double shift, const double *weight);

/* A matrix without springs falls into parts if no block couples two of them: part p has the slots from first[p] to first[p + 1] - 1, and
 * the last part ends with the last slot. divide, after the analysis and with all prescribed unknowns held, makes each part a matrix of its
 * own, with the same factors, and takes memory for them; the other functions below take parts alone from then on. It returns 1; 0 if there
 * are springs or couplings between parts: the matrix is then as before; -1 without memory. first must live as long as the matrix.
 *
 * part: makes a part the matrix of one of the workers, which may all work at the same time; a thread may be several workers. Its slots
 * count from 0, its prescribed unknowns are those at the division, and it has general factors alone. The worker's next part overwrites its
 * numbers; keeps 1: but not those that eli_factor_solve needs. couples returns 1 for a pair of slots, counted in the whole matrix, that
 * has a block. */
int eli_factor_divide(eli_factor *factor, size_t count, const size_t *first, int workers, int keeps);
eli_factor *eli_factor_part(const eli_factor *factor, size_t part, int worker);
int eli_factor_couples(const eli_factor *factor, size_t slot, size_t other);

/* x = (matrix + shift diag(weight))^-1 b by the factors of the last call, which need the matrix as it was then; x may be b; 0 for
 * prescribed unknowns and along zero eigenvalues. The order does not depend on the numbers: in a matrix that is not positive definite a
 * small pivot costs digits. */
void eli_factor_solve(const eli_factor *factor, const double *b, double *x);

/* y = (matrix + shift diag(weight)) x with the matrix of the last factorisation: the whole, or its symmetric part. Not x; 0 for
 * prescribed unknowns, whose x must be 0. */
void eli_factor_multiply(const eli_factor *factor, const double *x, double *y);

#endif
