/* Claims about threads: hooks of an effect that is not parallel_safe are called on the stepping thread, rod by rod in order, while all
 * workers process the rods without such an effect. Results do not depend on it. Also run under the thread sanitizer.
 */
#include "base/target.h"

#include "measured.h"

#include <stdatomic.h>
#include <time.h>

enum { RODS = 12, WORKERS = 4, ELEMENTS = 5, ONE_ROD = 1, ALL_RODS = 4096, MOST_CALLS = 200 };

static _Thread_local char of_this_thread;

/* ---- Hooks that note their thread ---- */

/* Not parallel_safe: plain counters. */
typedef struct noted {
  elastica_world *world;
  const char *thread; /* the stepping thread */
  int calls, elsewhere;
  int rod[MOST_CALLS];
} noted;

static void note(noted *n, const elastica_rod_view *rod) {
  if (&of_this_thread != n->thread) n->elsewhere++;
  if (n->calls < MOST_CALLS) n->rod[n->calls] = rod->rod_index;
  n->calls++;
}

static elastica_status push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  note(self, rod);
  loads->force[0][0] += 1e-3 * (rod->rod_index + 1);
  return ELASTICA_OK;
}

static elastica_status stiffen(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)now;
  note(self, rod);
  stiffness->node[0] += 1.0;
  return ELASTICA_OK;
}

static elastica_status watch(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now;
  note(self, rod);
  return ELASTICA_OK;
}

/* parallel_safe: the first calling thread waits for a call by another thread, for a limited time. */
typedef struct meeting {
  const char *_Atomic first;
  atomic_int met, given_up;
} meeting;

static void meet(meeting *m) {
  const struct timespec pause = {0, 1000000};
  const char *nobody = NULL;
  if (!atomic_compare_exchange_strong(&m->first, &nobody, &of_this_thread)) {
    if (nobody != &of_this_thread) atomic_store(&m->met, 1);
    return;
  }
  for (int k = 0; k < 20000 && !atomic_load(&m->met); k++) nanosleep(&pause, NULL);
  if (!atomic_load(&m->met)) atomic_store(&m->given_up, 1);
}

static elastica_status meet_and_push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  meet(self);
  loads->force[1][0] += 2e-3 * rod->element_count;
  return ELASTICA_OK;
}

static elastica_status meet_and_stiffen(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                        elastica_stiffness *stiffness) {
  (void)now;
  meet(self);
  stiffness->node[rod->element_count] += 1.0;
  return ELASTICA_OK;
}

/* ---- Scenes ---- */

static elastica_world *make_rods(int workers, size_t tile_size) {
  elastica_world_def def = default_world();
  def.worker_count = workers;
  def.tile_size = tile_size;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < RODS; r++) add_straight_rod(world, ELEMENTS, 1.0, 0.02, 1000.0, 1e6, 4e5);
  return world;
}

static elastica_module module_of(const char *name, const void *self, int parallel_safe) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = name;
  module.self = self;
  module.parallel_safe = parallel_safe;
  return module;
}

/* Records of three rods, in another order than that of the rods. */
static void add_notes(elastica_world *world, const elastica_module *module) {
  const int rods[] = {8, 2, 5};
  for (int k = 0; k < 3; k++) must(world, elastica_world_add_module(world, elastica_world_rod(world, rods[k]), module, NULL));
}

static void assert_in_order(const noted *n, int calls) {
  static const int rods[] = {2, 5, 8};
  assert_int_equal(n->elsewhere, 0);
  assert_int_equal(n->calls, calls);
  for (int k = 0; k < calls; k++) assert_int_equal(n->rod[k], rods[k % 3]);
}

/* ---- Threads ---- */

TEST(unsafe_hooks_come_in_order_on_the_stepping_thread_and_others_on_all) {
  for (int kind = 0; kind < 3; kind++) {
    elastica_world *world = make_rods(WORKERS, ONE_ROD);
    noted n = {world, &of_this_thread, 0, 0, {0}};
    meeting m = {NULL, 0, 0};
    elastica_module ordered = module_of("ordered", &n, 0), free = module_of("free", &m, 1);
    if (kind == 0) ordered.add_loads = push;
    if (kind == 1) ordered.add_stiffness = stiffen;
    if (kind == 2) ordered.observe = watch;
    if (kind == 1)
      free.add_stiffness = meet_and_stiffen;
    else
      free.add_loads = meet_and_push;
    add_notes(world, &ordered);
    must(world, elastica_world_add_module(world, NULL, &free, NULL));
    must(world, elastica_world_step(world, 1e-5, 30));
    assert_int_equal(atomic_load(&m.given_up), 0);
    assert_int_equal(atomic_load(&m.met), 1);
    assert_in_order(&n, kind == 1 ? 3 : 90); /* one limit check, 30 steps */
    elastica_world_destroy(world);
  }
}

/* ---- Results ---- */

static uint64_t hash_run(int workers, size_t tile_size) {
  elastica_world *world = make_rods(workers, tile_size);
  noted n = {world, &of_this_thread, 0, 0, {0}};
  meeting m = {NULL, 1, 0};
  elastica_module ordered = module_of("ordered", &n, 0), free = module_of("free", &m, 1);
  ordered.add_loads = push;
  ordered.add_stiffness = stiffen;
  free.add_loads = meet_and_push;
  free.add_stiffness = meet_and_stiffen;
  add_notes(world, &ordered);
  must(world, elastica_world_add_module(world, NULL, &free, NULL));
  must(world, elastica_world_advance(world, 2e-3));
  const double working = elastica_world_get(world).working_step;
  const uint64_t hash = hash_numbers(hash_world(world), &working, 1);
  assert_int_equal(n.elsewhere, 0);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_do_not_depend_on_the_worker) {
  const uint64_t alone = hash_run(1, ALL_RODS);
  for (int workers = 1; workers <= WORKERS; workers += 3)
    for (size_t tile_size = ONE_ROD; tile_size <= ALL_RODS; tile_size *= 16) assert_true(hash_run(workers, tile_size) == alone);
}

static elastica_status stiffen_much(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)self, (void)now, (void)rod;
  stiffness->node[2] += 1e9;
  return ELASTICA_OK;
}

/* Of equal rods the first is named; of effects, the one on that rod. */
TEST(the_first_of_equal_limits_is_named) {
  for (int workers = 1; workers <= WORKERS; workers += 3) {
    for (size_t tile_size = ONE_ROD; tile_size <= ALL_RODS; tile_size *= 16) {
      elastica_world *world = make_rods(workers, tile_size);
      elastica_effect *on_seven;
      elastica_module hard = module_of("hard", NULL, 1);
      hard.add_stiffness = stiffen_much;
      assert_int_equal(limit_of(world).rod_index, 0);
      must(world, elastica_world_add_module(world, elastica_world_rod(world, 9), &hard, NULL));
      must(world, elastica_world_add_module(world, elastica_world_rod(world, 7), &hard, &on_seven));
      const elastica_step_limit limit = limit_of(world);
      assert_int_equal(limit.rod_index, 7);
      assert_int_equal(limit.element, 1); /* the first of the two elements at the node */
      assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
      assert_ptr_equal(limit.effect, on_seven);
      elastica_world_destroy(world);
    }
  }
}

/* ---- Sentences ---- */

static elastica_status ask_too_much(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  noted *n = self;
  elastica_totals momentum;
  (void)now, (void)rod;
  return elastica_world_get_totals(n->world, &momentum) == ELASTICA_WRONG_STATE ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED;
}

/* For every distribution of rods to tiles. */
TEST(calls_refused_inside_unsafe_hooks_alone_leave_a_sentence) {
  for (size_t tile_size = ONE_ROD; tile_size <= ALL_RODS; tile_size *= 4096) {
    for (int unsafe_asks = 0; unsafe_asks < 2; unsafe_asks++) {
      elastica_world *world = make_rods(WORKERS, tile_size);
      noted n = {world, &of_this_thread, 0, 0, {0}};
      elastica_module ordered = module_of("ordered", &n, 0), free = module_of("free", &n, 1);
      ordered.begin_step = unsafe_asks ? ask_too_much : watch;
      free.begin_step = ask_too_much;
      add_notes(world, &ordered);
      must(world, elastica_world_add_module(world, NULL, &free, NULL));
      must(world, elastica_world_step(world, 1e-5, 3));
      if (unsafe_asks) assert_says(elastica_world_message(world), "world_get_totals");
      if (!unsafe_asks) assert_message(world, "");
      elastica_world_destroy(world);
    }
  }
}
