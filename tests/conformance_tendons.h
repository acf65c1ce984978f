/* Tendons for the table of conformance_table.h: their rods are in their definitions. */
#ifndef TESTS_CONFORMANCE_TENDONS_H
#define TESTS_CONFORMANCE_TENDONS_H

#include "conformance.h"

static inline void init_tendon(void *def, size_t size) {
  elastica_tendon_def_init(def, size);
}

/* A copy of a definition with this rod in place of the rod of fill. Returns the definition to be used. */
typedef struct tendon_copy {
  elastica_tendon_def def;
  elastica_anchor guides[8];
} tendon_copy;

static inline const elastica_tendon_def *lead_through(elastica_rod *rod, const void *def, tendon_copy *copy) {
  size_t size;
  if (def == NULL) return def;
  memcpy(&size, def, sizeof size);
  if (size < offsetof(elastica_tendon_def, guide_count) || size > sizeof copy->def) return def;
  elastica_tendon_def_init(&copy->def, sizeof copy->def);
  memcpy(&copy->def, def, size);
  if (copy->def.rod != NULL) copy->def.rod = rod;
  if (copy->def.guides == NULL) return &copy->def;
  for (int k = 0; k < copy->def.guide_count; k++) {
    copy->guides[k] = copy->def.guides[k];
    if (k > 0) copy->guides[k].rod = rod;
  }
  copy->def.guides = copy->guides;
  return &copy->def;
}

static inline elastica_status add_tendon(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out) {
  tendon_copy copy;
  return elastica_add_tendon(world, lead_through(rod, def, &copy), out);
}

static inline elastica_status set_tendon(elastica_effect *effect, const void *def) {
  tendon_copy copy;
  elastica_rod *rod = elastica_effect_get(effect).rod;
  return elastica_tendon_set(effect, rod != NULL ? lead_through(rod, def, &copy) : def);
}

static inline void fill_tendon(void *def, const elastica_rod *rod, double strength) {
  elastica_tendon_def *cable = def;
  cable->rod = (elastica_rod *)rod;
  cable->first = 1, cable->last = 4;
  cable->offset[0] = 0.02, cable->offset[1] = -0.03, cable->offset[2] = 0.01;
  cable->tension = 2.0 * strength, cable->activation = 0.7;
}

static inline void fill_taut_tendon(void *def, const elastica_rod *rod, double strength) {
  elastica_tendon_def *cable = def;
  fill_tendon(def, rod, strength);
  cable->tension = NAN, cable->rest_length = 0.02, cable->stiffness = 30.0 * strength;
}

static inline void fill_rough_tendon(void *def, const elastica_rod *rod, double strength) {
  elastica_tendon_def *cable = def;
  fill_taut_tendon(def, rod, strength);
  cable->damping = 0.01, cable->friction = 0.4, cable->sliding_speed = 0.5;
}

/* Adds a usual rod by a separate function: rows with the same function are set to each other, and a tendon keeps the rods of its guides. */
static inline elastica_rod *add_tethered(elastica_world *world, int closed, uint64_t seed) {
  return add_usual(world, closed, seed);
}

/* Guides at scattered places of the rod, from a point of the world. */
static inline void fill_tendon_from_the_world(void *def, const elastica_rod *rod, double strength) {
  static elastica_anchor guides[4];
  elastica_tendon_def *cable = def;
  for (int k = 1; k < 4; k++) guides[k] = (elastica_anchor){(elastica_rod *)rod, 2 * k % 5, 0.3 * k, {0.01 * k, -0.02, 0.0}};
  guides[0].offset[0] = 0.4, guides[0].offset[1] = -0.3;
  cable->guides = guides, cable->guide_count = 4;
  cable->stiffness = 30.0 * strength, cable->rest_length = 0.01;
}

static inline void fill_tendon_of_body(void *def, const elastica_rod *rod, double strength) {
  static elastica_anchor guides[2];
  elastica_tendon_def *cable = def;
  guides[1] = (elastica_anchor){(elastica_rod *)rod, 0, 0.0, {0.01, -0.02, 0.03}};
  guides[0].offset[0] = 3.0;
  cable->guides = guides, cable->guide_count = 2;
  cable->stiffness = 30.0 * strength, cable->rest_length = 0.1;
}

static inline void forget_tendons_rod(void *def) {
  ((elastica_tendon_def *)def)->rod = NULL;
}

static inline void run_tendon_backwards(void *def) {
  ((elastica_tendon_def *)def)->last = 0;
}

static inline void lead_tendon_twice(void *def) {
  static const elastica_anchor guides[2];
  ((elastica_tendon_def *)def)->guides = guides;
}

static inline void lead_tendon_to_one_guide(void *def) {
  elastica_tendon_def *cable = def;
  lead_tendon_twice(def);
  cable->rod = NULL, cable->guide_count = 1;
}

static inline void give_tendon_no_law(void *def) {
  ((elastica_tendon_def *)def)->tension = NAN;
}

static inline void give_tendon_both_laws(void *def) {
  ((elastica_tendon_def *)def)->stiffness = 1.0;
}

static inline void make_tendon_a_spring(void *def) {
  elastica_tendon_def *cable = def;
  cable->tension = NAN, cable->stiffness = 1.0;
}

static inline void give_tendon_a_rest_length(void *def) {
  ((elastica_tendon_def *)def)->rest_length = 0.1;
}

static inline void damp_given_tension(void *def) {
  ((elastica_tendon_def *)def)->damping = 0.1;
}

static inline void make_tendon_rough(void *def) {
  elastica_tendon_def *cable = def;
  cable->friction = 0.3, cable->sliding_speed = 0.01;
}

static inline void forget_sliding_speed(void *def) {
  ((elastica_tendon_def *)def)->friction = 0.3;
}

static const field_rule tendon_fields[] = {
    RULE(tendon, rod, SPOILT, .first = forget_tendons_rod, .says = {"tendon_def.rod", "tendon_def.guides", "NULL"}),
    RULE(tendon, first, ELEMENT),
    RULE(tendon, last, ELEMENT),
    RULE(tendon, last, SPOILT, .first = run_tendon_backwards, .says = {"first element 1", "last element 0"}),
    RULE(tendon, offset, NUMBER, .count = 3),
    RULE(tendon, guides, SPOILT, .first = lead_tendon_twice, .says = {"tendon_def.rod", "tendon_def.guides", "both"}),
    RULE(tendon, guide_count, SPOILT, .first = lead_tendon_to_one_guide, .says = {"tendon_def.guide_count", "1"}),
    RULE(tendon, tension, INFINITE | LARGE | NEGATIVE),
    RULE(tendon, tension, SPOILT, .first = give_tendon_no_law, .says = {"tendon_def.tension", "not set"}),
    RULE(tendon, stiffness, INFINITE | LARGE | NEGATIVE, .first = make_tendon_a_spring),
    RULE(tendon, stiffness, SPOILT, .first = give_tendon_both_laws, .says = {"tendon_def.stiffness", "both"}),
    RULE(tendon, rest_length, INFINITE | LARGE | NEGATIVE, .first = make_tendon_a_spring),
    RULE(tendon, rest_length, SPOILT, .first = give_tendon_a_rest_length, .says = {"tendon_def.rest_length", "given"}),
    RULE(tendon, activation, AMOUNT),
    RULE(tendon, drive, ANY_VALUE),
    RULE(tendon, user, ANY_VALUE),
    RULE(tendon, damping, AMOUNT, .first = make_tendon_a_spring),
    RULE(tendon, damping, SPOILT, .first = damp_given_tension, .says = {"tendon_def.damping", "given"}),
    RULE(tendon, friction, AMOUNT, .first = make_tendon_rough),
    RULE(tendon, sliding_speed, INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_tendon_rough),
    RULE(tendon, sliding_speed, SPOILT, .first = forget_sliding_speed, .says = {"tendon_def.sliding_speed", "not set"}),
};

#endif
