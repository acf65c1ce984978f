/* The data of a world: rods in their slab, effects and the lists of hooks to call, workers and their scratch, time. The code that
 * acts on them is in later folders; this one has messages, failures, views, and what is stale. */
#ifndef ELI_WORLD_H
#define ELI_WORLD_H

#include <elastica.h>
#include <stdarg.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/rotation.h"
#include "kernels/kernels.h"
#include "state/rod.h"
#include "slab/slab.h"

typedef struct eli_scratch {
  void *memory;
  size_t capacity;
  double *lane[ELI_SCRATCH_COUNT];
  void *window_memory;                                /* of a window (step/windows.c), or NULL */
  double *window[ELI_LANE_COUNT + ELI_SCRATCH_COUNT]; /* its lanes, and those of its scratch */
} eli_scratch;

/* Sees the stages of a step (step/stages.h), before and after each, and what a hook did, after it was called: for accounts (step/account.c). */
struct eli_work;
typedef struct eli_witness eli_witness;
struct eli_witness {
  void (*before)(eli_witness *witness, const struct eli_work *work, int stage);
  void (*after)(eli_witness *witness, const struct eli_work *work, int stage);
  void (*saw)(eli_witness *witness, const elastica_effect *effect, const elastica_rod *rod, eli_hook hook);
};

/* What is wrong with a hook: it returned an error; it returned OK, but what it wrote, or added as a bound, cannot be. */
typedef enum eli_hook_fault { ELI_RETURNED, ELI_WROTE, ELI_ADDED } eli_hook_fault;

/* What went wrong in a tile during one step, or one call: trips of the kernels, and of the lowest rod with a hook that failed, the first
 * such hook. All zero: nothing. */
typedef struct eli_tile_report {
  eli_witness *witness; /* of its hooks; NULL: none */
  unsigned trips;
  elastica_status status; /* what the hook returned; CALLBACK_FAILED, too, for what it wrote or added */
  int rod_index;
  const elastica_effect *effect;
  eli_hook hook;
  eli_hook_fault fault;
  int lane;         /* that it wrote to: ELI_POSITION, ELI_VELOCITY, ELI_DIRECTOR or ELI_OMEGA */
  int place;        /* node or element that it wrote or added to */
  double added;     /* what it added */
  int loaded;       /* what of the external lanes the loads of the step have written: ELI_NO_LOADS, ELI_LOADS or ELI_LOADS_AND_RATES */
  uint64_t touched; /* the spans of slots of which they have (step/loads.c), one bit each */
  long steps;       /* that the tile has completed in a batch before the one that this report is of */
} eli_tile_report;

/* The last time that a pin or clamp took a node, between steps, far from where it was. by 0: never. */
typedef struct eli_moved {
  int rod, effect, node;
  long step;
  double by; /* [m] */
} eli_moved;

/* Beside the trips of kernels: in a step without a meeting, a rod may have come near another. The step is taken again, with one. */
enum { ELI_TRIP_MEET = 1 << 16 };

/* The state of all tiles and the history of effects at the beginning of a batch of steps (step/batch.h). */
typedef struct eli_kept {
  void *state, *history;
  size_t slots, bytes;      /* for which there is room */
  long step, segment_steps; /* of the checkpoint; step -1: there is none, or the world has changed since */
} eli_kept;

/* Derived lanes of all rods at once (step/refresh.c); index 0 at slot 0 of the slab. */
typedef struct eli_whole {
  void *memory;
  size_t slots; /* for which there is room */
  double *lane[ELI_TOTAL_FORCE];
} eli_whole;

/* Loads of all rods at the present state (step/evaluate.c), likewise. */
enum {
  ELI_ANSWER_FORCE = 0,     /* node, 3: external */
  ELI_ANSWER_COUPLE = 3,    /* element, 3 */
  ELI_ANSWER_DRAG = 6,      /* node */
  ELI_ANSWER_SPIN_DRAG = 7, /* element */
  ELI_ANSWER_REACTION = 8,  /* 6: forces and couples of reactions */
  ELI_ANSWER_TOTAL = 14,    /* 6: total forces and couples */
  ELI_ANSWER_COUNT = 20
};

typedef struct eli_answer {
  void *memory;
  size_t slots;
  double *lane[ELI_ANSWER_COUNT];
} eli_answer;

/* A run to a given time in equal steps, which may take several calls (step/run.c). */
typedef struct eli_leg {
  double end, duration; /* [s] */
  double dt, left;      /* steps of dt that are left; 0: the run is over */
  double chosen;        /* the working step for which it was divided; 0: it was not yet */
  long step;            /* where the last call left it, */
  double time;          /* and when */
} eli_leg;

/* What a step reads of an effect that finds apart, side by side for all: effects lie far apart in memory. */
typedef struct eli_met {
  elastica_effect *effect;
  const eli_built_in *finder; /* its kind, or NULL: it does not find apart */
  const void *self;
  int tie; /* its number among ties, ELI_TIES to a block; -1: it is none */
} eli_met;

/* What acts between rods in the middle of a step (step/meeting.c). */
typedef struct eli_meeting {
  eli_effect_chain effects; /* those with add_world_loads, in order of addition */
  int enabled;              /* how many of them are switched on */
  int measured;             /* how many of these read lengths, dilatations or tangents */
  int rests;                /* 1: while steps are taken in which they would add nothing */
  long wakes;               /* the step in which they may add something again */
  unsigned joins;           /* counts changes of those that hold rods together */

  /* What they are handed, by number of the rod; written anew when rods or lanes have changed. */
  int stale;
  const elastica_rod_view **rods;
  elastica_loads *loads;
  int capacity;

  /* Those that are switched on, in order of addition, what they have found, and how many find that apart (see eli_built_in.find). */
  int apart, list_capacity;
  int listed; /* 1: the list is up to date */
  eli_met *list;
  eli_found *found;
  eli_ties *ties; /* blocks of those in the list that tie frames, */
  int tied;       /* and how many these are */

  eli_tile_report report; /* of the first hook that failed in the last meeting */

  /* For the step limit: ELI_BOUND_LANES lanes of all slots one after the other, and for each rod where its own begin. */
  int bounded; /* how many effects that are switched on have bounds for both of their rods */
  double *bounds;
  elastica_stiffness *stiffness;
  size_t bounds_capacity;

  /* While a budget is open: what each of them has added, ELI_MET_LANES lanes of all slots one after the other. */
  double *added;
  size_t added_capacity;
} eli_meeting;

/* Forces (3), couples (3); bounds as of elastica_stiffness. */
enum { ELI_MET_LANES = 6, ELI_BOUND_LANES = 4 };

/* Who looks at the world at given times (step/sampler.c). */
typedef struct eli_sampling {
  elastica_sampler of; /* sample NULL: nobody */
  double next;         /* number of the next sample, which is due at start + next interval */
  double last;         /* [s] when the last one was taken */
  int inside;          /* 1: it is being called */
} eli_sampling;

/* A state that the world keeps for elastica_world_rewind: a snapshot, when it was taken, and of how many rods and effects: those that have
 * been added so far, and those that are there. Behind the snapshot, in the same block: the functions that effects call, which no snapshot
 * has. */
typedef struct eli_past {
  unsigned char *bytes;
  size_t capacity, size; /* [bytes] of the block, and of the snapshot */
  int taken;             /* 0: there is none */
  long step;
  int rod_count, effect_count, living_rods, living_effects;
} eli_past;

/* What a look at the step limit finds. */
typedef struct eli_look {
  elastica_step_limit limit;
  double spin2; /* [rad^2/s^2] of the fastest element, and which that is */
  int fastest_rod, fastest_element;
  double shear2; /* the largest sigma1^2 + sigma2^2 */
  double turn2;  /* [rad^2] of the joint that turns most */
  double speed2; /* [m^2/s^2] of the fastest node */
} eli_look;

/* A step that was taken back because it turned a frame too far: which step, of which size [s], and the turn [rad]. Until the world changes. */
typedef struct eli_wide_turn {
  long step; /* -1: there is none */
  double dt, angle;
} eli_wide_turn;

/* While states of rest are tried one after the other (statics/): the lanes of positions and frames of the last that was kept, and how far
 * each node and element has moved and turned since, in the order of velocities and spins. */
typedef struct eli_slips {
  double *from[12], *moved[6]; /* NULL: nothing rubs */
  int keeps;                   /* 1: the state that is asked for is kept */
} eli_slips;

/* Whether hooks are being called, and so what becomes of the sentence of a call that is refused inside them. In a run over the tiles
 * (eli_world_run_tiles) those of effects that are parallel_safe leave none, on whichever thread they are: on several they would race for
 * it. */
typedef enum eli_in_hook {
  ELI_NO_HOOK = 0,
  ELI_IN_HOOK,          /* outside a run: it becomes the message */
  ELI_IN_PARALLEL_HOOK, /* in a run, on any thread */
  ELI_IN_ORDERED_HOOK   /* in a run, on the thread that steps alone */
} eli_in_hook;

struct elastica_world {
  eli_allocator allocator;
  char message[ELI_MESSAGE_SIZE];
  elastica_status failure; /* sticks until the state of every rod is set */
  char failure_message[ELI_MESSAGE_SIZE];
  eli_moved moved;         /* for sentences */
  elastica_status refusal; /* status of the last elastica_world_refuse */

  /* What a hook of the library's own effects did not like in an answer of the caller's function; and the self of that effect, or NULL. */
  char reason[ELI_REASON_SIZE];
  const void *reason_of;

  eli_law law;
  int allow_unstable_step;
  const eli_kernels *kernels;

  /* By index, NULL for those that were removed: indices are never used again. And those that are there, in order of addition. */
  eli_slab slab;
  elastica_rod **rods;
  int rod_count;
  elastica_rod *first_rod, *last_rod, *removed_rods;
  eli_seats rod_seats, effect_seats;
  elastica_effect **effects;
  int effect_count;
  elastica_effect *first_effect, *last_effect, *removed_effects;
  eli_effect_chain common; /* those that act on all rods */
  eli_meeting meeting;

  /* Of enabled effects: how many have each hook and are not the library's own, and how many assign positions not by time alone. */
  int foreign_effects[ELI_HOOK_COUNT], effects_by_state;

  /* Kept up to date by eli_world_prepare. */
  unsigned stale;
  eli_hook_list *common_hooks, *spare_hooks; /* of rods on which no effect acts alone, and room for a longer list */
  unsigned hooks;                            /* a bit for each hook that some effect has on some rod */
  unsigned ordered;                          /* a bit for each hook that some effect, not being parallel_safe, has */
  unsigned foreign;                          /* likewise: that some effect other than the library's own has; nobody knows what it costs */
  int positions_by_time;                     /* 1: every constrain_position assigns by time alone */
  eli_tile_report *reports;                  /* one per tile */
  eli_look *looks;                           /* likewise */
  size_t tile_capacity;                      /* tiles for which these two have room */

  eli_pool *pool;
  eli_scratch *scratch; /* one per worker */
  int worker_count;
  eli_scratch query; /* derived lanes outside a step; made when they are first asked for */

  /* Time is segment_time + segment_steps * segment_dt: the same bits however calls cut a run. */
  double segment_time, segment_dt;
  long segment_steps;
  long step_count;
  eli_kept kept;
  long batch_from;     /* steps before this one are taken one by one: a batch was put back shortly before */
  double working_step; /* of elastica_world_advance */
  eli_leg leg;
  eli_sampling sampling;
  int chosen;          /* 1: it was chosen at the last look */
  int shaken;          /* 1: contact has shortened the working step, by now or before */
  int chooses;         /* 1: likewise, and while a step is chosen */
  double checked_step; /* [s] while the limit is checked: for which step, */
  int checked_steps;   /* and for how many; 0: no step is meant */

  int limits_are_stale; /* 1: the step limit is to be looked at again for some rods alone, those that are marked */
  double looked_dt;     /* the largest dt stepped with since the last look */
  int lists_are_old;    /* 1: a state was loaded; lists of pairs are those of another one until the next step */
  long looked_step;     /* the step before which it was */
  long next_check;      /* the step before which the limit is checked in any case */
  int check_interval;   /* steps from one such check to the next */
  long grows_at;        /* the step from which on the working step may grow */
  eli_wide_turn wide_turn;
  eli_look look;          /* the last one that stepping took */
  eli_watch watch;        /* how far the state may move from there */
  int look_is_asked;      /* 1: it has moved further, and the limit is checked before the next step */
  double lowest;          /* [s] the smallest step that checks would have chosen since it could last grow */
  long snapshot_interval; /* steps; 0: no state is kept */
  eli_past past[2];
  int newest;              /* of the two */
  int rewound;             /* 1: the world has gone back to it, and none was kept since */
  elastica_rod *refreshed; /* whose derived lanes are in the query scratch; NULL: none */
  eli_whole whole;
  int whole_refreshed; /* 1: it holds the derived lanes of all rods */
  eli_answer answer;
  int answered;            /* 1: it holds the loads of all rods, to which their views point */
  int asks;                /* 1: hooks are called for a question about loads or the step limit, not for a step */
  elastica_budget *budget; /* the open one, or NULL */
  eli_in_hook in_hook;
  int silent;          /* with ELI_IN_ORDERED_HOOK, 1: the effect that is being called is parallel_safe */
  int stands_still;    /* 1: hooks are called for an equilibrium, */
  int leaves_contacts; /* 1: but without the effects that press */
  int settles;         /* 1: steps are the damped ones of a relaxation, in which time stands still */
  eli_slips slips;
  int is_loading; /* 1: hooks prepare it for a snapshot */
};

/* All slots of a tile, with a scratch whose index 0 is its first slot, or NULL. */
static inline eli_sweep eli_tile_sweep(const eli_tile *tile, double *const *scratch) {
  assert(tile->count > 0 && tile->count % ELI_BLOCK == 0);
  return (eli_sweep){tile->lane[0], tile->lane[1] - tile->lane[0], scratch != NULL ? scratch[0] : NULL,
                     scratch != NULL ? scratch[1] - scratch[0] : 0, (ptrdiff_t)tile->count};
}

/* ELI_EACH_ROD(rod, world, tile) { ... }: the rods of a tile in order of addition, rod being an elastica_rod *. And those of a world. */
#define ELI_EACH_ROD(rod, world, tile)                                                                                                     \
  for (elastica_rod *rod = ((void)(world), (tile)->first_rod); rod != NULL; rod = rod->body->next_in_tile)
#define ELI_EACH_ROD_OF_WORLD(rod, world) for (elastica_rod *rod = (world)->first_rod; rod != NULL; rod = rod->body->next)

/* ELI_EACH_EFFECT(effect, rod, hook) { ... }: the enabled effects on a rod that have a hook, in order of addition. And all effects of a
 * world, or of those that are enabled the ones that act between rods. */
#define ELI_EACH_EFFECT(effect, rod, hook)                                                                                                 \
  for (elastica_effect *const *effect##_at = (rod)->body->hooks->effects + (rod)->body->hooks->first[hook],                                \
                              *const *effect##_end = (rod)->body->hooks->effects + (rod)->body->hooks->first[(hook) + 1], *effect;         \
       effect##_at < effect##_end && (effect = *effect##_at, 1); effect##_at++)
#define ELI_EACH_PAIR_EFFECT(effect, world)                                                                                                \
  for (elastica_effect *effect = (world)->meeting.effects.first; effect != NULL; effect = effect->body->next_pair)                         \
    if (effect->enabled)
#define ELI_EACH_EFFECT_OF_WORLD(effect, world)                                                                                            \
  for (elastica_effect *effect = (world)->first_effect; effect != NULL; effect = effect->body->next)

/* Whether any effect on a rod, on those of a tile, or in the world has a hook. */
static inline int eli_rod_has(const elastica_rod *rod, eli_hook hook) {
  return (rod->body->hooks->hooks & ELI_HOOK_BIT(hook)) != 0;
}

static inline int eli_tile_has(const elastica_world *world, const eli_tile *tile, eli_hook hook) {
  (void)world;
  return (tile->hooks & ELI_HOOK_BIT(hook)) != 0;
}

/* Whether an effect on a tile's rods prescribes positions, velocities or spins. */
static inline int eli_tile_constrained(const elastica_world *world, const eli_tile *tile) {
  return eli_tile_has(world, tile, ELI_CONSTRAIN_POSITION) || eli_tile_has(world, tile, ELI_CONSTRAIN_VELOCITY) ||
         eli_tile_has(world, tile, ELI_CONSTRAIN_SPIN);
}

/* Whether something acts between rods: all of them are then moved to the middle of the step before any is loaded. */
static inline int eli_world_meets(const elastica_world *world) {
  return world->meeting.enabled > 0 && !world->meeting.rests;
}

/* And with the geometry of the middle of the step, which need not be worked out again then. */
static inline int eli_world_meets_measured(const elastica_world *world) {
  return world->meeting.measured > 0 && !world->meeting.rests;
}

static inline int eli_world_has(const elastica_world *world, eli_hook hook) {
  return (world->hooks & ELI_HOOK_BIT(hook)) != 0;
}

/* Before hooks are called, and after: what must not be called from inside them is refused in between. */
static inline void eli_world_enter_hooks(elastica_world *world, eli_in_hook how) {
  world->in_hook = how;
}

static inline void eli_world_leave_hooks(elastica_world *world) {
  world->in_hook = ELI_NO_HOOK;
}

/* ---- stale.c ---- */

/* What has to be worked out again before the next step or question, in bits. A change sets only those that it needs, and eli_world_prepare
 * does only what they ask for. World, tiles and rods each have such a word; that of a tile includes those of its rods, that of the world
 * all. */
enum {
  ELI_STALE_LISTS = 1,  /* of a rod: its list of hooks; of a tile: what it needs for those that are called */
  ELI_STALE_TILES = 2,  /* lanes have moved, or a tile grew: lanes of all tiles, and room for the work on them */
  ELI_STALE_REST = 4,   /* of a tile: lanes that are prepared from constants of its rods */
  ELI_STALE_MASSES = 8, /* of a rod: its prepare hooks are due, and what they add to its masses */
  ELI_STALE_STATE = 16, /* of a rod: its constraints are to be imposed */
  ELI_STALE_LIMIT = 32, /* the step limit is looked at before the next step */
  ELI_STALE_COMMON = 64 /* the list of hooks of the effects that act on all rods; those of rods are stale, too */
};

/* Set these bits. Derived lanes that elastica_rod_refresh filled are no longer available afterwards. */
void eli_world_outdate(elastica_world *world, unsigned stale);
void eli_rod_outdate(elastica_rod *rod, unsigned stale);

/* The step limit is to be looked at again, but for this rod alone; and it need no longer be, for any rod alone. */
void eli_rod_outdate_limit(elastica_rod *rod);
void eli_world_settle_limits(elastica_world *world);

/* Derived lanes that were filled for queries are no longer available. */
void eli_world_forget_refreshed(elastica_world *world);

/* Points views to these lanes again, after others have used the views of their tiles. */
void eli_world_aim_refreshed(elastica_world *world);

/* Time now. */
static inline double eli_world_now(const elastica_world *world) {
  return world->segment_time + (double)world->segment_steps * world->segment_dt;
}

/* The time so much later; or now, while it stands still. */
static inline double eli_world_time_in(const elastica_world *world, double duration) {
  return eli_world_now(world) + (world->settles ? 0.0 : duration);
}

/* ---- messages.c ---- */

/* WRONG_STATE from inside a hook or a sampler. */
elastica_status eli_world_check_change(elastica_world *world, const char *function);

/* Replaces the message. */
void eli_world_say(elastica_world *world, const char *format, va_list arguments);

/* ---- failure.c ---- */

/* Makes the world fail with a status and a sentence; both stick. The failure is of rods that are marked (failed in state/rod.h) or whose
 * state is not sound, or, without any, of all. */
elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Ends a failure: what it has left besides the state and the history of effects is cleared. */
void eli_world_end_failure(elastica_world *world);

/* Ends the failure when the whole state of every rod that failed and is still there was set since. And notes what of one was set: 1 position, 2 velocity, 4
 * frames, 8 spins. */
void eli_world_heal(elastica_world *world);
void eli_rod_heal(elastica_rod *rod, unsigned set);

#endif
