/* Batches: steps that each tile takes one after the other while its data are in the cache, possible if nothing couples tiles. A checkpoint
 * at the beginning allows a batch to be repeated up to any of its steps. stepper.c runs batches. */
#ifndef ELI_BATCH_H
#define ELI_BATCH_H

#include "state/world.h"

/* Batches end at multiples of this number of steps. It divides the interval between limit checks. */
enum { ELI_BATCH_STEPS = 32 };

/* Returns the time after `steps` steps of the segment; in damped steps, the time of its beginning. */
static inline double eli_time_after(const elastica_world *world, double steps, double dt) {
  return world->segment_time + (world->settles ? 0.0 : steps * dt);
}

/* Returns 1 if tiles may take batches of steps and repeat them: no effect observes, all effects are parallel_safe, and none has history in
 * memory that only its owner knows. For a prepared world. */
int eli_world_may_batch(const elastica_world *world);

/* Returns 1 if steps can be undone and repeated. For a prepared world. */
int eli_world_may_return(const elastica_world *world);

/* Returns 1 if a checkpoint remains valid after the call that set it: no user module and no user function acts. A user may change their
 * behaviour between two calls, and repeated steps must be the same. */
int eli_world_may_keep(const elastica_world *world);

/* eli_world_set_checkpoint sets a checkpoint: the state of all tiles and the history of all effects. eli_world_keep_effects keeps the
 * history alone. Both return 0 if memory runs out. */
int eli_world_keep_effects(elastica_world *world);
int eli_world_set_checkpoint(elastica_world *world);

/* Allocate memory for checkpoints; return 0 if memory runs out. */
int eli_world_reserve_checkpoint(elastica_world *world);
int eli_world_reserve_history(elastica_world *world);

/* Within a call the state of a tile is in its lanes or in the checkpoint memory: a batch in windows (windows.h) reads it from one place and
 * writes the new state to the other. Returns a lane of the place with the state (other 0) or of the other place. */
double *eli_tile_state(const elastica_world *world, size_t tile, int lane, int other);

/* eli_tile_pass makes the result of a completed batch in windows the state. eli_tile_bring_home does so, and moves the state into the
 * lanes. */
void eli_tile_pass(elastica_world *world, size_t tile);
void eli_tile_bring_home(elastica_world *world, size_t tile);

/* Keep the state of a tile that is in its lanes, and the history of all effects. */
void eli_tile_keep_state(elastica_world *world, size_t tile);
void eli_world_keep_history(elastica_world *world);

/* Restore the state of all tiles and the history of all effects, or the history alone. */
void eli_world_restore_checkpoint(elastica_world *world);
void eli_world_put_back_history(elastica_world *world);

#endif
