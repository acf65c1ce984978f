/* An allocator that counts its blocks and refuses on request. */
#ifndef TESTS_RATIONED_MEMORY_H
#define TESTS_RATIONED_MEMORY_H

#include "support.h"

#include <limits.h>

typedef struct memory_ration {
  long left;         /* number of blocks that may still be taken */
  long blocks;       /* blocks taken and not yet released */
  long calls;        /* requests of blocks, granted or not */
  long refused_call; /* the request that is refused although blocks are left; -1: none */
} memory_ration;

static inline memory_ration ration_of(long left) {
  const memory_ration ration = {left, 0, 0, -1};
  return ration;
}

static inline memory_ration plenty(void) {
  return ration_of(LONG_MAX);
}

static inline void *take_rationed(void *user, size_t size) {
  memory_ration *ration = user;
  if (ration->calls++ == ration->refused_call || ration->left <= 0) return NULL;
  ration->left--;
  ration->blocks++;
  return malloc(size);
}

static inline void give_back_rationed(void *user, void *block) {
  ((memory_ration *)user)->blocks--;
  free(block);
}

static inline elastica_world_def rationed_world_def(memory_ration *ration) {
  elastica_world_def def = default_world();
  def.allocate = take_rationed;
  def.release = give_back_rationed;
  def.allocator_user = ration;
  return def;
}

static inline elastica_world *make_rationed_world(memory_ration *ration) {
  const elastica_world_def def = rationed_world_def(ration);
  return make_world(&def);
}

/* Relaxes the world repeatedly with another block refused each time, until no refused request occurs. A refused call must change
 * nothing. */
static inline void relax_without_each_block(elastica_world *world, memory_ration *ration) {
  const uint64_t before = hash_world(world);
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  int refusals = 0;
  for (; status == ELASTICA_OUT_OF_MEMORY && refusals < 100; refusals++) {
    ration->refused_call = ration->calls + refusals;
    status = elastica_world_relax(world, NULL, NULL);
    if (status == ELASTICA_OUT_OF_MEMORY) assert_true(hash_world(world) == before);
  }
  assert_int_equal(status, ELASTICA_OK);
  assert_true(refusals > 2);
}

#endif
