/* Segments of a run: the number of steps that a call may take at a time (see run.h). A run may be divided anywhere without a change of
 * its steps.
 *
 * test       tests/test_run.c
 */
#include "base/target.h"

#include <limits.h>
#include <math.h>

#include "base/parallel.h"
#include "step/run.h"
#include "step/stepper.h"

static double wall_clock(void *user) {
  (void)user;
  return eli_clock_now();
}

/* Reads the clock of the caller, which may call the same functions as a hook. */
static double read_clock(const eli_run *run) {
  eli_world_enter_hooks(run->world, ELI_IN_HOOK);
  const double seconds = run->clock(run->user);
  eli_world_leave_hooks(run->world);
  return seconds;
}

elastica_status eli_run_begin(eli_run *run, elastica_world *world, const elastica_run_def *def) {
  *run = (eli_run){.world = world, .most = LONG_MAX, .seconds = INFINITY};
  if (def != NULL) {
    run->most = def->most_steps;
    run->seconds = def->most_seconds;
    run->clock = def->clock != NULL ? def->clock : wall_clock;
    run->user = def->user;
    run->began = read_clock(run);
  }
  const elastica_status status = eli_world_begin_sampling(world);
  return status == ELASTICA_OK ? eli_world_sample(world) : status;
}

double eli_run_seconds(const eli_run *run) {
  return run->clock != NULL ? read_clock(run) - run->began : 0.0;
}

/* Returns the number of steps for half of the remaining time, if they take as long as the last ones. The first piece is one step, which is
 * always taken. */
static long affordable(const eli_run *run) {
  enum { MOST = 64 };
  if (!(run->seconds < INFINITY)) return LONG_MAX;
  if (run->taken == 0) return 1;
  const double left = run->seconds - eli_run_seconds(run);
  if (!(left > 0.0 && left >= run->step_time)) return 0;
  return left >= 2.0 * MOST * run->step_time ? MOST : left > 2.0 * run->step_time ? (long)(0.5 * left / run->step_time) : 1;
}

elastica_status eli_run_take(eli_run *run, double dt, long most, long *taken) {
  elastica_world *world = run->world;
  const int timed = run->seconds < INFINITY;
  const long afford = affordable(run), left = run->most - run->taken, allowed = afford < left ? afford : left;
  *taken = 0;
  run->is_over = allowed < 1;
  if (run->is_over) return ELASTICA_OK;
  const long before = world->step_count, steps = eli_steps_to_sample(world, dt, allowed < most ? allowed : most);
  const double start = timed ? eli_run_seconds(run) : 0.0;
  const elastica_status status = eli_world_take_steps(world, dt, steps);
  *taken = world->step_count - before;
  run->taken += *taken;
  if (timed && *taken > 0) run->step_time = (eli_run_seconds(run) - start) / (double)*taken;
  return status;
}
