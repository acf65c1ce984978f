/* The contact of a pair of elements (see contact.h). */
#include "base/target.h"

#include "rod/law.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* ---- Contact with a box or cylinder ---- */

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

int eli_contact_find_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int solid_one, const eli_capsule *at,
                              eli_touch *out) {
  const int side = 2 - solid_one;
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_solid solid = eli_contact_solid(member);
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

int eli_contact_crosses(const eli_contact *contact, const eli_contact_close *close, double depth, double dt) {
  const int side = 2 - close->solid;
  const eli_contact_pair *pair = &contact->list[close->pair];
  const eli_solid solid = eli_contact_solid(eli_contact_member_of(contact, pair->rod[1 - side]));
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

int eli_contact_read(const eli_contact *contact, const eli_lines *lines, int q, eli_touch *out) {
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
  if (solid) return eli_contact_find_on_solid(contact, pair, solid, &at[2 - solid], out);
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
  return eli_contact_read(contact, &lines, 0, out);
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
