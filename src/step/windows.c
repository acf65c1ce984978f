/* Windows: steps of a batch on a copy of a part of a long rod that fits the nearest caches. The rod passes through memory once in a batch.
 *
 * In one step of the classical law a slot depends only on its neighbours. A window is a chunk of the rod with as many slots on both sides,
 * its halo, as a batch has steps. The missing neighbours beyond the halo disturb its outermost slot in the first step, and one slot further
 * inwards in each step. The chunk itself therefore gets the bits of a sweep over the whole rod; the neighbouring windows compute the
 * slots of its halo. A disturbed slot may trip in a halo; the steps are then repeated needlessly.
 *
 * Effects with local loads act in windows, too. One that acts on a few neighbouring nodes is left out of a window that lacks some of them;
 * this disturbs at most the outermost block of the halo. With effects the halo is a block wider.
 * test       tests/test_long_rod.c
 */
#include "base/target.h"

#include <stdlib.h>
#include <string.h>

#include "state/prescribed.h"
#include "step/stepper.h"
#include "step/windows.h"

/* WIDE: an effect may be left out of a window if it acts on at most WIDE nodes and elements beyond the first; with their neighbours these
 * fit a block. */
enum { CHUNK = 96 * ELI_BLOCK, HALO = ELI_BATCH_STEPS, WINDOW = CHUNK + 2 * (HALO + ELI_BLOCK), LONG = 1 << 14, WIDE = 4 };

/* Returns 1 if a step of the tile reads these lanes: the inertia only if J1 != J2. */
static int is_read(const eli_tile_work *work, const eli_lane_group *of) {
  return of->plain && of->first >= ELI_STATE_LANES && (of->first != ELI_INERTIA || work->law.any_inertia || work->law.explicit_couples);
}

/* Returns 1 if the loads of an effect act in windows. */
static int is_local_load(const eli_load_call *call) {
  const eli_built_in *kind = call->effect->body->kind;
  if (kind == NULL || call->is_idle != NULL) return 0;
  if (kind->add_loads_to != NULL) return kind->is_local == NULL || kind->is_local(call->self);
  return kind->stays_near && call->last_written - call->first_written <= WIDE;
}

static int is_local_constraint(const elastica_effect *effect) {
  if (!eli_prescribed_has_hooks(&effect->body->module)) return 0;
  const eli_prescribed *prescribed = effect->self;
  return abs(prescribed->node - prescribed->element) <= WIDE;
}

/* Returns 1 if the tile has a single rod, at its beginning, and all effects on that rod act in windows. Walls and other reactions do not,
 * because they depend on totals. */
static int are_effects_local(const eli_tile *tile) {
  static const eli_hook constraints[] = {ELI_CONSTRAIN_POSITION, ELI_CONSTRAIN_VELOCITY, ELI_CONSTRAIN_SPIN};
  const elastica_rod *rod = tile->first_rod;
  if (tile->rod_count != 1 || rod->offset != tile->begin || tile->derived || tile->gathered || tile->reacting) return 0;
  for (size_t k = 0; k < tile->call_count; k++)
    if (tile->calls[k].effect != tile->damper && !is_local_load(&tile->calls[k])) return 0;
  for (int k = 0; k < 3; k++)
    ELI_EACH_EFFECT(effect, rod, constraints[k])
      if (!is_local_constraint(effect)) return 0;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_RESULTANTS)
    if (effect->body->kind == NULL || effect->body->kind->add_resultants_to == NULL) return 0;
  return 1;
}

/* Returns 1 if effects act on the rods of a tile. */
static int is_hooked(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  return tile->loaded || tile->measured || tile->damper != NULL || eli_tile_has(work->world, tile, ELI_ADD_RESULTANTS) ||
         eli_tile_constrained(work->world, tile);
}

int eli_has_windows(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  return tile->count >= LONG && work->law.classical && !tile->closed && !tile->rigid && !eli_tile_has(work->world, tile, ELI_BEGIN_STEP) &&
         (!is_hooked(work) || are_effects_local(tile));
}

int eli_world_reserve_windows(elastica_world *world) {
  int needed = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) needed |= world->bodies.slab.tiles[t].count >= LONG;
  for (int w = 0; needed && w < world->scratch.worker_count; w++) {
    eli_scratch *scratch = &world->scratch.of_worker[w];
    if (scratch->window_memory != NULL) continue;
    scratch->window_memory = eli_lanes_allocate(&world->allocator, WINDOW, ELI_LANE_COUNT + ELI_SCRATCH_COUNT, 0, scratch->window);
    if (scratch->window_memory == NULL) return 0;
    for (int k = ELI_FORCE; k < ELI_LANE_COUNT; k++)
      for (int i = 0; i < WINDOW; i++) scratch->window[k][i] = eli_slab_neutral(k);
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
  window->halo = HALO;
  if (is_hooked(work)) {
    window->halo += ELI_BLOCK;
    window->part.rod = work->tile->first_rod;
    window->work.part = &window->part;
  }
  window->work.sweep = (eli_sweep){lane[0], lane[1] - lane[0], scratch[0], scratch[1] - scratch[0], 0};
}

/* Sets the arguments of hooks: the state and the loads are those of the window, all constants those of the rod. */
static void aim_part(const eli_window *window, eli_rod_part *part) {
  double *const *lane = window->tile->window;
  const size_t nodes = (size_t)part->rod->element_count + 1;
  const ptrdiff_t shift = part->shift = -(ptrdiff_t)window->from;
  part->first = (int)window->from;
  part->end = (int)(window->to < nodes ? window->to : nodes);
  part->view = part->rod->body->view;
  part->loads = part->rod->body->loads;
  part->positions = part->rod->body->positions;
  part->velocities = part->rod->body->velocities;
  part->spins = part->rod->body->spins;
  for (int a = 0; a < 3; a++) {
    part->view.position[a] = part->positions.position[a] = lane[ELI_POSITION + a] + shift;
    part->view.velocity[a] = part->velocities.velocity[a] = lane[ELI_VELOCITY + a] + shift;
    part->view.omega[a] = part->spins.omega[a] = lane[ELI_OMEGA + a] + shift;
    for (int b = 0; b < 3; b++) part->view.director[a][b] = part->positions.director[a][b] = lane[ELI_DIRECTOR + 3 * a + b] + shift;
    part->view.tangent[a] = lane[ELI_TANGENT + a] + shift;
    part->loads.force[a] = lane[ELI_FORCE + a] + shift;
    part->loads.couple[a] = lane[ELI_COUPLE + a] + shift;
  }
  part->view.length = lane[ELI_LENGTH] + shift;
  part->view.dilatation = lane[ELI_DILATATION] + shift;
  part->loads.drag = lane[ELI_DRAG] + shift;
  part->loads.spin_drag = lane[ELI_SPIN_DRAG] + shift;
}

int eli_window_fill(eli_window *window) {
  const eli_tile_work *work = window->tile;
  const size_t count = work->tile->count, halo = window->halo;
  if (window->end == count) return 0;
  window->begin = window->end;
  window->end = count - window->begin < CHUNK ? count : window->begin + CHUNK;
  window->from = window->begin > halo ? window->begin - halo : 0;
  window->to = count - window->end < halo ? count : window->end + halo;
  assert(window->to - window->from <= WINDOW && window->from % ELI_BLOCK == 0 && window->to % ELI_BLOCK == 0);
  window->work.sweep.count = (ptrdiff_t)(window->to - window->from);
  copy_slots(window, (size_t)(work->tile - work->world->bodies.slab.tiles), work->window);
  cut(window, work->window);
  if (window->work.part != NULL) aim_part(window, &window->part);
  return 1;
}

void eli_window_put(const eli_window *window) {
  const eli_tile_work *work = window->tile;
  const size_t tile = (size_t)(work->tile - work->world->bodies.slab.tiles);
  for (int k = 0; k < ELI_STATE_LANES; k++)
    memcpy(eli_tile_state(work->world, tile, k, 1) + window->begin, work->window[k] + (window->begin - window->from),
           (window->end - window->begin) * sizeof(double));
}
