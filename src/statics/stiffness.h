/* The stiffness of a world about its present state: rods, loads of effects and contacts, in one sparse matrix. */
#ifndef ELI_STIFFNESS_H
#define ELI_STIFFNESS_H

#include <stdint.h>

#include "state/world.h"
#include "statics/factor.h"
#include "statics/tangent.h"

struct eli_relaxation;

/* One block of E, as eli_take_block receives it. */
typedef struct eli_load_block {
  size_t row, column;
  int balanced;
  double m[9];
  size_t next; /* after eli_stiffness_divide: the next block of this rod, or SIZE_MAX */
} eli_load_block;

/* One spring of E, with its pulls from `first` on. */
typedef struct eli_load_spring {
  double stiffness;
  int balanced;
  size_t first, count;
} eli_load_spring;

/* Unknowns and slots of the factor are the blocks of the relaxation. */
typedef struct eli_stiffness {
  eli_factor factor;
  int has_pattern;
  uint64_t couplings; /* a mark of the couplings for which the pattern was made */
  int division;       /* of the pattern by rods: 1 divided, -1 it couples rods, 0 not tried */
  long patterns;      /* the number of patterns made */
  int keeps_factors;  /* 1: those of each rod stay after a division, until the next ones; set by the owner */
  int matrices;       /* matrices of rods that each worker has at the same time, set by the owner; 0: one */
  size_t *first_load; /* by rod: its first block of E, or SIZE_MAX; NULL before the first division */

  /* E as a sum of blocks; the same pair of parts may occur many times. The list begins with measured loads of add_loads, then of
   * add_world_loads, each in the order of columns and rows; loads that effects give follow, of add_loads and of add_world_loads, and
   * contacts. */
  eli_load_block *load;
  size_t count, capacity;
  size_t end_of_measured_rods, end_of_measured, end_of_given_rods; /* ends of these parts of the list */

  /* Springs that effects give between many parts: E is the sum of the blocks and of these. Those of add_loads come first. */
  eli_load_spring *spring;
  eli_spring_pull *pull;
  size_t springs, spring_capacity, pulls, pull_capacity, springs_of_rods;

  int given[2];    /* 1: all effects with add_loads, or with add_world_loads, give their stiffness, as contacts between rods always do */
  size_t contacts; /* the number of contacts */

  int known;                    /* 1: E is right: given by the effects, or measured and confirmed by a difference of loads */
  elastica_effect *measured;    /* the first effect with loads that does not give its stiffness, or NULL: all of E is exact */
  int is_symmetric;             /* 1: E has a potential, as far as it is known */
  elastica_effect *unsymmetric; /* the first effect that says that its loads have none, or else with friction under loads, or NULL */
  elastica_effect *sliding;     /* the first contact effect with friction that slides, or NULL */
} eli_stiffness;

/* Finds E in the state `now` of the relaxation, which must have been evaluated there, and confirms measured parts of it; reactions are left
 * out. A status other than OK ends the call. Overwrites step, next, work, adjusted and trial of the relaxation. */
elastica_status eli_stiffness_find_loads(struct eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Finds E in the state `now` without a test: measured loads of add_loads stay as they are. The status of a failed hook. renew_blocks: not
 * the `support` of the relaxation. */
elastica_status eli_stiffness_renew_loads(struct eli_relaxation *relaxation, eli_stiffness *stiffness);
elastica_status eli_stiffness_renew_blocks(struct eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Sets the values of the factor to K + E + tau P, with prescribed unknowns held: K the stiffness of the rods under the stress `predicted`,
 * P their material stiffness, which is that of straight elements without stress in their present position. tau > -1. Finds the pattern
 * and the order when it is called first, or when a new coupling appears. Returns 0 without memory. Call eli_factor_compute or
 * eli_factor_compute_general next. assemble_share: the same for share K + (1 - share) P, times scale, plus E. */
int eli_stiffness_assemble(struct eli_relaxation *relaxation, eli_stiffness *stiffness, double tau);
int eli_stiffness_assemble_share(struct eli_relaxation *relaxation, eli_stiffness *stiffness, double share, double scale);

/* Tries to divide the matrix by rods. Returns 1 if neither E nor the pattern couples rods and no spring is left: then fill_rod sets the
 * values of one rod as assemble_share does and returns its matrix, with slots from 0 (see eli_factor_part); those with other numbers, of
 * `matrices` for each worker, remain. Returns 0 if rods are coupled, -1 without memory. */
int eli_stiffness_divide(struct eli_relaxation *relaxation, eli_stiffness *stiffness);
eli_factor *eli_stiffness_fill_rod(struct eli_relaxation *relaxation, eli_stiffness *stiffness, int matrix, int r, double share,
                                   double scale);

/* The same without blocks of E. add_rod then asks the effects on the rod, in a world without pair phase and contacts, and adds their
 * stiffness to the matrix of the rod, on any worker within a run of eli_world_run_tiles. It returns 0 if one couples other parts of the rod
 * than neighbours or fails; the report is that of the tile. */
int eli_stiffness_divide_alone(struct eli_relaxation *relaxation, eli_stiffness *stiffness);
int eli_stiffness_add_rod(struct eli_relaxation *relaxation, int r, eli_factor *part, eli_tile_report *report);

/* Discards a pattern that was made for other couplings than those of E now. Without this call it keeps couplings that have ended, and the
 * order of elimination, so rounding, depends on them. */
void eli_stiffness_renew_pattern(eli_stiffness *stiffness);

/* Adds one block to E, an eli_take_block with the owner of both. Without memory the relaxation is starved. */
typedef struct eli_stiffness_owner {
  struct eli_relaxation *relaxation;
  eli_stiffness *stiffness;
} eli_stiffness_owner;
void eli_stiffness_take(void *owner, size_t row, size_t column, const double block[9], int balanced);

/* The same for a spring, an eli_take_spring. */
void eli_stiffness_take_spring(void *owner, const eli_spring_pull *pull, size_t count, double stiffness, int balanced);

/* y += E x. of_rods 1: without the loads that effects between rods give, and without contacts. */
void eli_stiffness_apply(const eli_stiffness *stiffness, int of_rods, const double *x, double *y);

/* Returns the largest stiffness [N/m] of a load between two nodes, or of a spring. */
double eli_stiffness_largest(const eli_stiffness *stiffness);

void eli_stiffness_release(struct eli_relaxation *relaxation, eli_stiffness *stiffness);

#endif
