/* Stiffness of a rod, linearised about its present state. */
#ifndef ELI_TANGENT_H
#define ELI_TANGENT_H

#include "statics/at_rest.h"
#include "statics/factor.h"

/* Receives one block of a stiffness, minus the derivative of the load on one part by the displacement of another. Parts are numbered
 * 2 block + turns: the displacement of the node [m], laboratory, or the turn of the element [rad], material, Q <- EXP(phi) Q, of a block of
 * eli_statics. Blocks of a pair of parts add up. balanced: all blocks of this kind together do not change under a common translation. */
typedef void eli_take_block(void *context, size_t row, size_t column, const double block[9], int balanced);

/* Receives a spring: the blocks stiffness g_i g_j^T between all pairs of its parts. */
typedef struct eli_spring_pull {
  size_t part;
  double gradient[3]; /* g of this part */
} eli_spring_pull;
typedef void eli_take_spring(void *context, const eli_spring_pull *pull, size_t count, double stiffness, int balanced);

/* Visits the blocks of the internal loads of a rod about the present positions and frames, times scale. share 1: the full tangent. share 0:
 * its part that is always positive, the material stiffness and the stiffness of tension along the edges. Between: a weighted mean of both.
 * Arrays cover the whole world, by block. predicted: the stress n [3] used in the geometric stiffness instead of that of now. first: the
 * number of the first block of the rod. */
void eli_tangent_visit(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted, size_t first,
                       eli_take_block *take, void *context);

/* Writes the same blocks to a factor that was cleared, has their couplings, and knows the prescribed unknowns, before any other block.
 * first: the slot of its first block. */
void eli_tangent_fill(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted,
                      eli_factor *factor, size_t first);

/* Returns 1 if eli_tangent_fill places the blocks of all pairs of neighbours in this rod (eli_factor_place_pair). */
int eli_tangent_places_pairs(const elastica_rod *rod);

/* predicted = n + its change along a step, to first order about the present positions and frames. step [6]: by block of the rod; the other
 * arrays are those of the world. */
void eli_tangent_predict(const elastica_rod *rod, const eli_statics *now, const double *step, double *predicted);

#endif
