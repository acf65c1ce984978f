/* Claims about the mechanics of tendons: shapes of rods under tension, friction at guides, and the drive. */
#include "base/target.h"

#include "tendons.h"

/* ---- Shapes ---- */

static elastica_rod *add_finger(elastica_world *world, int n) {
  elastica_rod *rod = add_straight_rod(world, n, 0.1, 0.004, 1000.0, 1e6, 4e5);
  clamp_first_end(world, rod);
  return rod;
}

/* The span of the cable at an element but the first, in its frame: l (a d3 + b d1) + (h/2)(d1 of the next frame - d1 of the frame before);
 * behind the last element its own frame is the next. Writes the derivatives of its length by a l, b l, and by the bends of the joints
 * before and behind the element. */
static void span_at(const elastica_rod_view *view, int k, double l, double h, double slope[4]) {
  const double before = view->curvature[1][k - 1] * l, behind = k < view->joint_count ? view->curvature[1][k] * l : 0.0;
  const double along = l * (1.0 + view->strain[2][k]) - 0.5 * h * (sin(before) + sin(behind));
  const double across = l * view->strain[0][k] + 0.5 * h * (cos(behind) - cos(before));
  const double span = sqrt(along * along + across * across);
  slope[0] = along / span, slope[1] = across / span;
  slope[2] = -0.5 * h * (along * cos(before) - across * sin(before)) / span;
  slope[3] = -0.5 * h * (along * cos(behind) + across * sin(behind)) / span;
}

/* Bends of joints theta and strains of elements are independent, and the sum of B theta^2/(2 l) + l (EA (a - 1)^2 + S b^2)/2 + T span is
 * minimal. */
TEST(a_pulled_rod_bends_to_an_arc) {
  const double h = 0.003, tension = 1.0;
  for (int n = 5; n <= 80; n *= 2) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_finger(world, n);
    elastica_tendon_def def = tendon_def();
    def.rod = rod, def.offset[0] = h, def.tension = tension;
    must(world, elastica_add_tendon(world, &def, NULL));
    must(world, elastica_world_relax(world, NULL, NULL));
    must(world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const double l = 0.1 / n;
    double slope[4], next[4];
    for (int k = 1; k < n; k++) {
      const double B = view->element_bend_stiffness[1][k], S = view->shear_stiffness[0][k], EA = view->shear_stiffness[2][k];
      span_at(view, k, l, h, slope);
      assert_close(EA * view->strain[2][k], -tension * slope[0], 1e-8);
      assert_close(S * view->strain[0][k], -tension * slope[1], 1e-8);
      if (k == n - 1) continue;
      const double theta = view->curvature[1][k] * l;
      span_at(view, k + 1, l, h, next);
      assert_close(theta / l, tension * h / B, 0.6 * theta * theta * tension * h / B);
      assert_close(B * theta / l, -tension * (slope[3] + next[2]), 1e-8 * tension * h);
    }
    assert_true(view->position[0][n] > 0.0); /* towards the cable */
    elastica_world_destroy(world);
  }
}

/* ---- Second order along a rod ---- */

/* A rod of length 1 along z from a clamp at either end, or free (end -1), with a cable from first to last, shares of its length, at h along
 * d1. spring 1: of this stiffness, and shorter than the cable on the straight rod by 0.04. Writes the distance of the ends, across the
 * clamp (free: in space), the tension, and the length of the cable. */
typedef struct run_case {
  int end;
  double first, last;
  int spring;
} run_case;

enum { MEASURES = 3 };

static const double H = 0.02, TENSION = 3.0, SPRING = 30.0, SHORT = 0.04;

static void measure_run(const run_case *of, int n, double out[MEASURES]) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, n, 1.0, 0.01, 1000.0, 1e7, 4e6);
  elastica_effect *cable;
  DEFAULTS(boundary, clamp);
  clamp.node = of->end;
  elastica_tendon_def def = tendon_def();
  if (of->end >= 0) must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  def.rod = rod, def.offset[0] = H;
  def.first = (int)(of->first * n + 0.5), def.last = (int)(of->last * n + 0.5) - 1;
  if (of->spring)
    def.stiffness = SPRING, def.rest_length = of->last - of->first - SHORT;
  else
    def.tension = TENSION;
  must(world, elastica_add_tendon(world, &def, &cable));
  must(world, elastica_world_relax(world, NULL, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double across[3];
  for (int a = 0; a < 3; a++) across[a] = view->position[a][n] - view->position[a][0];
  out[0] = of->end >= 0 ? fabs(across[0]) : sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  const elastica_tendon_info info = info_of(cable);
  out[1] = info.first_tension, out[2] = info.length;
  elastica_world_destroy(world);
}

/* The run is an arc of curvature T h/B, shorter by T/S; the parts before and behind it are straight. Its cable is straight in the
 * sections. */
static void exact_run(const run_case *of, double out[MEASURES]) {
  const double area = 3.14159265358979324 * 1e-4, S = 1e7 * area, B = 1e7 * area * 1e-4 / 4.0, run = of->last - of->first;
  const double T = of->spring ? SPRING * SHORT / (1.0 + SPRING * run * (1.0 / S + H * H / B)) : TENSION;
  const double kappa = T * H / B, stretch = 1.0 - T / S, angle = kappa * run, chord = 2.0 * stretch * sin(0.5 * angle) / kappa;
  const double behind = of->end == 0 ? 1.0 - of->last : of->first;
  out[0] = of->end >= 0 ? chord * sin(0.5 * angle) + behind * sin(angle) : chord;
  out[1] = T, out[2] = run * (stretch - kappa * H);
}

/* At a clamp its support carries the guide, inside a rod both elements do, and at a free end half an element bends under it. */
TEST(a_cable_along_a_rod_is_of_second_order) {
  static const run_case CASES[] = {{0, 0.0, 1.0, 0}, {0, 0.0, 1.0, 1},  {-1, 0.0, 1.0, 1},  {99, 0.0, 1.0, 0},
                                   {0, 0.0, 0.5, 0}, {99, 0.5, 1.0, 1}, {0, 0.25, 0.75, 0}, {0, 0.25, 0.75, 1}};
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    double exact[MEASURES], found[MEASURES], wrong[3][MEASURES];
    exact_run(&CASES[c], exact);
    for (int size = 0; size < 3; size++) {
      run_case of = CASES[c];
      const int n = 20 << size;
      if (of.end > 0) of.end = n;
      measure_run(&of, n, found);
      for (int k = 0; k < MEASURES; k++) wrong[size][k] = fabs(found[k] - exact[k]) / exact[k];
    }
    for (int k = 0; k < MEASURES; k++) {
      assert_true(wrong[2][k] < 3e-4);
      for (int size = 0; size < 2; size++) assert_true(wrong[size + 1][k] <= wrong[size][k] / 3.5 + 1e-9);
    }
  }
}

/* Writes the end of a clamped rod under a cable at an offset along d1, and a force at its end across it. */
static void measure_twisted(int n, double last, int spring, double out[3]) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, n, 0.2, 0.004, 1000.0, 1e7, 4e6);
  clamp_first_end(world, rod);
  DEFAULTS(point_load, load);
  load.force[0] = 0.01, load.force[1] = 0.02;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  elastica_tendon_def def = tendon_def();
  def.rod = rod, def.offset[0] = 0.003, def.last = (int)(last * n + 0.5) - 1;
  if (spring)
    def.stiffness = 300.0, def.rest_length = 0.19 * last;
  else
    def.tension = 2.0;
  must(world, elastica_add_tendon(world, &def, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  for (int a = 0; a < 3; a++) out[a] = elastica_rod_get_view(rod)->position[a][n];
  elastica_world_destroy(world);
}

/* The force bends the rod across the cable and so twists it. Differences of successive sizes then fall by four. */
TEST(a_cable_along_a_rod_that_other_loads_twist_is_of_second_order) {
  for (int c = 0; c < 4; c++) {
    double end[4][3], change[3];
    for (int size = 0; size < 4; size++) measure_twisted(16 << size, c / 2 ? 0.5 : 1.0, c % 2, end[size]);
    for (int size = 0; size < 3; size++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += pow(end[size + 1][a] - end[size][a], 2);
      change[size] = sqrt(square) / 0.2;
    }
    assert_true(change[2] < 3e-5);
    for (int size = 0; size < 2; size++) assert_true(change[size + 1] <= change[size] / 3.5);
  }
}

TEST(antagonists_of_equal_tension_hold_a_rod_straight) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_finger(world, 20);
  elastica_effect *side[2];
  elastica_tendon_def def = tendon_def();
  def.rod = rod, def.tension = 0.4;
  for (int k = 0; k < 2; k++) {
    def.offset[0] = k ? -0.003 : 0.003;
    must(world, elastica_add_tendon(world, &def, &side[k]));
  }
  must(world, elastica_world_relax(world, NULL, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  assert_close(view->position[0][20], 0.0, 1e-12);
  def.tension = 0.6; /* only the excess of the second tendon counts */
  must(world, elastica_tendon_set(side[1], &def));
  must(world, elastica_world_relax(world, NULL, NULL));
  assert_true(view->position[0][20] < -1e-3);
  elastica_world_destroy(world);
}

/* ---- Friction ---- */

static elastica_anchor fixed_guide(elastica_world *world, double angle) {
  elastica_body_def def = ball_def(0.01, 1.0);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_FRAME;
  def.position[0] = cos(angle), def.position[1] = sin(angle);
  elastica_rod *rod = add_body(world, &def);
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  return (elastica_anchor){.rod = rod};
}

/* A cable half round a drum of nine guides and tangent to it at both ends; a ball pulls it out at speed v: T exp(mu phi), phi = pi. */
static double tension_ratio(double speed, double *force_balance) {
  enum { DRUM = 9, ALL = DRUM + 2 };
  const double pi = 3.14159265358979324, part = pi / DRUM;
  elastica_world *world = make_world(NULL);
  elastica_effect *cable = NULL;
  elastica_guide_info guide[ALL];
  elastica_tendon_info same;
  elastica_anchor guides[ALL] = {{0}};
  for (int k = 0; k < DRUM; k++) guides[k + 1] = fixed_guide(world, (k + 0.5) * part);
  elastica_body_def ball = ball_def(0.01, 1.0);
  guides[0].offset[0] = cos(0.5 * part), guides[0].offset[1] = sin(0.5 * part) - 1.0;
  ball.position[0] = -guides[0].offset[0], ball.position[1] = guides[0].offset[1], ball.velocity[1] = -speed;
  guides[ALL - 1].rod = add_body(world, &ball);
  elastica_tendon_def def = tendon_def();
  def.guides = guides, def.guide_count = ALL;
  def.tension = 3.0, def.friction = 0.25, def.sliding_speed = 1e-3;
  must(world, elastica_add_tendon(world, &def, &cable));
  const elastica_tendon_info info = info_of(cable);
  assert_close(info.turned, pi, 1e-12);
  assert_close(info.rate, speed, 1e-12);
  must(world, elastica_tendon_get(cable, &same, guide, ALL));
  *force_balance = fabs(guide[ALL - 1].force[1] - info.last_tension);
  assert_close(guide[3].turn, part, 1e-12);
  assert_close(guide[3].sliding, -speed, 1e-12);
  elastica_world_destroy(world);
  return info.last_tension / info.first_tension;
}

TEST(friction_is_that_of_a_capstan) {
  const double most = exp(0.25 * 3.14159265358979324);
  double off;
  assert_close(tension_ratio(10.0, &off), most, 1e-8 * most);
  assert_close(off, 0.0, 1e-13);
  assert_close(tension_ratio(-10.0, &off), 1.0 / most, 1e-8);
  assert_close(tension_ratio(0.0, &off), 1.0, 1e-15);
  assert_close(log(tension_ratio(1e-3, &off)), log(most) / sqrt(2.0), 1e-12);
}

/* ---- Activation ---- */

typedef struct motor {
  long calls, refuse_from;
  double activation;
} motor;

static elastica_status drive(void *user, double time, double length, double rate, double *activation) {
  motor *m = user;
  assert_true(length > 0.0 && isfinite(rate) && time >= 0.0);
  assert_true(*activation == 0.5);
  *activation = m->activation;
  return m->calls++ < m->refuse_from ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT;
}

TEST(a_drive_scales_the_tension_and_may_fail) {
  const double wrong[3] = {-1.0, NAN, INFINITY};
  for (int along = 0; along < 2; along++) {
    rig of = make_rig(3);
    motor m = {0, 1000000, 2.5};
    elastica_tendon_def def = def_of(&of);
    def.activation = 0.5, def.drive = drive, def.user = &m;
    if (along) {
      def.guides = NULL, def.guide_count = 0;
      def.rod = of.rod[1], def.offset[1] = 0.02, def.rest_length = 0.01;
    }
    add_cable(&of, &def);
    const elastica_tendon_info info = info_of(of.tendon);
    assert_close(info.first_tension, 2.5 * 2.0 * (info.length - info.rest_length), 1e-12);
    assert_close(info.activation, 2.5, 0.0);
    must(of.world, elastica_world_step(of.world, 1e-5, 100));
    assert_true(m.calls > 100);
    for (int k = 0; k < 3; k++) {
      elastica_tendon_info none;
      m.activation = wrong[k];
      assert_int_equal(elastica_tendon_get(of.tendon, &none, NULL, 0), ELASTICA_CALLBACK_FAILED);
    }
    m.activation = 1.0, m.refuse_from = m.calls + 5;
    assert_int_equal(elastica_world_step(of.world, 1e-5, 100), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(of.world), "tendon");
    elastica_world_destroy(of.world);
  }
}
