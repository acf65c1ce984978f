/* Energy and power of effects. */
#include "base/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hooks/effects.h"
#include "state/module.h"

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
  const char *reason = world->report.message[0] != '\0' ? world->report.message : eli_effect_reason(effect);
  snprintf(words, sizeof words, "%s", reason != NULL ? reason : "");
  return elastica_world_refuse(world, world->report.refusal == ELASTICA_OUT_OF_MEMORY ? ELASTICA_OUT_OF_MEMORY : ELASTICA_CALLBACK_FAILED,
                               "effect %d \"%s\": its %s of rod %d is %g%s%s", effect->index, effect->body->label, eli_hook_name(hook),
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
  if (eli_effect_check(effect, eli_hook_name(hook)) != ELASTICA_OK) return NAN;
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
