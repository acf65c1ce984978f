/* Making a mesh: its checks point by point, pseudonormals, and the bounding-volume tree (see mesh.h). */
#include "base/target.h"

#include "effects/mesh.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/record.h"
#include "base/vector.h"
#include "state/definition.h"
#include "state/module.h"

/* Twice the area of a triangle must be larger than this share of the square of its longest edge. */
#define FLATTEST 1e-10

/* [m] Distances use fourth powers of lengths. */
#define LARGEST_LENGTH 1e30
#define SMALLEST_LENGTH 1e-30

enum { MOST_IN_LEAF = 4, MOST_RANGES = 64, MOST_TRIANGLES = 1 << 28 };

/* ---- Checks ---- */

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
  status = eli_mesh_check(world, def, allocator, twin);
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
