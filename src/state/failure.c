/* Failures of a simulation: marks the failed rods, and ends the failure when their states have been set.
 *
 * test       tests/test_heal.c
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "state/world.h"

enum { WHOLE_STATE = 15 };

/* ---- Failure ---- */

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
    rod->body->healed = known && !rod->body->failed ? WHOLE_STATE : 0;
    rod->body->failed = 0;
  }
}

elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  eli_world_say(world, format, arguments);
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
  eli_world_heal(rod->world);
}

int elastica_rod_has_failed(const elastica_rod *rod) {
  return rod != NULL && rod->body != NULL && rod->world->report.failure != ELASTICA_OK && rod->body->healed != WHOLE_STATE;
}
