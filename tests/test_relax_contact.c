/* Relaxation of rods in contact does not depend on the last digits of a scene: all scenes of a set, different by 1e-9 to 1e-6 in their
 * sizes and loads, converge to about the same state.
 */
#include "relaxed.h"

enum { VARIANTS = 13 };

static const double radius = 0.02;

/* 1, or a number near 1, different for each variant. */
static double beside_one(random_source *source, int variant) {
  const double size[] = {1e-9, 1e-8, 1e-7, 1e-6};
  double noise[3];
  random_vector(source, 1.0, noise);
  return variant == 0 ? 1.0 : 1.0 + size[variant % 4] * noise[0];
}

/* A rod along z with its axis at height h and its weight along -x, clamped at its first end. */
static elastica_rod *add_cantilever(elastica_world *world, random_source *source, int variant, double h, double modulus) {
  const double down[3] = {-9.81 * beside_one(source, variant), 0.0, 0.0};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 20;
  def.start[0] = h * beside_one(source, variant);
  def.length = beside_one(source, variant);
  def.radius = radius * beside_one(source, variant);
  def.density = 1000.0;
  def.youngs_modulus = modulus * beside_one(source, variant);
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, down, NULL));
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  return rod;
}

static elastica_obstacle_def floor_def(double x, double z, int rough) {
  DEFAULTS(obstacle, def);
  def.normal[0] = x, def.normal[1] = 0.0, def.normal[2] = z;
  def.stiffness = 1e4;
  for (int k = 0; k < 3 && rough; k++) def.static_friction[k] = 0.4 + 0.1 * k, def.kinetic_friction[k] = 0.2 + 0.1 * k;
  if (rough) def.slip_velocity = 1e-3, def.friction_limit = ELASTICA_FRICTION_ELLIPTIC;
  return def;
}

/* The scene of test_relax_walls.c, over a ball that supports one node by only one of its two elements. */
TEST(cantilever_leans_on_a_ball) {
  double first = 0.0;
  for (int k = 0; k < VARIANTS; k++) {
    random_source source = {1};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_cantilever(world, &source, k, 0.0, 1e7);
    elastica_obstacle_def ball = floor_def(1.0, 0.0, 0);
    ball.shape = ELASTICA_SHAPE_SPHERE;
    ball.radius = 0.5;
    ball.position[0] = -ball.radius - radius - 0.01 * beside_one(&source, k), ball.position[2] = 0.5;
    must(world, elastica_add_obstacle(world, NULL, &ball, NULL));
    const elastica_relax_result result = relax(world);
    if (k == 0) first = tip(rod, 0);
    assert_between(tip(rod, 0), -0.2, -0.05); /* -0.7 without it */
    assert_close(tip(rod, 0), first, 1e-4);
    assert_true(result.evaluations <= 60);
    elastica_world_destroy(world);
  }
}

/* Stiff and soft cantilevers, from 1 mm and 1 cm above the floor: the friction of sliding nodes grows with their pressure. */
TEST(cantilevers_settle_on_a_rough_floor) {
  for (int scene = 0; scene < 4; scene++)
    for (int k = 0; k < VARIANTS; k++) {
      random_source source = {2};
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_cantilever(world, &source, k, radius + (scene % 2 ? 1e-2 : 1e-3), scene < 2 ? 1e6 : 1e5);
      const elastica_obstacle_def rough = floor_def(1.0, 0.0, 1);
      must(world, elastica_add_obstacle(world, NULL, &rough, NULL));
      const elastica_relax_result result = relax(world);
      assert_between(tip(rod, 0), radius - 1e-7, 1.005 * radius);
      assert_between(tip(rod, 2), 0.98, 1.02);
      assert_true(result.evaluations <= 100);
      elastica_world_destroy(world);
    }
}

/* A ring of eight elements and a straight rod, flat, overlapping the floor by half a millimetre. */
static elastica_rod *lay_down(elastica_world *world, random_source *source, int variant, int closed) {
  const double down[3] = {0.0, 0.0, -9.81}, angle = 2.0 * 3.14159265358979324 / 8.0;
  double position[3 * 9];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i <= 8; i++) {
    position[3 * i] = closed ? 0.3 * cos(angle * i) : 0.1 * i;
    position[3 * i + 1] = closed ? 0.3 * sin(angle * i) : 0.0;
    position[3 * i + 2] = radius - 5e-4 * beside_one(source, variant);
  }
  def.element_count = 8;
  def.position = position, def.closed = closed, def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius * beside_one(source, variant);
  def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, down, NULL));
  return rod;
}

/* Only friction resists a motion along the floor, and equilibrium needs none: the rod stays at its place. */
TEST(a_rod_on_a_rough_floor_keeps_its_place) {
  for (int scene = 0; scene < 4; scene++)
    for (int k = 0; k < VARIANTS; k++) {
      random_source source = {3};
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_down(world, &source, k, scene % 2);
      elastica_obstacle_def rough = floor_def(0.0, 1.0, 1);
      if (scene > 1) rough.shape = ELASTICA_SHAPE_BOX, rough.position[2] = -0.5;
      if (scene > 1) rough.edges[0] = rough.edges[1] = 10.0, rough.edges[2] = 1.0;
      must(world, elastica_add_obstacle(world, NULL, &rough, NULL));
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      const double x = view->position[0][0], y = view->position[1][0];
      const elastica_relax_result result = relax(world);
      assert_close(view->position[0][0], x, 1e-4);
      assert_close(view->position[1][0], y, 1e-4);
      for (int i = 0; i < 8; i++) assert_between(view->position[2][i], radius - 1e-7, 1.005 * radius);
      assert_true(result.evaluations <= 40);
      elastica_world_destroy(world);
    }
}
