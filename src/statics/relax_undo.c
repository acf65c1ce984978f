/* What a relaxation that runs out of memory leaves: everything as it was. Friction remembers the states that were kept on the way, so that
 * history, too, is saved at the start and put back.
 */
#include "base/target.h"

#include "statics/relax.h"

#include "snapshot/snapshot.h"

/* The record of all that effects of the library and copies of self hold. */
static void record_history(const elastica_world *world, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_keeping keeping = eli_effect_keeping(effect);
    elastica_module module = effect->body->module;
    if (keeping == ELI_KEPT_COPY) eli_record_bytes(record, effect->body->copy, module.self_size);
    if (keeping == ELI_KEPT_BUILT_IN) eli_record_built_in(effect, record, &module);
  }
}

int eli_relax_save_history(eli_relaxation *relaxation) {
  eli_record record = eli_record_to(NULL, 0);
  if (!(relaxation->touching.limit > 0.0) && !eli_world_meets(relaxation->world) && !relaxation->borne) return 1;
  record_history(relaxation->world, &record);
  relaxation->history_size = record.at;
  relaxation->history = eli_allocate(&relaxation->world->allocator, record.at + 1, 1);
  if (relaxation->history == NULL) return 0;
  record = eli_record_to(relaxation->history, relaxation->history_size);
  record_history(relaxation->world, &record);
  return 1;
}

void eli_relax_put_back(const eli_relaxation *relaxation) {
  eli_record record = eli_record_from(ELI_RECORD_READ, relaxation->history, relaxation->history_size);
  eli_relax_restore_initial(relaxation);
  if (relaxation->history != NULL) record_history(relaxation->world, &record);
}

elastica_status eli_relax_fail_hook(eli_relaxation *relaxation, const eli_tile_report *report) {
  if (report->status != ELASTICA_OUT_OF_MEMORY) return eli_world_fail_hook(relaxation->world, report, eli_world_now(relaxation->world));
  relaxation->starved = 1;
  return eli_world_refuse_hook(relaxation->world, report);
}

elastica_status eli_relax_starve(eli_relaxation *relaxation) {
  relaxation->starved = 1;
  return elastica_world_refuse(relaxation->world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for what touches");
}

int eli_relax_is_over(const eli_relaxation *relaxation) {
  return relaxation->starved || relaxation->world->failure != ELASTICA_OK;
}
