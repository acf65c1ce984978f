/* Writing a snapshot (see snapshot.h).
 *
 * test       tests/test_snapshot.c, tests/test_snapshot_modules.c
 */
#include "base/target.h"

#include "effects/effects.h"
#include "snapshot/snapshot.h"

static elastica_status check_kept(elastica_effect *effect, const char *function) {
  if (eli_effect_keeping(effect) != ELI_KEPT_NOT || effect->body->module.stateless || effect->self == NULL) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: effect %d \"%s\" borrows its self, and its module has no hooks to save it and is not stateless",
                               function, effect->index, effect->body->label);
}

/* Writes the state that a module saves by its hooks; a record that only counts asks for its size. */
static elastica_status write_by_hooks(elastica_effect *effect, const char *function, eli_record *record) {
  size_t size = effect->body->own_size;
  const elastica_status status = record->to == NULL ? eli_measure_own(effect, function, record->at, &size) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  eli_record_word(record, size);
  const size_t at = record->at;
  eli_record_bytes(record, NULL, size);
  return record->to != NULL ? eli_save_own(effect, function, record->to + at) : ELASTICA_OK;
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
  eli_write_build(world, record);
  eli_record_course(world, record);
  ELI_EACH_ROD_OF_WORLD(rod, world) eli_record_rod(rod, record);
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
  eli_record_word(&head, ELI_SNAPSHOT_MAGIC);
  eli_record_word(&head, ELI_SNAPSHOT_VERSION);
  eli_record_word(&head, record.at);
  eli_record_word(&head,
                  eli_sum_of_words(record.at, (unsigned char *)bytes + ELI_SNAPSHOT_HEAD, (record.at - ELI_SNAPSHOT_HEAD) / ELI_WORD));
  return ELASTICA_OK;
}

elastica_status eli_check_savable(elastica_world *world, const char *function) {
  const elastica_status status = eli_check_outside_hook(world, function);
  if (status != ELASTICA_OK || world->failure == ELASTICA_OK) return status;
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s", world->failure_message);
}

/* ---- Public ---- */

size_t elastica_world_snapshot_size(elastica_world *world) {
  size_t size = 0;
  if (world == NULL || eli_check_outside_hook(world, "snapshot_size") != ELASTICA_OK) return 0;
  return eli_world_measure(world, "snapshot_size", &size) == ELASTICA_OK ? size : 0;
}

elastica_status elastica_world_snapshot_save(elastica_world *world, void *buffer, size_t size) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_check_savable(world, "snapshot_save");
  size_t needed;
  if (status == ELASTICA_OK && buffer == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_save: buffer is NULL");
  if (status == ELASTICA_OK) status = eli_world_measure(world, "snapshot_save", &needed);
  if (status != ELASTICA_OK) return status;
  if (size < needed)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "snapshot_save: a buffer of %zu bytes is too small for a snapshot of %zu", size, needed);
  return eli_world_write(world, "snapshot_save", buffer, needed);
}
