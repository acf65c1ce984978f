/* An effect inside the library: its module, and the lists of whom to call. */
#ifndef ELI_EFFECT_H
#define ELI_EFFECT_H

#include <elastica.h>

#include "base/module.h"
#include "base/sentence.h"

/* What a handle points to: it stays when the effect is removed, so that the handle is known as one, and is kept small for that. */
struct elastica_effect {
  elastica_world *world;
  elastica_rod *rod;            /* NULL: all */
  struct eli_effect_body *body; /* NULL: it was removed */
  union {
    void *self;
    elastica_effect *next_removed;
  };
  int index;
  int enabled;
};

/* With 8 bytes in the table of indices, which doubles as it grows and stands beside the old one then: at most 64. */
_Static_assert(sizeof(struct elastica_effect) <= 40, "what is left of a removed effect");

typedef struct eli_effect_body {
  elastica_module module;
  void *copy;                                   /* the library's copy of self, or NULL */
  const eli_built_in *kind;                     /* of the library's own, else NULL */
  size_t own_size;                              /* [bytes] what its save_size told last */
  int was_enabled;                              /* while a snapshot is being loaded: before */
  int seat;                                     /* a number below that of the most effects there have been at a time */
  unsigned hooks;                               /* a bit for each that the module has */
  char label[ELI_LABEL_SIZE];                   /* its name, as short as a sentence needs it */
  elastica_effect *previous, *next;             /* of the world's, in order of addition */
  elastica_effect *previous_alike, *next_alike; /* of those with the same rod, or all rods, likewise */
  elastica_effect *previous_pair, *next_pair;   /* of those that act between rods, likewise */
} eli_effect_body;

/* The table of hooks: all that elastica_module has for each rod, in the order of its fields, X(number, field, kind of signature). A new
 * hook is a field of elastica_module and a line here.
 *   PREPARES   (self, rod, argument)            INSTANT  (self, now, rod)
 *   NUMBER     double (self, time, rod)         WRITES   (self, now, rod, argument)
 *   MEETS      (self, now, argument)            of all rods at once */
#define ELI_HOOKS(X)                                                                                                                       \
  X(ELI_PREPARE, prepare, PREPARES)                                                                                                        \
  X(ELI_BEGIN_STEP, begin_step, INSTANT)                                                                                                   \
  X(ELI_ADD_WORLD_LOADS, add_world_loads, MEETS)                                                                                           \
  X(ELI_ADD_RESULTANTS, add_resultants, WRITES)                                                                                            \
  X(ELI_ADD_LOADS, add_loads, WRITES)                                                                                                      \
  X(ELI_ADD_REACTIONS, add_reactions, WRITES)                                                                                              \
  X(ELI_CONSTRAIN_POSITION, constrain_position, WRITES)                                                                                    \
  X(ELI_CONSTRAIN_VELOCITY, constrain_velocity, WRITES)                                                                                    \
  X(ELI_CONSTRAIN_SPIN, constrain_spin, WRITES)                                                                                            \
  X(ELI_ADD_STIFFNESS, add_stiffness, WRITES)                                                                                              \
  X(ELI_OBSERVE, observe, INSTANT)                                                                                                         \
  X(ELI_ENERGY, energy, NUMBER)                                                                                                            \
  X(ELI_POWER, power, NUMBER)

#define ELI_HOOK_NUMBER(number, field, kind) number,
typedef enum eli_hook { ELI_HOOKS(ELI_HOOK_NUMBER) ELI_HOOK_COUNT } eli_hook;
#undef ELI_HOOK_NUMBER

#define ELI_HOOK_BIT(hook) (1u << (hook))

/* Who is called for a rod, in order of addition: for each hook the effects first[hook] .. first[hook + 1] - 1. Rods on which no effect acts
 * alone share one list. */
typedef struct eli_hook_list {
  unsigned hooks; /* a bit for each that is not empty */
  size_t capacity;
  size_t first[ELI_HOOK_COUNT + 1];
  elastica_effect *effects[];
} eli_hook_list;

/* add_loads of an effect on a rod, with what a step reads to call it: effects and rods lie far apart in memory. */
typedef struct eli_load_call {
  const elastica_effect *effect;
  elastica_rod *rod;
  const eli_built_in *kind; /* of the effect, or NULL */
  elastica_status (*add_loads)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  void *self;
  const elastica_rod_view *view;
  size_t first; /* index of the rod's first slot in the lanes of its tile */
  int rod_index, parallel_safe;
} eli_load_call;

/* Effects of one rod, or of all rods, in order of addition. */
typedef struct eli_effect_chain {
  elastica_effect *first, *last;
} eli_effect_chain;

#endif
