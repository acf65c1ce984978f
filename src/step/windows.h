/* A batch of steps in windows, for a long rod without effects or with local ones; a window fits the nearest caches. */
#ifndef ELI_WINDOWS_H
#define ELI_WINDOWS_H

#include "hooks/work.h"

/* Slots from .. to - 1 of a tile; begin .. end - 1 are the chunk of this window, the others are its halo. */
typedef struct eli_window {
  const eli_tile_work *tile; /* work on the tile */
  eli_tile_work work;        /* work on the window, with a separate report */
  eli_tile_report report;
  size_t from, begin, end, to, halo;
  eli_rod_part part; /* if effects act on the rod */
} eli_window;

/* Returns 1 if a batch of the tile can run in windows. For a prepared world. */
int eli_has_windows(const eli_tile_work *work);

/* Allocates memory for a window on each worker, if there is a long tile. Returns 0 if memory runs out. */
int eli_world_reserve_windows(elastica_world *world);

/* Iterate over the windows of a tile. eli_window_fill reads the next one from the place with the state (eli_tile_state) and returns 0 after
 * the last one; the caller then steps window->work; eli_window_put writes the result to the other place. The state at the beginning of the
 * batch is not changed. */
void eli_window_open(eli_window *window, const eli_tile_work *work);
int eli_window_fill(eli_window *window);
void eli_window_put(const eli_window *window);

#endif
