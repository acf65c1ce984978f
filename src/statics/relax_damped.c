/* Damped steps: rest in cases without convergence of Newton's method, and for rigid bodies with reactions.
 *
 * models     steps of the stepper, contacts, friction and reactions included, with frozen time. After the k-th step, for each node and
 *            element
 *              v <- k/(k + 3) (v - min(alpha |v - v_before|, |v|) v/|v|),  alpha = 0.8
 *            Forces that drive a motion are weakened and forces that stop it are helped, in the same proportion for any period. A motion
 *            without a force stops as k^-3 and, since k ends at LATEST, as exp(-t/2048 dt). A state at rest is not changed. While a motion
 *            is overdamped, as that of bodies that roll together into a flat hollow, k grows further, with alpha as its inverse root
 * rest       residuals as of relaxation; those of bodies with reactions come from the change of their velocities in a step. All motion is
 *            then stopped, and CHECK steps later the residuals are as small again, and no momentum exceeds their impulse in that time
 * source     Cundall, "Distinct element models of rock and soil structure" (1987), for alpha, there by components; Su, Boyd and Candes,
 *            J. Mach. Learn. Res. 17 (2016) 153, for 3/k
 * test       tests/test_relax_damped.c, tests/test_relax_damped_ends.c
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "step/stepper.h"

#define ALPHA 0.8

/* The largest motion of a body by its loads in a step from rest, if there is no other limit of the step: shares of its length, or
 * radians. */
#define SHARE 0.01

/* Residuals below this share of their references are small. */
#define SMALL 0.01

/* The number of steps between two tests of the residuals. In the factor k/(k + 3), k ends at LATEST; beyond, it grows by GROWTH per step
 * while the motion is overdamped. */
enum { CHECK = 64, LATEST = 6144, GROWTH = 4 };

/* The number of steps between two tests for a rod that drifts: twice the time in which a motion without a force fades by e. */
enum { DRIFTS = 4096 };

/* ---- Frozen time ---- */

static void swap_watched(eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  for (size_t k = 0; ELI_WATCHED + k <= ELI_LAST_WATCHED && relaxation->size > 0; k++) {
    double *lane = world->bodies.slab.lane[ELI_WATCHED + k], *kept = relaxation->parked[k];
    for (size_t i = 0; i < world->bodies.slab.end; i++) {
      const double now = lane[i];
      lane[i] = kept[i];
      kept[i] = now;
    }
  }
}

/* Saves the data that the steps of a relaxation must not change: the clock of the world, its choice of step, snapshots and budgets. */
static void stop_clock(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const double now = eli_world_now(world);
  relaxation->clock = *world;
  swap_watched(relaxation);
  world->clock.segment_time = now;
  world->clock.segment_steps = 0;
  world->schedule.working_step = 0.0;
  world->schedule.chosen = 0;
  world->rewind.interval = 0;
  world->budget = NULL;
  world->clock.is_frozen = 1;
  eli_world_outdate(world, ELI_STALE_LIMIT);
}

static void start_clock(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const elastica_world *was = &relaxation->clock;
  swap_watched(relaxation);
  world->clock.segment_time = was->clock.segment_time, world->clock.segment_dt = was->clock.segment_dt,
  world->clock.segment_steps = was->clock.segment_steps;
  world->schedule.working_step = was->schedule.working_step, world->schedule.lowest = was->schedule.lowest,
  world->schedule.chosen = was->schedule.chosen;
  world->clock.step_count = was->clock.step_count, world->schedule.batch_from = was->schedule.batch_from,
  world->pair_phase.wakes = was->pair_phase.wakes;
  world->rewind.interval = was->rewind.interval;
  world->budget = was->budget;
  world->schedule.limit_check = was->schedule.limit_check, world->schedule.covered_dt = was->schedule.covered_dt,
  world->schedule.last_check = was->schedule.last_check;
  world->schedule.next_check = was->schedule.next_check, world->schedule.check_interval = was->schedule.check_interval,
  world->schedule.grows_at = was->schedule.grows_at;
  world->schedule.wide_turn = was->schedule.wide_turn, world->checkpoint.step = -1;
  world->schedule.watch = was->schedule.watch, world->schedule.check_is_requested = was->schedule.check_is_requested,
  world->schedule.chooses = was->schedule.chooses, world->schedule.shaken = was->schedule.shaken;
  world->schedule.largest_vibration = was->schedule.largest_vibration, world->schedule.calm_from = was->schedule.calm_from;
  world->stale = was->stale | (was->schedule.limits_are_stale ? ELI_STALE_LIMIT : 0);
  world->clock.is_frozen = 0;
}

/* ---- A step ---- */

/* The factors of velocities and of their changes. */
typedef struct damping {
  double keeps, alpha;
} damping;

static damping damping_now(const eli_relaxation *relaxation) {
  const double k = eli_smaller((double)relaxation->damped_steps, relaxation->latest);
  return (damping){k / (k + 3.0), ALPHA * sqrt(LATEST / relaxation->latest)};
}

static void damp(double *const v[3], double *const before[3], const damping *by, size_t at) {
  const double now[3] = {v[0][at], v[1][at], v[2][at]};
  const double change[3] = {now[0] - before[0][at], now[1] - before[1][at], now[2] - before[2][at]};
  const double speed = eli_length(now), lost = by->alpha * eli_length(change), left = lost < speed ? by->keeps * (1.0 - lost / speed) : 0.0;
  for (size_t a = 0; a < 3; a++) v[a][at] = left * now[a];
}

/* Adds up the work of the last step on all motions, and twice their kinetic energy. */
static void add_work(eli_relaxation *relaxation, const elastica_rod *rod, size_t at) {
  double *const *lane = rod->world->bodies.slab.lane;
  for (size_t a = 0; a < 3; a++) {
    const double v = lane[ELI_VELOCITY + a][at], spin = lane[ELI_OMEGA + a][at];
    const double momentum = lane[ELI_MASS][at] * v, angular = lane[ELI_INERTIA + a][at] * spin;
    relaxation->work_done += momentum * (v - relaxation->saved[a][at]) + angular * (spin - relaxation->saved[3 + a][at]);
    relaxation->twice_kinetic += momentum * v + angular * spin;
  }
}

/* Damps velocities and spins of the nodes and elements of all rods. Prescribed unknowns stand still. */
static void damp_all(eli_relaxation *relaxation) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  const damping by = damping_now(relaxation);
  for (int r = 0; r < relaxation->rod_count; r++) {
    elastica_rod *rod = relaxation->rods[r];
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const unsigned char *held = relaxation->held + 6 * (relaxation->first[r] + i);
      add_work(relaxation, rod, rod->offset + i);
      damp(lane + ELI_VELOCITY, relaxation->saved, &by, rod->offset + i);
      damp(lane + ELI_OMEGA, relaxation->saved + 3, &by, rod->offset + i);
      for (size_t a = 0; a < 3; a++) {
        if (held[a]) lane[ELI_VELOCITY + a][rod->offset + i] = 0.0;
        if (held[3 + a]) lane[ELI_OMEGA + a][rod->offset + i] = 0.0;
      }
    }
    if (!rod->closed) continue;
    eli_rod_close_lanes(rod, ELI_VELOCITY, 3);
    eli_rod_close_lanes(rod, ELI_OMEGA, 3);
  }
}

/* An overdamped motion keeps the speed at which loads make up for damping: then the last k grows, if the residuals are small. A rod that
 * runs away keeps its speed. k is LATEST again as soon as loads stop the motion. */
static void adapt(eli_relaxation *relaxation) {
  const damping by = damping_now(relaxation);
  const double steady = (1.0 - by.keeps) / (1.0 - by.alpha);
  if (!(relaxation->work_done > 0.0))
    relaxation->latest = LATEST;
  else if (relaxation->damped_steps > LATEST && relaxation->work_done > 0.5 * steady * relaxation->twice_kinetic &&
           relaxation->def.tolerance * eli_relax_excess(relaxation) <= SMALL)
    relaxation->latest += GROWTH * CHECK;
  relaxation->work_done = relaxation->twice_kinetic = 0.0;
}

/* Copies velocities and spins to six lanes, or back. */
static void copy_motion(const eli_relaxation *relaxation, double *const kept[6], int back) {
  const elastica_world *world = relaxation->world;
  for (size_t k = 0; k < 6 && relaxation->size > 0; k++) {
    double *lane = world->bodies.slab.lane[k < 3 ? ELI_VELOCITY + k : ELI_OMEGA + k - 3];
    memcpy(back ? lane : kept[k], back ? kept[k] : lane, world->bodies.slab.end * sizeof *lane);
  }
}

/* Takes a step, before damping. longest is infinite if no body limits the step; without any other limit of the step nothing moves. */
static elastica_status take_step(eli_relaxation *relaxation, double longest) {
  elastica_world *world = relaxation->world;
  const elastica_status status = eli_choose_step(world, "relax", eli_world_now(world) + (longest < INFINITY ? longest : 0.0));
  if (status != ELASTICA_OK) return status;
  const double dt = world->schedule.working_step < longest ? world->schedule.working_step : longest;
  copy_motion(relaxation, relaxation->saved, 0);
  relaxation->damped_steps++;
  return eli_world_take_steps(world, "relax", dt < INFINITY ? dt : 1.0, 1);
}

static elastica_status take_steps(eli_relaxation *relaxation) {
  const double longest = eli_relax_time_to_move(relaxation, SHARE);
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < CHECK && status == ELASTICA_OK; k++) {
    if (k > 0) damp_all(relaxation);
    status = take_step(relaxation, longest);
  }
  return status;
}

/* ---- Rest ---- */

/* Computes the residuals of the present state, at rest; and the loads between bodies, their reference. */
static elastica_status find_residuals(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_tile_report report;
  eli_relax_follow_slips(relaxation);
  const int pairs = relaxation->has_bodies && eli_world_has_pair_phase(world);
  elastica_status status = pairs ? eli_world_pair_loads(world, &relaxation->probe, &report) : ELASTICA_OK;
  if (pairs) memcpy(relaxation->pair_loads, relaxation->probe.loads, relaxation->size * sizeof(double));
  if (status == ELASTICA_OK) status = eli_relax_evaluate(relaxation, &report);
  if (status == ELASTICA_OK) {
    eli_relax_swap_trial(relaxation);
    return eli_relax_check_escape(relaxation);
  }
  if (status != ELASTICA_JOINT_TOO_FAR && status != ELASTICA_NOT_FINITE) return eli_relax_fail_hook(relaxation, &report);
  return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED, "relax: after %ld damped steps a force or joint is out of bounds",
                               relaxation->damped_steps);
}

/* Computes the residuals after the last of some steps, and damps that step. */
static elastica_status check_balance(eli_relaxation *relaxation) {
  copy_motion(relaxation, relaxation->saved + 6, 0);
  eli_relax_stop(relaxation);
  const elastica_status status = find_residuals(relaxation);
  copy_motion(relaxation, relaxation->saved + 6, 1);
  if (status != ELASTICA_OK) return status;
  eli_relax_judge_supported(relaxation, relaxation->saved, relaxation->world->clock.segment_dt);
  damp_all(relaxation);
  return status;
}

/* Returns the report of the hook that made the world fail, or NULL. */
static const eli_tile_report *failed_hook(const elastica_world *world) {
  if (world->report.failure == ELASTICA_OK) return NULL;
  if (eli_world_has_pair_phase(world) && world->pair_phase.report.status != ELASTICA_OK) return &world->pair_phase.report;
  return eli_world_failed_hook(world);
}

/* Ends the relaxation after a refused or failed step; the world remains usable unless a hook failed. */
static elastica_status give_up(eli_relaxation *relaxation, elastica_status status) {
  elastica_world *world = relaxation->world;
  const eli_tile_report *failed = failed_hook(world);
  char why[ELI_MESSAGE_SIZE];
  if (failed != NULL && failed->status == ELASTICA_OUT_OF_MEMORY) {
    const eli_tile_report report = *failed;
    eli_world_end_failure(world);
    return eli_relax_fail_hook(relaxation, &report);
  }
  relaxation->gave_up = world->report.failure == ELASTICA_OK || status != ELASTICA_CALLBACK_FAILED;
  if (world->report.failure == ELASTICA_OK && eli_relax_check_cables(relaxation, ELASTICA_NOT_CONVERGED) != ELASTICA_OK)
    return ELASTICA_NOT_CONVERGED;
  if (status == ELASTICA_CALLBACK_FAILED) return status;
  memcpy(why, world->report.message, sizeof why);
  if (world->report.failure != ELASTICA_OK) eli_world_end_failure(world);
  relaxation->starved = status == ELASTICA_OUT_OF_MEMORY;
  return elastica_world_refuse(world, relaxation->starved ? status : ELASTICA_NOT_CONVERGED, "relax: after %ld damped steps: %s",
                               relaxation->damped_steps, why);
}

static elastica_status refuse_restless(eli_relaxation *relaxation) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  char words[ELI_CAUSE_WORDS];
  if (eli_relax_check_cables(relaxation, ELASTICA_NOT_CONVERGED) != ELASTICA_OK) return ELASTICA_NOT_CONVERGED;
  return elastica_world_refuse(relaxation->world, ELASTICA_NOT_CONVERGED,
                               "relax: %ld evaluations and %ld damped steps left a force of %.3g N and a couple of %.3g N m, beside %.3g N "
                               "and %.3g N m at work%s",
                               relaxation->evaluations, relaxation->damped_steps, worst.force, worst.couple, worst.reference_force,
                               worst.reference_couple, eli_relax_likely_cause(relaxation, words));
}

elastica_status eli_relax_return_to_best(eli_relaxation *relaxation) {
  eli_relax_return(relaxation, &relaxation->reached);
  eli_relax_stop(relaxation);
  relaxation->ended = 1;
  const elastica_status status = find_residuals(relaxation);
  relaxation->distance = INFINITY;
  return status == ELASTICA_OK ? refuse_restless(relaxation) : status;
}

/* Stores the best state so far, or the last one unless it is much worse: limit cycles about a corner of a law may follow. The first state
 * is always stored, also with a residual infinitely far from balance. */
static elastica_status note_best(eli_relaxation *relaxation, double *least, int is_last) {
  const double excess = eli_relax_excess(relaxation);
  if (*least < INFINITY && !(excess < (is_last ? 2.0 : 0.5) * *least)) return ELASTICA_OK;
  *least = excess;
  return eli_relax_note(relaxation, &relaxation->reached) ? ELASTICA_OK : eli_relax_starve(relaxation);
}

/* Ends the damped steps of a rod that drifts in equal ways along an equal load, as one that has slid off another rod and falls. Loads are
 * asked for their stiffness in the present state. */
static elastica_status check_drift(eli_relaxation *relaxation) {
  eli_relax_follow_drift(relaxation);
  (void)eli_stiffness_renew_loads(relaxation, &relaxation->stiffness);
  relaxation->assembled = 0;
  return eli_relax_is_over(relaxation) ? eli_relax_end_status(relaxation) : eli_relax_check_drift(relaxation, 1);
}

/* Takes steps and tests residuals, from rest to rest. */
static elastica_status run_damped(eli_relaxation *relaxation) {
  double least = INFINITY;
  relaxation->latest = LATEST;
  relaxation->work_done = relaxation->twice_kinetic = 0.0;
  elastica_status status = find_residuals(relaxation);
  for (int r = 0; r < relaxation->rod_count; r++) relaxation->origin[r].steady = 0;
  for (int stopped = 1; status == ELASTICA_OK;) {
    status = take_steps(relaxation);
    status = status == ELASTICA_OK ? check_balance(relaxation) : give_up(relaxation, status);
    if (status != ELASTICA_OK) break;
    adapt(relaxation);
    const int balanced = eli_relax_is_balanced(relaxation);
    if (balanced && stopped && eli_relax_is_slow(relaxation, (1.0 - ALPHA) * CHECK * relaxation->world->clock.segment_dt)) break;
    if (relaxation->damped_steps % DRIFTS == 0) status = check_drift(relaxation);
    if (status != ELASTICA_OK) break;
    relaxation->ended = relaxation->damped_steps >= relaxation->def.step_limit;
    status = note_best(relaxation, &least, relaxation->ended);
    if (status == ELASTICA_OK && relaxation->ended) return eli_relax_return_to_best(relaxation);
    if (balanced) {
      eli_relax_stop(relaxation);
      relaxation->latest = LATEST;
    }
    stopped = balanced;
  }
  return status;
}

elastica_status eli_relax_damp(eli_relaxation *relaxation) {
  relaxation->ended = 0;
  eli_relax_stop(relaxation);
  for (size_t t = 0; t < relaxation->world->bodies.slab.tile_count; t++) eli_tile_update_geometry(relaxation->world, t);
  stop_clock(relaxation);
  const elastica_status status = run_damped(relaxation);
  start_clock(relaxation);
  eli_relax_stop(relaxation);
  relaxation->distance = INFINITY;
  relaxation->undecided = status == ELASTICA_OK;
  return status;
}
