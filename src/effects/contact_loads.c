/* Loads of contact (see contact.h): the contact of each close pair, its friction, and the sums of all loads on nodes and elements.
 *
 * test       tests/test_contact.c, tests/test_contact_pile.c
 */
#include "base/target.h"

#include "base/fetch.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "effects/contact.h"
#include "hooks/built_in.h"
#include "rod/law.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- Contact of a pair ---- */

eli_placed_solid eli_contact_solid(const eli_contact_member *member) {
  const elastica_rod_view *body = member->rod;
  eli_placed_solid solid;
  memset(&solid, 0, sizeof solid);
  solid.obstacle = member->shape;
  eli_spin_of(body, 0, solid.spin);
  for (int a = 0; a < 3; a++) {
    solid.place.position[a] = body->position[a][0];
    solid.place.velocity[a] = body->velocity[a][0];
    for (int k = 0; k < 3; k++)
      for (int b = 0; b < 3; b++) solid.place.director[3 * k + a] += member->axes[3 * k + b] * body->director[b][a][0];
  }
  return solid;
}

/* Stores the loads of the layer as those of a line: the whole force on the solid acts at its centre. */
static void take_layer(const eli_layer *layer, int side, eli_touch *out) {
  eli_line_loads *line = &out->line;
  const double sign = side ? -1.0 : 1.0;
  memset(line, 0, sizeof *line);
  memcpy(line->force[side], layer->force, sizeof layer->force);
  for (int a = 0; a < 3; a++) {
    line->force[1 - side][0][a] = -layer->total[a];
    line->normal[a] = sign * layer->total[a];
    out->couple[a] = -layer->moment[a];
  }
  line->pressure = layer->pressure;
  line->elastic = layer->elastic;
  line->share[side] = layer->along;
  line->extent = layer->extent;
  line->energy = layer->energy;
  line->depth = layer->depth;
}

/* Returns the capsule of the other element: it has the radius of the element, also on a tapered rod. */
static eli_capsule on_solid(const eli_contact *contact, const eli_contact_pair *pair, int side, const eli_capsule *at) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, pair->rod[side])->rod;
  eli_capsule own = *at;
  if (!rod->rigid) own.radius = eli_radius(rod->volume[pair->element[side]], rod->length[pair->element[side]]);
  return own;
}

/* Finds the contact of a pair with a box or cylinder. solid_one is as from eli_contact_solid_of, at is the other element. Returns 0 without
 * contact. */
static int find_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int solid_one, const eli_capsule *at, eli_touch *out) {
  const int side = 2 - solid_one;
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_placed_solid solid = eli_contact_solid(member);
  const double sign = side ? -1.0 : 1.0;
  eli_layer layer;
  eli_middle middle;
  const eli_capsule own = on_solid(contact, pair, side, at);
  if (!eli_layer_find(&own, &solid, &contact->law.line, &layer)) return 0;
  eli_layer_middle(&own, &solid, &layer, &middle);
  out->solid = 1;
  take_layer(&layer, side, out);
  out->middle.share[side] = middle.share;
  out->middle.share[1 - side] = 0.5;
  for (int a = 0; a < 3; a++) {
    out->middle.normal[a] = sign * middle.normal[a];
    out->middle.point[a] = middle.point[a];
    out->middle.axis[side][a] = middle.point[a] - middle.lever[a];
    out->middle.axis[1 - side][a] = solid.place.position[a];
  }
  out->stiffness = contact->law.tangential_ratio * contact->law.line.modulus * layer.extent;
  return 1;
}

/* Returns 1 if an element with this depth [m] of overlap with a box or cylinder passes through the surface in a step of dt [s]. */
static int passes_through(const eli_contact *contact, const eli_contact_close *close, double depth, double dt) {
  const int side = 2 - close->solid;
  const eli_contact_pair *pair = &contact->list[close->pair];
  const eli_placed_solid solid = eli_contact_solid(eli_contact_member_of(contact, pair->rod[1 - side]));
  const eli_capsule own = on_solid(contact, pair, side, &contact->placed[close->placed[side]].at);
  return eli_layer_may_cross(&own, depth, &solid, dt) && eli_layer_crosses(&own, &solid, dt);
}

/* Reads the lanes directly: copies in small arrays take three times as long. */
static int are_apart(const eli_contact *contact, const eli_contact_pair *pair, double reach) {
  const elastica_rod_view *one = eli_contact_member_of(contact, pair->rod[0])->rod,
                          *other = eli_contact_member_of(contact, pair->rod[1])->rod;
  const int i = pair->element[0], j = pair->element[1];
  if (one->rigid || other->rigid) return 0;
  const double *const x = one->position[0], *const y = one->position[1], *const z = one->position[2];
  const double *const u = other->position[0], *const v = other->position[1], *const w = other->position[2];
  return eli_segments_are_apart((eli_edge){x[i], y[i], z[i], x[i + 1], y[i + 1], z[i + 1]},
                                (eli_edge){u[j], v[j], w[j], u[j + 1], v[j + 1], w[j + 1]}, reach);
}

int eli_contact_solid_of(const eli_contact *contact, const eli_contact_pair *pair) {
  for (int side = 0; side < 2 && contact->has_bodies; side++)
    if (eli_contact_member_of(contact, pair->rod[side])->solid) return side + 1;
  return 0;
}

/* Reads the contact of one of several pairs from the result of find_lines. Returns 0 without contact. */
static int read_touch(const eli_contact *contact, const eli_lines *lines, int q, eli_touch *out) {
  if (!eli_lines_read(lines, q, &out->line)) return 0;
  eli_lines_read_middle(lines, q, &out->middle);
  out->solid = 0;
  out->stiffness = contact->law.tangential_ratio * contact->law.line.modulus * out->line.extent;
  return 1;
}

int eli_contact_find(const eli_contact *contact, size_t k, eli_touch *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  for (int side = 0; side < 2; side++) eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  eli_contact_reduce(pair, at);
  if (are_apart(contact, pair, at[0].radius + at[1].radius)) return 0;
  const int solid = eli_contact_solid_of(contact, pair);
  if (solid) return find_on_solid(contact, pair, solid, &at[2 - solid], out);
  eli_lines lines;
  eli_lines_begin(&lines, &contact->law.line);
  lines.count = 1;
  for (int side = 0; side < 2; side++) {
    eli_lines_place(&lines, 0, side, &at[side]);
    eli_lines_move(&lines, 0, side, &at[side]);
  }
  contact->work->find_parts(&lines);
  if (!(lines.low[0][0] < lines.high[0][0])) return 0;
  contact->work->find_lines(&lines);
  return read_touch(contact, &lines, 0, out);
}

static double radius_at(const eli_capsule *at, double share) {
  return at->end_radius[0] + share * (at->end_radius[1] - at->end_radius[0]);
}

/* Includes the closest points: between the quadrature points of the line the overlap may be deeper. */
double eli_contact_depth(const eli_contact *contact, size_t k, const eli_touch *touch) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  eli_closest closest;
  if (touch->solid) return touch->line.depth;
  for (int side = 0; side < 2; side++) eli_contact_place(contact, pair->rod[side], pair->element[side], &at[side]);
  eli_contact_reduce(pair, at);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  const double depth = radius_at(&at[0], closest.s) + radius_at(&at[1], closest.t) - closest.distance;
  return depth > touch->line.depth ? depth : touch->line.depth;
}

/* ---- Stick-slip friction ---- */

/* The relative gain of stiffness in one step above which a pair takes over history from its neighbours. */
#define JUMP 0.1

/* Returns the present k_t of a pair. */
static double stiffness_of(const eli_contact *contact, size_t k) {
  eli_touch touch;
  return eli_contact_find(contact, k, &touch) ? touch.stiffness : 0.0;
}

/* Returns the pair with the next element before (0) or after (1) the element on the first rod, or on the second rod (2, 3); count: it is
 * not in the list. */
static size_t beside(const eli_contact *contact, size_t k, int which) {
  eli_contact_pair pair = contact->list[k];
  const int side = which / 2,
            next = eli_contact_neighbour(eli_contact_member_of(contact, pair.rod[side])->rod, pair.element[side], which % 2);
  if (next < 0) return contact->count;
  pair.element[side] = next;
  return eli_contact_search(contact, &pair);
}

/* Returns the part of the force of pair k, as its stiffness falls, that passes to pair `to`: the share of `to` in the growth of stiffness
 * of all neighbouring pairs. */
static double part_for(const eli_contact *contact, size_t k, size_t to) {
  double growth = 0.0, own = 0.0;
  for (int which = 0; which < 4; which++) {
    const size_t other = beside(contact, k, which);
    if (other == contact->count) continue;
    const double more = stiffness_of(contact, other) - eli_contact_history(contact, other).stiffness;
    if (!(more > 0.0)) continue;
    growth += more;
    if (other == to) own += more;
  }
  const double before = eli_contact_history(contact, k).stiffness, lost = before - stiffness_of(contact, k);
  return lost > 0.0 && growth > 0.0 ? lost / before * (own / (growth > lost ? growth : lost)) : 0.0;
}

/* Takes over history: a line of contact that passes from one element to the next keeps its friction. */
static void take_over(const eli_contact *contact, size_t k, eli_stick_slip *history) {
  for (int which = 0; which < 4; which++) {
    const size_t other = beside(contact, k, which);
    if (other == contact->count) continue;
    const eli_stick_slip own = eli_contact_history(contact, other);
    const double part = own.stiffness > 0.0 ? part_for(contact, other, k) : 0.0;
    if (!(part > 0.0)) continue;
    for (int a = 0; a < 3; a++) history->force[a] += part * own.force[a];
    if (!(history->stiffness > 0.0)) memcpy(history->normal, own.normal, sizeof history->normal);
  }
}

/* Returns the history of a pair at the start of a step. */
static eli_stick_slip history_of(const eli_contact *contact, size_t k, double stiffness) {
  eli_stick_slip history = eli_contact_history(contact, k);
  if (stiffness - history.stiffness > JUMP * stiffness) take_over(contact, k, &history);
  return history;
}

void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_stick_slip history = history_of(contact, k, touch->stiffness);
  eli_stick_slip_turn(&history, touch->middle.normal);
  eli_stick_slip_add(&history, none, touch->stiffness, contact->law.friction * touch->line.pressure);
  memcpy(force, history.force, sizeof history.force);
}

/* Computes the velocity of the surface of one element of a pair at the contact; point: the mean position of the contact. */
static void velocity_of(const eli_contact *contact, const eli_contact_close *close, int side, const eli_touch *touch, const eli_slip *at,
                        double out[3], double point[3]) {
  const eli_contact_placed *placed = &contact->placed[close->placed[side]];
  const eli_line_middle *middle = &touch->middle;
  const double(*ends)[3] = placed->at.velocity;
  double v[3], lever[3], centre[3], arm[3], turning[3];
  for (int a = 0; a < 3; a++) {
    lever[a] = middle->point[a] - middle->axis[side][a];
    v[a] = ends[0][a] + middle->share[side] * (ends[1][a] - ends[0][a]);
  }
  if (placed->rigid) {
    const elastica_rod_view *body = eli_contact_member_of(contact, contact->list[close->pair].rod[side])->rod;
    for (int a = 0; a < 3; a++) {
      centre[a] = body->position[a][0];
      arm[a] = middle->axis[side][a] - centre[a];
    }
    eli_cross(placed->spin, arm, turning);
    for (int a = 0; a < 3; a++) v[a] = body->velocity[a][0] + turning[a];
  }
  eli_slip_of_round(at, middle->axis[side], v, placed->spin, lever, placed->rigid ? centre : NULL, out, point);
}

/* Computes the same for a box or cylinder, at the contact point of the other element. */
static void velocity_of_solid(const eli_contact *contact, const eli_contact_close *close, int side, const eli_slip *at,
                              const double point[3], double out[3]) {
  const elastica_rod_view *body = eli_contact_member_of(contact, contact->list[close->pair].rod[side])->rod;
  double position[3], v[3];
  for (int a = 0; a < 3; a++) {
    v[a] = body->velocity[a][0];
    position[a] = body->position[a][0] - 0.5 * at->dt * v[a];
  }
  eli_slip_of_solid(at, position, v, contact->placed[close->placed[side]].spin, point, out);
}

/* Computes the friction force on the first element after one more step, which advances its history. */
static void step_friction(const eli_contact *contact, const eli_contact_close *close, const eli_touch *touch, double dt, double force[3]) {
  const double *normal = touch->middle.normal;
  const size_t k = close->pair;
  const int solid = close->solid - 1;
  eli_stick_slip history = history_of(contact, k, touch->stiffness);
  eli_slip at = {.dt = dt};
  eli_stick_slip_input step = {.dt = dt,
                               .stiffness = touch->stiffness,
                               .limit = contact->law.friction * touch->line.pressure,
                               .damping = contact->law.tangential_damping * touch->line.extent};
  double v[2][3], point[3];
  memcpy(at.normal, normal, sizeof at.normal);
  memcpy(at.before, history.normal, sizeof at.before);
  memcpy(step.normal, normal, sizeof step.normal);
  for (int side = 0; side < 2; side++)
    if (side != solid) velocity_of(contact, close, side, touch, &at, v[side], point);
  if (solid >= 0) velocity_of_solid(contact, close, solid, &at, point, v[solid]);
  for (int a = 0; a < 3; a++) {
    step.velocity[a] = v[0][a] - v[1][a];
    step.spin += 0.5 * (contact->placed[close->placed[0]].spin[a] + contact->placed[close->placed[1]].spin[a]) * normal[a];
  }
  eli_stick_slip_step(&history, &step, force);
  history.turn = contact->next_turn;
  contact->next_history[k] = history;
}

/* ---- Stick-slip friction of pairs side by side ---- */

/* Begins the friction of pairs side by side. */
static void begin_friction_lines(const eli_contact *contact, double dt, eli_stick_slips *springs) {
  memset(springs, 0, offsetof(eli_stick_slips, turning)); /* lanes beyond the last pair must be numbers too */
  if (contact->has_bodies) memset(springs->turning, 0, sizeof springs->turning);
  if (!(contact->law.friction > 0.0)) memset(springs->couple, 0, sizeof springs->couple);
  springs->dt = dt;
  springs->friction = contact->law.friction;
  springs->tangential = contact->law.tangential_ratio * contact->law.line.modulus;
  springs->damping = contact->law.tangential_damping;
  springs->has_bodies = contact->has_bodies;
}

/* Stores spin x (spin x arm) of a body at the axis of the contact. */
static void set_turning(const eli_contact *contact, const eli_contact_close *close, int side, const eli_lines *lines, int q,
                        eli_stick_slips *springs) {
  const eli_contact_placed *placed = &contact->placed[close->placed[side]];
  double arm[3], once[3], twice[3] = {0.0, 0.0, 0.0};
  if (placed->rigid) {
    const elastica_rod_view *body = eli_contact_member_of(contact, contact->list[close->pair].rod[side])->rod;
    for (int a = 0; a < 3; a++) arm[a] = lines->axis[side][a][q] - body->position[a][0];
    eli_cross(placed->spin, arm, once);
    eli_cross(placed->spin, once, twice);
  }
  for (int a = 0; a < 3; a++) springs->turning[side][a][q] = twice[a];
}

static void read_history(const eli_contact *contact, const eli_contact_close *close, const eli_lines *lines, int q,
                         eli_stick_slips *springs) {
  const eli_stick_slip history = history_of(contact, close->pair, springs->tangential * lines->extent[q]);
  for (int a = 0; a < 3; a++) {
    springs->force[a][q] = history.force[a];
    springs->normal[a][q] = history.normal[a];
  }
  springs->stiffness[q] = history.stiffness;
  for (int side = 0; side < 2; side++) {
    const double *spin = contact->placed[close->placed[side]].spin;
    for (int a = 0; a < 3; a++) springs->spin[side][a][q] = spin[a];
    if (contact->has_bodies) set_turning(contact, close, side, lines, q, springs);
  }
}

static void write_history(const eli_contact *contact, const eli_contact_close *close, const eli_stick_slips *springs, int q) {
  eli_stick_slip *history = &contact->next_history[close->pair];
  for (int a = 0; a < 3; a++) {
    history->force[a] = springs->force[a][q];
    history->normal[a] = springs->normal[a][q];
  }
  history->stiffness = springs->stiffness[q];
  history->sticks = springs->sticks[q] > 0.0;
  history->turn = contact->next_turn;
}

/* Computes friction for pairs side by side after find_lines: it is added to their forces, and its couples are stored in springs. */
static void step_friction_lines(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], eli_lines *lines,
                                eli_stick_slips *springs) {
  for (int q = 0; q < lines->count; q++)
    if (lines->depth[q] > 0.0) read_history(contact, close[q], lines, q, springs);
  contact->work->stick_slip(lines, springs);
  for (int q = 0; q < lines->count; q++)
    if (lines->depth[q] > 0.0) write_history(contact, close[q], springs, q);
}

/* ---- Sums of loads beside the lanes ----
 *
 * The partners of an element are anywhere in memory, and each lane of its loads is elsewhere. So all loads of contact on a node and an
 * element are summed in one cache line, which begins with the values of the lanes and replaces them: the same sums in the same order.
 */

/* The number of rods per task of a worker, and the time of an element [ns]. */
enum { SOME_RODS = 8 };
#define SUM_WORK 15.0

size_t eli_contact_sum_count(const eli_contact *contact) {
  return (size_t)contact->element_count + (size_t)(contact->end_rod - contact->first_rod);
}

static size_t first_sum(const eli_contact *contact, int rod) {
  return (size_t)eli_contact_member_of(contact, rod)->first + (size_t)(rod - contact->first_rod);
}

/* Finds the numbers of the sums of the ends of an element. */
static void find_sums(const eli_contact *contact, int rod, int j, size_t sum[2]) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  sum[0] = first_sum(contact, rod) + (size_t)j;
  sum[1] = first_sum(contact, rod) + (size_t)(view->rigid ? j : eli_second_node(view, j));
}

/* Finds the nodes with sums that belong to an element in a close pair: its first node, and its last one if no such element begins there. */
static int nodes_of(const eli_contact *contact, const eli_contact_member *member, int j, int node[3]) {
  const elastica_rod_view *rod = member->rod;
  const int is_last = j + 1 == rod->element_count;
  int count = 0;
  node[count++] = j;
  if (rod->rigid) return count;
  if (is_last || contact->number[member->first + j + 1] < 0) node[count++] = j + 1;
  if (is_last && rod->closed && contact->number[member->first] < 0) node[count++] = 0;
  return count;
}

/* Opens the sums of an element in a close pair with the values of the lanes. */
static void open_sums(const eli_contact *contact, int rod, int j, const elastica_loads *loads) {
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  int node[3];
  const int count = nodes_of(contact, member, j, node);
  for (int k = 0; k < count; k++) {
    eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)node[k]];
    const int has_couple = node[k] < member->rod->element_count;
    for (int a = 0; a < 3; a++) {
      sum->force[a] = loads[rod].force[a][node[k]];
      sum->couple[a] = has_couple ? loads[rod].couple[a][node[k]] : 0.0;
    }
    sum->widening = 0.0;
  }
}

static void widen(eli_contact_member *member, int node, double by) {
  member->widening[node] = by;
  if (node < member->first_widened) member->first_widened = node;
  if (node > member->last_widened) member->last_widened = node;
}

/* Writes the sums of an element back to the lanes. */
static void close_sums_of(const eli_contact *contact, int rod, int j, const elastica_loads *loads) {
  eli_contact_member *member = eli_contact_member_of(contact, rod);
  int node[3];
  const int count = nodes_of(contact, member, j, node);
  for (int k = 0; k < count; k++) {
    const eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)node[k]];
    for (int a = 0; a < 3; a++) loads[rod].force[a][node[k]] = sum->force[a];
    for (int a = 0; a < 3 && node[k] < member->rod->element_count; a++) loads[rod].couple[a][node[k]] = sum->couple[a];
    if (sum->widening != 0.0) widen(member, node[k], sum->widening);
  }
}

/* ---- Tensions of the classical law ---- */

/* Returns the tension from constant volume: a shorter element is thicker, and overlaps more (classical law). part [N] is the widening load
 * of this element. */
static double tension_of(const elastica_rod_view *rod, int j, double part) {
  return -part * 0.5 * eli_radius(rod->volume[j], rod->length[j]) / rod->length[j];
}

/* Adds a tension for the widening of an element. */
static void add_tension(const eli_contact *contact, int rod, int j, double part) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)j];
  const double tension = tension_of(view, j, part);
  for (int a = 0; a < 3; a++) {
    sum[0].force[a] += tension * view->tangent[a][j];
    sum[1].force[a] -= tension * view->tangent[a][j];
  }
}

/* Adds the tensions of a rod. A node has the mean radius of its elements, so half of its widening load acts on each. */
static void add_tensions(eli_contact_member *member, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  const int first = member->first_widened, last = member->last_widened, n = rod->element_count;
  for (int j = first - 1; j <= last && j < n; j++) {
    const int own = j < 0 ? n - 1 : j; /* the last element of a ring is before node 0 */
    double part = 0.0;
    if (j < 0 && (!rod->closed || last >= n - 1)) continue;
    for (int end = 0; end < 2; end++)
      part += (eli_contact_neighbour(rod, own, end) < 0 ? 1.0 : 0.5) * member->widening[end ? eli_second_node(rod, own) : own];
    if (part == 0.0) continue;
    const double tension = tension_of(rod, own, part);
    for (int a = 0; a < 3; a++) {
      loads->force[a][own] += tension * rod->tangent[a][own];
      loads->force[a][own + 1] -= tension * rod->tangent[a][own];
    }
  }
  for (int i = first; i <= last; i++) member->widening[i] = 0.0;
  member->first_widened = n + 1;
  member->last_widened = -1;
}

/* ---- Sums of all rods ---- */

typedef struct closing {
  const eli_contact *contact;
  const elastica_loads *loads;
} closing;

static void close_some(void *context, int worker, size_t index) {
  const closing *of = context;
  const eli_contact *contact = of->contact;
  const int first = contact->first_rod + (int)index * SOME_RODS;
  (void)worker;
  for (int r = first; r < first + SOME_RODS && r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    for (int p = member->first_placed; p < member->end_placed; p++)
      close_sums_of(contact, r, contact->placed_element[p] - member->first, of->loads);
    if (member->rod != NULL && member->last_widened >= member->first_widened) add_tensions(member, &of->loads[r]);
  }
}

/* Writes all sums back to the lanes and adds the tensions of the classical law. */
static void close_sums(const eli_contact *contact, const elastica_loads *loads) {
  const size_t rods = (size_t)(contact->end_rod - contact->first_rod);
  closing of = {contact, loads};
  eli_world_share(contact->world, (rods + SOME_RODS - 1) / SOME_RODS, SUM_WORK * (double)contact->placed_count, close_some, &of);
}

/* The number of pairs or elements per task of a worker, and the time of one of them [ns]. */
enum { SOME = 128 };
#define PAIR_WORK 100.0
#define ELEMENT_WORK 30.0

/* ---- Placing elements ---- */

/* Arguments of the task that places elements and opens their sums. */
typedef struct placing {
  const eli_contact *contact;
  const elastica_loads *loads;
} placing;

static void place(const eli_contact *contact, int rod, int j, eli_contact_placed *out) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  eli_contact_place_moving(contact, rod, j, &out->at);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out->director[3 * a + b] = view->director[a][b][j];
  eli_spin_of(view, view->rigid ? 0 : j, out->spin);
  find_sums(contact, rod, j, out->sum);
  out->swells = view->classical_law && !view->rigid;
  out->rigid = view->rigid;
}

static void place_some(void *context, int worker, size_t index) {
  const placing *of = context;
  const eli_contact *contact = of->contact;
  (void)worker;
  for (size_t p = index * SOME; p < (index + 1) * SOME && p < (size_t)contact->placed_count; p++) {
    const int element = contact->placed_element[p], rod = contact->owner[element], j = element - eli_contact_member_of(contact, rod)->first;
    place(contact, rod, j, &contact->placed[p]);
    open_sums(contact, rod, j, of->loads);
  }
}

/* ---- Pairs ---- */

/* One block of pairs. The pairs are computed independently; then their loads are added in order. */
typedef struct block {
  const eli_contact *contact;
  const elastica_instant *now;
  size_t first, count;
  int stands, moves; /* stands 1: friction of the present state; moves 1: the history advances */
} block;

/* Computes forces on the ends, with friction at the middle of the contact, and the couple of friction about the axis. */
static void put_together(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                         eli_contact_result *out) {
  const eli_line_middle *middle = &touch->middle;
  memcpy(out->force, touch->line.force, sizeof out->force);
  for (int side = 0; side < 2; side++)
    for (int end = 0; end < 2; end++) out->swelling[side][end] = pair->reduction * touch->line.swelling[side][end];
  out->solid_swelling = touch->solid ? touch->line.elastic : 0.0;
  for (int side = 0; side < 2; side++) {
    double lever[3], own[3];
    for (int a = 0; a < 3; a++) {
      own[a] = side ? -friction[a] : friction[a];
      lever[a] = middle->point[a] - middle->axis[side][a];
      const double second = middle->share[side] * own[a];
      out->force[side][0][a] += own[a] - second;
      out->force[side][1][a] += second;
    }
    eli_cross(lever, own, out->couple[side]);
    if (touch->solid && eli_contact_member_of(contact, pair->rod[side])->solid)
      for (int a = 0; a < 3; a++) out->couple[side][a] += touch->couple[a];
  }
}

/* Moves all forces on a body to its centre: its two ends are one node. */
static void move_to_centre(const eli_contact_member *member, double force[2][3], double moment[3]) {
  double arm[3], difference[3], turning[3];
  eli_round_arm(&member->round, member->rod, arm);
  for (int a = 0; a < 3; a++) difference[a] = force[1][a] - force[0][a];
  eli_cross(arm, difference, turning);
  for (int a = 0; a < 3; a++) {
    force[0][a] += force[1][a];
    force[1][a] = -0.0;
    moment[a] += turning[a];
  }
}

/* Sets the sums that receive the loads, and converts the loads to the components used there. */
static void address(const eli_contact *contact, const eli_contact_close *close, eli_contact_result *out) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_placed *placed = &contact->placed[close->placed[side]];
    const double *q = placed->director;
    double *moment = out->couple[side];
    memcpy(out->sum[side], placed->sum, sizeof placed->sum);
    if (placed->rigid) move_to_centre(eli_contact_member_of(contact, contact->list[close->pair].rod[side]), out->force[side], moment);
    const int turns = moment[0] != 0.0 || moment[1] != 0.0 || moment[2] != 0.0;
    const double m[3] = {moment[0], moment[1], moment[2]};
    for (int a = 0; a < 3; a++) moment[a] = turns ? q[3 * a] * m[0] + q[3 * a + 1] * m[1] + q[3 * a + 2] * m[2] : -0.0;
    for (int end = 0; end < 2 && !placed->swells; end++) out->swelling[side][end] = -0.0;
  }
}

/* Returns 1 if the centre line of the thinner element has reached the surface of the other: one step later they may have passed through
 * each other. On a box or cylinder, returns 1 if the element passes through the surface in this step. */
static int has_sunk(const block *of, const eli_contact_close *close, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_capsule *one = &contact->placed[close->placed[0]].at, *other = &contact->placed[close->placed[1]].at;
  const double least = one->rest_radius < other->rest_radius ? one->rest_radius : other->rest_radius;
  return touch->solid ? of->moves && passes_through(contact, close, touch->line.depth, of->now->dt)
                      : touch->line.depth >= contact->list[close->pair].reduction * least;
}

static void finish(const block *of, size_t place, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *close = &contact->close[of->first + place];
  const size_t k = close->pair;
  double friction[3] = {0.0, 0.0, 0.0};
  if (contact->law.friction > 0.0 && of->stands)
    eli_contact_friction(contact, k, touch, friction);
  else if (contact->law.friction > 0.0)
    step_friction(contact, close, touch, of->now->dt, friction);
  contact->results[place].touches = 1;
  contact->results[place].sunk = has_sunk(of, close, touch);
  put_together(contact, &contact->list[k], touch, friction, &contact->results[place]);
  address(contact, close, &contact->results[place]);
}

/* Several pairs side by side, and their positions in the block. */
typedef struct several {
  eli_lines lines;
  eli_stick_slips springs;
  size_t place[ELI_LINES];
} several;

/* Stores the result of one of them, with its friction. */
static void finish_line(const block *of, const several *near, int q) {
  const eli_contact *contact = of->contact;
  const eli_lines *lines = &near->lines;
  const eli_contact_close *close = &contact->close[of->first + near->place[q]];
  eli_contact_result *out = &contact->results[near->place[q]];
  const double first = lines->rest_radius[0][q], second = lines->rest_radius[1][q];
  out->touches = 1;
  out->sunk = lines->depth[q] >= (first < second ? first : second);
  out->solid_swelling = 0.0;
  for (int side = 0; side < 2; side++) {
    for (int end = 0; end < 2; end++) {
      for (int a = 0; a < 3; a++) out->force[side][end][a] = lines->force[side][end][a][q];
      out->swelling[side][end] = lines->swelling[side][end][q];
    }
    for (int a = 0; a < 3; a++) out->couple[side][a] = near->springs.couple[side][a][q];
  }
  address(contact, close, out);
}

/* Pairs with some part within reach, sorted by kind: the pairs side by side then have about the same number of cells, and the ends of
 * elements are within reach in all or in none of them. */
enum { KINDS = 8 };
typedef struct near_pair {
  size_t place;
  double low, high; /* part within reach of the first element */
  int kind;
} near_pair;

typedef struct near_pairs {
  near_pair pair[SOME];
  int count, kinds[KINDS];
} near_pairs;

static void add_near(const eli_contact *contact, const eli_contact_close *at, size_t place, double low, double high, near_pairs *near) {
  const eli_capsule *one = &contact->placed[at->placed[0]].at, *other = &contact->placed[at->placed[1]].at;
  const double cell = ELI_LONGEST_CELL * (one->rest_radius + other->rest_radius), length = (high - low) * one->measure;
  const int cells = (length > cell) + (length > 2.0 * cell) + (length > 3.0 * cell);
  const int kind = 2 * cells + (low == 0.0 || high == 1.0);
  near->pair[near->count++] = (near_pair){place, low, high, kind};
  near->kinds[kind]++;
}

static void reduce(const eli_contact *contact, const eli_contact_close *close, eli_lines *lines, int q, int moved) {
  if (close->reduced) eli_lines_reduce(lines, q, moved, contact->list[close->pair].reduction);
}

static void find_several(const block *of, several *near) {
  const eli_contact *contact = of->contact;
  const int steps_friction = contact->law.friction > 0.0 && !of->stands;
  const eli_contact_close *close[ELI_LINES];
  contact->work->find_lines(&near->lines);
  for (int q = 0; q < near->lines.count; q++) close[q] = &contact->close[of->first + near->place[q]];
  if (steps_friction) step_friction_lines(contact, close, &near->lines, &near->springs);
  for (int q = 0; q < near->lines.count; q++) {
    eli_touch touch;
    if (!(near->lines.depth[q] > 0.0)) continue;
    if (!steps_friction && contact->law.friction > 0.0 && read_touch(contact, &near->lines, q, &touch))
      finish(of, near->place[q], &touch);
    else
      finish_line(of, near, q);
  }
  near->lines.count = 0;
}

static void find_lines(const block *of, const near_pairs *near, several *lines) {
  const eli_contact *contact = of->contact;
  int order[SOME], next[KINDS], first = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    next[kind] = first;
    first += near->kinds[kind];
  }
  for (int k = 0; k < near->count; k++) order[next[near->pair[k].kind]++] = k;
  for (int k = 0; k < near->count; k++) {
    const near_pair *pair = &near->pair[order[k]];
    const eli_contact_close *close = &contact->close[of->first + pair->place];
    const int q = lines->lines.count++;
    for (int side = 0; side < 2; side++) eli_lines_move(&lines->lines, q, side, &contact->placed[close->placed[side]].at);
    reduce(contact, close, &lines->lines, q, 1);
    lines->lines.low[0][q] = pair->low;
    lines->lines.high[0][q] = pair->high;
    lines->place[q] = pair->place;
    if (lines->lines.count == ELI_LINES || k + 1 == near->count) find_several(of, lines);
  }
}

/* Fetches the data that are not read until all of the near pairs are known. */
ELI_FETCHES fetch_rest(const eli_contact *contact, const eli_contact_close *close) {
  enum { REST = offsetof(eli_contact_placed, at.velocity) };
  for (int side = 0; side < 2; side++)
    eli_fetch((const char *)&contact->placed[close->placed[side]] + REST, sizeof contact->placed[0] - REST);
  __builtin_prefetch(&contact->history[close->pair]);
  __builtin_prefetch(&contact->next_history[close->pair], 1);
}

/* Passes on the pairs with some part within reach. */
static void find_parts(const block *of, several *close, near_pairs *near) {
  of->contact->work->find_parts(&close->lines);
  for (int q = 0; q < close->lines.count; q++) {
    const double low = close->lines.low[0][q], high = close->lines.high[0][q];
    const eli_contact_close *at = &of->contact->close[of->first + close->place[q]];
    if (!(low < high)) continue;
    fetch_rest(of->contact, at);
    add_near(of->contact, at, close->place[q], low, high, near);
  }
  close->lines.count = 0;
}

static void work_out(const block *of, size_t place, several *close) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *at = &contact->close[of->first + place];
  contact->results[place].touches = 0;
  if (at->solid) {
    eli_touch touch;
    if (find_on_solid(contact, &contact->list[at->pair], at->solid, &contact->placed[at->placed[2 - at->solid]].at, &touch))
      finish(of, place, &touch);
    return;
  }
  for (int side = 0; side < 2; side++) eli_lines_place(&close->lines, close->lines.count, side, &contact->placed[at->placed[side]].at);
  reduce(contact, at, &close->lines, close->lines.count, 0);
  close->place[close->lines.count++] = place;
}

ELI_FETCHES fetch_pair(const eli_contact *contact, const eli_contact_close *at) {
  for (int side = 0; side < 2; side++) eli_fetch(&contact->placed[at->placed[side]], offsetof(eli_capsule, radius));
}

static void work_out_some(void *context, int worker, size_t index) {
  const block *of = context;
  several close;
  near_pairs near = {.count = 0, .kinds = {0}};
  (void)worker;
  eli_lines_begin(&close.lines, &of->contact->law.line);
  begin_friction_lines(of->contact, of->now->dt, &close.springs);
  const size_t end = (index + 1) * SOME < of->count ? (index + 1) * SOME : of->count;
  for (size_t k = index * SOME; k < end; k++) {
    if (k + ELI_AHEAD < end) fetch_pair(of->contact, &of->contact->close[of->first + k + ELI_AHEAD]);
    work_out(of, k, &close);
    if (close.lines.count == ELI_LINES) find_parts(of, &close, &near);
  }
  find_parts(of, &close, &near);
  find_lines(of, &near, &close);
}

/* ---- Loads of a block of pairs, in order ---- */

static void apply(const eli_contact *contact, const eli_contact_close *close, const eli_contact_result *of) {
  for (int side = 0; side < 2; side++) {
    eli_contact_sum *first = &contact->sums[of->sum[side][0]], *second = &contact->sums[of->sum[side][1]];
    for (int a = 0; a < 3; a++) {
      first->force[a] += of->force[side][0][a];
      first->couple[a] += of->couple[side][a];
      second->force[a] += of->force[side][1][a];
    }
    first->widening += of->swelling[side][0];
    second->widening += of->swelling[side][1];
    if (of->solid_swelling == 0.0 || !contact->placed[close->placed[side]].swells) continue;
    const eli_contact_pair *pair = &contact->list[close->pair];
    add_tension(contact, pair->rod[side], pair->element[side], of->solid_swelling);
  }
}

static void note_sunk(eli_contact *contact, size_t k) {
  for (int side = 0; side < 2; side++) eli_contact_member_of(contact, contact->list[k].rod[side])->sunk = 1;
  if (contact->sunk == SIZE_MAX) contact->sunk = k;
}

static void forget_sunk(eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod && contact->sunk != SIZE_MAX; r++) eli_contact_member_of(contact, r)->sunk = 0;
  contact->sunk = SIZE_MAX;
}

/* Applies the results of a block, in order. */
static void apply_all(const block *of, eli_contact *contact) {
  assert(of->first + of->count <= contact->close_count && of->count <= ELI_CONTACT_BLOCK);
  for (size_t k = 0; k < of->count; k++) {
    const eli_contact_result *ahead = &contact->results[k + ELI_AHEAD < of->count ? k + ELI_AHEAD : k];
    for (int side = 0; side < 2 && ahead->touches; side++)
      for (int end = 0; end < 2; end++) __builtin_prefetch(&contact->sums[ahead->sum[side][end]], 1);
    if (!contact->results[k].touches) continue;
    apply(contact, &contact->close[of->first + k], &contact->results[k]);
    if (contact->results[k].sunk) note_sunk(contact, contact->close[of->first + k].pair);
  }
}

/* ---- Contact in a step and in statics ---- */

/* Returns 1 if statics tries displacements one after the other, with friction by slip. */
static int has_slips(const eli_contact *contact) {
  elastica_rod_view view;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL) return eli_world_slips(contact->world, contact->first_rod + k, &view);
  return 0;
}

/* Gives the members views with the displacements since the last accepted state as velocities, and switches damping off. Returns 0 without
 * such displacements; -1 without memory. */
static int begin_slips(eli_contact *contact) {
  const int count = contact->end_rod - contact->first_rod;
  if (!(contact->law.friction > 0.0) || !has_slips(contact)) return 0;
  if (count > contact->slipping_count) {
    elastica_rod_view *larger = eli_allocate(&contact->allocator, (size_t)count, sizeof *larger);
    if (larger == NULL) return -1;
    eli_release(&contact->allocator, contact->slipping);
    contact->slipping = larger;
    contact->slipping_count = count;
  }
  for (int k = 0; k < count; k++) {
    if (contact->members[k].rod == NULL) continue;
    (void)eli_world_slips(contact->world, contact->first_rod + k, &contact->slipping[k]);
    contact->members[k].rod = &contact->slipping[k];
  }
  contact->law.line.damping = contact->law.tangential_damping = 0.0;
  return 1;
}

static void end_slips(eli_contact *contact, const eli_contact_law *law) {
  contact->law = *law;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL)
      contact->members[k].rod = elastica_rod_get_view(elastica_world_rod(contact->world, contact->first_rod + k));
}

static void act(eli_contact *contact, block *of, const elastica_world_loads *loads) {
  const size_t placed = (size_t)contact->placed_count;
  contact->next_turn++; /* next_history starts empty */
  forget_sunk(contact);
  placing at = {contact, loads->loads};
  eli_world_share(contact->world, (placed + SOME - 1) / SOME, ELEMENT_WORK * (double)placed, place_some, &at);
  for (of->first = 0; of->first < contact->close_count; of->first += ELI_CONTACT_BLOCK) {
    const size_t left = contact->close_count - of->first;
    of->count = left < ELI_CONTACT_BLOCK ? left : ELI_CONTACT_BLOCK;
    eli_world_share(contact->world, (of->count + SOME - 1) / SOME, PAIR_WORK * (double)of->count, work_out_some, of);
    apply_all(of, contact);
  }
  close_sums(contact, loads->loads);
  contact->measured = 0;
  if (of->moves) eli_contact_move_on(contact);
}

static elastica_status fail(const eli_contact *contact) {
  const eli_contact_pair *pair = &contact->list[contact->sunk];
  (void)eli_world_explain(contact->world, contact, "rod %d, element %d and rod %d, element %d would pass through each other", pair->rod[0],
                          pair->element[0], pair->rod[1], pair->element[1]);
  return ELASTICA_UNSTABLE_STEP;
}

elastica_status eli_contact_act(eli_contact *contact, elastica_world_loads *loads) {
  if (!eli_contact_find_close(contact)) return ELASTICA_OUT_OF_MEMORY;
  const elastica_instant *now = &contact->now;
  const int still = eli_is_statics(now);
  const eli_contact_law law = contact->law;
  const int slips = still ? begin_slips(contact) : 0;
  if (slips < 0) return ELASTICA_OUT_OF_MEMORY;
  if (contact->close_count > (size_t)contact->element_count / 4) eli_contact_measure(contact);
  block of = {.contact = contact, .now = now, .stands = still && !slips};
  of.moves = still ? slips && now->is_accepted : !eli_is_query(now);
  act(contact, &of, loads);
  if (slips) end_slips(contact, &law);
  return !still && contact->sunk != SIZE_MAX ? fail(contact) : ELASTICA_OK;
}
