/* Meshes: checks of the triangles, normals and tree of a mesh, and distances from it (see mesh.h).
 *
 * test       tests/test_mesh.c, tests/test_mesh_file.c
 */
#include "base/target.h"

#include "base/elementary.h"
#include "base/record.h"
#include "base/vector.h"
#include "effects/mesh.h"
#include "state/definition.h"
#include "state/module.h"

#include <math.h>
#include <string.h>

/* Twice the area of a triangle must be larger than this share of the square of its longest edge. */
#define FLATTEST 1e-10

/* [m] Distances use fourth powers of lengths. */
#define LARGEST_LENGTH 1e30
#define SMALLEST_LENGTH 1e-30

enum { MOST_IN_LEAF = 4, MOST_RANGES = 64, MOST_TRIANGLES = 1 << 28 };

/* ---- The edges of the triangles ---- */

/* An edge from the smaller index of a point to the larger one. Edge e of the arrays begins at corner e. */
typedef struct edge {
  int low, high, place, forwards; /* place: e; forwards 1: the triangle runs it from low to high */
} edge;

/* Sorts edges by their smaller or larger point, equal ones in their order. begins has a place for each point and one more. */
static void sort_by(int by_high, const edge *from, edge *to, int count, int *begins, int points) {
  memset(begins, 0, ((size_t)points + 1) * sizeof *begins);
  for (int e = 0; e < count; e++) begins[(by_high ? from[e].high : from[e].low) + 1]++;
  for (int i = 0; i < points; i++) begins[i + 1] += begins[i];
  for (int e = 0; e < count; e++) to[begins[by_high ? from[e].high : from[e].low]++] = from[e];
}

static elastica_status check_edge(elastica_world *world, const edge *of, int count, int closed) {
  if (count > 2)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.triangles: edge (%d, %d) belongs to %d triangles, among them %d, %d and %d: at most two may "
                                 "meet there",
                                 of->low, of->high, count, of[0].place / 3, of[1].place / 3, of[2].place / 3);
  if (closed && count == 1)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.triangles: edge (%d, %d) belongs to one triangle only, %d: a mesh with a boundary has the "
                                 "side BOTH (points that coincide must be one point)",
                                 of->low, of->high, of->place / 3);
  if (closed && of[0].forwards == of[1].forwards)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.triangles: triangles %d and %d run edge (%d, %d) in the same direction: one of them is "
                                 "turned over",
                                 of[0].place / 3, of[1].place / 3, of->low, of->high);
  return ELASTICA_OK;
}

/* Six times the volume on the inner side, about the first point. */
static double six_volumes(const elastica_obstacle_def *def) {
  double sum = 0.0;
  for (int t = 0; t < def->triangle_count; t++) {
    double arm[3][3], normal[3];
    for (int k = 0; k < 3; k++)
      for (int a = 0; a < 3; a++) arm[k][a] = def->points[3 * def->triangles[3 * t + k] + a] - def->points[a];
    eli_cross(arm[1], arm[2], normal);
    sum += eli_dot(arm[0], normal);
  }
  return sum;
}

/* Checks the sorted edges, and pairs those of two triangles. */
static elastica_status pair_edges(elastica_world *world, const edge *edges, size_t count, int closed, int *twin) {
  elastica_status status = ELASTICA_OK;
  for (size_t first = 0, end; first < count && status == ELASTICA_OK; first = end) {
    for (end = first + 1; end < count && edges[end].low == edges[first].low && edges[end].high == edges[first].high;) end++;
    status = check_edge(world, &edges[first], (int)(end - first), closed);
    if (status != ELASTICA_OK) return status;
    twin[edges[first].place] = end - first == 2 ? edges[end - 1].place : -1;
    if (end - first == 2) twin[edges[end - 1].place] = edges[first].place;
  }
  return status;
}

static void list_edges(const elastica_obstacle_def *def, edge *edges) {
  for (int e = 0; e < 3 * def->triangle_count; e++) {
    const int from = def->triangles[e], to = def->triangles[e % 3 == 2 ? e - 2 : e + 1];
    edges[e] = from < to ? (edge){from, to, e, 1} : (edge){to, from, e, 0};
  }
}

/* Refuses valid triangles that do not bound a solid, or a sheet for BOTH; else writes the twin of each edge, the same edge of its other
 * triangle, or -1. Edge e goes from the corner triangles[e] to the next one of the same triangle. */
static elastica_status check_edges(elastica_world *world, const elastica_obstacle_def *def, const eli_allocator *allocator, int *twin) {
  const int closed = def->side != ELASTICA_SIDE_BOTH, count = 3 * def->triangle_count, points = def->point_count;
  edge *edges = eli_allocate(allocator, 2 * (size_t)count, sizeof *edges);
  int *begins = eli_allocate(allocator, (size_t)points + 1, sizeof *begins);
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  if (edges != NULL && begins != NULL) {
    list_edges(def, edges);
    sort_by(1, edges, edges + count, count, begins, points);
    sort_by(0, edges + count, edges, count, begins, points);
    status = pair_edges(world, edges, (size_t)count, closed, twin);
  }
  eli_release(allocator, edges);
  eli_release(allocator, begins);
  if (status == ELASTICA_OUT_OF_MEMORY)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for a mesh of %d triangles", def->triangle_count);
  if (status != ELASTICA_OK || !closed) return status;
  const double volume = six_volumes(def) / 6.0;
  if (volume > 0.0) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                               "obstacle_def.triangles face inwards: they enclose a volume of %g m^3: exchange two points of each", volume);
}

/* ---- The triangles of a definition ---- */

static elastica_status check_counts(elastica_world *world, const elastica_obstacle_def *def) {
  if (def->points == NULL || def->triangles == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.%s is not set, and shape is MESH",
                                 def->points == NULL ? "points" : "triangles");
  if (def->point_count < 3)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.point_count is %d: a mesh has at least 3 points",
                                 def->point_count);
  if (def->triangle_count < 1 || def->triangle_count > MOST_TRIANGLES)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.triangle_count is %d: a mesh has 1 to %d triangles",
                                 def->triangle_count, MOST_TRIANGLES);
  for (int k = 0; k < 3 * def->point_count; k++) {
    const double size = fabs(def->points[k]);
    if (size <= LARGEST_LENGTH) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 size < INFINITY ? "obstacle_def.points[%d] is %g m, more than %g m from 0"
                                                 : "obstacle_def.points[%d] is %g, not finite",
                                 k, def->points[k], LARGEST_LENGTH);
  }
  if (def->fillet > LARGEST_LENGTH || def->thickness > LARGEST_LENGTH)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.%s is %g m, more than %g m",
                                 def->fillet > LARGEST_LENGTH ? "fillet" : "thickness",
                                 def->fillet > LARGEST_LENGTH ? def->fillet : def->thickness, LARGEST_LENGTH);
  return ELASTICA_OK;
}

static elastica_status check_triangle(elastica_world *world, const elastica_obstacle_def *def, int t) {
  const int *corner = def->triangles + 3 * t;
  double side[3][3], normal[3], longest2 = 0.0;
  for (int k = 0; k < 3; k++)
    if (corner[k] < 0 || corner[k] >= def->point_count)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.triangles: triangle %d has the point %d, outside 0..%d",
                                   t, corner[k], def->point_count - 1);
  for (int k = 0; k < 3; k++) {
    for (int a = 0; a < 3; a++) side[k][a] = def->points[3 * corner[(k + 1) % 3] + a] - def->points[3 * corner[k] + a];
    const double length2 = eli_dot(side[k], side[k]);
    if (length2 > longest2) longest2 = length2;
  }
  if (longest2 > 0.0 && longest2 < SMALLEST_LENGTH * SMALLEST_LENGTH)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.triangles: triangle %d has edges of %g m and shorter, less than %g m", t, sqrt(longest2),
                                 SMALLEST_LENGTH);
  eli_cross(side[0], side[1], normal);
  if (sqrt(eli_dot(normal, normal)) > FLATTEST * longest2) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                               "obstacle_def.triangles: triangle %d is degenerate: its points %d, %d and %d lie on a line", t, corner[0],
                               corner[1], corner[2]);
}

static elastica_status check(elastica_world *world, const elastica_obstacle_def *def) {
  elastica_status status = check_counts(world, def);
  for (int t = 0; status == ELASTICA_OK && t < def->triangle_count; t++) status = check_triangle(world, def, t);
  return status;
}

/* ---- Pseudonormals ---- */

/* Sets corners and the normal of the face, and adds it to the points, weighted by the angle there. */
static void set_face(eli_mesh *mesh, int t) {
  eli_mesh_triangle *of = &mesh->triangles[t];
  double side[3][3];
  of->number = t;
  for (int k = 0; k < 3; k++) memcpy(of->corner[k], mesh->points + 3 * mesh->corners[3 * t + k], sizeof of->corner[k]);
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 3; a++) side[k][a] = of->corner[(k + 1) % 3][a] - of->corner[k][a];
  eli_cross(side[0], side[1], of->normal[0]);
  const double area = sqrt(eli_dot(of->normal[0], of->normal[0])), sign = mesh->side == ELASTICA_SIDE_INSIDE ? -1.0 : 1.0;
  for (int a = 0; a < 3; a++) of->normal[0][a] *= sign / area;
  for (int k = 0; k < 3; k++) {
    const double angle = eli_atan2(area, -eli_dot(side[k], side[(k + 2) % 3]));
    for (int a = 0; a < 3; a++) mesh->normals[3 * mesh->corners[3 * t + k] + a] += angle * of->normal[0][a];
  }
}

/* The normal of an edge is the sum of those of its faces, of a point that of its faces times their angles. */
static void set_normals(eli_mesh *mesh, const int *twin) {
  for (int t = 0; t < mesh->triangle_count; t++) set_face(mesh, t);
  for (int e = 0; e < 3 * mesh->triangle_count; e++) {
    eli_mesh_triangle *of = &mesh->triangles[e / 3];
    const double *beside = mesh->triangles[twin[e] >= 0 ? twin[e] / 3 : e / 3].normal[0];
    for (int a = 0; a < 3; a++) of->normal[1 + e % 3][a] = of->normal[0][a] + beside[a];
    memcpy(of->normal[4 + e % 3], mesh->normals + 3 * mesh->corners[e], 3 * sizeof *mesh->normals);
  }
}

/* ---- Tree ---- */

/* Triangles are ordered by three times the centre along an axis, then by number: any method of selection finds the same halves. */
static int is_before(const eli_mesh_triangle *one, const eli_mesh_triangle *other, int axis) {
  const double a = one->corner[0][axis] + one->corner[1][axis] + one->corner[2][axis],
               b = other->corner[0][axis] + other->corner[1][axis] + other->corner[2][axis];
  return a != b ? a < b : one->number < other->number;
}

/* Orders the triangles so that the first `half` of them are before all others (Hoare's selection). */
static void select_half(eli_mesh_triangle *of, int count, int half, int axis) {
  int low = 0, high = count - 1;
  while (low < high) {
    const eli_mesh_triangle pivot = of[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (is_before(&of[i], &pivot, axis)) i++;
      while (is_before(&pivot, &of[j], axis)) j--;
      if (i > j) break;
      const eli_mesh_triangle kept = of[i];
      of[i++] = of[j];
      of[j--] = kept;
    }
    if (half <= j)
      high = j;
    else if (half >= i)
      low = i;
    else
      return;
  }
}

/* Sets the box around triangles. Returns the axis along which it is longest. */
static int set_box(const eli_mesh_triangle *of, int count, eli_mesh_node *box) {
  int longest = 0;
  for (int a = 0; a < 3; a++) {
    box->low[a] = box->high[a] = of[0].corner[0][a];
    for (int k = 0; k < 3 * count; k++) {
      const double x = of[k / 3].corner[k % 3][a];
      if (x < box->low[a]) box->low[a] = x;
      if (x > box->high[a]) box->high[a] = x;
    }
    if (box->high[a] - box->low[a] > box->high[longest] - box->low[longest]) longest = a;
  }
  return longest;
}

/* Sets the disc around triangles: its axis is their mean normal. A rounded distance must not exclude the nearest triangle. */
static void set_disc(const eli_mesh_triangle *of, int count, eli_mesh_node *node) {
  double low = INFINITY, high = -INFINITY, radius2 = 0.0, size;
  memset(node->axis, 0, sizeof node->axis);
  for (int k = 0; k < count; k++) {
    double side[2][3], normal[3];
    for (int a = 0; a < 3; a++) side[0][a] = of[k].corner[1][a] - of[k].corner[0][a], side[1][a] = of[k].corner[2][a] - of[k].corner[0][a];
    eli_cross(side[0], side[1], normal);
    for (int a = 0; a < 3; a++) node->axis[a] += normal[a];
  }
  size = sqrt(eli_dot(node->axis, node->axis));
  for (int a = 0; a < 3; a++) {
    node->axis[a] = size > 0.0 ? node->axis[a] / size : a == 2 ? 1.0 : 0.0;
    node->centre[a] = 0.5 * (node->low[a] + node->high[a]);
  }
  for (int k = 0; k < 3 * count; k++) {
    double arm[3];
    for (int a = 0; a < 3; a++) arm[a] = of[k / 3].corner[k % 3][a] - node->centre[a];
    const double height = eli_dot(arm, node->axis), across2 = eli_dot(arm, arm) - height * height;
    if (height < low) low = height;
    if (height > high) high = height;
    if (across2 > radius2) radius2 = across2;
  }
  for (int a = 0; a < 3; a++) node->centre[a] += 0.5 * (low + high) * node->axis[a];
  node->half = 0.5 * (high - low) * (1.0 + 1e-9) + 1e-12 * sqrt(radius2);
  node->radius = sqrt(radius2) * (1.0 + 1e-9);
}

/* Orders the triangles by a bounding-volume tree: halves ranges until they fit in leaves. A range that waits is the second child of the
 * node `parent`. Returns 0 if memory runs out. */
static int grow_tree(eli_mesh *mesh) {
  struct {
    int first, count, parent;
  } waiting[MOST_RANGES] = {{0, mesh->triangle_count, -1}};
  int ranges = 1, leaves = 1;
  while (leaves * MOST_IN_LEAF < mesh->triangle_count) leaves *= 2;
  mesh->nodes = eli_allocate(mesh->allocator, 2 * (size_t)leaves, sizeof *mesh->nodes);
  if (mesh->nodes == NULL) return 0;
  while (ranges > 0) {
    int first = waiting[--ranges].first, count = waiting[ranges].count;
    if (waiting[ranges].parent >= 0) mesh->nodes[waiting[ranges].parent].first = mesh->node_count;
    for (;;) {
      eli_mesh_node *node = &mesh->nodes[mesh->node_count++];
      const int axis = set_box(mesh->triangles + first, count, node), half = count / 2;
      set_disc(mesh->triangles + first, count, node);
      node->first = first, node->count = count;
      if (count <= MOST_IN_LEAF) break;
      select_half(mesh->triangles + first, count, half, axis);
      node->count = 0;
      waiting[ranges].first = first + half, waiting[ranges].count = count - half;
      waiting[ranges++].parent = mesh->node_count - 1;
      count = half;
    }
  }
  return 1;
}

/* ---- Mesh ---- */

static uint64_t sum_of(const elastica_obstacle_def *def) {
  uint64_t sum = eli_sum_of_doubles((uint64_t)def->point_count, def->points, 3 * (size_t)def->point_count);
  for (int e = 0; e < 3 * def->triangle_count; e++) sum = eli_mix(sum, (uint64_t)def->triangles[e]);
  return eli_sum_of_doubles(eli_mix(sum, (uint64_t)def->side), (const double[2]){def->thickness, def->fillet}, 2);
}

static int allocate(eli_mesh *mesh) {
  const size_t points = 3 * (size_t)mesh->point_count, triangles = (size_t)mesh->triangle_count;
  mesh->points = eli_allocate(mesh->allocator, points, sizeof *mesh->points);
  mesh->normals = eli_allocate(mesh->allocator, points, sizeof *mesh->normals);
  mesh->corners = eli_allocate(mesh->allocator, 3 * triangles, sizeof *mesh->corners);
  mesh->triangles = eli_allocate(mesh->allocator, triangles, sizeof *mesh->triangles);
  return mesh->points != NULL && mesh->normals != NULL && mesh->corners != NULL && mesh->triangles != NULL;
}

/* Copies the arrays; the ball contains the points of triangles. */
static void copy(eli_mesh *mesh, const elastica_obstacle_def *def) {
  memcpy(mesh->points, def->points, 3 * (size_t)def->point_count * sizeof *mesh->points);
  memcpy(mesh->corners, def->triangles, 3 * (size_t)def->triangle_count * sizeof *mesh->corners);
  for (int e = 0; e < 3 * def->triangle_count; e++) {
    const double *point = mesh->points + 3 * mesh->corners[e], distance = sqrt(eli_dot(point, point));
    if (distance > mesh->extent) mesh->extent = distance;
  }
}

static elastica_status refuse_memory(elastica_world *world, const elastica_obstacle_def *def) {
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for a mesh of %d triangles", def->triangle_count);
}

/* Makes a mesh of checked triangles; NULL if memory runs out. */
static eli_mesh *make(const eli_allocator *allocator, const elastica_obstacle_def *def, const int *twin) {
  eli_mesh *mesh = eli_allocate(allocator, 1, sizeof *mesh);
  if (mesh == NULL) return NULL;
  mesh->allocator = allocator;
  mesh->point_count = def->point_count, mesh->triangle_count = def->triangle_count;
  mesh->side = def->side, mesh->half_thickness = 0.5 * def->thickness, mesh->fillet = def->fillet;
  mesh->mark = (int)(sum_of(def) >> 33) | 1;
  if (allocate(mesh)) {
    copy(mesh, def);
    mesh->extent += mesh->half_thickness;
    set_normals(mesh, twin);
    if (grow_tree(mesh)) return mesh;
  }
  eli_mesh_destroy(mesh);
  return NULL;
}

elastica_status eli_mesh_create(elastica_world *world, const elastica_obstacle_def *def, eli_mesh **out) {
  const eli_allocator *allocator = eli_world_allocator(world);
  elastica_status status = check(world, def);
  if (status != ELASTICA_OK) return status;
  int *twin = eli_allocate(allocator, 3 * (size_t)def->triangle_count, sizeof *twin);
  if (twin == NULL) return refuse_memory(world, def);
  status = check_edges(world, def, allocator, twin);
  if (status == ELASTICA_OK && (*out = make(allocator, def, twin)) == NULL) status = refuse_memory(world, def);
  eli_release(allocator, twin);
  return status;
}

int eli_mesh_is_made_of(const eli_mesh *mesh, const elastica_obstacle_def *def) {
  if (mesh->side != def->side || mesh->fillet != def->fillet || 2.0 * mesh->half_thickness != def->thickness) return 0;
  if (def->points == NULL && def->triangles == NULL) return 1;
  if (def->points == NULL || def->triangles == NULL) return 0;
  if (def->point_count != mesh->point_count || def->triangle_count != mesh->triangle_count) return 0;
  return memcmp(def->points, mesh->points, 3 * (size_t)mesh->point_count * sizeof *mesh->points) == 0 &&
         memcmp(def->triangles, mesh->corners, 3 * (size_t)mesh->triangle_count * sizeof *mesh->corners) == 0;
}

void eli_mesh_destroy(eli_mesh *mesh) {
  if (mesh == NULL) return;
  eli_release(mesh->allocator, mesh->points);
  eli_release(mesh->allocator, mesh->corners);
  eli_release(mesh->allocator, mesh->normals);
  eli_release(mesh->allocator, mesh->triangles);
  eli_release(mesh->allocator, mesh->nodes);
  eli_release(mesh->allocator, mesh);
}

/* Accuracy of the distance from y, in fillets, and its error by rounding of the coordinates, in sizes of the mesh. */
#define ACCURACY 1e-12
#define COORDINATE_ERROR 1e-14

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
  if (size > COORDINATE_ERROR * mesh->extent) {
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

double eli_mesh_sharp_distance(const eli_mesh *mesh, const double point[3]) {
  hit best = {.square = INFINITY};
  double gradient[3];
  return is_near(mesh, point) ? find_sharp(mesh, point, &best, gradient) : far_distance(mesh, point, gradient);
}

double eli_mesh_distance(const eli_mesh *mesh, const double point[3], double gradient[3]) {
  const double slack = ACCURACY * mesh->fillet + COORDINATE_ERROR * mesh->extent;
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
