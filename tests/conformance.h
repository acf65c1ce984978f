/* What every effect of the library must do, as a table: a row says how the effect is added and what may be expected of it, and the tests
 * test_conformance_*.c hold each row to every claim that they know.
 *
 * A new effect costs one row, at the end of conformance_table.h:
 *   1. CONFORMANCE_CALLS(name): wrappers of elastica_add_name, elastica_name_set and elastica_name_def_init. One that has no such functions
 *      writes its own three.
 *   2. A fill function that makes a sound definition from defaults. strength is 1 but where the step limit is looked at: there it is the
 *   row's
 *      `strong`, with which the effect should outweigh the rod. It may look at the rod, which is NULL in a row of EVERY_ROD.
 *   3. A list of field_rule with every field of the definition and the values that are wrong in it; ANY_VALUE where none is.
 *   4. The row: CALLS_OF(name), FIELDS_OF(name), fill, what it is, and the rod where the usual one does not do. The rod must be such that
 *   the
 *      effect acts on it at once.
 * An elastica_add_ function of the header without a row, and a field without a rule, fail. Further rows of the same name, for kinds that
 * act by other hooks, leave the fields out.
 */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "acting.h"
#include "tangled.h"

/* ---- Rows ---------------------------------------------------------------------------------------------------------------------------- */

/* What a row claims; each claim is tested both ways. */
enum {
  EVERY_ROD = 1,           /* rod NULL means every rod; without it NULL is refused */
  ENERGY = 2,              /* has an energy hook */
  POTENTIAL = 4 | ENERGY,  /* whose gradient its loads are (classical law, exact couple) */
  POWER = 8,               /* reports the work of its loads per time */
  INTERNAL = 16,           /* its loads have no resultant and no moment (exact couple) */
  HOLDS = 32,              /* prescribes positions, velocities or spins; not asked for its loads */
  MASS = 64,               /* adds mass; not asked for its loads */
  REACTS = 128,            /* its loads answer all others */
  STIFFENS = 256,          /* has an add_stiffness hook */
  BOUNDS = 512 | STIFFENS, /* which makes the step limit shorter when the effect is strong */
  NO_RING = 1024,          /* refuses rings */
  RELAXED = 4096,          /* has no loads as the rod lies when it is added; not asked for them */
  RIGID = 2048             /* acts on a rigid body, which it does not hold: no equilibrium */
};

/* Values that are wrong in a field. The sentence has its name and what is wrong: the words here, or those of says. */
enum {
  ANY_VALUE = 0,
  UNSET = 1,         /* nan: "not set" */
  NOT_A_NUMBER = 2,  /* nan: "not finite", or "not set" beside others that are */
  INFINITE = 4,      /* "not finite" */
  LARGE = 8,         /* 1e200: "too large" and the value */
  NEGATIVE = 16,     /* -1: "negative" and the value */
  NOT_POSITIVE = 32, /* 0 and -1: "not positive" and the value */
  SMALL = 64,        /* 1e-200: the value */
  NODE = 128,        /* of the rod, outside on both sides: the value and "outside" */
  ELEMENT = 256,
  CHOICE = 512,  /* -1 and count, for enumerations: says */
  FRAME = 1024,  /* [9]: "not finite", "not set" or "frame" */
  BEHIND = 2048, /* the numbers are behind a pointer, count of them */
  SPOILT = 4096, /* made wrong by first: says */
  SWITCH = 8192, /* 2, -1 and 256: "neither 0 nor 1" and the value */
  NUMBER = NOT_A_NUMBER | INFINITE | LARGE,
  AMOUNT = NUMBER | NEGATIVE
};

typedef struct field_rule {
  const char *field;
  size_t offset;
  unsigned wrong;
  int count;                /* entries of an array of numbers, or choices */
  void (*first)(void *def); /* done first: what makes the field matter */
  const char *says[6];      /* ends with NULL */
} field_rule;

#define RULE(type, member, ...)                                                                                                            \
  { .field = #member, .offset = offsetof(elastica_##type##_def, member), .wrong = __VA_ARGS__ }

typedef struct effect_row {
  const char *name; /* of elastica_add_name */
  const char *kind; /* tells rows of one name apart */
  size_t def_size;  /* 0: it has no struct of a definition */
  void (*init)(void *def, size_t size);
  elastica_status (*add)(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out);
  elastica_status (*set)(elastica_effect *effect, const void *def);
  void (*fill)(void *def, const elastica_rod *rod, double strength);
  unsigned is;
  double strong;                                                          /* 0: 1 */
  elastica_rod *(*rod)(elastica_world *world, int closed, uint64_t seed); /* NULL: add_usual */
  const field_rule *fields;
  int field_count;
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

/* Of 6 to 9 elements, in motion. */
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

/* Of two elements, which are short and thick: joints at its ends bound the time step. A ring is a usual one. */
static inline elastica_rod *add_stubby(elastica_world *world, int closed, uint64_t seed) {
  sample_recipe recipe = usual_recipe();
  sample_rod sample;
  if (closed) return add_usual(world, closed, seed);
  recipe.length = 0.02, recipe.radius = 0.1, recipe.taper = 0.0, recipe.unevenness = 0.0;
  make_sample(&sample, 2, seed, &recipe);
  return add_sample(world, &sample);
}

/* Its lowest element overlaps the plane z = 0 by three tenths of its radius, and all of it falls. */
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

/* Its lowest place overlaps by so much: no centre line is below the plane. */
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

/* A sound definition, to be freed. */
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

/* What a claim is about; to be printed when it fails. */
static inline const char *label_of(const effect_row *row, int closed) {
  static char label[120];
  snprintf(label, sizeof label, "%s (%s), %s", row->name, row->kind, closed ? "ring" : "open rod");
  return label;
}

#endif
