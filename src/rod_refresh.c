/* Derived lanes outside a step: strains, resultants and internal loads of one rod at its present state. */
#include "base/target.h"

#include "stages.h"

elastica_status elastica_rod_refresh(elastica_rod *rod) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = rod->world;
  elastica_status status = eli_world_check_open(world, "refresh", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world);
  if (status != ELASTICA_OK) return status;
  eli_tile_report report = {0, ELASTICA_OK, 0, NULL, ELI_BEGIN_STEP};
  eli_work work = eli_work_on(world, rod->tile, 0, 0.0);
  work.report = &report;
  if (world->refreshed != NULL) eli_rod_forget_derived(world->rods[world->refreshed->index]);
  world->in_hook = 1;
  eli_strains(&work);
  const int called = eli_add_resultants(&work);
  if (called) {
    eli_internal_loads_from_resultants(&work);
    eli_gather_internal_loads(&work);
  }
  world->in_hook = 0;
  for (int r = work.tile->first_rod; r < work.tile->first_rod + work.tile->rod_count; r++)
    if (r != rod->index || !called) eli_rod_forget_derived(world->rods[r]);
  world->refreshed = called ? rod : NULL;
  if (!called)
    return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "refresh: effect \"%s\": add_resultants returned %s for rod %d",
                                 report.effect->module.name, elastica_status_text(report.status), report.rod_index);
  return ELASTICA_OK;
}
