/* Convex obstacles: distance of a point from the surface, and the outward normal.
 *
 * models     plane (the half space below it), ball, cylinder with flat caps, box
 * source     elementary geometry: inside, the nearest face or mantle; outside, the nearest point of the surface
 * test       tests/test_obstacle.c, against brute force
 */
#ifndef ELI_OBSTACLE_H
#define ELI_OBSTACLE_H

#include "base/target.h"

#include <elastica.h>

typedef struct eli_obstacle {
  elastica_obstacle shape;
  double radius;       /* [m] sphere, cylinder */
  double half_length;  /* [m] cylinder; may be infinite */
  double half_edge[3]; /* [m] box */
} eli_obstacle;

/* Returns the distance [m] of a point (negative inside) and the outward normal. position and director are those of the obstacle. */
double eli_obstacle_distance(const eli_obstacle *obstacle, const double position[3], const double director[9], const double point[3],
                             double normal[3]);

/* Computes distances and normals for the centres of count elements between the nodes of a rod. */
void eli_obstacle_distances(const eli_obstacle *obstacle, const double position[3], const double director[9], int count,
                            const double *const node[3], double *distance, double *const normal[3]);

/* Computes only the distances of count nodes. */
void eli_obstacle_node_distances(const eli_obstacle *obstacle, const double position[3], const double director[9], int count,
                                 const double *const node[3], double *distance);

#endif
