/* Claims about rods that are glued side by side: the place of the joint, the balance of its forces and couples, and the loads that it
 * carries. */
#include "base/target.h"

#include "bodies.h"
#include "samples.h"

/* A rod along x at a height, with the given radius. */
static elastica_rod *add_rod_at(elastica_world *world, double y, double z, double radius) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 8, def.length = 0.8, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e8;
  def.direction[0] = 1.0, def.direction[1] = 0.0, def.direction[2] = 0.0;
  def.start[1] = y, def.start[2] = z;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_joint_def glue(elastica_rod *first, elastica_rod *second) {
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_SIDE_BY_SIDE;
  def.first.rod = first, def.second.rod = second;
  def.first.element = def.second.element = 3;
  def.first.share = def.second.share = 0.5;
  def.stiffness = 1e4, def.angular_stiffness = 2.0;
  return def;
}

static elastica_joint_info info_of(elastica_world *world, elastica_effect *joint) {
  elastica_joint_info info;
  must(world, elastica_joint_get(joint, &info));
  return info;
}

/* Surfaces at 0.02 and 0.07 - 0.01 from the first axis: their middle is at 0.04; likewise for overlapping rods. */
TEST(the_joint_is_halfway_between_the_surfaces) {
  for (int overlap = 0; overlap < 2; overlap++) {
    const double distance = overlap ? 0.025 : 0.07, halfway = 0.5 * (0.02 + distance - 0.01);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.6 * distance, 0.8 * distance, 0.01)};
    const elastica_joint_def def = glue(rod[0], rod[1]);
    elastica_effect *joint = NULL;
    must(world, elastica_add_joint(world, &def, &joint));
    const elastica_joint_info info = info_of(world, joint);
    const double place[3] = {0.35, 0.6 * halfway, 0.8 * halfway};
    for (int k = 0; k < 2; k++)
      for (int a = 0; a < 3; a++) assert_close(info.position[k][a], place[a], 1e-15);
    assert_close(info.gap, 0.0, 1e-15);
    assert_close(info.angle, 0.0, 1e-15);
    elastica_world_destroy(world);
  }
}

TEST(both_frames_carry_it) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.05, 0.0, 0.01)};
  const elastica_joint_def def = glue(rod[0], rod[1]);
  elastica_effect *joint = NULL;
  rod_state now;
  const double turn[3] = {0.0, 0.0, 0.5};
  must(world, elastica_add_joint(world, &def, &joint));
  read_state(rod[1], &now);
  turn_frame_exactly(turn, now.director + 9 * 3);
  must(world, elastica_rod_set_state(rod[1], NULL, NULL, now.director, NULL));
  const elastica_joint_info info = info_of(world, joint);
  /* from (0.35, 0.03) about the axis of the second rod, which is parallel to x at 0.05 */
  assert_close(info.angle, 0.5, 1e-14);
  assert_close(info.gap, 2.0 * 0.02 * sin(0.25), 1e-14);
  elastica_world_destroy(world);
}

/* Two glued rods in motion: momentum and energy of each change, their sums are conserved. */
TEST(momentum_and_energy_stay) {
  elastica_totals first, last;
  elastica_totals before, after;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.04, 0.01, 0.015)};
  for (int k = 0; k < 8; k++) {
    elastica_joint_def def = glue(rod[0], rod[1]);
    def.first.element = def.second.element = k;
    must(world, elastica_add_joint(world, &def, NULL));
  }
  rod_state now;
  read_state(rod[1], &now);
  for (int i = 0; i < 9; i++) now.velocity[component(i, 1)] = 0.3 * i, now.velocity[component(i, 2)] = -0.5;
  for (int j = 0; j < 8; j++) now.omega[component(j, 2)] = 20.0;
  must(world, elastica_rod_set_state(rod[1], NULL, now.velocity, NULL, now.omega));
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_world_get_totals(world, &first));
  must(world, elastica_world_step(world, 1e-5, 20000));
  must(world, elastica_world_get_totals(world, &after));
  must(world, elastica_world_get_totals(world, &last));
  const double start = first.translation + first.rotation;
  const double end = last.translation + last.rotation + last.bending + last.shear + last.effects;
  assert_close(end / start, 1.0, 2e-3);
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-12 * norm(before.linear));
    assert_close(after.angular[a], before.angular[a], 1e-5 * norm(before.angular));
  }
  elastica_world_destroy(world);
}

/* The joint transmits a couple about the axis from one rod to the other, held rod: it turns the frames by C/kappa. */
TEST(the_joint_resists_twist) {
  elastica_effect *joint = NULL;
  const double couple = 0.05;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.05, 0.0, 0.02)};
  elastica_joint_def def = glue(rod[0], rod[1]);
  def.angular_stiffness = 0.5;
  must(world, elastica_add_joint(world, &def, &joint));
  clamp_first_end(world, rod[0]);
  DEFAULTS(point_load, load);
  load.element = 3;
  load.couple[2] = couple;
  must(world, elastica_add_point_load(world, rod[1], &load, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  const elastica_joint_info info = info_of(world, joint);
  assert_close(info.angle, couple / def.angular_stiffness, 1e-9);
  assert_close(info.couple[0], -couple, 1e-9);
  assert_close(info.gap, 0.0, 1e-9);
  elastica_world_destroy(world);
}

/* ---- Setting, snapshots ---- */

TEST(a_joint_that_is_set_stays_in_its_place_unless_its_anchors_move) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.05, 0.0, 0.02)};
  elastica_joint_def def = glue(rod[0], rod[1]);
  elastica_effect *joint = NULL;
  rod_state now;
  must(world, elastica_add_joint(world, &def, &joint));
  read_state(rod[1], &now);
  for (int i = 0; i < 9; i++) now.position[component(i, 1)] += 0.01;
  must(world, elastica_rod_set_state(rod[1], now.position, NULL, NULL, NULL));
  def.stiffness = 10.0;
  must(world, elastica_joint_set(joint, &def));
  assert_close(info_of(world, joint).gap, 0.01, 1e-15);
  def.second.element = 4;
  must(world, elastica_joint_set(joint, &def));
  assert_close(info_of(world, joint).gap, 0.0, 1e-15);
  elastica_world_destroy(world);
}

TEST(a_snapshot_has_its_place) {
  unsigned char bytes[32768];
  elastica_world *world[2];
  elastica_effect *joint[2];
  for (int k = 0; k < 2; k++) {
    world[k] = make_world(NULL);
    elastica_rod *rod[2] = {add_rod_at(world[k], 0.0, 0.0, 0.02), add_rod_at(world[k], 0.05, 0.0, 0.02)};
    elastica_joint_def def = glue(rod[0], rod[1]);
    def.second.element = k == 0 ? 3 : 6;
    must(world[k], elastica_add_joint(world[k], &def, &joint[k]));
  }
  must(world[0], elastica_world_step(world[0], 1e-5, 10));
  const size_t size = size_of_snapshot(world[0]);
  assert_true(size <= sizeof bytes);
  must(world[0], elastica_world_snapshot_save(world[0], bytes, size, NULL));
  must(world[1], elastica_world_snapshot_load(world[1], bytes, size));
  const elastica_joint_info info[2] = {info_of(world[0], joint[0]), info_of(world[1], joint[1])};
  assert_memory_equal(&info[0], &info[1], sizeof info[0]);
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

TEST(rods_that_cannot_be_glued_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {add_rod_at(world, 0.0, 0.0, 0.02), add_rod_at(world, 0.05, 0.0, 0.02)};
  elastica_rod *body = add_numbered_body(world, 0);
  elastica_joint_def def = glue(rod[0], NULL);
  assert_refused(world, elastica_add_joint(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.second.rod", "NULL");
  def = glue(rod[0], body);
  def.second.element = 0, def.second.share = 0.0;
  assert_refused(world, elastica_add_joint(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.second.rod", "rigid body");
  def = glue(rod[0], rod[1]);
  def.second.offset[1] = 0.01;
  assert_refused(world, elastica_add_joint(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.second.offset", "chooses");
  def = glue(rod[0], rod[1]);
  def.angular_stiffness = 0.0;
  assert_refused(world, elastica_add_joint(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "joint_def.angular_stiffness", "twist");
  def = glue(rod[0], rod[0]);
  def.first.share = 1.0, def.second.element = 4, def.second.share = 0.0;
  assert_refused(world, elastica_add_joint(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "one point", "SIDE_BY_SIDE");
  elastica_world_destroy(world);
}
