/* Findings of elastica_world_check about fast approach to elastic obstacles, compared with runs of the same scenes. */
#include "base/target.h"

#include "bodies.h"
#include "checking.h"

static const double RADIUS = 0.002, MODULUS = 1e5;

typedef enum flight { FLAT, ON_END, BALL, FLIGHTS } flight;

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double *speed = user;
  (void)director, (void)omega;
  position[2] += *speed * time;
  velocity[2] = *speed;
  return ELASTICA_OK;
}

/* Adds an obstacle with its surface at height 0; speed: upwards. */
static elastica_effect *add_solid(elastica_world *world, elastica_shape shape, double speed) {
  static double kept;
  elastica_effect *effect = NULL;
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = shape, def.modulus = MODULUS, def.damping_ratio = 0.0;
  for (int a = 0; a < 3; a++) def.edges[a] = 4.0;
  if (shape == ELASTICA_SHAPE_BOX) def.position[2] = -2.0;
  kept = speed;
  if (speed != 0.0) def.motion = move, def.user = &kept;
  must(world, elastica_add_obstacle(world, NULL, &def, &effect));
  return effect;
}

static void add_flying(elastica_world *world, flight way, double speed) {
  if (way == BALL) {
    elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
    elastica_rod *body = NULL;
    def.radius = RADIUS, def.mass = 1e-4, def.position[2] = 1.2 * RADIUS, def.velocity[2] = -speed;
    must(world, elastica_world_add_body(world, &def, &body));
    return;
  }
  double v[3 * 51] = {0.0};
  for (int i = 0; i <= 50; i++) v[3 * i + 2] = -speed;
  DEFAULTS(rod, def);
  def.element_count = 50, def.length = 0.5, def.radius = RADIUS, def.density = 1000.0, def.youngs_modulus = 1e6, def.velocity = v;
  def.start[2] = 1.2 * RADIUS;
  if (way == FLAT) def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(world, elastica_world_add_rod(world, &def, NULL));
}

static double deepest_at(flight way, double speed) {
  elastica_world *world = make_world(NULL);
  add_flying(world, way, speed);
  add_solid(world, ELASTICA_SHAPE_PLANE, 0.0);
  double lowest = INFINITY;
  for (int k = 0; k < 200; k++) {
    double z;
    must(world, elastica_world_advance(world, 0.01 * RADIUS / speed));
    z = elastica_rod_get_view(elastica_world_rod(world, 0))->position[2][way == FLAT ? 25 : 0];
    if (z < lowest) lowest = z;
  }
  elastica_world_destroy(world);
  return (RADIUS - lowest) / RADIUS;
}

/* At the bound of speed that the check states, the overlap is half a radius: exactly for a ball, and for a rod that lies flat. */
TEST(fast_approach_to_an_obstacle_is_found) {
  for (int way = 0; way < FLIGHTS; way++) {
    elastica_world *world = make_world(NULL);
    add_flying(world, (flight)way, 80.0);
    elastica_effect *solid = add_solid(world, ELASTICA_SHAPE_PLANE, 0.0);
    elastica_check_report report = check(world, 0.0);
    const elastica_finding *found = find(&report, ELASTICA_FINDING_APPROACH);
    assert_non_null(found);
    assert_int_equal(found->rod_count, 1);
    assert_ptr_equal(found->effect, solid);
    assert_close(found->value, 80.0, 1e-5);
    assert_says(found->sentence, "rod 0, element", "will meet effect 0", "obstacle", "at 80 m/s", "1e+05 Pa");
    const double bound = found->bound;
    elastica_world_destroy(world);
    if (way != ON_END) assert_between(deepest_at((flight)way, bound), 0.49, 0.51);
    for (int faster = 0; faster < 2; faster++) {
      world = make_world(NULL);
      add_flying(world, (flight)way, faster ? 1.01 * bound : 0.99 * bound);
      add_solid(world, ELASTICA_SHAPE_PLANE, 0.0);
      report = check(world, 0.0);
      assert_true((find(&report, ELASTICA_FINDING_APPROACH) != NULL) == faster);
      elastica_world_destroy(world);
    }
  }
}

/* Speeds are relative to the obstacle, which may move; rods that recede from it or miss it are not found. */
TEST(the_speed_against_the_obstacle_counts) {
  static const struct {
    double own, solid;
    int found;
  } of[] = {{0.0, 80.0, 1}, {80.0, -80.0, 0}, {-80.0, 0.0, 0}, {-80.0, 160.0, 1}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    elastica_world *world = make_world(NULL);
    add_flying(world, BALL, of[k].own);
    elastica_effect *solid = add_solid(world, ELASTICA_SHAPE_BOX, of[k].solid);
    elastica_check_report report = check(world, 0.0);
    assert_true((find(&report, ELASTICA_FINDING_APPROACH) != NULL) == of[k].found);
    must(world, elastica_effect_set_enabled(solid, 0));
    report = check(world, 0.0);
    assert_null(find(&report, ELASTICA_FINDING_APPROACH));
    elastica_world_destroy(world);
  }
}
