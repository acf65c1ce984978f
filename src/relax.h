/* Relaxation, inside. */
#ifndef ELI_RELAX_H
#define ELI_RELAX_H

#include <math.h>

#include "secant.h"
#include "tangent.h"

static inline double eli_length(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double eli_larger(double a, double b) {
  return a > b ? a : b;
}

/* Not a number wins. */
static inline void eli_keep_larger(double *most, double value) {
  if (!(value <= *most)) *most = value;
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
  double reach; /* [m] the largest coordinate that it has as long as anything holds it */
} eli_place;

/* Vectors have 6 numbers per block of eli_statics. */
typedef struct eli_relaxation {
  elastica_world *world;
  elastica_relax_def def;
  size_t *first; /* block of each rod */
  size_t blocks, size;
  long evaluations;

  eli_statics now, trial;
  eli_balance *start, *balance, *balance_trial; /* one per rod: of the first state, of now, of trial */
  eli_place *place;                             /* one per rod */
  double *predicted, *predicted_trial;          /* [3] stress n that the last step was to lead to */
  unsigned char *held;
  double *inertia;

  eli_tangent *tangents; /* one per rod */
  unsigned char *sound;  /* per rod: 1 while its full tangent is positive */
  eli_secant secant;
  double shift; /* [1/s^2] share of inertia in the next step */

  int assembled; /* 1: the tangents are those of now */

  double *step, *next; /* the step that is tried, and the one that would follow it */
  double *other;
  double growth, turnback; /* |next|/|step|, and next along step over |step|, in the norm of inertia */
  double stiffness;        /* [1/s^2] what resists the step, over its inertia */
  double contraction;
  double distance; /* [m] of the farthest node to equilibrium, estimated */
  int stable;
  int creeping;      /* steps in a row that hardly differ from the one before */
  double stride;     /* how many of them the next one is to be */
  int refusals;      /* steps tried in vain since the last that was kept */
  int moved;         /* 1 once a step was kept */
  double *saved[12]; /* position and director lanes */
  void *memory;
} eli_relaxation;

/* relax_memory.c: everything in one block; 0 when there is none. Sets sizes and aims all of the above. */
int eli_relax_allocate(eli_relaxation *relaxation);

/* Which unknowns the effects hold, found by moving everything and letting the constrain hooks put back what is theirs. All velocities and spins
 * are 0 afterwards, positions as before. */
elastica_status eli_relax_find_held(eli_relaxation *relaxation);

void eli_relax_save(const eli_relaxation *relaxation);
void eli_relax_restore(const eli_relaxation *relaxation);

/* Moves nodes by the step and turns frames by it. */
void eli_relax_move(const eli_relaxation *relaxation);

/* relax_balance.c: weighs every rod; 0 when a residual is not finite. */
int eli_relax_weigh(const eli_relaxation *relaxation, const eli_statics *statics, eli_balance *balance);

void eli_relax_note_places(eli_relaxation *relaxation);

/* A rod that has gone farther from its place than anything would let it that holds it; NULL when there is none. */
const elastica_rod *eli_relax_runaway(const eli_relaxation *relaxation);

/* Distance and stability of the present state. */
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

/* The step without fictitious time about the present state, and whether the linearised stiffness is positive. Returns 0 when numbers fail. */
int eli_relax_certify(eli_relaxation *relaxation, int *stable);

#endif
