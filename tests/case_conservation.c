/* Conservation laws of the discrete rod, and the options that they need: linear momentum and the balance of torques at every state,
 * angular momentum and energy in runs.
 */
#include "measured.h"

#include "kicked.h"

/* ---- Sums over a rod ----------------------------------------------------------------------------------------------------------------- */

static void frame_of(const elastica_rod_view *view, int j, double q[9]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) q[3 * a + b] = view->director[a][b][j];
}

/* The moment that the papers' couple leaves unbalanced: at each joint (t cos(t/2) - 2 sin(t/2)) u x tau in the frame half way, for a
 * joint turned by t about u. */
static void papers_defect(const elastica_rod_view *view, double defect[3]) {
  memset(defect, 0, 3 * sizeof *defect);
  for (int k = 0; k < view->joint_count; k++) {
    double theta[3], half[3], tau[3], u_tau[3], middle[9], laboratory[3];
    for (int a = 0; a < 3; a++) {
      theta[a] = view->curvature[a][k] * view->rest_joint_length[k];
      half[a] = 0.5 * theta[a];
      tau[a] = view->couple[a][k];
    }
    const double t = norm(theta), factor = cos(0.5 * t) - 2.0 * sin(0.5 * t) / t;
    const int before = view->closed ? (k + view->element_count - 1) % view->element_count : k;
    frame_of(view, before, middle);
    turn_frame_exactly(half, middle);
    cross(theta, tau, u_tau);
    apply_transposed(middle, u_tau, laboratory);
    for (int a = 0; a < 3; a++) defect[a] += factor * laboratory[a];
  }
}

static elastica_world *make_lawful_world(elastica_law law, int exact_couple, int explicit_couples) {
  elastica_world_def def = default_world();
  def.law = law;
  def.exact_couple = exact_couple;
  def.explicit_couples = explicit_couples;
  return make_world(&def);
}

/* A randomly strained rod or, for every third seed, ring: joints up to about 1 rad, strains of some per cent. */
static elastica_rod *add_random_rod(elastica_world *world, uint64_t seed) {
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  recipe.bend = 1.0;
  recipe.twist = 1.0;
  recipe.rest_bend = 0.5;
  if (seed % 3 == 2)
    make_sample_ring(&sample, 12, seed);
  else
    make_sample(&sample, 2 + (int)(seed % 17), seed, &recipe);
  return add_sample(world, &sample);
}

/* ---- At one state -------------------------------------------------------------------------------------------------------------------- */

TEST(internal_forces_sum_to_zero) {
  for (uint64_t seed = 0; seed < 30; seed++) {
    elastica_world *world = make_lawful_world(seed & 1 ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED, 0, 0);
    elastica_rod *rod = add_random_rod(world, seed);
    must(world, elastica_rod_refresh(rod));
    const load_sum sum = sum_internal_loads(elastica_rod_get_view(rod));
    assert_true(sum.gross_force > 0.01);
    assert_between(norm(sum.force), 0.0, 1e-14 * sum.gross_force);
    elastica_world_destroy(world);
  }
}

TEST(internal_torques_of_the_exact_couple_sum_to_zero) {
  for (uint64_t seed = 0; seed < 30; seed++) {
    elastica_world *world = make_lawful_world(seed & 1 ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED, 1, 0);
    elastica_rod *rod = add_random_rod(world, seed);
    must(world, elastica_rod_refresh(rod));
    const load_sum sum = sum_internal_loads(elastica_rod_get_view(rod));
    assert_between(norm(sum.torque), 0.0, 1e-13 * sum.gross_torque);
    elastica_world_destroy(world);
  }
}

TEST(internal_torques_of_the_papers_couple_leave_its_known_defect) {
  double largest = 0.0;
  for (uint64_t seed = 0; seed < 30; seed++) {
    elastica_world *world = make_lawful_world(seed & 1 ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED, 0, 0);
    elastica_rod *rod = add_random_rod(world, seed);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double defect[3];
    must(world, elastica_rod_refresh(rod));
    const load_sum sum = sum_internal_loads(view);
    papers_defect(view, defect);
    assert_all_close(sum.torque, defect, 3, 1e-13 * sum.gross_torque);
    largest = fmax(largest, norm(defect) / sum.gross_torque);
    elastica_world_destroy(world);
  }
  assert_true(largest > 1e-4); /* the defect is large enough to test the formula */
}

/* -dV/dr and -dV/dphi of the energy, half-cell clamps included, by differences of fourth order. */
static double potential_of(elastica_rod *rod, const rod_state *at) {
  elastica_totals energy;
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, at->position, NULL, at->director, NULL));
  must(elastica_rod_get_view(rod)->world, elastica_rod_get_totals(rod, &energy));
  return energy.bending + energy.shear + energy.effects;
}

static double energy_at_offset(elastica_rod *rod, const rod_state *base, int node, int element, int axis, double offset) {
  rod_state moved = *base;
  double phi[3] = {0.0, 0.0, 0.0};
  phi[axis] = offset;
  if (node >= 0) moved.position[3 * node + axis] += offset;
  if (element >= 0) turn_frame_exactly(phi, moved.director + 9 * element);
  return potential_of(rod, &moved);
}

static double energy_slope(elastica_rod *rod, const rod_state *base, int node, int element, int axis) {
  const double h = 2e-4;
  const double first = energy_at_offset(rod, base, node, element, axis, h) - energy_at_offset(rod, base, node, element, axis, -h);
  const double second =
      energy_at_offset(rod, base, node, element, axis, 2.0 * h) - energy_at_offset(rod, base, node, element, axis, -2.0 * h);
  return (8.0 * first - second) / (12.0 * h);
}

TEST(loads_of_classical_law_and_exact_couple_are_the_slope_of_the_energy) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    elastica_world *world = make_lawful_world(ELASTICA_LAW_CLASSICAL, 1, 0);
    elastica_rod *rod = add_random_rod(world, seed);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    rod_state base, force, couple;
    read_state(rod, &base);
    must(world, elastica_rod_refresh(rod));
    const load_sum sum = sum_internal_loads(view);
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < view->node_count; i++) force.position[3 * i + a] = view->internal_force[a][i];
      for (int j = 0; j < view->element_count; j++) couple.omega[3 * j + a] = view->internal_couple[a][j];
    }
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < view->node_count; i++)
        assert_close(force.position[3 * i + a], -energy_slope(rod, &base, i, -1, a), 1e-9 * sum.gross_force);
      for (int j = 0; j < view->element_count; j++)
        assert_close(couple.omega[3 * j + a], -energy_slope(rod, &base, -1, j, a), 1e-9 * sum.gross_force);
    }
    elastica_world_destroy(world);
  }
}

/* Adds half-cell clamps at both ends; their walls are turned by about a radian from the rod's end frames. */
static void add_turned_clamps(elastica_world *world, elastica_rod *rod) {
  const double phi[3] = {0.6, -0.5, 0.7};
  for (int end = 0; end <= 1; end++) add_turned_clamp(world, rod, (elastica_end)end, ELASTICA_BOUNDARY_CLAMP, phi);
}

/* The couples are read from the kick of a rod at rest. */
TEST(couples_at_half_cell_clamps_are_the_slope_of_the_energy) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  const double dt = 0x1p-30;
  for (uint64_t seed = 0; seed < 4; seed++) {
    elastica_world *world = make_lawful_world(ELASTICA_LAW_CLASSICAL, 1, 1);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    rod_state base;
    make_sample(&sample, 1 + 2 * (int)seed, seed, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    add_turned_clamps(world, rod);
    must(world, elastica_rod_set_state(rod, NULL, still, NULL, still));
    must(world, kick_world(world, dt));
    read_state(rod, &base);
    for (int j = 0; j < view->element_count; j++)
      for (int a = 0; a < 3; a++) assert_close(view->inertia[a][j] * base.omega[3 * j + a] / dt, -energy_slope(rod, &base, -1, j, a), 1e-8);
    elastica_world_destroy(world);
  }
}

/* ---- In a run ------------------------------------------------------------------------------------------------------------------------ */

TEST(linear_momentum_is_kept_to_rounding) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    elastica_world *world = make_lawful_world(ELASTICA_LAW_RESCALED, 0, 0);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    if (seed % 3 == 2)
      make_sample_ring(&sample, 12, seed);
    else
      make_sample(&sample, 9, seed, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    elastica_totals start, now;
    must(world, elastica_rod_get_totals(rod, &start));
    for (int k = 0; k < 20; k++) {
      must(world, elastica_world_step(world, 2e-4, 100));
      must(world, elastica_rod_get_totals(rod, &now));
      const double t = elastica_world_get(world).time;
      assert_all_close(now.linear, start.linear, 3, 1e-13);
      for (int a = 0; a < 3; a++) assert_close(now.centre[a], start.centre[a] + t * start.linear[a] / start.mass, 1e-13);
    }
    elastica_world_destroy(world);
  }
}

enum { ROUND, A_RING, FLAT };

/* Largest error of the angular momentum in 0.04 s, with 200 steps times 2^halvings. */
static double angular_momentum_error(elastica_law law, int explicit_couples, int kind, int halvings) {
  elastica_world *world = make_lawful_world(law, 1, explicit_couples);
  const int pieces = 10;
  const long steps = 20L << halvings;
  double error = 0.0;
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  if (kind == A_RING)
    make_sample_ring(&sample, 9, 5);
  else
    make_sample(&sample, 9, 4, &recipe);
  if (kind == FLAT) sample.flatness = 3.0;
  elastica_rod *rod = add_sample(world, &sample);
  elastica_totals start, now;
  must(world, elastica_rod_get_totals(rod, &start));
  for (int k = 0; k < pieces; k++) {
    must(world, elastica_world_step(world, 0.04 / (pieces * (double)steps), steps));
    must(world, elastica_rod_get_totals(rod, &now));
    const double difference[3] = {now.angular[0] - start.angular[0], now.angular[1] - start.angular[1], now.angular[2] - start.angular[2]};
    error = fmax(error, norm(difference));
  }
  elastica_world_destroy(world);
  return error;
}

TEST(angular_momentum_error_falls_by_four_with_couples_at_the_midpoint) {
  for (int law = ELASTICA_LAW_RESCALED; law <= ELASTICA_LAW_CLASSICAL; law++) {
    for (int kind = ROUND; kind <= FLAT; kind++) {
      for (int k = 0; k < 3; k++) {
        const double ratio =
            angular_momentum_error((elastica_law)law, 0, kind, k) / angular_momentum_error((elastica_law)law, 0, kind, k + 1);
        assert_between(ratio, 3.7, 4.3);
      }
    }
  }
}

TEST(angular_momentum_error_falls_by_two_with_couples_at_old_velocities) {
  for (int law = ELASTICA_LAW_RESCALED; law <= ELASTICA_LAW_CLASSICAL; law++) {
    for (int k = 3; k < 6; k++) {
      const double ratio =
          angular_momentum_error((elastica_law)law, 1, ROUND, k) / angular_momentum_error((elastica_law)law, 1, ROUND, k + 1);
      assert_between(ratio, 1.8, 2.2);
    }
  }
}

/* Classical law, exact couple, midpoint: a Hamiltonian system with a symplectic step. */
TEST(energy_stays_bounded_for_a_million_steps) {
  enum { SAMPLES = 2000, STEPS = 500 };
  elastica_world *world = make_lawful_world(ELASTICA_LAW_CLASSICAL, 1, 0);
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  double largest = 0.0, sum_xy = 0.0, sum_xx = 0.0;
  make_sample(&sample, 9, 4, &recipe);
  add_sample(world, &sample);
  const double start = total_energy(world);
  for (int k = 0; k < SAMPLES; k++) {
    must(world, elastica_world_step(world, 2e-4, STEPS));
    const double error = total_energy(world) / start - 1.0, x = (k - 0.5 * (SAMPLES - 1)) * STEPS;
    largest = fmax(largest, fabs(error));
    sum_xy += x * error, sum_xx += x * x;
  }
  assert_between(largest, 0.0, 5e-4);
  assert_between(fabs(sum_xy / sum_xx), 0.0, 1e-10); /* per step */
  elastica_world_destroy(world);
}

/* Along a straight rod the papers' law has the potential E A lhat (e - 1 - ln e). The sum of this potential and the kinetic energy is
 * conserved to second order; with the quadratic energy of the papers it is not. */
static double axial_energy_drift(double dt, long steps, double *quadratic_drift) {
  elastica_world *world = make_lawful_world(ELASTICA_LAW_RESCALED, 0, 0);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  rod_state stretched;
  double start = 0.0, drift = 0.0, quadratic_start = 0.0;
  read_state(rod, &stretched);
  for (int i = 0; i < view->node_count; i++) stretched.position[component(i, Z)] *= 1.15;
  must(world, elastica_rod_set_state(rod, stretched.position, NULL, NULL, NULL));
  *quadratic_drift = 0.0;
  for (long k = 0; k <= steps; k++) {
    elastica_totals energy;
    double potential = 0.0;
    if (k > 0) must(world, elastica_world_step(world, dt, 1));
    must(world, elastica_world_get_totals(world, &energy));
    for (int j = 0; j < view->element_count; j++) {
      const double e = view->dilatation[j];
      potential += view->shear_stiffness[2][j] * view->rest_length[j] * (e - 1.0 - log(e));
    }
    const double total = energy.translation + potential, quadratic = energy.translation + energy.shear;
    if (k == 0) start = total, quadratic_start = quadratic;
    drift = fmax(drift, fabs(total / start - 1.0));
    *quadratic_drift = fmax(*quadratic_drift, fabs(quadratic / quadratic_start - 1.0));
  }
  elastica_world_destroy(world);
  return drift;
}

TEST(axial_motion_under_the_papers_law_keeps_its_logarithmic_energy) {
  double quadratic[3];
  const double coarse = axial_energy_drift(1e-3, 300, quadratic), middle = axial_energy_drift(5e-4, 600, quadratic + 1),
               fine = axial_energy_drift(2.5e-4, 1200, quadratic + 2);
  assert_between(coarse / middle, 3.7, 4.3);
  assert_between(middle / fine, 3.7, 4.3);
  for (int k = 0; k < 3; k++) assert_true(quadratic[k] > 0.05);
}

/* Shear couples turn a tilted frame back; with the misprinted signs of the paper the frame would fall over within some tens of steps. */
TEST(tilted_frame_swings_back) {
  elastica_world *world = make_lawful_world(ELASTICA_LAW_RESCALED, 0, 0);
  elastica_rod *rod = add_straight_rod(world, 1, 0.1, 0.05, 1000.0, 1e6, 0.4e6);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double phi[3] = {0.0, 0.01, 0.0};
  double largest = 0.0, smallest = 0.0;
  rod_state tilted;
  read_state(rod, &tilted);
  turn_frame_exactly(phi, tilted.director);
  must(world, elastica_rod_set_state(rod, NULL, NULL, tilted.director, NULL));
  for (int k = 0; k < 1000; k++) {
    must(world, elastica_world_step(world, 1e-4, 1));
    const double edge[3] = {view->tangent[0][0], view->tangent[1][0], view->tangent[2][0]};
    double material[3];
    elastica_rotate_to_material(view, 0, edge, material);
    largest = fmax(largest, -material[0]);
    smallest = fmin(smallest, -material[0]);
  }
  assert_between(largest, 0.0099, 0.01);
  assert_between(smallest, -0.01, -0.0099);
  elastica_world_destroy(world);
}
