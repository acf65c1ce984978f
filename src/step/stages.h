/* The stages of a step, tile by tile; stepper.c knows their order. */
#ifndef ELI_STAGES_H
#define ELI_STAGES_H

#include "effects/work.h"
#include "rod/rod_data.h"

/* rigid.c: for tiles of rigid bodies, loads and derived lanes of nothing; the bounds of what effects add, if they do; and what a look at
 * the limit finds. */
void eli_rigid_loads(const eli_work *work);
void eli_rigid_strains(const eli_work *work);
void eli_rigid_limits(const eli_work *work, int added);
eli_extremes eli_rigid_extremes(const eli_work *work);

/* kinematics.c (C1, C2) */
void eli_drift(const eli_work *work, int twice);
void eli_geometry(const eli_work *work);
/* Where the loads have found a wide joint: trips if a joint passes the limit on its way from here through a time, negative: back. */
void eli_watch_joints(const eli_work *work, double time);

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
/* All loads but reactions, with the derived lanes in any case; the geometry is up to date. Stops at the first stage in which a hook
 * fails. */
int eli_loads_before_reactions(const eli_work *work);

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
