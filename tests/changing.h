/* Worlds with added and removed rods: rods of many sizes, each with effects of its own, among effects on all rods. */
#ifndef TESTS_CHANGING_H
#define TESTS_CHANGING_H

#include "support.h"

/* Puts the lowest element of a rod at this height above the plane z = 0, in its radii. */
static inline void lift(sample_rod *sample, double height) {
  const int nodes = sample_node_count(sample);
  double lowest = INFINITY;
  for (int j = 0; j < sample->element_count; j++) {
    const double z = 0.5 * (sample->position[component(j, Z)] + sample->position[component((j + 1) % nodes, Z)]);
    lowest = fmin(lowest, z - height * sample->radius[j]);
  }
  for (int i = 0; i < nodes; i++) sample->position[component(i, Z)] -= lowest;
}

/* Adds a rod that depends only on its number: 2 to 40 elements, every fourth a ring, in motion; every third lies on the plane z = 0, the
 * others are above. */
static inline elastica_rod *add_numbered_rod(elastica_world *world, int number) {
  const sample_recipe recipe = usual_recipe();
  random_source source = {(uint64_t)number};
  sample_rod sample;
  const int n = random_integer(&source, 2, 40);
  if (number % 4 == 3)
    make_sample_ring(&sample, n + 2, (uint64_t)number);
  else
    make_sample(&sample, n, (uint64_t)number, &recipe);
  lift(&sample, number % 3 == 0 ? 0.7 : 4.0);
  return add_sample(world, &sample);
}

/* Adds the effects of this rod alone; its number selects a pin, a muscle, a mass, self-contact, a wall, all of them or none. */
static inline void add_own_effects(elastica_world *world, elastica_rod *rod, int number) {
  static const double control[4] = {0.0, 0.3, 0.3, 0.0};
  const unsigned which = number % 8 == 7 ? 31u : 1u << number % 8;
  if (which & 1u) {
    DEFAULTS(boundary, def);
    def.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
  }
  if (which & 2u) {
    DEFAULTS(muscle, def);
    def.control = control, def.control_count = 4, def.period = 0.1, def.wavenumber = 3.0;
    must(world, elastica_add_muscle(world, rod, &def, NULL));
  }
  if (which & 4u) {
    DEFAULTS(node_mass, def);
    def.mass = 0.3;
    must(world, elastica_add_node_mass(world, rod, &def, NULL));
  }
  if (which & 8u) {
    DEFAULTS(contact, def);
    def.modulus = 100.0;
    must(world, elastica_add_contact(world, rod, &def, NULL));
  }
  if (which & 16u) {
    DEFAULTS(obstacle, def);
    def.position[2] = -50.0, def.stiffness = 10.0;
    must(world, elastica_add_obstacle(world, rod, &def, NULL));
  }
}

/* Adds gravity, dissipation and a floor; some of the rods lie on it. */
static inline void add_common_effects(elastica_world *world) {
  const double gravity[3] = {0.5, 0.0, -9.81};
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 0.1, dissipation.rotation = 1e-3;
  DEFAULTS(obstacle, floor_def);
  floor_def.stiffness = 100.0, floor_def.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) floor_def.static_friction[a] = 0.4, floor_def.kinetic_friction[a] = 0.3;
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  must(world, elastica_add_obstacle(world, NULL, &floor_def, NULL));
}

/* Hashes the state of all present rods, energies and momenta; the numbers of rods do not matter. */
static inline uint64_t hash_rods(elastica_world *world) {
  uint64_t hash = hash_start();
  elastica_totals totals;
  for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) hash = hash_rod(hash, rod);
  must(world, elastica_world_get_totals(world, &totals));
  return hash_numbers(hash, &totals.translation, sizeof totals / sizeof(double));
}

#endif
