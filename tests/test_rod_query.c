/* Energies and momenta of rods, compared with closed forms. */
#include "base/target.h"

#include "support.h"

static const double pi = 3.14159265358979324;

enum { N = 12 };
static const double length = 1.8, radius = 0.06, density = 1200.0, youngs = 3e5, shear = 1.1e5;

/* A world of the given law with one straight rod along z. */
typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
  const elastica_rod_view *view;
  rod_state state;
} fixture;

static fixture make_fixture(elastica_law law) {
  fixture f;
  elastica_world_def def = default_world();
  def.law = law;
  f.world = make_world(&def);
  f.rod = add_straight_rod(f.world, N, length, radius, density, youngs, shear);
  f.view = elastica_rod_get_view(f.rod);
  read_state(f.rod, &f.state);
  return f;
}

static void set_state(fixture *f) {
  must(f->world, elastica_rod_set_state(f->rod, f->state.position, f->state.velocity, f->state.director, f->state.omega));
}

static elastica_totals totals_of(fixture *f) {
  elastica_totals totals;
  must(f->world, elastica_rod_get_totals(f->rod, &totals));
  return totals;
}

/* Gives the rod a uniform shape from its first node: every joint has the turn, every element the strain sigma. */
static void shape(fixture *f, const double turn[3], const double sigma[3]) {
  double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  for (int j = 0; j < N; j++) {
    const double material[3] = {sigma[0] * length / N, sigma[1] * length / N, (1.0 + sigma[2]) * length / N};
    double edge[3];
    memcpy(f->state.director + 9 * j, frame, sizeof frame);
    apply_transposed(frame, material, edge);
    for (int a = 0; a < 3; a++) f->state.position[3 * (j + 1) + a] = f->state.position[3 * j + a] + edge[a];
    turn_frame_exactly(turn, frame);
  }
  set_state(f);
}

/* Moves the rod as a rigid body: velocity at the origin and spin, both in laboratory components. */
static void move(fixture *f, const double velocity[3], const double spin[3]) {
  for (int i = 0; i <= N; i++) {
    double turning[3];
    cross(spin, f->state.position + 3 * i, turning);
    for (int a = 0; a < 3; a++) f->state.velocity[3 * i + a] = velocity[a] + turning[a];
  }
  for (int j = 0; j < N; j++) apply(f->state.director + 9 * j, spin, f->state.omega + 3 * j);
  set_state(f);
}

static const double nothing[3] = {0.0, 0.0, 0.0};

/* ---- Momentum and kinetic energy ---- */

/* A free straight rod of lumped masses has the moments m L^2/12 (1 + 2/n^2) + m r^2/4 across and m r^2/2 along the axis, about its
 * middle. */
TEST(a_spinning_rod_has_the_inertia_of_its_masses) {
  const double mass = density * pi * radius * radius * length;
  const double across = mass * length * length / 12.0 * (1.0 + 2.0 / (N * N)) + 0.25 * mass * radius * radius;
  const double along = 0.5 * mass * radius * radius;
  for (int a = 0; a < 3; a++) {
    fixture f = make_fixture(ELASTICA_LAW_RESCALED);
    for (int i = 0; i <= N; i++) f.state.position[component(i, Z)] -= 0.5 * length;
    double spin[3] = {0.0, 0.0, 0.0}, expected[3] = {0.0, 0.0, 0.0};
    spin[a] = 0.7;
    expected[a] = 0.7 * (a < 2 ? across : along);
    move(&f, nothing, spin);
    const elastica_totals totals = totals_of(&f);
    assert_close(totals.mass, mass, 1e-14);
    assert_all_close(totals.centre, nothing, 3, 1e-15);
    assert_all_close(totals.linear, nothing, 3, 1e-14);
    assert_all_close(totals.angular, expected, 3, 1e-14);
    assert_close(totals.translation + totals.rotation, 0.5 * expected[a] * 0.7, 1e-14);
    assert_close(totals.rotation, 0.5 * 0.49 * (a < 2 ? 0.25 : 0.5) * mass * radius * radius, 1e-15);
    assert_close(totals.bending + totals.shear, 0.0, 1e-20);
    elastica_world_destroy(f.world);
  }
}

/* About another point the angular momentum has the additional part m r x v for any shape, and turns with the scene. */
TEST(a_flying_rod_carries_its_orbital_momentum) {
  fixture f = make_fixture(ELASTICA_LAW_RESCALED);
  const double turn[3] = {0.1, -0.05, 0.2}, sigma[3] = {0.05, 0.0, 0.1}, velocity[3] = {1.0, 2.0, -3.0};
  double orbital[3];
  f.state.position[0] = 4.0;
  f.state.position[1] = -7.0;
  shape(&f, turn, sigma);
  move(&f, velocity, nothing);
  const elastica_totals momentum = totals_of(&f);
  for (int a = 0; a < 3; a++) assert_close(momentum.linear[a], momentum.mass * velocity[a], 1e-12);
  cross(momentum.centre, momentum.linear, orbital);
  assert_all_close(momentum.angular, orbital, 3, 1e-11);
  assert_close(totals_of(&f).translation, 0.5 * momentum.mass * 14.0, 1e-12);
  elastica_world_destroy(f.world);
}

/* A stretched rod is thinner: the angular momentum about its axis has the factor 1/e. The classical law keeps the cross-section. */
TEST(a_stretched_rod_spins_with_less_inertia) {
  const double sigma[3] = {0.0, 0.0, 0.25}, spin[3] = {0.0, 0.0, 3.0}, mass = density * pi * radius * radius * length;
  for (int law = 0; law < 2; law++) {
    fixture f = make_fixture((elastica_law)law);
    const double inertia = 0.5 * mass * radius * radius / (law ? 1.0 : 1.25);
    shape(&f, nothing, sigma);
    move(&f, nothing, spin);
    assert_close(totals_of(&f).angular[2], 3.0 * inertia, 1e-14);
    assert_close(totals_of(&f).rotation, 4.5 * inertia, 1e-14);
    for (int j = 0; j < N; j++) assert_close(elastica_rod_radius(f.view, j), radius / sqrt(1.25), 1e-16);
    elastica_world_destroy(f.world);
  }
}

/* ---- Elastic energy ---- */

/* Each of the n - 1 joints contributes the length of one element: B kappa^2/2 per length, divided by e^3 if a stretched rod gets
 * thinner. */
TEST(an_even_bend_stores_its_stiffness) {
  const double second_moment = 0.25 * pi * pow(radius, 4.0), l = length / N, angle = 0.3, stretch[3] = {0.0, 0.0, 0.1};
  const double stiffness[3] = {youngs * second_moment, youngs * second_moment, 2.0 * shear * second_moment};
  for (int law = 0; law < 2; law++) {
    for (int a = 0; a < 3; a++) {
      fixture f = make_fixture((elastica_law)law);
      const double joint = 0.5 * stiffness[a] * (angle / l) * (angle / l) * l;
      double turn[3] = {0.0, 0.0, 0.0};
      turn[a] = angle;
      shape(&f, turn, nothing);
      assert_close(totals_of(&f).bending / ((N - 1) * joint), 1.0, 1e-14);
      assert_close(totals_of(&f).shear, 0.0, 1e-25);
      shape(&f, turn, stretch);
      assert_close(totals_of(&f).bending / ((N - 1) * joint / (law ? 1.0 : pow(1.1, 3.0))), 1.0, 1e-14);
      elastica_world_destroy(f.world);
    }
  }
}

/* S sigma^2/2 per rest length, in both laws. */
TEST(an_even_strain_stores_its_stiffness) {
  const double area = pi * radius * radius, stiffness[3] = {4.0 / 3.0 * shear * area, 4.0 / 3.0 * shear * area, youngs * area};
  for (int law = 0; law < 2; law++) {
    for (int a = 0; a < 3; a++) {
      fixture f = make_fixture((elastica_law)law);
      double sigma[3] = {0.0, 0.0, 0.0};
      sigma[a] = 0.2;
      shape(&f, nothing, sigma);
      assert_close(totals_of(&f).shear / (0.5 * stiffness[a] * 0.04 * length), 1.0, 1e-14);
      assert_close(totals_of(&f).bending, 0.0, 0.0);
      elastica_world_destroy(f.world);
    }
  }
}

/* A rod in its rest shape has no energy, and the energy counts from there: twice the strain, four times the energy. */
TEST(energy_counts_from_the_rest_shape) {
  fixture f = make_fixture(ELASTICA_LAW_RESCALED);
  const double l = length / N, turn[3] = {0.2, -0.1, 0.15}, sigma[3] = {0.1, -0.05, 0.08};
  double curvature[3 * (N - 1)], strain[3 * N], bending[3], stored[3];
  shape(&f, turn, sigma);
  for (int share = 0; share < 3; share++) {
    const double factor = 1.0 - 0.5 * share;
    for (int k = 0; k < 3 * (N - 1); k++) curvature[k] = factor * turn[k % 3] / l;
    for (int j = 0; j < 3 * N; j++) strain[j] = factor * sigma[j % 3];
    must(f.world, elastica_rod_set_rest(f.rod, curvature, strain));
    bending[share] = totals_of(&f).bending;
    stored[share] = totals_of(&f).shear;
  }
  assert_close(bending[0], 0.0, 1e-25);
  assert_close(stored[0], 0.0, 1e-25);
  assert_close(bending[2] / bending[1], 4.0, 1e-12);
  assert_close(stored[2] / stored[1], 4.0, 1e-12);
  elastica_world_destroy(f.world);
}

/* A ring that spins in its plane: m R^2 and the spin of its elements; n joints of equal turn. */
TEST(a_ring_counts_each_part_once) {
  const double big = 0.8, spin = 0.9, edge = 2.0 * big * sin(pi / N), mass = density * pi * radius * radius * N * edge;
  double position[3 * N], velocity[3 * N], omega[3 * N] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i < N; i++) {
    const double angle = 2.0 * pi * i / N;
    set_vector(position, i, big * cos(angle), big * sin(angle), 0.3);
    set_vector(velocity, i, -big * spin * sin(angle), big * spin * cos(angle), 0.0);
    omega[component(i, X)] = spin; /* d1 is the normal of the plane */
  }
  def.element_count = N, def.closed = 1, def.position = position, def.velocity = velocity, def.omega = omega, def.normal[0] = 0.0;
  def.normal[1] = 0.0, def.normal[2] = 1.0, def.radius = radius, def.density = density, def.youngs_modulus = youngs;
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_totals totals;
  must(world, elastica_rod_get_totals(rod, &totals));
  const double centre[3] = {0.0, 0.0, 0.3}, inertia = mass * (big * big + 0.25 * radius * radius), kappa = 2.0 * pi / N / edge;
  assert_close(totals.mass, mass, 1e-13);
  assert_all_close(totals.centre, centre, 3, 1e-15);
  assert_all_close(totals.linear, nothing, 3, 1e-13);
  assert_close(totals.angular[2], inertia * spin, 1e-12);
  assert_close(totals.translation + totals.rotation, 0.5 * inertia * spin * spin, 1e-12);
  assert_close(totals.bending / (0.5 * youngs * 0.25 * pi * pow(radius, 4.0) * kappa * kappa * N * edge), 1.0, 1e-13);

  /* Setting the present state changes nothing, also in the ghost slot: the next steps are the same to the bit. */
  elastica_world *other = make_world(NULL);
  elastica_rod *twin = NULL;
  must(other, elastica_world_add_rod(other, &def, &twin));
  rod_state twin_state;
  read_state(twin, &twin_state);
  must(other, elastica_rod_set_state(twin, twin_state.position, twin_state.velocity, twin_state.director, twin_state.omega));
  must(world, elastica_world_step(world, 1e-4, 50));
  must(other, elastica_world_step(other, 1e-4, 50));
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(other);
  elastica_world_destroy(world);
}

/* Joint k of a ring lies between elements k - 1 and k; its dilatation is that of the two halves. */
TEST(joints_of_a_ring_lie_between_their_elements) {
  elastica_world *world = make_papers_world();
  sample_rod sample;
  elastica_totals energy;
  double expected = 0.0;
  make_sample_ring(&sample, N, 4);
  elastica_rod *rod = add_sample(world, &sample);
  must(world, elastica_rod_get_totals(rod, &energy));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k < N; k++) {
    const int before = (k + N - 1) % N;
    const double e = (view->length[before] + view->length[k]) / (sample.rest_length[before] + sample.rest_length[k]);
    for (int a = 0; a < 3; a++) { /* tau = B (kappa - kappa0)/E^3 */
      expected += 0.5 * view->rest_joint_length[k] * pow(view->couple[a][k], 2.0) * pow(e, 3.0) / view->bend_stiffness[a][k];
    }
  }
  assert_close(energy.bending / expected, 1.0, 1e-13);
  elastica_world_destroy(world);
}
