/* Findings of elastica_world_check about rods supported by walls: loads that the wall supports are not judged, stresses are. */
#include "base/target.h"

#include "support.h"

static void assert_silent(elastica_world *world, double dt, const char *what) {
  elastica_check_report report;
  must(world, elastica_world_check(world, dt, &report));
  if (report.finding_count > 0) fail_msg("%s: %s", what, report.findings[0].sentence);
}

/* Adds a rubber rod of 1 m along x with its middle above the origin and its axis at this height. */
static elastica_rod *lay_rubber(elastica_world *world, int n, double height) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.02;
  def.start[0] = -0.5, def.start[2] = height;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.density = 1100.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_effect *add_ground(elastica_world *world, elastica_shape obstacle) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_effect *effect = NULL;
  DEFAULTS(obstacle, def);
  def.shape = obstacle;
  if (obstacle == ELASTICA_SHAPE_SPHERE) def.radius = 0.5, def.position[2] = -0.5;
  def.stiffness = 100.0, def.damping = 0.1;
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_obstacle(world, NULL, &def, &effect));
  return effect;
}

TEST(rods_that_lie_are_not_found) {
  static const elastica_shape grounds[] = {ELASTICA_SHAPE_PLANE, ELASTICA_SHAPE_SPHERE};
  for (int k = 0; k < 2; k++)
    for (int n = 10; n <= 50; n += 40) {
      elastica_world *world = make_world(NULL);
      lay_rubber(world, n, 0.02);
      add_ground(world, grounds[k]);
      assert_silent(world, 0.0, k ? "on a ball" : "on a plane");
      must(world, elastica_world_advance(world, 0.1));
      assert_silent(world, 0.0, k ? "bending over a ball" : "at rest on a plane");
      elastica_world_destroy(world);
    }
}

/* Without the plane the weight would bend ten elements by 1.5 rad each, which is found; on the plane no element bends, as a run shows. */
TEST(the_weight_that_a_plane_bears_is_not_found) {
  elastica_check_report report;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rubber(world, 10, 0.02);
  clamp_first_end(world, rod);
  elastica_effect *plane = add_ground(world, ELASTICA_SHAPE_PLANE);
  assert_silent(world, 0.0, "clamped on a plane");
  must(world, elastica_world_advance(world, 0.2));
  assert_close(elastica_rod_get_view(rod)->position[2][10], 0.02, 1e-3);
  assert_silent(world, 0.0, "after a while");
  must(world, elastica_effect_set_enabled(plane, 0));
  must(world, elastica_world_check(world, 0.0, &report));
  assert_int_equal(report.finding_count, 1);
  assert_int_equal(report.findings[0].kind, ELASTICA_FINDING_LOAD);
  elastica_world_destroy(world);
}

/* A column compressed to 0.9 of its length between held ends: it is under stress, although the plane supports its weight. */
TEST(a_column_that_is_pressed_is_found_on_a_plane_too) {
  double position[63];
  elastica_check_report report;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rubber(world, 20, 0.02);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  for (int i = 0; i < 21; i++) set_vector(position, i, 0.9 * (0.05 * i - 0.5), 0.0, 0.02);
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pin.node = 20;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  add_ground(world, ELASTICA_SHAPE_PLANE);
  must(world, elastica_world_check(world, 0.0, &report));
  assert_int_equal(report.finding_count, 1);
  assert_int_equal(report.findings[0].kind, ELASTICA_FINDING_BUCKLING);
  elastica_world_destroy(world);
}
