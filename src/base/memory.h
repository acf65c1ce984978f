/* Memory allocation through the world's allocator. */
#ifndef ELI_MEMORY_H
#define ELI_MEMORY_H

#include <elastica.h>
#include <stddef.h>

typedef struct eli_allocator {
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *block);
  void *user;
} eli_allocator;

/* The C library's malloc and free. */
eli_allocator eli_allocator_default(void);

/* Returns a zeroed block of count * size bytes, or NULL if memory runs out or the product overflows. A count of 0 gives a block of 1
 * byte. */
void *eli_allocate(const eli_allocator *allocator, size_t count, size_t size);

/* NULL is allowed. */
void eli_release(const eli_allocator *allocator, void *block);

/* Allocates and releases blocks aligned to a cache line. */
void *eli_allocate_lines(const eli_allocator *allocator, size_t count, size_t size);
void eli_release_lines(const eli_allocator *allocator, void *block);

/* Returns the start of `count` numbers in a block, and moves past them. */
static inline double *eli_take_doubles(double **block, size_t count) {
  double *taken = *block;
  *block += count;
  return taken;
}

/* Grows an array by one entry: returns a block of at least (count + 1) * size bytes with the first count entries of block, and releases
 * block. If memory runs out it returns NULL and keeps block. The size doubles: block itself is returned unless count is 0 or a power of
 * two. */
void *eli_grow(const eli_allocator *allocator, void *block, size_t count, size_t size);

/* Indices for objects that come and go, for arrays of per-object data. The index of a removed object is reused. */
typedef struct eli_indices {
  int *free, free_count, taken;
} eli_indices;

/* Reserves memory for one more index, so that taking and giving back cannot fail. Returns 0 if memory runs out. */
int eli_indices_reserve(const eli_allocator *allocator, eli_indices *indices);
int eli_indices_take(eli_indices *indices);
void eli_indices_give_back(eli_indices *indices, int index);

/* Upper bound of the indices in use. */
static inline int eli_indices_count(const eli_indices *indices) {
  return indices->taken + indices->free_count;
}

#endif
