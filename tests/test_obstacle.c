/* Distances to obstacles, compared with a search over their surfaces. */
#include "support.h"

#include "effects/solid.h"

#include <math.h>

enum { PATCHES = 6, CELLS = 40, ZOOMS = 14, SAMPLES = 80 };

static const double here[3] = {0.3, -0.2, 0.5};

/* A point of a patch of the surface in the obstacle's frame, for u, v in 0..1. Returns 0 if the obstacle has no such patch. */
static int surface(const eli_obstacle *body, int patch, double u, double v, double q[3]) {
  const double turn = 2.0 * acos(-1.0) * u, r = body->radius, h = body->half_length;
  switch (body->shape) {
  case ELASTICA_SHAPE_SPHERE:
    q[0] = r * sin(acos(-1.0) * v) * cos(turn), q[1] = r * sin(acos(-1.0) * v) * sin(turn), q[2] = r * cos(acos(-1.0) * v);
    return patch == 0;
  case ELASTICA_SHAPE_CAPSULE:
    if (patch == 0) {
      q[0] = r * cos(turn), q[1] = r * sin(turn), q[2] = h * (2.0 * v - 1.0);
    } else {
      const double up = 0.5 * acos(-1.0) * v;
      q[0] = r * sin(up) * cos(turn), q[1] = r * sin(up) * sin(turn), q[2] = (patch == 1 ? 1.0 : -1.0) * (h + r * cos(up));
    }
    return patch < 3;
  case ELASTICA_SHAPE_CYLINDER:
    if (patch == 0) {
      q[0] = r * cos(turn), q[1] = r * sin(turn), q[2] = h * (2.0 * v - 1.0);
    } else {
      q[0] = v * r * cos(turn), q[1] = v * r * sin(turn), q[2] = patch == 1 ? h : -h;
    }
    return patch < 3;
  case ELASTICA_SHAPE_BOX: {
    const int a = patch / 2, b = (a + 1) % 3, c = (a + 2) % 3;
    q[a] = patch % 2 ? body->half_edge[a] : -body->half_edge[a];
    q[b] = body->half_edge[b] * (2.0 * u - 1.0), q[c] = body->half_edge[c] * (2.0 * v - 1.0);
    return 1;
  }
  case ELASTICA_SHAPE_PLANE:
  default: return 0;
  }
}

static double between(double x) {
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* Smallest distance of a point of the obstacle's frame from the surface: a grid on each patch, then finer grids about its best cell. */
static double searched(const eli_obstacle *body, const double p[3]) {
  double least = INFINITY;
  for (int patch = 0; patch < PATCHES; patch++) {
    double u0 = 0.5, v0 = 0.5, width = 1.0;
    for (int zoom = 0; zoom < ZOOMS; zoom++) {
      double best = INFINITY, bu = u0, bv = v0;
      for (int i = 0; i <= CELLS; i++) {
        for (int k = 0; k <= CELLS; k++) {
          double q[3];
          const double turn = u0 + width * ((double)i / CELLS - 0.5); /* an angle continues beyond its seam */
          const double u = body->shape == ELASTICA_SHAPE_BOX ? between(turn) : turn, v = between(v0 + width * ((double)k / CELLS - 0.5));
          if (!surface(body, patch, u, v, q)) continue;
          const double gap[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
          if (norm(gap) >= best) continue;
          best = norm(gap), bu = u, bv = v;
        }
      }
      if (best < least) least = best;
      u0 = bu, v0 = bv, width *= 4.0 / CELLS;
    }
  }
  return least;
}

static int is_inside(const eli_obstacle *body, const double p[3]) {
  const double across = sqrt(p[0] * p[0] + p[1] * p[1]);
  if (body->shape == ELASTICA_SHAPE_SPHERE) return norm(p) < body->radius;
  if (body->shape == ELASTICA_SHAPE_CAPSULE) {
    const double beyond = fmax(fabs(p[2]) - body->half_length, 0.0);
    return across * across + beyond * beyond < body->radius * body->radius;
  }
  if (body->shape == ELASTICA_SHAPE_CYLINDER) return across < body->radius && fabs(p[2]) < body->half_length;
  return fabs(p[0]) < body->half_edge[0] && fabs(p[1]) < body->half_edge[1] && fabs(p[2]) < body->half_edge[2];
}

static void tilt(random_source *source, double q[9]) {
  double phi[3];
  const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  memcpy(q, identity, sizeof identity);
  random_vector(source, 2.0, phi);
  turn_frame_exactly(phi, q);
}

/* Transforms a point from the obstacle's frame to the laboratory. */
static void place(const double q[9], const double p[3], double x[3]) {
  apply_transposed(q, p, x);
  for (int a = 0; a < 3; a++) x[a] += here[a];
}

/* Random points in and about a body of random orientation: the distance equals the smallest distance of the search; the normal is a unit
 * vector in the direction of increasing distance and points from or to the closest point. */
static void check_body(const eli_obstacle *body, double size, uint64_t seed) {
  random_source source = {seed};
  for (int k = 0; k < SAMPLES; k++) {
    double q[9], p[3], x[3], normal[3], other[3], foot[3];
    tilt(&source, q);
    random_vector(&source, size, p);
    place(q, p, x);
    const double distance = eli_obstacle_distance(body, here, q, x, normal);
    assert_close(distance, (is_inside(body, p) ? -1.0 : 1.0) * searched(body, p), 1e-7);
    assert_close(norm(normal), 1.0, 1e-14);
    double material[3];
    apply(q, normal, material);
    for (int a = 0; a < 3; a++) foot[a] = p[a] - distance * material[a];
    assert_close(searched(body, foot), 0.0, 1e-7);
    for (int a = 0; a < 3; a++) x[a] += 1e-6 * normal[a];
    assert_close(eli_obstacle_distance(body, here, q, x, other), distance + 1e-6, 1e-12);
  }
}

TEST(sphere_is_as_searched) {
  const eli_obstacle ball = {.shape = ELASTICA_SHAPE_SPHERE, .radius = 0.7};
  check_body(&ball, 1.5, 1);
}

TEST(capsule_is_as_searched) {
  const eli_obstacle pill = {.shape = ELASTICA_SHAPE_CAPSULE, .radius = 0.5, .half_length = 0.3};
  const eli_obstacle rod = {.shape = ELASTICA_SHAPE_CAPSULE, .radius = 0.1, .half_length = 0.9};
  check_body(&pill, 1.3, 8);
  check_body(&rod, 1.3, 9);
}

TEST(cylinder_is_as_searched) {
  const eli_obstacle flat = {.shape = ELASTICA_SHAPE_CYLINDER, .radius = 0.7, .half_length = 0.3};
  const eli_obstacle tall = {.shape = ELASTICA_SHAPE_CYLINDER, .radius = 0.3, .half_length = 0.9};
  check_body(&flat, 1.3, 2);
  check_body(&tall, 1.3, 3);
}

TEST(box_is_as_searched) {
  const eli_obstacle brick = {.shape = ELASTICA_SHAPE_BOX, .half_edge = {0.7, 0.4, 0.2}};
  check_body(&brick, 1.2, 4);
}

TEST(endless_cylinder_has_no_caps) {
  const eli_obstacle pole = {.shape = ELASTICA_SHAPE_CYLINDER, .radius = 0.7, .half_length = INFINITY};
  const double q[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, zero[3] = {0.0, 0.0, 0.0}, x[3] = {0.6, 0.8, 1e5};
  double normal[3];
  assert_close(eli_obstacle_distance(&pole, zero, q, x, normal), 0.3, 1e-15);
  assert_close(normal[0], 0.6, 1e-15);
  assert_close(normal[1], 0.8, 1e-15);
  assert_close(normal[2], 0.0, 0.0);
}

TEST(plane_counts_along_its_normal) {
  const eli_obstacle plane = {.shape = ELASTICA_SHAPE_PLANE};
  random_source source = {5};
  for (int k = 0; k < SAMPLES; k++) {
    double q[9], p[3], x[3], normal[3];
    tilt(&source, q);
    random_vector(&source, 2.0, p);
    place(q, p, x);
    assert_close(eli_obstacle_distance(&plane, here, q, x, normal), p[2], 1e-15 * 20.0);
    assert_all_close(normal, q + 6, 3, 0.0);
  }
}

/* Centre, axis, faces, edges, corners: no division by zero, and an outward unit vector. */
TEST(special_points_have_a_normal) {
  const eli_obstacle bodies[4] = {{.shape = ELASTICA_SHAPE_SPHERE, .radius = 1.0},
                                  {.shape = ELASTICA_SHAPE_CAPSULE, .radius = 1.0, .half_length = 1.0},
                                  {.shape = ELASTICA_SHAPE_CYLINDER, .radius = 1.0, .half_length = 1.0},
                                  {.shape = ELASTICA_SHAPE_BOX, .half_edge = {1.0, 1.0, 1.0}}};
  const double points[][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0},  {1.0, 0.0, 1.0},
                              {1.0, 1.0, 1.0}, {0.0, 0.0, 3.0}, {0.0, 2.0, 1.0}, {-1.0, 0.0, -1.0}};
  const double q[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, zero[3] = {0.0, 0.0, 0.0};
  for (int b = 0; b < 4; b++) {
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
      double normal[3], further[3], other[3];
      const double distance = eli_obstacle_distance(&bodies[b], zero, q, points[k], normal);
      assert_close(norm(normal), 1.0, 1e-15);
      for (int a = 0; a < 3; a++) further[a] = points[k][a] + 1e-3 * normal[a];
      assert_true(eli_obstacle_distance(&bodies[b], zero, q, further, other) > distance + 0.5e-3);
    }
  }
}

TEST(lanes_are_as_single_points) {
  const eli_obstacle bodies[5] = {{.shape = ELASTICA_SHAPE_PLANE},
                                  {.shape = ELASTICA_SHAPE_CAPSULE, .radius = 0.4, .half_length = 0.3},
                                  {.shape = ELASTICA_SHAPE_SPHERE, .radius = 0.7},
                                  {.shape = ELASTICA_SHAPE_CYLINDER, .radius = 0.5, .half_length = 0.4},
                                  {.shape = ELASTICA_SHAPE_BOX, .half_edge = {0.3, 0.4, 0.5}}};
  enum { COUNT = 21 };
  random_source source = {6};
  double node[3][COUNT + 1], distance[COUNT], nx[COUNT], ny[COUNT], nz[COUNT], *const normal[3] = {nx, ny, nz}, q[9];
  const double *const lanes[3] = {node[0], node[1], node[2]};
  tilt(&source, q);
  for (int i = 0; i <= COUNT; i++)
    for (int a = 0; a < 3; a++) node[a][i] = random_between(&source, -1.0, 1.0);
  for (int b = 0; b < 5; b++) {
    eli_obstacle_distances(&bodies[b], here, q, COUNT, lanes, distance, normal);
    for (int j = 0; j < COUNT; j++) {
      double centre[3], out[3];
      for (int a = 0; a < 3; a++) centre[a] = 0.5 * (node[a][j] + node[a][j + 1]);
      assert_close(distance[j], eli_obstacle_distance(&bodies[b], here, q, centre, out), 0.0);
      for (int a = 0; a < 3; a++) assert_close(normal[a][j], out[a], 0.0);
    }
    eli_obstacle_node_distances(&bodies[b], here, q, COUNT, lanes, distance);
    for (int i = 0; i < COUNT; i++) {
      const double point[3] = {node[0][i], node[1][i], node[2][i]};
      double out[3];
      assert_close(distance[i], eli_obstacle_distance(&bodies[b], here, q, point, out), 0.0);
    }
  }
}
