/* Dissipation along a rod, proportional to velocity and spin.
 *
 * models     the environment's or the material's damping as one number per length each for translation and rotation
 * equation   (4.1) F_i = -gamma_t v_i (l_{i-1} + l_i)/2   [N],   C_j = -gamma_r omega_j l_j   [N m], at the current lengths
 * source     Gazzola et al. 2018, section 4; one gamma there, two here because their dimensions differ
 * parameters translation gamma_t [kg/(m s)], rotation gamma_r [kg m/s]
 * conserves  nothing; takes out power sum c_i v_i^2 + sum c_j omega_j^2. Given as rates: stable at any step, exact terminal velocity
 * test       tests/test_dissipation.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"

static const char name[] = "dissipation";

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_dissipation_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(translation), FIELD(rotation)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("dissipation_def", elastica_dissipation_def, fields);

typedef struct dissipation {
  double half_translation; /* gamma_t/2 */
  double rotation;         /* gamma_r */
} dissipation;

/* Interior nodes 1..count-1. restrict on parameters is what lets the loops become vector code without a check for overlap. */
static void add_drag(double *restrict drag, const double *restrict length, int count, double half) {
  for (int i = 1; i < count; i++) drag[i] += half * (length[i - 1] + length[i]);
}

static void add_spin_drag(double *restrict spin_drag, const double *restrict length, int count, double rotation) {
  for (int j = 0; j < count; j++) spin_drag[j] += rotation * length[j];
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const dissipation *damping = self;
  const double half = damping->half_translation;
  const int n = rod->element_count;
  const double *length = rod->length;
  (void)now;
  add_drag(loads->drag, length, n, half);
  if (rod->closed) {
    loads->drag[0] += half * (length[n - 1] + length[0]);
  } else {
    loads->drag[0] += half * length[0];
    loads->drag[n] += half * length[n - 1];
  }
  if (damping->rotation != 0.0) add_spin_drag(loads->spin_drag, length, n, damping->rotation);
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
  /* Half an element's length goes to each of its nodes; index n of a ring reads as node 0. */
  for (int j = 0; j < n; j++) {
    translation += rod->length[j] * (square(rod->velocity, j) + square(rod->velocity, j + 1));
    rotation += rod->length[j] * square(rod->omega, j);
  }
  return -damping->half_translation * translation - damping->rotation * rotation;
}

static elastica_status describe(elastica_world *world, const elastica_dissipation_def *given, dissipation *damping,
                                elastica_module *module) {
  elastica_dissipation_def def;
  elastica_dissipation_def_init(&def, sizeof def);
  elastica_status status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "dissipation_def.translation", def.translation);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "dissipation_def.rotation", def.rotation);
  if (status != ELASTICA_OK) return status;
  damping->half_translation = 0.5 * def.translation;
  damping->rotation = def.rotation;
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = damping;
  module->self_size = sizeof *damping;
  module->parallel_safe = 1;
  module->needs_derived = 0;
  module->add_loads = add_loads;
  module->power = power;
  return ELASTICA_OK;
}

void elastica_dissipation_def_init(elastica_dissipation_def *def, size_t size) {
  const elastica_dissipation_def defaults = {.struct_size = size};
  eli_def_write(def, size, &defaults, sizeof defaults);
}

elastica_status elastica_add_dissipation(elastica_world *world, elastica_rod *rod, const elastica_dissipation_def *def,
                                         elastica_effect **out) {
  dissipation damping;
  elastica_module module;
  if (out) *out = NULL;
  elastica_status status = eli_check_add_any(world, rod, def, "add_dissipation");
  if (status == ELASTICA_OK) status = describe(world, def, &damping, &module);
  return status == ELASTICA_OK ? eli_add_effect(world, rod, &module, "add_dissipation", out) : status;
}

elastica_status elastica_dissipation_set(elastica_effect *effect, const elastica_dissipation_def *def) {
  dissipation damping;
  elastica_module module;
  elastica_status status = eli_check_set(effect, def, "dissipation_set", name);
  if (status == ELASTICA_OK) status = describe(elastica_effect_world(effect), def, &damping, &module);
  return status == ELASTICA_OK ? eli_set_effect(effect, &module, "dissipation_set") : status;
}
