/* The overlap of two elements of a rod, and its slopes over the positions of their nodes.
 *
 * models     eps = r_i + r_j - distance of two segments, each with the radius of its volume and length, r = sqrt(V/(pi l))
 * equation   d eps/dx of the nodes of i: (1 - s) d + r t/(2 l), s d - r t/(2 l); of j with -d
 *            the terms with r for the classical law only: the papers' law has no force for a change of radius
 * source     Gazzola et al. 2018 (4.6); the slopes follow by differentiation
 * test       tests/test_potentials.c, tests/test_self_contact_set.c
 *
 * Bounds. With g_a = d eps/dx_a, (sum g_a . x_a)^2 <= sum |g_b| sum |g_a| x_a^2. |g_a| is that of a share of d and +-r/(2 l) of the
 * tangent, which are at right angles but for closest points at an end.
 * Second derivative: that of a radius is 3 r/(4 l^2) along the edge, twice that at each node, and negative across it. Distance: let the
 * nodes move the closest points apart by y, in the plane across d, and turn the elements by q_i, q_j towards d (edge change along d over
 * l). The closest points follow, so that -d^2 distance is 2 q . z + distance q . R^-1 q, with R = (1, -c; -c, 1), c = t_i . t_j, |z| <=
 * |y|/sqrt(1 - |c|). By 2 |q| |z| <= m q^2/(1 - |c|) + y^2/m with the shorter length times sqrt(1 - |c|) for m, and q^2 <= 2 sum x_a^2/l^2,
 * y^2 <= 2 sum (share) x_a^2. At an end fewer points follow, and the bound holds all the more.
 * Elements that are nearly parallel exchange their closest points at the slightest turn. Where they are parallel that has no slope and
 * cannot be bounded: it is a kink, not a growing motion, and 1/(1 - |c|) counts as no more than FOLLOWING.
 */
#include "base/target.h"

#include "contact/overlap.h"

#include "base/vector.h"
#include "contact/segment.h"

#include <math.h>

/* The most that 1/(1 - |c|) counts: elements that cross at 0.5 rad. */
#define FOLLOWING 8.0

static inline void node(const double *const lane[3], int i, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = lane[a][i];
}

int eli_overlap_find(const elastica_rod_view *rod, const double *radius, int i, int j, double margin, eli_overlap *out) {
  const double touching = radius[i] + radius[j];
  double p0[3], p1[3], q0[3], q1[3];
  node(rod->position, i, p0);
  node(rod->position, i + 1, p1);
  node(rod->position, j, q0);
  node(rod->position, j + 1, q1);
  if (eli_segments_are_apart((eli_edge){p0[0], p0[1], p0[2], p1[0], p1[1], p1[2]}, (eli_edge){q0[0], q0[1], q0[2], q1[0], q1[1], q1[2]},
                             touching + margin))
    return 0;
  eli_closest closest;
  eli_segment_closest(p0, p1, q0, q1, &closest);
  out->element[0] = i;
  out->element[1] = j;
  out->depth = touching - closest.distance;
  out->share[0] = closest.s;
  out->share[1] = closest.t;
  for (int side = 0; side < 2; side++) {
    const int element = out->element[side];
    out->swelling[side] = rod->classical_law ? 0.5 * radius[element] / rod->length[element] : 0.0;
  }
  out->distance = closest.distance;
  for (int a = 0; a < 3; a++) out->d[a] = closest.direction[a];
  return out->depth > -margin;
}

void eli_overlap_add_forces(const elastica_rod_view *rod, const eli_overlap *o, double push, double pressure, double *const force[3]) {
  for (int side = 0; side < 2; side++) {
    const int i = o->element[side];
    const double share = o->share[side], along = side == 0 ? -push : push, tension = -pressure * o->swelling[side];
    for (int a = 0; a < 3; a++) {
      const double part = along * o->d[a], pull = tension * rod->tangent[a][i];
      force[a][i] += (1.0 - share) * part + pull;
      force[a][i + 1] += share * part - pull;
    }
  }
}

double eli_overlap_approach(const elastica_rod_view *rod, const eli_overlap *o) {
  const int i = o->element[0], j = o->element[1];
  const double s = o->share[0], t = o->share[1];
  double sum = 0.0;
  for (int a = 0; a < 3; a++) {
    const double *v = rod->velocity[a];
    sum += (((1.0 - s) * v[i] + s * v[i + 1]) - ((1.0 - t) * v[j] + t * v[j + 1])) * o->d[a];
  }
  return sum;
}

double eli_overlap_growth(const elastica_rod_view *rod, const eli_overlap *o) {
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const int i = o->element[side];
    double lengthening = 0.0;
    for (int a = 0; a < 3; a++) lengthening += rod->tangent[a][i] * (rod->velocity[a][i + 1] - rod->velocity[a][i]);
    sum -= o->swelling[side] * lengthening;
  }
  return sum;
}

double eli_overlap_speed(const elastica_rod_view *rod, const eli_overlap *o) {
  double largest = 0.0;
  for (int k = 0; k < 4; k++) {
    const int i = o->element[0] + k / 2, j = o->element[1] + k % 2;
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double v = rod->velocity[a][i] - rod->velocity[a][j];
      square += v * v;
    }
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

static inline double at_most_one(double x) {
  return x < 1.0 ? x : 1.0;
}

static void bound_squares(const elastica_rod_view *rod, const eli_overlap *o, double moved, eli_overlap_bounds *out) {
  const double most = 2.0 + 2.0 * (o->swelling[0] + o->swelling[1]); /* the two shares of an element are 1 together */
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const int j = o->element[side];
    const double slide = moved / rod->length[j], swelling = o->swelling[side];
    const double t[3] = {rod->tangent[0][j], rod->tangent[1][j], rod->tangent[2][j]};
    /* d turns by moved/distance, the tangent by twice moved/length */
    const double turned = moved > 0.0 ? 2.0 * slide + moved / o->distance : 0.0, cosine = at_most_one(fabs(eli_dot(o->d, t)) + turned);
    for (int end = 0; end < 2; end++) {
      const double share = at_most_one((end == 0 ? 1.0 - o->share[side] : o->share[side]) + slide);
      const double slope = sqrt(share * share + swelling * (swelling + 2.0 * cosine * share));
      out->square[2 * side + end] = slope;
      out->approach[2 * side + end] = 2.0 * share;
      sum += slope;
    }
  }
  for (int a = 0; a < 4; a++) out->square[a] *= sum < most ? sum : most;
}

static void bound_curving(const elastica_rod_view *rod, const eli_overlap *o, double bound[4]) {
  const double *length = rod->length;
  const int i = o->element[0], j = o->element[1];
  const double t[2][3] = {{rod->tangent[0][i], rod->tangent[1][i], rod->tangent[2][i]},
                          {rod->tangent[0][j], rod->tangent[1][j], rod->tangent[2][j]}};
  const double apart = 1.0 - fabs(eli_dot(t[0], t[1])), following = FOLLOWING * apart > 1.0 ? 1.0 / apart : FOLLOWING;
  const double scale = (length[i] < length[j] ? length[i] : length[j]) / sqrt(following);
  for (int a = 0; a < 4; a++) {
    const int side = a / 2;
    const double l = length[o->element[side]], share = a % 2 ? o->share[side] : 1.0 - o->share[side];
    bound[a] = 2.0 * share / scale + (2.0 * following * (o->distance + scale) / l + 3.0 * o->swelling[side]) / l;
  }
}

void eli_overlap_bound(const elastica_rod_view *rod, const eli_overlap *o, double moved, eli_overlap_bounds *out) {
  bound_squares(rod, o, moved, out);
  bound_curving(rod, o, out->curving);
}
