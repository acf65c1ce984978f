/* Crossing: two ropes between pins, the upper one across and on the lower one, frictionless; held against two elasticas with weight that
 * stretch and press on each other with their centre lines two radii apart. The shapes of that reference are not repeated here: the row is
 * the place of the upper middle over how far it is lifted, and the force.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 1, RADIUS = 0.005, SPAN = 0.8; /* [m] */
static const double LAYER = 1e7;                            /* [Pa] of the contact: pressed in by 5e-3 RADIUS */
static const double SAG = 0.268581;                         /* [m] of the free upper rope, E = 1e6 */

typedef struct variation {
  const char *name;
  int n, quick;                       /* odd, so that middles of elements touch; and 2 n - 1 */
  double drop, modulus, force, upper; /* [m] [Pa]; of the reference: [N], to 1e-4, and z of the upper middle [m], where it is known */
  scene_published lift[2];            /* PyElastica, with n and 2 n - 1; MuJoCo below */
} variation;

static const variation VARIATIONS[] = {
    {"base", 51, 1, 0.1, 1e6, 0.2668, -0.27791, {{3e-3, NAN}, {1.3e-4, NAN}}},
    {"drop_0.05", 51, 0, 0.05, 1e6, 0.1882, NAN, {{NAN, NAN}, {NAN, NAN}}},
    {"drop_0.2", 51, 0, 0.2, 1e6, 0.3602, NAN, {{NAN, NAN}, {NAN, NAN}}},
    {"E_1e7", 51, 0, 0.1, 1e7, 0.5762, NAN, {{NAN, NAN}, {NAN, NAN}}},
    {"E_1e5", 101, 0, 0.1, 1e5, 0.1847, NAN, {{NAN, NAN}, {NAN, NAN}}},
};

/* The lower or the upper rope between its pins. Both keep to their planes, and the middle to its level: without friction the ropes would
 * slide off each other. */
static elastica_rod *add_rope(example *e, elastica_world *world, const variation *v, int n, int upper) {
  double arc[3 * (SCENE_MOST + 1)], place[3 * (SCENE_MOST + 1)];
  scene_arc(n, LENGTH, SPAN, arc);
  double lowest = 0;
  for (int i = 0; i <= n; i++) lowest = fmin(lowest, arc[component(i, Z)]);
  /* The middle of the upper rope begins 1 cm above touch. */
  const double squeeze = upper ? (-lowest - v->drop - 2 * RADIUS - 0.01) / -lowest : 1;
  for (int i = 0; i <= n; i++) {
    place[component(i, X)] = upper ? 0 : arc[component(i, X)] - SPAN / 2;
    place[component(i, Y)] = upper ? arc[component(i, X)] - SPAN / 2 : 0;
    place[component(i, Z)] = squeeze * arc[component(i, Z)] - (upper ? v->drop : 0);
  }
  elastica_rod *rod = scene_rod(e, world, n, LENGTH, RADIUS, v->modulus, place, (const double[]){upper ? 1 : 0, upper ? 0 : 1, 0});
  scene_pin(e, world, rod, 0);
  scene_pin(e, world, rod, -1);
  for (int i = 1; i < n; i++) { /* in its plane */
    elastica_pin_def plane;
    elastica_pin_def_init(&plane, sizeof plane);
    plane.node = i;
    plane.axes = upper ? ELASTICA_AXIS_X : ELASTICA_AXIS_Y;
    if (i == n / 2) plane.hold_frame = 1, plane.element = i; /* the middle is level */
    example_require(e, world, elastica_add_pin(world, rod, &plane, NULL));
  }
  return rod;
}

/* Returns the force between them. */
static double cross(example *e, scene_table *table, const variation *v, int finer) {
  const int n = finer ? 2 * v->n - 1 : v->n;
  char name[64];
  elastica_world *world = example_world(e);
  elastica_rod *rope[2];
  elastica_effect *touch = NULL;
  for (int k = 0; k < 2; k++) rope[k] = add_rope(e, world, v, n, k);
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = LAYER;
  contact.self = 0;
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -SCENE_GRAVITY}, NULL));
  example_require(e, world, elastica_add_contact(world, NULL, &contact, &touch));
  example_relax(e, world);
  elastica_contact_point points[16];
  int count = 0;
  double force = 0, z[2];
  example_require(e, world, elastica_contact_get(touch, points, 16, &count));
  for (int k = 0; k < count && k < 16; k++) force += points[k].force;
  for (int k = 0; k < 2; k++) { /* the middle of the middle element */
    const double *height = elastica_rod_get_view(rope[k])->position[Z];
    z[k] = (height[n / 2] + height[n / 2 + 1]) / 2;
  }
  snprintf(name, sizeof name, "crossing_%s_n%d_force", v->name, n);
  scene_row(e, table, name, force / v->force - 1, NAN, e->run.seconds, (scene_published){NAN, NAN}, (scene_published){NAN, NAN});
  if (!isnan(v->upper)) {
    snprintf(name, sizeof name, "crossing_%s_n%d_lift", v->name, n);
    scene_row(e, table, name, (z[1] - v->upper) / (v->upper + v->drop + SAG), 5e-3, e->run.seconds, v->lift[finer],
              (scene_published){5e-4, NAN});
  }
  example_inform(e, (z[1] - z[0]) / (2 * RADIUS), "crossing_%s_n%d_middles_apart_in_diameters", v->name, n);
  example_done(e, world);
  return force;
}

void scene_crossing(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++) {
    const variation *v = &VARIATIONS[k];
    if (!v->quick && e->options.mode == EXAMPLE_QUICK) continue;
    const double coarse = cross(e, table, v, 0), fine = cross(e, table, v, 1), finer = pow((2.0 * v->n - 1) / v->n, 2);
    example_check(e, fine + (fine - coarse) / (finer - 1), v->force, 3e-3 * v->force, "crossing_%s_force_limit", v->name);
  }
}
