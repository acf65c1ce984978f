/* Bounds of contact for the step limit (see contact.h).
 *
 * contact_bound_pairs.c computes the largest stiffness of each pair within a horizon.
 *
 * The shorter the steps, the shorter the time until the next limit check, and the fewer contacts may close: the horizon is the shortest one
 * that is at least as long as the steps until the next limit check, with the step that contact alone allows.
 *
 * The reach of the list is limited. If an element may move further until the next limit check, the horizon is cut, and
 * ELI_LIMIT_CHECK_INTERVAL steps must fit into it, so that no contact closes that no limit check has seen.
 *
 * test       tests/test_contact_bounds.c
 */
#include "base/target.h"

#include "base/module.h"
#include "base/vector.h"
#include "contact/horizon.h"
#include "contact/resolve.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* The largest reach of the list, in radii: elements that move further until the next limit check shorten the steps. The number of pairs
 * within the reach grows with its square to cube: in a heap of falling rods, 8 made the list ten times as long, and a step took four times
 * as long. */
#define FURTHEST 2.0

/* The number of trial horizons. */
enum { TRIALS = 4, MOST_TRIALS = 12 };

/* The number of pairs of elements per span above which spans are used instead. */
enum { MANY = 64 };

/* The minimum stiffness in the step limit of a body, in k times its radius and half its length. */
#define BODY 2.0

/* Returns the longest horizon [s]: the time until the next limit check, and at most ELI_LIMIT_CHECK_INTERVAL steps, none longer than axial
 * waves or the contact of a ball allow. */
static double horizon_of(const eli_contact *contact) {
  double least = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    const double time = member->rod->rigid ? 2.0 * ELI_LIMIT_CHECK_INTERVAL *
                                                 sqrt(member->rod->mass[0] / (BODY * contact->law.line.modulus * member->round.radius))
                                           : eli_horizon_time(member->rod);
    if (time > 0.0 && time - time == 0.0 && (least == 0.0 || time < least)) least = time;
  }
  const double asked = eli_world_horizon(contact->world);
  return least < asked ? least : asked;
}

/* The fastest node, relative to the middle of all velocities [m/s]; of a body the speed of its ends. Two approach each other at twice that
 * speed at most. */
typedef struct fastest {
  double speed;
  int rod, node; /* -1: there is none */
} fastest;

static void find_middle_velocity(const eli_contact *contact, double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    for (int a = 0; a < 3 && rod != NULL; a++)
      for (int i = 0; i < rod->node_count; i++) {
        if (rod->velocity[a][i] < low[a]) low[a] = rod->velocity[a][i];
        if (rod->velocity[a][i] > high[a]) high[a] = rod->velocity[a][i];
      }
  }
  for (int a = 0; a < 3; a++) middle[a] = 0.5 * (low[a] + high[a]);
}

/* Returns the speed [m/s] of the ends of a body from its rotation; 0 for a rod. */
static double spinning_of(const eli_contact_member *member) {
  const elastica_rod_view *rod = member->rod;
  double square = 0.0;
  for (int a = 0; a < 3 && rod->rigid; a++) square += rod->omega[a][0] * rod->omega[a][0];
  return (member->solid ? member->round.radius : member->round.half_length) * sqrt(square);
}

static fastest find_fastest(const eli_contact *contact, double middle[3]) {
  fastest out = {0.0, -1, 0};
  find_middle_velocity(contact, middle);
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    if (rod == NULL) continue;
    const double spinning = spinning_of(member);
    for (int i = 0; i < rod->node_count; i++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += (rod->velocity[a][i] - middle[a]) * (rod->velocity[a][i] - middle[a]);
      const double speed = sqrt(square) + spinning;
      if (out.rod < 0 || speed > out.speed) out = (fastest){speed, r, i};
    }
  }
  return out;
}

/* ---- Bounds of all pairs for one horizon ---- */

/* Adds the minimum stiffness of a body. Its step has no other limit, and must be short enough for a contact that may come. */
static void bound_body(const eli_contact *contact, const eli_contact_member *member, const elastica_stiffness *own) {
  own->node[0] += contact->law.line.modulus * BODY * (member->round.half_length + member->round.radius);
}

static void bound_all(const eli_contact *contact, double speed, double horizon) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r);
    if (eli_contact_member_of(contact, r)->rod == NULL) continue;
    memset(own->node, 0, 4 * ((size_t)eli_contact_member_of(contact, r)->rod->element_count + 1) * sizeof *own->node);
    if (eli_contact_member_of(contact, r)->rod->rigid && contact->element_count > 1)
      bound_body(contact, eli_contact_member_of(contact, r), own);
  }
  eli_contact_bound_pairs(contact, speed * horizon, horizon);
}

/* Returns 1/dt for the step that these bounds alone allow, K + 2 C/dt = 4 m/dt^2. */
static double inverse_step(double stiffness, double rate, double mass) {
  return (rate + sqrt(rate * rate + 4.0 * mass * stiffness)) / (4.0 * mass);
}

static double step_of(const eli_contact *contact) {
  double most = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r);
    if (rod == NULL) continue;
    for (int i = 0; i < rod->node_count; i++) {
      const double x = inverse_step(own->node[i], own->node_rate[i], rod->mass[i]);
      if (x > most) most = x;
    }
    for (int j = 0; j < rod->element_count; j++) {
      const double thin = rod->inertia[0][j] < rod->inertia[1][j] ? rod->inertia[0][j] : rod->inertia[1][j];
      const double x = inverse_step(own->element[j], own->element_rate[j], thin < rod->inertia[2][j] ? thin : rod->inertia[2][j]);
      if (x > most) most = x;
    }
  }
  return most > 0.0 ? 1.0 / most : INFINITY;
}

/* The longest horizon is safe. A shorter one is also safe if the steps that it allows end within it. The bracket is halved further if the
 * steps at its two ends differ much: a core stiffens within a small part of the way. */
static void choose_horizon(const eli_contact *contact, double speed, double longest) {
  bound_all(contact, speed, longest);
  if (speed == 0.0) return; /* no element moves, so each horizon gives the same */
  double safe = longest, step = step_of(contact), least = ELI_LIMIT_CHECK_INTERVAL * step, longer = step, bounded = longest;
  for (int k = 0; k < MOST_TRIALS && (k < TRIALS ? least < 0.8 * safe : least < 0.99 * safe && step < 0.5 * longer); k++) {
    const double middle = sqrt(least * safe);
    bound_all(contact, speed, bounded = middle);
    const double own = step_of(contact);
    if (ELI_LIMIT_CHECK_INTERVAL * own <= middle) {
      safe = middle;
      step = own;
    } else {
      least = middle;
      longer = own;
    }
  }
  if (bounded != safe) bound_all(contact, speed, safe);
}

/* Returns the stiffness [N/m] for a cut horizon: ELI_LIMIT_CHECK_INTERVAL steps within it, for the fastest node. */
static double bound_within(const eli_contact *contact, double horizon, const fastest *of) {
  const double rate = 2.0 * ELI_LIMIT_CHECK_INTERVAL / horizon, most = rate < ELI_CONTACT_FASTEST ? rate : ELI_CONTACT_FASTEST;
  return most * most * eli_contact_member_of(contact, of->rod)->rod->mass[of->node];
}

static void keep_within(const eli_contact *contact, double horizon, const fastest *of) {
  const double stiffness = bound_within(contact, horizon, of);
  double *node = &eli_contact_bounds_of(contact, of->rod)->node[of->node];
  if (*node < stiffness) *node = stiffness;
}

static void add_to(const eli_contact *contact, const elastica_stiffness *rods) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r), *to = &rods[r];
    for (int i = 0; rod != NULL && i < rod->element_count + 1; i++) {
      if (rod->rigid && i > 0) break;
      to->node[i] += own->node[i];
      to->node_rate[i] += own->node_rate[i];
      if (i == rod->element_count) break;
      to->element[i] += own->element[i];
      to->element_rate[i] += own->element_rate[i];
    }
  }
}

/* Finds all pairs whose gap is smaller than need [m]: of spans where there are any, else of elements, but for those that bends keep apart
 * for so long [s]. 0 when memory runs out. */
static int find_near(eli_contact *contact, double need, double horizon) {
  if (contact->span_count > 0) return eli_contact_find_spans(contact, need);
  if (eli_contact_cover_soon(contact, need, horizon) < 0) return 0;
  if (contact->count > 0 || contact->has_bodies) eli_contact_draw_outlines(contact);
  return 1;
}

static int exists(const eli_contact *contact, const eli_contact_pair *pair, double value) {
  (void)contact, (void)pair, (void)value;
  return 1;
}

static int is_alone(const eli_contact *contact, double horizon) {
  if (contact->has_bodies) return 0;
  if (contact->span_count == 0) return contact->count == 0;
  return contact->span_pairs.count == 0 && !eli_contact_each_of_folds(contact, horizon, exists, 0.0);
}

/* Bounds the contacts that may close within the next few steps, for steps chosen by the library. A later approach requests a limit check
 * (eli_contact_awaits). */
static elastica_status bound_soon(eli_contact *contact, const elastica_stiffness *rods) {
  const double horizon = ELI_STEPS_COUNTED * eli_world_checked_step(contact->world);
  double middle[3];
  const double speed = find_fastest(contact, middle).speed;
  if (!find_near(contact, ELI_CONTACT_MARGIN * contact->largest_radius + 2.0 * horizon * speed, horizon)) return ELASTICA_OUT_OF_MEMORY;
  if (contact->element_count < 2 || is_alone(contact, horizon)) return ELASTICA_OK;
  bound_all(contact, speed, horizon);
  add_to(contact, rods);
  return ELASTICA_OK;
}

elastica_status eli_contact_bound(eli_contact *contact, const elastica_stiffness *rods) {
  if (!eli_contact_find_members(contact)) return ELASTICA_OUT_OF_MEMORY;
  if (eli_world_chooses(contact->world)) return bound_soon(contact, rods);
  const double margin = ELI_CONTACT_MARGIN * contact->largest_radius, furthest = FURTHEST * contact->largest_radius;
  double middle_velocity[3];
  const fastest fast = find_fastest(contact, middle_velocity);
  const double longest = horizon_of(contact);
  const int cut = 2.0 * longest * fast.speed > furthest;
  const double horizon = cut ? furthest / (2.0 * fast.speed) : longest;
  if (!find_near(contact, margin + 2.0 * horizon * fast.speed, horizon)) return ELASTICA_OUT_OF_MEMORY;
  if (contact->element_count < 2 || !(horizon > 0.0)) return ELASTICA_OK;
  if (is_alone(contact, horizon)) {
    if (cut) rods[fast.rod].node[fast.node] += bound_within(contact, horizon, &fast);
    return ELASTICA_OK;
  }
  choose_horizon(contact, fast.speed, horizon);
  if (cut) keep_within(contact, horizon, &fast);
  add_to(contact, rods);
  return ELASTICA_OK;
}

/* ---- In a step ---- */

/* Returns 1 if steps of dt are short enough for contact of any element along its whole length, and for the fastest nodes. No node exceeds
 * the speed used here, half the diagonal of the box of velocities. */
static int is_short_for_all(const eli_contact *contact, double dt) {
  const double k = 2.0 * contact->law.line.modulus, c = 2.0 * contact->law.line.damping;
  const int chooses = eli_world_chooses(contact->world);
  eli_pace pace = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
  double spinning = 0.0, square = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    if (rod == NULL) continue;
    contact->pace(rod, &pace);
    const double extent =
        rod->rigid ? 2.0 * (member->round.half_length + member->round.radius) : pace.longest + 2.0 * contact->largest_radius;
    if (eli_is_too_long(dt, k * extent, c * extent, pace.least_mass, chooses)) return 0;
    const double own = spinning_of(member);
    if (own > spinning) spinning = own;
  }
  for (int a = 0; a < 3; a++) square += (pace.high[a] - pace.low[a]) * (pace.high[a] - pace.low[a]);
  return 4.0 * dt * (0.5 * sqrt(square) + spinning) <= contact->least_radius;
}

double eli_contact_awaited(const eli_contact *contact, double dt, double *speed_of, double middle[3]) {
  if (is_short_for_all(contact, dt)) return 0.0;
  const double speed = find_fastest(contact, middle).speed, way = 2.0 * speed * dt;
  *speed_of = speed;
  return ELI_CONTACT_MARGIN * contact->largest_radius + ELI_STEPS_AWAITED * way;
}

/* Computes the same from spans. */
static int spans_await(eli_contact *contact, double awaited, double dt) {
  if (!eli_contact_find_spans(contact, awaited)) return -1;
  for (size_t k = 0; k < contact->span_pairs.count; k++)
    if (eli_contact_each_of_spans(contact, contact->span_pairs.keys[k], awaited, eli_contact_awaits_none, eli_contact_pair_awaits, dt))
      return 1;
  return 0;
}

int eli_contact_awaits(eli_contact *contact, double dt) {
  if (!(dt > 0.0) || eli_world_stands_still(contact->world)) return 0;
  if (!eli_contact_find_members(contact)) return -1;
  double speed, middle[3];
  const double awaited = contact->element_count < 2 ? 0.0 : eli_contact_awaited(contact, dt, &speed, middle);
  if (awaited == 0.0) return 0;
  if (eli_contact_cover(contact, awaited) < 0) return -1;
  if (contact->count == 0) return 0;
  if (contact->span_count > 0 && contact->count > MANY * (size_t)contact->span_count) return spans_await(contact, awaited, dt);
  eli_contact_draw_outlines(contact);
  for (size_t k = 0; k < contact->count; k++)
    if (!eli_contact_is_far(contact, &contact->list[k], 1.0, awaited) && eli_contact_pair_awaits(contact, &contact->list[k], dt)) return 1;
  return 0;
}
