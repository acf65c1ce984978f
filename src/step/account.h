/* Accounts of a step: what each effect does to each rod, and what the rods have before and after it. They are kept while a budget is open;
 * the step then goes by the same stages, one at a time, and gives the same bits. */
#ifndef ELI_ACCOUNT_H
#define ELI_ACCOUNT_H

#include "step/stages.h"

/* Whether accounts are kept of the hooks of a stage. */
static inline int eli_is_booked(int stage) {
  return stage == ELI_STAGE_RESULTANTS || stage == ELI_STAGE_LOADS || stage == ELI_STAGE_REACTIONS ||
         stage == ELI_STAGE_CONSTRAIN_VELOCITY || stage == ELI_STAGE_CONSTRAIN_SPIN;
}

/* What an effect did to one rod in a step, or to all rods in all steps: by its loads or rates, or by what it prescribes. */
typedef struct eli_booking {
  double work;       /* [J] */
  double impulse[3]; /* [N s] */
  double angular[3]; /* [N m s] about the origin */
} eli_booking;

typedef struct eli_line {
  int effect; /* its seat */
  int stage;
  eli_booking booking;
} eli_line;

/* What a rod has. */
typedef struct eli_wealth {
  double kinetic, elastic; /* [J] */
  double linear[3], angular[3];
} eli_wealth;

/* Lanes that an account keeps of its tile: velocities and spins at the start of the step; what the hook before the one that is called has
 * left; all external loads, or before them all resultants; impulses of the rates. */
enum {
  ELI_START_VELOCITY = 0,
  ELI_START_OMEGA = 3,
  ELI_BEFORE = 6,
  ELI_TOTAL = 14,
  ELI_RATE_FORCE = 22,
  ELI_RATE_COUPLE = 25,
  ELI_KEPT_LANES = 28
};

/* What one hook did to a rod: impulses on nodes (3) and elements (3), and its rates (2). Number i of a lane is of the rod's slot i. */
enum { ELI_ENTRY_LANES = 8 };

typedef struct eli_entry {
  const elastica_effect *effect;
  const elastica_rod *rod;
  int stage;
  double *lane[ELI_ENTRY_LANES];
} eli_entry;

/* The account of a tile in a step. */
typedef struct eli_account {
  eli_witness witness;  /* first member: the witness of a report is an account */
  const eli_work *work; /* NULL: not in the middle of a step */
  double *memory, *next;
  double *lane[ELI_KEPT_LANES];
  eli_entry *entries;
  size_t count;
  size_t memory_capacity, entry_capacity;
} eli_account;

/* All of a world. Lines of a rod begin at line_begin[seat]; line_count[seat] of them are of the step just taken. */
typedef struct eli_ledger {
  eli_account *accounts; /* one for each worker */
  int worker_count;
  eli_line *lines;
  size_t *line_begin, *line_count;
  eli_wealth *before, *after; /* of each rod, by its seat, around the step just taken */
  size_t line_capacity, rod_capacity;
  int known; /* 1: `after` is what the rods have now */
} eli_ledger;

/* Room for the lists of hooks as they are now; 0 when memory runs out. */
int eli_ledger_reserve(elastica_world *world, eli_ledger *ledger);
void eli_ledger_release(elastica_world *world, eli_ledger *ledger);

/* As a witness: from the geometry to the constraint of spins. */
extern const eli_witness eli_account_witness;

/* Around a step of a tile, which then goes by the witness of its account. weigh takes what the rods have before the step; begin does, too,
 * unless it was done. */
void eli_account_weigh(const eli_work *work);
void eli_account_begin(eli_work *work, int worker);
void eli_account_end(const eli_work *work);

/* ---- budget.c ---- */

/* Around a run of steps between which nothing changes. Room for a step; OUT_OF_MEMORY is a refused call. */
elastica_status eli_budget_begin(elastica_budget *budget);
void eli_budget_end(elastica_budget *budget);

/* Adds the step of dt that all tiles have just taken. */
void eli_budget_book(elastica_budget *budget, double dt);

eli_ledger *eli_budget_ledger(elastica_budget *budget);

/* With its world. */
void eli_budget_release(elastica_world *world);

#endif
