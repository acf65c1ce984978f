/* Worlds that are interrupted by a snapshot: each is built by one function, runs for a while, is saved, and continues in another world. */
#ifndef TESTS_RESTARTS_H
#define TESTS_RESTARTS_H

#include "conformance_table.h"
#include "scenes.h"

/* ---- Modules with history ---- */

/* A force with a random walk: its next value depends on its present value. */
typedef struct wanderer {
  random_source source;
  double force[3];
} wanderer;

static inline elastica_status wander(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  wanderer *w = self;
  double step[3];
  (void)now, (void)rod;
  random_vector(&w->source, 0.1, step);
  for (int a = 0; a < 3; a++) w->force[a] = 0.9 * w->force[a] + step[a];
  return ELASTICA_OK;
}

static inline elastica_status pull_as_it_wanders(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                                 elastica_loads *loads) {
  const wanderer *w = self;
  (void)now;
  for (int a = 0; a < 3; a++) loads->force[a][rod->node_count / 2] += w->force[a];
  return ELASTICA_OK;
}

static inline elastica_module wandering_module(const wanderer *w) {
  elastica_module module = module_named("wanderer");
  module.self = w;
  module.begin_step = wander;
  module.add_loads = pull_as_it_wanders;
  return module;
}

static inline elastica_effect *add_wanderer(elastica_world *world, elastica_rod *rod, uint64_t seed) {
  const wanderer w = {.source = {seed}};
  elastica_effect *effect = NULL;
  elastica_module module = wandering_module(&w);
  module.self_size = sizeof w;
  module.parallel_safe = 1;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  return effect;
}

/* A borrowed force, saved by hooks of its own. */
static inline size_t wanderer_size(void *self) {
  (void)self;
  return sizeof(wanderer);
}

static inline elastica_status save_wanderer(void *self, void *buffer, size_t size) {
  assert_int_equal(size, sizeof(wanderer));
  memcpy(buffer, self, size);
  return ELASTICA_OK;
}

static inline elastica_status load_wanderer(void *self, const void *buffer, size_t size) {
  if (size != sizeof(wanderer)) return ELASTICA_INVALID_ARGUMENT;
  memcpy(self, buffer, size);
  return ELASTICA_OK;
}

static inline elastica_effect *add_borrowed_wanderer(elastica_world *world, elastica_rod *rod, uint64_t seed) {
  wanderer *w = calloc(1, sizeof *w);
  elastica_effect *effect = NULL;
  assert_non_null(w);
  w->source.state = seed;
  elastica_module module = wandering_module(w);
  module.save_size = wanderer_size, module.save = save_wanderer, module.load = load_wanderer;
  module.destroy = free;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  return effect;
}

static inline void fill_wanderers(elastica_world *world) {
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 1e6 / 3.0);
  clamp_first_end(world, rod);
  add_wanderer(world, rod, 1);
  add_borrowed_wanderer(world, add_usual_ring(world), 2);
}

/* ---- Cases ---- */

enum { RESTART_RODS = 3, ROW_STEPS = 37 };

/* A scene; or a world of one row of the table of effects, with effects set to the definition of another row of the same name. */
typedef struct restart {
  const scene *of;        /* NULL: a world of rows */
  const effect_row *from; /* NULL with `of` NULL: the wanderers */
  const effect_row *to;
} restart;

static inline restart restart_of_scene(int k) {
  const restart r = {&scenes[k], NULL, NULL};
  return r;
}

/* The restarts in order; returns 0 behind the last. */
static inline int next_restart(int index, restart *out) {
  const restart wanderers = {NULL, NULL, NULL};
  if (index < SCENE_COUNT) return *out = restart_of_scene(index), 1;
  index -= SCENE_COUNT;
  if (index-- == 0) return *out = wanderers, 1;
  for (int a = 0; a < EFFECT_ROWS; a++)
    for (int b = 0; b < EFFECT_ROWS; b++) {
      const restart r = {NULL, &effect_rows[a], &effect_rows[b]};
      if (strcmp(r.from->name, r.to->name) != 0 || r.from->rod != r.to->rod) continue;
      if ((strstr(r.from->kind, "rigid") != NULL) != (strstr(r.to->kind, "rigid") != NULL)) continue; /* the kind of an obstacle stays */
      if ((strcmp(r.from->kind, "duct") == 0) != (strcmp(r.to->kind, "duct") == 0)) continue;         /* as do the shapes TUBE */
      if ((strcmp(r.from->kind, "mesh") == 0) != (strcmp(r.to->kind, "mesh") == 0)) continue;         /* and MESH */
      if (index-- == 0) return *out = r, 1;
    }
  return 0;
}

static inline const char *restart_name(const restart *r) {
  static char name[200];
  if (r->of != NULL) return r->of->name;
  if (r->from == NULL) return "wanderers";
  snprintf(name, sizeof name, "%s, from \"%s\" to \"%s\"", r->from->name, r->from->kind, r->to->kind);
  return name;
}

static inline elastica_world *build_restart(const restart *r, const elastica_world_def *options) {
  elastica_world_def def = options != NULL ? *options : default_world();
  if (r->of != NULL && !r->of->by_default) def.law = ELASTICA_LAW_RESCALED, def.exact_couple = 0;
  elastica_world *world = make_world(&def);
  if (r->of != NULL) {
    r->of->fill(world);
  } else if (r->from == NULL) {
    fill_wanderers(world);
  } else {
    for (int k = 0; k < RESTART_RODS; k++) add_row_rod(r->from, world, takes(r->from, 1) && takes(r->to, 1) && k == 2, (uint64_t)k);
    for (int k = 0; k < (r->from->is & EVERY_ROD ? 1 : RESTART_RODS); k++) add_effect_of(r->from, world, elastica_world_rod(world, k), 1.0);
  }
  return world;
}

/* Applied between the two halves, before the snapshot is taken. */
static inline void change_restart(const restart *r, elastica_world *world) {
  for (int k = 0; r->to != NULL && k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    elastica_rod *rod = elastica_effect_get(effect).rod;
    void *def = make_def(r->to, rod != NULL ? rod : elastica_world_rod(world, 0), 0.7);
    must(world, r->to->set(effect, def));
    free(def);
  }
}

/* The way in which a half is run. */
typedef enum taking { BY_STEPS, BY_ADVANCING, BY_FOLLOWING, TAKINGS } taking;

/* Runs an odd part of the half, so that neither a limit check nor a batch ends there. */
static inline void take_half(const restart *r, elastica_world *world, taking how, int half) {
  const double dt = r->of != NULL ? r->of->dt : 0x1p-14;
  const long steps = r->of != NULL ? r->of->steps / 3 + 5 + 2 * half : ROW_STEPS + half;
  const double duration = dt * (double)steps;
  if (how == BY_STEPS) must(world, elastica_world_step(world, dt, steps));
  if (how == BY_ADVANCING) must(world, elastica_world_advance(world, duration));
  if (how == BY_FOLLOWING) must(world, follow_clock(world, elastica_world_get(world).time + duration, NULL));
}

/* Hashes state, time, steps, working step, limit, and the forces on walls. */
static inline uint64_t hash_course(elastica_world *world) {
  uint64_t hash = hash_world(world);
  const double numbers[2] = {(double)elastica_world_get(world).step_count, elastica_world_get(world).working_step};
  hash = hash_numbers(hash, numbers, 2);
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    double force[6];
    if (strcmp(elastica_effect_get(effect).name, "obstacle") != 0) continue;
    must(world, elastica_obstacle_get_force(effect, force, force + 3));
    hash = hash_numbers(hash, force, 6);
  }
  return hash;
}

/* ---- Snapshots in memory ---- */

typedef struct snapshot {
  unsigned char *bytes;
  size_t size;
} snapshot;

static inline snapshot take_snapshot(elastica_world *world) {
  snapshot s = {NULL, size_of_snapshot(world)};
  if (s.size == 0) fail_msg("snapshot_save: %s", elastica_world_message(world));
  s.bytes = malloc(s.size);
  assert_non_null(s.bytes);
  must(world, elastica_world_snapshot_save(world, s.bytes, s.size, NULL));
  return s;
}

static inline elastica_status load_snapshot(elastica_world *world, const snapshot *s) {
  return elastica_world_snapshot_load(world, s->bytes, s->size);
}

#endif
