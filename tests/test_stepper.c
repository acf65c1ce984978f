/* Stepping: independence of the bits of a run, and things that a step must not do. */
#include "base/target.h"

#include "rationed_memory.h"
#include "scenes.h"
#include "threads.h"

/* ---- A crowd with every kind of effect ---------------------------------------------------------------------------------------------- */

typedef struct options {
  elastica_world_def world;
  int observed;      /* an observer that reads the whole state after every step */
  int needs_derived; /* of the user's module */
  int by_time;       /* constrains_by_time of the user's module */
  int parallel_safe; /* of the user's module */
} options;

static options plain_options(void) {
  options o = {.world = default_world(), .needs_derived = 1, .parallel_safe = 1};
  return o;
}

typedef struct watcher {
  long calls;
  double sum;
} watcher;

static elastica_status watch(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  watcher *w = self;
  w->calls++;
  for (int i = 0; i < rod->node_count; i++) w->sum += now->time * rod->position[0][i];
  for (int j = 0; j < rod->element_count; j++) w->sum += rod->director[2][2][j] * rod->length[j];
  return ELASTICA_OK;
}

static void add_watcher(elastica_world *world, watcher *w) {
  elastica_module module = module_named("watcher");
  module.self = w;
  module.observe = watch;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

/* Forces, couples and rates that need no derived lanes. */
static elastica_status add_wind(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  for (int i = 0; i < rod->node_count; i++) {
    loads->force[0][i] += 0.01 * rod->mass[i] * (1.0 - 4.0 * now->time);
    loads->drag[i] += 0.1 * rod->mass[i];
  }
  for (int j = 0; j < rod->element_count; j++) loads->couple[2][j] += 0.1 * rod->inertia[2][j];
  return ELASTICA_OK;
}

static elastica_status slide_first_node(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self;
  (void)rod;
  if (state->position[1]) state->position[1][0] = 0.25 + 0.125 * now->time;
  return ELASTICA_OK;
}

static elastica_status move_first_node(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self;
  (void)now;
  (void)rod;
  state->velocity[1][0] = 0.125;
  return ELASTICA_OK;
}

static void add_wind_and_slider(elastica_world *world, elastica_rod *slid, const options *o) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "wind";
  module.needs_derived = o->needs_derived;
  module.parallel_safe = o->parallel_safe;
  module.add_loads = add_wind;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  elastica_module_init(&module, sizeof module);
  module.name = "slider";
  module.needs_derived = 0;
  module.parallel_safe = o->parallel_safe;
  module.constrains_by_time = o->by_time;
  module.constrain_position = slide_first_node;
  module.constrain_velocity = move_first_node;
  must(world, elastica_world_add_module(world, slid, &module, NULL));
}

static elastica_rod *add_long_rod(elastica_world *world, int n, uint64_t seed) {
  random_source source = {seed};
  double *velocity = calloc(3 * (size_t)(n + 1), sizeof *velocity);
  elastica_rod *rod = add_straight_rod(world, n, 0.05 * n, 0.02, 1000.0, 1e5, 0.35e5);
  assert_non_null(velocity);
  for (int i = 0; i <= n; i++) random_vector(&source, 0.05, velocity + 3 * i);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  free(velocity);
  return rod;
}

/* 40 small rods, 3 long ones, pins, clamps, dissipation, gravity, wind, a slider and optionally an observer. */
static elastica_world *make_crowd(const options *o, watcher *w) {
  const double gravity[3] = {0.0, 1.0, -9.81};
  elastica_world *world = make_world(&o->world);
  elastica_rod *slid = add_long_rod(world, 90, 5);
  fill_small_rods(world);
  elastica_rod *clamped = add_long_rod(world, 300, 6);
  add_long_rod(world, 600, 7);
  clamp_first_end(world, clamped);
  must(world, elastica_add_gravity(world, gravity, NULL));
  add_wind_and_slider(world, slid, o);
  if (o->observed) add_watcher(world, w);
  return world;
}

static const double crowd_dt = 0x1p-13;

static uint64_t hash_crowd(const options *o) {
  watcher w = {0, 0.0};
  elastica_world *world = make_crowd(o, &w);
  share_all_work(world);
  must(world, elastica_world_step(world, crowd_dt, 100));
  const uint64_t hash = hash_world(world);
  if (o->observed) assert_int_equal(w.calls, 100L * elastica_world_get(world).rod_count);
  elastica_world_destroy(world);
  return hash;
}

/* ---- Independence of the bits -------------------------------------------------------------------------------------------------------- */

TEST(bits_do_not_depend_on_observers) {
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  o.observed = 1;
  assert_true(hash_crowd(&o) == expected);
}

TEST(bits_do_not_depend_on_how_calls_cut_a_run) {
  const long cut[4][4] = {{37, 63, 0, 0}, {1, 99, 0, 0}, {63, 1, 36, 0}, {50, 25, 24, 1}};
  const options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_crowd(&o, NULL);
    if (k < 4) {
      for (int c = 0; c < 4; c++) must(world, elastica_world_step(world, crowd_dt, cut[k][c]));
    } else {
      for (int c = 0; c < 100; c++) must(world, elastica_world_step(world, crowd_dt, 1));
    }
    assert_int_equal(elastica_world_get(world).step_count, 100);
    assert_true(hash_world(world) == expected);
    elastica_world_destroy(world);
  }
}

TEST(bits_do_not_depend_on_queries_between_steps) {
  const options o = plain_options();
  elastica_world *world = make_crowd(&o, NULL);
  for (int k = 0; k < 100; k++) {
    elastica_totals totals;
    elastica_step_limit limit;
    must(world, elastica_world_step(world, crowd_dt, 1));
    must(world, elastica_world_get_totals(world, &totals));
    must(world, elastica_rod_refresh(elastica_world_rod(world, k % elastica_world_get(world).rod_count)));
    must(world, elastica_world_step_limit(world, &limit));
  }
  assert_true(hash_world(world) == hash_crowd(&o));
  elastica_world_destroy(world);
}

TEST(bits_do_not_depend_on_tile_size) {
  const size_t size[4] = {1, 7, 64, 512};
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  for (int k = 0; k < 4; k++) {
    o.world.tile_size = size[k];
    assert_true(hash_crowd(&o) == expected);
  }
}

TEST(bits_do_not_depend_on_instruction_set) {
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
    elastica_world *probe = NULL;
    o.world.instruction_set = (elastica_instruction_set)set;
    const elastica_status status = elastica_world_create(&o.world, &probe);
    elastica_world_destroy(probe);
    if (status == ELASTICA_INVALID_ARGUMENT && set > ELASTICA_INSTRUCTION_SET_BASE) continue; /* the processor lacks this set */
    assert_true(hash_crowd(&o) == expected);
  }
}

TEST(bits_do_not_depend_on_worker_count) {
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  for (int workers = 2; workers <= 4; workers += 2) {
    for (int safe = 0; safe <= 1; safe++) {
      o.world.worker_count = workers;
      o.world.tile_size = 64;
      o.parallel_safe = safe;
      assert_true(hash_crowd(&o) == expected);
    }
  }
}

TEST(bits_do_not_depend_on_which_hooks_modules_have) {
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  o.needs_derived = 0;
  assert_true(hash_crowd(&o) == expected);
  o.by_time = 1;
  assert_true(hash_crowd(&o) == expected);
}

TEST(bits_do_not_depend_on_reserved_slots) {
  options o = plain_options();
  const uint64_t expected = hash_crowd(&o);
  o.world.slot_capacity = 5000;
  assert_true(hash_crowd(&o) == expected);
}

/* A rod or a ring, alone and between neighbours: calm, bent and spun so much that they need other formulas, flat, and rings. */
TEST(bits_of_a_rod_do_not_depend_on_its_neighbours) {
  enum { KINDS = 5 };
  static sample_rod sample[KINDS];
  const sample_recipe recipe = usual_recipe();
  sample_recipe wild = usual_recipe();
  uint64_t alone[KINDS];
  wild.bend = 4.0, wild.rest_bend = 2.0, wild.spin = 300.0;
  make_sample(&sample[0], 11, 1, &recipe);
  make_sample(&sample[1], 11, 3, &wild);
  make_sample_ring(&sample[2], 7, 2);
  make_sample(&sample[3], 1, 4, &recipe);
  make_sample(&sample[4], 9, 5, &recipe);
  sample[4].flatness = 3.0;
  for (int k = 0; k < KINDS; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_sample(world, &sample[k]);
    must(world, elastica_world_step(world, crowd_dt, 100));
    alone[k] = hash_rod(hash_start(), rod);
    elastica_world_destroy(world);
  }
  for (int before = 0; before < KINDS; before++) {
    for (int after = 0; after < KINDS; after++) {
      elastica_world *world = make_world(NULL);
      const int order[3] = {before, (before + after) % KINDS, after};
      for (int k = 0; k < 3; k++) add_sample(world, &sample[order[k]]);
      must(world, elastica_world_step(world, crowd_dt, 100));
      for (int k = 0; k < 3; k++) assert_true(hash_rod(hash_start(), elastica_world_rod(world, k)) == alone[order[k]]);
      elastica_world_destroy(world);
    }
  }
}

/* ---- Things that a step must not do -------------------------------------------------------------------------------------------------- */

TEST(steps_allocate_nothing) {
  memory_ration book = plenty();
  options o = plain_options();
  o.world = rationed_world_def(&book);
  elastica_world *world = make_crowd(&o, NULL);
  must(world, elastica_world_step(world, crowd_dt, 1)); /* prepares the world */
  const memory_ration before = book;
  must(world, elastica_world_step(world, crowd_dt, 200));
  must(world, elastica_world_advance(world, 0.01));
  assert_int_equal(book.calls, before.calls);
  assert_int_equal(book.blocks, before.blocks);
  elastica_world_destroy(world);
  assert_int_equal(book.blocks, 0);
}

TEST(zero_steps_change_nothing) {
  const options o = plain_options();
  elastica_world *world = make_crowd(&o, NULL);
  must(world, elastica_world_step(world, crowd_dt, 1));
  const uint64_t before = hash_world(world);
  must(world, elastica_world_step(world, crowd_dt, 0));
  assert_true(hash_world(world) == before);
  assert_int_equal(elastica_world_get(world).step_count, 1);
  elastica_world_destroy(world);
}

TEST(steps_of_no_use_are_refused) {
  const options o = plain_options();
  const double useless[4] = {0.0, -1e-4, (double)NAN, (double)INFINITY};
  elastica_world *world = make_crowd(&o, NULL);
  const uint64_t before = hash_world(world);
  for (int k = 0; k < 4; k++) {
    assert_status(world, elastica_world_step(world, useless[k], 1), ELASTICA_INVALID_ARGUMENT);
    assert_says(elastica_world_message(world), "dt");
  }
  assert_refused(world, elastica_world_step(world, 1e-200, 1), ELASTICA_INVALID_ARGUMENT, "dt = 1e-200 s is too small");
  assert_refused(world, elastica_world_step(world, 1e200, 1), ELASTICA_INVALID_ARGUMENT, "dt = 1e+200 s is too large");
  assert_status(world, elastica_world_step(world, crowd_dt, -1), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_advance(world, 1e200), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_advance(world, -1.0), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_advance(world, (double)NAN), ELASTICA_INVALID_ARGUMENT);
  assert_true(hash_world(world) == before);
  assert_int_equal(elastica_world_get(world).step_count, 0);
  elastica_world_destroy(world);
}

/* The status of a hook's attempt to change its own world. */
typedef struct intruder {
  elastica_world *world;
  elastica_status answers[4];
} intruder;

static elastica_status intrude(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const double gravity[3] = {0.0, 0.0, -1.0};
  intruder *i = self;
  DEFAULTS(rod, def);
  def.element_count = 1, def.length = 1.0, def.radius = 0.1, def.density = 1.0, def.youngs_modulus = 1.0;
  (void)now;
  i->answers[0] = elastica_world_step(i->world, 1e-4, 1);
  i->answers[1] = elastica_world_add_rod(i->world, &def, NULL);
  i->answers[2] = elastica_add_gravity(i->world, gravity, NULL);
  i->answers[3] = elastica_rod_set_state(elastica_world_rod(i->world, rod->rod_index), NULL, NULL, NULL, NULL);
  return ELASTICA_OK;
}

TEST(hooks_cannot_change_the_world) {
  elastica_world *world = make_world(NULL);
  intruder i = {world, {ELASTICA_OK, ELASTICA_OK, ELASTICA_OK, ELASTICA_OK}};
  for (int k = 0; k < 2; k++) add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.35e5);
  elastica_module module = module_named("intruder");
  module.self = &i;
  module.begin_step = intrude;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-4, 2));
  for (int k = 0; k < 4; k++) assert_int_equal(i.answers[k], ELASTICA_WRONG_STATE);
  assert_int_equal(elastica_world_get(world).rod_count, 2);
  assert_int_equal(elastica_world_get(world).step_count, 2);
  elastica_world_destroy(world);
}
