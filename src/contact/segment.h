/* Closest points of two line segments.
 *
 * test       tests/test_segment.c
 */
#ifndef ELI_SEGMENT_H
#define ELI_SEGMENT_H

#include "base/target.h"

/* The points p0 + s (p1 - p0) and q0 + t (q1 - q0). */
typedef struct eli_closest {
  double s, t; /* 0..1 */
  double distance;
  double direction[3]; /* unit vector from the first point to the second */
} eli_closest;

/* Exact to rounding in every case: interior points, ends, parallel, of no length; where segments run through each other, to rounding over
 * the sine of their angle, at most 1e5 times. Segments that run parallel side by side meet in the middle of where they do. Exchanging the
 * segments exchanges s and t and turns the direction around, to the last bit; only segments on one line that meet have no direction of
 * their own. Segments that meet in a point get a direction at right angles to both. */
void eli_segment_closest(const double p0[3], const double p1[3], const double q0[3], const double q1[3], eli_closest *out);

#endif
