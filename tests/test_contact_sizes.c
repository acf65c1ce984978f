/* Claims about contact in worlds with rods and bodies of unlike sizes: a body out of reach changes nothing, and thin rods and large balls
 * that meet are seen in time. */
#include "base/target.h"

#include "bodies.h"

#include <time.h>

static void add_layer(elastica_world *world, double modulus, double friction) {
  DEFAULTS(contact, def);
  def.modulus = modulus, def.friction = friction;
  must(world, elastica_add_contact(world, NULL, &def, NULL));
}

static elastica_rod *add_ball(elastica_world *world, double radius, double distance, double speed) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = radius, def.density = radius < 1e-3 ? 1e9 : 1000.0; /* a light small ball would have a step limit of its own */
  def.position[0] = distance, def.velocity[0] = -speed;
  return add_body(world, &def);
}

static elastica_rod *add_rod_along(elastica_world *world, int axis, const double middle[3], double length, double radius,
                                   const double velocity[3]) {
  enum { N = 20 };
  double speeds[3 * (N + 1)];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = length, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
  for (int a = 0; a < 3; a++) {
    def.direction[a] = a == axis, def.start[a] = middle[a] - (a == axis ? 0.5 * length : 0.0);
    for (int i = 0; i <= N; i++) speeds[3 * i + a] = velocity[a];
  }
  def.velocity = speeds;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* ---- A body out of reach ---- */

/* Rods side by side at rest, rods that cross and meet, or a loop that closes on itself. */
static void fill(elastica_world *world, int scene) {
  const double still[3] = {0.0, 0.0, 0.0};
  if (scene == 0)
    for (int k = 0; k < 12; k++) add_rod_along(world, 0, (const double[3]){0.0, 0.0081 * (k % 4), 0.0081 * (k / 4)}, 0.2, 0.004, still);
  if (scene == 1)
    for (int k = 0; k < 6; k++) {
      const double height = 0.02 * k - 0.05, velocity[3] = {0.0, 0.02 * (k % 3 - 1), -10.0 * height};
      add_rod_along(world, k % 2, (const double[3]){0.002 * k, 0.001 * k, height}, 0.2, k < 3 ? 0.004 : 0.003, velocity);
    }
  if (scene == 2) {
    enum { N = 40 };
    double position[3 * N], velocity[3 * N];
    DEFAULTS(rod, def);
    for (int k = 0; k < N; k++) {
      const double angle = 2.0 * acos(-1.0) * k / N;
      position[3 * k] = 0.06 * cos(angle), position[3 * k + 1] = 0.011 * sin(angle), position[3 * k + 2] = 0.001 * sin(3.0 * angle);
      velocity[3 * k] = 0.0, velocity[3 * k + 1] = -0.5 * sin(angle), velocity[3 * k + 2] = 0.05 * cos(2.0 * angle);
    }
    def.element_count = N, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
    def.radius = 0.004, def.density = 1000.0, def.youngs_modulus = 1e6;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
}

static void assert_same_bits(elastica_world *one, elastica_world *other, int rods) {
  for (int r = 0; r < rods; r++) {
    const elastica_rod_view *a = elastica_rod_get_view(elastica_world_rod(one, r)),
                            *b = elastica_rod_get_view(elastica_world_rod(other, r));
    for (int k = 0; k < 3; k++) {
      assert_memory_equal(a->position[k], b->position[k], (size_t)a->node_count * sizeof(double));
      assert_memory_equal(a->velocity[k], b->velocity[k], (size_t)a->node_count * sizeof(double));
    }
  }
}

/* A ball at rest out of reach, large or small, changes neither the step limit nor the steps that the library chooses, and no bit. */
TEST(a_body_out_of_reach_changes_nothing) {
  static const double radius[4] = {0.0, 0.5, 2.0, 1e-4};
  for (int scene = 0; scene < 3; scene++)
    for (int k = 1; k < 4; k++) {
      elastica_world *world[2];
      elastica_step_limit limit[2];
      for (int with = 0; with < 2; with++) {
        world[with] = make_world(NULL);
        fill(world[with], scene);
        if (with) add_ball(world[with], radius[k], 5.0, 0.0);
        add_layer(world[with], 1e5, scene == 1 ? 0.3 : 0.0);
        must(world[with], elastica_world_step_limit(world[with], &limit[with]));
        must(world[with], elastica_world_advance(world[with], 0.01));
      }
      assert_true(limit[0].dt == limit[1].dt);
      assert_int_equal(elastica_world_get(world[0]).step_count, elastica_world_get(world[1]).step_count);
      assert_same_bits(world[0], world[1], elastica_world_get(world[0]).rod_count);
      for (int with = 0; with < 2; with++) elastica_world_destroy(world[with]);
    }
}

/* Nor does it take time: a list that reached as far as the ball is large would have all pairs of elements. */
TEST(a_large_body_out_of_reach_takes_no_time) {
  double least[2] = {INFINITY, INFINITY};
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_world(NULL);
    const clock_t start = clock();
    fill(world, 0);
    if (k % 2) add_ball(world, 0.5, 1.0, 0.0);
    add_layer(world, 1e5, 0.0);
    must(world, elastica_world_step(world, 1e-4, 200));
    const double took = (double)(clock() - start);
    if (took < least[k % 2]) least[k % 2] = took;
    elastica_world_destroy(world);
  }
  assert_true(least[1] <= 2.0 * least[0] + 0.01 * CLOCKS_PER_SEC);
}

/* ---- Thin rods and large balls ---- */

static double energy_of(elastica_world *world, elastica_totals *out) {
  must(world, elastica_world_get_totals(world, out));
  return out->translation + out->rotation + out->bending + out->shear + out->effects;
}

/* The largest depth of a node of thin rods below the surface of a ball [m]. */
static double depth_in(elastica_world *world, int ball, double radius) {
  const elastica_rod_view *at = elastica_rod_get_view(elastica_world_rod(world, ball));
  double most = 0.0;
  for (int r = 0; r < elastica_world_get(world).rod_count; r++) {
    const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(world, r));
    for (int i = 0; i < rod->node_count && !rod->rigid; i++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += (rod->position[a][i] - at->position[a][0]) * (rod->position[a][i] - at->position[a][0]);
      if (radius - sqrt(square) > most) most = radius - sqrt(square);
    }
  }
  return most;
}

/* A large ball flies into thin rods at rest, from the right, at this speed [m/s]: it touches them in time, they fly off, and momentum and
 * energy stay. In chosen steps, or in given ones at this part of the limit. */
static void claim_hit(double radius, double thin, double speed, double part) {
  enum { RODS = 3 };
  const double still[3] = {0.0, 0.0, 0.0}, gap = 20.0 * thin;
  elastica_world *world = make_world(NULL);
  elastica_totals before, after;
  double moved = 0.0;
  for (int k = 0; k < RODS; k++) add_rod_along(world, 1 + k % 2, (const double[3]){-3.0 * k * thin, 0.0, 0.0}, 60.0 * thin, thin, still);
  add_ball(world, radius, radius + thin + gap, speed);
  add_layer(world, 1e5, 0.0);
  const double start = energy_of(world, &before), time = 4.0 * gap / speed;
  for (int k = 0; k < 40; k++) {
    if (part > 0.0) {
      elastica_step_limit limit;
      must(world, elastica_world_step_limit(world, &limit));
      const int steps = (int)ceil(time / 40.0 / (part * limit.dt));
      must(world, elastica_world_step(world, time / 40.0 / steps, steps));
    } else {
      must(world, elastica_world_advance(world, time / 40.0));
    }
    assert_true(depth_in(world, RODS, radius) <= 0.0);
  }
  const double given = fabs(energy_of(world, &after) - start);
  for (int k = 0; k < RODS; k++) {
    elastica_totals own;
    must(world, elastica_rod_get_totals(elastica_world_rod(world, k), &own));
    moved += own.linear[0] / own.mass / RODS;
  }
  assert_true(moved < -speed);
  for (int a = 0; a < 3; a++) assert_close(after.linear[a], before.linear[a], 1e-12 * norm(before.linear));
  const double light = 3.0 * 1000.0 * acos(-1.0) * thin * thin * 60.0 * thin * speed * speed; /* [J] that the rods may take */
  if (!(given <= 1e-3 * light)) fail_msg("radius %g, %g m/s, %g: energy errs by %g", radius, speed, part, given / light);
  elastica_world_destroy(world);
}

TEST(a_fast_large_ball_hits_thin_rods_in_time) {
  claim_hit(0.5, 1e-3, 1.0, 0.0);
  claim_hit(0.05, 1e-3, 3.0, 0.0);
  claim_hit(0.05, 1e-3, 10.0, 0.0);
  claim_hit(0.5, 1e-3, 1.0, 0.2);
  claim_hit(0.05, 1e-3, 3.0, 0.2);
}

/* Two large balls close on a thin rod between them: it keeps them apart, and the pair parts again with its energy. */
TEST(two_large_balls_meet_across_a_thin_rod) {
  const double still[3] = {0.0, 0.0, 0.0}, radius = 0.2, thin = 2e-3;
  for (int first = 0; first < 2; first++) {
    elastica_world *world = make_world(NULL);
    elastica_totals before, after;
    if (first) add_rod_along(world, 1, still, 0.02, thin, still);
    elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
    def.radius = radius, def.mass = 0.01;
    for (int k = 0; k < 2; k++) {
      def.position[0] = (k ? 1.0 : -1.0) * (radius + 1.5 * thin), def.velocity[0] = k ? -0.05 : 0.05;
      add_body(world, &def);
    }
    if (!first) add_rod_along(world, 1, still, 0.02, thin, still);
    add_layer(world, 1e6, 0.0);
    const double start = energy_of(world, &before);
    must(world, elastica_world_advance(world, 0.2));
    const double given = fabs(energy_of(world, &after) - start);
    assert_true(given <= 0.02 * start);
    const elastica_rod_view *left = elastica_rod_get_view(elastica_world_rod(world, first)),
                            *right = elastica_rod_get_view(elastica_world_rod(world, first + 1));
    assert_true(right->position[0][0] - left->position[0][0] > 2.0 * (radius + thin));
    assert_true(left->velocity[0][0] < 0.0 && right->velocity[0][0] > 0.0);
    elastica_world_destroy(world);
  }
}
