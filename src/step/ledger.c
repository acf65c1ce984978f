/* Memory of the work meters of a world, and energy and momentum of its rods before and after a step. */
#include "base/target.h"

#include <string.h>

#include "step/account.h"

/* ---- Memory ---- */

/* Counts the lines of a rod: one for each pair of effect and stage on it, and one for each effect between rods. */
static size_t count_lines(const elastica_world *world, const elastica_rod *rod) {
  size_t lines = (size_t)world->meeting.enabled;
  for (int s = 0; s < ELI_STAGE_COUNT; s++)
    if (eli_is_booked(s)) lines += rod->body->hooks->first[eli_stages[s].hook + 1] - rod->body->hooks->first[eli_stages[s].hook];
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

static int reserve_accounts(elastica_world *world, eli_ledger *ledger, size_t numbers, size_t entries) {
  if (ledger->accounts == NULL) {
    ledger->accounts = eli_allocate(&world->allocator, (size_t)world->worker_count, sizeof *ledger->accounts);
    if (ledger->accounts == NULL) return 0;
    ledger->worker_count = world->worker_count;
  }
  for (int w = 0; w < ledger->worker_count; w++) {
    eli_account *account = &ledger->accounts[w];
    account->witness = eli_account_witness;
    if (!grow(&world->allocator, &account->memory, &account->memory_capacity, numbers, sizeof(double)) ||
        !grow(&world->allocator, &account->entries, &account->entry_capacity, entries, sizeof(eli_entry)))
      return 0;
  }
  return 1;
}

static int reserve_rods(elastica_world *world, eli_ledger *ledger) {
  const eli_allocator *allocator = &world->allocator;
  const size_t rods = (size_t)eli_indices_count(&world->rod_indices);
  size_t capacity[3] = {ledger->rod_capacity, ledger->rod_capacity, ledger->rod_capacity};
  return grow(allocator, &ledger->line_begin, &capacity[0], rods, sizeof *ledger->line_begin) &&
         grow(allocator, &ledger->line_count, &capacity[1], rods, sizeof *ledger->line_count) &&
         grow(allocator, &ledger->before, &capacity[2], rods, sizeof *ledger->before) &&
         grow(allocator, &ledger->after, &ledger->rod_capacity, rods, sizeof *ledger->after);
}

/* Allocates lines for all rods; and for the meter of a tile, one entry for each line of its rods and the numbers of entries and kept
 * lanes. */
int eli_ledger_reserve(elastica_world *world, eli_ledger *ledger) {
  size_t lines = 0, numbers = 1, entries = 1;
  ledger->known = 0;
  if (!reserve_rods(world, ledger)) return 0;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    size_t own = 0, room = ELI_KEPT_LANES * tile->count;
    ELI_EACH_ROD(rod, world, tile) {
      const size_t count = count_lines(world, rod);
      ledger->line_begin[rod->body->table_index] = lines + own;
      ledger->line_count[rod->body->table_index] = 0;
      own += count;
      room += count * ELI_ENTRY_LANES * ((size_t)rod->element_count + 1);
    }
    lines += own;
    if (own > entries) entries = own;
    if (room > numbers) numbers = room;
  }
  return eli_meeting_reserve_added(world) &&
         grow(&world->allocator, &ledger->lines, &ledger->line_capacity, lines, sizeof *ledger->lines) &&
         reserve_accounts(world, ledger, numbers, entries);
}

void eli_ledger_release(elastica_world *world, eli_ledger *ledger) {
  for (int w = 0; w < ledger->worker_count; w++) {
    eli_release(&world->allocator, ledger->accounts[w].memory);
    eli_release(&world->allocator, ledger->accounts[w].entries);
  }
  eli_release(&world->allocator, ledger->accounts);
  eli_release(&world->allocator, ledger->lines);
  eli_release(&world->allocator, ledger->line_begin);
  eli_release(&world->allocator, ledger->line_count);
  eli_release(&world->allocator, ledger->before);
  eli_release(&world->allocator, ledger->after);
}

/* ---- Energy and momentum of rods ---- */

/* Computes energy and momentum of the rods of a tile at their present state. */
static void weigh(const eli_work *of, eli_wealth *wealth) {
  eli_tile_report ignored = {0};
  eli_work work = *of;
  work.report = &ignored;
  eli_geometry(&work);
  eli_strains(&work);
  ELI_EACH_ROD(rod, work.world, work.tile) {
    const elastica_energy energy = eli_rod_energy(&rod->body->view);
    const elastica_momentum momentum = eli_rod_momentum(&rod->body->view);
    eli_wealth *own = &wealth[rod->body->table_index];
    own->kinetic = energy.translation + energy.rotation;
    own->elastic = energy.bending + energy.shear;
    memcpy(own->linear, momentum.linear, sizeof own->linear);
    memcpy(own->angular, momentum.angular, sizeof own->angular);
    eli_rod_forget_derived(rod);
  }
}

void eli_account_weigh(const eli_work *work) {
  const eli_ledger *ledger = eli_budget_ledger(work->world->budget);
  if (!ledger->known) {
    weigh(work, ledger->before);
    return;
  }
  ELI_EACH_ROD(rod, work->world, work->tile) ledger->before[rod->body->table_index] = ledger->after[rod->body->table_index];
}

void eli_account_begin(eli_work *work, int worker) {
  work->report->witness = &eli_budget_ledger(work->world->budget)->accounts[worker].witness;
  if (!eli_world_meets(work->world)) eli_account_weigh(work);
}

void eli_account_end(const eli_work *work) {
  weigh(work, eli_budget_ledger(work->world->budget)->after);
  work->report->witness = NULL;
}
