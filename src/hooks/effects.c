/* Effects: the modules that were added to a world, the library's own among them; adding, changing, switching and removing them, and queries
 * about their handles.
 *
 * test       tests/test_effects.c, tests/test_changes.c
 */
#include "base/target.h"

#include "base/sentence.h"
#include "hooks/built_in.h"
#include "hooks/effects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The fields at which a definition of an older caller may end. */
#define FIELD(field) ELI_FIELD(elastica_module, field)
#define HOOK(number, field, kind) FIELD(field),
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(name),
                                   FIELD(self),
                                   FIELD(self_size),
                                   ELI_FLAG(elastica_module, parallel_safe),
                                   ELI_FLAG(elastica_module, needs_derived),
                                   ELI_FLAG(elastica_module, needs_geometry),
                                   ELI_CHOICE(elastica_module, reads_lengths, 2, "neither 0, 1 nor 2"),
                                   ELI_FLAG(elastica_module, reads_resultants),
                                   ELI_FLAG(elastica_module, adds_rates),
                                   FIELD(first_written),
                                   FIELD(last_written),
                                   FIELD(full_time),
                                   ELI_FLAG(elastica_module, constrains_by_time),
                                   ELI_HOOKS(HOOK) FIELD(acts_on),
                                   FIELD(may_sleep),
                                   FIELD(must_wake),
                                   FIELD(is_idle),
                                   FIELD(forget_rod),
                                   FIELD(fails_for),
                                   FIELD(explain),
                                   FIELD(each_history),
                                   FIELD(keep_history),
                                   FIELD(put_back_history),
                                   FIELD(destroy),
                                   ELI_FLAG(elastica_module, stateless),
                                   FIELD(save_size),
                                   FIELD(save),
                                   FIELD(load)};
#undef HOOK
#undef FIELD
static const elastica_module defaults = {
    .needs_derived = 1, .needs_geometry = 1, .reads_resultants = 1, .adds_rates = 1, .last_written = -1, .full_time = NAN};
static const eli_layout layout = ELI_LAYOUT("module", elastica_module, fields, defaults);

void elastica_module_init(elastica_module *module, size_t size) {
  eli_def_init(&layout, module, size);
}

/* Copies the module of a caller. Fields that an older struct does not have get their defaults. */
static elastica_status read_module(elastica_world *world, const char *function, const elastica_module *module, elastica_module *copy) {
  if (module == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module is NULL", function);
  char label[ELI_LABEL_SIZE];
  const elastica_status status = eli_def_read(world, &layout, copy, module);
  if (status != ELASTICA_OK) return status;
  if (copy->name == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module.name is NULL", function);
  if (copy->self == NULL && copy->self_size > 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" has a self_size but no self", function,
                                 eli_shorten(copy->name, label, sizeof label));
  if (copy->add_world_loads == NULL && (copy->add_world_stiffness != NULL || copy->acts_on != NULL || copy->may_sleep != NULL))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: module \"%s\" has add_world_stiffness, acts_on or may_sleep without add_world_loads", function,
                                 eli_shorten(copy->name, label, sizeof label));
  if ((copy->may_sleep != NULL) != (copy->must_wake != NULL))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" needs both may_sleep and must_wake, or neither",
                                 function, eli_shorten(copy->name, label, sizeof label));
  if ((copy->keep_history != NULL) != (copy->put_back_history != NULL))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: module \"%s\" needs both keep_history and put_back_history, or neither", function,
                                 eli_shorten(copy->name, label, sizeof label));
  const int hooks = (copy->save_size != NULL) + (copy->save != NULL) + (copy->load != NULL);
  if (hooks != 0 && hooks != 3)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: module \"%s\" needs all of save_size, save and load, or none",
                                 function, eli_shorten(copy->name, label, sizeof label));
  return ELASTICA_OK;
}

/* ---- Invalidation after a change of an effect ---- */

/* Returns one bit for each hook of a module. */
static unsigned hooks_of(const elastica_module *module) {
  unsigned hooks = 0;
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++)
    if (eli_has_hook(module, (eli_hook)hook)) hooks |= ELI_HOOK_BIT(hook);
  return hooks;
}

/* Updates the numbers of enabled effects: by is 1 for a newly enabled effect, -1 for one that is switched off. */
static void count(const elastica_effect *effect, int by) {
  elastica_world *world = effect->world;
  const eli_effect_body *body = effect->body;
  for (int hook = 0; hook < ELI_HOOK_COUNT && body->kind == NULL; hook++)
    if (body->hooks & ELI_HOOK_BIT(hook)) world->effects.foreign_count[hook] += by;
  if (body->module.constrain_position != NULL && !body->module.constrains_by_time) world->effects.by_state += by;
  if (body->module.add_world_loads != NULL) {
    world->pair_phase.enabled += by;
    if (body->module.needs_geometry) world->pair_phase.measured += by;
    if (body->kind != NULL && body->kind->find != NULL) world->pair_phase.finders += by;
    world->pair_phase.listed = 0;
  }
  if (eli_effect_has_bounds(effect)) world->pair_phase.bounded += by;
  if (body->kind != NULL && body->kind->joins != NULL) world->pair_phase.joins++;
}

static void set_module(elastica_effect *effect, const elastica_module *module) {
  const unsigned before = effect->body->hooks;
  if (effect->enabled) count(effect, -1);
  effect->body->module = *module;
  effect->body->hooks = hooks_of(module);
  if (effect->enabled) count(effect, 1);
  if ((before ^ effect->body->hooks) & ELI_HOOK_BIT(ELI_ADD_WORLD_LOADS))
    (module->add_world_loads != NULL ? eli_effect_join : eli_effect_leave)(effect);
}

/* Returns the data of its rods that a change of this module invalidates. */
static unsigned stale_by(const elastica_module *module) {
  const int constrains = module->constrain_position != NULL || module->constrain_velocity != NULL || module->constrain_spin != NULL;
  return (module->prepare != NULL ? ELI_STALE_MASSES : 0) | (constrains ? ELI_STALE_STATE : 0);
}

/* Invalidates data of all rods that the effect acts on. */
static void outdate_rods(const elastica_effect *effect, unsigned stale) {
  if (stale == 0) return;
  if (effect->rod != NULL)
    eli_rod_outdate(effect->rod, stale);
  else
    ELI_EACH_ROD_OF_WORLD(rod, effect->world) eli_rod_outdate(rod, stale);
}

/* Invalidates all lists that contain the effect, or will contain it. */
static void outdate_lists(const elastica_effect *effect) {
  if (effect->rod == NULL) eli_world_outdate(effect->world, ELI_STALE_LISTS | ELI_STALE_COMMON);
  outdate_rods(effect, ELI_STALE_LISTS);
}

/* Invalidates all data that depend on an effect, after it was added or switched on or off. */
static void outdate_by(const elastica_effect *effect) {
  eli_world_outdate(effect->world, ELI_STALE_LIMIT);
  outdate_lists(effect);
  outdate_rods(effect, stale_by(&effect->body->module));
}

/* Returns 1 if both modules have the same hooks and flags, so that lists, tiles and their calls remain valid. */
static int are_called_alike(const elastica_module *one, const elastica_module *other) {
  if (one->add_loads != other->add_loads || (one->self_size == 0 && one->self != other->self)) return 0;
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++)
    if (eli_has_hook(one, (eli_hook)hook) != eli_has_hook(other, (eli_hook)hook)) return 0;
  return !one->needs_derived == !other->needs_derived && !one->needs_geometry == !other->needs_geometry &&
         !one->parallel_safe == !other->parallel_safe && !one->constrains_by_time == !other->constrains_by_time &&
         one->reads_lengths == other->reads_lengths && one->reads_resultants == other->reads_resultants &&
         one->adds_rates == other->adds_rates && one->first_written == other->first_written && one->last_written == other->last_written &&
         one->is_idle == other->is_idle;
}

void eli_effect_switch(elastica_effect *effect, int enabled) {
  if (effect->enabled == enabled) return;
  effect->enabled = enabled;
  count(effect, enabled ? 1 : -1);
  outdate_by(effect);
}

void eli_effect_hook_anew(elastica_effect *effect, const elastica_module *module) {
  if (effect->enabled && !are_called_alike(&effect->body->module, module)) outdate_lists(effect);
  set_module(effect, module);
}

/* Invalidates data after the module of an effect has replaced `before`. Every change requires a limit check. For an effect that is switched
 * off, this is all. For an effect on one rod with the same hooks and without other invalid data, the check is limited to that rod. */
static void outdate_by_change(const elastica_effect *effect, const elastica_module *before) {
  const int alike = are_called_alike(before, &effect->body->module);
  const unsigned stale = stale_by(before) | stale_by(&effect->body->module);
  if (effect->enabled && effect->rod != NULL && alike && stale == 0 && before->add_world_loads == NULL) {
    eli_rod_outdate_limit(effect->rod);
    return;
  }
  eli_world_outdate(effect->world, ELI_STALE_LIMIT);
  if (!effect->enabled) return;
  if (!alike) outdate_lists(effect);
  outdate_rods(effect, stale);
}

/* ---- Adding and setting ---- */

/* Appends an effect to the chain of its rod, or of effects on every rod, and to the list of the world. */
static void append(elastica_effect *effect) {
  elastica_world *world = effect->world;
  eli_effect_chain *alike = effect->rod != NULL ? &effect->rod->body->effects : &world->effects.common;
  effect->body->previous = world->effects.last;
  effect->body->previous_alike = alike->last;
  *(world->effects.last != NULL ? &world->effects.last->body->next : &world->effects.first) = effect;
  *(alike->last != NULL ? &alike->last->body->next_alike : &alike->first) = effect;
  world->effects.last = alike->last = effect;
  world->effects.all[world->effects.count++] = effect;
  effect->body->table_index = eli_indices_take(&world->effects.indices);
  if (effect->body->module.add_world_loads != NULL) eli_effect_join(effect);
}

/* Allocates one more effect. Returns NULL and changes nothing if memory runs out. */
static elastica_effect *allocate(elastica_world *world, size_t self_size) {
  const eli_allocator *allocator = &world->allocator;
  elastica_effect **effects = eli_grow(allocator, world->effects.all, (size_t)world->effects.count, sizeof *effects);
  if (effects == NULL) return NULL;
  world->effects.all = effects;
  if (!eli_indices_reserve(allocator, &world->effects.indices)) return NULL;
  elastica_effect *effect = eli_allocate(allocator, 1, sizeof *effect);
  eli_effect_body *body = effect != NULL ? eli_allocate(allocator, 1, sizeof *body) : NULL;
  void *self = body != NULL && self_size > 0 ? eli_allocate(allocator, 1, self_size) : NULL;
  if (body != NULL && (self_size == 0 || self != NULL)) {
    body->copy = self;
    effect->body = body;
    return effect;
  }
  eli_release(allocator, self);
  eli_release(allocator, body);
  eli_release(allocator, effect);
  return NULL;
}

static elastica_status add(elastica_world *world, elastica_rod *rod, const elastica_module *module, const char *function,
                           const eli_built_in *kind, elastica_effect **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, function, 1);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  status = read_module(world, function, module, &copy);
  if (status != ELASTICA_OK) return status;
  status = rod != NULL ? eli_rod_check_in(world, rod, function) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  elastica_effect *effect = allocate(world, copy.self_size);
  if (effect == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the effect", function);
  eli_effect_body *body = effect->body;
  if (body->copy != NULL) memcpy(body->copy, copy.self, copy.self_size);
  effect->world = world;
  effect->rod = rod;
  effect->self = body->copy != NULL ? body->copy : (void *)copy.self;
  effect->index = world->effects.count;
  effect->enabled = 1;
  body->module = copy;
  body->hooks = hooks_of(&copy);
  body->kind = kind;
  eli_shorten(copy.name, body->label, sizeof body->label);
  append(effect);
  count(effect, 1);
  outdate_by(effect);
  if (out != NULL) *out = effect;
  return ELASTICA_OK;
}

elastica_status elastica_world_add_module(elastica_world *world, elastica_rod *rod, const elastica_module *module, elastica_effect **out) {
  return add(world, rod, module, "add_module", NULL, out);
}

/* Messages name `function`. */
static elastica_status set_effect(elastica_effect *effect, const elastica_module *module, const char *function) {
  elastica_status status = eli_effect_check(effect, function);
  if (status != ELASTICA_OK) return status;
  elastica_world *world = effect->world;
  status = eli_world_check_setter(world, function);
  if (status != ELASTICA_OK) return status;
  elastica_module copy;
  char label[ELI_LABEL_SIZE];
  status = read_module(world, function, module, &copy);
  if (status != ELASTICA_OK) return status;
  if (strcmp(copy.name, effect->body->module.name) != 0 || copy.self_size != effect->body->module.self_size)
    return elastica_world_refuse(
        world, ELASTICA_INVALID_ARGUMENT, "%s: the effect is \"%s\" with a self of %zu bytes, the module \"%s\" with one of %zu", function,
        effect->body->label, effect->body->module.self_size, eli_shorten(copy.name, label, sizeof label), copy.self_size);
  if (effect->body->copy != NULL)
    memmove(effect->body->copy, copy.self, copy.self_size);
  else
    effect->self = (void *)copy.self;
  const elastica_module before = effect->body->module;
  set_module(effect, &copy);
  outdate_by_change(effect, &before);
  return ELASTICA_OK;
}

elastica_status elastica_effect_set_module(elastica_effect *effect, const elastica_module *module) {
  elastica_status status = eli_effect_check(effect, "set_module");
  if (status == ELASTICA_OK) status = eli_world_check_setter(effect->world, "set_module");
  if (status != ELASTICA_OK) return status;
  if (effect->body->kind != NULL)
    return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                                 "set_module: effect %d is a %s of the library, which elastica_%s_set alone may change", effect->index,
                                 effect->body->module.name, effect->body->module.name);
  return set_effect(effect, module, "set_module");
}

const eli_built_in *eli_effect_kind(const elastica_effect *effect) {
  return effect->body != NULL ? effect->body->kind : NULL;
}

elastica_status elastica_effect_set_enabled(elastica_effect *effect, int enabled) {
  elastica_status status = eli_effect_check(effect, "effect_set_enabled");
  if (status == ELASTICA_OK) status = eli_world_check_setter(effect->world, "effect_set_enabled");
  if (status != ELASTICA_OK) return status;
  if (!eli_is_flag(enabled))
    return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT, "effect_set_enabled: %d is neither 0 nor 1", enabled);
  eli_effect_switch(effect, enabled);
  return ELASTICA_OK;
}

/* ---- Removing ---- */

/* Removes an effect from the chain of its rod, or of effects on every rod, and from the list of the world. */
static void detach(elastica_effect *effect) {
  elastica_world *world = effect->world;
  const eli_effect_body *body = effect->body;
  eli_effect_chain *alike = effect->rod != NULL ? &effect->rod->body->effects : &world->effects.common;
  *(body->previous != NULL ? &body->previous->body->next : &world->effects.first) = body->next;
  *(body->next != NULL ? &body->next->body->previous : &world->effects.last) = body->previous;
  *(body->previous_alike != NULL ? &body->previous_alike->body->next_alike : &alike->first) = body->next_alike;
  *(body->next_alike != NULL ? &body->next_alike->body->previous_alike : &alike->last) = body->previous_alike;
  if (body->module.add_world_loads != NULL) eli_effect_leave(effect);
  world->effects.all[effect->index] = NULL;
  eli_indices_give_back(&world->effects.indices, body->table_index);
}

void eli_effect_end(elastica_effect *effect) {
  void (*const destroy)(void *self) = effect->body->module.destroy;
  effect->body->module.destroy = NULL;
  if (destroy != NULL) destroy(effect->self);
}

/* Calls destroy and releases everything but the handle. */
static void dismantle(elastica_effect *effect) {
  const eli_allocator *allocator = &effect->world->allocator;
  eli_effect_end(effect);
  eli_release(allocator, effect->body->copy);
  eli_release(allocator, effect->body);
  effect->body = NULL;
}

void eli_effect_remove(elastica_effect *effect) {
  elastica_world *world = effect->world;
  outdate_by(effect);
  if (effect->enabled) count(effect, -1);
  if (world->schedule.limit_check.limit.effect == effect) world->schedule.limit_check.limit.effect = NULL;
  detach(effect);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  dismantle(effect);
  eli_world_leave_hooks(world);
  effect->next_removed = world->effects.removed;
  world->effects.removed = effect;
}

/* Effects may be removed after a failure, too: the effect that failed can be removed, and the simulation continues when the failed rods
 * have been set or removed. */
elastica_status elastica_effect_remove(elastica_effect *effect) {
  elastica_status status = eli_effect_check(effect, "effect_remove");
  if (status == ELASTICA_OK) status = eli_world_check_change(effect->world, "effect_remove");
  if (status == ELASTICA_OK) eli_effect_remove(effect);
  return status;
}

void eli_world_release_effects(elastica_world *world) {
  for (int k = 0; k < world->effects.count; k++) {
    elastica_effect *effect = world->effects.all[k];
    if (effect == NULL) continue;
    dismantle(effect);
    eli_release(&world->allocator, effect);
  }
  for (elastica_effect *effect = world->effects.removed, *next; effect != NULL; effect = next) {
    next = effect->next_removed;
    eli_release(&world->allocator, effect);
  }
  eli_release(&world->allocator, world->effects.all);
  eli_release(&world->allocator, world->effects.indices.free);
}

/* ---- Queries ---- */

int eli_effect_acts_on(const elastica_effect *effect, const elastica_rod *rod) {
  const elastica_module *module = &effect->body->module;
  return module->acts_on == NULL || module->acts_on(effect->self, &rod->body->view);
}

int eli_rod_is_supported(const elastica_rod *rod) {
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_REACTIONS)
    if (effect->body->kind == NULL || !effect->body->kind->damps_motion_alone) return 1;
  return 0;
}

elastica_effect *elastica_world_effect(elastica_world *world, int index) {
  return world != NULL && index >= 0 && index < world->effects.count ? world->effects.all[index] : NULL;
}

elastica_effect *eli_next_effect(const elastica_world *world, const elastica_effect *effect) {
  return effect != NULL ? effect->body->next : world->effects.first;
}

const void *eli_next_self_on(const elastica_world *world, int rod_index, const eli_built_in *kind, const void *after) {
  const elastica_effect *effect = world->bodies.rods[rod_index]->body->effects.first;
  int passed = after == NULL;
  for (; effect != NULL; effect = effect->body->next_alike) {
    if (passed && effect->enabled && effect->body->kind == kind) return effect->self;
    passed = passed || effect->self == after;
  }
  return NULL;
}

elastica_effect_info elastica_effect_get(const elastica_effect *effect) {
  if (eli_effect_check(effect, "effect_get") != ELASTICA_OK) return (elastica_effect_info){.index = -1, .name = ""};
  return (elastica_effect_info){effect->index, effect->body->module.name, effect->world, effect->rod, effect->self, effect->enabled};
}

void eli_world_each_reaction_before(const elastica_world *world, int rod_index, const void *self,
                                    void (*visit)(void *context, const elastica_effect *effect, void *effect_self), void *context) {
  const elastica_rod *rod = world->bodies.rods[rod_index];
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_REACTIONS) {
    if (effect->self == self) return;
    visit(context, effect, effect->self);
  }
}

/* ---- Effects of the library (hooks/built_in.h) ---- */

enum { FUNCTION_SIZE = 80 };

/* Storage for the definition or the self of any effect. */
typedef union room {
  max_align_t alignment;
  unsigned char bytes[ELI_SELF_ROOM];
} room;

/* Reads the definition and fills self and the module of the effect. */
static elastica_status describe(const eli_built_in *kind, const eli_request *request, const void *given, room *self,
                                elastica_module *module) {
  room def;
  if (kind->layout != NULL) {
    if (given == NULL) return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: def is NULL", request->function);
    elastica_status status = eli_def_read(request->world, kind->layout, &def, given);
    if (status == ELASTICA_OK && request->rod != NULL)
      status = eli_def_resolve(request->world, request->function, kind->layout, elastica_rod_get_view(request->rod), &def);
    if (status != ELASTICA_OK) return status;
  }
  memset(self, 0, kind->self_size);
  elastica_module_init(module, sizeof *module);
  module->name = kind->name;
  module->self = self;
  module->self_size = kind->self_size;
  module->parallel_safe = 1;
  module->needs_derived = 0;
  module->adds_rates = 0;
  eli_world_enter_call(request->world); /* describe may call a motion of the user */
  const elastica_status status = kind->describe(request, kind->layout != NULL ? &def : given, self, module);
  eli_world_leave_call(request->world);
  return status;
}

static elastica_status check_rod(const eli_built_in *kind, const eli_request *request) {
  if (request->rod == NULL && !kind->every_rod)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: rod is NULL: %s acts on one rod", request->function,
                                 kind->name);
  if (request->rod == NULL) return ELASTICA_OK;
  const elastica_status status = eli_rod_check_in(request->world, request->rod, request->function);
  if (status == ELASTICA_OK && !kind->rigid_bodies && elastica_rod_get_view(request->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is a rigid body", request->function,
                                 elastica_rod_get_view(request->rod)->rod_index);
  return status;
}

elastica_status eli_add_built_in(const eli_built_in *kind, elastica_world *world, elastica_rod *rod, const void *def,
                                 elastica_effect **out) {
  char function[FUNCTION_SIZE];
  const eli_request request = {world, rod, function, NULL};
  elastica_module module;
  room self;
  assert(kind->name != NULL && kind->describe != NULL && kind->keep != NULL); /* snapshots of every kind need keep */
  assert(kind->self_size > 0 && kind->self_size <= sizeof self && (kind->create == NULL) == (kind->apply == NULL));
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  snprintf(function, sizeof function, "add_%s", kind->name);
  elastica_status status = eli_world_check_open(world, function, 1); /* first: inside a hook, describe must not read state that other
                                                                      * threads write */
  if (status == ELASTICA_OK) status = check_rod(kind, &request);
  if (status == ELASTICA_OK) status = describe(kind, &request, def, &self, &module);
  if (status != ELASTICA_OK) return status;
  if (kind->create == NULL) return add(world, rod, &module, function, kind, out);
  void *own = kind->create(&request, &self);
  if (own == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the effect", function);
  kind->apply(own, &self);
  assert(module.destroy != NULL);
  module.self = own;
  module.self_size = 0;
  status = add(world, rod, &module, function, kind, out);
  if (status != ELASTICA_OK) module.destroy(own);
  return status;
}

elastica_status eli_set_built_in(const eli_built_in *kind, elastica_effect *effect, const void *def) {
  char function[FUNCTION_SIZE];
  elastica_module module;
  room self;
  snprintf(function, sizeof function, "%s_set", kind->name);
  elastica_status status = eli_effect_check(effect, function);
  if (status != ELASTICA_OK) return status;
  const eli_request request = {elastica_effect_get(effect).world, elastica_effect_get(effect).rod, function,
                               elastica_effect_get(effect).self};
  status = eli_world_check_setter(request.world, function);
  if (status == ELASTICA_OK) status = eli_effect_check_kind(effect, function, kind);
  if (status == ELASTICA_OK) status = describe(kind, &request, def, &self, &module);
  if (status != ELASTICA_OK) return status;
  if (kind->create == NULL) return set_effect(effect, &module, function);
  module.self = request.old;
  module.self_size = 0;
  status = set_effect(effect, &module, function);
  if (status == ELASTICA_OK) kind->apply(request.old, &self);
  return status;
}

int eli_effect_is(const elastica_effect *effect, const eli_built_in *kind) {
  return effect != NULL && eli_effect_kind(effect) == kind;
}

elastica_status eli_effect_check_kind(elastica_effect *effect, const char *function, const eli_built_in *kind) {
  const elastica_status status = eli_effect_check(effect, function);
  if (status != ELASTICA_OK || eli_effect_is(effect, kind)) return status;
  char label[ELI_LABEL_SIZE];
  return elastica_world_refuse(elastica_effect_get(effect).world, ELASTICA_INVALID_ARGUMENT, "%s: the effect is %s, not %s of the library",
                               function, eli_shorten(elastica_effect_get(effect).name, label, sizeof label), kind->name);
}
