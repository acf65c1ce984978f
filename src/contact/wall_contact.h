/* One rod in contact with a wall: the lanes for pressure and friction. */
#ifndef ELI_WALL_CONTACT_H
#define ELI_WALL_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/prescribed.h"
#include "base/memory.h"
#include "contact/obstacle.h"

/* A lane has one number per element; node_distance, force and position have one per node (index n of a ring is node 0 again). Each lane
 * starts at a multiple of 64 bytes. It is preceded by a block of ELI_WALL_MARGIN numbers and padded to whole blocks. The padding holds
 * zeros, or the neighbouring elements of a ring. */
enum { ELI_WALL_MARGIN = 8 };

typedef struct eli_wall_contact {
  int count, closed;
  int flat;        /* 1: a plane at rest through point; normal is then written once, and distance is never written */
  double point[3]; /* [m] */

  /* Constants: the shares of an element in the forces on the nodes before and after it (1 at an end of the rod, otherwise 1/2), and 1/J. */
  double *share_before, *share_after;
  double *inverse_inertia[3];

  /* Lanes written by the wall. */
  double *distance, *normal[3];
  double
      *node_distance; /* [m] of each node, for walls that balance nodes and are not flat; otherwise minus infinity: the tangent planes give
                       * the distance */
  double *wall_velocity[3]; /* [m/s] of the wall at the contact */
  double *radius;           /* [m] */
  double *pressure;         /* R [N]; 0: no friction */

  double *part_before, *part_after; /* for walls that balance nodes: the reactions on the nodes before and after, divided by R */

  /* Intermediate results of friction. */
  double *along[3], *across[3];         /* a, u */
  double *axis[3];                      /* Q a: the rolling axis of the element, material */
  double *slip_along, *slip_across;     /* [m/s] */
  double *need_along, *need_across;     /* [N] forces to balance for the slips to end within the step, without those of this wall */
  double *yield;                        /* the factor of need_across for an element that rolls */
  double *static_along, *static_across; /* [N] the part of R for static friction; for kinetic friction times its coefficient */
  double *kinetic_along, *kinetic_across;
  double *push[3]; /* [N] force on the element */

  /* The results: forces on nodes [N], couples on elements [N m] in material and laboratory components, and the positions of the nodes [m].
   * They are kept until the next step, for elastica_obstacle_get_force. */
  double *force[3];
  double *couple[3], *laboratory_couple[3];
  double *position[3];

  void *memory;
} eli_wall_contact;

/* Allocates the lanes, sets them to zero, and writes the constants of a rod. Returns 0 without memory. */
int eli_wall_contact_create(const eli_allocator *allocator, const elastica_rod_view *rod, eli_wall_contact *contact);

/* Makes the wall a plane at rest through a point with this normal; NULL for both stands for any other wall. */
void eli_wall_contact_set_flat(eli_wall_contact *contact, const double point[3], const double normal[3]);

/* Sets node_distance to minus infinity: the tangent planes of the elements give the distances of nodes. */
void eli_wall_contact_forget_nodes(const eli_wall_contact *contact);

/* Sets the velocity of the wall to zero. */
void eli_wall_contact_stop_wall(const eli_wall_contact *contact);

/* Sets the velocity of a moving wall at the points of its surface nearest to the elements. */
void eli_wall_contact_move_wall(const eli_wall_contact *contact, const eli_placement *place, const elastica_rod_view *rod);

/* Computes the true distances of the nodes: the tangent plane of an element ends at an edge, and does not follow a curved surface. */
void eli_wall_contact_find_nodes(const eli_wall_contact *contact, const eli_obstacle *obstacle, const eli_placement *place,
                                 const elastica_rod_view *rod);

/* The results for elastica_obstacle_get_force: visit_loads visits their bytes, and keep_loads saves or loads them in a snapshot, for a rod with
 * element_count elements that may not have lanes yet. */
void eli_wall_contact_visit_loads(const eli_wall_contact *contact, void (*visit)(void *context, void *bytes, size_t size), void *context);
void eli_wall_contact_keep_loads(const eli_wall_contact *contact, int element_count, eli_record *record);

/* Subtracts force on the rod and couple about a point. With turns 1 it also subtracts the couples on its elements. */
void eli_wall_contact_subtract_loads(const eli_wall_contact *contact, const double place[3], int turns, double force[3], double couple[3]);

void eli_wall_contact_destroy(const eli_allocator *allocator, eli_wall_contact *contact);

#endif
