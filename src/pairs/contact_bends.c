/* How far bends keep elements of one rod apart (see contact.h).
 *
 * models     the tangents of a chain of elements that turns by T in all are within T/2 of the tangent half way: their projections on that are
 *            at least cos(T/2) of their lengths, and elements at both ends that lie within a right angle of it do not reach back
 * equation   gap >= cos(T/2) sum l, of the elements between two, for an angle up to pi/2 with either of both
 * test       tests/test_contact_bends.c, tests/test_contact_self.c
 *
 * Elements that are close along a rod are close in space, too, wherever the rod moves, and most rods never bend so far that these touch. So
 * joints that are bent by less than a limit are counted on: pairs between which all joints are such are not in the list, which is built anew
 * when one is bent further. This also holds along a rod that turns as a whole, which no bound by velocities can tell.
 */
#include "base/target.h"

#include "rod/law.h"
#include "base/vector.h"
#include "pairs/contact.h"

#include <math.h>

/* The limit of a joint: the bend with a radius of curvature of 1/BEND radii, up to where straight elements may touch; and [rad] none wider. */
#define BEND 0.35
#define WIDEST 0.8

/* Elements this many radii long have nobody near but their neighbours: bends are not looked at where all are. */
#define LONG 6.0

/* [rad] The turn of a joint that is not counted on, and what tells it. */
#define ANY_TURN 4.0
#define RIGHT_ANGLE 1.57

/* From below and from above. */
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

/* ---- Which joints are counted on ---- */

/* An element, and how fast it turns. */
typedef struct edge {
  double along[3], square, spin[3];
} edge;

static void find_edge(const elastica_rod_view *rod, int j, edge *out) {
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

/* 1: the joint between both is bent by no more than a share of its limit, nor will be by more than the limit within the horizon. */
static int is_gentle(const edge *one, const edge *other, double limit, double share, double horizon) {
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
  edge edges[2];
  find_edge(member->rod, 0, &edges[0]);
  member->turn[0] = member->way[0] = 0.0;
  for (int k = 1; k <= n; k++) {
    const edge *before = &edges[(k + 1) % 2];
    edge *own = &edges[k % 2];
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

int eli_contact_bends_hold(const eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod == NULL || member->reference.least_cosine == NULL) continue;
    for (int k = 1; k <= member->rod->element_count; k++)
      if (member->least_cosine[k - 1] > 0.0 && !is_counted(member, k)) return 0;
  }
  return 1;
}

void eli_contact_count_on_bends(const eli_contact *contact) {
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

/* ---- What they keep apart ---- */

/* By a chain in which elements of this length turn by this in all, and further by first and last against both. */
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
