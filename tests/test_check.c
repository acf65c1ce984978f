/* elastica_world_check: each finding has a scene with and a scene without it, and for some findings a run shows the announced effect. */
#include "base/target.h"

#include "checking.h"

/* ---- The step ------------------------------------------------------------------------------------------------------------------------ */

TEST(steps_beyond_the_limit_are_found_and_refused) {
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  add_rubber(world, NULL);
  must(world, elastica_world_step_limit(world, &limit));
  assert_silent(world, 0.8 * limit.dt, "0.8 of the limit");
  assert_silent(world, 0.0, "a step of the library");
  elastica_check_report report = check(world, 0.95 * limit.dt);
  the_only(&report, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_WARNING);
  report = check(world, 1.5 * limit.dt);
  const elastica_finding found = the_only(&report, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_ERROR);
  assert_true(found.value == 1.5 * limit.dt && found.bound == limit.dt && found.rod_index == 0);
  assert_true(report.limit.dt == limit.dt);
  assert_says(found.sentence, "refuses");
  assert_status(world, elastica_world_step(world, 1.5 * limit.dt, 1), ELASTICA_UNSTABLE_STEP);
  elastica_world_destroy(world);
}

/* ---- Loads --------------------------------------------------------------------------------------------------------------------------- */

/* A world that takes any step fails instead of refusing it. */
TEST(a_step_that_is_not_refused_is_told_to_fail) {
  for (int allows = 0; allows < 2; allows++)
    for (int spins = 0; spins < 2; spins++) {
      elastica_world_def options = default_world();
      elastica_step_limit limit;
      double omega[3 * 50] = {0.0};
      options.allow_unstable_step = allows;
      elastica_world *world = make_world(&options);
      elastica_rod_def def = rubber_def();
      if (spins) omega[3 * 20 + 2] = 1e6;
      def.omega = omega;
      add_rubber(world, &def);
      must(world, elastica_world_step_limit(world, &limit));
      const elastica_check_report report = check(world, (spins ? 0.9 : 2.0) * limit.dt);
      int told = 0;
      for (int k = 0; k < report.finding_count; k++) {
        const char *sentence = report.findings[k].sentence, *what = spins ? "element 20 spins at" : "2 times the stable";
        if (strstr(sentence, what) == NULL) continue;
        assert_int_equal(report.findings[k].severity, ELASTICA_SEVERITY_ERROR);
        assert_says(sentence, allows ? "the simulation fails" : "elastica_world_step refuses it");
        told++;
      }
      assert_int_equal(told, 1);
      elastica_world_destroy(world);
    }
}

/* One element of length L under a force F at its free end, far from the origin: F L^2/(E I), along all axes and from both ends. The
 * cause is that force, not one along the rod; also when all forces are small. */
TEST(the_bend_of_an_element_is_that_by_the_moment_about_its_clamp) {
  for (int k = 0; k < 24; k++) {
    const int along = k % 3, across = (along + 1 + k / 3 % 2) % 3, last = k / 6 % 2;
    const double size = k < 12 ? 1.0 : -0x1p-20, bending = 1e6 * fabs(size) * pi / 4.0 * 0.02 * 0.02 * 0.02 * 0.02;
    elastica_world *world = make_world(NULL);
    elastica_rod_def def = rubber_def();
    def.element_count = 1, def.length = 0.5;
    def.youngs_modulus *= fabs(size), def.density *= fabs(size);
    elastica_effect *effect[2];
    for (int a = 0; a < 3; a++) def.direction[a] = a == along;
    set_vector(def.start, 0, 3.0, -5.0, 7.0);
    elastica_rod *rod = add_rubber(world, &def);
    add_clamp_at(world, rod, last ? ELASTICA_END_LAST : ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
    for (int n = 0; n < 2; n++) {
      DEFAULTS(point_load, load);
      load.node = last ? 0 : -1;
      load.force[n ? across : along] = (n ? 1.5 : 1e-3) * bending / 0.25 * (size < 0.0 ? -1.0 : 1.0);
      must(world, elastica_add_point_load(world, rod, &load, &effect[n]));
    }
    const elastica_check_report report = check(world, 0.0);
    const elastica_finding *found = find(&report, ELASTICA_FINDING_LOAD);
    assert_true(found != NULL && found->bound == 1.0);
    assert_close(found->value, 1.5, 1e-12);
    assert_ptr_equal(found->effect, effect[1]);
    elastica_world_destroy(world);
  }
}

/* A clamped rod of n elements under a sideways force that bends it to a hook. Returns the largest turn of a joint during the swing. */
static double swing_out(int n, double force, elastica_check_report *report) {
  elastica_rod_def def = rubber_def();
  double largest = 0.0;
  def.element_count = n;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, &def);
  add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
  DEFAULTS(point_load, load);
  load.force[0] = force;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  DEFAULTS(dissipation, damping);
  damping.translation = 1.0;
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  *report = check(world, 0.0);
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind == ELASTICA_FINDING_LOAD)
      assert_string_equal(elastica_effect_get(report->findings[k].effect).name, "point_load");
  for (int k = 0; k < 200; k++) {
    if (elastica_world_advance(world, 0.01) != ELASTICA_OK) {
      largest = 4.0;
      break;
    }
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j + 1 < n; j++) {
      double trace = 0.0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) trace += view->director[a][b][j] * view->director[a][b][j + 1];
      const double cosine = 0.5 * (trace - 1.0), turn = acos(cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine);
      largest = turn > largest ? turn : largest;
    }
  }
  elastica_world_destroy(world);
  return largest;
}

TEST(loads_that_bend_an_element_by_more_than_a_radian_are_found_and_do) {
  elastica_check_report report;
  const double stiffness = 1e6 * pi / 4.0 * pow(0.02, 4.0);
  /* l sqrt(2 F/EI) is 4 with 5 elements and 0.2 with 100 */
  const double force = 0.5 * stiffness * pow(4.0 / 0.2, 2.0);
  assert_between(swing_out(5, force, &report), 1.0, 4.0);
  const elastica_finding found = the_only(&report, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING);
  assert_close(found.value, 4.0, 1e-9);
  assert_int_equal(found.element, 0);
  assert_between(swing_out(100, force, &report), 0.1, 0.6);
  assert_int_equal(report.finding_count, 0);
}

/* Rods that hang from a clamp or are free are not bent by the same weight. */
TEST(weight_that_does_not_bend_is_not_found) {
  const double down[3] = {0.0, 0.0, 9.81}, aside[3] = {9.81, 0.0, 0.0};
  for (int way = 0; way < 3; way++) {
    elastica_rod_def def = rubber_def();
    def.element_count = 10, def.youngs_modulus = 3e4, def.radius = 0.004;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    if (way > 0) add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_FRAME);
    must(world, elastica_add_gravity(world, way == 1 ? down : aside, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (way < 2) assert_int_equal(report.finding_count, 0);
    if (way == 2) the_only(&report, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING);
    elastica_world_destroy(world);
  }
}

/* ---- Stretch ------------------------------------------------------------------------------------------------------------------------- */

/* A rod pulled to e = share S3/(S3 - S1), at rest but for a tilt of 1e-6 rad; returns the largest tilt of its frames after a time. */
static double lean(double share, elastica_check_report *report) {
  elastica_rod_def def = rubber_def();
  double omega[15] = {0.0}, largest = 0.0;
  def.element_count = 5;
  def.shear_modulus = def.youngs_modulus / 4.0; /* S1 = S3/3: 1.5 */
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, &def);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double position[18] = {0.0};
  for (int i = 0; i < 6; i++) position[component(i, Z)] = 0.2 * i * 1.5 * share;
  for (int j = 0; j < 5; j++) omega[component(j, X)] = 1e-3;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, omega));
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  for (pin.node = 0; pin.node < 6; pin.node++) must(world, elastica_add_boundary(world, rod, &pin, NULL));
  *report = check(world, 0.0);
  must(world, elastica_world_advance(world, 0.2));
  for (int j = 0; j < 5; j++) largest = fabs(view->director[2][1][j]) > largest ? fabs(view->director[2][1][j]) : largest;
  elastica_world_destroy(world);
  return largest;
}

TEST(frames_that_will_fall_over_are_found_and_do) {
  elastica_check_report report;
  assert_true(lean(0.7, &report) < 1e-4);
  assert_int_equal(report.finding_count, 0);
  assert_true(lean(0.9, &report) < 1e-4);
  the_only(&report, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_WARNING);
  assert_true(lean(1.1, &report) > 0.1);
  const elastica_finding found = the_only(&report, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_ERROR);
  assert_close(found.value, 1.65, 1e-12);
  assert_close(found.bound, 1.5, 1e-12);
}

/* The softer of two shear stiffnesses decides; frames do not fall over if both are at least the stiffness against stretch. */
TEST(the_softer_shear_stiffness_bounds_the_stretch) {
  static const struct { double share[2], bound; } ways[] = {{{0.25, 0.8}, 4.0 / 3.0}, {{0.8, 0.25}, 4.0 / 3.0}, {{1.0, 1.0}, INFINITY}};
  for (int k = 0; k < 3; k++) {
    enum { N = 4 };
    double shear[3 * N], position[3 * (N + 1)] = {0.0};
    elastica_rod_def def = rubber_def();
    elastica_world *world = make_world(NULL);
    for (int j = 0; j < N; j++) set_vector(shear, j, 1e3 * ways[k].share[0], 1e3 * ways[k].share[1], 1e3);
    def.element_count = N, def.shear_stiffness = shear;
    def.shear_modulus = NAN;
    elastica_rod *rod = add_rubber(world, &def);
    for (int i = 0; i <= N; i++) position[component(i, Z)] = 1.3 * i / N;
    must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (ways[k].bound < INFINITY)
      assert_close(the_only(&report, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_WARNING).bound, ways[k].bound, 1e-12);
    else
      assert_int_equal(report.finding_count, 0);
    elastica_world_destroy(world);
  }
}

/* A rod hangs from its first node with a load that is not yet applied: e = 1 + F/EA, or 1/(1 - F/EA). */
TEST(stretch_under_loads_to_come_is_found) {
  static const struct {
    int rescaled;
    double share;
    elastica_severity severity;
    double e;
  } ways[] = {{0, 0.1, ELASTICA_SEVERITY_NONE, 1.1},
              {0, 0.3, ELASTICA_SEVERITY_WARNING, 1.3},
              {0, 0.6, ELASTICA_SEVERITY_ERROR, 1.6},
              {1, 0.21875, ELASTICA_SEVERITY_WARNING, 1.28},
              {1, 1.1, ELASTICA_SEVERITY_ERROR, 0.0}};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    elastica_rod_def def = rubber_def();
    def.shear_modulus = def.youngs_modulus / 4.0;
    elastica_world *world = ways[k].rescaled ? make_papers_world() : make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    DEFAULTS(dissipation, damping);
    damping.translation = 0.1;
    must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    add_force(world, rod, 0.0, ways[k].share * 1e6 * pi * 4e-4);
    const elastica_check_report report = check(world, 0.0);
    if (ways[k].severity == ELASTICA_SEVERITY_NONE) {
      assert_int_equal(report.finding_count, 0);
    } else {
      const elastica_finding found = the_only(&report, ELASTICA_FINDING_STRETCH, ways[k].severity);
      if (ways[k].e > 0.0) assert_close(found.value, ways[k].e, 1e-9);
      if (ways[k].e == 0.0) assert_says(found.sentence, "without end");
    }
    elastica_world_destroy(world);
  }
}

/* ---- Buckling ------------------------------------------------------------------------------------------------------------------------ */

typedef struct column {
  elastica_support first, last;
  double factor; /* Euler's load divided by pi^2 EI/L^2 */
} column;

static void hold(elastica_world *world, elastica_rod *rod, int last, elastica_support support) {
  if (support == ELASTICA_SUPPORT_FREE) return;
  if (support == ELASTICA_SUPPORT_PINNED) {
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = last ? -1 : 0;
    pin.axes = last ? ELASTICA_AXIS_X | ELASTICA_AXIS_Y : ELASTICA_AXIS_ALL;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    return;
  }
  DEFAULTS(boundary, clamp);
  clamp.node = last ? -1 : 0;
  clamp.axes = support == ELASTICA_SUPPORT_GUIDED ? (last ? 0 : ELASTICA_AXIS_Z)
               : last                             ? ELASTICA_AXIS_X | ELASTICA_AXIS_Y
                                                  : ELASTICA_AXIS_ALL;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

/* Compresses the column by this share of pi^2 EI/L^2 and computes its stability by statics. */
static int is_stable_column(const column *c, double share, elastica_check_report *report) {
  elastica_rod_def def = rubber_def();
  elastica_relax_result result;
  def.youngs_modulus = 1e8, def.radius = 0.01;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, &def);
  hold(world, rod, 0, c->first);
  hold(world, rod, 1, c->last);
  add_force(world, rod, 0.0, -share * pi * pi * 1e8 * pi / 4.0 * 1e-8);
  *report = check(world, 0.0);
  must(world, elastica_world_step(world, 1e-7, 1));
  ignore(elastica_world_relax(world, NULL, &result));
  elastica_world_destroy(world);
  return result.stable;
}

TEST(columns_above_eulers_load_are_found) {
  static const column columns[] = {
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_FREE, 0.25},     {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_PINNED, 1.0},
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_PINNED, 2.0457}, {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_CLAMPED, 2.0457},
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_CLAMPED, 4.0},   {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_GUIDED, 1.0},
      {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_GUIDED, 0.25}};
  elastica_check_report report;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    is_stable_column(&columns[k], 0.97 * columns[k].factor, &report);
    if (report.finding_count > 0) fail_msg("column %zu: %s", k, report.findings[0].sentence);
    is_stable_column(&columns[k], 1.03 * columns[k].factor, &report);
    const elastica_finding found = the_only(&report, ELASTICA_FINDING_BUCKLING, ELASTICA_SEVERITY_WARNING);
    assert_string_equal(found.name, "BUCKLING");
    assert_close(found.value, 1.03, 0.005);
  }
}

/* A column under its own weight: q L = 7.837 EI/L^2. */
static double weight_at_which_it_speaks(void) {
  double low = 1.0, high = 20.0;
  for (int k = 0; k < 30; k++) {
    const double middle = 0.5 * (low + high), stiffness = 1e8 * pi / 4.0 * 1e-8;
    const double g[3] = {0.0, 0.0, -middle * stiffness / (1100.0 * pi * 1e-4)};
    elastica_rod_def def = rubber_def();
    def.youngs_modulus = 1e8, def.radius = 0.01;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_gravity(world, g, NULL));
    *(check(world, 0.0).finding_count > 0 ? &high : &low) = middle;
    elastica_world_destroy(world);
  }
  return low;
}

TEST(a_column_under_its_own_weight_is_found_soon_after_it_buckles) {
  assert_between(weight_at_which_it_speaks(), 7.837, 1.08 * 7.837);
}

/* Rods under initial stress between two clamps, without a load; a bent rod does not buckle. */
TEST(pressed_rods_are_found_by_their_stress) {
  for (int pressed = 0; pressed < 2; pressed++) {
    elastica_rod_def def = rubber_def();
    double length[50];
    for (int j = 0; j < 50; j++) length[j] = pressed ? 0.0206 : 0.0199; /* Euler: 4 pi^2 r^2/(4 L^2) = 0.004 */
    def.rest_length = length;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    hold(world, rod, 0, ELASTICA_SUPPORT_CLAMPED);
    hold(world, rod, 1, ELASTICA_SUPPORT_CLAMPED);
    const elastica_check_report report = check(world, 0.0);
    if (pressed)
      assert_between(the_only(&report, ELASTICA_FINDING_BUCKLING, ELASTICA_SEVERITY_WARNING).value, 6.0, 9.0);
    else
      assert_int_equal(report.finding_count, 0);
    elastica_world_destroy(world);
  }
}
