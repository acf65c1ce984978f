/* elastica: soft slender bodies as Cosserat rods
 * ===============================================
 *
 * A rod is a chain of n straight elements between n + 1 nodes. Nodes carry mass and move; each element carries a frame of three directors
 * that turns. Stretch, shear, bending and twist are measured between the two, give forces and couples, and a symplectic step (position
 * Verlet) moves everything on. This is the discrete model of Gazzola, Dudte, McCormick and Mahadevan, "Forward and inverse problems in the
 * mechanics of soft filaments", R. Soc. Open Sci. 5 (2018) 171628, with its misprints corrected; equation numbers below refer to it.
 *
 * Its order is that in which one meets things: status and messages, world, rods, running, looking, effects, search, output.
 *
 * Conventions, everywhere:
 *  - SI units are named in [brackets]; any consistent system of units works as well.
 *  - A frame Q has the directors d1, d2, d3 as its rows: x_material = Q x_laboratory. d3 is the tangent of an unsheared rod.
 *  - Positions, velocities and forces have laboratory components; spins, couples, strains, curvatures have material components, unless said
 *    otherwise. A curvature kappa turns the frame along the rod as d(d_a)/ds = (Q^T kappa) x d_a, a spin omega in time likewise.
 *  - Nodes are i = 0..n, elements j = 0..n-1, joints k = 0..n-2 (joint k sits at node k + 1). A closed rod (ring) has n nodes, n elements
 *    and n joints; its joint k lies between elements k-1 and k, joint 0 closes it, and index n of a node lane reads as an alias of node 0.
 *  - Definitions are plain structs. Fill one with its _def_init function (pass sizeof), then set what differs. Fields that have no sensible
 *    default start as NaN, so that a forgotten one is named in the error. Switches are 0 or 1; any other number is refused.
 *    struct_size tells versions apart: one that is larger than this library knows, ends inside a field, or has room for none (the size of a
 *    pointer), is WRONG_VERSION in the call that takes the definition; fields behind the end of a smaller one keep their defaults.
 *  - Every function that can fail returns a status. A refused call changes nothing and leaves a sentence in elastica_world_message.
 *    Compilers warn where the status of one marked ELASTICA_MUST_CHECK is ignored.
 *
 * Threads: different worlds are independent. Calls on one world must not overlap, whatever the thread.
 * Results: the same calls give the same bits on every instruction set, compiler, optimisation level, tile size and worker count.
 */
#ifndef ELASTICA_H
#define ELASTICA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ELASTICA_VERSION_MAJOR 0
#define ELASTICA_VERSION_MINOR 1
#define ELASTICA_VERSION_PATCH 0

/* Marks functions whose refusal must not pass unseen: the program would go on without what it has asked for (a rod, a wall, a step, a saved
 * state), or read numbers that nobody has written. Not marked are those that take away, switch or close, and elastica_csv_row, whose error
 * elastica_csv_close repeats. Programs that want no such warnings define it as nothing before they include this header. */
#ifndef ELASTICA_MUST_CHECK
#if defined(__GNUC__)
#define ELASTICA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ELASTICA_MUST_CHECK
#endif
#endif

/* "major.minor.patch" of the library that was linked. Never NULL. */
const char *elastica_version(void);

/* ---- Status and messages ---------------------------------------------------------------------------------------------------------- */

typedef enum elastica_status {
  ELASTICA_OK = 0,
  /* Refused calls: nothing was changed, the next call may succeed. */
  ELASTICA_INVALID_ARGUMENT, /* an argument or a field is wrong; the message names it */
  ELASTICA_WRONG_STATE,      /* not now: from inside a hook, or after the simulation failed */
  ELASTICA_WRONG_VERSION,    /* struct_size of a definition, or the format of a snapshot, is none that this library knows */
  ELASTICA_OUT_OF_MEMORY,    /* the allocator returned NULL */
  ELASTICA_IO_ERROR,         /* a file could not be written or read; the message says which and why */
  /* The following have two meanings. From a step or a relaxation they are failures of the simulation, which persist (see below). From a
   * call that takes no step, or before its first step, they are refusals: the state is intact, and the call may succeed once the cause is
   * removed. */
  /* UNSTABLE_STEP refuses a step beyond the stability limit. It is a failure when, in one step, a frame turned by more than 1 rad or an
   * element's velocities changed its length by half: with allow_unstable_step, under sudden loads, or at extreme speeds. Prescribed
   * positions may change a length by any amount. */
  ELASTICA_UNSTABLE_STEP,
  ELASTICA_NOT_FINITE,    /* a velocity, spin, energy or momentum is infinite or not a number */
  ELASTICA_JOINT_TOO_FAR, /* two neighbouring frames are more than 3.0 rad apart: the curvature would be ambiguous */
  /* A hook or a function of a definition returned an error, or wrote what is not finite, out of range or no frame: the message tells which,
   * and what it returned or wrote. Loads of modules are not checked (see elastica_module). */
  ELASTICA_CALLBACK_FAILED,
  /* Neither a refusal nor a failure: relaxation found no equilibrium. The world remains usable; elastica_world_relax says which state is
   * kept. */
  ELASTICA_NOT_CONVERGED,
  /* Nor this one: a sampler asked a run to stop. The world is as after its last step, and the next call goes on. */
  ELASTICA_STOPPED
} elastica_status;

/* After a failure of the simulation, calls that step, relax, add or change return WRONG_STATE and repeat the sentence of the failure.
 * Queries and writers still work on the remaining state. The failing step is completed for all rods and with all hooks; the sentence names
 * the lowest rod that failed and its first failing hook in the order of the step. That of a blow-up names rod and place, how much the
 * speed or spin there has grown since the last look at the step limit, what the forces or couples on it mostly come from (shear, stretch,
 * bending, torsion, an effect, whose add_loads is asked once more for that), and the stable step. Instead of growth and forces it names
 * the pin or clamp of that rod that demanded it: two that contradict each other, one whose motion moved its node by more than a tenth of
 * an element in one of the last 1000 steps (motions are asked once more for that), or one that took its node as far between them. The
 * sentences of a refused step, and of rods that would pass through each other, end with such a pin or clamp as well; of contact it may be
 * that of another rod. The remaining state does not depend on tiles or threads.
 * A failure is of the rods that failed: those with a hook that failed, with a trip of their own, with a state that is no longer sound
 * (not finite, frames that are no rotations, joints too far), or that would pass through each other. elastica_rod_has_failed tells which;
 * a failure that no rod can be found for (a hook of a module that acts between rods) is of all. The others have completed the step like any
 * other, and keep it. The failure ends when each rod that failed has been removed or has got its positions, velocities, frames and spins
 * from elastica_rod_set_state, in one call or several. What caused it acts on, unless it went with its rod or is removed by
 * elastica_effect_remove. Time and step count continue; effects keep their history, parameters and lists; elastica_world_advance chooses a
 * new step. It also ends when a snapshot is loaded, or by elastica_world_rewind: these restore time and history, too. */

/* Name of a status, such as "UNSTABLE_STEP". Never NULL, also for values that are no status. */
const char *elastica_status_text(elastica_status status);

/* ---- World -------------------------------------------------------------------------------------------------------------------------- */

typedef struct elastica_world elastica_world;
typedef struct elastica_rod elastica_rod;
typedef struct elastica_body elastica_body;
typedef struct elastica_effect elastica_effect;
typedef struct elastica_budget elastica_budget;

/* Constitutive law: which one for what.
 * CLASSICAL (default): Simo and Reissner: n = S (sigma - sigma0), tau = B (kappa - kappa0), J constant. With exact_couple its loads are the
 *   gradient of an energy, so an undamped rod conserves it. Use this law unless you have a reason not to.
 * RESCALED: the papers' law (3.8, 3.9): n = S (sigma - sigma0)/e, tau = B (kappa - kappa0)/E^3, J/e, for an incompressible rod that gets
 *   thinner as it is stretched. It has no potential where e differs from 1: an undamped rod gains energy without bound (a swinging rubber
 *   cantilever within seconds). Use it to repeat figures of the papers, or where the loss of stiffness with stretch matters (rubber
 *   stretched to e = 1.3 and more), and add damping. In a rod that is bent to kappa r = 0.5, 0.75, 1, waves of four to five elements grow
 *   when an element is shorter than 0.27, 0.51, 0.67 radii (examples/solenoid.c derives this); damped frames and some axial viscosity (a
 *   contraction with damping and no force) suppress them. */
typedef enum elastica_law { ELASTICA_LAW_RESCALED = 0, ELASTICA_LAW_CLASSICAL = 1 } elastica_law;

/* Instruction set of the hot loops. All give the same bits: their multiply-adds round once, by an instruction where there is one. BASE on a
 * processor of x86 without it (before Haswell of Intel and Piledriver of AMD) emulates it exactly; a step then takes 40 to 70 times as long
 * as with AVX2, which is a microsecond for each element. */
typedef enum elastica_instruction_set {
  ELASTICA_INSTRUCTION_SET_AUTO = 0, /* the widest that processor and system have */
  ELASTICA_INSTRUCTION_SET_BASE = 1, /* what the compiler was told to build for: on x86 SSE2 unless it was told more, on 64-bit Arm NEON */
  ELASTICA_INSTRUCTION_SET_AVX2 = 2, /* AVX2 with FMA, 256 bits; not on Windows, whose stack may be aligned to 16 bytes only */
  ELASTICA_INSTRUCTION_SET_AVX512 = 3, /* AVX-512 F, DQ and VL, 512 bits; not on Windows */
  ELASTICA_INSTRUCTION_SET_FMA = 4     /* AVX with FMA, 128 bits */
} elastica_instruction_set;

/* A piece of work that the library hands to a host's threads (run_tasks below). */
typedef void (*elastica_task)(void *context, int index);

/* Options of a world; every field has a default. */
typedef struct elastica_world_def {
  size_t struct_size;

  elastica_law law; /* default CLASSICAL */

  /* 1 (default): the couple of a joint is the exact SO(3) gradient of its bending energy (adds c theta x (theta x tau)): internal torques
   * balance to round-off. 0: the papers' couple, its first-order truncation; the torque defect is theta^3/12 per joint.
   * Long undamped runs (classical law, exact couple, midpoint couples; tests/case_energy.c), with f = dt over the smallest limit of the
   * run, which for a rod that swings far is 0.88 to 0.94 of the first: the energy oscillates by at most f^2 of the largest kinetic energy,
   * which is 1e-4 to 2e-2 when most of the motion is slow and 7e-2 at f = 0.8 when most is fast. A soft cantilever that swings in a plane:
   * its mean energy changes by 0.1 % of the largest kinetic energy (12 elements), 1.0 % (50) and 1.7 % (200) at f = 0.8 in 1e7 steps, by
   * 0.1, 0.4 and 0.8 % at f = 0.5; that of finer rods falls in the first 2e5 steps, while motion spreads to fast modes, and then
   * stays. At f = 0.9 that with 50 elements meets a resonance with the step: + 8 % after 1e6 steps, + 50 % after 2e6, though those with 12
   * and 200 do not. Small vibrations in a plane show no drift, 1e-5, at f = 0.9 in 3e6. Violent motion of short free rods and rings in space,
   * with as much energy in fast modes as in slow ones, drifts more: within 2 % of the total energy in 6e6 steps at f = 0.5, 3 % at 0.6, 4
   * to 10 % at 0.7; at 0.8 a rod gains 4 % in 1e7 steps and a ring diverges after 8e6; at 0.9 a rod gains half of its energy in 1e7 and a
   * ring diverges after 2e5. Frames that spin by 0.3 rad in a step need f = 0.6: at 0.8 a bent rod that spins so about its axis gains 1 %
   * in 2e5 steps and diverges soon after. Take f = 0.5 for longer runs.
   * The papers' couple gains a few per cent in 5e5 steps; exact_couple with explicit couples gains 5 % in 3.5e4 steps and then diverges. */
  int exact_couple;

  /* 0 (default): the velocity-dependent couples (J omega/e) x omega and (J omega/e^2) de/dt are taken at the midpoint of the step: second
   * order in time. 1: at the old velocities, as the papers' formulas (C3, C4) literally say: first order, and see exact_couple above. */
  int explicit_couples;

  /* 1: elastica_world_step does not compare dt with the stability limit beforehand. 0 (default): it refuses an unstable dt. The trip wire
   * that stops a world that has blown up is always on. */
  int allow_unstable_step;

  elastica_instruction_set instruction_set; /* default AUTO; one that the processor or the system lacks is refused */

  /* Threads that work on one step, look at the step limit or sum over the world, the calling one included; 1 to 4096, default 1. They share
   * out tiles. Tiles with an effect that is not parallel_safe (see elastica_module) are left to the calling thread, and so is work of less
   * than some 20 us. Bits do not depend on it. run_tasks below lends threads of your own. */
  int worker_count;

  size_t tile_size;     /* slots that are worked on together, 1 to 2^31 - 1; default 256. Bits do not depend on it. */
  size_t slot_capacity; /* slots to reserve, so that adding rods does not move lanes: n + 1 for a rod, n + 2 for a ring; default 0. Rigid
                         * bodies take 56 for each 16 of them */

  /* Memory: both or neither. allocate returns NULL when it has none; blocks are used for doubles and need no special alignment. With more
   * than one worker both may be called from several threads at once (lists of contacts grow where they are used). */
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *block);
  void *allocator_user;

  /* Where elastica_world_create puts its own sentence when it refuses, since there is no world then that could have it; may be NULL. */
  char *message;
  size_t message_size;

  /* Steps from one state that the world keeps for elastica_world_rewind to the next; default 0: none is kept. Bits do not depend on it. A
   * kept state costs about as much as a step; a multiple of 64 is cheapest, because steps pause there for a look at the limit anyway. */
  long snapshot_interval;

  /* Threads of the host, such as a game's job system, instead of the library's own; NULL (default): the library makes worker_count - 1
   * threads. run_tasks calls task(context, k) once for each k = 0 .. count - 1, on any threads, at the same time or one after the other,
   * and returns when all calls have returned. It is called by the thread that calls the library (worlds that run on several threads may
   * call it at the same time), for work of more than some 20 us; count is at most worker_count, which says into how many pieces work may be
   * shared out. Each call takes tiles until none is left: no k needs a thread of its own, and bits do not depend on who does what. Hooks
   * that are parallel_safe run on these threads.
   * A host that errs does no harm as long as the world lives: what it leaves out is done by the calling thread, which also waits for calls
   * that are still running when run_tasks returns; calls with a k that was called before, with any other index, or after run_tasks has
   * returned do nothing. It must not throw, and must not call functions of this world. */
  void (*run_tasks)(void *user, int count, elastica_task task, void *context);
  void *tasks_user;
} elastica_world_def;

/* Writes the defaults into the first size bytes of *def. NULL does nothing. */
void elastica_world_def_init(elastica_world_def *def, size_t size);

/* Makes an empty world. def may be NULL (all defaults). *out is NULL unless the status is OK. Results are the same on every processor; one
 * of x86 without fused multiply-add runs everything 40 to 70 times slower, see elastica_instruction_set.
 * INVALID_ARGUMENT, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_world_create(const elastica_world_def *def, elastica_world **out);

/* Destroys a world with its rods and effects; close its writers first. NULL is allowed, and inside a hook or sampler it does nothing.
 * Destroy hooks of modules are called first, in order of addition: the world is still there, and refuses what it refuses all hooks. */
void elastica_world_destroy(elastica_world *world);

/* The sentence of the last refused call or of the failure; "" when there is none. Valid until the next call on the world. Calls that are
 * refused inside hooks of steps and looks leave no sentence if the module is parallel_safe: they may come from several threads. Never NULL;
 * world NULL gives a sentence that says so, and that names the buffer to which elastica_world_create writes. */
const char *elastica_world_message(const elastica_world *world);

/* Writes a sentence (printf's format) into the world's message and returns status: for add and set functions of your own modules, and for
 * their hooks prepare, energy and power; a sentence from another hook is replaced by that of the failure. */
elastica_status elastica_world_refuse(elastica_world *world, elastica_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- Rods ---------------------------------------------------------------------------------------------------------------------------- */

/* Rest shape of a rod whose rest strains are not given. STRAIGHT: no rest curvature, no rest strain. INITIAL: the initial shape is free of
 * stress (rest curvature and rest strain are those of the initial nodes and frames). */
typedef enum elastica_rest { ELASTICA_REST_STRAIGHT = 0, ELASTICA_REST_INITIAL = 1 } elastica_rest;

/* What a rod is made of and how it lies. Arrays are read during the call only; NULL means: use the scalar field above it (or the default).
 * Node arrays hold 3 numbers per node, element arrays 1, 3 or 9 per element, joint arrays 3 per joint, in order along the rod. */
typedef struct elastica_rod_def {
  size_t struct_size;

  int element_count; /* n >= 1; a ring needs 3 */
  int closed;        /* 1: a ring, node n is node 0 (position then holds n nodes); default 0 */

  /* Straight rod (position == NULL): from start along direction. */
  double start[3];     /* [m] default 0, 0, 0 */
  double direction[3]; /* default 0, 0, 1; any length but zero */
  double length;       /* [m] no default */

  /* First director d1 of the first element; made orthogonal to the tangent. Default NaN: the coordinate axis closest to orthogonal.
   * The following frames come by parallel transport, the smallest turn that takes one tangent to the next. */
  double normal[3];

  /* Any other shape: node positions [3 (n+1)], [m]; and, if wanted, frames [9 n], row-major, orthonormal to 1e-9. */
  const double *position;
  const double *director;
  const double *velocity; /* [3 (n+1)] [m/s], default 0 */
  const double *omega;    /* [3 n] material [rad/s], default 0 */

  const double *rest_length; /* [n] [m], default: the initial distance of the nodes */

  elastica_rest rest;           /* default STRAIGHT */
  const double *rest_curvature; /* [3 joints] material [1/m]; overrides rest */
  const double *rest_strain;    /* [3 n] material sigma0; overrides rest */

  /* Material and circular cross-section. A = pi r^2, I1 = I2 = A^2/(4 pi), I3 = 2 I1. */
  double radius;                 /* [m] at rest, no default */
  const double *element_radius;  /* [n] */
  double density;                /* [kg/m^3] no default */
  const double *element_density; /* [n] */
  double youngs_modulus;         /* [Pa] no default (not needed when all stiffnesses are given) */
  const double *element_youngs_modulus;
  double shear_modulus;                /* [Pa] default: youngs_modulus/3, an incompressible material; the papers use 2/3 of it */
  const double *element_shear_modulus; /* [n] */
  double shear_factor;                 /* alpha_c in S1 = S2 = alpha_c G A; default 4/3 as in the papers */
  const double *element_shear_factor;  /* [n] */

  /* Stiffness and inertia given outright; NULL: from the fields above. */
  const double *shear_stiffness; /* [3 n] S = diag(shear, shear, stretch) [N]; default (alpha_c G A, alpha_c G A, E A) */
  const double *bend_stiffness;  /* [3 n] B = diag(bend, bend, twist) [N m^2]; default (E I1, E I2, G I3). 0: a thread, whose frames
                                  * follow its edges by shear; nor may its joints fold by more than 3.0 rad */
  const double *inertia;         /* [3 n] J of an element [kg m^2]; default density * rest_length * (I1, I2, I3) */

  /* Factor on the inertia J, default 1. The shear/rotation mode sets the step of thin rods; for quasi-static and low-Reynolds work a larger
   * J buys a step 5 to 28 times longer, at the price of wrong fast rotations; together with a smaller shear_factor up to 0.67 l/r times
   * (see examples/start/README.md, Rods in real time). Messages about the step report it. */
  double rotary_inertia_scale;

  int contact_group; /* >= 0, default 0: by which contact tells who may touch whom (see elastica_add_contact) */
} elastica_rod_def;

/* Writes the defaults into the first size bytes of *def. NULL does nothing. */
void elastica_rod_def_init(elastica_rod_def *def, size_t size);

/* Adds a rod. out may be NULL. The handle is known as long as the world lives. Not from inside a hook. The rod takes the lanes that removed
 * ones have left where it fits, else new ones.
 * INVALID_ARGUMENT (the field is named; a joint of the shape or of the rest curvature that turns by more than 3.0 rad is refused with the
 * element count it needs), WRONG_STATE, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_rod(elastica_world *world, const elastica_rod_def *def, elastica_rod **out);

/* Removes a rod, between steps, with the effects that act on it alone, whose destroy is called; effects on all rods stay. The other rods
 * keep their numbers, states and bits: in steps of a given size they go on as in a world that never had it. (elastica_world_advance, follow
 * and run look at the limit of the step after every change, and so may choose their steps otherwise.) Every call that is given a removed rod
 * or effect, as long as the world lives, is refused with a sentence: INVALID_ARGUMENT, or NULL, -1, "", NaN where it returns no status. Its
 * view is gone. What is left takes at most 64 bytes for each removed rod and effect. What a removal or an addition costs depends on that
 * rod alone (and its tile), the look at the step limit that follows every change aside.
 * After a failure of the simulation it works, too; the failure ends when no rod that failed is left, or the state of each has been set.
 * INVALID_ARGUMENT, WRONG_STATE from inside a hook. */
elastica_status elastica_rod_remove(elastica_rod *rod);

/* Rods of a world by number, in order of addition. Numbers are given once: a removed rod leaves a hole, which reads NULL, and count goes on
 * counting it. NULL outside 0..count-1. */
int elastica_world_rod_count(const elastica_world *world);
elastica_rod *elastica_world_rod(elastica_world *world, int index);

/* The rod that follows in order of addition, without holes; rod NULL: the first. NULL behind the last. So one visits all rods:
 *   for (rod = elastica_world_next_rod(world, NULL); rod != NULL; rod = elastica_world_next_rod(world, rod)) ...
 * Ask for the next one before you remove one. */
elastica_rod *elastica_world_next_rod(elastica_world *world, const elastica_rod *rod);

/* A rod's number and its world. */
int elastica_rod_index(const elastica_rod *rod);

/* 1: the simulation has failed, this rod is one of those that failed, and its whole state has not been set since (see elastica_status). 0 also
 * for NULL and a rod that was removed. */
int elastica_rod_has_failed(const elastica_rod *rod);
elastica_world *elastica_rod_world(elastica_rod *rod);

/* Read-only lanes of one rod: plain arrays of double, one per component. The struct's address is good until the rod is removed; its
 * pointers change only when a rod is added. Derived lanes are filled in the hooks add_resultants, add_loads and add_reactions (see
 * elastica_module), and outside a step by elastica_rod_refresh and for samplers; elsewhere they are NULL. */
typedef struct elastica_rod_view {
  size_t struct_size;
  int rod_index, node_count, element_count, joint_count, closed;
  int classical_law, exact_couple; /* options of the world, 0 or 1; a rigid body always has a classical_law */
  int rigid;                       /* 1: of a rigid body (see elastica_world_add_body); 0: of a rod */

  /* State. */
  const double *position[3];    /* [m] node_count */
  const double *velocity[3];    /* [m/s] node_count */
  const double *director[3][3]; /* [row][axis] element_count */
  const double *omega[3];       /* [rad/s] material, element_count */

  /* Constants. Masses that effects add are included by the next call that prepares the rod after a change (see prepare of elastica_module):
   * stepping, relaxing, and queries of the step limit, derived lanes, energy, power or momentum. Until then mass keeps its former value; a
   * new rod has its own mass alone. */
  const double *mass;                      /* [kg] node_count, added masses included */
  const double *inertia[3];                /* [kg m^2] element_count, the rotary_inertia_scale included */
  const double *volume;                    /* [m^3] element_count; conserved: radius = sqrt(volume/(pi length)) */
  const double *rest_length;               /* [m] element_count */
  const double *shear_stiffness[3];        /* [N] element_count */
  const double *element_bend_stiffness[3]; /* [N m^2] element_count */
  const double *bend_stiffness[3];         /* [N m^2] joint_count, length-weighted means of the two elements */
  const double *rest_joint_length;         /* [m] joint_count, Dhat, half of the two elements' rest lengths */
  const double *rest_curvature[3];         /* [1/m] joint_count */
  const double *rest_strain[3];            /* element_count */

  /* Geometry of the present positions. Not to be read in constrain hooks, where it belongs to an earlier instant. */
  const double *length;     /* [m] element_count */
  const double *dilatation; /* e = length/rest length, element_count */
  const double *tangent[3]; /* laboratory, element_count */

  /* Derived. */
  const double *strain[3];          /* sigma = Q (edge/rest length) - d3, element_count */
  const double *curvature[3];       /* kappa [1/m of rest length], joint_count */
  const double *force[3];           /* n [N] material, element_count, muscles included */
  const double *couple[3];          /* tau [N m] joint_count, muscles included */
  const double *internal_force[3];  /* [N] laboratory, node_count */
  const double *internal_couple[3]; /* [N m] element_count, without velocity-dependent couples */

  /* Loads: filled by elastica_world_evaluate, elsewhere NULL. Forces laboratory, per node; couples material, per element. */
  const double *external_force[3];  /* [N] of add_loads, of all effects */
  const double *external_couple[3]; /* [N m] */
  const double *drag;               /* [kg/s] node_count: rates of dissipation, whose force is -drag v */
  const double *spin_drag;          /* [N m s] element_count: -spin_drag omega */
  const double *reaction_force[3];  /* [N] of add_reactions: pressure and friction of walls, friction of elastic obstacles */
  const double *reaction_couple[3]; /* [N m] */
  const double *total_force[3];     /* [N] internal, external and reaction - drag v: mass times acceleration where nothing holds the node */
  const double *total_couple[3]; /* [N m] the same with -spin_drag omega + (J omega/e) x omega: J/e times domega/dt in the classical law */
} elastica_rod_view;

/* The view of a rod. Never NULL for a rod that is there. */
const elastica_rod_view *elastica_rod_get_view(const elastica_rod *rod);

/* Fills the derived lanes of a rod's view at its present state (with add_resultants of this rod, without loads). They stay until the next
 * refresh of any rod, step taken, or change of the world; a query of the step limit and a refused step leave them as they are. Prepares the
 * world (see prepare of elastica_module) when something changed. WRONG_STATE from inside a hook, INVALID_ARGUMENT, OUT_OF_MEMORY,
 * JOINT_TOO_FAR, CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_refresh(elastica_rod *rod);

/* Works out all loads at the present state and time, without a step: fills the derived lanes of all rods and the loads of their views,
 * until the next step, change of the world or refusal of this call. Neither bits nor history depend on it, nor what elastica_wall_get_force
 * tells of the last step. Where something holds a node, minus the total force is the force that holds it; likewise of a frame.
 * dt > 0 [s]: with reactions, as in a step of dt from here (what presses on a wall depends on it where a node moves towards the wall; at
 * rest it does not); hooks see it as that of the instant. begin_step is not called. 0: without reactions (what walls do, and the friction of
 * elastic obstacles), whose lanes are 0. A sampler may call it.
 * WRONG_STATE from inside a hook; INVALID_ARGUMENT, also for dt > 0 with a module that has add_reactions and a borrowed self that is not
 * stateless: its history could not be put back; OUT_OF_MEMORY, JOINT_TOO_FAR, CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_world_evaluate(elastica_world *world, double dt);

/* Sets the state between two steps; NULL keeps what is there. position, velocity [3 nodes], director [9 n] (orthonormal to 1e-9), omega [3
 * n] material, laid out as in elastica_rod_def: x, y, z of one node after the other, nine numbers row by row for each frame. Refused:
 * positions that make an element shorter than 1e-9 of its rest length, frames that turn a joint by more than 3.0 rad. After a failure of
 * the simulation it works, too: once all four of every rod that failed have been set, the failure is over (see elastica_status). */
ELASTICA_MUST_CHECK elastica_status elastica_rod_set_state(elastica_rod *rod, const double *position, const double *velocity,
                                                           const double *director, const double *omega);

/* Sets the rest strains between two steps; NULL keeps what is there. rest_curvature [3 joints], rest_strain [3 n]. Refused as set_state. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_set_rest(elastica_rod *rod, const double *rest_curvature, const double *rest_strain);

/* Energies [J] as the papers write them (section 2 of their appendix, discretely). */
typedef struct elastica_energy {
  double translation; /* sum m v^2/2 */
  double rotation;    /* sum omega . J omega/(2 e) */
  double bending;     /* sum Dhat (kappa - kappa0) . B (kappa - kappa0)/(2 E^3), bending and twist */
  double shear;       /* sum lhat (sigma - sigma0) . S (sigma - sigma0)/2, shear and stretch */
  double effects;     /* sum of what the effects report through their energy hook: gravity, half-cell clamps, springs, ... */
} elastica_energy;

/* WRONG_STATE from inside a hook, observe included; INVALID_ARGUMENT, OUT_OF_MEMORY, JOINT_TOO_FAR, CALLBACK_FAILED as
 * elastica_rod_refresh, which they use: the derived lanes of the rod, or of the world's last rod, are filled afterwards. NOT_FINITE when a
 * sum overflows, CALLBACK_FAILED when the energy of an effect is not finite: both are refusals. After a failure that left numbers that are
 * not finite, so are the results. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_get_energy(elastica_rod *rod, elastica_energy *out);
ELASTICA_MUST_CHECK elastica_status elastica_world_get_energy(elastica_world *world, elastica_energy *out);

/* Mass, centre of mass, momentum, angular momentum about the origin (orbital part and spin part). A hook may query the rod that it is
 * called for, but not the world (WRONG_STATE): other rods may be at another stage of the step. NOT_FINITE as for energies. */
typedef struct elastica_momentum {
  double mass;       /* [kg] */
  double centre[3];  /* [m] */
  double linear[3];  /* [kg m/s] sum m v */
  double angular[3]; /* [kg m^2/s] sum r x m v + sum Q^T J omega/e */
} elastica_momentum;

ELASTICA_MUST_CHECK elastica_status elastica_rod_get_momentum(elastica_rod *rod, elastica_momentum *out);
ELASTICA_MUST_CHECK elastica_status elastica_world_get_momentum(elastica_world *world, elastica_momentum *out);

/* How a rod winds, in turns, positive for a right-handed screw. writhe: the Gauss integral of its polygon, summed exactly as solid angles.
 * twist: the angle by which d1 turns about the tangent from element to element beyond parallel transport, exactly for the polygon. */
typedef struct elastica_topology {
  double writhe; /* of the nodes: coiling in space */
  double twist;  /* of the frames about the nodes */
  double link;   /* writhe + twist: a whole number for a ring, which changes only when a strand passes through another */
} elastica_topology;

/* How an open rod is continued to infinity. With given directions d1 of both continuations, link is conserved for an open rod too: it
 * changes only as they turn, or when a strand passes through another. A ring ignores it. */
typedef struct elastica_closure {
  size_t struct_size;
  double axis[3];         /* comes from -infinity and leaves to +infinity along this direction; default NaN: along its end tangents */
  double first_normal[3]; /* d1 before the first element (of the wall): its twist to the element counts; default NaN: none counts */
  double last_normal[3];  /* d1 behind the last element; likewise. Both are made orthogonal to the continuation */
} elastica_closure;

void elastica_closure_init(elastica_closure *closure, size_t size);

/* At the present state; closure may be NULL (all defaults). The cost grows with the square of the element count. INVALID_ARGUMENT,
 * WRONG_VERSION. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_get_topology(elastica_rod *rod, const elastica_closure *closure, elastica_topology *out);

/* Components of a laboratory vector on the frame of element j, and back; both vectors may be one array. For use in hooks: nothing is
 * checked, no pointer may be NULL, j is 0..n-1. */
void elastica_rotate_to_material(const elastica_rod_view *rod, int j, const double laboratory[3], double material[3]);
void elastica_rotate_to_laboratory(const elastica_rod_view *rod, int j, const double material[3], double laboratory[3]);

/* Present radius [m] of element j: the volume of an element is conserved. rod must not be NULL, j is not checked either. */
double elastica_rod_radius(const elastica_rod_view *rod, int j);

/* ---- Rigid bodies ------------------------------------------------------------------------------------------------------------------- */

/* A body that keeps its shape: a head, a gripper, a float, a ball. To effects it is a rod of one node, which is its centre of mass, and one
 * element, which is its frame, without joints and without elasticity: the functions for rods take elastica_body_rod(body), and rods are
 * visited and counted with bodies among them (elastica_rod_view.rigid tells them apart).
 *
 * Motion: m dv/dt = F, J domega/dt = (J omega) x omega + C in material components, by the step of the rods, with the gyroscopic couple at
 * the midpoint of the step whatever explicit_couples says. A free body keeps its momentum, its energy and the size of its angular momentum
 * to rounding for any three moments; the direction of its angular momentum M errs by a bounded angle of second order, rarely more than (|M|
 * dt/J)^2/10 and at most 0.7 of that square in 3000 random bodies, J being the least moment. A step in which it turns by more than 1 rad is
 * refused or fails as for rods. Without effects it does not bound the step at all: elastica_world_advance takes half a radian at most.
 *
 * What acts: gravity, dissipation (gamma_t and gamma_r times the extent along d3), walls, elastic obstacles, contact, joints (share 0 is
 * the centre; the offset reaches any point of the body; stiffnesses are given where no rod is joined), point loads, pins, clamps (those of
 * kind FRAME), added mass, and modules of your own. What needs joints, nodes at both ends of an element, or a section is refused: muscles,
 * contraction, drag, half-cell clamps, rest strains, topology, facts.
 *
 * Principal axes: the frame of the view has the principal axes of inertia as directors. It is the frame of the definition unless an inertia
 * with products was given: then the two stand at a fixed angle, elastica_body_get tells which, and pose and spin go through
 * elastica_body_get and elastica_body_set_state in the frame of the definition. */
typedef enum elastica_shape {
  ELASTICA_SHAPE_SPHERE = 0,
  ELASTICA_SHAPE_CAPSULE = 1,  /* cylinder along d3 with half a ball on either end */
  ELASTICA_SHAPE_CYLINDER = 2, /* along d3 */
  ELASTICA_SHAPE_BOX = 3
} elastica_shape;

typedef struct elastica_body_def {
  size_t struct_size;

  /* Its centre of mass is the centre of the shape. */
  elastica_shape shape; /* default SPHERE */
  double radius;        /* [m] of all shapes but BOX; no default */
  double length;        /* [m] of a CYLINDER, and of a CAPSULE without its ends; no default */
  double edges[3];      /* [m] of a BOX, along d1, d2, d3; no default */

  /* Of density and mass exactly one is given. */
  double density; /* [kg/m^3] */
  double mass;    /* [kg] */

  /* [kg m^2] the inertia tensor about the centre, row by row in the frame below: symmetric, positive, no principal moment larger than the
   * sum of the others. Default NaN: that of the homogeneous shape with this mass. */
  double inertia[9];

  double position[3]; /* [m] of the centre; default 0, 0, 0 */
  double director[9]; /* frame, row by row, orthonormal to 1e-9; default NaN: the axes of the laboratory */
  double velocity[3]; /* [m/s] of the centre; default 0 */
  double omega[3];    /* [rad/s] material, in this frame; default 0 */

  int contact_group; /* as in elastica_rod_def */
} elastica_body_def;

void elastica_body_def_init(elastica_body_def *def, size_t size);

/* Adds a body: it counts as a rod, gets the next number. out may be NULL. INVALID_ARGUMENT, WRONG_STATE, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_body(elastica_world *world, const elastica_body_def *def, elastica_body **out);

/* The body as effects, queries and elastica_rod_remove see it: a rod of one node and one element. NULL for NULL or a removed one. And back;
 * NULL for a rod. */
elastica_rod *elastica_body_rod(elastica_body *body);
elastica_body *elastica_rod_body(elastica_rod *rod);

/* A body at its present state, in the frame of its definition. */
typedef struct elastica_body_info {
  elastica_shape shape;
  double radius, length, edges[3]; /* [m]; 0 where the shape has none */
  double mass, volume;             /* [kg] without what effects add [m^3] */
  double moments[3];               /* [kg m^2] principal, as in the view */
  double axes[9];                  /* rows: principal axes in the frame of the definition; the frame of the view is axes times director */
  double position[3], velocity[3]; /* [m] [m/s] laboratory */
  double director[9], omega[3];    /* frame of the definition; [rad/s] material, in it */
} elastica_body_info;

/* INVALID_ARGUMENT. */
ELASTICA_MUST_CHECK elastica_status elastica_body_get(elastica_body *body, elastica_body_info *out);

/* elastica_rod_set_state in the frame of the definition: position [3], velocity [3], director [9], omega [3]; NULL keeps what is there. */
ELASTICA_MUST_CHECK elastica_status elastica_body_set_state(elastica_body *body, const double *position, const double *velocity,
                                                            const double *director, const double *omega);

/* ---- Running ------------------------------------------------------------------------------------------------------------------------- */

/* What bounds the time step. */
typedef enum elastica_mode {
  ELASTICA_MODE_NONE = 0, /* nothing does: no rods */
  ELASTICA_MODE_AXIAL,
  ELASTICA_MODE_SHEAR, /* shear/rotation and bending */
  ELASTICA_MODE_TORSION,
  ELASTICA_MODE_EFFECT /* stiffness or explicit rate added by an effect */
} elastica_mode;

/* Name of a mode, such as "shear". Never NULL. */
const char *elastica_mode_text(elastica_mode mode);

typedef struct elastica_step_limit {
  double dt;     /* [s] largest stable step; infinite when nothing bounds it, 0 when no step is stable */
  int rod_index; /* the rod and the element that bound it; -1 for none */
  int element;
  elastica_mode mode;      /* the largest of the element's bounds */
  elastica_effect *effect; /* the effect that adds most there, for ELASTICA_MODE_EFFECT; else NULL */
} elastica_step_limit;

/* The largest stable step of position Verlet for the model linearised about the present state, bounded element by element (axial, shear and
 * rotation, bending, torsion) with the stiffness and the explicit rates that effects add within the next 64 such steps. It is never above
 * 2/omega_max. A rod that stretches, bends or meets a stiff obstacle later has a smaller one later: the stepping functions check again. A
 * body on walls is bounded by how far it may move in a step (see elastica_wall_def). INVALID_ARGUMENT, WRONG_STATE from inside a hook, OUT_OF_MEMORY, JOINT_TOO_FAR, CALLBACK_FAILED: all refusals. */
ELASTICA_MUST_CHECK elastica_status elastica_world_step_limit(elastica_world *world, elastica_step_limit *out);

/* Takes count steps of dt. Checks the limit every K steps, and when dt grew or rods, loads or parameters changed. A step in which an element
 * has stretched or shrunk by a tenth since the last check, or shear, joints or spins outgrow what it found, or something comes near that dt
 * is too long for, or an effect asks for it, is taken back; the limit is checked before it, and it is taken anew, once. (Where an effect has
 * begin_step or add_reactions and its self is borrowed, no step is taken back: the check comes before the next one.) K is 64 at first; a step
 * that is taken back halves it, down to 8, K steps without one double it again, and so does a dt that can be allowed for fewer steps only.
 * Observers see each step that stays, once. Beyond the limit, or where a frame that spins would turn by more than 1 rad in one step, it
 * refuses with UNSTABLE_STEP, naming both steps and the mode, unless allow_unstable_step: the state is that after the steps that stay,
 * elastica_world_step_count and elastica_world_time tell which. A load that turns a frame by a radian in the step after a check is a failure
 * of that rod; the others have completed the step (elastica_rod_has_failed).
 * Memory is asked for in three places only: by the first step after a change that prepares rods or changes which hooks are called (or after
 * a sampler was set); where the list of pairs of a contact outgrows its room, at the start of a step or in a look; and where a state is
 * kept that outgrows its room (snapshot_interval), between two steps.
 * INVALID_ARGUMENT (also a dt that is lost in rounding beside the time), WRONG_STATE, OUT_OF_MEMORY, UNSTABLE_STEP, and the failures of the
 * simulation. */
ELASTICA_MUST_CHECK elastica_status elastica_world_step(elastica_world *world, double dt, long count);

/* Advances by exactly duration [s] in equal steps, as few as the working step allows. The working step is 0.8 of the limit, looked at as
 * elastica_world_step does, and less where a frame would turn by more than 0.5 rad in a step as it spins; a step in which loads turn one by
 * more than 0.6 rad is taken back and taken anew, shorter. Contact is resolved: where something touches, or may within four steps, half an
 * oscillation of it on the layer takes 35 steps, unless damping takes most of its energy. The working step changes only when its bound fell
 * below it, or was above twice it at all checks of 64 steps; what remains is then divided into equal steps again. Once a contact has
 * shortened the steps of rods, whose vibrations each growth would feed, they grow after 65,536 steps, to 0.06 of the limit. A spin that makes steps a million times shorter than the limit is
 * refused with UNSTABLE_STEP. So calls of one duration take steps of one size, and an undamped run
 * conserves its energy as one long call does. Calls of varying duration change the step from call to call, which feeds energy into an
 * undamped rod however small the step: durations of 0.1 to 0.3 ms make a rope diverge within a second. Use elastica_world_follow for
 * those. */
ELASTICA_MUST_CHECK elastica_status elastica_world_advance(elastica_world *world, double duration);

/* Follows a clock: takes all whole working steps that end at or before time [s], none when time lies in the past. The state then lags
 * behind time by *lag [s] (NULL allowed), less than a working step, or negative for a time in the past; the next call makes up for it. The
 * step does not depend on the intervals between calls, so irregular frames feed no energy. To draw the state at time, extrapolate positions
 * over lag with the velocities. INVALID_ARGUMENT, and as elastica_world_advance. */
ELASTICA_MUST_CHECK elastica_status elastica_world_follow(elastica_world *world, double time, double *lag);

/* A run with a budget: to a given time, in as many calls as it takes. For loops that must return in time, and progress bars. */
typedef struct elastica_run_def {
  size_t struct_size;
  double until; /* [s] the time to arrive at; no default */

  /* 0 (default): arrives at exactly this time in equal steps, as elastica_world_advance. A call that ends early leaves the rest to the next
   * call with the same `until`: however a run is cut, the bits are those of one call without a budget. Other steps or another
   * `until` in between forget the rest; the next call then divides anew what is left. After elastica_world_advance was stopped by a
   * sampler, a run until the time where it should have ended goes on with it.
   * 1: takes all whole working steps that end at or before this time, as elastica_world_follow, and the same bits likewise. */
  int whole_steps;

  /* The budget of this call. Seconds are those of the clock, the sampler's included. No step begins that is expected to end later, as far
   * as the last ones tell; but one is always taken, so that every call comes nearer to the end. */
  long most_steps;     /* default LONG_MAX; 0: none are taken */
  double most_seconds; /* [s] default infinite */

  /* The clock [s], whatever its zero; NULL (default): the system's, which never goes back. Read about twice for each stretch of at most 64
   * steps. Bits do not depend on it. What is refused inside hooks is refused inside it. */
  double (*clock)(void *user);
  void *user;
} elastica_run_def;

void elastica_run_def_init(elastica_run_def *def, size_t size);

/* How far a call came. */
typedef struct elastica_run_result {
  int finished;   /* 1: there is nothing left to do until then; 0: the budget was used up first, a sampler stopped it, or an error */
  long steps;     /* that this call took */
  double lag;     /* [s] until - time now; negative when `until` lies in the past, where no step is taken */
  double seconds; /* [s] of the clock that this call took */
} elastica_run_result;

/* Runs on. The end of the budget is no error: OK, and out->finished is 0. out may be NULL; it is written with every status that comes after
 * the definition was found to be sound. INVALID_ARGUMENT, WRONG_VERSION, STOPPED, and as elastica_world_advance. */
ELASTICA_MUST_CHECK elastica_status elastica_world_run(elastica_world *world, const elastica_run_def *def, elastica_run_result *out);

/* Who looks at a world while it runs: a function that is called at given times between two steps, by elastica_world_step, advance, follow
 * and run. To write frames and tables, to watch energies, to show progress, to stop.
 *
 * When: sample k = 0, 1, ... is due at start + k interval, without drift, and is taken at the end of the first step there or later (or at
 * most a thousandth of a step earlier, for rounding); one that is due already when a running function is called is taken before its first
 * step. If more than one is due, one is taken and the others are left out. If time is set back, samples from then on are taken again.
 * Bits: those of a run without a sampler, whatever the interval. The working step does not know of samples. Only with exact, advance and
 * run are cut into calls that end at the times of samples, with the bits of such calls.
 *
 * What it may do: read all views, which belong to the time of the world, derived lanes included; ask for energies, momenta, topology, the
 * step limit, forces of walls, contacts; elastica_rod_refresh (does nothing more where derived lanes are filled); write rows and frames.
 * What steps, relaxes, adds or changes is WRONG_STATE, also a new sampler; destroying the world does nothing. To change something, stop the
 * run, change it, and go on.
 *
 * OK goes on. Any other status stops: ELASTICA_STOPPED, or one that tells why, such as that of elastica_vtk_frame. The running function
 * returns it, with the message that is there. It is no failure: the state is that of the sample, which counts as taken, and the next call
 * goes on from there. If derived lanes cannot be filled, the running function refuses with the status of elastica_rod_refresh, and the
 * sample remains due. It is called on the thread that runs the world, never by relaxation and never after a failing step. */
typedef struct elastica_sampler {
  size_t struct_size;
  elastica_status (*sample)(void *user, elastica_world *world);
  void *user;
  double interval;   /* [s] > 0, no default */
  double start;      /* [s] default NaN: now, so that the first sample comes before the first step */
  int exact;         /* 1: elastica_world_advance and run end steps exactly at the times of samples; default 0 */
  int needs_derived; /* 1 (default): derived lanes of all rods are filled, which takes as long as a step and 256 bytes for each slot;
                      * 0: they are NULL until elastica_rod_refresh */
} elastica_sampler;

void elastica_sampler_init(elastica_sampler *sampler, size_t size);

/* Sets the sampler of a world, instead of the one before; NULL: none. INVALID_ARGUMENT, WRONG_VERSION; WRONG_STATE from inside a hook or a
 * sampler. */
ELASTICA_MUST_CHECK elastica_status elastica_world_set_sampler(elastica_world *world, const elastica_sampler *sampler);

/* Time [s], steps taken so far, and the step [s] that elastica_world_advance works with (0 before its first use). */
double elastica_world_time(const elastica_world *world);
long elastica_world_step_count(const elastica_world *world);
double elastica_world_working_step(const elastica_world *world);

/* A snapshot is the state of a world: all that decides the bits of later steps. It is loaded into a world that was built by the same calls,
 * in this process or another: 2N steps are the same, to the bit, as N steps, save, load, N steps. It has: time, numbers of steps, the
 * working step and what is known of the limit; positions, velocities, frames, spins, masses, and rest strains of every rod; which effects
 * are enabled, their parameters and their history. It has not: functions and pointers (prescribed motions, `user`, hooks, allocator),
 * threads, tiles, instruction set, and what files are open. These may differ where it is loaded; but an effect has a motion or function in
 * both or in neither, else the snapshot is refused: set or clear it first.
 * Numbers are little-endian on every host; only copies of the self of your own modules are bytes as they are, and refused elsewhere. Saving
 * and loading call save and load of modules (see elastica_module), and loading also prepares the world. */

/* Size of a snapshot of the present state [bytes]; about 220 for each element, 70 more for each wall on it. It changes when rods or effects
 * are added or removed (what is gone takes nothing), as contacts with friction come and go (ask anew before each save), and with what
 * save_size of modules tells. 0 when there can be none: from inside a
 * hook, or because of a module with a borrowed self that cannot be saved; the message says why. */
size_t elastica_world_snapshot_size(elastica_world *world);

/* Writes a snapshot into the first bytes of a buffer of size bytes; a refused call may leave a part of them written. A sampler may save,
 * but not load. INVALID_ARGUMENT (also a buffer that is too small), WRONG_STATE from inside a hook or after a failure of the simulation,
 * CALLBACK_FAILED, OUT_OF_MEMORY from a module. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_save(elastica_world *world, void *buffer, size_t size);

/* Puts the world into the state of a snapshot, of which size bytes are there: whole, or with no change at all. A failure of the simulation
 * is over then. INVALID_ARGUMENT: the snapshot is none, has been cut or altered, or is of a world that was built otherwise; the message
 * names the first difference (number of rods, elements of a rod, a material constant, the name of an effect). WRONG_VERSION: another
 * format. WRONG_STATE from inside a hook, CALLBACK_FAILED, OUT_OF_MEMORY; and as a step that prepares the world. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_load(elastica_world *world, const void *buffer, size_t size);

/* The same with a file. It is written beside its place, under a name of its own (path.PROCESS-NUMBER.tmp; a path that leaves no room for
 * this ending is shortened), and renamed when it is complete and on the disk: a crash leaves the old file or the new one, and perhaps such a
 * draft, which nothing reads. Processes and threads that save to one path do not disturb each other; the last one that is done stays. A
 * file that is replaced leaves its mode to the new one; symbolic links are followed, and stay; a pipe, a device or a directory is neither
 * replaced nor read. IO_ERROR (the file that failed and the reason in the message), OUT_OF_MEMORY, and as above. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_save_file(elastica_world *world, const char *path);
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_load_file(elastica_world *world, const char *path);

/* Goes back to the last state that the world kept: before each step whose number is a multiple of snapshot_interval, and before the first
 * step after rods or effects were added or a snapshot was loaded. Heals a failed world. Two states are held: when the world fails again
 * before it kept another one, the blow-up had begun before the newest, and the next call goes back to the one before it. Parameters that
 * were set since then are those of that time again, with the motions and functions of the library's own effects and their `user`, which
 * must still be valid; hooks of your own modules stay as they are. Set what caused the failure afterwards. WRONG_STATE without a kept
 * state (loading a snapshot forgets those that were), and as elastica_world_snapshot_load. */
ELASTICA_MUST_CHECK elastica_status elastica_world_rewind(elastica_world *world);

/* Puts the world back to its first state, in one call: every rod that is there, its state and rest strains, to its definition; every effect
 * to the parameters, functions and history with which it was added, switched on; time and number of steps to 0. What a definition left to
 * where the rod is now (NaN) follows from the first state, also for an effect that was added later. What was removed stays so, and holes
 * with it. A failure of the simulation is over. From there the bits are those of a world that was newly built of these rods and effects. A
 * world keeps the arrays of definitions for this, nothing else; loading a snapshot of the first state is faster, and knows what
 * elastica_rod_set_state did before it. States kept for elastica_world_rewind are forgotten; a sampler stays, and samples from time 0.
 * INVALID_ARGUMENT for an effect of your own that cannot be put back (see reset of elastica_module), WRONG_STATE from inside a hook or
 * sampler, OUT_OF_MEMORY: nothing changed. */
ELASTICA_MUST_CHECK elastica_status elastica_world_reset(elastica_world *world);

/* How far relaxation goes. */
typedef struct elastica_relax_def {
  size_t struct_size;
  double tolerance;      /* largest residual, as a share of the largest forces and couples at work in its rod; default 1e-9; 0: rounding */
  long evaluation_limit; /* largest number of evaluations of all forces; default 10000; at least 1 */
  int keep_state;        /* 1: without an equilibrium the last state stays, for inspection; 0 (default): the initial state returns */
  long step_limit;       /* largest number of damped steps, rounded up to a multiple of 64; default 100000; 0: none */
} elastica_relax_def;

void elastica_relax_def_init(elastica_relax_def *def, size_t size);

/* What relaxation found. Each rod is judged by its own forces and couples; those reported are of the rod with the largest relative
 * residual. */
typedef struct elastica_relax_result {
  long evaluations;        /* of all forces, damped steps aside */
  long steps;              /* damped ones; 0: Newton's method did without */
  double force, couple;    /* [N] [N m] largest residual on a free node and on a free element */
  double reference_force;  /* [N] its largest force at the start or now: stress n, external force of a node, couple over its length */
  double reference_couple; /* [N m] largest couple likewise: tau, external couple of an element, stress n times the element's length */
  double distance;         /* [m] estimated distance of the farthest node to equilibrium: next correction over one less its contraction;
                            * infinite where damped steps alone have led there */
  /* 1: stable: the stiffness of rods and loads, linearised here, has no negative eigenvalue; zero eigenvalues, such as those of a free rod,
   * are allowed. 0: a negative eigenvalue was found (a straight column above its buckling load), or the sign is undecided, or the
   * relaxation did not converge. */
  int stable;
  int undecided; /* 1: it converged, but whether the equilibrium is stable is not known */
} elastica_relax_result;

/* Finds the static equilibrium of all rods and rigid bodies under the loads of all enabled effects. Time stands still: all hooks see the
 * present time, a dt of 1 s and rods at rest, but in damped steps; begin_step is called at each state that is tried, observe never;
 * prescribed positions are those of the present time. All velocities and spins are 0 afterwards.
 * Method: implicit steps in a fictitious time. The inertia of these steps is the rods' own linearised stiffness, plus as much of their mass
 * as keeps rotations small, so bending, stretch and every element length converge at the same rate. The stiffness of loads is measured by a
 * few differences of add_loads where it depends on the state, at the start and whenever convergence stalls, and is improved by secant
 * updates; add_stiffness is not called. What add_world_loads adds, joints among it, is measured at every step in each number that it loads
 * and couples rods exactly, up to 600 numbers (a ball joint between nodes of two rods loads 6, a fixed one 12); more are left to the
 * secant. That of contacts is worked out at every step; as long as any may touch, no node moves in one step by more than a quarter of the
 * least radius, so that nothing passes through anything, and friction sticks and slides along these steps as in time, with its history. The
 * stiffness of reactions (walls) is measured where a rod comes into contact; there a step moves no node farther than an element or the
 * thickness of its rod. The method descends: from an unstable state it goes on to a stable one as soon as a perturbation appears. Loads
 * must not depend on velocity alone (drag is 0 here), and constraints must assign values, not relations. With the papers' couple
 * (exact_couple 0) a body that is almost free, and bent and twisted, may have no equilibrium: its own joints turn it. Discontinuous loads
 * limit the residual to the size of their jumps (walls that balance elements): ask for 1e-3.
 * Converged when the residuals of every rod are at most tolerance times its references, or at the level of rounding, and no rod is estimated
 * to be ten times its length or more from equilibrium.
 * Where rods touch, or reactions act, and some 200 steps were in vain, damped steps follow: steps as of elastica_world_advance, of a time
 * that stands still, with friction and all rates, in which changes of velocity are weakened when they speed a motion up and helped when
 * they slow it down. They lead where bodies settle, and are all there is for a rigid body on which a wall or another effect with
 * add_reactions acts: that ends motion within a step, from which no place follows. What motions prescribe stands where it is now. The
 * residual of that body is what a step changes in its velocities; damped steps have converged when 64 of them from rest leave residuals,
 * and momenta, as small. From the best state that they reach without, the method above goes on once more, with as many evaluations again.
 * Nobody observes or samples them, no budget books them, and neither time nor the count of steps changes. A rate that slows all motion
 * down, a viscous fluid or tissue, slows them down as well.
 * def NULL: defaults. out NULL is allowed; it is written with OK and NOT_CONVERGED only.
 * Whether the equilibrium is stable is decided by the sign of the smallest eigenvalue of K + E, K the exact stiffness of the rods and E
 * that of what add_loads gives, from differences of loads: one or two evaluations, at most some 50. Eigenvalues below 1e-5 of the stiffness
 * of the same motion count as 0. What add_resultants adds is taken as constant. Reactions (walls) are assumed never to destabilise: an
 * equilibrium that is stable without them is stable; any other that rests on them is undecided. Loads without a potential (a follower
 * force) may be undecided too, as may loads at more than about ten places that depend on places far away (springs from node to node).
 * After damped steps, too, but for a rigid body on which reactions act: undecided.
 * NOT_CONVERGED after evaluation_limit, and step_limit: the state reached is kept, the world remains usable, and another call continues. Each
 * call makes at least one step, for which it may need up to 40 evaluations however small the limit.
 * NOT_CONVERGED also when no equilibrium is found; the message names the cause: a rod that moved by a thousand times its length or kept
 * turning, as it does when nothing holds it against its loads; an element stretched a hundredfold or compressed to a millionth; a joint
 * that would have to turn by more than 3.0 rad. The initial state then returns, velocities and spins included, unless keep_state; likewise
 * when a number is not finite, or a damped step fails. out then describes the state where relaxation gave up.
 * INVALID_ARGUMENT, WRONG_STATE, WRONG_VERSION, OUT_OF_MEMORY: nothing changed; INVALID_ARGUMENT also for that rigid body without damped
 * steps.
 * NOT_FINITE, JOINT_TOO_FAR (in the initial state), CALLBACK_FAILED: failures of the simulation; CALLBACK_FAILED of add_stiffness, which
 * damped steps ask, a refusal. */
ELASTICA_MUST_CHECK elastica_status elastica_world_relax(elastica_world *world, const elastica_relax_def *def, elastica_relax_result *out);

/* ---- Effects: the one door --------------------------------------------------------------------------------------------------------------
 *
 * Everything that acts on rods, built in or your own, is a module: a struct of optional hooks. The library calls them for each rod that the
 * effect was added to, in order of addition. A step of dt from t calls, in this order:
 *
 *   begin_step                      at t: the only hook besides add_reactions that may change an effect's history
 *   (half a drift) constrain_position     at t + dt/2
 *   add_resultants                  muscles: adds to n and tau
 *   add_loads                       forces and couples, drag rates
 *   add_reactions                   loads that need to see the total of all others: walls
 *   (kick of v)    constrain_velocity     at t + dt
 *   (kick of omega) constrain_spin        at t + dt
 *   (half a drift) constrain_position     at t + dt
 *   observe                         at t + dt: all rods have arrived there. Here, and in prepare, energy and power, state lanes of other
 *                                   rods
 *                                   may be read (position, velocity, director, omega); in other hooks these may be ahead or behind.
 *
 * Batches: where nobody observes and all these hooks are parallel_safe, the rods of a tile (see tile_size) take up to 32 steps before those
 * of the next tile do. When a step fails, its batch is put back and taken again up to that step; when it asks for a look at the step limit,
 * all steps since a checkpoint are put back and taken again up to the one before, also where there are no batches: hooks are then called
 * once more for the same steps, observers are not. History in the library's copy of self is put back as well, but not what pointers in it
 * lead to. An effect with begin_step, add_world_loads or add_reactions whose self is borrowed has each step called once, and its world
 * takes no batches.
 * In a hook, time and number of the step are those of its elastica_instant; elastica_world_time and elastica_world_step_count may be
 * behind.
 *
 * add_resultants and add_loads are pure: same input, same output. A hook returns ELASTICA_OK. Anything else, also OUT_OF_MEMORY, ends the
 * simulation with CALLBACK_FAILED, naming the hook; the step is completed first, with all other hooks. Outside a step (preparing, looking
 * at the limit, refreshing; relaxing with OUT_OF_MEMORY) the call is refused, with the hook's status if OUT_OF_MEMORY or JOINT_TOO_FAR.
 * Hooks must not throw or longjmp. They may read the view that they are handed and call functions that depend on it alone. Functions that
 * step, add or set, and queries of the world or an effect (energy, power, momentum of the world, contacts, force on a wall), return
 * WRONG_STATE there. Loads are not checked one by one: a load that is not finite appears as NOT_FINITE at the node or element that it
 * moved. */

/* The instant a hook is called for. time is the time to which the quantity belongs: t + dt/2 for loads and the first position constraint,
 * t + dt for velocities, spins, the closing position constraint and observers, t for begin_step. */
typedef struct elastica_instant {
  size_t struct_size;
  double time; /* [s] */
  double dt;   /* [s]; 0 outside a step: constraints when a world is prepared, add_resultants and add_stiffness when the limit is looked at,
                * add_resultants when derived lanes or energies are asked for */
  long step;   /* number of the step being taken, from 0 */
  int rod_index;
  double until; /* [s] add_stiffness: its bounds must hold from time until then, when the limit is looked at again; elsewhere 0 */
} elastica_instant;

/* Lanes to ADD to (+=). force [N] laboratory per node, couple [N m] material per element: totals, not densities. drag [kg/s] per node and
 * spin_drag [N m s] per element are rates c >= 0 (not checked) of a linear dissipation -c v, -c omega that the step integrates so that it
 * can never destabilise (second order, exact terminal velocity). */
typedef struct elastica_loads {
  size_t struct_size;
  double *force[3];
  double *couple[3];
  double *drag;
  double *spin_drag;
  /* In add_reactions only (else NULL): internal and external loads so far, force - drag v and couple - spin_drag omega + (J omega/e) x
   * omega. What one reaction adds is in the total that the next one sees. */
  const double *total_force[3];
  const double *total_couple[3];
  /* Write 1 when the effect is stiffer than add_stiffness reported: the step is taken back, the limit is looked at and the step is taken
   * anew; where it cannot be taken back (see elastica_world_step), or the limit was looked at right before it, the look comes before the
   * next step. There a stiffness k with k dt^2/m far above 1 does harm: an effect with sudden stiff contact (a floor of your own) reports
   * its k in add_stiffness as soon as contact may begin before now->until. */
  int look_again;
} elastica_loads;

/* In add_world_loads: all rods of the world, each in the middle of the step, with its geometry and without derived lanes, and the lanes to
 * ADD to. An effect that pushes one rod with a force pushes another with its opposite, so that momentum stays; for angular momentum the two
 * act along one line, or couples make up for it. drag, spin_drag and the totals of loads are NULL: such rates keep no momentum. */
typedef struct elastica_world_loads {
  size_t struct_size;
  int rod_count;                        /* as elastica_world_rod_count: holes are counted */
  const elastica_rod_view *const *rods; /* [rod_count] by number; NULL where a rod was removed */
  const elastica_loads *loads;          /* [rod_count] likewise; its lanes are to be written, laid out as in the rod's view */
  int look_again;                       /* as in elastica_loads */
} elastica_world_loads;

/* Lanes to ADD to, in add_resultants: n [N] material per element, tau [N m] per joint. */
typedef struct elastica_resultants {
  size_t struct_size;
  double *force[3];
  double *couple[3];
  int look_again; /* as in elastica_loads */
} elastica_resultants;

/* Lanes to WRITE, in the constrain hooks: assign only what is prescribed. What is written must be finite, and frames rotations to 1e-9;
 * when a world is prepared, elements and joints must also be acceptable to elastica_rod_set_state (INVALID_ARGUMENT, naming the effect). To
 * find the effect that wrote a wrong value, hooks may be called a second time. */
typedef struct elastica_state {
  size_t struct_size;
  double *position[3];    /* constrain_position; else NULL */
  double *director[3][3]; /* constrain_position; else NULL */
  double *velocity[3];    /* constrain_velocity; else NULL */
  double *omega[3];       /* constrain_spin; else NULL */
} elastica_state;

/* Lanes to ADD upper bounds to, in add_stiffness: of how fast loads change with the state, whatever the sign. They bound the time step and
 * nothing else: a bound is not a stiffness, and relaxation does not use it. A spring k between two nodes counts 2k at each (Gershgorin); a
 * spring to the ground k. Rates are those of explicit dissipation added as force, not those of the drag lanes. Bounds must hold until
 * now->until: include what may switch on or stiffen before then. An effect that cannot know this in advance writes look_again when it
 * happens. */
typedef struct elastica_stiffness {
  size_t struct_size;
  double *node;         /* [N/m] */
  double *element;      /* [N m] */
  double *node_rate;    /* [kg/s] */
  double *element_rate; /* [N m s] */
} elastica_stiffness;

/* Lanes to ADD to, in prepare. */
typedef struct elastica_preparation {
  size_t struct_size;
  double *mass; /* [kg] per node: added mass */
} elastica_preparation;

typedef struct elastica_module {
  size_t struct_size;
  const char *name; /* for messages; must outlive the world (a literal) */

  /* self_size > 0: the library keeps a copy of *self, and hooks get the copy. 0: the pointer is borrowed. */
  const void *self;
  size_t self_size;

  /* 1: in steps, looks at the limit and energies of a world, hooks for different rods may run at the same time on different threads. 0
   * (default): they are called on the calling thread, rod by rod in order, but for rods that took the lanes of removed ones: these come
   * with their neighbours in memory; rods in tiles without such an effect are worked on by all
   * workers before. The other hooks (prepare, energy, power) are always called on the calling thread. */
  int parallel_safe;
  int needs_derived;  /* 1 (default): derived lanes of the view are filled in add_loads and add_reactions; 0: they may be NULL, faster */
  int needs_geometry; /* 1 (default): length, dilatation and tangent of the view follow from its positions, in all hooks of a step but
                       * constrain_position, which sees those of an earlier instant; 0: in all they may be of an earlier one, faster */

  /* 1: constrain_position assigns its entries from the time and self alone, so that the call that closes a step may be left out when
   * nothing looks at the state between two steps; default 0. */
  int constrains_by_time;

  /* Called before the first step or query of the world after a change, for each rod that was added, whose state or rest strains were set,
   * or on which an effect with this hook was added, set, or switched on or off; for no other rod. A status other than OK refuses that call:
   * with CALLBACK_FAILED, or, if the hook called elastica_world_refuse, with its status and sentence; masses stay as they were. */
  elastica_status (*prepare)(void *self, const elastica_rod_view *rod, elastica_preparation *preparation);

  elastica_status (*begin_step)(void *self, const elastica_instant *now, const elastica_rod_view *rod);

  /* What acts between rods: called once a step, with all of them, on the thread that steps; now->rod_index is -1. The other hooks are
   * called for the rods that the effect was added for: add_stiffness gives bounds at both ends of what acts between them (2k for a spring
   * k), and energy what each rod shall count of a potential, so that the sum over all rods is the whole. A world with such an effect takes
   * its steps in two sweeps instead of one; bits of what does not act between rods stay as they are. */
  elastica_status (*add_world_loads)(void *self, const elastica_instant *now, elastica_world_loads *loads);

  elastica_status (*add_resultants)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants);
  elastica_status (*add_loads)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  elastica_status (*add_reactions)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  elastica_status (*constrain_position)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*constrain_velocity)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*constrain_spin)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*add_stiffness)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness);
  elastica_status (*observe)(void *self, const elastica_instant *now, const elastica_rod_view *rod);

  /* A value that is not finite refuses the question with CALLBACK_FAILED; elastica_world_refuse may say why. */
  double (*energy)(void *self, double time, const elastica_rod_view *rod); /* [J] potential of the effect on this rod */
  double (*power)(void *self, double time, const elastica_rod_view *rod);  /* [W] work per time that the effect does on this rod */

  /* Called once, when the effect, its rod or the world is removed, and not when adding was refused. It may use nothing but self: rods and
   * other effects may be gone. */
  void (*destroy)(void *self);

  /* What a snapshot has of self. With self_size > 0 and none of these fields set: the library's copy as bytes, in which a pointer would be
   * good in this process alone. Hooks, all three or none, take its place: save_size returns how many bytes save will write now [bytes], and
   * is asked twice: answers that differ refuse the snapshot; load gets them back, in a world built alike, and must either take them whole
   * or return an error and change nothing. buffer has no alignment; the order of its bytes is the module's affair. stateless 1: nothing is
   * saved, because nothing in self changes what comes later; a borrowed self needs this or the hooks. Called on the calling thread, between
   * steps; they may use nothing but self. A status other than OK refuses the snapshot with CALLBACK_FAILED or OUT_OF_MEMORY;
   * elastica_world_refuse may say why. */
  int stateless;
  size_t (*save_size)(void *self);
  elastica_status (*save)(void *self, void *buffer, size_t size);
  elastica_status (*load)(void *self, const void *buffer, size_t size);

  /* Puts self back to what it was when the effect was added, for elastica_world_reset. Without it the library puts back its copy, which is
   * not enough where self owns something (destroy), is loaded by hooks, or is borrowed: the reset of the world is then refused, unless the
   * module is stateless. It may use nothing but self. */
  void (*reset)(void *self);
} elastica_module;

/* Writes the defaults (no hooks) into the first size bytes of *module. NULL does nothing. */
void elastica_module_init(elastica_module *module, size_t size);

/* The only way in. rod NULL: every rod of the world, also those added later. out may be NULL; *out is NULL unless the status is OK, here
 * and in all add functions. The handle is known as long as the world lives.
 * Of the effects below, those whose parameters mean the same for every rod accept rod NULL: dissipation, walls, elastic obstacles and
 * contact (gravity always acts on all). The others act on one rod, with its own ends, elements or lengths, and refuse NULL. Add and set
 * functions refuse numbers beyond 1e150.
 * INVALID_ARGUMENT, WRONG_STATE, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module,
                                                              elastica_effect **out);

/* Replaces hooks and parameters (self) of an effect by those of a module of the same name and self_size: for _set functions of your own
 * modules. History in self is replaced too: copy it from elastica_effect_self first if it matters. After OK the caller releases what the
 * former self owned, a borrowed self (self_size 0) included: destroy is called for the last one only. INVALID_ARGUMENT for the library's
 * own effects, which their _set functions change; WRONG_STATE, WRONG_VERSION. */
ELASTICA_MUST_CHECK elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module);

/* What a change between two steps costs: the next step looks at the step limit, which costs about as much as a step. Prepare hooks,
 * constraints and masses are done again for the rods that the change concerns, only if the effect has such hooks. Lists over all rods are
 * made anew when rods or effects are added, an effect is switched, or its hooks become NULL or cease to be. Where none of this is due and
 * the effect acts on one rod, elastica_world_step looks at that rod, and at what acts between rods, alone: a new activation of one muscle
 * among thousands costs nothing for the others. elastica_world_advance, follow and run, which choose a step for all, look at all. */

/* Switches an effect off (0) and on (1) again. A switched-off effect keeps its history and does nothing. */
elastica_status elastica_effect_set_enabled(elastica_effect *effect, int enabled);
int elastica_effect_is_enabled(const elastica_effect *effect);

/* Removes an effect, between steps, and also after a failure, which it does not end; its destroy is called. Rods keep the state that it
 * brought them to; masses that it added are gone with the next preparation. Holes and handles are as with elastica_rod_remove.
 * INVALID_ARGUMENT, WRONG_STATE. */
elastica_status elastica_effect_remove(elastica_effect *effect);

/* The effects of a world by number, in order of addition; sentences count them likewise. NULL where one was removed and outside 0..count-1.
 * The effect that follows in that order, without holes; effect NULL: the first; NULL behind the last. And the number of an effect. */
int elastica_world_effect_count(const elastica_world *world);
elastica_effect *elastica_world_effect(elastica_world *world, int index);
elastica_effect *elastica_world_next_effect(elastica_world *world, const elastica_effect *effect);
int elastica_effect_index(const elastica_effect *effect);

/* The library's copy of self (or the borrowed pointer), the module's name, the effect's world, and its rod (NULL: all). Read self; change
 * it with elastica_effect_set_module, since what is written to it directly does not make the step limit be looked at again. */
void *elastica_effect_self(elastica_effect *effect);
const char *elastica_effect_name(const elastica_effect *effect);
elastica_world *elastica_effect_world(elastica_effect *effect);
elastica_rod *elastica_effect_rod(elastica_effect *effect);

/* Energy [J] and power [W] of an effect, summed over its rods by its hooks; 0 without the hook (walls, and clamps and pins that move,
 * report no power) or when switched off. NaN when the world cannot be prepared (a prepare hook refuses, a constraint fails, memory runs
 * out), when a value is not finite, and inside hooks; the message says why. */
double elastica_effect_energy(elastica_effect *effect);
double elastica_effect_power(elastica_effect *effect);

/* ---- Gravity ------------------------------------------------------------------------------------------------------------------------- */

/* F_i = m_i g on every node of every rod. acceleration [m/s^2], laboratory. It reports its energy, -sum m_i g . r_i, and its power, sum m_i
 * g . v_i, which is the rate at which that energy decreases: an energy balance counts one of the two, never both. */
ELASTICA_MUST_CHECK elastica_status elastica_add_gravity(elastica_world *world, const double acceleration[3], elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_gravity_set(elastica_effect *effect, const double acceleration[3]);

/* ---- Point load ---------------------------------------------------------------------------------------------------------------------- */

/* A force on a node and a couple on an element, as functions of time: for the ends of a rod, or any point of it.
 * The load is factor(t) * (force, couple); factor ramps from 0 to 1 over ramp_time, or is what the function says. */
typedef struct elastica_point_load_def {
  size_t struct_size;
  int node;                 /* -1 (default): the last node; counts back from the end when negative */
  int element;              /* -1 (default): the last element */
  double force[3];          /* [N] laboratory; default 0 */
  double couple[3];         /* [N m]; default 0 */
  int couple_in_laboratory; /* 1: couple has laboratory components; 0 (default): material components, it turns with the element */
  double ramp_time;         /* [s] default 0: full load at once. Linear from 0 at start_time. */
  double start_time;        /* [s] default 0; no load before it */

  /* Optional: writes force [N] and couple [N m] of this time, which are handed in as the def has them; ramp and start then do not apply. */
  elastica_status (*function)(void *user, double time, double force[3], double couple[3]);
  void *user;
} elastica_point_load_def;

void elastica_point_load_def_init(elastica_point_load_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_point_load(elastica_world *world, elastica_rod *rod, const elastica_point_load_def *def,
                                                            elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_point_load_set(elastica_effect *effect, const elastica_point_load_def *def);

/* ---- Dissipation --------------------------------------------------------------------------------------------------------------------- */

/* (4.1) f = -gamma_t v and c = -gamma_r omega per current length. The papers use one number for both; their dimensions differ.
 * At most 1e20 each. Integrated by rates: second order, unconditionally stable. Energy taken out: power = -sum c v^2 - sum c omega^2. */
typedef struct elastica_dissipation_def {
  size_t struct_size;
  double translation; /* gamma_t [kg/(m s)] default 0 */
  double rotation;    /* gamma_r [kg m/s] default 0 */
} elastica_dissipation_def;

void elastica_dissipation_def_init(elastica_dissipation_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_dissipation(elastica_world *world, elastica_rod *rod, const elastica_dissipation_def *def,
                                                             elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_dissipation_set(elastica_effect *effect, const elastica_dissipation_def *def);

/* ---- Axial viscosity ----------------------------------------------------------------------------------------------------------------- */

/* Kelvin-Voigt tissue (Zhang et al. 2019, Nat. Commun. 10, 4825): a tension zeta a(t) de/dt along each edge, divided by e in the law
 * RESCALED as the elastic force is; frames feel no couple. Of second order, stable for any zeta and dt, exact where the rod lengthens
 * steadily. It keeps momentum and angular momentum; power: -sum zeta a l^ (de/dt)^2. Relaxation ignores it. It sees what constraints
 * prescribe, whose hooks are asked once more, and balances the loads added before it: add it behind walls, or it resists what they bear. */
typedef struct elastica_axial_viscosity_def {
  size_t struct_size;
  double viscosity;                /* zeta [N s] of all elements, 0 to 1e20; no default */
  const double *element_viscosity; /* [n] instead, read during the call */
  double ramp_time, start_time;    /* [s] default 0: a rises from 0 to 1 in ramp_time from start_time on */

  /* Optional: writes a >= 0 at this time, handed in as 1; ramp and start then do not apply. */
  elastica_status (*function)(void *user, double time, double *factor);
  void *user;
} elastica_axial_viscosity_def;

void elastica_axial_viscosity_def_init(elastica_axial_viscosity_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_axial_viscosity(elastica_world *world, elastica_rod *rod,
                                                                 const elastica_axial_viscosity_def *def, elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_axial_viscosity_set(elastica_effect *effect, const elastica_axial_viscosity_def *def);

/* ---- Boundary conditions ------------------------------------------------------------------------------------------------------------- */

typedef enum elastica_end { ELASTICA_END_FIRST = 0, ELASTICA_END_LAST = 1 } elastica_end;

enum { ELASTICA_AXIS_X = 1, ELASTICA_AXIS_Y = 2, ELASTICA_AXIS_Z = 4, ELASTICA_AXIS_ALL = 7 };

/* A prescribed motion: writes the position [m], its velocity [m/s], the frame (row-major) and its spin [rad/s] (material) at a time. They
 * are handed in as they were when the effect was added, with velocity and spin zero; write only what moves. Velocities must be the
 * derivatives. What it may call is what hooks may. In a step it is asked for times within it: most effects ask for the middle; obstacles
 * with friction also for the start, where the slip begins. */
typedef elastica_status (*elastica_motion)(void *user, double time, double position[3], double velocity[3], double director[9],
                                           double omega[3]);

/* Clamp of one end: node held at (or moved with) a support, frame tied to that of the support.
 * HALF_CELL (default): a joint of half an element's length ties the first frame to that of the support: second order in n.
 * FRAME: node and first frame are held, as in the papers; the rod is then clamped at the middle of its first element: first order in n. */
typedef enum elastica_clamp_kind { ELASTICA_CLAMP_HALF_CELL = 0, ELASTICA_CLAMP_FRAME = 1 } elastica_clamp_kind;

typedef struct elastica_clamp_def {
  size_t struct_size;
  elastica_end end;         /* default FIRST */
  elastica_clamp_kind kind; /* default HALF_CELL */
  unsigned axes;            /* position axes that are held; default all. 0 leaves the node free: a pure frame clamp */
  double position[3];       /* [m] default NaN: where the node is now */
  double director[9];       /* frame of the support; default NaN: the end frame now, turned back by the rest curvature of the half-cell */
  elastica_motion motion;   /* optional */
  void *user;
} elastica_clamp_def;

void elastica_clamp_def_init(elastica_clamp_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_clamp(elastica_world *world, elastica_rod *rod, const elastica_clamp_def *def,
                                                       elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_clamp_set(elastica_effect *effect, const elastica_clamp_def *def);

/* A node held or moved on chosen axes, and, if wanted, a frame held or moved (all of it): pins, sliders, drives. */
typedef struct elastica_pin_def {
  size_t struct_size;
  int node;               /* default 0; counts back from the end when negative */
  unsigned axes;          /* axes that are prescribed; default all; 0: none */
  int hold_frame;         /* 1: the frame of element is prescribed too; default 0 */
  int element;            /* default 0; counts back from the end when negative */
  double position[3];     /* [m] default NaN: where the node is now */
  double director[9];     /* default NaN: the frame now */
  elastica_motion motion; /* optional: prescribed motion */
  void *user;
} elastica_pin_def;

void elastica_pin_def_init(elastica_pin_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_pin(elastica_world *world, elastica_rod *rod, const elastica_pin_def *def,
                                                     elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_pin_set(elastica_effect *effect, const elastica_pin_def *def);

/* ---- Joints ------------------------------------------------------------------------------------------------------------------------- */

/* What a joint ties together. BALL: two points. HINGE: and an axis that both carry. FIXED: and the whole frames, twist included.
 * SIDE_BY_SIDE: as FIXED, of two rods that are glued along their sides. Anchors are on the centre lines; the joint is at the point halfway
 * between the two surfaces, on the line from anchor to anchor, as the rods lie when it is added, and both frames carry it. One joint holds
 * one element to one other: rods that are glued over a length get one for each element of it. */
typedef enum elastica_joint_kind {
  ELASTICA_JOINT_BALL = 0,
  ELASTICA_JOINT_HINGE = 1,
  ELASTICA_JOINT_FIXED = 2,
  ELASTICA_JOINT_SIDE_BY_SIDE = 3
} elastica_joint_kind;

/* A point of a rod: between the two nodes of an element, or beside it, carried by its frame. */
typedef struct elastica_anchor {
  elastica_rod *rod; /* default NULL: of the second anchor, the world */
  int element;       /* default 0; counts back from the end when negative */
  double share;      /* 0 (default): at the first node of the element; 1: at its second; between them 0..1 */
  double offset[3];  /* [m] from there, material; default 0; SIDE_BY_SIDE: 0, it is chosen */
} elastica_anchor;

/* A joint pulls its two anchors together by a spring, U = k gap^2/2, and the axes or frames that it ties by U = kappa angle^2/2, counted
 * from how the bodies lie when it is added. Action and reaction are equal and opposite in force and couple: what it does to the two bodies
 * together changes neither momentum nor angular momentum, to rounding, and without damping energy stays.
 * Springs are as stiff as they need be: k = force/gap, kappa = couple/angle with the largest force and couple that the joint shall carry
 * and the gap and angle that it may have then; or given outright. Without either they are those of the softer of the two elements: S3/l,
 * B/l. What that costs: joint_get tells the largest step that the joint alone allows. */
typedef struct elastica_joint_def {
  size_t struct_size;
  elastica_joint_kind kind; /* default BALL */
  elastica_anchor first, second;

  /* Second anchor in the world: a point and a frame at rest there, default NaN: where the first anchor is now, and its frame; or moved. */
  double position[3]; /* [m] */
  double director[9];
  elastica_motion motion; /* optional: of that point and frame */
  void *user;

  double axis[3];    /* HINGE: laboratory, as the bodies lie now; its length does not matter; no default */
  int axis_in_world; /* HINGE: 0 (default): both bodies carry the axis; 1: the second does, and stays aligned with it as it is now in the
                      * laboratory: a guide, which takes the reaction, so that the first body feels none and angular momentum is not kept */

  double stiffness;         /* k [N/m] default NaN: force/gap, or that of the elements */
  double force, gap;        /* [N] [m] both or neither */
  double angular_stiffness; /* kappa [N m/rad] default NaN: couple/angle, or that of the elements; SIDE_BY_SIDE: not 0 */
  double couple, angle;     /* [N m] [rad] both or neither */

  /* Part of the critical damping of the two bodies against each other, of the gap and of the angle; default 0. It acts on their relative
   * velocity at the joint, equal and opposite, and is never more than what brings half of that to rest in a step. */
  double damping;

  /* HINGE: how far the second body may turn about the axis against the first, counted from now [rad], within (-pi, pi); default infinite.
   * Beyond, it is turned back with kappa. And a couple about the axis [N m] on the second body, its opposite on the first: constant, or a
   * function of time and of that angle and its rate [rad/s], which writes it. What it owes to these two does not count in the step limit: a
   * controller of gain k [N m/rad] wants steps well below sqrt(J/k). */
  double least_angle, most_angle;
  double motor;
  elastica_status (*drive)(void *user, double time, double angle, double rate, double *couple);
} elastica_joint_def;

/* How a joint is now. Forces are those of the present state, without its damping. */
typedef struct elastica_joint_info {
  double gap;       /* [m] between the anchors */
  double angle;     /* [rad] between axes (HINGE) or frames (FIXED, SIDE_BY_SIDE) */
  double turn;      /* [rad] HINGE: about the axis */
  double force[3];  /* [N] on the second body, laboratory */
  double couple[3]; /* [N m] likewise */
  double stiffness; /* k [N/m], as it was chosen */
  double angular_stiffness;
  double dt;             /* [s] the step limit of the elements at both anchors and of those beside them: of the joint, of the bodies' own
                          * stiffness and of all else that acts there, as elastica_world_step_limit has it. NaN once the world has failed */
  double position[2][3]; /* [m] where the two bodies have it, laboratory */
} elastica_joint_info;

void elastica_joint_def_init(elastica_joint_def *def, size_t size);

/* The effect is that of def->first.rod; it goes when either rod is removed. set: the rods stay, and how the bodies lay when the joint was
 * added; so does the axis of a hinge, which is then not read, and the place of a SIDE_BY_SIDE joint whose anchors stay. A FIXED or
 * SIDE_BY_SIDE joint beyond 3.0 rad stops the world with JOINT_TOO_FAR. */
ELASTICA_MUST_CHECK elastica_status elastica_add_joint(elastica_world *world, const elastica_joint_def *def, elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_joint_set(elastica_effect *effect, const elastica_joint_def *def);
ELASTICA_MUST_CHECK elastica_status elastica_joint_get(elastica_effect *effect, elastica_joint_info *out);

/* ---- Tendons ------------------------------------------------------------------------------------------------------------------------ */

/* A cable without mass that runs straight from guide to guide and pulls: a tendon in its sheaths, a wire through the discs of a robot's
 * arm. Guides are points of rods and rigid bodies, at an offset that a frame carries, or of the world; the cable is tied to the first and
 * the last, and slides through those between. It acts on each guide by its tension towards both neighbours, T (t_after - t_before): all of
 * that together changes neither momentum nor angular momentum, to rounding, unless a guide is in the world.
 * The tension at the first guide, where the motor sits, is activation times that of one of two laws: given; or a spring of the whole
 * length, k (length - rest_length), which never pushes: a shorter cable is slack. Energy: activation times tension times length, or
 * activation k (length - rest_length)^2/2; 0 with a drive. Power: of the tensions on what they pull.
 * Relaxation of a cable along one rod is quick where guides in a row lie at nodes in a row (share 0, or 1 at the last), as those of a run
 * do; one that couples places of a rod far apart may need more evaluations than it takes. */
typedef struct elastica_tendon_def {
  size_t struct_size;

  /* Along one rod: a guide at each node of a run of elements, carried by the element behind it (the last by the one before), all with one
   * offset. A straight rod then gets the curvature T h/B, h the offset, to second order in n; elements also shear by T h kappa^2 l/(2 S),
   * since a guide is carried on one side of its node. */
  elastica_rod *rod;
  int first, last;  /* elements; default 0 and -1, all; counts back from the end when negative */
  double offset[3]; /* [m] material; default 0 */

  /* Instead of a run: at least two guides in their order, read during the call. rod NULL: a point of the world, its offset laboratory. */
  const elastica_anchor *guides;
  int guide_count;

  double tension;     /* [N] default NaN: of the spring; >= 0 */
  double stiffness;   /* k [N/m] default NaN: the tension is given; >= 0. One of the two. Four times this counts in the step limit, so that
                       * steps across slack and taut feed no energy */
  double rest_length; /* [m] of the spring; default NaN: the length when the tendon is added; >= 0 */
  double activation;  /* default 1; >= 0 */

  /* Optional: writes the activation of this time, length [m] and rate of length [m/s]; it is handed in as the def has it, and must be >= 0.
   * It is called at least once a step and must not remember calls. What it owes to length and rate does not count in the step limit. */
  elastica_status (*drive)(void *user, double time, double length, double rate, double *activation);
  void *user;

  /* Of the spring: part of the critical damping of what the cable pulls together; default 0. It acts on the rate of the length, is never
   * more than what brings half of that to rest in a step, nor than the spring: so a cable still never pushes. */
  double damping;

  /* Capstan friction at the guides between: where the cable turns by phi and slides, its tension drops by exp(-mu phi) in the direction in
   * which it slides. The spring lies before the first guide, the cable itself does not stretch: it slides through a guide as fast as all of
   * it behind that guide gets shorter. Regularised: mu v/sqrt(v^2 + sliding_speed^2) in place of mu, so friction is continuous, dissipates
   * for every v, and at rest there is none: what it should hold creeps by a part of sliding_speed. Explicit: mu T phi/sliding_speed counts
   * in the step limit. */
  double friction;      /* mu default 0 */
  double sliding_speed; /* [m/s] > 0, no default where there is friction */
} elastica_tendon_def;

/* How a tendon is now: at the present state, its damping included. */
typedef struct elastica_tendon_info {
  int guide_count, slack;     /* 1: it does not pull */
  double length, rest_length; /* [m]; rest_length 0 where the tension is given */
  double rate;                /* [m/s] of the length */
  double activation;          /* as it acts */
  double first_tension;       /* [N] before the first guide between, and */
  double last_tension;        /* behind the last one */
  double turned;              /* [rad] sum of the angles at the guides between */
  double dt;                  /* [s] the largest step that its spring allows alone, were all free; infinite where the tension is given */
} elastica_tendon_info;

/* One of its guides. */
typedef struct elastica_guide_info {
  double position[3]; /* [m] */
  double force[3];    /* [N] of the cable on it, laboratory */
  double turn;        /* [rad] of the cable; 0 at the ends */
  double sliding;     /* [m/s] of the cable through it, towards the first guide; at the first, of what comes in; at the last 0 */
} elastica_guide_info;

void elastica_tendon_def_init(elastica_tendon_def *def, size_t size);

/* The effect is that of the first rod on its way, and goes when any of its rods is removed. Guides in a row must not coincide. set: as many
 * guides on the same rods; elements, shares and offsets may differ; rest_length NaN leaves it as it is. A guide counts back from the last
 * when negative. CALLBACK_FAILED by its drive. */
ELASTICA_MUST_CHECK elastica_status elastica_add_tendon(elastica_world *world, const elastica_tendon_def *def, elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_tendon_set(elastica_effect *effect, const elastica_tendon_def *def);
ELASTICA_MUST_CHECK elastica_status elastica_tendon_get(elastica_effect *effect, elastica_tendon_info *out);
ELASTICA_MUST_CHECK elastica_status elastica_tendon_get_guide(elastica_effect *effect, int guide, elastica_guide_info *out);

/* ---- Added mass ---------------------------------------------------------------------------------------------------------------------- */

/* A point mass on a node. */
typedef struct elastica_node_mass_def {
  size_t struct_size;
  int node;    /* -1 (default): the last node; counts back from the end when negative */
  double mass; /* [kg] no default, >= 0 */
} elastica_node_mass_def;

void elastica_node_mass_def_init(elastica_node_mass_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_node_mass(elastica_world *world, elastica_rod *rod, const elastica_node_mass_def *def,
                                                           elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_node_mass_set(elastica_effect *effect, const elastica_node_mass_def *def);

/* ---- Muscles ------------------------------------------------------------------------------------------------------------------------- */

/* How control values make a curve over s/L from 0 to 1, with the clamped uniform cubic B-spline. It starts at the first value and ends at
 * the last, and need not pass through those between. */
typedef enum elastica_spline {
  /* The curve in the plane whose control points have the abscissae 0, 0, 1/(N-3), 2/(N-3), ..., 1, 1, as the papers' programs draw it. */
  ELASTICA_SPLINE_CURVE = 0,
  /* The function whose coefficients are the control values, as a spline library has it. */
  ELASTICA_SPLINE_FUNCTION = 1
} elastica_spline;

/* What a muscle adds to. COUPLE, FORCE: tau of the joints, n of the elements, as internal loads about or along a director, which turn with
 * the rod. LABORATORY_COUPLE: opposite couples on the two elements of each joint about a laboratory axis, whichever way the elements lie,
 * as the papers' programs have it: with an axis that stays vertical, a snake cannot lift itself off the ground by rolling over. */
typedef enum elastica_muscle_kind {
  ELASTICA_MUSCLE_COUPLE = 0,
  ELASTICA_MUSCLE_FORCE = 1,
  ELASTICA_MUSCLE_LABORATORY_COUPLE = 2
} elastica_muscle_kind;

/* (4.3) A travelling wave of activity, A(s, t) = beta(s) sin(2 pi t/period + wavenumber s + phase), added to one component of tau or n.
 * Direction: for a positive wavenumber the wave runs towards s = 0 (node 0), as the paper prints it, and what swims or slithers by it moves
 * towards s = L (the last node); for a negative one everything is the other way round; 0 is a standing wave. wavelength =
 * 2 pi/|wavenumber|. The head of an elastica_wall_def, towards which its friction is that of forward motion, is node 0 unless told: a snake
 * on a wall takes a negative wavenumber, as the paper's does, or the head LAST. Where the two disagree it hardly moves.
 * s is the rest arc length: joint k of a straight, even rod is at (k+1)/n L, element j at (j+1/2)/n L; joint k of a ring at k/n L.
 * An internal load: it conserves momentum and, with the exact couple, angular momentum. The step limit counts it.
 * A rest curvature or twist that changes with time, as of a coiled artificial muscle, is a COUPLE with beta = B and the change, kappa0 at
 * the start less kappa0(t), as its function (law CLASSICAL). */
typedef struct elastica_muscle_def {
  size_t struct_size;
  elastica_muscle_kind kind; /* default COUPLE */
  int axis;                  /* 0, 1, 2: d1, d2 (bending, shear), d3 (twist, stretch); LABORATORY_COUPLE: x, y, z; default 0 */

  /* Amplitude beta [N m] or [N], read during the call: control values of a spline, or one number per joint (couples) or element (FORCE). */
  const double *control;
  int control_count;       /* N >= 4 */
  elastica_spline spline;  /* default CURVE */
  const double *amplitude; /* instead of control: [joints] or [elements] */

  double period;     /* [s] no default but with a function; infinite: no oscillation, sin(wavenumber s + phase) */
  double wavenumber; /* [rad/m] default 0 */
  double phase;      /* [rad] default 0 */
  double ramp_time;  /* [s] default 0: full activity at once. Linear from 0 at start_time; the phase counts from time 0. */
  double start_time; /* [s] default 0; nothing before it */

  /* Optional, instead of the wave: A = beta(s) activation. Writes the activation of a time and place: number of the joint or element, and
   * its s [m]; it is handed in as 0. Period, wavenumber, phase, ramp and start do not apply. Called for each place at least once a step, on
   * the thread that steps; must not remember calls. The step limit counts the present activity and changes by a quarter of beta; when it
   * changes by more, the limit is looked at again. */
  elastica_status (*function)(void *user, double time, int place, double s, double *activation);
  void *user;
} elastica_muscle_def;

void elastica_muscle_def_init(elastica_muscle_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_muscle(elastica_world *world, elastica_rod *rod, const elastica_muscle_def *def,
                                                        elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_muscle_set(elastica_effect *effect, const elastica_muscle_def *def);

/* Contraction: a tension along the edges of a run of elements; the frames feel no couple from it.
 * F_j = w_j maximum_force activation(t) f(x) + damping de/dt, with x = (present length of the run)/optimal_length, f(x) = sum of
 * force_length[k] x^k where that is positive, else 0 (a muscle does not push). It stands beside the elastic force of the element and is not
 * divided by e. */
typedef struct elastica_contraction_def {
  size_t struct_size;
  int first, last;        /* elements; default 0 and -1, all; counts back from the end when negative */
  double maximum_force;   /* [N] no default, >= 0 */
  double activation;      /* default 1, >= 0 */
  double force_length[8]; /* default 1, 0, ..., 0: the force does not depend on the length */
  double optimal_length;  /* [m] default NaN: the rest length of the run */
  double damping;         /* [N s] force per rate of dilatation de/dt, active or not; default 0. Explicit: it counts in the step limit. */

  /* Optional: writes the activation >= 0 of this time and length ratio x; it is handed in as the def has it. Must not remember calls: the
   * step limit asks for the next look's time, too. That counts f(x), not what activation owes to x: a reflex may need a shorter step. */
  elastica_status (*function)(void *user, double time, double x, double *activation);
  void *user;
  /* w_j of each element of the run, >= 0, read during the call; NULL (default): 1 in each. A muscle that bulges, or has weak fibres. */
  const double *share;
} elastica_contraction_def;

void elastica_contraction_def_init(elastica_contraction_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_contraction(elastica_world *world, elastica_rod *rod, const elastica_contraction_def *def,
                                                             elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_contraction_set(elastica_effect *effect, const elastica_contraction_def *def);

/* ---- Drag ---------------------------------------------------------------------------------------------------------------------------- */

/* RATE (default): an upper bound of the rate of each node goes to the drag lane and the remainder is an explicit force: stable at any step,
 * exact at steady state, first order in time. EXPLICIT: a plain force at the old velocities, as the papers have it; it counts in the step
 * limit. */
typedef enum elastica_drag_kind { ELASTICA_DRAG_RATE = 0, ELASTICA_DRAG_EXPLICIT = 1 } elastica_drag_kind;

/* (4.13) Slender bodies in a viscous fluid: f_j = -zeta_j l_j (1 - t t^T/2)(v - u) on element j, half to each of its nodes,
 * with zeta_j = 4 pi viscosity/ln(L/r_j), v the mean velocity of the nodes, u that of the fluid in the middle of the element. No couple. */
typedef struct elastica_drag_def {
  size_t struct_size;
  elastica_drag_kind kind; /* default RATE */
  double viscosity;        /* [Pa s] no default */
  int rest_slenderness;    /* 1: L and r_j in zeta_j are those at rest; 0 (default): the present ones */
  int rest_length;         /* 1: l_j is that at rest; 0 (default): the present one */
  double flow[3];          /* [m/s] laboratory, the fluid far away: u = flow + gradient x; default 0 */
  double gradient[9];      /* [1/s] row-major, du_a/dx_b; default 0 */

  /* Optional: writes the fluid's velocity [m/s] at a position [m]; it is handed in as flow and gradient give it. */
  elastica_status (*function)(void *user, double time, const double position[3], double velocity[3]);
  void *user;
} elastica_drag_def;

void elastica_drag_def_init(elastica_drag_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_drag(elastica_world *world, elastica_rod *rod, const elastica_drag_def *def,
                                                      elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_drag_set(elastica_effect *effect, const elastica_drag_def *def);

/* ---- Walls --------------------------------------------------------------------------------------------------------------------------- */

/* Obstacles in their own frame (rows d1, d2, d3 of director), about their position. PLANE: the half space below position, outwards is d3.
 * SPHERE; CYLINDER: about d3, with flat caps at +-length/2; BOX: edges along d1, d2, d3. Rods stay outside. */
typedef enum elastica_obstacle {
  ELASTICA_OBSTACLE_PLANE = 0,
  ELASTICA_OBSTACLE_SPHERE = 1,
  ELASTICA_OBSTACLE_CYLINDER = 2,
  ELASTICA_OBSTACLE_BOX = 3
} elastica_obstacle;

/* How friction along the rod and across it share what the pressure R allows.
 * INDEPENDENT (default): each has all of R, as in the papers: up to sqrt 2 times mu R at 45 degrees.
 * ELLIPTIC: (axial/mu)^2 + (sideways/mu)^2 <= R^2, each with its own mu: never more than mu R in any direction when all mu are one. At rest
 * the force that is needed is shortened to the ellipse; in motion the parts go with the cosine and sine of the slip. */
typedef enum elastica_friction_limit { ELASTICA_FRICTION_INDEPENDENT = 0, ELASTICA_FRICTION_ELLIPTIC = 1 } elastica_friction_limit;

/* What the reaction R of a wall balances.
 * NODES (default): each node on its own, its motion included. R ends the step on the surface instead of below it, so that an impact does
 * not rebound and a free node does not pass the surface; a node that moves outwards is not pulled back. A node at depth eps below the
 * surface moves out slowly, at (k eps dt/m)/(1 + gamma dt/m + 10 k dt^2/m), and so gains k eps^2/80 at most. R includes this force, and
 * friction is limited by R. An element has the sum of its shares of R of both nodes; friction is given to the nodes in the ratio of these
 * shares. The wall dissipates energy, with two exceptions: the energy of depth above, and a vibration of speed mu g dt that may persist in
 * a rod that slides and rocks, since friction is computed after R. The wall has no potential (energy 0) and does not limit the time step. R
 * acts along the normal below the centre of the element, at the rest radius: a present radius that changes with stretch would need a force
 * in return.
 * ELEMENTS: R = max(-F . N, 0) with the load F of an element, half of it on each node: the papers' law, for their figures. Its weaknesses:
 * R also acts on what already moves outwards, so that impacts and shaken rods gain energy; loads that alternate from node to node cancel,
 * so that rods of uneven mass do not come to rest and short elements that slide sideways flutter (examples/friction_locomotion.c). Its k
 * and gamma are explicit: they add to R, count in the step limit, and at a large share of the limit throw a resting rod off the wall.
 * Energy: sum of k eps^2/2, the potential of k eps at constant radii; it neglects the change of a radius with stretch. */
typedef enum elastica_balance { ELASTICA_BALANCE_ELEMENTS = 0, ELASTICA_BALANCE_NODES = 1 } elastica_balance;

/* A wall, at rest or moving, and its friction. (4.8) An element whose centre is nearer to the surface than its radius is pushed outwards by
 *   R + k eps - gamma v_n,  R = what all other loads press it against the wall with (>= 0), eps = radius - distance, v_n = outward speed,
 * half on each of its nodes. So a rod at rest on the wall stays there exactly, and k and gamma only correct penetration. This is ELEMENTS;
 * the default, NODES, decides about contact and R for each node, by the node's own distance (see elastica_balance).
 * NODES: walls on one rod, or one body, are solved together, so that a narrow groove holds what lies in it. ELEMENTS: R balances the loads of
 * the walls added before it, not of those added after: in a groove of two walls at less than a right angle, only k keeps the rod out of the
 * first one. A budget counts the changes that a wall makes in the forces of those before it as the work of that wall.
 *
 * Friction (Amontons and Coulomb, with R alone). Static: the force that keeps the contact at rest, at most mu_static R: along the rod on
 * each node, against all other loads; across it the force (4.12) of rolling without slip, with the inertia of the element, and its couple.
 * Kinetic: mu_kinetic R against the slip, which includes the spin of the element. The share of the kinetic law grows linearly from 0 to 1
 * while the slip grows from slip_velocity to 1.5 slip_velocity. Within a step both can stop a slip but never reverse it: friction does not
 * limit the time step.
 *
 * Friction, and with ELEMENTS all contact, is evaluated at the centres of elements: an obstacle should be larger than an element, and a rod
 * that stands upright on the wall has no friction. Coefficients are for motion {forward, backward, sideways}; forward is towards the head:
 * by default node 0, where a muscle of negative wavenumber drives a snake (see elastica_muscle_def).
 *
 * Rigid bodies: a ball touches any obstacle, a capsule planes and spheres, a cylinder or box planes; others are refused, and so is balance
 * ELEMENTS. They touch in points: ends of a capsule, eight points on the rims of a cylinder, corners of a box. In each the reaction of
 * NODES keeps the point on the surface, along the arc on which it turns with the body, and Coulomb friction with the sideways coefficients
 * in all directions ends the slip if it can; the points are solved together. Steps that the library chooses move a body that touches by a tenth of its size towards the surface at most, half of
 * it along the surface or by its spin, and 2 % by its weight and other loads; one that is further away takes a fifth of the time until it
 * arrives. Its size is its radius, or half its least edge. Given steps may be four times as long, and are refused beyond. */
typedef struct elastica_wall_def {
  size_t struct_size;
  elastica_obstacle obstacle; /* default PLANE */
  double position[3];         /* [m] a point of the plane, or the centre of the body; default 0, 0, 0 */
  double normal[3];           /* d3: the plane's outward normal, the cylinder's axis; any length but zero; default 0, 0, 1 */
  double director[9];         /* the frame itself; default NaN: d3 along normal, the others anyhow */
  double radius;              /* [m] SPHERE, CYLINDER; no default there */
  double length;              /* [m] CYLINDER; no default there; may be infinite */
  double edge[3];             /* [m] BOX: full edges; no default there */
  elastica_motion motion;     /* optional: prescribed motion of position and frame */
  void *user;

  double stiffness; /* k_w [N/m] of each element; no default, >= 0 */
  double damping;   /* gamma_w [kg/s] of each element; default 0 */
  double tolerance; /* contact begins at a distance of (1 + tolerance) radius; default 0.004, as in the papers' programs */

  double static_friction[3];              /* mu_s; default 0, 0, 0 */
  double kinetic_friction[3];             /* mu_k <= mu_s; default 0, 0, 0 */
  double slip_velocity;                   /* v_eps [m/s] > 0; no default where there is friction */
  elastica_friction_limit friction_limit; /* default INDEPENDENT */
  elastica_end head;                      /* default FIRST: forward is motion towards node 0, as in the papers' programs */

  elastica_balance balance; /* default NODES */
} elastica_wall_def;

void elastica_wall_def_init(elastica_wall_def *def, size_t size);

/* INVALID_ARGUMENT when the centre of an element lies inside the obstacle, or in a gap of less than two
 * radii between this obstacle and another, both at rest (a moving one may close on a rod). A rod that is added later, and a centre that is
 * inside after a state was set or the wall was switched on, make the next step or query refuse until that is corrected. Steps themselves
 * let a centre sink in where the wall is too soft for an impact; from then on any change of that rod or wall is refused likewise. */
ELASTICA_MUST_CHECK elastica_status elastica_add_wall(elastica_world *world, elastica_rod *rod, const elastica_wall_def *def,
                                                      elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_wall_set(elastica_effect *effect, const elastica_wall_def *def);

/* Force [N] on the wall and couple [N m] about its position, both laboratory, in the step just taken (its middle), or in the equilibrium
 * that elastica_world_relax has just left: minus what its rods felt, summed over rods in order. 0 before the first of either and while
 * switched off; of a rod whose state was set since then, 0 until the next. Either pointer may be NULL. INVALID_ARGUMENT;
 * WRONG_STATE from inside a hook. */
ELASTICA_MUST_CHECK elastica_status elastica_wall_get_force(elastica_effect *effect, double force[3], double couple[3]);

/* ---- Contact of rods with each other and with themselves ------------------------------------------------------------------------------ */

/* Rods and rigid bodies that touch each other, and rods that touch themselves: an elastic layer on their surfaces, a damper, and friction
 * that sticks. Energy: U = int int phi(|x - y|) over both centre lines, x on one and y on the other, whose kernel phi gives along a straight
 * rod the energy of an elastic layer, per length k eps^2/2 for an overlap eps = r1 + r2 - distance (within 0.6 % of its force at eps = (r1 + r2)/20,
 * 2.3 % at a tenth; contact/line.h has the formula). Rods side by side so share their load along the whole overlap; two that cross press each
 * other with (4/3) k sqrt(2 (r1 + r2)) eps^1.5, which is Hertz's law for equal radii at a right angle where k = E/(4 (1 - nu^2)); at
 * another angle this grows with 1/sin(angle), which is 12 % (45 degrees) and 36 % (20 degrees) stiffer than Hertz's law. A free end of a rod
 * is half a ball; with it counts a length of 2 r/3, as with either half of a ball.
 *
 * The energy is continuously differentiable whatever the bend, also in hollows, and forces are its exact gradient: momentum and angular momentum
 * stay, to rounding, and energy without damping and friction, to the second order of the step; in the law RESCALED but for the work of the pressure
 * on a radius that changes with the stretch, which no tension bears there. Where long elements end beside each other U differs by up to 1e-2 of
 * itself from the integral, and by 1e-3 where rods cross there.
 *
 * Beyond an overlap of a tenth of the smaller radius the layer stiffens: it is twice as stiff at 0.2 radii, 30 times at 0.3 (equal radii), and to pass
 * through the other a rod must do a thousand times the work that the layer alone would take. The step limit counts this. Where an overlap
 * nevertheless reaches the smaller radius in a step, the step fails with UNSTABLE_STEP and names both rods.
 *
 * A spring of k_s [N/m] between the closest points of each pair of elements, as in (4.7) of Gazzola et al. 2018, counts three pairs for each
 * element of length l that lies beside a parallel strand: a modulus of 3 k_s/l is as stiff.
 *
 * Friction is a tangential spring along the line of contact, of stiffness tangential_ratio k, whose force is at most friction times the
 * normal force of each pair of elements (Cundall and Strack): it sticks, creeps by as much as the spring gives way, and slides. Slip is
 * that of the surfaces, spins included. Its history belongs to a pair of elements, turns along with the two, and goes over to the pairs
 * beside it as the contact moves on. A contact near a node is several points of contact_get: add them up.
 *
 * Every rod has a contact_group. An effect acts between first_group and second_group; several effects give several laws, and groups that
 * no effect names together pass through each other. Elements closer than skip_length to a joint between their rods, going through it, do not touch.
 *
 * Elements of one rod that are closer to each other along it at rest than skip_length touch with smaller radii: in proportion to that distance, so
 * that neighbours do not touch at all. By default no rod so touches its own neighbourhood unless it is bent to a curvature of 0.98/r or
 * compressed to 0.81 of its length (both at rest: 2.75 r); beyond this the contact resists the kink. Next turns of a tight coil are held up to a
 * stretch of 1.4; a rod that coils under more stretch needs a shorter skip_length. Where a loop is nevertheless drawn through
 * itself, the step fails as between two rods.
 *
 * Rods, balls and capsules touch boxes and cylinders as they touch an elastic obstacle: U = k/2 int eps^2 ds along the round one, eps
 * being its radius less the distance of its centre line from the surface, with the core of elastic obstacles; a step in which a centre line passes
 * the surface fails with UNSTABLE_STEP and names both. Boxes and cylinders do not touch each other.
 *
 * The step limit counts what may touch within the next 64 steps at present speeds; where the library chooses the step, within four. What
 * comes near later, however it was set in motion, is found two steps before it touches: if the step is too long for it, the step is taken
 * back and the limit is looked at. So elastica_world_advance, follow and run resolve each contact: an undamped bounce of a ball errs by
 * 0.3 % at most and not on average, and soft rods that swing or fall against what is up to 1e4 times as stiff keep their energy to 1 % of
 * the kinetic energy. Bodies keep to a stable step of their own contact, also in free flight. A step of a given size is refused when it is
 * unstable for what comes near, not for resolving it badly: at 0.8 of the limit an undamped impact of balls takes three steps, errs by -17
 * to +26 % and gains 3 % on average, at a half 5 % at most and nothing on average; a rod that lands flat, all of it at once, errs by -33 to
 * +52 % there; at a tenth of the limit both err by less than 1 %. Where lines meet gradually, as crossing capsules do, it errs by 1e-4. And
 * given steps are refused where at high speed two may approach by more than 2 of the largest radii in 64 of them. Radii
 * change along the elements from node to node, whose radius is the mean of its elements: rods may taper, and stretch unevenly. */
#define ELASTICA_EVERY_GROUP (-1)

typedef struct elastica_contact_def {
  size_t struct_size;
  double modulus;                /* k [Pa] > 0: force per length of contact and overlap; no default */
  double damping;                /* c [Pa s]: the same per speed of approach, which may weaken the layer but never pulls; default 0 */
  double friction;               /* mu, static and kinetic; default 0. It may be changed while running */
  double tangential_ratio;       /* k_t/k > 0; default 2/3 */
  double tangential_damping;     /* [Pa s] of the tangential spring; default 0 */
  int first_group, second_group; /* default ELASTICA_EVERY_GROUP */
  int self;                      /* 1 (default): rods touch themselves, too */
  double skip_length;            /* [m] default NaN: 1.375 (r1 + r2) */
  double skin; /* [m] margin of the list of near pairs, which changes no bit; default NaN: a quarter of the largest radius */
} elastica_contact_def;

void elastica_contact_def_init(elastica_contact_def *def, size_t size);

/* rod NULL: all rods and bodies, also those added later. Otherwise this rod alone, which touches itself: self must then be 1, the rod of
 * these groups, and no rigid body. Balls about one point, and rods on one line, have no direction to part in, and do not touch.
 * INVALID_ARGUMENT, WRONG_STATE, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_add_contact(elastica_world *world, elastica_rod *rod, const elastica_contact_def *def,
                                                         elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_contact_set(elastica_effect *effect, const elastica_contact_def *def);

/* Two elements that touch, at the present state. */
typedef struct elastica_contact_point {
  int rod[2], element[2];
  double point[3];      /* [m] the middle of the line of contact, by pressure, between the surfaces */
  double normal[3];     /* unit vector from the second to the first */
  double depth;         /* [m] the deepest overlap */
  double extent;        /* [m] how long the line of contact is */
  double force;         /* [N] the sum of the sizes of normal forces along the line, without damper */
  double tangential[3]; /* [N] friction on the first element */
  int sticks;           /* 0: it slides, or has no friction */
} elastica_contact_point;

/* Writes the first of all contacts, as many as there is room for, in the order of their rods and elements, to points (which may be NULL
 * where capacity is 0), and how many there are; also while it is switched off and presses nothing. INVALID_ARGUMENT, WRONG_STATE,
 * OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_contact_get(elastica_effect *effect, elastica_contact_point *points, int capacity, int *count);

/* ---- Elastic obstacles -------------------------------------------------------------------------------------------------------------- */

/* Rods, balls and capsules on a solid that stands still or moves as prescribed, by the laws of elastica_add_contact: an elastic layer,
 * U = k/2 int eps^2 ds with eps = radius - distance of the centre line from the solid, a damper, and a tangential spring with a limit in
 * each element, whose history is kept. Free ends are half balls; with each, and with either half of a ball, counts a length of 2 r/3. Slip
 * is that of the surfaces, with the spin of the element and the motion of the obstacle.
 *
 * Beyond an overlap of a tenth of the radius at rest, r, the layer stiffens: 500 k r^2 x^7 is added to the energy per length, with
 * x = (eps/r - 0.1)/0.9. It is 1.4 times as stiff at 0.2 r, 15 times at 0.3, 450 times at 0.5. A centre line that comes to the surface has done a
 * thousand times the work of the layer alone. The energy stays continuously differentiable, and forces are its gradient. The step limit counts
 * the core as deep as the next four steps lead; an element that would go deeper requests a limit check before that step.
 *
 * No centre line, end or centre passes the surface: each step follows the paths of the elements that may, so that none leaps over a thin plate
 * either. Where one does, or comes to within 2 % of its radius, the step fails with UNSTABLE_STEP and names the effect, the rod and the element.
 * From a state set with a centre line inside, the next step is refused.
 *
 * Which to take: elastica_add_wall balances the loads of nodes or elements. It is a hard floor, which does not limit the time step, has
 * friction that depends on direction (snakes), and no potential. Here contact is elastic: without dampers (both ratios 0, see below) energy
 * stays and impacts rebound; rods creep no further than the tangential spring gives way, round solids may be smaller than an element, since
 * the part of it that touches is found, and rigid bodies roll. The layer counts in the time step.
 * A body rolls on its radius less the overlap eps: a ball on a turntable circles faster than at 2/7 of its rate, by 10 eps/(7 r) of that.
 *
 * k should be such that loads press a rod in by less than a tenth of its radius, where the law is that of k alone. Boxes and cylinders do not
 * touch it. */
typedef struct elastica_obstacle_def {
  size_t struct_size;
  elastica_obstacle obstacle; /* these nine as in elastica_wall_def */
  double position[3];
  double normal[3];
  double director[9];
  double radius;
  double length;
  double edge[3];
  elastica_motion motion;
  void *user;

  double modulus;            /* k [Pa] > 0: force per length in contact and overlap; no default */
  double damping;            /* c [Pa s]: the same per speed of approach, which may weaken the layer but never pulls; default 0 */
  double friction;           /* mu, static and kinetic; default 0 */
  double tangential_ratio;   /* k_t/k > 0; default 2/3 */
  double tangential_damping; /* [Pa s] of the tangential spring; default 0 */
  int group;                 /* contact_group of the rods it acts on; default ELASTICA_EVERY_GROUP */

  /* Shares of the critical damping of each element's own mass m on the layer, and on the tangential spring: 2 damping_ratio sqrt(k m/M) is
   * added to damping, 2 tangential_damping_ratio sqrt(k_t m/M) to tangential_damping, M [m] being the length that counts, with free ends; of
   * a body its mass, and all that counts of it. They keep a rod below the friction angle from chattering, which would lift it off and let it
   * slide. Default 0.5 and 0.1: a rod at 96 % of the friction angle stands, on layers from a tenth of its own modulus to ten and a hundred
   * times that. Set both to 0 where energy is to stay and impacts are to rebound. */
  double damping_ratio, tangential_damping_ratio;
} elastica_obstacle_def;

void elastica_obstacle_def_init(elastica_obstacle_def *def, size_t size);

/* rod NULL: all rods, balls and capsules, also those added later. INVALID_ARGUMENT, also when a part of a centre line is inside; WRONG_STATE,
 * WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_add_obstacle(elastica_world *world, elastica_rod *rod, const elastica_obstacle_def *def,
                                                          elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_obstacle_set(elastica_effect *effect, const elastica_obstacle_def *def);

/* What it feels at the present state. */
typedef struct elastica_obstacle_info {
  double force[3];   /* [N] on the obstacle, with damper and friction as it stands; 0 while switched off */
  double couple[3];  /* [N m] about its position, laboratory */
  double deepest;    /* [m] the largest overlap; 0 without contact */
  int contact_count; /* elements that touch */
} elastica_obstacle_info;

/* out may be NULL. points: as in elastica_contact_get, rod[1] and element[1] being -1, the normal pointing from the obstacle to the rod,
 * and contact_count telling how many there are; the point lies on the obstacle. INVALID_ARGUMENT, WRONG_STATE from inside a hook. */
ELASTICA_MUST_CHECK elastica_status elastica_obstacle_get(elastica_effect *effect, elastica_obstacle_info *out,
                                                          elastica_contact_point *points, int capacity);

/* ---- Before a run -------------------------------------------------------------------------------------------------------------------- */

/* How an end of a rod is held: by what prescribes its velocity and spin, and by half-cell clamps. */
typedef enum elastica_support {
  ELASTICA_SUPPORT_FREE = 0,
  ELASTICA_SUPPORT_PINNED, /* its node cannot move sideways */
  ELASTICA_SUPPORT_GUIDED, /* its frame cannot turn */
  ELASTICA_SUPPORT_CLAMPED /* neither */
} elastica_support;

/* What a rod is, as mechanics has it: means along the rod at rest, as it is simulated (rotary_inertia_scale included). In a scene whose
 * units are wrong they are the first to look strange: sound in steel runs at 5000 m/s, in rubber at 30 m/s. */
typedef struct elastica_rod_facts {
  double length, radius, density;            /* [m] at rest [m] [kg/m^3] */
  double mass;                               /* [kg] with what effects add */
  double slenderness;                        /* length/radius */
  double shortest, longest;                  /* least and largest rest length of an element over its radius */
  double stretch_stiffness, shear_stiffness; /* [N] E A, the smaller alpha_c G A */
  double bend_stiffness, twist_stiffness;    /* [N m^2] the smaller E I, G I3 */
  double stretch_speed, shear_speed;         /* [m/s] sqrt(EA/(rho A)), sqrt(alpha_c G A/(rho A)) */
  double torsion_speed;                      /* [m/s] sqrt(G I3/(rho I3)) */
  double bending_speed;                      /* [m/s] phase speed of the shortest wave of the grid, two elements long */
  elastica_support first, last;              /* its ends; those of a ring are FREE */
  double frequency, period; /* [Hz] [s] the lowest natural one: bending, torsion or stretch of a straight, even, slender rod */
  double free_frequency, cantilever_frequency; /* [Hz] the same if both ends were free; if one were clamped and the other free */
  double step_limit;                           /* [s] of this rod alone (see elastica_world_step_limit) */
} elastica_rod_facts;

/* INVALID_ARGUMENT, OUT_OF_MEMORY, and as elastica_world_step_limit; all are refusals. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_get_facts(elastica_rod *rod, elastica_rod_facts *out);

typedef enum elastica_severity {
  ELASTICA_SEVERITY_NONE = 0,
  ELASTICA_SEVERITY_HINT,    /* unusual: perhaps meant so, perhaps a slip */
  ELASTICA_SEVERITY_WARNING, /* results will be poor, or something will happen that one may not expect */
  ELASTICA_SEVERITY_ERROR    /* it will fail, or be refused */
} elastica_severity;

/* What elastica_world_check looks for; value and bound are those of elastica_finding. */
typedef enum elastica_finding_kind {
  ELASTICA_FINDING_STEP = 0, /* dt [s] against the limit; WARNING from 0.9 of it, ERROR beyond. Or against the time in which a frame turns
                                 * by 1 rad: ERROR; dt 0: the limit against that of half a radian: WARNING from 100 times it */
  ELASTICA_FINDING_LOAD,     /* the turn [rad] of an element at a clamp under the loads of the rod, against 1: too few elements */
  ELASTICA_FINDING_STRETCH,  /* dilatation, present or under the loads along the rod, against S3/(S3 - S1), where frames fall over, whatever
                                 * the step; WARNING from 0.8 of it, ERROR beyond */
  ELASTICA_FINDING_BUCKLING, /* the load on a straight rod against Euler's for the supports of its ends, as a factor against 1 */
  ELASTICA_FINDING_REST_STRAIN, /* the largest component of sigma0 against 0.5 */
  ELASTICA_FINDING_UNDAMPED,    /* law RESCALED, and nothing that dissipates is seen: it gains energy without bound */
  ELASTICA_FINDING_PROPORTION,  /* rest length over radius of an element, against 0.05 or 1e4 */
  ELASTICA_FINDING_MASS_RATIO,  /* of neighbouring nodes, against 1e5: the light one bounds the step, the heavy one sets the pace */
  ELASTICA_FINDING_DENSITY,     /* [kg/m^3] outside 1..3e4 */
  ELASTICA_FINDING_WAVE_SPEED,  /* of stretch [m/s], outside 1..2e4: the modulus or the density has another unit */
  ELASTICA_FINDING_SIZE,        /* radius [m] above 0.5, or length above 1000: millimetres? */
  ELASTICA_FINDING_OVERLAP,     /* of two that contact acts on, over the smaller radius, against 0.5: they are thrown apart */
  ELASTICA_FINDING_HOLD,        /* pins and clamps: two that want one node, on the same axis, at different places [m] or velocities [m/s],
                                 * or one frame turned [rad] or spinning [rad/s] otherwise, against 0: ERROR; a motion that moves its node
                                 * by a tenth of an element [m], or its frame by 0.5 [rad], in the first step: WARNING */
  /* Of rods, balls and capsules that contact acts between, against what brings an overlap of half the smaller radius: */
  ELASTICA_FINDING_APPROACH, /* the speed [m/s] at which two meet that go on as they move on the whole, or one and an elastic obstacle */
  /* The load [N] of effects on one and on those above it, where it comes to rest on others; of a heap that nothing bears, without the
   * acceleration that all have. */
  ELASTICA_FINDING_WEIGHT,
  /* The tension [N] that loads along a rod give it, where it touches itself in a knot or loop. Of overhand knots the bound is 0.5 to 0.95
   * times the tension at which they were found to overlap so. */
  ELASTICA_FINDING_LOOP
} elastica_finding_kind;

/* Name of a kind, such as "BUCKLING". Never NULL. */
const char *elastica_finding_text(elastica_finding_kind kind);

/* One for each kind, at its worst place. */
typedef struct elastica_finding {
  elastica_finding_kind kind;
  elastica_severity severity;
  int rod_index, element;  /* -1: none. Of MASS_RATIO the lighter node, of HOLD the node or element */
  int rod_count;           /* rods of which it is true */
  elastica_effect *effect; /* that is most to blame, or NULL */
  double value, bound;
  char sentence[480];
} elastica_finding;

enum { ELASTICA_FINDING_CAPACITY = 16 };

/* Plain memory of the caller's, without pointers to be freed: there is room for all kinds. */
typedef struct elastica_check_report {
  int finding_count;
  elastica_severity worst;                              /* of all findings */
  elastica_step_limit limit;                            /* at the present state */
  elastica_finding findings[ELASTICA_FINDING_CAPACITY]; /* the gravest first */
} elastica_check_report;

/* Looks over a world before it runs, and says in words what will go wrong later. dt: the step that will be taken [s]; 0: one that the
 * library chooses. Loads are those of add_loads at the present state and time, those of ramps at their full height; what they do later is
 * not asked. Nor are reactions (add_reactions: walls and rough obstacles, also by the sentence of a blow-up), which may bear any of these
 * loads: of a rod on which one acts, whether or not it touches, loads are not judged, its present strain and stress alone. Deep overlap is
 * judged by approach, weight and pull as their kinds say, and by nothing else: not by speeds that loads, joints or motions give later, nor
 * by loops that twist or bending closes, nor against boxes, cylinders and walls, nor by loads on obstacles. What it does not see it does not
 * warn of: no finding is no promise. Nothing is changed; derived lanes are those of the last rod afterwards. It takes as long as some ten
 * steps, and up to fifty where weights or speeds bring contact near its bound.
 * INVALID_ARGUMENT, OUT_OF_MEMORY, and as elastica_world_step_limit; all are refusals, and *out is then without findings. */
ELASTICA_MUST_CHECK elastica_status elastica_world_check(elastica_world *world, double dt, elastica_check_report *out);

/* ---- Budget of energy and momentum --------------------------------------------------------------------------------------------------- */

/* Where the energy and the momentum of a world come from and go to, counted step by step while a budget is open. Position Verlet tells the
 * work of every load exactly: impulse times the mean of the velocities before and after the kick, which is force times the change of
 * position. So kinetic energy is balanced to rounding, and what is left over,
 *   residual = change of kinetic and elastic energy - work of all effects,
 * is the error of the step in the elastic energy. In a fixed time it falls by four when the step is halved. What does not fall: the law
 * RESCALED and the papers' couple, which have no potential; positions and frames that a constraint writes but for which it sets no
 * velocity or spin; bending of frames by explicit_couples, which falls by two.
 * An effect does work by its loads, by its rates of dissipation (what the kick would do without them is the rest; effects share it in the
 * ratio of their rates), by resultants (muscles: the loads that follow from them), and by the velocities and spins that it prescribes. Own
 * modules need no hook for it. An effect with a potential loses as energy what it does as work, up to the error of the step and what time
 * itself changes in it: energy_change + work is small, and the budget counts work alone.
 * What changes between steps (rods and effects that come and go, setters, relaxation, loading a state) is neither work nor a change: all of
 * these are from the beginning to the end of steps, of the rods and effects that take them. The energy that a rod brings or takes along is
 * in `between`, so that kinetic + elastic = those at the beginning of the budget's first step + kinetic_change + elastic_change + between,
 * and the residual stays the error of the steps. The sums of a removed effect stay under its number.
 * Momentum is balanced to rounding; angular momentum to rounding in a plane, else up to the error of the step. With the papers' couple
 * (exact_couple 0) the couples of the joints do not balance in a rod that is bent and twisted at once (theta^3/12 for each, see
 * elastica_world_def): that defect stays, whatever the step.
 * An open budget changes no bit of a run. It costs about as much as three steps more, and memory of 64 bytes for each effect on each
 * element, and 80 to 160 for each effect that has ever been added; steps are then taken one at a time. Without one, steps cost what they
 * did. */
typedef struct elastica_budget_sum {
  long step_count; /* steps since the budget was opened, and their time [s] */
  double duration;
  double kinetic, elastic; /* [J] of all rods after the last step: translation and rotation; bending and shear */
  double kinetic_change, elastic_change;
  double work;                  /* [J] of all effects */
  double between;               /* [J] kinetic and elastic energy that came, or went (< 0), between steps; known from the step after on */
  double residual;              /* [J] kinetic_change + elastic_change - work */
  double step_residual;         /* [J] of the last step, and the largest of all, without its sign */
  double largest_step_residual; /* and the number of its step; -1: none */
  long largest_step;
  double momentum_change[3], impulse[3];        /* [N s] of all rods; of all effects */
  double angular_change[3], angular_impulse[3]; /* [N m s] about the origin */
} elastica_budget_sum;

/* Of one effect, also of one that was removed: up to its last step. */
typedef struct elastica_budget_share {
  double work;               /* [J] on the rods */
  double energy;             /* [J] its potential now, by its energy hook; NaN as elastica_effect_energy; 0: removed */
  double energy_change;      /* in the steps of the budget; a run of steps that fails is left out */
  double impulse[3];         /* [N s] */
  double angular_impulse[3]; /* [N m s] about the origin */
} elastica_budget_share;

/* One budget may be open in a world. effect: the number of an effect, elastica_effect_index. INVALID_ARGUMENT, WRONG_STATE, OUT_OF_MEMORY
 * (opening, and the step after a change). Close it before the world is destroyed, also from a sampler; NULL is OK, and inside a hook it does
 * nothing. */
ELASTICA_MUST_CHECK elastica_status elastica_budget_open(elastica_world *world, elastica_budget **out);
ELASTICA_MUST_CHECK elastica_status elastica_budget_get(elastica_budget *budget, elastica_budget_sum *out);
ELASTICA_MUST_CHECK elastica_status elastica_budget_get_effect(elastica_budget *budget, int effect, elastica_budget_share *out);
void elastica_budget_close(elastica_budget *budget);

/* ---- Search: the best of designs and gaits ------------------------------------------------------------------------------------------- */

/* CMA-ES, the covariance matrix adaptation evolution strategy: minimises a function of n numbers of which only values are known, such as
 * minus the speed of a gait. A generation is lambda candidates, drawn from a normal distribution whose mean, step sigma and covariance C
 * follow from their ranking. N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772 (2016). Until elastica_cmaes_get tells a
 * stop: ask for candidates, evaluate them in any order, on any machine, tell their fitness.
 * It is no part of a world, and has no thread, file or clock. Same definition and fitness: same bits on every machine. A candidate depends
 * on seed, restart, generation and its own number, and on what was told before. Arrays of a definition are read by create only. */
typedef struct elastica_cmaes elastica_cmaes;
typedef struct elastica_cmaes_def {
  size_t struct_size;
  int dimension, population;   /* n, 1 to 10000, no default; lambda, 2 to 1000000, default 0: 4 + floor(3 ln n) */
  const double *start, *scale; /* [n] first mean; unit of each number > 0, in which steps are measured. Default 0; 1 */
  double step;                 /* sigma > 0 of the first generation; no default */
  const double *lower, *upper; /* [n] bounds, also infinite; default none */
  int penalty;                 /* 1 (default): candidates outside are moved inside and penalised; 0: drawn again (for optima inside) */
  int active, revision;        /* negative weights for the worse half, default 1; of the tutorial: 2016, default, or 2023 (its c_mu) */
  unsigned seed;               /* default 1 */
  int restart_limit;           /* restarts after STALLED, or what follows it in elastica_stop; default 0. Between finite bounds the new */
  double growth;               /* start lies anywhere, else about the first; lambda is growth, 1 .. 1000, times larger, default 2 */
  long evaluation_limit, generation_limit;  /* of all restarts; default 0: none */
  double target, stall_gain;                /* see elastica_stop; default -infinity; >= 0, default 0 */
  int stall_generations;                    /* default 0: never STALLED */
  double fitness_tolerance, step_tolerance; /* >= 0, default 1e-12 */
  char *message;                            /* for the sentence of create; may be NULL */
  size_t message_size;
  void *(*allocate)(void *user, size_t size); /* as in elastica_world_def */
  void (*release)(void *user, void *block);
  void *allocator_user;
} elastica_cmaes_def;
void elastica_cmaes_def_init(elastica_cmaes_def *def, size_t size);

/* Why to end, the first of these that is true; and that in words, never NULL. */
typedef enum elastica_stop {
  ELASTICA_STOP_NONE = 0,
  ELASTICA_STOP_TARGET, /* best fitness <= target */
  ELASTICA_STOP_EVALUATIONS,
  ELASTICA_STOP_GENERATIONS,
  ELASTICA_STOP_STALLED,    /* the best fitness did not improve by more than stall_gain in stall_generations */
  ELASTICA_STOP_FITNESS,    /* the best of 10 + 30 n/lambda generations and all of the last one lie within fitness_tolerance */
  ELASTICA_STOP_STEP,       /* all deviations are below step_tolerance times the first step */
  ELASTICA_STOP_EQUAL,      /* the best of each of so many generations have the same fitness */
  ELASTICA_STOP_STAGNATION, /* neither best nor median are better at the end of a long history than at its beginning */
  ELASTICA_STOP_CONDITION,  /* that of C is above 1e14 */
  ELASTICA_STOP_AXIS,       /* a tenth of a deviation along an axis of C does not change the mean */
  ELASTICA_STOP_COORDINATE, /* a fifth of one along a coordinate */
  ELASTICA_STOP_DIVERGED    /* the largest deviation is 1e4 times a first step far too small; or penalty is 0 at an optimum on a bound */
} elastica_stop;
const char *elastica_stop_text(elastica_stop stop);

/* *out is NULL unless OK. INVALID_ARGUMENT, WRONG_VERSION, OUT_OF_MEMORY. message: the sentence of the last refused call, or ""; of NULL as
 * elastica_world_message. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_create(const elastica_cmaes_def *def, elastica_cmaes **out);
void elastica_cmaes_destroy(elastica_cmaes *search);
const char *elastica_cmaes_message(const elastica_cmaes *search);

/* ask: the candidates of this generation, x[n k + i]; asked again, the same. capacity: numbers that x has room for. tell: their fitness
 * [population], smaller is better, infinity where the evaluation failed; ends the generation. One may go on after a stop.
 * INVALID_ARGUMENT (also not a number, and -infinity); OUT_OF_MEMORY at a restart; WRONG_STATE: tell without ask. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_ask(elastica_cmaes *search, double *x, size_t capacity);
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_tell(elastica_cmaes *search, const double *fitness);

typedef struct elastica_cmaes_info {
  elastica_stop stop, restarted;   /* NONE: go on; why it restarted last */
  int population, restart, failed; /* of the generation that comes; restarts so far; failed candidates of the last one */
  long generation, evaluations;    /* told so far, in all restarts */
  double best, generation_best,
      generation_mean; /* of all; of the last one, the mean without failures; infinity before a success, and the mean where it overflows */
  double step, condition;      /* sigma; of C */
  const double *best_x, *mean; /* [n] until the next tell or load; best_x is start before the first success */
} elastica_cmaes_info;
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_get(elastica_cmaes *search, elastica_cmaes_info *out);

/* The state as bytes that mean the same on every machine. Loaded, whole or not at all, into a search that was created alike (limits, target
 * and tolerances may differ), it goes on with the same bits. size: room in buffer; *needed gets the size of the state, also with buffer
 * NULL. INVALID_ARGUMENT, WRONG_VERSION, OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_save(elastica_cmaes *search, void *buffer, size_t size, size_t *needed);
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_load(elastica_cmaes *search, const void *buffer, size_t size);

/* ---- Output -------------------------------------------------------------------------------------------------------------------------- */

typedef struct elastica_csv elastica_csv;
typedef struct elastica_vtk elastica_vtk;

/* A comma-separated file of numbers under one line of column names. Numbers are written so that they read back to the same bits; every row
 * is flushed. columns: the first line without its end; a row has as many values. INVALID_ARGUMENT, IO_ERROR (path and reason in the world's
 * message), OUT_OF_MEMORY. A row that cannot be written may leave a part of it; every later call then says so: close the file. */
ELASTICA_MUST_CHECK elastica_status elastica_csv_open(elastica_world *world, const char *path, const char *columns, elastica_csv **out);
elastica_status elastica_csv_row(elastica_csv *csv, const double *values, int count);
/* Closes and frees; reports errors that appear on closing. NULL is OK. Close before the world is destroyed. */
ELASTICA_MUST_CHECK elastica_status elastica_csv_close(elastica_csv *csv);

/* ParaView: directory/name.pvd lists one directory/name_NNNNNN.vtp per frame. Arrays have the names of elastica_rod_view, and radius, d1,
 * d2, d3 (directors), rod and element.
 *  - Each rod is one line through its nodes, with point data: velocity, internal_force; curvature and couple of the joints; means of what
 *    elements have; the Tube filter makes a smooth tube of it, with radius.
 *  - Each element is a vertex at its middle, which the Tube filter passes over, with its own values as cell data and point data: radius,
 *    length, dilatation, velocity, directors, omega, strain, force n, internal_couple; nan stands for what only nodes have, and in the cell
 *    of a line.
 *  - A rigid body is its surface in polygons, with velocity at the points of the surface and in each polygon that of the centre; and one
 *    vertex at its centre, as an element with its own values: frame, spin, velocity, length (along d3). Round ones have 20 sides.
 *  - A wall or elastic obstacle that is switched on is its surface likewise, without a vertex; its rod is -1. A plane is a thin plate below
 *    its surface, an endless cylinder a long one, about the rods.
 * Rods may come and go: a frame has those that are there, and rod is their number, by which a filter finds one again (Threshold).
 * The directory must exist; name has no folder, no ending .pvd or .vtp, no control characters and at most 240 bytes. Each file is written
 * under a name of its own, with the ending .tmp, and renamed when it is complete, the index after each frame: an interrupted run can be
 * opened, and a frame that is refused leaves the files as they were.
 * INVALID_ARGUMENT, IO_ERROR, OUT_OF_MEMORY. A frame needs derived lanes: WRONG_STATE from inside a hook, observe included, and else as
 * elastica_rod_refresh. Close before the world is destroyed; NULL is OK. */
ELASTICA_MUST_CHECK elastica_status elastica_vtk_open(elastica_world *world, const char *directory, const char *name, elastica_vtk **out);
ELASTICA_MUST_CHECK elastica_status elastica_vtk_frame(elastica_vtk *vtk);

/* From the next frame on, each has a second file, name_contacts_NNNNNN.vtp, in the index as part 1: a vertex for each
 * elastica_contact_point of this contact or obstacle, and of others that are added, with its data as arrays (force along the normal and
 * friction on the first [N]). Once the effect is removed it has none. INVALID_ARGUMENT: another kind of effect, or a name beyond 231 bytes;
 * OUT_OF_MEMORY. */
ELASTICA_MUST_CHECK elastica_status elastica_vtk_add_contacts(elastica_vtk *vtk, elastica_effect *effect);
elastica_status elastica_vtk_close(elastica_vtk *vtk);

/* A page that browsers play: one file of HTML with the run in it, without network. Rods are tubes with a stripe along d1, with rigid bodies,
 * walls, elastic obstacles, tendons, joints and contact forces; their colour is a quantity. It opens in any browser with WebGL 2. */
typedef struct elastica_view elastica_view;
typedef struct elastica_view_def {
  size_t struct_size;
  /* Read during the call, UTF-8. */
  const char *title;       /* above the scene; default NULL: the name of the file without .html */
  const char *length_unit; /* how the units of length and force are called; default NULL: "m" and "N" */
  const char *force_unit;

  /* [m] > 0, to which positions are rounded; default NaN: a power of two, 1/32768 to 1/16384 of the shortest rest length of an element, or
   * radius of a body, in the first frame; with more than 4000 elements eight times that. A place 2^31 of them away is refused. */
  double resolution;

  size_t size_limit; /* [bytes] of the file, default 1000000: beyond it every other frame is left out, as often as it takes. First and last
                      * frame stay, whatever their size */
  double up[3];      /* direction upwards in the first view; default NaN: against gravity where there is any, else z */
} elastica_view_def;

void elastica_view_def_init(elastica_view_def *def, size_t size);

/* path: of the file, "walker.html"; its folder must exist. def may be NULL (all defaults). frame adds the present state. The file is written
 * under a name of its own, with the ending .tmp, and renamed when it is complete: with each of the first frames, then whenever there are a
 * quarter more, and by close. So an interrupted run leaves a page of four fifths of its frames at least, and what was there before stays
 * until the first frame is in its place. Frames stay in memory: some 40 bytes for each element of each frame that is kept.
 * frame: as elastica_vtk_frame; NOT_FINITE names the first node or body that is nowhere: this frame is left out. IO_ERROR, also of close:
 * the former file stays. close frees in any case; without frames it writes nothing and returns WRONG_STATE. Close before the world is
 * destroyed; NULL is OK. */
ELASTICA_MUST_CHECK elastica_status elastica_view_open(elastica_world *world, const char *path, const elastica_view_def *def,
                                                       elastica_view **out);
ELASTICA_MUST_CHECK elastica_status elastica_view_frame(elastica_view *view);
elastica_status elastica_view_close(elastica_view *view);

#ifdef __cplusplus
}
#endif

#endif
