/* Facts about rods, compared with formulas and with vibrations of the rods. */
#include "base/target.h"

#include "support.h"

static const double pi = 3.14159265358979324;

static elastica_rod_facts facts_of(elastica_rod *rod) {
  elastica_rod_facts facts;
  must(elastica_rod_get_view(rod)->world, elastica_rod_get_facts(rod, &facts));
  return facts;
}

TEST(steel_has_the_numbers_of_handbooks) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 50, 1.0, 0.005, 7850.0, 200e9, 77e9);
  elastica_step_limit limit;
  const elastica_rod_facts facts = facts_of(rod);
  assert_close(facts.length, 1.0, 1e-12);
  assert_close(facts.radius, 0.005, 1e-12);
  assert_close(facts.density, 7850.0, 1e-8);
  assert_close(facts.mass, 7850.0 * pi * 25e-6, 1e-12);
  assert_close(facts.slenderness, 200.0, 1e-9);
  assert_close(facts.shortest, 4.0, 1e-9);
  assert_close(facts.longest, 4.0, 1e-9);
  assert_close(facts.stretch_stiffness, 200e9 * pi * 25e-6, 1e-3);
  assert_close(facts.shear_stiffness, 4.0 / 3.0 * 77e9 * pi * 25e-6, 1e-3);
  assert_close(facts.bend_stiffness, 200e9 * pi / 4.0 * 625e-12, 1e-9);
  assert_close(facts.twist_stiffness, 77e9 * pi / 2.0 * 625e-12, 1e-9);
  assert_close(facts.stretch_speed, sqrt(200e9 / 7850.0), 1e-6); /* 5048 m/s */
  assert_close(facts.shear_speed, sqrt(4.0 / 3.0 * 77e9 / 7850.0), 1e-6);
  assert_close(facts.torsion_speed, sqrt(77e9 / 7850.0), 1e-6); /* 3132 m/s */
  assert_int_equal(facts.first, ELASTICA_SUPPORT_FREE);
  assert_int_equal(facts.last, ELASTICA_SUPPORT_FREE);
  const double scale = sqrt(facts.bend_stiffness / (7850.0 * pi * 25e-6)) / (2.0 * pi);
  assert_close(facts.free_frequency, 22.3733 * scale, 1e-5 * 22.3733 * scale);
  assert_close(facts.cantilever_frequency, 3.51602 * scale, 1e-5 * 3.51602 * scale);
  assert_true(facts.frequency == facts.free_frequency && facts.period == 1.0 / facts.frequency);
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(facts.step_limit == limit.dt);
  elastica_world_destroy(world);
}

/* Of sections with two axes the facts are those of the softer one, whichever it is. */
TEST(the_softer_axis_counts) {
  for (int k = 0; k < 2; k++) {
    const double shear[3] = {k ? 5.0 : 7.0, k ? 7.0 : 5.0, 11.0}, bend[3] = {k ? 0.3 : 0.2, k ? 0.2 : 0.3, 0.4};
    double shears[12], bends[12];
    for (int i = 0; i < 12; i++) shears[i] = shear[i % 3], bends[i] = bend[i % 3];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    def.element_count = 4, def.length = 1.0, def.radius = 0.1, def.density = 1.0;
    def.shear_stiffness = shears, def.bend_stiffness = bends;
    must(world, elastica_world_add_rod(world, &def, &rod));
    const elastica_rod_facts facts = facts_of(rod);
    assert_close(facts.shear_stiffness, 5.0, 1e-14);
    assert_close(facts.bend_stiffness, 0.2, 1e-15);
    assert_close(facts.stretch_stiffness, 11.0, 1e-14);
    assert_close(facts.twist_stiffness, 0.4, 1e-15);
    elastica_world_destroy(world);
  }
}

/* Bending waves of two elements: Euler's k sqrt(EI/(rho A)) for elements far longer than thick, reduced by (2/pi)^2 on the grid; slower
 * for short elements. */
TEST(short_bending_waves_have_the_speed_of_the_grid) {
  elastica_world *world = make_world(NULL);
  const elastica_rod_facts slender = facts_of(add_straight_rod(world, 10, 1.0, 1e-4, 1000.0, 1e6, 4e5)),
                           stout = facts_of(add_straight_rod(world, 100, 1.0, 0.05, 1000.0, 1e6, 4e5));
  const double s = 2.0 / 0.1, k = pi / 0.1, euler = s * s / k * sqrt(1e6 / 1000.0) * 0.5e-4;
  assert_close(slender.bending_speed, euler, 1e-4 * euler);
  assert_true(stout.bending_speed < stout.shear_speed);
  elastica_world_destroy(world);
}

typedef struct ends {
  elastica_support first, last;
  double beta;
} ends;

static void hold(elastica_world *world, elastica_rod *rod, int last, elastica_support support) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(boundary, clamp);
  pin.node = last ? -1 : 0;
  clamp.node = last ? -1 : 0;
  clamp.axes = support == ELASTICA_SUPPORT_CLAMPED ? (unsigned)ELASTICA_AXIS_ALL : 0;
  clamp.kind = last ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP;
  if (support == ELASTICA_SUPPORT_PINNED) must(world, elastica_add_boundary(world, rod, &pin, NULL));
  if (support >= ELASTICA_SUPPORT_GUIDED) must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

/* beta L of textbooks for each pair of ends, and the recognised supports. */
TEST(ends_are_seen_and_give_the_lowest_frequency) {
  static const ends cases[] = {
      {ELASTICA_SUPPORT_FREE, ELASTICA_SUPPORT_FREE, 4.7300},      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_FREE, 1.8751},
      {ELASTICA_SUPPORT_FREE, ELASTICA_SUPPORT_CLAMPED, 1.8751},   {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_PINNED, 3.1416},
      {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_PINNED, 3.9266}, {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_CLAMPED, 4.7300},
      {ELASTICA_SUPPORT_GUIDED, ELASTICA_SUPPORT_PINNED, 1.5708},  {ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_GUIDED, 2.3650},
      {ELASTICA_SUPPORT_PINNED, ELASTICA_SUPPORT_FREE, 3.9266}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.005, 1000.0, 1e6, 4e5);
    hold(world, rod, 0, cases[k].first);
    hold(world, rod, 1, cases[k].last);
    const elastica_rod_facts facts = facts_of(rod);
    assert_int_equal(facts.first, cases[k].first);
    assert_int_equal(facts.last, cases[k].last);
    const double expected = cases[k].beta * cases[k].beta * sqrt(1e6 / 1000.0) * 0.0025 / (2.0 * pi);
    assert_close(facts.frequency, expected, 1e-4 * expected);
    elastica_world_destroy(world);
  }
}

static elastica_status stop_one_axis(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)now, (void)rod;
  state->omega[*(const int *)self][0] = 0.0;
  return ELASTICA_OK;
}

/* A frame that may still turn about one axis across the rod is not held. */
TEST(an_end_that_may_turn_about_one_axis_is_free) {
  for (int axis = 0; axis < 3; axis++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.005, 1000.0, 1e6, 4e5);
    elastica_module module = module_named("hinge");
    module.self = &axis, module.self_size = sizeof axis;
    module.constrain_spin = stop_one_axis;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    assert_int_equal(facts_of(rod).first, ELASTICA_SUPPORT_FREE);
    elastica_world_destroy(world);
  }
}

/* A cantilever of 1 % slope is released: the time between two passages through the middle. */
TEST(a_cantilever_swings_with_that_period) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.01, 1000.0, 1e6, 4e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_effect *effect;
  double passed[2] = {0.0, 0.0}, before = 1.0;
  int count = 0;
  hold(world, rod, 0, ELASTICA_SUPPORT_CLAMPED);
  DEFAULTS(point_load, load);
  load.force[0] = 1e-4;
  must(world, elastica_add_point_load(world, rod, &load, &effect));
  must(world, elastica_world_relax(world, NULL, NULL));
  must(world, elastica_effect_set_enabled(effect, 0));
  const elastica_rod_facts facts = facts_of(rod);
  for (int k = 0; k < 3000 && count < 2; k++) {
    must(world, elastica_world_advance(world, facts.period / 1000.0));
    const double x = view->position[0][20];
    if (x * before < 0.0) passed[count++] = elastica_world_get(world).time;
    before = x;
  }
  assert_int_equal(count, 2);
  assert_close(2.0 * (passed[1] - passed[0]), facts.period, 0.03 * facts.period); /* the overtones have 3 % of the amplitude */
  elastica_world_destroy(world);
}
