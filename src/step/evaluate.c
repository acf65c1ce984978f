/* Queries of the present state, without a step: the derived lanes of rods (strains, resultants and internal loads), and all loads.
 *
 * models     derived lanes have a separate scratch, so that they survive a limit check. Loads are those of a step of dt from here: internal
 *            loads, add_loads, and reactions to their total, but at the present positions and time instead of those in the middle of the
 *            step
 * why        Later steps must not depend on a query of loads: history that add_reactions changes is restored, walls use separate lanes
 *            (the purpose of a query), and the lanes of loads are cleared as after a kick
 * test       tests/test_rod_refresh.c, tests/test_evaluate.c
 */
#include "base/target.h"

#include <string.h>

#include "state/definition.h"
#include "state/module.h"
#include "step/stages.h"
#include "step/stepper.h"

/* ---- Derived lanes of a tile ---- */

/* Computes strains, resultants and internal loads of a tile, with the hooks of this rod alone, or with NULL of all rods. Kernels sweep the
 * whole tile; no value of one rod enters the lanes of another. */
static void fill(eli_tile_work *work, elastica_rod *rod) {
  work->alone = rod;
  memset(work->report, 0, sizeof *work->report);
  eli_take_stages(work, ELI_STAGE_STRAINS, ELI_STAGE_INTERNAL_LOADS);
}

elastica_status eli_tile_refresh(elastica_world *world, size_t tile, elastica_rod *rod, const char *function, eli_tile_report *report) {
  if (world->scratch.query.capacity < world->bodies.slab.tiles[tile].count) eli_world_forget_refreshed(world);
  if (!eli_scratch_reserve(world, &world->scratch.query, ELI_TOTAL_FORCE))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for derived lanes", function);
  eli_tile_work work = eli_work_on(world, tile, 0, 0.0);
  work.scratch = world->scratch.query.lane;
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
  const eli_tile *tile = &world->bodies.slab.tiles[rod->tile];
  ELI_EACH_ROD(other, world, tile) {
    if (other != rod) eli_rod_forget_derived(other);
  }
  world->scratch.refreshed = rod;
}

/* ---- Derived lanes of all rods ---- */

int eli_world_reserve_whole(elastica_world *world) {
  eli_whole *whole = &world->scratch.whole;
  if (whole->slots >= world->bodies.slab.end + ELI_BLOCK) return 1;
  double *lane[ELI_TOTAL_FORCE];
  const size_t slots = world->bodies.slab.end + ELI_BLOCK;
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
  eli_tile_work work = eli_work_on(world, tile, worker, 0.0);
  for (int k = 0; k < ELI_TOTAL_FORCE; k++) lane[k] = world->scratch.whole.lane[k] + work.tile->begin;
  work.scratch = lane;
  work.sweep = eli_tile_sweep(work.tile, lane);
  fill(&work, NULL);
}

elastica_status eli_world_refresh_all(elastica_world *world, const char *function) {
  if (world->scratch.whole_refreshed) return ELASTICA_OK;
  if (!eli_world_reserve_whole(world))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the derived lanes of %d rods", function,
                                 world->bodies.indices.taken);
  eli_world_forget_refreshed(world);
  eli_world_run_tiles(world, ELI_HOOK_BIT(ELI_ADD_RESULTANTS), 1, fill_tile, world);
  world->scratch.whole_refreshed = 1;
  const eli_tile_report *failed = eli_world_failed_hook(world);
  if (failed == NULL) return ELASTICA_OK;
  eli_world_forget_refreshed(world);
  return eli_world_refuse_hook(world, failed);
}

/* ---- Derived lanes of one rod ---- */

elastica_status eli_rod_refresh(elastica_rod *rod, const char *function) {
  eli_tile_report report;
  elastica_status status = eli_rod_check(rod, function);
  if (status == ELASTICA_OK) status = eli_world_check_open(rod->world, function, 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(rod->world, function);
  if (status != ELASTICA_OK || rod->world->scratch.whole_refreshed) return status;
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
/* ---- Loads ---- */

enum { RATES = ELI_ANSWER_REACTION - ELI_ANSWER_DRAG };

static int reserve_answer(elastica_world *world) {
  eli_answer *answer = &world->scratch.answer;
  if (answer->slots >= world->bodies.slab.end) return 1;
  double *lane[ELI_ANSWER_COUNT];
  void *memory = eli_lanes_allocate(&world->allocator, world->bodies.slab.end, ELI_ANSWER_COUNT, 0, lane);
  if (memory == NULL) return 0;
  eli_release(&world->allocator, answer->memory);
  answer->memory = memory;
  answer->slots = world->bodies.slab.end;
  memcpy(answer->lane, lane, sizeof lane);
  return 1;
}

/* Refuses hooks of a module with history that cannot be restored. */
static elastica_status check_history(elastica_world *world, double dt) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    const int acts_on_pairs = module->add_world_loads != NULL, reacts = dt > 0.0 && module->add_reactions != NULL;
    if (!effect->enabled || effect->body->kind != NULL || module->stateless || !(acts_on_pairs || reacts)) continue;
    if (effect->self == NULL || effect->body->copy != NULL || module->each_history != NULL) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "evaluate: effect %d \"%s\" has %s and a borrowed self that is not stateless: what they change could "
                                 "not be put back%s",
                                 effect->index, effect->body->label, acts_on_pairs ? "add_world_loads" : "reactions",
                                 acts_on_pairs ? "" : "; dt = 0 asks without reactions");
  }
  return ELASTICA_OK;
}

/* Copies the tile's lanes of loads. The addition of 0 turns the neutral value -0 into +0. */
static void copy_external(const eli_tile_work *work, double *const *answer) {
  for (int k = 0; k < ELI_ANSWER_REACTION; k++)
    for (size_t i = 0; i < work->tile->count; i++) answer[k][i] = work->tile->lane[ELI_FORCE + k][i] + 0.0;
}

/* Computes the contribution of reactions to forces and couples, and the total. Rates include those of reactions. */
static void copy_rest(const eli_tile_work *work, double *const *answer) {
  const eli_tile *tile = work->tile;
  work->world->kernels->total(&work->sweep, &work->law, work->tile->closed);
  for (int k = 0; k < ELI_ANSWER_DRAG; k++)
    for (size_t i = 0; i < tile->count; i++) answer[ELI_ANSWER_REACTION + k][i] = tile->lane[ELI_FORCE + k][i] - answer[k][i];
  for (int k = 0; k < ELI_ANSWER_DRAG; k++)
    memcpy(answer[ELI_ANSWER_TOTAL + k], work->scratch[ELI_TOTAL_FORCE + k], tile->count * sizeof(double));
  for (int k = 0; k < RATES; k++)
    for (size_t i = 0; i < tile->count; i++) answer[ELI_ANSWER_DRAG + k][i] = tile->lane[ELI_DRAG + k][i] + 0.0;
}

static void evaluate_tile(elastica_world *world, size_t t, double dt) {
  const eli_tile_work work = eli_work_on(world, t, 0, dt);
  double *answer[ELI_ANSWER_COUNT];
  memset(work.report, 0, sizeof *work.report);
  for (int k = 0; k < ELI_ANSWER_COUNT; k++) answer[k] = world->scratch.answer.lane[k] + work.tile->begin;
  if (eli_ask_stages(&work, ELI_STAGE_STRAINS, ELI_STAGE_LOADS)) {
    copy_external(&work, answer);
    if (dt > 0.0) (void)eli_ask_stages(&work, ELI_STAGE_REACTIONS, ELI_STAGE_REACTIONS);
    copy_rest(&work, answer);
  }
  eli_slab_clear_loads(&world->bodies.slab, work.tile);
}

/* Returns 1 if hooks are called that may change history. */
static int moves_history(const elastica_world *world, double dt) {
  return dt > 0.0 || eli_world_has_pair_phase(world);
}

/* Runs on the calling thread, as all hooks of a query do. Of the rods with failed hooks the lowest is named, for any order of tiles. */
static elastica_status evaluate_tiles(elastica_world *world, double dt) {
  elastica_status status = ELASTICA_OK;
  if (moves_history(world, dt)) eli_world_keep_history(world);
  const elastica_instant now = eli_instant(world, eli_world_now(world), dt);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  if (eli_world_has_pair_phase(world) && eli_world_run_pair_phase(world, &now, 0) != ELASTICA_OK) {
    status = eli_world_refuse_hook(world, &world->pair_phase.report);
    for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_slab_clear_loads(&world->bodies.slab, &world->bodies.slab.tiles[t]);
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count && status == ELASTICA_OK; t++) evaluate_tile(world, t, dt);
  const eli_tile_report *failed = status == ELASTICA_OK ? eli_world_failed_hook(world) : NULL;
  if (failed != NULL) status = eli_world_refuse_hook(world, failed);
  eli_world_leave_hooks(world);
  if (moves_history(world, dt)) eli_world_put_back_history(world);
  return status;
}

static void aim_views(elastica_world *world) {
  world->scratch.answered = 1;
  eli_world_aim_refreshed(world);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t]) eli_rod_aim_loads(rod, world->scratch.answer.lane);
}

elastica_status elastica_world_evaluate(elastica_world *world, double dt) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "evaluate", 0);
  if (status == ELASTICA_OK && !(dt >= 0.0 && dt <= ELI_LARGEST))
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "evaluate: dt = %g is negative, too large or not finite", dt);
  if (status == ELASTICA_OK && dt > 0.0 && dt < 1.0 / ELI_LARGEST)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "evaluate: dt = %g s is too small", dt);
  if (status == ELASTICA_OK) status = check_history(world, dt);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "evaluate");
  if (status != ELASTICA_OK) return status;
  eli_world_forget_refreshed(world);
  status = eli_world_refresh_all(world, "evaluate");
  if (status == ELASTICA_OK && (!reserve_answer(world) || (moves_history(world, dt) && !eli_world_reserve_history(world))))
    status =
        elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "evaluate: no memory for the loads of %d rods", world->bodies.indices.taken);
  if (status == ELASTICA_OK) status = evaluate_tiles(world, dt);
  if (status == ELASTICA_OK)
    aim_views(world);
  else
    eli_world_forget_refreshed(world);
  return status;
}
