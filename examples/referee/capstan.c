/* Capstan: a rope lies over a fixed drum; 0.15 m hang on one side, and on the other a share, the overhang, of the length that Euler's and
 * Eytelwein's rule holds, the rope's own weight on the drum included. Below 1 it should hold. There is no score: the row is the largest
 * rise of the light end, and a slide below a tenth of the drum's radius counts as holding.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static const double RADIUS = 1e-3, MODULUS = 3e5, DRUM = 0.05, WIDTH = 0.1, LIGHT = 0.15, DURATION = 2; /* [m] [Pa] [m] [m] [m] [s] */
static const double STIFFNESS = 10, DAMPING = 1e-4, SLIP = 1e-4; /* [N/m] [kg/s] of an element on the drum; [m/s] */
enum { N = 100, FRAMES = 100 };

typedef struct variation {
  const char *name;
  int quick;
  double overhang, friction;
  scene_published published[2]; /* mm */
} variation;

static const variation VARIATIONS[] = {
    {"overhang_0.5", 1, 0.5, 0.3, {{0.82, 2.4}, {0.85, 33}}}, {"overhang_0.8", 1, 0.8, 0.3, {{142, 2.2}, {2.5, 25}}},
    {"overhang_0.95", 0, 0.95, 0.3, {{209, 1.7}, {4.0, 23}}}, {"overhang_1.1", 1, 1.1, 0.3, {{212, 1.5}, {213, 13}}},
    {"overhang_1.5", 0, 1.5, 0.3, {{220, 1.4}, {221, 8}}},    {"mu_0.1", 0, 0.8, 0.1, {{0.43, 2.5}, {0.42, 44}}},
    {"mu_0.6", 0, 0.8, 0.6, {{214, 1.5}, {13.9, 11}}},
};

/* Length that balances LIGHT at the limit. */
static double longest(double mu) {
  const double around = DRUM + RADIUS, grown = exp(mu * acos(-1));
  return LIGHT * grown + around * 2 * mu / (1 + mu * mu) * (grown + 1);
}

/* The stretched rope, by many short pieces: hanging, over the drum with a tension that grows evenly in its logarithm, hanging. */
static double lay(double light, double heavy, double *place) {
  enum { PIECES = 200 }; /* of an element */
  const double area = acos(-1) * RADIUS * RADIUS, weight = SCENE_DENSITY * SCENE_GRAVITY * area, stiffness = MODULUS * area;
  const double around = DRUM + RADIUS, pi = acos(-1), step = (light + heavy + pi * around) / (N * PIECES);
  const double tension[2] = {weight * light, weight * heavy};
  double hung = light, stretched = light + weight * light * light / (2 * stiffness), angle = 0, below = 0;
  for (int k = 0; k <= N * PIECES; k++) {
    if (k % PIECES == 0) {
      const int i = k / PIECES;
      place[component(i, Y)] = 0;
      if (stretched > 0 && hung > 0) {
        place[component(i, X)] = -around, place[component(i, Z)] = -stretched;
      } else if (angle < pi) {
        place[component(i, X)] = -around * cos(angle), place[component(i, Z)] = around * sin(angle);
      } else {
        place[component(i, X)] = around, place[component(i, Z)] = -below;
      }
    }
    if (hung > 0) { /* the weight below this point */
      stretched -= step * (1 + weight * (light - hung) / stiffness);
      hung -= step;
    } else if (angle < pi) {
      angle += step / around * (1 + tension[0] * pow(tension[1] / tension[0], angle / pi) / stiffness);
    } else {
      below += step * (1 + (tension[1] - weight * below) / stiffness);
    }
  }
  return step * N * PIECES;
}

static void slide(example *e, scene_table *table, const variation *v) {
  double place[3 * (SCENE_MOST + 1)], rise = 0;
  const double length = lay(LIGHT, v->overhang * longest(v->friction), place);
  elastica_world *world = example_world(e);
  elastica_rod *rod = scene_rod(e, world, N, length, RADIUS, MODULUS, place, (const double[]){0, 1, 0});
  elastica_obstacle_def drum;
  elastica_obstacle_def_init(&drum, sizeof drum);
  drum.shape = ELASTICA_SHAPE_CYLINDER;
  drum.normal[Y] = 1, drum.normal[Z] = 0;
  drum.radius = DRUM;
  drum.length = WIDTH;
  drum.stiffness = STIFFNESS;
  drum.damping = DAMPING;
  drum.friction_limit = ELASTICA_FRICTION_ELLIPTIC;
  drum.slip_velocity = SLIP;
  for (int a = 0; a < 3; a++) drum.static_friction[a] = drum.kinetic_friction[a] = v->friction;
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -SCENE_GRAVITY}, NULL));
  scene_damp(e, world, rod, length, RADIUS, MODULUS, 1);
  example_require(e, world, elastica_add_obstacle(world, rod, &drum, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double start = view->position[Z][0];
  elastica_vtk *vtk = e->options.mode == EXAMPLE_QUICK && v->overhang == 1.1 ? example_vtk(e, world, "referee") : NULL;
  for (int k = 0; k <= FRAMES; k++) {
    example_advance(e, world, k * DURATION / FRAMES);
    if (k % 2 == 0) output_frame(&e->output, world, vtk);
    rise = fmax(rise, view->position[Z][0] - start);
  }
  example_worked(e, N);
  char name[64];
  snprintf(name, sizeof name, "capstan_%s_slide_mm", v->name);
  scene_row(e, table, name, 1e3 * rise, v->overhang < 1 ? 1e2 * DRUM : NAN, e->run.seconds, v->published[0], v->published[1]);
  example_done(e, world);
}

void scene_capstan(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++)
    if (VARIATIONS[k].quick || e->options.mode != EXAMPLE_QUICK) slide(e, table, &VARIATIONS[k]);
}
