/* Free rigid bodies: order of the step, conserved quantities, and the two classical motions with a closed form. */
#include "base/target.h"

#include "bodies.h"

/* ---- An independent integrator of the free top: RK4 with small steps ---- */

typedef struct top {
  double q[9], w[3];
} top;

static void rate_of(const double J[3], const top *at, top *rate) {
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    rate->w[a] = (J[b] - J[c]) * at->w[b] * at->w[c] / J[a];
  }
  for (int axis = 0; axis < 3; axis++) { /* a column of Q is an axis of the laboratory: d/dt = -omega x column */
    const double column[3] = {at->q[axis], at->q[3 + axis], at->q[6 + axis]};
    double turned[3];
    cross(column, at->w, turned);
    for (int a = 0; a < 3; a++) rate->q[3 * a + axis] = turned[a];
  }
}

static void add_rate(const top *from, double h, const top *rate, top *to) {
  for (int k = 0; k < 9; k++) to->q[k] = from->q[k] + h * rate->q[k];
  for (int k = 0; k < 3; k++) to->w[k] = from->w[k] + h * rate->w[k];
}

static top run_top(const double J[3], const double w[3], double duration, int steps) {
  top at, middle, k[4];
  memcpy(at.q, unit_frame, sizeof at.q);
  memcpy(at.w, w, sizeof at.w);
  const double h = duration / steps;
  for (int s = 0; s < steps; s++) {
    rate_of(J, &at, &k[0]);
    add_rate(&at, 0.5 * h, &k[0], &middle);
    rate_of(J, &middle, &k[1]);
    add_rate(&at, 0.5 * h, &k[1], &middle);
    rate_of(J, &middle, &k[2]);
    add_rate(&at, h, &k[2], &middle);
    rate_of(J, &middle, &k[3]);
    for (int j = 0; j < 4; j++) add_rate(&at, h / (j % 3 == 0 ? 6.0 : 3.0), &k[j], &at);
  }
  return at;
}

/* ---- Order ---- */

static const double moments[3] = {1.0, 2.0, 2.5}, spin[3] = {1.0, 2.0, -1.5};

static double error_after(double dt, int steps, const top *exact) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(moments[0], moments[1], moments[2]);
  memcpy(def.omega, spin, sizeof spin);
  elastica_rod *body = add_body(world, &def);
  must(world, elastica_world_step(world, dt, steps));
  const elastica_body_info now = body_now(body);
  double square = 0.0;
  for (int k = 0; k < 9; k++) square += (now.director[k] - exact->q[k]) * (now.director[k] - exact->q[k]);
  for (int k = 0; k < 3; k++) square += (now.omega[k] - exact->w[k]) * (now.omega[k] - exact->w[k]);
  elastica_world_destroy(world);
  return sqrt(square);
}

TEST(an_asymmetric_top_is_followed_to_second_order) {
  const top exact = run_top(moments, spin, 4.0, 40000);
  double before = error_after(0.04, 100, &exact);
  for (int k = 1; k <= 4; k++) {
    const double error = error_after(0.04 / (1 << k), 100 << k, &exact);
    assert_between(before / error, 3.9, 4.1);
    before = error;
  }
  assert_between(before, 0.0, 2e-4);
}

/* ---- Long runs ---- */

typedef struct drift {
  double energy, size, angle; /* the largest relative errors, and the error of the direction of angular momentum [rad] */
} drift;

static drift drift_of(const double J[3], const double w[3], double dt, int batches, int batch) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(J[0], J[1], J[2]);
  memcpy(def.omega, w, 3 * sizeof *w);
  elastica_rod *rod = add_body(world, &def);
  elastica_totals energy;
  double start[3], now[3], away[3];
  drift worst = {0.0, 0.0, 0.0};
  must(world, elastica_world_get_totals(world, &energy));
  const double first = energy.rotation;
  spin_momentum(rod, start);
  for (int k = 0; k < batches; k++) {
    must(world, elastica_world_step(world, dt, batch));
    must(world, elastica_world_get_totals(world, &energy));
    spin_momentum(rod, now);
    cross(start, now, away);
    worst.energy = fmax(worst.energy, fabs(energy.rotation / first - 1.0));
    worst.size = fmax(worst.size, fabs(norm(now) / norm(start) - 1.0));
    worst.angle = fmax(worst.angle, norm(away) / dot(start, start));
  }
  assert_close(energy.translation + energy.bending + energy.shear + energy.effects, 0.0, 0.0);
  elastica_world_destroy(world);
  return worst;
}

/* The midpoint rule keeps energy and size of angular momentum exactly; its direction errs by a bounded angle of second order. */
TEST(a_long_run_keeps_energy_and_the_size_of_angular_momentum) {
  const double dt = 0.02, turn = norm(spin) * dt;
  const drift coarse = drift_of(moments, spin, dt, 10000, 97), fine = drift_of(moments, spin, 0.5 * dt, 10000, 97);
  print_message("in 1e6 steps of %.3f rad: energy %.1e, size of angular momentum %.1e, direction %.2e rad; of half that %.2e rad\n", turn,
                coarse.energy, coarse.size, coarse.angle, fine.angle);
  assert_between(coarse.energy, 0.0, 1e-11);
  assert_between(coarse.size, 0.0, 1e-11);
  assert_between(coarse.angle, 0.0, turn * turn / 12.0);
  assert_between(coarse.angle / fine.angle, 3.8, 4.2);
}

/* The angle of the header, for any moments: the largest spin of a free body is at most |M| divided by its least moment. */
TEST(the_direction_of_angular_momentum_errs_by_a_share_of_the_turn_squared) {
  random_source source = {5};
  double worst = 0.0;
  for (int k = 0; k < 60; k++) {
    double J[3], w[3];
    for (int a = 0; a < 3; a++) J[a] = random_between(&source, 0.05, 1.0);
    for (int a = 0; a < 3; a++) /* velocities that a body has */
      if (J[a] > J[(a + 1) % 3] + J[(a + 2) % 3]) J[a] = J[(a + 1) % 3] + J[(a + 2) % 3];
    random_vector(&source, 1.0, w);
    const double M[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]}, dt = 0.1 * fmin(J[0], fmin(J[1], J[2])) / norm(M);
    worst = fmax(worst, drift_of(J, w, dt, 2000, 10).angle / (0.1 * 0.1));
  }
  print_message("direction of angular momentum: at most %.3f (|M| dt/J)^2\n", worst);
  assert_between(worst, 0.01, 0.7);
}

/* ---- The intermediate axis ---- */

/* K(k) by the arithmetic-geometric mean. */
static double elliptic_period(double k2) {
  double a = 1.0, b = sqrt(1.0 - k2);
  for (int k = 0; k < 40; k++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 0.5 * 3.14159265358979324 / a;
}

/* Time from one passage of omega_2 through zero to the second passage after it. */
static double measured_period(const double J[3], const double w[3], double dt) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(J[0], J[1], J[2]);
  memcpy(def.omega, w, 3 * sizeof *w);
  const elastica_rod_view *view = elastica_rod_get_view(add_body(world, &def));
  double passages[9], before = w[1];
  int found = 0;
  while (found < 9) {
    must(world, elastica_world_step(world, dt, 1));
    const double now = view->omega[1][0];
    if ((now < 0.0) != (before < 0.0)) passages[found++] = elastica_world_get(world).time - dt * now / (now - before);
    before = now;
  }
  elastica_world_destroy(world);
  return (passages[8] - passages[0]) / 4.0;
}

/* Landau and Lifshitz, Mechanics, section 37: for 2 E J2 < M^2 the period of omega is 4 K(k)/rate. */
TEST(a_body_spun_about_its_middle_axis_flips_with_the_period_of_elliptic_functions) {
  const double J[3] = {1.0, 2.0, 3.0}, w[3] = {0.01, 5.0, 0.02};
  double twice_energy = 0.0, square = 0.0;
  for (int a = 0; a < 3; a++) twice_energy += J[a] * w[a] * w[a], square += J[a] * J[a] * w[a] * w[a];
  assert_true(square > twice_energy * J[1]);
  const double rate = sqrt((J[2] - J[1]) * (square - twice_energy * J[0]) / (J[0] * J[1] * J[2]));
  const double k2 = (J[1] - J[0]) * (twice_energy * J[2] - square) / ((J[2] - J[1]) * (square - twice_energy * J[0]));
  const double period = 4.0 * elliptic_period(k2) / rate;
  const double coarse = measured_period(J, w, 4e-3), fine = measured_period(J, w, 2e-3);
  assert_close(fine / period, 1.0, 2e-5);
  assert_close((4.0 * fine - coarse) / 3.0 / period, 1.0, 2e-7);
}

/* ---- The symmetric top ---- */

/* Its axis precesses about the angular momentum L at the rate |L|/J1 and a constant angle. */
TEST(a_symmetric_top_precesses_at_the_rate_of_its_angular_momentum) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_CYLINDER);
  const double pi = 3.14159265358979324;
  def.radius = 0.3, def.length = 0.2, def.density = 800.0;
  def.omega[0] = 1.0, def.omega[2] = 4.0;
  elastica_rod *body = add_body(world, &def);
  const elastica_body_info first = body_now(body);
  double L[3], axis[3], across[3];
  spin_momentum(body, L);
  const double rate = norm(L) / first.moments[0], period = 2.0 * pi / rate;
  const double cosine = dot(L, first.director + 6) / norm(L);
  double worst = 0.0;
  for (int k = 0; k < 40; k++) {
    must(world, elastica_world_step(world, period / 4000.0, 100));
    const elastica_body_info now = body_now(body);
    worst = fmax(worst, fabs(dot(L, now.director + 6) / norm(L) - cosine));
  }
  memcpy(axis, body_now(body).director + 6, sizeof axis);
  cross(axis, first.director + 6, across);
  assert_between(norm(across), 0.0, 2e-6); /* one precession */
  assert_between(worst, 0.0, 1e-6);
  elastica_world_destroy(world);
}

/* A bar along its first, second or third axis: the same motion in permuted components. */
TEST(a_symmetric_top_may_have_any_axis) {
  double turned[3][3], omega[3][3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
    const double rate[3] = {3.0, 4.0, 12.0};
    def.density = 1000.0;
    for (int a = 0; a < 3; a++) {
      def.edges[(a + k) % 3] = a == 2 ? 0.3 : 0.1;
      def.omega[(a + k) % 3] = rate[a];
    }
    elastica_rod *body = add_body(world, &def);
    must(world, elastica_world_step(world, 1e-3, 1000));
    const elastica_body_info info = body_now(body);
    for (int a = 0; a < 3; a++) {
      omega[k][a] = info.omega[(a + k) % 3];
      turned[k][a] = info.director[3 * ((2 + k) % 3) + (a + k) % 3];
    }
    elastica_world_destroy(world);
  }
  for (int k = 1; k < 3; k++) {
    assert_all_close(omega[k], omega[0], 3, 1e-9);
    assert_all_close(turned[k], turned[0], 3, 1e-9);
  }
}

/* ---- Translation ---- */

TEST(a_free_body_falls_along_the_parabola_to_rounding) {
  const double g[3] = {0.0, 0.0, -9.81}, v[3] = {1.0, 2.0, 3.0}, dt = 1e-3;
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.1, 2.0);
  memcpy(def.velocity, v, sizeof v);
  elastica_rod *body = add_body(world, &def);
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, dt, 2000));
  const elastica_body_info now = body_now(body);
  for (int a = 0; a < 3; a++) {
    assert_close(now.position[a], 2.0 * v[a] + 0.5 * g[a] * 4.0, 1e-12);
    assert_close(now.velocity[a], v[a] + 2.0 * g[a], 1e-12);
  }
  elastica_world_destroy(world);
}

/* The rate is gamma times the extent: v = m g/(2 r gamma) for any step, and the spin decays. */
TEST(drag_gives_the_exact_terminal_velocity_at_any_step) {
  const double g[3] = {0.0, 0.0, -9.81};
  for (int k = 0; k < 3; k++) {
    const double dt = k == 0 ? 1e-3 : k == 1 ? 0.1 : 10.0;
    elastica_world *world = make_world(NULL);
    elastica_body_def def = ball_def(0.1, 2.0);
    def.omega[0] = 1e-2;
    elastica_rod *body = add_body(world, &def);
    elastica_effect *effect;
    DEFAULTS(dissipation, damping);
    damping.translation = 30.0, damping.rotation = 0.5;
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_add_dissipation(world, NULL, &damping, &effect));
    must(world, elastica_world_step(world, dt, 20000));
    const elastica_body_info now = body_now(body);
    assert_close(now.velocity[2], -2.0 * 9.81 / (30.0 * 0.2), 1e-12);
    assert_close(norm(now.omega), 0.0, 1e-15);
    assert_close(elastica_effect_power(effect), -30.0 * 0.2 * now.velocity[2] * now.velocity[2], 1e-11);
    elastica_world_destroy(world);
  }
}

/* A couple about a principal axis turns it by C t^2/2J; a constant force at the centre moves it by F t^2/2m. */
TEST(loads_accelerate_the_body) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(point_load, load);
  load.force[1] = 3.0, load.couple[1] = 0.2;
  must(world, elastica_add_point_load(world, body, &load, NULL));
  must(world, elastica_world_step(world, 1e-3, 1000));
  const elastica_body_info now = body_now(body);
  assert_close(now.position[1], 1.5, 1e-12);
  assert_close(now.omega[1], 0.2 / 0.7, 1e-13);
  assert_close(atan2(-now.director[2], now.director[0]), 0.5 * 0.2 / 0.7, 1e-12);
  elastica_world_destroy(world);
}
