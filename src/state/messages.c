/* The message of a world, and the checks at the beginning of public functions. */
#include "base/target.h"

#include <stdio.h>

#include "state/module.h"
#include "state/world.h"

const char *elastica_world_message(const elastica_world *world) {
  return world != NULL ? world->report.message
                       : "there is no world: elastica_world_create writes why to the buffer elastica_world_def.message";
}

/* Formats into a separate buffer, because the present message may be one of the arguments. */
void eli_world_say(elastica_world *world, const char *format, va_list arguments) {
  char text[4 * ELI_MESSAGE_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  eli_shorten(text, world->report.message, sizeof world->report.message);
}

elastica_status elastica_world_refuse(elastica_world *world, elastica_status status, const char *format, ...) {
  if (world == NULL || format == NULL || world->calls.in_hook == ELI_IN_PARALLEL_HOOK) return status;
  if (world->calls.in_hook == ELI_IN_ORDERED_HOOK && world->calls.silent) return status;
  va_list arguments;
  va_start(arguments, format);
  eli_world_say(world, format, arguments);
  va_end(arguments);
  world->report.refusal = status;
  return status;
}

elastica_status eli_world_explain(elastica_world *world, const void *self, const char *format, ...) {
  if (world == NULL) return ELASTICA_CALLBACK_FAILED;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(world->report.reason, sizeof world->report.reason, format, arguments);
  va_end(arguments);
  world->report.reason_of = self;
  return ELASTICA_CALLBACK_FAILED;
}

const char *eli_world_reason(const elastica_world *world) {
  return world->report.reason;
}

elastica_status eli_check_outside_hook(elastica_world *world, const char *function) {
  return world->calls.in_hook ? elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s: not from inside a hook", function) : ELASTICA_OK;
}

void eli_world_enter_call(elastica_world *world) {
  eli_world_enter_hooks(world, ELI_IN_HOOK);
}

void eli_world_leave_call(elastica_world *world) {
  eli_world_leave_hooks(world);
}

elastica_status eli_rod_check(const elastica_rod *rod, const char *function) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (rod->body != NULL) return ELASTICA_OK;
  return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d was removed", function, rod->index);
}

elastica_status eli_rod_check_in(elastica_world *world, const elastica_rod *rod, const char *function) {
  if (rod->world == world) return eli_rod_check(rod, function);
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: rod belongs to another world", function);
}

elastica_status eli_effect_check(const elastica_effect *effect, const char *function) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (effect->body != NULL) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d was removed", function, effect->index);
}

elastica_status eli_world_check_change(elastica_world *world, const char *function) {
  const elastica_status status = eli_check_outside_hook(world, function);
  if (status != ELASTICA_OK || !world->schedule.sampling.inside) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s: not from inside a sampler", function);
}

elastica_status eli_world_check_open(elastica_world *world, const char *function, int running) {
  const elastica_status status = running ? eli_world_check_change(world, function) : eli_check_outside_hook(world, function);
  if (status != ELASTICA_OK || !running || world->report.failure == ELASTICA_OK) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s", world->report.failure_message);
}
