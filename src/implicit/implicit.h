/* Internal interface of implicit steps. Calls go one way, down this list:
 *
 *   implicit_run.c    the call: its definition, refusals, the size of the steps, observers and samples
 *   implicit_step.c   one step of TR-BDF2, and the estimate of its error
 *   implicit_stage.c  one stage by Newton's method, of all rods at once or tile by tile
 *   implicit_impact.c the steps that resolve the impacts of a stage
 *   implicit_sweep.c  the travel of nodes, of moving obstacles and boundaries and of one-sided springs in one step
 *
 * The matrix, its factors and the tangents of effects are those of src/statics.
 */
#ifndef ELI_IMPLICIT_H
#define ELI_IMPLICIT_H

#include "statics/relax.h"

/* The cause of a step without convergence. */
typedef enum eli_newton_end {
  ELI_NEWTON_CONVERGED,
  ELI_NEWTON_PIVOT,   /* a pivot of the matrix is not positive */
  ELI_NEWTON_JOINT,   /* a joint turns beyond the limit in an iterate */
  ELI_NEWTON_GROWS,   /* the corrections grow, or are not finite */
  ELI_NEWTON_SLOW,    /* too many iterations */
  ELI_NEWTON_FAR,     /* a node moves too far while it may touch something */
  ELI_NEWTON_DEEP,    /* a contact is pressed in to its core */
  ELI_NEWTON_SWEPT,   /* an obstacle does: see eli_implicit_sweep_time */
  ELI_NEWTON_TURNED,  /* a boundary turns its frame too far: see eli_implicit_turn_time */
  ELI_NEWTON_PASSED,  /* a one-sided spring is, by the travel of a step */
  ELI_NEWTON_LOADS,   /* a load is not finite */
  ELI_NEWTON_FAILURES /* the number of these */
} eli_newton_end;

/* A rod in a stage. Without pair phase each rod iterates alone: its bits then depend on no other rod. */
typedef struct eli_newton {
  double smallest;    /* [m] smallest rest length, of this rod or of all */
  double size, last;  /* of its last correction, and of the one before */
  double first;       /* of the first correction of the stage */
  int falls;          /* 1: a correction was smaller than the one before */
  int is_doubtful;    /* 1: the tangent of its loads may be incomplete */
  eli_newton_end end; /* the reason why its iteration fails, or CONVERGED: none */
  int rests;          /* 1: converged */
  int is_factorised;  /* 1: the matrix of the rod has factors in the present pattern */
  size_t not_finite;  /* number of its first load that is not finite, plus 1; 0: none */
  int matrix;         /* number of the memory of its matrix and correction, among those of all workers */
} eli_newton;

/* The stages that a worker takes with tiles. */
typedef struct eli_pass {
  int failed;  /* 1: a tile has failed */
  int couples; /* 1: because loads couple parts of a rod that are no neighbours */
  int most;    /* the largest number of iterations */
} eli_pass;

/* The coordinate of a one-sided spring in a step. */
typedef struct eli_sided {
  double start_rate, rate; /* [1/s] at the beginning of the step and now */
  double start_room, room; /* as in eli_one_sided, likewise */
  double lever;            /* [m] per coordinate */
  int rod_index;           /* of its first part */
} eli_sided;

/* Data of implicit steps. Arrays by block of eli_statics, as those of the relaxation: a vector of unknowns has six numbers, of the node and
 * of the element; a position three, a frame nine. */
typedef struct eli_implicit {
  eli_relaxation relaxation; /* the matrix and its pattern, prescribed unknowns, and memory */
  double tolerance;          /* of Newton's method, beside the smallest rest length and 1 rad */
  double accuracy;           /* [m] of a position in one step; NaN: steps have a given size */
  double resolving_start;    /* [s] the longest step that resolves the impacts at its beginning; infinite: any */
  double resolving;          /* [s] of the last step: those at its beginning and after its stages */
  double resolving_now;      /* [s] of the last visit of contacts and one-sided springs */
  eli_newton *newton;        /* by rod */
  int *shares, share_count;  /* the rods that one worker takes at a time: from shares[k] to shares[k + 1] - 1 */
  int together;              /* 1: all rods iterate until the last one has converged */
  eli_pass *pass;            /* by worker */
  int is_coupled;            /* 1: loads of this call have coupled parts of a rod that are no neighbours */
  double *memory;
  size_t *slot;     /* of each block */
  size_t most;      /* the largest number of blocks of a rod */
  int matrices;     /* of each worker: the rods that it corrects together */
  size_t couplings; /* nodes on their contacts, by block, then one-sided springs in the order of their effects */
  eli_sided *sided; /* of these springs */
  int sided_count;
  unsigned char *is_end; /* 1: the block has no element */
  double *lever;         /* [m] by block, of the turn of its element: its radius at rest, or half the length of a body; 0: no element */

  /* The beginning of the step: positions, frames, velocities and spins; their changes: acceleration, and the couple in the laboratory. */
  double *position, *frame, *rate, *change;
  int is_visited;          /* 1: shortness_now and resolving_now are those of this state, visited at the end of the step before */
  double *start_shortness; /* [1/s] by coupling: over the longest step in which it may begin or end; 0: it does not act */
  double start;            /* [s] its time */
  int is_known;            /* 1: change and stress are those of this state */
  double *stress;

  /* The stage: v = u/c and w = phi/c with r = r* + u, Q = EXP(phi) Q*. */
  double c, time;                                     /* [s] */
  double *from_position, *from_frame, *from_momentum; /* r*, Q*; velocity v* and spin momentum p* in the laboratory */
  double *unknown;                                    /* u, phi */
  double *change_of_turn;                             /* [9] per block: P(phi) of the last matrix, by rows, unless it is divided */
  double *of_matrix;                                  /* the same, and residual, weight and step, of the rod of each matrix */
  double *rates;                                      /* [2] per block: of dissipation */
  double *shortness;                                  /* likewise: the largest in the step */
  double *shortness_now;                              /* likewise: that of the last visit */
  unsigned char *touches;                             /* by coupling: the number of stages that end with it in touch */
  double *middle_rate, *middle_change, *end_change;   /* of the two stages, as rate and change */

  long patterns;  /* of the stiffness at the last matrix */
  int is_first;   /* 1: the next matrix is the first of a step */
  int is_divided; /* 1: the last matrix is divided by rods */
  long iterations;
  eli_newton_end end;            /* of the last stage */
  int rod_index;                 /* with the largest correction in it */
  const elastica_effect *turned; /* the boundary that has turned its frame too far */
  char load[256];                /* description of the load that is not finite */
} eli_implicit;

/* Opens implicit steps of a prepared world, which no refusal has stopped; finds the prescribed unknowns. A status other than OK is a
 * refusal; close then, too. */
elastica_status eli_implicit_open(eli_implicit *implicit, elastica_world *world, double tolerance);
void eli_implicit_close(eli_implicit *implicit);

/* A task for a rod, which may write to data of this rod alone. */
typedef void eli_implicit_task(eli_implicit *implicit, int r, const void *argument);

/* The beginning of a stage, which sets r*, Q*, v* and p*, and its end, NULL: nothing is left to do. A beginning may be repeated. */
typedef struct eli_ends {
  eli_implicit_task *depart, *arrive;
  const void *departure, *arrival;
} eli_ends;

/* Solves a stage from the guess, a vector of velocities and spins: the world is then in its state, at its time. NOT_CONVERGED without a
 * sentence: `end` and rod_index tell why. Other statuses end the call. */
elastica_status eli_implicit_stage(eli_implicit *implicit, const double *guess, const eli_ends *ends);

/* Solves with the matrix of the last stage of a run with an accuracy, from `next` of the relaxation to its `step`. */
void eli_implicit_solve(eli_implicit *implicit);

/* Calls a task for each rod, on the workers. work: its time for each block [ns]. */
void eli_implicit_share(eli_implicit *implicit, double work, eli_implicit_task *task, const void *argument);

/* Visits contacts and one-sided springs: shortens `resolving` to the step that resolves the impacts in the state of the world, with these
 * accelerations. OUT_OF_MEMORY, or a failure of a motion or of a hook. */
elastica_status eli_implicit_resolve(eli_implicit *implicit, const double *change);

/* Returns 1 if a contact or one-sided spring that a step of h [s] does not resolve began or ended in the step. *jump [m/s]: the largest
 * change of the velocity of such a node, or of the bodies on such a spring, until the end. */
int eli_implicit_strikes(const eli_implicit *implicit, double h, double *jump);

/* Finds the rates and levers of one-sided springs in the state of the world. Status as of a hook. */
elastica_status eli_implicit_find_sided(eli_implicit *implicit);

/* Evaluates loads and rates at the present state: total without (J omega) x omega; then calls a task for each rod, NULL: none. Status as
 * above. */
elastica_status eli_implicit_evaluate(eli_implicit *implicit, double dt, eli_implicit_task *then);

/* NOT_CONVERGED: a contact is pressed in to its core, or through it. Other statuses are failures of a hook. */
elastica_status eli_implicit_check_depth(eli_implicit *implicit, double h);

/* Sets the time of the world. */
void eli_implicit_set_time(elastica_world *world, double time);

/* Copy the state of the world to position, frame and rate, and back. */
void eli_implicit_note(eli_implicit *implicit);
void eli_implicit_return(eli_implicit *implicit);

/* Asks an obstacle for its solid and its placement at a time. A status other than OK is a failure of its motion. */
struct eli_body;
elastica_status eli_implicit_ask(const elastica_effect *effect, double time, struct eli_body *body);

/* Shortens *h [s], a step from the noted state, to a time in which no node moves too far at its speed there, with contact, and no one-sided
 * spring. A status other than OK is a failure of a motion or of a hook. */
elastica_status eli_implicit_travel_time(eli_implicit *implicit, double *h);

/* NOT_CONVERGED: some node or spring has moved too far since the noted state: a step through a contact would not notice it. */
elastica_status eli_implicit_check_travel(eli_implicit *implicit);

/* Shortens *h [s], a step from the noted state, to a time in which no moving obstacle moves too far where a rod is; to a time that is lost
 * in rounding if a motion jumps. A status other than OK is a failure of a motion. */
elastica_status eli_implicit_sweep_time(eli_implicit *implicit, double *h);

/* Shortens *h [s] likewise, to a time in which no boundary turns its frame by more than half a turn. */
elastica_status eli_implicit_turn_time(eli_implicit *implicit, double *h);

/* Takes a step of h to the time `end` from the state that eli_implicit_note has copied. The world is then at its end, but for counts and
 * hooks; or, with a status other than OK, back at its beginning. error [m]: the largest estimated error of a position, or NULL. */
elastica_status eli_implicit_step(eli_implicit *implicit, double h, double end, double *error);

#endif
