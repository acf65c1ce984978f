/* How a simulation fails, and how setting the state of every rod ends a failure. */
#include "base/target.h"

#include <string.h>

#include "state/world.h"

/* ---- Failing ---- */

/* Resets slots that no rod uses, and the element slot behind an open rod, where a rod that is not finite may have left NaN. The ghosts of a
 * ring are kept as copies. */
static void clear_unused_slots(elastica_world *world) {
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    size_t free_slot = tile->begin;
    for (int r = tile->first_rod; r <= tile->first_rod + tile->rod_count; r++) {
      const int last = r == tile->first_rod + tile->rod_count;
      const elastica_rod *rod = last ? NULL : world->rods[r];
      const size_t first = last ? tile->begin + tile->count + ELI_BLOCK : rod->offset;
      for (int k = ELI_POSITION; k < ELI_MASS; k++)
        for (size_t i = free_slot; i < first; i++) world->slab.lane[k][i] = eli_slab_neutral(k);
      if (last) continue;
      free_slot = first + (size_t)rod->element_count + 1;
      for (int k = ELI_DIRECTOR; k < ELI_MASS && !rod->closed; k++) world->slab.lane[k][free_slot - 1] = eli_slab_neutral(k);
    }
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
  for (int r = 0; r < world->rod_count; r++) world->rods[r]->healed = 0;
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

void eli_world_heal(elastica_rod *rod, unsigned set) {
  elastica_world *world = rod->world;
  if (world->failure == ELASTICA_OK) return;
  rod->healed |= set;
  for (int r = 0; r < world->rod_count; r++)
    if (world->rods[r]->healed != 15) return;
  eli_world_end_failure(world);
}
