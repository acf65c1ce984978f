/* Records of an effect by rods (see rod_table.h).
 *
 * test       tests/test_removal.c, tests/test_effects.c
 */
#include "base/target.h"

#include <string.h>

#include "state/rod_table.h"

static void clear(void *record, size_t size) {
  static const int none = -1;
  memset(record, 0, size);
  memcpy(record, &none, sizeof none);
}

void *eli_rod_table_reserve(eli_rod_table *table, int rod_index) {
  const int index = table->alone ? 0 : eli_world_table_index(table->world, rod_index);
  while (table->count <= index) {
    unsigned char *records = eli_grow(table->allocator, table->records, (size_t)table->count, table->size);
    if (records == NULL) return NULL;
    table->records = records;
    clear(eli_rod_table_at(table, table->count++), table->size);
  }
  void *record = eli_rod_table_at(table, index);
  clear(record, table->size);
  return record;
}

void eli_rod_table_release(eli_rod_table *table) {
  eli_release(table->allocator, table->records);
  table->records = NULL;
  table->count = 0;
}
