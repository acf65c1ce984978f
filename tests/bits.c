/* Prints the hash of each scene, one a line: "name hash". Builds by different compilers, flags, instruction sets, numbers of threads and
 * sizes of tiles must print the same.
 *
 *   bits SET [WORKERS [TILE_SIZE]]   SET: 0 auto, 1 base, 2 AVX2, 3 AVX-512, 4 FMA; with status 77 the processor or the build lacks it
 */
#include "varied_scenes.h"

#include <inttypes.h>

int main(int argc, char **argv) {
  scene_way way = {ELASTICA_INSTRUCTION_SET_AUTO, 1, 0};
  if (argc > 1) way.instruction_set = (elastica_instruction_set)atoi(argv[1]);
  if (argc > 2) way.workers = atoi(argv[2]);
  if (argc > 3) way.tile_size = (size_t)atoi(argv[3]);
  if (!has_set(way.instruction_set)) return 77;
  for (int k = 0; k < SCENE_COUNT; k++) printf("%s 0x%016" PRIx64 "\n", scenes[k].name, hash_scene(&scenes[k], &way));
  printf("%s 0x%016" PRIx64 "\n", search_scenes[0].name, hash_search(&search_scenes[0]));
  for (int k = 0; k < VARIED_SCENE_COUNT; k++)
    printf("%s 0x%016" PRIx64 "\n", varied_scenes[k].name, hash_varied_scene(&varied_scenes[k], &way));
  return 0;
}
