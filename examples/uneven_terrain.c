/* Uneven terrain: the snake of slithering on a row of half-buried cylinders, unchanged, nearly without twist, and nearly without shear.
 *
 * source    Zhang et al. 2019, "Importance of all modes of deformations": they stiffen their snake in twist and in shear on uneven
 *           terrain. Geometry and numbers are in a supplement that is not available to us
 * claim     friction and terrain excite these modes, and without them the snake moves differently
 * settings  body, ground and muscles: see slithering (wavelength L/0.97, couples about the vertical), on walls that balance nodes.
 *           Cylinders of radius 50 mm across the way, 100 mm apart, stick out by 5 mm; they have the friction of the ground. Stiffened:
 *           B3 times 100, or S1 and S2 times 100. The snake starts on the row. Cylinders out of its reach are disabled, which saves most
 *           of the time
 * compared  the walls carry its weight (a mean of 100 samples in each period); it lies on the row and never rises higher than the
 *           cylinders stick out; its motion is periodic. Speeds, means of the last three periods, and their ratios are INFO
 *
 * On the row it is slower by a quarter for all steps and numbers of elements. Stiffened in twist it is equally fast, and keeps its
 * direction. Stiffened in shear it moves irregularly: its speed varies from period to period, and with the step.
 */
#include "common/gait.h"
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 50, FINE = 100, BUMPS = 36, SAMPLES = 100, MOST_PERIODS = 8, SHAPES = 10, VARIANTS = 4 };

static const double LENGTH = 1, RADIUS = 0.025, DENSITY = 1e3, YOUNGS_MODULUS = 1e7; /* [m] [m] [kg/m^3] [Pa] */
static const double GRAVITY = 9.81, PERIOD = 1, FROUDE = 0.1, DAMPING = 5;           /* [m/s^2] [s] [1] [kg/(m s)] */
static const double BETA[6] = {0, 17.4, 48.5, 5.4, 14.7, 0}, WAVES = 0.97;           /* [N m] */
static const double BUMP_RADIUS = 0.05, CREST = 0.005, PITCH = 0.1, FIRST = 0.6;     /* [m] */
enum { HARD = 100 };

typedef struct variant {
  const char *name;
  int n;
  double shear, twist; /* factors on S1 = S2 and on B3 */
  double dt;           /* [s] shorter for stiffer snakes */
  int steady;          /* 1: its motion on the row is periodic */
} variant;

typedef struct crawl {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *ground, *bump[BUMPS];
  int bumps;
  double forward[MOST_PERIODS + 1], lateral[MOST_PERIODS + 1]; /* [L/T] in periods 1, ... */
  double carried;                                              /* mean vertical force of the walls over the weight */
  double highest, lowest;                                      /* [m] of nodes */
  double shear, twist;                                         /* largest strain; [1/m] curvature */
} crawl;

/* ---- The scene ---- */

static void add_body(example *e, crawl *c, const variant *of) {
  const double area = acos(-1) * RADIUS * RADIUS, second = area * RADIUS * RADIUS / 4, G = 2 * YOUNGS_MODULUS / 3;
  double shear[3 * FINE], bend[3 * FINE];
  elastica_rod_def def = gait_body(of->n, LENGTH, RADIUS, DENSITY, YOUNGS_MODULUS);
  for (int j = 0; j < of->n; j++)
    for (int d = 0; d < 3; d++) {
      shear[component(j, d)] = d < 2 ? of->shear * 4 / 3 * G * area : YOUNGS_MODULUS * area;
      bend[component(j, d)] = d < 2 ? YOUNGS_MODULUS * second : of->twist * G * 2 * second;
    }
  def.start[X] = -LENGTH / 2, def.start[Z] = RADIUS + (c->bumps > 0 ? CREST : 0);
  def.shear_stiffness = shear, def.bend_stiffness = bend;
  example_require(e, c->world, elastica_world_add_rod(c->world, &def, &c->rod));
  lying_damped(e, c->world, c->rod, DAMPING, DAMPING);
}

static void build(example *e, crawl *c, const variant *of, int bumps) {
  const double gravity[3] = {0, 0, -GRAVITY}, mu = LENGTH / (PERIOD * PERIOD * GRAVITY * FROUDE), ratio[3] = {1, 1.5, 2};
  *c = (crawl){.world = example_papers_world(e), .bumps = bumps, .lowest = INFINITY};
  add_body(e, c, of);
  example_require(e, c->world, elastica_add_gravity(c->world, gravity, NULL));
  elastica_obstacle_def wall = gait_ground(2 * mu, mu, ratio, ELASTICA_END_FIRST);
  wall.balance = ELASTICA_BALANCE_NODES;
  example_require(e, c->world, elastica_add_obstacle(c->world, c->rod, &wall, &c->ground));
  wall.shape = ELASTICA_SHAPE_CYLINDER;
  wall.normal[Y] = 1, wall.normal[Z] = 0; /* its axis */
  wall.radius = BUMP_RADIUS, wall.length = INFINITY;
  for (int k = 0; k < bumps; k++) {
    wall.position[X] = FIRST - k * PITCH, wall.position[Z] = CREST - BUMP_RADIUS;
    example_require(e, c->world, elastica_add_obstacle(c->world, c->rod, &wall, &c->bump[k]));
  }
  elastica_muscle_def muscle = gait_muscle(BETA, PERIOD, -2 * acos(-1) * WAVES / LENGTH);
  gait_upright(&muscle);
  example_require(e, c->world, elastica_add_muscle(c->world, c->rod, &muscle, NULL));
}

/* ---- Its motion ---- */

/* Disables cylinders that the snake cannot touch before the next sample. */
static void switch_bumps(example *e, const crawl *c) {
  const elastica_rod_view *rod = elastica_rod_get_view(c->rod);
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < rod->node_count; i++) {
    least = fmin(least, rod->position[X][i]);
    most = fmax(most, rod->position[X][i]);
  }
  for (int k = 0; k < c->bumps; k++) {
    const double x = FIRST - k * PITCH, reach = BUMP_RADIUS + 2 * RADIUS;
    const int near = x > least - reach && x < most + reach;
    if (near != elastica_effect_get(c->bump[k]).is_enabled) example_require(e, c->world, elastica_effect_set_enabled(c->bump[k], near));
  }
}

/* Vertical force on all walls over the weight. */
static double carried(example *e, const crawl *c, double mass) {
  double force[3], sum = 0;
  for (int k = -1; k < c->bumps; k++) {
    example_require(e, c->world, elastica_obstacle_get_force(k < 0 ? c->ground : c->bump[k], force, NULL));
    sum -= force[Z];
  }
  return sum / (mass * GRAVITY);
}

static void look(example *e, crawl *c) {
  const elastica_rod_view *rod = elastica_rod_get_view(c->rod);
  example_require(e, c->world, elastica_rod_refresh(c->rod));
  for (int i = 0; i < rod->node_count; i++) {
    c->highest = fmax(c->highest, rod->position[Z][i]);
    c->lowest = fmin(c->lowest, rod->position[Z][i]);
  }
  for (int j = 0; j < rod->element_count; j++) c->shear = fmax(c->shear, fmax(fabs(rod->strain[0][j]), fabs(rod->strain[1][j])));
  for (int k = 0; k < rod->joint_count; k++) c->twist = fmax(c->twist, fabs(rod->curvature[2][k]));
}

static void write_shape(example *e, elastica_csv *csv, const elastica_rod_view *rod, double time) {
  for (int i = 0; i < rod->node_count; i++) example_row(e, csv, time, i, rod->position[X][i], rod->position[Y][i], rod->position[Z][i]);
}

/* Rough time of a sample in microseconds. */
static double work_of(const variant *of, int bumps) {
  return (5 + bumps / 3.0) * of->n / ELEMENTS * PERIOD / (SAMPLES * of->dt);
}

static void record(example *e, crawl *c, int sample, elastica_csv *speed, elastica_totals *before) {
  elastica_totals now;
  look(e, c);
  example_require(e, c->world, elastica_world_get_totals(c->world, &now));
  c->carried += carried(e, c, now.mass);
  example_row(e, speed, elastica_world_get(c->world).time / PERIOD, -now.linear[X] / now.mass, now.linear[Y] / now.mass);
  if (sample % SAMPLES != 0) return;
  c->forward[sample / SAMPLES] = (before->centre[X] - now.centre[X]) / LENGTH;
  c->lateral[sample / SAMPLES] = (now.centre[Y] - before->centre[Y]) / LENGTH;
  *before = now;
}

/* name: of the files; NULL: no files. Shapes and frames only on the row. */
static void slither(example *e, crawl *c, const variant *of, int bumps, int samples, const char *name) {
  build(e, c, of, bumps);
  const double dt = e->options.dt > 0 ? e->options.dt : of->dt;
  char file[64];
  snprintf(file, sizeof file, "%s.csv", name ? name : "");
  elastica_csv *speed = name ? example_csv(e, file) : NULL, *shapes = name && bumps > 0 ? example_csv(e, "row_shapes.csv") : NULL;
  elastica_vtk *vtk = name && bumps > 0 ? example_vtk(e, c->world, name) : NULL;
  elastica_totals before;
  example_fit(e, PERIOD / SAMPLES);
  example_require(e, c->world, elastica_world_get_totals(c->world, &before));
  output_frame(&e->output, c->world, vtk);
  for (int k = 1; k <= samples; k++) {
    switch_bumps(e, c);
    example_step(e, c->world, dt, lround(PERIOD / (SAMPLES * dt)));
    example_worked(e, work_of(of, bumps));
    record(e, c, k, speed, &before);
    if (k % 2 == 0) output_frame(&e->output, c->world, vtk);
    if (k + SAMPLES > samples && (samples - k) % (SAMPLES / SHAPES) == 0)
      write_shape(e, shapes, elastica_rod_get_view(c->rod), elastica_world_get(c->world).time);
  }
  c->carried /= samples;
  example_done(e, c->world);
}

/* ---- The program ---- */

static double mean_of(const double *per_period, int periods) {
  return (per_period[periods - 2] + per_period[periods - 1] + per_period[periods]) / 3;
}

static void on_plane(example *e, const variant *of, crawl *c, int periods, int drawn) {
  slither(e, c, of, 0, periods * SAMPLES, drawn ? "plane" : NULL);
  example_check(e, c->carried, 1, 0.01, "%s_carried_by_the_plane", of->name);
  example_check(e, c->highest, RADIUS, 1e-3, "%s_highest_on_the_plane", of->name);
  example_check(e, c->forward[periods] / c->forward[periods - 1], 1, 0.01, "%s_periodic_on_the_plane", of->name);
  example_inform(e, mean_of(c->forward, periods), "%s_forward_on_the_plane", of->name);
}

static void on_row(example *e, const variant *of, crawl *c, int samples, int drawn) {
  const int periods = samples / SAMPLES;
  slither(e, c, of, BUMPS, samples, drawn ? "row" : NULL);
  example_check(e, c->carried, 1, 0.1, "%s_carried_by_the_row", of->name);
  example_check(e, c->highest, RADIUS + CREST, 1e-3, "%s_highest_on_the_row", of->name);
  example_inform(e, c->lowest, "%s_lowest_on_the_row", of->name);
  if (periods == 0) return;
  if (of->steady) example_check(e, c->forward[periods] / c->forward[periods - 1], 1, 0.05, "%s_periodic_on_the_row", of->name);
  example_inform(e, mean_of(c->forward, periods), "%s_forward_on_the_row", of->name);
  example_inform(e, mean_of(c->lateral, periods), "%s_lateral_on_the_row", of->name);
  example_inform(e, c->shear, "%s_largest_shear_on_the_row", of->name);
  example_inform(e, c->twist, "%s_largest_twist_on_the_row", of->name);
}

static void inform_of_ratios(example *e, const variant *of, const crawl *flat, const crawl *row, const crawl *soft, const crawl *soft_row,
                             int periods) {
  const double plane = mean_of(flat->forward, periods), terrain = mean_of(row->forward, periods);
  example_inform(e, terrain / plane, "%s_row_over_plane", of->name);
  if (flat == soft) return;
  example_inform(e, plane / mean_of(soft->forward, periods), "%s_over_soft_on_the_plane", of->name);
  example_inform(e, terrain / mean_of(soft_row->forward, periods), "%s_over_soft_on_the_row", of->name);
}

static void draw(example *e) {
  example_plot(e, 1300, 900, NULL, "n = %d, %d cylinders", ELEMENTS, BUMPS);
}

int main(int argc, char **argv) {
  static const char columns[] = "time t/T [-],forward [L/T],lateral [L/T]";
  static const example_file files[] = {
      {"plane.csv", columns, "the snake on the plane.", FILE_ALWAYS},
      {"row.csv", columns, "the snake on the row.", FILE_ALWAYS},
      {"row_shapes.csv", "time [s],node [-],x [m],y [m],z [m]", "ten instants of its last period.", FILE_ALWAYS},
      {"row.pvd", NULL, "the snake on the row", FILE_ALWAYS}};
  static const variant variants[] = {{"soft", ELEMENTS, 1, 1, 2.5e-5, 1},
                                     {"twist_hard", ELEMENTS, 1, HARD, 1.25e-5, 1},
                                     {"shear_hard", ELEMENTS, HARD, 1, 1.25e-5, 0},
                                     {"fine", FINE, 1, 1, 1.25e-5, 1}};
  const example_about about = {.name = "uneven_terrain",
                               .title = "a snake slithers over a row of cylinders",
                               .quick = "four periods on the plane and 0.2 periods on the row; 1 s",
                               .normal = "five periods on the plane and on the row; 5 s",
                               .full = "the same, stiffened in twist and in shear, and with n = 100; 50 s",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  static crawl flat[VARIANTS], row[VARIANTS];
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, count = e.options.mode == EXAMPLE_FULL ? VARIANTS : 1;
  const int periods = quick ? 4 : 5, samples = quick ? 20 : periods * SAMPLES;
  double work = 0;
  for (int k = 0; k < count; k++) work += periods * SAMPLES * work_of(&variants[k], 0) + samples * work_of(&variants[k], BUMPS);
  example_expect(&e, work);
  for (int k = 0; k < count; k++) {
    on_plane(&e, &variants[k], &flat[k], periods, k == 0);
    on_row(&e, &variants[k], &row[k], samples, k == 0);
    if (!quick) inform_of_ratios(&e, &variants[k], &flat[k], &row[k], flat, row, periods);
  }
  draw(&e);
  return example_end(&e);
}
