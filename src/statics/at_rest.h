/* What acts on rods that stand still: what relaxation balances. */
#ifndef ELI_AT_REST_H
#define ELI_AT_REST_H

#include "state/world.h"

/* What acts on every rod at rest, and the strains that it comes from. Arrays by block: block first[r] + i has node i, element i and the joint
 * between elements i - 1 and i of rod r; an open rod has one block more than elements, a ring as many. */
typedef struct eli_statics {
  const size_t *first;
  double *total;    /* [6] force on the node [N], laboratory; couple on the element [N m], material */
  double *external; /* [6] the part of it that effects add by add_loads and add_reactions */
  double *loads;    /* [6] the part of that by add_loads alone */
  double *strain;   /* [12] sigma and n of the element, kappa and tau of the joint */
} eli_statics;

/* Works them out at the present positions, with constraints on them, at the present time. Velocities and spins must be 0. Nothing sticks: a
 * hook's error is left in report and returned, a joint beyond the limit is JOINT_TOO_FAR with report->effect NULL. */
elastica_status eli_world_statics(elastica_world *world, const eli_statics *out, eli_tile_report *report);

#endif
