/* Memory through the world's allocator. */
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

/* A zeroed block of count * size bytes, or NULL (also when the product overflows). A count of 0 gives a block of 1 byte. */
void *eli_allocate(const eli_allocator *allocator, size_t count, size_t size);

/* NULL is allowed. */
void eli_release(const eli_allocator *allocator, void *block);

/* The same, for a block that begins with a line of a cache. */
void *eli_allocate_lines(const eli_allocator *allocator, size_t count, size_t size);
void eli_release_lines(const eli_allocator *allocator, void *block);

/* A block of at least (count + 1) * size bytes that holds the first count entries of block, which is released; NULL leaves block alone.
 * Grows by doubling: returns block itself while count is no power of two. For arrays that grow by one. */
void *eli_grow(const eli_allocator *allocator, void *block, size_t count, size_t size);

/* Small numbers for things that come and go, for arrays of what belongs to them: each is given again when its thing has gone. */
typedef struct eli_seats {
  int *free, free_count, taken;
} eli_seats;

/* Makes room for one more, so that taking and giving back cannot fail. 0 when memory runs out. */
int eli_seats_reserve(const eli_allocator *allocator, eli_seats *seats);
int eli_seats_take(eli_seats *seats);
void eli_seats_give_back(eli_seats *seats, int seat);

/* All are below it. */
static inline int eli_seats_count(const eli_seats *seats) {
  return seats->taken + seats->free_count;
}

#endif
