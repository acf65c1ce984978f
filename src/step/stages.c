/* The stages of a step, in the order in which a tile goes through them: position Verlet (Gazzola et al. 2018, appendix C) with the new
 * velocities in the second half step. This table is the one place that knows the order: the stepper, the work meter of budgets, evaluations,
 * statics and queries go through it.
 *
 * Stages that stand next to each other may have a function that carries them out together in fewer passes over memory, with the same bits.
 * test       tests/test_stages.c
 */
#include "base/target.h"

#include "step/stages.h"

/* Hooks at the start of a step see the geometry of that instant, not of the middle of the step before. */
static void begin(const eli_work *work) {
  if (!eli_tile_has(work->world, work->tile, ELI_BEGIN_STEP)) return;
  eli_geometry(work);
  eli_hooks(work, ELI_BEGIN_STEP, work->time, NULL);
}

static void drift_in(const eli_work *work) {
  eli_drift(work, 0);
}

static void drift_out(const eli_work *work) {
  eli_drift(work, work->fused);
}

/* Holds at rest need not be called: what they hold was written when the world was prepared, and stays. */
static void constrain_positions(const eli_work *work, double time) {
  if (!work->tile->positions_stay) eli_constrain_positions(work, time);
}

static void constrain_middle(const eli_work *work) {
  constrain_positions(work, work->middle);
}

static void constrain_end(const eli_work *work) {
  constrain_positions(work, work->end);
}

/* Pairs see the geometry of the middle of the step. */
static void measure_pairs(const eli_work *work) {
  if (eli_world_pairs_read_geometry(work->world)) eli_geometry(work);
}

/* The pairs of the whole world act between its two sweeps over tiles. While they sleep, a tile only watches its rods. */
static void watch_pairs(const eli_work *work) {
  if (!work->world->pair_phase.asleep) return;
  ELI_EACH_ROD(rod, work->world, work->tile) work->report->trips |= eli_rod_has_left(rod);
}

static void add_resultants(const eli_work *work) {
  if (work->alone != NULL)
    eli_add_rod_resultants(work, work->alone);
  else
    eli_add_resultants(work);
}

static void find_internal_loads(const eli_work *work) {
  eli_internal_loads_from_resultants(work);
  eli_gather_internal_loads(work);
}

static void add_loads(const eli_work *work) {
  const int damped = work->tile->damper != NULL && work->world->asks; /* in a step the kick integrates it */
  if (work->tile->loaded || eli_world_has_pair_phase(work->world) || damped) eli_external_loads(work);
}

static void add_reactions(const eli_work *work) {
  if (work->tile->reacting) eli_reactions(work);
}

static void watch_joints_before(const eli_work *work) {
  eli_watch_joints(work, -0.5 * work->dt);
}

static void watch_joints_after(const eli_work *work) {
  eli_watch_joints(work, 0.5 * work->dt);
}

static void constrain_velocities(const eli_work *work) {
  eli_constrain_velocities(work);
}

static void constrain_spins(const eli_work *work) {
  eli_constrain_spins(work);
}

static void observe(const eli_work *work) {
  eli_geometry(work);
  eli_hooks(work, ELI_OBSERVE, work->end, NULL);
}

enum { NO_HOOK = ELI_HOOK_COUNT };

const eli_stage_row eli_stages[ELI_STAGE_COUNT] = {
    [ELI_STAGE_BEGIN] = {"begin", ELI_BEGIN_STEP, begin, NULL, 0},
    [ELI_STAGE_DRIFT_IN] = {"drift to the middle", NO_HOOK, drift_in, NULL, 0},
    [ELI_STAGE_CONSTRAIN_MIDDLE] = {"constrain positions", ELI_CONSTRAIN_POSITION, constrain_middle, NULL, 0},
    [ELI_STAGE_MEASURE_PAIRS] = {"geometry of pairs", NO_HOOK, measure_pairs, NULL, 0},
    [ELI_STAGE_PAIRS] = {"pairs", ELI_ADD_WORLD_LOADS, watch_pairs, NULL, 0},
    [ELI_STAGE_GEOMETRY] = {"geometry", NO_HOOK, eli_geometry, eli_loads, ELI_STAGE_LOADS},
    [ELI_STAGE_STRAINS] = {"strains", NO_HOOK, eli_strains, NULL, 0},
    [ELI_STAGE_RESULTANTS] = {"resultants", ELI_ADD_RESULTANTS, add_resultants, NULL, 0},
    [ELI_STAGE_INTERNAL_LOADS] = {"internal loads", NO_HOOK, find_internal_loads, NULL, 0},
    [ELI_STAGE_LOADS] = {"external loads", ELI_ADD_LOADS, add_loads, NULL, 0},
    [ELI_STAGE_REACTIONS] = {"reactions", ELI_ADD_REACTIONS, add_reactions, NULL, 0},
    [ELI_STAGE_JOINTS_BEFORE] = {"joints before the kick", NO_HOOK, watch_joints_before, NULL, 0},
    [ELI_STAGE_KICK_VELOCITY] = {"kick of velocities", NO_HOOK, eli_kick_velocity, eli_kick, ELI_STAGE_CONSTRAIN_SPIN},
    [ELI_STAGE_CONSTRAIN_VELOCITY] = {"constrain velocities", ELI_CONSTRAIN_VELOCITY, constrain_velocities, NULL, 0},
    [ELI_STAGE_KICK_SPIN] = {"kick of spins", NO_HOOK, eli_kick_spin, NULL, 0},
    [ELI_STAGE_CONSTRAIN_SPIN] = {"constrain spins", ELI_CONSTRAIN_SPIN, constrain_spins, NULL, 0},
    [ELI_STAGE_JOINTS_AFTER] = {"joints after the kick", NO_HOOK, watch_joints_after, NULL, 0},
    [ELI_STAGE_DRIFT_OUT] = {"drift to the end", NO_HOOK, drift_out, NULL, 0},
    [ELI_STAGE_CONSTRAIN_END] = {"constrain positions at the end", ELI_CONSTRAIN_POSITION, constrain_end, NULL, 0},
    [ELI_STAGE_OBSERVE] = {"observe", ELI_OBSERVE, observe, NULL, 0},
};

/* One by one, each between two calls of the meter. */
static void take_metered(const eli_work *work, eli_stage from, eli_stage to) {
  eli_meter *meter = work->report->meter;
  for (int stage = (int)from; stage <= (int)to; stage++) {
    meter->before(meter, work, stage);
    eli_stages[stage].run(work);
    meter->after(meter, work, stage);
  }
}

unsigned eli_idle_stages(const eli_work *work) {
  const elastica_world *world = work->world;
  const eli_tile *tile = work->tile;
  const int constrains = eli_tile_has(world, tile, ELI_CONSTRAIN_POSITION) && !tile->positions_stay;
  unsigned idle = 0;
  if (!eli_tile_has(world, tile, ELI_BEGIN_STEP)) idle |= 1u << ELI_STAGE_BEGIN;
  if (!constrains) idle |= 1u << ELI_STAGE_CONSTRAIN_MIDDLE | 1u << ELI_STAGE_CONSTRAIN_END;
  if (!eli_world_pairs_read_geometry(world)) idle |= 1u << ELI_STAGE_MEASURE_PAIRS;
  if (!world->pair_phase.asleep) idle |= 1u << ELI_STAGE_PAIRS;
  if (!tile->reacting) idle |= 1u << ELI_STAGE_REACTIONS;
  return idle;
}

void eli_take_stages(const eli_work *work, eli_stage from, eli_stage to) {
  assert(from <= to && to < ELI_STAGE_COUNT);
  if (work->report->meter != NULL) {
    take_metered(work, from, to);
    return;
  }
  unsigned due = ((2u << to) - (1u << from)) & ~work->idle;
  while (due != 0) {
    const int stage = __builtin_ctz(due);
    const eli_stage_row *row = &eli_stages[stage];
    const int together = row->together != NULL && row->until <= to;
    due &= ~((2u << (together ? (int)row->until : stage)) - 1u);
    (together ? row->together : row->run)(work);
  }
}

int eli_ask_stages(const eli_work *work, eli_stage from, eli_stage to) {
  for (int stage = (int)from; stage <= (int)to && work->report->status == ELASTICA_OK; stage++) eli_stages[stage].run(work);
  return work->report->status == ELASTICA_OK;
}
