/* elastica: soft slender bodies as Cosserat rods
 * ===============================================
 *
 * A rod is a chain of n straight elements between n + 1 nodes. Each node has a mass and moves. Each element has a frame of three directors
 * and turns. The strains of a rod are stretch, shear, bending and twist; they give forces and couples, and a symplectic step (position
 * Verlet) moves nodes and frames; stiff thin rods have implicit steps (elastica_world_run_implicit). This is the discrete model of
 * Gazzola, Dudte, McCormick and Mahadevan, "Forward and inverse problems in the mechanics of soft filaments", R. Soc. Open Sci. 5 (2018)
 * 171628, with its misprints corrected. Equation numbers refer to that paper.
 *
 * A first program: a rubber cantilever bends under its weight for one second.
 *
 *   elastica_world *world;
 *   elastica_rod *rod;
 *   elastica_rod_def def;
 *   elastica_boundary_def clamp;
 *   const double gravity[3] = {0.0, 0.0, -9.81};
 *   elastica_rod_def_init(&def, sizeof def);
 *   def.element_count = 50;
 *   def.direction[0] = 1.0, def.direction[2] = 0.0;
 *   def.length = 1.0, def.radius = 0.01;                   // [m]
 *   def.density = 1000.0, def.youngs_modulus = 1e7;        // [kg/m^3] [Pa]
 *   elastica_boundary_def_init(&clamp, sizeof clamp);
 *   if (elastica_world_create(NULL, &world) != ELASTICA_OK) return 1;
 *   if (elastica_world_add_rod(world, &def, &rod) != ELASTICA_OK || elastica_add_boundary(world, rod, &clamp, NULL) != ELASTICA_OK ||
 *       elastica_add_gravity(world, gravity, NULL) != ELASTICA_OK || elastica_world_advance(world, 1.0) != ELASTICA_OK)
 *     puts(elastica_world_message(world));
 *   printf("tip at z = %g m\n", elastica_rod_get_view(rod)->position[2][50]);
 *   elastica_world_destroy(world);
 *
 * The sections follow the order of use: status, world, rods, rigid bodies, running, snapshots, statics, modes, loading paths, effects of
 * your own, effects of the library, checks and budgets, search, output.
 *
 * Conventions:
 *  - SI units stand in [brackets]; any consistent system of units works.
 *  - The material frame Q of an element has the directors d1, d2, d3 as its rows: x_material = Q x_laboratory. d3 is the tangent of an
 *    unsheared rod.
 *  - Positions, velocities and forces have laboratory components. Spins, couples, strains and curvatures have material components.
 *    Exceptions are stated. The curvature kappa turns the frame along the rod by d(d_a)/ds = (Q^T kappa) x d_a; the spin omega turns it in
 *    time likewise.
 *  - Nodes are i = 0..n, elements j = 0..n-1, joints k = 0..n-2; joint k is at node k + 1. A closed rod (ring) has n nodes, n elements and
 *    n joints; its joint k lies between elements k-1 and k, joint 0 closes it, and index n of a node lane is an alias of node 0.
 *  - A definition is a plain struct. Call its _def_init function with sizeof, then set the fields that differ from the defaults. Fields
 *    without a sensible default start as NaN, so that the error names a forgotten one. Switches are 0 or 1. Arrays are read during the call
 *    only. A negative number of a node or element counts back from the end: -1 is the last one.
 *  - struct_size identifies the version of a definition. A size that is larger than this library knows, ends inside a field, or holds no
 *    field (the size of a pointer) is WRONG_VERSION. A smaller size is allowed: the missing fields keep their defaults.
 *  - Every function that can fail returns a status. A refused call changes nothing and leaves a sentence in elastica_world_message. Any of
 *    them may return INVALID_ARGUMENT (NULL, a removed handle, a value out of range, a number that is not finite), WRONG_STATE (inside a
 *    hook, observe included, or after a failure of the simulation), WRONG_VERSION (a struct_size) and OUT_OF_MEMORY; comments name other
 *    statuses and special cases. A handle that a function adds or opens is NULL unless the status is OK; `out` of functions that add may be
 *    NULL. Handles of rods and effects stay valid as long as the world lives, also after removal.
 *  - Functions of yours in definitions have the rules of hooks (see elastica_module). They must not depend on earlier calls. A status other
 *    than OK ends the call or the step with CALLBACK_FAILED. The step limit does not include the dependence of a load on the state that
 *    such a function introduces, unless a comment says so.
 *
 * Strings that the library returns are never NULL. Different worlds are independent; calls on one world must not overlap in time.
 * Determinism: the same calls give the same bits for every instruction set, compiler, optimisation level, tile size and worker count. */
#ifndef ELASTICA_H
#define ELASTICA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) /* a shared library exports these declarations only */
#pragma GCC visibility push(default)
#endif

#define ELASTICA_VERSION_MAJOR 0
#define ELASTICA_VERSION_MINOR 1
#define ELASTICA_VERSION_PATCH 0

/* Compilers warn when the status of a marked function is ignored. Define it as nothing before including this header to turn these warnings
 * off. Functions that remove, switch off or close are not marked; neither is elastica_csv_row, since elastica_csv_close repeats its
 * error. */
#ifndef ELASTICA_MUST_CHECK
#if defined(__GNUC__)
#define ELASTICA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ELASTICA_MUST_CHECK
#endif
#endif

/* "major.minor.patch" of the linked library, with " with ELASTICA_FAST_MADD" behind it if it was compiled so (src/README.md). */
const char *elastica_version(void);

/* ---- Status and messages ---------------------------------------------------------------------------------------------------------- */

typedef enum elastica_status {
  ELASTICA_OK = 0,
  /* Refused calls: nothing was changed, and the next call may succeed. */
  ELASTICA_INVALID_ARGUMENT, /* an argument or a field is wrong; the message names it */
  ELASTICA_WRONG_STATE,      /* the call is not allowed inside a hook, after a failure of the simulation, or on a file that is open */
  ELASTICA_WRONG_VERSION,    /* this library does not know the struct_size of a definition or the format of a snapshot or path */
  ELASTICA_OUT_OF_MEMORY,    /* the allocator returned NULL */
  ELASTICA_IO_ERROR,         /* a file could not be written or read; the message has the path and the reason */
  /* The next four are failures of the simulation when a step or a relaxation returns them: see below. From other calls, or from a running
   * function before its first step, they are refusals: the state is intact and the call may succeed once the cause is removed. */
  /* A step beyond the stability limit is refused. It is a failure when a frame turned by more than 1 rad in one step, when velocities
   * changed the length of an element by half in half a step (half of its length in the middle of the step; in the law CLASSICAL half of
   * its rest length, if that is larger), or when a rod or body passed through another or an obstacle. Prescribed positions may
   * change a length freely. */
  ELASTICA_UNSTABLE_STEP,
  ELASTICA_NOT_FINITE,      /* a velocity, spin, energy or momentum is infinite or not a number */
  ELASTICA_JOINT_TOO_FAR,   /* two neighbouring frames are, or were within a step, more than 3.0 rad apart: ambiguous curvature */
  ELASTICA_CALLBACK_FAILED, /* a hook or a function of a definition returned an error or wrote a wrong value; the message has it */
  /* The last two are neither refusals nor failures; the world remains usable. */
  ELASTICA_NOT_CONVERGED, /* relaxation found no equilibrium, or an implicit step no solution */
  ELASTICA_STOPPED        /* a sampler stopped the run; the next call continues */
} elastica_status;

/* Failures of the simulation
 *
 * After a failure, calls that step, relax, add or change return WRONG_STATE and repeat the sentence of the failure. Queries and writers
 * work on the remaining state; those that ask a function of the user again (a motion, a drive) are CALLBACK_FAILED while it fails. The
 * failing step is completed for all rods and with all hooks, so that the state does not depend on tiles or threads. The sentence names the
 * lowest failed rod and its first failing hook; of a blow-up it names element, growth of the speed since the last limit check, the source
 * of most of the force or couple, and the stable step, or the boundary that caused it. (For this, add_loads and prescribed motions are
 * called once more.)
 *
 * The failed rods are those with a failed hook, with an unstable step, with an unsound state, or in a contact that passed through; see
 * has_failed of elastica_rod_view. If a failure belongs to no rod (a module between rods), all rods count as failed. The other rods have
 * completed the step normally.
 *
 * The failure ends when each failed rod was removed or received positions, velocities, frames and spins by elastica_rod_set_state. Time,
 * step count, and the effects with their history continue; remove the cause, or it acts again. The failure also ends when a snapshot is
 * loaded and by elastica_world_rewind, which restore time and history as well. */

/* Name of a status, such as "UNSTABLE_STEP"; also for values outside the enumeration. */
const char *elastica_status_text(elastica_status status);

/* ---- World -------------------------------------------------------------------------------------------------------------------------- */

typedef struct elastica_world elastica_world;
typedef struct elastica_rod elastica_rod;
typedef struct elastica_effect elastica_effect;
typedef struct elastica_budget elastica_budget;

/* Constitutive law.
 * CLASSICAL (default): Simo and Reissner: n = S (sigma - sigma0), tau = B (kappa - kappa0), constant J. With exact_couple the internal
 *   loads are the gradient of an energy, so an undamped rod conserves it.
 * RESCALED: the papers' law (3.8, 3.9) of an incompressible rod that gets thinner as it stretches: n = S (sigma - sigma0)/e,
 *   tau = B (kappa - kappa0)/E^3, J/e. It has no potential where e differs from 1: an undamped rod gains energy without bound (a swinging
 *   rubber cantilever within seconds). Use it to repeat figures of the papers, or for rubber stretched to e = 1.3 and more, and add
 *   damping. Tightly bent rods of short elements need damped frames or axial viscosity as well (examples/solenoid.c). */
typedef enum elastica_law { ELASTICA_LAW_RESCALED = 0, ELASTICA_LAW_CLASSICAL = 1 } elastica_law;

/* Instruction set of the hot loops. All give the same bits, because every multiply-add rounds once. An x86 processor without fused
 * multiply-add (before Haswell and Piledriver) emulates it exactly in BASE: a step then takes 40 to 70 times as long as with AVX2. */
typedef enum elastica_instruction_set {
  ELASTICA_INSTRUCTION_SET_AUTO = 0,   /* the widest that processor and system support */
  ELASTICA_INSTRUCTION_SET_BASE = 1,   /* the target of the compiler: SSE2 on x86 by default, NEON on 64-bit Arm */
  ELASTICA_INSTRUCTION_SET_AVX2 = 2,   /* AVX2 with FMA, 256 bits; not on Windows, which may align the stack to 16 bytes only */
  ELASTICA_INSTRUCTION_SET_AVX512 = 3, /* AVX-512 F, DQ and VL, 512 bits; not on Windows */
  ELASTICA_INSTRUCTION_SET_FMA = 4     /* AVX with FMA, 128 bits */
} elastica_instruction_set;

/* A piece of work for the host's threads (run_tasks below). */
typedef void (*elastica_task)(void *context, int index);

/* Options of a world; every field has a default. */
typedef struct elastica_world_def {
  size_t struct_size;

  elastica_law law; /* default CLASSICAL */

  /* 1 (default): the couple of a joint is the exact SO(3) gradient of its bending energy (it adds c theta x (theta x tau)): internal
   * torques balance to round-off. 0: the papers' couple, its first-order truncation, with a torque defect of theta^3/12 per joint: the
   * energy of a rod grows by a few per cent in 5e5 steps. Long undamped runs need steps of half the limit: the mean energy then drifts by
   * less than 2 % in 1e6 to 1e7 steps; from 0.8 of the limit it can diverge (src/README.md). */
  int exact_couple;

  /* 0 (default): the velocity-dependent couples (J omega/e) x omega and (J omega/e^2) de/dt are taken at the midpoint of the step: second
   * order in time. 1: at the old velocities, as (C3, C4) say: first order; with exact_couple a rod gains 5 % in 3.5e4 steps, then
   * diverges. */
  int explicit_couples;

  /* 1: elastica_world_step does not compare dt with the stability limit. 0 (default): it refuses an unstable dt. The detection of a blow-up
   * is always on. */
  int allow_unstable_step;

  elastica_instruction_set instruction_set; /* default AUTO; an unsupported one is refused */

  /* Threads for a step, a limit check or a sum over the world, the calling thread included; 1 to 4096, default 1. The calling thread alone
   * takes tiles with an effect that is not parallel_safe, and work of less than some 20 us. */
  int worker_count;

  size_t tile_size;     /* slots processed together, 1 to 2^31 - 1; default 256 */
  size_t slot_capacity; /* slots to reserve, so that adding rods does not move lanes: n + 1 for a rod, n + 2 for a ring, 56 for every 16
                         * rigid bodies; default 0 */

  /* Memory: set both or neither. allocate returns NULL when there is none; blocks need the alignment of double. With several workers both
   * may be called from several threads at once. */
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *block);
  void *allocator_user;

  /* Buffer for the sentence of a refused elastica_world_create; may be NULL. */
  char *message;
  size_t message_size;

  /* Steps between the states that the world keeps for elastica_world_rewind; default 0: none. A kept state costs about one step, and needs
   * modules that can be saved (see elastica_module); multiples of 64 are cheapest, because steps pause there for the limit check. */
  long snapshot_interval;

  /* Threads of the host, such as a game's job system; NULL (default): the library starts worker_count - 1 threads. run_tasks calls
   * task(context, k) once for each k = 0..count-1, on any threads, and returns when all calls have returned. count is at most worker_count.
   * It is called by the thread that calls the library, for work of more than some 20 us. Hooks that are parallel_safe run on these threads.
   * run_tasks must not throw and must not call functions of this world. Mistakes of the host are harmless while the world lives: the
   * calling thread does omitted work and waits for running calls; repeated calls, other indices and late calls do nothing. */
  void (*run_tasks)(void *user, int count, elastica_task task, void *context);
  void *tasks_user;
} elastica_world_def;

/* Writes the defaults into the first size bytes of *def. NULL does nothing. This holds for every _def_init function. */
void elastica_world_def_init(elastica_world_def *def, size_t size);

/* Creates an empty world. def NULL: all defaults. */
ELASTICA_MUST_CHECK elastica_status elastica_world_create(const elastica_world_def *def, elastica_world **out);

/* Destroys a world with its rods and effects; close its writers first. NULL is allowed. Inside a hook, a sampler or the function of a
 * loading path it does nothing. The destroy hooks of modules are called first, in order of addition, while the world still exists. */
void elastica_world_destroy(elastica_world *world);

typedef struct elastica_world_info {
  double time;         /* [s] */
  long step_count;     /* number of steps taken; a step beyond LONG_MAX - 2^20, on Windows 2.1e9, is refused with WRONG_STATE */
  double working_step; /* [s] the working step of elastica_world_advance; 0 before its first use */
  int rod_count;       /* rods and rigid bodies so far, removed ones included: their numbers are 0..rod_count-1 */
  int effect_count;    /* effects so far, likewise */
} elastica_world_info;

/* All 0 for NULL. */
elastica_world_info elastica_world_get(const elastica_world *world);

/* The sentence of the last refused call or of the failure, or ""; valid until the next call on the world. A call refused inside a hook of a
 * parallel_safe module leaves no sentence. For world NULL the sentence names the buffer that elastica_world_create writes to. */
const char *elastica_world_message(const elastica_world *world);

/* Writes a sentence (printf format) into the world's message and returns status. For add and set functions of your own modules, and for
 * their hooks prepare, energy and power; the sentence of a failure replaces one from another hook. */
elastica_status elastica_world_refuse(elastica_world *world, elastica_status status, const char *format, ...)
#if defined(__MINGW32__) && !defined(__clang__)
    __attribute__((format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- Rods ---------------------------------------------------------------------------------------------------------------------------- */

/* Rest shape of a rod without given rest strains. STRAIGHT: no rest curvature and no rest strain. INITIAL: the initial shape is free of
 * stress. */
typedef enum elastica_rest { ELASTICA_REST_STRAIGHT = 0, ELASTICA_REST_INITIAL = 1 } elastica_rest;

/* Shape, material and section of a rod. A NULL array selects the scalar field above it, or the default. Arrays hold 3 numbers per node, 1,
 * 3 or 9 per element, 3 per joint, in order along the rod. */
typedef struct elastica_rod_def {
  size_t struct_size;

  int element_count; /* n >= 1; a ring needs 3 */
  int closed;        /* 1: a ring, node n is node 0 (position then holds n nodes); default 0 */

  /* Straight rod: from start along direction. Not read if position is set. */
  double start[3];     /* [m] default 0, 0, 0 */
  double direction[3]; /* default 0, 0, 1; any length but zero */
  double length;       /* [m] no default */

  /* First director d1 of the first element, made orthogonal to the tangent. Default NaN: the coordinate axis closest to orthogonal. The
   * following frames come by parallel transport: the smallest rotation that takes one tangent to the next. */
  double normal[3];

  /* Any other shape: node positions [3 (n+1)] in [m], and optional frames [9 n], row-major, orthonormal to 1e-9. */
  const double *position;
  const double *director;
  const double *velocity; /* [3 (n+1)] [m/s], default 0 */
  const double *omega;    /* [3 n] material [rad/s], default 0 */

  const double *rest_length; /* [n] [m], default: the initial distance of the nodes */

  elastica_rest rest;           /* default STRAIGHT */
  const double *rest_curvature; /* [3 joints] material [1/m]; overrides rest */
  const double *rest_strain;    /* [3 n] material sigma0; overrides rest */

  /* Material and circular section: A = pi r^2, second moments of area I1 = I2 = A^2/(4 pi), I3 = 2 I1. */
  double radius;                 /* [m] at rest, no default */
  const double *element_radius;  /* [n] */
  double density;                /* [kg/m^3] no default */
  const double *element_density; /* [n] */
  double youngs_modulus;         /* [Pa] no default (not needed when all stiffnesses are given) */
  const double *element_youngs_modulus;
  double shear_modulus;                /* [Pa] G = E/(2 (1 + nu)); default: E/3, Poisson's ratio nu = 1/2; the papers use 2/3 of E */
  const double *element_shear_modulus; /* [n] */
  double shear_factor;                 /* alpha_c in S1 = S2 = alpha_c G A; default 4/3 as in the papers */
  const double *element_shear_factor;  /* [n] */

  /* Stiffness and inertia; NULL: from the fields above. */
  const double *shear_stiffness; /* [3 n] S = diag(shear, shear, stretch) [N]; default (alpha_c G A, alpha_c G A, E A) */
  const double *bend_stiffness;  /* [3 n] B = diag(bend, bend, twist) [N m^2]; default (E I1, E I2, G I3). 0: a thread, whose frames
                                  * follow its edges by shear; its joints also keep the limit of 3.0 rad */
  const double *inertia;         /* [3 n] J of an element [kg m^2]; default density * rest_length * (I1, I2, I3) */

  /* Factor on the inertia J, default 1. The shear/rotation mode limits the step of thin rods. For quasi-static and low-Reynolds work a
   * larger J allows steps 5 to 28 times longer, at the price of wrong fast rotations (examples/start/real_time.md).
   * Messages about the step report it. */
  double rotary_inertia_scale;

  int contact_group; /* >= 0, default 0: selects the contact effects of the rod (see elastica_add_contact) */
} elastica_rod_def;

void elastica_rod_def_init(elastica_rod_def *def, size_t size);

/* Adds a rod. It takes the lanes of removed rods if it fits there. A shape or rest curvature with a joint above 3.0 rad is refused with the
 * element count it needs. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_rod(elastica_world *world, const elastica_rod_def *def, elastica_rod **out);

/* Removes a rod between steps, together with the effects that act on it alone (their destroy hooks are called). The other rods keep their
 * numbers and states; with steps of a given size they also keep their bits. Every call that receives the handle of a removed rod or effect
 * is refused: INVALID_ARGUMENT, or NULL, NaN by functions without a status. Also works after a failure. */
elastica_status elastica_rod_remove(elastica_rod *rod);

/* All rods by number, in order of addition; rigid bodies are counted, too. A number is given once: a removed rod leaves NULL at its number.
 * NULL outside 0..rod_count-1 of elastica_world_get. */
elastica_rod *elastica_world_rod(elastica_world *world, int index);

/* Read-only lanes of one rod: one plain array of double per component. The address of the struct is valid until the rod is removed; the
 * pointers change only when a rod is added. Derived lanes are filled in the hooks add_resultants, add_loads and add_reactions, for
 * samplers, and by elastica_rod_refresh; elsewhere they are NULL. */
typedef struct elastica_rod_view {
  size_t struct_size;
  elastica_world *world;
  int rod_index; /* its number */
  int node_count, element_count, joint_count, closed;
  int classical_law, exact_couple; /* options of the world, 0 or 1; a rigid body always has a classical_law */
  int rigid;                       /* 1: a rigid body (see elastica_world_add_body); 0: a rod */
  int has_failed;                  /* 1: the rod has failed, and its whole state has not been set since (see elastica_status) */

  /* State. */
  const double *position[3];    /* [m] node_count */
  const double *velocity[3];    /* [m/s] node_count */
  const double *director[3][3]; /* [row][axis] element_count */
  const double *omega[3];       /* [rad/s] material, element_count */

  /* Constants. mass includes added masses from the next call on that prepares the rod (see prepare of elastica_module): a step, a
   * relaxation, or a query of the step limit, derived lanes, energy, power or momentum. */
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

  /* Geometry of the present positions; in constrain hooks, of an earlier instant. */
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
  const double *external_force[3];  /* [N] node_count; of add_loads, of all effects */
  const double *external_couple[3]; /* [N m] element_count */
  const double *drag;               /* [kg/s] node_count: rates of dissipation, with the force -drag v */
  const double *spin_drag;          /* [N m s] element_count: rates, with the couple -spin_drag omega */
  const double *reaction_force[3];  /* [N] node_count; of add_reactions: walls (obstacles of kind RIGID), friction of elastic obstacles */
  const double *reaction_couple[3]; /* [N m] element_count */
  const double *total_force[3];     /* [N] node_count; internal + external + reaction - drag v; at a free node mass times acceleration */
  const double *total_couple[3];    /* [N m] element_count; the same with -spin_drag omega + (J omega) x omega: J domega/dt; under RESCALED
                                     * with J/e for J, and without the change of e */
} elastica_rod_view;

/* NULL for a removed rod. */
const elastica_rod_view *elastica_rod_get_view(const elastica_rod *rod);

/* Fills the derived lanes of a rod's view at its present state (with add_resultants of this rod, without loads). They remain valid until
 * the next refresh of any rod, step, or change of the world. Prepares the world if something changed. JOINT_TOO_FAR, CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_refresh(elastica_rod *rod);

/* Computes all loads at the present state and time without a step: fills the derived lanes of all rods and the loads of their views, valid
 * until the next step or change of the world. It changes neither bits nor history. At a constrained node, minus the total force is the
 * support reaction; likewise for a frame. dt > 0 [s]: includes reactions, as in a step of dt from here (for a node that moves towards a
 * wall they depend on dt). dt = 0: without reactions. begin_step is not called. A sampler may call it. INVALID_ARGUMENT: dt > 0 with a
 * module with add_reactions and a borrowed self that is not stateless, because its history could not be restored. JOINT_TOO_FAR,
 * CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_world_evaluate(elastica_world *world, double dt);

/* Sets the state between two steps; NULL keeps the present values. position, velocity [3 nodes], director [9 n] (orthonormal to 1e-9),
 * omega [3 n] material, laid out as in elastica_rod_def. Refused: positions that make an element shorter than 1e-9 of its rest length,
 * frames with a joint above 3.0 rad. Also works after a failure of the simulation (see elastica_status). */
ELASTICA_MUST_CHECK elastica_status elastica_rod_set_state(elastica_rod *rod, const double *position, const double *velocity,
                                                           const double *director, const double *omega);

/* Sets the rest strains between two steps; NULL keeps the present values. rest_curvature [3 joints], rest_strain [3 n]. Refused as
 * set_state. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_set_rest(elastica_rod *rod, const double *rest_curvature, const double *rest_strain);

/* Sums over a rod or a world. Energies are those of the papers (section 2 of their appendix, discretely). */
typedef struct elastica_totals {
  double translation; /* [J] sum m v^2/2 */
  double rotation;    /* [J] sum omega . J omega/(2 e) */
  double bending;     /* [J] sum Dhat (kappa - kappa0) . B (kappa - kappa0)/(2 E^3), bending and twist */
  double shear;       /* [J] sum lhat (sigma - sigma0) . S (sigma - sigma0)/2, shear and stretch */
  double effects;     /* [J] sum of the energy hooks of all effects: gravity, boundaries of kind CLAMP, springs, ... */
  double mass;        /* [kg] */
  double centre[3];   /* [m] centre of mass */
  double linear[3];   /* [kg m/s] momentum, sum m v */
  double angular[3];  /* [kg m^2/s] about the origin: sum r x m v + sum Q^T J omega/e */
} elastica_totals;

/* Fills the derived lanes of the rod, or of the world's last rod. NOT_FINITE when a sum overflows and CALLBACK_FAILED when the energy of an
 * effect is not finite (both are refusals); else as elastica_rod_refresh. After a failure that left numbers that are not finite the status
 * is OK, and the results are not finite either. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_get_totals(elastica_rod *rod, elastica_totals *out);
ELASTICA_MUST_CHECK elastica_status elastica_world_get_totals(elastica_world *world, elastica_totals *out);

/* Components of a laboratory vector in the frame of element j, and back; both vectors may be the same array. For hooks: arguments are not
 * checked; no pointer may be NULL, j is 0..n-1. */
void elastica_rotate_to_material(const elastica_rod_view *rod, int j, const double laboratory[3], double material[3]);
void elastica_rotate_to_laboratory(const elastica_rod_view *rod, int j, const double material[3], double laboratory[3]);

/* Present radius [m] of element j, from its conserved volume. Arguments are not checked. */
double elastica_rod_radius(const elastica_rod_view *rod, int j);

/* ---- Rigid bodies ------------------------------------------------------------------------------------------------------------------- */

/* A body that keeps its shape: a head, a gripper, a float, a ball. It is an elastica_rod with one node, the centre of mass, and one
 * element, its frame, without joints and elasticity. All functions for rods take it; the field `rigid` of its view is 1.
 *
 * Motion: m dv/dt = F, J domega/dt = (J omega) x omega + C in material components, with the gyroscopic couple always at the midpoint of the
 * step. A free body keeps its momentum, energy and size of angular momentum M to rounding; the direction of M errs by a bounded angle of
 * second order, rarely above (|M| dt/J)^2/10 (J: the smallest moment). A free body does not limit the step, except that its frame may not
 * turn by 1 rad; elastica_world_advance keeps to half a radian.
 *
 * These effects act on bodies: gravity, dissipation (times the extent along d3), obstacles, contact, joints (share 0 is the centre, the
 * offset reaches any point; stiffnesses must be given unless the other side is a rod), guides of tendons, point loads, boundaries of kind
 * FRAME or PIN, added mass, and your own modules. Effects that need joints, two nodes or a section are refused: muscles, contraction, drag,
 * boundaries of kind CLAMP; so are rest strains and facts.
 *
 * The frame of the view has the principal axes of inertia as directors. It is the frame of the definition unless `inertia` has products;
 * elastica_body_get and elastica_body_set_state always use the frame of the definition. */
typedef enum elastica_shape {
  ELASTICA_SHAPE_SPHERE = 0,
  ELASTICA_SHAPE_CAPSULE = 1,  /* cylinder along d3 with a half ball at each end. Lying on an elastic obstacle or on another body it has
                                * one friction spring, so no friction couple about the normal: for that join two by a FIXED joint */
  ELASTICA_SHAPE_CYLINDER = 2, /* along d3, with flat caps */
  ELASTICA_SHAPE_BOX = 3,      /* edges along d1, d2, d3 */
  /* Of obstacles only. */
  ELASTICA_SHAPE_PLANE = 4,   /* the half space below a point, with the outward normal d3 */
  ELASTICA_SHAPE_SURFACE = 5, /* any shape, by a function of yours */
  ELASTICA_SHAPE_TUBE = 6,    /* a tube along a polyline with a radius at each point, from outside or inside */
  ELASTICA_SHAPE_MESH = 7     /* a solid or a sheet of triangles */
} elastica_shape;

/* The centre of mass is the centre of the shape. */
typedef struct elastica_body_def {
  size_t struct_size;

  elastica_shape shape; /* default SPHERE */
  double radius;        /* [m] of all shapes but BOX; no default. Sizes of other shapes are not read */
  double length;        /* [m] of a CYLINDER, and of a CAPSULE without its ends; no default */
  double edges[3];      /* [m] of a BOX, along d1, d2, d3; no default */

  /* Set exactly one of density and mass. */
  double density; /* [kg/m^3] */
  double mass;    /* [kg] */

  /* [kg m^2] inertia tensor about the centre, row by row in the frame below: symmetric, positive, no principal moment larger than the sum
   * of the others. Default NaN: that of the homogeneous shape. */
  double inertia[9];

  double position[3]; /* [m] of the centre; default 0, 0, 0 */
  double director[9]; /* frame, row by row, orthonormal to 1e-9; default NaN: the axes of the laboratory */
  double velocity[3]; /* [m/s] of the centre; default 0 */
  double omega[3];    /* [rad/s] material, in this frame; default 0 */

  int contact_group; /* as in elastica_rod_def */
} elastica_body_def;

void elastica_body_def_init(elastica_body_def *def, size_t size);

/* Adds a body; it gets the next rod number. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_body(elastica_world *world, const elastica_body_def *def, elastica_rod **out);

/* A body in its present state, in the frame of its definition. */
typedef struct elastica_body_info {
  elastica_shape shape;
  double radius, length, edges[3]; /* [m]; 0 for dimensions that the shape does not have */
  double mass, volume;             /* [kg] without added masses; [m^3] */
  double moments[3];               /* [kg m^2] principal, as in the view */
  double axes[9];                  /* rows: principal axes in the frame of the definition; the frame of the view is axes times director */
  double position[3], velocity[3]; /* [m] [m/s] laboratory */
  double director[9], omega[3];    /* frame of the definition; [rad/s] material, in it */
} elastica_body_info;

ELASTICA_MUST_CHECK elastica_status elastica_body_get(elastica_rod *body, elastica_body_info *out);

/* elastica_rod_set_state in the frame of the definition: position [3], velocity [3], director [9], omega [3]; NULL keeps the present
 * values. */
ELASTICA_MUST_CHECK elastica_status elastica_body_set_state(elastica_rod *body, const double *position, const double *velocity,
                                                            const double *director, const double *omega);

/* ---- Running ------------------------------------------------------------------------------------------------------------------------- */

/* The cause of a step limit. */
typedef enum elastica_mode {
  ELASTICA_MODE_NONE = 0, /* there is no limit */
  ELASTICA_MODE_AXIAL,
  ELASTICA_MODE_SHEAR, /* shear/rotation and bending */
  ELASTICA_MODE_TORSION,
  ELASTICA_MODE_EFFECT /* stiffness or explicit rate of an effect */
} elastica_mode;

typedef struct elastica_step_limit {
  double dt;     /* [s] largest stable step; infinite without a limit, 0 when no step is stable */
  int rod_index; /* the limiting rod and element; -1 for none */
  int element;
  elastica_mode mode;      /* the largest of the element's bounds */
  elastica_effect *effect; /* for ELASTICA_MODE_EFFECT: the effect that adds most there; else NULL */
  const char *mode_name;   /* such as "shear" */
} elastica_step_limit;

/* The largest stable step of position Verlet for the model linearised about the present state. It is a bound from below: at most
 * 2/omega_max. It is computed element by element (axial, shear and rotation, bending, torsion), with the stiffness and explicit rates of
 * effects within the next 64 such steps. The limit of a rod on walls includes its motion in a step (see elastica_obstacle_def). It changes
 * as rods stretch, bend or meet stiffer bodies, so the running functions check it again. JOINT_TOO_FAR and CALLBACK_FAILED are refusals. */
ELASTICA_MUST_CHECK elastica_status elastica_world_step_limit(elastica_world *world, elastica_step_limit *out);

/* Takes count steps of dt [s].
 *
 * Limit checks: before the first step after a change, and then every K steps. K starts at 64, is halved (down to 8) by a step that is taken
 * back, and doubles after K steps without one. A step is taken back, the limit checked, and the step repeated once, if an element has
 * stretched or shrunk by a tenth since the last check, if shear, joints or spins exceed the values assumed there, if a contact comes near
 * for which dt is too long, or if an effect requests it. With an effect that has begin_step or add_reactions and a borrowed self, the check
 * comes before the next step instead. Observers see each accepted step once.
 *
 * UNSTABLE_STEP as a refusal: dt is beyond the limit, or a spinning frame would turn by more than 1 rad in a step. The sentence has both
 * steps and the mode. The state is that of the last accepted step (see step_count of elastica_world_info). UNSTABLE_STEP as a failure:
 * loads turned a frame by 1 rad right after a check; only that rod fails.
 *
 * Memory is requested only by the first step after a change, when the pair list of a contact outgrows its room, and when a kept state does
 * (snapshot_interval). If there is none, OUT_OF_MEMORY refuses the next step, and the state is that of the last accepted one.
 * INVALID_ARGUMENT: also a dt below the rounding of the time. The failures of the simulation. */
ELASTICA_MUST_CHECK elastica_status elastica_world_step(elastica_world *world, double dt, long count);

/* Advances by exactly duration [s] in equal steps, as few as the working step allows.
 *
 * The working step is 0.8 of the limit or shorter: no frame turns by more than 0.5 rad in it, and an undamped contact, a hinge beyond a
 * limit of its turn, and an elastic tendon between slack and taut are resolved with 35 steps per half oscillation. A contact with a damping
 * ratio above 0.1 takes half of the step that is stable with its damper, from its first touch on. The step is reduced at once and grows
 * rarely, because each growth feeds vibrations (src/README.md). UNSTABLE_STEP also for a spin that makes steps a million times shorter than
 * the limit.
 *
 * Calls of equal duration take equal steps, so an undamped run conserves its energy. Calls of varying duration change the step from call to
 * call, which feeds energy into undamped rods; use elastica_world_run with whole_steps for those. */
ELASTICA_MUST_CHECK elastica_status elastica_world_advance(elastica_world *world, double duration);

/* A run to a given time, in one or several calls with a limited cost each. */
typedef struct elastica_run_def {
  size_t struct_size;
  double until; /* [s] time of the end; no default */

  /* 0 (default): ends at exactly this time in equal steps, as elastica_world_advance. A call that ends early leaves the rest to the next
   * call with the same `until`; the bits are those of one single call. Other steps, or another `until`, in between discard that division.
   * 1: takes all whole working steps that end at or before this time. The state lags behind `until` by less than a step (see lag below),
   * and the step does not depend on the intervals between calls: for frames of irregular duration. */
  int whole_steps;

  /* The cost limit of this call. Seconds of the clock include the sampler. No step begins that is expected to end later, but at least one
   * is always taken. */
  long most_steps;     /* default LONG_MAX; 0: none */
  double most_seconds; /* [s] default infinite */

  /* The clock [s], with any zero; NULL (default): the monotonic clock of the system. Read about twice per 64 steps. Bits do not depend on
   * it. The restrictions of hooks apply inside it. */
  double (*clock)(void *user);
  void *user;
} elastica_run_def;

void elastica_run_def_init(elastica_run_def *def, size_t size);

typedef struct elastica_run_result {
  int finished;   /* 1: the run has ended; 0: the cost limit, a sampler or an error came first */
  long steps;     /* steps of this call */
  double lag;     /* [s] until - present time; negative if `until` lies in the past, and then no step is taken. To draw the state at
                   * `until`, extrapolate positions over lag with the velocities */
  double seconds; /* [s] of the clock, of this call */
} elastica_run_result;

/* Continues a run. Reaching the cost limit is OK, with out->finished 0. out (may be NULL) is written with every status once the definition
 * is accepted. STOPPED, and as elastica_world_advance. */
ELASTICA_MUST_CHECK elastica_status elastica_world_run(elastica_world *world, const elastica_run_def *def, elastica_run_result *out);

/* A sampler: a function of yours that the running functions (step, advance, run) call at given times between two steps: to write frames and
 * tables, to watch energies, to show progress, to stop.
 *
 * Times: sample k = 0, 1, ... is due at start + k interval, without drift. It is taken at the end of the first step at or after that time
 * (or up to a thousandth of a step before, for rounding); a sample that is due when a running function is called comes before its first
 * step. If several are due, one is taken. If time is set back, later samples are taken again.
 * Bits do not depend on the sampler, except with `exact`: advance and run are then divided at the times of the samples.
 *
 * The function may read all views, derived lanes included; query energies, momenta, the step limit, forces of walls and contacts; call
 * elastica_rod_refresh; write rows, frames and snapshots. Calls that step, relax, add or change are WRONG_STATE. To change something, stop
 * the run, change it, and continue.
 *
 * It returns OK to continue. Any other status stops the run and is returned by the running function, which leaves the message as it is:
 * ELASTICA_STOPPED, or an error such as that of elastica_vtk_frame; a number that is no status becomes CALLBACK_FAILED. This is no failure:
 * the sample counts as taken, and the next call continues. If derived lanes cannot be filled, the running function returns the status of
 * elastica_rod_refresh and the sample remains due. The function runs on the calling thread; relaxation and failing steps do not call it. */
typedef struct elastica_sampler {
  size_t struct_size;
  elastica_status (*sample)(void *user, elastica_world *world);
  void *user;
  double interval;   /* [s] > 0, no default */
  double start;      /* [s] default NaN: now, so that the first sample comes before the first step */
  int exact;         /* 1: elastica_world_advance and run end steps exactly at the times of samples; default 0 */
  int needs_derived; /* 1 (default): derived lanes of all rods are filled, for the cost of a step and 256 bytes per slot; 0: they are NULL
                      * until elastica_rod_refresh */
} elastica_sampler;

void elastica_sampler_init(elastica_sampler *sampler, size_t size);

/* Replaces the sampler of a world; NULL: none. A sampler may not call it. */
ELASTICA_MUST_CHECK elastica_status elastica_world_set_sampler(elastica_world *world, const elastica_sampler *sampler);

/* ---- Snapshots ----------------------------------------------------------------------------------------------------------------------- */

/* A snapshot holds the state of a world: everything that determines the bits of later steps. It is loaded into a world built by the same
 * calls, in this process or another: N steps, save, load, N steps give the same bits as 2N steps. A snapshot of the first state resets a
 * world. It contains time, step counts, working step and limit; positions, velocities, frames, spins, masses and rest strains of every rod;
 * and for each effect whether it is enabled, its parameters and its history. It does not contain functions and pointers (prescribed
 * motions, `user`, hooks, allocator), threads, tiles, instruction set and open files. These may differ, but an effect must have a function
 * in both worlds or in neither. Numbers are little-endian on every host; the self of your own modules is copied as bytes, unless it has
 * hooks for it, and is then refused on hosts of another byte order. Loading prepares the world. */

/* Writes a snapshot to the start of a buffer of size bytes. *needed receives the size of a snapshot of the present state, also with buffer
 * NULL; needed NULL: not asked. About 220 bytes per element, 70 more per wall on it; it changes with rods, effects, contacts with friction,
 * and save_size of modules: ask before each save. A refused call may have written a part. A sampler may save. INVALID_ARGUMENT: also a
 * buffer that is too small, and a module with a borrowed self that cannot be saved. CALLBACK_FAILED from a module. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_save(elastica_world *world, void *buffer, size_t size, size_t *needed);

/* Restores the state of a snapshot in a buffer of at least its size, completely or not at all. It ends a failure of the simulation.
 * INVALID_ARGUMENT: the snapshot is damaged or of a world that was built differently; the message names the first difference (number of
 * rods, elements of a rod, a material constant, the name of an effect). WRONG_VERSION: another format. A sampler may not load.
 * CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_load(elastica_world *world, const void *buffer, size_t size);

/* The same with a file. It is written under a name of its own in the same directory (path.PROCESS-NUMBER.tmp), and renamed when it is
 * complete and on the disk: a crash leaves either the old file or the new one. Processes and threads may save to one path; the last one
 * wins. The new file takes the mode of the old one; symbolic links are followed to existing files; a pipe, device or directory is refused.
 * IO_ERROR, WRONG_STATE if a writer has the file open, and as above. */
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_save_file(elastica_world *world, const char *path);
ELASTICA_MUST_CHECK elastica_status elastica_world_snapshot_load_file(elastica_world *world, const char *path);

/* Restores the last state that the world kept by itself: before each step with a number that is a multiple of snapshot_interval, and before
 * the first step after rods or effects were added or a snapshot was loaded. Ends a failure. Two states are kept: if the world fails again
 * before it keeps another one, the next call restores the older one. Parameters, motions and functions of the library's effects become
 * those of that time, and their `user` pointers must still be valid; hooks of your own modules stay. WRONG_STATE without a kept state
 * (loading a snapshot discards them), and as elastica_world_snapshot_load. */
ELASTICA_MUST_CHECK elastica_status elastica_world_rewind(elastica_world *world);

/* ---- Statics ------------------------------------------------------------------------------------------------------------------------- */

typedef struct elastica_relax_def {
  size_t struct_size;
  double tolerance;      /* largest residual relative to the largest forces and couples in the same rod, at most 0.01; default 1e-9;
                          * 0: rounding */
  long evaluation_limit; /* evaluations of all forces after which an attempt of Newton's method ends; default 10000, at least 1. An attempt
                          * always completes its first step; damped steps may lead to further attempts with the same limit */
  int keep_state;        /* 1: without an equilibrium the last state stays, for inspection; 0 (default): the initial state returns */
  long step_limit;       /* largest number of damped steps, rounded up to a multiple of 64; default 100000; 0: none */
} elastica_relax_def;

void elastica_relax_def_init(elastica_relax_def *def, size_t size);

/* Residuals and references are those of the rod with the largest relative residual. */
typedef struct elastica_relax_result {
  long evaluations;        /* of all forces, without those of damped steps */
  long steps;              /* damped steps; 0: Newton's method was enough */
  double force, couple;    /* [N] [N m] largest residual on a free node and on a free element */
  double reference_force;  /* [N] largest force at the start or now: stress n, external force of a node, couple over its length */
  double reference_couple; /* [N m] largest couple likewise: tau, external couple of an element, stress n times the element's length */
  double distance;         /* [m] estimated distance of the farthest node to equilibrium: next correction/(1 - contraction rate); infinite
                            * after damped steps alone */
  int stable;              /* 1: the linearised stiffness of rods and loads has no negative eigenvalue; zero eigenvalues (a free rod) are
                            * allowed. 0: it has one (a column above its buckling load), or the sign is undecided, or not converged */
  int undecided;           /* 1: converged, but the stability is unknown: walls or bodies on walls may hold unstable modes; loads have no
                            * potential (forces that turn with a frame, friction that holds loads) and their symmetric part is unstable;
                            * loads depend on too many distant places; rounding hides more than 1e-3 of the stiffness of a motion, as in a
                            * column at 1 % beside its buckling load with a length of 1e6 radii */
  elastica_effect *undecided_by; /* the first effect with loads without a potential, or without a known stiffness (no
                                  * add_tangent), if that leaves the stability unknown; NULL: another cause */
  int unstable_modes;            /* number of negative eigenvalues, reactions left out: of motions with a stiffness below -1e-6 of the rods'
                            * material stiffness along them, whatever the number of elements; 0 if not converged */
  int zero_modes;                /* number of motions with a stiffness within 1e-6 of that, or of rounding: 6 for a free rod. Rounding may
                                  * hide a stiffness down to -1e-3 in a stable state */
} elastica_relax_result;

/* Finds the static equilibrium of all rods and bodies under all enabled effects. Time is frozen: hooks see the present time, dt = 1 s and
 * zero velocities; observe is not called. All velocities and spins are 0 afterwards. src/statics/README.md describes the method.
 *
 * Newton's method comes first: implicit steps in a fictitious time with the rods' own stiffness and that of loads, from add_tangent if all
 * effects have it, otherwise measured. It descends from unstable states. If it has not converged after some 200 evaluations and contact or
 * a wall acts, damped time steps follow, with frozen motions and time; rigid bodies on walls always use these.
 *
 * Loads must not depend on velocity alone, and constraints must assign values. Discontinuous loads (walls with balance ELEMENTS) limit the
 * residual to the size of their jumps: use a tolerance of 1e-3.
 *
 * NOT_CONVERGED: a limit was reached (the state is kept, and another call continues), or there is no equilibrium, or only one inside the
 * core of a contact or an obstacle, or the rounding of stretch hides the loads of a rod with a length of some 1e6 radii (the message names
 * the cause, and the initial state returns unless keep_state). Up to 1e5 radii, results do not depend on the direction of a rod. def NULL:
 * all defaults; out may be NULL. NOT_FINITE, JOINT_TOO_FAR, CALLBACK_FAILED are failures of the simulation. */
ELASTICA_MUST_CHECK elastica_status elastica_world_relax(elastica_world *world, const elastica_relax_def *def, elastica_relax_result *out);

/* ---- Implicit steps ------------------------------------------------------------------------------------------------------------------ */

/* Runs in implicit steps (TR-BDF2: second order, L-stable), for stiff thin rods that move slowly: explicit steps follow the waves of shear
 * and stretch, implicit ones the motion.
 *
 * An implicit step costs as much as 200 to 350 explicit ones of the same rod, with contact 40 to 60. Compare the step that the motion needs
 * (about 1/100 of the period of interest) with elastica_world_step_limit: for wires, hair, sutures and mooring ropes implicit steps are 40
 * to 3,000 times faster (examples/start/stiff.md), for rubber and soft tissue of a few elements slower. Impacts, waves and high modes need
 * small steps anyway, and vibrations lose 0.4 % (omega dt)^4 of their amplitude in a step; unresolved modes die out at once. For
 * equilibria elastica_world_relax is faster still. */
typedef struct elastica_implicit_def {
  size_t struct_size;
  double until; /* [s] time of the end, reached exactly; no default */

  /* One of these two is set. */
  double accuracy; /* [m] largest error of a position in one step, estimated; the steps follow from it. Positions are those of nodes, and of
                    * points of the surface: the error of the turn of an element counts with its radius, of a rigid body with half its
                    * length. Errors of steps add up; in the program steel_wire, over five periods, with L the length:
                    *   accuracy            3e-5 L     3e-6 L     3e-7 L
                    *   largest error       1.2e-3 L   6.4e-4 L   1.4e-4 L
                    * 3e-6 L is a good start */
  double dt;       /* [s] size of all steps; the last one may be shorter, or longer by up to 1e-6 of it */

  double first_step; /* [s] with accuracy: size of the first step; default next_step of the call before if it had an accuracy and nothing
                      * has changed since, else 8 explicit limits */

  /* [s] with accuracy: no step is longer. Set it to a third of the shortest load, muscle wave or motion that begins later (see below).
   * Default: no bound in motion; at rest, a hundredth of the time from the beginning of the call to `until`, or a tenth of the time at rest
   * before the call if nothing has changed since. At rest means that no position would change by the accuracy at its present speed or spin,
   * neither in the former nor in the next step. Calls from rest that are too short for such a change count as rest: the first takes a
   * hundred steps, ten of them some 40 more, each later one a single step. */
  double longest_step;

  double newton_tolerance; /* largest error, by the last corrections, of a position over the smallest rest length, and of a turn [rad]; at
                            * most 1e-3; default 1e-6 */
  long most_steps;         /* largest number of steps of this call; default LONG_MAX */
} elastica_implicit_def;

void elastica_implicit_def_init(elastica_implicit_def *def, size_t size);

typedef struct elastica_implicit_result {
  int finished;             /* 1: the run has ended; 0: most_steps, a sampler or an error came first */
  long steps;               /* of this call */
  long rejected;            /* steps repeated because their error was above the accuracy */
  long halved;              /* steps divided into halves because Newton's method did not converge */
  long iterations;          /* of Newton's method: matrices assembled and factorised; in each stage those of the slowest rod */
  double lag;               /* [s] until - present time; negative if `until` lies in the past, and then no step is taken */
  double next_step;         /* [s] size that the next step would have */
  double shortest, longest; /* [s] steps taken */
  double error;             /* [m] with accuracy: the largest estimated error of a step taken */
} elastica_implicit_result;

/* Takes implicit steps to def->until. For the law CLASSICAL with exact_couple; rods, rings and rigid bodies with gravity, point loads,
 * boundaries of each kind and their motions, dissipation, drag with kind RATE, node masses, muscles, contraction, joints, axial
 * viscosity, tendons without friction, contact of rods and rigid bodies and elastic obstacles with their friction and dampers, and modules
 * of your own with add_tangent. An effect without an implicit form (rigid obstacles, reactions of a module, drag EXPLICIT, friction of
 * tendons, constraints of a module) is refused by number, name, reason and alternative, before anything changes; so is an accuracy below
 * the rounding of positions.
 *
 * Friction follows by return mapping from its history at the beginning of the step and the slip since then; the history advances once in
 * each step taken. It is of second order while it sticks or slides; the step of a change between them, and of a first touch, is of first.
 *
 * With contact no node, and no point of a rigid body, moves by more than a quarter of the smallest radius in one step. With elastic
 * obstacles alone it moves by no more than that, or by half of the gap between them (SURFACE: that alone), and so does a moving obstacle at
 * the place of a node: a step is shortened until this holds at 64 times in it, so nothing passes through. A motion that is too fast, or
 * jumps, is refused with NOT_CONVERGED. So is the motion of a boundary of kind CLAMP or FRAME that turns its frame by more than half a turn
 * in the shortest step; longer ones are shortened, by the frames and spins at 8 times in them.
 *
 * Impacts are those of contacts, of hinges on their limits, and of tendons that become taut. With accuracy, steps resolve the oscillation
 * of a node on its contacts, or of the bodies on such a spring, if its amplitude is above half the accuracy: with 35 steps in half of it,
 * and 3 if the damping ratio is above 0.1. A hundred undamped bounces then change the energy by up to 3 %. Where an impact begins or ends
 * in a step that is longer than a third of it, or of a hinge or tendon without dampers longer than a tenth, the step is one of backward
 * Euler, of first order: it makes no energy, and the impact is not elastic. With dt, a bounce without dampers on a contact in 3 to 6 steps
 * gains up to 8 % of the energy; each bounce in 10 up to 1 %, in 20 up to 0.4 %, in 80 3e-4. The error of the motion between impacts comes
 * in addition. A hinge turns in one step by no more than the angle to its limit and a quarter of the free angle beyond.
 *
 * Impacts wake vibrations of a flexible rod, which die out in steps as above, unless accuracy or dt resolves them: a rod of 0.4 m that fell
 * on its end by 0.05 m lost in five bounces 16 to 21 % of the fall with an accuracy of 1e-6 m, about 50 % with 1e-5 m, 10 % with dt = 1e-4
 * s and 0.1 to 0.4 % with 2e-5 s.
 *
 * Loads that begin later: a step evaluates loads, muscles, drives and motions at its beginning, at 0.59 of it and at its end, and obstacles
 * also at the 64 times. It misses a pulse between these times, without a trace in the estimated error: see longest_step. With accuracy,
 * steps end at the full_time of each effect; that of a point load is the end of its ramp, or start_time without one.
 *
 * Hooks see each iterate as a query (ELASTICA_PURPOSE_QUERY, dt = the time of the stage) at its time, on the present velocities, and must
 * be pure; add_tangent is called in statics. A load without a part of its tangent costs corrections and, where that part is stiff, halves
 * of steps, but no accuracy. begin_step and observe are called once in each step taken. All rods take the same steps. In a world without
 * joints, contact between rods and other effects between them, each rod iterates alone until it has converged: with dt it has the bits that
 * it has in a world of its own, unless a step is halved; workers share the rods. Otherwise all iterate together. Time and step count,
 * samplers, snapshots, kept states and elastica_world_rewind are as in elastica_world_run; the state is all that a step needs, so with dt a
 * run may be divided at the times of its steps without a change of bits (not between the parts of a halved step): at multiples of dt if
 * they are exact, as for a power of two; and explicit steps may follow. The step limit is that of explicit steps and does not matter here.
 * An open elastica_budget is refused with WRONG_STATE. Memory is requested by the first step, and when contacts couple other elements than
 * in the step before.
 *
 * If Newton's method does not converge, the step is divided into halves, at most ten times; with accuracy also beyond that, to the limit of
 * explicit steps, or to 1e-12 of the run without one; never below 1e-14 of the present time. NOT_CONVERGED after that: the message has
 * time, step and cause, and the state is that of the last whole step; this is no failure. out may be NULL; it is written once the
 * definition is accepted. STOPPED. CALLBACK_FAILED is a failure: the state is that of the last whole step, or, if observe has failed, of
 * the step that it observed. */
ELASTICA_MUST_CHECK elastica_status elastica_world_run_implicit(elastica_world *world, const elastica_implicit_def *def,
                                                                elastica_implicit_result *out);

/* ---- Natural frequencies and buckling loads ------------------------------------------------------------------------------------------ */

typedef enum elastica_modes_kind {
  ELASTICA_MODES_FREQUENCIES, /* K x = omega^2 M x */
  ELASTICA_MODES_BUCKLING     /* (S + factor G) x = 0 */
} elastica_modes_kind;

typedef struct elastica_modes_def {
  size_t struct_size;
  elastica_modes_kind kind;
  int count;        /* of modes; default 6; 1 to the number of unknowns that are not prescribed */
  double tolerance; /* largest residual of the equilibrium, as in elastica_relax_def; default 1e-6 */
} elastica_modes_def;

void elastica_modes_def_init(elastica_modes_def *def, size_t size);

/* Modes of one equilibrium. Destroy them before their world. */
typedef struct elastica_modes elastica_modes;

typedef struct elastica_eigenmode {
  double square;    /* [1/s^2] omega^2; negative: the mode grows as exp(sqrt(-square) t). 0 for kind BUCKLING */
  double frequency; /* [Hz] sqrt(square)/(2 pi); 0 for a square that is not positive */
  int rigid;        /* 1: nothing resists the motion: the square is 0 within 1e-6 of the lowest B/(m L^3) of the rods, or to rounding */
  double factor;    /* [1] BUCKLING: the mode gives way at this multiple of the present loads; 0 for frequencies */
  double residual;  /* error of square or factor that the iteration leaves, relative to it; of a rigid motion, to that B/(m L^3) */
} elastica_eigenmode;

/* The displacements of a rod in a mode, by node [m] in laboratory components and by element [rad] in material components: Q <- EXP(turn) Q.
 * In modes of vibration the sum of m |displacement|^2 + turn . J turn (RESCALED: J/e) over all rods is 1 kg m^2; in modes of buckling the
 * largest displacement is 1 m. Index node_count of a ring repeats its node 0. Valid until the modes are destroyed. */
typedef struct elastica_mode_shape {
  const double *displacement[3]; /* [m] node_count */
  const double *turn[3];         /* [rad] element_count */
} elastica_mode_shape;

/* Finds the modes of the present equilibrium with the lowest squares (unstable and rigid motions come first) or with the lowest positive
 * load factors. K is the stiffness of rods, joints, contacts and all other effects, as in the verdict of elastica_world_relax; M are masses
 * of nodes and J of elements (RESCALED: J/e), added masses and rotary_inertia_scale included. The inertia of a factor of K - shift M
 * confirms that no mode is left out, also among equal ones. Damping is left out; muscles keep their resultants. The state does not change.
 * Under the law RESCALED, K of a stretched rod and of its contacts is not symmetric, nor is K where friction holds loads; FREQUENCIES are
 * then those of its symmetric part.
 *
 * BUCKLING is the linear analysis: G is the stiffness from the present stresses of rods, clamps (boundaries of kind CLAMP) and tendons,
 * which is taken as proportional to the loads. S is the rest, which does not scale: the material stiffness of these in the present shape,
 * the stiffness from tension along rods, and all other effects. Load factors are those of all loads together, dead weight included. Only
 * positive factors up to 1e6 are found, without those above 100 that rounding of stresses hides: above some 1e4 in rods of 1e4 radii, above
 * some hundreds at 1e5 radii. If there are fewer than `count`, elastica_modes_count is lower; it is 0 if the present stresses stiffen all
 * motions. With some members in tension factors are exact at 1 only: set the loads to the factor and repeat. With a free rod or ring a
 * search may end in NOT_CONVERGED (src/statics/README.md). The law must be CLASSICAL.
 *
 * INVALID_ARGUMENT, naming rod or effect: a rod or body moves (its gyroscopic forces would count), the residual is too large beside the
 * present loads (relax first; once more after a relaxation that started under much larger loads), loads have no potential (forces that turn
 * with a frame, friction in sliding, friction under a load beside a negative square), an effect has no known stiffness, a rigid obstacle or
 * another reaction acts, count is beyond the unknowns, a millionth of the loads makes a motion unstable that no stiffness resists (the turn
 * of a pressed arch about the line through its pins). NOT_CONVERGED: also load factors with a residual above 1e-3; NOT_FINITE,
 * JOINT_TOO_FAR, CALLBACK_FAILED of a hook, with its sentence. def NULL: all defaults. */
ELASTICA_MUST_CHECK elastica_status elastica_modes_find(elastica_world *world, const elastica_modes_def *def, elastica_modes **out);

/* 0 for NULL. */
int elastica_modes_count(const elastica_modes *modes);

/* Mode `index` from 0, and its shape on a rod. INVALID_ARGUMENT: also a rod that was removed, or was not in the world when the modes
 * were found. */
ELASTICA_MUST_CHECK elastica_status elastica_modes_get(const elastica_modes *modes, int index, elastica_eigenmode *out);
ELASTICA_MUST_CHECK elastica_status elastica_modes_get_shape(const elastica_modes *modes, int index, const elastica_rod *rod,
                                                             elastica_mode_shape *out);

/* Sets all rods to the equilibrium of the modes, displaced by amplitude times the shape, at rest: an imperfection, the start of a
 * vibration, or a frame of a picture of the mode. amplitude 0: the equilibrium. WRONG_STATE: also when a rod was removed; and as
 * elastica_rod_set_state. */
ELASTICA_MUST_CHECK elastica_status elastica_modes_apply(elastica_modes *modes, int index, double amplitude);

void elastica_modes_destroy(elastica_modes *modes);

/* ---- Loading paths ------------------------------------------------------------------------------------------------------------------- */

/* A loading path: a curve of equilibria along a parameter, such as a load factor or the angle of a prescribed turn. Arc-length continuation
 * (Riks 1979, Keller 1977) follows it through limit points and along unstable branches, stops at each critical point, and switches branches
 * there. The world is the state. src/statics/README.md describes the method. */
typedef struct elastica_path elastica_path;

/* Arcs have no unit. The square of an arc is the sum of the mean square displacement of the nodes over the length of the longest rod, of
 * the mean square turn of the frames [rad], and of the square of the change of the parameter, in a unit by which the first step changes
 * state and parameter by equal arcs. */
typedef struct elastica_path_def {
  size_t struct_size;

  /* Gives the world a value of the parameter: setters of effects (elastica_point_load_set, elastica_boundary_set), or numbers that a module
   * of yours reads. It is called often, back and forth, and for rates up to a thousandth of first_step beyond a point on both sides, or
   * two thousandths before it at a bound: lower and upper exclude values that the world refuses, such as a negative tension. Other calls
   * that change, step or relax the world are WRONG_STATE there, and destroying does nothing. A status other than OK ends the path at its
   * last point. What it sets must follow from the parameter alone: a refused call sets the parameter of the last point again, which takes
   * nothing else back. No default. */
  elastica_status (*apply)(void *user, elastica_world *world, double parameter);
  void *user;
  double start;          /* parameter of the first point; default 0 */
  double first_step;     /* change of the parameter in the first step, negative: downwards; no default */
  double lower, upper;   /* the path ends at these values of the parameter; default -infinity and infinity */
  double largest_change; /* of the parameter in one step, >= 0; default 0: 5 first steps */
  double largest_step;   /* arc > 0; default 0.2 */
  double smallest_step;  /* arc >= 0, at most largest_step; default 0: about 1e-5 of the first arc */
  double tolerance;      /* as in elastica_relax_def, at most 1e-3; default 1e-9. A state exact to rounding of positions is taken as well */
  int locate;            /* 1 (default): critical points are points of the path; 0: it passes over them */
} elastica_path_def;

void elastica_path_def_init(elastica_path_def *def, size_t size);

/* The kind of a point of a path. LIMIT: the parameter has an extremum. BRANCH: a mode loses its stiffness at a value of the parameter where
 * the path goes on, and another branch crosses. END: lower or upper is reached. CLOSED: the path is back at its first point. */
typedef enum elastica_path_kind {
  ELASTICA_PATH_POINT = 0,
  ELASTICA_PATH_LIMIT,
  ELASTICA_PATH_BRANCH,
  ELASTICA_PATH_END,
  ELASTICA_PATH_CLOSED
} elastica_path_kind;

typedef struct elastica_path_result {
  elastica_path_kind kind;
  double parameter;
  double slope;          /* change of the parameter per arc along the path; 0 at a LIMIT */
  double arc;            /* sum of the arcs since the first point */
  double next;           /* arc of the next step */
  int stable, undecided; /* as in elastica_relax_result, as are the next three */
  int unstable_modes;    /* at a LIMIT or BRANCH the critical mode counts as one of these or of zero_modes */
  int zero_modes;
  elastica_effect *undecided_by; /* BRANCH points are not found while it is not NULL */
  long evaluations;              /* of all forces, since the last point */
  double correction;             /* [m] largest displacement of a node in the last correction */
} elastica_path_result;

/* create: a path through the present state, which must be an equilibrium at def.start or close to one. world: also in all later calls; the
 * path must be destroyed before it, and ends when rods are added or removed. */
ELASTICA_MUST_CHECK elastica_status elastica_path_create(elastica_world *world, const elastica_path_def *def, elastica_path **out);
void elastica_path_destroy(elastica_path *path);

/* Moves the world to the next point of the path, as elastica_world_relax does: time is frozen, all velocities and spins are 0. The first
 * call finds the first point, at def.start. The others begin in the present state, which must be that of the last point: after other use of
 * the world, another path included, load a snapshot of the point first. Each call stops at the next critical point, also if a step has
 * several. Critical points are located to a change of the parameter of about 1e-6 first steps; where several modes vanish or cross, to 1e-6
 * of the rods' material stiffness. Modes that vanish within 1e-6 of a step make one point. A mode that vanishes and returns within one step
 * is passed over. Where a hinge meets a stop, the curve has a kink: a LIMIT if the load turns back there, otherwise no critical point, also
 * if modes change there.
 *
 * Refusals leave the world at the last point. INVALID_ARGUMENT: the parameter changes nothing; an effect has loads without add_tangent, is
 * a rigid wall, or has friction (the message names it). NOT_CONVERGED: no further point within smallest_step; the first state is not close
 * to an equilibrium; the rods are not held; at the next point a step would fail in a contact; another curve of equilibria comes closer than
 * smallest_step. NOT_FINITE: a load of the first state. CALLBACK_FAILED: apply returned an error. WRONG_STATE: after END or CLOSED; the
 * state is far from the last point; rods or effects were added, removed or changed since the last point, other than by apply (modules: by
 * name alone). Failures of the simulation as in elastica_world_relax. out may be NULL. */
ELASTICA_MUST_CHECK elastica_status elastica_path_next(elastica_path *path, elastica_path_result *out);

/* At a BRANCH point: the next point lies on the other branch, side 1 or -1 along the critical mode. Afterwards the path follows it. The
 * sides are told apart by the largest component of the mode, positive on side 1. If no arc along the mode leads to another curve,
 * elastica_path_next is NOT_CONVERGED; side 0 takes a switch back, and the path goes on. WRONG_STATE at other points. */
ELASTICA_MUST_CHECK elastica_status elastica_path_switch(elastica_path *path, int side);

/* A path at an ordinary POINT as bytes that every machine reads. With a snapshot of the world there it is resumed: loaded into a new path
 * with the same definition, in a world with this snapshot, the path finds the same points, bit for bit. size: room in buffer; *needed
 * receives the size, also with buffer NULL. load: after the snapshot. INVALID_ARGUMENT: also a damaged record, and one of another world:
 * the message names the first difference in options, rods, effects, or parameters of effects (not those of modules). WRONG_STATE: at other
 * points; load: a path that has begun. WRONG_VERSION: another format. */
ELASTICA_MUST_CHECK elastica_status elastica_path_save(elastica_path *path, void *buffer, size_t size, size_t *needed);
ELASTICA_MUST_CHECK elastica_status elastica_path_load(elastica_path *path, const void *buffer, size_t size);

/* ---- Effects of your own: modules -------------------------------------------------------------------------------------------------------
 *
 * Everything that acts on rods is a module: a struct of optional hooks. The library's own effects are modules, too. The library calls the
 * hooks for each rod that the effect was added to, in order of addition. A step of dt from t calls, in this order:
 *
 *   begin_step                             at t; only this hook, add_world_loads and add_reactions may change the history of an effect
 *   (half a drift)   constrain_position    at t + dt/2
 *   add_world_loads                        loads between rods
 *   add_resultants                         muscles: adds to n and tau
 *   add_loads                              forces, couples, drag rates
 *   add_reactions                          loads that depend on the total of all others: walls
 *   (kick of v)      constrain_velocity    at t + dt
 *   (kick of omega)  constrain_spin        at t + dt
 *   (half a drift)   constrain_position    at t + dt
 *   observe                                at t + dt, when all rods have arrived there
 *
 * Queries, limit checks and statics call these hooks, too: elastica_instant.purpose tells why.
 *
 * In observe, prepare, energy and power the state lanes of other rods may be read (position, velocity, director, omega); in other hooks the
 * other rods may be at another stage of the step.
 *
 * Repeated calls: a step may be taken back and repeated, and the rods of a tile may take up to 32 steps before the next tile does. Hooks
 * are then called again for the same steps; observers are not. History in the library's copy of self is restored for this, but not memory
 * that it points to: an effect with begin_step, add_world_loads or add_reactions and a borrowed self, without each_history and
 * keep_history, prevents repeats and batches. In a hook, use the time and step of elastica_instant; those of the world may differ.
 *
 * Rules for hooks: add_resultants and add_loads are pure: same input, same output. Hooks must not throw or longjmp. They may read the view
 * that they receive and call functions that depend on it alone; functions that step, add or set, and queries of the world or of an effect,
 * return WRONG_STATE.
 * Errors: a hook returns ELASTICA_OK. Any other status in a step ends the simulation with CALLBACK_FAILED after the step is completed, and
 * the message names the hook. Outside a step the call is refused, with the hook's own status if that is OUT_OF_MEMORY or JOINT_TOO_FAR. A
 * load that is not finite appears as NOT_FINITE at the node or element that it moved; a resultant that is not finite may also appear as
 * UNSTABLE_STEP in a limit check. */

/* The reason for the call of a hook. Most effects need not know it: it matters for effects with a history, or with stiffness that switches
 * on suddenly. */
typedef enum elastica_purpose {
  /* Loads, resultants or constraints of the present state outside a step (elastica_world_evaluate, elastica_rod_refresh, checks, a
   * preparation), or of an iterate of an implicit step: a hook changes nothing that a step or a query reads. */
  ELASTICA_PURPOSE_QUERY = 0,
  /* A step: history advances. */
  ELASTICA_PURPOSE_STEP = 1,
  /* A limit check: the steps until now->until rely on the bounds of add_stiffness. An effect may remember its bounds, and write check_again
   * in a step that exceeds them. */
  ELASTICA_PURPOSE_LIMIT_CHECK = 2,
  /* A query of the limit, such as elastica_world_step_limit: the same bounds, but no step relies on them, so they are not remembered. */
  ELASTICA_PURPOSE_LIMIT_QUERY = 3,
  /* elastica_world_relax tries states at rest, with dt = 1 s. An effect leaves out loads that only resist motion; its history may advance
   * if is_accepted is 1; a state that would be an error in a step is none here. */
  ELASTICA_PURPOSE_STATICS = 4
} elastica_purpose;

/* The instant of a hook. */
typedef struct elastica_instant {
  size_t struct_size;
  double time; /* [s] of the quantity: t + dt/2 for loads and the first position constraint, t + dt for velocities, spins, the last position
                * constraint and observers, t for begin_step */
  double dt;   /* [s]; 0 outside a step: constraints of a preparation, add_stiffness in a limit check, add_resultants of a query */
  long step;   /* number of the step, from 0 */
  int rod_index;
  double until; /* [s] in add_stiffness: time of the next limit check, up to which the bounds must hold; elsewhere 0 */
  elastica_purpose purpose;
  int is_frozen;   /* 1, in statics and in the damped steps of a relaxation: time does not advance, and prescribed motions stand still */
  int is_accepted; /* 1, in statics: a state from which relaxation continues; called so only where contacts have friction */
  /* 1, in the steps and limit checks of advance and run: the library chooses the step. An effect with stiffness that switches on
   * suddenly may write check_again a few steps earlier, and add a bound for it in the limit check. 0: the step is given. */
  int is_adaptive;
  double checked_dt; /* [s] in a limit check: the step that it is for; elsewhere 0 */
  double horizon;    /* [s] in a limit check: duration for which its bounds must hold; infinite: not limited, as elsewhere */
} elastica_instant;

/* Lanes to ADD to (+=). force [N] laboratory per node, couple [N m] material per element: totals, not densities. drag [kg/s] per node and
 * spin_drag [N m s] per element are rates c >= 0 (not checked) of a linear dissipation -c v, -c omega. The step integrates rates so that
 * they cannot destabilise it: second order, exact terminal velocity. */
typedef struct elastica_loads {
  size_t struct_size;
  double *force[3];  /* [N] node_count */
  double *couple[3]; /* [N m] element_count */
  double *drag;      /* [kg/s] node_count */
  double *spin_drag; /* [N m s] element_count */
  /* Only in add_reactions (else NULL): internal and external loads so far, force - drag v and couple - spin_drag omega + (J omega/e) x
   * omega. Each reaction sees the loads of the reactions before it. */
  const double *total_force[3];  /* [N] node_count */
  const double *total_couple[3]; /* [N m] element_count */
  /* Write 1 when the effect is stiffer than add_stiffness reported. The step is then taken back, the limit checked, and the step repeated.
   * If it cannot be taken back, the check comes before the next step; a stiffness k with k dt^2/m far above 1 then does harm. An effect
   * with sudden stiff contact therefore reports its k in add_stiffness as soon as contact may begin before now->until. */
  int check_again;
} elastica_loads;

/* For add_world_loads: all rods, each in the middle of the step, with geometry, without derived lanes. drag, spin_drag and the totals of
 * loads are NULL. Equal and opposite forces on two rods keep momentum; they keep angular momentum if they act along one line or come with
 * couples. */
typedef struct elastica_world_loads {
  size_t struct_size;
  int rod_count;                        /* as in elastica_world_info */
  const elastica_rod_view *const *rods; /* [rod_count] by number; NULL for removed rods */
  const elastica_loads *loads;          /* [rod_count] likewise; its lanes are to be written, laid out as in the rod's view */
  int check_again;                      /* as in elastica_loads */
} elastica_world_loads;

/* Lanes to ADD to, in add_resultants: n [N] material per element, tau [N m] per joint. */
typedef struct elastica_resultants {
  size_t struct_size;
  double *force[3];  /* [N] element_count */
  double *couple[3]; /* [N m] joint_count */
  int check_again;   /* as in elastica_loads */
} elastica_resultants;

/* Lanes to WRITE, in the constrain hooks: assign only the prescribed entries. Values must be finite and frames rotations to 1e-9; in a
 * preparation elements and joints must also be acceptable to elastica_rod_set_state (INVALID_ARGUMENT, naming the effect). Hooks may be
 * called again to find the effect that wrote a wrong value. */
typedef struct elastica_state {
  size_t struct_size;
  double *position[3];    /* [m] node_count; in constrain_position, else NULL */
  double *director[3][3]; /* element_count; in constrain_position, else NULL */
  double *velocity[3];    /* [m/s] node_count; in constrain_velocity, else NULL */
  double *omega[3];       /* [rad/s] element_count; in constrain_spin, else NULL */
} elastica_state;

/* Lanes to ADD to, in add_stiffness: upper bounds, whatever the sign, of how fast loads change with the state, valid until now->until. They
 * limit the time step; relaxation does not use them. A spring k to the ground counts k; a spring k between two nodes counts 2k at each
 * (Gershgorin). Rates are those of dissipation added as force, not of the drag lanes. Include stiffness that may switch on before
 * now->until; an effect that cannot predict this writes check_again when it happens. */
typedef struct elastica_stiffness {
  size_t struct_size;
  double *node;         /* [N/m] node_count */
  double *element;      /* [N m] element_count */
  double *node_rate;    /* [kg/s] node_count */
  double *element_rate; /* [N m s] element_count */
} elastica_stiffness;

/* For add_world_stiffness: as elastica_world_loads. */
typedef struct elastica_world_stiffness {
  size_t struct_size;
  int rod_count;
  const elastica_rod_view *const *rods; /* [rod_count] by number; NULL for removed rods */
  const elastica_stiffness *stiffness;  /* [rod_count] likewise; its lanes are to be added to */
} elastica_world_stiffness;

/* Three unknowns of a rod, for add_tangent: the displacement of a node [m], laboratory components, or the turn of the frame of an element
 * [rad], material components: Q <- EXP(turn) Q, and a vector v that the frame carries moves by (Q^T turn) x v. Node node_count of a ring is
 * its node 0. */
typedef struct elastica_part {
  const elastica_rod_view *rod;
  int index; /* of the node or of the element */
  int turns; /* 0: a node, 1: an element */
} elastica_part;

/* For add_tangent. */
typedef struct elastica_tangent {
  size_t struct_size;
  void *owner; /* of the library */

  /* Adds a block of minus the derivative of the loads on one part (rows: force [N], laboratory, of a node; couple [N m], material, of an
   * element) by the unknowns of another, or of the same: 3 by 3, by rows. Equal parts may be added to several times. */
  void (*add)(void *owner, elastica_part row, elastica_part column, const double block[9]);

  int unsymmetric; /* write 1 if the loads have no potential, such as forces that turn with a frame */
  int balanced;    /* write 1 before adding blocks of loads that do not change when all nodes of all rods move in common, such as forces
                    * between rods: the library then makes use of that */
  double stress;   /* to be read: the factor, 1 or 0, by which to multiply present forces and couples in the blocks. Linear buckling also
                    * asks with 0, for the stiffness that does not grow with the loads: all of it, of an effect that ignores this field */

  /* Adds a spring of this stiffness [N/m] between `count` parts. Its elongation changes by g_i per displacement [1] or turn [m] of part i;
   * gradient: [3 count], g_i by parts. This adds the blocks stiffness g_i g_j^T of all pairs. A part may occur several times. The cost is
   * proportional to count if all parts are on one rod, and else to its square. */
  void (*add_spring)(void *owner, int count, const elastica_part *parts, const double *gradient, double stiffness);
} elastica_tangent;

/* Lanes to ADD to, in prepare. */
typedef struct elastica_preparation {
  size_t struct_size;
  double *mass; /* [kg] node_count; added mass */
} elastica_preparation;

typedef struct elastica_module {
  size_t struct_size;
  const char *name; /* for messages; must outlive the world (a literal) */

  /* self_size > 0: the library copies *self, and hooks receive the copy. 0: the pointer is borrowed. */
  const void *self;
  size_t self_size;

  /* 1: hooks for different rods may run at the same time on different threads, in steps, limit checks and energies of the world. 0
   * (default): they run on the calling thread, rod by rod in order of addition; a rod that reuses the lanes of a removed one runs with its
   * neighbours in memory. prepare, energy and power always run on the calling thread. */
  int parallel_safe;
  int needs_derived;  /* 1 (default): derived lanes are filled in add_loads and add_reactions; 0: they may be NULL, faster */
  int needs_geometry; /* 1 (default): length, dilatation and tangent belong to the present positions in all hooks of a step but
                       * constrain_position; 0: they may be of an earlier instant, faster */

  /* Less work for a step. 1 or 2, with needs_geometry 0: add_loads and add_reactions read lengths of the present positions; 2: in the law
   * RESCALED dilatations, too. */
  int reads_lengths;
  int reads_resultants; /* 1 (default); 0: add_resultants only adds, and reads neither resultants nor derived lanes */
  int adds_rates;       /* 1 (default); 0: add_loads and add_reactions add nothing to drag and spin_drag */
  int first_written;    /* add_loads writes to nodes and elements from this index */
  int last_written;     /* to this one; default 0 and -1: all. elastica_world_check finds writes beyond them, and rates with adds_rates 0 */

  /* [s] A check before a run judges the loads at this time, as at the end of a ramp, if it is later, and implicit steps with an accuracy
   * end at it; default NaN: none. */
  double full_time;

  /* 1: constrain_position assigns its entries from the time and self alone. The call that closes a step is then left out when nobody reads
   * the state between two steps. Default 0. */
  int constrains_by_time;

  /* Called before the first step or query after a change, for each rod that is new, has a new state or new rest strains, or on which an
   * effect with this hook was added, set, or switched. A status other than OK refuses that call: with CALLBACK_FAILED or, after
   * elastica_world_refuse, with its status and sentence. */
  elastica_status (*prepare)(void *self, const elastica_rod_view *rod, elastica_preparation *preparation);

  elastica_status (*begin_step)(void *self, const elastica_instant *now, const elastica_rod_view *rod);

  /* Loads between rods: called once a step, with all rods, on the calling thread; now->rod_index is -1. The other hooks are called for the
   * rods that the effect was added for: energy gives the share of each rod, so that the sum over all rods is the whole. Bounds at both ends
   * of a coupling (2k for a spring k) come from add_world_stiffness below, or rod by rod from add_stiffness. */
  elastica_status (*add_world_loads)(void *self, const elastica_instant *now, elastica_world_loads *loads);

  elastica_status (*add_resultants)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants);
  elastica_status (*add_loads)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  elastica_status (*add_reactions)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
  elastica_status (*constrain_position)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*constrain_velocity)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*constrain_spin)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state);
  elastica_status (*add_stiffness)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness);
  elastica_status (*add_world_stiffness)(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness);

  /* Minus the derivative of the loads of add_loads, for the rods of the effect, or of add_world_loads, once and with rod NULL; at rest, by
   * the state alone. Relaxation needs it to converge fast and to judge stability; without it, it takes differences of loads. Resultants of
   * add_resultants count as constant in their frames; if they depend on the state, add_tangent adds the part of the loads that comes by
   * their change. Relaxation compares the tangent of add_loads or add_world_loads with one difference of these loads before it judges or
   * gives up: one that is wrong by more than a thousandth, and not because of a kink of the loads, is CALLBACK_FAILED. */
  elastica_status (*add_tangent)(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent);
  elastica_status (*observe)(void *self, const elastica_instant *now, const elastica_rod_view *rod);

  /* A value that is not finite refuses the query with CALLBACK_FAILED; elastica_world_refuse may give the reason. */
  double (*energy)(void *self, double time, const elastica_rod_view *rod); /* [J] potential of the effect on this rod */
  double (*power)(void *self, double time, const elastica_rod_view *rod);  /* [W] rate of work of the effect on this rod */

  /* With add_world_loads: 1 if the effect acts on this rod. The effect is then removed with each such rod, and a failure of its hooks
   * concerns these rods only. Without this hook it acts on all rods, and goes with the rod it was added for. */
  int (*acts_on)(void *self, const elastica_rod_view *rod);

  /* With add_world_loads, both or neither: sleep. may_sleep is called between two steps; 1: add_world_loads adds nothing, and will add
   * nothing until must_wake returns 1 for a rod. While all effects between rods sleep, rods step independently and in batches. must_wake is
   * called in the middle of each step, at the time of loads, for the rods that the effect was added for (NULL: all), possibly on several
   * threads: for example, 1 if the rod has left the place where it was when may_sleep was called by half of the free gap. The step is then
   * taken again with add_world_loads. Effects that are not parallel_safe, or have a borrowed self, do not sleep. */
  int (*may_sleep)(void *self, const elastica_instant *now);
  int (*must_wake)(void *self, const elastica_rod_view *rod);

  /* Called before add_loads: 1 if add_loads would add nothing now. It reads positions and velocities only, and saves the geometry. */
  int (*is_idle)(void *self, const elastica_instant *now, const elastica_rod_view *rod);

  /* For an effect on every rod: this rod is about to be removed. Its number will not return. */
  void (*forget_rod)(void *self, const elastica_rod_view *rod);

  /* After a failure of a hook in a step. fails_for, with add_world_loads: 1 if the failure concerns this rod, whose state must then be set
   * before the next step. explain: writes the reason for the sentence of the failure of a hook on this rod, without a full stop. */
  int (*fails_for)(void *self, const elastica_rod_view *rod);
  void (*explain)(void *self, const elastica_rod_view *rod, char *text, size_t size);

  /* For history outside the library's copy of self, so that steps can be repeated. each_history calls visit with each block of memory that
   * begin_step, add_world_loads or add_reactions change, always in the same order and with the same sizes. Where the size of history
   * changes in steps: keep_history keeps a copy, or returns 0 if memory runs out, and put_back_history returns to the last copy; both or
   * neither. */
  void (*each_history)(void *self, void (*visit)(void *context, void *bytes, size_t size), void *context);
  int (*keep_history)(void *self);
  void (*put_back_history)(void *self);

  /* Called once, when the effect, its rod or the world is removed; not when adding was refused. It may use self only: rods and other
   * effects may no longer exist. */
  void (*destroy)(void *self);

  /* The part of self in snapshots. Default with self_size > 0: the library's copy, as bytes. With the three hooks (all or none): save_size
   * returns the number of bytes that save will write (asked twice; the answers must agree); load gets these bytes in a world built alike,
   * and either accepts them completely or returns an error and changes nothing. The buffer has no alignment. stateless 1: nothing is saved.
   * A borrowed self needs either. Called on the calling thread, between steps; they may use self only. A status other than OK refuses the
   * snapshot with CALLBACK_FAILED or OUT_OF_MEMORY; elastica_world_refuse may give the reason. */
  int stateless;
  size_t (*save_size)(void *self);
  elastica_status (*save)(void *self, void *buffer, size_t size);
  elastica_status (*load)(void *self, const void *buffer, size_t size);
} elastica_module;

void elastica_module_init(elastica_module *module, size_t size);

/* Adds an effect. rod NULL: every rod of the world, also those added later. Of the library's effects, dissipation, obstacles and contact
 * accept rod NULL, and gravity always acts on all rods; the others refuse it. All add and set functions refuse finite numbers above 1e150,
 * but for lengths that may be infinite. */
ELASTICA_MUST_CHECK elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module,
                                                              elastica_effect **out);

/* Replaces hooks and self of an effect by those of a module with the same name and self_size: for _set functions of your own modules.
 * History in self is replaced, too; copy it from the former self first if needed. After OK the caller releases memory that the former self
 * owned; destroy is called for the last self only. INVALID_ARGUMENT for the library's own effects: use their _set functions. */
ELASTICA_MUST_CHECK elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module);

/* Cost of a change between two steps: a limit check, about one step, of the changed rod and the couplings between rods if the effect acts
 * on one rod and its set of hooks stays; elastica_world_advance and run always check all rods. */

/* Switches an effect off (0) or on (1). While off, an effect keeps its history and does nothing. */
elastica_status elastica_effect_set_enabled(elastica_effect *effect, int enabled);

/* Removes an effect between steps, also after a failure (which it does not end). Its destroy hook is called. Rods keep their state; added
 * masses vanish with the next preparation. Numbers and handles behave as with elastica_rod_remove. */
elastica_status elastica_effect_remove(elastica_effect *effect);

/* All effects by number, in order of addition; messages use these numbers. NULL for a removed one and outside 0..effect_count-1. */
elastica_effect *elastica_world_effect(elastica_world *world, int index);

typedef struct elastica_effect_info {
  int index;        /* its number; -1: removed, or NULL; then the name is "" and all else NULL and 0 */
  const char *name; /* of the module */
  elastica_world *world;
  elastica_rod *rod; /* NULL: all rods */
  void *self;        /* the library's copy, or the borrowed pointer. Only read it: after a direct change the step limit would not be
                      * checked; use elastica_effect_set_module */
  int is_enabled;
} elastica_effect_info;

elastica_effect_info elastica_effect_get(const elastica_effect *effect);

/* Energy [J] and power [W] of an effect, summed over its rods by its hooks; 0 without the hook (rigid obstacles and moving boundaries have
 * no power) or while switched off. NaN, with a message, inside hooks, for a removed effect, if the preparation fails, or if a value is not
 * finite; 0 for NULL. */
double elastica_effect_energy(elastica_effect *effect);
double elastica_effect_power(elastica_effect *effect);

/* ---- Gravity ------------------------------------------------------------------------------------------------------------------------- */

/* F_i = m_i g on every node of every rod; acceleration g [m/s^2], laboratory. Energy: -sum m_i g . r_i. Power: sum m_i g . v_i, the rate at
 * which that energy decreases; an energy balance uses one of the two. */
ELASTICA_MUST_CHECK elastica_status elastica_add_gravity(elastica_world *world, const double acceleration[3], elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_gravity_set(elastica_effect *effect, const double acceleration[3]);

/* ---- Point load ---------------------------------------------------------------------------------------------------------------------- */

/* A force on a node and a couple on an element: factor(t) (force, couple). The factor ramps from 0 to 1 over ramp_time. */
typedef struct elastica_point_load_def {
  size_t struct_size;
  int node;                 /* default -1 */
  int element;              /* default -1 */
  double force[3];          /* [N] laboratory; default 0 */
  double couple[3];         /* [N m]; default 0 */
  int couple_in_laboratory; /* 1: couple has laboratory components; 0 (default): material components, it turns with the element */
  double ramp_time;         /* [s] default 0: full load at once. Linear from 0 at start_time. */
  double start_time;        /* [s] default 0; no load before it */

  /* Optional: writes force [N] and couple [N m] of this time; on entry they hold the values above. Replaces ramp and start. */
  elastica_status (*function)(void *user, double time, double force[3], double couple[3]);
  void *user;
} elastica_point_load_def;

void elastica_point_load_def_init(elastica_point_load_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_point_load(elastica_world *world, elastica_rod *rod, const elastica_point_load_def *def,
                                                            elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_point_load_set(elastica_effect *effect, const elastica_point_load_def *def);

/* ---- Dissipation --------------------------------------------------------------------------------------------------------------------- */

/* (4.1) Forces -gamma_t v and couples -gamma_r omega per present length. (The papers use one number for both, although the dimensions
 * differ.) At most 1e20 each. Integrated as rates: second order, stable for any step. Power: -sum c v^2 - sum c omega^2. */
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
 * RESCALED like the elastic force. Frames feel no couple. Second order in time, stable for any zeta and dt. Momentum and angular momentum
 * are conserved. Power: -sum zeta a lhat (de/dt)^2. Relaxation ignores it. It is a reaction: it balances the loads added before it,
 * constraints included. Add it after walls. */
typedef struct elastica_axial_viscosity_def {
  size_t struct_size;
  double viscosity;                /* zeta [N s] of all elements, 0 to 1e20; no default */
  const double *element_viscosity; /* [n] instead */
  double ramp_time, start_time;    /* [s] default 0: a rises linearly from 0 at start_time to 1 */

  /* Optional: writes a >= 0 at this time; on entry 1. Replaces ramp and start. */
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

/* A prescribed motion: writes position [m], velocity [m/s], frame (row-major) and spin [rad/s] (material) of a time. On entry position and
 * frame have the values of the time when the effect was added; velocity and spin are zero. Write only the moving parts. Velocity and spin
 * must be the derivatives of position and frame: contacts, friction and dampers use them, and others throw rods away or hold them back.
 * Steps do not compare the two; elastica_world_check does. The rules for hooks apply. It is called for times within a step: mostly the
 * middle; obstacles with friction also ask for the start. */
typedef elastica_status (*elastica_motion)(void *user, double time, double position[3], double velocity[3], double director[9],
                                           double omega[3]);

/* A boundary fixes a node to a support that rests or moves, on chosen axes: built-in ends, pins, sliders, guides, drives. The kinds differ
 * in the frame of the element.
 * CLAMP (default), for an end of a rod: a joint of half an element's length ties the frame of the end element to that of the support; this
 *   clamps the rod at its end: second order in n.
 * FRAME: the frame is prescribed, too. At an end this is the clamp of the papers, which holds the rod at the middle of its first element:
 *   first order in n.
 * PIN: the frame is free. */
typedef enum elastica_boundary_kind {
  ELASTICA_BOUNDARY_CLAMP = 0,
  ELASTICA_BOUNDARY_FRAME = 1,
  ELASTICA_BOUNDARY_PIN = 2
} elastica_boundary_kind;

/* The element after the node; at the last node of a rod the one before it. */
#define ELASTICA_BESIDE_NODE (-2147483647 - 1)

typedef struct elastica_boundary_def {
  size_t struct_size;
  elastica_boundary_kind kind; /* default CLAMP */
  int node;                    /* default 0 */
  int element;                 /* default ELASTICA_BESIDE_NODE; PIN holds none */
  unsigned axes;               /* prescribed axes of the position; default all. 0: the node is free, so PIN holds nothing */
  double position[3];          /* [m] default NaN: the present position of the node */
  double director[9];          /* frame of the support, not for PIN; default NaN: the present frame, for CLAMP turned back by the rest
                                * curvature of the half-cell */
  elastica_motion motion;      /* optional */
  void *user;
} elastica_boundary_def;

/* Two boundaries may hold different nodes, or a node and another frame. A hinge or a stiff spring to the world is a joint (below). set: NaN
 * keeps the value of the boundary. */
void elastica_boundary_def_init(elastica_boundary_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_boundary(elastica_world *world, elastica_rod *rod, const elastica_boundary_def *def,
                                                          elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_boundary_set(elastica_effect *effect, const elastica_boundary_def *def);

/* ---- Joints ------------------------------------------------------------------------------------------------------------------------- */

/* BALL, a spherical joint, joins two points. HINGE also aligns an axis of both bodies. FIXED also ties the whole frames, twist included.
 * SIDE_BY_SIDE is FIXED for two rods that are glued along their sides: anchors lie on the centre lines, and the joint is halfway between
 * the two surfaces on the line from anchor to anchor at the time of adding. One joint ties one element to one other: rods glued over a
 * length need one per element. */
typedef enum elastica_joint_kind {
  ELASTICA_JOINT_BALL = 0,
  ELASTICA_JOINT_HINGE = 1,
  ELASTICA_JOINT_FIXED = 2,
  ELASTICA_JOINT_SIDE_BY_SIDE = 3
} elastica_joint_kind;

/* A point of a rod: on the line between the two nodes of an element, or at an offset that its frame carries. */
typedef struct elastica_anchor {
  elastica_rod *rod; /* default NULL: the world (second anchor only) */
  int element;       /* default 0 */
  double share;      /* position between the two nodes of the element: 0 (default) at the first, 1 at the second */
  double offset[3];  /* [m] from there, material; default 0; must be 0 for SIDE_BY_SIDE */
} elastica_anchor;

/* A joint pulls its two anchors together by a spring, U = k gap^2/2, and aligns axes or frames by U = kappa angle^2/2, relative to the
 * positions at the time of adding. Forces and couples on the two bodies are equal and opposite: momentum and angular momentum are conserved
 * to rounding, and energy without damping.
 * Stiffness: give it directly, or give the largest force and couple together with the gap and angle allowed for them: k = force/gap, kappa
 * = couple/angle. Default: that of the softer of the two elements, S3/l and B/l; two bodies, or a body and the world, have none.
 * FIXED at an end of a rod connects the section at that end. Its angle differs from that of the frame in the middle of the element, so
 * kappa, by default infinite, is in series with the halves of the end elements, each with its own stiffness about each axis (at rest
 * length, also in the law RESCALED). Rods joined end to end, straight or at an angle, and a rod on a body or on the world then converge
 * like a single rod, with second order in n. An anchor between the ends has the frame of its element: second order in the middle of the
 * element (share 0.5), first order elsewhere. Several joints at one end are of first order, too: connect them by a body.
 * elastica_joint_get reports the step limit. */
typedef struct elastica_joint_def {
  size_t struct_size;
  elastica_joint_kind kind; /* default BALL */
  elastica_anchor first, second;

  /* For a second anchor in the world: a point and a frame; default NaN: those of the first anchor now. */
  double position[3]; /* [m] */
  double director[9];
  elastica_motion motion; /* optional: of that point and frame */
  void *user;

  double axis[3];    /* HINGE: laboratory, at the time of adding; any length but zero; no default */
  int axis_in_world; /* HINGE: 0 (default): both bodies carry the axis. 1: the axis is fixed in the laboratory, the second body stays
                      * aligned with it, and the laboratory takes the reaction: angular momentum is not conserved */

  double stiffness;         /* k [N/m] default NaN: force/gap, or that of the elements */
  double force, gap;        /* [N] [m] both or neither */
  double angular_stiffness; /* kappa [N m/rad], not for BALL; default NaN: couple/angle, or infinite (FIXED at an end of a rod), or that
                             * of the elements; SIDE_BY_SIDE: not 0 */
  double couple, angle;     /* [N m] [rad] both or neither */

  /* Fraction of the critical damping of the two bodies against each other, for gap and angle; default 0. It acts on the relative velocity
   * at the joint, equal and opposite, and removes at most half of it in a step. */
  double damping;

  /* HINGE: limits of the angle of the second body against the first about the axis, relative to now [rad], within (-pi, pi); default
   * infinite. Give both or neither: a hinge with one stop could pass it from behind after a full turn. Beyond a limit the stiffness kappa
   * acts. motor: a couple about the axis [N m] on the second body, its opposite on the first. drive, if given, writes that couple as a
   * function of time, angle and rate [rad/s] alone; this dependence is not included in the step limit. For a feedback gain k [N m/rad] use
   * dt << sqrt(J/k). Statics and implicit steps find its slopes over angle and rate by up to five calls for each matrix. */
  double least_angle, most_angle;
  double motor;
  elastica_status (*drive)(void *user, double time, double angle, double rate, double *couple);
} elastica_joint_def;

/* The present state of a joint. Forces do not include damping; the couple includes the motor. */
typedef struct elastica_joint_info {
  double gap;               /* [m] between the anchors */
  double angle;             /* [rad] between axes (HINGE) or frames of elements (FIXED, SIDE_BY_SIDE) */
  double turn;              /* [rad] HINGE: about the axis */
  double force[3];          /* [N] on the second body, laboratory */
  double couple[3];         /* [N m] likewise */
  double stiffness;         /* k [N/m] in use */
  double angular_stiffness; /* [N m/rad]; FIXED at an end: with the halves of elements there, the least about an axis */
  double dt;                /* [s] step limit of the elements at both anchors and their neighbours, with all that acts there, as in
                             * elastica_world_step_limit; NaN after a failure */
  double position[2][3];    /* [m] of the two anchors, laboratory */
} elastica_joint_info;

void elastica_joint_def_init(elastica_joint_def *def, size_t size);

/* The effect belongs to def->first.rod and is removed with either rod. set keeps the rods, their reference positions, the axis of a hinge,
 * and the point of a SIDE_BY_SIDE joint whose anchors stay. A FIXED or SIDE_BY_SIDE joint above 3.0 rad is the failure JOINT_TOO_FAR. */
ELASTICA_MUST_CHECK elastica_status elastica_add_joint(elastica_world *world, const elastica_joint_def *def, elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_joint_set(elastica_effect *effect, const elastica_joint_def *def);
ELASTICA_MUST_CHECK elastica_status elastica_joint_get(elastica_effect *effect, elastica_joint_info *out);

/* ---- Tendons ------------------------------------------------------------------------------------------------------------------------ */

/* A massless cable that runs straight from guide to guide and pulls: a tendon in its sheaths, a wire through the discs of a robot arm. A
 * guide is a point of a rod or body, at an offset that its frame carries, or a point of the world. At an end of a rod with a boundary of
 * kind CLAMP the frame of the support carries the offset, and takes the couple. The cable is tied to the first and the
 * last guide and slides through the others. Each guide feels the tension towards both neighbours, T (t_after - t_before). Without guides in
 * the world, momentum and angular momentum are conserved to rounding.
 * The tension at the first guide is the activation times either a given tension, or that of a spring, k (length - rest_length), which is
 * slack below rest_length. Energy: activation times tension times length, or activation k (length - rest_length)^2/2; 0 with a drive.
 * Power: of the tensions on the guides.
 * Relaxation of a cable along one rod is quick if its guides lie at successive nodes (share 0, or 1 at the last); other cables may need
 * more evaluations than the limit. */
typedef struct elastica_tendon_def {
  size_t struct_size;

  /* Guides along one rod: one at each node of a run of elements, all with the same offset h. The two elements at a node carry its guide by
   * half each; at the end of a rod its only element carries it, at a clamp the support. The couple T h at the end of a run bends the halves
   * of the elements there, which shortens the cable by up to T h^2 l/(2 B); that counts for the spring and for the length of
   * elastica_tendon_info. A straight rod then gets the curvature T h/B, and a rod under other loads its shape, to second order in n; to
   * first order if a couple acts at a free end to which a spring runs: its bend of half the last element is not in the state. The cost of
   * relaxation grows as n, also for a spring, which couples all places on its way with each other. */
  elastica_rod *rod;
  int first, last;  /* elements; default 0 and -1, all */
  double offset[3]; /* [m] material; default 0 */

  /* Or at least two guides in their order. rod NULL: a point of the world, its offset laboratory. */
  const elastica_anchor *guides;
  int guide_count;

  /* Exactly one of tension and stiffness. Four times the stiffness counts in the step limit: given steps at 0.8 of it are stable across
   * slack and taut, but may gain or lose energy at each change. Steps that the library chooses resolve it, unless damping >= 0.1. */
  double tension;     /* [N] default NaN; >= 0 */
  double stiffness;   /* k [N/m] default NaN; >= 0 */
  double rest_length; /* [m] of the spring; default NaN: the length at the time of adding; >= 0 */
  double activation;  /* default 1; >= 0 */

  /* Optional: writes the activation >= 0 as a function of time, length [m] and rate of length [m/s] alone; on entry the value above. Called
   * at least once a step. Statics and implicit steps find its slopes over length and rate by up to five calls for each matrix. */
  elastica_status (*drive)(void *user, double time, double length, double rate, double *activation);
  void *user;

  /* For the spring: fraction of the critical damping of the connected masses; default 0. It acts on the rate of the length, removes at most
   * half of it in a step, and never exceeds the spring force, so a cable never pushes. */
  double damping;

  /* Capstan friction at the inner guides: at a turn by phi, a sliding cable loses tension by the factor exp(-mu phi) in the direction of
   * sliding. The spring lies before the first guide; the cable itself does not stretch, so the sliding speed at a guide is the rate at
   * which the cable behind it gets shorter. Regularised with mu v/sqrt(v^2 + sliding_speed^2): continuous, always dissipative, with creep
   * of the order of sliding_speed instead of sticking. Explicit: mu T phi/sliding_speed counts in the step limit. */
  double friction;      /* mu default 0 */
  double sliding_speed; /* [m/s] > 0, no default with friction */
} elastica_tendon_def;

/* The present state of a tendon, damping included. */
typedef struct elastica_tendon_info {
  int guide_count, slack;     /* slack 1: it does not pull */
  double length, rest_length; /* [m] with the bend of the ends of a run; rest_length 0 with a given tension */
  double rate;                /* [m/s] of the length */
  double activation;          /* in use */
  double first_tension;       /* [N] before the first inner guide */
  double last_tension;        /* [N] behind the last inner guide */
  double turned;              /* [rad] sum of the turns at the inner guides */
  double dt;                  /* [s] the step limit of its spring alone, with all guides free; infinite with a given tension */
} elastica_tendon_info;

typedef struct elastica_guide_info {
  double position[3]; /* [m] */
  double force[3];    /* [N] of the cable on the guide, laboratory */
  double turn;        /* [rad] of the cable; 0 at the ends */
  double sliding;     /* [m/s] of the cable through the guide, towards the first guide; at the first guide, of the cable drawn in; at the
                       * last guide 0 */
} elastica_guide_info;

void elastica_tendon_def_init(elastica_tendon_def *def, size_t size);

/* The effect belongs to the first rod on its way and is removed with any of its rods. Successive guides must not coincide. set keeps the
 * number of guides and their rods; elements, shares and offsets may change; rest_length NaN keeps the present one. get writes the first
 * `capacity` guides, too (guides may be NULL with capacity 0). */
ELASTICA_MUST_CHECK elastica_status elastica_add_tendon(elastica_world *world, const elastica_tendon_def *def, elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_tendon_set(elastica_effect *effect, const elastica_tendon_def *def);
ELASTICA_MUST_CHECK elastica_status elastica_tendon_get(elastica_effect *effect, elastica_tendon_info *out, elastica_guide_info *guides,
                                                        int capacity);

/* ---- Added mass ---------------------------------------------------------------------------------------------------------------------- */

/* A point mass on a node. */
typedef struct elastica_node_mass_def {
  size_t struct_size;
  int node;    /* default -1 */
  double mass; /* [kg] no default, >= 0 */
} elastica_node_mass_def;

void elastica_node_mass_def_init(elastica_node_mass_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_node_mass(elastica_world *world, elastica_rod *rod, const elastica_node_mass_def *def,
                                                           elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_node_mass_set(elastica_effect *effect, const elastica_node_mass_def *def);

/* ---- Muscles ------------------------------------------------------------------------------------------------------------------------- */

/* The curve over s/L from 0 to 1 that N control values define by a clamped uniform cubic B-spline. It starts at the first and ends at the
 * last value; it need not pass through the others. */
typedef enum elastica_spline {
  /* The curve in the plane with control points at the abscissae 0, 0, 1/(N-3), 2/(N-3), ..., 1, 1, as in the papers' programs. */
  ELASTICA_SPLINE_CURVE = 0,
  /* The function with the control values as coefficients, as in spline libraries. */
  ELASTICA_SPLINE_FUNCTION = 1
} elastica_spline;

/* COUPLE and FORCE are internal loads: they add to tau of the joints or n of the elements, about or along a director, and turn with the
 * rod.
 * LABORATORY_COUPLE: opposite couples on the two elements of each joint about a laboratory axis, as in the papers' programs; about a
 * vertical axis, a snake cannot lift itself off the ground by rolling over. */
typedef enum elastica_muscle_kind {
  ELASTICA_MUSCLE_COUPLE = 0,
  ELASTICA_MUSCLE_FORCE = 1,
  ELASTICA_MUSCLE_LABORATORY_COUPLE = 2
} elastica_muscle_kind;

/* (4.3) A travelling wave of activity, A(s, t) = beta(s) sin(2 pi t/period + wavenumber s + phase), added to one component of tau or n.
 * wavelength = 2 pi/|wavenumber|. With a positive wavenumber the wave runs towards s = 0 (node 0), as printed in the paper, and a swimmer
 * or snake moves towards s = L (the last node); with a negative one, the reverse; 0 is a standing wave. The friction of obstacles takes
 * node 0 as the head by default: a snake on a wall needs a negative wavenumber, as in the paper, or the head LAST; otherwise it
 * hardly moves. s is the rest arc length: (k+1)/n L at joint k of a straight, even rod, (j+1/2)/n L at element j, k/n L at joint k of a
 * ring. As an internal load it conserves momentum and, with the exact couple, angular momentum. The step limit includes it.
 * A rest curvature or twist that changes with time (a coiled artificial muscle) is a COUPLE with beta = B and the function kappa0(0) -
 * kappa0(t), in the law CLASSICAL. */
typedef struct elastica_muscle_def {
  size_t struct_size;
  elastica_muscle_kind kind; /* default COUPLE */
  int axis;                  /* 0, 1, 2: d1, d2 (bending, shear), d3 (twist, stretch); LABORATORY_COUPLE: x, y, z; default 0 */

  /* Amplitude beta [N m] or [N]: control values of a spline, or one number per joint (couples) or element (FORCE). */
  const double *control;
  int control_count;       /* N >= 4 */
  elastica_spline spline;  /* default CURVE */
  const double *amplitude; /* instead of control: [joints] or [elements] */

  double period;     /* [s] no default without a function; infinite: no oscillation, sin(wavenumber s + phase) */
  double wavenumber; /* [rad/m] default 0 */
  double phase;      /* [rad] default 0 */
  double ramp_time;  /* [s] default 0: full activity at once. Linear from 0 at start_time; the phase counts from time 0. */
  double start_time; /* [s] default 0; no activity before it */

  /* Optional, instead of the wave: A = beta(s) activation. Writes the activation for a time, a place (number of the joint or element) and
   * its s [m]; on entry 0. Called on the calling thread for each place at least once a step. The step limit includes the present activity
   * and changes by a quarter of beta; a larger change causes a limit check. */
  elastica_status (*function)(void *user, double time, int place, double s, double *activation);
  void *user;
} elastica_muscle_def;

void elastica_muscle_def_init(elastica_muscle_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_muscle(elastica_world *world, elastica_rod *rod, const elastica_muscle_def *def,
                                                        elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_muscle_set(elastica_effect *effect, const elastica_muscle_def *def);

/* Contraction: a tension along the edges of a run of elements; the frames feel no couple.
 * F_j = w_j maximum_force activation(t) f(x), with x = (present length of the run)/optimal_length and f(x) = max(0, sum of
 * force_length[k] x^k): a muscle does not push. It adds to the elastic force of the element and is not divided by e. Axial viscosity damps
 * its flesh. */
typedef struct elastica_contraction_def {
  size_t struct_size;
  int first, last;        /* elements; default 0 and -1, all */
  double maximum_force;   /* [N] no default, >= 0 */
  double activation;      /* default 1, >= 0 */
  double force_length[8]; /* default 1, 0, ..., 0: the force does not depend on the length */
  double optimal_length;  /* [m] default NaN: the rest length of the run */

  /* Optional: writes the activation >= 0 for this time and length ratio x; on entry the value above. The step limit asks for the time of
   * the next limit check, too, and includes f(x), but not the dependence of the activation on x: a reflex may need a shorter step. */
  elastica_status (*function)(void *user, double time, double x, double *activation);
  void *user;
  /* w_j >= 0 of each element of the run; NULL (default): all 1. For a muscle that bulges, or has weak fibres. */
  const double *share;
} elastica_contraction_def;

void elastica_contraction_def_init(elastica_contraction_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_contraction(elastica_world *world, elastica_rod *rod, const elastica_contraction_def *def,
                                                             elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_contraction_set(elastica_effect *effect, const elastica_contraction_def *def);

/* ---- Drag ---------------------------------------------------------------------------------------------------------------------------- */

/* RATE (default): an upper bound of each node's rate goes to the drag lane and the remainder is an explicit force: stable for any step,
 * exact in steady motion, first order in time. EXPLICIT: a plain force at the old velocities, as in the papers; it counts in the step
 * limit. */
typedef enum elastica_drag_kind { ELASTICA_DRAG_RATE = 0, ELASTICA_DRAG_EXPLICIT = 1 } elastica_drag_kind;

/* (4.13) Slender bodies in a viscous fluid: f_j = -zeta_j l_j (1 - t t^T/2)(v - u) on element j, half on each of its nodes, with
 * zeta_j = 4 pi viscosity/ln(L/r_j), v the mean velocity of the nodes, u that of the fluid at the middle of the element. No couple. */
typedef struct elastica_drag_def {
  size_t struct_size;
  elastica_drag_kind kind; /* default RATE */
  double viscosity;        /* [Pa s] no default */
  int rest_slenderness;    /* 1: L and r_j in zeta_j are those at rest; 0 (default): the present ones */
  int rest_length;         /* 1: l_j is that at rest; 0 (default): the present one */
  double flow[3];          /* [m/s] laboratory, of the fluid far away: u = flow + gradient x; default 0 */
  double gradient[9];      /* [1/s] row-major, du_a/dx_b; default 0 */

  /* Optional: writes the fluid's velocity [m/s] at a position [m]; on entry that of flow and gradient. */
  elastica_status (*function)(void *user, double time, const double position[3], double velocity[3]);
  void *user;
} elastica_drag_def;

void elastica_drag_def_init(elastica_drag_def *def, size_t size);
ELASTICA_MUST_CHECK elastica_status elastica_add_drag(elastica_world *world, elastica_rod *rod, const elastica_drag_def *def,
                                                      elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_drag_set(elastica_effect *effect, const elastica_drag_def *def);

/* ---- Obstacles ---------------------------------------------------------------------------------------------------------------------- */

/* A solid at rest or in prescribed motion, with its frame (rows d1, d2, d3 of director) about its position. Rods and bodies stay outside.
 * RIGID (default): a hard surface, a wall. A rod rests exactly on it, with any stiffness and at any step; impacts do not rebound. Friction
 *   may depend on direction (snakes). With NODES it has no potential and does not limit the time step.
 * ELASTIC: an elastic layer with a potential. Without dampers impacts rebound and energy is conserved; it counts in the time step, and a
 *   layer that is too soft lets rods sink in. An obstacle may be smaller than an element. */
typedef enum elastica_obstacle_kind { ELASTICA_OBSTACLE_RIGID = 0, ELASTICA_OBSTACLE_ELASTIC = 1 } elastica_obstacle_kind;

/* RIGID: the limit of combined axial and sideways friction under a normal reaction R.
 * INDEPENDENT (default): each up to its own mu R, as in the papers: together up to sqrt 2 mu R at 45 degrees.
 * ELLIPTIC: (axial/mu)^2 + (sideways/mu)^2 <= R^2, each with its own mu. At rest the required force is shortened to the ellipse; in motion
 * the parts follow the cosine and sine of the slip. */
typedef enum elastica_friction_limit { ELASTICA_FRICTION_INDEPENDENT = 0, ELASTICA_FRICTION_ELLIPTIC = 1 } elastica_friction_limit;

/* RIGID: the loads that the normal reaction R balances.
 * NODES (default): R acts on each node and includes its motion: the step ends on the surface, and a node that moves outwards is not pulled
 *   back. Energy: 0.
 * ELEMENTS: R = max(-F . N, 0) for the load F of an element, half of it on each node: the papers' law, for their figures. Impacts gain
 *   energy, and uneven rods do not come to rest. k and gamma are explicit and count in the step limit. Energy: sum of k eps^2/2. */
typedef enum elastica_balance { ELASTICA_BALANCE_ELEMENTS = 0, ELASTICA_BALANCE_NODES = 1 } elastica_balance;

/* src/effects/README.md has the laws, their limits, and measured errors.
 *
 * RIGID, (4.8): an element with its centre nearer to the surface than its radius is pushed outwards by R + k eps - gamma v_n, half on each
 * node, with the normal load R >= 0 of all other effects, eps = radius - distance and the outward speed v_n: k and gamma only correct
 * penetration. With NODES all walls on one rod or body are solved together; with ELEMENTS R balances only the walls added before.
 * Friction (Amontons and Coulomb, with R), static at most mu_static R and kinetic mu_kinetic R, for motion {forward, backward, sideways};
 * forward is towards the head, by default node 0 (see elastica_muscle_def). Its kinetic share grows from 0 to 1 between the slips
 * slip_velocity and 1.5 slip_velocity. It can stop a slip within a step but not reverse it. It acts at the centres of elements: an obstacle
 * should be larger than an element.
 * Rigid bodies: a ball touches all shapes, a capsule planes and spheres, a cylinder or box planes; other pairs, and ELEMENTS, are refused.
 * Steps that the library chooses move a touching body by at most a tenth of its size; given steps beyond four times that are refused.
 *
 * ELASTIC, for rods, balls and capsules: an elastic layer, U = k/2 int eps^2 ds along the centre line, that stiffens beyond a tenth of the
 * radius, a damper, and a tangential spring with a limit in each element. Choose k so that loads press a rod in by less than that. A centre
 * line, end or centre within 2 % of its radius to the surface is the failure UNSTABLE_STEP, which names effect, rod and element. */

/* SURFACE: writes the distance [m] of a point [m] from the surface, negative in the solid, and its gradient, both in the frame of the
 * obstacle. It must be continuous with its gradient at all points that rods may reach, and need not be the exact distance: rods touch where
 * it is less than their radius, and the force is the modulus times that overlap times the gradient. z - h(x, y) is a terrain of height h.
 * The gradient may have a size of up to surface_slope, and may change by up to surface_curvature per length. The library compares each
 * gradient with these bounds. When a rod or an obstacle is added, in each limit check, after each implicit step, along its way, and in an
 * equilibrium, it also compares distance and gradient with each other, along each rod and a tenth of a radius beside it. A violation, or a
 * status other than OK, is CALLBACK_FAILED, or INVALID_ARGUMENT in elastica_add_obstacle and elastica_obstacle_set. */
typedef elastica_status (*elastica_surface)(void *user, const double point[3], double *distance, double gradient[3]);

/* TUBE, MESH: the side on which rods lie. BOTH: of a MESH only. */
typedef enum elastica_side { ELASTICA_SIDE_OUTSIDE = 0, ELASTICA_SIDE_INSIDE = 1, ELASTICA_SIDE_BOTH = 2 } elastica_side;

typedef struct elastica_obstacle_def {
  size_t struct_size;
  elastica_obstacle_kind kind; /* default RIGID; set refuses another */
  elastica_shape shape;        /* default PLANE */
  double position[3];          /* [m] a point of the plane, or the centre of the shape; default 0, 0, 0 */
  double normal[3];            /* d3: the plane's outward normal, the cylinder's axis; any length but zero; default 0, 0, 1 */
  double director[9];          /* the frame; default NaN: d3 along normal, the others arbitrary */
  double radius;               /* [m] SPHERE, CAPSULE, CYLINDER; no default there. Sizes of other shapes are not read */
  double length;               /* [m] CAPSULE: of its axis, between the centres of its ends; CYLINDER: may be infinite; no default there */
  double edges[3];             /* [m] BOX: along d1, d2, d3; no default there */
  elastica_motion motion;      /* optional: prescribed motion of position and frame */
  void *user;

  double damping; /* RIGID: gamma_w [kg/s] of each element. ELASTIC: c [Pa s], force per length of contact and speed of approach; it may
                   * weaken the layer but never pulls. Default 0 */

  /* RIGID only; a set field that the kind does not use is refused. */
  double stiffness;                       /* k_w [N/m] of each element; no default, >= 0 */
  double tolerance;                       /* contact begins at a distance of (1 + tolerance) radius; default 0.004, as in the papers */
  double static_friction[3];              /* mu_s; default 0, 0, 0 */
  double kinetic_friction[3];             /* mu_k <= mu_s; default 0, 0, 0 */
  double slip_velocity;                   /* v_eps [m/s] > 0; no default with friction */
  elastica_friction_limit friction_limit; /* default INDEPENDENT */
  elastica_end head;                      /* default FIRST: forward is motion towards node 0, as in the papers' programs */
  elastica_balance balance;               /* default NODES */

  /* ELASTIC only. */
  double modulus;            /* k [Pa] > 0: force per length of contact and overlap; no default */
  double friction;           /* mu, static and kinetic; default 0 */
  double tangential_ratio;   /* k_t/k > 0; default 2/3 */
  double tangential_damping; /* [Pa s] of the tangential spring; default 0 */
  int group;                 /* contact_group of the rods it acts on; default ELASTICA_EVERY_GROUP */

  /* Fractions of the critical damping of each element of mass m and length M on the layer and on the tangential spring (M: contact length,
   * free ends included; of a body its whole mass and length): 2 damping_ratio sqrt(k m/M) adds to damping, 2 tangential_damping_ratio
   * sqrt(k_t m/M) to tangential_damping. They prevent chatter, which would let a rod below the friction angle slide. Defaults 0.5 and 0.1:
   * a rod at 96 % of the friction angle stands, on layers from a tenth of its own modulus to a hundred times it. Set both to 0 for
   * conserved energy and impacts that rebound. */
  double damping_ratio, tangential_damping_ratio;

  /* SURFACE, of kind ELASTIC only. */
  elastica_surface surface;
  void *surface_user;
  double surface_slope;     /* bound of the size of its gradient, up to 100; default 1, an exact distance */
  double surface_curvature; /* [1/m] bound of the change of its gradient per length; no default there */

  /* TUBE, of kind ELASTIC only. Its axis has the points, with their kinks rounded by circular arcs that begin half-way to the nearer
   * neighbour; at each kink the arc must be 1.25 times wider than the tube. The radius changes linearly between the points, but along the
   * arcs, and beyond the outermost ones, where it ends without slope: there it follows a cubic. INSIDE: rods lie in the duct; their radius
   * is at most 0.95 of its least one; the solid around it ends at each end in a flat face without an outer edge, half the radius of that
   * end beyond its outermost point, with a rounded rim. OUTSIDE: rods lie around it; their radius and its largest are together at most 0.9
   * of that of its tightest arc; its ends are half balls about the outermost points. The library copies both arrays; set keeps them. */
  const double *points; /* [m] x, y, z of each, in the frame of the obstacle */
  const double *radii;  /* [m] of each */
  int point_count;      /* at least 2 */
  elastica_side side;   /* default OUTSIDE */

  /* MESH, of kind ELASTIC only: triangles of those points. OUTSIDE and INSIDE: they enclose a solid, or a room for the rods; each edge
   * belongs to two triangles, and the points of each run counterclockwise, seen from outside. BOTH: a sheet with or without a boundary,
   * which rods touch from both sides. Concave edges and corners are rounded, so that forces are continuous there: the obstacle includes
   * all points that a ball of radius `fillet` cannot reach without overlapping the mesh, such as gaps narrower than 2 fillet. A groove
   * with faces at the angle a is filled to a height of fillet (1/sin(a/2) - 1); faces and convex edges stay where they are. Choose 1.25
   * to 2 times the largest radius that touches it; a radius above 0.8 fillet is refused. src/effects/README.md has the limits (open ends
   * of sharp grooves). The library copies both arrays; set keeps them. Self-intersections are not found. */
  const int *triangles; /* three indices of points each */
  int triangle_count;
  double thickness; /* [m] of BOTH, half of it on each side; default 0 */
  double fillet;    /* [m] no default with MESH */
} elastica_obstacle_def;

void elastica_obstacle_def_init(elastica_obstacle_def *def, size_t size);

/* rod NULL: all rods and bodies (ELASTIC: of its group), also those added later. A body that cannot touch it is refused.
 * INVALID_ARGUMENT when the centre of an element is inside the obstacle (ELASTIC: a part of its centre line is inside, or within 2 % of
 * its radius), or when a rod lies in a gap of less than two radii between two resting rigid obstacles. A later rod, a set state or a
 * switched-on obstacle with a centre inside makes the next step or query refuse until that is corrected. A rod begins free of overlap with
 * its centre line a radius outside.
 *
 * UNSTABLE_STEP, a failure, of kind RIGID: a step takes the centre of an element or body below the surface (a wall too soft for an impact,
 * a motion that drives the rod into it), or two walls with balance NODES leave an element less room than its diameter, or a body less than
 * its width. In a groove of two walls at an angle there is room beside: it is too little if moving away from both by a radius would not be
 * enough. The sentence names both walls, the room and the need; it does not depend on the order of adding. */
ELASTICA_MUST_CHECK elastica_status elastica_add_obstacle(elastica_world *world, elastica_rod *rod, const elastica_obstacle_def *def,
                                                          elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_obstacle_set(elastica_effect *effect, const elastica_obstacle_def *def);

/* Force [N] on the obstacle and couple [N m] about its position, laboratory; 0 while switched off. Either pointer may be NULL.
 * RIGID: at the middle of the last step, or in the equilibrium that elastica_world_relax has just found. 0 before the first of either, and
 *   for a rod with a state set since then.
 * ELASTIC: in the present state, with both dampers: the load that the next step applies. elastica_contact_get has the touching elements.
 * WRONG_STATE from inside a hook; CALLBACK_FAILED by the motion. */
ELASTICA_MUST_CHECK elastica_status elastica_obstacle_get_force(elastica_effect *effect, double force[3], double couple[3]);

/* ---- Contact and self-contact of rods and bodies ------------------------------------------------------------------------------------- */

/* An elastic layer on the surfaces of rods and bodies, a damper, and friction with sticking. src/effects/README.md has the law, its errors,
 * and the choice of steps.
 *
 * Energy: along straight parallel rods k eps^2/2 per length for an overlap eps = r1 + r2 - distance; rods that cross at a right angle press
 * with Hertz's law for k = E/(4 (1 - nu^2)). A free end is a half ball. Springs k_s [N/m] of (4.7) are as stiff as a modulus of 3 k_s/l.
 * Momentum and angular momentum are conserved to rounding. Beyond a tenth of the smaller radius the layer stiffens; an overlap of the
 * smaller radius is the failure UNSTABLE_STEP, which names both rods.
 * Friction: a tangential spring along the line of contact, limited per pair of elements to friction times the normal force (Cundall and
 * Strack). Slip includes the spins.
 * Groups: an effect acts between rods of first_group and second_group; several effects give several laws; groups that no effect names
 * together pass through each other. Elements within skip_length of a joint between their rods, measured through it, do not touch.
 * Neighbours along one rod: elements closer along the rod at rest than skip_length touch with radii reduced in proportion to that distance,
 * so direct neighbours do not touch. By default self-contact begins at a curvature of 0.98/r.
 * Rods, balls and capsules touch boxes and cylinders with the law of elastic obstacles (above); these do not touch each other.
 * Step: the limit includes contacts possible within the next 64 steps at present speeds; for chosen steps (elastica_world_advance, run),
 * which resolve every contact, within four. Given steps are refused when unstable, not when coarse, and if a part of a rod or body may move
 * by more than its largest radius in 64 steps, relative to the middle of all velocities. */
#define ELASTICA_EVERY_GROUP (-1)

typedef struct elastica_contact_def {
  size_t struct_size;
  double modulus;                /* k [Pa] > 0: force per length of contact and overlap; no default */
  double damping;                /* c [Pa s]: the same per speed of approach; it may weaken the layer but never pulls; default 0 */
  double friction;               /* mu, static and kinetic; default 0; may be changed while running */
  double tangential_ratio;       /* k_t/k > 0; default 2/3 */
  double tangential_damping;     /* [Pa s] of the tangential spring; default 0 */
  int first_group, second_group; /* default ELASTICA_EVERY_GROUP */
  int self;                      /* 1 (default): self-contact, too */
  double skip_length;            /* [m] default NaN: 1.375 (r1 + r2) */
  double skin; /* [m] margin of the list of near pairs, which changes no bit; default NaN: a quarter of the largest radius of each */
} elastica_contact_def;

void elastica_contact_def_init(elastica_contact_def *def, size_t size);

/* rod NULL: all rods and bodies, also those added later. Otherwise self-contact of this rod alone: self must be 1, the rod must belong to
 * the groups and must not be a rigid body. Concentric balls and rods on one line have no direction to separate and do not touch. */
ELASTICA_MUST_CHECK elastica_status elastica_add_contact(elastica_world *world, elastica_rod *rod, const elastica_contact_def *def,
                                                         elastica_effect **out);
ELASTICA_MUST_CHECK elastica_status elastica_contact_set(elastica_effect *effect, const elastica_contact_def *def);

/* A touching pair of elements in the present state, or an element on an obstacle of kind ELASTIC: then rod[1] = element[1] = -1, the point
 * lies on the obstacle, and the normal points from it to the rod. A contact near a node consists of several: add them up. */
typedef struct elastica_contact_point {
  int rod[2], element[2];
  double point[3];      /* [m] pressure-weighted middle of the line of contact, between the surfaces */
  double normal[3];     /* unit vector from the second to the first */
  double depth;         /* [m] the deepest overlap */
  double extent;        /* [m] length of the line of contact */
  double force;         /* [N] sum of the magnitudes of normal forces along the line, without damper */
  double layer[3];      /* [N] normal force on the first element, with its damper */
  double tangential[3]; /* [N] friction on the first element: on an obstacle with its damper, between rods and bodies without it */
  int sticks;           /* 0: it slides, or has no friction */
} elastica_contact_point;

/* Writes the first `capacity` contact points of a contact or an obstacle of kind ELASTIC in the order of rods and elements (points may be
 * NULL with capacity 0), and the number of all to *count. A contact has them also while switched off, an obstacle does not.
 * CALLBACK_FAILED. */
ELASTICA_MUST_CHECK elastica_status elastica_contact_get(elastica_effect *effect, elastica_contact_point *points, int capacity, int *count);

/* ---- Checks before a run ------------------------------------------------------------------------------------------------------------- */

/* Support of a rod's end: by prescribed velocities and spins, and by boundaries of kind CLAMP. */
typedef enum elastica_support {
  ELASTICA_SUPPORT_FREE = 0,
  ELASTICA_SUPPORT_PINNED, /* its node cannot move sideways */
  ELASTICA_SUPPORT_GUIDED, /* its frame cannot turn */
  ELASTICA_SUPPORT_CLAMPED /* neither */
} elastica_support;

/* Engineering figures of a rod: means along the rod at rest, as simulated (rotary_inertia_scale included). They reveal wrong units: the
 * speed of sound is 5000 m/s in steel, 30 m/s in rubber. */
typedef struct elastica_rod_facts {
  double length, radius, density;            /* [m] at rest [m] [kg/m^3] */
  double mass;                               /* [kg] with added masses */
  double slenderness;                        /* length/radius */
  double shortest, longest;                  /* smallest and largest rest length of an element over its radius */
  double stretch_stiffness, shear_stiffness; /* [N] E A, the smaller alpha_c G A */
  double bend_stiffness, twist_stiffness;    /* [N m^2] the smaller E I, G I3 */
  double stretch_speed, shear_speed;         /* [m/s] sqrt(EA/(rho A)), sqrt(alpha_c G A/(rho A)) */
  double torsion_speed;                      /* [m/s] sqrt(G I3/(rho I3)) */
  double bending_speed;                      /* [m/s] phase speed of the shortest wave of the grid, two elements long */
  elastica_support first, last;              /* its ends; those of a ring are FREE */
  double frequency, period; /* [Hz] [s] lowest natural frequency: bending, torsion or stretch of a straight, even, slender rod without
                             * tension */
  double free_frequency, cantilever_frequency; /* [Hz] the same with both ends free; with one clamped and one free */
  double step_limit;                           /* [s] of this rod alone (see elastica_world_step_limit) */
} elastica_rod_facts;

/* As elastica_world_step_limit; all are refusals. */
ELASTICA_MUST_CHECK elastica_status elastica_rod_get_facts(elastica_rod *rod, elastica_rod_facts *out);

typedef enum elastica_severity {
  ELASTICA_SEVERITY_NONE = 0,
  ELASTICA_SEVERITY_HINT,    /* unusual: intended, or a slip */
  ELASTICA_SEVERITY_WARNING, /* results will be poor, or the behaviour may surprise */
  ELASTICA_SEVERITY_ERROR    /* it will fail or be refused */
} elastica_severity;

/* The findings of elastica_world_check, with the value and the bound that it compares. */
typedef enum elastica_finding_kind {
  ELASTICA_FINDING_STEP = 0,    /* dt [s] and the limit: WARNING from 0.9 of it, ERROR beyond. Or the time in which a frame turns by 1 rad:
                                 * ERROR. With dt 0: the limit and the time of half a radian: WARNING from 100 times it */
  ELASTICA_FINDING_LOAD,        /* turn [rad] of an element at a clamp under the loads of the rod, and 1: too few elements */
  ELASTICA_FINDING_STRETCH,     /* dilatation, present or under loads along the rod, and S3/(S3 - S1), where frames become unstable for any
                                 * step: WARNING from 0.8 of it, ERROR beyond */
  ELASTICA_FINDING_BUCKLING,    /* load of a straight rod over Euler's load for its supports, and 1 */
  ELASTICA_FINDING_REST_STRAIN, /* the largest component of sigma0, and 0.5 */
  ELASTICA_FINDING_UNDAMPED,    /* law RESCALED without dissipation: it gains energy without bound */
  ELASTICA_FINDING_PROPORTION,  /* rest length over radius of an element, and 0.05 or 1e4 */
  ELASTICA_FINDING_MASS_RATIO,  /* of neighbouring nodes, and 1e5: the light one limits the step, the heavy one sets the time scale */
  ELASTICA_FINDING_DENSITY,     /* [kg/m^3] outside 1..3e4 */
  ELASTICA_FINDING_WAVE_SPEED,  /* of stretch [m/s] outside 1..2e4: wrong unit of modulus or density? */
  ELASTICA_FINDING_SIZE,        /* radius [m] above 0.5, or length above 1000: millimetres? */
  ELASTICA_FINDING_OVERLAP,     /* overlap of two contact partners over the smaller radius, or of a rod and an obstacle over its radius, and
                                 * 0.5: they will be thrown apart. HINT with a rigid obstacle, which pushes the rod out slowly */
  ELASTICA_FINDING_HOLD,        /* boundaries. Two that prescribe different positions [m], velocities [m/s], frames [rad] or spins
                                 * [rad/s] of one node or frame, and 0: ERROR. A motion that moves its node by a tenth of an element [m], or
                                 * its frame by 0.5 [rad], in the first step: WARNING */
  /* For rods, balls and capsules with contact, against the value that brings an overlap of half the smaller radius: */
  ELASTICA_FINDING_APPROACH, /* speed [m/s] at which two, or one and an elastic obstacle, meet in uniform motion */
  /* Load [N] of effects on one and on those above it, where it rests on others; the common acceleration of a free heap does not count. */
  ELASTICA_FINDING_WEIGHT,
  /* Tension [N] of loads along a rod with self-contact in a knot or loop. For overhand knots the bound is 0.5 to 0.95 times the measured
   * tension of that overlap. */
  ELASTICA_FINDING_LOOP,
  /* Node or element to which add_loads of a user's module adds a load outside first_written..last_written, or a rate with adds_rates 0, and
   * the nearest one allowed: ERROR, because steps rely on these fields */
  ELASTICA_FINDING_WRITES,
  /* Relative difference between the velocity or spin that a motion of a boundary, joint or obstacle writes and central differences of its
   * position or frame, and 0.1: WARNING. It is found if both differ at all times at which the motion moves, of seven times within the next
   * 30,000 steps */
  ELASTICA_FINDING_MOTION
} elastica_finding_kind;

/* At most one per kind, at its worst place. */
typedef struct elastica_finding {
  elastica_finding_kind kind;
  const char *name; /* of the kind, such as "BUCKLING" */
  elastica_severity severity;
  int rod_index, element;  /* -1: none. Of MASS_RATIO the lighter node, of HOLD the node or element */
  int rod_count;           /* number of affected rods */
  elastica_effect *effect; /* the main cause, or NULL */
  double value, bound;
  char sentence[480];
} elastica_finding;

enum { ELASTICA_FINDING_CAPACITY = 18 };

/* Without pointers to free; room for all kinds. */
typedef struct elastica_check_report {
  int finding_count;
  elastica_severity worst;                              /* of all findings */
  elastica_step_limit limit;                            /* at the present state */
  elastica_finding findings[ELASTICA_FINDING_CAPACITY]; /* the gravest first */
} elastica_check_report;

/* Examines a world before it runs and predicts problems in words. dt [s]: the intended step; 0: one chosen by the library. It judges the
 * loads of add_loads at the present state and time, ramps at full height; not their later values. Reactions (obstacles of kind RIGID,
 * friction on those of kind ELASTIC) are unknown before a step, so the loads of rods with one are not judged. Deep overlap is judged by
 * approach, weight and loop only: not by later speeds, nor by loops that twist or bending closes. The check is not complete: a world
 * without findings may still fail. It changes nothing, except that derived lanes are those of the last rod afterwards. It costs about ten
 * steps, up to fifty with contact near its bound. As elastica_world_step_limit; all are refusals, and *out is then without findings. */
ELASTICA_MUST_CHECK elastica_status elastica_world_check(elastica_world *world, double dt, elastica_check_report *out);

/* ---- Budget of energy and momentum --------------------------------------------------------------------------------------------------- */

/* A budget accounts for the energy and momentum of a world, step by step while it is open (src/README.md). Work is exact: impulse times the
 * mean of the velocities before and after the kick. So kinetic energy balances to rounding, and
 *   residual = change of kinetic and elastic energy - work of all effects
 * is the error of the step in the elastic energy, which falls by four when the step is halved. The work of an effect includes its loads,
 * rates, resultants, and prescribed velocities and spins. Changes between steps (adding, removing, setters, relaxation, snapshots) are in
 * `between`: kinetic + elastic = those at the beginning of the budget + kinetic_change + elastic_change + between. An open budget changes
 * no bit and costs about three more steps per step. */
typedef struct elastica_budget_sum {
  long step_count;         /* steps since the budget was opened */
  double duration;         /* [s] of these steps */
  double kinetic, elastic; /* [J] of all rods after the last step: translation and rotation; bending and shear */
  double kinetic_change, elastic_change;
  double work;                  /* [J] of all effects */
  double between;               /* [J] kinetic and elastic energy added (or removed, < 0) between steps; known after the following step */
  double residual;              /* [J] kinetic_change + elastic_change - work */
  double step_residual;         /* [J] of the last step */
  double largest_step_residual; /* [J] magnitude of the largest */
  long largest_step;            /* the number of its step; -1: none */
  double momentum_change[3], impulse[3];        /* [N s] of all rods; of all effects */
  double angular_change[3], angular_impulse[3]; /* [N m s] about the origin */
} elastica_budget_sum;

/* The share of one effect; of a removed one, up to its last step. */
typedef struct elastica_budget_share {
  double work;               /* [J] on the rods */
  double energy;             /* [J] its present potential, by its energy hook; NaN as elastica_effect_energy; 0: removed */
  double energy_change;      /* [J] in the steps of the budget, failed runs excluded */
  double impulse[3];         /* [N s] */
  double angular_impulse[3]; /* [N m s] about the origin */
} elastica_budget_share;

/* One budget may be open per world. effect: its number. Close the budget before the world is destroyed; NULL is allowed, inside a hook
 * closing does nothing. The step after a change may need memory. */
ELASTICA_MUST_CHECK elastica_status elastica_budget_open(elastica_world *world, elastica_budget **out);
ELASTICA_MUST_CHECK elastica_status elastica_budget_get(elastica_budget *budget, elastica_budget_sum *out);
ELASTICA_MUST_CHECK elastica_status elastica_budget_get_effect(elastica_budget *budget, int effect, elastica_budget_share *out);
void elastica_budget_close(elastica_budget *budget);

/* ---- Search: optimal designs and gaits ----------------------------------------------------------------------------------------------- */

/* CMA-ES, the covariance matrix adaptation evolution strategy: minimises a function of n numbers by its values alone, such as minus the
 * speed of a gait. A generation has lambda candidates from a normal distribution; its mean, step sigma and covariance C adapt to the
 * ranking of the candidates. N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772 (2016).
 * Loop until elastica_cmaes_get reports a stop: ask for candidates, evaluate them in any order on any machine, tell their fitness. A search
 * is independent of worlds and has no thread, file or clock. The same definition and fitness give the same bits on every machine. */
typedef struct elastica_cmaes elastica_cmaes;

typedef struct elastica_cmaes_def {
  size_t struct_size;
  int dimension;               /* n, 1 to 10000; no default */
  int population;              /* lambda, 2 to 1000000; default 0: 4 + floor(3 ln n) */
  const double *start, *scale; /* [n] first mean, default 0; unit of each number > 0, default 1 */
  double step;                 /* sigma > 0 of the first generation, in these units; no default */
  const double *lower, *upper; /* [n] bounds, possibly infinite; default none */
  int penalty;                 /* 1 (default): candidates outside are moved inside and penalised; 0: drawn again (for optima inside) */
  int active;                  /* 1 (default): negative weights for the worse half */
  int revision;                /* of the tutorial: 2016 (default), or 2023 (its c_mu) */
  unsigned seed;               /* default 1 */
  int restart_limit; /* restarts after STALLED and the reasons below it in elastica_stop; default 0. With finite bounds a restart begins
                      * anywhere between them, else near the first mean */
  double growth;     /* factor of lambda at a restart, 1 to 1000; default 2 */
  long evaluation_limit, generation_limit;  /* over all restarts; default 0: none */
  double target, stall_gain;                /* see elastica_stop; default -infinity; >= 0, default 0 */
  int stall_generations;                    /* default 0: never STALLED */
  double fitness_tolerance, step_tolerance; /* >= 0, default 1e-12 */
  char *message;                            /* buffer for the sentence of create; may be NULL */
  size_t message_size;
  void *(*allocate)(void *user, size_t size); /* as in elastica_world_def */
  void (*release)(void *user, void *block);
  void *allocator_user;
} elastica_cmaes_def;

void elastica_cmaes_def_init(elastica_cmaes_def *def, size_t size);

/* The reason to stop: the first of these that is true. */
typedef enum elastica_stop {
  ELASTICA_STOP_NONE = 0,
  ELASTICA_STOP_TARGET, /* best fitness <= target */
  ELASTICA_STOP_EVALUATIONS,
  ELASTICA_STOP_GENERATIONS,
  ELASTICA_STOP_STALLED,    /* the best fitness did not improve by more than stall_gain in stall_generations */
  ELASTICA_STOP_FITNESS,    /* the best of 10 + 30 n/lambda generations and all of the last one lie within fitness_tolerance */
  ELASTICA_STOP_STEP,       /* all deviations are below step_tolerance times the first step */
  ELASTICA_STOP_EQUAL,      /* the best of as many generations have the same fitness */
  ELASTICA_STOP_STAGNATION, /* neither best nor median improved over a long history */
  ELASTICA_STOP_CONDITION,  /* the condition number of C is above 1e14 */
  ELASTICA_STOP_AXIS,       /* a tenth of a deviation along an axis of C does not change the mean */
  ELASTICA_STOP_COORDINATE, /* a fifth of a deviation along a coordinate does not change the mean */
  ELASTICA_STOP_DIVERGED    /* the largest deviation is 1e4 times the first step, which was too small; or penalty 0 with an optimum on a
                             * bound */
} elastica_stop;

/* message: as elastica_world_message. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_create(const elastica_cmaes_def *def, elastica_cmaes **out);
void elastica_cmaes_destroy(elastica_cmaes *search);
const char *elastica_cmaes_message(const elastica_cmaes *search);

/* ask: the candidates of this generation, x[n k + i]; repeated calls give the same. capacity: numbers that x has room for. tell: their
 * fitness [population], smaller is better, infinity for a failed evaluation; it ends the generation. A search may continue after a stop.
 * INVALID_ARGUMENT: also NaN and -infinity. WRONG_STATE: tell without ask. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_ask(elastica_cmaes *search, double *x, size_t capacity);
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_tell(elastica_cmaes *search, const double *fitness);

typedef struct elastica_cmaes_info {
  elastica_stop stop;           /* NONE: continue */
  const char *stop_text;        /* the same in words */
  elastica_stop restarted;      /* the reason of the last restart */
  int population;               /* of the next generation */
  int restart;                  /* number of restarts so far */
  int failed;                   /* failed candidates of the last generation */
  long generation, evaluations; /* so far, over all restarts */
  double best;                  /* of all; infinity before the first success */
  double generation_best;       /* of the last generation, likewise */
  double generation_mean;       /* of the last generation without failures; infinity also on overflow */
  double step, condition;       /* sigma; condition number of C */
  const double *best_x, *mean;  /* [n] valid until the next tell or load; best_x is the start before the first success */
} elastica_cmaes_info;

ELASTICA_MUST_CHECK elastica_status elastica_cmaes_get(elastica_cmaes *search, elastica_cmaes_info *out);

/* The state as bytes that every machine reads. Loaded, completely or not at all, into a search with the same definition (limits, target and
 * tolerances may differ), it continues with the same bits. size: room in buffer; *needed receives the size of the state, also with buffer
 * NULL. */
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_save(elastica_cmaes *search, void *buffer, size_t size, size_t *needed);
ELASTICA_MUST_CHECK elastica_status elastica_cmaes_load(elastica_cmaes *search, const void *buffer, size_t size);

/* ---- Output -------------------------------------------------------------------------------------------------------------------------- */

/* Close all writers before the world is destroyed. Closing NULL is OK. In a hook, rows of tables may be written, and writers opened and
 * closed; elastica_vtk_frame and elastica_view_frame return WRONG_STATE there. So do, everywhere, a second writer for an open file, and a
 * snapshot or a frame that would replace one: of this world, or of another world or process unless the file does not exist yet, or the file
 * system or Windows has no locks. Files are replaced by renaming: a file that may not be written is replaced if its folder may be. */

typedef struct elastica_csv elastica_csv;
typedef struct elastica_vtk elastica_vtk;
typedef struct elastica_view elastica_view;

/* A table of comma-separated numbers below one line of column names. Numbers read back to the same bits; every row is flushed. columns: the
 * first line, not empty, without its end; each row has as many values. A row that cannot be written may leave a part of it; later calls
 * then repeat the error, and close reports it. A pipe needs a reader. IO_ERROR. */
ELASTICA_MUST_CHECK elastica_status elastica_csv_open(elastica_world *world, const char *path, const char *columns, elastica_csv **out);
elastica_status elastica_csv_row(elastica_csv *csv, const double *values, int count);
ELASTICA_MUST_CHECK elastica_status elastica_csv_close(elastica_csv *csv);

/* ParaView files: directory/name.pvd lists one directory/name_NNNNNN.vtp per frame. Arrays have the names of elastica_rod_view, and radius,
 * d1, d2, d3 (directors), rod and element.
 *  - A rod is one line through its nodes (filter Tube), with point data: velocity, internal_force, curvature and couple of the joints, and
 *    means of the element values.
 *  - An element is a vertex at its middle, with cell and point data: radius, length, dilatation, velocity, directors, omega, strain, force
 *    n, internal_couple; nan where a value exists for nodes only, and in the cell of a line.
 *  - A rigid body is its surface in polygons, with the velocity of its points, and one vertex at its centre with frame, spin, velocity and
 *    length (along d3). Round bodies have 20 sides.
 *  - An obstacle that is switched on is its surface; its rod is -1. A plane is a thin plate, an endless cylinder a long one.
 *    A SURFACE is drawn about the rods and below them. A cube has four to eight times their extent; its cells have 1/32 of its edge, and
 *    are divided in a box about the rods, until the surface is off by 1/16 of the least radius at most; more than 1500 of these make it
 *    coarser. A TUBE is drawn with its half balls, or with its rims and a ring of both faces. Pages (elastica_view_open) show both
 *    likewise. TUBE, SURFACE and MESH at rest are in a file of their own, directory/name_obstacles_NNNNNN.vtp (part 2 of the index),
 *    written when they have changed since the previous frame: otherwise frames share it. `name` then has at most 230 bytes.
 * The field data have the units of the arrays as a text, `units`. The directory must exist; name has no folder, no ending .pvd, .vtp,
 * _contacts or _obstacles, no control characters and at most 240 bytes. Each file is written under a name ending in .tmp and renamed when
 * complete, the index after each frame: an interrupted run can be opened, and a refused frame leaves the files unchanged. IO_ERROR; a frame
 * needs derived lanes: as elastica_rod_refresh. */
ELASTICA_MUST_CHECK elastica_status elastica_vtk_open(elastica_world *world, const char *directory, const char *name, elastica_vtk **out);
ELASTICA_MUST_CHECK elastica_status elastica_vtk_frame(elastica_vtk *vtk);

/* From the next frame on, adds the contact points of a contact or elastic obstacle as a second file per frame, name_contacts_NNNNNN.vtp
 * (part 1 of the index): one vertex per elastica_contact_point with its data. May be called for several effects. INVALID_ARGUMENT: another
 * kind of effect, or a `name` above 231 bytes. */
ELASTICA_MUST_CHECK elastica_status elastica_vtk_add_contacts(elastica_vtk *vtk, elastica_effect *effect);
elastica_status elastica_vtk_close(elastica_vtk *vtk);

/* A page that plays the run in any browser with WebGL 2: one file of HTML, without network. It shows rods as tubes with a stripe along d1,
 * rigid bodies, obstacles, tendons, joints, contact forces (layer + tangential of elastica_contact_get) and reactions of rigid obstacles,
 * coloured by a chosen quantity. A click tells the numbers of an element, tendon or body: three digits, positions to their resolution. */
typedef struct elastica_view_def {
  size_t struct_size;

  const char *title;       /* above the scene, UTF-8; default NULL: the name of the file without .html */
  const char *length_unit; /* names of the units of length and force; default NULL: "m" and "N" */
  const char *force_unit;

  /* [m] > 0, rounding of positions; default NaN: a power of two, 1/32768 to 1/16384 of the shortest rest length of an element, or radius
   * of a body, chosen anew whenever objects are added or removed; eight times that with more than 4000 elements. Their other numbers are
   * rounded to 1 part in 1024 before frames are left out. Positions beyond 2^31 of them are refused. Strains do not depend on it. */
  double resolution;

  size_t size_limit; /* [bytes] of the file, default 1000000: beyond it every other frame is left out, repeatedly if needed. The first and
                      * the last frame always stay, as does what is written once: the viewer and the shapes of obstacles. More triangles
                      * of meshes and surfaces than 1/48 of it, which take a quarter, are drawn as fewer, with a note */
  double up[3];      /* upward direction of the first view, not 0; default NaN: against gravity (the sum of those switched on), else z */

  /* The first view is centred at focus [m], and span [m] > 0 fills the shorter side of the window: for scenes with important details that
   * are small. Both or neither; default NaN: the whole scene. */
  double focus[3], span;
} elastica_view_def;

void elastica_view_def_init(elastica_view_def *def, size_t size);

/* path: of the file, "walker.html"; its folder must exist. def NULL: all defaults. frame adds the present state. The file is written under
 * a name ending in .tmp and renamed when complete: with each of the first frames, then whenever the number of calls of frame has grown by a
 * quarter, and by close. So an interrupted run leaves a page of at least four fifths of its time. Modes, links and pipes: as
 * elastica_world_snapshot_save_file. close frees in any case; without frames it writes nothing and returns WRONG_STATE.
 * elastica_view_frame: as elastica_vtk_frame; NOT_FINITE names the first node or body that is not finite, and this frame is left out.
 * IO_ERROR: the former file stays. */
ELASTICA_MUST_CHECK elastica_status elastica_view_open(elastica_world *world, const char *path, const elastica_view_def *def,
                                                       elastica_view **out);
ELASTICA_MUST_CHECK elastica_status elastica_view_frame(elastica_view *view);
elastica_status elastica_view_close(elastica_view *view);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
