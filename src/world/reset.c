/* A world goes back to its first state: each rod is made again from its definition, in the slots that it has, and each effect becomes what it
 * was when it was added. What is then worked out again is all that a new world would work out.
 *
 * test       tests/test_reset.c
 */
#include "base/target.h"

#include <string.h>

#include "effects/effects.h"
#include "rod/rod_data.h"

static void release_data(const elastica_world *world, eli_rod_data *data, size_t count) {
  for (size_t r = 0; data != NULL && r < count; r++) eli_release(&world->allocator, data[r].memory);
  eli_release(&world->allocator, data);
}

/* The data of all rods, in their order, those of rigid bodies empty; NULL: no memory. */
static eli_rod_data *create_data(elastica_world *world) {
  const size_t count = (size_t)world->rod_seats.taken;
  eli_rod_data *data = eli_allocate(&world->allocator, count, sizeof *data);
  size_t r = 0;
  if (data == NULL) return NULL;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    if (eli_is_rigid(rod) || eli_rod_data_create(world, rod->body->def, &data[r]) == ELASTICA_OK) {
      r++;
      continue;
    }
    release_data(world, data, r);
    return NULL;
  }
  return data;
}

static void remake_rod(elastica_rod *rod, const eli_rod_data *data) {
  eli_slab_clear(&rod->world->slab, rod->offset, rod->body->slots);
  if (eli_is_rigid(rod))
    eli_body_fill(rod);
  else
    eli_rod_fill(rod, data);
  eli_rod_set_masses(rod);
  eli_rod_outdate(rod, ELI_STALE_LISTS | ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE);
}

/* Time, steps, and what is known of the limit: as in a new world. */
static void start_over(elastica_world *world) {
  world->segment_time = world->segment_dt = 0.0;
  world->segment_steps = world->step_count = world->batch_from = 0;
  world->working_step = world->lowest = world->looked_dt = 0.0;
  memset(&world->leg, 0, sizeof world->leg);
  memset(&world->look, 0, sizeof world->look);
  memset(&world->watch, 0, sizeof world->watch);
  world->chosen = world->look_is_asked = 0;
  world->looked_step = world->next_check = world->grows_at = 0;
  world->check_interval = ELI_LOOK_INTERVAL;
  world->wide_turn.step = world->kept.step = -1;
  world->chooses = world->shaken = 0;
  world->past[0].taken = world->past[1].taken = 0;
  world->rewound = world->newest = 0;
}

elastica_status elastica_world_reset(elastica_world *world) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_change(world, "world_reset");
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK) status = eli_effect_check_reset(effect);
  if (status != ELASTICA_OK) return status;
  eli_rod_data *data = create_data(world);
  if (data == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "world_reset: no memory for the data of %d rods", world->rod_seats.taken);
  if (world->failure != ELASTICA_OK) eli_world_end_failure(world);
  size_t r = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) remake_rod(rod, &data[r++]);
  release_data(world, data, r);
  for (size_t t = 0; t < world->slab.tile_count; t++) eli_tile_update_geometry(world, t);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) eli_effect_reset(effect);
  eli_world_leave_hooks(world);
  start_over(world);
  eli_world_outdate(world, ELI_STALE_LISTS | ELI_STALE_COMMON | ELI_STALE_TILES | ELI_STALE_LIMIT);
  return ELASTICA_OK;
}
