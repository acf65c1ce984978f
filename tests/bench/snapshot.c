/* The cost of saving and restoring the state of a rod in memory: the minimum of many runs.
 *
 *   snapshot n N bytes B save S us load L us
 */
#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>

#include <elastica.h>

#include "peak.h"

static void require(const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "bench: %s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(3);
}

/* A clamped rod under gravity after some steps. */
static elastica_world *make_cantilever(int elements) {
  const double gravity[3] = {0.0, 1.0, -9.81};
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  def.element_count = elements, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  require(world, elastica_world_create(NULL, &world));
  require(world, elastica_world_add_rod(world, &def, &rod));
  require(world, elastica_add_boundary(world, rod, &clamp, NULL));
  require(world, elastica_add_gravity(world, gravity, NULL));
  require(world, elastica_world_advance(world, 1e-3));
  return world;
}

/* Seconds per call: the minimum over several runs of many calls. */
static double least(elastica_world *world, unsigned char *bytes, size_t size, int load, double most) {
  enum { CALLS = 100 };
  double found = 1.0, spent = 0.0;
  while (spent < most) {
    const double start = bench_processor_seconds();
    for (int k = 0; k < CALLS; k++)
      require(world, load ? elastica_world_snapshot_load(world, bytes, size) : elastica_world_snapshot_save(world, bytes, size, NULL));
    const double time = bench_processor_seconds() - start;
    if (time / CALLS < found) found = time / CALLS;
    spent += time;
  }
  return found;
}

void bench_snapshots(int quick) {
  static const int sizes[] = {10, 100, 1000};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_cantilever(sizes[k]);
    size_t size;
    require(world, elastica_world_snapshot_save(world, NULL, 0, &size));
    unsigned char *bytes = malloc(size);
    if (bytes == NULL) exit(3);
    require(world, elastica_world_snapshot_save(world, bytes, size, NULL));
    const double save = least(world, bytes, size, 0, quick ? 0.01 : 0.3), load = least(world, bytes, size, 1, quick ? 0.01 : 0.3);
    printf("snapshot n %d bytes %zu save %.2f us load %.2f us\n", sizes[k], size, 1e6 * save, 1e6 * load);
    free(bytes);
    elastica_world_destroy(world);
  }
}
