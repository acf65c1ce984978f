/* The limit check after a change of one rod's effect covers that rod alone: its refusals equal those of a check of the whole world. */
#include "samples.h"
#include "support.h"

enum { RODS = 60, STEPS = 400 };

typedef struct crowd {
  elastica_world *world;
  elastica_effect *fluid[RODS]; /* around each rod, with an explicit drag */
} crowd;

/* Rods of a few elements, some closed, in several tiles; the limits by the drag of the fluids are below the limits of the rods. */
static crowd make_crowd(size_t tile_size) {
  crowd of;
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  of.world = make_world(&def);
  DEFAULTS(drag, fluid);
  fluid.kind = ELASTICA_DRAG_EXPLICIT, fluid.viscosity = 0.0;
  for (int k = 0; k < RODS; k++) {
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    if (k % 7 == 3)
      make_sample_ring(&sample, 6, (uint64_t)k);
    else
      make_sample(&sample, 2 + k % 5, (uint64_t)k, &recipe);
    must(of.world, elastica_add_drag(of.world, add_sample(of.world, &sample), &fluid, &of.fluid[k]));
  }
  return of;
}

static double limit_of_crowd(const crowd *of) {
  elastica_step_limit limit;
  must(of->world, elastica_world_step_limit(of->world, &limit));
  return limit.dt;
}

static elastica_status damp(const crowd *of, int k, double viscosity) {
  DEFAULTS(drag, fluid);
  fluid.kind = ELASTICA_DRAG_EXPLICIT, fluid.viscosity = viscosity;
  return elastica_drag_set(of->fluid[k], &fluid);
}

/* Makes the next limit check cover the whole world. */
static void change_all(const crowd *of) {
  elastica_effect_set_enabled(of->fluid[0], 0);
  elastica_effect_set_enabled(of->fluid[0], 1);
}

/* Each change affects one rod; some changes need a shorter step, and are reverted. */
TEST(one_rod_is_judged_like_the_world) {
  crowd one = make_crowd(32), all = make_crowd(256);
  random_source source = {7};
  const double dt = 0.45 * limit_of_crowd(&one);
  int refused = 0;
  for (int step = 0; step < STEPS; step++) {
    const int k = random_integer(&source, 0, RODS - 1), often = random_integer(&source, 0, 3) == 0;
    const double viscosity = often ? pow(10.0, random_between(&source, -4.0, 6.0)) : 0.0;
    must(one.world, damp(&one, k, viscosity));
    must(all.world, damp(&all, k, viscosity));
    change_all(&all);
    const elastica_status status = elastica_world_step(one.world, dt, 1);
    assert_int_equal(status, elastica_world_step(all.world, dt, 1));
    if (status == ELASTICA_OK) continue;
    assert_int_equal(status, ELASTICA_UNSTABLE_STEP);
    assert_string_equal(elastica_world_message(one.world), elastica_world_message(all.world));
    refused++;
    must(one.world, damp(&one, k, 0.0));
    must(all.world, damp(&all, k, 0.0));
  }
  assert_in_range(refused, STEPS / 50, STEPS / 2);
  assert_true(hash_world(one.world) == hash_world(all.world));
  elastica_world_destroy(one.world);
  elastica_world_destroy(all.world);
}

/* Rods at rest in a row, each in a fluid, connected end to end by joints that limit the step. */
static crowd make_chain(int count) {
  crowd of = {.world = make_world(NULL)};
  DEFAULTS(drag, fluid);
  fluid.kind = ELASTICA_DRAG_EXPLICIT, fluid.viscosity = 0.0;
  for (int k = 0; k < count; k++) {
    double position[15] = {0};
    elastica_rod *rod = add_straight_rod(of.world, 4, 0.4, 0.02, 1000.0, 1e5, 0.4e5);
    for (int i = 0; i <= 4; i++) position[component(i, Z)] = 0.4 * k + 0.1 * i;
    must(of.world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
    must(of.world, elastica_add_drag(of.world, rod, &fluid, &of.fluid[k]));
    if (k == 0) continue;
    DEFAULTS(joint, tie);
    tie.first = (elastica_anchor){.rod = elastica_world_rod(of.world, k - 1), .element = -1, .share = 1.0};
    tie.second = (elastica_anchor){.rod = rod};
    tie.stiffness = 1e6;
    must(of.world, elastica_add_joint(of.world, &tie, NULL));
  }
  return of;
}

/* The stiffness of both joints of a rod counts together with the drag, also after a query, and after the limiting effect was
 * named by asking the effects one by one. */
TEST(effects_between_rods_count) {
  enum { COUNT = 6 };
  crowd one = make_chain(COUNT), all = make_chain(COUNT);
  random_source source = {11};
  elastica_step_limit limit;
  must(one.world, elastica_world_step_limit(one.world, &limit));
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  const double dt = 0.8 * limit.dt;
  int refused = 0;
  for (int step = 0; step < 300; step++) {
    const int k = random_integer(&source, 0, COUNT - 1);
    const double viscosity = pow(10.0, random_between(&source, -1.0, 5.0));
    must(one.world, damp(&one, k, viscosity));
    must(all.world, damp(&all, k, viscosity));
    change_all(&all);
    if (step % 3 == 0) must(one.world, elastica_world_step_limit(one.world, &limit));
    const elastica_status status = elastica_world_step(one.world, dt, 1);
    assert_int_equal(status, elastica_world_step(all.world, dt, 1));
    refused += status == ELASTICA_UNSTABLE_STEP;
    must(one.world, damp(&one, k, 0.0));
    must(all.world, damp(&all, k, 0.0));
  }
  assert_in_range(refused, 30, 270);
  assert_true(hash_world(one.world) == hash_world(all.world));
  elastica_world_destroy(one.world);
  elastica_world_destroy(all.world);
}

/* The bounds of a fluid are kept when another fluid changes. */
TEST(bounds_of_other_fluids_are_kept) {
  crowd of = make_crowd(32);
  double dt = 0.5 * limit_of_crowd(&of);
  must(of.world, elastica_world_step(of.world, dt, 1));
  must(of.world, damp(&of, 5, 1e3)); /* far beyond the step, which is refused from here on */
  assert_int_equal(elastica_world_step(of.world, dt, 1), ELASTICA_UNSTABLE_STEP);
  must(of.world, damp(&of, 9, 0.0));
  assert_int_equal(elastica_world_step(of.world, dt, 1), ELASTICA_UNSTABLE_STEP);
  must(of.world, damp(&of, 5, 0.0));
  must(of.world, elastica_world_step(of.world, dt, 1));
  elastica_world_destroy(of.world);
}

/* A step allowed by the changed rod does not prove that longer steps, allowed before the change, are still allowed. */
TEST(longer_steps_are_judged_again) {
  for (int advances = 0; advances <= 1; advances++) {
    crowd of = make_crowd(32);
    const double free = limit_of_crowd(&of);
    if (advances)
      must(of.world, elastica_world_advance(of.world, 20.0 * free));
    else
      must(of.world, elastica_world_step(of.world, 0.7 * free, 20));
    double viscosity = 1e-9;
    do {
      viscosity *= 2.0;
      must(of.world, damp(&of, 5, viscosity));
    } while (limit_of_crowd(&of) > 0.3 * free);
    must(of.world, elastica_world_step(of.world, 0.01 * free, 1));
    if (advances) {
      const long before = elastica_world_get(of.world).step_count;
      must(of.world, elastica_world_advance(of.world, 20.0 * free));
      assert_true(elastica_world_get(of.world).step_count - before >= 60);
    } else {
      assert_int_equal(elastica_world_step(of.world, 0.5 * free, 1), ELASTICA_UNSTABLE_STEP);
    }
    elastica_world_destroy(of.world);
  }
}

/* The change is pending when the state is saved: a loaded world continues like the saving world. */
TEST(a_pending_change_survives_a_snapshot) {
  crowd stays = make_crowd(32), loads = make_crowd(256);
  const double dt = 0.5 * limit_of_crowd(&stays);
  must(stays.world, elastica_world_step(stays.world, dt, 5));
  must(stays.world, damp(&stays, 3, 1e3));
  const size_t size = size_of_snapshot(stays.world);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  must(stays.world, elastica_world_snapshot_save(stays.world, bytes, size, NULL));
  must(loads.world, elastica_world_snapshot_load(loads.world, bytes, size));
  assert_int_equal(elastica_world_step(stays.world, dt, 1), ELASTICA_UNSTABLE_STEP);
  assert_int_equal(elastica_world_step(loads.world, dt, 1), ELASTICA_UNSTABLE_STEP);
  must(stays.world, damp(&stays, 3, 0.0));
  must(loads.world, damp(&loads, 3, 0.0));
  must(stays.world, elastica_world_step(stays.world, dt, 100));
  must(loads.world, elastica_world_step(loads.world, dt, 100));
  assert_true(hash_world(stays.world) == hash_world(loads.world));
  free(bytes);
  elastica_world_destroy(stays.world);
  elastica_world_destroy(loads.world);
}

/* A module with a bound that calls a function forbidden to hooks; it counts the refusals. */
typedef struct nosy {
  elastica_world *world;
  int asked, refused;
} nosy;

static elastica_status asks_for_a_step(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *out) {
  (void)now, (void)rod, (void)out;
  nosy *own = self;
  own->asked++;
  own->refused += elastica_world_step(own->world, 1e-9, 1) == ELASTICA_WRONG_STATE;
  return ELASTICA_OK;
}

/* Each bound is computed inside a hook, also after the limiting effect was named; the derived lanes of a view remain. */
TEST(looks_are_hooks) {
  crowd of = make_crowd(256);
  nosy own = {of.world, 0, 0};
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "nosy";
  module.self = &own;
  module.add_stiffness = asks_for_a_step;
  for (int k = 0; k < 6; k++) must(of.world, elastica_world_add_module(of.world, elastica_world_rod(of.world, k), &module, NULL));
  const double dt = 0.5 * limit_of_crowd(&of);
  must(of.world, elastica_world_step(of.world, dt, 1));
  for (int k = 0; k < 6; k++) must(of.world, damp(&of, k, k < 5 ? 1e3 : 0.0));
  own.asked = own.refused = 0;
  must(of.world, elastica_rod_refresh(elastica_world_rod(of.world, 5)));
  assert_int_equal(elastica_world_step(of.world, dt, 1), ELASTICA_UNSTABLE_STEP);
  assert_in_range(own.asked, 6, 7); /* one more call to name the effect */
  assert_int_equal(own.refused, own.asked);
  assert_non_null(elastica_rod_get_view(elastica_world_rod(of.world, 5))->strain[0]);
  elastica_world_destroy(of.world);
}
