/* Claims about added masses. */
#include "support.h"

static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 4, 0.4, 0.05, 1000.0, 1e5, 4e4);
}

static elastica_node_mass_def mass_on(int node, double mass) {
  DEFAULTS(node_mass, def);
  def.node = node;
  def.mass = mass;
  return def;
}

static double mass_of(elastica_rod *rod) {
  elastica_totals momentum;
  must(elastica_rod_get_view(rod)->world, elastica_rod_get_totals(rod, &momentum));
  return momentum.mass;
}

/* Velocity along x of a node after one step under 1 N, in units of the step: the inverse of its mass. */
static double inverse_mass_felt_at(elastica_rod *rod, int node) {
  const double dt = 1e-6;
  elastica_world *world = elastica_rod_get_view(rod)->world;
  elastica_effect *effect = NULL;
  const double before = elastica_rod_get_view(rod)->velocity[0][node];
  DEFAULTS(point_load, load);
  load.node = node;
  load.force[0] = 1.0;
  must(world, elastica_add_point_load(world, rod, &load, &effect));
  must(world, elastica_world_step(world, dt, 1));
  must(world, elastica_effect_set_enabled(effect, 0));
  return (elastica_rod_get_view(rod)->velocity[0][node] - before) / dt;
}

TEST(a_loaded_node_accelerates_less) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_node_mass_def mass = mass_on(-3, 0.8);
  const double own = elastica_rod_get_view(rod)->mass[2];
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  assert_close(inverse_mass_felt_at(rod, 2) * (own + 0.8), 1.0, 1e-12);
  assert_close(elastica_rod_get_view(rod)->mass[2], own + 0.8, 1e-15);
  elastica_world_destroy(world);
}

TEST(the_last_node_is_the_default_and_masses_on_one_node_add_up) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_node_mass_def mass;
  const double own = elastica_rod_get_view(rod)->mass[4];
  elastica_node_mass_def_init(&mass, sizeof mass);
  mass.mass = 0.25;
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  assert_close(inverse_mass_felt_at(rod, 4) * (own + 0.5), 1.0, 1e-12);
  elastica_world_destroy(world);
}

TEST(a_mass_can_be_changed_moved_and_switched_off_in_mid_run) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *effect = NULL;
  elastica_node_mass_def mass = mass_on(1, 0.3);
  const double own = mass_of(rod), node = elastica_rod_get_view(rod)->mass[3];
  must(world, elastica_add_node_mass(world, rod, &mass, &effect));
  must(world, elastica_world_step(world, 1e-4, 5));
  assert_close(mass_of(rod), own + 0.3, 1e-14);
  mass = mass_on(3, 0.7);
  must(world, elastica_node_mass_set(effect, &mass));
  must(world, elastica_world_step(world, 1e-4, 5));
  assert_close(mass_of(rod), own + 0.7, 1e-14);
  assert_close(elastica_rod_get_view(rod)->mass[3], node + 0.7, 1e-15);
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_step(world, 1e-4, 5));
  assert_close(mass_of(rod), own, 0.0);
  elastica_world_destroy(world);
}

TEST(the_first_node_of_a_ring_takes_a_mass_once) {
  elastica_world *world = make_world(NULL);
  sample_rod sample;
  make_sample_ring(&sample, 8, 5);
  elastica_rod *ring = add_sample(world, &sample);
  const double own = mass_of(ring);
  const elastica_node_mass_def mass = mass_on(0, 0.4);
  must(world, elastica_add_node_mass(world, ring, &mass, NULL));
  must(world, elastica_world_step(world, 1e-4, 5));
  assert_close(mass_of(ring), own + 0.4, 1e-14);
  elastica_world_destroy(world);
}

TEST(a_mass_of_zero_changes_no_bit) {
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    const elastica_node_mass_def mass = mass_on(3, 0.0);
    make_sample(&sample, 8, 2, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    if (k == 1) must(world, elastica_add_node_mass(world, rod, &mass, NULL));
    must(world, elastica_world_step(world, 1e-4, 100));
    hash[k] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

/* One element between a wall and a mass: with the classical law a linear spring EA/L under the mass M + m/2. Position Verlet moves it
 * from (A, 0) to exactly A cos(k phi) with sin(phi/2) = omega dt/2. */
TEST(a_bob_on_one_element_is_a_harmonic_oscillator) {
  const double pi = 3.14159265358979324, length = 0.5, radius = 0.01, density = 1200.0, youngs_modulus = 1e6, bob = 3.0, dt = 1e-4;
  const double area = pi * radius * radius, mass = bob + 0.5 * density * area * length;
  const double phi = 2.0 * asin(0.5 * dt * sqrt(youngs_modulus * area / (length * mass)));
  elastica_world_def def = default_world();
  def.law = ELASTICA_LAW_CLASSICAL;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_straight_rod(world, 1, length, radius, density, youngs_modulus, 4e5);
  const elastica_node_mass_def added = mass_on(-1, bob);
  const double pulled[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.1 * length};
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  must(world, elastica_add_node_mass(world, rod, &added, NULL));
  must(world, elastica_rod_set_state(rod, pulled, NULL, NULL, NULL));
  for (int k = 0; k < 10; k++) {
    must(world, elastica_world_step(world, dt, 1000));
    const double steps = 1000.0 * (k + 1);
    assert_close(elastica_rod_get_view(rod)->position[2][1] - length, 0.1 * length * cos(steps * phi), 1e-11);
  }
  elastica_world_destroy(world);
}
