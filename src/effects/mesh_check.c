/* Checks of the triangles of a mesh, by its list of edges (see mesh.h). */
#include "base/target.h"

#include "effects/mesh.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "state/definition.h"
#include "state/module.h"

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

elastica_status eli_mesh_check(elastica_world *world, const elastica_obstacle_def *def, const eli_allocator *allocator, int *twin) {
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
