/* Claims about dissipation. */
#include "measured.h"

static const double pi = 3.14159265358979324;
static const double radius = 0.05, density = 1000.0;

static elastica_rod *add_rod(elastica_world *world, int n) {
  return add_straight_rod(world, n, 0.1 * n, radius, density, 1e5, 4e4);
}

/* Mass per length and moment of inertia about the axis per length. */
static double line_mass(void) {
  return density * pi * radius * radius;
}

static double line_inertia(void) {
  return 0.5 * line_mass() * radius * radius;
}

static elastica_dissipation_def rates(double translation, double rotation) {
  DEFAULTS(dissipation, def);
  def.translation = translation;
  def.rotation = rotation;
  return def;
}

/* A regular polygon without stress, at rest or in uniform motion. */
static elastica_rod *add_polygon(elastica_world *world, int n, double side, const double velocity[3]) {
  double position[3 * SAMPLE_NODES] = {0}, velocities[3 * SAMPLE_NODES];
  elastica_rod *rod = NULL;
  for (int i = 0; i < n; i++) {
    const double circle = 0.5 * side / sin(pi / n);
    set_vector(position, i, circle * cos(2.0 * pi * i / n), circle * sin(2.0 * pi * i / n), 0.0);
    memcpy(velocities + 3 * i, velocity, 3 * sizeof(double));
  }
  DEFAULTS(rod, def);
  def.element_count = n;
  def.closed = 1;
  def.position = position;
  def.velocity = velocities;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius, def.density = density, def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A rod that falls through a resisting medium, with the rate c per mass and c dt = 0.1, 1, 10. The rod falls as a whole, so its momentum
 * is compared; the rounding of positions strains the rod and so moves single nodes. */
TEST(the_terminal_velocity_is_exact_at_any_step) {
  const double dt = 1e-3, rate_times_step[3] = {0.1, 1.0, 10.0}, g[3] = {0.3, 0.7, -9.81};
  for (int k = 0; k < 3; k++) {
    const double gamma = rate_times_step[k] / dt * line_mass();
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 6);
    elastica_totals momentum;
    const elastica_dissipation_def def = rates(gamma, 0.0);
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_add_dissipation(world, rod, &def, NULL));
    must(world, elastica_world_step(world, dt, 1000));
    must(world, elastica_world_get_totals(world, &momentum));
    for (int a = 0; a < 3; a++) {
      const double terminal = line_mass() * g[a] / gamma;
      assert_close(momentum.linear[a] / momentum.mass, terminal, 1e-12 * fabs(terminal));
    }
    elastica_world_destroy(world);
  }
}

/* A wheel on its axis under a constant couple. */
TEST(the_terminal_spin_is_exact_at_any_step) {
  const double dt = 1e-3, rate_times_step[3] = {0.1, 1.0, 10.0};
  for (int k = 0; k < 3; k++) {
    const double gamma = rate_times_step[k] / dt * line_inertia();
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 1);
    const elastica_dissipation_def def = rates(0.0, gamma);
    DEFAULTS(point_load, load);
    load.couple[2] = 1e-4;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_add_dissipation(world, rod, &def, NULL));
    must(world, elastica_world_step(world, dt, 1000));
    const double terminal = 1e-4 / (gamma * 0.1);
    assert_close(elastica_rod_get_view(rod)->omega[2][0], terminal, 1e-12 * terminal);
    elastica_world_destroy(world);
  }
}

/* dv/dt = -(gamma_t/rho A) v, and the same for a spin about the axis: the error falls by four with half the step. */
TEST(speed_and_spin_decay_exponentially_to_second_order) {
  double speed_error[2], spin_error[2];
  for (int k = 0; k < 2; k++) {
    const double dt = k == 0 ? 1e-3 : 5e-4, rate = 40.0, time = 0.05;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 1);
    const double velocity[6] = {2.0, 0.0, 0.0, 2.0, 0.0, 0.0}, omega[3] = {0.0, 0.0, 3.0};
    const elastica_dissipation_def def = rates(rate * line_mass(), 0.5 * rate * line_inertia());
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
    must(world, elastica_add_dissipation(world, rod, &def, NULL));
    must(world, elastica_world_step(world, dt, lround(time / dt)));
    speed_error[k] = fabs(elastica_rod_get_view(rod)->velocity[0][1] - 2.0 * exp(-rate * time));
    spin_error[k] = fabs(elastica_rod_get_view(rod)->omega[2][0] - 3.0 * exp(-0.5 * rate * time));
    elastica_world_destroy(world);
  }
  assert_true(speed_error[0] < 1e-3 && spin_error[0] < 1e-3);
  assert_between(speed_error[0] / speed_error[1], 3.8, 4.2);
  assert_between(spin_error[0] / spin_error[1], 3.8, 4.2);
}

/* The integral of power by the trapezoidal rule over a run of a bent, twisted, stretched rod and a ring, with the conservative law. */
TEST(power_is_the_energy_that_is_taken_out) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    const double dt = k == 0 ? 1e-4 : 5e-5;
    elastica_world *world = make_conservative_world();
    elastica_effect *effect[2];
    const elastica_dissipation_def def = rates(80.0, 0.02);
    must(world, elastica_add_dissipation(world, add_usual_rod(world), &def, &effect[0]));
    must(world, elastica_add_dissipation(world, add_usual_ring(world), &def, &effect[1]));
    const double before = mechanical_energy(world);
    const double work = work_until(world, 0.05, dt, effect, 2);
    const double change = mechanical_energy(world) - before;
    assert_true(change < -0.05 * before);
    error[k] = fabs(work / change - 1.0);
    elastica_world_destroy(world);
  }
  assert_true(error[0] < 1e-3);
  assert_between(error[0] / error[1], 3.0, 5.0);
}

/* A rod pulled to twice its rest length: decay rate and power are those of its present length. */
TEST(a_stretched_rod_is_resisted_along_its_present_length) {
  const double rate = 50.0, dt = 1e-5, e = 2.0;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world, 5);
  elastica_effect *effect = NULL;
  elastica_totals momentum;
  double position[18] = {0}, velocity[18] = {0};
  const elastica_dissipation_def def = rates(rate * line_mass(), 0.0);
  for (int i = 0; i <= 5; i++) {
    position[component(i, Z)] = 0.1 * e * i;
    velocity[component(i, X)] = 1.5;
  }
  must(world, elastica_rod_set_state(rod, position, velocity, NULL, NULL));
  must(world, elastica_add_dissipation(world, rod, &def, &effect));
  assert_close(elastica_effect_power(effect), -rate * line_mass() * e * 0.5 * 1.5 * 1.5, 1e-12);
  must(world, elastica_world_step(world, dt, 1));
  must(world, elastica_world_get_totals(world, &momentum));
  assert_close(momentum.linear[0] / (1.5 * momentum.mass), exp(-rate * e * dt), 1e-9);
  elastica_world_destroy(world);
}

/* A ring has no end nodes: a polygon in uniform motion remains a polygon. */
TEST(a_ring_is_resisted_alike_all_around) {
  const double velocity[3] = {0.4, -0.2, 1.0}, rate = 30.0, dt = 1e-3;
  elastica_world *world = make_world(NULL);
  elastica_rod *ring = add_polygon(world, 7, 0.1, velocity);
  elastica_effect *effect = NULL;
  const elastica_dissipation_def def = rates(rate * line_mass(), 1e-3);
  must(world, elastica_add_dissipation(world, ring, &def, &effect));
  assert_close(elastica_effect_power(effect), -rate * line_mass() * 0.7 * dot(velocity, velocity), 1e-12);
  must(world, elastica_world_step(world, dt, 50));
  const elastica_rod_view *view = elastica_rod_get_view(ring);
  for (int a = 0; a < 3; a++) {
    assert_close(view->velocity[a][0], velocity[a] * exp(-rate * 0.05), 1e-3);
    for (int i = 1; i < 7; i++) assert_close(view->velocity[a][i], view->velocity[a][0], 1e-12);
  }
  elastica_world_destroy(world);
}

TEST(strong_damping_never_adds_energy) {
  elastica_world *world = make_world(NULL);
  const elastica_dissipation_def def = rates(1e9, 1e6);
  elastica_rod *rod = add_usual_rod(world);
  must(world, elastica_add_dissipation(world, rod, &def, NULL));
  double before = mechanical_energy(world);
  for (int k = 0; k < 20; k++) {
    must(world, elastica_world_step(world, 1e-4, 1));
    const double now = mechanical_energy(world);
    assert_true(now <= before * (1.0 + 1e-12));
    before = now;
  }
  elastica_world_destroy(world);
}

TEST(rates_can_be_changed_and_switched_off_in_mid_run) {
  const double velocity[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world, 1);
  elastica_effect *effect = NULL;
  elastica_dissipation_def def = rates(2.0 * line_mass(), 0.0);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  must(world, elastica_add_dissipation(world, rod, &def, &effect));
  must(world, elastica_world_step(world, 1e-3, 100));
  const double first = elastica_rod_get_view(rod)->velocity[0][0];
  assert_close(first, exp(-0.2), 1e-6);
  def = rates(5.0 * line_mass(), 0.0);
  must(world, elastica_dissipation_set(effect, &def));
  must(world, elastica_world_step(world, 1e-3, 100));
  const double second = elastica_rod_get_view(rod)->velocity[0][0];
  assert_close(second, first * exp(-0.5), 1e-5);
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_step(world, 1e-3, 100));
  assert_close(elastica_rod_get_view(rod)->velocity[0][0], second, 0.0);
  assert_close(elastica_effect_power(effect), 0.0, 0.0);
  elastica_world_destroy(world);
}

TEST(rod_null_means_every_rod_also_later_ones) {
  elastica_world *world = make_world(NULL);
  double speed[2];
  DEFAULTS(dissipation, def);
  def.translation = 2.0;
  must(world, elastica_add_dissipation(world, NULL, &def, NULL));
  for (int k = 0; k < 2; k++) {
    const double velocity[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    elastica_rod *rod = add_straight_rod(world, 1, 0.1, 0.01, 1000.0, 1e6, 1e6 / 3.0);
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  }
  must(world, elastica_world_advance(world, 0.01));
  for (int k = 0; k < 2; k++) speed[k] = elastica_rod_get_view(elastica_world_rod(world, k))->velocity[0][0];
  assert_between(speed[0], 0.5, 0.99);
  assert_close(speed[0], speed[1], 0.0);
  elastica_world_destroy(world);
}

static elastica_status add_air(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->drag[i] += 0.1 * (1.0 + i);
  for (int j = 0; j < rod->element_count; j++) loads->spin_drag[j] += 1e-4;
  return ELASTICA_OK;
}

enum { DAMPED = 5 };

/* Rods of one to five elements, with additional rates of other effects; apart 1: each has its own effect. */
static elastica_world *make_damped(int apart, elastica_rod *rod[DAMPED]) {
  const elastica_dissipation_def def = rates(0.7, 0.3);
  elastica_module air;
  elastica_world *world = make_world(NULL);
  elastica_module_init(&air, sizeof air);
  air.name = "air";
  air.add_loads = add_air;
  air.parallel_safe = 1;
  for (int r = 0; r < DAMPED; r++) {
    const double velocity[3] = {1.0 + r, 0.5, -0.25};
    rod[r] = add_rod(world, 1 + r);
    double velocities[3 * (DAMPED + 1)];
    for (int i = 0; i < r + 2; i++) set_vector(velocities, i, velocity[0] + i, velocity[1], velocity[2]);
    must(world, elastica_rod_set_state(rod[r], NULL, velocities, NULL, NULL));
    if (apart) must(world, elastica_add_dissipation(world, rod[r], &def, NULL));
  }
  if (!apart) must(world, elastica_add_dissipation(world, NULL, &def, NULL));
  must(world, elastica_world_add_module(world, NULL, &air, NULL));
  return world;
}

/* Also with rates of other effects: the first effect on all rods is added to theirs in the kick. */
TEST(one_effect_for_all_rods_has_the_bits_of_one_for_each) {
  elastica_rod *rod[2][DAMPED];
  elastica_world *world[2];
  for (int apart = 0; apart < 2; apart++) {
    world[apart] = make_damped(apart, rod[apart]);
    must(world[apart], elastica_world_step(world[apart], 1e-4, 100));
  }
  for (int r = 0; r < DAMPED; r++) {
    const elastica_rod_view *one = elastica_rod_get_view(rod[0][r]), *other = elastica_rod_get_view(rod[1][r]);
    for (int a = 0; a < 3; a++) {
      assert_memory_equal(one->position[a], other->position[a], (size_t)one->node_count * sizeof(double));
      assert_memory_equal(one->velocity[a], other->velocity[a], (size_t)one->node_count * sizeof(double));
      assert_memory_equal(one->omega[a], other->omega[a], (size_t)one->element_count * sizeof(double));
    }
  }
  for (int apart = 0; apart < 2; apart++) elastica_world_destroy(world[apart]);
}
