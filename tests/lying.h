/* Rigid bodies above a wall; relaxation lays them on it. */
#ifndef TESTS_LYING_H
#define TESTS_LYING_H

#include "bodies.h"

static const double g = 9.81;

static inline elastica_rod *add_shape(elastica_world *world, elastica_shape shape, double x, double y, double z, double tilt) {
  elastica_body_def def = default_body(shape);
  def.density = 1000.0;
  def.radius = 0.05, def.length = 0.3;
  set_vector(def.edges, 0, 0.1, 0.2, 0.15);
  set_vector(def.position, 0, x, y, z);
  memcpy(def.director, unit_frame, sizeof def.director);
  turn_frame((const double[]){0.0, tilt, 0.0}, def.director);
  return add_body(world, &def);
}

static inline void add_floor(elastica_world *world, elastica_rod *rod, double friction) {
  DEFAULTS(obstacle, wall);
  wall.balance = ELASTICA_BALANCE_NODES;
  wall.stiffness = 1e5, wall.damping = 1.0;
  if (friction > 0.0) {
    wall.slip_velocity = 1e-3;
    for (int k = 0; k < 3; k++) wall.static_friction[k] = wall.kinetic_friction[k] = friction;
  }
  must(world, elastica_add_obstacle(world, rod, &wall, NULL));
}

static inline void add_weight_of_all(elastica_world *world) {
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -g}, NULL));
}

#endif
