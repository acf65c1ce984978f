/* Rounding makes no critical points, and moves none: in slender rods, beside limit points, and with ends that are moved aside. */
#include "pathed.h"

static const double pi = 3.14159265358979324;

static elastica_path_result next_point(elastica_world *world, elastica_path *path) {
  elastica_path_result result;
  must(world, elastica_path_next(path, &result));
  return result;
}

/* ---- Slender columns ----------------------------------------------------------------------------------------------------------------- */

static elastica_status press(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* Makes the path of a clamped round column of steel, up to three times its buckling load. */
static elastica_path *make_column_path(elastica_world *world, int n, double slenderness, double *euler) {
  const double radius = 1.0 / slenderness;
  elastica_rod *rod = add_straight_rod(world, n, 1.0, radius, 1000.0, 2e11, 8e10);
  elastica_effect *force;
  DEFAULTS(point_load, none);
  *euler = pi * pi / 4.0 * 2e11 * pi / 4.0 * pow(radius, 4);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_point_load(world, rod, &none, &force));
  return make_path(world, press, force, 0.1 * *euler, -INFINITY, 3.0 * *euler);
}

/* The buckle of a clamped round column may turn about the axis of the clamp; else it is stable up to three times its load, and more. */
static void check_buckle(int n, double slenderness) {
  double euler;
  elastica_world *world = make_world(NULL);
  elastica_path *path = make_column_path(world, n, slenderness, &euler);
  elastica_path_result point = next_point(world, path);
  while (point.kind == ELASTICA_PATH_POINT) point = next_point(world, path);
  assert_int_equal(point.kind, ELASTICA_PATH_BRANCH);
  assert_close(point.parameter, euler, 2e-3 * euler);
  must(world, elastica_path_switch(path, 1));
  do {
    point = next_point(world, path);
    assert_int_equal(point.unstable_modes, 0);
    assert_int_equal(point.stable, 1);
  } while (point.kind == ELASTICA_PATH_POINT);
  assert_int_equal(point.kind, ELASTICA_PATH_END);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

TEST(buckle_of_a_slender_column_has_no_critical_point) {
  static const double slenderness[7] = {1000.0, 3796.875, 5695.3125, 8542.96875, 12814.453125, 19221.6796875, 28832.51953125};
  for (int k = 0; k < 7; k++)
    for (int n = 20; n <= 80; n *= 2) check_buckle(n, slenderness[k]);
}

/* Follows the buckle of a clamped column with a guided second end, pinned or clamped, and round or flat (1.7 times as stiff in the other
 * plane), until the load is three times the first one or pulls; writes the letters of its critical points. */
static void follow_guided(int is_clamped, int is_round, double slenderness, int n, char letters[20]) {
  enum { MOST = 40 };
  double bending[3 * MOST];
  const double bend = 1e9 * pi / 4.0 / pow(slenderness, 4.0), load = (is_clamped ? 4.0 * pi * pi : 20.190729) * bend;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod;
  elastica_effect *force;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, guide);
  DEFAULTS(point_load, none);
  for (int j = 0; j < n; j++)
    bending[3 * j] = bend, bending[3 * j + 1] = is_round ? bend : 1.7 * bend, bending[3 * j + 2] = 2.0 / 3.0 * bend;
  def.element_count = n, def.length = 1.0, def.radius = 1.0 / slenderness, def.density = 1000.0, def.youngs_modulus = 1e9;
  def.bend_stiffness = bending;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  guide.kind = is_clamped ? ELASTICA_BOUNDARY_CLAMP : ELASTICA_BOUNDARY_PIN, guide.node = -1, guide.axes = 3;
  must(world, elastica_add_boundary(world, rod, &guide, NULL));
  must(world, elastica_add_point_load(world, rod, &none, &force));
  elastica_path *path = make_path(world, press, force, 0.05 * load, -0.1 * load, 3.0 * load);
  elastica_path_result point = {0};
  int count = 0;
  while (point.kind != ELASTICA_PATH_END) {
    point = next_point(world, path);
    if (point.kind == ELASTICA_PATH_POINT || point.kind == ELASTICA_PATH_END) continue;
    assert_true(count < 18);
    letters[count++] = point.kind == ELASTICA_PATH_BRANCH ? 'B' : 'L';
    if (count == 1) {
      assert_close(point.parameter, load, 2e-2 * load);
      must(world, elastica_path_switch(path, 1));
    }
  }
  letters[count] = '\0';
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

/* A column that is pinned at its second end has the limit point at 1.13 times its load; one that is clamped there leaves its plane, and
 * another mode changes where its ends meet. Rounding makes no further points, and no point twice. */
TEST(critical_points_of_slender_columns_are_those_of_thick_ones) {
  for (int n = 16; n <= 40; n += 24)
    for (int is_round = 0; is_round < 2; is_round++)
      for (double slenderness = 1e2; slenderness < 3e4; slenderness *= slenderness < 1e3 ? 10.0 : 2.7) {
        char letters[20];
        follow_guided(0, is_round, slenderness, n, letters);
        assert_string_equal(letters, "BL");
        if (slenderness > 1e4) continue;
        follow_guided(1, is_round, slenderness, n, letters);
        assert_string_equal(letters, "BBB");
      }
}

/* Beyond that, rounding may end a path beside the branch point. The sentence tells changes alone. */
TEST(a_refusal_names_no_change_from_a_number_to_itself) {
  int refused = 0;
  for (int n = 20; n <= 160; n *= 2)
    for (int k = 0; k < 4; k++) {
      double euler;
      elastica_world *world = make_world(NULL);
      elastica_path *path = make_column_path(world, n, 1e5 + 3e4 * k, &euler);
      elastica_path_result point = {0};
      elastica_status status = ELASTICA_OK;
      for (int m = 0; m < 100 && status == ELASTICA_OK && point.kind < ELASTICA_PATH_END; m++) {
        if (point.kind == ELASTICA_PATH_BRANCH) must(world, elastica_path_switch(path, 1));
        status = elastica_path_next(path, &point);
      }
      for (int modes = 0; modes < 4 && status != ELASTICA_OK; modes++) {
        char words[40];
        snprintf(words, sizeof words, "from %d to %d", modes, modes);
        assert_null(strstr(elastica_world_message(world), words));
      }
      refused += status != ELASTICA_OK;
      elastica_path_destroy(path);
      elastica_world_destroy(world);
    }
  assert_true(refused > 0);
}

/* ---- Modes of limit points ----------------------------------------------------------------------------------------------------------- */

/* A force in the plane of a truss of two straight bars, without bending: p = 2 EA (1 - l/l0) z/l at the height z of its apex. */
typedef struct bars {
  elastica_world *world;
  elastica_effect *force;
  int apex;
  double limit;
} bars;

static elastica_status press_apex(void *user, elastica_world *world, double parameter) {
  const bars *of = user;
  DEFAULTS(point_load, load);
  (void)world;
  load.node = of->apex, load.force[2] = -parameter;
  return elastica_point_load_set(of->force, &load);
}

static void hold(elastica_world *world, elastica_rod *rod, int node, unsigned axes) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN, pin.node = node, pin.axes = axes;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
}

static double load_at(double width, double rise, double z) {
  const double first = hypot(width, rise), length = hypot(width, z);
  return 2.0 * (first - length) / first * z / length;
}

/* width: half the span. The load falls beyond z = w sqrt((l0/w)^(2/3) - 1). */
static bars make_bars(double width, double modulus, double rise, double radius) {
  enum { N = 4 };
  bars of = {make_world(NULL), NULL, N, 0.0};
  elastica_rod *rod[2];
  const double axial = modulus * pi * radius * radius, length = hypot(width, rise);
  double shear[3 * N], bend[3 * N];
  for (int k = 0; k < 3 * N; k++) shear[k] = axial, bend[k] = axial * length * length;
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, def);
    def.element_count = N, def.length = length, def.radius = radius, def.density = 1000.0;
    def.start[0] = r == 0 ? -width : 0.0, def.start[2] = r == 0 ? 0.0 : rise;
    def.direction[0] = width, def.direction[1] = 0.0, def.direction[2] = r == 0 ? rise : -rise;
    def.shear_stiffness = shear, def.bend_stiffness = bend;
    must(of.world, elastica_world_add_rod(of.world, &def, &rod[r]));
  }
  DEFAULTS(joint, ball);
  ball.kind = ELASTICA_JOINT_BALL, ball.stiffness = axial / length * 1e5;
  ball.first.rod = rod[0], ball.first.element = -1, ball.first.share = 1.0, ball.second.rod = rod[1];
  must(of.world, elastica_add_joint(of.world, &ball, NULL));
  hold(of.world, rod[0], 0, ELASTICA_AXIS_X | ELASTICA_AXIS_Y | ELASTICA_AXIS_Z);
  hold(of.world, rod[1], -1, ELASTICA_AXIS_X | ELASTICA_AXIS_Y | ELASTICA_AXIS_Z);
  hold(of.world, rod[0], -1, ELASTICA_AXIS_Y);
  hold(of.world, rod[1], 0, ELASTICA_AXIS_Y);
  DEFAULTS(point_load, none);
  must(of.world, elastica_add_point_load(of.world, rod[0], &none, &of.force));
  of.limit = axial * load_at(width, rise, width * sqrt(pow(length / width, 2.0 / 3.0) - 1.0));
  return of;
}

/* Its mode may be counted behind a limit point, with the rounding of a stiff joint: no branch point. */
TEST(a_limit_point_is_no_branch_point_too) {
  random_source source = {6};
  for (int k = 0; k < 100; k++) {
    const double width = pow(10.0, random_between(&source, -3.0, 1.0)), modulus = pow(10.0, random_between(&source, 3.0, 11.0));
    bars of = make_bars(width, modulus, random_between(&source, 0.5, 1.0) * width, random_between(&source, 0.005, 0.025) * width);
    elastica_path *path = make_path(of.world, press_apex, &of, 0.02 * of.limit, -INFINITY, 2.0 * of.limit);
    elastica_path_result point;
    int limits = 0;
    do {
      point = next_point(of.world, path);
      assert_true(point.kind != ELASTICA_PATH_BRANCH);
      if (point.kind == ELASTICA_PATH_LIMIT) assert_close(point.parameter, limits++ == 0 ? of.limit : -of.limit, 1e-4 * of.limit);
    } while (point.kind < ELASTICA_PATH_END);
    assert_int_equal(limits, 2);
    elastica_path_destroy(path);
    elastica_world_destroy(of.world);
  }
}

/* ---- Moved ends ---------------------------------------------------------------------------------------------------------------------- */

/* The second pin of a rod along x moves inwards and aside. */
typedef struct moved_pin {
  elastica_effect *pin;
  double aside;
} moved_pin;

static elastica_status move_pin_aside(void *user, elastica_world *world, double parameter) {
  const moved_pin *of = user;
  DEFAULTS(boundary, pin);
  (void)world;
  pin.kind = ELASTICA_BOUNDARY_PIN, pin.node = -1;
  pin.position[0] = 1.0 - 0.05 * parameter, pin.position[2] = of->aside * parameter;
  return elastica_boundary_set(of->pin, &pin);
}

/* A round rod spins about its axis without resistance, and buckles in two planes at once. The pin that moves aside turns the rod to oblique
 * directions, where the spin does not vanish exactly: the branch point stays at Euler's strain, and both branches begin there. */
TEST(a_pin_that_moves_aside_leaves_the_branch_point) {
  static const double aside[3] = {0.001, 0.01, 0.05}, slenderness[3] = {60.0, 240.0, 960.0};
  for (int k = 0; k < 18; k++) {
    const double slender = slenderness[k / 6], euler = pi * pi / 4.0 / (slender * slender);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    moved_pin end = {NULL, aside[k / 2 % 3]};
    DEFAULTS(rod, def);
    DEFAULTS(boundary, pin);
    def.element_count = 15, def.length = 1.0, def.radius = 1.0 / slender, def.density = 1000.0, def.youngs_modulus = 1e7;
    def.direction[0] = 1.0, def.direction[2] = 0.0;
    must(world, elastica_world_add_rod(world, &def, &rod));
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    pin.node = -1;
    must(world, elastica_add_boundary(world, rod, &pin, &end.pin));
    elastica_path *path = make_path(world, move_pin_aside, &end, 0.02, -INFINITY, 1.0);
    elastica_path_result point = next_point(world, path);
    while (point.kind == ELASTICA_PATH_POINT) point = next_point(world, path);
    assert_int_equal(point.kind, ELASTICA_PATH_BRANCH);
    assert_close(0.05 * point.parameter, euler, 8e-3 * euler); /* 15 elements, shear and stretch */
    must(world, elastica_path_switch(path, k % 2 ? 1 : -1));
    for (int m = 0; m < 5; m++) assert_int_equal(next_point(world, path).unstable_modes, 0);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* ---- Kinks --------------------------------------------------------------------------------------------------------------------------- */

/* Two bars and a hinge at their apex, with stops of this angular stiffness; each bar bends. */
static bars make_stopped_bars(double stop, double stiffness, elastica_effect **hinge) {
  const double rise = 0.2, direction[2] = {rise, -rise};
  bars of = {make_world(NULL), NULL, 2, 2.32519};
  elastica_rod *rod[2];
  DEFAULTS(joint, def);
  DEFAULTS(point_load, none);
  def.kind = ELASTICA_JOINT_HINGE, def.stiffness = 1e6;
  set_vector(def.axis, 0, 0.0, 1.0, 0.0);
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, bar);
    bar.element_count = 2, bar.length = hypot(1.0, rise), bar.radius = 0.05, bar.density = 1000.0, bar.youngs_modulus = 1e5;
    set_vector(bar.start, 0, r == 0 ? -1.0 : 0.0, 0.0, r == 0 ? 0.0 : rise);
    set_vector(bar.direction, 0, 1.0, 0.0, direction[r]);
    set_vector(bar.normal, 0, 0.0, 1.0, 0.0);
    must(of.world, elastica_world_add_rod(of.world, &bar, &rod[r]));
    def.angular_stiffness = 1e3, def.first.rod = rod[r], def.first.element = r == 0 ? 0 : -1, def.first.share = r;
    must(of.world, elastica_add_joint(of.world, &def, NULL)); /* to its support */
  }
  def.first.rod = rod[0], def.first.element = -1, def.first.share = 1.0, def.second.rod = rod[1], def.angular_stiffness = stiffness;
  def.least_angle = -stop, def.most_angle = stop;
  must(of.world, elastica_add_joint(of.world, &def, hinge));
  must(of.world, elastica_add_point_load(of.world, rod[0], &none, &of.force));
  return of;
}

/* The hinge meets a stop behind the limit point, while the load falls: the load turns back there, and the stop goes on turning. */
TEST(path_turns_back_where_a_hinge_meets_a_stop) {
  static const double stops[3] = {0.3, 0.4, 0.5}, first[2] = {0.02, 0.05};
  for (int k = 0; k < 12; k++) {
    const double stop = stops[k % 3], stiffness = k / 6 ? 1000.0 : 100.0;
    elastica_effect *hinge;
    elastica_joint_info info = {0};
    bars of = make_stopped_bars(stop, stiffness, &hinge);
    elastica_path *path = make_path(of.world, press_apex, &of, first[k / 3 % 2] * of.limit, -INFINITY, 2.0 * of.limit);
    elastica_path_result point = next_point(of.world, path);
    for (int m = 0; m < 100 && !(point.kind == ELASTICA_PATH_LIMIT && fabs(info.turn) > 0.9 * stop); m++) {
      point = next_point(of.world, path);
      must(of.world, elastica_joint_get(hinge, &info));
    }
    assert_int_equal(point.kind, ELASTICA_PATH_LIMIT);
    assert_close(fabs(info.turn), stop, 1e-5);
    for (int m = 0; m < 3; m++) {
      const double last = point.parameter;
      point = next_point(of.world, path);
      must(of.world, elastica_joint_get(hinge, &info));
      assert_int_equal(point.kind, ELASTICA_PATH_POINT);
      assert_true(point.parameter > last && point.slope > 0.0 && fabs(info.turn) > stop);
    }
    elastica_path_destroy(path);
    elastica_world_destroy(of.world);
  }
}
