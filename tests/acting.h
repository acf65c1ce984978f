/* The loads of an effect, measured as the difference of a kick with and without it. The tests need neither its hooks nor its formulas. */
#ifndef TESTS_ACTING_H
#define TESTS_ACTING_H

#include "linearised.h"

static inline elastica_world *make_kicked_world(elastica_law law, int exact_couple) {
  elastica_world_def def = default_world();
  def.law = law;
  def.exact_couple = exact_couple;
  def.explicit_couples = 1; /* so that velocity-dependent couples are the same with and without the effect */
  def.allow_unstable_step = 1;
  return make_world(&def);
}

/* Computes the change of momentum per time in the unknowns of linearised.h: forces on nodes, then material couples on elements. */
static inline void rates_of_momentum(elastica_rod *rod, const rod_state *state, double *rate) {
  const double dt = 0x1p-29; /* a power of two loses no digit; so short that rates have no effect */
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_world *world = elastica_rod_get_view(rod)->world;
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
  must(world, kick_world(world, dt));
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) rate[3 * i + a] = view->mass[i] * (view->velocity[a][i] - state->velocity[3 * i + a]) / dt;
  for (int j = 0; j < view->element_count; j++)
    for (int a = 0; a < 3; a++) {
      const double inertia = view->inertia[a][j] / (view->classical_law ? 1.0 : view->dilatation[j]);
      rate[3 * (view->node_count + j) + a] = inertia * (view->omega[a][j] - state->omega[3 * j + a]) / dt;
    }
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
}

/* Computes the loads of an effect (NULL: of the rod itself) at a state; returns the number of unknowns. */
static inline int loads_of(elastica_rod *rod, elastica_effect *effect, const rod_state *state, double *load) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int count = 3 * (view->node_count + view->element_count);
  elastica_world *world = elastica_rod_get_view(rod)->world;
  double without[LINEARISED_CAPACITY];
  if (effect) elastica_effect_energy(effect); /* makes the lists of contacts */
  rates_of_momentum(rod, state, load);
  if (effect == NULL) return count;
  must(world, elastica_effect_set_enabled(effect, 0));
  rates_of_momentum(rod, state, without);
  must(world, elastica_effect_set_enabled(effect, 1));
  for (int i = 0; i < count; i++) load[i] -= without[i];
  return count;
}

/* Potential of the effect; without an effect, the strain energy of the rod. */
static inline double potential_at(elastica_rod *rod, elastica_effect *effect, const rod_state *state) {
  elastica_totals energy;
  elastica_world *world = elastica_rod_get_view(rod)->world;
  must(world, elastica_rod_set_state(rod, state->position, state->velocity, state->director, state->omega));
  if (effect) return elastica_effect_energy(effect);
  must(world, elastica_rod_get_totals(rod, &energy));
  return energy.bending + energy.shear;
}

/* Minus the derivative of the potential by an unknown: differences of fourth order, of displacements h and 2 h. */
static inline double load_of_potential(elastica_rod *rod, elastica_effect *effect, const rod_state *base, int unknown, double h) {
  const double factor[4] = {1.0, -1.0, 2.0, -2.0};
  const int nodes = elastica_rod_get_view(rod)->node_count;
  double value[4];
  for (int k = 0; k < 4; k++) {
    rod_state displaced;
    displace(base, nodes, unknown, factor[k] * h, &displaced);
    value[k] = potential_at(rod, effect, &displaced);
  }
  return -(8.0 * (value[0] - value[1]) - (value[2] - value[3])) / (12.0 * h);
}

/* Asserts that the loads of the effect are minus the slopes of its potential, within a share of the largest load, and that one load is not
 * zero. scene: its name in messages. */
static inline void assert_potential(elastica_rod *rod, elastica_effect *effect, double share, const char *scene) {
  double load[LINEARISED_CAPACITY];
  rod_state base;
  read_state(rod, &base);
  const int count = loads_of(rod, effect, &base, load);
  const double size = largest_entry(load, count);
  assert_true(size > 0.0);
  for (int i = 0; i < count; i++) {
    const double slope = load_of_potential(rod, effect, &base, i, 2e-5);
    if (!(fabs(load[i] - slope) <= share * size)) fail_msg("%s: load %d is %.12g, the slope %.12g", scene, i, load[i], slope);
  }
}

#endif
