/* Normal random numbers; ranks and medians (see normals.h).
 *
 * equation   splitmix64: a Weyl sequence, mixed; normal numbers sqrt(-2 ln u) (cos 2 pi v, sin 2 pi v)
 *            ranks: bottom-up merge sort: stable, without recursion
 * source     G. Steele, D. Lea and C. Flood, OOPSLA (2014); G. Box and M. Muller, Ann. Math. Stat. 29 (1958) 610
 * test       tests/test_normals.c
 */
#include "base/target.h"

#include "search/normals.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* ---- Random numbers ---- */

static uint64_t mix(uint64_t word) {
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

static uint64_t next(eli_random *random) {
  random->state += UINT64_C(0x9e3779b97f4a7c15);
  return mix(random->state);
}

/* Mixes each counter before it adds the next, so that the sequences of (1, 2) and (2, 1) are unrelated. */
eli_random eli_random_at(uint64_t seed, uint64_t first, uint64_t second, uint64_t third) {
  const uint64_t place[4] = {seed, first, second, third};
  eli_random random = {UINT64_C(0x6a09e667f3bcc909)};
  for (int k = 0; k < 4; k++) {
    random.state ^= place[k];
    random.state = next(&random);
  }
  return random;
}

double eli_random_uniform(eli_random *random) {
  return ((double)(next(random) >> 12) + 0.5) * 0x1p-52;
}

void eli_random_normals(eli_random *random, int count, double *out) {
  for (int k = 0; k < count; k += 2) {
    double sine, cosine;
    const double radius = sqrt(-2.0 * eli_log(eli_random_uniform(random)));
    eli_sincos(ELI_TWO_PI * eli_random_uniform(random), &sine, &cosine);
    out[k] = radius * cosine;
    if (k + 1 < count) out[k + 1] = radius * sine;
  }
}

/* ---- Ranks ---- */

/* Merges two runs, [begin, middle) and [middle, end), into out. */
static void merge(const double *values, const int *from, int begin, int middle, int end, int *out) {
  int a = begin, b = middle;
  for (int k = begin; k < end; k++) {
    const int first = a < middle && (b >= end || !(values[from[b]] < values[from[a]]));
    out[k] = first ? from[a++] : from[b++];
  }
}

void eli_rank(const double *values, int count, int *order, int *scratch) {
  for (int k = 0; k < count; k++) order[k] = k;
  int *from = order, *to = scratch;
  for (long run = 1; run < count; run *= 2) {
    for (long begin = 0; begin < count; begin += 2 * run) {
      const long middle = begin + run < count ? begin + run : count, end = begin + 2 * run < count ? begin + 2 * run : count;
      merge(values, from, (int)begin, (int)middle, (int)end, to);
    }
    int *const other = from;
    from = to;
    to = other;
  }
  if (from != order) memcpy(order, from, (size_t)count * sizeof *order);
}

double eli_ranked_median(const double *values, const int *order, int count) {
  assert(count > 0);
  const double upper = values[order[count / 2]], lower = values[order[(count - 1) / 2]];
  return lower == upper ? upper : 0.5 * lower + 0.5 * upper;
}
