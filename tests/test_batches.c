/* Batches of steps: uncoupled tiles take up to 32 steps one after the other. Results do not depend on batches, or on the division of a
 * run into calls. Failures within a batch are in tests/test_batch_events.c.
 */
#include "base/target.h"

#include "rationed_memory.h"
#include "scenes.h"

/* ---- Cuts ---- */

/* Takes the steps of a world in calls of these numbers of steps, repeatedly. */
static void take_in_pieces(elastica_world *world, double dt, long steps, const long *pieces, int count) {
  for (int k = 0; steps > 0; k = (k + 1) % count) {
    const long next = pieces[k] < steps ? pieces[k] : steps;
    must(world, elastica_world_step(world, dt, next));
    steps -= next;
  }
}

TEST(calls_may_cut_a_run_anywhere) {
  static const long single[] = {1}, whole[] = {1000}, odd[] = {7, 1, 16, 33, 2, 15, 64, 17}, batch[] = {16}, shifted[] = {5, 200};
  for (int k = 0; k < SCENE_COUNT; k++) {
    const struct {
      const long *pieces;
      int count;
    } cuts[] = {{whole, 1}, {odd, 8}, {batch, 1}, {shifted, 2}};
    elastica_world *reference = make_world_of_scene(&scenes[k]);
    take_in_pieces(reference, scenes[k].dt, 1000, single, 1);
    for (int c = 0; c < 4; c++) {
      elastica_world *world = make_world_of_scene(&scenes[k]);
      take_in_pieces(world, scenes[k].dt, 1000, cuts[c].pieces, cuts[c].count);
      if (hash_world(world) != hash_world(reference)) fail_msg("%s depends on how calls cut it (%d)", scenes[k].name, c);
      elastica_world_destroy(world);
    }
    elastica_world_destroy(reference);
  }
}

/* ---- The order of calls ---- */

enum { RODS = 3, MOST = 1000 };

typedef struct call {
  int rod;
  long step;
  double time, dt;
  int derived; /* 1: the view shows strains */
} call;

typedef struct diary {
  int count;
  call calls[MOST];
} diary;

static elastica_status note(diary *of, const elastica_instant *now, const elastica_rod_view *rod) {
  if (of->count < MOST) of->calls[of->count++] = (call){rod->rod_index, now->step, now->time, now->dt, rod->strain[0] != NULL};
  return ELASTICA_OK;
}

static elastica_status note_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)loads;
  return note(self, now, rod);
}

static elastica_status note_begin(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  return note(self, now, rod);
}

/* The library's copy of the parameters holds the address of a diary. */
static elastica_status note_begin_elsewhere(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  return note(*(diary **)self, now, rod);
}

/* Rods of 5 elements, each in a tile of its own. */
static elastica_world *make_three_tiles(void) {
  elastica_world_def def = default_world();
  def.tile_size = 1;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < RODS; r++) add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  return world;
}

typedef enum kind { IN_LOADS, IN_BEGIN, IN_BEGIN_ELSEWHERE } kind;

static void keep_diary(elastica_world *world, diary *of, kind where, int parallel_safe) {
  elastica_module module = module_named("diary");
  module.parallel_safe = parallel_safe;
  module.self = of;
  if (where == IN_LOADS) module.add_loads = note_loads;
  if (where == IN_BEGIN) module.begin_step = note_begin;
  if (where == IN_BEGIN_ELSEWHERE) {
    module.begin_step = note_begin_elsewhere;
    module.self = &of;
    module.self_size = sizeof of;
  }
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

/* Asserts the expected call number k when tiles take `batch` steps at a time from step `first` on. */
static void assert_is_call(const call *found, long first, int k, int batch) {
  assert_int_equal(found->step, first + k / (RODS * batch) * batch + k % batch);
  assert_int_equal(found->rod, k / batch % RODS);
}

/* After the first steps, which are taken singly. */
TEST(tiles_take_32_steps_at_a_time) {
  static diary of;
  const double dt = 0x1p-14;
  for (int how = 0; how < 4; how++) {
    const kind where = how < 2 ? IN_LOADS : how == 2 ? IN_BEGIN_ELSEWHERE : IN_BEGIN;
    const int safe = how != 1, batched = how == 0 || how == 2;
    elastica_world *world = make_three_tiles();
    keep_diary(world, &of, where, safe);
    must(world, elastica_world_step(world, dt, 32));
    of.count = 0;
    must(world, elastica_world_step(world, dt, 64));
    assert_int_equal(of.count, 64 * RODS);
    for (int k = 0; k < of.count; k++) {
      const call *found = &of.calls[k];
      assert_is_call(found, 32, k, batched ? 32 : 1);
      assert_true(found->dt == dt);
      assert_true(found->time == ((double)found->step + (where == IN_LOADS ? 0.5 : 0.0)) * dt);
    }
    elastica_world_destroy(world);
  }
}

/* Batches end at multiples of 32 steps and at the end of a call. */
TEST(batches_end_at_multiples_of_32) {
  static diary of;
  elastica_world *world = make_three_tiles();
  keep_diary(world, &of, IN_LOADS, 1);
  must(world, elastica_world_step(world, 0x1p-14, 53));
  of.count = 0;
  must(world, elastica_world_step(world, 0x1p-14, 17)); /* 53..63, 64..69 */
  for (int k = 0; k < 11 * RODS; k++) assert_is_call(&of.calls[k], 53, k, 11);
  for (int k = 0; k < 6 * RODS; k++) assert_is_call(&of.calls[11 * RODS + k], 64, k, 6);
  assert_int_equal(of.count, 17 * RODS);
  elastica_world_destroy(world);
}

/* An observer must see all rods at the same instant. */
TEST(observers_find_all_rods_at_the_same_step) {
  static diary of;
  elastica_world *world = make_three_tiles();
  elastica_module observer = module_named("observer");
  static diary seen;
  observer.self = &seen;
  observer.parallel_safe = 1;
  observer.observe = note_begin;
  keep_diary(world, &of, IN_LOADS, 1);
  must(world, elastica_world_add_module(world, NULL, &observer, NULL));
  must(world, elastica_world_step(world, 0x1p-14, 16));
  of.count = seen.count = 0;
  must(world, elastica_world_step(world, 0x1p-14, 32));
  for (int k = 0; k < of.count; k++) assert_is_call(&of.calls[k], 16, k, 1);
  for (int k = 0; k < seen.count; k++) assert_is_call(&seen.calls[k], 16, k, 1);
  elastica_world_destroy(world);
}

/* begin_step must not receive strains of the previous step. */
TEST(begin_step_never_sees_derived_lanes) {
  static diary of, later;
  elastica_world *world = make_three_tiles();
  elastica_module reader = module_named("reader");
  reader.self = &later;
  reader.add_loads = note_loads;
  keep_diary(world, &of, IN_BEGIN, 1);
  must(world, elastica_world_add_module(world, NULL, &reader, NULL));
  must(world, elastica_world_step(world, 0x1p-14, 40));
  assert_int_equal(of.count, 40 * RODS);
  assert_int_equal(later.count, 40 * RODS);
  for (int k = 0; k < of.count; k++) assert_false(of.calls[k].derived);
  for (int k = 0; k < later.count; k++) assert_true(later.calls[k].derived);
  elastica_world_destroy(world);
}

/* ---- Memory ---- */

TEST(without_memory_for_a_checkpoint_a_step_is_refused) {
  elastica_step_limit limit;
  memory_ration book = plenty();
  elastica_world_def def = rationed_world_def(&book);
  def.tile_size = 1;
  elastica_world *world = make_world(&def), *other = make_three_tiles();
  for (int r = 0; r < RODS; r++) add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_step_limit(world, &limit));
  const uint64_t before = hash_world(world);
  book.left = 0;
  assert_refused(world, elastica_world_step(world, 0x1p-14, 16), ELASTICA_OUT_OF_MEMORY, "no memory", "step 0");
  assert_true(hash_world(world) == before);
  book.left = LONG_MAX;
  must(world, elastica_world_step(world, 0x1p-14, 100));
  must(other, elastica_world_step(other, 0x1p-14, 100));
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(world);
  elastica_world_destroy(other);
  assert_int_equal(book.blocks, 0);
}
