/* Positions of bodies at the last pair search, and a check for bodies that have moved too far since. The owner of the list of pairs decides
 * how far they may move.
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
  int node_count, element_count; /* equal for a ring */
  double *position[3];           /* element_count + 1 numbers; the last one of a ring repeats the first */
  double *least_square;          /* of the lengths [m^2], element_count numbers */
  /* Square of the cosine of the largest angle between each edge and the next (in a ring, the last and the first); -2: any angle. NULL: any
   * angle everywhere. */
  const double *least_cosine;
  int set; /* 0: there are no reference positions yet */
} eli_reference;

/* Returns the memory [doubles] for element_count elements. */
size_t eli_reference_size(int element_count);
void eli_reference_init(eli_reference *reference, int element_count, int closed, double *memory);

/* Sets the reference to these positions. shrinkage is the share of its length to which an element may shrink; its volume is conserved, so a
 * shorter element is thicker. */
void eli_reference_set(eli_reference *reference, const double *const position[3], double shrinkage);

/* Returns 1 if one of the nodes first .. end - 1, minus the drift, is farther than the root of limit2 from its reference position, or if an
 * element after one of them has shrunk, or turned against the next, too much. The element that closes a ring is not checked. The
 * implementation is that of the instruction set of a world (kernels/leaving.inl). */
typedef int eli_reference_look(const eli_reference *reference, const double *const position[3], const double drift[3], double limit2,
                               int first, int end);
eli_reference_look *eli_world_reference_look(const elastica_world *world);

/* Returns 1 if a node is farther than limit from its reference position, or an element has shrunk or turned too much. A displacement common
 * to several chains is subtracted first, because it does not change distances. */
int eli_reference_is_left_by(const eli_reference *reference, const double *const position[3], const double drift[3], double limit,
                             eli_reference_look *look);

#endif
