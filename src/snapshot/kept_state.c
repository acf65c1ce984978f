/* States kept for elastica_world_rewind. Two are kept, because the newest one may date from after the beginning of a blow-up.
 *
 * test       tests/test_rewind.c
 */
#include "base/target.h"

#include <string.h>

#include "snapshot/snapshot.h"
#include "state/module.h"

static int is_of_this_build(const elastica_world *world, const eli_kept_state *state) {
  return state->taken && state->rod_count == world->bodies.rod_count && state->effect_count == world->effects.count &&
         state->living_rods == world->bodies.indices.taken && state->living_effects == world->effects.indices.taken;
}

/* Returns 1 at each multiple of the interval, and if no state of the present rods and effects is kept. */
int eli_kept_state_is_due(const elastica_world *world) {
  if (world->rewind.interval == 0) return 0;
  return world->clock.step_count % world->rewind.interval == 0 || !is_of_this_build(world, &world->rewind.states[world->rewind.newest]);
}

long eli_steps_to_kept_state(const elastica_world *world, long most) {
  if (world->rewind.interval == 0) return most;
  const long left = world->rewind.interval - world->clock.step_count % world->rewind.interval;
  return left < most ? left : most;
}

/* ---- The functions of effects ---- */

static size_t count_functions(const elastica_world *world) {
  size_t count = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) count += effect->body->kind != NULL && effect->body->kind->function != NULL;
  return count;
}

/* Keeps the present functions of effects beside a kept state. With exchange, the effects get the kept functions; a second exchange undoes
 * the first. */
static void keep_functions(const elastica_world *world, const eli_kept_state *state, int exchange) {
  unsigned char *at = state->bytes + state->size;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    eli_function now, then;
    if (kind == NULL || kind->function == NULL) continue;
    kind->function(effect->self, &now, 0);
    memcpy(&then, at, sizeof then);
    if (exchange) kind->function(effect->self, &then, 1);
    memcpy(at, &now, sizeof now);
    at += sizeof now;
  }
}

/* ---- Keeping ---- */

static elastica_status reserve(elastica_world *world, const char *function, eli_kept_state *state, size_t *size) {
  const elastica_status status = eli_world_measure(world, function, size);
  const size_t needed = *size + count_functions(world) * sizeof(eli_function);
  if (status != ELASTICA_OK || needed <= state->capacity) return status;
  void *bytes = eli_allocate(&world->allocator, 1, needed);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to keep a state of %zu bytes", function, needed);
  eli_release(&world->allocator, state->bytes);
  state->bytes = bytes;
  state->capacity = needed;
  state->taken = 0;
  return ELASTICA_OK;
}

/* Replaces the older kept state; if the newest one has the same step count, the present state replaces that one, because the world has
 * changed between steps. */
elastica_status eli_world_keep_state(elastica_world *world, const char *function) {
  const eli_kept_state *last = &world->rewind.states[world->rewind.newest];
  const int again = last->taken && last->step == world->clock.step_count, to = again ? world->rewind.newest : 1 - world->rewind.newest;
  eli_kept_state *state = &world->rewind.states[to];
  size_t size = 0;
  elastica_status status = reserve(world, function, state, &size);
  if (status != ELASTICA_OK) return status;
  state->taken = 0;
  status = eli_world_write(world, function, state->bytes, size);
  if (status != ELASTICA_OK) return status;
  state->size = size;
  keep_functions(world, state, 0);
  state->taken = 1;
  state->step = world->clock.step_count;
  state->rod_count = world->bodies.rod_count;
  state->effect_count = world->effects.count;
  state->living_rods = world->bodies.indices.taken;
  state->living_effects = world->effects.indices.taken;
  world->rewind.newest = to;
  if (!again) world->rewind.is_rewound = 0;
  return ELASTICA_OK;
}

/* ---- Going back ---- */

elastica_status eli_world_load(elastica_world *world, const char *function, const void *bytes, size_t size) {
  const elastica_status status = eli_world_read(world, function, bytes, size);
  if (status != ELASTICA_OK) return status;
  world->rewind.states[0].taken = world->rewind.states[1].taken = 0;
  world->rewind.is_rewound = 0;
  return status;
}

/* Chooses the older state if the world fails again before another state was kept: the cause of the failure is older than the newest
 * state. */
static void choose(elastica_world *world) {
  const int older = 1 - world->rewind.newest;
  if (world->report.failure == ELASTICA_OK || !world->rewind.is_rewound || !is_of_this_build(world, &world->rewind.states[older])) return;
  world->rewind.states[world->rewind.newest].taken = 0;
  world->rewind.newest = older;
}

/* Reads a kept state. If it has other rods or effects, the functions stay and eli_world_read refuses it with the difference. */
static elastica_status read_kept_state(elastica_world *world, const eli_kept_state *state) {
  const int alike = is_of_this_build(world, state);
  if (alike) keep_functions(world, state, 1);
  const elastica_status status = eli_world_read(world, "rewind", state->bytes, state->size);
  if (alike) keep_functions(world, state, status != ELASTICA_OK);
  return status;
}

elastica_status elastica_world_rewind(elastica_world *world) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_change(world, "rewind");
  if (status != ELASTICA_OK) return status;
  if (world->rewind.interval == 0)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "rewind: no states are kept: world_def.snapshot_interval is 0");
  choose(world);
  const eli_kept_state *state = &world->rewind.states[world->rewind.newest];
  if (!state->taken)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "rewind: no state has been kept since the world was made or loaded");
  status = read_kept_state(world, state);
  if (status == ELASTICA_OK) world->rewind.is_rewound = 1;
  return status;
}
