/* Implicit steps with loads that depend strongly on rates: drives of tendons and hinges, and loads of a module without a tangent. All slow
 * down a motion within much less than a step, and a whole step moves by less than the tolerance of Newton's method. */
#include "bodies.h"
#include "implicit_steps.h"

#define G 9.81     /* [m/s^2] */
#define GAIN 5e3   /* [s/m] */
#define TORQUE 0.1 /* [N m] */
#define BRAKE 10.0 /* [N m s] */

static elastica_rod *add_ball(elastica_world *world) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = 0.05, def.density = 1000.0;
  def.position[2] = -0.5;
  return add_body(world, &def);
}

static void add_weight(elastica_world *world, double factor) {
  const double gravity[3] = {0.0, 0.0, -factor * G};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

/* The path [m] of a mass from rest under half of its weight and a force -m GAIN G v. */
static double slow_path(double time) {
  const double c = GAIN * G;
  return 0.5 * G * (time / c - (1.0 - exp(-c * time)) / (c * c));
}

static elastica_status brake_tendon(void *user, double time, double length, double rate, double *activation) {
  (void)user, (void)time, (void)length;
  *activation = 1.0 + GAIN * rate > 0.0 ? 1.0 + GAIN * rate : 0.0;
  return ELASTICA_OK;
}

static elastica_status brake_hinge(void *user, double time, double angle, double rate, double *couple) {
  (void)user, (void)time, (void)angle;
  *couple = TORQUE - BRAKE * rate;
  return ELASTICA_OK;
}

/* Expects two corrections in a step, and a path [m or rad] within a thousandth of the exact one. */
static void assert_slow(const elastica_implicit_result *result, double path, double exact) {
  assert_close(path, exact, 1e-3 * exact);
  assert_int_equal(result->halved, 0);
  if ((double)result->iterations > 2.2 * (double)result->steps) fail_msg("%ld corrections in %ld steps", result->iterations, result->steps);
}

TEST(a_tendon_that_brakes_by_its_rate_lets_a_ball_down) {
  for (int steps = 100; steps <= 10000; steps *= 10) {
    elastica_world *world = make_world(NULL);
    elastica_rod *ball = add_ball(world);
    elastica_anchor guide[2];
    DEFAULTS(tendon, tendon);
    memset(guide, 0, sizeof guide);
    guide[1].rod = ball;
    tendon.guides = guide, tendon.guide_count = 2;
    tendon.tension = elastica_rod_get_view(ball)->mass[0] * G;
    tendon.drive = brake_tendon;
    must(world, elastica_add_tendon(world, &tendon, NULL));
    add_weight(world, 1.5);
    const elastica_implicit_result result = take_implicit_steps(world, 1.0, 1.0 / steps, 1e-6);
    assert_slow(&result, -0.5 - body_now(ball).position[2], slow_path(1.0));
    elastica_world_destroy(world);
  }
}

TEST(a_hinge_with_a_brake_turns_slowly) {
  for (int steps = 100; steps <= 10000; steps *= 10) {
    elastica_world *world = make_world(NULL);
    elastica_rod *ball = add_ball(world);
    DEFAULTS(joint, hinge);
    hinge.kind = ELASTICA_JOINT_HINGE;
    hinge.first.rod = ball;
    hinge.axis[0] = 0.0, hinge.axis[1] = 0.0, hinge.axis[2] = 1.0;
    hinge.stiffness = 1e5, hinge.angular_stiffness = 1e3;
    hinge.drive = brake_hinge;
    must(world, elastica_add_joint(world, &hinge, NULL));
    const double delay = elastica_rod_get_view(ball)->inertia[2][0] / BRAKE; /* [s] of the speed */
    const elastica_implicit_result result = take_implicit_steps(world, 1.0, 1.0 / steps, 1e-6);
    const elastica_body_info info = body_now(ball);
    assert_slow(&result, atan2(fabs(info.director[1]), info.director[0]), TORQUE / BRAKE * (1.0 - delay));
    elastica_world_destroy(world);
  }
}

static elastica_status brake_nodes(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int k = 0; k < rod->node_count; k++) loads->force[2][k] -= GAIN * G * rod->velocity[2][k] * rod->mass[k];
  return ELASTICA_OK;
}

static elastica_status add_no_blocks(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent;
  return ELASTICA_OK;
}

typedef elastica_status load_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);

static void add_load_without_tangent(elastica_world *world, elastica_rod *rod, load_hook *add_loads) {
  elastica_module module = module_named("load");
  module.add_loads = add_loads;
  module.add_tangent = add_no_blocks;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

/* Runs for 1 s with an accuracy of 1e-6 m. */
static void run_accurately(elastica_world *world) {
  DEFAULTS(implicit, run);
  run.until = 1.0;
  run.accuracy = 1e-6;
  must(world, elastica_world_run_implicit(world, &run, NULL));
}

/* Without its tangent the load costs corrections and halves of steps, and no accuracy. */
TEST(a_load_without_its_tangent_costs_no_accuracy) {
  static const int count[] = {20, 100, 500, 2000};
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *ball = add_ball(world);
    add_load_without_tangent(world, ball, brake_nodes);
    add_weight(world, 0.5);
    take_implicit_steps(world, 0.1, 0.1 / count[k], 1e-6);
    assert_close(-0.5 - body_now(ball).position[2], slow_path(0.1), 1e-3 * slow_path(0.1));
    elastica_world_destroy(world);
  }
}

static elastica_status turn_velocities(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double spin = 500.0; /* [1/s] */
  (void)self, (void)now;
  for (int k = 0; k < rod->node_count; k++) {
    loads->force[0][k] += spin * rod->velocity[1][k] * rod->mass[k];
    loads->force[1][k] -= spin * rod->velocity[0][k] * rod->mass[k];
  }
  return ELASTICA_OK;
}

/* A force across the velocity, without its tangent: the errors that corrections leave make no energy in eighty turns. */
TEST(a_force_across_the_velocity_makes_no_energy) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.05, 0.5);
  def.velocity[0] = 1.0;
  elastica_rod *ball = add_body(world, &def);
  add_load_without_tangent(world, ball, turn_velocities);
  run_accurately(world);
  const elastica_rod_view *view = elastica_rod_get_view(ball);
  const double speed = hypot(view->velocity[0][0], view->velocity[1][0]);
  if (speed > 1.0 || speed < 0.97) fail_msg("speed %.4f m/s", speed);
  elastica_world_destroy(world);
}

/* The first step is the whole run at first, for no limit of explicit steps is known. */
TEST(a_first_step_is_divided_until_it_converges) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = 0.05, def.density = 1000.0;
  def.velocity[2] = 1.0;
  elastica_rod *ball = add_body(world, &def);
  add_load_without_tangent(world, ball, brake_nodes);
  run_accurately(world);
  assert_close(elastica_rod_get_view(ball)->position[2][0], 1.0 / (GAIN * G), 1e-6);
  elastica_world_destroy(world);
}
