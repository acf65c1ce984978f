/* Sidewinding: the snake of slithering with a second wave that lifts it off the ground.
 *
 * source    the two waves are those of sidewinding snakes (Marvi et al. 2014, cited by Zhang et al. 2019; Astley et al. 2015): the body
 *           bends to the side and up by waves of one length and period, a quarter of a period apart
 * claim     it moves sideways, in a direction given by the difference in phase
 * settings  body, ground, first wave of couples: see slithering (wavelength L/0.97, couples about the vertical), on a wall that balances
 *           nodes. The second wave has couples of 4 N m about the horizontal across the body; the weight, 19.3 N/m, on a span of half a
 *           wavelength has a moment of 0.6 N m. The body rolls, the two axes do not
 * compared  a scene with the second wave half a period later is its mirror image half a period later: its displacement along the body
 *           must be equal, and that to the side opposite; without the second wave the snake must move to neither side. Speed and
 *           direction are INFO: they depend on the amplitudes, and no figure of this body is published. `even` has the same friction in
 *           all directions: a snake that lifts parts of its body needs no scales
 */
#include "common/gait.h"
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 50, MOST_PHASES = 16, SAMPLES = 100, SHAPES = 10 };

static const double LENGTH = 1, RADIUS = 0.025, DENSITY = 1e3, YOUNGS_MODULUS = 1e7; /* [m] [m] [kg/m^3] [Pa] */
static const double GRAVITY = 9.81, PERIOD = 1, FROUDE = 0.1, DAMPING = 5;           /* [m/s^2] [s] [1] [kg/(m s)] */
static const double BETA[6] = {0, 17.4, 48.5, 5.4, 14.7, 0}, WAVES = 0.97;           /* [N m] */
static const double LIFT = 4, STEP = 2.5e-5;                                         /* [N m] [s] */

/* ---- The second wave ---- */

typedef struct lifting {
  double amplitude, wavenumber, phase; /* [N m] [rad/m] */
} lifting;

/* Opposite couples on the two elements of each joint, about the horizontal axis perpendicular to the tangent. */
static elastica_status lift(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const lifting *by = self;
  const double *const *t = rod->tangent, ramp = fmin(now->time / PERIOD, 1);
  for (int k = 0; k < rod->joint_count; k++) {
    const double along[2] = {t[X][k] + t[X][k + 1], t[Y][k] + t[Y][k + 1]}, s = LENGTH * (k + 1) / rod->element_count;
    const double wave = ramp * by->amplitude * sin(2 * acos(-1) * now->time / PERIOD + by->wavenumber * s + by->phase);
    const double size = wave / sqrt(along[X] * along[X] + along[Y] * along[Y]), couple[3] = {size * along[Y], -size * along[X], 0};
    for (int q = 0; q < 2; q++) {
      double material[3];
      elastica_rotate_to_material(rod, k + q, couple, material);
      for (int d = 0; d < 3; d++) loads->couple[d][k + q] += q == 0 ? material[d] : -material[d];
    }
  }
  return ELASTICA_OK;
}

/* The axis turns with the tangent: the bound per radian is the couple, on both sides of each joint. */
static elastica_status bound_lift(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *bounds) {
  const lifting *by = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++) bounds->element[j] += 2 * by->amplitude;
  return ELASTICA_OK;
}

static void add_lifting(example *e, elastica_world *world, elastica_rod *rod, const lifting *wave) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "lifting wave";
  module.self = wave;
  module.self_size = sizeof *wave;
  module.add_loads = lift;
  module.add_stiffness = bound_lift;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  example_require(e, world, elastica_world_add_module(world, rod, &module, NULL));
}

/* ---- The snake ---- */

typedef struct scene {
  const char *name; /* of the files; NULL: no files */
  double lift;      /* [N m] */
  double phase;     /* of the second wave before the first [rad] */
  int even;         /* 1: equal friction in all directions */
} scene;

typedef struct travel {
  double along, side;  /* [L/T] velocity of the centre of mass in the last period, along the mean line from tail to head, and to its left */
  double speed, angle; /* [L/T] [degrees] size of the velocity, and angle from that line to the left */
  double turn, highest; /* [degrees] of that line in the last period; [m] of a node in the last period */
} travel;

static elastica_rod *make_snake(example *e, elastica_world *world, const scene *of) {
  const double gravity[3] = {0, 0, -GRAVITY}, mu = LENGTH / (PERIOD * PERIOD * GRAVITY * FROUDE);
  const double scales[3] = {1, 1.5, 2}, none[3] = {1, 1, 1}, wavenumber = -2 * acos(-1) * WAVES / LENGTH;
  elastica_rod *rod = NULL;
  elastica_rod_def def = gait_body(ELEMENTS, LENGTH, RADIUS, DENSITY, YOUNGS_MODULUS);
  def.start[X] = -LENGTH / 2, def.start[Z] = RADIUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  lying_damped(e, world, rod, DAMPING, DAMPING);

  elastica_obstacle_def ground = gait_ground(2 * mu, mu, of->even ? none : scales, ELASTICA_END_FIRST);
  ground.balance = ELASTICA_BALANCE_NODES;
  example_require(e, world, elastica_add_obstacle(world, rod, &ground, NULL));
  elastica_muscle_def sideways = gait_muscle(BETA, PERIOD, wavenumber);
  gait_upright(&sideways);
  example_require(e, world, elastica_add_muscle(world, rod, &sideways, NULL));
  if (of->lift > 0) add_lifting(e, world, rod, &(lifting){of->lift, wavenumber, of->phase});
  return rod;
}

static void write_shape(example *e, elastica_csv *csv, const elastica_rod_view *rod, double time) {
  for (int i = 0; i < rod->node_count; i++) example_row(e, csv, time, i, rod->position[X][i], rod->position[Y][i], rod->position[Z][i]);
}

/* Runs one period; returns the angle of the mean line from tail to head [rad]. */
static double take_period(example *e, elastica_world *world, const elastica_rod_view *rod, elastica_csv *shapes, elastica_vtk *vtk,
                          double *highest) {
  const double dt = e->options.dt > 0 ? e->options.dt : STEP;
  double line[2] = {0};
  example_fit(e, PERIOD / SAMPLES);
  *highest = 0;
  for (int k = 1; k <= SAMPLES; k++) {
    example_step(e, world, dt, lround(PERIOD / (SAMPLES * dt)));
    for (int a = 0; a < 2; a++) line[a] += rod->position[a][0] - rod->position[a][ELEMENTS];
    for (int i = 0; i <= ELEMENTS; i++) *highest = fmax(*highest, rod->position[Z][i]);
    if (k % 2 == 0) output_frame(&e->output, world, vtk);
    if (k % (SAMPLES / SHAPES) == 0) write_shape(e, shapes, rod, elastica_world_get(world).time);
  }
  example_worked(e, 1);
  return atan2(line[Y], line[X]);
}

static travel wind(example *e, const scene *of, int periods) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *handle = make_snake(e, world, of);
  const elastica_rod_view *rod = elastica_rod_get_view(handle);
  char file[64];
  snprintf(file, sizeof file, "%s.csv", of->name ? of->name : "");
  elastica_csv *shapes = of->name ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = of->name ? example_vtk(e, world, of->name) : NULL;
  elastica_totals from, to;
  travel out = {0};
  double line = 0, before = 0;
  for (int period = 1; period <= periods; period++) {
    const int last = period == periods;
    before = line;
    example_require(e, world, elastica_world_get_totals(world, &from));
    line = take_period(e, world, rod, last ? shapes : NULL, vtk, &out.highest);
  }
  example_require(e, world, elastica_world_get_totals(world, &to));
  const double x = (to.centre[X] - from.centre[X]) / LENGTH, y = (to.centre[Y] - from.centre[Y]) / LENGTH, degree = acos(-1) / 180;
  out.along = x * cos(line) + y * sin(line), out.side = y * cos(line) - x * sin(line);
  out.speed = sqrt(x * x + y * y), out.angle = atan2(out.side, out.along) / degree;
  out.turn = remainder(line - before, 2 * acos(-1)) / degree;
  example_done(e, world);
  return out;
}

/* ---- Phases ---- */

static void inform(example *e, const char *name, double degrees, const travel *got) {
  example_inform(e, got->speed, "%s_%g_speed", name, degrees);
  example_inform(e, got->angle, "%s_%g_degrees_to_the_left", name, degrees);
  example_inform(e, got->turn, "%s_%g_turn_in_degrees", name, degrees);
  example_inform(e, got->highest, "%s_%g_highest", name, degrees);
}

/* Phases from 90 degrees on. Velocities of mirror images differ if the snake turns within a period. */
static void scan(example *e, const char *name, int even, int phases, int periods) {
  travel got[MOST_PHASES];
  double degrees[MOST_PHASES];
  char file[64];
  snprintf(file, sizeof file, "%s.csv", name);
  elastica_csv *csv = example_csv(e, file);
  for (int k = 0; k < phases; k++) {
    degrees[k] = fmod(90 + 360.0 * k / phases, 360);
    const scene of = {k == 0 && !even ? "right" : NULL, LIFT, degrees[k] * acos(-1) / 180, even};
    got[k] = wind(e, &of, periods);
    example_row(e, csv, degrees[k], got[k].along, got[k].side, got[k].angle, got[k].turn, got[k].highest);
    if (fmod(degrees[k], 90) == 0) inform(e, name, degrees[k], &got[k]);
  }
  for (int k = 0; k < phases / 2; k++) {
    const travel *one = &got[k], *other = &got[k + phases / 2];
    example_check(e, other->along - one->along, 0, 0.05, "%s_%g_and_its_mirror_along", name, degrees[k]);
    example_check(e, other->side + one->side, 0, 0.05, "%s_%g_and_its_mirror_to_the_left", name, degrees[k]);
    example_check(e, other->turn + one->turn, 0, 5, "%s_%g_and_its_mirror_turn", name, degrees[k]);
  }
}

static void draw(example *e) {
  const double dt = e->options.dt > 0 ? e->options.dt : STEP;
  example_plot(e, 1500, 640, NULL, "n = %d, dt = %.3g s", ELEMENTS, dt);
}

#define COLUMNS                                                                                                                            \
  "phase [degrees],along [L/T],to the left [L/T],angle of travel to the left [degrees],turn per period [degrees],highest node [m]"

int main(int argc, char **argv) {
  static const example_file files[] = {
      {"scales.csv", COLUMNS, "the last period for each phase.", FILE_ALWAYS},
      {"even.csv", COLUMNS, "the same with isotropic friction.", FILE_NOT_QUICK},
      {"right.csv", "time [s],node [-],x [m],y [m],z [m]", "ten instants of the last period, phase 90 degrees.", FILE_ALWAYS},
      {"right.pvd", NULL, "the same run", FILE_ALWAYS}};
  const example_about about = {.name = "sidewinding",
                               .title = "a snake with a lifting wave moves sideways",
                               .quick = "two phases, three periods; 1 s",
                               .normal = "eight phases on two grounds, four periods; 6 s",
                               .full = "sixteen phases on two grounds, eight periods; 25 s",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int phases = quick ? 2 : full ? MOST_PHASES : 8, periods = quick ? 3 : full ? 8 : 4;
  example_expect(&e, periods * (1 + phases * (quick ? 1 : 2)));
  const travel flat = wind(&e, &(scene){.lift = 0}, periods);
  example_check(&e, flat.side, 0, 0.02, "without_lifting_to_the_left");
  example_inform(&e, flat.along, "without_lifting_along");
  scan(&e, "scales", 0, phases, periods);
  if (!quick) scan(&e, "even", 1, phases, periods);
  draw(&e);
  return example_end(&e);
}
