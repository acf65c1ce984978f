/* Internal interface of relaxation. Calls go one way, down this list:
 *
 *   relax.c            the call and its iteration
 *   relax_damped.c     damped steps, used if the iteration fails
 *   relax_stability.c  stability of the equilibrium
 *   relax_confirm.c    confirms the tangents of a user's effects
 *   relax_escape.c     refuses loads that have no equilibrium
 *   relax_residual.c   residuals, their allowed values, and the distance to equilibrium
 *   relax_step.c       the factors, the step, and the secant update of load stiffness
 *   relax_reactions.c  stiffness of reactions, by finite differences
 *   stiffness.c        the stiffness of the whole world in one matrix, with loads whose stiffness effects give
 *   relax_loads.c      stiffness of other loads, by finite differences
 *   relax_touch.c      stiffness of contacts
 *   relax_state.c      memory and state
 *   factor.c, tangent.c, secant.c, at_rest.c
 *
 * modes.c uses it for natural frequencies and linear buckling, with krylov.c.
 *
 * In this folder "measure" means: by a finite difference of loads.
 */
#ifndef ELI_RELAX_H
#define ELI_RELAX_H

#include <math.h>

#include "hooks/work.h"
#include "rod/rod_data.h"
#include "statics/secant.h"
#include "statics/stiffness.h"
#include "statics/tangent.h"

static inline double eli_length(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double eli_larger(double a, double b) {
  return a > b ? a : b;
}

static inline double eli_smaller(double a, double b) {
  return a < b ? a : b;
}

/* Sets most to the larger of the two; NaN counts as larger than any number. */
static inline void eli_keep_larger(double *most, double value) {
  if (!(value <= *most) && *most == *most) *most = value;
}

/* From this share of rounding on (eli_origin) a rod counts as slender: a length of some 1e4 radii. */
#define ELI_SLENDER 1e-6

/* The largest residual of a rod in a state, with its largest force and couple for comparison. */
typedef struct eli_residual {
  double force, couple;                     /* [N] [N m] */
  double reference_force, reference_couple; /* [N] [N m] */
  double rounding_force, rounding_couple;   /* [N] [N m] residuals that rounding of positions and frames can cause */
} eli_residual;

/* A rod at the start of the relaxation, and its total turn since. */
typedef struct eli_origin {
  double centre[3]; /* [m] mean of its nodes */
  double length;    /* [m] at rest; for a rigid body that of the longest rod or body */
  double extent;    /* [m] largest coordinate, plus the length: a bound of coordinates while the rod is supported somewhere */
  double turned[3]; /* [rad] sum over the steps of the mean turn of its frames, laboratory */
  double longest;   /* largest dilatation at the start, at least 1 */
  double shortest;  /* smallest dilatation at the start, at most 1 */
  double softness;  /* [N m] least bending stiffness over the length; infinite for a rigid body */
  double rounding;  /* stiffness against turns that the rounding of frames leaves, as a share of that; 0 above 1 */
  double last[3];   /* [m] centre at the last test for a drift */
  double moved[3];  /* [m] its displacement between the two tests before */
  double force[3];  /* [N] unopposed force then */
  int steady;       /* number of tests since it has moved as before, along the same force */
  int head;         /* see eli_relax_find_joined: of the rods that are coupled with this one, the first; and of the first, the rod */
  int stiffest;     /* with the largest stiffness of rounding, and the one with */
  int softest;      /* the least bending stiffness; -1: none */
} eli_origin;

/* Dependence of a reaction on the displacement of its node and on the other forces there; 3 by 3, laboratory. See relax_reactions.c. */
typedef struct eli_reaction {
  double stiffness[9], projector[9], compliance[9]; /* [N/m], 1, [m/N] */
  double through;                                   /* share of the other forces that the reaction leaves along the projector, 0 to 1 */
  double direction[3];                              /* direction of the reaction when it was measured */
  double of_reaction[9], of_total[9];               /* [N/m] as measured: -d(reaction)/dx, -d(total force)/dx */
  int kind;                                         /* 0: not known */
} eli_reaction;

typedef struct eli_touching {
  double limit;     /* [m] largest displacement of a node in a step; 0: no effect has contacts */
  int known;        /* 1: contacts provide their stiffness; 0: it is measured with the other loads between bodies */
  int has_friction; /* 1: with friction */
  void *slips;      /* memory of the slips of the world */
} eli_touching;

/* A state to return to: positions, directors, velocities and spins, and the history of effects. */
enum { ELI_RELAX_LANES = 18 };

typedef struct eli_relax_point {
  double *lanes;
  void *history;
  size_t size; /* [bytes] of history */
} eli_relax_point;

/* Room for a sentence about a load that is not finite. */
enum { ELI_LOAD_WORDS = 200 };

/* Data of a relaxation. Vectors have size = 6 blocks numbers, six per block of eli_statics: displacement or force of the node, turn or
 * couple of the element. */
typedef struct eli_relaxation {
  elastica_world *world;
  elastica_relax_def def;
  elastica_rod **rods; /* rods of the world by rank: in their order, without gaps */
  int rod_count;
  int supported; /* 1: reactions, such as those of walls, may support loads */
  size_t *first; /* first block of each rod, and the end of the last */
  size_t blocks, size;
  long evaluations;
  void *memory;

  /* Loads and strains of three states. */
  eli_statics now, trial, probe;                            /* the present state, the trial state, a state of a finite difference */
  eli_residual *residual_start, *residual, *residual_trial; /* one per rod: of the first state, of now, of trial */
  eli_origin *origin;                                       /* one per rod */
  double *predicted, *predicted_trial;                      /* [3] per block: the stress n that the last step predicts */
  unsigned char *held;                                      /* per unknown: 1 if effects prescribe it */
  double *inertia;                                          /* per unknown: the diagonal matrix D */

  /* The matrix. */
  eli_stiffness stiffness;
  int assembled; /* 1: its values are those of now, with this share of the full tangent of rods */
  double share;
  int is_factorised; /* 1: the factors are those of this matrix with this shift */
  double factorised_shift;
  int is_raised;                /* 1: the factors have a larger shift, because loads make an unstable motion */
  double *regularisation;       /* [1/s^2] one per rod, always added, times inertia: keeps steps along motions without stiffness finite */
  double *weight;               /* per unknown: shift and regularisation, times inertia */
  elastica_effect *unsymmetric; /* the first effect that has given its stiffness and has no potential, or NULL; contacts come last */
  int has_bodies;               /* 1: some rod is a rigid body */
  double *pair_loads;           /* with such a body: the loads of add_world_loads in the last state */
  double *support;              /* [6] per rod: diagonal of the stiffness of loads, summed on a rigid body, the largest one on a rod */
  int knows_paired;             /* 1: paired is set */
  unsigned char *paired;        /* [2] per block, of node and element: 1 if loads of add_world_loads there depend on the state */
  int unstressed;               /* 1: tangents are asked for without the present forces and couples */
  int wide;                     /* 1: loads may depend on neighbours that carry none themselves, such as forces that follow a frame */
  unsigned char *colour;        /* [2] per block, of node and element: the columns of one colour are measured together */
  eli_reaction *reactions;      /* one per block */
  eli_touching touching;
  eli_secant secant; /* empty unless some stiffness is measured */
  double *secant_memory;
  double shift; /* [1/s^2] factor of D in the next step */

  /* The step. */
  double *step, *next;      /* the trial step, and the step that would follow it */
  double *work;             /* scratch */
  double *displacement;     /* displacement of a finite difference of reactions */
  double *adjusted;         /* forces, adjusted for reactions that act as constraints */
  double travel;            /* bound of the next step, as a share of the length of a rod */
  double resistance;        /* [1/s^2] step . F/(step . D step): the stiffness against the step, over its inertia */
  double growth, alignment; /* next|/|step|, and (next . step)/|step|^2, in the norm of D */
  double contraction;       /* growth of the last accepted step */
  double distance;          /* [m] estimated largest distance of a node from its equilibrium position */

  /* Counts. */
  int rejections;       /* rejected steps since the last accepted one */
  int joint_rejections; /* steps rejected because of the angle of a joint, since the last step with a displacement */
  int slow, remeasured; /* consecutive steps that hardly became shorter; number of repeated measurements of loads for this reason */
  int jumps;            /* short steps along which a force of effects jumps; the largest jump of the last of them [N], and its node */
  double jump;
  int jump_rod, jump_node;
  int new_contacts;    /* steps accepted because a node came into contact */
  int moved;           /* 1 after the first accepted step */
  int ended;           /* 1: the limit of evaluations is reached */
  int starved;         /* 1: memory ran out on the way */
  int keeps;           /* 1: the state that was reached stays, also of a refused call */
  int damps;           /* 1: damped steps may follow */
  double least_excess; /* ratio of residuals to their allowed values, when it last halved */
  int futile;          /* steps since then that were rejected or turned back */
  int unsound;         /* steps since then to states with a load that is not finite */
  long begun;          /* evaluations before the iteration */
  int stalled;         /* 1: Newton's method makes no further progress */
  long damped_steps;
  double latest;                   /* the last k of the factor k/(k + 3) of damped steps */
  double work_done, twice_kinetic; /* [J] sums over damped steps, of all motions */
  elastica_world clock;            /* copy of the world before the damped steps */
  int gave_up;                     /* 1: a damped step was refused, or failed: the initial state returns */

  /* Stability. */
  int stable, undecided;
  int unstable_modes, zero_modes;
  elastica_effect *undecided_by;

  /* Saved lanes. */
  double *saved[12];              /* positions and directors before the trial step */
  double *parked[12];             /* the same lanes while a finite difference uses saved */
  eli_relax_point start, reached; /* reached: the best state of the damped steps */

  char sunk[ELI_MESSAGE_SIZE];     /* describes the first contact that has given way, or "" */
  char jammed[ELI_LOAD_WORDS];     /* describes the last joint beyond its limit */
  long jammed_at;                  /* the number of its evaluation, from 1; 0: none */
  char not_finite[ELI_LOAD_WORDS]; /* describes the last load that was not finite */
  long not_finite_at;              /* the number of its evaluation, from 1; 0: none */
} eli_relaxation;

/* Returns the number of blocks of a rod. */
static inline size_t eli_relax_blocks(const eli_relaxation *relaxation, int r) {
  return relaxation->first[r + 1] - relaxation->first[r];
}

/* Returns the rod of a block. */
static inline int eli_relax_rod_of(const eli_relaxation *relaxation, size_t block) {
  int low = 0, high = relaxation->rod_count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (relaxation->first[middle] <= block)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* ---- relax.c ---- */

/* Opens a relaxation of a world that may be called: memory, and the hooks prepared. A refused call leaves a sentence; close then, too.
 * given may be NULL. */
elastica_status eli_relax_open(eli_relaxation *relaxation, elastica_world *world, const elastica_relax_def *given);
void eli_relax_close(eli_relaxation *relaxation);

/* A sentence about the relaxation that holds the state of another call becomes one about that call. */
void eli_relax_rename_sentence(elastica_world *world, const char *function);

/* Evaluates the present state into now: loads and residuals, inertia, prescribed unknowns; predicted is its stress. Velocities and spins
 * become 0. The hooks may fail. */
elastica_status eli_relax_begin(eli_relaxation *relaxation);

/* Sets predicted to the stress of now: for a state that no step of eli_relax_propose has led to. */
void eli_relax_take_stress(const eli_relaxation *relaxation);

/* ---- relax_state.c ---- */

/* Allocates everything in one block and sets sizes and pointers. Returns 0 without memory. */
int eli_relax_allocate(eli_relaxation *relaxation);

/* Allocates the secant if reactions or measured loads need it. Returns 0 without memory. */
int eli_relax_allocate_secant(eli_relaxation *relaxation);

/* Store the present state (0 without memory), return to the stored state, and release its memory. */
int eli_relax_note(const eli_relaxation *relaxation, eli_relax_point *point);
void eli_relax_return(const eli_relaxation *relaxation, const eli_relax_point *point);
void eli_relax_drop(const eli_relaxation *relaxation, eli_relax_point *point);

/* Return the status of a failed hook: a refusal without memory, otherwise a failure of the world; and that refusal for the memory of
 * relaxation. */
elastica_status eli_relax_fail_hook(eli_relaxation *relaxation, const eli_tile_report *report);
elastica_status eli_relax_starve(eli_relaxation *relaxation);

/* eli_relax_is_over returns 1 after a failed hook or without memory; eli_relax_end_status the status for the caller, OK before. */
int eli_relax_is_over(const eli_relaxation *relaxation);
elastica_status eli_relax_end_status(const eli_relaxation *relaxation);

/* Finds the prescribed unknowns: displaces everything and compares after the constrain hooks. Leaves positions unchanged, velocities and
 * spins 0. */
elastica_status eli_relax_find_held(eli_relaxation *relaxation);

/* Sets velocities and spins to 0. */
void eli_relax_stop(const eli_relaxation *relaxation);

/* Save positions and frames before a step; restore them. */
void eli_relax_save(const eli_relaxation *relaxation);
void eli_relax_restore(const eli_relaxation *relaxation);

/* Exchanges saved and parked, so that a finite difference can save and restore during a trial step. */
void eli_relax_swap_saved(eli_relaxation *relaxation);

/* Moves nodes and turns frames by relaxation->step. */
void eli_relax_move(const eli_relaxation *relaxation);

/* Returns the largest turn of a frame [rad], or change of an edge over its length, in a step. */
double eli_relax_extent(const eli_relaxation *relaxation, const double *step);

/* Returns a number between -1 and 1 that depends on i alone, without pattern. */
double eli_relax_noise(size_t i);

void eli_relax_set_origins(eli_relaxation *relaxation);

/* Returns the couple over the square of turns that the rounding of the frame of an element of this length leaves [N m]. */
double eli_relax_rounding_of(const elastica_rod *rod, size_t j, double length);

/* Returns the largest share of rounding of all rods (eli_origin). */
double eli_relax_share_of_rounding(const eli_relaxation *relaxation);

/* Finds the mean of the nodes of a rod [m]. */
void eli_relax_find_centre(const eli_relaxation *relaxation, const elastica_rod *rod, double centre[3]);

/* Returns the distance of the centre of rod r from its initial position [m]. */
double eli_relax_displacement(const eli_relaxation *relaxation, int r);

/* ---- relax_reactions.c ---- */

/* Return 1 if some effect has reactions; if some reaction acts in the present state; if a reaction acts on a node in now and not in
 * trial. */
int eli_relax_has_reaction_hooks(const eli_relaxation *relaxation);
int eli_relax_has_reactions(const eli_relaxation *relaxation);
int eli_relax_has_new_contact(const eli_relaxation *relaxation);

/* Measures the present reactions that are not known yet. Status as of eli_relax_measure_loads. Overwrites work. */
elastica_status eli_relax_measure_reactions(eli_relaxation *relaxation);

/* Adds the stiffness of the present reactions to a matrix. */
void eli_relax_add_reactions(const eli_relaxation *relaxation, eli_factor *factor);

/* Returns the right-hand side that belongs to that matrix: force itself, or adjusted, filled. */
const double *eli_relax_adjust_force(const eli_relaxation *relaxation, const double *force, double *adjusted);

/* Subtracts the part that reactions explain from a rise of external loads between now and trial. */
void eli_relax_subtract_known_reactions(const eli_relaxation *relaxation, const double *step, double *rise);

/* ---- relax_loads.c ---- */

/* Makes a displacement of all free unknowns, of about the same size everywhere. */
void eli_relax_displace_all(const eli_relaxation *relaxation, double *x);

/* Measures E of the loads of add_loads, block by block, unless all effects give it; E then has nothing else. A status other than OK comes
 * from a failed hook and ends the relaxation. Overwrites step, next, work, adjusted and trial. */
elastica_status eli_relax_measure_loads(eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Adds E of the loads of add_world_loads in the present state, unless all effects give it. Overwrites next, work and adjusted. */
elastica_status eli_relax_measure_pairs(eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Sets known if one displacement of all unknowns changes the loads as E says; contacts between rods are left out, and loads of
 * add_world_loads if all effects give their stiffness. base becomes the loads that were compared. Status as of eli_relax_measure_loads. */
elastica_status eli_relax_check_loads(eli_relaxation *relaxation, const eli_stiffness *stiffness, double *base, int *known);

/* Measures E of the loads of add_loads unknown by unknown, from anywhere to anywhere; nothing if there are too many. */
elastica_status eli_relax_measure_far(eli_relaxation *relaxation, eli_stiffness *stiffness);

/* Returns the rest length of an element at a node [m]. */
double eli_relax_length_at(const eli_relaxation *relaxation, int r, size_t i);

/* ---- stiffness.c ---- */

/* Returns 1 if all effects between rods, or all others with add_loads, know their stiffness; contacts have their own. */
int eli_relax_has_tangents(const eli_relaxation *relaxation, int between_rods);

/* Returns the first effect with loads that does not know their stiffness, or NULL. */
elastica_effect *eli_relax_without_tangent(const eli_relaxation *relaxation);

/* Visits the blocks and springs of all these effects in the present state. take_spring NULL: springs are visited as blocks, as those of few
 * parts are in any case. The status of a failed hook. */
elastica_status eli_relax_visit_tangents(eli_relaxation *relaxation, int between_rods, eli_take_block *take, eli_take_spring *take_spring,
                                         void *context);

/* The same for one effect. */
elastica_status eli_relax_visit_effect(eli_relaxation *relaxation, const elastica_effect *effect, eli_take_block *take,
                                       eli_take_spring *take_spring, void *context);

/* ---- relax_confirm.c ---- */

/* Compares the tangents of a user's effects with differences of their loads in the present state: CALLBACK_FAILED if one is wrong. An
 * effect that has no potential although it says so becomes the unsymmetric one of the stiffness. Overwrites step. */
elastica_status eli_relax_confirm_tangents(eli_relaxation *relaxation);

/* ---- relax_touch.c ---- */

/* Finds the effects with contacts; allocates memory for them (0: there is none), and releases it. */
void eli_relax_find_touching(eli_relaxation *relaxation);
int eli_relax_allocate_touching(eli_relaxation *relaxation);
void eli_relax_release_touching(eli_relaxation *relaxation);

/* Takes the present state as the start of the next slips, after friction has advanced to it in damped steps. */
void eli_relax_follow_slips(const eli_relaxation *relaxation);

/* Returns the number of a part: 2 block for a node and 2 block + 1 for the frame of an element. */
size_t eli_relax_part(const eli_relaxation *relaxation, const elastica_part *part);

/* Finds the parts that a contact moves: 2 block for a node and 2 block + 1 for the frame of an element, and their places in its stiffness.
 * Returns the number of parts. */
int eli_relax_contact_parts(const eli_relaxation *relaxation, const struct eli_contact_stiffness *found, size_t *part, int *place);

/* Adds the stiffness of all contacts in the present state to E, and names the first effects with loaded and with sliding friction.
 * OUT_OF_MEMORY, CALLBACK_FAILED. */
elastica_status eli_relax_take_contacts(eli_relaxation *relaxation, eli_stiffness *stiffness);

/* A contact of a rod: its effect, its element, the state of its friction (eli_friction_state). */
typedef struct eli_touched {
  const elastica_effect *effect;
  int element, friction;
} eli_touched;

/* Finds a contact of rod r in the present state, if possible one that slides. Returns 0 if there is none, or if a hook fails. */
int eli_relax_find_contact(const eli_relaxation *relaxation, int r, eli_touched *out);

/* Sets relaxation->sunk if a step would refuse the present state. Asks only after long steps: shorter ones lead through no contact. */
elastica_status eli_relax_note_depth(eli_relaxation *relaxation);

/* Refuses an equilibrium that a step would refuse, because statics may press contacts in to any depth: NOT_CONVERGED, with the reason after
 * `found`, the beginning of the sentence. Another status is that of a failed hook. */
elastica_status eli_relax_check_depth(eli_relaxation *relaxation, const char *found);

/* Advances the history of friction to the present state. Overwrites trial. */
elastica_status eli_relax_keep_slips(eli_relaxation *relaxation);

/* ---- relax_step.c ---- */

/* Finds the step from the present state, bounded so that turns stay small. Returns 0 if numbers overflow. */
int eli_relax_propose(eli_relaxation *relaxation);

/* Finds, after a step, the step that would follow, growth and alignment. */
void eli_relax_find_next(eli_relaxation *relaxation);

/* Adds the pair (step, rise of loads) to the secant. Returns 0 if the pair has no new information. */
int eli_relax_update_secant(eli_relaxation *relaxation);

/* Sets predicted in slender rods to the stress after the step of eli_relax_newton_step: in their present stress, rounding may hide the
 * loads. */
void eli_relax_predict_slender(const eli_relaxation *relaxation);

/* Computes the step with shift 0 from the present state. Returns 0 if numbers overflow. */
int eli_relax_newton_step(eli_relaxation *relaxation);

/* ---- relax_residual.c ---- */

/* Computes loads and residuals of the present positions, into trial. Constraints support any load on prescribed unknowns. NOT_FINITE, with
 * relaxation->not_finite, or the status of the report. The second function exchanges trial and now. */
elastica_status eli_relax_evaluate(eli_relaxation *relaxation, eli_tile_report *report);
void eli_relax_swap_trial(eli_relaxation *relaxation);

/* Finds the residuals of the present loads again. Their rounding depends on the stiffness of effects, which is 0 until it is found. */
void eli_relax_find_residuals(eli_relaxation *relaxation);

/* Returns 1 and describes the load, with its effect, if one of the present loads from outside is not finite. Loads on prescribed nodes and
 * elements enter no residual. */
int eli_relax_finds_no_number(const eli_relaxation *relaxation, char words[ELI_LOAD_WORDS]);

/* Refuses with this status a state in which two successive guides of a taut tendon have met. The force between them may then have any
 * direction, and its rounding would allow any residual. */
elastica_status eli_relax_check_cables(eli_relaxation *relaxation, elastica_status refusal);

/* Return 1 if the residual of each rod is within its own allowance; now: beside the present loads, without those of the start; converged:
 * and if no rod is far from equilibrium. */
int eli_relax_is_balanced(const eli_relaxation *relaxation);
int eli_relax_is_balanced_now(const eli_relaxation *relaxation);
int eli_relax_is_converged(eli_relaxation *relaxation);

/* Returns a slender rod with a residual that rounding alone allows, while it is far from its place; -1 if there is none. Takes the step as
 * eli_relax_estimate_distance has left it. */
int eli_relax_find_lost(const eli_relaxation *relaxation);

/* Returns 1 if no momentum of a node or element is larger than the impulse of the allowed residual in this time. */
int eli_relax_is_slow(const eli_relaxation *relaxation, double time);

/* Replaces the residual of each body with reactions: by its mass and inertia times the change of its velocities since before, over dt. */
void eli_relax_judge_supported(const eli_relaxation *relaxation, double *const before[6], double dt);

/* Returns the least time [s] in which the present loads move a body from rest by this share of its length, or turn it by as many
 * radians. */
double eli_relax_time_to_move(const eli_relaxation *relaxation, double share);

/* Sets relaxation->distance for the present state. */
void eli_relax_estimate_distance(eli_relaxation *relaxation);

/* Returns the largest residual that a force on rod r may have [N]. */
double eli_relax_allowed_force(const eli_relaxation *relaxation, int r);

/* Returns the residual with the largest ratio to its allowed value; and this ratio. */
eli_residual eli_relax_worst_residual(const eli_relaxation *relaxation);
double eli_relax_excess(const eli_relaxation *relaxation);

/* ---- relax_damped.c ---- */

/* Takes damped steps from the present state and history of effects until rest, or until relax_def.step_limit. OK, NOT_CONVERGED,
 * OUT_OF_MEMORY (with starved set) or the failure of a hook. */
elastica_status eli_relax_damp(eli_relaxation *relaxation);

/* Returns to the best state of the damped steps: NOT_CONVERGED, or the status of a failed hook. */
elastica_status eli_relax_return_to_best(eli_relaxation *relaxation);

/* ---- relax_escape.c ---- */

/* Returns NOT_CONVERGED, with a sentence, if a rod has moved, turned, stretched, collapsed or bent so far that it has no equilibrium. */
elastica_status eli_relax_check_escape(const eli_relaxation *relaxation);

/* The end of the sentence of a relaxation that did not converge: its likely cause, or "". */
enum { ELI_CAUSE_WORDS = ELI_LOAD_WORDS + 60 };
const char *eli_relax_likely_cause(const eli_relaxation *relaxation, char words[ELI_CAUSE_WORDS]);

/* Compares the motion and the load of each rod with those at the last test: a rod that nothing holds moves by equal steps. */
void eli_relax_follow_drift(eli_relaxation *relaxation);

/* NOT_CONVERGED if a rod drifts without being held; ended: Newton's method has ended, so that the way need not be long, or that nothing
 * needs to touch the rod. */
elastica_status eli_relax_check_drift(eli_relaxation *relaxation, int ended);

/* ---- relax_stability.c ---- */

/* Sets stable and undecided for the equilibrium. Overwrites step, next and the secant. NOT_CONVERGED as of eli_relax_check_cables, and
 * the statuses of eli_relax_measure_loads. */
elastica_status eli_relax_find_stability(eli_relaxation *relaxation);

/* Returns a bound of the couple, over the square of its turns, by which the residual and the rounding of the present state resist a motion
 * of a rod that should have no stiffness. */
double eli_relax_imbalance(const eli_relaxation *relaxation, int r);

/* The same for the stress that rounding of positions may leave in all elements of a rod. */
double eli_relax_rounding(const eli_relaxation *relaxation, int r);

/* Returns 1 if no coordinate of a rod is prescribed, and no load on it has a stiffness. */
int eli_relax_is_free(const eli_relaxation *relaxation, int r);

/* Returns the least bending stiffness over the length of a rod [N m]; 0 without rods that bend. */
double eli_relax_softest(const eli_relaxation *relaxation);

/* Finds the coupled rods in which the stiffness of rounding of one, which only others hold, is the largest share of the bending stiffness
 * of another one. Returns this share and the pair, or 0 without such rods. */
double eli_relax_find_joined(const eli_relaxation *relaxation, const eli_stiffness *stiffness, int *stiffest, int *softest);

/* After eli_relax_find_joined: the least bending stiffness over the length of the rods that are coupled with a rod [N m], or infinity. */
double eli_relax_softest_joined(const eli_relaxation *relaxation, int r);

#endif
