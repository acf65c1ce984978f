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
static double read_clock(const eli_stint *stint) {
  eli_world_enter_hooks(stint->world, ELI_IN_HOOK);
  const double seconds = stint->clock(stint->user);
  eli_world_leave_hooks(stint->world);
  return seconds;
}

elastica_status eli_stint_begin(eli_stint *stint, elastica_world *world, const elastica_run_def *run) {
  *stint = (eli_stint){.world = world, .most = LONG_MAX, .seconds = INFINITY};
  if (run != NULL) {
    stint->most = run->most_steps;
    stint->seconds = run->most_seconds;
    stint->clock = run->clock != NULL ? run->clock : wall_clock;
    stint->user = run->user;
    stint->began = read_clock(stint);
  }
  const elastica_status status = eli_world_begin_sampling(world);
  return status == ELASTICA_OK ? eli_world_sample(world) : status;
}

double eli_stint_seconds(const eli_stint *stint) {
  return stint->clock != NULL ? read_clock(stint) - stint->began : 0.0;
}

/* Returns the number of steps for half of the remaining time, if they take as long as the last ones. The first piece is one step, which is
 * always taken. */
static long affordable(const eli_stint *stint) {
  enum { MOST = 64 };
  if (!(stint->seconds < INFINITY)) return LONG_MAX;
  if (stint->taken == 0) return 1;
  const double left = stint->seconds - eli_stint_seconds(stint);
  if (!(left > 0.0 && left >= stint->step_time)) return 0;
  return left >= 2.0 * MOST * stint->step_time ? MOST : left > 2.0 * stint->step_time ? (long)(0.5 * left / stint->step_time) : 1;
}

elastica_status eli_stint_take(eli_stint *stint, double dt, long most, long *taken) {
  elastica_world *world = stint->world;
  const int timed = stint->seconds < INFINITY;
  const long afford = affordable(stint), left = stint->most - stint->taken, allowed = afford < left ? afford : left;
  *taken = 0;
  stint->is_over = allowed < 1;
  if (stint->is_over) return ELASTICA_OK;
  const long before = world->step_count, steps = eli_steps_to_sample(world, dt, allowed < most ? allowed : most);
  const double start = timed ? eli_stint_seconds(stint) : 0.0;
  const elastica_status status = eli_world_take_steps(world, dt, steps);
  *taken = world->step_count - before;
  stint->taken += *taken;
  if (timed && *taken > 0) stint->step_time = (eli_stint_seconds(stint) - start) / (double)*taken;
  return status;
}
