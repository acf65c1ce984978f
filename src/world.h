/* The inside of a world: rods in their slab, effects and the lists of hooks to call, workers and their scratch, time. */
#ifndef ELI_WORLD_H
#define ELI_WORLD_H

#include <elastica.h>
#include <stdarg.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sentence.h"
#include "kernels/kernels.h"
#include "rod.h"
#include "slab.h"

enum { ELI_LOOK_INTERVAL = 64 };

/* The largest angle between two neighbouring frames, in rad: near half a turn a rotation cannot be told from one
 * the other way round. */
#define ELI_JOINT_LIMIT 3.0

struct elastica_effect {
  elastica_world *world;
  elastica_rod *rod; /* NULL: all */
  elastica_module module;
  void *self;
  void *copy; /* the library's copy of self, or NULL */
  int index;
  int enabled;
  int built_in;               /* 1: its hooks and self are the library's own */
  char label[ELI_LABEL_SIZE]; /* its name, as short as a sentence needs it */
};

/* Hooks that are called rod by rod. */
typedef enum eli_hook {
  ELI_BEGIN_STEP,
  ELI_ADD_RESULTANTS,
  ELI_ADD_LOADS,
  ELI_ADD_REACTIONS,
  ELI_CONSTRAIN_POSITION,
  ELI_CONSTRAIN_VELOCITY,
  ELI_CONSTRAIN_SPIN,
  ELI_ADD_STIFFNESS,
  ELI_OBSERVE,
  ELI_PREPARE, /* this one and the next outside a step */
  ELI_ENERGY,
  ELI_HOOK_COUNT
} eli_hook;

/* Who is called, for each rod, in order of addition: entries first[rod] .. first[rod + 1] - 1. */
typedef struct eli_hook_list {
  elastica_effect **effects;
  size_t *first;
} eli_hook_list;

typedef struct eli_scratch {
  void *memory;
  size_t capacity;
  double *lane[ELI_SCRATCH_COUNT];
} eli_scratch;

/* What went wrong in a tile during one step: trips of the kernels, or a hook that returned an error. */
typedef struct eli_tile_report {
  unsigned trips;
  elastica_status status; /* of the first hook, by rod and effect, that returned an error */
  int rod_index;
  const elastica_effect *effect;
  eli_hook hook;
} eli_tile_report;

struct elastica_world {
  eli_allocator allocator;
  char message[ELI_MESSAGE_SIZE];
  elastica_status failure; /* sticks */

  eli_law law;
  int allow_unstable_step;
  const eli_kernels *kernels;

  eli_slab slab;
  elastica_rod **rods;
  int rod_count;
  elastica_effect **effects;
  int effect_count;

  /* Made anew by eli_world_prepare when something changed. */
  int prepared;
  eli_hook_list hooks[ELI_HOOK_COUNT];
  void *hook_memory;
  int parallel;             /* 1: every hook may run on any thread */
  int positions_by_time;    /* 1: every constrain_position assigns by time alone */
  eli_tile_report *reports; /* one per tile */

  eli_pool *pool;
  eli_scratch *scratch; /* one per worker */
  int worker_count;

  /* Time is segment_time + segment_steps * segment_dt: the same bits however calls cut a run. */
  double segment_time, segment_dt;
  long segment_steps;
  long step_count;
  double working_step; /* of elastica_world_advance */
  int chosen;          /* 1: it was chosen at the last look */

  double looked_dt;          /* the largest dt stepped with since the last look; 0: look before the next step */
  elastica_step_limit limit; /* of the last look */
  double fastest_spin;       /* [rad/s] of all elements at the last look, and whose it is */
  int fastest_rod, fastest_element;
  const elastica_rod *refreshed;
  int in_hook;
};

/* Something that steps depend on has changed: prepare and look before the next one. */
void eli_world_touch(elastica_world *world);

/* Brings the geometry lanes of a tile up to date, also before a world is prepared. */
void eli_tile_measure(elastica_world *world, size_t tile);

/* Refuses (message and status) when called from inside a hook or, with running != 0, after a failure. */
elastica_status eli_world_check_open(elastica_world *world, const char *function, int running);

/* effects.c, prepare.c */

/* Builds the lists of hooks, masses and scratch, calls prepare hooks, imposes constraints and brings the geometry up to date. After a failure it
 * does nothing: the world is as prepared as it gets. */
elastica_status eli_world_prepare(elastica_world *world);
void eli_world_release_effects(elastica_world *world);

/* What the effects of a rod of a prepared world report through their energy hooks. Not from inside a hook. */
double eli_rod_effect_energy(const elastica_rod *rod);

/* rod_refresh.c: derived lanes of all rods of a tile, at the present state of a prepared world; then of all but this rod they are given up. A
 * status other than OK is that of a refused call. Not from inside a hook. */
elastica_status eli_tile_refresh(elastica_world *world, size_t tile);
void eli_tile_keep(elastica_rod *rod);

/* Name of a hook, as in elastica_module. */
const char *eli_hook_name(eli_hook hook);

/* Calls one hook of one effect for a rod, as below. */
int eli_call_hook(elastica_effect *effect, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                  eli_tile_report *report);

/* Calls one hook of every effect of a rod; a failure is written to report and stops the tile. argument is the hook's last parameter. Returns 0
 * when a hook failed. */
int eli_call_hooks(elastica_world *world, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                   eli_tile_report *report);

/* Says that a hook failed and makes it stick; the status is CALLBACK_FAILED or JOINT_TOO_FAR. */
elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time);

/* step_limit.c: works out limit and fastest_spin. */
elastica_status eli_world_look(elastica_world *world);

/* Writes "(shear mode of rod 3, element 17; rotary inertia scale 1)" or the like about a limit. */
const char *eli_limit_text(const elastica_world *world, const elastica_step_limit *limit, char *text, size_t size);

/* trip_wire.c: says what went wrong in the step that ended at time with these trips, and makes it stick. */
elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt);

/* Time now. */
double eli_world_now(const elastica_world *world);

/* Sets the sticking failure with a sentence. */
elastica_status eli_world_fail(elastica_world *world, elastica_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
