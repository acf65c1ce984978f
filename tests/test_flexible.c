/* Claims about rods without any bending or torsional stiffness: chains and threads; only shear turns their frames with the edges. */
#include "measured.h"
#include "support.h"

enum { MOST = 80 };

/* A thread of length 1 with nodes at x(s), z(s); stiff in shear and stretch. */
static elastica_rod *add_thread(elastica_world *world, int n, const double *position, double stiffness) {
  double bend[3 * MOST] = {0}, shear[3 * MOST], rest[MOST];
  elastica_rod *rod = NULL;
  for (int j = 0; j < n; j++) {
    rest[j] = 1.0 / n;
    for (int a = 0; a < 3; a++) shear[3 * j + a] = stiffness;
  }
  DEFAULTS(rod, def);
  def.element_count = n;
  def.position = position;
  def.rest_length = rest;
  def.radius = 0.01;
  def.density = 1000.0;
  def.bend_stiffness = bend;
  def.shear_stiffness = shear;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static void hang(elastica_world *world, elastica_rod *rod, int both) {
  const double down[3] = {0.0, 0.0, -9.81};
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pin.node = -1;
  if (both) must(world, elastica_add_boundary(world, rod, &pin, NULL));
  must(world, elastica_add_gravity(world, down, NULL));
}

static double sag(int n) {
  double position[3 * (MOST + 1)];
  elastica_world *world = make_world(NULL);
  for (int i = 0; i <= n; i++) {
    position[3 * i] = 0.8 * i / n;
    position[3 * i + 1] = 0.0;
    position[3 * i + 2] = -0.25 * sin(acos(-1.0) * i / n);
  }
  elastica_rod *rod = add_thread(world, n, position, 1e8);
  hang(world, rod, 1);
  elastica_relax_result result;
  must(world, elastica_world_relax(world, NULL, &result));
  assert_int_equal(result.stable, 1);
  const double depth = -elastica_rod_get_view(rod)->position[2][n / 2];
  elastica_world_destroy(world);
  return depth;
}

/* A catenary of length 1 over a span of 0.8 sags by 0.2654375; chains of n links differ by a term of second order. */
TEST(a_thread_relaxes_to_the_catenary) {
  const double coarse = sag(40), fine = sag(80);
  assert_close(fine + (fine - coarse) / 3.0, 0.2654375, 1e-7);
  assert_true(fabs(fine - 0.2654375) < 3e-5);
}

/* Released from a slope of one in ten, the thread swings: energy is conserved, and the directors follow the edges. */
TEST(a_swinging_thread_keeps_its_energy) {
  enum { N = 20 };
  double position[3 * (N + 1)];
  elastica_world *world = make_world(NULL);
  for (int i = 0; i <= N; i++) {
    position[3 * i] = i / (sqrt(101.0) * N);
    position[3 * i + 1] = 0.0;
    position[3 * i + 2] = -10.0 * i / (sqrt(101.0) * N);
  }
  elastica_rod *rod = add_thread(world, N, position, 1e3);
  hang(world, rod, 0);
  const double before = total_energy(world);
  double most = 0.0, least = 1.0;
  for (int k = 0; k < 40; k++) {
    must(world, elastica_world_advance(world, 0.05));
    most = fmax(most, fabs(total_energy(world) - before));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j < N; j++) {
      double along = 0.0;
      for (int a = 0; a < 3; a++) along += view->director[2][a][j] * view->tangent[a][j];
      least = fmin(least, along);
    }
  }
  assert_true(most < 1e-4 * 3.08); /* J: the weight of the thread times its length */
  assert_true(least > 1.0 - 1e-4);
  elastica_world_destroy(world);
}

/* No stiffness resists the folding of a joint: the run of a whip ends at a fold, with a sentence. */
TEST(a_joint_of_a_whip_that_folds_is_named) {
  enum { N = 20 };
  double position[3 * (N + 1)] = {0};
  elastica_world *world = make_world(NULL);
  elastica_status status = ELASTICA_OK;
  for (int i = 0; i <= N; i++) position[3 * i] = (double)i / N;
  hang(world, add_thread(world, N, position, 100.0), 0);
  for (int k = 0; k < 40 && status == ELASTICA_OK; k++) status = elastica_world_advance(world, 0.05);
  assert_int_equal(status, ELASTICA_JOINT_TOO_FAR);
  elastica_world_destroy(world);
}
