/* Arguments of the stages of a step and of constraints: a tile, its scratch, the instant. */
#ifndef ELI_WORK_H
#define ELI_WORK_H

#include "hooks/effects.h"

/* The part of a rod in a window (step/stepper.c), with the arguments of its hooks: their indices are those of the rod, and only nodes and
 * elements first .. end - 1 are in memory, node i in slot i + shift of the window. */
typedef struct eli_rod_part {
  elastica_rod *rod;
  int first, end;
  ptrdiff_t shift;
  elastica_rod_view view;
  elastica_loads loads;
  elastica_state positions, velocities, spins;
} eli_rod_part;

typedef struct eli_tile_work {
  elastica_world *world;
  const eli_tile *tile;
  double *const *scratch; /* derived lanes of the worker, beginning at the tile's first slot */
  double *const *window;  /* window memory of the worker (step/stepper.c) */
  eli_sweep sweep;        /* all slots of the tile or of a window */
  eli_law_options law;
  double time, middle, end; /* beginning, middle and end of the step */
  elastica_instant now;     /* for hooks; eli_instant_of sets time and rod_index */
  eli_tile_report *report;
  unsigned idle;       /* bit s: stage s of a step has nothing to do on the tile (step/stages.h); 0: every stage is called */
  int fused;           /* 1: the drift that closes the step goes on to the middle of the next */
  eli_rod_part *part;  /* in a window: the part of its only rod; NULL: the tile is complete, or has no hooks */
  elastica_rod *alone; /* in a query: add_resultants is called for this rod only; NULL: for all of the tile */
} eli_tile_work;

/* Indices in the tile's lanes: of a rod's first slot, and of the slot of its last node, which for a ring holds the ghost of node 0. */
static inline size_t eli_first_slot(const eli_tile_work *work, const elastica_rod *rod) {
  assert(rod->offset >= work->tile->begin && rod->offset + rod->body->slots <= work->tile->begin + work->tile->used);
  return rod->offset - work->tile->begin;
}

static inline size_t eli_last_slot(const eli_tile_work *work, const elastica_rod *rod) {
  return eli_first_slot(work, rod) + (size_t)rod->element_count;
}

/* The whole blocks of slots that contain a rod. */
static inline eli_sweep eli_rod_sweep(const eli_tile_work *work, const elastica_rod *rod) {
  const size_t first = eli_first_slot(work, rod) / ELI_BLOCK * ELI_BLOCK, end = (eli_last_slot(work, rod) / ELI_BLOCK + 1) * ELI_BLOCK;
  eli_sweep sweep = work->sweep;
  sweep.lane += first;
  sweep.scratch += first;
  sweep.count = (ptrdiff_t)(end - first);
  return sweep;
}

/* Loads that hooks added to the ghost of a ring's node 0 belong to node 0: both slots get the sum. */
static inline void eli_fold_ghost(double *lane, size_t first, size_t ghost) {
  lane[first] = lane[ghost] = lane[first] + lane[ghost];
}

/* Returns 1 if nodes and elements from .. to are in the part with their neighbours in the rod. */
static inline int eli_part_holds(const eli_rod_part *part, int from, int to) {
  return (from > part->first || part->first == 0) && (to + 2 < part->end || part->end == part->rod->element_count + 1);
}

/* Returns the instant for the hooks of a rod at a time. */
static inline elastica_instant eli_instant_of(const eli_tile_work *work, const elastica_rod *rod, double time) {
  elastica_instant now = work->now;
  now.time = time;
  now.rod_index = rod->index;
  return now;
}

/* Makes the work of a tile at the present time: time, middle and end are equal. The report is that of the tile. */
eli_tile_work eli_work_on(elastica_world *world, size_t tile, int worker, double dt);

/* Calls a hook for every rod of the tile, also after a failure. This function and the eli_constrain functions of a tile return 0 if the
 * report contains a failure. */
int eli_hooks(const eli_tile_work *work, eli_hook hook, double time, void *argument);

/* ---- constraints.c: call the constraints of one kind for all rods of the tile, and update the ghosts of rings ---- */
int eli_constrain_positions(const eli_tile_work *work, double time);
int eli_constrain_velocities(const eli_tile_work *work);
int eli_constrain_spins(const eli_tile_work *work);

#endif
