/* Memory of a relaxation: one block, so that one release frees everything. */
#include "base/target.h"

#include "statics/relax.h"

#include <stdint.h>
#include <string.h>

enum { STATE_LANES = 12, STATES = 3, STATICS_PER_UNKNOWN = 5, VECTORS = 8, STRESSES = 2 };

static double *take(double **memory, size_t count) {
  double *taken = *memory;
  *memory += count;
  return taken;
}

static size_t count_doubles(const eli_relaxation *relaxation) {
  const size_t size = relaxation->size, lanes = 2 * STATE_LANES;
  return eli_secant_size(size) + (STATES * STATICS_PER_UNKNOWN + VECTORS) * size + STRESSES * 3 * relaxation->blocks +
         7 * (size_t)relaxation->rod_count + lanes * relaxation->world->bodies.slab.end;
}

/* Returns the number of bytes of the arrays of other types than double. */
static size_t count_bytes(const eli_relaxation *relaxation) {
  const size_t per_rod = sizeof(elastica_rod *) + 3 * sizeof(eli_residual) + sizeof(eli_origin) + sizeof(size_t);
  return relaxation->blocks * (sizeof(eli_reaction) + 4) + (size_t)relaxation->rod_count * per_rod + sizeof(size_t) + relaxation->size;
}

static void place_vectors(eli_relaxation *relaxation, double **memory) {
  const size_t size = relaxation->size, slots = relaxation->world->bodies.slab.end;
  relaxation->predicted = take(memory, 3 * relaxation->blocks);
  relaxation->predicted_trial = take(memory, 3 * relaxation->blocks);
  relaxation->inertia = take(memory, size);
  relaxation->step = take(memory, size);
  relaxation->next = take(memory, size);
  relaxation->work = take(memory, size);
  relaxation->displacement = take(memory, size);
  relaxation->adjusted = take(memory, size);
  relaxation->weight = take(memory, size);
  relaxation->pair_loads = take(memory, size);
  relaxation->support = take(memory, 6 * (size_t)relaxation->rod_count);
  relaxation->regularisation = take(memory, (size_t)relaxation->rod_count);
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->saved[k] = take(memory, slots);
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->parked[k] = take(memory, slots);
}

/* Places these arrays in the order of their alignment. */
static void place_arrays(eli_relaxation *relaxation, void *memory) {
  const size_t rods = (size_t)relaxation->rod_count;
  relaxation->reactions = memory;
  relaxation->rods = (elastica_rod **)(relaxation->reactions + relaxation->blocks);
  relaxation->residual_start = (eli_residual *)(relaxation->rods + rods);
  relaxation->residual = relaxation->residual_start + rods;
  relaxation->residual_trial = relaxation->residual + rods;
  relaxation->origin = (eli_origin *)(relaxation->residual_trial + rods);
  relaxation->first = (size_t *)(relaxation->origin + rods);
  relaxation->held = (unsigned char *)(relaxation->first + rods + 1);
  relaxation->colour = relaxation->held + relaxation->size;
  relaxation->paired = relaxation->colour + 2 * relaxation->blocks;
}

static void place_statics(const eli_relaxation *relaxation, eli_statics *statics, double **memory) {
  statics->first = relaxation->first;
  statics->total = take(memory, relaxation->size);
  statics->external = take(memory, relaxation->size);
  statics->loads = take(memory, relaxation->size);
  statics->strain = take(memory, 2 * relaxation->size);
}

/* Sets the rods of the world in their order, with the first block of each and the end of the last. */
static void place_rods(eli_relaxation *relaxation) {
  size_t first = 0, r = 0;
  ELI_EACH_ROD_OF_WORLD(rod, relaxation->world) {
    rod->body->rank = r;
    relaxation->rods[r] = rod;
    relaxation->first[r++] = first;
    relaxation->has_bodies = relaxation->has_bodies || eli_is_rigid(rod);
    first += eli_block_count(rod);
  }
  relaxation->first[r] = first;
}

int eli_relax_allocate(eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  relaxation->blocks = 0;
  relaxation->rod_count = world->bodies.indices.taken;
  ELI_EACH_ROD_OF_WORLD(rod, world) relaxation->blocks += eli_block_count(rod);
  relaxation->size = 6 * relaxation->blocks;
  const size_t doubles = count_doubles(relaxation);
  if (doubles > SIZE_MAX / 2 / sizeof(double)) return 0;
  double *memory = eli_allocate(&world->allocator, 1, doubles * sizeof(double) + count_bytes(relaxation));
  if (memory == NULL) return 0;
  relaxation->memory = memory;
  double *const secant_memory = take(&memory, eli_secant_size(relaxation->size));
  place_vectors(relaxation, &memory);
  place_arrays(relaxation, memory + STATES * STATICS_PER_UNKNOWN * relaxation->size);
  place_statics(relaxation, &relaxation->now, &memory);
  place_statics(relaxation, &relaxation->trial, &memory);
  place_statics(relaxation, &relaxation->probe, &memory);
  eli_secant_init(&relaxation->secant, relaxation->size, relaxation->inertia, secant_memory);
  place_rods(relaxation);
  memset(relaxation->pair_loads, 0, relaxation->size * sizeof(double));
  memset(relaxation->support, 0, 6 * (size_t)relaxation->rod_count * sizeof(double));
  return 1;
}
