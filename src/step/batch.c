/* Batches: conditions for them, and the checkpoint at their beginning (see batch.h).
 *
 * The state of a rod is its positions, velocities, frames and spins: all other lanes of a tile are constant or computed anew in each
 * step. The history of an effect lies in its self, which only begin_step, add_world_loads and add_reactions may change. The library's own
 * effects declare the location of their history (eli_built_in.each_history). Most have none: data that a wall or a list of near pairs
 * keeps from one step to the next are written anew in each step, or affect only the cost.
 */
#include "base/target.h"

#include <string.h>

#include "effects/effects.h"
#include "step/batch.h"
#include "step/windows.h"

/* Returns 1 if a user's module has a hook that may change its history. */
static int may_have_history(const elastica_effect *effect) {
  return effect->enabled && effect->body->kind == NULL &&
         (effect->body->module.begin_step != NULL || effect->body->module.add_world_loads != NULL ||
          effect->body->module.add_reactions != NULL);
}

static void add_size(void *context, void *bytes, size_t size) {
  (void)bytes;
  *(size_t *)context += size;
}

/* A block may be empty (the history of an obstacle on a box): then both pointers may be NULL, and memcpy must not be called. */
static void keep_piece(void *context, void *bytes, size_t size) {
  char **next = context;
  if (size == 0) return;
  memcpy(*next, bytes, size);
  *next += size;
}

static void put_back_piece(void *context, void *bytes, size_t size) {
  const char **next = context;
  if (size == 0) return;
  memcpy(bytes, *next, size);
  *next += size;
}

static void each_history(const elastica_effect *effect, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const eli_built_in *kind = effect->body->kind;
  if (kind != NULL && kind->each_history != NULL && effect->enabled) kind->each_history(effect->self, visit, context);
  if (may_have_history(effect) && effect->body->module.self_size > 0) visit(context, effect->body->copy, effect->body->module.self_size);
}

int eli_world_may_batch(const elastica_world *world) {
  return !eli_world_has(world, ELI_OBSERVE) && !(world->ordered & ELI_HOOKS_OF_STEPS) && eli_world_pairs_can_sleep(world) &&
         eli_world_may_return(world);
}

int eli_world_may_keep(const elastica_world *world) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    eli_function of = {NULL, NULL, NULL};
    if (!effect->enabled) continue;
    if (kind == NULL) return 0;
    if (kind->function != NULL) kind->function(effect->self, &of, 0);
    if (of.function != NULL || of.drive != NULL) return 0;
  }
  return 1;
}

int eli_world_may_return(const elastica_world *world) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (may_have_history(effect) && effect->self != NULL && effect->body->copy == NULL) return 0;
  }
  return 1;
}

static int reserve(const elastica_world *world, void **block, size_t *capacity, size_t count, size_t size) {
  if (*capacity >= count) return 1;
  void *larger = eli_allocate(&world->allocator, count, size);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, *block);
  *block = larger;
  *capacity = count;
  return 1;
}

int eli_world_reserve_history(elastica_world *world) {
  size_t bytes = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, add_size, &bytes);
  return reserve(world, &world->checkpoint.history, &world->checkpoint.bytes, bytes, 1);
}

int eli_world_reserve_checkpoint(elastica_world *world) {
  return reserve(world, &world->checkpoint.state, &world->checkpoint.slots, world->slab.end, ELI_STATE_LANES * sizeof(double)) &&
         eli_world_reserve_history(world) && eli_world_reserve_windows(world);
}

/* Copies a lane in whole blocks; a short one block by block, because a call of memcpy would cost more than the copy. */
static void copy_lane(double *to, const double *from, size_t count) {
  if (count > 8 * ELI_BLOCK) {
    memcpy(to, from, count * sizeof(double));
    return;
  }
  for (size_t i = 0; i < count; i += ELI_BLOCK) memcpy(to + i, from + i, ELI_BLOCK * sizeof(double));
}

static double *kept_state(const elastica_world *world, const eli_tile *tile) {
  assert(world->checkpoint.state != NULL && tile->begin + tile->count <= world->checkpoint.slots);
  return (double *)world->checkpoint.state + ELI_STATE_LANES * tile->begin;
}

double *eli_tile_state(const elastica_world *world, size_t tile, int lane, int other) {
  const eli_tile *of = &world->slab.tiles[tile];
  return of->away == other ? of->lane[lane] : kept_state(world, of) + (size_t)lane * of->count;
}

void eli_tile_keep_state(elastica_world *world, size_t tile) {
  const eli_tile *of = &world->slab.tiles[tile];
  double *kept = kept_state(world, of);
  for (int k = 0; k < ELI_STATE_LANES; k++, kept += of->count) copy_lane(kept, of->lane[k], of->count);
}

static void restore_state(const elastica_world *world, const eli_tile *tile) {
  const double *kept = kept_state(world, tile);
  for (int k = 0; k < ELI_STATE_LANES; k++, kept += tile->count) copy_lane(tile->lane[k], kept, tile->count);
}

void eli_tile_pass(elastica_world *world, size_t tile) {
  eli_tile *of = &world->slab.tiles[tile];
  of->away ^= of->passed;
  of->passed = 0;
}

void eli_tile_bring_home(elastica_world *world, size_t tile) {
  eli_tile *of = &world->slab.tiles[tile];
  eli_tile_pass(world, tile);
  if (of->away) restore_state(world, of);
  of->away = 0;
}

/* Restores the state at the beginning of the batch, in the lanes and in the checkpoint. */
static void put_back_state(void *context, int worker, size_t tile) {
  elastica_world *world = context;
  eli_tile *of = &world->slab.tiles[tile];
  (void)worker;
  if (of->passed && !of->away)
    eli_tile_keep_state(world, tile);
  else
    restore_state(world, of);
  of->passed = of->away = 0;
}

void eli_world_keep_history(elastica_world *world) {
  char *next = world->checkpoint.history;
  world->checkpoint.step = -1;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, keep_piece, &next);
}

void eli_world_put_back_history(elastica_world *world) {
  const char *next = world->checkpoint.history;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, put_back_piece, &next);
}

static void keep_state(void *context, int worker, size_t tile) {
  (void)worker;
  eli_tile_bring_home(context, tile);
  eli_tile_keep_state(context, tile);
}

int eli_world_keep_effects(elastica_world *world) {
  eli_world_keep_history(world);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    if (effect->enabled && kind != NULL && kind->keep_history != NULL && !kind->keep_history(effect->self)) return 0;
  }
  return 1;
}

int eli_world_set_checkpoint(elastica_world *world) {
  eli_pool_run(world->pool, world->slab.tile_count, eli_world_work(world, 1), keep_state, world);
  return eli_world_keep_effects(world);
}

void eli_world_restore_checkpoint(elastica_world *world) {
  eli_world_put_back_history(world);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    if (effect->enabled && kind != NULL && kind->put_back_history != NULL) kind->put_back_history(effect->self);
  }
  eli_pool_run(world->pool, world->slab.tile_count, eli_world_work(world, 1), put_back_state, world);
}
