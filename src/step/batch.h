/* Batches: steps that each tile takes one after the other while it lies in the cache, where nothing couples tiles; and what is kept at the
 * beginning of a batch, so that it can be taken again up to any of its steps. stepper.c runs them. */
#ifndef ELI_BATCH_H
#define ELI_BATCH_H

#include "state/world.h"

/* Batches end at multiples of so many steps. It divides the interval of looks at the step limit. */
enum { ELI_BATCH_STEPS = 16 };

/* 1: tiles may take several steps by themselves, and can take them again: no effect observes, all are parallel_safe, and none has history
 * in memory that only its owner knows. A prepared world. */
int eli_world_may_batch(const elastica_world *world);

/* Makes room for what is kept; 0 when memory runs out. */
int eli_world_reserve_kept(elastica_world *world);

/* A lane of the state of a tile as it is kept. */
const double *eli_tile_kept_lane(const elastica_world *world, size_t tile, int lane);

/* Keep the state of a tile, and the history of all effects. */
void eli_tile_keep_state(elastica_world *world, size_t tile);
void eli_world_keep_history(elastica_world *world);

/* Puts back the state of all tiles and the history of all effects. */
void eli_world_put_back(elastica_world *world);

#endif
