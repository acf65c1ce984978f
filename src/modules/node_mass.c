/* Added mass: a point mass on one node.
 *
 * models     a tip mass, a bob, a sensor: inertia and weight, no size and no moment of inertia
 * equation   m_i += M          [kg]
 * source     lumped masses of Gazzola et al. 2018, section 3
 * parameters mass M [kg]
 * conserves  momentum, angular momentum and energy, the mass counted in
 * test       tests/test_node_mass.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"

#include <string.h>

static const char name[] = "node_mass";

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_node_mass_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(node), FIELD(mass)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("node_mass_def", elastica_node_mass_def, fields);

typedef struct node_mass {
  double mass;
  int node;
} node_mass;

static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  const node_mass *added = self;
  (void)rod;
  preparation->mass[added->node] += added->mass;
  return ELASTICA_OK;
}

static elastica_status describe(elastica_world *world, elastica_rod *rod, const char *function, const elastica_node_mass_def *given,
                                node_mass *added, elastica_module *module) {
  elastica_node_mass_def def;
  elastica_node_mass_def_init(&def, sizeof def);
  memset(added, 0, sizeof *added);
  elastica_status status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) {
    status = eli_check_index(world, function, "node", def.node, elastica_rod_get_view(rod)->node_count, &added->node);
  }
  if (status == ELASTICA_OK && eli_is_nan(def.mass)) {
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "node_mass_def.mass is not set");
  }
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "node_mass_def.mass", def.mass);
  if (status != ELASTICA_OK) return status;
  added->mass = def.mass;
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = added;
  module->self_size = sizeof *added;
  module->parallel_safe = 1;
  module->needs_derived = 0;
  module->prepare = prepare;
  return ELASTICA_OK;
}

void elastica_node_mass_def_init(elastica_node_mass_def *def, size_t size) {
  const elastica_node_mass_def defaults = {.struct_size = size, .node = -1, .mass = eli_nan()};
  eli_def_write(def, size, &defaults, sizeof defaults);
}

elastica_status elastica_add_node_mass(elastica_world *world, elastica_rod *rod, const elastica_node_mass_def *def, elastica_effect **out) {
  node_mass added;
  elastica_module module;
  if (out) *out = NULL;
  elastica_status status = eli_check_add(world, rod, def, "add_node_mass");
  if (status == ELASTICA_OK) status = describe(world, rod, "add_node_mass", def, &added, &module);
  return status == ELASTICA_OK ? eli_add_effect(world, rod, &module, "add_node_mass", out) : status;
}

elastica_status elastica_node_mass_set(elastica_effect *effect, const elastica_node_mass_def *def) {
  node_mass added;
  elastica_module module;
  elastica_status status = eli_check_set(effect, def, "node_mass_set", name);
  if (status != ELASTICA_OK) return status;
  status = describe(elastica_effect_world(effect), elastica_effect_rod(effect), "node_mass_set", def, &added, &module);
  return status == ELASTICA_OK ? eli_set_effect(effect, &module, "node_mass_set") : status;
}
