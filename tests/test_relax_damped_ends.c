/* Claims about relaxation by damped steps: its end if nothing comes to rest, a hook fails, or memory runs out. */
#include "base/target.h"

#include "lying.h"
#include "rationed_memory.h"

/* ---- Scenes that do not come to rest ---- */

/* After the last step the state is kept, and the next call continues from it. */
TEST(a_limit_of_steps_ends_a_call) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_CAPSULE, 0.0, 0.0, 5.0, 0.4);
  elastica_relax_result result;
  add_floor(world, rod, 0.3);
  add_weight_of_all(world);
  DEFAULTS(relax, def);
  def.step_limit = 1;
  elastica_status status = elastica_world_relax(world, &def, &result);
  assert_refused(world, status, ELASTICA_NOT_CONVERGED, "and 64 damped steps left a force of", "at work");
  assert_int_equal(result.steps, 64);
  assert_true(!result.stable && !result.undecided);
  assert_true(elastica_rod_get_view(rod)->position[2][0] < 5.0 && elastica_rod_get_view(rod)->velocity[2][0] == 0.0);
  def.step_limit = 640;
  for (int calls = 1; calls < 100 && status == ELASTICA_NOT_CONVERGED; calls++) status = elastica_world_relax(world, &def, &result);
  assert_int_equal(status, ELASTICA_OK);
  assert_close(elastica_rod_get_view(rod)->position[2][0], 0.05, 1e-9);
  def.step_limit = -1;
  assert_refused(world, elastica_world_relax(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "step_limit is -1", "negative");
  elastica_world_destroy(world);
}

/* A free rod is pressed onto a clamped one that crosses it, slides off it with friction, and falls: damped steps move it by equal ways. */
TEST(a_rod_that_slides_off_another_one_runs_away) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2];
  elastica_relax_result result;
  DEFAULTS(contact, law);
  DEFAULTS(point_load, load);
  for (int k = 0; k < 2; k++) {
    DEFAULTS(rod, def);
    def.element_count = 20, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.start[k] = -0.5, def.start[2] = k * 0.041, def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
    for (int a = 0; a < 3; a++) def.direction[a] = a == k;
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
  }
  for (int end = 0; end < 2; end++) {
    DEFAULTS(boundary, clamp);
    clamp.node = -end;
    must(world, elastica_add_boundary(world, rod[0], &clamp, NULL));
  }
  law.modulus = 1e6, law.friction = 0.3;
  load.node = 10, load.force[2] = -10.0;
  must(world, elastica_add_contact(world, NULL, &law, NULL));
  must(world, elastica_add_point_load(world, rod[1], &load, NULL));
  assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "rod 1 runs away", "10 N along -z");
  assert_true(result.steps > 0 && result.steps < 50000);
  elastica_world_destroy(world);
}

/* Beyond the edge of a missing wall: the body falls, and its initial state returns. */
TEST(a_body_beside_a_ball_falls_without_end) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_SPHERE, 0.5, 0.0, 1.5, 0.0);
  DEFAULTS(obstacle, wall);
  wall.shape = ELASTICA_SHAPE_SPHERE;
  wall.radius = 1.0, wall.stiffness = 1e5;
  must(world, elastica_add_obstacle(world, rod, &wall, NULL));
  add_weight_of_all(world);
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "rod 0 runs away", "along -z");
  assert_true(elastica_rod_get_view(rod)->position[2][0] == 1.5);
  elastica_world_destroy(world);
}

static int fails_below;

static elastica_status fail_below(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)loads;
  return rod->position[2][0] < 0.15 ? (elastica_status)fails_below : ELASTICA_OK;
}

static elastica_status bound_below(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)self, (void)now, (void)stiffness;
  return rod->position[2][0] < 0.15 ? (elastica_status)fails_below : ELASTICA_OK;
}

/* If memory runs out in a hook, or a limit check is refused, the call is refused and changes nothing; if a hook of a step fails, the
 * world fails. */
TEST(a_hook_fails_on_the_way) {
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_SPHERE, 0.0, 0.0, 0.3, 0.0);
    elastica_module module;
    add_floor(world, rod, 0.0);
    add_weight_of_all(world);
    elastica_module_init(&module, sizeof module);
    module.name = "deep";
    module.stateless = 1;
    if (k < 2)
      module.add_loads = fail_below;
    else
      module.add_stiffness = bound_below;
    fails_below = k == 0 ? ELASTICA_OUT_OF_MEMORY : ELASTICA_INVALID_ARGUMENT;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    must(world, elastica_world_step(world, 1e-3, 20));
    const uint64_t before = hash_world(world);
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    assert_status(world, status, k == 0 ? ELASTICA_OUT_OF_MEMORY : ELASTICA_CALLBACK_FAILED);
    assert_true((hash_world(world) == before) == (k != 1));
    assert_status(world, elastica_world_step(world, 1e-3, 1), k == 1 ? ELASTICA_WRONG_STATE : ELASTICA_OK);
    elastica_world_destroy(world);
  }
}

/* A refused block refuses the call, which changes nothing; the next call succeeds. */
TEST_LONG(memory_that_runs_out_changes_nothing) {
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  for (int k = 0; k < 4; k++) {
    elastica_rod *rod = add_shape(world, ELASTICA_SHAPE_CAPSULE, 0.3 * k, 0.05 * k, 0.1 + 0.05 * k, 1.3);
    add_floor(world, rod, 0.5);
  }
  add_weight_of_all(world);
  DEFAULTS(contact, law);
  law.modulus = 1e6, law.friction = 0.5;
  must(world, elastica_add_contact(world, NULL, &law, NULL));
  relax_without_each_block(world, &ration);
  elastica_world_destroy(world);
  assert_int_equal(ration.blocks, 0);
}

static elastica_status glide(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[0] += 0.05 * time;
  velocity[0] = 0.05;
  return ELASTICA_OK;
}

/* A box with a prescribed motion, far from a wall, has no force at all: relative to zero every residual is infinite. The state is kept,
 * as no better state exists. */
TEST(a_box_without_forces_keeps_a_state) {
  elastica_rod *body = NULL;
  elastica_world *world = make_world(NULL);
  DEFAULTS(body, box);
  box.shape = ELASTICA_SHAPE_BOX, box.density = 500.0;
  for (int a = 0; a < 3; a++) box.edges[a] = 0.1;
  must(world, elastica_world_add_body(world, &box, &body));
  DEFAULTS(obstacle, wall);
  wall.stiffness = 10.0, wall.position[2] = -3.0;
  must(world, elastica_add_obstacle(world, body, &wall, NULL));
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME, clamp.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Z, clamp.motion = glide;
  must(world, elastica_add_boundary(world, body, &clamp, NULL));
  DEFAULTS(relax, def);
  def.evaluation_limit = 1, def.step_limit = 64;
  const elastica_status status = elastica_world_relax(world, &def, NULL);
  assert_true(status == ELASTICA_OK || status == ELASTICA_NOT_CONVERGED);
  assert_close(elastica_rod_get_view(body)->position[1][0], 0.0, 1e-12);
  elastica_world_destroy(world);
}
