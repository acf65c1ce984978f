/* Room for a rod among obstacles: whether it is inside one, or has no room between two.
 *
 * models     a body: an obstacle and where it stands; a rod: its elements' centres and radii
 * equation   no room: the normals n1, n2 of the two surfaces at the centre are opposite (n1 . n2 < -0.99) and d1 + d2 < 2 radius
 * test       tests/test_wall_room.c
 */
#ifndef ELI_ROOM_H
#define ELI_ROOM_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "contact/obstacle.h"

typedef struct eli_body {
  eli_obstacle obstacle;
  eli_placement place;
} eli_body;

/* The first element whose centre is inside the body, and how far below its surface [m]; -1: none. */
int eli_room_inside(const eli_body *body, const elastica_rod_view *rod, double *depth);

/* The first element that is thicker than the gap between two bodies, and the gap [m] there; -1: none. */
int eli_room_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap);

#endif
