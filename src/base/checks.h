/* What numbers, frames and indices that a user hands in must be.
 *
 * Each check returns ELASTICA_OK or has written its sentence into the world's message. `field` is written as the user knows it
 * ("clamp_def.position"), `function` is the public name without its prefix ("add_clamp").
 */
#ifndef ELI_CHECKS_H
#define ELI_CHECKS_H

#include "base/target.h"

#include <elastica.h>
#include <math.h>

/* Numbers beyond this are refused where the model squares them or multiplies them with each other, which would overflow; so is what is
 * positive and below its inverse. */
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

static inline int eli_is_flag(int x) {
  return x == 0 || x == 1;
}

int eli_all_finite(const double *values, int count);
int eli_all_nan(const double *values, int count);

/* The largest difference of the products of rows from those of a frame; 2 of a left-handed one, NaN of what is not finite. */
double eli_frame_defect(const double director[9]);

/* Rows orthonormal to 1e-9 and right-handed. Not for numbers that are not finite: false. */
int eli_is_frame(const double director[9]);

/* What a number of a definition must be, as a sum of these. Without any, a field is not checked; with one, its numbers are finite, and at
 * most ELI_LARGEST in size unless the rule says otherwise. */
enum {
  ELI_RULE_NUMBER = 1,
  ELI_RULE_NOT_NEGATIVE = 2,
  ELI_RULE_POSITIVE = 4,        /* not below 1/ELI_LARGEST */
  ELI_RULE_DIRECTION = 8,       /* finite; its size does not matter */
  ELI_RULE_FRAME = 16,          /* nine numbers: rows orthonormal to 1e-9, right-handed */
  ELI_RULE_REQUIRED = 32,       /* there is no default: not a number is "not set" */
  ELI_RULE_OPTIONAL = 64,       /* none of them a number: not set, which is allowed */
  ELI_RULE_OPTIONAL_EACH = 128, /* the same for each of them by itself */
  ELI_RULE_INFINITE = 256       /* may be as large as it likes, infinity included */
};

elastica_status eli_check_numbers(elastica_world *world, const char *field, unsigned rule, const double *values, int count);

/* One number that may not be above most. */
elastica_status eli_check_at_most(elastica_world *world, const char *field, double value, double most);

/* Index of a node or element (what) among count, counted back from the end when negative. */
elastica_status eli_check_index(elastica_world *world, const char *function, const char *what, int index, int count, int *out);

#endif
