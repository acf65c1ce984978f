/* Springs with a kink, at which a cable goes slack or a muscle would push: steps chosen by the library add no energy. */
#include "measured.h"

enum { ELEMENTS = 20, STEPS = 50000 };

/* A free rod with irregular axial vibrations. */
static elastica_rod *add_swinging_rod(elastica_world *world) {
  double velocity[3 * (ELEMENTS + 1)] = {0};
  elastica_rod *rod = add_straight_rod(world, ELEMENTS, 0.2, 0.005, 1000.0, 1e6, 0.4e6);
  for (int i = 0; i <= ELEMENTS; i++) velocity[component(i, Z)] = 1e-2 * sin(2.7 * i);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  return rod;
}

static double stretch_stiffness(const elastica_rod *rod) {
  return elastica_rod_get_view(rod)->shear_stiffness[2][0];
}

/* The largest energy during the run divided by the initial energy. */
static double growth_of(elastica_world *world, double share, double (*energy)(elastica_world *world)) {
  const double first = energy(world), dt = share * limit_of(world).dt;
  double most = first;
  for (int k = 0; k < STEPS / 100; k++) {
    must(world, elastica_world_step(world, dt, 100));
    if (energy(world) > most) most = energy(world);
  }
  return most / first;
}

/* A cable over two elements, taut while longer than at rest: at 0.8 of a limit that counts its stiffness once, the energy grows by 1.5e5
 * and 1.6e6 for stiffnesses of 8.1 and 72.9. */
TEST(a_cable_between_slack_and_taut_feeds_no_energy) {
  static const double stiffness[] = {0.9, 2.7, 8.1, 24.3, 72.9}; /* relative to that of an element */
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_conservative_world();
    elastica_rod *rod = add_swinging_rod(world);
    elastica_anchor guides[2] = {{.rod = rod, .element = 9}, {.rod = rod, .element = 10, .share = 1.0}};
    DEFAULTS(tendon, def);
    def.guides = guides;
    def.guide_count = 2;
    def.stiffness = stiffness[k] * stretch_stiffness(rod) / 0.01;
    must(world, elastica_add_tendon(world, &def, NULL));
    assert_between(growth_of(world, 0.8, total_energy), 1.0, 1.3);
    elastica_world_destroy(world);
  }
}

/* The tension F g (x - 1) of one element; its potential is that of a spring. */
typedef struct puller {
  double stiffness, from; /* [N]; [s] the time at which the tension begins to rise, over the time rise [s] */
  double rise;
} puller;

static elastica_status activate(void *user, double time, double x, double *activation) {
  const puller *of = user;
  (void)x;
  *activation = time < of->from ? 0.0 : of->rise > 0.0 && time < of->from + of->rise ? (time - of->from) / of->rise : 1.0;
  return ELASTICA_OK;
}

static elastica_rod *pull_one_element(elastica_world *world, puller *of, double gain) {
  elastica_rod *rod = add_swinging_rod(world);
  DEFAULTS(contraction, def);
  def.first = def.last = 10;
  def.maximum_force = of->stiffness = gain * stretch_stiffness(rod);
  def.force_length[0] = -1.0;
  def.force_length[1] = 1.0;
  def.function = activate;
  def.user = of;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
  return rod;
}

/* Energy of motion and strain only; the muscle temporarily holds less than these. At 0.8 of a limit that counts the slope once, their
 * energy grows by 4e5 for a stiffness of 3.6. */
TEST(a_muscle_that_does_not_push_feeds_no_energy) {
  static const double gain[] = {1.0, 3.6, 10.0, 100.0};
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_conservative_world();
    puller of = {0.0, 0.0, 0.0};
    pull_one_element(world, &of, gain[k]);
    assert_between(growth_of(world, 0.8, mechanical_energy), 1.0, 4.0);
    elastica_world_destroy(world);
  }
}

/* The slope of the muscle counts from its activation on, although it may not pull at first: it adds its energy at that strain, a few
 * times that of the rod. With the slope ignored, it added 5e4 times as much. */
TEST(a_slope_that_is_switched_on_is_seen) {
  static const double gain[] = {10.0, 130.0}, rise[] = {0.0, 0.01, 0.05};
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_conservative_world();
    puller of = {0.0, 0.0517, rise[k % 3]};
    pull_one_element(world, &of, gain[k / 3]);
    const double first = mechanical_energy(world), free = limit_of(world).dt;
    for (int piece = 0; piece < 20; piece++) {
      must(world, elastica_world_advance(world, 0.01));
      assert_true(mechanical_energy(world) < 10.0 * first);
    }
    assert_true(limit_of(world).dt < 0.6 * free);
    elastica_world_destroy(world);
  }
}
