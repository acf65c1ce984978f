/* Triangles of obstacles for pictures: those of a mesh, and samples of a surface that is a function of the user.
 *
 * models     a surface is drawn in a cube that contains the nodes of all rods and the points of the surface below them, at least a
 *            quarter of its edge away from its sides. Its edge is a power of two, its corner a multiple of a quarter of the edge, so that
 *            it changes seldom. A grid of cells divides it; in each the distance is linear in six tetrahedra
 * test       tests/test_facets.c
 */
#ifndef ELI_FACETS_H
#define ELI_FACETS_H

#include "base/target.h"

#include <elastica.h>

#include "effects/solid.h"

typedef struct eli_facets {
  const eli_allocator *allocator;
  double *points; /* [m] x, y, z of each, in the frame of the obstacle */
  int *corners;   /* three of each triangle, anticlockwise seen from outside */
  int point_count, triangle_count;
  elastica_side side; /* from which the triangles are seen */
} eli_facets;

/* Returns 1 for an obstacle that is drawn by its triangles. */
int eli_facets_are_drawn(const eli_obstacle *obstacle);

/* Makes the triangles of an obstacle; there may be none. OUT_OF_MEMORY. */
elastica_status eli_facets_make(elastica_world *world, const eli_body *solid, eli_facets *out);
void eli_facets_free(eli_facets *facets);

#endif
