/* The cost of an equilibrium and of its modes: the minimum of several runs.
 *
 *   statics n N relax R ms evaluations E modes M ms
 *
 * R  milliseconds to relax a straight cantilever under a load at its tip, the verdict included
 * M  milliseconds to find its ten lowest modes
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

static elastica_world *make_cantilever(int elements) {
  elastica_world *world = NULL;
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
  require(world, elastica_world_create(NULL, &world));
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

void bench_statics(int quick) {
  static const int sizes[] = {10, 100, 1000};
  for (int k = 0; k < 3; k++) {
    double relax = 1e9, modes = 1e9;
    elastica_relax_result result = {0};
    for (int run = 0; run < (quick ? 1 : 20); run++) {
      elastica_world *world = make_cantilever(sizes[k]);
      const double start = bench_processor_seconds();
      require(world, elastica_world_relax(world, NULL, &result));
      const double time = bench_processor_seconds() - start, of_modes = find_modes(world);
      if (time < relax) relax = time;
      if (of_modes < modes) modes = of_modes;
      elastica_world_destroy(world);
    }
    printf("statics n %d relax %.3f ms evaluations %ld modes %.3f ms\n", sizes[k], 1e3 * relax, result.evaluations, 1e3 * modes);
  }
}
