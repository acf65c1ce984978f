/* Crossing: two ropes between pins, the upper one across and on the lower one, frictionless; held against two elasticas with weight that
 * stretch and press on each other with their centre lines two radii apart (crossing_elastica.c). The lift is that of the upper middle from
 * where it would hang alone.
 */
#include "referee/crossing_elastica.h"
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 1, RADIUS = 0.005, SPAN = 0.8; /* [m] */
static const double LAYER = 1e7;                            /* [Pa] of the contact: pressed in by 5e-3 RADIUS */

typedef struct variation {
  const char *name;
  int n, quick;                   /* odd, so that middles of elements touch; and 2 n - 1 */
  double drop, modulus, force;    /* [m] [Pa]; of the reference to 1e-4 [N] */
  scene_published shape, lift[2]; /* PyElastica: with 2 n - 1; with n and 2 n - 1 */
} variation;

static const variation VARIATIONS[] = {
    {"base", 51, 1, 0.1, 1e6, 0.2668, {2.6e-4, NAN}, {{3e-3, NAN}, {1.3e-4, NAN}}},
    {"drop_0.05", 51, 0, 0.05, 1e6, 0.1882, {NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}},
    {"drop_0.2", 51, 0, 0.2, 1e6, 0.3602, {NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}},
    {"E_1e7", 51, 0, 0.1, 1e7, 0.5762, {NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}},
    {"E_1e5", 101, 0, 0.1, 1e5, 0.1847, {NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}},
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
    elastica_boundary_def plane;
    elastica_boundary_def_init(&plane, sizeof plane);
    plane.kind = ELASTICA_BOUNDARY_PIN;
    plane.node = i;
    plane.axes = upper ? ELASTICA_AXIS_X : ELASTICA_AXIS_Y;
    if (i == n / 2) plane.kind = ELASTICA_BOUNDARY_FRAME, plane.element = i; /* the middle is level */
    example_require(e, world, elastica_add_boundary(world, rod, &plane, NULL));
  }
  return rod;
}

static double force_between(const example *e, const elastica_world *world, elastica_effect *touch) {
  elastica_contact_point points[16];
  int count = 0;
  double force = 0;
  example_require(e, world, elastica_contact_get(touch, points, 16, &count));
  for (int k = 0; k < count && k < 16; k++) force += points[k].force;
  return force;
}

/* Largest distance of a node from the reference. */
static double off_shape(const crossing_elastica *exact, elastica_rod *const rope[2]) {
  double off = 0;
  for (int k = 0; k < 2; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(rope[k]);
    for (int i = 0; i < view->node_count; i++)
      off = fmax(off, scene_distance(exact->x[k], exact->z[k], ELASTICA_POINTS + 1, fabs(view->position[k ? Y : X][i]),
                                     view->position[Z][i] - exact->middle[k]));
  }
  return off;
}

/* Returns the force between them. */
static double cross(example *e, scene_table *table, const variation *v, const crossing_elastica *exact, int finer) {
  static const scene_published NONE = {NAN, NAN};
  const int n = finer ? 2 * v->n - 1 : v->n, is_base = v->quick;
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
  const double force = force_between(e, world, touch), seconds = e->run.seconds;
  double z[2];
  for (int k = 0; k < 2; k++) { /* the middle of the middle element */
    const double *height = elastica_rod_get_view(rope[k])->position[Z];
    z[k] = (height[n / 2] + height[n / 2 + 1]) / 2;
  }
  snprintf(name, sizeof name, "crossing_%s_n%d_shape", v->name, n);
  scene_row(e, table, name, off_shape(exact, rope) / LENGTH, NAN, seconds, finer ? v->shape : NONE,
            is_base && !finer ? (scene_published){0.011, NAN} : NONE);
  snprintf(name, sizeof name, "crossing_%s_n%d_lift", v->name, n);
  scene_row(e, table, name, (z[1] - exact->middle[1]) / (exact->middle[1] + v->drop + exact->free_depth), 5e-3, seconds, v->lift[finer],
            is_base && !finer ? (scene_published){5e-4, NAN} : NONE);
  snprintf(name, sizeof name, "crossing_%s_n%d_force", v->name, n);
  scene_row(e, table, name, force / exact->force - 1, NAN, seconds, NONE, NONE);
  example_inform(e, (z[1] - z[0]) / (2 * RADIUS), "crossing_%s_n%d_middles_apart_in_diameters", v->name, n);
  example_done(e, world);
  return force;
}

void scene_crossing(example *e, scene_table *table) {
  static crossing_elastica exact;
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++) {
    const variation *v = &VARIATIONS[k];
    if (!v->quick && e->options.mode == EXAMPLE_QUICK) continue;
    const double area = acos(-1) * RADIUS * RADIUS;
    exact = (crossing_elastica){.length = LENGTH, .span = SPAN, .drop = v->drop, .gap = 2 * RADIUS};
    exact.weight = SCENE_DENSITY * SCENE_GRAVITY * area;
    exact.stretch = v->modulus * area;
    exact.bending = v->modulus * area * RADIUS * RADIUS / 4;
    const int solved = crossing_elastica_solve(&exact);
    example_check(e, solved ? exact.force : NAN, v->force, 1e-4, "crossing_%s_force_of_the_reference", v->name);
    const double coarse = cross(e, table, v, &exact, 0), fine = cross(e, table, v, &exact, 1), finer = pow((2.0 * v->n - 1) / v->n, 2);
    example_check(e, fine + (fine - coarse) / (finer - 1), exact.force, 3e-3 * exact.force, "crossing_%s_force_limit", v->name);
  }
}
