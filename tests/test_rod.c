/* Mass, inertia and stiffness computed from the definition of a rod. */
#include "base/target.h"

#include "rationed_memory.h"
#include "rod_definitions.h"

#include "reference/trajectory.h"

static const double pi = 3.14159265358979324;

/* ---- Mass and stiffness ---- */

TEST(a_uniform_rod_has_the_textbook_constants) {
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

/* A cone of radii R (1 - x/2): its volume is that of the frustum, 7/12 pi R^2 L; its bending stiffness is proportional to the fourth
 * power of the radius. */
TEST(a_tapered_rod_has_the_mass_of_a_cone) {
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

TEST(all_constants_are_those_of_the_reference) {
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

/* ---- Equivalent definitions ---- */

/* Every element array holds the value of the scalar. */
TEST(arrays_replace_numbers) {
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

TEST(stiffness_and_inertia_may_be_given_outright) {
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
      if (j < N - 1) assert_close(view->bend_stiffness[a][j], 3 * j + a + 1.5, 1e-14); /* mean of two elements of equal length */
    }
  }
  def.bend_stiffness = NULL;
  assert_status(world, elastica_world_add_rod(world, &def, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "rod_def.youngs_modulus", "not set");
  elastica_world_destroy(world);
}

/* ---- Memory ---- */

/* Each allocation of add_rod fails once; then no rod exists, and the next attempt succeeds. */
TEST(running_out_of_memory_changes_nothing) {
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
      assert_true(count.blocks <= blocks + 1); /* an enlarged array may remain enlarged */
      assert_int_equal(elastica_world_get(world).rod_count, 1);
      assert_says(elastica_world_message(world), "add_rod", "no memory");
      must(world, elastica_world_add_rod(world, &def, &rod));
    }
    assert_true(refused < 20);
    elastica_world_destroy(world);
    assert_int_equal(count.blocks, 0);
  }
}
