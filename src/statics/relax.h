/* Relaxation, inside. Calls go one way, down this list:
 *
 *   relax.c            the call and its iteration
 *   relax_damped.c     damped steps, where the iteration does not help
 *   relax_stability.c  whether the equilibrium is stable
 *   relax_escape.c     refuses loads that have no equilibrium
 *   relax_residual.c   residuals, what is allowed of them, and the distance to equilibrium
 *   relax_step.c       the matrix, the step, and what a step tells about the loads
 *   relax_loads.c      stiffness of the loads of add_loads, by finite differences
 *   relax_pairs.c      stiffness of what acts between bodies, likewise
 *   relax_touch.c      contacts that press: their stiffness, and the solution of equations that they couple
 *   relax_reactions.c  stiffness of reactions, by finite differences; relax_directions.c: the directions of one
 *   relax_origin.c     where each rod was at the start, and how far it has gone
 *   relax_state.c      the state: saved, moved, restored; which unknowns are held
 *   relax_undo.c       states to return to
 *   relax_memory.c     everything in one block of memory
 *   tangent.c, secant.c, at_rest.c
 *
 * In this folder "measure" means: by a finite difference of loads.
 */
#ifndef ELI_RELAX_H
#define ELI_RELAX_H

#include <math.h>

#include "effects/work.h"
#include "rod/rod_data.h"
#include "statics/secant.h"
#include "statics/tangent.h"

static inline double eli_length(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double eli_larger(double a, double b) {
  return a > b ? a : b;
}

/* most = the larger of the two; NaN counts as larger than any number. */
static inline void eli_keep_larger(double *most, double value) {
  if (!(value <= *most) && *most == *most) *most = value;
}

/* Largest residual of a rod in a state, with the largest force and couple at work in it for comparison. */
typedef struct eli_residual {
  double force, couple;                     /* [N] [N m] */
  double reference_force, reference_couple; /* [N] [N m] */
  double rounding_force, rounding_couple;   /* [N] [N m] residuals that rounding of positions and frames can cause */
} eli_residual;

/* A rod at the start of the relaxation, and how far it has turned since. */
typedef struct eli_origin {
  double centre[3]; /* [m] mean of its nodes */
  double length;    /* [m] at rest; of a rigid body the longest of all */
  double extent;    /* [m] largest coordinate, plus the length: a bound of coordinates while the rod is held somewhere */
  double turned[3]; /* [rad] sum over the steps of the mean turn of its frames, laboratory */
  double longest;   /* largest dilatation at the start, at least 1 */
  double shortest;  /* smallest dilatation at the start, at most 1 */
} eli_origin;

/* How a reaction depends on the displacement of its node and on the other forces there; 3 by 3, laboratory. See relax_reactions.c. */
typedef struct eli_reaction {
  double stiffness[9], projector[9], compliance[9]; /* [N/m], 1, [m/N] */
  double through;                                   /* share of the other forces that the reaction leaves along the projector, 0 to 1 */
  double direction[3];                              /* of the reaction when it was measured */
  double of_reaction[9], of_total[9];               /* [N/m] as measured: -d(reaction)/dx, -d(total force)/dx */
  int kind;                                         /* 0: not known */
} eli_reaction;

/* Largest number of vectors in the Krylov space of the stability test. The space uses the memory of the secant, which is not needed any
 * more. */
enum { ELI_RELAX_PAIRS = (5 * ELI_SECANT_DEPTH + 2) / 2 };

/* What couples bodies by the loads of add_world_loads: unknowns that feel them, and square matrices over those. A coupling of more unknowns
 * than this is left to the secant. See relax_pairs.c. */
enum { ELI_MOST_PAIR_UNKNOWNS = 600 };

typedef struct eli_pairs {
  size_t count, most;      /* unknowns; rows have room for most. 0: there is no coupling */
  size_t *unknown;         /* of the world */
  double *stiffness;       /* all of it, as measured; the whole block of memory */
  double *across;          /* the part beside the bands */
  double *yield;           /* of the bands at these unknowns */
  double *solver, *factor; /* of the correction; and of its symmetric form */
  size_t *order;           /* of the rows of solver */
  double *part;            /* scratch, by unknown here */
  double *force, *moved;   /* loads of pairs when they were measured last; scratch: by unknown of the world */
  int ready;               /* 1: solver can solve */
} eli_pairs;

/* Contacts that press: see relax_touch.c. */
typedef struct eli_touch_block {
  size_t unknown[ELI_PRESS_PARTS]; /* the first of each part */
  int parts;
  double stiffness[ELI_PRESS_SIZE][ELI_PRESS_SIZE];
} eli_touch_block;

typedef struct eli_touching {
  double limit; /* [m] a step moves no node farther; 0: nothing touches */
  int known;    /* 1: the stiffness of contacts is asked for; 0: it is measured with all else that acts between bodies */
  int rubs;     /* 1: with friction */
  int full;     /* 1: memory ran out */
  void *slips;  /* memory of those of the world */
  size_t count, capacity;
  eli_touch_block *block;

  /* The nodes and elements that contacts couple, and GMRES on them. */
  size_t ends, room;
  size_t *number; /* of the node and the element of each block */
  double *basis;
  struct eli_gmres *gmres;
  void *memory; /* of these: */
  double *load, *moved;
} eli_touching;

/* A state to return to: positions, directors, velocities and spins, and what effects held. */
enum { ELI_RELAX_LANES = 18 };

typedef struct eli_relax_point {
  double *lanes;
  void *history;
  size_t size; /* [bytes] of history */
} eli_relax_point;

/* Vectors have size = 6 blocks numbers, six per block of eli_statics: displacement or force of the node, turn or couple of the element. */
typedef struct eli_relaxation {
  elastica_world *world;
  elastica_relax_def def;
  elastica_rod **rods; /* those of the world, by rank: their order, without what was removed */
  int rod_count;
  int borne;     /* 1: reactions, such as those of walls, may bear loads */
  size_t *first; /* first block of each rod */
  size_t blocks, size;
  long evaluations;
  void *memory;

  /* States, as far as loads and strains go. */
  eli_statics now, trial, probe;                            /* the present state, the one that is tried, one of a finite difference */
  eli_residual *residual_start, *residual, *residual_trial; /* one per rod: of the first state, of now, of trial */
  eli_origin *origin;                                       /* one per rod */
  double *predicted, *predicted_trial;                      /* [3] per block: the stress n that the last step predicts */
  unsigned char *held;                                      /* per unknown: 1 when effects hold it */
  double *inertia;                                          /* per unknown: the diagonal matrix D */

  /* The matrix. */
  eli_tangent *tangents;   /* one per rod */
  unsigned char *definite; /* per rod: 1 while its full tangent is positive definite */
  int assembled;           /* 1: the tangents are those of now */
  unsigned char *colour;   /* [2] per block, of node and element: the columns of one colour are measured together */
  eli_reaction *reactions; /* one per block */
  eli_pairs pairs;
  eli_touching touching;
  eli_secant secant;
  double shift; /* [1/s^2] factor of D in the next step */

  /* The step. */
  double *step, *next;      /* the step that is tried, and the step that would follow it */
  double *work;             /* scratch */
  double *displacement;     /* of a finite difference of reactions */
  double *adjusted;         /* forces, adjusted for reactions that act as constraints */
  double travel;            /* bound of the next step, as a share of a rod's length */
  double stiffness;         /* [1/s^2] step . F/(step . D step): the stiffness that resists the step, over its inertia */
  double growth, alignment; /* |next|/|step|, and (next . step)/|step|^2, in the norm of D */
  double contraction;       /* growth of the last step that was kept */
  double distance;          /* [m] estimate for the farthest node to its place in equilibrium */

  /* Counts. */
  int repeats;          /* steps in a row that hardly differ from the one before */
  double extrapolation; /* factor of the next step after that many */
  int rejections;       /* steps rejected since the last that was kept */
  int joint_rejections; /* steps rejected because of a joint's angle since the last that moved anything */
  int slow, remeasured; /* steps in a row that hardly became shorter; how often loads were measured again for that */
  int new_contacts;     /* steps kept because a node came into contact */
  int moved;            /* 1 after the first step that was kept */
  int ended;            /* 1: the limit of evaluations is reached */
  int starved;          /* 1: memory ran out on the way */
  int damps;            /* 1: damped steps may follow */
  double least_excess;  /* of the residuals over what is allowed, when it last halved, */
  int futile;           /* and how many steps were rejected, or turned back, since */
  long begun;           /* evaluations before the iteration */
  int stalled;          /* 1: Newton's method goes no further */
  long damped_steps;
  elastica_world clock; /* the world as it was before them */
  int gave_up;          /* 1: one of them was refused, or failed: the state of the start returns */

  /* Stability. */
  double *basis[ELI_RELAX_PAIRS], *image[ELI_RELAX_PAIRS]; /* vectors of the Krylov space, and P times each */
  int stable, undecided;
  int symmetric; /* 1: K + E is symmetric, as far as the space shows */

  /* Saved lanes. */
  double *saved[12];              /* positions and directors before the step that is tried */
  double *parked[12];             /* the same lanes while a finite difference uses saved */
  eli_relax_point start, reached; /* reached: the best by damped steps */
} eli_relaxation;

/* ---- relax_memory.c ---- */

/* Allocates everything in one block and sets sizes and pointers. Returns 0 when memory runs out. */
int eli_relax_allocate(eli_relaxation *relaxation);

/* ---- relax_undo.c ---- */

/* Notes the present state; 0 where there is no memory. Returns to it. And releases its memory. */
int eli_relax_note(const eli_relaxation *relaxation, eli_relax_point *point);
void eli_relax_return(const eli_relaxation *relaxation, const eli_relax_point *point);
void eli_relax_drop(const eli_relaxation *relaxation, eli_relax_point *point);

/* The status of a hook that failed: a refusal where memory ran out, else a failure of the world. And that refusal for memory of our own. */
elastica_status eli_relax_fail_hook(eli_relaxation *relaxation, const eli_tile_report *report);
elastica_status eli_relax_starve(eli_relaxation *relaxation);

/* After either. */
int eli_relax_is_over(const eli_relaxation *relaxation);

/* ---- relax_state.c ---- */

/* Finds the unknowns that effects hold: moves everything and sees what the constrain hooks put back. Leaves positions as they were,
 * velocities and spins 0. */
elastica_status eli_relax_find_held(eli_relaxation *relaxation);

/* Copies the lanes of a point from those of the world, or back. And ends all motion. */
void eli_relax_copy_state(const eli_relaxation *relaxation, double *lanes, int back);
void eli_relax_stop(const eli_relaxation *relaxation);

/* Saves positions and frames before a step; brings them back. */
void eli_relax_save(const eli_relaxation *relaxation);
void eli_relax_restore(const eli_relaxation *relaxation);

/* Exchanges saved and parked, so that a finite difference can save and restore while a step is tried. */
void eli_relax_swap_saved(eli_relaxation *relaxation);

/* Moves nodes and turns frames by relaxation->step. */
void eli_relax_move(const eli_relaxation *relaxation);

/* The largest turn of a frame [rad], or change of an edge over its length, in a step. */
double eli_relax_extent(const eli_relaxation *relaxation, const double *step);

/* A number between -1 and 1 that depends on i alone, without pattern. */
double eli_relax_noise(size_t i);

/* ---- relax_origin.c ---- */

void eli_relax_set_origins(eli_relaxation *relaxation);

/* Distance of the centre of rod r from where it was at the start [m]. */
double eli_relax_displacement(const eli_relaxation *relaxation, int r);

/* After a step that was kept: adds its turns to those of each rod. */
void eli_relax_add_turns(eli_relaxation *relaxation);

/* ---- relax_reactions.c ---- */

/* 1 when some effect has reactions; 1 when some reaction acts in the present state; 1 when a reaction acts on a node in now and not in
 * trial. */
int eli_relax_has_reaction_hooks(const eli_relaxation *relaxation);
int eli_relax_has_reactions(const eli_relaxation *relaxation);
int eli_relax_has_new_contact(const eli_relaxation *relaxation);

/* Measures the reactions that act at present and are not known. Status as of eli_relax_measure_loads. Overwrites work. */
elastica_status eli_relax_measure_reactions(eli_relaxation *relaxation);

/* Writes the reactions that act at present into the tangent of rod r. */
void eli_relax_assemble_reactions(const eli_relaxation *relaxation, int r);

/* The right-hand side that belongs to that tangent: force itself, or adjusted, filled. */
const double *eli_relax_adjust_force(const eli_relaxation *relaxation, const double *force, double *adjusted);

/* Subtracts from a rise of external loads, between now and trial, what reactions explain. */
void eli_relax_subtract_known_reactions(const eli_relaxation *relaxation, const double *step, double *rise);

/* ---- relax_directions.c ---- */

/* Sets stiffness, projector and compliance from a measured matrix e [N/m]: along the eigenvectors of its symmetric part or, singular 1,
 * along its right singular vectors; only where the stiffness is positive. */
void eli_reaction_find_directions(eli_reaction *model, const double e[9], int singular);

/* ---- relax_loads.c ---- */

/* 1 when some effect has loads, reactions aside. */
int eli_relax_has_load_hooks(const eli_relaxation *relaxation);

/* Measures the stiffness E of loads, block by block, into the tangents. A status other than OK is of a hook that failed, and sticks. */
elastica_status eli_relax_measure_loads(eli_relaxation *relaxation);

/* y = E x by one finite difference about now. NOT_FINITE and JOINT_TOO_FAR: there is no such y; other errors stick. Overwrites step and
 * trial. */
elastica_status eli_relax_measure_product(eli_relaxation *relaxation, const double *x, double *y);

/* y = E x with E as measured block by block. */
void eli_relax_apply_loads(const eli_relaxation *relaxation, const double *x, double *y);

/* Rest length of an element at a node [m]. */
double eli_relax_length_at(const eli_relaxation *relaxation, int r, size_t i);

/* ---- relax_pairs.c ---- */

/* Room for a coupling, where something acts between bodies. Returns 0 when memory runs out. */
int eli_relax_allocate_pairs(eli_relaxation *relaxation);

/* Finds the unknowns; the loads of the tangents must not have any of it. Then measures the present state, again and again. */
elastica_status eli_relax_find_pairs(eli_relaxation *relaxation);
elastica_status eli_relax_measure_pairs(eli_relaxation *relaxation);

/* The rod in whose band two unknowns meet, or -1. */
int eli_relax_band_of(const eli_relaxation *relaxation, size_t row, size_t column);

/* y += C x */
void eli_relax_add_pairs(const eli_relaxation *relaxation, const double *x, double *y);

/* After the bands: returns 0 when the matrix of all is not positive definite. */
int eli_relax_factorise_pairs(eli_relaxation *relaxation);

/* From a solution of the bands alone, that of the whole matrix. */
void eli_relax_correct_for_pairs(const eli_relaxation *relaxation, double *x);

/* ---- relax_touch.c ---- */

/* What of the effects presses; memory for it (0: there is none), and its release. */
void eli_relax_find_touching(eli_relaxation *relaxation);
int eli_relax_allocate_touching(eli_relaxation *relaxation);
void eli_relax_release_touching(eli_relaxation *relaxation);

/* Friction has gone on to the present state by itself. */
void eli_relax_follow_slips(const eli_relaxation *relaxation);

/* The stiffness of all contacts in the present state, partly into the bands. OUT_OF_MEMORY, CALLBACK_FAILED. */
elastica_status eli_relax_measure_touching(eli_relaxation *relaxation);

/* Friction goes on from the present state. Overwrites trial. */
elastica_status eli_relax_keep_slips(eli_relaxation *relaxation);

/* x = (K + E)^-1 b as eli_relax_solve, with all of the contacts. */
void eli_relax_solve_touching(eli_relaxation *relaxation, const double *b, double *x);

/* ---- relax_step.c ---- */

/* Finds the step from the present state, bounded so that turns stay small. Returns 0 when numbers fail. */
int eli_relax_propose(eli_relaxation *relaxation);

/* After a step: finds the one that would follow, growth and alignment. */
void eli_relax_find_next(eli_relaxation *relaxation);

/* Adds the pair (step, rise of loads) to the secant. Returns 0 when it tells nothing new. */
int eli_relax_update_secant(eli_relaxation *relaxation);

/* The step with shift 0 from the present state. Returns 0 when numbers fail. */
int eli_relax_newton_step(eli_relaxation *relaxation);

/* x = (K + E)^-1 b with the factors of the last factorisation, without the secant. */
void eli_relax_solve(const eli_relaxation *relaxation, const double *b, double *x);

/* ---- relax_residual.c ---- */

/* Loads and residuals of the present positions, into trial. Constraints take up any load on held unknowns. NOT_FINITE; or the status of
 * the report. And exchanges trial and now. */
elastica_status eli_relax_evaluate(eli_relaxation *relaxation, eli_tile_report *report);
void eli_relax_swap_trial(eli_relaxation *relaxation);

/* 1 when every rod's residual is as small as its own references allow; when also no rod is far from equilibrium. */
int eli_relax_is_balanced(const eli_relaxation *relaxation);
int eli_relax_is_converged(eli_relaxation *relaxation);

/* 1 when no momentum of a node or element is more than what the allowed residual gives it in this time. */
int eli_relax_is_slow(const eli_relaxation *relaxation, double time);

/* In place of the residual of each body on which reactions act: what has changed its velocities from these in a step of dt. */
void eli_relax_judge_borne(const eli_relaxation *relaxation, double *const before[6], double dt);

/* The time [s] in which what is at work moves a body from rest by a share of its length, or turns it by as many radians; the least of all. */
double eli_relax_time_to_move(const eli_relaxation *relaxation, double share);

/* Sets relaxation->distance for the present state. */
void eli_relax_estimate_distance(eli_relaxation *relaxation);

/* The residual that exceeds most what is allowed; and over that. */
eli_residual eli_relax_worst_residual(const eli_relaxation *relaxation);
double eli_relax_excess(const eli_relaxation *relaxation);

/* ---- relax_damped.c ---- */

/* Steps until rest, from the present state and history of effects, or until relax_def.step_limit. OK, NOT_CONVERGED, OUT_OF_MEMORY (which
 * sets starved) or the failure of a hook. */
elastica_status eli_relax_damp(eli_relaxation *relaxation);

/* Back to the best state of those that were not at rest: NOT_CONVERGED, or the status of a hook that failed. */
elastica_status eli_relax_return_to_best(eli_relaxation *relaxation);

/* ---- relax_escape.c ---- */

/* NOT_CONVERGED, with a sentence, when a rod has gone, turned, stretched, collapsed or bent so far that it has no equilibrium. */
elastica_status eli_relax_check_escape(const eli_relaxation *relaxation);

/* ---- relax_stability.c ---- */

/* Sets stable and undecided for the equilibrium that was reached. Overwrites step, next and the secant. Status as of
 * eli_relax_measure_loads. */
elastica_status eli_relax_find_stability(eli_relaxation *relaxation);

#endif
