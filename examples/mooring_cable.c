/* Mooring cable: a steel rope hangs from a float and lies on an elastic seabed up to its anchor; the float moves, in implicit and in
 * explicit steps.
 *
 * source    the elastic catenary on a bed (J. M. Jonkman, NREL/TP-500-41958 (2007), equations 2-37); M. S. Triantafyllou, Marine
 *           Technology 21 (1984): the dynamic tension of a taut line exceeds the quasi-static one, because drag keeps the line from
 *           changing its shape
 * claim     implicit steps follow the tension at the float within 1 % at a small part of the cost of explicit steps
 * compared  at rest: tension, pull and touchdown with the closed form, extrapolated in n. Moved: the range of the tension with
 *           that of the closed form at all places of the float, for a slow motion (fast ones are shown); the tension with that of half the
 *           step, and with explicit steps as far as these go. Gains are ratios of processor times in this run
 *
 * The rope has the stretch of steel and the bending stiffness of a tenth of a solid bar: its wires slide. The water takes a linear drag.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double LENGTH = 180, RADIUS = 0.04, DENSITY = 5500, MODULUS = 60e9, BENDS = 0.1; /* [m] [m] [kg/m^3] [Pa] [1] */
static const double WATER = 1025, GRAVITY = 9.81, DRAG = 30;                                  /* [kg/m^3] [m/s^2] [kg/(m s)] */
static const double DEPTH = 50, AWAY = 165, BED = 1e6;                                        /* [m] [m] [Pa] */
static const double SURGE = 0.5;                                                              /* [m] of the float */
enum { MOST = 400, SAMPLES = 40, PERIODS = 5 };
static const double PERIOD[PERIODS] = {160, 40, 20, 10, 6}; /* [s] */

static double stretch(void) {
  return MODULUS * acos(-1) * RADIUS * RADIUS;
}

/* [N/m] in the water */
static double weight(void) {
  return (DENSITY - WATER) * acos(-1) * RADIUS * RADIUS * GRAVITY;
}

/* [m] of the rope into the bed */
static double sunk(void) {
  return weight() / BED;
}

/* ---- Expected values ---- */

typedef struct catenary {
  double pull, rise, lying; /* [N] horizontal and vertical force at the float; [m] rope on the bed */
} catenary;

static catenary catenary_of(double pull, double rise) {
  return (catenary){pull, rise, LENGTH - rise / weight()};
}

static double span_of(const catenary *c) {
  return c->lying + c->pull / weight() * asinh(c->rise / c->pull) + c->pull * LENGTH / stretch();
}

static double height_of(const catenary *c) {
  return c->pull / weight() * (hypot(1, c->rise / c->pull) - 1) + c->rise * c->rise / (2 * stretch() * weight());
}

/* Bisects the pull for a span, and within it the vertical force for the depth. */
static catenary find_catenary(double span) {
  double low = 1e3, high = 1e6;
  catenary c = {0, 0, 0};
  for (int k = 0; k < 80; k++) {
    const double pull = (low + high) / 2;
    double least = 0, most = weight() * LENGTH;
    for (int i = 0; i < 80; i++) {
      c = catenary_of(pull, (least + most) / 2);
      if (height_of(&c) < DEPTH)
        least = c.rise;
      else
        most = c.rise;
    }
    if (span_of(&c) < span)
      low = pull;
    else
      high = pull;
  }
  return c;
}

static double tension_of(double span) {
  const catenary c = find_catenary(span);
  return hypot(c.pull, c.rise);
}

/* ---- The rope ---- */

typedef struct mooring {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *bed;
  int n;
  double period, amplitude; /* [s] [m] of the float */
} mooring;

/* To and fro by a (1 - cos(w t))/2; the amplitude grows smoothly in the first period. */
static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const mooring *of = user;
  const double rate = 2 * acos(-1) / of->period, p = fmin(time / of->period, 1), way = p * p * p * (10 - p * (15 - 6 * p));
  const double swing = of->amplitude * (1 - cos(rate * time)) / 2;
  (void)director, (void)omega;
  position[X] += way * swing;
  velocity[X] = way * of->amplitude * rate * sin(rate * time) / 2 + 30 * p * p * (1 - p) * (1 - p) / of->period * swing;
  return ELASTICA_OK;
}

static void add_rope(example *e, mooring *of) {
  static double position[3 * (MOST + 1)], bends[3 * MOST], rest[MOST];
  const catenary c = find_catenary(AWAY);
  const double a = c.pull / weight(), bend = BENDS * stretch() * RADIUS * RADIUS / 4;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int i = 0; i <= of->n; i++) { /* the catenary without stretch, from the anchor */
    const double s = LENGTH * i / of->n, up = fmax(s - c.lying, 0);
    position[component(i, X)] = fmin(s, c.lying) + a * asinh(up / a);
    position[component(i, Y)] = 0;
    position[component(i, Z)] = a * (hypot(1, up / a) - 1) - sunk();
  }
  for (int j = 0; j < of->n; j++) {
    rest[j] = LENGTH / of->n;
    bends[component(j, X)] = bends[component(j, Y)] = bend, bends[component(j, Z)] = bend / 1.3;
  }
  def.element_count = of->n;
  def.position = position, def.rest_length = rest;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = MODULUS;
  def.bend_stiffness = bends;
  memcpy(def.normal, (const double[]){0, 1, 0}, sizeof def.normal);
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));
}

static void build(example *e, mooring *of) {
  const double gravity[3] = {0, 0, -GRAVITY * (1 - WATER / DENSITY)}, at[2][3] = {{0, 0, -sunk()}, {AWAY, 0, DEPTH - sunk()}};
  elastica_dissipation_def water;
  elastica_obstacle_def bed;
  of->world = example_world(e);
  add_rope(e, of);
  example_require(e, of->world, elastica_add_gravity(of->world, gravity, NULL));
  elastica_dissipation_def_init(&water, sizeof water);
  water.translation = DRAG;
  example_require(e, of->world, elastica_add_dissipation(of->world, NULL, &water, NULL));
  elastica_obstacle_def_init(&bed, sizeof bed);
  bed.kind = ELASTICA_OBSTACLE_ELASTIC;
  bed.position[Z] = -RADIUS;
  bed.modulus = BED;
  bed.damping_ratio = bed.tangential_damping_ratio = 0;
  example_require(e, of->world, elastica_add_obstacle(of->world, of->rod, &bed, &of->bed));
  for (int k = 0; k < 2; k++) {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = k ? -1 : 0;
    memcpy(pin.position, at[k], sizeof pin.position);
    if (k) pin.motion = move, pin.user = of;
    example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &pin, NULL));
  }
  example_relax(e, of->world);
}

/* At the float, half an element below it, and half an element's weight more. */
static double float_tension(const example *e, const mooring *of) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  const int last = of->n - 1;
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  const double rises = (view->position[Z][last + 1] - view->position[Z][last]) / view->length[last];
  return view->force[2][last] + weight() * LENGTH / of->n / 2 * rises;
}

/* ---- At rest ---- */

static catenary at_rest(example *e, int n, elastica_csv *csv) {
  mooring of = {.n = n, .period = 1};
  double lift[3];
  build(e, &of);
  example_require(e, of.world, elastica_obstacle_get_force(of.bed, lift, NULL));
  example_require(e, of.world, elastica_rod_refresh(of.rod));
  const elastica_rod_view *view = elastica_rod_get_view(of.rod);
  const catenary got = {view->force[2][1], float_tension(e, &of), fabs(lift[Z]) / weight()};
  for (int i = 0; i <= n; i++) example_row(e, csv, view->position[X][i], view->position[Z][i]);
  example_done(e, of.world);
  return got;
}

static void compare_at_rest(example *e, int n) {
  const catenary c = find_catenary(AWAY), coarse = at_rest(e, n / 2, NULL), fine = at_rest(e, n, example_csv(e, "rest.csv"));
  const double tension = hypot(c.pull, c.rise);
  example_check(e, (4 * fine.pull - coarse.pull) / 3, c.pull, 2e-3 * c.pull, "rest_pull_at_the_anchor");
  example_check(e, (4 * fine.rise - coarse.rise) / 3, tension, 2e-3 * tension, "rest_tension_at_the_float");
  example_check(e, (4 * fine.lying - coarse.lying) / 3, c.lying, 0.01 * c.lying, "rest_rope_on_the_bed");
}

/* ---- In motion ---- */

typedef struct course {
  double tension[SAMPLES + 1]; /* [N] at the float */
  double seconds;              /* of the processor */
  double least, most;
  long steps;
} course;

static void note(const example *e, const mooring *of, int k, course *out) {
  out->tension[k] = float_tension(e, of);
  out->least = k == 0 ? out->tension[0] : fmin(out->least, out->tension[k]);
  out->most = k == 0 ? out->tension[0] : fmax(out->most, out->tension[k]);
}

/* Runs to a time, in implicit steps, this many in a sample, or in explicit ones with parts 0. */
static void run_to(example *e, const mooring *of, double until, int parts, course *out) {
  const double begun = (double)clock();
  if (parts > 0) {
    elastica_implicit_def def;
    elastica_implicit_def_init(&def, sizeof def);
    def.until = until;
    def.dt = of->period / SAMPLES / parts;
    example_require(e, of->world, elastica_world_run_implicit(of->world, &def, NULL));
  } else {
    example_advance(e, of->world, until);
  }
  out->steps = elastica_world_get(of->world).step_count;
  out->seconds += ((double)clock() - begun) / CLOCKS_PER_SEC;
}

/* The first samples of the first period, or of the second. */
static void follow(example *e, mooring of, int second, int samples, int parts, const char *film, course *out) {
  build(e, &of);
  elastica_vtk *vtk = film ? example_vtk(e, of.world, film) : NULL;
  *out = (course){{0}, 0, 0, 0, 0};
  if (second) run_to(e, &of, of.period, parts, out);
  note(e, &of, 0, out);
  output_frame(&e->output, of.world, vtk);
  for (int k = 1; k <= samples; k++) {
    run_to(e, &of, of.period * (second + (double)k / SAMPLES), parts, out);
    note(e, &of, k, out);
    if (k % 2 == 0) output_frame(&e->output, of.world, vtk);
    example_worked(e, 1);
  }
  example_done(e, of.world);
}

/* The largest difference of the tensions over the range of the second. */
static double distance(const course *a, const course *b, int samples, double range) {
  double most = 0;
  for (int k = 0; k <= samples; k++) most = fmax(most, fabs(a->tension[k] - b->tension[k]));
  return most / range;
}

/* The range of tensions over the quasi-static one, for slow and fast motions. */
static void compare_spectrum(example *e, int n, int periods) {
  const double range = tension_of(AWAY + SURGE) - tension_of(AWAY);
  elastica_csv *csv = example_csv(e, "spectrum.csv"), *tension = example_csv(e, "tension.csv");
  for (int p = 0; p < periods; p++) {
    course got, finer;
    const mooring of = {.n = n, .period = PERIOD[p], .amplitude = SURGE};
    const int last = p == periods - 1;
    follow(e, of, 1, SAMPLES, 2, last ? "mooring_cable" : NULL, &got);
    const double dynamic = got.most - got.least;
    example_row(e, csv, PERIOD[p], dynamic / range);
    for (int k = 0; k <= SAMPLES; k++)
      example_row(e, tension, PERIOD[p], (double)k / SAMPLES, 1e-3 * got.tension[k],
                  1e-3 * tension_of(AWAY + SURGE * (1 - cos(2 * acos(-1) * k / SAMPLES)) / 2));
    if (p == 0)
      example_check(e, dynamic / range, 1, 0.02, "tension_over_the_quasi-static_one_at_%g_s", PERIOD[p]);
    else
      example_inform(e, dynamic / range, "tension_over_the_quasi-static_one_at_%g_s", PERIOD[p]);
    if (!last) continue;
    follow(e, of, 1, SAMPLES, 4, NULL, &finer);
    example_check(e, distance(&got, &finer, SAMPLES, dynamic), 0, 0.01, "change_by_half_of_the_step_at_%g_s", PERIOD[p]);
  }
}

/* The first samples of the first period, over the range in the whole one. */
static void compare_explicit(example *e, int n, int samples) {
  course fine, coarse, whole;
  const mooring of = {.n = n, .period = PERIOD[PERIODS - 1], .amplitude = SURGE};
  follow(e, of, 0, samples, 0, NULL, &fine);
  follow(e, of, 0, samples, 2, NULL, &coarse);
  follow(e, of, 0, SAMPLES, 2, NULL, &whole);
  const double error = distance(&fine, &coarse, samples, whole.most - whole.least);
  example_check(e, error, 0, 0.01, "distance_from_explicit_steps_within_%g_s", of.period * samples / SAMPLES);
  example_inform(e, (double)fine.steps / (double)coarse.steps, "explicit_steps_per_implicit_one");
  example_inform(e, fine.seconds / coarse.seconds, "gain_over_explicit_steps");
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"rest.csv", "x [m],z [m]", "nodes at rest", FILE_ALWAYS},
    {"tension.csv", "period [s],time over period [1],tension at the float [kN],quasi-static [kN]", "in one period", FILE_ALWAYS},
    {"spectrum.csv", "period [s],range of tension over the quasi-static one [1]", "by the period of the float", FILE_ALWAYS},
    {"mooring_cable.pvd", NULL, "the rope, with the fastest motion", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "mooring_cable",
                               .title = "a steel rope moors a float: implicit steps beside catenary and explicit steps",
                               .quick = "n = 40, two periods, explicit within 0.6 s; 2 s",
                               .normal = "n = 90, five periods, explicit within 6 s; 15 s",
                               .full = "n = 180, five periods, explicit within 6 s; 1 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, n = quick ? 40 : full ? 180 : 90;
  const int periods = quick ? 2 : PERIODS, samples = quick ? 4 : SAMPLES;
  example_expect(&e, SAMPLES * (periods + 2) + 2 * samples);
  compare_at_rest(&e, n);
  compare_spectrum(&e, n, periods);
  compare_explicit(&e, n, samples);
  example_plot(&e, 1300, 420, NULL, "n = %d, %g m of rope in %g m of water", n, LENGTH, DEPTH);
  return example_end(&e);
}
