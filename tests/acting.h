/* Effects of every kind on a rod, and their loads, found from the kick with and without the effect: tests need neither the hooks of an
 * effect nor its formulas.
 */
#ifndef TESTS_ACTING_H
#define TESTS_ACTING_H

#include "linearised.h"
#include "tangled.h"

enum { OPEN = 1, RING = 2 };

typedef elastica_rod *(*add_rod)(elastica_world *world, int closed);
typedef elastica_effect *(*add_effect)(elastica_world *world, elastica_rod *rod);

static inline elastica_rod *add_usual(elastica_world *world, int closed) {
  return closed ? add_usual_ring(world) : add_usual_rod(world);
}

static inline elastica_rod *add_tangle(elastica_world *world, int closed) {
  return add_stretched_tangle(world, 11, 14, closed);
}

/* ---- Effects ------------------------------------------------------------------------------------------------------------------------- */

static inline elastica_effect *add_weight(elastica_world *world, elastica_rod *rod) {
  const double acceleration[3] = {1.0, -2.0, -9.81};
  elastica_effect *effect = NULL;
  (void)rod;
  must(world, elastica_add_gravity(world, acceleration, &effect));
  return effect;
}

/* A clamp without held axes whose frame is turned from that of the rod. */
static inline elastica_effect *add_joint_at(elastica_world *world, elastica_rod *rod, elastica_end end) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int j = end == ELASTICA_END_FIRST ? 0 : view->element_count - 1;
  const double turn[3] = {0.5, -0.7, 0.4};
  elastica_clamp_def def;
  elastica_effect *effect = NULL;
  elastica_clamp_def_init(&def, sizeof def);
  def.end = end;
  def.axes = 0;
  for (int k = 0; k < 9; k++) def.director[k] = view->director[k / 3][k % 3][j];
  turn_frame(turn, def.director);
  must(world, elastica_add_clamp(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_first_joint(elastica_world *world, elastica_rod *rod) {
  return add_joint_at(world, rod, ELASTICA_END_FIRST);
}

static inline elastica_effect *add_last_joint(elastica_world *world, elastica_rod *rod) {
  return add_joint_at(world, rod, ELASTICA_END_LAST);
}

static inline elastica_effect *add_contact_of(elastica_world *world, elastica_rod *rod, double damping) {
  elastica_self_contact_def def;
  elastica_effect *effect = NULL;
  elastica_self_contact_info info;
  elastica_self_contact_def_init(&def, sizeof def);
  def.stiffness = 30.0;
  def.damping = damping;
  must(world, elastica_add_self_contact(world, rod, &def, &effect));
  must(world, elastica_self_contact_get(effect, &info));
  assert_true(info.contact_count >= 10);
  return effect;
}

static inline elastica_effect *add_contact(elastica_world *world, elastica_rod *rod) {
  return add_contact_of(world, rod, 0.0);
}

static inline elastica_effect *add_damped_contact(elastica_world *world, elastica_rod *rod) {
  return add_contact_of(world, rod, 1.5);
}

static inline elastica_effect *add_load(elastica_world *world, elastica_rod *rod, int in_laboratory) {
  elastica_point_load_def def;
  elastica_effect *effect = NULL;
  elastica_point_load_def_init(&def, sizeof def);
  def.node = 3, def.element = 4;
  def.force[0] = 3.0, def.force[1] = -2.0, def.force[2] = 5.0;
  def.couple[0] = 0.3, def.couple[1] = 0.2, def.couple[2] = -0.4;
  def.couple_in_laboratory = in_laboratory;
  must(world, elastica_add_point_load(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_material_load(elastica_world *world, elastica_rod *rod) {
  return add_load(world, rod, 0);
}

static inline elastica_effect *add_laboratory_load(elastica_world *world, elastica_rod *rod) {
  return add_load(world, rod, 1);
}

static inline elastica_effect *add_friction(elastica_world *world, elastica_rod *rod) {
  elastica_dissipation_def def;
  elastica_effect *effect = NULL;
  elastica_dissipation_def_init(&def, sizeof def);
  def.translation = 3.0, def.rotation = 1e-3;
  must(world, elastica_add_dissipation(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_fluid(elastica_world *world, elastica_rod *rod, elastica_drag_kind kind) {
  elastica_drag_def def;
  elastica_effect *effect = NULL;
  elastica_drag_def_init(&def, sizeof def);
  def.kind = kind;
  def.viscosity = 0.7;
  def.flow[0] = 0.2, def.gradient[1] = 3.0;
  must(world, elastica_add_drag(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_fluid_by_rates(elastica_world *world, elastica_rod *rod) {
  return add_fluid(world, rod, ELASTICA_DRAG_RATE);
}

static inline elastica_effect *add_explicit_fluid(elastica_world *world, elastica_rod *rod) {
  return add_fluid(world, rod, ELASTICA_DRAG_EXPLICIT);
}

static inline elastica_effect *add_pull(elastica_world *world, elastica_rod *rod) {
  elastica_contraction_def def;
  elastica_effect *effect = NULL;
  elastica_contraction_def_init(&def, sizeof def);
  def.first = 1, def.last = 6;
  def.maximum_force = 20.0;
  def.damping = 2.0;
  must(world, elastica_add_contraction(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_muscle_of(elastica_world *world, elastica_rod *rod, elastica_muscle_kind kind, int axis) {
  double amplitude[SAMPLE_ELEMENTS];
  elastica_muscle_def def;
  elastica_effect *effect = NULL;
  elastica_muscle_def_init(&def, sizeof def);
  for (int k = 0; k < SAMPLE_ELEMENTS; k++) amplitude[k] = 2.0 + 0.3 * k;
  def.kind = kind, def.axis = axis;
  def.amplitude = amplitude;
  def.period = 1.0, def.wavenumber = 4.0, def.phase = 0.6;
  must(world, elastica_add_muscle(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_bending_muscle(elastica_world *world, elastica_rod *rod) {
  return add_muscle_of(world, rod, ELASTICA_MUSCLE_COUPLE, 1);
}

static inline elastica_effect *add_stretching_muscle(elastica_world *world, elastica_rod *rod) {
  return add_muscle_of(world, rod, ELASTICA_MUSCLE_FORCE, 2);
}

static inline elastica_effect *add_laboratory_muscle(elastica_world *world, elastica_rod *rod) {
  return add_muscle_of(world, rod, ELASTICA_MUSCLE_LABORATORY_COUPLE, 2);
}

/* ---- Loads ----------------------------------------------------------------------------------------------------------------------------
 * */

static inline elastica_world *make_kicked_world(elastica_law law, int exact_couple) {
  elastica_world_def def = default_world();
  def.law = law;
  def.exact_couple = exact_couple;
  def.explicit_couples = 1; /* so that velocity-dependent couples are the same with and without the effect */
  def.allow_unstable_step = 1;
  return make_world(&def);
}

/* Change of momentum per time in the unknowns of linearised.h: forces on nodes, then material couples on elements. */
static inline void rates_of_momentum(elastica_rod *rod, const rod_state *state, double *rate) {
  const double dt = 0x1p-29; /* a power of two, so that no digit is lost; so short that rates have no effect */
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_world *world = elastica_rod_world(rod);
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
  must(world, eli_world_kick(world, dt));
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) rate[3 * i + a] = view->mass[i] * (view->velocity[a][i] - state->velocity[3 * i + a]) / dt;
  for (int j = 0; j < view->element_count; j++)
    for (int a = 0; a < 3; a++) {
      const double inertia = view->inertia[a][j] / (view->classical_law ? 1.0 : view->dilatation[j]);
      rate[3 * (view->node_count + j) + a] = inertia * (view->omega[a][j] - state->omega[3 * j + a]) / dt;
    }
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
}

/* Loads of an effect (NULL: of the rod itself) at a state; returns the number of unknowns. */
static inline int loads_of(elastica_rod *rod, elastica_effect *effect, const rod_state *state, double *load) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int count = 3 * (view->node_count + view->element_count);
  elastica_world *world = elastica_rod_world(rod);
  double without[LINEARISED_CAPACITY];
  if (effect) elastica_effect_energy(effect); /* lists are made */
  rates_of_momentum(rod, state, load);
  if (effect == NULL) return count;
  must(world, elastica_effect_set_enabled(effect, 0));
  rates_of_momentum(rod, state, without);
  must(world, elastica_effect_set_enabled(effect, 1));
  for (int i = 0; i < count; i++) load[i] -= without[i];
  return count;
}

/* Of the effect; of the rod's strain without one. */
static inline double potential_at(elastica_rod *rod, elastica_effect *effect, const rod_state *state) {
  elastica_energy energy;
  elastica_world *world = elastica_rod_world(rod);
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
  if (effect) return elastica_effect_energy(effect);
  must(world, elastica_rod_get_energy(rod, &energy));
  return energy.bending + energy.shear;
}

#endif
