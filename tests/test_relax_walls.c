/* Relaxation of rods onto walls. */
#include "relaxed.h"

static const double radius = 0.02;

/* A rod along z with its axis at height h and its weight along -x. */
static elastica_rod *lay(elastica_world *world, double h, double thick, double modulus, int n) {
  const double down[3] = {-9.81, 0.0, 0.0};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n;
  def.start[0] = h;
  def.length = 1.0;
  def.radius = thick;
  def.density = 1000.0;
  def.youngs_modulus = modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, down, NULL));
  return rod;
}

static elastica_obstacle_def wall_def(elastica_balance balance, double x, double y) {
  DEFAULTS(obstacle, def);
  def.normal[0] = x, def.normal[1] = y, def.normal[2] = 0.0;
  def.stiffness = 1e4;
  def.balance = balance;
  return def;
}

static void add_plane(elastica_world *world, elastica_balance balance, double x, double y) {
  const elastica_obstacle_def def = wall_def(balance, x, y);
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
}

/* Every node must lie within the contact tolerance of a wall, after few evaluations. */
static void assert_lies(elastica_world *world, elastica_rod *rod, double height, double slack, long most) {
  const elastica_relax_result result = relax(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < view->node_count; i++) assert_between(view->position[0][i], height - 1e-7, height + slack);
  assert_true(result.evaluations <= most);
  assert_true(result.stable);
}

/* From 1 mm below, at, and up to half a length above the floor, which is the only support. */
TEST(free_rod_comes_to_lie_on_the_floor) {
  const double gap[] = {-1e-3, -1e-5, 0.0, 1e-3, 1e-2, 0.5};
  for (int balance = 0; balance < 2; balance++)
    for (int k = 0; k < 6; k++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay(world, radius + gap[k], radius, 1e6, 20);
      add_plane(world, (elastica_balance)balance, 1.0, 0.0);
      assert_lies(world, rod, radius, 0.005 * radius, k < 3 ? 10 : 60);
      elastica_world_destroy(world);
    }
}

/* Scaling by a power of two rounds no number differently: a rod falls from half its length, in three units of length and two of mass. */
TEST(units_of_length_and_mass_do_not_matter) {
  const double unit[4] = {1.0, 0x1p-10, 0x1p10, 1.0}, mass[4] = {1.0, 1.0, 1.0, 0x1p-30};
  for (int balance = 0; balance < 2; balance++) {
    double where[4][21];
    long evaluations[4];
    for (int k = 0; k < 4; k++) {
      const double u = unit[k], m = mass[k], down[3] = {-9.81 * u, 0.0, 0.0};
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = NULL;
      DEFAULTS(rod, def);
      def.element_count = 20;
      def.start[0] = 0.5 * u, def.length = u, def.radius = radius * u;
      def.direction[0] = 0.02, def.direction[2] = 1.0;
      def.density = 1000.0 * m / (u * u * u), def.youngs_modulus = 1e6 * m / u;
      must(world, elastica_world_add_rod(world, &def, &rod));
      must(world, elastica_add_gravity(world, down, NULL));
      elastica_obstacle_def wall = wall_def((elastica_balance)balance, 1.0, 0.0);
      wall.stiffness *= m;
      must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
      evaluations[k] = relax(world).evaluations;
      for (int i = 0; i <= 20; i++) where[k][i] = elastica_rod_get_view(rod)->position[0][i] / u;
      assert_true(evaluations[k] == evaluations[0]);
      assert_memory_equal(where[k], where[0], sizeof where[0]);
      elastica_world_destroy(world);
    }
  }
}

/* The floor supports the weight: after a relaxation, before any step and after steps; but not of a rod after its state was set. */
TEST(the_force_on_a_wall_is_that_of_the_equilibrium) {
  const double pi = 3.14159265358979324, weight = 1000.0 * pi * radius * radius * 9.81, gap[] = {0.0, 1e-2};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay(world, radius + gap[k % 2], radius, 1e6, 20);
    elastica_obstacle_def def = wall_def((elastica_balance)(k / 2 % 2), 1.0, 0.0);
    elastica_effect *wall = NULL;
    double force[3], couple[3], lifted[3 * 21];
    must(world, elastica_add_obstacle(world, NULL, &def, &wall));
    if (k / 4) must(world, elastica_world_step(world, 1e-4, 7));
    (void)relax(world);
    must(world, elastica_obstacle_get_force(wall, force, couple));
    assert_close(force[0], -weight, 1e-6 * weight);
    assert_close(couple[1], -0.5 * weight, 1e-6 * weight); /* of -x at z = 1/2 */
    must(world, elastica_world_step(world, 1e-4, 1));
    must(world, elastica_obstacle_get_force(wall, force, NULL));
    assert_close(force[0], -weight, 1e-2 * weight);
    for (int i = 0; i <= 20; i++)
      for (int a = 0; a < 3; a++) lifted[3 * i + a] = elastica_rod_get_view(rod)->position[a][i] + (a == 0 ? 0.1 : 0.0);
    must(world, elastica_rod_set_state(rod, lifted, NULL, NULL, NULL));
    must(world, elastica_obstacle_get_force(wall, force, couple));
    for (int a = 0; a < 3; a++) assert_true(force[a] == 0.0 && couple[a] == 0.0);
    (void)relax(world);
    must(world, elastica_obstacle_get_force(wall, force, NULL));
    assert_close(force[0], -weight, 1e-6 * weight);
    elastica_world_destroy(world);
  }
}

/* Between two perpendicular planes the axis lies at radius times the sum of their unit normals. */
TEST(free_rod_comes_to_lie_in_a_groove) {
  const double gap[] = {-1e-3, 0.0, 1e-3}, tilt[2][2] = {{1.0, 1.0}, {1.0, 2.0}};
  for (int k = 0; k < 6; k++) {
    const double x = tilt[k % 2][0], y = tilt[k % 2][1], size = sqrt(x * x + y * y);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay(world, radius * sqrt(2.0) + gap[k / 2], radius, 1e6, 20);
    add_plane(world, ELASTICA_BALANCE_NODES, x, y);
    add_plane(world, ELASTICA_BALANCE_NODES, y, -x);
    assert_lies(world, rod, radius * (x + y) / size, 0.01 * radius, 100);
    assert_close(tip(rod, 1), radius * (y - x) / size, 0.01 * radius);
    elastica_world_destroy(world);
  }
}

/* A beam clamped level at height h above a floor, of weight q per length, lies on it from a on, with 72 E I h = q a^4, and hangs freely
 * before: y = q (a - s)^3 (s + a/3)/(24 E I). */
TEST(cantilever_sags_onto_the_floor_as_theory_has_it) {
  enum { N = 100 };
  const double pi = 3.14159265358979324, thick = 0.005, h = 0.005, modulus = 1e7;
  const double bend = modulus * pi / 4.0 * thick * thick * thick * thick, q = 1000.0 * pi * thick * thick * 9.81;
  const double a = sqrt(sqrt(72.0 * bend * h / q));
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay(world, thick + h, thick, modulus, N);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  add_plane(world, ELASTICA_BALANCE_NODES, 1.0, 0.0);
  const elastica_relax_result result = relax(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= N; i++) {
    const double s = (double)i / N, y = s < a ? q * (a - s) * (a - s) * (a - s) * (s + a / 3.0) / (24.0 * bend) : 0.0;
    assert_close(view->position[0][i] - thick, y, 0.02 * h);
  }
  assert_true(result.evaluations <= 100);
  assert_true(result.stable);
  elastica_world_destroy(world);
}

/* From any height, stiff and soft rods. */
TEST(cantilevers_settle_on_the_floor) {
  const double height[] = {1e-3, 1e-2, 0.5};
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay(world, radius + height[k % 3], radius, k < 3 ? 1e6 : 1e5, 20);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    add_plane(world, ELASTICA_BALANCE_NODES, 1.0, 0.0);
    const elastica_relax_result result = relax(world);
    assert_true(result.evaluations <= 100);
    assert_between(tip(rod, 0), radius - 1e-7, 1.005 * radius);
    elastica_world_destroy(world);
  }
}

/* The weight bends the cantilever by more than the gap, over a ball so large that it does not slide off, or over a bar across it. The
 * centre of the closest element is at the surface. */
TEST(cantilever_leans_on_a_round_obstacle) {
  for (int bar = 0; bar < 2; bar++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay(world, 0.0, radius, 1e7, 20);
    elastica_obstacle_def def = wall_def(ELASTICA_BALANCE_NODES, 0.0, 1.0);
    double least = 1.0;
    def.shape = bar ? ELASTICA_SHAPE_CYLINDER : ELASTICA_SHAPE_SPHERE;
    def.radius = bar ? 0.2 : 0.5;
    if (bar) def.length = 1.0;
    def.position[0] = -def.radius - radius - 0.01, def.position[2] = 0.5;
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_obstacle(world, NULL, &def, NULL));
    const elastica_relax_result result = relax(world);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j < 20; j++) {
      double square = 0.0;
      for (int k = 0; k < 3; k++) {
        const double way = k == 1 && bar ? 0.0 : 0.5 * (view->position[k][j] + view->position[k][j + 1]) - def.position[k];
        square += way * way;
      }
      if (sqrt(square) < least) least = sqrt(square);
    }
    assert_between(least, def.radius + 0.9 * radius, def.radius + 1.005 * radius);
    assert_between(tip(rod, 0), -0.2, -0.05); /* -0.7 without it */
    assert_true(result.evaluations <= 200);
    elastica_world_destroy(world);
  }
}

/* Springs that act as a reaction: their displacement is the weight over the sum of their stiffnesses. */
static elastica_status resist(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *stiffness = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++)
    if (rod->position[0][i] < 0.0) loads->force[0][i] -= *stiffness * rod->position[0][i];
  return ELASTICA_OK;
}

TEST(bed_of_springs_gives_way_by_the_weight) {
  const double height[] = {0.1, 0.0, -0.1};
  double stiffness = 50.0;
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay(world, height[k], radius, 1e6, 20);
    double force = 0.0;
    elastica_module module = module_named("bed");
    module.self = &stiffness;
    module.self_size = sizeof stiffness;
    module.add_reactions = resist;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    const elastica_relax_result result = relax(world);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i <= 20; i++) force -= stiffness * view->position[0][i];
    assert_close(force, 1000.0 * 3.14159265358979324 * radius * radius * 9.81, 1e-7);
    assert_true(result.evaluations <= 60);
    elastica_world_destroy(world);
  }
}
