/* The bits of the scenes are the stored ones, on every instruction set that the processor has.
 */
#include "scenes.h"

#include <inttypes.h>

static void assert_stored_bits(elastica_instruction_set instruction_set) {
  for (int k = 0; k < SCENE_COUNT; k++) {
    const uint64_t hash = hash_scene(&scenes[k], instruction_set);
    if (hash == 0) skip();
    if (hash != scenes[k].hash) fail_msg("%s: %016" PRIx64 ", stored %016" PRIx64, scenes[k].name, hash, scenes[k].hash);
  }
}

static void base_gives_the_stored_bits(void **state) {
  (void)state;
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_BASE);
}

static void avx2_gives_the_stored_bits(void **state) {
  (void)state;
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_AVX2);
}

static void avx512_gives_the_stored_bits(void **state) {
  (void)state;
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_AVX512);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base_gives_the_stored_bits),
      cmocka_unit_test(avx2_gives_the_stored_bits),
      cmocka_unit_test(avx512_gives_the_stored_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
