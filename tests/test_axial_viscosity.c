/* Claims about axial viscosity. */
#include "budgets.h"
#include "measured.h"

static const double pi = 3.14159265358979324;

static elastica_effect *add_viscosity(elastica_world *world, elastica_rod *rod, double viscosity) {
  elastica_effect *effect = NULL;
  DEFAULTS(axial_viscosity, def);
  def.viscosity = viscosity;
  must(world, elastica_add_axial_viscosity(world, rod, &def, &effect));
  return effect;
}

/* A fibre along z, elements of 0.02 m, almost without elasticity unless stiff. */
static elastica_rod *add_fibre(elastica_world *world, int n, double youngs_modulus) {
  return add_straight_rod(world, n, 0.02 * n, 0.01, 1000.0, youngs_modulus, 0.4 * youngs_modulus);
}

static void pull_at_the_end(elastica_world *world, elastica_rod *rod, double force) {
  DEFAULTS(point_load, def);
  def.force[2] = force;
  must(world, elastica_add_point_load(world, rod, &def, NULL));
}

static void pin(elastica_world *world, elastica_rod *rod, int node, elastica_motion motion) {
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_PIN;
  def.node = node;
  def.motion = motion;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
}

/* One element, two masses m/2: l'' = -(4/m)(k (l - l0) + c l'), so that s = l - l0 = s0 exp(-d t)(cos wt + d/w sin wt). The solution
 * uses the energies of the classical law and is not limited to small strain. */
static double length_after(double dt, double end, double viscosity) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 1, 1e4);
  const double position[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.022};
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  add_viscosity(world, rod, viscosity);
  must(world, elastica_world_step(world, dt, (long)(end / dt + 0.5)));
  const double length = elastica_rod_get_view(rod)->position[2][1] - elastica_rod_get_view(rod)->position[2][0];
  elastica_world_destroy(world);
  return length;
}

TEST(one_element_is_a_damped_oscillator_to_second_order) {
  const double area = pi * 1e-4, m = 1000.0 * area * 0.02, k = 1e4 * area / 0.02;
  for (int overdamped = 0; overdamped < 2; overdamped++) {
    const double zeta = overdamped ? 0.05 : 0.01, d = 2.0 * zeta / 0.02 / m, w2 = 4.0 * k / m - d * d, w = sqrt(fabs(w2)), t = 0.02;
    const double s = overdamped ? exp(-d * t) * (cosh(w * t) + d / w * sinh(w * t)) : exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    double error[2];
    assert_true(overdamped == (w2 < 0.0));
    for (int half = 0; half < 2; half++) error[half] = length_after(half ? 1e-4 : 2e-4, t, zeta) - (0.02 + 0.002 * s);
    assert_between(error[0] / error[1], 3.5, 4.5);
    assert_true(fabs(error[1]) < 0.002 * 0.01);
  }
}

/* F = zeta de/dt, at a step far beyond any explicit limit, exactly. */
TEST(a_steady_pull_lengthens_it_at_the_rate_force_over_viscosity) {
  for (int power_of_ten = 0; power_of_ten <= 6; power_of_ten += 3) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_fibre(world, 10, 1e-9);
    const double zeta = 0.5 * pow(10.0, power_of_ten), force = 0.05;
    pin(world, rod, 0, NULL);
    pull_at_the_end(world, rod, force);
    add_viscosity(world, rod, zeta);
    must(world, elastica_world_step(world, 1e-3, 2000));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i <= 10; i++) assert_close(view->velocity[2][i], 0.02 * i * force / zeta, 1e-9 * force / zeta);
    elastica_world_destroy(world);
  }
}

static elastica_status move_away(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[2] = 0.2 + 0.01 * time;
  velocity[2] = 0.01;
  return ELASTICA_OK;
}

/* Held at one end and driven at the other: all elements have the same rate from the first step on, and the force at the support is zeta
 * de/dt. */
TEST(constraints_at_its_ends_are_counted) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 10, 1e-9);
  pin(world, rod, 0, NULL);
  pin(world, rod, -1, move_away);
  add_viscosity(world, rod, 1e3);
  must(world, elastica_world_step(world, 1e-3, 40));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= 10; i++) assert_close(view->velocity[2][i], 0.001 * i, 1e-10);
  must(world, elastica_world_evaluate(world, 1e-3));
  assert_close(view->reaction_force[2][0], 1e3 * 0.05, 1e-8);
  assert_close(view->reaction_force[2][5], 0.0, 1e-8);
  elastica_world_destroy(world);
}

/* The total of loads seen by the effect includes the weight at the support; the effect must not mistake it for motion. */
TEST(a_rod_that_hangs_at_rest_is_left_alone) {
  static const double down[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 10, 1e5);
  rod_state before, after;
  pin(world, rod, -1, NULL);
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *effect = add_viscosity(world, rod, 1e4);
  must(world, elastica_world_relax(world, NULL, NULL));
  read_state(rod, &before);
  must(world, elastica_world_step(world, 1e-4, 1000));
  read_state(rod, &after);
  assert_all_close(after.position, before.position, 33, 1e-13);
  assert_true(elastica_effect_power(effect) <= 0.0);
  elastica_world_destroy(world);
}

/* The effect bounds no step and damps the motion along the rod at any strength. */
TEST(no_strength_is_too_much_for_a_step) {
  for (int closed = 0; closed < 2; closed++)
    for (int power_of_ten = -2; power_of_ten <= 20; power_of_ten += 2) {
      elastica_world *world = make_conservative_world();
      elastica_rod *rod = closed ? add_usual_ring(world) : add_usual_rod(world);
      const double dt = limit_of(world).dt;
      elastica_effect *effect = add_viscosity(world, rod, pow(10.0, power_of_ten));
      assert_true(limit_of(world).dt == dt);
      double before = mechanical_energy(world);
      for (int k = 0; k < 40; k++) {
        must(world, elastica_world_step(world, 0.25 * dt, 50));
        assert_true(elastica_effect_power(effect) <= 0.0);
      }
      assert_true(mechanical_energy(world) < before);
      elastica_world_destroy(world);
    }
}

/* The work of the effect in a step is <= 0 at any strength. */
TEST(its_work_is_negative_and_momentum_stays) {
  for (int closed = 0; closed < 2; closed++)
    for (int power_of_ten = 0; power_of_ten <= 9; power_of_ten += 3) {
      elastica_world *world = make_conservative_world();
      elastica_rod *rod = closed ? add_usual_ring(world) : add_usual_rod(world);
      elastica_effect *effect = add_viscosity(world, rod, pow(10.0, power_of_ten));
      const double dt = 0.1 * limit_of(world).dt;
      const elastica_totals before = momentum_of(world);
      elastica_budget *budget = open_budget(world);
      must(world, elastica_world_step(world, dt, 1000));
      const elastica_totals after = momentum_of(world);
      const elastica_budget_share share = share_of(world, budget, elastica_effect_get(effect).index);
      assert_true(share.work < 0.0);
      for (int a = 0; a < 3; a++) {
        const double size = norm(before.linear), spin = norm(before.angular);
        assert_close(after.linear[a], before.linear[a], 1e-12 * size);
        assert_close(share.impulse[a], 0.0, 1e-9 * size);
        assert_close(share.angular_impulse[a], 0.0, 1e-9 * spin);
      }
      elastica_budget_close(budget);
      elastica_world_destroy(world);
    }
}

static int fill_with_rod_and_ring(elastica_world *world, elastica_effect *effects[MOST_ACTIVE]) {
  effects[0] = add_viscosity(world, add_usual_rod(world), 1.0);
  effects[1] = add_viscosity(world, add_usual_ring(world), 1.0);
  return 2;
}

TEST(power_is_the_energy_that_is_taken_out) {
  assert_power_is_what_is_put_in(fill_with_rod_and_ring, 0.01);
}

/* A ring that grows evenly is one oscillator; very stiff, it stops growing within a few steps. */
TEST(a_ring_keeps_its_circumference) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  double position[24], velocity[24];
  for (int i = 0; i < 8; i++) {
    const double phi = 0.25 * pi * i;
    set_vector(position, i, 0.1 * cos(phi), 0.1 * sin(phi), 0.0);
    set_vector(velocity, i, 0.1 * cos(phi) + 0.3, 0.1 * sin(phi), 0.2);
  }
  DEFAULTS(rod, def);
  def.element_count = 8, def.closed = 1;
  def.position = position, def.velocity = velocity;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e4;
  must(world, elastica_world_add_rod(world, &def, &rod));
  add_viscosity(world, rod, 1e8);
  must(world, elastica_world_step(world, 1e-4, 3));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < 8; i++) {
    assert_close(view->velocity[0][i], 0.3, 1e-6);
    assert_close(view->velocity[1][i], 0.0, 1e-6);
    assert_close(view->velocity[2][i], 0.2, 1e-12);
  }
  elastica_world_destroy(world);
}

/* The tip after a time: with drag along the rod, a held end, bending and uneven viscosity. */
static void tip_after(double dt, double tip[3]) {
  static const double zeta[10] = {0.1, 0.2, 0.05, 0.0, 0.3, 0.2, 0.1, 0.4, 0.0, 0.2}, side[3] = {3.0, 0.0, -2.0};
  elastica_world *world = make_conservative_world();
  elastica_rod *rod = add_fibre(world, 10, 1e5);
  DEFAULTS(axial_viscosity, def);
  DEFAULTS(dissipation, dissipation);
  def.element_viscosity = zeta;
  dissipation.translation = 5.0;
  must(world, elastica_add_gravity(world, side, NULL));
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  pull_at_the_end(world, rod, -0.05);
  add_turned_clamp(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP, NULL);
  must(world, elastica_add_axial_viscosity(world, rod, &def, NULL));
  must(world, elastica_world_step(world, dt, (long)(0.1 / dt + 0.5)));
  for (int a = 0; a < 3; a++) tip[a] = elastica_rod_get_view(rod)->position[a][10];
  elastica_world_destroy(world);
}

TEST(it_is_of_second_order_beside_drag_and_clamps) {
  double tip[3][3];
  for (int k = 0; k < 3; k++) tip_after(5e-5 / (1 << k), tip[k]);
  for (int a = 0; a < 3; a += 2) assert_between((tip[0][a] - tip[1][a]) / (tip[1][a] - tip[2][a]), 3.6, 4.4);
}

/* The tension of an element that lengthens at a rate de/dt, from the force on its first node. */
static double tension_at(elastica_law law, double e, double time, elastica_status (*function)(void *, double, double *)) {
  elastica_world *world = make_world_of_law(law, 1);
  elastica_rod *rod = add_fibre(world, 1, 1e-9);
  const double position[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.02 * e}, velocity[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.01};
  DEFAULTS(axial_viscosity, def);
  def.viscosity = 1e-6;
  def.ramp_time = 0.2, def.start_time = 0.1;
  def.function = function;
  must(world, elastica_add_axial_viscosity(world, rod, &def, NULL));
  if (time > 0.0) must(world, elastica_world_step(world, time, 1));
  must(world, elastica_rod_set_state(rod, position, velocity, NULL, NULL));
  must(world, elastica_world_evaluate(world, 1e-9));
  const double force = elastica_rod_get_view(rod)->reaction_force[2][0];
  elastica_world_destroy(world);
  return force;
}

TEST(the_papers_law_divides_it_by_the_dilatation) {
  assert_close(tension_at(ELASTICA_LAW_CLASSICAL, 1.25, 0.5, NULL), 0.5e-6, 1e-12);
  assert_close(tension_at(ELASTICA_LAW_RESCALED, 1.25, 0.5, NULL), 0.4e-6, 1e-12);
}

static elastica_status twice_the_time(void *user, double time, double *factor) {
  (void)user;
  if (*factor != 1.0) return ELASTICA_INVALID_ARGUMENT;
  *factor = 2.0 * time;
  return ELASTICA_OK;
}

static elastica_status negative(void *user, double time, double *factor) {
  (void)user;
  *factor = time > 0.05 ? -1.0 : 0.0;
  return ELASTICA_OK;
}

TEST(it_may_ramp_up_or_follow_a_function) {
  assert_true(tension_at(ELASTICA_LAW_CLASSICAL, 1.0, 0.0625, NULL) == 0.0);
  assert_close(tension_at(ELASTICA_LAW_CLASSICAL, 1.0, 0.125, NULL), 0.125 * 0.5e-6, 1e-12);
  assert_close(tension_at(ELASTICA_LAW_CLASSICAL, 1.0, 0.5, NULL), 0.5e-6, 1e-12);
  assert_close(tension_at(ELASTICA_LAW_CLASSICAL, 1.0, 0.25, twice_the_time), 0.25e-6, 1e-12);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 4, 1e4);
  DEFAULTS(axial_viscosity, def);
  def.viscosity = 1.0;
  def.function = negative;
  must(world, elastica_add_axial_viscosity(world, rod, &def, NULL));
  must(world, elastica_world_step(world, 1e-4, 100));
  assert_status(world, elastica_world_step(world, 1e-4, 1000), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "\"axial_viscosity\"", "add_reactions", "factor -1", "outside 0..1e+20");
  elastica_world_destroy(world);
}

/* The viscous tension turns with the edges, as any tension does: a soft rod under a viscous pull has a shorter step by it. */
TEST(a_pull_beyond_the_shear_stiffness_shortens_the_step) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 10, 1e3);
  add_viscosity(world, rod, 1e3);
  const double dt = limit_of(world).dt, slack = 0.1 * limit_of(world).dt;
  pin(world, rod, 0, NULL);
  pull_at_the_end(world, rod, 5.0);
  must(world, elastica_world_step(world, slack, 200));
  assert_true(limit_of(world).dt < 0.5 * dt);
  elastica_world_destroy(world);
}

/* The bits of the equilibrium equal those without the effect. */
TEST(relaxation_ignores_it) {
  static const double down[3] = {1.0, 0.0, -9.81};
  rod_state still[2];
  for (int viscous = 0; viscous < 2; viscous++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_fibre(world, 10, 1e6);
    elastica_relax_result result;
    add_turned_clamp(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP, NULL);
    must(world, elastica_add_gravity(world, down, NULL));
    if (viscous) add_viscosity(world, rod, 100.0);
    must(world, elastica_world_relax(world, NULL, &result));
    assert_int_equal(result.stable, 1);
    read_state(rod, &still[viscous]);
    elastica_world_destroy(world);
  }
  assert_memory_equal(still[0].position, still[1].position, 33 * sizeof(double));
}

TEST(a_viscosity_with_an_overflowing_product_is_refused_with_its_element) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 3, 1e6);
  double viscosity[3] = {1.0, 0.0, 1e200};
  DEFAULTS(axial_viscosity, def);
  def.element_viscosity = viscosity;
  assert_refused(world, elastica_add_axial_viscosity(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT,
                 "axial_viscosity_def.element_viscosity[2]", "too large", "1e+200");
  viscosity[2] = 1e120;
  assert_refused(world, elastica_add_axial_viscosity(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT,
                 "axial_viscosity_def.element_viscosity[2]", "too large", "1e+120");
  elastica_world_destroy(world);
}
