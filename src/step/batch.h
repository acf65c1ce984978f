/* Batches: steps that each tile takes one after the other while it lies in the cache, where nothing couples tiles; and what is kept at the
 * beginning of a batch, so that it can be taken again up to any of its steps. stepper.c runs them. */
#ifndef ELI_BATCH_H
#define ELI_BATCH_H

#include "state/world.h"

/* Batches end at multiples of so many steps. It divides the interval of looks at the step limit. */
enum { ELI_BATCH_STEPS = 32 };

/* The time so many steps of dt after the segment began; when that was, while time stands still. */
static inline double eli_time_after(const elastica_world *world, double steps, double dt) {
  return world->segment_time + (world->settles ? 0.0 : steps * dt);
}

/* 1: tiles may take several steps by themselves, and can take them again: no effect observes, all are parallel_safe, and none has history
 * in memory that only its owner knows. A prepared world. */
int eli_world_may_batch(const elastica_world *world);

/* 1: steps can be taken back at all, and taken again. A prepared world. */
int eli_world_may_return(const elastica_world *world);

/* 1: a checkpoint outlives the call that set it: no module and no function of the user's acts. Between two calls a user may change what these
 * do, and steps that are taken again must be the same. */
int eli_world_may_keep(const elastica_world *world);

/* Keep the history of all effects, and with it the state of all tiles: a checkpoint. 0 when memory runs out. */
int eli_world_keep_effects(elastica_world *world);
int eli_world_keep(elastica_world *world);

/* Makes room for what is kept; 0 when memory runs out. */
int eli_world_reserve_kept(elastica_world *world);
int eli_world_reserve_history(elastica_world *world);

/* Within a call the state of a tile lies in its lanes, or in what is kept: a batch that goes by windows (windows.h) reads it where it lies
 * and leaves the new one in the other place. A lane of the one (other 0) or of the other. */
double *eli_tile_state(const elastica_world *world, size_t tile, int lane, int other);

/* After a batch that nothing ended: what its windows left becomes the state. And puts the state into the lanes. */
void eli_tile_pass(elastica_world *world, size_t tile);
void eli_tile_bring_home(elastica_world *world, size_t tile);

/* Keep the state of a tile that is in its lanes, and the history of all effects. */
void eli_tile_keep_state(elastica_world *world, size_t tile);
void eli_world_keep_history(elastica_world *world);

/* Puts back the state of all tiles and the history of all effects. */
void eli_world_put_back(elastica_world *world);
void eli_world_put_back_history(elastica_world *world);

#endif
