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
  ELI_STAGE_JOINTS_BEFORE, /* angles of joints in the half step before the kick */
  ELI_STAGE_KICK_VELOCITY,
  ELI_STAGE_CONSTRAIN_VELOCITY,
  ELI_STAGE_KICK_SPIN,
  ELI_STAGE_CONSTRAIN_SPIN,
  ELI_STAGE_JOINTS_AFTER, /* and in the half step after it */
  ELI_STAGE_DRIFT_OUT,    /* half a drift, to the end of the step; with work->fused also the first half of the next */
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

/* kinematics.c (C1, C2): the drift, and the geometry at the present positions. */
void eli_drift(const eli_work *work, int twice);
void eli_geometry(const eli_work *work);
/* Trips if a joint angle exceeds the limit between now and a time from now, negative for the past. Tests nothing unless the loads have
 * found a wide joint (ELI_TRIP_WIDE). */
void eli_watch_joints(const eli_work *work, double time);

/* strains.c: eli_strains writes sigma, kappa, n and tau to the derived lanes, and sets the pointers of the views of the tile's rods. */
void eli_strains(const eli_work *work);
/* Sets the views' pointers after a kernel has filled the derived lanes together with others. */
void eli_show_strains(const eli_work *work);

/* ---- loads.c ---- */

/* eli_loads runs a stage of a step: geometry and derived lanes if hooks read them, add_resultants, internal loads, add_loads. The other
 * functions are parts of it, also for queries; eli_internal_loads_from_resultants computes internal loads from the derived lanes. */
void eli_loads(const eli_work *work);
int eli_add_resultants(const eli_work *work);
int eli_add_rod_resultants(const eli_work *work, elastica_rod *rod);
void eli_internal_loads_from_resultants(const eli_work *work);
/* Writes internal forces of nodes and couples of elements to the derived lanes. */
void eli_gather_internal_loads(const eli_work *work);
/* Call add_loads and add_reactions; in a step not for a damper, because the kick computes its rates. The report gets the written spans of
 * slots. */
int eli_external_loads(const eli_work *work);
int eli_reactions(const eli_work *work);

/* A span has 2^span_bits slots: whole blocks, so that a tile has at most 64 spans. */
static inline int eli_span_bits(const eli_work *work) {
  int bits = 3;
  while (work->tile->count > (size_t)64 << bits) bits++;
  return bits;
}

/* ---- step_limit.c ---- */

/* eli_bound_elements writes the bounds of the elements in the sweep to the scratch, with the stiffness from hooks of one rod, or with NULL
 * of all rods of the tile; it returns 0 if a hook failed. eli_mode_at returns the mode that bounds the element in a slot. */
int eli_bound_elements(const eli_work *work, elastica_rod *alone);
elastica_mode eli_mode_at(double *const *out, size_t slot);

/* Computes the accelerations of bodies with reactions. Called before bounds are collected. */
void eli_world_find_accelerations(elastica_world *world);

/* eli_empty_limit_check returns an empty result of a limit check. eli_merge_limit_check merges two results; of equal ones it keeps the
 * lower rod. eli_limiting_effect returns the effect with the largest contribution at the limiting element. */
eli_limit_check eli_empty_limit_check(void);
void eli_merge_limit_check(eli_limit_check *all, const eli_limit_check *more);
elastica_effect *eli_limiting_effect(elastica_world *world, const elastica_step_limit *limit, double until);

/* ---- momentum.c (C3, C4) ---- */
void eli_kick_velocity(const eli_work *work);
void eli_kick_spin(const eli_work *work);
/* Kicks velocities and spins, and applies their constraints. */
void eli_kick(const eli_work *work);

#endif
