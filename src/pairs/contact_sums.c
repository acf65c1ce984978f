/* Loads of contact, summed up beside the lanes (see contact.h).
 *
 * What touches an element lies anywhere, and each lane of its loads elsewhere. So all that contact adds to a node and an element is summed in
 * one line of a cache, which begins with what the lanes hold and replaces it: the same sums in the same order.
 */
#include "base/target.h"

#include "base/module.h"
#include "base/section.h"
#include "pairs/contact.h"

/* Rods that a worker takes at once, and what an element takes it [ns]. */
enum { SOME = 8 };
#define ELEMENT_WORK 15.0

size_t eli_contact_sum_count(const eli_contact *contact) {
  return (size_t)contact->element_count + (size_t)(contact->end_rod - contact->first_rod);
}

static size_t first_sum(const eli_contact *contact, int rod) {
  return (size_t)eli_contact_member_of(contact, rod)->first + (size_t)(rod - contact->first_rod);
}

void eli_contact_find_sums(const eli_contact *contact, int rod, int j, size_t sum[2]) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  sum[0] = first_sum(contact, rod) + (size_t)j;
  sum[1] = first_sum(contact, rod) + (size_t)(view->rigid ? j : eli_second_node(view, j));
}

/* The nodes whose sums go with an element in a close pair: its first; the others that touch it where no such element begins with them. */
static int nodes_of(const eli_contact *contact, const eli_contact_member *member, int j, int node[3]) {
  const elastica_rod_view *rod = member->rod;
  const int is_last = j + 1 == rod->element_count;
  int count = 0;
  node[count++] = j;
  if (rod->rigid) return count;
  if (is_last || contact->number[member->first + j + 1] < 0) node[count++] = j + 1;
  if (is_last && rod->closed && contact->number[member->first] < 0) node[count++] = 0;
  return count;
}

void eli_contact_open_sums(const eli_contact *contact, int rod, int j, const elastica_loads *loads) {
  const eli_contact_member *member = eli_contact_member_of(contact, rod);
  int node[3];
  const int count = nodes_of(contact, member, j, node);
  for (int k = 0; k < count; k++) {
    eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)node[k]];
    const int has_couple = node[k] < member->rod->element_count;
    for (int a = 0; a < 3; a++) {
      sum->force[a] = loads[rod].force[a][node[k]];
      sum->couple[a] = has_couple ? loads[rod].couple[a][node[k]] : 0.0;
    }
    sum->widening = 0.0;
  }
}

static void widen(eli_contact_member *member, int node, double by) {
  member->widening[node] = by;
  if (node < member->first_widened) member->first_widened = node;
  if (node > member->last_widened) member->last_widened = node;
}

static void close_sums(const eli_contact *contact, int rod, int j, const elastica_loads *loads) {
  eli_contact_member *member = eli_contact_member_of(contact, rod);
  int node[3];
  const int count = nodes_of(contact, member, j, node);
  for (int k = 0; k < count; k++) {
    const eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)node[k]];
    for (int a = 0; a < 3; a++) loads[rod].force[a][node[k]] = sum->force[a];
    for (int a = 0; a < 3 && node[k] < member->rod->element_count; a++) loads[rod].couple[a][node[k]] = sum->couple[a];
    if (sum->widening != 0.0) widen(member, node[k], sum->widening);
  }
}

/* ---- What shorter elements gain by being thicker ---- */

/* The tension that keeps the volume: a shorter element is thicker, and overlaps more (classical law). part [N] of it widens this one. */
static double tension_of(const elastica_rod_view *rod, int j, double part) {
  return -part * 0.5 * eli_radius(rod->volume[j], rod->length[j]) / rod->length[j];
}

void eli_contact_add_tension(const eli_contact *contact, int rod, int j, double part) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  eli_contact_sum *sum = &contact->sums[first_sum(contact, rod) + (size_t)j];
  const double tension = tension_of(view, j, part);
  for (int a = 0; a < 3; a++) {
    sum[0].force[a] += tension * view->tangent[a][j];
    sum[1].force[a] -= tension * view->tangent[a][j];
  }
}

/* A node has the mean radius of its elements: half of what widens it widens either. */
static void add_tensions(eli_contact_member *member, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  const int first = member->first_widened, last = member->last_widened, n = rod->element_count;
  for (int j = first - 1; j <= last && j < n; j++) {
    const int own = j < 0 ? n - 1 : j; /* of a ring, the last element is before node 0 */
    double part = 0.0;
    if (j < 0 && (!rod->closed || last >= n - 1)) continue;
    for (int end = 0; end < 2; end++)
      part += (eli_contact_neighbour(rod, own, end) < 0 ? 1.0 : 0.5) * member->widening[end ? eli_second_node(rod, own) : own];
    if (part == 0.0) continue;
    const double tension = tension_of(rod, own, part);
    for (int a = 0; a < 3; a++) {
      loads->force[a][own] += tension * rod->tangent[a][own];
      loads->force[a][own + 1] -= tension * rod->tangent[a][own];
    }
  }
  for (int i = first; i <= last; i++) member->widening[i] = 0.0;
  member->first_widened = n + 1;
  member->last_widened = -1;
}

/* ---- All ---- */

typedef struct closing {
  const eli_contact *contact;
  const elastica_loads *loads;
} closing;

static void close_some(void *context, int worker, size_t index) {
  const closing *of = context;
  const eli_contact *contact = of->contact;
  const int first = contact->first_rod + (int)index * SOME;
  (void)worker;
  for (int r = first; r < first + SOME && r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    for (int p = member->first_placed; p < member->end_placed; p++)
      close_sums(contact, r, contact->placed_element[p] - member->first, of->loads);
    if (member->rod != NULL && member->last_widened >= member->first_widened) add_tensions(member, &of->loads[r]);
  }
}

void eli_contact_close_sums(const eli_contact *contact, const elastica_loads *loads) {
  const size_t rods = (size_t)(contact->end_rod - contact->first_rod);
  closing of = {contact, loads};
  eli_world_share(contact->world, (rods + SOME - 1) / SOME, ELEMENT_WORK * (double)contact->placed_count, close_some, &of);
}
