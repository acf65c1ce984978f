/* The pairs of elements that are near each other (see contact.h): the list, the close pairs among them, and their history.
 *
 * models     The tangents of a chain of elements that turns by T in all are within T/2 of the tangent at its middle: their projections on
 *            that tangent are at least cos(T/2) of their lengths. Elements at both ends of the chain that are within a right angle of it do
 *            not reach back.
 * equation   gap >= cos(T/2) sum l, of the elements between two, for an angle up to pi/2 with either of both
 * test       tests/test_contact_bends.c, tests/test_contact_self.c, tests/test_contact_bounds.c
 *
 * The reach of the list is that of the step limit, some hundred pairs for each pair that touches. Most of them stay out of reach for many
 * steps. So the close pairs are stored, and found again after some element has moved by half their margin. The other pairs neither touch
 * nor have a history: no bit depends on the time of this search.
 *
 * Elements that are close along a rod are also close in space, however the rod moves, but most rods never bend far enough for these to
 * touch. The list leaves out pairs if every joint between the two elements is bent by less than a limit, and is built again when a joint
 * exceeds its limit. This also holds for a rod that turns as a whole, for which bounds by velocities say nothing.
 */
#include "base/target.h"

#include "base/fetch.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "effects/contact.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
                                pair->reduction * (thick + ELI_CONTACT_MARGIN * contact->largest_radius));
}

/* The largest shrinkage of an element until the list is built again, as a share of its length, and its gain of thickness then. */
#define SHRINKAGE 0.95
#define THICKER 1.0259783520851542

/* The default skin, in the largest radius. */
#define SKIN 0.25

/* The share of their limit that bends may have when the list is built; and the factor of the distance that they must keep then. */
#define GENTLE 0.75
#define MORE 1.25

/* The margin of close pairs, in the largest radius: a wider one lasts longer and has more pairs. It is halved after a search that served
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

/* Returns the largest length [m] by which gaps may shrink until the close pairs are found again. */
static double slack_of(const eli_contact *contact) {
  return CLOSE_MARGIN * contact->largest_radius + 2.0 * (closer_thickness(CLOSE_MARGIN) - 1.0) * contact->thickest;
}

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

/* Returns 1 if bends keep two elements of a rod apart by more than reach [m]. */
static int bends_part(const eli_contact *contact, const int rod[2], const int element[2], double reach) {
  return rod[0] == rod[1] && eli_contact_bends_part(eli_contact_member_of(contact, rod[0]), element[0], element[1], SHRINKAGE, reach);
}

/* Notes that the list leaves out a pair because of the bends of this rod. */
static void count_on_bends(eli_contact *contact, const int rod[2], const int element[2], double thick) {
  eli_contact_member_of(contact, rod[0])->keeps_apart = 1;
  if (contact->parts < 2) contact->parts = bends_part(contact, rod, element, thick + slack_of(contact)) ? 1 : 2;
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
  const eli_contact_outline *one = &contact->outline[i], *other = &contact->outline[j];
  if (eli_segments_are_apart(one->edge, other->edge, thick + contact->reach)) return 0;
  const double gap = eli_contact_distance(one->edge, other->edge) - thick;
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
  for (int a = 0; a < 3; a++) out->position[a] = member->rod->rigid ? out->end[a] : member->rod->position[a];
  if (!member->rod->rigid) return;
  eli_capsule at;
  eli_contact_place(contact, r, 0, &at);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) out->end[a][k] = at.end[k][a];
}

/* Computes bounding spheres of all elements from their outlines, and stores their positions as the reference for later motion. */
static void survey(eli_contact *contact) {
  contact->thickest = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    nodes now;
    find_nodes(contact, r, &now);
    eli_reference_set(&member->reference, now.position, SHRINKAGE);
    for (int j = 0; j < member->rod->element_count; j++) {
      const int k = member->first + j;
      const eli_contact_outline *at = &contact->outline[k];
      const eli_edge *ends = &at->edge;
      const double edge[3] = {ends->x1 - ends->x0, ends->y1 - ends->y0, ends->z1 - ends->z0}, square = eli_dot(edge, edge);
      contact->centre[0][k] = ends->x0 + 0.5 * edge[0];
      contact->centre[1][k] = ends->y0 + 0.5 * edge[1];
      contact->centre[2][k] = ends->z0 + 0.5 * edge[2];
      contact->thickness[k] = (member->rod->rigid ? 1.0 : THICKER) * at->thickness;
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

/* Finds all pairs with a gap smaller than reach. Returns 0 without memory. */
static int find_pairs(eli_contact *contact, double reach) {
  contact->reach = reach;
  contact->narrowest = INFINITY;
  eli_contact_draw_outlines(contact);
  survey(contact);
  const eli_spheres spheres = {contact->element_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  return eli_near_pairs_find(&contact->pairs, &spheres, is_near, contact);
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

/* Returns 1 if some element is further than limit [m] from its position when the list was built (closer 1: when the close pairs were
 * found). All rods may move together: displacements are relative to that of the first node of the first member. */
static int has_moved(const eli_contact *contact, int closer, double limit) {
  double drift[3] = {0.0, 0.0, 0.0};
  int found = 0;
  for (int k = contact->first_rod; k < contact->end_rod; k++) {
    const eli_contact_member *member = eli_contact_member_of(contact, k);
    if (member->rod == NULL) continue;
    if (!found) find_drift(contact, member, closer, drift);
    found = 1;
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

int eli_contact_may_sleep(eli_contact *contact, double dt) {
  if (!contact->listed || contact->count > 0 || contact->rod_count != elastica_world_get(contact->world).rod_count) return 0;
  contact->awaited = eli_contact_awaited(contact, dt, &contact->fastest, contact->middle);
  if (contact->awaited > 0.0 && eli_contact_cover(contact, contact->awaited) < 0) return 0;
  if (!contact->listed || contact->count > 0 || contact->joins != eli_world_joins(contact->world) ||
      contact->rod_count != elastica_world_get(contact->world).rod_count)
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
                                  contact->check_reference) ||
         (contact->awaited > 0.0 && is_faster(contact, rod));
}

/* Returns 1 if there is a list; it may be outdated by motion. */
static int is_listed(eli_contact *contact) {
  if (contact->joins != eli_world_joins(contact->world) || contact->next_turn >= LAST_TURN) contact->listed = 0;
  return contact->listed;
}

/* Returns 1 if the list has each pair with a gap smaller than need [m]. */
static int is_covered(eli_contact *contact, double need) {
  return is_listed(contact) && !has_moved(contact, 0, 0.5 * (contact->reach - need));
}

int eli_contact_cover(eli_contact *contact, double need) {
  if (!eli_contact_find_members(contact)) return -1;
  if ((contact->parts == 0 || contact->spacing >= need) && is_covered(contact, need)) return 0;
  return build(contact, need, MORE * need, 0.0) ? 1 : -1;
}

int eli_contact_cover_soon(eli_contact *contact, double need, double horizon) {
  if (!eli_contact_find_members(contact)) return -1;
  eli_contact_note_bends(contact, 1.0, horizon);
  if (bends_hold(contact) && is_covered(contact, need)) return 0;
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
  contact->work = eli_world_kernels(world)->lines;
  contact->check_reference = eli_world_kernels(world)->check_reference;
  contact->pace = eli_world_kernels(world)->check_pace;
  contact->allocator = *allocator;
  contact->only = only;
  contact->close_margin = CLOSE_MARGIN;
  contact->rod_count = -1;
  eli_near_pairs_init(&contact->pairs, allocator);
  eli_near_pairs_init(&contact->span_pairs, allocator);
  return contact;
}

void eli_contact_destroy(eli_contact *contact) {
  const eli_allocator allocator = contact->allocator;
  eli_contact_release_members(contact);
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

void eli_contact_set_law(eli_contact *contact, const eli_contact_law *law) {
  contact->law = *law;
  outdate(contact);
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
    if (is_not_close(contact, pair, thicker, contact->margin)) continue;
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
  return contact->margin > 0.0 && is_listed(contact) && !has_moved(contact, 1, 0.5 * contact->margin);
}

/* Chooses the margin of the next search by the number of steps that the last one served. */
static void choose_margin(eli_contact *contact) {
  double *margin = &contact->close_margin;
  if (contact->served >= LONG_SERVICE) *margin *= 0.5;
  if (contact->served < SHORT_SERVICE && contact->margin > 0.0) *margin *= 2.0;
  if (*margin < LEAST_MARGIN) *margin = LEAST_MARGIN;
  if (*margin > CLOSE_MARGIN) *margin = CLOSE_MARGIN;
  contact->margin = *margin * contact->largest_radius;
  contact->served = 0;
}

int eli_contact_find_close(eli_contact *contact) {
  if (!eli_contact_find_members(contact)) return 0;
  const int valid = are_valid(contact);
  contact->served += contact->served < LONG_SERVICE;
  if (valid && contact->is_enough) return 1;
  if (eli_contact_cover(contact, 0.0) < 0) return 0;
  if (valid && contact->margin > 0.0) return 1;
  choose_margin(contact);
  eli_contact_draw_outlines(contact);
  choose_close(contact);
  number_placed(contact);
  note_closer(contact, closer_shrinkage(contact->close_margin));
  contact->is_enough = contact->parts < 2 && !has_moved(contact, 0, 0.5 * (contact->reach - slack_of(contact)));
  return 1;
}

/* ---- History: checkpoints, removal of a rod, snapshots ---- */

static int has_history(const eli_contact *contact, size_t k) {
  return eli_contact_history(contact, k).stiffness > 0.0;
}

int eli_contact_keep_history(eli_contact *contact) {
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
void eli_contact_put_back_history(eli_contact *contact) {
  if (!(contact->law.friction > 0.0)) return;
  for (size_t k = 0; k < contact->kept_count; k++) {
    contact->list[k] = contact->kept_list[k];
    contact->history[k] = contact->kept_history[k];
    contact->history[k].turn = contact->turn;
  }
  contact->count = contact->kept_count;
  outdate_lists(contact);
}

void eli_contact_forget(eli_contact *contact, int rod_index) {
  size_t left = 0;
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (pair->rod[0] == rod_index || pair->rod[1] == rod_index) continue;
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
void eli_contact_keep(eli_contact *contact, eli_record *record) {
  const int rods = elastica_world_get(contact->world).rod_count;
  uint64_t count = 0;
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
