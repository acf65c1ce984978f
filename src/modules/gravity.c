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

#include "base/checks.h"

#include <string.h>

static const char name[] = "gravity";

typedef struct gravity {
  double acceleration[3];
} gravity;

/* restrict on parameters is what lets the loop become vector code without a check for overlap. */
static void add_weight(double *restrict force, const double *restrict mass, int count, double g) {
  for (int i = 0; i < count; i++) force[i] += mass[i] * g;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const gravity *weight = self;
  (void)now;
  for (int a = 0; a < 3; a++) {
    if (weight->acceleration[a] != 0.0) add_weight(loads->force[a], rod->mass, rod->node_count, weight->acceleration[a]);
  }
  return ELASTICA_OK;
}

/* sum m_i g . x_i */
static double weigh(const gravity *weight, const elastica_rod_view *rod, const double *const x[3]) {
  const double *g = weight->acceleration;
  double sum = 0.0;
  for (int i = 0; i < rod->node_count; i++) sum += rod->mass[i] * (g[0] * x[0][i] + g[1] * x[1][i] + g[2] * x[2][i]);
  return sum;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  (void)time;
  return -weigh(self, rod, rod->position);
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  (void)time;
  return weigh(self, rod, rod->velocity);
}

/* The module of an acceleration; world is where a refusal is written. */
static elastica_status describe(elastica_world *world, const char *function, const double acceleration[3], gravity *weight,
                                elastica_module *module) {
  if (!acceleration) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: acceleration is NULL", function);
  if (!eli_all_finite(acceleration, 3)) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: acceleration is not finite", function);
  }
  memcpy(weight->acceleration, acceleration, sizeof weight->acceleration);
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = weight;
  module->self_size = sizeof *weight;
  module->parallel_safe = 1;
  module->needs_derived = 0;
  module->add_loads = add_loads;
  module->energy = energy;
  module->power = power;
  return ELASTICA_OK;
}

elastica_status elastica_add_gravity(elastica_world *world, const double acceleration[3], elastica_effect **out) {
  gravity weight;
  elastica_module module;
  if (out) *out = NULL;
  if (!world) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = describe(world, "add_gravity", acceleration, &weight, &module);
  return status == ELASTICA_OK ? eli_add_effect(world, NULL, &module, "add_gravity", out) : status;
}

elastica_status elastica_gravity_set(elastica_effect *effect, const double acceleration[3]) {
  gravity weight;
  elastica_module module;
  elastica_status status = eli_check_effect(effect, "gravity_set", name);
  if (status == ELASTICA_OK) status = describe(elastica_effect_world(effect), "gravity_set", acceleration, &weight, &module);
  return status == ELASTICA_OK ? eli_set_effect(effect, &module, "gravity_set") : status;
}
