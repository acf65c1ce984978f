/* Claims about refusals and failures: constraints must write finite numbers and frames, a refused call changes nothing, a query never
 * returns nan, and the sentence of a failure lasts as long as the failure.
 */
#include "base/target.h"

#include "measured.h"

/* ---- Values written by constraints ---- */

typedef struct scribble {
  int lane; /* 0 position, 1 velocity, 2 frame, 3 spin */
  double value;
  int in_steps; /* 1: only in steps */
} scribble;

static int is_time(const scribble *s, const elastica_instant *now) {
  return (now->dt > 0.0) == s->in_steps;
}

static elastica_status write_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const scribble *s = self;
  (void)rod;
  if (is_time(s, now) && s->lane == 0) state->position[1][2] = s->value;
  if (is_time(s, now) && s->lane == 2) state->director[0][1][3] = s->value;
  return ELASTICA_OK;
}

static elastica_status write_velocity(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const scribble *s = self;
  (void)rod;
  if (is_time(s, now) && s->lane == 1) state->velocity[0][2] = s->value;
  return ELASTICA_OK;
}

static elastica_status write_spin(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const scribble *s = self;
  (void)rod;
  if (is_time(s, now) && s->lane == 3) state->omega[2][3] = s->value;
  return ELASTICA_OK;
}

static elastica_rod *add_plain_rod(elastica_world *world) {
  return add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
}

static elastica_effect *add_scribble(elastica_world *world, elastica_rod *rod, const scribble *self) {
  elastica_effect *effect = NULL;
  elastica_module module = module_named("scribble");
  module.self = self;
  module.self_size = sizeof *self;
  module.constrain_position = write_position;
  module.constrain_velocity = write_velocity;
  module.constrain_spin = write_spin;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  return effect;
}

static elastica_effect *add_weight(elastica_world *world) {
  const double down[3] = {0.0, 0.0, -9.81};
  elastica_effect *effect = NULL;
  must(world, elastica_add_gravity(world, down, &effect));
  return effect;
}

static const struct {
  scribble what;
  const char *says[6]; /* ended by NULL */
} scribbles[] = {
    {{0, (double)NAN, 0}, {"effect 1 \"scribble\"", "constrain_position", "node 2", "rod 1", "not finite"}},
    {{0, (double)INFINITY, 0}, {"effect 1 \"scribble\"", "constrain_position", "node 2", "rod 1", "not finite"}},
    {{1, (double)NAN, 0}, {"effect 1 \"scribble\"", "constrain_velocity", "node 2", "rod 1", "not finite"}},
    {{2, (double)NAN, 0}, {"effect 1 \"scribble\"", "constrain_position", "element 3", "rod 1", "right-handed"}},
    {{2, 3e-9, 0}, {"effect 1 \"scribble\"", "constrain_position", "element 3", "rod 1", "right-handed"}},
    {{3, -(double)INFINITY, 0}, {"effect 1 \"scribble\"", "constrain_spin", "element 3", "rod 1", "not finite"}},
};
enum { SCRIBBLES = sizeof scribbles / sizeof *scribbles };

TEST(a_constraint_that_writes_nonsense_refuses_the_call) {
  for (int k = 0; k < SCRIBBLES; k++) {
    elastica_world *world = make_world(NULL);
    elastica_totals energy;
    elastica_step_limit limit;
    add_plain_rod(world);
    elastica_rod *rod = add_plain_rod(world);
    add_weight(world);
    elastica_effect *effect = add_scribble(world, rod, &scribbles[k].what);
    const uint64_t before = hash_world(world);
    assert_status(world, elastica_world_step(world, 1e-6, 1), ELASTICA_CALLBACK_FAILED);
    assert_says_all(elastica_world_message(world), scribbles[k].says);
    assert_status(world, elastica_world_get_totals(world, &energy), ELASTICA_CALLBACK_FAILED);
    assert_status(world, elastica_world_step_limit(world, &limit), ELASTICA_CALLBACK_FAILED);
    assert_true(hash_world(world) == before);
    must(world, elastica_effect_set_enabled(effect, 0));
    must(world, elastica_world_step(world, 1e-6, 1));
    elastica_world_destroy(world);
  }
}

TEST(a_constraint_that_writes_nonsense_in_a_step_stops_the_world) {
  for (int k = 0; k < SCRIBBLES; k++) {
    scribble self = scribbles[k].what;
    elastica_world *world = make_world(NULL);
    add_plain_rod(world);
    elastica_rod *rod = add_plain_rod(world);
    add_weight(world);
    self.in_steps = 1;
    add_scribble(world, rod, &self);
    assert_status(world, elastica_world_step(world, 1e-6, 10), ELASTICA_CALLBACK_FAILED);
    assert_says_all(elastica_world_message(world), scribbles[k].says);
    assert_int_equal(elastica_world_get(world).step_count, 1);
    elastica_world_destroy(world);
  }
}

static elastica_status add_poison(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod;
  if (now->step == 5) loads->force[1][2] += (double)NAN;
  return ELASTICA_OK;
}

/* A constraint is checked on its whole rod, but a sentence names it only for entries that it wrote. */
TEST(a_velocity_spoilt_by_loads_is_not_blamed_on_a_constraint) {
  const scribble self = {0, 0.0, 1}; /* holds y of node 2 at 0 */
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_plain_rod(world);
  add_weight(world);
  add_scribble(world, rod, &self);
  elastica_module module = module_named("poison");
  module.add_loads = add_poison;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  assert_status(world, elastica_world_step(world, 1e-6, 10), ELASTICA_NOT_FINITE);
  assert_says(elastica_world_message(world), "rod 0, node 2", "velocity", "not finite");
  elastica_world_destroy(world);
}

/* ---- Nodes held by pins ---- */

typedef struct pinning {
  int node;
  double z;
  const char *element;
} pinning;

/* Nodes are at z = i/8; node 8 is pinned at its place. */
TEST(a_pin_that_leaves_no_element_is_refused) {
  static const pinning pinnings[] = {
      {1, 0.0, "element 0"}, {7, 1.0, "element 7"}, /* both ends of the element are held: the sentence names the last effect */
  };
  for (size_t k = 0; k < sizeof pinnings / sizeof *pinnings; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_plain_rod(world);
    elastica_effect *effect = NULL;
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = 8;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    pin.node = pinnings[k].node;
    pin.position[2] = pinnings[k].z;
    must(world, elastica_add_boundary(world, rod, &pin, &effect));
    const uint64_t before = hash_world(world);
    assert_refused(world, elastica_world_step(world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "effect 1 \"boundary\"", pinnings[k].element,
                   "rod 0", "shorter", "rest length");
    assert_true(hash_world(world) == before);
    assert_close(elastica_rod_get_view(rod)->length[0], 0.125, 1e-16);
    pin.position[2] = pinnings[k].node / 8.0;
    must(world, elastica_boundary_set(effect, &pin));
    must(world, elastica_world_step(world, 1e-6, 1));
    elastica_world_destroy(world);
  }
}

TEST(a_constraint_at_an_absurd_distance_is_refused) {
  const scribble self = {0, 1e200, 0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_plain_rod(world);
  add_scribble(world, rod, &self);
  const uint64_t before = hash_world(world);
  assert_refused(world, elastica_world_step(world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "effect 0 \"scribble\"", "element 1", "rod 0",
                 "too long");
  assert_true(hash_world(world) == before);
  elastica_world_destroy(world);
}

TEST(a_pin_that_turns_a_joint_too_far_is_refused) {
  const double phi[3] = {3.05, 0.0, 0.0};
  elastica_boundary_def pin;
  for (int closed = 0; closed < 2; closed++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = closed ? add_usual_ring(world) : add_plain_rod(world);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.axes = 0;
    pin.kind = ELASTICA_BOUNDARY_FRAME;
    pin.element = closed ? 0 : 7;
    for (int a = 0; a < 9; a++) pin.director[a] = view->director[a / 3][a % 3][closed ? 7 : 6];
    turn_frame_exactly(phi, pin.director);
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    const uint64_t before = hash_world(world);
    assert_refused(world, elastica_world_step(world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "effect 0 \"boundary\"",
                   closed ? "joint 0" : "joint 6", "rod 0", "3.05 rad", "3.0");
    assert_true(hash_world(world) == before);
    elastica_world_destroy(world);
  }
}

/* ---- A refused prepare ---- */

static elastica_status add_mass_then_refuse(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self;
  preparation->mass[0] += 5.0;
  return rod->rod_index == 1 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK;
}

TEST(a_refused_prepare_leaves_masses_alone) {
  elastica_world *world = make_world(NULL);
  const elastica_rod_view *view = elastica_rod_get_view(add_plain_rod(world));
  add_plain_rod(world);
  DEFAULTS(node_mass, burden);
  burden.node = 0;
  burden.mass = 2.0;
  must(world, elastica_add_node_mass(world, elastica_world_rod(world, 0), &burden, NULL));
  must(world, elastica_world_step(world, 1e-6, 1));
  const double before = view->mass[0];
  elastica_module module = module_named("reluctant");
  module.prepare = add_mass_then_refuse;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_status(world, elastica_world_step(world, 1e-6, 1), ELASTICA_CALLBACK_FAILED);
  assert_true(view->mass[0] == before);
  elastica_world_destroy(world);
}

/* ---- Energies and momenta that are not finite ---- */

/* m v^2 and r x m v overflow for 1e150 kg at 1e150 m/s and 1e10 m. */
TEST(sums_that_overflow_are_refused) {
  elastica_totals totals;
  double velocity[27] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 8, 1e10, 1e8, 1000.0, 1e6, 4e5);
  DEFAULTS(node_mass, burden);
  burden.mass = 1e150;
  must(world, elastica_add_node_mass(world, rod, &burden, NULL));
  velocity[component(8, X)] = 1e150;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  assert_refused(world, elastica_rod_get_totals(rod, &totals), ELASTICA_NOT_FINITE, "rod 0", "energy", "not finite");
  assert_refused(world, elastica_world_get_totals(world, &totals), ELASTICA_NOT_FINITE, "rod 0", "energy", "not finite");
  memset(velocity, 0, sizeof velocity);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  must(world, elastica_world_get_totals(world, &totals));
  DEFAULTS(body, far); /* its energy is finite, its angular momentum is not */
  far.radius = 1.0, far.mass = 1e150, far.position[X] = 1e150, far.velocity[Y] = 1e10;
  must(world, elastica_world_add_body(world, &far, &rod));
  assert_refused(world, elastica_rod_get_totals(rod, &totals), ELASTICA_NOT_FINITE, "momentum", "not finite");
  assert_refused(world, elastica_world_get_totals(world, &totals), ELASTICA_NOT_FINITE, "momentum", "not finite");
  elastica_world_destroy(world);
}

static double no_number(void *self, double time, const elastica_rod_view *rod) {
  (void)self, (void)time;
  return rod->rod_index == 1 ? (double)NAN : 1.0;
}

TEST(an_effect_with_nan_energy_is_named) {
  elastica_effect *effect = NULL;
  elastica_totals energy;
  elastica_world *world = make_world(NULL);
  for (int r = 0; r < 2; r++) add_plain_rod(world);
  add_weight(world);
  elastica_module module = module_named("vague");
  module.energy = no_number;
  module.power = no_number;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  must(world, elastica_rod_get_totals(elastica_world_rod(world, 0), &energy));
  assert_refused(world, elastica_rod_get_totals(elastica_world_rod(world, 1), &energy), ELASTICA_CALLBACK_FAILED, "effect 1 \"vague\"",
                 "energy", "rod 1", "nan");
  assert_refused(world, elastica_world_get_totals(world, &energy), ELASTICA_CALLBACK_FAILED, "effect 1 \"vague\"", "energy", "rod 1",
                 "nan");
  assert_true(isnan(elastica_effect_power(effect)));
  assert_says(elastica_world_message(world), "effect 1 \"vague\"", "power", "rod 1", "nan");
  must(world, elastica_world_step(world, 1e-6, 1)); /* nothing sticks */
  elastica_world_destroy(world);
}

static elastica_status breaks_off(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)position, (void)velocity, (void)director, (void)omega;
  return time > 2.2e-5 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

/* The state is finite; only the energy of the effect is not. */
TEST(an_effect_without_energy_is_named_after_a_failure_too) {
  elastica_totals totals;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_plain_rod(world);
  DEFAULTS(obstacle, wall);
  wall.stiffness = 10.0;
  wall.position[2] = -1.0;
  wall.motion = breaks_off;
  must(world, elastica_add_obstacle(world, rod, &wall, NULL));
  assert_status(world, elastica_world_step(world, 1e-5, 3), ELASTICA_CALLBACK_FAILED);
  assert_refused(world, elastica_world_get_totals(world, &totals), ELASTICA_CALLBACK_FAILED, "effect 0 \"obstacle\"", "energy", "rod 0",
                 "nan");
  elastica_world_destroy(world);
}

/* ---- The sentence of a failure ---- */

static elastica_status give_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod, (void)loads;
  return now->step == 3 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST(calls_after_a_failure_repeat_its_sentence) {
  const double down[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  add_plain_rod(world);
  elastica_module module = module_named("tired");
  module.add_loads = give_up;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_refused(world, elastica_world_step(world, 1e-6, 9), ELASTICA_CALLBACK_FAILED, "effect 0 \"tired\"", "add_loads", "IO_ERROR",
                 "rod 0", "t = 4e-06 s");
  const kept_message first = keep_message(world);
  DEFAULTS(rod, def);
  DEFAULTS(obstacle, wall);
#define SAID_AGAIN(call)                                                                                                                   \
  do {                                                                                                                                     \
    assert_status(world, elastica_world_get_totals(world, NULL), ELASTICA_INVALID_ARGUMENT); /* another sentence is written in between */  \
    assert_status(world, (call), ELASTICA_WRONG_STATE);                                                                                    \
    assert_message(world, first.text);                                                                                                     \
  } while (0)
  SAID_AGAIN(elastica_world_step(world, 1e-6, 1));
  SAID_AGAIN(elastica_world_step(world, -1.0, -1));
  SAID_AGAIN(elastica_world_advance(world, -1.0));
  SAID_AGAIN(elastica_world_relax(world, NULL, NULL));
  SAID_AGAIN(elastica_add_gravity(world, down, NULL));
  SAID_AGAIN(elastica_world_add_rod(world, &def, NULL));
  SAID_AGAIN(elastica_add_obstacle(world, NULL, &wall, NULL)); /* also for a wrong definition */
  SAID_AGAIN(elastica_effect_set_module(elastica_world_effect(world, 0), NULL));
#undef SAID_AGAIN
  elastica_world_destroy(world);
}
