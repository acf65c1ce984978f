/* The list of near pairs (see contact.h). */
#include "base/target.h"

#include "base/definition.h"
#include "base/module.h"
#include "pairs/contact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The largest shrinkage of an element until the list is built again, as a share of its length, and its gain of thickness then. */
#define SHRINKAGE 0.95
#define THICKER 1.0259783520851542

/* The default skin, in the largest radius. */
#define SKIN 0.25

/* The share of their limit that bends may have when the list is built; and how much more than is needed they keep apart then. */
#define GENTLE 0.75
#define MORE 1.25

/* Turns are counted from 1 after each new list; a new list is built before the counter overflows. */
enum { FIRST_TURN = 1 };
static const unsigned LAST_TURN = UINT_MAX - 1;

/* ---- The list ---- */

/* Computes bounds [m] of the gap of two elements from the distance of their centres. */
static void bound_gap(const eli_contact *contact, int i, int j, double *least, double *most) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double apart = contact->centre[a][i] - contact->centre[a][j];
    square += apart * apart;
  }
  const double distance = sqrt(square), thick = contact->thickness[i] + contact->thickness[j];
  *most = distance - thick;
  *least = distance + contact->reach - (contact->sphere[i] + contact->sphere[j]);
}

/* Whether bends keep two elements of a rod apart by more than this. */
static int bends_part(const eli_contact *contact, const int rod[2], const int element[2], double reach) {
  return rod[0] == rod[1] && eli_contact_bends_part(eli_contact_member_of(contact, rod[0]), element[0], element[1], SHRINKAGE, reach);
}

/* The list counts on the bends that do. */
static void count_on_bends(eli_contact *contact, const int rod[2], const int element[2], double thick) {
  eli_contact_member_of(contact, rod[0])->keeps_apart = 1;
  if (contact->parts < 2) contact->parts = bends_part(contact, rod, element, thick + eli_contact_slack(contact)) ? 1 : 2;
}

/* Returns 1 for a near pair, and keeps the narrowest gap of all examined pairs. For elements much shorter than their radius the bounds
 * decide, except for a few pairs that need the closest points. */
static int is_near(void *self, int i, int j) {
  eli_contact *contact = self;
  const int rod[2] = {contact->owner[i], contact->owner[j]};
  const int element[2] = {i - eli_contact_member_of(contact, rod[0])->first, j - eli_contact_member_of(contact, rod[1])->first};
  const double reduction = eli_contact_reduction(contact, rod, element);
  double least, most;
  if (!(reduction > 0.0)) return 0;
  const double thick = reduction * (contact->thickness[i] + contact->thickness[j]);
  const double spacing = reduction * ELI_CONTACT_MARGIN * contact->largest_radius + contact->spacing;
  const int parted = bends_part(contact, rod, element, thick + spacing);
  bound_gap(contact, i, j, &least, &most);
  if (!parted && reduction == 1.0 && least >= contact->narrowest && most <= contact->reach) return 1;
  eli_capsule one, other;
  eli_contact_place(contact, rod[0], element[0], &one);
  eli_contact_place(contact, rod[1], element[1], &other);
  const double gap = eli_contact_distance(&one, &other) - thick;
  if (parted && gap <= contact->reach) count_on_bends(contact, rod, element, thick);
  if (parted) return 0;
  if (gap < contact->narrowest) contact->narrowest = gap;
  return gap <= contact->reach;
}

/* The nodes of a rod, or the ends of a body. */
typedef struct nodes {
  double end[3][2];
  const double *position[3];
} nodes;

static void find_nodes(const eli_contact *contact, int r, nodes *out) {
  const eli_contact_member *member = eli_contact_member_of(contact, r);
  eli_capsule at;
  if (member->rod->rigid) eli_contact_place(contact, r, 0, &at);
  for (int a = 0; a < 3; a++) {
    out->position[a] = member->rod->rigid ? out->end[a] : member->rod->position[a];
    for (int k = 0; k < 2 && member->rod->rigid; k++) out->end[a][k] = at.end[k][a];
  }
}

/* Computes bounding spheres of all elements, and stores their positions as the reference for later motion. */
static void survey(eli_contact *contact) {
  contact->thickest = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    nodes now;
    find_nodes(contact, r, &now);
    eli_reference_set(&member->reference, now.position, SHRINKAGE);
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
      contact->thickness[k] = (member->rod->rigid ? 1.0 : THICKER) * eli_contact_thickest(contact, r, j, &at);
      if (!member->rod->rigid && contact->thickness[k] > contact->thickest) contact->thickest = contact->thickness[k];
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

/* Makes room for this number of elements in close pairs. Returns 0 without memory. */
static int reserve_placed(eli_contact *contact, size_t count) {
  if (count <= contact->placed_capacity) return 1;
  const size_t capacity = count + count / 2 + 64;
  eli_contact_placed *placed = eli_allocate_lines(&contact->allocator, capacity, sizeof *placed);
  int *element = eli_allocate(&contact->allocator, capacity, sizeof *element);
  const int found = placed != NULL && element != NULL;
  eli_release_lines(&contact->allocator, found ? contact->placed : placed);
  eli_release(&contact->allocator, found ? contact->placed_element : element);
  if (!found) return 0;
  contact->placed = placed;
  contact->placed_element = element;
  contact->placed_capacity = capacity;
  contact->margin = 0.0;
  return 1;
}

/* Makes the list from the pairs found, with the histories of the previous list. Other pairs with a history also stay until a step ends it:
 * trial states of relaxation may separate pairs that touch. */
static int renew(eli_contact *contact) {
  const size_t most = contact->pairs.count + contact->count, all = (size_t)contact->element_count;
  if (!eli_contact_reserve(contact, most) || !reserve_placed(contact, 2 * most < all ? 2 * most : all)) return 0;
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
  }
  eli_contact_pair *list = contact->list;
  contact->list = contact->spare;
  contact->spare = list;
  contact->count = count;
  contact->margin = 0.0;
  if (contact->capacity > 0) memset(contact->history, 0, contact->capacity * sizeof *contact->history);
  contact->next_turn = FIRST_TURN;
  eli_contact_move_on(contact);
  return 1;
}

void eli_contact_begin_turn(eli_contact *contact) {
  contact->next_turn++;
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

int eli_contact_reserve(eli_contact *contact, size_t count) {
  if (count <= contact->capacity) return 1;
  const size_t capacity = count + count / 2 + 64;
  const eli_allocator *allocator = &contact->allocator;
  eli_contact_pair *list = eli_allocate(allocator, capacity, sizeof *list), *spare = eli_allocate(allocator, capacity, sizeof *spare);
  eli_stick_slip *history = eli_allocate_lines(allocator, capacity, sizeof *history),
                 *next_history = eli_allocate_lines(allocator, capacity, sizeof *next_history);
  eli_contact_close *close = eli_allocate(allocator, capacity, sizeof *close);
  eli_contact_result *results = eli_allocate(allocator, capacity < ELI_CONTACT_BLOCK ? capacity : ELI_CONTACT_BLOCK, sizeof *results);
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
  eli_release(allocator, found ? contact->results : results);
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

/* Finds all pairs with a gap smaller than reach. Returns 0 without memory. */
static int find_pairs(eli_contact *contact, double reach) {
  contact->reach = reach;
  contact->narrowest = INFINITY;
  survey(contact);
  const eli_spheres spheres = {contact->element_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  return eli_pairs_find(&contact->pairs, &spheres, is_near, contact);
}

/* Keeps those of the pairs that are within a shorter reach. */
static void keep_near(eli_contact *contact, double reach) {
  size_t count = 0;
  contact->reach = reach;
  for (size_t k = 0; k < contact->pairs.count; k++) {
    const uint64_t key = contact->pairs.keys[k];
    if (is_near(contact, eli_pair_first(key), eli_pair_second(key))) contact->pairs.keys[count++] = key;
  }
  contact->pairs.count = count;
}

static void keep_none(eli_contact *contact, double reach) {
  contact->reach = reach;
  contact->pairs.count = 0;
}

/* Builds the list. An empty list has no cost at any reach: after an empty list a longer reach is tried, which lasts longer. If this search
 * finds pairs, the list stays empty with the narrowest of their gaps as reach, unless this is less than the usual reach. */
static int build(eli_contact *contact, double need, double spacing, double horizon) {
  const double skin = eli_is_nan(contact->law.skin) ? SKIN * contact->largest_radius : contact->law.skin, usual = need + skin;
  const int empty = contact->pairs.count == 0;
  contact->joins = eli_world_joins(contact->world);
  contact->listed = 0;
  contact->spacing = spacing;
  contact->parts = 0;
  eli_contact_note_bends(contact, GENTLE, horizon);
  if (!eli_contact_find_joints(contact) || !find_pairs(contact, empty ? 2.0 * (usual + skin) : usual)) return 0;
  if (empty && contact->pairs.count > 0) {
    if (contact->narrowest < usual)
      keep_near(contact, usual);
    else
      keep_none(contact, contact->narrowest);
  }
  eli_contact_count_on_bends(contact);
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

/* All rods may move together: displacements are relative to that of the first node of the first member. */
int eli_contact_has_moved(const eli_contact *contact, int closer, double limit) {
  double drift[3] = {0.0, 0.0, 0.0};
  int found = 0;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    const eli_contact_member *member = eli_contact_member_of(contact, k);
    if (member->rod == NULL) continue;
    if (!found) find_drift(contact, member, closer, drift);
    found = 1;
    nodes now;
    find_nodes(contact, k, &now);
    if (eli_reference_is_left_by(closer ? &member->closer : &member->reference, now.position, drift, limit, contact->look)) return 1;
  }
  return 0;
}

void eli_contact_note_closer(eli_contact *contact, double shrinkage) {
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    eli_contact_member *member = eli_contact_member_of(contact, k);
    nodes now;
    if (member->rod == NULL) continue;
    find_nodes(contact, k, &now);
    eli_reference_set(&member->closer, now.position, shrinkage);
  }
}

int eli_contact_may_sleep(eli_contact *contact, double dt) {
  if (!contact->listed || contact->count > 0 || contact->rod_count != elastica_world_rod_count(contact->world)) return 0;
  contact->awaited = eli_contact_awaited(contact, dt, &contact->fastest, contact->middle);
  if (contact->awaited > 0.0 && eli_contact_cover(contact, contact->awaited) < 0) return 0;
  if (!contact->listed || contact->count > 0 || contact->joins != eli_world_joins(contact->world) ||
      contact->rod_count != elastica_world_rod_count(contact->world))
    return 0;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    if (eli_contact_member_of(contact, k)->rod == NULL) continue;
    find_drift(contact, eli_contact_member_of(contact, k), 0, contact->drift);
    break;
  }
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

int eli_contact_must_wake(const eli_contact *contact, const elastica_rod_view *rod) {
  if (rod->rod_index < contact->first_rod || rod->rod_index >= contact->end_rod) return 0;
  const eli_contact_member *member = eli_contact_member_of(contact, rod->rod_index);
  nodes now;
  if (member->rod == NULL) return 0;
  find_nodes(contact, rod->rod_index, &now);
  return eli_reference_is_left_by(&member->reference, now.position, contact->drift, 0.5 * (contact->reach - contact->awaited),
                                  contact->look) ||
         (contact->awaited > 0.0 && is_faster(contact, rod));
}

int eli_contact_is_listed(eli_contact *contact) {
  if (contact->joins != eli_world_joins(contact->world) || contact->next_turn >= LAST_TURN) contact->listed = 0;
  return contact->listed;
}

/* Whether the list will do as it is. */
static int is_covered(eli_contact *contact, double need) {
  return eli_contact_is_listed(contact) && !eli_contact_has_moved(contact, 0, 0.5 * (contact->reach - need));
}

int eli_contact_cover(eli_contact *contact, double need) {
  if (!eli_contact_find_members(contact)) return -1;
  if ((contact->parts == 0 || contact->spacing >= need) && is_covered(contact, need)) return 0;
  return build(contact, need, MORE * need, 0.0) ? 1 : -1;
}

int eli_contact_cover_soon(eli_contact *contact, double need, double horizon) {
  if (!eli_contact_find_members(contact)) return -1;
  eli_contact_note_bends(contact, 1.0, horizon);
  if (eli_contact_bends_hold(contact) && is_covered(contact, need)) return 0;
  if (!build(contact, need, contact->spacing, horizon)) return -1;
  eli_contact_note_bends(contact, 1.0, horizon);
  return 1;
}

/* ---- Creation and removal ---- */

eli_contact *eli_contact_create(elastica_world *world, int only) {
  const eli_allocator *allocator = eli_world_allocator(world);
  eli_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  if (contact == NULL) return NULL;
  memset(contact, 0, sizeof *contact);
  contact->world = world;
  contact->work = eli_world_lines_work(world);
  contact->look = eli_world_reference_look(world);
  contact->pace = eli_world_pace_look(world);
  contact->allocator = *allocator;
  contact->only = only;
  contact->rod_count = -1;
  eli_pairs_init(&contact->pairs, allocator);
  eli_pairs_init(&contact->span_pairs, allocator);
  return contact;
}

void eli_contact_destroy(eli_contact *contact) {
  const eli_allocator allocator = contact->allocator;
  eli_contact_release_members(contact);
  eli_pairs_destroy(&contact->pairs);
  eli_pairs_destroy(&contact->span_pairs);
  eli_release(&allocator, contact->slipping);
  eli_release(&allocator, contact->joints);
  eli_release(&allocator, contact->results);
  eli_release(&allocator, contact->list);
  eli_release(&allocator, contact->spare);
  eli_release_lines(&allocator, contact->history);
  eli_release_lines(&allocator, contact->next_history);
  eli_release(&allocator, contact->kept_list);
  eli_release_lines(&allocator, contact->kept_history);
  eli_release(&allocator, contact->close);
  eli_release_lines(&allocator, contact->placed);
  eli_release(&allocator, contact->placed_element);
  eli_release(&allocator, contact);
}

void eli_contact_outdate(eli_contact *contact) {
  contact->rod_count = -1;
  contact->listed = 0;
  contact->margin = 0.0;
}

void eli_contact_set_law(eli_contact *contact, const eli_contact_law *law) {
  contact->law = *law;
  eli_contact_outdate(contact);
}
