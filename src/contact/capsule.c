/* Elements of rods and round bodies as capsules (see capsule.h). */
#include "base/target.h"

#include "contact/capsule.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

void eli_capsule_of_body(const eli_round *shape, const elastica_rod_view *body, eli_capsule *out) {
  double spin[3], arm[3], turning[3];
  memset(out, 0, sizeof *out);
  eli_round_arm(shape, body, arm);
  eli_spin_of(body, 0, spin);
  eli_cross(spin, arm, turning);
  for (int end = 0; end < 2; end++) {
    const double sign = end ? 1.0 : -1.0;
    for (int a = 0; a < 3; a++) {
      out->end[end][a] = body->position[a][0] + sign * arm[a];
      out->velocity[end][a] = body->velocity[a][0] + sign * turning[a];
    }
    out->cap[end] = ELI_CAP * shape->radius;
  }
  out->radius = shape->radius;
  out->measure = 2.0 * shape->half_length;
  out->rest_radius = shape->radius;
}

void eli_capsule_of_element(const elastica_rod_view *rod, int j, eli_capsule *out) {
  memset(out, 0, sizeof *out);
  out->rest_radius = eli_radius(rod->volume[j], rod->rest_length[j]);
  for (int end = 0; end < 2; end++) {
    const int free = !rod->closed && j == (end ? rod->element_count - 1 : 0);
    for (int a = 0; a < 3; a++) {
      out->end[end][a] = rod->position[a][j + end];
      out->velocity[end][a] = rod->velocity[a][j + end];
    }
    out->cap[end] = free ? ELI_CAP * out->rest_radius : 0.0;
  }
  out->radius = eli_radius(rod->volume[j], rod->length[j]);
  out->measure = rod->rest_length[j];
}

void eli_capsule_push(const eli_round *shape, const elastica_rod_view *rod, int j, const double force[2][3], const double couple[3],
                      const elastica_loads *loads) {
  double moment[3] = {couple[0], couple[1], couple[2]};
  if (rod->rigid) {
    double arm[3], difference[3], turning[3];
    eli_round_arm(shape, rod, arm);
    for (int a = 0; a < 3; a++) difference[a] = force[1][a] - force[0][a];
    eli_cross(arm, difference, turning);
    for (int a = 0; a < 3; a++) {
      loads->force[a][j] += force[0][a] + force[1][a];
      moment[a] += turning[a];
    }
  } else {
    const int next = eli_second_node(rod, j);
    for (int a = 0; a < 3; a++) {
      loads->force[a][j] += force[0][a];
      loads->force[a][next] += force[1][a];
    }
  }
  if (moment[0] == 0.0 && moment[1] == 0.0 && moment[2] == 0.0) return;
  for (int a = 0; a < 3; a++)
    loads->couple[a][j] += rod->director[a][0][j] * moment[0] + rod->director[a][1][j] * moment[1] + rod->director[a][2][j] * moment[2];
}

void eli_capsule_add_tension(const elastica_rod_view *rod, int j, double radius, double elastic, double force[2][3]) {
  if (!rod->classical_law || rod->rigid) return;
  const double tension = -elastic * 0.5 * radius / rod->length[j];
  for (int a = 0; a < 3; a++) {
    force[0][a] += tension * rod->tangent[a][j];
    force[1][a] -= tension * rod->tangent[a][j];
  }
}

double eli_capsule_sine(const eli_capsule at[2]) {
  double edge[2][3], across[3];
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) edge[side][a] = at[side].end[1][a] - at[side].end[0][a];
  eli_cross(edge[0], edge[1], across);
  const double square = eli_dot(edge[0], edge[0]) * eli_dot(edge[1], edge[1]);
  return square > 0.0 ? sqrt(eli_dot(across, across) / square) : 1.0;
}
