/* Meshes: distances agree with closed forms and with a search over all triangles; gradients are slopes, and change no faster than the
 * curvatures of convex edges and fillets; triangles that bound no solid are refused by name. */
#include "support.h"

#include "effects/mesh.h"
#include "meshes.h"

#include <math.h>

static mesh_data data;

static eli_mesh *make_mesh(elastica_world *world, elastica_side side, double thickness, double fillet) {
  elastica_obstacle_def def = mesh_def(&data, side, 1.0, fillet);
  eli_mesh *mesh = NULL;
  def.thickness = thickness;
  must(world, eli_mesh_create(world, &def, &mesh));
  return mesh;
}

/* The distance from a box of these half edges. */
static double distance_of_box(const double half[3], const double x[3]) {
  double beyond[3], outside = 0.0, inside = -INFINITY;
  for (int a = 0; a < 3; a++) {
    beyond[a] = fabs(x[a]) - half[a];
    if (beyond[a] > 0.0) outside += beyond[a] * beyond[a];
    inside = fmax(inside, beyond[a]);
  }
  return outside > 0.0 ? sqrt(outside) : inside;
}

TEST(a_box_from_outside_is_a_box) {
  elastica_world *world = make_world(NULL);
  const double half[3] = {0.5, 1.0, 0.3};
  random_source source = {1};
  mesh_box(&data, 1.0, 2.0, 0.6);
  eli_mesh *mesh = make_mesh(world, ELASTICA_SIDE_OUTSIDE, 0.0, 0.2);
  for (int trial = 0; trial < 2000; trial++) {
    const double x[3] = {random_between(&source, -1.0, 1.0), random_between(&source, -1.5, 1.5), random_between(&source, -1.0, 1.0)};
    double gradient[3];
    assert_close(eli_mesh_distance(mesh, x, gradient), distance_of_box(half, x), 1e-13);
  }
  eli_mesh_destroy(mesh);
  elastica_world_destroy(world);
}

/* From inside, a box with rounded edges and corners: its walls are a fillet away from a smaller box. */
TEST(a_room_has_rounded_edges) {
  elastica_world *world = make_world(NULL);
  const double fillet = 0.2, smaller[3] = {0.5 - fillet, 1.0 - fillet, 0.3 - fillet};
  random_source source = {2};
  mesh_box(&data, 1.0, 2.0, 0.6);
  eli_mesh *mesh = make_mesh(world, ELASTICA_SIDE_INSIDE, 0.0, fillet);
  for (int trial = 0; trial < 2000; trial++) {
    const double x[3] = {random_between(&source, -0.49, 0.49), random_between(&source, -0.99, 0.99), random_between(&source, -0.29, 0.29)};
    double gradient[3];
    const double from_smaller = distance_of_box(smaller, x);
    if (from_smaller <= 0.0) continue;
    assert_close(eli_mesh_distance(mesh, x, gradient), fillet - from_smaller, 1e-11);
  }
  eli_mesh_destroy(mesh);
  elastica_world_destroy(world);
}

/* In the reach of the centre lines of rods, gradients are slopes, and differ between two points by at most the curvature times the way
 * between them: that of convex edges, of fillets, or of the ends of grooves. */
static void check_smooth(elastica_side side, double thickness, double fillet, double reach, unsigned seed) {
  elastica_world *world = make_world(NULL);
  eli_mesh *mesh = make_mesh(world, side, thickness, fillet);
  random_source source = {seed};
  int checked = 0;
  for (int trial = 0; trial < 20000; trial++) {
    double x[3], way[3], next[3], gradient[3], turned[3], sharp[3], slope = 0.0, change2 = 0.0, way2 = 0.0;
    for (int a = 0; a < 3; a++) x[a] = random_between(&source, -reach, reach), way[a] = fillet * random_between(&source, -1e-4, 1e-4);
    const double here = eli_mesh_distance(mesh, x, gradient);
    if (!(here > 0.6 * fillet && here < 0.9 * fillet)) continue;
    assert_true(here <= sharp_distance(mesh, x, sharp) + 1e-15);
    for (int a = 0; a < 3; a++) next[a] = x[a] + way[a];
    const double there = eli_mesh_distance(mesh, next, turned);
    for (int a = 0; a < 3; a++) {
      slope += 0.5 * (gradient[a] + turned[a]) * way[a];
      change2 += (turned[a] - gradient[a]) * (turned[a] - gradient[a]);
      way2 += way[a] * way[a];
    }
    const double curvature = fmax(1.0 / (fillet - here), 4.0 / fillet);
    if (!(fabs(there - here - slope) <= 0.26 * curvature * way2)) fail_msg("seed %u: %g against %g", seed, there - here, slope);
    if (!(change2 <= 1.1 * curvature * curvature * way2))
      fail_msg("seed %u: at (%.9g, %.9g, %.9g), %g away: the gradient changes by %g over %g", seed, x[0], x[1], x[2], here, sqrt(change2),
               sqrt(way2));
    checked++;
  }
  assert_true(checked > 300);
  eli_mesh_destroy(mesh);
  elastica_world_destroy(world);
}

static double waves(double x, double y) {
  return 0.1 * sin(5.0 * x) * cos(4.0 * y);
}

/* Roofs of different heights: convex and concave edges and corners of all kinds. */
static double roofs(double x, double y) {
  return 0.15 * sin(1e3 * x + 700.0 * y * y);
}

TEST(distances_are_smooth) {
  mesh_box(&data, 1.0, 2.0, 0.6);
  check_smooth(ELASTICA_SIDE_OUTSIDE, 0.0, 0.2, 1.1, 3);
  check_smooth(ELASTICA_SIDE_INSIDE, 0.0, 0.2, 1.0, 4);
  mesh_angle(&data, 0.5);
  check_smooth(ELASTICA_SIDE_OUTSIDE, 0.0, 0.2, 1.1, 5);
  mesh_ball(&data, 1.0, 20);
  check_smooth(ELASTICA_SIDE_INSIDE, 0.0, 0.3, 1.0, 6);
  check_smooth(ELASTICA_SIDE_OUTSIDE, 0.0, 0.3, 1.3, 7);
  mesh_sheet(&data, 2.0, 30, waves);
  check_smooth(ELASTICA_SIDE_BOTH, 0.02, 0.2, 1.0, 8);
  mesh_sheet(&data, 2.0, 6, roofs);
  check_smooth(ELASTICA_SIDE_BOTH, 0.0, 0.15, 1.0, 9);
}

/* A finer mesh of a ball gives its distances from both sides. */
TEST(fine_meshes_converge) {
  elastica_world *world = make_world(NULL);
  double worst[2][2];
  for (int fine = 0; fine < 2; fine++)
    for (int side = 0; side < 2; side++) {
      random_source source = {10};
      mesh_ball(&data, 1.0, fine ? 40 : 20);
      eli_mesh *mesh = make_mesh(world, side ? ELASTICA_SIDE_INSIDE : ELASTICA_SIDE_OUTSIDE, 0.0, 0.3);
      worst[fine][side] = 0.0;
      for (int trial = 0; trial < 2000; trial++) {
        double x[3], gradient[3];
        random_vector(&source, 1.0, x);
        const double size = norm(x), wanted = random_between(&source, 0.05, 0.25), distance = side ? 1.0 - wanted : 1.0 + wanted;
        for (int a = 0; a < 3; a++) x[a] *= distance / size;
        worst[fine][side] = fmax(worst[fine][side], fabs(eli_mesh_distance(mesh, x, gradient) - wanted));
      }
      eli_mesh_destroy(mesh);
    }
  for (int side = 0; side < 2; side++) {
    assert_true(worst[0][side] < 0.02);
    assert_true(worst[1][side] < 0.35 * worst[0][side]);
  }
  elastica_world_destroy(world);
}

/* Far away the mesh is a point; distances are finite as long as the point is, and nan beyond. */
TEST(far_points_are_far_away) {
  static const double directions[][3] = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {1.0, 2.0, -2.0}, {2.0, -1.0, 0.0}};
  static const double lengths[] = {1.0, 1.0, 3.0, 2.2360679774997896964};
  elastica_world *world = make_world(NULL);
  for (int side = ELASTICA_SIDE_OUTSIDE; side <= ELASTICA_SIDE_BOTH; side++) {
    mesh_box(&data, 1.0, 2.0, 0.6);
    eli_mesh *mesh = make_mesh(world, (elastica_side)side, 0.0, 0.1);
    const double sign = side == ELASTICA_SIDE_INSIDE ? -1.0 : 1.0;
    for (double size = 1e3; size < 1e307; size *= 1e3)
      for (int k = 0; k < 4; k++) {
        double x[3], gradient[3], sharp[3];
        const double length = size * lengths[k];
        for (int a = 0; a < 3; a++) x[a] = size * directions[k][a];
        const double distance = eli_mesh_distance(mesh, x, gradient);
        assert_true(fabs(distance / length - sign) <= 2.0 / length + 1e-14);
        if (side == ELASTICA_SIDE_INSIDE) continue; /* no ball reaches these points */
        assert_close(sharp_distance(mesh, x, sharp) / length, sign, 2.0 / length + 1e-14);
        for (int a = 0; a < 3; a++) assert_close(sharp[a], sign * x[a] / length, 2.0 / length + 1e-14);
        for (int a = 0; a < 3; a++) assert_close(gradient[a], sign * x[a] / length, 2.0 / length + 1e-14);
      }
    for (int k = 0; k < 6; k++) {
      double x[3] = {0.0, 0.1, 0.2}, gradient[3];
      x[k % 3] = k < 3 ? NAN : -INFINITY;
      assert_true(isnan(eli_mesh_distance(mesh, x, gradient)));
      assert_true(isnan(sharp_distance(mesh, x, gradient)));
    }
    eli_mesh_destroy(mesh);
  }
  elastica_world_destroy(world);
}

/* Lengths in any unit: distances grow with the mesh. */
TEST(meshes_have_any_size) {
  elastica_world *world = make_world(NULL);
  for (double size = 1e-29; size < 1e30; size *= 1e4) {
    const double x[3] = {0.4 * size, 1.3 * size, 0.35 * size};
    double gradient[3];
    mesh_box(&data, size, 2.0 * size, 0.6 * size);
    eli_mesh *mesh = make_mesh(world, ELASTICA_SIDE_OUTSIDE, 0.0, 0.2 * size);
    assert_close(eli_mesh_distance(mesh, x, gradient) / size, sqrt(0.09 + 0.0025), 1e-13);
    eli_mesh_destroy(mesh);
  }
  elastica_world_destroy(world);
}

/* ---- Refusals ---- */

static void refuse(elastica_obstacle_def def, const char *first, const char *second) {
  elastica_world *world = make_world(NULL);
  elastica_effect *effect = NULL;
  assert_int_equal(elastica_add_obstacle(world, NULL, &def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), first, second);
  elastica_world_destroy(world);
}

static elastica_obstacle_def box_def(void) {
  mesh_box(&data, 1.0, 2.0, 0.6);
  return mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.1);
}

TEST(meshes_that_bound_no_solid_are_refused) {
  elastica_obstacle_def def = box_def();
  data.triangles[16] = 8;
  refuse(def, "triangle 5", "point 8, outside 0..7");
  def = box_def(), data.triangles[16] = -1;
  refuse(def, "triangle 5", "point -1, outside 0..7");
  def = box_def(), data.triangles[3] = data.triangles[4];
  refuse(def, "triangle 1 is degenerate", "on a line");
  def = box_def(), def.triangle_count--;
  refuse(def, "belongs to one triangle only", "BOTH");
  def = box_def();
  const int kept = data.triangles[3];
  data.triangles[3] = data.triangles[4], data.triangles[4] = kept;
  for (int t = 0; t < data.triangle_count; t++) {
    int met = 0;
    for (int k = 0; k < 3; k++) met += data.triangles[3 * t + k] == 0 || data.triangles[3 * t + k] == 4;
    assert_int_equal(met == 2, t == 1 || t == 6);
  }
  refuse(def, "triangles 1 and 6 run edge (0, 4)", "same direction");
  def = box_def();
  for (int t = 0; t < data.triangle_count; t++) {
    const int first = data.triangles[3 * t];
    data.triangles[3 * t] = data.triangles[3 * t + 1], data.triangles[3 * t + 1] = first;
  }
  refuse(def, "face inwards", "volume of -1.2 m^3");
  def = box_def();
  mesh_triangle(&data, data.triangles[0], data.triangles[1], 6), def.triangle_count++;
  refuse(def, "belongs to 3 triangles", "12");
  def = box_def(), data.points[7] = NAN;
  refuse(def, "obstacle_def.points[7]", "not finite");
  def = box_def(), data.points[7] = -1e80;
  refuse(def, "obstacle_def.points[7] is -1e+80 m", "more than 1e+30 m");
  def = box_def(), data.points[7] = 1e160;
  refuse(def, "obstacle_def.points[7] is 1e+160 m", "more than 1e+30 m");
  mesh_box(&data, 1e-40, 1e-40, 1e-40), def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.1);
  refuse(def, "triangle 0 has edges of", "less than 1e-30 m");
}

TEST(bad_definitions_are_refused) {
  elastica_obstacle_def def = box_def();
  def.points = NULL;
  refuse(def, "obstacle_def.points", "not set");
  def = box_def(), def.triangles = NULL;
  refuse(def, "obstacle_def.triangles", "not set");
  def = box_def(), def.point_count = 2;
  refuse(def, "point_count is 2", "3 points");
  def = box_def(), def.triangle_count = 0;
  refuse(def, "triangle_count is 0", "triangles");
  def = box_def(), def.triangle_count = 2147483647;
  refuse(def, "triangle_count is 2147483647", "triangles");
  def = box_def(), def.side = ELASTICA_SIDE_BOTH, def.thickness = 1e40;
  refuse(def, "obstacle_def.thickness", "1e+40 m, more than 1e+30 m");
  def = box_def(), def.fillet = NAN;
  refuse(def, "obstacle_def.fillet", "not set");
  def = box_def(), def.fillet = -1.0;
  refuse(def, "obstacle_def.fillet", "positive");
  def = box_def(), def.fillet = 1e40;
  refuse(def, "obstacle_def.fillet", "1e+40 m, more than 1e+30 m");
  def = box_def(), def.surface_slope = 2.0;
  refuse(def, "surface_slope", "mesh");
  def = box_def(), def.thickness = 0.1;
  refuse(def, "obstacle_def.thickness", "BOTH");
  def = box_def(), def.thickness = -0.1;
  refuse(def, "obstacle_def.thickness", "-0.1");
  def = box_def(), def.kind = ELASTICA_OBSTACLE_RIGID;
  refuse(def, "MESH", "ELASTIC");
  def = box_def(), def.radii = data.points;
  refuse(def, "obstacle_def.radii", "mesh");
  def = box_def(), def.surface_curvature = 1.0;
  refuse(def, "surface_curvature", "mesh");
  def = box_def(), def.shape = ELASTICA_SHAPE_TUBE, def.triangles = NULL, def.triangle_count = 0, def.fillet = NAN;
  def.side = ELASTICA_SIDE_BOTH;
  refuse(def, "obstacle_def.side is BOTH", "tube");
  def = obstacle_of(ELASTICA_SHAPE_SPHERE, 1e5), def.fillet = 0.1;
  refuse(def, "obstacle_def.fillet", "sphere");
}
