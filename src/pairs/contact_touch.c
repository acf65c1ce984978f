/* The line of contact of a pair of elements (see contact.h). */
#include "base/target.h"

#include "base/section.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

static void place_body(const eli_contact_member *member, eli_capsule *out) {
  double arm[3];
  eli_round_arm(&member->round, member->rod, arm);
  out->radius = out->end_radius[0] = out->end_radius[1] = member->round.radius;
  for (int a = 0; a < 3; a++) {
    out->end[0][a] = member->rod->position[a][0] - arm[a];
    out->end[1][a] = member->rod->position[a][0] + arm[a];
  }
}

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
  /* nodes have the mean radius of their elements: no step between two of them */
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

static void move_body(const elastica_rod_view *body, eli_capsule *out) {
  double spin[3], arm[3], turning[3];
  eli_spin_of(body, 0, spin);
  for (int k = 0; k < 2; k++) {
    for (int a = 0; a < 3; a++) arm[a] = out->end[k][a] - body->position[a][0];
    eli_cross(spin, arm, turning);
    for (int a = 0; a < 3; a++) out->velocity[k][a] = body->velocity[a][0] + turning[a];
    out->joined[k] = 0;
  }
}

/* Velocities, and what bounds it on its rod. A neighbour that may not touch the other element leaves it a blunt end. */
static void complete(const eli_contact *contact, const eli_contact_pair *pair, int side, eli_capsule *out) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, pair->rod[side])->rod;
  const int j = pair->element[side];
  if (rod->rigid) {
    move_body(rod, out);
    out->measure = 2.0 * eli_contact_member_of(contact, pair->rod[side])->round.half_length;
    out->cap[0] = out->cap[1] = ELI_CAP * out->radius;
    return;
  }
  out->measure = rod->rest_length[j];
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, j, end);
    out->joined[end] = (pair->goes_on[side] >> end & 1u) != 0;
    out->cap[end] = beside < 0 ? ELI_CAP * eli_radius(rod->volume[j], rod->rest_length[j]) : 0.0;
    for (int a = 0; a < 3; a++) {
      out->velocity[end][a] = rod->velocity[a][j + end];
      out->border[end][a] = out->joined[end] ? (end ? 1.0 : -1.0) * (rod->tangent[a][j] + rod->tangent[a][beside]) : 0.0;
    }
  }
}

void eli_contact_place_moving(const eli_contact *contact, const eli_contact_pair *pair, int side, eli_capsule *out) {
  eli_contact_place(contact, pair->rod[side], pair->element[side], out);
  complete(contact, pair, side, out);
}

static double radius_at(const eli_capsule *at, double share) {
  return at->end_radius[0] + share * (at->end_radius[1] - at->end_radius[0]);
}

/* Middle of the contact: the means of where pressure acts; the point between the surfaces; slip there. */
static void find_middle(const eli_contact *contact, const eli_contact_pair *pair, const eli_capsule at[2], eli_touch *out) {
  double v[2][3], turning = 0.0, along = 0.0;
  const double size = sqrt(eli_dot(out->line.normal, out->line.normal));
  double radius[2];
  for (int a = 0; a < 3; a++) out->normal[a] = size > 0.0 ? out->line.normal[a] / size : 0.0;
  for (int side = 0; side < 2; side++) {
    const double share = out->line.pressure > 0.0 ? out->line.share[side] / out->line.pressure : 0.5;
    out->share[side] = share;
    radius[side] = radius_at(&at[side], share);
    for (int a = 0; a < 3; a++) out->axis[side][a] = at[side].end[0][a] + share * (at[side].end[1][a] - at[side].end[0][a]);
  }
  const double outer = radius[0] / (radius[0] + radius[1]);
  for (int a = 0; a < 3; a++) out->point[a] = out->axis[0][a] + outer * (out->axis[1][a] - out->axis[0][a]);
  for (int side = 0; side < 2; side++) {
    double spin[3], lever[3], turned[3];
    eli_spin_of(eli_contact_member_of(contact, pair->rod[side])->rod, pair->element[side], spin);
    for (int a = 0; a < 3; a++) lever[a] = out->point[a] - out->axis[side][a];
    eli_cross(spin, lever, turned);
    for (int a = 0; a < 3; a++)
      v[side][a] = at[side].velocity[0][a] + out->share[side] * (at[side].velocity[1][a] - at[side].velocity[0][a]) + turned[a];
    turning += 0.5 * eli_dot(spin, out->normal);
  }
  for (int a = 0; a < 3; a++) along += (v[0][a] - v[1][a]) * out->normal[a];
  for (int a = 0; a < 3; a++) out->velocity[a] = v[0][a] - v[1][a] - along * out->normal[a];
  out->spin = turning;
  out->stiffness = contact->law.tangential_ratio * contact->law.line.modulus * out->line.extent;
}

/* ---- Against a box or cylinder ---- */

eli_solid eli_contact_solid(const eli_contact_member *member) {
  const elastica_rod_view *body = member->rod;
  eli_solid solid;
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

/* The layer as a line: all of its force on the solid at the centre. */
static void take_layer(const eli_layer *layer, int side, eli_touch *out) {
  eli_line *line = &out->line;
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

/* side: the one that is none. */
static int find_on_solid(const eli_contact *contact, const eli_contact_pair *pair, const eli_capsule at[2], int side, eli_touch *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_solid solid = eli_contact_solid(member);
  const double sign = side ? -1.0 : 1.0;
  double spin[3];
  eli_layer layer;
  eli_middle middle;
  eli_capsule own = at[side];
  const elastica_rod_view *rod = eli_contact_member_of(contact, pair->rod[side])->rod;
  if (!rod->rigid) own.radius = eli_radius(rod->volume[pair->element[side]], rod->length[pair->element[side]]);
  if (!eli_layer_find(&own, &solid, &contact->law.line, &layer)) return 0;
  eli_spin_of(rod, pair->element[side], spin);
  eli_layer_middle(&own, spin, &solid, &layer, &middle);
  out->solid = 1;
  take_layer(&layer, side, out);
  out->share[side] = middle.share;
  out->share[1 - side] = 0.5;
  for (int a = 0; a < 3; a++) {
    out->normal[a] = sign * middle.normal[a];
    out->velocity[a] = sign * middle.velocity[a];
    out->point[a] = middle.point[a];
    out->axis[side][a] = middle.point[a] - middle.lever[a];
    out->axis[1 - side][a] = solid.place.position[a];
  }
  out->spin = middle.spin;
  out->stiffness = contact->law.tangential_ratio * contact->law.line.modulus * layer.extent;
  return 1;
}

/* Straight from the lanes: what is put together in small arrays first takes three times as long. */
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

int eli_contact_is_far(const eli_contact *contact, const eli_contact_pair *pair, const double *thickness, double margin) {
  double reach = margin;
  for (int side = 0; side < 2; side++) reach += thickness[eli_contact_member_of(contact, pair->rod[side])->first + pair->element[side]];
  return are_apart(contact, pair, reach);
}

int eli_contact_find(const eli_contact *contact, size_t k, eli_touch *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  for (int side = 0; side < 2; side++) eli_contact_place(contact, pair->rod[side], pair->element[side], &at[side]);
  if (are_apart(contact, pair, at[0].radius + at[1].radius)) return 0;
  for (int side = 0; side < 2; side++) complete(contact, pair, side, &at[side]);
  out->solid = 0;
  for (int side = 0; side < 2; side++)
    if (eli_contact_member_of(contact, pair->rod[1 - side])->solid) return find_on_solid(contact, pair, at, side, out);
  if (!eli_line_find(&at[0], &at[1], &contact->law.line, &out->line)) return 0;
  find_middle(contact, pair, at, out);
  return 1;
}

/* Between the points of the line it may be deeper. */
double eli_contact_depth(const eli_contact *contact, size_t k, const eli_touch *touch) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  eli_closest closest;
  if (touch->solid) return touch->line.depth;
  for (int side = 0; side < 2; side++) eli_contact_place(contact, pair->rod[side], pair->element[side], &at[side]);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  const double depth = radius_at(&at[0], closest.s) + radius_at(&at[1], closest.t) - closest.distance;
  return depth > touch->line.depth ? depth : touch->line.depth;
}

void eli_contact_pairs_of(const eli_contact *contact, int rod_index, size_t *first, size_t *end) {
  size_t bound[2];
  for (int k = 0; k < 2; k++) {
    size_t low = 0, high = contact->count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (contact->list[middle].rod[0] < rod_index + k)
        low = middle + 1;
      else
        high = middle;
    }
    bound[k] = low;
  }
  *first = bound[0];
  *end = bound[1];
}
