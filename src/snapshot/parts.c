/* The records of time and step limit, of each rod, and of each effect in a snapshot (see snapshot.h). */
#include "base/target.h"

#include <limits.h>
#include <string.h>

#include "base/module.h"
#include "effects/effects.h"
#include "snapshot/snapshot.h"

/* ---- Time and the step limit ---- */

/* Largest number of steps in a snapshot: doubles hold it exactly, and the sum of two does not overflow. */
#define MOST_STEPS (LONG_MAX / 1024)

static void record_steps(eli_record *record, const char *name, long *steps) {
  eli_record_long(record, name, steps, 0, MOST_STEPS);
}

static void record_limit_check(elastica_world *world, eli_record *record) {
  eli_limit_check *check = &world->limit_check;
  int mode = (int)check->limit.mode, effect = check->limit.effect != NULL ? check->limit.effect->index : -1;
  eli_record_doubles(record, &check->limit.dt, 1);
  eli_record_int(record, "limit.rod_index", &check->limit.rod_index, -1, world->rod_count > 0 ? world->rod_count - 1 : 0);
  eli_record_int(record, "limit.element", &check->limit.element, -1, INT_MAX);
  eli_record_int(record, "limit.mode", &mode, 0, ELASTICA_MODE_EFFECT);
  eli_record_int(record, "limit.effect", &effect, -1, world->effect_count - 1);
  eli_record_doubles(record, &check->spin2, 1);
  eli_record_int(record, "fastest_rod", &check->fastest_rod, 0, INT_MAX);
  eli_record_int(record, "fastest_element", &check->fastest_element, 0, INT_MAX);
  eli_record_doubles(record, &check->shear2, 1);
  eli_record_doubles(record, &check->turn2, 1);
  eli_record_doubles(record, &check->speed2, 1);
  if (record->use != ELI_RECORD_READ) return;
  check->limit.mode = (elastica_mode)mode;
  check->limit.effect = effect >= 0 ? world->effects[effect] : NULL;
}

/* Record of a stopped run to a given time, so that the next call continues with the same steps. */
static void record_equal_steps(eli_equal_steps *steps, eli_record *record) {
  eli_record_finite(record, "equal_steps.end", &steps->end, 1);
  eli_record_finite(record, "equal_steps.duration", &steps->duration, 1);
  eli_record_finite(record, "equal_steps.dt", &steps->dt, 1);
  eli_record_finite(record, "equal_steps.left", &steps->left, 1);
  eli_record_doubles(record, &steps->chosen, 1);
  record_steps(record, "equal_steps.step", &steps->step);
  eli_record_finite(record, "equal_steps.time", &steps->time, 1);
}

void eli_record_course(elastica_world *world, eli_record *record) {
  if (world->limits_are_stale) world->stale |= ELI_STALE_LIMIT; /* the snapshot does not say for which rods */
  int check_is_due = (world->stale & ELI_STALE_LIMIT) != 0;
  eli_record_finite(record, "time", &world->segment_time, 1);
  eli_record_finite(record, "dt", &world->segment_dt, 1);
  record_steps(record, "segment_steps", &world->segment_steps);
  record_steps(record, "step_count", &world->step_count);
  eli_record_doubles(record, &world->working_step, 1);
  eli_record_int(record, "chosen", &world->chosen, 0, 1);
  eli_record_int(record, "shaken", &world->shaken, 0, 1);
  if (record->use == ELI_RECORD_READ) world->chooses = world->chosen;
  record_limit_check(world, record);
  eli_record_doubles(record, &world->covered_dt, 1);
  record_steps(record, "last_check", &world->last_check);
  record_steps(record, "next_check", &world->next_check);
  eli_record_int(record, "check_interval", &world->check_interval, 1, ELI_LIMIT_CHECK_INTERVAL);
  record_steps(record, "grows_at", &world->grows_at);
  eli_record_doubles(record, &world->watch.shear2, 1);
  eli_record_doubles(record, &world->watch.joint_h, 1);
  eli_record_doubles(record, &world->watch.spin2, 1);
  eli_record_int(record, "check_is_requested", &world->check_is_requested, 0, 1);
  eli_record_doubles(record, &world->lowest, 1);
  eli_record_int(record, "check_is_due", &check_is_due, 0, 1);
  record_equal_steps(&world->equal_steps, record);
  if (record->use != ELI_RECORD_READ) return;
  world->stale &= ~(unsigned)ELI_STALE_LIMIT;
  if (check_is_due) world->stale |= ELI_STALE_LIMIT;
  eli_world_settle_limits(world);
  world->batch_from = 0;
  world->wide_turn.step = world->checkpoint.step = -1;
}

/* ---- Rods ---- */

typedef enum place { NODES, ELEMENTS, JOINTS } place;

typedef struct lanes {
  const char *name;
  int first, count;
  place at;
  int ghost; /* 1: a ring has a copy in its ghost */
} lanes;

static const lanes kept[] = {
    {"position", ELI_POSITION, 3, NODES, 1},
    {"velocity", ELI_VELOCITY, 3, NODES, 1},
    {"director", ELI_DIRECTOR, 9, ELEMENTS, 1},
    {"omega", ELI_OMEGA, 3, ELEMENTS, 1},
    {"mass", ELI_MASS, 1, NODES, 1},
    {"rest_curvature", ELI_REST_CURVATURE, 3, JOINTS, 1},
    {"rest_strain", ELI_REST_STRAIN, 3, ELEMENTS, 0},
};

static void record_lanes(elastica_rod *rod, const lanes *of, eli_record *record) {
  const elastica_rod_view *view = &rod->body->view;
  const int count = of->at == NODES ? view->node_count : of->at == ELEMENTS ? view->element_count : view->joint_count;
  const size_t first = rod->offset + (of->at == JOINTS && !rod->closed ? 1 : 0);
  for (int k = of->first; k < of->first + of->count; k++)
    eli_record_finite(record, of->name, rod->world->slab.lane[k] + first, (size_t)count);
  if (record->use == ELI_RECORD_READ && rod->closed && of->ghost) eli_rod_close_lanes(rod, of->first, of->count);
}

/* Record of a rod. Watched lengths are infinite before the first limit check, so they may be infinite in the record. */
void eli_record_rod(elastica_rod *rod, eli_record *record) {
  double *const *lane = rod->world->slab.lane;
  int stale = (int)(rod->body->stale & ELI_STALE_KEPT);
  eli_record_int(record, "stale", &stale, 0, ELI_STALE_KEPT);
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) record_lanes(rod, &kept[k], record);
  eli_record_doubles(record, lane[ELI_WATCHED_LENGTH2] + rod->offset, (size_t)rod->element_count);
  eli_record_doubles(record, lane[ELI_WATCHED_SHEAR2] + rod->offset, (size_t)rod->element_count);
  if (record->use != ELI_RECORD_READ) return;
  rod->body->stale = (unsigned)stale & ELI_STALE_KEPT;
  eli_rod_invert_masses(rod);
}

/* ---- Effects ---- */

eli_keeping eli_effect_keeping(const elastica_effect *effect) {
  if (effect->body->kind != NULL) return ELI_KEPT_BUILT_IN;
  if (effect->body->module.stateless) return ELI_KEPT_NOT;
  if (effect->body->module.save != NULL) return ELI_KEPT_BY_HOOKS;
  return effect->body->copy != NULL ? ELI_KEPT_COPY : ELI_KEPT_NOT;
}

uint64_t eli_host(void) {
  const uint32_t order = 0x01020304;
  unsigned char byte[4];
  uint64_t host = sizeof(void *) << 8 | sizeof(long);
  memcpy(byte, &order, sizeof byte);
  for (int k = 0; k < 4; k++) host = host << 8 | byte[k];
  return host;
}

void eli_record_built_in(elastica_effect *effect, eli_record *record, elastica_module *module) {
  effect->body->kind->keep(effect->self, effect->rod != NULL ? &effect->rod->body->view : NULL, record, module);
}

elastica_status eli_refuse_kept(elastica_effect *effect, const char *function, const char *hook, elastica_status status) {
  elastica_world *world = effect->world;
  char words[ELI_MESSAGE_SIZE], what[ELI_STATUS_WORDS_SIZE];
  memcpy(words, world->message, sizeof words);
  const elastica_status named = status == ELASTICA_OUT_OF_MEMORY ? status : ELASTICA_CALLBACK_FAILED;
  if (words[0] != '\0')
    return elastica_world_refuse(world, named, "%s: effect %d \"%s\": %s", function, effect->index, effect->body->label, words);
  return elastica_world_refuse(world, named, "%s: effect %d \"%s\": %s returned %s", function, effect->index, effect->body->label, hook,
                               eli_status_words(status, what));
}
