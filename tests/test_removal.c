/* Removal of rods and effects: the remaining parts of them, and the unchanged parts of the world. */
#include "base/target.h"

#include "changing.h"
#include "threads.h"

/* ---- Bits of the remaining rods ---- */

enum { MOST_RODS = 60, CHANGES = 120 };
static const double dt = 0x1p-14;

/* A rod of a random sequence: the changes at which it is added and removed. */
typedef struct stay {
  int from, until;
} stay;

/* Adds and removes rods at random, with steps in between. With survivors 1, only rods that remain to the end are added. */
static void plan_stays(stay *stays, uint64_t seed) {
  random_source source = {seed};
  for (int r = 0; r < MOST_RODS; r++) {
    stays[r].from = r * CHANGES / MOST_RODS;
    stays[r].until = stays[r].from + random_integer(&source, 1, CHANGES);
  }
}

static uint64_t run_stays(const elastica_world_def *def, uint64_t seed, int survivors) {
  elastica_world *world = make_world(def);
  elastica_rod *rods[MOST_RODS] = {NULL};
  stay stays[MOST_RODS];
  plan_stays(stays, seed);
  share_all_work(world);
  add_common_effects(world);
  for (int change = 0; change < CHANGES; change++) {
    for (int r = 0; r < MOST_RODS; r++) {
      const int survives = stays[r].until >= CHANGES;
      if (stays[r].until == change && rods[r]) must(world, elastica_rod_remove(rods[r]));
      if (stays[r].from != change || (survivors && !survives)) continue;
      rods[r] = add_numbered_rod(world, (int)seed + r);
      add_own_effects(world, rods[r], r);
    }
    must(world, elastica_world_step(world, dt, change % 3));
  }
  const uint64_t hash = hash_rods(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(the_others_go_on_as_if_it_had_never_been_there) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    elastica_world_def def = default_world();
    const uint64_t expected = run_stays(&def, seed, 1);
    static const size_t tile_sizes[] = {1, 60, 256, 4096};
    for (int k = 0; k < 4; k++) {
      def.tile_size = tile_sizes[k];
      def.worker_count = 1 + k % 3;
      if (run_stays(&def, seed, 0) != expected) fail_msg("seed %d, tile size %zu: other bits", (int)seed, tile_sizes[k]);
    }
  }
}

/* ---- Numbers and holes ---- */

TEST(a_removed_rod_leaves_a_hole) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rods[4];
  for (int r = 0; r < 3; r++) rods[r] = add_numbered_rod(world, r);
  must(world, elastica_rod_remove(rods[1]));
  assert_int_equal(elastica_world_get(world).rod_count, 3);
  assert_null(elastica_world_rod(world, 1));
  assert_ptr_equal(elastica_world_rod(world, 2), rods[2]);
  assert_int_equal(elastica_rod_get_view(rods[2])->rod_index, 2);
  rods[3] = add_numbered_rod(world, 3);
  assert_int_equal(elastica_rod_get_view(rods[3])->rod_index, 3);
  assert_int_equal(elastica_world_get(world).rod_count, 4);
  assert_null(elastica_world_rod(world, 1));
  assert_ptr_equal(elastica_world_rod(world, 0), rods[0]);
  assert_ptr_equal(elastica_world_rod(world, 3), rods[3]);
  assert_null(elastica_world_rod(world, 4));
  elastica_world_destroy(world);
}

TEST(a_removed_effect_leaves_a_hole) {
  elastica_world *world = make_world(NULL);
  elastica_effect *effects[4] = {NULL};
  const double gravity[3] = {0.0, 0.0, -9.81};
  for (int k = 0; k < 3; k++) must(world, elastica_add_gravity(world, gravity, &effects[k]));
  must(world, elastica_effect_remove(effects[0]));
  must(world, elastica_add_gravity(world, gravity, &effects[3]));
  assert_int_equal(elastica_world_get(world).effect_count, 4);
  assert_null(elastica_world_effect(world, 0));
  assert_int_equal(elastica_effect_get(effects[3]).index, 3);
  assert_ptr_equal(elastica_world_effect(world, 1), effects[1]);
  assert_ptr_equal(elastica_world_effect(world, 3), effects[3]);
  assert_null(elastica_world_effect(world, 4));
  elastica_world_destroy(world);
}

/* ---- Handles ---- */

TEST(a_removed_rod_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_numbered_rod(world, 0), *other = add_numbered_rod(world, 1);
  elastica_totals totals;
  DEFAULTS(point_load, load);
  DEFAULTS(dissipation, dissipation);
  const elastica_module module = module_named("nothing");
  must(world, elastica_rod_remove(rod));
  const elastica_status refused = ELASTICA_INVALID_ARGUMENT;
  assert_refused(world, elastica_rod_remove(rod), refused, "rod_remove", "rod 0", "removed");
  assert_refused(world, elastica_rod_refresh(rod), refused, "refresh", "rod 0", "removed");
  assert_refused(world, elastica_rod_set_state(rod, NULL, NULL, NULL, NULL), refused, "set_state", "rod 0", "removed");
  assert_refused(world, elastica_rod_set_rest(rod, NULL, NULL), refused, "set_rest", "rod 0", "removed");
  assert_refused(world, elastica_rod_get_totals(rod, &totals), refused, "rod_get_totals", "rod 0", "removed");
  assert_refused(world, elastica_world_add_module(world, rod, &module, NULL), refused, "add_module", "rod 0", "removed");
  assert_refused(world, elastica_add_point_load(world, rod, &load, NULL), refused, "add_point_load", "rod 0", "removed");
  assert_refused(world, elastica_add_dissipation(world, rod, &dissipation, NULL), refused, "add_dissipation", "rod 0", "removed");
  assert_null(elastica_rod_get_view(rod));
  assert_says(elastica_world_message(world), "rod_get_view", "rod 0", "removed");
  must(world, elastica_rod_refresh(other));
  elastica_world_destroy(world);
}

TEST(a_removed_effect_is_refused) {
  elastica_world *world = make_world(NULL);
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_effect *effect = NULL;
  double force[3];
  int count;
  elastica_module module = module_named("gravity");
  must(world, elastica_add_gravity(world, gravity, &effect));
  must(world, elastica_effect_remove(effect));
  const elastica_status refused = ELASTICA_INVALID_ARGUMENT;
  assert_refused(world, elastica_effect_remove(effect), refused, "effect_remove", "effect 0", "removed");
  assert_refused(world, elastica_gravity_set(effect, gravity), refused, "gravity_set", "effect 0", "removed");
  assert_refused(world, elastica_effect_set_module(effect, &module), refused, "set_module", "effect 0", "removed");
  assert_refused(world, elastica_effect_set_enabled(effect, 0), refused, "effect_set_enabled", "effect 0", "removed");
  assert_refused(world, elastica_obstacle_get_force(effect, force, NULL), refused, "obstacle_get_force", "effect 0", "removed");
  DEFAULTS(obstacle, solid);
  assert_refused(world, elastica_obstacle_set(effect, &solid), refused, "obstacle_set", "effect 0", "removed");
  assert_refused(world, elastica_contact_get(effect, NULL, 0, &count), refused, "contact_get", "effect 0", "removed");
  assert_int_equal(elastica_effect_get(effect).is_enabled, 0);
  assert_null(elastica_effect_get(effect).self);
  assert_string_equal(elastica_effect_get(effect).name, "");
  assert_null(elastica_effect_get(effect).world);
  assert_null(elastica_effect_get(effect).rod);
  assert_int_equal(elastica_effect_get(effect).index, -1);
  assert_true(isnan(elastica_effect_energy(effect)));
  assert_says(elastica_world_message(world), "energy", "effect 0", "removed");
  assert_true(isnan(elastica_effect_power(effect)));
  assert_says(elastica_world_message(world), "power", "effect 0", "removed");
  elastica_world_destroy(world);
}

TEST(nothing_is_not_removed) {
  assert_int_equal(elastica_rod_remove(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_effect_remove(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_null(elastica_world_rod(NULL, 0));
  assert_null(elastica_world_effect(NULL, 0));
  assert_int_equal(elastica_effect_get(NULL).index, -1);
}

/* ---- Effects of a removed rod ---- */

static void count_destruction(void *self) {
  ++**(int **)self;
}

static void add_counted(elastica_world *world, elastica_rod *rod, int *count, elastica_effect **out) {
  elastica_module module = module_named("counted");
  module.self = &count;
  module.self_size = sizeof count;
  module.destroy = count_destruction;
  must(world, elastica_world_add_module(world, rod, &module, out));
}

TEST(its_effects_go_with_it) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rods[2] = {add_numbered_rod(world, 0), add_numbered_rod(world, 1)};
  int destroyed[4] = {0, 0, 0, 0};
  elastica_effect *effects[4];
  add_counted(world, rods[0], &destroyed[0], &effects[0]);
  add_counted(world, NULL, &destroyed[1], &effects[1]);
  add_counted(world, rods[1], &destroyed[2], &effects[2]);
  add_counted(world, rods[0], &destroyed[3], &effects[3]);
  must(world, elastica_rod_remove(rods[0]));
  assert_int_equal(destroyed[0] + destroyed[3], 2);
  assert_int_equal(destroyed[1] + destroyed[2], 0);
  assert_refused(world, elastica_effect_remove(effects[3]), ELASTICA_INVALID_ARGUMENT, "effect 3", "removed");
  assert_ptr_equal(next_effect(world, NULL), effects[1]);
  must(world, elastica_effect_remove(effects[2]));
  assert_int_equal(destroyed[2], 1);
  elastica_world_destroy(world);
  for (int k = 0; k < 4; k++) assert_int_equal(destroyed[k], 1);
}

/* An effect on all rods remains after all rods have been removed, can be set, and acts on the next rod. */
TEST(effects_on_all_rods_wait_for_the_next) {
  const double none[3] = {0.0, 0.0, 0.0}, gravity[3] = {0.0, 0.0, -8.0};
  elastica_world *world = make_world(NULL);
  elastica_effect *effect = NULL;
  must(world, elastica_add_gravity(world, none, &effect));
  elastica_rod *rod = add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_step(world, dt, 1));
  must(world, elastica_rod_remove(rod));
  must(world, elastica_world_step(world, dt, 3));
  must(world, elastica_gravity_set(effect, gravity));
  assert_close(elastica_effect_energy(effect), 0.0, 0.0);
  rod = add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_step(world, dt, 1));
  for (int i = 0; i < 6; i++) assert_close(elastica_rod_get_view(rod)->velocity[2][i], -8.0 * dt, 1e-15);
  elastica_world_destroy(world);
}

/* The mass added by an effect is removed with the effect. */
TEST(a_removed_effect_acts_no_more) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_numbered_rod(world, 0);
  DEFAULTS(node_mass, def);
  def.mass = 2.0;
  elastica_effect *effect;
  elastica_totals before, with, after;
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_add_node_mass(world, rod, &def, &effect));
  must(world, elastica_world_get_totals(world, &with));
  must(world, elastica_effect_remove(effect));
  must(world, elastica_world_get_totals(world, &after));
  assert_close(with.mass, before.mass + 2.0, 1e-12);
  assert_memory_equal(&after, &before, sizeof before);
  elastica_world_destroy(world);
}

/* ---- Sentences ---- */

static elastica_status refuse_masses(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod, (void)preparation;
  return ELASTICA_INVALID_ARGUMENT;
}

static elastica_status refuse_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod, (void)loads;
  return ELASTICA_INVALID_ARGUMENT;
}

static elastica_status refuse_velocities(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod, (void)state;
  return ELASTICA_INVALID_ARGUMENT;
}

/* Rod 3 has the place of the removed rod 0, before the others in memory. Every rod is refused; the sentence names the lowest. */
static void claim_lowest_named(size_t tile_size, int hook) {
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  elastica_world *world = make_world(&def);
  elastica_rod *rods[3];
  elastica_totals energy;
  for (int r = 0; r < 3; r++) rods[r] = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_rod_remove(rods[0]));
  add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("refuses");
  if (hook == 0) module.prepare = refuse_masses;
  if (hook == 1) module.add_loads = refuse_loads;
  if (hook == 2) module.constrain_velocity = refuse_velocities;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  const elastica_status status = hook == 1 ? elastica_world_evaluate(world, 0.0) : elastica_world_get_totals(world, &energy);
  assert_status(world, status, ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "refuses", "rod 1");
  elastica_world_destroy(world);
}

TEST(the_lowest_rod_is_named_wherever_it_lies) {
  for (int hook = 0; hook < 3; hook++)
    for (size_t tile_size = 1; tile_size < 1000; tile_size += 300) claim_lowest_named(tile_size, hook);
}
