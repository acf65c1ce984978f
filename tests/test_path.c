/* Loading paths meet limit and branch points of closed form, follow unstable branches, switch branches, and resume bit for bit. */
#include "pathed.h"

#include "base/record.h"
#include "rationed_memory.h"

static const double pi = 3.14159265358979324;

static elastica_path_result next_point(elastica_world *world, elastica_path *path) {
  elastica_path_result result;
  must(world, elastica_path_next(path, &result));
  return result;
}

/* Goes on to the next point of this kind. */
static elastica_path_result next_of_kind(elastica_world *world, elastica_path *path, elastica_path_kind kind) {
  for (int k = 0; k < 300; k++) {
    const elastica_path_result result = next_point(world, path);
    if (result.kind == kind) return result;
    assert_true(result.kind < ELASTICA_PATH_END);
  }
  fail_msg("no point of kind %d", (int)kind);
  return (elastica_path_result){0};
}

/* ---- The shallow arch --------------------------------------------------------------------------------------------------------------- */

static const double alpha = 2.8;

/* The load at the depth beta of the symmetric arch. */
static double symmetric_load(double beta) {
  return alpha - beta + (alpha * alpha - beta * beta) * beta;
}

/* alpha^2 - beta^2 = 4 at the branch points, 3 beta^2 = alpha^2 - 1 at the limit points; each number extrapolated from two grids. */
TEST(arch_meets_its_critical_points) {
  static const elastica_path_kind kinds[4] = {ELASTICA_PATH_BRANCH, ELASTICA_PATH_LIMIT, ELASTICA_PATH_LIMIT, ELASTICA_PATH_BRANCH};
  static const int unstable[4] = {1, 2, 2, 1}; /* behind the point */
  const double branch = sqrt(alpha * alpha - 4.0), limit = sqrt((alpha * alpha - 1.0) / 3.0);
  const double expected[4] = {symmetric_load(branch), symmetric_load(limit), symmetric_load(-limit), symmetric_load(-branch)};
  double load[2][4];
  for (int fine = 0; fine < 2; fine++) {
    arch a;
    make_arch(&a, 40 << fine, alpha);
    elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, 14.0);
    for (int k = 0; k < 4; k++) {
      elastica_path_result point = next_of_kind(a.world, path, kinds[k]);
      while (kinds[k] == ELASTICA_PATH_BRANCH && fabs(arch_beta(&a)) < 0.5) point = next_of_kind(a.world, path, kinds[k]); /* it spins */
      load[fine][k] = point.parameter;
      if (kinds[k] == ELASTICA_PATH_LIMIT) assert_close(point.slope, 0.0, 1e-5 * 2500.0);
      const elastica_path_result behind = next_point(a.world, path);
      if (k != 2) assert_int_equal(behind.unstable_modes, unstable[k]);
    }
    const elastica_path_result end = next_of_kind(a.world, path, ELASTICA_PATH_END);
    assert_true(end.parameter == 14.0);
    assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_WRONG_STATE, "path_next", "14");
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
  for (int k = 0; k < 4; k++) assert_close((4.0 * load[1][k] - load[0][k]) / 3.0, expected[k], 3e-4 * fabs(expected[k]));
}

/* The steps before a critical point do not matter for its place. */
TEST(critical_points_do_not_depend_on_steps) {
  static const double first[3] = {0.5, 0.17, 0.05};
  double load[3][2];
  for (int k = 0; k < 3; k++) {
    arch a;
    make_arch(&a, 40, alpha);
    elastica_path *path = make_path(a.world, arch_apply, &a, first[k], -INFINITY, 14.0);
    load[k][0] = next_of_kind(a.world, path, ELASTICA_PATH_BRANCH).parameter;
    load[k][1] = next_of_kind(a.world, path, ELASTICA_PATH_LIMIT).parameter;
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
  for (int k = 1; k < 3; k++) assert_all_close(load[k], load[0], 2, 1e-6);
}

/* On the branch of the antisymmetric mode the thrust stays at 4, so that the load is alpha + 3 beta. It meets the first path again. */
TEST(arch_follows_the_antisymmetric_branch) {
  double depth[2];
  for (int side = -1; side <= 1; side += 2) {
    arch a;
    make_arch(&a, 80, alpha);
    elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, 14.0);
    next_of_kind(a.world, path, ELASTICA_PATH_BRANCH);
    must(a.world, elastica_path_switch(path, side));
    for (int k = 0; k < 6; k++) {
      const elastica_path_result point = next_point(a.world, path);
      const double beta = arch_beta(&a);
      if (point.kind == ELASTICA_PATH_POINT) assert_int_equal(point.unstable_modes, 1);
      assert_close(point.parameter, alpha + 3.0 * beta, 0.01);
      assert_true(fabs(point.parameter - symmetric_load(beta)) > 1e-3);
    }
    depth[side > 0] = elastica_rod_get_view(a.rod)->position[2][20] - elastica_rod_get_view(a.rod)->position[2][60];
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
  assert_true(depth[0] * depth[1] < 0.0);
  assert_close(depth[0], -depth[1], 1e-6 * fabs(depth[0]));
}

/* No point lies on the branch at the only arc that is allowed: the world stays, and side 0 goes on along the path. */
TEST(a_switch_that_finds_no_branch_is_refused) {
  elastica_path_result after[2];
  for (int tries = 0; tries < 2; tries++) {
    arch a;
    make_arch(&a, 40, alpha);
    elastica_path *path = NULL;
    DEFAULTS(path, def);
    def.apply = arch_apply, def.user = &a, def.first_step = 0.5, def.upper = 14.0, def.largest_step = def.smallest_step = 0.01;
    must(a.world, elastica_path_create(a.world, &def, &path));
    next_of_kind(a.world, path, ELASTICA_PATH_BRANCH);
    const uint64_t before = hash_world(a.world);
    for (int side = -1; side <= 1 && tries; side++) {
      must(a.world, elastica_path_switch(path, side));
      if (side == 0) continue;
      assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_NOT_CONVERGED, "path_next: no other branch at the branch point",
                     "switch to side 0");
      assert_true(hash_world(a.world) == before);
    }
    if (tries) must(a.world, elastica_path_switch(path, 0));
    after[tries] = next_of_kind(a.world, path, ELASTICA_PATH_LIMIT);
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
  assert_true(after[1].parameter == after[0].parameter && after[1].arc == after[0].arc);
}

/* The ellipse of the antisymmetric branch: a path that begins on it comes back to its first point. */
TEST(closed_path_ends_at_its_first_point) {
  arch a;
  make_arch(&a, 40, alpha);
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, 14.0);
  next_of_kind(a.world, path, ELASTICA_PATH_BRANCH);
  must(a.world, elastica_path_switch(path, 1));
  for (int k = 0; k < 4; k++) next_point(a.world, path);
  const double start = a.load, from = arch_beta(&a);
  elastica_path_destroy(path);
  DEFAULTS(path, def);
  def.apply = arch_apply, def.user = &a, def.start = start, def.first_step = -0.1, def.locate = 0;
  must(a.world, elastica_path_create(a.world, &def, &path));
  double least = start;
  int count = 0;
  for (elastica_path_result point = next_point(a.world, path); point.kind != ELASTICA_PATH_CLOSED && count < 300; count++) {
    point = next_point(a.world, path);
    if (point.parameter < least) least = point.parameter;
  }
  assert_true(count < 300);
  assert_close(a.load, start, 0.02);
  assert_close(arch_beta(&a), from, 0.02);
  assert_close(least, alpha - 3.0 * sqrt(alpha * alpha - 4.0), 0.05);
  assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_WRONG_STATE, "path_next", "closed");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* ---- Imperfect bifurcations --------------------------------------------------------------------------------------------------------- */

/* Presses node 3 of an arch down, and a little aside in its plane. */
static elastica_status press_arch(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.node = 3, load.force[0] = -0.11 * parameter, load.force[2] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* A parabolic arch with principal axes slightly turned out of its plane bends out of it under any load, fast from a load of about 10
 * on: its curve turns sharply there, is stable and has no critical point. The curve on the other side of the bifurcation of the perfect
 * arch comes close; it begins at a limit point. Steps of any length stay on the first one. */
TEST(path_stays_on_its_curve_beside_an_imperfect_bifurcation) {
  enum { N = 8 };
  static const double turned[3] = {0.01, 0.16, 0.64}, first[3] = {0.05, 0.19, 0.53};
  for (int k = 0; k < 18; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    elastica_effect *force;
    double position[3 * (N + 1)], bend[3 * N], reached[2] = {0.0, 0.0};
    for (int i = 0; i <= N; i++) {
      const double s = (double)i / N;
      position[3 * i] = s, position[3 * i + 1] = 0.0, position[3 * i + 2] = 0.52 * s * (1.0 - s);
    }
    for (int j = 0; j < 3 * N; j++) bend[j] = j % 3 == 0 ? 1.0 : j % 3 == 1 ? 0.83 : 0.7;
    DEFAULTS(rod, def);
    DEFAULTS(point_load, none);
    def.element_count = N, def.position = position, def.rest = ELASTICA_REST_INITIAL, def.radius = 0.0139, def.density = 1.0;
    def.youngs_modulus = 1.0 / (pi * pow(0.0139, 4) / 4.0), def.bend_stiffness = bend;
    def.normal[0] = 0.03 * turned[k / 3 % 3], def.normal[1] = 1.0, def.normal[2] = 0.02 * turned[k / 3 % 3];
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    pin_node(world, rod, -1);
    none.node = 3;
    must(world, elastica_add_point_load(world, rod, &none, &force));
    elastica_path *path = NULL;
    DEFAULTS(path, of);
    of.apply = press_arch, of.user = force, of.first_step = first[k % 3], of.upper = 12.0, of.locate = k < 9;
    must(world, elastica_path_create(world, &of, &path));
    for (elastica_path_result at = {0}; at.kind != ELASTICA_PATH_END; reached[0] = reached[1], reached[1] = at.parameter) {
      at = next_point(world, path);
      assert_true(at.stable && at.kind != ELASTICA_PATH_LIMIT && at.kind != ELASTICA_PATH_BRANCH);
    }
    assert_close(fabs(elastica_rod_get_view(rod)->position[1][4]), 0.1118, 2e-3);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* Presses the crown of an arch down, and a little aside. */
typedef struct pressed_arch {
  elastica_effect *load;
  int node;
  double aside[2];
} pressed_arch;

static elastica_status press_crown(void *user, elastica_world *world, double parameter) {
  const pressed_arch *c = user;
  DEFAULTS(point_load, load);
  (void)world;
  load.node = c->node;
  for (int a = 0; a < 2; a++) load.force[a] = c->aside[a] * parameter;
  load.force[2] = -parameter;
  return elastica_point_load_set(c->load, &load);
}

/* Deep and shallow round arches of bending stiffness 1, clamped at one end and hinged at the other, with imperfections in their plane or
 * out of it. Their curves pass bifurcations of the perfect arch, are stable up to the end, and come close to curves with limit points: the
 * fork at the second bifurcation has a half on which the load falls, as stable as the other. Steps of any length stay on the first one. */
TEST(imperfect_arches_are_stable_for_any_steps) {
  static const struct {
    int n, clamped;
    double radius, height, skew, bow, aside[2], first, upper;
  } scenes[2] = {{30, -1, 0.00609, 0.203, 0.0, 0.0, {0.0, 1.4e-5}, 0.7458, 105.0},
                 {57, 0, 0.00346, 0.128, 1.1e-4, 4.6e-6, {5.2e-5, 0.0}, 0.672, 48.0}};
  enum { MOST = 57 };
  for (int k = 0; k < 4; k++) {
    const int which = k / 2, n = scenes[which].n, clamped = scenes[which].clamped;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    pressed_arch c = {NULL, n / 2, {scenes[which].aside[0], scenes[which].aside[1]}};
    double position[3 * (MOST + 1)];
    for (int i = 0; i <= n; i++) {
      const double s = (double)i / n;
      position[3 * i] = s, position[3 * i + 1] = scenes[which].bow * sin(pi * s);
      position[3 * i + 2] = scenes[which].height * sin(pi * s) + scenes[which].skew * sin(2.0 * pi * s);
    }
    DEFAULTS(rod, def);
    DEFAULTS(point_load, none);
    DEFAULTS(boundary, end);
    def.element_count = n, def.position = position, def.rest = ELASTICA_REST_INITIAL, def.radius = scenes[which].radius, def.density = 1.0;
    def.youngs_modulus = 4.0 / (pi * pow(def.radius, 4));
    must(world, elastica_world_add_rod(world, &def, &rod));
    end.node = clamped;
    must(world, elastica_add_boundary(world, rod, &end, NULL));
    pin_node(world, rod, -1 - clamped);
    none.node = c.node;
    must(world, elastica_add_point_load(world, rod, &none, &c.load));
    elastica_path *path = make_path(world, press_crown, &c, scenes[which].first * (k % 2 ? 0.3 : 1.0), -INFINITY, scenes[which].upper);
    for (elastica_path_result at = {0}; at.kind != ELASTICA_PATH_END;) {
      at = next_point(world, path);
      assert_true(at.stable && at.kind != ELASTICA_PATH_LIMIT && at.kind != ELASTICA_PATH_BRANCH);
    }
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* An arch and a helix between two pins; one pin moves aside. The curve is smooth and stable, and only the turn about the line through the
 * pins has no stiffness. */
typedef struct moved_pin {
  elastica_effect *pin;
  double from[3];
} moved_pin;

static elastica_status move_pin(void *user, elastica_world *world, double p) {
  moved_pin *of = user;
  const double along[3] = {-0.05, 0.02, 0.01};
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_PIN, def.node = -1;
  for (int a = 0; a < 3; a++) def.position[a] = of->from[a] + p * along[a];
  (void)world;
  return elastica_boundary_set(of->pin, &def);
}

TEST(path_of_a_moved_pin_ends_at_any_bound) {
  enum { N = 10 };
  for (int k = 0; k < 12; k++) {
    const int helix = k % 2, down = k / 2 % 2;
    const double bound = (down ? -1.0 : 1.0) * (0.1 + 0.25 * (k / 4));
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    double position[3 * (N + 1)];
    for (int i = 0; i <= N; i++) {
      const double s = (double)i / N;
      position[3 * i] = helix ? 0.3 * cos(4.0 * s) : s;
      position[3 * i + 1] = helix ? 0.3 * sin(4.0 * s) : 0.0;
      position[3 * i + 2] = helix ? 0.25 * s : 0.2 * sin(pi * s);
    }
    DEFAULTS(rod, def);
    DEFAULTS(boundary, end);
    def.element_count = N, def.position = position, def.rest = ELASTICA_REST_INITIAL, def.radius = 0.015, def.density = 1000.0;
    def.youngs_modulus = 1e7;
    must(world, elastica_world_add_rod(world, &def, &rod));
    pin_node(world, rod, 0);
    moved_pin of = {NULL, {position[3 * N], position[3 * N + 1], position[3 * N + 2]}};
    end.kind = ELASTICA_BOUNDARY_PIN, end.node = -1;
    must(world, elastica_add_boundary(world, rod, &end, &of.pin));
    elastica_path *path = make_path(world, move_pin, &of, down ? -0.03 : 0.03, down ? bound : -INFINITY, down ? INFINITY : bound);
    int points = 0;
    for (elastica_path_result at = {0}; at.kind != ELASTICA_PATH_END && points < 100; points++) {
      at = next_point(world, path);
      assert_true(at.kind == ELASTICA_PATH_POINT || at.kind == ELASTICA_PATH_END);
      assert_true(at.unstable_modes == 0 && at.zero_modes == 1);
      assert_true(at.kind != ELASTICA_PATH_END || at.parameter == bound);
    }
    assert_true(points < 100);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* ---- Resumption --------------------------------------------------------------------------------------------------------------------- */

TEST(resumed_path_has_the_same_bits) {
  uint64_t hash[2][5];
  arch a;
  make_arch(&a, 40, alpha);
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, 14.0);
  for (int k = 0; k < 4; k++) next_point(a.world, path);
  const double load = a.load;
  const size_t size = size_of_snapshot(a.world);
  size_t needed = 0;
  must(a.world, elastica_path_save(path, NULL, 0, &needed));
  void *snapshot = malloc(size), *record = malloc(needed);
  assert_non_null(snapshot);
  assert_non_null(record);
  must(a.world, elastica_world_snapshot_save(a.world, snapshot, size, NULL));
  assert_refused(a.world, elastica_path_save(path, record, needed - 1, NULL), ELASTICA_INVALID_ARGUMENT, "path_save", "bytes");
  must(a.world, elastica_path_save(path, record, needed, NULL));
  assert_refused(a.world, elastica_path_load(path, record, needed), ELASTICA_WRONG_STATE, "path_load", "has begun");
  for (int k = 0; k < 5; k++) {
    next_point(a.world, path);
    hash[0][k] = hash_numbers(hash_world(a.world), &a.load, 1);
  }
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);

  make_arch(&a, 40, alpha);
  a.load = load;
  must(a.world, elastica_world_snapshot_load(a.world, snapshot, size));
  path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, 14.0);
  assert_refused(a.world, elastica_path_save(path, NULL, 0, &needed), ELASTICA_WRONG_STATE, "path_save", "ordinary");
  assert_refused(a.world, elastica_path_load(path, NULL, needed), ELASTICA_INVALID_ARGUMENT, "path_load", "buffer");
  assert_refused(a.world, elastica_path_load(path, record, needed - 8), ELASTICA_INVALID_ARGUMENT, "path_load", "damaged");
  must(a.world, elastica_path_load(path, record, needed));
  for (int k = 0; k < 5; k++) {
    next_point(a.world, path);
    hash[1][k] = hash_numbers(hash_world(a.world), &a.load, 1);
  }
  assert_memory_equal(hash[0], hash[1], sizeof hash[0]);
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
  free(record);
  free(snapshot);
}

/* ---- The column --------------------------------------------------------------------------------------------------------------------- */

static elastica_status press(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* First elliptic integral by the arithmetic-geometric mean. */
static double complete_integral(double k) {
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int pass = 0; pass < 8; pass++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

/* Euler's column buckles at pi^2/4, in two planes at once; the buckled column is the elastica: P = K(sin(angle/2))^2. */
TEST(column_branches_into_the_elastica) {
  double load[2], excess[2];
  for (int fine = 0; fine < 2; fine++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 40 << fine, 1.0, 2e-3, 1000.0, 4.0 / (pi * 1.6e-11), 1.0 / (pi * 1.6e-11)); /* B = 1 */
    elastica_effect *force;
    DEFAULTS(point_load, none);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_point_load(world, rod, &none, &force));
    elastica_path *path = make_path(world, press, force, 0.2, -INFINITY, 6.0);
    load[fine] = next_of_kind(world, path, ELASTICA_PATH_BRANCH).parameter;
    must(world, elastica_path_switch(path, 1));
    elastica_path_result point = next_point(world, path);
    while (point.kind == ELASTICA_PATH_POINT) point = next_point(world, path);
    assert_int_equal(point.kind, ELASTICA_PATH_END);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int n = view->element_count;
    const double last = acos(view->tangent[2][n - 1]), before = acos(view->tangent[2][n - 2]), angle = last + (last - before) / 8.0 * 3.0;
    excess[fine] = pow(complete_integral(sin(0.5 * angle)), 2.0) - 6.0;
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  const double euler = pi * pi / 4.0, stretch = 1e6, shear = stretch / 3.0; /* E A and alpha_c G A */
  assert_close((4.0 * load[1] - load[0]) / 3.0, euler * (1.0 - euler / shear + euler / stretch), 1e-6);
  assert_close(excess[1], 0.0, 2e-2);
}

/* Euler's column between hinges: a round one is free to turn about its axis, and its buckle about the line of its hinges. It is half an
 * elastica: P = 4 K(sin(angle/2))^2 with the angle at the hinge. */
TEST(column_between_hinges_branches_into_the_elastica) {
  double excess[2];
  for (int fine = 0; fine < 2; fine++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 40 << fine, 1.0, 2e-3, 1000.0, 4.0 / (pi * 1.6e-11), 1.0 / (pi * 1.6e-11)); /* B = 1 */
    elastica_effect *force;
    DEFAULTS(boundary, slide);
    DEFAULTS(point_load, none);
    pin_node(world, rod, 0);
    slide.kind = ELASTICA_BOUNDARY_PIN, slide.node = -1, slide.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    must(world, elastica_add_boundary(world, rod, &slide, NULL));
    must(world, elastica_add_point_load(world, rod, &none, &force));
    elastica_path *path = make_path(world, press, force, 1.0, -INFINITY, 15.0);
    (void)next_of_kind(world, path, ELASTICA_PATH_BRANCH);
    must(world, elastica_path_switch(path, 1));
    assert_true(next_of_kind(world, path, ELASTICA_PATH_END).parameter == 15.0);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const double first = acos(view->tangent[2][0]), second = acos(view->tangent[2][1]), angle = first + (first - second) / 8.0;
    excess[fine] = 4.0 * pow(complete_integral(sin(0.5 * angle)), 2.0) - 15.0;
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  assert_close((4.0 * excess[1] - excess[0]) / 3.0, 0.0, 1e-3);
}

/* A downward force on a node. */
typedef struct load_at_node {
  elastica_effect *force;
  int node;
} load_at_node;

static elastica_status press_node(void *user, elastica_world *world, double parameter) {
  const load_at_node *of = user;
  DEFAULTS(point_load, load);
  (void)world;
  load.node = of->node, load.force[2] = -parameter;
  return elastica_point_load_set(of->force, &load);
}

static elastica_status pull_aside(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[0] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* A round arch between pins, pressed at its crown. Without a load it turns about the line through its pins: that branch crosses the path at
 * the load 0, and leads back to its first point. */
TEST(an_arch_between_pins_turns_about_its_chord) {
  enum { N = 20 };
  double position[3 * (N + 1)];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_effect *force = NULL;
  for (int i = 0; i <= N; i++) set_vector(position, i, (double)i / N, 0.0, 0.15 * sin(pi * i / N));
  DEFAULTS(rod, def);
  def.element_count = N, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e9;
  must(world, elastica_world_add_rod(world, &def, &rod));
  pin_node(world, rod, 0);
  pin_node(world, rod, -1);
  DEFAULTS(point_load, none);
  must(world, elastica_add_point_load(world, rod, &none, &force));
  load_at_node of = {force, N / 2};
  elastica_path *path = make_path(world, press_node, &of, 20.0, -4000.0, 4000.0);
  next_point(world, path);
  elastica_path_result point = next_point(world, path);
  assert_int_equal(point.kind, ELASTICA_PATH_BRANCH);
  assert_close(point.parameter, 0.0, 1e-4);
  must(world, elastica_path_switch(path, 1));
  point = next_point(world, path);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double lowest = 1.0;
  for (int k = 0; point.kind == ELASTICA_PATH_POINT && k < 100; k++) {
    const double y = view->position[1][N / 2], z = view->position[2][N / 2];
    assert_close(sqrt(y * y + z * z), 0.15, 1e-8);
    assert_close(point.parameter, 0.0, 1e-6);
    if (z < lowest) lowest = z;
    point = next_point(world, path);
  }
  assert_int_equal(point.kind, ELASTICA_PATH_CLOSED);
  assert_true(lowest < -0.14);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

/* ---- Several modes in one step ------------------------------------------------------------------------------------------------------ */

enum { COLUMNS = 2 };

typedef struct columns {
  elastica_effect *force[COLUMNS];
} columns;

static elastica_status press_columns(void *user, elastica_world *world, double parameter) {
  const columns *all = user;
  for (int k = 0; k < COLUMNS; k++) {
    const elastica_status status = press(all->force[k], world, parameter);
    if (status != ELASTICA_OK) return status;
  }
  return ELASTICA_OK;
}

/* Two cantilever columns side by side, the second stiffer by a ratio; each buckles in two planes at once. */
static elastica_world *make_columns(columns *all, double ratio) {
  elastica_world *world = make_world(NULL);
  DEFAULTS(point_load, none);
  for (int k = 0; k < COLUMNS; k++) {
    const double stiffer = (k == 0 ? 1.0 : ratio) / (pi * 1.6e-11); /* B = 1 and ratio */
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 2e-3, 1000.0, 4.0 * stiffer, stiffer);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_point_load(world, rod, &none, &all->force[k]));
  }
  return world;
}

/* The columns buckle one after the other, whatever steps come before: at the load of one column, and at ratio times that. */
TEST(no_step_passes_over_a_buckling_column) {
  static const double ratio[4] = {1.01, 1.03, 1.1, 1.3}, first[4] = {0.1, 0.4, 0.6, 1.0};
  double alone = 0.0;
  for (int a = 0; a < 4; a++)
    for (int k = 0; k < 4; k++) {
      columns all;
      elastica_world *world = make_columns(&all, ratio[a]);
      elastica_path *path = make_path(world, press_columns, &all, first[k], -INFINITY, 4.0);
      const double low = next_of_kind(world, path, ELASTICA_PATH_BRANCH).parameter;
      const double high = next_of_kind(world, path, ELASTICA_PATH_BRANCH).parameter;
      const elastica_path_result end = next_of_kind(world, path, ELASTICA_PATH_END);
      if (alone == 0.0) alone = low;
      assert_close(low, alone, 2e-6);
      assert_close(high, ratio[a] * alone, 1e-5);
      assert_int_equal(end.unstable_modes, 4);
      elastica_path_destroy(path);
      elastica_world_destroy(world);
    }
}

/* Equal columns make one branch point, whose four modes have no stiffness. */
TEST(equal_columns_make_one_branch_point) {
  columns all;
  elastica_world *world = make_columns(&all, 1.0);
  elastica_path *path = make_path(world, press_columns, &all, 0.6, -INFINITY, 4.0);
  const elastica_path_result branch = next_of_kind(world, path, ELASTICA_PATH_BRANCH);
  assert_int_equal(branch.unstable_modes + branch.zero_modes, 4);
  elastica_path_result point = next_point(world, path);
  while (point.kind == ELASTICA_PATH_POINT) point = next_point(world, path);
  assert_int_equal(point.kind, ELASTICA_PATH_END);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

/* Two round struts between hinges meet in a shallow ridge, a joint of this stiffness, and carry a load. */
static elastica_world *make_truss(double stiffness, elastica_effect **force) {
  elastica_world *world = make_world(NULL);
  elastica_rod *strut[2];
  const double rise = 0.2;
  DEFAULTS(rod, rod);
  DEFAULTS(joint, ridge);
  DEFAULTS(boundary, hinge);
  DEFAULTS(point_load, none);
  rod.element_count = 10, rod.length = sqrt(1.0 + rise * rise), rod.radius = 0.05, rod.density = 1000.0, rod.youngs_modulus = 1e7;
  rod.direction[0] = 1.0, rod.direction[2] = rise;
  must(world, elastica_world_add_rod(world, &rod, &strut[0]));
  rod.start[0] = 2.0, rod.direction[0] = -1.0;
  must(world, elastica_world_add_rod(world, &rod, &strut[1]));
  hinge.kind = ELASTICA_BOUNDARY_PIN;
  for (int r = 0; r < 2; r++) must(world, elastica_add_boundary(world, strut[r], &hinge, NULL));
  ridge.first.rod = strut[0], ridge.first.element = -1, ridge.first.share = 1.0;
  ridge.second.rod = strut[1], ridge.second.element = -1, ridge.second.share = 1.0;
  ridge.stiffness = stiffness;
  must(world, elastica_add_joint(world, &ridge, NULL));
  hinge.node = -1, hinge.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  must(world, elastica_add_boundary(world, strut[0], &hinge, NULL));
  must(world, elastica_add_point_load(world, strut[0], &none, force));
  return world;
}

/* The struts buckle almost together, each in two planes, the second pair of modes 0.6 % after the first one. Steps do not matter for the
 * places of both. */
TEST(truss_buckles_at_the_same_loads_with_any_steps) {
  static const double first[3] = {23.0, 7.0, 50.0};
  double load[3][2];
  for (int k = 0; k < 3; k++) {
    elastica_effect *force;
    elastica_world *world = make_truss(1e7, &force);
    elastica_path *path = make_path(world, press, force, first[k], -INFINITY, 470.0);
    for (int b = 0; b < 2; b++) {
      const elastica_path_result point = next_of_kind(world, path, ELASTICA_PATH_BRANCH);
      load[k][b] = point.parameter;
      assert_true(point.zero_modes >= 2);
    }
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  for (int k = 0; k < 3; k++) {
    assert_all_close(load[k], load[0], 2, 3e-4);
    assert_true(load[k][0] > 150.45 && load[k][0] < 150.7); /* between these the count of modes changes in steps of 0.25 N */
    assert_true(load[k][1] > 151.2 && load[k][1] < 151.45185);
  }
}

/* Rounding of positions in a stiff joint makes forces beside which the first loads are small. */
TEST(path_begins_with_small_steps_beside_a_stiff_joint) {
  static const double first[4] = {0.01, 0.1, 1.0, 5.0};
  for (int k = 0; k < 4; k++) {
    elastica_effect *force;
    elastica_world *world = make_truss(1e9, &force);
    elastica_path *path = make_path(world, press, force, first[k], -INFINITY, 470.0);
    for (int point = 0; point < 6; point++) (void)next_point(world, path);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* Moves the last end of a rod of length 1 along z by 0.2 towards the first one, and aside by 0.3. */
static elastica_status move_end(void *user, elastica_world *world, double parameter) {
  DEFAULTS(boundary, end);
  (void)world;
  end.kind = ELASTICA_BOUNDARY_PIN, end.node = -1;
  end.position[0] = 0.3 * parameter, end.position[1] = 0.0, end.position[2] = 1.0 - 0.2 * parameter;
  return elastica_boundary_set(user, &end);
}

/* A straight rod with an end that is pushed in and aside bends from the beginning: its curve is stable and has no critical point. The
 * states of compression without bending lie on another curve; a step that passes the Euler load in compression would arrive there. */
TEST(steps_do_not_jump_to_the_unbuckled_curve) {
  static const double first[3] = {0.1, 0.01, 0.001};
  double middle[3][3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.005, 1000.0, 7e10, 7e10 / 3.0);
    elastica_effect *end;
    DEFAULTS(boundary, pin);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    pin.kind = ELASTICA_BOUNDARY_PIN, pin.node = -1;
    must(world, elastica_add_boundary(world, rod, &pin, &end));
    elastica_path *path = make_path(world, move_end, end, first[k], -INFINITY, 1.0);
    elastica_path_result point = {0};
    while (point.kind != ELASTICA_PATH_END) {
      point = next_point(world, path);
      assert_int_equal(point.unstable_modes, 0);
      assert_true(point.kind == ELASTICA_PATH_POINT || point.kind == ELASTICA_PATH_END);
    }
    for (int a = 0; a < 3; a++) middle[k][a] = elastica_rod_get_view(rod)->position[a][10];
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  for (int k = 1; k < 3; k++) assert_all_close(middle[k], middle[0], 3, 1e-8);
}

/* Moves the last end of a rod of length 1 along z by `parameter` towards the first one. */
static elastica_status shorten(void *user, elastica_world *world, double parameter) {
  DEFAULTS(boundary, end);
  (void)world;
  end.kind = ELASTICA_BOUNDARY_PIN, end.node = -1;
  end.position[2] = 1.0 - parameter;
  return elastica_boundary_set(user, &end);
}

/* A round column between two pins buckles to all sides at once, and turns about its axis without a load: neither that turn nor, on the
 * branch, that of the buckle has a stiffness. */
TEST(round_column_between_pins_is_switched) {
  for (int side = -1; side <= 1; side += 2) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 40, 1.0, 0.005, 1000.0, 7e10, 7e10 / 3.0);
    elastica_effect *end;
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    pin.node = -1;
    must(world, elastica_add_boundary(world, rod, &pin, &end));
    elastica_path *path = make_path(world, shorten, end, 1e-5, -INFINITY, 0.1);
    const elastica_path_result branch = next_of_kind(world, path, ELASTICA_PATH_BRANCH);
    assert_close(branch.parameter, pi * pi * 0.25 * 0.005 * 0.005, 3e-3 * branch.parameter); /* (pi r/2 L)^2 */
    must(world, elastica_path_switch(path, side));
    for (int k = 0; k < 8; k++) {
      const elastica_path_result point = next_point(world, path);
      assert_true(point.parameter > branch.parameter);
      assert_int_equal(point.unstable_modes, 0);
      assert_int_equal(point.zero_modes, 2);
    }
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* A clamped column with nearly equal stiffnesses in its two planes: equal modes make one point with two zero modes, others two points, and
 * bisection between modes that are close ends where counts cannot tell them apart. */
TEST(close_modes_cost_little) {
  static const double apart[] = {0.0, 1e-7, 1e-5, 1e-3};
  enum { N = 20 };
  for (int k = 0; k < 4; k++) {
    double shear[3 * N], bend[3 * N];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    elastica_effect *force;
    elastica_path_result at = {0};
    int points = 0;
    for (int j = 0; j < 3 * N; j++) shear[j] = 1e6, bend[j] = j % 3 == 1 ? 1.0 + apart[k] : 1.0;
    DEFAULTS(rod, def);
    DEFAULTS(point_load, load);
    def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.shear_stiffness = shear,
    def.bend_stiffness = bend;
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_point_load(world, rod, &load, &force));
    elastica_path *path = make_path(world, press, force, 0.1, -INFINITY, 2.6);
    while (at.kind != ELASTICA_PATH_END) {
      at = next_point(world, path);
      assert_true(at.evaluations <= 180);
      if (at.kind != ELASTICA_PATH_BRANCH) continue;
      assert_close(at.parameter, (points == 0 ? 1.0 : 1.0 + apart[k]) * 2.466133, 3e-6);
      if (apart[k] < 1e-6) assert_int_equal(at.zero_modes, 2);
      points++;
    }
    assert_int_equal(points, apart[k] < 1e-6 ? 1 : 2);
    assert_int_equal(at.unstable_modes, 2);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* The law RESCALED has an unsymmetric stiffness: a path begins on a bent rod and follows it. */
TEST(path_begins_on_a_bent_rod_of_either_law) {
  for (int law = 0; law < 2; law++) {
    DEFAULTS(world, def);
    def.law = law == 0 ? ELASTICA_LAW_RESCALED : ELASTICA_LAW_CLASSICAL;
    elastica_world *world = make_world(&def);
    elastica_effect *force;
    DEFAULTS(point_load, load);
    elastica_rod *rod = add_straight_rod(world, 10, 1.0, 2e-2, 1000.0, 4.0 / (pi * 1.6e-7), 1.0 / (pi * 1.6e-7)); /* B = 1 */
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    load.force[0] = -2.0;
    must(world, elastica_add_point_load(world, rod, &load, &force));
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_path *path = NULL;
    DEFAULTS(path, along);
    along.apply = pull_aside, along.user = force, along.start = 2.0, along.first_step = 0.2, along.upper = 4.0;
    must(world, elastica_path_create(world, &along, &path));
    assert_true(next_of_kind(world, path, ELASTICA_PATH_END).parameter == 4.0);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* A chain of three straight rods, connected by stiff joints, clamped at its beginning and heavy, with a load on two of them. */
typedef struct pushed {
  elastica_effect *load[2];
  double force[2][3];
} pushed;

static elastica_status push_chain(void *user, elastica_world *world, double parameter) {
  const pushed *of = user;
  elastica_status status = ELASTICA_OK;
  (void)world;
  for (int k = 0; k < 2 && status == ELASTICA_OK; k++) {
    DEFAULTS(point_load, load);
    load.node = 5;
    for (int a = 0; a < 3; a++) load.force[a] = parameter * of->force[k][a];
    status = elastica_point_load_set(of->load[k], &load);
  }
  return status;
}

static elastica_world *make_chain(uint64_t seed, pushed *of) {
  enum { N = 12 };
  random_source source = {seed};
  double end[3] = {0.0, 0.0, 0.0}, shear[3 * N], bend[3 * N];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[3];
  for (int r = 0; r < 3; r++) {
    DEFAULTS(rod, def);
    random_vector(&source, 1.0, def.direction);
    const double size = sqrt(dot(def.direction, def.direction));
    for (int a = 0; a < 3; a++) def.start[a] = end[a], end[a] += def.direction[a] / size;
    for (int k = 0; k < 3 * N; k++) bend[k] = 1.0, shear[k] = r == 0 ? 1e3 : 1e6;
    def.element_count = N, def.length = 1.0, def.radius = 0.02, def.density = 1000.0;
    def.shear_stiffness = shear, def.bend_stiffness = bend;
    must(world, elastica_world_add_rod(world, &def, &rod[r]));
  }
  clamp_first(world, rod[0], ELASTICA_BOUNDARY_CLAMP);
  for (int r = 1; r < 3; r++) {
    DEFAULTS(joint, joint);
    joint.kind = ELASTICA_JOINT_FIXED, joint.stiffness = 1e5, joint.angular_stiffness = 1e3;
    joint.first.rod = rod[r - 1], joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = rod[r];
    must(world, elastica_add_joint(world, &joint, NULL));
  }
  for (int k = 0; k < 2; k++) {
    DEFAULTS(point_load, load);
    load.node = 5;
    random_vector(&source, 20.0, of->force[k]);
    must(world, elastica_add_point_load(world, rod[k], &load, &of->load[k]));
  }
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -2.0}, NULL));
  (void)relax(world);
  return world;
}

/* One mode changes its sign at a limit point: it makes no branch point beside it, and the next point is an ordinary one. */
TEST(a_limit_point_is_met_once) {
  static const uint64_t seeds[] = {3, 16, 18, 32, 59, 115};
  for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
    pushed of;
    elastica_world *world = make_chain(seeds[k], &of);
    elastica_path *path = make_path(world, push_chain, &of, 0.02, -3.0, 3.0);
    elastica_path_result at = {0};
    int before = 0;
    while (at.kind != ELASTICA_PATH_LIMIT) {
      before = at.unstable_modes;
      at = next_point(world, path);
    }
    at = next_point(world, path);
    assert_int_equal(at.kind, ELASTICA_PATH_POINT);
    assert_int_equal(abs(at.unstable_modes - before), 1);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* ---- Prescribed turns --------------------------------------------------------------------------------------------------------------- */

/* Turns the frame at the end of a shaft along z by an angle about z. */
static elastica_status turn_end(void *user, elastica_world *world, double angle) {
  DEFAULTS(boundary, def);
  const double c = cos(angle), s = sin(angle), frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  (void)world;
  def.node = -1, def.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  memcpy(def.director, frame, sizeof frame);
  return elastica_boundary_set(user, &def);
}

/* Greenhill's shaft between two clamps, one of which slides, gives way at a couple of 8.98682 B/L; beyond two turns. */
TEST(twisted_shaft_meets_greenhill) {
  double couple[2];
  for (int fine = 0; fine < 2; fine++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 40 << fine, 1.0, 0.02, 1000.0, 1e6, 4e5);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_effect *end;
    DEFAULTS(boundary, def);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    def.node = -1, def.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    must(world, elastica_add_boundary(world, rod, &def, &end));
    elastica_path *path = make_path(world, turn_end, end, 0.3, -INFINITY, 20.0);
    const elastica_path_result point = next_of_kind(world, path, ELASTICA_PATH_BRANCH);
    couple[fine] = view->bend_stiffness[2][0] * point.parameter / view->bend_stiffness[0][0];
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  assert_close((4.0 * couple[1] - couple[0]) / 3.0, 8.986818915818128, 2e-2);
}

/* ---- Refusals ----------------------------------------------------------------------------------------------------------------------- */

static elastica_status do_nothing(void *user, elastica_world *world, double parameter) {
  (void)user, (void)world, (void)parameter;
  return ELASTICA_OK;
}

static elastica_status fail_beyond_three(void *user, elastica_world *world, double parameter) {
  return parameter > 3.0 ? ELASTICA_INVALID_ARGUMENT : arch_apply(user, world, parameter);
}

typedef void spoil(elastica_path_def *def);
static void no_apply(elastica_path_def *def) {
  def->apply = NULL;
}
static void no_step(elastica_path_def *def) {
  def->first_step = NAN;
}
static void still(elastica_path_def *def) {
  def->first_step = 0.0;
}
static void endless(elastica_path_def *def) {
  def->first_step = INFINITY;
}
static void start_nowhere(elastica_path_def *def) {
  def->start = NAN;
}
static void start_below(elastica_path_def *def) {
  def->lower = 1.0;
}
static void start_above(elastica_path_def *def) {
  def->upper = -1.0;
}
static void no_lower(elastica_path_def *def) {
  def->lower = NAN;
}
static void no_upper(elastica_path_def *def) {
  def->upper = NAN;
}
static void nowhere(elastica_path_def *def) {
  def->lower = def->upper = 0.0;
}
static void no_arc(elastica_path_def *def) {
  def->largest_step = 0.0;
}
static void negative_arc(elastica_path_def *def) {
  def->smallest_step = -1.0;
}
static void crossed(elastica_path_def *def) {
  def->smallest_step = 1.0;
}
static void backwards(elastica_path_def *def) {
  def->largest_change = -1.0;
}
static void intolerant(elastica_path_def *def) {
  def->tolerance = -1e-9;
}
static void unlocated(elastica_path_def *def) {
  def->locate = 2;
}

TEST(bad_definitions_are_refused_with_their_field) {
  static const struct {
    spoil *spoil;
    const char *says;
  } rows[] = {{no_apply, "apply"},        {no_step, "first_step"},       {still, "first_step"},
              {endless, "first_step"},    {start_nowhere, "start"},      {start_below, "lower"},
              {start_above, "upper"},     {no_lower, "lower"},           {no_upper, "upper"},
              {nowhere, "lower"},         {no_arc, "largest_step"},      {negative_arc, "smallest_step"},
              {crossed, "smallest_step"}, {backwards, "largest_change"},

              {intolerant, "tolerance"},  {unlocated, "locate"}};
  arch a;
  make_arch(&a, 10, alpha);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    elastica_path *path = (elastica_path *)&a;
    DEFAULTS(path, def);
    def.apply = arch_apply, def.user = &a, def.first_step = 0.5;
    rows[k].spoil(&def);
    assert_refused(a.world, elastica_path_create(a.world, &def, &path), ELASTICA_INVALID_ARGUMENT, "path_def.", rows[k].says);
    assert_null(path);
  }
  elastica_path *path = NULL;
  DEFAULTS(path, steady); /* equal bounds are no contradiction */
  steady.apply = arch_apply, steady.user = &a, steady.first_step = 0.5, steady.smallest_step = steady.largest_step;
  must(a.world, elastica_path_create(a.world, &steady, &path));
  elastica_path_destroy(path);
  DEFAULTS(path, def);
  assert_int_equal(elastica_path_create(NULL, &def, &path), ELASTICA_INVALID_ARGUMENT);
  assert_refused(a.world, elastica_path_create(a.world, NULL, &path), ELASTICA_INVALID_ARGUMENT, "path_create", "def");
  assert_refused(a.world, elastica_path_create(a.world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "path_create", "out");
  assert_int_equal(elastica_path_next(NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_path_switch(NULL, 1), ELASTICA_INVALID_ARGUMENT);
  elastica_path_destroy(NULL);
  elastica_world_destroy(a.world);
}

TEST(parameter_that_changes_nothing_is_refused) {
  arch a;
  make_arch(&a, 10, alpha);
  elastica_path *path = make_path(a.world, do_nothing, NULL, 0.5, -INFINITY, INFINITY);
  assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_INVALID_ARGUMENT, "path_next", "changes no load");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* Does all that apply may not do; each is refused and leaves the path as it was. */
static elastica_path *own_path;

static elastica_status overreach(void *user, elastica_world *world, double parameter) {
  DEFAULTS(rod, rod);
  rod.element_count = 400, rod.length = 1.0, rod.radius = 0.01, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  const arch *a = user;
  if (own_path != NULL) {
    assert_int_equal(elastica_world_add_rod(world, &rod, NULL), ELASTICA_WRONG_STATE);
    assert_says(elastica_world_message(world), "add_rod", "path_def.apply");
    assert_int_equal(elastica_rod_remove(a->rod), ELASTICA_WRONG_STATE);
    assert_int_equal(elastica_world_step(world, 1e-6, 1), ELASTICA_WRONG_STATE);
    assert_int_equal(elastica_world_relax(world, NULL, NULL), ELASTICA_WRONG_STATE);
    assert_int_equal(elastica_rod_set_state(a->rod, NULL, NULL, NULL, NULL), ELASTICA_WRONG_STATE);
    assert_int_equal(elastica_path_next(own_path, NULL), ELASTICA_WRONG_STATE);
    elastica_path_destroy(own_path);
    elastica_world_destroy(world);
  }
  return arch_apply(user, world, parameter);
}

TEST(callback_may_call_setters_alone) {
  arch a;
  make_arch(&a, 10, alpha);
  own_path = make_path(a.world, overreach, &a, 0.5, -INFINITY, INFINITY);
  for (int k = 0; k < 3; k++) must(a.world, elastica_path_next(own_path, NULL));
  elastica_path *path = own_path;
  own_path = NULL;
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* Each single bit that differs is noticed. */
TEST(damaged_records_are_refused) {
  arch a;
  make_arch(&a, 4, alpha);
  size_t size = 0;
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY), *other = NULL;
  must(a.world, elastica_path_next(path, NULL));
  must(a.world, elastica_path_next(path, NULL));
  must(a.world, elastica_path_save(path, NULL, 0, &size));
  unsigned char *bytes = malloc(size);
  must(a.world, elastica_path_save(path, bytes, size, &size));
  for (size_t bit = 0; bit < 8 * size; bit += 7) {
    other = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_int_equal(elastica_path_load(other, bytes, size), ELASTICA_INVALID_ARGUMENT);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    elastica_path_destroy(other);
  }
  other = make_path(a.world, arch_apply, &a, 0.25, -INFINITY, INFINITY);
  assert_refused(a.world, elastica_path_load(other, bytes, size), ELASTICA_INVALID_ARGUMENT, "path_def.first_step");
  elastica_path_destroy(other);
  free(bytes);
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* A column with a load across it and a pin, or with one difference. */
static elastica_path *make_other_column(int difference, elastica_world **world) {
  elastica_world_def def = default_world();
  def.exact_couple = difference != 1;
  *world = make_world(&def);
  elastica_rod *rod = add_straight_rod(*world, 10, 1.0, 0.02, 1000.0, difference == 2 ? 2e6 : 1e6, 4e5);
  const double bent[3 * 9] = {0.1};
  elastica_effect *force, *aside;
  DEFAULTS(point_load, load);
  DEFAULTS(boundary, tip);
  if (difference == 3) must(*world, elastica_rod_set_rest(rod, bent, NULL));
  clamp_first(*world, rod, difference == 4 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP);
  tip.kind = ELASTICA_BOUNDARY_PIN, tip.node = -1, tip.axes = ELASTICA_AXIS_X;
  must(*world, elastica_add_point_load(*world, rod, &load, &force));
  if (difference == 5) {
    must(*world, elastica_add_gravity(*world, (double[]){0.0, 0.0, 1e-9}, &aside));
  } else {
    load.force[1] = difference == 6 ? 1.1e-6 : 1e-6, load.node = 5;
    must(*world, elastica_add_point_load(*world, rod, &load, &aside));
  }
  must(*world, elastica_add_boundary(*world, rod, &tip, NULL));
  if (difference == 7) must(*world, elastica_effect_set_enabled(aside, 0));
  return make_path(*world, press, force, 1e-6, -INFINITY, INFINITY);
}

/* Worlds with as many rods, nodes and effects as that of the record. */
TEST(a_record_of_another_world_is_refused_by_its_difference) {
  static const char *const says[8] = {"",
                                      "world_def.exact_couple is 1 in the record, 0 in this world",
                                      "rod 0 has another shear_stiffness in the record",
                                      "rod 0 has another rest_curvature in the record",
                                      "effect 0 \"boundary\" has other parameters",
                                      "effect 2 is \"point_load\" in the record, \"gravity\" in this world",
                                      "effect 2 \"point_load\" has other parameters",
                                      "effect 2 \"point_load\" is enabled in the record, disabled in this world"};
  elastica_world *world;
  elastica_path *path = make_other_column(0, &world);
  size_t size;
  (void)relax(world);
  (void)next_point(world, path);
  const double parameter = next_point(world, path).parameter;
  must(world, elastica_path_save(path, NULL, 0, &size));
  const size_t snapshot_size = size_of_snapshot(world);
  unsigned char *bytes = malloc(size), *snapshot = malloc(snapshot_size);
  must(world, elastica_path_save(path, bytes, size, NULL));
  must(world, elastica_world_snapshot_save(world, snapshot, snapshot_size, NULL));
  elastica_path_destroy(path);
  elastica_world_destroy(world);
  for (int difference = 1; difference < 8; difference++) {
    path = make_other_column(difference, &world);
    must(world, press(elastica_world_effect(world, 1), world, parameter));
    assert_refused(world, elastica_path_load(path, bytes, size), ELASTICA_INVALID_ARGUMENT, "path_load", says[difference]);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  path = make_other_column(0, &world);
  assert_refused(world, elastica_path_load(path, bytes, size), ELASTICA_INVALID_ARGUMENT, "effect 1",
                 "load the snapshot of the point first");
  must(world, elastica_world_snapshot_load(world, snapshot, snapshot_size));
  must(world, elastica_path_load(path, bytes, size));
  (void)next_point(world, path);
  elastica_path_destroy(path);
  free(bytes);
  free(snapshot);
  elastica_world_destroy(world);
}

/* The record begins with a mark, two numbers of the definition and the version, and ends with its checksum. */
TEST(a_record_of_another_version_is_refused_by_its_number) {
  arch a;
  make_arch(&a, 4, alpha);
  size_t size;
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
  (void)next_point(a.world, path);
  must(a.world, elastica_path_save(path, NULL, 0, &size));
  unsigned char *bytes = malloc(size);
  must(a.world, elastica_path_save(path, bytes, size, &size));
  elastica_path_destroy(path);
  path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
  eli_record record = eli_record_to(bytes, size);
  for (int field = 0; field < 2; field++) { /* the version, and then the mark */
    record.at = field == 0 ? 3 * ELI_WORD : 0;
    (void)eli_record_word(&record, 1);
    record.at = size - ELI_WORD;
    (void)eli_record_word(&record, eli_sum_of_words(0, bytes, size / ELI_WORD - 1));
    if (field == 0)
      assert_refused(a.world, elastica_path_load(path, bytes, size), ELASTICA_WRONG_VERSION, "the record has version 1 of the format",
                     "this library reads 3");
    else
      assert_refused(a.world, elastica_path_load(path, bytes, size), ELASTICA_INVALID_ARGUMENT, "are no record of a path");
  }
  free(bytes);
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

TEST(callback_that_fails_ends_at_the_last_point) {
  arch a;
  make_arch(&a, 20, alpha);
  elastica_path *path = make_path(a.world, fail_beyond_three, &a, 0.5, -INFINITY, INFINITY);
  uint64_t last = 0;
  double load = 0.0;
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < 20 && status == ELASTICA_OK; k++) {
    last = hash_world(a.world), load = a.load;
    status = elastica_path_next(path, NULL);
  }
  assert_refused(a.world, status, ELASTICA_CALLBACK_FAILED, "path_next", "path_def.apply returned INVALID_ARGUMENT", "parameter 3");
  assert_true(hash_world(a.world) == last && a.load == load);
  assert_refused(a.world, elastica_path_switch(path, 1), ELASTICA_WRONG_STATE, "path_switch", "branch point");
  assert_refused(a.world, elastica_path_switch(path, 2), ELASTICA_INVALID_ARGUMENT, "path_switch", "side is 2");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

static elastica_status press_without_a_number(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.node = 10;
  load.force[2] = parameter > 0.25 ? NAN : -parameter;
  return elastica_point_load_set(user, &load);
}

TEST(the_sentence_of_a_setter_that_refuses_is_kept) {
  arch a;
  make_arch(&a, 20, alpha);
  elastica_effect *force = NULL;
  DEFAULTS(point_load, load);
  load.node = 10;
  must(a.world, elastica_add_point_load(a.world, elastica_world_rod(a.world, 0), &load, &force));
  elastica_path *path = make_path(a.world, press_without_a_number, force, 0.1, -INFINITY, INFINITY);
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < 20 && status == ELASTICA_OK; k++) status = elastica_path_next(path, NULL);
  assert_refused(a.world, status, ELASTICA_CALLBACK_FAILED, "path_def.apply returned INVALID_ARGUMENT",
                 "point_load_def.force[2] is not finite");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* A state that is not the last point is refused, because a step from there may end anywhere. A snapshot of the point brings it back. */
TEST(path_begins_at_its_last_point_alone) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_wire(world, 10);
  elastica_effect *force;
  void *snapshot[2]; /* of the straight column, and of a buckled one */
  size_t size;
  DEFAULTS(point_load, load);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_point_load(world, rod, &load, &force));
  must(world, elastica_world_snapshot_save(world, NULL, 0, &size));
  for (int k = 0; k < 2; k++) snapshot[k] = malloc(size);
  must(world, elastica_world_snapshot_save(world, snapshot[0], size, NULL));
  elastica_path *path = make_path(world, press, force, 0.1, -INFINITY, INFINITY);
  (void)next_of_kind(world, path, ELASTICA_PATH_BRANCH);
  must(world, elastica_path_switch(path, 1));
  for (int k = 0; k < 2; k++) assert_int_equal(next_point(world, path).kind, ELASTICA_PATH_POINT);
  must(world, elastica_world_snapshot_save(world, snapshot[1], size, NULL));
  must(world, elastica_world_snapshot_load(world, snapshot[0], size));
  assert_refused(world, elastica_path_next(path, NULL), ELASTICA_WRONG_STATE, "path_next: the world has left the last point", "on rod 0",
                 "snapshot");
  must(world, elastica_world_snapshot_load(world, snapshot[1], size));
  (void)next_point(world, path);
  for (int k = 0; k < 2; k++) free(snapshot[k]);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

static elastica_status press_down(void *user, elastica_world *world, double parameter) {
  return parameter < 0.0 ? elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "negative") : press(user, world, parameter);
}

/* Rates ask for the parameter on both sides of the start, unless a bound lies there. */
TEST(rates_need_the_parameter_on_both_sides) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_wire(world, 10);
  elastica_effect *force;
  DEFAULTS(point_load, load);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_point_load(world, rod, &load, &force));
  for (int bounded = 0; bounded < 2; bounded++) {
    elastica_path *path = make_path(world, press_down, force, 0.1, bounded ? 0.0 : -INFINITY, INFINITY);
    if (bounded)
      (void)next_point(world, path);
    else
      assert_refused(world, elastica_path_next(path, NULL), ELASTICA_CALLBACK_FAILED, "at the parameter -0.0001", "the rates at 0 need it",
                     "path_def.lower");
    elastica_path_destroy(path);
  }
  elastica_world_destroy(world);
}

/* Turns the support of the last end of a rod along z about y. */
static elastica_status turn_support(void *user, elastica_world *world, double parameter) {
  const double c = cos(parameter), s = sin(parameter), director[9] = {c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c};
  DEFAULTS(boundary, def);
  (void)world;
  def.node = -1;
  memcpy(def.director, director, sizeof director);
  return elastica_boundary_set(user, &def);
}

/* A straight rod between two clamps cannot bend, so that its last end takes up all the turn of its support. */
TEST(clamp_that_turns_too_far_is_named) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.01, 1000.0, 1e6, 4e5);
  elastica_effect *support;
  elastica_path_result at = {0};
  elastica_status status = ELASTICA_OK;
  DEFAULTS(boundary, last);
  last.node = -1;
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_boundary(world, rod, &last, &support));
  elastica_path *path = make_path(world, turn_support, support, 0.1, -INFINITY, 20.0);
  for (int k = 0; k < 300 && status == ELASTICA_OK; k++) status = elastica_path_next(path, &at);
  assert_true(at.parameter > 3.0);
  assert_refused(world, status, ELASTICA_NOT_CONVERGED, "path_next: no point beyond",
                 "the last end of rod 0 turns by more than 3.0 rad against the clamp of effect 1 \"boundary\"");
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

TEST(rods_that_are_not_held_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_wire(world, 10);
  elastica_effect *force;
  DEFAULTS(point_load, load);
  must(world, elastica_add_point_load(world, rod, &load, &force));
  elastica_path *path = make_path(world, press, force, 0.1, -INFINITY, INFINITY);
  assert_refused(world, elastica_path_next(path, NULL), ELASTICA_NOT_CONVERGED, "path_next", "is an equilibrium", "hold its rods");
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

static elastica_status push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod;
  loads->force[0][0] += 1.0;
  return ELASTICA_OK;
}

static elastica_status set_root(void *user, elastica_world *world, double parameter) {
  (void)world;
  ((arch *)user)->load = sqrt(parameter);
  return ELASTICA_OK;
}

/* At the first point, and on the way: the load is the root of the parameter. */
TEST(loads_that_are_not_finite_are_named) {
  for (int k = 0; k < 2; k++) {
    arch a;
    make_arch(&a, 10, alpha);
    DEFAULTS(path, def);
    def.apply = set_root, def.user = &a, def.first_step = -0.3, def.start = k == 0 ? -1.0 : 1.0;
    elastica_path *path = NULL;
    elastica_status status = ELASTICA_OK;
    must(a.world, set_root(&a, a.world, 1.0));
    must(a.world, elastica_world_relax(a.world, NULL, NULL));
    must(a.world, elastica_path_create(a.world, &def, &path));
    for (int point = 0; point < 300 && status == ELASTICA_OK; point++) status = elastica_path_next(path, NULL);
    if (k == 0)
      assert_refused(a.world, status, ELASTICA_NOT_FINITE, "at the parameter -1 the force on node 1 of rod 0", "nan, by effect 2 \"sine\"");
    else
      assert_refused(a.world, status, ELASTICA_NOT_CONVERGED, "no point beyond", "the force on node 1 of rod 0", "by effect 2 \"sine\"");
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
}

TEST(effects_without_a_known_stiffness_are_refused_by_name) {
  arch a;
  make_arch(&a, 10, alpha);
  elastica_module module = module_named("wind");
  module.add_loads = push;
  must(a.world, elastica_world_add_module(a.world, a.rod, &module, NULL));
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
  assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_INVALID_ARGUMENT, "path_next", "\"wind\"", "add_tangent");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* An elastic obstacle reacts in time steps alone; its friction has no stiffness. */
TEST(elastic_obstacles_are_refused_because_of_friction) {
  arch a;
  make_arch(&a, 10, alpha);
  DEFAULTS(obstacle, floor);
  floor.kind = ELASTICA_OBSTACLE_ELASTIC, floor.modulus = 1e4, floor.friction = 0.3, floor.position[2] = -10.0;
  must(a.world, elastica_add_obstacle(a.world, NULL, &floor, NULL));
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
  assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_INVALID_ARGUMENT, "path_next", "obstacle", "has friction");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* A new added mass and a new place of a frame are due at the next step, and the rod moves. A refused call leaves them due, and state,
 * velocities and masses as they were: before the parameter is set, at the first point, and at a later one. */
TEST(a_refused_call_leaves_changes_due) {
  static const char *const reason[3] = {"has friction", "changes no load",
                                        "rod 0 has another mass in the world of the last point than in this world"};
  static unsigned char bytes[2][1 << 14];
  for (int way = 0; way < 3; way++) {
    elastica_world *world = make_world(NULL);
    mounted of = {.rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5)};
    elastica_effect *force;
    DEFAULTS(point_load, load);
    DEFAULTS(obstacle, plane);
    set_mounted(world, &of, NAN, 0.1);
    must(world, elastica_add_point_load(world, of.rod, &load, &force));
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e4, plane.friction = 0.3, plane.position[2] = -10.0;
    if (way == 0) must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
    elastica_path *path = make_path(world, way == 1 ? do_nothing : press, force, 1e-3, -INFINITY, INFINITY);
    for (int k = 0; k < 2 && way == 2; k++) (void)next_point(world, path);
    load.force[2] = way == 2 ? -1e-3 : -1.0;
    must(world, elastica_point_load_set(force, &load));
    must(world, elastica_world_step(world, 1e-6, 3));
    assert_true(elastica_rod_get_view(of.rod)->velocity[2][8] != 0.0);
    set_mounted(world, &of, 0.01, 0.2);
    const size_t size = size_of_snapshot(world);
    assert_true(size > 0 && size <= sizeof bytes[0]);
    must(world, elastica_world_snapshot_save(world, bytes[0], size, NULL));
    assert_refused(world, elastica_path_next(path, NULL), way == 2 ? ELASTICA_WRONG_STATE : ELASTICA_INVALID_ARGUMENT, "path_next",
                   reason[way]);
    must(world, elastica_world_snapshot_save(world, bytes[1], size, NULL));
    assert_memory_equal(bytes[0], bytes[1], size);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* An arch whose function fails at one of its calls, counted down. */
typedef struct failing {
  arch *a;
  int left;
} failing;

static elastica_status fail_late(void *user, elastica_world *world, double parameter) {
  failing *f = user;
  if (f->left > 0 && --f->left == 0) return ELASTICA_CALLBACK_FAILED;
  return arch_apply(f->a, world, parameter);
}

/* The function fails at its calls in turn: path and world stay as they were, bit for bit, and the next point is that of a path without
 * failures. Points of each kind come up. */
TEST(a_call_that_fails_late_leaves_the_path) {
  arch a, b;
  make_arch(&a, 12, alpha);
  make_arch(&b, 12, alpha);
  failing f = {&a, 0};
  elastica_path *path = make_path(a.world, fail_late, &f, 0.5, -INFINITY, 14.0),
                *whole = make_path(b.world, arch_apply, &b, 0.5, -INFINITY, 14.0);
  static unsigned char record[2][1 << 15];
  int limits = 0;
  for (elastica_path_result at = {0}, expected; at.kind != ELASTICA_PATH_END;) {
    const int savable = a.calls > 0 && at.kind == ELASTICA_PATH_POINT;
    const uint64_t world = hash_world(a.world);
    expected = next_point(b.world, whole);
    for (int call = 1;; call += call < 20 ? 1 : 37) {
      size_t size = 0;
      if (savable) must(a.world, elastica_path_save(path, record[0], sizeof record[0], &size));
      f.left = call;
      const elastica_status status = elastica_path_next(path, &at);
      if (status == ELASTICA_OK) break;
      assert_refused(a.world, status, ELASTICA_CALLBACK_FAILED, "path_def.apply returned");
      assert_true(hash_world(a.world) == world);
      if (!savable) continue;
      must(a.world, elastica_path_save(path, record[1], sizeof record[1], &size));
      assert_memory_equal(record[0], record[1], size);
    }
    assert_true(at.kind == expected.kind && at.parameter == expected.parameter && at.arc == expected.arc && at.next == expected.next);
    limits += at.kind == ELASTICA_PATH_LIMIT;
  }
  assert_int_equal(limits, 2);
  elastica_path_destroy(path);
  elastica_path_destroy(whole);
  elastica_world_destroy(a.world);
  elastica_world_destroy(b.world);
}

/* A weak load that comes, goes or changes between two points makes another curve of equilibria close to the first one. The call is refused,
 * and with the change undone the path goes on with the same bits. */
TEST(path_follows_one_world) {
  static const char *const says[4] = {"effect 1 \"gravity\" is enabled in the world of the last point, disabled in this world",
                                      "effect 1 \"gravity\" has other parameters", "has 3 effects, this world 4",
                                      "rod 0 has another rest_curvature"};
  double parameter[2];
  for (int changes = 0; changes < 2; changes++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
    elastica_effect *force, *weight, *more;
    const double weak[3] = {0.0, 1e-3, 0.0}, other[3] = {0.0, 1.1e-3, 0.0}, bent[3 * 9] = {1e-4}, straight[3 * 9] = {0.0};
    DEFAULTS(point_load, load);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_gravity(world, weak, &weight));
    must(world, elastica_add_point_load(world, rod, &load, &force));
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_path *path = make_path(world, press, force, 0.01, -INFINITY, INFINITY);
    for (int k = 0; k < 3; k++) (void)next_point(world, path);
    for (int k = 0; k < 4 && changes; k++) {
      for (int back = 0; back < 2; back++) {
        if (k == 0) must(world, elastica_effect_set_enabled(weight, back));
        if (k == 1) must(world, elastica_gravity_set(weight, back ? weak : other));
        if (k == 2 && !back) must(world, elastica_add_gravity(world, other, &more));
        if (k == 2 && back) must(world, elastica_effect_remove(more));
        if (k == 3) must(world, elastica_rod_set_rest(rod, back ? straight : bent, NULL));
        if (!back) assert_refused(world, elastica_path_next(path, NULL), ELASTICA_WRONG_STATE, "path_next", says[k]);
      }
    }
    parameter[changes] = next_point(world, path).parameter;
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
  assert_true(parameter[0] == parameter[1]);
}

TEST(path_ends_when_rods_are_added) {
  arch a;
  make_arch(&a, 10, alpha);
  elastica_path *path = make_path(a.world, arch_apply, &a, 0.5, -INFINITY, INFINITY);
  next_point(a.world, path);
  add_wire(a.world, 5);
  assert_refused(a.world, elastica_path_next(path, NULL), ELASTICA_WRONG_STATE, "path_next", "rods were added or removed");
  elastica_path_destroy(path);
  elastica_world_destroy(a.world);
}

/* ---- Contact ------------------------------------------------------------------------------------------------------------------------ */

/* The tip of a cantilever is pressed onto another one at 0.9 of its length: from the first touch on both bend. */
TEST(path_goes_on_in_contact) {
  const double gap = 0.002, radius = 0.01, modulus = 1e9, inertia = pi / 4.0 * radius * radius * radius * radius;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(rod, def);
    def.element_count = 20, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = modulus;
    def.start[0] = -k * (2.0 * radius + gap), def.start[2] = k ? 1.9 : 0.0, def.direction[2] = k ? -1.0 : 1.0; /* the tips overlap by 0.1 */
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
    clamp_first(world, rod[k], ELASTICA_BOUNDARY_CLAMP);
  }
  elastica_effect *force;
  DEFAULTS(point_load, none);
  DEFAULTS(contact, law);
  law.modulus = 1e6, law.friction = 0.0;
  must(world, elastica_add_point_load(world, rod[0], &none, &force));
  must(world, elastica_add_contact(world, NULL, &law, NULL));
  elastica_path *path = make_path(world, pull_aside, force, 0.005, -INFINITY, 0.2);
  double before[2] = {0.0, 0.0}, stiffness[2] = {0.0, 0.0};
  for (int k = 0; k < 400; k++) {
    const elastica_path_result point = next_point(world, path);
    const double x = -tip(rod[0], 0);
    if (k > 0 && tip(rod[1], 0) + 2.0 * radius + gap > -1e-9 && x < 0.9 * gap)
      stiffness[0] = (point.parameter - before[0]) / (x - before[1]);
    stiffness[1] = (point.parameter - before[0]) / (x - before[1]);
    before[0] = point.parameter, before[1] = x;
    if (point.kind == ELASTICA_PATH_END) break;
  }
  assert_true(before[0] == 0.2);
  assert_close(stiffness[0], 3.0 * modulus * inertia, 0.02 * stiffness[0]);
  const double one = 1.0 / 3.0, other = 0.9 * 0.9 * 0.9 / 3.0; /* deflection over L^3/(E I), at the end and at 0.9 of the length */
  assert_close(stiffness[1] / stiffness[0], (one + other) / other, 0.01 * (one + other) / other);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
}

/* A rod that lies on a plane, or across another rod, is pressed down by a growing load: before a point where a step would fail, the path
 * ends at its last point. */
TEST(path_ends_before_a_rod_passes_through_a_contact) {
  for (int crossed = 0; crossed < 2; crossed++) {
    const double radius = 0.02, modulus = 1e5;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    for (int k = 0; k <= crossed; k++) {
      DEFAULTS(rod, def);
      DEFAULTS(boundary, hold);
      def.element_count = 20, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
      set_vector(def.start, 0, k ? 0.0 : -0.5, k ? -0.5 : 0.0, k ? -2.0 * radius : radius);
      set_vector(def.direction, 0, k ? 0.0 : 1.0, k, 0.0);
      must(world, elastica_world_add_rod(world, &def, &rod[k]));
      hold.kind = ELASTICA_BOUNDARY_PIN;
      if (k == 0) hold.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
      for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, rod[k], &hold, NULL));
    }
    DEFAULTS(contact, contact);
    DEFAULTS(obstacle, plane);
    contact.modulus = modulus, contact.friction = 0.0;
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = modulus;
    if (crossed)
      must(world, elastica_add_contact(world, NULL, &contact, NULL));
    else
      must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
    elastica_effect *force;
    DEFAULTS(point_load, load);
    load.node = 10;
    must(world, elastica_add_point_load(world, rod[0], &load, &force));
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL)); /* the path begins in contact */
    must(world, elastica_world_relax(world, NULL, NULL));
    load_at_node of = {force, 10};
    elastica_path *path = make_path(world, press_node, &of, 100.0, -INFINITY, INFINITY);
    elastica_path_result point = {0};
    elastica_status status = ELASTICA_OK;
    double height = 0.0;
    for (int k = 0; k < 400 && status == ELASTICA_OK; k++) {
      height = elastica_rod_get_view(rod[0])->position[2][10];
      status = elastica_path_next(path, &point);
    }
    assert_refused(world, status, ELASTICA_NOT_CONVERGED, "path_next: in the equilibrium at the parameter ",
                   crossed ? "\"contact\"" : "\"obstacle\"", "would pass through");
    assert_true(elastica_rod_get_view(rod[0])->position[2][10] == height);
    elastica_path_destroy(path);
    must(world, elastica_world_step(world, 1e-9, 1));
    elastica_world_destroy(world);
  }
}

/* ---- Rigid bodies in contact -------------------------------------------------------------------------------------------------------- */

/* A body above the middle of a cantilever along x, on soft springs, with a force that presses it down. */
typedef struct press_scene {
  elastica_world *world;
  elastica_rod *rod, *body;
  elastica_effect *force, *contact;
} press_scene;

static press_scene make_press(elastica_shape shape) {
  const double radius = 0.01, gap = 0.002;
  press_scene scene = {.world = make_world(NULL)};
  DEFAULTS(rod, def);
  def.element_count = 16, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e9;
  set_vector(def.direction, 0, 1.0, 0.0, 0.0);
  must(scene.world, elastica_world_add_rod(scene.world, &def, &scene.rod));
  clamp_first(scene.world, scene.rod, ELASTICA_BOUNDARY_CLAMP);
  DEFAULTS(body, body);
  body.shape = shape, body.mass = 1.0, body.radius = 0.05, body.length = 0.3;
  for (int a = 0; a < 3; a++) body.edges[a] = 0.1;
  memset(body.director, 0, sizeof body.director);
  body.director[0] = body.director[5] = 1.0, body.director[7] = -1.0; /* d3 along -y */
  set_vector(body.position, 0, 0.53, 0.002, radius + 0.05 + gap);
  must(scene.world, elastica_world_add_body(scene.world, &body, &scene.body));
  DEFAULTS(joint, joint);
  joint.kind = ELASTICA_JOINT_FIXED, joint.first.rod = scene.body, joint.stiffness = 100.0, joint.angular_stiffness = 20.0;
  must(scene.world, elastica_add_joint(scene.world, &joint, NULL));
  DEFAULTS(point_load, none);
  must(scene.world, elastica_add_point_load(scene.world, scene.body, &none, &scene.force));
  DEFAULTS(contact, law);
  law.modulus = 1e6, law.friction = 0.0;
  must(scene.world, elastica_add_contact(scene.world, NULL, &law, &scene.contact));
  return scene;
}

/* A ball, capsule, cylinder or box meets the cantilever on the way and bends it. Relaxation under the same force finds the same state, with
 * the same verdict, and a path resumed in contact the same bits. */
TEST(path_presses_a_body_on_a_cantilever) {
  enum { AFTER = 3 };
  const double most = 4.0;
  for (elastica_shape shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_BOX; shape++) {
    press_scene scene = make_press(shape);
    elastica_path *path = make_path(scene.world, press, scene.force, 0.05, -INFINITY, most);
    int touching = 0, points = 0;
    elastica_path_result at;
    for (int k = 0; points == 0; k++) {
      at = next_point(scene.world, path);
      assert_true(k < 200 && at.kind == ELASTICA_PATH_POINT);
      must(scene.world, elastica_contact_get(scene.contact, NULL, 0, &points));
    }
    const size_t size = size_of_snapshot(scene.world);
    size_t needed = 0;
    must(scene.world, elastica_path_save(path, NULL, 0, &needed));
    void *snapshot = malloc(size), *record = malloc(needed);
    must(scene.world, elastica_world_snapshot_save(scene.world, snapshot, size, NULL));
    must(scene.world, elastica_path_save(path, record, needed, NULL));
    const double loaded = at.parameter;
    uint64_t hash[AFTER];
    for (int k = 0; at.kind == ELASTICA_PATH_POINT; k++) {
      at = next_point(scene.world, path);
      if (k < AFTER) hash[k] = hash_numbers(hash_world(scene.world), &at.parameter, 1);
      touching++;
    }
    assert_true(at.parameter == most && touching > AFTER);
    press_scene same = make_press(shape);
    must(same.world, press(same.force, same.world, most));
    const elastica_relax_result result = relax(same.world);
    assert_close(distance_of(scene.world, same.world), 0.0, 1e-8);
    assert_int_equal(at.stable, result.stable);
    assert_int_equal(at.unstable_modes, result.unstable_modes);
    assert_true(tip(scene.rod, 2) < -0.02);
    elastica_path_destroy(path);
    elastica_world_destroy(scene.world);
    elastica_world_destroy(same.world);

    scene = make_press(shape);
    must(scene.world, press(scene.force, scene.world, loaded));
    must(scene.world, elastica_world_snapshot_load(scene.world, snapshot, size));
    path = make_path(scene.world, press, scene.force, 0.05, -INFINITY, most);
    must(scene.world, elastica_path_load(path, record, needed));
    for (int k = 0; k < AFTER; k++) {
      at = next_point(scene.world, path);
      assert_true(hash_numbers(hash_world(scene.world), &at.parameter, 1) == hash[k]);
    }
    elastica_path_destroy(path);
    elastica_world_destroy(scene.world);
    free(record);
    free(snapshot);
  }
}

/* The arch snaps under a ball on its crown at the force under which it snaps without the ball. */
TEST(arch_snaps_under_a_ball) {
  const double ball = 0.2, spring = 0.1;
  double limit[2];
  for (int under_ball = 0; under_ball < 2; under_ball++) {
    arch a;
    make_arch(&a, 40, alpha);
    const double crown = elastica_rod_get_view(a.rod)->position[2][20];
    elastica_effect *force = NULL;
    elastica_rod *body = NULL;
    DEFAULTS(point_load, load);
    if (under_ball) {
      DEFAULTS(body, def);
      DEFAULTS(boundary, rail);
      DEFAULTS(joint, joint);
      DEFAULTS(contact, law);
      def.radius = ball, def.mass = 1.0;
      set_vector(def.position, 0, 0.5, 0.0, crown + 0.01 + ball);
      must(a.world, elastica_world_add_body(a.world, &def, &body));
      rail.kind = ELASTICA_BOUNDARY_FRAME, rail.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
      must(a.world, elastica_add_boundary(a.world, body, &rail, NULL));
      joint.kind = ELASTICA_JOINT_BALL, joint.first.rod = body, joint.stiffness = spring;
      must(a.world, elastica_add_joint(a.world, &joint, NULL));
      law.modulus = 1e6, law.friction = 0.0;
      must(a.world, elastica_add_contact(a.world, NULL, &law, NULL));
    } else {
      load.node = 20;
    }
    must(a.world, elastica_add_point_load(a.world, under_ball ? body : a.rod, &load, &force));
    load_at_node of = {force, load.node};
    elastica_path *path = make_path(a.world, press_node, &of, 0.02, -INFINITY, INFINITY);
    limit[under_ball] = next_of_kind(a.world, path, ELASTICA_PATH_LIMIT).parameter;
    if (under_ball) limit[1] -= spring * (crown + 0.01 + ball - elastica_rod_get_view(body)->position[2][0]);
    elastica_path_destroy(path);
    elastica_world_destroy(a.world);
  }
  assert_close(limit[1] / limit[0], 1.0, 2e-3);
}

/* The loads of a joint alone cancel the others on a body: a pendulum at the angle atan(F/m g) under a force F aside. A couple of 1e-9 of
 * weight times length may be left. */
TEST(path_pulls_a_pendulum_aside) {
  const double weight = 2.0 * 9.81;
  for (int ball = 0; ball < 2; ball++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_effect *force = NULL;
    DEFAULTS(body, body);
    body.shape = ELASTICA_SHAPE_CAPSULE, body.radius = 0.05, body.length = 0.8, body.mass = 2.0;
    set_vector(body.position, 0, 0.0, 0.0, -0.5);
    must(world, elastica_world_add_body(world, &body, &rod));
    DEFAULTS(joint, joint);
    joint.kind = ball ? ELASTICA_JOINT_BALL : ELASTICA_JOINT_HINGE;
    joint.first.rod = rod, joint.first.offset[2] = 0.5, joint.stiffness = 1e7;
    if (!ball) set_vector(joint.axis, 0, 0.0, 1.0, 0.0), joint.angular_stiffness = 1e4;
    must(world, elastica_add_joint(world, &joint, NULL));
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
    DEFAULTS(point_load, none);
    must(world, elastica_add_point_load(world, rod, &none, &force));
    elastica_path *path = make_path(world, pull_aside, force, 0.3, -INFINITY, 10.0);
    elastica_path_result point = {0};
    while (point.kind == ELASTICA_PATH_POINT) {
      point = next_point(world, path);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      assert_close(-view->director[2][0][0] / view->director[2][2][0], -point.parameter / weight, 3e-9);
    }
    assert_true(point.parameter == 10.0 && point.unstable_modes == 0 && point.zero_modes == ball);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

static elastica_status press_body(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* A body on a spring that resists its turn by 1 N m/rad, pressed half a metre above: it falls over at the load 2, and the branch has
 * p sin(theta)/2 = theta, in any direction of the first mode. Nothing in this world has a material stiffness but the spring. */
TEST(a_body_on_a_spring_falls_over) {
  for (int turned = 0; turned < 2; turned++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_effect *force = NULL;
    DEFAULTS(body, body);
    body.shape = ELASTICA_SHAPE_CAPSULE, body.radius = 0.05, body.length = 0.8, body.mass = 1.0;
    set_vector(body.position, 0, 0.0, 0.0, 0.5);
    if (turned) memcpy(body.director, (double[]){0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0}, sizeof body.director);
    must(world, elastica_world_add_body(world, &body, &rod));
    DEFAULTS(joint, joint);
    joint.kind = ELASTICA_JOINT_FIXED, joint.stiffness = 1e6, joint.angular_stiffness = 1.0;
    joint.first.rod = rod, joint.first.offset[2] = -0.5;
    must(world, elastica_add_joint(world, &joint, NULL));
    DEFAULTS(point_load, none);
    must(world, elastica_add_point_load(world, rod, &none, &force));
    elastica_path *path = make_path(world, press_body, force, 0.13, -INFINITY, 4.0);
    assert_close(next_of_kind(world, path, ELASTICA_PATH_BRANCH).parameter, 2.0, 1e-4);
    must(world, elastica_path_switch(path, 1));
    elastica_path_result point = {0};
    while (point.kind == ELASTICA_PATH_POINT) {
      point = next_point(world, path);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      const double aside = hypot(view->position[0][0], view->position[1][0]), angle = atan2(aside, view->position[2][0]);
      assert_close(angle / (0.5 * sin(angle)), point.parameter, 1e-4);
      assert_int_equal(point.unstable_modes, 0);
    }
    assert_true(point.parameter == 4.0);
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------------------- */

/* Each request for memory is refused in turn; the call changes nothing, and succeeds when it is repeated. */
TEST(path_survives_any_lack_of_memory) {
  memory_ration memory = plenty();
  elastica_world *world = make_rationed_world(&memory);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_effect *force;
  DEFAULTS(point_load, none);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_point_load(world, rod, &none, &force));
  elastica_path *path = NULL;
  DEFAULTS(path, def);
  def.apply = pull_aside, def.user = force, def.first_step = 1e-4;
  memory.left = 0;
  assert_refused(world, elastica_path_create(world, &def, &path), ELASTICA_OUT_OF_MEMORY, "path_create");
  memory.left = LONG_MAX;
  must(world, elastica_path_create(world, &def, &path));
  for (int k = 0; k < 4; k++) {
    const uint64_t before = hash_world(world);
    elastica_status status = ELASTICA_OUT_OF_MEMORY;
    int refusals = 0;
    for (; status == ELASTICA_OUT_OF_MEMORY && refusals < 100; refusals++) {
      memory.refused_call = memory.calls + refusals;
      status = elastica_path_next(path, NULL);
      if (status == ELASTICA_OK) break;
      assert_status(world, status, ELASTICA_OUT_OF_MEMORY);
      assert_says(elastica_world_message(world), "path_next: no memory");
      assert_true(hash_world(world) == before);
    }
    memory.refused_call = -1;
    assert_int_equal(status, ELASTICA_OK);
    assert_true(refusals > 5);
  }
  elastica_path_destroy(path);
  elastica_world_destroy(world);
  assert_int_equal(memory.blocks, 0);
}
