/* Position Verlet (Gazzola et al. 2018, appendix C, with the new velocities in the second half step): the one place that knows the order.
 *
 * The half drift that closes a step and the one that opens the next are fused into one pass over memory when nothing stands between them;
 * both are still carried out, so that no bit depends on it.
 */
#include "base/target.h"

#include "base/checks.h"
#include "step/stages.h"
#include "step/stepper.h"

typedef struct step {
  elastica_world *world;
  double time, middle, end, dt;
  int open;  /* 1: the opening half drift is still to do */
  int close; /* 1: this step closes with half a drift; 0: with a whole one, which opens the next */
} step;

static eli_work work_on(const step *now, size_t tile, int worker) {
  eli_work work = eli_work_on(now->world, tile, worker, now->dt);
  work.time = now->time;
  work.middle = now->middle;
  work.end = now->end;
  return work;
}

/* Geometry, internal and external loads at the middle of the step. */
static void load(const eli_work *work) {
  if (work->tile->derived) {
    eli_geometry(work);
    eli_strains(work);
    eli_add_resultants(work);
    eli_internal_loads_from_resultants(work);
    if (work->tile->gathered) eli_gather_internal_loads(work);
  } else {
    eli_geometry_and_internal_loads(work);
  }
  if (work->tile->loaded) eli_external_loads(work);
  if (work->tile->reacting) eli_reactions(work);
}

/* The spins get their kick after the velocities are as prescribed: their couples depend on the mean of old and new velocities. */
static void kick_and_drift(const eli_work *work, int twice) {
  if (work->tile->spins_free) {
    eli_kick_velocity(work);
    eli_constrain_velocities(work);
    eli_kick_spin_and_drift(work, twice);
    return;
  }
  eli_kick(work);
  eli_drift(work, twice);
}

/* Hooks at the start of a step see the geometry of that instant, not of the middle of the step before. */
static void begin(const eli_work *work) {
  if (!eli_tile_has(work->world, work->tile, ELI_BEGIN_STEP)) return;
  eli_geometry(work);
  eli_hooks(work, ELI_BEGIN_STEP, work->time, NULL);
}

/* The whole step, also after a hook has failed: the resulting state must not depend on how rods share tiles. */
static void run_tile(void *context, int worker, size_t index) {
  const step *now = context;
  const eli_work work = work_on(now, index, worker);
  work.report->trips = 0;
  work.report->status = ELASTICA_OK;
  if (now->open) {
    begin(&work);
    eli_drift(&work, 0);
  }
  eli_constrain_positions(&work, now->middle);
  load(&work);
  kick_and_drift(&work, !now->close);
  if (now->close) eli_constrain_positions(&work, now->end);
}

static void observe_tile(void *context, int worker, size_t index) {
  const step *now = context;
  const eli_work work = work_on(now, index, worker);
  eli_geometry(&work);
  eli_hooks(&work, ELI_OBSERVE, now->end, NULL);
}

/* The failure of the lowest rod, if any; tiles are in the order of rods. A look that the watch requests comes before the next step while
 * the world is on the alert, else one step later: a step that is fused with the next has drifted into it already, and one that is not fused
 * waits as long, so that no bit depends on fusing. */
static elastica_status verdict(elastica_world *world, double dt) {
  unsigned trips = 0;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    if (world->reports[t].status != ELASTICA_OK) return eli_world_fail_hook(world, &world->reports[t], eli_world_now(world));
    trips |= world->reports[t].trips;
  }
  const int limited = !world->allow_unstable_step || world->chosen; /* else looks change nothing */
  if (trips & ELI_TRIP_WATCH && limited && !world->look_is_asked) {
    world->look_is_asked = 1;
    world->asked_step = world->step_count + (world->step_count <= world->alert_end ? 0 : 1);
  }
  return trips & ~(unsigned)(ELI_TRIP_FAR | ELI_TRIP_WATCH) ? eli_world_trip(world, trips, dt) : ELASTICA_OK;
}

elastica_status eli_world_take_steps(elastica_world *world, double dt, long count) {
  const int observed = eli_world_has(world, ELI_OBSERVE);
  const int fuse = !observed && !eli_world_has(world, ELI_BEGIN_STEP) && world->positions_by_time;
  elastica_status status = ELASTICA_OK;
  eli_world_forget_refreshed(world);
  if (dt != world->segment_dt) {
    world->segment_time = eli_world_now(world);
    world->segment_steps = 0;
    world->segment_dt = dt;
  }
  step now = {world, 0.0, 0.0, 0.0, dt, 1, 0};
  for (long k = 0; k < count && status == ELASTICA_OK; k++) {
    now.time = eli_world_now(world);
    now.middle = world->segment_time + ((double)world->segment_steps + 0.5) * dt;
    now.end = world->segment_time + ((double)world->segment_steps + 1.0) * dt;
    now.close = !(fuse && k + 1 < count) || world->step_count < world->alert_end;
    eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, run_tile, &now);
    if (observed) eli_world_run_tiles(world, ELI_HOOKS_OF_OBSERVERS, observe_tile, &now);
    world->segment_steps++;
    world->step_count++;
    status = verdict(world, dt);
    now.open = now.close;
    if (world->look_is_asked && world->asked_step - world->step_count < count - k - 1)
      count = k + 1 + world->asked_step - world->step_count;
  }
  for (size_t t = 0; t < world->slab.tile_count; t++) eli_tile_update_geometry(world, t);
  for (int r = 0; r < world->rod_count; r++)
    if (world->slab.tiles[world->rods[r]->tile].derived) eli_rod_forget_derived(world->rods[r]);
  return status;
}

elastica_status eli_world_kick(elastica_world *world, double dt) {
  const elastica_status status = eli_world_prepare(world);
  if (status != ELASTICA_OK) return status;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_work work = eli_work_on(world, t, 0, dt);
    work.report->status = ELASTICA_OK;
    load(&work);
    eli_kick(&work);
    if (work.report->status != ELASTICA_OK) return work.report->status;
  }
  return ELASTICA_OK;
}
