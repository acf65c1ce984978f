/* Claims about the closest points of two segments. */
#include "support.h"

#include "contact/segment.h"

#include <float.h>

typedef struct couple {
  double p[2][3], q[2][3];
} couple;

static eli_closest closest(const couple *of) {
  eli_closest out;
  eli_segment_closest(of->p[0], of->p[1], of->q[0], of->q[1], &out);
  return out;
}

static void point_at(const double first[3], const double last[3], double s, double x[3]) {
  for (int a = 0; a < 3; a++) x[a] = first[a] + s * (last[a] - first[a]);
}

static double distance_at(const couple *of, double s, double t) {
  double x[3], y[3], d[3];
  point_at(of->p[0], of->p[1], s, x);
  point_at(of->q[0], of->q[1], t, y);
  for (int a = 0; a < 3; a++) d[a] = y[a] - x[a];
  return norm(d);
}

static couple random_couple(random_source *source) {
  couple of;
  for (int k = 0; k < 2; k++) {
    random_vector(source, 1.0, of.p[k]);
    random_vector(source, 1.0, of.q[k]);
  }
  return of;
}

/* Every kind of position: general, parallel, nearly parallel, collinear, coplanar, without length, with a common end. */
static couple any_couple(random_source *source, int kind) {
  couple of = random_couple(source);
  const double size = random_between(source, -1.5, 1.5);
  double tilt = 0.0;
  switch (kind % 10) {
  case 1: tilt = 1e-3; break;
  case 2: tilt = 1e-6; break;
  case 3: tilt = 1e-9; break;
  case 4: tilt = 1e-15; break;
  case 6: memcpy(of.q[0], of.p[1], sizeof of.q[0]); break;
  case 7: memcpy(of.q[1], of.q[0], sizeof of.q[1]); break;
  case 8: of.p[0][2] = of.p[1][2] = of.q[0][2] = of.q[1][2] = 0.25; break;
  case 9:
    point_at(of.p[0], of.p[1], size, of.q[0]);
    point_at(of.p[0], of.p[1], size - 0.7, of.q[1]);
    break;
  default: break;
  }
  if (kind % 10 >= 1 && kind % 10 <= 5)
    for (int a = 0; a < 3; a++) of.q[1][a] = of.q[0][a] + size * (of.p[1][a] - of.p[0][a]) + tilt * random_between(source, -1.0, 1.0);
  return of;
}

/* The returned values are consistent. */
TEST(points_distance_and_direction_belong_together) {
  random_source source = {1};
  for (int k = 0; k < 20000; k++) {
    const couple of = any_couple(&source, k);
    const eli_closest got = closest(&of);
    double x[3], y[3];
    assert_between(got.s, 0.0, 1.0);
    assert_between(got.t, 0.0, 1.0);
    assert_close(got.distance, distance_at(&of, got.s, got.t), 1e-15);
    assert_close(norm(got.direction), 1.0, 1e-15);
    point_at(of.p[0], of.p[1], got.s, x);
    point_at(of.q[0], of.q[1], got.t, y);
    for (int a = 0; a < 3; a++) assert_close(x[a] + got.distance * got.direction[a], y[a], 1e-15);
  }
}

/* Distance of the point at s of the first segment from the second segment. */
static double distance_from(const couple *of, double s) {
  double x[3], v[3], w[3];
  point_at(of->p[0], of->p[1], s, x);
  for (int a = 0; a < 3; a++) v[a] = of->q[1][a] - of->q[0][a], w[a] = x[a] - of->q[0][a];
  const double t = dot(v, v) > 0.0 ? dot(w, v) / dot(v, v) : 0.0;
  return distance_at(of, s, fmin(1.0, fmax(0.0, t)));
}

/* Sine of the angle between the segments. */
static double sine(const couple *of) {
  double u[3], v[3], n[3];
  for (int a = 0; a < 3; a++) u[a] = of->p[1][a] - of->p[0][a], v[a] = of->q[1][a] - of->q[0][a];
  cross(u, v, n);
  return norm(n) / (norm(u) * norm(v));
}

/* That distance is convex in s: thirds of the interval are discarded until it is empty. */
TEST(no_other_points_are_closer) {
  random_source source = {2};
  for (int k = 0; k < 20000; k++) {
    const couple of = any_couple(&source, k);
    double low = 0.0, high = 1.0, least = fmin(distance_from(&of, 0.0), distance_from(&of, 1.0));
    for (int round = 0; round < 90; round++) {
      const double s = low + (high - low) / 3.0, t = high - (high - low) / 3.0, ds = distance_from(&of, s), dt = distance_from(&of, t);
      least = fmin(least, fmin(ds, dt));
      if (ds < dt)
        high = t;
      else
        low = s;
    }
    /* For segments that intersect at a small angle, the error of the points is rounding over the sine of the angle. */
    assert_true(closest(&of).distance <= least + 1e-15 + (least < 1e-9 ? 4e-16 / fmax(1e-5, sine(&of)) : 0.0));
  }
}

/* The conditions of a minimum: the line between the points is perpendicular to a segment at an interior point, and points outward at an
 * end. */
TEST(the_line_between_is_at_right_angles) {
  random_source source = {3};
  for (int k = 0; k < 20000; k++) {
    const couple of = random_couple(&source);
    const eli_closest got = closest(&of);
    double u[3], v[3];
    for (int a = 0; a < 3; a++) u[a] = of.p[1][a] - of.p[0][a], v[a] = of.q[1][a] - of.q[0][a];
    const double first = dot(got.direction, u) / norm(u), second = -dot(got.direction, v) / norm(v);
    const double sides[2][2] = {{got.s, first}, {got.t, second}};
    for (int side = 0; side < 2; side++) {
      if (sides[side][0] > 0.0) assert_true(sides[side][1] >= -1e-12 / got.distance);
      if (sides[side][0] < 1.0) assert_true(sides[side][1] <= 1e-12 / got.distance);
    }
  }
}

TEST(exchange_turns_the_direction_around_to_the_last_bit) {
  random_source source = {4};
  for (int k = 0; k < 50000; k++) {
    const couple of = any_couple(&source, k);
    couple other;
    memcpy(other.p, of.q, sizeof of.q);
    memcpy(other.q, of.p, sizeof of.p);
    const eli_closest one = closest(&of), two = closest(&other);
    assert_true(one.s == two.t && one.t == two.s && one.distance == two.distance);
    for (int a = 0; a < 3; a++) assert_true(one.direction[a] == -two.direction[a]);
  }
}

/* Segments along z; the second extends from a to b at a distance h. */
static couple side_by_side(double a, double b, double h) {
  const couple of = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}}, {{h, 0.0, a}, {h, 0.0, b}}};
  return of;
}

TEST(parallel_segments_meet_in_the_middle_of_their_overlap) {
  static const double cases[][4] = {/* a, b, s, t */
                                    {0.0, 1.0, 0.5, 0.5},    {1.0, 0.0, 0.5, 0.5},    {0.5, 1.5, 0.75, 0.25}, {-0.5, 0.5, 0.25, 0.75},
                                    {0.25, 0.5, 0.375, 0.5}, {-1.0, 3.0, 0.5, 0.375}, {1.5, 0.5, 0.75, 0.75}, {1.0, 2.0, 1.0, 0.0},
                                    {1.5, 2.0, 1.0, 0.0},    {-2.0, -0.5, 0.0, 1.0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double *c = cases[k];
    const couple of = side_by_side(c[0], c[1], 0.125);
    const eli_closest got = closest(&of);
    assert_close(got.s, c[2], 0.0);
    assert_close(got.t, c[3], 0.0);
    const double low = fmin(c[0], c[1]), high = fmax(c[0], c[1]), beyond = low > 1.0 ? low - 1.0 : high < 0.0 ? -high : 0.0;
    assert_close(got.distance, sqrt(0.125 * 0.125 + beyond * beyond), 0.0);
  }
}

TEST(crossing_segments_meet_inside) {
  const couple of = {{{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, {{0.5, -3.0, 2.0}, {0.5, 1.0, 2.0}}};
  const eli_closest got = closest(&of);
  assert_close(got.s, 0.75, 0.0);
  assert_close(got.t, 0.75, 0.0);
  assert_close(got.distance, 2.0, 0.0);
  assert_close(got.direction[2], 1.0, 0.0);
}

TEST(segments_that_meet_part_at_right_angles_to_both) {
  const couple crossed = {{{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, {{0.0, -1.0, 0.0}, {0.0, 1.0, 0.0}}};
  const couple in_line = {{{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, {{1.0, 0.0, 0.0}, {4.0, 0.0, 0.0}}};
  const couple points = {{{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}}, {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}}};
  const couple *const all[3] = {&crossed, &in_line, &points};
  for (int k = 0; k < 3; k++) {
    const eli_closest got = closest(all[k]);
    double u[3], v[3];
    for (int a = 0; a < 3; a++) u[a] = all[k]->p[1][a] - all[k]->p[0][a], v[a] = all[k]->q[1][a] - all[k]->q[0][a];
    assert_close(got.distance, 0.0, 0.0);
    assert_close(norm(got.direction), 1.0, 1e-15);
    assert_close(dot(got.direction, u), 0.0, 1e-15);
    assert_close(dot(got.direction, v), 0.0, 1e-15);
  }
}

/* The answer turns and shifts with the scene, and is independent of its size. */
TEST(the_answer_moves_with_the_scene) {
  random_source source = {5};
  for (int k = 0; k < 2000; k++) {
    const couple of = random_couple(&source);
    const eli_closest before = closest(&of);
    const double size = ldexp(1.0, random_integer(&source, -100, 100));
    double turn[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, phi[3], expected[3];
    random_vector(&source, 3.0, phi);
    turn_frame(phi, turn);
    couple moved = of;
    for (int end = 0; end < 2; end++) {
      apply(turn, of.p[end], moved.p[end]);
      apply(turn, of.q[end], moved.q[end]);
      for (int a = 0; a < 3; a++) moved.p[end][a] *= size, moved.q[end][a] *= size;
    }
    const eli_closest after = closest(&moved);
    apply(turn, before.direction, expected);
    assert_close(after.distance / size, before.distance, 2e-15);
    if (before.distance > 1e-3) assert_all_close(after.direction, expected, 3, 1e-12);
  }
}

/* Scaling by a power of two rounds no number differently. */
TEST(the_unit_of_length_changes_no_bit) {
  random_source source = {6};
  for (int k = 0; k < 4000; k++) {
    couple of = any_couple(&source, k);
    const eli_closest before = closest(&of);
    const double size = k / 10 % 2 ? 0x1p20 : 0x1p-20;
    for (int end = 0; end < 2; end++)
      for (int a = 0; a < 3; a++) of.p[end][a] *= size, of.q[end][a] *= size;
    eli_closest after = closest(&of);
    after.distance /= size;
    assert_true(after.s == before.s && after.t == before.t && after.distance == before.distance);
    assert_all_close(after.direction, before.direction, 3, 0.0);
  }
}

static int are_apart(const double p[2][3], const double q[2][3], double reach) {
  return eli_segments_are_apart((eli_edge){p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2]},
                                (eli_edge){q[0][0], q[0][1], q[0][2], q[1][0], q[1][1], q[1][2]}, reach);
}

/* Projections separate no pair within reach, up to the rounding of lengths, and separate parallel segments at any shift along each
 * other. */
TEST(pairs_separated_by_projections_are_apart) {
  random_source source = {11};
  for (int k = 0; k < 20000; k++) {
    const couple of = any_couple(&source, k);
    const double distance = closest(&of).distance + 1e-14;
    assert_false(are_apart(of.p, of.q, distance));
    assert_false(are_apart(of.q, of.p, distance));
  }
  for (double shift = -1.5; shift <= 1.5; shift += 0.25) {
    const couple of = {{{0.0, 0.0, 0.0}, {0.0, 0.6, 0.8}},
                       {{0.03, 0.6 * shift, 0.8 * shift}, {0.03, 0.6 + 0.6 * shift, 0.8 + 0.8 * shift}}};
    assert_true(are_apart(of.p, of.q, 0.0299));
  }
}
