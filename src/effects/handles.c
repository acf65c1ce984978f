/* Queries about handles of effects: place among the effects of the world, and arguments of their addition. */
#include "base/target.h"

#include "effects/effects.h"

int elastica_world_effect_count(const elastica_world *world) {
  return world != NULL ? world->effect_count : 0;
}

elastica_effect *elastica_world_effect(elastica_world *world, int index) {
  return world != NULL && index >= 0 && index < world->effect_count ? world->effects[index] : NULL;
}

elastica_effect *eli_next_effect(const elastica_world *world, const elastica_effect *effect) {
  return effect != NULL ? effect->body->next : world->first_effect;
}

int elastica_effect_index(const elastica_effect *effect) {
  return eli_effect_check(effect, "effect_index") == ELASTICA_OK ? effect->index : -1;
}

void *elastica_effect_self(elastica_effect *effect) {
  return eli_effect_check(effect, "effect_self") == ELASTICA_OK ? effect->self : NULL;
}

const char *elastica_effect_name(const elastica_effect *effect) {
  return eli_effect_check(effect, "effect_name") == ELASTICA_OK ? effect->body->module.name : "";
}

elastica_world *elastica_effect_world(elastica_effect *effect) {
  return eli_effect_check(effect, "effect_world") == ELASTICA_OK ? effect->world : NULL;
}

elastica_rod *elastica_effect_rod(elastica_effect *effect) {
  return eli_effect_check(effect, "effect_rod") == ELASTICA_OK ? effect->rod : NULL;
}

void eli_world_each_reaction_before(const elastica_world *world, int rod_index, const void *self,
                                    void (*visit)(void *context, const elastica_effect *effect, void *effect_self), void *context) {
  const elastica_rod *rod = world->rods[rod_index];
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_REACTIONS) {
    if (effect->self == self) return;
    visit(context, effect, effect->self);
  }
}
