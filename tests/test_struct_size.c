/* Definitions of older and newer callers: an init function writes as many bytes as it is told, and says so in struct_size. */
#include "support.h"

#include <stdlib.h>

/* A block of just so many bytes: a sanitizer sees what goes past it. */
#define ASSERT_INIT_KEEPS_TO_SIZE(type)                                                                                                    \
  do {                                                                                                                                     \
    for (size_t size = sizeof(size_t); size <= sizeof(type); size += sizeof(double)) {                                                     \
      type *def = malloc(size);                                                                                                            \
      assert_non_null(def);                                                                                                                \
      type##_init(def, size);                                                                                                              \
      assert_true(*(const size_t *)def == size);                                                                                           \
      free(def);                                                                                                                           \
    }                                                                                                                                      \
  } while (0)

static void init_writes_no_more_than_it_is_told(void **state) {
  (void)state;
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_world_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_rod_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_relax_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_module);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_closure);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_point_load_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_dissipation_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_clamp_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_pin_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_node_mass_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_muscle_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_contraction_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_drag_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_wall_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_self_contact_def);
}

/* What a newer caller knows and this library does not is refused, not ignored. */
static void newer_definitions_are_refused(void **state) {
  struct {
    elastica_world_def def;
    double more;
  } world_def;
  struct {
    elastica_module module;
    double more;
  } module;
  elastica_world *world = NULL;
  (void)state;
  elastica_world_def_init(&world_def.def, sizeof world_def);
  assert_int_equal(elastica_world_create(&world_def.def, &world), ELASTICA_WRONG_VERSION);
  assert_null(world);
  world = make_world(NULL);
  elastica_module_init(&module.module, sizeof module);
  module.module.name = "newer";
  assert_status(world, elastica_world_add_module(world, NULL, &module.module, NULL), ELASTICA_WRONG_VERSION);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(init_writes_no_more_than_it_is_told),
      cmocka_unit_test(newer_definitions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
