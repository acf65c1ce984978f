/* Paths: equilibria along a load, past its extrema and on unstable branches.
 *
 * source    Lee, Manuel and Rossow 1968 (frame), DaDeppo and Schmidt 1975 (deep arch), Goto, Watanabe, Kasugai and Obata 1992 (ring),
 *           Ibrahimbegovic 1997 (ten turns), Timoshenko and Gere 1961 (shallow arch)
 * claim     one path through each of them without a step by hand: limit points, branch points, turns of a frame by many times pi
 * compared  shallow arch with the closed form; frame and deep arch with shooting along the path (paths/planar.c); the folded ring with the
 *           polygon of a third of its sides, exact for any n, and its return after 4 pi; the ten turns with shooting (beams)
 */
#include "common/example.h"
#include "paths/planar.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 2000 };

typedef struct track {
  example *e;
  elastica_csv *csv; /* case, parameter, displacement, unstable, kind */
  elastica_vtk *vtk; /* frames of the present world, or NULL */
  int number;        /* of the case */
  long points, evaluations;
} track;

/* ---- Rods ---- */

static double *numbers(const example *e, int count) {
  double *all = calloc((size_t)count, sizeof *all);
  if (!all) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  return all;
}

/* Adds a rod through these nodes, with its shape at rest; d1 is normal. */
static elastica_rod *add_rod(example *e, elastica_world *world, int n, int closed, const double *place, const double normal[3],
                             const double shear[3], const double bend[3]) {
  elastica_rod *rod;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  double *s = numbers(e, 3 * n), *b = numbers(e, 3 * n);
  for (int k = 0; k < 3 * n; k++) s[k] = shear[k % 3], b[k] = bend[k % 3];
  def.element_count = n;
  def.closed = closed;
  def.position = place;
  def.rest = ELASTICA_REST_INITIAL;
  memcpy(def.normal, normal, sizeof def.normal);
  def.radius = 0.5; /* of the picture, and of masses that statics does not see */
  def.density = 1;
  def.shear_stiffness = s;
  def.bend_stiffness = b;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(s);
  free(b);
  return rod;
}

static elastica_status stay_in_plane(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) state->position[Y][i] = 0;
  return ELASTICA_OK;
}

static void hold_in_plane(example *e, elastica_world *world, elastica_rod *rod) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "plane";
  module.constrain_position = stay_in_plane;
  example_require(e, world, elastica_world_add_module(world, rod, &module, NULL));
}

static void hold(example *e, elastica_world *world, elastica_rod *rod, int node, elastica_boundary_kind kind) {
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.node = node;
  def.kind = kind;
  example_require(e, world, elastica_add_boundary(world, rod, &def, NULL));
}

/* ---- Paths ---- */

static elastica_path *begin(example *e, elastica_world *world, elastica_status (*apply)(void *, elastica_world *, double), void *user,
                            double first, double upper) {
  elastica_path *path;
  elastica_path_def def;
  elastica_path_def_init(&def, sizeof def);
  def.apply = apply;
  def.user = user;
  def.first_step = first;
  def.upper = upper;
  example_require(e, world, elastica_path_create(world, &def, &path));
  return path;
}

/* The next point, with a row of the curve: displacement is the difference of a coordinate from `from`. Returns 0 where the path stops, and
 * prints why. */
static int step(track *t, elastica_world *world, elastica_path *path, const double *coordinate, double from, elastica_path_result *out) {
  if (elastica_path_next(path, out) != ELASTICA_OK) {
    printf("case %d: %s\n", t->number, elastica_world_message(world));
    return 0;
  }
  t->points++;
  t->evaluations += out->evaluations;
  output_frame(&t->e->output, world, t->vtk);
  example_row(t->e, t->csv, t->number, out->parameter, *coordinate - from, out->unstable_modes, out->kind);
  return 1;
}

/* Goes on to the next point of this kind; 0: none. */
static int step_to(track *t, elastica_world *world, elastica_path *path, elastica_path_kind kind, const double *coordinate, double from,
                   elastica_path_result *out) {
  for (int k = 0; k < MOST_POINTS; k++) {
    if (!step(t, world, path, coordinate, from, out)) return 0;
    if (out->kind == kind) return 1;
    if (out->kind >= ELASTICA_PATH_END) return 0;
  }
  return 0;
}

/* ---- The shallow arch ---- */

static const double ALPHA = 2.8, GYRATION = 1e-3; /* height over two radii of gyration; radius of gyration over the span */

typedef struct arch {
  elastica_world *world;
  elastica_rod *rod;
  double load; /* of the sine, over 2 pi^4 GYRATION E I/L^3 */
} arch;

static elastica_status press(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const arch *a = self;
  const double unit = 2 * pow(acos(-1), 4) * GYRATION / rod->element_count;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[Z][i] -= a->load * unit * sin(acos(-1) * i / rod->element_count);
  return ELASTICA_OK;
}

static elastica_status press_dead(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent; /* its stiffness is 0 */
  return ELASTICA_OK;
}

static elastica_status set_arch(void *user, elastica_world *world, double parameter) {
  (void)world;
  ((arch *)user)->load = parameter;
  return ELASTICA_OK;
}

static void make_arch(example *e, arch *a, int n) {
  double *place = numbers(e, 3 * (n + 1));
  for (int i = 0; i <= n; i++) {
    place[component(i, X)] = (double)i / n;
    place[component(i, Z)] = 2 * ALPHA * GYRATION * sin(acos(-1) * i / n);
  }
  const double stiff = 1 / (GYRATION * GYRATION);
  a->load = 0;
  a->world = example_world(e);
  a->rod = add_rod(e, a->world, n, 0, place, (const double[]){0, 1, 0}, (const double[]){stiff, stiff, stiff}, (const double[]){1, 1, 1});
  hold(e, a->world, a->rod, 0, ELASTICA_BOUNDARY_PIN);
  hold(e, a->world, a->rod, -1, ELASTICA_BOUNDARY_PIN);
  hold_in_plane(e, a->world, a->rod);
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "sine";
  module.self = a;
  module.add_loads = press;
  module.add_tangent = press_dead;
  example_require(e, a->world, elastica_world_add_module(a->world, a->rod, &module, NULL));
  free(place);
}

/* The load of the symmetric arch whose depth is beta/ALPHA of its height. */
static double arch_load(double beta) {
  return ALPHA - beta + (ALPHA * ALPHA - beta * beta) * beta;
}

static void shallow_arch(track *t, int n) {
  static const char *const NAMES[3] = {"branch", "limit", "other_limit"};
  static const elastica_path_kind KINDS[3] = {ELASTICA_PATH_BRANCH, ELASTICA_PATH_LIMIT, ELASTICA_PATH_LIMIT};
  const double limit = sqrt((ALPHA * ALPHA - 1) / 3);
  const double exact[3] = {arch_load(sqrt(ALPHA * ALPHA - 4)), arch_load(limit), arch_load(-limit)};
  double load[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
  t->number = 1;
  for (int fine = 0; fine < 2; fine++) {
    arch a;
    elastica_path_result point;
    make_arch(t->e, &a, n << fine);
    elastica_path *path = begin(t->e, a.world, set_arch, &a, 0.5, 14);
    track silent = *t, *to = fine ? t : &silent;
    if (!fine) silent.csv = NULL;
    const double *middle = &elastica_rod_get_view(a.rod)->position[Z][(n << fine) / 2], from = *middle;
    for (int k = 0; k < 3 && step_to(to, a.world, path, KINDS[k], middle, from, &point); k++) load[fine][k] = point.parameter;
    while (step(to, a.world, path, middle, from, &point) && point.kind != ELASTICA_PATH_END) {
    }
    elastica_path_destroy(path);
    example_done(t->e, a.world);
  }
  for (int k = 0; k < 3; k++)
    example_check(t->e, (4 * load[1][k] - load[0][k]) / 3, exact[k], 3e-4 * fabs(exact[k]), "shallow_arch_%s_load", NAMES[k]);
}

/* On the branch of the antisymmetric mode the load is ALPHA + 3 beta; it is unstable. */
static void shallow_arch_branch(track *t, int n) {
  arch a;
  elastica_path_result point = {0};
  t->number = 2;
  make_arch(t->e, &a, n);
  const elastica_rod_view *view = elastica_rod_get_view(a.rod);
  const double *middle = &view->position[Z][n / 2], from = *middle;
  elastica_path *path = begin(t->e, a.world, set_arch, &a, 0.5, 14);
  track silent = *t;
  silent.csv = NULL;
  if (step_to(&silent, a.world, path, ELASTICA_PATH_BRANCH, middle, from, &point)) {
    example_require(t->e, a.world, elastica_path_switch(path, 1));
    double most = 0, beta = ALPHA;
    for (int k = 0; k < MOST_POINTS && beta > 0.5 && step(t, a.world, path, middle, from, &point); k++) {
      beta = 0;
      for (int i = 0; i <= n; i++) beta += view->position[Z][i] * sin(acos(-1) * i / n) / (n * GYRATION);
      most = fmax(most, fabs(point.parameter - ALPHA - 3 * beta));
    }
    example_check(t->e, most, 0, 0.01, "shallow_arch_branch_load_off_its_line");
    example_check(t->e, point.unstable_modes, 1, 0, "shallow_arch_branch_unstable_modes");
  }
  elastica_path_destroy(path);
  example_done(t->e, a.world);
}

/* ---- Frame and deep arch ---- */

/* The nodes of n elements in each unit of length `unit`. */
static double *planar_nodes(const example *e, const planar *of, double unit, int *count, int *loaded) {
  int total = 0;
  for (int k = 0; k < of->pieces; k++) total += (int)lround(of->length[k] / unit);
  double *place = numbers(e, 3 * (total + 1)), heading = of->heading;
  int at = 0;
  for (int k = 0; k < of->pieces; k++) {
    const int n = (int)lround(of->length[k] / unit);
    const double l = of->length[k] / n, turn = of->curvature[k] * l, chord = turn == 0 ? l : 2 / of->curvature[k] * sin(turn / 2);
    heading += of->kink[k];
    for (int i = 0; i < n; i++, at++) {
      place[component(at + 1, X)] = place[component(at, X)] + chord * cos(heading + turn / 2);
      place[component(at + 1, Z)] = place[component(at, Z)] + chord * sin(heading + turn / 2);
      heading += turn;
    }
    if (k == of->loaded) *loaded = at;
  }
  *count = total;
  return place;
}

typedef struct pushed {
  elastica_effect *force;
  int node;
} pushed;

static elastica_status push_down(void *user, elastica_world *world, double parameter) {
  const pushed *p = user;
  elastica_point_load_def def;
  (void)world;
  elastica_point_load_def_init(&def, sizeof def);
  def.node = p->node;
  def.force[Z] = -parameter;
  return elastica_point_load_set(p->force, &def);
}

/* The first limit point of the rod with elements of a length; and the whole path until the load is `until`, into the curve. */
static planar_limit rod_limit(track *t, const planar *of, double unit, double first, double until) {
  int n, node = 0;
  double *place = planar_nodes(t->e, of, unit, &n, &node);
  elastica_world *world = example_world(t->e);
  elastica_rod *rod = add_rod(t->e, world, n, 0, place, (const double[]){0, 1, 0}, (const double[]){of->shear, of->shear, of->stretch},
                              (const double[]){of->bend, of->bend, of->bend});
  hold(t->e, world, rod, 0, of->clamped ? ELASTICA_BOUNDARY_CLAMP : ELASTICA_BOUNDARY_PIN);
  hold(t->e, world, rod, -1, ELASTICA_BOUNDARY_PIN);
  hold_in_plane(t->e, world, rod);
  pushed p = {NULL, node};
  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.node = node;
  example_require(t->e, world, elastica_add_point_load(world, rod, &load, &p.force));
  elastica_path *path = begin(t->e, world, push_down, &p, first, until > 0 ? until : INFINITY);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double x = view->position[X][node], z = view->position[Z][node];
  planar_limit out = {NAN, NAN, NAN};
  elastica_path_result point;
  if (step_to(t, world, path, ELASTICA_PATH_LIMIT, &view->position[Z][node], z, &point))
    out = (planar_limit){point.parameter, view->position[X][node] - x, view->position[Z][node] - z};
  for (int k = 0; k < MOST_POINTS && until > 0 && point.kind < ELASTICA_PATH_END; k++)
    if (!step(t, world, path, &view->position[Z][node], z, &point)) break;
  elastica_path_destroy(path);
  example_done(t->e, world);
  free(place);
  return out;
}

/* Limit points of two grids, extrapolated with this order, beside that of shooting. */
static void compare_planar(track *t, const planar *of, double unit, int order, double first, double until, double tolerance) {
  planar_limit exact = {NAN, NAN, NAN};
  const double length = of->length[0], w = pow(2, order) - 1;
  track silent = *t;
  silent.csv = NULL;
  if (!planar_find_limit(of, 200, &exact)) printf("%s: shooting found no limit point\n", of->name);
  const planar_limit coarse = rod_limit(&silent, of, unit, first, 0), fine = rod_limit(t, of, unit / 2, first, until);
  t->points += silent.points, t->evaluations += silent.evaluations;
  example_check(t->e, fine.force + (fine.force - coarse.force) / w, exact.force, tolerance * exact.force, "%s_limit_load", of->name);
  example_check(t->e, fine.z + (fine.z - coarse.z) / w, exact.z, tolerance * length, "%s_limit_z", of->name);
  example_check(t->e, fine.x + (fine.x - coarse.x) / w, exact.x, tolerance * length, "%s_limit_x", of->name);
  example_check(t->e, log2(fabs((coarse.force - exact.force) / (fine.force - exact.force))), order, 0.15, "%s_order", of->name);
}

static void lee_frame(track *t, double unit, double until) {
  const double modulus = 7.2e6, shear = modulus / 2 / 1.3, area = 6, inertia = 2, right = acos(-1) / 2;
  const planar of = {.name = "lee_frame",
                     .heading = right,
                     .pieces = 3,
                     .loaded = 1,
                     .length = {120, 24, 96},
                     .kink = {0, -right, 0},
                     .stretch = modulus * area,
                     .shear = 5.0 / 6 * shear * area,
                     .bend = modulus * inertia};
  t->number = 3;
  compare_planar(t, &of, unit, 2, 500, until, 2e-5);
}

static void deep_arch(track *t, int n, double until) {
  const double radius = 100, half = 107.5 * acos(-1) / 180;
  const planar of = {.name = "deep_arch",
                     .clamped = 1,
                     .heading = half,
                     .pieces = 2,
                     .loaded = 0,
                     .length = {radius * half, radius * half},
                     .curvature = {-1 / radius, -1 / radius},
                     .stretch = 1e8,
                     .shear = 1e8,
                     .bend = 1e6};
  t->number = 4;
  compare_planar(t, &of, radius * half / n, 2, 20, until, 2e-5);
}

/* ---- The ring that folds ---- */

typedef struct twisted {
  elastica_effect *frame, *node; /* of the element that turns, and of its second node */
  int first;                     /* its first node */
  double half;                   /* half of its length */
} twisted;

/* The element turns about the x axis, and is free to move along it. */
static elastica_status turn(void *user, elastica_world *world, double angle) {
  const twisted *w = user;
  const double c = cos(angle), s = sin(angle);
  const double place[3] = {0, w->half * c, w->half * s}, director[9] = {0, -s, c, -1, 0, 0, 0, -c, -s}; /* d3 along -y at first */
  elastica_boundary_def def;
  (void)world;
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  def.node = w->first;
  memcpy(def.position, place, sizeof place);
  memcpy(def.director, director, sizeof director);
  const elastica_status status = elastica_boundary_set(w->frame, &def);
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = ELASTICA_BOUNDARY_PIN;
  def.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  def.node = w->first + 1;
  for (int a = 0; a < 3; a++) def.position[a] = -place[a];
  return status == ELASTICA_OK ? elastica_boundary_set(w->node, &def) : status;
}

/* The middles of two opposite elements lie on the x axis. Turned by 2 pi to each other the ring lies in three turns, and by 4 pi it is a
 * single ring again, without twist. */
static void ring(track *t, int sides) {
  const int n = 3 * sides, opposite = n / 2;
  const double radius = 20, modulus = 2.1e7, angle = acos(-1) / n, half = radius * sin(angle);
  double *place = numbers(t->e, 3 * n);
  for (int i = 0; i < n; i++) {
    place[component(i, X)] = radius * cos((2 * i - 1) * angle);
    place[component(i, Y)] = radius * sin((2 * i - 1) * angle);
  }
  elastica_world *world = example_world(t->e);
  elastica_rod *rod = add_rod(t->e, world, n, 1, place, (const double[]){0, 0, 1},
                              (const double[]){5.0 / 6 * 0.3 * modulus / 3, 5.0 / 6 * 0.3 * modulus / 3, modulus / 3},
                              (const double[]){modulus / 324, modulus / 36, 0.3 * modulus * 9.753e-3});
  twisted w = {NULL, NULL, opposite, half};
  hold(t->e, world, rod, 0, ELASTICA_BOUNDARY_FRAME);
  hold(t->e, world, rod, 1, ELASTICA_BOUNDARY_PIN);
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  def.node = opposite;
  example_require(t->e, world, elastica_add_boundary(world, rod, &def, &w.frame));
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = ELASTICA_BOUNDARY_PIN;
  def.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  def.node = opposite + 1;
  example_require(t->e, world, elastica_add_boundary(world, rod, &def, &w.node));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double width = 2 * radius * cos(angle), folded = 2 * half / tan(3 * angle);
  t->number = 5;
  t->vtk = example_vtk(t->e, world, "paths");
  for (int turns = 1; turns <= 2; turns++) {
    elastica_path_def whole;
    elastica_path *path;
    elastica_path_result point = {0};
    elastica_path_def_init(&whole, sizeof whole);
    whole.apply = turn;
    whole.user = &w;
    whole.first_step = 0.1;
    whole.start = 2 * acos(-1) * (turns - 1);
    whole.upper = 2 * acos(-1) * turns;
    example_require(t->e, world, elastica_path_create(world, &whole, &path));
    step_to(t, world, path, ELASTICA_PATH_END, &view->position[X][opposite], -width / 2, &point);
    double off = 0;
    for (int i = 0; i < n; i++) off = fmax(off, fabs(view->position[Z][i]));
    example_check(t->e, point.parameter, whole.upper, 0, "ring_turned_by_%d_pi", 2 * turns);
    example_check(t->e, width / 2 - view->position[X][opposite], turns == 1 ? folded : width, 1e-6, "ring_width_after_%d_pi", 2 * turns);
    example_check(t->e, off, 0, 1e-6, "ring_off_its_plane_after_%d_pi", 2 * turns);
    elastica_path_destroy(path);
  }
  t->vtk = NULL;
  example_done(t->e, world);
  free(place);
}

/* ---- Ten turns with a side force ---- */

static elastica_status wind(void *user, elastica_world *world, double factor) {
  elastica_point_load_def def;
  (void)world;
  elastica_point_load_def_init(&def, sizeof def);
  def.couple_in_laboratory = 1;
  def.couple[Y] = factor * 20 * acos(-1) * 10;
  def.force[Y] = factor * 50;
  return elastica_point_load_set(user, &def);
}

static double wound_tip(track *t, int n, double *most) {
  double *place = numbers(t->e, 3 * (n + 1)), tip = NAN;
  for (int i = 0; i <= n; i++) place[component(i, X)] = 10.0 * i / n;
  elastica_world *world = example_world(t->e);
  elastica_rod *rod =
      add_rod(t->e, world, n, 0, place, (const double[]){0, 1, 0}, (const double[]){1e4, 1e4, 1e4}, (const double[]){100, 100, 100});
  elastica_effect *load;
  elastica_point_load_def none;
  elastica_point_load_def_init(&none, sizeof none);
  none.couple_in_laboratory = 1;
  hold(t->e, world, rod, 0, ELASTICA_BOUNDARY_CLAMP);
  example_require(t->e, world, elastica_add_point_load(world, rod, &none, &load));
  elastica_path *path = begin(t->e, world, wind, load, 0.002, 1);
  const double *aside = &elastica_rod_get_view(rod)->position[Y][n];
  elastica_path_result point = {0};
  if (step_to(t, world, path, ELASTICA_PATH_END, aside, 0, &point)) tip = *aside;
  *most = point.parameter;
  elastica_path_destroy(path);
  example_done(t->e, world);
  free(place);
  return tip;
}

/* By shooting: the row ten_turns_shooting_tip of the program beams, to the digits that 400 and 800 intervals have in common. */
static const double TEN_TURNS_TIP = -0.07644;

static void ten_turns(track *t, int n) {
  double reached[2];
  t->number = 6;
  track silent = *t;
  silent.csv = NULL;
  const double coarse = wound_tip(&silent, n, &reached[0]), fine = wound_tip(t, 2 * n, &reached[1]);
  example_check(t->e, reached[0], 1, 0, "ten_turns_n%d_reaches_load", n);
  example_check(t->e, reached[1], 1, 0, "ten_turns_n%d_reaches_load", 2 * n);
  example_inform(t->e, fine, "ten_turns_n%d_tip_aside", 2 * n);
  example_check(t->e, fine + (fine - coarse) / 3, TEN_TURNS_TIP, 3e-5, "ten_turns_tip_aside");
}

static const example_file FILES[] = {
    {"paths.csv", "case [1],parameter [1],displacement [1],unstable [1],kind [1]",
     "points of the paths of cases 1 to 6, with the number of unstable modes; kind 1: limit point, 2: branch point", FILE_ALWAYS},
    {"paths.pvd", NULL, "the ring that folds, a frame each point", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "paths",
                               .title = "equilibria along a load: limit points, branches, unstable paths",
                               .quick = "coarse, without the ten turns; 1 s",
                               .normal = "all six cases; 3 s",
                               .full = "twice as many elements; 8 s",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, scale = quick ? 1 : e.options.mode == EXAMPLE_FULL ? 4 : 2;
  track t = {.e = &e, .csv = example_csv(&e, "paths.csv")};
  shallow_arch(&t, 20 * scale);
  shallow_arch_branch(&t, 80);
  lee_frame(&t, 6.0 / scale, quick ? 0 : 25e3);
  deep_arch(&t, 20 * scale, quick ? 0 : 1200);
  ring(&t, 10 * scale);
  if (!quick) ten_turns(&t, 50 * scale);
  example_inform(&e, (double)t.points, "points");
  example_inform(&e, (double)t.evaluations, "evaluations");
  example_plot(&e, 1400, 900, NULL, "n = %d to %d, equilibrium without time steps", 30 * scale, quick ? 80 : 100 * scale);
  return example_end(&e);
}
