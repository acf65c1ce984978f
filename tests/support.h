/* Shared code of the tests: assertions about numbers, worlds and rods whose creation must succeed, random numbers and hashes that are
 * equal on all machines, and sample rods as plain arrays.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "samples.h"

/* ---- Worlds -------------------------------------------------------------------------------------------------------------------------- */

static inline elastica_world_def default_world(void) {
  DEFAULTS(world, def);
  return def;
}

/* The papers' law and their couple; the couple has no potential. */
static inline elastica_world_def papers_world(void) {
  elastica_world_def def = default_world();
  def.law = ELASTICA_LAW_RESCALED;
  def.exact_couple = 0;
  return def;
}

/* Makes a world; creation must succeed. def NULL: all defaults. */
static inline elastica_world *make_world(const elastica_world_def *def) {
  char message[256] = "";
  elastica_world_def copy = def ? *def : default_world();
  elastica_world *world = NULL;
  copy.message = message;
  copy.message_size = sizeof message;
  const elastica_status status = elastica_world_create(&copy, &world);
  if (status != ELASTICA_OK) fail_msg("elastica_world_create: %s: %s", elastica_status_text(status), message);
  return world;
}

/* 0, with a message, if the world cannot be saved. */
static inline size_t size_of_snapshot(elastica_world *world) {
  size_t size = 0;
  return elastica_world_snapshot_save(world, NULL, 0, &size) == ELASTICA_OK ? size : 0;
}

static inline elastica_world *make_papers_world(void) {
  const elastica_world_def def = papers_world();
  return make_world(&def);
}

/* Takes all whole working steps that end at or before a time [s]. */
static inline elastica_status follow_clock(elastica_world *world, double time, elastica_run_result *result) {
  elastica_run_def def;
  elastica_run_def_init(&def, sizeof def);
  def.until = time;
  def.whole_steps = 1;
  return elastica_world_run(world, &def, result);
}

/* Adds the force of all external loads on a rod, and their moment about the origin. Returns the sum of the sizes of all components of
 * forces. */
static inline double sum_external_loads(const elastica_rod_view *view, double force[3], double moment[3]) {
  double size = 0.0;
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      force[a] += view->external_force[a][i];
      moment[a] += view->position[b][i] * view->external_force[c][i] - view->position[c][i] * view->external_force[b][i];
      size += fabs(view->external_force[a][i]);
    }
  for (int j = 0; j < view->element_count; j++) {
    double couple[3], turned[3];
    for (int a = 0; a < 3; a++) couple[a] = view->external_couple[a][j];
    elastica_rotate_to_laboratory(view, j, couple, turned);
    for (int a = 0; a < 3; a++) moment[a] += turned[a];
  }
  return size;
}

/* Energy of motion and strain, without the energy of effects. */
static inline double mechanical_energy(elastica_world *world) {
  elastica_totals energy;
  must(world, elastica_world_get_totals(world, &energy));
  return energy.translation + energy.rotation + energy.bending + energy.shear;
}

static inline double total_energy(elastica_world *world) {
  elastica_totals energy;
  must(world, elastica_world_get_totals(world, &energy));
  return energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects;
}

/* Returns a module with this name and no hooks. */
static inline elastica_module module_named(const char *name) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = name;
  return module;
}

/* Adds a clamp with all defaults. */
static inline void clamp_first_end(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(boundary, clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

/* Pulls every node along z with an acceleration *self [m/s^2], which is too large for elastica_add_gravity. */
static inline elastica_status pull_too_far(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[2][i] += rod->mass[i] * *(const double *)self;
  return ELASTICA_OK;
}

static inline void add_pull_too_far(elastica_world *world) {
  const double acceleration = 1e200;
  elastica_module module = module_named("pull");
  module.self = &acceleration;
  module.self_size = sizeof acceleration;
  module.add_loads = pull_too_far;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

/* ---- States -------------------------------------------------------------------------------------------------------------------------- */

/* A copy of the state of a rod, in the order of elastica_rod_set_state. */
typedef struct rod_state {
  double position[3 * SAMPLE_NODES];
  double velocity[3 * SAMPLE_NODES];
  double director[9 * SAMPLE_ELEMENTS];
  double omega[3 * SAMPLE_ELEMENTS];
} rod_state;

static inline void read_state(const elastica_rod *rod, rod_state *state) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  assert_true(view->element_count <= SAMPLE_ELEMENTS);
  memset(state, 0, sizeof *state);
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < view->node_count; i++) {
      state->position[component(i, a)] = view->position[a][i];
      state->velocity[component(i, a)] = view->velocity[a][i];
    }
    for (int j = 0; j < view->element_count; j++) {
      state->omega[component(j, a)] = view->omega[a][j];
      for (int b = 0; b < 3; b++) state->director[director_component(j, a, b)] = view->director[a][b][j];
    }
  }
}

/* 64-bit FNV-1a of numbers, low byte first on all machines. */
static inline uint64_t hash_numbers(uint64_t hash, const double *x, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    for (int b = 0; b < 64; b += 8) hash = (hash ^ ((bits >> b) & 0xff)) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static inline uint64_t hash_start(void) {
  return UINT64_C(0xcbf29ce484222325);
}

/* Continues a hash with the state of one rod. */
static inline uint64_t hash_rod(uint64_t hash, const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->position[a], view->node_count);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->velocity[a], view->node_count);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) hash = hash_numbers(hash, view->director[a][b], view->element_count);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->omega[a], view->element_count);
  return hash;
}

/* Hashes the state of all rods of a world and its time. */
static inline uint64_t hash_world(elastica_world *world) {
  const double time = elastica_world_get(world).time;
  uint64_t hash = hash_numbers(hash_start(), &time, 1);
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) hash = hash_rod(hash, elastica_world_rod(world, k));
  return hash;
}

/* Largest distance of a node from its place in another world. */
static inline double distance_of(elastica_world *world, elastica_world *other) {
  double most = 0.0;
  for (int r = 0; r < elastica_world_get(world).rod_count; r++) {
    const elastica_rod_view *a = elastica_rod_get_view(elastica_world_rod(world, r));
    const elastica_rod_view *b = elastica_rod_get_view(elastica_world_rod(other, r));
    for (int i = 0; i < a->node_count; i++)
      for (int k = 0; k < 3; k++) {
        const double d = fabs(a->position[k][i] - b->position[k][i]);
        if (!(d <= most)) most = d;
      }
  }
  return most;
}

#endif
