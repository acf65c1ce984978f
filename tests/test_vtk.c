/* Frames for ParaView: complete files, arrays of the stated length, and numbers in the right places. */
#include "base/target.h"

#include "vtk_reader.h"
#include "writing.h"

/* The value at point p of rod 0 is x, y, z up to rounding to single precision. */
static void assert_point(const char *text, const char *name, int p, double x, double y, double z) {
  double *values = read_array(text, 0, name, 3);
  const double expected[3] = {x, y, z}, tolerance = 1e-6 * (norm(expected) + 1e-6);
  assert_all_close(values + 3 * p, expected, 3, tolerance);
  free(values);
}

/* ---- Scenes -------------------------------------------------------------------------------------------------------------------------- */

enum { OPEN_ELEMENTS = 12, RING_ELEMENTS = 9 };

/* An open rod, a ring, and a rod of a single element, all bent and moving. */
static void add_three_rods(fixture *f) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, OPEN_ELEMENTS, 1, &recipe);
  add_sample(f->world, &sample);
  make_sample_ring(&sample, RING_ELEMENTS, 2);
  add_sample(f->world, &sample);
  make_sample(&sample, 1, 3, &recipe);
  add_sample(f->world, &sample);
}

/* A regular polygon in the plane z = 0: closed, or with its last edge missing. */
static elastica_rod *add_polygon(fixture *f, int edges, int closed) {
  double position[3 * SAMPLE_NODES] = {0.0};
  elastica_rod *rod = NULL;
  for (int i = 0; i < edges; i++) {
    set_vector(position, i, cos(2.0 * 3.14159265358979324 * i / edges), sin(2.0 * 3.14159265358979324 * i / edges), 0.0);
  }
  DEFAULTS(rod, def);
  def.element_count = closed ? edges : edges - 1;
  def.closed = closed;
  def.position = position;
  def.radius = 0.1;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(f->world, elastica_world_add_rod(f->world, &def, &rod));
  return rod;
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

TEST_WITH_FRAMES(arrays_are_as_long_as_the_points_are_many) {
  static const char *const vectors[] = {"velocity",  "internal_force", "d1",     "d2",    "d3",
                                        "curvature", "couple",         "strain", "force", "internal_couple"};
  const int points[3] = {OPEN_ELEMENTS + 1, RING_ELEMENTS + 1, 2};
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  assert_well_formed(text);
  for (int r = 0; r < 3; r++) {
    const char *piece = find_piece(text, r);
    assert_int_equal(attribute(piece, "NumberOfPoints"), points[r]);
    assert_int_equal(attribute(piece, "NumberOfLines"), 1);
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) free(read_array(text, r, vectors[v], 3));
    free(read_array(text, r, "radius", 1));
    free(read_array(text, r, "position", 3));
    double *number = read_array(text, r, "rod", 1);
    for (int p = 0; p < points[r]; p++) assert_true(number[3 * p] == r);
    free(number);
  }
  assert_null(strstr(find_elements(text, 2) + 1, "<Piece "));
  free(text);
}

/* One line through the points in order. */
TEST_WITH_FRAMES(a_rod_is_one_line) {
  const int points[3] = {OPEN_ELEMENTS + 1, RING_ELEMENTS + 1, 2};
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    size_t count;
    unsigned char *bytes = array_bytes(find_array(find_piece(text, r), "connectivity"), &count);
    assert_int_equal(count, 8 * (size_t)points[r]);
    for (int64_t p = 0; p < points[r]; p++) assert_memory_equal(bytes + 8 * p, &p, 8);
    free(bytes);
    const int64_t end = points[r];
    bytes = array_bytes(find_array(find_piece(text, r), "offsets"), &count);
    assert_int_equal(count, 8);
    assert_memory_equal(bytes, &end, 8);
    free(bytes);
  }
  free(text);
}

/* Positions to the bit; other values of nodes to single precision. A ring's last point is its first node. */
TEST_WITH_FRAMES(points_are_the_nodes) {
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double *position = read_array(text, r, "position", 3), *velocity = read_array(text, r, "velocity", 3);
    double *force = read_array(text, r, "internal_force", 3);
    for (int p = 0; p < attribute(find_piece(text, r), "NumberOfPoints"); p++) {
      const int i = p < view->node_count ? p : 0;
      for (int a = 0; a < 3; a++) {
        assert_true(position[3 * p + a] == view->position[a][i]);
        assert_true(velocity[3 * p + a] == (float)view->velocity[a][i]);
        assert_true(force[3 * p + a] == (float)view->internal_force[a][i]);
      }
    }
    free(position), free(velocity), free(force);
  }
  free(text);
}

TEST_WITH_FRAMES(a_node_has_the_mean_radius_of_its_elements) {
  const double position[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0}, radius[3] = {0.1, 0.2, 0.4};
  const double expected[4] = {0.1, 0.15, 0.3, 0.4};
  fixture *f = *state;
  DEFAULTS(rod, def);
  def.element_count = 3;
  def.position = position;
  def.element_radius = radius;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  char *text = frame_text(f);
  double *found = read_array(text, 0, "radius", 1);
  for (int p = 0; p < 4; p++) assert_close(found[3 * p], expected[p], 1e-7);
  free(found);
  free(text);
}

/* kappa = (2 pi/n)/(2 sin(pi/n)) and tau = E I kappa about the normal of the plane, at any angle of d1 and d2. */
TEST_WITH_FRAMES(a_polygon_bends_alike_at_every_joint) {
  enum { EDGES = 16 };
  fixture *f = *state;
  for (int closed = 1; closed >= 0; closed--) add_polygon(f, EDGES, closed);
  char *text = frame_text(f);
  const double pi = 3.14159265358979324, kappa = pi / EDGES / sin(pi / EDGES), stiffness = 1e6 * pi * 1e-4 / 4.0;
  for (int r = 0; r < 2; r++) {
    double *curvature = read_array(text, r, "curvature", 3), *couple = read_array(text, r, "couple", 3);
    const int last = r == 0 ? EDGES : EDGES - 1;
    for (int p = 0; p <= last; p++) {
      const int end = r == 1 && (p == 0 || p == last);
      assert_close(norm(curvature + 3 * p), end ? 0.0 : kappa, 1e-6 * kappa);
      assert_close(norm(couple + 3 * p), end ? 0.0 : stiffness * kappa, 1e-6 * stiffness * kappa);
    }
    free(curvature), free(couple);
  }
  free(text);
}

/* Directors of a node are those of the edge behind it; the last node has those of the edge before it. */
TEST_WITH_FRAMES(frames_follow_the_edges) {
  enum { EDGES = 8 };
  fixture *f = *state;
  const elastica_rod_view *view = elastica_rod_get_view(add_polygon(f, EDGES, 0));
  char *text = frame_text(f);
  double *d[3] = {read_array(text, 0, "d1", 3), read_array(text, 0, "d2", 3), read_array(text, 0, "d3", 3)};
  for (int p = 0; p < EDGES; p++) {
    const int j = p < EDGES - 1 ? p : EDGES - 2;
    const double tangent[3] = {view->tangent[0][j], view->tangent[1][j], view->tangent[2][j]};
    double third[3];
    cross(d[0] + 3 * p, d[1] + 3 * p, third);
    assert_all_close(third, tangent, 3, 1e-6);
    assert_all_close(d[2] + 3 * p, tangent, 3, 1e-6);
  }
  for (int a = 0; a < 3; a++) free(d[a]);
  free(text);
}

/* Stretched by e: sigma = e - 1, n = E A (e - 1)/e (2.11) along d3, inward forces at the ends, the rod thinner by sqrt(e). */
TEST_WITH_FRAMES(a_stretched_rod_shows_its_tension) {
  enum { N = 5 };
  const double e = 1.25, modulus = 1e6, radius = 0.1, tension = modulus * 3.14159265358979324 * radius * radius * (e - 1.0);
  fixture *f = *state;
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, radius, 1000.0, modulus, 0.4e6);
  double position[3 * (N + 1)] = {0.0};
  for (int i = 0; i <= N; i++) position[component(i, Z)] = e * i / N;
  must(f->world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  char *text = frame_text(f);
  for (int p = 0; p <= N; p++) {
    assert_point(text, "strain", p, 0.0, 0.0, e - 1.0);
    assert_point(text, "force", p, 0.0, 0.0, tension);
    assert_point(text, "internal_force", p, 0.0, 0.0, p == 0 ? tension : p == N ? -tension : 0.0);
    assert_point(text, "curvature", p, 0.0, 0.0, 0.0);
  }
  double *radii = read_array(text, 0, "radius", 1);
  assert_close(radii[0], radius / sqrt(e), 1e-7);
  free(radii), free(text);
}

TEST_WITH_FRAMES(values_of_elements_are_averaged_at_nodes) {
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int n = view->element_count;
    double *found = read_array(text, r, "internal_couple", 3);
    for (int a = 0; a < 3; a++) {
      const double *couple = view->internal_couple[a];
      const double first = view->closed ? 0.5 * (couple[n - 1] + couple[0]) : couple[0], last = view->closed ? first : couple[n - 1];
      assert_close(found[a], first, 1e-6 * fabs(first));
      for (int p = 1; p < n; p++) assert_close(found[3 * p + a], 0.5 * couple[p - 1] + 0.5 * couple[p], 1e-6 * (fabs(couple[p]) + 1e-3));
      assert_close(found[3 * n + a], last, 1e-6 * fabs(last));
    }
    free(found);
  }
  free(text);
}
