/* Claims about self-contact. */
#include "touching.h"

static const double pi = 3.14159265358979324;

/* ---- Forces, read by an effect that comes after the contact ---- */

typedef struct spy {
  double force[3][SAMPLE_NODES], couple[3][SAMPLE_NODES], drag[SAMPLE_NODES];
  double position[3][SAMPLE_NODES], velocity[3][SAMPLE_NODES];
} spy;

static elastica_status look(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  spy *seen = self;
  (void)now;
  for (int i = 0; i <= rod->element_count; i++) {
    for (int a = 0; a < 3; a++) {
      seen->force[a][i] = loads->force[a][i];
      if (i < rod->element_count) seen->couple[a][i] = loads->couple[a][i];
      seen->position[a][i] = rod->position[a][i];
      seen->velocity[a][i] = rod->velocity[a][i];
    }
    seen->drag[i] = loads->drag[i];
  }
  return ELASTICA_OK;
}

static void add_spy(elastica_world *world, elastica_rod *rod, spy *seen) {
  elastica_module module = module_named("spy");
  module.self = seen;
  module.add_loads = look;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

/* Forces on the nodes in a step so short that nothing moves. */
static void forces_on(elastica_world *world, elastica_rod *rod, spy *seen) {
  memset(seen, 0, sizeof *seen);
  add_spy(world, rod, seen);
  must(world, elastica_world_step(world, 1e-12, 1));
}

static void force_is_stiffness_times_overlap_and_follows_the_lever(void **state) {
  random_source source = {1};
  (void)state;
  for (int k = 0; k < 50; k++) {
    const double s = random_between(&source, 0.0, 1.0), t = random_between(&source, 0.0, 1.0), h = random_between(&source, 0.01, 0.13);
    double position[12];
    elastica_world *world = make_world(NULL);
    make_crossing(position, s, t, h);
    elastica_rod *rod = add_polyline(world, position, 3, 0, 0.05);
    elastica_self_contact_def def = contact_of(7.0, 0.0);
    def.skip_length = 0.1;
    elastica_effect *contact = NULL;
    elastica_self_contact_info info;
    spy seen;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    must(world, elastica_self_contact_get(contact, &info));
    const double overlap = h < 0.1 ? 0.1 - h : 0.0, force = 7.0 * overlap;
    assert_int_equal(info.contact_count, h < 0.1);
    assert_close(info.deepest, overlap, 1e-15);
    assert_close(info.largest_force, force, 1e-14);
    assert_int_equal(info.first, h < 0.1 ? 0 : -1);
    assert_int_equal(info.second, h < 0.1 ? 2 : -1);
    assert_close(elastica_effect_energy(contact), 0.5 * 7.0 * overlap * overlap, 1e-15);
    forces_on(world, rod, &seen);
    const double expected[4] = {-(1.0 - s) * force, -s * force, (1.0 - t) * force, t * force};
    assert_all_close(seen.force[0], expected, 4, 1e-11);
    elastica_world_destroy(world);
  }
}

/* A tangle: a random walk that runs through itself many times, moving. */
static elastica_rod *add_tangle(elastica_world *world, random_source *source, int n, double speed) {
  double position[3 * SAMPLE_NODES] = {0}, velocity[3 * SAMPLE_NODES];
  for (int i = 0; i <= n; i++)
    for (int a = 0; a < 3; a++) {
      position[3 * i + a] = random_between(source, -0.2, 0.2);
      velocity[3 * i + a] = random_between(source, -speed, speed);
    }
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  double radius[SAMPLE_ELEMENTS], director[9 * SAMPLE_ELEMENTS];
  for (int j = 0; j < n; j++) {
    const double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    radius[j] = random_between(source, 0.01, 0.04);
    memcpy(director + 9 * j, frame, sizeof frame);
  }
  def.element_count = n;
  def.position = position;
  def.director = director; /* only forces are compared: the frames need not follow the edges */
  def.velocity = velocity;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.element_radius = radius, def.density = 1000.0, def.youngs_modulus = 1e-3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static void pairs_conserve_momentum_and_angular_momentum(void **state) {
  random_source source = {2};
  (void)state;
  for (int k = 0; k < 60; k++) {
    elastica_world *world = make_world(NULL);
    const int n = random_integer(&source, 5, 40);
    elastica_rod *rod = add_tangle(world, &source, n, 1.0);
    const elastica_self_contact_def def = contact_of(30.0, 0.4);
    spy seen;
    must(world, elastica_add_self_contact(world, rod, &def, NULL));
    forces_on(world, rod, &seen);
    double force[3] = {0.0}, moment[3] = {0.0}, gross = 0.0;
    for (int i = 0; i <= n; i++) {
      const double f[3] = {seen.force[0][i], seen.force[1][i], seen.force[2][i]};
      const double x[3] = {seen.position[0][i], seen.position[1][i], seen.position[2][i]};
      double m[3];
      cross(x, f, m);
      for (int a = 0; a < 3; a++) force[a] += f[a], moment[a] += m[a];
      gross += norm(f);
      assert_close(seen.drag[i], 0.0, 0.0);
    }
    for (int j = 0; j < n; j++)
      for (int a = 0; a < 3; a++) assert_close(seen.couple[a][j], 0.0, 0.0);
    if (n > 20) assert_true(gross > 1.0);
    for (int a = 0; a < 3; a++) {
      assert_close(force[a], 0.0, 1e-13);
      assert_close(moment[a], 0.0, 1e-13);
    }
    elastica_world_destroy(world);
  }
}

/* With the papers' law, too, the spring's force is minus the slope of its energy, but for the radii, which depend on the lengths: those are
 * held here by moving nodes at right angles to their elements. */
static void force_is_the_slope_of_the_energy(void **state) {
  random_source source = {3};
  (void)state;
  for (int k = 0; k < 40; k++) {
    double position[12], energy[2];
    const double s = random_between(&source, 0.1, 0.9), t = random_between(&source, 0.1, 0.9), h = random_between(&source, 0.02, 0.09);
    const int node = random_integer(&source, 0, 3);
    elastica_world *world = make_papers_world();
    make_crossing(position, s, t, h);
    elastica_rod *rod = add_polyline(world, position, 3, 0, 0.05);
    elastica_self_contact_def def = contact_of(7.0, 0.0);
    def.skip_length = 0.1;
    elastica_effect *contact = NULL;
    spy seen;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    for (int side = 0; side < 2; side++) {
      double moved[12];
      memcpy(moved, position, sizeof moved);
      moved[3 * node] += side ? 1e-5 : -1e-5;
      must(world, elastica_rod_set_state(rod, moved, NULL, NULL, NULL));
      energy[side] = elastica_effect_energy(contact);
    }
    must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
    forces_on(world, rod, &seen);
    assert_close(seen.force[0][node], -(energy[1] - energy[0]) / 2e-5, 1e-9);
    elastica_world_destroy(world);
  }
}

/* Two elements that come together or part at speed v: the damper adds gamma v, or takes it off until nothing is left. */
static void the_damper_never_pulls(void **state) {
  static const double speeds[5] = {0.5, 0.01, 0.0, -0.01, -0.5};
  (void)state;
  for (int k = 0; k < 5; k++) {
    double position[12], velocity[12] = {0};
    elastica_world *world = make_world(NULL);
    make_crossing(position, 0.5, 0.5, 0.09);
    velocity[0] = velocity[3] = speeds[k]; /* element 0 moves towards element 2 */
    elastica_rod *rod = add_polyline(world, position, 3, 0, 0.05);
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
    elastica_self_contact_def def = contact_of(7.0, 2.0);
    def.skip_length = 0.1;
    elastica_effect *contact = NULL;
    spy seen;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    const double expected = fmax(0.0, 0.07 + 2.0 * speeds[k]);
    assert_close(elastica_effect_power(contact), -expected * speeds[k], 1e-14);
    forces_on(world, rod, &seen);
    assert_close(seen.force[0][2] + seen.force[0][3], expected, 1e-10);
    elastica_world_destroy(world);
  }
}

/* Neighbours along the rod do not touch, however thick it is; the tightest ring does not touch itself. */
static void a_rod_does_not_touch_its_own_neighbourhood(void **state) {
  (void)state;
  for (int closed = 0; closed < 2; closed++) {
    double position[3 * SAMPLE_NODES];
    elastica_world *world = make_world(NULL);
    const int n = 60;
    const double around = 2.0 * pi * 0.1; /* a ring of radius 0.1 of a rod of radius 0.1 */
    for (int i = 0; i <= n; i++) {
      const double angle = (closed ? 2.0 : 1.9) * pi * i / n;
      set_vector(position, i, 0.1002 * cos(angle), 0.1002 * sin(angle), 0.02 * i * !closed);
    }
    elastica_rod *rod = add_polyline(world, position, n, closed, closed ? 0.1 : 0.2);
    const elastica_self_contact_def def = contact_of(1.0, 0.0);
    elastica_effect *contact = NULL;
    elastica_self_contact_info info;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    must(world, elastica_self_contact_get(contact, &info));
    if (closed) assert_int_equal(info.contact_count, 0);
    assert_true(info.contact_count == 0 || info.second - info.first > 0.15 * around / 0.02);
    elastica_world_destroy(world);
  }
}

/* ---- The list is a cache ---- */

/* again: 1 sets the same parameters before each step, so that the list is made again each time. */
static uint64_t hash_of_run(double skin, int again, long *builds) {
  random_source source = {4};
  elastica_world_def options = default_world();
  options.allow_unstable_step = 1;
  elastica_world *world = make_world(&options);
  double position[3 * SAMPLE_NODES], velocity[3 * SAMPLE_NODES];
  const int n = 60;
  for (int i = 0; i <= n; i++) {
    const double angle = 0.45 * i;
    set_vector(position, i, 0.1 * cos(angle), 0.1 * sin(angle), 0.004 * i);
    random_vector(&source, 0.5, velocity + 3 * i);
  }
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n, def.position = position, def.velocity = velocity;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_self_contact_def contact = contact_of(200.0, 0.5);
  elastica_effect *effect = NULL;
  contact.skin = skin;
  must(world, elastica_add_self_contact(world, rod, &contact, &effect));
  for (int k = 0; k < 3000; k += again ? 1 : 1000) {
    if (again) must(world, elastica_self_contact_set(effect, &contact));
    must(world, elastica_world_step(world, 1e-4, again ? 1 : 1000));
  }
  elastica_self_contact_info info;
  must(world, elastica_self_contact_get(effect, &info));
  assert_true(info.contact_count > 5);
  *builds = info.list_build_count;
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

static void no_bit_depends_on_when_the_list_was_made(void **state) {
  long every_step, often, seldom;
  (void)state;
  const uint64_t hash = hash_of_run(NAN, 1, &every_step);
  assert_true(hash == hash_of_run(0.0, 0, &often));
  assert_true(hash == hash_of_run(0.5, 0, &seldom));
  assert_true(hash == hash_of_run(NAN, 0, &often));
  assert_true(every_step >= 3000);
  assert_true(seldom < often && often < 500);
}

/* Queries between steps change nothing either. */
static void queries_change_no_bit(void **state) {
  uint64_t hash[2];
  (void)state;
  for (int looks = 0; looks < 2; looks++) {
    random_source source = {5};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_tangle(world, &source, 30, 0.2);
    const elastica_self_contact_def def = contact_of(0.01, 0.0);
    elastica_effect *contact = NULL;
    elastica_self_contact_info info;
    elastica_step_limit limit;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    for (int k = 0; k < 40; k++) {
      if (looks) must(world, elastica_self_contact_get(contact, &info));
      if (looks) must(world, elastica_world_step_limit(world, &limit));
      must(world, elastica_world_step(world, 1e-4, 1));
    }
    hash[looks] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

/* A rod that moves as a whole keeps its list of near pairs. */
static void motion_as_a_whole_rebuilds_no_list(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 40, 2.0, 0.02, 1000.0, 1e6, 4e5);
  double velocity[3 * 41];
  const elastica_self_contact_def def = contact_of(1e3, 1.0);
  elastica_effect *contact = NULL;
  elastica_self_contact_info info;
  (void)state;
  for (int i = 0; i <= 40; i++) set_vector(velocity, i, 5.0, -3.0, 1.0);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  must(world, elastica_add_self_contact(world, rod, &def, &contact));
  must(world, elastica_world_advance(world, 1.0));
  must(world, elastica_self_contact_get(contact, &info));
  assert_true(info.list_build_count <= 2);
  elastica_world_destroy(world);
}

/* ---- A run ---- */

/* A ring of soft rod, pressed flat: two sides meet, bounce and do not pass through each other; momentum and energy are kept. */
static void two_sides_of_a_flat_ring_bounce(void **state) {
  elastica_world_def options = default_world();
  options.law = ELASTICA_LAW_CLASSICAL, options.exact_couple = 1;
  elastica_world *world = make_world(&options);
  const int n = 60;
  double position[3 * SAMPLE_NODES], velocity[3 * SAMPLE_NODES];
  (void)state;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * pi * i / n;
    set_vector(position, i, 0.5 * cos(angle), 0.2 * sin(angle), 0.0);
    set_vector(velocity, i, 0.0, -2.0 * sin(angle), 0.02 * cos(2.0 * angle));
  }
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const elastica_self_contact_def contact = contact_of(2e3, 0.0);
  elastica_effect *effect = NULL;
  elastica_momentum before, after;
  elastica_energy energy;
  must(world, elastica_add_self_contact(world, rod, &contact, &effect));
  must(world, elastica_world_get_momentum(world, &before));
  must(world, elastica_world_get_energy(world, &energy));
  const double total = energy.translation + energy.rotation + energy.bending + energy.shear;
  int touched = 0;
  double deepest = 0.0;
  for (int k = 0; k < 400; k++) {
    elastica_self_contact_info info;
    must(world, elastica_world_step(world, 1e-5, 100));
    must(world, elastica_self_contact_get(effect, &info));
    touched |= info.contact_count > 0;
    if (info.deepest > deepest) deepest = info.deepest;
  }
  must(world, elastica_world_get_momentum(world, &after));
  must(world, elastica_world_get_energy(world, &energy));
  assert_true(touched);
  assert_between(deepest, 1e-4, 0.02);
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-13);
    assert_close(after.angular[a], before.angular[a], 1e-5);
  }
  assert_close(energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects, total, 1e-4 * total);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_stiffness_times_overlap_and_follows_the_lever),
      cmocka_unit_test(pairs_conserve_momentum_and_angular_momentum),
      cmocka_unit_test(force_is_the_slope_of_the_energy),
      cmocka_unit_test(the_damper_never_pulls),
      cmocka_unit_test(a_rod_does_not_touch_its_own_neighbourhood),
      cmocka_unit_test(no_bit_depends_on_when_the_list_was_made),
      cmocka_unit_test(queries_change_no_bit),
      cmocka_unit_test(motion_as_a_whole_rebuilds_no_list),
      cmocka_unit_test(two_sides_of_a_flat_ring_bounce),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
