#include "kept.h"

#include <stdlib.h>

kept kept_save(const example *e, elastica_world *world) {
  kept state = {NULL, elastica_world_snapshot_size(world)};
  state.bytes = malloc(state.size ? state.size : 1);
  example_require(e, world, state.bytes ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY);
  example_require(e, world, elastica_world_snapshot_save(world, state.bytes, state.size));
  return state;
}

void kept_load(const example *e, elastica_world *world, const kept *state) {
  example_require(e, world, elastica_world_snapshot_load(world, state->bytes, state->size));
}
