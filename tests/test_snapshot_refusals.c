/* Bytes that are not a snapshot of this world are refused with a sentence that names the first difference, and change nothing. */
#include "base/target.h"

#include "restarts.h"
#include "snapshot/snapshot.h"

static const double dt = 0x1p-14;

static elastica_rod *add_rod_of(elastica_world *world, int n, double youngs_modulus) {
  return add_straight_rod(world, n, 1.0, 0.02, 1000.0, youngs_modulus, 4e5);
}

static elastica_world *build(void) {
  const double gravity[3] = {0.0, 1.0, -9.81};
  elastica_world *world = make_world(NULL);
  DEFAULTS(boundary, clamp);
  add_rod_of(world, 10, 1e6);
  elastica_rod *rod = add_rod_of(world, 12, 1e6);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  add_wanderer(world, rod, 1);
  must(world, elastica_world_step(world, dt, 21));
  return world;
}

/* The refusal changes no bit and no step, and further steps are those without the call. */
static void claim_refusal(elastica_world *world, const void *bytes, size_t size, elastica_status status, const char *first,
                          const char *second) {
  const uint64_t before = hash_course(world);
  assert_status(world, elastica_world_snapshot_load(world, bytes, size), status);
  assert_says(elastica_world_message(world), "snapshot_load", first, second);
  assert_true(hash_course(world) == before);
}

/* ---- Damage ---- */

TEST(truncated_snapshots) {
  elastica_world *world = build();
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 7));
  for (size_t size = 0; size < s.size; size += size < 64 ? 1 : 41) {
    unsigned char *part = malloc(size + 1); /* bytes behind the end must not be read */
    assert_non_null(part);
    memcpy(part, s.bytes, size);
    claim_refusal(world, part, size, ELASTICA_INVALID_ARGUMENT, "snapshot", "bytes");
    free(part);
  }
  must(world, elastica_world_snapshot_load(world, s.bytes, s.size));
  elastica_world_destroy(world);
  free(s.bytes);
}

TEST(foreign_bytes_and_other_versions) {
  elastica_world *world = build();
  snapshot s = take_snapshot(world);
  must(world, elastica_world_step(world, dt, 7));
  s.bytes[0] ^= 1;
  claim_refusal(world, s.bytes, s.size, ELASTICA_INVALID_ARGUMENT, "no snapshot", "elastica");
  s.bytes[0] ^= 1;
  s.bytes[8]++;
  claim_refusal(world, s.bytes, s.size, ELASTICA_WRONG_VERSION, "version 16", "reads 15");
  s.bytes[8]--;
  for (size_t at = 24; at < s.size; at += 97) {
    s.bytes[at] ^= 0x10;
    claim_refusal(world, s.bytes, s.size, ELASTICA_INVALID_ARGUMENT, "damaged", "checksum");
    s.bytes[at] ^= 0x10;
  }
  elastica_world_destroy(world);
  free(s.bytes);
}

/* The buffer may be larger than the snapshot. */
TEST(bytes_behind_a_snapshot_are_not_read) {
  elastica_world *world = build();
  snapshot s = take_snapshot(world);
  unsigned char *larger = malloc(s.size + 100);
  assert_non_null(larger);
  memset(larger, 0xaa, s.size + 100);
  must(world, elastica_world_snapshot_save(world, larger, s.size + 100, NULL));
  assert_memory_equal(larger, s.bytes, s.size);
  for (size_t k = s.size; k < s.size + 100; k++) assert_int_equal(larger[k], 0xaa);
  must(world, elastica_world_snapshot_load(world, larger, s.size + 100));
  elastica_world_destroy(world);
  free(larger);
  free(s.bytes);
}

/* ---- Calls ---- */

TEST(calls_that_cannot_be) {
  elastica_world *world = build();
  unsigned char few[100];
  assert_int_equal(size_of_snapshot(NULL), 0);
  assert_int_equal(elastica_world_snapshot_save(NULL, few, sizeof few, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_snapshot_load(NULL, few, sizeof few), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_world_rewind(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_snapshot_save(world, NULL, 100000, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "buffer and needed are NULL");
  assert_status(world, elastica_world_snapshot_save(world, few, sizeof few, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "100 bytes", "too small");
  assert_names_number(elastica_world_message(world), (double)size_of_snapshot(world));
  assert_status(world, elastica_world_snapshot_load(world, NULL, 100), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "buffer is NULL");
  elastica_world_destroy(world);
}

/* ---- Worlds of another build ---- */

static void change_option(elastica_world_def *def, int which) {
  if (which == 0) def->law = ELASTICA_LAW_RESCALED;
  if (which == 1) def->exact_couple = 0;
  if (which == 2) def->explicit_couples = 1;
  if (which == 3) def->allow_unstable_step = 1;
}

TEST(options_are_compared) {
  static const char *const says[4] = {"world_def.law", "world_def.exact_couple", "world_def.explicit_couples",
                                      "world_def.allow_unstable_step"};
  for (int k = 0; k < 4; k++) {
    elastica_world_def def = default_world();
    elastica_world *world = make_world(NULL), *other;
    change_option(&def, k);
    other = make_world(&def);
    add_rod_of(world, 3, 1e6), add_rod_of(other, 3, 1e6);
    snapshot s = take_snapshot(world);
    claim_refusal(other, s.bytes, s.size, ELASTICA_INVALID_ARGUMENT, says[k], "in this world");
    elastica_world_destroy(world), elastica_world_destroy(other);
    free(s.bytes);
  }
}

typedef struct otherwise {
  void (*first)(elastica_world *world);
  void (*second)(elastica_world *world);
  const char *says, *and_says;
} otherwise;

static void ten_elements(elastica_world *world) {
  add_rod_of(world, 10, 1e6);
}

static void ten_and_eleven(elastica_world *world) {
  ten_elements(world), add_rod_of(world, 11, 1e6);
}

static void ten_and_twelve(elastica_world *world) {
  ten_elements(world), add_rod_of(world, 12, 1e6);
}

static void ten_stiff_ones(elastica_world *world) {
  add_rod_of(world, 10, 2e6);
}

static void ten_long_ones(elastica_world *world) {
  add_straight_rod(world, 10, 1.1, 0.02, 1000.0, 1e6, 4e5);
}

static void ten_heavy_ones(elastica_world *world) {
  add_straight_rod(world, 10, 1.0, 0.02, 1100.0, 1e6, 4e5);
}

static void ten_soft_in_shear(elastica_world *world) {
  add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 3e5);
}

static void ten_thick_ones(elastica_world *world) {
  add_straight_rod(world, 10, 1.0, 0.021, 1000.0, 1e6, 4e5);
}

/* Ten elements; only the bend stiffness, or only the inertia, differs from the usual. */
static void add_ten_with(elastica_world *world, int inertia, double value) {
  elastica_rod_def def;
  elastica_rod *rod;
  double numbers[30];
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 10, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  for (int k = 0; k < 30; k++) numbers[k] = value;
  *(inertia ? &def.inertia : &def.bend_stiffness) = numbers;
  must(world, elastica_world_add_rod(world, &def, &rod));
}

static void ten_with_bends(elastica_world *world) {
  add_ten_with(world, 0, 0.1);
}

static void ten_with_other_bends(elastica_world *world) {
  add_ten_with(world, 0, 0.2);
}

static void ten_with_inertia(elastica_world *world) {
  add_ten_with(world, 1, 1e-5);
}

static void ten_with_other_inertia(elastica_world *world) {
  add_ten_with(world, 1, 2e-5);
}

static void a_ring(elastica_world *world) {
  add_usual_ring(world);
}

static void no_ring(elastica_world *world) {
  add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
}

static void one_obstacle(elastica_world *world, elastica_obstacle_kind kind) {
  DEFAULTS(obstacle, def);
  def.kind = kind, def.position[2] = -5.0;
  *(kind == ELASTICA_OBSTACLE_RIGID ? &def.stiffness : &def.modulus) = 100.0;
  ten_elements(world);
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
}

static void a_wall(elastica_world *world) {
  one_obstacle(world, ELASTICA_OBSTACLE_RIGID);
}

static void a_layer(elastica_world *world) {
  one_obstacle(world, ELASTICA_OBSTACLE_ELASTIC);
}

static void a_pin(elastica_world *world) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  ten_and_twelve(world);
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 0), &pin, NULL));
}

static void a_pin_elsewhere(elastica_world *world) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  ten_and_twelve(world);
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &pin, NULL));
}

static void a_clamp(elastica_world *world) {
  DEFAULTS(boundary, clamp);
  ten_and_twelve(world);
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 0), &clamp, NULL));
}

static elastica_status stay(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return ELASTICA_OK;
}

static void a_load(elastica_world *world) {
  DEFAULTS(point_load, load);
  ten_and_twelve(world);
  must(world, elastica_add_point_load(world, elastica_world_rod(world, 0), &load, NULL));
}

static void a_clamp_that_moves(elastica_world *world) {
  DEFAULTS(boundary, clamp);
  clamp.motion = stay;
  ten_and_twelve(world);
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 0), &clamp, NULL));
}

static void add_module_of(elastica_world *world, const char *name, size_t size, int stateless) {
  static double numbers[4];
  elastica_module module = module_named(name);
  module.self = numbers, module.self_size = size, module.stateless = stateless;
  ten_elements(world);
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

static void a_module(elastica_world *world) {
  add_module_of(world, "module", 16, 0);
}

static void a_larger_module(elastica_world *world) {
  add_module_of(world, "module", 24, 0);
}

static void a_stateless_module(elastica_world *world) {
  add_module_of(world, "module", 16, 1);
}

static void a_module_of_a_longer_name(elastica_world *world) {
  add_module_of(world, "modules", 16, 0);
}

static const otherwise worlds[] = {
    {ten_elements, ten_and_twelve, "1 rod", "2"},
    {ten_and_twelve, ten_and_eleven, "12 elements in rod 1", "11"},
    {ten_elements, ten_stiff_ones, "rod 0", "shear_stiffness"},
    {ten_elements, ten_long_ones, "rod 0", "rest_length"},
    {ten_elements, ten_heavy_ones, "rod 0", "mass"},
    {ten_elements, ten_soft_in_shear, "rod 0", "shear_stiffness"},
    {ten_elements, ten_thick_ones, "rod 0", "mass"},
    {ten_with_bends, ten_with_other_bends, "rod 0", "bend_stiffness"},
    {ten_with_inertia, ten_with_other_inertia, "rod 0", "inertia"},
    {a_ring, no_ring, "rod 0 is a ring in the snapshot", "open in this world"},
    {no_ring, a_ring, "rod 0 is open in the snapshot", "a ring in this world"},
    {ten_and_twelve, a_pin, "0 effects", "1"},
    {a_pin, a_load, "effect 0 is \"boundary\" in the snapshot", "\"point_load\" in this world"},
    {a_pin, a_pin_elsewhere, "effect 0 \"boundary\"", "another rod"},
    {a_clamp, a_clamp_that_moves, "effect 0 \"boundary\"", "motion"},
    {a_wall, a_layer, "effect 0 \"obstacle\" has kind RIGID in the snapshot", "ELASTIC in this world"},
    {a_layer, a_wall, "effect 0 \"obstacle\" has kind ELASTIC in the snapshot", "RIGID in this world"},
    {a_module, a_larger_module, "effect 0 \"module\" has a self of 16 bytes", "24"},
    {a_module, a_stateless_module, "effect 0 \"module\"", "another way"},
    {a_module, a_module_of_a_longer_name, "effect 0 is \"module\" in the snapshot", "\"modules\""},
};

TEST(the_first_difference_is_named) {
  for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++) {
    elastica_world *world = make_world(NULL), *other = make_world(NULL);
    worlds[k].first(world), worlds[k].second(other);
    snapshot s = take_snapshot(world);
    claim_refusal(other, s.bytes, s.size, ELASTICA_INVALID_ARGUMENT, worlds[k].says, worlds[k].and_says);
    elastica_world_destroy(world), elastica_world_destroy(other);
    free(s.bytes);
  }
}

/* The bytes of a module's copy have the format of their host. */
TEST(copies_of_another_host_are_refused) {
  elastica_world *world = make_world(NULL);
  const uint64_t host = eli_host();
  int found = 0;
  a_module(world);
  snapshot s = take_snapshot(world);
  for (size_t at = ELI_SNAPSHOT_HEAD; at < s.size && !found; at += ELI_WORD) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= (uint64_t)s.bytes[at + (size_t)k] << 8 * k;
    if (word != host) continue;
    s.bytes[at] ^= 5;
    found = 1;
  }
  assert_true(found);
  const uint64_t sum = eli_sum_of_words(s.size, s.bytes + ELI_SNAPSHOT_HEAD, (s.size - ELI_SNAPSHOT_HEAD) / ELI_WORD);
  for (int k = 0; k < 8; k++) s.bytes[24 + k] = (unsigned char)(sum >> 8 * k);
  claim_refusal(world, s.bytes, s.size, ELASTICA_INVALID_ARGUMENT, "\"module\"", "host");
  elastica_world_destroy(world);
  free(s.bytes);
}
