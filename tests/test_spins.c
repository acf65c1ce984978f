/* The kick of spins solves the midpoint rule to rounding, for any moments of inertia, in both laws. */
#include "base/target.h"

#include "support.h"

#include "kicked.h"

enum { RODS = 150 };

/* A world of rods of one element that stretches or shortens. */
static elastica_world *make_spinning(random_source *source, elastica_law law, double fastest, elastica_rod *rod[RODS]) {
  elastica_world_def settings = default_world();
  settings.law = law;
  elastica_world *world = make_world(&settings);
  for (int r = 0; r < RODS; r++) {
    double inertia[3], omega[3], velocity[6], rest = random_between(source, 0.9, 1.1);
    DEFAULTS(rod, def);
    for (int a = 0; a < 3; a++) inertia[a] = exp(random_between(source, -3.0, 1.0));
    random_vector(source, fastest, omega);
    for (int k = 0; k < 2; k++) random_vector(source, 0.3, velocity + 3 * k);
    random_vector(source, 1.0, def.direction);
    def.element_count = 1, def.length = 1.0, def.rest_length = &rest;
    def.radius = 0.1, def.density = def.youngs_modulus = 1.0;
    def.inertia = inertia, def.omega = omega, def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, &rod[r]));
  }
  return world;
}

typedef struct moving {
  double omega[3], velocity[2][3];
} moving;

static moving read_motion(const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  moving out;
  for (int a = 0; a < 3; a++) {
    out.omega[a] = view->omega[a][0];
    for (int k = 0; k < 2; k++) out.velocity[k][a] = view->velocity[a][k];
  }
  return out;
}

/* (J/e) domega/dt = (J omega/e) x omega + (J omega/e^2) de/dt at the mean of both spins and velocities. The stress acts along the element,
 * so that it has no couple. Returns the largest part that is left of the largest term. */
static double defect_of(const elastica_rod *rod, const moving *before, double dt, int classical) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const moving after = read_motion(rod);
  double mean[3], momentum[3], turned[3], rate = 0.0, square = 0.0, left = 0.0, size = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = view->position[a][1] - view->position[a][0];
    rate += edge * 0.5 * (before->velocity[1][a] - before->velocity[0][a] + after.velocity[1][a] - after.velocity[0][a]);
    square += edge * edge;
    mean[a] = 0.5 * (before->omega[a] + after.omega[a]);
    momentum[a] = view->inertia[a][0] * mean[a];
  }
  cross(momentum, mean, turned);
  for (int a = 0; a < 3; a++) {
    const double change = view->inertia[a][0] * (after.omega[a] - before->omega[a]) / dt;
    left = fmax(left, fabs(change - turned[a] - (classical ? 0.0 : momentum[a] * rate / square)));
    size = fmax(size, fabs(turned[a]) + fabs(momentum[a]) / dt);
  }
  return left / size;
}

/* Slow spins, and spins of up to a radian in a step, for which Newton's method for one component is not enough. */
TEST(the_kick_solves_the_midpoint_rule) {
  static elastica_rod *rod[RODS];
  static moving before[RODS];
  random_source source = {11};
  for (int law = 0; law < 2; law++)
    for (int fast = 0; fast < 3; fast++) {
      const double fastest = fast == 0 ? 1.0 : fast == 1 ? 10.0 : 57.0;
      const double dt = 0.01;
      elastica_world *world = make_spinning(&source, law ? ELASTICA_LAW_RESCALED : ELASTICA_LAW_CLASSICAL, fastest, rod);
      for (int r = 0; r < RODS; r++) before[r] = read_motion(rod[r]);
      must(world, kick_world(world, dt));
      for (int r = 0; r < RODS; r++) assert_between(defect_of(rod[r], &before[r], dt, !law), 0.0, 3e-14);
      elastica_world_destroy(world);
    }
}
