/* One rod in contact with a wall: the lanes for pressure and friction. */
#ifndef ELI_WALL_CONTACT_H
#define ELI_WALL_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "contact/friction.h"
#include "effects/solid.h"
#include "state/prescribed.h"

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

/* The results for elastica_obstacle_get_force: visit_loads visits their bytes, and keep_loads saves or loads them in a snapshot, for a rod
 * with element_count elements that may not have lanes yet. */
void eli_wall_contact_visit_loads(const eli_wall_contact *contact, void (*visit)(void *context, void *bytes, size_t size), void *context);
void eli_wall_contact_keep_loads(const eli_wall_contact *contact, int element_count, eli_record *record);

/* Subtracts force on the rod and couple about a point. With turns 1 it also subtracts the couples on its elements. */
void eli_wall_contact_subtract_loads(const eli_wall_contact *contact, const double place[3], int turns, double force[3], double couple[3]);

void eli_wall_contact_destroy(const eli_allocator *allocator, eli_wall_contact *contact);

#endif
