/* Pile: a rope of 1.5 m is let down onto a floor, where it folds into loops, and held. There is no reference, and small causes change the
 * loops: height, footprint (largest distance from the mean) and contacts of the pile are shown, without the 0.3 m below the clamp.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LENGTH = 1.5, RADIUS = 0.0025, GAP = 0.02, REST = 0.15, HELD = 1, LEFT_OUT = 0.3; /* [m]; HELD [s] */
static const double LAYER = 1e5;                                  /* [Pa] of the rope, which its own weight presses in by 8e-4 RADIUS */
static const double STIFFNESS = 100, DAMPING = 1e-3, SLIP = 1e-3; /* [N/m] [kg/s] of an element on the floor; [m/s] */
static const double STEP = 4e-5;                                  /* [s] of E = 1e6: half of the limit, by shear */
enum { N = 100, FRAMES = 200 };

typedef struct variation {
  const char *name;
  int normal; /* 1: without --full, too */
  double modulus, friction, speed;
} variation;

static const variation VARIATIONS[] = {
    {"base", 1, 1e6, 0.3, 0.4},   {"E_1e5", 0, 1e5, 0.3, 0.4},     {"E_1e7", 0, 1e7, 0.3, 0.4},     {"mu_0.1", 0, 1e6, 0.1, 0.4},
    {"mu_0.6", 0, 1e6, 0.6, 0.4}, {"speed_0.2", 0, 1e6, 0.3, 0.2}, {"speed_0.8", 0, 1e6, 0.3, 0.8},
};

typedef struct drive {
  double from, speed;
} drive;

static elastica_status sink(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const drive *of = user;
  const double z = of->from - of->speed * time;
  (void)director, (void)omega;
  position[Z] = z > REST ? z : REST;
  velocity[Z] = z > REST ? -of->speed : 0;
  return ELASTICA_OK;
}

static double dot(const double a[3], const double b[3]) {
  return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* Distance of two elements, by turns the nearest point of each to that of the other. */
static double element_distance(const elastica_rod_view *view, int i, int j) {
  double along[2][3], start[2][3], share[2] = {0.5, 0.5}, gap[3] = {0};
  for (int a = 0; a < 3; a++) {
    const double *place = view->position[a];
    start[0][a] = place[i], along[0][a] = place[i + 1] - place[i];
    start[1][a] = place[j], along[1][a] = place[j + 1] - place[j];
  }
  for (int pass = 0; pass < 40; pass++) {
    const int k = pass % 2;
    double from[3];
    for (int a = 0; a < 3; a++) from[a] = start[!k][a] + share[!k] * along[!k][a] - start[k][a];
    share[k] = fmax(0, fmin(1, dot(from, along[k]) / dot(along[k], along[k])));
    for (int a = 0; a < 3; a++) gap[a] = from[a] - share[k] * along[k][a];
  }
  return sqrt(dot(gap, gap));
}

static void show(example *e, scene_table *table, const variation *v, const elastica_rod_view *view, double seconds) {
  static const scene_published NONE = {NAN, NAN};
  const int first = (int)lround(LEFT_OUT / LENGTH * N);
  double top = 0, middle[2] = {0}, wide = 0;
  int contacts = 0;
  for (int i = first; i <= N; i++)
    for (int a = 0; a < 2; a++) middle[a] += view->position[a][i] / (N + 1 - first);
  for (int i = first; i <= N; i++) {
    top = fmax(top, view->position[Z][i] + RADIUS);
    wide = fmax(wide, hypot(view->position[X][i] - middle[X], view->position[Y][i] - middle[Y]));
  }
  const int skip = 1 + (int)ceil(0.8 * acos(-1) * RADIUS / (LENGTH / N));
  for (int i = first; i < N; i++) {
    for (int j = i + skip; j < N; j++) contacts += element_distance(view, i, j) < 2.2 * RADIUS;
  }
  char name[64];
  snprintf(name, sizeof name, "pile_%s_height_diameters", v->name);
  scene_row(e, table, name, top / (2 * RADIUS), NAN, seconds, NONE, NONE);
  snprintf(name, sizeof name, "pile_%s_footprint_m", v->name);
  const int is_base = strcmp(v->name, "base") == 0;
  scene_row(e, table, name, wide, NAN, seconds, is_base ? (scene_published){0.08, 18} : NONE,
            is_base ? (scene_published){0.05, 173} : NONE);
  snprintf(name, sizeof name, "pile_%s_contacts", v->name);
  scene_row(e, table, name, contacts, NAN, seconds, is_base ? (scene_published){8, 18} : NONE, is_base ? (scene_published){5, 173} : NONE);
}

static void drop(example *e, scene_table *table, const variation *v) {
  const double strain = SCENE_DENSITY * SCENE_GRAVITY * LENGTH / v->modulus, pi = acos(-1);
  double place[3 * (SCENE_MOST + 1)];
  drive of = {GAP + LENGTH * (1 + strain / 2), v->speed};
  for (int i = 0; i <= N; i++) {
    const double s = (double)i / N;
    place[component(i, X)] = 1e-3 * LENGTH * sin(pi * s);
    place[component(i, Y)] = 1e-3 * LENGTH * sin(2 * pi * s);
    place[component(i, Z)] = of.from - LENGTH * (s + strain * (s - s * s / 2));
  }
  elastica_world *world = example_world(e);
  elastica_rod *rod = scene_rod(e, world, N, LENGTH, RADIUS, v->modulus, place, (const double[]){1, 0, 0});
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  const double down[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
  memcpy(clamp.director, down, sizeof down);
  clamp.motion = sink;
  clamp.user = &of;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -SCENE_GRAVITY}, NULL));
  scene_damp(e, world, rod, LENGTH, RADIUS, v->modulus, 1);
  elastica_obstacle_def floor;
  elastica_obstacle_def_init(&floor, sizeof floor);
  floor.stiffness = STIFFNESS;
  floor.damping = DAMPING;
  floor.friction_limit = ELASTICA_FRICTION_ELLIPTIC;
  floor.slip_velocity = SLIP;
  for (int a = 0; a < 3; a++) floor.static_friction[a] = floor.kinetic_friction[a] = v->friction;
  example_require(e, world, elastica_add_obstacle(world, rod, &floor, NULL));
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = LAYER;
  contact.friction = v->friction;
  contact.damping = 1;
  example_require(e, world, elastica_add_contact(world, rod, &contact, NULL));
  const double duration = (of.from - REST) / v->speed + HELD;
  const int is_base = strcmp(v->name, "base") == 0;
  if (e->dt == 0) e->dt = STEP * fmin(1, sqrt(1e6 / v->modulus));
  elastica_vtk *vtk = is_base ? example_vtk(e, world, "referee") : NULL;
  for (int k = 0; k <= FRAMES; k++) {
    example_advance(e, world, k * duration / FRAMES);
    if (k % 2 == 0) output_frame(&e->output, world, vtk);
  }
  example_worked(e, N);
  show(e, table, v, elastica_rod_get_view(rod), e->run.seconds);
  example_done(e, world);
  e->dt = e->options.dt;
}

void scene_pile(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++)
    if (VARIATIONS[k].normal ? e->options.mode != EXAMPLE_QUICK : e->options.mode == EXAMPLE_FULL) drop(e, table, &VARIATIONS[k]);
}
