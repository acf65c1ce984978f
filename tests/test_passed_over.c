/* Claims about work that steps skip because it would change nothing: no bit depends on skipping. */
#include "measured.h"

/* ---- Prescribed positions at rest ---- */

/* A motion that keeps the prescribed position. It is called in every step, since a function may change its answer. */
static elastica_status stay(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return ELASTICA_OK;
}

/* A rod or a ring of six elements that starts at the negative zero. */
static elastica_rod *add_any_rod(elastica_world *world, int closed) {
  double position[3 * 7];
  elastica_rod *rod = NULL;
  for (int i = 0; i < 7; i++)
    set_vector(position, i, closed ? cos(i * 1.0471975511965976) - 1.0 : -0.0, closed ? sin(i * 1.0471975511965976) : -0.0,
               closed ? -0.0 : -0.1 * i);
  DEFAULTS(rod, def);
  def.element_count = 6;
  def.closed = closed;
  def.position = position;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static uint64_t hash_of_held(elastica_law law, int closed, elastica_motion motion) {
  const double g[3] = {2.0, 0.5, -9.81};
  elastica_world *world = make_world_of_law(law, 1);
  elastica_rod *rod = add_any_rod(world, closed);
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.motion = motion;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  def.node = 3, def.element = 4;
  def.axes = ELASTICA_AXIS_Y;
  def.motion = NULL;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  for (int k = 0; k < 5; k++) must(world, elastica_world_step(world, 1e-4, 1 + 13 * k));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

/* Gives the first node a velocity, and the first element a spin, after the pins. */
static elastica_status push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod;
  if (state->velocity[1] != NULL) state->velocity[1][0] = 1.0;
  if (state->omega[0] != NULL) state->omega[0][0] = 1.0;
  return ELASTICA_OK;
}

/* Positions and frames stay prescribed, with any other rod in the tile. */
TEST(a_hold_at_rest_holds_against_velocities_of_other_effects) {
  for (int spins = 0; spins < 2; spins++) {
    uint64_t hash[2];
    for (int alone = 0; alone < 2; alone++) {
      elastica_world_def world_def = default_world();
      world_def.tile_size = alone ? 1 : 256;
      elastica_world *world = make_world(&world_def);
      elastica_rod *rod = add_any_rod(world, 0), *other = add_any_rod(world, 0);
      elastica_module module = module_named("push");
      DEFAULTS(boundary, def);
      def.kind = ELASTICA_BOUNDARY_FRAME;
      must(world, elastica_add_boundary(world, rod, &def, NULL));
      def.motion = stay;
      must(world, elastica_add_boundary(world, other, &def, NULL));
      if (spins)
        module.constrain_spin = push;
      else
        module.constrain_velocity = push;
      must(world, elastica_world_add_module(world, rod, &module, NULL));
      must(world, elastica_world_step(world, 1e-4, 100));
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      assert_true(view->position[1][0] == 0.0 && view->director[1][2][0] == 0.0);
      hash[alone] = hash_world(world);
      elastica_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
  }
}

TEST(a_hold_at_rest_moves_like_one_that_is_called) {
  for (int law = 0; law < 2; law++)
    for (int closed = 0; closed < 2; closed++)
      assert_true(hash_of_held((elastica_law)law, closed, NULL) == hash_of_held((elastica_law)law, closed, stay));
}

/* Moves node 0 along x. */
static elastica_status slide(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *written) {
  (void)self, (void)rod;
  written->position[0][0] = 0.25 * now->time;
  return ELASTICA_OK;
}

TEST(the_last_of_several_constraints_prevails) {
  for (int pin_is_last = 0; pin_is_last < 2; pin_is_last++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_any_rod(world, 0);
    elastica_module module = module_named("slide");
    DEFAULTS(boundary, def);
    def.kind = ELASTICA_BOUNDARY_PIN;
    module.constrain_position = slide;
    def.position[0] = 0.0; /* the module has moved the node away from here */
    if (!pin_is_last) must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    if (pin_is_last) must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 1e-3, 20));
    assert_close(elastica_rod_get_view(rod)->position[0][0], pin_is_last ? 0.0 : 0.25 * 0.02, 1e-15);
    elastica_world_destroy(world);
  }
}

/* ---- Loads ---- */

typedef enum beside { NOTHING, ZERO_RATES, A_MODULE, FAR_CONTACT } beside;

static elastica_status add_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod, (void)loads;
  return ELASTICA_OK;
}

/* A falling clamped rod, or a moving bare one, beside effects that do nothing. */
static uint64_t hash_of_loaded(elastica_law law, int bare, beside what) {
  const double g[3] = {2.0, 0.5, -9.81}, phi[3] = {0.1, 0.05, -0.2};
  elastica_world *world = make_world_of_law(law, 1);
  elastica_rod *rod = add_straight_rod(world, 30, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("nothing");
  DEFAULTS(dissipation, rates);
  DEFAULTS(contact, contact);
  contact.modulus = 100.0;
  module.add_loads = add_nothing;
  double velocity[3 * 31] = {0};
  for (int i = 0; i <= 30; i++) set_vector(velocity, i, 0.01 * i * i, sin(0.3 * i), 0.1);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  if (!bare) add_turned_clamp(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP, phi);
  if (!bare) must(world, elastica_add_gravity(world, g, NULL));
  if (what == ZERO_RATES) must(world, elastica_add_dissipation(world, rod, &rates, NULL));
  if (what == A_MODULE) must(world, elastica_world_add_module(world, rod, &module, NULL));
  if (what == FAR_CONTACT) must(world, elastica_add_contact(world, rod, &contact, NULL));
  must(world, elastica_world_step(world, 1e-5, 300));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(effects_without_an_effect_change_no_bit) {
  for (int law = 0; law < 2; law++)
    for (int bare = 0; bare < 2; bare++) {
      const uint64_t hash = hash_of_loaded((elastica_law)law, bare, NOTHING);
      for (int what = ZERO_RATES; what <= FAR_CONTACT; what++) assert_true(hash == hash_of_loaded((elastica_law)law, bare, (beside)what));
    }
}

/* ---- Loads that the kick computes itself ---- */

static elastica_status constrain_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod, (void)state;
  return ELASTICA_OK;
}

/* Effects of a scene that changes during the run. */
typedef struct stage {
  elastica_world *world;
  elastica_effect *clamp, *pin, *load, *rates, *mass;
} stage;

static void change(const stage *on, int k) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(dissipation, rates);
  DEFAULTS(node_mass, mass);
  switch (k % 6) {
  case 0:
    pin.node = 150;
    pin.axes = k < 6 ? ELASTICA_AXIS_Y : ELASTICA_AXIS_ALL;
    must(on->world, elastica_boundary_set(on->pin, &pin));
    break;
  case 1: must(on->world, elastica_effect_set_enabled(on->clamp, !elastica_effect_get(on->clamp).is_enabled)); break;
  case 2:
    rates.translation = 0.3, rates.rotation = 1e-4 * k;
    must(on->world, elastica_dissipation_set(on->rates, &rates));
    break;
  case 3: must(on->world, elastica_effect_set_enabled(on->load, !elastica_effect_get(on->load).is_enabled)); break;
  case 4:
    mass.node = 150, mass.mass = 0.01 * k;
    must(on->world, elastica_node_mass_set(on->mass, &mass));
    break;
  default: must(on->world, elastica_effect_set_enabled(on->rates, !elastica_effect_get(on->rates).is_enabled)); break;
  }
}

/* A clamped, pinned, loaded and damped rod beside another rod; modules that do nothing cause every hook of the rod to be called, and all
 * its lanes to be read. */
static uint64_t hash_of_stage(elastica_law law, int all_called) {
  stage on = {.world = make_world_of_law(law, 1)};
  elastica_rod *rod = add_straight_rod(on.world, 150, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_rod *other = add_straight_rod(on.world, 30, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module loads = module_named("loads"), velocities = module_named("velocities");
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(point_load, load);
  DEFAULTS(dissipation, rates);
  DEFAULTS(node_mass, mass);
  DEFAULTS(boundary, clamp);
  loads.add_loads = add_nothing;
  velocities.constrain_velocity = constrain_nothing;
  pin.node = 150;
  load.node = 75, load.element = 20;
  set_vector(load.force, 0, 1.0, 2.0, -3.0);
  set_vector(load.couple, 0, 0.1, 0.0, -0.2);
  rates.translation = 2.0, rates.rotation = 1e-3;
  mass.node = 150, mass.mass = 0.02;
  must(on.world, elastica_add_boundary(on.world, rod, &clamp, &on.clamp));
  must(on.world, elastica_add_boundary(on.world, rod, &pin, &on.pin));
  must(on.world, elastica_add_point_load(on.world, rod, &load, &on.load));
  must(on.world, elastica_add_node_mass(on.world, rod, &mass, &on.mass));
  must(on.world, elastica_add_boundary(on.world, other, &clamp, NULL));
  must(on.world, elastica_add_dissipation(on.world, NULL, &rates, &on.rates));
  if (all_called) must(on.world, elastica_world_add_module(on.world, NULL, &loads, NULL));
  if (all_called) must(on.world, elastica_world_add_module(on.world, NULL, &velocities, NULL));
  for (int k = 0; k < 12; k++) {
    must(on.world, elastica_world_step(on.world, 1e-6, 50));
    change(&on, k);
  }
  must(on.world, elastica_world_step(on.world, 1e-6, 50));
  const uint64_t hash = hash_world(on.world);
  elastica_world_destroy(on.world);
  return hash;
}

TEST(a_rod_moves_as_if_every_effect_were_called) {
  for (int law = 0; law < 2; law++) assert_true(hash_of_stage((elastica_law)law, 0) == hash_of_stage((elastica_law)law, 1));
}
