/* Gravity: the same acceleration on every node of every rod.
 *
 * models     weight of the lumped masses, added masses included
 * equation   F_i = m_i g          [N], laboratory frame
 * source     Gazzola et al. 2018, section 4 (external loads as totals per node)
 * parameters acceleration g, laboratory frame [m/s^2]
 * conserves  angular momentum about an axis along g; energy with the potential -sum m_i g . r_i
 * test       tests/test_gravity.c
 */
#include "base/target.h"

#include <elastica.h>

#include "hooks/built_in.h"

#include <string.h>

typedef struct gravity {
  double acceleration[3];
} gravity;

/* restrict on the parameters lets the compiler vectorise the loop without a check for overlap. */
static void add_weight(double *restrict force, const double *restrict mass, int count, double g) {
  for (int i = 0; i < count; i++) force[i] += mass[i] * g;
}

static elastica_status add_loads_to(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                    elastica_loads *loads) {
  const gravity *weight = self;
  const double *g = weight->acceleration;
  (void)now;
  for (int a = 0; a < 3; a++) {
    if (g[a] != 0.0) add_weight(loads->force[a] + first, rod->mass + first, end - first, g[a]);
  }
  return ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  return add_loads_to(self, now, rod, 0, rod->node_count, loads);
}

/* Returns sum m_i g . x_i. */
static double moment_of_weight(const gravity *weight, const elastica_rod_view *rod, const double *const x[3]) {
  const double *g = weight->acceleration;
  double sum = 0.0;
  for (int i = 0; i < rod->node_count; i++) sum += rod->mass[i] * (g[0] * x[0][i] + g[1] * x[1][i] + g[2] * x[2][i]);
  return sum;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  (void)time;
  return -moment_of_weight(self, rod, rod->position);
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  (void)time;
  return moment_of_weight(self, rod, rod->velocity);
}

static elastica_status describe(const eli_request *request, const void *acceleration, void *self, elastica_module *module) {
  gravity *weight = self;
  if (acceleration == NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: acceleration is NULL", request->function);
  memcpy(weight->acceleration, acceleration, sizeof weight->acceleration);
  for (int a = 0; a < 3; a++) {
    const double g = weight->acceleration[a];
    if (!eli_is_moderate(g))
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: acceleration[%d] is %s: %g", request->function, a,
                                   eli_is_finite(g) ? "too large" : "not finite", g);
  }
  module->needs_geometry = 0;
  module->add_loads = add_loads;
  module->add_tangent = eli_add_no_tangent;
  module->energy = energy;
  module->power = power;
  return ELASTICA_OK;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  gravity *weight = own;
  (void)rod, (void)module;
  eli_record_finite(record, "acceleration", weight->acceleration, 3);
}

static const eli_built_in kind = {.name = "gravity",
                                  .every_rod = 1,
                                  .self_size = ELI_SELF_SIZE(gravity),
                                  .describe = describe,
                                  .keep = keep,
                                  .add_loads_to = add_loads_to};

elastica_status elastica_add_gravity(elastica_world *world, const double acceleration[3], elastica_effect **out) {
  return eli_add_built_in(&kind, world, NULL, acceleration, out);
}

elastica_status elastica_gravity_set(elastica_effect *effect, const double acceleration[3]) {
  return eli_set_built_in(&kind, effect, acceleration);
}
