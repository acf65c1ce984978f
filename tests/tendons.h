/* Tendons for tests. */
#ifndef TESTS_TENDONS_H
#define TESTS_TENDONS_H

#include "bodies.h"
#include "scenes.h"

/* ---- Cables between two rods and two bodies ---- */

enum { GUIDES = 7 };

typedef struct rig {
  elastica_world *world;
  elastica_rod *rod[4]; /* two rods, two bodies */
  elastica_effect *tendon;
  elastica_anchor guides[GUIDES];
} rig;

static inline elastica_tendon_def tendon_def(void) {
  DEFAULTS(tendon, def);
  return def;
}

static inline rig make_rig(uint64_t seed) {
  rig of = {.world = make_world(NULL)};
  random_source source = {seed};
  for (int k = 0; k < 2; k++) {
    of.rod[k] = add_bent_rod(of.world, 6 + 2 * k, seed + (uint64_t)k);
    of.rod[2 + k] = add_numbered_body(of.world, (int)seed + k);
  }
  for (int k = 0; k < GUIDES; k++) {
    const int which = k < 4 ? k : random_integer(&source, 0, 3);
    elastica_anchor *guide = &of.guides[k];
    guide->rod = of.rod[which];
    guide->element = which < 2 ? random_integer(&source, 0, 5) : 0;
    guide->share = which < 2 ? random_between(&source, 0.0, 1.0) : 0.0;
    random_vector(&source, 0.05, guide->offset);
  }
  return of;
}

static inline elastica_tendon_def def_of(const rig *of) {
  elastica_tendon_def def = tendon_def();
  def.guides = of->guides, def.guide_count = GUIDES;
  def.stiffness = 2.0, def.rest_length = 0.5;
  return def;
}

static inline void add_cable(rig *of, const elastica_tendon_def *def) {
  must(of->world, elastica_add_tendon(of->world, def, &of->tendon));
}

static inline elastica_tendon_info info_of(elastica_effect *tendon) {
  elastica_tendon_info info;
  must(elastica_effect_get(tendon).world, elastica_tendon_get(tendon, &info, NULL, 0));
  return info;
}

#endif
