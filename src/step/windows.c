/* Windows: steps of a batch on a copy of a part of a long rod that fits the nearest caches. The rod passes through memory once in a batch.
 *
 * In one step of the classical law a slot depends only on its neighbours. A window is a chunk of the rod with as many slots on both sides,
 * its halo, as a batch has steps. The missing neighbours beyond the halo disturb its outermost slot in the first step, and one slot further
 * inwards in each step. The chunk itself therefore gets the bits of a sweep over the whole rod; the neighbouring windows compute the
 * slots of its halo. A disturbed slot may trip in a halo; the steps are then repeated needlessly.
 * test       tests/test_long_rod.c
 */
#include "base/target.h"

#include <string.h>

#include "step/stepper.h"
#include "step/windows.h"

enum { CHUNK = 96 * ELI_BLOCK, HALO = ELI_BATCH_STEPS, WINDOW = CHUNK + 2 * HALO, LONG = 1 << 14 };

/* Returns 1 if a step of the tile reads these lanes: the inertia only if J1 != J2. */
static int is_read(const eli_tile_work *work, const eli_lane_group *of) {
  return of->plain && of->first >= ELI_STATE_LANES && (of->first != ELI_INERTIA || work->law.any_inertia || work->law.explicit_couples);
}

int eli_has_windows(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  const int hooked =
      tile->loaded || tile->measured || eli_tile_has(work->world, tile, ELI_BEGIN_STEP) || eli_tile_constrained(work->world, tile);
  return tile->count >= LONG && work->law.classical && !tile->closed && !tile->rigid && !hooked;
}

int eli_world_reserve_windows(elastica_world *world) {
  int needed = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) needed |= world->bodies.slab.tiles[t].count >= LONG;
  for (int w = 0; needed && w < world->scratch.worker_count; w++) {
    eli_scratch *scratch = &world->scratch.of_worker[w];
    if (scratch->window_memory != NULL) continue;
    scratch->window_memory = eli_lanes_allocate(&world->allocator, WINDOW, ELI_LANE_COUNT + ELI_SCRATCH_COUNT, 0, scratch->window);
    if (scratch->window_memory == NULL) return 0;
  }
  return 1;
}

/* ---- Filling ---- */

/* Copies one lane, with neutral slots around it. */
static void fill_lane(double *window, const double *slots, size_t count, double neutral) {
  memcpy(window, slots, count * sizeof *window);
  for (int i = 0; i < ELI_BLOCK; i++) window[-1 - i] = window[(size_t)i + count] = neutral;
}

/* Removes the joint or the element of a slot: its constants become neutral. */
static void clear_slot(const eli_window *window, double *const *lane, int place, size_t slot) {
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    if (of->place != place || !is_read(&window->work, of)) continue;
    for (int k = of->first; k < of->first + of->width; k++) lane[k][slot] = eli_slab_neutral(k);
  }
}

static void copy_slots(const eli_window *window, size_t tile, double *const *lane) {
  const size_t count = window->to - window->from;
  for (int k = 0; k < ELI_STATE_LANES; k++)
    fill_lane(lane[k], eli_tile_state(window->work.world, tile, k, 0) + window->from, count, eli_slab_neutral(k));
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    for (int k = of->first; k < of->first + of->width && is_read(&window->work, of); k++)
      fill_lane(lane[k], window->work.tile->lane[k] + window->from, count, eli_slab_neutral(k));
  }
}

/* Cuts the rod at the ends of a halo. */
static void cut(const eli_window *window, double *const *lane) {
  if (window->from > 0) clear_slot(window, lane, ELI_AT_JOINT, 0);
  if (window->to < window->tile->tile->count) clear_slot(window, lane, ELI_AT_ELEMENT, window->to - window->from - 1);
}

void eli_window_open(eli_window *window, const eli_tile_work *work) {
  double *const *lane = work->window, *const *scratch = lane + ELI_LANE_COUNT;
  memset(window, 0, sizeof *window);
  window->tile = work;
  window->work = *work;
  window->work.scratch = scratch;
  window->work.report = &window->report;
  window->work.sweep = (eli_sweep){lane[0], lane[1] - lane[0], scratch[0], scratch[1] - scratch[0], 0};
}

int eli_window_fill(eli_window *window) {
  const eli_tile_work *work = window->tile;
  const size_t count = work->tile->count;
  if (window->end == count) return 0;
  window->begin = window->end;
  window->end = count - window->begin < CHUNK ? count : window->begin + CHUNK;
  window->from = window->begin > HALO ? window->begin - HALO : 0;
  window->to = count - window->end < HALO ? count : window->end + HALO;
  assert(window->to - window->from <= WINDOW && window->from % ELI_BLOCK == 0 && window->to % ELI_BLOCK == 0);
  window->work.sweep.count = (ptrdiff_t)(window->to - window->from);
  copy_slots(window, (size_t)(work->tile - work->world->bodies.slab.tiles), work->window);
  cut(window, work->window);
  return 1;
}

void eli_window_put(const eli_window *window) {
  const eli_tile_work *work = window->tile;
  const size_t tile = (size_t)(work->tile - work->world->bodies.slab.tiles);
  for (int k = 0; k < ELI_STATE_LANES; k++)
    memcpy(eli_tile_state(work->world, tile, k, 1) + window->begin, work->window[k] + (window->begin - window->from),
           (window->end - window->begin) * sizeof(double));
}
