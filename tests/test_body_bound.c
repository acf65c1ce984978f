/* Rigid bodies joined to others in long runs: a top that precesses, momentum through every kind of joint, energy over many steps,
 * snapshots. */
#include "base/target.h"

#include "bodies.h"
#include "samples.h"

static const double pi = 3.14159265358979324;

/* A top with its tip in a ball joint, leaning by theta, its centre at a from the tip: steady precession Omega about the vertical with A
 * Omega^2 cos(theta) - C s Omega + m g a = 0, A = J1 + m a^2, C = J3, s the spin about its axis. The joint is open from the start by the
 * force on the tip, which balances the weight and moves the centre on its circle. */
TEST(a_top_precesses_as_the_equation_of_its_spin_says) {
  const double theta = 0.6, a = 0.1, m = 1.0, g = 9.81, A = 0.004 + m * a * a, C = 0.006, precession = 4.0, k = 1e6;
  const double spin = (A * precession * precession * cos(theta) + m * g * a) / (C * precession);
  const double gravity[3] = {0.0, 0.0, -g}, s = sin(theta), c = cos(theta);
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.004, 0.004, 0.006);
  /* d3 leans in the x-z plane, d2 is y */
  const double frame[9] = {c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c};
  memcpy(def.director, frame, sizeof frame);
  const double open[3] = {-m * precession * precession * a * s / k, 0.0, m * g / k};
  def.position[0] = a * s - open[0], def.position[2] = a * c - open[2];
  def.velocity[1] = precession * a * s;
  def.omega[0] = -precession * s, def.omega[2] = spin;
  elastica_rod *rod = add_body(world, &def);
  DEFAULTS(joint, joint);
  joint.first.rod = rod;
  joint.first.offset[2] = -a;
  for (int b = 0; b < 3; b++) joint.position[b] = 0.0;
  joint.stiffness = k;
  must(world, elastica_add_joint(world, &joint, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double period = 2.0 * pi / precession;
  double most = 0.0, least = 4.0;
  for (int step = 0; step < 100; step++) {
    must(world, elastica_world_step(world, period / 100000.0, 1000));
    const double lean = acos(view->director[2][2][0]);
    most = lean > most ? lean : most;
    least = lean < least ? lean : least;
  }
  assert_close(most, theta, 2e-3);
  assert_close(least, theta, 2e-3);
  assert_close(atan2(view->director[2][1][0], view->director[2][0][0]), 0.0, 2e-3);
  elastica_world_destroy(world);
}

/* Two turned, tumbling bodies with one of each kind of joint between them, damped; the hinge has a motor. */
static void fill_pair(elastica_world *world, int kind) {
  elastica_rod *rod[2] = {add_numbered_body(world, 3), add_numbered_body(world, 6)};
  DEFAULTS(joint, def);
  def.kind = (elastica_joint_kind)kind;
  def.first.rod = rod[0], def.second.rod = rod[1];
  for (int a = 0; a < 3; a++) {
    def.first.offset[a] = 0.5 * (elastica_rod_get_view(rod[1])->position[a][0] - elastica_rod_get_view(rod[0])->position[a][0]);
    def.second.offset[a] = 0.1 * a;
  }
  def.stiffness = 2000.0, def.damping = 0.2;
  if (kind != ELASTICA_JOINT_BALL) def.angular_stiffness = 20.0;
  if (kind == ELASTICA_JOINT_HINGE) set_vector(def.axis, 0, 0.3, -0.5, 0.8), def.motor = 0.5;
  must(world, elastica_add_joint(world, &def, NULL));
}

static double lost_angular_momentum(int kind, double dt) {
  elastica_totals before, after;
  double lost = 0.0;
  elastica_world *world = make_world(NULL);
  fill_pair(world, kind);
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_world_step(world, dt, (long)(0.5 / dt + 0.5)));
  must(world, elastica_world_get_totals(world, &after));
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-12 * norm(before.linear));
    lost += (after.angular[a] - before.angular[a]) * (after.angular[a] - before.angular[a]);
  }
  elastica_world_destroy(world);
  return sqrt(lost) / norm(before.angular);
}

/* The errors of the frames, and of the angular momentum that they carry, are of the order of the square of the step. */
TEST(joined_bodies_keep_their_momentum) {
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_FIXED; kind++) {
    const double coarse = lost_angular_momentum(kind, 4e-4), fine = lost_angular_momentum(kind, 2e-4);
    assert_true(coarse < 1e-3);
    assert_true(fine < 0.3 * coarse || coarse < 1e-9);
  }
}

/* A rod with a body fixed to its end; all in motion. */
static elastica_rod *fill_bound(elastica_world *world) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, 4, 9, &recipe);
  elastica_rod *rod = add_sample(world, &sample);
  elastica_body_def ball = top_def(2e-3, 3e-3, 4e-3);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) ball.position[a] = view->position[a][4], ball.velocity[a] = view->velocity[a][4];
  ball.mass = 0.5;
  ball.omega[0] = 2.0, ball.omega[1] = 1.0;
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_FIXED;
  def.first.rod = rod, def.first.element = -1, def.first.share = 1.0;
  def.second.rod = add_body(world, &ball);
  def.second.offset[1] = 0.02;
  must(world, elastica_add_joint(world, &def, NULL));
  return rod;
}

/* In a million steps the mean of the energy does not change. */
TEST(a_body_bound_to_a_rod_keeps_its_energy) {
  enum { PARTS = 10, SAMPLES = 100 };
  elastica_step_limit limit;
  double mean[PARTS] = {0.0};
  elastica_world *world = make_world(NULL);
  fill_bound(world);
  must(world, elastica_world_step_limit(world, &limit));
  for (int part = 0; part < PARTS; part++)
    for (int k = 0; k < SAMPLES; k++) {
      must(world, elastica_world_step(world, 0.125 * limit.dt, 1000));
      mean[part] += total_energy(world) / SAMPLES;
    }
  for (int part = 1; part < PARTS; part++) assert_close(mean[part] / mean[0], 1.0, 1e-3);
  elastica_world_destroy(world);
}

TEST(a_snapshot_in_mid_run_changes_no_bit) {
  static unsigned char bytes[65536];
  elastica_world *world[2] = {make_world(NULL), make_world(NULL)};
  for (int k = 0; k < 2; k++) {
    fill_bound(world[k]);
    for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_FIXED; kind++) fill_pair(world[k], kind);
  }
  must(world[0], elastica_world_step(world[0], 1e-5, 777));
  const size_t size = size_of_snapshot(world[0]);
  assert_true(size <= sizeof bytes);
  must(world[0], elastica_world_snapshot_save(world[0], bytes, size, NULL));
  must(world[1], elastica_world_snapshot_load(world[1], bytes, size));
  for (int k = 0; k < 2; k++) must(world[k], elastica_world_step(world[k], 1e-5, 555));
  assert_int_equal(hash_world(world[0]), hash_world(world[1]));
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}
