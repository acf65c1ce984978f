/* Springs from node to node between many rods, as in the programs of Zhang et al. 2019, between bones, tendons, muscles and scaffolds.
 *
 * equation  F = k (x_0 + d - x_1) on the second node, its opposite on the first, with the offset d fixed in the laboratory; for each
 *           force, a mask selects the components that act
 *
 * If an offset is not 0, or the axes of the two forces differ, the pair has a moment, as in those programs; elastica_add_joint has none.
 * The functions are for add_world_loads and add_stiffness of a user module.
 */
#ifndef EXAMPLES_LINKS_H
#define EXAMPLES_LINKS_H

#include "example.h"

typedef struct link {
  int rod[2], node[2]; /* numbers of the rods in the world, and of the nodes */
  double stiffness;    /* [N/m] */
  double offset[3];    /* d [m] */
  unsigned axes[2];    /* axes of the force on each: sums of ELASTICA_AXIS_X, ... */
  double ratio;        /* q below, set by links_weigh */
} link;

/* To be called after all rods have been added. */
void links_weigh(elastica_world *world, link *list, int count);

/* Adds the forces of all links. */
void links_pull(const link *list, int count, elastica_world_loads *loads);

/* Adds the stiffness of the links to the step limit of one rod. The matrix of k and -k is bounded by the diagonal of k (1 + q) and k
 * (1 + 1/q) for any q; q is the ratio of masses, or less for a node with several springs. */
void links_bound(const link *list, int count, int rod, elastica_stiffness *stiffness);

#endif
