/* The list of add_loads calls for the rods of a tile, made again when lists of hooks have changed.
 *
 * test       tests/test_working_step.c, tests/test_changes.c, tests/test_removal.c
 */
#include "base/target.h"

#include "effects/effects.h"

int eli_tile_reserve_calls(const elastica_world *world, eli_tile *tile) {
  size_t count = 0;
  ELI_EACH_ROD(rod, world, tile) {
    const eli_hook_list *hooks = rod->body->hooks;
    count += hooks->first[ELI_ADD_LOADS + 1] - hooks->first[ELI_ADD_LOADS];
  }
  if (tile->call_capacity >= count) return 1;
  eli_load_call *calls = eli_allocate(&world->allocator, count, sizeof *calls);
  if (calls == NULL) return 0;
  eli_release(&world->allocator, tile->calls);
  tile->calls = calls;
  tile->call_capacity = count;
  tile->call_count = 0;
  return 1;
}

void eli_tile_list_calls(eli_tile *tile) {
  tile->call_count = 0;
  ELI_EACH_ROD(rod, NULL, tile)
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
      const elastica_module *module = &effect->body->module;
      if (effect == tile->rates) continue;
      tile->calls[tile->call_count++] = (eli_load_call){.effect = effect,
                                                        .rod = rod,
                                                        .kind = effect->body->kind,
                                                        .add_loads = module->add_loads,
                                                        .self = effect->self,
                                                        .view = &rod->body->view,
                                                        .first = rod->offset - tile->begin,
                                                        .rod_index = rod->index,
                                                        .parallel_safe = module->parallel_safe};
    }
}
