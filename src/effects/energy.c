/* Energy and power of effects. */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "effects/effects.h"

/* Hooks that answer with a number say by elastica_world_refuse why they have none; words of others leave the message as it was. */
typedef struct asking {
  elastica_world *world;
  double time;
  char message[ELI_MESSAGE_SIZE];
} asking;

static void start_asking(asking *ask, elastica_world *world) {
  ask->world = world;
  ask->time = eli_world_now(world);
  memcpy(ask->message, world->message, sizeof ask->message);
  world->in_hook = ELI_IN_HOOK;
}

/* Adds what one hook says of one rod to *sum. */
static elastica_status add_answer(const asking *ask, const elastica_effect *effect, const char *what,
                                  double (*hook)(void *, double, const elastica_rod_view *), const elastica_rod *rod, double *sum) {
  elastica_world *world = ask->world;
  char words[ELI_MESSAGE_SIZE];
  world->message[0] = '\0';
  world->refusal = ELASTICA_OK;
  const double value = hook(effect->self, ask->time, &rod->view);
  if (value - value == 0.0) {
    *sum += value;
    return ELASTICA_OK;
  }
  memcpy(words, world->message, sizeof words);
  return elastica_world_refuse(world, world->refusal == ELASTICA_OUT_OF_MEMORY ? ELASTICA_OUT_OF_MEMORY : ELASTICA_CALLBACK_FAILED,
                               "effect %d \"%s\": its %s of rod %d is %g%s%s", effect->index, effect->label, what, rod->index, value,
                               words[0] != '\0' ? ": " : "", words);
}

static elastica_status stop_asking(asking *ask, elastica_status status) {
  if (status == ELASTICA_OK) memcpy(ask->world->message, ask->message, sizeof ask->message);
  ask->world->in_hook = ELI_NO_HOOK;
  return status;
}

/* Weight depends on masses that other effects add: they are known once the world is prepared. */
static double effect_sum(elastica_effect *effect, const char *what, double (*hook)(void *, double, const elastica_rod_view *)) {
  if (hook == NULL || !effect->enabled) return 0.0;
  elastica_world *world = effect->world;
  asking ask;
  if (eli_check_outside_hook(world, what) != ELASTICA_OK || eli_world_prepare(world) != ELASTICA_OK) return NAN;
  elastica_status status = ELASTICA_OK;
  double sum = 0.0;
  start_asking(&ask, world);
  for (int r = 0; r < world->rod_count && status == ELASTICA_OK; r++)
    if (effect->rod == NULL || effect->rod == world->rods[r]) status = add_answer(&ask, effect, what, hook, world->rods[r], &sum);
  return stop_asking(&ask, status) == ELASTICA_OK ? sum : NAN;
}

double elastica_effect_energy(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, "energy", effect->module.energy) : 0.0;
}

double elastica_effect_power(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, "power", effect->module.power) : 0.0;
}

elastica_status eli_rod_effect_energy(const elastica_rod *rod, double *sum) {
  const eli_hook_list *list = &rod->world->hooks[ELI_ENERGY];
  if (list->first[rod->index] == list->first[rod->index + 1]) return ELASTICA_OK;
  elastica_status status = ELASTICA_OK;
  asking ask;
  start_asking(&ask, rod->world);
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1] && status == ELASTICA_OK; k++)
    status = add_answer(&ask, list->effects[k], "energy", list->effects[k]->module.energy, rod, sum);
  return stop_asking(&ask, status);
}
