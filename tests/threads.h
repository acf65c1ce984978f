/* What threads do to a world that is too small to be worth sharing out. */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include "state/world.h"

/* Workers take part in all runs over tiles of this world. */
static inline void share_all_work(elastica_world *world) {
  eli_pool_share_all(world->scratch.pool);
}

#endif
