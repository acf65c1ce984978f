/* The stiffness of a world about its present state: rods, loads of effects and contacts, in one sparse matrix. */
#ifndef ELI_STIFFNESS_H
#define ELI_STIFFNESS_H

#include "state/world.h"
#include "statics/factor.h"

struct eli_relaxation;

/* Minus the derivative of the load on one part by the displacement of another. Parts are numbered 2 block + turns: the node (0) or the
 * element (1) of a block of eli_statics. A balanced load does not change under a common translation of all nodes. */
typedef struct eli_load_block {
  size_t row, column;
  int balanced;
  double m[9];
} eli_load_block;

/* Unknowns and slots of the factor are the blocks of the relaxation. */
typedef struct eli_stiffness {
  eli_factor factor;
  int has_pattern;
  eli_load_block *load; /* E of the present state: a sum of blocks; the same pair of parts may occur many times */
  size_t count, capacity;
  int known;                    /* 1: E is right: given by the effects, or measured and confirmed by a difference of loads */
  elastica_effect *measured;    /* the first effect with loads that does not give its stiffness, or NULL: all of E is exact */
  int is_symmetric;             /* 1: E has a potential, as far as it is known; sliding friction is not noticed */
  elastica_effect *unsymmetric; /* the first effect that says that its loads have none, or NULL */
} eli_stiffness;

/* Finds E in the state `now` of the relaxation, which must have been evaluated there; reactions are left out. A status other than OK ends the
 * call. Overwrites step, next, work and trial of the relaxation. */
elastica_status eli_stiffness_find_loads(struct eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Sets the values of the factor to K + E + tau P, with prescribed unknowns held: K the stiffness of the rods under the stress `predicted`, P
 * their material stiffness, which is that of straight elements without stress in their present position. tau > -1. Finds the pattern
 * and the order when it is called first, or when a new coupling appears. Returns 0 without memory. Call eli_factor_compute or
 * eli_factor_compute_general next. */
int eli_stiffness_assemble(struct eli_relaxation *relaxation, eli_stiffness *stiffness, double tau);

void eli_stiffness_release(struct eli_relaxation *relaxation, eli_stiffness *stiffness);

#endif
