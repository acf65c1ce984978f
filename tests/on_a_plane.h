/* Shared code of the tests of friction: a stiff rod of 1 kg slides and rolls on the plane z = 0. */
#ifndef TESTS_ON_A_PLANE_H
#define TESTS_ON_A_PLANE_H

#include "support.h"

static const double gravity_size = 9.81, radius = 0.025, mass = 1.0, length = 1.0;
enum { N = 8 };

/* Parameters of a scene; zero is: at rest, level, no friction, J = m r^2/2. */
typedef struct scene {
  double along, across, down; /* acceleration of gravity: along the rod (x), across it (y), onto the plane [m/s^2] */
  double speed_along, speed_across, spin;
  double lambda; /* 2 J/(m r^2); 0: 1 */
  double static_friction[3], kinetic_friction[3];
  double slip_velocity; /* 0: 1e-4 */
  elastica_friction_limit limit;
  elastica_end head;
  elastica_motion motion;
  int classical;
} scene;

typedef struct bench {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *wall;
  const elastica_rod_view *view;
} bench;

static inline scene sliding(double mu_static, double mu_kinetic) {
  scene s = {.down = gravity_size};
  for (int k = 0; k < 3; k++) s.static_friction[k] = mu_static, s.kinetic_friction[k] = mu_kinetic;
  return s;
}

/* A stiff rod along x on the plane z = 0, without strain. */
static inline bench set_up(const scene *s) {
  const double pi = acos(-1.0), lambda = s->lambda > 0.0 ? s->lambda : 1.0;
  double inertia[3 * N], velocity[3 * (N + 1)], omega[3 * N] = {0.0};
  for (int j = 0; j < N; j++) {
    const double across = mass / N * radius * radius;
    set_vector(inertia, j, across, across, 0.5 * lambda * mass / N * radius * radius);
    omega[component(j, Z)] = s->spin;
  }
  for (int i = 0; i <= N; i++) {
    set_vector(velocity, i, s->speed_along, s->speed_across, 0.0);
  }
  elastica_world_def world_def = default_world();
  world_def.law = s->classical ? ELASTICA_LAW_CLASSICAL : ELASTICA_LAW_RESCALED;
  bench b = {.world = make_world(&world_def)};
  DEFAULTS(rod, def);
  def.element_count = N;
  def.start[2] = radius;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.length = length;
  def.radius = radius;
  def.density = mass / (length * pi * radius * radius);
  def.youngs_modulus = 1e7;
  def.inertia = inertia;
  def.velocity = velocity;
  def.omega = omega;
  must(b.world, elastica_world_add_rod(b.world, &def, &b.rod));
  const double gravity[3] = {s->along, s->across, -s->down};
  must(b.world, elastica_add_gravity(b.world, gravity, NULL));
  DEFAULTS(obstacle, wall);
  wall.balance = ELASTICA_BALANCE_ELEMENTS;
  wall.stiffness = 10.0;
  wall.damping = 1e-4;
  memcpy(wall.static_friction, s->static_friction, sizeof wall.static_friction);
  memcpy(wall.kinetic_friction, s->kinetic_friction, sizeof wall.kinetic_friction);
  wall.slip_velocity = s->slip_velocity > 0.0 ? s->slip_velocity : 1e-4;
  wall.friction_limit = s->limit;
  wall.head = s->head;
  wall.motion = s->motion;
  must(b.world, elastica_add_obstacle(b.world, b.rod, &wall, &b.wall));
  b.view = elastica_rod_get_view(b.rod);
  return b;
}

/* Mean velocity of the rod after a time, in steps of 1e-5 s. */
static inline void run(const bench *b, double time, double velocity[3]) {
  elastica_totals momentum;
  must(b->world, elastica_world_step(b->world, 1e-5, lround(time / 1e-5)));
  must(b->world, elastica_rod_get_totals(b->rod, &momentum));
  for (int a = 0; a < 3; a++) velocity[a] = momentum.linear[a] / momentum.mass;
}

/* Friction on the rod in one step. */
static inline void one_step(const scene *s, double force[3]) {
  const bench b = set_up(s);
  must(b.world, elastica_world_step(b.world, 1e-6, 1));
  must(b.world, elastica_obstacle_get_force(b.wall, force, NULL));
  for (int a = 0; a < 3; a++) force[a] = -force[a];
  elastica_world_destroy(b.world);
}

#endif
