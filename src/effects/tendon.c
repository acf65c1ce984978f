/* Tendon: a cable under tension through guides on rods and rigid bodies.
 *
 * models     a tendon in its sheaths, driven by a motor or a muscle at its first end; also a rope, slack below its length
 * equation   F_i = T_i t_i - T_{i-1} t_{i-1} on guide i, t the unit vectors between guides
 *            T_0 = a T, or a k max(0, length - rest_length) + c dlength/dt
 *            c = 2 zeta sqrt(a k m), at most m/(2 dt), m = 1/mobility of the length
 *            T_i = T_{i-1} exp(-mu phi_i v_i/sqrt(v_i^2 + v_s^2)), phi_i the turn at guide i, v_i = -d/dt of the length behind it
 * source     Euler and Eytelwein (capstan); the rest is the gradient of the length
 * parameters guides, T [N] or k [N/m] and rest length [m], activation, zeta, mu, v_s [m/s]
 * conserves  momentum and angular momentum, if no guide is in the world; energy without drive, damping and friction
 * test       tests/test_tendon.c, tests/test_tendon_laws.c, tests/test_tendon_slack.c
 *
 * A tendon on one rod is an effect on that rod, otherwise an effect between rods.
 *
 * Second order along a rod: frames stand in the middle of elements, guides at nodes. So the mean of the two frames at a node carries its
 * guide. One frame alone would turn the cable by half a joint against the edges, which adds l h kappa_1 kappa_3/2 to its length: an error
 * of first order in a rod that bends and twists. At a clamp the frame of the support carries the guide: the bend of its half-cell is in the
 * state, whatever loads cause it. The end section of a run inside a rod, or at a free end, turns against the frames there under T h itself
 * (give_of): a compliance in series with the spring, so forces keep their potential.
 */
#include "base/target.h"

#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/matrix.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "effects/anchor.h"
#include "effects/boundary.h"
#include "effects/resolve.h"
#include "hooks/built_in.h"
#include "state/definition.h"

/* Two guides with a distance of less than this share of their coordinates have met: rounding decides the direction of their span. */
#define CLOSED 1e-12

/* ---- Guides and their carriers ---- */

/* Returns the number of the carrier m of guide k: 0, 1; or -1 if there is none. */
static int carrier_of(const eli_tendon *of, int k, int m) {
  if (m == 0) return k;
  return of->guide[of->count + k].rod != NULL ? of->count + k : -1;
}

/* Returns the share of each carrier of guide k. */
static double share_of(const eli_tendon *of, int k) {
  return carrier_of(of, k, 1) < 0 ? 1.0 : 0.5;
}

/* Returns 1 or 2 for a guide with an offset in the first or the last section of an open rod, else 0. */
static int end_section(const eli_anchor *guide) {
  const elastica_rod_view *rod = guide->rod;
  if (rod == NULL || rod->rigid || rod->closed || eli_dot(guide->offset, guide->offset) == 0.0) return 0;
  if (guide->element == 0 && guide->share == 0.0) return 1;
  return guide->element + 1 == rod->element_count && guide->share == 1.0 ? 2 : 0;
}

/* Finds the carrier and, if the cable needs rates, the velocity of its point. alike: the same element at its other end, or NULL: its frame
 * and spin are those found there. */
static inline void find_carrier(const eli_anchor *guide, const eli_anchored *alike, int moves, eli_anchored *at, double velocity[3]) {
  if (guide->rod == NULL) {
    memset(at, 0, sizeof *at);
    memcpy(at->axis, guide->offset, sizeof at->axis);
    memcpy(at->point, guide->offset, sizeof at->point);
    memset(velocity, 0, 3 * sizeof *velocity);
    return;
  }
  if (alike == NULL) {
    if (moves)
      eli_anchor_find(guide, at);
    else
      eli_anchor_find_place(guide, at);
  } else {
    double lever[3];
    eli_anchor_find_between(guide, guide->rod->position, at->axis);
    memcpy(at->director, alike->director, sizeof at->director);
    eli_turn_back(at->director, guide->offset, lever);
    for (int a = 0; a < 3; a++) at->point[a] = at->axis[a] + lever[a];
    if (moves) {
      eli_anchor_find_between(guide, guide->rod->velocity, at->velocity);
      memcpy(at->spin, alike->spin, sizeof at->spin);
    }
  }
  if (moves) eli_anchored_velocity(at, at->point, velocity);
}

/* Places a guide of an end section that a clamp holds: the frame of the support carries its offset. */
static void hold_guide(const eli_anchor *guide, const eli_placement *support, int moves, eli_anchored *at, eli_where *where) {
  eli_anchored held = *at;
  double lever[3];
  memcpy(held.director, support->director, sizeof held.director);
  eli_turn_back(held.director, guide->offset, lever);
  for (int a = 0; a < 3; a++) where->point[a] = at->axis[a] + lever[a];
  if (moves) {
    eli_turn_back(held.director, support->omega, held.spin);
    eli_anchored_velocity(&held, where->point, where->velocity);
  }
  memcpy(at->point, at->axis, sizeof at->point);
}

/* The section at the end of a run turns against the frames that carry the guide, which stand half an element away, because the couple h x T
 * t bends the halves of these elements, of stiffness 2 B/l each: the cable gets shorter by T times the result. */
static double give_of(const eli_tendon *of, int k) {
  const double *h = of->guide[k].offset, square[2] = {h[1] * h[1], h[0] * h[0]};
  double sum = 0.0;
  for (int a = 0; a < 2; a++) {
    double stiffness = 0.0;
    for (int m = 0, i; m < 2 && (i = carrier_of(of, k, m)) >= 0; m++) {
      const elastica_rod_view *rod = of->guide[i].rod;
      const int j = of->guide[i].element;
      stiffness += 2.0 * rod->element_bend_stiffness[a][j] / rod->rest_length[j];
    }
    sum += square[a] / stiffness;
  }
  return sum;
}

static void find_guide(eli_tendon *of, int k, double time, int stands, int moves) {
  eli_where *where = &of->where[k];
  find_carrier(&of->guide[k], NULL, moves, &of->at[k], where->velocity);
  memcpy(where->point, of->at[k].point, sizeof where->point);
  of->held[k] = 0;
  const int other = carrier_of(of, k, 1), end = of->section[k];
  if (other >= 0) {
    double velocity[3];
    const int behind = k > 0 && of->guide[k - 1].element == of->guide[other].element;
    find_carrier(&of->guide[other], behind ? &of->at[k - 1] : NULL, moves, &of->at[other], velocity);
    for (int a = 0; a < 3; a++) where->point[a] = 0.5 * (where->point[a] + of->at[other].point[a]);
    for (int a = 0; a < 3 && moves; a++) where->velocity[a] = 0.5 * (where->velocity[a] + velocity[a]);
    if (k == 0 || k + 1 == of->count) of->give += give_of(of, k);
  }
  if (end == 0) return;
  eli_placement place;
  const eli_support support = eli_support_find(of->world, of->guide[k].rod, end == 2, time, stands, &place);
  if (support == ELI_NO_SUPPORT && of->is_run) of->give += give_of(of, k);
  of->held[k] = support == ELI_CLAMP_SUPPORT;
  if (of->held[k]) hold_guide(&of->guide[k], &place, moves, &of->at[k], where);
}

/* ---- Path of the cable ---- */

static void find_span(eli_span *span, const eli_where *from, const eli_where *to, int moves) {
  double across[3];
  for (int a = 0; a < 3; a++) across[a] = to->point[a] - from->point[a];
  span->length = sqrt(eli_dot(across, across));
  span->rate = 0.0;
  for (int a = 0; a < 3; a++) {
    span->along[a] = span->length != 0.0 ? across[a] / span->length : 0.0;
    if (moves) span->rate += span->along[a] * (to->velocity[a] - from->velocity[a]);
  }
}

static double turn_between(const double before[3], const double after[3]) {
  double across[3];
  eli_cross(before, after, across);
  return eli_atan2(sqrt(eli_dot(across, across)), eli_dot(before, after));
}

/* Finds position of the cable; with moves 1 also its motion, which is 0 otherwise; with turns 1 also its angles at the guides; stands 1:
 * supports do not move. */
static void tendon_find(eli_tendon *of, double time, int turns, int stands, int moves) {
  of->length = of->rate = of->turned = of->give = 0.0;
  of->bend = 2.0;
  for (int k = 0; k < of->count; k++) find_guide(of, k, time, stands, moves);
  for (int k = 0; k + 1 < of->count; k++) {
    eli_span *span = &of->span[k];
    find_span(span, &of->where[k], &of->where[k + 1], moves);
    span->turn = k > 0 && turns ? turn_between(span[-1].along, span->along) : 0.0;
    of->length += span->length;
    of->rate += span->rate;
    of->turned += span->turn;
    if (k > 0) of->bend += 2.0 - 2.0 * eli_dot(span[-1].along, span->along);
  }
}

/* ---- Places moved by the guides ---- */

/* Returns the number of a place, and adds it to the list if it is new; consecutive guides share places, so the search starts at the end. */
static int place_of(eli_tendon *of, const elastica_rod_view *rod, int index, int turns) {
  for (int k = of->place_count - 1; k >= 0; k--)
    if (of->place[k].rod == rod && of->place[k].index == index && of->place[k].turns == turns) return k;
  of->place[of->place_count] = (eli_place){.rod = rod, .index = index, .turns = turns};
  return of->place_count++;
}

static void list_carrier(eli_tendon *of, int i) {
  const eli_anchor *guide = &of->guide[i];
  int *places = of->places[i];
  places[0] = places[1] = places[2] = -1;
  if (guide->rod == NULL) return;
  const int j = guide->element, next = guide->rod->closed && j + 1 == guide->rod->element_count ? 0 : j + 1;
  if (guide->share < 1.0) places[0] = place_of(of, guide->rod, j, 0);
  if (guide->share > 0.0) places[1] = place_of(of, guide->rod, next, 0);
  if (eli_dot(guide->offset, guide->offset) > 0.0) places[2] = place_of(of, guide->rod, j, 1);
}

/* Makes the list of places; call it after guides have changed. */
static void tendon_list(eli_tendon *of) {
  of->place_count = 0;
  for (int k = 0; k < of->count; k++) {
    list_carrier(of, k);
    list_carrier(of, of->count + k);
  }
}

static void weigh(eli_tendon *of) {
  for (int k = 0; k < of->place_count; k++) {
    eli_place *place = &of->place[k];
    const eli_anchor element = {.rod = place->rod, .element = place->index};
    place->inertia = place->turns ? eli_anchor_inertia(&element) : place->rod->mass[place->index];
    memset(place->pull, 0, sizeof place->pull);
  }
}

/* Adds to the pull on a place; returns the resulting change of the mobility. */
static double add_pull(eli_tendon *of, int number, double share, const double pull[3]) {
  if (number < 0) return 0.0;
  eli_place *place = &of->place[number];
  const double before = eli_dot(place->pull, place->pull);
  for (int a = 0; a < 3; a++) place->pull[a] += share * pull[a];
  return (eli_dot(place->pull, place->pull) - before) / place->inertia;
}

static double add_carrier(eli_tendon *of, int i, double sign, const double along[3]) {
  const eli_anchor *guide = &of->guide[i];
  double lever[3], turn[3];
  for (int a = 0; a < 3; a++) lever[a] = of->at[i].point[a] - of->at[i].axis[a];
  eli_cross(lever, along, turn);
  return add_pull(of, of->places[i][0], sign * (1.0 - guide->share), along) + add_pull(of, of->places[i][1], sign * guide->share, along) +
         add_pull(of, of->places[i][2], sign, turn);
}

static double add_guide(eli_tendon *of, int k, double sign, const double along[3]) {
  const int other = carrier_of(of, k, 1);
  if (other < 0) return add_carrier(of, k, sign, along);
  return add_carrier(of, k, 0.5 * sign, along) + add_carrier(of, other, 0.5 * sign, along);
}

/* Returns an upper limit of the mobility of the whole cable under tension [1/kg]. slip, unless NULL, becomes the sum over inner guides of
 * their angle times the mobility of the cable behind them. */
static double tendon_mobility(eli_tendon *of, double *slip) {
  double mobility = 0.0, sum = 0.0;
  weigh(of);
  for (int k = of->count - 2; k >= 0; k--) {
    mobility += add_guide(of, k + 1, 1.0, of->span[k].along);
    mobility += add_guide(of, k, -1.0, of->span[k].along);
    sum += of->span[k].turn * (mobility > 0.0 ? mobility : 0.0);
  }
  if (slip != NULL) *slip = sum;
  return mobility > 0.0 ? mobility : 0.0;
}

/* ---- Tension ---- */

/* Returns the stiffness of the spring at its present activation [N/m], in series with the free ends of a run. */
static double spring_of(const eli_tendon *of) {
  const double stiffness = of->active * of->def.stiffness;
  return stiffness / (1.0 + stiffness * of->give);
}

/* Returns c = 2 zeta sqrt(k m), limited so that it removes at most half of the rate within dt. */
static double damping_rate(eli_tendon *of, double dt) {
  const double mobility = tendon_mobility(of, NULL);
  if (!(mobility > 0.0)) return 0.0;
  const double rate = 2.0 * of->def.damping * sqrt(spring_of(of) / mobility), most = dt > 0.0 ? 0.5 / (mobility * dt) : INFINITY;
  return rate < most ? rate : most;
}

/* Returns the tension at the first guide: that of the spring, and of its damping, which is never more than that. */
static double first_tension(eli_tendon *of, double dt) {
  if (!of->is_spring) return of->active * of->def.tension;
  const double over = of->length - of->def.rest_length, pull = over <= 0.0 ? 0.0 : spring_of(of) * over;
  if (!(of->def.damping > 0.0) || pull == 0.0) return pull;
  const double more = damping_rate(of, dt) * of->rate;
  return pull + (more > pull ? pull : more < -pull ? -pull : more);
}

/* A cable that runs through a guide towards the first guide has more tension before than behind the guide, and less if it runs the other
 * way. */
static void lose_by_friction(eli_tendon *of) {
  double behind = of->rate;
  for (int k = 1; k + 1 < of->count; k++) {
    eli_span *span = &of->span[k];
    behind -= span[-1].rate;
    const double slide = -behind / of->def.sliding_speed, part = slide / sqrt(1.0 + slide * slide);
    span->tension = span[-1].tension * eli_exp(-of->def.friction * span->turn * part);
  }
}

/* Computes the activation at a length and its rate. CALLBACK_FAILED if the function fails. */
static elastica_status find_activation(eli_tendon *of, double time, double length, double rate, double *active) {
  *active = of->def.activation;
  if (of->def.drive == NULL) return ELASTICA_OK;
  const elastica_status status = of->def.drive(of->def.user, time, length, rate, active);
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK) return eli_world_explain(of->world, of, "its drive returned %s", eli_status_words(status, what));
  if (eli_is_moderate(*active) && *active >= 0.0) return ELASTICA_OK;
  return eli_world_explain(of->world, of, "its drive wrote the activation %g, which is outside 0..%g", *active, ELI_LARGEST);
}

/* Computes the tensions of a cable after tendon_find. dt 0: no limit of the damping by dt. CALLBACK_FAILED if the function fails. */
static elastica_status tendon_pull(eli_tendon *of, double time, double dt) {
  const elastica_status status = find_activation(of, time, of->length, of->rate, &of->active);
  if (status != ELASTICA_OK) return status;
  const double tension = first_tension(of, dt);
  for (int k = 0; k + 1 < of->count; k++) of->span[k].tension = tension;
  if (of->def.friction > 0.0 && tension != 0.0) lose_by_friction(of);
  return ELASTICA_OK;
}

/* ---- Loads ---- */

/* Computes the force [N] of the cable on a guide. */
static void tendon_force(const eli_tendon *of, int k, double force[3]) {
  for (int a = 0; a < 3; a++) {
    force[a] = k + 1 < of->count ? of->span[k].tension * of->span[k].along[a] : 0.0;
    if (k > 0) force[a] -= of->span[k - 1].tension * of->span[k - 1].along[a];
  }
}

/* Adds sign times a force [N] at the point on the centre line: the two nodes share it by the lever rule. */
static void pull(const eli_anchor *anchor, const elastica_loads *loads, double sign, const double force[3]) {
  const double share = anchor->share;
  const int j = anchor->element + (share == 1.0);
  if (share == 0.0 || share == 1.0) {
    for (int a = 0; a < 3; a++) loads->force[a][j] += sign * force[a];
    return;
  }
  for (int a = 0; a < 3; a++) {
    const double second = share * force[a];
    loads->force[a][j] += sign * (force[a] - second);
    loads->force[a][j + 1] += sign * second;
  }
}

/* Adds sign times a force at a point, and a couple. Force and moment about any point are exact to rounding. */
static void push(const eli_anchor *anchor, const eli_anchored *at, const elastica_loads *loads, double sign, const double point[3],
                 const double force[3], const double couple[3]) {
  double own[3];
  eli_anchored_couple(at, point, force, couple, own);
  pull(anchor, loads, sign, force);
  for (int a = 0; a < 3; a++) loads->couple[a][anchor->element] += sign * own[a];
}

/* Adds the loads of the cable; loads[0] belongs to the rod of index first. */
static void tendon_push(const eli_tendon *of, const elastica_loads *loads, int first) {
  const double none[3] = {0.0, 0.0, 0.0};
  double force[3];
  if (of->span[0].tension == 0.0) return;
  for (int k = 0; k < of->count; k++) {
    const eli_anchor *guide = &of->guide[k];
    if (guide->rod == NULL) continue;
    tendon_force(of, k, force);
    const int other = carrier_of(of, k, 1);
    const elastica_loads *to = &loads[guide->rod->rod_index - first];
    push(guide, &of->at[k], to, other < 0 ? 1.0 : 0.5, of->at[k].point, force, none);
    if (other >= 0) push(&of->guide[other], &of->at[other], to, 0.5, of->at[other].point, force, none);
  }
}

/* ---- The derivative of the loads ---- */

/* Adds a spring between two guides: their displacements are means of those of their carriers. */
static void add_between(const eli_tendon *of, int row, int column, const double spring[9], elastica_tangent *tangent) {
  const double share = share_of(of, row) * share_of(of, column);
  double part[9];
  if (of->guide[row].rod == NULL || of->guide[column].rod == NULL) return;
  for (int a = 0; a < 9; a++) part[a] = share * spring[a];
  for (int m = 0, i; m < 2 && (i = carrier_of(of, row, m)) >= 0; m++)
    for (int n = 0, j; n < 2 && (j = carrier_of(of, column, n)) >= 0; n++)
      eli_anchor_add_spring(&of->guide[i], &of->at[i], &of->guide[j], &of->at[j], part, tangent);
}

/* The moment of the force on a guide turns with the frames that carry it. */
static void add_arms(const eli_tendon *of, int k, elastica_tangent *tangent) {
  double force[3];
  if (of->guide[k].rod == NULL || of->held[k]) return;
  tendon_force(of, k, force);
  for (int a = 0; a < 3; a++) force[a] *= tangent->stress * share_of(of, k);
  for (int m = 0, i; m < 2 && (i = carrier_of(of, k, m)) >= 0; m++) eli_anchor_add_arm(&of->guide[i], &of->at[i], force, tangent);
}

/* Writes dL/dx for all places: the turn of a frame has material components. Returns the mobility of the length. */
static double find_gradient(eli_tendon *of) {
  const double mobility = tendon_mobility(of, NULL);
  for (int k = 0; k < of->place_count; k++) {
    eli_place *place = &of->place[k];
    double frame[9], own[3];
    if (!place->turns) continue;
    eli_frame_now(place->rod, place->index, frame);
    eli_turn(frame, place->pull, own);
    memcpy(place->pull, own, sizeof own);
  }
  for (int k = 0; k < of->place_count; k++) {
    const eli_place *place = &of->place[k];
    of->part[k] = (elastica_part){place->rod, place->index, place->turns};
    memcpy(of->gradient + 3 * k, place->pull, sizeof place->pull);
  }
  return mobility;
}

/* Adds slope dL/dx dL/dx^T of the length between all places. */
static void add_length(eli_tendon *of, double slope, elastica_tangent *tangent) {
  (void)find_gradient(of);
  tangent->add_spring(tangent->owner, of->place_count, of->part, of->gradient, slope);
}

/* Returns the change of the tension of the damper by the length in a stage of an implicit step, with that of the rate, at this slope of the
 * spring. */
static double damping_slope(eli_tendon *of, double slope, double rate_per_change) {
  const double pull = spring_of(of) * (of->length - of->def.rest_length), c = damping_rate(of, 0.0);
  if (!(of->def.damping > 0.0) || !(pull > 0.0)) return 0.0;
  return fabs(c * of->rate) < pull ? c * rate_per_change : of->rate > 0.0 ? slope : -slope;
}

/* The steps of the differences that give the slopes of a drive: over the length, as a share of it, and over the rate, as a share of the
 * length in the time of the stage, or of the rate. */
#define LENGTH_STEP 1e-5
#define RATE_STEP 1e-9

/* Computes da/dL of a drive [1/m]; in a stage of an implicit step the rate changes with the length by rate_per_change, else 0. */
static elastica_status derive_activation(eli_tendon *of, double time, double rate_per_change, double *slope) {
  const double length = of->length, step = LENGTH_STEP * length;
  double faster = RATE_STEP * length * rate_per_change, by_length[2], by_rate[2] = {0.0, 0.0};
  if (faster < LENGTH_STEP * fabs(of->rate)) faster = LENGTH_STEP * fabs(of->rate);
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? 1.0 : -1.0;
    elastica_status status = find_activation(of, time, length + sign * step, of->rate, &by_length[k]);
    if (status == ELASTICA_OK && rate_per_change > 0.0) status = find_activation(of, time, length, of->rate + sign * faster, &by_rate[k]);
    if (status != ELASTICA_OK) return status;
  }
  *slope = (by_length[0] - by_length[1]) / (2.0 * step);
  if (rate_per_change > 0.0) *slope += rate_per_change * (by_rate[0] - by_rate[1]) / (2.0 * faster);
  return ELASTICA_OK;
}

/* Computes dT/dL [N/m] of a cable at rest: of a taut spring a k/(1 + a k give), and with a drive a(L) also dT/da da/dL. */
static elastica_status find_slope(eli_tendon *of, double time, double *slope) {
  eli_trial trial;
  int keeps;
  const int in_stage = eli_world_trial(of->world, &trial, &keeps);
  const double over = of->length - of->def.rest_length, softer = 1.0 + of->active * of->def.stiffness * of->give;
  const double whole = of->is_spring ? of->def.stiffness * over / (softer * softer) : of->def.tension;
  *slope = of->is_spring ? spring_of(of) : 0.0;
  if (of->def.drive != NULL) {
    double by_drive;
    const elastica_status status = derive_activation(of, time, in_stage ? trial.rate_per_change : 0.0, &by_drive);
    if (status != ELASTICA_OK) return status;
    *slope += whole * by_drive;
  }
  if (in_stage && of->is_spring) *slope += damping_slope(of, *slope, trial.rate_per_change);
  return ELASTICA_OK;
}

/* A span of tension T and length l resists T/l across its direction; a tension that depends on the length adds dT/dL dL/dx dL/dx^T between
 * all guides. Friction resists only sliding: at rest the tension is the same in all spans. */
static elastica_status tendon_add_tangent(eli_tendon *of, double time, elastica_tangent *tangent) {
  double slope;
  int in_world = 0;
  if (of->is_spring && of->length <= of->def.rest_length) return ELASTICA_OK;
  const elastica_status status = find_slope(of, time, &slope);
  if (status != ELASTICA_OK) return status;
  for (int k = 0; k < of->count; k++) in_world = in_world || of->guide[k].rod == NULL;
  tangent->balanced = !in_world;
  for (int k = 0; k + 1 < of->count; k++) {
    const eli_span *span = &of->span[k];
    if (span->length == 0.0) continue; /* guides that coincide: no direction, and no force */
    const double stiffness = tangent->stress * span->tension / span->length;
    for (int side = 0; side < 4 && stiffness != 0.0; side++) {
      const double sign = side == 0 || side == 3 ? stiffness : -stiffness;
      double spring[9] = {0.0};
      eli_add_diagonal(spring, sign);
      eli_add_outer(spring, -sign, span->along, span->along);
      add_between(of, k + side / 2, k + side % 2, spring, tangent);
    }
  }
  if (slope != 0.0) add_length(of, slope, tangent);
  for (int k = 0; k < of->count; k++) add_arms(of, k, tangent);
  return ELASTICA_OK;
}

/* ---- The step limit ---- */

/* Returns the mobility of a guide [1/kg]. */
static double guide_mobility(const eli_tendon *of, int k) {
  const double share = share_of(of, k);
  if (of->guide[k].rod == NULL) return 0.0;
  if (share == 1.0) return eli_anchor_mobility(&of->guide[k], &of->at[k]);
  double sum = eli_anchor_mobility_at(&of->guide[k], &of->at[k], of->at[k].axis);
  for (int m = 0; m < 2; m++) {
    const int i = carrier_of(of, k, m);
    sum += share * share * eli_dot(of->guide[i].offset, of->guide[i].offset) / eli_anchor_inertia(&of->guide[i]);
  }
  return sum;
}

/* Adds the bounds of a guide with this stiffness across its span, as eli_anchor_bound does, and of its offsets under tension. */
static void bound_guide(const eli_tendon *of, int k, double stiffness, double mobility, double tension, const elastica_stiffness *to) {
  const eli_anchor *guide = &of->guide[k];
  const double offset = sqrt(eli_dot(guide->offset, guide->offset)), share = share_of(of, k);
  eli_anchor_bound(guide, to, stiffness, 0.0, mobility);
  to->element[guide->element] += share * tension * offset;
  if (share == 1.0) return;
  const eli_anchor *other = &of->guide[carrier_of(of, k, 1)];
  to->element[other->element] += stiffness * mobility * eli_anchor_inertia(other) + share * tension * offset;
}

/* T/L |x_{k+1} - x_k|^2 across a span, and T |t' - t| |offset| of frames: their points move on arcs. */
static void bound_guides(const eli_tendon *of, double tension, const elastica_stiffness *rods, int first) {
  for (int k = 0; k + 1 < of->count; k++) {
    const double stiffness = tension / of->span[k].length, mobility = guide_mobility(of, k) + guide_mobility(of, k + 1);
    for (int end = k; end <= k + 1; end++)
      if (of->guide[end].rod != NULL) bound_guide(of, end, stiffness, mobility, tension, &rods[of->guide[end].rod->rod_index - first]);
  }
}

/* k g g^T of the whole length, g its gradient: at most k times mobility times the inertia of each place; rates likewise. */
static void bound_places(const eli_tendon *of, double frequency, double rate, const elastica_stiffness *rods, int first) {
  for (int k = 0; k < of->place_count; k++) {
    const eli_place *place = &of->place[k];
    const elastica_stiffness *to = &rods[place->rod->rod_index - first];
    (place->turns ? to->element : to->node)[place->index] += frequency * place->inertia;
    (place->turns ? to->element_rate : to->node_rate)[place->index] += rate * place->inertia;
  }
}

/* Returns 1 if the cable will pull or go slack within this time at its present rate. */
static int changes_within(const eli_tendon *of, double time) {
  const double over = of->length - of->def.rest_length;
  return (over > 0.0) != (over + time * of->rate > 0.0);
}

/* Returns the square of the frequency [1/s^2] of the masses at the guides on the spring. */
static double frequency_of(const eli_tendon *of, double mobility) {
  return of->is_spring ? spring_of(of) * mobility : 0.0;
}

/* Returns 1 if a taut cable was slack within two periods: an oscillation that makes it slack does so in each period. */
static int was_slack(const eli_tendon *of, double frequency, double time) {
  const double passed = time - of->slack_at;
  return of->length > of->def.rest_length && passed * passed * frequency < 16.0 * ELI_PI * ELI_PI;
}

/* Called in a step with the tensions of the cable: notes the time of a slack spring, and returns 1 if it will pull or go slack within the
 * next steps and steps of now->dt, which the library chose, are too long for that (effects/resolve.h). */
static int tendon_step(eli_tendon *of, const elastica_instant *now) {
  const double dt = now->dt;
  if (!of->is_spring || !(dt > 0.0)) return 0;
  if (of->length <= of->def.rest_length) of->slack_at = now->time;
  if (!now->is_adaptive || !changes_within(of, ELI_STEPS_AWAITED * dt)) return 0;
  const double frequency = frequency_of(of, tendon_mobility(of, NULL));
  return frequency > 0.0 && eli_is_too_long(dt, frequency, 2.0 * of->def.damping * sqrt(frequency), 1.0, 1);
}

/* Adds bounds for the time until the next limit check; the tensions of the cable must be known. Steps that the library chooses resolve the
 * spring if it changes between slack and taut: within ELI_STEPS_COUNTED steps at the present rate, or if it was slack a short time ago. */
static void tendon_bound(eli_tendon *of, const elastica_instant *now, const elastica_stiffness *rods, int first) {
  double slip;
  const double mobility = tendon_mobility(of, &slip), grip = of->def.friction > 0.0 ? eli_exp(of->def.friction * of->turned) : 1.0;
  const double frequency = frequency_of(of, mobility), tension = grip * of->span[0].tension;
  const double damper = 2.0 * of->def.damping * sqrt(frequency);
  const double slider = of->def.friction > 0.0 ? of->def.friction / of->def.sliding_speed * tension * slip : 0.0;
  of->resolves = frequency > 0.0 && now->is_adaptive &&
                 (changes_within(of, ELI_STEPS_COUNTED * now->checked_dt) || was_slack(of, frequency, now->time)) &&
                 of->def.damping < ELI_DAMPED;
  const double resolved = of->resolves ? eli_resolved_stiffness(frequency, damper, 1.0) : 0.0;
  bound_guides(of, tension, rods, first);
  bound_places(of, ELI_KINK * grip * frequency + resolved, damper + slider, rods, first);
}

/* ---- Guides of a definition ---- */

static int from_end(int index, int count) {
  return index < 0 ? index + count : index;
}

static int tendon_count(const elastica_tendon_def *def) {
  if (def->rod == NULL) return def->guide_count;
  const int count = elastica_rod_get_view(def->rod)->element_count;
  return from_end(def->last, count) - from_end(def->first, count) + 2;
}

/* Returns a guide of a run: the first node of each element, then the second node of the last. */
static eli_anchor guide_of_run(const elastica_tendon_def *def, int k) {
  const elastica_rod_view *view = elastica_rod_get_view(def->rod);
  const int element = from_end(def->first, view->element_count) + k, behind = element > from_end(def->last, view->element_count);
  eli_anchor guide = {.rod = view, .element = element - behind, .share = behind ? 1.0 : 0.0};
  memcpy(guide.offset, def->offset, sizeof guide.offset);
  return guide;
}

static eli_anchor tendon_guide(const elastica_tendon_def *def, int k) {
  if (def->rod != NULL) return guide_of_run(def, k);
  const elastica_anchor *given = &def->guides[k];
  eli_anchor guide = {.rod = NULL};
  if (given->rod != NULL) {
    guide.rod = elastica_rod_get_view(given->rod);
    guide.element = from_end(given->element, guide.rod->element_count);
    guide.share = given->share;
  }
  memcpy(guide.offset, given->offset, sizeof guide.offset);
  return guide;
}

/* A changed tendon keeps the number of its guides. */
static elastica_status check_count(const eli_request *request, int count) {
  const eli_tendon *old = request->old;
  if (old == NULL || old->count == count) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the tendon has %d guides, not %d", request->function,
                               old->count, count);
}

static elastica_status check_run(const eli_request *request, const elastica_tendon_def *def) {
  int first, last;
  if (def->guides != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both set",
                                 request->function);
  if (def->guide_count != 0)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: tendon_def.guide_count is %d, but guides along tendon_def.rod are counted by the library",
                                 request->function, def->guide_count);
  elastica_status status = eli_rod_check_in(request->world, def->rod, request->function);
  if (status != ELASTICA_OK) return status;
  if (elastica_rod_get_view(def->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: tendon_def.rod is a rigid body, which has no run of elements", request->function);
  const int count = elastica_rod_get_view(def->rod)->element_count;
  status = eli_check_index(request->world, request->function, "tendon_def.first", def->first, count, &first);
  if (status == ELASTICA_OK) status = eli_check_index(request->world, request->function, "tendon_def.last", def->last, count, &last);
  if (status != ELASTICA_OK) return status;
  if (first <= last) return check_count(request, last - first + 2);
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: first element %d lies behind last element %d",
                               request->function, first, last);
}

static elastica_status check_guides(const eli_request *request, const elastica_tendon_def *def) {
  enum { NAME_SIZE = 40 };
  char name[NAME_SIZE];
  int on_rods = 0;
  if (def->guides == NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both NULL",
                                 request->function);
  if (def->guide_count < 2)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.guide_count is %d: a cable has two ends",
                                 request->function, def->guide_count);
  if (def->first != 0 || def->last != -1 || eli_dot(def->offset, def->offset) > 0.0)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: tendon_def.%s is set, but only guides along tendon_def.rod use it", request->function,
                                 def->first != 0   ? "first"
                                 : def->last != -1 ? "last"
                                                   : "offset");
  const elastica_status same = check_count(request, def->guide_count); /* before any guide is read */
  if (same != ELASTICA_OK) return same;
  for (int k = 0; k < def->guide_count; k++) {
    eli_anchor guide;
    const elastica_anchor *given = &def->guides[k];
    snprintf(name, sizeof name, "tendon_def.guides[%d]", k);
    const elastica_status status = given->rod != NULL ? eli_anchor_read(request, name, given, &guide)
                                                      : eli_check_numbers(request->world, name, ELI_RULE_NUMBER, given->offset, 3);
    if (status != ELASTICA_OK) return status;
    on_rods += given->rod != NULL;
  }
  if (on_rods > 0) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: no rod in tendon_def.guides, all are NULL",
                               request->function);
}

/* Checks that consecutive guides are apart, and that a changed tendon keeps the rods of its guides. */
static elastica_status check_way(const eli_request *request, const elastica_tendon_def *def) {
  const eli_tendon *old = request->old;
  const int count = tendon_count(def);
  eli_anchor guide[4] = {{.rod = NULL}};
  eli_anchored at[4];
  int held[2], section[2] = {0, 0}; /* apart in any section */
  eli_where where[2];
  eli_span span;
  eli_tendon pair = {
      .count = 2, .world = request->world, .guide = guide, .at = at, .held = held, .section = section, .where = where, .span = &span};
  for (int k = 0; k < count; k++) {
    guide[0] = tendon_guide(def, k);
    if (old != NULL && old->guide[k].rod != guide[0].rod)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guide %d of the tendon is on another rod",
                                   request->function, k);
    if (k + 1 == count) break;
    guide[1] = tendon_guide(def, k + 1);
    tendon_find(&pair, elastica_world_get(request->world).time, 0, 1, 0);
    if (!(span.length > 0.0))
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guides %d and %d are at the same point",
                                   request->function, k, k + 1);
  }
  return ELASTICA_OK;
}

static int tendon_has_several(const elastica_tendon_def *def, const elastica_rod *rod) {
  for (int k = 0; def->rod == NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL && def->guides[k].rod != rod) return 1;
  return 0;
}

static elastica_rod *tendon_first_rod(const elastica_tendon_def *def) {
  for (int k = 0; def->rod == NULL && def->guides != NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL) return def->guides[k].rod;
  return def->rod;
}

/* Guides of a definition. Check refuses invalid guides with a sentence. The others return the number of guides, one guide, 1 if a
 * guide is on a rod other than this one, and the first rod along the cable, or NULL. */
static elastica_status tendon_check(const eli_request *request, const elastica_tendon_def *def) {
  const elastica_status status = def->rod != NULL ? check_run(request, def) : check_guides(request, def);
  return status == ELASTICA_OK ? check_way(request, def) : status;
}

typedef elastica_tendon_def tendon_def;
static const eli_field fields[] = {
    ELI_FIELD(tendon_def, struct_size),
    ELI_FIELD(tendon_def, rod),
    ELI_FIELD(tendon_def, first),
    ELI_FIELD(tendon_def, last),
    ELI_NUMBERS(tendon_def, offset, ELI_RULE_NUMBER),
    ELI_FIELD(tendon_def, guides),
    ELI_FIELD(tendon_def, guide_count),
    ELI_NUMBERS(tendon_def, tension, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, rest_length, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, activation, ELI_RULE_NOT_NEGATIVE),
    ELI_FUNCTION(tendon_def, drive),
    ELI_USER(tendon_def, user),
    ELI_NUMBERS(tendon_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(tendon_def, friction, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(tendon_def, sliding_speed, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
};
static const tendon_def defaults = {
    .last = -1, .tension = NAN, .stiffness = NAN, .rest_length = NAN, .activation = 1.0, .sliding_speed = NAN};
static const eli_layout layout = ELI_LAYOUT("tendon_def", tendon_def, fields, defaults);

typedef struct tendon {
  eli_tendon cable; /* first member: queries and hooks identify the tendon by it */
  eli_allocator allocator;
  int several;                                             /* 1: it connects more than one rod */
  int is_set;                                              /* 1: its rest length is known */
  double bounded_tension, bounded_stiffness, bounded_bend; /* values in the last bound for the step limit */
} tendon;

/* ---- Hooks ---- */

/* Finds the cable and its tensions. The step limits the damping of an explicit step alone. */
static elastica_status find(eli_tendon *of, const elastica_instant *now, double dt) {
  eli_trial trial;
  int keeps;
  const int moves =
      of->def.drive != NULL || of->def.friction > 0.0 || (of->is_spring && (of->def.damping > 0.0 || now->is_adaptive)); /* uses rates */
  tendon_find(of, now->time, of->def.friction > 0.0, now->is_frozen, moves);
  return tendon_pull(of, now->time, eli_world_trial(of->world, &trial, &keeps) ? 0.0 : dt);
}

static double largest_tension(const eli_tendon *of) {
  double most = 0.0;
  for (int k = 0; k + 1 < of->count; k++)
    if (of->span[k].tension > most) most = of->span[k].tension;
  return most;
}

/* Returns a tension too small for a limit check: a hundredth of its own stiffness times the shortest span, or of the tension. */
static double small_tension(const eli_tendon *of) {
  double shortest = INFINITY;
  if (!of->is_spring) return 0.01 * of->def.tension;
  for (int k = 0; k + 1 < of->count; k++)
    if (of->span[k].length < shortest) shortest = of->span[k].length;
  return 0.01 * of->def.stiffness * shortest;
}

/* Returns 1 if the tendon exceeds one of its bounds by a quarter. */
static int outgrown(const tendon *own) {
  const eli_tendon *of = &own->cable;
  return largest_tension(of) > 1.25 * own->bounded_tension + small_tension(of) ||
         of->active * of->def.stiffness > 1.25 * own->bounded_stiffness + 0.01 * of->def.stiffness ||
         of->bend > 1.25 * own->bounded_bend + 0.05;
}

static int looks_again(tendon *own, const elastica_instant *now) {
  const int awaits = now->purpose == ELASTICA_PURPOSE_STEP && tendon_step(&own->cable, now);
  return awaits || outgrown(own);
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  tendon *own = self;
  const elastica_status status = find(&own->cable, now, now->dt);
  if (status != ELASTICA_OK) return status;
  tendon_push(&own->cable, loads, rod->rod_index);
  if (looks_again(own, now)) loads->check_again = 1;
  return ELASTICA_OK;
}

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  tendon *own = self;
  const elastica_status status = find(&own->cable, now, now->dt);
  if (status != ELASTICA_OK) return status;
  tendon_push(&own->cable, loads->loads, 0);
  if (looks_again(own, now)) loads->check_again = 1;
  return ELASTICA_OK;
}

static elastica_status bound(tendon *own, const elastica_instant *now, const elastica_stiffness *rods, int first) {
  eli_tendon *of = &own->cable;
  const elastica_status status = find(of, now, 0.0);
  if (status != ELASTICA_OK) return status;
  tendon_bound(of, now, rods, first);
  if (eli_is_query(now)) return ELASTICA_OK;
  own->bounded_tension = largest_tension(of);
  own->bounded_stiffness = of->active * of->def.stiffness;
  own->bounded_bend = of->bend;
  return ELASTICA_OK;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  return bound(self, now, stiffness, rod->rod_index);
}

static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  return bound(self, now, stiffness->stiffness, 0);
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  eli_tendon *of = &((tendon *)self)->cable;
  (void)rod;
  if (of->def.drive != NULL) return 0.0;
  tendon_find(of, time, 0, 0, 0);
  if (!of->is_spring) return of->def.activation * of->def.tension * of->length;
  of->active = of->def.activation;
  const double over = of->length - of->def.rest_length;
  return over <= 0.0 ? 0.0 : 0.5 * spring_of(of) * over * over;
}

/* The couple on a support does no work on the rod. */
static double power(void *self, double time, const elastica_rod_view *rod) {
  eli_tendon *of = &((tendon *)self)->cable;
  double sum = 0.0, force[3];
  (void)rod;
  tendon_find(of, time, of->def.friction > 0.0, 0, 1);
  if (tendon_pull(of, time, 0.0) != ELASTICA_OK) return eli_nan();
  for (int k = 0; k + 1 < of->count; k++) sum -= of->span[k].tension * of->span[k].rate;
  for (int k = 0; k < of->count; k++) {
    if (!of->held[k]) continue;
    tendon_force(of, k, force);
    for (int a = 0; a < 3; a++) sum -= force[a] * (of->where[k].velocity[a] - of->at[k].velocity[a]);
  }
  return sum;
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  eli_tendon *of = &((tendon *)self)->cable;
  (void)rod;
  const elastica_status status = find(of, now, now->dt);
  return status == ELASTICA_OK ? tendon_add_tangent(of, now->time, tangent) : status;
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  const eli_tendon *of = &((const tendon *)self)->cable;
  for (int k = 0; k < of->count; k++)
    if (of->guide[k].rod == rod) return 1;
  return 0;
}

static int dissipates(const void *self) {
  const eli_tendon *of = &((const tendon *)self)->cable;
  return of->def.damping > 0.0 || of->def.friction > 0.0;
}

/* Friction along the cable has no tangent. */
static const char *refuses_stages(const void *self) {
  const int rubs = ((const tendon *)self)->cable.def.friction > 0.0;
  return rubs ? "its friction along the cable has no tangent: take its damping, or elastica_add_dissipation" : NULL;
}

static void destroy(void *self) {
  tendon *own = self;
  const eli_allocator allocator = own->allocator;
  eli_release(&allocator, own);
}

static void set_hooks(int several, int has_drive, elastica_module *module) {
  module->parallel_safe = several || !has_drive; /* the thread that steps calls the effects between rods */
  module->needs_geometry = 0;
  module->add_world_loads = several ? add_world_loads : NULL;
  module->add_world_stiffness = several ? add_world_stiffness : NULL;
  module->acts_on = several ? acts_on : NULL;
  module->add_loads = several ? NULL : add_loads;
  module->add_stiffness = several ? NULL : add_stiffness;
  module->add_tangent = add_tangent;
}

static void each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  eli_tendon *of = &((tendon *)own)->cable;
  visit(context, &of->slack_at, sizeof of->slack_at);
}

/* ---- From a definition ---- */

static elastica_status check_law(const eli_request *request, const tendon_def *def) {
  const char *wrong = NULL;
  const int is_spring = eli_is_nan(def->tension);
  if (is_spring == eli_is_nan(def->stiffness))
    wrong = is_spring ? "tendon_def.tension is not set, nor is tendon_def.stiffness"
                      : "tendon_def.tension and tendon_def.stiffness are both set";
  else if (!is_spring && !eli_is_nan(def->rest_length))
    wrong = "tendon_def.rest_length is set, but the tension is given";
  else if (!is_spring && def->damping > 0.0)
    wrong = "tendon_def.damping is that of the spring, but the tension is given";
  else if (def->friction > 0.0 && eli_is_nan(def->sliding_speed))
    wrong = "tendon_def.sliding_speed is not set, which friction needs";
  else if (!(def->friction > 0.0) && !eli_is_nan(def->sliding_speed))
    wrong = "tendon_def.sliding_speed is set, but there is no friction";
  return wrong == NULL ? ELASTICA_OK : elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: %s", request->function, wrong);
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const tendon_def *def = given;
  elastica_status status = tendon_check(request, def);
  if (status == ELASTICA_OK) status = check_law(request, def);
  if (status != ELASTICA_OK) return status;
  memcpy(self, def, sizeof *def);
  set_hooks(tendon_has_several(def, request->rod), def->drive != NULL, module);
  module->energy = energy;
  module->power = power;
  module->destroy = destroy;
  module->each_history = each_history;
  return ELASTICA_OK;
}

static void *create(const eli_request *request, const void *self) {
  const tendon_def *def = self;
  const size_t count = (size_t)tendon_count(def);
  const size_t carriers = 2 * count, of_place = sizeof(eli_place) + sizeof(elastica_part) + sizeof(double[3]);
  const size_t each = sizeof(eli_anchor) + sizeof(eli_anchored) + 3 * of_place + sizeof(int[3]);
  const size_t size = sizeof(tendon) + carriers * each + count * (sizeof(eli_where) + sizeof(eli_span) + 2 * sizeof(int));
  const eli_allocator *allocator = eli_world_allocator(request->world);
  tendon *own = eli_allocate(allocator, 1, size);
  if (own == NULL) return NULL;
  memset(own, 0, size);
  eli_tendon *of = &own->cable;
  own->allocator = *allocator;
  of->world = request->world;
  of->slack_at = -INFINITY;
  own->several = tendon_has_several(def, request->rod);
  of->count = (int)count;
  of->guide = (eli_anchor *)(own + 1);
  of->at = (eli_anchored *)(of->guide + carriers);
  of->where = (eli_where *)(of->at + carriers);
  of->span = (eli_span *)(of->where + count);
  of->place = (eli_place *)(of->span + count);
  of->part = (elastica_part *)(of->place + 3 * carriers);
  of->gradient = (double *)(of->part + 3 * carriers);
  of->places = (int(*)[3])(of->gradient + 9 * carriers);
  of->held = (int *)(of->places + carriers);
  of->section = of->held + count;
  return own;
}

/* Finds the guides in end sections, and the second carriers of a run: the other element at the node of a guide with an offset. */
static void share_guides(eli_tendon *of) {
  for (int k = 0; k < of->count; k++) {
    const eli_anchor *guide = &of->guide[k];
    eli_anchor *other = &of->guide[of->count + k];
    of->section[k] = end_section(guide);
    memset(other, 0, sizeof *other);
    if (!of->is_run || eli_dot(guide->offset, guide->offset) == 0.0) continue;
    const int last = guide->share == 1.0, count = guide->rod->element_count, element = guide->element + (last ? 1 : -1);
    if (!guide->rod->closed && (element < 0 || element >= count)) continue;
    *other = *guide;
    other->element = (element + count) % count;
    other->share = last ? 0.0 : 1.0;
  }
}

static void set_numbers(tendon *own, const tendon_def *def) {
  eli_tendon *of = &own->cable;
  const double length = of->def.rest_length;
  of->def = *def;
  of->def.guides = NULL;
  of->is_spring = eli_is_nan(def->tension);
  *(of->is_spring ? &of->def.tension : &of->def.stiffness) = 0.0;
  if (!(def->friction > 0.0)) of->def.sliding_speed = 1.0;
  if (eli_is_nan(def->rest_length)) of->def.rest_length = length;
}

static void take_length(eli_tendon *of) {
  tendon_find(of, elastica_world_get(of->world).time, 0, 1, 0);
  of->def.rest_length = of->length;
}

static void apply(void *own_, const void *self) {
  tendon *own = own_;
  const tendon_def *def = self;
  eli_tendon *of = &own->cable;
  for (int k = 0; k < of->count; k++) of->guide[k] = tendon_guide(def, k);
  of->is_run = def->rod != NULL;
  share_guides(of);
  tendon_list(of);
  if (!own->is_set) take_length(of);
  set_numbers(own, def);
  own->is_set = 1;
}

static void function_of(void *own, eli_function *of, int set) {
  eli_def_function(&layout, &((tendon *)own)->cable.def, of, set);
}

/* Keeps the bounded values too: they decide the time of limit checks. */
static void keep(void *own_, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  tendon *own = own_;
  eli_tendon *of = &own->cable;
  eli_record_same(record, "guide_count", of->count);
  eli_record_int(record, "is_spring", &of->is_spring, 0, 1);
  for (int k = 0; k < of->count; k++) {
    eli_anchor *guide = &of->guide[k];
    eli_record_int(record, "element", &guide->element, 0, guide->rod != NULL ? guide->rod->element_count - 1 : 0);
    eli_record_finite(record, "share", &guide->share, 1);
    eli_record_finite(record, "offset", guide->offset, 3);
  }
  eli_def_keep(&layout, &of->def, rod, record);
  eli_record_finite(record, "bounded", &own->bounded_tension, 1);
  eli_record_finite(record, "bounded", &own->bounded_stiffness, 1);
  eli_record_finite(record, "bounded", &own->bounded_bend, 1);
  eli_record_doubles(record, &of->slack_at, 1);
  eli_record_int(record, "is_run", &of->is_run, 0, 1);
  if (record->use != ELI_RECORD_READ) return;
  share_guides(of);
  tendon_list(of);
  set_hooks(own->several, of->def.drive != NULL, module);
}

static int resolves(const void *self) {
  return ((const tendon *)self)->cable.resolves;
}

/* A body at a guide moves by at most the length. */
static elastica_status one_sided(void *self, double time, eli_one_sided *out) {
  eli_tendon *of = &((tendon *)self)->cable;
  if (!of->is_spring) return ELASTICA_OK;
  tendon_find(of, time, 0, 0, 1);
  const elastica_status status = find_activation(of, time, of->length, of->rate, &of->active);
  if (status != ELASTICA_OK) return status;
  out->frequency = sqrt(frequency_of(of, find_gradient(of)));
  out->beyond = of->length - of->def.rest_length;
  out->acts = out->beyond > 0.0 && out->frequency > 0.0;
  out->rate = of->rate;
  out->lever = 1.0;
  out->damping_ratio = of->def.damping;
  out->count = of->place_count, out->part = of->part, out->gradient = of->gradient;
  return ELASTICA_OK;
}

static const eli_built_in kind = {.name = "tendon",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(tendon_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .function = function_of,
                                  .resolves = resolves,
                                  .one_sided = one_sided,
                                  .dissipates = dissipates,
                                  .refuses_stages = refuses_stages};

/* ---- The public functions ---- */

void elastica_tendon_def_init(elastica_tendon_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_tendon(elastica_world *world, const elastica_tendon_def *def, elastica_effect **out) {
  const eli_request request = {.world = world, .function = "add_tendon"};
  tendon_def whole;
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (def == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_tendon: def is NULL");
  elastica_status status = eli_world_check_open(world, "add_tendon", 1);
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, &whole, def);
  if (status == ELASTICA_OK && tendon_first_rod(&whole) == NULL) status = tendon_check(&request, &whole); /* refuses this */
  return status == ELASTICA_OK ? eli_add_built_in(&kind, world, tendon_first_rod(&whole), &whole, out) : status;
}

elastica_status elastica_tendon_set(elastica_effect *effect, const elastica_tendon_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

/* Checks the arguments of a query and finds the present cable; after a failure of its drive, without a tension. */
static elastica_status check_query(elastica_effect *effect, const void *out, tendon **own) {
  elastica_status status = eli_effect_check_kind(effect, "tendon_get", &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_get(effect).world, "tendon_get");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_get(effect).world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "tendon_get: out is NULL");
  *own = elastica_effect_get(effect).self;
  tendon_find(&(*own)->cable, elastica_world_get(world).time, 1, 0, 1);
  eli_world_enter_call(world); /* of the drive */
  status = tendon_pull(&(*own)->cable, elastica_world_get(world).time, 0.0);
  eli_world_leave_call(world);
  if (status == ELASTICA_OK) return ELASTICA_OK;
  for (int k = 0; k + 1 < (*own)->cable.count; k++) (*own)->cable.span[k].tension = 0.0;
  return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "tendon_get: effect %d: %s", elastica_effect_get(effect).index,
                               eli_world_reason(world));
}

/* A guide, with the force of the cable on it. */
static elastica_guide_info guide_of(const eli_tendon *of, int guide) {
  elastica_guide_info out;
  memset(&out, 0, sizeof out);
  memcpy(out.position, of->where[guide].point, sizeof out.position);
  tendon_force(of, guide, out.force);
  if (guide + 1 < of->count) out.turn = of->span[guide].turn;
  for (int k = guide; k + 1 < of->count; k++) out.sliding -= of->span[k].rate;
  return out;
}

static void describe_cable(eli_tendon *of, elastica_tendon_info *out, elastica_guide_info *guides, int capacity) {
  memset(out, 0, sizeof *out);
  out->guide_count = of->count;
  out->length = of->length - of->give * of->span[0].tension;
  out->rest_length = of->is_spring ? of->def.rest_length : 0.0;
  out->rate = of->rate;
  out->activation = of->active;
  out->first_tension = of->span[0].tension;
  out->last_tension = of->span[of->count - 2].tension;
  out->slack = out->first_tension == 0.0;
  out->turned = of->turned;
  out->dt = of->is_spring ? 2.0 / sqrt(ELI_KINK * spring_of(of) * tendon_mobility(of, NULL)) : INFINITY;
  for (int guide = 0; guide < capacity && guide < of->count; guide++) guides[guide] = guide_of(of, guide);
}

elastica_status elastica_tendon_get(elastica_effect *effect, elastica_tendon_info *out, elastica_guide_info *guides, int capacity) {
  tendon *own = NULL;
  const elastica_status status = check_query(effect, out, &own);
  if (status != ELASTICA_OK) return status;
  eli_tendon *of = &own->cable;
  if (capacity < 0) return elastica_world_refuse(of->world, ELASTICA_INVALID_ARGUMENT, "tendon_get: capacity is negative: %d", capacity);
  if (guides == NULL && capacity > 0) return elastica_world_refuse(of->world, ELASTICA_INVALID_ARGUMENT, "tendon_get: guides is NULL");
  describe_cable(of, out, guides, capacity);
  return ELASTICA_OK;
}

int eli_tendon_closed_span(const elastica_effect *effect, double time) {
  if (!eli_effect_is(effect, &kind)) return -1;
  eli_tendon *of = &((tendon *)elastica_effect_get(effect).self)->cable;
  tendon_find(of, time, 0, 1, 0);
  const int pulls = of->is_spring ? of->length > of->def.rest_length && of->def.stiffness > 0.0 : of->def.tension > 0.0;
  if (!pulls || (of->def.drive == NULL && of->def.activation == 0.0)) return -1;
  for (int k = 0; k + 1 < of->count; k++) {
    double extent = 0.0;
    for (int a = 0; a < 3; a++)
      if (fabs(of->where[k].point[a]) > extent) extent = fabs(of->where[k].point[a]);
    if (of->span[k].length <= CLOSED * extent) return k;
  }
  return -1;
}

elastica_status eli_tendon_describe(elastica_effect *effect, elastica_tendon_info *out, elastica_guide_info *guides, int capacity) {
  tendon *own = NULL;
  const elastica_status status = check_query(effect, out, &own);
  if (own == NULL) return status;
  describe_cable(&own->cable, out, guides, capacity);
  return ELASTICA_OK;
}
