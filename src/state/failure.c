/* How a simulation fails, and how setting the state of every rod ends a failure. */
#include "base/target.h"

#include <string.h>

#include "state/world.h"

/* ---- Failing ---- */

static void clear_state(elastica_world *world, int first, size_t begin, size_t end) {
  for (int k = first; k < ELI_MASS; k++)
    for (size_t i = begin; i < end; i++) world->slab.lane[k][i] = eli_slab_neutral(k);
}

/* Resets slots that no rod uses, and the element slot behind an open rod, where a rod that is not finite may have left NaN. The ghosts of a
 * ring are kept as copies. */
static void clear_unused_slots(elastica_world *world) {
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    size_t free_slot = tile->begin;
    for (const elastica_rod *rod = tile->lowest; rod != NULL; rod = rod->body->above) {
      clear_state(world, ELI_POSITION, free_slot, rod->offset);
      free_slot = rod->offset + (size_t)rod->element_count + 1;
      if (!rod->closed) clear_state(world, eli_is_rigid(rod) ? ELI_POSITION : ELI_DIRECTOR, free_slot - 1, free_slot);
    }
    clear_state(world, ELI_POSITION, free_slot, tile->begin + tile->count + ELI_BLOCK);
  }
}

elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  eli_world_say(world, format, arguments);
  va_end(arguments);
  memcpy(world->failure_message, world->message, sizeof world->message);
  world->failure = status;
  clear_unused_slots(world);
  ELI_EACH_ROD_OF_WORLD(rod, world) rod->body->healed = 0;
  return status;
}

/* ---- Healing ---- */

void eli_world_end_failure(elastica_world *world) {
  for (size_t t = 0; t < world->slab.tile_count; t++)
    for (int k = ELI_FORCE; k <= ELI_SPIN_DRAG; k++)
      for (size_t i = 0; i < world->slab.tiles[t].count; i++) world->slab.lane[k][world->slab.tiles[t].begin + i] = eli_slab_neutral(k);
  clear_unused_slots(world);
  world->failure = ELASTICA_OK;
  world->failure_message[0] = world->message[0] = '\0';
  world->working_step = 0.0;
}

void eli_world_heal(elastica_world *world) {
  if (world->failure == ELASTICA_OK) return;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (rod->body->healed != 15) return;
  eli_world_end_failure(world);
}

void eli_rod_heal(elastica_rod *rod, unsigned set) {
  rod->body->healed |= set;
  eli_world_heal(rod->world);
}
