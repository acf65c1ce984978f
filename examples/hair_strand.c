/* Hair strand: a hair hangs from a support that moves to and fro three times a second, in explicit and in implicit steps.
 *
 * source    the size, density and modulus of human hair; the air as a linear drag
 * claim     implicit steps follow the tip to 1 % of its path thousands of times faster than explicit ones
 * compared  the tip of the implicit runs with that of the explicit one. Gains are ratios of processor times in this run
 *
 * The error is the largest distance of the tips at 40 times in each second, over the extent of the tip's path. An explicit step is 27 ns
 * long: the waves of shear and rotation cross the radius of the hair in about that time.
 */
#include "common/gain.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 0.1, RADIUS = 40e-6, DENSITY = 1300, MODULUS = 4e9, GRAVITY = 9.81; /* [m] [m] [kg/m^3] [Pa] [m/s^2] */
static const double RATE = 3, AMPLITUDE = 5e-3, AIR = 1e-4;                                      /* [Hz] [m] [kg/(m s)] */
enum { REFINEMENTS = 5 };

typedef struct strand {
  int n;
} strand;

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double rate = 2 * acos(-1) * RATE;
  (void)user, (void)director, (void)omega;
  position[X] += AMPLITUDE * (1 - cos(rate * time));
  velocity[X] = AMPLITUDE * rate * sin(rate * time);
  return ELASTICA_OK;
}

static elastica_rod *make(example *e, const gain_scene *scene, elastica_world **out) {
  const strand *s = scene->parameters;
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_rod *rod = NULL;
  elastica_world *world = *out = example_world(e);
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = s->n;
  def.direction[Z] = -1;
  def.length = LENGTH;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = MODULUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.motion = move;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = AIR;
  example_require(e, world, elastica_add_dissipation(world, NULL, &air, NULL));
  return rod;
}

static const example_file FILES[] = {
    {"tip.csv", "time [s],explicit [mm],25 ms [mm],6.25 ms [mm]", "position of the tip along the motion of the support", FILE_ALWAYS},
    {"cost.csv", "step [s],error over the path [1],explicit over implicit processor time [1]", "implicit runs", FILE_ALWAYS},
    {"hair_strand.pvd", NULL, "the hair, with steps of 6.25 ms", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "hair_strand",
                               .title = "a hair on a moving support: implicit beside explicit steps",
                               .quick = "n = 8, 0.1 s; 2 s",
                               .normal = "n = 30, 0.5 s; 16 s",
                               .full = "n = 30, 1 s; 32 s",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK;
  const strand hair = {quick ? 8 : 30};
  const gain_scene scene = {make, &hair, X, -1, quick ? 4 : e.options.mode == EXAMPLE_FULL ? 40 : 20, 0.025};
  gain_course fine, coarse[REFINEMENTS];
  double error[REFINEMENTS];
  example_expect(&e, scene.samples);
  gain_run_explicit(&e, &scene, &fine);
  elastica_csv *tip = example_csv(&e, "tip.csv"), *cost = example_csv(&e, "cost.csv");
  for (int k = 0; k < REFINEMENTS; k++) {
    gain_run_implicit(&e, &scene, 1 << k, 0, k == 2 ? "hair_strand" : NULL, &coarse[k]);
    error[k] = gain_distance(&scene, &fine, &coarse[k]);
    example_row(&e, cost, scene.interval / (1 << k), error[k], gain_of(&fine, &coarse[k]));
    if (k < 2) example_inform(&e, error[k], "error_with_steps_of_%g_ms", 1e3 * scene.interval / (1 << k));
  }
  for (int k = 0; k <= scene.samples; k++)
    example_row(&e, tip, scene.interval * k, 1e3 * fine.tip[k], 1e3 * coarse[0].tip[k], 1e3 * coarse[2].tip[k]);
  for (int k = 2; k < REFINEMENTS; k++)
    example_check(&e, error[k], 0, 0.04 / (1 << 2 * (k - 2)), "error_with_steps_of_%g_ms", 1e3 * scene.interval / (1 << k));
  for (int k = 1; k < REFINEMENTS; k++)
    example_inform(&e, gain_of(&fine, &coarse[k]), "gain_with_steps_of_%g_ms", 1e3 * scene.interval / (1 << k));
  example_plot(&e, 1000, 420, NULL, "n = %d, E = 4 GPa, r = 40 um, L = 0.1 m", hair.n);
  return example_end(&e);
}
