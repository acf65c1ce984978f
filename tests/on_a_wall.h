/* Shared code of the tests of walls: a floor, smooth or rough, and a rod of 1 kg that lies on it or above it. */
#ifndef TESTS_ON_A_WALL_H
#define TESTS_ON_A_WALL_H

#include "support.h"

static inline elastica_obstacle_def floor_def(void) {
  DEFAULTS(obstacle, def);
  def.balance = ELASTICA_BALANCE_ELEMENTS;
  def.stiffness = 100.0;
  def.damping = 0.1;
  return def;
}

static inline elastica_obstacle_def rough_floor_def(void) {
  elastica_obstacle_def def = floor_def();
  for (int k = 0; k < 3; k++) def.static_friction[k] = 0.4 + 0.1 * k, def.kinetic_friction[k] = 0.2 + 0.1 * k;
  def.slip_velocity = 1e-3;
  return def;
}

/* A rod of 1 kg and 1 m along x, its lowest line at height gap above z = 0. */
static inline elastica_rod *lay_rod(elastica_world *world, int n, double gap) {
  const double pi = 3.14159265358979324;
  elastica_rod *rod = NULL;
  elastica_rod_def def = lying_rod_def(n);
  def.start[2] = 0.025 + gap;
  def.density = 1.0 / (pi * 0.025 * 0.025);
  def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static inline void add_weight(elastica_world *world) {
  const double down[3] = {0.0, 0.0, -9.81};
  must(world, elastica_add_gravity(world, down, NULL));
}

static inline elastica_effect *add_floor(elastica_world *world, elastica_rod *rod, const elastica_obstacle_def *def) {
  elastica_effect *wall = NULL;
  must(world, elastica_add_obstacle(world, rod, def, &wall));
  return wall;
}

#endif
