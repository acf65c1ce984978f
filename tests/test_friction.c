/* Friction of a rod on a plane: Coulomb's law along the rod, across it, and where it rolls. */
#include "support.h"

#include "contact/friction.h"

#include <math.h>

static const double gravity_size = 9.81, radius = 0.025, mass = 1.0, length = 1.0;
enum { N = 8 };

/* What differs between the scenes; zero is: at rest, level, no friction, J = m r^2/2. */
typedef struct scene {
  double along, across, down; /* acceleration of gravity: along the rod (x), across it (y), onto the plane [m/s^2] */
  double speed_along, speed_across, spin;
  double lambda; /* 2 J/(m r^2); 0: 1 */
  double static_friction[3], kinetic_friction[3];
  double slip_velocity; /* 0: 1e-4 */
  elastica_friction_limit limit;
  elastica_end head;
  elastica_motion motion;
  int classical;
} scene;

typedef struct bench {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *wall;
  const elastica_rod_view *view;
} bench;

static scene sliding(double mu_static, double mu_kinetic) {
  scene s = {.down = gravity_size};
  for (int k = 0; k < 3; k++) s.static_friction[k] = mu_static, s.kinetic_friction[k] = mu_kinetic;
  return s;
}

/* A stiff rod along x on the plane z = 0, not stretched and not bent by anything here. */
static bench set_up(const scene *s) {
  const double pi = acos(-1.0), lambda = s->lambda > 0.0 ? s->lambda : 1.0;
  double inertia[3 * N], velocity[3 * (N + 1)], omega[3 * N] = {0.0};
  for (int j = 0; j < N; j++) {
    const double across = mass / N * radius * radius;
    set_vector(inertia, j, across, across, 0.5 * lambda * mass / N * radius * radius);
    omega[component(j, Z)] = s->spin;
  }
  for (int i = 0; i <= N; i++) {
    set_vector(velocity, i, s->speed_along, s->speed_across, 0.0);
  }
  elastica_world_def world_def = default_world();
  world_def.law = s->classical ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED;
  bench b = {.world = make_world(&world_def)};
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = N;
  def.start[2] = radius;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.length = length;
  def.radius = radius;
  def.density = mass / (length * pi * radius * radius);
  def.youngs_modulus = 1e7;
  def.inertia = inertia;
  def.velocity = velocity;
  def.omega = omega;
  must(b.world, elastica_world_add_rod(b.world, &def, &b.rod));
  const double gravity[3] = {s->along, s->across, -s->down};
  must(b.world, elastica_add_gravity(b.world, gravity, NULL));
  elastica_wall_def wall;
  elastica_wall_def_init(&wall, sizeof wall);
  wall.balance = ELASTICA_BALANCE_ELEMENTS;
  wall.stiffness = 10.0;
  wall.damping = 1e-4;
  memcpy(wall.static_friction, s->static_friction, sizeof wall.static_friction);
  memcpy(wall.kinetic_friction, s->kinetic_friction, sizeof wall.kinetic_friction);
  wall.slip_velocity = s->slip_velocity > 0.0 ? s->slip_velocity : 1e-4;
  wall.friction_limit = s->limit;
  wall.head = s->head;
  wall.motion = s->motion;
  must(b.world, elastica_add_wall(b.world, b.rod, &wall, &b.wall));
  b.view = elastica_rod_get_view(b.rod);
  return b;
}

/* Mean velocity of the rod after a time, in steps of 1e-5 s. */
static void run(const bench *b, double time, double velocity[3]) {
  elastica_momentum momentum;
  must(b->world, elastica_world_step(b->world, 1e-5, lround(time / 1e-5)));
  must(b->world, elastica_rod_get_momentum(b->rod, &momentum));
  for (int a = 0; a < 3; a++) velocity[a] = momentum.linear[a] / momentum.mass;
}

/* Friction on the rod in one step. */
static void one_step(const scene *s, double force[3]) {
  const bench b = set_up(s);
  must(b.world, elastica_world_step(b.world, 1e-6, 1));
  must(b.world, elastica_wall_get_force(b.wall, force, NULL));
  for (int a = 0; a < 3; a++) force[a] = -force[a];
  elastica_world_destroy(b.world);
}

/* ---- The law ---- */

static void static_share_fades_between_v_and_one_and_a_half_v(void **state) {
  const double v = 1e-3, fade = 2.0 / v;
  (void)state;
  assert_close(eli_friction_fade(fade, 0.0), 1.0, 0.0);
  assert_close(eli_friction_fade(fade, v), 1.0, 1e-15);
  assert_close(eli_friction_fade(fade, -1.1 * v), 0.8, 1e-14);
  assert_close(eli_friction_fade(fade, 1.25 * v), 0.5, 1e-14);
  assert_close(eli_friction_fade(fade, -1.5 * v), 0.0, 1e-14);
  assert_close(eli_friction_fade(fade, 1e9), 0.0, 0.0);
}

static void block_sticks_below_the_angle_and_slides_above(void **state) {
  const double mu_static = 0.4, mu_kinetic = 0.3;
  (void)state;
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

/* Whole force at rest is the weight: the rod does not move by a bit more than rounding, and nothing does work. */
static void static_friction_does_no_work(void **state) {
  scene s = sliding(0.4, 0.2);
  (void)state;
  s.along = 2.0;
  const bench b = set_up(&s);
  double velocity[3], force[3];
  const double start = b.view->position[0][0];
  run(&b, 0.05, velocity);
  must(b.world, elastica_wall_get_force(b.wall, force, NULL));
  assert_close(b.view->position[0][0], start, 1e-14);
  assert_close(force[0], mass * 2.0, 1e-12);
  elastica_energy energy;
  must(b.world, elastica_rod_get_energy(b.rod, &energy));
  assert_close(energy.translation + energy.rotation + energy.bending + energy.shear, 0.0, 1e-20);
  elastica_world_destroy(b.world);
}

/* v = v0 - mu g t, and then rest for good: no flutter about it, though mu g dt is a thousand times v_eps. */
static void sliding_ends_in_rest(void **state) {
  scene s = sliding(0.4, 0.2);
  (void)state;
  s.speed_along = 0.1, s.slip_velocity = 1e-8;
  const bench b = set_up(&s);
  const double stop = 0.1 / (0.2 * gravity_size), distance = 0.5 * 0.1 * stop;
  double velocity[3];
  run(&b, 0.5 * stop, velocity);
  assert_close(velocity[0], 0.1 - 0.2 * gravity_size * elastica_world_time(b.world), 1e-9);
  run(&b, stop, velocity);
  assert_close(velocity[0], 0.0, 1e-12);
  assert_close(b.view->position[0][0], distance, 1e-5 * 0.1);
  elastica_world_destroy(b.world);
}

/* A slip too small for the kinetic law is ended as well, along and across, level or on a slope. */
static void no_slip_is_left(void **state) {
  (void)state;
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

/* Kinetic friction never has a part along the slip of the contact. */
static void friction_opposes_the_slip(void **state) {
  random_source source = {7};
  (void)state;
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

static void independent_limits_hold_in_each_direction(void **state) {
  scene s = sliding(0.4, 0.2);
  double force[3];
  (void)state;
  s.speed_along = 0.3, s.speed_across = -0.01;
  one_step(&s, force);
  assert_close(force[0], -0.2 * mass * gravity_size, 1e-9);
  assert_close(force[1], 0.2 * mass * gravity_size, 1e-9);
}

/* Isotropic and elliptic: mu_k m g against the slip, whatever its direction. */
static void elliptic_kinetic_friction_is_against_the_slip(void **state) {
  (void)state;
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

/* Within the ellipse everything that rest needs, beyond it shortened onto it. Across, rest needs a third of the load: the rod rolls. */
static void elliptic_static_friction_stays_on_the_ellipse(void **state) {
  const double mu = 0.4, mu_across = 0.2;
  (void)state;
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

/* Nothing in the fade leaves the ellipse either. */
static void elliptic_bound_holds_at_every_slip(void **state) {
  random_source source = {8};
  (void)state;
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

static void each_direction_has_its_own_friction(void **state) {
  scene s = sliding(0.0, 0.0);
  const double at_rest[3] = {0.5, 0.6, 0.7}, moving[3] = {0.1, 0.2, 0.3}, W = mass * gravity_size;
  double force[3];
  (void)state;
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

/* ---- Rolling ---- */

/* Cylinder on an incline with one coefficient: a = (2/3) g sin while tan <= 3 mu, else g (sin - mu cos) and r w' = 2 mu g cos. */
static void cylinder_on_an_incline(void **state) {
  const double degrees[] = {10.0, 20.0, 30.0, 40.0, 60.0}, mus[] = {0.1, 0.2, 0.5}, T = 0.1;
  (void)state;
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
static void rolling_knows_the_inertia_of_the_element(void **state) {
  const double lambdas[] = {0.2, 1.0, 2.0, 4.0}, T = 0.05, slope = 1.5;
  (void)state;
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

/* Thrown without spin it slips, slows down and then rolls: at v/(1 + lambda/2), to which a slope adds g T sin/(1 + lambda/2) throughout. */
static void slipping_ends_in_rolling(void **state) {
  (void)state;
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

/* Kinetic friction takes out what it says: the loss of energy is the work on the slip. */
static void kinetic_friction_takes_energy_out(void **state) {
  scene s = sliding(0.4, 0.2);
  s.speed_across = 1.0, s.speed_along = 0.3;
  const bench b = set_up(&s);
  elastica_energy before, after;
  double velocity[3];
  (void)state;
  must(b.world, elastica_rod_get_energy(b.rod, &before));
  run(&b, 0.01, velocity);
  must(b.world, elastica_rod_get_energy(b.rod, &after));
  /* Distances of the contact under the constant decelerations mu g along and 3 mu g across. */
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

static void conveyor_takes_the_rod_along(void **state) {
  scene s = sliding(0.4, 0.2);
  s.motion = belt, s.slip_velocity = 1e-7;
  const bench b = set_up(&s);
  double velocity[3];
  (void)state;
  run(&b, 0.05, velocity);
  assert_close(velocity[0], 0.2 * gravity_size * 0.05, 1e-9);
  run(&b, 0.1, velocity);
  assert_close(velocity[0], 0.2, 1e-12);
  elastica_wall_def still; /* the belt stops at once, the rod does not */
  elastica_wall_def_init(&still, sizeof still);
  still.balance = ELASTICA_BALANCE_ELEMENTS;
  still.stiffness = 10.0;
  for (int k = 0; k < 3; k++) still.static_friction[k] = 0.4, still.kinetic_friction[k] = 0.2;
  still.slip_velocity = 1e-7;
  must(b.world, elastica_wall_set(b.wall, &still));
  run(&b, 0.05, velocity);
  assert_close(velocity[0], 0.2 - 0.2 * gravity_size * 0.05, 1e-9);
  run(&b, 0.1, velocity);
  assert_close(velocity[0], 0.0, 1e-12);
  elastica_world_destroy(b.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_share_fades_between_v_and_one_and_a_half_v),
      cmocka_unit_test(block_sticks_below_the_angle_and_slides_above),
      cmocka_unit_test(static_friction_does_no_work),
      cmocka_unit_test(sliding_ends_in_rest),
      cmocka_unit_test(no_slip_is_left),
      cmocka_unit_test(friction_opposes_the_slip),
      cmocka_unit_test(independent_limits_hold_in_each_direction),
      cmocka_unit_test(elliptic_kinetic_friction_is_against_the_slip),
      cmocka_unit_test(elliptic_static_friction_stays_on_the_ellipse),
      cmocka_unit_test(elliptic_bound_holds_at_every_slip),
      cmocka_unit_test(each_direction_has_its_own_friction),
      cmocka_unit_test(cylinder_on_an_incline),
      cmocka_unit_test(rolling_knows_the_inertia_of_the_element),
      cmocka_unit_test(slipping_ends_in_rolling),
      cmocka_unit_test(kinetic_friction_takes_energy_out),
      cmocka_unit_test(conveyor_takes_the_rod_along),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
