/* A soft hairpin with touching legs, of elements of very different lengths. */
#ifndef TESTS_HAIRPINS_H
#define TESTS_HAIRPINS_H

#include "measured.h"

/* Its legs, 0.8 m long, lie gap apart and cross at a small angle. Elements are 26 to 97 mm long, the radius is 48.5 mm. */
static inline elastica_rod *add_hairpin(elastica_world *world, double gap) {
  enum { n = 40 };
  const double pi = 3.14159265358979324, leg = 0.8, arc = 0.5 * pi * gap;
  double position[3 * (n + 1)], length[n], sum = 0.0, before = 0.0;
  for (int j = 0; j < n; j++) sum += length[j] = 0.026 + 0.071 * (0.5 + 0.5 * sin(2.4 * j));
  for (int i = 0; i <= n; i++) {
    const double s = before / sum * (2.0 * leg + arc), angle = (s - leg) / (0.5 * gap);
    const int first = (s < leg), last = (s > leg + arc);
    const double x = first ? leg - s : last ? s - leg - arc : -0.5 * gap * sin(angle);
    const double y = first ? 0.5 * gap : last ? -0.5 * gap : 0.5 * gap * cos(angle);
    set_vector(position, i, x, y, 0.01 * s);
    if (i < n) before += length[i];
  }
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.0485, def.density = 1000.0, def.youngs_modulus = 2.4e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

#endif
