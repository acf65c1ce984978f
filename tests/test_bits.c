/* The bits of the scenes are the stored ones, on every instruction set that the processor has, on several threads and in tiles of several
 * sizes. The stage product of .ci/run takes all combinations. */
#include "varied_scenes.h"

#include "state/module.h"
#include "kernels/kernels.h"

#include <inttypes.h>

static void assert_hash(const char *name, const scene_way *way, uint64_t hash, uint64_t stored) {
  if (hash == stored) return;
  fail_msg("%s with instruction set %d, %d workers and tiles of %zu: %016" PRIx64 ", stored %016" PRIx64, name, (int)way->instruction_set,
           way->workers, way->tile_size, hash, stored);
}

static void assert_stored_bits(scene_way way) {
  if (!has_set(way.instruction_set)) skip();
  for (int k = 0; k < SCENE_COUNT; k++) assert_hash(scenes[k].name, &way, hash_scene(&scenes[k], &way), scenes[k].hash);
  for (int k = 0; k < VARIED_SCENE_COUNT; k++)
    assert_hash(varied_scenes[k].name, &way, hash_varied_scene(&varied_scenes[k], &way), varied_scenes[k].hash);
}

TEST(base_gives_the_stored_bits) {
  assert_stored_bits((scene_way){ELASTICA_INSTRUCTION_SET_BASE, 2, 64});
}

TEST(avx2_gives_the_stored_bits) {
  assert_stored_bits((scene_way){ELASTICA_INSTRUCTION_SET_AVX2, 3, 7});
}

TEST(avx512_gives_the_stored_bits) {
  assert_stored_bits((scene_way){ELASTICA_INSTRUCTION_SET_AVX512, 8, 512});
}

TEST(fma_gives_the_stored_bits) {
  assert_stored_bits((scene_way){ELASTICA_INSTRUCTION_SET_FMA, 1, 64});
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
