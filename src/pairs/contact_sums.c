/* Loads of contact, summed beside the lanes (see contact.h).
 *
 * The partners of an element are anywhere in memory, and each lane of its loads elsewhere. So all loads of contact on a node and an element
 * are summed in one cache line, which begins with the values of the lanes and replaces them: the same sums in the same order.
 */
#include "base/target.h"

#include "base/module.h"
#include "rod/law.h"
#include "pairs/contact.h"

/* The number of rods per task of a worker, and the time of an element [ns]. */
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

/* Finds the nodes with sums that belong to an element in a close pair: its first node, and its last one if no such element begins there. */
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

/* ---- Tensions of the classical law ---- */

/* Returns the tension from constant volume: a shorter element is thicker, and overlaps more (classical law). part [N] is the widening load
 * of this element. */
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

/* Adds the tensions of a rod. A node has the mean radius of its elements, so half of its widening load acts on each. */
static void add_tensions(eli_contact_member *member, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  const int first = member->first_widened, last = member->last_widened, n = rod->element_count;
  for (int j = first - 1; j <= last && j < n; j++) {
    const int own = j < 0 ? n - 1 : j; /* the last element of a ring is before node 0 */
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

/* ---- All rods ---- */

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
