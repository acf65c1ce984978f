/* A stiff rod that tumbles freely is a symmetric top: its axis precesses about the fixed angular momentum H at the rate |H|/I_perp and a
 * constant angle, up to the effect of its elasticity, about 1.6e-4 rad here.
 */
#include "measured.h"

#include "kicked.h"

/* The rod: 20 elements, 1 m, radius 0.05 m, 1000 kg/m^3, 1e7 Pa. */
static const double moment_across = 0.662679700367;  /* m L^2/12 (1 + 2/n^2) + m r^2/4 */
static const double moment_along = 0.00981747704247; /* m r^2/2 */
static const double angular_momentum = 1.32713989505;
static const double kinetic_energy = 1.56588758827;
static const double precession = 2.0026868098; /* rad/s */
static const double half_angle = 1.51899087;   /* between axis and H */

static elastica_world *make_spinning_rod(int explicit_couples) {
  const double spin[3] = {2.0, 0.0, 7.0};
  double velocity[3 * 21], omega[3 * 20];
  elastica_world_def world_def = default_world();
  world_def.explicit_couples = explicit_couples;
  elastica_world *world = make_world(&world_def);
  for (int i = 0; i <= 20; i++) {
    const double arm[3] = {0.0, 0.0, (i - 10) / 20.0};
    cross(spin, arm, velocity + 3 * i);
  }
  for (int j = 0; j < 20; j++) memcpy(omega + 3 * j, spin, sizeof spin);
  DEFAULTS(rod, def);
  def.element_count = 20;
  def.start[2] = -0.5;
  def.length = 1.0;
  def.radius = 0.05;
  def.density = 1000.0;
  def.youngs_modulus = 1e7;
  def.normal[0] = 1.0, def.normal[1] = 0.0, def.normal[2] = 0.0;
  def.velocity = velocity;
  def.omega = omega;
  must(world, elastica_world_add_rod(world, &def, NULL));
  return world;
}

static void axis_of(elastica_world *world, double axis[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, 0));
  for (int a = 0; a < 3; a++) axis[a] = view->position[a][20] - view->position[a][0];
  const double size = norm(axis);
  for (int a = 0; a < 3; a++) axis[a] /= size;
}

/* Turns v by an angle about the unit vector u. */
static void turn_about(const double u[3], double angle, const double v[3], double turned[3]) {
  double uv[3];
  cross(u, v, uv);
  for (int a = 0; a < 3; a++) turned[a] = cos(angle) * v[a] + sin(angle) * uv[a] + (1.0 - cos(angle)) * dot(u, v) * u[a];
}

typedef struct tumbling {
  double axis_deviation;         /* rad */
  double angular_momentum_error; /* relative */
  double energy_error;           /* relative */
  double linear_momentum;
} tumbling;

/* Largest deviations from the rigid top in one second. */
static tumbling tumble(int explicit_couples, double dt) {
  elastica_world *world = make_spinning_rod(explicit_couples);
  elastica_totals start, now;
  double first[3], axis[3], expected[3], direction[3];
  tumbling worst = {0.0, 0.0, 0.0, 0.0};
  must(world, elastica_world_get_totals(world, &start));
  for (int a = 0; a < 3; a++) direction[a] = start.angular[a] / norm(start.angular);
  axis_of(world, first);
  for (int k = 1; k <= 100; k++) {
    must(world, elastica_world_step(world, dt, (long)(0.01 / dt + 0.5)));
    must(world, elastica_world_get_totals(world, &now));
    axis_of(world, axis);
    turn_about(direction, precession * elastica_world_get(world).time, first, expected);
    const double off[3] = {axis[0] - expected[0], axis[1] - expected[1], axis[2] - expected[2]};
    const double lost[3] = {now.angular[0] - start.angular[0], now.angular[1] - start.angular[1], now.angular[2] - start.angular[2]};
    const double total = now.translation + now.rotation + now.bending + now.shear;
    worst.axis_deviation = fmax(worst.axis_deviation, norm(off));
    worst.angular_momentum_error = fmax(worst.angular_momentum_error, norm(lost) / angular_momentum);
    worst.energy_error = fmax(worst.energy_error, fabs(total / kinetic_energy - 1.0));
    worst.linear_momentum = fmax(worst.linear_momentum, norm(now.linear));
  }
  elastica_world_destroy(world);
  return worst;
}

TEST(moments_of_inertia_are_those_of_the_discrete_rod) {
  elastica_world *world = make_spinning_rod(0);
  elastica_totals totals;
  const double angle = atan2(2.0 * moment_across, 7.0 * moment_along);
  must(world, elastica_world_get_totals(world, &totals));
  assert_close(totals.angular[0], 2.0 * moment_across, 1e-11);
  assert_close(totals.angular[1], 0.0, 1e-15);
  assert_close(totals.angular[2], 7.0 * moment_along, 1e-12);
  assert_close(norm(totals.angular), angular_momentum, 1e-11);
  assert_close(totals.translation + totals.rotation, kinetic_energy, 1e-11);
  assert_close(norm(totals.angular) / moment_across, precession, 1e-10);
  assert_close(angle, half_angle, 1e-8);
  elastica_world_destroy(world);
}

TEST(axis_precesses_as_that_of_a_top) {
  const tumbling coarse = tumble(0, 2e-4), fine = tumble(0, 1e-4);
  assert_between(coarse.axis_deviation, 1e-5, 2e-4);
  assert_between(fine.axis_deviation, 1e-5, 2e-4);
  assert_between(coarse.energy_error, 0.0, 2e-5); /* exchanged with the axial vibration, whose potential is not quadratic */
  assert_between(fine.energy_error, 0.0, 2e-5);
  assert_between(coarse.linear_momentum, 0.0, 1e-13);
}

TEST(angular_momentum_error_is_of_second_order_at_the_midpoint) {
  const tumbling coarse = tumble(0, 2e-4), fine = tumble(0, 1e-4);
  assert_between(coarse.angular_momentum_error, 0.0, 1e-8);
  assert_between(coarse.angular_momentum_error / fine.angular_momentum_error, 3.7, 4.3);
}

TEST(angular_momentum_error_is_of_first_order_at_old_velocities) {
  const tumbling coarse = tumble(1, 2e-4), fine = tumble(1, 1e-4);
  assert_between(coarse.angular_momentum_error, 1e-5, 5e-5);
  assert_between(coarse.angular_momentum_error / fine.angular_momentum_error, 1.8, 2.2);
  assert_between(coarse.axis_deviation, 1e-5, 2.5e-4);
}

/* Applies one kick to a single free element at rest but for its spin; the step is so long that the spin turns it by the given angle.
 * Returns the relative changes of energy and angular momentum. */
static void kick_a_spinning_element(double flatness, double angle, double *energy_change, double *momentum_change) {
  const double spin[3] = {30.0, -20.0, 45.0}, dt = angle / norm(spin);
  const sample_recipe recipe = {.length = 0.1, .radius = 0.05, .stretch = 1.0};
  double energy[2] = {0.0, 0.0}, momentum[2];
  elastica_world_def def = default_world();
  sample_rod sample;
  def.law = ELASTICA_LAW_CLASSICAL;
  elastica_world *world = make_world(&def);
  make_sample(&sample, 1, 1, &recipe);
  sample.flatness = flatness;
  memcpy(sample.omega, spin, sizeof spin);
  elastica_rod *rod = add_sample(world, &sample);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k < 2; k++) {
    double h[3];
    for (int a = 0; a < 3; a++) {
      h[a] = view->inertia[a][0] * view->omega[a][0];
      energy[k] += 0.5 * h[a] * view->omega[a][0];
    }
    momentum[k] = norm(h);
    if (k == 0) must(world, kick_world(world, dt));
  }
  *energy_change = fabs(energy[1] / energy[0] - 1.0);
  *momentum_change = fabs(momentum[1] / momentum[0] - 1.0);
  elastica_world_destroy(world);
}

/* Both are quadratic invariants of the midpoint rule, for any section, up to the largest turn that a step may have. */
TEST(kick_keeps_energy_and_angular_momentum_of_a_spinning_element) {
  for (int flat = 0; flat < 2; flat++)
    for (int fast = 0; fast < 2; fast++) {
      double energy, momentum;
      kick_a_spinning_element(3.0 * flat, fast ? 1.0 : 0.2, &energy, &momentum);
      assert_between(energy, 0.0, 1e-14);
      assert_between(momentum, 0.0, 1e-14);
    }
}

/* Moments that no rigid body has, for example of a ribbon with its third moment from a small torsion constant: largest relative change
 * of energy. */
TEST(kick_keeps_energy_with_moments_that_no_body_has) {
  const double moments[5][3] = {{1.0, 100.0, 4.0}, {100.0, 1.0, 4.0}, {0.05, 2.5, 0.02}, {1.0, 3.0, 40.0}, {5.0, 0.5, 0.015}};
  const double spins[4][3] = {{30.0, -20.0, 45.0}, {6.0, -20.0, 50.0}, {-5.0, 27.0, 42.0}, {40.0, 30.0, 20.0}};
  for (int k = 0; k < 20; k++) {
    const double *spin = spins[k % 4], *moment = moments[k / 4];
    elastica_world_def world_def = default_world();
    DEFAULTS(rod, def);
    def.element_count = 1;
    def.length = 1.0;
    def.radius = def.density = def.youngs_modulus = 1.0;
    def.inertia = moment;
    def.omega = spin;
    elastica_rod *rod = NULL;
    elastica_world *world = make_world(&world_def);
    must(world, elastica_world_add_rod(world, &def, &rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double energy[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
      for (int a = 0; a < 3; a++) energy[i] += 0.5 * moment[a] * view->omega[a][0] * view->omega[a][0];
      if (i == 0) must(world, kick_world(world, 0.1 / norm(spin)));
    }
    assert_between(fabs(energy[1] / energy[0] - 1.0), 0.0, 1e-13);
    elastica_world_destroy(world);
  }
}

/* Flat bars that turn by 0.3 and 0.5 rad in a step about their stiffest axis, free and undamped: the midpoint rule conserves energy and
 * angular momentum only if its equation is solved to rounding. J = (1, 2, 3) is that of a rectangular bar of thickness 0 in one
 * direction. */
TEST(flat_bars_that_spin_fast_keep_energy_and_angular_momentum) {
  for (int fast = 0; fast < 2; fast++) {
    double inertia[3 * 8], omega[3 * 8];
    elastica_world *world = make_world(NULL);
    elastica_step_limit limit;
    elastica_totals before, after;
    DEFAULTS(rod, def);
    def.element_count = 8;
    def.length = 0.8, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5;
    for (int j = 0; j < 8; j++) {
      set_vector(inertia, j, 5.03e-5, 2.0 * 5.03e-5, 3.0 * 5.03e-5);
      set_vector(omega, j, 3.7, 1.86, 186.0);
    }
    def.inertia = inertia, def.omega = omega;
    must(world, elastica_world_add_rod(world, &def, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    const double dt = (fast ? 0.5 : 0.3) / 186.0;
    assert_true(dt < 0.8 * limit.dt);
    must(world, elastica_world_get_totals(world, &before));
    const double total = total_energy(world);
    must(world, elastica_world_step(world, dt, 100000));
    must(world, elastica_world_get_totals(world, &after));
    assert_close(total_energy(world), total, 1e-3 * total);
    for (int a = 0; a < 3; a++) assert_close(after.angular[a], before.angular[a], 1e-3 * norm(before.angular));
    elastica_world_destroy(world);
  }
}
