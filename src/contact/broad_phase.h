/* Which of many bodies come close to each other, and for how long a list of them is good.
 *
 * The list is a cache: whoever walks it in order and takes from each pair what depends on the present state alone gets the same bits whenever it
 * was made, as long as no pair is missing. So it is in an order that depends on nothing but the numbers of the bodies, and a watch tells when
 * they have moved so far that a pair could be missing.
 */
#ifndef ELI_BROAD_PHASE_H
#define ELI_BROAD_PHASE_H

#include "base/target.h"

#include <stdint.h>

#include "base/memory.h"

/* ---- Pairs ---- */

/* Each body lies within a sphere. */
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

  /* Room to work in. */
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

/* Room for so many bodies and pairs, so that finding them needs no memory until there are more; 0 when there is none. */
int eli_pairs_reserve(eli_pairs *pairs, size_t body_count, size_t pair_count);

/* Lists the pairs whose spheres overlap and that keep (first < second) wants. 0 when memory runs out; the list is then empty. */
int eli_pairs_find(eli_pairs *pairs, const eli_spheres *spheres, int (*keep)(void *context, int first, int second), void *context);

/* ---- Motion ---- */

/* A chain of nodes as it was: reference positions, and the least length that each element may shrink to. */
typedef struct eli_watch {
  int node_count, element_count; /* of a ring: equal */
  double *position[3];           /* element_count + 1, a ring's last repeats the first */
  double *least_square;          /* of the lengths, element_count */
  int set;                       /* 0: nothing to compare with yet */
} eli_watch;

/* A length that an element may lose before a watch calls: bodies grow thicker as they get shorter. */
#define ELI_WATCH_SHRINKAGE 0.9

/* Doubles of memory that a watch of so many elements takes. */
size_t eli_watch_size(int element_count);
void eli_watch_init(eli_watch *watch, int element_count, int closed, double *memory);

/* Takes position + ahead velocity as the reference. */
void eli_watch_set(eli_watch *watch, const double *const position[3], const double *const velocity[3], double ahead);

/* 1 when a node is further than limit from its reference, or an element has lost too much length, at position + ahead velocity. Bodies that move
 * as one do not come closer to each other: the middle node's way is taken off first. */
int eli_watch_calls(const eli_watch *watch, const double *const position[3], const double *const velocity[3], double ahead, double limit);

#endif
