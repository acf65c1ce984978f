/* Shapes of open rods: frames transported without twist, and rest strains of the initial shape. */
#include "base/target.h"

#include "shaped.h"

/* ---- Straight rods ---- */

TEST(a_straight_rod_lies_as_defined) {
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = material_def(7);
  def.start[0] = 1.0, def.start[1] = -2.0, def.start[2] = 0.5;
  def.direction[0] = 3.0, def.direction[1] = 0.0, def.direction[2] = 4.0;
  def.normal[0] = 1.0, def.normal[1] = 5.0, def.normal[2] = 1.0;
  const elastica_rod_view *view = add(world, &def);
  for (int i = 0; i <= 7; i++) {
    assert_close(view->position[0][i], 1.0 + 0.6 * 2.0 * i / 7, 1e-15);
    assert_close(view->position[1][i], -2.0, 0.0);
    assert_close(view->position[2][i], 0.5 + 0.8 * 2.0 * i / 7, 1e-15);
  }
  claim_frames(view);
  double d1[3], d2[3];
  for (int j = 0; j < 7; j++) {
    /* the part of (1, 5, 1) that is normal to (3, 0, 4)/5 is (0.16, 5, -0.12), of length sqrt(25.04) */
    const double expected[3] = {0.16 / sqrt(25.04), 5.0 / sqrt(25.04), -0.12 / sqrt(25.04)};
    director_of(view, 0, j, d1);
    assert_all_close(d1, expected, 3, 2e-16);
    assert_true(view->rest_length[j] == 2.0 / 7);
    director_of(view, 1, j, d2);
    assert_close(d2[0] * 3.0 + d2[2] * 4.0, 0.0, 1e-15);
  }
  elastica_world_destroy(world);
}

TEST(the_default_normal_is_an_axis) {
  const double direction[][3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {1.0, 0.0, 1.0}, {0.5, 0.4, 0.0}};
  const double expected[][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 5; k++) {
    double d1[3];
    elastica_rod_def def = material_def(1);
    memcpy(def.direction, direction[k], sizeof def.direction);
    director_of(add(world, &def), 0, 0, d1);
    assert_all_close(d1, expected[k], 3, 0.0);
  }
  elastica_world_destroy(world);
}

/* A normal almost along the tangent gives an orthonormal frame, too. */
TEST(a_normal_may_lean_far_over) {
  elastica_world *world = make_world(NULL);
  for (int k = 1; k <= 5; k++) {
    elastica_rod_def def = material_def(1);
    double d1[3];
    const double direction[3] = {0.3, -0.7, 0.2}, aside[3] = {0.7, 0.3, 0.0};
    for (int a = 0; a < 3; a++) def.direction[a] = direction[a], def.normal[a] = direction[a] + pow(0.1, k) * aside[a];
    const elastica_rod_view *view = add(world, &def);
    claim_frames(view);
    director_of(view, 0, 0, d1);
    for (int a = 0; a < 3; a++) assert_close(d1[a], aside[a] / norm(aside), 1e-15 * pow(10.0, k));
  }
  elastica_world_destroy(world);
}

/* Directions with squares beyond the range of a double are valid. */
TEST(the_length_of_the_direction_does_not_matter) {
  elastica_world *world = make_world(NULL);
  const double sizes[] = {1.0, 1e-300, 1e300, 0.37};
  for (int k = 0; k < 4; k++) {
    elastica_rod_def def = material_def(3);
    double end[3];
    for (int a = 0; a < 3; a++) def.direction[a] = sizes[k] * (a + 1.0);
    const elastica_rod_view *view = add(world, &def);
    for (int a = 0; a < 3; a++) end[a] = view->position[a][3] / 2.0;
    const double expected[3] = {1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0)};
    assert_all_close(end, expected, 3, 3e-16);
  }
  elastica_world_destroy(world);
}

/* ---- Parallel transport ---- */

/* In a plane curve the director along the normal of the plane is constant, and curvature is about that director only. */
TEST(plane_curves_do_not_twist) {
  static double position[3 * (MOST + 1)];
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = material_def(MOST);
  for (int i = 0; i <= MOST; i++) {
    const double angle = 8.0 * i / MOST, radius = 1.0 + angle; /* a spiral in the plane x = y */
    set_vector(position, i, radius * cos(angle) / sqrt(2.0), radius * cos(angle) / sqrt(2.0), radius * sin(angle));
  }
  def.position = position;
  def.normal[0] = 1.0, def.normal[1] = -1.0, def.normal[2] = 0.0;
  const elastica_rod_view *view = add(world, &def);
  claim_frames(view);
  for (int j = 0; j < MOST; j++) {
    double d1[3];
    const double expected[3] = {sqrt(0.5), -sqrt(0.5), 0.0};
    director_of(view, 0, j, d1);
    assert_all_close(d1, expected, 3, 1e-14);
  }
  for (int k = 0; k < MOST - 1; k++) {
    assert_close(view->curvature[1][k], 0.0, 1e-11);
    assert_close(view->curvature[2][k], 0.0, 1e-11);
    assert_true(fabs(view->curvature[0][k]) > 0.1);
  }
  elastica_world_destroy(world);
}

/* The frames of a helix do not twist; relative to its principal normal they turn back by the torsion, tau = p/(r^2 + p^2). */
TEST(a_helix_turns_by_its_torsion) {
  static double position[3 * (MOST + 1)];
  const double r = 0.3, p = 0.2, turns = 2.0;
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = material_def(MOST);
  for (int i = 0; i <= MOST; i++) {
    const double angle = 2.0 * pi * turns * i / MOST;
    set_vector(position, i, r * cos(angle), r * sin(angle), p * angle);
  }
  def.position = position;
  const elastica_rod_view *view = add(world, &def);
  claim_frames(view);
  double turned = 0.0;
  for (int k = 0; k < MOST - 1; k++) {
    const double x = view->curvature[0][k], y = view->curvature[1][k];
    assert_close(view->curvature[2][k], 0.0, 1e-11);
    assert_close(sqrt(x * x + y * y), r / (r * r + p * p), 1e-4); /* curvature of a helix */
    if (k == 0) continue;
    const double x0 = view->curvature[0][k - 1], y0 = view->curvature[1][k - 1];
    turned += atan2(x0 * y - y0 * x, x0 * x + y0 * y);
  }
  /* The curvature vector is the binormal; it turns about d3 by the torsion. */
  assert_close(turned, p / (r * r + p * p) * view->rest_length[0] * (MOST - 2), 1e-4);
  elastica_world_destroy(world);
}

/* A turn of the whole curve turns the frames with it. */
TEST(frames_turn_with_the_curve) {
  enum { N = 40 };
  double position[2][3 * (N + 1)], turn[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, normal[2][3] = {{0.3, 1.0, -0.2}, {0.0}};
  const double angle[3] = {0.7, -1.1, 0.4};
  const elastica_rod_view *view[2];
  random_source source = {7};
  elastica_world *world = make_world(NULL);
  turn_frame(angle, turn);
  for (int i = 0; i <= N; i++) {
    random_vector(&source, 0.4, position[0] + 3 * i);
    position[0][3 * i] += 0.5 * i;
    apply(turn, position[0] + 3 * i, position[1] + 3 * i);
  }
  apply(turn, normal[0], normal[1]);
  for (int k = 0; k < 2; k++) {
    elastica_rod_def def = material_def(N);
    def.position = position[k];
    memcpy(def.normal, normal[k], sizeof def.normal);
    elastica_rod *rod = NULL;
    must(world, elastica_world_add_rod(world, &def, &rod));
    view[k] = elastica_rod_get_view(rod);
  }
  for (int j = 0; j < N; j++) {
    for (int row = 0; row < 3; row++) {
      double before[3], after[3], expected[3];
      director_of(view[0], row, j, before);
      director_of(view[1], row, j, after);
      apply(turn, before, expected);
      assert_all_close(after, expected, 3, 1e-14);
    }
  }
  elastica_world_destroy(world);
}

/* ---- Rest ---- */

TEST(an_initial_shape_at_rest_is_free_of_stress) {
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, 30, 11, &recipe);
  for (int given = 0; given < 2; given++) {
    elastica_world *world = make_world(NULL);
    elastica_rod_def def = material_def(30);
    def.position = sample.position;
    def.director = given ? sample.director : NULL;
    def.rest_length = given ? sample.rest_length : NULL;
    def.rest = ELASTICA_REST_INITIAL;
    const elastica_rod_view *view = add(world, &def);
    double largest = 0.0;
    for (int a = 0; a < 3; a++) {
      for (int j = 0; j < 30; j++) assert_close(view->force[a][j] / view->shear_stiffness[a][j], 0.0, 1e-15);
      for (int k = 0; k < 29; k++) {
        assert_close(view->couple[a][k] / view->bend_stiffness[a][k], 0.0, 1e-13);
        assert_close(view->rest_curvature[a][k], view->curvature[a][k], 1e-13);
        if (fabs(view->curvature[a][k]) > largest) largest = fabs(view->curvature[a][k]);
      }
    }
    assert_true(largest > 0.1);
    elastica_world_destroy(world);
  }
}

TEST(a_straight_rest_bends_back) {
  const double position[] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 1.8};
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = material_def(2);
  def.position = position;
  const elastica_rod_view *view = add(world, &def);
  /* the tangent turns from z towards y by asin 0.6, about -x; the default d1 is x */
  assert_close(view->curvature[0][0], -asin(0.6), 4e-16);
  assert_close(view->rest_curvature[0][0], 0.0, 0.0);
  assert_close(view->couple[0][0], -view->bend_stiffness[0][0] * asin(0.6), 1e-12);
  elastica_world_destroy(world);
}

TEST(given_rest_strains_override_the_shape) {
  double curvature[6], strain[9];
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = material_def(3);
  for (int k = 0; k < 6; k++) curvature[k] = 0.1 * (k + 1);
  for (int k = 0; k < 9; k++) strain[k] = 0.01 * (k + 1);
  def.rest = ELASTICA_REST_INITIAL, def.rest_curvature = curvature, def.rest_strain = strain;
  const elastica_rod_view *view = add(world, &def);
  for (int a = 0; a < 3; a++) {
    for (int k = 0; k < 2; k++) assert_true(view->rest_curvature[a][k] == curvature[3 * k + a]);
    for (int j = 0; j < 3; j++) assert_true(view->rest_strain[a][j] == strain[3 * j + a]);
  }
  elastica_world_destroy(world);
}
