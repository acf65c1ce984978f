/* Walls without enough room for a thing between them: a failure names them, in either order of adding, and nothing is pushed through a
 * wall. With enough room, or elastic, the run does not fail.
 */
#include "bodies.h"

static const double radius = 0.02, gap = 1e-3, closing_speed = 0.1;

typedef enum kind { ROD, BALL, CAPSULE, BOX, CYLINDER, TILTED_CAPSULE, TILTED_BOX, TILTED_CYLINDER, KINDS } kind;

/* Adds a thing along x, or tilted by 0.5 rad from it, with its lowest point at z = 0. Returns its height. */
static double add_between(elastica_world *world, kind what, elastica_rod **out) {
  const double tilt = what >= TILTED_CAPSULE ? 0.5 : 0.0, length = 0.1, up = 0.5 * length * sin(tilt);
  const kind shape = what >= TILTED_CAPSULE ? what - TILTED_CAPSULE + CAPSULE : what;
  if (what == ROD) {
    elastica_rod_def def = lying_rod_def(10);
    def.length = 0.3, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.start[2] = radius;
    must(world, elastica_world_add_rod(world, &def, out));
    return 2.0 * radius;
  }
  const double along_x[9] = {0.0, 1.0, 0.0, -sin(tilt), 0.0, cos(tilt), cos(tilt), 0.0, sin(tilt)};
  elastica_body_def def = default_body(shape == BALL      ? ELASTICA_SHAPE_SPHERE
                                       : shape == CAPSULE ? ELASTICA_SHAPE_CAPSULE
                                       : shape == BOX     ? ELASTICA_SHAPE_BOX
                                                          : ELASTICA_SHAPE_CYLINDER);
  memcpy(def.director, along_x, sizeof along_x);
  def.radius = radius, def.length = length, def.density = 1000.0;
  def.edges[0] = def.edges[1] = 2.0 * radius, def.edges[2] = length;
  def.position[2] = shape == CAPSULE ? radius + up : up + radius * cos(tilt);
  *out = add_body(world, &def);
  return 2.0 * def.position[2];
}

/* A lid that descends from a height at the closing speed, or with decreasing speed to the least height, unless that is 0. */
typedef struct lid {
  double height, least;
} lid;

static double lid_at(const lid *of, double time, double *velocity) {
  const double way = of->height - of->least, part = of->least > 0.0 ? exp(-closing_speed * time / way) : 1.0;
  *velocity = -closing_speed * part;
  return of->least > 0.0 ? of->least + way * part : of->height - closing_speed * time;
}

static elastica_status close_down(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)director;
  (void)omega;
  position[2] = lid_at(user, time, &velocity[2]);
  return ELASTICA_OK;
}

/* A floor and a lid, reversed 1: the lid first. */
static void add_floor_and_lid(elastica_world *world, lid *of, double mu, int reversed) {
  for (int k = 0; k < 2; k++) {
    DEFAULTS(obstacle, def);
    def.stiffness = 10.0;
    for (int a = 0; a < 3 && mu > 0.0; a++) def.static_friction[a] = def.kinetic_friction[a] = mu, def.slip_velocity = 1e-3;
    if (k != reversed) def.normal[2] = -1.0, def.position[2] = of->height, def.motion = close_down, def.user = of;
    must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  }
}

static void add_gravity_down(elastica_world *world) {
  const double down[3] = {0.0, 0.0, -9.81};
  must(world, elastica_add_gravity(world, down, NULL));
}

static double middle_height(elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  return view->position[2][view->node_count / 2];
}

/* Tilted things first turn until they lie flat. The steps at which walls touch the thing may depend on the order; the failing thing does
 * not. */
TEST(a_thing_between_closing_walls_fails_and_passes_through_neither) {
  for (int mu = 0; mu < 2; mu++)
    for (kind what = ROD; what < KINDS; what++) {
      double time[2];
      for (int reversed = 0; reversed < 2; reversed++) {
        elastica_world *world = make_world(NULL);
        elastica_rod *rod;
        lid above = {0.0, 0.0};
        add_gravity_down(world);
        above.height = add_between(world, what, &rod) + gap;
        add_floor_and_lid(world, &above, 0.3 * mu, reversed);
        assert_status(world, elastica_world_advance(world, 1.1 * above.height / closing_speed), ELASTICA_UNSTABLE_STEP);
        const char *sentence = elastica_world_message(world);
        assert_says(sentence, what == ROD ? "rod 0, element" : "rod 0, a rigid body,", "effect 1", "effect 2", "this wall", "and needs ");
        time[reversed] = elastica_world_get(world).time;
        const double space = above.height - closing_speed * time[reversed];
        assert_true(space < 2.0 * radius && space > 1.9 * radius);
        assert_true(middle_height(rod) > 0.8 * radius && middle_height(rod) < 1.2 * radius);
        assert_true(elastica_rod_get_view(rod)->has_failed);
        elastica_world_destroy(world);
      }
      assert_close(time[0], time[1], 1e-3 * radius / closing_speed);
    }
}

/* A lid that descends to the necessary height holds the thing. */
TEST(a_thing_with_just_enough_room_stays) {
  for (kind what = ROD; what < KINDS; what++)
    for (int reversed = 0; reversed < 2; reversed++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod;
      lid above = {0.0, 2.0 * radius};
      add_gravity_down(world);
      above.height = add_between(world, what, &rod) + gap;
      add_floor_and_lid(world, &above, 0.0, reversed);
      must(world, elastica_world_advance(world, 20.0 * (above.height - above.least) / closing_speed));
      assert_close(middle_height(rod), radius, 1e-5 * radius);
      elastica_world_destroy(world);
    }
}

/* Two planes at an angle close on a rod and push it out of their wedge; and a rod or ball is pressed into a corner. */
static elastica_status turn_down(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double angle = *(double *)user - 2.0 * time, s = sin(angle), c = cos(angle);
  const double frame[9] = {0.0, 1.0, 0.0, c, 0.0, s, s, 0.0, -c};
  (void)position;
  (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[0] = 2.0;
  return ELASTICA_OK;
}

TEST(a_wedge_that_closes_pushes_out) {
  for (int reversed = 0; reversed < 2; reversed++) {
    double angle = 0.8;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 0.3, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[0] = def.direction[2] = 0.0, def.direction[1] = 1.0;
    def.normal[0] = 1.0, def.normal[1] = def.normal[2] = 0.0;
    def.start[0] = 1.001 * radius / tan(0.5 * angle), def.start[2] = radius;
    must(world, elastica_world_add_rod(world, &def, &rod));
    for (int k = 0; k < 2; k++) {
      DEFAULTS(obstacle, wall);
      wall.stiffness = 0.0;
      if (k != reversed) {
        wall.normal[0] = sin(angle), wall.normal[2] = -cos(angle);
        wall.motion = turn_down, wall.user = &angle;
      }
      must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    }
    const double closed = 0.2;
    must(world, elastica_world_advance(world, 0.5 * (angle - closed)));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++) {
      const double x = view->position[0][i], z = view->position[2][i];
      assert_true(z > 0.99 * radius);
      assert_true(x * sin(closed) - z * cos(closed) > 0.99 * radius);
    }
    elastica_world_destroy(world);
  }
}

/* The elastic lid yields, down to half of the diameter, and the rigid floor holds. */
TEST(a_rod_under_an_elastic_lid_is_squeezed) {
  for (int reversed = 0; reversed < 2; reversed++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    lid above = {2.0 * radius + gap, 1.5 * radius};
    add_gravity_down(world);
    (void)add_between(world, ROD, &rod);
    for (int k = 0; k < 2; k++) {
      DEFAULTS(obstacle, wall);
      DEFAULTS(obstacle, obstacle);
      obstacle.kind = ELASTICA_OBSTACLE_ELASTIC;
      wall.stiffness = 10.0;
      obstacle.modulus = 1e5;
      obstacle.position[2] = above.height, obstacle.normal[2] = -1.0, obstacle.motion = close_down, obstacle.user = &above;
      if (k == reversed)
        must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
      else
        must(world, elastica_add_obstacle(world, NULL, &obstacle, NULL));
    }
    must(world, elastica_world_advance(world, 1.0));
    assert_close(middle_height(rod), radius, 1e-3 * radius);
    above.height = 1.6 * radius + closing_speed * elastica_world_get(world).time, above.least = 0.0;
    assert_status(world, elastica_world_advance(world, 0.5), ELASTICA_UNSTABLE_STEP);
    assert_says(elastica_world_message(world), "\"obstacle\"", "rod 0, element", "would pass through the plane");
    assert_true(middle_height(rod) > 0.9 * radius);
    elastica_world_destroy(world);
  }
}

/* Walls that balance elements have springs, which yield until a centre is at the surface. */
TEST(a_rod_between_springs_is_squeezed_until_its_centre_is_at_the_surface) {
  for (int reversed = 0; reversed < 2; reversed++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    lid above = {2.0 * radius + gap, 1.5 * radius};
    (void)add_between(world, ROD, &rod);
    for (int k = 0; k < 2; k++) {
      DEFAULTS(obstacle, def);
      def.balance = ELASTICA_BALANCE_ELEMENTS;
      def.stiffness = 100.0, def.damping = 1.0;
      if (k != reversed) def.normal[2] = -1.0, def.position[2] = above.height, def.motion = close_down, def.user = &above;
      must(world, elastica_add_obstacle(world, NULL, &def, NULL));
    }
    must(world, elastica_world_advance(world, 1.0));
    assert_true(middle_height(rod) > 0.4 * radius && middle_height(rod) < 1.1 * radius);
    above.height = 1.6 * radius + closing_speed * elastica_world_get(world).time, above.least = 0.0;
    assert_status(world, elastica_world_advance(world, 1.0), ELASTICA_UNSTABLE_STEP);
    assert_says(elastica_world_message(world), "\"obstacle\"", "rod 0, element", "effect 0", "effect 1", "and needs 0.04 m");
    elastica_world_destroy(world);
  }
}
