/* Objects of a world (see objects.h). */
#include "base/target.h"

#include "output/objects.h"

#include <string.h>

#include "state/world.h"

int eli_is_built_in(const elastica_effect *effect, const char *name) {
  return effect->body->kind != NULL && strcmp(effect->body->module.name, name) == 0;
}

/* ---- Solids ---- */

int eli_is_solid(const elastica_effect *effect) {
  return elastica_effect_get(effect).is_enabled && effect->body->kind != NULL && effect->body->kind->stands != NULL;
}

elastica_status eli_find_solid(const elastica_effect *effect, const char *function, eli_body *out) {
  elastica_world *world = effect->world;
  eli_world_enter_call(world);
  const elastica_status status = effect->body->kind->stands(effect->self, elastica_world_get(world).time, out);
  eli_world_leave_call(world);
  if (status == ELASTICA_OK) return status;
  return elastica_world_refuse(world, status, "%s: the motion of effect %d, %s, fails at t = %.9g s", function, effect->index,
                               effect->body->label, elastica_world_get(world).time);
}

/* ---- Contact points ---- */

int eli_has_contacts(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->contacts != NULL;
}
