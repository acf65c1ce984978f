/* Derived lanes outside a step: strains, resultants and internal loads of rods at their present state. A tile is worked out as a whole. */
#include "base/target.h"

#include "stages.h"

/* The scratch of the first worker holds one tile. */
static void forget_last(elastica_world *world) {
  if (world->refreshed != NULL) eli_rod_forget_derived(world->rods[world->refreshed->index]);
  world->refreshed = NULL;
}

static void forget_tile(const eli_tile *tile, elastica_world *world, const elastica_rod *kept) {
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++)
    if (world->rods[r] != kept) eli_rod_forget_derived(world->rods[r]);
}

elastica_status eli_tile_refresh(elastica_world *world, size_t tile) {
  eli_tile_report report = {0, ELASTICA_OK, 0, NULL, ELI_BEGIN_STEP};
  char what[ELI_STATUS_WORDS_SIZE];
  eli_work work = eli_work_on(world, tile, 0, 0.0);
  work.report = &report;
  forget_last(world);
  world->in_hook = 1;
  eli_strains(&work);
  const int called = eli_add_resultants(&work);
  world->in_hook = 0;
  if (!called) {
    forget_tile(work.tile, world, NULL);
    return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "refresh: effect %d \"%s\": add_resultants returned %s for rod %d",
                                 report.effect->index, report.effect->label, eli_status_words(report.status, what), report.rod_index);
  }
  eli_internal_loads_from_resultants(&work);
  eli_gather_internal_loads(&work);
  return ELASTICA_OK;
}

void eli_tile_keep(elastica_rod *rod) {
  forget_tile(&rod->world->slab.tiles[rod->tile], rod->world, rod);
  rod->world->refreshed = rod;
}

elastica_status elastica_rod_refresh(elastica_rod *rod) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(rod->world, "refresh", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(rod->world);
  if (status == ELASTICA_OK) status = eli_tile_refresh(rod->world, rod->tile);
  if (status == ELASTICA_OK) eli_tile_keep(rod);
  return status;
}
