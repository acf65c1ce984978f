/* Closest points of two segments.
 *
 * models     the least of |w + t v - s u| over 0 <= s, t <= 1, with the edges u, v and the vector w from the first end of the first segment
 *            to the first end of the second
 * equation   interior: s = (w x v) . n/n^2, t = (w x u) . n/n^2, n = u x v; otherwise an end of one segment and the other segment
 * source     the problem is convex: its only minimum is in the interior, or on an edge of the square, and there it is that of a point and a
 *            segment
 * test       tests/test_segment.c
 *
 * Cross products keep the digits that the usual determinant u^2 v^2 - (u . v)^2 loses for nearly parallel edges. Every formula becomes its
 * mirror image when the segments are exchanged, operation by operation.
 */
#include "base/target.h"

#include "contact/segment.h"

#include "base/vector.h"

#include <math.h>

/* Below this sine of the angle between the edges, interior points are only candidates, as the ends are: their errors along the edges are
 * not small compared with the angle. */
#define NEARLY_PARALLEL 1e-5

/* Candidates with squared distances that agree to this relative rounding error count as equal. */
#define TIE 4e-15

enum { CANDIDATES = 6 };

typedef struct edges {
  double u[3], v[3], w[3];
} edges;

/* Returns numerator/denominator limited to 0..1. A segment of zero length is represented by its first end. */
static inline double share(double numerator, double denominator) {
  if (!(numerator > 0.0)) return 0.0;
  return numerator < denominator ? numerator / denominator : 1.0;
}

/* Computes the vector from the first point to the second; returns the square of the distance. */
static inline double between(const edges *e, double s, double t, double d[3]) {
  for (int a = 0; a < 3; a++) d[a] = e->w[a] + (t * e->v[a] - s * e->u[a]);
  return eli_dot(d, d);
}

/* Returns the point of the other segment that is closest to a given point. */
static double second_share(const edges *e, double s) {
  const double from[3] = {s * e->u[0] - e->w[0], s * e->u[1] - e->w[1], s * e->u[2] - e->w[2]};
  return share(eli_dot(from, e->v), eli_dot(e->v, e->v));
}

static double first_share(const edges *e, double t) {
  const double from[3] = {t * e->v[0] + e->w[0], t * e->v[1] + e->w[1], t * e->v[2] + e->w[2]};
  return share(eli_dot(from, e->u), eli_dot(e->u, e->u));
}

/* Finds the best of the four ends, each with the other segment, and of the interior points near (s, t) if there are any. Equally good
 * candidates are averaged, in an order that does not change when the segments are exchanged. */
static void search(const edges *e, int inside, double *s, double *t) {
  const double first[CANDIDATES] = {0.0, 1.0, first_share(e, 0.0), first_share(e, 1.0), *s, first_share(e, *t)};
  const double second[CANDIDATES] = {second_share(e, 0.0), second_share(e, 1.0), 0.0, 1.0, second_share(e, *s), *t};
  const int count = inside ? CANDIDATES : CANDIDATES - 2;
  double square[CANDIDATES], d[3], least = 0.0;
  for (int k = 0; k < count; k++) {
    square[k] = between(e, first[k], second[k], d);
    if (k == 0 || square[k] < least) least = square[k];
  }
  double s_sum[3] = {0.0, 0.0, 0.0}, t_sum[3] = {0.0, 0.0, 0.0}, weight = 0.0;
  for (int k = 0; k < count; k++) {
    if (!(square[k] <= least * (1.0 + TIE))) continue;
    s_sum[k / 2] += first[k];
    t_sum[k / 2] += second[k];
    weight += 1.0;
  }
  if (weight == 0.0) return; /* NaN */
  *s = ((s_sum[0] + s_sum[1]) + s_sum[2]) / weight;
  *t = ((t_sum[0] + t_sum[1]) + t_sum[2]) / weight;
}

/* Returns a unit vector perpendicular to both edges. It reverses when the edges are exchanged, if geometry can distinguish them. */
static void direction_of_intersection(const edges *e, const double n[3], double d[3]) {
  double square = eli_dot(n, n);
  for (int a = 0; a < 3; a++) d[a] = n[a];
  if (!(square > 0.0)) {
    const double uu = eli_dot(e->u, e->u), vv = eli_dot(e->v, e->v);
    const double *edge = uu >= vv ? e->u : e->v, sign = uu >= vv ? 1.0 : -1.0;
    int least = 0;
    for (int a = 1; a < 3; a++)
      if (fabs(edge[a]) < fabs(edge[least])) least = a;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[least] = sign;
    eli_cross(edge, axis, d);
    square = eli_dot(d, d);
    if (!(square > 0.0)) {
      for (int a = 0; a < 3; a++) d[a] = axis[a];
      square = 1.0;
    }
  }
  const double size = sqrt(square);
  for (int a = 0; a < 3; a++) d[a] /= size;
}

void eli_segment_closest(const double p0[3], const double p1[3], const double q0[3], const double q1[3], eli_closest *out) {
  edges e;
  double n[3], wv[3], wu[3];
  for (int a = 0; a < 3; a++) {
    e.u[a] = p1[a] - p0[a];
    e.v[a] = q1[a] - q0[a];
    e.w[a] = q0[a] - p0[a];
  }
  eli_cross(e.u, e.v, n);
  eli_cross(e.w, e.v, wv);
  eli_cross(e.w, e.u, wu);
  const double nn = eli_dot(n, n), limit = eli_dot(e.u, e.u) * eli_dot(e.v, e.v), s_part = eli_dot(wv, n), t_part = eli_dot(wu, n);
  const int inside = nn > 0.0 && s_part >= 0.0 && s_part <= nn && t_part >= 0.0 && t_part <= nn;
  double s = inside ? s_part / nn : 0.0, t = inside ? t_part / nn : 0.0;
  if (!inside || nn < NEARLY_PARALLEL * NEARLY_PARALLEL * limit) search(&e, inside, &s, &t);
  out->s = s;
  out->t = t;
  out->distance = sqrt(between(&e, s, t, out->direction));
  if (out->distance > 0.0)
    for (int a = 0; a < 3; a++) out->direction[a] /= out->distance;
  else
    direction_of_intersection(&e, n, out->direction);
}
