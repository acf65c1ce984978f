/* Elements and bodies in contact as capsules, at their present positions (see contact.h). */
#include "base/target.h"

#include "rod/law.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

int eli_contact_neighbour(const elastica_rod_view *rod, int j, int end) {
  const int n = rod->element_count, next = end ? j + 1 : j - 1;
  if (next >= 0 && next < n) return next;
  return rod->closed && n > 2 ? (next + n) % n : -1;
}

static inline double radius_of(const eli_contact *contact, const eli_contact_member *member, int j) {
  return contact->measured ? contact->radius[member->first + j] : eli_radius(member->rod->volume[j], member->rod->length[j]);
}

void eli_contact_measure(eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    double *radius = contact->radius + member->first;
    if (rod == NULL || rod->rigid) continue;
    for (int j = 0; j < rod->element_count; j++) radius[j] = eli_radius(rod->volume[j], rod->length[j]);
  }
  contact->measured = 1;
}

static void place_body(const eli_contact_member *member, eli_capsule *out) {
  double arm[3];
  eli_round_arm(&member->round, member->rod, arm);
  out->radius = out->end_radius[0] = out->end_radius[1] = member->round.radius;
  for (int a = 0; a < 3; a++) {
    out->end[0][a] = member->rod->position[a][0] - arm[a];
    out->end[1][a] = member->rod->position[a][0] + arm[a];
  }
}

void eli_contact_place(const eli_contact *contact, int rod, int element, eli_capsule *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  const elastica_rod_view *view = member->rod;
  if (view->rigid) {
    place_body(member, out);
    return;
  }
  for (int a = 0; a < 3; a++) {
    out->end[0][a] = view->position[a][element];
    out->end[1][a] = view->position[a][element + 1];
  }
  /* nodes have the mean radius of their elements, so the radius has no step between two elements */
  const double own = radius_of(contact, member, element);
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(view, element, end);
    out->end_radius[end] = beside < 0 ? own : 0.5 * (own + radius_of(contact, member, beside));
  }
  out->radius = out->end_radius[0] > out->end_radius[1] ? out->end_radius[0] : out->end_radius[1];
}

double eli_contact_thickest(const eli_contact *contact, int rod, int element, const eli_capsule *at) {
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  const double own = member->rod->rigid ? 0.0 : radius_of(contact, member, element);
  return own > at->radius ? own : at->radius;
}

double eli_contact_distance(const eli_capsule *one, const eli_capsule *other) {
  eli_closest closest;
  eli_segment_closest(one->end[0], one->end[1], other->end[0], other->end[1], &closest);
  return closest.distance;
}

/* Computes the same as place and thickest do for one element. */
static void draw_rod(const elastica_rod_view *rod, const double *radius, eli_contact_outline *out) {
  const double *const x = rod->position[0], *const y = rod->position[1], *const z = rod->position[2];
  const int n = rod->element_count;
  for (int j = 0; j < n; j++) {
    const int before = j > 0 ? j - 1 : eli_contact_neighbour(rod, j, 0), after = j + 1 < n ? j + 1 : eli_contact_neighbour(rod, j, 1);
    const double own = radius[j], first = before < 0 ? own : 0.5 * (own + radius[before]),
                 last = after < 0 ? own : 0.5 * (own + radius[after]), thicker = first > last ? first : last;
    out[j].edge = (eli_edge){x[j], y[j], z[j], x[j + 1], y[j + 1], z[j + 1]};
    out[j].thickness = own > thicker ? own : thicker;
  }
}

void eli_contact_draw_outlines(eli_contact *contact) {
  eli_contact_measure(contact);
  contact->measured = 0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    eli_contact_outline *out = &contact->outline[member->first];
    if (member->rod != NULL && !member->rod->rigid) draw_rod(member->rod, &contact->radius[member->first], out);
    if (member->rod == NULL || !member->rod->rigid) continue;
    eli_capsule at;
    place_body(member, &at);
    out->edge = eli_edge_of(&at);
    out->thickness = at.radius;
  }
}

int eli_contact_is_far(const eli_contact *contact, const eli_contact_pair *pair, double thicker, double margin) {
  const eli_contact_outline *one = &contact->outline[pair->number[0]], *other = &contact->outline[pair->number[1]];
  const double reach = margin + pair->reduction * (thicker * one->thickness + thicker * other->thickness);
  return eli_segments_are_apart(one->edge, other->edge, reach);
}

void eli_contact_reduce(const eli_contact_pair *pair, eli_capsule at[2]) {
  if (pair->reduction == 1.0) return;
  for (int side = 0; side < 2; side++) eli_capsule_reduce(&at[side], pair->reduction);
}

static void move_body(const eli_contact_member *member, eli_capsule *out) {
  const elastica_rod_view *body = member->rod;
  double spin[3], arm[3], turning[3];
  eli_spin_of(body, 0, spin);
  for (int k = 0; k < 2; k++) {
    for (int a = 0; a < 3; a++) arm[a] = out->end[k][a] - body->position[a][0];
    eli_cross(spin, arm, turning);
    for (int a = 0; a < 3; a++) out->velocity[k][a] = body->velocity[a][0] + turning[a];
    out->cap[k] = ELI_CAP * out->radius;
  }
  out->measure = 2.0 * member->round.half_length;
  out->rest_radius = member->round.radius;
}

void eli_contact_place_moving(const eli_contact *contact, int rod, int element, eli_capsule *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  const elastica_rod_view *view = member->rod;
  eli_contact_place(contact, rod, element, out);
  if (view->rigid) {
    move_body(member, out);
    return;
  }
  out->measure = view->rest_length[element];
  out->rest_radius = eli_radius(view->volume[element], view->rest_length[element]);
  for (int end = 0; end < 2; end++) {
    out->cap[end] = eli_contact_neighbour(view, element, end) < 0 ? ELI_CAP * out->rest_radius : 0.0;
    for (int a = 0; a < 3; a++) out->velocity[end][a] = view->velocity[a][element + end];
  }
}
