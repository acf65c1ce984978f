/* The stages of a step, tile by tile; stepper.c knows their order. */
#ifndef ELI_STAGES_H
#define ELI_STAGES_H

#include "world.h"

/* Slots that stay in the first-level cache from one kernel to the next. */
enum { ELI_CHUNK = 64 * ELI_BLOCK };

/* One tile at work in one step: who, where, when. */
typedef struct eli_work {
  elastica_world *world;
  const eli_tile *tile;
  double *const *out; /* scratch lanes of the worker, index 0 at the tile's first slot */
  eli_law law;
  double time, middle, end; /* of the step */
  double until;             /* the time until which add_stiffness must bound */
  double dt;
  long step;
  eli_tile_report *report;
} eli_work;

/* Time stands still: time, middle and end are now. The report is the tile's own. */
eli_work eli_work_on(elastica_world *world, size_t tile, int worker, double dt);

/* Calls a hook for every rod of the tile, whatever others returned. Of all functions here that call hooks: 0 when the report has a failure. */
int eli_hooks(const eli_work *work, eli_hook hook, double time, void *argument);

/* kinematics.c (C1, C2) */
void eli_drift(const eli_work *work, int twice);
void eli_geometry(const eli_work *work);
void eli_close_geometry(const eli_work *work);

/* strains.c: sigma, kappa, n, tau into the derived lanes; views of the tile's rods point there. */
void eli_strains(const eli_work *work);

/* loads.c */

/* Geometry and internal loads by the shortest way, chunk by chunk; or, for hooks and queries, from the derived lanes after add_resultants. */
void eli_geometry_and_internal_loads(const eli_work *work);
int eli_add_resultants(const eli_work *work);
int eli_add_rod_resultants(const eli_work *work, elastica_rod *rod);
void eli_internal_loads_from_resultants(const eli_work *work);
/* Internal forces of nodes and couples of elements into the derived lanes. */
void eli_gather_internal_loads(const eli_work *work);
/* Hooks add_loads and add_reactions. */
int eli_external_loads(const eli_work *work);
int eli_reactions(const eli_work *work);

/* momentum.c (C3, C4) */
void eli_kick_velocity(const eli_work *work);
void eli_kick_spin(const eli_work *work);
/* The same with the closing drift behind it, chunk by chunk, for tiles without constraints on spin. */
void eli_kick_spin_and_drift(const eli_work *work, int twice);

/* constraints.c */
int eli_constrain_positions(const eli_work *work, double time);
int eli_constrain_velocities(const eli_work *work);
int eli_constrain_spins(const eli_work *work);

#endif
