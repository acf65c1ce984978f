/* Derived lanes outside a step: strains, resultants and internal loads of rods at their present state. They have a scratch of their own, so
 * that they stay while the step limit is looked at. */
#include "base/target.h"

#include <string.h>

#include "step/stages.h"
#include "step/stepper.h"

/* Kernels sweep the whole tile, but only the hooks of this rod are called; no value of another rod enters its lanes. */
elastica_status eli_tile_refresh(elastica_world *world, size_t tile, elastica_rod *rod, eli_tile_report *report) {
  if (world->query.capacity < world->slab.tiles[tile].count) eli_world_forget_refreshed(world);
  if (!eli_scratch_reserve(world, &world->query, ELI_TOTAL_FORCE))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "refresh: no memory for derived lanes");
  eli_work work = eli_work_on(world, tile, 0, 0.0);
  work.scratch = world->query.lane;
  work.sweep = eli_tile_sweep(work.tile, work.scratch);
  work.report = report;
  memset(report, 0, sizeof *report);
  eli_world_forget_refreshed(world);
  eli_strains(&work);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  if (rod != NULL)
    eli_add_rod_resultants(&work, rod);
  else
    eli_add_resultants(&work);
  eli_world_leave_hooks(world);
  eli_internal_loads_from_resultants(&work);
  eli_gather_internal_loads(&work);
  return ELASTICA_OK;
}

void eli_tile_keep(elastica_rod *rod) {
  elastica_world *world = rod->world;
  const eli_tile *tile = &world->slab.tiles[rod->tile];
  ELI_EACH_ROD(other, world, tile) {
    if (other != rod) eli_rod_forget_derived(other);
  }
  world->refreshed = rod;
}

elastica_status elastica_rod_refresh(elastica_rod *rod) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  eli_tile_report report;
  elastica_status status = eli_world_check_open(rod->world, "refresh", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(rod->world);
  if (status == ELASTICA_OK) status = eli_tile_refresh(rod->world, rod->tile, rod, &report);
  if (status != ELASTICA_OK) return status;
  eli_tile_keep(rod);
  if (report.status == ELASTICA_OK) return ELASTICA_OK;
  eli_world_forget_refreshed(rod->world);
  return eli_world_refuse_hook(rod->world, &report);
}
