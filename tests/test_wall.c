/* Walls: pressure, reaction and motion. Friction, and adding and setting walls, are in other files. */
#include "on_a_wall.h"

#include <math.h>

static const double pi = 3.14159265358979324;

/* ---- Pressure ---- */

TEST(rod_on_the_floor_stays_there) {
  for (int n = 1; n < 20; n += 6) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod(world, n, 0.0);
    const elastica_obstacle_def def = floor_def();
    double force[3], couple[3];
    add_weight(world);
    elastica_effect *wall = add_floor(world, rod, &def);
    must(world, elastica_world_step(world, 1e-5, 1000));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i <= n; i++) {
      assert_close(view->position[2][i], 0.025, 1e-16);
      assert_close(view->velocity[2][i], 0.0, 1e-15);
    }
    must(world, elastica_obstacle_get_force(wall, force, couple));
    assert_close(force[2], -9.81, 1e-13);
    assert_close(couple[1], 0.5 * 9.81, 1e-13); /* of -9.81 z at x = 1/2 about the origin */
    assert_close(couple[0], 0.0, 1e-13);
    elastica_world_destroy(world);
  }
}

/* eps(t) of an oscillator with n k, n gamma and mass 1; R carries the weight, so that eps goes from its first value to 0. */
TEST(penetration_relaxes) {
  enum { n = 10 };
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, n, -0.01);
  elastica_obstacle_def def = floor_def();
  def.stiffness = 2.0, def.damping = 0.5;
  add_weight(world);
  elastica_effect *wall = add_floor(world, rod, &def);
  const double decay = 0.5 * n * def.damping, omega = sqrt(n * def.stiffness - decay * decay);
  assert_close(elastica_effect_energy(wall), 0.5 * n * 2.0 * 0.01 * 0.01, 1e-16);
  for (int k = 1; k <= 10; k++) {
    must(world, elastica_world_step(world, 1e-5, 2000));
    const double t = elastica_world_get(world).time, wave = cos(omega * t) + decay / omega * sin(omega * t);
    assert_close(0.025 - elastica_rod_get_view(rod)->position[2][n / 2], 0.01 * exp(-decay * t) * wave, 1e-7);
  }
  elastica_world_destroy(world);
}

/* Out of reach, the floor changes no bit; it stops a falling rod, and a rod at rest remains at rest. */
TEST(floor_does_not_reach_up) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 6, 0.02);
  elastica_obstacle_def def = floor_def();
  double force[3];
  def.damping = 2.0;
  add_weight(world);
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step(world, 1e-5, 6000));
  assert_close(elastica_rod_get_view(rod)->velocity[2][3], -9.81 * 0.06, 1e-12);
  must(world, elastica_obstacle_get_force(wall, force, NULL));
  for (int a = 0; a < 3; a++) assert_close(force[a], 0.0, 0.0);
  must(world, elastica_world_step(world, 1e-5, 400000));
  assert_close(elastica_rod_get_view(rod)->velocity[2][3], 0.0, 1e-9);
  assert_close(elastica_rod_get_view(rod)->position[2][3], 0.025, 0.004 * 0.025 + 1e-9);
  elastica_world_destroy(world);
}

/* Between first contact and eps = 0 the wall carries the load and does not pull. */
TEST(floor_does_not_pull) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 6, 5e-5);
  const elastica_obstacle_def def = floor_def();
  add_weight(world);
  add_floor(world, rod, &def);
  must(world, elastica_world_step(world, 1e-5, 1000));
  assert_close(elastica_rod_get_view(rod)->position[2][3], 0.025 + 5e-5, 1e-15);
  elastica_world_destroy(world);
}

/* The second wall of a groove balances the remainder of the first. */
TEST(rod_rests_in_a_groove) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 5, 0.0);
  elastica_obstacle_def def = floor_def();
  double first[3], second[3];
  elastica_effect *wall[2];
  add_weight(world);
  for (int k = 0; k < 2; k++) {
    def.normal[1] = k ? -1.0 : 1.0;
    for (int a = 0; a < 3; a++) def.position[a] = (a == 2 ? 0.025 : 0.0) - 0.025 * sqrt(0.5) * (a ? def.normal[a] : 0.0);
    wall[k] = add_floor(world, rod, &def);
  }
  must(world, elastica_world_step(world, 1e-5, 1000));
  for (int a = 0; a < 3; a++) assert_close(elastica_rod_get_view(rod)->velocity[a][2], 0.0, 1e-12); /* 2e3 N of E A, rounded */
  must(world, elastica_obstacle_get_force(wall[0], first, NULL));
  must(world, elastica_obstacle_get_force(wall[1], second, NULL));
  assert_close(first[2] + second[2], -9.81, 1e-12);
  assert_close(first[1] + second[1], 0.0, 1e-12);
  assert_close(first[2], -0.5 * 9.81, 1e-12);
  elastica_world_destroy(world);
}

TEST(bodies_carry_a_rod) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_BOX; shape++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod(world, 3, 0.0); /* the middle element is above the middle of the body */
    elastica_obstacle_def def = floor_def();
    double force[3];
    def.shape = (elastica_shape)shape;
    def.position[0] = 0.5, def.position[2] = -0.1;
    def.radius = 0.1, def.length = 0.2;
    for (int a = 0; a < 3; a++) def.edges[a] = 0.2;
    if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) def.normal[1] = 1.0, def.normal[2] = 0.0;
    add_weight(world);
    elastica_effect *wall = add_floor(world, rod, &def);
    must(world, elastica_world_step(world, 1e-5, 1));
    must(world, elastica_obstacle_get_force(wall, force, NULL));
    assert_close(force[2], -9.81 / 3.0, 1e-12); /* a body under one of three elements carries the load of that element */
    assert_close(force[0], 0.0, 1e-12);
    assert_close(force[1], 0.0, 1e-12);
    elastica_world_destroy(world);
  }
}

/* ---- Action and reaction ---- */

/* The total of loads behind the wall minus the total before it: the loads of the wall, on nodes and elements. */
typedef struct probe {
  double force[3][SAMPLE_NODES], couple[3][SAMPLE_ELEMENTS], position[3][SAMPLE_NODES], turned[3];
} probe;

static elastica_status look(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  probe *p = self;
  (void)now;
  for (int a = 0; a < 3; a++) {
    memcpy(p->force[a], loads->total_force[a], (size_t)rod->node_count * sizeof(double));
    memcpy(p->couple[a], loads->total_couple[a], (size_t)rod->element_count * sizeof(double));
    memcpy(p->position[a], rod->position[a], (size_t)rod->node_count * sizeof(double));
  }
  return ELASTICA_OK;
}

typedef struct second_probe {
  probe seen; /* first member: written by the probes */
  const probe *before;
  double force[3], couple[3], about[3]; /* of the wall on the rod; couple about a point */
} second_probe;

static elastica_status compare(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  second_probe *p = self;
  look(&p->seen, now, rod, loads);
  memset(p->force, 0, sizeof p->force);
  memset(p->couple, 0, sizeof p->couple);
  for (int i = 0; i < rod->node_count; i++) {
    double arm[3], force[3], turn[3];
    for (int a = 0; a < 3; a++) {
      force[a] = p->seen.force[a][i] - p->before->force[a][i];
      arm[a] = rod->position[a][i] - p->about[a];
      p->force[a] += force[a];
    }
    cross(arm, force, turn);
    for (int a = 0; a < 3; a++) p->couple[a] += turn[a];
  }
  for (int j = 0; j < rod->element_count; j++) {
    double material[3], laboratory[3];
    for (int a = 0; a < 3; a++) material[a] = p->seen.couple[a][j] - p->before->couple[a][j];
    elastica_rotate_to_laboratory(rod, j, material, laboratory);
    for (int a = 0; a < 3; a++) p->couple[a] += laboratory[a];
  }
  return ELASTICA_OK;
}

static void add_probe(elastica_world *world, elastica_rod *rod, void *self,
                      elastica_status (*hook)(void *, const elastica_instant *, const elastica_rod_view *, elastica_loads *)) {
  elastica_module module = module_named("probe");
  module.self = self;
  module.add_reactions = hook;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

/* Wavy, moving and spinning rods, a third of their radius deep in a tilted rough plane. */
TEST(force_on_the_wall_is_minus_that_on_the_rods) {
  static sample_rod sample;
  static probe before;
  static second_probe after;
  for (int k = 0; k < 6; k++) {
    const sample_recipe recipe = usual_recipe();
    elastica_world *world = make_world(NULL);
    if (k % 3 == 2)
      make_sample_ring(&sample, 16, (uint64_t)k);
    else
      make_sample(&sample, 12, (uint64_t)k, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_obstacle_def def = rough_floor_def();
    def.friction_limit = k < 3 ? ELASTICA_FRICTION_INDEPENDENT : ELASTICA_FRICTION_ELLIPTIC;
    def.slip_velocity = 0.3; /* so that all parts of friction act */
    def.normal[0] = 0.3, def.normal[1] = -0.2;
    double lowest = INFINITY;
    const double size = norm(def.normal), above = 2.0 * elastica_rod_radius(view, 0) / 3.0;
    for (int j = 0; j < view->element_count; j++) {
      double height = 0.0;
      for (int a = 0; a < 3; a++) height += 0.5 * (view->position[a][j] + view->position[a][j + 1]) * def.normal[a] / size;
      lowest = fmin(lowest, height);
    }
    for (int a = 0; a < 3; a++) def.position[a] = (lowest - above) * def.normal[a] / size;
    const double gravity[3] = {1.0, 2.0, -9.81};
    must(world, elastica_add_gravity(world, gravity, NULL));
    add_probe(world, rod, &before, look);
    elastica_effect *wall = add_floor(world, rod, &def);
    after.before = &before;
    memcpy(after.about, def.position, sizeof after.about);
    add_probe(world, rod, &after, compare);
    for (int step = 0; step < 20; step++) {
      double force[3], couple[3];
      must(world, elastica_world_step(world, 1e-5, 1));
      must(world, elastica_obstacle_get_force(wall, force, couple));
      assert_true(norm(force) > 0.1);
      for (int a = 0; a < 3; a++) {
        assert_close(force[a], -after.force[a], 1e-10);
        assert_close(couple[a], -after.couple[a], 1e-10);
      }
    }
    elastica_world_destroy(world);
  }
}

/* 0.1 cos(angle i) [N] upwards on node i. */
static elastica_status push_in_waves(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *angle = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[2][i] += 0.1 * cos(*angle * i);
  return ELASTICA_OK;
}

/* R balances the mean load of the nodes of an element: the whole of a uniform load, nothing of a load that alternates from node to node.
 * A wall that balances nodes carries the whole of every wave. */
TEST(element_pressure_balances_all_but_sin2_of_a_wave) {
  enum { n = 20 };
  for (int k = 0; k <= 25; k++) {
    double angle = k % 13 * pi / 12.0;
    const double dt = 1e-6, left = k < 13 ? sin(0.5 * angle) * sin(0.5 * angle) : 0.0;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod(world, n, 0.0);
    elastica_obstacle_def def = floor_def();
    def.balance = k < 13 ? ELASTICA_BALANCE_ELEMENTS : ELASTICA_BALANCE_NODES;
    add_weight(world); /* 0.49 N per node: pressure everywhere */
    add_probe(world, rod, &angle, push_in_waves);
    elastica_effect *floor = add_floor(world, rod, &def);
    must(world, elastica_world_step(world, dt, 1));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double force[3], impulse = 0.0, pushed = -9.81;
    for (int i = 2; i <= n - 2; i++) assert_close(view->mass[i] * view->velocity[2][i] / dt, 0.1 * cos(angle * i) * left, 1e-14);
    for (int i = 0; i <= n; i++) impulse += view->mass[i] * view->velocity[2][i], pushed += 0.1 * cos(angle * i);
    must(world, elastica_obstacle_get_force(floor, force, NULL));
    assert_close(impulse / dt, pushed - force[2], 1e-12);
    elastica_world_destroy(world);
  }
}

/* ---- Moving walls ---- */

typedef struct lift {
  double speed, spin;
} lift;

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const lift *l = user;
  const double axis[3] = {0.0, 0.0, l->spin * time};
  position[2] += l->speed * time;
  velocity[2] = l->speed;
  turn_frame_exactly(axis, director);
  omega[2] = l->spin;
  return ELASTICA_OK;
}

TEST(rising_floor_lifts_the_rod) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 6, 0.0);
  elastica_obstacle_def def = floor_def();
  lift up = {0.05, 0.0};
  double force[3];
  def.damping = 5.0;
  def.motion = move;
  def.user = &up;
  add_weight(world);
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step(world, 1e-5, 200000));
  assert_close(elastica_rod_get_view(rod)->velocity[2][3], 0.05, 1e-9);
  assert_close(elastica_rod_get_view(rod)->position[2][3], 0.025 + 0.05 * 2.0, 0.004 * 0.025); /* within reach */
  must(world, elastica_obstacle_get_force(wall, force, NULL));
  assert_close(force[2], -9.81, 1e-6);
  elastica_world_destroy(world);
}

/* A turntable moves a short rod off its axis in the direction of the table by friction. */
TEST(turntable_rubs_along_its_turn) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_obstacle_def def = rough_floor_def();
  lift table = {0.0, 3.0};
  double force[3], couple[3];
  DEFAULTS(rod, rod_def);
  rod_def.element_count = 1;
  rod_def.start[0] = 0.95, rod_def.start[1] = 0.4, rod_def.start[2] = 0.025;
  rod_def.direction[0] = 1.0, rod_def.direction[2] = 0.0;
  rod_def.length = 0.1, rod_def.radius = 0.025, rod_def.density = 1e3, rod_def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &rod_def, &rod));
  for (int k = 0; k < 3; k++) def.kinetic_friction[k] = 0.2;
  def.friction_limit = ELASTICA_FRICTION_ELLIPTIC;
  def.motion = move;
  def.user = &table;
  add_weight(world);
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step(world, 1e-6, 1));
  must(world, elastica_obstacle_get_force(wall, force, couple));
  const double weight = 1e3 * pi * 0.025 * 0.025 * 0.1 * 9.81, distance = hypot(1.0, 0.4);
  assert_close(force[0], 0.2 * weight * 0.4 / distance, 1e-5); /* friction on the table: against omega x r = 3 (-y, x) */
  assert_close(force[1], -0.2 * weight * 1.0 / distance, 1e-5);
  assert_close(couple[2], -0.2 * weight * distance, 1e-5);
  elastica_world_destroy(world);
}
