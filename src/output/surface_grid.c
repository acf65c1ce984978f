/* Triangles of a surface in a grid with finer cells (see surface_grid.h). */
#include "base/target.h"

#include "output/surface_grid.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/vector.h"
#include "output/numbering.h"
#include "state/definition.h"

/* Corners have coordinates in units of the finest cells. */
enum { CELLS = ELI_SURFACE_CELLS, NODES = CELLS + 1, LEVELS = 5, FINE = 1 << LEVELS, ACROSS = CELLS * FINE };
enum { MOST_CUT = 1500, MOST_DIVISIONS = 1 << 12, MOST_SAMPLES = 1 << 17, SAMPLES_OF_ALL = 64 /* of a cell and its children at most */ };
enum { TETRAHEDRA = 6, PER_TETRAHEDRON = 2, EDGES = 19 /* of a cell, with those of its tetrahedra */ };

static const double origin[3] = {0.0, 0.0, 0.0}, axes[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

double eli_surface_distance(const eli_obstacle *obstacle, const double point[3], double gradient[3]) {
  return eli_obstacle_distance(obstacle, origin, axes, point, gradient);
}

typedef struct corner {
  int at[3];
  double distance;
} corner;

/* A cell of the box has eight children, which follow each other, or none. */
typedef struct grid {
  const eli_obstacle *obstacle;
  const eli_surface_grid *of;
  double *coarse;        /* [NODES^3] distances at the corners of the coarse cells */
  eli_numbering sampled; /* other corners with a distance */
  double *fine;          /* their distances */
  int *child;            /* first child of a cell; 0: it has none. The coarse cells of the box come first */
  int low[3], size[3], roots, cells;
  int divisions, cut;  /* numbers of cells that are divided, and of small cells that the surface cuts */
  eli_numbering edges; /* edges that the surface cuts, with the number of the point there */
  int most_points;
  eli_facets *out;
} grid;

/* ---- Distances ---- */

static int64_t key_of(const int at[3]) {
  return ((int64_t)at[0] * (ACROSS + 1) + at[1]) * (ACROSS + 1) + at[2];
}

static void place_of(const grid *in, const int at[3], double point[3]) {
  for (int a = 0; a < 3; a++) point[a] = in->of->corner[a] + at[a] * in->of->edge / ACROSS;
}

static double distance_at(const grid *in, const int at[3]) {
  double point[3], gradient[3];
  place_of(in, at, point);
  return eli_surface_distance(in->obstacle, point, gradient);
}

/* Returns the distance at a corner, which is asked for once. */
static double sample(grid *in, const int at[3]) {
  if (at[0] % FINE == 0 && at[1] % FINE == 0 && at[2] % FINE == 0)
    return in->coarse[((at[0] / FINE) * NODES + at[1] / FINE) * NODES + at[2] / FINE];
  const int known = in->sampled.count, number = eli_number_of(&in->sampled, key_of(at));
  if (number == known) in->fine[number] = distance_at(in, at);
  return in->fine[number];
}

static void sample_coarse(const grid *in) {
  int at[3];
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      for (int k = 0; k < NODES; k++) {
        at[0] = i * FINE, at[1] = j * FINE, at[2] = k * FINE;
        in->coarse[(i * NODES + j) * NODES + k] = distance_at(in, at);
      }
}

/* ---- Fine cells ---- */

/* Returns the error of the linear distance at the middle of a cell, from second differences along axes and diagonals. */
static double error_in(grid *in, const int at[3], int size) {
  static const int ways[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  const int half = size / 2, middle[3] = {at[0] + half, at[1] + half, at[2] + half};
  const double distance = sample(in, middle);
  double most = 0.0;
  for (int k = 0; k < 7; k++) {
    int one[3], other[3];
    for (int a = 0; a < 3; a++) one[a] = middle[a] - half * ways[k][a], other[a] = middle[a] + half * ways[k][a];
    const double error = fabs(distance - 0.5 * (sample(in, one) + sample(in, other)));
    if (error > most && error < ELI_LARGEST) most = error;
  }
  return most;
}

static int is_full(const grid *in) {
  return in->cut > MOST_CUT || in->divisions == MOST_DIVISIONS || in->sampled.count > MOST_SAMPLES - SAMPLES_OF_ALL;
}

/* Returns 1 for a cell that the surface may cut, and in which its linear form is not exact. Coarse cells could hide a wave, so that there
 * the bound of the curvature counts instead of differences. */
static int wants_division(grid *in, const int at[3], int level, double tolerance) {
  const int size = FINE >> level, half = size / 2, middle[3] = {at[0] + half, at[1] + half, at[2] + half};
  const double width = size * in->of->edge / ACROSS, diagonal = sqrt(3.0) * width;
  if (level == LEVELS || is_full(in)) return 0;
  if (!(fabs(sample(in, middle)) <= 0.5 * in->obstacle->slope * diagonal)) return 0;
  return level == 0 ? 0.125 * in->obstacle->curvature * diagonal * diagonal > tolerance : error_in(in, at, size) > tolerance;
}

static void find_corners(const int at[3], int size, int corners[8][3]) {
  for (int k = 0; k < 8; k++)
    for (int a = 0; a < 3; a++) corners[k][a] = at[a] + ((k >> a) & 1) * size;
}

static int is_cut(grid *in, const int at[3], int size) {
  int corners[8][3], inside = 0;
  find_corners(at, size, corners);
  for (int k = 0; k < 8; k++) inside += sample(in, corners[k]) < 0.0;
  return inside > 0 && inside < 8;
}

static void divide(grid *in, int cell, const int at[3], int level, double tolerance) {
  const int size = FINE >> level;
  int corners[8][3];
  in->child[cell] = 0;
  if (is_full(in)) return;
  if (!wants_division(in, at, level, tolerance)) {
    if (level > 0) in->cut += is_cut(in, at, size);
    return;
  }
  const int first = in->cells;
  in->child[cell] = first;
  in->cells += 8, in->divisions++;
  find_corners(at, size / 2, corners);
  for (int k = 0; k < 8; k++) in->child[first + k] = 0;
  for (int k = 0; k < 8; k++) divide(in, first + k, corners[k], level + 1, tolerance);
}

/* Divides the coarse cells of the box. Returns 0 if there are too many small cells; then no cell is divided. */
static int divide_all(grid *in, double tolerance) {
  in->divisions = in->cut = 0;
  in->cells = in->roots;
  eli_numbering_clear(&in->sampled);
  for (int r = 0; r < in->roots; r++) {
    const int place[3] = {r / (in->size[1] * in->size[2]), r / in->size[2] % in->size[1], r % in->size[2]};
    const int at[3] = {FINE * (in->low[0] + place[0]), FINE * (in->low[1] + place[1]), FINE * (in->low[2] + place[2])};
    divide(in, r, at, 0, tolerance);
  }
  if (!is_full(in)) return 1;
  for (int r = 0; r < in->roots; r++) in->child[r] = 0;
  return 0;
}

static void refine(grid *in) {
  double tolerance = in->of->tolerance;
  while (tolerance > 0.0 && tolerance < in->of->edge && !divide_all(in, tolerance)) tolerance *= 1.25;
}

/* Returns the number of the coarse cell at a place in units of coarse cells in the list of cells; -1 outside the box. */
static int root_at(const grid *in, const int place[3]) {
  int root = 0;
  for (int a = 0; a < 3; a++) {
    const int own = place[a] - in->low[a];
    if (own < 0 || own >= in->size[a]) return -1;
    root = root * in->size[a] + own;
  }
  return root;
}

/* Returns the level of the undivided cell with the finest cell at a place. */
static int level_at(const grid *in, const int at[3]) {
  const int place[3] = {at[0] / FINE, at[1] / FINE, at[2] / FINE};
  int cell = root_at(in, place), level = 0;
  while (cell >= 0 && in->child[cell] != 0) {
    level++;
    cell = in->child[cell];
    for (int a = 0; a < 3; a++) cell += ((at[a] >> (LEVELS - level)) & 1) << a;
  }
  return level;
}

/* Finds the largest undivided cell that contains a corner; returns its size. */
static int largest_at(const grid *in, const int at[3], int first[3]) {
  int coarsest = LEVELS + 1;
  for (int k = 0; k < 8; k++) {
    const int beside[3] = {at[0] - (k & 1), at[1] - ((k >> 1) & 1), at[2] - ((k >> 2) & 1)};
    int there = 1;
    for (int a = 0; a < 3; a++) there = there && beside[a] >= 0 && beside[a] < ACROSS;
    if (!there) continue;
    const int level = level_at(in, beside);
    if (level >= coarsest) continue;
    coarsest = level;
    for (int a = 0; a < 3; a++) first[a] = beside[a] & ~((FINE >> level) - 1);
  }
  return FINE >> coarsest;
}

/* Returns the distance at a corner of an undivided cell: on the face or edge of a larger one it is linear between the corners of its
 * tetrahedron, which steps along the axes in the order of the shares of the place. */
static double value_of(grid *in, const int at[3]) {
  int first[3], order[3] = {0, 1, 2}, is_corner = 1;
  double share[3];
  const int size = largest_at(in, at, first);
  for (int a = 0; a < 3; a++) {
    share[a] = (double)(at[a] - first[a]) / size;
    is_corner = is_corner && (share[a] == 0.0 || share[a] == 1.0);
  }
  if (is_corner) return sample(in, at);
  for (int k = 1; k < 3; k++)
    for (int m = k; m > 0 && share[order[m]] > share[order[m - 1]]; m--) {
      const int moved = order[m];
      order[m] = order[m - 1], order[m - 1] = moved;
    }
  double before = value_of(in, first), value = before;
  for (int k = 0; k < 3 && share[order[k]] > 0.0; k++) {
    first[order[k]] += size;
    const double next = value_of(in, first);
    value += share[order[k]] * (next - before);
    before = next;
  }
  return value;
}

/* ---- Triangles ---- */

/* Returns the point at which the surface cuts the edge between two corners; tetrahedra that share the edge share it. */
static int cut(grid *in, const corner *one, const corner *other) {
  const int64_t first = key_of(one->at), second = key_of(other->at);
  const corner *low = first < second ? one : other, *high = first < second ? other : one;
  const int known = in->edges.count;
  const int point = eli_number_of(&in->edges, key_of(low->at) * ((int64_t)1 << 26) + (first < second ? second - first : first - second));
  if (point < known) return point;
  double from[3], to[3];
  const double share = low->distance / (low->distance - high->distance);
  place_of(in, low->at, from), place_of(in, high->at, to);
  for (int a = 0; a < 3; a++) in->out->points[3 * point + a] = from[a] + share * (to[a] - from[a]);
  in->out->point_count = in->edges.count;
  return point;
}

static void add_triangle(eli_facets *out, int a, int b, int c, const double up[3]) {
  const double *p = out->points + 3 * a, *q = out->points + 3 * b, *r = out->points + 3 * c;
  double first[3], second[3], normal[3];
  for (int k = 0; k < 3; k++) first[k] = q[k] - p[k], second[k] = r[k] - p[k];
  eli_cross(first, second, normal);
  int *to = out->corners + 3 * out->triangle_count++;
  const int turned = eli_dot(normal, up) < 0.0;
  to[0] = a, to[1] = turned ? c : b, to[2] = turned ? b : c;
}

/* Adds the part of the surface in a tetrahedron: a triangle or a quadrangle between its corners inside and outside. */
static void add_tetrahedron(grid *in, const corner *const of[4]) {
  const corner *inside[4], *outside[4];
  int ins = 0, outs = 0;
  double up[3], mean[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < 4; k++) {
    if (!(fabs(of[k]->distance) < ELI_LARGEST)) return; /* the function fails there */
    if (of[k]->distance < 0.0)
      inside[ins++] = of[k];
    else
      outside[outs++] = of[k];
  }
  if (ins == 0 || outs == 0) return;
  for (int k = 0; k < 4; k++) {
    double point[3];
    const int side = k < ins;
    place_of(in, (side ? inside[k] : outside[k - ins])->at, point);
    for (int a = 0; a < 3; a++) mean[side][a] += point[a] / (side ? ins : outs);
  }
  for (int a = 0; a < 3; a++) up[a] = mean[0][a] - mean[1][a];
  if (ins == 2) {
    const int a = cut(in, inside[0], outside[0]), b = cut(in, inside[0], outside[1]), c = cut(in, inside[1], outside[1]),
              d = cut(in, inside[1], outside[0]);
    add_triangle(in->out, a, b, c, up);
    add_triangle(in->out, a, c, d, up);
    return;
  }
  const corner *alone = ins == 1 ? inside[0] : outside[0], *const *others = ins == 1 ? outside : inside;
  const int a = cut(in, alone, others[0]), b = cut(in, alone, others[1]), c = cut(in, alone, others[2]);
  add_triangle(in->out, a, b, c, up);
}

/* Adds an undivided cell: the six tetrahedra about its diagonal. */
static void add_cell(grid *in, const int at[3], int size) {
  static const int orders[TETRAHEDRA][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  int places[8][3], inside = 0;
  corner corners[8];
  find_corners(at, size, places);
  for (int k = 0; k < 8; k++) {
    memcpy(corners[k].at, places[k], sizeof corners[k].at);
    corners[k].distance = value_of(in, places[k]);
    inside += corners[k].distance < 0.0;
  }
  if (inside == 0 || inside == 8 || in->edges.count + EDGES > in->most_points) return;
  for (int t = 0; t < TETRAHEDRA; t++) {
    const corner *of[4] = {&corners[0], NULL, NULL, NULL};
    for (int s = 0, k = 0; s < 3; s++) k |= 1 << orders[t][s], of[s + 1] = &corners[k];
    add_tetrahedron(in, of);
  }
}

static void add_cells(grid *in, int cell, const int at[3], int size) {
  int corners[8][3];
  if (cell < 0 || in->child[cell] == 0) {
    add_cell(in, at, size);
    return;
  }
  find_corners(at, size / 2, corners);
  for (int k = 0; k < 8; k++) add_cells(in, in->child[cell] + k, corners[k], size / 2);
}

static void add_all(grid *in) {
  for (int i = 0; i < CELLS; i++)
    for (int j = 0; j < CELLS; j++)
      for (int k = 0; k < CELLS; k++) {
        const int place[3] = {i, j, k}, at[3] = {FINE * i, FINE * j, FINE * k};
        add_cells(in, root_at(in, place), at, FINE);
      }
}

/* ---- The whole grid ---- */

int eli_surface_facets(const eli_obstacle *obstacle, const eli_surface_grid *of, eli_facets *out) {
  const eli_allocator *allocator = out->allocator;
  const size_t nodes = (size_t)NODES * NODES * NODES, cells = (size_t)CELLS * CELLS * CELLS + MOST_CUT;
  const size_t points = 7 * nodes + (size_t)EDGES * MOST_CUT;
  grid in = {.obstacle = obstacle, .of = of, .roots = 1, .most_points = (int)points, .out = out};
  for (int a = 0; a < 3; a++) {
    in.low[a] = (int)of->low[a];
    in.size[a] = (int)of->high[a] - in.low[a];
    in.roots *= in.size[a];
  }
  in.coarse = eli_allocate(allocator, nodes, sizeof *in.coarse);
  in.fine = eli_allocate(allocator, MOST_SAMPLES, sizeof *in.fine);
  in.child = eli_allocate(allocator, (size_t)in.roots + 8 * (size_t)MOST_DIVISIONS, sizeof *in.child);
  const int numbered = eli_numbering_make(&in.sampled, allocator, MOST_SAMPLES) && eli_numbering_make(&in.edges, allocator, points + 1);
  const int made = numbered && in.coarse != NULL && in.fine != NULL && in.child != NULL &&
                   eli_facets_allocate(out, points, TETRAHEDRA * PER_TETRAHEDRON * cells);
  if (made) {
    memset(in.child, 0, (size_t)in.roots * sizeof *in.child);
    sample_coarse(&in);
    refine(&in);
    add_all(&in);
  }
  eli_numbering_free(&in.edges, allocator);
  eli_numbering_free(&in.sampled, allocator);
  eli_release(allocator, in.child);
  eli_release(allocator, in.fine);
  eli_release(allocator, in.coarse);
  return made;
}
