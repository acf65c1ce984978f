/* Dissipation along a rod, proportional to velocity and spin.
 *
 * models     the damping of the environment or the material, as one number per length each for translation and rotation
 * equation   (4.1) F_i = -gamma_t v_i (l_{i-1} + l_i)/2   [N],   C_j = -gamma_r omega_j l_j   [N m], at the current lengths; a rigid body
 *            has its extent for l, all of it at its one node
 * source     Gazzola et al. 2018, section 4; one gamma there, two here because their dimensions differ
 * parameters translation gamma_t [kg/(m s)], rotation gamma_r [kg m/s]
 * conserves  nothing; dissipates the power sum c_i v_i^2 + sum c_j omega_j^2. Added as rates: stable at any step, exact terminal velocity
 * test       tests/test_dissipation.c
 */
#include "base/target.h"

#include <elastica.h>

#include "hooks/built_in.h"

typedef elastica_dissipation_def dissipation_def;
static const eli_field fields[] = {
    ELI_FIELD(dissipation_def, struct_size),
    ELI_NUMBERS(dissipation_def, translation, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(dissipation_def, rotation, ELI_RULE_NOT_NEGATIVE),
};
static const dissipation_def defaults = {.translation = 0.0};
static const eli_layout layout = ELI_LAYOUT("dissipation_def", dissipation_def, fields, defaults);

/* The closed form of the kick of spins (kernels/kick.inl) computes the tenth power of rotation l dt/J. */
#define LARGEST_RATE 1e20

typedef struct dissipation {
  dissipation_def def;
  eli_rates_add *add_rates;
} dissipation;

static elastica_status add_loads_to(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                    elastica_loads *loads) {
  const dissipation *damping = self;
  const double half = 0.5 * damping->def.translation;
  const int n = rod->element_count, count = (end < n ? end : n) - first;
  const double *length = rod->length;
  (void)now;
  if (count > 0) damping->add_rates(loads->drag + first, loads->spin_drag + first, length + first, count, half, damping->def.rotation);
  if (first == 0) loads->drag[0] += half * length[0];
  if (end > n) loads->drag[n] += half * length[n - 1];
  return ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const dissipation *damping = self;
  const double half = 0.5 * damping->def.translation;
  const int n = rod->element_count;
  const double *length = rod->length;
  if (rod->rigid) {
    loads->drag[0] += 2.0 * half * length[0];
    loads->spin_drag[0] += damping->def.rotation * length[0];
    return ELASTICA_OK;
  }
  if (!rod->closed) return add_loads_to(self, now, rod, 0, n + 1, loads);
  damping->add_rates(loads->drag, loads->spin_drag, length, n, half, damping->def.rotation);
  loads->drag[0] += half * (length[n - 1] + length[0]);
  return ELASTICA_OK;
}

static double square(const double *const x[3], int i) {
  return x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i];
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const dissipation *damping = self;
  const int n = rod->element_count;
  double translation = 0.0, rotation = 0.0;
  (void)time;
  /* Half the length of an element belongs to each of its nodes; index n of a ring reads as node 0. The one node of a rigid body has all of
   * it. */
  for (int j = 0; j < n; j++) {
    translation += rod->length[j] * (square(rod->velocity, j) + square(rod->velocity, rod->rigid ? j : j + 1));
    rotation += rod->length[j] * square(rod->omega, j);
  }
  return -(0.5 * damping->def.translation) * translation - damping->def.rotation * rotation;
}

static void get_damping(const void *self, double *half_translation, double *rotation) {
  const dissipation *damping = self;
  *half_translation = 0.5 * damping->def.translation;
  *rotation = damping->def.rotation;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const dissipation_def *def = given;
  dissipation *damping = self;
  damping->def = *def;
  damping->add_rates = eli_world_kernels(request->world)->add_rates;
  module->needs_geometry = 0;
  module->reads_lengths = 1;
  module->adds_rates = 1;
  module->add_loads = add_loads;
  module->add_tangent = eli_add_no_tangent;
  module->power = power;
  const elastica_status status = eli_check_at_most(request->world, "dissipation_def.translation", def->translation, LARGEST_RATE);
  return status == ELASTICA_OK ? eli_check_at_most(request->world, "dissipation_def.rotation", def->rotation, LARGEST_RATE) : status;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  dissipation *damping = own;
  (void)module;
  eli_def_keep(&layout, &damping->def, rod, record);
}

static const eli_built_in kind = {.name = "dissipation",
                                  .layout = &layout,
                                  .every_rod = 1,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(dissipation),
                                  .describe = describe,
                                  .keep = keep,
                                  .add_loads_to = add_loads_to,
                                  .damping = get_damping};

void elastica_dissipation_def_init(elastica_dissipation_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_dissipation(elastica_world *world, elastica_rod *rod, const elastica_dissipation_def *def,
                                         elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_dissipation_set(elastica_effect *effect, const elastica_dissipation_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
