/* Lists of pairs of bodies that are close to each other.
 *
 * The list is a cache. A sum over its pairs in order, of terms that depend on the present state alone and vanish for pairs without contact,
 * has the same bits for every time at which the list was built, as long as no pair in contact is missing. Therefore the order of the pairs
 * depends only on the numbers of the bodies, and reference positions (reference.h) show when bodies have moved so far that a pair could be
 * missing.
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

/* A list of pairs with first < second, in ascending order of first, then of second. */
typedef struct eli_near_pairs {
  eli_allocator allocator;
  uint64_t *keys; /* first << 32 | second */
  size_t count;

  /* Work space. */
  uint64_t *spare, *cells, *spare_cells;
  uint32_t *bodies, *spare_bodies;
  size_t capacity, body_capacity;
} eli_near_pairs;

static inline int eli_pair_first(uint64_t key) {
  return (int)(key >> 32);
}

static inline int eli_pair_second(uint64_t key) {
  return (int)(key & UINT32_MAX);
}

/* Makes an empty list. */
void eli_near_pairs_init(eli_near_pairs *pairs, const eli_allocator *allocator);
void eli_near_pairs_destroy(eli_near_pairs *pairs);

/* Allocates memory for body_count bodies and pair_count pairs, so that eli_near_pairs_find allocates only for larger numbers. Returns 0 without
 * memory. */
int eli_near_pairs_reserve(eli_near_pairs *pairs, size_t body_count, size_t pair_count);

/* Lists the pairs with overlapping spheres for which keep returns 1 (first < second). Returns 0 without memory; the list is then empty. */
int eli_near_pairs_find(eli_near_pairs *pairs, const eli_spheres *spheres, int (*keep)(void *context, int first, int second),
                        void *context);

/* Appends a pair to the list. Returns 0 without memory. */
int eli_near_pairs_add(eli_near_pairs *pairs, uint32_t first, uint32_t second);

#endif
