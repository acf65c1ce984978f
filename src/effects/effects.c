/* Effects: modules that were added to a world. */
#include "base/target.h"

#include <string.h>

#include "base/module.h"
#include "effects/effects.h"

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_module, field)
#define HOOK(number, field, kind) FIELD(field),
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(name),
                                   FIELD(self),
                                   FIELD(self_size),
                                   FIELD(parallel_safe),
                                   FIELD(needs_derived),
                                   FIELD(needs_geometry),
                                   FIELD(constrains_by_time),
                                   ELI_HOOKS(HOOK) FIELD(destroy),
                                   FIELD(stateless),
                                   FIELD(save_size),
                                   FIELD(save),
                                   FIELD(load)};
#undef HOOK
#undef FIELD
static const elastica_module defaults = {.needs_derived = 1, .needs_geometry = 1};
static const eli_layout layout = ELI_LAYOUT("module", elastica_module, fields, defaults);

void elastica_module_init(elastica_module *module, size_t size) {
  eli_def_init(&layout, module, size);
}

/* A module as this library knows it: what an older caller's struct lacks takes defaults. */
static elastica_status read_module(elastica_world *world, const char *function, const elastica_module *module, elastica_module *copy) {
  if (module == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module is NULL", function);
  char label[ELI_LABEL_SIZE];
  const elastica_status status = eli_def_read(world, &layout, copy, module);
  if (status != ELASTICA_OK) return status;
  if (copy->name == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module.name is NULL", function);
  if (copy->self == NULL && copy->self_size > 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" has a self_size but no self", function,
                                 eli_shorten(copy->name, label, sizeof label));
  const int hooks = (copy->save_size != NULL) + (copy->save != NULL) + (copy->load != NULL);
  if (hooks != 0 && hooks != 3)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" needs all of save_size, save and load, or none",
                                 function, eli_shorten(copy->name, label, sizeof label));
  return ELASTICA_OK;
}

/* ---- What a change of an effect makes stale ---- */

/* What of its rods must be prepared again when a module changes. */
static unsigned stale_by(const elastica_module *module) {
  const int constrains = module->constrain_position != NULL || module->constrain_velocity != NULL || module->constrain_spin != NULL;
  return (module->prepare != NULL ? ELI_STALE_MASSES : 0) | (constrains ? ELI_STALE_STATE : 0);
}

/* Of the rods that the effect acts on. */
static void outdate_rods(const elastica_effect *effect, unsigned stale) {
  const elastica_world *world = effect->world;
  if (stale == 0) return;
  if (effect->rod != NULL) eli_rod_outdate(effect->rod, stale);
  for (int r = 0; r < world->rod_count && effect->rod == NULL; r++) eli_rod_outdate(world->rods[r], stale);
}

/* An effect was added, or switched on or off. */
static void outdate_by(const elastica_effect *effect) {
  eli_world_outdate(effect->world, ELI_STALE_LISTS | ELI_STALE_LIMIT);
  outdate_rods(effect, stale_by(&effect->module));
}

/* 1: both modules have the same hooks and flags, so that lists and tiles stay valid. */
static int are_called_alike(const elastica_module *one, const elastica_module *other) {
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++)
    if (eli_has_hook(one, (eli_hook)hook) != eli_has_hook(other, (eli_hook)hook)) return 0;
  return !one->needs_derived == !other->needs_derived && !one->needs_geometry == !other->needs_geometry &&
         !one->parallel_safe == !other->parallel_safe && !one->constrains_by_time == !other->constrains_by_time;
}

void eli_effect_outdate(const elastica_effect *effect) {
  outdate_by(effect);
}

void eli_effect_hook_anew(elastica_effect *effect, const elastica_module *module) {
  if (effect->enabled && !are_called_alike(&effect->module, module)) eli_world_outdate(effect->world, ELI_STALE_LISTS);
  effect->module = *module;
}

/* The module of an effect has replaced `before`. If the effect is switched off, only the look at the limit, which follows every change, is
 * due. */
static void outdate_by_change(const elastica_effect *effect, const elastica_module *before) {
  eli_world_outdate(effect->world, ELI_STALE_LIMIT);
  if (!effect->enabled) return;
  if (!are_called_alike(before, &effect->module)) eli_world_outdate(effect->world, ELI_STALE_LISTS);
  outdate_rods(effect, stale_by(before) | stale_by(&effect->module));
}

/* ---- Adding and setting ---- */

static elastica_status add(elastica_world *world, elastica_rod *rod, const elastica_module *module, const char *function,
                           const eli_built_in *kind, elastica_effect **out) {
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
  effect->kind = kind;
  eli_shorten(copy.name, effect->label, sizeof effect->label);
  world->effects[world->effect_count++] = effect;
  outdate_by(effect);
  if (out != NULL) *out = effect;
  return ELASTICA_OK;
}

elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module, elastica_effect **out) {
  return add(world, rod, module, "add_module", NULL, out);
}

elastica_status eli_add_effect(const eli_built_in *kind, elastica_world *world, elastica_rod *rod, const elastica_module *module,
                               const char *function, elastica_effect **out) {
  return add(world, rod, module, function, kind, out);
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
  const elastica_module before = effect->module;
  effect->module = copy;
  outdate_by_change(effect, &before);
  return ELASTICA_OK;
}

elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = eli_world_check_open(effect->world, "set_module", 1);
  if (status != ELASTICA_OK) return status;
  if (effect->kind != NULL)
    return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                                 "set_module: effect %d is a %s of the library, which elastica_%s_set alone may change", effect->index,
                                 effect->module.name, effect->module.name);
  return eli_set_effect(effect, module, "set_module");
}

const eli_built_in *eli_effect_kind(const elastica_effect *effect) {
  return effect->kind;
}

elastica_status elastica_effect_set_enabled(elastica_effect *effect, int enabled) {
  if (effect == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = eli_world_check_open(effect->world, "effect_set_enabled", 1);
  if (status != ELASTICA_OK) return status;
  if (effect->enabled != (enabled != 0)) {
    effect->enabled = enabled != 0;
    outdate_by(effect);
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

void eli_world_release_effects(elastica_world *world) {
  for (int k = 0; k < world->effect_count; k++) {
    elastica_effect *effect = world->effects[k];
    if (effect->module.destroy != NULL) effect->module.destroy(effect->self);
    eli_release(&world->allocator, effect->copy);
    eli_release(&world->allocator, effect);
  }
  eli_release(&world->allocator, world->effects);
}
