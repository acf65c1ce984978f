/* Shared code of the tests of clamps. */
#ifndef TESTS_CLAMPED_H
#define TESTS_CLAMPED_H

#include "support.h"

static const elastica_end ends[2] = {ELASTICA_END_FIRST, ELASTICA_END_LAST};
static const elastica_clamp_kind kinds[2] = {ELASTICA_CLAMP_HALF_CELL, ELASTICA_CLAMP_FRAME};

/* Adds a rod of n elements of 0.1 m. */
static inline elastica_rod *add_rod(elastica_world *world, int n) {
  return add_straight_rod(world, n, 0.1 * n, 0.05, 1000.0, 1e5, 4e4);
}

static inline elastica_clamp_def clamp_of(elastica_end end, elastica_clamp_kind kind) {
  DEFAULTS(clamp, def);
  def.end = end;
  def.kind = kind;
  return def;
}

#endif
