/* Tubes: the distance of a point from the surface of a tube along a polyline with a radius at each point.
 *
 * models     axis: the polyline with its kinks rounded by circular arcs that begin and end half-way to the nearer neighbour; radius: linear
 *            between the arcs, cubic along them, without a slope at both ends
 * equation   OUTSIDE: d = rho - R(s), INSIDE: d = R(s) - rho, with rho the distance from the nearest point of the axis, at the length s of
 *            it. Beyond an end: OUTSIDE a half ball; INSIDE a flat face around a rim, which is rounded with half the radius of the end
 * source     elementary geometry; the axis and the radius have continuous slopes, so d has too wherever one point of the axis is nearest:
 *            up to the centre of each arc
 * test       tests/test_tube.c, against brute force
 */
#ifndef ELI_TUBE_H
#define ELI_TUBE_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"

/* A straight or round piece of the axis. */
typedef struct eli_tube_piece {
  double start[3], along[3]; /* [m] its first point; the direction there */
  double length;             /* [m] */
  double bend;               /* [m] radius of the arc; 0: straight */
  double inwards[3];         /* unit vector to the centre of the arc */
  double turn;               /* [rad] of the arc, at most pi */
  double end[2], middle[2];  /* cosine and sine of turn and of turn/2 */
  double radius[4];          /* coefficients of R by powers of the length from the start */
  int point;                 /* the point whose kink the arc rounds */
} eli_tube_piece;

enum { ELI_TUBE_BRANCHES = 8, ELI_TUBE_LEVELS = 12 };

/* Balls around consecutive pieces. The last group of a level may have empty places: balls of radius 0 at an infinite distance. */
typedef struct eli_tube_balls {
  double centre[3][ELI_TUBE_BRANCHES], radius[ELI_TUBE_BRANCHES];
} eli_tube_balls;

typedef struct eli_tube {
  const eli_allocator *allocator;
  eli_tube_piece *pieces;
  int count, levels, point_count;
  int inside;                             /* 1: rods are in the duct */
  eli_tube_balls *balls[ELI_TUBE_LEVELS]; /* level 0: one ball for each piece; level k: one for each group of the level below; the last
                                           * level has one group */
  double slope, curvature;  /* bounds of the size of the gradient and of the second derivatives above 0 [1/m], where rods can be */
  double narrowest, widest; /* [m] least and largest radius */
  double tightest;          /* [m] least radius of the arcs; infinite without one */
  double extent;            /* [m] radius of a ball about the origin of its frame that contains it */
  int mark;                 /* a checksum of points and radii, not 0 */
} eli_tube;

/* Makes a tube from the points and radii of a definition. INVALID_ARGUMENT, with a sentence; OUT_OF_MEMORY. */
elastica_status eli_tube_create(elastica_world *world, const elastica_obstacle_def *def, eli_tube **out);
void eli_tube_destroy(eli_tube *tube);

/* Returns the distance [m] of a point of its frame, and the gradient. */
double eli_tube_distance(const eli_tube *tube, const double point[3], double gradient[3]);

/* For pictures: the number of short segments of the tube and its ends, and the ends [m] and radii [m] of one in the frame of the tube.
 * OUTSIDE: both half balls belong to it; INSIDE: both rims, and a ring of each flat face up to twice the radius of the end. */
int eli_tube_segment_count(const eli_tube *tube);
void eli_tube_segment(const eli_tube *tube, int segment, double end[2][3], double radius[2]);

/* Returns 1 if the points, radii and side of a definition are those of the tube; points and radii may be NULL. */
int eli_tube_is_made_of(const eli_tube *tube, const elastica_obstacle_def *def);

#endif
