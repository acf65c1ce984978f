/* Functions that add and set the library's own effects (see built_in.h). */
#include "base/target.h"

#include "hooks/built_in.h"

#include "base/sentence.h"

#include <stdio.h>
#include <string.h>

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
  if (kind->create == NULL) return eli_add_effect(kind, world, rod, &module, function, out);
  void *own = kind->create(&request, &self);
  if (own == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the effect", function);
  kind->apply(own, &self);
  assert(module.destroy != NULL);
  module.self = own;
  module.self_size = 0;
  status = eli_add_effect(kind, world, rod, &module, function, out);
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
  if (kind->create == NULL) return eli_set_effect(effect, &module, function);
  module.self = request.old;
  module.self_size = 0;
  status = eli_set_effect(effect, &module, function);
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
