/* The forms of the constitutive law (rod/law.h) agree with each other and with the results of the kernels. */
#include "base/target.h"

#include "support.h"

#include "rod/law.h"

enum { N = 9, LAWS = 2, SHAPES = 2 };

/* A random rod or ring, with its derived lanes. */
static elastica_world *make_scene(int law, int closed, elastica_rod **rod) {
  elastica_world_def def = default_world();
  sample_rod sample;
  def.law = law ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED;
  elastica_world *world = make_world(&def);
  if (closed) {
    make_sample_ring(&sample, N, 5);
  } else {
    const sample_recipe recipe = usual_recipe();
    make_sample(&sample, N, 6, &recipe);
  }
  *rod = add_sample(world, &sample);
  must(world, elastica_rod_refresh(*rod));
  return world;
}

static void claim_of_views(void (*claim)(const elastica_rod_view *view)) {
  for (int k = 0; k < LAWS * SHAPES; k++) {
    elastica_rod *rod;
    elastica_world *world = make_scene(k % LAWS, k / LAWS, &rod);
    claim(elastica_rod_get_view(rod));
    elastica_world_destroy(world);
  }
}

static void get(const double *const lane[3], int k, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = lane[a][k];
}

static void resultants_are_those_of_a_view(const elastica_rod_view *view) {
  double strain[3], expected[3];
  for (int j = 0; j < view->element_count; j++) {
    const eli_elastic_constants law = eli_element_constants(view, j);
    get(view->strain, j, strain);
    eli_law_resultant(&law, strain, expected);
    for (int a = 0; a < 3; a++) assert_close(view->force[a][j], expected[a], 1e-14 * law.stiffness[a]);
  }
  for (int k = 0; k < view->joint_count; k++) {
    const eli_elastic_constants law = eli_joint_constants(view, k);
    get(view->curvature, k, strain);
    eli_law_resultant(&law, strain, expected);
    for (int a = 0; a < 3; a++) assert_close(view->couple[a][k], expected[a], 1e-14 * law.stiffness[a] / law.length);
  }
}

TEST(kernels_take_the_resultants_of_the_law) {
  claim_of_views(resultants_are_those_of_a_view);
}

/* In the rescaled law only joints have an energy with their couple as its gradient. */
static void couple_is_slope_of_energy(const elastica_rod_view *view) {
  for (int k = 0; k < view->joint_count; k++) {
    const eli_elastic_constants law = eli_joint_constants(view, k);
    double kappa[3], tau[3];
    get(view->curvature, k, kappa);
    eli_law_resultant(&law, kappa, tau);
    for (int a = 0; a < 3; a++) {
      const double h = 1e-4 / law.length, now = kappa[a];
      kappa[a] = now + h;
      const double above = eli_twice_joint_energy(&law, kappa);
      kappa[a] = now - h;
      const double below = eli_twice_joint_energy(&law, kappa);
      kappa[a] = now;
      assert_close(0.5 * (above - below) / (2.0 * h) / law.length, tau[a], 1e-10 * law.stiffness[a] / law.length);
    }
  }
}

TEST(the_couple_is_the_slope_of_the_energy) {
  claim_of_views(couple_is_slope_of_energy);
}

static void turns_give_couple_and_energy(const elastica_rod_view *view) {
  for (int k = 0; k < view->joint_count; k++) {
    const eli_elastic_constants law = eli_joint_constants(view, k);
    eli_bent_joint turned;
    double kappa[3], tau[3], theta[3];
    get(view->curvature, k, kappa);
    eli_law_resultant(&law, kappa, tau);
    for (int a = 0; a < 3; a++) theta[a] = law.length * kappa[a];
    eli_bend_by(&turned, &law, theta);
    for (int a = 0; a < 3; a++) assert_close(turned.couple[a], tau[a], 1e-14 * law.stiffness[a] / law.length);
    const double energy = eli_twice_joint_energy(&law, kappa);
    assert_close(2.0 * eli_bend_energy(&turned), energy, 1e-13 * energy);
    assert_true(eli_bend_bound(&turned, 1.0) >= turned.spring[0] && eli_bend_bound(&turned, 1.0) >= turned.spring[2]);
  }
}

TEST(angles_give_the_couple_and_the_energy_of_curvatures) {
  claim_of_views(turns_give_couple_and_energy);
}

/* The largest bound of the stiffness of a joint of unit stiffness that turns by this angle about any axis. */
static double bound_at(double theta, int exact) {
  eli_elastic_constants law = {{1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}, 1.0, 1.0};
  double most = 0.0;
  for (int a = 0; a < 3; a++) {
    const double turn[3] = {a == 0 ? theta : 0.0, a == 1 ? theta : 0.0, a == 2 ? theta : 0.0}, half = sin(0.5 * theta);
    eli_bent_joint turned;
    eli_bend_by(&turned, &law, turn);
    const double bound = eli_bend_bound(&turned, eli_bend_bound_factor(0.25 * theta * theta, half * half, exact));
    if (bound > most) most = bound;
  }
  return most;
}

TEST(joints_within_the_watched_angle_stiffen_by_the_watched_growth) {
  for (int exact = 0; exact < 2; exact++)
    for (double theta = 0.0; theta < 2.9; theta += 0.01) {
      const double before = bound_at(theta, exact), watched = eli_watched_turn(theta);
      for (double later = theta; later <= watched; later += 0.01)
        assert_true(bound_at(later, exact) <= (1.0 + ELI_WATCHED_GROWTH) * before);
    }
}

/* tau is proportional to 1/E^3, and D = Dhat E. */
static void couple_falls_with_length(const elastica_rod_view *view) {
  for (int k = 0; k < view->joint_count; k++) {
    eli_elastic_constants law = eli_joint_constants(view, k);
    double kappa[3], tau[3], above[3], below[3];
    get(view->curvature, k, kappa);
    eli_law_resultant(&law, kappa, tau);
    const double D = 0.5 * (view->length[eli_element_before(view, k)] + view->length[eli_element_after(view, k)]), h = 1e-5 * D;
    const double rescaling[2] = {eli_joint_rescaling((D + 0.25 * h) / law.length), eli_joint_rescaling((D - 0.25 * h) / law.length)};
    if (!view->classical_law) law.rescaling = rescaling[0];
    eli_law_resultant(&law, kappa, above);
    if (!view->classical_law) law.rescaling = rescaling[1];
    eli_law_resultant(&law, kappa, below);
    for (int a = 0; a < 3; a++)
      assert_close((below[a] - above[a]) / h, view->classical_law ? 0.0 : tau[a] * ELI_COUPLE_BY_LENGTH / D,
                   1e-8 * law.stiffness[a] / D / D);
  }
}

TEST(a_longer_element_weakens_the_couple_of_the_rescaled_law) {
  claim_of_views(couple_falls_with_length);
}

/* n = (S/lhat) Q d - S (sigma0 + d3) and tau = (2 B/Dhat) half - B kappa0. */
TEST(the_factors_of_the_kernels_are_those_of_the_law) {
  const eli_elastic_constants law = {{3.0, 5.0, 7.0}, {0.1, -0.2, 0.05}, 0.4, 1.0};
  const double strain[3] = {0.3, 0.1, -0.15};
  double resultant[3];
  eli_law_resultant(&law, strain, resultant);
  for (int a = 0; a < 3; a++) {
    const double edge = law.length * (strain[a] + (a == 2 ? 1.0 : 0.0)), half = 0.5 * law.length * strain[a];
    const double K = law.stiffness[a], per_length = 1.0 / law.length;
    assert_close(eli_stiffness_per_length(K, per_length) * edge - eli_rest_stress(K, law.rest[a], a), resultant[a], 1e-14);
    assert_close(eli_bend_per_half_angle(K, per_length) * half - eli_rest_couple(K, law.rest[a]), resultant[a], 1e-14);
  }
}

/* The dilatation under a tension is the dilatation with that stress. */
TEST(a_tension_gives_the_dilatation_that_bears_it) {
  for (int k = 0; k < LAWS; k++) {
    elastica_rod *rod;
    elastica_world *world = make_scene(k, 0, &rod);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const double tension = 0.2 * view->shear_stiffness[2][3], e = eli_dilatation_under(view, 3, tension);
    eli_elastic_constants law = eli_element_constants(view, 3);
    double strain[3] = {0.0, 0.0, e - 1.0}, n[3];
    if (!view->classical_law) law.rescaling = e;
    eli_law_resultant(&law, strain, n);
    assert_close(n[2], tension, 1e-13 * tension);
    elastica_world_destroy(world);
  }
}

/* The frames of an element fall over where its tension S3 (e - 1 - sigma0) exceeds S1 e, for the softer shear stiffness; never if that is
 * not softer than S3. */
TEST(frames_fall_over_at_the_softer_shear_stiffness) {
  const double zero[1] = {0.0}, low[1] = {2.0}, middle[1] = {3.0}, high[1] = {10.0}, rest[1] = {0.1};
  elastica_rod_view view;
  memset(&view, 0, sizeof view);
  view.rest_strain[0] = view.rest_strain[1] = zero, view.rest_strain[2] = rest;
  for (int k = 0; k < 2; k++) {
    view.shear_stiffness[k] = low, view.shear_stiffness[1 - k] = middle, view.shear_stiffness[2] = high;
    const double e = eli_falling_dilatation(&view, 0);
    assert_close(10.0 * (e - 1.0 - 0.1), 2.0 * e, 1e-14);
    view.shear_stiffness[2] = low;
    assert_true(eli_falling_dilatation(&view, 0) == (double)INFINITY);
  }
}
