/* Calls of the hooks of effects, their distribution over threads, and the sentence about a failed hook. */
#include "base/target.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hooks/effects.h"
#include "hooks/work.h"
#include "state/module.h"

/* ---- The table of hooks ---- */

static const char *name_of_hook(eli_hook hook) {
#define NAME(number, field, kind) #field,
  static const char *const names[ELI_HOOK_COUNT] = {ELI_HOOKS(NAME)};
#undef NAME
  return names[hook];
}

int eli_has_hook(const elastica_module *module, eli_hook hook) {
#define CASE(number, field, kind)                                                                                                          \
  case number: return module->field != NULL;
  switch (hook) {
    ELI_HOOKS(CASE)
  default: return 0;
  }
#undef CASE
}

/* ---- Calls ---- */

void eli_report_hook(eli_tile_report *report, elastica_status status, const elastica_rod *rod, const elastica_effect *effect,
                     eli_hook hook) {
  const elastica_world *world = rod->world;
  if (report == &world->scratch.reports[rod->tile]) {
    if (report->status == ELASTICA_OK)
      ELI_EACH_ROD(other, world, &world->bodies.slab.tiles[rod->tile]) other->body->hook_failed = 0;
    rod->body->hook_failed = 1;
  }
  if (report->status != ELASTICA_OK && report->rod_index <= rod->index) return;
  report->status = status;
  report->rod_index = rod->index;
  report->effect = effect;
  report->hook = hook;
  report->fault = ELI_RETURNED;
}

const eli_tile_report *eli_world_failed_hook(const elastica_world *world) {
  const eli_tile_report *lowest = NULL;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile_report *report = &world->scratch.reports[t];
    if (report->status != ELASTICA_OK && (lowest == NULL || report->rod_index < lowest->rod_index)) lowest = report;
  }
  return lowest;
}

/* Returns 1 if a rod failed because of the effect `pair`. first: the first effect between rods that failed. */
static int is_blamed(const elastica_effect *pair, const elastica_effect *first, const elastica_rod *rod) {
  const elastica_module *module = &pair->body->module;
  if (module->fails_for != NULL) return pair->enabled && module->fails_for(pair->self, &rod->body->view);
  return pair == first && eli_effect_acts_on(pair, rod);
}

void eli_world_blame_hooks(elastica_world *world, const elastica_effect *pair) {
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (world->scratch.reports[rod->tile].status != ELASTICA_OK && rod->body->hook_failed) rod->body->failed = 1;
  ELI_EACH_PAIR_EFFECT(effect, world)
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (pair != NULL && is_blamed(effect, pair, rod)) rod->body->failed = 1;
}

/* ---- Threads ---- */

typedef struct tile_run {
  const elastica_world *world;
  unsigned hooks;
  eli_task task;
  void *context;
} tile_run;

static void run_unless_ordered(void *context, int worker, size_t tile) {
  const tile_run *run = context;
  if (!(run->world->bodies.slab.tiles[tile].ordered & run->hooks)) run->task(run->context, worker, tile);
}

double eli_world_work(const elastica_world *world, long sweeps) {
  return ELI_NS_PER_SLOT * (double)world->bodies.slab.end * (double)sweeps;
}

void eli_world_run_tiles(elastica_world *world, unsigned hooks, long sweeps, eli_task task, void *context) {
  const double work = world->effects.foreign & hooks ? ELI_MUCH_WORK : eli_world_work(world, sweeps);
  tile_run run = {world, hooks, task, context};
  const int ordered = (world->effects.ordered & hooks) != 0;
  eli_world_enter_hooks(world, ELI_IN_PARALLEL_HOOK);
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, work, ordered ? run_unless_ordered : task, ordered ? &run : context);
  eli_world_enter_hooks(world, ELI_IN_ORDERED_HOOK);
  for (size_t t = 0; ordered && t < world->bodies.slab.tile_count; t++)
    if (world->bodies.slab.tiles[t].ordered & hooks) task(context, 0, t);
  eli_world_leave_hooks(world);
}

/* ---- Hooks of a tile ---- */

eli_tile_work eli_work_on(elastica_world *world, size_t tile, int worker, double dt) {
  assert(tile < world->bodies.slab.tile_count && worker >= 0 && worker < world->scratch.worker_count);
  const eli_tile *place = &world->bodies.slab.tiles[tile];
  const int rigid = place->rigid; /* rigid: the length is constant, and the gyroscopic couple is taken at the midpoint */
  const eli_law_options law = {world->law.classical || rigid, world->law.exact_couple, world->law.explicit_couples && !rigid,
                               place->not_circular, world->schedule.watch};
  const double now = eli_world_now(world);
  const eli_scratch *scratch = &world->scratch.of_worker[worker];
  const eli_sweep sweep = eli_tile_sweep(place, scratch->lane);
  return (eli_tile_work){.world = world,
                         .tile = place,
                         .scratch = scratch->lane,
                         .window = scratch->window,
                         .sweep = sweep,
                         .law = law,
                         .time = now,
                         .middle = now,
                         .end = now,
                         .now = eli_instant(world, now, dt),
                         .report = &world->scratch.reports[tile]};
}

int eli_hooks(const eli_tile_work *work, eli_hook hook, double time, void *argument) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const elastica_instant now = eli_instant_of(work, rod, time);
    eli_call_hooks(hook, rod, &now, argument, work->report);
  }
  return work->report->status == ELASTICA_OK;
}

/* ---- Failures ---- */

/* Returns the explanation that a hook of the library has left for this effect, or for a part of its self, once; NULL: none. */
static const char *reason_of(const elastica_effect *effect) {
  elastica_world *world = effect->world;
  const uintptr_t of = (uintptr_t)world->report.reason_of, self = (uintptr_t)effect->self;
  const size_t size = effect->body->kind != NULL ? effect->body->kind->self_size : 0;
  const int is_own = of != 0 && (of == self || (of > self && of - self < size));
  world->report.reason_of = NULL;
  return is_own ? world->report.reason : NULL;
}

/* Describes a wrong value of a constraint: the component that is not finite, or the defect of a frame. */
static const char *tell_wrong_value(const eli_tile_report *report, char *text, size_t size) {
  static const char *const names[] = {"position", "velocity", "omega"};
  const int which = report->lane == ELI_POSITION ? 0 : report->lane == ELI_VELOCITY ? 1 : 2;
  if (report->lane == ELI_DIRECTOR)
    snprintf(text, size, "what is not a right-handed frame, orthonormal to 1e-9: it is off by %.3g", report->wrong);
  else
    snprintf(text, size, "what is not finite: %s[%d] is %g", names[which], report->axis, report->wrong);
  return text;
}

/* `effect 3 "drive": constrain_position wrote to node 2 of rod 0 what is not finite: position[1] is nan` or the like. */
static const char *describe(const eli_tile_report *report, char *text, size_t size) {
  const elastica_effect *effect = report->effect;
  const char *name = effect->body->label;
  char what[ELI_STATUS_WORDS_SIZE], wrong[ELI_REASON_SIZE];
  const char *reason = reason_of(effect);
  if (report->fault == ELI_ADDED)
    snprintf(text, size, "effect %d \"%s\": %s added %g at node or element %d of rod %d", effect->index, name, name_of_hook(report->hook),
             report->wrong, report->place, report->rod_index);
  else if (report->fault == ELI_WROTE)
    snprintf(text, size, "effect %d \"%s\": %s wrote to %s %d of rod %d %s", effect->index, name, name_of_hook(report->hook),
             report->lane == ELI_POSITION || report->lane == ELI_VELOCITY ? "node" : "element", report->place, report->rod_index,
             tell_wrong_value(report, wrong, sizeof wrong));
  else if (report->status == ELASTICA_JOINT_TOO_FAR && report->rod_index < 0)
    snprintf(text, size, "effect %d \"%s\" turns by more than %.1f rad", effect->index, name, ELI_JOINT_LIMIT);
  else if (report->status == ELASTICA_JOINT_TOO_FAR && effect->body->kind != NULL)
    snprintf(text, size, "rod %d: the joint of effect %d \"%s\" turns by more than %.1f rad", report->rod_index, effect->index, name,
             ELI_JOINT_LIMIT);
  else if ((report->status == ELASTICA_UNSTABLE_STEP || reason == NULL) && report->rod_index >= 0 && effect->body->module.explain != NULL) {
    const int begun = snprintf(text, size, "effect %d \"%s\": ", effect->index, name);
    effect->body->module.explain(effect->self, elastica_rod_get_view(effect->world->bodies.rods[report->rod_index]), text + begun,
                                 size - (size_t)begun);
  } else if (report->rod_index < 0 && reason != NULL)
    snprintf(text, size, "effect %d \"%s\": %s", effect->index, name, reason);
  else if (reason != NULL)
    snprintf(text, size, "effect %d \"%s\": on rod %d, in %s, %s", effect->index, name, report->rod_index, name_of_hook(report->hook),
             reason);
  else if (report->rod_index < 0)
    snprintf(text, size, "effect %d \"%s\": %s returned %s", effect->index, name, name_of_hook(report->hook),
             eli_status_words(report->status, what));
  else
    snprintf(text, size, "effect %d \"%s\": %s returned %s for rod %d", effect->index, name, name_of_hook(report->hook),
             eli_status_words(report->status, what), report->rod_index);
  return text;
}

elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time, const char *why) {
  char text[ELI_MESSAGE_SIZE];
  const int own = report->effect->body->kind != NULL, joint = own && report->status == ELASTICA_JOINT_TOO_FAR,
            named = joint || (own && report->status == ELASTICA_UNSTABLE_STEP);
  if (report->rod_index >= 0) world->bodies.rods[report->rod_index]->body->failed = 1;
  return eli_world_fail(world, named ? report->status : ELASTICA_CALLBACK_FAILED, "%s at t = %.9g s%s%s",
                        describe(report, text, sizeof text), time, joint ? "; near half a turn it could be a turn either way" : "", why);
}

elastica_status eli_world_refuse_hook(elastica_world *world, const eli_tile_report *report) {
  char text[ELI_MESSAGE_SIZE];
  const int named = report->status == ELASTICA_JOINT_TOO_FAR || report->status == ELASTICA_OUT_OF_MEMORY;
  if (report->fault == ELI_ADDED) return elastica_world_refuse(world, report->status, "%s", describe(report, text, sizeof text));
  return elastica_world_refuse(world, named ? report->status : ELASTICA_CALLBACK_FAILED, "%s at t = %.9g s",
                               describe(report, text, sizeof text), eli_world_now(world));
}

/* ---- Energy and power of effects ---- */

/* A query of energy or power. If a hook's value is not finite, the message that it set by elastica_world_refuse becomes part of the
 * refusal; if all values are finite, the message from before the query is restored. */
typedef struct asking {
  elastica_world *world;
  double time;
  char message[ELI_MESSAGE_SIZE];
} asking;

static void start_asking(asking *ask, elastica_world *world) {
  ask->world = world;
  ask->time = eli_world_now(world);
  memcpy(ask->message, world->report.message, sizeof ask->message);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
}

/* Adds the value of one hook for one rod to *sum. */
static elastica_status add_answer(const asking *ask, const elastica_effect *effect, eli_hook hook, const elastica_rod *rod, double *sum) {
  elastica_world *world = ask->world;
  elastica_instant now = eli_instant(world, ask->time, 0.0);
  now.rod_index = rod->index;
  char words[ELI_MESSAGE_SIZE];
  world->report.message[0] = '\0';
  world->report.refusal = ELASTICA_OK;
  world->report.reason_of = NULL;
  double value;
  eli_call(effect, hook, &now, &rod->body->view, &value);
  if (value - value == 0.0) {
    *sum += value;
    return ELASTICA_OK;
  }
  const char *reason = world->report.message[0] != '\0' ? world->report.message : reason_of(effect);
  snprintf(words, sizeof words, "%s", reason != NULL ? reason : "");
  return elastica_world_refuse(world, world->report.refusal == ELASTICA_OUT_OF_MEMORY ? ELASTICA_OUT_OF_MEMORY : ELASTICA_CALLBACK_FAILED,
                               "effect %d \"%s\": its %s of rod %d is %g%s%s", effect->index, effect->body->label, name_of_hook(hook),
                               rod->index, value, words[0] != '\0' ? ": " : "", words);
}

static elastica_status stop_asking(asking *ask, elastica_status status) {
  if (status == ELASTICA_OK) memcpy(ask->world->report.message, ask->message, sizeof ask->message);
  eli_world_leave_hooks(ask->world);
  return status;
}

/* The world is prepared first, because the energy of gravity depends on masses that other effects add. */
static double effect_sum(elastica_effect *effect, eli_hook hook) {
  if (effect == NULL) return 0.0;
  if (eli_effect_check(effect, name_of_hook(hook)) != ELASTICA_OK) return NAN;
  if (!eli_has_hook(&effect->body->module, hook) || !effect->enabled) return 0.0;
  elastica_world *world = effect->world;
  asking ask;
  const char *function = hook == ELI_ENERGY ? "effect_energy" : "effect_power";
  if (eli_check_outside_hook(world, function) != ELASTICA_OK || eli_world_prepare(world, function) != ELASTICA_OK) return NAN;
  elastica_status status = ELASTICA_OK;
  double sum = 0.0;
  start_asking(&ask, world);
  if (effect->rod != NULL) status = add_answer(&ask, effect, hook, effect->rod, &sum);
  for (const elastica_rod *rod = effect->rod == NULL ? world->bodies.first_rod : NULL; rod != NULL && status == ELASTICA_OK;
       rod = rod->body->next)
    status = add_answer(&ask, effect, hook, rod, &sum);
  return stop_asking(&ask, status) == ELASTICA_OK ? sum : NAN;
}

double elastica_effect_energy(elastica_effect *effect) {
  return effect_sum(effect, ELI_ENERGY);
}

double elastica_effect_power(elastica_effect *effect) {
  return effect_sum(effect, ELI_POWER);
}

elastica_status eli_rod_effect_energy(const elastica_rod *rod, double *sum) {
  if (!eli_rod_has(rod, ELI_ENERGY)) return ELASTICA_OK;
  elastica_status status = ELASTICA_OK;
  asking ask;
  start_asking(&ask, rod->world);
  ELI_EACH_EFFECT(effect, rod, ELI_ENERGY) {
    if (status == ELASTICA_OK) status = add_answer(&ask, effect, ELI_ENERGY, rod, sum);
  }
  return stop_asking(&ask, status);
}
