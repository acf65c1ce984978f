/* Prints the hash of each scene, one a line: "name hash", and the stored one where it is another. Builds by different compilers, flags,
 * instruction sets, numbers of threads and sizes of tiles must print the same.
 *
 *   bits [SET [WORKERS [TILE_SIZE]]]   SET: 0 auto (default), 1 base, 2 AVX2, 3 AVX-512, 4 FMA
 *
 * Returns 0, 1 if a hash is not the stored one, or 77 if the processor or the build lacks the instruction set.
 */
#include "varied_scenes.h"

#include <inttypes.h>

static int differs(const char *name, uint64_t hash, uint64_t stored) {
  printf("%s 0x%016" PRIx64, name, hash);
  if (hash != stored) printf(", stored: 0x%016" PRIx64, stored);
  printf("\n");
  return hash != stored;
}

int main(int argc, char **argv) {
  scene_way way = {ELASTICA_INSTRUCTION_SET_AUTO, 1, 0};
  int other = 0;
  if (argc > 1) way.instruction_set = (elastica_instruction_set)atoi(argv[1]);
  if (argc > 2) way.workers = atoi(argv[2]);
  if (argc > 3) way.tile_size = (size_t)atoi(argv[3]);
  if (!has_set(way.instruction_set)) return 77;
  for (int k = 0; k < SCENE_COUNT; k++) other |= differs(scenes[k].name, hash_scene(&scenes[k], &way), scenes[k].hash);
  other |= differs(search_scenes[0].name, hash_search(&search_scenes[0]), search_scenes[0].hash);
  for (int k = 0; k < VARIED_SCENE_COUNT; k++)
    other |= differs(varied_scenes[k].name, hash_varied_scene(&varied_scenes[k], &way), varied_scenes[k].hash);
  return other;
}
