/* Claims about worlds that have failed: their state can still be queried and written to files. */
#include "base/target.h"

#include "scratch_folder.h"

typedef enum motion { STANDING, BROKEN, ELSEWHERE } motion;

static elastica_status prescribed(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const motion now = *(const motion *)user;
  (void)time, (void)velocity, (void)director, (void)omega;
  if (now == ELSEWHERE) position[0] += 0.1;
  return now == BROKEN ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
  motion motion;
} fixture;

/* A straight rod along z with its first node held by a motion. */
static void make_fixture(fixture *f) {
  f->motion = STANDING;
  f->world = make_world(NULL);
  f->rod = add_straight_rod(f->world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.motion = prescribed;
  pin.user = &f->motion;
  must(f->world, elastica_add_boundary(f->world, f->rod, &pin, NULL));
}

/* Writes a frame; returns the number of files after it. */
static int files_of_a_frame(elastica_world *world) {
  scratch_folder folder;
  elastica_vtk *vtk = NULL;
  scratch_make(&folder);
  must(world, elastica_vtk_open(world, folder.path, "failed", &vtk));
  must(world, elastica_vtk_frame(vtk));
  must(world, elastica_vtk_close(vtk));
  const int count = scratch_file_count(&folder);
  scratch_remove(&folder);
  return count;
}

/* All queries succeed, and the sentence of the failure is kept. */
static void claim_queries_work(fixture *f) {
  const kept_message failure = keep_message(f->world);
  elastica_totals own, all;
  const double mass = 1000.0 * 3.14159265358979324 * 0.01;
  must(f->world, elastica_rod_refresh(f->rod));
  assert_non_null(elastica_rod_get_view(f->rod)->curvature[0]);
  must(f->world, elastica_rod_get_totals(f->rod, &own));
  must(f->world, elastica_world_get_totals(f->world, &all));
  assert_close(all.translation, own.translation, 0.0);
  assert_close(own.mass, mass, 1e-12);
  assert_int_equal(files_of_a_frame(f->world), 2);
  assert_message(f->world, failure.text);
  assert_status(f->world, elastica_world_step(f->world, 1e-4, 1), ELASTICA_WRONG_STATE);
  assert_message(f->world, failure.text);
}

TEST(a_world_that_failed_in_a_step_can_be_queried) {
  fixture f;
  make_fixture(&f);
  must(f.world, elastica_world_step(f.world, 1e-4, 100));
  f.motion = BROKEN;
  assert_status(f.world, elastica_world_step(f.world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(f.world), "\"boundary\"", "constrain_position", "its motion of node 0 returned IO_ERROR", "rod 0");
  claim_queries_work(&f);
  elastica_world_destroy(f.world);
}

/* A constraint that fails at preparation refuses the call; once it succeeds, the world continues. */
TEST(a_world_that_cannot_be_prepared_goes_on_once_it_can) {
  fixture f;
  elastica_totals energy;
  make_fixture(&f);
  f.motion = BROKEN;
  const uint64_t before = hash_world(f.world);
  assert_refused(f.world, elastica_world_step(f.world, 1e-4, 1), ELASTICA_CALLBACK_FAILED, "effect 0 \"boundary\"", "constrain_position",
                 "its motion of node 0 returned IO_ERROR", "rod 0", "t = 0 s");
  assert_status(f.world, elastica_world_get_totals(f.world, &energy), ELASTICA_CALLBACK_FAILED);
  assert_true(hash_world(f.world) == before);
  f.motion = STANDING;
  must(f.world, elastica_world_get_totals(f.world, &energy));
  must(f.world, elastica_world_step(f.world, 1e-4, 1));
  elastica_world_destroy(f.world);
}

/* A motion that succeeds again does not move a rod of a failed world. */
TEST(queries_leave_the_state_of_a_failure_alone) {
  fixture f;
  elastica_step_limit limit;
  elastica_totals energy;
  make_fixture(&f);
  must(f.world, elastica_world_step(f.world, 1e-4, 1));
  f.motion = BROKEN;
  assert_status(f.world, elastica_world_step(f.world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
  const uint64_t before = hash_world(f.world);
  f.motion = ELSEWHERE;
  ignore(elastica_world_step_limit(f.world, &limit));
  must(f.world, elastica_world_get_totals(f.world, &energy));
  assert_true(hash_world(f.world) == before);
  assert_status(f.world, elastica_world_step(f.world, 1e-4, 1), ELASTICA_WRONG_STATE);
  elastica_world_destroy(f.world);
}

/* Moves the first node in the middle of a step and fails. */
static elastica_status push_then_fail(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  int *pushes = self;
  (void)rod;
  if (now->dt == 0.0 || (*pushes)++ > 0) return ELASTICA_OK;
  state->position[2][0] -= 0.3;
  return ELASTICA_IO_ERROR;
}

/* A hook may move a node before it fails. In 1e-12 s all other motion is rounding. */
TEST(lengths_after_a_failure_are_those_of_the_positions) {
  int pushes = 0;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("push");
  module.self = &pushes;
  module.constrain_position = push_then_fail;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  assert_status(world, elastica_world_step(world, 1e-12, 1), ELASTICA_CALLBACK_FAILED);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  assert_close(view->position[2][0], -0.3, 1e-15);
  assert_close(view->length[0], 0.5, 1e-15);
  assert_close(view->dilatation[0], 2.5, 1e-14);
  elastica_world_destroy(world);
}

static elastica_status claim_strain(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)loads;
  ++*(int *)self;
  return rod->strain[0] != NULL ? ELASTICA_OK : ELASTICA_WRONG_STATE;
}

/* Derived lanes of a step belong to its middle and are invalid at its end. */
TEST(derived_lanes_of_a_step_end_with_it) {
  int calls = 0;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("looker");
  module.self = &calls;
  module.add_loads = claim_strain;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  must(world, elastica_world_step(world, 1e-5, 3));
  assert_int_equal(calls, 3);
  assert_null(elastica_rod_get_view(rod)->strain[0]);
  assert_null(elastica_rod_get_view(rod)->internal_couple[2]);
  elastica_world_destroy(world);
}

/* The step limit and refused calls keep the derived lanes; a step invalidates them. */
TEST(derived_lanes_outlast_the_step_limit_and_refused_calls) {
  fixture f;
  elastica_step_limit limit;
  elastica_totals momentum;
  make_fixture(&f);
  rod_state bent;
  read_state(f.rod, &bent);
  bent.position[3 * 3] += 0.01;
  must(f.world, elastica_rod_set_state(f.rod, bent.position, NULL, NULL, NULL));
  must(f.world, elastica_rod_refresh(f.rod));
  const elastica_rod_view *view = elastica_rod_get_view(f.rod);
  const double *const lane = view->internal_force[0];
  const double force = lane[3];
  assert_true(force != 0.0);
  must(f.world, elastica_world_step_limit(f.world, &limit));
  assert_status(f.world, elastica_world_step(f.world, 2.0 * limit.dt, 1), ELASTICA_UNSTABLE_STEP);
  must(f.world, elastica_world_step(f.world, 1e-5, 0));
  assert_status(f.world, elastica_world_advance(f.world, -1.0), ELASTICA_INVALID_ARGUMENT);
  must(f.world, elastica_world_get_totals(f.world, &momentum));
  assert_ptr_equal(view->internal_force[0], lane);
  assert_true(lane[3] == force);
  must(f.world, elastica_world_step(f.world, 1e-5, 1));
  assert_null(view->internal_force[0]);
  elastica_world_destroy(f.world);
}
