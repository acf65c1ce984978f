/* Claims about writhe, twist and link. */
#include "common/topology.h"
#include "support.h"

static const double pi = 3.14159265358979324;

enum { MOST = 400 };

/* A polygon and a ribbon on it: one normal for each edge. */
typedef struct ribbon {
  int n, closed;
  double position[3 * (MOST + 1)];
  double director[9 * MOST];
} ribbon;

static void tangent_of(const ribbon *of, int j, double t[3]) {
  const int next = of->closed ? (j + 1) % of->n : j + 1;
  for (int a = 0; a < 3; a++) t[a] = of->position[3 * next + a] - of->position[3 * j + a];
  const double length = norm(t);
  for (int a = 0; a < 3; a++) t[a] /= length;
}

/* v transported by the smallest turn from one unit vector to the other. */
static void carry(const double from[3], const double to[3], double v[3]) {
  double axis[3], once[3], twice[3];
  cross(from, to, axis);
  cross(axis, v, once);
  cross(axis, once, twice);
  for (int a = 0; a < 3; a++) v[a] += once[a] + twice[a] / (1.0 + dot(from, to));
}

static void write_frame(ribbon *of, int j, const double t[3], const double d1[3], double angle) {
  double *q = of->director + 9 * j, side[3];
  cross(t, d1, side);
  for (int a = 0; a < 3; a++) {
    q[a] = cos(angle) * d1[a] + sin(angle) * side[a];
    q[6 + a] = t[a];
  }
  cross(q + 6, q, q + 3);
}

/* Parallel transport with an additional even turn that closes the ribbon of a ring after this number of turns. Returns the added turns:
 * the twist. */
static double lay_ribbon(ribbon *of, double turns) {
  double t[3], next[3], d[3], start[3], first[3];
  const double some[3] = {0.3, 0.5, 1.0};
  tangent_of(of, 0, t);
  cross(t, some, d);
  const double length = norm(d);
  for (int a = 0; a < 3; a++) start[a] = d[a] /= length, first[a] = t[a];
  double carried[3 * MOST];
  for (int j = 0; j < of->n; j++) {
    for (int a = 0; a < 3; a++) carried[3 * j + a] = d[a];
    if (j + 1 == of->n && !of->closed) break;
    tangent_of(of, (j + 1) % of->n, next);
    carry(t, next, d);
    memcpy(t, next, sizeof t);
  }
  double side[3], total = 2.0 * pi * turns;
  cross(first, start, side);
  if (of->closed) total -= atan2(dot(d, side), dot(d, start));
  for (int j = 0; j < of->n; j++) {
    tangent_of(of, j, t);
    write_frame(of, j, t, carried + 3 * j, total * j / (of->closed ? of->n : of->n - 1));
  }
  return total / (2.0 * pi);
}

static topology ask(const ribbon *of, const topology_ends *closure) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = of->n;
  def.closed = of->closed;
  def.position = of->position;
  def.director = of->director;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const topology out = topology_of(elastica_rod_get_view(rod), closure);
  elastica_world_destroy(world);
  return out;
}

/* ---- Rings: reference numbers, computed with arc sines and a Gauss integral of two curves, without this library ---- */

typedef enum curve { TREFOIL, TILTED_CIRCLE, TORUS_CURVE } curve;

static void make_ring(ribbon *of, curve kind, int n) {
  memset(of, 0, sizeof *of);
  of->n = n, of->closed = 1;
  for (int i = 0; i < n; i++) {
    const double t = 2.0 * pi * i / n, across = 1.0 + 0.3 * cos(5.0 * t);
    double *x = of->position + 3 * i;
    if (kind == TREFOIL) {
      x[0] = sin(t) + 2.0 * sin(2.0 * t), x[1] = cos(t) - 2.0 * cos(2.0 * t), x[2] = -sin(3.0 * t);
    } else if (kind == TILTED_CIRCLE) {
      x[0] = cos(t), x[1] = sin(t), x[2] = 0.3 * sin(2.0 * t);
    } else {
      x[0] = across * cos(t), x[1] = across * sin(t), x[2] = 0.3 * sin(5.0 * t);
    }
  }
}

TEST(writhe_of_known_curves) {
  static const double writhe[3][3] = {
      {-3.354225047, -3.354151006, -3.354132419}, {0.0, 0.0, 0.0}, {-2.202655741, -2.221872714, -2.226665443}};
  for (int k = 0; k < 9; k++) {
    ribbon ring;
    make_ring(&ring, (curve)(k / 3), 100 << (k % 3));
    lay_ribbon(&ring, 0.0);
    const topology got = ask(&ring, NULL);
    /* The arc sines of the reference have an error of 6e-8 for the circle, which has writhe 0 by symmetry. */
    assert_close(got.writhe, writhe[k / 3][k % 3], k / 3 == TILTED_CIRCLE ? 1e-13 : 1e-8);
  }
}

TEST(twist_of_a_known_ribbon) {
  static const double twist[3][3] = {{2.354225047, 2.354151006, 2.354132419}, {2.0, 2.0, 2.0}, {2.202655741, 2.221872714, 2.226665443}};
  static const double link[3] = {-1.0, 2.0, 0.0};
  for (int k = 0; k < 9; k++) {
    ribbon ring;
    make_ring(&ring, (curve)(k / 3), 100 << (k % 3));
    lay_ribbon(&ring, 2.0);
    const topology got = ask(&ring, NULL);
    assert_close(got.twist, twist[k / 3][k % 3], 6e-8);
    assert_close(got.link, link[k / 3], 1e-12);
    assert_close(got.link, got.twist + got.writhe, 0.0);
  }
}

TEST(link_of_a_ring_is_a_whole_number) {
  random_source source = {11};
  for (int k = 0; k < 20; k++) {
    ribbon ring;
    make_ring(&ring, TREFOIL, 60);
    for (int i = 0; i < 3 * ring.n; i++) ring.position[i] += random_between(&source, -0.05, 0.05);
    lay_ribbon(&ring, random_integer(&source, -4, 4));
    const topology got = ask(&ring, NULL);
    assert_close(got.link, floor(got.link + 0.5), 1e-11);
  }
}

/* Frames that are not along the edges, by shear, have the same link. */
TEST(shear_does_not_change_the_link) {
  random_source source = {12};
  ribbon ring;
  make_ring(&ring, TREFOIL, 80);
  lay_ribbon(&ring, 1.0);
  const topology before = ask(&ring, NULL);
  for (int j = 0; j < ring.n; j++) {
    double tilt[3];
    random_vector(&source, 0.2, tilt);
    turn_frame(tilt, ring.director + 9 * j);
  }
  assert_close(ask(&ring, NULL).link, before.link, 1e-11);
}

TEST(a_mirror_turns_every_sign) {
  ribbon ring;
  make_ring(&ring, TREFOIL, 90);
  lay_ribbon(&ring, 2.0);
  const topology before = ask(&ring, NULL);
  for (int i = 0; i < ring.n; i++) ring.position[component(i, X)] *= -1.0;
  for (int j = 0; j < ring.n; j++) {
    double *q = ring.director + 9 * j;
    q[0] = -q[0], q[6] = -q[6];
    cross(q + 6, q, q + 3);
  }
  const topology after = ask(&ring, NULL);
  assert_close(after.writhe, -before.writhe, 1e-12);
  assert_close(after.twist, -before.twist, 1e-12);
}

/* ---- Open rods ---- */

/* A straight line along z with a helix in the middle, with smooth transitions. */
static void make_coil(ribbon *of, int n, double radius, double turns) {
  memset(of, 0, sizeof *of);
  of->n = n;
  for (int i = 0; i <= n; i++) {
    const double s = (double)i / n, bump = sin(pi * s) * sin(pi * s), angle = 2.0 * pi * turns * s;
    set_vector(of->position, i, radius * bump * cos(angle), radius * bump * sin(angle), s);
  }
}

/* The rays represent infinitely long edges: the difference falls with the length of an edge. */
TEST(rays_are_edges_without_end) {
  random_source source = {13};
  for (int k = 0; k < 12; k++) {
    ribbon rod, extended;
    double axis[3] = {0.1, -0.2, 1.0};
    make_coil(&rod, 40, 0.2, k % 2 ? 3.0 : -4.0);
    for (int i = 0; i < 3 * (rod.n + 1); i++) rod.position[i] += random_between(&source, -0.02, 0.02);
    lay_ribbon(&rod, 0.0);
    memset(&extended, 0, sizeof extended);
    extended.n = rod.n + 2;
    memcpy(extended.position + 3, rod.position, sizeof(double) * 3 * ((size_t)rod.n + 1));
    topology_ends closure = {.axis = {0.0}};
    double first[3], last[3];
    tangent_of(&rod, 0, first);
    tangent_of(&rod, rod.n - 1, last);
    if (k % 3) {
      memcpy(closure.axis, axis, sizeof axis);
      memcpy(first, axis, sizeof axis);
      memcpy(last, axis, sizeof axis);
    }
    for (int a = 0; a < 3; a++) {
      extended.position[a] = rod.position[a] - 1e4 * first[a];
      extended.position[3 * extended.n + a] = rod.position[3 * rod.n + a] + 1e4 * last[a];
    }
    lay_ribbon(&extended, 0.0);
    assert_close(ask(&rod, &closure).writhe, ask(&extended, &closure).writhe, 1e-9);
    assert_true(fabs(ask(&rod, &closure).writhe) > 0.1);
  }
}

/* Fuller: for a curve that never turns back on the axis, the writhe is the area enclosed by its tangents around the axis, divided by 2
 * pi. */
TEST(writhe_of_a_coil_is_the_area_of_its_tangents) {
  for (int k = 0; k < 4; k++) {
    ribbon rod;
    topology_ends closure = {.axis = {0.0}};
    make_coil(&rod, 400, 0.05, k % 2 ? 6.0 : -3.0);
    lay_ribbon(&rod, 0.0);
    closure.axis[0] = closure.axis[1] = 0.0, closure.axis[2] = k < 2 ? 1.0 : 5.0;
    double area = 0.0;
    for (int j = 0; j + 1 < rod.n; j++) {
      double a[3], b[3], n[3];
      tangent_of(&rod, j, a);
      tangent_of(&rod, j + 1, b);
      cross(a, b, n);
      area += 2.0 * atan2(n[2], 1.0 + dot(a, b) + a[2] + b[2]);
    }
    assert_close(ask(&rod, &closure).writhe, area / (2.0 * pi), 1e-10);
    assert_true((ask(&rod, &closure).writhe > 0.0) == (k % 2 == 1));
  }
}

TEST(a_straight_rod_twists_and_does_not_writhe) {
  ribbon rod;
  topology_ends closure = {.axis = {0.0}};
  make_coil(&rod, 30, 0.0, 0.0);
  lay_ribbon(&rod, 2.75);
  topology got = ask(&rod, NULL);
  assert_close(got.writhe, 0.0, 0.0);
  assert_close(got.twist, 2.75, 1e-13);
  /* From wall to wall: the half-cells count, too. */
  double t[3], q[9];
  for (int end = 0; end < 2; end++) {
    const double half[3] = {0.0, 0.0, (end == 0 ? -1.0 : 1.0) * pi * 2.75 / 29.0};
    memcpy(q, rod.director + (end == 0 ? 0 : 9 * 29), sizeof q);
    turn_frame_exactly(half, q);
    memcpy(end == 0 ? closure.first_normal : closure.last_normal, q, sizeof t);
  }
  got = ask(&rod, &closure);
  assert_close(got.link, 2.75 * 30.0 / 29.0, 1e-13);
}

/* Between two walls, the link equals the turn of the walls for any shape of the rod in between; a strand that passes through another
 * changes it by 2. */
TEST(walls_keep_the_link) {
  random_source source = {14};
  topology_ends closure = {.axis = {0.0}};
  const double axis[3] = {0.0, 0.0, 1.0}, first[3] = {1.0, 0.0, 0.0}, last[3] = {cos(1.0), sin(1.0), 0.0};
  memcpy(closure.axis, axis, sizeof axis);
  memcpy(closure.first_normal, first, sizeof first);
  memcpy(closure.last_normal, last, sizeof last);
  for (int k = 0; k < 30; k++) {
    ribbon rod;
    make_coil(&rod, 60, 0.3 * k / 30.0, 4.0);
    for (int i = 0; i < 3 * (rod.n + 1); i++) rod.position[i] += random_between(&source, -0.004, 0.004);
    lay_ribbon(&rod, random_between(&source, -3.0, 3.0));
    const double turns = ask(&rod, &closure).link - 1.0 / (2.0 * pi);
    assert_close(turns, floor(turns + 0.5), 1e-11);
  }
}

/* Two strands of a loop on either side of each other: the link of the transported frames differs by 2. */
TEST(passing_through_changes_the_writhe_by_two) {
  double writhe[2];
  for (int side = 0; side < 2; side++) {
    ribbon rod;
    topology_ends closure = {.axis = {0.0}};
    memset(&rod, 0, sizeof rod);
    rod.n = 80;
    for (int i = 0; i <= rod.n; i++) {
      const double t = 2.0 * (2.0 * i / rod.n - 1.0); /* a loop that crosses itself at t = +-1 */
      set_vector(rod.position, i, 1.0 - t * t, (side == 0 ? 1e-7 : -1e-7) * t, t * t * t - t);
    }
    lay_ribbon(&rod, 0.0);
    closure.axis[0] = 0.0, closure.axis[1] = 0.0, closure.axis[2] = 1.0;
    writhe[side] = ask(&rod, &closure).writhe;
  }
  assert_close(fabs(writhe[1] - writhe[0]), 2.0, 1e-5);
  assert_close(writhe[1] + writhe[0], 0.0, 1e-12);
}
