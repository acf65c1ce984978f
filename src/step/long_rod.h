/* A batch of steps of one long rod, cut into chunks that stay in the cache. */
#ifndef ELI_LONG_ROD_H
#define ELI_LONG_ROD_H

#include "effects/work.h"

/* Steps of a batch: how many, whether the first opens with half a drift, whether whole drifts stand between them, and whether the last closes
 * with half a drift. stops: the trips with which a step ends the batch. */
typedef struct eli_batch_steps {
  long count;
  int open, fuse, close;
  unsigned stops;
} eli_batch_steps;

/* 1: the tile is long, and nothing but its own internal loads acts on it. */
int eli_is_long(const eli_work *work);

/* Makes room for a chunk on each worker, if there is a long tile. 0 when memory runs out. */
int eli_world_reserve_windows(elastica_world *world);

/* Takes the steps on a tile whose state is kept (batch.h), and sets the steps and trips of its report. After an event the state is of no
 * use: it has to be put back. */
void eli_run_long(const eli_work *work, const eli_batch_steps *steps);

#endif
