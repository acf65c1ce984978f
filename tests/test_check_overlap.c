/* Findings of elastica_world_check about initial overlaps: rods, elements and depth. */
#include "base/target.h"

#include "support.h"

static const double RADIUS = 0.02;

static elastica_rod *lay(elastica_world *world, double y, double z, double angle) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 10, def.length = 1.0, def.radius = RADIUS;
  def.direction[0] = cos(angle), def.direction[1] = sin(angle), def.direction[2] = 0.0;
  def.start[0] = 0.5 - 0.5 * cos(angle), def.start[1] = y - 0.5 * sin(angle), def.start[2] = z;
  def.density = 1100.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_effect *add_contact(elastica_world *world) {
  elastica_effect *effect = NULL;
  DEFAULTS(contact, def);
  def.modulus = 1e4;
  must(world, elastica_add_contact(world, NULL, &def, &effect));
  return effect;
}

/* The finding, or NULL. */
static const elastica_finding *overlap_in(elastica_world *world, elastica_check_report *report) {
  must(world, elastica_world_check(world, 0.0, report));
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind == ELASTICA_FINDING_OVERLAP) return &report->findings[k];
  return NULL;
}

/* The third lies across the second, its centre line 0.3 radii above: 1.7 radii deep. The first two lie on each other, 0.6 radii deep;
 * a fourth touches nothing. */
TEST(the_deepest_overlap_is_found) {
  elastica_world *world = make_world(NULL);
  elastica_check_report report;
  lay(world, 0.0, -1.4 * RADIUS, 0.0);
  lay(world, 0.0, 0.0, 0.0);
  lay(world, 0.0, 0.3 * RADIUS, acos(0.0));
  lay(world, 1.0, 1.0, 0.0);
  assert_null(overlap_in(world, &report)); /* no contact effect between them */
  elastica_effect *contact = add_contact(world);
  const elastica_finding *found = overlap_in(world, &report);
  assert_non_null(found);
  assert_int_equal(found->severity, ELASTICA_SEVERITY_WARNING);
  assert_int_equal(found->rod_count, 3);
  assert_int_equal(found->rod_index, 1);
  assert_true(found->element == 4 || found->element == 5);
  assert_ptr_equal(found->effect, contact);
  assert_close(found->value, 1.7, 1e-9);
  assert_close(found->bound, 0.5, 0.0);
  assert_says(found->sentence, "rod 1", "rod 2", "0.034 m", "1.7", "contact");
  must(world, elastica_effect_set_enabled(contact, 0));
  assert_null(overlap_in(world, &report));
  elastica_world_destroy(world);
}

TEST(light_contact_is_not_found) {
  elastica_world *world = make_world(NULL);
  elastica_check_report report;
  lay(world, -1.6 * RADIUS, 0.0, 0.0);
  lay(world, 0.0, 0.0, 0.0);
  add_contact(world);
  assert_null(overlap_in(world, &report));
  elastica_world_destroy(world);
}

/* The smaller radius is that of the ball. */
TEST(a_ball_in_a_rod_is_found) {
  elastica_world *world = make_world(NULL);
  elastica_check_report report;
  lay(world, 0.0, 0.0, 0.0);
  DEFAULTS(body, ball);
  ball.radius = 0.5 * RADIUS, ball.mass = 0.01;
  ball.position[0] = 0.25, ball.position[2] = 0.9 * RADIUS;
  must(world, elastica_world_add_body(world, &ball, NULL));
  add_contact(world);
  const elastica_finding *found = overlap_in(world, &report);
  assert_non_null(found);
  assert_close(found->value, 1.2, 1e-9);
  assert_int_equal(found->element, 2);
  elastica_world_destroy(world);
}

static elastica_effect *add_floor(elastica_world *world, elastica_obstacle_kind kind) {
  elastica_effect *effect = NULL;
  DEFAULTS(obstacle, def);
  def.kind = kind;
  if (kind == ELASTICA_OBSTACLE_ELASTIC) def.modulus = 1e4;
  if (kind == ELASTICA_OBSTACLE_RIGID) def.stiffness = 10.0;
  must(world, elastica_add_obstacle(world, NULL, &def, &effect));
  return effect;
}

/* An elastic floor throws the rod out; a rigid one pushes it out slowly, which is a hint. A rod that lies on the floor is not found. */
TEST(a_rod_sunk_in_a_floor_is_found) {
  for (int kind = 0; kind <= 1; kind++) {
    elastica_world *world = make_world(NULL);
    elastica_check_report report;
    lay(world, 1.0, RADIUS, 0.0);
    elastica_effect *floor = add_floor(world, kind ? ELASTICA_OBSTACLE_ELASTIC : ELASTICA_OBSTACLE_RIGID);
    assert_null(overlap_in(world, &report));
    lay(world, 0.0, 0.25 * RADIUS, 0.0);
    const elastica_finding *found = overlap_in(world, &report);
    assert_non_null(found);
    assert_int_equal(found->severity, kind ? ELASTICA_SEVERITY_WARNING : ELASTICA_SEVERITY_HINT);
    assert_int_equal(found->rod_index, 1);
    assert_int_equal(found->rod_count, 1);
    assert_ptr_equal(found->effect, floor);
    assert_close(found->value, 0.75, 1e-6);
    assert_close(found->bound, 0.5, 0.0);
    assert_says(found->sentence, "rod 1", "0.015 m", "0.75", kind ? "throws it out" : "a rigid wall");
    must(world, elastica_effect_set_enabled(floor, 0));
    assert_null(overlap_in(world, &report));
    elastica_world_destroy(world);
  }
}
