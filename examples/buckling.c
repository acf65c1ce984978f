/* Buckling: critical loads by linear analysis, from a small share of the load, and growth rates beyond them.
 *
 * source    Euler 1744 (columns with all end conditions), Greenhill 1881 (a column under its weight) and 1883 (a twisted shaft), Michell
 *           1889 (a twisted ring), Michell and Prandtl 1899 (a strip under a force in its stiff plane), Argyris et al. 1979 (frame)
 * claim     load factors converge with second order in n to those of the continuous bodies, whatever the share of the load that is applied
 *           (the bending of the ring does not grow with its twist: there a frequency vanishes); beyond the load of a pinned column its
 *           modes grow as in figure 14 of Gazzola et al. 2018; a ring twisted beyond its load leaves its plane, as in figure 15, at the
 *           rate of its unstable mode
 * compared  critical loads, extrapolated in n, with closed forms, and those of the frame with published digits (program beams: with
 *           shooting)
 *
 * B = 1 and L = 1 unless the case says otherwise. The rods are so stiff against stretch and shear that their part is below the tolerances.
 */
#include "common/example.h"
#include "common/right_angle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };
static const int SIZES[MOST] = {25, 50, 100, 200};
static const double THICKNESS = 1e-3, TWIST = 0.7; /* GJ */

/* A world under the share `share` of the load that is expected to be critical. */
typedef struct scene {
  const char *name;
  elastica_world *(*make)(example *e, int n, double share, const struct scene *of);
  double share, tolerance; /* share 0: the load at which a frequency vanishes */
  int order;
  double load;
  int ends[2];
} scene;

enum { FREE, PINNED, CLAMPED };

static double *numbers(const example *e, int count) {
  double *memory = calloc((size_t)count, sizeof *memory);
  if (!memory) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  return memory;
}

/* Holds an end; the last one may come nearer. */
static void hold(example *e, elastica_world *world, elastica_rod *rod, int last, int kind) {
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.node = last ? -1 : 0;
  def.kind = kind == PINNED ? ELASTICA_BOUNDARY_PIN : ELASTICA_BOUNDARY_CLAMP;
  if (last) def.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  if (kind != FREE) example_require(e, world, elastica_add_boundary(world, rod, &def, NULL));
}

/* A rod of length 1 along z; its stiffness against bending in the plane of x and z is wide times B. */
static elastica_rod *add_rod(example *e, elastica_world *world, int n, double wide, double thickness, const double *place,
                             const double *director) {
  double *shear = numbers(e, 6 * n), *bend = shear + 3 * n;
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < n; j++) {
    shear[component(j, X)] = shear[component(j, Y)] = 4 / (thickness * thickness), shear[component(j, Z)] = 12 / (thickness * thickness);
    bend[component(j, X)] = 1, bend[component(j, Y)] = wide, bend[component(j, Z)] = TWIST;
  }
  def.element_count = n;
  def.length = place ? NAN : 1;
  def.position = place;
  def.director = director;
  def.radius = 0.01; /* of masses, which statics does not see */
  def.density = 1 / (acos(-1) * def.radius * def.radius);
  def.normal[0] = 1, def.normal[1] = def.normal[2] = 0;
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(shear);
  return rod;
}

static void pull(example *e, elastica_world *world, elastica_rod *rod, double x, double z) {
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  def.force[X] = x, def.force[Z] = z;
  example_require(e, world, elastica_add_point_load(world, rod, &def, NULL));
}

static elastica_world *column(example *e, int n, double share, const scene *of) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_rod(e, world, n, 1, THICKNESS, NULL, NULL);
  for (int last = 0; last < 2; last++) hold(e, world, rod, last, of->ends[last]);
  pull(e, world, rod, 0, -share * of->load);
  return world;
}

/* The mass is 1. */
static elastica_world *weight(example *e, int n, double share, const scene *of) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_rod(e, world, n, 1, THICKNESS, NULL, NULL);
  hold(e, world, rod, 0, CLAMPED);
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -share * of->load}, NULL));
  return world;
}

/* A shaft between two clamps that are turned against each other. */
static elastica_world *shaft(example *e, int n, double share, const scene *of) {
  elastica_world *world = example_world(e);
  double *place = numbers(e, 12 * (n + 1)), *director = place + 3 * (n + 1);
  for (int i = 0; i <= n; i++) { /* the last frame is that of the second clamp */
    const double turned = share * of->load / TWIST * (i == n ? 1 : (i + 0.5) / n);
    const double frame[9] = {cos(turned), sin(turned), 0, -sin(turned), cos(turned), 0, 0, 0, 1};
    place[component(i, Z)] = (double)i / n;
    memcpy(director + frame_entry(i, 0, 0), frame, sizeof frame);
  }
  elastica_rod *rod = add_rod(e, world, n, 1, THICKNESS, place, director);
  for (int last = 0; last < 2; last++) {
    const double first[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    elastica_boundary_def def;
    elastica_boundary_def_init(&def, sizeof def);
    def.node = last ? -1 : 0;
    memcpy(def.director, last ? director + frame_entry(n, 0, 0) : first, sizeof first);
    example_require(e, world, elastica_add_boundary(world, rod, &def, NULL));
  }
  free(place);
  return world;
}

/* A straight rod, twisted by an angle and closed to a ring of length 1. */
static elastica_world *twisted_ring(example *e, int n, double share, const scene *of) {
  const double pi = acos(-1), angle = share * of->load / TWIST;
  elastica_world *world = example_world(e);
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  double *place = numbers(e, 12 * n), *rest = place + 3 * n, *shear = rest + 3 * n, *bend = shear + 3 * n;
  for (int i = 0; i < n; i++) {
    place[component(i, X)] = cos(2 * pi * i / n) / (2 * pi), place[component(i, Y)] = sin(2 * pi * i / n) / (2 * pi);
    rest[component(i, Z)] = angle;
    shear[component(i, X)] = shear[component(i, Y)] = shear[component(i, Z)] = 1e6;
    bend[component(i, X)] = bend[component(i, Y)] = 1, bend[component(i, Z)] = TWIST;
  }
  def.element_count = n;
  def.closed = 1;
  def.length = NAN;
  def.position = place;
  def.rest_curvature = rest;
  def.radius = 0.01;
  def.density = 1;
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(place);
  return world;
}

/* A strip 1e4 times as stiff in the plane of the force as across it. */
static elastica_world *strip(example *e, int n, double share, const scene *of) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_rod(e, world, n, 1e4, 1e-2, NULL, NULL);
  hold(e, world, rod, 0, CLAMPED);
  pull(e, world, rod, share * of->load, 0);
  return world;
}

/* A width of 0.6; n elements in a leg. */
static elastica_world *frame(example *e, int n, double share, const scene *of) {
  const right_angle angle = right_angle_of(0.6, 1e-9);
  elastica_world *world = example_world(e);
  elastica_rod *leg[2];
  right_angle_add(e, world, &angle, n, leg);
  pull(e, world, leg[1], share * of->load, 0);
  return world;
}

/* ---- Load factors ---- */

static elastica_modes *find(example *e, elastica_world *world, elastica_modes_kind kind, int count) {
  elastica_modes_def def;
  elastica_modes *modes = NULL;
  elastica_modes_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = count;
  example_require(e, world, elastica_modes_find(world, &def, &modes));
  return modes;
}

/* The share of the expected load at which the first mode gives way; NAN if there is none. name: frames of that mode. */
static double find_share(example *e, const scene *s, int n, double share, const char *name) {
  elastica_world *world = s->make(e, n, share, s);
  (void)example_relax(e, world);
  elastica_modes *modes = find(e, world, ELASTICA_MODES_BUCKLING, 1);
  elastica_eigenmode mode = {.factor = NAN};
  if (elastica_modes_count(modes) > 0) example_require(e, world, elastica_modes_get(modes, 0, &mode));
  elastica_vtk *vtk = name ? example_vtk(e, world, name) : NULL;
  for (int f = 0; f <= 20 && vtk; f++) {
    example_require(e, world, elastica_modes_apply(modes, 0, 0.015 * f));
    output_frame(&e->output, world, vtk);
  }
  elastica_modes_destroy(modes);
  example_done(e, world);
  return share * mode.factor;
}

/* The share at which a frequency vanishes, by bisection: for a ring whose bending does not grow with the load, as its twist does. */
static double find_zero(example *e, const scene *s, int n) {
  double low = 0.9, high = 1.1;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    elastica_world *world = s->make(e, n, middle, s);
    (void)example_relax(e, world);
    elastica_modes *modes = find(e, world, ELASTICA_MODES_FREQUENCIES, 8);
    int unstable = 0;
    for (int k = 0; k < elastica_modes_count(modes); k++) {
      elastica_eigenmode mode;
      example_require(e, world, elastica_modes_get(modes, k, &mode));
      unstable += !mode.rigid && mode.square < 0;
    }
    elastica_modes_destroy(modes);
    example_done(e, world);
    if (unstable)
      high = middle;
    else
      low = middle;
  }
  return (low + high) / 2;
}

static void converge(example *e, const scene *s, int number, int count, elastica_csv *errors) {
  double at[MOST];
  for (int k = 0; k < count; k++) {
    at[k] = s->share > 0 ? find_share(e, s, SIZES[k], s->share, NULL) : find_zero(e, s, SIZES[k]);
    example_row(e, errors, number, SIZES[k], fabs(at[k] - 1));
  }
  const double coarse = at[count - 2], fine = at[count - 1], limit = fine + (fine - coarse) / (pow(2, s->order) - 1);
  example_check(e, s->load * limit, s->load, s->tolerance * fabs(s->load), "%s_critical_load", s->name);
  example_check(e, log2((coarse - at[count - 3]) / (fine - coarse)), s->order, 0.15, "%s_order", s->name);
}

/* ---- Growth beyond the load ---- */

/* Squares of the frequencies of a pinned column in half a wave and in a whole one, under a multiple of its critical load. */
static void find_squares(example *e, int n, double multiple, double square[2]) {
  const scene s = {"growth", column, 1, 0, 2, multiple * pow(acos(-1), 2), {PINNED, PINNED}};
  elastica_world *world = s.make(e, n, 1, &s);
  (void)example_relax(e, world);
  elastica_modes *modes = find(e, world, ELASTICA_MODES_FREQUENCIES, 5);
  int found = 0;
  square[0] = square[1] = NAN;
  for (int k = 0; k < elastica_modes_count(modes) && found < 4; k++) {
    elastica_eigenmode mode;
    example_require(e, world, elastica_modes_get(modes, k, &mode));
    if (mode.rigid) continue;                            /* about the axis */
    if (found % 2 == 0) square[found / 2] = mode.square; /* each of them twice, in two directions */
    found++;
  }
  elastica_modes_destroy(modes);
  example_done(e, world);
}

/* Under 2.5 times its load the column grows in half a wave, and vibrates in a whole one. The curve has no points where a square is 0. */
static void growth(example *e, int n) {
  elastica_csv *csv = example_csv(e, "squares.csv");
  double square[2];
  for (double multiple = 0.25; multiple < 5; multiple += 0.5) {
    find_squares(e, n, multiple, square);
    example_row(e, csv, multiple, square[0], square[1]);
  }
  find_squares(e, n, 2.5, square);
  for (int k = 0; k < 2; k++) {
    const double wave = (k + 1) * (k + 1), exact = pow(acos(-1), 4) * wave * (wave - 2.5);
    example_check(e, square[k], exact, 0.005 * fabs(exact), "pinned_beyond_its_load_square_%d", k + 1);
  }
}

/* Distance of all nodes from those at rest. */
static double distance_from(const elastica_rod_view *view, const double *rest) {
  double sum = 0;
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) sum += pow(view->position[a][i] - rest[component(i, a)], 2);
  return sqrt(sum);
}

/* Time steps from a ring, 1.2 times its critical twist, that is displaced by its unstable mode: from 5 to 8 times 1/rate, the distance
 * grows as cosh(rate t). */
static void ring_growth(example *e, const scene *ring, int n) {
  elastica_world *world = ring->make(e, n, 1.2, ring);
  (void)example_relax(e, world);
  const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, 0));
  double *rest = numbers(e, 3 * n), distance[2];
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) rest[component(i, a)] = view->position[a][i];
  elastica_modes *modes = find(e, world, ELASTICA_MODES_FREQUENCIES, 1);
  elastica_eigenmode mode;
  example_require(e, world, elastica_modes_get(modes, 0, &mode));
  example_require(e, world, elastica_modes_apply(modes, 0, 1e-8));
  elastica_modes_destroy(modes);
  const double rate = sqrt(-mode.square), began = elastica_world_get(world).time;
  for (int k = 0; k < 2; k++) {
    example_advance(e, world, began + (k ? 8 : 5) / rate);
    distance[k] = distance_from(view, rest);
  }
  const double grown = acosh(distance[1] / distance[0] * cosh(5)) - 5;
  example_check(e, grown / 3 * rate, rate, 2e-3 * rate, "ring_beyond_its_load_rate_of_growth_by_steps");
  free(rest);
  example_done(e, world);
}

/* ---- Table ---- */

enum { RING = 6, STRIP = 7 };
static const scene SCENES[] = {
    {"euler_clamped_free", column, 0.01, 1e-5, 2, 2.4674011002723395, {CLAMPED, FREE}},
    {"euler_pinned_pinned", column, 0.01, 1e-5, 2, 9.869604401089358, {PINNED, PINNED}},
    {"euler_clamped_pinned", column, 0.01, 1e-4, 2, 20.190728556426629, {CLAMPED, PINNED}},
    {"euler_clamped_clamped", column, 0.01, 1e-4, 2, 39.478417604357434, {CLAMPED, CLAMPED}},
    {"column_under_its_weight", weight, 0.01, 1e-5, 2, 7.837347, {0}},
    {"twisted_shaft", shaft, 0.01, 1e-4, 2, 8.986818915818128, {0}},
    {"twisted_ring", twisted_ring, 0, 1e-4, 2, 10.882796185405306, {0}}, /* 2 pi sqrt(3) */
    {"strip", strip, 0.01, 1e-3, 2, 3.357242, {0}},                      /* 4.012599 sqrt(B C) */
    {"frame", frame, 0.01, 1e-3, 2, -0.679011, {0}},                     /* shooting: program beams */
};

static void certified_case(example *e, int n) {
  example_inform(e, find_share(e, &SCENES[0], n, 0.01, NULL), "euler_clamped_free_share");
}

static const example_file FILES[] = {
    {"errors.csv", "case [1],n [1],relative error [1]", "errors of critical loads, in the order of the table", FILE_ALWAYS},
    {"squares.csv", "load over the critical load [1],square of half a wave [1],square of a whole wave [1]",
     "squares of the first two angular frequencies of a pinned column, in units of B/(m L^3)", FILE_ALWAYS},
    {"buckling.pvd", NULL, "the first mode of the strip, with a growing amplitude", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "buckling",
                               .title = "critical loads of columns, a shaft, a ring, a strip and a frame, by linear analysis",
                               .quick = "n = 25 to 100; 1 s",
                               .normal = "n = 25 to 200; 1 s",
                               .full = "the same; 1 s",
                               .certified = {certified_case, 25, "a cantilever column, n = 25; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int count = e.options.mode == EXAMPLE_QUICK ? MOST - 1 : MOST, scenes = sizeof SCENES / sizeof *SCENES;
  elastica_csv *errors = example_csv(&e, "errors.csv");
  for (int k = 0; k < scenes; k++) converge(&e, &SCENES[k], k + 1, count, errors);
  for (int k = 0; k < 2; k++) /* the load that is applied does not matter */
    example_check(&e, find_share(&e, &SCENES[0], 50, k ? 3 : 1e-4, NULL), find_share(&e, &SCENES[0], 50, 0.01, NULL), 1e-4,
                  "euler_from_%s_load", k ? "beyond_the" : "a_small");
  const scene pulled = {"frame_pulled", frame, 0.01, 0, 2, 1.088, {0}}; /* published; one of its modes gives way before */
  for (int k = count - 2; k < count; k++)
    example_inform(&e, pulled.load * find_share(&e, &pulled, SIZES[k], 0.01, NULL), "frame_pulled_n%d_critical_load", SIZES[k]);
  growth(&e, 100);
  ring_growth(&e, &SCENES[RING], 50);
  (void)find_share(&e, &SCENES[STRIP], 50, 0.01, "buckling");
  example_plot(&e, 1200, 560, NULL, "n = %d to %d, without time steps", SIZES[0], SIZES[count - 1]);
  return example_end(&e);
}
