/* Writhe, twist and link of a rod.
 *
 * models     winding of the polygon of the nodes about itself (writhe), and of the frames about the polygon (twist)
 * equation   Wr = (1/4 pi) sum over pairs of edges of the signed solid angle of their directions, i.e. the Gauss integral, exactly
 *            Tw = (1/2 pi) sum over joints of the angle from the transported d1 to the next d1, both made orthogonal to the edges
 *            Lk = Tw + Wr (Calugareanu, White, Fuller), exactly for polygons
 * source     Klenin and Langowski, Biopolymers 54 (2000) 307, with the solid angle of van Oosterom and Strackee (1983): one arc tangent for
 *            a pair of edges, without arc sines that lose digits near a right angle
 * test       tests/test_topology.c
 *
 * An open rod is extended to infinity by a ray at each end. The solid angle of a ray and an edge is that of the triangle of three
 * directions: of the ray, and from its start to both ends of the edge. The solid angle of the two rays is that of their directions and the
 * line between their starts.
 */
#include "topology.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Normalises a vector; a zero vector remains zero. */
static void normalise(double a[3]) {
  const double length = sqrt(dot(a, a));
  for (int k = 0; k < 3 && length > 0.0; k++) a[k] /= length;
}

/* Node n of a ring is its node 0. */
static void node(const elastica_rod_view *view, int i, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = view->position[a][i < view->node_count ? i : 0];
}

/* The direction from a point to a node. */
static void towards(const elastica_rod_view *view, const double from[3], int i, double out[3]) {
  node(view, i, out);
  for (int a = 0; a < 3; a++) out[a] -= from[a];
  normalise(out);
}

static void edge_direction(const elastica_rod_view *view, int j, double out[3]) {
  double start[3];
  node(view, j, start);
  towards(view, start, j + 1, out);
}

/* ---- Writhe ---- */

/* A vector (x, y) at half the signed solid angle of the unit vectors a, b, c. */
static void half_angle(const double a[3], const double b[3], const double c[3], double *x, double *y) {
  double n[3];
  cross(b, c, n);
  *y = dot(a, n);
  *x = 1.0 + dot(a, b) + dot(b, c) + dot(c, a);
}

static double triangle(const double a[3], const double b[3], const double c[3]) {
  double x, y;
  half_angle(a, b, c, &x, &y);
  return y == 0.0 ? 0.0 : 2.0 * atan2(y, x);
}

/* Signed solid angle of two edges: of the quadrangle of the directions a, b, c, d between their ends. It is the sum of two triangles.
 * Their half angles have the same sign and a sum below half a turn, so that a single arc tangent gives the sum. */
static double quadrangle(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double x1, y1, x2, y2;
  half_angle(a, b, c, &x1, &y1);
  half_angle(a, c, d, &x2, &y2);
  const double y = y1 * x2 + x1 * y2;
  return y == 0.0 ? 0.0 : 2.0 * atan2(y, x1 * x2 - y1 * y2);
}

/* Sum of the solid angles of edge i with the edges after it, its neighbours excluded: their angles are 0. */
static double sum_of_edge(const elastica_rod_view *view, int i) {
  const int n = view->element_count, last = view->closed && i == 0 ? n - 1 : n; /* a ring's last edge is next to its first */
  double p0[3], p1[3], from0[3], from1[3], next0[3], next1[3], sum = 0.0;
  if (i + 2 >= last) return 0.0;
  node(view, i, p0);
  node(view, i + 1, p1);
  towards(view, p0, i + 2, from0);
  towards(view, p1, i + 2, from1);
  for (int j = i + 2; j < last; j++) {
    towards(view, p0, j + 1, next0);
    towards(view, p1, j + 1, next1);
    sum += quadrangle(from0, from1, next1, next0);
    memcpy(from0, next0, sizeof from0);
    memcpy(from1, next1, sizeof from1);
  }
  return sum;
}

/* Sum of the solid angles of the ray from node i with every edge except the edge at that node. */
static double sum_of_ray(const elastica_rod_view *view, int i, const double direction[3]) {
  const int n = view->element_count;
  double start[3], here[3], next[3], sum = 0.0;
  node(view, i, start);
  const int first = i == 0 ? 1 : 0, last = i == 0 ? n : n - 1;
  if (first >= last) return 0.0;
  towards(view, start, first, here);
  for (int j = first; j < last; j++) {
    towards(view, start, j + 1, next);
    sum += triangle(here, next, direction);
    memcpy(here, next, sizeof here);
  }
  return sum;
}

/* axis: directions of travel along the ray before the first node and along the ray after the last. Seen from an edge, the last ray ends in
 * the direction axis[1]; seen from the first ray, every edge begins in the direction axis[0]. */
static double writhe_of(const elastica_rod_view *view, const double axis[2][3]) {
  double sum = 0.0;
  for (int i = 0; i < view->element_count; i++) sum += sum_of_edge(view, i);
  if (!view->closed) {
    const int n = view->element_count;
    double back[3], line[3], start[3];
    for (int a = 0; a < 3; a++) back[a] = -axis[1][a];
    sum += sum_of_ray(view, 0, axis[0]) - sum_of_ray(view, n, back);
    node(view, 0, start);
    towards(view, start, n, line);
    sum += triangle(line, axis[1], axis[0]);
  }
  return sum / two_pi;
}

/* ---- Twist ---- */

/* A tangent, and d1 made orthogonal to it: unit vectors. */
typedef struct ribbon {
  double tangent[3], normal[3];
} ribbon;

static void orthogonalise(ribbon *of) {
  const double along = dot(of->normal, of->tangent);
  for (int a = 0; a < 3; a++) of->normal[a] -= along * of->tangent[a];
  normalise(of->normal);
}

static void ribbon_of_element(const elastica_rod_view *view, int j, ribbon *out) {
  edge_direction(view, j, out->tangent);
  for (int a = 0; a < 3; a++) out->normal[a] = view->director[0][a][j];
  orthogonalise(out);
}

/* Angle [rad] from the normal of one, transported to the tangent of the other, to the normal of the other. */
static double turn_between(const ribbon *one, const ribbon *other) {
  const double fold = 1.0 + dot(one->tangent, other->tangent), along = dot(one->normal, other->tangent);
  const double share = fold > 0.0 ? along / fold : 0.0;
  double transported[3], side[3];
  for (int a = 0; a < 3; a++) transported[a] = one->normal[a] - share * (one->tangent[a] + other->tangent[a]);
  cross(other->tangent, transported, side);
  return atan2(dot(other->normal, side), dot(other->normal, transported));
}

static double twist_of(const elastica_rod_view *view, const double axis[2][3], const topology_ends *ends) {
  ribbon first, here, next;
  double sum = 0.0;
  ribbon_of_element(view, 0, &first);
  here = first;
  for (int j = 1; j < view->element_count; j++, here = next) {
    ribbon_of_element(view, j, &next);
    sum += turn_between(&here, &next);
  }
  if (view->closed) return (sum + turn_between(&here, &first)) / two_pi;
  for (int end = 0; end < 2; end++) {
    const double *normal = end == 0 ? ends->first_normal : ends->last_normal;
    if (!(dot(normal, normal) > 0.0)) continue;
    ribbon outer;
    memcpy(outer.tangent, axis[end], sizeof outer.tangent);
    memcpy(outer.normal, normal, sizeof outer.normal);
    orthogonalise(&outer);
    sum += end == 0 ? turn_between(&outer, &first) : turn_between(&here, &outer);
  }
  return sum / two_pi;
}

/* ---- Together ---- */

topology topology_of(const elastica_rod_view *rod, const topology_ends *ends) {
  const topology_ends given = ends != NULL ? *ends : (topology_ends){.axis = {0.0}};
  double axis[2][3];
  topology out;
  for (int end = 0; end < 2; end++) {
    edge_direction(rod, end == 0 ? 0 : rod->element_count - 1, axis[end]);
    if (dot(given.axis, given.axis) > 0.0) memcpy(axis[end], given.axis, sizeof axis[end]);
    normalise(axis[end]);
  }
  out.writhe = writhe_of(rod, (const double(*)[3])axis);
  out.twist = twist_of(rod, (const double(*)[3])axis, &given);
  out.link = out.writhe + out.twist;
  return out;
}
