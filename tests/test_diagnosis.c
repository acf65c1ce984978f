/* The sentence of a blow-up: rod and place, growth and number of steps, cause, and the stable step. */
#include "base/target.h"

#include "support.h"

static elastica_world *make_forced_world(void) {
  elastica_world_def def = default_world();
  def.allow_unstable_step = 1;
  return make_world(&def);
}

/* A rod at rest but for a small disturbance, beside a rod at rest. */
static elastica_rod *add_disturbed(elastica_world *world, int n, double radius, double velocity_x, double velocity_z) {
  double velocity[3 * SAMPLE_NODES] = {0.0}, omega[3 * SAMPLE_ELEMENTS] = {0.0};
  add_straight_rod(world, 4, 1.0, 0.05, 1000.0, 1e3, 4e2);
  elastica_rod *rod = add_straight_rod(world, n, 1.0, radius, 1000.0, 1e6, 4e5);
  velocity[component(n / 2, X)] = velocity_x, velocity[component(n / 2, Z)] = velocity_z;
  omega[component(n / 2, Y)] = 1e-6;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  return rod;
}

TEST(shear_that_blows_up_is_named_with_its_growth) {
  elastica_world *world = make_forced_world();
  elastica_step_limit limit;
  add_disturbed(world, 20, 0.01, 1e-6, 0.0);
  must(world, elastica_world_step_limit(world, &limit));
  assert_status(world, elastica_world_step(world, 1.3 * limit.dt, 100000), ELASTICA_UNSTABLE_STEP);
  const char *sentence = elastica_world_message(world);
  assert_says(sentence, "rod 1, element", "its spin of", "of shear", "shear mode");
  assert_names_number(sentence, limit.dt);
  const double growth = number_behind(sentence, "rad/s is "), steps = number_behind(sentence, "times the largest "),
               share = number_behind(sentence, "couples on it ");
  assert_true(growth > 10.0);
  assert_between(steps, 1.0, 64.0);
  assert_between(share, 30.0, 100.0);
  elastica_world_destroy(world);
}

/* The stated growth equals that of the run: a second run stops at the last limit check and measures the largest spin. */
TEST(the_growth_is_that_of_the_run) {
  elastica_step_limit limit;
  double growth = 0.0, dt = 0.0, spin = 0.0;
  long steps = 0, count = 0;
  for (int run = 0; run < 2; run++) {
    elastica_world *world = make_forced_world();
    elastica_rod *rod = add_disturbed(world, 20, 0.01, 1e-6, 0.0);
    if (run == 0) {
      must(world, elastica_world_step_limit(world, &limit));
      dt = 1.3 * limit.dt;
      assert_status(world, elastica_world_step(world, dt, 100000), ELASTICA_UNSTABLE_STEP);
      growth = number_behind(elastica_world_message(world), "rad/s is ");
      steps = (long)number_behind(elastica_world_message(world), "times the largest ");
      spin = number_behind(elastica_world_message(world), "its spin of ");
      count = elastica_world_get(world).step_count;
    } else {
      double largest = 0.0;
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      must(world, elastica_world_step(world, dt, count - steps));
      for (int j = 0; j < 20; j++) {
        const double w[3] = {view->omega[0][j], view->omega[1][j], view->omega[2][j]};
        largest = norm(w) > largest ? norm(w) : largest;
      }
      assert_close(spin / largest, growth, 0.02 * growth);
    }
    elastica_world_destroy(world);
  }
}

/* With a large inertia of frames, only stretch becomes unstable at a large step; a step fails when a length changes by half within half
 * a step. */
TEST(stretch_that_blows_up_is_named) {
  elastica_world_def options = papers_world();
  elastica_rod *rod;
  double velocity[33] = {[17] = 1e-3};
  options.allow_unstable_step = 1;
  elastica_world *world = make_world(&options);
  DEFAULTS(rod, def);
  def.element_count = 10, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.rotary_inertia_scale = 1e4;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  assert_status(world, elastica_world_step(world, 1.2 * 0.1 / sqrt(1000.0), 100000), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "rod 0, element", "its nodes moved by", "its speed of", "of the forces on it", "of stretch");
  elastica_world_destroy(world);
}

static elastica_status push_harder(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)now;
  loads->couple[0][3] += 1e3 * rod->omega[0][3] * rod->inertia[0][3];
  return ELASTICA_OK;
}

/* An effect that drives the spin of one element without contributing to the step limit. */
TEST(an_effect_that_drives_it_is_named) {
  double omega[30] = {[9] = 1e-3};
  elastica_module module = module_named("motor");
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.002, 1000.0, 1e3, 4e2);
  must(world, elastica_rod_set_state(rod, NULL, NULL, NULL, omega));
  module.add_loads = push_harder;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  const elastica_status status = elastica_world_step(world, 1e-4, 100000);
  assert_true(status == ELASTICA_UNSTABLE_STEP || status == ELASTICA_JOINT_TOO_FAR);
  assert_says(elastica_world_message(world), "rod 0", "effect 0 \"motor\"", "couples on it");
  elastica_world_destroy(world);
}

/* self: the place, and 1 for a couple. */
static elastica_status add_nothing_but_nan(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int *where = self;
  (void)rod;
  if (now->step == 100) (where[1] ? loads->couple : loads->force)[1][where[0]] += (double)NAN;
  return ELASTICA_OK;
}

/* The state cannot be examined; the sentence describes the last state before, and names the effect, at any place of the rod. */
TEST(a_state_that_is_not_finite_is_described_by_the_last_one) {
  static const int places[][2] = {{3, 0}, {0, 0}, {1, 0}, {9, 0}, {10, 0}, {4, 1}, {0, 1}, {9, 1}};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    elastica_module module = module_named("poison");
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_disturbed(world, 10, 0.01, 0.5, 0.0);
    const int couple = places[k][1];
    char place[40];
    snprintf(place, sizeof place, "rod 1, %s %d:", couple ? "element" : "node", places[k][0]);
    module.self = (void *)places[k];
    module.add_loads = add_nothing_but_nan;
    must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    assert_status(world, elastica_world_step(world, 1e-5, 1000), ELASTICA_NOT_FINITE);
    const char *sentence = elastica_world_message(world);
    assert_says(sentence, place, "not finite", couple ? "before, the largest spin was" : "37 steps before, the largest speed was");
    assert_says(sentence, couple ? "; the couple on it by effect 1 \"poison\" is not finite"
                                 : "; the force on it by effect 1 \"poison\" is not finite");
    if (!couple) assert_between(number_behind(sentence, "largest speed was "), 0.01, 0.6);
    assert_null(strstr(sentence, "% are of"));
    elastica_world_destroy(world);
  }
}

/* ---- Discontinuities by pins and clamps ---- */

static elastica_status jump(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)velocity, (void)director, (void)omega;
  if (time > 1.05e-3) position[X] += 0.3;
  return ELASTICA_OK;
}

enum { JUMPS, SET_AWAY, CONTRADICTED, DEMANDS };

/* A pin moves the first node of a soft rod of the rescaled law by 0.3 m, three elements. */
TEST(a_discontinuity_by_a_pin_is_named) {
  static const char *const says[DEMANDS][2] = {
      {"effect 1 \"boundary\" moves node 0 of rod 1 by 0.3 m in one step", "0.00106"},
      {"effect 1 \"boundary\" had moved node 0 of rod 1 by 0.3 m before step 50", "boundary"},
      {"effect 1 \"boundary\" and effect 2 \"boundary\" contradict each other", "node 0 of rod 1 0.3 m apart"}};
  for (int k = 0; k < DEMANDS; k++) {
    elastica_world_def def = default_world();
    elastica_boundary_def clamp;
    elastica_check_report report;
    elastica_effect *effect;
    def.law = ELASTICA_LAW_RESCALED;
    def.allow_unstable_step = 1;
    elastica_world *world = make_world(&def);
    for (int r = 0; r < 2; r++) add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e8, 0.35e8);
    must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    if (k == JUMPS) pin.motion = jump;
    must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &pin, &effect));
    must(world, elastica_world_step(world, 2e-5, 50));
    must(world, elastica_world_check(world, 2e-5, &report));
    for (int f = 0; f < report.finding_count; f++) assert_true(report.findings[f].kind != ELASTICA_FINDING_HOLD);
    if (k == SET_AWAY) {
      pin.position[X] = 0.3, pin.position[Y] = pin.position[Z] = 0.0;
      must(world, elastica_boundary_set(effect, &pin));
    }
    if (k == CONTRADICTED) {
      elastica_boundary_def_init(&clamp, sizeof clamp);
      clamp.position[X] = 0.3, clamp.position[Y] = clamp.position[Z] = 0.0;
      must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &clamp, NULL));
      must(world, elastica_world_check(world, 2e-5, &report));
      assert_int_equal(report.findings[0].kind, ELASTICA_FINDING_HOLD);
      assert_int_equal(report.findings[0].severity, ELASTICA_SEVERITY_ERROR);
      assert_int_equal(report.findings[0].rod_count, 1);
      assert_close(report.findings[0].value, 0.3, 1e-6);
      assert_says(report.findings[0].sentence, says[k][0], says[k][1]);
    }
    assert_int_not_equal(elastica_world_step(world, 2e-5, 400), ELASTICA_OK);
    assert_says(elastica_world_message(world), says[k][0], says[k][1]);
    assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, 0))->has_failed, 0);
    assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, 1))->has_failed, 1);
    elastica_world_destroy(world);
  }
}

static elastica_status jump_by(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double *by = user;
  (void)velocity, (void)director, (void)omega;
  for (int a = 0; a < 3; a++) position[a] += time > 1.05e-3 ? by[a] : 0.0;
  return ELASTICA_OK;
}

/* A displacement by a fifth of an element along the rod: a later limit check finds the step too long. */
TEST(a_refused_step_names_the_pin) {
  static double by[3] = {0.02, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_step_limit limit;
  for (int r = 0; r < 2; r++) add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e8, 0.35e8);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.motion = jump_by;
  pin.user = by;
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &pin, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  assert_status(world, elastica_world_step(world, 0.95 * limit.dt, 400), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "step: dt =", "times the stable", "rod 1",
              "effect 0 \"boundary\" moves node 0 of rod 1 by 0.02 m in one step");
  must(world, elastica_world_step(world, 0.2 * limit.dt, 1)); /* the step was refused; the world has not failed */
  elastica_world_destroy(world);
}

/* A node in the middle of a rod jumps into a crossing rod; rod 0, named first, has no pin. */
TEST(a_pin_that_drives_a_rod_through_another_is_named) {
  static double by[3] = {0.0, 0.0, -0.03};
  elastica_world_def options = default_world();
  options.allow_unstable_step = 1;
  elastica_world *world = make_world(&options);
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[2] = 0.0, def.direction[r] = 1.0, def.start[r] = -0.5, def.start[2] = 0.045 * r;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.node = 5;
  pin.motion = jump_by;
  pin.user = by;
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &pin, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 1e5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  assert_status(world, elastica_world_step(world, 1e-5, 400), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "would pass through each other", "rod 0",
              "effect 0 \"boundary\" moves node 5 of rod 1 by 0.03 m in one step, at t = 0.00105");
  elastica_world_destroy(world);
}

static elastica_status leap(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)velocity, (void)director, (void)omega;
  if (time > 0.05) position[X] += *(const double *)user;
  return ELASTICA_OK;
}

/* The joint of a half-cell clamp fails within a few steps, the joint of an element after dozens or thousands, and a far leap makes the
 * steps a thousand times shorter. The sentence names a leap within the last thousand steps. */
TEST(a_leap_of_any_length_is_named) {
  static const double far[] = {0.5, 1.0, 2.0, 5.0, 20.0, 100.0};
  for (int what = 0; what < 3; what++) {
    int named = 0;
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
      elastica_world *world = make_world(NULL);
      char says[100];
      double by = far[k];
      elastica_rod *rod = add_straight_rod(world, 10, 0.3, 0.01, 1100.0, 1e6, 0.35e6);
      DEFAULTS(boundary, clamp);
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      clamp.kind = what == 0 ? ELASTICA_BOUNDARY_CLAMP : ELASTICA_BOUNDARY_FRAME;
      clamp.motion = pin.motion = leap;
      clamp.user = pin.user = &by;
      if (what < 2)
        must(world, elastica_add_boundary(world, rod, &clamp, NULL));
      else
        must(world, elastica_add_boundary(world, rod, &pin, NULL));
      must(world, elastica_add_gravity(world, (const double[3]){9.81, 0.0, 0.0}, NULL));
      must(world, elastica_world_advance(world, 0.05));
      const long before = elastica_world_get(world).step_count;
      const elastica_status status = elastica_world_advance(world, 0.01);
      snprintf(says, sizeof says, "effect 0 \"boundary\" moves node 0 of rod 0 by %.3g m in one step", by);
      if (status != ELASTICA_OK && elastica_world_get(world).step_count - before < 1000) {
        assert_says(elastica_world_message(world), says);
        named++;
      }
      elastica_world_destroy(world);
    }
    assert_true(named >= 2);
  }
}
