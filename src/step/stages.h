/* The stages of a step, tile by tile, and the functions that they are made of. */
#ifndef ELI_STAGES_H
#define ELI_STAGES_H

#include "effects/work.h"
#include "rod/rod_data.h"

/* ---- stages.c: their order ---- */

typedef enum eli_stage {
  ELI_STAGE_BEGIN,
  ELI_STAGE_DRIFT_IN, /* half a drift, to the middle of the step */
  ELI_STAGE_CONSTRAIN_MIDDLE,
  ELI_STAGE_MEASURE_PAIRS,
  ELI_STAGE_PAIRS, /* of the whole world: here the first sweep over tiles ends, unless pairs sleep */
  ELI_STAGE_GEOMETRY,
  ELI_STAGE_STRAINS,
  ELI_STAGE_RESULTANTS,
  ELI_STAGE_INTERNAL_LOADS,
  ELI_STAGE_LOADS,
  ELI_STAGE_REACTIONS,
  ELI_STAGE_KICK_VELOCITY,
  ELI_STAGE_CONSTRAIN_VELOCITY,
  ELI_STAGE_KICK_SPIN,
  ELI_STAGE_CONSTRAIN_SPIN,
  ELI_STAGE_DRIFT_OUT, /* half a drift, to the end of the step; with work->fused also the first half of the next */
  ELI_STAGE_CONSTRAIN_END,
  ELI_STAGE_OBSERVE,
  ELI_STAGE_COUNT
} eli_stage;

typedef struct eli_stage_row {
  const char *name;
  int hook; /* the one that it calls; ELI_HOOK_COUNT: none */
  void (*run)(const eli_work *work);
  void (*together)(const eli_work *work); /* carries out all stages up to `until`, with the same bits; NULL: there is none */
  eli_stage until;
} eli_stage_row;

extern const eli_stage_row eli_stages[ELI_STAGE_COUNT];

/* In a step: all stages from one to another, also after a hook has failed, because the resulting state must not depend on how rods share
 * tiles; several together where they can be, or one by one for the meter of the report. */
void eli_take_stages(const eli_work *work, eli_stage from, eli_stage to);

/* The stages that have nothing to do in steps of this tile, for work->idle: they are passed over without a call. */
unsigned eli_idle_stages(const eli_work *work);

/* For a question: one by one, up to the first in which a hook fails; then it returns 0. */
int eli_ask_stages(const eli_work *work, eli_stage from, eli_stage to);

/* ---- Their functions ---- */

/* rigid.c: for tiles of rigid bodies, loads and derived lanes of nothing; the bounds of what effects add, if they do; and what a look at
 * the limit finds. */
void eli_rigid_loads(const eli_work *work);
void eli_rigid_strains(const eli_work *work);
void eli_rigid_limits(const eli_work *work, int added);
eli_extremes eli_rigid_extremes(const eli_work *work);

/* kinematics.c (C1, C2) */
void eli_drift(const eli_work *work, int twice);
void eli_geometry(const eli_work *work);

/* strains.c: sigma, kappa, n, tau into the derived lanes; views of the tile's rods point there. */
void eli_strains(const eli_work *work);
/* The second half of that, where a kernel has filled the lanes together with others. */
void eli_show_strains(const eli_work *work);

/* loads.c */

/* The geometry where something reads it, derived lanes where hooks read them, the hooks add_resultants, internal loads, and the hooks
 * add_loads. Or, for queries, internal loads from the derived lanes after add_resultants. */
void eli_loads(const eli_work *work);
int eli_add_resultants(const eli_work *work);
int eli_add_rod_resultants(const eli_work *work, elastica_rod *rod);
void eli_internal_loads_from_resultants(const eli_work *work);
/* Internal forces of nodes and couples of elements into the derived lanes. */
void eli_gather_internal_loads(const eli_work *work);
/* Hooks add_loads and add_reactions, but in a step not of a damper, whose rates are the kick's. The report tells which spans of slots they wrote to. */
int eli_external_loads(const eli_work *work);
int eli_reactions(const eli_work *work);

/* A span has 2^span_bits slots: whole blocks, so that a tile has at most 64 spans. */
static inline int eli_span_bits(const eli_work *work) {
  int bits = 3;
  while (work->tile->count > (size_t)64 << bits) bits++;
  return bits;
}

/* step_limit.c */

/* The bounds of the elements of the sweep into the scratch, with what hooks add to one rod, or with NULL to all of the tile; 0: one failed.
 * And which mode bounds the element in a slot. */
int eli_bound_elements(const eli_work *work, elastica_rod *alone);
elastica_mode eli_mode_at(double *const *out, size_t slot);

/* Writes the accelerations of bodies on which reactions act. Before bounds are asked for. */
void eli_world_find_accelerations(elastica_world *world);

/* A look at nothing; what two have found together, of equals the lower rod; and the effect that adds most where a limit is. */
eli_look eli_nothing_seen(void);
void eli_add_look(eli_look *all, const eli_look *more);
elastica_effect *eli_limiting_effect(elastica_world *world, const elastica_step_limit *limit, double until);

/* momentum.c (C3, C4) */
void eli_kick_velocity(const eli_work *work);
void eli_kick_spin(const eli_work *work);
/* Both, each with its constraints behind it. */
void eli_kick(const eli_work *work);

#endif
