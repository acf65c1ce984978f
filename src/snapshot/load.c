/* Reads a snapshot (see snapshot.h) completely, or changes nothing. First the whole snapshot is compared and checked. Then follow the
 * actions that can fail: preparing the world, and the load hooks of modules; a failure undoes them. The remaining actions cannot fail.
 *
 * test       tests/test_snapshot.c, tests/test_snapshot_refusals.c, tests/test_snapshot_modules.c, tests/test_snapshot_fuzz.c
 */
#include "base/target.h"

#include <stdio.h>
#include <string.h>

#include "effects/effects.h"
#include "rod/rod_data.h"
#include "snapshot/snapshot.h"

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

/* ---- Checking ---- */

elastica_status eli_check_head(elastica_world *world, const char *function, const void *bytes, size_t size) {
  eli_record head = eli_record_from(ELI_RECORD_READ, bytes, size);
  if (size < ELI_SNAPSHOT_HEAD)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: %zu bytes are no snapshot", function, size);
  const uint64_t magic = eli_record_word(&head, 0), version = eli_record_word(&head, 0);
  if (magic != ELI_SNAPSHOT_MAGIC)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: this is no snapshot of elastica", function);
  if (version == ELI_SNAPSHOT_VERSION) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_WRONG_VERSION, "%s: the snapshot has version %llu of the format, this library reads %d",
                               function, (unsigned long long)version, (int)ELI_SNAPSHOT_VERSION);
}

static elastica_status check_size_and_sum(loading *l) {
  eli_record head = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  head.at = 2 * ELI_WORD;
  const uint64_t size = eli_record_word(&head, 0), sum = eli_record_word(&head, 0);
  if (size > l->size)
    return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT, "%s: the snapshot has %llu bytes, of which there are only %zu",
                                 l->function, (unsigned long long)size, l->size);
  if (size < ELI_SNAPSHOT_HEAD || size % ELI_WORD != 0) return eli_refuse_damaged(l->world, l->function, "its size cannot be");
  l->size = (size_t)size;
  if (sum != eli_sum_of_words(size, l->bytes + ELI_SNAPSHOT_HEAD, (l->size - ELI_SNAPSHOT_HEAD) / ELI_WORD))
    return eli_refuse_damaged(l->world, l->function, "its checksum is wrong");
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

static elastica_status check_built_in(const loading *l, elastica_effect *effect, eli_record *own) {
  char what[160];
  eli_record_built_in(effect, own, NULL);
  if (own->wrong != NULL && own->differs)
    return elastica_world_refuse(l->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: effect %d \"%s\" has a %s in the snapshot or in this world, not in both", l->function, effect->index,
                                 effect->body->label, own->wrong);
  if (own->wrong == NULL && own->at != own->size) own->wrong = "the size";
  if (own->wrong == NULL) return ELASTICA_OK;
  snprintf(what, sizeof what, "%s of effect %d \"%s\" cannot be", own->wrong, effect->index, effect->body->label);
  return eli_refuse_damaged(l->world, l->function, what);
}

static elastica_status check_effects(const loading *l, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, l->world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, record, &enabled, &own)) return eli_refuse_damaged(l->world, l->function, "it ends too early");
    const eli_keeping keeping = eli_effect_keeping(effect);
    const elastica_status status = keeping == ELI_KEPT_BUILT_IN ? check_built_in(l, effect, &own) : ELASTICA_OK;
    if (status != ELASTICA_OK) return status;
    if ((keeping == ELI_KEPT_COPY && own.size != effect->body->module.self_size) || (keeping == ELI_KEPT_NOT && own.size != 0))
      return eli_refuse_damaged(l->world, l->function, "the size of an effect cannot be");
  }
  return record->at == l->size ? ELASTICA_OK : eli_refuse_damaged(l->world, l->function, "it ends too late");
}

static elastica_status check_rods(const loading *l, eli_record *record) {
  char what[80];
  ELI_EACH_ROD_OF_WORLD(rod, l->world) {
    eli_record_rod(rod, record);
    if (record->wrong == NULL) continue;
    snprintf(what, sizeof what, "%s of rod %d cannot be", record->wrong, rod->index);
    return eli_refuse_damaged(l->world, l->function, what);
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
  status = eli_check_build(l->world, l->function, &record);
  if (status != ELASTICA_OK) return status;
  l->course = record.at;
  eli_record_course(l->world, &record);
  if (record.wrong != NULL) {
    snprintf(what, sizeof what, "%s cannot be", record.wrong);
    return eli_refuse_damaged(l->world, l->function, what);
  }
  status = check_rods(l, &record);
  l->effects = record.at;
  return status == ELASTICA_OK ? check_effects(l, &record) : status;
}

/* ---- Course and rods ---- */

static void record_course_and_rods(elastica_world *world, eli_record *record) {
  eli_record_course(world, record);
  ELI_EACH_ROD_OF_WORLD(rod, world) eli_record_rod(rod, record);
}

/* Recomputes the data that depend on the loaded lanes and effects. Inverse masses are zero at fixed nodes; they wait for the next
 * preparation, because lists may be stale until then. */
static void follow_lanes(elastica_world *world) {
  eli_world_forget_refreshed(world);
  world->stale |= ELI_STALE_LISTS;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    world->slab.tiles[t].masses_due = 1;
    eli_tile_prepare_lanes(&world->slab.tiles[t]);
    eli_tile_update_geometry(world, t);
  }
}

/* Collects the stale flags of rods in their tiles and in the world, after adding `more` to all rods. */
static void gather_stale(elastica_world *world, unsigned more) {
  for (size_t t = 0; t < world->slab.tile_count; t++) world->slab.tiles[t].stale = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    rod->body->stale |= more;
    world->slab.tiles[rod->tile].stale |= rod->body->stale;
    world->stale |= rod->body->stale;
  }
}

static void read_course_and_rods(const loading *l) {
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->course;
  record_course_and_rods(l->world, &record);
}

/* ---- Effects ---- */

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

/* ---- Actions that can fail ---- */

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
  gather_stale(world, ELI_STALE_KEPT);
  world->failure = ELASTICA_OK;
  const elastica_status status = eli_world_prepare(world, l->function);
  world->failure = l->failure;
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
  const elastica_status status = world->failure == ELASTICA_OK ? eli_world_prepare(world, l->function) : world->failure;
  return status == ELASTICA_OK || status == ELASTICA_OUT_OF_MEMORY ? status : prepare_in_place(l);
}

/* Saves the present states of all modules with hooks into l->own, in order. */
static elastica_status save_own(loading *l) {
  elastica_world *world = l->world;
  elastica_status status = ELASTICA_OK;
  size_t size = 0, at = 0, own;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    status = eli_measure_own(effect, l->function, size, &own);
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
    status = eli_save_own(effect, l->function, l->own + at + sizeof own);
    if (status != ELASTICA_OK) return status;
    at += sizeof own + own;
  }
  return ELASTICA_OK;
}

static elastica_status load_own(loading *l) {
  elastica_world *world = l->world;
  elastica_status status = save_own(l);
  eli_record record = eli_record_from(ELI_RECORD_READ, l->bytes, l->size);
  record.at = l->effects;
  if (status != ELASTICA_OK) return status;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    eli_record own;
    int enabled;
    if (!next_effect(l, &record, &enabled, &own) || eli_effect_keeping(effect) != ELI_KEPT_BY_HOOKS) continue;
    world->message[0] = '\0';
    status = effect->body->module.load(effect->self, own.from, own.size);
    if (status != ELASTICA_OK) return eli_refuse_kept(effect, l->function, "load", status);
    l->loaded++;
  }
  return ELASTICA_OK;
}

static void unload_own(const loading *l) {
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
  unload_own(l);
  if (l->before != NULL) {
    eli_record record = eli_record_from(ELI_RECORD_READ, l->before, l->before_size);
    record_course_and_rods(world, &record);
    ELI_EACH_EFFECT_OF_WORLD(effect, world) read_effect(effect, &record);
    follow_lanes(world);
    gather_stale(world, 0);
  }
  ELI_EACH_EFFECT_OF_WORLD(effect, world) eli_effect_switch(effect, effect->body->was_enabled);
}

/* ---- Load ---- */

elastica_status eli_world_read(elastica_world *world, const char *function, const void *bytes, size_t size) {
  loading l = {.world = world, .function = function, .bytes = bytes, .size = size, .failure = world->failure};
  char sentence[ELI_MESSAGE_SIZE];
  elastica_status status = check_all(&l);
  if (status != ELASTICA_OK) return status;
  world->is_loading = 1;
  status = prepare(&l);
  world->is_loading = 0;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  if (status == ELASTICA_OK) status = load_own(&l);
  if (status != ELASTICA_OK) {
    memcpy(sentence, world->message, sizeof sentence);
    undo(&l);
    memcpy(world->message, sentence, sizeof sentence);
  }
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) {
    if (world->failure != ELASTICA_OK) eli_world_end_failure(world);
    read_course_and_rods(&l);
    read_effects(&l);
    follow_lanes(world);
    gather_stale(world, 0);
    world->lists_are_old = 1;
  }
  eli_release(&world->allocator, l.before);
  eli_release(&world->allocator, l.own);
  return status;
}

/* ---- Public ---- */

elastica_status elastica_world_snapshot_load(elastica_world *world, const void *buffer, size_t size) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = eli_world_check_change(world, "snapshot_load");
  if (status != ELASTICA_OK) return status;
  if (buffer == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_load: buffer is NULL");
  return eli_world_load(world, "snapshot_load", buffer, size);
}
