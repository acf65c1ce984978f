/* Claims about drag in a viscous fluid. */
#include "measured.h"

static const double pi = 3.14159265358979324;
static const double length = 1.0, radius = 0.025, density = 1000.0, viscosity = 1e4;

static elastica_drag_def in_fluid(elastica_drag_kind kind, double mu) {
  DEFAULTS(drag, def);
  def.kind = kind;
  def.viscosity = mu;
  return def;
}

static elastica_rod *add_needle(elastica_world *world, int n, const double direction[3]) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n;
  memcpy(def.direction, direction, sizeof def.direction);
  def.length = length, def.radius = radius, def.density = density;
  def.youngs_modulus = 1e7, def.shear_modulus = 2e7 / 3.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* U = w ln(L/r)/(4 pi mu) across the axis, twice that along it; inclined to the vertical the drift angle is at most 19.47 degrees, at
 * 54.74. The weight per length is 19.26189 N/m, U = 0.0005654360538 m/s. */
TEST(a_settling_needle_reaches_its_terminal_velocity) {
  const double across = 0.0005654360538, g[3] = {0.0, 0.0, -9.81}, magic = acos(1.0 / sqrt(3.0)), angle[3] = {0.5 * pi, 0.0, magic};
  for (int k = 0; k < 6; k++) {
    const double a = angle[k / 2], direction[3] = {sin(a), 0.0, cos(a)};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_needle(world, 10, direction);
    const elastica_drag_def def = in_fluid(k % 2 == 0 ? ELASTICA_DRAG_RATE : ELASTICA_DRAG_EXPLICIT, viscosity);
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_add_drag(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 2e-5, 200));
    const elastica_totals momentum = momentum_of(world);
    assert_close(-momentum.linear[2] / momentum.mass, across * (1.0 + cos(a) * cos(a)), 1e-7 * across);
    assert_close(fabs(momentum.linear[0] / momentum.mass), across * sin(a) * cos(a), 1e-7 * across);
    if (k / 2 == 2) assert_close(atan(fabs(momentum.linear[0] / momentum.linear[2])) * 180.0 / pi, 19.47, 5e-3);
    elastica_world_destroy(world);
  }
}

/* c dt/m = 1.7e3 and more: the terminal velocity of the rate form remains exact, and is reached within some steps. */
TEST(the_rate_form_is_exact_at_any_viscosity) {
  const double g[3] = {0.3, 0.7, -9.81}, w = density * pi * radius * radius;
  for (double mu = 1e8; mu < 1e13; mu *= 1e4) {
    for (int along = 0; along < 2; along++) {
      const double direction[3] = {along ? 0.3 : 9.81, along ? 0.7 : 0.0, along ? -9.81 : 0.3};
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_needle(world, 10, direction);
      const elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, mu);
      const double zeta = 4.0 * pi * mu / log(length / radius);
      must(world, elastica_add_gravity(world, g, NULL));
      must(world, elastica_add_drag(world, rod, &def, NULL));
      must(world, elastica_world_step(world, 1e-4, 200));
      const elastica_totals momentum = momentum_of(world);
      for (int a = 0; a < 3; a++)
        assert_close(momentum.linear[a] / momentum.mass, (along ? 2.0 : 1.0) * w * g[a] / zeta, 1e-6 * w * 9.81 / zeta);
      elastica_world_destroy(world);
    }
  }
}

/* A rod in fast motion at viscosities up to 1e10 Pa s, at 0.99 of its stable step without drag. */
TEST(the_rate_form_is_stable_at_any_viscosity) {
  for (double mu = 1e-1; mu < 1e10; mu *= 30.0) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    sample_recipe recipe = usual_recipe();
    const elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, mu);
    elastica_step_limit bare, limit;
    elastica_totals totals;
    make_sample(&sample, 20, 4, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    must(world, elastica_world_step_limit(world, &bare));
    must(world, elastica_add_drag(world, rod, &def, NULL));
    for (int k = 0; k < 60; k++) {
      must(world, elastica_world_step_limit(world, &limit));
      if (k == 0) assert_close(limit.dt, bare.dt, 1e-12 * bare.dt);
      must(world, elastica_world_step(world, 0.99 * limit.dt, 10));
    }
    must(world, elastica_world_get_totals(world, &totals));
    assert_true(totals.translation < 10.0);
    assert_true(norm(totals.linear) < 1.0);
    elastica_world_destroy(world);
  }
}

TEST(the_two_forms_agree_to_first_order) {
  double x[3][2];
  for (int k = 0; k < 6; k++) {
    const int form = k % 2, level = k / 2;
    const double dt = 8e-5 / (1 << level), direction[3] = {1.0, 0.0, 1.0}, g[3] = {0.0, 0.0, -9.81};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_needle(world, 10, direction);
    const elastica_drag_def def = in_fluid(form == 0 ? ELASTICA_DRAG_RATE : ELASTICA_DRAG_EXPLICIT, 30.0);
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_add_drag(world, rod, &def, NULL));
    must(world, elastica_world_step(world, dt, lround(0.016 / dt)));
    x[level][form] = momentum_of(world).centre[2];
    elastica_world_destroy(world);
  }
  const double difference[3] = {x[0][0] - x[0][1], x[1][0] - x[1][1], x[2][0] - x[2][1]};
  assert_between(difference[0] / difference[1], 1.9, 2.1);
  assert_between(difference[1] / difference[2], 1.9, 2.1);
}

/* A rod at rest is accelerated by the fluid until it moves with it, in any orientation. */
TEST(a_uniform_flow_carries_the_rod_along) {
  const double direction[3] = {1.0, 2.0, -0.5};
  for (int kind = 0; kind < 2; kind++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_needle(world, 8, direction);
    elastica_effect *effect = NULL;
    elastica_drag_def def = in_fluid((elastica_drag_kind)kind, viscosity);
    def.flow[0] = 0.02, def.flow[1] = -0.01, def.flow[2] = 0.03;
    must(world, elastica_add_drag(world, rod, &def, &effect));
    must(world, elastica_world_step(world, 2e-5, 500));
    const elastica_totals momentum = momentum_of(world);
    for (int a = 0; a < 3; a++) assert_close(momentum.linear[a] / momentum.mass, def.flow[a], 1e-12);
    assert_close(elastica_effect_power(effect), 0.0, 1e-9);
    elastica_world_destroy(world);
  }
}

/* A thin rigid needle without inertia turns with the material lines of the fluid: with u = gamma y along x, cot(angle) grows by gamma t. */
TEST(a_needle_in_shear_turns_with_the_fluid) {
  const double gamma = 0.5, start = 2.0, direction[3] = {cos(start), sin(start), 0.0}, duration = 1.5;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_needle(world, 12, direction);
  elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, 1e3);
  def.gradient[1] = gamma;
  must(world, elastica_add_drag(world, rod, &def, NULL));
  must(world, elastica_world_advance(world, duration));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double dx = view->position[0][12] - view->position[0][0], dy = view->position[1][12] - view->position[1][0];
  assert_close(dx / dy, cos(start) / sin(start) + gamma * duration, 2e-3);
  assert_close(view->position[2][6], 0.0, 1e-12);
  elastica_world_destroy(world);
}

typedef struct stream {
  const elastica_drag_def *like;
  double time;
  int calls, fail;
} stream;

/* The same linear flow by a user function; it receives the velocity already computed. */
static elastica_status flow(void *user, double time, const double position[3], double velocity[3]) {
  stream *here = user;
  for (int a = 0; a < 3; a++) {
    const double *row = here->like->gradient + 3 * a;
    velocity[a] += here->like->flow[a] + (row[0] * position[0] + row[1] * position[1] + row[2] * position[2]);
  }
  here->time = time;
  here->calls++;
  if (here->fail == 2) velocity[1] = (double)NAN;
  return here->fail == 1 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST(a_function_may_give_the_flow) {
  elastica_drag_def linear = in_fluid(ELASTICA_DRAG_RATE, 10.0);
  stream here = {&linear, -1.0, 0, 0};
  double centre[2][3];
  random_source source = {3};
  random_vector(&source, 0.3, linear.flow);
  for (int k = 0; k < 3; k++) random_vector(&source, 2.0, linear.gradient + 3 * k);
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    elastica_drag_def def = k == 0 ? linear : in_fluid(ELASTICA_DRAG_RATE, 10.0);
    make_sample(&sample, 9, 4, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    if (k > 0) {
      def.function = flow;
      def.user = &here;
    }
    here.fail = k > 1 ? k - 1 : 0;
    must(world, elastica_add_drag(world, rod, &def, NULL));
    if (k < 2) {
      must(world, elastica_world_step(world, 1e-4, 100));
      memcpy(centre[k], momentum_of(world).centre, sizeof centre[k]);
    } else {
      assert_status(world, elastica_world_step(world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
      assert_says(elastica_world_message(world), "\"drag\"", "add_loads");
    }
    if (k == 1) {
      assert_close(here.time, 0.00995, 1e-15);
      assert_int_equal(here.calls, 900);
    }
    elastica_world_destroy(world);
  }
  assert_all_close(centre[0], centre[1], 3, 1e-12);
}

/* A rate zeta l per node of mass rho A l, c = zeta/(rho A), and the shear mode omega: dt = 4/(c + sqrt(c^2 + 4 omega^2)). */
TEST(the_explicit_form_counts_in_the_step_limit) {
  const double direction[3] = {1.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_needle(world, 10, direction);
  elastica_effect *effect = NULL;
  elastica_step_limit bare, limit;
  elastica_drag_def def = in_fluid(ELASTICA_DRAG_EXPLICIT, 1e6);
  double velocity[33];
  random_source source = {3};
  must(world, elastica_world_step_limit(world, &bare));
  must(world, elastica_add_drag(world, rod, &def, &effect));
  must(world, elastica_world_step_limit(world, &limit));
  const double c = 4.0 * pi * 1e6 / log(length / radius) / (density * pi * radius * radius), omega = 2.0 / bare.dt;
  assert_close(limit.dt, 4.0 / (c + sqrt(c * c + 4.0 * omega * omega)), 1e-12 * limit.dt);
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  assert_ptr_equal(limit.effect, effect);
  assert_status(world, elastica_world_step(world, 1.5 * limit.dt, 1), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "\"drag\"");
  for (int i = 0; i <= 10; i++) random_vector(&source, 1e-3, velocity + 3 * i);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  must(world, elastica_world_step(world, 0.99 * limit.dt, 2000));
  assert_true(norm(momentum_of(world).linear) < 1e-8);
  elastica_world_destroy(world);
}

/* The integral of power by the trapezoidal rule over a run of an open rod and a ring with the conservative law; of first order, like the
 * drag. */
TEST(power_is_the_energy_that_is_taken_out) {
  for (int kind = 0; kind < 2; kind++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      const double dt = k == 0 ? 4e-5 : 2e-5;
      elastica_world *world = make_conservative_world();
      elastica_effect *effect[2];
      elastica_drag_def def = in_fluid((elastica_drag_kind)kind, 40.0);
      def.flow[1] = 1.0;
      def.gradient[5] = -5.0;
      must(world, elastica_add_drag(world, add_usual_rod(world), &def, &effect[0]));
      must(world, elastica_add_drag(world, add_usual_ring(world), &def, &effect[1]));
      const double before = mechanical_energy(world);
      const double work = work_until(world, 0.02, dt, effect, 2);
      const double change = mechanical_energy(world) - before;
      assert_true(fabs(change) > 0.05 * before);
      error[k] = fabs(work / change - 1.0);
      assert_true(error[k] < 0.01);
      elastica_world_destroy(world);
    }
    assert_between(error[0] / error[1], 1.7, 2.3);
  }
}

/* A rod stretched to e = 2 moves across its axis: present L = 2, r = 0.025/sqrt 2; each choice of lengths has its own coefficient. */
TEST(present_and_rest_lengths_can_be_chosen) {
  const double direction[3] = {0.0, 0.0, 1.0};
  double position[27] = {0}, velocity[27] = {0};
  for (int i = 0; i <= 8; i++) position[component(i, Z)] = 2.0 * i / 8.0, velocity[component(i, X)] = 0.1;
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_needle(world, 8, direction);
    elastica_effect *effect = NULL;
    elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, viscosity);
    def.rest_slenderness = k & 1;
    def.rest_length = k >> 1;
    must(world, elastica_rod_set_state(rod, position, velocity, NULL, NULL));
    must(world, elastica_add_drag(world, rod, &def, &effect));
    const double slenderness = def.rest_slenderness ? 40.0 : 80.0 * sqrt(2.0), size = def.rest_length ? 1.0 : 2.0;
    assert_close(elastica_effect_power(effect), -0.01 * size * 4.0 * pi * viscosity / log(slenderness), 1e-9);
    elastica_world_destroy(world);
  }
}

/* A ring has no end nodes: a polygon that moves as a whole, across its plane, remains a polygon. */
TEST(a_ring_is_resisted_alike_all_around) {
  double position[21], velocity[21];
  elastica_world *world = make_world(NULL);
  elastica_rod *ring = NULL;
  const elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, 10.0);
  for (int i = 0; i < 7; i++) {
    set_vector(position, i, cos(2.0 * pi * i / 7), sin(2.0 * pi * i / 7), 0.0);
    set_vector(velocity, i, 0.0, 0.0, 0.3);
  }
  DEFAULTS(rod, rod_def);
  rod_def.element_count = 7, rod_def.closed = 1, rod_def.position = position, rod_def.velocity = velocity;
  rod_def.rest = ELASTICA_REST_INITIAL;
  rod_def.radius = 0.02, rod_def.density = 1000.0, rod_def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &rod_def, &ring));
  must(world, elastica_add_drag(world, ring, &def, NULL));
  must(world, elastica_world_step(world, 1e-3, 20));
  const elastica_rod_view *view = elastica_rod_get_view(ring);
  const double rate = 4.0 * pi * 10.0 / log(14.0 * sin(pi / 7) / 0.02) / (1000.0 * pi * 4e-4);
  for (int i = 0; i < 7; i++) assert_close(view->velocity[2][i], view->velocity[2][1], 1e-12);
  assert_close(view->velocity[2][0], 0.3 * exp(-rate * 0.02), 1e-4);
  elastica_world_destroy(world);
}

TEST(everything_can_be_changed_in_mid_run) {
  const double direction[3] = {0.0, 0.0, 1.0}, velocity[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0}, c = 4.0 * pi / log(40.0);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_needle(world, 1, direction);
  elastica_effect *effect = NULL;
  elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, 1.0);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  must(world, elastica_add_drag(world, rod, &def, &effect));
  assert_close(elastica_effect_power(effect), -c, 1e-12);
  must(world, elastica_world_step(world, 1e-5, 10));
  def = in_fluid(ELASTICA_DRAG_EXPLICIT, 3.0);
  must(world, elastica_drag_set(effect, &def));
  const double speed = elastica_rod_get_view(rod)->velocity[0][0];
  assert_close(elastica_effect_power(effect), -3.0 * c * speed * speed, 1e-9);
  def.viscosity = -1.0;
  assert_status(world, elastica_drag_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  assert_close(elastica_effect_power(effect), -3.0 * c * speed * speed, 1e-9);
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_step(world, 1e-5, 10));
  assert_close(elastica_rod_get_view(rod)->velocity[0][0], speed, 0.0);
  elastica_world_destroy(world);
}

TEST(a_body_that_is_not_slender_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *disc = add_straight_rod(world, 2, 0.01, 0.02, 1000.0, 1e5, 4e4);
  const elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, 1.0);
  assert_refused(world, elastica_add_drag(world, disc, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_drag", "rod 0", "slender",
                 "length 0.01", "radius 0.02", "element 0");
  elastica_world_destroy(world);
}

/* The compressed rod is shorter than its radius, and its elements are thicker than before. */
TEST(a_rod_that_is_slender_no_more_is_named) {
  enum { N = 4 };
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, N, 0.1, 0.02, 1000.0, 1e5, 4e4);
  const elastica_drag_def def = in_fluid(ELASTICA_DRAG_RATE, 1.0);
  double position[3 * (N + 1)] = {0.0};
  must(world, elastica_add_drag(world, rod, &def, NULL));
  for (int i = 0; i <= N; i++) position[component(i, 2)] = 0.02 * i / N;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  assert_refused(world, elastica_world_evaluate(world, 0.0), ELASTICA_CALLBACK_FAILED, "rod 0 is no slender body any more", "length 0.02 m",
                 "radius 0.0447 m of element 0");
  elastica_world_destroy(world);
}
