/* What contact adds: loads with the history of friction, and bounds for the step limit (see contact.h). */
#include "base/target.h"

#include "base/module.h"
#include "base/vector.h"
#include "contact/horizon.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* ---- Loads ---- */

static void turn_to_material(const elastica_rod_view *rod, int j, const double laboratory[3], double material[3]) {
  for (int a = 0; a < 3; a++)
    material[a] = rod->director[a][0][j] * laboratory[0] + rod->director[a][1][j] * laboratory[1] + rod->director[a][2][j] * laboratory[2];
}

/* Forces on both ends of an element, and a couple. */
static void push(const eli_contact_member *member, int j, const double force[2][3], const double couple[3], const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  double moment[3] = {couple[0], couple[1], couple[2]}, material[3];
  for (int a = 0; a < 3; a++) {
    loads->force[a][j] += rod->rigid ? force[0][a] + force[1][a] : force[0][a];
    if (!rod->rigid) loads->force[a][j + 1] += force[1][a];
  }
  if (rod->rigid) {
    double arm[3], difference[3], turning[3];
    for (int a = 0; a < 3; a++) {
      arm[a] = 0.0;
      for (int b = 0; b < 3; b++) arm[a] += member->half_length * member->axis[b] * rod->director[b][a][0];
      difference[a] = force[1][a] - force[0][a];
    }
    eli_cross(arm, difference, turning);
    for (int a = 0; a < 3; a++) moment[a] += turning[a];
  }
  if (moment[0] == 0.0 && moment[1] == 0.0 && moment[2] == 0.0) return;
  turn_to_material(rod, j, moment, material);
  for (int a = 0; a < 3; a++) loads->couple[a][j] += material[a];
}

/* The tension that keeps the volume: a shorter element is thicker, and overlaps more (classical law). */
static void add_tension(const elastica_rod_view *rod, int j, double radius, double pressure, double force[2][3]) {
  if (!rod->classical_law || rod->rigid) return;
  const double tension = -pressure * 0.5 * radius / rod->length[j];
  for (int a = 0; a < 3; a++) {
    force[0][a] += tension * rod->tangent[a][j];
    force[1][a] -= tension * rod->tangent[a][j];
  }
}

static void apply(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                  const elastica_loads *loads) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = &contact->members[pair->rod[side]];
    const int j = pair->element[side];
    double force[2][3], lever[3], rubbing[3], couple[3];
    memcpy(force, touch->line.force[side], sizeof force);
    add_tension(member->rod, j, touch->radius[side], touch->line.elastic, force);
    for (int a = 0; a < 3; a++) {
      rubbing[a] = side ? -friction[a] : friction[a];
      lever[a] = touch->point[a] - touch->axis[side][a];
      const double second = touch->share[side] * rubbing[a];
      force[0][a] += rubbing[a] - second;
      force[1][a] += second;
    }
    eli_cross(lever, rubbing, couple);
    push(member, j, (const double(*)[3])force, couple, &loads[pair->rod[side]]);
  }
}

void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_rub rub = contact->list[k].rub;
  eli_rub_turn(&rub, touch->normal, 0.0);
  eli_rub_slip(&rub, none, touch->stiffness, contact->law.friction * touch->line.pressure);
  memcpy(force, rub.force, sizeof rub.force);
}

/* Friction after another step. */
static void rub_on(const eli_contact *contact, eli_rub *rub, const eli_touch *touch, double dt, double force[3]) {
  const double limit = contact->law.friction * touch->line.pressure;
  double slip[3];
  for (int a = 0; a < 3; a++) slip[a] = dt * touch->velocity[a];
  eli_rub_turn(rub, touch->normal, dt * touch->spin);
  eli_rub_slip(rub, slip, touch->stiffness, limit);
  eli_rub_force(rub, touch->velocity, contact->law.tangential_damping * touch->line.extent, limit, force);
}

elastica_status eli_contact_act(eli_contact *contact, const elastica_instant *now, elastica_world_loads *loads) {
  const int still = eli_world_stands_still(contact->world), moves = !still && !eli_world_asks(contact->world);
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_contact_pair *pair = &contact->list[k];
    eli_touch touch;
    double friction[3] = {0.0, 0.0, 0.0};
    if (!eli_contact_find(contact, k, &touch)) {
      if (moves) memset(&pair->rub, 0, sizeof pair->rub);
      continue;
    }
    if (contact->law.friction > 0.0 && still) eli_contact_friction(contact, k, &touch, friction);
    if (contact->law.friction > 0.0 && !still) {
      eli_rub rub = pair->rub;
      rub_on(contact, &rub, &touch, now->dt, friction);
      if (moves) pair->rub = rub;
    }
    apply(contact, pair, &touch, friction, loads->loads);
  }
  return ELASTICA_OK;
}

/* ---- The step limit ----
 *
 * Each point of a line of contact, which stands for the length mu, has the quadratic form k mu (n . u)^2 of the displacement u of one centre
 * line against the other there, and that of the tangential spring, in which the surfaces turn as well. By (sum g x)^2 <= sum |g| sum |g|
 * x^2 each number that moves the point gets its share. How long the line may be until the next look follows from how far the pair may move
 * until then. Pressure k eps times the curvature of the distance, and of the radii, is added: the distance falls short of its tangent by
 * 2 z_t q + d q^2 where the line turns by q towards the other and that slides by z_t along it. */

/* Gap below which a pair counts as closed in any case, in radii. */
#define MARGIN 0.02

/* The list reaches no further, in radii: beyond, it asks for another look when it must be built again. */
#define FURTHEST 2.0

/* How long the horizon is: ELI_LOOK_INTERVAL steps, none longer than axial waves or the contact of a ball allow. */
static double horizon_of(const eli_contact *contact) {
  double least = 0.0;
  for (int r = 0; r < contact->rod_count; r++) {
    const eli_contact_member *member = &contact->members[r];
    if (member->rod == NULL) continue;
    const double time = member->rod->rigid ? ELI_LOOK_INTERVAL * sqrt(member->rod->mass[0] / (contact->law.line.modulus * member->radius))
                                           : eli_horizon_time(member->rod);
    if (time > 0.0 && time - time == 0.0 && (least == 0.0 || time < least)) least = time;
  }
  return least;
}

/* The largest speed of a node against the first one. */
static double speed_of(const eli_contact *contact) {
  double first[3] = {0.0, 0.0, 0.0}, largest = 0.0;
  int found = 0;
  for (int r = 0; r < contact->rod_count; r++) {
    const elastica_rod_view *rod = contact->members[r].rod;
    if (rod == NULL) continue;
    for (int a = 0; a < 3 && !found; a++) first[a] = rod->velocity[a][0];
    found = 1;
    for (int i = 0; i < rod->node_count; i++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += (rod->velocity[a][i] - first[a]) * (rod->velocity[a][i] - first[a]);
      if (square > largest) largest = square;
    }
  }
  return sqrt(largest);
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
    const double part = most_of_end(of, at->measure, end) + other->extent * of->share[end] + of->swelling * both, l = of->length;
    to->node[j + end] +=
        s->normal * part + s->pressure * (4.0 * of->share[end] / s->shortest + (1.0 + 3.0 * of->swelling + s->widest / l) / l);
    to->node_rate[j + end] += s->rate * part;
  }
  to->element[j] += turn;
  to->element_rate[j] += turn_rate;
}

/* Points must not pass through each other between two looks at them: no step longer than half the way. */
static void add_guard(const patch of[2], double speed, double reach, const elastica_stiffness *rods) {
  const double rate = 4.0 * speed / reach;
  for (int side = 0; side < 2; side++) {
    const elastica_rod_view *rod = of[side].member->rod;
    for (int end = 0; end < (rod->rigid ? 1 : 2); end++)
      rods[rod->rod_index].node[of[side].element + end] += rate * rate * rod->mass[of[side].element + end];
  }
}

static double largest_speed(const eli_capsule at[2]) {
  double largest = 0.0;
  for (int k = 0; k < 4; k++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double v = at[0].velocity[k / 2][a] - at[1].velocity[k % 2][a];
      square += v * v;
    }
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

static double sine_between(const eli_capsule at[2]) {
  double edge[2][3], across[3];
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) edge[side][a] = at[side].end[1][a] - at[side].end[0][a];
  eli_cross(edge[0], edge[1], across);
  const double square = eli_dot(edge[0], edge[0]) * eli_dot(edge[1], edge[1]);
  return square > 0.0 ? sqrt(eli_dot(across, across) / square) : 1.0;
}

static void bound_pair(const eli_contact *contact, size_t k, double horizon, const elastica_stiffness *rods) {
  const eli_contact_pair *pair = &contact->list[k];
  const eli_contact_law *law = &contact->law;
  eli_capsule at[2];
  eli_closest closest;
  patch of[2];
  for (int side = 0; side < 2; side++) eli_contact_place_moving(contact, pair, side, &at[side]);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at), moved = horizon * speed;
  double eps = reach - closest.distance + moved + MARGIN * contact->largest_radius, sine = sine_between(at), weights = 0.0,
         shortest = reach;
  if (!(eps > 0.0)) return;
  if (eps > reach) eps = reach;
  memset(of, 0, sizeof of);
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = &contact->members[pair->rod[side]];
    of[side].member = member;
    of[side].element = pair->element[side];
    of[side].radius = at[side].radius;
    of[side].arm = member->rod->rigid ? member->half_length : 0.0;
    const double l = member->rod->rigid ? 2.0 * member->half_length : member->rod->length[pair->element[side]];
    if (!member->rod->rigid) of[side].swelling = 0.5 * at[side].radius / l;
    sine -= l > 0.0 ? 2.0 * moved / l : 0.0;
    weights += (of[side].arm > 0.0 ? 2.0 : 1.0) + 2.0 * of[side].swelling;
    if (l > 0.0 && l < shortest) shortest = l;
  }
  const double half = sine > 0.0 ? sqrt(2.0 * reach * eps) / sine : INFINITY;
  measure_patch(&at[0], &at[1], closest.s, half, moved, &of[0]);
  measure_patch(&at[1], &at[0], closest.t, half, moved, &of[1]);
  const double across = law->friction > 0.0 ? weights + 2.0 : 0.0, k_n = law->line.modulus, k_t = law->tangential_ratio * k_n;
  const double c_n = law->line.damping, c_t = law->friction > 0.0 ? law->tangential_damping : 0.0;
  stiffnesses s;
  s.normal = 0.5 * (k_n * weights > k_t * across ? k_n * weights : k_t * across);
  s.rate = 0.5 * (c_n * weights > c_t * (weights + 2.0) ? c_n * weights : c_t * (weights + 2.0));
  s.turn = 0.5 * k_t * across;
  s.turn_rate = 0.5 * c_t * (weights + 2.0);
  s.pressure = 0.5 * k_n * (of[0].extent + of[1].extent) * eps;
  s.shortest = shortest;
  s.widest = 2.0 * reach;
  for (int side = 0; side < 2; side++) add_patch(&of[side], &of[1 - side], &at[side], &s, &rods[pair->rod[side]]);
  add_guard(of, speed, reach, rods);
}

elastica_status eli_contact_bound(eli_contact *contact, const elastica_instant *now, const elastica_stiffness *rods) {
  (void)now;
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  const double horizon = horizon_of(contact), furthest = FURTHEST * contact->largest_radius;
  double need = MARGIN * contact->largest_radius + 2.0 * horizon * speed_of(contact);
  if (!(need < furthest)) need = furthest;
  if (eli_contact_cover(contact, need) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) bound_pair(contact, k, horizon, rods);
  return ELASTICA_OK;
}
