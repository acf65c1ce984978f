/* Members of contact, their elements as capsules at present positions, and the pairs of elements that never touch (see contact.h).
 *
 * test       tests/test_contact.c, tests/test_contact_self.c
 */
#include "base/target.h"

#include "base/elementary.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "effects/body_contact.h"
#include "effects/contact.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"

#include <math.h>
#include <string.h>

/* ---- Elements and bodies as capsules ---- */

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
    contact->work->measure(rod->volume, rod->length, rod->element_count, radius);
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

double eli_contact_distance(eli_edge p, eli_edge q) {
  const double first[2][3] = {{p.x0, p.y0, p.z0}, {p.x1, p.y1, p.z1}}, second[2][3] = {{q.x0, q.y0, q.z0}, {q.x1, q.y1, q.z1}};
  eli_closest closest;
  eli_segment_closest(first[0], first[1], second[0], second[1], &closest);
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

/* ---- Members ---- */

void eli_contact_release_members(eli_contact *contact) {
  eli_release(&contact->allocator, contact->members);
  eli_release(&contact->allocator, contact->owner);
  eli_release(&contact->allocator, contact->number);
  eli_release(&contact->allocator, contact->bounds);
  eli_release(&contact->allocator, contact->memory);
  eli_release_lines(&contact->allocator, contact->outline);
  eli_release_lines(&contact->allocator, contact->sums);
  eli_release(&contact->allocator, contact->spans);
  contact->spans = NULL;
  contact->span_count = 0;
  contact->members = NULL;
  contact->owner = NULL;
  contact->number = NULL;
  contact->bounds = NULL;
  contact->memory = NULL;
  contact->outline = NULL;
  contact->sums = NULL;
  contact->rod_count = -1;
}

/* Stores the shape of a box or cylinder, and the ball that encloses it. */
static void enclose(const eli_body_shape *shape, eli_contact_member *member) {
  const int box = shape->shape == ELASTICA_SHAPE_BOX;
  const double *edge = shape->half_edge;
  member->solid = 1;
  member->shape = (eli_obstacle){.shape = box ? ELASTICA_SHAPE_BOX : ELASTICA_SHAPE_CYLINDER,
                                 .radius = shape->radius,
                                 .half_length = shape->half_length,
                                 .slope = 1.0};
  memcpy(member->shape.half_edge, edge, sizeof member->shape.half_edge);
  member->round.radius =
      sqrt(box ? eli_dot(edge, edge) : shape->radius * shape->radius + shape->half_length * shape->half_length) * (1.0 + 1e-12);
  for (int k = 0; k < 3; k++)
    for (int b = 0; b < 3; b++) member->axes[3 * k + b] = shape->axes[3 * b + k];
}

static void read_body(elastica_rod *rod, eli_contact_member *member) {
  eli_body_shape shape;
  eli_body_shape_read(rod, &shape);
  if (shape.shape == ELASTICA_SHAPE_BOX || shape.shape == ELASTICA_SHAPE_CYLINDER) {
    enclose(&shape, member);
    return;
  }
  member->round.radius = shape.radius;
  member->round.half_length = shape.shape == ELASTICA_SHAPE_CAPSULE ? shape.half_length : 0.0;
  for (int b = 0; b < 3; b++) member->round.axis[b] = shape.axes[3 * b + 2];
}

static unsigned groups_of(const eli_contact *contact, int rod_index) {
  const int group = eli_world_contact_group(contact->world, rod_index);
  const int first = contact->law.first_group, second = contact->law.second_group;
  return (first == ELASTICA_EVERY_GROUP || first == group ? 1u : 0u) | (second == ELASTICA_EVERY_GROUP || second == group ? 2u : 0u);
}

static size_t memory_of(const elastica_rod_view *rod) {
  return 2 * eli_reference_size(rod->element_count) + 10 * ((size_t)rod->element_count + 1) + 6 * (size_t)rod->element_count;
}

/* Counts elements and memory, and sets the members. */
static size_t enlist(eli_contact *contact) {
  size_t memory = 0;
  contact->element_count = contact->has_bodies = contact->swells = 0;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    eli_contact_member *member = eli_contact_member_of(contact, k);
    elastica_rod *rod = elastica_world_rod(contact->world, k);
    memset(member, 0, sizeof *member);
    member->first = contact->element_count;
    if (rod == NULL || (member->groups = groups_of(contact, k)) == 0) continue;
    member->rod = elastica_rod_get_view(rod);
    if (member->rod->rigid) read_body(rod, member);
    contact->has_bodies |= member->rod->rigid;
    contact->swells |= member->rod->classical_law && !member->rod->rigid;
    contact->element_count += member->rod->element_count;
    memory += memory_of(member->rod);
  }
  return memory;
}

static void measure(eli_contact *contact, eli_contact_member *member, double *memory) {
  const elastica_rod_view *rod = member->rod;
  eli_reference_init(&member->reference, rod->element_count, rod->closed, memory);
  memory += eli_reference_size(rod->element_count);
  eli_reference_init(&member->closer, rod->element_count, rod->closed, memory);
  member->arc = memory + eli_reference_size(rod->element_count);
  member->arc[0] = 0.0;
  const size_t nodes = (size_t)rod->element_count + 1;
  member->widening = member->arc + nodes;
  memset(member->widening, 0, nodes * sizeof(double));
  member->first_widened = rod->element_count + 1;
  member->last_widened = -1;
  member->bend = member->widening + nodes;
  member->turn = member->bend + nodes;
  member->way = member->turn + nodes;
  member->least_cosine = member->way + nodes;
  double *lane = member->least_cosine + nodes;
  contact->bounds[rod->rod_index - contact->first_rod] = (elastica_stiffness){.struct_size = sizeof(elastica_stiffness),
                                                                              .node = lane,
                                                                              .element = lane + nodes,
                                                                              .node_rate = lane + 2 * nodes,
                                                                              .element_rate = lane + 3 * nodes};
  for (int j = 0; j < rod->element_count; j++) {
    const double radius = rod->rigid ? member->round.radius : eli_radius(rod->volume[j], rod->rest_length[j]);
    if (radius > contact->largest_radius && !member->solid) contact->largest_radius = radius;
    if (radius < contact->least_radius && !member->solid) contact->least_radius = radius;
    member->arc[j + 1] = member->arc[j] + rod->rest_length[j];
    contact->owner[member->first + j] = rod->rod_index;
  }
  eli_contact_limit_bends(member);
}

/* Returns 0 without memory. */
int eli_contact_find_members(eli_contact *contact) {
  const int rods = elastica_world_get(contact->world).rod_count;
  if (contact->rod_count == rods) return 1;
  eli_contact_release_members(contact);
  contact->first_rod = contact->only >= 0 ? contact->only : 0;
  contact->end_rod = contact->only >= 0 ? contact->only + 1 : rods;
  const size_t places = (size_t)(contact->end_rod - contact->first_rod) + 1;
  contact->members = eli_allocate(&contact->allocator, places, sizeof *contact->members);
  if (contact->members == NULL) return 0;
  contact->rod_count = rods;
  const size_t memory = enlist(contact), n = (size_t)contact->element_count;
  contact->owner = eli_allocate(&contact->allocator, n + 1, sizeof *contact->owner);
  contact->number = eli_allocate(&contact->allocator, n + 1, sizeof *contact->number);
  contact->memory = eli_allocate(&contact->allocator, memory + 1, sizeof(double));
  contact->bounds = eli_allocate(&contact->allocator, places, sizeof *contact->bounds);
  contact->outline = eli_allocate_lines(&contact->allocator, n, sizeof *contact->outline);
  contact->sums = eli_allocate_lines(&contact->allocator, eli_contact_sum_count(contact), sizeof *contact->sums);
  if (contact->owner == NULL || contact->number == NULL || contact->outline == NULL || contact->sums == NULL || contact->bounds == NULL ||
      contact->memory == NULL || !eli_near_pairs_reserve(&contact->pairs, n, 4 * n)) {
    eli_contact_release_members(contact);
    return 0;
  }
  for (int a = 0; a < 3; a++) contact->centre[a] = contact->memory + (size_t)a * n;
  contact->sphere = contact->memory + 3 * n;
  contact->thickness = contact->memory + 4 * n;
  contact->radius = contact->memory + 5 * n;
  contact->largest_radius = 0.0;
  contact->least_radius = INFINITY;
  double *free_memory = contact->memory + 6 * n;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    eli_contact_member *member = eli_contact_member_of(contact, k);
    if (member->rod == NULL) continue;
    measure(contact, member, free_memory);
    free_memory += memory_of(member->rod) - 6 * (size_t)member->rod->element_count;
  }
  if (eli_contact_make_spans(contact)) return 1;
  eli_contact_release_members(contact);
  return 0;
}

/* ---- Joints ---- */

static void note_joint(void *context, const eli_join *join) {
  eli_contact *contact = context;
  if (contact->joint_count == contact->joint_capacity) {
    const int capacity = 2 * contact->joint_capacity + 16;
    eli_contact_joint *larger = eli_allocate(&contact->allocator, (size_t)capacity, sizeof *larger);
    if (larger == NULL) {
      contact->joint_count = -1;
      contact->joint_capacity = -1;
    } else {
      if (contact->joint_count > 0) memcpy(larger, contact->joints, (size_t)contact->joint_count * sizeof *larger);
      contact->joint_capacity = capacity;
    }
    eli_release(&contact->allocator, contact->joints);
    contact->joints = larger;
  }
  if (contact->joint_count < 0) return;
  const int turned = join->rod[0]->rod_index > join->rod[1]->rod_index;
  int at = contact->joint_count++;
  eli_contact_joint joint;
  for (int k = 0; k < 2; k++) {
    const int from = turned ? 1 - k : k;
    const eli_contact_member *member = eli_contact_member_of(contact, join->rod[from]->rod_index);
    joint.rod[k] = join->rod[from]->rod_index;
    joint.arc[k] = member->rod != NULL && !member->rod->rigid
                       ? member->arc[join->element[from]] + join->share[from] * member->rod->rest_length[join->element[from]]
                       : 0.0;
  }
  for (; at > 0 && (contact->joints[at - 1].rod[0] > joint.rod[0] ||
                    (contact->joints[at - 1].rod[0] == joint.rod[0] && contact->joints[at - 1].rod[1] > joint.rod[1]));
       at--)
    contact->joints[at] = contact->joints[at - 1];
  contact->joints[at] = joint;
}

/* Returns 0 without memory. */
int eli_contact_find_joints(eli_contact *contact) {
  contact->joint_count = 0;
  if (contact->only >= 0) return 1;
  eli_world_each_join(contact->world, note_joint, contact);
  if (contact->joint_count >= 0) return 1;
  contact->joint_count = contact->joint_capacity = 0;
  return 0;
}

/* Returns the number of the first joint that is not before this pair of rods in the order of joints. */
static int first_joint(const eli_contact *contact, const int rod[2]) {
  int low = 0, high = contact->joint_count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const eli_contact_joint *joint = &contact->joints[middle];
    if (joint->rod[0] < rod[0] || (joint->rod[0] == rod[0] && joint->rod[1] < rod[1]))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- Exclusions ---- */

/* The default of skip_length, in the sum of both rest radii, R. Between this and pi/2, half a turn of a ring with the radius of the rod,
 * lie the next turns of a tight coil under tension: at a stretch e, its turns touch at an arc of 2.28 R/e^1.5 at rest (solenoid: e =
 * 1.2). */
#define SKIP 1.375

double eli_contact_skip_length(const eli_contact *contact, double radius) {
  return eli_is_nan(contact->law.skip_length) ? 2.0 * SKIP * radius : contact->law.skip_length;
}

static double rest_radius(const eli_contact_member *member, int j) {
  return member->rod->rigid ? member->round.radius : eli_radius(member->rod->volume[j], member->rod->rest_length[j]);
}

/* Returns the largest of the rest radii of an element and of its nodes. A node has the mean radius of its elements; contact uses these
 * radii (eli_contact_place). */
static double rest_thickness(const eli_contact_member *member, int j) {
  double thickest = rest_radius(member, j);
  for (int end = 0; end < 2 && !member->rod->rigid; end++) {
    const int beside = eli_contact_neighbour(member->rod, j, end);
    const double at_node = beside < 0 ? thickest : 0.5 * (rest_radius(member, j) + rest_radius(member, beside));
    if (at_node > thickest) thickest = at_node;
  }
  return thickest;
}

/* Returns the rest length [m] between an element and a position along its rod. */
static double arc_from(const eli_contact_member *member, int j, double arc) {
  if (member->rod->rigid) return 0.0;
  const double before = member->arc[j] - arc, after = arc - member->arc[j + 1];
  double between = before > after ? before : after;
  if (between < 0.0) between = 0.0;
  if (!member->rod->closed) return between;
  const double around = member->arc[member->rod->element_count] - (member->rod->rest_length[j] + between);
  return around < between ? around : between;
}

/* Returns the distance of two elements along their rod, in skip [m], between 0 and 1; 0: they are neighbours. */
static double distance_on_rod(const eli_contact_member *member, int i, int j, double skip) {
  const int n = member->rod->element_count, first = i < j ? i : j, last = i < j ? j : i;
  if (first == last || last == first + 1 || (member->rod->closed && first == 0 && last == n - 1)) return 0.0;
  double between = member->arc[last] - member->arc[first + 1];
  const double around = member->arc[n] - (member->arc[last + 1] - member->arc[first]);
  if (member->rod->closed && around < between) between = around;
  return between < skip ? between / skip : 1.0;
}

double eli_contact_reduction(const eli_contact *contact, const int rod[2], const int element[2]) {
  const eli_contact_member *one = eli_contact_member_of(contact, rod[0]), *other = eli_contact_member_of(contact, rod[1]);
  const unsigned has_groups = (one->groups & 1u && other->groups & 2u) || (one->groups & 2u && other->groups & 1u);
  if (!has_groups || (one->solid && other->solid)) return 0.0;
  const int chosen = eli_is_nan(contact->law.skip_length);
  if (rod[0] == rod[1]) {
    if (!contact->law.self) return 0.0;
    const double skip = chosen ? SKIP * (rest_thickness(one, element[0]) + rest_thickness(one, element[1])) : contact->law.skip_length;
    return distance_on_rod(one, element[0], element[1], skip);
  }
  for (int k = first_joint(contact, rod); k < contact->joint_count; k++) {
    const eli_contact_joint *joint = &contact->joints[k];
    if (joint->rod[0] != rod[0] || joint->rod[1] != rod[1]) break;
    const double skip = chosen ? SKIP * (rest_radius(one, element[0]) + rest_radius(other, element[1])) : contact->law.skip_length;
    if (arc_from(one, element[0], joint->arc[0]) + arc_from(other, element[1], joint->arc[1]) < skip) return 0.0;
  }
  return 1.0;
}
