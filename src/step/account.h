/* The work meter: the effect of each hook on each rod, and energy and momentum of the rods before and after a step. It runs while a budget
 * is open; the step then runs its stages one at a time, with the same bits. */
#ifndef ELI_ACCOUNT_H
#define ELI_ACCOUNT_H

#include "step/stages.h"

/* Returns 1 if the work of the hooks of a stage is metered. */
static inline int eli_is_metered(int stage) {
  return stage == ELI_STAGE_RESULTANTS || stage == ELI_STAGE_LOADS || stage == ELI_STAGE_REACTIONS ||
         stage == ELI_STAGE_CONSTRAIN_VELOCITY || stage == ELI_STAGE_CONSTRAIN_SPIN;
}

/* Work and impulses of an effect: on one rod in a step, or on all rods in all steps; by its loads, rates or prescribed values. */
typedef struct eli_contribution {
  double work;       /* [J] */
  double impulse[3]; /* [N s] */
  double angular[3]; /* [N m s] about the origin of the laboratory */
} eli_contribution;

typedef struct eli_meter_line {
  int effect; /* index of the effect (eli_effect_body.table_index) */
  int stage;
  eli_contribution sum;
} eli_meter_line;

/* Energy and momentum of a rod. */
typedef struct eli_rod_balance {
  double kinetic, elastic; /* [J] */
  double linear[3], angular[3];
} eli_rod_balance;

/* Lanes that the meter keeps for a tile: velocities and spins at the start of the step; lanes before the current hook; the total of
 * external loads or, before they are added, of resultants; impulses of the rates. */
enum {
  ELI_START_VELOCITY = 0,
  ELI_START_OMEGA = 3,
  ELI_BEFORE = 6,
  ELI_TOTAL = 14,
  ELI_RATE_FORCE = 22,
  ELI_RATE_COUPLE = 25,
  ELI_KEPT_LANES = 28
};

/* The effect of one hook on a rod: impulses on nodes (3 lanes) and elements (3 lanes), and its rates (2 lanes). Index i of a lane is slot i
 * of the rod. */
enum { ELI_ENTRY_LANES = 8 };

typedef struct eli_meter_entry {
  const elastica_effect *effect;
  const elastica_rod *rod;
  int stage;
  double *lane[ELI_ENTRY_LANES];
} eli_meter_entry;

/* The meter of the tile that a worker steps. */
typedef struct eli_tile_meter {
  eli_meter head;       /* first member, so that the meter of a report can be cast to its meter */
  const eli_work *work; /* NULL: not inside a step */
  double *memory, *next;
  double *lane[ELI_KEPT_LANES];
  eli_meter_entry *entries;
  size_t count;
  size_t memory_capacity, entry_capacity;
} eli_tile_meter;

/* All meters of a world. The lines of the last step for a rod are lines[line_begin[index]] and the next ones, line_count[seat] in number. */
typedef struct eli_work_meter {
  eli_tile_meter *meters; /* one per worker */
  int worker_count;
  eli_meter_line *lines;
  size_t *line_begin, *line_count;
  eli_rod_balance *before, *after; /* by table index of the rod: before and after the last step */
  size_t line_capacity, rod_capacity;
  int known; /* 1: `after` holds the present energies and momenta */
} eli_work_meter;

/* Allocates memory for the present lists of hooks; returns 0 if memory runs out. */
int eli_work_meter_reserve(elastica_world *world, eli_work_meter *meter);
void eli_work_meter_release(elastica_world *world, eli_work_meter *meter);

/* The functions of a meter: it works from the geometry to the constraint of spins. */
extern const eli_meter eli_tile_meter_calls;

/* Enclose a step of a tile, which then calls its meter. eli_tile_meter_measure computes energy and momentum of the rods before the step;
 * eli_tile_meter_begin does so, too, unless it was done. */
void eli_tile_meter_measure(const eli_work *work);
void eli_tile_meter_begin(eli_work *work, int worker);
void eli_tile_meter_end(const eli_work *work);

/* ---- budget.c ---- */

/* Enclose a run of steps between which nothing changes. eli_budget_begin allocates memory; OUT_OF_MEMORY is a refused call. */
elastica_status eli_budget_begin(elastica_budget *budget);
void eli_budget_end(elastica_budget *budget);

/* Adds the step of size dt that all tiles have just completed. */
void eli_budget_add_step(elastica_budget *budget, double dt);

eli_work_meter *eli_budget_meter(elastica_budget *budget);

/* Releases the budget of a world, if one is open. */
void eli_budget_release(elastica_world *world);

#endif
