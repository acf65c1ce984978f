/* The stiffness of a rod linearised about its present state, factorised: what relaxation takes for inertia. */
#ifndef ELI_TANGENT_H
#define ELI_TANGENT_H

#include "statics/at_rest.h"

/* Unknowns by block: displacement of the node [m], laboratory; turn of the element [rad], material, Q <- EXP(phi) Q. */
typedef struct eli_tangent {
  const elastica_rod *rod;
  size_t blocks;     /* as in eli_statics */
  size_t band;       /* entries on either side of the diagonal */
  double *matrix;    /* rows of 2 band + 1 entries */
  double *loads;     /* likewise: what effects add to the stiffness, as far as their loads on a block depend on it and its neighbours */
  double *reactions; /* [9] per block, on top of the whole: what reactions add to the stiffness of a node; 0 unless somebody sets it */
  double *factor;    /* L below the diagonal, U on and above it */
  double *rearranged;
  double regularisation; /* [1/s^2] what factorising always adds: it keeps motions that cost nothing finite */
  double shift;          /* [1/s^2] what the last factorising was told to add */
} eli_tangent;

/* Doubles that a rod's tangent needs; and aims a tangent at that many. */
size_t eli_tangent_size(const elastica_rod *rod);
void eli_tangent_aim(eli_tangent *tangent, const elastica_rod *rod, double *memory);

/* Forgets the stiffness of loads; sets one number of it, unknowns counted from 0 in this rod, 6 per block, their blocks the same or neighbours;
 * and y = loads x. */
void eli_tangent_clear_loads(eli_tangent *tangent);
void eli_tangent_set_load(eli_tangent *tangent, size_t row, size_t column, double value);
void eli_tangent_apply_loads(const eli_tangent *tangent, const double *x, double *y);

/* Builds the matrix about the present positions and frames, on top of that of the loads. share 1: all of it; 0: only what never helps to leave
 * the present state, material stiffness and tension along the edges; between: the one and the other, weighted. now and held by block of the
 * world, as is predicted: the stresses n [3] that stand in for those of now where they resist or help turning. inertia [6]: mass and J. Held
 * unknowns get rows of their own. */
void eli_tangent_assemble(eli_tangent *tangent, double share, const eli_statics *now, const double *predicted, const unsigned char *held,
                          const double *inertia);

/* Factorises matrix + shift * inertia. Returns 0 when it is not positive. */
int eli_tangent_factorise(eli_tangent *tangent, double shift, const double *inertia);

/* x = (matrix + shift * inertia)^-1 b; arrays of the rod, 6 per block. x may be b. */
void eli_tangent_solve(const eli_tangent *tangent, const double *b, double *x);

/* From random numbers x of size 1 a motion x that holds every mode at the same energy, and what it takes: y = (matrix + shift * inertia) x. */
void eli_tangent_excite(const eli_tangent *tangent, double *x, double *y);

/* predicted = n + what a step changes in it to first order, about the present positions and frames. Arrays of the world. */
void eli_tangent_predict(const elastica_rod *rod, const eli_statics *now, const double *step, double *predicted);

#endif
