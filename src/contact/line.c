/* Copies pairs of capsules into rows, and results out of them (see line.h). */
#include "base/target.h"

#include "contact/line.h"

#include "base/vector.h"

#include <stddef.h>
#include <string.h>

void eli_lines_begin(eli_lines *lines, const eli_line_law *law) {
  memset(lines, 0, offsetof(eli_lines, force));
  lines->law = *law;
  lines->count = 0;
}

void eli_lines_place(eli_lines *lines, int q, int side, const eli_capsule *capsule) {
  eli_capsule_rows *rows = &lines->side[side];
  for (int end = 0; end < 2; end++) {
    for (int a = 0; a < 3; a++) {
      rows->end[end][a][q] = capsule->end[end][a];
      rows->velocity[end][a][q] = capsule->velocity[end][a];
    }
    rows->end_radius[end][q] = capsule->end_radius[end];
    rows->cap[end][q] = capsule->cap[end];
  }
  rows->measure[q] = capsule->measure;
  rows->rest_radius[q] = capsule->rest_radius;
}

void eli_capsule_reduce(eli_capsule *capsule, double reduction) {
  capsule->radius *= reduction;
  capsule->rest_radius *= reduction;
  for (int end = 0; end < 2; end++) {
    capsule->end_radius[end] *= reduction;
    capsule->cap[end] *= reduction;
  }
}

void eli_lines_reduce(eli_lines *lines, int q, double reduction) {
  for (int side = 0; side < 2; side++) {
    eli_capsule_rows *rows = &lines->side[side];
    for (int end = 0; end < 2; end++) {
      rows->end_radius[end][q] *= reduction;
      rows->cap[end][q] *= reduction;
    }
    rows->rest_radius[q] *= reduction;
  }
}

/* f' and f'' of the core grow with the overlap; those of the layer are at most k eps and k. */
eli_stiffening eli_line_stiffening(double radius, double other, double eps) {
  const double thin = radius < other ? radius : other, thick = radius < other ? other : radius, sum = radius + other;
  const double onset = ELI_CORE_ONSET * thin, near = sum - onset, K = near * near - thick * thick;
  eli_stiffening out = {1.0, 1.0};
  if (!(eps > onset)) return out;
  /* u^7 has the second derivative 168 u^5 d^2/K^2 - 14 u^6/K; its first term is largest at d^2 = near^2/6 */
  const double apart = sum > eps ? sum - eps : 0.0, d2 = apart * apart > near * near / 6.0 ? apart * apart : near * near / 6.0;
  const double u = (near * near - d2) / K, u5 = u * u * u * u * u;
  out.stiffness += ELI_CORE_STRENGTH * 168.0 * u5 * d2 / K;
  out.pressure += ELI_CORE_STRENGTH * 14.0 * u5 * u * near / eps;
  return out;
}

int eli_lines_read(const eli_lines *lines, int q, eli_line_loads *line) {
  for (int side = 0; side < 2; side++) {
    for (int end = 0; end < 2; end++) {
      for (int a = 0; a < 3; a++) line->force[side][end][a] = lines->force[side][end][a][q];
      line->swelling[side][end] = lines->swelling[side][end][q];
    }
    line->share[side] = lines->share[side][q];
  }
  for (int a = 0; a < 3; a++) line->normal[a] = lines->normal[a][q];
  line->pressure = lines->pressure[q];
  line->elastic = lines->elastic[q];
  line->extent = lines->extent[q];
  line->energy = lines->energy[q];
  line->depth = lines->depth[q];
  return line->depth > 0.0;
}

void eli_lines_read_middle(const eli_lines *lines, int q, eli_line_middle *middle) {
  for (int a = 0; a < 3; a++) {
    middle->normal[a] = lines->direction[a][q];
    middle->point[a] = lines->point[a][q];
  }
  for (int side = 0; side < 2; side++) {
    middle->share[side] = lines->middle[side][q];
    for (int a = 0; a < 3; a++) middle->axis[side][a] = lines->axis[side][a][q];
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
