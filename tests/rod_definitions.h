/* A definition of a rod to start from, and arrays for its fields. */
#ifndef TESTS_ROD_DEFINITIONS_H
#define TESTS_ROD_DEFINITIONS_H

#include "support.h"

enum { N = 10 };

static inline elastica_rod_def sound_def(void) {
  DEFAULTS(rod, def);
  def.element_count = N;
  def.length = 2.0;
  def.radius = 0.05;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  return def;
}

static inline void fill(double *values, int count, double value) {
  for (int k = 0; k < count; k++) values[k] = value;
}

#endif
