/* The step limit of contact (see contact.h): the largest stiffness of all contacts that may exist until the next limit check.
 *
 * models     Each point of a line of contact represents the length mu. It has the quadratic form k mu (n . u)^2 of the relative
 *            displacement u of the two centre lines there, and that of the tangential spring, which depends on the turn of the surfaces as
 *            well. By (sum g x)^2 <= sum |g| sum |g| x^2 each degree of freedom that moves the point gets its share. The length of the line
 *            until the next limit check follows from the motion of the pair until then. The pressure k eps times the curvature of the
 *            distance, and of the radii, is added: the distance falls short of its tangent by 2 z_t q + d q^2 if the line turns by q
 *            towards the other line and the other line slides by z_t along it.
 *
 *            With spans of short elements: the energy of the layer has the second derivative k (n . u)^2 int int ds dt/(pi sqrt(Q)) at
 *            most, Q = R^2 - |x - y|^2, for two points with relative displacement u. Over all of a straight line, int dt/(pi sqrt(Q)) is 1:
 *            partners along a rod share a point, they do not each have all of it. Over a chain of elements at angles of at most a with one
 *            direction, and with a gain of radius of at most g along each,
 *              int dt/(pi sqrt(Q)) <= sqrt(2)/cos a + 2 + 2 z/(l cos a),    z = 2 R (tan a + g/cos a):
 *            at distances t > z from the foot of the point along that direction, Q falls faster than by t dt, so that it is larger than
 *            (t_e^2 - t^2)/2 up to its end at t_e; elements within z may follow a sphere around the point, and each has 1 at most
 * test       tests/test_contact_bounds.c, tests/test_contact_short.c, tests/test_check_press.c
 *
 * The shorter the steps, the shorter the time until the next limit check, and the fewer contacts may close: the horizon is the shortest one
 * that is at least as long as the steps until the next limit check, with the step that contact alone allows.
 *
 * The reach of the list is limited. If an element may move further until the next limit check, the horizon is cut, and
 * ELI_LIMIT_CHECK_INTERVAL steps must fit into it, so that no contact closes that no limit check has seen.
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/capsule.h"
#include "contact/segment.h"
#include "effects/contact.h"
#include "effects/layer.h"
#include "effects/resolve.h"
#include "rod/law.h"
#include "state/module.h"

#include <math.h>
#include <string.h>

/* ---- Spans ----
 *
 * A span is a run of consecutive short elements of a rod, together about a radius long, as one segment. The number of pairs of elements
 * within reach of each other grows with the square of radius over length: an element of a hundredth of a radius has some 250 partners.
 */

/* A limit [1/s] that keeps bounds finite when a rod blows up, because other checks report a blow-up better. */
#define LARGEST_RATE 1e30

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

/* ---- Spans near each other ----
 *
 * Elements that are near each other along one rod, with reduced radii, touch only at a fold of the rod that is sharper than its own radius:
 * each_of_folds visits these.
 */

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

/* Returns 1 if an element may touch an element of a span: along an open rod, either end of the span is furthest from it. */
static int may_touch_span(const eli_contact *contact, int rod_index, int j, const eli_contact_span *span) {
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

/* Returns the mean gap [m] of the members of two elements or spans. */
static double mean_gap(const eli_contact *contact, const eli_contact_gap *gap, int one, int other) {
  return 0.5 *
         (eli_contact_gap_of(gap, eli_contact_member_of(contact, one)) + eli_contact_gap_of(gap, eli_contact_member_of(contact, other)));
}

static int is_near(void *self, int i, int j) {
  const eli_contact *contact = self;
  const eli_contact_span *one = &contact->spans[i], *other = &contact->spans[j];
  return !outlines_are_far(&one->outline, &other->outline, mean_gap(contact, &contact->span_reach, one->rod, other->rod)) &&
         may_touch(contact, one, other);
}

/* Adds spans with elements that may touch each other, if the law excludes few neighbours. Returns 0 without memory. */
static int add_folded(eli_contact *contact) {
  for (int k = 0; k < contact->span_count; k++) {
    const eli_contact_span *span = &contact->spans[k];
    const int rod[2] = {span->rod, span->rod}, element[2] = {span->first, span->end - 1};
    if (!touch_fully(contact, rod, element)) continue;
    if (!eli_near_pairs_add(&contact->span_pairs, (uint32_t)k, (uint32_t)k)) return 0;
  }
  return 1;
}

/* Updates the spans to the present state, and finds the pairs of spans with elements that may touch and with a gap of at most reach; draws
 * outlines. Returns 0 without memory. */
static int find_spans(eli_contact *contact, const eli_contact_gap *reach) {
  if (!eli_contact_find_joints(contact)) return 0;
  eli_contact_draw_outlines(contact);
  contact->span_reach = *reach;
  for (int k = 0; k < contact->span_count; k++) {
    eli_contact_span *span = &contact->spans[k];
    place_span(contact, span);
    const eli_edge *edge = &span->outline.edge;
    const double half[3] = {0.5 * (edge->x1 - edge->x0), 0.5 * (edge->y1 - edge->y0), 0.5 * (edge->z1 - edge->z0)};
    contact->centre[0][k] = edge->x0 + half[0];
    contact->centre[1][k] = edge->y0 + half[1];
    contact->centre[2][k] = edge->z0 + half[2];
    contact->sphere[k] =
        sqrt(eli_dot(half, half)) + span->outline.thickness + 0.5 * eli_contact_gap_of(reach, eli_contact_member_of(contact, span->rod));
  }
  const eli_spheres spheres = {contact->span_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  return eli_near_pairs_find(&contact->span_pairs, &spheres, is_near, contact) && add_folded(contact);
}

/* Returns 1 if the outlines of two spans are certainly further apart than margin [m]. */
static int spans_are_far(const eli_contact *contact, uint64_t key, double margin) {
  return outlines_are_far(&contact->spans[eli_pair_first(key)].outline, &contact->spans[eli_pair_second(key)].outline, margin);
}

/* Returns 1 if the outlines of an element and a span are certainly further apart than margin [m]. */
static int is_far_from_span(const eli_contact *contact, int number, const eli_contact_span *span, double margin) {
  return outlines_are_far(&contact->outline[number], &span->outline, margin);
}

/* ---- Folds of a rod ---- */

/* Returns the next span of the same rod, around a ring; -1: there is none. */
static int next_span(const eli_contact *contact, int k) {
  const int rod = contact->spans[k].rod;
  if (k + 1 < contact->span_count && contact->spans[k + 1].rod == rod) return k + 1;
  if (!eli_contact_member_of(contact, rod)->rod->closed) return -1;
  while (k > 0 && contact->spans[k - 1].rod == rod) k--;
  return k;
}

/* Data of consecutive spans: the largest radius, shortening and turn rate, and the least rest radius. */
typedef struct fold {
  double radius, rest_radius, stretched, turning;
} fold;

static void widen(fold *of, const eli_contact_span *span) {
  of->radius = larger(of->radius, span->radius);
  of->stretched = larger(of->stretched, span->stretched);
  of->turning = larger(of->turning, span->turning);
  if (span->rest_radius < of->rest_radius) of->rest_radius = span->rest_radius;
}

/* Returns a lower bound of the cosine of the angles between elements and the line from the first node of span a to the last node of span b;
 * 0: there is none. */
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

/* Returns 0 if no elements of spans a to b touch within the horizon [s]. Two elements with an arc s at rest between them have radii reduced
 * by s/skip. They stay apart while the projection of s, at its present length, on the line of all spans between them is longer than the sum
 * of these radii. */
static int may_fold(const eli_contact *contact, int a, int b, const fold *of, double horizon) {
  const double skip = eli_contact_skip_length(contact, of->rest_radius),
               reach = 2.0 * of->radius + ELI_CONTACT_MARGIN * eli_contact_member_of(contact, contact->spans[a].rod)->size;
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

/* Visits the pairs with reduced radii that may touch within the horizon [s] because the rod may fold sharply enough there. Stops when visit
 * returns 1, and returns 1 then. */
static int each_of_folds(const eli_contact *contact, double horizon,
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

/* ---- Pairs of elements of two spans ---- */

/* Returns 1 if bounds are computed element by element: for a pair of spans of one element, or with a body. */
static int is_by_elements(const eli_contact *contact, const eli_contact_span *one, const eli_contact_span *other) {
  const int single = one->end - one->first == 1 && other->end - other->first == 1;
  return single || eli_contact_member_of(contact, one->rod)->rod->rigid || eli_contact_member_of(contact, other->rod)->rod->rigid;
}

/* Calls visit for each pair of elements of two spans that may touch and have a gap of at most margin [m]. Elements of the first span with
 * is_skipped 1 are left out (NULL: none). Stops when visit returns 1, and returns 1 then. */
static int each_of_spans(const eli_contact *contact, uint64_t key, double margin,
                         int (*is_skipped)(const eli_contact *contact, int rod, int element, const eli_contact_span *other, double value),
                         int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value) {
  const eli_contact_span *one = &contact->spans[eli_pair_first(key)], *other = &contact->spans[eli_pair_second(key)];
  const int begin[2] = {eli_contact_member_of(contact, one->rod)->first, eli_contact_member_of(contact, other->rod)->first};
  for (int i = one->first; i < one->end; i++) {
    if (is_far_from_span(contact, begin[0] + i, other, margin)) continue;
    if (is_skipped != NULL && is_skipped(contact, one->rod, i, other, value)) continue;
    for (int j = one == other ? i + 1 : other->first; j < other->end; j++) {
      const eli_contact_pair pair = {{one->rod, other->rod}, {i, j}, {begin[0] + i, begin[1] + j}, 1.0};
      if (eli_contact_is_far(contact, &pair, 1.0, margin) || !touch_fully(contact, pair.rod, pair.element)) continue;
      if (visit(contact, &pair, value)) return 1;
    }
  }
  return 0;
}

/* ---- Bounds of an element near a span ---- */

/* Returns the size [m] of a pair of members, the unit of its margin: the size of the smaller one, as on an obstacle; beside a box or
 * cylinder the size of the other member. */
static double size_of_pair(const eli_contact *contact, const int rod[2]) {
  const eli_contact_member *one = eli_contact_member_of(contact, rod[0]), *other = eli_contact_member_of(contact, rod[1]);
  if (one->solid || other->solid) return one->solid ? other->size : one->size;
  return one->size < other->size ? one->size : other->size;
}

/* The bound above which elements are examined one by one as well: a smaller bound is not worth the time. */
#define WORTH 6.0

/* Position of an element, and its largest depth in the span until the next limit check. */
typedef struct span_contact {
  eli_capsule at;
  double length, reach, speed;
  double margin;              /* [m] of the pair */
  double gained, eps;         /* [m] the possible growth of the overlap, and the largest depth then */
  double stiffness, pressure; /* second derivative and force, in k and k eps: with the deepest overlap, or a mean */
  double partners;            /* number of elements with the full value */
} span_contact;

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
static int find_span_contact(const eli_contact *contact, int rod, const eli_contact_span *other, double horizon, span_contact *of) {
  const eli_edge *line = &other->outline.edge;
  const double first[3] = {line->x0, line->y0, line->z0}, last[3] = {line->x1, line->y1, line->z1};
  eli_closest closest;
  double square = 0.0, fastest = 0.0, closing = 0.0;
  eli_segment_closest(of->at.end[0], of->at.end[1], first, last, &closest);
  of->margin = ELI_CONTACT_MARGIN * size_of_pair(contact, (const int[2]){rod, other->rod});
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
  of->gained = (gained < moved ? gained : moved) + of->margin;
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
static double depth_in(const span_contact *of, const eli_contact_outline *one) {
  const double edge[3] = {one->edge.x1 - one->edge.x0, one->edge.y1 - one->edge.y0, one->edge.z1 - one->edge.z0};
  const double centre[3] = {one->edge.x0 + one->edge.x1, one->edge.y0 + one->edge.y1, one->edge.z0 + one->edge.z1};
  double apart[3];
  for (int a = 0; a < 3; a++) apart[a] = of->at.end[0][a] + of->at.end[1][a] - centre[a];
  const double distance = 0.5 * (sqrt(eli_dot(apart, apart)) - of->length - sqrt(eli_dot(edge, edge)));
  const double eps = of->at.radius + one->thickness + of->gained - (distance > 0.0 ? distance : 0.0);
  return eps < of->eps ? larger(eps, 0.0) : of->eps;
}

/* Computes the same element by element, each with its own overlap, and takes it if it is less. */
static void refine_by_elements(const eli_contact *contact, const eli_contact_span *other, span_contact *of) {
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
static double extent_of(const span_contact *of, const eli_contact_span *other) {
  const double own = of->at.measure * of->partners + (of->at.cap[0] + of->at.cap[1]) * larger(of->partners, 1.0);
  const double shared = larger(other->stretched * of->length, other->longest) * of->partners + 1.5 * other->longest;
  return 0.5 * (own + (shared < other->measure ? shared : other->measure) + other->cap);
}

/* Returns the stiffness that automatic steps must resolve (effects/resolve.h), with a damper without that of the layer. */
static double resolved_beside(double k, double damping, double mass) {
  return eli_resolved_stiffness(k, damping, mass) - (damping > 0.0 ? k : 0.0);
}

static void bound_element(const eli_contact *contact, const eli_contact_span *own, int j, const eli_contact_span *other,
                          const span_contact *of) {
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
  const double own_guard = 4.0 * of->speed / of->reach, guard = own_guard < LARGEST_RATE ? own_guard : LARGEST_RATE;
  const double mass = rod->mass[j] < rod->mass[j + 1] ? rod->mass[j] : rod->mass[j + 1];
  const double resolved =
      contact->now.is_adaptive ? resolved_beside(2.0 * law->line.modulus * extent, 2.0 * law->line.damping * extent, mass) : 0.0;
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, j, end);
    to->node[j + end] += normal * (1.0 + swelling) + pressure * curving + guard * guard * rod->mass[j + end] + resolved;
    to->node_rate[j + end] += rate;
    for (int k = 0; k < 2 && beside >= 0; k++) to->node[beside + k] += 0.5 * normal * swelling;
  }
  to->element[j] += extent * k_t * across * radius2;
  to->element_rate[j] += extent * c_t * (weights + 2.0) * radius2;
}

/* Adds the bounds of contact between elements of own and elements of other within margin [m], for this horizon [s], to those of own in
 * contact->bounds. */
static void bound_span(const eli_contact *contact, const eli_contact_span *own, const eli_contact_span *other, double margin,
                       double horizon) {
  const int first = eli_contact_member_of(contact, own->rod)->first;
  for (int j = own->first; j < own->end; j++) {
    span_contact of;
    if (is_far_from_span(contact, first + j, other, margin)) continue;
    if (!may_touch_span(contact, own->rod, j, other)) continue;
    eli_contact_place_moving(contact, own->rod, j, &of.at);
    if (!find_span_contact(contact, own->rod, other, horizon, &of)) continue;
    if (of.partners > WORTH) refine_by_elements(contact, other, &of);
    bound_element(contact, own, j, other, &of);
  }
}

/* Returns 1 if contacts with dampers that begin now may be missing in the bounds of the last limit check. */
static int watches_dampers(const eli_contact *contact) {
  const elastica_instant *now = &contact->now;
  const eli_contact_law *law = &contact->law;
  return now->is_adaptive && eli_has_dampers(law->line.damping, law->friction, law->tangential_damping) &&
         !eli_world_was_checked(contact->world, now->step, ELI_STEPS_SEEN);
}

/* The largest sum of the weights of all displacements in the bounds of a pair of rods, without friction. */
#define WEIGHTS 4.0

/* Returns 1 if a contact of this stiffness [Pa] and mu [m] may require a limit check because it begins. weights: as above. */
static int may_begin_unstably(const eli_contact *contact, double stiffness, double extent, double mass, double weights, double dt) {
  const eli_contact_law *law = &contact->law;
  const int has_friction = law->friction > 0.0;
  const double rough = has_friction ? weights + 2.0 : 0.0;
  const double k = larger(weights * stiffness, rough * law->tangential_ratio * law->line.modulus);
  const double c = larger(weights * law->line.damping, rough * law->tangential_damping);
  return watches_dampers(contact) && eli_begins_unstably(dt, extent, k, c, mass);
}

/* Returns 1 if pair_awaits is 0 for an element with each element of a span. */
static int no_contact_is_awaited(const eli_contact *contact, int rod_index, int j, const eli_contact_span *other, double dt) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, rod_index)->rod;
  const eli_line_law *law = &contact->law.line;
  span_contact of;
  if (rod->rigid || eli_contact_member_of(contact, other->rod)->rod->rigid) return 0;
  eli_contact_place_moving(contact, rod_index, j, &of.at);
  if (!find_span_contact(contact, rod_index, other, ELI_STEPS_AWAITED * dt, &of)) return 1;
  if (2.0 * of.speed * dt > of.reach) return 0;
  const double extent = 0.5 * (of.at.measure + of.at.cap[0] + of.at.cap[1] + other->longest + other->cap);
  double mass = rod->mass[j] < rod->mass[j + 1] ? rod->mass[j] : rod->mass[j + 1];
  if (other->mass < mass) mass = other->mass;
  if (may_begin_unstably(contact, law->modulus * of.stiffness, extent, mass, WEIGHTS, dt)) return 0;
  return !eli_is_too_long(dt, law->modulus * extent, law->damping * extent, mass, contact->now.is_adaptive);
}

/* ---- Bounds of a pair of elements ---- */

/* One element of the pair: the largest length and the position of the line on it. */
typedef struct patch {
  const eli_contact_member *member;
  int element;
  double length;   /* [m] of the element */
  double turning;  /* [m^2] of a body (eli_round_turning), 0 for a rod */
  double swelling; /* r/(2 l) */
  double radius;
  double line, cap[2], extent; /* [m] mu on the centre line, on the ends, and their sum */
  double share[2];             /* the largest share of a point of the line at each end */
} patch;

static void measure_patch(const eli_capsule *at, double place, double half, double moved, patch *of) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->end[1][a] - at->end[0][a];
  of->length = sqrt(eli_dot(edge, edge));
  const double reach = of->length > 0.0 ? (half + moved) / of->length : 1.0;
  of->line = 2.0 * half < at->measure ? 2.0 * half : at->measure;
  of->extent = of->line;
  for (int end = 0; end < 2; end++) {
    const double nearness = end ? place : 1.0 - place;
    of->share[end] = nearness + reach < 1.0 ? nearness + reach : 1.0;
    of->cap[end] = of->share[end] < 1.0 ? 0.0 : at->cap[end];
    of->extent += of->cap[end];
  }
}

/* Returns the largest integral of the share of an end, over a line of this length. */
static double most_of_end(const patch *of, double measure, int end) {
  const double by_place = of->line * of->share[end], by_length = measure > 0.0 ? of->line * (1.0 - 0.5 * of->line / measure) : 0.0;
  return (by_place < by_length ? by_place : by_length) + of->cap[end];
}

/* Terms of the bound: k and c times half the weights, for displacements and for turns; pressure [N]; and the shortest length and the widest
 * distance [m] in the curvature of the distance. */
typedef struct stiffnesses {
  double normal, rate, turn, turn_rate;
  double pressure, shortest, widest;
} stiffnesses;

static void add_patch(const patch *of, const patch *other, const eli_capsule *at, const stiffnesses *s, const elastica_stiffness *to) {
  const elastica_rod_view *rod = of->member->rod;
  const int j = of->element;
  const double both = of->extent + other->extent, curving = (5.0 + s->widest / s->shortest) / s->shortest;
  double turn = s->turn * both * of->radius * of->radius, turn_rate = s->turn_rate * both * of->radius * of->radius;
  if (rod->rigid) {
    to->node[j] += s->normal * both + s->pressure * curving;
    to->node_rate[j] += s->rate * both;
    turn += (s->normal * both + s->pressure * curving) * of->turning;
    turn_rate += s->rate * both * of->turning;
  }
  for (int end = 0; end < 2 && !rod->rigid; end++) {
    const double part = most_of_end(of, at->measure, end) + other->extent * of->share[end], l = of->length;
    to->node[j + end] += s->normal * (part + of->swelling * both) +
                         s->pressure * (4.0 * of->share[end] / s->shortest + (1.0 + 3.0 * of->swelling + s->widest / l) / l);
    to->node_rate[j + end] += s->rate * part; /* dampers depend on the approach of lines, not on the growth of radii */
  }
  for (int end = 0; end < 2 && !rod->rigid; end++) { /* nodes share their radius with the neighbouring element */
    const int beside = eli_contact_neighbour(rod, j, end);
    for (int k = 0; k < 2 && beside >= 0; k++) to->node[beside + k] += 0.5 * s->normal * of->swelling * both;
  }
  to->element[j] += turn;
  to->element_rate[j] += turn_rate;
}

/* Limits the step so that points cannot pass through each other between two evaluations: no step longer than half the way. */
static void add_guard(const eli_contact *contact, const patch of[2], double speed, double reach) {
  const double own = 4.0 * speed / reach, rate = own < LARGEST_RATE ? own : LARGEST_RATE;
  for (int side = 0; side < 2; side++) {
    const elastica_rod_view *rod = of[side].member->rod;
    for (int end = 0; end < (rod->rigid ? 1 : 2); end++)
      eli_contact_bounds_of(contact, rod->rod_index)->node[of[side].element + end] += rate * rate * rod->mass[of[side].element + end];
  }
}

/* Returns the mass of the lighter node of an element. */
static double least_mass(const patch *of) {
  const double *mass = of->member->rod->mass, first = mass[of->element];
  return of->member->rod->rigid || first < mass[of->element + 1] ? first : mass[of->element + 1];
}

/* Adds the stiffness that automatic steps must resolve. For two moving bodies the squares of frequencies add up. */
static void add_resolved(const eli_contact *contact, const patch of[2]) {
  const double extent = of[0].extent + of[1].extent, k = contact->law.line.modulus * extent, c = contact->law.line.damping * extent;
  for (int side = 0; side < 2; side++) {
    const elastica_stiffness *to = eli_contact_bounds_of(contact, of[side].member->rod->rod_index);
    const double counted = resolved_beside(k, c, least_mass(&of[side]));
    for (int end = 0; end < (of[side].member->rod->rigid ? 1 : 2); end++)
      to->node[of[side].element + end] += of[side].member->rod->rigid ? counted : counted * of[side].share[end];
    to->element[of[side].element] += counted * of[side].turning;
  }
}

/* Returns the largest speed of a point of one relative to a point of the other, and the largest approach speed along a direction; >= 0. */
static double largest_speed(const eli_capsule at[2], const double direction[3], double *closing) {
  double largest = 0.0;
  *closing = 0.0;
  for (int k = 0; k < 4; k++) {
    double v[3];
    for (int a = 0; a < 3; a++) v[a] = at[0].velocity[k / 2][a] - at[1].velocity[k % 2][a];
    const double square = eli_dot(v, v), along = eli_dot(v, direction);
    if (square > largest) largest = square;
    if (along > *closing) *closing = along;
  }
  return sqrt(largest);
}

/* Returns the speed [m/s] of one end relative to the other. */
static double turning_speed(const eli_capsule *at) {
  double v[3];
  for (int a = 0; a < 3; a++) v[a] = at->velocity[1][a] - at->velocity[0][a];
  return sqrt(eli_dot(v, v));
}

/* Returns the law of contact with a box or cylinder. */
static eli_layer_law layer_law_of(const eli_contact_law *law) {
  return (eli_layer_law){law->line, law->friction, law->tangential_ratio, law->tangential_damping, 0.0, 0.0};
}

/* Adds the bounds of a pair with a box or cylinder. side: the other element. */
static void bound_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int side, double horizon, int resolves) {
  const eli_contact_law *law = &contact->law;
  const eli_layer_law of = layer_law_of(law);
  const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]),
                           *other = eli_contact_member_of(contact, pair->rod[1 - side]);
  const eli_placed_solid solid = eli_contact_solid(other);
  eli_capsule at;
  eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at);
  at.radius = eli_contact_thickest(contact, pair->rod[side], pair->element[side], &at);
  eli_layer_bound_both(&of, &member->round, member->rod, pair->element[side], &at, &solid, horizon, resolves,
                       eli_contact_bounds_of(contact, pair->rod[side]), other->rod, other->round.radius + at.radius,
                       eli_contact_bounds_of(contact, pair->rod[1 - side]));
}

/* Returns the margin [m] of a pair. Elements with reduced radii move less relative to each other, as the rod between them is shorter. */
static double margin_of(const eli_contact *contact, const eli_contact_pair *pair) {
  return pair->reduction * ELI_CONTACT_MARGIN * size_of_pair(contact, pair->rod);
}

/* Returns the largest approach [m] of two members within the horizon [s], at their present speeds. */
static double approach_of(const eli_contact *contact, const int rod[2], double horizon) {
  return horizon * (eli_contact_member_of(contact, rod[0])->speed + eli_contact_member_of(contact, rod[1])->speed);
}

/* Returns 1 if two elements stay apart until the horizon [s]. */
static int stay_apart(const eli_contact *contact, const eli_contact_pair *pair, double horizon) {
  return eli_contact_is_far(contact, pair, 1.0, margin_of(contact, pair) + approach_of(contact, pair->rod, horizon));
}

static void bound_line(const eli_contact *contact, const eli_contact_pair *pair, const eli_capsule at[2], double horizon, int resolves) {
  const eli_contact_law *law = &contact->law;
  eli_closest closest;
  patch of[2];
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  double closing;
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at, closest.direction, &closing), moved = horizon * speed;
  /* a point that slides past moves away with the square of the way */
  const double gained = horizon * closing + 0.5 * moved * moved / reach, furthest = gained < moved ? gained : moved;
  double eps = reach - closest.distance + furthest + margin_of(contact, pair), sine = eli_capsule_sine(at), weights = 0.0, swelling = 0.0;
  double shortest = reach;
  if (!(eps > 0.0)) return;
  if (eps > reach) eps = reach;
  memset(of, 0, sizeof of);
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    of[side].member = member;
    of[side].element = pair->element[side];
    of[side].radius = at[side].radius;
    of[side].turning = member->rod->rigid ? eli_round_turning(&member->round, member->rod) : 0.0;
    const double l = member->rod->rigid ? 2.0 * member->round.half_length : member->rod->length[pair->element[side]];
    if (!member->rod->rigid) of[side].swelling = 0.5 * at[side].radius / l;
    if (!member->rod->rigid) weights += 2.0 * fabs(at[side].end_radius[1] - at[side].end_radius[0]) / l;
    sine -= l > 0.0 ? 2.0 * horizon * turning_speed(&at[side]) / l : 0.0;
    weights += of[side].turning > 0.0 ? 2.0 : 1.0;
    swelling += 2.0 * of[side].swelling;
    if (l > 0.0 && l < shortest) shortest = l;
  }
  const eli_stiffening stiffening = eli_line_stiffening(at[0].rest_radius, at[1].rest_radius, eps);
  const double half = sine > 0.0 ? sqrt(2.0 * reach * eps) / sine : INFINITY;
  measure_patch(&at[0], closest.s, half, moved, &of[0]);
  measure_patch(&at[1], closest.t, half, moved, &of[1]);
  const double along = weights + swelling, across = law->friction > 0.0 ? along + 2.0 : 0.0, k_n = law->line.modulus * stiffening.stiffness,
               k_t = law->tangential_ratio * law->line.modulus;
  const double c_n = law->line.damping, c_t = law->friction > 0.0 ? law->tangential_damping : 0.0;
  stiffnesses s;
  s.normal = 0.5 * (k_n * along > k_t * across ? k_n * along : k_t * across);
  s.rate = 0.5 * (c_n * weights > c_t * (weights + 2.0) ? c_n * weights : c_t * (weights + 2.0));
  s.turn = 0.5 * k_t * across;
  s.turn_rate = 0.5 * c_t * (weights + 2.0);
  s.pressure = 0.5 * law->line.modulus * stiffening.pressure * (of[0].extent + of[1].extent) * eps;
  s.shortest = shortest;
  s.widest = 2.0 * reach;
  for (int side = 0; side < 2; side++) add_patch(&of[side], &of[1 - side], &at[side], &s, eli_contact_bounds_of(contact, pair->rod[side]));
  add_guard(contact, of, speed, reach);
  if (resolves) add_resolved(contact, of);
}

/* Adds the bounds of a pair; with resolves 1 also the stiffness that automatic steps must resolve. */
static void add_pair(const eli_contact *contact, const eli_contact_pair *pair, double horizon, int resolves) {
  const int solid = eli_contact_solid_of(contact, pair);
  eli_capsule at[2];
  if (solid) {
    bound_on_solid(contact, pair, 2 - solid, horizon, resolves);
    return;
  }
  for (int side = 0; side < 2; side++) eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  eli_contact_reduce(pair, at);
  bound_line(contact, pair, at, horizon, resolves);
}

static int bound_pair(const eli_contact *contact, const eli_contact_pair *pair, double horizon) {
  add_pair(contact, pair, horizon, contact->now.is_adaptive);
  return 0;
}

static void bound_spans(const eli_contact *contact, double horizon) {
  for (size_t k = 0; k < contact->span_pairs.count; k++) {
    const uint64_t key = contact->span_pairs.keys[k];
    const eli_contact_span *one = &contact->spans[eli_pair_first(key)], *other = &contact->spans[eli_pair_second(key)];
    const int rod[2] = {one->rod, other->rod};
    const double margin = ELI_CONTACT_MARGIN * size_of_pair(contact, rod) + approach_of(contact, rod, horizon);
    if (spans_are_far(contact, key, margin)) continue;
    if (is_by_elements(contact, one, other)) {
      each_of_spans(contact, key, margin, NULL, bound_pair, horizon);
      continue;
    }
    bound_span(contact, one, other, margin, horizon);
    if (one != other) bound_span(contact, other, one, margin, horizon);
  }
  each_of_folds(contact, horizon, bound_pair, horizon);
}

/* Adds the bounds of all pairs to contact->bounds for this horizon [s]. */
static void bound_pairs(const eli_contact *contact, double horizon) {
  if (contact->span_count > 0) {
    bound_spans(contact, horizon);
    return;
  }
  for (size_t k = 0; k < contact->count; k++)
    if (!stay_apart(contact, &contact->list[k], horizon) && !eli_contact_is_parted(contact, &contact->list[k]))
      bound_pair(contact, &contact->list[k], horizon);
}

/* ---- A contact that begins within a step ---- */

/* Sets the bounds of an element to 0, and those of the nodes that its radius depends on. */
static void clear_element(const eli_contact *contact, int rod_index, int j) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, rod_index)->rod;
  const elastica_stiffness *own = eli_contact_bounds_of(contact, rod_index);
  for (int end = 0; end < (rod->rigid ? 1 : 2); end++) {
    const int beside = rod->rigid ? -1 : eli_contact_neighbour(rod, j, end);
    for (int k = 0; k < 2 && beside >= 0; k++) own->node[beside + k] = own->node_rate[beside + k] = 0.0;
    own->node[j + end] = own->node_rate[j + end] = 0.0;
  }
  own->element[j] = own->element_rate[j] = 0.0;
}

/* Returns the largest (k + 2 c/dt) dt^2/(4 m) of a node or a turn of an element. */
static double share_of_element(const eli_contact *contact, int rod_index, int j, double dt) {
  const elastica_rod_view *rod = eli_contact_member_of(contact, rod_index)->rod;
  const elastica_stiffness *own = eli_contact_bounds_of(contact, rod_index);
  double inertia = INFINITY, most;
  for (int a = 0; a < 3; a++)
    if (rod->inertia[a][j] < inertia) inertia = rod->inertia[a][j];
  most = (own->element[j] * dt + 2.0 * own->element_rate[j]) / inertia;
  for (int i = j; i < j + (rod->rigid ? 1 : 2); i++) most = larger(most, (own->node[i] * dt + 2.0 * own->node_rate[i]) / rod->mass[i]);
  return 0.25 * dt * most;
}

/* Returns 1 if a contact with dampers that begins now requires a limit check. The next elements of rods may touch as well. */
static int begins_unstably(const eli_contact *contact, const eli_contact_pair *pair, double dt) {
  double allowed = ELI_SHARE_BEGUN;
  for (int side = 0; side < 2; side++) {
    clear_element(contact, pair->rod[side], pair->element[side]);
    if (!eli_contact_member_of(contact, pair->rod[side])->rod->rigid) allowed = 0.5 * ELI_SHARE_BEGUN;
  }
  add_pair(contact, pair, ELI_STEPS_AWAITED * dt, 0);
  for (int side = 0; side < 2; side++)
    if (share_of_element(contact, pair->rod[side], pair->element[side], dt) > allowed) return 1;
  return 0;
}

/* Returns 1 if this is so for one pair of the list. */
static int pair_awaits(const eli_contact *contact, const eli_contact_pair *pair, double dt) {
  const eli_contact_law *law = &contact->law;
  const int solid = eli_contact_solid_of(contact, pair), chooses = contact->now.is_adaptive;
  if (solid) {
    const eli_layer_law of = layer_law_of(law);
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[2 - solid]);
    const eli_placed_solid at = eli_contact_solid(eli_contact_member_of(contact, pair->rod[solid - 1]));
    if (eli_layer_awaits(&of, &member->round, member->rod, pair->element[2 - solid], &at, dt, chooses, 0)) return 1;
    return watches_dampers(contact) && eli_layer_begins(&member->round, member->rod, pair->element[2 - solid], &at, dt) &&
           begins_unstably(contact, pair, dt);
  }
  eli_capsule at[2];
  eli_closest closest;
  double closing, mass = INFINITY, measure = 0.0;
  for (int side = 0; side < 2; side++) {
    const patch of = {.member = eli_contact_member_of(contact, pair->rod[side]), .element = pair->element[side]};
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
    measure += at[side].measure + at[side].cap[0] + at[side].cap[1];
    if (least_mass(&of) < mass) mass = least_mass(&of);
  }
  eli_contact_reduce(pair, at);
  eli_segment_closest(at[0].end[0], at[0].end[1], at[1].end[0], at[1].end[1], &closest);
  const double reach = at[0].radius + at[1].radius, speed = largest_speed(at, closest.direction, &closing), sine = eli_capsule_sine(at);
  const double moved = ELI_STEPS_AWAITED * dt * speed, gained = ELI_STEPS_AWAITED * dt * closing + 0.5 * moved * moved / reach;
  double eps = reach - closest.distance + (gained < moved ? gained : moved) + margin_of(contact, pair);
  if (!(eps > 0.0)) return 0;
  if (2.0 * speed * dt > reach) return 1;
  if (eps > reach) eps = reach;
  const double crossed = sine > 0.0 ? 4.0 * sqrt(2.0 * reach * eps) / sine : INFINITY, most = 0.5 * measure;
  const double extent = crossed < most ? crossed : most;
  if (eli_is_too_long(dt, law->line.modulus * extent, law->line.damping * extent, mass, chooses)) return 1;
  const double gap = closest.distance - reach;
  const int begins = gap > -dt * closing && gap < (gained < moved ? gained : moved);
  return watches_dampers(contact) && begins && begins_unstably(contact, pair, dt);
}

/* ---- Horizon and step limit ---- */

/* The largest reach of the list, in the size of a member: elements that move further until the next limit check shorten the steps. The
 * number of pairs within the reach grows with its square to cube: in a heap of falling rods, 8 made the list ten times as long, and a step
 * took four times as long. */
#define FURTHEST 2.0

/* The number of trial horizons. */
enum { TRIALS = 4, MOST_TRIALS = 12 };

/* The number of pairs of elements per span above which spans are used instead. */
enum { MANY = 64 };

/* The minimum stiffness in the step limit of a body, in k times its radius and half its length. */
#define BODY 2.0

/* Returns the longest horizon [s]: the time until the next limit check, and at most ELI_LIMIT_CHECK_INTERVAL steps, none longer than axial
 * waves or the contact of a ball allow. */
static double horizon_of(const eli_contact *contact) {
  double least = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL) continue;
    const double time = member->rod->rigid ? 2.0 * ELI_LIMIT_CHECK_INTERVAL *
                                                 sqrt(member->rod->mass[0] / (BODY * contact->law.line.modulus * member->round.radius))
                                           : eli_horizon_time(member->rod);
    if (time > 0.0 && time - time == 0.0 && (least == 0.0 || time < least)) least = time;
  }
  const double asked = contact->now.horizon;
  return least < asked ? least : asked;
}

/* The node that leaves the reach of the list first; rod -1: none does within the horizon. */
typedef struct fastest_node {
  int rod, node;
} fastest_node;

static void find_middle_velocity(const eli_contact *contact, double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    for (int a = 0; a < 3 && rod != NULL; a++)
      for (int i = 0; i < rod->node_count; i++) {
        if (rod->velocity[a][i] < low[a]) low[a] = rod->velocity[a][i];
        if (rod->velocity[a][i] > high[a]) high[a] = rod->velocity[a][i];
      }
  }
  for (int a = 0; a < 3; a++) middle[a] = 0.5 * (low[a] + high[a]);
}

/* Returns the speed [m/s] of the ends of a body from its rotation; 0 for a rod. */
static double spinning_of(const eli_contact_member *member) {
  const elastica_rod_view *rod = member->rod;
  double square = 0.0;
  for (int a = 0; a < 3 && rod->rigid; a++) square += rod->omega[a][0] * rod->omega[a][0];
  return (member->solid ? member->round.radius : member->round.half_length) * sqrt(square);
}

/* Finds the fastest node of each member relative to the middle of all velocities [m/s], of a body the speed of its ends. Two members
 * approach each other at the sum of their speeds at most. Returns the largest speed. */
static double find_fastest(const eli_contact *contact, double middle[3]) {
  double most = 0.0;
  find_middle_velocity(contact, middle);
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    if (rod == NULL) continue;
    const double spinning = spinning_of(member);
    member->speed = 0.0;
    member->fastest = 0;
    for (int i = 0; i < rod->node_count; i++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += (rod->velocity[a][i] - middle[a]) * (rod->velocity[a][i] - middle[a]);
      const double speed = sqrt(square) + spinning;
      if (!(speed > member->speed)) continue;
      member->speed = speed;
      member->fastest = i;
    }
    if (member->speed > most) most = member->speed;
  }
  return most;
}

/* Returns the horizon [s] within which no member leaves the reach of the list, at most the longest. */
static double cut_horizon(const eli_contact *contact, double longest, fastest_node *first) {
  double horizon = longest;
  *first = (fastest_node){-1, 0};
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    const double furthest = FURTHEST * member->size;
    if (member->rod == NULL || !(2.0 * longest * member->speed > furthest)) continue;
    const double time = furthest / (2.0 * member->speed);
    if (first->rod >= 0 && !(time < horizon)) continue;
    horizon = time;
    *first = (fastest_node){r, member->fastest};
  }
  return horizon;
}

/* ---- Bounds of all pairs for one horizon ---- */

/* Adds the minimum stiffness of a body. Its step has no other limit, and must be short enough for a contact that may come. */
static void bound_body(const eli_contact *contact, const eli_contact_member *member, const elastica_stiffness *own) {
  own->node[0] += contact->law.line.modulus * BODY * (member->round.half_length + member->round.radius);
}

static void bound_all(const eli_contact *contact, double horizon) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r);
    if (eli_contact_member_of(contact, r)->rod == NULL) continue;
    memset(own->node, 0, 4 * ((size_t)eli_contact_member_of(contact, r)->rod->element_count + 1) * sizeof *own->node);
    if (eli_contact_member_of(contact, r)->rod->rigid && contact->element_count > 1)
      bound_body(contact, eli_contact_member_of(contact, r), own);
  }
  bound_pairs(contact, horizon);
}

/* Returns 1/dt for the step that these bounds alone allow, K + 2 C/dt = 4 m/dt^2. */
static double inverse_step(double stiffness, double rate, double mass) {
  return (rate + sqrt(rate * rate + 4.0 * mass * stiffness)) / (4.0 * mass);
}

static double step_of(const eli_contact *contact) {
  double most = 0.0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r);
    if (rod == NULL) continue;
    for (int i = 0; i < rod->node_count; i++) {
      const double x = inverse_step(own->node[i], own->node_rate[i], rod->mass[i]);
      if (x > most) most = x;
    }
    for (int j = 0; j < rod->element_count; j++) {
      const double thin = rod->inertia[0][j] < rod->inertia[1][j] ? rod->inertia[0][j] : rod->inertia[1][j];
      const double x = inverse_step(own->element[j], own->element_rate[j], thin < rod->inertia[2][j] ? thin : rod->inertia[2][j]);
      if (x > most) most = x;
    }
  }
  return most > 0.0 ? 1.0 / most : INFINITY;
}

/* The longest horizon is safe. A shorter one is also safe if the steps that it allows end within it. The bracket is halved further if the
 * steps at its two ends differ much: a core stiffens within a small part of the way. */
static void choose_horizon(const eli_contact *contact, double speed, double longest) {
  bound_all(contact, longest);
  if (speed == 0.0) return; /* no element moves, so each horizon gives the same */
  double safe = longest, step = step_of(contact), least = ELI_LIMIT_CHECK_INTERVAL * step, longer = step, bounded = longest;
  for (int k = 0; k < MOST_TRIALS && (k < TRIALS ? least < 0.8 * safe : least < 0.99 * safe && step < 0.5 * longer); k++) {
    const double middle = sqrt(least * safe);
    bound_all(contact, bounded = middle);
    const double own = step_of(contact);
    if (ELI_LIMIT_CHECK_INTERVAL * own <= middle) {
      safe = middle;
      step = own;
    } else {
      least = middle;
      longer = own;
    }
  }
  if (bounded != safe) bound_all(contact, safe);
}

/* Returns the stiffness [N/m] for a cut horizon: ELI_LIMIT_CHECK_INTERVAL steps within it, for the fastest node. */
static double bound_within(const eli_contact *contact, double horizon, const fastest_node *of) {
  const double rate = 2.0 * ELI_LIMIT_CHECK_INTERVAL / horizon, most = rate < LARGEST_RATE ? rate : LARGEST_RATE;
  return most * most * eli_contact_member_of(contact, of->rod)->rod->mass[of->node];
}

static void keep_within(const eli_contact *contact, double horizon, const fastest_node *of) {
  const double stiffness = bound_within(contact, horizon, of);
  double *node = &eli_contact_bounds_of(contact, of->rod)->node[of->node];
  if (*node < stiffness) *node = stiffness;
}

static void add_to(const eli_contact *contact, const elastica_stiffness *rods) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const elastica_rod_view *rod = eli_contact_member_of(contact, r)->rod;
    const elastica_stiffness *own = eli_contact_bounds_of(contact, r), *to = &rods[r];
    for (int i = 0; rod != NULL && i < rod->element_count + 1; i++) {
      if (rod->rigid && i > 0) break;
      to->node[i] += own->node[i];
      to->node_rate[i] += own->node_rate[i];
      if (i == rod->element_count) break;
      to->element[i] += own->element[i];
      to->element_rate[i] += own->element_rate[i];
    }
  }
}

/* Finds all pairs that may close until the horizon [s], of spans if there are spans, otherwise of elements. Pairs of elements that bends
 * keep apart until then are left out. Returns 0 without memory. */
static int find_near(eli_contact *contact, double horizon) {
  const eli_contact_gap need = {ELI_CONTACT_MARGIN, horizon, 0.0, 0.0};
  if (contact->span_count > 0) return find_spans(contact, &need);
  if (eli_contact_cover_soon(contact, &need, horizon) < 0) return 0;
  if (contact->count > 0 || contact->has_bodies) eli_contact_draw_outlines(contact);
  return 1;
}

static int exists(const eli_contact *contact, const eli_contact_pair *pair, double value) {
  (void)contact, (void)pair, (void)value;
  return 1;
}

static int is_alone(const eli_contact *contact, double horizon) {
  if (contact->has_bodies) return 0;
  if (contact->span_count == 0) return contact->count == 0;
  return contact->span_pairs.count == 0 && !each_of_folds(contact, horizon, exists, 0.0);
}

/* Bounds the contacts that may close within the next few steps, for steps chosen by the library. A later approach requests a limit check
 * (eli_contact_awaits). */
static elastica_status bound_soon(eli_contact *contact, const elastica_stiffness *rods) {
  const double horizon = ELI_STEPS_COUNTED * contact->now.checked_dt;
  double middle[3];
  (void)find_fastest(contact, middle);
  if (!find_near(contact, horizon)) return ELASTICA_OUT_OF_MEMORY;
  if (contact->element_count < 2 || is_alone(contact, horizon)) return ELASTICA_OK;
  bound_all(contact, horizon);
  add_to(contact, rods);
  return ELASTICA_OK;
}

elastica_status eli_contact_bound(eli_contact *contact, const elastica_stiffness *rods) {
  if (!eli_contact_find_members(contact)) return ELASTICA_OUT_OF_MEMORY;
  if (contact->now.is_adaptive) return bound_soon(contact, rods);
  double middle_velocity[3];
  fastest_node first;
  const double speed = find_fastest(contact, middle_velocity), horizon = cut_horizon(contact, horizon_of(contact), &first);
  const int cut = first.rod >= 0;
  if (!find_near(contact, horizon)) return ELASTICA_OUT_OF_MEMORY;
  if (contact->element_count < 2 || !(horizon > 0.0)) return ELASTICA_OK;
  if (is_alone(contact, horizon)) {
    if (cut) rods[first.rod].node[first.node] += bound_within(contact, horizon, &first);
    return ELASTICA_OK;
  }
  choose_horizon(contact, speed, horizon);
  if (cut) keep_within(contact, horizon, &first);
  add_to(contact, rods);
  return ELASTICA_OK;
}

/* ---- In a step ---- */

/* Returns the length [m] of any contact of a member with others of at most this size. */
static double extent_of_member(const eli_contact_member *member, double size) {
  return member->rod->rigid ? 2.0 * (member->round.half_length + member->round.radius) : member->longest + 2.0 * size;
}

/* Returns 1 if steps of dt are short enough for contact of a member with others of at most this size. */
static int is_short_for(const eli_contact *contact, const eli_contact_member *member, double size, double dt) {
  const double k = contact->law.line.modulus, c = contact->law.line.damping, extent = extent_of_member(member, size);
  const double weights = member->rod->rigid && !(member->round.half_length > 0.0) ? 2.0 : WEIGHTS;
  return !eli_is_too_long(dt, 2.0 * k * extent, 2.0 * c * extent, member->least_mass, contact->now.is_adaptive) &&
         !may_begin_unstably(contact, k, extent, member->least_mass, weights, dt);
}

/* Returns the largest motion [radii] of two members towards each other within a step that needs no test of their pairs. */
static double largest_motion(const eli_contact *contact) {
  return watches_dampers(contact) ? ELI_LAYER_ONSET : 1.0;
}

/* Returns 1 if steps of dt are short enough for contact of any element along its whole length, and for the fastest nodes. No node exceeds
 * the speed used here, half the diagonal of the box of velocities. */
static int is_short_for_all(const eli_contact *contact, double dt) {
  eli_pace pace = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
  double spinning = 0.0, square = 0.0;
  int is_short = 1;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    const elastica_rod_view *rod = member->rod;
    if (rod == NULL) continue;
    contact->pace(rod, &pace);
    member->longest = pace.longest, member->least_mass = pace.least_mass;
    if (!is_short_for(contact, member, contact->largest_radius, dt)) is_short = 0;
    const double own = spinning_of(member);
    if (own > spinning) spinning = own;
  }
  for (int a = 0; a < 3; a++) square += (pace.high[a] - pace.low[a]) * (pace.high[a] - pace.low[a]);
  return is_short && 4.0 * dt * (0.5 * sqrt(square) + spinning) <= largest_motion(contact) * contact->least_radius;
}

/* Returns 1 if steps of dt are short enough for each member and its pairs in the list. */
static int is_short_in_list(const eli_contact *contact, double dt) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL || member->partner == 0.0) continue;
    if (!is_short_for(contact, member, member->partner, dt)) return 0;
    if (!(4.0 * dt * member->speed <= largest_motion(contact) * member->thinnest)) return 0;
  }
  return 1;
}

int eli_contact_is_long(const eli_contact *contact, double dt, double *fastest, double middle[3]) {
  if (is_short_for_all(contact, dt)) return 0;
  *fastest = find_fastest(contact, middle);
  return 1;
}

/* Computes the same from spans. */
static int spans_await(eli_contact *contact, const eli_contact_gap *awaited, double dt) {
  if (!find_spans(contact, awaited)) return -1;
  for (size_t k = 0; k < contact->span_pairs.count; k++) {
    const uint64_t key = contact->span_pairs.keys[k];
    const double gap = mean_gap(contact, awaited, contact->spans[eli_pair_first(key)].rod, contact->spans[eli_pair_second(key)].rod);
    if (each_of_spans(contact, key, gap, no_contact_is_awaited, pair_awaits, dt)) return 1;
  }
  return 0;
}

int eli_contact_awaits(eli_contact *contact, double dt) {
  if (!(dt > 0.0) || eli_is_statics(&contact->now)) return 0;
  if (!eli_contact_find_members(contact)) return -1;
  double speed, middle[3];
  if (contact->element_count < 2 || !eli_contact_is_long(contact, dt, &speed, middle)) return 0;
  const eli_contact_gap awaited = {ELI_CONTACT_MARGIN, ELI_STEPS_AWAITED * dt, 0.0, 0.0};
  if (eli_contact_cover(contact, &awaited) < 0) return -1;
  if (contact->count == 0 || is_short_in_list(contact, dt)) return 0;
  if (contact->span_count > 0 && contact->count > MANY * (size_t)contact->span_count) return spans_await(contact, &awaited, dt);
  eli_contact_draw_outlines(contact);
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (!eli_contact_is_far(contact, pair, 1.0, mean_gap(contact, &awaited, pair->rod[0], pair->rod[1])) && pair_awaits(contact, pair, dt))
      return 1;
  }
  return 0;
}

/* ---- Two elements on a course of contact, for checks of a world ---- */

#define SLENDER 4.0 /* radii: the part of a rod on either side of a crossing that is included */

enum { MOVES = 40 };

int eli_contact_update(eli_contact *contact) {
  return eli_contact_cover(contact, NULL) >= 0;
}

int eli_contact_is_round(const eli_contact *contact, int rod) {
  if (rod < contact->first_rod || rod >= contact->end_rod) return 0;
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  return member->rod != NULL && !member->solid;
}

int eli_contact_let_touch(const eli_contact *contact, const int rod[2], const int element[2]) {
  const int turned = rod[0] > rod[1];
  const int rods[2] = {rod[turned], rod[1 - turned]}, elements[2] = {element[turned], element[1 - turned]};
  return eli_contact_reduction(contact, rods, elements) == 1.0;
}

/* ---- Time of contact ---- */

static void move(const eli_capsule *from, const double w[3], double time, eli_capsule *to) {
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) to->end[end][a] = from->end[end][a] + time * w[a];
}

static double distance_after(const eli_capsule at[2], const double w[3], double time, eli_closest *closest) {
  eli_capsule moved;
  move(&at[0], w, time, &moved);
  eli_segment_closest(moved.end[0], moved.end[1], at[1].end[0], at[1].end[1], closest);
  return closest->distance;
}

/* The distance is a convex function of time: finds its least value, and, before that, the time at which the surfaces touch. */
int eli_capsules_approach(const eli_capsule at[2], const double w[3], eli_encounter *out) {
  const double reach = at[0].radius + at[1].radius, square = eli_dot(w, w);
  eli_closest closest;
  double time = 0.0, low = 0.0, least = distance_after(at, w, 0.0, &closest);
  for (int k = 0; k < MOVES && least > 0.0; k++) {
    const double further = time + closest.distance * eli_dot(closest.direction, w) / square, next = further > 0.0 ? further : 0.0;
    if (next == time) break;
    time = next;
    const double own = distance_after(at, w, time, &closest);
    if (own < least) least = own;
  }
  if (!(least < reach)) return 0;
  double high = time;
  if (distance_after(at, w, 0.0, &closest) <= reach) high = 0.0;
  for (int k = 0; k < MOVES && high > 0.0; k++) {
    const double middle = 0.5 * (low + high);
    *(distance_after(at, w, middle, &closest) > reach ? &low : &high) = middle;
  }
  (void)distance_after(at, w, high, &closest);
  out->time = high;
  out->share[0] = closest.s, out->share[1] = closest.t;
  memcpy(out->normal, closest.direction, sizeof out->normal);
  return 1;
}

/* ---- Strengths ---- */

/* Sets the part that is included: of a rod a straight part on either side of the place, up to a free end; of a body all of it. */
static void lay(const eli_capsule *of, int rigid, double share, const double place[3], double half, eli_capsule *out) {
  double edge[3];
  *out = *of;
  for (int a = 0; a < 3; a++) edge[a] = of->end[1][a] - of->end[0][a];
  const double length = sqrt(eli_dot(edge, edge));
  for (int end = 0; end < 2; end++) {
    const int is_there = rigid || (of->cap[end] > 0.0 && share == end);
    const double way = length > 0.0 ? (is_there ? (end - share) : (end ? half : -half) / length) : 0.0;
    for (int a = 0; a < 3; a++) out->end[end][a] = place[a] + way * edge[a], out->velocity[end][a] = 0.0;
    if (!is_there) out->cap[end] = 0.0;
    out->end_radius[end] = of->radius;
  }
  for (int a = 0; a < 3; a++) edge[a] = out->end[1][a] - out->end[0][a];
  out->measure = sqrt(eli_dot(edge, edge));
}

static double length_of(const eli_capsule *at) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->end[1][a] - at->end[0][a];
  return sqrt(eli_dot(edge, edge));
}

/* Uses the contact law itself, without its damper. */
eli_strength eli_contact_strength(const eli_contact *contact, const eli_capsule at[2], const int rigid[2], const eli_encounter *of) {
  const int thin = at[1].rest_radius < at[0].rest_radius;
  const double least = at[thin].rest_radius, apart = at[0].radius + at[1].radius - ELI_DEEP * least;
  const double lengths[2] = {length_of(&at[0]), length_of(&at[1])}, common = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
  const eli_line_law law = {contact->law.line.modulus, 0.0};
  eli_strength out = {0.0, 0.0, {0.0, 0.0}, !rigid[0] && !rigid[1] && eli_capsule_sine(at) < ELI_PARALLEL};
  double place[2][3];
  eli_capsule laid[2];
  eli_lines lines;
  eli_line_loads found;
  for (int a = 0; a < 3; a++) place[0][a] = 0.0, place[1][a] = apart * of->normal[a];
  eli_lines_begin(&lines, &law);
  lines.count = 1;
  for (int side = 0; side < 2; side++) {
    const double far = SLENDER * (at[0].radius + at[1].radius);
    const int aside = out.parallel; /* side by side no end is included, and of the first element the length common to both */
    eli_capsule own = at[side];
    if (aside) own.cap[0] = own.cap[1] = 0.0;
    lay(&own, rigid[side], aside ? 0.5 : of->share[side], place[side], aside ? 0.5 * common + (side ? far : 0.0) : far, &laid[side]);
    eli_lines_place(&lines, 0, side, &laid[side]);
    out.length[side] = aside ? common : lengths[side] > at[side].radius ? lengths[side] : at[side].radius;
  }
  contact->work->find_parts(&lines);
  contact->work->find_lines(&lines);
  (void)eli_lines_read(&lines, 0, &found);
  out.energy = found.energy;
  out.force = found.elastic;
  return out;
}

double eli_contact_crossing_strength(const eli_contact *contact, double radius) {
  eli_capsule at[2];
  const eli_encounter across = {0.0, {0.5, 0.5}, {0.0, 0.0, 1.0}};
  const int rigid[2] = {0, 0};
  memset(at, 0, sizeof at);
  for (int side = 0; side < 2; side++) {
    at[side].end[0][side] = -SLENDER * radius, at[side].end[1][side] = SLENDER * radius;
    at[side].radius = at[side].rest_radius = at[side].end_radius[0] = at[side].end_radius[1] = radius;
  }
  return eli_contact_strength(contact, at, rigid, &across).force;
}
