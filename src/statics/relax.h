/* Relaxation, inside. */
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

/* Not a number wins. */
static inline void eli_keep_larger(double *most, double value) {
  if (!(value <= *most) && *most == *most) *most = value;
}

/* Residuals and references of a rod in a state. */
typedef struct eli_balance {
  double force, couple;
  double reference_force, reference_couple;
  double rounding_force, rounding_couple; /* what rounding of positions and frames leaves of residuals */
} eli_balance;

/* Where a rod was at the start: the centre of its nodes; and its length at rest. */
typedef struct eli_place {
  double centre[3], length;
  double reach;     /* [m] the largest coordinate that it has as long as anything holds it */
  double turned[3]; /* [rad] what its frames have turned since, in the mean, step by step */
  double longest;   /* the largest dilatation at the start, or 1 */
  double shortest;  /* the smallest, or 1 */
} eli_place;

/* What is known of the reaction on a node, all 3 by 3, laboratory: see relax_reactions.c. */
typedef struct eli_grip {
  double stiffness[9], projector[9], compliance[9]; /* [N/m], 1, [m/N] */
  double direction[3];                              /* of the reaction when it was measured */
  int kind;
} eli_grip;

/* What has come of a load that has no equilibrium. */
typedef enum eli_escape {
  ELI_ESCAPE_NONE,
  ELI_ESCAPE_AWAY,
  ELI_ESCAPE_ROUND,
  ELI_ESCAPE_LONG,
  ELI_ESCAPE_SHORT,
  ELI_ESCAPE_JOINT
} eli_escape;

/* Pairs of vectors that judging stability may use: they lie in the memory of the secant, which is done with then. */
enum { ELI_RELAX_PAIRS = (5 * ELI_SECANT_DEPTH + 2) / 2 };

/* Vectors have 6 numbers per block of eli_statics. */
typedef struct eli_relaxation {
  elastica_world *world;
  elastica_relax_def def;
  size_t *first; /* block of each rod */
  size_t blocks, size;
  long evaluations;

  eli_statics now, trial, probed;
  eli_grip *grips;                              /* one per block */
  eli_balance *start, *balance, *balance_trial; /* one per rod: of the first state, of now, of trial */
  eli_place *place;                             /* one per rod */
  double *predicted, *predicted_trial;          /* [3] stress n that the last step was to lead to */
  unsigned char *held;
  unsigned char *colour; /* [2] of node and element: which differences tell what their loads depend on */
  double *inertia;

  eli_tangent *tangents; /* one per rod */
  unsigned char *sound;  /* per rod: 1 while its full tangent is positive */
  eli_secant secant;
  double *motion[ELI_RELAX_PAIRS], *effort[ELI_RELAX_PAIRS];
  double shift; /* [1/s^2] share of inertia in the next step */

  int assembled; /* 1: the tangents are those of now */

  double *step, *next; /* the step that is tried, and the one that would follow it */
  double *other, *aside, *aimed;
  double leap;             /* how far the next step may take a rod, of its length */
  double growth, turnback; /* |next|/|step|, and next along step over |step|, in the norm of inertia */
  double stiffness;        /* [1/s^2] what resists the step, over its inertia */
  double contraction;
  double distance; /* [m] of the farthest node to equilibrium, estimated */
  int stable, undecided;
  int symmetric;        /* 1: rods and loads have a potential, as far as is seen when stability is judged */
  int creeping;         /* steps in a row that hardly differ from the one before */
  double stride;        /* how many of them the next one is to be */
  int refusals;         /* steps tried in vain since the last that was kept */
  int moved;            /* 1 once a step was kept */
  int ended;            /* 1: its evaluations are used up */
  int jams;             /* steps tried in vain, for a joint would turn too far, since the last that led anywhere */
  int slow, remeasured; /* steps in a row that hardly got shorter; how often loads were measured again for that */
  int landings;         /* steps kept because a rod came to lean on something */
  double *saved[12];    /* position and director lanes */
  double *parked[12];
  double *begun[18]; /* likewise, with velocities and spins, of the start */
  void *memory;
} eli_relaxation;

/* relax_memory.c: everything in one block; 0 when there is none. Sets sizes and aims all of the above. */
int eli_relax_allocate(eli_relaxation *relaxation);

/* Which unknowns the effects hold, found by moving everything and letting the constrain hooks put back what is theirs. All velocities and spins
 * are 0 afterwards, positions as before. */
elastica_status eli_relax_find_held(eli_relaxation *relaxation);

/* The state of the start, all of it. */
void eli_relax_note_state(const eli_relaxation *relaxation);
void eli_relax_return(const eli_relaxation *relaxation);

/* Positions and frames before a step is tried. */
void eli_relax_save(const eli_relaxation *relaxation);
void eli_relax_restore(const eli_relaxation *relaxation);

/* What was saved stands aside while something else is, and the other way round. */
void eli_relax_swap_saved(eli_relaxation *relaxation);

/* Moves nodes by the step and turns frames by it. */
void eli_relax_move(const eli_relaxation *relaxation);

/* relax_balance.c: weighs every rod; 0 when a residual is not finite. */
int eli_relax_weigh(const eli_relaxation *relaxation, const eli_statics *statics, eli_balance *balance);

/* relax_escape.c: where every rod is at the start. */
void eli_relax_note_places(eli_relaxation *relaxation);

/* How far the centre of rod r is from where it was [m]. */
double eli_relax_way_of(const eli_relaxation *relaxation, int r);

/* After a step that was kept: how far it turned each rod. */
void eli_relax_note_turns(eli_relaxation *relaxation);

/* A rod, and an element or joint of it, that nothing will bring back: it has gone or turned farther than what holds it would let it, or has
 * stretched, collapsed or bent out of all proportion. */
eli_escape eli_relax_find_escape(const eli_relaxation *relaxation, const elastica_rod **rod, size_t *place, double *amount);

/* Distance of the present state. */
void eli_relax_estimate(eli_relaxation *relaxation);

/* Every rod by its own references, and then none of them far from equilibrium; and the rod that is farthest from what they allow. */
int eli_relax_is_settled(eli_relaxation *relaxation);
eli_balance eli_relax_worst(const eli_relaxation *relaxation);

/* relax_step.c: matrix about the present state, and a step that keeps turns small. Returns 0 when numbers fail. */
int eli_relax_propose(eli_relaxation *relaxation);

/* After a step, about the new state: growth and turnback. */
void eli_relax_compare(eli_relaxation *relaxation);

/* What the tried step says about the stiffness of loads; 0 when that is nothing new. */
int eli_relax_learn(eli_relaxation *relaxation);

/* The step without fictitious time about the present state. Returns 0 when numbers fail. */
int eli_relax_finish(eli_relaxation *relaxation);

/* The largest turn of a frame, or change of an edge over its length. */
double eli_relax_extent(const eli_relaxation *relaxation, const double *step);

/* x = matrix^-1 b, as it was last factorised; loads as measured, without what was learned since. */
void eli_relax_solve(const eli_relaxation *relaxation, const double *b, double *x);

/* relax_loads.c: measures what loads that depend on the state add to the stiffness, block by block, into the tangents. A status other than OK
 * is that of a hook that failed, and sticks. */
elastica_status eli_relax_measure_loads(eli_relaxation *relaxation);

/* y = E x, E the stiffness of loads, by one evaluation; needs loads of the present state in now. NOT_FINITE and JOINT_TOO_FAR mean that
 * there is none, others stick. */
elastica_status eli_relax_probe(eli_relaxation *relaxation, const double *x, double *y);

/* y = E x as measured */
void eli_relax_apply_loads(const eli_relaxation *relaxation, const double *x, double *y);

/* 1 when effects have loads at all, reactions aside; 1 when reactions act at present. */
int eli_relax_is_loaded(const eli_relaxation *relaxation);
int eli_relax_is_leaning(const eli_relaxation *relaxation);

/* The same number between -1 and 1 for the same i. */
double eli_relax_noise(size_t i);

/* relax_reactions.c: whether effects have reactions at all; measures those that act at present, as far as they are not known. The status is as
 * above. Overwrites other. */
int eli_relax_is_reacting(const eli_relaxation *relaxation);
elastica_status eli_relax_measure_reactions(eli_relaxation *relaxation);
void eli_relax_forget_reactions(const eli_relaxation *relaxation);

/* Into the tangent of rod r, those that act at present; and forces b as that matrix needs them, in aimed or b itself. */
void eli_relax_set_reactions(const eli_relaxation *relaxation, int r);
const double *eli_relax_aim(const eli_relaxation *relaxation, const double *b, double *aimed);

/* Takes what is known of reactions, and what is no stiffness, out of the rise of external loads along a step from now to trial. */
void eli_relax_discount_reactions(const eli_relaxation *relaxation, const double *step, double *rise);

/* After a step: whether a node leans that did not before it. */
int eli_relax_has_landed(const eli_relaxation *relaxation);

/* relax_stability.c: whether the present equilibrium is stable, or undecided. Overwrites step, next and the secant. The status is as above. */
elastica_status eli_relax_judge(eli_relaxation *relaxation);

#endif
