/* An open budget changes no bit of a run, and its own bits do not depend on tiles and workers. */
#include "base/target.h"

#include "budgets.h"
#include "conformance_table.h"
#include "scenes.h"

TEST(stored_scenes_have_the_same_bits) {
  for (int k = 0; k < SCENE_COUNT; k++) {
    elastica_world *world = make_world_of_scene(&scenes[k]);
    elastica_budget *budget = open_budget(world);
    must(world, elastica_world_step(world, scenes[k].dt, scenes[k].steps / 2));
    must(world, elastica_world_step(world, scenes[k].dt, scenes[k].steps - scenes[k].steps / 2));
    if (hash_world(world) != scenes[k].hash) fail_msg("%s: the budget changes bits", scenes[k].name);
    elastica_budget_close(budget);
    elastica_world_destroy(world);
  }
}

static uint64_t run_row(const effect_row *row, int closed, int law, int explicit_couples, int with_budget) {
  elastica_world_def def = law ? default_world() : papers_world();
  def.explicit_couples = explicit_couples;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_row_rod(row, world, closed, 4);
  add_effect_of(row, world, rod, 1.0);
  elastica_budget *budget = with_budget ? open_budget(world) : NULL;
  must(world, elastica_world_step(world, 0x1p-14, 20));
  must(world, elastica_world_advance(world, 0.002));
  elastica_budget_close(budget);
  must(world, elastica_world_step(world, 0x1p-14, 20));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(every_effect_has_the_same_bits) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int way = 0; way < 8; way++) {
      const effect_row *row = &effect_rows[k];
      const int closed = way & 1, law = (way & 2) != 0, explicit_couples = (way & 4) != 0;
      if (!takes(row, closed)) continue;
      if (run_row(row, closed, law, explicit_couples, 0) != run_row(row, closed, law, explicit_couples, 1))
        fail_msg("%s, way %d: the budget changes bits", label_of(row, closed), way);
    }
}

/* Rods of all sizes with effects on all rods and on single rods, one of them a user module that is not parallel_safe. With removal some
 * rods are removed, and others take their places in the tiles. */
static void run_swarm(size_t tile_size, int workers, int removal, elastica_budget_sum *sum, elastica_budget_share share[4]) {
  const double gravity[3] = {0.5, -9.81, 0.25};
  elastica_world_def def = default_world();
  const sample_recipe recipe = usual_recipe();
  sample_rod sample;
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < 30; r++) {
    if (r % 7 == 3)
      make_sample_ring(&sample, 5 + r % 4, (uint64_t)r);
    else
      make_sample(&sample, 1 + r % 9, (uint64_t)r, &recipe);
    add_sample(world, &sample);
  }
  for (int r = 1; r < 30 && removal; r += 2) must(world, elastica_rod_remove(elastica_world_rod(world, r)));
  for (int r = 0; r < 9 && removal; r++) {
    make_sample(&sample, 9 - r, 100 + (uint64_t)r, &recipe);
    add_sample(world, &sample);
  }
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 0.3, dissipation.rotation = 1e-4;
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  must(world, elastica_add_dissipation(world, elastica_world_rod(world, 4), &dissipation, NULL));
  add_effect_of(&effect_rows[10], world, elastica_world_rod(world, 8), 1.0);
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 0x1p-14, 50));
  must(world, elastica_budget_get(budget, sum));
  for (int k = 0; k < 4; k++) must(world, elastica_budget_get_effect(budget, k, &share[k]));
  elastica_world_destroy(world); /* closes the budget, too */
}

TEST(its_own_bits_do_not_depend_on_tiles_and_workers) {
  static const struct {
    size_t tile_size;
    int workers;
  } ways[] = {{1, 1}, {17, 3}, {100000, 2}};
  for (int removal = 0; removal < 2; removal++) {
    elastica_budget_sum sum, other;
    elastica_budget_share share[4], other_share[4];
    memset(&sum, 0, sizeof sum), memset(&other, 0, sizeof other);
    run_swarm(256, 1, removal, &sum, share);
    for (int k = 0; k < 3; k++) {
      run_swarm(ways[k].tile_size, ways[k].workers, removal, &other, other_share);
      for (int e = 0; e < 4; e++) assert_memory_equal(&share[e], &other_share[e], sizeof share[e]);
      assert_true(sum.work == other.work && sum.residual == other.residual && sum.kinetic_change == other.kinetic_change);
    }
  }
}
