/* Effects: modules that were added to a world, and calling their hooks. */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "world.h"

static elastica_module defaults(void) {
  elastica_module module;
  memset(&module, 0, sizeof module);
  module.struct_size = sizeof module;
  module.needs_derived = 1;
  return module;
}

void elastica_module_init(elastica_module *module, size_t size) {
  elastica_module standard = defaults();
  standard.struct_size = size;
  eli_def_write(module, size, &standard, sizeof standard);
}

/* A module as this library knows it: what an older caller's struct lacks takes defaults. */
static elastica_status read_module(elastica_world *world, const char *function, const elastica_module *module, elastica_module *copy) {
  if (module == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module is NULL", function);
  *copy = defaults();
  const elastica_status status = eli_def_read(world, "module", copy, module, sizeof *copy);
  if (status != ELASTICA_OK) return status;
  if (copy->name == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module.name is NULL", function);
  if (copy->self == NULL && copy->self_size > 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" has a self_size but no self", function, copy->name);
  return ELASTICA_OK;
}

elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module, elastica_effect **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "add_module", 1);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  status = read_module(world, "add_module", module, &copy);
  if (status != ELASTICA_OK) return status;
  if (rod != NULL && rod->world != world)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_module: the rod belongs to another world");
  elastica_effect **effects = eli_grow(&world->allocator, world->effects, (size_t)world->effect_count, sizeof *effects);
  if (effects != NULL) world->effects = effects;
  elastica_effect *effect = effects != NULL ? eli_allocate(&world->allocator, 1, sizeof *effect) : NULL;
  void *self = effect != NULL && copy.self_size > 0 ? eli_allocate(&world->allocator, 1, copy.self_size) : NULL;
  if (effect == NULL || (copy.self_size > 0 && self == NULL)) {
    eli_release(&world->allocator, effect);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_module: no memory for the effect \"%s\"", copy.name);
  }
  if (self != NULL) memcpy(self, copy.self, copy.self_size);
  effect->world = world;
  effect->rod = rod;
  effect->module = copy;
  effect->copy = self;
  effect->self = self != NULL ? self : (void *)copy.self;
  effect->index = world->effect_count;
  effect->enabled = 1;
  world->effects[world->effect_count++] = effect;
  eli_world_touch(world);
  if (out != NULL) *out = effect;
  return ELASTICA_OK;
}

elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = effect->world;
  elastica_status status = eli_world_check_open(world, "set_module", 1);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  status = read_module(world, "set_module", module, &copy);
  if (status != ELASTICA_OK) return status;
  if (strcmp(copy.name, effect->module.name) != 0 || copy.self_size != effect->module.self_size)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "set_module: the effect is \"%s\" of %zu bytes, the module \"%s\" of %zu", effect->module.name,
                                 effect->module.self_size, copy.name, copy.self_size);
  if (effect->copy != NULL)
    memmove(effect->copy, copy.self, copy.self_size);
  else
    effect->self = (void *)copy.self;
  effect->module = copy;
  eli_world_touch(world);
  return ELASTICA_OK;
}

elastica_status elastica_effect_set_enabled(elastica_effect *effect, int enabled) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = eli_world_check_open(effect->world, "effect_set_enabled", 1);
  if (status != ELASTICA_OK) return status;
  if (effect->enabled != (enabled != 0)) {
    effect->enabled = enabled != 0;
    eli_world_touch(effect->world);
  }
  return ELASTICA_OK;
}

int elastica_effect_is_enabled(const elastica_effect *effect) {
  return effect != NULL && effect->enabled;
}

int elastica_world_effect_count(const elastica_world *world) {
  return world != NULL ? world->effect_count : 0;
}

elastica_effect *elastica_world_effect(elastica_world *world, int index) {
  return world != NULL && index >= 0 && index < world->effect_count ? world->effects[index] : NULL;
}

void *elastica_effect_self(elastica_effect *effect) {
  return effect != NULL ? effect->self : NULL;
}

const char *elastica_effect_name(const elastica_effect *effect) {
  return effect != NULL ? effect->module.name : "";
}

elastica_world *elastica_effect_world(elastica_effect *effect) {
  return effect != NULL ? effect->world : NULL;
}

elastica_rod *elastica_effect_rod(elastica_effect *effect) {
  return effect != NULL ? effect->rod : NULL;
}

/* Weight depends on masses that other effects add: they are known once the world is prepared, and inside hooks it is as prepared as it gets. */
static double effect_sum(elastica_effect *effect, double (*hook)(void *, double, const elastica_rod_view *)) {
  if (hook == NULL || !effect->enabled) return 0.0;
  elastica_world *world = effect->world;
  if (!world->in_hook && eli_world_prepare(world) != ELASTICA_OK) return NAN;
  const double time = eli_world_now(world);
  const int outside = !world->in_hook; /* hooks on several threads may ask: they do not write the mark */
  if (outside) world->in_hook = 1;
  double sum = 0.0;
  if (effect->rod != NULL)
    sum = hook(effect->self, time, &effect->rod->view);
  else
    for (int r = 0; r < world->rod_count; r++) sum += hook(effect->self, time, &world->rods[r]->view);
  if (outside) world->in_hook = 0;
  return sum;
}

double elastica_effect_energy(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, effect->module.energy) : 0.0;
}

double elastica_effect_power(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, effect->module.power) : 0.0;
}

double eli_rod_effect_energy(const elastica_rod *rod) {
  const eli_hook_list *list = &rod->world->hooks[ELI_ENERGY];
  const double time = eli_world_now(rod->world);
  double sum = 0.0;
  rod->world->in_hook = 1;
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1]; k++)
    sum += list->effects[k]->module.energy(list->effects[k]->self, time, &rod->view);
  rod->world->in_hook = 0;
  return sum;
}

void eli_world_release_effects(elastica_world *world) {
  for (int k = 0; k < world->effect_count; k++) {
    elastica_effect *effect = world->effects[k];
    if (effect->module.destroy != NULL) effect->module.destroy(effect->self);
    eli_release(&world->allocator, effect->copy);
    eli_release(&world->allocator, effect);
  }
  eli_release(&world->allocator, world->effects);
}

const char *eli_hook_name(eli_hook hook) {
  static const char *const names[ELI_HOOK_COUNT] = {
      "begin_step",    "add_resultants", "add_loads", "add_reactions", "constrain_position", "constrain_velocity", "constrain_spin",
      "add_stiffness", "observe",        "prepare",   "energy"};
  return names[hook];
}

static elastica_status call(const elastica_module *module, void *self, eli_hook hook, const elastica_instant *now,
                            const elastica_rod_view *view, void *argument) {
  switch (hook) {
  case ELI_BEGIN_STEP: return module->begin_step(self, now, view);
  case ELI_ADD_RESULTANTS: return module->add_resultants(self, now, view, argument);
  case ELI_ADD_LOADS: return module->add_loads(self, now, view, argument);
  case ELI_ADD_REACTIONS: return module->add_reactions(self, now, view, argument);
  case ELI_CONSTRAIN_POSITION: return module->constrain_position(self, now, view, argument);
  case ELI_CONSTRAIN_VELOCITY: return module->constrain_velocity(self, now, view, argument);
  case ELI_CONSTRAIN_SPIN: return module->constrain_spin(self, now, view, argument);
  case ELI_ADD_STIFFNESS: return module->add_stiffness(self, now, view, argument);
  case ELI_OBSERVE: return module->observe(self, now, view);
  default: return ELASTICA_OK;
  }
}

int eli_call_hook(elastica_effect *effect, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                  eli_tile_report *report) {
  const elastica_status status = call(&effect->module, effect->self, hook, now, &rod->view, argument);
  if (status == ELASTICA_OK) return 1;
  report->status = status;
  report->rod_index = rod->index;
  report->effect = effect;
  report->hook = hook;
  return 0;
}

int eli_call_hooks(elastica_world *world, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                   eli_tile_report *report) {
  const eli_hook_list *list = &world->hooks[hook];
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1]; k++)
    if (!eli_call_hook(list->effects[k], hook, rod, now, argument, report)) return 0;
  return 1;
}

elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time) {
  if (report->status == ELASTICA_JOINT_TOO_FAR)
    return eli_world_fail(
        world, ELASTICA_JOINT_TOO_FAR,
        "rod %d: the joint of effect %d \"%s\" turns by more than %.1f rad at t = %.9g s; LOG cannot tell pi + x from pi - x",
        report->rod_index, report->effect->index, report->effect->module.name, ELI_JOINT_LIMIT, time);
  return eli_world_fail(world, ELASTICA_CALLBACK_FAILED, "effect %d \"%s\": %s returned %s for rod %d at t = %.9g s", report->effect->index,
                        report->effect->module.name, eli_hook_name(report->hook), elastica_status_text(report->status), report->rod_index,
                        time);
}
