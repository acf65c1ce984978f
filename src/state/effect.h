/* Data of an effect, and the lists of hooks to call. */
#ifndef ELI_EFFECT_H
#define ELI_EFFECT_H

#include <elastica.h>

#include "base/sentence.h"
#include "state/module.h"

/* The handle of an effect. It is never freed before the world, so that the handle of a removed effect is recognised; therefore it is
 * small. */
struct elastica_effect {
  elastica_world *world;
  elastica_rod *rod;            /* NULL: every rod */
  struct eli_effect_body *body; /* NULL: the effect was removed */
  union {
    void *self;
    elastica_effect *next_removed;
  };
  int index;
  int enabled;
};

/* The table of indices adds 8 bytes, and while it doubles the old table exists beside the new one: together at most 64 bytes. */
_Static_assert(sizeof(struct elastica_effect) <= 40, "what is left of a removed effect");

typedef struct eli_effect_body {
  elastica_module module;
  void *copy;                 /* the library's copy of self, or NULL */
  const eli_built_in *kind;   /* kind of one of the library's own effects; NULL: a user's module */
  size_t own_size;            /* [bytes] the last answer of save_size */
  int was_enabled;            /* while a snapshot is loaded: the flag from before */
  int table_index;            /* index for arrays of per-effect data, smaller than the largest number of effects that existed at once */
  unsigned hooks;             /* one bit for each hook of the module */
  char label[ELI_LABEL_SIZE]; /* name, shortened for sentences */
  elastica_effect *previous, *next;             /* neighbours among all effects, in order of addition */
  elastica_effect *previous_alike, *next_alike; /* neighbours among the effects on the same rod, or on every rod */
  elastica_effect *previous_pair, *next_pair;   /* neighbours among the effects between rods */
} eli_effect_body;

/* The table of hooks: every hook that elastica_module has, in the order of its fields, X(number, field, kind of signature). A new hook
 * needs a field of elastica_module and a line here.
 *   PREPARES   (self, rod, argument)            INSTANT  (self, now, rod)
 *   NUMBER     double (self, time, rod)         WRITES   (self, now, rod, argument)
 *   PAIRS    (self, now, argument), for all rods at once */
#define ELI_HOOKS(X)                                                                                                                       \
  X(ELI_PREPARE, prepare, PREPARES)                                                                                                        \
  X(ELI_BEGIN_STEP, begin_step, INSTANT)                                                                                                   \
  X(ELI_ADD_WORLD_LOADS, add_world_loads, PAIRS)                                                                                           \
  X(ELI_ADD_RESULTANTS, add_resultants, WRITES)                                                                                            \
  X(ELI_ADD_LOADS, add_loads, WRITES)                                                                                                      \
  X(ELI_ADD_REACTIONS, add_reactions, WRITES)                                                                                              \
  X(ELI_CONSTRAIN_POSITION, constrain_position, WRITES)                                                                                    \
  X(ELI_CONSTRAIN_VELOCITY, constrain_velocity, WRITES)                                                                                    \
  X(ELI_CONSTRAIN_SPIN, constrain_spin, WRITES)                                                                                            \
  X(ELI_ADD_STIFFNESS, add_stiffness, WRITES)                                                                                              \
  X(ELI_ADD_WORLD_STIFFNESS, add_world_stiffness, PAIRS)                                                                                   \
  X(ELI_ADD_TANGENT, add_tangent, WRITES)                                                                                                  \
  X(ELI_OBSERVE, observe, INSTANT)                                                                                                         \
  X(ELI_ENERGY, energy, NUMBER)                                                                                                            \
  X(ELI_POWER, power, NUMBER)

#define ELI_HOOK_NUMBER(number, field, kind) number,
typedef enum eli_hook { ELI_HOOKS(ELI_HOOK_NUMBER) ELI_HOOK_COUNT } eli_hook;
#undef ELI_HOOK_NUMBER

#define ELI_HOOK_BIT(hook) (1u << (hook))

/* The effects to call for a rod: hook h calls effects[first[h]] .. effects[first[h + 1] - 1], in order of addition. Rods without effects of
 * their own share one list. */
typedef struct eli_hook_list {
  unsigned hooks; /* one bit for each hook with at least one effect */
  size_t capacity;
  size_t first[ELI_HOOK_COUNT + 1];
  elastica_effect *effects[];
} eli_hook_list;

/* One call of add_loads with the data that a step reads for it, copied together because effects and rods lie far apart in memory. */
typedef struct eli_load_call {
  const elastica_effect *effect;
  elastica_rod *rod;
  int (*is_idle)(void *self, const elastica_instant *now, const elastica_rod_view *rod); /* or NULL */
  elastica_status (*add_loads)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  void *self;
  const elastica_rod_view *view;
  size_t first;                    /* index of the rod's first slot in the lanes of its tile */
  int first_written, last_written; /* indices of nodes and elements */
  int rod_index, parallel_safe;
} eli_load_call;

/* Returns 1 if the effect reports the stiffness of its contacts, so that statics can leave their loads out. */
static inline int eli_reports_contacts(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->contact_stiffness != NULL;
}

static inline int eli_has_one_sided(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->one_sided != NULL;
}

/* Effects on one rod, or on every rod, in order of addition. */
typedef struct eli_effect_chain {
  elastica_effect *first, *last;
} eli_effect_chain;

#endif
