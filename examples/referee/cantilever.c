/* Cantilever: L = 1 along x, a force of 7.5 mN on its end, without gravity; held against F L^3/(3 E I), which has neither shear nor large
 * deflection: they change the tip by 1e-4 of it.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 1, RADIUS = 0.02, MODULUS = 1e6, LOAD = 7.5e-3; /* [m] [m] [Pa] [N] */

void scene_cantilever(example *e, scene_table *table) {
  static const struct {
    int n;
    scene_published pyelastica, mujoco;
  } ROW[3] = {{10, {0.144, 0.22}, {0.145, 0.03}}, {20, {0.0731, 0.25}, {0.0741, 0.28}}, {40, {0.0367, 0.83}, {0.0376, 5.0}}};
  const double exact = LOAD * pow(LENGTH, 3) / (3 * MODULUS * acos(-1) * pow(RADIUS, 4) / 4);
  for (int k = 0; k < 3; k++) {
    const int n = ROW[k].n;
    double place[3 * (SCENE_MOST + 1)] = {0};
    elastica_world *world = example_world(e);
    for (int i = 0; i <= n; i++) place[component(i, X)] = LENGTH * i / n;
    elastica_rod *rod = scene_rod(e, world, n, LENGTH, RADIUS, MODULUS, place, (const double[]){0, 1, 0});
    elastica_boundary_def clamp;
    elastica_boundary_def_init(&clamp, sizeof clamp);
    example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
    elastica_point_load_def tip;
    elastica_point_load_def_init(&tip, sizeof tip);
    tip.force[Z] = -LOAD;
    example_require(e, world, elastica_add_point_load(world, rod, &tip, NULL));
    example_relax(e, world);
    const double error = fabs(elastica_rod_get_view(rod)->position[Z][n] + exact) / exact;
    char name[64];
    snprintf(name, sizeof name, "cantilever_n%d_tip_deflection", n);
    scene_row(e, table, name, error, 0.08, e->run.seconds, ROW[k].pyelastica, ROW[k].mujoco);
    example_done(e, world);
  }
}
