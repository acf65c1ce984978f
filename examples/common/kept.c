#include "kept.h"

#include <stdlib.h>

kept kept_save(const example *e, elastica_world *world) {
  kept state = {NULL, 0};
  example_require(e, world, elastica_world_snapshot_save(world, NULL, 0, &state.size));
  state.bytes = malloc(state.size);
  example_require(e, world, state.bytes ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY);
  example_require(e, world, elastica_world_snapshot_save(world, state.bytes, state.size, NULL));
  return state;
}

void kept_load(const example *e, elastica_world *world, const kept *state) {
  example_require(e, world, elastica_world_snapshot_load(world, state->bytes, state->size));
}
