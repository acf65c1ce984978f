/* Dot product, cross product and largest component of vectors. */
#ifndef ELI_VECTOR_H
#define ELI_VECTOR_H

#include "base/target.h"

#include <math.h>

static inline double eli_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out is neither a nor b. */
static inline void eli_cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Largest magnitude of a component, without fmax, because gcc calls libm for it. */
static inline double eli_largest(const double a[3]) {
  const double x = fabs(a[0]), y = fabs(a[1]), z = fabs(a[2]), xy = x > y ? x : y;
  return z > xy ? z : xy;
}

#endif
