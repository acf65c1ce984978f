/* Spans: consecutive short elements of a rod, together about a radius long, as one segment (see contact.h).
 *
 * The number of pairs of elements within reach of each other grows with the square of radius over length: an element of a hundredth of a
 * radius has some 250 partners. If the step limit needs only an upper bound, it uses spans instead.
 *
 * test       tests/test_contact_short.c
 */
#include "base/target.h"

#include "rod/law.h"
#include "base/vector.h"
#include "contact/segment.h"
#include "pairs/contact.h"

#include <math.h>

/* The length of a span, in the rest radius; and the least average number of elements of a span, below which no spans are made. */
#define LENGTH 1.0
enum { FEWEST = 16 };

/* Returns the end of the span that begins with an element: the first element behind it. */
static int end_of_span(const eli_contact_member *member, int first) {
  const elastica_rod_view *rod = member->rod;
  int end = first + 1;
  while (!rod->rigid && end < rod->element_count) {
    const double radius = eli_radius(rod->volume[end], rod->rest_length[end]);
    if (member->arc[end + 1] - member->arc[first] > LENGTH * radius) break;
    end++;
  }
  return end;
}

/* Counts the spans, and writes them if there is room. */
static int divide(const eli_contact *contact, eli_contact_span *spans) {
  int count = 0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    for (int first = 0, end; member->rod != NULL && first < member->rod->element_count; first = end, count++) {
      end = end_of_span(member, first);
      if (spans != NULL) spans[count] = (eli_contact_span){.rod = r, .first = first, .end = end};
    }
  }
  return count;
}

int eli_contact_make_spans(eli_contact *contact) {
  const int count = divide(contact, NULL);
  contact->span_count = 0;
  if (count > contact->element_count / FEWEST) return 1;
  contact->spans = eli_allocate(&contact->allocator, (size_t)count, sizeof *contact->spans);
  if (contact->spans == NULL) return 0;
  contact->span_count = divide(contact, contact->spans);
  return 1;
}

/* ---- Positions ---- */

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* Returns the distance [m] from a point to a segment. */
static double distance_to(const eli_edge *of, double x, double y, double z) {
  const double edge[3] = {of->x1 - of->x0, of->y1 - of->y0, of->z1 - of->z0}, from[3] = {x - of->x0, y - of->y0, z - of->z0};
  const double square = eli_dot(edge, edge), along = eli_dot(from, edge);
  const double s = !(along > 0.0) ? 0.0 : along < square ? along / square : 1.0;
  double apart[3];
  for (int a = 0; a < 3; a++) apart[a] = from[a] - s * edge[a];
  return sqrt(eli_dot(apart, apart));
}

/* Adds an element of a rod: its lengths and radii, and its angle to the line of the span. */
static void add_element(const eli_contact *contact, int j, const double line[3], eli_contact_span *to) {
  eli_capsule at;
  double edge[3], gained[3], across[3];
  eli_contact_place_moving(contact, to->rod, j, &at);
  for (int a = 0; a < 3; a++) {
    edge[a] = at.end[1][a] - at.end[0][a];
    gained[a] = at.velocity[1][a] - at.velocity[0][a];
  }
  const double length = sqrt(eli_dot(edge, edge)), along = eli_dot(edge, line);
  for (int a = 0; a < 3; a++) across[a] = edge[a] - along * line[a];
  to->radius = larger(to->radius, at.radius);
  if (at.rest_radius < to->rest_radius) to->rest_radius = at.rest_radius;
  if (length < to->shortest) to->shortest = length;
  to->longest = larger(to->longest, at.measure);
  to->measure += at.measure;
  to->stretched = larger(to->stretched, at.measure / length);
  to->cap += at.cap[0] + at.cap[1];
  to->taper = larger(to->taper, fabs(at.end_radius[1] - at.end_radius[0]) / length);
  to->swelling = larger(to->swelling, 0.5 * at.radius / length);
  to->slope = larger(to->slope, along > 0.0 ? sqrt(eli_dot(across, across)) / along : INFINITY);
  to->turning = larger(to->turning, sqrt(eli_dot(gained, gained)) / length);
}

/* Adds the masses of the nodes, a mean velocity, and the largest difference of a node from it. */
static void add_nodes(const elastica_rod_view *rod, eli_contact_span *to) {
  double square = 0.0;
  for (int i = to->first; i <= to->end; i++)
    if (rod->mass[i] < to->mass) to->mass = rod->mass[i];
  for (int a = 0; a < 3; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = to->first; i <= to->end; i++) {
      const double v = rod->velocity[a][i];
      low = v < low ? v : low;
      high = v > high ? v : high;
    }
    to->velocity[a] = 0.5 * (low + high);
    square += 0.25 * (high - low) * (high - low);
  }
  to->spread = sqrt(square);
}

static void place_span(const eli_contact *contact, eli_contact_span *span) {
  const eli_contact_member *member = eli_contact_member_of(contact, span->rod);
  const eli_contact_outline *outline = &contact->outline[member->first];
  const elastica_rod_view *rod = member->rod;
  *span = (eli_contact_span){.rod = span->rod, .first = span->first, .end = span->end, .outline = outline[span->first]};
  if (rod->rigid) return;
  const eli_edge *last = &outline[span->end - 1].edge;
  eli_edge *edge = &span->outline.edge;
  double aside = 0.0, thickness = 0.0;
  edge->x1 = last->x1, edge->y1 = last->y1, edge->z1 = last->z1;
  double line[3] = {edge->x1 - edge->x0, edge->y1 - edge->y0, edge->z1 - edge->z0};
  const double length = sqrt(eli_dot(line, line));
  for (int a = 0; a < 3 && length > 0.0; a++) line[a] /= length;
  span->shortest = span->rest_radius = span->mass = INFINITY;
  for (int j = span->first; j < span->end; j++) {
    aside = larger(aside, distance_to(edge, outline[j].edge.x1, outline[j].edge.y1, outline[j].edge.z1));
    thickness = larger(thickness, outline[j].thickness);
    add_element(contact, j, line, span);
  }
  span->outline.thickness = thickness + aside;
  add_nodes(rod, span);
}

/* ---- Which are near ----
 *
 * Elements that touch with reduced radii, near each other along one rod, do so only where it folds more sharply than its own radius: they are
 * gone through there (eli_contact_each_of_folds). */

static int touch_fully(const eli_contact *contact, const int rod[2], const int element[2]) {
  return eli_contact_reduction(contact, rod, element) == 1.0;
}

/* Returns 1 if some elements of two spans may touch. An element at an end of either span decides, because the distance along rods is
 * largest there. */
static int may_touch(const eli_contact *contact, const eli_contact_span *one, const eli_contact_span *other) {
  const eli_contact_span *of[2] = {one, other};
  const int rod[2] = {one->rod, other->rod};
  for (int side = 0; side < 2; side++)
    for (int last = 0; last < 2; last++)
      for (int j = of[1 - side]->end - 1; j >= of[1 - side]->first; j--) {
        int element[2];
        element[side] = last ? of[side]->end - 1 : of[side]->first;
        element[1 - side] = j;
        if (touch_fully(contact, rod, element)) return 1;
      }
  return 0;
}

int eli_contact_may_touch_span(const eli_contact *contact, int rod_index, int j, const eli_contact_span *span) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, span->rod)->rod;
  const int between = span->end - 1 - span->first, stride = rod->closed || between == 0 ? 1 : between;
  for (int k = span->end - 1; k >= span->first; k -= stride) {
    const int turned = span->rod < rod_index, rods[2] = {rod_index, span->rod}, elements[2] = {j, k};
    const int rod_pair[2] = {rods[turned], rods[1 - turned]}, element[2] = {elements[turned], elements[1 - turned]};
    if (touch_fully(contact, rod_pair, element)) return 1;
  }
  return 0;
}

static int outlines_are_far(const eli_contact_outline *one, const eli_contact_outline *other, double margin) {
  return eli_segments_are_apart(one->edge, other->edge, margin + one->thickness + other->thickness);
}

static int is_near(void *self, int i, int j) {
  const eli_contact *contact = self;
  const eli_contact_span *one = &contact->spans[i], *other = &contact->spans[j];
  return !outlines_are_far(&one->outline, &other->outline, contact->span_reach) && may_touch(contact, one, other);
}

/* Adds spans with elements that may touch each other, if the law excludes few neighbours. Returns 0 without memory. */
static int add_folded(eli_contact *contact) {
  for (int k = 0; k < contact->span_count; k++) {
    const eli_contact_span *span = &contact->spans[k];
    const int rod[2] = {span->rod, span->rod}, element[2] = {span->first, span->end - 1};
    if (!touch_fully(contact, rod, element)) continue;
    if (!eli_pairs_add(&contact->span_pairs, (uint32_t)k, (uint32_t)k)) return 0;
  }
  return 1;
}

int eli_contact_find_spans(eli_contact *contact, double reach) {
  if (!eli_contact_find_joints(contact)) return 0;
  eli_contact_draw_outlines(contact);
  contact->span_reach = reach;
  for (int k = 0; k < contact->span_count; k++) {
    eli_contact_span *span = &contact->spans[k];
    place_span(contact, span);
    const eli_edge *edge = &span->outline.edge;
    const double half[3] = {0.5 * (edge->x1 - edge->x0), 0.5 * (edge->y1 - edge->y0), 0.5 * (edge->z1 - edge->z0)};
    contact->centre[0][k] = edge->x0 + half[0];
    contact->centre[1][k] = edge->y0 + half[1];
    contact->centre[2][k] = edge->z0 + half[2];
    contact->sphere[k] = sqrt(eli_dot(half, half)) + span->outline.thickness + 0.5 * reach;
  }
  const eli_spheres spheres = {contact->span_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  return eli_pairs_find(&contact->span_pairs, &spheres, is_near, contact) && add_folded(contact);
}

int eli_contact_spans_are_far(const eli_contact *contact, uint64_t key, double margin) {
  return outlines_are_far(&contact->spans[eli_pair_first(key)].outline, &contact->spans[eli_pair_second(key)].outline, margin);
}

int eli_contact_is_far_from_span(const eli_contact *contact, int number, const eli_contact_span *span, double margin) {
  return outlines_are_far(&contact->outline[number], &span->outline, margin);
}

/* ---- Where a rod folds ---- */

/* The span behind one on the same rod, around a ring; -1: it is the last. */
static int next_span(const eli_contact *contact, int k) {
  const int rod = contact->spans[k].rod;
  if (k + 1 < contact->span_count && contact->spans[k + 1].rod == rod) return k + 1;
  if (!eli_contact_member_of(contact, rod)->rod->closed) return -1;
  while (k > 0 && contact->spans[k - 1].rod == rod) k--;
  return k;
}

/* Of consecutive spans: the largest of what widens and shortens them, the least of what keeps their elements apart. */
typedef struct fold {
  double radius, rest_radius, stretched, turning;
} fold;

static void widen(fold *of, const eli_contact_span *span) {
  of->radius = larger(of->radius, span->radius);
  of->stretched = larger(of->stretched, span->stretched);
  of->turning = larger(of->turning, span->turning);
  if (span->rest_radius < of->rest_radius) of->rest_radius = span->rest_radius;
}

/* The least cosine of the angles of elements with the line from the first node of a to the last one of b; less than it or 0. */
static double least_cosine(const eli_contact *contact, int a, int b) {
  const eli_edge *from = &contact->spans[a].outline.edge, *to = &contact->spans[b].outline.edge;
  const double line[3] = {to->x1 - from->x0, to->y1 - from->y0, to->z1 - from->z0}, square = eli_dot(line, line);
  double least = 1.0;
  for (int k = a;; k = next_span(contact, k)) {
    const eli_contact_span *span = &contact->spans[k];
    const eli_edge *own = &span->outline.edge;
    const double edge[3] = {own->x1 - own->x0, own->y1 - own->y0, own->z1 - own->z0}, both = square * eli_dot(edge, edge);
    const double cosine = both > 0.0 ? eli_dot(line, edge) / sqrt(both) : 0.0, rest = 1.0 - cosine * cosine;
    const double sine = rest > 0.0 ? sqrt(rest) : 0.0, most = (cosine - sine * span->slope) / sqrt(1.0 + span->slope * span->slope);
    if (!(cosine > 0.0 && most > 0.0)) return 0.0;
    if (most < least) least = most;
    if (k == b) return least;
  }
}

/* Two elements with an arc s at rest between them touch with radii reduced by s/skip: not while s at its present length, along the line of all
 * spans between, is longer than that, until the horizon [s]. */
static int may_fold(const eli_contact *contact, int a, int b, const fold *of, double horizon) {
  const double skip = eli_contact_skip_length(contact, of->rest_radius),
               reach = 2.0 * of->radius + ELI_CONTACT_MARGIN * contact->largest_radius;
  return !((least_cosine(contact, a, b) - horizon * of->turning) * skip > reach * of->stretched);
}

/* Visits the pairs with reduced radii of elements of two spans. */
static int each_reduced(const eli_contact *contact, const eli_contact_span *one, const eli_contact_span *other,
                        int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value) {
  const int begin = eli_contact_member_of(contact, one->rod)->first;
  for (int i = one->first; i < one->end; i++)
    for (int j = one == other ? i + 1 : other->first; j < other->end; j++) {
      const int low = i < j ? i : j, high = i < j ? j : i;
      eli_contact_pair pair = {{one->rod, one->rod}, {low, high}, {begin + low, begin + high}, 1.0};
      pair.reduction = eli_contact_reduction(contact, pair.rod, pair.element);
      if (pair.reduction > 0.0 && pair.reduction < 1.0 && visit(contact, &pair, value)) return 1;
    }
  return 0;
}

int eli_contact_each_of_folds(const eli_contact *contact, double horizon,
                              int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value) {
  for (int a = 0; a < contact->span_count && contact->law.self; a++) {
    const eli_contact_span *one = &contact->spans[a];
    fold of = {0.0, INFINITY, 0.0, 0.0};
    if (eli_contact_member_of(contact, one->rod)->rod->rigid) continue;
    for (int b = a; b >= 0; b = next_span(contact, b)) {
      const eli_contact_span *other = &contact->spans[b];
      const int rod[2] = {one->rod, one->rod}, element[2] = {one->end - 1, other->first};
      if (of.radius > 0.0 && b == a) break; /* around */
      if (b != a && touch_fully(contact, rod, element)) break;
      widen(&of, other);
      if (may_fold(contact, a, b, &of, horizon) && each_reduced(contact, one, other, visit, value)) return 1;
    }
  }
  return 0;
}

/* ---- Pairs of their elements ---- */

int eli_contact_is_by_elements(const eli_contact *contact, const eli_contact_span *one, const eli_contact_span *other) {
  const int single = one->end - one->first == 1 && other->end - other->first == 1;
  return single || eli_contact_member_of(contact, one->rod)->rod->rigid || eli_contact_member_of(contact, other->rod)->rod->rigid;
}

int eli_contact_each_of_spans(const eli_contact *contact, uint64_t key, double margin,
                              int (*is_skipped)(const eli_contact *contact, int rod, int element, const eli_contact_span *other,
                                                double value),
                              int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value) {
  const eli_contact_span *one = &contact->spans[eli_pair_first(key)], *other = &contact->spans[eli_pair_second(key)];
  const int begin[2] = {eli_contact_member_of(contact, one->rod)->first, eli_contact_member_of(contact, other->rod)->first};
  for (int i = one->first; i < one->end; i++) {
    if (eli_contact_is_far_from_span(contact, begin[0] + i, other, margin)) continue;
    if (is_skipped != NULL && is_skipped(contact, one->rod, i, other, value)) continue;
    for (int j = one == other ? i + 1 : other->first; j < other->end; j++) {
      const eli_contact_pair pair = {{one->rod, other->rod}, {i, j}, {begin[0] + i, begin[1] + j}, 1.0};
      if (eli_contact_is_far(contact, &pair, 1.0, margin) || !touch_fully(contact, pair.rod, pair.element)) continue;
      if (visit(contact, &pair, value)) return 1;
    }
  }
  return 0;
}
