/* Claims about muscles with couples about a laboratory axis, and about all kinds of muscles together. */
#include "base/target.h"

#include "measured.h"
#include "threads.h"

static const double pi = 3.14159265358979324;

static elastica_muscle_def wave(elastica_muscle_kind kind, int axis, const double *amplitude) {
  elastica_muscle_def def = muscle_of(kind, axis, amplitude);
  def.period = 0.2;
  def.wavenumber = 5.0;
  def.phase = 0.4;
  return def;
}

static void random_amplitude(double *amplitude, double size, uint64_t seed) {
  random_source source = {seed};
  for (int k = 0; k < SAMPLE_ELEMENTS; k++) amplitude[k] = random_between(&source, 0.5 * size, size);
}

/* A rod along z with an angle between d1 and x. */
static elastica_rod *add_rolled_rod(elastica_world *world, double roll) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 12;
  def.length = 0.6, def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e5;
  def.normal[0] = cos(roll), def.normal[1] = sin(roll), def.normal[2] = 0.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* State after some time under a wave about d1, or about x. */
static void bend(elastica_muscle_kind kind, double roll, rod_state *state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rolled_rod(world, roll);
  double amplitude[SAMPLE_ELEMENTS];
  random_amplitude(amplitude, 0.3, 4);
  const elastica_muscle_def def = wave(kind, 0, amplitude);
  must(world, elastica_add_muscle(world, rod, &def, NULL));
  must(world, elastica_world_step(world, 2e-4, 300));
  read_state(rod, state);
  elastica_world_destroy(world);
}

TEST(plane_bending_is_that_of_a_couple_about_a_director) {
  rod_state director, laboratory;
  bend(ELASTICA_MUSCLE_COUPLE, 0.0, &director);
  bend(ELASTICA_MUSCLE_LABORATORY_COUPLE, 0.0, &laboratory);
  assert_true(fabs(laboratory.position[component(6, Y)] - laboratory.position[component(0, Y)]) > 1e-3); /* it bends, in y and z */
  assert_all_close(director.position, laboratory.position, 39, 1e-11);
  assert_all_close(director.director, laboratory.director, 108, 1e-11);
  assert_all_close(director.omega, laboratory.omega, 36, 1e-9);
}

/* The section is round, so that rolling the frames about the axis changes nothing for a laboratory axis; about a director the rod bends
 * in another direction. */
TEST(roll_of_the_frames_does_not_matter) {
  rod_state plain, rolled, director;
  bend(ELASTICA_MUSCLE_LABORATORY_COUPLE, 0.0, &plain);
  bend(ELASTICA_MUSCLE_LABORATORY_COUPLE, 1.1, &rolled);
  bend(ELASTICA_MUSCLE_COUPLE, 1.1, &director);
  assert_all_close(plain.position, rolled.position, 39, 1e-11);
  assert_all_close(plain.velocity, rolled.velocity, 39, 1e-9);
  assert_true(fabs(director.position[0] - rolled.position[0]) > 1e-3);
}

static void add_upright_muscles(elastica_world *world, elastica_rod *rod, double size, elastica_effect **out) {
  double amplitude[SAMPLE_ELEMENTS];
  for (int axis = 0; axis < 3; axis++) {
    random_amplitude(amplitude, size, (uint64_t)axis);
    const elastica_muscle_def def = wave(ELASTICA_MUSCLE_LABORATORY_COUPLE, axis, amplitude);
    must(world, elastica_add_muscle(world, rod, &def, out ? &out[axis] : NULL));
  }
}

static void add_sample_of(elastica_world *world, int closed, elastica_rod **out) {
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  recipe.speed = recipe.spin = 0.0;
  if (closed) {
    make_sample_ring(&sample, 8, 5);
    memset(sample.velocity, 0, sizeof sample.velocity);
    memset(sample.omega, 0, sizeof sample.omega);
  } else {
    make_sample(&sample, 9, 4, &recipe);
  }
  *out = add_sample(world, &sample);
}

/* Opposite couples: the muscles' contribution to the rate of angular momentum vanishes, on open rods and on rings. */
TEST(couples_come_in_pairs) {
  for (int closed = 0; closed < 2; closed++) {
    elastica_totals after[2];
    for (int with = 0; with < 2; with++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = NULL;
      add_sample_of(world, closed, &rod);
      if (with) add_upright_muscles(world, rod, 0.5, NULL);
      must(world, elastica_world_step(world, 1e-7, 1));
      must(world, elastica_world_get_totals(world, &after[with]));
      elastica_world_destroy(world);
    }
    assert_all_close(after[1].angular, after[0].angular, 3, 1e-12); /* a single couple gives 5e-8 */
    assert_all_close(after[1].linear, after[0].linear, 3, 1e-12);
  }
}

static int fill_with_rod_and_ring(elastica_world *world, elastica_effect *effects[MOST_ACTIVE]) {
  for (int closed = 0; closed < 2; closed++) {
    elastica_rod *rod = NULL;
    add_sample_of(world, closed, &rod);
    add_upright_muscles(world, rod, 0.1, effects + 3 * closed);
  }
  return 6;
}

TEST(power_is_the_energy_that_is_put_in) {
  assert_power_is_what_is_put_in(fill_with_rod_and_ring, 0.01);
}

/* Neighbouring joints of equal sign nearly cancel; those of opposite sign add, and shorten the step. */
TEST(the_step_limit_counts_couples_that_do_not_cancel) {
  double amplitude[SAMPLE_ELEMENTS], dt[3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rolled_rod(world, 0.0);
    elastica_step_limit limit;
    for (int j = 0; j < SAMPLE_ELEMENTS; j++) amplitude[j] = k == 0 ? 0.0 : k == 1 || j % 2 == 0 ? 100.0 : -100.0;
    elastica_muscle_def def = wave(ELASTICA_MUSCLE_LABORATORY_COUPLE, 1, amplitude);
    def.wavenumber = 0.0;
    def.phase = 0.5 * pi;
    must(world, elastica_add_muscle(world, rod, &def, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    dt[k] = limit.dt;
    elastica_world_destroy(world);
  }
  assert_true(dt[1] < dt[0]); /* the first and the last element have one neighbour */
  assert_true(dt[2] < dt[1]);
}

TEST(bits_do_not_depend_on_workers) {
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    elastica_world_def world_def = default_world();
    world_def.worker_count = 1 + 2 * k;
    world_def.tile_size = k == 0 ? 256 : 7;
    elastica_world *world = make_world(&world_def);
    share_all_work(world);
    for (int r = 0; r < 4; r++) {
      elastica_rod *rod = NULL;
      double amplitude[SAMPLE_ELEMENTS];
      random_amplitude(amplitude, 0.1, (uint64_t)r);
      add_sample_of(world, r % 2, &rod);
      add_upright_muscles(world, rod, 0.1, NULL);
      for (int kind = 0; kind < 2; kind++) {
        const elastica_muscle_def def = wave((elastica_muscle_kind)kind, r % 3, amplitude);
        must(world, elastica_add_muscle(world, rod, &def, NULL));
      }
    }
    must(world, elastica_world_step(world, 1e-4, 50));
    hash[k] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}
