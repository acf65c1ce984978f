/* Pin: a node held or moved on chosen axes, and a frame held or moved.
 *
 * models     pins, sliders, guides and drives; the papers' clamp when the frame is held too
 * equation   r_i = R(t), v_i = dR/dt on the held axes; Q_j = P(t), omega_j = its spin
 * source     Gazzola et al. 2018, section 3 (boundary conditions imposed after each part of the step)
 * parameters node, axes, element, position R and frame P, or a motion that writes them and their rates
 * conserves  nothing
 * test       tests/test_pin.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"
#include "base/hold.h"

#include <string.h>

static const char name[] = "pin";

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_pin_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(node),     FIELD(axes),   FIELD(hold_frame), FIELD(element),
                                   FIELD(position),    FIELD(director), FIELD(motion), FIELD(user)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("pin_def", elastica_pin_def, fields);

/* Frame of the hold: the def's, else that which the old pin (or NULL) holds on the same element, else that of the element now. */
static elastica_status choose_frame(elastica_world *world, const elastica_rod_view *rod, const elastica_pin_def *def, const eli_hold *old,
                                    eli_hold *hold) {
  if (!eli_all_nan(def->director, 9)) {
    memcpy(hold->director, def->director, sizeof hold->director);
    return eli_check_frame(world, "pin_def.director", def->director);
  }
  if (old && old->hold_frame && old->element == hold->element) {
    memcpy(hold->director, old->director, sizeof hold->director);
  } else {
    eli_frame_now(rod, hold->element, hold->director);
  }
  return ELASTICA_OK;
}

static elastica_status check(elastica_world *world, elastica_rod *rod, const char *function, const elastica_pin_def *def,
                             const eli_hold *old, eli_hold *hold) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_status status = eli_check_index(world, function, "node", def->node, view->node_count, &hold->node);
  if (status == ELASTICA_OK) status = eli_check_index(world, function, "element", def->element, view->element_count, &hold->element);
  if (status != ELASTICA_OK) return status;
  hold->axes = def->axes;
  hold->hold_frame = def->hold_frame != 0;
  memcpy(hold->position, def->position, sizeof hold->position);
  hold->motion = def->motion;
  hold->user = def->user;
  status = eli_hold_check_position(world, view, "pin_def", old, hold);
  return status == ELASTICA_OK ? choose_frame(world, view, def, old, hold) : status;
}

static elastica_status describe(elastica_world *world, elastica_rod *rod, const char *function, const elastica_pin_def *given,
                                const eli_hold *old, eli_hold *hold, elastica_module *module) {
  elastica_pin_def def;
  elastica_pin_def_init(&def, sizeof def);
  memset(hold, 0, sizeof *hold);
  elastica_status status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) status = check(world, rod, function, &def, old, hold);
  if (status != ELASTICA_OK) return status;
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = hold;
  module->self_size = sizeof *hold;
  module->needs_derived = 0;
  eli_hold_set_hooks(hold, module);
  return ELASTICA_OK;
}

void elastica_pin_def_init(elastica_pin_def *def, size_t size) {
  elastica_pin_def defaults = {.struct_size = size, .axes = ELASTICA_AXIS_ALL};
  eli_fill_nan(defaults.position, 3);
  eli_fill_nan(defaults.director, 9);
  eli_def_write(def, size, &defaults, sizeof defaults);
}

elastica_status elastica_add_pin(elastica_world *world, elastica_rod *rod, const elastica_pin_def *def, elastica_effect **out) {
  eli_hold hold;
  elastica_module module;
  if (out) *out = NULL;
  elastica_status status = eli_check_add(world, rod, def, "add_pin");
  if (status == ELASTICA_OK) status = describe(world, rod, "add_pin", def, NULL, &hold, &module);
  return status == ELASTICA_OK ? eli_add_effect(world, rod, &module, "add_pin", out) : status;
}

elastica_status elastica_pin_set(elastica_effect *effect, const elastica_pin_def *def) {
  eli_hold hold;
  elastica_module module;
  elastica_status status = eli_check_set(effect, def, "pin_set", name);
  if (status != ELASTICA_OK) return status;
  status =
      describe(elastica_effect_world(effect), elastica_effect_rod(effect), "pin_set", def, elastica_effect_self(effect), &hold, &module);
  return status == ELASTICA_OK ? eli_set_effect(effect, &module, "pin_set") : status;
}
