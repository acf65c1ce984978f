/* Pin: prescribes a node on chosen axes, and a frame.
 *
 * models     pins, sliders, guides and drives; the papers' clamp if the frame is prescribed too
 * equation   r_i = R(t), v_i = dR/dt on the prescribed axes; Q_j = P(t), omega_j = its spin
 * source     Gazzola et al. 2018, section 3 (boundary conditions imposed after each part of the step)
 * parameters node, axes, element, position R and frame P, or a motion that writes them and their rates
 * conserves  nothing
 * test       tests/test_pin.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/prescribed.h"
#include "base/module.h"

#include <string.h>

typedef elastica_pin_def pin_def;
static const eli_field fields[] = {
    ELI_FIELD(pin_def, struct_size),
    ELI_NODE(pin_def, node),
    ELI_FIELD(pin_def, axes),
    ELI_FLAG(pin_def, hold_frame),
    ELI_ELEMENT(pin_def, element),
    ELI_NUMBERS(pin_def, position, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL_EACH),
    ELI_NUMBERS(pin_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_FIELD(pin_def, motion),
    ELI_FIELD(pin_def, user),
};
static const pin_def defaults = {.axes = ELASTICA_AXIS_ALL, .position = ELI_UNSET_VECTOR, .director = ELI_UNSET_FRAME};
static const eli_layout layout = ELI_LAYOUT("pin_def", pin_def, fields, defaults);

/* Chooses the prescribed frame: that of the definition, else that of the old pin (or NULL) on the same element, else the present one. */
static void choose_frame(const elastica_rod_view *rod, const pin_def *def, const eli_prescribed *old, eli_prescribed *prescribed) {
  if (!eli_all_nan(def->director, 9)) {
    memcpy(prescribed->director, def->director, sizeof prescribed->director);
    return;
  }
  if (old != NULL && old->hold_frame && old->element == prescribed->element)
    memcpy(prescribed->director, old->director, sizeof prescribed->director);
  else
    eli_frame_now(rod, prescribed->element, prescribed->director);
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const pin_def *def = given;
  eli_prescribed *prescribed = self;
  const elastica_status status = eli_prescribed_check_axes(request->world, "pin_def.axes", def->axes);
  if (status != ELASTICA_OK) return status;
  prescribed->node = def->node;
  prescribed->element = def->element;
  prescribed->axes = def->axes;
  prescribed->hold_frame = def->hold_frame;
  prescribed->world = request->world;
  prescribed->motion = def->motion;
  prescribed->user = def->user;
  eli_prescribed_choose_position(view, def->position, request->old, prescribed);
  choose_frame(view, def, request->old, prescribed);
  eli_prescribed_drop_negative_zeros(prescribed);
  eli_prescribed_set_hooks(prescribed, module);
  return ELASTICA_OK;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  eli_prescribed_keep(own, rod, record);
  if (record->use == ELI_RECORD_READ) eli_prescribed_set_hooks(own, module);
}

static const eli_built_in kind = {.name = "pin",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(eli_prescribed),
                                  .describe = describe,
                                  .keep = keep,
                                  .function = eli_prescribed_function};

void elastica_pin_def_init(elastica_pin_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_pin(elastica_world *world, elastica_rod *rod, const elastica_pin_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_pin_set(elastica_effect *effect, const elastica_pin_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
