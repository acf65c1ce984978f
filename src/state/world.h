/* The data of a world: rods in their slab, effects and lists of hooks, workers and their scratch, time. Most functions on them are in later
 * folders; this folder has messages, failures, views and invalidation. */
#ifndef ELI_WORLD_H
#define ELI_WORLD_H

#include <elastica.h>
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/rotation.h"
#include "kernels/kernels.h"
#include "slab/slab.h"
#include "state/module.h"
#include "state/rod.h"

typedef struct eli_scratch {
  void *memory;
  size_t capacity;
  double *lane[ELI_SCRATCH_COUNT];
  void *window_memory;                                /* memory of a window (step/stepper.c), or NULL */
  double *window[ELI_LANE_COUNT + ELI_SCRATCH_COUNT]; /* lanes of the window, then its scratch lanes */
} eli_scratch;

/* Receives the stages of a step (step/stages.h), before and after each, and the result of each hook after its call: for the work meter
 * (step/work_meter.c). */
struct eli_tile_work;
typedef struct eli_meter eli_meter;
struct eli_meter {
  void (*before)(eli_meter *meter, const struct eli_tile_work *work, int stage);
  void (*after)(eli_meter *meter, const struct eli_tile_work *work, int stage);
  void (*saw)(eli_meter *meter, const elastica_effect *effect, const elastica_rod *rod, eli_hook hook);
};

/* The fault of a hook: it returned an error; or it returned OK but wrote an invalid value, or added an invalid stiffness or rate. */
typedef enum eli_hook_fault { ELI_RETURNED, ELI_WROTE, ELI_ADDED } eli_hook_fault;

/* Errors in a tile during one step or one call: trips of the kernels, and the first failed hook of the lowest rod with a failed hook. All
 * zero: no error. */
typedef struct eli_tile_report {
  eli_meter *meter; /* called after each hook; NULL: no work meter */
  unsigned trips;
  elastica_status status; /* the status that the hook returned; CALLBACK_FAILED for an invalid value */
  int rod_index;
  const elastica_effect *effect;
  eli_hook hook;
  eli_hook_fault fault;
  int lane;         /* lane with the invalid value: ELI_POSITION, ELI_VELOCITY, ELI_DIRECTOR or ELI_OMEGA */
  int place;        /* node or element with the invalid value */
  double wrong;     /* added or written value; of a frame its defect */
  int axis;         /* of a vector that it wrote */
  int loaded;       /* external lanes that the loads of this step have written: ELI_NO_LOADS, ELI_LOADS or ELI_LOADS_AND_RATES */
  uint64_t touched; /* one bit for each span of slots that the loads have written (step/stages.c) */
  long steps;       /* steps that the tile completed in its batch before the reported step */
} eli_tile_report;

/* The last case between steps of a boundary that moved its node by a large distance. by 0: none. */
typedef struct eli_moved {
  int rod, effect, node;
  long step;
  double by; /* [m] */
} eli_moved;

/* The step and the time at which the size of the steps changed. */
typedef struct eli_step_change {
  long step;
  double time;
} eli_step_change;

enum { ELI_STEP_CHANGES = 32 };

/* An additional trip, beside those of the kernels: in a step without a pair phase, a rod may have come near another. The step is repeated
 * with a pair phase. */
enum { ELI_TRIP_PAIRS = 1 << 16 };

/* Memory for the state of all tiles and the history of effects at the beginning of a batch (step/stepper.c). */
typedef struct eli_checkpoint {
  void *state, *history;
  size_t slots, bytes;      /* capacity */
  long step, segment_steps; /* position of the checkpoint; step -1: there is none, or the world has changed since */
} eli_checkpoint;

/* Derived lanes of all rods (step/evaluate.c); index 0 is slot 0 of the slab. */
typedef struct eli_whole {
  void *memory;
  size_t slots; /* capacity */
  double *lane[ELI_TOTAL_FORCE];
} eli_whole;

/* Loads of all rods at the present state (step/evaluate.c); index 0 is slot 0 of the slab. */
enum {
  ELI_ANSWER_FORCE = 0,     /* 3 lanes of nodes: external forces */
  ELI_ANSWER_COUPLE = 3,    /* 3 lanes of elements: external couples */
  ELI_ANSWER_DRAG = 6,      /* nodes */
  ELI_ANSWER_SPIN_DRAG = 7, /* elements */
  ELI_ANSWER_REACTION = 8,  /* 6 lanes: forces and couples of reactions */
  ELI_ANSWER_TOTAL = 14,    /* 6 lanes: total forces and couples */
  ELI_ANSWER_COUNT = 20
};

typedef struct eli_answer {
  void *memory;
  size_t slots;
  double *lane[ELI_ANSWER_COUNT];
} eli_answer;

/* A run to a given time in equal steps, possibly over several calls (step/run.c). */
typedef struct eli_equal_steps {
  double end, duration; /* [s] */
  double dt, left;      /* number of remaining steps of dt; 0: the run is finished */
  double chosen;        /* working step from which dt was computed; 0: not yet computed */
  long step;            /* step count at the end of the last call */
  double time;          /* time at the end of the last call */
} eli_equal_steps;

/* Data of an effect between rods that a step reads, in one array because effects lie far apart in memory. */
typedef struct eli_pair_effect {
  elastica_effect *effect;
  const eli_built_in *finder; /* its kind if that has find; else NULL */
  const void *self;
  int fixed_joint; /* index among the fixed joints, ELI_JOINT_LANES to a block; -1: not a fixed joint */
} eli_pair_effect;

/* Effects between rods and their pair phase in the middle of a step (hooks/pair_phase.c). */
typedef struct eli_pair_phase {
  eli_effect_chain effects; /* effects with add_world_loads, in order of addition */
  int enabled;              /* number of enabled ones */
  int measured;             /* number of enabled ones that read lengths, dilatations or tangents */
  int lists_are_old;        /* 1: a state was loaded; until the next step the pair lists belong to another state */
  int asleep;               /* 1: all pairs sleep; the pair phase is skipped because it would add nothing */
  long wakes;               /* the step before which a rod woke the pairs */
  unsigned joins;           /* incremented by each change of an enabled effect that connects rods */

  /* Arguments of the hooks, by index of the rod; written again if rods or lanes have changed. */
  int stale;
  const elastica_rod_view **rods;
  elastica_loads *loads;
  int capacity;

  /* The enabled effects in order of addition, and the loads that they have found. finders: the number of effects with eli_built_in.find. */
  int finders, list_capacity;
  int listed; /* 1: the list is valid */
  eli_pair_effect *list;
  eli_found *found;
  eli_joint_batch *fixed_joints; /* blocks of the fixed joints in the list */
  int fixed_joint_count;

  eli_tile_report report; /* report of the first failed hook in the last pair phase */

  /* Bounds for the step limit: ELI_BOUND_LANES lanes of all slots, one after the other; stiffness has their addresses for each rod. */
  int bounded; /* number of enabled effects with add_world_stiffness */
  double *bounds;
  elastica_stiffness *stiffness;
  size_t bounds_capacity;

  /* Used while a budget is open: the loads of each effect, ELI_PAIR_LANES lanes of all slots, one after the other. */
  double *added;
  size_t added_capacity;
} eli_pair_phase;

/* ELI_PAIR_LANES: forces (3), couples (3). ELI_BOUND_LANES: the lanes of elastica_stiffness. */
enum { ELI_PAIR_LANES = 6, ELI_BOUND_LANES = 4 };

/* The sampler of a world (step/run.c). */
typedef struct eli_sampling {
  elastica_sampler of; /* sample NULL: no sampler */
  double next;         /* number of the next sample, due at start + next interval */
  double last;         /* [s] time of the last sample */
  int inside;          /* 1: the sampler is running */
} eli_sampling;

/* A kept state for elastica_world_rewind: a snapshot, its step, and the numbers of rods and effects added so far (rod_count, effect_count)
 * and present (living_rods, living_effects). The block continues with the functions that effects call, because snapshots contain none. */
typedef struct eli_kept_state {
  unsigned char *bytes;
  size_t capacity, size; /* [bytes] size of the block, and of the snapshot */
  int taken;             /* 0: no state is kept */
  long step;
  int rod_count, effect_count, living_rods, living_effects;
} eli_kept_state;

/* The result of a limit check. */
typedef struct eli_limit_check {
  elastica_step_limit limit;
  double spin2; /* [rad^2/s^2] spin of the fastest element, identified by the next two fields */
  int fastest_rod, fastest_element;
  double shear2; /* the largest sigma1^2 + sigma2^2 */
  double turn2;  /* [rad^2] largest joint angle */
  double speed2; /* [m^2/s^2] speed of the fastest node */
} eli_limit_check;

/* A step that was undone because a frame turned too far: its number, its size [s] and the turn [rad]. Discarded when the world changes. */
typedef struct eli_wide_turn {
  long step; /* -1: none */
  double dt, angle;
} eli_wide_turn;

/* Used while statics or an implicit step tries states: positions and frames of the last accepted state, and the displacements and rotations
 * of all nodes and elements since then, with the layout of velocities and spins. */
typedef struct eli_slips {
  double *from[12], *moved[6]; /* NULL: no friction */
  int keeps;                   /* 1: the state under evaluation is accepted; ELI_KEEPS_NEW: see eli_world_trial */
  int in_stage;                /* 1: an implicit step evaluates loads or their stiffness */
  eli_trial trial;             /* of this step */
} eli_slips;

/* Tells if hooks are running, and so whether a call that is refused inside a hook may leave its sentence. In a run over the tiles
 * (eli_world_run_tiles) effects that are parallel_safe leave none, on any thread: several threads would race for the message. */
typedef enum eli_in_hook {
  ELI_NO_HOOK = 0,
  ELI_IN_HOOK,          /* outside a run over tiles: the sentence becomes the message */
  ELI_IN_PARALLEL_HOOK, /* in a run over tiles, on any thread */
  ELI_IN_ORDERED_HOOK   /* in a run over tiles, on the calling thread alone */
} eli_in_hook;

/* ---- The parts of a world, by owner ---- */

/* Rods, owned by rod/: tables by index with NULL for removed ones, because indices are never reused; the list has the present ones in order
 * of addition. */
typedef struct eli_bodies {
  eli_slab slab;
  elastica_rod **rods;
  int rod_count;
  elastica_rod *first_rod, *last_rod, *removed_rods;
  eli_indices indices;
} eli_bodies;

/* Effects, owned by effects/, like rods. The lower half follows from them and is updated by eli_world_prepare. */
typedef struct eli_effects {
  elastica_effect **all;
  int count;
  elastica_effect *first, *last, *removed;
  eli_indices indices;
  eli_effect_chain common;                     /* effects on every rod */
  int foreign_count[ELI_HOOK_COUNT], by_state; /* numbers of enabled effects: of user modules that have each hook; with positions that
                                                * depend on more than time */

  eli_hook_list *common_hooks, *spare_hooks; /* list for rods without their own effects, and memory for a longer one */
  unsigned hooks;                            /* one bit for each hook that an effect has on a rod */
  unsigned ordered;                          /* one bit for each hook of an effect that is not parallel_safe */
  unsigned foreign;                          /* one bit for each hook of a user's module; its cost is unknown */
  int positions_by_time;                     /* 1: every constrain_position depends on time alone */
} eli_effects;

/* Time, advanced by step/stepper.c: segment_time + segment_steps * segment_dt has the same bits for any division of a run into calls. */
typedef struct eli_clock {
  double segment_time, segment_dt;
  long segment_steps;
  long step_count;
  int is_frozen; /* 1: damped steps of a relaxation; time does not advance */
} eli_clock;

/* The last implicit step with an accuracy, written by implicit/implicit_run.c, so that short calls continue as one long one does. */
typedef struct eli_implicit_course {
  long step;   /* number of steps of the world after it; -1: there is none, or the world has changed since */
  double next; /* [s] size of the step that follows */
  double rest; /* [s] the world had been at rest for so long */
} eli_implicit_course;

/* The calls of hooks, set by each caller of hooks: a step, a query, a limit check, statics, a snapshot. */
typedef struct eli_calls {
  elastica_purpose purpose; /* QUERY except during steps, limit checks, limit queries and statics */
  eli_in_hook in_hook;
  int silent;          /* with ELI_IN_ORDERED_HOOK, 1: the running effect is parallel_safe */
  int is_loading;      /* 1: hooks run while a snapshot is loaded */
  int is_applying;     /* 1: a user's function sets the parameter of a loading path */
  int leaves_contacts; /* 1: in an equilibrium, contacts are left out */
  int checks_depth;    /* 1: a query refuses an equilibrium that a step would refuse */
  eli_slips slips;
} eli_calls;

/* The impacts that have shortened the working step, until their vibrations have died away. */
typedef enum eli_shaken { ELI_NOT_SHAKEN, ELI_SHAKEN_BY_CONTACT, ELI_SHAKEN_BY_HINGE } eli_shaken;

/* The size of the next steps and the time of the next limit check, owned by step/run.c. */
typedef struct eli_schedule {
  double working_step; /* [s] step size of elastica_world_advance */
  eli_equal_steps equal_steps;
  eli_sampling sampling;
  int chosen; /* 1: the last limit check chose the working step */
  eli_shaken shaken;
  int chooses;         /* 1: the last limit check, or the one in progress, chooses the working step */
  double checked_step; /* [s] during a limit check: the step size that it is for */
  int checked_steps;   /* during a limit check: the number of steps that it is for; 0: for no particular step */

  int limits_are_stale; /* 1: some rods require a new limit check of their own; they are marked */
  double covered_dt;    /* [s] largest step size that the last limit check covers */
  long last_check;      /* step count at the last limit check */
  long next_check;      /* step count at which the next regular limit check is due */
  int check_interval;   /* number of steps between regular limit checks */
  long grows_at;        /* step count from which the working step may grow */
  eli_wide_turn wide_turn;
  eli_limit_check limit_check; /* result of the last limit check for steps */
  eli_watch watch;             /* bounds within which that result remains valid */
  int check_is_requested;      /* 1: the state has left these bounds; the limit is checked before the next step */
  double lowest;               /* [s] smallest working step that a limit check would have chosen since the step could last grow */
  double largest_vibration;    /* [J] while shaken: largest energy of vibrations at a limit check */
  long calm_from;              /* while shaken: step count since which this energy has been small */
  long batch_from;             /* before this step, steps are taken one at a time, because a batch was undone shortly before */
} eli_schedule;

/* States for elastica_world_rewind, owned by snapshot/snapshot.c. */
typedef struct eli_rewind {
  long interval; /* [steps] 0: no state is kept */
  eli_kept_state states[2];
  int newest;     /* index of the newer kept state */
  int is_rewound; /* 1: the world has returned to that state and has kept none since */
} eli_rewind;

/* Workers and memory for results, reserved by hooks/prepare.c and step/evaluate.c. */
typedef struct eli_scratch_memory {
  eli_pool *pool;
  eli_scratch *of_worker; /* one per worker */
  int worker_count;
  eli_tile_report *reports;      /* one per tile */
  eli_limit_check *limit_checks; /* one per tile */
  size_t tile_capacity;          /* capacity of reports and limit_checks in tiles */

  eli_scratch query;       /* derived lanes outside steps; allocated at the first query */
  elastica_rod *refreshed; /* rod with derived lanes in the query scratch; NULL: none */
  eli_whole whole;
  int whole_refreshed; /* 1: whole contains valid derived lanes of all rods */
  eli_answer answer;
  int answered; /* 1: answer contains valid loads of all rods, and views point to it */
} eli_scratch_memory;

/* Messages and the data for their sentences, owned by state/report.c. */
typedef struct eli_report {
  char message[ELI_MESSAGE_SIZE];
  elastica_status failure; /* remains until the state of every failed rod is set */
  char failure_message[ELI_MESSAGE_SIZE];
  eli_moved moved;
  /* The last changes of the size of the steps: change k is in place k % ELI_STEP_CHANGES. */
  eli_step_change step_changes[ELI_STEP_CHANGES];
  long step_change_count;
  elastica_status refusal; /* status of the last elastica_world_refuse */

  /* Reason why the answer of a user function was invalid, for the sentence of the failure; reason_of is the self of the effect, or NULL. */
  char reason[ELI_REASON_SIZE];
  const void *reason_of;
} eli_report;

struct elastica_world {
  eli_allocator allocator;
  const eli_kernels *kernels;
  eli_law_options law;
  int allow_unstable_step;
  unsigned stale; /* see access.c below */
  eli_clock clock;
  eli_calls calls;
  eli_bodies bodies;
  eli_effects effects;
  eli_pair_phase pair_phase;
  eli_schedule schedule;
  eli_checkpoint checkpoint; /* owned by step/stepper.c */
  eli_implicit_course implicit_course;
  eli_rewind rewind;
  eli_scratch_memory scratch;
  elastica_budget *budget;    /* the open one, or NULL; owned by step/work_meter.c */
  struct eli_writer *writers; /* of files that are open; owned by output/text.c */
  eli_report report;
};

/* All slots of a tile, with a scratch that begins at the tile's first slot, or NULL. */
static inline eli_sweep eli_tile_sweep(const eli_tile *tile, double *const *scratch) {
  assert(tile->count > 0 && tile->count % ELI_BLOCK == 0);
  return (eli_sweep){tile->lane[0], tile->lane[1] - tile->lane[0], scratch != NULL ? scratch[0] : NULL,
                     scratch != NULL ? scratch[1] - scratch[0] : 0, (ptrdiff_t)tile->count};
}

/* ELI_EACH_ROD(rod, world, tile) { ... } visits the rods of a tile in order of addition; rod is an elastica_rod *. ELI_EACH_ROD_OF_WORLD
 * visits all rods. */
#define ELI_EACH_ROD(rod, world, tile)                                                                                                     \
  for (elastica_rod *rod = ((void)(world), (tile)->first_rod); rod != NULL; rod = rod->body->next_in_tile)
#define ELI_EACH_ROD_OF_WORLD(rod, world) for (elastica_rod *rod = (world)->bodies.first_rod; rod != NULL; rod = rod->body->next)

/* ELI_EACH_EFFECT(effect, rod, hook) { ... } visits the enabled effects on a rod with a hook, in order of addition. ELI_EACH_PAIR_EFFECT
 * visits the enabled effects between rods, ELI_EACH_EFFECT_OF_WORLD all effects. */
#define ELI_EACH_EFFECT(effect, rod, hook)                                                                                                 \
  for (elastica_effect *const *effect##_at = (rod)->body->hooks->effects + (rod)->body->hooks->first[hook],                                \
                              *const *effect##_end = (rod)->body->hooks->effects + (rod)->body->hooks->first[(hook) + 1], *effect;         \
       effect##_at < effect##_end && (effect = *effect##_at, 1); effect##_at++)
#define ELI_EACH_PAIR_EFFECT(effect, world)                                                                                                \
  for (elastica_effect *effect = (world)->pair_phase.effects.first; effect != NULL; effect = effect->body->next_pair)                      \
    if (effect->enabled)
#define ELI_EACH_EFFECT_OF_WORLD(effect, world)                                                                                            \
  for (elastica_effect *effect = (world)->effects.first; effect != NULL; effect = effect->body->next)

/* Return 1 if an effect has the hook on this rod, on a rod of the tile, or on any rod. */
static inline int eli_rod_has(const elastica_rod *rod, eli_hook hook) {
  return (rod->body->hooks->hooks & ELI_HOOK_BIT(hook)) != 0;
}

static inline int eli_tile_has(const eli_tile *tile, eli_hook hook) {
  return (tile->hooks & ELI_HOOK_BIT(hook)) != 0;
}

/* Returns 1 if an effect prescribes positions, velocities or spins of rods of the tile. */
static inline int eli_tile_constrained(const eli_tile *tile) {
  return eli_tile_has(tile, ELI_CONSTRAIN_POSITION) || eli_tile_has(tile, ELI_CONSTRAIN_VELOCITY) || eli_tile_has(tile, ELI_CONSTRAIN_SPIN);
}

/* Returns 1 if the step has a pair phase: all rods then reach the middle of the step before loads are added to any of them. */
static inline int eli_world_has_pair_phase(const elastica_world *world) {
  return world->pair_phase.enabled > 0 && !world->pair_phase.asleep;
}

/* Returns 1 if the pair phase reads the geometry in the middle of the step; later stages then use the same geometry. */
static inline int eli_world_pairs_read_geometry(const elastica_world *world) {
  return world->pair_phase.measured > 0 && !world->pair_phase.asleep;
}

static inline int eli_world_has(const elastica_world *world, eli_hook hook) {
  return (world->effects.hooks & ELI_HOOK_BIT(hook)) != 0;
}

/* Enclose calls of hooks. In between, calls that hooks may not make are refused. */
static inline void eli_world_enter_hooks(elastica_world *world, eli_in_hook how) {
  world->calls.in_hook = how;
}

static inline void eli_world_leave_hooks(elastica_world *world) {
  world->calls.in_hook = ELI_NO_HOOK;
}

/* ---- access.c: invalidation ---- */

/* Bits for data that must be updated before the next step or query. A change sets only the bits that it requires, and eli_world_prepare
 * updates only these parts. World, tiles and rods each have such a word; the word of a tile includes those of its rods, and the word of the
 * world includes all. */
enum {
  ELI_STALE_LISTS = 1,  /* rod: its list of hooks; tile: its requirements for the hooks in these lists */
  ELI_STALE_TILES = 2,  /* lanes have moved, or a tile has grown: lane pointers of all tiles, and scratch memory */
  ELI_STALE_REST = 4,   /* tile: lanes prepared from constants of its rods */
  ELI_STALE_MASSES = 8, /* rod: its masses, with its prepare hooks */
  ELI_STALE_STATE = 16, /* rod: its constraints must be applied to the state */
  ELI_STALE_LIMIT = 32, /* the step limit must be checked before the next step */
  ELI_STALE_COMMON = 64 /* the list of hooks of effects on every rod; ELI_STALE_LISTS is then set for rods as well */
};

/* Set these bits. Derived lanes that elastica_rod_refresh has filled become unavailable. */
void eli_world_outdate(elastica_world *world, unsigned stale);
void eli_rod_outdate(elastica_rod *rod, unsigned stale);

/* eli_rod_outdate_limit requires a new limit check for this rod only. eli_world_settle_limits clears this requirement for all rods. */
void eli_rod_outdate_limit(elastica_rod *rod);
void eli_world_settle_limits(elastica_world *world);

/* Makes derived lanes that were filled for queries unavailable. */
void eli_world_forget_refreshed(elastica_world *world);

/* Sets the views' pointers to the derived lanes of queries again, after other code has used the views. */
void eli_world_aim_refreshed(elastica_world *world);

/* Sets the purpose of the hooks that are called next, and returns the purpose from before. */
static inline elastica_purpose eli_world_set_purpose(elastica_world *world, elastica_purpose purpose) {
  const elastica_purpose before = world->calls.purpose;
  world->calls.purpose = purpose;
  return before;
}

/* The instant that hooks receive: the only place that fills it. The caller sets rod_index, and `until` of a limit check. */
static inline elastica_instant eli_instant(const elastica_world *world, double time, double dt) {
  const int is_check = world->calls.purpose == ELASTICA_PURPOSE_LIMIT_CHECK, is_statics = world->calls.purpose == ELASTICA_PURPOSE_STATICS;
  const int in_steps = world->calls.purpose == ELASTICA_PURPOSE_STEP || is_check;
  return (elastica_instant){
      .struct_size = sizeof(elastica_instant),
      .time = time,
      .dt = dt,
      .step = world->clock.step_count,
      .rod_index = -1,
      .purpose = world->calls.purpose,
      .is_frozen = world->clock.is_frozen || is_statics,
      .is_accepted = is_statics && world->calls.slips.keeps,
      .is_adaptive = in_steps && world->schedule.chooses && !world->clock.is_frozen,
      .checked_dt = is_check ? world->schedule.checked_step : 0.0,
      .horizon = is_check && world->schedule.checked_steps > 0 ? world->schedule.checked_steps * world->schedule.checked_step : INFINITY};
}

/* Present time [s]. */
static inline double eli_world_now(const elastica_world *world) {
  return world->clock.segment_time + (double)world->clock.segment_steps * world->clock.segment_dt;
}

/* Time [s] after a duration; the present time in damped steps, because time does not advance there. */
static inline double eli_world_time_in(const elastica_world *world, double duration) {
  return eli_world_now(world) + (world->clock.is_frozen ? 0.0 : duration);
}

/* ---- report.c ---- */

/* Returns WRONG_STATE inside a hook or a sampler. */
elastica_status eli_world_check_change(elastica_world *world, const char *function);

/* Makes the world fail with a status and a sentence; both remain. The failed rods are those that are marked (failed in state/rod.h) or in
 * an unsound state; if there are none, all rods. */
elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...) ELI_PRINTF(3, 4);

/* Ends a failure, and clears its remains outside the state and the history of effects. */
void eli_world_end_failure(elastica_world *world);

/* eli_world_heal ends the failure if the whole state of every failed rod that still exists has been set. eli_rod_heal first records the
 * parts that were set: 1 position, 2 velocity, 4 frames, 8 spins. */
void eli_world_heal(elastica_world *world);
void eli_rod_heal(elastica_rod *rod, unsigned set);

#endif
