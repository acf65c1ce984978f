/* Claims about muscles. */
#include "measured.h"

static const double pi = 3.14159265358979324;

/* A constant activation: sin(pi/2). */
static elastica_muscle_def constant(elastica_muscle_kind kind, int axis, const double *amplitude) {
  elastica_muscle_def def = muscle_of(kind, axis, amplitude);
  def.period = (double)INFINITY;
  def.phase = 0.5 * pi;
  return def;
}

/* A rod so heavy that it does not move: its joints and elements carry only the load of the muscle. */
static elastica_rod *add_anvil(elastica_world *world, int n) {
  return add_straight_rod(world, n, 1.0, 0.05, 1e15, 1.0, 0.4);
}

static const double *lane_of(elastica_world *world, elastica_rod *rod, elastica_muscle_kind kind, int axis) {
  must(world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  return kind == ELASTICA_MUSCLE_COUPLE ? view->couple[axis] : view->force[axis];
}

static void fill(double *values, int count, double value) {
  for (int i = 0; i < count; i++) values[i] = value;
}

/* A tenth of a period later the pattern of wavelength L = 60 elements is 6 elements nearer to the start, or to the end. */
TEST(the_wave_runs_to_the_start_for_a_positive_wavenumber) {
  double amplitude[60], before[59];
  fill(amplitude, 60, 3.0);
  for (int sign = -1; sign <= 1; sign += 2) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_anvil(world, 60);
    elastica_muscle_def def = muscle_of(ELASTICA_MUSCLE_COUPLE, 0, amplitude);
    def.wavenumber = sign * 2.0 * pi;
    def.phase = 0.3;
    must(world, elastica_add_muscle(world, rod, &def, NULL));
    memcpy(before, lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0), sizeof before);
    must(world, elastica_world_step(world, 1e-2, 10));
    const double *after = lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0);
    for (int k = 6; k < 53; k++) assert_close(after[k], before[k + 6 * sign], 1e-13);
    assert_close(before[0], 3.0 * sin(sign * 2.0 * pi / 60.0 + 0.3), 1e-14);
    elastica_world_destroy(world);
  }
}

TEST(the_activity_comes_back_after_a_period) {
  double amplitude[20], before[19];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_anvil(world, 20);
  elastica_muscle_def def = muscle_of(ELASTICA_MUSCLE_COUPLE, 1, amplitude);
  fill(amplitude, 20, 1.0);
  def.wavenumber = 5.0;
  def.phase = 0.2;
  must(world, elastica_add_muscle(world, rod, &def, NULL));
  memcpy(before, lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 1), sizeof before);
  must(world, elastica_world_step(world, 0.02, 25));
  const double *half = lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 1);
  for (int k = 0; k < 19; k++) assert_close(half[k], -before[k], 1e-13);
  must(world, elastica_world_step(world, 0.02, 25));
  assert_all_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 1), before, 19, 1e-13);
  elastica_world_destroy(world);
}

/* A linear profile shows the place of each joint: beta = s/L on an uneven rod. */
TEST(places_are_rest_arc_lengths) {
  const double line[6] = {0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0};
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  for (int closed = 0; closed < 2; closed++) {
    elastica_world *world = make_world(NULL);
    if (closed) {
      make_sample_ring(&sample, 9, 5);
    } else {
      make_sample(&sample, 9, 4, &recipe);
    }
    elastica_rod *rod = add_sample(world, &sample);
    double total = 0.0, s = 0.0, bare[2][SAMPLE_ELEMENTS];
    for (int j = 0; j < 9; j++) total += sample.rest_length[j];
    memcpy(bare[0], lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0), (size_t)(closed ? 9 : 8) * sizeof(double));
    memcpy(bare[1], lane_of(world, rod, ELASTICA_MUSCLE_FORCE, 2), 9 * sizeof(double));
    for (int kind = 0; kind < 2; kind++) {
      elastica_muscle_def def = constant((elastica_muscle_kind)kind, kind == 0 ? 0 : 2, NULL);
      def.control = line;
      def.control_count = 6;
      must(world, elastica_add_muscle(world, rod, &def, NULL));
    }
    const double *force = lane_of(world, rod, ELASTICA_MUSCLE_FORCE, 2);
    const double *couple = lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0);
    for (int j = 0; j < 9; j++) {
      assert_close(force[j] - bare[1][j], (s + 0.5 * sample.rest_length[j]) / total, 1e-12);
      if (closed) assert_close(couple[j] - bare[0][j], s / total, 1e-12);
      s += sample.rest_length[j];
      if (!closed && j < 8) assert_close(couple[j] - bare[0][j], s / total, 1e-12);
    }
    elastica_world_destroy(world);
  }
}

/* A free rod under a uniform, constant muscle, after it has come to rest. */
static elastica_rod *add_rod_under(elastica_world *world, int n, elastica_muscle_kind kind, int axis, double size) {
  elastica_rod *rod = add_straight_rod(world, n, 0.6, 0.05, 1000.0, 1e5, 4e4);
  double amplitude[SAMPLE_ELEMENTS];
  fill(amplitude, SAMPLE_ELEMENTS, size);
  const elastica_muscle_def muscle = constant(kind, axis, amplitude);
  DEFAULTS(dissipation, damping);
  damping.translation = 60.0;
  damping.rotation = 0.06;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  must(world, elastica_world_advance(world, 10.0));
  must(world, elastica_rod_refresh(rod));
  return rod;
}

/* tau = B kappa + A = 0: a free rod under a uniform active couple bends into an arc, or twists, until its joints have no couple. */
TEST(an_even_couple_bends_a_free_rod_to_its_curvature) {
  for (int axis = 0; axis < 3; axis++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod_under(world, 12, ELASTICA_MUSCLE_COUPLE, axis, 0.5);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int k = 0; k < 11; k++) {
      assert_close(view->curvature[axis][k], -0.5 / view->bend_stiffness[axis][k], 1e-8 * 0.5 / view->bend_stiffness[axis][k]);
      assert_close(view->curvature[(axis + 1) % 3][k], 0.0, 1e-8);
    }
    elastica_world_destroy(world);
  }
}

/* n = S sigma/e + A = 0: along d3 the dilatation is 1/(1 + A/S3), along d1, d2 an element shears. */
TEST(an_even_force_stretches_or_shears_a_free_rod) {
  for (int axis = 0; axis < 3; axis++) {
    elastica_world *world = make_papers_world();
    elastica_rod *rod = add_rod_under(world, 6, ELASTICA_MUSCLE_FORCE, axis, 20.0);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j < 6; j++) {
      for (int a = 0; a < 3; a++) assert_close(view->force[a][j], 0.0, 1e-6);
      if (axis == 2) assert_close(view->dilatation[j], 1.0 / (1.0 + 20.0 / view->shear_stiffness[2][j]), 1e-9);
      if (axis < 2) assert_close(view->strain[axis][j], -20.0 * view->dilatation[j] / view->shear_stiffness[axis][j], 1e-8);
    }
    elastica_world_destroy(world);
  }
}

static void add_all_muscles(elastica_world *world, elastica_rod *rod, double size, elastica_effect **out) {
  double amplitude[SAMPLE_ELEMENTS];
  random_source source = {7};
  for (int k = 0; k < 6; k++) {
    elastica_muscle_def def = muscle_of(k < 3 ? ELASTICA_MUSCLE_COUPLE : ELASTICA_MUSCLE_FORCE, k % 3, amplitude);
    for (int j = 0; j < SAMPLE_ELEMENTS; j++) amplitude[j] = random_between(&source, -size, size) * (k < 3 ? 0.005 : 1.0);
    def.period = 0.02;
    def.wavenumber = 4.0;
    def.phase = 0.5 + k;
    must(world, elastica_add_muscle(world, rod, &def, out ? &out[k] : NULL));
  }
}

TEST(muscles_are_internal) {
  for (int closed = 0; closed < 2; closed++) {
    elastica_world *world = make_world_of_law(ELASTICA_LAW_RESCALED, 1);
    elastica_rod *rod = closed ? add_usual_ring(world) : add_usual_rod(world);
    add_all_muscles(world, rod, 30.0, NULL);
    must(world, elastica_rod_refresh(rod));
    const load_sum sum = sum_internal_loads(elastica_rod_get_view(rod));
    for (int a = 0; a < 3; a++) {
      assert_close(sum.force[a], 0.0, 1e-12);
      assert_close(sum.torque[a], 0.0, 1e-12);
    }
    elastica_totals before, after;
    must(world, elastica_world_get_totals(world, &before));
    must(world, elastica_world_step(world, 1e-4, 200));
    must(world, elastica_world_get_totals(world, &after));
    assert_all_close(after.linear, before.linear, 3, 1e-12);
    elastica_world_destroy(world);
  }
}

static int fill_with_rod_and_ring(elastica_world *world, elastica_effect *effects[MOST_ACTIVE]) {
  add_all_muscles(world, add_usual_rod(world), 30.0, effects);
  add_all_muscles(world, add_usual_ring(world), 30.0, effects + 6);
  return 12;
}

TEST(power_is_the_energy_that_is_put_in) {
  assert_power_is_what_is_put_in(fill_with_rod_and_ring, 0.02);
}

TEST(the_ramp_is_linear_from_its_start) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_anvil(world, 4);
  double amplitude[3];
  fill(amplitude, 3, 2.0);
  elastica_muscle_def def = constant(ELASTICA_MUSCLE_COUPLE, 0, amplitude);
  def.start_time = 0.2;
  def.ramp_time = 0.5;
  must(world, elastica_add_muscle(world, rod, &def, NULL));
  for (int k = 0; k <= 10; k++) {
    const double since = elastica_world_get(world).time - 0.2;
    assert_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0)[1], since < 0.0 ? 0.0 : since < 0.5 ? 4.0 * since : 2.0, 1e-13);
    must(world, elastica_world_step(world, 0.01, 10));
  }
  elastica_world_destroy(world);
}

TEST(amplitudes_can_be_changed_in_mid_run) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_anvil(world, 6);
  elastica_effect *effect = NULL;
  double amplitude[6];
  elastica_muscle_def def = constant(ELASTICA_MUSCLE_COUPLE, 0, amplitude);
  fill(amplitude, 6, 2.0);
  must(world, elastica_add_muscle(world, rod, &def, &effect));
  fill(amplitude, 6, 99.0); /* the library has its own copy */
  must(world, elastica_world_step(world, 0.01, 10));
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0)[3], 2.0, 1e-14);
  fill(amplitude, 6, 5.0);
  must(world, elastica_muscle_set(effect, &def));
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0)[3], 5.0, 1e-14);
  def.axis = 7;
  assert_status(world, elastica_muscle_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0)[3], 5.0, 1e-14);
  def = constant(ELASTICA_MUSCLE_FORCE, 2, amplitude);
  must(world, elastica_muscle_set(effect, &def));
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_COUPLE, 0)[3], 0.0, 1e-14);
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_FORCE, 2)[5], 5.0, 1e-14);
  must(world, elastica_effect_set_enabled(effect, 0));
  assert_close(lane_of(world, rod, ELASTICA_MUSCLE_FORCE, 2)[5], 0.0, 1e-14);
  elastica_world_destroy(world);
}

static elastica_rod *add_regular_ring(elastica_world *world, int n) {
  double position[3 * SAMPLE_ELEMENTS];
  elastica_rod *ring = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i < n; i++) set_vector(position, i, 0.2 * cos(2.0 * pi * i / n), 0.2 * sin(2.0 * pi * i / n), 0.0);
  def.element_count = n, def.closed = 1, def.position = position;
  def.radius = 0.2, def.density = 1000.0, def.youngs_modulus = 1e5, def.shear_modulus = 4e4;
  must(world, elastica_world_add_rod(world, &def, &ring));
  return ring;
}

/* A muscle in two elements of a regular ring, so thick that the masses of nodes count: the step limit does not depend on their numbers. */
TEST(the_step_limit_does_not_depend_on_the_first_node_of_a_ring) {
  for (int kind = 0; kind < 2; kind++) {
    double first = 0.0;
    for (int k = 0; k < 8; k++) {
      double amplitude[8] = {0.0};
      elastica_world *world = make_world_of_law(ELASTICA_LAW_CLASSICAL, 0);
      elastica_rod *rod = add_regular_ring(world, 8);
      const double free_of_muscles = limit_of(world).dt;
      amplitude[k] = amplitude[(k + 1) % 8] = kind == 0 ? 1e3 : 1e5;
      elastica_muscle_def def = muscle_of((elastica_muscle_kind)kind, 0, amplitude);
      def.period = 1e-6;
      must(world, elastica_add_muscle(world, rod, &def, NULL));
      const double limit = limit_of(world).dt;
      assert_true(limit < 0.9 * free_of_muscles);
      if (k == 0) first = limit;
      assert_close(limit, first, 1e-9 * first);
      elastica_world_destroy(world);
    }
  }
}

TEST(a_rod_without_joints_takes_no_couples) {
  elastica_world *world = make_world(NULL);
  elastica_rod *single = add_anvil(world, 1);
  double amplitude[6];
  fill(amplitude, 6, 2.0);
  const elastica_muscle_def def = constant(ELASTICA_MUSCLE_COUPLE, 0, amplitude);
  assert_refused(world, elastica_add_muscle(world, single, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_muscle", "rod 0", "no joint");
  elastica_world_destroy(world);
}
