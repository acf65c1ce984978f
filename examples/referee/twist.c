/* Twist: six clamped rods under tension, one end of each turned to 0.96, 0.98, 1, ... of the critical twist and held; the sideways motion
 * grows or decays with a rate s of s^2 + c s = a (level - critical). Held against Greenhill's equation with tension,
 * B w'''' - i M w''' - T w'' = 0, w = w' = 0 at both ends. The self-contact of the scene begins after the measurement: it is left out.
 */
#include "common/line.h"
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LENGTH = 1, RADIUS = 0.01, MODULUS = 1e6, BUMP = 1e-4, TURN = 6, DURATION = 16; /* [m] [m] [Pa] [m] [s] [s] */
enum { RODS = 6, FRAMES = 320 };

typedef struct drive {
  double angle; /* [rad] at the end */
} drive;

static elastica_status turn(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const drive *of = user;
  const double pi = acos(-1), done = time < TURN ? (1 - cos(pi * time / TURN)) / 2 : 1, angle = of->angle * done;
  const double c = cos(angle), s = sin(angle), frame[9] = {0, -s, c, 0, -c, -s, 1, 0, 0};
  (void)position, (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[Z] = time < TURN ? of->angle * pi / TURN * sin(pi * time / TURN) / 2 : 0;
  return ELASTICA_OK;
}

typedef struct variation {
  const char *name;
  int n, quick;
  double tau, critical; /* T L^2/(E I); twist [rad] of the equation */
  scene_published published[2];
} variation;

static elastica_rod *add_rod(example *e, elastica_world *world, const variation *v, int k, drive *of) {
  static const double FRAME[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0}, NORMAL[3] = {0, 0, 1};
  const double pi = acos(-1), bending = MODULUS * pi * pow(RADIUS, 4) / 4;
  double place[3 * (SCENE_MOST + 1)] = {0};
  for (int i = 0; i <= v->n; i++) {
    const double s = (double)i / v->n;
    place[component(i, X)] = LENGTH * s;
    place[component(i, Y)] = 0.25 * k + BUMP * (1 - cos(2 * pi * s)) / 2;
  }
  elastica_rod *rod = scene_rod(e, world, v->n, LENGTH, RADIUS, MODULUS, place, NORMAL);
  for (int end = 0; end < 2; end++) {
    elastica_boundary_def clamp;
    elastica_boundary_def_init(&clamp, sizeof clamp);
    clamp.node = end ? -1 : 0;
    memcpy(clamp.director, FRAME, sizeof FRAME);
    if (end) {
      clamp.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
      clamp.motion = turn;
      clamp.user = of;
    }
    example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  elastica_point_load_def pull;
  elastica_point_load_def_init(&pull, sizeof pull);
  pull.force[X] = v->tau * bending / (LENGTH * LENGTH);
  example_require(e, world, elastica_add_point_load(world, rod, &pull, NULL));
  return rod;
}

static double sideways(const elastica_rod *rod, int k) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double largest = 0;
  for (int i = 0; i < view->node_count; i++) largest = fmax(largest, hypot(view->position[Y][i] - 0.25 * k, view->position[Z][i]));
  return largest;
}

/* Growth rate from the time start until the distance reaches 1 cm, by least squares in its logarithm; NaN with fewer than 5 frames. */
static double growth(const double *distance, double start) {
  double t[FRAMES + 1], log_of[FRAMES + 1];
  int count = 0;
  for (int k = 0; k <= FRAMES; k++) {
    const double time = k * DURATION / FRAMES;
    if (time < start) continue;
    if (distance[k] >= 1e-2) break;
    t[count] = time, log_of[count++] = log(distance[k]);
  }
  return count < 5 ? NAN : line_through(t, log_of, count).slope;
}

static void wind(example *e, scene_table *table, const variation *v) {
  static double distance[RODS][FRAMES + 1];
  drive of[RODS];
  elastica_rod *rod[RODS];
  elastica_world *world = example_world(e);
  double rate = 0, level[RODS], term[RODS];
  int count = 0;
  for (int k = 0; k < RODS; k++) {
    of[k].angle = (0.96 + 0.02 * k) * v->critical;
    rod[k] = add_rod(e, world, v, k, &of[k]);
    rate = scene_damp(e, world, rod[k], LENGTH, RADIUS, MODULUS, 0);
  }
  for (int f = 0; f <= FRAMES; f++) {
    example_advance(e, world, f * DURATION / FRAMES);
    for (int k = 0; k < RODS; k++) distance[k][f] = sideways(rod[k], k);
  }
  example_worked(e, v->n);
  for (int k = 0; k < RODS && count < 3; k++) {
    double s = growth(distance[k], 8);
    if (isnan(s)) s = growth(distance[k], TURN);
    if (!(s > 0.05)) continue;
    level[count] = 0.96 + 0.02 * k, term[count++] = s * s + rate * s;
  }
  char name[64];
  snprintf(name, sizeof name, "twist_%s_critical", v->name);
  double error = NAN;
  if (count == 3) {
    const line through = line_through(level, term, count);
    error = -through.at_zero / through.slope - 1;
  }
  scene_row(e, table, name, error, 0.03, e->run.seconds, v->published[0], v->published[1]);
  example_done(e, world);
}

static const variation VARIATIONS[] = {
    {"n25", 25, 1, 10, 15.64328, {{0.0224, 35}, {NAN, 2.75}}},    {"n50", 50, 0, 10, 15.64328, {{0.0110, 39}, {NAN, 2.25}}},
    {"n100", 100, 0, 10, 15.64328, {{0.0091, 165}, {NAN, 1.95}}}, {"tau_1", 50, 0, 1, 13.70210, {{0.0115, 39}, {NAN, 2.4}}},
    {"tau_30", 50, 0, 30, 19.67025, {{0.0511, 39}, {NAN, 1.95}}},
};

void scene_twist(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++)
    if (VARIATIONS[k].quick || e->options.mode != EXAMPLE_QUICK) wind(e, table, &VARIATIONS[k]);
}
