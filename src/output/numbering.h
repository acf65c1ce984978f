/* Numbers of keys in the order of their first use. */
#ifndef ELI_NUMBERING_H
#define ELI_NUMBERING_H

#include "base/target.h"

#include <stdint.h>

#include "base/memory.h"

/* A hash table: of its places, fewer than half may be in use. */
typedef struct eli_numbering {
  int64_t *key; /* -1: a free place */
  int *number;
  size_t places; /* a power of two */
  int count;     /* of keys */
} eli_numbering;

static inline void eli_numbering_clear(eli_numbering *table) {
  for (size_t k = 0; k < table->places; k++) table->key[k] = -1;
  table->count = 0;
}

/* Makes an empty table for fewer keys than `most`. Returns 0 without memory. */
static inline int eli_numbering_make(eli_numbering *table, const eli_allocator *allocator, size_t most) {
  table->places = 1;
  while (table->places < 2 * most) table->places *= 2;
  table->key = eli_allocate(allocator, table->places, sizeof *table->key);
  table->number = eli_allocate(allocator, table->places, sizeof *table->number);
  if (table->key == NULL || table->number == NULL) return 0;
  eli_numbering_clear(table);
  return 1;
}

static inline void eli_numbering_free(eli_numbering *table, const eli_allocator *allocator) {
  eli_release(allocator, table->key);
  eli_release(allocator, table->number);
}

/* Returns the number of a key. A new key gets the next number, count, and count grows by one. */
static inline int eli_number_of(eli_numbering *table, int64_t key) {
  size_t at = (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 20) & (table->places - 1);
  while (table->key[at] != -1 && table->key[at] != key) at = (at + 1) & (table->places - 1);
  if (table->key[at] == -1) table->key[at] = key, table->number[at] = table->count++;
  return table->number[at];
}

#endif
