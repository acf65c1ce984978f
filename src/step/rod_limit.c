/* The step limit of single rods: for queries, and after a change of one rod.
 *
 * models     step_limit.c, swept over the slots of one rod
 * why        Bounds of other rods hold until the next regular limit check (base/module.h: ELI_LIMIT_CHECK_INTERVAL). The minimum of these
 * bounds
 *            and that of the changed rod is a limit of the world, and the cost is that of one rod
 * test       tests/test_rod_limit.c
 */
#include "base/target.h"

#include <math.h>

#include "step/stages.h"
#include "step/stepper.h"

static eli_work work_on(elastica_rod *rod, double until, eli_tile_report *report) {
  eli_work work = eli_work_on(rod->world, rod->tile, 0, 0.0);
  work.sweep = eli_rod_sweep(&work, rod);
  work.until = until;
  work.report = report;
  return work;
}

/* Computes the limit of `count` elements from element `from`; in a ring the elements continue after the last one. */
static elastica_status limit_along(elastica_rod *rod, int from, int count, double until, double *dt) {
  elastica_world *world = rod->world;
  eli_tile_report report = {0};
  const eli_work work = work_on(rod, until, &report);
  const elastica_instant instant = {sizeof instant, eli_world_now(world), 0.0, world->step_count, -1, until};
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  world->asks = 1;
  const int bounded = eli_world_bound_pairs(world, &instant) == ELASTICA_OK, found = bounded && eli_bound_elements(&work, rod);
  world->asks = 0;
  eli_world_leave_hooks(world);
  eli_world_aim_refreshed(world);
  if (!found) return eli_world_refuse_hook(world, bounded ? &report : &world->pair_phase.report);
  *dt = INFINITY;
  for (int k = 0; k < count; k++) {
    const double own = work.scratch[ELI_ELEMENT_LIMIT][eli_first_slot(&work, rod) + (size_t)((from + k) % rod->element_count)];
    if (!(own >= *dt)) *dt = own >= 0.0 ? own : 0.0;
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_limit(elastica_rod *rod, double until, double *dt) {
  return limit_along(rod, 0, rod->element_count, until, dt);
}

static elastica_status limit_near(elastica_rod *rod, int element, double until, double *dt) {
  const int n = rod->element_count;
  if (n < 3) return eli_rod_check_limit(rod, until, dt);
  if (rod->closed) return limit_along(rod, element + n - 1, 3, until, dt);
  const int from = element > 0 ? element - 1 : 0, end = element + 2 < n ? element + 2 : n;
  return limit_along(rod, from, end - from, until, dt);
}

elastica_status eli_world_limit_near(elastica_world *world, int rod_index, int element, const char *function, double *dt) {
  double own = NAN;
  if (world->failure != ELASTICA_OK) {
    *dt = NAN;
    return ELASTICA_OK;
  }
  elastica_status status = eli_world_prepare(world, function);
  if (status == ELASTICA_OK) status = limit_near(world->rods[rod_index], element, eli_world_now(world), &own);
  if (own < *dt) *dt = own;
  return status;
}

/* ---- Limit check after a change ---- */

static double square_of(double *const *lane, size_t at) {
  return lane[0][at] * lane[0][at] + lane[1][at] * lane[1][at] + lane[2][at] * lane[2][at];
}

static void raise(double *most, double a) {
  if (a > *most) *most = a;
}

static void scan_element(const eli_work *work, const elastica_rod *rod, int j, eli_limit_check *check) {
  const size_t at = eli_first_slot(work, rod) + (size_t)j;
  double *const *lane = work->tile->lane, *const *out = work->scratch;
  const double own = out[ELI_ELEMENT_LIMIT][at], step = own >= 0.0 ? own : 0.0, spin2 = square_of(lane + ELI_OMEGA, at);
  if (step < check->limit.dt) check->limit = (elastica_step_limit){step, rod->index, j, eli_mode_at(out, at), NULL};
  if (spin2 > check->spin2) check->spin2 = spin2, check->fastest_rod = rod->index, check->fastest_element = j;
  raise(&check->speed2, square_of(lane + ELI_VELOCITY, at));
  if (work->tile->rigid) return;
  const double joint = lane[ELI_REST_JOINT_LENGTH][at];
  raise(&check->shear2, out[ELI_STRAIN][at] * out[ELI_STRAIN][at] + out[ELI_STRAIN + 1][at] * out[ELI_STRAIN + 1][at]);
  if (lane[ELI_INVERSE_REST_JOINT_LENGTH][at] > 0.0) raise(&check->turn2, square_of(out + ELI_CURVATURE, at) * joint * joint);
}

static elastica_status check_rod(elastica_rod *rod, double until, eli_limit_check *check) {
  eli_tile_report report = {0};
  const eli_work work = work_on(rod, until, &report);
  eli_limit_check own = eli_empty_limit_check();
  if (!eli_bound_elements(&work, rod)) return eli_world_refuse_hook(rod->world, &report);
  for (int j = 0; j < rod->element_count; j++) scan_element(&work, rod, j, &own);
  eli_merge_limit_check(check, &own);
  return ELASTICA_OK;
}

/* Effects between rods are bounded again, because queries since the last limit check may have left only the bounds of one effect. */
elastica_status eli_world_check_changed_rods(elastica_world *world, double until, eli_limit_check *check) {
  const elastica_instant instant = {sizeof instant, eli_world_now(world), 0.0, world->step_count, -1, until};
  eli_limit_check all = *check;
  eli_world_find_accelerations(world);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  elastica_status status = eli_world_bound_pairs(world, &instant);
  if (status != ELASTICA_OK) {
    eli_world_leave_hooks(world);
    return eli_world_refuse_hook(world, &world->pair_phase.report);
  }
  for (size_t t = 0; t < world->slab.tile_count && status == ELASTICA_OK; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    if (!tile->limit_is_stale) continue;
    ELI_EACH_ROD(rod, world, tile)
      if (rod->body->limit_is_stale && status == ELASTICA_OK) status = check_rod(rod, until, &all);
  }
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK && all.limit.mode == ELASTICA_MODE_EFFECT && all.limit.effect == NULL)
    all.limit.effect = eli_limiting_effect(world, &all.limit, until);
  eli_world_aim_refreshed(world);
  if (status == ELASTICA_OK) *check = all;
  return status;
}
