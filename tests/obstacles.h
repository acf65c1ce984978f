/* Elastic obstacles, and rods and motions for them. */
#ifndef TESTS_OBSTACLES_H
#define TESTS_OBSTACLES_H

#include "bodies.h"

static const double g = 9.81;

/* Turns about z by 2 rad/s. */
static inline elastica_status turn_about_z(void *user, double time, double position[3], double velocity[3], double director[9],
                                           double omega[3]) {
  const double rate = 2.0, c = cos(rate * time), s = sin(rate * time), frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  (void)user, (void)position, (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[2] = rate;
  return ELASTICA_OK;
}

/* An obstacle without dampers, so that energy is conserved. */
static inline elastica_obstacle_def obstacle_of(elastica_shape shape, double modulus) {
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = shape;
  def.modulus = modulus;
  def.damping_ratio = def.tangential_damping_ratio = 0.0;
  if (shape != ELASTICA_SHAPE_BOX && shape != ELASTICA_SHAPE_PLANE) def.radius = 0.1;
  if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) def.length = 0.3;
  if (shape == ELASTICA_SHAPE_BOX) def.edges[0] = 0.2, def.edges[1] = 0.3, def.edges[2] = 0.25;
  return def;
}

static inline elastica_effect *add_obstacle_to(elastica_world *world, const elastica_obstacle_def *def) {
  elastica_effect *effect = NULL;
  must(world, elastica_add_obstacle(world, NULL, def, &effect));
  return effect;
}

/* What an elastic obstacle feels. */
typedef struct felt_load {
  double force[3], couple[3], deepest;
  int contact_count;
} felt_load;

static inline felt_load felt(elastica_effect *effect) {
  enum { MOST = 512 };
  static elastica_contact_point points[MOST];
  felt_load load = {.deepest = 0.0};
  must(elastica_effect_get(effect).world, elastica_obstacle_get_force(effect, load.force, load.couple));
  must(elastica_effect_get(effect).world, elastica_contact_get(effect, points, MOST, &load.contact_count));
  assert_true(load.contact_count <= MOST);
  for (int k = 0; k < load.contact_count; k++)
    if (points[k].depth > load.deepest) load.deepest = points[k].depth;
  return load;
}

static inline elastica_status tumble(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double angle = 2.0 * time, c = cos(angle), s = sin(angle);
  (void)user;
  position[0] = 0.3 * time, position[2] = -0.1 + 0.2 * time;
  velocity[0] = 0.3, velocity[2] = 0.2;
  const double turned[9] = {1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c};
  memcpy(director, turned, sizeof turned);
  omega[0] = 2.0;
  return ELASTICA_OK;
}

/* Gravity on a slope that falls towards +x; the plane remains z = 0. */
static inline void tilt(elastica_world *world, double angle) {
  const double gravity[3] = {g * sin(angle), 0.0, -g * cos(angle)};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

#endif
