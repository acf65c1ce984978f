/* Worlds with rods and rigid bodies: the bits of both do not depend on each other, on tiles, workers or instruction sets, nor on a
 * snapshot in between. Bodies can be added, removed and reset like rods. */
#include "base/target.h"

#include "bodies.h"
#include "changing.h"
#include "restarts.h"
#include "threads.h"

enum { RODS = 12, BODIES = 41 };
static const double dt = 0x1p-14;

static void damp(elastica_world *world) {
  DEFAULTS(dissipation, damping);
  damping.translation = 0.5, damping.rotation = 0.01;
  must(world, elastica_add_dissipation(world, NULL, &damping, NULL));
}

static void fall(elastica_world *world) {
  const double g[3] = {0.5, 0.0, -9.81};
  must(world, elastica_add_gravity(world, g, NULL));
}

/* Adds a rough wall below the bodies; some of them fall on it. */
static void stop(elastica_world *world) {
  DEFAULTS(obstacle, def);
  def.position[2] = -1.02, def.stiffness = 1e3, def.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) def.static_friction[a] = 0.5, def.kinetic_friction[a] = 0.3;
  for (elastica_rod *rod = next_rod(world, NULL); rod != NULL; rod = next_rod(world, rod))
    if (elastica_rod_get_view(rod)->rigid) must(world, elastica_add_obstacle(world, rod, &def, NULL));
}

/* Adds rods and bodies alternately; with: 1 rods, 2 bodies, 3 both. */
static elastica_world *make_mixture(const elastica_world_def *def, int with) {
  elastica_world *world = make_world(def);
  share_all_work(world);
  for (int k = 0; k < BODIES; k++) {
    if (with & 1 && k < RODS) add_numbered_rod(world, k);
    if (with & 2) add_numbered_body(world, k);
  }
  fall(world);
  damp(world);
  if (with & 2) stop(world);
  return world;
}

/* Hash of the rods, or of the bodies. */
static uint64_t hash_kind(elastica_world *world, int rigid) {
  uint64_t hash = hash_start();
  for (elastica_rod *rod = next_rod(world, NULL); rod != NULL; rod = next_rod(world, rod))
    if (elastica_rod_get_view(rod)->rigid == rigid) hash = hash_rod(hash, rod);
  return hash;
}

TEST(rods_and_bodies_do_not_change_each_others_bits) {
  elastica_world *both = make_mixture(NULL, 3), *rods = make_mixture(NULL, 1), *bodies = make_mixture(NULL, 2);
  must(both, elastica_world_step(both, dt, 500));
  must(rods, elastica_world_step(rods, dt, 500));
  must(bodies, elastica_world_step(bodies, dt, 500));
  assert_true(hash_kind(both, 0) == hash_kind(rods, 0));
  assert_true(hash_kind(both, 1) == hash_kind(bodies, 1));
  elastica_world_destroy(both);
  elastica_world_destroy(rods);
  elastica_world_destroy(bodies);
}

static uint64_t hash_of_run(const elastica_world_def *def) {
  elastica_world *world = NULL;
  if (elastica_world_create(def, &world) != ELASTICA_OK) return 0;
  elastica_world_destroy(world);
  world = make_mixture(def, 3);
  must(world, elastica_world_step(world, dt, 300));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_do_not_depend_on_tiles_workers_or_instruction_sets) {
  static const size_t tile_sizes[] = {1, 7, 64, 512};
  elastica_world_def def = default_world();
  const uint64_t expected = hash_of_run(&def);
  for (int k = 0; k < 4; k++) {
    def.tile_size = tile_sizes[k];
    def.worker_count = 1 + k;
    def.slot_capacity = k == 2 ? 1000 : 0;
    assert_true(hash_of_run(&def) == expected);
  }
  for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
    def.instruction_set = (elastica_instruction_set)set;
    const uint64_t hash = hash_of_run(&def);
    assert_true(hash == 0 || hash == expected);
  }
}

/* The law and the couples of the world affect only its rods. */
TEST(bodies_do_not_depend_on_the_law_of_rods) {
  elastica_world_def def = default_world();
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_mixture(&def, 2);
    must(world, elastica_world_step(world, dt, 300));
    hash[k] = hash_kind(world, 1);
    elastica_world_destroy(world);
    def.law = ELASTICA_LAW_RESCALED, def.exact_couple = 0, def.explicit_couples = 1;
  }
  assert_true(hash[0] == hash[1]);
}

TEST(a_snapshot_in_between_changes_no_bit) {
  elastica_world *whole = make_mixture(NULL, 3), *other = make_mixture(NULL, 3);
  snapshot first = take_snapshot(whole);
  must(whole, elastica_world_step(whole, dt, 150));
  snapshot kept = take_snapshot(whole);
  must(whole, elastica_world_step(whole, dt, 150));
  must(other, load_snapshot(other, &kept));
  must(other, elastica_world_step(other, dt, 150));
  assert_true(hash_world(whole) == hash_world(other));
  must(other, load_snapshot(other, &first));
  must(whole, load_snapshot(whole, &kept));
  must(other, elastica_world_step(other, dt, 150));
  assert_true(hash_world(whole) == hash_world(other));
  free(first.bytes), free(kept.bytes);
  elastica_world_destroy(whole);
  elastica_world_destroy(other);
}

TEST(a_snapshot_of_another_body_is_refused) {
  elastica_body_def def = top_def(1.0, 2.0, 2.5);
  elastica_world *one = make_world(NULL), *other = make_world(NULL), *third = make_world(NULL);
  def.edges[0] = 0.2;
  add_body(one, &def);
  snapshot kept = take_snapshot(one);
  def.edges[0] = 0.1, def.edges[1] = 0.2; /* the same extent, volume, mass and moments */
  add_body(other, &def);
  assert_refused(other, load_snapshot(other, &kept), ELASTICA_INVALID_ARGUMENT, "rod 0", "shape");
  add_straight_rod(third, 1, 0.2, 0.1, 1.0, 1.0, 1.0);
  assert_refused(third, load_snapshot(third, &kept), ELASTICA_INVALID_ARGUMENT, "rod 0", "a rigid body", "open");
  free(kept.bytes);
  elastica_world_destroy(one);
  elastica_world_destroy(other);
  elastica_world_destroy(third);
}

/* Bodies take the lanes of removed ones, never those of rods, and the remaining bodies move as if the removed ones had never existed. */
TEST(bodies_come_and_go) {
  elastica_world *world = make_world(NULL), *survivors = make_world(NULL);
  elastica_rod *bodies[BODIES];
  for (int k = 0; k < BODIES; k++) {
    if (k < RODS) add_numbered_rod(world, k);
    bodies[k] = add_numbered_body(world, k);
    if (k < RODS) add_numbered_rod(survivors, k);
    if (k % 3 == 0) add_numbered_body(survivors, k);
  }
  damp(world);
  damp(survivors);
  must(world, elastica_world_step(world, dt, 40));
  must(survivors, elastica_world_step(survivors, dt, 40));
  for (int k = 0; k < BODIES; k++)
    if (k % 3 != 0) must(world, elastica_rod_remove(bodies[k]));
  must(world, elastica_world_step(world, dt, 40));
  must(survivors, elastica_world_step(survivors, dt, 40));
  for (int k = 0; k < BODIES; k++) {
    add_numbered_body(world, 100 + k);
    add_numbered_body(survivors, 100 + k);
    if (k % 5 == 0) add_numbered_rod(world, 100 + k), add_numbered_rod(survivors, 100 + k);
  }
  must(world, elastica_world_step(world, dt, 40));
  must(survivors, elastica_world_step(survivors, dt, 40));
  assert_true(hash_rods(world) == hash_rods(survivors));
  elastica_world_destroy(world);
  elastica_world_destroy(survivors);
}
