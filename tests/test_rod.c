/* Definitions of rods: what they default to, what they refuse and in which words, and the mass and stiffness that come of them. */
#include "base/target.h"

#include "rationed_memory.h"

#include "reference/trajectory.h"

static const double pi = 3.14159265358979324;

enum { N = 10 };

static elastica_rod_def sound_def(void) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = N;
  def.length = 2.0;
  def.radius = 0.05;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  return def;
}

/* A quarter of a circle of radius 1 in the plane y = 0. */
static void quarter_circle(double position[3 * (N + 1)]) {
  for (int i = 0; i <= N; i++) {
    set_vector(position, i, 1.0 - cos(0.5 * pi * i / N), 0.0, sin(0.5 * pi * i / N));
  }
}

static void fill(double *values, int count, double value) {
  for (int k = 0; k < count; k++) values[k] = value;
}

/* ---- Refusals ---- */

/* A wrong definition is refused by name and leaves no rod behind. */
static void claim_no_rod(const elastica_rod_def *def, elastica_status expected, const char *const *says, const char *file, int line) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  claim_refused(world, elastica_world_add_rod(world, def, &rod), expected, says, "add_rod", file, line);
  assert_null(rod);
  assert_int_equal(elastica_world_rod_count(world), 0);
  elastica_world_destroy(world);
}

#define NO_ROD_FROM(def, expected, ...) claim_no_rod((def), (expected), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* One field of a sound definition is spoilt. */
#define NO_ROD(change, ...)                                                                                                                \
  do {                                                                                                                                     \
    elastica_rod_def def = sound_def();                                                                                                    \
    change;                                                                                                                                \
    NO_ROD_FROM(&def, ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                                                                             \
  } while (0)

static void a_forgotten_number_is_named(void **state) {
  (void)state;
  NO_ROD(def.length = NAN, "rod_def.length", "not set");
  NO_ROD(def.radius = NAN, "rod_def.radius", "not set");
  NO_ROD(def.density = NAN, "rod_def.density", "not set");
  NO_ROD(def.youngs_modulus = NAN, "rod_def.youngs_modulus", "not set");
  NO_ROD(def.closed = 1, "rod_def.position", "not set", "ring");
  NO_ROD(elastica_rod_def_init(&def, sizeof def), "rod_def.element_count", "0", "1..");
}

static void a_number_out_of_range_is_named(void **state) {
  (void)state;
  NO_ROD(def.element_count = -3, "rod_def.element_count", "-3", "1..");
  NO_ROD(def.element_count = INT32_MAX, "rod_def.element_count", "2147483647", "1..");
  NO_ROD((def.closed = 1, def.element_count = 2), "rod_def.element_count", "2", "3..");
  NO_ROD(def.closed = 2, "rod_def.closed", "2");
  NO_ROD(def.rest = (elastica_rest)7, "rod_def.rest", "7");
  NO_ROD(def.length = -2.0, "rod_def.length", "negative", "-2");
  NO_ROD(def.length = INFINITY, "rod_def.length", "not finite", "inf");
  NO_ROD(def.radius = -0.1, "rod_def.radius", "negative", "-0.1");
  NO_ROD(def.radius = 0.0, "rod_def.radius", "not positive", "0");
  NO_ROD(def.density = 0.0, "rod_def.density", "not positive", "0");
  NO_ROD(def.youngs_modulus = -INFINITY, "rod_def.youngs_modulus", "not finite", "-inf");
  NO_ROD(def.shear_modulus = -1.0, "rod_def.shear_modulus", "negative", "-1");
  NO_ROD(def.shear_factor = 0.0, "rod_def.shear_factor", "not positive", "0");
  NO_ROD(def.rotary_inertia_scale = 0.0, "rod_def.rotary_inertia_scale", "not positive", "0");
  NO_ROD(def.start[1] = INFINITY, "rod_def.start", "not finite");
  NO_ROD(def.direction[0] = NAN, "rod_def.direction", "not finite");
  NO_ROD(def.direction[2] = 0.0, "rod_def.direction", "zero");
  NO_ROD(def.normal[0] = 1.0, "rod_def.normal", "not finite");
  NO_ROD((def.normal[0] = 0.0, def.normal[1] = 0.0, def.normal[2] = 3.0), "rod_def.normal", "zero", "tangent");
  NO_ROD(fill(def.normal, 3, 0.0), "rod_def.normal", "zero", "tangent");
}

static void an_entry_of_an_array_is_named(void **state) {
  (void)state;
  double values[3 * (N + 1)];
  fill(values, 3 * (N + 1), 1.0);
  values[7] = 0.0;
  NO_ROD(def.element_radius = values, "rod_def.element_radius[7]", "not positive", "0");
  NO_ROD(def.element_density = values, "rod_def.element_density[7]", "not positive", "0");
  NO_ROD(def.element_youngs_modulus = values, "rod_def.element_youngs_modulus[7]", "not positive", "0");
  NO_ROD(def.element_shear_modulus = values, "rod_def.element_shear_modulus[7]", "not positive", "0");
  NO_ROD(def.element_shear_factor = values, "rod_def.element_shear_factor[7]", "not positive", "0");
  NO_ROD(def.rest_length = values, "rod_def.rest_length[7]", "not positive", "0");
  NO_ROD(def.inertia = values, "rod_def.inertia[7]", "not positive", "0");
  values[7] = -2.0;
  NO_ROD(def.shear_stiffness = values, "rod_def.shear_stiffness[7]", "negative", "-2");
  NO_ROD(def.bend_stiffness = values, "rod_def.bend_stiffness[7]", "negative", "-2");
  values[7] = INFINITY;
  NO_ROD(def.element_radius = values, "rod_def.element_radius[7]", "not finite", "inf");
  NO_ROD(def.position = values, "rod_def.position[7]", "not finite", "inf");
  NO_ROD(def.velocity = values, "rod_def.velocity[7]", "not finite", "inf");
  NO_ROD(def.omega = values, "rod_def.omega[7]", "not finite", "inf");
  NO_ROD(def.rest_curvature = values, "rod_def.rest_curvature[7]", "not finite", "inf");
  NO_ROD(def.rest_strain = values, "rod_def.rest_strain[7]", "not finite", "inf");
  values[7] = NAN;
  NO_ROD(def.inertia = values, "rod_def.inertia[7]", "not finite");
}

static void nodes_that_make_no_rod_are_named(void **state) {
  (void)state;
  double position[3 * (N + 1)], rest_length[N];
  quarter_circle(position);
  memcpy(position + component(4, X), position + component(3, X), 3 * sizeof(double));
  NO_ROD(def.position = position, "rod_def.position", "nodes 3 and 4", "coincide");
  quarter_circle(position);
  memcpy(position + component(9, X), position, 3 * sizeof(double));
  NO_ROD((def.position = position, def.closed = 1), "rod_def.position", "nodes 9 and 0", "coincide");
  quarter_circle(position);
  position[component(10, X)] = 1e300;
  NO_ROD(def.position = position, "rod_def.position", "nodes 9 and 10", "too far apart");
  quarter_circle(position);
  fill(rest_length, N, 0.1);
  rest_length[6] = 1e9;
  NO_ROD((def.position = position, def.rest_length = rest_length), "rod_def.position", "element 6", "shorter", "rest length");
  NO_ROD((def.start[2] = 1e20), "rod_def.length", "nodes 0 and 1", "coincide");
}

static void frames_that_are_none_are_named(void **state) {
  (void)state;
  double director[9 * N];
  for (int j = 0; j < 9 * N; j++) director[j] = j % 9 % 4 == 0;
  director[director_component(5, 0, Y)] = 2e-9;
  NO_ROD(def.director = director, "rod_def.director", "frame 5", "orthonormal");
  director[director_component(5, 0, Y)] = 0.0;
  director[director_component(2, 2, Z)] = -1.0;
  NO_ROD(def.director = director, "rod_def.director", "frame 2", "right-handed");
  director[director_component(2, 2, Z)] = NAN;
  NO_ROD(def.director = director, "rod_def.director[26]", "not finite");
}

/* Numbers that are sound one by one, but not together. */
static void overflow_and_underflow_are_named(void **state) {
  (void)state;
  NO_ROD((def.density = 1e308, def.radius = 5.0), "rod_def", "mass[0]", "not finite");
  NO_ROD(def.density = 1e-306, "rod_def", "mass[0]", "not positive");
  NO_ROD(def.radius = 1e-90, "rod_def", "inertia[0]", "not positive");
  NO_ROD((def.youngs_modulus = 1e308, def.radius = 5.0), "rod_def", "shear stiffness[0]", "not finite");
}

static void joints_that_turn_too_far_get_the_count_they_need(void **state) {
  (void)state;
  double position[] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.1, 1.0}, rest_curvature[6] = {0.0, 0.0, 0.0, 0.0, 7.0, 0.0};
  NO_ROD((def.element_count = 3, def.position = position), "rod_def.position", "joint 1", "3.042 rad", "3.0", "4 elements");
  position[component(3, Y)] = 0.0;
  position[component(3, Z)] = 0.5;
  NO_ROD((def.element_count = 3, def.position = position), "rod_def.position", "joint 1", "3.142 rad", "3.0");
  NO_ROD((def.element_count = 3, def.length = 3.0, def.rest_curvature = rest_curvature), "rod_def.rest_curvature", "joint 1", "7 rad",
         "3.0", "8 elements");
  double director[27] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, -1, 0, 0, 0, -1};
  NO_ROD((def.element_count = 3, def.director = director), "rod_def.director", "joint 1", "3.142 rad");
}

/* The count that a refusal names is enough: the same curvature on that many elements is taken. */
static void the_named_count_is_enough(void **state) {
  (void)state;
  double rest_curvature[3 * 64] = {0.0};
  const double curvature = 17.3;
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = sound_def();
  for (int k = 0; k < 64; k++) rest_curvature[3 * k] = curvature;
  def.element_count = 2;
  def.rest_curvature = rest_curvature;
  assert_status(world, elastica_world_add_rod(world, &def, NULL), ELASTICA_INVALID_ARGUMENT);
  const int count = (int)ceil(curvature * def.length / 3.0);
  char needed[32];
  snprintf(needed, sizeof needed, "%d elements", count);
  assert_says(elastica_world_message(world), needed);
  def.element_count = count;
  must(world, elastica_world_add_rod(world, &def, NULL));
  elastica_world_destroy(world);
}

static void other_versions_of_the_definition(void **state) {
  (void)state;
  elastica_rod_def def = sound_def();
  NO_ROD_FROM(NULL, ELASTICA_INVALID_ARGUMENT, "add_rod", "def", "NULL");
  def.struct_size = 0;
  NO_ROD_FROM(&def, ELASTICA_WRONG_VERSION, "rod_def.struct_size", "0");
  def.struct_size = sizeof def + 8;
  NO_ROD_FROM(&def, ELASTICA_WRONG_VERSION, "rod_def.struct_size");

  /* An older caller knows no rotary_inertia_scale: what stands there is not read. */
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, offsetof(elastica_rod_def, rotary_inertia_scale));
  assert_int_equal(def.struct_size, offsetof(elastica_rod_def, rotary_inertia_scale));
  const size_t size = def.struct_size;
  def = sound_def();
  def.struct_size = size;
  def.rotary_inertia_scale = -1.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_rod_def_init(NULL, 100);
  elastica_world_destroy(world);
}

/* ---- Mass and stiffness ---- */

static void a_uniform_rod_has_the_textbook_constants(void **state) {
  (void)state;
  const double r = 0.05, l = 0.2, density = 1000.0, youngs = 1e6, shear = 4e5, area = pi * r * r;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, N, l * N, r, density, youngs, shear);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= N; i++) assert_close(view->mass[i], density * area * l * (i == 0 || i == N ? 0.5 : 1.0), 1e-15);
  for (int j = 0; j < N; j++) {
    assert_close(view->volume[j], area * l, 1e-17);
    assert_close(view->shear_stiffness[0][j], 4.0 / 3.0 * shear * area, 1e-12);
    assert_close(view->shear_stiffness[1][j], 4.0 / 3.0 * shear * area, 1e-12);
    assert_close(view->shear_stiffness[2][j], youngs * area, 1e-11);
    for (int a = 0; a < 3; a++) {
      const double second_moment = (a < 2 ? 0.25 : 0.5) * pi * pow(r, 4.0);
      assert_close(view->inertia[a][j], density * second_moment * l, 1e-17);
      assert_close(view->element_bend_stiffness[a][j], (a < 2 ? youngs : shear) * second_moment, 1e-14);
    }
  }
  for (int k = 0; k < N - 1; k++) {
    assert_close(view->rest_joint_length[k], l, 1e-16);
    assert_close(view->bend_stiffness[1][k], youngs * 0.25 * pi * pow(r, 4.0), 1e-14);
  }
  elastica_world_destroy(world);
}

/* A cone of radii R (1 - x/2): its volume is the frustum's 7/12 pi R^2 L, its bending stiffness falls with the fourth power. */
static void a_tapered_rod_has_the_mass_of_a_cone(void **state) {
  (void)state;
  enum { MANY = 400 };
  const double big = 0.1, length = 3.0, density = 800.0, youngs = 2e6;
  double radius[MANY];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_rod_def def = sound_def();
  for (int j = 0; j < MANY; j++) radius[j] = big * (1.0 - 0.5 * (j + 0.5) / MANY);
  def.element_count = MANY, def.length = length, def.density = density, def.youngs_modulus = youngs, def.element_radius = radius;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double mass = 0.0, moment = 0.0;
  for (int i = 0; i <= MANY; i++) mass += view->mass[i], moment += view->mass[i] * view->position[2][i];
  assert_close(mass, 7.0 / 12.0 * density * pi * big * big * length, 1e-5 * mass);
  /* centroid of a frustum with radii R and R/2: L/4 (1 + 2/2 + 3/4)/(1 + 1/2 + 1/4) = 11/28 L */
  assert_close(moment / mass, 11.0 / 28.0 * length, 1e-5 * length);
  for (int k = 0; k < MANY - 1; k++) {
    const double r = big * (1.0 - 0.5 * (k + 1.0) / MANY);
    assert_close(view->bend_stiffness[0][k] / (youngs * 0.25 * pi * pow(r, 4.0)), 1.0, 2e-5);
    assert_close(view->bend_stiffness[2][k] / view->bend_stiffness[0][k], 2.0 / 3.0, 1e-14); /* G I3/(E I1) at the default G = E/3 */
  }
  elastica_world_destroy(world);
}

static void all_constants_are_those_of_the_reference(void **state) {
  (void)state;
  static const trajectory reference =
#include "reference/traj_A.inc"
      ;
  const int n = reference.element_count;
  double radius[TRAJECTORY_ELEMENTS];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_rod_def def = sound_def();
  for (int j = 0; j < n; j++) radius[j] = sqrt(reference.area[j] / pi);
  def.element_count = n, def.position = reference.position, def.director = reference.director, def.rest_length = reference.rest_length;
  def.element_radius = radius, def.density = reference.density, def.youngs_modulus = reference.youngs_modulus;
  def.shear_modulus = reference.shear_modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const trajectory_start *start = &reference.at_start;
  for (int i = 0; i <= n; i++) assert_close(view->mass[i] / start->mass[i], 1.0, 1e-15);
  for (int j = 0; j < n; j++) {
    for (int a = 0; a < 3; a++) {
      assert_close(view->inertia[a][j] / start->inertia[3 * j + a], 1.0, 2e-15);
      assert_close(view->shear_stiffness[a][j] / start->shear_stiffness[3 * j + a], 1.0, 1e-15);
      assert_close(view->element_bend_stiffness[a][j] / start->element_bend_stiffness[3 * j + a], 1.0, 2e-15);
      if (j < n - 1) assert_close(view->bend_stiffness[a][j] / start->bend_stiffness[3 * j + a], 1.0, 2e-15);
    }
    assert_close(view->length[j], start->length[j], 1e-16);
    if (j < n - 1) assert_true(view->rest_joint_length[j] == start->rest_joint_length[j]);
  }
  elastica_world_destroy(world);
}

/* ---- Ways to say the same ---- */

/* Every element array at the value of its scalar. */
static void arrays_replace_numbers(void **state) {
  (void)state;
  double values[6][N];
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_rod_def def = sound_def();
    def.shear_modulus = 3e5, def.shear_factor = 0.9;
    def.direction[0] = 0.7;
    const double numbers[6] = {def.radius, def.density, def.youngs_modulus, def.shear_modulus, def.shear_factor, def.length / N};
    for (int a = 0; a < 6; a++) fill(values[a], N, numbers[a]);
    if (k == 1) {
      def.element_radius = values[0], def.element_density = values[1], def.element_youngs_modulus = values[2];
      def.element_shear_modulus = values[3], def.element_shear_factor = values[4], def.rest_length = values[5];
      def.radius = def.density = def.youngs_modulus = def.shear_modulus = def.shear_factor = NAN;
    }
    must(world, elastica_world_add_rod(world, &def, &rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    hash[k] = hash_numbers(hash_rod(hash_start(), rod), view->mass, N + 1);
    for (int a = 0; a < 3; a++) {
      hash[k] = hash_numbers(hash[k], view->inertia[a], N);
      hash[k] = hash_numbers(hash[k], view->shear_stiffness[a], N);
      hash[k] = hash_numbers(hash[k], view->bend_stiffness[a], N - 1);
    }
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

static void stiffness_and_inertia_may_be_given_outright(void **state) {
  (void)state;
  double shear[3 * N], bend[3 * N], inertia[3 * N];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_rod_def def = sound_def();
  for (int k = 0; k < 3 * N; k++) shear[k] = 100.0 + k, bend[k] = k, inertia[k] = 1.0 + k;
  def.shear_stiffness = shear, def.bend_stiffness = bend, def.inertia = inertia;
  def.rotary_inertia_scale = 8.0;
  def.youngs_modulus = def.shear_modulus = def.shear_factor = NAN;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int j = 0; j < N; j++) {
    for (int a = 0; a < 3; a++) {
      assert_true(view->shear_stiffness[a][j] == 100.0 + 3 * j + a);
      assert_true(view->element_bend_stiffness[a][j] == 3 * j + a);
      assert_true(view->inertia[a][j] == 8.0 * (1.0 + 3 * j + a));
      if (j < N - 1) assert_close(view->bend_stiffness[a][j], 3 * j + a + 1.5, 1e-14); /* halfway between two elements of equal length */
    }
  }
  def.bend_stiffness = NULL;
  assert_status(world, elastica_world_add_rod(world, &def, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "rod_def.youngs_modulus", "not set");
  elastica_world_destroy(world);
}

/* ---- Memory ---- */

/* Each allocation of add_rod fails once; then there is no rod, and the next try succeeds. */
static void running_out_of_memory_changes_nothing(void **state) {
  (void)state;
  for (int refused = 0, succeeded = 0; !succeeded; refused++) {
    memory_ration count = plenty();
    elastica_world *world = make_rationed_world(&count);
    const elastica_rod_def def = sound_def();
    must(world, elastica_world_add_rod(world, &def, NULL));
    count.refused_call = count.calls + refused;
    elastica_rod *rod = NULL;
    const long blocks = count.blocks;
    succeeded = elastica_world_add_rod(world, &def, &rod) == ELASTICA_OK;
    if (!succeeded) {
      assert_null(rod);
      assert_true(count.blocks <= blocks + 1); /* an array that grew may stay grown */
      assert_int_equal(elastica_world_rod_count(world), 1);
      assert_says(elastica_world_message(world), "add_rod", "no memory");
      must(world, elastica_world_add_rod(world, &def, &rod));
    }
    assert_true(refused < 20);
    elastica_world_destroy(world);
    assert_int_equal(count.blocks, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_forgotten_number_is_named),
      cmocka_unit_test(a_number_out_of_range_is_named),
      cmocka_unit_test(an_entry_of_an_array_is_named),
      cmocka_unit_test(nodes_that_make_no_rod_are_named),
      cmocka_unit_test(frames_that_are_none_are_named),
      cmocka_unit_test(overflow_and_underflow_are_named),
      cmocka_unit_test(joints_that_turn_too_far_get_the_count_they_need),
      cmocka_unit_test(the_named_count_is_enough),
      cmocka_unit_test(other_versions_of_the_definition),
      cmocka_unit_test(a_uniform_rod_has_the_textbook_constants),
      cmocka_unit_test(a_tapered_rod_has_the_mass_of_a_cone),
      cmocka_unit_test(all_constants_are_those_of_the_reference),
      cmocka_unit_test(arrays_replace_numbers),
      cmocka_unit_test(stiffness_and_inertia_may_be_given_outright),
      cmocka_unit_test(running_out_of_memory_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
