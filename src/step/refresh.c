/* Derived lanes outside steps: strains, resultants and internal loads of rods at their present state. They have a separate scratch, so that
 * they survive a limit check. */
#include "base/target.h"

#include <string.h>

#include "step/stages.h"
#include "step/stepper.h"

/* Computes strains, resultants and internal loads of a tile, with the hooks of this rod alone, or with NULL of all rods. Kernels sweep the
 * whole tile; no value of one rod enters the lanes of another. */
static void fill(eli_work *work, elastica_rod *rod) {
  work->alone = rod;
  memset(work->report, 0, sizeof *work->report);
  eli_take_stages(work, ELI_STAGE_STRAINS, ELI_STAGE_INTERNAL_LOADS);
}

elastica_status eli_tile_refresh(elastica_world *world, size_t tile, elastica_rod *rod, const char *function, eli_tile_report *report) {
  if (world->query.capacity < world->slab.tiles[tile].count) eli_world_forget_refreshed(world);
  if (!eli_scratch_reserve(world, &world->query, ELI_TOTAL_FORCE))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for derived lanes", function);
  eli_work work = eli_work_on(world, tile, 0, 0.0);
  work.scratch = world->query.lane;
  work.sweep = eli_tile_sweep(work.tile, work.scratch);
  work.report = report;
  eli_world_forget_refreshed(world);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  fill(&work, rod);
  eli_world_leave_hooks(world);
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

/* ---- All rods ---- */

int eli_world_reserve_whole(elastica_world *world) {
  eli_whole *whole = &world->whole;
  if (whole->slots >= world->slab.end + ELI_BLOCK) return 1;
  double *lane[ELI_TOTAL_FORCE];
  const size_t slots = world->slab.end + ELI_BLOCK;
  void *memory = eli_lanes_allocate(&world->allocator, slots, ELI_TOTAL_FORCE, 256, lane);
  if (memory == NULL) return 0;
  eli_world_forget_refreshed(world);
  eli_release(&world->allocator, whole->memory);
  whole->memory = memory;
  whole->slots = slots;
  memcpy(whole->lane, lane, sizeof lane);
  return 1;
}

static void fill_tile(void *context, int worker, size_t tile) {
  elastica_world *world = context;
  double *lane[ELI_SCRATCH_COUNT] = {NULL};
  eli_work work = eli_work_on(world, tile, worker, 0.0);
  for (int k = 0; k < ELI_TOTAL_FORCE; k++) lane[k] = world->whole.lane[k] + work.tile->begin;
  work.scratch = lane;
  work.sweep = eli_tile_sweep(work.tile, lane);
  fill(&work, NULL);
}

elastica_status eli_world_refresh_all(elastica_world *world, const char *function) {
  if (world->whole_refreshed) return ELASTICA_OK;
  if (!eli_world_reserve_whole(world))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the derived lanes of %d rods", function,
                                 world->rod_indices.taken);
  eli_world_forget_refreshed(world);
  eli_world_run_tiles(world, ELI_HOOK_BIT(ELI_ADD_RESULTANTS), 1, fill_tile, world);
  world->whole_refreshed = 1;
  const eli_tile_report *failed = eli_world_failed_hook(world);
  if (failed == NULL) return ELASTICA_OK;
  eli_world_forget_refreshed(world);
  return eli_world_refuse_hook(world, failed);
}

/* ---- One rod ---- */

elastica_status eli_rod_refresh(elastica_rod *rod, const char *function) {
  eli_tile_report report;
  elastica_status status = eli_rod_check(rod, function);
  if (status == ELASTICA_OK) status = eli_world_check_open(rod->world, function, 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(rod->world, function);
  if (status != ELASTICA_OK || rod->world->whole_refreshed) return status;
  status = eli_tile_refresh(rod->world, rod->tile, rod, function, &report);
  if (status != ELASTICA_OK) return status;
  eli_tile_keep(rod);
  if (report.status == ELASTICA_OK) return ELASTICA_OK;
  eli_world_forget_refreshed(rod->world);
  return eli_world_refuse_hook(rod->world, &report);
}

elastica_status elastica_rod_refresh(elastica_rod *rod) {
  return eli_rod_refresh(rod, "refresh");
}
