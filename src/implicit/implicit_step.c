/* One implicit step of TR-BDF2, and its error.
 *
 * models     the trapezoidal rule to t + 2 g h, then the two-step backward difference to t + h, as two stages of backward Euler with the
 *            same time c = g h; g = 1 - sqrt(1/2)
 * equation   1: r* = r0 + c v0, v* = v0 + c a0, Q* = EXP(c w0) Q0, p* = p0 + c m0
 *            2: r* = r0 + W h (v0 + va), ..., Q* = EXP(W h wa) EXP(W h w0) Q0, W = sqrt(2)/4; a: accelerations, m = Q^T C, p = Q^T J w
 * source     Bank et al., IEEE Trans. Comput.-Aided Des. 4 (1985) 436; Hosea and Shampine, Appl. Numer. Math. 20 (1996) 21, for the
 *            embedded error and its filter by the matrix of the last stage
 * conserves  linear momentum to rounding, angular momentum and energy to second order; unresolved vibrations decay at once (L-stable)
 * test       tests/test_implicit.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "implicit/implicit.h"

#define G 0.292893218813452476    /* 1 - sqrt(1/2) */
#define W 0.353553390593273762    /* sqrt(2)/4 */
#define B0 (-0.13807118745769837) /* weights of the error: (1 - 4 W)/3, 1/3, -2 g/3 */
#define B1 (1.0 / 3.0)
#define B2 (-2.0 / 3.0 * G)

/* p = Q^T J w */
static void spin_momentum(const eli_implicit *implicit, size_t b, const double q[9], const double w[3], double p[3]) {
  double material[3];
  for (size_t a = 0; a < 3; a++) material[a] = implicit->relaxation.world->bodies.slab.lane[ELI_INERTIA + a][implicit->slot[b]] * w[a];
  eli_turn_back(q, material, p);
}

static void frame_of(const eli_implicit *implicit, size_t b, double q[9]) {
  for (size_t a = 0; a < 9; a++) q[a] = implicit->relaxation.world->bodies.slab.lane[ELI_DIRECTOR + a][implicit->slot[b]];
}

/* Finds accelerations, couples and the stress at the beginning. Prescribed parts have none. */
static void begin_rod(eli_implicit *implicit, int r, const void *argument) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  (void)argument;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const double *load = relaxation->now.total + 6 * b, mass = relaxation->world->bodies.slab.lane[ELI_MASS][implicit->slot[b]];
    double *change = implicit->change + 6 * b;
    memset(change, 0, 6 * sizeof *change);
    for (size_t a = 0; a < 3; a++) change[a] = relaxation->held[6 * b + a] ? 0.0 : load[a] / mass;
    if (!implicit->is_end[b]) eli_turn_back(implicit->frame + 9 * b, load + 3, change + 3);
    for (size_t a = 0; a < 3; a++) implicit->stress[3 * b + a] = relaxation->now.strain[12 * b + 3 + a];
  }
}

static void forget_contacts(eli_implicit *implicit) {
  memset(implicit->shortness, 0, implicit->couplings * sizeof(double));
  memset(implicit->touches, 0, implicit->couplings);
}

static elastica_status begin(eli_implicit *implicit, double h) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  if (implicit->is_known) return ELASTICA_OK;
  for (size_t t = 0; t < relaxation->world->bodies.slab.tile_count; t++) eli_tile_update_geometry(relaxation->world, t);
  elastica_status status = eli_implicit_evaluate(implicit, h, begin_rod);
  if (status != ELASTICA_OK) return status;
  if (!implicit->is_visited) status = eli_implicit_resolve(implicit, implicit->change);
  implicit->is_visited = 0;
  memcpy(implicit->start_shortness, implicit->shortness_now, implicit->couplings * sizeof(double));
  for (int k = 0; k < implicit->sided_count; k++) {
    eli_sided *sided = &implicit->sided[k];
    sided->start_rate = sided->rate, sided->start_room = sided->room;
  }
  implicit->resolving_start = implicit->resolving_now;
  implicit->is_known = status == ELASTICA_OK;
  return status;
}

/* A stage begins with `weight` times the rates and changes of the beginning of the step and, unless they are NULL, of the middle. */
typedef struct departure {
  double weight;
  const double *middle_rate, *middle_change;
} departure;

/* Sets r*, Q*, v* and p* of a stage. */
static void depart_rod(eli_implicit *implicit, int r, const void *argument) {
  const departure *of = argument;
  const double weight = of->weight;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const double *rate = implicit->rate + 6 * b, *change = implicit->change + 6 * b;
    double *to = implicit->from_momentum + 6 * b, sum[6], p[3], phi[3], turn[9], q[9];
    for (size_t a = 0; a < 3; a++) sum[a] = rate[a] + (of->middle_rate != NULL ? of->middle_rate[6 * b + a] : 0.0);
    for (size_t a = 0; a < 3; a++) implicit->from_position[3 * b + a] = implicit->position[3 * b + a] + weight * sum[a];
    for (size_t a = 0; a < 6; a++) sum[a] = change[a] + (of->middle_change != NULL ? of->middle_change[6 * b + a] : 0.0);
    for (size_t a = 0; a < 3; a++) to[a] = rate[a] + weight * sum[a];
    if (implicit->is_end[b]) continue;
    spin_momentum(implicit, b, implicit->frame + 9 * b, rate + 3, p);
    for (size_t a = 0; a < 3; a++) {
      to[3 + a] = p[a] + weight * sum[3 + a];
      phi[a] = weight * rate[3 + a];
    }
    eli_rotation_exp(phi, turn);
    eli_matrix_product(turn, implicit->frame + 9 * b, implicit->from_frame + 9 * b);
    if (of->middle_rate == NULL) continue;
    for (size_t a = 0; a < 3; a++) phi[a] = weight * of->middle_rate[6 * b + 3 + a];
    eli_rotation_exp(phi, turn);
    eli_matrix_product(turn, implicit->from_frame + 9 * b, q);
    memcpy(implicit->from_frame + 9 * b, q, sizeof q);
  }
}

/* The velocities and spins at the end of a stage, with the changes that the stage has found: (v - v*)/c and (p - p*)/c. */
typedef struct arrival {
  double *rate, *change;
} arrival;

static void arrive_rod(eli_implicit *implicit, int r, const void *argument) {
  const arrival *of = argument;
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const unsigned char *held = implicit->relaxation.held + 6 * b;
    const double *from = implicit->from_momentum + 6 * b;
    double *v = of->rate + 6 * b, *to = of->change + 6 * b, q[9], p[3];
    for (size_t a = 0; a < 6; a++)
      v[a] = implicit->is_end[b] && a >= 3 ? 0.0 : lane[(a < 3 ? ELI_VELOCITY : ELI_OMEGA - 3) + (int)a][implicit->slot[b]];
    memset(to, 0, 6 * sizeof *to);
    for (size_t a = 0; a < 3; a++) to[a] = held[a] ? 0.0 : (v[a] - from[a]) / implicit->c;
    if (implicit->is_end[b] || held[3]) continue;
    frame_of(implicit, b, q);
    spin_momentum(implicit, b, q, v + 3, p);
    for (size_t a = 0; a < 3; a++) to[3 + a] = (p[a] - from[3 + a]) / implicit->c;
  }
}

/* The embedded error, as impulses over c. */
typedef struct embedded {
  double h;
  const double *end_rate;
} embedded;

static void find_error(eli_implicit *implicit, int r, const void *argument) {
  const embedded *of = argument;
  const eli_relaxation *relaxation = &implicit->relaxation;
  double *const *lane = relaxation->world->bodies.slab.lane;
  const double c = implicit->c, h = of->h;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const size_t slot = implicit->slot[b];
    double *right = relaxation->next + 6 * b, of_rate[6], of_change[6], turned[3], q[9];
    for (size_t a = 0; a < 6; a++) {
      of_rate[a] = h * (B0 * implicit->rate[6 * b + a] + B1 * implicit->middle_rate[6 * b + a] + B2 * of->end_rate[6 * b + a]);
      of_change[a] =
          h * (B0 * implicit->change[6 * b + a] + B1 * implicit->middle_change[6 * b + a] + B2 * implicit->end_change[6 * b + a]);
    }
    for (size_t a = 0; a < 3; a++) right[a] = lane[ELI_MASS][slot] * (of_rate[a] + c * of_change[a]) / (c * c);
    if (implicit->is_end[b]) continue;
    frame_of(implicit, b, q);
    eli_turn(q, of_change + 3, turned);
    for (size_t a = 0; a < 3; a++) right[3 + a] = (lane[ELI_INERTIA + a][slot] * of_rate[3 + a] + c * turned[a]) / (c * c);
  }
}

/* Returns the largest error of a position [m]: the embedded error, filtered by the matrix of the last stage. A position is that of a node,
 * or of a point of the surface of an element, which turns at its lever. */
static double estimate(eli_implicit *implicit, double h, const double *end_rate) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const embedded of = {h, end_rate};
  double most = 0.0;
  eli_implicit_share(implicit, 20.0, find_error, &of);
  eli_implicit_solve(implicit);
  for (size_t b = 0; b < relaxation->blocks; b++) {
    eli_keep_larger(&most, eli_length(relaxation->step + 6 * b));
    if (!implicit->is_end[b]) eli_keep_larger(&most, implicit->lever[b] * eli_length(relaxation->step + 6 * b + 3));
  }
  return most;
}

/* A step in which an unresolved contact or one-sided spring begins or ends is one stage of backward Euler: with a convex potential, such as
 * that of a layer, it makes no energy. Its error is h/2 times the change of the velocity. */
static elastica_status strike(eli_implicit *implicit, double h, double *error) {
  double jump;
  implicit->is_visited = !eli_implicit_strikes(implicit, h, &jump);
  if (implicit->is_visited) return ELASTICA_OK;
  implicit->c = h;
  const departure from = {0.0, NULL, NULL};
  memcpy(implicit->relaxation.predicted, implicit->stress, 3 * implicit->relaxation.blocks * sizeof(double));
  elastica_status status = eli_implicit_stage(implicit, implicit->rate, &(eli_ends){depart_rod, NULL, &from, NULL});
  if (status == ELASTICA_OK) status = eli_implicit_find_sided(implicit);
  if (status != ELASTICA_OK || error == NULL) return status;
  (void)eli_implicit_strikes(implicit, h, &jump);
  eli_keep_larger(error, 0.5 * h * jump);
  return status;
}

static elastica_status take_stages(eli_implicit *implicit, double h, double end, double *error) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  implicit->c = G * h;
  elastica_status status = begin(implicit, h);
  if (status != ELASTICA_OK) return status;
  implicit->is_first = 1;
  implicit->resolving = implicit->resolving_start;
  forget_contacts(implicit);
  memcpy(relaxation->predicted, implicit->stress, 3 * relaxation->blocks * sizeof(double));
  implicit->time = implicit->start + 2.0 * implicit->c;
  const departure start = {implicit->c, NULL, NULL}, middle = {W * h, implicit->middle_rate, implicit->middle_change};
  const arrival to_middle = {implicit->middle_rate, implicit->middle_change};
  status = eli_implicit_stage(implicit, implicit->rate, &(eli_ends){depart_rod, arrive_rod, &start, &to_middle});
  if (status == ELASTICA_OK) status = eli_implicit_resolve(implicit, implicit->middle_change);
  if (status != ELASTICA_OK) return status;
  implicit->time = end;
  double *end_rate = relaxation->work;
  const arrival to_end = {end_rate, implicit->end_change};
  const int goes_on = error != NULL || relaxation->touching.limit > 0.0 || implicit->sided_count > 0;
  status = eli_implicit_stage(implicit, implicit->middle_rate, &(eli_ends){depart_rod, goes_on ? arrive_rod : NULL, &middle, &to_end});
  if (status != ELASTICA_OK || !goes_on) return status;
  if (error != NULL) *error = estimate(implicit, h, end_rate);
  status = eli_implicit_resolve(implicit, implicit->end_change);
  return status == ELASTICA_OK ? strike(implicit, h, error) : status;
}

elastica_status eli_implicit_step(eli_implicit *implicit, double h, double end, double *error) {
  elastica_status status = take_stages(implicit, h, end, error);
  if (status == ELASTICA_OK) status = eli_implicit_check_travel(implicit);
  if (status == ELASTICA_OK) status = eli_implicit_check_depth(implicit, h);
  if (status != ELASTICA_OK) eli_implicit_return(implicit);
  return status;
}
