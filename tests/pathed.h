/* Scenes of loading paths: a shallow arch in its plane, and an end-loaded column. */
#ifndef TESTS_PATHED_H
#define TESTS_PATHED_H

#include "relaxed.h"

/* A sine arch of length 1 between hinges, under a load of the shape of a sine, in the plane of x and z. Radius of gyration of the section
 * 1e-3, bending stiffness 1: with height 2 ALPHA radii and the depth of its sine 2 beta radii, the load over pi^4 2e-3 is
 * alpha - beta + (alpha^2 - beta^2) beta in the limit of a shallow arch. */
typedef struct arch {
  elastica_world *world;
  elastica_rod *rod;
  double load; /* in this unit */
  int calls;
} arch;

enum { ARCH_MOST = 200 };
static const double arch_radius = 1e-3;

static inline elastica_status arch_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const arch *a = *(arch *const *)self;
  const double pi = 3.14159265358979324, unit = pi * pi * pi * pi * 2.0 * arch_radius;
  const int n = rod->element_count;
  (void)now;
  for (int i = 0; i <= n; i++) loads->force[2][i] -= a->load * unit * sin(pi * i / n) / n;
  return ELASTICA_OK;
}

static inline elastica_status arch_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                           elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent; /* dead loads */
  return ELASTICA_OK;
}

static inline elastica_status arch_plane(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) state->position[1][i] = 0.0;
  return ELASTICA_OK;
}

static inline elastica_status arch_apply(void *user, elastica_world *world, double parameter) {
  arch *a = user;
  (void)world;
  a->load = parameter;
  a->calls++;
  return ELASTICA_OK;
}

static inline void make_arch(arch *a, int n, double alpha) {
  const double pi = 3.14159265358979324;
  static double position[3 * (ARCH_MOST + 1)], shear[3 * ARCH_MOST], bend[3 * ARCH_MOST];
  a->world = make_world(NULL);
  a->load = 0.0;
  a->calls = 0;
  for (int i = 0; i <= n; i++) {
    position[3 * i] = (double)i / n;
    position[3 * i + 1] = 0.0;
    position[3 * i + 2] = 2.0 * alpha * arch_radius * sin(pi * i / n);
  }
  for (int j = 0; j < 3 * n; j++) shear[j] = 1.0 / (arch_radius * arch_radius), bend[j] = 1.0;
  DEFAULTS(rod, rod);
  rod.element_count = n, rod.position = position, rod.rest = ELASTICA_REST_INITIAL;
  rod.radius = 0.01, rod.density = 1000.0, rod.shear_stiffness = shear, rod.bend_stiffness = bend;
  must(a->world, elastica_world_add_rod(a->world, &rod, &a->rod));
  pin_node(a->world, a->rod, 0);
  pin_node(a->world, a->rod, -1);
  elastica_module module = module_named("sine");
  arch *self = a;
  module.self = &self, module.self_size = sizeof self;
  module.add_loads = arch_loads, module.add_tangent = arch_tangent, module.constrain_position = arch_plane;
  must(a->world, elastica_world_add_module(a->world, a->rod, &module, NULL));
}

/* The depth of the sine beta in the present state. */
static inline double arch_beta(const arch *a) {
  const elastica_rod_view *view = elastica_rod_get_view(a->rod);
  const double pi = 3.14159265358979324;
  double sum = 0.0;
  for (int i = 0; i < view->node_count; i++) sum += 2.0 * view->position[2][i] * sin(pi * i / view->element_count) / view->element_count;
  return sum / (2.0 * arch_radius);
}

static inline elastica_path *make_path(elastica_world *world, elastica_status (*set)(void *, elastica_world *, double), void *user,
                                       double first, double lower, double upper) {
  elastica_path *path = NULL;
  DEFAULTS(path, def);
  def.apply = set, def.user = user, def.first_step = first, def.lower = lower, def.upper = upper;
  must(world, elastica_path_create(world, &def, &path));
  return path;
}

#endif
