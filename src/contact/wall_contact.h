/* One rod in contact with a wall: the lanes in which pressure and friction are computed. */
#ifndef ELI_WALL_CONTACT_H
#define ELI_WALL_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "base/memory.h"
#include "contact/obstacle.h"

/* Lanes have one number per element, but node_distance, force and position one per node (index n of a ring is node 0 again). Each begins at
 * a multiple of 64 bytes, and has a block of ELI_WALL_MARGIN numbers before it and blocks up to its end: zeros, and the elements that follow
 * on a ring. */
enum { ELI_WALL_MARGIN = 8 };

typedef struct eli_wall_contact {
  int count, closed;
  int flat;        /* 1: a plane at rest through point; normal is written once, and distance not at all */
  double point[3]; /* [m] */

  /* Constants: the shares of an element in the forces on the nodes before and after it (1 at an end of the rod, else 1/2), and 1/J. */
  double *share_before, *share_after;
  double *inverse_inertia[3];

  /* Written by the wall. */
  double *distance, *normal[3];
  double
      *node_distance; /* [m] of each node, for walls that balance nodes and are not flat; else minus infinity: the tangent planes give it */
  double *wall_velocity[3]; /* [m/s] of the wall at the contact */
  double *radius;           /* [m] */
  double *pressure;         /* R [N]; 0: no friction */

  double *part_before, *part_after; /* of walls that balance nodes: the parts of R from the nodes before and after, over R */

  /* Intermediate results of friction. */
  double *along[3], *across[3];         /* a, u */
  double *axis[3];                      /* Q a: the axis about which the element rolls, material */
  double *slip_along, *slip_across;     /* [m/s] */
  double *need_along, *need_across;     /* [N] the forces against which the slips would end within the step, of all loads but this wall's */
  double *yield;                        /* the share of need_across that an element needs because it rolls */
  double *static_along, *static_across; /* [N] the part of R for static friction; kinetic: times its coefficient */
  double *kinetic_along, *kinetic_across;
  double *push[3]; /* [N] force on the element */

  /* The results: forces on nodes [N], couples on elements [N m] in material and laboratory components, and where the nodes were [m]. They
   * stay until the next step, for elastica_wall_get_force. */
  double *force[3];
  double *couple[3], *laboratory_couple[3];
  double *position[3];

  void *memory;
} eli_wall_contact;

/* Allocates the lanes, zeroed, and writes the constants of a rod; 0 when there is no memory. */
int eli_wall_contact_create(const eli_allocator *allocator, const elastica_rod_view *rod, eli_wall_contact *contact);

/* The wall is a plane at rest through a point, with this normal; or, with NULL for both, anything else. */
void eli_wall_contact_set_flat(eli_wall_contact *contact, const double point[3], const double normal[3]);

/* Sets node_distance to minus infinity: the tangent planes of the elements give the distances of nodes. */
void eli_wall_contact_forget_nodes(const eli_wall_contact *contact);

/* Sets the velocity of the wall to zero. */
void eli_wall_contact_stop_wall(const eli_wall_contact *contact);

/* Sets it to that of a moving wall, at the points of its surface that are nearest to the elements. */
void eli_wall_contact_move_wall(const eli_wall_contact *contact, const eli_placement *place, const elastica_rod_view *rod);

/* Finds the distances of the nodes themselves: the tangent plane below an element ends at an edge and is not on a curved surface. */
void eli_wall_contact_find_nodes(const eli_wall_contact *contact, const eli_obstacle *obstacle, const eli_placement *place,
                                 const elastica_rod_view *rod);

/* The results that stay for elastica_wall_get_force: their place in a snapshot, of a rod with so many elements, which may have no lanes
 * yet. */
void eli_wall_contact_visit_loads(const eli_wall_contact *contact, void (*visit)(void *context, void *bytes, size_t size), void *context);
void eli_wall_contact_keep_loads(const eli_wall_contact *contact, int element_count, eli_record *record);

/* Subtracts force on the rod and couple about a place; turns 1: also the couples on its elements. */
void eli_wall_contact_subtract_loads(const eli_wall_contact *contact, const double place[3], int turns, double force[3], double couple[3]);

void eli_wall_contact_destroy(const eli_allocator *allocator, eli_wall_contact *contact);

#endif
