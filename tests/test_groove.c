/* Several rigid walls on one rod or body: they are solved together, so that no wall pushes a rod or body into another wall. */
#include "bodies.h"

static const double g_size = 9.81, radius = 0.02;

enum { BALL, CAPSULE, BOX, ROD, KINDS };

/* Two planes that rise from the y axis at an angle; reversed 1: added in the other order. */
static void add_groove(elastica_world *world, double angle, double mu, int reversed, elastica_effect *side[2]) {
  for (int k = 0; k < 2; k++) {
    const double sign = k == reversed ? 1.0 : -1.0;
    DEFAULTS(obstacle, def);
    def.normal[0] = sign * sin(angle), def.normal[2] = cos(angle);
    def.stiffness = 0.0;
    for (int a = 0; a < 3 && mu > 0.0; a++) def.static_friction[a] = def.kinetic_friction[a] = mu, def.slip_velocity = 1e-6;
    must(world, elastica_add_obstacle(world, NULL, &def, &side[k]));
  }
}

/* Places a rod or body along the groove, in contact with both sides. */
static elastica_rod *lay_in_groove(elastica_world *world, int kind, double angle) {
  const double along_y[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0}, height = radius / cos(angle);
  if (kind == ROD) {
    DEFAULTS(rod, def);
    def.element_count = 16, def.length = 0.3, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[1] = 1.0, def.direction[0] = def.direction[2] = 0.0;
    def.normal[0] = 1.0, def.normal[1] = def.normal[2] = 0.0;
    def.start[2] = height;
    elastica_rod *rod;
    must(world, elastica_world_add_rod(world, &def, &rod));
    return rod;
  }
  elastica_body_def def = default_body(kind == BALL      ? ELASTICA_SHAPE_SPHERE
                                       : kind == CAPSULE ? ELASTICA_SHAPE_CAPSULE
                                                         : ELASTICA_SHAPE_BOX);
  memcpy(def.director, along_y, sizeof along_y);
  def.radius = radius, def.length = 0.1, def.density = 1000.0;
  def.edges[0] = def.edges[1] = 2.0 * radius, def.edges[2] = 0.1;
  /* A box lies with two lower edges on the two sides. */
  def.position[2] = kind == BOX ? radius * (1.0 + tan(angle)) : height;
  return add_body(world, &def);
}

static double height_of(const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view((elastica_rod *)rod);
  double lowest = INFINITY;
  for (int i = 0; i < view->node_count; i++)
    if (view->position[2][i] < lowest) lowest = view->position[2][i];
  return lowest;
}

/* Depth of a rod or body below either side. */
static double depth_of(elastica_rod *rod, int kind, double angle) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double deepest = -INFINITY;
  for (int i = 0; i < view->node_count; i++) {
    const double x = fabs(view->position[0][i]);
    for (int k = 0; k < 8 && kind == BOX; k++) {
      double corner[3];
      for (int a = 0; a < 3; a += 2)
        corner[a] = view->position[a][0] + (k & 1 ? radius : -radius) * view->director[0][a][0] +
                    (k & 2 ? radius : -radius) * view->director[1][a][0] + (k & 4 ? 0.05 : -0.05) * view->director[2][a][0];
      const double below = fabs(corner[0]) * sin(angle) - corner[2] * cos(angle);
      if (below > deepest) deepest = below;
    }
    if (kind == BOX) return deepest;
    const double depth = radius + x * sin(angle) - view->position[2][i] * cos(angle);
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/* With or without friction, in either order of addition, each side supports its part of the weight. */
TEST_LONG(nothing_sinks_into_a_groove) {
  static const double angles[] = {0.4, 1.1, 1.35};
  for (int kind = 0; kind < KINDS; kind++) {
    for (int k = 0; k < 12; k++) {
      elastica_world *world = make_world(NULL);
      elastica_effect *side[2];
      const double angle = angles[k % 3], mu = k / 3 % 2 ? 0.3 : 0.0, g[3] = {0.0, 0.0, -g_size};
      elastica_rod *rod = lay_in_groove(world, kind, angle);
      elastica_totals momentum;
      double force[2][3];
      must(world, elastica_add_gravity(world, g, NULL));
      add_groove(world, angle, mu, k / 6, side);
      const double before = height_of(rod);
      must(world, elastica_world_advance(world, 0.5));
      assert_true(depth_of(rod, kind, angle) < (kind == BOX ? 0.02 : 1e-6) * radius);
      if (kind == BOX) { /* the box tilts */
        elastica_world_destroy(world);
        continue;
      }
      assert_close(height_of(rod), before, 1e-6 * radius);
      must(world, elastica_world_get_totals(world, &momentum));
      for (int s = 0; s < 2; s++) must(world, elastica_obstacle_get_force(side[s], force[s], NULL));
      assert_close(force[0][0] + force[1][0], 0.0, 1e-5 * momentum.mass * g_size);
      assert_close(force[0][2] + force[1][2], -momentum.mass * g_size, 1e-5 * momentum.mass * g_size);
      elastica_world_destroy(world);
    }
  }
}

/* A body that falls into a groove stops there, and no wall is penetrated at the end of a step, with steps chosen by the library. */
TEST(nothing_falls_through_a_groove) {
  for (int kind = 0; kind < KINDS; kind++) {
    for (int k = 0; k < 4; k++) {
      elastica_world *world = make_world(NULL);
      elastica_effect *side[2];
      const double angle = k % 2 ? 1.1 : 0.6, g[3] = {0.0, 0.0, -g_size}, lift[3] = {0.003, 0.0, 0.2};
      elastica_rod *rod = lay_in_groove(world, kind, angle);
      double x[3 * 17];
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      for (int i = 0; i < view->node_count; i++)
        for (int a = 0; a < 3; a++) x[3 * i + a] = view->position[a][i] + lift[a];
      must(world, elastica_rod_set_state(rod, x, NULL, NULL, NULL));
      must(world, elastica_add_gravity(world, g, NULL));
      add_groove(world, angle, 0.2, k / 2, side);
      for (int frame = 0; frame < 60; frame++) {
        must(world, elastica_world_advance(world, 1.0 / 60.0));
        assert_true(depth_of(rod, kind, angle) < 0.1 * radius);
      }
      elastica_world_destroy(world);
    }
  }
}

/* A query of loads changes no bit of a run, also with walls that are solved together. */
TEST(questions_change_no_bit) {
  double end[2];
  for (int asks = 0; asks < 2; asks++) {
    elastica_world *world = make_world(NULL);
    elastica_effect *side[2];
    const double g[3] = {0.1, 0.0, -g_size};
    elastica_rod *rod = lay_in_groove(world, ROD, 1.1);
    (void)lay_in_groove(world, CAPSULE, 1.1);
    must(world, elastica_add_gravity(world, g, NULL));
    add_groove(world, 1.1, 0.1, 0, side);
    for (int frame = 0; frame < 10; frame++) {
      double force[3], again[3];
      must(world, elastica_world_advance(world, 0.01));
      must(world, elastica_obstacle_get_force(side[0], force, NULL));
      if (asks) must(world, elastica_world_evaluate(world, 1e-4));
      must(world, elastica_obstacle_get_force(side[0], again, NULL));
      assert_all_close(again, force, 3, 0.0);
    }
    end[asks] = elastica_rod_get_view(rod)->position[2][3];
    elastica_world_destroy(world);
  }
  assert_close(end[1], end[0], 0.0);
}
