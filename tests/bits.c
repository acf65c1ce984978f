/* Prints the hash of each scene, one a line: "name hash". Builds by different compilers, flags and instruction sets must print the same.
 * The only argument, if any, is the number of an instruction set: 0 auto, 1 base, 2 AVX2, 3 AVX-512.
 */
#include "scenes.h"

#include <inttypes.h>

int main(int argc, char **argv) {
  elastica_world_def def = default_world();
  if (argc > 1) def.instruction_set = (elastica_instruction_set)atoi(argv[1]);
  for (int k = 0; k < SCENE_COUNT; k++) printf("%s 0x%016" PRIx64 "\n", scenes[k].name, hash_scene(&scenes[k], &def));
  return 0;
}
