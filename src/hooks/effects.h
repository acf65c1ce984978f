/* Effects: calls of their hooks, also on several threads, and preparation of a world after a change. */
#ifndef ELI_EFFECTS_H
#define ELI_EFFECTS_H

#include <string.h>

#include "state/world.h"

/* ---- effects.c, hooks.c ---- */

void eli_world_release_effects(elastica_world *world);

/* Returns 1 if the effect acts between rods and has bounds of the step limit for them. */
static inline int eli_effect_has_bounds(const elastica_effect *effect) {
  return effect->body->module.add_world_stiffness != NULL;
}

/* Returns 1 if an effect between rods may act on this one: all effects that do not tell. */
int eli_effect_acts_on(const elastica_effect *effect, const elastica_rod *rod);

/* Switches an effect on or off, and invalidates all data that depend on it. */
void eli_effect_switch(elastica_effect *effect, int enabled);

/* Replaces the module of an effect by one with other hooks and the same self. */
void eli_effect_hook_anew(elastica_effect *effect, const elastica_module *module);

/* Removes an effect. Its handle remains, and later calls refuse it. */
void eli_effect_remove(elastica_effect *effect);

/* Calls the destroy hook, once. */
void eli_effect_end(elastica_effect *effect);

/* Adds to *sum the energies that the effects of a rod report through their energy hooks, in a prepared world. CALLBACK_FAILED if one is not
 * finite. Must not be called inside a hook. */
elastica_status eli_rod_effect_energy(const elastica_rod *rod, double *sum);

/* Returns 1 if reactions may support the loads on a rod at rest. */
int eli_rod_is_supported(const elastica_rod *rod);

/* ---- pair_phase.c: effects between rods ---- */

/* eli_effect_join adds an effect with add_world_loads to the effects between rods, in order of addition. eli_effect_leave removes it. */
void eli_effect_join(elastica_effect *effect);
void eli_effect_leave(elastica_effect *effect);

/* Marks the arguments of the hooks as outdated, and allocates memory for them. Returns 0 if memory runs out. */
int eli_pair_phase_reserve(elastica_world *world);
void eli_pair_phase_release(elastica_world *world);

/* Runs the pair phase: calls add_world_loads of all effects, with all rods at the same instant and the geometry up to date. With metered 1
 * the loads of each effect are kept, in memory that eli_pair_phase_reserve_added has allocated. eli_pair_phase_added then returns a lane of
 * all slots for an effect (number 0 is the first enabled one): forces 0..2, couples 3..5. Returns the status of the first failed hook; the
 * other hooks are called in any case. */
elastica_status eli_world_run_pair_phase(elastica_world *world, const elastica_instant *now, int metered);
/* eli_world_bound_pairs collects the bounds of the step limit from all effects between rods, in lanes of the pair phase.
 * eli_effect_bound_pairs does so for one effect and one rod; then only the lanes of this rod are valid. Both return the status of the first
 * failure. */
elastica_status eli_world_bound_pairs(elastica_world *world, const elastica_instant *now);
elastica_status eli_effect_bound_pairs(const elastica_effect *effect, const elastica_rod *rod, const elastica_instant *now);

/* eli_world_pairs_can_sleep returns 1 if all pairs can sleep. eli_world_pairs_sleep returns 1 if they sleep now: they add nothing until a
 * rod wakes them (see elastica_module.may_sleep). eli_rod_wakes_pairs returns the trip of a rod that wakes them, or 0. */
int eli_world_pairs_can_sleep(const elastica_world *world);
int eli_world_pairs_sleep(elastica_world *world);
unsigned eli_rod_wakes_pairs(const elastica_rod *rod);

int eli_pair_phase_reserve_added(elastica_world *world);
const double *eli_pair_phase_added(const elastica_world *world, int number, int lane);

/* ---- constraints.c: prescribed motions of boundaries ---- */

/* The largest jump of a prescribed motion on a rod: size, as a multiple of the smallest reported jump; place (node, or element if turns is
 * 1); by [m or rad]; time after the jump [s]. effect NULL: none. */
typedef struct eli_jump {
  const elastica_effect *effect;
  int turns, place;
  double size, by, time;
} eli_jump;

typedef enum eli_conflict_kind { ELI_APART, ELI_APART_IN_SPEED, ELI_TURNED, ELI_TURNED_IN_SPIN } eli_conflict_kind;

/* The two prescriptions on one rod with the strongest contradiction; size and by as in eli_jump. */
typedef struct eli_conflict {
  elastica_effect *effect[2];
  eli_conflict_kind kind;
  int place;
  double size, by;
} eli_conflict;

/* Replace *most if the rod has a larger jump or conflict. Motions are called. */
void eli_find_jump(const elastica_rod *rod, double from, double to, eli_jump *most);
void eli_find_conflict(const elastica_rod *rod, double time, double dt, eli_conflict *most);

/* Write a sentence, as snprintf does. They write nothing and return 0 if there is nothing to report. */
int eli_tell_jump(const elastica_rod *rod, const eli_jump *jump, char *text, size_t size);
int eli_tell_conflict(const elastica_rod *rod, const eli_conflict *conflict, char *text, size_t size);
int eli_tell_moved(const elastica_rod *rod, char *text, size_t size);

/* ---- hooks.c ---- */

/* Returns 1 if the module has the hook. */
int eli_has_hook(const elastica_module *module, eli_hook hook);

/* Writes a failure to the report, unless the report already has a failure of this or a lower rod. Marks the rod. */
void eli_report_hook(eli_tile_report *report, elastica_status status, const elastica_rod *rod, const elastica_effect *effect,
                     eli_hook hook);

/* Marks as failed the rods with a failed hook in the last step. pair: the first effect between rods that failed, or NULL; its rods are
 * marked as well, and for those with fails_for only the rods that these name. */
void eli_world_blame_hooks(elastica_world *world, const elastica_effect *pair);

/* Calls one hook of one effect, for any signature. argument is the last parameter of the hook, or points to the double that receives its
 * value; arguments that the signature lacks are ignored. Inline, so that only the call itself remains if the hook is a constant. */
static inline elastica_status eli_call(const elastica_effect *effect, eli_hook hook, const elastica_instant *now,
                                       const elastica_rod_view *rod, void *argument) {
  const elastica_module *module = &effect->body->module;
  void *self = effect->self;
#define PREPARES(field) module->field(self, rod, argument)
#define INSTANT(field) module->field(self, now, rod)
#define WRITES(field) module->field(self, now, rod, argument)
#define NUMBER(field) (*(double *)argument = module->field(self, now->time, rod), ELASTICA_OK)
#define PAIRS(field) module->field(self, now, argument)
#define CASE(number, field, kind)                                                                                                          \
  case number: return kind(field);
  switch (hook) {
    ELI_HOOKS(CASE)
  default: return ELASTICA_OK;
  }
#undef CASE
#undef PAIRS
#undef NUMBER
#undef WRITES
#undef INSTANT
#undef PREPARES
}

/* Calls a hook as eli_call does, in a step or a limit check, and reports failures. Returns 0 if the hook failed. */
static inline int eli_call_hook(const elastica_effect *effect, eli_hook hook, const elastica_rod *rod, const elastica_instant *now,
                                void *argument, eli_tile_report *report) {
  elastica_world *world = effect->world;
  if (world->calls.in_hook == ELI_IN_ORDERED_HOOK) world->calls.silent = effect->body->module.parallel_safe;
  const elastica_status status = eli_call(effect, hook, now, &rod->body->view, argument);
  if (report->meter != NULL) report->meter->saw(report->meter, effect, rod, hook);
  if (status == ELASTICA_OK) return 1;
  eli_report_hook(report, status, rod, effect, hook);
  return 0;
}

/* Calls one hook of every effect of a rod, also after a failure; argument is the last parameter of the hook. */
static inline void eli_call_hooks(eli_hook hook, const elastica_rod *rod, const elastica_instant *now, void *argument,
                                  eli_tile_report *report) {
  ELI_EACH_EFFECT(effect, rod, hook) eli_call_hook(effect, hook, rod, now, argument, report);
}

/* Sets of hooks, one bit each: those of a limit check, the observers, and the other hooks that a step calls for each rod. */
#define ELI_HOOKS_OF_LIMIT_CHECKS (ELI_HOOK_BIT(ELI_ADD_RESULTANTS) | ELI_HOOK_BIT(ELI_ADD_STIFFNESS))
#define ELI_HOOKS_OF_OBSERVERS ELI_HOOK_BIT(ELI_OBSERVE)
#define ELI_HOOKS_OF_STEPS                                                                                                                 \
  ~(ELI_HOOK_BIT(ELI_PREPARE) | ELI_HOOK_BIT(ELI_ADD_WORLD_LOADS) | ELI_HOOK_BIT(ELI_ADD_STIFFNESS) |                                      \
    ELI_HOOK_BIT(ELI_ADD_WORLD_STIFFNESS) | ELI_HOOK_BIT(ELI_ADD_TANGENT) | ELI_HOOK_BIT(ELI_OBSERVE) | ELI_HOOK_BIT(ELI_ENERGY) |         \
    ELI_HOOK_BIT(ELI_POWER))

/* Runs a task that calls these hooks on every tile: on the workers if the work repays it; then, on the calling thread and in order, on the
 * tiles with one of these hooks from an effect that is not parallel_safe. sweeps: the cost per tile, as a number of steps. */
void eli_world_run_tiles(elastica_world *world, unsigned hooks, long sweeps, eli_task task, void *context);

/* Cost of one sweep [ns]: a step of rods without effects on a recent processor. */
#define ELI_NS_PER_SLOT 10.0

/* Lower estimate of the time of so many sweeps over all tiles on one thread [ns]. */
double eli_world_work(const elastica_world *world, long sweeps);

/* Returns the report of the lowest rod with a failed hook in the last run over the tiles, or NULL. */
const eli_tile_report *eli_world_failed_hook(const elastica_world *world);

/* Makes the world fail because of a hook, with a sentence that ends with `why`. The status is CALLBACK_FAILED, JOINT_TOO_FAR or
 * UNSTABLE_STEP. */
elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time, const char *why);

/* Refuses a call because a hook failed outside a step. The status is CALLBACK_FAILED, JOINT_TOO_FAR or OUT_OF_MEMORY. */
elastica_status eli_world_refuse_hook(elastica_world *world, const eli_tile_report *report);

/* ---- prepare.c, constraints.c ---- */

/* Allocates lane_count lanes for the largest tile. Returns 0 and keeps the scratch if memory runs out. */
int eli_scratch_reserve(elastica_world *world, eli_scratch *scratch, int lane_count);

/* Updates all invalidated data: lists of hooks, tiles and scratch, masses with prepare hooks, constraints and the resulting geometry. A
 * status other than OK belongs to a refused call: masses and state are unchanged. After a failure of the simulation masses and state are
 * never changed. */
elastica_status eli_world_prepare(elastica_world *world, const char *function);

/* eli_world_save copies state and masses of all tiles with ELI_STALE_MASSES or ELI_STALE_STATE to a new block; it returns NULL if memory
 * runs out. eli_world_restore writes them back. */
double *eli_world_save(elastica_world *world);
void eli_world_restore(elastica_world *world, const double *saved);

/* The changes that eli_world_prepare has not made yet, for calls that a later refusal takes back. note stores state, masses and flags
 * before it; 0: no memory. put_back makes these changes due again; drop releases the memory, also of an empty one. */
typedef struct eli_pending {
  double *state;
  unsigned *stale; /* of all rods, in order */
} eli_pending;
int eli_pending_note(elastica_world *world, eli_pending *pending);
void eli_pending_put_back(elastica_world *world, const eli_pending *pending);
void eli_pending_drop(elastica_world *world, eli_pending *pending);

/* Writes the prescribed positions, velocities and spins of rods with ELI_STALE_STATE into the state, and updates their geometry. Refuses
 * elements and joints that elastica_rod_set_state would refuse; the caller then restores the state. */
elastica_status eli_world_write_constraints(elastica_world *world);

/* Writes the inverse masses of a rod. For a node that a boundary fixes it is 0, so that the kick leaves the node at rest without a
 * constraint. */
void eli_rod_invert_masses(const elastica_rod *rod);

/* Returns 1 for a boundary that ties the frame of an end to its support by a half-cell, also with a node that is free. */
static inline int eli_is_half_cell(const elastica_effect *effect) {
  const eli_built_in *kind = effect->body->kind;
  return kind != NULL && kind->is_boundary && effect->body->module.add_loads != NULL;
}

#endif
