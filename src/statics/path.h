/* Internal interface of loading paths. Calls go one way, down this list:
 *
 *   path.c          the path: steps, critical points, branches, ends
 *   path_world.c    the world of a path, as a record that refuses a world that has changed
 *   path_step.c     the world along a path: parameter, rates, tangent, correction
 *   path_matrix.c   the stiffness with a border, and its solution
 */
#ifndef ELI_PATH_H
#define ELI_PATH_H

#include "base/record.h"
#include "statics/relax.h"

/* ---- path_matrix.c ---- */

/* The stiffness K of the free unknowns of a world, in relaxation->stiffness, and a border: the rate f of the loads with the parameter as a
 * column, a direction as a row. A vector has size + 1 numbers, the last one of the parameter. */
typedef struct eli_path_matrix {
  eli_relaxation *relaxation;
  size_t size;
  eli_stiffness stiffer; /* K + tau P, with the material stiffness P; its factors solve */
  double *weight;        /* [size + 1] of the square of an arc; 0 for prescribed unknowns */
  double parameter;      /* least weight of the parameter in the accuracy of solutions */
  double *memory, *yield, *basis;
  const double *rate, *row; /* the border: [size] column, [size + 1] row */
} eli_path_matrix;

/* Make the matrix; its weight is filled later. Returns 0 without memory. */
int eli_path_matrix_create(eli_path_matrix *matrix, eli_relaxation *relaxation);
void eli_path_matrix_release(eli_path_matrix *matrix);

/* Assembles K about the present state, with the stress of relaxation->predicted, and factorises it. The status of a failed hook, or
 * OUT_OF_MEMORY. */
elastica_status eli_path_matrix_assemble(eli_path_matrix *matrix);

/* Sets the border. */
void eli_path_matrix_border(eli_path_matrix *matrix, const double *rate, const double *row);

/* out = (K u - f p, row . (u, p)) of x = (u, p) */
void eli_path_matrix_apply(const eli_path_matrix *matrix, const double *x, double *out);

/* Solves K u - f p = force, row . (u, p) = along, dot product with weights. Returns the error beside the solution, infinite if
 * it is not finite. */
double eli_path_matrix_solve(eli_path_matrix *matrix, const double *force, double along, double *out);

/* The mode with the stiffness nearest to zero beside the material stiffness along it, of length 1, and the ratio of both: 1 - p at the
 * share p of a critical load. Assembles K. */
elastica_status eli_path_matrix_mode(eli_path_matrix *matrix, double *mode, double *stiffness);

/* The mode with the stiffness nearest to zero beside the squares of arcs, after eli_path_matrix_mode: a rigid motion has no material
 * stiffness. */
void eli_path_matrix_rigid_mode(eli_path_matrix *matrix, double *mode);

/* Sum of products with weights. */
double eli_path_dot(const eli_path_matrix *matrix, const double *a, const double *b);

/* The arc between the ends of two vectors. */
double eli_path_distance(const eli_path_matrix *matrix, const double *a, const double *b);

/* ---- path_step.c ---- */

/* A point of a path: parameter, modes and slope. */
typedef struct eli_path_point {
  double parameter, slope, correction; /* correction: [m] the last one */
  int stable, undecided, unsymmetric, unstable_modes, zero_modes;
  elastica_effect *undecided_by;
} eli_path_point;

/* The world during a call. */
typedef struct eli_path_walk {
  elastica_world *world;
  const elastica_path_def *def;
  eli_relaxation relaxation;
  eli_path_matrix matrix;
  double parameter;
  double *rate, *moved;  /* [size] d/d(parameter): of the loads; of the prescribed unknowns */
  double *tangent, *row; /* [size + 1] of the path here, of length 1; the row of the border */
  double *solution;
  double *way;           /* [size + 1] the sum of the steps since it was set to 0, with that of the parameter */
  double correction;     /* [m] largest displacement of a node in the last correction */
  int iterations;        /* of the last correction */
  double unit;           /* an arc beside which corrections are small */
  double rounding;       /* the arc of the rounding of positions */
  int lenient;           /* 1: a state within the tolerance needs no correction */
  int at_bound;          /* 1: it has ended at a bound of the parameter */
  elastica_status fatal; /* not OK: the call must end with this status */
} eli_path_walk;

/* Begin a call; end it. begin refuses worlds without a known stiffness. */
elastica_status eli_path_begin(eli_path_walk *walk, elastica_world *world, const elastica_path_def *def);
void eli_path_finish(eli_path_walk *walk);

/* Sets the change of the parameter that counts as an arc of 1. */
void eli_path_set_scale(eli_path_walk *walk, double scale);

/* Gives the world a value of the parameter. */
elastica_status eli_path_set(eli_path_walk *walk, double parameter);

/* Calls the user's function alone; meanwhile only setters may be called. */
elastica_status eli_path_apply(const elastica_path_def *def, elastica_world *world, double parameter);

/* Evaluates the present state: 0 if it has no finite loads, or if the call must end. */
int eli_path_evaluate(eli_path_walk *walk);

/* Finds the references of residuals on rigid bodies in the present state: the loads between rods and bodies, which cancel the others in an
 * equilibrium, and the rounding of their stiffness. eli_path_evaluate takes those that were found last. 0 if the call must end. */
int eli_path_refer_bodies(eli_path_walk *walk);

/* Moves the state by an arc along a direction, and the parameter with it. */
int eli_path_move(eli_path_walk *walk, const double *direction, double arc);

/* Corrects the state to an equilibrium across the direction `row`. Returns 0 if it does not converge, or if the call must end. */
int eli_path_correct(eli_path_walk *walk, const double *row);

/* Finds the rates of loads and prescribed unknowns with the parameter in the present state. Returns 0 if there are none. */
int eli_path_find_rates(eli_path_walk *walk);

/* Finds the tangent, with a positive product with `row`. Returns 0 if there is none, or if the call must end. */
int eli_path_find_tangent(eli_path_walk *walk, const double *row);

/* Returns 1 if the tangent, away from limit points, takes up the change of the loads: otherwise some rod is not held. */
int eli_path_is_held(const eli_path_walk *walk);

/* Counts the modes of the present state into point. */
int eli_path_count_modes(eli_path_walk *walk, eli_path_point *point);

/* The row that fixes the parameter. */
void eli_path_fix_parameter(const eli_path_walk *walk, double *row);

/* ---- path_world.c ---- */

/* Writes the world to the record of a path, or compares it with such a record. */
elastica_status eli_path_world_keep(elastica_world *world, eli_record *record);

/* Remembers the world of the last point in place of `seen`. */
elastica_status eli_path_world_remember(elastica_world *world, unsigned char **seen, size_t *size);

/* Refuses a world that differs from that of the last point, with the parameter of that point: its equilibria lie on another curve. seen
 * NULL: there is no point. */
elastica_status eli_path_world_check(elastica_world *world, const unsigned char *seen, size_t size);

#endif
