/* Stick-slip friction of contacts, with its history (see contact.h). */
#include "base/target.h"

#include "base/vector.h"
#include "contact/slip.h"
#include "pairs/contact.h"

#include <stddef.h>
#include <string.h>

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

void eli_contact_step_friction(const eli_contact *contact, const eli_contact_close *close, const eli_touch *touch, double dt,
                               double force[3]) {
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

/* ---- Pairs side by side ---- */

void eli_contact_begin_friction_lines(const eli_contact *contact, double dt, eli_stick_slips *springs) {
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

void eli_contact_step_friction_lines(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], eli_lines *lines,
                                     eli_stick_slips *springs) {
  for (int q = 0; q < lines->count; q++)
    if (lines->depth[q] > 0.0) read_history(contact, close[q], lines, q, springs);
  contact->work->stick_slip(lines, springs);
  for (int q = 0; q < lines->count; q++)
    if (lines->depth[q] > 0.0) write_history(contact, close[q], springs, q);
}
