/* Point load: a force on one node and a couple on one element.
 *
 * models     end loads, and loads at any point of a rod, constant, ramped or as a function of time
 * equation   F_i = f(t) F,   C_j = f(t) C or f(t) Q_j C;   f(t) = (t - start)/ramp between 0 and 1
 * source     Gazzola et al. 2018, section 4; the couple of the last element acts at s = L in the discrete algebra
 * parameters force F, laboratory frame [N]; couple C, material or laboratory frame [N m]; ramp and start [s]; or a function of time
 * conserves  nothing
 * test       tests/test_point_load.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/matrix.h"
#include "base/sentence.h"
#include "hooks/built_in.h"
#include "state/definition.h"

#include <string.h>

typedef elastica_point_load_def point_load_def;
static const eli_field fields[] = {
    ELI_FIELD(point_load_def, struct_size),
    ELI_NODE(point_load_def, node),
    ELI_ELEMENT(point_load_def, element),
    ELI_NUMBERS(point_load_def, force, ELI_RULE_NUMBER),
    ELI_NUMBERS(point_load_def, couple, ELI_RULE_NUMBER),
    ELI_FLAG(point_load_def, couple_in_laboratory),
    ELI_NUMBERS(point_load_def, ramp_time, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(point_load_def, start_time, ELI_RULE_NUMBER),
    ELI_FUNCTION(point_load_def, function),
    ELI_USER(point_load_def, user),
};
static const point_load_def defaults = {.node = -1, .element = -1};
static const eli_layout layout = ELI_LAYOUT("point_load_def", point_load_def, fields, defaults);

typedef struct point_load {
  point_load_def def; /* with indices from 0 on */
  elastica_world *world;
} point_load;

/* Explains the failure of the function: the status that it returned, or the number that is not finite. */
static elastica_status explain(const point_load *load, elastica_status status, const double force[3], const double couple[3]) {
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK)
    return eli_world_explain(load->world, load, "its function for node %d returned %s", load->def.node, eli_status_words(status, what));
  int a = 0;
  while (a < 6 && eli_is_finite(a < 3 ? force[a] : couple[a - 3])) a++;
  return eli_world_explain(load->world, load, "its function for node %d and element %d wrote %s[%d] = %g %s", load->def.node,
                           load->def.element, a < 3 ? "force" : "couple", a % 3, a < 3 ? force[a] : couple[a - 3], a < 3 ? "N" : "N m");
}

/* Computes force [N], laboratory, and couple [N m], in the components of the definition, at a time. */
static elastica_status load_at(const point_load *load, double time, double force[3], double couple[3]) {
  if (load->def.function != NULL) {
    memcpy(force, load->def.force, sizeof load->def.force);
    memcpy(couple, load->def.couple, sizeof load->def.couple);
    const elastica_status status = load->def.function(load->def.user, time, force, couple);
    return status == ELASTICA_OK && eli_all_finite(force, 3) && eli_all_finite(couple, 3) ? ELASTICA_OK
                                                                                          : explain(load, status, force, couple);
  }
  const double since = time - load->def.start_time;
  double factor = since < 0.0 ? 0.0 : 1.0;
  if (factor > 0.0 && since < load->def.ramp_time) factor = since / load->def.ramp_time;
  for (int a = 0; a < 3; a++) {
    force[a] = factor * load->def.force[a];
    couple[a] = factor * load->def.couple[a];
  }
  return ELASTICA_OK;
}

/* Computes the same with the couple in material components. */
static elastica_status material_load_at(const point_load *load, double time, const elastica_rod_view *rod, double force[3],
                                        double couple[3]) {
  double given[3];
  if (!load->def.couple_in_laboratory) return load_at(load, time, force, couple);
  const elastica_status status = load_at(load, time, force, given);
  if (status == ELASTICA_OK) elastica_rotate_to_material(rod, load->def.element, given, couple);
  return status;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const point_load *load = self;
  double force[3], couple[3];
  const elastica_status status = material_load_at(load, now->time, rod, force, couple);
  if (status != ELASTICA_OK) return status;
  for (int a = 0; a < 3; a++) {
    loads->force[a][load->def.node] += force[a];
    loads->couple[a][load->def.element] += couple[a];
  }
  return ELASTICA_OK;
}

/* The force and a couple in material components are constant; one in laboratory components, C = Q M, changes by C x phi. No constant couple
 * has a potential. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const point_load *load = self;
  const elastica_part part = {rod, load->def.element, 1};
  double force[3], couple[3], block[9] = {0.0};
  const elastica_status status = material_load_at(load, now->time, rod, force, couple);
  if (status != ELASTICA_OK) return status;
  tangent->unsymmetric = eli_largest(couple) > 0.0;
  if (!load->def.couple_in_laboratory || !tangent->unsymmetric) return ELASTICA_OK;
  eli_add_skew(block, -1.0, couple);
  tangent->add(tangent->owner, part, part, block);
  return ELASTICA_OK;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const point_load *load = self;
  const int i = load->def.node, j = load->def.element;
  double force[3], couple[3];
  if (material_load_at(load, time, rod, force, couple) != ELASTICA_OK) return eli_nan();
  return force[0] * rod->velocity[0][i] + force[1] * rod->velocity[1][i] + force[2] * rod->velocity[2][i] + couple[0] * rod->omega[0][j] +
         couple[1] * rod->omega[1][j] + couple[2] * rod->omega[2][j];
}

static void set_hooks(const point_load *load, elastica_module *module) {
  const int i = load->def.node, j = load->def.element;
  module->parallel_safe = load->def.function == NULL;
  module->needs_geometry = 0;
  module->first_written = i < j ? i : j;
  module->last_written = i < j ? j : i;
  module->full_time = load->def.start_time + load->def.ramp_time;
  module->add_loads = add_loads;
  module->add_tangent = add_tangent;
  module->power = power;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const point_load_def *def = given;
  point_load *load = self;
  load->def = *def;
  load->world = request->world;
  set_hooks(load, module);
  return ELASTICA_OK;
}

static void function_of(void *own, eli_function *of, int set) {
  point_load *load = own;
  eli_def_function(&layout, &load->def, of, set);
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  point_load *load = own;
  eli_def_keep(&layout, &load->def, rod, record);
  if (record->use == ELI_RECORD_READ) set_hooks(load, module);
}

static const eli_built_in kind = {.name = "point_load",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(point_load),
                                  .describe = describe,
                                  .keep = keep,
                                  .stays_near = 1,
                                  .function = function_of};

void elastica_point_load_def_init(elastica_point_load_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_point_load(elastica_world *world, elastica_rod *rod, const elastica_point_load_def *def,
                                        elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_point_load_set(elastica_effect *effect, const elastica_point_load_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
