/* Runs in many calls keep the energy: calls of equal duration take equal steps, and whole working steps follow a clock with uneven
 * ticks.
 */
#include "measured.h"

/* An undamped rubber rope, held at one end, that swings from 45 degrees. */
static elastica_world *make_rope(void) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_conservative_world();
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  def.element_count = 10;
  def.length = 1.0, def.radius = 0.01;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  def.direction[0] = 1.0, def.direction[2] = -1.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  return world;
}

#ifdef __SANITIZE_ADDRESS__
#define SECONDS 3
#else
#define SECONDS 60
#endif

/* Largest |E - E0| at each full second, in calls of 1/rate. */
static double error_in_pieces(int rate) {
  elastica_world *world = make_rope();
  const double start = total_energy(world);
  double largest = 0.0;
  for (int s = 1; s <= SECONDS; s++) {
    for (int k = 0; k < rate; k++) must(world, elastica_world_advance(world, 1.0 / rate));
    largest = fmax(largest, fabs(total_energy(world) - start));
  }
  assert_close(elastica_world_get(world).time, SECONDS, 1e-9);
  elastica_world_destroy(world);
  return largest;
}

/* The variation of the energy of a chaotic swing from run to run, compared with m g L/2 = 1.5 J. */
static const double wander = 2e-6 * 1.5;

TEST(calls_of_one_duration_keep_the_energy) {
  const double whole = error_in_pieces(1);
  assert_between(whole, 0.0, 1e-4 * 1.5);
  assert_between(error_in_pieces(60), 0.0, 2.0 * whole + wander);
  assert_between(error_in_pieces(1000), 0.0, 2.0 * whole + wander);
}

TEST(calls_of_one_duration_take_one_step) {
  elastica_world *world = make_rope();
  double last = 0.0;
  int changes = 0;
  for (int k = 0; k < 60; k++) {
    const long before = elastica_world_get(world).step_count;
    must(world, elastica_world_advance(world, 1.0 / 60.0));
    const double dt = 1.0 / 60.0 / (double)(elastica_world_get(world).step_count - before);
    if (dt != last) changes++;
    last = dt;
    assert_true(dt <= elastica_world_get(world).working_step * (1.0 + 1e-9) || changes > 0);
  }
  assert_true(changes <= 10); /* changes of the working step, which decreases with the limit as the rope gains speed */
  elastica_world_destroy(world);
}

/* Ticks of 0.1 to 20 ms. */
TEST(uneven_ticks_are_followed) {
  elastica_world *world = make_rope();
  const double start = total_energy(world), bound = 2.0 * error_in_pieces(1) + wander;
  random_source source = {5};
  double clock = 0.0, largest = 0.0;
  for (int tick = 1; clock < SECONDS; tick++) {
    elastica_run_result result;
    double number[3];
    random_vector(&source, 1.0, number);
    clock += 0.0001 + 0.01 * fabs(number[0]);
    must(world, follow_clock(world, clock, &result));
    assert_close(result.lag, clock - elastica_world_get(world).time, 0.0);
    assert_between(result.lag, -1e-9 * elastica_world_get(world).working_step, elastica_world_get(world).working_step);
    if (tick % 100 == 0) largest = fmax(largest, fabs(total_energy(world) - start));
  }
  assert_between(largest, 0.0, bound);
  elastica_world_destroy(world);
}

TEST(a_clock_that_stands_takes_no_step) {
  elastica_world *world = make_rope();
  elastica_run_result result;
  must(world, follow_clock(world, 0.1, NULL));
  const long steps = elastica_world_get(world).step_count;
  must(world, follow_clock(world, 0.1, NULL));
  must(world, follow_clock(world, 0.05, &result));
  assert_true(result.lag < 0.0);
  assert_int_equal(elastica_world_get(world).step_count, steps);
  elastica_world_destroy(world);
  world = make_world(NULL); /* nothing in this world bounds a step */
  must(world, follow_clock(world, 2.5, &result));
  assert_close(result.lag, 0.0, 0.0);
  assert_close(elastica_world_get(world).time, 2.5, 0.0);
  elastica_world_destroy(world);
}

/* The limit may change in the middle of a call; the remaining time is divided again, and the call ends at its time. */
TEST(a_call_ends_at_its_duration) {
  elastica_world *world = make_rope();
  double end = 0.0;
  for (int k = 1; k <= 40; k++) {
    must(world, elastica_world_advance(world, 0.01 * k));
    end += 0.01 * k;
    assert_close(elastica_world_get(world).time, end, 0.0);
  }
  elastica_world_destroy(world);
}
