/* Normal random numbers that depend on where they are used alone: on a seed and three counters. Whoever asks for them again, in whatever
 * order, gets the same; nothing has to be kept. */
#ifndef ELI_NORMALS_H
#define ELI_NORMALS_H

#include "base/target.h"

#include <stdint.h>

typedef struct eli_random {
  uint64_t state;
} eli_random;

eli_random eli_random_at(uint64_t seed, uint64_t first, uint64_t second, uint64_t third);

/* Uniform in (0, 1), never its ends: (k + 1/2) 2^-52 for a whole k. */
double eli_random_uniform(eli_random *random);

/* Of mean 0 and variance 1, independent. */
void eli_random_normals(eli_random *random, int count, double *out);

#endif
