/* Claims about relaxation by damped steps: scenes that come to rest by them; time, observers and history do not change. */
#include "base/target.h"

#include "lying.h"
#include "relaxed.h"

/* A tilted body tips over and lies on the side to which it falls. */
TEST(each_shape_comes_to_lie_on_a_wall) {
  const double height[] = {0.05, 0.05, 0.05, 0.075};
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_BOX; shape++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_shape(world, (elastica_shape)shape, 0.0, 0.0, 0.3, 0.4);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    add_floor(world, rod, 0.0);
    add_weight_of_all(world);
    const elastica_relax_result result = relax(world);
    assert_true(result.steps > 0 && result.steps % 64 == 0);
    assert_true(result.undecided && !result.stable);
    assert_true(result.force <= 1e-9 * g * view->mass[0]);
    assert_close(view->position[2][0], height[shape], 1e-9);
    for (int a = 0; a < 3; a++) assert_true(view->velocity[a][0] == 0.0 && view->omega[a][0] == 0.0);
    must(world, elastica_world_advance(world, 0.1));
    assert_close(view->position[2][0], height[shape], 1e-9);
    elastica_world_destroy(world);
  }
}

/* A body at rest on a wall keeps its place, within one interval between limit checks: also a cylinder on its cap. Repeated calls change
 * nothing. */
TEST(a_body_that_rests_stays) {
  for (int shape = ELASTICA_SHAPE_CYLINDER; shape <= ELASTICA_SHAPE_BOX; shape++) {
    const double height = shape == ELASTICA_SHAPE_BOX ? 0.075 : 0.15;
    for (int rubs = 0; rubs <= 1; rubs++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_shape(world, (elastica_shape)shape, 0.0, 0.0, height, 0.0);
      add_floor(world, rod, rubs ? 0.5 : 0.0);
      add_weight_of_all(world);
      for (int call = 0; call < 3; call++) {
        assert_int_equal(relax(world).steps, 64);
        assert_close(elastica_rod_get_view(rod)->position[2][0], height, 1e-12);
        assert_close(elastica_rod_get_view(rod)->director[2][2][0], 1.0, 1e-12);
      }
      elastica_world_destroy(world);
    }
  }
}

/* A thin capsule falls on its side: the couple on its small inertia limits the damped steps. Scaling by a power of two rounds no number
 * differently. */
TEST(the_unit_of_mass_changes_no_step) {
  const double unit[] = {1.0, 0x1p-12, 0x1p24};
  double position[3][3];
  elastica_relax_result result[3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_CAPSULE);
    def.density = 1000.0 * unit[k];
    def.radius = 0.01, def.length = 0.3;
    set_vector(def.position, 0, 0.0, 0.0, 0.1);
    turn_frame((const double[]){0.0, 1.2, 0.0}, def.director);
    elastica_rod *rod = add_body(world, &def);
    DEFAULTS(obstacle, wall);
    wall.balance = ELASTICA_BALANCE_NODES;
    wall.stiffness = 1e5 * unit[k], wall.damping = unit[k];
    must(world, elastica_add_obstacle(world, rod, &wall, NULL));
    add_weight_of_all(world);
    result[k] = relax(world);
    for (int a = 0; a < 3; a++) position[k][a] = elastica_rod_get_view(rod)->position[a][0];
    elastica_world_destroy(world);
  }
  for (int k = 1; k < 3; k++) {
    assert_int_equal(result[k].steps, result[0].steps);
    assert_memory_equal(position[k], position[0], sizeof position[0]);
  }
}

static elastica_status lift(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double *speed = user;
  (void)director, (void)omega;
  position[2] += *speed * time;
  velocity[2] = *speed;
  return ELASTICA_OK;
}

/* The wall has its present position, and prescribed motions are frozen. */
TEST(motions_stand_still) {
  double speeds[] = {1e-3, -0.1, 0.5};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_SPHERE, 0.0, 0.0, 0.2, 0.0);
    elastica_rod *held = add_shape(world, ELASTICA_SHAPE_SPHERE, 1.0, 0.0, 1.0, 0.0);
    DEFAULTS(obstacle, wall);
    wall.stiffness = 1e5, wall.motion = lift, wall.user = &speeds[k];
    must(world, elastica_add_obstacle(world, rod, &wall, NULL));
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.motion = lift, pin.user = &speeds[k];
    must(world, elastica_add_boundary(world, held, &pin, NULL));
    add_weight_of_all(world);
    (void)relax(world);
    assert_close(elastica_rod_get_view(rod)->position[2][0], 0.05, 1e-9);
    assert_close(elastica_rod_get_view(held)->position[2][0], 1.0, 1e-12);
    elastica_world_destroy(world);
  }
}

/* Both walls of a groove support the ball: the residual is the change in a step. */
TEST(a_ball_lies_in_a_groove) {
  for (int k = 0; k < 3; k++) {
    const double slope = 0.5 + 0.2 * k;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_SPHERE, 0.01, 0.0, 0.2, 0.0);
    for (int side = -1; side <= 1; side += 2) {
      DEFAULTS(obstacle, wall);
      set_vector(wall.normal, 0, side * sin(slope), 0.0, cos(slope));
      wall.stiffness = 1e5;
      must(world, elastica_add_obstacle(world, rod, &wall, NULL));
    }
    add_weight_of_all(world);
    DEFAULTS(relax, def);
    def.tolerance = 1e-6;
    must(world, elastica_world_relax(world, &def, NULL));
    const double before = elastica_rod_get_view(rod)->position[2][0];
    assert_close(before, 0.05 / cos(slope), 1e-3);
    must(world, elastica_world_step(world, 1e-3, 200));
    assert_close(elastica_rod_get_view(rod)->position[2][0], before, 5e-4); /* the depth depends on the step */
    elastica_world_destroy(world);
  }
}

/* Capsules on the wall and on each other, by contact with friction. In some heaps capsules roll on, like a train of gears, into a hollow of
 * hardly any slope. About one of eight heaps with other tilts is not at rest after 100,000 steps. */
TEST_LONG(heaps_of_capsules_come_to_rest_on_a_wall) {
  enum { COUNT = 8, HEAPS = 3 };
  for (int heap = 0; heap < HEAPS; heap++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[COUNT];
    elastica_relax_result result;
    double before[COUNT][3];
    for (int k = 0; k < COUNT; k++) {
      const double tilt = 1.57 + 0.065 * (heap - 1) + 0.1 * (k % 5);
      rod[k] = add_shape(world, ELASTICA_SHAPE_CAPSULE, 0.02 * (k % 3), 0.015 * (k % 4), 0.08 + 0.122 * k, tilt);
      add_floor(world, rod[k], 0.5);
    }
    add_weight_of_all(world);
    DEFAULTS(contact, law);
    law.modulus = 1e6, law.friction = 0.5;
    must(world, elastica_add_contact(world, NULL, &law, NULL));
    DEFAULTS(relax, def);
    def.tolerance = 1e-5;
    must(world, elastica_world_relax(world, &def, &result));
    assert_true(result.steps > 0);
    for (int k = 0; k < COUNT; k++)
      for (int a = 0; a < 3; a++) before[k][a] = elastica_rod_get_view(rod[k])->position[a][0];
    must(world, elastica_world_advance(world, 0.5));
    for (int k = 0; k < COUNT; k++)
      for (int a = 0; a < 3; a++) assert_close(elastica_rod_get_view(rod[k])->position[a][0], before[k][a], 1e-4);
    elastica_world_destroy(world);
  }
}

/* With or without damped steps. */
TEST(linked_rings_without_friction_come_to_rest) {
  elastica_relax_result result;
  DEFAULTS(relax, def);
  def.tolerance = 1e-4, def.evaluation_limit = 300;
  for (int damped = 0; damped <= 1; damped++) {
    elastica_rod *ring[2];
    elastica_world *world = make_linked_rings(0.0, 1.0, ring);
    def.step_limit = damped ? 12800 : 0;
    const elastica_status status = elastica_world_relax(world, &def, &result);
    must(world, status);
    assert_true(result.force <= 78.0 * 1e-4 && result.distance < 1.0);
    elastica_world_destroy(world);
  }
}

/* Scaling by a power of two rounds no number differently. */
TEST(units_of_time_do_not_matter) {
  const double unit2[3] = {1.0, 0x1p40, 0x1p-120}; /* in the last one a step is shorter than the rounding of times of 0.01 */
  double where[3];
  long steps[3];
  for (int k = 0; k < 3; k++) {
    elastica_rod *ring[2];
    elastica_world *world = make_linked_rings(0.0, unit2[k], ring);
    elastica_relax_result result;
    DEFAULTS(relax, def);
    def.tolerance = 1e-4, def.evaluation_limit = 10, def.step_limit = 2000;
    ignore(elastica_world_relax(world, &def, &result));
    steps[k] = result.steps;
    where[k] = elastica_rod_get_view(ring[1])->position[0][0];
    elastica_world_destroy(world);
  }
  assert_true(steps[0] > 0 && steps[0] == steps[1] && where[0] == where[1]);
  assert_true(steps[0] == steps[2] && where[0] == where[2]);
}

/* ---- Time is frozen ---- */

typedef struct watch {
  long loads, samples, observed;
  double time;
  int elsewhen; /* 1: a hook received another time */
} watch;

static elastica_status see_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  watch *seen = self;
  (void)rod, (void)loads;
  seen->loads++;
  seen->elsewhen |= now->time != seen->time;
  return ELASTICA_OK;
}

static elastica_status see_end(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  ((watch *)self)->observed++;
  return ELASTICA_OK;
}

static elastica_status see_sample(void *user, elastica_world *world) {
  (void)world;
  ((watch *)user)->samples++;
  return ELASTICA_OK;
}

/* A capsule above a wall, with a load that a module records. */
static elastica_world *make_watched(watch *seen, const elastica_world_def *def) {
  elastica_world *world = make_world(def);
  elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_CAPSULE, 0.0, 0.0, 0.2, 0.4);
  elastica_module module;
  add_floor(world, rod, 0.5);
  add_weight_of_all(world);
  elastica_module_init(&module, sizeof module);
  module.name = "watch";
  module.self = seen;
  module.stateless = 1;
  module.add_loads = see_loads;
  module.observe = see_end;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  return world;
}

TEST(nobody_notices_damped_steps) {
  watch seen = {0};
  elastica_world_def def = default_world();
  def.snapshot_interval = 100;
  elastica_world *world = make_watched(&seen, &def);
  elastica_sampler sampler;
  elastica_budget *budget = NULL;
  elastica_budget_sum before, after;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = see_sample, sampler.user = &seen, sampler.interval = 1e-3;
  must(world, elastica_world_set_sampler(world, &sampler));
  must(world, elastica_budget_open(world, &budget));
  must(world, elastica_world_step(world, 1e-3, 70));
  must(world, elastica_budget_get(budget, &before));
  const double time = elastica_world_get(world).time, working = elastica_world_get(world).working_step;
  const watch were = seen;
  seen.time = time, seen.elsewhen = 0;
  const elastica_relax_result result = relax(world);
  assert_true(result.steps > 0 && seen.loads > were.loads && !seen.elsewhen);
  assert_true(seen.samples == were.samples && seen.observed == were.observed);
  assert_true(elastica_world_get(world).time == time && elastica_world_get(world).step_count == 70);
  assert_true(elastica_world_get(world).working_step == working);
  must(world, elastica_budget_get(budget, &after));
  assert_int_equal(after.step_count, before.step_count);
  assert_true(after.work == before.work);
  must(world, elastica_world_step(world, 1e-3, 10));
  assert_true(elastica_world_get(world).time == 80 * 1e-3);
  must(world, elastica_budget_get(budget, &after));
  assert_close(after.between, -before.kinetic, 1e-12);
  elastica_budget_close(budget);
  elastica_world_destroy(world);
}

/* Steps after relaxation equal those of a world set to the relaxed state. */
TEST(steps_go_on_as_from_that_state) {
  watch seen = {0};
  elastica_world *world[2] = {make_watched(&seen, NULL), make_watched(&seen, NULL)};
  (void)relax(world[0]);
  const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world[0], 0));
  double position[6], director[9];
  for (int a = 0; a < 6; a++) position[a] = view->position[a % 3][a / 3];
  for (int a = 0; a < 9; a++) director[a] = view->director[a / 3][a % 3][0];
  must(world[1], elastica_rod_set_state(elastica_world_rod(world[1], 0), position, NULL, director, NULL));
  for (int k = 0; k < 2; k++) must(world[k], elastica_world_advance(world[k], 0.01));
  assert_true(hash_world(world[0]) == hash_world(world[1]));
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}
