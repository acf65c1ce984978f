/* Walls that balance nodes: each node comes to rest against the wall for any motion of its neighbours, and is never pushed off it. */
#include "on_a_wall.h"

#include <math.h>

static const double gravity = 9.81, dt = 1e-5;

/* A wall with a negligible spring: only R acts. */
static elastica_obstacle_def balancing_floor_def(void) {
  elastica_obstacle_def def = floor_def();
  def.stiffness = 1e-9;
  def.damping = 0.0;
  def.balance = ELASTICA_BALANCE_NODES;
  return def;
}

static elastica_effect *add_balancing_floor(elastica_world *world, elastica_rod *rod) {
  const elastica_obstacle_def def = balancing_floor_def();
  return add_floor(world, rod, &def);
}

static elastica_rod *lay_heavy_rod(elastica_world *world, int n, double gap) {
  add_weight(world);
  return lay_rod(world, n, gap);
}

static void set_off(elastica_world *world, elastica_rod *rod, double x, double z) {
  double velocity[3 * 64] = {0.0};
  for (int i = 0; i < elastica_rod_get_view(rod)->node_count; i++) velocity[component(i, X)] = x, velocity[component(i, Z)] = z;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
}

TEST(falling_rod_stops_without_rebound) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_heavy_rod(world, 10, 0.01);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  add_balancing_floor(world, rod);
  set_off(world, rod, 0.0, -1.0);
  must(world, elastica_world_step(world, dt, 2000));
  for (int i = 0; i <= 10; i++) {
    assert_close(view->velocity[2][i], 0.0, 1e-12);
    assert_between(view->position[2][i], 0.025 - 1.1 * dt, 0.025 + 0.004 * 0.025); /* within the motion of a step from contact */
  }
  elastica_world_destroy(world);
}

TEST(rising_rod_is_not_pushed) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_heavy_rod(world, 10, 0.0);
  elastica_effect *floor = add_balancing_floor(world, rod);
  double force[3];
  set_off(world, rod, 0.0, 0.01);
  for (int k = 1; k <= 80; k++) {
    must(world, elastica_world_step(world, dt, 1));
    must(world, elastica_obstacle_get_force(floor, force, NULL));
    assert_close(force[2], 0.0, 0.0);
    assert_close(elastica_rod_get_view(rod)->velocity[2][5], 0.01 - gravity * dt * k, 1e-12);
  }
  elastica_world_destroy(world);
}

static elastica_status rise(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[2] = 0.3 * time;
  velocity[2] = 0.3;
  return ELASTICA_OK;
}

TEST(rising_floor_takes_the_rod_along) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_heavy_rod(world, 10, 0.0);
  elastica_obstacle_def def = balancing_floor_def();
  def.motion = rise;
  elastica_effect *floor = add_floor(world, rod, &def);
  double force[3];
  must(world, elastica_world_step(world, dt, 1)); /* an impact: 0.3 kg m/s in one step */
  must(world, elastica_obstacle_get_force(floor, force, NULL));
  assert_close(-force[2] * dt, 0.3 + gravity * dt, 1e-9);
  must(world, elastica_world_step(world, dt, 1000));
  for (int i = 0; i <= 10; i++) assert_close(elastica_rod_get_view(rod)->velocity[2][i], 0.3, 1e-12);
  elastica_world_destroy(world);
}

/* The pressure of all nodes is the weight, so friction slows the rod at mu g; then it stays at rest. */
TEST(friction_has_the_weight) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_heavy_rod(world, 10, 0.0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_obstacle_def def = balancing_floor_def();
  for (int k = 0; k < 3; k++) def.static_friction[k] = 0.3, def.kinetic_friction[k] = 0.2;
  def.slip_velocity = 1e-8;
  add_floor(world, rod, &def);
  set_off(world, rod, 0.01, 0.0);
  must(world, elastica_world_step(world, dt, 200));
  for (int i = 0; i <= 10; i++) assert_close(view->velocity[0][i], 0.01 - 0.2 * gravity * 200 * dt, 1e-12);
  must(world, elastica_world_step(world, dt, 1000));
  for (int i = 0; i <= 10; i++) assert_close(view->velocity[0][i], 0.0, 1e-15);
  elastica_world_destroy(world);
}

/* Nodes with alternating vertical velocities leave and hit the floor: the floor never adds energy to the rod. */
TEST(rattling_rod_loses_energy) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_heavy_rod(world, 20, 0.0);
  double velocity[3 * 21] = {0.0}, before = INFINITY;
  add_balancing_floor(world, rod);
  for (int i = 0; i <= 20; i++) velocity[component(i, Z)] = i % 2 ? 0.05 : -0.05;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  for (int k = 0; k < 50; k++) {
    elastica_totals energy;
    must(world, elastica_world_step(world, dt, 200));
    must(world, elastica_world_get_totals(world, &energy));
    const double now = energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects;
    assert_true(now <= before + 1e-7);
    before = now;
  }
  elastica_world_destroy(world);
}

/* Rods along a slope and across it, with alternating masses or a payload: friction holds each node according to its pressure. */
TEST(uneven_rod_sticks_to_a_slope) {
  for (int way = 0; way < 4; way++) {
    const double slope = atan(0.7 * 0.4), pull[3] = {gravity * sin(slope), 0.0, -gravity * cos(slope)};
    double density[20];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_obstacle_def wall = balancing_floor_def();
    for (int j = 0; j < 20; j++) density[j] = j % 2 ? 500.0 : 1500.0;
    DEFAULTS(rod, def);
    def.element_count = 20;
    def.start[2] = 0.02;
    def.direction[way % 2] = 1.0, def.direction[2] = 0.0;
    def.length = 1.0;
    def.radius = 0.02;
    def.density = 1000.0;
    def.element_density = way < 2 ? density : NULL;
    def.youngs_modulus = 1e6;
    if (way % 2) def.rotary_inertia_scale = 1e8; /* without this the rod would roll */
    must(world, elastica_world_add_rod(world, &def, &rod));
    must(world, elastica_add_gravity(world, pull, NULL));
    DEFAULTS(node_mass, payload);
    payload.node = 7, payload.mass = 0.3;
    if (way >= 2) must(world, elastica_add_node_mass(world, rod, &payload, NULL));
    for (int k = 0; k < 3; k++) wall.static_friction[k] = 0.4, wall.kinetic_friction[k] = 0.2;
    wall.slip_velocity = 1e-4;
    add_floor(world, rod, &wall);
    must(world, elastica_world_step(world, 1e-4, 10000));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i <= 20; i++) assert_close(view->position[0][i] - (way % 2 ? 0.0 : 0.05 * i), 0.0, 1e-6);
    elastica_world_destroy(world);
  }
}

/* A ring at rest on the floor: the shares of its nodes sum to its weight, and it stays flat. */
TEST(pressure_of_a_ring_is_its_weight) {
  enum { n = 24 };
  elastica_world *world = make_world(NULL);
  const double down[3] = {0.0, 0.0, -gravity};
  double position[3 * n], force[3], weight = 0.0;
  elastica_rod *rod = NULL;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * acos(-1.0) * i / n;
    set_vector(position, i, 0.2 * cos(angle), 0.2 * sin(angle), 0.01);
  }
  DEFAULTS(rod, def);
  def.element_count = n;
  def.closed = 1;
  def.position = position;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *floor = add_balancing_floor(world, rod);
  must(world, elastica_world_step(world, dt, 100));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < n; i++) weight += gravity * view->mass[i];
  must(world, elastica_obstacle_get_force(floor, force, NULL));
  assert_close(-force[2], weight, 1e-12);
  for (int i = 0; i < n; i++) assert_close(view->position[2][i], 0.01, 1e-15);
  elastica_world_destroy(world);
}

/* In equilibrium, with time frozen, R uses no motion: a cantilever that sags onto the floor lies on it. */
TEST(relaxed_cantilever_lies_on_the_floor) {
  elastica_world_def world_def = default_world();
  world_def.law = ELASTICA_LAW_CLASSICAL;
  world_def.exact_couple = 1;
  elastica_world *world = make_world(&world_def);
  elastica_rod *rod = lay_heavy_rod(world, 10, 0.02);
  elastica_obstacle_def def = balancing_floor_def();
  clamp_first_end(world, rod);
  def.stiffness = 1e4;
  add_floor(world, rod, &def);
  must(world, elastica_world_relax(world, NULL, NULL));
  const double *height = elastica_rod_get_view(rod)->position[2];
  for (int i = 0; i <= 10; i++) assert_between(height[i], 0.025 - 1e-9, 0.045);
  assert_between(height[10], 0.025 - 1e-9, 0.025 + 0.004 * 0.025); /* it touches */
  elastica_world_destroy(world);
}
