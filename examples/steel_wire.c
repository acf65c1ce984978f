/* Steel wire: a thin cantilever of steel is released and swings under its weight, in explicit and in implicit steps.
 *
 * source    Euler and Bernoulli's cantilever under a load that begins at once: w(t) = sum of g a_m (1 - cos omega_m t)/omega_m^2 over the
 *           modes, a_m = phi_m(L) int phi_m/int phi_m^2 = 4 s_m/z_m with alternating sign, omega_m = (z_m/L)^2 sqrt(E I/(rho A))
 * claim     implicit steps follow the tip to 1 % of its path at a small part of the cost of explicit ones
 * compared  the tip of the explicit run with the closed form; that of the implicit runs with the explicit one, which has 1e5 times as many
 *           steps and whose error is far smaller. Gains are ratios of processor times in this run
 *
 * Explicit steps follow the fastest wave of shear and rotation, 0.1 us for a wire of 1 mm. The error is the largest distance of the tips at
 * 20 times in each period, over the length of the tip's path down and up.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

static const double LENGTH = 0.3, RADIUS = 0.5e-3, DENSITY = 7800, MODULUS = 200e9, GRAVITY = 9.81;
static const double RUBBER_RADIUS = 0.02, RUBBER_DENSITY = 1100, RUBBER_MODULUS = 2e6;
static const double ROOTS[4] = {1.8751040687119612, 4.6940911329741746, 7.8547574382376126, 10.995540734875467};
static const double RATIOS[4] = {0.7340955137589128, 1.0184673187592195, 0.9992244965174282, 1.0000335532517135};
enum { SAMPLES = 20, MOST_PERIODS = 5, REFINEMENTS = 4, ACCURACIES = 3 };

typedef struct scene {
  const char *name;
  double radius, density, modulus;
  int n, periods;
} scene;

/* The run of a scene: heights of the tip [m] at SAMPLES times in each period, and processor time [s]. */
typedef struct course {
  double tip[SAMPLES * MOST_PERIODS + 1], seconds;
  long steps;
} course;

static double processor_time(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* [rad/s] of a mode of the continuous cantilever. */
static double frequency(const scene *s, int m) {
  return pow(ROOTS[m] / LENGTH, 2) * s->radius / 2 * sqrt(s->modulus / s->density);
}

static double period(const scene *s) {
  return 2 * acos(-1) / frequency(s, 0);
}

static double time_of(const scene *s, int sample) {
  return period(s) * sample / SAMPLES;
}

/* Height of the tip of the continuous cantilever [m]. */
static double closed_form(const scene *s, double t) {
  double height = 0;
  for (int m = 0; m < 4; m++) {
    const double sign = m % 2 == 0 ? 1 : -1, omega = frequency(s, m);
    height -= sign * GRAVITY * 4 * RATIOS[m] / ROOTS[m] * (1 - cos(omega * t)) / (omega * omega);
  }
  return height;
}

static elastica_rod *make(example *e, const scene *s, elastica_world **out) {
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_rod *rod = NULL;
  elastica_world *world = *out = example_world(e);
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = s->n;
  def.direction[X] = 1, def.direction[Z] = 0;
  def.length = LENGTH;
  def.radius = s->radius;
  def.density = s->density;
  def.youngs_modulus = s->modulus;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  return rod;
}

static void run_explicit(example *e, const scene *s, course *out) {
  elastica_world *world;
  const elastica_rod_view *rod = elastica_rod_get_view(make(e, s, &world));
  const double begun = processor_time();
  for (int k = 1; k <= SAMPLES * s->periods; k++) {
    example_advance(e, world, time_of(s, k));
    out->tip[k] = rod->position[Z][s->n];
    example_worked(e, 1);
  }
  out->seconds = processor_time() - begun;
  out->steps = elastica_world_step_count(world);
  example_done(e, world);
}

/* Steps of a size, in parts of the interval between samples; or with parts 0 steps of an accuracy [m]. */
static void run_implicit(example *e, const scene *s, int parts, double accuracy, const char *film, course *out) {
  elastica_world *world;
  const elastica_rod_view *rod = elastica_rod_get_view(make(e, s, &world));
  elastica_vtk *vtk = film != NULL ? example_vtk(e, world, film) : NULL;
  elastica_implicit_result result = {.next_step = NAN};
  double spent = 0;
  for (int k = 1; k <= SAMPLES * s->periods; k++) {
    elastica_implicit_def def;
    elastica_implicit_def_init(&def, sizeof def);
    def.until = time_of(s, k);
    if (parts > 0) {
      def.dt = (def.until - elastica_world_time(world)) / parts;
    } else {
      def.accuracy = accuracy;
      def.first_step = result.next_step;
    }
    const double begun = processor_time();
    example_require(e, world, elastica_world_run_implicit(world, &def, &result));
    spent += processor_time() - begun;
    out->tip[k] = rod->position[Z][s->n];
    if (vtk != NULL) output_frame(&e->output, world, vtk);
  }
  out->seconds = spent;
  out->steps = elastica_world_step_count(world);
  example_done(e, world);
}

/* The largest distance of two courses, over the path of the first. */
static double distance(const scene *s, const course *a, const course *b) {
  double most = 0, lowest = 0;
  for (int k = 1; k <= SAMPLES * s->periods; k++) {
    most = fmax(most, fabs(a->tip[k] - b->tip[k]));
    lowest = fmin(lowest, a->tip[k]);
  }
  return most / -lowest;
}

/* Runs a scene in explicit steps, and in implicit ones of 1/20 of a period and their halves. */
static void compare(example *e, const scene *s, course *explicit_run, course implicit_run[REFINEMENTS], double error[REFINEMENTS]) {
  run_explicit(e, s, explicit_run);
  for (int k = 0; k < REFINEMENTS; k++) {
    run_implicit(e, s, 1 << k, 0, k == 2 && s->modulus == MODULUS ? "steel_wire" : NULL, &implicit_run[k]);
    error[k] = distance(s, explicit_run, &implicit_run[k]);
  }
}

static double gain(const course *explicit_run, const course *implicit_run) {
  return explicit_run->seconds / implicit_run->seconds;
}

static void swing(example *e, const scene *s) {
  course fine = {{0}, 0, 0}, coarse[REFINEMENTS] = {{{0}, 0, 0}}, exact = {{0}, 0, 0};
  double error[REFINEMENTS];
  for (int k = 0; k <= SAMPLES * s->periods; k++) exact.tip[k] = closed_form(s, time_of(s, k));
  compare(e, s, &fine, coarse, error);
  elastica_csv *tip = example_csv(e, "tip.csv"), *cost = example_csv(e, "cost.csv");
  for (int k = 0; k <= SAMPLES * s->periods; k++)
    example_row(e, tip, time_of(s, k), 1e3 * exact.tip[k], 1e3 * fine.tip[k], 1e3 * coarse[0].tip[k], 1e3 * coarse[1].tip[k],
                1e3 * coarse[2].tip[k]);
  for (int k = 0; k < REFINEMENTS; k++) example_row(e, cost, period(s) / SAMPLES / (1 << k), error[k], gain(&fine, &coarse[k]));
  example_check(e, distance(s, &exact, &fine), 0, 2.0 * (1 + s->periods) / (s->n * s->n), "explicit_beside_closed_form");
  for (int k = 0; k < REFINEMENTS; k++) example_inform(e, 100 * error[k], "error_of_%d_steps_per_period_percent", SAMPLES << k);
  example_check(e, error[2], 0, 0.016, "error_of_%d_steps_per_period", SAMPLES << 2);
  example_check(e, error[3], 0, 0.006, "error_of_%d_steps_per_period", SAMPLES << 3);
  for (int k = 0; k < ACCURACIES; k++) {
    const double accuracy = 3e-5 * LENGTH * pow(0.1, k);
    course controlled = {{0}, 0, 0};
    run_implicit(e, s, 0, accuracy, NULL, &controlled);
    example_inform(e, 100 * distance(s, &fine, &controlled), "error_with_accuracy_%g_um_percent", 1e6 * accuracy);
    example_inform(e, gain(&fine, &controlled), "gain_with_accuracy_%g_um", 1e6 * accuracy);
  }
  example_inform(e, (double)fine.steps / (double)coarse[2].steps, "explicit_steps_per_implicit_one");
  example_inform(e, gain(&fine, &coarse[2]), "gain_with_%d_steps_per_period", SAMPLES << 2);
  example_inform(e, gain(&fine, &coarse[3]), "gain_with_%d_steps_per_period", SAMPLES << 3);
}

/* Rubber of the same length, 40 times as thick and 1e5 times softer: explicit steps are fewer, and pay. */
static void soft(example *e, int n, int periods) {
  const scene rubber = {"rubber", RUBBER_RADIUS, RUBBER_DENSITY, RUBBER_MODULUS, n, periods};
  course fine = {{0}, 0, 0}, coarse[REFINEMENTS] = {{{0}, 0, 0}};
  double error[REFINEMENTS];
  compare(e, &rubber, &fine, coarse, error);
  example_inform(e, 100 * error[2], "rubber_error_of_%d_steps_per_period_percent", SAMPLES << 2);
  example_inform(e, gain(&fine, &coarse[2]), "rubber_gain_with_%d_steps_per_period", SAMPLES << 2);
}

static const example_file FILES[] = {
    {"tip.csv", "time [s],closed form [mm],explicit [mm],20 steps per period [mm],40 steps per period [mm],80 steps per period [mm]",
     "height of the tip", FILE_ALWAYS},
    {"cost.csv", "step [s],error over the path [1],explicit over implicit processor time [1]", "implicit runs", FILE_ALWAYS},
    {"steel_wire.pvd", NULL, "the wire, with 80 steps per period", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "steel_wire",
                               .title = "a cantilever of steel wire swings: implicit beside explicit steps",
                               .quick = "n = 12, one period; under 1 s",
                               .normal = "n = 50, five periods; 6 s",
                               .full = "as default",
                               .threads = "works on one step",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK;
  const scene wire = {"wire", RADIUS, DENSITY, MODULUS, quick ? 12 : 50, quick ? 1 : MOST_PERIODS};
  example_expect(&e, 2.0 * SAMPLES * wire.periods);
  swing(&e, &wire);
  soft(&e, wire.n, wire.periods);
  example_plot(&e, 1000, 420, NULL, "n = %d, E = 200 GPa, r = 0.5 mm, L = 0.3 m", wire.n);
  return example_end(&e);
}
