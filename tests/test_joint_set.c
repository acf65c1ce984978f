/* Definition and storage of joints: removal with their rods, snapshots, and refused definitions. */
#include "base/target.h"

#include "jointed.h"

TEST(a_joint_goes_with_either_rod) {
  for (int k = 0; k < 2; k++) {
    pair of = make_pair(2);
    elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_FIXED);
    must(of.world, elastica_add_joint(of.world, &def, &of.joint));
    must(of.world, elastica_world_step(of.world, 1e-5, 10));
    must(of.world, elastica_rod_remove(of.rod[k]));
    assert_null(next_effect(of.world, NULL));
    must(of.world, elastica_world_step(of.world, 1e-5, 10));
    elastica_world_destroy(of.world);
  }
}

TEST(a_snapshot_has_a_joint) {
  unsigned char bytes[32768];
  pair of = make_pair(4), other = make_pair(4);
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_HINGE);
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  def.first.rod = other.rod[0], def.second.rod = other.rod[1];
  def.stiffness = 5.0;
  must(other.world, elastica_add_joint(other.world, &def, &other.joint));
  must(of.world, elastica_world_step(of.world, 1e-4, 30));
  const size_t size = size_of_snapshot(of.world);
  assert_true(size <= sizeof bytes);
  must(of.world, elastica_world_snapshot_save(of.world, bytes, size, NULL));
  must(other.world, elastica_world_snapshot_load(other.world, bytes, size));
  must(of.world, elastica_world_step(of.world, 1e-4, 30));
  must(other.world, elastica_world_step(other.world, 1e-4, 30));
  assert_int_equal(hash_world(of.world), hash_world(other.world));
  elastica_world_destroy(of.world);
  elastica_world_destroy(other.world);
}

static void refuse(const pair *of, const elastica_joint_def *def, const char *words) {
  elastica_effect *effect = NULL;
  assert_int_equal(elastica_add_joint(of->world, def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_null(effect);
  if (strstr(elastica_world_message(of->world), words) == NULL) fail_msg("\"%s\" lacks \"%s\"", elastica_world_message(of->world), words);
}

TEST(wrong_definitions_of_joints_are_refused) {
  const pair of = make_pair(1);
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.first.rod = NULL;
  refuse(&of, &def, "rod is NULL");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.second.rod = of.rod[0];
  refuse(&of, &def, "both anchors are on element 0 of rod 0");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.second.share = 1.5;
  refuse(&of, &def, "joint_def.second.share is 1.5");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.force = 1.0;
  refuse(&of, &def, "force and gap");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.motor = 1.0;
  refuse(&of, &def, "joint_def.motor is 1 N m");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.most_angle = 0.5;
  refuse(&of, &def, "joint_def.most_angle is 0.5 rad");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.least_angle = -0.5;
  refuse(&of, &def, "joint_def.least_angle is -0.5 rad");
  def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.axis[0] = def.axis[1] = def.axis[2] = NAN;
  refuse(&of, &def, "axis of a hinge is not set");
  def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.least_angle = 1.0, def.most_angle = -1.0;
  refuse(&of, &def, "least_angle");
  /* no angle is between the first three; one limit alone could be met from behind */
  const double beyond[5][2] = {{INFINITY, INFINITY}, {4.0, INFINITY}, {-INFINITY, -4.0}, {-INFINITY, 1.0}, {-1.0, INFINITY}};
  for (int k = 0; k < 5; k++) {
    def.least_angle = beyond[k][0], def.most_angle = beyond[k][1];
    refuse(&of, &def, "least_angle");
  }
  def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.first.element = 17;
  refuse(&of, &def, "joint_def.first.element 17 is outside 0..");
  def = joint_of(&of, ELASTICA_JOINT_FIXED);
  def.axis[0] = def.axis[1] = def.axis[2] = 1.0;
  refuse(&of, &def, "joint_def.axis is set, but kind FIXED does not use it");
  def = joint_of(&of, ELASTICA_JOINT_SIDE_BY_SIDE);
  def.axis_in_world = 1;
  refuse(&of, &def, "joint_def.axis_in_world is set, but kind SIDE_BY_SIDE does not use it");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.angular_stiffness = 1.0;
  refuse(&of, &def, "joint_def.angular_stiffness is set, but kind BALL does not use it");
  def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.axis[0] = def.axis[1] = def.axis[2] = 0.0;
  refuse(&of, &def, "axis of a hinge is zero");
  def = joint_of(&of, ELASTICA_JOINT_FIXED);
  def.couple = 1.0;
  refuse(&of, &def, "joint_def.angular_stiffness: give either the stiffness, or both of couple and angle");
  def = joint_of(&of, ELASTICA_JOINT_FIXED);
  for (int k = 0; k < 9; k++) def.director[k] = k % 4 == 0;
  refuse(&of, &def, "joint_def.director is set, but only a second anchor in the world uses it");
  def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.position[0] = def.position[1] = def.position[2] = 0.0;
  refuse(&of, &def, "joint_def.position is set, but only a second anchor in the world uses it");
  elastica_world_destroy(of.world);
}

/* A motion that tries to change its world. */
typedef struct meddler {
  elastica_world *world;
  elastica_rod *rod;
  int calls, refused;
} meddler;

static elastica_status meddle(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  meddler *of = user;
  (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  of->calls++;
  of->refused += elastica_rod_remove(of->rod) == ELASTICA_WRONG_STATE && elastica_world_step(of->world, 1e-6, 1) == ELASTICA_WRONG_STATE;
  elastica_world_destroy(of->world);
  return ELASTICA_OK;
}

TEST(motions_are_refused_the_same_calls_as_hooks) {
  pair of = make_pair(1);
  meddler user = {of.world, of.rod[0], 0, 0};
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_HINGE);
  elastica_joint_info info;
  def.second.rod = NULL, def.motion = meddle, def.user = &user;
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  assert_true(user.calls > 0);
  must(of.world, elastica_joint_set(of.joint, &def));
  const int before = user.calls;
  must(of.world, elastica_joint_get(of.joint, &info));
  assert_true(user.calls > before);
  DEFAULTS(obstacle, wall);
  wall.position[2] = -100.0, wall.stiffness = 1.0, wall.motion = meddle, wall.user = &user;
  must(of.world, elastica_add_obstacle(of.world, NULL, &wall, NULL));
  must(of.world, elastica_world_step(of.world, 1e-6, 2));
  assert_int_equal(user.refused, user.calls);
  elastica_world_destroy(of.world);
}

static elastica_status no_couple(void *user, double time, double angle, double rate, double *couple) {
  (void)user, (void)time, (void)angle, (void)rate;
  *couple = 0.0;
  return ELASTICA_OK;
}

static elastica_status no_motion(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return ELASTICA_IO_ERROR;
}

TEST(limits_and_motors_of_other_joints_are_refused) {
  const pair of = make_pair(1);
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.axis_in_world = 1;
  def.least_angle = -1.0, def.most_angle = 1.0;
  refuse(&of, &def, "joint_def.least_angle is -1 rad: a hinge whose axis stays in the world has no limits");
  def.least_angle = -INFINITY;
  refuse(&of, &def, "joint_def.most_angle is 1 rad");
  def.most_angle = INFINITY, def.motor = 0.5;
  refuse(&of, &def, "joint_def.motor is 0.5 N m");
  def.motor = 0.0, def.drive = no_couple;
  refuse(&of, &def, "joint_def.drive is set");
  elastica_world_destroy(of.world);
}

TEST(motions_of_joints_are_those_of_points_in_the_world) {
  const pair of = make_pair(1);
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_BALL);
  def.motion = no_motion;
  refuse(&of, &def, "joint_def.motion is for a second anchor in the world");
  DEFAULTS(joint, alone);
  alone.kind = ELASTICA_JOINT_FIXED, alone.first.rod = of.rod[0], alone.motion = no_motion;
  assert_refused(of.world, elastica_add_joint(of.world, &alone, NULL), ELASTICA_CALLBACK_FAILED, "joint_def.motion fails", "IO_ERROR");
  elastica_world_destroy(of.world);
}

TEST(a_joint_keeps_its_rods) {
  pair of = make_pair(1);
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_BALL);
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  def.first.rod = of.rod[1], def.second.rod = of.rod[0];
  assert_refused(of.world, elastica_joint_set(of.joint, &def), ELASTICA_INVALID_ARGUMENT, "joint_set", "the joint is between other rods");
  elastica_world_destroy(of.world);
}
