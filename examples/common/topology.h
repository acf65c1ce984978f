/* Winding of a rod: writhe, twist and link of its nodes and frames. */
#ifndef EXAMPLES_TOPOLOGY_H
#define EXAMPLES_TOPOLOGY_H

#include <elastica.h>

/* In turns, positive for a right-handed screw. writhe: the Gauss integral of the polygon of the nodes, summed exactly as solid angles.
 * twist: the turn of d1 about the tangent from element to element relative to parallel transport, exact for the polygon. */
typedef struct topology {
  double writhe; /* of the nodes: coiling in space */
  double twist;  /* of the frames about the nodes */
  double link;   /* writhe + twist: a whole number for a ring; it changes only when a strand passes through another */
} topology;

/* Continuation of an open rod to infinity. With given directions d1 of both continuations, link is conserved for an open rod, too: it
 * changes only when they turn, or when a strand passes through another. A ring ignores it. */
typedef struct topology_ends {
  double axis[3];         /* the rod comes from -infinity and leaves to +infinity along this direction; 0: along its end tangents */
  double first_normal[3]; /* d1 before the first element (of the wall): its twist to the element counts; 0: no such twist */
  double last_normal[3];  /* d1 behind the last element; likewise. Both are made orthogonal to the continuation */
} topology_ends;

/* Computes the topology at the present state of a rod with elements (no rigid body); ends NULL: all 0. The cost grows with the square of
 * the element count. */
topology topology_of(const elastica_rod_view *rod, const topology_ends *ends);

#endif
