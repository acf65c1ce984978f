/* Sleeping contact: while no pair is near, steps are taken as if the world had no contact effect; results do not depend on it. */
#include "base/target.h"

#include "layered.h"
#include "threads.h"

enum { N = 12, RODS = 4 };

static elastica_rod *add_rod(elastica_world *world, int r) {
  double velocity[3 * (N + 1)];
  elastica_rod *rod;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.direction[2] = 0.0, def.direction[r % 2] = 1.0;
  def.start[r % 2] = -0.5, def.start[2] = 0.12 * r;
  /* upper rods fall on lower rods and rise again; all drift along x */
  for (int i = 0; i <= N; i++) set_vector(velocity, i, 1.0, 0.05 * sin(i + r), 1.5 - 1.0 * r);
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_effect *add_layer(elastica_world *world) {
  elastica_contact_def def = layer(1e5);
  elastica_effect *contact;
  def.friction = 0.3, def.damping = 5.0;
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  return contact;
}

/* piece: steps per call; single steps are never a batch */
static uint64_t hash_of_run(long piece, size_t tile_size, int workers, int *touched) {
  elastica_world_def def = default_world();
  def.tile_size = tile_size, def.worker_count = workers;
  elastica_world *world = make_world(&def);
  if (workers > 1) share_all_work(world);
  for (int r = 0; r < RODS; r++) add_rod(world, r);
  DEFAULTS(body, ball);
  ball.radius = 0.04, ball.density = 1000.0, ball.position[2] = -0.3, ball.velocity[2] = 2.0, ball.velocity[0] = 1.0;
  must(world, elastica_world_add_body(world, &ball, NULL));
  elastica_effect *contact = add_layer(world);
  *touched = 0;
  for (long k = 0; k < 6400; k += piece) {
    int count;
    must(world, elastica_world_step(world, 2.5e-5, piece));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    *touched += count > 0;
  }
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(contact_that_comes_and_goes_may_be_cut_anywhere) {
  int touched, seldom;
  const uint64_t hash = hash_of_run(1, 256, 1, &touched);
  assert_between(touched, 100, 6000);
  assert_true(hash == hash_of_run(6400, 256, 1, &seldom));
  assert_true(hash == hash_of_run(6400, 1, 1, &seldom));
  assert_true(hash == hash_of_run(640, 1, 3, &seldom));
  assert_true(hash == hash_of_run(50, 16, 2, &seldom));
}

TEST(contact_without_near_pairs_changes_no_bit) {
  uint64_t hash[3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    const double down[3] = {0.0, 0.0, -9.81};
    for (int r = 0; r < 2; r++) add_rod(world, 3 * r);
    elastica_rod *third = add_rod(world, 5);
    must(world, elastica_add_gravity(world, down, NULL));
    if (k > 0) add_layer(world);
    if (k > 1) {
      elastica_contact_def own = layer(1e5);
      must(world, elastica_add_contact(world, third, &own, NULL));
    }
    must(world, elastica_world_step(world, 5e-5, 1500));
    hash[k] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* Elements next to a joint do not touch, from the step on in which the joint is enabled: no bit depends on the time at which the list
 * was built. */
TEST(joints_count_from_when_they_are_switched) {
  uint64_t hash[2];
  for (int anew = 0; anew < 2; anew++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      def.element_count = 8, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
      def.direction[2] = 0.0, def.direction[r] = 1.0, def.start[2] = 0.0385 * r, def.start[r] = -0.01;
      must(world, elastica_world_add_rod(world, &def, &rod[r]));
    }
    elastica_effect *contact = add_layer(world), *held;
    elastica_contact_def law = layer(1e5);
    law.friction = 0.3, law.damping = 5.0;
    DEFAULTS(joint, joint);
    joint.first.rod = rod[0], joint.second.rod = rod[1];
    joint.stiffness = 100.0;
    int count;
    must(world, elastica_world_step(world, 1e-5, 70));
    must(world, elastica_add_joint(world, &joint, &held));
    for (int k = 0; k < 6; k++) {
      if (anew) must(world, elastica_contact_set(contact, &law));
      must(world, elastica_world_step(world, 1e-5, 40));
      must(world, elastica_contact_get(contact, NULL, 0, &count));
      assert_true(elastica_effect_get(held).is_enabled ? count == 0 : count > 0);
      must(world, elastica_effect_set_enabled(held, !elastica_effect_get(held).is_enabled));
    }
    hash[anew] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}
