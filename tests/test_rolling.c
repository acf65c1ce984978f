/* Friction across a rod that can roll, on a plane at rest, inclined or moving. */
#include "on_a_plane.h"

/* ---- Rolling ---- */

/* Cylinder on an incline with one coefficient: a = (2/3) g sin if tan <= 3 mu, else g (sin - mu cos) and r w' = 2 mu g cos. */
TEST(cylinder_on_an_incline) {
  const double degrees[] = {10.0, 20.0, 30.0, 40.0, 60.0}, mus[] = {0.1, 0.2, 0.5}, T = 0.1;
  for (int k = 0; k < 5; k++) {
    for (int l = 0; l < 3; l++) {
      const double angle = degrees[k] * acos(-1.0) / 180.0, mu = mus[l];
      scene s = sliding(mu, mu);
      s.across = gravity_size * sin(angle), s.down = gravity_size * cos(angle);
      const bench b = set_up(&s);
      double velocity[3];
      run(&b, T, velocity);
      const int rolls = tan(angle) <= 3.0 * mu;
      const double a = rolls ? 2.0 / 3.0 * gravity_size * sin(angle) : gravity_size * (sin(angle) - mu * cos(angle));
      const double turning = rolls ? a : 2.0 * mu * gravity_size * cos(angle);
      assert_close(velocity[1], a * T, 1e-9);
      for (int j = 0; j < N; j++) assert_close(-radius * b.view->omega[2][j], turning * T, 1e-9);
      elastica_world_destroy(b.world);
    }
  }
}

/* a = g sin/(1 + lambda/2), for both laws. */
TEST(rolling_knows_the_inertia_of_the_element) {
  const double lambdas[] = {0.2, 1.0, 2.0, 4.0}, T = 0.05, slope = 1.5;
  for (int k = 0; k < 8; k++) {
    scene s = sliding(0.4, 0.2);
    s.lambda = lambdas[k / 2], s.classical = k % 2, s.across = slope;
    const bench b = set_up(&s);
    double velocity[3];
    run(&b, T, velocity);
    assert_close(velocity[1], slope * T / (1.0 + 0.5 * s.lambda), 1e-12);
    assert_close(velocity[1] + radius * b.view->omega[2][N / 2], 0.0, 1e-12);
    elastica_world_destroy(b.world);
  }
}

/* Thrown without spin, the cylinder slips, slows down and then rolls at v/(1 + lambda/2); a slope adds g T sin/(1 + lambda/2)
 * throughout. */
TEST(slipping_ends_in_rolling) {
  for (double lambda = 0.5; lambda < 3.0; lambda *= 2.0) {
    for (double slope = 0.0; slope < 0.3; slope += 0.2) {
      scene s = sliding(0.4, 0.2);
      s.lambda = lambda, s.speed_across = 0.2, s.slip_velocity = 1e-7, s.across = slope;
      const bench b = set_up(&s);
      double velocity[3];
      run(&b, 0.2, velocity);
      assert_close(velocity[1], (0.2 + slope * 0.2) / (1.0 + 0.5 * lambda), 1e-9);
      assert_close(velocity[1] + radius * b.view->omega[2][0], 0.0, 1e-12);
      elastica_world_destroy(b.world);
    }
  }
}

/* The energy dissipated by kinetic friction equals its work on the slip. */
TEST(kinetic_friction_takes_energy_out) {
  scene s = sliding(0.4, 0.2);
  s.speed_across = 1.0, s.speed_along = 0.3;
  const bench b = set_up(&s);
  elastica_totals before, after;
  double velocity[3];
  must(b.world, elastica_rod_get_totals(b.rod, &before));
  run(&b, 0.01, velocity);
  must(b.world, elastica_rod_get_totals(b.rod, &after));
  /* Slip distances under the constant decelerations mu g along and 3 mu g across. */
  const double T = 0.01, a = 0.2 * gravity_size, slid = 0.3 * T - 0.5 * a * T * T, slipped = T - 1.5 * a * T * T;
  const double lost = before.translation + before.rotation - after.translation - after.rotation;
  assert_close(lost, mass * a * (slid + slipped), 1e-9);
  elastica_world_destroy(b.world);
}

/* ---- Moving plane ---- */

static elastica_status belt(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[0] = 0.2 * time;
  velocity[0] = 0.2;
  return ELASTICA_OK;
}

TEST(conveyor_takes_the_rod_along) {
  scene s = sliding(0.4, 0.2);
  s.motion = belt, s.slip_velocity = 1e-7;
  const bench b = set_up(&s);
  double velocity[3];
  run(&b, 0.05, velocity);
  assert_close(velocity[0], 0.2 * gravity_size * 0.05, 1e-9);
  run(&b, 0.1, velocity);
  assert_close(velocity[0], 0.2, 1e-12);
  elastica_obstacle_def still; /* the belt stops at once, the rod does not */
  elastica_obstacle_def_init(&still, sizeof still);
  still.balance = ELASTICA_BALANCE_ELEMENTS;
  still.stiffness = 10.0;
  for (int k = 0; k < 3; k++) still.static_friction[k] = 0.4, still.kinetic_friction[k] = 0.2;
  still.slip_velocity = 1e-7;
  must(b.world, elastica_obstacle_set(b.wall, &still));
  run(&b, 0.05, velocity);
  assert_close(velocity[0], 0.2 - 0.2 * gravity_size * 0.05, 1e-9);
  run(&b, 0.1, velocity);
  assert_close(velocity[0], 0.0, 1e-12);
  elastica_world_destroy(b.world);
}
