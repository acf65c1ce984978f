/* Impacts in implicit steps with an accuracy: they keep their energy, and contacts at rest cost nothing. */
#include "bodies.h"
#include "support.h"

#define G 9.81
#define RADIUS 0.02
#define MODULUS 1e6

static elastica_implicit_result run_to(elastica_world *world, double until, double accuracy) {
  elastica_implicit_result result;
  DEFAULTS(implicit, def);
  def.until = until;
  def.accuracy = accuracy;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished);
  return result;
}

static elastica_rod *add_ball(elastica_world *world, double height, double speed) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = RADIUS, def.density = 1000.0;
  def.position[2] = height, def.velocity[2] = speed;
  return add_body(world, &def);
}

static elastica_status rise(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double *speed = user;
  (void)director, (void)omega;
  position[2] += *speed * time, velocity[2] = *speed;
  return ELASTICA_OK;
}

/* An undamped plane at height 0; its motion begins there. */
static void add_plane(elastica_world *world, double *speed) {
  DEFAULTS(obstacle, plane);
  plane.kind = ELASTICA_OBSTACLE_ELASTIC;
  plane.modulus = MODULUS;
  plane.damping_ratio = plane.tangential_damping_ratio = 0.0;
  if (speed != NULL) plane.motion = rise, plane.user = speed;
  must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
}

static void add_weight(elastica_world *world) {
  const double gravity[3] = {0.0, 0.0, -G};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

/* A ball falls on a plane a hundred times. The energy above that of a ball on the plane stays, also when calls end in the middle of an
 * impact, where the next call begins. */
TEST(a_ball_that_bounces_keeps_its_energy) {
  const double drop[4] = {0.02, 0.03, 0.05, 0.08}, accuracy[2] = {2e-4, 2e-5};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = make_world(NULL);
    const elastica_rod_view *ball = elastica_rod_get_view(add_ball(world, RADIUS + drop[k % 4], 0.0));
    add_plane(world, NULL);
    add_weight(world);
    const double first = total_energy(world), height = ball->mass[0] * G * drop[k % 4];
    for (int call = 1; call <= 40; call++) run_to(world, 0.5 * call, accuracy[k / 4]);
    assert_between(total_energy(world) - first, -0.02 * height, 0.02 * height);
    elastica_world_destroy(world);
  }
}

/* Two balls meet head on, and each takes the speed of the other. */
TEST(balls_exchange_their_speeds) {
  const double speed[3] = {0.03, 0.3, 3.0};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *const ball[2] = {add_ball(world, 0.0, speed[k]), add_ball(world, 2.0 * RADIUS + 0.01, -0.5 * speed[k])};
    DEFAULTS(contact, contact);
    contact.modulus = MODULUS;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    run_to(world, 0.02 / speed[k], 1e-5);
    assert_between(elastica_rod_get_view(ball[0])->velocity[2][0], -0.505 * speed[k], -0.495 * speed[k]);
    assert_between(elastica_rod_get_view(ball[1])->velocity[2][0], 0.99 * speed[k], 1.01 * speed[k]);
    elastica_world_destroy(world);
  }
}

/* A plane that rises hits a ball at rest, which leaves at twice its speed. */
TEST(a_moving_plane_throws_a_ball) {
  double speed = 0.5;
  elastica_world *world = make_world(NULL);
  const elastica_rod_view *ball = elastica_rod_get_view(add_ball(world, RADIUS + 0.01, 0.0));
  add_plane(world, &speed);
  run_to(world, 0.1, 1e-4);
  assert_between(ball->velocity[2][0], 1.99 * speed, 2.01 * speed);
  elastica_world_destroy(world);
}

/* A ball that lies on a plane, at rest or rising steadily, needs no steps for its contact. */
TEST(a_contact_at_rest_needs_no_short_steps) {
  for (int k = 0; k < 2; k++) {
    double speed = 0.1;
    elastica_world *world = make_world(NULL);
    elastica_rod *ball = add_ball(world, RADIUS, 0.0);
    add_plane(world, k == 1 ? &speed : NULL);
    add_weight(world);
    must(world, elastica_world_relax(world, NULL, NULL));
    const double velocity[3] = {0.0, 0.0, k == 1 ? speed : 0.0};
    must(world, elastica_rod_set_state(ball, NULL, velocity, NULL, NULL));
    const elastica_implicit_result result = run_to(world, 1.0, 2e-4);
    assert_true(result.steps < 150);
    assert_between(elastica_rod_get_view(ball)->velocity[2][0] - velocity[2], -1e-9, 1e-9);
    elastica_world_destroy(world);
  }
}

/* A ball that is pushed through a plane: the contact is named, not the step that is lost in rounding. */
TEST(a_contact_pressed_in_to_its_core_is_named) {
  double speed = -1.0;
  elastica_world *world = make_world(NULL);
  elastica_rod *ball = add_ball(world, RADIUS + 1e-3, 0.0);
  add_plane(world, NULL);
  DEFAULTS(boundary, hand);
  hand.kind = ELASTICA_BOUNDARY_PIN;
  hand.motion = rise, hand.user = &speed;
  must(world, elastica_add_boundary(world, ball, &hand, NULL));
  DEFAULTS(implicit, def);
  def.until = 0.1;
  def.accuracy = 1e-4;
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_NOT_CONVERGED, "rod 0", "core", "too soft");
  elastica_world_destroy(world);
}

/* Impacts much shorter than a step, with and without dampers, make no energy: the ball never rises above the place where it was dropped. */
TEST(an_impact_that_is_not_resolved_makes_no_energy) {
  const double modulus[3] = {1e8, 1e9, 1e10}, ratio[2] = {0.0, 0.5};
  for (int k = 0; k < 12; k++) {
    const double drop = 0.05 + 0.01 * (k % 3), height = RADIUS + drop;
    elastica_world *world = make_world(NULL);
    const elastica_rod_view *ball = elastica_rod_get_view(add_ball(world, height, 0.0));
    DEFAULTS(obstacle, plane);
    plane.kind = ELASTICA_OBSTACLE_ELASTIC;
    plane.modulus = modulus[k % 3];
    plane.damping_ratio = ratio[k / 3 % 2];
    must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
    add_weight(world);
    for (int call = 1; call <= 100; call++) {
      DEFAULTS(implicit, def);
      def.until = 0.01 * call;
      if (k < 6)
        def.accuracy = 1e-3;
      else
        def.dt = 1.1e-3;
      must(world, elastica_world_run_implicit(world, &def, NULL));
      assert_true(ball->position[2][0] + 0.5 * ball->velocity[2][0] * ball->velocity[2][0] / G < height + 1e-6);
    }
    elastica_world_destroy(world);
  }
}
