/* Effects: calling their hooks, also on several threads, and preparing a world again after a change. */
#ifndef ELI_EFFECTS_H
#define ELI_EFFECTS_H

#include "state/world.h"

/* ---- effects.c, energy.c ---- */

void eli_world_release_effects(elastica_world *world);

/* 1: it has bounds of the step limit for all rods that it acts between. */
static inline int eli_effect_has_bounds(const elastica_effect *effect) {
  const eli_built_in *kind = effect->body->kind;
  return kind != NULL && kind->add_bounds != NULL && effect->body->module.add_world_loads != NULL;
}

/* Switches an effect on or off, and makes stale what depends on it. */
void eli_effect_switch(elastica_effect *effect, int enabled);

/* Gives an effect a module with other hooks of the same kind, whose parameters are those of self. */
void eli_effect_hook_anew(elastica_effect *effect, const elastica_module *module);

/* Removes an effect: what is left is a handle that is known to be one of it. */
void eli_effect_remove(elastica_effect *effect);

/* Calls destroy and releases all but the handle. */
void eli_effect_dismantle(elastica_effect *effect);

/* Calls its destroy hook, once. */
void eli_effect_end(elastica_effect *effect);

/* Adds to *sum what the effects of a rod of a prepared world report through their energy hooks. CALLBACK_FAILED when one is not finite. Not
 * from inside a hook. */
elastica_status eli_rod_effect_energy(const elastica_rod *rod, double *sum);

/* Whether reactions may bear what loads a rod, or any rod, at rest. */
int eli_rod_is_borne(const elastica_rod *rod);
int eli_world_is_borne(const elastica_world *world);

/* ---- meeting.c ---- */

/* Puts an effect with add_world_loads among those of the world, in order of addition; and takes it away. */
void eli_effect_join(elastica_effect *effect);
void eli_effect_leave(elastica_effect *effect);

/* What the hooks are handed is out of date; makes room for it. 0 when memory runs out. */
int eli_meeting_reserve(elastica_world *world);
void eli_meeting_release(elastica_world *world);

/* Calls add_world_loads of all effects that have it, with all rods at the same instant and their geometry up to date. accounts 1: what each
 * of them has added is kept, for which eli_meeting_reserve_added must have made room; then eli_meeting_added is a lane of the effect of that
 * number, 0 being the first that is enabled, of all slots: forces 0..2, couples 3..5. The status is that of the first hook that failed; the
 * others are called in any case. */
elastica_status eli_world_meet(elastica_world *world, const elastica_instant *now, int accounts);
/* Asks all of them for the bounds of the step limit, into the lanes of the meeting; or one of them alone, for one rod: only its lanes are then
 * of any use. The status is that of the first that failed. */
elastica_status eli_world_meet_bounds(elastica_world *world, const elastica_instant *now);
elastica_status eli_effect_meet_bounds(const elastica_effect *effect, const elastica_rod *rod, const elastica_instant *now);

/* 1: they may come to rest; they do now, and add nothing until one of their rods trips (see eli_built_in.rests): the trip of a rod. */
int eli_world_can_rest(const elastica_world *world);
int eli_world_rests(elastica_world *world);
unsigned eli_rod_has_left(const elastica_rod *rod);

int eli_meeting_reserve_added(elastica_world *world);
const double *eli_meeting_added(const elastica_world *world, int number, int lane);

/* ---- calls.c ---- */

/* Makes room for the calls of add_loads on the rods of a tile, whose lists of hooks are up to date: 0 when memory runs out. And lists them. */
int eli_tile_reserve_calls(const elastica_world *world, eli_tile *tile);
void eli_tile_list_calls(eli_tile *tile);

/* ---- apart.c: what effects between rods find by themselves, before their loads are added in order ---- */

/* Lists those that are switched on, where the list is not up to date. */
void eli_meeting_list(elastica_world *world);

/* Has them find their loads, on several threads where that repays. 0: they are too few for it, and found nothing. */
int eli_meeting_find(elastica_world *world, const elastica_instant *now);

/* Adds the loads of one that ties frames; 0 where it was not found as such. */
int eli_tie_push(elastica_world *world, const eli_met *met);

/* ---- holds.c ---- */

/* The largest jump of holds with a motion on a rod: size, in the least that is told; the place (node, or element where it turns); by how
 * much [m or rad]; the time after it. effect NULL: none. */
typedef struct eli_jump {
  const elastica_effect *effect;
  int turns, place;
  double size, by, time;
} eli_jump;

typedef enum eli_conflict_kind { ELI_APART, ELI_APART_IN_SPEED, ELI_TURNED, ELI_TURNED_IN_SPIN } eli_conflict_kind;

/* Two holds of one rod that contradict each other most; size and by as above. */
typedef struct eli_conflict {
  elastica_effect *effect[2];
  eli_conflict_kind kind;
  int place;
  double size, by;
} eli_conflict;

/* Looks for a larger one than there is. Motions are called. */
void eli_find_jump(const elastica_rod *rod, double from, double to, eli_jump *most);
void eli_find_conflict(const elastica_rod *rod, double time, double dt, eli_conflict *most);

/* Before a world puts nodes where holds want them: notes whether one of the rod is far from there (elastica_world.moved). */
void eli_note_moves(elastica_rod *rod, double time);

/* As snprintf; nothing, and 0, where there is nothing to tell. */
int eli_tell_jump(const elastica_rod *rod, const eli_jump *jump, char *text, size_t size);
int eli_tell_conflict(const elastica_rod *rod, const eli_conflict *conflict, char *text, size_t size);
int eli_tell_moved(const elastica_rod *rod, char *text, size_t size);

/* ---- hooks.c ---- */

/* Name of a hook, as in elastica_module. */
const char *eli_hook_name(eli_hook hook);

/* 1: the module has one. */
int eli_has_hook(const elastica_module *module, eli_hook hook);

/* Writes a failure to the report, unless it holds one of this rod or a lower one already; and notes that the rod failed. */
void eli_report_hook(eli_tile_report *report, elastica_status status, const elastica_rod *rod, const elastica_effect *effect,
                     eli_hook hook);

/* Marks the rods with a hook that failed in the step that has just been taken; and those on which an effect between rods acts that did (or
 * NULL), as far as that is known, else all. */
void eli_world_blame_hooks(elastica_world *world, const elastica_effect *pair);

/* Calls one hook of one effect, whatever its signature. argument is the hook's last parameter, or points to the double that gets its
 * value; arguments that the hook's signature lacks are ignored. Inline: where the hook is a constant, nothing but the call remains. */
static inline elastica_status eli_call(const elastica_effect *effect, eli_hook hook, const elastica_instant *now,
                                       const elastica_rod_view *rod, void *argument) {
  const elastica_module *module = &effect->body->module;
  void *self = effect->self;
#define PREPARES(field) module->field(self, rod, argument)
#define INSTANT(field) module->field(self, now, rod)
#define WRITES(field) module->field(self, now, rod, argument)
#define NUMBER(field) (*(double *)argument = module->field(self, now->time, rod), ELASTICA_OK)
#define MEETS(field) module->field(self, now, argument)
#define CASE(number, field, kind)                                                                                                          \
  case number: return kind(field);
  switch (hook) {
    ELI_HOOKS(CASE)
  default: return ELASTICA_OK;
  }
#undef CASE
#undef MEETS
#undef NUMBER
#undef WRITES
#undef INSTANT
#undef PREPARES
}

/* The same in a step or in a look, with failures in the report. Returns 0 when the hook failed. */
static inline int eli_call_hook(const elastica_effect *effect, eli_hook hook, const elastica_rod *rod, const elastica_instant *now,
                                void *argument, eli_tile_report *report) {
  elastica_world *world = effect->world;
  if (world->in_hook == ELI_IN_ORDERED_HOOK) world->silent = effect->body->module.parallel_safe;
  const elastica_status status = eli_call(effect, hook, now, &rod->body->view, argument);
  if (report->witness != NULL) report->witness->saw(report->witness, effect, rod, hook);
  if (status == ELASTICA_OK) return 1;
  eli_report_hook(report, status, rod, effect, hook);
  return 0;
}

/* Calls one hook of every effect of a rod, also after one of them has failed; argument is the hook's last parameter. */
static inline void eli_call_hooks(eli_hook hook, const elastica_rod *rod, const elastica_instant *now, void *argument,
                                  eli_tile_report *report) {
  ELI_EACH_EFFECT(effect, rod, hook) eli_call_hook(effect, hook, rod, now, argument, report);
}

/* Sets of hooks, a bit each: those called when the step limit is looked at, the observers, and all others that a step calls rod by rod. */
#define ELI_HOOKS_OF_LOOKS (ELI_HOOK_BIT(ELI_ADD_RESULTANTS) | ELI_HOOK_BIT(ELI_ADD_STIFFNESS))
#define ELI_HOOKS_OF_OBSERVERS ELI_HOOK_BIT(ELI_OBSERVE)
#define ELI_HOOKS_OF_STEPS                                                                                                                 \
  ~(ELI_HOOK_BIT(ELI_PREPARE) | ELI_HOOK_BIT(ELI_ADD_WORLD_LOADS) | ELI_HOOK_BIT(ELI_ADD_STIFFNESS) | ELI_HOOK_BIT(ELI_OBSERVE) |          \
    ELI_HOOK_BIT(ELI_ENERGY) | ELI_HOOK_BIT(ELI_POWER))

/* Runs task, which calls these hooks, on every tile: on the workers where the work repays it; then, on the calling thread and in their
 * order, on the tiles where one of these hooks belongs to an effect that is not parallel_safe. sweeps: how many steps, or sweeps that cost
 * as much, a tile takes. */
void eli_world_run_tiles(elastica_world *world, unsigned hooks, long sweeps, eli_task task, void *context);

/* What a sweep takes: a step of bare rods on a recent processor. */
#define ELI_NS_PER_SLOT 10.0

/* What so many sweeps over all tiles take one thread, estimated from below [ns]. */
double eli_world_work(const elastica_world *world, long sweeps);

/* The report of the lowest rod with a hook that failed in a run over the tiles, or NULL. */
const eli_tile_report *eli_world_failed_hook(const elastica_world *world);

/* What a hook of the library has explained of this effect, or of a part of its self; NULL: nothing. It is told once. */
const char *eli_effect_reason(const elastica_effect *effect);

/* Says that a hook failed, and with these words why, and makes it stick; the status is CALLBACK_FAILED, JOINT_TOO_FAR or UNSTABLE_STEP. */
elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time, const char *why);

/* Says that a hook failed outside a step: a refused call. The status is CALLBACK_FAILED, JOINT_TOO_FAR or OUT_OF_MEMORY. */
elastica_status eli_world_refuse_hook(elastica_world *world, const eli_tile_report *report);

/* ---- prepare.c, impose.c ---- */

/* Room for lane_count lanes of the largest tile; 0 when memory runs out, with the scratch as it was. */
int eli_scratch_reserve(elastica_world *world, eli_scratch *scratch, int lane_count);

/* Works out what is stale: lists of hooks, tiles and scratch, masses with prepare hooks, constraints with the geometry that follows. A
 * status other than OK is that of a refused call: masses and state are as they were. After a failure they stay so in any case. */
elastica_status eli_world_prepare(elastica_world *world, const char *function);

/* Copies state and masses of all tiles with ELI_STALE_MASSES or ELI_STALE_STATE into a new block, NULL when memory runs out; and writes
 * them back. */
double *eli_world_save(elastica_world *world);
void eli_world_restore(elastica_world *world, const double *saved);

/* Positions, velocities and spins that are prescribed for rods with ELI_STALE_STATE are written into the state, and their geometry is
 * updated. Refuses elements and joints
 * that set_state would refuse; the caller then restores the state. */
elastica_status eli_world_impose(elastica_world *world);

/* The stages of a step that the effects on a tile's rods need, after their lists of hooks have changed. */
void eli_tile_describe_needs(const elastica_world *world, eli_tile *tile);

/* Writes the inverse masses of a rod: 0 for nodes that a hold stops, so that a kick leaves them at rest without a constraint. */
void eli_rod_invert_masses(const elastica_rod *rod);

#endif
