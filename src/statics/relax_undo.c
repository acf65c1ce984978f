/* States to which a relaxation may return: its initial state, after a failed allocation, and the best state of damped steps. The history of
 * friction follows the accepted states, so it is a part of them.
 */
#include "base/target.h"

#include "statics/relax.h"

#include "snapshot/snapshot.h"

/* Records the history of all effects of the library and the copies of self. */
static void record_history(const elastica_world *world, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_keeping keeping = eli_effect_keeping(effect);
    elastica_module module = effect->body->module;
    if (keeping == ELI_KEPT_COPY) eli_record_bytes(record, effect->body->copy, module.self_size);
    if (keeping == ELI_KEPT_BUILT_IN) eli_record_built_in(effect, record, &module);
  }
}

int eli_relax_note(const eli_relaxation *relaxation, eli_relax_point *point) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  eli_record record = eli_record_to(NULL, 0);
  record_history(relaxation->world, &record);
  if (point->lanes == NULL)
    point->lanes = eli_allocate(allocator, ELI_RELAX_LANES * relaxation->world->bodies.slab.end, sizeof *point->lanes);
  eli_release(allocator, point->history);
  point->history = eli_allocate(allocator, record.at + 1, 1);
  if (point->lanes == NULL || point->history == NULL) return 0;
  point->size = record.at;
  record = eli_record_to(point->history, point->size);
  record_history(relaxation->world, &record);
  eli_relax_copy_state(relaxation, point->lanes, 0);
  return 1;
}

void eli_relax_return(const eli_relaxation *relaxation, const eli_relax_point *point) {
  eli_record record = eli_record_from(ELI_RECORD_READ, point->history, point->size);
  eli_relax_copy_state(relaxation, point->lanes, 1);
  record_history(relaxation->world, &record);
  for (size_t t = 0; t < relaxation->world->bodies.slab.tile_count; t++) eli_tile_update_geometry(relaxation->world, t);
}

void eli_relax_drop(const eli_relaxation *relaxation, eli_relax_point *point) {
  eli_release(&relaxation->world->allocator, point->lanes);
  eli_release(&relaxation->world->allocator, point->history);
}

elastica_status eli_relax_fail_hook(eli_relaxation *relaxation, const eli_tile_report *report) {
  if (report->status != ELASTICA_OUT_OF_MEMORY) return eli_world_fail_hook(relaxation->world, report, eli_world_now(relaxation->world), "");
  relaxation->starved = 1;
  return eli_world_refuse_hook(relaxation->world, report);
}

elastica_status eli_relax_starve(eli_relaxation *relaxation) {
  relaxation->starved = 1;
  return elastica_world_refuse(relaxation->world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for what touches");
}

elastica_status eli_relax_end_status(const eli_relaxation *relaxation) {
  return relaxation->starved ? ELASTICA_OUT_OF_MEMORY : relaxation->world->report.failure;
}

int eli_relax_is_over(const eli_relaxation *relaxation) {
  return relaxation->starved || relaxation->world->report.failure != ELASTICA_OK;
}
