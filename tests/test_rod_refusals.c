/* Refused definitions of rods: the message names the field and the cause, and no rod is added. */
#include "base/target.h"

#include "rod_definitions.h"

static const double pi = 3.14159265358979324;

/* A quarter of a circle of radius 1 in the plane y = 0. */
static void quarter_circle(double position[3 * (N + 1)]) {
  for (int i = 0; i <= N; i++) {
    set_vector(position, i, 1.0 - cos(0.5 * pi * i / N), 0.0, sin(0.5 * pi * i / N));
  }
}

/* A wrong definition is refused by the name of its field and adds no rod. */
static void claim_no_rod(const elastica_rod_def *def, elastica_status expected, const char *const *says, const char *file, int line) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  claim_refused(world, elastica_world_add_rod(world, def, &rod), expected, says, "add_rod", file, line);
  assert_null(rod);
  assert_int_equal(elastica_world_get(world).rod_count, 0);
  elastica_world_destroy(world);
}

#define NO_ROD_FROM(def, expected, ...) claim_no_rod((def), (expected), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* One field of a valid definition is wrong. */
#define NO_ROD(change, ...)                                                                                                                \
  do {                                                                                                                                     \
    elastica_rod_def def = sound_def();                                                                                                    \
    change;                                                                                                                                \
    NO_ROD_FROM(&def, ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                                                                             \
  } while (0)

TEST(a_forgotten_number_is_named) {
  NO_ROD(def.length = NAN, "rod_def.length", "not set");
  NO_ROD(def.radius = NAN, "rod_def.radius", "not set");
  NO_ROD(def.density = NAN, "rod_def.density", "not set");
  NO_ROD(def.youngs_modulus = NAN, "rod_def.youngs_modulus", "not set");
  NO_ROD(def.closed = 1, "rod_def.position", "not set", "ring");
  NO_ROD(elastica_rod_def_init(&def, sizeof def), "rod_def.element_count", "0", "1..");
}

TEST(a_number_out_of_range_is_named) {
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
  NO_ROD(def.normal[0] = 1.0, "rod_def.normal", "rod_def.normal[1] is not set");
  NO_ROD((def.normal[0] = 0.0, def.normal[1] = 0.0, def.normal[2] = 3.0), "rod_def.normal", "zero", "tangent");
  NO_ROD(fill(def.normal, 3, 0.0), "rod_def.normal", "zero", "tangent");
}

TEST(an_entry_of_an_array_is_named) {
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

TEST(nodes_that_make_no_rod_are_named) {
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

TEST(matrices_that_are_no_frames_are_named) {
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

/* Fields that are valid singly, but not together. */
TEST(overflow_and_underflow_are_named) {
  NO_ROD((def.density = 1e308, def.radius = 5.0), "rod_def", "mass[0]", "not finite");
  NO_ROD(def.density = 1e-306, "rod_def", "mass[0]", "not positive");
  NO_ROD(def.radius = 1e-90, "rod_def", "inertia[0]", "not positive");
  NO_ROD(def.radius = 1e149, "rod_def, worked out from lengths, radius and density: inertia[0] is not finite");
  NO_ROD((def.youngs_modulus = 1e308, def.radius = 5.0), "rod_def", "shear stiffness[0]", "not finite");
}

TEST(joints_that_turn_too_far_get_the_count_they_need) {
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

/* The count stated by a refusal is enough: with that many elements the same curvature is accepted. */
TEST(the_named_count_is_enough) {
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

TEST(other_versions_of_the_definition) {
  elastica_rod_def def = sound_def();
  NO_ROD_FROM(NULL, ELASTICA_INVALID_ARGUMENT, "add_rod", "def", "NULL");
  def.struct_size = 0;
  NO_ROD_FROM(&def, ELASTICA_WRONG_VERSION, "rod_def.struct_size", "0");
  def.struct_size = sizeof def + 8;
  NO_ROD_FROM(&def, ELASTICA_WRONG_VERSION, "rod_def.struct_size");

  /* An older caller does not know rotary_inertia_scale: the bytes at its place are not read. */
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
