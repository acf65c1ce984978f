/* Claims about what effects are asked for between steps. */
#include "base/target.h"

#include "support.h"

static const double pi = 3.14159265358979324, weight = 9.81;

/* A rod of 1 m along z from the origin. */
static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
}

static elastica_effect *add_weight(elastica_world *world) {
  const double down[3] = {0.0, 0.0, -weight};
  elastica_effect *effect = NULL;
  must(world, elastica_add_gravity(world, down, &effect));
  return effect;
}

/* 100 kg on the last node. */
static elastica_effect *add_burden(elastica_world *world, elastica_rod *rod) {
  elastica_node_mass_def def;
  elastica_effect *effect = NULL;
  elastica_node_mass_def_init(&def, sizeof def);
  def.mass = 100.0;
  must(world, elastica_add_node_mass(world, rod, &def, &effect));
  return effect;
}

/* A rod of mass m has its centre at 0.5 m, the burden is at 1 m; nothing else needs to be asked first. */
static void energy_of_weight_counts_added_masses_at_once(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world);
  const double own = 1000.0 * pi * 0.01;
  (void)state;
  assert_close(elastica_effect_energy(gravity), weight * own * 0.5, 1e-12);
  elastica_effect *burden = add_burden(world, rod);
  assert_close(elastica_effect_energy(gravity), weight * (own * 0.5 + 100.0), 1e-11);
  assert_close(elastica_rod_get_view(rod)->mass[5], own / 10.0 + 100.0, 1e-13);
  must(world, elastica_effect_set_enabled(burden, 0));
  assert_close(elastica_effect_energy(gravity), weight * own * 0.5, 1e-12);
  assert_close(elastica_rod_get_view(rod)->mass[5], own / 10.0, 1e-14);
  elastica_world_destroy(world);
}

static void power_of_weight_counts_added_masses_at_once(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world);
  rod_state falling;
  (void)state;
  read_state(rod, &falling);
  for (int i = 0; i <= 5; i++) falling.velocity[3 * i + 2] = -2.0;
  must(world, elastica_rod_set_state(rod, NULL, falling.velocity, NULL, NULL));
  add_burden(world, rod);
  assert_close(elastica_effect_power(gravity), 2.0 * weight * (1000.0 * pi * 0.01 + 100.0), 1e-11);
  elastica_world_destroy(world);
}

static elastica_status refuse_to_prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod, (void)preparation;
  return ELASTICA_IO_ERROR;
}

static void energy_of_a_world_that_cannot_be_prepared_is_not_a_number(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world), *reluctant = NULL;
  elastica_module module;
  (void)state;
  elastica_module_init(&module, sizeof module);
  module.name = "reluctant";
  module.prepare = refuse_to_prepare;
  must(world, elastica_world_add_module(world, rod, &module, &reluctant));
  assert_true(isnan(elastica_effect_energy(gravity)) && isnan(elastica_effect_power(gravity)));
  assert_says(elastica_world_message(world), "effect 1 \"reluctant\": prepare returned IO_ERROR for rod 0");
  assert_true(elastica_effect_energy(reluctant) == 0.0);
  must(world, elastica_effect_set_enabled(reluctant, 0));
  assert_close(elastica_effect_energy(gravity), weight * 1000.0 * pi * 0.01 * 0.5, 1e-12);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_of_weight_counts_added_masses_at_once),
      cmocka_unit_test(power_of_weight_counts_added_masses_at_once),
      cmocka_unit_test(energy_of_a_world_that_cannot_be_prepared_is_not_a_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
