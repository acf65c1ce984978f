/* Repeated replacement of rods: memory, the places of new rods, and the behaviour without memory. */
#include "base/target.h"

#include "changing.h"
#include "rationed_memory.h"
#include "state/world.h"

static const double dt = 0x1p-14;

/* ---- Memory ---- */

enum { HEAD = 16 }; /* bytes before each block; they hold its size */

typedef struct meter {
  size_t now, most;
} meter;

static void *take_metered(void *user, size_t size) {
  meter *m = user;
  char *block = malloc(size + HEAD);
  if (!block) return NULL;
  memcpy(block, &size, sizeof size);
  m->now += size;
  if (m->now > m->most) m->most = m->now;
  return block + HEAD;
}

static void give_back_metered(void *user, void *block) {
  size_t size;
  memcpy(&size, (char *)block - HEAD, sizeof size);
  ((meter *)user)->now -= size;
  free((char *)block - HEAD);
}

/* 200,000 rods, each with a pin, at most ten at a time: at most a tenth more memory than at the start, and 64 bytes per removed rod and
 * removed effect. */
TEST(a_replacement_leaves_at_most_64_bytes_a_handle) {
  enum { RODS = 10 };
  const int replacements = rounds(200000);
  meter memory = {0, 0};
  elastica_world_def def = default_world();
  def.allocate = take_metered, def.release = give_back_metered, def.allocator_user = &memory;
  elastica_world *world = make_world(&def);
  elastica_rod *rods[RODS];
  add_common_effects(world);
  for (int r = 0; r < RODS; r++) add_own_effects(world, rods[r] = add_numbered_rod(world, r), 0);
  must(world, elastica_world_step(world, dt, 2));
  const double start = (double)memory.now;
  for (int k = 0; k < replacements; k++) {
    const int r = (7 * k) % RODS;
    must(world, elastica_rod_remove(rods[r]));
    add_own_effects(world, rods[r] = add_numbered_rod(world, r), 0);
    if (k % 5000 == 0) must(world, elastica_world_step(world, dt, 2));
    assert_true((double)memory.most <= 1.1 * start + 64.0 * 2.0 * (k + 1));
  }
  assert_int_equal(elastica_world_get(world).rod_count, RODS + replacements);
  elastica_world_destroy(world);
  assert_int_equal(memory.now, 0);
}

/* Kept states and snapshots contain nothing of removed rods: their size is that of the start, and so is the memory but for the handles. */
TEST(snapshots_contain_only_present_rods) {
  enum { RODS = 10, REPLACEMENTS = 20000 };
  meter memory = {0, 0};
  elastica_world_def def = default_world();
  def.allocate = take_metered, def.release = give_back_metered, def.allocator_user = &memory;
  def.snapshot_interval = 64;
  elastica_world *world = make_world(&def);
  elastica_rod *rods[RODS];
  add_common_effects(world);
  for (int r = 0; r < RODS; r++) add_own_effects(world, rods[r] = add_numbered_rod(world, r), 0);
  must(world, elastica_world_step(world, dt, 130));
  const double start = (double)memory.now;
  const size_t size = size_of_snapshot(world);
  for (int k = 0; k < REPLACEMENTS; k++) {
    const int r = (7 * k) % RODS;
    must(world, elastica_rod_remove(rods[r]));
    add_own_effects(world, rods[r] = add_numbered_rod(world, r), 0);
    if (k % 500 == 0) must(world, elastica_world_step(world, dt, 2));
    assert_true((double)memory.most <= 1.1 * start + 64.0 * 2.0 * (k + 1));
  }
  assert_int_equal(size_of_snapshot(world), size);
  must(world, elastica_world_step(world, dt, 2));
  must(world, elastica_world_rewind(world));
  elastica_world_destroy(world);
  assert_int_equal(memory.now, 0);
}

/* ---- Places ---- */

/* Slots of the slab do not grow while rods of the same sizes are removed and added. */
TEST(new_rods_take_the_lanes_of_removed_ones) {
  enum { RODS = 60 };
  elastica_world_def def = default_world();
  def.tile_size = 100;
  elastica_world *world = make_world(&def);
  elastica_rod *rods[RODS];
  random_source source = {5};
  for (int r = 0; r < RODS; r++) rods[r] = add_numbered_rod(world, r);
  const size_t end = world->bodies.slab.end, tiles = world->bodies.slab.tile_count;
  for (int k = 0; k < 2000; k++) {
    const int r = random_integer(&source, 0, RODS - 1);
    must(world, elastica_rod_remove(rods[r]));
    rods[r] = add_numbered_rod(world, r);
  }
  assert_int_equal(world->bodies.slab.end, end);
  assert_int_equal(world->bodies.slab.tile_count, tiles);
  elastica_world_destroy(world);
}

/* Every slot belongs to a rod or a hole, or is behind the last rod of a tile; holes lie between rods, and have neutral state and
 * constants. */
static void check_places(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    size_t next = tile->begin, rods = 0;
    const eli_hole *hole = &tile->front;
    for (const elastica_rod *rod = tile->lowest; rod; rod = rod->body->above, rods++) {
      assert_true(hole->slots == 0 || hole->begin == next);
      assert_int_equal(next + hole->slots, rod->offset);
      assert_int_equal(rod->tile, t);
      for (size_t i = next; i < rod->offset; i++)
        for (int k = 0; k < ELI_LENGTH; k++) assert_true(world->bodies.slab.lane[k][i] == eli_slab_neutral(k));
      next = rod->offset + rod->body->slots;
      hole = &rod->body->hole;
    }
    assert_int_equal(rods, tile->rod_count);
    assert_true(next + hole->slots <= tile->begin + tile->room);
    assert_true(tile->used == (tile->highest ? next - tile->begin : 0));
  }
}

TEST(rods_and_holes_fill_the_tiles) {
  for (size_t tile_size = 1; tile_size <= 512; tile_size *= 8) {
    elastica_world_def def = default_world();
    def.tile_size = tile_size;
    elastica_world *world = make_world(&def);
    elastica_rod *rods[50] = {NULL};
    random_source source = {tile_size};
    for (int k = 0; k < rounds(3000); k++) {
      const int r = random_integer(&source, 0, 49);
      if (rods[r]) must(world, elastica_rod_remove(rods[r]));
      rods[r] = rods[r] ? NULL : add_numbered_rod(world, random_integer(&source, 0, 999));
      if (k % 100 != 0) continue;
      check_places(world);
      must(world, elastica_world_step(world, dt, 1));
    }
    elastica_world_destroy(world);
  }
}

/* ---- Without memory ---- */

/* Repeats a call until it has memory. */
#define PATIENTLY(memory, world, call)                                                                                                     \
  do {                                                                                                                                     \
    elastica_status status_ = ELASTICA_OUT_OF_MEMORY;                                                                                      \
    for (long allowed_ = 0; status_ != ELASTICA_OK; allowed_++) {                                                                          \
      (memory)->left = allowed_;                                                                                                           \
      status_ = (call);                                                                                                                    \
      (memory)->left = LONG_MAX;                                                                                                           \
      if (status_ != ELASTICA_OK) assert_status(world, status_, ELASTICA_OUT_OF_MEMORY);                                                   \
    }                                                                                                                                      \
  } while (0)

/* The same rods are added and removed with and without repetitions; a removal allocates nothing. */
static uint64_t come_and_go(memory_ration *memory, int patient) {
  elastica_world *world = make_rationed_world(memory);
  elastica_rod *rods[20] = {NULL};
  random_source source = {3};
  add_common_effects(world);
  for (int k = 0; k < 150; k++) {
    const int r = random_integer(&source, 0, 19);
    if (rods[r]) {
      memory->left = 0;
      must(world, elastica_rod_remove(rods[r]));
      memory->left = LONG_MAX;
      rods[r] = NULL;
    } else {
      DEFAULTS(rod, def);
      def.element_count = random_integer(&source, 1, 30);
      def.length = 0.1 * def.element_count, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5;
      def.start[2] = 1.0;
      if (patient)
        PATIENTLY(memory, world, elastica_world_add_rod(world, &def, &rods[r]));
      else
        must(world, elastica_world_add_rod(world, &def, &rods[r]));
      add_own_effects(world, rods[r], 0);
    }
    if (patient)
      PATIENTLY(memory, world, elastica_world_step(world, dt, 1));
    else
      must(world, elastica_world_step(world, dt, 1));
  }
  const uint64_t hash = hash_rods(world);
  elastica_world_destroy(world);
  assert_int_equal(memory->blocks, 0);
  return hash;
}

TEST(without_memory_nothing_changes) {
  memory_ration memory = plenty();
  assert_true(come_and_go(&memory, 0) == come_and_go(&memory, 1));
}
