/* Claims about a pile of rods: results do not depend on lists, threads or the division into calls, a snapshot continues it, and it gains
 * no energy. */
#include "base/target.h"

#include "scenes.h"
#include "layered.h"
#include "rationed_memory.h"

#include <stdlib.h>

/* Layers of rods fall onto the lowest layer; its ends are held. */
static elastica_world *pile_in(elastica_world *world, double skin, elastica_effect **contact) {
  for (int k = 0; k < 12; k++) {
    elastica_rod *rod;
    DEFAULTS(rod, def);
    const int axis = (k / 3) % 2;
    def.element_count = 9, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 3e5;
    def.direction[2] = 0.02 * (k % 3), def.direction[axis] = 1.0;
    def.start[axis] = -0.2, def.start[1 - axis] = 0.07 * (k % 3 - 1) + 0.003 * k, def.start[2] = 0.045 * (k / 3);
    must(world, elastica_world_add_rod(world, &def, &rod));
    for (int end = 0; end < 2 && k < 3; end++) {
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.node = end ? -1 : 0;
      must(world, elastica_add_boundary(world, rod, &pin, NULL));
    }
  }
  elastica_contact_def def = layer(3e5);
  def.friction = 0.4, def.damping = 5.0, def.tangential_damping = 5.0, def.skin = skin;
  must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
  must(world, elastica_add_contact(world, NULL, &def, contact));
  return world;
}

static elastica_world *make_pile(int workers, double skin, elastica_effect **contact) {
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  return pile_in(make_world(&world_def), skin, contact);
}

static uint64_t hash_pile(elastica_world *world) {
  uint64_t hash = hash_start();
  for (int r = 0; r < elastica_world_get(world).rod_count; r++) hash = hash_rod(hash, elastica_world_rod(world, r));
  return hash;
}

TEST(no_bit_depends_on_lists_threads_or_cuts) {
  elastica_effect *contact;
  uint64_t expected = 0;
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_pile(k == 1 ? 3 : 1, k == 2 ? 1e-9 : k == 3 ? 0.05 : NAN, &contact);
    for (int part = 0; part < (k == 4 ? 10 : 1); part++) must(world, elastica_world_step(world, 4e-5, k == 4 ? 300 : 3000));
    int count;
    deepest(contact, &count);
    assert_true(count > 5);
    const uint64_t hash = hash_pile(world);
    if (k == 0) expected = hash;
    if (hash != expected) fail_msg("variant %d has other bits", k);
    elastica_world_destroy(world);
  }
}

TEST(a_pile_goes_on_from_a_snapshot_in_another_world) {
  elastica_effect *contact, *other;
  elastica_world *world = make_pile(1, NAN, &contact), *again = make_pile(1, NAN, &other);
  must(world, elastica_world_step(world, 4e-5, 3000));
  const size_t size = size_of_snapshot(world);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
  must(again, elastica_world_snapshot_load(again, bytes, size));
  must(world, elastica_world_step(world, 4e-5, 1000));
  must(again, elastica_world_step(again, 4e-5, 1000));
  assert_true(hash_pile(world) == hash_pile(again));
  /* removing a rod removes its contacts */
  must(again, elastica_rod_remove(elastica_world_rod(again, 7)));
  must(again, elastica_world_step(again, 4e-5, 100));
  int count;
  elastica_contact_point point[256];
  must(again, elastica_contact_get(other, point, 256, &count));
  for (int k = 0; k < count && k < 256; k++) assert_true(point[k].rod[0] != 7 && point[k].rod[1] != 7);
  free(bytes);
  elastica_world_destroy(world);
  elastica_world_destroy(again);
}

/* A damper may cancel the whole pressure of separating rods that still have a tangential spring. */
TEST(history_of_separating_rods_is_kept) {
  elastica_world *world = make_world(NULL);
  double velocity[3 * 21];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(rod, def);
    def.element_count = 20, def.length = 0.2, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[0] = 1.0, def.direction[1] = 0.15 * k, def.direction[2] = 0.0;
    set_vector(def.start, 0, -0.1, -0.015 * k, 0.0205 * k);
    for (int i = 0; i <= 20; i++) set_vector(velocity, i, 0.5 * k, 0.0, -1.0 * k);
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
  elastica_contact_def def = layer(1e6);
  elastica_step_limit limit;
  def.damping = 300.0, def.friction = 0.5;
  must(world, elastica_add_contact(world, NULL, &def, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  for (int k = 0; k < 1000; k++) {
    const size_t size = size_of_snapshot(world);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
    must(world, elastica_world_step(world, 0.3 * limit.dt, 1));
    const uint64_t hash = hash_pile(world);
    must(world, elastica_world_snapshot_load(world, bytes, size));
    must(world, elastica_world_step(world, 0.3 * limit.dt, 1));
    if (hash_pile(world) != hash) fail_msg("step %d has other bits from a snapshot", k);
    free(bytes);
  }
  elastica_world_destroy(world);
}

/* The first step after a load is refused for lack of memory, and succeeds later. */
TEST(a_step_without_memory_after_a_load_is_refused) {
  memory_ration ration = plenty();
  elastica_effect *contact;
  long refused = 0;
  elastica_world *world = make_pile(1, NAN, &contact);
  must(world, elastica_world_step(world, 4e-5, 3000));
  const size_t size = size_of_snapshot(world);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
  must(world, elastica_world_step(world, 4e-5, 1));
  for (int taken = 0; !taken; refused += !taken) {
    elastica_world *again = pile_in(make_rationed_world(&ration), NAN, &contact);
    must(again, elastica_world_snapshot_load(again, bytes, size));
    ration.refused_call = ration.calls + refused;
    const elastica_status status = elastica_world_step(again, 4e-5, 1);
    taken = ration.calls <= ration.refused_call;
    ration.refused_call = -1;
    assert_true(status == ELASTICA_OK || status == ELASTICA_OUT_OF_MEMORY);
    if (status != ELASTICA_OK) must(again, elastica_world_step(again, 4e-5, 1));
    assert_true(hash_pile(again) == hash_pile(world));
    elastica_world_destroy(again);
  }
  assert_true(refused > 5 && ration.blocks == 0);
  free(bytes);
  elastica_world_destroy(world);
}

/* The total energy of gravity, rods, layer and tangential springs decreases all the time. */
TEST(a_pile_gains_no_energy) {
  elastica_effect *contact;
  double least = INFINITY, first = 0.0;
  elastica_world *world = make_pile(1, NAN, &contact);
  for (int k = 0; k < 200; k++) {
    elastica_totals energy;
    int count;
    must(world, elastica_world_get_totals(world, &energy));
    const double now = energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects;
    if (k == 0) first = now;
    if (now < least) least = now;
    assert_true(now - least <= 1e-4 * first);
    assert_between(deepest(contact, &count) / 0.02, 0.0, 0.25);
    must(world, elastica_world_advance(world, 0.005));
  }
  elastica_world_destroy(world);
}

/* Three rods without near pairs; two fly at each other from a distance, and the list is empty as long as possible. fresh: the list is
 * made again in each step. first: steps until the first contact; -1: no contact. */
static uint64_t hash_of_flight(unsigned long long seed, int fresh, long *first) {
  random_source source = {seed};
  elastica_world_def options = default_world();
  options.allow_unstable_step = 1;
  elastica_world *world = make_world(&options);
  elastica_effect *contact;
  double velocity[3 * 5];
  const double speed = random_between(&source, 0.5, 5.0), gap = random_between(&source, 0.01, 0.2);
  for (int k = 0; k < 3; k++) {
    DEFAULTS(rod, def);
    def.element_count = 4, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 3e5;
    def.direction[k % 2] = 1.0, def.direction[2] = random_between(&source, 0.0, 0.1);
    def.start[k % 2] = -0.2, def.start[2] = (gap + 0.05) * k;
    for (int i = 0; i < 5; i++) set_vector(velocity, i, 0.0, random_between(&source, 0.0, 0.3), k == 0 ? 0.0 : k == 1 ? speed : -speed);
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
  const elastica_contact_def def = layer(3e5);
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  *first = -1;
  for (long k = 0; k < 2000; k += fresh ? 1 : 50) {
    int count;
    if (fresh) must(world, elastica_contact_set(contact, &def));
    must(world, elastica_world_step(world, 2e-5, fresh ? 1 : 50));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    if (count > 0 && *first < 0) *first = k;
  }
  const uint64_t hash = hash_pile(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(rods_from_afar_touch_as_with_fresh_lists) {
  int touched = 0;
  for (unsigned long long seed = 1; seed <= 40; seed++) {
    long first, ignored;
    const uint64_t hash = hash_of_flight(seed, 0, &first);
    assert_true(hash == hash_of_flight(seed, 1, &ignored));
    touched += first > 50;
  }
  assert_true(touched > 20);
}
