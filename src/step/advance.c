/* Runs to a given time: in equal steps that end there, or in whole working steps that end before it; also with a budget of steps or time.
 *
 * A run that ends early, because its budget is used up or a sampler stops it, leaves the number and size of its remaining steps in the
 * world (eli_equal_steps). The next call to the same time continues with them, so that a run in pieces takes the same steps as one call.
 * test       tests/test_working_step.c, tests/test_pieces.c, tests/test_run.c
 */
#include "base/target.h"

#include <limits.h>
#include <math.h>

#include "base/definition.h"
#include "effects/effects.h"
#include "step/run.h"
#include "step/stepper.h"

/* ---- Runs in equal steps ---- */

/* Returns the number of equal steps that are at most as long as the working step, except for rounding. */
static double count_steps(const elastica_world *world, double duration) {
  const double count = -floor(-duration / world->working_step * (1.0 - 1e-9));
  return count > 1.0 ? count : 1.0;
}

/* Continues the run in eli_equal_steps until the segment of this call ends. At the end of the run the time is set exactly, before samples
 * are taken. */
static elastica_status take_equal_steps(eli_run *run, const char *function) {
  elastica_world *world = run->world;
  eli_equal_steps *rest = &world->equal_steps;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && rest->left > 0.0 && !run->is_over) {
    status = eli_choose_step(world, function, rest->end);
    if (status != ELASTICA_OK) break;
    if (world->working_step != rest->chosen) {
      const double remaining = rest->chosen == 0.0 ? rest->duration : rest->end - eli_world_now(world);
      rest->chosen = world->working_step;
      rest->left = count_steps(world, remaining);
      rest->dt = remaining / rest->left;
    }
    const long most = eli_steps_to_limit_check(world);
    long taken;
    status = eli_run_take(run, rest->dt, rest->left < (double)most ? (long)rest->left : most, &taken);
    rest->left -= (double)taken;
    if (!(rest->left > 0.0)) {
      world->segment_time = rest->end;
      world->segment_steps = 0;
      world->checkpoint.step = -1; /* the segment of equal steps ends here, and later steps have other times */
    }
    rest->step = world->step_count;
    rest->time = eli_world_now(world);
    if (status == ELASTICA_OK) status = eli_world_sample(world);
  }
  return status;
}

/* Begins a run to `end` at the present time. */
static void begin_equal_steps(elastica_world *world, double end, double duration) {
  world->equal_steps =
      (eli_equal_steps){.end = end, .duration = duration, .left = 1.0, .step = world->step_count, .time = eli_world_now(world)};
}

/* Returns 1 if an earlier call left a run with this end, and no steps were taken since. */
static int goes_on(const elastica_world *world, double end) {
  const eli_equal_steps *rest = &world->equal_steps;
  return rest->left > 0.0 && rest->end == end && rest->step == world->step_count && rest->time == eli_world_now(world);
}

/* Divides the run at the exact times of samples. duration: time to the end, as the caller gave it. */
static elastica_status run_to(eli_run *run, const char *function, double end, double duration, int anew) {
  elastica_world *world = run->world;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && eli_world_now(world) < end && !run->is_over) {
    const double next = eli_sample_or_end(world, end);
    if (anew || !goes_on(world, next)) begin_equal_steps(world, next, next == end ? duration : next - eli_world_now(world));
    status = take_equal_steps(run, function);
    duration = end - eli_world_now(world);
    anew = 0;
  }
  return status;
}

elastica_status elastica_world_advance(elastica_world *world, double duration) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "advance", 1);
  if (status != ELASTICA_OK) return status;
  if (!(duration >= 0.0 && duration <= ELI_LARGEST))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g is negative, too large or not finite", duration);
  if (duration > 0.0 && duration < 1.0 / ELI_LARGEST)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g s is too small", duration);
  eli_run run;
  status = eli_world_prepare(world, "advance");
  const double end = eli_world_now(world) + duration;
  if (status == ELASTICA_OK && duration > 0.0 && end == eli_world_now(world))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g s is lost in rounding at t = %.9g s", duration,
                                 end);
  if (status == ELASTICA_OK) status = eli_run_begin(&run, world, NULL);
  return status == ELASTICA_OK ? run_to(&run, "advance", end, duration, 1) : status;
}

/* ---- Runs in whole working steps ---- */

/* Takes whole working steps that end at or before a time. */
static elastica_status take_whole_steps(eli_run *run, double time) {
  elastica_world *world = run->world;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && eli_world_now(world) < time && !run->is_over) {
    status = eli_choose_step(world, "run", time);
    if (status != ELASTICA_OK) break;
    const double remaining = time - eli_world_now(world), step = world->working_step;
    const double dt = step < INFINITY ? step : remaining,
                 fit = floor(remaining / dt * (1.0 + 1e-9)); /* without rods the working step is infinite */
    const long most = eli_steps_to_limit_check(world);
    long taken;
    if (fit < 1.0) break;
    status = eli_run_take(run, dt, fit < (double)most ? (long)fit : most, &taken);
    if (status == ELASTICA_OK) status = eli_world_sample(world);
  }
  return status;
}

/* ---- Runs with a budget ---- */

#define FIELD(field) ELI_FIELD(elastica_run_def, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   ELI_NUMBERS(elastica_run_def, until, ELI_RULE_NUMBER | ELI_RULE_REQUIRED),
                                   ELI_FLAG(elastica_run_def, whole_steps),
                                   FIELD(most_steps),
                                   ELI_NUMBERS(elastica_run_def, most_seconds, ELI_RULE_NOT_NEGATIVE | ELI_RULE_INFINITE),
                                   FIELD(clock),
                                   FIELD(user)};
#undef FIELD
static const elastica_run_def defaults = {.until = NAN, .most_steps = LONG_MAX, .most_seconds = INFINITY};
static const eli_layout layout = ELI_LAYOUT("run_def", elastica_run_def, fields, defaults);

void elastica_run_def_init(elastica_run_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

static elastica_status run_as_defined(elastica_world *world, const elastica_run_def *def, eli_run *run) {
  const elastica_status status = eli_run_begin(run, world, def);
  if (status != ELASTICA_OK) return status;
  if (def->whole_steps) return take_whole_steps(run, def->until);
  return run_to(run, "run", def->until, def->until - eli_world_now(world), 0);
}

/* Returns 1 if no step is left: the same call without a budget would take none. */
static int is_finished(const elastica_world *world, const elastica_run_def *def) {
  const double left = def->until - eli_world_now(world);
  const double step = world->working_step; /* infinite without rods: one step would reach the end */
  return !(left > 0.0) || (def->whole_steps && step < INFINITY && left * (1.0 + 1e-9) < step);
}

/* world NULL: without a message. */
static elastica_status read_def(elastica_world *world, elastica_run_def *def, const elastica_run_def *given) {
  if (given == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "run: def is NULL");
  const elastica_status status = eli_def_read(world, &layout, def, given);
  if (status != ELASTICA_OK || def->most_steps >= 0) return status;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "run_def.most_steps is %ld, negative", def->most_steps);
}

elastica_status elastica_world_run(elastica_world *world, const elastica_run_def *given, elastica_run_result *out) {
  elastica_run_def def;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status open = eli_world_check_open(world, "run", 1);
  elastica_status status = read_def(open == ELASTICA_OK ? world : NULL, &def, given);
  if (status == ELASTICA_OK && out != NULL) *out = (elastica_run_result){.lag = def.until - eli_world_now(world)};
  if (open != ELASTICA_OK) status = open;
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "run");
  if (status != ELASTICA_OK) return status;
  eli_run run;
  status = run_as_defined(world, &def, &run);
  if (out != NULL) {
    out->finished = is_finished(world, &def);
    out->steps = run.taken;
    out->lag = def.until - eli_world_now(world);
    out->seconds = eli_run_seconds(&run);
  }
  return status;
}
