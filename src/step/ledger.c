/* Memory of the work meters of a world, and energy and momentum of its rods before and after a step. */
#include "base/target.h"

#include <string.h>

#include "step/account.h"

/* ---- Memory ---- */

/* Counts the lines of a rod: one for each pair of effect and stage on it, and one for each effect between rods. */
static size_t count_lines(const elastica_world *world, const elastica_rod *rod) {
  size_t lines = (size_t)world->pair_phase.enabled;
  for (int s = 0; s < ELI_STAGE_COUNT; s++)
    if (eli_is_metered(s)) lines += rod->body->hooks->first[eli_stages[s].hook + 1] - rod->body->hooks->first[eli_stages[s].hook];
  return lines;
}

static int grow(const eli_allocator *allocator, void *block_at, size_t *capacity, size_t count, size_t size) {
  void *block, *larger;
  if (*capacity >= count) return 1;
  larger = eli_allocate(allocator, count, size);
  if (larger == NULL) return 0;
  memcpy(&block, block_at, sizeof block);
  eli_release(allocator, block);
  memcpy(block_at, &larger, sizeof larger);
  *capacity = count;
  return 1;
}

static int reserve_meters(elastica_world *world, eli_work_meter *all, size_t numbers, size_t entries) {
  if (all->meters == NULL) {
    all->meters = eli_allocate(&world->allocator, (size_t)world->worker_count, sizeof *all->meters);
    if (all->meters == NULL) return 0;
    all->worker_count = world->worker_count;
  }
  for (int w = 0; w < all->worker_count; w++) {
    eli_tile_meter *meter = &all->meters[w];
    meter->head = eli_tile_meter_calls;
    if (!grow(&world->allocator, &meter->memory, &meter->memory_capacity, numbers, sizeof(double)) ||
        !grow(&world->allocator, &meter->entries, &meter->entry_capacity, entries, sizeof(eli_meter_entry)))
      return 0;
  }
  return 1;
}

static int reserve_rods(elastica_world *world, eli_work_meter *all) {
  const eli_allocator *allocator = &world->allocator;
  const size_t rods = (size_t)eli_indices_count(&world->rod_indices);
  size_t capacity[3] = {all->rod_capacity, all->rod_capacity, all->rod_capacity};
  return grow(allocator, &all->line_begin, &capacity[0], rods, sizeof *all->line_begin) &&
         grow(allocator, &all->line_count, &capacity[1], rods, sizeof *all->line_count) &&
         grow(allocator, &all->before, &capacity[2], rods, sizeof *all->before) &&
         grow(allocator, &all->after, &all->rod_capacity, rods, sizeof *all->after);
}

/* Allocates lines for all rods; and for the meter of a tile, one entry for each line of its rods and the numbers of entries and kept
 * lanes. */
int eli_work_meter_reserve(elastica_world *world, eli_work_meter *all) {
  size_t lines = 0, numbers = 1, entries = 1;
  all->known = 0;
  if (!reserve_rods(world, all)) return 0;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    size_t own = 0, room = ELI_KEPT_LANES * tile->count;
    ELI_EACH_ROD(rod, world, tile) {
      const size_t count = count_lines(world, rod);
      all->line_begin[rod->body->table_index] = lines + own;
      all->line_count[rod->body->table_index] = 0;
      own += count;
      room += count * ELI_ENTRY_LANES * ((size_t)rod->element_count + 1);
    }
    lines += own;
    if (own > entries) entries = own;
    if (room > numbers) numbers = room;
  }
  return eli_pair_phase_reserve_added(world) && grow(&world->allocator, &all->lines, &all->line_capacity, lines, sizeof *all->lines) &&
         reserve_meters(world, all, numbers, entries);
}

void eli_work_meter_release(elastica_world *world, eli_work_meter *all) {
  for (int w = 0; w < all->worker_count; w++) {
    eli_release(&world->allocator, all->meters[w].memory);
    eli_release(&world->allocator, all->meters[w].entries);
  }
  eli_release(&world->allocator, all->meters);
  eli_release(&world->allocator, all->lines);
  eli_release(&world->allocator, all->line_begin);
  eli_release(&world->allocator, all->line_count);
  eli_release(&world->allocator, all->before);
  eli_release(&world->allocator, all->after);
}

/* ---- Energy and momentum of rods ---- */

/* Computes energy and momentum of the rods of a tile at their present state. */
static void measure(const eli_work *of, eli_rod_balance *balances) {
  eli_tile_report ignored = {0};
  eli_work work = *of;
  work.report = &ignored;
  eli_geometry(&work);
  eli_strains(&work);
  ELI_EACH_ROD(rod, work.world, work.tile) {
    const elastica_energy energy = eli_rod_energy(&rod->body->view);
    const elastica_momentum momentum = eli_rod_momentum(&rod->body->view);
    eli_rod_balance *own = &balances[rod->body->table_index];
    own->kinetic = energy.translation + energy.rotation;
    own->elastic = energy.bending + energy.shear;
    memcpy(own->linear, momentum.linear, sizeof own->linear);
    memcpy(own->angular, momentum.angular, sizeof own->angular);
    eli_rod_forget_derived(rod);
  }
}

void eli_tile_meter_measure(const eli_work *work) {
  const eli_work_meter *all = eli_budget_meter(work->world->budget);
  if (!all->known) {
    measure(work, all->before);
    return;
  }
  ELI_EACH_ROD(rod, work->world, work->tile) all->before[rod->body->table_index] = all->after[rod->body->table_index];
}

void eli_tile_meter_begin(eli_work *work, int worker) {
  work->report->meter = &eli_budget_meter(work->world->budget)->meters[worker].head;
  if (!eli_world_has_pair_phase(work->world)) eli_tile_meter_measure(work);
}

void eli_tile_meter_end(const eli_work *work) {
  measure(work, eli_budget_meter(work->world->budget)->after);
  work->report->meter = NULL;
}
