/* Prints the hash of each scene, one a line: "name hash", and the stored one where it is another. Builds by different compilers, flags and
 * instruction sets must print the same. Returns 0, 1 if a hash is not the stored one, or 2 if the processor or the build lacks the
 * instruction set.
 * The only argument, if any, is the number of an instruction set: 0 auto, 1 base, 2 AVX2, 3 AVX-512, 4 FMA.
 */
#include "scenes.h"

#include <inttypes.h>

static int differs(const char *name, uint64_t hash, uint64_t stored) {
  printf("%s 0x%016" PRIx64, name, hash);
  if (hash != stored) printf(", stored: 0x%016" PRIx64, stored);
  printf("\n");
  return hash != stored;
}

int main(int argc, char **argv) {
  const elastica_instruction_set set = argc > 1 ? (elastica_instruction_set)atoi(argv[1]) : ELASTICA_INSTRUCTION_SET_AUTO;
  int other = 0;
  for (int k = 0; k < SCENE_COUNT; k++) {
    const uint64_t hash = hash_scene(&scenes[k], set);
    if (hash == 0) return 2;
    other |= differs(scenes[k].name, hash, scenes[k].hash);
  }
  other |= differs(search_scenes[0].name, hash_search(&search_scenes[0]), search_scenes[0].hash);
  return other;
}
