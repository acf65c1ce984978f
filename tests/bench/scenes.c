/* The scenes: each the rod of a published case with everything that case needs. */
#include "scenes.h"

/* A cantilever (half-cell clamp, tip force, dissipation): what every rod pays. */
static elastica_status passive(elastica_world *world, int elements, double *dt) {
  elastica_rod_def def;
  elastica_clamp_def clamp;
  elastica_point_load_def load;
  elastica_dissipation_def dissipation;
  elastica_rod *rod = NULL;
  (void)dt;
  elastica_rod_def_init(&def, sizeof def);
  elastica_clamp_def_init(&clamp, sizeof clamp);
  elastica_point_load_def_init(&load, sizeof load);
  elastica_dissipation_def_init(&dissipation, sizeof dissipation);
  def.element_count = elements;
  def.length = 3.0;
  def.radius = 0.25;
  def.density = 5000.0;
  def.youngs_modulus = 1e6;
  def.shear_modulus = 1e4;
  load.force[0] = -15.0;
  dissipation.translation = 1200.0;
  dissipation.rotation = 10.0;
  elastica_status status = elastica_world_add_rod(world, &def, &rod);
  if (status == ELASTICA_OK) status = elastica_add_clamp(world, rod, &clamp, NULL);
  if (status == ELASTICA_OK) status = elastica_add_point_load(world, rod, &load, NULL);
  if (status == ELASTICA_OK) status = elastica_add_dissipation(world, rod, &dissipation, NULL);
  return status;
}

const bench_scene bench_scenes[] = {
    {"passive", {20, 50, 100, 400, 1600, 100000, 0}, passive},
};
const int bench_scene_count = sizeof bench_scenes / sizeof bench_scenes[0];
