/* Taking steps: the passage of tiles through the stages of a step (stages.c), the number of steps at a time, and the return after a trip.
 *
 * With effects between rods (hooks/pair_phase.c) a step is two sweeps: all rods drift to its middle, then all are loaded and kicked
 * and drift to its end. If nothing couples tiles, or the pairs sleep until rods have moved, each tile takes a batch of steps: one after the
 * other while its data are in the cache. In a batch the half drift that closes a step and the one that opens the next are fused into one
 * pass when nothing stands between them; both are still carried out, so that no bit depends on it. If the watch trips in a step, the world
 * goes back to a checkpoint, the beginning of the batch or of the call, and takes the steps again up to that step, before which the caller
 * then checks the limit. A batch in which a step fails ends with that step. In either case the state is the one that single steps leave.
 * test       tests/test_stepper.c, tests/test_batches.c, tests/test_batch_events.c, tests/test_long_rod.c
 */
#include "base/target.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hooks/effects.h"
#include "state/prescribed.h"
#include "step/stages.h"
#include "step/stepper.h"
#include "step/work_meter.h"

/* ---- Windows ---- */

/* A window takes the steps of a batch on a copy of a part of a long rod that fits the nearest caches. The rod passes through memory once
 * in a batch.
 *
 * In one step of the classical law a slot depends only on its neighbours. A window is a chunk of the rod with as many slots on both sides,
 * its halo, as a batch has steps. The missing neighbours beyond the halo disturb its outermost slot in the first step, and one slot further
 * inwards in each step. The chunk itself therefore gets the bits of a sweep over the whole rod; the neighbouring windows compute the
 * slots of its halo. A disturbed slot may trip in a halo; the steps are then repeated needlessly.
 *
 * Effects with local loads act in windows, too. One that acts on a few neighbouring nodes is left out of a window that lacks some of them;
 * this disturbs at most the outermost block of the halo. With effects the halo is a block wider. */

/* WIDE: an effect may be left out of a window if it acts on at most WIDE nodes and elements beyond the first; with their neighbours these
 * fit a block. */
enum { CHUNK = 96 * ELI_BLOCK, HALO = ELI_BATCH_STEPS, WINDOW = CHUNK + 2 * (HALO + ELI_BLOCK), LONG = 1 << 14, WIDE = 4 };

/* Slots from .. to - 1 of a tile; begin .. end - 1 are the chunk of this window, the others are its halo. */
typedef struct rod_window {
  const eli_tile_work *tile; /* work on the tile */
  eli_tile_work work;        /* work on the window, with a separate report */
  eli_tile_report report;
  size_t from, begin, end, to, halo;
  eli_rod_part part; /* if effects act on the rod */
} rod_window;

static double *kept_state(const elastica_world *world, const eli_tile *tile) {
  assert(world->checkpoint.state != NULL && tile->begin + tile->count <= world->checkpoint.slots);
  return (double *)world->checkpoint.state + ELI_STATE_LANES * tile->begin;
}

/* Within a call the state of a tile is in its lanes or in the memory of the checkpoint: a batch in windows reads it from one place and
 * writes the new state to the other. Returns a lane of the place with the state (other 0) or of the other place. */
static double *tile_state(const elastica_world *world, size_t tile, int lane, int other) {
  const eli_tile *of = &world->bodies.slab.tiles[tile];
  return of->away == other ? of->lane[lane] : kept_state(world, of) + (size_t)lane * of->count;
}

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
  return tile->loaded || tile->measured || tile->damper != NULL || eli_tile_has(tile, ELI_ADD_RESULTANTS) || eli_tile_constrained(tile);
}

/* Returns 1 if a batch of the tile can run in windows. For a prepared world. */
static int has_windows(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  return tile->count >= LONG && work->law.classical && !tile->closed && !tile->rigid && !eli_tile_has(tile, ELI_BEGIN_STEP) &&
         (!is_hooked(work) || are_effects_local(tile));
}

/* Allocates memory for a window on each worker, if there is a long tile. Returns 0 if memory runs out. */
static int reserve_windows(elastica_world *world) {
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
static void clear_slot(const rod_window *window, double *const *lane, int place, size_t slot) {
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    if (of->place != place || !is_read(&window->work, of)) continue;
    for (int k = of->first; k < of->first + of->width; k++) lane[k][slot] = eli_slab_neutral(k);
  }
}

static void copy_slots(const rod_window *window, size_t tile, double *const *lane) {
  const size_t count = window->to - window->from;
  for (int k = 0; k < ELI_STATE_LANES; k++)
    fill_lane(lane[k], tile_state(window->work.world, tile, k, 0) + window->from, count, eli_slab_neutral(k));
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    for (int k = of->first; k < of->first + of->width && is_read(&window->work, of); k++)
      fill_lane(lane[k], window->work.tile->lane[k] + window->from, count, eli_slab_neutral(k));
  }
}

/* Cuts the rod at the ends of a halo. */
static void cut(const rod_window *window, double *const *lane) {
  if (window->from > 0) clear_slot(window, lane, ELI_AT_JOINT, 0);
  if (window->to < window->tile->tile->count) clear_slot(window, lane, ELI_AT_ELEMENT, window->to - window->from - 1);
}

static void open_window(rod_window *window, const eli_tile_work *work) {
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
static void aim_part(const rod_window *window, eli_rod_part *part) {
  double *const *lane = window->tile->window;
  assert(part->rod != NULL);
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

/* Reads the next window of the tile from the place with the state; the caller then steps window->work. Returns 0 after the last one. */
static int fill_window(rod_window *window) {
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

/* Writes the result to the other place: the state at the beginning of the batch is not changed. */
static void put_window(const rod_window *window) {
  const eli_tile_work *work = window->tile;
  const size_t tile = (size_t)(work->tile - work->world->bodies.slab.tiles);
  for (int k = 0; k < ELI_STATE_LANES; k++)
    memcpy(tile_state(work->world, tile, k, 1) + window->begin, work->window[k] + (window->begin - window->from),
           (window->end - window->begin) * sizeof(double));
}

/* ---- Conditions for batches, and the checkpoint at their beginning ---- */

/* The state of a rod is its positions, velocities, frames and spins: all other lanes of a tile are constant or computed anew in each
 * step. The history of an effect lies in its self, which only begin_step, add_world_loads and add_reactions may change. The library's own
 * effects declare the location of their history (elastica_module.each_history). Most have none: data that a wall or a list of near pairs
 * keeps from one step to the next are written anew in each step, or affect only the cost. */

/* Returns 1 if a user's module has a hook that may change its history. */
static int may_have_history(const elastica_effect *effect) {
  return effect->enabled && effect->body->kind == NULL &&
         (effect->body->module.begin_step != NULL || effect->body->module.add_world_loads != NULL ||
          effect->body->module.add_reactions != NULL);
}

static void add_size(void *context, void *bytes, size_t size) {
  (void)bytes;
  *(size_t *)context += size;
}

/* A block may be empty (the history of an obstacle on a box): then both pointers may be NULL, and memcpy must not be called. */
static void keep_piece(void *context, void *bytes, size_t size) {
  char **next = context;
  if (size == 0) return;
  memcpy(*next, bytes, size);
  *next += size;
}

static void put_back_piece(void *context, void *bytes, size_t size) {
  const char **next = context;
  if (size == 0) return;
  memcpy(bytes, *next, size);
  *next += size;
}

static void each_history(const elastica_effect *effect, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const elastica_module *module = &effect->body->module;
  if (module->each_history != NULL && effect->enabled) module->each_history(effect->self, visit, context);
  if (may_have_history(effect) && effect->body->module.self_size > 0) visit(context, effect->body->copy, effect->body->module.self_size);
}

/* Returns 1 if tiles may take batches of steps and repeat them: no effect observes, all effects are parallel_safe, and none has history in
 * memory that only its owner knows. For a prepared world. */
static int may_batch(const elastica_world *world) {
  return !eli_world_has(world, ELI_OBSERVE) && !(world->effects.ordered & ELI_HOOKS_OF_STEPS) && eli_world_pairs_can_sleep(world) &&
         eli_world_may_return(world);
}

/* Returns 1 if a checkpoint remains valid after the call that set it: no user module and no user function acts. A user may change their
 * behaviour between two calls, and repeated steps must be the same. */
static int may_keep(const elastica_world *world) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    eli_function of = {NULL, NULL, NULL};
    if (!effect->enabled) continue;
    if (kind == NULL) return 0;
    if (kind->function != NULL) kind->function(effect->self, &of, 0);
    if (of.function != NULL || of.drive != NULL) return 0;
  }
  return 1;
}

int eli_world_may_return(const elastica_world *world) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    const int tells = module->each_history != NULL || module->keep_history != NULL;
    if (may_have_history(effect) && effect->self != NULL && effect->body->copy == NULL && !tells) return 0;
  }
  return 1;
}

static int reserve(const elastica_world *world, void **block, size_t *capacity, size_t count, size_t size) {
  if (*capacity >= count) return 1;
  void *larger = eli_allocate(&world->allocator, count, size);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, *block);
  *block = larger;
  *capacity = count;
  return 1;
}

int eli_world_reserve_history(elastica_world *world) {
  size_t bytes = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, add_size, &bytes);
  return reserve(world, &world->checkpoint.history, &world->checkpoint.bytes, bytes, 1);
}

static int reserve_checkpoint(elastica_world *world) {
  return reserve(world, &world->checkpoint.state, &world->checkpoint.slots, world->bodies.slab.end, ELI_STATE_LANES * sizeof(double)) &&
         eli_world_reserve_history(world) && reserve_windows(world);
}

/* Copies a lane in whole blocks; a short one block by block, because a call of memcpy would cost more than the copy. */
static void copy_lane(double *to, const double *from, size_t count) {
  if (count > 8 * ELI_BLOCK) {
    memcpy(to, from, count * sizeof(double));
    return;
  }
  for (size_t i = 0; i < count; i += ELI_BLOCK) memcpy(to + i, from + i, ELI_BLOCK * sizeof(double));
}

static void keep_tile(elastica_world *world, size_t tile) {
  const eli_tile *of = &world->bodies.slab.tiles[tile];
  double *kept = kept_state(world, of);
  for (int k = 0; k < ELI_STATE_LANES; k++, kept += of->count) copy_lane(kept, of->lane[k], of->count);
}

static void restore_state(const elastica_world *world, const eli_tile *tile) {
  const double *kept = kept_state(world, tile);
  for (int k = 0; k < ELI_STATE_LANES; k++, kept += tile->count) copy_lane(tile->lane[k], kept, tile->count);
}

/* Makes the result of a completed batch in windows the state. */
static void pass_tile(elastica_world *world, size_t tile) {
  eli_tile *of = &world->bodies.slab.tiles[tile];
  of->away ^= of->passed;
  of->passed = 0;
}

/* Makes the result of a completed batch in windows the state, and moves the state into the lanes. */
static void bring_home(elastica_world *world, size_t tile) {
  eli_tile *of = &world->bodies.slab.tiles[tile];
  pass_tile(world, tile);
  if (of->away) restore_state(world, of);
  of->away = 0;
}

/* Restores the state at the beginning of the batch, in the lanes and in the checkpoint. */
static void put_back_state(void *context, int worker, size_t tile) {
  elastica_world *world = context;
  eli_tile *of = &world->bodies.slab.tiles[tile];
  (void)worker;
  if (of->passed && !of->away)
    keep_tile(world, tile);
  else
    restore_state(world, of);
  of->passed = of->away = 0;
}

void eli_world_keep_history(elastica_world *world) {
  char *next = world->checkpoint.history;
  world->checkpoint.step = -1;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, keep_piece, &next);
}

void eli_world_put_back_history(elastica_world *world) {
  const char *next = world->checkpoint.history;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) each_history(effect, put_back_piece, &next);
}

static void keep_state(void *context, int worker, size_t tile) {
  (void)worker;
  bring_home(context, tile);
  keep_tile(context, tile);
}

/* Keeps the history of all effects; returns 0 if memory runs out. */
static int keep_effects(elastica_world *world) {
  eli_world_keep_history(world);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    if (effect->enabled && module->keep_history != NULL && !module->keep_history(effect->self)) return 0;
  }
  return 1;
}

/* Keeps the state of all tiles and the history of all effects; returns 0 if memory runs out. */
static int keep_world(elastica_world *world) {
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, eli_world_work(world, 1), keep_state, world);
  return keep_effects(world);
}

static void restore_checkpoint(elastica_world *world) {
  eli_world_put_back_history(world);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    if (effect->enabled && module->put_back_history != NULL) module->put_back_history(effect->self);
  }
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, eli_world_work(world, 1), put_back_state, world);
}

/* Returns the time after `steps` steps of the segment; in damped steps, the time of its beginning. */
static double time_after(const elastica_world *world, double steps, double dt) {
  return world->clock.segment_time + (world->clock.is_frozen ? 0.0 : steps * dt);
}

/* ---- One step of a tile ---- */

/* Hooks before the strains of a step have no derived lanes, as in a call of one step, because the scratch still holds those of the previous
 * step. */
static void begin_step(const eli_tile_work *work) {
  work->report->trips = 0;
  work->report->status = ELASTICA_OK;
  if (work->tile->derived)
    ELI_EACH_ROD(rod, work->world, work->tile) eli_rod_forget_derived(rod);
}

/* A step in which pairs sleep or are none. open: the opening half drift is still to do. close 1: the step closes with half a drift; 0: with
 * a whole one, which opens the next. */
static void take_step(eli_tile_work *work, int open, int close) {
  begin_step(work);
  work->fused = !close;
  eli_take_stages(work, open ? ELI_STAGE_BEGIN : ELI_STAGE_CONSTRAIN_MIDDLE, close ? ELI_STAGE_CONSTRAIN_END : ELI_STAGE_DRIFT_OUT);
}

/* ---- Batches ---- */

/* count steps. open: the first opens with half a drift; fuse: whole drifts stand between the steps; close: the last closes with half a
 * drift. stops: trips that end the batch after their step. */
typedef struct batch {
  elastica_world *world;
  double dt;
  long count;
  int open, fuse, close;
  unsigned stops;
  int has_pairs; /* 1: one step with a pair phase */
  int keep;      /* 1: tiles keep the state at their beginning */
  int whole;     /* 1: without windows */
  int returned;  /* 1: its last step was undone, because the limit must be checked before it */
  int settle;    /* 1: last batch of a call: tiles get their final geometry */
} batch;

/* Sets the times of a step of the batch. They have the same bits for any division of a run into calls and batches. */
static void set_instant(eli_tile_work *work, const batch *of, long k) {
  const elastica_world *world = of->world;
  const double steps = (double)(world->clock.segment_steps + k);
  work->time = time_after(world, steps, of->dt);
  work->middle = time_after(world, steps + 0.5, of->dt);
  work->end = time_after(world, steps + 1.0, of->dt);
  work->now.step = world->clock.step_count + k;
}

/* Ends a call: updates the geometry, and makes derived lanes unavailable. */
static void settle_tile(void *context, int worker, size_t index) {
  elastica_world *world = context;
  const eli_tile *tile = &world->bodies.slab.tiles[index];
  (void)worker;
  bring_home(world, index);
  eli_tile_update_geometry(world, index);
  if (!tile->derived) return;
  ELI_EACH_ROD(rod, world, tile) eli_rod_forget_derived(rod);
}

/* Takes the steps of the batch on a tile or a window, up to a step that ends it. */
static void take_steps(eli_tile_work *work, const batch *of) {
  long k = 0;
  for (; k < of->count; k++) {
    const int last = k + 1 == of->count;
    set_instant(work, of, k);
    take_step(work, k == 0 ? of->open : !of->fuse, last ? of->close : !of->fuse);
    if (work->report->status != ELASTICA_OK || work->report->trips & of->stops) break;
  }
  work->report->steps = k;
}

/* Runs the batch in windows. A call ends with the state in the lanes, so in its last batch windows write to the lanes. */
static void pass_windows(const eli_tile_work *work, const batch *of, size_t index) {
  eli_tile *tile = &of->world->bodies.slab.tiles[index];
  rod_window window;
  if (of->settle && !tile->away) {
    keep_tile(of->world, index);
    tile->away = 1;
  }
  work->report->status = ELASTICA_OK;
  work->report->steps = of->count;
  work->report->trips = 0;
  tile->passed = 1;
  open_window(&window, work);
  while (work->report->steps == of->count && fill_window(&window)) {
    take_steps(&window.work, of);
    put_window(&window);
    work->report->steps = window.report.steps;
    work->report->trips |= window.report.trips;
  }
}

static void run_tile(void *context, int worker, size_t index) {
  const batch *of = context;
  eli_tile_work work = eli_work_on(of->world, index, worker, of->dt);
  work.idle = eli_idle_stages(&work);
  pass_tile(of->world, index);
  if (of->keep && !of->whole && !of->world->pair_phase.asleep && has_windows(&work)) {
    pass_windows(&work, of, index);
  } else {
    bring_home(of->world, index);
    if (of->keep) keep_tile(of->world, index);
    if (of->world->budget != NULL) eli_tile_meter_begin(&work, worker);
    take_steps(&work, of);
    if (of->world->budget != NULL) eli_tile_meter_end(&work);
  }
  if (of->settle) settle_tile(of->world, worker, index);
}

/* ---- A step with a pair phase ---- */

static void run_tile_to_middle(void *context, int worker, size_t index) {
  const batch *of = context;
  eli_tile_work work = eli_work_on(of->world, index, worker, of->dt);
  set_instant(&work, of, 0);
  work.idle = eli_idle_stages(&work);
  bring_home(of->world, index);
  if (of->world->budget != NULL) eli_tile_meter_measure(&work);
  begin_step(&work);
  eli_take_stages(&work, of->open ? ELI_STAGE_BEGIN : ELI_STAGE_CONSTRAIN_MIDDLE, ELI_STAGE_PAIRS);
}

static void run_tile_to_end(void *context, int worker, size_t index) {
  const batch *of = context;
  eli_tile_work work = eli_work_on(of->world, index, worker, of->dt);
  set_instant(&work, of, 0);
  work.idle = eli_idle_stages(&work);
  if (of->world->budget != NULL) eli_tile_meter_begin(&work, worker);
  eli_take_stages(&work, ELI_STAGE_GEOMETRY, ELI_STAGE_CONSTRAIN_END);
  work.report->steps = 1;
  if (of->world->budget != NULL) eli_tile_meter_end(&work);
  if (of->settle) settle_tile(of->world, worker, index);
}

static void run_pair_phase(batch *of) {
  elastica_world *world = of->world;
  const double time = time_after(world, (double)world->clock.segment_steps + 0.5, of->dt);
  const elastica_instant middle = eli_instant(world, time, of->dt);
  eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, 1, run_tile_to_middle, of);
  eli_world_run_pair_phase(world, &middle, world->budget != NULL);
  eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, 1, run_tile_to_end, of);
}

static void observe_tile(void *context, int worker, size_t index) {
  const batch *of = context;
  eli_tile_work work = eli_work_on(of->world, index, worker, of->dt);
  set_instant(&work, of, 0);
  eli_take_stages(&work, ELI_STAGE_OBSERVE, ELI_STAGE_OBSERVE);
}

/* Returns the number of steps that all tiles have completed without an event. */
static long completed(const batch *of) {
  long steps = of->count;
  for (size_t t = 0; t < of->world->bodies.slab.tile_count; t++)
    if (of->world->scratch.reports[t].steps < steps) steps = of->world->scratch.reports[t].steps;
  return steps;
}

/* Makes a batch empty if its first step is left to the next batch: the state is that of its beginning. */
static void take_none(batch *of) {
  of->close = of->open;
  for (size_t t = 0; t < of->world->bodies.slab.tile_count; t++) {
    of->world->scratch.reports[t].trips = 0;
    of->world->scratch.reports[t].status = ELASTICA_OK;
  }
}

/* Returns 1 if trips of the watch request a limit check: it would have consequences, and none is requested yet. */
static int is_watched(const elastica_world *world) {
  return (!world->allow_unstable_step || world->schedule.chosen) && !world->schedule.check_is_requested;
}

/* Returns the trips in the step after `done` steps. */
static unsigned trips_of(const elastica_world *world, long done) {
  unsigned trips = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    if (world->scratch.reports[t].steps == done) trips |= world->scratch.reports[t].trips;
  return trips;
}

static int has_failed_hook(const elastica_world *world, long done) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    if (world->scratch.reports[t].steps == done && world->scratch.reports[t].status != ELASTICA_OK) return 1;
  return 0;
}

/* [rad] Largest turn of a frame in a step directly after the library chose its size. */
#define WIDEST_CHOSEN_TURN 0.6

/* Returns the widest turn of a frame in the step after `done` steps, among tiles in which the watch tripped. */
static eli_wide_turn widest_turn(const elastica_world *world, long done, double dt) {
  eli_wide_turn widest = {world->clock.step_count + done, dt, 0.0};
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (world->scratch.reports[t].steps < done || !(world->scratch.reports[t].trips & ELI_TRIP_WATCH)) continue;
    ELI_EACH_ROD(rod, world, tile)
      for (int j = 0; j < rod->element_count; j++) {
        double square = 0.0;
        for (int a = 0; a < 3; a++) {
          const double w = world->bodies.slab.lane[ELI_OMEGA + a][rod->offset + (size_t)j];
          square += w * w;
        }
        const double angle = sqrt(square) * dt;
        if (angle > widest.angle && angle < INFINITY) widest.angle = angle;
      }
  }
  return widest;
}

/* Returns 1 if the step after `done` steps is undone because of these trips, so that the limit is checked before it. If the limit was
 * checked directly before the step, the step is accepted, unless the library chose its size and it turned a frame too far. */
static int is_taken_back(elastica_world *world, unsigned trips, long done, double dt) {
  if ((trips & ELI_TRIP_WATCH) == 0 || !is_watched(world)) return 0;
  if (world->schedule.last_check != world->clock.step_count + done) return 1;
  if (!world->schedule.chosen || (trips & ~(ELI_TRIPS_OF_SOUND_STEPS | ELI_TRIP_SPIN)) != 0) return 0;
  const eli_wide_turn widest = widest_turn(world, done, dt);
  if (!(widest.angle > WIDEST_CHOSEN_TURN * (1.0 + 1e-9))) return 0;
  world->schedule.wide_turn = widest;
  return 1;
}

static int has_window(const elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    if (world->bodies.slab.tiles[t].passed || world->bodies.slab.tiles[t].away) return 1;
  return 0;
}

/* Runs the batch. Its count becomes the number of steps taken, which is smaller if a step ends it. A step in which pairs wake, or which is
 * undone, is left to the next batch. A failing step is taken and closed in all tiles, and the reports are those of this step. The
 * repetition closes every step, so it may end one step earlier, if a closing constraint fails. A window may end a batch that the whole rod
 * would not end; the batch is then repeated without windows. */
static void run(batch *of) {
  elastica_world *world = of->world;
  if (of->has_pairs) {
    run_pair_phase(of);
    return;
  }
  world->pair_phase.asleep = world->pair_phase.enabled > 0;
  if (of->keep) keep_effects(world); /* sleeping pairs have no history, so no memory is needed */
  eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, of->count, run_tile, of);
  for (long done = completed(of); done < of->count && (of->keep || !of->close || done + 1 < of->count); done = completed(of)) {
    const unsigned trips = trips_of(world, done);
    const int woken = (trips & ELI_TRIP_PAIRS) != 0, windows = !of->whole && has_window(world);
    const int returned = !woken && !has_failed_hook(world, done) && !windows && is_taken_back(world, trips, done, of->dt);
    restore_checkpoint(world);
    if (windows) {
      of->whole = 1;
      eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, of->count, run_tile, of);
      continue;
    }
    if (woken)
      world->pair_phase.wakes = world->clock.step_count + done;
    else
      world->schedule.batch_from = world->clock.step_count + done + ELI_LIMIT_CHECK_INTERVAL;
    of->keep = of->fuse = 0;
    of->close = 1;
    of->settle = !woken && !returned;
    of->returned = returned;
    of->count = woken || returned ? done : done + 1;
    if (of->count == 0) {
      take_none(of);
      break;
    }
    eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, of->count, run_tile, of);
  }
  world->pair_phase.asleep = 0;
}

/* Describes the boundaries that drove one rod through another or turned a joint too far, if any. */
static const char *blame(elastica_world *world, double dt, char why[ELI_DEMANDS_SIZE]) {
  const elastica_rod *rod = world->bodies.first_rod;
  while (rod != NULL && !rod->body->failed) rod = rod->body->next;
  return eli_tell_demands(world, rod != NULL ? rod->index : -1, 1, dt, why, ELI_DEMANDS_SIZE);
}

/* Returns the failure of the lowest rod, if any. A limit check that the watch requests comes before the next step. */
static elastica_status verdict(elastica_world *world, int has_pairs, double dt) {
  unsigned trips = 0;
  char why[ELI_DEMANDS_SIZE];
  const int met = !has_pairs || world->pair_phase.report.status == ELASTICA_OK;
  const eli_tile_report *failed = met ? eli_world_failed_hook(world) : &world->pair_phase.report;
  if (has_pairs) trips = world->pair_phase.report.trips;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) trips |= world->scratch.reports[t].trips;
  const int tripped = (trips & ~ELI_TRIPS_OF_SOUND_STEPS) != 0;
  if (failed != NULL || tripped) eli_world_blame(world, trips, dt);
  if (failed != NULL) {
    eli_world_blame_hooks(world, met ? NULL : failed->effect);
    const int may_be_demanded = failed->status == ELASTICA_UNSTABLE_STEP || failed->status == ELASTICA_JOINT_TOO_FAR;
    return eli_world_fail_hook(world, failed, eli_world_now(world), may_be_demanded ? blame(world, dt, why) : "");
  }
  if (trips & ELI_TRIP_WATCH && is_watched(world)) world->schedule.check_is_requested = 1;
  return tripped ? eli_world_trip(world, trips, dt) : ELASTICA_OK;
}

/* ---- Steps of a call ---- */

/* Properties common to all batches of a call. */
typedef struct plan {
  int batched;  /* 1: batches have several steps */
  int observed; /* 1: observers are called after each step */
  int fuse;     /* 1: whole drifts between the steps of a batch */
  int returns;  /* 1: steps can be undone */
  int keeps;    /* 1: steps can be undone back to before the call */
} plan;

static plan plan_steps(elastica_world *world) {
  plan of;
  of.returns = eli_world_may_return(world);
  of.keeps = of.returns && may_keep(world);
  of.batched = of.returns && world->budget == NULL && may_batch(world);
  of.observed = eli_world_has(world, ELI_OBSERVE) && !world->clock.is_frozen;
  of.fuse = !eli_world_has(world, ELI_BEGIN_STEP) && world->effects.positions_by_time;
  return of;
}

/* Returns the next batch of a call with `left` remaining steps. A batch of one step closes itself and keeps nothing. */
static batch next_batch(elastica_world *world, const plan *steps, double dt, long left) {
  const long whole = ELI_BATCH_STEPS - world->clock.step_count % ELI_BATCH_STEPS;
  const int alone = !steps->batched || world->clock.step_count < world->schedule.batch_from;
  batch next = {.world = world, .dt = dt, .open = 1, .fuse = steps->fuse, .close = 1};
  next.count = alone ? 1 : left < whole ? left : whole;
  next.has_pairs = eli_world_has_pair_phase(world) &&
                   (next.count == 1 || world->clock.step_count == world->pair_phase.wakes || !eli_world_pairs_sleep(world));
  if (next.has_pairs) next.count = 1;
  next.keep = next.count > 1;
  next.settle = next.count == left && !steps->observed;
  next.stops = ~ELI_TRIPS_OF_SOUND_STEPS | (is_watched(world) ? ELI_TRIP_WATCH : 0);
  return next;
}

static void ignore_contact(void *context, const eli_contact_stiffness *contact) {
  (void)context, (void)contact;
}

/* Makes the lists of pairs before the first step after a state was loaded, since that step may need no limit check: a lack of memory must
 * refuse the call, not fail the step. */
static elastica_status renew_lists(elastica_world *world, const char *function) {
  elastica_status status = ELASTICA_OK;
  if (!world->pair_phase.lists_are_old) return status;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && effect->enabled && eli_reports_contacts(effect))
    status = effect->body->kind->contact_stiffness(effect->self, eli_world_now(world), ignore_contact, NULL);
  eli_world_leave_hooks(world);
  if (status != ELASTICA_OK) return elastica_world_refuse(world, status, "%s: no memory for the list of pairs", function);
  world->pair_phase.lists_are_old = 0;
  return status;
}

/* Sets a checkpoint; returns 0 if memory runs out. The steps after it are single steps of the same size. */
static int set_checkpoint(elastica_world *world) {
  if (!keep_world(world)) return 0;
  world->checkpoint.step = world->clock.step_count;
  world->checkpoint.segment_steps = world->clock.segment_steps;
  return 1;
}

/* Without a checkpoint steps could not be repeated, and their bits would depend on the lack of memory. */
static elastica_status refuse_checkpoint(elastica_world *world, const char *function) {
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the state at step %ld, to repeat steps from it", function,
                               world->clock.step_count);
}

/* Returns 1 if the single step that was just taken must be undone. */
static int is_returned(elastica_world *world, const batch *of) {
  unsigned trips = 0;
  if (of->has_pairs && world->pair_phase.report.status != ELASTICA_OK) return 0;
  if (eli_world_failed_hook(world) != NULL) return 0;
  if (of->has_pairs) trips = world->pair_phase.report.trips;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) trips |= world->scratch.reports[t].trips;
  return is_taken_back(world, trips, 0, of->dt);
}

/* Undoes the last step: returns to the checkpoint and repeats the other steps since then. These succeed unless memory runs out. */
static elastica_status go_back(elastica_world *world, const plan *steps, double dt) {
  const long count = world->clock.step_count - world->checkpoint.step;
  restore_checkpoint(world);
  world->clock.step_count = world->checkpoint.step;
  world->clock.segment_steps = world->checkpoint.segment_steps;
  for (long k = 0; k < count; k++) {
    batch again = next_batch(world, steps, dt, 1);
    run(&again);
    if (again.count == 0) { /* pairs may wake in this step */
      again = next_batch(world, steps, dt, 1);
      run(&again);
    }
    if (!world->clock.is_frozen) world->clock.segment_steps++;
    world->clock.step_count++;
    const elastica_status status = again.has_pairs ? verdict(world, 1, dt) : ELASTICA_OK;
    if (status != ELASTICA_OK) return status;
  }
  return ELASTICA_OK;
}

/* Steps are counted in long, which has 32 bits on Windows; some step counts are up to STEPS_AHEAD ahead of the present one. */
enum { STEPS_AHEAD = 1 << 20 };

elastica_status eli_world_take_steps(elastica_world *world, const char *function, double dt, long count) {
  if (count > LONG_MAX - STEPS_AHEAD - world->clock.step_count)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE,
                                 "%s: after %ld steps this system cannot count %ld more; a new world can take them", function,
                                 world->clock.step_count, count);
  const plan steps = plan_steps(world);
  elastica_status status = renew_lists(world, function);
  if (status == ELASTICA_OK && steps.returns && !reserve_checkpoint(world)) status = refuse_checkpoint(world, function);
  if (status == ELASTICA_OK && world->budget != NULL) status = eli_budget_begin(world->budget);
  if (status != ELASTICA_OK) return status;
  world->calls.purpose = ELASTICA_PURPOSE_STEP;
  eli_world_forget_refreshed(world);
  if (dt != world->clock.segment_dt) {
    const eli_step_change change = {world->clock.step_count, eli_world_now(world)};
    if (!world->clock.is_frozen) world->report.step_changes[world->report.step_change_count++ % ELI_STEP_CHANGES] = change;
    world->clock.segment_time = eli_world_now(world);
    world->clock.segment_steps = 0;
    world->clock.segment_dt = dt;
    world->checkpoint.step = -1;
  }
  if (!steps.keeps) world->checkpoint.step = -1;
  int settled = 0, refused = 0;
  while (count > 0 && status == ELASTICA_OK) {
    batch next = next_batch(world, &steps, dt, count);
    refused = !next.keep && steps.returns && world->checkpoint.step < 0 && is_watched(world) && !set_checkpoint(world);
    if (refused) break;
    run(&next);
    settled = next.settle;
    if (!next.returned && next.count == 1 && world->checkpoint.step >= 0 && is_returned(world, &next)) {
      status = go_back(world, &steps, dt);
      settled = 0;
      next.returned = 1;
      next.count = 0;
    }
    if (steps.observed && next.count > 0) eli_world_run_tiles(world, ELI_HOOKS_OF_OBSERVERS, 1, observe_tile, &next);
    if (!world->clock.is_frozen) world->clock.segment_steps += next.count;
    world->clock.step_count += next.count;
    count -= next.count;
    if (next.count > 0) status = verdict(world, next.has_pairs, dt);
    if (world->budget != NULL && status == ELASTICA_OK && next.count > 0) eli_budget_add_step(world->budget, dt);
    if (next.returned) world->schedule.check_is_requested = 1;
    if (world->schedule.check_is_requested) count = 0;
  }
  if (!settled) eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, eli_world_work(world, 1), settle_tile, world);
  if (world->budget != NULL && status == ELASTICA_OK) eli_budget_end(world->budget);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  return refused ? refuse_checkpoint(world, function) : status;
}
