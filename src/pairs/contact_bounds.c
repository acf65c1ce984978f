/* Bounds of contact for the step limit (see contact.h).
 *
 * Each point of a line of contact, which stands for the length mu, has the quadratic form k mu (n . u)^2 of the displacement u of one centre
 * line against the other there, and that of the tangential spring, in which the surfaces turn as well. By (sum g x)^2 <= sum |g| sum |g|
 * x^2 each number that moves the point gets its share. How long the line may be until the next look follows from how far the pair may move
 * until then. Pressure k eps times the curvature of the distance, and of the radii, is added: the distance falls short of its tangent by
 * 2 z_t q + d q^2 where the line turns by q towards the other and that slides by z_t along it.
 *
 * The shorter the steps, the shorter the time until the next look, and the less may come into contact: the horizon is the shortest that the
 * steps which contact alone allows then do not outrun.
 *
 * The list ends somewhere: where something may move on further until the next look, the horizon is cut, and ELI_LOOK_INTERVAL steps are
 * kept within it, so that nothing touches that no look has seen.
 *
 * test       tests/test_contact_bounds.c
 */
#include "base/target.h"

#include "base/module.h"
#include "base/vector.h"
#include "contact/horizon.h"
#include "contact/layer_bound.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* Gap below which a pair counts as closed in any case, in radii. */
#define MARGIN 0.02

/* The list reaches no further, in radii: what moves further until the next look makes the steps shorter. The number of pairs within it grows
 * with its square to cube: in a heap of falling rods, 8 made it ten times as long, and a step four times. */
#define FURTHEST 2.0

/* How often a horizon is tried. */
enum { TRIALS = 4 };

/* The stiffness that bounds the step of a body in any case, in k times its radius and half its length. */
#define BODY 2.0

/* How long the longest horizon is: ELI_LOOK_INTERVAL steps, none longer than axial waves or the contact of a ball allow. */
static double horizon_of(const eli_contact *contact) {
  double least = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    const double time = member->rod->rigid ? 2.0 * ELI_LOOK_INTERVAL *
                                                 sqrt(member->rod->mass[0] / (BODY * contact->law.line.modulus * member->round.radius))
                                           : eli_horizon_time(member->rod);
    if (time > 0.0 && time - time == 0.0 && (least == 0.0 || time < least)) least = time;
  }
  return least;
}

/* Whose node is fastest, against the middle of all velocities [m/s]; at the ends of a body. Two approach at twice that at most. */
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

static fastest find_fastest(const eli_contact *contact) {
  double middle[3];
  fastest out = {0.0, -1, 0};
  find_middle_velocity(contact, middle);
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    for (int i = 0; rod != NULL && i < rod->node_count; i++) {
      double square = 0.0, turning = 0.0;
      for (int a = 0; a < 3; a++) {
        square += (rod->velocity[a][i] - middle[a]) * (rod->velocity[a][i] - middle[a]);
        if (rod->rigid) turning += rod->omega[a][0] * rod->omega[a][0];
      }
      const double arm = member->solid ? member->round.radius : member->round.half_length, speed = sqrt(square) + arm * sqrt(turning);
      if (out.rod < 0 || speed > out.speed) out = (fastest){speed, r, i};
    }
  }
  return out;
}

/* One element in the pair: how long the line on it may be, and where. */
typedef struct patch {
  const eli_contact_member *member;
  int element;
  double length;   /* [m] of the element, */
  double arm;      /* [m] of a body, half its length */
  double swelling; /* r/(2 l) */
  double radius;
  double line, cap[2], extent; /* [m] mu on the centre line, on the ends, and all of it */
  double share[2];             /* the most that a point of the line is shared to each end */
} patch;

/* Beside a movement, what is nearer to which element may shift by this part of its length. */
#define SHIFT 0.02

static void measure_patch(const eli_capsule *at, const eli_capsule *other, double place, double half, double moved, patch *of) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->end[1][a] - at->end[0][a];
  of->length = sqrt(eli_dot(edge, edge));
  const double reach = of->length > 0.0 ? (half + moved) / of->length : 1.0;
  const double shift = SHIFT + (of->length > 0.0 ? 2.0 * moved / of->length : 1.0), span = eli_line_span(at, other) + 2.0 * shift;
  const double most = span < 1.0 ? span * at->measure : at->measure;
  of->line = 2.0 * half < most ? 2.0 * half : most;
  of->extent = of->line;
  for (int end = 0; end < 2; end++) {
    const double nearness = end ? place : 1.0 - place;
    of->share[end] = nearness + reach < 1.0 ? nearness + reach : 1.0;
    of->cap[end] = of->share[end] < 1.0 ? 0.0 : at->cap[end];
    of->extent += of->cap[end];
  }
}

/* The largest integral of what an end shares, over a line of this length. */
static double most_of_end(const patch *of, double measure, int end) {
  const double by_place = of->line * of->share[end], by_length = measure > 0.0 ? of->line * (1.0 - 0.5 * of->line / measure) : 0.0;
  return (by_place < by_length ? by_place : by_length) + of->cap[end];
}

/* What there is to be bounded: k and c times half the weights, for displacements and for turns; pressure [N]; and the shortest
 * length and the widest distance [m], by which that curves. */
typedef struct stiffnesses {
  double normal, rate, turn, turn_rate;
  double pressure, shortest, widest;
} stiffnesses;

static void add_patch(const patch *of, const patch *other, const eli_capsule *at, const stiffnesses *s, const elastica_stiffness *to) {
  const elastica_rod_view *rod = of->member->rod;
  const int j = of->element;
  const double both = of->extent + other->extent, curving = (5.0 + s->widest / s->shortest) / s->shortest;
  double turn = s->turn * both * of->radius * of->radius, turn_rate = s->turn_rate * both * of->radius * of->radius;
  if (rod->rigid) {
    to->node[j] += s->normal * both + s->pressure * curving;
    to->node_rate[j] += s->rate * both;
    turn += (s->normal * both + s->pressure * curving) * of->arm * of->arm;
    turn_rate += s->rate * both * of->arm * of->arm;
  }
  for (int end = 0; end < 2 && !rod->rigid; end++) {
    const double part = most_of_end(of, at->measure, end) + other->extent * of->share[end], l = of->length;
    to->node[j + end] += s->normal * (part + of->swelling * both) +
                         s->pressure * (4.0 * of->share[end] / s->shortest + (1.0 + 3.0 * of->swelling + s->widest / l) / l);
    to->node_rate[j + end] += s->rate * part; /* dampers feel how lines approach, not how radii grow */
  }
  for (int end = 0; end < 2 && !rod->rigid; end++) { /* nodes share their radius with the element beside */
    const int beside = eli_contact_neighbour(rod, j, end);
    for (int k = 0; k < 2 && beside >= 0; k++) to->node[beside + k] += 0.5 * s->normal * of->swelling * both;
  }
  to->element[j] += turn;
  to->element_rate[j] += turn_rate;
}

/* [1/s] No number becomes infinite where a rod blows up, which others tell better. */
#define FASTEST 1e30

/* Points must not pass through each other between two looks at them: no step longer than half the way. */
static void add_guard(const eli_contact *contact, const patch of[2], double speed, double reach) {
  const double own = 4.0 * speed / reach, rate = own < FASTEST ? own : FASTEST;
  for (int side = 0; side < 2; side++) {
    const elastica_rod_view *rod = of[side].member->rod;
    for (int end = 0; end < (rod->rigid ? 1 : 2); end++)
      eli_contact_bounds_of(contact, rod->rod_index)->node[of[side].element + end] += rate * rate * rod->mass[of[side].element + end];
  }
}

/* The largest speed of a point of one against one of the other, and the largest at which two close in along a direction; >= 0. */
static double largest_speed(const eli_capsule at[2], const double direction[3], double *closing) {
  double largest = 0.0;
  *closing = 0.0;
  for (int k = 0; k < 4; k++) {
    double v[3];
    for (int a = 0; a < 3; a++) v[a] = at[0].velocity[k / 2][a] - at[1].velocity[k % 2][a];
    const double square = eli_dot(v, v), along = eli_dot(v, direction);
    if (square > largest) largest = square;
    if (along > *closing) *closing = along;
  }
  return sqrt(largest);
}

/* [m/s] of one end against the other. */
static double turning_speed(const eli_capsule *at) {
  double v[3];
  for (int a = 0; a < 3; a++) v[a] = at->velocity[1][a] - at->velocity[0][a];
  return sqrt(eli_dot(v, v));
}

static double sine_between(const eli_capsule at[2]) {
  double edge[2][3], across[3];
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) edge[side][a] = at[side].end[1][a] - at[side].end[0][a];
  eli_cross(edge[0], edge[1], across);
  const double square = eli_dot(edge[0], edge[0]) * eli_dot(edge[1], edge[1]);
  return square > 0.0 ? sqrt(eli_dot(across, across) / square) : 1.0;
}

/* side: the one that is no box or cylinder. */
static void bound_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int side, double horizon) {
  const eli_contact_law *law = &contact->law;
  const eli_layer_law of = {law->line, law->friction, law->tangential_ratio, law->tangential_damping};
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]),
                           *other = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_solid solid = eli_contact_solid(other);
  eli_capsule at;
  eli_contact_place_moving(contact, pair, side, &at);
  at.radius = eli_contact_thickest(contact, pair->rod[side], pair->element[side], &at);
  eli_layer_bound_both(&of, &member->round, member->rod, pair->element[side], &at, &solid, horizon,
                       eli_contact_bounds_of(contact, pair->rod[side]), other->rod, other->round.radius + at.radius,
                       eli_contact_bounds_of(contact, pair->rod[1 - side]));
}

/* Whether two elements stay apart when each moves by at most so far [m]. */
static int stay_apart(const eli_contact *contact, const eli_contact_pair *pair, double way) {
  eli_capsule at[2];
  double reach = MARGIN * contact->largest_radius + 2.0 * way;
  for (int side = 0; side < 2; side++) {
    eli_contact_place(contact, pair->rod[side], pair->element[side], &at[side]);
    reach += eli_contact_thickest(contact, pair->rod[side], pair->element[side], &at[side]);
  }
  return eli_segments_are_apart(eli_edge_of(&at[0]), eli_edge_of(&at[1]), reach);
}

static void bound_pair(const eli_contact *contact, size_t k, double horizon) {
  const eli_contact_pair *pair = &contact->list[k];
  for (int side = 0; side < 2; side++)
    if (eli_contact_member_of(contact, pair->rod[1 - side])->solid) {
      bound_on_solid(contact, pair, side, horizon);
      return;
    }
  const eli_contact_law *law = &contact->law;
  eli_capsule at[2];
  eli_closest closest;
  patch of[2];
  for (int side = 0; side < 2; side++) eli_contact_place_moving(contact, pair, side, &at[side]);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  double closing;
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at, closest.direction, &closing), moved = horizon * speed;
  /* what slides past bends away by the square */
  const double gained = horizon * closing + 0.5 * moved * moved / reach, furthest = gained < moved ? gained : moved;
  double eps = reach - closest.distance + furthest + MARGIN * contact->largest_radius, sine = sine_between(at), weights = 0.0,
         swelling = 0.0;
  double shortest = reach;
  if (!(eps > 0.0)) return;
  if (eps > reach) eps = reach;
  memset(of, 0, sizeof of);
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    of[side].member = member;
    of[side].element = pair->element[side];
    of[side].radius = at[side].radius;
    of[side].arm = member->rod->rigid ? member->round.half_length : 0.0;
    const double l = member->rod->rigid ? 2.0 * member->round.half_length : member->rod->length[pair->element[side]];
    if (!member->rod->rigid) of[side].swelling = 0.5 * at[side].radius / l;
    if (!member->rod->rigid) weights += 2.0 * fabs(at[side].end_radius[1] - at[side].end_radius[0]) / l;
    sine -= l > 0.0 ? 2.0 * horizon * turning_speed(&at[side]) / l : 0.0;
    weights += of[side].arm > 0.0 ? 2.0 : 1.0;
    swelling += 2.0 * of[side].swelling;
    if (l > 0.0 && l < shortest) shortest = l;
  }
  const double half = sine > 0.0 ? sqrt(2.0 * reach * eps) / sine : INFINITY;
  measure_patch(&at[0], &at[1], closest.s, half, moved, &of[0]);
  measure_patch(&at[1], &at[0], closest.t, half, moved, &of[1]);
  const double along = weights + swelling, across = law->friction > 0.0 ? along + 2.0 : 0.0, k_n = law->line.modulus,
               k_t = law->tangential_ratio * k_n;
  const double c_n = law->line.damping, c_t = law->friction > 0.0 ? law->tangential_damping : 0.0;
  stiffnesses s;
  s.normal = 0.5 * (k_n * along > k_t * across ? k_n * along : k_t * across);
  s.rate = 0.5 * (c_n * weights > c_t * (weights + 2.0) ? c_n * weights : c_t * (weights + 2.0));
  s.turn = 0.5 * k_t * across;
  s.turn_rate = 0.5 * c_t * (weights + 2.0);
  s.pressure = 0.5 * k_n * (of[0].extent + of[1].extent) * eps;
  s.shortest = shortest;
  s.widest = 2.0 * reach;
  for (int side = 0; side < 2; side++) add_patch(&of[side], &of[1 - side], &at[side], &s, eli_contact_bounds_of(contact, pair->rod[side]));
  add_guard(contact, of, speed, reach);
}

/* ---- All of them, for a horizon ---- */

/* Nothing else bounds the step of a body: it is always short enough for the contact that may come. */
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
  for (size_t k = 0; k < contact->count; k++)
    if (!stay_apart(contact, &contact->list[k], speed * horizon)) bound_pair(contact, k, horizon);
}

/* 1/dt of the step that these bounds alone allow, K + 2 C/dt = 4 m/dt^2. */
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

/* The longest horizon is safe. A shorter one is, too, if the steps that it allows end within it. */
static void choose_horizon(const eli_contact *contact, double speed, double longest) {
  bound_all(contact, speed, longest);
  double safe = longest, least = ELI_LOOK_INTERVAL * step_of(contact), bounded = longest;
  for (int k = 0; k < TRIALS && least < 0.8 * safe; k++) {
    const double middle = sqrt(least * safe);
    bound_all(contact, speed, bounded = middle);
    if (ELI_LOOK_INTERVAL * step_of(contact) <= middle)
      safe = middle;
    else
      least = middle;
  }
  if (bounded != safe) bound_all(contact, speed, safe);
}

/* [N/m] Where the horizon is cut: ELI_LOOK_INTERVAL steps within it, of what moves fastest. */
static double bound_within(const eli_contact *contact, double horizon, const fastest *of) {
  const double rate = 2.0 * ELI_LOOK_INTERVAL / horizon, most = rate < FASTEST ? rate : FASTEST;
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

elastica_status eli_contact_bound(eli_contact *contact, const elastica_stiffness *rods) {
  if (!eli_contact_find_members(contact)) return ELASTICA_OUT_OF_MEMORY;
  const double margin = MARGIN * contact->largest_radius, furthest = FURTHEST * contact->largest_radius;
  const fastest fast = find_fastest(contact);
  const double longest = horizon_of(contact);
  const int cut = 2.0 * longest * fast.speed > furthest;
  const double horizon = cut ? furthest / (2.0 * fast.speed) : longest;
  if (eli_contact_cover(contact, margin + 2.0 * horizon * fast.speed) < 0) return ELASTICA_OUT_OF_MEMORY;
  if (contact->element_count < 2 || !(horizon > 0.0)) return ELASTICA_OK;
  if (contact->count == 0 && !contact->has_bodies) {
    if (cut) rods[fast.rod].node[fast.node] += bound_within(contact, horizon, &fast);
    return ELASTICA_OK;
  }
  choose_horizon(contact, fast.speed, horizon);
  if (cut) keep_within(contact, horizon, &fast);
  add_to(contact, rods);
  return ELASTICA_OK;
}
