/* One rod in contact with a wall (see wall_contact.h). */
#include "base/target.h"

#include "effects/wall_contact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rotation.h"

enum { SINGLES = 17, TRIPLES = 11 };

/* Assigns the lanes of a block of memory and writes the constants. */
static void lay_out(eli_wall_contact *c, double *next, size_t stride, const elastica_rod_view *rod) {
  double **const single[SINGLES] = {&c->share_before,   &c->share_after,  &c->distance,     &c->radius,        &c->pressure,
                                    &c->slip_along,     &c->slip_across,  &c->static_along, &c->static_across, &c->kinetic_along,
                                    &c->kinetic_across, &c->need_along,   &c->need_across,  &c->yield,         &c->part_before,
                                    &c->part_after,     &c->node_distance};
  double **const triple[TRIPLES] = {c->inverse_inertia, c->normal, c->wall_velocity,     c->along,   c->across, c->axis, c->push,
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
}

int eli_wall_contact_create(const eli_allocator *allocator, const elastica_rod_view *rod, eli_wall_contact *contact) {
  const size_t blocks = ((size_t)rod->element_count + ELI_WALL_MARGIN) / ELI_WALL_MARGIN, stride = (blocks + 1) * ELI_WALL_MARGIN;
  double *memory = eli_allocate(allocator, stride * (SINGLES + 3 * TRIPLES) + 2 * ELI_WALL_MARGIN, sizeof(double));
  contact->memory = memory;
  if (memory == NULL) return 0;
  const size_t past = (size_t)((uintptr_t)memory / sizeof(double) % ELI_WALL_MARGIN);
  lay_out(contact, memory + 2 * ELI_WALL_MARGIN - past, stride, rod);
  return 1;
}

void eli_wall_contact_set_flat(eli_wall_contact *c, const double point[3], const double normal[3]) {
  c->flat = normal != NULL;
  for (int a = 0; a < 3 && c->flat; a++) {
    c->point[a] = point[a];
    for (int j = 0; j < c->count; j++) c->normal[a][j] = normal[a];
  }
}

void eli_wall_contact_visit_loads(const eli_wall_contact *c, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const size_t n = (size_t)c->count * sizeof(double);
  for (int a = 0; a < 3; a++) {
    visit(context, c->force[a], n + sizeof(double));
    visit(context, c->position[a], n + sizeof(double));
    visit(context, c->laboratory_couple[a], n);
  }
}

void eli_wall_contact_keep_loads(const eli_wall_contact *c, int element_count, eli_record *record) {
  const size_t n = (size_t)element_count;
  for (int a = 0; a < 3; a++) {
    eli_record_doubles(record, c->force[a], n + 1);
    eli_record_doubles(record, c->position[a], n + 1);
    eli_record_doubles(record, c->laboratory_couple[a], n);
  }
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

void eli_wall_contact_move_wall(const eli_wall_contact *c, const eli_placement *place, const elastica_rod_view *rod) {
  double omega[3];
  eli_turn_back(place->director, place->omega, omega);
  for (int j = 0; j < c->count; j++) {
    double arm[3];
    for (int a = 0; a < 3; a++)
      arm[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]) - c->distance[j] * c->normal[a][j] - place->position[a];
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      c->wall_velocity[a][j] = place->velocity[a] + omega[b] * arm[d] - omega[d] * arm[b];
    }
  }
}

void eli_wall_contact_find_nodes(const eli_wall_contact *c, const eli_obstacle *obstacle, const eli_placement *place,
                                 const elastica_rod_view *rod) {
  eli_obstacle_node_distances(obstacle, place->position, place->director, c->count + 1, rod->position, c->node_distance);
}

void eli_wall_contact_subtract_loads(const eli_wall_contact *c, const double place[3], int turns, double force[3], double couple[3]) {
  const int nodes = c->closed ? c->count : c->count + 1;
  for (int i = 0; i < nodes; i++) {
    double arm[3], pull[3];
    for (int a = 0; a < 3; a++) {
      arm[a] = c->position[a][i] - place[a];
      pull[a] = c->force[a][i];
      force[a] -= pull[a];
    }
    couple[0] -= arm[1] * pull[2] - arm[2] * pull[1];
    couple[1] -= arm[2] * pull[0] - arm[0] * pull[2];
    couple[2] -= arm[0] * pull[1] - arm[1] * pull[0];
  }
  if (!turns) return;
  for (int j = 0; j < c->count; j++)
    for (int a = 0; a < 3; a++) couple[a] -= c->laboratory_couple[a][j];
}
