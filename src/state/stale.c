/* What a change of the world makes stale. */
#include "base/target.h"

#include "state/world.h"

void eli_world_forget_refreshed(elastica_world *world) {
  if (world->refreshed != NULL) eli_rod_forget_derived(world->rods[world->refreshed->index]);
  world->refreshed = NULL;
}

void eli_world_outdate(elastica_world *world, unsigned stale) {
  world->stale |= stale;
  eli_world_forget_refreshed(world);
}

void eli_rod_outdate(elastica_rod *rod, unsigned stale) {
  rod->stale |= stale;
  rod->world->slab.tiles[rod->tile].stale |= stale;
  eli_world_outdate(rod->world, stale);
}
