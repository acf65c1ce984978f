/* Claims about contraction. */
#include "measured.h"

static const double pi = 3.14159265358979324;

static elastica_contraction_def pull(double force) {
  DEFAULTS(contraction, def);
  def.maximum_force = force;
  return def;
}

/* A fibre along z with 10 elements of 0.02 m; its stiffness is E A = 4.52 N for E = 1e4 Pa. */
static elastica_rod *add_fibre(elastica_world *world, double youngs_modulus) {
  return add_straight_rod(world, 10, 0.2, 0.012, 1060.0, youngs_modulus, 0.4 * youngs_modulus);
}

static void relax(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(dissipation, def);
  def.translation = 50.0;
  must(world, elastica_add_dissipation(world, rod, &def, NULL));
  must(world, elastica_world_advance(world, 2.0));
}

/* E A (1/e - 1) = F, so e = 1/(1 + F/EA): 0.6935 for 2 N, as in the published pulling muscle (measured there: 0.6936). */
TEST(a_free_fibre_shortens_until_it_is_in_balance) {
  elastica_world *world = make_papers_world();
  elastica_rod *rod = add_fibre(world, 1e4);
  elastica_contraction_def def = pull(2.0);
  def.first = 3, def.last = 6;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  relax(world, rod);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double e = 1.0 / (1.0 + 2.0 / (1e4 * pi * 0.012 * 0.012));
  assert_close(e, 0.6935, 1e-4);
  for (int j = 0; j < 10; j++) assert_close(view->dilatation[j], j >= 3 && j <= 6 ? e : 1.0, 1e-9);
  elastica_world_destroy(world);
}

/* Internal force on the first node, along the fibre. */
static double held_force(elastica_world *world, elastica_rod *rod) {
  must(world, elastica_rod_refresh(rod));
  return elastica_rod_get_view(rod)->internal_force[2][0];
}

static void stretch_to(elastica_world *world, elastica_rod *rod, double x) {
  double position[33] = {0};
  for (int i = 0; i <= 10; i++) position[component(i, Z)] = 0.02 * x * i;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
}

/* The published fibre of a biceps below its optimal length, R(l/l_optimal). */
TEST(the_isometric_force_follows_the_polynomial) {
  const double length[5] = {0.5, 0.6, 0.7, 0.8, 0.95}, share[5] = {0.115, 0.430, 0.674, 0.846, 0.968};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 1e-6);
  elastica_contraction_def def = pull(43.38);
  def.force_length[0] = -2.6 + 50.0 / 600.0 - 0.027;
  def.force_length[1] = 7.2 - 50.0 / 600.0;
  def.force_length[2] = -3.6;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  for (int k = 0; k < 5; k++) {
    stretch_to(world, rod, length[k]);
    assert_close(held_force(world, rod), 43.38 * share[k], 43.38 * 5e-4);
  }
  stretch_to(world, rod, 0.3); /* -0.784 of it: muscles do not push */
  assert_close(held_force(world, rod), 0.0, 1e-6);
  elastica_world_destroy(world);
}

TEST(the_optimal_length_scales_the_polynomial) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 1e-6);
  elastica_contraction_def def = pull(3.0);
  def.force_length[0] = 0.0;
  def.force_length[1] = 1.0; /* F = F_max l/l_optimal */
  def.optimal_length = 0.15;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  assert_close(held_force(world, rod), 3.0 * 0.2 / 0.15, 1e-12);
  elastica_world_destroy(world);
}

/* On a bent, sheared, stretched rod: forces along the edges of the contracted run, no couples on the frames, and zero sums of forces and
 * moments. */
TEST(tension_lies_along_the_edges) {
  elastica_world *world = make_world(NULL);
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  double force[3][10], couple[3][9], sum[3] = {0}, torque[3] = {0};
  elastica_contraction_def def = pull(7.0);
  def.first = 2, def.last = -2; /* 2..7 */
  make_sample(&sample, 9, 4, &recipe);
  elastica_rod *rod = add_sample(world, &sample);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  must(world, elastica_rod_refresh(rod));
  for (int a = 0; a < 3; a++) {
    memcpy(force[a], view->internal_force[a], sizeof force[a]);
    memcpy(couple[a], view->internal_couple[a], sizeof couple[a]);
  }
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  must(world, elastica_rod_refresh(rod));
  for (int i = 0; i < 10; i++) {
    double f[3], moment[3], r[3];
    for (int a = 0; a < 3; a++) {
      const double after = i >= 2 && i <= 7 ? view->tangent[a][i] : 0.0, before = i >= 3 && i <= 8 ? view->tangent[a][i - 1] : 0.0;
      f[a] = view->internal_force[a][i] - force[a][i];
      r[a] = view->position[a][i];
      assert_close(f[a], 7.0 * (after - before), 1e-11);
      sum[a] += f[a];
    }
    cross(r, f, moment);
    for (int a = 0; a < 3; a++) torque[a] += moment[a];
  }
  for (int a = 0; a < 3; a++) {
    assert_close(sum[a], 0.0, 1e-12);
    assert_close(torque[a], 0.0, 1e-12);
    assert_all_close(view->internal_couple[a], couple[a], 9, 1e-12);
  }
  elastica_world_destroy(world);
}

static int fill_with_rod_and_ring(elastica_world *world, elastica_effect *effects[MOST_ACTIVE]) {
  elastica_contraction_def def = pull(40.0);
  def.first = 1;
  def.force_length[0] = -1.0, def.force_length[1] = 3.0, def.force_length[2] = -1.0;
  must(world, elastica_add_contraction(world, add_usual_rod(world), &def, &effects[0]));
  def.first = 0;
  must(world, elastica_add_contraction(world, add_usual_ring(world), &def, &effects[1]));
  return 2;
}

TEST(power_is_the_energy_that_is_put_in) {
  assert_power_is_what_is_put_in(fill_with_rod_and_ring, 0.02);
}

/* The influence of each parameter on the stable step: just below the new limit noise does not grow. A rising force-length curve is a
 * spring; its stiffness is not bounded by the softness of the fibre. */
TEST(the_step_limit_counts_tension_and_slope) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_papers_world();
    elastica_rod *rod = add_fibre(world, 1e4);
    elastica_contraction_def def = pull(k == 0 ? 30.0 : 1.0);
    elastica_step_limit bare, limit;
    random_source source = {5};
    double velocity[33], largest = 0.0;
    for (int end = 0; k == 0 && end < 2; end++) { /* case 0 is a string; the other starts in equilibrium */
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.node = -end;
      must(world, elastica_add_boundary(world, rod, &pin, NULL));
    }
    if (k == 1) {
      const double x = 1.0 / (1.0 + 1.0 / (1e4 * pi * 0.012 * 0.012)); /* in equilibrium with 1 N */
      stretch_to(world, rod, x);
      def.force_length[0] = 1.0 - 2000.0 * x, def.force_length[1] = 2000.0;
    }
    must(world, elastica_world_step_limit(world, &bare));
    must(world, elastica_add_contraction(world, rod, &def, NULL));
    DEFAULTS(dissipation, calm);
    calm.translation = 0.1;
    must(world, elastica_add_dissipation(world, rod, &calm, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    assert_true(limit.dt < 0.9 * bare.dt);
    assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
    for (int i = 0; i <= 10; i++) random_vector(&source, 1e-6, velocity + 3 * i);
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
    for (int step = 0; step < 40; step++) {
      must(world, elastica_world_step_limit(world, &limit));
      must(world, elastica_world_step(world, 0.99 * limit.dt, 50));
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      for (int a = 0; a < 3; a++)
        for (int i = 0; i <= 10; i++) largest = fmax(largest, fabs(view->velocity[a][i]));
    }
    assert_true(largest < 1e-4);
    elastica_world_destroy(world);
  }
}

typedef struct clock_work {
  double time, x;
  int fail;
} clock_work;

static elastica_status beat(void *user, double time, double x, double *activation) {
  clock_work *seen = user;
  seen->time = time;
  seen->x = x;
  *activation *= fabs(sin(pi * time));
  if (seen->fail == 2) *activation = (double)NAN;
  if (seen->fail == 3) *activation = -0.25;
  return seen->fail == 1 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK;
}

TEST(a_function_may_set_the_activation) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 0.2, 0.012, 1e15, 1e-6, 0.4e-6);
  elastica_contraction_def def = pull(2.0);
  clock_work seen = {-1.0, -1.0, 0};
  def.function = beat;
  def.user = &seen;
  def.activation = 0.5;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  must(world, elastica_world_step(world, 0.01, 25));
  assert_close(seen.time, 0.245, 1e-14);
  assert_close(held_force(world, rod), sin(0.25 * pi), 1e-13);
  assert_close(seen.time, 0.25, 1e-14);
  assert_close(seen.x, 1.0, 1e-10);
  seen.fail = 1;
  assert_status(world, elastica_world_step(world, 0.01, 1), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "\"contraction\"", "add_resultants", "its function returned INVALID_ARGUMENT");
  elastica_world_destroy(world);
}

/* Also the activation in the definition: muscles do not push. */
TEST(an_activation_that_is_negative_or_no_number_is_named) {
  for (int fail = 2; fail <= 3; fail++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_fibre(world, 1e4);
    elastica_contraction_def def = pull(2.0);
    clock_work seen = {-1.0, -1.0, 0};
    def.activation = -0.5;
    assert_status(world, elastica_add_contraction(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT);
    assert_says(elastica_world_message(world), "contraction_def.activation", "negative", "-0.5");
    def.activation = 0.5;
    def.function = beat;
    def.user = &seen;
    must(world, elastica_add_contraction(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 1e-5, 1));
    seen.fail = fail;
    assert_status(world, elastica_world_step(world, 1e-5, 1), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "add_resultants", "wrote the activation", fail == 2 ? "nan" : "-0.25", "not >= 0");
    elastica_world_destroy(world);
  }
}

/* Between held ends; the force on node i is F (w_i - w_{i-1}). The same holds after a set without shares, and after a set with shares
 * again. */
TEST(elements_take_their_shares) {
  static const double share[3] = {0.5, 2.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_fibre(world, 1e-6);
  elastica_effect *effect = NULL;
  elastica_contraction_def def = pull(3.0);
  def.first = 4, def.last = 6;
  def.share = share;
  must(world, elastica_add_contraction(world, rod, &def, &effect));
  for (int change = 0; change < 2; change++) {
    must(world, elastica_rod_refresh(rod));
    const double *force = elastica_rod_get_view(rod)->internal_force[2];
    for (int i = 0; i <= 10; i++) {
      const double before = i > 4 && i <= 7 ? (change == 1 ? 1.0 : share[i - 5]) : 0.0;
      const double after = i >= 4 && i < 7 ? (change == 1 ? 1.0 : share[i - 4]) : 0.0;
      assert_close(force[i], 3.0 * (after - before), 1e-12);
    }
    def.share = NULL;
    if (change == 0) must(world, elastica_contraction_set(effect, &def));
  }
  elastica_world_destroy(world);
}

TEST(everything_can_be_changed_in_mid_run) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 0.2, 0.012, 1e15, 1e-6, 0.4e-6);
  elastica_effect *effect = NULL;
  elastica_contraction_def def = pull(2.0);
  must(world, elastica_add_contraction(world, rod, &def, &effect));
  must(world, elastica_world_step(world, 0.01, 5));
  assert_close(held_force(world, rod), 2.0, 1e-13);
  def = pull(3.0);
  def.activation = 0.25;
  must(world, elastica_contraction_set(effect, &def));
  assert_close(held_force(world, rod), 0.75, 1e-13);
  def.first = 1;
  must(world, elastica_contraction_set(effect, &def));
  assert_close(held_force(world, rod), 0.0, 1e-13);
  elastica_world_destroy(world);
}

TEST(a_snapshot_restores_the_optimal_length) {
  static unsigned char bytes[1 << 16];
  elastica_world *world[2];
  elastica_rod *rod[2];
  elastica_effect *effect[2];
  elastica_contraction_def def = pull(3.0);
  def.force_length[0] = 0.0, def.force_length[1] = 1.0; /* F = F_max l/l_optimal */
  for (int k = 0; k < 2; k++) {
    world[k] = make_world(NULL);
    rod[k] = add_fibre(world[k], 1e-6);
    must(world[k], elastica_add_contraction(world[k], rod[k], &def, &effect[k]));
  }
  def.optimal_length = 0.15;
  must(world[0], elastica_contraction_set(effect[0], &def));
  must(world[0], elastica_world_snapshot_save(world[0], bytes, sizeof bytes, NULL));
  must(world[1], elastica_world_snapshot_load(world[1], bytes, size_of_snapshot(world[0])));
  for (int k = 0; k < 2; k++) {
    assert_close(held_force(world[k], rod[k]), 3.0 * 0.2 / 0.15, 1e-12);
    elastica_world_destroy(world[k]);
  }
}
