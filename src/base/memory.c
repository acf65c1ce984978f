/* Memory allocation (see memory.h). */
#include "base/target.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed memory that nobody writes to is not touched: large blocks come as fresh pages. */
static void *allocate_default(void *user, size_t size) {
  (void)user;
  return calloc(size, 1);
}

static void release_default(void *user, void *block) {
  (void)user;
  free(block);
}

eli_allocator eli_allocator_default(void) {
  const eli_allocator allocator = {allocate_default, release_default, NULL};
  return allocator;
}

void *eli_allocate(const eli_allocator *allocator, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 2 / size) return NULL;
  const size_t bytes = count * size > 0 ? count * size : 1;
  void *block = allocator->allocate(allocator->user, bytes);
  if (block != NULL && allocator->allocate != allocate_default) memset(block, 0, bytes);
  return block;
}

void eli_release(const eli_allocator *allocator, void *block) {
  if (block != NULL) allocator->release(allocator->user, block);
}

/* The address of the whole block is stored just before the aligned part. */
void *eli_allocate_lines(const eli_allocator *allocator, size_t count, size_t size) {
  enum { LINE = 64, HEAD = LINE + sizeof(void *) };
  if (size != 0 && count > (SIZE_MAX / 2 - HEAD) / size) return NULL;
  char *whole = eli_allocate(allocator, count * size + HEAD, 1);
  if (whole == NULL) return NULL;
  char *block = whole + HEAD - (uintptr_t)(whole + HEAD) % LINE;
  memcpy(block - sizeof whole, &whole, sizeof whole);
  return block;
}

void eli_release_lines(const eli_allocator *allocator, void *block) {
  void *whole;
  if (block == NULL) return;
  memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
  eli_release(allocator, whole);
}

void *eli_grow(const eli_allocator *allocator, void *block, size_t count, size_t size) {
  if (count != 0 && (count & (count - 1)) != 0) return block;
  void *grown = eli_allocate(allocator, count == 0 ? 1 : 2 * count, size);
  if (grown == NULL) return NULL;
  if (count != 0) memcpy(grown, block, count * size);
  eli_release(allocator, block);
  return grown;
}

int eli_indices_reserve(const eli_allocator *allocator, eli_indices *indices) {
  if (indices->free_count > 0) return 1;
  int *larger = eli_grow(allocator, indices->free, (size_t)indices->taken, sizeof *larger);
  if (larger != NULL) indices->free = larger;
  return larger != NULL;
}

int eli_indices_take(eli_indices *indices) {
  const int index = indices->free_count > 0 ? indices->free[--indices->free_count] : indices->taken;
  indices->taken++;
  return index;
}

void eli_indices_give_back(eli_indices *indices, int index) {
  indices->free[indices->free_count++] = index;
  indices->taken--;
}
