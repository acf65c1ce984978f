/* Interface of the library's own effects to the world, in addition to elastica.h: the kind of an effect, memory, and the state of the
 * world. hooks/built_in.h adds and sets them. */
#ifndef ELI_MODULE_H
#define ELI_MODULE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/record.h"
#include "kernels/kernels.h"
#include "state/definition.h"

/* ---- Adding and setting ---- */

/* Arguments of one call of an add or set function. */
typedef struct eli_request {
  elastica_world *world;
  elastica_rod *rod;    /* NULL: every rod */
  const char *function; /* public name for messages, such as "add_boundary" */
  void *old;            /* self of the effect that is set; NULL: the effect is added */
} eli_request;

struct eli_body;
struct eli_join;
struct eli_contact_stiffness;
struct eli_one_sided;

/* Loads of one effect between two bodies, with the addresses of their destinations. The force [N, laboratory] acts on the second body and
 * its opposite on the first, at a point between two nodes. With turns != 0 the second couple acts on the second body and the opposite of
 * the first couple on the first [N m, each in material components]. Components of a destination are `stride` apart. */
typedef struct eli_found {
  int is_found, turns, check_again; /* check_again: as in elastica_loads */
  elastica_status status;
  double force[3], couple[2][3];
  double share[2];                 /* fraction of the force that goes to the next node; 0: all goes to this node */
  double *to_node[2], *to_turn[2]; /* NULL: no body */
  ptrdiff_t stride[2];
} eli_found;

/* Adds sign times a force and a couple (may be NULL) to a body; destination and share are as in eli_found. */
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

/* A joint that connects the frames of two bodies by linear springs alone and stays unchanged until its effect is set. The springs act at
 * points between the nodes of elements, offset by vectors fixed in the frames. pose: frame of the second body relative to the first at zero
 * couple. */
typedef struct eli_fixed_joint {
  const elastica_rod_view *rod[2];
  int element[2];
  double share[2], offset[2][3], pose[9];
  double stiffness, turning, deviator[6]; /* [N/m] [N m/rad] as in eli_joint */
  double widest;                          /* sin^2 of the angle up to which kernels compute it */
} eli_fixed_joint;

/* A kind of effect, as its add and set functions know it: its definition, its record in a snapshot, and the few facts that no user's effect
 * could want: those of fixed joints that kernels compute in lanes, of contact in statics, of the damper in the kick, of solids to draw.
 * Everything else that an effect can do stands in elastica_module.
 *
 * describe reads a checked definition. It refuses errors that the table of fields cannot express, fills self (zeroed, self_size bytes), and
 * sets the hooks of the module. The module is initialised without derived lanes and as parallel_safe. Without create, the world keeps a
 * copy of self. With create, self only carries parameters: create makes the object that the world borrows (NULL if memory runs out), and
 * apply, which cannot fail, writes the parameters to it when the effect is added or set. The destroy hook of the module releases it.
 */
typedef struct eli_built_in {
  const char *name;         /* name of the effect, such as "boundary" */
  const eli_layout *layout; /* fields of its definition; NULL: describe receives the argument unchecked */
  int every_rod;            /* 1: rod NULL means every rod, including rods added later; 0: rod NULL is refused */
  int rigid_bodies;         /* 1: it may act on a single rigid body; 0: rigid bodies are refused */
  int is_boundary;          /* 1: a boundary: with add_loads a half-cell ties a frame to its support */
  size_t self_size;
  elastica_status (*describe)(const eli_request *request, const void *def, void *self, elastica_module *module);
  void *(*create)(const eli_request *request, const void *self);
  void (*apply)(void *own, const void *self);

  /* Writes or reads the part of own (the self of the effect) that a snapshot contains: history, and parameters that its set function can
   * change. Functions, pointers and values that follow from the rod are not included. eli_def_keep does it for own parameters that are a
   * definition. rod is NULL for an effect on every rod. The size of the record depends only on the rods. READ also sets the hooks of the
   * module that these parameters need. */
  void (*keep)(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module);

  /* Optional, for effects with a user function: gets the function of own or, with set, replaces it. */
  void (*function)(void *own, eli_function *of, int set);

  const struct eli_prescribed *(*prescribed)(const void *self); /* with a motion: the place that it moves */

  /* Optional: add_loads and add_resultants for a part of an open rod, nodes and elements first .. end - 1 with the joints at these nodes,
   * if it depends only on the state of these. All indices are those of the rod. The first and the last of a part that is not an end of the
   * rod may get a wrong load. A long rod with effects that have these functions, or stays_near, is stepped in windows (step/stepper.c). */
  elastica_status (*add_loads_to)(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                  elastica_loads *loads);
  elastica_status (*add_resultants_to)(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                       elastica_resultants *resultants);
  int (*is_local)(const void *self); /* optional, with add_loads_to: 0 if these parameters make it depend on the state of the whole rod */
  int stays_near; /* 1: add_loads reads the state of no nodes and elements but first_written - 1 .. last_written + 2 of its module */

  /* Optional: discards the data of a rod's last step, because the state of the rod was set and does not follow from that step. */
  void (*forget_step)(void *self, const elastica_rod_view *rod);

  int (*joins)(const void *self, struct eli_join *out); /* optional, between rods: 1 if it connects two rods */

  /* Optional, between rods: first part of add_world_loads. It only reads the views, and several threads may call it, each for other effects
   * of this kind. is_found is 0 for effects that would call user functions; for them add_world_loads is called. */
  void (*find)(const elastica_world *world, const void *const *self, int count, const elastica_instant *now, const elastica_loads *loads,
               eli_found *found);
  int (*fixed_joint)(const void *self,
                     eli_fixed_joint *out); /* with find: 1 if it is such a fixed joint; kernels then compute several at once */

  /* Optional, for contact: reports the stiffness of each contact between elements of rods, or of an element and an obstacle, at the present
   * positions. Relaxation uses it, and never moves rods through such a contact. OUT_OF_MEMORY, CALLBACK_FAILED. */
  elastica_status (*contact_stiffness)(void *self, double time, void (*visit)(void *context, const struct eli_contact_stiffness *contact),
                                       void *context);
  /* Optional: writes the first `capacity` contact points, and the number of all to *count (elastica_contact_get). */
  elastica_status (*contacts)(elastica_effect *effect, const char *function, elastica_contact_point *points, int capacity, int *count);
  int (*resolves)(const void *self);         /* optional: 1 if its last bounds resolve a spring that begins or ends within a step */
  double (*friction)(const void *self);      /* with contact_stiffness: its friction coefficient */
  double (*damping_ratio)(const void *self); /* optional, with contact_stiffness: the least of its layer */

  /* Optional, for a spring that acts on one side of a kink alone: finds it at the present state. Implicit steps resolve its impacts, as
   * those of contacts. CALLBACK_FAILED. */
  elastica_status (*one_sided)(void *self, double time, struct eli_one_sided *out);

  elastica_status (*stands)(const void *self, double time, struct eli_body *out); /* optional: the solid of the effect and its placement */

  int (*dissipates)(const void *self);             /* optional, for dissipation that is not given as rates */
  const char *(*refuses_stages)(const void *self); /* optional: the reason why implicit steps refuse it, with an alternative; or NULL */
  int acts_in_stages;     /* 1: in a stage of an implicit step add_loads has the loads that add_reactions adds in others */
  int damps_motion_alone; /* 1: its reactions vanish at rest and support no loads, so equilibria ignore them */
  void (*damping)(const void *self, double *half_translation, double *rotation); /* optional: all its loads are rates proportional to
                                                                                  * length; the kick computes them, see eli_rates_add */
} eli_built_in;

/* Size of the largest definition and of the largest self [bytes]. */
enum { ELI_SELF_ROOM = 1024 };

/* sizeof(type); does not compile if the type exceeds ELI_SELF_ROOM. */
#define ELI_SELF_SIZE(type) (sizeof(type) + 0 * sizeof(char[sizeof(type) <= ELI_SELF_ROOM ? 1 : -1]))

/* ---- The world (effects/, state/, world/) ---- */

/* Refuse NULL handles and handles of removed objects; eli_rod_check_in also refuses rods of other worlds. */
elastica_status eli_rod_check(const elastica_rod *rod, const char *function);
elastica_status eli_rod_check_in(elastica_world *world, const elastica_rod *rod, const char *function);
elastica_status eli_effect_check(const elastica_effect *effect, const char *function);

/* Enclose a call of a user function, such as a motion, outside steps and queries. In between, calls that hooks may not make are refused. */
void eli_world_enter_call(elastica_world *world);
void eli_world_leave_call(elastica_world *world);

/* Index of a rod for arrays of per-rod data, smaller than the largest number of rods that the world has had at once. The index of a removed
 * rod is reused. */
int eli_world_table_index(const elastica_world *world, int rod_index);

/* The contact_group of a rod. */
int eli_world_contact_group(const elastica_world *world, int rod_index);

/* Two points that an effect connects: on elements of two rods, at the fractions share = 0..1 along them. Contact ignores the pair. */
typedef struct eli_join {
  const elastica_rod_view *rod[2];
  int element[2];
  double share[2];
} eli_join;

/* A contact of two elements, or of an element and an obstacle. stiffness: minus the derivative of the loads by the coordinates. Blocks of 3
 * numbers: the ends of the first element and the nodes beyond them, those of the second (forces [N], laboratory), the frames of the two
 * (couples [N m] and rotations, material). A rigid body has its centre as the first end, its frame, and no other node. */
enum {
  ELI_CONTACT_STIFFNESS_PARTS = 10,
  ELI_CONTACT_STIFFNESS_SIZE = 30,
  ELI_CONTACT_STIFFNESS_SIDE = 12 /* coordinates of the nodes of one element */
};
typedef struct eli_contact_stiffness {
  const elastica_rod_view *rod[2]; /* the second may be NULL */
  int element[2];
  int beyond[2][2];                                                         /* node beyond each end, or -1: without effect */
  int turns;                                                                /* 0: it exerts no couples on the frames of rods */
  int friction;                                                             /* eli_friction_state */
  double stiffness[ELI_CONTACT_STIFFNESS_SIZE][ELI_CONTACT_STIFFNESS_SIZE]; /* rows: loads */
} eli_contact_stiffness;

/* Copies the block of two places, by rows. */
static inline void eli_contact_stiffness_block(const eli_contact_stiffness *of, int row, int column, double m[9]) {
  for (int k = 0; k < 9; k++) m[k] = of->stiffness[row + k / 3][column + k % 3];
}

/* A spring that acts on one side of a kink: the limit of a joint, or a tendon that goes slack. Its coordinate, a length [m] or an angle
 * [rad], grows with the force. gradient: by the displacement of a node, laboratory, or by the turn of a frame, material. */
typedef struct eli_one_sided {
  int acts;                  /* 1: the coordinate is beyond the kink */
  double beyond;             /* by so much; known if it acts */
  double rate;               /* [1/s] of the coordinate */
  double frequency;          /* [rad/s] of the bodies on the spring; 0: it never acts */
  double lever;              /* [m] or [m/rad] upper bound of the displacement of a body per coordinate */
  double damping_ratio;      /* of its damper */
  double room;               /* the coordinate changes by no more in a step: beyond this, the spring is passed through; may be infinite */
  int count;                 /* of the parts */
  const elastica_part *part; /* own_part, or memory of the effect */
  const double *gradient;    /* [3 count] likewise */
  elastica_part own_part[2];
  double own_gradient[6];
} eli_one_sided;

/* The next rod in order of addition, without holes. Pass NULL for the first; after the last it returns NULL. */
elastica_rod *eli_next_rod(const elastica_world *world, const elastica_rod *rod);

/* The next rod of an effect on the rod `only`, or on all rods if that is NULL. rod NULL: the first; NULL behind the last. */
static inline elastica_rod *eli_next_rod_of(const elastica_world *world, elastica_rod *only, const elastica_rod *rod) {
  return only == NULL ? eli_next_rod(world, rod) : rod == NULL ? only : NULL;
}

/* Return WRONG_STATE inside a hook. With running != 0 eli_world_check_open also refuses calls inside a sampler, and calls after a failure;
 * it then repeats the sentence of the failure. */
elastica_status eli_check_outside_hook(elastica_world *world, const char *function);
elastica_status eli_world_check_open(elastica_world *world, const char *function, int running);

/* The check of functions that set parameters. The function of a loading path may call them, too. */
elastica_status eli_world_check_setter(elastica_world *world, const char *function);

/* Called by a hook that is not parallel_safe and is about to fail: keeps the reason for the sentence of the failure, with the self of the
 * effect. Returns CALLBACK_FAILED. With world NULL nothing is kept. */
elastica_status eli_world_explain(elastica_world *world, const void *self, const char *format, ...) ELI_PRINTF(3, 4);

/* The last reason given to eli_world_explain; for an effect that is not yet added, after one of its functions has failed. */
const char *eli_world_reason(const elastica_world *world);

/* Functions of the instruction set of the world. */
const eli_kernels *eli_world_kernels(const elastica_world *world);

/* Allocator for a module's own memory, to be released in the destroy hook. */
const eli_allocator *eli_world_allocator(const elastica_world *world);

/* Returns 1 for a query of loads or of the step limit: nothing that steps rely on may change, neither recorded reactions nor bounds. */
static inline int eli_is_query(const elastica_instant *now) {
  return now->purpose == ELASTICA_PURPOSE_QUERY || now->purpose == ELASTICA_PURPOSE_LIMIT_QUERY;
}

static inline int eli_is_statics(const elastica_instant *now) {
  return now->purpose == ELASTICA_PURPOSE_STATICS;
}

/* Returns 1 while relaxation or an implicit step tries states, with a view of the rod that has its displacements since the last accepted
 * state as velocities and spins; friction opposes them. */
int eli_world_slips(const elastica_world *world, int rod_index, elastica_rod_view *out);

/* Returns 1 during a query of an equilibrium: a centre line inside an obstacle is an error, as in a step. */
int eli_world_checks_depth(const elastica_world *world);

/* Returns 1 if the limit was checked at most `steps` steps before this one. Its bounds include contacts that begin soon after the check. */
int eli_world_was_checked(const elastica_world *world, long step, long steps);

/* A stage of an implicit step: velocities are those of its unknown positions. */
typedef struct eli_trial {
  double start;           /* [s] time of the last accepted state */
  double rate_per_change; /* [1/s] change of a velocity per change of its position */
} eli_trial;

enum { ELI_KEEPS_NEW = 2 };

/* Returns 1 while an implicit step evaluates loads or their stiffness. Then loads are those at the present positions and velocities, and
 * friction follows from the displacements since the start of the step (eli_world_slips). Its history advances if *keeps is 1. With
 * ELI_KEEPS_NEW only contacts without history begin one, at the start of a run. */
int eli_world_trial(const elastica_world *world, eli_trial *trial, int *keeps);

/* For add_stiffness of effects with reactions on rigid bodies: acceleration of the body under all other loads [m/s^2]. */
double eli_world_acceleration(const elastica_world *world, int rod_index);

/* Returns 1 while hooks prepare rods for loading a snapshot: steps led to its state, so prepare does not check it. */
int eli_world_is_loading(const elastica_world *world);

/* Largest number of steps between two limit checks: the bounds of add_stiffness must hold for as long. */
enum { ELI_LIMIT_CHECK_INTERVAL = 64 };

/* Factor on the stiffness of a spring that begins at a kink (a cable that goes slack, a muscle that would push): steps that resolve its
 * oscillation badly feed energy into the motion. With it energy is kept at 0.8 of the limit; without it energy grew a millionfold in 50,000
 * steps. */
#define ELI_KINK 4.0

#endif
