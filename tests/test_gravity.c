/* Claims about gravity. */
#include "support.h"

static const double pull[3] = {0.7, -0.4, -9.81};

/* A bent, twisted ring without stress in uniform motion. */
static elastica_rod *add_unstressed_ring(elastica_world *world, const double velocity[3]) {
  sample_rod sample;
  double velocities[3 * SAMPLE_NODES];
  elastica_rod *rod = NULL;
  make_sample_ring(&sample, 12, 3);
  for (int i = 0; i < 12; i++) memcpy(velocities + 3 * i, velocity, 3 * sizeof(double));
  DEFAULTS(rod, def);
  def.element_count = 12;
  def.closed = 1;
  def.position = sample.position;
  def.director = sample.director;
  def.velocity = velocities;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.03;
  def.density = 900.0;
  def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static void expect_parabola(const elastica_rod *rod, const rod_state *start, double t) {
  rod_state now;
  read_state(rod, &now);
  for (int k = 0; k < 3 * elastica_rod_get_view(rod)->node_count; k++) {
    assert_close(now.position[k], start->position[k] + t * start->velocity[k] + 0.5 * t * t * pull[k % 3], 1e-12);
    assert_close(now.velocity[k], start->velocity[k] + t * pull[k % 3], 1e-12);
  }
}

TEST(free_fall_is_a_parabola_for_rods_and_rings) {
  const double velocity[3] = {0.3, 0.1, 2.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 7, 0.7, 0.05, 1000.0, 1e5, 4e4);
  elastica_rod *ring = add_unstressed_ring(world, velocity);
  rod_state start, ring_start;
  read_state(rod, &start);
  read_state(ring, &ring_start);
  must(world, elastica_add_gravity(world, pull, NULL));
  must(world, elastica_world_step(world, 1e-3, 500));
  expect_parabola(rod, &start, 0.5);
  expect_parabola(ring, &ring_start, 0.5);
  elastica_world_destroy(world);
}

TEST(a_rod_that_is_added_later_falls_too) {
  elastica_world *world = make_world(NULL);
  rod_state start;
  must(world, elastica_add_gravity(world, pull, NULL));
  elastica_rod *rod = add_straight_rod(world, 3, 0.3, 0.05, 1000.0, 1e5, 4e4);
  read_state(rod, &start);
  must(world, elastica_world_step(world, 1e-3, 100));
  expect_parabola(rod, &start, 0.1);
  elastica_world_destroy(world);
}

/* All nodes fall alike, for any mass. */
TEST(an_added_mass_does_not_change_the_fall) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 0.4, 0.05, 1000.0, 1e5, 4e4);
  rod_state start;
  DEFAULTS(node_mass, mass);
  mass.node = 2;
  mass.mass = 5.0;
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  must(world, elastica_add_gravity(world, pull, NULL));
  read_state(rod, &start);
  must(world, elastica_world_step(world, 1e-3, 200));
  expect_parabola(rod, &start, 0.2);
  elastica_world_destroy(world);
}

TEST(kinetic_and_potential_energy_keep_their_sum_in_free_fall) {
  elastica_world *world = make_world(NULL);
  elastica_effect *gravity = NULL;
  elastica_totals energy;
  add_straight_rod(world, 7, 0.7, 0.05, 1000.0, 1e5, 4e4);
  must(world, elastica_add_gravity(world, pull, &gravity));
  must(world, elastica_world_get_totals(world, &energy));
  const double before = energy.translation + energy.effects;
  must(world, elastica_world_step(world, 1e-3, 400));
  must(world, elastica_world_get_totals(world, &energy));
  assert_true(energy.translation > 10.0);
  assert_close(energy.translation + energy.effects, before, 1e-11);
  assert_close(energy.effects, elastica_effect_energy(gravity), 0.0);
  elastica_world_destroy(world);
}

static void add_rod_and_ring(elastica_world *world) {
  const sample_recipe recipe = usual_recipe();
  sample_rod sample;
  make_sample(&sample, 9, 11, &recipe);
  add_sample(world, &sample);
  make_sample_ring(&sample, 12, 3);
  add_sample(world, &sample);
}

TEST(energy_and_power_are_those_of_the_whole_mass_at_its_centre) {
  elastica_world *world = make_world(NULL);
  elastica_effect *gravity = NULL;
  elastica_totals momentum;
  add_rod_and_ring(world);
  must(world, elastica_add_gravity(world, pull, &gravity));
  must(world, elastica_world_get_totals(world, &momentum));
  assert_close(elastica_effect_energy(gravity), -momentum.mass * dot(pull, momentum.centre), 1e-12);
  assert_close(elastica_effect_power(gravity), dot(pull, momentum.linear), 1e-12);
  elastica_world_destroy(world);
}

TEST(momentum_of_any_rod_grows_by_weight_times_time) {
  elastica_world *world = make_world(NULL);
  elastica_totals before, after;
  add_rod_and_ring(world);
  must(world, elastica_add_gravity(world, pull, NULL));
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_world_step(world, 1e-3, 200));
  must(world, elastica_world_get_totals(world, &after));
  for (int a = 0; a < 3; a++) assert_close(after.linear[a] - before.linear[a], before.mass * pull[a] * 0.2, 1e-11);
  elastica_world_destroy(world);
}

TEST(gravity_can_be_turned_and_switched_off_in_mid_run) {
  const double sideways[3] = {3.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 3, 0.3, 0.05, 1000.0, 1e5, 4e4);
  elastica_effect *gravity = NULL;
  must(world, elastica_add_gravity(world, pull, &gravity));
  must(world, elastica_world_step(world, 1e-3, 100));
  must(world, elastica_gravity_set(gravity, sideways));
  must(world, elastica_world_step(world, 1e-3, 100));
  must(world, elastica_effect_set_enabled(gravity, 0));
  must(world, elastica_world_step(world, 1e-3, 100));
  for (int a = 0; a < 3; a++) assert_close(elastica_rod_get_view(rod)->velocity[a][1], 0.1 * (pull[a] + sideways[a]), 1e-13);
  assert_true(elastica_effect_energy(gravity) == 0.0 && elastica_effect_power(gravity) == 0.0);
  elastica_world_destroy(world);
}
