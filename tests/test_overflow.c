/* Calls refuse finite numbers with infinite squares, products or reciprocals. */
#include "base/target.h"

#include "base/memory.h"
#include "one_rod.h"
#include "rationed_memory.h"

/* One wrong field in an otherwise valid definition. */
#define REFUSED(type, usual, change, ...)                                                                                                  \
  do {                                                                                                                                     \
    elastica_##type##_def def;                                                                                                             \
    elastica_##type##_def_init(&def, sizeof def);                                                                                          \
    usual;                                                                                                                                 \
    change;                                                                                                                                \
    assert_refused(f->world, elastica_add_##type(f->world, f->rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                   \
  } while (0)

/* Rates of dissipation with powers that the kick of the spin computes. */
TEST_WITH_ROD(rates_of_dissipation_with_overflowing_powers_are_refused) {
  fixture *f = *state;
  REFUSED(dissipation, def.translation = 0.0, def.rotation = 1e21, "dissipation_def.rotation", "too large", "1e+21");
  REFUSED(dissipation, def.rotation = 0.0, def.translation = 1e100, "dissipation_def.translation", "too large", "1e+100");
  DEFAULTS(dissipation, most);
  most.translation = most.rotation = 1e20;
  must(f->world, elastica_add_dissipation(f->world, f->rod, &most, NULL));
  must(f->world, elastica_world_step(f->world, 1e-5, 10));
}

static elastica_status add_much(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)rod;
  preparation->mass[2] += *(const double *)self;
  return ELASTICA_OK;
}

/* Each mass is finite, their sum is not. */
TEST_WITH_ROD(masses_that_add_up_to_infinity_are_refused) {
  const double mass = 1e308;
  fixture *f = *state;
  elastica_module module = module_named("lead");
  module.self = &mass;
  module.self_size = sizeof mass;
  module.prepare = add_much;
  for (int k = 0; k < 2; k++) must(f->world, elastica_world_add_module(f->world, f->rod, &module, NULL));
  assert_refused(f->world, elastica_world_step(f->world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "rod 0, node 2", "mass", "too large");
}

TEST_WITH_ROD(speeds_with_overflowing_squares_are_refused) {
  fixture *f = *state;
  double fast[18] = {0.0};
  fast[component(1, Y)] = 1e155;
  assert_refused(f->world, elastica_rod_set_state(f->rod, NULL, fast, NULL, NULL), ELASTICA_INVALID_ARGUMENT, "set_state", "velocity[4]",
                 "too large", "1e+155");
  assert_refused(f->world, elastica_rod_set_state(f->rod, NULL, NULL, NULL, fast), ELASTICA_INVALID_ARGUMENT, "set_state", "omega[4]",
                 "too large", "1e+155");
  assert_refused(f->world, elastica_rod_set_rest(f->rod, NULL, fast), ELASTICA_INVALID_ARGUMENT, "set_rest", "rest_strain[4]", "too large",
                 "1e+155");
  DEFAULTS(rod, def);
  def.element_count = 5, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  double shortest[5] = {0.2, 0.2, 1e-300, 0.2, 0.2};
  def.rest_length = shortest;
  assert_refused(f->world, elastica_world_add_rod(f->world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "rod_def.length", "element 2", "2e+299",
                 "rest length");
  def.rest_length = NULL;
  def.velocity = fast;
  assert_refused(f->world, elastica_world_add_rod(f->world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "rod_def.velocity[4]", "too large",
                 "1e+155");
}

/* The velocity after an extreme load is still finite. */
TEST_WITH_ROD(a_speed_that_is_too_large_is_not_called_infinite) {
  fixture *f = *state;
  add_pull_too_far(f->world);
  assert_status(f->world, elastica_world_step(f->world, 1e-6, 1), ELASTICA_NOT_FINITE);
  assert_says(elastica_world_message(f->world), "rod 0, node 0", "velocity", "too large", "1e+194 m/s", "t = 1e-06 s");
}

TEST_WITH_ROD(a_step_lost_in_the_rounding_of_time_is_refused) {
  fixture *f = *state;
  must(f->world, elastica_world_step(f->world, 1e-6, 1));
  assert_refused(f->world, elastica_world_step(f->world, 1e-23, 1), ELASTICA_INVALID_ARGUMENT, "step", "dt = 1e-23 s", "lost in rounding",
                 "t = 1e-06 s");
  assert_refused(f->world, elastica_world_step(f->world, 1e-310, 1), ELASTICA_INVALID_ARGUMENT, "step", "dt = 1e-310 s", "too small");
  assert_true(elastica_world_get(f->world).step_count == 1);
  must(f->world, elastica_world_step(f->world, 1e-20, 1));
  assert_true(elastica_world_get(f->world).time > 1e-6);
}

/* The allocator gets no request of a wrapped size. */
TEST(sizes_with_overflowing_products_are_not_requested) {
  memory_ration ration = plenty();
  const eli_allocator allocator = {take_rationed, give_back_rationed, &ration};
  const size_t half = SIZE_MAX / 2;
  assert_null(eli_allocate(&allocator, half / 8 + 1, 8));
  assert_null(eli_allocate_lines(&allocator, half / 8 + 1, 8));
  assert_null(eli_allocate_lines(&allocator, half, 1));
  assert_int_equal(ration.calls, 0);
  void *block = eli_allocate(&allocator, 0, 8), *line = eli_allocate_lines(&allocator, half, 0);
  assert_true(block != NULL && line != NULL && ration.blocks == 2);
  eli_release(&allocator, block);
  eli_release_lines(&allocator, line);
  assert_null(eli_allocate(&allocator, half, 2));
  assert_int_equal(ration.blocks, 0);
}
