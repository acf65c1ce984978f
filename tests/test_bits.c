/* The bits of the scenes are the stored ones, on every instruction set that the processor has.
 */
#include "scenes.h"

#include "state/module.h"
#include "kernels/kernels.h"

#include <inttypes.h>

static void assert_stored_bits(elastica_instruction_set instruction_set) {
  for (int k = 0; k < SCENE_COUNT; k++) {
    const uint64_t hash = hash_scene(&scenes[k], instruction_set);
    if (hash == 0) skip();
    if (hash != scenes[k].hash) fail_msg("%s: %016" PRIx64 ", stored %016" PRIx64, scenes[k].name, hash, scenes[k].hash);
  }
}

TEST(base_gives_the_stored_bits) {
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_BASE);
}

TEST(avx2_gives_the_stored_bits) {
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_AVX2);
}

TEST(avx512_gives_the_stored_bits) {
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_AVX512);
}

TEST(fma_gives_the_stored_bits) {
  assert_stored_bits(ELASTICA_INSTRUCTION_SET_FMA);
}

TEST(a_search_gives_the_stored_bits) {
  const uint64_t hash = hash_search(&search_scenes[0]);
  if (hash != search_scenes[0].hash) fail_msg("%016" PRIx64 ", stored %016" PRIx64, hash, search_scenes[0].hash);
}

/* So the scenes with walls above test each instruction set. */
TEST(walls_press_by_the_instruction_set_of_their_world) {
  for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
    const eli_kernels *kernels = eli_kernels_select((elastica_instruction_set)set);
    elastica_world_def def = default_world();
    if (kernels == NULL) continue;
    def.instruction_set = (elastica_instruction_set)set;
    elastica_world *world = make_world(&def);
    assert_true(eli_world_kernels(world)->press_wall == kernels->press_wall);
    for (int other = ELASTICA_INSTRUCTION_SET_BASE; other < set; other++) {
      const eli_kernels *others = eli_kernels_select((elastica_instruction_set)other);
      assert_true(others == NULL || kernels->press_wall != others->press_wall);
    }
    elastica_world_destroy(world);
  }
}
