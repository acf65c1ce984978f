/* Rigid bodies in joints: with the world, with each other and with rods. */
#include "base/target.h"

#include "bodies.h"

static const double pi = 3.14159265358979324;

static elastica_joint_def ball_joint(elastica_rod *first, elastica_rod *second) {
  DEFAULTS(joint, def);
  def.first.rod = first, def.second.rod = second;
  return def;
}

/* A rod-like box on a ball joint at one end is a physical pendulum: omega^2 = m g a/(J + m a^2). */
TEST(a_body_on_a_joint_swings_with_the_period_of_a_physical_pendulum) {
  const double g[3] = {0.0, 0.0, -9.81}, arm = 0.4, small = 1e-3, dt = 1e-4;
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.05, 0.06, 0.02);
  def.mass = 2.0;
  def.position[2] = -arm;
  elastica_rod *body = add_body(world, &def);
  elastica_joint_def joint = ball_joint(body, NULL);
  joint.first.offset[2] = arm;
  joint.stiffness = 1e5, joint.damping = 0.3;
  must(world, elastica_add_joint(world, &joint, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  def.velocity[0] = small, def.omega[1] = -small / arm;
  must(world, elastica_body_set_state(body, NULL, def.velocity, NULL, def.omega));
  double before = small, passages[5];
  for (int found = 0; found < 5;) {
    must(world, elastica_world_step(world, dt, 1));
    const double now = body_now(body).velocity[0];
    if ((now < 0.0) != (before < 0.0)) passages[found++] = elastica_world_get(world).time - dt * now / (now - before);
    before = now;
  }
  const double period = 2.0 * pi * sqrt((0.06 + 2.0 * arm * arm) / (2.0 * 9.81 * arm));
  assert_close((passages[4] - passages[0]) / 2.0 / period, 1.0, 2e-3);
  elastica_world_destroy(world);
}

TEST(a_joint_between_a_rod_and_a_body_keeps_momentum) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_usual_rod(world);
  elastica_totals before, after;
  elastica_rod *body = add_numbered_body(world, 3);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_joint_def joint = ball_joint(rod, body);
  joint.kind = ELASTICA_JOINT_FIXED;
  joint.first.element = -1, joint.first.share = 1.0;
  const elastica_body_info info = body_now(body);
  double position[3];
  for (int a = 0; a < 3; a++) position[a] = view->position[a][view->node_count - 1];
  must(world, elastica_body_set_state(body, position, info.velocity, NULL, NULL));
  must(world, elastica_add_joint(world, &joint, NULL));
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_world_advance(world, 0.05));
  must(world, elastica_world_get_totals(world, &after));
  assert_true(elastica_world_get(world).step_count > 10);
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-12 * norm(before.linear));
    assert_close(after.angular[a], before.angular[a], 1e-3 * norm(before.angular));
  }
  elastica_world_destroy(world);
}

/* Beyond half a turn the angle reappears with the opposite sign. */
TEST(a_limit_near_half_a_turn_gains_no_energy) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.1, 250.0);
  elastica_totals energy;
  elastica_rod *one = add_body(world, &def);
  def.position[0] = 1.0;
  elastica_rod *other = add_body(world, &def);
  elastica_joint_def joint = ball_joint(one, other);
  joint.kind = ELASTICA_JOINT_HINGE, joint.axis[0] = joint.axis[1] = 0.0, joint.axis[2] = 1.0;
  joint.first.offset[0] = 0.5, joint.second.offset[0] = -0.5;
  joint.stiffness = 1000.0, joint.angular_stiffness = 10.0, joint.damping = 0.1;
  joint.least_angle = 3.14, joint.most_angle = 3.1415;
  must(world, elastica_add_joint(world, &joint, NULL));
  must(world, elastica_world_get_totals(world, &energy));
  const double first = energy.effects;
  for (int k = 0; k < 100; k++) {
    must(world, elastica_world_advance(world, 0.01));
    must(world, elastica_world_get_totals(world, &energy));
    assert_true(energy.translation + energy.rotation + energy.effects < 1.01 * first);
  }
  elastica_world_destroy(world);
}

TEST(a_joint_without_rods_needs_a_stiffness) {
  elastica_world *world = make_world(NULL);
  elastica_rod *first = add_numbered_body(world, 0), *second = add_numbered_body(world, 1);
  elastica_joint_def joint = ball_joint(first, second);
  assert_refused(world, elastica_add_joint(world, &joint, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.stiffness", "rigid body");
  joint.stiffness = 100.0;
  must(world, elastica_add_joint(world, &joint, NULL));
  joint.kind = ELASTICA_JOINT_FIXED;
  assert_refused(world, elastica_add_joint(world, &joint, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.angular_stiffness", "rigid body");
  joint.angular_stiffness = 1.0, joint.second.share = 0.5;
  assert_refused(world, elastica_add_joint(world, &joint, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.second.share", "one node");
  elastica_world_destroy(world);
}
