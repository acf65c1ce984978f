/* Many rods in implicit steps: without anything between them each one iterates alone, on any worker, with the bits that it has in a world
 * of its own.
 */
#include <limits.h>

#include "implicit_steps.h"

#include "samples.h"
#include "threads.h"

enum { KINDS = 4, COPIES = 3, STEPS = 12 };
#define DT 0x1p-7

/* A steel wire on a support that shakes, a rubber rope on a pin, a ring, and a bar that is thrown. Rope and bar contract. */
static elastica_rod *add_kind(elastica_world *world, int kind) {
  static const int counts[KINDS] = {13, 24, 0, 3};
  elastica_rod *rod = NULL;
  if (kind == 2) return add_usual_ring(world);
  DEFAULTS(rod, def);
  DEFAULTS(boundary, boundary);
  def.element_count = counts[kind];
  def.length = 0.3 + 0.1 * kind;
  def.radius = kind == 0 ? 5e-4 : 0.01;
  def.density = kind == 0 ? 7800.0 : 1100.0;
  def.youngs_modulus = kind == 0 ? 200e9 : 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  if (kind == 0) boundary.motion = shake_wall;
  if (kind == 1) boundary.kind = ELASTICA_BOUNDARY_PIN;
  if (kind < 2) must(world, elastica_add_boundary(world, rod, &boundary, NULL));
  DEFAULTS(contraction, muscle);
  muscle.maximum_force = 20.0;
  if (kind % 2 == 1) must(world, elastica_add_contraction(world, rod, &muscle, NULL));
  if (kind == 3) {
    double velocity[12] = {0.0}, omega[9] = {0.0};
    for (int i = 0; i < 4; i++) velocity[component(i, 0)] = 3.0 * i - 4.0;
    for (int j = 0; j < 3; j++) omega[component(j, 1)] = 20.0;
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  }
  return rod;
}

static elastica_world *make_many(elastica_instruction_set set, int workers, size_t tile) {
  const double gravity[3] = {1.0, 2.5, -9.0};
  elastica_world_def def = default_world();
  elastica_world *world = NULL;
  def.instruction_set = set;
  def.worker_count = workers;
  def.tile_size = tile;
  if (elastica_world_create(&def, &world) != ELASTICA_OK) return NULL;
  if (workers > 1) share_all_work(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  return world;
}

static uint64_t hash_of(const elastica_rod *rod) {
  return hash_rod(hash_start(), rod);
}

static elastica_implicit_result step_many(elastica_world *world) {
  return take_implicit_steps(world, STEPS * DT, DT, 1e-6);
}

TEST(a_rod_has_the_same_bits_alone_and_among_others) {
  uint64_t alone[KINDS];
  long iterations[KINDS], most = 0, least = 1000000;
  for (int kind = 0; kind < KINDS; kind++) {
    elastica_world *world = make_many(ELASTICA_INSTRUCTION_SET_BASE, 1, 256);
    elastica_rod *rod = add_kind(world, kind);
    iterations[kind] = step_many(world).iterations;
    alone[kind] = hash_of(rod);
    if (iterations[kind] > most) most = iterations[kind];
    if (iterations[kind] < least) least = iterations[kind];
    elastica_world_destroy(world);
  }
  assert_true(most > least); /* rods that wait for the others would go on, and have other bits */
  for (int set = 0; set <= ELASTICA_INSTRUCTION_SET_FMA; set++)
    for (int workers = 1; workers <= 3; workers++)
      for (int tiles = 0; tiles < 2; tiles++) {
        elastica_world *world = make_many((elastica_instruction_set)set, workers, tiles ? 8 : 256);
        elastica_rod *rods[KINDS * COPIES];
        if (world == NULL) continue;
        for (int k = 0; k < KINDS * COPIES; k++) rods[k] = add_kind(world, k % KINDS);
        assert_true(step_many(world).iterations >= most);
        for (int k = 0; k < KINDS * COPIES; k++) assert_true(hash_of(rods[k]) == alone[k % KINDS]);
        elastica_world_destroy(world);
      }
}

/* The estimated error is the largest of all rods; with copies of one rod it is that of one, and so are the steps. */
TEST(copies_of_a_rod_take_its_steps) {
  uint64_t alone = 0;
  elastica_implicit_result one = {0};
  for (int copies = 1; copies <= 40; copies += 39) {
    elastica_world *world = make_many(ELASTICA_INSTRUCTION_SET_AUTO, copies > 1 ? 3 : 1, 64);
    elastica_implicit_result result;
    elastica_rod *rods[40];
    DEFAULTS(implicit, def);
    def.until = 0.05;
    def.accuracy = 1e-4;
    for (int k = 0; k < copies; k++) rods[k] = add_kind(world, 1);
    must(world, elastica_world_run_implicit(world, &def, &result));
    if (copies == 1) alone = hash_of(rods[0]), one = result;
    for (int k = 0; k < copies; k++) assert_true(hash_of(rods[k]) == alone);
    assert_int_equal(result.steps, one.steps);
    assert_int_equal(result.rejected, one.rejected);
    assert_int_equal(result.iterations, one.iterations);
    assert_true(result.error == one.error);
    elastica_world_destroy(world);
  }
}

/* A load of nothing that couples the ends of its rod from one call of add_tangent on. */
typedef struct late_coupling {
  int calls, from;
} late_coupling;

static elastica_status add_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod, (void)loads;
  return ELASTICA_OK;
}

static elastica_status couple_late(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const double zero[9] = {0.0};
  late_coupling *of = self;
  (void)now;
  if (of->calls++ >= of->from) tangent->add(tangent->owner, (elastica_part){rod, 0, 0}, (elastica_part){rod, rod->node_count - 1, 0}, zero);
  return ELASTICA_OK;
}

/* Returns the estimated error of the first step of a rope and of a shaken wire with such a load. */
static elastica_implicit_result step_of_two(int from) {
  elastica_world *world = make_many(ELASTICA_INSTRUCTION_SET_AUTO, 1, 256);
  late_coupling coupling = {0, from};
  elastica_implicit_result result;
  elastica_module module;
  DEFAULTS(implicit, def);
  (void)add_kind(world, 1);
  elastica_module_init(&module, sizeof module);
  module.name = "late_coupling", module.self = &coupling, module.stateless = 1;
  module.add_loads = add_nothing, module.add_tangent = couple_late;
  must(world, elastica_world_add_module(world, add_kind(world, 0), &module, NULL));
  def.until = 1.0, def.accuracy = 1.0, def.first_step = 0x1p-7, def.most_steps = 1;
  must(world, elastica_world_run_implicit(world, &def, &result));
  elastica_world_destroy(world);
  return result;
}

/* The wire iterates longer than the rope, which has the larger error: a new pattern while the rope rests takes nothing from the
 * estimate. */
TEST(a_late_coupling_of_one_rod_leaves_the_error_of_another) {
  const elastica_implicit_result usual = step_of_two(INT_MAX);
  assert_true(usual.error > 0.0);
  for (int from = 0; from < usual.iterations; from++) assert_close(step_of_two(from).error, usual.error, 1e-3 * usual.error);
}

/* A module that hears every call makes all rods iterate in turns; without it a tile takes a whole stage at once, with the same bits. */
static elastica_status hear(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants) {
  (void)self, (void)now, (void)rod, (void)resultants;
  return ELASTICA_OK;
}

static elastica_world *make_crowd(int workers, int hears, double dt, elastica_implicit_result *result) {
  elastica_world *world = make_many(ELASTICA_INSTRUCTION_SET_AUTO, workers, 16);
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "hearing", module.add_resultants = hear;
  if (hears) must(world, elastica_world_add_module(world, NULL, &module, NULL));
  for (int k = 0; k < 24; k++) {
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    DEFAULTS(boundary, clamp);
    DEFAULTS(dissipation, damping);
    DEFAULTS(point_load, load);
    def.element_count = 1 + k % 12, def.length = 0.5 + 0.01 * k, def.radius = 1e-3, def.density = 7800.0;
    def.youngs_modulus = 200e9, def.direction[0] = 1.0, def.direction[2] = 0.2 * (k % 5);
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp.kind = k % 3 == 0 ? ELASTICA_BOUNDARY_CLAMP : k % 3 == 1 ? ELASTICA_BOUNDARY_PIN : ELASTICA_BOUNDARY_FRAME;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    load.force[1] = 0.1 * k, load.node = -1;
    if (k % 2) must(world, elastica_add_point_load(world, rod, &load, NULL));
    damping.translation = 0.3;
    if (k % 4 == 0) must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  }
  *result = take_implicit_steps(world, 8.0 * dt, dt, 1e-6);
  return world;
}

TEST(tiles_that_take_stages_at_once_have_the_bits_of_turns) {
  long halved = 0;
  for (int size = 0; size < 2; size++)
    for (int workers = 1; workers <= 2; workers++) {
      const double dt = size == 0 ? 0x1p-7 : 0x1p-2;
      elastica_implicit_result one, other;
      elastica_world *at_once = make_crowd(workers, 0, dt, &one), *in_turns = make_crowd(workers, 1, dt, &other);
      for (int k = 0; k < 24; k++) assert_true(hash_of(elastica_world_rod(at_once, k)) == hash_of(elastica_world_rod(in_turns, k)));
      assert_int_equal(one.iterations, other.iterations);
      assert_int_equal(one.halved, other.halved);
      halved += one.halved;
      elastica_world_destroy(in_turns);
      elastica_world_destroy(at_once);
    }
  assert_true(halved > 0); /* steps that fail, too */
}
