/* The loads of a step, in the order of the stepper, on rods at rest or, for implicit steps, on moving ones. */
#include "base/target.h"

#include "statics/at_rest.h"

#include "base/rotation.h"
#include "base/vector.h"
#include "step/stages.h"

typedef struct statics {
  elastica_world *world;
  const eli_statics *out; /* NULL: loads without reactions are asked for, and none is kept */
  int pairs;              /* 1: with the loads between bodies */
  double dt;              /* [s] that hooks see */
  double *rates;          /* NULL: at rest */
} statics;

/* Copies the worker's scratch lanes to the arrays by block. */
static void gather(const eli_tile_work *work, const elastica_rod *rod, const eli_statics *out) {
  const size_t first = eli_first_slot(work, rod), blocks = eli_block_count(rod);
  for (size_t i = 0; i < blocks; i++) {
    const size_t block = out->first[rod->body->rank] + i, slot = first + i;
    for (size_t a = 0; a < 3; a++) {
      out->total[6 * block + a] = work->scratch[ELI_TOTAL_FORCE + a][slot];
      out->total[6 * block + 3 + a] = work->scratch[ELI_TOTAL_COUPLE + a][slot];
      out->strain[12 * block + a] = work->scratch[ELI_STRAIN + a][slot];
      out->strain[12 * block + 3 + a] = work->scratch[ELI_STRESS + a][slot];
      out->strain[12 * block + 6 + a] = work->scratch[ELI_CURVATURE + a][slot];
      out->strain[12 * block + 9 + a] = work->scratch[ELI_JOINT_COUPLE + a][slot];
    }
  }
}

/* Copies the external lanes: to `loads` after add_loads, to `external` after add_reactions. */
static void gather_external(const eli_tile_work *work, const elastica_rod *rod, const eli_statics *out, double *to) {
  const size_t first = eli_first_slot(work, rod), blocks = eli_block_count(rod);
  for (size_t i = 0; i < blocks; i++)
    for (size_t a = 0; a < 6; a++)
      to[6 * (out->first[rod->body->rank] + i) + a] = work->tile->lane[(a < 3 ? ELI_FORCE : ELI_COUPLE - 3) + (int)a][first + i];
}

/* Computes all loads of a tile, with the derived lanes, because the strains are needed too. */
static int load_tile(const eli_tile_work *work, const eli_statics *out) {
  if (!eli_ask_stages(work, ELI_STAGE_GEOMETRY, ELI_STAGE_LOADS)) return 0;
  if (out == NULL) return 1;
  ELI_EACH_ROD(rod, work->world, work->tile)
    if (out->loads != NULL) gather_external(work, rod, out, out->loads);
  if (!eli_ask_stages(work, ELI_STAGE_REACTIONS, ELI_STAGE_REACTIONS)) return 0;
  work->world->kernels->total(&work->sweep, &work->law, work->tile->closed);
  ELI_EACH_ROD(rod, work->world, work->tile) {
    gather(work, rod, out);
    if (out->external != NULL) gather_external(work, rod, out, out->external);
  }
  return 1;
}

/* Copies the rates of dissipation, and subtracts (J omega) x omega. */
static void gather_rates(const eli_tile_work *work, const elastica_rod *rod, const eli_statics *out, double *rates) {
  const size_t first = eli_first_slot(work, rod), blocks = eli_block_count(rod);
  for (size_t i = 0; i < blocks; i++) {
    const size_t block = out->first[rod->body->rank] + i;
    rates[2 * block] = work->tile->lane[ELI_DRAG][first + i] + 0.0;
    rates[2 * block + 1] = work->tile->lane[ELI_SPIN_DRAG][first + i] + 0.0;
    if (i >= (size_t)rod->element_count) continue;
    double w[3], spin[3], gyration[3];
    for (size_t a = 0; a < 3; a++) {
      w[a] = work->tile->lane[ELI_OMEGA + a][first + i];
      spin[a] = work->tile->lane[ELI_INERTIA + a][first + i] * w[a];
    }
    eli_cross(spin, w, gyration);
    for (size_t a = 0; a < 3; a++) out->total[6 * block + 3 + a] -= gyration[a];
  }
}

/* Sets the load lanes to -0, as a kick does in a step. */
static void clear_loads(const eli_tile_work *work) {
  eli_slab_clear_loads(&work->world->bodies.slab, work->tile);
}

/* Computes the displacements and turns of a rod since the last accepted state. */
static void find_slips(const eli_slips *slips, double *const *lane, const elastica_rod *rod) {
  for (size_t i = rod->offset; i <= rod->offset + (size_t)eli_last_node(rod); i++)
    for (size_t a = 0; a < 3; a++) slips->moved[a][i] = lane[ELI_POSITION + a][i] - slips->from[a][i];
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    double now[9], before[9], turned[9], phi[3];
    for (size_t k = 0; k < 9; k++) now[k] = lane[ELI_DIRECTOR + k][j], before[k] = slips->from[3 + k][j];
    eli_relative_rotation(now, before, turned);
    eli_rotation_log(turned, phi);
    for (size_t a = 0; a < 3; a++) slips->moved[3 + a][j] = phi[a];
  }
}

static int settle_positions(const eli_tile_work *work) {
  return eli_constrain_positions(work, work->time) && eli_hooks(work, ELI_BEGIN_STEP, work->time, NULL);
}

/* Prepares a tile for its loads. Moving rods have been constrained before. */
static int settle(const statics *now, const eli_tile_work *work) {
  work->report->trips = 0;
  work->report->status = ELASTICA_OK;
  if (now->rates == NULL && !settle_positions(work)) return 0;
  if (work->world->calls.slips.moved[0] != NULL)
    ELI_EACH_ROD(rod, work->world, work->tile) find_slips(&work->world->calls.slips, work->world->bodies.slab.lane, rod);
  return 1;
}

/* Constrains positions and calls begin_step before the pair phase, which needs the positions of all rods. */
static void settle_tile(void *context, int worker, size_t index) {
  const statics *now = context;
  const eli_tile_work work = eli_work_on(now->world, index, worker, now->dt);
  if (settle(now, &work)) eli_geometry(&work);
}

static void statics_of_tile(void *context, int worker, size_t index) {
  const statics *now = context;
  const eli_tile_work work = eli_work_on(now->world, index, worker, now->dt);
  assert(now->rates == NULL || now->out != NULL);
  const int loaded = (now->pairs || now->out == NULL || settle(now, &work)) && load_tile(&work, now->out);
  if (loaded && now->rates != NULL)
    ELI_EACH_ROD(rod, now->world, work.tile) gather_rates(&work, rod, now->out, now->rates);
  clear_loads(&work);
  ELI_EACH_ROD(rod, now->world, work.tile) eli_rod_forget_derived(rod);
}

static void meet_at_rest(statics *now) {
  const elastica_instant instant = eli_instant(now->world, eli_world_now(now->world), now->dt);
  eli_world_run_tiles(now->world, ELI_HOOKS_OF_STEPS, 1, settle_tile, now);
  eli_world_run_pair_phase(now->world, &instant, 0);
}

static elastica_status status_of_tile(const eli_tile_report *report) {
  if (report->status != ELASTICA_OK) return report->status;
  return report->trips & ELI_TRIP_JOINT ? ELASTICA_JOINT_TOO_FAR : ELASTICA_OK;
}

/* Returns the first failure, of the pair phase or of a tile. */
static elastica_status status_of(const statics *now, eli_tile_report *report) {
  const elastica_world *world = now->world;
  if (now->pairs && world->pair_phase.report.status != ELASTICA_OK) {
    *report = world->pair_phase.report;
    return report->status;
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const elastica_status status = status_of_tile(&world->scratch.reports[t]);
    *report = world->scratch.reports[t];
    if (report->status == ELASTICA_OK) report->effect = NULL;
    if (status != ELASTICA_OK) return status;
  }
  return ELASTICA_OK;
}

static elastica_status evaluate(statics *now, elastica_purpose purpose, eli_tile_report *report) {
  now->world->calls.purpose = purpose;
  if (now->pairs) meet_at_rest(now);
  eli_world_run_tiles(now->world, ELI_HOOKS_OF_STEPS, 1, statics_of_tile, now);
  now->world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  return status_of(now, report);
}

/* dt is 1 s: at rest no load depends on it, but the friction laws divide by it. */
elastica_status eli_world_statics(elastica_world *world, int pairs, const eli_statics *out, eli_tile_report *report) {
  statics now = {world, out, pairs && eli_world_has_pair_phase(world), 1.0, NULL};
  return evaluate(&now, ELASTICA_PURPOSE_STATICS, report);
}

elastica_status eli_world_moving_loads(elastica_world *world, double dt, const eli_statics *out, double *rates, eli_tile_report *report) {
  statics now = {world, out, eli_world_has_pair_phase(world), dt, rates};
  return evaluate(&now, ELASTICA_PURPOSE_QUERY, report);
}

elastica_status eli_tile_moving_loads(elastica_world *world, size_t tile, int worker, double dt, const eli_statics *out, double *rates) {
  statics now = {world, out, 0, dt, rates};
  statics_of_tile(&now, worker, tile);
  return status_of_tile(&world->scratch.reports[tile]);
}

elastica_status eli_world_ask_loads(elastica_world *world, double dt, eli_tile_report *report) {
  statics now = {world, NULL, eli_world_has_pair_phase(world), dt, NULL};
  world->calls.checks_depth = 1;
  const elastica_status status = evaluate(&now, ELASTICA_PURPOSE_QUERY, report);
  world->calls.checks_depth = 0;
  return status;
}

/* Collects the loads that the pair phase has left in the lanes. A load on the ghost node of a ring belongs to its first node. */
static void gather_pairs(void *context, int worker, size_t index) {
  const statics *now = context;
  const eli_tile_work work = eli_work_on(now->world, index, worker, now->dt);
  ELI_EACH_ROD(rod, now->world, work.tile) {
    gather_external(&work, rod, now->out, now->out->loads);
    for (size_t a = 0; a < 3 && rod->closed; a++)
      now->out->loads[6 * now->out->first[rod->body->rank] + a] += work.tile->lane[ELI_FORCE + a][eli_last_slot(&work, rod)];
  }
  clear_loads(&work);
}

elastica_status eli_world_pair_loads(elastica_world *world, const eli_statics *out, eli_tile_report *report) {
  statics now = {world, out, 1, 1.0, NULL};
  world->calls.purpose = ELASTICA_PURPOSE_STATICS;
  meet_at_rest(&now);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) gather_pairs(&now, 0, t);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  return status_of(&now, report);
}
