/* Claims about elastic cables that go slack and taut: steps chosen by the library resolve the change. */
#include "base/target.h"

#include "measured.h"
#include "tendons.h"

/* A ball on an undamped rope of 0.5 m, hung from a point of the world; it starts at this distance below the point. */
static elastica_world *hang_ball(double stiffness, double below) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_anchor guides[2] = {{0}};
  elastica_body_def ball = ball_def(0.05, 0.5);
  ball.position[2] = -below;
  guides[1].rod = add_body(world, &ball);
  elastica_tendon_def def = tendon_def();
  def.guides = guides, def.guide_count = 2;
  def.stiffness = stiffness, def.rest_length = 0.5;
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_tendon(world, &def, NULL));
  return world;
}

/* Within 1 % of the energy of the fall, 0.3 m; steps that do not resolve the change gain or lose several times this energy. */
TEST(a_ball_bounces_on_a_rope_with_its_energy) {
  static const double stiffness[] = {1e3, 1e5};
  for (int k = 0; k < 2; k++) {
    elastica_world *world = hang_ball(stiffness[k], 0.2);
    const double first = total_energy(world), fall = 0.5 * 9.81 * 0.3;
    for (int frame = 0; frame < 4000; frame++) {
      must(world, elastica_world_advance(world, 0.0167));
      assert_close(total_energy(world), first, 1e-2 * fall);
    }
    elastica_world_destroy(world);
  }
}

/* The ball oscillates about its equilibrium, 0.5 + m g/k, by a fifth of the extension: the rope stays taut. */
TEST(a_rope_that_stays_taut_leaves_the_step) {
  elastica_world *world = hang_ball(1e3, 0.5 + 0.8 * 0.5 * 9.81 / 1e3);
  must(world, elastica_world_advance(world, 2.0));
  assert_close(elastica_world_get(world).working_step, 0.8 * limit_of(world).dt, 1e-2 * limit_of(world).dt);
  elastica_world_destroy(world);
}

TEST(slack_and_taut_do_not_depend_on_the_calls) {
  uint64_t hash[2];
  for (int how = 0; how < 2; how++) {
    elastica_world *world = hang_ball(1e4, 0.2);
    DEFAULTS(run, run);
    elastica_run_result result = {0};
    run.until = 3.0;
    if (how == 1) run.most_steps = 7;
    do must(world, elastica_world_run(world, &run, &result));
    while (!result.finished);
    hash[how] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}
