/* Snapshots of user modules: copies of self are saved automatically, borrowed ones by hooks, stateless ones not at all. */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"

static const double dt = 0x1p-14;

/* ---- Modules that can be saved ---- */

static elastica_world *make_world_with(const elastica_module *module) {
  elastica_world *world = make_world(NULL);
  add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_add_module(world, NULL, module, NULL));
  return world;
}

TEST(a_borrowed_self_needs_hooks_or_is_stateless) {
  static double number;
  elastica_module module = module_named("borrower");
  unsigned char bytes[8000];
  module.self = &number;
  elastica_world *world = make_world_with(&module);
  assert_int_equal(size_of_snapshot(world), 0);
  assert_says(elastica_world_message(world), "snapshot_save", "effect 0 \"borrower\"", "borrows", "stateless");
  assert_status(world, elastica_world_snapshot_save(world, bytes, sizeof bytes, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "snapshot_save", "effect 0 \"borrower\"", "borrows", "stateless");
  elastica_world_destroy(world);

  module.stateless = 1;
  world = make_world_with(&module);
  must(world, elastica_world_snapshot_save(world, bytes, sizeof bytes, NULL));
  elastica_world_destroy(world);

  module.stateless = 0, module.self = NULL;
  world = make_world_with(&module);
  must(world, elastica_world_snapshot_save(world, bytes, sizeof bytes, NULL));
  elastica_world_destroy(world);
}

TEST(hooks_come_together) {
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 3; k++) {
    wanderer w = {.source = {1}};
    elastica_module module = wandering_module(&w);
    if (k != 0) module.save_size = wanderer_size;
    if (k != 1) module.save = save_wanderer;
    if (k != 2) module.load = load_wanderer;
    assert_status(world, elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT);
    assert_says(elastica_world_message(world), "\"wanderer\"", "save_size, save and load");
  }
  elastica_world_destroy(world);
}

/* A stateless copy keeps its value. */
TEST(stateless_modules_are_left_alone) {
  double number = 1.0;
  elastica_module module = module_named("counter");
  module.self = &number, module.self_size = sizeof number, module.stateless = 1;
  elastica_world *world = make_world_with(&module);
  double *copy = elastica_effect_get(elastica_world_effect(world, 0)).self;
  snapshot s = take_snapshot(world);
  *copy = 2.0;
  must(world, load_snapshot(world, &s));
  assert_true(*copy == 2.0);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* With hooks, a copy may hold pointers: it is not saved as bytes. */
typedef struct list {
  double *numbers;
  int count;
  elastica_status answer; /* returned by save and load */
  int grows;              /* 1: save_size returns a larger size each time */
} list;

static size_t list_size(void *self) {
  list *l = self;
  const size_t size = (size_t)l->count * sizeof(double);
  if (l->grows) l->count++;
  return size;
}

static elastica_status save_list(void *self, void *buffer, size_t size) {
  const list *l = self;
  memcpy(buffer, l->numbers, size);
  return l->answer;
}

static elastica_status load_list(void *self, const void *buffer, size_t size) {
  list *l = self;
  if (l->answer != ELASTICA_OK) return l->answer;
  if (size % sizeof(double) != 0 || size > 10 * sizeof(double)) return ELASTICA_INVALID_ARGUMENT;
  l->count = (int)(size / sizeof(double));
  memcpy(l->numbers, buffer, size);
  return ELASTICA_OK;
}

static elastica_module list_module(const list *l) {
  elastica_module module = module_named("list");
  module.self = l, module.self_size = sizeof *l;
  module.save_size = list_size, module.save = save_list, module.load = load_list;
  return module;
}

TEST(hooks_save_growing_data) {
  double numbers[11] = {1.0, 2.0, 3.0}, *const own = numbers;
  const list l = {numbers, 3, ELASTICA_OK, 0};
  const elastica_module module = list_module(&l);
  elastica_world *world = make_world_with(&module);
  list *copy = elastica_effect_get(elastica_world_effect(world, 0)).self;
  const size_t before = size_of_snapshot(world);
  snapshot s = take_snapshot(world);
  copy->count = 10, numbers[0] = 7.0;
  assert_int_equal(size_of_snapshot(world), before + 7 * sizeof(double));
  must(world, load_snapshot(world, &s));
  assert_true(copy->numbers == own && copy->count == 3 && numbers[0] == 1.0);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* ---- Hooks that fail ---- */

TEST(hooks_that_fail_refuse) {
  double numbers[11] = {1.0, 2.0, 3.0};
  const list l = {numbers, 3, ELASTICA_OK, 0};
  const elastica_module module = list_module(&l);
  elastica_world *world = make_world_with(&module);
  list *copy = elastica_effect_get(elastica_world_effect(world, 0)).self;
  snapshot s = take_snapshot(world);
  unsigned char *other = malloc(s.size); /* a refused save may leave parts of the data written */
  assert_non_null(other);
  must(world, elastica_world_step(world, dt, 3));
  const uint64_t before = hash_world(world);
  copy->answer = ELASTICA_IO_ERROR;
  assert_status(world, elastica_world_snapshot_save(world, other, s.size, NULL), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "snapshot_save", "effect 0 \"list\"", "save returned IO_ERROR");
  assert_status(world, load_snapshot(world, &s), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "snapshot_load", "effect 0 \"list\"", "save returned IO_ERROR");
  assert_true(hash_world(world) == before);
  copy->answer = ELASTICA_OUT_OF_MEMORY;
  assert_status(world, elastica_world_snapshot_save(world, other, s.size, NULL), ELASTICA_OUT_OF_MEMORY);
  copy->answer = ELASTICA_OK, copy->grows = 1;
  assert_status(world, elastica_world_snapshot_save(world, other, s.size, NULL), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "snapshot_save", "effect 0 \"list\"", "24, and then 32");
  assert_status(world, load_snapshot(world, &s), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "snapshot_load", "effect 0 \"list\"", "40, and then 48");
  elastica_world_destroy(world);
  free(s.bytes);
  free(other);
}

/* Sizes with sums that overflow, or nearly do. */
static size_t told;

static size_t tell(void *self) {
  (void)self;
  return told;
}

static elastica_status save_nowhere(void *self, void *buffer, size_t size) {
  (void)self, (void)buffer, (void)size;
  fail_msg("there is room for %zu bytes", size);
  return ELASTICA_OK;
}

static elastica_status load_anything(void *self, const void *buffer, size_t size) {
  (void)self, (void)buffer, (void)size;
  return ELASTICA_OK;
}

TEST(impossible_sizes_are_refused) {
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 6, SIZE_MAX - 7, SIZE_MAX - 400, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1, SIZE_MAX / 4};
  elastica_module module = module_named("giant");
  unsigned char bytes[8000] = {0};
  module.save_size = tell, module.save = save_nowhere, module.load = load_anything;
  elastica_world *world = make_world_with(&module);
  snapshot s = {bytes, sizeof bytes};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char number[40];
    told = sizes[k];
    snprintf(number, sizeof number, "%zu", told);
    assert_int_equal(size_of_snapshot(world), 0);
    assert_says(elastica_world_message(world), "snapshot_save", "effect 0 \"giant\"", "save_size", number);
    assert_refused(world, elastica_world_snapshot_save(world, bytes, sizeof bytes, NULL), ELASTICA_CALLBACK_FAILED, "snapshot_save",
                   "giant", number);
    assert_refused(world, elastica_world_snapshot_save_file(world, "/nowhere/x"), ELASTICA_CALLBACK_FAILED, "snapshot_save_file", number);
    assert_refused(world, load_snapshot(world, &s), ELASTICA_INVALID_ARGUMENT, "no snapshot");
  }
  elastica_world_destroy(world);
}

/* The second of two modules refuses its data: the first receives its previous data again. */
static elastica_status refuse_to_load(void *self, const void *buffer, size_t size) {
  (void)buffer, (void)size;
  return *(const int *)self ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT;
}

static size_t no_size(void *self) {
  (void)self;
  return 0;
}

static elastica_status save_nothing(void *self, void *buffer, size_t size) {
  (void)self, (void)buffer, (void)size;
  return ELASTICA_OK;
}

TEST(a_refusal_of_one_module_restores_the_others) {
  static int agrees;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const wanderer *w = elastica_effect_get(add_borrowed_wanderer(world, rod, 5)).self;
  elastica_module module = module_named("obstinate");
  module.self = &agrees, module.save_size = no_size, module.save = save_nothing, module.load = refuse_to_load;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  elastica_effect *wandering = elastica_world_effect(world, 0);
  agrees = 1;
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 3));
  must(world, elastica_effect_set_enabled(wandering, 0));
  must(world, elastica_world_step(world, dt, 3));
  const wanderer before = *w;
  const uint64_t hash = hash_world(world);
  agrees = 0;
  assert_status(world, load_snapshot(world, &s), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "effect 1 \"obstinate\"", "load returned INVALID_ARGUMENT");
  assert_memory_equal(&before, w, sizeof before);
  assert_true(hash_world(world) == hash);
  assert_false(elastica_effect_get(wandering).is_enabled);
  agrees = 1;
  must(world, load_snapshot(world, &s));
  assert_true(elastica_effect_get(wandering).is_enabled);
  elastica_world_destroy(world);
  free(s.bytes);
}

/* ---- Calls from inside hooks ---- */

typedef struct meddler {
  elastica_world *world;
  int refusals;
} meddler;

static void meddle(meddler *m) {
  unsigned char bytes[16];
  m->refusals += size_of_snapshot(m->world) == 0;
  m->refusals += elastica_world_snapshot_save(m->world, bytes, sizeof bytes, NULL) == ELASTICA_WRONG_STATE;
  m->refusals += elastica_world_snapshot_load(m->world, bytes, sizeof bytes) == ELASTICA_WRONG_STATE;
  m->refusals += elastica_world_snapshot_save_file(m->world, "/nowhere/x") == ELASTICA_WRONG_STATE;
  m->refusals += elastica_world_snapshot_load_file(m->world, "/nowhere/x") == ELASTICA_WRONG_STATE;
  m->refusals += elastica_world_rewind(m->world) == ELASTICA_WRONG_STATE;
}

enum { CALLS = 6 };

static size_t meddling_size(void *self) {
  meddle(self);
  return 0;
}

static elastica_status meddling_save(void *self, void *buffer, size_t size) {
  (void)buffer, (void)size;
  meddle(self);
  return ELASTICA_OK;
}

static elastica_status meddling_load(void *self, const void *buffer, size_t size) {
  (void)buffer, (void)size;
  meddle(self);
  return ELASTICA_OK;
}

static elastica_status meddling_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod, (void)loads;
  meddle(self);
  return ELASTICA_OK;
}

static elastica_status meddling_observer(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  meddle(self);
  return ELASTICA_OK;
}

TEST(calls_from_inside_hooks_are_refused) {
  meddler m = {NULL, 0};
  elastica_module module = module_named("meddler");
  module.self = &m;
  module.add_loads = meddling_loads, module.observe = meddling_observer;
  module.save_size = meddling_size, module.save = meddling_save, module.load = meddling_load;
  m.world = make_world_with(&module);
  must(m.world, elastica_world_step(m.world, dt, 1));
  assert_int_equal(m.refusals, 2 * CALLS);
  m.refusals = 0;
  snapshot s = take_snapshot(m.world);
  assert_true(m.refusals >= 3 * CALLS && m.refusals % CALLS == 0);
  m.refusals = 0;
  must(m.world, load_snapshot(m.world, &s));
  assert_true(m.refusals >= 2 * CALLS && m.refusals % CALLS == 0);
  elastica_world_destroy(m.world);
  free(s.bytes);
}

/* ---- Samplers ---- */

typedef struct sampling {
  snapshot taken;
  elastica_status loading;
} sampling;

static elastica_status save_in_between(void *user, elastica_world *world) {
  sampling *s = user;
  free(s->taken.bytes);
  s->taken = take_snapshot(world);
  s->loading = load_snapshot(world, &s->taken);
  return ELASTICA_OK;
}

/* A run saved by its sampler continues in another world with the remaining steps. */
TEST(a_sampler_may_save_but_not_load) {
  elastica_world *world = make_world(NULL), *fresh = make_world(NULL);
  sampling s = {{NULL, 0}, ELASTICA_OK};
  elastica_sampler sampler;
  fill_wanderers(world), fill_wanderers(fresh);
  elastica_sampler_init(&sampler, sizeof sampler);
  DEFAULTS(run, run);
  sampler.sample = save_in_between, sampler.user = &s, sampler.interval = 0.013;
  must(world, elastica_world_set_sampler(world, &sampler));
  must(world, elastica_world_advance(world, 0.05));
  assert_int_equal(s.loading, ELASTICA_WRONG_STATE);
  must(fresh, load_snapshot(fresh, &s.taken));
  assert_true(elastica_world_get(fresh).time < 0.05);
  run.until = 0.05;
  must(fresh, elastica_world_run(fresh, &run, NULL));
  assert_true(hash_course(fresh) == hash_course(world));
  elastica_world_destroy(world), elastica_world_destroy(fresh);
  free(s.taken.bytes);
}

/* ---- Memory ---- */

/* Hooks need a block for the present data of modules, and lists need another. A failed load changes nothing. */
TEST(loading_without_memory_changes_nothing) {
  memory_ration memory = plenty();
  elastica_world *world = make_rationed_world(&memory), *fresh = make_rationed_world(&memory);
  fill_wanderers(world), fill_wanderers(fresh);
  must(world, elastica_world_step(world, dt, 9));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 9));
  const uint64_t before = hash_world(fresh);
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  for (long allowed = 0; status != ELASTICA_OK; allowed++) {
    assert_true(allowed < 60);
    memory.left = allowed;
    status = load_snapshot(fresh, &s);
    memory.left = LONG_MAX;
    if (status == ELASTICA_OK) break;
    assert_status(fresh, status, ELASTICA_OUT_OF_MEMORY);
    assert_says(elastica_world_message(fresh), "memory");
    assert_true(hash_world(fresh) == before);
  }
  must(fresh, elastica_world_step(fresh, dt, 9));
  assert_true(hash_course(fresh) == hash_course(world));
  elastica_world_destroy(world), elastica_world_destroy(fresh);
  assert_int_equal(memory.blocks, 0);
  free(s.bytes);
}
