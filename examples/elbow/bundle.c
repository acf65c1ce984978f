#include "bundle.h"

#include <math.h>

static double firing(const bundle *muscle, double time) {
  return time < muscle->firing_time ? time / muscle->firing_time : 1;
}

double bundle_force_length(double eta) {
  if (eta < 100) return (-0.036 * eta * eta + 7.2 * eta - 260) / 100 + 0.5 * (100 - eta) / 600 - 0.027;
  return 0.5 + 0.5 * sin(2 * acos(-1) * (eta - 70) / 120) - 0.5 * (eta - 100) / 600 + 0.04 * (exp(0.045 * (eta - 100)) - 1);
}

void bundle_stiffen(const example *e, elastica_world *world, elastica_rod *rod, double viscosity) {
  elastica_axial_viscosity_def def;
  elastica_axial_viscosity_def_init(&def, sizeof def);
  def.viscosity = viscosity;
  def.start_time = 0.01, def.ramp_time = 0.1;
  if (viscosity > 0) example_require(e, world, elastica_add_axial_viscosity(world, rod, &def, NULL));
}

elastica_rod *bundle_add_fibre(const example *e, elastica_world *world, const double start[3], const double direction[3],
                               const double normal[3], double viscosity) {
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = BUNDLE_ELEMENTS;
  for (int a = 0; a < 3; a++) def.start[a] = start[a], def.direction[a] = direction[a], def.normal[a] = normal[a];
  def.length = BUNDLE_LENGTH;
  def.radius = 4e-3;
  def.density = 1060;
  def.youngs_modulus = 1e4;
  def.shear_modulus = 2e4 / 3;
  def.shear_factor = 4e4 / 3;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  bundle_stiffen(e, world, rod, viscosity);
  return rod;
}

static void pull_fibre(const bundle *muscle, double time, const elastica_rod_view *rod, const elastica_loads *loads) {
  const int n = rod->element_count;
  double length = 0, rest = 0;
  for (int j = 0; j < n; j++) length += rod->length[j], rest += rod->rest_length[j];
  const double eta = 100 * length / rest, spread = eta < 100 ? muscle->spread : 0;
  const double force = firing(muscle, time) * muscle->maximum_force * bundle_force_length(eta);
  for (int j = 0; j < n; j++) {
    const int depth = j < n - 1 - j ? j : n - 1 - j;
    for (int end = 0; end < 2; end++) {
      const double share = 1 + spread * (2 * (j + end) == n ? 8 : depth) / 8, tension = end == 0 ? force * share : -force * share;
      for (int a = 0; a < 3; a++) loads->force[a][j + end] += tension * rod->tangent[a][j];
    }
  }
}

void bundle_pull(const bundle *muscle, double time, elastica_world_loads *loads) {
  for (int k = muscle->first; k < muscle->first + muscle->count; k++) pull_fibre(muscle, time, loads->rods[k], &loads->loads[k]);
}

/* ---- By the library's contraction ---- */

static elastica_status activate(void *user, double time, double x, double *activation) {
  *activation = fmax(firing(user, time) * bundle_force_length(100 * x), 0);
  return ELASTICA_OK;
}

static elastica_status activate_spread(void *user, double time, double x, double *activation) {
  *activation = 0;
  return x < 1 ? activate(user, time, x, activation) : ELASTICA_OK;
}

void bundle_contract(const example *e, elastica_world *world, elastica_rod *rod, bundle *muscle) {
  double share[BUNDLE_ELEMENTS];
  elastica_contraction_def tension;
  elastica_contraction_def_init(&tension, sizeof tension);
  tension.maximum_force = muscle->maximum_force;
  tension.function = activate;
  tension.user = muscle;
  example_require(e, world, elastica_add_contraction(world, rod, &tension, NULL));
  if (!(muscle->spread > 0)) return;
  for (int j = 0; j < BUNDLE_ELEMENTS; j++) share[j] = muscle->spread * fmin(j, BUNDLE_ELEMENTS - 1 - j) / 8;
  tension.function = activate_spread;
  tension.share = share;
  example_require(e, world, elastica_add_contraction(world, rod, &tension, NULL));
}
