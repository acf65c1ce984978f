/* Destroying a world: destroy hooks find the world complete, and the calls forbidden to other hooks are refused to them, too. */
#include "base/target.h"

#include "support.h"

typedef struct leaver {
  elastica_world *world;
  elastica_effect *other;
  int calls;
} leaver;

static void leave(void *self) {
  leaver *l = self;
  elastica_world *world = l->world;
  unsigned char bytes[8];
  l->calls++;
  assert_refused(world, elastica_world_snapshot_save(world, bytes, sizeof bytes, NULL), ELASTICA_WRONG_STATE, "snapshot_save", "hook");
  assert_refused(world, elastica_world_step(world, 1e-5, 1), ELASTICA_WRONG_STATE, "step", "hook");
  assert_refused(world, elastica_effect_remove(l->other), ELASTICA_WRONG_STATE, "effect_remove", "hook");
  assert_int_equal(elastica_world_get(world).rod_count, 2);
  int rods = 0, effects = 0;
  for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) {
    rods += elastica_rod_get_view(rod)->element_count == 8;
    assert_refused(world, elastica_rod_remove(rod), ELASTICA_WRONG_STATE, "rod_remove");
  }
  for (elastica_effect *of = next_effect(world, NULL); of; of = next_effect(world, of)) effects++;
  assert_int_equal(rods, 2);
  assert_int_equal(effects, 4);
  elastica_world_destroy(world); /* does nothing */
}

TEST(destroy_hooks_find_the_world_whole) {
  const double g[3] = {0.0, 0.0, -9.81};
  leaver leavers[2] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
  DEFAULTS(obstacle, wall);
  wall.stiffness = 10.0, wall.position[2] = -5.0;
  for (int stepped = 0; stepped < 2; stepped++) {
    elastica_world *world = make_world(NULL);
    elastica_effect *gravity = NULL;
    for (int k = 0; k < 2; k++) {
      elastica_module module = module_named("leaver");
      elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
      if (k == 0) must(world, elastica_add_gravity(world, g, &gravity));
      leavers[k] = (leaver){world, gravity, 0};
      module.self = &leavers[k], module.destroy = leave;
      must(world, elastica_world_add_module(world, k ? rod : NULL, &module, NULL));
    }
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    if (stepped) must(world, elastica_world_step(world, 1e-5, 10));
    elastica_world_destroy(world);
    assert_int_equal(leavers[0].calls, 1);
    assert_int_equal(leavers[1].calls, 1);
  }
}

/* A step hook cannot destroy its world. */
static elastica_status destroy_it(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  elastica_world_destroy(*(elastica_world **)self);
  return ELASTICA_OK;
}

TEST(hooks_cannot_destroy_their_world) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("tired");
  add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  module.self = &world, module.begin_step = destroy_it;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-5, 3));
  assert_int_equal(elastica_world_get(world).step_count, 3);
  elastica_world_destroy(world);
}
