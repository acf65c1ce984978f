/* Claims about point loads. */
#include "measured.h"

static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 6, 0.6, 0.05, 1000.0, 1e5, 4e4);
}

static elastica_point_load_def force_of(double x, double y, double z) {
  DEFAULTS(point_load, def);
  def.force[0] = x, def.force[1] = y, def.force[2] = z;
  return def;
}

/* The only node that moves in the first step; -1: none, -2: several. */
static int first_to_move(const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  int found = -1;
  for (int i = 0; i < view->node_count; i++) {
    if (view->velocity[0][i] != 0.0) found = found < 0 ? i : -2;
  }
  return found;
}

TEST(the_load_acts_on_the_node_that_is_named) {
  const int named[4] = {-1, 0, 3, -3}, expected[4] = {6, 0, 3, 4};
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world);
    elastica_point_load_def def = force_of(1.0, 0.0, 0.0);
    def.node = named[k];
    must(world, elastica_add_point_load(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 1e-4, 1));
    assert_int_equal(first_to_move(rod), expected[k]);
    elastica_world_destroy(world);
  }
}

TEST(momentum_grows_by_force_times_time) {
  elastica_world *world = make_world(NULL);
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  const elastica_point_load_def def = force_of(0.3, -0.2, 0.5);
  make_sample(&sample, 9, 4, &recipe);
  elastica_rod *rod = add_sample(world, &sample);
  const elastica_totals before = momentum_of(world);
  must(world, elastica_add_point_load(world, rod, &def, NULL));
  must(world, elastica_world_step(world, 2e-4, 500));
  const elastica_totals after = momentum_of(world);
  for (int a = 0; a < 3; a++) assert_close(after.linear[a] - before.linear[a], 0.1 * def.force[a], 1e-12);
  elastica_world_destroy(world);
}

/* The integral of a force that rises from 0 at t = 0.1 to F at t = 0.3. */
static double ramped_impulse(double t, double force) {
  if (t < 0.1) return 0.0;
  return force * (t < 0.3 ? (t - 0.1) * (t - 0.1) / 0.4 : 0.1 + (t - 0.3));
}

/* Forces are evaluated at the middle of the step, so that a linear ramp is integrated exactly. */
TEST(a_load_begins_at_its_start_and_is_whole_after_its_ramp) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_point_load_def def = force_of(0.4, 0.0, 0.0);
  def.start_time = 0.1;
  def.ramp_time = 0.2;
  must(world, elastica_add_point_load(world, rod, &def, NULL));
  for (int k = 1; k <= 10; k++) {
    must(world, elastica_world_step(world, 5e-4, 100));
    assert_close(momentum_of(world).linear[0], ramped_impulse(0.05 * k, 0.4), 1e-13);
  }
  elastica_world_destroy(world);
}

/* The angular momentum of a free rod grows by couple times time for any turn of the loaded element. */
TEST(a_laboratory_couple_keeps_its_direction) {
  elastica_world *world = make_conservative_world();
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  elastica_point_load_def load = force_of(0.0, 0.0, 0.0);
  make_sample(&sample, 6, 4, &recipe);
  elastica_rod *rod = add_sample(world, &sample);
  load.element = 2;
  load.couple_in_laboratory = 1;
  load.couple[0] = 0.02, load.couple[1] = -0.01, load.couple[2] = 0.03;
  const elastica_totals before = momentum_of(world);
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  must(world, elastica_world_step(world, 1e-4, 2000));
  const elastica_totals after = momentum_of(world);
  for (int a = 0; a < 3; a++) assert_close(after.angular[a] - before.angular[a], 0.2 * load.couple[a], 1e-6);
  elastica_world_destroy(world);
}

/* One element along x: its third director is the x axis of the laboratory. */
TEST(a_couple_is_material_unless_said_otherwise) {
  for (int laboratory = 0; laboratory < 2; laboratory++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_point_load_def load = force_of(0.0, 0.0, 0.0);
    DEFAULTS(rod, def);
    def.element_count = 1;
    def.length = 0.2, def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e5;
    def.direction[0] = 1.0, def.direction[2] = 0.0;
    must(world, elastica_world_add_rod(world, &def, &rod));
    load.couple_in_laboratory = laboratory;
    load.couple[laboratory ? 0 : 2] = 1e-3;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_world_step(world, 1e-4, 100));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    assert_close(view->omega[2][0] * view->inertia[2][0], 1e-3 * 1e-2, 1e-17);
    assert_close(view->omega[0][0], 0.0, 0.0);
    assert_close(view->omega[1][0], 0.0, 0.0);
    elastica_world_destroy(world);
  }
}

/* The work equals the gain of energy: integral of power by the trapezoidal rule over a run, of second order in the step. */
TEST(power_is_the_energy_that_the_load_brings) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    const double dt = k == 0 ? 2e-4 : 1e-4;
    elastica_world *world = make_conservative_world();
    elastica_rod *rod = add_rod(world);
    elastica_point_load_def load = force_of(0.2, 0.1, 0.3);
    elastica_effect *effect = NULL;
    load.couple[0] = 0.01, load.couple[2] = 0.02;
    load.couple_in_laboratory = 1;
    load.ramp_time = 0.05;
    must(world, elastica_add_point_load(world, rod, &load, &effect));
    const double work = work_until(world, 0.2, dt, &effect, 1), gained = mechanical_energy(world);
    assert_true(gained > 1e-3);
    error[k] = fabs(work - gained) / gained;
    elastica_world_destroy(world);
  }
  assert_true(error[0] < 1e-3);
  assert_between(error[0] / error[1], 3.0, 5.0);
}

typedef struct call_log {
  int count;
  double time[8];
  double handed_in[6];
  elastica_status answer;
  double factor;
} call_log;

static elastica_status sine(void *user, double time, double force[3], double couple[3]) {
  call_log *log = user;
  if (log->count < 8) log->time[log->count] = time;
  log->count++;
  memcpy(log->handed_in, force, 3 * sizeof *force);
  memcpy(log->handed_in + 3, couple, 3 * sizeof *couple);
  force[0] = log->factor * sin(20.0 * time);
  return log->answer;
}

TEST(a_function_of_time_is_called_for_the_middle_of_the_step) {
  const double dt = 1e-3;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_point_load_def def = force_of(7.0, 0.25, 0.0);
  call_log log = {.answer = ELASTICA_OK, .factor = 0.5};
  double impulse = 0.0;
  def.couple[2] = 1e-3;
  def.ramp_time = 100.0;
  def.start_time = 100.0;
  def.function = sine;
  def.user = &log;
  must(world, elastica_add_point_load(world, rod, &def, NULL));
  must(world, elastica_world_step(world, dt, 8));
  assert_int_equal(log.count, 8);
  for (int k = 0; k < 8; k++) {
    assert_close(log.time[k], (k + 0.5) * dt, 1e-16);
    impulse += dt * 0.5 * sin(20.0 * (k + 0.5) * dt);
  }
  assert_close(momentum_of(world).linear[0], impulse, 1e-15);
  assert_close(momentum_of(world).linear[1], 0.25 * 8.0 * dt, 1e-15);
  assert_all_close(log.handed_in, def.force, 3, 0.0);
  assert_all_close(log.handed_in + 3, def.couple, 3, 0.0);
  elastica_world_destroy(world);
}

TEST(a_function_that_fails_stops_the_world) {
  const call_log logs[2] = {{.answer = ELASTICA_IO_ERROR, .factor = 1.0}, {.answer = ELASTICA_OK, .factor = (double)INFINITY}};
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world);
    elastica_point_load_def def = force_of(0.0, 0.0, 0.0);
    elastica_effect *effect = NULL;
    call_log log = logs[k];
    def.function = sine;
    def.user = &log;
    must(world, elastica_add_point_load(world, rod, &def, &effect));
    assert_status(world, elastica_world_step(world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "point_load");
    assert_true(isnan(elastica_effect_power(effect)));
    elastica_world_destroy(world);
  }
}

TEST(a_load_can_be_changed_and_switched_off_in_mid_run) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_point_load_def def = force_of(0.3, 0.0, 0.0);
  elastica_effect *effect = NULL;
  must(world, elastica_add_point_load(world, rod, &def, &effect));
  must(world, elastica_world_step(world, 1e-3, 100));
  def = force_of(0.0, 0.6, 0.0);
  def.node = 0;
  must(world, elastica_point_load_set(effect, &def));
  must(world, elastica_world_step(world, 1e-3, 100));
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_step(world, 1e-3, 100));
  const elastica_totals momentum = momentum_of(world);
  assert_close(momentum.linear[0], 0.03, 1e-14);
  assert_close(momentum.linear[1], 0.06, 1e-14);
  elastica_world_destroy(world);
}

TEST(every_node_of_a_ring_takes_a_load) {
  for (int node = 0; node < 8; node++) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    elastica_point_load_def def = force_of(0.2, 0.0, 0.1);
    make_sample_ring(&sample, 8, 5);
    elastica_rod *ring = add_sample(world, &sample);
    const elastica_totals before = momentum_of(world);
    def.node = node;
    must(world, elastica_add_point_load(world, ring, &def, NULL));
    must(world, elastica_world_step(world, 1e-4, 50));
    const elastica_totals after = momentum_of(world);
    for (int a = 0; a < 3; a++) assert_close(after.linear[a] - before.linear[a], 5e-3 * def.force[a], 1e-14);
    def.node = 8;
    assert_refused(world, elastica_add_point_load(world, ring, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_point_load", "node 8",
                   "outside", "0..7");
    elastica_world_destroy(world);
  }
}
