/* Relaxation that does not converge, has wrong arguments, fails in a hook or has no memory: its sentence, and the state afterwards. */
#include "rationed_memory.h"
#include "relaxed.h"

TEST(calls_at_the_evaluation_limit_add_up_to_convergence) {
  elastica_relax_result result;
  double end[2];
  long evaluations = 0;
  DEFAULTS(relax, def);
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_wire(world, 40);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    pull_tip(world, rod, -5.0, 0.0, 0.0);
    def.evaluation_limit = k == 0 ? 10000 : 12;
    elastica_status status = elastica_world_relax(world, &def, &result);
    double before = 1.0;
    while (k == 1 && status != ELASTICA_OK) {
      assert_int_equal(status, ELASTICA_NOT_CONVERGED);
      assert_int_equal(result.evaluations, 12);
      assert_says(elastica_world_message(world), "relax", "12 evaluations", "force");
      assert_true(tip(rod, 2) != before); /* the last state is kept */
      before = tip(rod, 2);
      evaluations += result.evaluations;
      assert_true(evaluations < 200);
      status = elastica_world_relax(world, &def, &result);
    }
    must(world, status);
    end[k] = tip(rod, 0);
    must(world, elastica_world_advance(world, 1e-9)); /* nothing sticks */
    elastica_world_destroy(world);
  }
  assert_close(end[1], end[0], 1e-8);
}

/* The first step of this soft rod is shortened many times before it is accepted: no call ends before. */
TEST(any_evaluation_limit_makes_progress) {
  const double gravity[3] = {0.0, -9.81, 0.0};
  elastica_relax_result result;
  DEFAULTS(relax, def);
  for (def.evaluation_limit = 1; def.evaluation_limit <= 3; def.evaluation_limit++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 40, 1.0, 0.01, 1000.0, 1e6, 1e6 / 3.0);
    int calls = 0;
    clamp_first(world, rod, ELASTICA_BOUNDARY_FRAME);
    must(world, elastica_add_gravity(world, gravity, NULL));
    elastica_status status = ELASTICA_NOT_CONVERGED;
    for (double before = 0.0; status == ELASTICA_NOT_CONVERGED && calls < 50; calls++, before = tip(rod, 1)) {
      status = elastica_world_relax(world, &def, &result);
      assert_true(tip(rod, 1) != before);
      assert_true(result.evaluations <= def.evaluation_limit + 10);
    }
    must(world, status);
    elastica_world_destroy(world);
  }
}

TEST(wrong_arguments_are_refused) {
  elastica_world *world = make_world(NULL);
  add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
  const uint64_t before = hash_world(world);
  assert_int_equal(elastica_world_relax(NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  DEFAULTS(relax, def);
  def.tolerance = -1.0;
  assert_refused(world, elastica_world_relax(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "relax_def.tolerance", "negative", "-1");
  def.tolerance = 1.0;
  assert_refused(world, elastica_world_relax(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "relax_def.tolerance is 1", "no equilibrium");
  elastica_relax_def_init(&def, sizeof def);
  def.evaluation_limit = 0;
  assert_refused(world, elastica_world_relax(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "relax_def.evaluation_limit", "0",
                 "not positive");
  def.struct_size = 0;
  assert_status(world, elastica_world_relax(world, &def, NULL), ELASTICA_WRONG_VERSION);
  assert_true(hash_world(world) == before);
  elastica_world_destroy(world);
}

static elastica_status fail_when_bent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)now;
  (void)loads;
  assert_int_equal(elastica_world_relax(self, NULL, NULL), ELASTICA_WRONG_STATE);
  return rod->position[0][rod->node_count - 1] < -0.01 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

static elastica_status push_without_end(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)now;
  loads->force[0][rod->node_count - 1] = 1.0 / 0.0;
  return ELASTICA_OK;
}

static elastica_status push_by_self(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  loads->force[0][rod->node_count - 1] += *(const double *)self;
  return ELASTICA_OK;
}

TEST(failing_hooks_stick) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
    elastica_module module = module_named("picky");
    module.self = world;
    module.add_loads = k == 0 ? fail_when_bent : push_without_end;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    assert_status(world, elastica_world_relax(world, NULL, NULL), k == 0 ? ELASTICA_CALLBACK_FAILED : ELASTICA_NOT_FINITE);
    if (k == 0)
      assert_says(elastica_world_message(world), "\"picky\"", "add_loads", "IO_ERROR");
    else
      assert_says(elastica_world_message(world), "at the start the force on node 10 of rod 0", "not finite: inf", "effect 2 \"picky\"");
    assert_status(world, elastica_world_relax(world, NULL, NULL), ELASTICA_WRONG_STATE);
    elastica_world_destroy(world);
  }
}

/* A couple on the middle of a beam, below the root of 0.01 m minus the deflection of its tip. */
static elastica_status turn_until_bent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  loads->couple[1][5] += 1e-3 * sqrt(0.01 + rod->position[0][rod->node_count - 1]);
  return ELASTICA_OK;
}

/* Parts of a bent beam that are no numbers below a deflection of its tip of -0.01 m, by each kind of hook. */
static double number_until_bent(const elastica_rod_view *rod) {
  return rod->position[0][rod->node_count - 1] < -0.01 ? (double)NAN : 1e-3;
}

static elastica_rod *bent_rod;

static elastica_status push_until_bent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  loads->force[0][4] += number_until_bent(rod);
  return ELASTICA_OK;
}

static elastica_status tense_until_bent(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                        elastica_resultants *resultants) {
  (void)self, (void)now;
  resultants->couple[1][4] += number_until_bent(rod);
  return ELASTICA_OK;
}

static elastica_status push_all_until_bent(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now;
  loads->loads[0].force[0][4] += number_until_bent(elastica_rod_get_view(bent_rod));
  return ELASTICA_OK;
}

static elastica_status no_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent;
  return ELASTICA_OK;
}

TEST(a_load_without_numbers_beyond_a_state_ends_the_call_soon) {
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_relax_result result;
    elastica_module module = module_named("mine");
    bent_rod = add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
    if (k < 2) module.add_loads = push_until_bent;
    if (k == 1) module.add_tangent = no_stiffness;
    if (k == 2) module.add_resultants = tense_until_bent;
    if (k == 3) module.add_world_loads = push_all_until_bent;
    must(world, elastica_world_add_module(world, k == 3 ? NULL : bent_rod, &module, NULL));
    assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "in the next state the ",
                   " of rod 0 is not finite", "nan, by effect 2 \"mine\"");
    assert_true(result.evaluations <= 100);
    elastica_world_destroy(world);
  }
}

/* A load that is known in a part of the states alone: the sentence names place and effect, not a likely cause in mechanics. */
TEST(load_that_ends_is_the_cause) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
  elastica_module module = module_named("root");
  module.add_loads = turn_until_bent;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  const uint64_t before = hash_world(world);
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED,
                 "in the next state the couple on element 5 of rod 0", "not finite", "nan, by effect 2 \"root\"");
  assert_true(hash_world(world) != before); /* it stays where it ends */
  elastica_world_destroy(world);
}

/* The square of a load overflows before the load. */
TEST(load_that_is_too_large_is_named) {
  static double size = 1e200;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
  elastica_module module = module_named("giant");
  module.self = &size, module.self_size = sizeof size;
  module.add_loads = push_by_self;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  assert_status(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_FINITE);
  assert_says(elastica_world_message(world), "the force on node 10 of rod 0", "too large: 1e+200", "effect 2 \"giant\"");
  elastica_world_destroy(world);
}

TEST(without_memory_nothing_changes) {
  memory_ration memory = plenty();
  long tries = 0;
  elastica_world *world = make_rationed_world(&memory);
  add_beam(world, 10, ELASTICA_BOUNDARY_CLAMP, 15.0);
  const uint64_t before = hash_world(world);
  for (;; tries++) {
    memory.left = tries;
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    if (status == ELASTICA_OK) break;
    assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
    assert_true(hash_world(world) == before);
    assert_true(tries < 20);
  }
  const long blocks = memory.blocks;
  memory.left =
      tries; /* its own block, the initial state with its history, and those of the verdict, one after another; all are released */
  relax(world);
  assert_int_equal(memory.blocks, blocks);
  elastica_world_destroy(world);
  assert_int_equal(memory.blocks, 0);
}

static elastica_status load_with_no_number(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod;
  loads->force[0][1] += (double)NAN;
  return ELASTICA_OK;
}

TEST(a_load_that_is_no_number_is_not_taken_for_a_residual) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  elastica_module module = module_named("nothing");
  module.add_loads = load_with_no_number;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  assert_status(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_FINITE);
  elastica_world_destroy(world);
}

/* A cable draws the tip of a beam to its other end at a point beside it. There the force of the cable may have any direction, and is found
 * as rounding of positions has it. */
TEST(guides_of_a_tendon_that_meet_are_no_equilibrium) {
  for (int spring = 0; spring < 2; spring++)
    for (int keep = 0; keep < 2; keep++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
      elastica_anchor guide[2];
      elastica_modes *modes = NULL;
      DEFAULTS(tendon, tendon);
      DEFAULTS(relax, def);
      elastica_relax_result result;
      clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      memset(guide, 0, sizeof guide);
      guide[0].rod = rod, guide[0].element = 7, guide[0].share = 1.0;
      for (int a = 0; a < 3; a++) guide[1].offset[a] = elastica_rod_get_view(rod)->position[a][8] - 0.1 * (a + 1);
      tendon.guides = guide, tendon.guide_count = 2;
      if (spring)
        tendon.stiffness = 1e3, tendon.rest_length = 0.0;
      else
        tendon.tension = 10.0;
      must(world, elastica_add_tendon(world, &tendon, NULL));
      const double before = tip(rod, 0);
      def.keep_state = keep;
      if (spring) { /* a spring without a length of its own is an ordinary one */
        must(world, elastica_world_relax(world, &def, NULL));
      } else {
        assert_refused(world, elastica_world_relax(world, &def, &result), ELASTICA_NOT_CONVERGED, "guides 0 and 1 of effect 1", "have met");
        assert_true((tip(rod, 0) == before) == !keep);
        assert_true(result.evaluations < 500);
        if (keep)
          assert_refused(world, elastica_modes_find(world, NULL, &modes), ELASTICA_INVALID_ARGUMENT, "modes_find: guides 0 and 1",
                         "have met");
      }
      elastica_world_destroy(world);
    }
}

/* A new added mass and a new place of a frame are due at the next step. A call that finds no equilibrium, because another rod runs away,
 * leaves them due, and the state and masses as they were. */
TEST(a_refused_relaxation_leaves_changes_due) {
  static unsigned char bytes[2][1 << 14];
  elastica_world *world = make_world(NULL);
  mounted of = {.rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5)};
  set_mounted(world, &of, NAN, 0.1);
  relax(world);
  pull_tip(world, add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5), 0.0, 0.0, 1e-3);
  must(world, elastica_world_step(world, 1e-9, 1));
  set_mounted(world, &of, 0.01, 0.2);
  const size_t size = size_of_snapshot(world);
  assert_true(size > 0 && size <= sizeof bytes[0]);
  must(world, elastica_world_snapshot_save(world, bytes[0], size, NULL));
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "rod 1 runs away");
  must(world, elastica_world_snapshot_save(world, bytes[1], size, NULL));
  assert_memory_equal(bytes[0], bytes[1], size);
  elastica_world_destroy(world);
}
