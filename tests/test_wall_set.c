/* Walls as effects: many rods, enabling, setting, the step limit, refusals, lack of memory. */
#include "base/target.h"

#include "on_a_wall.h"
#include "threads.h"

#include <math.h>

/* ---- Many rods, enabling, setting ---- */

/* One wall for all rods, also those added later, has the bits of one wall for each, on any number of threads; its force is the sum of
 * theirs. */
TEST(one_wall_may_carry_all_rods) {
  uint64_t hash[3];
  for (int way = 0; way < 3; way++) {
    elastica_world_def world_def = default_world();
    world_def.worker_count = way == 2 ? 2 : 1;
    world_def.tile_size = 16;
    elastica_world *world = make_world(&world_def);
    share_all_work(world);
    const elastica_obstacle_def def = rough_floor_def();
    elastica_effect *wall = NULL;
    double sum[3] = {0.0, 0.0, 0.0};
    add_weight(world);
    elastica_rod *rods[5];
    for (int r = 0; r < 5; r++) {
      if (way > 0 && r == 2) wall = add_floor(world, NULL, &def);
      rods[r] = lay_rod(world, 3 + 4 * r, -1e-3 * r);
    }
    elastica_effect *walls[5] = {NULL};
    for (int r = 0; way == 0 && r < 5; r++) walls[r] = add_floor(world, rods[r], &def);
    must(world, elastica_world_step(world, 1e-5, 500));
    hash[way] = hash_world(world);
    for (int r = 0; r < 5; r++) {
      double force[3];
      must(world, elastica_obstacle_get_force(way ? wall : walls[r], force, NULL));
      if (way == 0 || r == 0)
        for (int a = 0; a < 3; a++) sum[a] += force[a];
    }
    assert_between(-sum[2], 5.0 * 9.81, 5.0 * 9.81 + 30.0);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
  assert_true(hash[0] == hash[2]);
}

/* The length of a normal does not matter, even if its square overflows or vanishes. */
TEST(normal_may_have_any_length) {
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_rod(world, 4, 0.0);
    elastica_obstacle_def def = floor_def();
    def.normal[2] = k == 0 ? 1e-300 : k == 1 ? 3.0 : 1e300;
    add_weight(world);
    add_floor(world, rod, &def);
    must(world, elastica_world_step(world, 1e-5, 100));
    assert_close(elastica_rod_get_view(rod)->position[2][2], 0.025, 1e-15);
    elastica_world_destroy(world);
  }
}

TEST(wall_can_be_switched_off_and_changed) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 4, 0.0);
  elastica_obstacle_def def = floor_def();
  double force[3];
  add_weight(world);
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step(world, 1e-5, 100));
  must(world, elastica_effect_set_enabled(wall, 0));
  must(world, elastica_obstacle_get_force(wall, force, NULL));
  assert_close(norm(force), 0.0, 0.0);
  must(world, elastica_world_step(world, 1e-5, 100));
  assert_close(elastica_rod_get_view(rod)->velocity[2][2], -9.81e-3, 1e-12);
  must(world, elastica_effect_set_enabled(wall, 1));
  must(world, elastica_obstacle_get_force(wall, force, NULL)); /* the last step was without the wall */
  assert_close(norm(force), 0.0, 0.0);
  def.position[2] = -1.0;
  must(world, elastica_obstacle_set(wall, &def));
  must(world, elastica_world_step(world, 1e-5, 100));
  assert_close(elastica_rod_get_view(rod)->velocity[2][2], -2.0 * 9.81e-3, 1e-12);
  elastica_world_destroy(world);
}

/* k/2 at both nodes of each element: n k in all, and k at an inner node; the limit of a stiff wall is 2 sqrt(m/k). */
TEST(stiffness_counts_in_the_step) {
  enum { n = 10 };
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, n, 0.0);
  elastica_obstacle_def def = floor_def();
  elastica_step_limit limit;
  def.stiffness = 1e12;
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.mode == ELASTICA_MODE_EFFECT && limit.effect == wall);
  assert_close(limit.dt, 2.0 * sqrt(1.0 / n / 1e12), 1e-3 * limit.dt);
  def.stiffness = 100.0, def.damping = 1e6;
  must(world, elastica_obstacle_set(wall, &def));
  must(world, elastica_world_step_limit(world, &limit));
  assert_close(limit.dt, 2.0 * (1.0 / n) / 1e6, 1e-2 * limit.dt); /* 4/(2 c/m) */
  elastica_world_destroy(world);
}

/* The sentence names the direction of motion of a wrong coefficient, and the depth of a rod inside the wall. */
TEST(wrong_walls_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 4, 0.0);
  elastica_obstacle_def def;
#define REFUSED(change, ...)                                                                                                               \
  do {                                                                                                                                     \
    def = rough_floor_def();                                                                                                               \
    change;                                                                                                                                \
    assert_refused(world, elastica_add_obstacle(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                          \
  } while (0)
  REFUSED(def.static_friction[1] = -0.5, "obstacle_def.static_friction[1]", "negative", "-0.5");
  REFUSED(def.kinetic_friction[2] = NAN, "obstacle_def.kinetic_friction[2]", "not finite");
  REFUSED(def.position[2] = 0.03, "add_obstacle", "element 0", "rod 0", "inside", "0.005");
#undef REFUSED
  elastica_world_destroy(world);
}

TEST(other_effects_have_no_force_of_a_wall) {
  const double down[3] = {0.0, 0.0, -1.0};
  elastica_world *world = make_world(NULL);
  elastica_effect *gravity = NULL;
  must(world, elastica_add_gravity(world, down, &gravity));
  assert_status(world, elastica_obstacle_get_force(gravity, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_obstacle_get_force(NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}

/* A field that the kind does not use is refused by its name, also by set, which keeps the kind. */
TEST(the_kind_of_an_obstacle_decides_about_its_fields) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_rod(world, 4, 0.0);
  elastica_effect *rigid = NULL, *elastic = NULL;
  DEFAULTS(obstacle, hard);
  DEFAULTS(obstacle, layer);
  hard.stiffness = 1e3, hard.position[2] = -1.0;
  layer.kind = ELASTICA_OBSTACLE_ELASTIC, layer.modulus = 1e5, layer.position[2] = -1.0;
  must(world, elastica_add_obstacle(world, rod, &hard, &rigid));
  must(world, elastica_add_obstacle(world, rod, &layer, &elastic));
#define REFUSED(effect, of, change, ...)                                                                                                   \
  do {                                                                                                                                     \
    elastica_obstacle_def def = of;                                                                                                        \
    change;                                                                                                                                \
    assert_refused(world, elastica_add_obstacle(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                          \
    assert_refused(world, elastica_obstacle_set(effect, &def), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                                    \
  } while (0)
  REFUSED(rigid, hard, def.friction = 0.5, "obstacle_def.friction", "kind RIGID");
  REFUSED(rigid, hard, def.damping_ratio = 0.0, "obstacle_def.damping_ratio", "kind RIGID");
  REFUSED(rigid, hard, def.group = 0, "obstacle_def.group", "kind RIGID");
  REFUSED(rigid, hard, def.radius = 0.1, "obstacle_def.radius", "plane");
  REFUSED(rigid, hard, def.edges[1] = 0.1, "obstacle_def.edges", "plane");
  REFUSED(elastic, layer, def.radius = 0.1, "obstacle_def.radius", "plane");
  REFUSED(elastic, layer, def.shape = ELASTICA_SHAPE_SPHERE; def.radius = def.length = 0.1, "obstacle_def.length", "sphere");
  REFUSED(elastic, layer, def.static_friction[2] = 0.5, "obstacle_def.static_friction", "kind ELASTIC");
  REFUSED(elastic, layer, def.head = ELASTICA_END_LAST, "obstacle_def.head", "kind ELASTIC");
  REFUSED(elastic, layer, def.slip_velocity = 1.0, "obstacle_def.slip_velocity", "kind ELASTIC");
#undef REFUSED
  assert_refused(world, elastica_obstacle_set(rigid, &layer), ELASTICA_INVALID_ARGUMENT, "kind RIGID", "cannot become ELASTIC");
  assert_refused(world, elastica_obstacle_set(elastic, &hard), ELASTICA_INVALID_ARGUMENT, "kind ELASTIC", "cannot become RIGID");
  elastica_world_destroy(world);
}
