/* Triangles of obstacles (see facets.h). */
#include "base/target.h"

#include "output/facets.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "output/objects.h"
#include "state/definition.h"
#include "state/module.h"
#include "state/world.h"

enum { CELLS = 32, NODES = CELLS + 1, MOST_TETRAHEDRA = 6, PER_TETRAHEDRON = 2 };

int eli_facets_are_drawn(const eli_obstacle *obstacle) {
  return obstacle->shape == ELASTICA_SHAPE_MESH || obstacle->shape == ELASTICA_SHAPE_SURFACE;
}

/* ---- The part of a surface that is drawn ---- */

static const double origin[3] = {0.0, 0.0, 0.0}, axes[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

typedef struct cube {
  double corner[3], edge;
} cube;

typedef struct box {
  double low[3], high[3];
  int count; /* of points in it */
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
    distance = eli_obstacle_distance(obstacle, origin, axes, point, gradient);
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
  box of = {.count = 0};
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
  }
  return of;
}

/* The edge is a power of two, at least four times that of the box; the corner is a multiple of a quarter of it. */
static cube cube_around(const box *points) {
  const double *low = points->low, *high = points->high;
  cube of = {.edge = 1.0};
  double reach = 1e-6;
  for (int a = 0; a < 3; a++)
    if (high[a] - low[a] > reach) reach = high[a] - low[a];
  while (of.edge < 4.0 * reach) of.edge *= 2.0;
  while (of.edge >= 8.0 * reach) of.edge *= 0.5;
  const double part = 0.25 * of.edge;
  for (int a = 0; a < 3; a++) of.corner[a] = part * floor(0.5 * (low[a] + high[a]) / part + 0.5) - 2.0 * part;
  return of;
}

/* ---- Samples ---- */

typedef struct grid {
  cube of;
  double *distance; /* [NODES^3] */
  int *edges;       /* [7 NODES^3] the point on each edge that begins at a node, plus one; 0: none */
} grid;

static int node_at(int i, int j, int k) {
  return (i * NODES + j) * NODES + k;
}

static void sample(const eli_obstacle *obstacle, const grid *of) {
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      for (int k = 0; k < NODES; k++) {
        const double step = of->of.edge / CELLS;
        const double point[3] = {of->of.corner[0] + i * step, of->of.corner[1] + j * step, of->of.corner[2] + k * step};
        double gradient[3];
        of->distance[node_at(i, j, k)] = eli_obstacle_distance(obstacle, origin, axes, point, gradient);
      }
}

static void place_of(const grid *of, int node, double point[3]) {
  const int index[3] = {node / (NODES * NODES), node / NODES % NODES, node % NODES};
  for (int a = 0; a < 3; a++) point[a] = of->of.corner[a] + index[a] * of->of.edge / CELLS;
}

/* Returns the point at which the surface cuts the edge between two nodes; tetrahedra that share the edge share it. */
static int cut(const grid *of, int one, int other, eli_facets *out) {
  static const int steps[7] = {1, NODES, NODES + 1, NODES * NODES, NODES * NODES + 1, NODES * NODES + NODES, NODES * NODES + NODES + 1};
  const int low = one < other ? one : other, high = one < other ? other : one;
  int kind = 0;
  while (kind < 6 && steps[kind] != high - low) kind++;
  int *at = &of->edges[7 * low + kind];
  if (*at > 0) return *at - 1;
  double from[3], to[3];
  const double share = of->distance[low] / (of->distance[low] - of->distance[high]);
  place_of(of, low, from), place_of(of, high, to);
  for (int a = 0; a < 3; a++) out->points[3 * out->point_count + a] = from[a] + share * (to[a] - from[a]);
  *at = ++out->point_count;
  return *at - 1;
}

static void add_triangle(eli_facets *out, int a, int b, int c, const double up[3]) {
  const double *p = out->points + 3 * a, *q = out->points + 3 * b, *r = out->points + 3 * c;
  double first[3], second[3], normal[3];
  for (int k = 0; k < 3; k++) first[k] = q[k] - p[k], second[k] = r[k] - p[k];
  eli_cross(first, second, normal);
  int *corner = out->corners + 3 * out->triangle_count++;
  const int turned = eli_dot(normal, up) < 0.0;
  corner[0] = a, corner[1] = turned ? c : b, corner[2] = turned ? b : c;
}

/* Adds the part of the surface in a tetrahedron: a triangle or a quadrangle between its nodes inside and outside. */
static void add_tetrahedron(const grid *of, const int node[4], eli_facets *out) {
  int inside[4], outside[4], ins = 0, outs = 0;
  double up[3], mean[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < 4; k++) {
    const double distance = of->distance[node[k]];
    if (!(fabs(distance) < ELI_LARGEST)) return; /* the function fails there */
    if (distance < 0.0)
      inside[ins++] = node[k];
    else
      outside[outs++] = node[k];
  }
  if (ins == 0 || outs == 0) return;
  for (int k = 0; k < 4; k++) {
    double point[3];
    const int side = k < ins;
    place_of(of, side ? inside[k] : outside[k - ins], point);
    for (int a = 0; a < 3; a++) mean[side][a] += point[a] / (side ? ins : outs);
  }
  for (int a = 0; a < 3; a++) up[a] = mean[0][a] - mean[1][a];
  if (ins == 2) {
    const int a = cut(of, inside[0], outside[0], out), b = cut(of, inside[0], outside[1], out), c = cut(of, inside[1], outside[1], out),
              d = cut(of, inside[1], outside[0], out);
    add_triangle(out, a, b, c, up);
    add_triangle(out, a, c, d, up);
    return;
  }
  const int alone = ins == 1 ? inside[0] : outside[0], *others = ins == 1 ? outside : inside;
  add_triangle(out, cut(of, alone, others[0], out), cut(of, alone, others[1], out), cut(of, alone, others[2], out), up);
}

/* A cell is divided into the six tetrahedra about its diagonal. */
static void add_cells(const grid *of, eli_facets *out) {
  static const int orders[MOST_TETRAHEDRA][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const int steps[3] = {NODES * NODES, NODES, 1};
  for (int i = 0; i < CELLS; i++)
    for (int j = 0; j < CELLS; j++)
      for (int k = 0; k < CELLS; k++)
        for (int t = 0; t < MOST_TETRAHEDRA; t++) {
          int node[4] = {node_at(i, j, k), 0, 0, 0};
          for (int s = 0; s < 3; s++) node[s + 1] = node[s] + steps[orders[t][s]];
          add_tetrahedron(of, node, out);
        }
}

/* ---- Obstacles ---- */

static int allocate(eli_facets *out, size_t points, size_t triangles) {
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

void eli_facets_find_key(elastica_world *world, const eli_body *solid, eli_facets_key *out) {
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
    const cube of = cube_around(&points);
    memcpy(out->corner, of.corner, sizeof out->corner);
    out->edge = of.edge;
    for (int k = 0; k < ELI_FACET_PROBES; k++) {
      const int index[3] = {k / (SIDE * SIDE), k / SIDE % SIDE, k % SIDE};
      double point[3], gradient[3];
      for (int a = 0; a < 3; a++) point[a] = of.corner[a] + (index[a] + 0.4) * of.edge / SIDE; /* none is a node of the grid */
      out->probes[k] = eli_obstacle_distance(&obstacle, origin, axes, point, gradient);
    }
  }
  eli_world_leave_call(world);
}

static int make_surface(elastica_world *world, const eli_body *solid, const eli_facets_key *key, eli_facets *out) {
  const size_t nodes = (size_t)NODES * NODES * NODES, cells = (size_t)CELLS * CELLS * CELLS;
  grid of = {.of = {.edge = key->edge},
             .distance = eli_allocate(out->allocator, nodes, sizeof(double)),
             .edges = eli_allocate(out->allocator, 7 * nodes, sizeof(int))};
  const eli_obstacle obstacle = without_fault(solid);
  const int made = of.distance != NULL && of.edges != NULL && allocate(out, 7 * nodes, MOST_TETRAHEDRA * PER_TETRAHEDRON * cells);
  memcpy(of.of.corner, key->corner, sizeof of.of.corner);
  if (made && key->edge > 0.0) {
    eli_world_enter_call(world);
    sample(&obstacle, &of);
    add_cells(&of, out);
    eli_world_leave_call(world);
  }
  eli_release(out->allocator, of.distance);
  eli_release(out->allocator, of.edges);
  return made;
}

static int copy_mesh(const eli_mesh *mesh, eli_facets *out) {
  if (!allocate(out, (size_t)mesh->point_count, (size_t)mesh->triangle_count)) return 0;
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
  *out = (eli_facets){.allocator = eli_world_allocator(world), .side = ELASTICA_SIDE_BOTH};
  if (mesh != NULL ? copy_mesh(mesh, out) : make_surface(world, solid, key, out)) return ELASTICA_OK;
  eli_facets_free(out);
  return refuse_memory(world, solid);
}

void eli_facets_free(eli_facets *facets) {
  eli_release(facets->allocator, facets->points);
  eli_release(facets->allocator, facets->corners);
}

/* ---- Fewer triangles ---- */

/* A hash table of cells, with the number of the point of each: of the points before it there are fewer than half of the places. */
typedef struct cell_table {
  int64_t *cell; /* -1: a free place */
  int *point;
  size_t places; /* a power of two */
} cell_table;

/* Returns the point of a cell. A new cell gets the next point, *count, and *count grows by one. */
static int point_of_cell(cell_table *table, int64_t cell, int *count) {
  size_t at = (size_t)((uint64_t)cell * 0x9e3779b97f4a7c15u >> 20) & (table->places - 1);
  while (table->cell[at] != -1 && table->cell[at] != cell) at = (at + 1) & (table->places - 1);
  if (table->cell[at] == -1) table->cell[at] = cell, table->point[at] = (*count)++;
  return table->point[at];
}

/* Numbers the points by their cells. along: number of cells along the longest edge of the box. Returns the number of cells with points. */
static int number_cells(const eli_facets *facets, const box *of, int along, cell_table *table, int *joined) {
  double longest = 0.0;
  int count = 0;
  for (int a = 0; a < 3; a++)
    if (of->high[a] - of->low[a] > longest) longest = of->high[a] - of->low[a];
  for (size_t k = 0; k < table->places; k++) table->cell[k] = -1;
  for (int p = 0; p < facets->point_count; p++) {
    int64_t cell = 0;
    for (int a = 0; a < 3; a++)
      cell = cell * (along + 1) + (int64_t)(longest > 0.0 ? (facets->points[3 * p + a] - of->low[a]) / longest * along : 0.0);
    joined[p] = point_of_cell(table, cell, &count);
  }
  return count;
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
  cell_table table = {.places = 1};
  while (table.places < 2 * points) table.places *= 2;
  table.cell = eli_allocate(allocator, table.places, sizeof *table.cell);
  table.point = eli_allocate(allocator, table.places, sizeof *table.point);
  int *joined = eli_allocate(allocator, points, sizeof *joined), *of_each = eli_allocate(allocator, points, sizeof *of_each);
  double *sums = eli_allocate(allocator, 3 * points, sizeof *sums);
  const int has_room = table.cell != NULL && table.point != NULL && joined != NULL && of_each != NULL && sums != NULL;
  for (int p = 0; p < facets->point_count && has_room; p++) extend(&of, facets->points + 3 * p);
  for (int along = 1024; along > 0 && has_room; along = along * 7 / 8) {
    const int count = number_cells(facets, &of, along, &table, joined);
    if (count_triangles(facets, joined) > most) continue;
    join_points(facets, joined, count, sums, of_each);
    break;
  }
  eli_release(allocator, table.cell);
  eli_release(allocator, table.point);
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
  eli_facets_find_key(world, solid, &key);
  if (k < store->count && memcmp(&key, &store->kept[k].key, sizeof key) == 0) {
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
