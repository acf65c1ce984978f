/* Adding, setting and finding effects of the library, and the functions that this folder offers to them; state/module.h describes their
 * kinds. */
#ifndef ELI_BUILT_IN_H
#define ELI_BUILT_IN_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "state/module.h"

elastica_status eli_add_built_in(const eli_built_in *kind, elastica_world *world, elastica_rod *rod, const void *def,
                                 elastica_effect **out);
elastica_status eli_set_built_in(const eli_built_in *kind, elastica_effect *effect, const void *def);

/* Returns 1 if the effect is one of the library's own, of this kind. */
int eli_effect_is(const elastica_effect *effect, const eli_built_in *kind);
elastica_status eli_effect_check_kind(elastica_effect *effect, const char *function, const eli_built_in *kind);

/* Kind of one of the library's own effects; NULL for a user's module or a removed effect. */
const eli_built_in *eli_effect_kind(const elastica_effect *effect);

/* eli_world_joins returns a number that changes whenever the set of joins changes. eli_world_each_join visits the joins of all enabled
 * effects in order of addition. */
unsigned eli_world_joins(const elastica_world *world);
void eli_world_each_join(const elastica_world *world, void (*visit)(void *context, const eli_join *join), void *context);

/* For add_world_loads: calls task for every index, on all workers if work [ns] repays it. No task may write data that another one reads or
 * writes. */
void eli_world_share(const elastica_world *world, size_t count, double work, void (*task)(void *context, int worker, size_t index),
                     void *context);

/* For add_reactions: writes the velocities that constraints prescribe for the end of the step into 3 lanes of nodes, NaN for free
 * components. Returns 0 and writes nothing if no effect on the rod has constrain_velocity. A hook that fails here fails again at its own
 * stage. */
int eli_world_constrain_velocities(elastica_world *world, const elastica_instant *now, const elastica_rod_view *rod,
                                   double *const velocity[3]);

/* For add_reactions: visits the effects on this rod with an add_reactions hook before that of self, in order. */
void eli_world_each_reaction_before(const elastica_world *world, int rod_index, const void *self,
                                    void (*visit)(void *context, const elastica_effect *effect, void *effect_self), void *context);

/* Returns the self of the next enabled effect of this kind on this rod alone, in order of addition; `after` NULL: of the first one. NULL:
 * there is none. */
const void *eli_next_self_on(const elastica_world *world, int rod_index, const eli_built_in *kind, const void *after);

/* add_tangent of loads that depend neither on positions nor on frames, or only on velocities. */
elastica_status eli_add_no_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent);

/* The next effect in order of addition, without holes. Pass NULL for the first; after the last it returns NULL. */
elastica_effect *eli_next_effect(const elastica_world *world, const elastica_effect *effect);

#endif
