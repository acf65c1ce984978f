/* Forces and couples on rods at rest, and on moving ones. */
#ifndef ELI_AT_REST_H
#define ELI_AT_REST_H

#include "state/world.h"

/* Loads and strains of all rods at rest, by block: block first[r] + i has node i, element i and the joint between elements i - 1 and i of
 * the rod of rank r. An open rod has one block more than elements, a ring has as many. */
typedef struct eli_statics {
  const size_t *first;
  double *total;    /* [6] force on the node [N], laboratory; couple on the element [N m], material */
  double *external; /* [6] the part of total from add_loads and add_reactions; NULL: not wanted */
  double *loads;    /* [6] the part of external from add_loads; NULL likewise */
  double *strain;   /* [12] sigma and n of the element, kappa and tau of the joint */
} eli_statics;

/* Returns the number of blocks of a rod; a rigid body has one. */
static inline size_t eli_block_count(const elastica_rod *rod) {
  return (size_t)rod->element_count + (rod->closed || eli_is_rigid(rod) ? 0 : 1);
}

/* Evaluates loads and strains at the present positions and time, after constraints on positions; pairs 0: without the loads of
 * add_world_loads. Velocities and spins must be 0. The world does not fail: the error of a hook is in report and returned; JOINT_TOO_FAR
 * with report->effect NULL means a joint beyond the limit. */
elastica_status eli_world_statics(elastica_world *world, int pairs, const eli_statics *out, eli_tile_report *report);

/* Evaluates loads and strains at the present positions, velocities and time, as a query: no constraint and no begin_step, and hooks keep no
 * history. total includes the dissipation by rates, but not (J omega) x omega; rates [2] by block: the rate of the node [kg/s], of the
 * element [N m s]. dt [s] is that of hooks. Only loads without reactions. */
elastica_status eli_world_moving_loads(elastica_world *world, double dt, const eli_statics *out, double *rates, eli_tile_report *report);

/* The same for one tile, within a run of eli_world_run_tiles, in a world without pair phase. */
elastica_status eli_tile_moving_loads(elastica_world *world, size_t tile, int worker, double dt, const eli_statics *out, double *rates);

/* Asks for the loads of effects at the present state without reactions, as a query does, and keeps none. A failure of a step, such as a
 * rod in the core of another one or inside an obstacle, is an error here, too; the other functions pass over it. dt > 0 [s]: so is a rod
 * that its velocity takes through an obstacle between dt ago and half of dt ahead. */
elastica_status eli_world_ask_loads(elastica_world *world, double dt, eli_tile_report *report);

/* Evaluates the loads of add_world_loads alone, into loads, under the same conditions. */
elastica_status eli_world_pair_loads(elastica_world *world, const eli_statics *out, eli_tile_report *report);

#endif
