/* Added mass: a point mass on one node.
 *
 * models     a tip mass, a bob, a sensor: inertia and weight, no size and no moment of inertia
 * equation   m_i += M          [kg]
 * source     lumped masses of Gazzola et al. 2018, section 3
 * parameters mass M [kg]
 * conserves  momentum, angular momentum and energy, the added mass included
 * test       tests/test_node_mass.c
 */
#include "base/target.h"

#include <elastica.h>

#include "hooks/built_in.h"

#include <string.h>

typedef elastica_node_mass_def node_mass_def;
static const eli_field fields[] = {
    ELI_FIELD(node_mass_def, struct_size),
    ELI_NODE(node_mass_def, node),
    ELI_NUMBERS(node_mass_def, mass, ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED),
};
static const node_mass_def defaults = {.node = -1, .mass = NAN};
static const eli_layout layout = ELI_LAYOUT("node_mass_def", node_mass_def, fields, defaults);

static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  const node_mass_def *added = self;
  (void)rod;
  preparation->mass[added->node] += added->mass;
  return ELASTICA_OK;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  (void)request;
  memcpy(self, given, sizeof(node_mass_def));
  module->prepare = prepare;
  return ELASTICA_OK;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  (void)module;
  eli_def_keep(&layout, own, rod, record);
}

static const eli_built_in kind = {.name = "node_mass",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(node_mass_def),
                                  .describe = describe,
                                  .keep = keep};

void elastica_node_mass_def_init(elastica_node_mass_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_node_mass(elastica_world *world, elastica_rod *rod, const elastica_node_mass_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_node_mass_set(elastica_effect *effect, const elastica_node_mass_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
