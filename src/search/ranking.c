/* Bottom-up merge sort: stable, without recursion.
 *
 * test       tests/test_normals.c
 */
#include "base/target.h"

#include "search/ranking.h"

#include <string.h>

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
  const double upper = values[order[count / 2]], lower = values[order[(count - 1) / 2]];
  return lower == upper ? upper : 0.5 * lower + 0.5 * upper;
}
