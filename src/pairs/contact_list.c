/* Who is near whom (see contact.h). */
#include "base/target.h"

#include "base/checks.h"
#include "base/elementary.h"
#include "base/module.h"
#include "base/section.h"
#include "base/vector.h"
#include "contact/body_contact.h"
#include "pairs/contact.h"

#include <math.h>
#include <string.h>

/* 1/sqrt(ELI_REFERENCE_SHRINKAGE): how much thicker an element may become before the list is built again. */
#define THICKER 1.0540925533894598

/* The skin, in the largest radius, where none is given. */
#define SKIN 0.25

/* ---- Who takes part ---- */

static void release_members(eli_contact *contact) {
  eli_release(&contact->allocator, contact->members);
  eli_release(&contact->allocator, contact->owner);
  eli_release(&contact->allocator, contact->bounds);
  eli_release(&contact->allocator, contact->memory);
  contact->members = NULL;
  contact->owner = NULL;
  contact->bounds = NULL;
  contact->memory = NULL;
  contact->rod_count = -1;
}

/* Balls and capsules; other bodies take no part. */
static int takes_part(elastica_rod *rod, eli_contact_member *member) {
  eli_body_shape shape;
  if (!elastica_rod_get_view(rod)->rigid) return 1;
  eli_body_shape_read(rod, &shape);
  if (shape.shape != ELASTICA_SHAPE_SPHERE && shape.shape != ELASTICA_SHAPE_CAPSULE) return 0;
  member->radius = shape.radius;
  member->half_length = shape.shape == ELASTICA_SHAPE_CAPSULE ? shape.half_length : 0.0;
  for (int b = 0; b < 3; b++) member->axis[b] = shape.axes[3 * b + 2];
  return 1;
}

static unsigned groups_of(const eli_contact *contact, int rod_index) {
  const int group = eli_world_contact_group(contact->world, rod_index);
  const int first = contact->law.first_group, second = contact->law.second_group;
  return (first == ELASTICA_EVERY_GROUP || first == group ? 1u : 0u) | (second == ELASTICA_EVERY_GROUP || second == group ? 2u : 0u);
}

static size_t memory_of(const elastica_rod_view *rod) {
  return eli_reference_size(rod->element_count) + 5 * ((size_t)rod->element_count + 1) + 5 * (size_t)rod->element_count;
}

/* Counts elements and memory, and notes who takes part. */
static size_t enlist(eli_contact *contact) {
  size_t memory = 0;
  contact->element_count = 0;
  for (int k = 0; k < contact->rod_count; k++) {
    eli_contact_member *member = &contact->members[k];
    elastica_rod *rod = elastica_world_rod(contact->world, k);
    memset(member, 0, sizeof *member);
    member->first = contact->element_count;
    if (rod == NULL || (contact->only >= 0 && contact->only != k) || !takes_part(rod, member) ||
        (member->groups = groups_of(contact, k)) == 0)
      continue;
    member->rod = elastica_rod_get_view(rod);
    contact->element_count += member->rod->element_count;
    memory += memory_of(member->rod);
  }
  return memory;
}

static void measure(eli_contact *contact, eli_contact_member *member, double *memory) {
  const elastica_rod_view *rod = member->rod;
  eli_reference_init(&member->reference, rod->element_count, rod->closed, memory);
  member->arc = memory + eli_reference_size(rod->element_count);
  member->arc[0] = 0.0;
  const size_t nodes = (size_t)rod->element_count + 1;
  double *lane = member->arc + nodes;
  contact->bounds[rod->rod_index] = (elastica_stiffness){.struct_size = sizeof(elastica_stiffness),
                                                         .node = lane,
                                                         .element = lane + nodes,
                                                         .node_rate = lane + 2 * nodes,
                                                         .element_rate = lane + 3 * nodes};
  for (int j = 0; j < rod->element_count; j++) {
    const double radius = rod->rigid ? member->radius : eli_radius(rod->volume[j], rod->rest_length[j]);
    if (radius > contact->largest_radius) contact->largest_radius = radius;
    member->arc[j + 1] = member->arc[j] + rod->rest_length[j];
    contact->owner[member->first + j] = rod->rod_index;
  }
}

/* 0 when memory runs out. */
static int find_members(eli_contact *contact) {
  const int rods = elastica_world_rod_count(contact->world);
  if (contact->rod_count == rods) return 1;
  release_members(contact);
  contact->members = eli_allocate(&contact->allocator, (size_t)rods + 1, sizeof *contact->members);
  if (contact->members == NULL) return 0;
  contact->rod_count = rods;
  const size_t memory = enlist(contact), n = (size_t)contact->element_count;
  contact->owner = eli_allocate(&contact->allocator, n + 1, sizeof *contact->owner);
  contact->memory = eli_allocate(&contact->allocator, memory + 1, sizeof(double));
  contact->bounds = eli_allocate(&contact->allocator, (size_t)rods + 1, sizeof *contact->bounds);
  if (contact->owner == NULL || contact->bounds == NULL || contact->memory == NULL || !eli_pairs_reserve(&contact->pairs, n, 4 * n)) {
    release_members(contact);
    return 0;
  }
  for (int a = 0; a < 3; a++) contact->centre[a] = contact->memory + (size_t)a * n;
  contact->sphere = contact->memory + 3 * n;
  contact->thickness = contact->memory + 4 * n;
  contact->largest_radius = 0.0;
  double *free_memory = contact->memory + 5 * n;
  for (int k = 0; k < rods; k++) {
    eli_contact_member *member = &contact->members[k];
    if (member->rod == NULL) continue;
    measure(contact, member, free_memory);
    free_memory += memory_of(member->rod) - 5 * (size_t)member->rod->element_count;
  }
  return 1;
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
    const eli_contact_member *member = &contact->members[join->rod[from]->rod_index];
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

/* 0 when memory runs out. */
static int find_joints(eli_contact *contact) {
  contact->joint_count = 0;
  eli_world_each_join(contact->world, note_joint, contact);
  if (contact->joint_count >= 0) return 1;
  contact->joint_count = contact->joint_capacity = 0;
  return 0;
}

/* The first joint between two rods, or the number of joints. */
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

static int are_joined(const eli_contact *contact, const int rod[2]) {
  const int k = first_joint(contact, rod);
  return k < contact->joint_count && contact->joints[k].rod[0] == rod[0] && contact->joints[k].rod[1] == rod[1];
}

/* ---- Who may touch whom ---- */

static double rest_radius(const eli_contact_member *member, int j) {
  return member->rod->rigid ? member->radius : eli_radius(member->rod->volume[j], member->rod->rest_length[j]);
}

/* [m] of rest length between an element and a place along its rod. */
static double arc_from(const eli_contact_member *member, int j, double arc) {
  if (member->rod->rigid) return 0.0;
  const double before = member->arc[j] - arc, after = arc - member->arc[j + 1];
  double between = before > after ? before : after;
  if (between < 0.0) between = 0.0;
  if (!member->rod->closed) return between;
  const double around = member->arc[member->rod->element_count] - (member->rod->rest_length[j] + between);
  return around < between ? around : between;
}

static int are_apart_on_rod(const eli_contact_member *member, int i, int j, double skip) {
  const int n = member->rod->element_count, first = i < j ? i : j, last = i < j ? j : i;
  if (first == last || last == first + 1 || (member->rod->closed && first == 0 && last == n - 1)) return 0;
  double between = member->arc[last] - member->arc[first + 1];
  const double around = member->arc[n] - (member->arc[last + 1] - member->arc[first]);
  if (member->rod->closed && around < between) between = around;
  return between >= skip;
}

int eli_contact_may_touch(const eli_contact *contact, const int rod[2], const int element[2]) {
  const eli_contact_member *one = &contact->members[rod[0]], *other = &contact->members[rod[1]];
  const unsigned meets = (one->groups & 1u && other->groups & 2u) || (one->groups & 2u && other->groups & 1u);
  if (!meets) return 0;
  const double skip = eli_is_nan(contact->law.skip_length) ? 0.5 * ELI_PI * (rest_radius(one, element[0]) + rest_radius(other, element[1]))
                                                           : contact->law.skip_length;
  if (rod[0] == rod[1]) return contact->law.self && are_apart_on_rod(one, element[0], element[1], skip);
  for (int k = first_joint(contact, rod); k < contact->joint_count; k++) {
    const eli_contact_joint *joint = &contact->joints[k];
    if (joint->rod[0] != rod[0] || joint->rod[1] != rod[1]) break;
    if (arc_from(one, element[0], joint->arc[0]) + arc_from(other, element[1], joint->arc[1]) < skip) return 0;
  }
  return 1;
}

/* ---- The list ---- */

static int is_near(void *self, int i, int j) {
  const eli_contact *contact = self;
  const int rod[2] = {contact->owner[i], contact->owner[j]};
  const int element[2] = {i - contact->members[rod[0]].first, j - contact->members[rod[1]].first};
  if (!eli_contact_may_touch(contact, rod, element)) return 0;
  eli_capsule one, other;
  eli_contact_place(contact, rod[0], element[0], &one);
  eli_contact_place(contact, rod[1], element[1], &other);
  return eli_contact_distance(&one, &other) <= contact->thickness[i] + contact->thickness[j] + contact->reach;
}

/* The nodes of a rod, or the ends of a body. */
typedef struct nodes {
  double end[3][2];
  const double *position[3];
} nodes;

static void find_nodes(const eli_contact *contact, int r, nodes *out) {
  const eli_contact_member *member = &contact->members[r];
  eli_capsule at;
  if (member->rod->rigid) eli_contact_place(contact, r, 0, &at);
  for (int a = 0; a < 3; a++) {
    out->position[a] = member->rod->rigid ? out->end[a] : member->rod->position[a];
    for (int k = 0; k < 2 && member->rod->rigid; k++) out->end[a][k] = at.end[k][a];
  }
}

/* Bounding spheres of all elements, and positions to tell how far they have moved. */
static void survey(eli_contact *contact) {
  for (int r = 0; r < contact->rod_count; r++) {
    eli_contact_member *member = &contact->members[r];
    if (member->rod == NULL) continue;
    nodes now;
    find_nodes(contact, r, &now);
    eli_reference_set(&member->reference, now.position);
    for (int j = 0; j < member->rod->element_count; j++) {
      eli_capsule at;
      double square = 0.0;
      const int k = member->first + j;
      eli_contact_place(contact, r, j, &at);
      for (int a = 0; a < 3; a++) {
        const double edge = at.end[1][a] - at.end[0][a];
        square += edge * edge;
        contact->centre[a][k] = at.end[0][a] + 0.5 * edge;
      }
      contact->thickness[k] = (member->rod->rigid ? 1.0 : THICKER) * at.radius;
      contact->sphere[k] = 0.5 * (sqrt(square) + contact->reach) + contact->thickness[k];
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

/* The list of the pairs that were found, with the history of those that were in the one before. */
static int renew(eli_contact *contact) {
  const size_t count = contact->pairs.count;
  if (!eli_contact_reserve(contact, count)) return 0;
  size_t old = 0;
  for (size_t k = 0; k < count; k++) {
    eli_contact_pair *pair = &contact->spare[k];
    memset(pair, 0, sizeof *pair);
    for (int side = 0; side < 2; side++) {
      const int number = side ? eli_pair_second(contact->pairs.keys[k]) : eli_pair_first(contact->pairs.keys[k]);
      pair->rod[side] = contact->owner[number];
      pair->element[side] = number - contact->members[pair->rod[side]].first;
    }
    pair->joined = are_joined(contact, pair->rod);
    while (old < contact->count && comes_before(&contact->list[old], pair)) old++;
    const int known = old < contact->count && !comes_before(pair, &contact->list[old]);
    contact->next_rub[k] = known ? contact->rub[old] : (eli_rub){.sticks = 0};
  }
  eli_contact_pair *list = contact->list;
  contact->list = contact->spare;
  contact->spare = list;
  contact->count = count;
  eli_contact_move_on(contact);
  return 1;
}

void eli_contact_move_on(eli_contact *contact) {
  eli_rub *rub = contact->rub;
  contact->rub = contact->next_rub;
  contact->next_rub = rub;
}

int eli_contact_reserve(eli_contact *contact, size_t count) {
  if (count <= contact->capacity) return 1;
  const size_t capacity = count + count / 2 + 64;
  const eli_allocator *allocator = &contact->allocator;
  eli_contact_pair *list = eli_allocate(allocator, capacity, sizeof *list), *spare = eli_allocate(allocator, capacity, sizeof *spare);
  eli_rub *rub = eli_allocate(allocator, capacity, sizeof *rub), *next_rub = eli_allocate(allocator, capacity, sizeof *next_rub);
  const int found = list != NULL && spare != NULL && rub != NULL && next_rub != NULL;
  if (found && contact->count > 0) {
    memcpy(list, contact->list, contact->count * sizeof *list);
    memcpy(rub, contact->rub, contact->count * sizeof *rub);
  }
  eli_release(allocator, found ? contact->list : list);
  eli_release(allocator, found ? contact->spare : spare);
  eli_release(allocator, found ? contact->rub : rub);
  eli_release(allocator, found ? contact->next_rub : next_rub);
  if (!found) return 0;
  contact->list = list;
  contact->spare = spare;
  contact->rub = rub;
  contact->next_rub = next_rub;
  contact->capacity = capacity;
  return 1;
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

static int build(eli_contact *contact, double need) {
  const double skin = contact->law.skin;
  contact->reach = need + (eli_is_nan(skin) ? SKIN * contact->largest_radius : skin);
  contact->build_count++;
  survey(contact);
  const eli_spheres spheres = {contact->element_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  contact->listed = find_joints(contact) && eli_pairs_find(&contact->pairs, &spheres, is_near, contact) && renew(contact);
  return contact->listed;
}

/* All rods may move together: what they have moved is told against the first node that there is. */
static int is_left(const eli_contact *contact, double limit) {
  double drift[3] = {0.0, 0.0, 0.0};
  int found = 0;
  for (int k = 0; k < contact->rod_count; k++) {
    const eli_contact_member *member = &contact->members[k];
    if (member->rod == NULL) continue;
    nodes now;
    find_nodes(contact, k, &now);
    for (int a = 0; a < 3 && !found; a++) drift[a] = now.position[a][0] - member->reference.position[a][0];
    found = 1;
    if (eli_reference_is_left_by(&member->reference, now.position, drift, limit)) return 1;
  }
  return 0;
}

int eli_contact_cover(eli_contact *contact, double need) {
  if (!find_members(contact)) return -1;
  if (contact->listed && !is_left(contact, 0.5 * (contact->reach - need))) return 0;
  return build(contact, need) ? 1 : -1;
}

/* ---- The whole ---- */

eli_contact *eli_contact_create(elastica_world *world, int only) {
  const eli_allocator *allocator = eli_world_allocator(world);
  eli_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  if (contact == NULL) return NULL;
  memset(contact, 0, sizeof *contact);
  contact->world = world;
  contact->allocator = *allocator;
  contact->only = only;
  contact->rod_count = -1;
  eli_pairs_init(&contact->pairs, allocator);
  contact->results = eli_allocate(allocator, ELI_CONTACT_BLOCK, sizeof *contact->results);
  if (contact->results != NULL) return contact;
  eli_release(allocator, contact);
  return NULL;
}

void eli_contact_destroy(eli_contact *contact) {
  const eli_allocator allocator = contact->allocator;
  release_members(contact);
  eli_pairs_destroy(&contact->pairs);
  eli_release(&allocator, contact->joints);
  eli_release(&allocator, contact->results);
  eli_release(&allocator, contact->list);
  eli_release(&allocator, contact->spare);
  eli_release(&allocator, contact->rub);
  eli_release(&allocator, contact->next_rub);
  eli_release(&allocator, contact);
}

void eli_contact_outdate(eli_contact *contact, int forget) {
  contact->rod_count = -1;
  contact->listed = 0;
  if (forget) contact->count = 0;
}

void eli_contact_set_law(eli_contact *contact, const eli_contact_law *law) {
  contact->law = *law;
  eli_contact_outdate(contact, 0);
}
