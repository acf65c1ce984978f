/* Claims about failed worlds that receive a new state: after positions, velocities, frames and spins of the failed rods have been set,
 * or these rods removed, they continue like a fresh world from that state; rods that did not fail keep their step.
 */
#include "base/target.h"

#include "measured.h"

enum { RODS = 3, ELEMENTS = 6 };

/* ---- Ways to fail ---- */

typedef enum failure_way { NO_NUMBER, TOO_FAST, TOO_FAR, GIVEN_UP, WAYS } failure_way;

static const elastica_status status_of[WAYS] = {ELASTICA_NOT_FINITE, ELASTICA_UNSTABLE_STEP, ELASTICA_JOINT_TOO_FAR,
                                                ELASTICA_CALLBACK_FAILED};

typedef struct troubles {
  failure_way way;
  int on;
} troubles;

/* Writes nan to the last node, so that the slot behind it in the slab is tested, too. */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const troubles *t = self;
  (void)now;
  for (int a = 0; a < 3 && t->on && t->way == NO_NUMBER; a++) loads->force[a][rod->element_count] += (double)NAN;
  return t->on && t->way == GIVEN_UP ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

static elastica_status give_up(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)now, (void)loads;
  return ((const troubles *)self)->on ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

/* Turns a frame by more than 3 rad from its neighbour. */
static elastica_status constrain_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const troubles *t = self;
  (void)rod;
  if (!t->on || t->way != TOO_FAR || now->dt == 0.0) return ELASTICA_OK;
  for (int b = 0; b < 3; b++) {
    state->director[0][b][3] = state->director[0][b][2];
    state->director[1][b][3] = -state->director[1][b][2];
    state->director[2][b][3] = -state->director[2][b][2];
  }
  return ELASTICA_OK;
}

/* Turns a frame by 2 rad in one step. */
static elastica_status constrain_spin(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const troubles *t = self;
  (void)rod;
  if (t->on && t->way == TOO_FAST && now->dt > 0.0) state->omega[1][3] = 2.0 / now->dt;
  return ELASTICA_OK;
}

/* ---- Scenes ---- */

static const double dt = 1e-5;

/* Two open rods and a ring with gravity and damping; the second rod fails. */
static elastica_world *make_scene(troubles *trouble, size_t tile_size) {
  const double down[3] = {0.0, 1.0, -9.81};
  elastica_world_def def = default_world();
  def.law = ELASTICA_LAW_CLASSICAL;
  def.exact_couple = 1;
  def.tile_size = tile_size;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < 2; r++) add_straight_rod(world, ELEMENTS, 0.6, 0.03, 1000.0, 1e5, 0.35e5);
  add_usual_ring(world);
  must(world, elastica_add_gravity(world, down, NULL));
  DEFAULTS(dissipation, damping);
  damping.translation = 0.1;
  damping.rotation = 1e-5;
  must(world, elastica_add_dissipation(world, NULL, &damping, NULL));
  elastica_module module = module_named("trouble");
  module.self = trouble;
  module.add_loads = add_loads;
  module.constrain_position = constrain_position;
  module.constrain_spin = constrain_spin;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 1), &module, NULL));
  return world;
}

static void set_state(elastica_world *world, int r, const rod_state *of) {
  must(world, elastica_rod_set_state(elastica_world_rod(world, r), of->position, of->velocity, of->director, of->omega));
}

static void set_all(elastica_world *world, const rod_state states[RODS]) {
  for (int r = 0; r < RODS; r++) set_state(world, r, &states[r]);
}

static uint64_t hash_rods(elastica_world *world) {
  uint64_t hash = hash_start();
  for (int r = 0; r < RODS; r++) hash = hash_rod(hash, elastica_world_rod(world, r));
  return hash;
}

/* A world after 50 steps, its state then, and a failure in the next step. */
static elastica_world *make_failed(troubles *trouble, failure_way way, size_t tile_size, rod_state states[RODS]) {
  trouble->way = way;
  trouble->on = 0;
  elastica_world *world = make_scene(trouble, tile_size);
  must(world, elastica_world_step(world, dt, 50));
  for (int r = 0; r < RODS; r++) read_state(elastica_world_rod(world, r), &states[r]);
  trouble->on = 1;
  assert_status(world, elastica_world_step(world, dt, 10), status_of[way]);
  trouble->on = 0;
  return world;
}

/* ---- Claims ---- */

TEST(a_world_with_a_new_state_goes_on_like_a_fresh_one) {
  for (int k = 0; k < WAYS; k++) {
    for (size_t tile_size = 1; tile_size <= 256; tile_size *= 256) {
      troubles first, second = {GIVEN_UP, 0};
      rod_state states[RODS];
      elastica_totals energy, same;
      elastica_world *world = make_failed(&first, (failure_way)k, tile_size, states), *fresh = make_scene(&second, 256);
      set_all(world, states);
      assert_message(world, "");
      assert_int_equal(elastica_world_get(world).step_count, 51);
      assert_close(elastica_world_get(world).time, 51 * dt, 1e-18);
      set_all(fresh, states);
      must(world, elastica_world_step(world, dt, 200));
      must(fresh, elastica_world_step(fresh, dt, 200));
      assert_true(hash_rods(world) == hash_rods(fresh));
      must(world, elastica_world_get_totals(world, &energy));
      must(fresh, elastica_world_get_totals(fresh, &same));
      assert_true(energy.bending == same.bending && energy.shear == same.shear && energy.effects == same.effects);
      elastica_world_destroy(world);
      elastica_world_destroy(fresh);
    }
  }
}

/* Positions, velocities, frames and spins of the failed rod are all necessary. */
TEST(a_part_of_the_state_does_not_end_the_failure) {
  for (int left = 0; left < 4; left++) { /* the part of the state that is set last */
    troubles trouble;
    rod_state states[RODS];
    elastica_world *world = make_failed(&trouble, NO_NUMBER, 256, states);
    const kept_message failure = keep_message(world);
    const rod_state *now = &states[1];
    set_state(world, 0, &states[0]);
    for (int k = 0; k < 4; k++) {
      const int what = (left + 1 + k) % 4;
      assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
      assert_message(world, failure.text);
      for (int r = 0; r < RODS; r++) assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, r))->has_failed, r == 1);
      must(world, elastica_rod_set_state(elastica_world_rod(world, 1), what == 0 ? now->position : NULL, what == 1 ? now->velocity : NULL,
                                         what == 2 ? now->director : NULL, what == 3 ? now->omega : NULL));
    }
    assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, 1))->has_failed, 0);
    must(world, elastica_world_step(world, dt, 1));
    elastica_world_destroy(world);
  }
}

/* The state of the failed rod is set, or the rod is removed; a world without a failure has the same bits. */
TEST(rods_that_did_not_fail_keep_their_step) {
  for (int k = 0; k < WAYS; k++) {
    for (int removes = 0; removes < 2; removes++) {
      troubles first, second = {NO_NUMBER, 0};
      rod_state states[RODS];
      elastica_world *world = make_failed(&first, (failure_way)k, 256, states), *other = make_scene(&second, 1);
      must(other, elastica_world_step(other, dt, 51));
      if (removes)
        must(world, elastica_rod_remove(elastica_world_rod(world, 1)));
      else
        set_state(world, 1, &states[1]);
      assert_message(world, "");
      must(world, elastica_world_step(world, dt, 30));
      must(other, elastica_world_step(other, dt, 30));
      for (int r = 0; r < RODS; r += 2)
        assert_true(hash_rod(hash_start(), elastica_world_rod(world, r)) == hash_rod(hash_start(), elastica_world_rod(other, r)));
      elastica_world_destroy(world);
      elastica_world_destroy(other);
    }
  }
}

/* Several rods fail, in one tile or in several, whether or not the sentence names each. */
TEST(each_rod_that_failed_is_to_be_set) {
  for (size_t tile_size = 1; tile_size <= 256; tile_size *= 256) {
    troubles trouble, same = {GIVEN_UP, 1};
    rod_state states[RODS];
    elastica_world *world = make_failed(&trouble, GIVEN_UP, tile_size, states);
    set_state(world, 1, &states[1]);
    elastica_module module = module_named("trouble of its own");
    module.self = &same;
    module.add_loads = add_loads;
    must(world, elastica_world_add_module(world, elastica_world_rod(world, 2), &module, NULL));
    trouble.on = 1;
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_CALLBACK_FAILED);
    trouble.on = same.on = 0;
    for (int r = 0; r < RODS; r++) assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, r))->has_failed, r > 0);
    set_state(world, 1, &states[1]);
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
    must(world, elastica_rod_remove(elastica_world_rod(world, 2)));
    must(world, elastica_world_step(world, dt, 1));
    elastica_world_destroy(world);
  }
}

TEST(a_refused_state_does_not_end_the_failure) {
  troubles trouble;
  rod_state states[RODS];
  elastica_world *world = make_failed(&trouble, GIVEN_UP, 256, states);
  const double x = states[1].position[component(1, Y)];
  states[1].position[component(1, Y)] = (double)NAN;
  for (int r = 0; r < RODS; r++)
    assert_status(
        world,
        elastica_rod_set_state(elastica_world_rod(world, r), states[r].position, states[r].velocity, states[r].director, states[r].omega),
        r == 1 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK);
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
  states[1].position[component(1, Y)] = x;
  set_all(world, states);
  must(world, elastica_world_step(world, dt, 1));
  elastica_world_destroy(world);
}

/* An effect on a rod, with a hook that continues to fail, and an effect between rods, with a failure of all rods. */
TEST(the_effect_that_failed_may_be_removed) {
  for (int between = 0; between < 2; between++) {
    troubles quiet = {GIVEN_UP, 0}, trouble = {GIVEN_UP, 1};
    rod_state states[RODS];
    elastica_effect *effect = NULL;
    elastica_world *world = make_scene(&quiet, 256);
    elastica_module module = module_named("fault");
    module.self = &trouble;
    if (between)
      module.add_world_loads = give_up;
    else
      module.add_loads = add_loads;
    must(world, elastica_world_add_module(world, between ? NULL : elastica_world_rod(world, 1), &module, &effect));
    for (int r = 0; r < RODS; r++) read_state(elastica_world_rod(world, r), &states[r]);
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_CALLBACK_FAILED);
    must(world, elastica_effect_remove(effect));
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
    for (int r = 0; r < RODS; r++) assert_int_equal(elastica_rod_get_view(elastica_world_rod(world, r))->has_failed, between || r == 1);
    for (int r = 0; r < RODS; r++)
      if (between || r == 1) set_state(world, r, &states[r]);
    must(world, elastica_world_step(world, dt, 10));
    elastica_world_destroy(world);
  }
}

/* The centre lines of the middle of three crossing pairs touch at the start; the other pairs keep their step. */
TEST(a_contact_that_fails_is_of_its_two_rods) {
  enum { PAIRS = 3 };
  static const double depth[PAIRS] = {0.002, 0.0199, -0.01};
  elastica_world *world[2];
  for (int sound = 0; sound < 2; sound++) {
    world[sound] = make_world(NULL);
    for (int k = 0; k < PAIRS; k++)
      for (int r = 0; r < 2; r++) {
        DEFAULTS(rod, def);
        def.element_count = 9, def.length = 0.5, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
        def.direction[2] = 0.0, def.direction[r] = 1.0;
        def.start[0] = r ? k : k - 0.25, def.start[1] = r ? -0.25 : 0.0, def.start[2] = r ? 0.02 - (sound ? 0.002 : depth[k]) : 0.0;
        if (sound && k == 2) def.start[2] = r ? 0.03 : 0.0;
        must(world[sound], elastica_world_add_rod(world[sound], &def, NULL));
      }
    DEFAULTS(contact, contact);
    contact.modulus = 1e5;
    must(world[sound], elastica_add_contact(world[sound], NULL, &contact, NULL));
  }
  must(world[1], elastica_world_step(world[1], 1e-8, 1));
  assert_status(world[0], elastica_world_step(world[0], 1e-8, 1), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world[0]), "rod 2, element 4 and rod 3, element 4 would pass through each other", "contact");
  for (int r = 0; r < 2 * PAIRS; r++) assert_int_equal(elastica_rod_get_view(elastica_world_rod(world[0], r))->has_failed, r / 2 == 1);
  for (int r = 2; r < 4; r++) {
    rod_state of;
    read_state(elastica_world_rod(world[1], r), &of);
    must(world[0], elastica_rod_set_state(elastica_world_rod(world[0], r), of.position, of.velocity, of.director, of.omega));
  }
  for (int k = 0; k < 2; k++) must(world[k], elastica_world_step(world[k], 1e-6, 500));
  for (int r = 0; r < 2 * PAIRS; r++)
    assert_true(hash_rod(hash_start(), elastica_world_rod(world[0], r)) == hash_rod(hash_start(), elastica_world_rod(world[1], r)));
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

/* Only states set after a failure end it. */
TEST(a_second_failure_takes_a_second_state) {
  troubles trouble;
  rod_state states[RODS];
  elastica_world *world = make_failed(&trouble, NO_NUMBER, 256, states);
  for (int k = 0; k < 2; k++) {
    set_state(world, 1, &states[1]);
    must(world, elastica_world_advance(world, 20.0 * dt));
    trouble.on = 1;
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_NOT_FINITE);
    trouble.on = 0;
    assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
  }
  elastica_world_destroy(world);
}
