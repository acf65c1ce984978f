/* Claims about calls of hooks between steps: prepare, energy and power. */
#include "base/target.h"

#include "support.h"

static const double pi = 3.14159265358979324, weight = 9.81;

/* A rod of 1 m along z from the origin. */
static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
}

static elastica_effect *add_weight(elastica_world *world) {
  const double down[3] = {0.0, 0.0, -weight};
  elastica_effect *effect = NULL;
  must(world, elastica_add_gravity(world, down, &effect));
  return effect;
}

/* 100 kg on the last node. */
static elastica_effect *add_burden(elastica_world *world, elastica_rod *rod) {
  elastica_effect *effect = NULL;
  DEFAULTS(node_mass, def);
  def.mass = 100.0;
  must(world, elastica_add_node_mass(world, rod, &def, &effect));
  return effect;
}

/* A rod of mass m has its centre at 0.5 m, the added mass is at 1 m; no other call is necessary before. */
TEST(energy_of_weight_counts_added_masses_at_once) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world);
  const double own = 1000.0 * pi * 0.01;
  assert_close(elastica_effect_energy(gravity), weight * own * 0.5, 1e-12);
  elastica_effect *burden = add_burden(world, rod);
  assert_close(elastica_effect_energy(gravity), weight * (own * 0.5 + 100.0), 1e-11);
  assert_close(elastica_rod_get_view(rod)->mass[5], own / 10.0 + 100.0, 1e-13);
  must(world, elastica_effect_set_enabled(burden, 0));
  assert_close(elastica_effect_energy(gravity), weight * own * 0.5, 1e-12);
  assert_close(elastica_rod_get_view(rod)->mass[5], own / 10.0, 1e-14);
  elastica_world_destroy(world);
}

TEST(power_of_weight_counts_added_masses_at_once) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world);
  rod_state falling;
  read_state(rod, &falling);
  for (int i = 0; i <= 5; i++) falling.velocity[component(i, Z)] = -2.0;
  must(world, elastica_rod_set_state(rod, NULL, falling.velocity, NULL, NULL));
  add_burden(world, rod);
  assert_close(elastica_effect_power(gravity), 2.0 * weight * (1000.0 * pi * 0.01 + 100.0), 1e-11);
  elastica_world_destroy(world);
}

static elastica_status refuse_to_prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod, (void)preparation;
  return ELASTICA_IO_ERROR;
}

TEST(energy_of_a_world_that_cannot_be_prepared_is_not_a_number) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world), *reluctant = NULL;
  elastica_module module = module_named("reluctant");
  module.prepare = refuse_to_prepare;
  must(world, elastica_world_add_module(world, rod, &module, &reluctant));
  assert_true(isnan(elastica_effect_energy(gravity)) && isnan(elastica_effect_power(gravity)));
  assert_says(elastica_world_message(world), "effect 1 \"reluctant\"", "prepare", "IO_ERROR", "rod 0");
  assert_true(elastica_effect_energy(reluctant) == 0.0);
  must(world, elastica_effect_set_enabled(reluctant, 0));
  assert_close(elastica_effect_energy(gravity), weight * 1000.0 * pi * 0.01 * 0.5, 1e-12);
  elastica_world_destroy(world);
}

/* The handle of a refused effect is NULL, for every cause. */
TEST(a_refused_add_leaves_no_handle) {
  elastica_world *world = make_world(NULL), *other = make_world(NULL);
  elastica_rod *rod = add_rod(world), *stranger = add_rod(other);
  elastica_effect *const before = add_weight(world);
#define CLAIM_NO_HANDLE(call)                                                                                                              \
  do {                                                                                                                                     \
    elastica_effect *effect = before;                                                                                                      \
    assert_int_equal((call), ELASTICA_INVALID_ARGUMENT);                                                                                   \
    assert_null(effect);                                                                                                                   \
  } while (0)
#define CLAIM_NO_HANDLES(name)                                                                                                             \
  do {                                                                                                                                     \
    elastica_##name##_def def;                                                                                                             \
    elastica_##name##_def_init(&def, sizeof def);                                                                                          \
    CLAIM_NO_HANDLE(elastica_add_##name(NULL, rod, &def, &effect));                                                                        \
    CLAIM_NO_HANDLE(elastica_add_##name(world, rod, NULL, &effect));                                                                       \
    CLAIM_NO_HANDLE(elastica_add_##name(world, stranger, &def, &effect));                                                                  \
  } while (0)
  CLAIM_NO_HANDLES(point_load);
  CLAIM_NO_HANDLES(dissipation);
  CLAIM_NO_HANDLES(boundary);
  CLAIM_NO_HANDLES(node_mass);
  CLAIM_NO_HANDLES(muscle);
  CLAIM_NO_HANDLES(contraction);
  CLAIM_NO_HANDLES(drag);
  CLAIM_NO_HANDLES(obstacle);
  CLAIM_NO_HANDLES(contact);
  CLAIM_NO_HANDLE(elastica_add_gravity(NULL, (double[3]){0.0}, &effect));
  CLAIM_NO_HANDLE(elastica_add_gravity(world, NULL, &effect));
  CLAIM_NO_HANDLE(elastica_world_add_module(world, rod, NULL, &effect));
#undef CLAIM_NO_HANDLES
#undef CLAIM_NO_HANDLE
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}

/* ---- Order and number of calls ---- */

typedef struct journal {
  int entry[64]; /* 10 rod + scribe */
  int count, resultants;
} journal;

typedef struct scribe {
  journal *journal;
  int number;
} scribe;

static void note(const scribe *by, const elastica_rod_view *rod) {
  assert_true(by->journal->count < 64);
  by->journal->entry[by->journal->count++] = 10 * rod->rod_index + by->number;
}

static elastica_status note_prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)preparation;
  note(self, rod);
  return ELASTICA_OK;
}

/* Energies with a sum that depends on the order of addition. */
static double note_energy(void *self, double time, const elastica_rod_view *rod) {
  const scribe *by = self;
  (void)time;
  note(by, rod);
  return (rod->rod_index % 2 ? -1.0 : 1.0) * pow(10.0, 5 * by->number) / (3.0 + rod->rod_index);
}

static elastica_status count_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                        elastica_resultants *resultants) {
  const scribe *by = self;
  (void)now, (void)rod, (void)resultants;
  by->journal->resultants++;
  return ELASTICA_OK;
}

enum { RODS = 5 };

/* Effect 0 acts on all rods, 1 on rod 3, 2 on all rods but disabled, 3 on all rods, 4 on rod 1. */
static elastica_world *make_scriptorium(size_t tile_size, journal *book) {
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < RODS; r++) add_rod(world);
  memset(book, 0, sizeof *book);
  for (int k = 0; k < 5; k++) {
    const scribe by = {book, k};
    elastica_effect *effect = NULL;
    elastica_module module = module_named("scribe");
    module.self = &by;
    module.self_size = sizeof by;
    module.prepare = note_prepare;
    module.energy = note_energy;
    if (k == 0) module.add_resultants = count_resultants;
    must(world, elastica_world_add_module(world, k == 1 || k == 4 ? elastica_world_rod(world, k == 1 ? 3 : 1) : NULL, &module, &effect));
    if (k == 2) must(world, elastica_effect_set_enabled(effect, 0));
  }
  return world;
}

static const int in_order[] = {0, 3, 10, 13, 14, 20, 23, 30, 31, 33, 40, 43};
enum { ENTRIES = sizeof in_order / sizeof *in_order };

/* Calls must come rod by rod, and for each rod in the order in which the enabled effects were added. */
static void claim_in_order(journal *book) {
  assert_int_equal(book->count, ENTRIES);
  for (int k = 0; k < ENTRIES; k++) assert_int_equal(book->entry[k], in_order[k]);
  book->count = 0;
}

TEST(prepare_and_energy_hooks_are_called_in_order_of_addition) {
  const size_t sizes[] = {1, 14, 256};
  for (int k = 0; k < 3; k++) {
    journal book;
    elastica_world *world = make_scriptorium(sizes[k], &book);
    elastica_totals energy;
    must(world, elastica_world_step(world, 1e-5, 0));
    claim_in_order(&book);
    must(world, elastica_world_get_totals(world, &energy));
    claim_in_order(&book);
    elastica_world_destroy(world);
  }
}

/* For any number of rods in a tile. */
TEST(energy_of_a_world_asks_for_resultants_once_for_each_rod) {
  const size_t sizes[] = {1, 14, 256};
  for (int k = 0; k < 3; k++) {
    journal book;
    elastica_world *world = make_scriptorium(sizes[k], &book);
    elastica_totals energy;
    must(world, elastica_world_get_totals(world, &energy));
    assert_int_equal(book.resultants, RODS);
    elastica_world_destroy(world);
  }
}

TEST(energy_of_a_world_is_added_up_rod_by_rod) {
  journal book;
  elastica_world *world = make_scriptorium(256, &book);
  elastica_totals sum = {.effects = 0.0}, one, all;
  for (int r = 0; r < RODS; r++) {
    must(world, elastica_rod_get_totals(elastica_world_rod(world, r), &one));
    sum.effects += one.effects;
  }
  must(world, elastica_world_get_totals(world, &all));
  assert_true(all.effects == sum.effects);
  for (int r = 0; r < RODS; r++) /* the last queried rod keeps its derived lanes */
    assert_true((elastica_rod_get_view(elastica_world_rod(world, r))->strain[0] != NULL) == (r == RODS - 1));
  elastica_world_destroy(world);
}

/* ---- The rules of hooks hold for hooks of energy and power, too ---- */

typedef struct meddler {
  elastica_world *world;
  int refusals;
} meddler;

/* Calls that would change the world or read another rod are refused; reading the present rod is allowed. */
static double meddle(void *self, double time, const elastica_rod_view *rod) {
  meddler *by = self;
  elastica_world *world = by->world;
  elastica_totals totals;
  (void)time;
  by->refusals += elastica_rod_set_state(elastica_world_rod(world, 0), NULL, NULL, NULL, NULL) == ELASTICA_WRONG_STATE;
  by->refusals += elastica_effect_set_enabled(elastica_world_effect(world, 0), 0) == ELASTICA_WRONG_STATE;
  by->refusals += elastica_world_step(world, 1e-5, 1) == ELASTICA_WRONG_STATE;
  by->refusals += elastica_world_get_totals(world, &totals) == ELASTICA_WRONG_STATE;
  by->refusals += elastica_rod_refresh(elastica_world_rod(world, 0)) == ELASTICA_WRONG_STATE;
  by->refusals += elastica_rod_get_totals(elastica_world_rod(world, rod->rod_index), &totals) == ELASTICA_WRONG_STATE;
  by->refusals += isnan(elastica_effect_energy(elastica_world_effect(world, 0)));
  by->refusals += isnan(elastica_effect_power(elastica_world_effect(world, 0)));
  double mass = 0.0;
  for (int i = 0; i < rod->node_count; i++) mass += rod->mass[i];
  return mass;
}

TEST(energy_and_power_hooks_may_query_but_not_change) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_effect *gravity = add_weight(world), *effect = NULL;
  elastica_totals energy;
  meddler by = {world, 0};
  elastica_module module = module_named("meddler");
  module.self = &by;
  module.energy = meddle;
  module.power = meddle;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  const double mass = 1000.0 * pi * 0.01, weight_energy = elastica_effect_energy(gravity);
  assert_close(elastica_effect_energy(effect), mass, 1e-13);
  assert_int_equal(by.refusals, 8);
  assert_close(elastica_effect_power(effect), mass, 1e-13);
  assert_int_equal(by.refusals, 16);
  must(world, elastica_rod_get_totals(rod, &energy));
  assert_close(energy.effects, weight_energy + mass, 1e-12);
  assert_int_equal(by.refusals, 24);
  must(world, elastica_rod_set_state(rod, NULL, NULL, NULL, NULL)); /* no longer inside a hook */
  elastica_world_destroy(world);
}
