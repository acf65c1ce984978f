/* Joint: connects two bodies, or a body and the world, at a point, along an axis, or by their frames.
 *
 * models     ball (spherical) joints, hinges with limits and a motor, rigid connections, rods glued side by side, each by stiff springs
 * equation   F = k (x2 - x1) on the first, U = k |x2 - x1|^2/2
 *            hinge: C = kappa alpha n on the second, alpha the angle from its axis a2 to a1 about n
 *            fixed, side by side: C = -kappa theta, theta = LOG of the turn of the second frame relative to the first
 *            fixed at an end: U = theta . K theta/2, C = -T^T K theta, d theta = T (turn of the second), K^-1 = 1/kappa + the
 *            flexibilities h/B of the half-cells, h the length from the frame of the end element to the anchor; K = kappa + D
 *            hinge, about the axis: C = -U'(beta) d beta/d phi, beta = 2 atan2(q . a, q0) of the unit quaternion q of that turn
 *            damping: F = c (v2 - v1), c = 2 zeta sqrt(k m), at most m/(2 dt), m = 1/(mobility1 + mobility2); couples likewise
 * source     the springs of Zhang et al. 2019 (their program has no damping, and turns edges instead of frames); the rest is ours
 * parameters anchors, k [N/m], kappa [N m/rad], zeta, axis, limits, motor
 * conserves  momentum and angular momentum of the two bodies; energy with U, without damping and motor
 * test       tests/test_joint.c, tests/test_joint_stops.c
 *
 * All forces act on both bodies at one point, halfway between the anchors: so a force across the gap has no moment of its own.
 */
#include "base/target.h"

#include <elastica.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/elementary.h"
#include "base/matrix.h"
#include "base/rotation.h"
#include "base/sentence.h"
#include "base/symmetric_eigen.h"
#include "base/vector.h"
#include "effects/anchor.h"
#include "effects/resolve.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"
#include "step/step_limit.h"

/* ---- Positions ---- */

/* Returns 1 if loads depend on the turn about the axis, through limits or a motor. */
static int joint_has_turn(const eli_joint *of) {
  return of->motor != 0.0 || of->drive != NULL || of->least_angle > -INFINITY || of->most_angle < INFINITY;
}

elastica_status eli_joint_find_bodies(const eli_joint *of, double time, eli_anchored at[2]) {
  const int moves = of->damping > 0.0 || joint_has_turn(of);
  assert(of->anchor[0].rod != NULL);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    if (moves)
      eli_anchor_find(&of->anchor[k], &at[k]);
    else
      eli_anchor_find_place(&of->anchor[k], &at[k]);
  }
  if (of->anchor[1].rod != NULL) return ELASTICA_OK;
  eli_placement place;
  const elastica_status status = eli_prescribed_at(&of->world, time, &place);
  if (status != ELASTICA_OK) return status;
  memcpy(at[1].axis, place.position, sizeof place.position);
  memcpy(at[1].point, place.position, sizeof place.position);
  memcpy(at[1].velocity, place.velocity, sizeof place.velocity);
  memcpy(at[1].director, place.director, sizeof place.director);
  eli_turn_back(place.director, place.omega, at[1].spin);
  return ELASTICA_OK;
}

/* Returns the radius of the element at its present length. */
static double radius_at(const eli_anchor *anchor) {
  const elastica_rod_view *rod = anchor->rod;
  const int j = anchor->element;
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = rod->position[a][j + 1] - rod->position[a][j];
  return eli_radius(rod->volume[j], sqrt(eli_dot(edge, edge)));
}

/* Sets the offsets of both anchors to the point halfway between the surfaces of their rods, on the line between the centre lines. Returns
 * 0, and changes nothing, if the centre lines intersect there. */
static int joint_put_between_surfaces(eli_joint *of) {
  eli_anchored at[2];
  double across[3];
  for (int k = 0; k < 2; k++) eli_anchor_find(&of->anchor[k], &at[k]);
  for (int a = 0; a < 3; a++) across[a] = at[1].axis[a] - at[0].axis[a];
  const double distance = sqrt(eli_dot(across, across));
  if (!(distance > 0.0)) return 0;
  const double share = 0.5 * (1.0 + (radius_at(&of->anchor[0]) - radius_at(&of->anchor[1])) / distance);
  for (int k = 0; k < 2; k++)
    for (int a = 0; a < 3; a++) of->anchor[k].offset[a] = (share - k) * eli_dot(at[k].director + 3 * a, across);
  return 1;
}

/* Computes the axes of a hinge in both bodies, laboratory. */
static void find_axes(const eli_joint *of, const eli_anchored at[2], double axis[2][3]) {
  if (of->axis_in_world)
    memcpy(axis[0], of->axis[0], sizeof axis[0]);
  else
    eli_turn_back(at[0].director, of->axis[0], axis[0]);
  eli_turn_back(at[1].director, of->axis[1], axis[1]);
}

/* Computes the turn of the second frame relative to its position at rest on the first: R with Q2 = R P Q1, material components of the
 * second. */
static void turn_of_second(const eli_joint *of, const eli_anchored at[2], double r[9]) {
  double expected[9];
  eli_matrix_product(of->pose, at[0].director, expected);
  eli_relative_rotation(at[1].director, expected, r);
}

/* ---- Rotational springs ---- */

/* Bounds of the step hold for at least this angle between frames [rad], so that few joints ask for another limit check; its sin^2. */
#define LEAST_WATCHED 0.2
#define LEAST_WATCHED_SINE2 0.039469502998557456

/* Returns the stiffness of the softer of the two elements: S3/l [N/m], or with turning the least B/l [N m]. Rigid bodies count as
 * infinitely stiff. */
static double joint_softer(const eli_joint *of, int turning) {
  double least = INFINITY;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const elastica_rod_view *rod = of->anchor[k].rod;
    const double own = rod->rigid ? INFINITY : eli_element_spring(rod, of->anchor[k].element, turning);
    if (own < least) least = own;
  }
  return least;
}

/* C = kappa alpha n: turns the second axis towards the first. */
static void align_axes(const eli_joint *of, const double axis[2][3], eli_joined *now) {
  double n[3];
  eli_cross(axis[1], axis[0], n);
  const double sine = sqrt(eli_dot(n, n)), cosine = eli_dot(axis[0], axis[1]);
  now->angle = eli_atan2(sine, cosine);
  const double ratio = sine > 1e-8 ? now->angle / sine : 1.0;
  for (int a = 0; a < 3; a++) now->couple[a] += of->angular_stiffness * ratio * n[a];
}

/* Returns the angle beyond the limits, the shorter way round: near a limit of half a turn, an overshoot appears as an angle of the other
 * sign. */
static double beyond_limits(const eli_joint *of, double turn) {
  if (turn >= of->least_angle && turn <= of->most_angle) return 0.0;
  double above = turn - of->most_angle, below = of->least_angle - turn;
  if (above < 0.0) above += 2.0 * ELI_PI;
  if (below < 0.0) below += 2.0 * ELI_PI;
  return above < below ? above : -below;
}

/* The turn of the second body relative to the first, as a unit quaternion (cosine, p), and the axis that the second carries; laboratory. */
typedef struct quaternion {
  double cosine, p[3], axis[3];
  double along, square; /* p . axis, and its square plus that of the cosine */
} quaternion;

static void find_quaternion(const eli_joint *of, const eli_anchored at[2], const double axis[3], quaternion *turn) {
  double r[9], log[3], q[3];
  turn_of_second(of, at, r);
  eli_rotation_log(r, log);
  const double angle = sqrt(eli_dot(log, log)), half = 0.5 * angle;
  double sine, cosine;
  eli_sincos(half, &sine, &cosine);
  const double ratio = angle > 1e-8 ? sine / angle : 0.5;
  for (int a = 0; a < 3; a++) q[a] = ratio * log[a];
  eli_turn_back(at[1].director, q, turn->p);
  memcpy(turn->axis, axis, sizeof turn->axis);
  turn->cosine = cosine;
  turn->along = eli_dot(turn->p, axis);
  turn->square = turn->along * turn->along + cosine * cosine;
}

/* Computes beta and its slope from the unit quaternion of the turn: q0 and its part along the axis, which the second body carries. */
static void find_turn(const eli_joint *of, const eli_anchored at[2], const double axis[3], eli_joined *now) {
  quaternion turn;
  double across[3];
  find_quaternion(of, at, axis, &turn);
  const double cosine = turn.cosine, along = turn.along, square = turn.square;
  now->turn = 2.0 * eli_atan2(along, cosine);
  now->back = beyond_limits(of, now->turn);
  eli_cross(turn.p, axis, across);
  for (int a = 0; a < 3; a++)
    now->slope[a] = square > 0.0 ? (cosine * cosine * axis[a] - cosine * across[a] + along * turn.p[a]) / square : 0.0;
}

static void turn_hinge(const eli_joint *of, eli_joined *now, int always) {
  double axis[2][3];
  find_axes(of, now->at, axis);
  align_axes(of, (const double(*)[3])axis, now);
  if (!always && !joint_has_turn(of)) return;
  find_turn(of, now->at, axis[1], now);
  for (int a = 0; a < 3; a++) now->couple[a] -= of->angular_stiffness * now->back * now->slope[a];
}

/* tau = D theta */
static void find_deviator(const eli_joint *of, const double theta[3], double tau[3]) {
  const double *d = of->deviator;
  tau[0] = d[0] * theta[0] + d[5] * theta[1] + d[4] * theta[2];
  tau[1] = d[5] * theta[0] + d[1] * theta[1] + d[3] * theta[2];
  tau[2] = d[4] * theta[0] + d[3] * theta[1] + d[2] * theta[2];
}

/* Writes K = kappa + D as a matrix. */
static void find_turning_stiffness(const eli_joint *of, double k[9]) {
  const double *d = of->deviator;
  const double deviator[9] = {d[0], d[5], d[4], d[5], d[1], d[3], d[4], d[3], d[2]};
  memcpy(k, deviator, sizeof deviator);
  eli_add_diagonal(k, of->angular_stiffness);
}

/* Returns c. Angles that the kernel computes are in the range of its polynomial. */
static double factor_of_turn(const double theta[3]) {
  const double t2 = eli_dot(theta, theta);
  return t2 <= 0.26 ? eli_exact_couple_factor(t2) : eli_exact_couple_factor_any(t2);
}

/* T^T D theta = tau - theta x tau/2 + c theta x (theta x tau), material. The kernel computes it by the same operations. */
static void find_deviator_couple(const eli_joint *of, const double theta[3], double couple[3]) {
  double tau[3], turned[3], twice[3];
  find_deviator(of, theta, tau);
  eli_cross(theta, tau, turned);
  eli_cross(theta, turned, twice);
  const double c = factor_of_turn(theta);
  for (int a = 0; a < 3; a++) couple[a] = tau[a] - 0.5 * turned[a] + c * twice[a];
}

static elastica_status turn_frames(const eli_joint *of, eli_joined *now) {
  double r[9], laboratory[3], own[3];
  turn_of_second(of, now->at, r);
  eli_rotation_log(r, now->theta);
  now->angle = sqrt(eli_dot(now->theta, now->theta));
  eli_turn_back(now->at[1].director, now->theta, laboratory);
  for (int a = 0; a < 3; a++) now->couple[a] -= of->angular_stiffness * laboratory[a];
  if (of->most_deviation > 0.0) {
    find_deviator_couple(of, now->theta, own);
    eli_turn_back(now->at[1].director, own, laboratory);
    for (int a = 0; a < 3; a++) now->couple[a] -= laboratory[a];
  }
  return now->angle > ELI_JOINT_LIMIT ? ELASTICA_JOINT_TOO_FAR : ELASTICA_OK;
}

/* Returns the largest difference of the mobilities of an element about two axes [1/(kg m^2)]. */
static double spread_of_mobility(const eli_anchor *anchor) {
  double least = INFINITY, most = 0.0;
  for (int a = 0; a < 3; a++) {
    const double inertia = anchor->rod->inertia[a][anchor->element];
    if (inertia < least) least = inertia;
    if (inertia > most) most = inertia;
  }
  return 1.0 / least - 1.0 / most;
}

/* Returns the bound of the angular stiffness of a joint of frames for angles up to of->watched, which it sets; times the mobility of both
 * frames, it is the square of a frequency. Along each axis the part kappa of the stiffness is at most kappa at any angle; the bound of the
 * rest grows as that of a joint of a rod (rod/law.h). Relative to the axes of the stiffness the frames turn by half of the angle. */
static double bound_of_frames(eli_joint *of, const eli_anchored at[2], double turnability) {
  double r[9], theta[3], sine, cosine;
  if (!(of->most_deviation > 0.0)) return of->angular_stiffness;
  turn_of_second(of, at, r);
  eli_rotation_log(r, theta);
  const double ahead = eli_watched_turn(sqrt(eli_dot(theta, theta)));
  of->watched = ahead < LEAST_WATCHED ? LEAST_WATCHED : ahead < ELI_JOINT_LIMIT ? ahead : ELI_JOINT_LIMIT;
  eli_sincos(0.5 * of->watched, &sine, &cosine);
  const double factor = eli_bend_bound_factor(0.25 * of->watched * of->watched, sine * sine, 1);
  double misaligned = 0.0;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) misaligned += 0.5 * of->watched * spread_of_mobility(&of->anchor[k]);
  const double most = of->angular_stiffness + of->most_deviation;
  return (of->fastest + most * misaligned) / turnability + of->most_deviation * (factor - 1.0 + 0.5 * of->watched);
}

static void find_middle(const eli_anchored at[2], double gap[3], double middle[3]) {
  for (int a = 0; a < 3; a++) {
    gap[a] = at[1].point[a] - at[0].point[a];
    middle[a] = at[0].point[a] + 0.5 * gap[a];
  }
}

/* Returns 1 for joints that connect whole frames and not only points or axes. */
static int ties_frames(const eli_joint *of) {
  return of->kind == ELASTICA_JOINT_FIXED || of->kind == ELASTICA_JOINT_SIDE_BY_SIDE;
}

/* Finds the whole state of a joint. always 1: computes the turn of a hinge also if no load depends on it. CALLBACK_FAILED,
 * JOINT_TOO_FAR. */
static elastica_status joint_find(const eli_joint *of, double time, int always, eli_joined *now) {
  memset(now->couple, 0, sizeof *now - offsetof(eli_joined, couple));
  const elastica_status status = eli_joint_find_bodies(of, time, now->at);
  if (status != ELASTICA_OK) return status;
  find_middle(now->at, now->gap, now->middle);
  if (of->kind == ELASTICA_JOINT_HINGE) turn_hinge(of, now, always);
  return ties_frames(of) ? turn_frames(of, now) : ELASTICA_OK;
}

/* ---- Damping and motor ---- */

/* Mobility of the two bodies at the joint: of their anchors relative to each other [1/kg], and of their frames [1/(kg m^2)]. */
static double joint_mobility(const eli_joint *of, const eli_anchored at[2]) {
  return eli_anchor_mobility(&of->anchor[0], &at[0]) + (of->anchor[1].rod != NULL ? eli_anchor_mobility(&of->anchor[1], &at[1]) : 0.0);
}

/* The mobility of the anchors at the midpoint of the gap, because a gap is a lever. */
static double damped_mobility(const eli_joint *of, const eli_anchored at[2]) {
  double gap[3], middle[3], sum = 0.0;
  find_middle(at, gap, middle);
  for (int k = 0; k < 2; k++)
    if (of->anchor[k].rod != NULL) sum += eli_anchor_mobility_at(&of->anchor[k], &at[k], middle);
  return sum;
}

/* Mobility, an upper limit of the angular acceleration of a frame per couple [1/(kg m^2)]. */
static double turnability_of(const eli_anchor *anchor) {
  return 1.0 / eli_anchor_inertia(anchor);
}

/* Mobility of the two bodies at the joint: of their anchors relative to each other [1/kg], and of their frames [1/(kg m^2)]. */
static double joint_turnability(const eli_joint *of) {
  const double first = of->axis_in_world && of->anchor[1].rod != NULL ? 0.0 : turnability_of(&of->anchor[0]);
  return first + (of->anchor[1].rod != NULL ? turnability_of(&of->anchor[1]) : 0.0);
}

/* Returns c = 2 zeta sqrt(k/mobility), at most 1/(2 mobility dt). dt 0: without this limit. */
static double joint_rate(const eli_joint *of, double stiffness, double mobility, double dt) {
  const double rate = 2.0 * of->damping * sqrt(stiffness / mobility), most = dt > 0.0 ? 0.5 / (mobility * dt) : INFINITY;
  return rate < most ? rate : most;
}

/* The square of half the gap is a lever on the frames of both bodies; a lever that adds less than a thousandth to their mobility is
 * neglected. */
static void joint_bound_damping(const eli_joint *of, const eli_anchored at[2], const elastica_stiffness *rods) {
  double gap[3], middle[3];
  const double mobility = damped_mobility(of, at), rate = joint_rate(of, of->stiffness, mobility, 0.0);
  find_middle(at, gap, middle);
  const double lever2 = 0.25 * eli_dot(gap, gap);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const double inertia = eli_anchor_inertia(anchor);
    const elastica_stiffness *to = &rods[anchor->rod->rod_index];
    eli_anchor_bound(anchor, to, 0.0, rate, mobility);
    if (eli_dot(anchor->offset, anchor->offset) == 0.0 && lever2 > 1e-3 * mobility * inertia)
      to->element_rate[anchor->element] += rate * mobility * inertia;
  }
}

/* Adds force and couple of the damping on the second body. */
static void add_damping(const eli_joint *of, const eli_joined *now, double dt, double force[3], double couple[3]) {
  double v[2][3], spin[3], axis[2][3];
  const double c = joint_rate(of, of->stiffness, damped_mobility(of, now->at), dt);
  for (int k = 0; k < 2; k++) eli_anchored_velocity(&now->at[k], now->middle, v[k]);
  for (int a = 0; a < 3; a++) force[a] -= c * (v[1][a] - v[0][a]);
  if (of->kind == ELASTICA_JOINT_BALL) return;
  const double turning = joint_rate(of, of->angular_stiffness, joint_turnability(of), dt);
  for (int a = 0; a < 3; a++) spin[a] = now->at[1].spin[a] - (of->axis_in_world ? 0.0 : now->at[0].spin[a]);
  double about = 0.0;
  if (of->kind == ELASTICA_JOINT_HINGE) {
    find_axes(of, now->at, axis);
    about = eli_dot(spin, axis[1]);
  }
  for (int a = 0; a < 3; a++) couple[a] -= turning * (spin[a] - (of->kind == ELASTICA_JOINT_HINGE ? about * axis[1][a] : 0.0));
}

static double rate_of_turn(const eli_joint *of, const eli_joined *now) {
  double rate = 0.0;
  for (int a = 0; a < 3; a++) rate += now->slope[a] * (now->at[1].spin[a] - (of->axis_in_world ? 0.0 : now->at[0].spin[a]));
  return rate;
}

/* Computes the couple of the motor on the second body about the axis at a turn and a rate. CALLBACK_FAILED if its function fails. */
static elastica_status find_motor(const eli_joint *of, double time, double turn, double rate, double *motor) {
  *motor = of->motor;
  if (of->drive == NULL) return ELASTICA_OK;
  assert(of->anchor[0].rod != NULL);
  const elastica_status status = of->drive(of->world.user, time, turn, rate, motor);
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK)
    return eli_world_explain(of->world.world, of, "its drive, on rod %d, returned %s", of->anchor[0].rod->rod_index,
                             eli_status_words(status, what));
  if (eli_is_moderate(*motor)) return ELASTICA_OK;
  return eli_world_explain(of->world.world, of, "its drive, on rod %d, wrote the couple %g N m, which is %s", of->anchor[0].rod->rod_index,
                           *motor, eli_is_finite(*motor) ? "too large" : "not finite");
}

static elastica_status add_drive(const eli_joint *of, const eli_joined *now, double time, double couple[3]) {
  double motor;
  const elastica_status status = find_motor(of, time, now->turn, rate_of_turn(of, now), &motor);
  for (int a = 0; a < 3 && status == ELASTICA_OK; a++) couple[a] += motor * now->slope[a];
  return status;
}

/* ---- Limits of the turn, in time ---- */

static int has_stops(const eli_joint *of) {
  return of->most_angle < INFINITY;
}

/* Returns 1 if the turn is beyond a limit, or will be within this time at its present rate. */
static int meets_stop(const eli_joint *of, const eli_joined *now, double time) {
  const double moved = time * rate_of_turn(of, now);
  return now->back != 0.0 || now->turn + moved > of->most_angle || now->turn + moved < of->least_angle;
}

/* Returns the square of the frequency [1/s^2] of the two bodies on the angular spring of a limit. The dampers of the joint do not act on
 * the turn. */
static double stop_frequency(const eli_joint *of, const eli_joined *now) {
  double mobility = 0.0;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    double own[3];
    eli_turn(now->at[k].director, now->slope, own);
    for (int a = 0; a < 3; a++) mobility += own[a] * own[a] / anchor->rod->inertia[a][anchor->element];
  }
  return of->angular_stiffness * mobility;
}

/* Returns 1 if a limit will be met within the next steps, and steps of now->dt are too long for that. */
static int awaits_stop(const eli_joint *of, const elastica_instant *now, const eli_joined *joined) {
  if (!has_stops(of) || !now->is_adaptive || !meets_stop(of, joined, ELI_STEPS_AWAITED * now->dt)) return 0;
  return eli_is_too_long(now->dt, stop_frequency(of, joined), 0.0, 1.0, 1);
}

/* Adds bounds for the angular springs at the limits of the turn, so that a step that the library chooses resolves a bounce there
 * (effects/resolve.h). They count beyond a limit and within ELI_STEPS_COUNTED steps of it, at the present rate; returns 1
 * then. */
static int joint_bound_stops(const eli_joint *of, const elastica_instant *now, const eli_anchored at[2], const elastica_stiffness *rods) {
  eli_joined joined;
  if (!has_stops(of)) return 0;
  memset(&joined, 0, sizeof joined);
  memcpy(joined.at, at, sizeof joined.at);
  turn_hinge(of, &joined, 0);
  if (!meets_stop(of, &joined, ELI_STEPS_COUNTED * now->checked_dt)) return 0;
  const double frequency = eli_resolved_stiffness(stop_frequency(of, &joined), 0.0, 1.0);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++)
    rods[of->anchor[k].rod->rod_index].element[of->anchor[k].element] += frequency * eli_anchor_inertia(&of->anchor[k]);
  return 1;
}

/* ---- Loads on the bodies ---- */

/* Returns 1 for a joint that is only a spring between points of two centre lines: a force along the line through these has no moment about
 * either. */
static int is_spring(const eli_joint *of) {
  const double *one = of->anchor[0].offset, *other = of->anchor[1].offset;
  return of->kind == ELASTICA_JOINT_BALL && of->damping == 0.0 && of->anchor[1].rod != NULL && one[0] == 0.0 && one[1] == 0.0 &&
         one[2] == 0.0 && other[0] == 0.0 && other[1] == 0.0 && other[2] == 0.0;
}

static void find_pull(const eli_joint *of, eli_found *found) {
  double x[2][3];
  for (int k = 0; k < 2; k++) eli_anchor_find_between(&of->anchor[k], of->anchor[k].rod->position, x[k]);
  for (int a = 0; a < 3; a++) found->force[a] = -(of->stiffness * (x[1][a] - x[0][a]));
}

/* Sets the addresses of the loads. */
static void aim(const eli_joint *of, const elastica_loads *loads, eli_found *found) {
  found->to_node[1] = NULL;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const elastica_loads *to = &loads[anchor->rod->rod_index];
    found->share[k] = anchor->share == 1.0 ? 0.0 : anchor->share;
    found->to_node[k] = to->force[0] + anchor->element + (anchor->share == 1.0);
    found->to_turn[k] = to->couple[0] + anchor->element;
    found->stride[k] = to->force[1] - to->force[0];
  }
}

/* Returns 1 if the frames pass the limit within half a step before or after its middle. This is checked if the angle is wide or if the
 * second anchor moves in the world, since a prescribed motion may turn it by any angle. */
static int passes_limit(const eli_joint *of, const elastica_instant *now, const eli_joined *joined) {
  const int supported = of->anchor[1].rod == NULL && of->world.motion != NULL;
  eli_anchored at[2];
  double expected[9], r[9], spin[2][3], before[3];
  if (!ties_frames(of) || (joined->angle < 2.0 && !supported)) return 0;
  if (eli_is_query(now) || eli_is_statics(now)) return 0;
  memcpy(at, joined->at, sizeof at);
  for (int k = 0; k < 2; k++) {
    if (of->anchor[k].rod != NULL) eli_anchor_find(&of->anchor[k], &at[k]);
    eli_turn(at[k].director, at[k].spin, spin[k]);
  }
  if (supported && now->is_frozen) memset(spin[1], 0, sizeof spin[1]);
  eli_matrix_product(of->pose, at[0].director, expected);
  eli_turn(of->pose, spin[0], before);
  eli_relative_rotation(at[1].director, expected, r);
  return eli_joint_widest(r, before, spin[1], 0.5 * now->dt) > ELI_JOINT_LIMIT_H ||
         eli_joint_widest(r, before, spin[1], -0.5 * now->dt) > ELI_JOINT_LIMIT_H;
}

/* Finds the loads; all forces act on both bodies at one point. */
static void joint_find_loads(const eli_joint *of, const elastica_instant *now, const elastica_loads *loads, eli_found *found) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_joined joined;
  eli_trial trial;
  int keeps;
  double couple[3];
  aim(of, loads, found);
  found->status = ELASTICA_OK;
  found->turns = !is_spring(of);
  found->check_again = 0;
  if (!found->turns) {
    find_pull(of, found);
    return;
  }
  found->status = joint_find(of, now->time, 0, &joined);
  if (found->status == ELASTICA_OK && passes_limit(of, now, &joined)) found->status = ELASTICA_JOINT_TOO_FAR;
  if (found->status != ELASTICA_OK) return;
  found->check_again = awaits_stop(of, now, &joined) || (of->most_deviation > 0.0 && joined.angle > of->watched);
  for (int a = 0; a < 3; a++) found->force[a] = -of->stiffness * joined.gap[a], couple[a] = joined.couple[a];
  if (of->damping > 0.0 && !eli_is_statics(now))
    add_damping(of, &joined, eli_world_trial(of->owner, &trial, &keeps) ? 0.0 : now->dt, found->force, couple);
  if (of->kind == ELASTICA_JOINT_HINGE && (of->motor != 0.0 || of->drive != NULL))
    found->status = add_drive(of, &joined, now->time, couple);
  eli_anchored_couple(&joined.at[0], joined.middle, found->force, of->axis_in_world ? none : couple, found->couple[0]);
  if (of->anchor[1].rod != NULL) eli_anchored_couple(&joined.at[1], joined.middle, found->force, couple, found->couple[1]);
}

/* ---- The derivative of the loads ---- */

/* C = kappa f n on the second, n = a2 x a1, f = alpha/sin(alpha); df = -g d(cos alpha) with g = (sin - alpha cos)/sin^3, and
 * d(cos alpha) = n . (psi2 - psi1). */
static void derive_alignment(const eli_joint *of, const double axis[2][3], double couple[2][9]) {
  double n[3];
  eli_cross(axis[1], axis[0], n);
  const double sine = sqrt(eli_dot(n, n)), cosine = eli_dot(axis[0], axis[1]), angle = eli_atan2(sine, cosine);
  const double square = sine * sine, f = sine > 1e-8 ? angle / sine : 1.0;
  const double g = sine > 1e-3 ? (sine - angle * cosine) / (square * sine) : 1.0 / 3.0 + (2.0 / 15.0) * square;
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? -1.0 : 1.0, *own = axis[k], *other = axis[1 - k];
    const double across = eli_dot(own, other);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        /* (psi x own) x other = own (psi . other) - psi (own . other), and the second axis stands first in n */
        const double turned = sign * (own[a] * other[b] - (a == b ? across : 0.0));
        couple[k][3 * a + b] += of->angular_stiffness * (f * turned - sign * g * n[a] * n[b]);
      }
  }
}

/* The derivative of T^T K theta by theta: kappa + G D + H. The part that grows with the couple has the factor stress; without it the
 * derivative is T^T K. */
static void derive_couple(const eli_joint *of, const double theta[3], double stress, double out[9]) {
  const double *d = of->deviator, c = factor_of_turn(theta);
  double deviator[9] = {d[0], d[5], d[4], d[5], d[1], d[3], d[4], d[3], d[2]};
  double tau[3], g[9] = {0.0}, h[9] = {0.0}, t[9], transposed[9], unstressed[9];
  find_deviator(of, theta, tau);
  eli_change_of_couple(-1.0, -1.0, 1, c, theta, tau, g, h);
  eli_matrix_product(g, deviator, out);
  for (int a = 0; a < 9; a++) out[a] += h[a];
  eli_add_diagonal(out, of->angular_stiffness);
  if (stress == 1.0) return;
  eli_change_of_angle(theta, c, t);
  eli_transpose(t, transposed);
  eli_add_diagonal(deviator, of->angular_stiffness);
  eli_matrix_product(transposed, deviator, unstressed);
  for (int a = 0; a < 9; a++) out[a] = stress * out[a] + (1.0 - stress) * unstressed[a];
}

/* C = -Q2^T T^T K theta, theta = LOG(Q2 (P Q1)^T): dtheta = T Q2 psi2 - T^T P Q1 psi1 with T = 1 + [theta]x/2 + c [theta]x^2. */
static void derive_frames(const eli_joint *of, const eli_joined *now, double stress, double couple[2][9]) {
  const eli_anchored *at = now->at;
  double t[9], transposed[9], back[9], expected[9], laboratory[3], by_theta[9], product[9], turned[9];
  eli_change_of_angle(now->theta, factor_of_turn(now->theta), t);
  eli_transpose(t, transposed);
  eli_transpose(at[1].director, back);
  eli_matrix_product(of->pose, at[0].director, expected);
  derive_couple(of, now->theta, stress, by_theta);
  for (int k = 0; k < 2; k++) {
    eli_matrix_product(k == 0 ? transposed : t, k == 0 ? expected : at[1].director, product);
    eli_matrix_product(by_theta, product, turned);
    eli_matrix_product(back, turned, product);
    for (int a = 0; a < 9; a++) couple[k][a] += (k == 0 ? 1.0 : -1.0) * product[a];
  }
  for (int a = 0; a < 3; a++) laboratory[a] = -now->couple[a];
  eli_add_skew(couple[1], stress, laboratory); /* psi2 x C */
}

/* The step [rad] of the difference that gives the slope of a drive over the angle. */
#define TURN_STEP 1e-5

/* Computes the couple about the axis of stops and motor, and its derivative by the turn [N m/rad]. */
static elastica_status find_torque(const eli_joint *of, const eli_joined *now, double time, double *torque, double *slope) {
  double around[2];
  const elastica_status status = find_motor(of, time, now->turn, 0.0, torque);
  if (status != ELASTICA_OK) return status;
  *torque -= of->angular_stiffness * now->back;
  *slope = now->back != 0.0 ? -of->angular_stiffness : 0.0;
  for (int k = 0; k < 2 && of->drive != NULL; k++) {
    const elastica_status shifted = find_motor(of, time, now->turn + (k == 0 ? TURN_STEP : -TURN_STEP), 0.0, &around[k]);
    if (shifted != ELASTICA_OK) return shifted;
  }
  if (of->drive != NULL) *slope += (around[0] - around[1]) / (2.0 * TURN_STEP);
  return ELASTICA_OK;
}

/* With delta = psi2 - psi1: dcosine = -p . delta/2, dp = (cosine delta + (psi1 + psi2) x p)/2, daxis = psi2 x axis, and the slope is
 * (cosine^2 axis - cosine p x axis + along p)/square. Computes the change of the slope by a turn psi of one body. */
static void change_slope(const quaternion *turn, const double slope[3], int second, const double psi[3], double change[3]) {
  const double c = turn->cosine, along = turn->along, *p = turn->p, *axis = turn->axis, sign = second ? 1.0 : -1.0;
  double dp[3], daxis[3] = {0.0, 0.0, 0.0}, across[3], by_p[3], by_axis[3];
  const double dc = -0.5 * sign * eli_dot(p, psi);
  eli_cross(psi, p, dp);
  for (int a = 0; a < 3; a++) dp[a] = 0.5 * (dp[a] + sign * c * psi[a]);
  if (second) eli_cross(psi, axis, daxis);
  const double dalong = eli_dot(dp, axis) + eli_dot(p, daxis), dsquare = 2.0 * (along * dalong + c * dc);
  eli_cross(p, axis, across);
  eli_cross(dp, axis, by_p);
  eli_cross(p, daxis, by_axis);
  for (int a = 0; a < 3; a++) {
    const double top =
        2.0 * c * dc * axis[a] + c * c * daxis[a] - dc * across[a] - c * (by_p[a] + by_axis[a]) + dalong * p[a] + along * dp[a];
    change[a] = (top - slope[a] * dsquare) / turn->square;
  }
}

/* C = f(beta) d beta/d phi of stops and motor: dC = f' (slope . delta) slope + f dslope. Adds the motor to the couple of the joint. */
static elastica_status derive_turn(const eli_joint *of, double time, const double axis[3], eli_joined *now, double couple[2][9]) {
  quaternion turn;
  double torque, steep;
  const elastica_status status = find_torque(of, now, time, &torque, &steep);
  if (status != ELASTICA_OK) return status;
  find_quaternion(of, now->at, axis, &turn);
  if (!(turn.square > 0.0)) return ELASTICA_OK;
  for (int k = 0; k < 2; k++) {
    for (int b = 0; b < 3; b++) {
      double psi[3] = {0.0, 0.0, 0.0}, change[3];
      psi[b] = 1.0;
      change_slope(&turn, now->slope, k, psi, change);
      for (int a = 0; a < 3; a++) couple[k][3 * a + b] += torque * change[a];
    }
    eli_add_outer(couple[k], k == 0 ? -steep : steep, now->slope, now->slope);
  }
  for (int a = 0; a < 3; a++) now->couple[a] += (torque + of->angular_stiffness * now->back) * now->slope[a];
  return ELASTICA_OK;
}

/* Adds the blocks of the couple sign C on element k: dC by the turns of both, and d(Q C) = Q (dC + C x psi). */
static void add_couple_tangent(const eli_joint *of, const eli_joined *now, int k, const double couple[2][9], elastica_tangent *tangent) {
  const double sign = k == 0 ? -1.0 : 1.0;
  const elastica_part row = {of->anchor[k].rod, of->anchor[k].element, 1};
  for (int side = 0; side < 2 && of->anchor[side].rod != NULL; side++) {
    double block[9], product[9], back[9];
    for (int a = 0; a < 9; a++) block[a] = -sign * couple[side][a];
    if (side == k) eli_add_skew(block, -sign, now->couple);
    eli_transpose(now->at[side].director, back);
    eli_matrix_product(block, back, product);
    eli_matrix_product(now->at[k].director, product, block);
    tangent->add(tangent->owner, row, (elastica_part){of->anchor[side].rod, of->anchor[side].element, 1}, block);
  }
}

/* In a stage of an implicit step the damping changes with velocities, and so with positions and turns. Writes its force and couple on the
 * second body, and adds the derivative of the couple by the turns of both. Returns that of the force by the gap [N/m]. */
static double derive_damping(const eli_joint *of, const double axis[3], const eli_joined *now, double force[3], double turning[3],
                             double couple[2][9]) {
  eli_trial trial;
  int keeps;
  if (!(of->damping > 0.0) || !eli_world_trial(of->owner, &trial, &keeps)) return 0.0;
  add_damping(of, now, 0.0, force, turning);
  for (int k = 0; k < 2 && of->kind != ELASTICA_JOINT_BALL; k++) {
    const double rate = (k == 0 ? 1.0 : -1.0) * trial.rate_per_change * joint_rate(of, of->angular_stiffness, joint_turnability(of), 0.0);
    eli_add_diagonal(couple[k], rate);
    if (of->kind == ELASTICA_JOINT_HINGE) eli_add_outer(couple[k], -rate, axis, axis);
  }
  return trial.rate_per_change * joint_rate(of, of->stiffness, damped_mobility(of, now->at), 0.0);
}

/* The spring: forces -+k (x2 - x1). Then the couple between the frames. */
static elastica_status joint_add_tangent(const eli_joint *of, double time, elastica_tangent *tangent) {
  eli_joined now;
  double axis[2][3] = {{0.0}}, couple[2][9] = {{0.0}}, damped[2][3] = {{0.0}};
  const elastica_status status = joint_find(of, time, 0, &now);
  if (status != ELASTICA_OK) return status;
  if (of->kind != ELASTICA_JOINT_BALL) find_axes(of, now.at, axis);
  const double by_gap = of->stiffness + derive_damping(of, axis[1], &now, damped[0], damped[1], couple);
  tangent->balanced = of->anchor[1].rod != NULL;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    double force[3];
    for (int a = 0; a < 3; a++) force[a] = (k == 0 ? 1.0 : -1.0) * tangent->stress * (of->stiffness * now.gap[a] - damped[0][a]);
    for (int side = 0; side < 2 && of->anchor[side].rod != NULL; side++) {
      double spring[9] = {0.0};
      eli_add_diagonal(spring, k == side ? by_gap : -by_gap);
      eli_anchor_add_spring(&of->anchor[k], &now.at[k], &of->anchor[side], &now.at[side], spring, tangent);
    }
    eli_anchor_add_arm(&of->anchor[k], &now.at[k], force, tangent);
  }
  if (of->kind == ELASTICA_JOINT_BALL) return ELASTICA_OK;
  if (of->kind == ELASTICA_JOINT_HINGE) derive_alignment(of, (const double(*)[3])axis, couple);
  if (joint_has_turn(of)) {
    const elastica_status turned = derive_turn(of, time, axis[1], &now, couple);
    if (turned != ELASTICA_OK) return turned;
  }
  if (ties_frames(of)) {
    derive_frames(of, &now, tangent->stress, couple);
    for (int a = 0; a < 3; a++) now.couple[a] *= tangent->stress;
  }
  for (int a = 0; a < 3; a++) now.couple[a] += damped[1][a];
  if (of->axis_in_world) memset(couple[0], 0, sizeof couple[0]);
  for (int k = of->axis_in_world; k < 2 && of->anchor[k].rod != NULL; k++)
    add_couple_tangent(of, &now, k, (const double(*)[9])couple, tangent);
  return ELASTICA_OK;
}

/* Returns 1 for springs between the frames of two bodies without anything else. */
static int joint_ties(const eli_joint *of, eli_fixed_joint *out) {
  if (!ties_frames(of) || of->damping != 0.0 || of->anchor[1].rod == NULL) return 0;
  for (int k = 0; k < 2; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    out->rod[k] = anchor->rod;
    out->element[k] = anchor->element;
    out->share[k] = anchor->share;
    memcpy(out->offset[k], anchor->offset, sizeof out->offset[k]);
  }
  memcpy(out->pose, of->pose, sizeof out->pose);
  out->stiffness = of->stiffness;
  out->turning = of->angular_stiffness;
  memcpy(out->deviator, of->deviator, sizeof out->deviator);
  out->widest = of->most_deviation > 0.0 ? LEAST_WATCHED_SINE2 : ELI_LOG_SINE2;
  return 1;
}

typedef elastica_joint_def joint_def;
/* Fields of a hinge alone, and those of every kind but BALL. */
#define HINGE ELI_RULE_ONLY_FIRST
#define TURNING ELI_RULE_ONLY_SECOND
static const eli_field fields[] = {
    ELI_FIELD(joint_def, struct_size),
    ELI_CHOICE(joint_def, kind, ELASTICA_JOINT_SIDE_BY_SIDE, "not one of BALL, HINGE, FIXED, SIDE_BY_SIDE"),
    ELI_FIELD(joint_def, first),
    ELI_FIELD(joint_def, second),
    ELI_NUMBERS(joint_def, position, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_FIELD(joint_def, motion),
    ELI_FIELD(joint_def, user),
    ELI_NUMBERS(joint_def, axis, ELI_RULE_DIRECTION | ELI_RULE_OPTIONAL | HINGE),
    ELI_CHOICE_OF(joint_def, axis_in_world, 1, "neither 0 nor 1", HINGE),
    ELI_NUMBERS(joint_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, force, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, gap, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, angular_stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL | TURNING),
    ELI_NUMBERS(joint_def, couple, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL | TURNING),
    ELI_NUMBERS(joint_def, angle, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL | TURNING),
    ELI_NUMBERS(joint_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(joint_def, least_angle),
    ELI_FIELD(joint_def, most_angle),
    ELI_NUMBERS(joint_def, motor, ELI_RULE_NUMBER),
    ELI_FIELD(joint_def, drive),
};
static const joint_def defaults = {.position = ELI_UNSET_VECTOR,
                                   .director = ELI_UNSET_FRAME,
                                   .axis = ELI_UNSET_VECTOR,
                                   .stiffness = NAN,
                                   .force = NAN,
                                   .gap = NAN,
                                   .angular_stiffness = NAN,
                                   .couple = NAN,
                                   .angle = NAN,
                                   .least_angle = -INFINITY,
                                   .most_angle = INFINITY};
static const eli_layout layout = ELI_LAYOUT("joint_def", joint_def, fields, defaults);

typedef eli_joint joint;

/* ---- Hooks ---- */

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *all) {
  eli_found found;
  joint_find_loads(self, now, all->loads, &found);
  if (found.status == ELASTICA_OK) eli_add_found(&found);
  if (found.check_again) all->check_again = 1;
  return found.status;
}

/* Returns 1 if the joint calls functions of the user. */
static int calls_user(const eli_joint *of) {
  return of->drive != NULL || (of->anchor[1].rod == NULL && of->world.motion != NULL);
}

static void find(const elastica_world *world, const void *const *self, int count, const elastica_instant *now, const elastica_loads *loads,
                 eli_found *found) {
  (void)world;
  for (int k = 0; k < count; k++) {
    found[k].is_found = !calls_user(self[k]);
    if (found[k].is_found) joint_find_loads(self[k], now, loads, &found[k]);
  }
}

static int fixed_joint(const void *self, eli_fixed_joint *out) {
  return joint_ties(self, out);
}

/* As eli_anchor_bound() for k |phi1 - phi2|^2 of the frames. */
static void bound_turning(const eli_anchor *anchor, const elastica_stiffness *to, double stiffness, double rate, double turnability) {
  to->element[anchor->element] += stiffness * turnability * eli_anchor_inertia(anchor);
  to->element_rate[anchor->element] += rate * turnability * eli_anchor_inertia(anchor);
}

/* The spring across the gap turns with the bodies: its force times the lever adds to their stiffness. */
static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  joint *of = self;
  eli_anchored at[2];
  const elastica_status status = eli_joint_find_bodies(of, now->time, at);
  const elastica_stiffness *rods = stiffness->stiffness;
  of->resolves = 0;
  if (status != ELASTICA_OK) return status;
  const double mobility = joint_mobility(of, at), turnability = joint_turnability(of);
  const double turning = of->kind == ELASTICA_JOINT_BALL ? 0.0 : (joint_has_turn(of) ? 2.0 : 1.0) * bound_of_frames(of, at, turnability);
  const double turning_rate = of->damping > 0.0 && turning > 0.0 ? joint_rate(of, of->angular_stiffness, turnability, 0.0) : 0.0;
  double pull = 0.0;
  for (int a = 0; a < 3; a++) pull += (at[1].point[a] - at[0].point[a]) * (at[1].point[a] - at[0].point[a]);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const elastica_stiffness *to = &rods[anchor->rod->rod_index];
    eli_anchor_bound(anchor, to, of->stiffness, 0.0, mobility);
    if (turning > 0.0 && !(k == 0 && of->axis_in_world)) bound_turning(anchor, to, turning, turning_rate, turnability);
    to->element[anchor->element] += of->stiffness * sqrt(pull * eli_dot(anchor->offset, anchor->offset));
  }
  if (now->is_adaptive) of->resolves = joint_bound_stops(of, now, at, rods);
  if (of->damping > 0.0) joint_bound_damping(of, at, rods);
  return ELASTICA_OK;
}

static int resolves(const void *self) {
  return ((const joint *)self)->resolves;
}

/* Inverts a symmetric positive matrix. */
static void invert(const double m[9], double out[9]) {
  double c[3][3];
  for (int a = 0; a < 3; a++) eli_cross(m + 3 * ((a + 1) % 3), m + 3 * ((a + 2) % 3), c[a]);
  const double per = 1.0 / eli_dot(m, c[0]);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out[3 * a + b] = per * c[b][a];
}

/* Adds the mobility of the anchor of body k by a force there, and its acceleration by a couple of 1 N m about the axis on the second body;
 * returns the acceleration of the turn by the couple. */
static double add_mobility(const eli_joint *of, const eli_joined *now, int k, double mobility[9], double acceleration[3]) {
  const eli_anchor *anchor = &of->anchor[k];
  const eli_anchored *at = &now->at[k];
  double arm[3], own[3], turn[3], moved[3];
  for (int a = 0; a < 3; a++) arm[a] = at->point[a] - at->axis[a];
  eli_turn(at->director, now->slope, own);
  for (int a = 0; a < 3; a++) own[a] /= anchor->rod->inertia[a][anchor->element];
  eli_turn_back(at->director, own, turn);
  eli_cross(turn, arm, moved); /* the couple on the first body and the direction of its part of the gap are both opposite */
  for (int a = 0; a < 3; a++) acceleration[a] += moved[a];
  const double before = 1.0 - anchor->share, after = anchor->share;
  double point = before > 0.0 ? before * before / anchor->rod->mass[anchor->element] : 0.0;
  if (after > 0.0) point += after * after / anchor->rod->mass[anchor->element + 1];
  eli_add_diagonal(mobility, point);
  for (int a = 0; a < 3; a++) {
    const double *axis = at->director + 3 * a;
    eli_cross(axis, arm, moved);
    eli_add_outer(mobility, 1.0 / anchor->rod->inertia[a][anchor->element], moved, moved);
  }
  return eli_dot(now->slope, turn);
}

/* Returns the mobility of the turn of a joint with closed anchors [1/(kg m^2)]: without the motion in which the anchors part. *lever: of
 * the bodies about the hinge [m/rad]. */
static double mobility_of_hinge(const eli_joint *of, const eli_joined *now, double *lever) {
  double mobility[9] = {0.0}, inverse[9], acceleration[3] = {0.0, 0.0, 0.0}, force[3], sum = 0.0;
  *lever = 0.0;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const double reach = sqrt(eli_dot(anchor->offset, anchor->offset)) + 0.5 * anchor->rod->rest_length[anchor->element];
    sum += add_mobility(of, now, k, mobility, acceleration);
    if (reach > *lever) *lever = reach;
  }
  invert(mobility, inverse);
  eli_turn(inverse, acceleration, force);
  return sum - eli_dot(acceleration, force);
}

/* Returns how far beyond both limits of a joint the turn may be until the nearer limit is the other one. */
static double arc_of_stops(const eli_joint *of) {
  return ELI_PI - 0.5 * (of->most_angle - of->least_angle);
}

/* A quarter of the angle beyond the limits is left for one step. */
#define PART_OF_ARC 0.25

/* The turn of the second body is the coordinate; near the least angle its opposite. */
static elastica_status one_sided(void *self, double time, eli_one_sided *out) {
  const joint *of = self;
  eli_joined now;
  if (!has_stops(of)) return ELASTICA_OK;
  const elastica_status status = joint_find(of, time, 1, &now);
  if (status != ELASTICA_OK) return status;
  const double rate = rate_of_turn(of, &now), above = of->most_angle - now.turn, below = now.turn - of->least_angle;
  const double sign = now.back != 0.0 ? (now.back > 0.0 ? 1.0 : -1.0) : above < below ? 1.0 : -1.0;
  const double mobility = mobility_of_hinge(of, &now, &out->lever), free = rate > 0.0 ? above : below;
  out->acts = now.back != 0.0;
  out->beyond = fabs(now.back);
  out->rate = sign * rate;
  out->frequency = mobility > 0.0 ? sqrt(of->angular_stiffness * mobility) : 0.0;
  out->room = PART_OF_ARC * arc_of_stops(of) + (out->acts ? 0.0 : free);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    double *gradient = out->own_gradient + 3 * k;
    out->own_part[k] = (elastica_part){of->anchor[k].rod, of->anchor[k].element, 1};
    eli_turn(now.at[k].director, now.slope, gradient);
    for (int a = 0; a < 3; a++) gradient[a] *= k == 0 ? -sign : sign;
    out->count++;
  }
  out->part = out->own_part, out->gradient = out->own_gradient;
  return ELASTICA_OK;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  const joint *of = self;
  double tau[3];
  eli_joined now;
  (void)rod;
  if (joint_find(of, time, 0, &now) == ELASTICA_CALLBACK_FAILED) return eli_nan();
  find_deviator(of, now.theta, tau);
  return 0.5 * of->stiffness * eli_dot(now.gap, now.gap) +
         0.5 * of->angular_stiffness * (now.angle * now.angle + now.back * now.back) * (of->kind != ELASTICA_JOINT_BALL) +
         0.5 * eli_dot(now.theta, tau);
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)rod;
  return joint_add_tangent(self, now->time, tangent);
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  const joint *of = self;
  return of->anchor[0].rod == rod || of->anchor[1].rod == rod;
}

/* ---- Definitions and queries ---- */

/* Sets the point and the frame of the world: those of the definition, else those of the old joint, else those of the first anchor now. */
static void place_in_world(const joint_def *def, const joint *old, joint *of) {
  eli_anchored now;
  const int keeps = old != NULL && old->anchor[1].rod == NULL;
  eli_anchor_find(&of->anchor[0], &now);
  of->world.motion = def->motion;
  memcpy(of->world.position, !eli_all_nan(def->position, 3) ? def->position : keeps ? old->world.position : now.point, sizeof now.point);
  memcpy(of->world.director,
         !eli_all_nan(def->director, 9) ? def->director
         : keeps                        ? old->world.director
                                        : now.director,
         sizeof now.director);
}

/* Stores the axis in the components of each body. */
static void take_axes(joint *of, const double axis[3], double length, const eli_anchored at[2]) {
  for (int k = 0; k < 2; k++)
    for (int a = 0; a < 3; a++)
      of->axis[k][a] = k == 0 && of->axis_in_world ? axis[a] / length : eli_dot(at[k].director + 3 * a, axis) / length;
}

/* Copies a direction, divided by its largest component if its square is out of range. Returns its length; 0: it has no direction. */
static double copy_direction(const double given[3], double out[3]) {
  double most = 0.0;
  for (int a = 0; a < 3; a++)
    if (fabs(given[a]) > most) most = fabs(given[a]);
  if (!(most > 0.0)) return 0.0;
  const double unit = most < ELI_LARGEST && most > 1.0 / ELI_LARGEST ? 1.0 : most;
  for (int a = 0; a < 3; a++) out[a] = given[a] / unit;
  return sqrt(eli_dot(out, out));
}

/* Stores the relative position of the bodies: the present one, or that of the old joint. */
static elastica_status take_pose(const eli_request *request, const joint_def *def, const joint *old, joint *of) {
  eli_anchored at[2];
  double axis[3];
  const double length = copy_direction(def->axis, axis);
  if (old != NULL) memcpy(of->pose, old->pose, sizeof of->pose);
  if (old != NULL && old->kind == ELASTICA_JOINT_HINGE && old->axis_in_world == of->axis_in_world)
    memcpy(of->axis, old->axis, sizeof of->axis);
  if (old != NULL && (of->kind != ELASTICA_JOINT_HINGE || eli_dot(of->axis[1], of->axis[1]) > 0.0)) return ELASTICA_OK;
  if (of->kind == ELASTICA_JOINT_HINGE && !(length > 0.0))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.axis of a hinge is %s", request->function,
                                 eli_all_nan(def->axis, 3) ? "not set" : "zero");
  const elastica_status status = eli_joint_find_bodies(of, elastica_world_get(request->world).time, at);
  if (status != ELASTICA_OK)
    return elastica_world_refuse(request->world, status, "%s: joint_def.motion fails: %s", request->function,
                                 eli_world_reason(request->world));
  if (old == NULL) eli_relative_rotation(at[1].director, at[0].director, of->pose);
  if (of->kind != ELASTICA_JOINT_HINGE) return ELASTICA_OK;
  take_axes(of, axis, length, at);
  return ELASTICA_OK;
}

/* Returns 1 for rods that are already glued at these places. */
static int stays_glued(const joint *old, const joint *of) {
  int stays = old != NULL && old->kind == ELASTICA_JOINT_SIDE_BY_SIDE;
  for (int k = 0; k < 2 && stays; k++)
    stays = of->anchor[k].element == old->anchor[k].element && of->anchor[k].share == old->anchor[k].share;
  return stays;
}

static elastica_status glue(const eli_request *request, const joint *old, joint *of) {
  for (int k = 0; k < 2; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const char *name = k == 0 ? "first" : "second";
    if (anchor->rod == NULL || anchor->rod->rigid)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s.rod is %s: SIDE_BY_SIDE is for two rods",
                                   request->function, name, anchor->rod == NULL ? "NULL" : "a rigid body");
    if (eli_dot(anchor->offset, anchor->offset) > 0.0)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: joint_def.%s.offset is not 0: a joint SIDE_BY_SIDE chooses it itself", request->function, name);
  }
  for (int k = 0; k < 2 && old != NULL; k++) memcpy(of->anchor[k].offset, old->anchor[k].offset, sizeof of->anchor[k].offset);
  if (old != NULL || joint_put_between_surfaces(of)) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: joint_def.first and second are at one point: SIDE_BY_SIDE needs a direction between them",
                               request->function);
}

/* Returns 1 if a joint FIXED is at the end of a rod, with a half-cell between its frame and the anchor. */
static int has_half_cell(const eli_joint *of) {
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL && of->kind == ELASTICA_JOINT_FIXED; k++)
    if (eli_half_cell_length(of->anchor[k].rod, of->anchor[k].element, of->anchor[k].share) > 0.0) return 1;
  return 0;
}

/* Adds share/value of each axis of the element of an anchor, in axes of the second frame: value [a][j], one lane per axis. */
static void add_inverse(const eli_joint *of, int k, double share, const double *const value[3], double out[9]) {
  const int j = of->anchor[k].element;
  for (int b = 0; b < 3; b++) {
    double axis[3];
    for (int a = 0; a < 3; a++) axis[a] = k == 0 ? of->pose[3 * a + b] : a == b;
    eli_add_outer(out, share / value[b][j], axis, axis);
  }
}

/* Returns the largest eigenvalue of K M, by that of M^1/2 K M^1/2; M: the mobility of both frames. */
static double find_fastest(const eli_joint *of) {
  double stiffness[9], mobility[9] = {0.0}, root[9] = {0.0}, product[9], values[3], axes[9];
  find_turning_stiffness(of, stiffness);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) add_inverse(of, k, 1.0, of->anchor[k].rod->inertia, mobility);
  eli_principal_axes(mobility, values, axes);
  for (int b = 0; b < 3; b++) eli_add_outer(root, sqrt(values[b] > 0.0 ? values[b] : 0.0), axes + 3 * b, axes + 3 * b);
  eli_matrix_product(root, stiffness, product);
  eli_matrix_product(product, root, stiffness);
  eli_principal_axes(stiffness, values, axes);
  const double larger = values[0] > values[1] ? values[0] : values[1];
  return larger > values[2] ? larger : values[2];
}

/* Puts the spring kappa between two ends and the half-cells there in series: C = 1/kappa + P C1 P^T + C2 in axes of the second frame, and
 * K = C^-1 = kappa + D with the least eigenvalue of K as the new kappa. Angles of half-cells are of the order of an element: sums of them
 * are exact to second order. */
static void put_in_series(eli_joint *of) {
  double flexibility[9] = {0.0}, values[3], axes[9];
  memset(of->deviator, 0, sizeof of->deviator);
  of->most_deviation = 0.0;
  of->watched = LEAST_WATCHED;
  if (!has_half_cell(of) || of->angular_stiffness == 0.0) return;
  eli_add_diagonal(flexibility, of->angular_stiffness < INFINITY ? 1.0 / of->angular_stiffness : 0.0);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const double length = eli_half_cell_length(anchor->rod, anchor->element, anchor->share);
    if (length > 0.0) add_inverse(of, k, length, anchor->rod->element_bend_stiffness, flexibility);
  }
  eli_principal_axes(flexibility, values, axes);
  double largest = values[0], least = INFINITY;
  for (int a = 1; a < 3; a++)
    if (values[a] > largest) largest = values[a];
  of->angular_stiffness = 1.0 / largest;
  for (int b = 0; b < 3; b++) {
    const double value = values[b] > 1e-14 * largest ? values[b] : 1e-14 * largest, more = 1.0 / value - of->angular_stiffness;
    const double *axis = axes + 3 * b;
    if (value < least) least = value;
    for (int a = 0; a < 3; a++) of->deviator[a] += more * axis[a] * axis[a];
    for (int a = 0; a < 3; a++) of->deviator[3 + a] += more * axis[(a + 1) % 3] * axis[(a + 2) % 3];
  }
  of->most_deviation = 1.0 / least - of->angular_stiffness;
  of->fastest = find_fastest(of);
}

/* Chooses a stiffness: the given one, or load over allowance, or that of the elements; infinite between frames of which one is at an end,
 * where the half-cells make it finite. */
static elastica_status choose(const eli_request *request, const joint *of, double given, double load, double allowance, int turning,
                              double *out) {
  if (eli_is_nan(load) != eli_is_nan(allowance) || (!eli_is_nan(given) && !eli_is_nan(load)))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s: give either the stiffness, or both of %s",
                                 request->function, turning ? "angular_stiffness" : "stiffness",
                                 turning ? "couple and angle" : "force and gap");
  const int rigid = turning && eli_is_nan(given) && eli_is_nan(load) && has_half_cell(of);
  *out = !eli_is_nan(given) ? given : !eli_is_nan(load) ? load / allowance : rigid ? INFINITY : joint_softer(of, turning);
  if (*out < INFINITY || rigid) return ELASTICA_OK;
  *out = 0.0;
  if (turning && of->kind == ELASTICA_JOINT_BALL) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: joint_def.%s is not set, and a rigid body has none to take it from", request->function,
                               turning ? "angular_stiffness" : "stiffness");
}

static int limits_are_sound(double least, double most) {
  return (least == -INFINITY && most == INFINITY) || (least <= most && least > -ELI_PI && most < ELI_PI);
}

/* Refuses a limit or motor of a joint of another kind, or of a hinge with an axis fixed in the world. */
static elastica_status refuse_angle(const eli_request *request, const joint_def *def, const char *why) {
  const char *const name[] = {"least_angle", "most_angle", "motor"};
  const double value[] = {def->least_angle, def->most_angle, def->motor}, unset[] = {-INFINITY, INFINITY, 0.0};
  for (int k = 0; k < 3; k++)
    if (value[k] != unset[k])
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s is %g %s: %s", request->function, name[k],
                                   value[k], k < 2 ? "rad" : "N m", why);
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.drive is set: %s", request->function, why);
}

static elastica_status check_limits(const eli_request *request, const joint_def *def) {
  const int given = def->least_angle > -INFINITY || def->most_angle < INFINITY || def->motor != 0.0 || def->drive != NULL;
  if (given && def->kind != ELASTICA_JOINT_HINGE) return refuse_angle(request, def, "only a HINGE has limits of its angle, and a motor");
  if (given && def->axis_in_world)
    return refuse_angle(request, def, "a hinge whose axis stays in the world has no limits of its angle and no motor");
  if (!limits_are_sound(def->least_angle, def->most_angle))
    return elastica_world_refuse(
        request->world, ELASTICA_INVALID_ARGUMENT,
        "%s: joint_def.least_angle is %g and most_angle %g: they must be in this order, within -pi and pi; both or neither",
        request->function, def->least_angle, def->most_angle);
  return ELASTICA_OK;
}

static elastica_status check_unused(const eli_request *request, const joint_def *def) {
  static const char *const kinds[] = {"kind BALL", "kind HINGE", "kind FIXED", "kind SIDE_BY_SIDE"};
  elastica_status status = ELASTICA_OK;
  if (def->kind != ELASTICA_JOINT_HINGE) status = eli_def_refuse_unused(request->world, &layout, def, HINGE, kinds[def->kind]);
  if (status == ELASTICA_OK && def->kind == ELASTICA_JOINT_BALL)
    status = eli_def_refuse_unused(request->world, &layout, def, TURNING, kinds[def->kind]);
  if (status != ELASTICA_OK || def->second.rod == NULL || (eli_all_nan(def->position, 3) && eli_all_nan(def->director, 9))) return status;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: joint_def.%s is set, but only a second anchor in the world uses it", request->function,
                               eli_all_nan(def->position, 3) ? "director" : "position");
}

static elastica_status check_bodies(const eli_request *request, const joint_def *def, const joint *of) {
  const joint *old = request->old;
  if (old != NULL && (of->anchor[0].rod != old->anchor[0].rod || of->anchor[1].rod != old->anchor[1].rod))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the joint is between other rods", request->function);
  if (of->anchor[0].rod == of->anchor[1].rod && of->anchor[0].element == of->anchor[1].element)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: both anchors are on element %d of rod %d",
                                 request->function, of->anchor[0].element, of->anchor[0].rod->rod_index);
  if (def->motion != NULL && of->anchor[1].rod != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.motion is for a second anchor in the world",
                                 request->function);
  return ELASTICA_OK;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const joint_def *def = given;
  joint *of = self;
  elastica_status status = eli_anchor_read(request, "joint_def.first", &def->first, &of->anchor[0]);
  if (status == ELASTICA_OK && def->second.rod != NULL) status = eli_anchor_read(request, "joint_def.second", &def->second, &of->anchor[1]);
  if (status == ELASTICA_OK) status = check_unused(request, def);
  if (status == ELASTICA_OK) status = check_limits(request, def);
  if (status == ELASTICA_OK) status = check_bodies(request, def, of);
  if (status != ELASTICA_OK) return status;
  of->owner = request->world;
  of->kind = def->kind;
  of->axis_in_world = def->kind == ELASTICA_JOINT_HINGE && def->axis_in_world;
  of->damping = def->damping;
  of->least_angle = def->least_angle, of->most_angle = def->most_angle, of->motor = def->motor, of->drive = def->drive;
  of->world.world = request->world;
  of->world.user = def->user;
  const joint *old = request->old;
  if (of->kind == ELASTICA_JOINT_SIDE_BY_SIDE) {
    if (!stays_glued(old, of)) old = NULL;
    status = glue(request, old, of);
  }
  if (status != ELASTICA_OK) return status;
  if (of->anchor[1].rod == NULL) place_in_world(def, request->old, of);
  status = take_pose(request, def, old, of);
  if (status == ELASTICA_OK) status = choose(request, of, def->stiffness, def->force, def->gap, 0, &of->stiffness);
  if (status == ELASTICA_OK) status = choose(request, of, def->angular_stiffness, def->couple, def->angle, 1, &of->angular_stiffness);
  if (status == ELASTICA_OK && of->kind == ELASTICA_JOINT_SIDE_BY_SIDE && !(of->angular_stiffness > 0.0))
    status = elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: joint_def.angular_stiffness is 0: a joint SIDE_BY_SIDE resists twist", request->function);
  put_in_series(of);
  module->add_world_loads = add_world_loads;
  module->add_world_stiffness = add_world_stiffness;
  module->acts_on = acts_on;
  module->needs_geometry = 0;
  module->energy = energy;
  module->add_tangent = add_tangent;
  return status;
}

static void functions_of(void *own, eli_function *of, int set) {
  joint *held = own;
  eli_prescribed_function(&held->world, of, set);
  if (set)
    held->drive = (elastica_status(*)(void *, double, double, double, double *))of->drive;
  else
    of->drive = (void (*)(void))held->drive;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  joint *of = own;
  int kind_of = (int)of->kind;
  (void)rod, (void)module;
  eli_record_int(record, "kind", &kind_of, 0, ELASTICA_JOINT_SIDE_BY_SIDE);
  of->kind = (elastica_joint_kind)kind_of;
  eli_prescribed_keep(&of->world, NULL, record);
  for (int k = 0; k < 2; k++) {
    const int count = of->anchor[k].rod != NULL ? of->anchor[k].rod->element_count : 1;
    eli_record_int(record, "element", &of->anchor[k].element, 0, count - 1);
    eli_record_finite(record, "share", &of->anchor[k].share, 1);
    eli_record_finite(record, "offset", of->anchor[k].offset, 3);
    eli_record_finite(record, "axis", of->axis[k], 3);
  }
  eli_record_int(record, "axis_in_world", &of->axis_in_world, 0, 1);
  eli_record_finite(record, "pose", of->pose, 9);
  eli_record_finite(record, "stiffness", &of->stiffness, 1);
  eli_record_finite(record, "angular_stiffness", &of->angular_stiffness, 1);
  eli_record_finite(record, "deviator", of->deviator, 6);
  eli_record_finite(record, "most_deviation", &of->most_deviation, 1);
  eli_record_finite(record, "fastest", &of->fastest, 1);
  eli_record_finite(record, "damping", &of->damping, 1);
  eli_record_doubles(record, &of->least_angle, 1);
  eli_record_doubles(record, &of->most_angle, 1);
  eli_record_finite(record, "motor", &of->motor, 1);
  eli_record_same(record, "drive", of->drive != NULL);
}

static int joins(const void *self, eli_join *out) {
  const joint *of = self;
  for (int k = 0; k < 2; k++) {
    out->rod[k] = of->anchor[k].rod;
    out->element[k] = of->anchor[k].element;
    out->share[k] = of->anchor[k].share;
  }
  return of->anchor[1].rod != NULL;
}

static const eli_prescribed *prescribed_of(const void *self) {
  return &((const joint *)self)->world;
}

static const eli_built_in kind = {.name = "joint",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(joint),
                                  .describe = describe,
                                  .keep = keep,
                                  .function = functions_of,
                                  .prescribed = prescribed_of,
                                  .joins = joins,
                                  .resolves = resolves,
                                  .one_sided = one_sided,
                                  .find = find,
                                  .fixed_joint = fixed_joint};

void elastica_joint_def_init(elastica_joint_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_joint(elastica_world *world, const elastica_joint_def *def, elastica_effect **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (def == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_joint: def is NULL");
  joint_def whole;
  elastica_status status = eli_world_check_open(world, "add_joint", 1);
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, &whole, def);
  if (status == ELASTICA_OK && whole.first.rod == NULL)
    status =
        elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_joint: joint_def.first.rod is NULL; a joint with the world has it");
  return status == ELASTICA_OK ? eli_add_built_in(&kind, world, whole.first.rod, &whole, out) : status;
}

elastica_status elastica_joint_set(elastica_effect *effect, const elastica_joint_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

/* Computes the step [s] of the elements at both anchors and next to them. */
static elastica_status find_step(const joint *of, elastica_world *world, double *dt) {
  elastica_status status = ELASTICA_OK;
  *dt = INFINITY;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL && status == ELASTICA_OK; k++)
    status = eli_world_limit_near(world, of->anchor[k].rod->rod_index, of->anchor[k].element, "joint_get", dt);
  return status;
}

elastica_status elastica_joint_get(elastica_effect *effect, elastica_joint_info *out) {
  elastica_status status = eli_effect_check_kind(effect, "joint_get", &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_get(effect).world, "joint_get");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_get(effect).world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "joint_get: out is NULL");
  const joint *of = elastica_effect_get(effect).self;
  eli_joined now;
  eli_world_enter_call(world);
  status = joint_find(of, elastica_world_get(world).time, 1, &now);
  if (status == ELASTICA_OK && of->kind == ELASTICA_JOINT_HINGE && (of->motor != 0.0 || of->drive != NULL))
    status = add_drive(of, &now, elastica_world_get(world).time, now.couple);
  eli_world_leave_call(world);
  if (status == ELASTICA_CALLBACK_FAILED)
    return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "joint_get: %s", eli_world_reason(world));
  double dt;
  status = find_step(of, world, &dt);
  if (status != ELASTICA_OK && status != ELASTICA_JOINT_TOO_FAR) return status;
  memset(out, 0, sizeof *out);
  out->gap = sqrt(eli_dot(now.gap, now.gap));
  out->angle = now.angle;
  out->turn = now.turn;
  for (int a = 0; a < 3; a++) out->force[a] = -of->stiffness * now.gap[a], out->couple[a] = now.couple[a];
  out->stiffness = of->stiffness;
  out->angular_stiffness = of->kind != ELASTICA_JOINT_BALL ? of->angular_stiffness : 0.0;
  for (int k = 0; k < 2; k++) memcpy(out->position[k], now.at[k].point, sizeof now.at[k].point);
  out->dt = dt;
  return ELASTICA_OK;
}
