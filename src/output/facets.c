/* Triangles of obstacles (see facets.h). */
#include "base/target.h"

#include "output/facets.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "output/numbering.h"
#include "output/objects.h"
#include "output/surface_grid.h"
#include "state/definition.h"
#include "state/module.h"
#include "state/world.h"

int eli_facets_are_drawn(const eli_obstacle *obstacle) {
  return obstacle->shape == ELASTICA_SHAPE_MESH || obstacle->shape == ELASTICA_SHAPE_SURFACE;
}

/* ---- The part of a surface that is drawn ---- */

typedef struct box {
  double low[3], high[3], thinnest; /* thinnest: the least rest radius of an element of the rods */
  int count;                        /* of points in it */
} box;

static void extend(box *of, const double point[3]) {
  for (int a = 0; a < 3; a++) {
    if (of->count == 0 || point[a] < of->low[a]) of->low[a] = point[a];
    if (of->count == 0 || point[a] > of->high[a]) of->high[a] = point[a];
  }
  of->count++;
}

/* Steps from a point to the surface along the gradient. Returns 0 where the function fails, and if the surface is not reached. */
static int find_on_surface(const eli_obstacle *obstacle, const double from[3], double point[3]) {
  enum { MOST_STEPS = 8 };
  double start = 0.0, distance = 0.0;
  memcpy(point, from, 3 * sizeof *point);
  for (int k = 0; k < MOST_STEPS; k++) {
    double gradient[3];
    distance = eli_surface_distance(obstacle, point, gradient);
    const double square = eli_dot(gradient, gradient);
    if (!(fabs(distance) < ELI_LARGEST && square > 0.0)) return 0;
    if (k == 0) start = fabs(distance);
    for (int a = 0; a < 3; a++) point[a] -= distance * gradient[a] / square;
    if (!(eli_is_moderate(point[0]) && eli_is_moderate(point[1]) && eli_is_moderate(point[2]))) return 0;
  }
  return fabs(distance) <= 0.1 * start;
}

/* Finds the box of all nodes, and of the points of the surface below them, in the frame of the obstacle. */
static box find_box(elastica_world *world, const eli_body *solid, const eli_obstacle *obstacle) {
  box of = {.count = 0, .thinnest = INFINITY};
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++) {
      double offset[3], own[3], below[3];
      for (int a = 0; a < 3; a++) offset[a] = view->position[a][i] - solid->place.position[a];
      if (!(eli_is_moderate(offset[0]) && eli_is_moderate(offset[1]) && eli_is_moderate(offset[2]))) continue;
      eli_turn(solid->place.director, offset, own);
      extend(&of, own);
      if (find_on_surface(obstacle, own, below)) extend(&of, below);
    }
    for (int j = 0; j < view->element_count && !view->rigid; j++) {
      const double radius = eli_radius(view->volume[j], view->rest_length[j]);
      if (radius < of.thinnest) of.thinnest = radius;
    }
  }
  return of;
}

/* Returns the largest error of the fine cells: a power of two, 1/32 to 1/16 of a radius. */
static double tolerance_for(double radius) {
  double tolerance = 1.0;
  if (!(radius > 0.0 && eli_is_moderate(radius))) return 0.0;
  while (16.0 * tolerance > radius) tolerance *= 0.5;
  while (32.0 * tolerance <= radius) tolerance *= 2.0;
  return tolerance;
}

/* The edge is a power of two, at least four times that of the box; the corner is a multiple of a quarter of it. */
static eli_surface_grid grid_around(const box *points) {
  const double *low = points->low, *high = points->high;
  eli_surface_grid of = {.edge = 1.0};
  double reach = 1e-6;
  for (int a = 0; a < 3; a++)
    if (high[a] - low[a] > reach) reach = high[a] - low[a];
  while (of.edge < 4.0 * reach) of.edge *= 2.0;
  while (of.edge >= 8.0 * reach) of.edge *= 0.5;
  const double part = 0.25 * of.edge;
  for (int a = 0; a < 3; a++) of.corner[a] = part * floor(0.5 * (low[a] + high[a]) / part + 0.5) - 2.0 * part;
  of.tolerance = tolerance_for(points->thinnest);
  return of;
}

/* ---- Obstacles ---- */

int eli_facets_allocate(eli_facets *out, size_t points, size_t triangles) {
  out->points = eli_allocate(out->allocator, 3 * points, sizeof *out->points);
  out->corners = eli_allocate(out->allocator, 3 * triangles, sizeof *out->corners);
  return out->points != NULL && out->corners != NULL;
}

/* The function of a surface is asked without a record of its errors: it may be undefined far from the rods. */
static eli_obstacle without_fault(const eli_body *solid) {
  eli_obstacle obstacle = solid->obstacle;
  obstacle.fault = NULL;
  return obstacle;
}

/* The box with finer cells begins and ends at even cells, at least one cell away from the points. */
static void place_fine_cells(const box *points, eli_facets_key *key) {
  eli_surface_grid *of = &key->grid;
  for (int a = 0; a < 3; a++) {
    const double cell = of->edge / ELI_SURFACE_CELLS;
    key->low[a] = (points->low[a] - of->corner[a]) / cell;
    key->high[a] = (points->high[a] - of->corner[a]) / cell;
    of->low[a] = 2.0 * floor(0.5 * (key->low[a] - 1.0));
    of->high[a] = -2.0 * floor(-0.5 * (key->high[a] + 1.0));
  }
}

int eli_facets_agree(const eli_facets_key *kept, const eli_facets_key *now) {
  const eli_surface_grid *one = &kept->grid, *other = &now->grid;
  int agree = kept->mark == now->mark && one->edge == other->edge && memcmp(one->corner, other->corner, sizeof one->corner) == 0 &&
              memcmp(kept->probes, now->probes, sizeof kept->probes) == 0;
  if (other->tolerance == 0.0) return agree;
  agree = agree && one->tolerance == other->tolerance;
  for (int a = 0; a < 3; a++) agree = agree && one->low[a] <= now->low[a] - 0.5 && now->high[a] + 0.5 <= one->high[a];
  return agree;
}

void eli_facets_find_key(elastica_world *world, const eli_body *solid, int fine, eli_facets_key *out) {
  enum { SIDE = 4 };
  memset(out, 0, sizeof *out);
  if (solid->obstacle.mesh != NULL) {
    out->mark = solid->obstacle.mesh->mark;
    return;
  }
  const eli_obstacle obstacle = without_fault(solid);
  eli_world_enter_call(world);
  const box points = find_box(world, solid, &obstacle);
  if (points.count > 0) {
    const eli_surface_grid of = grid_around(&points);
    out->grid = of;
    if (fine)
      place_fine_cells(&points, out);
    else
      out->grid.tolerance = 0.0;
    for (int k = 0; k < ELI_FACET_PROBES; k++) {
      const int index[3] = {k / (SIDE * SIDE), k / SIDE % SIDE, k % SIDE};
      double point[3], gradient[3];
      for (int a = 0; a < 3; a++) point[a] = of.corner[a] + (index[a] + 0.4) * of.edge / SIDE; /* none is a node of the grid */
      out->probes[k] = eli_surface_distance(&obstacle, point, gradient);
    }
  }
  eli_world_leave_call(world);
}

static int make_surface(elastica_world *world, const eli_body *solid, const eli_facets_key *key, eli_facets *out) {
  const eli_obstacle obstacle = without_fault(solid);
  if (!(key->grid.edge > 0.0)) return 1;
  eli_world_enter_call(world);
  const int made = eli_surface_facets(&obstacle, &key->grid, out);
  eli_world_leave_call(world);
  return made;
}

static int copy_mesh(const eli_mesh *mesh, eli_facets *out) {
  if (!eli_facets_allocate(out, (size_t)mesh->point_count, (size_t)mesh->triangle_count)) return 0;
  out->point_count = mesh->point_count, out->triangle_count = mesh->triangle_count, out->side = mesh->side;
  memcpy(out->points, mesh->points, 3 * (size_t)mesh->point_count * sizeof *out->points);
  memcpy(out->corners, mesh->corners, 3 * (size_t)mesh->triangle_count * sizeof *out->corners);
  return 1;
}

static elastica_status refuse_memory(elastica_world *world, const eli_body *solid) {
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for the triangles of a %s", eli_shape_name(solid->obstacle.shape));
}

elastica_status eli_facets_make(elastica_world *world, const eli_body *solid, const eli_facets_key *key, eli_facets *out) {
  const eli_mesh *mesh = solid->obstacle.mesh;
  *out = (eli_facets){.allocator = eli_world_allocator(world), .side = ELASTICA_SIDE_BOTH, .is_surface = mesh == NULL};
  if (mesh != NULL ? copy_mesh(mesh, out) : make_surface(world, solid, key, out)) return ELASTICA_OK;
  eli_facets_free(out);
  return refuse_memory(world, solid);
}

void eli_facets_free(eli_facets *facets) {
  eli_release(facets->allocator, facets->points);
  eli_release(facets->allocator, facets->corners);
}

/* ---- Fewer triangles ---- */

/* Numbers the points by their cells. along: number of cells along the longest edge of the box. Returns the number of cells with points. */
static int number_cells(const eli_facets *facets, const box *of, int along, eli_numbering *table, int *joined) {
  double longest = 0.0;
  for (int a = 0; a < 3; a++)
    if (of->high[a] - of->low[a] > longest) longest = of->high[a] - of->low[a];
  eli_numbering_clear(table);
  for (int p = 0; p < facets->point_count; p++) {
    int64_t cell = 0;
    for (int a = 0; a < 3; a++)
      cell = cell * (along + 1) + (int64_t)(longest > 0.0 ? (facets->points[3 * p + a] - of->low[a]) / longest * along : 0.0);
    joined[p] = eli_number_of(table, cell);
  }
  return table->count;
}

/* Returns 1 if three points are different. */
static int is_triangle(const int *joined, const int *corner) {
  const int a = joined[corner[0]], b = joined[corner[1]], c = joined[corner[2]];
  return a != b && b != c && c != a;
}

static int count_triangles(const eli_facets *facets, const int *joined) {
  int count = 0;
  for (int t = 0; t < facets->triangle_count; t++) count += is_triangle(joined, facets->corners + 3 * t);
  return count;
}

/* Replaces the points by the means of their cells, in place: a point comes no later than the first point of its cell. */
static void join_points(eli_facets *facets, const int *joined, int count, double *sums, int *of_each) {
  int kept = 0;
  for (int p = 0; p < facets->point_count; p++) {
    for (int a = 0; a < 3; a++) sums[3 * joined[p] + a] += facets->points[3 * p + a];
    of_each[joined[p]]++;
  }
  for (int p = 0; p < count; p++)
    for (int a = 0; a < 3; a++) facets->points[3 * p + a] = sums[3 * p + a] / of_each[p];
  for (int t = 0; t < facets->triangle_count; t++) {
    const int *from = facets->corners + 3 * t;
    if (!is_triangle(joined, from)) continue;
    for (int c = 0; c < 3; c++) facets->corners[3 * kept + c] = joined[from[c]];
    kept++;
  }
  facets->point_count = count;
  facets->triangle_count = kept;
}

elastica_status eli_facets_reduce(elastica_world *world, eli_facets *facets, int most) {
  const eli_allocator *allocator = facets->allocator;
  const size_t points = (size_t)facets->point_count;
  box of = {.count = 0};
  if (facets->triangle_count <= most) return ELASTICA_OK;
  eli_numbering table = {.count = 0};
  const int numbered = eli_numbering_make(&table, allocator, points + 1);
  int *joined = eli_allocate(allocator, points, sizeof *joined), *of_each = eli_allocate(allocator, points, sizeof *of_each);
  double *sums = eli_allocate(allocator, 3 * points, sizeof *sums);
  const int has_room = numbered && joined != NULL && of_each != NULL && sums != NULL;
  for (int p = 0; p < facets->point_count && has_room; p++) extend(&of, facets->points + 3 * p);
  for (int along = 1024; along > 0 && has_room; along = along * 7 / 8) {
    const int count = number_cells(facets, &of, along, &table, joined);
    if (count_triangles(facets, joined) > most) continue;
    join_points(facets, joined, count, sums, of_each);
    break;
  }
  eli_numbering_free(&table, allocator);
  eli_release(allocator, joined);
  eli_release(allocator, of_each);
  eli_release(allocator, sums);
  if (has_room) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory to draw %d triangles as %d", facets->triangle_count, most);
}

/* ---- Kept triangles ---- */

elastica_status eli_facets_find(eli_facets_store *store, const elastica_effect *effect, const eli_body *solid, const eli_facets **out) {
  elastica_world *world = effect->world;
  eli_facets_key key;
  int k = 0;
  while (k < store->count && store->kept[k].effect != effect->index) k++;
  eli_facets_find_key(world, solid, 1, &key);
  if (k < store->count && eli_facets_agree(&store->kept[k].key, &key)) {
    *out = &store->kept[k].facets;
    return ELASTICA_OK;
  }
  eli_facets made;
  const elastica_status status = eli_facets_make(world, solid, &key, &made);
  if (status != ELASTICA_OK) return status;
  if (k < store->count) {
    eli_facets_free(&store->kept[k].facets);
  } else {
    eli_kept_facets *kept = eli_grow(made.allocator, store->kept, (size_t)store->count, sizeof *kept);
    if (kept == NULL) {
      eli_facets_free(&made);
      return refuse_memory(world, solid);
    }
    store->kept = kept;
    store->count++;
  }
  store->kept[k] = (eli_kept_facets){key, made, effect->index};
  *out = &store->kept[k].facets;
  return ELASTICA_OK;
}

void eli_facets_store_free(eli_facets_store *store, const eli_allocator *allocator) {
  for (int k = 0; k < store->count; k++) eli_facets_free(&store->kept[k].facets);
  eli_release(allocator, store->kept);
  *store = (eli_facets_store){NULL, 0};
}
