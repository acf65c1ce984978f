/* The door through which the library's own effects use the library, beyond what elastica.h offers to everybody: adding and setting, memory,
 * and where the world stands. What is declared here lives in base/module.c, effects/ and state/. */
#ifndef ELI_MODULE_H
#define ELI_MODULE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "base/definition.h"
#include "base/memory.h"
#include "base/record.h"

/* ---- Adding and setting ---- */

/* One call of an add or set function. */
typedef struct eli_request {
  elastica_world *world;
  elastica_rod *rod;    /* NULL: every rod */
  const char *function; /* "add_clamp", for sentences */
  void *old;            /* of the effect that is set, its self; NULL: it is added */
} eli_request;

/* Functions of the user's that an effect calls, whatever their type, and the pointer that they are handed. */
typedef struct eli_function {
  void (*function)(void);
  void (*drive)(void); /* of a joint, besides its motion */
  void *user;
} eli_function;

struct eli_body;
struct eli_join;
struct eli_press;

/* What one effect between two bodies adds: to the second a force, and to the first its opposite [N], laboratory, at a point between two nodes;
 * where it turns them, to the second the second couple, and to the first the opposite of the first [N m], each material. And where that goes,
 * so that who adds it need not look it up: components are `stride` apart. */
typedef struct eli_found {
  int is_found, turns;
  elastica_status status;
  double force[3], couple[2][3];
  double share[2];                 /* 0: all of the force to the node; else this part to the one behind it */
  double *to_node[2], *to_turn[2]; /* NULL: not a body */
  ptrdiff_t stride[2];
} eli_found;

/* Adds sign times a force and a couple to a body, NULL: none; where they go and share are as in eli_found. */
static inline void eli_add_to_body(double *node, double *turn, ptrdiff_t stride, double share, double sign, const double force[3],
                                   const double couple[3]) {
  for (int a = 0; a < 3; a++, node += stride) {
    if (share == 0.0) {
      node[0] += sign * force[a];
      continue;
    }
    const double second = share * force[a];
    node[0] += sign * (force[a] - second);
    node[1] += sign * second;
  }
  if (couple == NULL) return;
  for (int a = 0; a < 3; a++, turn += stride) *turn += sign * couple[a];
}

static inline void eli_add_found(const eli_found *found) {
  for (int k = 0; k < 2 && found->to_node[k] != NULL; k++)
    eli_add_to_body(found->to_node[k], found->to_turn[k], found->stride[k], found->share[k], k == 0 ? -1.0 : 1.0, found->force,
                    found->turns ? found->couple[k] : NULL);
}

/* A joint that ties the frames of two bodies by springs alone, as long as its effect is not set: at points between the nodes of elements, with
 * offsets that their frames carry. pose: of the second frame against the first, where the spring that turns is at rest. */
typedef struct eli_tie {
  const elastica_rod_view *rod[2];
  int element[2];
  double share[2], offset[2][3], pose[9];
  double stiffness, turning; /* [N/m] [N m/rad] */
} eli_tie;

/* A kind of effect, as its add and set functions know it.
 *
 * describe reads a checked definition: it refuses what no table of fields can tell, fills self, which is zeroed and of self_size bytes, and
 * gives the module its hooks. The module is then initialised, without derived lanes and parallel_safe.
 * Without create, the world keeps a copy of self. With it, self only carries parameters: create makes what the world borrows, NULL when
 * there is no memory, and apply, which cannot fail, writes the parameters there, when the effect is added and when it is set. The module's
 * destroy hook releases it. */
typedef struct eli_built_in {
  const char *name;         /* of the effect: "clamp" */
  const eli_layout *layout; /* of its definition; NULL: what is given goes to describe as it is */
  int every_rod;            /* 1: rod NULL stands for every rod, also those added later; 0: it is refused */
  int rigid_bodies;         /* 1: it may act on a rigid body alone; 0: that is refused */
  size_t self_size;
  elastica_status (*describe)(const eli_request *request, const void *def, void *self, elastica_module *module);
  void *(*create)(const eli_request *request, const void *self);
  void (*apply)(void *own, const void *self);

  /* What of it a snapshot has: history, and the parameters that its set function changes; not functions, pointers and what follows from the
   * rod. own is the effect's self; rod is NULL where it acts on every rod. The size of the record depends on the rods alone. READ also gives
   * the module the hooks that these parameters need. */
  void (*keep)(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module);

  /* Optional, for kinds with a function: tells that of own; or, with set, gives it this one. */
  void (*function)(void *own, eli_function *of, int set);

  double (*full_time)(const void *self); /* optional: the time [s] from which its loads are all there; before, they ramp up */

  /* Optional, with create: what own was when self had been applied for the first time; arrays that self points to are gone by now. Without it,
   * apply does that. */
  void (*reset)(void *own, const void *self);

  /* Optional: chooses anew what the definition had left to the state of the rod when the effect was added. */
  void (*settle)(void *self, const elastica_rod_view *rod);

  /* Optional, where every_rod: releases what is kept for a rod, which is about to be removed. */
  void (*forget_rod)(void *self, const elastica_rod_view *rod);

  /* Optional: the state of a rod was set, which no step has led to: what is told of its last step is gone. */
  void (*forget_step)(void *self, const elastica_rod_view *rod);

  /* Optional: calls visit with each piece of memory of its own that holds the history which add_reactions moves, in the same order each time.
   * Steps that are taken again find it as it was. */
  void (*each_history)(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context);

  /* Optional, where the size of that changes in steps: keeps it as it is now, 0 when memory runs out; and puts back what was kept last. */
  int (*keep_history)(void *own);
  void (*put_back_history)(void *own);

  /* Of what acts between rods, with add_world_loads and added for the first of them: whether it acts on this one, too, with which it is then
   * removed; and what add_stiffness is to others, for all of them at once: lanes of all rods by number. */
  int (*acts_on)(const void *self, const elastica_rod_view *rod);
  elastica_status (*add_bounds)(void *self, const elastica_instant *now, const elastica_stiffness *rods);

  /* Optional, there: whether the last add_world_loads failed for this rod. Without it a failure is of all rods on which it acts. */
  int (*fails_for)(const void *self, const elastica_rod_view *rod);

  int (*joins)(const void *self, struct eli_join *out); /* optional, there: 1 where it holds two rods together */

  /* Optional, there: add_world_loads in two. find reads the views alone, and may be called by several threads, each for other effects of
   * the kind; is_found is 0 for those that would call functions of the caller's, for which add_world_loads is called. */
  void (*find)(const elastica_world *world, const void *const *self, int count, const elastica_instant *now, const elastica_loads *loads,
               eli_found *found);
  int (*ties)(const void *self, eli_tie *out); /* with find: 1 where it is such a joint, which kernels then find, several side by side */

  /* Optional, there. rests, between two steps: 1 where add_world_loads would add nothing, and goes on to add nothing until has_left is 1 for
   * one of its rods at the middle of a step. Until then rods need not wait for each other. has_left may be called by several threads. */
  int (*rests)(void *self, double dt);
  int (*has_left)(const void *self, const elastica_rod_view *rod);

  /* Optional, for what presses surfaces apart that come near each other, and through which who moves rods at will must not move them:
   * shows the stiffness of each contact between elements of rods, or of one with an obstacle, at the present positions. OUT_OF_MEMORY,
   * CALLBACK_FAILED. */
  elastica_status (*press)(void *self, double time, void (*visit)(void *context, const struct eli_press *press), void *context);
  double (*friction)(const void *self); /* with it: its coefficient */

  /* Optional: what its add_loads has found where it returns UNSTABLE_STEP for a rod, as a sentence without its end. */
  void (*explain)(const void *self, const elastica_rod_view *rod, char *text, size_t size);

  elastica_status (*stands)(const void *self, double time, struct eli_body *out); /* optional: the solid that it is, and where it stands */

  /* What lets a step pass over what its add_loads does not need. */
  int adds_rates;                      /* 1: it adds rates of dissipation, too */
  int reads_lengths;                   /* without needs_geometry, its add_loads or add_reactions still reads 1: lengths; 2: lengths,
                                        * and in the rescaled law dilatations */
  int only_adds_resultants;            /* 1: its add_resultants reads neither resultants nor derived lanes */
  int (*dissipates)(const void *self); /* optional, where that does not show as rates */
  int damps_motion_alone;              /* 1: its reactions vanish at rest and do not bear loads: equilibria do not ask for them */
  void (*damping)(const void *self, double *half_translation, double *rotation); /* optional: all that it adds are rates by length, which
                                                          * the kick can work out itself, see eli_rates_add */
  void (*reach)(const void *self, int *first, int *last); /* optional: the first and last index of nodes and elements that it writes to */
  int (*idle)(void *self, const elastica_rod_view *rod,
              double dt); /* optional. 1: it would add nothing now, and is not called; 0: it is called,
                                                          * with the geometry. idle itself sees positions and velocities only */
} eli_built_in;

/* The largest definition and the largest self [bytes]. */
enum { ELI_SELF_ROOM = 1024 };

/* sizeof, which does not compile beyond the room. */
#define ELI_SELF_SIZE(type) (sizeof(type) + 0 * sizeof(char[sizeof(type) <= ELI_SELF_ROOM ? 1 : -1]))

elastica_status eli_add_built_in(const eli_built_in *kind, elastica_world *world, elastica_rod *rod, const void *def,
                                 elastica_effect **out);
elastica_status eli_set_built_in(const eli_built_in *kind, elastica_effect *effect, const void *def);

/* The effect is the library's own, and of this kind. */
int eli_effect_is(const elastica_effect *effect, const eli_built_in *kind);
elastica_status eli_check_effect(elastica_effect *effect, const char *function, const eli_built_in *kind);

/* ---- The world (effects/, state/, world/) ---- */

/* The handle is one of something that is there: NULL and what was removed are refused; in a world also what belongs to another. */
elastica_status eli_rod_check(const elastica_rod *rod, const char *function);
elastica_status eli_rod_check_in(elastica_world *world, const elastica_rod *rod, const char *function);
elastica_status eli_effect_check(const elastica_effect *effect, const char *function);

/* Before a function of the caller's, such as a motion, is called from outside steps and questions, and after: in between is refused what is
 * refused inside hooks. */
void eli_world_enter_call(elastica_world *world);
void eli_world_leave_call(elastica_world *world);

/* A number of a rod, below that of the most rods that the world has had at a time: for arrays of what belongs to rods. It is given again
 * when the rod is removed. */
int eli_world_seat(const elastica_world *world, int rod_index);

/* The contact_group of a rod. */
int eli_world_contact_group(const elastica_world *world, int rod_index);

/* Two places that an effect holds together, with which contact does not interfere: on elements of two rods, 0..1 along them. */
typedef struct eli_join {
  const elastica_rod_view *rod[2];
  int element[2];
  double share[2];
} eli_join;

/* A contact: of two elements, or of one with an obstacle. stiffness: minus the derivative of what acts on it by where it is, 3 numbers each
 * for the ends of the first, the ends of the second (forces [N], laboratory), and the frames of either (couples [N m] and turns, material). */
enum { ELI_PRESS_PARTS = 6, ELI_PRESS_SIZE = 18 };
typedef struct eli_press {
  const elastica_rod_view *rod[2]; /* the second may be NULL */
  int element[2];
  int rubs;                                         /* 0: frames feel nothing of it */
  double stiffness[ELI_PRESS_SIZE][ELI_PRESS_SIZE]; /* row: of what acts */
} eli_press;

/* Adds a spring k_t [N/m] across the normal, between points at these shares of the elements and levers [m] beside them. */
void eli_press_stick(eli_press *press, double stiffness, const double normal[3], const double share[2], const double lever[2][3]);

/* Those of all effects that are switched on, in order of addition; and a number that changes when they do. */
unsigned eli_world_joins(const elastica_world *world);
void eli_world_each_join(const elastica_world *world, void (*visit)(void *context, const eli_join *join), void *context);

/* The kind of one of the library's own effects; NULL: a module of a user. */
const eli_built_in *eli_effect_kind(const elastica_effect *effect);

/* described: the self that create was given, or NULL.
 * elastica_world_add_module and elastica_effect_set_module for the library's own effects: sentences name the function that was called, and
 * the public elastica_effect_set_module refuses the effect from then on. */
elastica_status eli_add_effect(const eli_built_in *kind, elastica_world *world, elastica_rod *rod, const elastica_module *module,
                               const char *function, const void *described, elastica_effect **out);
elastica_status eli_set_effect(elastica_effect *effect, const elastica_module *module, const char *function);

/* WRONG_STATE from inside a hook; and, with running != 0, from inside a sampler, and after a failure, whose sentence is then repeated. */
elastica_status eli_check_outside_hook(elastica_world *world, const char *function);
elastica_status eli_world_check_open(elastica_world *world, const char *function, int running);

/* From a hook that is not parallel_safe and is about to fail: what is wrong, for the sentence of that failure, with the self of the effect.
 * Returns CALLBACK_FAILED. Nothing is kept where world is NULL. */
elastica_status eli_world_explain(elastica_world *world, const void *self, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* What was explained last; of an effect that is not yet added, after a function that explains has failed. */
const char *eli_world_reason(const elastica_world *world);

/* The step limit [s] of an element of a rod, and of those that share a node with it, where it is smaller than dt; NaN after a failure. */
elastica_status eli_world_limit_near(elastica_world *world, int rod_index, int element, const char *function, double *dt);

/* In add_world_loads: runs a task for every index, by all workers of the world where work [ns] repays it. No task may write what another
 * reads or writes. */
void eli_world_share(const elastica_world *world, size_t count, double work, void (*task)(void *context, int worker, size_t index),
                     void *context);

/* For memory of a module's own. It is released in the module's destroy hook. */
const eli_allocator *eli_world_allocator(const elastica_world *world);

/* In add_reactions: writes the velocities that constraints prescribe for the end of the step, NaN where nothing does. They are 3 lanes of
 * nodes. Returns 0, and writes nothing, where nothing prescribes any. A hook that fails here fails again where it is due. */
int eli_world_constrain_velocities(elastica_world *world, const elastica_instant *now, const elastica_rod_view *rod,
                                   double *const velocity[3]);

/* 1 while hooks are called for an equilibrium, not for a step. */
int eli_world_stands_still(const elastica_world *world);

/* 1 also in damped steps: what is prescribed is where it is now, and stands. */
int eli_world_time_stands(const elastica_world *world);

/* 1 while states of rest are tried one after the other: a view of the rod whose velocities and spins are how far it has moved since the last
 * that was kept, which friction resists. And whether this one is kept, so that the history of friction moves on. */
int eli_world_slips(const elastica_world *world, int rod_index, elastica_rod_view *out);
int eli_world_keeps(const elastica_world *world);

/* 1 while contacts that press are left out, because their stiffness is known. */
int eli_world_leaves_contacts(const elastica_world *world);

/* 1 while hooks are called for someone who asks, between two steps, for loads or for the step limit: what reactions keep of a step for queries
 * must stay, and what an effect knows of the bounds that steps rely on. */
int eli_world_asks(const elastica_world *world);

/* 1 where the library chooses the step, in a step and in a limit check: contact is resolved then (contact/resolve.h). And the step [s] for
 * which the limit is checked. */
int eli_world_chooses(const elastica_world *world);
double eli_world_checked_step(const elastica_world *world);

/* [s] In a limit check: the time until the next; infinite where somebody asks for the limit. */
double eli_world_horizon(const elastica_world *world);

/* In add_reactions: visits the effects whose add_reactions came before that of self on this rod, in that order. */
void eli_world_each_reaction_before(const elastica_world *world, int rod_index, const void *self,
                                    void (*visit)(void *context, const elastica_effect *effect, void *effect_self), void *context);

/* [m/s^2] In add_stiffness of what acts on bodies with reactions: that of such a body under all other loads. */
double eli_world_acceleration(const elastica_world *world, int rod_index);

/* 1 while hooks prepare rods for a snapshot that is being loaded: its state was reached by steps, whatever may be set. */
int eli_world_is_loading(const elastica_world *world);

/* Adds gamma_t (l_{i-1} + l_i)/2 to drag for the nodes 1 .. count - 1 of a rod, half being gamma_t/2, and rotation l_j to spin_drag for its
 * elements 0 .. count - 1. By the instruction set of the world (kernels/dissipation.inl). */
typedef void eli_rates_add(double *drag, double *spin_drag, const double *length, int count, double half, double rotation);
eli_rates_add *eli_world_rates_add(const elastica_world *world);

/* The most steps from one check of the step limit to the next: what add_stiffness adds must bound for so long. */
enum { ELI_LOOK_INTERVAL = 64 };

/* A spring that begins at a kink, where a cable goes slack or a muscle would push, feeds motion in steps that resolve its swing badly: it
 * counts with so many times its stiffness. At 0.8 of the limit energy then stays; counted once, it grew a millionfold in 50,000 steps. */
#define ELI_KINK 4.0

#endif
