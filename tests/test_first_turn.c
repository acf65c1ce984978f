/* Loads that turn a frame from rest: with steps chosen by the library the first step does not turn it too far. */
#include "bodies.h"
#include "measured.h"

/* A rod that is magnetised along d3, M V b the largest couple of an element; counts the calls of hooks that may change history. */
typedef struct magnet {
  double strength; /* M b [J/m^3] */
  double field[3]; /* unit vector, laboratory */
  int begun, reacted;
} magnet;

static elastica_status begin(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  magnet *m = self;
  (void)now, (void)rod;
  m->begun++;
  return ELASTICA_OK;
}

static elastica_status react(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  magnet *m = self;
  (void)now, (void)rod, (void)loads;
  m->reacted++;
  return ELASTICA_OK;
}

/* d3 x b, along d1 and d2. */
static elastica_status turn(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const magnet *m = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++) {
    double b[3];
    elastica_rotate_to_material(rod, j, m->field, b);
    loads->couple[X][j] -= m->strength * rod->volume[j] * b[Y];
    loads->couple[Y][j] += m->strength * rod->volume[j] * b[X];
  }
  return ELASTICA_OK;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  const magnet *m = self;
  double sum = 0.0;
  (void)time;
  for (int j = 0; j < rod->element_count; j++) {
    double b[3];
    elastica_rotate_to_material(rod, j, m->field, b);
    sum -= m->strength * rod->volume[j] * b[Z];
  }
  return sum;
}

static elastica_status bound(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const magnet *m = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++) stiffness->element[j] += m->strength * rod->volume[j];
  return ELASTICA_OK;
}

static elastica_rod *add_gel(elastica_world *world, int element_count, double length, double radius, double density,
                             double youngs_modulus) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = element_count;
  def.length = length;
  def.radius = radius;
  def.density = density;
  def.youngs_modulus = youngs_modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A gel rod, E in [Pa], along z in a field along x, M b = strength; clamped at its foot or free. */
static elastica_world *make_gel(double youngs_modulus, double strength, int clamped, elastica_effect **effect) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_gel(world, 10, 0.03, 5e-4, 2000, youngs_modulus);
  DEFAULTS(boundary, clamp);
  if (clamped) must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  const magnet m = {strength, {1, 0, 0}, 0, 0};
  elastica_module module = module_named("magnet");
  module.self = &m;
  module.self_size = sizeof m;
  module.begin_step = begin;
  module.add_loads = turn;
  module.add_reactions = react;
  module.add_stiffness = bound;
  module.energy = energy;
  must(world, elastica_world_add_module(world, rod, &module, effect));
  return world;
}

/* The energy then oscillates by a share f^2 = 0.64 of the moving part at most; here by half of that. */
TEST(strong_couple_on_a_rod_at_rest_is_no_failure) {
  static const double modulus[] = {1e4, 1e5, 1e5, 1e6}, strength[] = {1e4, 5e4, 2e5, 5e5};
  for (int k = 0; k < 4; k++) {
    for (int clamped = 0; clamped <= 1; clamped++) {
      elastica_world *world = make_gel(modulus[k], strength[k], clamped, NULL);
      const double depth = strength[k] * 0.03 * 3.1416 * 25e-8, start = total_energy(world); /* M b V */
      must(world, elastica_world_advance(world, 0.002));
      assert_between(total_energy(world), start - 0.32 * depth, start + 0.32 * depth);
      elastica_world_destroy(world);
    }
  }
}

/* The trial of a first step has no side effects: the hooks that may change history are called once per step, and the bits are those of
 * the same steps taken singly. */
TEST(trying_the_first_step_leaves_no_trace) {
  elastica_effect *effect = NULL;
  elastica_world *one = make_gel(1e4, 1e4, 1, &effect), *other = make_gel(1e4, 1e4, 1, NULL);
  must(one, elastica_world_advance(one, 0.0));
  must(one, elastica_world_advance(one, 1e-4));
  const long steps = elastica_world_get(one).step_count;
  const magnet *m = elastica_effect_get(effect).self;
  assert_int_equal(m->begun, steps);
  assert_int_equal(m->reacted, steps);
  must(other, elastica_world_step(other, 1e-4 / (double)steps, steps));
  assert_true(hash_world(one) == hash_world(other));
  elastica_world_destroy(one);
  elastica_world_destroy(other);
}

/* A box lies across a held rod and sticks; gravity pulls it sideways. Setting the same gravity again makes each advance begin with a
 * trial: only steps may stretch the friction spring. */
static double way_of_a_stuck_box(int sets_again) {
  const double gravity[3] = {0.3, 0.0, -9.81}, along[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_effect *weight = NULL;
  DEFAULTS(rod, beam);
  beam.element_count = 4;
  beam.length = 1.0;
  beam.radius = 0.05;
  beam.density = 1000.0;
  beam.youngs_modulus = 1e7;
  set_vector(beam.start, 0, 0, -0.5, -0.05);
  set_vector(beam.direction, 0, 0, 1, 0);
  must(world, elastica_world_add_rod(world, &beam, &rod));
  for (int k = 0; k <= 4; k++) {
    DEFAULTS(boundary, pin);
    pin.node = k;
    pin.kind = k < 4 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    pin.element = k % 4;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
  }
  elastica_body_def def = default_body(ELASTICA_SHAPE_CAPSULE);
  def.radius = 0.1;
  def.length = 0.4;
  def.density = 500.0;
  memcpy(def.director, along, sizeof def.director);
  set_vector(def.position, 0, 0, 0, 0.0995);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(boundary, frame);
  frame.kind = ELASTICA_BOUNDARY_FRAME;
  frame.axes = 0;
  must(world, elastica_add_boundary(world, body, &frame, NULL));
  must(world, elastica_add_gravity(world, gravity, &weight));
  DEFAULTS(contact, contact);
  contact.modulus = 1e6;
  contact.damping = 1000.0;
  contact.friction = 0.5;
  contact.tangential_damping = 2000.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  while (elastica_world_get(world).time < 0.1) {
    if (sets_again) must(world, elastica_gravity_set(weight, gravity));
    must(world, elastica_world_advance(world, 1e-4));
  }
  const double way = body_now(body).position[X];
  elastica_world_destroy(world);
  return way;
}

TEST(trying_the_first_step_stretches_no_friction) {
  const double once = way_of_a_stuck_box(0);
  assert_between(once, 1e-6, 1e-2);
  assert_close(way_of_a_stuck_box(1), once, 1e-6 * once);
}

/* The trial measures the turn of frames that are free to turn: a rod in equilibrium keeps the whole step. */
TEST(rod_in_equilibrium_keeps_its_step) {
  elastica_effect *effect = NULL;
  elastica_world *world = make_gel(1e4, 1e4, 0, &effect);
  magnet along = *(const magnet *)elastica_effect_get(effect).self;
  set_vector(along.field, 0, 0, 0, 1);
  elastica_module module = module_named("magnet");
  module.self = &along;
  module.self_size = sizeof along;
  module.add_loads = turn;
  module.add_stiffness = bound;
  module.energy = energy;
  must(world, elastica_effect_set_module(effect, &module));
  const double limit = limit_of(world).dt;
  must(world, elastica_world_advance(world, 100.0 * limit));
  assert_close(elastica_world_get(world).working_step, 0.8 * limit, 1e-9);
  elastica_world_destroy(world);
}

/* A couple about d3 on an element of a free rod, with dissipation [kg m/s] of spins: the turn per step is proportional to dt^2, or to
 * dt. */
static void add_top(elastica_world *world, double couple, double dissipation) {
  elastica_rod *rod = add_gel(world, 1, 0.05, 0.01, 1000, 1e4);
  DEFAULTS(point_load, load);
  load.couple[Z] = couple;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  DEFAULTS(dissipation, drag);
  drag.rotation = dissipation;
  must(world, elastica_add_dissipation(world, rod, &drag, NULL));
}

/* J omega = C t, or C/c (1 - exp(-c t/J)) with c = rotation l. */
TEST(steady_couple_spins_a_rod_up) {
  static const double couple[] = {0.0343, 0.17, 0.5, 2, 20, 200}, dissipation[] = {0, 0, 0, 0.01, 0.1, 0.1};
  const double pi = acos(-1.0), inertia = 1000 * 0.05 * pi * pow(0.01, 4) / 2;
  for (int k = 0; k < 6; k++) {
    for (int stepped = 0; stepped <= 1; stepped++) {
      elastica_world *world = make_world(NULL);
      add_top(world, couple[k], dissipation[k]);
      const double limit = limit_of(world).dt, rate = dissipation[k] * 0.05 / inertia;
      if (stepped) must(world, elastica_world_step(world, 1e-9, 1)); /* this first step under the couple is not chosen by the library */
      must(world, elastica_world_advance(world, 4.0 * limit));
      const double time = elastica_world_get(world).time, t = rate > 0 ? (1 - exp(-rate * time)) / rate : time;
      assert_close(elastica_rod_get_view(elastica_world_rod(world, 0))->omega[Z][0], couple[k] / inertia * t,
                   1e-3 * couple[k] / inertia * t);
      elastica_world_destroy(world);
    }
  }
}

/* So late that time + the step required by the couple rounds to time, but time + 0.8 of the limit does not. */
TEST(step_that_loads_shorten_too_far_is_refused) {
  elastica_world *early = make_world(NULL), *late = make_world(NULL);
  add_top(early, 20, 0);
  must(late, elastica_world_advance(late, 0.2 * limit_of(early).dt * 0x1p53));
  add_top(late, 20, 0);
  assert_refused(late, elastica_world_advance(late, 1.0), ELASTICA_UNSTABLE_STEP, "advance", "loads turn a frame", "lost in rounding");
  elastica_world_destroy(early);
  elastica_world_destroy(late);
}
