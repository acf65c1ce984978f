/* Damped steps: rest where Newton's method finds none, and for rigid bodies on which reactions act.
 *
 * models     steps of the stepper, contacts, friction and reactions included, while time stands still. After the k-th, of every node and
 *            element
 *              v <- k/(k + 3) (v - min(alpha |v - v_before|, |v|) v/|v|),  alpha = 0.8
 *            what drives a motion is weakened and what stops it is helped, in the same proportion whatever its period; what glides without a
 *            force stops as k^-3. A state at rest feels nothing of it
 * rest       residuals as of relaxation; all motion is then stopped, and CHECK steps later they are as small again, and no momentum is more
 *            than what the residuals allowed would give in that time
 * source     Cundall, "Distinct element models of rock and soil structure" (1987), for alpha, there by components; Su, Boyd and Candes,
 *            J. Mach. Learn. Res. 17 (2016) 153, for 3/k
 * test       tests/test_relax_damped.c
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "base/sentence.h"
#include "step/run.h"
#include "step/stepper.h"

#define ALPHA 0.8
#define SHARE_OF_LENGTH 0.01

/* Steps between two looks at the residuals. */
enum { CHECK = 64 };

/* ---- Time stands still ---- */

/* What the steps of a relaxation leave as it was: the clock of the world, its choice of step, and who watches. */
typedef struct clock_of_world {
  double time, dt, working_step, lowest;
  long steps, count, batch_from, wakes, interval;
  int chosen;
  elastica_budget *budget;
} clock_of_world;

static clock_of_world stop_clock(elastica_world *world) {
  const clock_of_world clock = {world->segment_time,      world->segment_dt, world->working_step, world->lowest,
                                world->segment_steps,     world->step_count, world->batch_from,   world->meeting.wakes,
                                world->snapshot_interval, world->chosen,     world->budget};
  world->segment_time = eli_world_now(world);
  world->segment_steps = 0;
  world->working_step = 0.0;
  world->chosen = 0;
  world->snapshot_interval = 0;
  world->budget = NULL;
  world->settles = 1;
  eli_world_outdate(world, ELI_STALE_LIMIT);
  return clock;
}

static void start_clock(elastica_world *world, const clock_of_world *clock) {
  world->segment_time = clock->time, world->segment_dt = clock->dt, world->segment_steps = clock->steps;
  world->working_step = clock->working_step, world->lowest = clock->lowest;
  world->step_count = clock->count, world->batch_from = clock->batch_from, world->meeting.wakes = clock->wakes;
  world->snapshot_interval = clock->interval;
  world->chosen = clock->chosen;
  world->budget = clock->budget;
  world->settles = 0;
  world->look_is_asked = 0;
  world->alert_end = world->looked_step = 0;
  eli_world_outdate(world, ELI_STALE_LIMIT);
}

/* ---- A step ---- */

static void damp(double *const v[3], double *const before[3], double keeps, size_t at) {
  const double now[3] = {v[0][at], v[1][at], v[2][at]};
  const double change[3] = {now[0] - before[0][at], now[1] - before[1][at], now[2] - before[2][at]};
  const double speed = eli_length(now), lost = ALPHA * eli_length(change), left = lost < speed ? keeps * (1.0 - lost / speed) : 0.0;
  for (size_t a = 0; a < 3; a++) v[a][at] = left * now[a];
}

/* Velocities and spins, of the nodes and elements of all rods. */
static void damp_all(const eli_relaxation *relaxation) {
  double *const *lane = relaxation->world->slab.lane;
  const double k = (double)relaxation->damped_steps, keeps = k / (k + 3.0);
  ELI_EACH_ROD_OF_WORLD(rod, relaxation->world)
  for (size_t i = rod->offset; i <= rod->offset + (size_t)eli_last_node(rod); i++) {
    damp(lane + ELI_VELOCITY, relaxation->saved, keeps, i);
    damp(lane + ELI_OMEGA, relaxation->saved + 3, keeps, i);
  }
}

static void save_motion(const eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  for (size_t k = 0; k < 6; k++)
    memcpy(relaxation->saved[k], world->slab.lane[k < 3 ? ELI_VELOCITY + k : ELI_OMEGA + k - 3], world->slab.end * sizeof(double));
}

/* A step in which loads move no node from rest by more than a share of its rod's length, where nothing else limits it. */
static double longest_step(const eli_relaxation *relaxation) {
  double square = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      const double force = eli_length(relaxation->now.total + 6 * (relaxation->first[r] + i));
      const double mass = relaxation->world->slab.lane[ELI_MASS][relaxation->rods[r]->offset + i];
      const double most = SHARE_OF_LENGTH * relaxation->origin[r].length * mass / force;
      if (most < square) square = most;
    }
  return square < INFINITY ? sqrt(square) : 1.0;
}

static elastica_status take_step(eli_relaxation *relaxation, double longest) {
  elastica_world *world = relaxation->world;
  elastica_status status = eli_choose_step(world, "relax", eli_world_now(world) + 1.0);
  if (status != ELASTICA_OK) return status;
  save_motion(relaxation);
  status = eli_world_take_steps(world, world->working_step < longest ? world->working_step : longest, 1);
  relaxation->damped_steps++;
  if (status == ELASTICA_OK) damp_all(relaxation);
  return status;
}

/* ---- Rest ---- */

/* The residuals of the present state, at rest. */
static elastica_status look(eli_relaxation *relaxation) {
  eli_tile_report report;
  eli_relax_follow_slips(relaxation);
  const elastica_status status = eli_relax_evaluate(relaxation, &report);
  if (status == ELASTICA_OK) {
    eli_relax_swap_trial(relaxation);
    return eli_relax_check_escape(relaxation);
  }
  if (status != ELASTICA_JOINT_TOO_FAR && status != ELASTICA_NOT_FINITE) return eli_relax_fail_hook(relaxation, &report);
  return elastica_world_refuse(relaxation->world, ELASTICA_NOT_CONVERGED, "relax: after %ld damped steps a force or joint is out of bounds",
                               relaxation->damped_steps);
}

/* A step that is refused, or fails, is the end of the relaxation alone, unless a hook failed. */
static elastica_status give_up(eli_relaxation *relaxation, elastica_status status) {
  elastica_world *world = relaxation->world;
  char why[ELI_MESSAGE_SIZE];
  if (status == ELASTICA_CALLBACK_FAILED) return status;
  memcpy(why, world->message, sizeof why);
  if (world->failure != ELASTICA_OK) eli_world_end_failure(world);
  relaxation->starved = status == ELASTICA_OUT_OF_MEMORY;
  relaxation->gave_up = 1;
  return elastica_world_refuse(world, relaxation->starved ? status : ELASTICA_NOT_CONVERGED, "relax: after %ld damped steps: %s",
                               relaxation->damped_steps, why);
}

static elastica_status refuse_restless(eli_relaxation *relaxation) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  relaxation->ended = 1;
  return elastica_world_refuse(
      relaxation->world, ELASTICA_NOT_CONVERGED,
      "relax: %ld damped steps left a force of %.3g N and a couple of %.3g N m, beside %.3g N and %.3g N m at work",
      relaxation->damped_steps, worst.force, worst.couple, worst.reference_force, worst.reference_couple);
}

elastica_status eli_relax_damp(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  relaxation->ended = 0;
  for (size_t t = 0; t < world->slab.tile_count; t++) eli_tile_update_geometry(world, t);
  eli_relax_stop(relaxation);
  const clock_of_world clock = stop_clock(world);
  for (int rests = 0; status == ELASTICA_OK && !rests;) {
    const double longest = longest_step(relaxation);
    for (int k = 0; k < CHECK && status == ELASTICA_OK; k++) status = take_step(relaxation, longest);
    status = status == ELASTICA_OK ? look(relaxation) : give_up(relaxation, status);
    const int balanced = eli_relax_is_balanced(relaxation);
    rests = balanced && eli_relax_is_slow(relaxation, CHECK * world->segment_dt);
    if (balanced) eli_relax_stop(relaxation);
    if (status == ELASTICA_OK && !rests && relaxation->damped_steps >= relaxation->def.step_limit) status = refuse_restless(relaxation);
  }
  start_clock(world, &clock);
  eli_relax_stop(relaxation);
  relaxation->distance = INFINITY;
  relaxation->undecided = status == ELASTICA_OK;
  return status;
}
