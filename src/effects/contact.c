/* Contact: rods and rigid bodies touch each other, and rods themselves (self-contact), with friction.
 *
 * models     an elastic layer along the line of contact of two elements; Coulomb friction with a tangential spring
 * equation   U = (k/4) (int eps^2 dmu_1 + int eps^2 dmu_2) of each pair of elements (contact/line.h);
 *            friction: contact/stick_slip.h with k_t = ratio k times the length in contact, N the normal force of the pair
 * source     Winkler foundation; Cundall and Strack 1979
 * parameters modulus k [Pa], damping [Pa s], friction mu, tangential ratio and damping, groups, skip_length, skin
 * conserves  momentum and angular momentum; energy with U, without damper and friction
 * test       tests/test_contact.c, tests/test_contact_self.c, tests/test_contact_bends.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/elementary.h"
#include "base/fetch.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "effects/body_contact.h"
#include "effects/contact.h"
#include "effects/resolve.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef elastica_contact_def contact_def;
static const eli_field fields[] = {
    ELI_FIELD(contact_def, struct_size),
    ELI_NUMBERS(contact_def, modulus, ELI_RULE_POSITIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(contact_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(contact_def, friction, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(contact_def, tangential_ratio, ELI_RULE_POSITIVE),
    ELI_NUMBERS(contact_def, tangential_damping, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(contact_def, first_group),
    ELI_FIELD(contact_def, second_group),
    ELI_FLAG(contact_def, self),
    ELI_NUMBERS(contact_def, skip_length, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(contact_def, skin, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
};
static const contact_def defaults = {.modulus = NAN,
                                     .tangential_ratio = 2.0 / 3.0,
                                     .first_group = ELASTICA_EVERY_GROUP,
                                     .second_group = ELASTICA_EVERY_GROUP,
                                     .self = 1,
                                     .skip_length = NAN,
                                     .skin = NAN};
static const eli_layout layout = ELI_LAYOUT("contact_def", contact_def, fields, defaults);

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
static void draw_rod(const elastica_rod_view *rod, const double *radius, double size, eli_contact_outline *out) {
  const double *const x = rod->position[0], *const y = rod->position[1], *const z = rod->position[2];
  const int n = rod->element_count;
  for (int j = 0; j < n; j++) {
    const int before = j > 0 ? j - 1 : eli_contact_neighbour(rod, j, 0), after = j + 1 < n ? j + 1 : eli_contact_neighbour(rod, j, 1);
    const double own = radius[j], first = before < 0 ? own : 0.5 * (own + radius[before]),
                 last = after < 0 ? own : 0.5 * (own + radius[after]), thicker = first > last ? first : last;
    out[j].edge = (eli_edge){x[j], y[j], z[j], x[j + 1], y[j + 1], z[j + 1]};
    out[j].thickness = own > thicker ? own : thicker;
    out[j].size = size;
  }
}

void eli_contact_draw_outlines(eli_contact *contact) {
  eli_contact_measure(contact);
  contact->measured = 0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    eli_contact_outline *out = &contact->outline[member->first];
    if (member->rod != NULL && !member->rod->rigid) draw_rod(member->rod, &contact->radius[member->first], member->size, out);
    if (member->rod == NULL || !member->rod->rigid) continue;
    eli_capsule at;
    place_body(member, &at);
    out->edge = eli_edge_of(&at);
    out->thickness = at.radius;
    out->size = member->size;
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

static void release_members(eli_contact *contact) {
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
  member->thinnest = INFINITY;
  for (int j = 0; j < rod->element_count; j++) {
    const double radius = rod->rigid ? member->round.radius : eli_radius(rod->volume[j], rod->rest_length[j]);
    if (radius > member->size) member->size = radius;
    if (radius < member->thinnest) member->thinnest = radius;
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
  release_members(contact);
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
    release_members(contact);
    return 0;
  }
  for (int a = 0; a < 3; a++) contact->centre[a] = contact->memory + (size_t)a * n;
  contact->sphere = contact->memory + 3 * n;
  contact->thickness = contact->memory + 4 * n;
  contact->radius = contact->memory + 5 * n;
  contact->largest_radius = 0.0;
  contact->least_radius = INFINITY;
  contact->leader = -1;
  double *free_memory = contact->memory + 6 * n;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    eli_contact_member *member = eli_contact_member_of(contact, k);
    if (member->rod == NULL) continue;
    measure(contact, member, free_memory);
    free_memory += memory_of(member->rod) - 6 * (size_t)member->rod->element_count;
    if (contact->leader < 0 || member->size < eli_contact_member_of(contact, contact->leader)->size) contact->leader = k;
  }
  if (eli_contact_make_spans(contact)) return 1;
  release_members(contact);
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
  assert(contact->joints != NULL);
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

/* ---- The list of near pairs ----
 *
 * models     The tangents of a chain of elements that turns by T in all are within T/2 of the tangent at its middle: their projections on
 *            that tangent are at least cos(T/2) of their lengths. Elements at both ends of the chain that are within a right angle of it do
 *            not reach back.
 * equation   gap >= cos(T/2) sum l, of the elements between two, for an angle up to pi/2 with either of both
 *
 * The reach of the list is that of the step limit, some hundred pairs for each pair that touches. Most of them stay out of reach for many
 * steps. So the close pairs are stored, and found again after some element has moved by half their margin. The other pairs neither touch
 * nor have a history: no bit depends on the time of this search.
 *
 * Elements that are close along a rod are also close in space, however the rod moves, but most rods never bend far enough for these to
 * touch. The list leaves out pairs if every joint between the two elements is bent by less than a limit, and is built again when a joint
 * exceeds its limit. This also holds for a rod that turns as a whole, for which bounds by velocities say nothing.
 */

/* ---- Bends ---- */

/* The limit of the bend of a joint: a radius of curvature of 1/BEND radii, the bend at which straight elements may touch, and at most
 * WIDEST [rad]. */
#define BEND 0.35
#define WIDEST 0.8

/* Elements this many radii long are near none but their neighbours: bends are not used for rods that have only such elements. */
#define LONG 6.0

/* [rad] The turn stored for a joint that exceeds its limit, and the threshold that distinguishes it. */
#define ANY_TURN 4.0
#define RIGHT_ANGLE 1.57

/* Bounds of cos x from below and from above. */
static double least_cosine(double x) {
  return 1.0 - 0.5 * x * x;
}

static double most_cosine(double x) {
  return 1.0 - x * x * (0.5 - x * x / 24.0);
}

void eli_contact_limit_bends(eli_contact_member *member) {
  const elastica_rod_view *rod = member->rod;
  const int n = rod->element_count;
  member->bends = member->keeps_apart = 0;
  if (rod->rigid || n < 3) return;
  for (int k = 0; k < n; k++) {
    const int next = k + 1 < n ? k + 1 : 0;
    const double first = eli_radius(rod->volume[k], rod->rest_length[k]), second = eli_radius(rod->volume[next], rod->rest_length[next]);
    const double bend = 0.5 * BEND * (rod->rest_length[k] + rod->rest_length[next]) / (first > second ? first : second);
    member->bend[k + 1] = bend < WIDEST ? bend : WIDEST;
    member->bends |= rod->rest_length[k] < LONG * first;
  }
}

/* ---- Joints within the limit of their bend ---- */

/* An element and the rate at which it turns. */
typedef struct turning_edge {
  double along[3], square, spin[3];
} turning_edge;

static void find_edge(const elastica_rod_view *rod, int j, turning_edge *out) {
  const int next = rod->closed && j + 1 == rod->element_count ? 0 : j + 1;
  double moved[3];
  for (int a = 0; a < 3; a++) {
    out->along[a] = rod->position[a][next] - rod->position[a][j];
    moved[a] = rod->velocity[a][next] - rod->velocity[a][j];
  }
  out->square = eli_dot(out->along, out->along);
  eli_cross(out->along, moved, out->spin);
  for (int a = 0; a < 3; a++) out->spin[a] /= out->square;
}

/* Returns 1 if the joint between both is bent by at most this share of its limit, and stays below the limit until the horizon [s] at its
 * present rate. */
static int is_gentle(const turning_edge *one, const turning_edge *other, double limit, double share, double horizon) {
  double square = 0.0, most = share * limit;
  for (int a = 0; a < 3; a++) square += (other->spin[a] - one->spin[a]) * (other->spin[a] - one->spin[a]);
  const double left = horizon > 0.0 ? limit - horizon * sqrt(square) : limit;
  if (!(left > 0.0)) return 0;
  if (left < most) most = left;
  const double both = one->square * other->square;
  return both > 0.0 && eli_dot(one->along, other->along) >= most_cosine(most) * sqrt(both);
}

static void note_rod(eli_contact_member *member, double share, double horizon) {
  const int n = member->rod->element_count, last = member->rod->closed ? n : n - 1;
  turning_edge edges[2];
  find_edge(member->rod, 0, &edges[0]);
  member->turn[0] = member->way[0] = 0.0;
  for (int k = 1; k <= n; k++) {
    const turning_edge *before = &edges[(k + 1) % 2];
    turning_edge *own = &edges[k % 2];
    member->way[k] = member->way[k - 1] + sqrt(before->square);
    member->turn[k] = member->turn[k - 1] + ANY_TURN;
    if (k > last) continue;
    find_edge(member->rod, k < n ? k : 0, own);
    if (is_gentle(before, own, member->bend[k], share, horizon)) member->turn[k] = member->turn[k - 1] + member->bend[k];
  }
}

static int has_bends(const eli_contact *contact, const eli_contact_member *member) {
  return member->rod != NULL && member->bends && contact->law.self;
}

void eli_contact_note_bends(const eli_contact *contact, double share, double horizon) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (has_bends(contact, member)) note_rod(member, share, horizon);
  }
}

static int is_counted(const eli_contact_member *member, int k) {
  return member->turn[k] - member->turn[k - 1] < RIGHT_ANGLE;
}

/* Returns 1 if all joints on which the list relies were noted last as within their limit. */
static int bends_hold(const eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL || member->reference.least_cosine == NULL) continue;
    for (int k = 1; k <= member->rod->element_count; k++)
      if (member->least_cosine[k - 1] > 0.0 && !is_counted(member, k)) return 0;
  }
  return 1;
}

/* Stores the bends noted last in the references of the rods for which the list relies on them. */
static void keep_bends(const eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    member->reference.least_cosine = member->keeps_apart ? member->least_cosine : NULL;
    for (int k = 1; k <= member->rod->element_count && member->keeps_apart; k++) {
      const double cosine = most_cosine(member->bend[k]);
      member->least_cosine[k - 1] = is_counted(member, k) ? cosine * cosine : -2.0;
    }
    member->keeps_apart = 0;
  }
}

/* ---- Elements that bends keep apart ---- */

/* Returns 1 if a chain of elements with this length [m] and this turn [rad] in all keeps the two elements at its ends apart by reach [m];
 * first and last are the turns between the chain and these two. */
static int chain_parts(double length, double turn, double first, double last, double reach) {
  const double half = 0.5 * turn;
  return half + (first > last ? first : last) < RIGHT_ANGLE && least_cosine(half) * length >= reach;
}

int eli_contact_bends_part(const eli_contact_member *member, int i, int j, double share, double reach) {
  const double *turn = member->turn, *way = member->way;
  const int n = member->rod->element_count, a = i < j ? i : j, b = i < j ? j : i;
  if (!member->bends) return 0;
  if (b > a + 1 &&
      chain_parts(share * (way[b] - way[a + 1]), turn[b - 1] - turn[a + 1], turn[a + 1] - turn[a], turn[b] - turn[b - 1], reach))
    return 1;
  if (!member->rod->closed) return 0;
  const double first = turn[b + 1] - turn[b], last = a > 0 ? turn[a] - turn[a - 1] : turn[n] - turn[n - 1];
  const double all = turn[n] - (turn[b] - turn[a]), length = way[n] - (way[b + 1] - way[a]);
  return chain_parts(share * length, all - first - last, first, last, reach);
}

int eli_contact_is_parted(const eli_contact *contact, const eli_contact_pair *pair) {
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[0]);
  if (pair->rod[0] != pair->rod[1] || !has_bends(contact, member)) return 0;
  const double thick = contact->outline[pair->number[0]].thickness + contact->outline[pair->number[1]].thickness;
  return eli_contact_bends_part(member, pair->element[0], pair->element[1], 1.0,
                                pair->reduction * (thick + ELI_CONTACT_MARGIN * member->size));
}

/* The largest shrinkage of an element until the list is built again, as a share of its length, and its gain of thickness then. */
#define SHRINKAGE 0.95
#define THICKER 1.0259783520851542

/* The default skin, in the size of a member. */
#define SKIN 0.25

/* The share of their limit that bends may have when the list is built; and the factor of the distance that they must keep then. */
#define GENTLE 0.75
#define MORE 1.25

/* The margin of close pairs, in the size of a member: a wider one lasts longer and has more pairs. It is halved after a search that served
 * LONG_SERVICE steps, down to the least, and doubled after one that motion ended before SHORT_SERVICE steps. */
#define CLOSE_MARGIN 0.05
#define LEAST_MARGIN 0.00625
enum { LONG_SERVICE = 32, SHORT_SERVICE = 8 };

/* The largest number of elements between two elements of a rod in close pairs that are placed with them. */
enum { WIDEST_GAP = 4 };

/* Return the largest shrinkage of an element until the next search for close pairs, as a share of its length, and its gain of thickness
 * then, for a margin of at most CLOSE_MARGIN: 0.98 and 1.0102 for that. */
static double closer_shrinkage(double margin) {
  return 1.0 - 0.4 * margin;
}

static double closer_thickness(double margin) {
  return 1.0 + 0.204 * margin;
}

/* Turns are counted from 1 after each new list; a new list is built before the counter overflows. */
enum { FIRST_TURN = 1 };
static const unsigned LAST_TURN = UINT_MAX - 1;

/* ---- The list ---- */

/* Returns the largest length by which gaps may shrink until the close pairs are found again. */
static eli_contact_gap slack(void) {
  return (eli_contact_gap){CLOSE_MARGIN, 0.0, 0.0, closer_thickness(CLOSE_MARGIN) - 1.0};
}

/* Returns the reach [m] of the list for the elements of two members. */
static double mean_reach(const eli_contact_member *one, const eli_contact_member *other) {
  return 0.5 * (one->reach + other->reach);
}

/* Computes bounds [m] of the gap of two elements from the distance of their centres. */
static void bound_gap(const eli_contact *contact, int i, int j, double reach, double *least, double *most) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double apart = contact->centre[a][i] - contact->centre[a][j];
    square += apart * apart;
  }
  const double distance = sqrt(square), thick = contact->thickness[i] + contact->thickness[j];
  *most = distance - thick;
  *least = distance + reach - (contact->sphere[i] + contact->sphere[j]);
}

/* Returns 1 if bends keep two elements of a rod apart by more than reach [m]. */
static int bends_part(const eli_contact *contact, const int rod[2], const int element[2], double reach) {
  return rod[0] == rod[1] && eli_contact_bends_part(eli_contact_member_of(contact, rod[0]), element[0], element[1], SHRINKAGE, reach);
}

/* Notes that the list leaves out a pair because of the bends of this rod. */
static void count_on_bends(eli_contact *contact, const int rod[2], const int element[2], double thick) {
  eli_contact_member *member = eli_contact_member_of(contact, rod[0]);
  member->keeps_apart = 1;
  const eli_contact_gap least = slack();
  if (contact->parts < 2) contact->parts = bends_part(contact, rod, element, thick + eli_contact_gap_of(&least, member)) ? 1 : 2;
}

/* Returns 1 for a near pair, and keeps the narrowest gap of all examined pairs. For elements much shorter than their radius the bounds
 * decide, except for a few pairs that need the closest points. */
static int is_near(void *self, int i, int j) {
  eli_contact *contact = self;
  const int rod[2] = {contact->owner[i], contact->owner[j]};
  const eli_contact_member *first = eli_contact_member_of(contact, rod[0]), *second = eli_contact_member_of(contact, rod[1]);
  const int element[2] = {i - first->first, j - second->first};
  const double reduction = eli_contact_reduction(contact, rod, element), reach = mean_reach(first, second);
  double least, most;
  if (!(reduction > 0.0)) return 0;
  const double thick = reduction * (contact->thickness[i] + contact->thickness[j]);
  const double spacing = reduction * ELI_CONTACT_MARGIN * first->size + first->spacing;
  const int parted = bends_part(contact, rod, element, thick + spacing);
  bound_gap(contact, i, j, reach, &least, &most);
  if (!parted && reduction == 1.0 && least >= contact->narrowest * reach && most <= reach) return 1;
  const eli_contact_outline *one = &contact->outline[i], *other = &contact->outline[j];
  if (eli_segments_are_apart(one->edge, other->edge, thick + reach)) return 0;
  const double gap = eli_contact_distance(one->edge, other->edge) - thick;
  if (parted && gap <= reach) count_on_bends(contact, rod, element, thick);
  if (parted) return 0;
  if (gap < contact->narrowest * reach) contact->narrowest = gap / reach;
  return gap <= reach;
}

/* The nodes of a rod, or the ends of a body. */
typedef struct nodes {
  double end[3][2];
  const double *position[3];
} nodes;

static void find_nodes(const eli_contact *contact, int r, nodes *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, r);
  for (int a = 0; a < 3; a++) out->position[a] = member->rod->rigid ? out->end[a] : member->rod->position[a];
  if (!member->rod->rigid) return;
  eli_capsule at;
  eli_contact_place(contact, r, 0, &at);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) out->end[a][k] = at.end[k][a];
}

/* Computes bounding spheres of all elements from their outlines, and stores their positions as the reference for later motion. */
static void survey(eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    nodes now;
    find_nodes(contact, r, &now);
    eli_reference_set(&member->reference, now.position, SHRINKAGE);
    member->thickest = 0.0;
    for (int j = 0; j < member->rod->element_count; j++) {
      const int k = member->first + j;
      const eli_contact_outline *at = &contact->outline[k];
      const eli_edge *ends = &at->edge;
      const double edge[3] = {ends->x1 - ends->x0, ends->y1 - ends->y0, ends->z1 - ends->z0}, square = eli_dot(edge, edge);
      contact->centre[0][k] = ends->x0 + 0.5 * edge[0];
      contact->centre[1][k] = ends->y0 + 0.5 * edge[1];
      contact->centre[2][k] = ends->z0 + 0.5 * edge[2];
      contact->thickness[k] = (member->rod->rigid ? 1.0 : THICKER) * at->thickness;
      if (!member->rod->rigid && contact->thickness[k] > member->thickest) member->thickest = contact->thickness[k];
      contact->sphere[k] = 0.5 * (sqrt(square) + member->reach) + contact->thickness[k];
    }
  }
}

static int comes_before(const eli_contact_pair *one, const eli_contact_pair *other) {
  const int a[4] = {one->rod[0], one->element[0], one->rod[1], one->element[1]};
  const int b[4] = {other->rod[0], other->element[0], other->rod[1], other->element[1]};
  for (int k = 0; k < 4; k++)
    if (a[k] != b[k]) return a[k] < b[k];
  return 0;
}

static void complete_pair(const eli_contact *contact, eli_contact_pair *pair) {
  for (int side = 0; side < 2; side++) pair->number[side] = eli_contact_member_of(contact, pair->rod[side])->first + pair->element[side];
  pair->reduction = eli_contact_reduction(contact, pair->rod, pair->element);
}

/* Returns 1 if a pair of the previous list has a history and may still touch. */
static int stays(const eli_contact *contact, size_t old) {
  const eli_contact_pair *pair = &contact->list[old];
  if (!(eli_contact_history(contact, old).stiffness > 0.0)) return 0;
  for (int side = 0; side < 2; side++) {
    if (pair->rod[side] < contact->first_rod || pair->rod[side] >= contact->end_rod) return 0;
    const elastica_rod_view *rod = eli_contact_member_of(contact, pair->rod[side])->rod;
    if (rod == NULL || pair->element[side] >= rod->element_count) return 0;
  }
  return eli_contact_reduction(contact, pair->rod, pair->element) > 0.0;
}

/* Makes room for this number of pairs and keeps the present ones. Returns 0 without memory. */
static int reserve_pairs(eli_contact *contact, size_t count) {
  if (count <= contact->capacity) return 1;
  const size_t capacity = count + count / 2 + 64;
  const eli_allocator *allocator = &contact->allocator;
  eli_contact_pair *list = eli_allocate(allocator, capacity, sizeof *list), *spare = eli_allocate(allocator, capacity, sizeof *spare);
  eli_stick_slip *history = eli_allocate_lines(allocator, capacity, sizeof *history),
                 *next_history = eli_allocate_lines(allocator, capacity, sizeof *next_history);
  eli_contact_close *close = eli_allocate(allocator, capacity, sizeof *close);
  eli_contact_result *results = eli_allocate_lines(allocator, capacity < ELI_CONTACT_BLOCK ? capacity : ELI_CONTACT_BLOCK, sizeof *results);
  const int found = list != NULL && spare != NULL && history != NULL && next_history != NULL && close != NULL && results != NULL;
  if (found && contact->count > 0) {
    memcpy(list, contact->list, contact->count * sizeof *list);
    memcpy(history, contact->history, contact->count * sizeof *history);
  }
  eli_release(allocator, found ? contact->list : list);
  eli_release(allocator, found ? contact->spare : spare);
  eli_release_lines(allocator, found ? contact->history : history);
  eli_release_lines(allocator, found ? contact->next_history : next_history);
  eli_release(allocator, found ? contact->close : close);
  eli_release_lines(allocator, found ? contact->results : results);
  if (!found) return 0;
  contact->list = list;
  contact->spare = spare;
  contact->history = history;
  contact->next_history = next_history;
  contact->close = close;
  contact->margin = 0.0;
  contact->results = results;
  contact->capacity = capacity;
  return 1;
}

/* Makes room for this number of elements in close pairs. Returns 0 without memory. */
static int reserve_placed(eli_contact *contact, size_t count) {
  if (count <= contact->placed_capacity) return 1;
  const size_t capacity = count + count / 2 + 64;
  eli_moving_capsule *placed = eli_allocate_lines(&contact->allocator, capacity, sizeof *placed);
  eli_contact_run *runs = eli_allocate(&contact->allocator, 2 * capacity, sizeof *runs);
  const int found = placed != NULL && runs != NULL;
  eli_release_lines(&contact->allocator, found ? contact->placed : placed);
  eli_release(&contact->allocator, found ? contact->runs : runs);
  if (!found) return 0;
  contact->placed = placed;
  contact->runs = runs;
  contact->placed_capacity = capacity;
  contact->margin = 0.0;
  return 1;
}

/* Finds for each member the largest size among itself and the rods and round bodies in pairs of the list with it. */
static void find_partners(const eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) eli_contact_member_of(contact, r)->partner = 0.0;
  for (size_t k = 0; k < contact->count; k++)
    for (int side = 0; side < 2; side++) {
      eli_contact_member *own = eli_contact_member_of(contact, contact->list[k].rod[side]);
      const eli_contact_member *other = eli_contact_member_of(contact, contact->list[k].rod[1 - side]);
      const double larger = !other->solid && other->size > own->size ? other->size : own->size;
      if (larger > own->partner) own->partner = larger;
    }
}

/* Makes the list from the pairs found, with the histories of the previous list. Other pairs with a history also stay until a step ends it:
 * trial states of relaxation may separate pairs that touch. */
static int renew(eli_contact *contact) {
  const size_t most = contact->pairs.count + contact->count, all = (size_t)contact->element_count, placed = 2 * (WIDEST_GAP + 1) * most;
  if (!reserve_pairs(contact, most) || !reserve_placed(contact, placed < all ? placed : all)) return 0;
  size_t old = 0, count = 0;
  for (size_t k = 0; k <= contact->pairs.count; k++) {
    eli_contact_pair pair;
    memset(&pair, 0, sizeof pair);
    for (int side = 0; side < 2 && k < contact->pairs.count; side++) {
      const int number = side ? eli_pair_second(contact->pairs.keys[k]) : eli_pair_first(contact->pairs.keys[k]);
      pair.rod[side] = contact->owner[number];
      pair.element[side] = number - eli_contact_member_of(contact, pair.rod[side])->first;
    }
    for (; old < contact->count && (k == contact->pairs.count || comes_before(&contact->list[old], &pair)); old++)
      if (stays(contact, old)) {
        contact->next_history[count] = contact->history[old];
        contact->next_history[count].turn = FIRST_TURN;
        contact->spare[count] = (eli_contact_pair){.rod = {contact->list[old].rod[0], contact->list[old].rod[1]},
                                                   .element = {contact->list[old].element[0], contact->list[old].element[1]}};
        complete_pair(contact, &contact->spare[count++]);
      }
    if (k == contact->pairs.count) break;
    const int known = old < contact->count && !comes_before(&pair, &contact->list[old]);
    contact->next_history[count] = known ? eli_contact_history(contact, old++) : (eli_stick_slip){.sticks = 0};
    contact->next_history[count].turn = FIRST_TURN;
    contact->spare[count] = pair;
    complete_pair(contact, &contact->spare[count++]);
    assert(count < 2 || comes_before(&contact->spare[count - 2], &contact->spare[count - 1])); /* eli_contact_search needs the order */
  }
  eli_contact_pair *list = contact->list;
  contact->list = contact->spare;
  contact->spare = list;
  contact->count = count;
  contact->margin = 0.0;
  find_partners(contact);
  if (contact->capacity > 0) memset(contact->history, 0, contact->capacity * sizeof *contact->history);
  contact->next_turn = FIRST_TURN;
  eli_contact_move_on(contact);
  return 1;
}

void eli_contact_move_on(eli_contact *contact) {
  eli_stick_slip *history = contact->history;
  contact->history = contact->next_history;
  contact->next_history = history;
  contact->turn = contact->next_turn;
}

eli_stick_slip eli_contact_history(const eli_contact *contact, size_t k) {
  return contact->history[k].turn == contact->turn ? contact->history[k] : (eli_stick_slip){.sticks = 0};
}

size_t eli_contact_search(const eli_contact *contact, const eli_contact_pair *pair) {
  size_t low = 0, high = contact->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (comes_before(&contact->list[middle], pair))
      low = middle + 1;
    else
      high = middle;
  }
  return low < contact->count && !comes_before(pair, &contact->list[low]) ? low : contact->count;
}

/* Finds the pairs with this rod as their first: from *first to before *end. */
static void pairs_of(const eli_contact *contact, int rod_index, size_t *first, size_t *end) {
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

/* Finds all pairs with a gap smaller than the reach. Returns 0 without memory. */
static int find_pairs(eli_contact *contact) {
  contact->narrowest = INFINITY;
  eli_contact_draw_outlines(contact);
  survey(contact);
  const eli_spheres spheres = {contact->element_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  return eli_near_pairs_find(&contact->pairs, &spheres, is_near, contact);
}

/* Keeps those of the pairs that are within the reach, after it was shortened. */
static void keep_near(eli_contact *contact) {
  size_t count = 0;
  for (size_t k = 0; k < contact->pairs.count; k++) {
    const uint64_t key = contact->pairs.keys[k];
    if (is_near(contact, eli_pair_first(key), eli_pair_second(key))) contact->pairs.keys[count++] = key;
  }
  contact->pairs.count = count;
}

static double need_of(const eli_contact_gap *need, const eli_contact_member *member) {
  return need != NULL ? eli_contact_gap_of(need, member) : 0.0;
}

/* Returns the usual reach [m] of the list for a member, or a longer one. */
static double reach_of(const eli_contact *contact, const eli_contact_gap *need, const eli_contact_member *member, int longer) {
  const double skin = eli_is_nan(contact->law.skin) ? SKIN * member->size : contact->law.skin, usual = need_of(need, member) + skin;
  return longer ? 2.0 * (usual + skin) : usual;
}

static void set_reach(const eli_contact *contact, const eli_contact_gap *need, int longer) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    member->reach = reach_of(contact, need, member, longer);
  }
}

/* Sets the distances that bends must keep for the pairs that the list leaves out: for need at the speed of the fastest member, because the
 * speeds of others may change more from step to step. */
static void set_spacing(const eli_contact *contact, const eli_contact_gap *need) {
  const eli_contact_gap none = {0.0, 0.0, 0.0, 0.0}, *of = need != NULL ? need : &none;
  double fastest = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++)
    if (eli_contact_member_of(contact, r)->speed > fastest) fastest = eli_contact_member_of(contact, r)->speed;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    member->spacing = MORE * (of->margin * member->size + 2.0 * of->time * fastest + of->way);
  }
}

/* Shortens a longer reach so that it ends before the narrowest pair. Returns 0, without a change, if it would be less than the usual
 * one. */
static int keep_none(eli_contact *contact, const eli_contact_gap *need) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod != NULL && contact->narrowest * member->reach < reach_of(contact, need, member, 0)) return 0;
  }
  for (int r = contact->first_rod; r < contact->end_rod; r++) eli_contact_member_of(contact, r)->reach *= contact->narrowest;
  contact->pairs.count = 0;
  return 1;
}

/* Builds the list. An empty list has no cost at any reach: after an empty list a longer reach is tried, which lasts longer. If this search
 * finds pairs, the list stays empty with a reach that ends before the narrowest of them, unless this is less than the usual reach. */
static int build(eli_contact *contact, const eli_contact_gap *need, double horizon) {
  const int empty = contact->pairs.count == 0;
  contact->joins = eli_world_joins(contact->world);
  contact->listed = 0;
  contact->parts = 0;
  eli_contact_note_bends(contact, GENTLE, horizon);
  set_reach(contact, need, empty);
  if (!eli_contact_find_joints(contact) || !find_pairs(contact)) return 0;
  if (empty && contact->pairs.count > 0 && !keep_none(contact, need)) {
    set_reach(contact, need, 0);
    keep_near(contact);
  }
  keep_bends(contact);
  contact->listed = renew(contact);
  return contact->listed;
}

/* Computes the displacement of the first node of a member. */
static void find_drift(const eli_contact *contact, const eli_contact_member *member, int closer, double drift[3]) {
  const eli_reference *reference = closer ? &member->closer : &member->reference;
  nodes now;
  find_nodes(contact, member->rod->rod_index, &now);
  for (int a = 0; a < 3; a++) drift[a] = now.position[a][0] - reference->position[a][0];
}

/* Returns the displacement [m] since the list was built up to which it has all gaps of need. */
static double way_to(const eli_contact_gap *need, const eli_contact_member *member) {
  return 0.5 * (member->reach - need_of(need, member));
}

/* Returns 1 if some element is so far from its position when the list was built that the list may miss a gap of need; closer 1: from its
 * position when the close pairs were found, beyond their margin. All rods may move together: displacements are relative to that of the
 * first node of one member. */
static int has_moved(const eli_contact *contact, int closer, const eli_contact_gap *need) {
  double drift[3] = {0.0, 0.0, 0.0};
  if (contact->leader >= 0) find_drift(contact, eli_contact_member_of(contact, contact->leader), closer, drift);
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    const eli_contact_member *member = eli_contact_member_of(contact, k);
    if (member->rod == NULL) continue;
    const double limit = closer ? 0.5 * (contact->margin * member->size) : way_to(need, member);
    nodes now;
    find_nodes(contact, k, &now);
    if (eli_reference_is_left_by(closer ? &member->closer : &member->reference, now.position, drift, limit, contact->check_reference))
      return 1;
  }
  return 0;
}

/* Stores the present positions for has_moved with closer 1. */
static void note_closer(eli_contact *contact, double shrinkage) {
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    eli_contact_member *member = eli_contact_member_of(contact, k);
    nodes now;
    if (member->rod == NULL) continue;
    find_nodes(contact, k, &now);
    eli_reference_set(&member->closer, now.position, shrinkage);
  }
}

/* Returns 1 if there is no pair, and there can be none until a rod has left its box. */
static int may_sleep(void *self, const elastica_instant *now) {
  eli_contact *contact = self;
  contact->now = *now;
  if (!contact->listed || contact->count > 0 || contact->rod_count != elastica_world_get(contact->world).rod_count) return 0;
  contact->awaited = (eli_contact_gap){0.0, 0.0, 0.0, 0.0};
  if (eli_contact_is_long(contact, now->dt, &contact->fastest, contact->middle))
    contact->awaited = (eli_contact_gap){ELI_CONTACT_MARGIN, 0.0, 2.0 * ELI_STEPS_AWAITED * contact->fastest * now->dt, 0.0};
  if (contact->awaited.margin > 0.0 && eli_contact_cover(contact, &contact->awaited) < 0) return 0;
  if (!contact->listed || contact->count > 0 || contact->joins != eli_world_joins(contact->world) ||
      contact->rod_count != elastica_world_get(contact->world).rod_count)
    return 0;
  if (contact->leader >= 0) find_drift(contact, eli_contact_member_of(contact, contact->leader), 0, contact->drift);
  return 1;
}

/* Returns 1 if some node is more than 1.5 times as fast as the fastest node was when the pairs fell asleep. */
static int is_faster(const eli_contact *contact, const elastica_rod_view *rod) {
  const double most = 2.25 * contact->fastest * contact->fastest;
  for (int i = 0; i < rod->node_count; i++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) square += (rod->velocity[a][i] - contact->middle[a]) * (rod->velocity[a][i] - contact->middle[a]);
    if (!(square <= most)) return 1;
  }
  return 0;
}

/* Returns 1 if this rod has left its box. */
static int must_wake(void *self, const elastica_rod_view *rod) {
  const eli_contact *contact = self;
  if (rod->rod_index < contact->first_rod || rod->rod_index >= contact->end_rod) return 0;
  const eli_contact_member *member = eli_contact_member_of(contact, rod->rod_index);
  nodes now;
  if (member->rod == NULL) return 0;
  find_nodes(contact, rod->rod_index, &now);
  return eli_reference_is_left_by(&member->reference, now.position, contact->drift, way_to(&contact->awaited, member),
                                  contact->check_reference) ||
         (contact->awaited.margin > 0.0 && is_faster(contact, rod));
}

/* Returns 1 if there is a list; it may be outdated by motion. */
static int is_listed(eli_contact *contact) {
  if (contact->joins != eli_world_joins(contact->world) || contact->next_turn >= LAST_TURN) contact->listed = 0;
  return contact->listed;
}

/* Returns 1 if the list has each pair with a gap smaller than need. */
static int is_covered(eli_contact *contact, const eli_contact_gap *need) {
  return is_listed(contact) && !has_moved(contact, 0, need);
}

/* Returns 1 if the bends on which the list relies keep elements apart by need. */
static int is_spaced(const eli_contact *contact, const eli_contact_gap *need) {
  for (int r = contact->first_rod; r < contact->end_rod && contact->parts > 0; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod != NULL && !(member->spacing >= need_of(need, member))) return 0;
  }
  return 1;
}

int eli_contact_cover(eli_contact *contact, const eli_contact_gap *need) {
  if (!eli_contact_find_members(contact)) return -1;
  if (is_spaced(contact, need) && is_covered(contact, need)) return 0;
  set_spacing(contact, need);
  return build(contact, need, 0.0) ? 1 : -1;
}

int eli_contact_cover_soon(eli_contact *contact, const eli_contact_gap *need, double horizon) {
  eli_contact_note_bends(contact, 1.0, horizon);
  if (bends_hold(contact) && is_covered(contact, need)) return 0;
  if (!build(contact, need, horizon)) return -1;
  eli_contact_note_bends(contact, 1.0, horizon);
  return 1;
}

/* ---- Creation and removal ---- */

/* Creates the contact of all rods, or the self-contact of one rod. */
static void *create(const eli_request *request, const void *self) {
  elastica_world *const world = request->world;
  (void)self;
  const eli_allocator *allocator = eli_world_allocator(world);
  eli_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  if (contact == NULL) return NULL;
  memset(contact, 0, sizeof *contact);
  contact->world = world;
  contact->work = eli_world_kernels(world)->lines;
  contact->check_reference = eli_world_kernels(world)->check_reference;
  contact->pace = eli_world_kernels(world)->check_pace;
  contact->allocator = *allocator;
  contact->only = request->rod != NULL ? elastica_rod_get_view(request->rod)->rod_index : -1;
  contact->close_margin = CLOSE_MARGIN;
  contact->rod_count = -1;
  eli_near_pairs_init(&contact->pairs, allocator);
  eli_near_pairs_init(&contact->span_pairs, allocator);
  return contact;
}

static void destroy(void *self) {
  eli_contact *contact = self;
  const eli_allocator allocator = contact->allocator;
  release_members(contact);
  eli_near_pairs_destroy(&contact->pairs);
  eli_near_pairs_destroy(&contact->span_pairs);
  eli_release(&allocator, contact->slipping);
  eli_release(&allocator, contact->joints);
  eli_release_lines(&allocator, contact->results);
  eli_release(&allocator, contact->list);
  eli_release(&allocator, contact->spare);
  eli_release_lines(&allocator, contact->history);
  eli_release_lines(&allocator, contact->next_history);
  eli_release(&allocator, contact->kept_list);
  eli_release_lines(&allocator, contact->kept_history);
  eli_release(&allocator, contact->close);
  eli_release_lines(&allocator, contact->placed);
  eli_release(&allocator, contact->runs);
  eli_release(&allocator, contact);
}

/* Outdates the lists after positions or pairs have changed other than by steps. */
static void outdate_lists(eli_contact *contact) {
  contact->listed = 0;
  contact->margin = 0.0;
}

/* Outdates everything after members have changed, too. */
static void outdate(eli_contact *contact) {
  contact->rod_count = -1;
  outdate_lists(contact);
}

/* ---- Close pairs ---- */

/* Returns 1 if the elements of a pair are further apart than margin [m], also with both radii multiplied by thicker. Projections exclude
 * most pairs; closest points decide on the rest, mainly elements that cross each other's lines beyond their ends. */
static int is_not_close(const eli_contact *contact, const eli_contact_pair *pair, double thicker, double margin) {
  if (eli_contact_is_far(contact, pair, thicker, margin)) return 1;
  const eli_contact_outline *one = &contact->outline[pair->number[0]], *other = &contact->outline[pair->number[1]];
  return eli_contact_distance(one->edge, other->edge) >
         (margin + pair->reduction * thicker * (one->thickness + other->thickness)) * (1.0 + 1e-12);
}

/* Chooses the pairs of the list that are not far apart, and marks their elements. */
static void choose_close(eli_contact *contact) {
  const double thicker = closer_thickness(contact->close_margin);
  contact->close_count = 0;
  for (int e = 0; e < contact->element_count; e++) contact->number[e] = -1;
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (k + ELI_AHEAD < contact->count) __builtin_prefetch(&contact->outline[contact->list[k + ELI_AHEAD].number[1]]);
    const double sizes = contact->outline[pair->number[0]].size + contact->outline[pair->number[1]].size;
    if (is_not_close(contact, pair, thicker, 0.5 * contact->margin * sizes)) continue;
    contact->close[contact->close_count++] = (eli_contact_close){.pair = k,
                                                                 .placed = {pair->number[0], pair->number[1]},
                                                                 .solid = (unsigned char)eli_contact_solid_of(contact, pair),
                                                                 .reduced = pair->reduction != 1.0};
    for (int side = 0; side < 2; side++) contact->number[pair->number[side]] = 0;
  }
}

/* Marks the elements of narrow gaps between elements in close pairs as well: one long run takes less time than two short ones. */
static void bridge_gaps(int *number, int n) {
  for (int j = 0, last = n; j < n; j++) {
    if (number[j] < 0) continue;
    for (int k = last + 1; k < j && j - last <= WIDEST_GAP + 1; k++) number[k] = 0;
    last = j;
  }
}

/* Numbers the elements of a rod in close pairs, in order, and finds their runs. */
static void number_rod(eli_contact *contact, int r) {
  eli_contact_member *member = eli_contact_member_of(contact, r);
  const elastica_rod_view *rod = member->rod;
  int *number = &contact->number[member->first];
  const int n = rod->element_count, begins = number[0] >= 0;
  bridge_gaps(number, n);
  for (int j = 0; j < n; j++) {
    if (number[j] < 0) continue;
    if (j == 0 || number[j - 1] < 0) contact->runs[contact->run_count++] = (eli_contact_run){r, j, 0, 0, contact->placed_count};
    eli_contact_run *run = &contact->runs[contact->run_count - 1];
    number[j] = contact->placed_count++;
    run->count++;
    run->nodes++;
    if (j + 1 == n ? !rod->closed && !rod->rigid : number[j + 1] < 0) run->nodes++;
  }
  if (rod->closed && number[n - 1] >= 0 && !begins)
    contact->runs[contact->run_count++] = (eli_contact_run){r, 0, 0, 1, contact->placed_count};
}

static void number_placed(eli_contact *contact) {
  contact->placed_count = contact->run_count = 0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    member->first_run = contact->run_count;
    if (member->rod != NULL) number_rod(contact, r);
    member->end_run = contact->run_count;
  }
  for (size_t k = 0; k < contact->close_count; k++)
    for (int side = 0; side < 2; side++) contact->close[k].placed[side] = contact->number[contact->close[k].placed[side]];
}

/* Returns 1 if the close pairs are still valid: elements are near the positions at which the close pairs were found. */
static int are_valid(eli_contact *contact) {
  return contact->margin > 0.0 && is_listed(contact) && !has_moved(contact, 1, NULL);
}

/* Chooses the margin of the next search by the number of steps that the last one served. */
static void choose_margin(eli_contact *contact) {
  double *margin = &contact->close_margin;
  if (contact->served >= LONG_SERVICE) *margin *= 0.5;
  if (contact->served < SHORT_SERVICE && contact->margin > 0.0) *margin *= 2.0;
  if (*margin < LEAST_MARGIN) *margin = LEAST_MARGIN;
  if (*margin > CLOSE_MARGIN) *margin = CLOSE_MARGIN;
  contact->margin = *margin;
  contact->served = 0;
}

int eli_contact_find_close(eli_contact *contact) {
  if (!eli_contact_find_members(contact)) return 0;
  const int valid = are_valid(contact);
  contact->served += contact->served < LONG_SERVICE;
  if (valid && contact->is_enough) return 1;
  if (eli_contact_cover(contact, NULL) < 0) return 0;
  if (valid && contact->margin > 0.0) return 1;
  choose_margin(contact);
  eli_contact_draw_outlines(contact);
  choose_close(contact);
  number_placed(contact);
  note_closer(contact, closer_shrinkage(contact->close_margin));
  const eli_contact_gap least = slack();
  contact->is_enough = contact->parts < 2 && !has_moved(contact, 0, &least);
  return 1;
}

/* ---- History: checkpoints, removal of a rod, snapshots ---- */

static int has_history(const eli_contact *contact, size_t k) {
  return eli_contact_history(contact, k).stiffness > 0.0;
}

static int keep_history(void *own) {
  eli_contact *contact = own;
  contact->kept_count = 0;
  if (!(contact->law.friction > 0.0)) return 1;
  if (contact->count > contact->kept_capacity) {
    eli_contact_pair *list = eli_allocate(&contact->allocator, contact->capacity, sizeof *list);
    eli_stick_slip *history = eli_allocate_lines(&contact->allocator, contact->capacity, sizeof *history);
    const int found = list != NULL && history != NULL;
    eli_release(&contact->allocator, found ? contact->kept_list : list);
    eli_release_lines(&contact->allocator, found ? contact->kept_history : history);
    if (!found) return 0;
    contact->kept_list = list;
    contact->kept_history = history;
    contact->kept_capacity = contact->capacity;
  }
  for (size_t k = 0; k < contact->count; k++) {
    if (!has_history(contact, k)) continue;
    contact->kept_list[contact->kept_count] = contact->list[k];
    contact->kept_history[contact->kept_count++] = contact->history[k];
  }
  return 1;
}

/* Fills the list with the pairs that carry history; the next search builds it again. The members stay, so that no memory is needed for them
 * in a repeated step. */
static void put_back_history(void *own) {
  eli_contact *contact = own;
  if (!(contact->law.friction > 0.0)) return;
  for (size_t k = 0; k < contact->kept_count; k++) {
    contact->list[k] = contact->kept_list[k];
    contact->history[k] = contact->kept_history[k];
    contact->history[k].turn = contact->turn;
  }
  contact->count = contact->kept_count;
  outdate_lists(contact);
}

/* Removes the pairs of a rod that is about to be removed. */
static void forget_rod(void *self, const elastica_rod_view *rod) {
  eli_contact *contact = self;
  size_t left = 0;
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (pair->rod[0] == rod->rod_index || pair->rod[1] == rod->rod_index) continue;
    contact->history[left] = contact->history[k];
    contact->list[left++] = *pair;
  }
  contact->count = left;
  outdate(contact);
}

static void record_law(eli_contact_law *law, eli_record *record) {
  eli_record_finite(record, "modulus", &law->line.modulus, 1);
  eli_record_finite(record, "damping", &law->line.damping, 1);
  eli_record_finite(record, "friction", &law->friction, 1);
  eli_record_finite(record, "tangential_ratio", &law->tangential_ratio, 1);
  eli_record_finite(record, "tangential_damping", &law->tangential_damping, 1);
  eli_record_int(record, "first_group", &law->first_group, -1, INT_MAX);
  eli_record_int(record, "second_group", &law->second_group, -1, INT_MAX);
  eli_record_int(record, "self", &law->self, 0, 1);
  eli_record_doubles(record, &law->skip_length, 1);
  eli_record_doubles(record, &law->skin, 1);
}

static void record_pair(eli_contact_pair *pair, eli_stick_slip *history, int rod_count, eli_record *record) {
  for (int side = 0; side < 2; side++) {
    eli_record_int(record, "rod of a contact", &pair->rod[side], 0, rod_count - 1);
    eli_record_int(record, "element of a contact", &pair->element[side], 0, INT_MAX);
  }
  eli_record_finite(record, "friction of a contact", history->force, 3);
  eli_record_finite(record, "normal of a contact", history->normal, 3);
  eli_record_finite(record, "stiffness of a contact", &history->stiffness, 1);
  eli_record_int(record, "sticks", &history->sticks, 0, 1);
}

/* Records only pairs with a history: the search finds the others again. Memory is reserved while the record is checked. */
static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  eli_contact *contact = own;
  const int rods = elastica_world_get(contact->world).rod_count;
  uint64_t count = 0;
  (void)rod, (void)module;
  for (size_t k = 0; k < contact->count; k++) count += (uint64_t)has_history(contact, k);
  record_law(&contact->law, record);
  count = eli_record_word(record, count);
  if (record->use == ELI_RECORD_WRITE) {
    for (size_t k = 0; k < contact->count; k++)
      if (has_history(contact, k)) record_pair(&contact->list[k], &contact->history[k], rods, record);
    return;
  }
  const size_t room = record->size - record->at;
  if (record->wrong == NULL && (count > room / ELI_WORD || !reserve_pairs(contact, (size_t)count)))
    eli_record_blame(record, "the number of contacts", 0);
  for (size_t k = 0; k < count && record->wrong == NULL; k++) {
    eli_contact_pair pair;
    eli_stick_slip history;
    memset(&pair, 0, sizeof pair);
    memset(&history, 0, sizeof history);
    record_pair(&pair, &history, rods, record);
    if (record->use != ELI_RECORD_READ) continue;
    contact->list[k] = pair;
    contact->history[k] = history;
    contact->history[k].turn = contact->turn;
  }
  if (record->use != ELI_RECORD_READ) return;
  contact->count = (size_t)count;
  outdate(contact);
}

/* ---- Hooks ---- */

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  eli_contact *contact = self;
  contact->status = ELASTICA_OK;
  contact->now = *now;
  const int awaits = eli_contact_awaits(contact, now->dt);
  if (awaits > 0) loads->check_again = 1;
  contact->status = awaits < 0 ? ELASTICA_OUT_OF_MEMORY : eli_contact_act(contact, loads);
  return contact->status;
}

static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  eli_contact *contact = self;
  contact->now = *now;
  return eli_contact_bound(contact, stiffness->stiffness);
}

/* Returns the energy of the pairs with this rod as their first, including their tangential springs. */
static double energy(void *self, double time, const elastica_rod_view *rod) {
  eli_contact *contact = self;
  double sum = 0.0;
  size_t first, end;
  (void)time;
  if (eli_contact_cover(contact, NULL) < 0) {
    elastica_world_refuse(contact->world, ELASTICA_OUT_OF_MEMORY, "no memory for the list of pairs");
    return eli_nan();
  }
  pairs_of(contact, rod->rod_index, &first, &end);
  for (size_t k = first; k < end; k++) {
    eli_touch touch;
    double friction[3];
    if (!eli_contact_find(contact, k, &touch)) continue;
    sum += touch.line.energy;
    if (!(contact->law.friction > 0.0)) continue;
    eli_contact_friction(contact, k, &touch, friction);
    sum += 0.5 * eli_dot(friction, friction) / touch.stiffness;
  }
  return sum;
}

static elastica_status contact_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                         void *context) {
  (void)time;
  return eli_contact_find_stiffness(self, visit, context);
}

static double friction_of(const void *self) {
  return ((const eli_contact *)self)->law.friction;
}

/* Returns 1 for rods that would pass through each other; without memory for all rods, because the members may be missing then. */
static int fails_for(void *self, const elastica_rod_view *rod) {
  const eli_contact *contact = self;
  if (contact->status != ELASTICA_UNSTABLE_STEP) return contact->status != ELASTICA_OK;
  if (rod->rod_index < contact->first_rod || rod->rod_index >= contact->end_rod) return 0;
  return eli_contact_member_of(contact, rod->rod_index)->sunk;
}

/* ---- Definitions and queries ---- */

static elastica_status check_group(const eli_request *request, const char *field, int group) {
  if (group >= 0 || group == ELASTICA_EVERY_GROUP) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: contact_def.%s is %d: neither a group nor EVERY_GROUP",
                               request->function, field, group);
}

/* Refuses the self-contact of one rod that can never find a contact: such an effect is a mistake. */
static elastica_status check_alone(const eli_request *request, const contact_def *def) {
  const int rod = elastica_rod_get_view(request->rod)->rod_index, group = eli_world_contact_group(request->world, rod);
  const int groups[2] = {def->first_group, def->second_group};
  if (elastica_rod_get_view(request->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is a rigid body, which cannot touch itself",
                                 request->function, rod);
  if (!def->self)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: contact_def.self is 0, and one rod alone can only touch itself", request->function);
  for (int k = 0; k < 2; k++)
    if (groups[k] != ELASTICA_EVERY_GROUP && groups[k] != group)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: contact_def.%s is %d, and rod %d, which alone can touch itself, is of group %d", request->function,
                                   k == 0 ? "first_group" : "second_group", groups[k], rod, group);
  return ELASTICA_OK;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const contact_def *def = given;
  elastica_status status = check_group(request, "first_group", def->first_group);
  if (status == ELASTICA_OK) status = check_group(request, "second_group", def->second_group);
  if (status == ELASTICA_OK && request->rod != NULL) status = check_alone(request, def);
  memcpy(self, def, sizeof *def);
  module->add_world_loads = add_world_loads;
  module->add_world_stiffness = add_world_stiffness;
  module->may_sleep = may_sleep;
  module->must_wake = must_wake;
  module->energy = energy;
  module->destroy = destroy;
  module->forget_rod = forget_rod;
  module->fails_for = fails_for;
  module->keep_history = keep_history;
  module->put_back_history = put_back_history;
  return status;
}

static void apply(void *own, const void *self) {
  eli_contact *contact = own;
  const contact_def *def = self;
  contact->law = (eli_contact_law){.line = {def->modulus, def->damping},
                                   .friction = def->friction,
                                   .tangential_ratio = def->tangential_ratio,
                                   .tangential_damping = def->tangential_damping,
                                   .first_group = def->first_group,
                                   .second_group = def->second_group,
                                   .self = def->self,
                                   .skip_length = def->skip_length,
                                   .skin = def->skin};
  outdate(contact);
}

static void describe_point(const eli_contact *contact, size_t k, const eli_touch *touch, elastica_contact_point *out) {
  const eli_contact_pair *pair = &contact->list[k];
  for (int side = 0; side < 2; side++) {
    out->rod[side] = pair->rod[side];
    out->element[side] = pair->element[side];
  }
  memcpy(out->point, touch->middle.point, sizeof out->point);
  memcpy(out->normal, touch->middle.normal, sizeof out->normal);
  out->depth = eli_contact_depth(contact, k, touch);
  out->extent = touch->line.extent;
  out->force = touch->line.elastic;
  memcpy(out->layer, touch->line.normal, sizeof out->layer);
  eli_contact_friction(contact, k, touch, out->tangential);
  out->sticks = contact->law.friction > 0.0 && eli_contact_history(contact, k).sticks;
}

static elastica_status find_contacts(elastica_effect *effect, const char *function, elastica_contact_point *points, int capacity,
                                     int *count) {
  eli_contact *contact = elastica_effect_get(effect).self;
  if (eli_contact_cover(contact, NULL) < 0)
    return elastica_world_refuse(elastica_effect_get(effect).world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the list of pairs",
                                 function);
  *count = 0;
  for (size_t k = 0; k < contact->count && *count < INT_MAX; k++) {
    eli_touch touch;
    if (!eli_contact_find(contact, k, &touch)) continue;
    if (*count < capacity) describe_point(contact, k, &touch, &points[*count]);
    (*count)++;
  }
  return ELASTICA_OK;
}

static const eli_built_in kind = {.name = "contact",
                                  .layout = &layout,
                                  .every_rod = 1,
                                  .rigid_bodies = 1,
                                  .contact_stiffness = contact_stiffness,
                                  .contacts = find_contacts,
                                  .friction = friction_of,
                                  .self_size = ELI_SELF_SIZE(contact_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep};

void elastica_contact_def_init(elastica_contact_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_contact(elastica_world *world, elastica_rod *rod, const elastica_contact_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_contact_set(elastica_effect *effect, const elastica_contact_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

static elastica_status refuse_other(elastica_effect *effect) {
  char label[ELI_LABEL_SIZE];
  return elastica_world_refuse(elastica_effect_get(effect).world, ELASTICA_INVALID_ARGUMENT,
                               "contact_get: the effect is %s, neither a contact nor an obstacle of kind ELASTIC",
                               eli_shorten(elastica_effect_get(effect).name, label, sizeof label));
}

elastica_status elastica_contact_get(elastica_effect *effect, elastica_contact_point *points, int capacity, int *count) {
  static const char function[] = "contact_get";
  elastica_status status = eli_effect_check(effect, function);
  if (status != ELASTICA_OK) return status;
  const eli_built_in *of = eli_effect_kind(effect);
  if (of == NULL || of->contacts == NULL) return refuse_other(effect);
  status = eli_check_outside_hook(elastica_effect_get(effect).world, function);
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_get(effect).world;
  if (capacity < 0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "contact_get: capacity is negative: %d", capacity);
  if (count == NULL || (points == NULL && capacity > 0))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "contact_get: %s is NULL", count == NULL ? "count" : "points");
  eli_world_enter_call(world); /* of the motion and the surface of an obstacle */
  status = of->contacts(effect, function, points, capacity, count);
  eli_world_leave_call(world);
  return status;
}
