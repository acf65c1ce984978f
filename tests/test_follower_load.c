/* A user's force: a load that follows the tip (Beck's column). It has no potential, and its rod does not buckle but flutters, at 20.05
 * EI/L^2, eight times the load 2.47 EI/L^2 at which a dead load buckles it (Timoshenko and Gere, section 2.21).
 */
#include "support.h"

/* A force that keeps its components on the frame of the last element. */
typedef struct follower_load {
  double force[3]; /* [N] material */
} follower_load;

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const follower_load *load = self;
  double force[3];
  (void)now;
  elastica_rotate_to_laboratory(rod, rod->element_count - 1, load->force, force);
  for (int a = 0; a < 3; a++) loads->force[a][rod->element_count] += force[a];
  return ELASTICA_OK;
}

static void add_follower_load(elastica_world *world, elastica_rod *rod, const follower_load *load) {
  elastica_module module = module_named("follower_load");
  module.self = load;
  module.self_size = sizeof *load;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_loads = add_loads;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

/* The largest sideways displacement of the tip [L] within some periods, of a clamped column displaced by a ten-thousandth of its length,
 * under a load in units of EI/L^2. */
static double sway(double load, int follows) {
  const double radius = 0.02, youngs_modulus = 1e6, bend = youngs_modulus * 3.14159265358979324 * radius * radius * radius * radius / 4.0;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, radius, 1000.0, youngs_modulus, youngs_modulus / 3.0);
  double velocity[3 * 21] = {0.0}, largest = 0.0;
  clamp_first_end(world, rod);
  velocity[3 * 20] = 1e-3;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  if (follows) {
    const follower_load push = {{0.0, 0.0, -load * bend}};
    add_follower_load(world, rod, &push);
  } else {
    DEFAULTS(point_load, push);
    push.force[2] = -load * bend;
    must(world, elastica_add_point_load(world, rod, &push, NULL));
  }
  for (int k = 0; k < 100; k++) {
    must(world, elastica_world_advance(world, 0.2));
    const double x = fabs(elastica_rod_get_view(rod)->position[0][20]);
    if (x > largest) largest = x;
  }
  elastica_world_destroy(world);
  return largest;
}

TEST(dead_load_buckles_beyond_eulers_load) {
  assert_between(sway(2.0, 0), 0.0, 2e-3);
  assert_between(sway(5.0, 0), 0.1, 1.0);
}

TEST(follower_load_does_not_buckle_at_six_times_eulers_load) {
  assert_between(sway(15.0, 1), 0.0, 2e-3);
}

TEST(follower_load_flutters_beyond_becks_load) {
  assert_between(sway(22.0, 1), 0.1, 1.0);
}

/* A cantilever under a couple at its tip, which follows the frame or keeps its direction: scaling all forces by a power of two changes no
 * number of the search for its equilibrium. */
TEST(the_unit_of_force_does_not_matter_at_rest) {
  double where[4][21];
  long evaluations[4];
  for (int k = 0; k < 4; k++) {
    const double unit = k % 2 ? 0x1p-30 : 1.0;
    elastica_relax_result result;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0 * unit, 1e6 * unit, 0.4e6 * unit);
    clamp_first_end(world, rod);
    DEFAULTS(point_load, load);
    load.force[0] = 0.05 * unit, load.couple[0] = 0.1 * unit, load.couple[2] = 0.05 * unit;
    load.couple_in_laboratory = k / 2;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_world_relax(world, NULL, &result));
    evaluations[k] = result.evaluations;
    for (int i = 0; i <= 20; i++) where[k][i] = elastica_rod_get_view(rod)->position[0][i];
    elastica_world_destroy(world);
  }
  for (int k = 0; k < 4; k += 2) {
    assert_int_equal(evaluations[k], evaluations[k + 1]);
    assert_memory_equal(where[k], where[k + 1], sizeof where[0]);
  }
}
