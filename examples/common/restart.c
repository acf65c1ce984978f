#include "restart.h"

#include <stdlib.h>
#include <string.h>

elastica_status restart_take(elastica_world *world, const restart_piece *piece) {
  return piece->count > 0 ? elastica_world_step(world, piece->dt, piece->count) : elastica_world_advance(world, piece->duration);
}

/* Returns a snapshot and its size; NULL on failure. */
static void *save(elastica_world *world, size_t *size) {
  void *bytes = elastica_world_snapshot_save(world, NULL, 0, size) == ELASTICA_OK ? malloc(*size) : NULL;
  if (bytes == NULL || elastica_world_snapshot_save(world, bytes, *size, NULL) == ELASTICA_OK) return bytes;
  free(bytes);
  return NULL;
}

const char *restart_check(elastica_world *world, const restart_piece *piece) {
  size_t before_size, first_size = 0, second_size = 0;
  void *before = save(world, &before_size), *first = NULL, *second = NULL;
  if (before != NULL && restart_take(world, piece) == ELASTICA_OK) first = save(world, &first_size);
  if (first != NULL && elastica_world_snapshot_load(world, before, before_size) == ELASTICA_OK && restart_take(world, piece) == ELASTICA_OK)
    second = save(world, &second_size);
  const int same = second != NULL && first_size == second_size && memcmp(first, second, first_size) == 0;
  const char *wrong = same ? NULL : second != NULL ? "a restart gave other bits" : elastica_world_message(world);
  free(before), free(first), free(second);
  return wrong;
}
