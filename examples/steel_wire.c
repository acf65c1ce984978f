/* Steel wire: a thin cantilever of steel is released and swings under its weight, in explicit and in implicit steps.
 *
 * source    Euler and Bernoulli's cantilever under a load that begins at once: w(t) = sum of g a_m (1 - cos omega_m t)/omega_m^2 over the
 *           modes, a_m = phi_m(L) int phi_m/int phi_m^2 = 4 s_m/z_m with alternating sign, omega_m = (z_m/L)^2 sqrt(E I/(rho A))
 * claim     implicit steps follow the tip to 1 % of its path at a small part of the cost of explicit ones
 * compared  the tip of the explicit run with the closed form; that of the implicit runs with the explicit one, which has 1e4 times as many
 *           steps and whose error is far smaller. Gains are ratios of processor times in this run
 *
 * Explicit steps follow the fastest wave of shear and rotation, 0.1 us for a wire of 1 mm. The error is the largest distance of the tips at
 * 20 times in each period, over the length of the tip's path down and up.
 */
#include "common/gain.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 0.3, GRAVITY = 9.81;
static const double ROOTS[4] = {1.8751040687119612, 4.6940911329741746, 7.8547574382376126, 10.995540734875467};
static const double RATIOS[4] = {0.7340955137589128, 1.0184673187592195, 0.9992244965174282, 1.0000335532517135};
enum { SAMPLES = 20, PERIODS = 5, REFINEMENTS = 4, ACCURACIES = 3 };

typedef struct bar {
  double radius, density, modulus; /* [m] [kg/m^3] [Pa] */
  int n;
} bar;

static const bar STEEL = {0.5e-3, 7800, 200e9, 50}, RUBBER = {0.02, 1100, 2e6, 50};

/* [rad/s] of a mode of the continuous cantilever. */
static double frequency(const bar *b, int m) {
  return pow(ROOTS[m] / LENGTH, 2) * b->radius / 2 * sqrt(b->modulus / b->density);
}

/* Height of the tip of the continuous cantilever [m]. */
static double closed_form(const bar *b, double t) {
  double height = 0;
  for (int m = 0; m < 4; m++) {
    const double sign = m % 2 == 0 ? 1 : -1, omega = frequency(b, m);
    height -= sign * GRAVITY * 4 * RATIOS[m] / ROOTS[m] * (1 - cos(omega * t)) / (omega * omega);
  }
  return height;
}

static elastica_rod *make(example *e, const gain_scene *scene, elastica_world **out) {
  const bar *b = scene->parameters;
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_rod *rod = NULL;
  elastica_world *world = *out = example_world(e);
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = b->n;
  def.direction[X] = 1, def.direction[Z] = 0;
  def.length = LENGTH;
  def.radius = b->radius;
  def.density = b->density;
  def.youngs_modulus = b->modulus;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  return rod;
}

static gain_scene scene_of(const bar *b, int periods) {
  return (gain_scene){make, b, Z, -1, SAMPLES * periods, 2 * acos(-1) / frequency(b, 0) / SAMPLES};
}

static void swing(example *e, const bar *b, int periods) {
  const gain_scene scene = scene_of(b, periods);
  gain_course exact = {{0}, 0, 0}, fine, coarse[REFINEMENTS], controlled;
  double error[REFINEMENTS];
  for (int k = 0; k <= scene.samples; k++) exact.tip[k] = closed_form(b, scene.interval * k);
  gain_run_explicit(e, &scene, &fine);
  elastica_csv *tip = example_csv(e, "tip.csv"), *cost = example_csv(e, "cost.csv");
  for (int k = 0; k < REFINEMENTS; k++) {
    gain_run_implicit(e, &scene, 1 << k, 0, k == 2 ? "steel_wire" : NULL, &coarse[k]);
    error[k] = gain_distance(&scene, &fine, &coarse[k]);
    example_row(e, cost, scene.interval / (1 << k), error[k], gain_of(&fine, &coarse[k]));
  }
  for (int k = 0; k <= scene.samples; k++)
    example_row(e, tip, scene.interval * k, 1e3 * exact.tip[k], 1e3 * fine.tip[k], 1e3 * coarse[0].tip[k], 1e3 * coarse[1].tip[k],
                1e3 * coarse[2].tip[k]);
  example_check(e, gain_distance(&scene, &exact, &fine), 0, 2.0 * (1 + periods) / (b->n * b->n), "explicit_beside_closed_form");
  for (int k = 0; k < 2; k++) example_inform(e, error[k], "error_of_%d_steps_per_period", SAMPLES << k);
  example_check(e, error[2], 0, 0.016, "error_of_%d_steps_per_period", SAMPLES << 2);
  example_check(e, error[3], 0, 0.006, "error_of_%d_steps_per_period", SAMPLES << 3);
  for (int k = 0; k < ACCURACIES; k++) {
    const double accuracy = 3e-5 * LENGTH * pow(0.1, k);
    gain_run_implicit(e, &scene, 0, accuracy, NULL, &controlled);
    example_inform(e, gain_distance(&scene, &fine, &controlled), "error_with_accuracy_%g_um", 1e6 * accuracy);
    example_inform(e, gain_of(&fine, &controlled), "gain_with_accuracy_%g_um", 1e6 * accuracy);
  }
  example_inform(e, (double)fine.steps / (double)coarse[2].steps, "explicit_steps_per_implicit_one");
  example_inform(e, (double)fine.steps / (double)coarse[2].steps / gain_of(&fine, &coarse[2]), "steps_per_implicit_one_at_equal_cost");
  for (int k = 2; k < REFINEMENTS; k++) example_inform(e, gain_of(&fine, &coarse[k]), "gain_with_%d_steps_per_period", SAMPLES << k);
}

/* Rubber of the same length, 40 times as thick and 1e5 times softer: explicit steps are fewer, and pay. */
static void soft(example *e, const bar *b, int periods) {
  const gain_scene scene = scene_of(b, periods);
  gain_course fine, coarse;
  gain_run_explicit(e, &scene, &fine);
  gain_run_implicit(e, &scene, 4, 0, NULL, &coarse);
  example_inform(e, gain_distance(&scene, &fine, &coarse), "rubber_error_of_%d_steps_per_period", 4 * SAMPLES);
  example_inform(e, (double)fine.steps / (double)coarse.steps / gain_of(&fine, &coarse), "rubber_steps_per_implicit_one_at_equal_cost");
  example_inform(e, gain_of(&fine, &coarse), "rubber_gain_with_%d_steps_per_period", 4 * SAMPLES);
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
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, periods = quick ? 1 : PERIODS;
  bar steel = STEEL, rubber = RUBBER;
  if (quick) steel.n = rubber.n = 12;
  example_expect(&e, 2.0 * SAMPLES * periods);
  swing(&e, &steel, periods);
  soft(&e, &rubber, periods);
  example_plot(&e, 1000, 420, NULL, "n = %d, E = 200 GPa, r = 0.5 mm, L = 0.3 m", steel.n);
  return example_end(&e);
}
