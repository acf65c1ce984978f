/* Claims about clamps. */
#include "clamped.h"
#include "measured.h"

static const double pi = 3.14159265358979324;

static int end_element(const elastica_rod *rod, elastica_end end) {
  return end == ELASTICA_END_FIRST ? 0 : elastica_rod_get_view(rod)->element_count - 1;
}

static void frame_of(const elastica_rod *rod, int j, double frame[9]) {
  rod_state now;
  read_state(rod, &now);
  memcpy(frame, now.director + 9 * j, 9 * sizeof(double));
}

/* A rod of n elements without stress; joint k turns by 1 + k/4 times phi. */
static elastica_rod *add_curved_rod(elastica_world *world, int n, const double phi[3]) {
  double position[3 * SAMPLE_NODES] = {0}, director[9 * SAMPLE_ELEMENTS], frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  elastica_rod *rod = NULL;
  for (int j = 0; j < n; j++) {
    memcpy(director + 9 * j, frame, sizeof frame);
    for (int a = 0; a < 3; a++) position[3 * (j + 1) + a] = position[3 * j + a] + 0.1 * frame[6 + a];
    const double share = 1.0 + 0.25 * j, turn[3] = {share * phi[0], share * phi[1], share * phi[2]};
    turn_frame_exactly(turn, frame);
  }
  DEFAULTS(rod, def);
  def.element_count = n;
  def.position = position;
  def.director = director;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.03, def.density = 1000.0, def.youngs_modulus = 1e6, def.shear_modulus = 2e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Couple on an end element at rest, from the spin that it gains in one short step. */
static void couple_on(elastica_rod *rod, int j, double couple[3]) {
  const double dt = 1e-7;
  elastica_world *world = elastica_rod_get_view(rod)->world;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  must(world, elastica_world_step(world, dt, 1));
  for (int a = 0; a < 3; a++) couple[a] = view->omega[a][j] * view->inertia[a][j] / (view->classical_law ? 1.0 : view->dilatation[j]) / dt;
}

TEST(an_unbent_curved_rod_feels_nothing) {
  const double phi[3] = {0.3, -0.2, 0.25};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = make_world_of_law(k & 4 ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED, k & 1);
    elastica_rod *rod = add_curved_rod(world, 5, phi);
    rod_state before, after;
    read_state(rod, &before);
    for (int e = 0; e < 2; e++) {
      const elastica_boundary_def def = clamp_of(ends[e], kinds[(k >> 1) & 1]);
      elastica_effect *clamp = NULL;
      must(world, elastica_add_boundary(world, rod, &def, &clamp));
      assert_close(elastica_effect_energy(clamp), 0.0, 1e-28);
    }
    must(world, elastica_world_advance(world, 0.1));
    read_state(rod, &after);
    assert_all_close(after.position, before.position, 18, 1e-13);
    assert_all_close(after.omega, before.omega, 15, 1e-11);
    elastica_world_destroy(world);
  }
}

/* The frame of the wall is half an element before the first frame, or half an element behind the last. */
TEST(the_wall_of_a_curved_rod_stands_half_a_joint_further) {
  const double phi[3] = {0.3, -0.2, 0.25};
  for (int e = 0; e < 2; e++) {
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
    elastica_rod *rod = add_curved_rod(world, 4, phi);
    const double share = ends[e] == ELASTICA_END_FIRST ? -0.5 : 0.5 * 1.5, half[3] = {share * phi[0], share * phi[1], share * phi[2]};
    elastica_boundary_def def = clamp_of(ends[e], ELASTICA_BOUNDARY_CLAMP);
    elastica_effect *clamp = NULL;
    double couple[3];
    frame_of(rod, end_element(rod, ends[e]), def.director);
    turn_frame_exactly(half, def.director);
    must(world, elastica_add_boundary(world, rod, &def, &clamp));
    assert_close(elastica_effect_energy(clamp), 0.0, 1e-28);
    couple_on(rod, end_element(rod, ends[e]), couple);
    for (int a = 0; a < 3; a++) assert_close(couple[a], 0.0, 1e-12);
    elastica_world_destroy(world);
  }
}

/* A single element, with a wall turned by phi about one director, feels a spring 2 B/l towards the wall, at both ends. */
TEST(the_couple_draws_the_frame_to_the_wall) {
  const double angles[6] = {1e-9, 0.1, 0.5, 0.51, 1.5, 2.99};
  for (int k = 0; k < 2 * 6 * 3 * 2; k++) {
    const int axis = k % 3, e = k / 3 % 2;
    const double angle = (k / 36 ? -1.0 : 1.0) * angles[k / 6 % 6];
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
    elastica_rod *rod = add_rod(world, 1);
    const double stiffness = elastica_rod_get_view(rod)->element_bend_stiffness[axis][0] / 0.05;
    elastica_boundary_def def = clamp_of(ends[e], ELASTICA_BOUNDARY_CLAMP);
    double phi[3] = {0.0, 0.0, 0.0}, couple[3];
    phi[axis] = angle;
    frame_of(rod, 0, def.director);
    turn_frame_exactly(phi, def.director);
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    couple_on(rod, 0, couple);
    for (int a = 0; a < 3; a++) assert_close(couple[a], a == axis ? stiffness * angle : 0.0, 1e-12 * fabs(stiffness * angle));
    elastica_world_destroy(world);
  }
}

/* At stretch e the clamp of the rescaled law is softer by e^3; that of the classical law is not. */
TEST(stretch_softens_the_clamp_in_the_rescaled_law_only) {
  const elastica_law laws[2] = {ELASTICA_LAW_RESCALED, ELASTICA_LAW_CLASSICAL};
  const double stretched[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.12}, phi[3] = {0.2, 0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world_of_law(laws[k], 0);
    elastica_rod *rod = add_rod(world, 1);
    const double stiffness = elastica_rod_get_view(rod)->element_bend_stiffness[0][0] / 0.05;
    const double softer = laws[k] == ELASTICA_LAW_RESCALED ? 1.2 * 1.2 * 1.2 : 1.0;
    elastica_boundary_def def = clamp_of(ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
    elastica_effect *clamp = NULL;
    double couple[3];
    must(world, elastica_rod_set_state(rod, stretched, NULL, NULL, NULL));
    frame_of(rod, 0, def.director);
    turn_frame_exactly(phi, def.director);
    must(world, elastica_add_boundary(world, rod, &def, &clamp));
    assert_close(elastica_effect_energy(clamp), 0.5 * stiffness / softer * 0.04, 1e-14);
    couple_on(rod, 0, couple);
    assert_close(couple[0], 0.2 * stiffness / softer, 1e-9 * stiffness);
    elastica_world_destroy(world);
  }
}

/* Largest difference between the couple on the end frame and minus the slope of the clamp's energy, for a wall turned by phi. */
static double defect_of_couple(int exact_couple, elastica_end end, const double rest_turn[3], const double phi[3]) {
  const double step = 1e-5;
  elastica_world *world = make_world_of_law(ELASTICA_LAW_CLASSICAL, exact_couple);
  elastica_rod *rod = add_curved_rod(world, 2, rest_turn);
  const int j = end_element(rod, end);
  elastica_boundary_def def = clamp_of(end, ELASTICA_BOUNDARY_CLAMP);
  elastica_effect *clamp = NULL;
  double slope[3], couple[3], worst = 0.0;
  rod_state start, turned;
  read_state(rod, &start);
  memcpy(def.director, start.director + 9 * j, sizeof def.director);
  turn_frame_exactly(phi, def.director);
  must(world, elastica_add_boundary(world, rod, &def, &clamp));
  for (int a = 0; a < 3; a++) {
    double energy[2];
    for (int k = 0; k < 2; k++) {
      double small[3] = {0.0, 0.0, 0.0};
      small[a] = k == 0 ? -step : step;
      turned = start;
      turn_frame_exactly(small, turned.director + 9 * j);
      must(world, elastica_rod_set_state(rod, NULL, NULL, turned.director, NULL));
      energy[k] = elastica_effect_energy(clamp);
    }
    slope[a] = (energy[1] - energy[0]) / (2.0 * step);
  }
  must(world, elastica_rod_set_state(rod, NULL, NULL, start.director, NULL));
  couple_on(rod, j, couple);
  for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(couple[a] + slope[a]));
  elastica_world_destroy(world);
  return worst;
}

TEST(the_exact_couple_is_the_slope_of_the_energy) {
  random_source source = {7};
  for (int k = 0; k < 20; k++) {
    double rest_turn[3], phi[3];
    random_vector(&source, 0.5, rest_turn);
    random_vector(&source, k < 5 ? 0.2 : 1.5, phi);
    assert_true(defect_of_couple(1, ends[k % 2], rest_turn, phi) < 1e-7);
  }
}

TEST(the_papers_couple_differs_from_it_in_third_order) {
  const double straight[3] = {0.0, 0.0, 0.0}, phi[3] = {0.2, -0.1, 0.3}, half[3] = {0.1, -0.05, 0.15};
  for (int e = 0; e < 2; e++)
    assert_between(defect_of_couple(0, ends[e], straight, phi) / defect_of_couple(0, ends[e], straight, half), 7.5, 8.5);
}

/* Small sag of a damped cantilever of 8 elements under a load at its free end, divided by the bending sag of the continuous Timoshenko
 * beam. */
static double sag(elastica_end end, elastica_boundary_kind kind, double *expected) {
  const double length = 1.0, radius = 0.05, youngs_modulus = 1e6, shear_modulus = 4e5, force = 1e-5;
  const double area = pi * radius * radius, moment = 0.25 * area * radius * radius, n = 8.0;
  const double bend = force * length * length * length / (3.0 * youngs_modulus * moment);
  const double shear = force * length / (4.0 / 3.0 * shear_modulus * area);
  elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
  elastica_rod *rod = add_straight_rod(world, 8, length, radius, 1000.0, youngs_modulus, shear_modulus);
  const elastica_boundary_def def = clamp_of(end, kind);
  const int free_node = end == ELASTICA_END_FIRST ? 8 : 0;
  DEFAULTS(dissipation, damping);
  damping.translation = 5.0 * 1000.0 * area;
  damping.rotation = 20.0 * 1000.0 * moment;
  DEFAULTS(point_load, load);
  load.node = free_node;
  load.force[0] = force;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  must(world, elastica_world_advance(world, 14.0));
  const double tip = elastica_rod_get_view(rod)->position[0][free_node];
  elastica_world_destroy(world);
  *expected = shear + bend * (kind == ELASTICA_BOUNDARY_CLAMP ? 1.0 + 1.0 / (2.0 * n * n) : (1.0 - 1.0 / n) * (1.0 - 1.0 / (2.0 * n)));
  return tip;
}

/* Closed forms of the linear discrete beam: second order in n with the half-cell clamp, first order with a held frame. */
TEST(a_cantilever_sags_as_the_discrete_beam_does) {
  for (int k = 0; k < 4; k++) {
    double expected;
    const double tip = sag(ends[k & 1], kinds[k >> 1], &expected);
    assert_close(tip / expected, 1.0, 1e-7);
  }
}

/* A straight clamped rod receives the rest curvature of an arc: it leaves the wall along its tangent and first bends by half the angle
 * of a joint. */
TEST(the_half_cell_follows_a_change_of_rest_curvature) {
  const double curvature = 1.5;
  double rest[15] = {0};
  for (int e = 0; e < 2; e++) {
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
    elastica_rod *rod = add_rod(world, 6);
    const elastica_boundary_def def = clamp_of(ends[e], ELASTICA_BOUNDARY_CLAMP);
    const double line_mass = elastica_rod_get_view(rod)->mass[1] / 0.1;
    DEFAULTS(dissipation, damping);
    damping.translation = 5.0 * line_mass;
    damping.rotation = 20.0 * elastica_rod_get_view(rod)->inertia[0][0] / 0.1;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    for (int k = 0; k < 5; k++) rest[component(k, Y)] = curvature;
    must(world, elastica_rod_set_rest(rod, rest, NULL));
    must(world, elastica_world_advance(world, 15.0));
    for (int j = 0; j < 6; j++) {
      double frame[9];
      const double from_wall = ends[e] == ELASTICA_END_FIRST ? j + 0.5 : j - 5.5;
      frame_of(rod, j, frame);
      assert_close(atan2(frame[6], frame[8]), curvature * 0.1 * from_wall, 1e-7);
    }
    elastica_world_destroy(world);
  }
}

TEST(a_clamp_without_axes_holds_the_frame_alone) {
  const double g[3] = {0.5, 0.0, -9.81};
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
    elastica_rod *rod = add_rod(world, 3);
    elastica_boundary_def def = clamp_of(ELASTICA_END_FIRST, kinds[k]);
    def.axes = 0;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_world_step(world, 1e-3, 100));
    for (int a = 0; a < 3; a++) assert_close(elastica_rod_get_view(rod)->position[a][0], 0.5 * g[a] * 0.01, 1e-13);
    elastica_world_destroy(world);
  }
}

/* One element between two walls, turned by angle to either side, in equilibrium; its shear stiffness is very small. */
static elastica_world *element_between_walls(int exact_couple, double angle) {
  const double shear[3] = {1e-3, 1e-3, 1e-3}, bend[3] = {0.2, 0.2, 0.3};
  elastica_world_def world_def = default_world();
  elastica_rod *rod = NULL;
  world_def.exact_couple = exact_couple;
  world_def.allow_unstable_step = 1;
  elastica_world *world = make_world(&world_def);
  DEFAULTS(rod, def);
  def.element_count = 1;
  def.length = 0.1, def.radius = 0.05, def.density = 1000.0;
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  must(world, elastica_world_add_rod(world, &def, &rod));
  for (int e = 0; e < 2; e++) {
    const double phi[3] = {ends[e] == ELASTICA_END_FIRST ? -angle : angle, 0.0, 0.0};
    elastica_boundary_def clamp = clamp_of(ends[e], ELASTICA_BOUNDARY_CLAMP);
    frame_of(rod, 0, clamp.director);
    turn_frame_exactly(phi, clamp.director);
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  return world;
}

/* Growth of a small spin over many steps of dt. */
static double growth(elastica_world *world, double dt) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  const double spin[3] = {1e-6, -2e-6, 1.5e-6};
  double worst = 0.0;
  must(world, elastica_rod_set_state(rod, NULL, NULL, NULL, spin));
  for (int k = 0; k < 2000; k++) {
    if (elastica_world_step(world, dt, 1) != ELASTICA_OK) return (double)INFINITY;
    for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(elastica_rod_get_view(rod)->omega[a][0]) / 1e-6);
  }
  return worst;
}

/* Straight: the two half-cells are springs of 2 B/l each: omega^2 = 4 B/(l J). */
TEST(the_clamps_set_the_step_of_a_soft_element) {
  elastica_world *world = element_between_walls(0, 0.0);
  const double inertia = elastica_rod_get_view(elastica_world_rod(world, 0))->inertia[0][0];
  const double largest = 2.0 / sqrt(4.0 * 0.2 / (0.1 * inertia));
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  assert_string_equal(elastica_effect_get(limit.effect).name, "boundary");
  assert_between(limit.dt / largest, 0.8, 1.0);
  assert_true(growth(world, 1.01 * largest) > 1e3);
  elastica_world_destroy(world);
}

TEST(the_certified_step_of_a_bent_half_cell_is_stable) {
  const double angles[4] = {0.0, 0.5, 1.5, 2.8};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = element_between_walls(k & 1, angles[k >> 1]);
    elastica_step_limit limit;
    must(world, elastica_world_step_limit(world, &limit));
    assert_true(growth(world, 0.999 * limit.dt) < 100.0);
    elastica_world_destroy(world);
  }
}

TEST(a_wall_more_than_3_rad_away_stops_the_world) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 0);
    elastica_rod *rod = add_rod(world, 2);
    elastica_boundary_def def = clamp_of(ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
    const double phi[3] = {0.0, k == 0 ? 2.999 : 3.001, 0.0};
    frame_of(rod, 0, def.director);
    turn_frame_exactly(phi, def.director);
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    assert_status(world, elastica_world_step(world, 1e-6, 1), k == 0 ? ELASTICA_OK : ELASTICA_JOINT_TOO_FAR);
    if (k == 1) assert_says(elastica_world_message(world), "boundary");
    elastica_world_destroy(world);
  }
}
