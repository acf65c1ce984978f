/* elastica_world_check: each finding has a scene where it must speak and one where it must be silent, and some of what it warns of is run to
 * show that it happens. */
#include "base/target.h"

#include "conformance_table.h"
#include "rationed_memory.h"

static const double pi = 3.14159265358979324;

static elastica_check_report check(elastica_world *world, double dt) {
  elastica_check_report report;
  must(world, elastica_world_check(world, dt, &report));
  assert_true(report.finding_count <= ELASTICA_FINDING_CAPACITY);
  return report;
}

static const elastica_finding *find(const elastica_check_report *report, elastica_finding_kind kind) {
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind == kind) return &report->findings[k];
  return NULL;
}

/* One finding, of this kind and severity, at this rod. */
static elastica_finding the_only(const elastica_check_report *report, elastica_finding_kind kind, elastica_severity severity) {
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind != kind) fail_msg("%s", report->findings[k].sentence);
  const elastica_finding *found = find(report, kind);
  if (found == NULL) fail_msg("%s is not found", elastica_finding_text(kind));
  assert_int_equal(found->severity, severity);
  assert_int_equal(report->worst, severity);
  assert_true(strlen(found->sentence) > 40 && strlen(found->sentence) < sizeof found->sentence - 1);
  return *found;
}

static void assert_silent(elastica_world *world, double dt, const char *what) {
  const elastica_check_report report = check(world, dt);
  if (report.finding_count > 0) fail_msg("%s: %s", what, report.findings[0].sentence);
  assert_int_equal(report.worst, ELASTICA_SEVERITY_NONE);
}

/* Rubber of 1 m and 50 elements along z. */
static elastica_rod_def rubber_def(void) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 50;
  def.length = 1.0;
  def.radius = 0.02;
  def.density = 1100.0;
  def.youngs_modulus = 1e6;
  return def;
}

static elastica_rod *add_rubber(elastica_world *world, const elastica_rod_def *def) {
  const elastica_rod_def usual = rubber_def();
  elastica_rod *rod = NULL;
  must(world, elastica_world_add_rod(world, def ? def : &usual, &rod));
  return rod;
}

static elastica_effect *add_clamp_at(elastica_world *world, elastica_rod *rod, elastica_end end, elastica_clamp_kind kind) {
  elastica_clamp_def def;
  elastica_effect *effect = NULL;
  elastica_clamp_def_init(&def, sizeof def);
  def.end = end;
  def.kind = kind;
  must(world, elastica_add_clamp(world, rod, &def, &effect));
  return effect;
}

static elastica_effect *add_force(elastica_world *world, elastica_rod *rod, double x, double z) {
  elastica_point_load_def def;
  elastica_effect *effect = NULL;
  elastica_point_load_def_init(&def, sizeof def);
  def.force[0] = x, def.force[2] = z;
  def.ramp_time = 1.0; /* counts in full */
  must(world, elastica_add_point_load(world, rod, &def, &effect));
  return effect;
}

/* ---- The step ------------------------------------------------------------------------------------------------------------------------ */

static void steps_beyond_the_limit_are_found_and_refused(void **state) {
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  (void)state;
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

/* A clamped rod of n elements under a sideways force that bends it to a hook. Returns the largest turn of a joint that it sees while it
 * swings out. */
static double swing_out(int n, double force, elastica_check_report *report) {
  elastica_rod_def def = rubber_def();
  elastica_dissipation_def damping;
  double largest = 0.0;
  def.element_count = n;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, &def);
  elastica_point_load_def load;
  add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_CLAMP_HALF_CELL);
  elastica_point_load_def_init(&load, sizeof load);
  load.force[0] = force;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  elastica_dissipation_def_init(&damping, sizeof damping);
  damping.translation = 1.0;
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  *report = check(world, 0.0);
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind == ELASTICA_FINDING_LOAD)
      assert_string_equal(elastica_effect_name(report->findings[k].effect), "point_load");
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

static void loads_that_bend_an_element_by_more_than_a_radian_are_found_and_do(void **state) {
  elastica_check_report report;
  (void)state;
  const double stiffness = 1e6 * pi / 4.0 * pow(0.02, 4.0);
  /* l sqrt(2 F/EI) is 4 with 5 elements and 0.2 with 100. */
  const double force = 0.5 * stiffness * pow(4.0 / 0.2, 2.0);
  assert_between(swing_out(5, force, &report), 1.0, 4.0);
  const elastica_finding found = the_only(&report, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING);
  assert_close(found.value, 4.0, 1e-9);
  assert_int_equal(found.element, 0);
  assert_between(swing_out(100, force, &report), 0.1, 0.6);
  assert_int_equal(report.finding_count, 0);
}

/* Hanging from its clamp or lying free, the same weight bends nothing. */
static void weight_that_does_not_bend_is_not_found(void **state) {
  const double down[3] = {0.0, 0.0, 9.81}, aside[3] = {9.81, 0.0, 0.0};
  (void)state;
  for (int way = 0; way < 3; way++) {
    elastica_rod_def def = rubber_def();
    def.element_count = 10, def.youngs_modulus = 3e4, def.radius = 0.004;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    if (way > 0) add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_CLAMP_FRAME);
    must(world, elastica_add_gravity(world, way == 1 ? down : aside, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (way < 2) assert_int_equal(report.finding_count, 0);
    if (way == 2) the_only(&report, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING);
    elastica_world_destroy(world);
  }
}

/* ---- Stretch ------------------------------------------------------------------------------------------------------------------------- */

/* A rod pulled to e = share S3/(S3 - S1), at rest but for 1e-6 rad; how far its frames lean after a while. */
static double lean(double share, elastica_check_report *report) {
  elastica_rod_def def = rubber_def();
  double omega[15] = {0.0}, largest = 0.0;
  elastica_pin_def pin;
  def.element_count = 5;
  def.shear_modulus = def.youngs_modulus / 4.0; /* S1 = S3/3: 1.5 */
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, &def);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double position[18] = {0.0};
  for (int i = 0; i < 6; i++) position[component(i, Z)] = 0.2 * i * 1.5 * share;
  for (int j = 0; j < 5; j++) omega[component(j, X)] = 1e-3;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, omega));
  elastica_pin_def_init(&pin, sizeof pin);
  for (pin.node = 0; pin.node < 6; pin.node++) must(world, elastica_add_pin(world, rod, &pin, NULL));
  *report = check(world, 0.0);
  must(world, elastica_world_advance(world, 0.2));
  for (int j = 0; j < 5; j++) largest = fabs(view->director[2][1][j]) > largest ? fabs(view->director[2][1][j]) : largest;
  elastica_world_destroy(world);
  return largest;
}

static void frames_that_will_fall_over_are_found_and_do(void **state) {
  elastica_check_report report;
  (void)state;
  assert_true(lean(0.7, &report) < 1e-4);
  assert_int_equal(report.finding_count, 0);
  assert_true(lean(0.9, &report) < 1e-4);
  the_only(&report, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_WARNING);
  assert_true(lean(1.1, &report) > 0.1);
  const elastica_finding found = the_only(&report, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_ERROR);
  assert_close(found.value, 1.65, 1e-12);
  assert_close(found.bound, 1.5, 1e-12);
}

/* Hung from its first node with a load that is still to come: e = 1 + F/EA, or 1/(1 - F/EA). */
static void stretch_under_loads_to_come_is_found(void **state) {
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
  (void)state;
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    elastica_rod_def def = rubber_def();
    elastica_pin_def pin;
    elastica_dissipation_def damping;
    def.shear_modulus = def.youngs_modulus / 4.0;
    elastica_world *world = ways[k].rescaled ? make_papers_world() : make_world(NULL);
    elastica_rod *rod = add_rubber(world, &def);
    elastica_dissipation_def_init(&damping, sizeof damping);
    damping.translation = 0.1;
    must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    elastica_pin_def_init(&pin, sizeof pin);
    must(world, elastica_add_pin(world, rod, &pin, NULL));
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
  double factor; /* Euler's load over pi^2 EI/L^2 */
} column;

static void hold(elastica_world *world, elastica_rod *rod, int last, elastica_support support) {
  if (support == ELASTICA_SUPPORT_FREE) return;
  if (support == ELASTICA_SUPPORT_PINNED) {
    elastica_pin_def pin;
    elastica_pin_def_init(&pin, sizeof pin);
    pin.node = last ? -1 : 0;
    pin.axes = last ? ELASTICA_AXIS_X | ELASTICA_AXIS_Y : ELASTICA_AXIS_ALL;
    must(world, elastica_add_pin(world, rod, &pin, NULL));
    return;
  }
  elastica_clamp_def clamp;
  elastica_clamp_def_init(&clamp, sizeof clamp);
  clamp.end = last ? ELASTICA_END_LAST : ELASTICA_END_FIRST;
  clamp.axes = support == ELASTICA_SUPPORT_GUIDED ? (last ? 0 : ELASTICA_AXIS_Z)
               : last                             ? ELASTICA_AXIS_X | ELASTICA_AXIS_Y
                                                  : ELASTICA_AXIS_ALL;
  must(world, elastica_add_clamp(world, rod, &clamp, NULL));
}

/* Pressed by so much of pi^2 EI/L^2; its stability by statics. */
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
  elastica_world_relax(world, NULL, &result);
  elastica_world_destroy(world);
  return result.stable;
}

static void columns_above_eulers_load_are_found(void **state) {
  static const column columns[] = {
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_FREE, 0.25},     {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_PINNED, 1.0},
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_PINNED, 2.0457}, {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_CLAMPED, 2.0457},
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_CLAMPED, 4.0},   {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_GUIDED, 1.0},
      {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_GUIDED, 0.25}};
  elastica_check_report report;
  (void)state;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    is_stable_column(&columns[k], 0.97 * columns[k].factor, &report);
    if (report.finding_count > 0) fail_msg("column %zu: %s", k, report.findings[0].sentence);
    is_stable_column(&columns[k], 1.03 * columns[k].factor, &report);
    const elastica_finding found = the_only(&report, ELASTICA_FINDING_BUCKLING, ELASTICA_SEVERITY_WARNING);
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
    add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_CLAMP_HALF_CELL);
    must(world, elastica_add_gravity(world, g, NULL));
    *(check(world, 0.0).finding_count > 0 ? &high : &low) = middle;
    elastica_world_destroy(world);
  }
  return low;
}

static void a_column_under_its_own_weight_is_found_soon_after_it_buckles(void **state) {
  (void)state;
  assert_between(weight_at_which_it_speaks(), 7.837, 1.08 * 7.837);
}

/* What is pressed already, without a load: between two clamps by stress; and a bent rod does not buckle. */
static void pressed_rods_are_found_by_their_stress(void **state) {
  (void)state;
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

/* ---- Rest strain, proportions, masses, damping, units -------------------------------------------------------------------------------- */

static void large_rest_strains_are_found(void **state) {
  (void)state;
  for (int large = 0; large < 2; large++) {
    double strain[150] = {0.0};
    elastica_rod_def def = rubber_def();
    strain[component(7, Z)] = large ? -0.55 : -0.45;
    def.rest_strain = strain;
    elastica_world *world = make_world(NULL);
    add_rubber(world, NULL);
    add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    const elastica_finding *found = find(&report, ELASTICA_FINDING_REST_STRAIN);
    assert_true((found != NULL) == large);
    if (large) assert_true(found->rod_index == 1 && found->element == 7 && found->rod_count == 1 && found->value == 0.55);
    elastica_world_destroy(world);
  }
}

static void elements_out_of_proportion_are_found(void **state) {
  static const struct {
    double length, radius;
    int n;
    elastica_severity severity;
  } ways[] = {{1.0, 0.1, 100, ELASTICA_SEVERITY_NONE},
              {1.0, 0.1, 250, ELASTICA_SEVERITY_WARNING},
              {100.0, 1e-3, 20, ELASTICA_SEVERITY_NONE},
              {100.0, 1e-4, 20, ELASTICA_SEVERITY_HINT}};
  (void)state;
  for (int k = 0; k < 4; k++) {
    elastica_rod_def def = rubber_def();
    def.length = ways[k].length, def.radius = ways[k].radius, def.element_count = ways[k].n;
    elastica_world *world = make_world(NULL);
    for (int r = 0; r < 3; r++) add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    if (ways[k].severity == ELASTICA_SEVERITY_NONE)
      assert_int_equal(report.finding_count, 0);
    else
      assert_int_equal(the_only(&report, ELASTICA_FINDING_PROPORTION, ways[k].severity).rod_count, 3);
    elastica_world_destroy(world);
  }
}

static void heavy_neighbours_are_found(void **state) {
  (void)state;
  for (int heavy = 0; heavy < 2; heavy++) {
    elastica_node_mass_def mass;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, NULL);
    elastica_node_mass_def_init(&mass, sizeof mass);
    mass.node = 10;
    mass.mass = heavy ? 5e3 : 100.0; /* a node weighs 0.028 kg */
    must(world, elastica_add_node_mass(world, rod, &mass, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (heavy)
      assert_between((double)the_only(&report, ELASTICA_FINDING_MASS_RATIO, ELASTICA_SEVERITY_HINT).element, 9.0, 11.0);
    else
      assert_int_equal(report.finding_count, 0);
    elastica_world_destroy(world);
  }
}

/* The rubber cantilever of the README with the papers' law: found, and it gains energy until it fails. */
static void an_undamped_rescaled_rod_is_found_and_gains_energy(void **state) {
  const double g[3] = {0.0, -9.81, 0.0};
  (void)state;
  for (int damped = 0; damped < 2; damped++) {
    elastica_rod_def def = rubber_def();
    elastica_dissipation_def damping;
    def.length = 0.5, def.radius = 0.01;
    elastica_world *world = make_papers_world();
    elastica_rod *rod = add_rubber(world, &def);
    add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_CLAMP_HALF_CELL);
    must(world, elastica_add_gravity(world, g, NULL));
    elastica_dissipation_def_init(&damping, sizeof damping);
    damping.translation = 0.1, damping.rotation = 1e-5;
    if (damped) must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (damped) assert_int_equal(report.finding_count, 0);
    if (!damped) the_only(&report, ELASTICA_FINDING_UNDAMPED, ELASTICA_SEVERITY_WARNING);
    const elastica_status status = elastica_world_advance(world, 12.0);
    assert_true((status == ELASTICA_OK) == damped);
    elastica_world_destroy(world);
  }
}

static void slips_of_units_are_found(void **state) {
  static const struct {
    double length, radius, density, modulus;
    unsigned kinds; /* bits */
  } ways[] = {
      {1.0, 0.001, 7800.0, 210e9, 0},                                 /* steel */
      {1.0, 0.001, 7800.0, 210.0, 1u << ELASTICA_FINDING_WAVE_SPEED}, /* GPa */
      {1.0, 0.001, 7.8, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED},    /* g/cm^3 */
      {1.0, 0.001, 0.0078, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED | 1u << ELASTICA_FINDING_DENSITY},
      {1.0, 0.001, 1.0, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED}, /* none */
      {1000.0, 1.0, 7800.0, 210e9, 1u << ELASTICA_FINDING_SIZE},   /* mm */
      {0.1, 0.001, 1000.0, 1e4, 0},                                /* gel */
      {100.0, 0.35, 1776.0, 1e6, 0},                               /* figure 3 of the papers */
  };
  (void)state;
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    elastica_rod_def def = rubber_def();
    unsigned found = 0;
    def.length = ways[k].length, def.radius = ways[k].radius, def.density = ways[k].density, def.youngs_modulus = ways[k].modulus;
    elastica_world *world = make_world(NULL);
    add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    for (int f = 0; f < report.finding_count; f++) {
      found |= 1u << report.findings[f].kind;
      assert_int_equal(report.findings[f].severity, ELASTICA_SEVERITY_HINT);
      assert_says(report.findings[f].sentence, "SI", "Stretch runs at", "bend stiffness", "lowest frequency");
    }
    if (found != ways[k].kinds) fail_msg("way %zu: found %x, not %x", k, found, ways[k].kinds);
    elastica_world_destroy(world);
  }
}

/* ---- Healthy scenes, and the call itself --------------------------------------------------------------------------------------------- */

static void scenes_of_the_conformance_table_are_healthy(void **state) {
  (void)state;
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (!takes(row, closed)) continue;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_row_rod(row, world, closed, 4);
      add_effect_of(row, world, rod, 1.0);
      assert_silent(world, 0.0, label_of(row, closed));
      elastica_world_destroy(world);
    }
}

/* The state and its later bits. */
static void a_check_changes_nothing(void **state) {
  (void)state;
  for (int k = 0; k < EFFECT_ROWS; k++) {
    uint64_t hash[2];
    for (int checks = 0; checks < 2; checks++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_row_rod(&effect_rows[k], world, 0, 4);
      add_effect_of(&effect_rows[k], world, rod, 1.0);
      must(world, elastica_world_step(world, 0x1p-14, 10));
      if (checks) check(world, 0.0);
      must(world, elastica_world_step(world, 0x1p-14, 10));
      hash[checks] = hash_world(world);
      elastica_world_destroy(world);
    }
    if (hash[0] != hash[1]) fail_msg("%s: the check changes bits", label_of(&effect_rows[k], 0));
  }
}

static elastica_status refuse_to_add(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)now;
  (void)rod;
  (void)loads;
  return ELASTICA_IO_ERROR;
}

static elastica_status check_from_inside(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  elastica_check_report report;
  elastica_rod_facts facts;
  elastica_world *world = *(elastica_world **)self;
  (void)now;
  const int refused = elastica_world_check(world, 0.0, &report) == ELASTICA_WRONG_STATE &&
                      elastica_rod_get_facts(elastica_world_rod(world, rod->rod_index), &facts) == ELASTICA_WRONG_STATE;
  return refused ? ELASTICA_OK : ELASTICA_IO_ERROR;
}

static void refused_calls_say_why(void **state) {
  elastica_check_report report;
  elastica_module module = module_named("refuses");
  elastica_world *world = make_world(NULL);
  (void)state;
  assert_silent(world, 1.0, "an empty world");
  add_rubber(world, NULL);
  assert_int_equal(elastica_world_check(NULL, 0.0, &report), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, 0.0, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, -1.0, &report), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, (double)NAN, &report), ELASTICA_INVALID_ARGUMENT);
  module.self = &world;
  module.observe = check_from_inside;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-6, 2));
  module.observe = NULL;
  module.add_loads = refuse_to_add;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_status(world, elastica_world_check(world, 0.0, &report), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "\"refuses\"", "add_loads", "IO_ERROR");
  assert_int_equal(report.finding_count, 0);
  assert_string_equal(elastica_finding_text(ELASTICA_FINDING_BUCKLING), "BUCKLING");
  assert_string_equal(elastica_finding_text(ELASTICA_FINDING_SIZE), "SIZE");
  assert_non_null(elastica_finding_text((elastica_finding_kind)99));
  elastica_world_destroy(world);
}

static void without_memory_a_check_is_refused(void **state) {
  long refused = 0;
  (void)state;
  for (long left = 0; left < 30; left++) {
    memory_ration memory = plenty();
    elastica_check_report report;
    elastica_world *world = make_rationed_world(&memory);
    add_rubber(world, NULL);
    memory.left = left;
    const elastica_status status = elastica_world_check(world, 0.0, &report);
    if (status != ELASTICA_OK) assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
    refused += status != ELASTICA_OK;
    memory.left = LONG_MAX;
    assert_silent(world, 0.0, "with memory");
    elastica_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
  }
  assert_between((double)refused, 3.0, 29.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_beyond_the_limit_are_found_and_refused),
      cmocka_unit_test(loads_that_bend_an_element_by_more_than_a_radian_are_found_and_do),
      cmocka_unit_test(weight_that_does_not_bend_is_not_found),
      cmocka_unit_test(frames_that_will_fall_over_are_found_and_do),
      cmocka_unit_test(stretch_under_loads_to_come_is_found),
      cmocka_unit_test(columns_above_eulers_load_are_found),
      cmocka_unit_test(a_column_under_its_own_weight_is_found_soon_after_it_buckles),
      cmocka_unit_test(pressed_rods_are_found_by_their_stress),
      cmocka_unit_test(large_rest_strains_are_found),
      cmocka_unit_test(elements_out_of_proportion_are_found),
      cmocka_unit_test(heavy_neighbours_are_found),
      cmocka_unit_test(an_undamped_rescaled_rod_is_found_and_gains_energy),
      cmocka_unit_test(slips_of_units_are_found),
      cmocka_unit_test(scenes_of_the_conformance_table_are_healthy),
      cmocka_unit_test(a_check_changes_nothing),
      cmocka_unit_test(refused_calls_say_why),
      cmocka_unit_test(without_memory_a_check_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
