/* Bounds of contact of short elements with a span of short elements of another, or of the same rod (see contact.h, contact_bound_pairs.c).
 *
 * models     the energy of the layer has the second derivative k (n . u)^2 int int ds dt/(pi sqrt(Q)) at most, Q = R^2 - |x - y|^2, for two
 *            points with relative displacement u. Over all of a straight line, int dt/(pi sqrt(Q)) is 1: partners along a rod share a
 *            point, they do not each have all of it. Over a chain of elements at angles of at most a with one direction, and with a gain of
 *            radius of at most g along each,
 *              int dt/(pi sqrt(Q)) <= sqrt(2)/cos a + 2 + 2 z/(l cos a),    z = 2 R (tan a + g/cos a):
 *            at distances t > z from the foot of the point along that direction, Q falls faster than by t dt, so that it is larger than
 *            (t_e^2 - t^2)/2 up to its end at t_e; elements within z may follow a sphere around the point, and each has 1 at most
 * test       tests/test_contact_short.c
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/resolve.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>

/* The bound above which elements are examined one by one as well: a smaller bound is not worth the time. */
#define WORTH 6.0

/* Position of an element, and its largest depth in the span until the next limit check. */
typedef struct meeting {
  eli_capsule at;
  double length, reach, speed;
  double gained, eps;         /* [m] the possible growth of the overlap, and the largest depth then */
  double stiffness, pressure; /* second derivative and force, in k and k eps: with the deepest overlap, or a mean */
  double partners;            /* number of elements with the full value */
} meeting;

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* foot [m]: position of the element beyond the ends of the span; < 0: between them. moved [m]: the largest decrease of foot until later. */
static double partners_of(const eli_contact_span *span, double reach, double foot, double moved, double horizon) {
  const double turned = 1.1 * horizon * span->turning, whole = 1.0 - span->slope * turned;
  if (!(turned < 0.5 && whole > 0.0)) return INFINITY; /* tan x < 1.1 x */
  const double tangent = (span->slope + turned) / whole, secant = sqrt(1.0 + tangent * tangent);
  const double zone = 2.0 * reach * (tangent + span->taper * secant);
  if (foot - moved > zone) return 0.7071067811865476 * secant;
  return secant * (1.4142135623730951 + 2.0 * zone / span->shortest) + 2.0;
}

/* Returns the distance [m] of an element beyond the ends of a segment, along it; < 0: a part of it is not beyond. */
static double beyond(const eli_capsule *at, const double first[3], const double last[3]) {
  double line[3], before = INFINITY, behind = INFINITY;
  for (int a = 0; a < 3; a++) line[a] = last[a] - first[a];
  const double length = sqrt(eli_dot(line, line));
  for (int end = 0; end < 2; end++) {
    double from[3];
    for (int a = 0; a < 3; a++) from[a] = at->end[end][a] - first[a];
    const double along = length > 0.0 ? eli_dot(from, line) / length : 0.0;
    if (-along < before) before = -along;
    if (along - length < behind) behind = along - length;
  }
  return larger(before, behind);
}

/* Returns 0 if the two stay apart. */
static int meet(const eli_contact *contact, const eli_contact_span *other, double horizon, meeting *of) {
  const eli_edge *line = &other->outline.edge;
  const double first[3] = {line->x0, line->y0, line->z0}, last[3] = {line->x1, line->y1, line->z1};
  eli_closest closest;
  double square = 0.0, fastest = 0.0, closing = 0.0;
  eli_segment_closest(of->at.end[0], of->at.end[1], first, last, &closest);
  for (int end = 0; end < 2; end++) {
    double v[3];
    for (int a = 0; a < 3; a++) v[a] = of->at.velocity[end][a] - other->velocity[a];
    fastest = larger(fastest, eli_dot(v, v));
    closing = larger(closing, eli_dot(v, closest.direction));
  }
  for (int a = 0; a < 3; a++) square += (of->at.end[1][a] - of->at.end[0][a]) * (of->at.end[1][a] - of->at.end[0][a]);
  of->length = sqrt(square);
  of->reach = of->at.radius + other->radius;
  of->speed = sqrt(fastest) + other->spread;
  const double moved = horizon * of->speed, gained = horizon * (closing + other->spread) + 0.5 * moved * moved / of->reach;
  of->gained = (gained < moved ? gained : moved) + ELI_CONTACT_MARGIN * contact->largest_radius;
  of->eps = of->at.radius + other->outline.thickness - closest.distance + of->gained;
  if (!(of->eps > 0.0)) return 0;
  if (of->eps > of->reach) of->eps = of->reach;
  of->partners = partners_of(other, of->reach, beyond(&of->at, first, last), moved, horizon);
  const double count = other->end - other->first;
  if (count < of->partners) of->partners = count;
  const eli_stiffening stiffening = eli_line_stiffening(of->at.rest_radius, other->rest_radius, of->eps);
  of->stiffness = stiffening.stiffness;
  of->pressure = stiffening.pressure * of->eps;
  return 1;
}

/* Returns the largest depth [m] of an element in an element of the span, from the distance of their centres; 0: it stays apart. */
static double depth_in(const meeting *of, const eli_contact_outline *one) {
  const double edge[3] = {one->edge.x1 - one->edge.x0, one->edge.y1 - one->edge.y0, one->edge.z1 - one->edge.z0};
  const double centre[3] = {one->edge.x0 + one->edge.x1, one->edge.y0 + one->edge.y1, one->edge.z0 + one->edge.z1};
  double apart[3];
  for (int a = 0; a < 3; a++) apart[a] = of->at.end[0][a] + of->at.end[1][a] - centre[a];
  const double distance = 0.5 * (sqrt(eli_dot(apart, apart)) - of->length - sqrt(eli_dot(edge, edge)));
  const double eps = of->at.radius + one->thickness + of->gained - (distance > 0.0 ? distance : 0.0);
  return eps < of->eps ? larger(eps, 0.0) : of->eps;
}

/* Computes the same element by element, each with its own overlap, and takes it if it is less. */
static void meet_each(const eli_contact *contact, const eli_contact_span *other, meeting *of) {
  const eli_contact_outline *outline = &contact->outline[eli_contact_member_of(contact, other->rod)->first];
  double stiffness = 0.0, pressure = 0.0, count = 0.0;
  for (int j = other->first; j < other->end; j++) {
    const double eps = depth_in(of, &outline[j]);
    if (eps == 0.0) continue;
    const eli_stiffening stiffening = eli_line_stiffening(of->at.rest_radius, other->rest_radius, eps);
    stiffness += stiffening.stiffness;
    pressure += stiffening.pressure * eps;
    count++;
  }
  if (!(stiffness < of->partners * of->stiffness)) return;
  of->partners = count;
  of->stiffness = count > 0.0 ? stiffness / count : 0.0;
  of->pressure = count > 0.0 ? pressure / count : 0.0;
}

/* Returns the length in contact [m], the mean of both sides. Each point of the other side represents a part of an element, at most a third;
 * so this many more may have the largest share. */
static double extent_of(const meeting *of, const eli_contact_span *other) {
  const double own = of->at.measure * of->partners + (of->at.cap[0] + of->at.cap[1]) * larger(of->partners, 1.0);
  const double shared = larger(other->stretched * of->length, other->longest) * of->partners + 1.5 * other->longest;
  return 0.5 * (own + (shared < other->measure ? shared : other->measure) + other->cap);
}

static void add_element(const eli_contact *contact, const eli_contact_span *own, int j, const eli_contact_span *other, const meeting *of) {
  const eli_contact_law *law = &contact->law;
  const elastica_rod_view *rod = eli_contact_member_of(contact, own->rod)->rod;
  const elastica_stiffness *to = eli_contact_bounds_of(contact, own->rod);
  const double l = of->length, extent = extent_of(of, other), swelling = 0.5 * of->at.radius / l, radius2 = of->at.radius * of->at.radius;
  const double taper = fabs(of->at.end_radius[1] - of->at.end_radius[0]) / l, weights = 2.0 + 2.0 * taper + 2.0 * other->taper;
  const double along = weights + 2.0 * swelling + 2.0 * other->swelling, across = law->friction > 0.0 ? along + 2.0 : 0.0;
  const double c_t = law->friction > 0.0 ? law->tangential_damping : 0.0, k_t = law->tangential_ratio * law->line.modulus;
  const double normal = extent * larger(law->line.modulus * of->stiffness * along, k_t * across);
  const double rate = extent * larger(law->line.damping * weights, c_t * (weights + 2.0));
  const double pressure = extent * law->line.modulus * of->pressure;
  double shortest = l < other->shortest ? l : other->shortest;
  if (of->reach < shortest) shortest = of->reach;
  const double curving = 4.0 / shortest + (1.0 + 3.0 * swelling + 2.0 * of->reach / l) / l;
  const double own_guard = 4.0 * of->speed / of->reach, guard = own_guard < ELI_CONTACT_FASTEST ? own_guard : ELI_CONTACT_FASTEST;
  const double mass = rod->mass[j] < rod->mass[j + 1] ? rod->mass[j] : rod->mass[j + 1];
  const double resolved = eli_world_chooses(contact->world)
                              ? eli_resolved_stiffness(2.0 * law->line.modulus * extent, 2.0 * law->line.damping * extent, mass)
                              : 0.0;
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, j, end);
    to->node[j + end] += normal * (1.0 + swelling) + pressure * curving + guard * guard * rod->mass[j + end] + resolved;
    to->node_rate[j + end] += rate;
    for (int k = 0; k < 2 && beside >= 0; k++) to->node[beside + k] += 0.5 * normal * swelling;
  }
  to->element[j] += extent * k_t * across * radius2;
  to->element_rate[j] += extent * c_t * (weights + 2.0) * radius2;
}

void eli_contact_bound_span(const eli_contact *contact, const eli_contact_span *own, const eli_contact_span *other, double margin,
                            double horizon) {
  const int first = eli_contact_member_of(contact, own->rod)->first;
  for (int j = own->first; j < own->end; j++) {
    meeting of;
    if (eli_contact_is_far_from_span(contact, first + j, other, margin)) continue;
    if (!eli_contact_may_touch_span(contact, own->rod, j, other)) continue;
    eli_contact_place_moving(contact, own->rod, j, &of.at);
    if (!meet(contact, other, horizon, &of)) continue;
    if (of.partners > WORTH) meet_each(contact, other, &of);
    add_element(contact, own, j, other, &of);
  }
}

int eli_contact_awaits_none(const eli_contact *contact, int rod_index, int j, const eli_contact_span *other, double dt) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, rod_index)->rod;
  const eli_line_law *law = &contact->law.line;
  meeting of;
  if (rod->rigid || eli_contact_member_of(contact, other->rod)->rod->rigid) return 0;
  eli_contact_place_moving(contact, rod_index, j, &of.at);
  if (!meet(contact, other, ELI_STEPS_AWAITED * dt, &of)) return 1;
  if (2.0 * of.speed * dt > of.reach) return 0;
  const double extent = 0.5 * (of.at.measure + of.at.cap[0] + of.at.cap[1] + other->longest + other->cap);
  double mass = rod->mass[j] < rod->mass[j + 1] ? rod->mass[j] : rod->mass[j + 1];
  if (other->mass < mass) mass = other->mass;
  return !eli_is_too_long(dt, law->modulus * extent, law->damping * extent, mass, eli_world_chooses(contact->world));
}
