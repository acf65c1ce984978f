/* One step of relaxation: the matrix, the length of the step, and the secant update of load stiffness.
 *
 * models     Newton's method with a damping term: implicit steps in a fictitious time
 * equation   (K + E + shift D) step = F;  K: tangent of the rods; E: stiffness of loads and reactions, measured and corrected by the
 *            secant; D: inertia; shift is 1/(fictitious time step)^2
 * source     pseudo-transient continuation: Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508
 * test       tests/test_relax.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "statics/relax.h"

/* Largest extent of a step: turn of a frame [rad], or change of an edge over its length. */
#define LARGEST_TURN 0.4

/* A change of loads below the share LOAD_ROUNDING of the loads is rounding. A change that the secant predicts up to the share NEWS has no
 * new information. */
#define LOAD_ROUNDING 1e-10
#define NEWS 1e-3

/* TRIES to shorten a step; after EASY_TRIES of them the shift is also multiplied, because the motion that is too large may contribute
 * nothing to the work of the step, which determines the increase. HALVINGS of the share of the tangent. */
enum { TRIES = 40, HALVINGS = 5, EASY_TRIES = 5 };

static double weighted(const eli_relaxation *relaxation, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < relaxation->size; i++) sum += a[i] * (relaxation->inertia[i] * b[i]);
  return sum;
}

static double dot(const eli_relaxation *relaxation, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < relaxation->size; i++) sum += a[i] * b[i];
  return sum;
}

/* ---- The matrix ---- */

/* The regularisation, as a share of the largest diagonal entry over its inertia. */
#define REGULARISATION 1e-13

/* That of a slender rod is at most the share LEAST of its bending stiffness, or RESISTED times its rounding, which would else move it far
 * along a motion without stiffness. */
#define LEAST 1e-2
#define RESISTED 1e2

static double largest_regularisation(const eli_relaxation *relaxation, int r) {
  const eli_origin *origin = &relaxation->origin[r];
  double inertia = 0.0;
  for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++) inertia += relaxation->inertia[6 * i];
  return eli_larger(LEAST, RESISTED * origin->rounding) * origin->softness / (inertia * (origin->length * origin->length));
}

/* Sets the regularisation of each rod, from the matrix without reactions. A body may have no support. */
static void find_regularisation(eli_relaxation *relaxation) {
  double *diagonal = relaxation->weight;
  eli_factor_diagonal(&relaxation->stiffness.factor, diagonal);
  for (int r = 0; r < relaxation->rod_count; r++) {
    double most = eli_is_rigid(relaxation->rods[r]) ? 1.0 : 0.0;
    for (size_t k = 6 * relaxation->first[r]; k < 6 * relaxation->first[r + 1]; k++)
      if (!relaxation->held[k] && diagonal[k] > most * relaxation->inertia[k]) most = diagonal[k] / relaxation->inertia[k];
    relaxation->regularisation[r] = REGULARISATION * most;
    if (relaxation->origin[r].rounding > ELI_SLENDER)
      relaxation->regularisation[r] = eli_smaller(relaxation->regularisation[r], largest_regularisation(relaxation, r));
  }
}

/* Fills the matrix. Without memory the relaxation is starved. */
static void fill(eli_relaxation *relaxation, double share) {
  relaxation->share = share;
  relaxation->is_factorised = 0;
  if (!eli_stiffness_assemble_share(relaxation, &relaxation->stiffness, share, 1.0)) {
    (void)eli_relax_starve(relaxation);
    return;
  }
  find_regularisation(relaxation);
  if (eli_relax_has_reaction_hooks(relaxation)) eli_relax_add_reactions(relaxation, &relaxation->stiffness.factor);
}

/* In a state that cannot be displaced, or beyond the limit of a joint, some loads have no stiffness. */
static void assemble(eli_relaxation *relaxation) {
  if (relaxation->assembled) return;
  (void)eli_stiffness_renew_loads(relaxation, &relaxation->stiffness);
  if (!eli_relax_is_over(relaxation)) fill(relaxation, 1.0);
  relaxation->assembled = 1;
}

/* Returns 1 if all pivots of the matrix with this shift are positive. */
static int is_positive(eli_relaxation *relaxation, double shift) {
  eli_factor *factor = &relaxation->stiffness.factor;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t k = 6 * relaxation->first[r]; k < 6 * relaxation->first[r + 1]; k++)
      relaxation->weight[k] = (shift + relaxation->regularisation[r]) * relaxation->inertia[k];
  factor->careful = eli_relax_share_of_rounding(relaxation) > ELI_SLENDER;
  eli_factor_compute_general(factor, 1.0, relaxation->weight);
  factor->careful = 0;
  relaxation->is_factorised = 1;
  return factor->negative == 0;
}

/* Factorises the full matrix or, if that is not positive, that with the largest positive share of the tangent of rods found by halving. The
 * matrix is then nearly singular along the unstable direction, and the step goes there. If loads make even that not positive, the shift
 * grows. */
static void factorise(eli_relaxation *relaxation) {
  double shift = relaxation->shift, least = 0.0;
  if (eli_relax_is_over(relaxation) || (relaxation->is_factorised && relaxation->factorised_shift == shift)) return;
  relaxation->factorised_shift = shift;
  relaxation->is_raised = 0;
  if (is_positive(relaxation, shift)) return;
  if (relaxation->share == 1.0) {
    double share = 0.0, part = 0.5;
    for (int k = 0; k < HALVINGS && !relaxation->starved; k++) {
      fill(relaxation, share + part);
      if (is_positive(relaxation, shift)) share += part;
      part *= 0.5;
    }
    fill(relaxation, share);
  }
  for (int r = 0; r < relaxation->rod_count; r++) eli_keep_larger(&least, relaxation->regularisation[r]);
  for (int k = 0; k < TRIES && !relaxation->starved && !is_positive(relaxation, shift); k++) {
    shift = 10.0 * (shift + least);
    relaxation->is_raised = 1;
  }
}

/* x = (matrix + secant)^-1 b; without the secant during contact, because its information of one contact is wrong for the next. If that x
 * points against the force, the secant is emptied and x = matrix^-1 b. */
static void solve_with_loads(eli_relaxation *relaxation, const double *force, double *x) {
  const double *b = eli_relax_adjust_force(relaxation, force, relaxation->adjusted);
  eli_factor_solve(&relaxation->stiffness.factor, b, x);
  if (relaxation->secant.rank == 0 || relaxation->stiffness.contacts > 0) return;
  memcpy(relaxation->work, x, relaxation->size * sizeof *x);
  for (int k = 0; k < relaxation->secant.rank; k++)
    eli_factor_solve(&relaxation->stiffness.factor, relaxation->secant.e[k], relaxation->secant.solved[k]);
  if (eli_secant_correct(&relaxation->secant, x) && dot(relaxation, b, x) > 0.0) return;
  memcpy(x, relaxation->work, relaxation->size * sizeof *x);
  eli_secant_forget(&relaxation->secant);
}

/* ---- The length of a step ---- */

/* Returns the largest displacement of nodes in one step with reactions [m]: the larger of the length of an element and the thickness of the
 * rod. An obstacle is at least that wide, so that no node passes through it. A rod that has moved farther than its length may move faster
 * the farther it is. */
static double largest_travel(const eli_relaxation *relaxation, int r) {
  const elastica_rod *rod = relaxation->rods[r];
  double *const *lane = rod->world->bodies.slab.lane;
  double smallest = 0.0;
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double l = lane[ELI_REST_LENGTH][j], square = lane[ELI_VOLUME][j] / l; /* pi/4 of the thickness squared */
    eli_keep_larger(&smallest, eli_larger(l, sqrt(square)));
  }
  return eli_larger(smallest, eli_relax_displacement(relaxation, r) - relaxation->origin[r].length);
}

/* Returns the displacement of a node; of a body a bound of that of its surface, without the turn of a ball about its centre. */
static double travel_of(const eli_relaxation *relaxation, int r, const double *step) {
  const eli_solid *solid = relaxation->rods[r]->body->solid;
  return eli_length(step) + (solid != NULL ? solid->arm * eli_length(step + 3) : 0.0);
}

/* Returns the largest ratio of the travel of a rod in a step to its allowed value. */
static double excess_travel(const eli_relaxation *relaxation, const double *step) {
  double most = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    double mean[3] = {0.0, 0.0, 0.0}, farthest = 0.0;
    const size_t blocks = eli_relax_blocks(relaxation, r);
    for (size_t i = 0; i < blocks; i++) {
      const double *moved = step + 6 * (relaxation->first[r] + i);
      eli_keep_larger(&farthest, travel_of(relaxation, r, moved));
      for (size_t a = 0; a < 3; a++) mean[a] += moved[a] / (double)blocks;
    }
    eli_keep_larger(&most, eli_length(mean) / (relaxation->travel * relaxation->origin[r].length));
    if (relaxation->touching.limit > 0.0) eli_keep_larger(&most, farthest / relaxation->touching.limit);
    if (eli_rod_is_supported(relaxation->rods[r])) eli_keep_larger(&most, farthest / largest_travel(relaxation, r));
  }
  return most;
}

/* A larger shift shortens soft motions and hardly changes stiff ones. A step that is merely scaled down would not remove the stretch that
 * the last turn has caused. The increase of the shift is exact if one motion dominates. */
int eli_relax_propose(eli_relaxation *relaxation) {
  const double *force = relaxation->now.total;
  double *step = relaxation->step;
  assemble(relaxation);
  for (int k = 0; k < TRIES; k++) {
    factorise(relaxation);
    if (eli_relax_is_over(relaxation)) return 0;
    solve_with_loads(relaxation, force, step);
    const double size = eli_relax_extent(relaxation, step);
    const double excess = eli_larger(size / LARGEST_TURN, excess_travel(relaxation, step));
    if (!(size - size == 0.0)) return 0;
    relaxation->resistance = fabs(dot(relaxation, force, step)) / weighted(relaxation, step, step); /* constraints turn its sign */
    if (excess <= 1.5) {
      for (size_t i = 0; i < relaxation->size && excess > 1.0; i++) step[i] /= excess;
      return 1;
    }
    relaxation->shift = (k < EASY_TRIES ? 1.0 : 4.0) * relaxation->shift + (excess - 1.0) * relaxation->resistance;
  }
  return 0;
}

void eli_relax_predict_slender(const eli_relaxation *relaxation) {
  if (!(eli_relax_extent(relaxation, relaxation->step) <= LARGEST_TURN)) return;
  for (int r = 0; r < relaxation->rod_count; r++)
    if (relaxation->origin[r].rounding > ELI_SLENDER)
      eli_tangent_predict(relaxation->rods[r], &relaxation->now, relaxation->step + 6 * relaxation->first[r], relaxation->predicted);
}

/* ---- After a step ---- */

void eli_relax_find_next(eli_relaxation *relaxation) {
  const double square = weighted(relaxation, relaxation->step, relaxation->step);
  assemble(relaxation);
  factorise(relaxation);
  if (eli_relax_is_over(relaxation)) return;
  solve_with_loads(relaxation, relaxation->now.total, relaxation->next);
  relaxation->growth = square > 0.0 ? sqrt(weighted(relaxation, relaxation->next, relaxation->next) / square) : 0.0;
  relaxation->alignment = square > 0.0 ? weighted(relaxation, relaxation->next, relaxation->step) / square : 0.0;
}

/* A pair of rounding size, or one that the secant predicts already, is not added: it would only replace an older, useful one. */
int eli_relax_update_secant(eli_relaxation *relaxation) {
  double *step, *rise, seen = 0.0, wrong = 0.0, load = 0.0;
  if (relaxation->stiffness.given[0] && relaxation->stiffness.given[1] && !eli_relax_has_reaction_hooks(relaxation)) return 0;
  eli_secant_next(&relaxation->secant, &step, &rise);
  memcpy(step, relaxation->step, relaxation->size * sizeof *step);
  memset(rise, 0, relaxation->size * sizeof *rise);
  eli_stiffness_apply(&relaxation->stiffness, 0, step, rise);
  for (size_t i = 0; i < relaxation->size; i++) {
    rise[i] = relaxation->held[i] ? 0.0 : relaxation->now.external[i] - relaxation->trial.external[i] - rise[i];
    load += fabs(relaxation->now.external[i]);
  }
  eli_relax_subtract_known_reactions(relaxation, step, rise);
  eli_secant_apply(&relaxation->secant, step, relaxation->work);
  for (size_t i = 0; i < relaxation->size; i++) {
    seen += fabs(rise[i]);
    wrong += fabs(rise[i] - relaxation->work[i]);
  }
  if (!(wrong > NEWS * seen && seen > LOAD_ROUNDING * load) || seen - seen != 0.0) return 0;
  eli_secant_keep(&relaxation->secant);
  return 1;
}

int eli_relax_newton_step(eli_relaxation *relaxation) {
  const double shift = relaxation->shift;
  relaxation->shift = 0.0;
  if (relaxation->share != 1.0) relaxation->assembled = 0;
  assemble(relaxation);
  factorise(relaxation);
  relaxation->shift = shift;
  if (eli_relax_is_over(relaxation)) return 0;
  solve_with_loads(relaxation, relaxation->now.total, relaxation->step);
  const double size = eli_relax_extent(relaxation, relaxation->step);
  return size - size == 0.0;
}
