/* Effects: modules that were added to a world, and calling their hooks. */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "world.h"

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_module, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(name),
                                   FIELD(self),
                                   FIELD(self_size),
                                   FIELD(parallel_safe),
                                   FIELD(needs_derived),
                                   FIELD(constrains_by_time),
                                   FIELD(prepare),
                                   FIELD(begin_step),
                                   FIELD(add_resultants),
                                   FIELD(add_loads),
                                   FIELD(add_reactions),
                                   FIELD(constrain_position),
                                   FIELD(constrain_velocity),
                                   FIELD(constrain_spin),
                                   FIELD(add_stiffness),
                                   FIELD(observe),
                                   FIELD(energy),
                                   FIELD(power),
                                   FIELD(destroy)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("module", elastica_module, fields);

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
  char label[ELI_LABEL_SIZE];
  *copy = defaults();
  const elastica_status status = eli_def_read(world, &layout, copy, module);
  if (status != ELASTICA_OK) return status;
  if (copy->name == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module.name is NULL", function);
  if (copy->self == NULL && copy->self_size > 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" has a self_size but no self", function,
                                 eli_shorten(copy->name, label, sizeof label));
  return ELASTICA_OK;
}

static elastica_status add(elastica_world *world, elastica_rod *rod, const elastica_module *module, const char *function, int built_in,
                           elastica_effect **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, function, 1);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  status = read_module(world, function, module, &copy);
  if (status != ELASTICA_OK) return status;
  if (rod != NULL && rod->world != world)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: rod belongs to another world", function);
  elastica_effect **effects = eli_grow(&world->allocator, world->effects, (size_t)world->effect_count, sizeof *effects);
  if (effects != NULL) world->effects = effects;
  elastica_effect *effect = effects != NULL ? eli_allocate(&world->allocator, 1, sizeof *effect) : NULL;
  void *self = effect != NULL && copy.self_size > 0 ? eli_allocate(&world->allocator, 1, copy.self_size) : NULL;
  if (effect == NULL || (copy.self_size > 0 && self == NULL)) {
    eli_release(&world->allocator, effect);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the effect", function);
  }
  if (self != NULL) memcpy(self, copy.self, copy.self_size);
  effect->world = world;
  effect->rod = rod;
  effect->module = copy;
  effect->copy = self;
  effect->self = self != NULL ? self : (void *)copy.self;
  effect->index = world->effect_count;
  effect->enabled = 1;
  effect->built_in = built_in;
  eli_shorten(copy.name, effect->label, sizeof effect->label);
  world->effects[world->effect_count++] = effect;
  eli_world_touch(world);
  if (out != NULL) *out = effect;
  return ELASTICA_OK;
}

elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module, elastica_effect **out) {
  return add(world, rod, module, "add_module", 0, out);
}

elastica_status eli_add_effect(elastica_world *world, elastica_rod *rod, const elastica_module *module, const char *function,
                               elastica_effect **out) {
  return add(world, rod, module, function, 1, out);
}

elastica_status eli_set_effect(elastica_effect *effect, const elastica_module *module, const char *function) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = effect->world;
  elastica_status status = eli_world_check_open(world, function, 1);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  char label[ELI_LABEL_SIZE];
  status = read_module(world, function, module, &copy);
  if (status != ELASTICA_OK) return status;
  if (strcmp(copy.name, effect->module.name) != 0 || copy.self_size != effect->module.self_size)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: the effect is \"%s\" with a self of %zu bytes, the module \"%s\" with one of %zu", function,
                                 effect->label, effect->module.self_size, eli_shorten(copy.name, label, sizeof label), copy.self_size);
  if (effect->copy != NULL)
    memmove(effect->copy, copy.self, copy.self_size);
  else
    effect->self = (void *)copy.self;
  effect->module = copy;
  eli_world_touch(world);
  return ELASTICA_OK;
}

elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module) {
  if (effect != NULL && effect->built_in)
    return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                                 "set_module: effect %d is a %s of the library, which elastica_%s_set alone may change", effect->index,
                                 effect->module.name, effect->module.name);
  return eli_set_effect(effect, module, "set_module");
}

int eli_effect_is_built_in(const elastica_effect *effect) {
  return effect->built_in;
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

/* ---- Energy and power ---- */

/* Hooks that answer with a number say by elastica_world_refuse why they have none; words of others leave the message as it was. */
typedef struct asking {
  elastica_world *world;
  double time;
  char message[ELI_MESSAGE_SIZE];
} asking;

static void start_asking(asking *ask, elastica_world *world) {
  ask->world = world;
  ask->time = eli_world_now(world);
  memcpy(ask->message, world->message, sizeof ask->message);
  world->in_hook = ELI_IN_HOOK;
}

/* Adds what one hook says of one rod to *sum. */
static elastica_status add_answer(const asking *ask, const elastica_effect *effect, const char *what,
                                  double (*hook)(void *, double, const elastica_rod_view *), const elastica_rod *rod, double *sum) {
  elastica_world *world = ask->world;
  char words[ELI_MESSAGE_SIZE];
  world->message[0] = '\0';
  world->refusal = ELASTICA_OK;
  const double value = hook(effect->self, ask->time, &rod->view);
  if (value - value == 0.0) {
    *sum += value;
    return ELASTICA_OK;
  }
  memcpy(words, world->message, sizeof words);
  return elastica_world_refuse(world, world->refusal == ELASTICA_OUT_OF_MEMORY ? ELASTICA_OUT_OF_MEMORY : ELASTICA_CALLBACK_FAILED,
                               "effect %d \"%s\": its %s of rod %d is %g%s%s", effect->index, effect->label, what, rod->index, value,
                               words[0] != '\0' ? ": " : "", words);
}

static elastica_status stop_asking(asking *ask, elastica_status status) {
  if (status == ELASTICA_OK) memcpy(ask->world->message, ask->message, sizeof ask->message);
  ask->world->in_hook = ELI_NO_HOOK;
  return status;
}

/* Weight depends on masses that other effects add: they are known once the world is prepared. */
static double effect_sum(elastica_effect *effect, const char *what, double (*hook)(void *, double, const elastica_rod_view *)) {
  if (hook == NULL || !effect->enabled) return 0.0;
  elastica_world *world = effect->world;
  asking ask;
  if (eli_check_outside_hook(world, what) != ELASTICA_OK || eli_world_prepare(world) != ELASTICA_OK) return NAN;
  elastica_status status = ELASTICA_OK;
  double sum = 0.0;
  start_asking(&ask, world);
  for (int r = 0; r < world->rod_count && status == ELASTICA_OK; r++)
    if (effect->rod == NULL || effect->rod == world->rods[r]) status = add_answer(&ask, effect, what, hook, world->rods[r], &sum);
  return stop_asking(&ask, status) == ELASTICA_OK ? sum : NAN;
}

double elastica_effect_energy(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, "energy", effect->module.energy) : 0.0;
}

double elastica_effect_power(elastica_effect *effect) {
  return effect != NULL ? effect_sum(effect, "power", effect->module.power) : 0.0;
}

elastica_status eli_rod_effect_energy(const elastica_rod *rod, double *sum) {
  const eli_hook_list *list = &rod->world->hooks[ELI_ENERGY];
  if (list->first[rod->index] == list->first[rod->index + 1]) return ELASTICA_OK;
  elastica_status status = ELASTICA_OK;
  asking ask;
  start_asking(&ask, rod->world);
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1] && status == ELASTICA_OK; k++)
    status = add_answer(&ask, list->effects[k], "energy", list->effects[k]->module.energy, rod, sum);
  return stop_asking(&ask, status);
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

/* ---- Hooks ---- */

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

void eli_report_hook(eli_tile_report *report, elastica_status status, const elastica_rod *rod, const elastica_effect *effect,
                     eli_hook hook) {
  if (report->status != ELASTICA_OK && report->rod_index <= rod->index) return;
  report->status = status;
  report->rod_index = rod->index;
  report->effect = effect;
  report->hook = hook;
  report->wrote = 0;
}

int eli_call_hook(elastica_effect *effect, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                  eli_tile_report *report) {
  const elastica_status status = call(&effect->module, effect->self, hook, now, &rod->view, argument);
  if (status == ELASTICA_OK) return 1;
  eli_report_hook(report, status, rod, effect, hook);
  return 0;
}

void eli_call_hooks(elastica_world *world, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                    eli_tile_report *report) {
  const eli_hook_list *list = &world->hooks[hook];
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1]; k++)
    eli_call_hook(list->effects[k], hook, rod, now, argument, report);
}
