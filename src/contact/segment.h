/* Closest points of two line segments.
 *
 * test       tests/test_segment.c
 */
#ifndef ELI_SEGMENT_H
#define ELI_SEGMENT_H

#include "base/target.h"

#include <math.h>

/* The points p0 + s (p1 - p0) and q0 + t (q1 - q0). */
typedef struct eli_closest {
  double s, t; /* 0..1 */
  double distance;
  double direction[3]; /* unit vector from the first point to the second */
} eli_closest;

/* The ends of a segment, one by one: numbers that stay in registers. */
typedef struct eli_edge {
  double x0, y0, z0, x1, y1, z1;
} eli_edge;

/* Finds the closest points. They are exact to rounding in every case: interior points, ends, parallel segments, zero length. For
 * intersecting segments the error is the rounding error divided by the sine of their angle, at most 1e5 times as large. For parallel
 * segments that overlap, the points are in the middle of the overlap. Exchanging the segments exchanges s and t and reverses the direction,
 * to the last bit; only segments on one line that intersect have no unique direction. Segments that intersect in a point get a direction
 * perpendicular to both. */
void eli_segment_closest(const double p0[3], const double p1[3], const double q0[3], const double q1[3], eli_closest *out);

/* Returns 1 if the projections of the segments on a line along the vector `along` have a gap wider than reach. apart, p and q are twice the
 * vector between the middles and twice the half vectors of the segments. */
static inline int eli_projections_are_apart(const double along[3], const double apart[3], const double p[3], const double q[3],
                                            double reach) {
  double square = 0.0, middle = 0.0, first = 0.0, second = 0.0;
  for (int a = 0; a < 3; a++) {
    square += along[a] * along[a];
    middle += along[a] * apart[a];
    first += along[a] * p[a];
    second += along[a] * q[a];
  }
  const double width = fabs(middle) - (fabs(first) + fabs(second)), least = 2.0 * reach * (1.0 + 1e-12);
  return width > 0.0 && width * width > least * least * square;
}

/* Returns 1 if projections prove, to the rounding of lengths, that the distance of the segments exceeds reach, so that closest points are
 * not needed. On the line between the middles, projections underestimate the distance by l^2/(8 r) for parallel elements beside each other.
 * On the line perpendicular to the first segment they are exact if the two are parallel. So few pairs without contact remain. */
static inline int eli_segments_are_apart(eli_edge first, eli_edge second, double reach) {
  const double apart[3] = {(second.x0 + second.x1) - (first.x0 + first.x1), (second.y0 + second.y1) - (first.y0 + first.y1),
                           (second.z0 + second.z1) - (first.z0 + first.z1)};
  const double p[3] = {first.x1 - first.x0, first.y1 - first.y0, first.z1 - first.z0};
  const double q[3] = {second.x1 - second.x0, second.y1 - second.y0, second.z1 - second.z0};
  double along = 0.0, length2 = 0.0, across[3];
  if (eli_projections_are_apart(apart, apart, p, q, reach)) return 1;
  for (int a = 0; a < 3; a++) {
    along += apart[a] * p[a];
    length2 += p[a] * p[a];
  }
  if (!(length2 > 0.0)) return 0;
  for (int a = 0; a < 3; a++) across[a] = apart[a] - along / length2 * p[a];
  return eli_projections_are_apart(across, apart, p, q, reach);
}

#endif
