/* Obstacles: the distance of a point from the surface and the outward normal, the obstacle of a definition, and clearances.
 *
 * models     convex: plane (the half space below it), ball, capsule, cylinder with flat caps, box; of any shape: a surface, which is a
 *            function of the user, and a tube (effects/tube.h)
 * source     elementary geometry: inside, the nearest face or mantle; outside, the nearest point of the surface
 * test       tests/test_obstacle.c, against brute force; tests/test_wall_set.c, tests/test_obstacle_contact.c
 */
#ifndef ELI_SOLID_H
#define ELI_SOLID_H

#include "base/target.h"

#include <elastica.h>

#include "effects/mesh.h"
#include "effects/tube.h"
#include "state/prescribed.h"

/* The first error of a function of the user. */
typedef enum eli_surface_error {
  ELI_SURFACE_FINE,
  ELI_SURFACE_FAILED,      /* value is the status */
  ELI_SURFACE_NOT_FINITE,  /* value is the distance, vector the gradient */
  ELI_SURFACE_TOO_STEEP,   /* value is the size of the gradient */
  ELI_SURFACE_TOO_CURVED,  /* value is the change of the gradient per length [1/m] */
  ELI_SURFACE_CONTRADICTS, /* value is the change of the distance to a second point [m], vector is {the change by the gradients [m], the
                            * way between both [m], 0} */
} eli_surface_error;

typedef struct eli_surface_fault {
  eli_surface_error error;
  double point[3], value, vector[3];
} eli_surface_fault;

typedef struct eli_obstacle {
  elastica_shape shape;
  double radius;       /* [m] sphere, capsule, cylinder */
  double half_length;  /* [m] capsule: of its axis; cylinder: may be infinite */
  double half_edge[3]; /* [m] box */

  /* Shapes by a function or a tube. The gradient of their distance may differ from a unit vector. */
  const eli_tube *tube;
  const eli_mesh *mesh;
  elastica_surface surface;
  void *surface_user;
  double slope, curvature;  /* bounds of the gradient, and of its change per length [1/m]; 1 and 0 for convex obstacles */
  eli_surface_fault *fault; /* receives the first error of the function */
} eli_obstacle;

/* Returns 1 for an obstacle of any shape, 0 for a convex one. */
static inline int eli_obstacle_is_free(const eli_obstacle *obstacle) {
  return obstacle->shape == ELASTICA_SHAPE_SURFACE || obstacle->shape == ELASTICA_SHAPE_TUBE || obstacle->shape == ELASTICA_SHAPE_MESH;
}

/* Records an error of the function of the user, unless there is an earlier one. vector NULL: the error has none. */
void eli_obstacle_blame(const eli_obstacle *obstacle, eli_surface_error error, const double point[3], double value, const double vector[3]);

/* Writes the sentence of an error, without its end. */
void eli_surface_explain(const eli_obstacle *obstacle, char *text, size_t size);

/* Returns the name of a shape, such as "plane". */
const char *eli_shape_name(elastica_shape shape);

/* Returns the distance [m] of a point (negative inside) and the outward normal; of a free shape the gradient of the distance. position and
 * director are those of the obstacle. */
double eli_obstacle_distance(const eli_obstacle *obstacle, const double position[3], const double director[9], const double point[3],
                             double normal[3]);

/* Computes distances and normals for the centres of count elements between the nodes of a rod. */
void eli_obstacle_distances(const eli_obstacle *obstacle, const double position[3], const double director[9], int count,
                            const double *const node[3], double *distance, double *const normal[3]);

/* Computes only the distances of count nodes. */
void eli_obstacle_node_distances(const eli_obstacle *obstacle, const double position[3], const double director[9], int count,
                                 const double *const node[3], double *distance);

/* ---- Definition ---- */

/* Reads shape and placement of a definition with fields that are valid one by one, or refuses it in a sentence that names the field. The
 * frame of the placement is also written to the definition, so that it can be read again. Tube and mesh are not read. */
elastica_status eli_obstacle_read(elastica_world *world, elastica_obstacle_def *def, eli_obstacle *obstacle, eli_prescribed *place);

/* Computes a frame with d3 along the normal, which may have any length but zero; d1 is perpendicular to it, in the plane of the axis
 * closest to orthogonal. */
void eli_frame_from_normal(const double normal[3], double director[9]);

/* ---- Clearance of a rod among obstacles ----
 *
 * models     a body: an obstacle and its placement; a rod: its elements' centres and radii
 * equation   too narrow: the normals n1, n2 of the two surfaces at the centre are opposite (n1 . n2 < -0.99) and d1 + d2 < 2 radius
 * test       tests/test_wall_room.c
 */

typedef struct eli_body {
  eli_obstacle obstacle;
  eli_placement place;
} eli_body;

/* Returns the first element with its centre inside the body, and the depth [m] below the surface; -1 if there is none. */
int eli_clearance_inside(const eli_body *body, const elastica_rod_view *rod, double *depth);

/* Returns 1 if two surfaces with normals n1 and n2 leave too little room for a size (a radius, or half a width) about a centre. distances
 * is the sum of its distances from both surfaces. In a groove or corner there may be room beside: moving away from both by that size. */
int eli_clearance_is_short(const double n1[3], const double n2[3], double distances, double size);

/* The reason of a failed step of a rod or body at a wall: its centre is behind the surface, or another wall leaves too little room for
 * it. */
typedef struct eli_squeeze {
  int element;         /* of a rod */
  int effect;          /* index of the other wall; -1: none leaves too little room */
  double space, width; /* [m] between the two walls, and needed */
} eli_squeeze;

/* Returns the first element that is thicker than the gap between two bodies, and that gap [m]; -1 if there is none. */
int eli_clearance_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap);

#endif
