/* Impacts with dampers in steps that the library chooses: the step is stable from the first touch on, dampers included. No impact gains
 * energy, and each leaves the energy of much smaller steps.
 */
#include "bodies.h"
#include "obstacles.h"

enum {
  TWO_BALLS,
  BALL_AND_CAPSULE,
  BALL_AND_BOX,
  BALL_AND_ROD,
  RODS_CROSSED,
  RODS_ABREAST,
  ROD_ON_PLANE,
  ROD_ON_BALL,
  ROD_ON_BOX,
  BALL_ON_PLANE,
  SCENES
};

static double energy_of(elastica_world *world) {
  elastica_totals e;
  must(world, elastica_world_get_totals(world, &e));
  return e.translation + e.rotation + e.bending + e.shear + e.effects;
}

static void add_thrown(elastica_world *world, elastica_shape shape, double x, double y, double speed) {
  elastica_body_def def = default_body(shape);
  elastica_rod *body;
  if (shape == ELASTICA_SHAPE_BOX)
    def.edges[0] = def.edges[1] = def.edges[2] = 0.02;
  else
    def.radius = 0.01;
  if (shape == ELASTICA_SHAPE_CAPSULE) def.length = 0.03;
  def.density = 1000.0;
  set_vector(def.position, 0, x, y, 0);
  set_vector(def.velocity, 0, speed, 0, 0);
  must(world, elastica_world_add_body(world, &def, &body));
}

/* A rod of 0.1 m about the x-axis, along y or z, slightly inclined. */
static void add_thrown_rod(elastica_world *world, double x, int axis, double speed) {
  enum { ELEMENTS = 10 };
  elastica_rod_def def;
  elastica_rod *rod;
  double velocity[3 * (ELEMENTS + 1)] = {0.0};
  elastica_rod_def_init(&def, sizeof def);
  for (int i = 0; i <= ELEMENTS; i++) velocity[3 * i] = speed;
  def.element_count = ELEMENTS;
  def.length = 0.1, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  set_vector(def.start, 0, x, 0, 0);
  set_vector(def.direction, 0, 0.02, 0, 0);
  def.start[axis] = -0.05, def.direction[axis] = 1.0;
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
}

static void add_dampers(elastica_world *world, int scene, double ratio) {
  static const elastica_shape shapes[] = {ELASTICA_SHAPE_PLANE, ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_BOX, ELASTICA_SHAPE_PLANE};
  if (scene < ROD_ON_PLANE) {
    DEFAULTS(contact, contact);
    contact.modulus = 1e5;
    contact.damping = ratio * 2.0 * sqrt(1e5 * 0.15); /* [Pa s] about a fraction of the critical one: masses are 0.3 kg/m of contact */
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    return;
  }
  elastica_obstacle_def def = obstacle_of(shapes[scene - ROD_ON_PLANE], 1e5);
  set_vector(def.normal, 0, 1, 0, 0);
  set_vector(def.position, 0, scene == ROD_ON_PLANE || scene == BALL_ON_PLANE ? 0.0 : -0.02, 0, 0);
  if (scene == ROD_ON_BALL) def.radius = 0.02;
  if (scene == ROD_ON_BOX) def.edges[0] = def.edges[1] = def.edges[2] = 0.04;
  def.damping_ratio = ratio;
  add_obstacle_to(world, &def);
}

static elastica_world *make_impact(int scene, double ratio) {
  elastica_world *world = make_world(NULL);
  add_dampers(world, scene, ratio);
  if (scene <= BALL_AND_ROD) add_thrown(world, ELASTICA_SHAPE_SPHERE, -0.04, 0.002, 1.0);
  if (scene == TWO_BALLS) add_thrown(world, ELASTICA_SHAPE_SPHERE, 0.04, 0.0, -1.0);
  if (scene == BALL_AND_CAPSULE) add_thrown(world, ELASTICA_SHAPE_CAPSULE, 0.04, 0.0, -1.0);
  if (scene == BALL_AND_BOX) add_thrown(world, ELASTICA_SHAPE_BOX, 0.04, 0.0, -1.0);
  if (scene == RODS_CROSSED || scene == RODS_ABREAST) add_thrown_rod(world, -0.04, 1, 1.0);
  if (scene >= BALL_AND_ROD && scene <= ROD_ON_BOX) add_thrown_rod(world, 0.04, scene == RODS_ABREAST ? 1 : 2, -1.0);
  if (scene == BALL_ON_PLANE) add_thrown(world, ELASTICA_SHAPE_SPHERE, 0.04, 0.0, -1.0);
  return world;
}

#define DURATION 0.06

/* Advances in calls of 1 ms; none may end with 0.1 % more energy than the first one began with. *shortest is the least working step. */
static double advanced(int scene, double ratio, double *shortest) {
  elastica_world *world = make_impact(scene, ratio);
  const double before = energy_of(world);
  double share = 1.0;
  *shortest = INFINITY;
  for (int k = 0; k < 60; k++) {
    must(world, elastica_world_advance(world, DURATION / 60));
    share = energy_of(world) / before;
    if (!(share < 1.0 + 1e-3)) fail_msg("scene %d, damping ratio %g: %g of the energy", scene, ratio, share);
    if (elastica_world_get(world).working_step < *shortest) *shortest = elastica_world_get(world).working_step;
  }
  elastica_world_destroy(world);
  return share;
}

static double stepped(int scene, double ratio, double dt) {
  elastica_world *world = make_impact(scene, ratio);
  const double before = energy_of(world);
  must(world, elastica_world_step(world, dt, lround(DURATION / dt)));
  const double share = energy_of(world) / before;
  elastica_world_destroy(world);
  return share;
}

TEST(damped_impacts_leave_the_energy_of_small_steps) {
  static const double ratios[] = {0.05, 0.17, 0.3, 0.48, 0.82, 2.3, 21.0, 60.0};
  for (int k = 0; k < 8 * SCENES; k += TESTS_ONE_ROUND_IN) {
    const int scene = k / 8;
    const double ratio = ratios[k % 8];
    double shortest;
    const double share = advanced(scene, ratio, &shortest);
    const double expected = stepped(scene, ratio, 0.125 * shortest);
    if (!(fabs(share - expected) < 0.1)) fail_msg("scene %d, damping ratio %g: %g, expected %g", scene, ratio, share, expected);
  }
}

/* The given step that the library takes far from the impact is refused before it. */
TEST(a_given_step_before_a_damped_impact_is_refused) {
  elastica_world *world = make_impact(TWO_BALLS, 2.3);
  must(world, elastica_world_advance(world, 1e-3));
  const elastica_status status = elastica_world_step(world, 2.3e-3, 20);
  assert_int_equal(status, ELASTICA_UNSTABLE_STEP);
  elastica_world_destroy(world);
}

static elastica_world *make_dropped_cable(void) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod;
  DEFAULTS(rod, def);
  def.element_count = 20;
  def.length = 2.0, def.radius = 0.02, def.density = 2000.0, def.youngs_modulus = 1e8;
  set_vector(def.start, 0, -1, 0, 0.32);
  set_vector(def.direction, 0, 1, 0, 0);
  must(world, elastica_world_add_rod(world, &def, &rod));
  const double weight[3] = {0.0, 0.0, -g};
  must(world, elastica_add_gravity(world, weight, NULL));
  elastica_obstacle_def ground = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  ground.friction = 0.5, ground.damping_ratio = 0.5, ground.tangential_damping_ratio = 0.1;
  add_obstacle_to(world, &ground);
  return world;
}

/* A cable falls deep into the core of a layer, which needs steps of a tenth of the limit or less, and comes to rest in its shallow part:
 * the working step then has its size from before the impact. A snapshot between impact and rest continues with the same steps. */
TEST(the_step_returns_when_a_deep_impact_has_died_away) {
  elastica_world *world = make_dropped_cable(), *other = make_dropped_cable();
  must(world, elastica_world_advance(world, 0.1));
  const double before = elastica_world_get(world).working_step;
  must(world, elastica_world_advance(world, 0.2));
  assert_true(elastica_world_get(world).working_step < 0.1 * before);
  const size_t size = size_of_snapshot(world);
  unsigned char *kept = malloc(size);
  assert_non_null(kept);
  must(world, elastica_world_snapshot_save(world, kept, size, NULL));
  must(other, elastica_world_snapshot_load(other, kept, size));
  free(kept);
  must(world, elastica_world_advance(world, 0.5));
  must(other, elastica_world_advance(other, 0.5));
  assert_between(elastica_world_get(world).working_step, 0.9 * before, 1.1 * before);
  assert_true(hash_world(world) == hash_world(other));
  assert_int_equal(elastica_world_get(world).step_count, elastica_world_get(other).step_count);
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}
