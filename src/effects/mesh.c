/* Distances from meshes (see mesh.h). */
#include "base/target.h"

#include "effects/mesh.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

/* Accuracy of the distance from y, in fillets, and in sizes of the mesh. */
#define ACCURACY 1e-12
#define ROUNDING 1e-14

/* At this distance from the origin, in sizes of mesh and fillet, the size of the mesh is less than the rounding of the distance. Fourth
 * powers of smaller distances do not overflow. */
#define FAR 0x1p60

enum { MOST_WAITING = 64, MOST_PLANES = 12, MOST_ADDED = 64, MOST_TURNS = 60 };

/* ---- Nearest point ---- */

/* A share that is outside 0..1, or nan, is rounding: the point is so far away that it is the same from both ends of an edge. */
static double share_of(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/* Finds the point of a triangle nearest to x, and its feature: 0 the face, 1 + k the edge from corner k on, 4 + k corner k. */
static int nearest_on(const eli_mesh_triangle *of, const double x[3], double point[3]) {
  double ab[3], ac[3], ap[3], bp[3], cp[3];
  const double *a = of->corner[0], *b = of->corner[1], *c = of->corner[2];
  for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], ap[k] = x[k] - a[k], bp[k] = x[k] - b[k], cp[k] = x[k] - c[k];
  const double d1 = eli_dot(ab, ap), d2 = eli_dot(ac, ap), d3 = eli_dot(ab, bp), d4 = eli_dot(ac, bp), d5 = eli_dot(ab, cp),
               d6 = eli_dot(ac, cp);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  double v, w;
  int feature;
  if (d1 <= 0.0 && d2 <= 0.0) {
    v = 0.0, w = 0.0, feature = 4;
  } else if (d3 >= 0.0 && d4 <= d3) {
    v = 1.0, w = 0.0, feature = 5;
  } else if (d6 >= 0.0 && d5 <= d6) {
    v = 0.0, w = 1.0, feature = 6;
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    v = share_of(d1 / (d1 - d3)), w = 0.0, feature = 1;
  } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    w = share_of((d4 - d3) / ((d4 - d3) + (d5 - d6))), v = 1.0 - w, feature = 2;
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    v = 0.0, w = share_of(d2 / (d2 - d6)), feature = 3;
  } else {
    const double sum = 1.0 / (va + vb + vc);
    v = share_of(vb * sum), w = share_of(vc * sum), feature = 0;
  }
  for (int k = 0; k < 3; k++) point[k] = a[k] + v * ab[k] + w * ac[k];
  return feature;
}

typedef struct hit {
  double square;    /* of the distance */
  double offset[3]; /* from the nearest point */
  const eli_mesh_triangle *triangle;
  int feature;
} hit;

static void try_triangle(const eli_mesh_triangle *triangle, const double x[3], hit *best) {
  hit own = {.triangle = triangle};
  double point[3];
  own.feature = nearest_on(triangle, x, point);
  for (int a = 0; a < 3; a++) own.offset[a] = x[a] - point[a];
  own.square = eli_dot(own.offset, own.offset);
  if (own.square < best->square) *best = own;
}

/* Returns a lower bound of the squared distance from all triangles of a node: that of the box, or of the disc if that may exceed `most`. */
static double square_to(const eli_mesh_node *node, const double x[3], double most) {
  double square = 0.0, arm[3];
  for (int a = 0; a < 3; a++) {
    const double below = node->low[a] - x[a], above = x[a] - node->high[a], out = below > above ? below : above;
    if (out > 0.0) square += out * out;
  }
  if (square >= most) return square;
  for (int a = 0; a < 3; a++) arm[a] = x[a] - node->centre[a];
  const double height = eli_dot(arm, node->axis), above = fabs(height) - node->half, across2 = eli_dot(arm, arm) - height * height;
  const double aside = across2 > node->radius * node->radius ? sqrt(across2) - node->radius : 0.0;
  const double disc = (above > 0.0 ? above * above : 0.0) + aside * aside;
  return disc > square ? disc : square;
}

/* Finds the triangle nearest to x within the distance whose square best->square is; best->triangle stays NULL without one. The depth of the
 * tree is at most the number of binary digits of a count, and each level leaves one node waiting. */
static void find_nearest(const eli_mesh *mesh, const double x[3], hit *best) {
  struct {
    int node;
    double square;
  } waiting[MOST_WAITING];
  int count = 0, node = 0;
  double square = square_to(&mesh->nodes[0], x, best->square);
  for (;;) {
    const eli_mesh_node *at = &mesh->nodes[node];
    if (square < best->square) {
      if (at->count > 0) {
        for (int k = 0; k < at->count; k++) try_triangle(&mesh->triangles[at->first + k], x, best);
      } else {
        const int one = node + 1, other = at->first;
        const double to_one = square_to(&mesh->nodes[one], x, best->square), to_other = square_to(&mesh->nodes[other], x, best->square);
        const int first = to_one <= to_other;
        waiting[count].node = first ? other : one;
        waiting[count].square = first ? to_other : to_one;
        count += waiting[count].square < best->square;
        node = first ? one : other;
        square = first ? to_one : to_other;
        continue;
      }
    }
    if (count == 0) return;
    node = waiting[--count].node;
    square = waiting[count].square;
  }
}

/* ---- The sharp solid ---- */

/* Returns the distance at the end of an offset from a feature of a triangle, and its gradient. */
static double distance_from(const eli_mesh *mesh, const hit *at, double gradient[3]) {
  const double *outwards = at->triangle->normal[at->feature], size = sqrt(at->square);
  const double sign = mesh->side == ELASTICA_SIDE_BOTH || eli_dot(at->offset, outwards) >= 0.0 ? 1.0 : -1.0;
  if (size > ROUNDING * mesh->extent) {
    for (int a = 0; a < 3; a++) gradient[a] = sign * at->offset[a] / size;
  } else { /* on the surface */
    const double length = sqrt(eli_dot(outwards, outwards));
    for (int a = 0; a < 3; a++) gradient[a] = outwards[a] / length;
  }
  return sign * size - mesh->half_thickness;
}

/* Finds the nearest triangle and returns the distance from the sharp solid. Outside the ball around the mesh the sign is known. Far away,
 * the nearest feature of a triangle is lost in rounding, and with it the sign of its pseudonormal. */
static double find_sharp(const eli_mesh *mesh, const double x[3], hit *best, double gradient[3]) {
  find_nearest(mesh, x, best);
  const double distance = distance_from(mesh, best, gradient), most = mesh->extent * (1.0 + 1e-9);
  if (mesh->side == ELASTICA_SIDE_BOTH || !(eli_dot(x, x) > most * most) || (distance < 0.0) == (mesh->side == ELASTICA_SIDE_INSIDE))
    return distance;
  for (int a = 0; a < 3; a++) gradient[a] = -gradient[a];
  return -distance;
}

/* Returns 1 if a point is finite and not far away from the mesh. */
static int is_near(const eli_mesh *mesh, const double x[3]) {
  const double most = FAR * (mesh->extent + mesh->fillet);
  return fabs(x[0]) <= most && fabs(x[1]) <= most && fabs(x[2]) <= most;
}

/* Returns the distance of a point that is far away: that from the origin. A point that is not finite is nan away from the mesh. */
static double far_distance(const eli_mesh *mesh, const double x[3], double gradient[3]) {
  const double sign = mesh->side == ELASTICA_SIDE_INSIDE ? -1.0 : 1.0;
  double largest = 0.0, square = 0.0;
  for (int a = 0; a < 3; a++) largest = fabs(x[a]) > largest ? fabs(x[a]) : largest;
  for (int a = 0; a < 3; a++) square += (x[a] / largest) * (x[a] / largest);
  const double size = sqrt(square);
  for (int a = 0; a < 3; a++) gradient[a] = sign * (x[a] / largest) / size;
  return sign * largest * size;
}

double eli_mesh_sharp_distance(const eli_mesh *mesh, const double point[3], double gradient[3]) {
  hit best = {.square = INFINITY};
  if (!is_near(mesh, point)) return far_distance(mesh, point, gradient);
  return find_sharp(mesh, point, &best, gradient);
}

/* ---- The closed solid ---- */

/* The points u, relative to x, with normal . u >= least are far enough from a triangle. */
typedef struct plane {
  const eli_mesh_triangle *triangle;
  double normal[3], least;
} plane;

/* Sets the half space from the tangent plane of the distance at the point u. */
static void set_plane(const eli_mesh *mesh, const double x[3], const double u[3], plane *of) {
  double y[3], foot[3];
  hit at = {.triangle = of->triangle};
  for (int a = 0; a < 3; a++) y[a] = x[a] + u[a];
  at.feature = nearest_on(of->triangle, y, foot);
  for (int a = 0; a < 3; a++) at.offset[a] = y[a] - foot[a];
  at.square = eli_dot(at.offset, at.offset);
  const double distance = distance_from(mesh, &at, of->normal);
  of->least = mesh->fillet - distance + eli_dot(of->normal, u);
}

/* Finds the multipliers of so many planes that are met exactly. Returns 0 if the planes are not independent. */
static int solve(const plane *const *set, int count, double share[3]) {
  double g[3][4];
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) g[i][j] = eli_dot(set[i]->normal, set[j]->normal);
    g[i][3] = set[i]->least;
  }
  for (int i = 0; i < count; i++) { /* Cholesky's order: the matrix is symmetric and positive */
    if (!(g[i][i] > 1e-12)) return 0;
    for (int j = i + 1; j < count; j++) {
      const double factor = g[j][i] / g[i][i];
      for (int k = i; k < count; k++) g[j][k] -= factor * g[i][k];
      g[j][3] -= factor * g[i][3];
    }
  }
  for (int i = count - 1; i >= 0; i--) {
    share[i] = g[i][3];
    for (int j = i + 1; j < count; j++) share[i] -= g[i][j] * share[j];
    share[i] /= g[i][i];
    if (!(share[i] >= 0.0)) return 0;
  }
  return 1;
}

/* Returns 1 if the point on these planes is in all half spaces: then it is the nearest one. */
static int is_nearest(const plane *planes, int count, const plane *const *set, int chosen, double slack, double u[3]) {
  double share[3];
  if (!solve(set, chosen, share)) return 0;
  for (int a = 0; a < 3; a++) {
    u[a] = 0.0;
    for (int i = 0; i < chosen; i++) u[a] += share[i] * set[i]->normal[a];
  }
  for (int k = 0; k < count; k++)
    if (eli_dot(planes[k].normal, u) < planes[k].least - slack) return 0;
  return 1;
}

/* Finds the point of all half spaces that is nearest to 0; up to three planes meet there. Returns their number, 0 if there is none. */
static int project(const plane *planes, int count, double slack, double u[3], int met[3]) {
  const plane *set[3];
  for (met[0] = 0; met[0] < count; met[0]++) {
    set[0] = &planes[met[0]];
    if (is_nearest(planes, count, set, 1, slack, u)) return 1;
  }
  for (met[0] = 0; met[0] < count; met[0]++)
    for (met[1] = met[0] + 1; met[1] < count; met[1]++) {
      set[0] = &planes[met[0]], set[1] = &planes[met[1]];
      if (is_nearest(planes, count, set, 2, slack, u)) return 2;
    }
  for (met[0] = 0; met[0] < count; met[0]++)
    for (met[1] = met[0] + 1; met[1] < count; met[1]++)
      for (met[2] = met[1] + 1; met[2] < count; met[2]++) {
        set[0] = &planes[met[0]], set[1] = &planes[met[1]], set[2] = &planes[met[2]];
        if (is_nearest(planes, count, set, 3, slack, u)) return 3;
      }
  return 0;
}

/* Moves u to the nearest point that is far enough from the triangles of all planes. Returns the number of planes met there, which are then
 * the first ones; 0 if there is no such point. */
static int move_outside(const eli_mesh *mesh, const double x[3], plane *planes, int count, double slack, double u[3]) {
  int met[3], number = 0;
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    double next[3], moved[3];
    for (int k = 0; k < count && turn > 0; k++) set_plane(mesh, x, u, &planes[k]);
    number = project(planes, count, slack, next, met);
    if (number == 0) return 0;
    for (int a = 0; a < 3; a++) moved[a] = next[a] - u[a];
    memcpy(u, next, sizeof next);
    if (turn > 0 && eli_dot(moved, moved) <= slack * slack) break;
  }
  for (int k = 0; k < number; k++) { /* met[] ascends */
    const plane kept = planes[k];
    planes[k] = planes[met[k]];
    planes[met[k]] = kept;
  }
  return number;
}

/* Finds the triangle that is nearest to the point u and nearer than the fillet. */
static const eli_mesh_triangle *find_blocking(const eli_mesh *mesh, const double x[3], const double u[3], double slack) {
  const double reach = mesh->fillet + mesh->half_thickness - slack;
  double y[3];
  hit best = {.square = reach * reach};
  for (int a = 0; a < 3; a++) y[a] = x[a] + u[a];
  find_nearest(mesh, y, &best);
  return best.triangle;
}

double eli_mesh_distance(const eli_mesh *mesh, const double point[3], double gradient[3]) {
  const double slack = ACCURACY * mesh->fillet + ROUNDING * mesh->extent;
  hit best = {.square = INFINITY};
  plane planes[MOST_PLANES];
  double u[3];
  if (!is_near(mesh, point)) return far_distance(mesh, point, gradient);
  const double distance = find_sharp(mesh, point, &best, gradient), way = mesh->fillet - distance;
  if (!(way > slack)) return distance;
  planes[0] = (plane){best.triangle, {gradient[0], gradient[1], gradient[2]}, way};
  for (int a = 0; a < 3; a++) u[a] = way * gradient[a];
  for (int count = 1, added = 0; added < MOST_ADDED; added++) {
    const eli_mesh_triangle *blocking = find_blocking(mesh, point, u, slack);
    if (blocking == NULL && added == 0) return distance;
    if (blocking == NULL) break;
    planes[count].triangle = blocking;
    set_plane(mesh, point, u, &planes[count++]);
    const int met = move_outside(mesh, point, planes, count, 0.1 * slack, u);
    if (met == 0) return distance < -mesh->fillet ? distance : -mesh->fillet; /* no ball reaches this point */
    if (count == MOST_PLANES) count = met;
  }
  const double size = sqrt(eli_dot(u, u)), closed = mesh->fillet - size;
  for (int a = 0; a < 3; a++) gradient[a] = u[a] / size;
  return closed < distance ? closed : distance;
}
