/* Runs in implicit steps: the call, the size of its steps, and the hooks and samples between them.
 *
 * models     Steps of a given size, or of a size that keeps the estimated error of each step at an accuracy. A step without convergence of
 *            Newton's method is divided into halves. Within a given step the number of halves is carried on; from one given step to the
 *            next, the state alone
 * source     Hairer and Wanner, Solving Ordinary Differential Equations II (1996), IV.8, for the control of the step
 * test       tests/test_implicit.c
 */
#include "base/target.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "hooks/work.h"
#include "implicit/implicit.h"
#include "snapshot/snapshot.h"
#include "state/definition.h"
#include "step/stages.h"
#include "step/stepper.h"

typedef elastica_implicit_def implicit_def;
#define FIELD(field) ELI_FIELD(elastica_implicit_def, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   ELI_NUMBERS(implicit_def, until, ELI_RULE_NUMBER | ELI_RULE_REQUIRED),
                                   ELI_NUMBERS(implicit_def, accuracy, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
                                   ELI_NUMBERS(implicit_def, dt, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
                                   ELI_NUMBERS(implicit_def, first_step, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
                                   ELI_NUMBERS(implicit_def, longest_step, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
                                   ELI_NUMBERS(implicit_def, newton_tolerance, ELI_RULE_POSITIVE),
                                   FIELD(most_steps)};
#undef FIELD
static const implicit_def defaults = {
    .until = NAN, .accuracy = NAN, .dt = NAN, .first_step = NAN, .longest_step = NAN, .newton_tolerance = 1e-6, .most_steps = LONG_MAX};
static const eli_layout layout = ELI_LAYOUT("implicit_def", elastica_implicit_def, fields, defaults);

/* The first step of a run with an accuracy, in limits of explicit steps. */
#define FIRST_STEP 8.0

/* Largest number of halves in a row. */
enum { MOST_HALVES = 10 };

/* The smallest half of a step, as a share of the present time, and, without a limit of explicit steps, as a share of the run. */
#define LEAST_HALF 1e-14
#define PART_OF_RUN 1e-12

/* Control of the step: margin, smallest and largest factor, and the largest that leaves the step as it is. */
#define MARGIN 0.9
#define LEAST 0.25
#define MOST 2.0
#define KEEPS 1.3

/* Without longest_step: rods are at rest if no node or point of a surface would move by the accuracy at its present speed, neither in the
 * time from the beginning of the call to `until` nor in the next step, which a short call carries on and does not take. The error then says
 * nothing about a load or motion that begins later. A step at rest is at most this share of that time, or this part of the time at rest
 * before the call. */
#define SHARE_AT_REST 0.01
#define PART_OF_REST 0.1

void elastica_implicit_def_init(elastica_implicit_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

typedef struct run {
  elastica_world *world;
  implicit_def def;
  elastica_implicit_result *result;
  eli_implicit implicit;
  double explicit_step; /* [s] limit of explicit steps at the beginning; infinite without one */
  double step;          /* [s] size of the next step, before the rest is divided evenly */
  double duration;      /* [s] from the beginning of the call to `until` */
  double rested;        /* [s] the world was at rest for so long before the call */
  double rest_start;    /* [s] time since which the world is at rest */
  int begun;            /* 1: begin_step was called for this step */

  /* A given step in 2^level parts, of which `part` are done. level 0: it has not begun. */
  double cell_start, cell_end; /* [s] */
  int level;
  long part;
} run;

/* ---- Refusals ---- */

/* Returns the reason why implicit steps do not have this effect, or NULL. */
static const char *reason_against(const elastica_effect *effect) {
  const elastica_module *module = &effect->body->module;
  const eli_built_in *kind = effect->body->kind;
  const int constrains = module->constrain_position != NULL || module->constrain_velocity != NULL || module->constrain_spin != NULL;
  if (module->add_reactions != NULL && (kind == NULL || !kind->acts_in_stages))
    return kind == NULL ? "its add_reactions depends on the sum of all other loads: give loads in add_loads, with add_tangent"
                        : "it reacts to the sum of all other loads: an obstacle of kind ELASTIC does not";
  const char *own = kind != NULL && kind->refuses_stages != NULL ? kind->refuses_stages(effect->self) : NULL;
  if (own != NULL) return own;
  if (kind == NULL && constrains) return "a module's own constraints may depend on the state: a boundary with a motion does not";
  if (kind != NULL && kind->contact_stiffness != NULL) return NULL;
  if (module->add_tangent == NULL && (module->add_loads != NULL || module->add_world_loads != NULL))
    return "it has no add_tangent: give it one, empty if its loads depend on time alone";
  return NULL;
}

static elastica_status refuse_effects(const run *of) {
  elastica_world *world = of->world;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const char *reason = effect->enabled ? reason_against(effect) : NULL;
    if (reason == NULL) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "run_implicit: effect %d \"%s\": %s; elastica_world_run takes explicit steps of up to %.3g s with it",
                                 effect->index, effect->body->label, reason, of->explicit_step);
  }
  return ELASTICA_OK;
}

static elastica_status refuse_world(elastica_world *world) {
  if (!world->law.classical || !world->law.exact_couple)
    return elastica_world_refuse(
        world, ELASTICA_INVALID_ARGUMENT,
        "run_implicit: implicit steps need ELASTICA_LAW_CLASSICAL and exact_couple 1; other laws have no potential");
  if (world->budget != NULL)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE,
                                 "run_implicit: a budget is open, and it splits the work of explicit steps alone: close it before");
  return ELASTICA_OK;
}

static elastica_status check_def(elastica_world *world, const implicit_def *given, implicit_def *def) {
  if (given == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "run_implicit: def is NULL");
  const elastica_status status = eli_def_read(world, &layout, def, given);
  if (status != ELASTICA_OK) return status;
  if (eli_is_nan(def->accuracy) == eli_is_nan(def->dt))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "implicit_def: set either accuracy [m] or dt [s]; %s set",
                                 eli_is_nan(def->dt) ? "neither is" : "both are");
  if (!eli_is_nan(def->first_step) && eli_is_nan(def->accuracy))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "implicit_def.first_step is %g s, but dt sets the size of all steps",
                                 def->first_step);
  if (!eli_is_nan(def->longest_step) && eli_is_nan(def->accuracy))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "implicit_def.longest_step is %g s, but dt sets the size of all steps",
                                 def->longest_step);
  if (def->newton_tolerance > 1e-3)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "implicit_def.newton_tolerance is %g, above 1e-3",
                                 def->newton_tolerance);
  if (def->most_steps < 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "implicit_def.most_steps is %ld, negative", def->most_steps);
  return ELASTICA_OK;
}

/* Refuses an accuracy below the rounding of the largest coordinate. */
static elastica_status refuse_accuracy(const run *of) {
  int rod_index = 0, node = 0;
  double most = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, of->world)
  for (int i = 0; i < rod->body->view.node_count; i++)
    for (int a = 0; a < 3; a++) {
      const double size = fabs(rod->body->view.position[a][i]);
      if (size > most) most = size, rod_index = rod->index, node = i;
    }
  if (!(of->def.accuracy < DBL_EPSILON * most)) return ELASTICA_OK;
  return elastica_world_refuse(
      of->world, ELASTICA_INVALID_ARGUMENT,
      "run_implicit: implicit_def.accuracy is %.3g m, below %.3g m, the rounding of positions: a coordinate of node "
      "%d of rod %d is %.6g m",
      of->def.accuracy, DBL_EPSILON * most, node, rod_index, most);
}

/* Computes the limit of explicit steps. */
static elastica_status find_explicit_step(run *of) {
  eli_limit_check check;
  const elastica_purpose before = eli_world_set_purpose(of->world, ELASTICA_PURPOSE_LIMIT_QUERY);
  const elastica_status status = eli_world_check_limit(of->world, eli_world_now(of->world), &check);
  (void)eli_world_set_purpose(of->world, before);
  of->explicit_step = check.limit.dt;
  return status;
}

/* ---- The size of steps ---- */

/* Advances the history of friction over a step, with the world at its end. A failure must leave the history as it was, so the state is
 * evaluated once before. Status as of eli_implicit_evaluate(). */
static elastica_status keep_slips(eli_implicit *implicit) {
  eli_slips *slips = &implicit->relaxation.world->calls.slips;
  if (slips->moved[0] == NULL) return ELASTICA_OK;
  implicit->is_visited = 0; /* the stiffness of contacts depends on the history */
  elastica_status status = eli_implicit_evaluate(implicit, implicit->c, NULL);
  if (status != ELASTICA_OK) return status;
  slips->keeps = 1;
  status = eli_implicit_evaluate(implicit, implicit->c, NULL);
  slips->keeps = 0;
  return status;
}

/* Contacts without a history of friction begin one at the noted state, that of the world. */
static elastica_status begin_slips(eli_implicit *implicit) {
  eli_slips *slips = &implicit->relaxation.world->calls.slips;
  if (slips->moved[0] == NULL) return ELASTICA_OK;
  slips->keeps = ELI_KEEPS_NEW;
  const elastica_status status = eli_implicit_evaluate(implicit, 1.0, NULL);
  slips->keeps = 0;
  return status;
}

/* Returns the largest speed of a node, or of a turn at its lever, in the noted state [m/s]. */
static double largest_speed(const eli_implicit *implicit) {
  double fastest = 0.0;
  for (size_t b = 0; b < implicit->relaxation.blocks; b++) {
    eli_keep_larger(&fastest, eli_length(implicit->rate + 6 * b));
    if (!implicit->is_end[b]) eli_keep_larger(&fastest, implicit->lever[b] * eli_length(implicit->rate + 6 * b + 3));
  }
  return fastest;
}

/* Shortens a step to one that the motions of obstacles and boundaries admit. *cause: of the last shortening; CONVERGED: there is none. */
static elastica_status follow_motions(eli_implicit *implicit, double *h, eli_newton_end *cause) {
  const double whole = *h;
  *cause = ELI_NEWTON_CONVERGED;
  elastica_status status = eli_implicit_sweep_time(implicit, h);
  if (status == ELASTICA_OK && *h < whole) *cause = ELI_NEWTON_SWEPT;
  const double swept = *h;
  if (status == ELASTICA_OK) status = eli_implicit_turn_time(implicit, h);
  if (status == ELASTICA_OK && *h < swept) *cause = ELI_NEWTON_TURNED;
  return status;
}

/* Finds the end of the next step, and its size, of at most that of the step, of the time to the end, and of the motions of obstacles and
 * boundaries. */
static elastica_status next_with_accuracy(run *of, double segment_end, double *end, double *h) {
  const double now = eli_world_now(of->world), left = segment_end - now;
  const int rests = largest_speed(&of->implicit) * eli_larger(of->duration, of->step) <= of->def.accuracy;
  eli_newton_end cause = ELI_NEWTON_CONVERGED;
  const double longest_at_rest = eli_larger(SHARE_AT_REST * of->duration, PART_OF_REST * of->rested);
  if (rests && eli_is_nan(of->def.longest_step) && of->step > longest_at_rest && now + longest_at_rest > now) of->step = longest_at_rest;
  if (!rests) of->rest_start = now;
  double step = of->step < left ? of->step : left;
  if (step > of->def.longest_step) step = of->def.longest_step;
  elastica_status status = eli_implicit_travel_time(&of->implicit, &step);
  if (status == ELASTICA_OK) status = follow_motions(&of->implicit, &step, &cause);
  if (status == ELASTICA_OK && cause != ELI_NEWTON_CONVERGED && !(now + step > now)) of->implicit.end = cause;
  const double count = -floor(-left / step * (1.0 - 1e-9));
  *h = count > 1.0 ? left / count : left;
  *end = count > 1.0 ? now + *h : segment_end;
  return status;
}

/* With steps of a given size the last one may be longer by this part of it: the times of steps are rounded sums, and their rounding error
 * at the end of the run is no step of its own. 20,000 steps of 5e-5 s lack 2e-9 of a step. */
#define PART_OF_LAST 1e-6

/* Returns the end of the next of steps of a given size, and its size in *h. */
static double next_of_size(run *of, double end, double *h) {
  const double now = eli_world_now(of->world), left = end - now;
  if (of->level == 0 && of->part == 0) {
    of->cell_start = now;
    of->cell_end = left > of->def.dt * (1.0 + PART_OF_LAST) ? now + of->def.dt : end;
  }
  const long parts = 1L << of->level;
  const double whole = of->cell_end - of->cell_start;
  *h = whole / (double)parts;
  return of->part + 1 == parts ? of->cell_end : of->cell_start + whole * ((double)(of->part + 1) / (double)parts);
}

/* Returns 1 if a step may be divided into halves after so many of them. With an accuracy a step may be as long as a pause or the whole run:
 * its halves count from the limit of explicit steps, or from a small part of the run, on. */
static int may_halve(const run *of, double h, int halves) {
  const double least = of->explicit_step < ELI_LARGEST ? of->explicit_step : PART_OF_RUN * of->duration;
  return (halves <= MOST_HALVES && of->level < MOST_HALVES) || (!eli_is_nan(of->def.accuracy) && h > least);
}

/* Divides a step without convergence into halves. Returns 0 after too many of them, or if a half of it is close to the rounding of time. */
static int halve(run *of, double h, int halves) {
  if (!may_halve(of, h, halves) || !(0.5 * h > LEAST_HALF * fabs(eli_world_now(of->world)))) return 0;
  of->result->halved++;
  if (!eli_is_nan(of->def.accuracy)) {
    of->step = 0.5 * h;
    return 1;
  }
  of->level++;
  of->part *= 2;
  return 1;
}

/* Chooses the next step after one of h with this error. failed: the same step has been rejected or halved before; then it does not grow. */
static void control(run *of, double h, double error, int failed) {
  double factor = error > 0.0 ? MARGIN * eli_exp(eli_log(of->def.accuracy / error) / 3.0) : MOST;
  factor = factor > MOST ? MOST : factor < LEAST ? LEAST : factor;
  if (error > of->def.accuracy || factor < 1.0)
    of->step = h * (factor < 1.0 ? factor : 1.0);
  else if (failed)
    of->step = h;
  else if (factor > KEEPS && h * factor > of->step)
    of->step = h * factor;
  if (of->step > of->implicit.resolving) of->step = of->implicit.resolving;
}

/* Returns 1 if a step is taken: its error is small enough, and it resolves impacts, by up to a quarter more than the next one must. */
static int is_accurate(const run *of, double h, double error) {
  return error <= of->def.accuracy && h <= 1.25 * of->implicit.resolving;
}

static void pass_part(run *of) {
  of->part++;
  while (of->level > 0 && of->part % 2 == 0) {
    of->level--;
    of->part /= 2;
  }
  if (of->level == 0) of->part = 0;
}

/* ---- One step ---- */

typedef struct observation {
  elastica_world *world;
  eli_hook hook;
  double h;
} observation;

static void call_on_tile(void *context, int worker, size_t index) {
  const observation *now = context;
  const eli_tile_work work = eli_work_on(now->world, index, worker, now->h);
  work.report->trips = 0;
  work.report->status = ELASTICA_OK;
  eli_geometry(&work);
  eli_hooks(&work, now->hook, work.time, NULL);
  ELI_EACH_ROD(rod, now->world, work.tile) eli_rod_forget_derived(rod);
}

/* Calls begin_step or observe at the present time. */
static elastica_status call_hooks(elastica_world *world, eli_hook hook, double h) {
  observation now = {world, hook, h};
  if (!eli_world_has(world, hook)) return ELASTICA_OK;
  world->calls.purpose = ELASTICA_PURPOSE_STEP;
  eli_world_run_tiles(world, hook == ELI_OBSERVE ? ELI_HOOKS_OF_OBSERVERS : ELI_HOOK_BIT(ELI_BEGIN_STEP), 1, call_on_tile, &now);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  const eli_tile_report *failed = eli_world_failed_hook(world);
  return failed == NULL ? ELASTICA_OK : eli_world_fail_hook(world, failed, eli_world_now(world), "");
}

/* Completes a step: its time, its number, observers. */
static elastica_status complete(run *of, double h, double end) {
  elastica_world *world = of->world;
  eli_implicit_set_time(world, end);
  world->clock.segment_dt = h;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
  const elastica_status status = call_hooks(world, ELI_OBSERVE, h);
  world->clock.step_count++;
  world->checkpoint.step = -1;
  eli_world_outdate(world, ELI_STALE_LIMIT);
  if (!eli_is_nan(of->def.accuracy))
    world->implicit_course = (eli_implicit_course){world->clock.step_count, of->step, end - of->rest_start};
  of->result->steps++;
  of->result->shortest = h < of->result->shortest || of->result->steps == 1 ? h : of->result->shortest;
  of->result->longest = h > of->result->longest ? h : of->result->longest;
  of->begun = 0;
  return status;
}

static elastica_status refuse_divergence(const run *of, double h) {
  char turned[256] = "";
  if (of->implicit.end == ELI_NEWTON_TURNED)
    snprintf(turned, sizeof turned, "effect %d \"%s\" turns its frame by more than half a turn: its motion is too fast",
             of->implicit.turned->index, of->implicit.turned->body->label);
  const char *const reasons[ELI_NEWTON_FAILURES] = {
      [ELI_NEWTON_CONVERGED] = "no cause", /* not reached */
      [ELI_NEWTON_PIVOT] = "its matrix is not positive: a rod is unstable within the step",
      [ELI_NEWTON_JOINT] = "a joint turns by more than 3 rad: the rod is folded there, or a motion is too fast, or jumps",
      [ELI_NEWTON_GROWS] = "the corrections grow",
      [ELI_NEWTON_SLOW] = "the corrections hardly become smaller",
      [ELI_NEWTON_TURNED] = turned,
      [ELI_NEWTON_LOADS] = of->implicit.load,
      [ELI_NEWTON_DEEP] = "a contact is pressed in to its core: a motion drives it, or its layer is too soft",
      [ELI_NEWTON_FAR] = "a node moves by more than a quarter of the smallest radius, and may touch something",
      [ELI_NEWTON_PASSED] = "a joint turns too far beyond its limit in one step",
      [ELI_NEWTON_SWEPT] = "an obstacle moves there by more than a quarter of the smallest radius: its motion is too fast, or jumps",
  };
  const int begins = of->result->steps == 0 && !eli_is_nan(of->def.accuracy) && eli_is_nan(of->def.first_step);
  return elastica_world_refuse(of->world, ELASTICA_NOT_CONVERGED,
                               "run_implicit: Newton's method does not converge at t = %.9g s even with %.3g s, near rod %d: %s; the state "
                               "is that of the last whole step%s",
                               eli_world_now(of->world), h, of->implicit.rod_index, reasons[of->implicit.end],
                               begins ? "; implicit_def.first_step sets a shorter beginning" : "");
}

/* Returns 1 if a step is lost in rounding, or so short that its 1/c^2 leaves the range of numbers, as it may at the time 0. */
static int is_lost(double now, double h, double end) {
  return !(now + h > now) || !(end > now) || h < 1.0 / ELI_LARGEST;
}

/* Refuses a step that is lost; failed: the cause of the failure of the step before it. */
static elastica_status refuse_short(run *of, double h, eli_newton_end failed) {
  if (of->implicit.end == ELI_NEWTON_CONVERGED) of->implicit.end = failed;
  if (of->implicit.end != ELI_NEWTON_CONVERGED) return refuse_divergence(of, eli_larger(h, DBL_EPSILON * fabs(eli_world_now(of->world))));
  if (eli_world_now(of->world) + h > eli_world_now(of->world))
    return elastica_world_refuse(of->world, ELASTICA_INVALID_ARGUMENT, "run_implicit: a step of %g s is too small", h);
  return elastica_world_refuse(of->world, ELASTICA_INVALID_ARGUMENT, "run_implicit: a step of %g s is lost in rounding at t = %.9g s",
                               h > 0.0 || eli_is_nan(of->def.dt) ? h : of->def.dt, eli_world_now(of->world));
}

/* Finds the next step. NOT_CONVERGED: a moving obstacle or boundary admits a shorter one alone. Other statuses are failures of a motion. */
static elastica_status find_next(run *of, double segment_end, double *end, double *h) {
  double most;
  eli_newton_end cause;
  of->implicit.end = ELI_NEWTON_CONVERGED;
  if (!eli_is_nan(of->def.accuracy)) return next_with_accuracy(of, segment_end, end, h);
  *end = next_of_size(of, segment_end, h);
  most = *h;
  const elastica_status status = follow_motions(&of->implicit, &most, &cause);
  if (status != ELASTICA_OK || cause == ELI_NEWTON_CONVERGED) return status;
  of->implicit.end = cause;
  return ELASTICA_NOT_CONVERGED;
}

/* Takes one step that ends at or before a time, of the size that convergence and accuracy allow. */
static elastica_status take_step(run *of, double segment_end) {
  const int controlled = !eli_is_nan(of->def.accuracy);
  elastica_world *world = of->world;
  int failures = 0, halves = 0;
  eli_newton_end failed = ELI_NEWTON_CONVERGED;
  eli_implicit_note(&of->implicit);
  if (of->result->steps == 0) {
    const elastica_status status = begin_slips(&of->implicit);
    if (status != ELASTICA_OK) return status == ELASTICA_NOT_CONVERGED ? refuse_divergence(of, 0.0) : status;
  }
  for (;;) {
    double h, end, error = 0.0;
    const double now = eli_world_now(world);
    elastica_status status = find_next(of, segment_end, &end, &h);
    if (status != ELASTICA_OK && status != ELASTICA_NOT_CONVERGED) return status;
    if (is_lost(now, h, end)) return refuse_short(of, h, failed);
    if (!of->begun) {
      const elastica_status begun = call_hooks(world, ELI_BEGIN_STEP, h);
      if (begun != ELASTICA_OK) return begun;
      of->begun = 1;
    }
    if (status == ELASTICA_OK) status = eli_implicit_step(&of->implicit, h, end, controlled ? &error : NULL);
    of->result->iterations = of->implicit.iterations;
    if (status == ELASTICA_OK && (!controlled || is_accurate(of, h, error))) {
      status = keep_slips(&of->implicit);
      if (status != ELASTICA_OK) eli_implicit_return(&of->implicit);
    }
    if (status == ELASTICA_NOT_CONVERGED) {
      failures++;
      failed = of->implicit.end;
      if (!halve(of, h, ++halves)) return refuse_divergence(of, h);
      continue;
    }
    if (status != ELASTICA_OK) return status;
    if (controlled) control(of, h, error, failures > 0);
    if (controlled && !is_accurate(of, h, error)) {
      eli_implicit_return(&of->implicit);
      of->result->rejected++;
      failures++;
      continue;
    }
    if (!controlled) pass_part(of);
    of->result->error = error > of->result->error ? error : of->result->error;
    return complete(of, h, end);
  }
}

/* ---- The call ---- */

/* Returns the end of the next segment: of the run, an exact sample, or with an accuracy the time of full loads of an effect. A load that
 * begins there at once is whole at that time itself, so a step ends at the number before it, and one more, between the two, at it. */
static double next_end(const run *of) {
  const double now = eli_world_now(of->world);
  double end = eli_sample_or_end(of->world, of->def.until);
  if (eli_is_nan(of->def.accuracy)) return end;
  ELI_EACH_EFFECT_OF_WORLD(effect, of->world) {
    const double full = effect->body->module.full_time;
    if (!effect->enabled || !(full > now && full < end)) continue;
    const double before = nextafter(full, now);
    end = before > now ? before : full;
  }
  return end;
}

static elastica_status take_steps(run *of) {
  elastica_world *world = of->world;
  elastica_status status = eli_begin_sampling(world);
  if (status == ELASTICA_OK) status = eli_sample(world);
  while (status == ELASTICA_OK && eli_world_now(world) < of->def.until && of->result->steps < of->def.most_steps) {
    status = eli_keep_where_due(world, "run_implicit");
    if (status == ELASTICA_OK) status = take_step(of, next_end(of));
    if (status == ELASTICA_OK) status = eli_sample(world);
  }
  return status;
}

/* Continues the run of the call before, if nothing has happened since, or begins with the limit of explicit steps. */
static void begin_course(run *of) {
  const eli_implicit_course *course = &of->world->implicit_course;
  const double now = eli_world_now(of->world);
  const int continues = course->step >= 0 && course->step == of->world->clock.step_count;
  of->duration = of->def.until - now;
  of->rested = continues ? course->rest : 0.0;
  of->rest_start = now - of->rested;
  if (!eli_is_nan(of->def.first_step))
    of->step = of->def.first_step;
  else if (continues)
    of->step = course->next;
  else
    of->step = of->explicit_step < ELI_LARGEST ? FIRST_STEP * of->explicit_step : of->duration;
}

static elastica_status run_open(run *of) {
  elastica_world *world = of->world;
  elastica_status status = find_explicit_step(of);
  if (status == ELASTICA_OK) status = refuse_effects(of);
  if (status != ELASTICA_OK) return status;
  begin_course(of);
  eli_world_forget_refreshed(world);
  status = eli_implicit_open(&of->implicit, world, of->def.newton_tolerance);
  of->implicit.accuracy = of->def.accuracy;
  of->implicit.relaxation.stiffness.keeps_factors = !eli_is_nan(of->def.accuracy);
  if (status == ELASTICA_OK) status = take_steps(of);
  if (status != ELASTICA_OK) eli_relax_rename_sentence(world, "run_implicit");
  eli_implicit_close(&of->implicit);
  return status;
}

elastica_status elastica_world_run_implicit(elastica_world *world, const elastica_implicit_def *given, elastica_implicit_result *out) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_implicit_result result = {0};
  run of = {.world = world, .result = &result};
  elastica_status status = eli_world_check_open(world, "run_implicit", 1);
  if (status == ELASTICA_OK) status = check_def(world, given, &of.def);
  if (status == ELASTICA_OK) status = refuse_world(world);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "run_implicit");
  if (status == ELASTICA_OK) status = refuse_accuracy(&of);
  if (status != ELASTICA_OK) return status;
  status = run_open(&of);
  result.lag = of.def.until - eli_world_now(world);
  result.finished = !(result.lag > 0.0);
  result.next_step = eli_is_nan(of.def.dt) ? of.step : of.def.dt;
  if (out != NULL) *out = result;
  return status;
}
