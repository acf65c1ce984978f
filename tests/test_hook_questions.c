/* Claims about queries from hooks: allowed for the rod of the call, refused for the world and its effects, because other rods may be at
 * another stage of the step and on another thread. Also run under the thread sanitizer.
 */
#include "base/target.h"

#include "measured.h"

#include <stdatomic.h>

enum { RODS = 3, QUESTIONS = 9, HOOK_KINDS = 3 };

typedef struct curious {
  elastica_world *world;
  elastica_effect *contact, *wall, *drag;
  atomic_int refusals, calls;
} curious;

/* Calls that read more than the rod of the hook, or change something. */
static void ask(curious *c, const elastica_rod_view *rod) {
  elastica_totals totals;
  elastica_step_limit limit;
  int count;
  double force[3];
  elastica_rod *own = elastica_world_rod(c->world, rod->rod_index);
  int refusals = 0;
  refusals += elastica_world_get_totals(c->world, &totals) == ELASTICA_WRONG_STATE;
  refusals += elastica_rod_get_totals(own, &totals) == ELASTICA_WRONG_STATE;
  refusals += elastica_world_step_limit(c->world, &limit) == ELASTICA_WRONG_STATE;
  refusals += isnan(elastica_effect_energy(c->contact));
  refusals += isnan(elastica_effect_power(c->drag));
  refusals += elastica_contact_get(c->contact, NULL, 0, &count) == ELASTICA_WRONG_STATE;
  refusals += elastica_obstacle_get_force(c->wall, force, NULL) == ELASTICA_WRONG_STATE;
  refusals += elastica_rod_refresh(own) == ELASTICA_WRONG_STATE;
  refusals += elastica_rod_set_state(own, NULL, NULL, NULL, NULL) == ELASTICA_WRONG_STATE;
  atomic_fetch_add(&c->refusals, refusals);
  atomic_fetch_add(&c->calls, 1);
}

/* Adds the momentum of the rod to its loads, so that the hash depends on it, and on tiles or workers if these matter. */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  curious *c = self;
  double momentum = 0.0;
  (void)now;
  ask(c, rod);
  for (int i = 0; i < rod->node_count; i++) momentum += rod->mass[i] * rod->velocity[2][i];
  for (int i = 0; i < rod->node_count; i++) loads->force[2][i] -= 0.1 * momentum;
  return ELASTICA_OK;
}

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now;
  ask(self, rod);
  return ELASTICA_OK;
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now;
  ask(self, rod);
  return ELASTICA_OK;
}

static elastica_world *make_scene(size_t tile_size, int workers, curious *c) {
  const double down[3] = {0.0, 0.0, -9.81};
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < RODS; r++) add_straight_rod(world, 6, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
  must(world, elastica_add_gravity(world, down, NULL));
  memset(c, 0, sizeof *c);
  c->world = world;
  DEFAULTS(contact, contact);
  contact.modulus = 10.0;
  must(world, elastica_add_contact(world, elastica_world_rod(world, 0), &contact, &c->contact));
  DEFAULTS(obstacle, wall);
  wall.stiffness = 10.0;
  wall.position[2] = -1.0;
  must(world, elastica_add_obstacle(world, NULL, &wall, &c->wall));
  DEFAULTS(drag, drag);
  drag.viscosity = 0.1;
  must(world, elastica_add_drag(world, elastica_world_rod(world, 1), &drag, &c->drag));
  elastica_module module = module_named("curious");
  module.self = c;
  module.parallel_safe = 1;
  module.begin_step = begin_step;
  module.add_loads = add_loads;
  module.observe = observe;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  return world;
}

TEST(hooks_may_query_no_more_than_their_rod) {
  uint64_t hash = 0;
  for (int workers = 1; workers <= 3; workers += 2) {
    for (size_t tile_size = 1; tile_size <= 256; tile_size *= 256) {
      curious c;
      elastica_world *world = make_scene(tile_size, workers, &c);
      must(world, elastica_world_step(world, 1e-5, 20));
      assert_int_equal(atomic_load(&c.calls), 20 * RODS * HOOK_KINDS);
      assert_int_equal(atomic_load(&c.refusals), 20 * RODS * HOOK_KINDS * QUESTIONS);
      assert_message(world, ""); /* several threads would write it at the same time */
      if (hash == 0) hash = hash_world(world);
      assert_true(hash_world(world) == hash);
      elastica_world_destroy(world);
    }
  }
}

TEST(the_same_queries_work_between_steps) {
  curious c;
  int count;
  elastica_totals momentum;
  double force[3];
  elastica_world *world = make_scene(256, 1, &c);
  must(world, elastica_world_step(world, 1e-5, 1));
  must(world, elastica_world_get_totals(world, &momentum));
  must(world, elastica_contact_get(c.contact, NULL, 0, &count));
  must(world, elastica_obstacle_get_force(c.wall, force, NULL));
  assert_true(isfinite(elastica_effect_energy(c.contact)) && isfinite(elastica_effect_power(c.drag)));
  elastica_world_destroy(world);
}
