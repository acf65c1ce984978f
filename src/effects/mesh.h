/* Meshes: the distance of a point from a solid or a sheet of triangles whose concave edges are rounded.
 *
 * models     OUTSIDE: the solid is enclosed by the triangles; INSIDE: it is everything else; BOTH: all points within half of the thickness
 *            of a triangle. The obstacle is that solid closed by a ball: it includes all points that a ball of radius `fillet` cannot reach
 *            without overlapping the solid
 * equation   d: the signed distance from the solid. Where d < fillet: g = fillet - |x - y|, with y the nearest point to x at which d is at
 *            least the fillet; elsewhere g = d. g <= d; grad g = (y - x)/|y - x|. If y is unique, g is continuously differentiable at
 *            0 < g < fillet: its second derivatives are between -1/(fillet - g) and 1/g. The equation holds over all edges: convex edges
 *            and faces have g = d
 * source     sign: pseudonormals of Baerentzen and Aanaes 2005, IEEE Trans. Vis. Comput. Graph. 11, 243-253; closing: Serra 1982, Image
 *            Analysis and Mathematical Morphology
 * test       tests/test_mesh.c, against brute force
 *
 * y is the limit of projections of x on half spaces: a triangle is convex, so the tangent plane of its distance at y bounds a half space of
 * points that are far enough from it. Each step adds the triangle nearest to y until none is nearer than the fillet.
 */
#ifndef ELI_MESH_H
#define ELI_MESH_H

#include "base/target.h"

#include <elastica.h>
#include <stdint.h>

#include "base/memory.h"

/* A box around consecutive triangles, and a disc of some thickness around them: part of a smooth surface is much thinner than a box along
 * the axes of the frame. The first child of an inner node follows it. */
typedef struct eli_mesh_node {
  double low[3], high[3];
  double centre[3], axis[3]; /* of the disc */
  double radius, half;       /* [m] half of its thickness */
  int first, count;          /* the triangles of a leaf; count 0: an inner node with its second child at `first` */
} eli_mesh_node;

typedef struct eli_mesh_triangle {
  double corner[3][3];
  double normal[7][3]; /* pseudonormals of any length, out of the solid: of the face, of the edges from corner k on, of the corners */
  int number;          /* in the arrays of the definition */
} eli_mesh_triangle;

typedef struct eli_mesh {
  const eli_allocator *allocator;
  double *points;  /* [m] x, y, z of each */
  int *corners;    /* three of each triangle, as in the definition */
  double *normals; /* of each point */
  eli_mesh_triangle *triangles;
  eli_mesh_node *nodes;
  int point_count, triangle_count, node_count;
  elastica_side side;
  double half_thickness, fillet; /* [m] */
  double extent;                 /* [m] radius of a ball about the origin of its frame that contains it */
  int mark;                      /* a checksum of points, corners, side, thickness and fillet, not 0 */
} eli_mesh;

/* Makes a mesh from the arrays of a definition with a valid fillet and thickness. INVALID_ARGUMENT, which names the triangle;
 * OUT_OF_MEMORY. */
elastica_status eli_mesh_create(elastica_world *world, const elastica_obstacle_def *def, eli_mesh **out);
void eli_mesh_destroy(eli_mesh *mesh);

/* Returns g [m] at a point of its frame, and the gradient; nan if the point is not finite. */
double eli_mesh_distance(const eli_mesh *mesh, const double point[3], double gradient[3]);

/* Returns the distance [m] from the mesh without the rounding by its fillet. */
double eli_mesh_sharp_distance(const eli_mesh *mesh, const double point[3]);

/* Returns 1 if points, triangles, side, thickness and fillet of a definition are those of the mesh; points and triangles may be NULL. */
int eli_mesh_is_made_of(const eli_mesh *mesh, const elastica_obstacle_def *def);

#endif
