/* Removal of rods.
 *
 * A removed rod takes with it the effects that act on it alone, and leaves neutral slots in its tile for the next rod that fits. Its handle
 * remains, and every call refuses it. Indices are never reused, so that indices and the order of addition of other rods are unchanged.
 *
 * test       tests/test_removal.c, tests/test_removal_when.c, tests/test_replacement.c
 */
#include "base/target.h"

#include "effects/effects.h"
#include "rod/rod_data.h"

/* Makes effects on every rod release their data for this one. */
static void forget_rod(const elastica_world *world, const elastica_rod *rod) {
  for (const elastica_effect *effect = world->common.first; effect != NULL; effect = effect->body->next_alike) {
    const eli_built_in *kind = effect->body->kind;
    if (kind != NULL && kind->forget_rod != NULL) kind->forget_rod(effect->self, &rod->body->view);
  }
}

/* Removes the effects between this rod and other rods. */
static void remove_partnerships(const elastica_world *world, const elastica_rod *rod) {
  for (elastica_effect *effect = world->pair_phase.effects.first, *next; effect != NULL; effect = next) {
    const eli_built_in *kind = effect->body->kind;
    next = effect->body->next_pair;
    if (kind != NULL && kind->acts_on != NULL && kind->acts_on(effect->self, &rod->body->view)) eli_effect_remove(effect);
  }
}

/* Also allowed after a failure: without the failed rods the world may be sound again. */
elastica_status elastica_rod_remove(elastica_rod *rod) {
  elastica_status status = eli_rod_check(rod, "rod_remove");
  if (status == ELASTICA_OK) status = eli_world_check_change(rod->world, "rod_remove");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  while (rod->body->effects.first != NULL) eli_effect_remove(rod->body->effects.first);
  remove_partnerships(world, rod);
  forget_rod(world, rod);
  eli_world_outdate(world, ELI_STALE_LIMIT);
  eli_rod_outdate(rod, ELI_STALE_LISTS);
  world->lists_are_old = 1; /* their memory is allocated before the next step */
  eli_rod_take_out(rod);
  eli_rod_dismantle(rod);
  rod->next_removed = world->removed_rods;
  world->removed_rods = rod;
  eli_world_heal(world);
  return ELASTICA_OK;
}
