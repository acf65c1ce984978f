/* Lists of pairs of bodies that are close to each other.
 *
 * The list is a cache. A sum over its pairs in order, of terms that depend on the present state alone and vanish for pairs without contact,
 * has the same bits for every time at which the list was built, as long as no pair in contact is missing. Therefore the order of the pairs
 * depends only on the numbers of the bodies, and reference positions (eli_reference) show when bodies have moved so far that a pair could
 * be missing.
 *
 * test       tests/test_broad_phase.c
 */
#ifndef ELI_BROAD_PHASE_H
#define ELI_BROAD_PHASE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
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

/* Allocates memory for body_count bodies and pair_count pairs, so that eli_near_pairs_find allocates only for larger numbers. Returns 0
 * without memory. */
int eli_near_pairs_reserve(eli_near_pairs *pairs, size_t body_count, size_t pair_count);

/* Lists the pairs with overlapping spheres for which keep returns 1 (first < second). Returns 0 without memory; the list is then empty. */
int eli_near_pairs_find(eli_near_pairs *pairs, const eli_spheres *spheres, int (*keep)(void *context, int first, int second),
                        void *context);

/* Appends a pair to the list. Returns 0 without memory. */
int eli_near_pairs_add(eli_near_pairs *pairs, uint32_t first, uint32_t second);

/* ---- Positions at the last pair search ----
 *
 * They show the bodies that have moved too far since. The owner of the list of pairs decides how far they may move.
 */

/* Reference positions of a chain of nodes, and the least length to which each element may shrink. */
typedef struct eli_reference {
  int node_count, element_count; /* equal for a ring */
  double *position[3];           /* element_count + 1 numbers; the last one of a ring repeats the first */
  double *least_square;          /* of the lengths [m^2], element_count numbers */
  /* Square of the cosine of the largest angle between each edge and the next (in a ring, the last and the first); -2: any angle. NULL: any
   * angle everywhere. */
  const double *least_cosine;
  int set; /* 0: there are no reference positions yet */
} eli_reference;

/* Returns the memory [doubles] for element_count elements. */
size_t eli_reference_size(int element_count);
void eli_reference_init(eli_reference *reference, int element_count, int closed, double *memory);

/* Sets the reference to these positions. shrinkage is the share of its length to which an element may shrink; its volume is conserved, so a
 * shorter element is thicker. */
void eli_reference_set(eli_reference *reference, const double *const position[3], double shrinkage);

/* Returns 1 if one of the nodes first .. end - 1, minus the drift, is farther than the root of limit2 from its reference position, or if an
 * element after one of them has shrunk, or turned against the next, too much. The element that closes a ring is not checked. The
 * implementation is that of the instruction set of a world (kernels/broad_phase.inl). */
typedef int eli_reference_check(const eli_reference *reference, const double *const position[3], const double drift[3], double limit2,
                                int first, int end);

/* Returns 1 if a node is farther than limit from its reference position, or an element has shrunk or turned too much. A displacement common
 * to several chains is subtracted first, because it does not change distances. */
int eli_reference_is_left_by(const eli_reference *reference, const double *const position[3], const double drift[3], double limit,
                             eli_reference_check *check);

/* ---- The largest relative speed of the nodes of bodies, from one pass over their velocities ---- */

/* Range of velocities per axis (a box); NaN is ignored. */
typedef struct eli_pace {
  double low[3], high[3];     /* [m/s] over all rods so far; initially INFINITY and -INFINITY */
  double least_mass, longest; /* [kg], [m] the smallest mass and the largest rest length of the last rod */
} eli_pace;

/* Widens the box by the nodes of a rod. The implementation is that of the instruction set of a world (kernels/broad_phase.inl). */
typedef void eli_pace_check(const elastica_rod_view *rod, eli_pace *pace);

#endif
