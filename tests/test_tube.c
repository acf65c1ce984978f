/* Tubes: the distance is that of the nearest point of the axis, compared with a search, and its gradient is its slope everywhere. */
#include "support.h"

#include "effects/tube.h"
#include "one_rod.h"

#include <math.h>

static const double bent[] = {0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.6, 0.1, 0.0, 0.8, 0.35, 0.1, 0.8, 0.7, 0.2, 0.7, 1.0, 0.2};
static const double radii[] = {0.05, 0.05, 0.07, 0.06, 0.04, 0.08};
enum { POINTS = 6, STEPS = 20000 };

static elastica_obstacle_def tube_def(elastica_side side) {
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = ELASTICA_SHAPE_TUBE;
  def.points = bent, def.radii = radii, def.point_count = POINTS, def.side = side;
  return def;
}

static eli_tube *make_tube(elastica_world *world, elastica_side side) {
  const elastica_obstacle_def def = tube_def(side);
  eli_tube *tube = NULL;
  must(world, eli_tube_create(world, &def, &tube));
  return tube;
}

/* A point of the rounded polyline, and its radius: each edge between the middles of its neighbours, each kink as an arc between two points
 * at the same distance from it. */
static void axis_at(double t, double x[3], double *radius) {
  const int edge = t >= POINTS - 1 ? POINTS - 2 : (int)t;
  const double u = t - edge;
  for (int a = 0; a < 3; a++) x[a] = bent[3 * edge + a] + u * (bent[3 * edge + 3 + a] - bent[3 * edge + a]);
  *radius = radii[edge] + u * (radii[edge + 1] - radii[edge]);
}

static double length_of_edge(int k) {
  const double d[3] = {bent[3 * k + 3] - bent[3 * k], bent[3 * k + 4] - bent[3 * k + 1], bent[3 * k + 5] - bent[3 * k + 2]};
  return norm(d);
}

/* On the straight middle of each edge the axis is the polyline, and the distance is that of a cone about it. */
TEST(straight_parts_are_cones) {
  elastica_world *world = make_world(NULL);
  eli_tube *outside = make_tube(world, ELASTICA_SIDE_OUTSIDE), *inside = make_tube(world, ELASTICA_SIDE_INSIDE);
  random_source source = {1};
  for (int k = 1; k + 2 < POINTS; k++) {
    const double l = length_of_edge(k), before = 0.5 * fmin(l, length_of_edge(k - 1)) / l,
                 after = 1.0 - 0.5 * fmin(l, length_of_edge(k + 1)) / l;
    for (int trial = 0; trial < 20 && after - before > 1e-9; trial++) {
      double x[3], along[3], aside[3], gradient[3], radius;
      axis_at(k + random_between(&source, before, after), x, &radius);
      for (int a = 0; a < 3; a++) along[a] = (bent[3 * k + 3 + a] - bent[3 * k + a]) / l;
      random_vector(&source, 1.0, aside);
      const double s = dot(aside, along);
      for (int a = 0; a < 3; a++) aside[a] -= s * along[a];
      const double size = norm(aside), rho = 0.03;
      for (int a = 0; a < 3; a++) x[a] += rho * aside[a] / size;
      assert_close(eli_tube_distance(outside, x, gradient), rho - radius, 1e-12);
      assert_close(eli_tube_distance(inside, x, gradient), radius - rho, 1e-12);
    }
  }
  eli_tube_destroy(outside);
  eli_tube_destroy(inside);
  elastica_world_destroy(world);
}

/* The gradient is the slope of the distance by differences, on both sides of all kinks, about both ends and at the rim. */
TEST(the_gradient_is_the_slope_everywhere) {
  elastica_world *world = make_world(NULL);
  for (int side = ELASTICA_SIDE_OUTSIDE; side <= ELASTICA_SIDE_INSIDE; side++) {
    eli_tube *tube = make_tube(world, (elastica_side)side);
    random_source source = {7};
    int tried = 0;
    for (int trial = 0; trial < STEPS; trial++) {
      const double h = 1e-6;
      double x[3], radius, aside[3], gradient[3], other[3];
      axis_at(random_between(&source, -0.2, POINTS - 0.8), x, &radius);
      random_vector(&source, 1.5 * radius, aside);
      for (int a = 0; a < 3; a++) x[a] += aside[a];
      const double distance = eli_tube_distance(tube, x, gradient);
      if (fabs(distance) > 0.6 * radius) continue; /* where rods may be */
      tried++;
      for (int a = 0; a < 3; a++) {
        double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
        up[a] += h, down[a] -= h;
        const double slope = (eli_tube_distance(tube, up, other) - eli_tube_distance(tube, down, other)) / (2.0 * h);
        if (!(fabs(slope - gradient[a]) < 1e-4))
          fail_msg("side %d, point %d (%g, %g, %g): the slope along axis %d is %.9g, the gradient %.9g", side, trial, x[0], x[1], x[2], a,
                   slope, gradient[a]);
      }
      assert_true(norm(gradient) <= tube->slope * (1.0 + 1e-9));
    }
    assert_true(tried > STEPS / 10);
    eli_tube_destroy(tube);
  }
  elastica_world_destroy(world);
}

/* Paths across kinks: distance and gradient are continuous. */
TEST(gradients_are_continuous_across_kinks) {
  elastica_world *world = make_world(NULL);
  for (int side = ELASTICA_SIDE_OUTSIDE; side <= ELASTICA_SIDE_INSIDE; side++) {
    eli_tube *tube = make_tube(world, (elastica_side)side);
    for (int turn = 0; turn < 8; turn++) {
      const double aside[3] = {0.0, 0.04 * cos(0.785 * turn), 0.04 * sin(0.785 * turn)};
      double before[3] = {0.0, 0.0, 0.0}, d_before = 0.0;
      for (int k = 0; k <= STEPS; k++) {
        double x[3], radius, gradient[3];
        axis_at(0.3 + 3.5 * k / STEPS, x, &radius);
        for (int a = 0; a < 3; a++) x[a] += aside[a];
        const double d = eli_tube_distance(tube, x, gradient);
        for (int a = 0; a < 3 && k > 0; a++) assert_close(gradient[a], before[a], 0.02);
        if (k > 0) assert_close(d, d_before, 2e-4);
        memcpy(before, gradient, sizeof before);
        d_before = d;
      }
    }
    eli_tube_destroy(tube);
  }
  elastica_world_destroy(world);
}

/* A tree of balls finds the piece that a search of all pieces finds: a long helix, from all sides. */
TEST(long_tubes_find_their_nearest_piece) {
  enum { LONG = 400 };
  static double points[3 * LONG], wide[LONG];
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < LONG; k++) {
    points[3 * k] = cos(0.1 * k), points[3 * k + 1] = sin(0.1 * k), points[3 * k + 2] = 0.05 * k;
    wide[k] = 0.1;
  }
  elastica_obstacle_def def = tube_def(ELASTICA_SIDE_OUTSIDE);
  def.points = points, def.radii = wide, def.point_count = LONG;
  eli_tube *tube = NULL;
  must(world, eli_tube_create(world, &def, &tube));
  random_source source = {3};
  for (int trial = 0; trial < 500; trial++) {
    double x[3], gradient[3], least = INFINITY;
    random_vector(&source, 2.0, x);
    x[2] = random_between(&source, -1.0, 21.0);
    for (int k = 0; k < 40 * LONG; k++) {
      const double t = 0.1 * k / 40.0, d[3] = {x[0] - cos(t), x[1] - sin(t), x[2] - 0.5 * t};
      if (t <= 0.1 * (LONG - 1) && norm(d) < least) least = norm(d);
    }
    assert_close(eli_tube_distance(tube, x, gradient), least - 0.1, 6e-3); /* arcs lie within the kinks of the polyline */
  }
  eli_tube_destroy(tube);
  elastica_world_destroy(world);
}

/* The segments of pictures lie end to end along the axis, in straight pieces and in arcs; END more on either side show its ends. */
TEST(segments_of_pictures_follow_the_axis) {
  enum { END = 8 };
  elastica_world *world = make_world(NULL);
  eli_tube *tube = make_tube(world, ELASTICA_SIDE_OUTSIDE);
  double before[3], end[2][3], radius[2], gradient[3], length = 0.0;
  memcpy(before, bent, sizeof before);
  for (int k = END; k < eli_tube_segment_count(tube) - END; k++) {
    eli_tube_segment(tube, k, end, radius);
    assert_all_close(end[0], before, 3, 1e-14);
    for (int side = 0; side < 2; side++) assert_close(eli_tube_distance(tube, end[side], gradient), -radius[side], 1e-13);
    length += norm((const double[3]){end[1][0] - end[0][0], end[1][1] - end[0][1], end[1][2] - end[0][2]});
    memcpy(before, end[1], sizeof before);
  }
  assert_all_close(before, bent + 3 * (POINTS - 1), 3, 1e-14);
  double edges = 0.0;
  for (int k = 0; k + 1 < POINTS; k++) edges += length_of_edge(k);
  assert_between(length, 0.9 * edges, edges);
  eli_tube_destroy(tube);
  elastica_world_destroy(world);
}

/* A duct ends in a flat face with a rounded rim: outside, before the face, the distance is that of the face. */
TEST(a_duct_has_faces_and_rims) {
  static const double straight[] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, even[] = {0.1, 0.1};
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = tube_def(ELASTICA_SIDE_INSIDE);
  def.points = straight, def.radii = even, def.point_count = 2;
  eli_tube *tube = NULL;
  must(world, eli_tube_create(world, &def, &tube));
  double gradient[3];
  assert_close(eli_tube_distance(tube, (const double[3]){0.02, 0.0, 0.5}, gradient), 0.08, 1e-15);
  assert_close(gradient[0], -1.0, 1e-15);
  assert_close(eli_tube_distance(tube, (const double[3]){5.0, 0.0, 1.3}, gradient), 0.25, 1e-14); /* the rim is 0.05 high */
  assert_close(gradient[2], 1.0, 1e-15);
  assert_close(eli_tube_distance(tube, (const double[3]){0.0, -4.0, -0.3}, gradient), 0.25, 1e-14);
  assert_close(gradient[2], -1.0, 1e-15);
  assert_close(eli_tube_distance(tube, (const double[3]){0.15 - 0.05 * sqrt(0.5), 0.0, 1.0 + 0.05 * sqrt(0.5)}, gradient), 0.0, 1e-14);
  eli_tube_destroy(tube);
  elastica_world_destroy(world);
}

/* A rod slides on or in a wider or narrower tube with friction, with its nodes from either end. Writes their positions from one end. */
static void slide(elastica_side side, double taper, int reversed, double position[33]) {
  enum { N = 10 };
  static const double points[] = {-0.3, 0.0, -0.03, 0.0, 0.0, 0.0, 0.3, 0.0, -0.03}, gravity[3] = {1.0, 0.5, -9.81};
  const double widths[] = {0.03, 0.03 + taper, 0.03};
  double start[3 * (N + 1)], velocity[3 * (N + 1)];
  elastica_rod *rod = NULL;
  elastica_effect *effect = NULL;
  elastica_world *world = make_world(NULL);
  int touches = 0;
  DEFAULTS(rod, def);
  for (int k = 0; k <= N; k++) {
    const double s = (k - 5) * 0.01;
    set_vector(start, reversed ? N - k : k, s, 0.01 + 0.1 * s, side == ELASTICA_SIDE_INSIDE ? 0.0 : 0.045);
    set_vector(velocity, reversed ? N - k : k, 1.0, 0.3, -0.5);
  }
  def.element_count = N, def.position = start, def.velocity = velocity, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, gravity, NULL));
  elastica_obstacle_def tube = tube_def(side);
  tube.points = points, tube.radii = widths, tube.point_count = 3;
  tube.modulus = 1e5, tube.friction = 0.3;
  must(world, elastica_add_obstacle(world, NULL, &tube, &effect));
  for (int k = 0; k < 10; k++) {
    int count;
    must(world, elastica_world_step(world, 1e-5, 500));
    must(world, elastica_contact_get(effect, NULL, 0, &count));
    touches += count;
  }
  assert_true(touches > 0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k <= N; k++)
    for (int a = 0; a < 3; a++) position[3 * k + a] = view->position[a][reversed ? N - k : k];
  elastica_world_destroy(world);
}

/* Friction acts at the centre of pressure of an element, also if the gradient of the distance is longer than 1 because the tube tapers. */
TEST(friction_does_not_depend_on_the_direction_of_a_rod) {
  for (int inside = 0; inside < 2; inside++)
    for (int tapered = 0; tapered < 2; tapered++) {
      const elastica_side side = inside ? ELASTICA_SIDE_INSIDE : ELASTICA_SIDE_OUTSIDE;
      double one[33], other[33];
      slide(side, tapered ? 0.005 : 0.0, 0, one);
      slide(side, tapered ? 0.005 : 0.0, 1, other);
      assert_all_close(other, one, 33, 1e-13);
    }
}
