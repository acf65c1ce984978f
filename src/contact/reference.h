/* Where bodies were when a list of pairs was made, and whether they have left it: how far they may move is for the maker of the list to say.
 *
 * test       tests/test_broad_phase.c
 */
#ifndef ELI_REFERENCE_H
#define ELI_REFERENCE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

/* Reference positions of a chain of nodes, and the least length to which each element may shrink. */
typedef struct eli_reference {
  int node_count, element_count; /* of a ring: equal */
  double *position[3];           /* element_count + 1, a ring's last repeats the first */
  double *least_square;          /* of the lengths, element_count */
  const double
      *least_cosine; /* of the angle of each edge with the next, squared, of a ring's last with its first; -2: any. NULL: any of all */
  int set;           /* 0: there are no reference positions yet */
} eli_reference;

/* Memory [doubles] for so many elements. */
size_t eli_reference_size(int element_count);
void eli_reference_init(eli_reference *reference, int element_count, int closed, double *memory);

/* Takes these positions as the reference. shrinkage: the share of its length to which an element may shrink; its volume is conserved, so a
 * shorter element is thicker. */
void eli_reference_set(eli_reference *reference, const double *const position[3], double shrinkage);

/* 1 when one of the nodes first .. end - 1 is further than the root of limit2 from its reference position less the drift, or an element behind
 * one of them has shrunk or turned too much against the next, but where a ring closes: by the instruction set of a world
 * (kernels/leaving.inl). */
typedef int eli_reference_look(const eli_reference *reference, const double *const position[3], const double drift[3], double limit2,
                               int first, int end);
eli_reference_look *eli_world_reference_look(const elastica_world *world);

/* 1 when a node is further than limit from its reference position, or an element has shrunk or turned too much. A displacement that is common to
 * several chains is subtracted first: it does not change distances. */
int eli_reference_is_left_by(const eli_reference *reference, const double *const position[3], const double drift[3], double limit,
                             eli_reference_look *look);

#endif
