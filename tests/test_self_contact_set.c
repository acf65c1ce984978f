/* Claims about self-contact in the step limit, and about adding and setting it. */
#include "linearised.h"
#include "touching.h"

static const double pi = 3.14159265358979324;

/* ---- The step limit ---- */

/* Two light elements pressed together by a stiff contact: the mode that drives them apart is the fastest. */
static elastica_rod *add_clap(elastica_world *world, double h, double speed) {
  double position[12], velocity[12] = {0};
  make_crossing(position, 0.5, 0.5, h);
  for (int a = 0; a < 6; a += 3) velocity[a] = speed;
  elastica_rod *rod = add_polyline(world, position, 3, 0, 0.05);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  return rod;
}

static void a_contact_counts_in_the_step_limit(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_clap(world, 0.0999, 0.0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_self_contact_def def = contact_of(1e6, 0.0);
  elastica_effect *contact = NULL;
  elastica_step_limit limit;
  (void)state;
  def.skip_length = 0.1;
  must(world, elastica_add_self_contact(world, rod, &def, &contact));
  must(world, elastica_world_step_limit(world, &limit));
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  assert_ptr_equal(limit.effect, contact);
  /* The stretching: k w w^T with w_a = +-1/2 over the masses, omega^2 = k sum w_a^2/m_a. */
  double omega2 = 0.0;
  for (int i = 0; i < 4; i++) omega2 += 1e6 * 0.25 / view->mass[i];
  assert_true(limit.dt <= 2.0 / sqrt(omega2));
  assert_true(limit.dt > 0.5 * 2.0 / sqrt(omega2));
  elastica_world_destroy(world);
}

static void damping_of_a_contact_counts_in_the_step_limit(void **state) {
  double dt[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_clap(world, 0.0999, 0.0);
    elastica_self_contact_def def = contact_of(1e6, k ? 1e5 : 0.0);
    elastica_step_limit limit;
    def.skip_length = 0.1;
    must(world, elastica_add_self_contact(world, rod, &def, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    dt[k] = limit.dt;
    /* The mode that stretches the pair loses energy at gamma sum w^2/m: explicit, so that dt must stay below 2 over it. */
    double rate = 0.0;
    for (int i = 0; i < 4; i++) rate += def.damping * 0.25 / elastica_rod_get_view(rod)->mass[i];
    if (k) assert_true(limit.dt <= 2.0 / rate);
    elastica_world_destroy(world);
  }
  assert_true(dt[1] < 0.1 * dt[0]);
}

/* Two elements of random lengths, thin to as thick as they are long, that cross at 0.5 rad or more inside or near an end. */
static elastica_rod *add_random_crossing(elastica_world *world, uint64_t seed) {
  static const double thickness[3] = {0.02, 0.2, 1.0};
  random_source source = {seed};
  const double angle = random_between(&source, 0.5, pi - 0.5), radius = thickness[seed % 3] * random_between(&source, 0.5, 1.0);
  const double first = random_between(&source, 0.5, 2.0), second = random_between(&source, 0.5, 2.0);
  const double s = random_between(&source, -0.1, 1.1), t = random_between(&source, -0.1, 1.1);
  const double c = cos(angle) * second, d = sin(angle) * second, h = 2.0 * radius * random_between(&source, 0.4, 0.97);
  const double position[12] = {0.0, -s * first, 0.0, 0.0, (1.0 - s) * first, 0.0, h, -t * c, -t * d, h, (1.0 - t) * c, (1.0 - t) * d};
  return add_polyline(world, position, 3, 0, radius);
}

/* The rod itself is so soft that the contact alone bounds the step. */
static void the_bound_of_a_contact_is_safe(void **state) {
  int touching = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 90; seed++) {
    elastica_world *world = make_rest_world(ELASTICA_LAW_CLASSICAL, 1);
    elastica_rod *rod = add_random_crossing(world, seed);
    elastica_self_contact_def def = contact_of(1e4, 0.0);
    elastica_effect *contact = NULL;
    elastica_self_contact_info info;
    def.skip_length = 0.0;
    must(world, elastica_add_self_contact(world, rod, &def, &contact));
    must(world, elastica_self_contact_get(contact, &info));
    if (info.contact_count > 0) assert_between(share_of_true_limit(rod), 0.2, 1.0 + ROUNDING);
    touching += info.contact_count > 0;
    elastica_world_destroy(world);
  }
  assert_true(touching > 60);
}

/* Elements apart count when they may meet before the limit is computed again. */
static void approaching_elements_count_and_resting_ones_do_not(void **state) {
  static const double speeds[3] = {0.0, 1e-4, 10.0};
  elastica_mode mode[3];
  (void)state;
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_clap(world, 0.14, speeds[k]);
    elastica_self_contact_def def = contact_of(1e6, 0.0);
    elastica_step_limit limit;
    def.skip_length = 0.1;
    must(world, elastica_add_self_contact(world, rod, &def, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    mode[k] = limit.mode;
    elastica_world_destroy(world);
  }
  assert_true(mode[0] != ELASTICA_MODE_EFFECT);
  assert_true(mode[2] == ELASTICA_MODE_EFFECT);
}

/* ---- Adding and setting ---- */

/* The legs of a hairpin 0.24 m apart close at 3 m/s, a tenth of the speed of sound: they meet between two computations of the limit, and
 * the earlier one counts them. Until then nothing touches. */
static void close_legs(double radius) {
  enum { n = 40 };
  const double leg = 0.31, arc = acos(-1.0) * radius, length = 2.0 * leg + arc;
  double position[3 * (n + 1)], velocity[3 * (n + 1)];
  for (int i = 0; i <= n; i++) {
    const double s = length * i / n, t = (s - leg) / radius;
    const int first = (s < leg), last = (s > leg + arc);
    const double x = first ? leg - s : last ? s - leg - arc : -radius * sin(t);
    const double y = first ? radius : last ? -radius : radius * cos(t);
    set_vector(position, i, x, y, 0.0);
    set_vector(velocity, i, 0.0, x > -0.05 ? -1.5 * y / radius : 0.0, 0.0);
  }
  elastica_world *world = make_world(NULL);
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_self_contact_def contact = contact_of(1e6, 0.0);
  elastica_step_limit limit;
  elastica_status status = ELASTICA_OK;
  elastica_self_contact_info info = {0};
  elastica_effect *effect = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.position = position;
  def.velocity = velocity;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.005, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_world_step_limit(world, &limit));
  contact.skip_length = 0.2;
  must(world, elastica_add_self_contact(world, rod, &contact, &effect));
  for (int k = 0; k < 10000 && status == ELASTICA_OK; k++) {
    must(world, elastica_self_contact_get(effect, &info));
    assert_int_equal(info.contact_count, 0);
    status = elastica_world_step(world, 0.95 * limit.dt, 1);
  }
  assert_status(world, status, ELASTICA_UNSTABLE_STEP);
  elastica_world_destroy(world);
}

static void fast_legs_count_before_they_meet(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) close_legs(0.12 - 0.002 * k);
}

static void setting_takes_effect_and_a_refused_setting_does_not(void **state) {
  double position[12];
  elastica_world *world = make_world(NULL);
  make_crossing(position, 0.5, 0.5, 0.08);
  elastica_rod *rod = add_polyline(world, position, 3, 0, 0.05);
  elastica_self_contact_def def = contact_of(7.0, 0.0);
  elastica_effect *contact = NULL;
  elastica_self_contact_info info;
  (void)state;
  def.skip_length = 10.0;
  must(world, elastica_add_self_contact(world, rod, &def, &contact));
  assert_close(elastica_effect_energy(contact), 0.0, 0.0);
  def.skip_length = 0.1, def.stiffness = 9.0;
  must(world, elastica_self_contact_set(contact, &def));
  assert_close(elastica_effect_energy(contact), 0.5 * 9.0 * 0.02 * 0.02, 1e-16);
  def.stiffness = -1.0;
  assert_status(world, elastica_self_contact_set(contact, &def), ELASTICA_INVALID_ARGUMENT);
  must(world, elastica_self_contact_get(contact, &info));
  assert_close(info.largest_force, 0.18, 1e-15);
  elastica_world_destroy(world);
}

static void other_effects_and_nothing_have_no_contacts(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_effect *contact = NULL, *gravity = NULL;
  elastica_self_contact_info info;
  const double down[3] = {0.0, 0.0, -9.81};
  const elastica_self_contact_def def = contact_of(1.0, 0.0);
  (void)state;
  must(world, elastica_add_self_contact(world, rod, &def, &contact));
  must(world, elastica_add_gravity(world, down, &gravity));
  assert_status(world, elastica_self_contact_get(gravity, &info), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_self_contact_get(contact, NULL), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_counts_in_the_step_limit),
      cmocka_unit_test(damping_of_a_contact_counts_in_the_step_limit),
      cmocka_unit_test(the_bound_of_a_contact_is_safe),
      cmocka_unit_test(approaching_elements_count_and_resting_ones_do_not),
      cmocka_unit_test(fast_legs_count_before_they_meet),
      cmocka_unit_test(setting_takes_effect_and_a_refused_setting_does_not),
      cmocka_unit_test(other_effects_and_nothing_have_no_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
