/* Findings of elastica_world_check about motions with a velocity or spin that is not the derivative of their position or frame. */
#include "checking.h"

enum { SLIDES, TURNS, STARTS, STOPS, TABLE, RAMPS, WAVES, FAILS };

/* A motion along z or about z, and the factor of its rates. */
typedef struct course {
  int kind;
  double factor;
} course;

static elastica_status follow(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const course *of = user;
  const double start = 0.01;
  switch (of->kind) {
  case SLIDES: position[2] += 0.05 * time, velocity[2] = of->factor * 0.05; break;
  case TURNS: {
    const double c = cos(10.0 * time), s = sin(10.0 * time), frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(director, frame, sizeof frame);
    omega[2] = of->factor * 10.0;
    break;
  }
  case STARTS: /* at once */
    if (time > start) position[2] += 0.05 * (time - start), velocity[2] = of->factor * 0.05;
    break;
  case STOPS: position[2] += 0.05 * fmin(time, start), velocity[2] = time < start ? of->factor * 0.05 : 0.0; break;
  case TABLE: { /* a table with lines every millisecond, linear between them, with the velocity of the line before */
    const double line = floor(time / 1e-3), from = sin(3.0 * line * 1e-3), to = sin(3.0 * (line + 1.0) * 1e-3);
    position[2] += from + (to - from) * (time / 1e-3 - line);
    velocity[2] = of->factor * 3.0 * cos(3.0 * line * 1e-3);
    break;
  }
  case RAMPS: position[2] += 0.5 * time * time, velocity[2] = of->factor * time; break;
  case WAVES: position[2] += 1e-3 * sin(1e4 * time), velocity[2] = of->factor * 10.0 * cos(1e4 * time); break;
  case FAILS:
    if (time > 0.0) return ELASTICA_STOPPED;
    break;
  }
  return ELASTICA_OK;
}

enum { BOUNDARY, OBSTACLE, JOINT, EFFECTS };

static elastica_world *make_moved(int effect, course *of) {
  elastica_world *world = make_world(NULL);
  elastica_rod_def rod = rubber_def();
  rod.length = 0.1, rod.radius = 2e-3, rod.element_count = 10;
  set_vector(rod.start, 0, 0, 0, 0.01);
  elastica_rod *moved = add_rubber(world, &rod);
  if (effect == BOUNDARY) {
    DEFAULTS(boundary, def);
    def.motion = follow, def.user = of;
    must(world, elastica_add_boundary(world, moved, &def, NULL));
  } else if (effect == OBSTACLE) {
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e5, def.motion = follow, def.user = of;
    must(world, elastica_add_obstacle(world, moved, &def, NULL));
  } else {
    DEFAULTS(joint, def);
    def.first.rod = moved, def.motion = follow, def.user = of;
    def.kind = ELASTICA_JOINT_FIXED;
    must(world, elastica_add_joint(world, &def, NULL));
  }
  return world;
}

static const elastica_finding *found(elastica_world *world, elastica_check_report *report) {
  must(world, elastica_world_check(world, 0.0, report));
  return find(report, ELASTICA_FINDING_MOTION);
}

TEST(rates_that_are_derivatives_are_no_finding) {
  for (int effect = 0; effect < EFFECTS; effect++)
    for (int kind = SLIDES; kind <= FAILS; kind++) {
      course of = {kind, 1.0};
      elastica_check_report report;
      elastica_world *world = make_moved(effect, &of);
      const elastica_finding *finding = found(world, &report);
      if (finding != NULL) fail_msg("effect %d, motion %d: %s", effect, kind, finding->sentence);
      elastica_world_destroy(world);
    }
}

TEST(other_rates_are_a_finding_with_both_numbers) {
  static const double factors[] = {0.0, -1.0, 0.5, 2.0, 1000.0};
  for (int effect = 0; effect < EFFECTS; effect++)
    for (int kind = SLIDES; kind < FAILS; kind++)
      for (int k = 0; k < 5; k++) {
        course of = {kind, factors[k]};
        elastica_check_report report;
        elastica_world *world = make_moved(effect, &of);
        const elastica_finding *finding = found(world, &report);
        if (finding == NULL) fail_msg("effect %d, motion %d, factor %g is not found", effect, kind, factors[k]);
        assert_int_equal(finding->severity, ELASTICA_SEVERITY_WARNING);
        assert_ptr_equal(finding->effect, elastica_world_effect(world, 0));
        assert_true(finding->value > 0.1);
        assert_says(finding->sentence, kind == TURNS ? "omega" : "velocity", kind == TURNS ? "frame turns" : "position changes");
        if (kind == SLIDES) assert_says(finding->sentence, "0.05) m/s", k == 4 ? "(0, 0, 50)" : "");
        elastica_world_destroy(world);
      }
}

/* Only prescribed axes count, and frames that are prescribed; effects that are switched off do not. */
TEST(free_axes_and_disabled_effects_are_not_compared) {
  course slides = {SLIDES, 0.0}, turns = {TURNS, 0.0};
  elastica_check_report report;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rubber(world, NULL);
  elastica_effect *effect;
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_PIN, def.axes = ELASTICA_AXIS_X, def.motion = follow, def.user = &slides;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  def.node = -1, def.axes = ELASTICA_AXIS_ALL, def.user = &turns;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  def.node = 25, def.user = &slides;
  must(world, elastica_add_boundary(world, rod, &def, &effect));
  assert_non_null(found(world, &report));
  must(world, elastica_effect_set_enabled(effect, 0));
  assert_null(found(world, &report));
  elastica_world_destroy(world);
}

/* A motion that takes a node, or turns the frame of a pin, further in a step than the elements beside it can follow. */
static elastica_status leap(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double frame[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0};
  (void)velocity, (void)omega;
  if (time > 0.0 && *(const int *)user) memcpy(director, frame, sizeof frame);
  if (time > 0.0 && !*(const int *)user) position[0] += 1.0;
  return ELASTICA_OK;
}

TEST(a_leap_that_no_element_can_follow_is_found) {
  for (int turns = 0; turns < 2; turns++) {
    elastica_world *world = make_world(NULL);
    elastica_rod_def rod = rubber_def();
    elastica_check_report report;
    elastica_effect *effect = NULL;
    rod.length = 0.1, rod.radius = 2e-3, rod.element_count = 10;
    DEFAULTS(boundary, def);
    def.kind = ELASTICA_BOUNDARY_FRAME, def.node = 5;
    def.motion = leap, def.user = &turns;
    must(world, elastica_add_boundary(world, add_rubber(world, &rod), &def, &effect));
    must(world, elastica_world_check(world, 1e-5, &report));
    const elastica_finding *finding = find(&report, ELASTICA_FINDING_HOLD);
    assert_non_null(finding);
    assert_int_equal(finding->severity, ELASTICA_SEVERITY_WARNING);
    assert_ptr_equal(finding->effect, effect);
    assert_says(finding->sentence, turns ? "turns element 5" : "moves node 5", "no element beside it can follow");
    elastica_world_destroy(world);
  }
}
