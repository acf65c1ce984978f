/* Prints the hash of each scene, one a line: "name hash". Builds by different compilers, flags and instruction sets must print the same.
 * The only argument, if any, is the number of an instruction set: 0 auto, 1 base, 2 AVX2, 3 AVX-512, 4 FMA.
 */
#include "scenes.h"

#include <inttypes.h>

int main(int argc, char **argv) {
  const elastica_instruction_set set = argc > 1 ? (elastica_instruction_set)atoi(argv[1]) : ELASTICA_INSTRUCTION_SET_AUTO;
  int there = 1;
  for (int k = 0; k < SCENE_COUNT; k++) {
    const uint64_t hash = hash_scene(&scenes[k], set);
    printf("%s 0x%016" PRIx64 "\n", scenes[k].name, hash);
    there = hash != 0;
  }
  printf("%s 0x%016" PRIx64 "\n", search_scenes[0].name, there ? hash_search(&search_scenes[0]) : 0);
  return 0;
}
