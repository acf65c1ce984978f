/* Lists of pairs of bodies that are close to each other.
 *
 * The list is a cache. A sum over its pairs in order, of terms that depend on the present state alone and vanish for pairs without contact,
 * has the same bits whenever the list was built, as long as no pair in contact is missing. So the order of the pairs depends on the numbers
 * of the bodies alone, and reference positions (reference.h) tell when bodies have moved so far that a pair could be missing.
 *
 * test       tests/test_broad_phase.c
 */
#ifndef ELI_BROAD_PHASE_H
#define ELI_BROAD_PHASE_H

#include "base/target.h"

#include <stdint.h>

#include "base/memory.h"

/* ---- Pairs ---- */

/* Bounding spheres, one per body. */
typedef struct eli_spheres {
  int count;
  const double *centre[3];
  const double *radius;
} eli_spheres;

/* first < second; ascending by first, then by second. */
typedef struct eli_pairs {
  eli_allocator allocator;
  uint64_t *keys; /* first << 32 | second */
  size_t count;

  /* Work space. */
  uint64_t *spare, *cells, *spare_cells;
  uint32_t *bodies, *spare_bodies;
  size_t capacity, body_capacity;
} eli_pairs;

static inline int eli_pair_first(uint64_t key) {
  return (int)(key >> 32);
}

static inline int eli_pair_second(uint64_t key) {
  return (int)(key & UINT32_MAX);
}

/* An empty list. */
void eli_pairs_init(eli_pairs *pairs, const eli_allocator *allocator);
void eli_pairs_destroy(eli_pairs *pairs);

/* Memory for so many bodies and pairs, so that finding them allocates only when there are more; 0 when there is none. */
int eli_pairs_reserve(eli_pairs *pairs, size_t body_count, size_t pair_count);

/* Lists the pairs whose spheres overlap and for which keep returns 1 (first < second). 0 when memory runs out; the list is then empty. */
int eli_pairs_find(eli_pairs *pairs, const eli_spheres *spheres, int (*keep)(void *context, int first, int second), void *context);

/* Adds a pair behind all others. 0 when memory runs out. */
int eli_pairs_add(eli_pairs *pairs, uint32_t first, uint32_t second);

#endif
