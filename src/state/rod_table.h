/* Records of an effect, one for each rod that it acts on.
 *
 * A record is a struct that begins with the int number of its rod, -1 for a free record. Numbers of rods only grow, and the records of
 * removed rods are reused: they are indexed by eli_world_table_index. An effect on one rod has one record. Records are added between steps
 * only; then all of them may move.
 */
#ifndef ELI_ROD_TABLE_H
#define ELI_ROD_TABLE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "base/memory.h"
#include "state/module.h"

typedef struct eli_rod_table {
  const elastica_world *world;
  const eli_allocator *allocator;
  size_t size; /* [bytes] of a record */
  int alone;   /* 1: one rod and one record */
  int count;   /* of records, free ones included */
  unsigned char *records;
} eli_rod_table;

/* Returns a table without records: for one rod (alone 1), or for all rods of the world. */
static inline eli_rod_table eli_rod_table_of(const elastica_world *world, size_t size, int alone) {
  return (eli_rod_table){world, eli_world_allocator(world), size, alone, 0, NULL};
}

/* Returns record k, free or not. */
static inline void *eli_rod_table_at(const eli_rod_table *table, int k) {
  return table->records + (size_t)k * table->size;
}

/* Returns the record of a rod, or NULL. */
static inline void *eli_rod_table_find(const eli_rod_table *table, int rod_index) {
  const int index = table->alone ? 0 : eli_world_table_index(table->world, rod_index);
  if (index >= table->count) return NULL;
  void *record = eli_rod_table_at(table, index);
  return *(const int *)record == rod_index ? record : NULL;
}

/* Returns the free record for a rod, zeroed but for the -1; NULL without memory. It belongs to the rod once the caller has written the
 * number. */
void *eli_rod_table_reserve(eli_rod_table *table, int rod_index);

/* Releases the records, but not the memory that they point to. */
void eli_rod_table_release(eli_rod_table *table);

#endif
