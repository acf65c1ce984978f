/* Compares the build of the world in a snapshot with the loading world, and names the first difference. */
#include "base/target.h"

#include <stdio.h>
#include <string.h>

#include "base/sentence.h"
#include "snapshot/snapshot.h"

/* ---- Writing ---- */

/* Returns 0 for an open rod, 1 for a ring, 2 for a rigid body. */
static uint64_t kind_of(const elastica_rod *rod) {
  return eli_is_rigid(rod) ? 2 : (uint64_t)rod->closed;
}

static void write_rod(const elastica_rod *rod, eli_record *record) {
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

static void write_effect(const elastica_effect *effect, eli_record *record) {
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

void eli_write_build(const elastica_world *world, eli_record *record) {
  eli_record_word(record, (uint64_t)world->law.classical);
  eli_record_word(record, (uint64_t)world->law.exact_couple);
  eli_record_word(record, (uint64_t)world->law.explicit_couples);
  eli_record_word(record, (uint64_t)world->allow_unstable_step);
  eli_record_word(record, (uint64_t)world->rod_count);
  eli_record_word(record, (uint64_t)world->effect_count);
  eli_record_word(record, (uint64_t)world->rod_indices.taken);
  ELI_EACH_ROD_OF_WORLD(rod, world) write_rod(rod, record);
  eli_record_word(record, (uint64_t)world->effect_indices.taken);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) write_effect(effect, record);
}

/* ---- Comparing ---- */

typedef struct comparison {
  elastica_world *world;
  const char *function;
  eli_record *record;
} comparison;

elastica_status eli_refuse_damaged(elastica_world *world, const char *function, const char *what) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: the snapshot is damaged: %s", function, what);
}

/* Refuses a record that ended early. Missing words are read as zeros, and must not be reported as a difference. */
static elastica_status check_end(const comparison *c) {
  return c->record->wrong == NULL ? ELASTICA_OK : eli_refuse_damaged(c->world, c->function, "it ends too early");
}

/* Compares a count; `thing` names the counted objects, as in "the snapshot has 1 element in rod 3, this world 2". */
static elastica_status check_number(const comparison *c, const char *thing, const char *where, uint64_t here) {
  const uint64_t there = eli_record_word(c->record, 0);
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK || there == here) return status;
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: the snapshot has %llu %s%s%s, this world %llu", c->function,
                               (unsigned long long)there, thing, there == 1 ? "" : "s", where, (unsigned long long)here);
}

static elastica_status check_option(const comparison *c, const char *option, int here) {
  const uint64_t there = eli_record_word(c->record, 0);
  const elastica_status status = check_end(c);
  if (status != ELASTICA_OK || there == (uint64_t)here) return status;
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: world_def.%s is %llu in the snapshot, %d in this world",
                               c->function, option, (unsigned long long)there, here);
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
  if (of->left > 0 && there >= of->count) return eli_refuse_damaged(c->world, c->function, "the number of a rod or effect cannot be");
  if (of->left > 0) of->left--;
  if (there == here) return ELASTICA_OK;
  return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: %s %llu was removed %s", c->function, what,
                               (unsigned long long)(there < here ? there : here),
                               here < there ? "in the snapshot, not in this world" : "in this world, not in the snapshot");
}

static elastica_status check_rod(const comparison *c, const elastica_rod *rod) {
  static const char *const kinds[] = {"open", "a ring", "a rigid body", "something else"};
  const int r = rod->index;
  char where[40];
  snprintf(where, sizeof where, " in rod %d", r);
  const elastica_status status = check_number(c, "element", where, (uint64_t)rod->element_count);
  if (status != ELASTICA_OK) return status;
  const uint64_t kind = eli_record_word(c->record, 0);
  if (kind != kind_of(rod) && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is %s in the snapshot, and %s in this world", c->function,
                                 r, kinds[kind < 3 ? kind : 3], kinds[kind_of(rod)]);
  const uint64_t group = eli_record_word(c->record, 0);
  if (group != (uint64_t)rod->body->contact_group && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d has the contact_group %llu in the snapshot, and %d in this world", c->function, r,
                                 (unsigned long long)group, rod->body->contact_group);
  const uint64_t *made = rod->body->made;
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    if (of->constant == NULL) continue;
    if (eli_record_word(c->record, 0) != *made++ && check_end(c) == ELASTICA_OK)
      return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d has another %s in the snapshot than in this world",
                                   c->function, r, eli_is_rigid(rod) && of->first == ELI_SHEAR_STIFFNESS ? "shape" : of->constant);
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
                                 "%s: effect %d \"%s\" has a self of %llu bytes in the snapshot, of %zu in this world", c->function,
                                 effect->index, effect->body->label, (unsigned long long)size, effect->body->module.self_size);
  if (host != eli_host())
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: effect %d \"%s\": its self was saved as bytes on a host with other numbers", c->function,
                                 effect->index, effect->body->label);
  return ELASTICA_OK;
}

static elastica_status check_effect(const comparison *c, const elastica_effect *effect) {
  const int k = effect->index;
  char name[ELI_LABEL_SIZE], label[ELI_LABEL_SIZE];
  const int named = read_name(c->record, effect->body->module.name, name, sizeof name);
  if (!named && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d is \"%s\" in the snapshot, \"%s\" in this world",
                                 c->function, k, eli_shorten(name, label, sizeof label), effect->body->label);
  const int placed = eli_record_word(c->record, 0) == rod_number(effect);
  if (!placed && check_end(c) == ELASTICA_OK)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" acts on another rod in the snapshot",
                                 c->function, k, effect->body->label);
  const eli_keeping keeping = eli_effect_keeping(effect);
  const int alike = eli_record_word(c->record, 0) == (uint64_t)keeping;
  const elastica_status status = check_end(c);
  if (status == ELASTICA_OK && !alike)
    return elastica_world_refuse(c->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" is kept in another way in the snapshot",
                                 c->function, k, effect->body->label);
  return status == ELASTICA_OK && keeping == ELI_KEPT_COPY ? check_copy(c, effect) : status;
}

static elastica_status check_rods(const comparison *c) {
  numbers there = begin_numbers(c, c->world->rod_count);
  ELI_EACH_ROD_OF_WORLD(rod, c->world) {
    elastica_status status = check_next(c, "rod", &there, rod->index);
    if (status == ELASTICA_OK) status = check_rod(c, rod);
    if (status != ELASTICA_OK) return status;
  }
  return check_next(c, "rod", &there, c->world->rod_count);
}

static elastica_status check_effects(const comparison *c) {
  numbers there = begin_numbers(c, c->world->effect_count);
  ELI_EACH_EFFECT_OF_WORLD(effect, c->world) {
    elastica_status status = check_next(c, "effect", &there, effect->index);
    if (status == ELASTICA_OK) status = check_effect(c, effect);
    if (status != ELASTICA_OK) return status;
  }
  return check_next(c, "effect", &there, c->world->effect_count);
}

elastica_status eli_check_build(elastica_world *world, const char *function, eli_record *record) {
  const comparison c = {world, function, record};
  elastica_status status = check_option(&c, "law", world->law.classical);
  if (status == ELASTICA_OK) status = check_option(&c, "exact_couple", world->law.exact_couple);
  if (status == ELASTICA_OK) status = check_option(&c, "explicit_couples", world->law.explicit_couples);
  if (status == ELASTICA_OK) status = check_option(&c, "allow_unstable_step", world->allow_unstable_step);
  if (status == ELASTICA_OK) status = check_number(&c, "rod", "", (uint64_t)world->rod_count);
  if (status == ELASTICA_OK) status = check_number(&c, "effect", "", (uint64_t)world->effect_count);
  if (status == ELASTICA_OK) status = check_rods(&c);
  return status == ELASTICA_OK ? check_effects(&c) : status;
}
