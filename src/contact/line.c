/* Pairs of capsules into rows of several, and what is found of them out of rows (see line.h). */
#include "base/target.h"

#include "contact/line.h"

#include <stddef.h>
#include <string.h>

void eli_lines_begin(eli_lines *lines, const eli_line_law *law) {
  memset(lines, 0, offsetof(eli_lines, force));
  lines->law = *law;
  lines->count = 0;
}

void eli_lines_place(eli_lines *lines, int q, int side, const eli_capsule *capsule, unsigned goes_on) {
  for (int end = 0; end < 2; end++) {
    for (int a = 0; a < 3; a++) {
      lines->end[side][end][a][q] = capsule->end[end][a];
      lines->border[side][end][a][q] = capsule->border[end][a];
    }
    lines->joined[side][end][q] = goes_on >> end & 1u;
    lines->end_radius[side][end][q] = capsule->end_radius[end];
    lines->cap[side][end][q] = capsule->cap[end];
  }
  lines->measure[side][q] = capsule->measure;
}

void eli_lines_move(eli_lines *lines, int q, int side, const eli_capsule *capsule) {
  for (int end = 0; end < 2; end++) {
    for (int a = 0; a < 3; a++) {
      lines->end[side][end][a][q] = capsule->end[end][a];
      lines->velocity[side][end][a][q] = capsule->velocity[end][a];
    }
    lines->end_radius[side][end][q] = capsule->end_radius[end];
  }
  for (int a = 0; a < 3; a++) lines->spin[side][a][q] = capsule->spin[a];
  lines->measure[side][q] = capsule->measure;
}

void eli_lines_copy_parts(const eli_lines *from, int p, eli_lines *lines, int q) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++) {
      lines->low[side][k][q] = from->low[side][k][p];
      lines->high[side][k][q] = from->high[side][k][p];
    }
    for (int end = 0; end < 2; end++) lines->tip[side][end][q] = from->tip[side][end][p];
  }
  lines->weight[q] = from->weight[p];
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
    middle->velocity[a] = lines->slip[a][q];
  }
  for (int side = 0; side < 2; side++) {
    middle->share[side] = lines->middle[side][q];
    for (int a = 0; a < 3; a++) middle->axis[side][a] = lines->axis[side][a][q];
  }
  middle->spin = lines->turning[q];
}
