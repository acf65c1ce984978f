/* Bounds of each pair in contact for the step limit (see contact.h, contact_bounds.c).
 *
 * Each point of a line of contact represents the length mu. It has the quadratic form k mu (n . u)^2 of the relative displacement u of the
 * two centre lines there, and that of the tangential spring, which depends on the turn of the surfaces as well. By (sum g x)^2 <= sum |g|
 * sum |g| x^2 each degree of freedom that moves the point gets its share. The length of the line until the next limit check follows from
 * the motion of the pair until then. The pressure k eps times the curvature of the distance, and of the radii, is added: the distance falls
 * short of its tangent by 2 z_t q + d q^2 if the line turns by q towards the other line and the other line slides by z_t along it.
 *
 * test       tests/test_contact_bounds.c
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/layer_bound.h"
#include "contact/resolve.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* One element of the pair: the largest length and the position of the line on it. */
typedef struct patch {
  const eli_contact_member *member;
  int element;
  double length;   /* [m] of the element */
  double arm;      /* [m] half the length of a body, 0 for a rod */
  double swelling; /* r/(2 l) */
  double radius;
  double line, cap[2], extent; /* [m] mu on the centre line, on the ends, and their sum */
  double share[2];             /* the largest share of a point of the line at each end */
} patch;

static void measure_patch(const eli_capsule *at, double place, double half, double moved, patch *of) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->end[1][a] - at->end[0][a];
  of->length = sqrt(eli_dot(edge, edge));
  const double reach = of->length > 0.0 ? (half + moved) / of->length : 1.0;
  of->line = 2.0 * half < at->measure ? 2.0 * half : at->measure;
  of->extent = of->line;
  for (int end = 0; end < 2; end++) {
    const double nearness = end ? place : 1.0 - place;
    of->share[end] = nearness + reach < 1.0 ? nearness + reach : 1.0;
    of->cap[end] = of->share[end] < 1.0 ? 0.0 : at->cap[end];
    of->extent += of->cap[end];
  }
}

/* Returns the largest integral of the share of an end, over a line of this length. */
static double most_of_end(const patch *of, double measure, int end) {
  const double by_place = of->line * of->share[end], by_length = measure > 0.0 ? of->line * (1.0 - 0.5 * of->line / measure) : 0.0;
  return (by_place < by_length ? by_place : by_length) + of->cap[end];
}

/* Terms of the bound: k and c times half the weights, for displacements and for turns; pressure [N]; and the shortest length and the widest
 * distance [m] in the curvature of the distance. */
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
    to->node_rate[j + end] += s->rate * part; /* dampers depend on the approach of lines, not on the growth of radii */
  }
  for (int end = 0; end < 2 && !rod->rigid; end++) { /* nodes share their radius with the neighbouring element */
    const int beside = eli_contact_neighbour(rod, j, end);
    for (int k = 0; k < 2 && beside >= 0; k++) to->node[beside + k] += 0.5 * s->normal * of->swelling * both;
  }
  to->element[j] += turn;
  to->element_rate[j] += turn_rate;
}

/* Limits the step so that points cannot pass through each other between two evaluations: no step longer than half the way. */
static void add_guard(const eli_contact *contact, const patch of[2], double speed, double reach) {
  const double own = 4.0 * speed / reach, rate = own < ELI_CONTACT_FASTEST ? own : ELI_CONTACT_FASTEST;
  for (int side = 0; side < 2; side++) {
    const elastica_rod_view *rod = of[side].member->rod;
    for (int end = 0; end < (rod->rigid ? 1 : 2); end++)
      eli_contact_bounds_of(contact, rod->rod_index)->node[of[side].element + end] += rate * rate * rod->mass[of[side].element + end];
  }
}

/* Returns the mass of the lighter node of an element. */
static double least_mass(const patch *of) {
  const double *mass = of->member->rod->mass, first = mass[of->element];
  return of->member->rod->rigid || first < mass[of->element + 1] ? first : mass[of->element + 1];
}

/* Adds the stiffness that automatic steps must resolve (contact/resolve.h). For two moving bodies the squares of frequencies add up. */
static void add_resolved(const eli_contact *contact, const patch of[2]) {
  const double extent = of[0].extent + of[1].extent, k = contact->law.line.modulus * extent, c = contact->law.line.damping * extent;
  for (int side = 0; side < 2; side++) {
    const elastica_stiffness *to = eli_contact_bounds_of(contact, of[side].member->rod->rod_index);
    const double counted = eli_resolved_stiffness(k, c, least_mass(&of[side]));
    for (int end = 0; end < (of[side].member->rod->rigid ? 1 : 2); end++)
      to->node[of[side].element + end] += of[side].member->rod->rigid ? counted : counted * of[side].share[end];
    to->element[of[side].element] += counted * of[side].arm * of[side].arm;
  }
}

/* Returns the largest speed of a point of one relative to a point of the other, and the largest approach speed along a direction; >= 0. */
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

/* Returns the speed [m/s] of one end relative to the other. */
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

/* side: the element that is not a box or cylinder. */
static void bound_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int side, double horizon) {
  const eli_contact_law *law = &contact->law;
  const eli_layer_law of = {law->line, law->friction, law->tangential_ratio, law->tangential_damping, 0.0, 0.0};
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]),
                           *other = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_solid solid = eli_contact_solid(other);
  eli_capsule at;
  eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at);
  at.radius = eli_contact_thickest(contact, pair->rod[side], pair->element[side], &at);
  eli_layer_bound_both(&of, &member->round, member->rod, pair->element[side], &at, &solid, horizon, eli_world_chooses(contact->world),
                       eli_contact_bounds_of(contact, pair->rod[side]), other->rod, other->round.radius + at.radius,
                       eli_contact_bounds_of(contact, pair->rod[1 - side]));
}

/* Returns the margin [m] of a pair. Elements with reduced radii move less relative to each other, as the rod between them is shorter. */
static double margin_of(const eli_contact *contact, const eli_contact_pair *pair) {
  return pair->reduction * ELI_CONTACT_MARGIN * contact->largest_radius;
}

/* Returns 1 if two elements stay apart when each moves by at most way [m]. */
static int stay_apart(const eli_contact *contact, const eli_contact_pair *pair, double way) {
  return eli_contact_is_far(contact, pair, 1.0, margin_of(contact, pair) + 2.0 * way);
}

static void bound_line(const eli_contact *contact, const eli_contact_pair *pair, const eli_capsule at[2], double horizon) {
  const eli_contact_law *law = &contact->law;
  eli_closest closest;
  patch of[2];
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  double closing;
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at, closest.direction, &closing), moved = horizon * speed;
  /* a point that slides past moves away with the square of the way */
  const double gained = horizon * closing + 0.5 * moved * moved / reach, furthest = gained < moved ? gained : moved;
  double eps = reach - closest.distance + furthest + margin_of(contact, pair), sine = sine_between(at), weights = 0.0, swelling = 0.0;
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
  const eli_stiffening stiffening = eli_line_stiffening(at[0].rest_radius, at[1].rest_radius, eps);
  const double half = sine > 0.0 ? sqrt(2.0 * reach * eps) / sine : INFINITY;
  measure_patch(&at[0], closest.s, half, moved, &of[0]);
  measure_patch(&at[1], closest.t, half, moved, &of[1]);
  const double along = weights + swelling, across = law->friction > 0.0 ? along + 2.0 : 0.0, k_n = law->line.modulus * stiffening.stiffness,
               k_t = law->tangential_ratio * law->line.modulus;
  const double c_n = law->line.damping, c_t = law->friction > 0.0 ? law->tangential_damping : 0.0;
  stiffnesses s;
  s.normal = 0.5 * (k_n * along > k_t * across ? k_n * along : k_t * across);
  s.rate = 0.5 * (c_n * weights > c_t * (weights + 2.0) ? c_n * weights : c_t * (weights + 2.0));
  s.turn = 0.5 * k_t * across;
  s.turn_rate = 0.5 * c_t * (weights + 2.0);
  s.pressure = 0.5 * law->line.modulus * stiffening.pressure * (of[0].extent + of[1].extent) * eps;
  s.shortest = shortest;
  s.widest = 2.0 * reach;
  for (int side = 0; side < 2; side++) add_patch(&of[side], &of[1 - side], &at[side], &s, eli_contact_bounds_of(contact, pair->rod[side]));
  add_guard(contact, of, speed, reach);
  if (eli_world_chooses(contact->world)) add_resolved(contact, of);
}

static int bound_pair(const eli_contact *contact, const eli_contact_pair *pair, double horizon) {
  const int solid = eli_contact_solid_of(contact, pair);
  eli_capsule at[2];
  if (solid) {
    bound_on_solid(contact, pair, 2 - solid, horizon);
    return 0;
  }
  for (int side = 0; side < 2; side++) eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  eli_contact_reduce(pair, at);
  bound_line(contact, pair, at, horizon);
  return 0;
}

static void bound_spans(const eli_contact *contact, double way, double horizon) {
  const double margin = ELI_CONTACT_MARGIN * contact->largest_radius + 2.0 * way;
  for (size_t k = 0; k < contact->span_pairs.count; k++) {
    const uint64_t key = contact->span_pairs.keys[k];
    const eli_contact_span *one = &contact->spans[eli_pair_first(key)], *other = &contact->spans[eli_pair_second(key)];
    if (eli_contact_spans_are_far(contact, key, margin)) continue;
    if (eli_contact_is_by_elements(contact, one, other)) {
      eli_contact_each_of_spans(contact, key, margin, NULL, bound_pair, horizon);
      continue;
    }
    eli_contact_bound_span(contact, one, other, margin, horizon);
    if (one != other) eli_contact_bound_span(contact, other, one, margin, horizon);
  }
  eli_contact_each_of_folds(contact, horizon, bound_pair, horizon);
}

void eli_contact_bound_pairs(const eli_contact *contact, double way, double horizon) {
  if (contact->span_count > 0) {
    bound_spans(contact, way, horizon);
    return;
  }
  for (size_t k = 0; k < contact->count; k++)
    if (!stay_apart(contact, &contact->list[k], way) && !eli_contact_is_parted(contact, &contact->list[k]))
      bound_pair(contact, &contact->list[k], horizon);
}

int eli_contact_pair_awaits(const eli_contact *contact, const eli_contact_pair *pair, double dt) {
  const eli_contact_law *law = &contact->law;
  const int solid = eli_contact_solid_of(contact, pair), chooses = eli_world_chooses(contact->world);
  if (solid) {
    const eli_layer_law of = {law->line, law->friction, law->tangential_ratio, law->tangential_damping, 0.0, 0.0};
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[2 - solid]);
    const eli_solid at = eli_contact_solid(eli_contact_member_of(contact, pair->rod[solid - 1]));
    return eli_layer_awaits(&of, &member->round, member->rod, pair->element[2 - solid], &at, dt, chooses);
  }
  eli_capsule at[2];
  eli_closest closest;
  double closing, mass = INFINITY, measure = 0.0;
  for (int side = 0; side < 2; side++) {
    const patch of = {.member = eli_contact_member_of(contact, pair->rod[side]), .element = pair->element[side]};
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
    measure += at[side].measure + at[side].cap[0] + at[side].cap[1];
    if (least_mass(&of) < mass) mass = least_mass(&of);
  }
  eli_contact_reduce(pair, at);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at, closest.direction, &closing), sine = sine_between(at);
  const double moved = ELI_STEPS_AWAITED * dt * speed, gained = ELI_STEPS_AWAITED * dt * closing + 0.5 * moved * moved / reach;
  double eps = reach - closest.distance + (gained < moved ? gained : moved) + margin_of(contact, pair);
  if (!(eps > 0.0)) return 0;
  if (2.0 * speed * dt > reach) return 1;
  if (eps > reach) eps = reach;
  const double crossed = sine > 0.0 ? 4.0 * sqrt(2.0 * reach * eps) / sine : INFINITY, most = 0.5 * measure;
  const double extent = crossed < most ? crossed : most;
  return eli_is_too_long(dt, law->line.modulus * extent, law->line.damping * extent, mass, chooses);
}
