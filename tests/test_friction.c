/* Friction of a rod on a plane: Coulomb's law along the rod and across it. */
#include "on_a_plane.h"

/* ---- The law ---- */

TEST(block_sticks_below_the_angle_and_slides_above) {
  const double mu_static = 0.4, mu_kinetic = 0.3;
  for (double degrees = 1.0; degrees < 60.0; degrees += 4.0) {
    const double angle = degrees * acos(-1.0) / 180.0, T = 0.1;
    scene s = sliding(mu_static, mu_kinetic);
    s.along = gravity_size * sin(angle), s.down = gravity_size * cos(angle);
    s.slip_velocity = 1e-7;
    const bench b = set_up(&s);
    double velocity[3];
    run(&b, T, velocity);
    const double expected = tan(angle) < mu_static ? 0.0 : gravity_size * T * (sin(angle) - mu_kinetic * cos(angle));
    assert_close(velocity[0], expected, tan(angle) < mu_static ? 1e-14 : 1e-4 * expected + 2e-5);
    assert_close(velocity[1], 0.0, 1e-13);
    assert_close(velocity[2], 0.0, 1e-12);
    elastica_world_destroy(b.world);
  }
}

/* The total force at rest is the weight: the rod moves by no more than rounding, and friction does no work. */
TEST(static_friction_does_no_work) {
  scene s = sliding(0.4, 0.2);
  s.along = 2.0;
  const bench b = set_up(&s);
  double velocity[3], force[3];
  const double start = b.view->position[0][0];
  run(&b, 0.05, velocity);
  must(b.world, elastica_obstacle_get_force(b.wall, force, NULL));
  assert_close(b.view->position[0][0], start, 1e-14);
  assert_close(force[0], mass * 2.0, 1e-12);
  elastica_totals energy;
  must(b.world, elastica_rod_get_totals(b.rod, &energy));
  assert_close(energy.translation + energy.rotation + energy.bending + energy.shear, 0.0, 1e-20);
  elastica_world_destroy(b.world);
}

/* v = v0 - mu g t, and then rest: no oscillation about it, though mu g dt is a thousand times v_eps. */
TEST(sliding_ends_in_rest) {
  scene s = sliding(0.4, 0.2);
  s.speed_along = 0.1, s.slip_velocity = 1e-8;
  const bench b = set_up(&s);
  const double stop = 0.1 / (0.2 * gravity_size), distance = 0.5 * 0.1 * stop;
  double velocity[3];
  run(&b, 0.5 * stop, velocity);
  assert_close(velocity[0], 0.1 - 0.2 * gravity_size * elastica_world_get(b.world).time, 1e-9);
  run(&b, stop, velocity);
  assert_close(velocity[0], 0.0, 1e-12);
  assert_close(b.view->position[0][0], distance, 1e-5 * 0.1);
  elastica_world_destroy(b.world);
}

/* Friction ends also a slip too small for the kinetic law, along and across, level or on a slope. */
TEST(no_slip_is_left) {
  for (int k = 0; k < 4; k++) {
    scene s = sliding(0.4, 0.2);
    s.slip_velocity = 1e-2, s.speed_along = 4e-3, s.speed_across = -3e-3;
    if (k / 2) s.along = 1.0, s.across = -2.0;
    s.limit = k % 2 ? ELASTICA_FRICTION_ELLIPTIC : ELASTICA_FRICTION_INDEPENDENT;
    const bench b = set_up(&s);
    double velocity[3];
    run(&b, 1e-2, velocity);
    assert_close(velocity[0], 0.0, 1e-12);
    for (int j = 0; j < N; j++) assert_close(b.view->velocity[1][j] + radius * b.view->omega[2][j], 0.0, 1e-12);
    elastica_world_destroy(b.world);
  }
}

/* Kinetic friction never has a component in the direction of the slip. */
TEST(friction_opposes_the_slip) {
  random_source source = {7};
  for (int k = 0; k < 200; k++) {
    scene s = sliding(0.4, 0.2);
    s.limit = k % 2 ? ELASTICA_FRICTION_ELLIPTIC : ELASTICA_FRICTION_INDEPENDENT;
    s.speed_along = random_between(&source, -1.0, 1.0), s.speed_across = random_between(&source, -1.0, 1.0);
    s.spin = random_between(&source, -40.0, 40.0);
    double force[3];
    one_step(&s, force);
    const double slip_across = s.speed_across + radius * s.spin; /* the lowest point moves with omega x (-r z) = + r omega y */
    assert_true(force[0] * s.speed_along <= 0.0);
    assert_true(force[1] * slip_across <= 0.0);
    assert_close(force[2], mass * gravity_size, 1e-9);
  }
}

/* ---- Limits in two directions ---- */

TEST(independent_limits_hold_in_each_direction) {
  scene s = sliding(0.4, 0.2);
  double force[3];
  s.speed_along = 0.3, s.speed_across = -0.01;
  one_step(&s, force);
  assert_close(force[0], -0.2 * mass * gravity_size, 1e-9);
  assert_close(force[1], 0.2 * mass * gravity_size, 1e-9);
}

/* Isotropic and elliptic: mu_k m g against the slip, in any direction. */
TEST(elliptic_kinetic_friction_is_against_the_slip) {
  for (double angle = 0.0; angle < 6.3; angle += 0.3) {
    scene s = sliding(0.4, 0.2);
    s.limit = ELASTICA_FRICTION_ELLIPTIC;
    s.speed_along = 0.3 * cos(angle), s.speed_across = 0.3 * sin(angle);
    double force[3];
    one_step(&s, force);
    assert_close(force[0], -0.2 * mass * gravity_size * cos(angle), 1e-9);
    assert_close(force[1], -0.2 * mass * gravity_size * sin(angle), 1e-9);
  }
}

/* Within the ellipse static friction is the whole force needed for rest; beyond the ellipse it is scaled back to it. Across the axis
 * rest needs a third of the load: the rod rolls. */
TEST(elliptic_static_friction_stays_on_the_ellipse) {
  const double mu = 0.4, mu_across = 0.2;
  for (double angle = 0.05; angle < 6.3; angle += 0.3) {
    for (double size = 0.5; size < 20.0; size *= 1.7) {
      scene s = sliding(mu, mu);
      s.limit = ELASTICA_FRICTION_ELLIPTIC;
      s.static_friction[2] = s.kinetic_friction[2] = mu_across;
      s.along = size * cos(angle), s.across = 3.0 * size * sin(angle);
      double force[3];
      one_step(&s, force);
      const double R = mass * gravity_size, x = size * cos(angle) / mu, y = size * sin(angle) / mu_across, need = sqrt(x * x + y * y) / R;
      const double part = need > 1.0 ? 1.0 / need : 1.0;
      assert_close(force[0], -part * mass * size * cos(angle), 1e-8);
      assert_close(force[1], -part * mass * size * sin(angle), 1e-8);
      const double used = hypot(force[0] / mu, force[1] / mu_across);
      assert_true(used <= R * (1.0 + 1e-9));
    }
  }
}

/* Within the transition of slip, too, the force stays inside the ellipse. */
TEST(elliptic_bound_holds_at_every_slip) {
  random_source source = {8};
  for (int k = 0; k < 300; k++) {
    scene s = sliding(0.4, random_between(&source, 0.0, 0.4));
    s.limit = ELASTICA_FRICTION_ELLIPTIC;
    s.speed_along = random_between(&source, -2e-4, 2e-4), s.speed_across = random_between(&source, -2e-4, 2e-4);
    s.along = random_between(&source, -9.0, 9.0), s.across = random_between(&source, -20.0, 20.0);
    double force[3];
    one_step(&s, force);
    assert_true(hypot(force[0], force[1]) <= 0.4 * mass * gravity_size * (1.0 + 1e-9));
  }
}

/* ---- Directions ---- */

TEST(each_direction_has_its_own_friction) {
  scene s = sliding(0.0, 0.0);
  const double at_rest[3] = {0.5, 0.6, 0.7}, moving[3] = {0.1, 0.2, 0.3}, W = mass * gravity_size;
  double force[3];
  memcpy(s.static_friction, at_rest, sizeof at_rest);
  memcpy(s.kinetic_friction, moving, sizeof moving);
  for (int head = 0; head < 2; head++) {
    s.head = head ? ELASTICA_END_LAST : ELASTICA_END_FIRST; /* node 0 is at -x */
    s.speed_along = -1.0, s.speed_across = 0.0;
    one_step(&s, force);
    assert_close(force[0], (head ? 0.2 : 0.1) * W, 1e-9);
    s.speed_along = 1.0;
    one_step(&s, force);
    assert_close(force[0], -(head ? 0.1 : 0.2) * W, 1e-9);
    s.speed_along = 0.0, s.speed_across = 1.0;
    one_step(&s, force);
    assert_close(force[1], -0.3 * W, 1e-9);
    s.speed_across = 0.0, s.along = -8.0;
    one_step(&s, force);
    assert_close(force[0], (head ? 0.6 : 0.5) * W, 1e-9);
    s.along = 8.0;
    one_step(&s, force);
    assert_close(force[0], -(head ? 0.5 : 0.6) * W, 1e-9);
    s.along = 0.0;
  }
}
