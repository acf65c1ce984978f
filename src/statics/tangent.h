/* Stiffness matrix of a rod, linearised about its present state, and its factors. */
#ifndef ELI_TANGENT_H
#define ELI_TANGENT_H

#include "statics/at_rest.h"
#include "statics/factor.h"

/* Unknowns by block: displacement of the node [m], laboratory; turn of the element [rad], material, Q <- EXP(phi) Q. */
typedef struct eli_tangent {
  const elastica_rod *rod;
  size_t blocks;         /* as in eli_statics */
  size_t band;           /* entries on either side of the diagonal */
  double *matrix;        /* rows of 2 band + 1 entries */
  double *loads;         /* rows of the same length: stiffness of loads, from a block to itself and its neighbours */
  size_t loaded[2];      /* the rows of loads from the first to before the second may differ from 0 */
  double *reactions;     /* [9] per block: stiffness of reactions, from a node to itself; 0 unless set */
  double *factor;        /* L below the diagonal, U on and above it */
  double *rearranged;    /* a vector in the order of the rows */
  double regularisation; /* [1/s^2] always added, times inertia: keeps steps along motions without stiffness finite */
  double shift;          /* [1/s^2] of the last factorisation */
  size_t first;          /* first block of the rod in the world, for the factor */
  eli_factor *into;      /* while blocks are added to a factor: that factor; and the factor of these blocks */
  double scale;
} eli_tangent;

/* Returns the number of doubles of the tangent of a rod. init: makes a tangent in this memory. */
size_t eli_tangent_size(const elastica_rod *rod);
void eli_tangent_init(eli_tangent *tangent, const elastica_rod *rod, double *memory);

/* Stiffness of loads: set all to 0; set, add to, or read one entry; y = loads x. Unknowns count from 0 in this rod, 6 per block. An entry
 * is in the same block or in neighbouring blocks. */
void eli_tangent_clear_loads(eli_tangent *tangent);
void eli_tangent_set_load(eli_tangent *tangent, size_t row, size_t column, double value);
void eli_tangent_add_load(eli_tangent *tangent, size_t row, size_t column, double value);
double eli_tangent_load(const eli_tangent *tangent, size_t row, size_t column);
void eli_tangent_apply_loads(const eli_tangent *tangent, const double *x, double *y);

/* Builds the matrix about the present positions and frames: internal loads, loads and reactions. share 1: the full tangent. share 0: its
 * part that is always positive, the material stiffness and the stiffness of tension along the edges. Between: a weighted mean of both.
 * Arrays cover the whole world, by block. predicted: the stress n [3] used in the geometric stiffness instead of that of now. inertia [6]:
 * mass and J. A prescribed unknown gets the row of the identity. */
void eli_tangent_assemble(eli_tangent *tangent, double share, const eli_statics *now, const double *predicted, const unsigned char *held,
                          const double *inertia);

/* Adds scale times the internal part of that matrix to a sparse matrix, at the slots of the blocks of the rod. */
void eli_tangent_add_internal(eli_tangent *tangent, double share, double scale, const eli_statics *now, const double *predicted,
                              eli_factor *factor);

/* Factorises matrix + shift * inertia. Returns 0 if a pivot is not positive. */
int eli_tangent_factorise(eli_tangent *tangent, double shift, const double *inertia);

/* x = (matrix + shift * inertia)^-1 b; arrays of the rod, 6 per block. x may be b. */
void eli_tangent_solve(const eli_tangent *tangent, const double *b, double *x);

/* Reads a part of the matrix, and of the stiffness of loads in it: the rows of the node (0) or element (1) of one block, the columns of the
 * node or element of another. Returns 0 if the band has no place for them, or if all are 0. */
int eli_tangent_part(const eli_tangent *tangent, size_t row_block, int row_part, size_t column_block, int column_part, double m[9],
                     double loads[9]);

/* predicted = n + its change along a step, to first order about the present positions and frames. Arrays of the world. */
void eli_tangent_predict(const elastica_rod *rod, const eli_statics *now, const double *step, double *predicted);

#endif
