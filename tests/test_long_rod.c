/* A long rod takes batches of steps in windows: the same bits, limit checks and sentences as in single steps, which sweep over the whole
 * rod. So does one with loads that depend only on near nodes and elements. */
#include "base/target.h"

#include <math.h>

#include "samples.h"
#include "support.h"

enum { N = 17000 };

/* A bent, twisted, waving rope of uneven elements. fast: factor on the spins about its middle. */
static elastica_world *make_rope(int unstable, double fast) {
  static double position[3 * (N + 1)], velocity[3 * (N + 1)], omega[3 * N];
  elastica_world_def world_def = default_world();
  elastica_rod *rod = NULL;
  random_source source = {7};
  world_def.allow_unstable_step = unstable;
  elastica_world *world = make_world(&world_def);
  DEFAULTS(rod, def);
  for (int i = 0; i <= N; i++) {
    const double s = 0.01 * i + 0.001 * sin(1.7 * i);
    position[3 * i] = 0.3 * sin(2.0 * s), position[3 * i + 1] = 0.2 * cos(1.3 * s), position[3 * i + 2] = s;
    random_vector(&source, 0.02, velocity + 3 * i);
  }
  for (int j = 0; j < N; j++) random_vector(&source, j > N / 2 && j < N / 2 + 9 ? 0.5 * fast : 0.5, omega + 3 * j);
  def.element_count = N;
  def.position = position, def.velocity = velocity, def.omega = omega;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return world;
}

static double limit_of(elastica_world *world) {
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  return limit.dt;
}

/* Takes steps until the world refuses; returns its status. */
static elastica_status take(elastica_world *world, double dt, long steps, long at_once) {
  elastica_status status = ELASTICA_OK;
  for (long k = 0; k < steps && status == ELASTICA_OK; k += at_once) status = elastica_world_step(world, dt, at_once);
  return status;
}

static void assert_same(elastica_world *one, elastica_world *other) {
  assert_true(hash_world(one) == hash_world(other));
  assert_true(elastica_world_get(one).time == elastica_world_get(other).time);
  assert_int_equal(elastica_world_get(one).step_count, elastica_world_get(other).step_count);
  assert_string_equal(elastica_world_message(one), elastica_world_message(other));
}

TEST(calls_may_cut_a_run_anywhere) {
  static const long at_once[] = {192, 48, 24};
  elastica_world *single = make_rope(0, 1.0);
  const double dt = 0.5 * limit_of(single);
  must(single, take(single, dt, 192, 1));
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_rope(0, 1.0);
    must(world, take(world, dt, 192, at_once[k]));
    assert_same(world, single);
    elastica_world_destroy(world);
  }
  elastica_world_destroy(single);
}

/* Elements in the middle spin so fast that the watch requires limit checks; then faster, so that the world fails. */
static const double speeds[] = {1e3, 2e4, 1e5};

/* Runs two equal worlds, in single steps and at once. Returns 1 if they have failed. */
static int check_events(elastica_world *single, elastica_world *whole, long steps) {
  const double dt = 0.5 * limit_of(single);
  const elastica_status status = take(single, dt, steps, 1);
  assert_int_equal(take(whole, dt, steps, steps), status);
  assert_same(whole, single);
  elastica_world_destroy(single);
  elastica_world_destroy(whole);
  return status != ELASTICA_OK;
}

TEST(events_come_in_the_same_step_as_in_single_steps) {
  int failed = 0;
  for (int k = 0; k < 3; k++) failed += check_events(make_rope(1, speeds[k]), make_rope(1, speeds[k]), 192);
  assert_int_equal(failed, 2);
}

TEST(an_unstable_step_ends_as_single_steps_do) {
  elastica_world *single = make_rope(1, 1.0), *whole = make_rope(1, 1.0);
  const double dt = 1.5 * limit_of(single);
  const elastica_status status = take(single, dt, 4000, 1);
  assert_true(status != ELASTICA_OK);
  assert_int_equal(elastica_world_step(whole, dt, 4000), status);
  assert_same(whole, single);
  elastica_world_destroy(single);
  elastica_world_destroy(whole);
}

/* ---- With effects ---- */

/* Windows begin at multiples of 768 slots; points at and near their ends, and at the ends of the rod. */
static const int places[] = {0, 1, 40, 767, 768, 769, 800, 807, 808, 809, 815, 1530, 1576, 5000, N - 40, N - 1};
enum { PLACES = sizeof places / sizeof places[0] };

static void add_points(elastica_world *world, elastica_rod *rod) {
  for (int k = 0; k < PLACES; k++) {
    DEFAULTS(point_load, load);
    load.node = places[k], load.element = places[k] > 3 ? places[k] - k % 3 : places[k];
    load.force[k % 3] = 1e-3, load.couple[(k + 1) % 3] = 1e-5;
    load.couple_in_laboratory = k % 2;
    load.ramp_time = 1e-4;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
  }
}

static void add_holds(elastica_world *world, elastica_rod *rod, int fixed) {
  DEFAULTS(boundary, clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  for (int k = 3; k < PLACES; k += 4) {
    DEFAULTS(boundary, pin);
    pin.kind = k % 8 == 3 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    pin.node = places[k] + (places[k] < N - 2 ? 2 : -2);
    pin.axes = fixed ? ELASTICA_AXIS_ALL : ELASTICA_AXIS_X + ELASTICA_AXIS_Z;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
  }
}

static void add_muscle(elastica_world *world, elastica_rod *rod, elastica_muscle_kind kind) {
  static const double control[4] = {1e-4, 3e-4, 2e-4, 1e-4};
  DEFAULTS(muscle, muscle);
  muscle.kind = kind;
  muscle.control = control, muscle.control_count = 4;
  muscle.period = 0.01, muscle.wavenumber = 5.0;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
}

static void add_drag(elastica_world *world, elastica_rod *rod, elastica_drag_kind kind) {
  DEFAULTS(drag, drag);
  drag.kind = kind;
  drag.viscosity = 0.1, drag.rest_slenderness = 1;
  drag.flow[0] = 0.1, drag.gradient[1] = 0.2;
  must(world, elastica_add_drag(world, rod, &drag, NULL));
}

static void add_dissipation(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(dissipation, damping);
  damping.translation = 0.1, damping.rotation = 1e-6;
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
}

enum {
  GRAVITY = 1,
  DAMPED = 2,
  TWICE = 4,
  POINTS = 8,
  HOLDS = 16,
  FIXED = 32,
  COUPLES = 64,
  FORCES = 128,
  LABORATORY = 256,
  DRAG = 512,
  EXPLICIT = 1024
};

static elastica_world *make_loaded(unsigned with, double fast) {
  static const double g[3] = {0.5, 0.0, -9.81};
  elastica_world *world = make_rope(1, fast);
  elastica_rod *rod = elastica_world_rod(world, 0);
  if (with & GRAVITY) must(world, elastica_add_gravity(world, g, NULL));
  if (with & HOLDS) add_holds(world, rod, (with & FIXED) != 0);
  if (with & DAMPED) add_dissipation(world, rod);
  if (with & TWICE) add_dissipation(world, rod);
  if (with & POINTS) add_points(world, rod);
  if (with & COUPLES) add_muscle(world, rod, ELASTICA_MUSCLE_COUPLE);
  if (with & FORCES) add_muscle(world, rod, ELASTICA_MUSCLE_FORCE);
  if (with & LABORATORY) add_muscle(world, rod, ELASTICA_MUSCLE_LABORATORY_COUPLE);
  if (with & DRAG) add_drag(world, rod, ELASTICA_DRAG_RATE);
  if (with & EXPLICIT) add_drag(world, rod, ELASTICA_DRAG_EXPLICIT);
  return world;
}

TEST(local_loads_give_the_same_bits_in_windows) {
  static const unsigned loads[] = {GRAVITY,
                                   GRAVITY | DAMPED,
                                   DAMPED | POINTS | HOLDS | FIXED,
                                   GRAVITY | DAMPED | TWICE | HOLDS,
                                   POINTS,
                                   HOLDS | FIXED,
                                   GRAVITY | DAMPED | COUPLES,
                                   POINTS | FORCES | HOLDS,
                                   COUPLES | FORCES,
                                   LABORATORY | DAMPED,
                                   DRAG | GRAVITY,
                                   EXPLICIT | POINTS | DAMPED};
  for (size_t k = 0; k < sizeof loads / sizeof loads[0]; k++)
    assert_false(check_events(make_loaded(loads[k], 1.0), make_loaded(loads[k], 1.0), 96));
}

static elastica_status push_last(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  loads->force[0][rod->node_count - 1] += 1e-3 * rod->position[0][0];
  return ELASTICA_OK;
}

static elastica_status bend_first(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)self, (void)now;
  to->couple[0][0] += 1e-6 * rod->position[0][rod->node_count - 1];
  return ELASTICA_OK;
}

static elastica_status do_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)self, (void)now, (void)rod;
  return ELASTICA_OK;
}

static elastica_status hold_last(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now;
  state->velocity[0][rod->node_count - 1] = state->velocity[0][0];
  return ELASTICA_OK;
}

enum { WIDE_LOAD, WIDE_HOLD, LOADS, RESULTANTS, BEGIN, CONSTRAINT, VISCOSITY, WHOLE_DRAG, WALL, DISTANT_KINDS };

/* Adds an effect that acts on distant places at once. */
static void add_distant(elastica_world *world, int kind) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  elastica_module module = module_named("distant");
  module.stateless = 1, module.parallel_safe = 1, module.needs_derived = 0, module.needs_geometry = 0;
  if (kind == LOADS) module.add_loads = push_last;
  if (kind == RESULTANTS) module.add_resultants = bend_first;
  if (kind == BEGIN) module.begin_step = do_nothing;
  if (kind == CONSTRAINT) module.constrain_velocity = hold_last;
  if (kind >= LOADS && kind <= CONSTRAINT) must(world, elastica_world_add_module(world, rod, &module, NULL));
  DEFAULTS(point_load, load);
  load.node = 5, load.element = N - 5, load.force[0] = 1e-3, load.couple[0] = 1e-6;
  if (kind == WIDE_LOAD) must(world, elastica_add_point_load(world, rod, &load, NULL));
  DEFAULTS(boundary, frame);
  frame.kind = ELASTICA_BOUNDARY_FRAME, frame.node = 5, frame.element = N - 5;
  if (kind == WIDE_HOLD) must(world, elastica_add_boundary(world, rod, &frame, NULL));
  DEFAULTS(axial_viscosity, viscosity);
  viscosity.viscosity = 1e-3;
  if (kind == VISCOSITY) must(world, elastica_add_axial_viscosity(world, rod, &viscosity, NULL));
  DEFAULTS(drag, drag);
  drag.viscosity = 0.1; /* the slenderness is that of the whole rod */
  if (kind == WHOLE_DRAG) must(world, elastica_add_drag(world, rod, &drag, NULL));
  DEFAULTS(obstacle, wall);
  wall.position[2] = -1.0, wall.stiffness = 1.0;
  if (kind == WALL) must(world, elastica_add_obstacle(world, rod, &wall, NULL));
}

/* Effects on distant places act in each step, although the rod alone would take batches in windows. */
TEST(distant_effects_give_the_same_bits) {
  for (int kind = 0; kind < DISTANT_KINDS; kind++) {
    elastica_world *worlds[2];
    for (int k = 0; k < 2; k++) add_distant(worlds[k] = make_rope(1, 1.0), kind);
    assert_false(check_events(worlds[0], worlds[1], 33));
  }
}

/* The same with effects. */
TEST(loaded_rods_have_events_in_the_same_step) {
  const unsigned with = GRAVITY | DAMPED | POINTS | HOLDS | COUPLES;
  int failed = 0;
  for (int k = 0; k < 3; k++) failed += check_events(make_loaded(with, speeds[k]), make_loaded(with, speeds[k]), 96);
  assert_int_equal(failed, 2);
}

/* Changes between calls, with two long rods and a short one on three workers: the windows of a call have the effects of that call. */
static elastica_world *make_company(int workers) {
  static const double g[3] = {0.5, 0.0, -9.81};
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  elastica_world *world = make_world(&world_def);
  for (int r = 0; r < 3; r++) {
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    def.element_count = r == 1 ? 10 : N;
    def.length = 0.01 * def.element_count;
    def.start[0] = 1e3 * r;
    def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
    must(world, elastica_world_add_rod(world, &def, &rod));
    add_dissipation(world, rod);
    if (r == 1) continue;
    add_holds(world, rod, r == 0);
    add_points(world, rod);
    add_muscle(world, rod, ELASTICA_MUSCLE_COUPLE);
  }
  must(world, elastica_add_gravity(world, g, NULL));
  return world;
}

static void change_company(elastica_world *world, int round) {
  static const double g[3] = {0.0, 2.0, 1.0};
  const int last = elastica_world_get(world).effect_count - 1;
  if (round == 0) must(world, elastica_gravity_set(elastica_world_effect(world, last), g));
  if (round == 1) must(world, elastica_effect_set_enabled(elastica_world_effect(world, 4), 0));
  if (round == 2) must(world, elastica_effect_remove(elastica_world_effect(world, 3)));
  if (round == 3) must(world, elastica_effect_set_enabled(elastica_world_effect(world, 0), 0));
}

TEST(changes_between_calls_act_in_windows) {
  elastica_world *single = make_company(1);
  const double dt = 0.5 * limit_of(single);
  for (int workers = 1; workers <= 3; workers += 2) {
    elastica_world *whole = make_company(workers);
    if (workers > 1) {
      elastica_world_destroy(single);
      single = make_company(1);
    }
    for (int round = 0; round < 4; round++) {
      must(single, take(single, dt, 40, 1));
      must(whole, take(whole, dt, 40, 40));
      assert_same(whole, single);
      change_company(single, round);
      change_company(whole, round);
    }
    must(single, take(single, dt, 40, 1));
    must(whole, take(whole, dt, 40, 40));
    assert_same(whole, single);
    elastica_world_destroy(whole);
  }
  elastica_world_destroy(single);
}
