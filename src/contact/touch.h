/* A rod that touches a wall: the lanes that pressure and friction work in. */
#ifndef ELI_TOUCH_H
#define ELI_TOUCH_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"

/* One rod on a wall: lanes of one number per element, but for force, which is per node (index n of a ring is node 0 again). */
typedef struct eli_contact {
  int count, closed;

  /* Constants: what an element has of the forces on the node before and after it (an end node gives all), and 1/J. */
  double *share_before, *share_after;
  double *inverse_inertia[3];

  /* What the wall says. */
  double *distance, *normal[3];
  double *node_distance;    /* [m] of each node, for walls that balance nodes and are not flat; minus infinity where the planes tell it */
  double *wall_velocity[3]; /* [m/s] of the wall where it is touched */
  double *radius;           /* [m] */
  double *pressure;         /* R [N]; 0: no friction */

  double *part_before, *part_after; /* of walls that balance nodes: what R has from the node before and after, over R */

  /* What friction works with. */
  double *across[3];                    /* u */
  double *axis[3];                      /* Q a: the axis about which the element rolls, material */
  double *slip_along, *slip_across;     /* [m/s] */
  double *static_along, *static_across; /* [N] what the static laws have of R */
  double *kinetic_along, *kinetic_across;
  double *node_across[3]; /* [N] */
  double *push[3];        /* [N] force on the element */

  /* The answer: forces on nodes [N], couples on elements [N m] in both components. Kept for who asks, with where the nodes were. */
  double *force[3];
  double *couple[3], *laboratory_couple[3];
  double *position[3];

  void *memory;
} eli_contact;

/* Room and constants for a rod; 0 when there is no memory. Lanes are zero. */
int eli_contact_make(const eli_allocator *allocator, const elastica_rod_view *rod, eli_contact *contact);
/* Planes below the elements tell the distances of nodes. */
void eli_contact_forget_nodes(const eli_contact *contact);

/* The wall does not move. */
void eli_contact_stop_wall(const eli_contact *contact);

void eli_contact_release(const eli_allocator *allocator, eli_contact *contact);

#endif
