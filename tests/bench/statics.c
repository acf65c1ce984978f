/* The cost of an equilibrium and of its modes: the minimum of several runs.
 *
 *   statics n N relax R ms evaluations E modes M ms each T us ratio S
 *
 * R  milliseconds to relax a straight cantilever under a load at its tip, the verdict included
 * M  milliseconds to find its ten lowest modes
 * T  microseconds of the relaxation for each element and evaluation: loads, tangent, factors, and steps
 * S  M over R
 */
#include "statics.h"

#include <stdio.h>
#include <stdlib.h>

#include <elastica.h>

#include "peak.h"

static void require(const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "bench: %s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(3);
}

static elastica_world *make_cantilever(elastica_instruction_set set, int elements) {
  elastica_world *world = NULL;
  elastica_world_def world_def;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_point_load_def load;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  elastica_point_load_def_init(&load, sizeof load);
  def.element_count = elements, def.length = 1.0, def.radius = 0.01;
  def.density = 2700.0, def.youngs_modulus = 70e9, def.shear_modulus = 26e9;
  load.force[0] = 100.0;
  elastica_world_def_init(&world_def, sizeof world_def);
  world_def.instruction_set = set;
  require(world, elastica_world_create(&world_def, &world));
  require(world, elastica_world_add_rod(world, &def, &rod));
  require(world, elastica_add_boundary(world, rod, &clamp, NULL));
  require(world, elastica_add_point_load(world, rod, &load, NULL));
  return world;
}

static double find_modes(elastica_world *world) {
  elastica_modes_def def;
  elastica_modes *modes = NULL;
  elastica_modes_def_init(&def, sizeof def);
  def.count = 10;
  const double start = bench_processor_seconds();
  require(world, elastica_modes_find(world, &def, &modes));
  const double time = bench_processor_seconds() - start;
  elastica_modes_destroy(modes);
  return time;
}

void bench_take_statics(elastica_instruction_set set, int elements, long count) {
  for (long k = 0; k < count; k++) {
    elastica_world *world = make_cantilever(set, elements);
    require(world, elastica_world_relax(world, NULL, NULL));
    (void)find_modes(world);
    elastica_world_destroy(world);
  }
}

void bench_statics(elastica_instruction_set set, int quick) {
  static const int sizes[] = {10, 100, 1000};
  for (int k = 0; k < 3; k++) {
    double relax = 1e9, modes = 1e9;
    elastica_relax_result result = {0};
    for (int run = 0; run < (quick ? 1 : 20); run++) {
      elastica_world *world = make_cantilever(set, sizes[k]);
      const double start = bench_processor_seconds();
      require(world, elastica_world_relax(world, NULL, &result));
      const double time = bench_processor_seconds() - start, of_modes = find_modes(world);
      if (time < relax) relax = time;
      if (of_modes < modes) modes = of_modes;
      elastica_world_destroy(world);
    }
    printf("statics n %d relax %.3f ms evaluations %ld modes %.3f ms each %.3f us ratio %.2f\n", sizes[k], 1e3 * relax, result.evaluations,
           1e3 * modes, 1e6 * relax / sizes[k] / (double)result.evaluations, modes / relax);
  }
}
