/* One rod in contact with a wall (see wall_contact.h). */
#include "base/target.h"

#include "contact/wall_contact.h"

#include <math.h>
#include <string.h>

enum { SINGLES = 14, TRIPLES = 11 };

/* Names the lanes of a block and writes the constants. */
static void lay_out(eli_wall_contact *c, double *next, size_t stride, const elastica_rod_view *rod) {
  double **const single[SINGLES] = {&c->share_before,   &c->share_after, &c->distance,     &c->radius,        &c->pressure,
                                    &c->slip_along,     &c->slip_across, &c->static_along, &c->static_across, &c->kinetic_along,
                                    &c->kinetic_across, &c->part_before, &c->part_after,   &c->node_distance};
  double **const triple[TRIPLES] = {c->inverse_inertia, c->normal, c->wall_velocity,     c->across,  c->axis, c->node_across, c->push,
                                    c->force,           c->couple, c->laboratory_couple, c->position};
  for (int k = 0; k < SINGLES; k++, next += stride) *single[k] = next;
  for (int k = 0; k < TRIPLES; k++)
    for (int a = 0; a < 3; a++, next += stride) triple[k][a] = next;
  c->count = rod->element_count;
  c->closed = rod->closed;
  for (int j = 0; j < c->count; j++) {
    c->share_before[j] = !rod->closed && j == 0 ? 1.0 : 0.5;
    c->share_after[j] = !rod->closed && j + 1 == c->count ? 1.0 : 0.5;
    for (int a = 0; a < 3; a++) c->inverse_inertia[a][j] = 1.0 / rod->inertia[a][j];
  }
  eli_wall_contact_forget_nodes(c);
}

int eli_wall_contact_create(const eli_allocator *allocator, const elastica_rod_view *rod, eli_wall_contact *contact) {
  enum { LINE = 8 }; /* doubles in a cache line: no two lanes share one */
  const size_t stride = ((size_t)rod->element_count + LINE) / LINE * LINE;
  double *lanes = eli_allocate(allocator, stride * (SINGLES + 3 * TRIPLES), sizeof(double));
  contact->memory = lanes;
  if (lanes != NULL) lay_out(contact, lanes, stride, rod);
  return lanes != NULL;
}

void eli_wall_contact_forget_nodes(const eli_wall_contact *c) {
  for (int i = 0; i <= c->count; i++) c->node_distance[i] = -INFINITY;
}

void eli_wall_contact_stop_wall(const eli_wall_contact *c) {
  for (int a = 0; a < 3; a++) memset(c->wall_velocity[a], 0, (size_t)c->count * sizeof(double));
}

void eli_wall_contact_destroy(const eli_allocator *allocator, eli_wall_contact *contact) {
  eli_release(allocator, contact->memory);
}
