/* Memory of a relaxation: one block, so that one release frees everything. */
#include "base/target.h"

#include "statics/relax.h"

#include <stdint.h>

enum { STATE_LANES = 12, STATES = 3, STATICS_PER_UNKNOWN = 5, VECTORS = 6, STRESSES = 2 };

static double *take(double **memory, size_t count) {
  double *taken = *memory;
  *memory += count;
  return taken;
}

static size_t count_doubles(const eli_relaxation *relaxation, size_t tangents) {
  const size_t size = relaxation->size, lanes = 2 * STATE_LANES;
  return tangents + eli_secant_size(size) + (STATES * STATICS_PER_UNKNOWN + VECTORS) * size + STRESSES * 3 * relaxation->blocks +
         lanes * relaxation->world->bodies.slab.end;
}

/* Returns the number of bytes of the arrays of other types than double. */
static size_t count_bytes(const eli_relaxation *relaxation) {
  const size_t per_rod = sizeof(elastica_rod *) + sizeof(eli_tangent) + 3 * sizeof(eli_residual) + sizeof(eli_origin) + sizeof(size_t) + 1;
  return relaxation->blocks * (sizeof(eli_reaction) + 2) + (size_t)relaxation->rod_count * per_rod + relaxation->size;
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
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->saved[k] = take(memory, slots);
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->parked[k] = take(memory, slots);
}

/* Places these arrays in the order of their alignment. */
static void place_arrays(eli_relaxation *relaxation, void *memory) {
  const size_t rods = (size_t)relaxation->rod_count;
  relaxation->reactions = memory;
  relaxation->rods = (elastica_rod **)(relaxation->reactions + relaxation->blocks);
  relaxation->tangents = (eli_tangent *)(relaxation->rods + rods);
  relaxation->residual_start = (eli_residual *)(relaxation->tangents + rods);
  relaxation->residual = relaxation->residual_start + rods;
  relaxation->residual_trial = relaxation->residual + rods;
  relaxation->origin = (eli_origin *)(relaxation->residual_trial + rods);
  relaxation->first = (size_t *)(relaxation->origin + rods);
  relaxation->definite = (unsigned char *)(relaxation->first + rods);
  relaxation->held = relaxation->definite + rods;
  relaxation->colour = relaxation->held + relaxation->size;
}

static void place_statics(const eli_relaxation *relaxation, eli_statics *statics, double **memory) {
  statics->first = relaxation->first;
  statics->total = take(memory, relaxation->size);
  statics->external = take(memory, relaxation->size);
  statics->loads = take(memory, relaxation->size);
  statics->strain = take(memory, 2 * relaxation->size);
}

/* Sets the rods of the world in their order, with first block and tangent of each. */
static void place_rods(const eli_relaxation *relaxation, double *memory) {
  size_t first = 0, r = 0;
  ELI_EACH_ROD_OF_WORLD(rod, relaxation->world) {
    rod->body->rank = r;
    relaxation->rods[r] = rod;
    relaxation->first[r] = first;
    eli_tangent_init(&relaxation->tangents[r], rod, memory);
    eli_tangent_clear_loads(&relaxation->tangents[r]);
    first += eli_block_count(rod);
    memory += eli_tangent_size(rod);
    r++;
  }
}

int eli_relax_allocate(eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  size_t tangents = 0;
  relaxation->blocks = 0;
  relaxation->rod_count = world->bodies.indices.taken;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    relaxation->blocks += eli_block_count(rod);
    tangents += eli_tangent_size(rod);
  }
  relaxation->size = 6 * relaxation->blocks;
  const size_t doubles = count_doubles(relaxation, tangents);
  if (doubles > SIZE_MAX / 2 / sizeof(double)) return 0;
  double *memory = eli_allocate(&world->allocator, 1, doubles * sizeof(double) + count_bytes(relaxation));
  if (memory == NULL) return 0;
  relaxation->memory = memory;
  double *const tangent_memory = take(&memory, tangents), *const secant_memory = take(&memory, eli_secant_size(relaxation->size));
  place_vectors(relaxation, &memory);
  place_arrays(relaxation, memory + STATES * STATICS_PER_UNKNOWN * relaxation->size);
  place_statics(relaxation, &relaxation->now, &memory);
  place_statics(relaxation, &relaxation->trial, &memory);
  place_statics(relaxation, &relaxation->probe, &memory);
  eli_secant_init(&relaxation->secant, relaxation->size, relaxation->inertia, secant_memory);
  place_rods(relaxation, tangent_memory);
  return 1;
}
