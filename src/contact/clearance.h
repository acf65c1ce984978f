/* Clearance of a rod among obstacles: checks for an element inside an obstacle, or in a gap between two obstacles that is too narrow.
 *
 * models     a body: an obstacle and its placement; a rod: its elements' centres and radii
 * equation   too narrow: the normals n1, n2 of the two surfaces at the centre are opposite (n1 . n2 < -0.99) and d1 + d2 < 2 radius
 * test       tests/test_wall_room.c
 */
#ifndef ELI_CLEARANCE_H
#define ELI_CLEARANCE_H

#include "base/target.h"

#include <elastica.h>

#include "base/prescribed.h"
#include "contact/obstacle.h"

typedef struct eli_body {
  eli_obstacle obstacle;
  eli_placement place;
} eli_body;

/* Returns the first element with its centre inside the body, and the depth [m] below the surface; -1 if there is none. */
int eli_clearance_inside(const eli_body *body, const elastica_rod_view *rod, double *depth);

/* Returns 1 if two surfaces with normals n1 and n2 leave too little room for a size (a radius, or half a width) about a centre. distances is
 * the sum of its distances from both surfaces. In a groove or corner there may be room beside: moving away from both by that size. */
int eli_clearance_is_short(const double n1[3], const double n2[3], double distances, double size);

/* The reason of a failed step of a rod or body at a wall: its centre is behind the surface, or another wall leaves too little room for it. */
typedef struct eli_squeeze {
  int element;         /* of a rod */
  int effect;          /* index of the other wall; -1: none leaves too little room */
  double space, width; /* [m] between the two walls, and needed */
} eli_squeeze;

/* Writes the reason as a sentence without its end. */
void eli_squeeze_explain(const eli_squeeze *of, const elastica_rod_view *rod, elastica_obstacle wall, char *text, size_t size);

/* Returns the first element that is thicker than the gap between two bodies, and that gap [m]; -1 if there is none. */
int eli_clearance_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap);

#endif
