/* Shared code of the tests of elastic layers. */
#ifndef TESTS_LAYERED_H
#define TESTS_LAYERED_H

#include "support.h"

static inline elastica_contact_def layer(double modulus) {
  DEFAULTS(contact, def);
  def.modulus = modulus;
  return def;
}

/* [m] the deepest overlap, and the number of touching pairs. */
static inline double deepest(elastica_effect *contact, int *count) {
  static elastica_contact_point point[4096];
  double depth = 0.0;
  must(elastica_effect_get(contact).world, elastica_contact_get(contact, point, 4096, count));
  for (int k = 0; k < *count && k < 4096; k++)
    if (point[k].depth > depth) depth = point[k].depth;
  return depth;
}

#endif
