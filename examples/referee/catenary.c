/* Catenary: a rope of L = 1 between pins, from an arc; held against the elastic catenary, which does not bend: at the span 0.6 and with the
 * softest rope that, not n, is most of the error.
 */
#include "referee/elastic_catenary.h"
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 1, RADIUS = 0.005; /* [m] */
enum { CURVE = 2000 };

typedef struct variation {
  const char *name;
  int n;
  double span, modulus;
  scene_published shape[2], sag[2]; /* PyElastica, MuJoCo */
} variation;

static const variation VARIATIONS[] = {
    {"n25", 25, 0.8, 1e6, {{4.1e-4, 0.49}, {3.3e-3, 0.44}}, {{1.7e-3, 0.49}, {0.0145, 0.44}}},
    {"n50", 50, 0.8, 1e6, {{4.5e-4, 0.61}, {3.3e-3, 4.9}}, {{1.4e-4, 0.61}, {0.0123, 4.9}}},
    {"n100", 100, 0.8, 1e6, {{4.6e-4, 0.89}, {3.3e-3, 131}}, {{3.0e-4, 0.89}, {0.0122, 131}}},
    {"span_0.6", 50, 0.6, 1e6, {{2.8e-3, 0.61}, {4.7e-3, 5.0}}, {{7.7e-3, 0.61}, {0.0129, 5.0}}},
    {"span_0.95", 50, 0.95, 1e6, {{3.7e-4, 0.63}, {0.0109, 5.0}}, {{1.9e-3, 0.63}, {0.0742, 5.0}}},
    {"E_1e5", 50, 0.8, 1e5, {{1.2e-3, 0.22}, {0.0298, 1.6}}, {{4.0e-3, 0.22}, {0.101, 1.6}}},
    {"E_1e7", 50, 0.8, 1e7, {{1.6e-3, 2.0}, {1.7e-3, 15.8}}, {{9.0e-4, 2.0}, {3.7e-4, 15.8}}},
};

static void hang(example *e, scene_table *table, const variation *v) {
  const double area = acos(-1) * RADIUS * RADIUS, weight = SCENE_DENSITY * area * SCENE_GRAVITY;
  const elastic_catenary exact = elastic_catenary_solve(LENGTH, v->span, weight, v->modulus * area);
  double place[3 * (SCENE_MOST + 1)], x[CURVE + 1], z[CURVE + 1], lowest = 0, off = 0;
  char name[64];
  elastica_world *world = example_world(e);
  scene_arc(v->n, LENGTH, v->span, place);
  elastica_rod *rod = scene_rod(e, world, v->n, LENGTH, RADIUS, v->modulus, place, (const double[]){0, 1, 0});
  scene_pin(e, world, rod, 0);
  scene_pin(e, world, rod, -1);
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -SCENE_GRAVITY}, NULL));
  example_relax(e, world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k <= CURVE; k++) elastic_catenary_point(&exact, LENGTH * k / CURVE, &x[k], &z[k]);
  for (int i = 0; i <= v->n; i++) {
    off = fmax(off, scene_distance(x, z, CURVE + 1, view->position[X][i], view->position[Z][i]));
    lowest = fmin(lowest, view->position[Z][i]);
  }
  snprintf(name, sizeof name, "catenary_%s_shape", v->name);
  scene_row(e, table, name, off / LENGTH, NAN, e->run.seconds, v->shape[0], v->shape[1]);
  snprintf(name, sizeof name, "catenary_%s_sag", v->name);
  scene_row(e, table, name, fabs(lowest / z[CURVE / 2] - 1), v->span < 0.8 ? NAN : 2e-3, e->run.seconds, v->sag[0], v->sag[1]);
  example_done(e, world);
}

void scene_catenary(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++) hang(e, table, &VARIATIONS[k]);
}
