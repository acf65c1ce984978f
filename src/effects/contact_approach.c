/* Two elements on a course of contact, and their contact force and energy (see contact.h).
 *
 * test       tests/test_check_press.c
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/capsule.h"
#include "contact/segment.h"
#include "effects/contact.h"

#include <math.h>
#include <string.h>

#define SLENDER 4.0 /* radii: the part of a rod on either side of a crossing that is included */

enum { MOVES = 40 };

int eli_contact_update(eli_contact *contact) {
  return eli_contact_cover(contact, 0.0) >= 0;
}

int eli_contact_is_round(const eli_contact *contact, int rod) {
  if (rod < contact->first_rod || rod >= contact->end_rod) return 0;
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  return member->rod != NULL && !member->solid;
}

int eli_contact_let_touch(const eli_contact *contact, const int rod[2], const int element[2]) {
  const int turned = rod[0] > rod[1];
  const int rods[2] = {rod[turned], rod[1 - turned]}, elements[2] = {element[turned], element[1 - turned]};
  return eli_contact_reduction(contact, rods, elements) == 1.0;
}

/* ---- Time of contact ---- */

static void move(const eli_capsule *from, const double w[3], double time, eli_capsule *to) {
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) to->end[end][a] = from->end[end][a] + time * w[a];
}

static double distance_after(const eli_capsule at[2], const double w[3], double time, eli_closest *closest) {
  eli_capsule moved;
  move(&at[0], w, time, &moved);
  eli_segment_closest(moved.end[0], moved.end[1], at[1].end[0], at[1].end[1], closest);
  return closest->distance;
}

/* The distance is a convex function of time: finds its least value, and, before that, the time at which the surfaces touch. */
int eli_capsules_approach(const eli_capsule at[2], const double w[3], eli_encounter *out) {
  const double reach = at[0].radius + at[1].radius, square = eli_dot(w, w);
  eli_closest closest;
  double time = 0.0, low = 0.0, least = distance_after(at, w, 0.0, &closest);
  for (int k = 0; k < MOVES && least > 0.0; k++) {
    const double further = time + closest.distance * eli_dot(closest.direction, w) / square, next = further > 0.0 ? further : 0.0;
    if (next == time) break;
    time = next;
    const double own = distance_after(at, w, time, &closest);
    if (own < least) least = own;
  }
  if (!(least < reach)) return 0;
  double high = time;
  if (distance_after(at, w, 0.0, &closest) <= reach) high = 0.0;
  for (int k = 0; k < MOVES && high > 0.0; k++) {
    const double middle = 0.5 * (low + high);
    *(distance_after(at, w, middle, &closest) > reach ? &low : &high) = middle;
  }
  (void)distance_after(at, w, high, &closest);
  out->time = high;
  out->share[0] = closest.s, out->share[1] = closest.t;
  memcpy(out->normal, closest.direction, sizeof out->normal);
  return 1;
}

/* ---- Strengths ---- */

/* Sets the part that is included: of a rod a straight part on either side of the place, up to a free end; of a body all of it. */
static void lay(const eli_capsule *of, int rigid, double share, const double place[3], double half, eli_capsule *out) {
  double edge[3];
  *out = *of;
  for (int a = 0; a < 3; a++) edge[a] = of->end[1][a] - of->end[0][a];
  const double length = sqrt(eli_dot(edge, edge));
  for (int end = 0; end < 2; end++) {
    const int is_there = rigid || (of->cap[end] > 0.0 && share == end);
    const double way = length > 0.0 ? (is_there ? (end - share) : (end ? half : -half) / length) : 0.0;
    for (int a = 0; a < 3; a++) out->end[end][a] = place[a] + way * edge[a], out->velocity[end][a] = 0.0;
    if (!is_there) out->cap[end] = 0.0;
    out->end_radius[end] = of->radius;
  }
  for (int a = 0; a < 3; a++) edge[a] = out->end[1][a] - out->end[0][a];
  out->measure = sqrt(eli_dot(edge, edge));
}

static double length_of(const eli_capsule *at) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->end[1][a] - at->end[0][a];
  return sqrt(eli_dot(edge, edge));
}

/* Uses the contact law itself, without its damper. */
eli_strength eli_contact_strength(const eli_contact *contact, const eli_capsule at[2], const int rigid[2], const eli_encounter *of) {
  const int thin = at[1].rest_radius < at[0].rest_radius;
  const double least = at[thin].rest_radius, apart = at[0].radius + at[1].radius - ELI_DEEP * least;
  const double lengths[2] = {length_of(&at[0]), length_of(&at[1])}, common = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
  const eli_line_law law = {contact->law.line.modulus, 0.0};
  eli_strength out = {0.0, 0.0, {0.0, 0.0}, !rigid[0] && !rigid[1] && eli_capsule_sine(at) < ELI_PARALLEL};
  double place[2][3];
  eli_capsule laid[2];
  eli_lines lines;
  eli_line_loads found;
  for (int a = 0; a < 3; a++) place[0][a] = 0.0, place[1][a] = apart * of->normal[a];
  eli_lines_begin(&lines, &law);
  lines.count = 1;
  for (int side = 0; side < 2; side++) {
    const double far = SLENDER * (at[0].radius + at[1].radius);
    const int aside = out.parallel; /* side by side no end is included, and of the first element the length common to both */
    eli_capsule own = at[side];
    if (aside) own.cap[0] = own.cap[1] = 0.0;
    lay(&own, rigid[side], aside ? 0.5 : of->share[side], place[side], aside ? 0.5 * common + (side ? far : 0.0) : far, &laid[side]);
    eli_lines_place(&lines, 0, side, &laid[side]);
    out.length[side] = aside ? common : lengths[side] > at[side].radius ? lengths[side] : at[side].radius;
  }
  contact->work->find_parts(&lines);
  contact->work->find_lines(&lines);
  (void)eli_lines_read(&lines, 0, &found);
  out.energy = found.energy;
  out.force = found.elastic;
  return out;
}

double eli_contact_crossing_strength(const eli_contact *contact, double radius) {
  eli_capsule at[2];
  const eli_encounter across = {0.0, {0.5, 0.5}, {0.0, 0.0, 1.0}};
  const int rigid[2] = {0, 0};
  memset(at, 0, sizeof at);
  for (int side = 0; side < 2; side++) {
    at[side].end[0][side] = -SLENDER * radius, at[side].end[1][side] = SLENDER * radius;
    at[side].radius = at[side].rest_radius = at[side].end_radius[0] = at[side].end_radius[1] = radius;
  }
  return eli_contact_strength(contact, at, rigid, &across).force;
}
