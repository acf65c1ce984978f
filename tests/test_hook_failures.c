/* Claims about hooks that fail: the state after the step does not depend on which rods share a tile, the lowest rod is named, and
 * queries of its neighbours are unaffected.
 */
#include "base/target.h"

#include "measured.h"
#include "rationed_memory.h"

/* ---- Hooks that fail at one step, for one rod ---- */

enum { BEGIN, RESULTANTS, LOADS, REACTIONS, POSITION, VELOCITY, SPIN, OBSERVE, HOOKS };

static const char *const hook_names[HOOKS] = {"begin_step",         "add_resultants",     "add_loads",      "add_reactions",
                                              "constrain_position", "constrain_velocity", "constrain_spin", "observe"};

typedef struct failing {
  int hook, rod;
  long step;
} failing;

static elastica_status answer_at(const void *self, int hook, const elastica_instant *now) {
  const failing *f = self;
  return f->hook == hook && f->rod == now->rod_index && f->step == now->step && now->dt > 0.0 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)rod;
  return answer_at(self, BEGIN, now);
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)rod, (void)to;
  return answer_at(self, RESULTANTS, now);
}

/* Adds one load before it fails; that load remains. */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod;
  loads->force[1][1] += 0.25;
  const elastica_status status = answer_at(self, LOADS, now);
  if (status == ELASTICA_OK) loads->force[1][2] -= 0.25;
  return status;
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod, (void)loads;
  return answer_at(self, REACTIONS, now);
}

static elastica_status constrain_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)rod, (void)state;
  return answer_at(self, POSITION, now);
}

static elastica_status constrain_velocity(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)rod, (void)state;
  return answer_at(self, VELOCITY, now);
}

static elastica_status constrain_spin(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)rod, (void)state;
  return answer_at(self, SPIN, now);
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)rod;
  return answer_at(self, OBSERVE, now);
}

static elastica_effect *add_failing(elastica_world *world, const char *name, int hook, int rod, long step) {
  const failing self = {hook, rod, step};
  elastica_effect *effect = NULL;
  elastica_module module = module_named(name);
  module.self = &self;
  module.self_size = sizeof self;
  module.parallel_safe = 1;
  if (hook == BEGIN) module.begin_step = begin_step;
  if (hook == RESULTANTS) module.add_resultants = add_resultants;
  if (hook == LOADS) module.add_loads = add_loads;
  if (hook == REACTIONS) module.add_reactions = add_reactions;
  if (hook == POSITION) module.constrain_position = constrain_position;
  if (hook == VELOCITY) module.constrain_velocity = constrain_velocity;
  if (hook == SPIN) module.constrain_spin = constrain_spin;
  if (hook == OBSERVE) module.observe = observe;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}

/* ---- Scenes ---- */

typedef struct partition {
  size_t tile_size;
  int workers;
} partition;

static const partition partitions[] = {{256, 1}, {1, 1}, {14, 1}, {1, 3}, {14, 3}};
enum { PARTITIONS = sizeof partitions / sizeof *partitions, RODS = 4 };

/* Falling rods of 6 elements; the third is a ring. */
static elastica_world *make_rods(const partition *how) {
  const double down[3] = {0.3, 0.0, -9.81};
  elastica_world_def def = default_world();
  def.tile_size = how->tile_size;
  def.worker_count = how->workers;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < RODS; r++) {
    if (r != 2) {
      add_straight_rod(world, 6, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
      continue;
    }
    add_usual_ring(world);
  }
  must(world, elastica_add_gravity(world, down, NULL));
  return world;
}

TEST(state_and_sentence_do_not_depend_on_tiles_and_workers) {
  for (int hook = 0; hook < HOOKS; hook++) {
    for (int rod = 0; rod < RODS; rod++) {
      kept_message first = {""};
      char name[16];
      uint64_t hash = 0;
      snprintf(name, sizeof name, "rod %d", rod);
      for (int k = 0; k < PARTITIONS; k++) {
        elastica_world *world = make_rods(&partitions[k]);
        add_failing(world, "failing", hook, rod, 3);
        assert_status(world, elastica_world_step(world, 1e-4, 10), ELASTICA_CALLBACK_FAILED);
        assert_says(elastica_world_message(world), "effect 1 \"failing\"", hook_names[hook], "IO_ERROR", name, "t = 0.0004 s");
        assert_int_equal(elastica_world_get(world).step_count, 4);
        if (k == 0) {
          hash = hash_world(world);
          first = keep_message(world);
        }
        assert_true(hash_world(world) == hash);
        assert_message(world, first.text);
        elastica_world_destroy(world);
      }
    }
  }
}

/* Rods that do not fail take the step as in a world without failures. */
TEST(healthy_rods_finish_the_step) {
  elastica_world *reference = make_rods(&partitions[0]);
  add_failing(reference, "failing", LOADS, -1, 3);
  must(reference, elastica_world_step(reference, 1e-4, 4));
  for (int k = 0; k < PARTITIONS; k++) {
    elastica_world *world = make_rods(&partitions[k]);
    add_failing(world, "failing", LOADS, 1, 3);
    assert_status(world, elastica_world_step(world, 1e-4, 4), ELASTICA_CALLBACK_FAILED);
    for (int r = 0; r < RODS; r++) {
      const int same = hash_rod(hash_start(), elastica_world_rod(world, r)) == hash_rod(hash_start(), elastica_world_rod(reference, r));
      assert_true(same == (r != 1));
    }
    elastica_world_destroy(world);
  }
  elastica_world_destroy(reference);
}

/* The lowest rod comes first, then the order of the step, then that of addition. */
TEST(the_lowest_rod_is_named_then_its_first_hook) {
  for (int k = 0; k < PARTITIONS; k++) {
    elastica_world *world = make_rods(&partitions[k]);
    add_failing(world, "late", OBSERVE, 1, 2);
    add_failing(world, "middle", LOADS, 1, 2);
    add_failing(world, "early", BEGIN, 2, 2);
    assert_status(world, elastica_world_step(world, 1e-4, 10), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "effect 2 \"middle\"", "add_loads", "IO_ERROR", "rod 1", "t = 0.0003 s");
    elastica_world_destroy(world);
  }
}

/* ---- Loads that are nan ---- */

static elastica_status add_poison(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  if (now->step == 2) loads->force[0][*(const int *)self < 0 ? rod->element_count : 0] += (double)NAN;
  return ELASTICA_OK;
}

static void assert_finite(const double *values, int count) {
  for (int i = 0; i < count; i++) assert_true(isfinite(values[i]));
}

TEST(neighbours_of_a_rod_with_nan_stay_finite) {
  for (int end = -1; end <= 0; end++) {
    uint64_t before[RODS] = {0};
    for (int k = 0; k < PARTITIONS; k++) {
      elastica_world *world = make_rods(&partitions[k]);
      elastica_module module = module_named("poison");
      module.self = &end;
      module.self_size = sizeof end;
      module.parallel_safe = 1;
      module.add_loads = add_poison;
      must(world, elastica_world_add_module(world, elastica_world_rod(world, 1), &module, NULL));
      assert_status(world, elastica_world_step(world, 1e-4, 10), ELASTICA_NOT_FINITE);
      for (int r = 0; r < RODS; r++) {
        elastica_rod *rod = elastica_world_rod(world, r);
        const elastica_rod_view *view = elastica_rod_get_view(rod);
        elastica_totals energy;
        if (r == 1) continue;
        if (k == 0) before[r] = hash_rod(hash_start(), rod);
        assert_true(hash_rod(hash_start(), rod) == before[r]);
        must(world, elastica_rod_get_totals(rod, &energy));
        for (int a = 0; a < 3; a++) {
          assert_finite(view->internal_force[a], view->node_count);
          assert_finite(view->internal_couple[a], view->element_count);
        }
      }
      elastica_world_destroy(world);
    }
  }
}

/* ---- Queries ---- */

static elastica_status give_up_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)self, (void)now, (void)rod, (void)to;
  return ELASTICA_IO_ERROR;
}

static elastica_status add_no_number(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *to) {
  (void)self, (void)now, (void)rod;
  to->node[0] = (double)NAN;
  return ELASTICA_OK;
}

/* The step limit is refused for every distribution of rods to tiles; with the effects disabled the world continues. */
TEST(a_step_limit_that_fails_names_the_lowest_rod_and_does_not_stick) {
  for (int k = 0; k < PARTITIONS; k++) {
    elastica_world *world = make_rods(&partitions[k]);
    elastica_module module;
    elastica_effect *stiff, *tired;
    elastica_step_limit limit;
    elastica_module_init(&module, sizeof module);
    module.name = "stiff";
    module.add_stiffness = add_no_number;
    must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, &stiff));
    elastica_module_init(&module, sizeof module);
    module.name = "tired";
    module.add_resultants = give_up_resultants;
    must(world, elastica_world_add_module(world, elastica_world_rod(world, 1), &module, &tired));
    assert_refused(world, elastica_world_step_limit(world, &limit), ELASTICA_CALLBACK_FAILED, "effect 1 \"stiff\"", "add_stiffness", "nan",
                   "element 0", "rod 0");
    must(world, elastica_effect_set_enabled(stiff, 0));
    assert_refused(world, elastica_world_step(world, 1e-4, 1), ELASTICA_CALLBACK_FAILED, "effect 2 \"tired\"", "add_resultants", "IO_ERROR",
                   "rod 1", "t = 0 s");
    must(world, elastica_effect_set_enabled(tired, 0));
    must(world, elastica_world_step(world, 1e-4, 1));
    elastica_world_destroy(world);
  }
}

TEST(a_healthy_rod_answers_beside_a_rod_with_a_failing_hook) {
  for (int k = 0; k < PARTITIONS; k++) {
    elastica_world *world = make_rods(&partitions[k]);
    elastica_totals energy;
    elastica_module module = module_named("tired");
    module.add_resultants = give_up_resultants;
    must(world, elastica_world_add_module(world, elastica_world_rod(world, 1), &module, NULL));
    must(world, elastica_rod_get_totals(elastica_world_rod(world, 0), &energy));
    must(world, elastica_rod_refresh(elastica_world_rod(world, 2)));
    assert_refused(world, elastica_rod_refresh(elastica_world_rod(world, 1)), ELASTICA_CALLBACK_FAILED, "effect 1 \"tired\"",
                   "add_resultants", "IO_ERROR", "rod 1");
    const kept_message first = keep_message(world);
    assert_status(world, elastica_world_get_totals(world, &energy), ELASTICA_CALLBACK_FAILED);
    assert_message(world, first.text);
    elastica_world_destroy(world);
  }
}

/* ---- Memory ---- */

static void make_helix(double *position, int nodes) {
  for (int i = 0; i < nodes; i++) {
    const double angle = i * (2.0 * 3.14159265358979324 / 40.0);
    set_vector(position, i, cos(angle), sin(angle), 0.002 * i);
  }
}

/* A coil with a list of near pairs longer than the capacity reserved at creation. */
TEST(a_step_limit_without_memory_is_refused) {
  enum { ELEMENTS = 400 };
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  double position[3 * (ELEMENTS + 1)];
  elastica_rod *rod = NULL;
  elastica_effect *effect = NULL;
  elastica_totals totals;
  elastica_step_limit limit;
  make_helix(position, ELEMENTS + 1);
  DEFAULTS(rod, def);
  def.element_count = ELEMENTS;
  def.position = position;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  DEFAULTS(contact, contact);
  contact.modulus = 1.0;
  contact.skin = 0.2;
  must(world, elastica_add_contact(world, rod, &contact, &effect));
  must(world, elastica_rod_refresh(rod)); /* prepares the world */
  ration.left = 0;
  assert_refused(world, elastica_world_step_limit(world, &limit), ELASTICA_OUT_OF_MEMORY, "effect 0 \"contact\"", "OUT_OF_MEMORY",
                 "t = 0 s");
  assert_status(world, elastica_world_step(world, 1e-6, 1), ELASTICA_OUT_OF_MEMORY);
  assert_status(world, elastica_world_advance(world, 1e-6), ELASTICA_OUT_OF_MEMORY);
  assert_refused(world, elastica_world_get_totals(world, &totals), ELASTICA_OUT_OF_MEMORY, "effect 0 \"contact\"", "energy", "rod 0", "nan",
                 "no memory");
  assert_true(isnan(elastica_effect_energy(effect)));
  assert_int_equal(elastica_world_get(world).step_count, 0);
  ration.left = LONG_MAX;
  must(world, elastica_world_step_limit(world, &limit));
  must(world, elastica_world_get_totals(world, &totals));
  must(world, elastica_world_step(world, 0.5 * limit.dt, 10));
  elastica_world_destroy(world);
  assert_int_equal(ration.blocks, 0);
}
