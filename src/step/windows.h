/* A batch of steps of a long rod on which nothing acts but its own internal loads, window by window: as much as stays in the nearest caches. */
#ifndef ELI_WINDOWS_H
#define ELI_WINDOWS_H

#include "effects/work.h"

/* Slots from .. to - 1 of a tile, of which begin .. end - 1 are the window's own: all others are its halo. */
typedef struct eli_window {
  const eli_work *tile; /* the work on the tile */
  eli_work work;        /* the work on the window, with a report of its own */
  eli_tile_report report;
  size_t from, begin, end, to;
} eli_window;

/* 1: a batch of the tile may go by windows. A prepared world. */
int eli_has_windows(const eli_work *work);

/* Makes room for a window on each worker, if there is a long tile. 0 when memory runs out. */
int eli_world_reserve_windows(elastica_world *world);

/* The windows of a tile, one after the other. Each is filled from the state where it lies (batch.h), and put where it does not; the state at
 * the beginning of the batch stays as it is. fill returns 0 behind the last one. The steps in between are the caller's, on window->work. */
void eli_window_open(eli_window *window, const eli_work *work);
int eli_window_fill(eli_window *window);
void eli_window_put(const eli_window *window);

#endif
