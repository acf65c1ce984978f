/* Clearance of a rod among obstacles: whether it is inside one, or in a gap between two that is too narrow for it.
 *
 * models     a body: an obstacle and its placement; a rod: its elements' centres and radii
 * equation   too narrow: the normals n1, n2 of the two surfaces at the centre are opposite (n1 . n2 < -0.99) and d1 + d2 < 2 radius
 * test       tests/test_wall_room.c
 */
#ifndef ELI_CLEARANCE_H
#define ELI_CLEARANCE_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "contact/obstacle.h"

typedef struct eli_body {
  eli_obstacle obstacle;
  eli_placement place;
} eli_body;

/* The first element whose centre is inside the body, and how far below its surface [m]; -1: none. */
int eli_clearance_inside(const eli_body *body, const elastica_rod_view *rod, double *depth);

/* 1: two surfaces with normals n1 and n2 leave no room for a size (a radius, or half a width) about a centre, the sum of whose distances from
 * them is given, nor beside it: moving away from both by that size would not make enough. In a groove or corner it would. */
int eli_clearance_is_short(const double n1[3], const double n2[3], double distances, double size);

/* The first element that is thicker than the gap between two bodies, and the gap [m] there; -1: none. */
int eli_clearance_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap);

#endif
