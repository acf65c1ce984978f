/* Loads of contact and their stiffness (see contact.h): the contact of each close pair, its friction, the sums of all loads on nodes and
 * elements, and the derivatives of the loads of a pair.
 *
 * test       tests/test_contact.c, tests/test_contact_pile.c, tests/test_statics_tangent.c, tests/test_relax_touching.c
 */
#include "base/target.h"

#include "base/fetch.h"
#include "base/vector.h"
#include "contact/capsule.h"
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

/* Finds the contact of an element, as a capsule with its own radius, with a box or cylinder, by this law; solid_one is as from
 * eli_contact_solid_of. Returns 0 without contact. */
static int touch_solid(const eli_contact *contact, const eli_line_law *law, int solid_one, const eli_capsule *own,
                       const eli_placed_solid *solid, eli_touch *out) {
  const int side = 2 - solid_one;
  const double sign = side ? -1.0 : 1.0;
  eli_layer layer;
  eli_middle middle;
  if (!eli_layer_find(own, solid, law, &layer)) return 0;
  eli_layer_middle(own, solid, &layer, &middle);
  out->solid = solid_one;
  take_layer(&layer, side, out);
  out->middle.share[side] = middle.share;
  out->middle.share[1 - side] = 0.5;
  for (int a = 0; a < 3; a++) {
    out->middle.normal[a] = sign * middle.normal[a];
    out->middle.point[a] = middle.point[a];
    out->middle.axis[side][a] = middle.point[a] - middle.lever[a];
    out->middle.axis[1 - side][a] = solid->place.position[a];
  }
  out->stiffness = contact->law.tangential_ratio * contact->law.line.modulus * layer.extent;
  return 1;
}

/* Finds the contact of a pair with a box or cylinder. solid_one is as from eli_contact_solid_of, at is the other element. Returns 0 without
 * contact. */
static int find_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int solid_one, const eli_capsule *at, eli_touch *out) {
  const int side = 2 - solid_one;
  const eli_placed_solid solid = eli_contact_solid(eli_contact_member_of(contact, pair->rod[1 - side]));
  const eli_capsule own = on_solid(contact, pair, side, at);
  return touch_solid(contact, &contact->law.line, solid_one, &own, &solid, out);
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
  for (int side = 0; side < 2; side++) eli_lines_place(&lines, 0, side, &at[side]);
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
 * not in the list. turned is -1 if the sides of that pair have changed places, because its second element lies behind the end of a ring,
 * otherwise 1. */
static size_t beside(const eli_contact *contact, size_t k, int which, double *turned) {
  eli_contact_pair pair = contact->list[k];
  const int side = which / 2,
            next = eli_contact_neighbour(eli_contact_member_of(contact, pair.rod[side])->rod, pair.element[side], which % 2);
  *turned = 1.0;
  if (next < 0) return contact->count;
  pair.element[side] = next;
  if (pair.rod[0] == pair.rod[1] && pair.element[0] > pair.element[1]) {
    pair.element[side] = pair.element[1 - side];
    pair.element[1 - side] = next;
    *turned = -1.0;
  }
  return eli_contact_search(contact, &pair);
}

/* Returns the part of the force of pair k, as its stiffness falls, that passes to pair `to`: the share of `to` in the growth of stiffness
 * of all neighbouring pairs. */
static double part_for(const eli_contact *contact, size_t k, size_t to) {
  double growth = 0.0, own = 0.0, turned;
  for (int which = 0; which < 4; which++) {
    const size_t other = beside(contact, k, which, &turned);
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
    double turned;
    const size_t other = beside(contact, k, which, &turned);
    if (other == contact->count) continue;
    const eli_stick_slip own = eli_contact_history(contact, other);
    const double part = own.stiffness > 0.0 ? part_for(contact, other, k) : 0.0;
    if (!(part > 0.0)) continue;
    for (int a = 0; a < 3; a++) history->force[a] += part * (turned * own.force[a]);
    for (int a = 0; a < 3 && !(history->stiffness > 0.0); a++) history->normal[a] = turned * own.normal[a];
  }
}

/* Returns the history of a pair at this present stiffness [N/m]. After a jump of stiffness it takes over the history of its neighbours. */
static eli_stick_slip history_at(const eli_contact *contact, size_t k, double stiffness) {
  eli_stick_slip history = eli_contact_history(contact, k);
  if (stiffness - history.stiffness > JUMP * stiffness) take_over(contact, k, &history);
  return history;
}

void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_stick_slip history = history_at(contact, k, touch->stiffness);
  eli_stick_slip_turn(&history, touch->middle.normal);
  eli_stick_slip_add(&history, none, touch->stiffness, contact->law.friction * touch->line.pressure);
  memcpy(force, history.force, sizeof history.force);
}

static int is_rigid(const eli_moving_capsule *placed) {
  return placed->mark[0] == placed->mark[1];
}

/* Computes the velocity of the surface of one element of a pair at the contact; point: the mean position of the contact. */
static void velocity_of(const eli_contact *contact, const eli_contact_close *close, int side, const eli_touch *touch, const eli_slip *at,
                        double out[3], double point[3]) {
  const eli_moving_capsule *placed = &contact->placed[close->placed[side]];
  const eli_line_middle *middle = &touch->middle;
  const double(*ends)[3] = placed->at.velocity;
  double v[3], lever[3], centre[3], arm[3], turning[3];
  for (int a = 0; a < 3; a++) {
    lever[a] = middle->point[a] - middle->axis[side][a];
    v[a] = ends[0][a] + middle->share[side] * (ends[1][a] - ends[0][a]);
  }
  if (is_rigid(placed)) {
    const elastica_rod_view *body = eli_contact_member_of(contact, contact->list[close->pair].rod[side])->rod;
    for (int a = 0; a < 3; a++) {
      centre[a] = body->position[a][0];
      arm[a] = middle->axis[side][a] - centre[a];
    }
    eli_cross(placed->spin, arm, turning);
    for (int a = 0; a < 3; a++) v[a] = body->velocity[a][0] + turning[a];
  }
  eli_slip_of_round(at, middle->axis[side], v, placed->spin, lever, is_rigid(placed) ? centre : NULL, out, point);
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
  eli_stick_slip history = history_at(contact, k, touch->stiffness);
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

/* ---- Stick-slip friction in a step of any length ---- */

/* Reads the motion of one side of a pair in a stage of an implicit step. */
static void read_motion(const eli_contact *contact, const eli_contact_pair *pair, int side, eli_capsule_motion *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
  eli_capsule_read_motion(&member->round, member->rod, &contact->slipping[pair->rod[side] - contact->first_rod], pair->element[side], out);
}

/* Computes v at a fraction of a centre line plus w x lever. */
static void move_surface(const double v[2][3], const double w[3], double share, const double lever[3], double out[3]) {
  eli_cross(w, lever, out);
  for (int a = 0; a < 3; a++) out[a] += v[0][a] + share * (v[1][a] - v[0][a]);
}

/* Computes friction on the first element at the end of a step of any length by return mapping: the history at its start gives a trial
 * force, cut at the limit. The damper acts on the present slip velocity, with those of the capsules. Updates the history. */
static void friction_of_motion(const eli_contact *contact, eli_stick_slip *history, const eli_capsule_motion *const motion[2],
                               const eli_capsule *const at[2], const eli_touch *touch, double force[3]) {
  const eli_line_middle *middle = &touch->middle;
  eli_slip slip = {.dt = 1.0};
  eli_stick_slip_input step = {.dt = 1.0, .stiffness = touch->stiffness, .limit = contact->law.friction * touch->line.pressure};
  const int solid = touch->solid - 1;
  double moved[2][3], velocity[2][3], point[3];
  memcpy(slip.normal, middle->normal, sizeof slip.normal);
  memcpy(slip.before, history->normal, sizeof slip.before);
  memcpy(step.normal, middle->normal, sizeof step.normal);
  for (int side = 0; side < 2; side++) {
    const double longer = eli_slip_chord(eli_dot(motion[side]->turned, motion[side]->turned)), share = middle->share[side];
    double lever[3], v[3], turned[3];
    for (int a = 0; a < 3; a++) {
      lever[a] = middle->point[a] - middle->axis[side][a];
      v[a] = motion[side]->moved[0][a] + share * (motion[side]->moved[1][a] - motion[side]->moved[0][a]);
      turned[a] = longer * motion[side]->turned[a];
      step.spin += 0.5 * motion[side]->turned[a] * middle->normal[a];
    }
    move_surface(at[side]->velocity, motion[side]->spin, share, lever, velocity[side]);
    if (side != solid) eli_slip_of_round(&slip, middle->axis[side], v, turned, lever, NULL, moved[side], point);
  }
  if (solid >= 0) {
    double mean[3];
    for (int a = 0; a < 3; a++) mean[a] = middle->axis[solid][a] - 0.5 * motion[solid]->moved[0][a];
    eli_slip_of_solid(&slip, mean, motion[solid]->moved[0], motion[solid]->turned, point, moved[solid]);
  }
  for (int a = 0; a < 3; a++) step.velocity[a] = moved[0][a] - moved[1][a];
  eli_stick_slip_return(history, &step);
  memcpy(force, history->force, sizeof history->force);
  step.damping = contact->law.tangential_damping * touch->line.extent;
  if (!(step.damping > 0.0)) return;
  eli_stick_slip still = *history;
  step.dt = step.spin = 0.0;
  for (int a = 0; a < 3; a++) step.velocity[a] = velocity[0][a] - velocity[1][a];
  eli_stick_slip_step(&still, &step, force);
}

/* ---- Stick-slip friction of pairs side by side ---- */

/* Begins the friction of pairs side by side. */
static void begin_friction_lines(const eli_contact *contact, double dt, eli_stick_slips *springs) {
  memset(springs, 0, sizeof *springs);
  springs->dt = dt;
  springs->friction = contact->law.friction;
  springs->tangential = contact->law.tangential_ratio * contact->law.line.modulus;
  springs->damping = contact->law.tangential_damping;
  springs->has_bodies = contact->has_bodies;
}

/* Stores spin x (spin x arm) of a body at the axis of the contact. */
static void set_turning(const eli_contact *contact, const eli_contact_close *close, int side, const eli_lines *lines, int q,
                        eli_stick_slips *springs) {
  const eli_moving_capsule *placed = &contact->placed[close->placed[side]];
  double arm[3], once[3], twice[3] = {0.0, 0.0, 0.0};
  if (is_rigid(placed)) {
    const elastica_rod_view *body = eli_contact_member_of(contact, contact->list[close->pair].rod[side])->rod;
    for (int a = 0; a < 3; a++) arm[a] = lines->axis[side][a][q] - body->position[a][0];
    eli_cross(placed->spin, arm, once);
    eli_cross(placed->spin, once, twice);
  }
  for (int a = 0; a < 3; a++) springs->turning[side][a][q] = twice[a];
}

/* Reads the histories of pairs side by side; those of pairs that do not touch are not used. */
static void read_histories(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], const eli_lines *lines,
                           eli_stick_slips *springs) {
  static const _Alignas(64) eli_stick_slip none = {.sticks = 0};
  const void *record[ELI_LINES];
  for (int q = 0; q < ELI_LINES; q++) {
    const eli_stick_slip *own = q < lines->count ? &contact->history[close[q]->pair] : &none;
    record[q] = own->turn == contact->turn ? own : &none;
  }
  contact->work->gather(springs->force[0], record, 0, 1);
  for (int q = 0; q < lines->count; q++) {
    const double stiffness = springs->tangential * lines->extent[q];
    if (!(lines->depth[q] > 0.0)) continue;
    for (int side = 0; side < 2 && contact->has_bodies; side++) set_turning(contact, close[q], side, lines, q, springs);
    if (!(stiffness - springs->stiffness[q] > JUMP * stiffness)) continue;
    const eli_stick_slip history = history_at(contact, close[q]->pair, stiffness);
    for (int a = 0; a < 3; a++) {
      springs->force[a][q] = history.force[a];
      springs->normal[a][q] = history.normal[a];
    }
  }
}

static void write_histories(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], const eli_lines *lines,
                            const eli_stick_slips *springs) {
  _Alignas(64) eli_stick_slip spare;
  void *record[ELI_LINES];
  for (int q = 0; q < ELI_LINES; q++)
    record[q] = q < lines->count && lines->depth[q] > 0.0 ? &contact->next_history[close[q]->pair] : &spare;
  contact->work->scatter(springs->force[0], record, 1);
  for (int q = 0; q < ELI_LINES; q++) {
    eli_stick_slip *history = record[q];
    history->sticks = springs->sticks[q] > 0.0;
    history->turn = contact->next_turn;
  }
}

/* Computes friction for pairs side by side after find_lines: it is added to their forces, and its couples are stored in springs. */
static void step_friction_lines(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], eli_lines *lines,
                                eli_stick_slips *springs) {
  read_histories(contact, close, lines, springs);
  contact->work->stick_slip(lines, springs);
  write_histories(contact, close, lines, springs);
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
static void find_sums(const eli_contact *contact, int rod, int j, uint32_t sum[2]) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  sum[0] = (uint32_t)first_sum(contact, rod) + (uint32_t)j;
  sum[1] = (uint32_t)first_sum(contact, rod) + (uint32_t)(view->rigid ? j : eli_second_node(view, j));
}

/* Eight consecutive slots of a rod with at least as many elements: those from begin to before end belong to a run. */
typedef struct window {
  int first, begin, end;
} window;

/* Returns the window for the slots of a run from `from` to before `to`, as many as fit. count: number of slots of the rod. */
static window window_at(int from, int to, int count) {
  const int first = from < count - ELI_LINES ? from : count - ELI_LINES;
  return (window){first, from - first, to - first < ELI_LINES ? to - first : ELI_LINES};
}

/* Returns the end of the nodes of a run that are opened and closed in lanes: those with an element, on rods that are long enough. */
static int end_in_lanes(const elastica_rod_view *rod, const eli_contact_run *run) {
  const int n = rod->element_count, end = run->first + run->nodes;
  return n < ELI_LINES ? run->first : end < n ? end : n;
}

/* Opens the sum of a node with the values of the lanes. */
static void open_sum(const elastica_rod_view *rod, const elastica_loads *loads, int node, eli_contact_sum *sum) {
  for (int a = 0; a < 3; a++) {
    sum->force[a] = loads->force[a][node];
    sum->couple[a] = node < rod->element_count ? loads->couple[a][node] : 0.0;
  }
  sum->widening = sum->unused = 0.0;
}

/* Opens the sums of the nodes of a run. */
static void open_sums(const eli_contact *contact, const eli_contact_run *run, const elastica_loads *loads) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, run->rod)->rod;
  eli_contact_sum *sums = &contact->sums[first_sum(contact, run->rod)];
  const int end = end_in_lanes(rod, run);
  _Alignas(64) eli_contact_sum spare;
  _Alignas(sizeof(eli_row)) eli_row rows[ELI_END_LOADS] = {{0.0}};
  int node = run->first;
  while (node < end) {
    const window at = window_at(node, end, rod->element_count);
    void *to[ELI_LINES];
    for (int a = 0; a < 3; a++) {
      memcpy(rows[a], &loads->force[a][at.first], sizeof(eli_row));
      memcpy(rows[3 + a], &loads->couple[a][at.first], sizeof(eli_row));
    }
    for (int q = 0; q < ELI_LINES; q++) to[q] = q >= at.begin && q < at.end ? &sums[at.first + q] : &spare;
    contact->work->scatter(rows[0], to, 1);
    node = at.first + at.end;
  }
  for (; node < run->first + run->nodes; node++) open_sum(rod, loads, node, &sums[node]);
}

static void widen(eli_contact_member *member, int node, double by) {
  member->widening[node] = by;
  if (node < member->first_widened) member->first_widened = node;
  if (node > member->last_widened) member->last_widened = node;
}

/* Writes the sum of a node back to the lanes. */
static void close_sum(eli_contact_member *member, const elastica_loads *loads, int node, const eli_contact_sum *sum) {
  for (int a = 0; a < 3; a++) loads->force[a][node] = sum->force[a];
  for (int a = 0; a < 3 && node < member->rod->element_count; a++) loads->couple[a][node] = sum->couple[a];
  if (sum->widening != 0.0) widen(member, node, sum->widening);
}

/* Writes the sums of a run back to the lanes. */
static void close_run(const eli_contact *contact, const eli_contact_run *run, const elastica_loads *loads) {
  eli_contact_member *member = eli_contact_member_of(contact, run->rod);
  const eli_contact_sum *sums = &contact->sums[first_sum(contact, run->rod)];
  const int end = end_in_lanes(member->rod, run);
  int node = run->first;
  for (; end - node >= ELI_LINES; node += ELI_LINES) {
    _Alignas(sizeof(eli_row)) eli_row rows[ELI_END_LOADS];
    const void *from[ELI_LINES];
    for (int q = 0; q < ELI_LINES; q++) from[q] = &sums[node + q];
    contact->work->gather(rows[0], from, 0, 1);
    for (int a = 0; a < 3; a++) {
      memcpy(&loads->force[a][node], rows[a], sizeof(eli_row));
      memcpy(&loads->couple[a][node], rows[3 + a], sizeof(eli_row));
    }
    for (int q = 0; q < ELI_LINES; q++)
      if (rows[6][q] != 0.0) widen(member, node + q, rows[6][q]);
  }
  for (; node < run->first + run->nodes; node++) close_sum(member, loads, node, &sums[node]);
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
  const double tension = tension_of(view, j, part);
  uint32_t sum[2];
  find_sums(contact, rod, j, sum);
  for (int a = 0; a < 3; a++) {
    contact->sums[sum[0]].force[a] += tension * view->tangent[a][j];
    contact->sums[sum[1]].force[a] -= tension * view->tangent[a][j];
  }
}

/* Adds the tension of an element from the widening loads of its nodes. A node has the mean radius of its elements, so half of its load acts
 * on each. */
static void add_tension_at(const eli_contact_member *member, int j, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  double part = 0.0;
  for (int end = 0; end < 2; end++)
    part += (eli_contact_neighbour(rod, j, end) < 0 ? 1.0 : 0.5) * member->widening[end ? eli_second_node(rod, j) : j];
  if (part == 0.0) return;
  const double tension = tension_of(rod, j, part);
  for (int a = 0; a < 3; a++) {
    loads->force[a][j] += tension * rod->tangent[a][j];
    loads->force[a][j + 1] -= tension * rod->tangent[a][j];
  }
}

/* Adds the tensions of a rod, in lanes between its first and its last element. */
static void add_tensions(const eli_lines_work *work, eli_contact_member *member, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  const int first = member->first_widened, last = member->last_widened, n = rod->element_count, end = last < n - 1 ? last + 1 : n;
  int j = first > 0 ? first - 1 : 0;
  if (first == 0 && rod->closed && last < n - 1) add_tension_at(member, n - 1, loads); /* the last element of a ring is before node 0 */
  if (j == 0) add_tension_at(member, j++, loads);
  j = work->add_tensions(rod, member->widening, j, end < n ? end : n - 1, loads);
  for (; j < end; j++) add_tension_at(member, j, loads);
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
    for (int k = member->first_run; k < member->end_run; k++) close_run(contact, &contact->runs[k], &of->loads[r]);
    if (member->rod != NULL && member->last_widened >= member->first_widened) add_tensions(contact->work, member, &of->loads[r]);
  }
}

/* Writes all sums back to the lanes and adds the tensions of the classical law. */
static void close_sums(const eli_contact *contact, const elastica_loads *loads) {
  const size_t rods = (size_t)(contact->end_rod - contact->first_rod);
  closing of = {contact, loads};
  eli_world_share(contact->world, (rods + SOME_RODS - 1) / SOME_RODS, SUM_WORK * (double)contact->placed_count, close_some, &of);
}

/* The numbers of pairs and of runs per task of a worker, and the time of a pair or element [ns]. */
enum { SOME = 256, SOME_RUNS = 32 };
#define PAIR_WORK 100.0
#define ELEMENT_WORK 30.0

/* ---- Placing elements ---- */

/* The time to place an element by itself, in that to compute the radius of an element in lanes: with less than one placed element among
 * this many, all radii take longer than they save. */
enum { FEW = 64 };

/* Arguments of the task that places elements and opens their sums. */
typedef struct placing {
  const eli_contact *contact;
  const elastica_loads *loads;
} placing;

/* Places one element. */
static void place(const eli_contact *contact, int rod, int j, eli_moving_capsule *out) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  eli_contact_place_moving(contact, rod, j, &out->at);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out->director[3 * a + b] = view->director[a][b][j];
  eli_spin_of(view, view->rigid ? 0 : j, out->spin);
  find_sums(contact, rod, j, out->mark);
}

/* Places the elements of a run, in lanes if all radii are known. Ends of the rod have other neighbours and are placed one by one. */
static void place_run(const eli_contact *contact, const eli_contact_run *run) {
  const eli_contact_member *member = eli_contact_member_of(contact, run->rod);
  const int n = member->rod->element_count, end = run->first + run->count, in_lanes = contact->measured && n >= ELI_LINES;
  const uint32_t sum = (uint32_t)first_sum(contact, run->rod);
  eli_moving_capsule *const out = &contact->placed[run->placed], spare;
  int j = run->first;
  while (in_lanes && j < end) {
    const window at = window_at(j, end, n);
    eli_moving_capsule *to[ELI_LINES];
    for (int q = 0; q < ELI_LINES; q++) to[q] = q >= at.begin && q < at.end ? &out[at.first + q - run->first] : &spare;
    contact->work->place(member->rod, &contact->radius[member->first], at.first, to);
    for (; j < at.first + at.end; j++) {
      out[j - run->first].mark[0] = sum + (uint32_t)j;
      out[j - run->first].mark[1] = sum + (uint32_t)j + 1;
    }
  }
  for (j = run->first; j < end; j++)
    if (!in_lanes || j == 0 || j + 1 == n) place(contact, run->rod, j, &out[j - run->first]);
}

/* Fetches the lanes at the start of a run. */
ELI_FETCHES fetch_run(const eli_contact *contact, const eli_contact_run *run, const elastica_loads *loads) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, run->rod)->rod;
  for (int a = 0; a < 3; a++) {
    __builtin_prefetch(&rod->position[a][run->first]);
    __builtin_prefetch(&rod->velocity[a][run->first]);
    __builtin_prefetch(&rod->omega[a][run->first]);
    for (int k = 0; k < 3; k++) __builtin_prefetch(&rod->director[k][a][run->first]);
    __builtin_prefetch(&loads->force[a][run->first], 1);
    __builtin_prefetch(&loads->couple[a][run->first], 1);
  }
  __builtin_prefetch(&rod->volume[run->first]);
  __builtin_prefetch(&rod->rest_length[run->first]);
  __builtin_prefetch(&contact->sums[first_sum(contact, run->rod) + (size_t)run->first], 1);
}

static void place_some(void *context, int worker, size_t index) {
  const placing *of = context;
  const eli_contact *contact = of->contact;
  (void)worker;
  for (size_t k = index * SOME_RUNS; k < (index + 1) * SOME_RUNS && k < (size_t)contact->run_count; k++) {
    const eli_contact_run *run = &contact->runs[k], *ahead = run + (k + 2 < (size_t)contact->run_count ? 2 : 0);
    fetch_run(contact, ahead, &of->loads[ahead->rod]);
    place_run(contact, run);
    open_sums(contact, run, &of->loads[run->rod]);
  }
}

/* ---- Pairs ---- */

/* One block of pairs. The pairs are computed independently; then their loads are added in order. */
typedef struct block {
  const eli_contact *contact;
  const elastica_instant *now;
  size_t first, count;
  int stands, moves; /* stands 1: friction of the present state; moves 1: the history advances; or ELI_KEEPS_NEW */
  int in_stage;      /* 1: friction of a stage of an implicit step */
  int tries;         /* 1: a stage of an implicit step */
} block;

/* Loads of a pair: forces on the ends [N] with friction at the middle of the contact, the couple of friction about the axis [N m], and
 * widening loads [N]. */
typedef struct pair_loads {
  double force[2][2][3], couple[2][3], swelling[2][2];
} pair_loads;

static void put_together(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                         pair_loads *out) {
  const eli_line_middle *middle = &touch->middle;
  memcpy(out->force, touch->line.force, sizeof out->force);
  for (int side = 0; side < 2; side++)
    for (int end = 0; end < 2; end++) out->swelling[side][end] = pair->reduction * touch->line.swelling[side][end];
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

/* Stores the loads in the components of the sums. */
static void address(const eli_contact *contact, const eli_contact_close *close, pair_loads *of, eli_pair_loads *out) {
  for (int side = 0; side < 2; side++) {
    const eli_moving_capsule *placed = &contact->placed[close->placed[side]];
    const double *q = placed->director;
    double *m = of->couple[side], *first = out->end[side][0], *last = out->end[side][1];
    if (is_rigid(placed)) move_to_centre(eli_contact_member_of(contact, contact->list[close->pair].rod[side]), of->force[side], m);
    const int turns = m[0] != 0.0 || m[1] != 0.0 || m[2] != 0.0, swells = contact->swells && !is_rigid(placed);
    for (int a = 0; a < 3; a++) {
      first[a] = of->force[side][0][a];
      last[a] = of->force[side][1][a];
      first[3 + a] = turns ? q[3 * a] * m[0] + q[3 * a + 1] * m[1] + q[3 * a + 2] * m[2] : -0.0;
      last[3 + a] = -0.0;
    }
    first[6] = swells ? of->swelling[side][0] : -0.0;
    last[6] = swells ? of->swelling[side][1] : -0.0;
    first[7] = last[7] = -0.0;
  }
}

/* Returns 1 if the centre line of the thinner element has reached the surface of the other: one step later they may have passed through
 * each other. On a box or cylinder, returns 1 if the element passes through the surface in this step. */
static int has_sunk(const block *of, const eli_contact_close *close, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_capsule *one = &contact->placed[close->placed[0]].at, *other = &contact->placed[close->placed[1]].at;
  const double least = one->rest_radius < other->rest_radius ? one->rest_radius : other->rest_radius;
  if (!touch->solid) return touch->line.depth >= contact->list[close->pair].reduction * least;
  if (of->tries) return touch->line.depth >= contact->placed[close->placed[2 - touch->solid]].at.rest_radius;
  return (of->moves || eli_world_checks_depth(contact->world)) &&
         passes_through(contact, close, touch->line.depth, of->moves ? of->now->dt : 0.0);
}

static void return_friction(const block *of, const eli_contact_close *close, const eli_touch *touch, double force[3]) {
  const eli_contact *contact = of->contact;
  const eli_stick_slip before = eli_contact_history(contact, close->pair);
  eli_stick_slip history = history_at(contact, close->pair, touch->stiffness);
  eli_capsule_motion motion[2];
  for (int side = 0; side < 2; side++) read_motion(contact, &contact->list[close->pair], side, &motion[side]);
  friction_of_motion(contact, &history, (const eli_capsule_motion *const[2]){&motion[0], &motion[1]},
                     (const eli_capsule *const[2]){&contact->placed[close->placed[0]].at, &contact->placed[close->placed[1]].at}, touch,
                     force);
  if (of->moves == ELI_KEEPS_NEW && before.stiffness > 0.0) history = before;
  history.turn = contact->next_turn;
  contact->next_history[close->pair] = history;
}

static void finish(const block *of, size_t place, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *close = &contact->close[of->first + place];
  const size_t k = close->pair;
  eli_contact_result *out = &contact->results[place];
  double friction[3] = {0.0, 0.0, 0.0};
  pair_loads loads;
  if (contact->law.friction > 0.0 && of->stands)
    eli_contact_friction(contact, k, touch, friction);
  else if (contact->law.friction > 0.0 && of->in_stage)
    return_friction(of, close, touch, friction);
  else if (contact->law.friction > 0.0)
    step_friction(contact, close, touch, of->now->dt, friction);
  out->touches = 1;
  out->sunk = has_sunk(of, close, touch);
  out->solid_swelling = touch->solid ? touch->line.elastic : 0.0;
  put_together(contact, &contact->list[k], touch, friction, &loads);
  address(contact, close, &loads, &out->loads);
}

/* Several pairs side by side, and their positions in the block. */
typedef struct several {
  eli_lines lines;
  eli_stick_slips springs;
  size_t place[ELI_LINES];
} several;

/* Stores the loads of one of them that acts on a body. */
static void finish_on_body(const block *of, const several *near, int q) {
  const eli_lines *lines = &near->lines;
  pair_loads loads;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      for (int end = 0; end < 2; end++) {
        loads.force[side][end][a] = lines->force[side][end][a][q];
        loads.swelling[side][end] = lines->swelling[side][end][q];
      }
      loads.couple[side][a] = near->springs.couple[side][a][q];
    }
  address(of->contact, &of->contact->close[of->first + near->place[q]], &loads, &of->contact->results[near->place[q]].loads);
}

/* Stores the results of all of them, with friction. Widening loads are those of the unreduced radii. */
static void finish_lines(const block *of, const eli_contact_close *const close[ELI_LINES], several *near) {
  const eli_contact *contact = of->contact;
  eli_lines *lines = &near->lines;
  eli_pair_loads *to[ELI_LINES], spare;
  for (int q = 0; q < ELI_LINES; q++) to[q] = q < lines->count ? &contact->results[near->place[q]].loads : &spare;
  for (int q = 0; q < lines->count; q++) {
    if (!close[q]->reduced) continue;
    for (int k = 0; k < 4; k++) lines->swelling[k / 2][k % 2][q] *= contact->list[close[q]->pair].reduction;
  }
  contact->work->write_loads(lines, &near->springs, contact->swells, to);
  for (int q = 0; q < lines->count; q++) {
    eli_contact_result *out = &contact->results[near->place[q]];
    const double first = lines->side[0].rest_radius[q], second = lines->side[1].rest_radius[q];
    out->touches = lines->depth[q] > 0.0;
    out->sunk = lines->depth[q] >= (first < second ? first : second);
    out->solid_swelling = 0.0;
    if (contact->has_bodies && (is_rigid(&contact->placed[close[q]->placed[0]]) || is_rigid(&contact->placed[close[q]->placed[1]])))
      finish_on_body(of, near, q);
  }
}

/* Pairs with some part within reach, sorted by kind: the parts side by side then enter about the same number of cells, and the ends of
 * elements are within reach in all or in none of them. */
enum { KINDS = 8 };
typedef struct near_pair {
  size_t place;
  double low, high; /* part within reach of the first element */
} near_pair;

typedef struct near_pairs {
  near_pair pair[SOME];
  int count;
} near_pairs;

static int kind_of(const block *of, const near_pair *pair) {
  const eli_contact_close *at = &of->contact->close[of->first + pair->place];
  const eli_capsule *one = &of->contact->placed[at->placed[0]].at, *other = &of->contact->placed[at->placed[1]].at;
  const double need = one->measure / (ELI_LONGEST_CELL * (one->rest_radius + other->rest_radius));
  const int cells = need < ELI_MOST_CELLS ? (int)need + 1 : ELI_MOST_CELLS, entered = (int)(pair->high * cells) - (int)(pair->low * cells);
  return 2 * (entered < 3 ? entered : 3) + (pair->low == 0.0 || pair->high == 1.0);
}

static void sort_by_kind(const block *of, const near_pairs *near, int order[SOME]) {
  int kind[SOME], next[KINDS + 1] = {0};
  for (int k = 0; k < near->count; k++) {
    kind[k] = kind_of(of, &near->pair[k]);
    next[kind[k] + 1]++;
  }
  for (int k = 1; k < KINDS; k++) next[k] += next[k - 1];
  for (int k = 0; k < near->count; k++) order[next[kind[k]]++] = k;
}

/* Reads some blocks of the capsules of several pairs into rows. Lanes beyond the last pair repeat the first one. */
static void gather(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], int first, int blocks, eli_lines *lines) {
  assert(lines->count > 0 && lines->count <= ELI_LINES);
  for (int side = 0; side < 2; side++) {
    const void *record[ELI_LINES];
    for (int q = 0; q < ELI_LINES; q++) record[q] = &contact->placed[close[q < lines->count ? q : 0]->placed[side]];
    contact->work->gather(lines->side[side].end[0][0], record, first, blocks);
  }
  for (int q = 0; q < lines->count; q++)
    if (close[q]->reduced) eli_lines_reduce(lines, q, contact->list[close[q]->pair].reduction);
}

static void find_several(const block *of, several *near) {
  enum { BLOCKS = sizeof(eli_moving_capsule) / sizeof(eli_row) };
  const eli_contact *contact = of->contact;
  eli_lines *lines = &near->lines;
  const int one_by_one = contact->law.friction > 0.0 && (of->stands || of->in_stage);
  const eli_contact_close *close[ELI_LINES];
  for (int q = 0; q < lines->count; q++) close[q] = &contact->close[of->first + near->place[q]];
  gather(contact, close, 0, BLOCKS, lines);
  contact->work->find_lines(lines);
  if (one_by_one) {
    eli_touch touch;
    for (int q = 0; q < lines->count; q++)
      if (read_touch(contact, lines, q, &touch)) finish(of, near->place[q], &touch);
  } else {
    if (contact->law.friction > 0.0) step_friction_lines(contact, close, lines, &near->springs);
    finish_lines(of, close, near);
  }
  lines->count = 0;
}

static void find_lines(const block *of, const near_pairs *near, several *lines) {
  int order[SOME];
  sort_by_kind(of, near, order);
  for (int k = 0; k < near->count; k++) {
    const near_pair *pair = &near->pair[order[k]];
    const int q = lines->lines.count++;
    lines->lines.low[0][q] = pair->low;
    lines->lines.high[0][q] = pair->high;
    lines->place[q] = pair->place;
    if (lines->lines.count == ELI_LINES || k + 1 == near->count) find_several(of, lines);
  }
}

/* Fetches the data that are not read until all of the near pairs are known. */
ELI_FETCHES fetch_rest(const eli_contact *contact, const eli_contact_close *close) {
  enum { REST = offsetof(eli_capsule, velocity) };
  for (int side = 0; side < 2; side++)
    eli_fetch((const char *)&contact->placed[close->placed[side]] + REST, sizeof contact->placed[0] - REST);
  __builtin_prefetch(&contact->history[close->pair]);
  __builtin_prefetch(&contact->next_history[close->pair], 1);
}

/* Passes on the pairs with some part within reach. */
static void find_parts(const block *of, several *of_close, near_pairs *near) {
  const eli_contact *contact = of->contact;
  eli_lines *lines = &of_close->lines;
  const eli_contact_close *close[ELI_LINES];
  if (lines->count == 0) return;
  for (int q = 0; q < lines->count; q++) close[q] = &contact->close[of->first + of_close->place[q]];
  gather(contact, close, 0, 1, lines);
  contact->work->find_parts(lines);
  for (int q = 0; q < lines->count; q++) {
    if (!(lines->low[0][q] < lines->high[0][q])) continue;
    fetch_rest(contact, close[q]);
    near->pair[near->count++] = (near_pair){of_close->place[q], lines->low[0][q], lines->high[0][q]};
  }
  lines->count = 0;
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
  close->place[close->lines.count++] = place;
}

ELI_FETCHES fetch_pair(const eli_contact *contact, const eli_contact_close *at) {
  for (int side = 0; side < 2; side++) __builtin_prefetch(&contact->placed[at->placed[side]]);
}

static void work_out_some(void *context, int worker, size_t index) {
  const block *of = context;
  several close;
  near_pairs near;
  (void)worker;
  near.count = 0;
  eli_lines_begin(&close.lines, &of->contact->law.line);
  begin_friction_lines(of->contact, of->now->dt, &close.springs);
  const size_t end = (index + 1) * SOME < of->count ? (index + 1) * SOME : of->count;
  for (size_t k = index * SOME; k < end; k++) {
    if (k + 2 * ELI_AHEAD < end) fetch_pair(of->contact, &of->contact->close[of->first + k + 2 * ELI_AHEAD]);
    work_out(of, k, &close);
    if (close.lines.count == ELI_LINES) find_parts(of, &close, &near);
  }
  find_parts(of, &close, &near);
  find_lines(of, &near, &close);
}

/* ---- Loads of a block of pairs, in order ---- */

static void apply(const eli_contact *contact, const eli_contact_close *close, const eli_contact_result *of) {
  void *sum[4];
  for (int k = 0; k < 4; k++) sum[k] = &contact->sums[contact->placed[close->placed[k / 2]].mark[k % 2]];
  contact->work->add_loads(&of->loads, sum);
  for (int side = 0; side < 2 && of->solid_swelling != 0.0; side++) {
    const eli_contact_pair *pair = &contact->list[close->pair];
    if (contact->swells && !is_rigid(&contact->placed[close->placed[side]]))
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
    const size_t ahead = k + ELI_AHEAD < of->count ? k + ELI_AHEAD : k;
    for (int side = 0; side < 2 && contact->results[ahead].touches; side++)
      for (int end = 0; end < 2; end++)
        __builtin_prefetch(&contact->sums[contact->placed[contact->close[of->first + ahead].placed[side]].mark[end]], 1);
    if (!contact->results[k].touches) continue;
    apply(contact, &contact->close[of->first + k], &contact->results[k]);
    if (contact->results[k].sunk) note_sunk(contact, contact->close[of->first + k].pair);
  }
}

/* ---- Contact in a step and in statics ---- */

/* Returns 1 if statics or an implicit step tries displacements one after the other, with friction by slip. */
static int has_slips(const eli_contact *contact) {
  elastica_rod_view view;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL) return eli_world_slips(contact->world, contact->first_rod + k, &view);
  return 0;
}

/* Finds views of the members with the displacements since the last accepted state as velocities. Returns 0 without such displacements; -1
 * without memory. */
static int find_slipping(eli_contact *contact) {
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
  }
  return 1;
}

/* In a stage of an implicit step: prepares the displacements of all members. Returns 1 if there is friction that needs them, 0 if not, -1
 * without memory. */
static int find_moved(eli_contact *contact) {
  eli_trial trial;
  int keeps;
  return eli_world_trial(contact->world, &trial, &keeps) ? find_slipping(contact) : 0;
}

/* Gives the members these views, and switches damping off. Returns as find_slipping does. */
static int begin_slips(eli_contact *contact) {
  const int found = find_slipping(contact), count = contact->end_rod - contact->first_rod;
  if (found <= 0) return found;
  for (int k = 0; k < count; k++)
    if (contact->members[k].rod != NULL) contact->members[k].rod = &contact->slipping[k];
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
  contact->next_turn++; /* next_history starts empty */
  forget_sunk(contact);
  placing at = {contact, loads->loads};
  eli_world_share(contact->world, ((size_t)contact->run_count + SOME_RUNS - 1) / SOME_RUNS, ELEMENT_WORK * (double)contact->placed_count,
                  place_some, &at);
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
  const int slips = still ? begin_slips(contact) : find_moved(contact);
  if (slips < 0) return ELASTICA_OUT_OF_MEMORY;
  eli_trial trial;
  int keeps = 0;
  if (contact->placed_count > contact->element_count / FEW) eli_contact_measure(contact);
  block of = {.contact = contact, .now = now, .stands = still && !slips, .in_stage = !still && slips};
  of.tries = eli_world_trial(contact->world, &trial, &keeps);
  of.moves = still ? slips && now->is_accepted : of.in_stage ? keeps : !eli_is_query(now);
  act(contact, &of, loads);
  if (still && slips) end_slips(contact, &law);
  return !still && contact->sunk != SIZE_MAX ? fail(contact) : ELASTICA_OK;
}

/* ---- The stiffness of contacts: each pair by central differences of its own loads ----
 *
 * models     The energy U(x, rho) of a pair depends on the ends x of both elements and on the radii rho there. A node has the mean radius
 *            of its elements, r = sqrt(V/(pi l)), so U also depends on the nodes beyond both ends
 * equation   with J = d(x, rho)/d(nodes) and the Hessian H of U:  stiffness = J^T H J + sum dU/drho d^2 rho/d(nodes)^2.  The rescaled law
 *            has no tensions for dU/drho: its rows of J^T for rho are 0, and so is the sum
 *
 * Friction at rest is that of the last accepted state: it turns with the contact, and its spring has no limit while it sticks and no
 * stiffness while it slides.
 */

/* The arguments of U: the ends of either element along three axes, then the radii there. */
enum { ENDS = 12, COLUMNS = 16, NODES = 2 * ELI_CONTACT_STIFFNESS_SIDE };

/* A stage of an implicit step, friction and a rigid body have six more arguments: the turns of either element about its directors. */
enum { ALL = COLUMNS + 6, SIZE = ELI_CONTACT_STIFFNESS_SIZE };

static double *coordinate_of(eli_capsule at[2], int column) {
  return column < ENDS ? &at[column / 6].end[column % 6 / 3][column % 3] : &at[(column - ENDS) / 2].end_radius[(column - ENDS) % 2];
}

static void add_pair(const eli_capsule at[2], eli_lines *lines) {
  for (int side = 0; side < 2; side++) eli_lines_place(lines, lines->count, side, &at[side]);
  lines->count++;
}

static void compute(const eli_contact *contact, eli_lines *lines) {
  contact->work->find_parts(lines);
  contact->work->find_lines(lines);
}

/* dU/d(argument): minus a force, or the load that widens an end. */
static double slope_of(const eli_lines *lines, int q, int row) {
  return row < ENDS ? -lines->force[row / 6][row % 6 / 3][row % 3][q] : lines->swelling[(row - ENDS) / 2][(row - ENDS) % 2][q];
}

/* Returns 0 if the pair is not in contact. widening: dU/drho. */
static int find_hessian(const eli_contact *contact, eli_capsule at[2], double hessian[ALL][ALL], double widening[2][2]) {
  const eli_line_law at_rest = {contact->law.line.modulus, 0.0};
  eli_lines lines;
  eli_lines_begin(&lines, &at_rest);
  add_pair(at, &lines);
  compute(contact, &lines);
  if (!(lines.depth[0] > 0.0)) return 0;
  const double thin = at[0].rest_radius < at[1].rest_radius ? at[0].rest_radius : at[1].rest_radius;
  const double size = eli_capsule_difference(lines.depth[0], thin, 0);
  for (int k = 0; k < 4; k++) widening[k / 2][k % 2] = lines.swelling[k / 2][k % 2][0];
  for (int first = 0; first < COLUMNS; first += ELI_LINES / 2) {
    double apart[ELI_LINES / 2];
    eli_lines_begin(&lines, &at_rest);
    for (int column = first; column < first + ELI_LINES / 2; column++) {
      double *const place = coordinate_of(at, column), kept = *place, more = kept + size, less = kept - size;
      *place = more;
      add_pair(at, &lines);
      *place = less;
      add_pair(at, &lines);
      *place = kept;
      apart[column - first] = more - less;
    }
    compute(contact, &lines);
    for (int column = first; column < first + ELI_LINES / 2; column++) {
      const int q = 2 * (column - first);
      for (int row = 0; row < COLUMNS; row++)
        hessian[row][column] = (slope_of(&lines, q, row) - slope_of(&lines, q + 1, row)) / apart[column - first];
    }
  }
  return 1;
}

/* ---- From ends and radii to nodes ---- */

/* An element with radii that change with its length: its nodes as places in eli_contact_stiffness, the derivatives of the radii at both
 * ends by its own radius, and those of its radius by its length. */
typedef struct widened {
  int first, second;
  double by_radius[2];
  double slope, curvature; /* [1], [1/m] */
  double length, tangent[3];
} widened;

static widened widened_element(const elastica_rod_view *rod, int j, int first, int second) {
  const double l = rod->length[j], r = eli_radius(rod->volume[j], l);
  widened out = {.first = first, .second = second, .slope = -0.5 * r / l, .curvature = 0.75 * r / (l * l), .length = l};
  for (int a = 0; a < 3; a++) out.tangent[a] = rod->tangent[a][j];
  return out;
}

/* Finds these elements on one side: the element itself and its neighbours. Returns how many they are. */
static int find_widened(const eli_contact_stiffness *of, int side, double reduction, widened out[3]) {
  const elastica_rod_view *rod = of->rod[side];
  const int own = ELI_CONTACT_STIFFNESS_SIDE * side;
  int count = 1;
  out[0] = widened_element(rod, of->element[side], own, own + 3);
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, of->element[side], end);
    out[0].by_radius[end] = beside < 0 ? reduction : 0.5 * reduction;
    if (beside < 0) continue;
    out[count] = end ? widened_element(rod, beside, own + 3, own + 9) : widened_element(rod, beside, own + 6, own);
    out[count++].by_radius[end] = 0.5 * reduction;
  }
  return count;
}

/* Adds the rows of J for the radii of a side. */
static void add_to_jacobian(const widened *of, int side, double jacobian[ALL][SIZE]) {
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) {
      const double change = of->by_radius[end] * of->slope * of->tangent[a];
      jacobian[ENDS + 2 * side + end][of->first + a] -= change;
      jacobian[ENDS + 2 * side + end][of->second + a] += change;
    }
}

/* Adds dU/dr d^2 r/d(nodes)^2. */
static void add_curvature(const widened *of, const double widening[2], eli_contact_stiffness *out) {
  const double load = of->by_radius[0] * widening[0] + of->by_radius[1] * widening[1];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double along = of->tangent[a] * of->tangent[b], across = (a == b ? 1.0 : 0.0) - along;
      const double m = load * (of->slope * across / of->length + of->curvature * along);
      out->stiffness[of->first + a][of->first + b] += m;
      out->stiffness[of->second + a][of->second + b] += m;
      out->stiffness[of->first + a][of->second + b] -= m;
      out->stiffness[of->second + a][of->first + b] -= m;
    }
}

/* Adds J^T H J of so many arguments. rescaled 1: the radii have no loads. */
static void add_product(const double jacobian[ALL][SIZE], const double hessian[ALL][ALL], int arguments, int rescaled,
                        eli_contact_stiffness *out) {
  const int width = arguments > COLUMNS ? SIZE : NODES;
  for (int row = 0; row < arguments; row++) {
    double product[SIZE] = {0.0};
    if (rescaled && row >= ENDS && row < COLUMNS) continue;
    for (int k = 0; k < arguments; k++)
      for (int c = 0; c < width; c++) product[c] += hessian[row][k] * jacobian[k][c];
    for (int r = 0; r < width; r++)
      for (int c = 0; c < width && jacobian[row][r] != 0.0; c++) out->stiffness[r][c] += jacobian[row][r] * product[c];
  }
}

/* ---- By displacements of both sides (effects/layer.h) ---- */

/* A pair, possibly displaced. */
typedef struct staged {
  const eli_contact *contact;
  int is_rough, in_stage;
  int solid; /* 1, 2: the first, the second is a box or cylinder; 0: neither */
  eli_line_law law;
  eli_capsule at[2];
  eli_displaced side[2];
  eli_placed_solid placed; /* the box or cylinder */
  eli_stick_slip history;
} staged;

/* The side of a column that displaces or turns it, and its argument there; -1 for the radius of an end. */
static int argument_of(int column, int *side) {
  *side = column < ENDS ? column / ELI_DISPLACED_ENDS : column < COLUMNS ? (column - ENDS) / 2 : (column - COLUMNS) / 3;
  return column < ENDS ? column % ELI_DISPLACED_ENDS : column < COLUMNS ? -1 : ELI_DISPLACED_ENDS + (column - COLUMNS) % 3;
}

/* Returns 0 for a column without effect. */
static int is_argument(const staged *at, int column) {
  int side;
  const int argument = argument_of(column, &side);
  return argument < 0 ? !at->side[side].rod->rigid && at->solid == 0 : eli_displaced_has(&at->side[side], argument, at->is_rough);
}

/* Returns 1 for a column that displaces an end or a radius. */
static int moves_line(const staged *at, int column) {
  return column < COLUMNS || at->side[(column - COLUMNS) / 3].rod->rigid;
}

static void displace(staged *at, int column, double by) {
  int side;
  const int argument = argument_of(column, &side);
  double shift[3], turn[3];
  if (argument < 0) {
    *coordinate_of(at->at, column) += by;
    return;
  }
  eli_displace(&at->side[side], &at->at[side], argument, by, shift, turn);
  for (int k = 0; k < 3 && at->solid == side + 1; k++) {
    double swing[3];
    eli_cross(turn, at->placed.place.director + 3 * k, swing);
    for (int a = 0; a < 3; a++) at->placed.place.director[3 * k + a] += swing[a];
    at->placed.place.position[k] = at->side[side].centre[k];
    at->placed.place.velocity[k] += at->side[side].rate * shift[k];
    at->placed.spin[k] = at->side[side].motion.spin[k];
  }
}

/* Loads of a pair: forces on the ends, couples about the axis, and widening loads. */
typedef struct staged_loads {
  double force[2][2][3], couple[2][3], widening[2][2];
} staged_loads;

/* Adds friction at the middle of the contact. */
static void add_friction(const staged *at, const eli_touch *touch, staged_loads *out) {
  eli_stick_slip history = at->history;
  eli_touch of = *touch;
  double friction[3];
  if (!at->in_stage) eli_stick_slip_unlimit(&history, &of.stiffness, &of.line.pressure);
  friction_of_motion(at->contact, &history, (const eli_capsule_motion *const[2]){&at->side[0].motion, &at->side[1].motion},
                     (const eli_capsule *const[2]){&at->at[0], &at->at[1]}, &of, friction);
  for (int side = 0; side < 2; side++) {
    double lever[3], own[3];
    for (int a = 0; a < 3; a++) {
      lever[a] = touch->middle.point[a] - touch->middle.axis[side][a];
      own[a] = side ? -friction[a] : friction[a];
    }
    eli_displaced_add_force(touch->middle.share[side], lever, own, out->force[side], out->couple[side]);
  }
}

/* Finds the loads of an element and a box or cylinder. */
static void load_on_solid(const staged *at, staged_loads *out) {
  const int side = 2 - at->solid;
  const elastica_rod_view *rod = at->side[side].rod;
  eli_capsule own = at->at[side];
  eli_touch touch;
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = own.end[1][a] - own.end[0][a];
  if (!rod->rigid) own.radius = eli_radius(rod->volume[at->side[side].element], sqrt(eli_dot(edge, edge)));
  if (!touch_solid(at->contact, &at->law, at->solid, &own, &at->placed, &touch)) return;
  memcpy(out->force, touch.line.force, sizeof out->force);
  memcpy(out->couple[1 - side], touch.couple, sizeof touch.couple);
  eli_displaced_add_tension(&at->side[side], &own, touch.line.elastic, out->force[side]);
  if (at->is_rough) add_friction(at, &touch, out);
}

/* Finds the loads of pair q of the lines. */
static void load_on_line(const staged *at, const eli_lines *lines, int q, staged_loads *out) {
  eli_touch touch;
  if (!eli_lines_read(lines, q, &touch.line)) return;
  memcpy(out->force, touch.line.force, sizeof out->force);
  memcpy(out->widening, touch.line.swelling, sizeof out->widening);
  if (!at->is_rough) return;
  eli_lines_read_middle(lines, q, &touch.middle);
  touch.stiffness = at->contact->law.tangential_ratio * at->contact->law.line.modulus * touch.line.extent;
  touch.solid = 0;
  add_friction(at, &touch, out);
}

/* Writes minus the loads for all arguments: couples in components of the present frames. */
static void read_loads(const staged *at, const eli_lines *lines, int q, double out[ALL]) {
  staged_loads loads = {{{{0.0}}}, {{0.0}}, {{0.0}}};
  if (at->solid)
    load_on_solid(at, &loads);
  else
    load_on_line(at, lines, q, &loads);
  for (int side = 0; side < 2; side++) {
    const elastica_rod_view *rod = at->side[side].rod;
    double m[3];
    eli_displaced_centre(&at->side[side], &at->at[side], loads.force[side], loads.couple[side]);
    elastica_rotate_to_material(rod, at->side[side].element, loads.couple[side], m);
    for (int k = 0; k < 6; k++) out[6 * side + k] = -loads.force[side][k / 3][k % 3];
    for (int end = 0; end < 2; end++) out[ENDS + 2 * side + end] = loads.widening[side][end];
    for (int a = 0; a < 3; a++) out[COLUMNS + 3 * side + a] = -m[a];
  }
}

/* Finds H, with all loads at the present state. */
static void find_derivatives(const staged *at, double size, double turn, double loads[ALL], double hessian[ALL][ALL]) {
  eli_lines lines, now;
  int columns[ALL], count = 0;
  for (int column = 0; column < ALL; column++)
    if (is_argument(at, column)) columns[count++] = column;
  eli_lines_begin(&now, &at->law);
  if (!at->solid) {
    add_pair(at->at, &now);
    compute(at->contact, &now);
  }
  read_loads(at, &now, 0, loads);
  for (int first = 0; first < count; first += ELI_LINES / 2) {
    staged moved[ELI_LINES];
    int lane[ELI_LINES];
    const int end = first + ELI_LINES / 2 < count ? first + ELI_LINES / 2 : count;
    eli_lines_begin(&lines, &at->law);
    for (int k = first; k < end; k++)
      for (int side = 0; side < 2; side++) {
        const double by = columns[k] < COLUMNS ? size : turn;
        const int place = 2 * (k - first) + side, moves = !at->solid && moves_line(at, columns[k]);
        moved[place] = *at;
        displace(&moved[place], columns[k], side ? -by : by);
        lane[place] = moves ? lines.count : -1;
        if (moves) add_pair(moved[place].at, &lines);
      }
    if (lines.count > 0) compute(at->contact, &lines);
    for (int k = first; k < end; k++) {
      const int place = 2 * (k - first);
      const double apart = 2.0 * (columns[k] < COLUMNS ? size : turn);
      double more[ALL], less[ALL];
      read_loads(&moved[place], lane[place] < 0 ? &now : &lines, lane[place] < 0 ? 0 : lane[place], more);
      read_loads(&moved[place + 1], lane[place + 1] < 0 ? &now : &lines, lane[place + 1] < 0 ? 0 : lane[place + 1], less);
      for (int row = 0; row < ALL; row++) hessian[row][columns[k]] = (more[row] - less[row]) / apart;
    }
  }
}

/* Returns 0 without contact; friction: its eli_friction_state. */
static int find_staged(const eli_contact *contact, size_t k, int in_stage, const eli_capsule at[2], double loads[ALL],
                       double hessian[ALL][ALL], int *friction) {
  const eli_contact_pair *pair = &contact->list[k];
  staged of = {.contact = contact,
               .is_rough = contact->law.friction > 0.0,
               .in_stage = in_stage,
               .solid = eli_contact_solid_of(contact, pair),
               .law = {contact->law.line.modulus, in_stage ? contact->law.line.damping : 0.0},
               .at = {at[0], at[1]}};
  double thin = INFINITY, reach = 0.0;
  eli_trial trial;
  int keeps;
  eli_touch touch;
  if (!eli_contact_find(contact, k, &touch)) return 0;
  in_stage = in_stage && eli_world_trial(contact->world, &trial, &keeps);
  if (of.is_rough) of.history = history_at(contact, k, touch.stiffness);
  if (of.is_rough) *friction = (int)eli_stick_slip_state(&of.history, contact->law.friction * touch.line.pressure);
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    of.side[side] = eli_displaced_at(member->rod, pair->element[side]);
    if (in_stage) of.side[side].rate = trial.rate_per_change;
    if (of.is_rough && in_stage) read_motion(contact, pair, side, &of.side[side].motion);
    if (of.solid == side + 1) of.placed = eli_contact_solid(member);
    if (of.solid != side + 1 && at[side].rest_radius < thin) thin = at[side].rest_radius;
    if (member->rod->rigid && member->round.radius + member->round.half_length > reach)
      reach = member->round.radius + member->round.half_length;
  }
  const double size = eli_capsule_difference(touch.line.depth, thin, in_stage);
  find_derivatives(&of, size, size / (reach > thin ? reach : thin), loads, hessian);
  return 1;
}

/* Returns 0 without contact. */
static int find_columns(const eli_contact *contact, size_t k, int in_stage, eli_capsule at[2], eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  double hessian[ALL][ALL] = {{0.0}}, jacobian[ALL][SIZE] = {{0.0}}, widening[2][2], loads[ALL];
  const int classical = out->rod[0]->classical_law, has_body = out->rod[0]->rigid || out->rod[1]->rigid;
  const int is_rough = contact->law.friction > 0.0, is_staged = in_stage || has_body || is_rough, arguments = is_staged ? ALL : COLUMNS,
            is_on_solid = eli_contact_solid_of(contact, pair) > 0;
  if (is_staged ? !find_staged(contact, k, in_stage, at, loads, hessian, &out->friction) : !find_hessian(contact, at, hessian, widening))
    return 0;
  for (int end = 0; end < 4 && is_staged; end++) widening[end / 2][end % 2] = loads[ENDS + end];
  for (int turn = COLUMNS; turn < arguments; turn++) jacobian[turn][NODES + turn - COLUMNS] = 1.0;
  for (int end = 0; end < ENDS; end++) jacobian[end][ELI_CONTACT_STIFFNESS_SIDE * (end / 6) + end % 6] = 1.0;
  for (int side = 0; side < 2; side++) {
    widened of[3];
    const int count = out->rod[side]->rigid || is_on_solid ? 0 : find_widened(out, side, pair->reduction, of);
    for (int w = 0; w < count; w++) {
      add_to_jacobian(&of[w], side, jacobian);
      if (classical) add_curvature(&of[w], widening[side], out);
    }
  }
  add_product((const double(*)[SIZE])jacobian, (const double(*)[ALL])hessian, arguments, !classical, out);
  for (int side = 0; side < 2 && is_staged; side++) {
    const double *minus = loads + COLUMNS + 3 * side;
    eli_add_turning_frame((const double[3]){-minus[0], -minus[1], -minus[2]}, NODES + 3 * side, out);
  }
  out->turns = is_rough;
  return 1;
}

static int find_stiffness(const eli_contact *contact, size_t k, int in_stage, eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    for (int end = 0; end < 2; end++) {
      const int beside = eli_contact_neighbour(out->rod[side], pair->element[side], end);
      out->beyond[side][end] = beside < 0 ? -1 : end ? eli_second_node(out->rod[side], beside) : beside;
    }
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  }
  eli_contact_reduce(pair, at);
  if (!eli_contact_solid_of(contact, pair) && eli_contact_distance(eli_edge_of(&at[0]), eli_edge_of(&at[1])) >= at[0].radius + at[1].radius)
    return 0;
  return find_columns(contact, k, in_stage, at, out);
}

elastica_status eli_contact_find_stiffness(eli_contact *contact, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context) {
  eli_trial trial;
  int keeps;
  const int in_stage = eli_world_trial(contact->world, &trial, &keeps);
  if (eli_contact_cover(contact, NULL) < 0 || find_moved(contact) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_contact_stiffness of;
    if (find_stiffness(contact, k, in_stage, &of)) visit(context, &of);
  }
  return ELASTICA_OK;
}
