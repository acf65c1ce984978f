/* Triangles of a surface that is a function of the user, in a cube of cells with finer cells in a box within it.
 *
 * models     In each cell the distance is linear in six tetrahedra about its diagonal. A coarse cell in the box is divided into eight, and
 *            these again, up to five times, while the surface may pass through it and second differences of the distance show an error
 *            above a tolerance. If more than a number of cells would be cut, the tolerance is raised until they are not. The corners of a
 *            cell on the face or edge of a larger one have the distances of the larger one there, so that no gaps appear between cells
 * test       tests/test_facets.c
 */
#ifndef ELI_SURFACE_GRID_H
#define ELI_SURFACE_GRID_H

#include "base/target.h"

#include <elastica.h>

#include "effects/solid.h"

typedef struct eli_facets {
  const eli_allocator *allocator;
  double *points; /* [m] x, y, z of each, in the frame of the obstacle */
  int *corners;   /* three of each triangle, anticlockwise seen from outside */
  int point_count, triangle_count;
  elastica_side side; /* from which the triangles are seen */
  int is_surface;     /* 1: samples of a surface, 0: a mesh */
} eli_facets;

enum { ELI_SURFACE_CELLS = 32 }; /* along each edge of the cube */

/* Numbers alone, so that two grids are the same if their bytes are. */
typedef struct eli_surface_grid {
  double corner[3], edge; /* [m] */
  double low[3], high[3]; /* [coarse cells] of the box with finer cells; high is behind the last */
  double tolerance;       /* [m] 0: there are no finer cells */
} eli_surface_grid;

/* Returns the distance [m] of a point in the frame of the obstacle, and the gradient. */
double eli_surface_distance(const eli_obstacle *obstacle, const double point[3], double gradient[3]);

/* Reserves the arrays of triangles. Returns 0 without memory. */
int eli_facets_allocate(eli_facets *out, size_t points, size_t triangles);

/* Makes the triangles of a surface in a grid. Returns 0 without memory. */
int eli_surface_facets(const eli_obstacle *obstacle, const eli_surface_grid *grid, eli_facets *out);

#endif
