/* Rods and bodies that come at elastic obstacles so fast that they will overlap them deeply, or pass through.
 *
 * test       tests/test_check_solids.c
 */
#include "base/target.h"

#include <string.h>

#include "effects/effects.h"
#include "pairs/obstacle.h"
#include "world/check.h"

typedef struct noting {
  const eli_check *check;
  elastica_effect *effect;
} noting;

int eli_check_is_solid(const elastica_effect *effect) {
  return effect->body->kind != NULL && strcmp(effect->body->kind->name, "obstacle") == 0;
}

static void note(void *context, int rod, const eli_impact *of) {
  const noting *to = context;
  elastica_effect *effect = to->effect;
  const double ratio = of->speed / of->bound, modulus = eli_elastic_modulus(effect->self);
  const eli_spot spot = {rod, of->element, effect, of->speed, of->bound, ratio};
  eli_check_note(to->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d will meet effect %d \"%s\" at %.3g m/s, and from %.3g m/s on it overlaps it by more than half its "
                 "radius: the effect has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
                 rod, of->element, effect->index, effect->body->label, of->speed, of->bound, modulus,
                 eli_rounded_up(modulus * ratio * ratio));
}

elastica_status eli_check_solids(const eli_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !effect->enabled || !eli_check_is_solid(effect)) continue;
    noting to = {check, effect};
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    status = eli_elastic_find_impacts(effect->self, eli_world_now(world), note, &to);
    eli_world_leave_hooks(world);
    if (status != ELASTICA_OK)
      status =
          elastica_world_refuse(world, status, "check: effect %d \"%s\": %s", effect->index, effect->body->label, eli_world_reason(world));
  }
  return status;
}
