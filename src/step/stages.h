/* The stages of a step, tile by tile, and the parts of them that other files use. */
#ifndef ELI_STAGES_H
#define ELI_STAGES_H

#include "hooks/work.h"
#include "rod/rod_data.h"

/* ---- Their order ---- */

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
  void (*run)(const eli_tile_work *work);
  void (*together)(const eli_tile_work *work); /* carries out all stages up to `until`, with the same bits; NULL: there is none */
  eli_stage until;
} eli_stage_row;

extern const eli_stage_row eli_stages[ELI_STAGE_COUNT];

/* In a step: all stages from one to another, also after a hook has failed, because the resulting state must not depend on how rods share
 * tiles; several together if possible, or one by one for the meter of the report. */
void eli_take_stages(const eli_tile_work *work, eli_stage from, eli_stage to);

/* The stages that have nothing to do in steps of this tile, for work->idle: they are passed over without a call. */
unsigned eli_idle_stages(const eli_tile_work *work);

/* For a query: all stages one by one, up to the first one with a failed hook; then it returns 0. */
int eli_ask_stages(const eli_tile_work *work, eli_stage from, eli_stage to);

/* ---- Functions of stages, for the step limit, the work meter and the diagnosis ---- */

/* Half a drift (C1, C2); with `twice` two of them. Geometry at the present positions. */
void eli_drift(const eli_tile_work *work, int twice);
void eli_geometry(const eli_tile_work *work);

/* eli_strains writes sigma, kappa, n and tau to the derived lanes and calls eli_show_strains, which sets the pointers of the views of the
 * tile's rods. eli_rigid_strains writes zeros for a tile of rigid bodies, and eli_rigid_clear zeros to scratch lanes first .. end - 1. */
void eli_strains(const eli_tile_work *work);
void eli_show_strains(const eli_tile_work *work);
void eli_rigid_strains(const eli_tile_work *work);
void eli_rigid_clear(const eli_tile_work *work, int first, int end);

/* A step fails if half of it changes the length of an element by half of the returned length or more: of its length in the middle of the
 * step, by which the law RESCALED divides. The law CLASSICAL does not, and sound steps may press an element to almost nothing, so there it
 * is the rest length if that is larger. */
static inline double eli_length_for_trip(double length, double rest, int classical) {
  return classical && rest > length ? rest : length;
}

/* Calls add_resultants for one rod; returns 0 if the report contains a failure. */
int eli_add_rod_resultants(const eli_tile_work *work, elastica_rod *rod);

/* eli_internal_loads_from_resultants computes internal loads from the derived lanes. eli_gather_internal_loads writes internal forces of
 * nodes and couples of elements to the derived lanes. */
void eli_internal_loads_from_resultants(const eli_tile_work *work);
void eli_gather_internal_loads(const eli_tile_work *work);

#endif
