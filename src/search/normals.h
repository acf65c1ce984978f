/* Normal random numbers that depend only on a seed and three counters; ranks and medians of numbers. The same counters give the same
 * numbers in any order of calls, so no generator state is saved. */
#ifndef ELI_NORMALS_H
#define ELI_NORMALS_H

#include "base/target.h"

#include <stdint.h>

typedef struct eli_random {
  uint64_t state;
} eli_random;

eli_random eli_random_at(uint64_t seed, uint64_t first, uint64_t second, uint64_t third);

/* Uniform in the open interval (0, 1): (k + 1/2) 2^-52 with an integer k. */
double eli_random_uniform(eli_random *random);

/* Independent normal numbers of mean 0 and variance 1. */
void eli_random_normals(eli_random *random, int count, double *out);

/* order: indices of values [count], smallest value first; equal values keep the order of their indices. scratch [count]. */
void eli_rank(const double *values, int count, int *order, int *scratch);

/* Median of ranked values: the middle one, or the mean of the two middle ones. */
double eli_ranked_median(const double *values, const int *order, int count);

#endif
