/* Writhe, twist and link of a rod.
 *
 * models     writhe: the winding of the polygon of the nodes about itself; twist: the winding of the frames about the polygon
 * equation   Wr = (1/4 pi) sum over pairs of edges of the signed solid angle of their directions, i.e. the Gauss integral, exactly
 *            Tw = (1/2 pi) sum over joints of the angle from the transported d1 to the next d1, both made orthogonal to the edges
 *            Lk = Tw + Wr (Calugareanu, White, Fuller), exactly for polygons
 * source     Klenin and Langowski, Biopolymers 54 (2000) 307, with the solid angle of van Oosterom and Strackee (1983): one arc tangent for
 *            a pair of edges, without arc sines that lose digits near a right angle
 * test       tests/test_rod_topology.c
 *
 * An open rod is extended to infinity by a ray at each end. The solid angle of a ray and an edge is that of the triangle of three
 * directions: the direction of the ray, and those from its start to both ends of the edge. The solid angle of the two rays is that of their
 * directions and the line between their starts.
 */
#include "base/target.h"

#include "base/definition.h"
#include "base/elementary.h"
#include "base/vector.h"
#include "state/world.h"

#include <math.h>
#include <string.h>

/* A closure of an older version may end before any of these fields. */
#define VECTOR(field) ELI_NUMBERS(elastica_closure, field, ELI_RULE_DIRECTION | ELI_RULE_OPTIONAL)
static const eli_field fields[] = {ELI_FIELD(elastica_closure, struct_size), VECTOR(axis), VECTOR(first_normal), VECTOR(last_normal)};
#undef VECTOR
static const elastica_closure defaults = {.axis = ELI_UNSET_VECTOR, .first_normal = ELI_UNSET_VECTOR, .last_normal = ELI_UNSET_VECTOR};
static const eli_layout layout = ELI_LAYOUT("closure", elastica_closure, fields, defaults);

/* Makes a vector a unit vector and returns its former length; a zero vector is unchanged. The vector is scaled first if its squares would
 * underflow or overflow. */
static inline double normalise(double a[3]) {
  const double largest = eli_largest(a);
  for (int k = 0; k < 3 && (largest < 1e-100 || largest > 1e100) && largest > 0.0; k++) a[k] /= largest;
  const double length = sqrt(eli_dot(a, a));
  for (int k = 0; k < 3 && length > 0.0; k++) a[k] /= length;
  return length;
}

static inline void node(const elastica_rod_view *view, int i, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = view->position[a][i];
}

static inline void edge(const elastica_rod_view *view, int j, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = view->position[a][j + 1] - view->position[a][j];
}

/* ---- Writhe ---- */

/* Computes a vector (x, y) with half the signed solid angle of the unit vectors a, b, c as its angle. */
static inline void half_angle(const double a[3], const double b[3], const double c[3], double *x, double *y) {
  double n[3];
  eli_cross(b, c, n);
  *y = eli_dot(a, n);
  *x = 1.0 + eli_dot(a, b) + eli_dot(b, c) + eli_dot(c, a);
}

static double triangle(const double a[3], const double b[3], const double c[3]) {
  double x, y;
  half_angle(a, b, c, &x, &y);
  return y == 0.0 ? 0.0 : 2.0 * eli_atan2(y, x);
}

/* Returns the signed solid angle of two edges: that of the quadrangle of the directions a, b, c, d between their ends. It is the sum of two
 * triangles. Their half angles have the same sign and a sum below half a turn, so that one arc tangent gives the sum. */
static double quadrangle(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double x1, y1, x2, y2;
  half_angle(a, b, c, &x1, &y1);
  half_angle(a, c, d, &x2, &y2);
  const double y = y1 * x2 + x1 * y2;
  return y == 0.0 ? 0.0 : 2.0 * eli_atan2(y, x1 * x2 - y1 * y2);
}

/* Computes the direction from a point to a node. */
static inline void towards(const elastica_rod_view *view, const double from[3], int i, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = view->position[a][i] - from[a];
  normalise(out);
}

/* Returns the sum of the solid angles of edge i with the edges after it, without its neighbours; their solid angles are 0. */
static double sum_of_edge(const elastica_rod_view *view, int i) {
  const int n = view->element_count, last = view->closed && i == 0 ? n - 1 : n; /* the last edge of a ring is a neighbour of its first */
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

/* Returns the sum of the solid angles of the ray from node i with every edge except the one at that node. */
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

/* axis holds the directions of travel along the ray before the first node and along the ray after the last node. Seen from an edge, the
 * last ray ends in the direction axis[1]; seen from the first ray, every edge begins in the direction axis[0]. */
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
  return sum / ELI_TWO_PI;
}

/* ---- Twist ---- */

/* A tangent, and d1 made orthogonal to it; both are unit vectors. */
typedef struct ribbon {
  double tangent[3], normal[3];
} ribbon;

static void orthogonalise(ribbon *of) {
  const double along = eli_dot(of->normal, of->tangent);
  for (int a = 0; a < 3; a++) of->normal[a] -= along * of->tangent[a];
  normalise(of->normal);
}

static void ribbon_of_element(const elastica_rod_view *view, int j, ribbon *out) {
  edge(view, j, out->tangent);
  normalise(out->tangent);
  for (int a = 0; a < 3; a++) out->normal[a] = view->director[0][a][j];
  orthogonalise(out);
}

/* Returns the angle [rad] from the normal of the first ribbon, transported to the tangent of the second, to the normal of the second. */
static double turn_between(const ribbon *one, const ribbon *other) {
  const double fold = 1.0 + eli_dot(one->tangent, other->tangent), along = eli_dot(one->normal, other->tangent);
  const double share = fold > 0.0 ? along / fold : 0.0;
  double transported[3], side[3];
  for (int a = 0; a < 3; a++) transported[a] = one->normal[a] - share * (one->tangent[a] + other->tangent[a]);
  eli_cross(other->tangent, transported, side);
  return eli_atan2(eli_dot(other->normal, side), eli_dot(other->normal, transported));
}

static double twist_of(const elastica_rod_view *view, const double axis[2][3], const elastica_closure *closure) {
  const double *const given[2] = {closure->first_normal, closure->last_normal};
  ribbon first, here, next;
  double sum = 0.0;
  ribbon_of_element(view, 0, &first);
  here = first;
  for (int j = 1; j < view->element_count; j++, here = next) {
    ribbon_of_element(view, j, &next);
    sum += turn_between(&here, &next);
  }
  if (view->closed) return (sum + turn_between(&here, &first)) / ELI_TWO_PI;
  for (int end = 0; end < 2; end++) {
    if (eli_all_nan(given[end], 3)) continue;
    ribbon outer;
    memcpy(outer.tangent, axis[end], sizeof outer.tangent);
    memcpy(outer.normal, given[end], sizeof outer.normal);
    orthogonalise(&outer);
    sum += end == 0 ? turn_between(&outer, &first) : turn_between(&here, &outer);
  }
  return sum / ELI_TWO_PI;
}

/* ---- Query ---- */

void elastica_closure_init(elastica_closure *closure, size_t size) {
  eli_def_init(&layout, closure, size);
}

static elastica_status check_direction(elastica_world *world, const char *field, const double direction[3]) {
  if (eli_all_nan(direction, 3) || eli_dot(direction, direction) > 0.0) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s has no length", field);
}

static elastica_status read_closure(elastica_world *world, const elastica_closure *given, elastica_closure *closure) {
  elastica_status status = eli_def_read(world, &layout, closure, given);
  if (status == ELASTICA_OK) status = check_direction(world, "closure.axis", closure->axis);
  if (status == ELASTICA_OK) status = check_direction(world, "closure.first_normal", closure->first_normal);
  if (status == ELASTICA_OK) status = check_direction(world, "closure.last_normal", closure->last_normal);
  return status;
}

elastica_status elastica_rod_get_topology(elastica_rod *rod, const elastica_closure *closure, elastica_topology *out) {
  elastica_closure read;
  double axis[2][3];
  const elastica_status known = eli_rod_check(rod, "rod_get_topology");
  if (known != ELASTICA_OK) return known;
  if (out == NULL) return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "rod_get_topology: out is NULL");
  if (eli_is_rigid(rod))
    return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "rod_get_topology: rod %d is a rigid body", rod->index);
  const elastica_status status = read_closure(rod->world, closure, &read);
  if (status != ELASTICA_OK) return status;
  for (int end = 0; end < 2; end++) {
    if (eli_all_nan(read.axis, 3))
      edge(&rod->body->view, end == 0 ? 0 : rod->element_count - 1, axis[end]);
    else
      memcpy(axis[end], read.axis, sizeof axis[end]);
    normalise(axis[end]);
  }
  out->writhe = writhe_of(&rod->body->view, (const double(*)[3])axis);
  out->twist = twist_of(&rod->body->view, (const double(*)[3])axis, &read);
  out->link = out->writhe + out->twist;
  return ELASTICA_OK;
}
