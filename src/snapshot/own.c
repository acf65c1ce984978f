/* State that modules save by their hooks (see snapshot.h). A module is asked for its size twice: to reserve memory, and before saving. A
 * different second answer is refused, because the memory was reserved for the first.
 *
 * test       tests/test_snapshot_modules.c
 */
#include "base/target.h"

#include "snapshot/snapshot.h"

elastica_status eli_measure_own(elastica_effect *effect, const char *function, size_t before, size_t *size) {
  *size = effect->body->own_size = effect->body->module.save_size(effect->self);
  if (*size <= ELI_SNAPSHOT_MOST - before) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_CALLBACK_FAILED,
                               "%s: effect %d \"%s\": save_size returned %zu, more bytes than a snapshot can have", function, effect->index,
                               effect->body->label, *size);
}

elastica_status eli_save_own(elastica_effect *effect, const char *function, void *to) {
  const size_t told = effect->body->own_size, size = effect->body->module.save_size(effect->self);
  if (size != told)
    return elastica_world_refuse(effect->world, ELASTICA_CALLBACK_FAILED, "%s: effect %d \"%s\": save_size returned %zu, and then %zu",
                                 function, effect->index, effect->body->label, told, size);
  effect->world->message[0] = '\0';
  const elastica_status status = effect->body->module.save(effect->self, to, size);
  return status == ELASTICA_OK ? status : eli_refuse_kept(effect, function, "save", status);
}
