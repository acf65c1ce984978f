/* Claims about effects between rods: action and reaction, a common instant of all rods, and independence of all other effects.
 *
 * equation   a spring k_i = k m_i between nodes i of two equal rods moves them like two point masses: omega^2 = 2 k, and by Verlet
 *            sin(omega_d dt/2) = omega dt/2
 */
#include "base/target.h"

#include "springs.h"

/* ---- Motion ---- */

TEST(two_rods_on_springs_swing_as_the_discrete_formula_says) {
  const double dt = 1e-4, v = 0.1, omega = sqrt(2.0 * usual.rate), discrete = 2.0 / dt * asin(0.5 * omega * dt);
  elastica_world *world = make_world(NULL);
  const elastica_rod *one = add_standing_rod(world, 0.0, v), *other = add_standing_rod(world, 0.5, -v);
  add_springs(world, &usual);
  for (int k = 1; k <= 20; k++) {
    must(world, elastica_world_step(world, dt, 250));
    const double gap = elastica_rod_get_view(other)->position[0][5] - elastica_rod_get_view(one)->position[0][5] - 0.5;
    /* the drift begins with the velocity at t = 0: x = -(2 v/omega_d') sin, with the amplitude of Verlet's closed orbit */
    const double amplitude = 2.0 * v * dt / sin(discrete * dt) * (1.0 - 0.25 * omega * omega * dt * dt);
    assert_close(gap, -amplitude * sin(discrete * dt * 250.0 * k), 1e-11);
  }
  elastica_world_destroy(world);
}

/* Linear momentum is conserved in any motion; angular momentum if the rods have no step error: here they only translate. */
TEST(momentum_of_the_pair_stays) {
  springs s = usual;
  elastica_totals before, after;
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  for (int a = 0; a < 3; a++) s.rest[a] = 0.0;
  recipe.bend = 0.5;
  recipe.spin = 5.0;
  for (int translating = 0; translating < 2; translating++) {
    elastica_world *world = make_world(NULL);
    for (uint64_t k = 1; k <= 2 && !translating; k++) {
      make_sample(&sample, 12, k, &recipe);
      add_sample(world, &sample);
    }
    if (translating) add_standing_rod(world, 0.3, 0.2);
    if (translating) add_standing_rod(world, -0.3, 0.1);
    add_springs(world, &s);
    must(world, elastica_world_get_totals(world, &before));
    must(world, elastica_world_advance(world, 0.1));
    must(world, elastica_world_get_totals(world, &after));
    for (int a = 0; a < 3; a++) {
      assert_close(after.linear[a], before.linear[a], 1e-12 * before.mass);
      if (translating) assert_close(after.angular[a], before.angular[a], 1e-12 * before.mass);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Other effects keep their bits ---- */

static elastica_status look_on(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)loads;
  return now->rod_index == -1 ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED;
}

static void add_onlooker(elastica_world *world) {
  elastica_module module = module_named("onlooker");
  module.add_world_loads = look_on;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

static uint64_t run_scene(const scene *of, int watched, size_t tile_size, int workers) {
  elastica_world_def def = of->by_default ? default_world() : papers_world();
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  of->fill(world);
  if (watched) add_onlooker(world);
  must(world, elastica_world_step(world, of->dt, of->steps));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(an_empty_pair_phase_changes_nothing) {
  for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
    assert_int_equal(run_scene(&scenes[k], 1, 256, 1), scenes[k].hash);
    assert_int_equal(run_scene(&scenes[k], 1, 16, 3), scenes[k].hash);
  }
}

static uint64_t run_mixed(size_t tile_size, int workers, int cut) {
  elastica_world *world = make_mixed_world(tile_size, workers);
  add_springs(world, &usual);
  for (int k = 0; k < (cut ? 300 : 1); k++) must(world, elastica_world_step(world, 1e-4, cut ? 1 : 300));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_do_not_depend_on_tiles_threads_and_calls) {
  const uint64_t hash = run_mixed(256, 1, 0);
  assert_int_equal(run_mixed(16, 1, 0), hash);
  assert_int_equal(run_mixed(16, 3, 0), hash);
  assert_int_equal(run_mixed(256, 1, 1), hash);
}

TEST(a_rod_beside_keeps_its_bits) {
  uint64_t hash[2];
  for (int with = 0; with < 2; with++) {
    elastica_world *world = make_mixed_world(256, 1);
    if (with) add_springs(world, &usual);
    must(world, elastica_world_step(world, 1e-4, 300));
    hash[with] = hash_rod(hash_start(), elastica_world_rod(world, 2));
    elastica_world_destroy(world);
  }
  assert_int_equal(hash[0], hash[1]);
}

/* ---- Enabling, missing numbers, snapshots ---- */

TEST(springs_that_are_switched_off_do_nothing) {
  uint64_t hash[2];
  for (int with = 0; with < 2; with++) {
    elastica_world *world = make_mixed_world(256, 1);
    elastica_effect *effect = with ? add_springs(world, &usual) : NULL;
    if (with) must(world, elastica_effect_set_enabled(effect, 0));
    must(world, elastica_world_step(world, 1e-4, 50));
    if (with) must(world, elastica_effect_set_enabled(effect, 1));
    if (with) must(world, elastica_effect_remove(effect));
    must(world, elastica_world_step(world, 1e-4, 50));
    hash[with] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_int_equal(hash[0], hash[1]);
}

TEST(a_removed_rod_reads_null) {
  springs s = usual;
  s.first = 1, s.second = 2;
  elastica_world *world = make_world(NULL);
  elastica_rod *gone = add_standing_rod(world, -1.0, 0.0);
  add_standing_rod(world, 0.0, 0.1);
  add_standing_rod(world, 0.5, -0.1);
  elastica_effect *effect = add_springs(world, &s);
  must(world, elastica_world_step(world, 1e-4, 10));
  must(world, elastica_rod_remove(gone));
  must(world, elastica_world_step(world, 1e-4, 10));
  add_standing_rod(world, 3.0, 0.0);
  must(world, elastica_world_step(world, 1e-4, 10));
  assert_int_equal(((const springs *)elastica_effect_get(effect).self)->calls, 30);
  elastica_world_destroy(world);
}

TEST(a_snapshot_has_their_history) {
  unsigned char bytes[65536];
  elastica_world *world = make_mixed_world(256, 1);
  elastica_effect *effect = add_springs(world, &usual);
  must(world, elastica_world_step(world, 1e-4, 100));
  const size_t size = size_of_snapshot(world);
  assert_true(size > 0 && size <= sizeof bytes);
  must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
  must(world, elastica_world_step(world, 1e-4, 100));
  const uint64_t hash = hash_world(world);
  must(world, elastica_world_snapshot_load(world, bytes, size));
  assert_int_equal(((const springs *)elastica_effect_get(effect).self)->calls, 100);
  must(world, elastica_world_step(world, 1e-4, 100));
  assert_int_equal(hash_world(world), hash);
  elastica_world_destroy(world);
}
