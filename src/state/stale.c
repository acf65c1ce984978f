/* Invalidation of data after a change of the world. */
#include "base/target.h"

#include "state/world.h"

void eli_world_forget_refreshed(elastica_world *world) {
  if (world->refreshed != NULL) eli_rod_forget_derived(world->refreshed);
  if (world->whole_refreshed) ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_forget_derived(rod);
  if (world->answered) ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_aim_loads(rod, NULL);
  world->refreshed = NULL;
  world->whole_refreshed = world->answered = 0;
}

void eli_world_aim_refreshed(elastica_world *world) {
  if (world->refreshed != NULL) eli_rod_aim_derived(world->refreshed, world->query.lane);
  for (size_t t = 0; world->whole_refreshed && t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    double *lane[ELI_TOTAL_FORCE];
    for (int k = 0; k < ELI_TOTAL_FORCE; k++) lane[k] = world->whole.lane[k] + tile->begin;
    ELI_EACH_ROD(rod, world, tile) eli_rod_aim_derived(rod, lane);
  }
}

void eli_world_outdate(elastica_world *world, unsigned stale) {
  world->stale |= stale;
  world->checkpoint.step = -1;
  eli_world_forget_refreshed(world);
}

void eli_rod_outdate_limit(elastica_rod *rod) {
  rod->body->limit_is_stale = rod->world->slab.tiles[rod->tile].limit_is_stale = rod->world->limits_are_stale = 1;
  rod->world->checkpoint.step = -1;
  eli_world_forget_refreshed(rod->world);
}

void eli_world_settle_limits(elastica_world *world) {
  for (size_t t = 0; world->limits_are_stale && t < world->slab.tile_count; t++) {
    eli_tile *tile = &world->slab.tiles[t];
    if (!tile->limit_is_stale) continue;
    ELI_EACH_ROD(rod, world, tile) rod->body->limit_is_stale = 0;
    tile->limit_is_stale = 0;
  }
  world->limits_are_stale = 0;
}

void eli_rod_outdate(elastica_rod *rod, unsigned stale) {
  rod->body->stale |= stale;
  rod->world->slab.tiles[rod->tile].stale |= stale;
  eli_world_outdate(rod->world, stale);
}
