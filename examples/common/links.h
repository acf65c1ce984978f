/* Springs from node to node between many rods, as the programs of Zhang et al. 2019 tie bones, tendons, muscles and scaffolds.
 *
 * equation  F = k (x_0 + d - x_1) on the second node, its opposite on the first, with the offset d fixed in the laboratory; of both forces only
 *           the components along some axes act
 *
 * Where an offset is not 0, or the axes of the two differ, the pair has a moment, as theirs has: elastica_add_joint has none. For the
 * add_world_loads and add_stiffness of a module of one's own.
 */
#ifndef EXAMPLES_LINKS_H
#define EXAMPLES_LINKS_H

#include "example.h"

typedef struct link {
  int rod[2], node[2]; /* by their numbers in the world */
  double stiffness;    /* [N/m] */
  double offset[3];    /* d [m] */
  unsigned axes[2];    /* of the forces on either: sums of ELASTICA_AXIS_X, ... */
  double ratio;        /* q below; links_weigh writes it */
} link;

/* Once all rods are there. */
void links_weigh(elastica_world *world, link *list, int count);

/* Adds the forces of all of them. */
void links_pull(const link *list, int count, elastica_world_loads *loads);

/* Adds what they are to the step limit, for one rod: the matrix of k and -k is below the diagonal of
 * k (1 + q) and k (1 + 1/q) for any q: it is the ratio of masses, or less for a node that more springs are tied to. */
void links_bound(const link *list, int count, int rod, elastica_stiffness *stiffness);

#endif
