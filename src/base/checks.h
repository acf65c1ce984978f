/* Questions that every add and set function asks of its arguments.
 *
 * Each check returns ELASTICA_OK or has written its sentence into the world's message. `function` is the public name without its prefix
 * ("add_clamp"), `field` is written as the user knows it ("clamp_def.position").
 */
#ifndef ELI_CHECKS_H
#define ELI_CHECKS_H

#include "base/target.h"

#include <elastica.h>
#include <math.h>
#include <stddef.h>

/* Numbers beyond this are refused where the model squares them or multiplies them with each other, which would overflow; so is what is positive
 * and below its inverse. */
#define ELI_LARGEST 1e150

/* False for infinities and for what is not a number; no libm. */
static inline int eli_is_finite(double x) {
  return x - x == 0.0;
}

/* Finite, and so is its square. */
static inline int eli_is_moderate(double x) {
  return x >= -ELI_LARGEST && x <= ELI_LARGEST;
}

static inline int eli_is_nan(double x) {
  return x != x;
}

/* The mark of a field that is not set. */
static inline double eli_nan(void) {
  return NAN;
}

void eli_fill_nan(double *values, int count);
int eli_all_finite(const double *values, int count);
int eli_all_nan(const double *values, int count);

/* Rows orthonormal to 1e-9 and right-handed. Not for numbers that are not finite: false. */
int eli_is_frame(const double director[9]);

/* The body of a _def_init: the first size bytes of defaults, which is full bytes long and begins with its struct_size. */
void eli_def_write(void *def, size_t size, const void *defaults, size_t full);

/* Where a field of a definition begins and ends, in bytes. */
typedef struct eli_field {
  size_t begin, end;
} eli_field;

/* A definition and all its fields. Fields that are missing here make sizes that end beside them WRONG_VERSION. */
typedef struct eli_layout {
  const char *name; /* "clamp_def" */
  size_t size;
  const eli_field *fields;
  size_t count;
} eli_layout;

#define ELI_FIELD(type, field)                                                                                                             \
  { offsetof(type, field), offsetof(type, field) + sizeof(((type *)0)->field) }
#define ELI_LAYOUT(name, type, fields)                                                                                                     \
  { name, sizeof(type), fields, sizeof(fields) / sizeof *(fields) }

/* Copies what def has over the defaults that are in copy, which is of full size. A smaller struct_size is an older caller; one that ends inside
 * a field, a larger one or 0 is WRONG_VERSION. */
elastica_status eli_def_read(elastica_world *world, const eli_layout *layout, void *copy, const void *def);

/* WRONG_STATE from inside a hook. */
elastica_status eli_check_outside_hook(elastica_world *world, const char *function);

/* World, rod and definition are there and the rod is one of the world's. */
elastica_status eli_check_add(elastica_world *world, elastica_rod *rod, const void *def, const char *function);

/* The same for what acts on every rod when rod is NULL. */
elastica_status eli_check_add_any(elastica_world *world, elastica_rod *rod, const void *def, const char *function);

/* elastica_world_add_module and elastica_effect_set_module for the library's own effects: sentences name the function that was called, and the
 * public elastica_effect_set_module refuses the effect from then on. */
elastica_status eli_add_effect(elastica_world *world, elastica_rod *rod, const elastica_module *module, const char *function,
                               elastica_effect **out);
elastica_status eli_set_effect(elastica_effect *effect, const elastica_module *module, const char *function);
int eli_effect_is_built_in(const elastica_effect *effect);

/* The effect is there, the library's own, and was added under this very name (compared by address). */
elastica_status eli_check_effect(elastica_effect *effect, const char *function, const char *name);

/* The same, and the definition is there. */
elastica_status eli_check_set(elastica_effect *effect, const void *def, const char *function, const char *name);

/* For directions, whose size does not matter. */
elastica_status eli_check_finite(elastica_world *world, const char *field, const double *values, int count);

/* Each finite and not beyond ELI_LARGEST. */
elastica_status eli_check_numbers(elastica_world *world, const char *field, const double *values, int count);
elastica_status eli_check_not_negative(elastica_world *world, const char *field, double value);
elastica_status eli_check_frame(elastica_world *world, const char *field, const double director[9]);

/* Index of a node or element (what) among count, counted back from the end when negative. */
elastica_status eli_check_index(elastica_world *world, const char *function, const char *what, int index, int count, int *out);

#endif
