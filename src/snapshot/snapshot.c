/* Snapshots (see snapshot.h): the records of time and step limit, of each rod and of each effect, saving and loading.
 *
 * A snapshot is loaded completely, or changes nothing. First the whole snapshot is compared and checked. Then follow the actions that can
 * fail: preparing the world, and the load hooks of modules; a failure undoes them. The remaining actions cannot fail.
 *
 * test       tests/test_snapshot.c, tests/test_snapshot_refusals.c, tests/test_snapshot_modules.c, tests/test_snapshot_fuzz.c,
 *            tests/test_rewind.c
 */
#include "base/target.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/sentence.h"
#include "hooks/effects.h"
#include "rod/rod_data.h"
#include "snapshot/snapshot.h"
#include "state/module.h"

/* "ELASTICA" as a word, and the version of the format. */
#define MAGIC UINT64_C(0x4143495453414c45)
enum { VERSION = 15 };

/* Largest snapshot [bytes]; sums of two sizes do not overflow. */
#define MOST_BYTES (SIZE_MAX / 4)

/* The stale flags of a rod that a snapshot contains. */
enum { STALE_KEPT = ELI_STALE_MASSES | ELI_STALE_STATE };

/* ---- Time and the step limit ---- */

/* Largest number of steps in a snapshot: doubles hold it exactly, and the sum of two does not overflow. On Windows, long has 32 bits. */
#define MOST_STEPS (LONG_MAX > INT_MAX ? LONG_MAX / 1024 : LONG_MAX / 2)

static void record_steps(eli_record *record, const char *name, long *steps) {
  eli_record_long(record, name, steps, 0, MOST_STEPS);
}

static void record_limit_check(elastica_world *world, eli_record *record) {
  eli_limit_check *check = &world->schedule.limit_check;
  int mode = (int)check->limit.mode, effect = check->limit.effect != NULL ? check->limit.effect->index : -1;
  eli_record_doubles(record, &check->limit.dt, 1);
  eli_record_int(record, "limit.rod_index", &check->limit.rod_index, -1, world->bodies.rod_count > 0 ? world->bodies.rod_count - 1 : 0);
  eli_record_int(record, "limit.element", &check->limit.element, -1, INT_MAX);
  eli_record_int(record, "limit.mode", &mode, 0, ELASTICA_MODE_EFFECT);
  eli_record_int(record, "limit.effect", &effect, -1, world->effects.count - 1);
  eli_record_doubles(record, &check->spin2, 1);
  eli_record_int(record, "fastest_rod", &check->fastest_rod, 0, INT_MAX);
  eli_record_int(record, "fastest_element", &check->fastest_element, 0, INT_MAX);
  eli_record_doubles(record, &check->shear2, 1);
  eli_record_doubles(record, &check->turn2, 1);
  eli_record_doubles(record, &check->speed2, 1);
  if (record->use != ELI_RECORD_READ) return;
  check->limit.mode = (elastica_mode)mode;
  check->limit.effect = effect >= 0 ? world->effects.all[effect] : NULL;
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

static void record_course(elastica_world *world, eli_record *record) {
  if (world->schedule.limits_are_stale) world->stale |= ELI_STALE_LIMIT; /* the snapshot does not say for which rods */
  int check_is_due = (world->stale & ELI_STALE_LIMIT) != 0;
  eli_record_finite(record, "time", &world->clock.segment_time, 1);
  eli_record_finite(record, "dt", &world->clock.segment_dt, 1);
  record_steps(record, "segment_steps", &world->clock.segment_steps);
  record_steps(record, "step_count", &world->clock.step_count);
  eli_record_doubles(record, &world->schedule.working_step, 1);
  eli_record_int(record, "chosen", &world->schedule.chosen, 0, 1);
  int shaken = (int)world->schedule.shaken;
  eli_record_int(record, "shaken", &shaken, ELI_NOT_SHAKEN, ELI_SHAKEN_BY_HINGE);
  world->schedule.shaken = (eli_shaken)shaken;
  eli_record_finite(record, "largest_vibration", &world->schedule.largest_vibration, 1);
  record_steps(record, "calm_from", &world->schedule.calm_from);
  if (record->use == ELI_RECORD_READ) world->schedule.chooses = world->schedule.chosen;
  record_limit_check(world, record);
  eli_record_doubles(record, &world->schedule.covered_dt, 1);
  record_steps(record, "last_check", &world->schedule.last_check);
  record_steps(record, "next_check", &world->schedule.next_check);
  eli_record_int(record, "check_interval", &world->schedule.check_interval, 1, ELI_LIMIT_CHECK_INTERVAL);
  record_steps(record, "grows_at", &world->schedule.grows_at);
  eli_record_doubles(record, &world->schedule.watch.shear2, 1);
  eli_record_doubles(record, &world->schedule.watch.joint_h, 1);
  eli_record_doubles(record, &world->schedule.watch.spin2, 1);
  eli_record_int(record, "check_is_requested", &world->schedule.check_is_requested, 0, 1);
  eli_record_doubles(record, &world->schedule.lowest, 1);
  eli_record_int(record, "check_is_due", &check_is_due, 0, 1);
  record_equal_steps(&world->schedule.equal_steps, record);
  eli_record_long(record, "implicit.step", &world->implicit_course.step, -1, MOST_STEPS);
  eli_record_finite(record, "implicit.next", &world->implicit_course.next, 1);
  eli_record_finite(record, "implicit.rest", &world->implicit_course.rest, 1);
  if (record->use != ELI_RECORD_READ) return;
  world->stale &= ~(unsigned)ELI_STALE_LIMIT;
  if (check_is_due) world->stale |= ELI_STALE_LIMIT;
  eli_world_settle_limits(world);
  world->schedule.batch_from = 0;
  world->schedule.wide_turn.step = world->checkpoint.step = -1;
}

/* ---- Rods ---- */

/* A ring has a copy of most lanes in its ghost. Watched lanes are infinite before the first limit check. */
static void record_lanes(elastica_rod *rod, const eli_lane_group *of, eli_record *record) {
  const elastica_rod_view *view = &rod->body->view;
  const int counts[] = {[ELI_AT_NODE] = view->node_count, [ELI_AT_ELEMENT] = view->element_count, [ELI_AT_JOINT] = view->joint_count};
  const size_t first = rod->offset + (of->place == ELI_AT_JOINT && !rod->closed ? 1 : 0), count = (size_t)counts[of->place];
  const int ghost = of->first < ELI_STATE_LANES || of->place != ELI_AT_ELEMENT;
  for (int k = of->first; k < of->first + of->width; k++) {
    double *slots = rod->world->bodies.slab.lane[k] + first;
    if (of->first == ELI_WATCHED)
      eli_record_doubles(record, slots, count);
    else
      eli_record_finite(record, of->kept, slots, count);
  }
  if (record->use == ELI_RECORD_READ && rod->closed && ghost) eli_rod_close_lanes(rod, of->first, of->width);
}

/* Record of a rod. After READ the caller recomputes derived lanes and sets the stale flags of tile and world. */
static void record_rod(elastica_rod *rod, eli_record *record) {
  int stale = (int)(rod->body->stale & STALE_KEPT);
  eli_record_int(record, "stale", &stale, 0, STALE_KEPT);
  for (int g = 0; g < ELI_LANE_GROUPS; g++)
    if (eli_lane_groups[g].kept != NULL) record_lanes(rod, &eli_lane_groups[g], record);
  if (record->use != ELI_RECORD_READ) return;
  rod->body->stale = (unsigned)stale & STALE_KEPT;
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

/* Turns the failure of a save or load hook into a refusal with a sentence. */
static elastica_status refuse_by_hook(elastica_effect *effect, const char *function, const char *hook, elastica_status status) {
  elastica_world *world = effect->world;
  char words[ELI_MESSAGE_SIZE], what[ELI_STATUS_WORDS_SIZE];
  memcpy(words, world->report.message, sizeof words);
  const elastica_status named = status == ELASTICA_OUT_OF_MEMORY ? status : ELASTICA_CALLBACK_FAILED;
  if (words[0] != '\0')
    return elastica_world_refuse(world, named, "%s: effect %d \"%s\": %s", function, effect->index, effect->body->label, words);
  return elastica_world_refuse(world, named, "%s: effect %d \"%s\": %s returned %s", function, effect->index, effect->body->label, hook,
                               eli_status_words(status, what));
}

/* A module is asked for its size twice: to reserve memory, and before saving. A different second answer is refused, because the memory was
 * reserved for the first. measure_by_hooks asks for the size; before: bytes of the snapshot so far. */
static elastica_status measure_by_hooks(elastica_effect *effect, const char *function, size_t before, size_t *size) {
  *size = effect->body->own_size = effect->body->module.save_size(effect->self);
  if (*size <= MOST_BYTES - before) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_CALLBACK_FAILED,
                               "%s: effect %d \"%s\": save_size returned %zu, more bytes than a snapshot can have", function, effect->index,
                               effect->body->label, *size);
}

/* Saves as many bytes, or refuses. */
static elastica_status save_by_hooks(elastica_effect *effect, const char *function, void *to) {
  const size_t told = effect->body->own_size, size = effect->body->module.save_size(effect->self);
  if (size != told)
    return elastica_world_refuse(effect->world, ELASTICA_CALLBACK_FAILED, "%s: effect %d \"%s\": save_size returned %zu, and then %zu",
                                 function, effect->index, effect->body->label, told, size);
  effect->world->report.message[0] = '\0';
  const elastica_status status = effect->body->module.save(effect->self, to, size);
  return status == ELASTICA_OK ? status : refuse_by_hook(effect, function, "save", status);
}

/* ---- The build of a world: writing ---- */

/* Returns 0 for an open rod, 1 for a ring, 2 for a rigid body. */
static uint64_t kind_of(const elastica_rod *rod) {
  return eli_is_rigid(rod) ? 2 : (uint64_t)rod->closed;
}

static void write_build_of_rod(const elastica_rod *rod, eli_record *record) {
  eli_record_word(record, (uint64_t)rod->index);
  eli_record_word(record, (uint64_t)rod->element_count);
  eli_record_word(record, kind_of(rod));
  eli_record_word(record, (uint64_t)rod->body->contact_group);
  for (int k = 0; k < ELI_CONSTANTS; k++) eli_record_word(record, rod->body->made[k]);
}

/* Index of the effect's rod; UINT64_MAX for an effect on every rod. */
static uint64_t rod_number(const elastica_effect *effect) {
  return effect->rod != NULL ? (uint64_t)effect->rod->index : UINT64_MAX;
}

static void write_build_of_effect(const elastica_effect *effect, eli_record *record) {
  eli_record_word(record, (uint64_t)effect->index);
  const size_t length = strlen(effect->body->module.name);
  const eli_keeping keeping = eli_effect_keeping(effect);
  eli_record_word(record, length);
  eli_record_bytes(record, (char *)effect->body->module.name, length);
  eli_record_word(record, rod_number(effect));
  eli_record_word(record, (uint64_t)keeping);
  if (keeping != ELI_KEPT_COPY) return;
  eli_record_word(record, effect->body->module.self_size);
  eli_record_word(record, eli_host());
}

void eli_world_write_build(const elastica_world *world, eli_record *record) {
  eli_record_word(record, (uint64_t)world->law.classical);
  eli_record_word(record, (uint64_t)world->law.exact_couple);
  eli_record_word(record, (uint64_t)world->law.explicit_couples);
  eli_record_word(record, (uint64_t)world->allow_unstable_step);
  eli_record_word(record, (uint64_t)world->bodies.rod_count);
  eli_record_word(record, (uint64_t)world->effects.count);
  eli_record_word(record, (uint64_t)world->bodies.indices.taken);
  ELI_EACH_ROD_OF_WORLD(rod, world) write_build_of_rod(rod, record);
  eli_record_word(record, (uint64_t)world->effects.indices.taken);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) write_build_of_effect(effect, record);
}

/* ---- The build of a world: comparing ---- */

typedef struct comparison {
  elastica_world *world;
  const char *function, *of; /* of: "snapshot" or another name of the record, for sentences */
  eli_record *record;
} comparison;

static elastica_status refuse_part(const comparison *c, const char *what) {
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: the %s is damaged: %s", c->function, c->of, what);
}

/* Refuses a record that ended early. Missing words are read as zeros, and must not be reported as a difference. */
static elastica_status check_end(const comparison *c) {
  return c->record->wrong == NULL ? ELASTICA_OK : refuse_part(c, "it ends too early");
}

/* Compares a count; `thing` names the counted objects, as in "the snapshot has 1 element in rod 3, this world 2". */
static elastica_status check_number(const comparison *c, const char *thing, const char *where, uint64_t here) {
  const uint64_t there = eli_record_word(c->record, 0);
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK || there == here) return status;
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: the %s has %llu %s%s%s, this world %llu", c->function, c->of,
                               (unsigned long long)there, thing, there == 1 ? "" : "s", where, (unsigned long long)here);
}

static elastica_status check_option(const comparison *c, const char *option, int here) {
  const uint64_t there = eli_record_word(c->record, 0);
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK || there == (uint64_t)here) return status;
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: world_def.%s is %llu in the %s, %d in this world", c->function,
                               option, (unsigned long long)there, c->of, here);
}

/* Iterates over the indices of the rods or effects of a snapshot, in order. */
typedef struct numbers {
  uint64_t left, count; /* indices still to come; number of rods or effects ever added, removed ones included */
} numbers;

static numbers begin_numbers(const comparison *c, int count) {
  return (numbers){eli_record_word(c->record, 0), (uint64_t)count};
}

/* Compares the next index in the snapshot with the index of the next rod or effect of the world, or with its count if there is none. */
static elastica_status check_next(const comparison *c, const char *what, numbers *of, int index) {
  const uint64_t here = (uint64_t)index, there = of->left > 0 ? eli_record_word(c->record, 0) : of->count;
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK) return status;
  if (of->left > 0 && there >= of->count) return refuse_part(c, "the number of a rod or effect cannot be");
  if (of->left > 0) of->left--;
  if (there == here) return ELASTICA_OK;
  const char *const place[2] = {c->of, "world"};
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: %s %llu was removed in %s %s, not in %s %s", c->function, what,
                               (unsigned long long)(there < here ? there : here), here < there ? "the" : "this", place[!(here < there)],
                               here < there ? "this" : "the", place[here < there]);
}

static elastica_status check_build_of_rod(const comparison *c, const elastica_rod *rod) {
  static const char *const kinds[] = {"open", "a ring", "a rigid body", "something else"};
  const int r = rod->index;
  char where[40];
  snprintf(where, sizeof where, " in rod %d", r);
  const elastica_status status = check_number(c, "element", where, (uint64_t)rod->element_count);
  if (status != ELASTICA_OK) return status;
  const uint64_t kind = eli_record_word(c->record, 0);
  if (kind != kind_of(rod) && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is %s in the %s, and %s in this world", c->function, r,
                                 kinds[kind < 3 ? kind : 3], c->of, kinds[kind_of(rod)]);
  const uint64_t group = eli_record_word(c->record, 0);
  if (group != (uint64_t)rod->body->contact_group && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d has the contact_group %llu in the %s, and %d in this world", c->function, r,
                                 (unsigned long long)group, c->of, rod->body->contact_group);
  const uint64_t *made = rod->body->made;
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    if (of->constant == NULL) continue;
    if (eli_record_word(c->record, 0) != *made++ && check_end(c) == ELASTICA_OK)
      return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d has another %s in the %s than in this world",
                                   c->function, r, eli_is_rigid(rod) && of->first == ELI_SHEAR_STIFFNESS ? "shape" : of->constant, c->of);
  }
  return check_end(c);
}

/* Reads the name in the snapshot, shortened to the size of text. Returns 1 if it equals `here`. */
static int read_name(eli_record *record, const char *here, char *text, size_t size) {
  const uint64_t length = eli_record_word(record, 0);
  const size_t at = record->at;
  text[0] = '\0';
  if (record->wrong != NULL || length > record->size - at) {
    eli_record_blame(record, "the size", 0);
    return 0;
  }
  eli_record_bytes(record, NULL, (size_t)length);
  if (record->wrong != NULL) return 0;
  const size_t shown = length < size - 1 ? (size_t)length : size - 1;
  memcpy(text, record->from + at, shown);
  text[shown] = '\0';
  return length == strlen(here) && memcmp(record->from + at, here, (size_t)length) == 0;
}

static elastica_status check_copy(const comparison *c, const elastica_effect *effect) {
  const uint64_t size = eli_record_word(c->record, 0), host = eli_record_word(c->record, 0);
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK) return status;
  if (size != effect->body->module.self_size)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: effect %d \"%s\" has a self of %llu bytes in the %s, of %zu in this world", c->function,
                                 effect->index, effect->body->label, (unsigned long long)size, c->of, effect->body->module.self_size);
  if (host != eli_host())
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: effect %d \"%s\": its self was saved as bytes on a host with other numbers", c->function,
                                 effect->index, effect->body->label);
  return ELASTICA_OK;
}

static elastica_status check_build_of_effect(const comparison *c, const elastica_effect *effect) {
  const int k = effect->index;
  char name[ELI_LABEL_SIZE], label[ELI_LABEL_SIZE];
  const int named = read_name(c->record, effect->body->module.name, name, sizeof name);
  if (!named && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d is \"%s\" in the %s, \"%s\" in this world",
                                 c->function, k, eli_shorten(name, label, sizeof label), c->of, effect->body->label);
  const int placed = eli_record_word(c->record, 0) == rod_number(effect);
  if (!placed && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" acts on another rod in the %s", c->function, k,
                                 effect->body->label, c->of);
  const eli_keeping keeping = eli_effect_keeping(effect);
  const int alike = eli_record_word(c->record, 0) == (uint64_t)keeping;
  const elastica_status status = check_end(c);
  if (status == ELASTICA_OK && !alike)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" is kept in another way in the %s", c->function,
                                 k, effect->body->label, c->of);
  return status == ELASTICA_OK && keeping == ELI_KEPT_COPY ? check_copy(c, effect) : status;
}

static elastica_status check_build_of_rods(const comparison *c) {
  numbers there = begin_numbers(c, c->world->bodies.rod_count);
  ELI_EACH_ROD_OF_WORLD(rod, c->world) {
    elastica_status status = check_next(c, "rod", &there, rod->index);
    if (status == ELASTICA_OK) status = check_build_of_rod(c, rod);
    if (status != ELASTICA_OK) return status;
  }
  return check_next(c, "rod", &there, c->world->bodies.rod_count);
}

static elastica_status check_build_of_effects(const comparison *c) {
  numbers there = begin_numbers(c, c->world->effects.count);
  ELI_EACH_EFFECT_OF_WORLD(effect, c->world) {
    elastica_status status = check_next(c, "effect", &there, effect->index);
    if (status == ELASTICA_OK) status = check_build_of_effect(c, effect);
    if (status != ELASTICA_OK) return status;
  }
  return check_next(c, "effect", &there, c->world->effects.count);
}

elastica_status eli_world_check_build(elastica_world *world, const char *function, const char *of, eli_record *record) {
  const comparison c = {world, function, of, record};
  elastica_status status = check_option(&c, "law", world->law.classical);
  if (status == ELASTICA_OK) status = check_option(&c, "exact_couple", world->law.exact_couple);
  if (status == ELASTICA_OK) status = check_option(&c, "explicit_couples", world->law.explicit_couples);
  if (status == ELASTICA_OK) status = check_option(&c, "allow_unstable_step", world->allow_unstable_step);
  if (status == ELASTICA_OK) status = check_number(&c, "rod", "", (uint64_t)world->bodies.rod_count);
  if (status == ELASTICA_OK) status = check_number(&c, "effect", "", (uint64_t)world->effects.count);
  if (status == ELASTICA_OK) status = check_build_of_rods(&c);
  return status == ELASTICA_OK ? check_build_of_effects(&c) : status;
}

/* ---- Saving ---- */

static elastica_status check_kept(elastica_effect *effect, const char *function) {
  if (eli_effect_keeping(effect) != ELI_KEPT_NOT || effect->body->module.stateless || effect->self == NULL) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: effect %d \"%s\" borrows its self, and its module has no hooks to save it and is not stateless",
                               function, effect->index, effect->body->label);
}

/* Writes the state that a module saves by its hooks; a record that only counts asks for its size. */
static elastica_status write_by_hooks(elastica_effect *effect, const char *function, eli_record *record) {
  size_t size = effect->body->own_size;
  const elastica_status status = record->to == NULL ? measure_by_hooks(effect, function, record->at, &size) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  eli_record_word(record, size);
  const size_t at = record->at;
  eli_record_bytes(record, NULL, size);
  return record->to != NULL ? save_by_hooks(effect, function, record->to + at) : ELASTICA_OK;
}

static elastica_status write_effect(elastica_effect *effect, const char *function, eli_record *record) {
  const elastica_status status = check_kept(effect, function);
  eli_record size = eli_record_to(NULL, 0);
  if (status != ELASTICA_OK) return status;
  eli_record_word(record, (uint64_t)effect->enabled);
  switch (eli_effect_keeping(effect)) {
  case ELI_KEPT_BUILT_IN:
    eli_record_built_in(effect, &size, NULL);
    eli_record_word(record, size.at);
    eli_record_built_in(effect, record, NULL);
    return ELASTICA_OK;
  case ELI_KEPT_COPY:
    eli_record_word(record, effect->body->module.self_size);
    eli_record_bytes(record, effect->body->copy, effect->body->module.self_size);
    return ELASTICA_OK;
  case ELI_KEPT_BY_HOOKS: return write_by_hooks(effect, function, record);
  default: eli_record_word(record, 0); return ELASTICA_OK;
  }
}

/* Writes all parts after the head. Calls hooks. */
static elastica_status write_body(elastica_world *world, const char *function, eli_record *record) {
  elastica_status status = ELASTICA_OK;
  eli_world_write_build(world, record);
  record_course(world, record);
  ELI_EACH_ROD_OF_WORLD(rod, world) record_rod(rod, record);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK) status = write_effect(effect, function, record);
  eli_world_leave_hooks(world);
  return status;
}

elastica_status eli_world_measure(elastica_world *world, const char *function, size_t *size) {
  eli_record record = eli_record_to(NULL, 0);
  record.at = ELI_SNAPSHOT_HEAD;
  const elastica_status status = write_body(world, function, &record);
  *size = record.at;
  return status;
}

elastica_status eli_world_write(elastica_world *world, const char *function, void *bytes, size_t room) {
  eli_record record = eli_record_to(bytes, room), head = eli_record_to(bytes, room);
  record.at = ELI_SNAPSHOT_HEAD;
  const elastica_status status = write_body(world, function, &record);
  if (status != ELASTICA_OK) return status;
  eli_record_word(&head, MAGIC);
  eli_record_word(&head, VERSION);
  eli_record_word(&head, record.at);
  eli_record_word(&head,
                  eli_sum_of_words(record.at, (unsigned char *)bytes + ELI_SNAPSHOT_HEAD, (record.at - ELI_SNAPSHOT_HEAD) / ELI_WORD));
  return ELASTICA_OK;
}

elastica_status eli_check_savable(elastica_world *world, const char *function) {
  const elastica_status status = eli_check_outside_hook(world, function);
  if (status != ELASTICA_OK || world->report.failure == ELASTICA_OK) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s", world->report.failure_message);
}

elastica_status elastica_world_snapshot_save(elastica_world *world, void *buffer, size_t size, size_t *needed) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_check_savable(world, "snapshot_save");
  size_t full;
  if (status == ELASTICA_OK && buffer == NULL && needed == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_save: buffer and needed are NULL");
  if (status == ELASTICA_OK) status = eli_world_measure(world, "snapshot_save", &full);
  if (status != ELASTICA_OK) return status;
  if (needed != NULL) *needed = full;
  if (buffer == NULL) return ELASTICA_OK;
  if (size < full)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "snapshot_save: a buffer of %zu bytes is too small for a snapshot of %zu", size, full);
  return eli_world_write(world, "snapshot_save", buffer, full);
}

/* ---- Loading: checks ---- */

/* Refuses a damaged snapshot: its record ends too early or late, or contains an impossible number. */
static elastica_status refuse_damaged(elastica_world *world, const char *function, const char *what) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: the snapshot is damaged: %s", function, what);
}

typedef struct loading {
  elastica_world *world;
  const char *function;
  const unsigned char *bytes;
  size_t size;            /* of the snapshot */
  size_t course, effects; /* offsets of these parts; the rods follow the course */

  /* State of the world before, for undoing. */
  elastica_status failure; /* failure of the world */
  unsigned char *before;   /* records of course, rods and effects if they were changed early; else NULL */
  size_t before_size;
  unsigned char *own; /* states of all modules with hooks, in order */
  int loaded;         /* number of modules with hooks that were loaded */
} loading;

elastica_status eli_check_head(elastica_world *world, const char *function, const void *bytes, size_t size) {
  eli_record head = eli_record_from(ELI_RECORD_READ, bytes, size);
  if (size < ELI_SNAPSHOT_HEAD)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: %zu bytes are no snapshot", function, size);
  const uint64_t magic = eli_record_word(&head, 0), version = eli_record_word(&head, 0);
  if (magic != MAGIC) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: this is no snapshot of elastica", function);
  if (version == VERSION) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_WRONG_VERSION, "%s: the snapshot has version %llu of the format, this library reads %d",
                               function, (unsigned long long)version, (int)VERSION);
}

static elastica_status check_size_and_sum(loading *l) {
  eli_record head = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  head.at = 2 * ELI_WORD;
  const uint64_t size = eli_record_word(&head, 0), sum = eli_record_word(&head, 0);
  if (size > l->size)
    return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT, "%s: the snapshot has %llu bytes, of which there are only %zu",
                                 l->function, (unsigned long long)size, l->size);
  if (size < ELI_SNAPSHOT_HEAD || size % ELI_WORD != 0) return refuse_damaged(l->world, l->function, "its size cannot be");
  l->size = (size_t)size;
  if (sum != eli_sum_of_words(size, l->bytes + ELI_SNAPSHOT_HEAD, (l->size - ELI_SNAPSHOT_HEAD) / ELI_WORD))
    return refuse_damaged(l->world, l->function, "its checksum is wrong");
  return ELASTICA_OK;
}

/* Reads the next effect of a snapshot and its record. Returns 0 if the snapshot ends too early. */
static int next_effect(const loading *l, eli_record *record, int *enabled, eli_record *own) {
  *enabled = eli_record_word(record, 0) != 0;
  const uint64_t size = eli_record_word(record, 0);
  if (record->wrong != NULL || size > record->size - record->at) return 0;
  *own = eli_record_from(ELI_RECORD_CHECK, l->bytes + record->at, (size_t)size);
  eli_record_bytes(record, NULL, (size_t)size);
  return record->wrong == NULL;
}

/* Names a constant of an effect that differs. */
static elastica_status refuse_constant(const loading *l, const elastica_effect *effect, const eli_record *own) {
  char label[ELI_LABEL_SIZE + 64], there[24], here[24];
  snprintf(label, sizeof label, "%s: effect %d \"%s\"", l->function, effect->index, effect->body->label);
  if (own->words == NULL && ((own->there == 0 && own->here == 1) || (own->there == 1 && own->here == 0)))
    return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT, "%s has a %s in the snapshot or in this world, not in both", label,
                                 own->wrong);
  if (own->words == NULL && own->there == own->here)
    return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT, "%s has another %s in the snapshot than in this world", label,
                                 own->wrong);
  snprintf(there, sizeof there, "%ld", own->there);
  snprintf(here, sizeof here, "%ld", own->here);
  return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT, "%s has %s %s in the snapshot, %s in this world", label, own->wrong,
                               own->words != NULL ? own->words[own->there] : there, own->words != NULL ? own->words[own->here] : here);
}

static elastica_status check_built_in(const loading *l, elastica_effect *effect, eli_record *own) {
  char what[160];
  eli_record_built_in(effect, own, NULL);
  if (own->wrong != NULL && own->differs) return refuse_constant(l, effect, own);
  if (own->wrong == NULL && own->at != own->size) own->wrong = "the size";
  if (own->wrong == NULL) return ELASTICA_OK;
  snprintf(what, sizeof what, "%s of effect %d \"%s\" cannot be", own->wrong, effect->index, effect->body->label);
  return refuse_damaged(l->world, l->function, what);
}

static elastica_status check_effect_records(const loading *l, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, l->world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, record, &enabled, &own)) return refuse_damaged(l->world, l->function, "it ends too early");
    const eli_keeping keeping = eli_effect_keeping(effect);
    const elastica_status status = keeping == ELI_KEPT_BUILT_IN ? check_built_in(l, effect, &own) : ELASTICA_OK;
    if (status != ELASTICA_OK) return status;
    if ((keeping == ELI_KEPT_COPY && own.size != effect->body->module.self_size) || (keeping == ELI_KEPT_NOT && own.size != 0))
      return refuse_damaged(l->world, l->function, "the size of an effect cannot be");
  }
  return record->at == l->size ? ELASTICA_OK : refuse_damaged(l->world, l->function, "it ends too late");
}

static elastica_status check_rod_records(const loading *l, eli_record *record) {
  char what[80];
  ELI_EACH_ROD_OF_WORLD(rod, l->world) {
    record_rod(rod, record);
    if (record->wrong == NULL) continue;
    snprintf(what, sizeof what, "%s of rod %d cannot be", record->wrong, rod->index);
    return refuse_damaged(l->world, l->function, what);
  }
  return ELASTICA_OK;
}

static elastica_status check_all(loading *l) {
  char what[80];
  elastica_status status = eli_check_head(l->world, l->function, l->bytes, l->size);
  if (status == ELASTICA_OK) status = check_size_and_sum(l);
  if (status != ELASTICA_OK) return status;
  eli_record record = eli_record_from(ELI_RECORD_CHECK, l->bytes, l->size);
  record.at = ELI_SNAPSHOT_HEAD;
  status = eli_world_check_build(l->world, l->function, "snapshot", &record);
  if (status != ELASTICA_OK) return status;
  l->course = record.at;
  record_course(l->world, &record);
  if (record.wrong != NULL) {
    snprintf(what, sizeof what, "%s cannot be", record.wrong);
    return refuse_damaged(l->world, l->function, what);
  }
  status = check_rod_records(l, &record);
  l->effects = record.at;
  return status == ELASTICA_OK ? check_effect_records(l, &record) : status;
}

/* ---- Loading: course and rods ---- */

static void record_course_and_rods(elastica_world *world, eli_record *record) {
  record_course(world, record);
  ELI_EACH_ROD_OF_WORLD(rod, world) record_rod(rod, record);
}

/* Recomputes the data that depend on the loaded lanes and effects. Inverse masses are zero at fixed nodes; they wait for the next
 * preparation, because lists may be stale until then. */
static void follow_lanes(elastica_world *world) {
  eli_world_forget_refreshed(world);
  world->stale |= ELI_STALE_LISTS;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    world->bodies.slab.tiles[t].masses_due = 1;
    eli_tile_prepare_lanes(&world->bodies.slab.tiles[t]);
    eli_tile_update_geometry(world, t);
  }
}

/* Collects the stale flags of rods in their tiles and in the world, after adding `more` to all rods. */
static void gather_stale(elastica_world *world, unsigned more) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) world->bodies.slab.tiles[t].stale = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    rod->body->stale |= more;
    world->bodies.slab.tiles[rod->tile].stale |= rod->body->stale;
    world->stale |= rod->body->stale;
  }
}

static void read_course_and_rods(const loading *l) {
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->course;
  record_course_and_rods(l->world, &record);
}

/* ---- Loading: effects ---- */

/* Reads the state that the library holds for an effect: its own kinds, and copies of self. */
static void read_effect(elastica_effect *effect, eli_record *record) {
  const eli_keeping keeping = eli_effect_keeping(effect);
  if (keeping == ELI_KEPT_COPY) eli_record_bytes(record, effect->body->copy, effect->body->module.self_size);
  if (keeping != ELI_KEPT_BUILT_IN) return;
  elastica_module module = effect->body->module;
  eli_record_built_in(effect, record, &module);
  eli_effect_hook_anew(effect, &module);
}

static void read_effects(const loading *l) {
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->effects;
  ELI_EACH_EFFECT_OF_WORLD(effect, l->world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, &record, &enabled, &own)) continue;
    own.use = ELI_RECORD_READ;
    read_effect(effect, &own);
  }
}

static void write_effects(elastica_world *world, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_keeping keeping = eli_effect_keeping(effect);
    if (keeping == ELI_KEPT_COPY) eli_record_bytes(record, effect->body->copy, effect->body->module.self_size);
    if (keeping == ELI_KEPT_BUILT_IN) eli_record_built_in(effect, record, NULL);
  }
}

/* ---- Loading: actions that can fail ---- */

/* Saves the present state and parameters, replaces them by those of the snapshot, and prepares the world there: for a world that has
 * failed, or if preparing with the present state is refused. */
static elastica_status prepare_in_place(loading *l) {
  elastica_world *world = l->world;
  eli_record record = eli_record_to(NULL, 0);
  record_course_and_rods(world, &record);
  write_effects(world, &record);
  l->before_size = record.at;
  l->before = eli_allocate(&world->allocator, 1, record.at);
  if (l->before == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to change the state", l->function);
  record = eli_record_to(l->before, l->before_size);
  record_course_and_rods(world, &record);
  write_effects(world, &record);
  read_course_and_rods(l);
  read_effects(l);
  gather_stale(world, STALE_KEPT);
  world->report.failure = ELASTICA_OK;
  const elastica_status status = eli_world_prepare(world, l->function);
  world->report.failure = l->failure;
  return status;
}

/* Enables the effects as in the snapshot and prepares memory and lists for them. */
static elastica_status prepare(loading *l) {
  elastica_world *world = l->world;
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->effects;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, &record, &enabled, &own)) continue;
    effect->body->was_enabled = effect->enabled;
    eli_effect_switch(effect, enabled);
  }
  if (!(world->stale & ~(unsigned)ELI_STALE_LIMIT)) return ELASTICA_OK;
  const elastica_status status = world->report.failure == ELASTICA_OK ? eli_world_prepare(world, l->function) : world->report.failure;
  return status == ELASTICA_OK || status == ELASTICA_OUT_OF_MEMORY ? status : prepare_in_place(l);
}

/* Saves the present states of all modules with hooks into l->own, in order. */
static elastica_status save_all_by_hooks(loading *l) {
  elastica_world *world = l->world;
  elastica_status status = ELASTICA_OK;
  size_t size = 0, at = 0, own;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    status = measure_by_hooks(effect, l->function, size, &own);
    if (status != ELASTICA_OK) return status;
    size += sizeof own + own;
  }
  if (size == 0) return ELASTICA_OK;
  l->own = eli_allocate(&world->allocator, 1, size);
  if (l->own == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for what modules have now", l->function);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    own = effect->body->own_size;
    memcpy(l->own + at, &own, sizeof own);
    status = save_by_hooks(effect, l->function, l->own + at + sizeof own);
    if (status != ELASTICA_OK) return status;
    at += sizeof own + own;
  }
  return ELASTICA_OK;
}

static elastica_status load_all_by_hooks(loading *l) {
  elastica_world *world = l->world;
  elastica_status status = save_all_by_hooks(l);
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->effects;
  if (status != ELASTICA_OK) return status;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, &record, &enabled, &own) || eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    world->report.message[0] = '\0';
    status = effect->body->module.load(effect->self, own.from, own.size);
    if (status != ELASTICA_OK) return refuse_by_hook(effect, l->function, "load", status);
    l->loaded++;
  }
  return ELASTICA_OK;
}

static void load_all_again(const loading *l) {
  const unsigned char *at = l->own;
  int left = l->loaded;
  ELI_EACH_EFFECT_OF_WORLD(effect, l->world) {
    size_t own;
    if (left == 0) return;
    if (eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    memcpy(&own, at, sizeof own);
    effect->body->module.load(effect->self, at + sizeof own, own);
    at += sizeof own + own;
    left--;
  }
}

/* Restores the state before the load, after a refusal. */
static void undo(const loading *l) {
  elastica_world *world = l->world;
  load_all_again(l);
  if (l->before != NULL) {
    eli_record record = eli_record_from(ELI_RECORD_READ, l->before, l->before_size);
    record_course_and_rods(world, &record);
    ELI_EACH_EFFECT_OF_WORLD(effect, world) read_effect(effect, &record);
    follow_lanes(world);
    gather_stale(world, 0);
  }
  ELI_EACH_EFFECT_OF_WORLD(effect, world) eli_effect_switch(effect, effect->body->was_enabled);
}

/* ---- Loading: the whole ---- */

static elastica_status read_snapshot(elastica_world *world, const char *function, const void *bytes, size_t size) {
  loading l = {.world = world, .function = function, .bytes = bytes, .size = size, .failure = world->report.failure};
  char sentence[ELI_MESSAGE_SIZE];
  elastica_status status = check_all(&l);
  if (status != ELASTICA_OK) return status;
  world->calls.is_loading = 1;
  status = prepare(&l);
  world->calls.is_loading = 0;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  if (status == ELASTICA_OK) status = load_all_by_hooks(&l);
  if (status != ELASTICA_OK) {
    memcpy(sentence, world->report.message, sizeof sentence);
    undo(&l);
    memcpy(world->report.message, sentence, sizeof sentence);
  }
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) {
    if (world->report.failure != ELASTICA_OK) eli_world_end_failure(world);
    read_course_and_rods(&l);
    read_effects(&l);
    follow_lanes(world);
    gather_stale(world, 0);
    world->pair_phase.lists_are_old = 1;
  }
  eli_release(&world->allocator, l.before);
  eli_release(&world->allocator, l.own);
  return status;
}

elastica_status elastica_world_snapshot_load(elastica_world *world, const void *buffer, size_t size) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = eli_world_check_change(world, "snapshot_load");
  if (status != ELASTICA_OK) return status;
  if (buffer == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_load: buffer is NULL");
  return eli_world_load(world, "snapshot_load", buffer, size);
}

/* ---- States kept for elastica_world_rewind ---- */

/* Two are kept, because the newest one may date from after the beginning of a blow-up. */

static int is_of_this_build(const elastica_world *world, const eli_kept_state *state) {
  return state->taken && state->rod_count == world->bodies.rod_count && state->effect_count == world->effects.count &&
         state->living_rods == world->bodies.indices.taken && state->living_effects == world->effects.indices.taken;
}

/* Returns 1 at each multiple of the interval, and if no state of the present rods and effects is kept. */
int eli_kept_state_is_due(const elastica_world *world) {
  if (world->rewind.interval == 0) return 0;
  return world->clock.step_count % world->rewind.interval == 0 || !is_of_this_build(world, &world->rewind.states[world->rewind.newest]);
}

long eli_steps_to_kept_state(const elastica_world *world, long most) {
  if (world->rewind.interval == 0) return most;
  const long left = world->rewind.interval - world->clock.step_count % world->rewind.interval;
  return left < most ? left : most;
}

/* ---- The functions of effects in a kept state ---- */

static size_t count_functions(const elastica_world *world) {
  size_t count = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) count += effect->body->kind != NULL && effect->body->kind->function != NULL;
  return count;
}

/* Keeps the present functions of effects beside a kept state. With exchange, the effects get the kept functions; a second exchange undoes
 * the first. */
static void keep_functions(const elastica_world *world, const eli_kept_state *state, int exchange) {
  unsigned char *at = state->bytes + state->size;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    eli_function now, then;
    if (kind == NULL || kind->function == NULL) continue;
    kind->function(effect->self, &now, 0);
    memcpy(&then, at, sizeof then);
    if (exchange) kind->function(effect->self, &then, 1);
    memcpy(at, &now, sizeof now);
    at += sizeof now;
  }
}

/* ---- Keeping ---- */

static elastica_status reserve(elastica_world *world, const char *function, eli_kept_state *state, size_t *size) {
  const elastica_status status = eli_world_measure(world, function, size);
  const size_t needed = *size + count_functions(world) * sizeof(eli_function);
  if (status != ELASTICA_OK || needed <= state->capacity) return status;
  void *bytes = eli_allocate(&world->allocator, 1, needed);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to keep a state of %zu bytes", function, needed);
  eli_release(&world->allocator, state->bytes);
  state->bytes = bytes;
  state->capacity = needed;
  state->taken = 0;
  return ELASTICA_OK;
}

/* Replaces the older kept state; if the newest one has the same step count, the present state replaces that one, because the world has
 * changed between steps. */
elastica_status eli_world_keep_state(elastica_world *world, const char *function) {
  const eli_kept_state *last = &world->rewind.states[world->rewind.newest];
  const int again = last->taken && last->step == world->clock.step_count, to = again ? world->rewind.newest : 1 - world->rewind.newest;
  eli_kept_state *state = &world->rewind.states[to];
  size_t size = 0;
  elastica_status status = reserve(world, function, state, &size);
  if (status != ELASTICA_OK) return status;
  state->taken = 0;
  status = eli_world_write(world, function, state->bytes, size);
  if (status != ELASTICA_OK) return status;
  state->size = size;
  keep_functions(world, state, 0);
  state->taken = 1;
  state->step = world->clock.step_count;
  state->rod_count = world->bodies.rod_count;
  state->effect_count = world->effects.count;
  state->living_rods = world->bodies.indices.taken;
  state->living_effects = world->effects.indices.taken;
  world->rewind.newest = to;
  if (!again) world->rewind.is_rewound = 0;
  return ELASTICA_OK;
}

/* ---- Going back ---- */

elastica_status eli_world_load(elastica_world *world, const char *function, const void *bytes, size_t size) {
  const elastica_status status = read_snapshot(world, function, bytes, size);
  if (status != ELASTICA_OK) return status;
  world->rewind.states[0].taken = world->rewind.states[1].taken = 0;
  world->rewind.is_rewound = 0;
  return status;
}

/* Chooses the older state if the world fails again before another state was kept: the cause of the failure is older than the newest
 * state. */
static void choose(elastica_world *world) {
  const int older = 1 - world->rewind.newest;
  if (world->report.failure == ELASTICA_OK || !world->rewind.is_rewound || !is_of_this_build(world, &world->rewind.states[older])) return;
  world->rewind.states[world->rewind.newest].taken = 0;
  world->rewind.newest = older;
}

/* Reads a kept state. If it has other rods or effects, the functions stay and read_snapshot refuses it with the difference. */
static elastica_status read_kept_state(elastica_world *world, const eli_kept_state *state) {
  const int alike = is_of_this_build(world, state);
  if (alike) keep_functions(world, state, 1);
  const elastica_status status = read_snapshot(world, "rewind", state->bytes, state->size);
  if (alike) keep_functions(world, state, status != ELASTICA_OK);
  return status;
}

elastica_status elastica_world_rewind(elastica_world *world) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_change(world, "rewind");
  if (status != ELASTICA_OK) return status;
  if (world->rewind.interval == 0)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "rewind: no states are kept: world_def.snapshot_interval is 0");
  choose(world);
  const eli_kept_state *state = &world->rewind.states[world->rewind.newest];
  if (!state->taken)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "rewind: no state has been kept since the world was made or loaded");
  status = read_kept_state(world, state);
  if (status == ELASTICA_OK) world->rewind.is_rewound = 1;
  return status;
}
