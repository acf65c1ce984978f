/* Rings: frames close, and no joint is special. Open rods with an end frame half a turn from the first frame of the next rod. */
#include "base/target.h"

#include "shaped.h"

TEST(a_circle_bends_evenly_and_does_not_twist) {
  enum { N = 24 };
  double position[3 * N];
  elastica_world *world = make_world(NULL);
  for (int i = 0; i < N; i++) {
    set_vector(position, i, cos(2.0 * pi * i / N), 0.0, sin(2.0 * pi * i / N));
  }
  elastica_rod_def def = material_def(N);
  def.closed = 1;
  def.position = position;
  const elastica_rod_view *view = add(world, &def);
  assert_int_equal(view->node_count, N);
  assert_int_equal(view->element_count, N);
  assert_int_equal(view->joint_count, N);
  claim_frames(view);
  const double edge = 2.0 * sin(pi / N);
  double mass = 0.0;
  for (int k = 0; k < N; k++) {
    const double x = view->curvature[0][k], y = view->curvature[1][k];
    assert_close(view->rest_length[k], edge, 1e-15);
    assert_close(sqrt(x * x + y * y), 2.0 * pi / N / edge, 1e-14);
    assert_close(view->curvature[2][k], 0.0, 1e-14);
    mass += view->mass[k];
  }
  assert_close(mass, 1000.0 * pi * 0.02 * 0.02 * N * edge, 1e-13);
  elastica_world_destroy(world);
}

/* Solid angle that the tangents of a closed polygon enclose on the unit sphere: the sum of spherical triangles (van Oosterom, Strackee). */
static double solid_angle(const double *position, int n) {
  double apex[3] = {0.0, 0.0, 1.0}, total = 0.0;
  for (int j = 0; j < n; j++) {
    double t[2][3], normal[3];
    for (int k = 0; k < 2; k++) {
      for (int a = 0; a < 3; a++) t[k][a] = position[3 * ((j + k + 1) % n) + a] - position[3 * ((j + k) % n) + a];
      const double length = norm(t[k]);
      for (int a = 0; a < 3; a++) t[k][a] /= length;
    }
    cross(t[0], t[1], normal);
    total += 2.0 * atan2(dot(apex, normal), 1.0 + dot(apex, t[0]) + dot(t[0], t[1]) + dot(t[1], apex));
  }
  return total;
}

/* Parallel transport around a closed curve turns a frame by the solid angle of the tangents. The ring distributes this turn as an even
 * twist of opposite sense: every joint, the closing one included, has the same. Elements are uneven because nodes are at even angles. */
TEST(a_ring_in_space_twists_evenly_to_close) {
  static double position[3 * MOST];
  elastica_world *world = make_world(NULL);
  double length = 0.0;
  for (int i = 0; i < MOST; i++) {
    const double angle = 2.0 * pi * i / MOST;
    set_vector(position, i, 1.5 * cos(angle), sin(angle), 0.4 * sin(2.0 * angle) + 0.2 * cos(3.0 * angle));
  }
  elastica_rod_def def = material_def(MOST);
  def.closed = 1;
  def.position = position;
  const elastica_rod_view *view = add(world, &def);
  claim_frames(view);
  for (int j = 0; j < MOST; j++) length += view->length[j];
  const double twist = -remainder(solid_angle(position, MOST), 2.0 * pi);
  assert_true(fabs(twist) > 0.2);
  for (int k = 0; k < MOST; k++) assert_close(view->curvature[2][k], twist / length, 1e-5);
  elastica_world_destroy(world);
}

/* Beginning the same ring at another node gives the same bending at all joints, and the same even twist. */
TEST(no_joint_of_a_ring_is_special) {
  enum { N = 50, SHIFT = 17 };
  double position[2][3 * N], size[2][N], twist[2][N];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    for (int i = 0; i < N; i++) {
      const double angle = 2.0 * pi * ((i + k * SHIFT) % N) / N;
      set_vector(position[k], i, cos(angle), sin(angle), 0.5 * sin(2.0 * angle + 0.3));
    }
    elastica_rod_def def = material_def(N);
    def.closed = 1;
    def.position = position[k];
    def.rest = ELASTICA_REST_INITIAL;
    const elastica_rod_view *view = add(world, &def);
    for (int j = 0; j < N; j++) {
      const int same = (j + k * SHIFT) % N;
      size[k][same] = hypot(view->curvature[0][j], view->curvature[1][j]);
      twist[k][same] = view->curvature[2][j];
      for (int a = 0; a < 3; a++) assert_close(view->couple[a][j], 0.0, 1e-12);
    }
    elastica_world_destroy(world);
  }
  assert_all_close(size[0], size[1], N, 1e-13);
  assert_all_close(twist[0], twist[1], N, 1e-13);
}

/* Between two rods the kernels compare unrelated frames; at half a turn the angle has no axis. A bent joint elsewhere selects the
 * formula for wide angles. */
TEST(ends_may_lie_half_a_turn_from_the_next_rod) {
  const double bend = 0.7, position[9] = {0.0, 0.0, 0.0, 0.0, 0.0, -1.0, sin(bend), 0.0, -1.0 - cos(bend)};
  for (int half = 0; half < 2; half++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    DEFAULTS(rod, def);
    def.radius = 0.05;
    def.density = 1000.0;
    def.youngs_modulus = 1e6;
    def.element_count = 2;
    def.position = position;
    must(world, elastica_world_add_rod(world, &def, &rod[0]));
    def.position = NULL;
    def.direction[2] = half ? 1.0 : -1.0;
    def.length = 2.0;
    must(world, elastica_world_add_rod(world, &def, &rod[1]));
    for (int r = 0; r < 2; r++) {
      const elastica_rod_view *view = elastica_rod_get_view(rod[r]);
      must(world, elastica_rod_refresh(rod[r]));
      for (int a = 0; a < 3; a++)
        for (int j = 0; j < 2; j++) assert_true(isfinite(view->internal_couple[a][j]));
    }
    must(world, elastica_world_step(world, 1e-5, 10));
    elastica_world_destroy(world);
  }
}
