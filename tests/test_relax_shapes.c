/* Relaxed shapes known from other methods: hanging, coiling, buckling. */
#include "relaxed.h"

static const double pi = 3.14159265358979324;

/* A rope of n elements with high axial and low bending stiffness: sag and horizontal force over weight are those of n rigid links. */
TEST(rope_hangs_as_its_links_would) {
  const double links[2][3] = {{10, 0.2668644258236408, 0.337301091710838}, {50, 0.2654940420342937, 0.3381657305846972}};
  const double gravity[3] = {0.0, 0.0, -10.0};
  for (int k = 0; k < 2; k++) {
    const int n = (int)links[k][0];
    double node[3 * 51], rest[50], shear[150], bend[150];
    elastica_rod *rod = NULL;
    elastica_world *world = make_world(NULL);
    for (int i = 0; i <= n; i++) arc_node((double)i / n, node + 3 * i);
    for (int j = 0; j < n; j++) rest[j] = 1.0 / n;
    for (int j = 0; j < 3 * n; j++) shear[j] = 1e7, bend[j] = 1e-7;
    DEFAULTS(rod, def);
    def.element_count = n;
    def.position = node;
    def.rest_length = rest;
    def.shear_stiffness = shear;
    def.bend_stiffness = bend;
    def.radius = sqrt(1e-4 / pi); /* weighs 1 N */
    def.density = 1000.0;
    must(world, elastica_world_add_rod(world, &def, &rod));
    pin_node(world, rod, 0);
    pin_node(world, rod, -1);
    must(world, elastica_add_gravity(world, gravity, NULL));
    relax(world);
    must(world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double pull[3];
    const double stress[3] = {view->force[0][n / 2], view->force[1][n / 2], view->force[2][n / 2]};
    elastica_rotate_to_laboratory(view, n / 2, stress, pull);
    assert_close(-view->position[2][n / 2], links[k][1], 2e-6);
    assert_close(pull[0], links[k][2], 2e-6);
    elastica_world_destroy(world);
  }
}

/* A straight rod with rest curvature coils up: vertices on a circle or helix, without stress. */
TEST(straight_rod_takes_its_rest_shape) {
  const struct {
    int n;
    double length, curvature[3], end[3];
  } cases[3] = {{50, 1.0, {0.0, 6.283185307179586, 0.0}, {0.0, 0.0, 0.0}},
                {100, 2.0, {0.0, 4.0, 3.0}, {0.298358363124, 1.003354954362, 0.662193394185}},
                {200, 1.0, {3.0, 4.0, 12.0}, {0.20795266994, 0.273381409964, 0.85688469586}}};
  for (int k = 0; k < 3; k++) {
    double curvature[3 * 199];
    elastica_rod *rod = NULL;
    elastica_totals energy;
    elastica_world *world = make_world(NULL);
    for (int i = 0; i < 3 * (cases[k].n - 1); i++) curvature[i] = cases[k].curvature[i % 3];
    DEFAULTS(rod, def);
    def.element_count = cases[k].n;
    def.length = cases[k].length;
    def.radius = 0.01;
    def.density = 1000.0;
    def.youngs_modulus = 1e6;
    def.normal[0] = 1.0, def.normal[1] = 0.0, def.normal[2] = 0.0;
    def.rest_curvature = curvature;
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp_first(world, rod, ELASTICA_BOUNDARY_FRAME);
    relax(world);
    for (int a = 0; a < 3; a++) assert_close(tip(rod, a), cases[k].end[a], 1e-9);
    must(world, elastica_world_get_totals(world, &energy));
    assert_between(energy.bending + energy.shear, 0.0, 1e-20);
    elastica_world_destroy(world);
  }
}

/* Greenhill 1881: a column bends under its own weight above L_c = 0.2713188913 m. A millionth of its weight pushes it sideways. */
TEST(column_bends_above_its_critical_height) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  for (int k = 0; k < 2; k++) {
    const double height = (k == 0 ? 0.99 : 1.01) * 0.2713188913, weight = 1000.0 * pi * 1e-4 * height * 9.81;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 80, height, 0.01, 1000.0, 1e6, 1e6 / 3.0);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_gravity(world, gravity, NULL));
    pull_tip(world, rod, 1e-6 * weight, 0.0, 0.0);
    assert_true(relax(world).stable);
    if (k == 0)
      assert_between(tip(rod, 0) / height, 0.0, 1e-3);
    else
      assert_between(tip(rod, 0) / height, 0.1, 1.0);
    elastica_world_destroy(world);
  }
}

/* Without a disturbance the column stays straight; beyond the critical load the result reports an unstable equilibrium. */
TEST(unstable_equilibrium_is_reported) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_wire(world, 40);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    pull_tip(world, rod, 0.0, 0.0, k == 0 ? -2.4 : -2.6); /* Euler: pi^2/4 = 2.467 */
    assert_int_equal(relax(world).stable, k == 0);
    assert_close(tip(rod, 0), 0.0, 1e-12);
    elastica_world_destroy(world);
  }
}

/* A wavy ring without rest curvature becomes the regular polygon. */
TEST(ring_becomes_a_circle) {
  enum { N = 24 };
  double node[3 * N], rest[N];
  elastica_rod *rod = NULL;
  elastica_world *world = make_world(NULL);
  for (int i = 0; i < N; i++) {
    const double angle = 2.0 * pi * i / N;
    set_vector(node, i, 0.15 * cos(angle), 0.08 * sin(angle), 0.03 * sin(2.0 * angle));
    rest[i] = 0.03;
  }
  DEFAULTS(rod, def);
  def.element_count = N;
  def.closed = 1;
  def.position = node;
  def.rest_length = rest;
  def.radius = 0.003;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  assert_true(relax(world).stable);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double centre[3] = {0.0, 0.0, 0.0}, radius = 0.0;
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 3; a++) centre[a] += view->position[a][i] / N;
  for (int i = 0; i < N; i++) {
    const double arm[3] = {view->position[0][i] - centre[0], view->position[1][i] - centre[1], view->position[2][i] - centre[2]};
    if (i == 0) radius = norm(arm);
    assert_close(norm(arm), radius, 1e-9);
    assert_close(view->length[i], 2.0 * radius * sin(pi / N), 1e-9);
  }
  assert_close(view->length[0], 0.03, 3e-4); /* bending stretches it a little */
  elastica_world_destroy(world);
}

/* Gazzola et al. 2018 (3.10): a clamped, twisted rod of 100 m with its ends 3 m closer, buckled into one helix. */
static void helix_node(double s, double node[3]) {
  const double m = 15.6833662153161, t = 73.4830163373097, q = sqrt(4.0 * t - m * m), reach = q / (2.0 * pi * t);
  node[0] = 100.0 * reach / cosh(pi * q * s) * sin(m * pi * s);
  node[1] = -100.0 * reach / cosh(pi * q * s) * cos(m * pi * s);
  node[2] = 100.0 * (s - reach * tanh(pi * q * s));
}

/* Transports d1 from one tangent to the next without twist, then turns it by the angle; writes the frame. */
static void carry(double d1[3], const double tangent[3], double angle, double frame[9]) {
  const double along = d1[0] * tangent[0] + d1[1] * tangent[1] + d1[2] * tangent[2];
  double d2[3];
  for (int a = 0; a < 3; a++) d1[a] -= along * tangent[a];
  const double size = norm(d1);
  for (int a = 0; a < 3; a++) d1[a] /= size;
  for (int a = 0; a < 3; a++) d2[a] = tangent[(a + 1) % 3] * d1[(a + 2) % 3] - tangent[(a + 2) % 3] * d1[(a + 1) % 3];
  for (int a = 0; a < 3; a++) {
    frame[a] = cos(angle) * d1[a] + sin(angle) * d2[a];
    frame[3 + a] = cos(angle) * d2[a] - sin(angle) * d1[a];
    frame[6 + a] = tangent[a];
  }
}

/* The energy hardly depends on the position of the buckle: the force towards the middle falls below rounding on the way. Steps of a
 * thousandth of the remaining distance would take 3000 evaluations. */
TEST(a_nearly_neutral_buckle_relaxes_in_few_evaluations) {
  enum { N = 150 };
  double node[3 * (N + 1)], frame[9 * N], rest[N], shear[3 * N], bend[3 * N], d1[3] = {1.0, 0.0, 0.0};
  elastica_rod *rod = NULL;
  elastica_world_def options = default_world();
  options.exact_couple = 1;
  elastica_world *world = make_world(&options);
  for (int i = 0; i <= N; i++) helix_node((double)i / N - 0.64, node + 3 * i);
  node[component(0, X)] = node[component(0, Y)] = node[component(N, X)] = node[component(N, Y)] = 0.0;
  for (int j = 0; j < N; j++) {
    double tangent[3];
    for (int a = 0; a < 3; a++) tangent[a] = node[component(j + 1, a)] - node[component(j, a)];
    const double size = norm(tangent);
    for (int a = 0; a < 3; a++) tangent[a] = j % (N - 1) > 0 ? tangent[a] / size : a == 2; /* the ends are held straight */
    carry(d1, tangent, 1.3253831235 / 0.789 * 100.0 * (j + 0.5) / N, frame + 9 * j);       /* M/beta per length */
    rest[j] = 100.0 / N;
    for (int a = 0; a < 3; a++) shear[3 * j + a] = 1e5, bend[3 * j + a] = a < 2 ? 1.345 : 0.789;
  }
  DEFAULTS(rod, def);
  def.element_count = N;
  def.position = node;
  def.director = frame;
  def.rest_length = rest;
  def.radius = 0.35;
  def.density = 1.0 / (pi * 0.35 * 0.35);
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  must(world, elastica_world_add_rod(world, &def, &rod));
  for (int end = 0; end < 2; end++) {
    DEFAULTS(boundary, clamp);
    clamp.node = end == 0 ? 0 : -1;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  const elastica_relax_result result = relax(world);
  must(world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  int steepest = 0;
  for (int j = 0; j < N; j++)
    if (view->tangent[2][j] < view->tangent[2][steepest]) steepest = j;
  assert_true(result.evaluations <= 1500);
  assert_true(steepest < 90); /* 96 initially */
  elastica_world_destroy(world);
}
