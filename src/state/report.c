/* The report of a world: its message, the checks at the beginning of public functions, and failures of a simulation: marks the failed rods,
 * and ends the failure when their states have been set.
 *
 * test       tests/test_heal.c
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/rotation.h"
#include "state/module.h"
#include "state/world.h"

/* ---- Messages and checks ---- */

const char *elastica_world_message(const elastica_world *world) {
  return world != NULL ? world->report.message
                       : "there is no world: elastica_world_create writes why to the buffer elastica_world_def.message";
}

/* Writes the message of the world. Formats into a separate buffer, because the present message may be one of the arguments. */
static void say(elastica_world *world, const char *format, va_list arguments) {
  char text[4 * ELI_MESSAGE_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  eli_shorten(text, world->report.message, sizeof world->report.message);
}

elastica_status elastica_world_refuse(elastica_world *world, elastica_status status, const char *format, ...) {
  if (world == NULL || format == NULL || world->calls.in_hook == ELI_IN_PARALLEL_HOOK) return status;
  if (world->calls.in_hook == ELI_IN_ORDERED_HOOK && world->calls.silent) return status;
  va_list arguments;
  va_start(arguments, format);
  say(world, format, arguments);
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

static elastica_status check_outside_sampler(elastica_world *world, const char *function) {
  const elastica_status status = eli_check_outside_hook(world, function);
  if (status != ELASTICA_OK || !world->schedule.sampling.inside) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s: not from inside a sampler", function);
}

elastica_status eli_world_check_change(elastica_world *world, const char *function) {
  const elastica_status status = check_outside_sampler(world, function);
  if (status != ELASTICA_OK || !world->calls.is_applying) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s: not from inside path_def.apply, which may call setters alone", function);
}

static elastica_status check_failure(elastica_world *world) {
  if (world->report.failure == ELASTICA_OK) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s", world->report.failure_message);
}

elastica_status eli_world_check_open(elastica_world *world, const char *function, int running) {
  const elastica_status status = running ? eli_world_check_change(world, function) : eli_check_outside_hook(world, function);
  return status == ELASTICA_OK && running ? check_failure(world) : status;
}

elastica_status eli_world_check_setter(elastica_world *world, const char *function) {
  const elastica_status status = check_outside_sampler(world, function);
  return status == ELASTICA_OK ? check_failure(world) : status;
}

/* ---- Failure ---- */

enum { WHOLE_STATE = 15 };

static void clear_state(elastica_world *world, int first, size_t begin, size_t end) {
  for (int k = first; k < ELI_STATE_LANES; k++)
    for (size_t i = begin; i < end; i++) world->bodies.slab.lane[k][i] = eli_slab_neutral(k);
}

/* Resets the slots that belong to no rod, and the element slot after an open rod, because a rod that is not finite may have left NaN there.
 * The ghosts of rings remain copies. */
static void clear_unused_slots(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    size_t free_slot = tile->begin;
    for (const elastica_rod *rod = tile->lowest; rod != NULL; rod = rod->body->above) {
      clear_state(world, ELI_POSITION, free_slot, rod->offset);
      free_slot = rod->offset + (size_t)rod->element_count + 1;
      if (!rod->closed) clear_state(world, eli_is_rigid(rod) ? ELI_POSITION : ELI_DIRECTOR, free_slot - 1, free_slot);
    }
    clear_state(world, ELI_POSITION, free_slot, tile->begin + tile->count + ELI_BLOCK);
  }
}

/* ---- Failed rods ---- */

/* Returns 1 if the square of the vector is finite. */
static int is_moderate(double *const *lane, size_t slot) {
  return lane[0][slot] * lane[0][slot] + lane[1][slot] * lane[1][slot] + lane[2][slot] * lane[2][slot] <= DBL_MAX;
}

static int has_sound_nodes(const elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  for (size_t i = rod->offset; i < rod->offset + (size_t)rod->body->view.node_count; i++)
    if (!is_moderate(lane + ELI_POSITION, i) || !is_moderate(lane + ELI_VELOCITY, i)) return 0;
  return 1;
}

/* The tolerance 1e-6 is far above the rounding errors of frames; only a spin beyond the range of the drift exceeds it. */
static int has_sound_frames(const elastica_rod *rod) {
  double *const *q = rod->world->bodies.slab.lane + ELI_DIRECTOR;
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    if (!is_moderate(rod->world->bodies.slab.lane + ELI_OMEGA, j)) return 0;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b <= a; b++) {
        const double product = q[3 * a][j] * q[3 * b][j] + q[3 * a + 1][j] * q[3 * b + 1][j] + q[3 * a + 2][j] * q[3 * b + 2][j];
        if (!(fabs(product - (a == b)) <= 1e-6)) return 0;
      }
  }
  return 1;
}

/* Tests sin^2(theta/2) of each joint angle, as kernels compute it. */
static int has_sound_joints(const elastica_rod *rod) {
  double *const *q = rod->world->bodies.slab.lane + ELI_DIRECTOR;
  const size_t n = (size_t)rod->element_count;
  for (size_t k = rod->closed ? 0 : 1; k < n; k++) {
    const size_t after = rod->offset + k, before = rod->offset + (k > 0 ? k : n) - 1;
    double trace = 0.0;
    for (int a = 0; a < 9; a++) trace += q[a][after] * q[a][before];
    if (!(0.25 * (3.0 - trace) <= ELI_JOINT_LIMIT_H)) return 0;
  }
  return 1;
}

/* If no rod in particular has failed, all rods count as failed. */
static void mark_failed(elastica_world *world) {
  int known = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    if (!has_sound_nodes(rod) || !has_sound_frames(rod) || !has_sound_joints(rod)) rod->body->failed = 1;
    known |= rod->body->failed;
  }
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    rod->body->view.has_failed = !known || rod->body->failed;
    rod->body->healed = rod->body->view.has_failed ? 0 : WHOLE_STATE;
    rod->body->failed = 0;
  }
}

elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(world, format, arguments);
  va_end(arguments);
  memcpy(world->report.failure_message, world->report.message, sizeof world->report.message);
  world->report.failure = status;
  clear_unused_slots(world);
  mark_failed(world);
  return status;
}

/* ---- End of a failure ---- */

void eli_world_end_failure(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_slab_clear_loads(&world->bodies.slab, &world->bodies.slab.tiles[t]);
  clear_unused_slots(world);
  ELI_EACH_ROD_OF_WORLD(rod, world) rod->body->view.has_failed = 0;
  world->report.failure = ELASTICA_OK;
  world->report.failure_message[0] = world->report.message[0] = '\0';
  world->schedule.working_step = 0.0;
}

void eli_world_heal(elastica_world *world) {
  if (world->report.failure == ELASTICA_OK) return;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (rod->body->healed != WHOLE_STATE) return;
  eli_world_end_failure(world);
}

void eli_rod_heal(elastica_rod *rod, unsigned set) {
  rod->body->healed |= set;
  rod->body->view.has_failed &= rod->body->healed != WHOLE_STATE;
  eli_world_heal(rod->world);
}
