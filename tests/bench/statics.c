/* The cost of an equilibrium, of its modes, and of implicit steps: the minimum of several runs.
 *
 *   statics n N relax R ms evaluations E modes M ms each T us ratio S
 *   implicit rods Q n N steps P iterations I each T us
 *
 * R  milliseconds to relax a straight cantilever under a load at its tip, the verdict included
 * M  milliseconds to find its ten lowest modes
 * T  microseconds of the relaxation for each element and evaluation: loads, tangent, factors, and steps; of implicit steps of a steel wire
 *    for each element and iteration
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

/* Alike cantilevers of 1 m, 1 mm thick, which fall under their weight. */
static elastica_world *make_steel_wires(const bench_wires *wires) {
  const double gravity[3] = {-9.81, 0.0, 0.0};
  elastica_world *world = NULL;
  elastica_world_def world_def;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  def.element_count = wires->elements, def.length = 1.0, def.radius = 0.0005;
  def.density = 7800.0, def.youngs_modulus = 200e9, def.shear_modulus = 77e9;
  elastica_world_def_init(&world_def, sizeof world_def);
  world_def.instruction_set = wires->set;
  world_def.worker_count = wires->workers;
  require(world, elastica_world_create(&world_def, &world));
  for (int k = 0; k < wires->count; k++) {
    require(world, elastica_world_add_rod(world, &def, &rod));
    require(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  require(world, elastica_add_gravity(world, gravity, NULL));
  return world;
}

#define IMPLICIT_STEP 1.32e-3 /* [s] */
enum { ITERATIONS = 4 };      /* of a step: two for each stage */

/* Takes so many steps; returns the seconds. */
static double step_wires(const bench_wires *wires, long steps, elastica_implicit_result *result) {
  elastica_world *world = make_steel_wires(wires);
  elastica_implicit_def def;
  elastica_implicit_def_init(&def, sizeof def);
  def.dt = IMPLICIT_STEP, def.until = IMPLICIT_STEP * (double)steps;
  const double start = bench_processor_seconds();
  require(world, elastica_world_run_implicit(world, &def, result));
  const double time = bench_processor_seconds() - start;
  elastica_world_destroy(world);
  return time;
}

void bench_take_implicit(const bench_wires *wires, long steps) {
  elastica_implicit_result result;
  (void)step_wires(wires, steps, &result);
  if (result.iterations == ITERATIONS * steps) return;
  fprintf(stderr, "bench: %ld implicit steps took %ld iterations, not %d each\n", steps, result.iterations, ITERATIONS);
  exit(3);
}

void bench_take_statics(elastica_instruction_set set, int elements, long count, int modes) {
  for (long k = 0; k < count; k++) {
    elastica_world *world = make_cantilever(set, elements);
    require(world, elastica_world_relax(world, NULL, NULL));
    if (modes) (void)find_modes(world);
    elastica_world_destroy(world);
  }
}

static void bench_implicit(const bench_wires *wires, int quick) {
  elastica_implicit_result steps = {0};
  double least = 1e9;
  for (int run = 0; run < (quick ? 1 : 20); run++) {
    const double time = step_wires(wires, 20, &steps);
    if (time < least) least = time;
  }
  printf("implicit rods %d n %d steps %ld iterations %ld each %.3f us\n", wires->count, wires->elements, steps.steps, steps.iterations,
         1e6 * least / wires->count / wires->elements / (double)steps.iterations);
}

void bench_statics(elastica_instruction_set set, int quick) {
  static const int sizes[] = {10, 100, 1000}, counts[] = {1, 1, 1, 1000, 100}, of[] = {10, 100, 1000, 10, 100};
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
  for (int k = 0; k < 5; k++) bench_implicit(&(bench_wires){set, 1, counts[k], of[k]}, quick);
}
