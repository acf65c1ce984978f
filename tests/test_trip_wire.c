/* Causes of failure of a world: nan in the state, a frame that turns too far in a step, a joint that is bent too far, a hook that fails,
 * a step beyond the limit with allow_unstable_step. The sentence names the rod, the place and the time.
 */
#include "base/target.h"

#include "changing.h"
#include "measured.h"

/* Two rods of 10 elements, at rest. */
static elastica_world *make_pair(void) {
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 2; k++) add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
  return world;
}

/* Steps are refused, queries still work. */
static void assert_failed_for_good(elastica_world *world) {
  elastica_totals totals;
  const long steps = elastica_world_get(world).step_count;
  const double time = elastica_world_get(world).time;
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%s", elastica_world_message(world));
  assert_true(strlen(sentence) > 20);
  assert_status(world, elastica_world_step(world, 1e-6, 1), ELASTICA_WRONG_STATE);
  assert_status(world, elastica_world_advance(world, 1e-6), ELASTICA_WRONG_STATE);
  assert_int_equal(elastica_world_get(world).step_count, steps);
  assert_close(elastica_world_get(world).time, time, 0.0);
  must(world, elastica_world_get_totals(world, &totals));
  must(world, elastica_rod_refresh(elastica_world_rod(world, 0)));
  assert_non_null(elastica_rod_get_view(elastica_world_rod(world, 0))->internal_force[0]);
}

static elastica_status add_poison(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod;
  if (now->step == 5) loads->force[1][3] += *(const double *)self;
  return ELASTICA_OK;
}

static void add_module_with_loads(elastica_world *world, elastica_rod *rod, const double *self,
                                  elastica_status (*add_loads)(void *, const elastica_instant *, const elastica_rod_view *,
                                                               elastica_loads *)) {
  elastica_module module = module_named("poison");
  module.self = self;
  module.self_size = sizeof *self;
  module.add_loads = add_loads;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

TEST(nan_in_a_force_stops_the_world_and_names_the_node) {
  const double poison[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_pair();
    add_module_with_loads(world, elastica_world_rod(world, 1), &poison[k], add_poison);
    assert_status(world, elastica_world_step(world, 1e-4, 100), ELASTICA_NOT_FINITE);
    assert_says(elastica_world_message(world), "rod 1, node 3");
    assert_names_number(elastica_world_message(world), 6e-4);
    assert_int_equal(elastica_world_get(world).step_count, 6);
    assert_failed_for_good(world);
    elastica_world_destroy(world);
  }
}

static void spin_up_an_element(elastica_world *world, double rate) {
  double omega[30] = {0.0};
  omega[component(4, Z)] = rate;
  must(world, elastica_rod_set_state(elastica_world_rod(world, 1), NULL, NULL, NULL, omega));
}

/* Known before the step: the step is refused, and the world continues with a smaller step. */
TEST(a_step_with_a_turn_beyond_a_radian_is_refused) {
  elastica_world *world = make_pair();
  spin_up_an_element(world, 1.5 / 1e-4);
  const uint64_t before = hash_world(world);
  assert_status(world, elastica_world_step(world, 1e-4, 100), ELASTICA_UNSTABLE_STEP);
  assert_names_number(elastica_world_message(world), 1e-4);
  assert_true(hash_world(world) == before);
  assert_int_equal(elastica_world_get(world).step_count, 0);
  must(world, elastica_world_step(world, 1e-6, 1));
  elastica_world_destroy(world);
}

TEST(spin_of_more_than_a_radian_in_a_step_stops_the_world) {
  elastica_world_def def = default_world();
  def.allow_unstable_step = 1;
  elastica_world *world = make_world(&def);
  for (int k = 0; k < 2; k++) add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
  spin_up_an_element(world, 1.5 / 1e-4);
  assert_status(world, elastica_world_step(world, 1e-4, 100), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "rod 1, element 4");
  assert_names_number(elastica_world_message(world), 1e-4);
  assert_int_equal(elastica_world_get(world).step_count, 1);
  assert_failed_for_good(world);
  elastica_world_destroy(world);
}

/* Turns a frame about its own second axis at 10 rad/s. */
static elastica_status turn_steadily(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double phi[3] = {0.0, 10.0 * time, 0.0};
  (void)user;
  (void)position;
  (void)velocity;
  turn_frame_exactly(phi, director);
  omega[1] = 10.0;
  return ELASTICA_OK;
}

TEST(joint_beyond_three_radians_stops_the_world_and_is_named) {
  elastica_world *world = make_world(NULL);
  add_straight_rod(world, 3, 0.3, 0.02, 1000.0, 1e4, 0.35e4);
  elastica_rod *rod = add_straight_rod(world, 3, 0.3, 0.02, 1000.0, 1e4, 0.35e4);
  DEFAULTS(boundary, pin);
  pin.axes = 0;
  pin.kind = ELASTICA_BOUNDARY_FRAME;
  pin.element = 1;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pin.element = 2;
  pin.motion = turn_steadily;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  assert_status(world, elastica_world_step(world, 1e-4, 10000), ELASTICA_JOINT_TOO_FAR);
  assert_says(elastica_world_message(world), "rod 1, joint 1");
  assert_close(elastica_world_get(world).time, 0.3, 2e-4);
  assert_failed_for_good(world);
  elastica_world_destroy(world);
}

/* ---- Joints that turn past half a turn between the middles of two steps ---- */

static const double quick_step = 1e-4; /* [s] */

/* Turns a frame about its own third axis by this angle [rad] in each step. */
static elastica_status turn_quickly(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double rate = *(const double *)user / quick_step, phi[3] = {0.0, 0.0, rate * time};
  (void)position;
  (void)velocity;
  turn_frame_exactly(phi, director);
  omega[2] = rate;
  return ELASTICA_OK;
}

typedef enum quick { ELEMENT, HALF_CELL, FIXED_TO_WORLD, FIXED_TO_BODY, QUICK_WAYS } quick;

/* Lets an element of the second rod spin, or the wall of its clamp, or the other side of a fixed joint. The rods are too soft to be
 * moved along. */
static void spin_quickly(elastica_world *world, quick what, double *turn) {
  elastica_rod *rod = elastica_world_rod(world, 1);
  if (what == ELEMENT) {
    spin_up_an_element(world, *turn / quick_step);
  } else if (what == HALF_CELL) {
    DEFAULTS(boundary, clamp);
    clamp.motion = turn_quickly;
    clamp.user = turn;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  } else {
    DEFAULTS(joint, joint);
    joint.kind = ELASTICA_JOINT_FIXED;
    joint.first = (elastica_anchor){rod, 0, 0.0, {0.0, 0.0, 0.0}};
    joint.stiffness = 1.0;
    joint.angular_stiffness = 1e-9;
    if (what == FIXED_TO_WORLD) {
      joint.motion = turn_quickly;
      joint.user = turn;
    } else {
      elastica_rod *body;
      DEFAULTS(body, def);
      def.radius = 0.05;
      def.density = 1000.0;
      def.position[2] = -0.2;
      def.omega[2] = *turn / quick_step;
      must(world, elastica_world_add_body(world, &def, &body));
      joint.second = (elastica_anchor){body, 0, 0.0, {0.0, 0.0, 0.2}};
    }
    must(world, elastica_add_joint(world, &joint, NULL));
  }
}

/* Half a turn is pi; one step after the middle of a step, all such joints are found. */
TEST(a_joint_is_found_for_any_turn_in_a_step) {
  for (quick what = ELEMENT; what < QUICK_WAYS; what++)
    for (double turn = 0.05; turn < 1.0; turn += what == ELEMENT ? 0.0125 : 0.05) {
      double given = turn;
      elastica_world *world = make_world(NULL);
      for (int k = 0; k < 2; k++) add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e2, 0.35e2);
      spin_quickly(world, what, &given);
      assert_status(world, elastica_world_step(world, quick_step, 1000), ELASTICA_JOINT_TOO_FAR);
      assert_says(elastica_world_message(world), what == ELEMENT ? "rod 1, joint" : "effect 0");
      assert_in_range(elastica_world_get(world).step_count, (long)(2.9 / turn), (long)(3.2 / turn) + 2);
      elastica_world_destroy(world);
    }
}

/* A joint at 2.95 rad; the frames behind it, or those before it, turn the joint back, or further, by this angle [rad] in a step. */
static elastica_status step_from_a_wide_joint(double turn, int before) {
  double director[90], omega[30] = {0.0};
  const double phi[3] = {0.0, 0.0, 2.95};
  elastica_world *world = make_pair();
  elastica_rod *rod = elastica_world_rod(world, 1);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int j = 0; j < 10; j++) {
    for (int a = 0; a < 9; a++) director[9 * j + a] = view->director[a / 3][a % 3][j];
    if (j >= 5) turn_frame_exactly(phi, director + 9 * j);
    if (before == (j < 5)) omega[component(j, Z)] = (before ? -turn : turn) / quick_step;
  }
  must(world, elastica_rod_set_state(rod, NULL, NULL, director, omega));
  const elastica_status status = elastica_world_step(world, quick_step, 1);
  elastica_world_destroy(world);
  return status;
}

TEST(a_joint_may_turn_back_from_near_the_limit) {
  for (int before = 0; before < 2; before++)
    for (double turn = 0.1; turn < 0.95; turn += 0.1) {
      assert_int_equal(step_from_a_wide_joint(-turn, before), ELASTICA_OK);
      assert_int_equal(step_from_a_wide_joint(turn, before), ELASTICA_JOINT_TOO_FAR);
    }
}

static elastica_status give_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)rod;
  (void)loads;
  return now->step == 5 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST(hook_that_fails_stops_the_world_and_is_named) {
  const double nothing = 0.0;
  elastica_world *world = make_pair();
  add_module_with_loads(world, elastica_world_rod(world, 1), &nothing, give_up);
  assert_status(world, elastica_world_step(world, 1e-4, 100), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "\"poison\"", "add_loads", "IO_ERROR", "rod 1");
  assert_failed_for_good(world);
  elastica_world_destroy(world);
}

/* ---- Steps beyond the limit with allow_unstable_step --------------------------------------------------------------------------------- */

TEST(trip_wire_stops_an_unstable_run_and_names_place_time_and_cause) {
  elastica_world *world = make_noisy_world(1);
  elastica_step_limit look;
  must(world, elastica_world_step_limit(world, &look));
  const double limit = look.dt, dt = 1.5 * limit;
  assert_status(world, elastica_world_step(world, dt, 100000), ELASTICA_UNSTABLE_STEP);
  const char *sentence = elastica_world_message(world);
  assert_says(sentence, "rod 1", "element");
  assert_names_number(sentence, elastica_world_get(world).time);
  assert_names_number(sentence, dt);
  assert_names_number(sentence, limit);
  assert_true(elastica_world_get(world).step_count < 10000);
  assert_status(world, elastica_world_step(world, 0.1 * limit, 1), ELASTICA_WRONG_STATE);
  elastica_world_destroy(world);
}

/* NaN in a query, without a step of time. */
static elastica_status add_per_time(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                    elastica_resultants *resultants) {
  (void)self;
  for (int k = 0; k < rod->joint_count; k++) resultants->couple[0][k] += 0.0 * (1e-9 / now->dt);
  return ELASTICA_OK;
}

/* A query of one rod leaves nan in the scratch; the other rod lies in a tile of its own; the last block of that tile ends just before
 * that place. */
TEST(nan_in_a_query_stops_no_other_rod) {
  for (int n = 5; n <= 9; n++) {
    elastica_world_def def = default_world();
    def.tile_size = 1;
    def.allow_unstable_step = 1; /* such a module has no limit */
    elastica_world *world = make_world(&def);
    elastica_rod *rods[2] = {add_straight_rod(world, n, 1.0, 0.05, 1000.0, 1e5, 0.35e5),
                             add_straight_rod(world, 20, 1.0, 0.05, 1000.0, 1e5, 0.35e5)};
    elastica_module module = module_named("per time");
    module.add_resultants = add_per_time;
    must(world, elastica_world_add_module(world, rods[1], &module, NULL));
    must(world, elastica_world_step(world, 1e-5, 10));
    must(world, elastica_rod_refresh(rods[1]));
    must(world, elastica_world_step(world, 1e-5, 10));
    elastica_world_destroy(world);
  }
}

/* ---- Lengths ---- */

/* A rod at rest in either law, but for an axial or lateral velocity of its last node. Elements of 0.05 m and steps of 1 us: 1e5 m/s
 * stretches the last element from 0.05 m to 0.15 m, -1e5 m/s reverses it. */
TEST(length_that_changes_by_half_in_half_a_step_stops_the_world) {
  static const double fast[] = {1.1e5, 1e6, -6e4, -1.1e5, -1e6}, slow[] = {1e4, -1e4};
  for (int law = 0; law < 2; law++)
    for (int loose = 0; loose < 2; loose++)
      for (int across = 0; across < 2; across++)
        for (size_t k = 0; k < sizeof fast / sizeof *fast + sizeof slow / sizeof *slow; k++) {
          const int is_fast = k < sizeof fast / sizeof *fast;
          const double speed = is_fast ? fast[k] : slow[k - sizeof fast / sizeof *fast];
          elastica_world_def def = default_world();
          double velocity[21] = {0.0};
          if (across && is_fast && fabs(speed) < 1e5) continue; /* a lateral motion lengthens an edge of 0.05 m less */
          def.law = law ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED;
          def.allow_unstable_step = loose;
          elastica_world *world = make_world(&def);
          for (int r = 0; r < 2; r++) add_straight_rod(world, 6, 0.3, 0.01, 1100.0, 1e6, 0.35e6);
          const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, 1));
          for (int a = 0; a < 3; a++) velocity[component(6, a)] = speed * (across ? view->director[0][a][5] : view->tangent[a][5]);
          must(world, elastica_rod_set_state(elastica_world_rod(world, 1), NULL, velocity, NULL, NULL));
          assert_status(world, elastica_world_step(world, 1e-6, 1), is_fast ? ELASTICA_UNSTABLE_STEP : ELASTICA_OK);
          if (is_fast) {
            assert_says(elastica_world_message(world), "rod 1, element 5", "its nodes moved by");
            assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, 0))->has_failed, 0);
            assert_int_equal(elastica_world_get(world).step_count, 1);
            assert_failed_for_good(world);
          }
          elastica_world_destroy(world);
        }
}

/* ---- Neighbours in memory ---- */

enum { NOT_WILD, FAR_APART, SPINNING, POISONED, WILD_WAYS };

static elastica_status add_nan(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[0][i] += (double)NAN;
  for (int j = 0; j < rod->element_count; j++) loads->couple[1][j] += (double)NAN;
  return ELASTICA_OK;
}

/* An open rod or a ring between two moving rods; it fails in its first step, or does not. */
static uint64_t hash_of_neighbours(int way, int ring, int law, size_t tile_size) {
  elastica_world_def def = default_world();
  rod_state state;
  def.allow_unstable_step = 1;
  def.tile_size = tile_size;
  def.law = law % 2 ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED;
  def.exact_couple = law / 2;
  elastica_world *world = make_world(&def);
  elastica_rod *before = add_numbered_rod(world, 0);
  elastica_rod *wild = ring ? add_usual_ring(world) : add_straight_rod(world, 4, 0.4, 0.02, 1000.0, 1e5, 0.35e5);
  elastica_rod *after = add_numbered_rod(world, 1);
  must(world, elastica_add_gravity(world, (const double[3]){0.3, 0.2, -9.81}, NULL));
  read_state(wild, &state);
  const int elements = elastica_rod_get_view(wild)->element_count, nodes = elastica_rod_get_view(wild)->node_count;
  if (way == FAR_APART) state.position[component(nodes - 1, X)] = 1e120;
  for (int j = 0; j < elements && way == SPINNING; j++) state.omega[component(j, X)] = 1e60;
  must(world, elastica_rod_set_state(wild, state.position, state.velocity, state.director, state.omega));
  elastica_module module = module_named("poison");
  module.add_loads = add_nan;
  if (way == POISONED) must(world, elastica_world_add_module(world, wild, &module, NULL));
  const elastica_status status = elastica_world_step(world, 1e-6, 1);
  assert_true((status == ELASTICA_OK) == (way == NOT_WILD));
  const uint64_t hash = hash_rod(hash_rod(hash_start(), before), after);
  elastica_world_destroy(world);
  return hash;
}

TEST(a_rod_that_fails_leaves_those_beside_it_alone) {
  static const size_t sizes[3] = {7, 64, 512};
  for (int law = 0; law < 4; law++)
    for (int ring = 0; ring < 2; ring++) {
      const uint64_t sound = hash_of_neighbours(NOT_WILD, ring, law, 512);
      for (int way = 0; way < WILD_WAYS; way++)
        for (int t = 0; t < 3; t++)
          if (hash_of_neighbours(way, ring, law, sizes[t]) != sound)
            fail_msg("way %d, ring %d, law %d, tile %zu", way, ring, law, sizes[t]);
    }
}
