/* A rod inside an obstacle, or thicker than the gap between two obstacles, is refused in any order of adding. */
#include "on_a_wall.h"

#include <math.h>

static elastica_obstacle_def plane(double height, double up) {
  DEFAULTS(obstacle, def);
  def.balance = ELASTICA_BALANCE_ELEMENTS;
  def.position[2] = height;
  def.normal[2] = up;
  def.stiffness = 100.0;
  return def;
}

/* A rod of radius 0.025 m along x at z = 0. */
static elastica_rod *lay_rod_in_the_middle(elastica_world *world) {
  return lay_rod(world, 4, -0.025);
}

static elastica_effect *add(elastica_world *world, elastica_rod *rod, elastica_obstacle_def def) {
  return add_floor(world, rod, &def);
}

TEST(gap_narrower_than_the_rod_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod_in_the_middle(world);
  add(world, rod, plane(-0.02, 1.0));
  elastica_obstacle_def def = plane(0.028, -1.0);
  elastica_effect *wall = NULL;
#define GAP "effect 0", "gap of 0.048", "element 0", "rod 0", "0.025"
  assert_refused(world, elastica_add_obstacle(world, rod, &def, &wall), ELASTICA_INVALID_ARGUMENT, "add_obstacle", GAP);
  assert_refused(world, elastica_add_obstacle(world, NULL, &def, &wall), ELASTICA_INVALID_ARGUMENT, "add_obstacle", GAP);
  assert_null(wall);
  wall = add(world, rod, plane(0.03, -1.0)); /* it just fits */
  assert_refused(world, elastica_obstacle_set(wall, &def), ELASTICA_INVALID_ARGUMENT, "obstacle_set", GAP);
  elastica_world_destroy(world);
}

TEST(ball_may_not_pin_the_rod_to_the_floor) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod_in_the_middle(world);
  add(world, NULL, plane(-0.024, 1.0));
  elastica_obstacle_def def = plane(0.0, 1.0);
  def.shape = ELASTICA_SHAPE_SPHERE;
  def.radius = 0.5;
  def.position[0] = 0.625, def.position[2] = 0.52;
  assert_refused(world, elastica_add_obstacle(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_obstacle", "effect 0",
                 "gap of 0.044", "element 2", "rod 0", "0.025");
  elastica_world_destroy(world);
}

static elastica_status stand_still(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return ELASTICA_OK;
}

/* Accepted are surfaces at an angle, walls for another rod, moving walls, and disabled walls. */
TEST(walls_with_a_way_out_are_accepted) {
  for (int way = 0; way < 4; way++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod_in_the_middle(world), *other = lay_rod_in_the_middle(world);
    elastica_obstacle_def def = plane(0.02, -1.0);
    if (way == 0) def.normal[1] = 0.3;
    if (way == 3) def.motion = stand_still;
    elastica_effect *wall = add(world, way == 1 ? other : NULL, def);
    if (way == 2) must(world, elastica_effect_set_enabled(wall, 0));
    add(world, rod, plane(-0.02, 1.0));
    elastica_world_destroy(world);
  }
}

/* A rod added inside a wall is refused by the first step; after the refusal the world can continue. */
TEST(rod_added_later_inside_a_wall_is_refused_by_the_step) {
  elastica_world *world = make_world(NULL);
  elastica_effect *wall = add(world, NULL, plane(0.01, 1.0));
  lay_rod_in_the_middle(world);
  assert_refused(world, elastica_world_step(world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "effect 0 \"obstacle\"", "prepare", "element 0",
                 "rod 0", "inside", "0.01");
  assert_int_equal(elastica_world_get(world).step_count, 0);
  const elastica_obstacle_def lower = plane(-0.1, 1.0);
  must(world, elastica_obstacle_set(wall, &lower));
  must(world, elastica_world_step(world, 1e-6, 1));
  elastica_world_destroy(world);
}

TEST(effects_of_a_world_are_counted_in_order) {
  elastica_world *world = make_world(NULL);
  assert_int_equal(elastica_world_get(world).effect_count, 0);
  elastica_effect *first = add(world, NULL, plane(-1.0, 1.0)), *second = add(world, NULL, plane(-2.0, 1.0));
  assert_int_equal(elastica_world_get(world).effect_count, 2);
  assert_ptr_equal(elastica_world_effect(world, 0), first);
  assert_ptr_equal(elastica_world_effect(world, 1), second);
  assert_null(elastica_world_effect(world, 2));
  assert_null(elastica_world_effect(world, -1));
  assert_null(elastica_world_effect(NULL, 0));
  assert_int_equal(elastica_world_get(NULL).effect_count, 0);
  elastica_world_destroy(world);
}

/* Setting a state, or enabling a wall, may put a rod inside: steps and queries are refused until this is corrected. */
TEST(rod_set_inside_a_wall_is_refused_until_moved_out) {
  for (int switched = 0; switched < 2; switched++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod_in_the_middle(world);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_effect *wall = add(world, rod, plane(-0.1, 1.0));
    elastica_totals energy;
    double outside[15], inside[15];
    for (int i = 0; i <= 4; i++) {
      for (int a = 0; a < 3; a++) inside[3 * i + a] = outside[3 * i + a] = view->position[a][i];
      inside[component(i, Z)] = -0.12;
    }
    must(world, elastica_world_step(world, 1e-5, 1));
    if (switched) {
      must(world, elastica_effect_set_enabled(wall, 0));
      must(world, elastica_rod_set_state(rod, inside, NULL, NULL, NULL));
      must(world, elastica_world_step(world, 1e-5, 1));
      must(world, elastica_effect_set_enabled(wall, 1));
    } else {
      must(world, elastica_rod_set_state(rod, inside, NULL, NULL, NULL));
    }
    for (int again = 0; again < 2; again++) {
      assert_refused(world, elastica_world_step(world, 1e-5, 1), ELASTICA_INVALID_ARGUMENT, "effect 0 \"obstacle\"", "element 0", "rod 0",
                     "inside", "0.02");
      assert_int_equal(elastica_world_get_totals(world, &energy), ELASTICA_INVALID_ARGUMENT);
      assert_close(view->position[2][4], -0.12, 0.0);
    }
    must(world, elastica_rod_set_state(rod, outside, NULL, NULL, NULL));
    must(world, elastica_world_step(world, 1e-5, 1));
    elastica_world_destroy(world);
  }
}
