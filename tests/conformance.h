/* Requirements of every effect of the library, as a table: a row states how the effect is added and its properties, and the tests
 * test_conformance_*.c check each row against all of their claims.
 *
 * A new effect costs one row, at the end of conformance_table.h:
 *   1. CONFORMANCE_CALLS(name): wrappers of elastica_add_name, elastica_name_set and elastica_name_def_init. An effect without such
 *      functions writes three of its own.
 *   2. A fill function that makes a sound definition from defaults. strength is 1, but in tests of the step limit it is the row's
 *      `strong`, at which the effect should outweigh the rod. The function may read the rod; in a row of EVERY_ROD the rod is NULL.
 *   3. A list of field_rule with every field of the definition and its wrong values; ANY_VALUE if no value is wrong.
 *   4. The row: CALLS_OF(name), FIELDS_OF(name), fill, its properties, and a function for the rod if the usual rod does not fit. The
 *      effect must act on the rod at once.
 *   5. `formula`: its energy or power. Claims that do not follow from it, such as an equilibrium or a period, are in test_name.c.
 * An elastica_add_ function of the header without a row, and a field without a rule, fail. Further rows of the same name, for kinds that
 * act by other hooks, omit the fields.
 */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "acting.h"
#include "tangled.h"

/* ---- Rows ---------------------------------------------------------------------------------------------------------------------------- */

/* Properties stated by a row; the tests check that the effect has them, and lacks those not stated. */
enum {
  EVERY_ROD = 1,           /* rod NULL means every rod; without this flag NULL is refused */
  ENERGY = 2,              /* has an energy hook */
  POTENTIAL = 4 | ENERGY,  /* its loads are the gradient of its energy (classical law, exact couple) */
  POWER = 8,               /* reports the work of its loads per time */
  INTERNAL = 16,           /* its loads have no resultant and no moment (exact couple) */
  HOLDS = 32,              /* prescribes positions, velocities or spins; its loads are not tested */
  MASS = 64,               /* adds mass; its loads are not tested */
  REACTS = 128,            /* its loads depend on the total of all other loads */
  STIFFENS = 256,          /* has an add_stiffness hook */
  BOUNDS = 512 | STIFFENS, /* its stiffness makes the step limit shorter when the effect is strong */
  NO_RING = 1024,          /* refuses rings */
  RELAXED = 4096,          /* has no loads at the state of adding; its loads are not tested */
  RIGID = 2048,            /* acts on a rigid body without holding it: no equilibrium */
  NEAR_TANGENT = 8192      /* its tangent leaves out that a load depends on the shape of the whole rod */
};

/* Kinds of wrong values of a field. The sentence contains the field's name and the cause: the words given here, or those of `says`. */
enum {
  ANY_VALUE = 0,
  UNSET = 1,         /* nan: "not set" */
  NOT_A_NUMBER = 2,  /* nan: "not finite", or "not set" beside other set values */
  INFINITE = 4,      /* "not finite" */
  LARGE = 8,         /* 1e200: "too large" and the value */
  NEGATIVE = 16,     /* -1: "negative" and the value */
  NOT_POSITIVE = 32, /* 0 and -1: "not positive" and the value */
  SMALL = 64,        /* 1e-200: the value */
  NODE = 128,        /* nodes of the rod, outside on both sides: the value and "outside" */
  ELEMENT = 256,
  CHOICE = 512,  /* -1 and count, for enumerations: says */
  FRAME = 1024,  /* [9]: "not finite", "not set" or "frame" */
  BEHIND = 2048, /* the field is a pointer to count numbers */
  SPOILT = 4096, /* `first` makes the definition wrong: says */
  SWITCH = 8192, /* 2, -1 and 256: "neither 0 nor 1" and the value */
  NUMBER = NOT_A_NUMBER | INFINITE | LARGE,
  AMOUNT = NUMBER | NEGATIVE
};

typedef struct field_rule {
  const char *field;
  size_t offset;
  unsigned wrong;
  int count;                /* entries of an array of numbers, or choices */
  void (*first)(void *def); /* called first: gives the field its meaning */
  const char *says[6];      /* ends with NULL */
} field_rule;

#define RULE(type, member, ...)                                                                                                            \
  { .field = #member, .offset = offsetof(elastica_##type##_def, member), .wrong = __VA_ARGS__ }

typedef struct effect_row {
  const char *name; /* of elastica_add_name */
  const char *kind; /* distinguishes rows of the same name */
  size_t def_size;  /* 0: the effect has no definition struct */
  void (*init)(void *def, size_t size);
  elastica_status (*add)(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out);
  elastica_status (*set)(elastica_effect *effect, const void *def);
  void (*fill)(void *def, const elastica_rod *rod, double strength);
  unsigned is;
  double strong;                                                          /* 0: 1 */
  elastica_rod *(*rod)(elastica_world *world, int closed, uint64_t seed); /* NULL: add_usual */
  const field_rule *fields;
  int field_count;

  /* Optional: the energy [J] of a POTENTIAL effect on this rod, or else its power [W], by a formula of the tests. Since loads are the slope
   * of the energy, and power is their work, it fixes their size and sign. */
  double (*formula)(const void *def, const elastica_rod_view *rod);
} effect_row;

#define CONFORMANCE_CALLS(effect)                                                                                                          \
  static inline void init_##effect(void *def, size_t size) {                                                                               \
    elastica_##effect##_def_init(def, size);                                                                                               \
  }                                                                                                                                        \
  static inline elastica_status add_##effect(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out) {           \
    return elastica_add_##effect(world, rod, def, out);                                                                                    \
  }                                                                                                                                        \
  static inline elastica_status set_##effect(elastica_effect *of, const void *def) {                                                       \
    return elastica_##effect##_set(of, def);                                                                                               \
  }

#define CALLS_OF(effect)                                                                                                                   \
  .name = #effect, .def_size = sizeof(elastica_##effect##_def), .init = init_##effect, .add = add_##effect, .set = set_##effect
#define FIELDS_OF(effect) .fields = effect##_fields, .field_count = sizeof effect##_fields / sizeof *effect##_fields

/* ---- Rods ---------------------------------------------------------------------------------------------------------------------------- */

/* A usual sample of 6 to 9 elements, in motion. */
static inline void make_usual(sample_rod *sample, int closed, uint64_t seed) {
  const sample_recipe recipe = usual_recipe();
  if (closed)
    make_sample_ring(sample, 6 + (int)(seed % 4), seed);
  else
    make_sample(sample, 6 + (int)(seed % 4), seed, &recipe);
}

static inline elastica_rod *add_usual(elastica_world *world, int closed, uint64_t seed) {
  sample_rod sample;
  make_usual(&sample, closed, seed);
  return add_sample(world, &sample);
}

/* A rod of two short, thick elements: joints at its ends bound the time step. A ring is the usual ring. */
static inline elastica_rod *add_stubby(elastica_world *world, int closed, uint64_t seed) {
  sample_recipe recipe = usual_recipe();
  sample_rod sample;
  if (closed) return add_usual(world, closed, seed);
  recipe.length = 0.02, recipe.radius = 0.1, recipe.taper = 0.0, recipe.unevenness = 0.0;
  make_sample(&sample, 2, seed, &recipe);
  return add_sample(world, &sample);
}

/* Its lowest element overlaps the plane z = 0 by three tenths of its radius, and the whole rod falls. */
static inline elastica_rod *add_on_the_ground(elastica_world *world, int closed, uint64_t seed) {
  sample_rod sample;
  double lowest = INFINITY;
  make_usual(&sample, closed, seed);
  const int nodes = sample_node_count(&sample);
  for (int j = 0; j < sample.element_count; j++) {
    const double height = 0.5 * (sample.position[3 * j + 2] + sample.position[3 * ((j + 1) % nodes) + 2]) - 0.7 * sample.radius[j];
    lowest = height < lowest ? height : lowest;
  }
  for (int i = 0; i < nodes; i++) sample.position[3 * i + 2] -= lowest, sample.velocity[3 * i + 2] -= 1.0;
  return add_sample(world, &sample);
}

/* Its lowest place overlaps by this depth, with no centre line below the plane. */
static inline elastica_rod *add_on_a_layer(elastica_world *world, int closed, uint64_t seed) {
  sample_rod sample;
  double lowest = INFINITY;
  make_usual(&sample, closed, seed);
  const int nodes = sample_node_count(&sample);
  for (int j = 0; j < sample.element_count; j++)
    for (int end = 0; end < 2; end++) {
      const double height = sample.position[3 * ((j + end) % nodes) + 2] - 0.7 * sample.radius[j];
      lowest = height < lowest ? height : lowest;
    }
  for (int i = 0; i < nodes; i++) sample.position[3 * i + 2] -= lowest, sample.velocity[3 * i + 2] -= 1.0;
  return add_sample(world, &sample);
}

static inline elastica_rod *add_row_rod(const effect_row *row, elastica_world *world, int closed, uint64_t seed) {
  return row->rod ? row->rod(world, closed, seed) : add_usual(world, closed, seed);
}

/* ---- Scenes -------------------------------------------------------------------------------------------------------------------------- */

static inline size_t def_size_of(const effect_row *row) {
  return row->def_size ? row->def_size : 3 * sizeof(double);
}

/* Makes a sound definition, to be freed. */
static inline void *make_def(const effect_row *row, const elastica_rod *rod, double strength) {
  void *def = calloc(1, def_size_of(row));
  assert_non_null(def);
  if (row->init) row->init(def, row->def_size);
  row->fill(def, rod, strength);
  return def;
}

static inline elastica_effect *add_effect_of(const effect_row *row, elastica_world *world, elastica_rod *rod, double strength) {
  elastica_effect *effect = NULL;
  void *def = make_def(row, rod, strength);
  const elastica_status status = row->add(world, row->is & EVERY_ROD ? NULL : rod, def, &effect);
  free(def);
  if (status != ELASTICA_OK || !effect) fail_msg("add_%s (%s): %s", row->name, row->kind, elastica_world_message(world));
  return effect;
}

static inline int takes(const effect_row *row, int closed) {
  return !closed || !(row->is & (NO_RING | RIGID));
}

/* The row and the claim as text; printed when a claim fails. */
static inline const char *label_of(const effect_row *row, int closed) {
  static char label[120];
  snprintf(label, sizeof label, "%s (%s), %s", row->name, row->kind, closed ? "ring" : "open rod");
  return label;
}

#endif
