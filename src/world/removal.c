/* Removing rods.
 *
 * A rod that goes takes along the effects that act on it alone, leaves neutral slots in its tile, which the next rod that fits takes, and
 * becomes a handle that every call refuses. Indices are never given again, so that they and the order of addition stay what they were.
 *
 * test       tests/test_removal.c, tests/test_removal_when.c, tests/test_replacement.c
 */
#include "base/target.h"

#include "effects/effects.h"
#include "rod/rod_data.h"

/* Effects on all rods release what they keep for this one. */
static void forget_rod(const elastica_world *world, const elastica_rod *rod) {
  for (const elastica_effect *effect = world->common.first; effect != NULL; effect = effect->body->next_alike) {
    const eli_built_in *kind = effect->body->kind;
    if (kind != NULL && kind->forget_rod != NULL) kind->forget_rod(effect->self, &rod->body->view);
  }
}

/* What acts between this rod and others goes with it, too. */
static void remove_partnerships(const elastica_world *world, const elastica_rod *rod) {
  for (elastica_effect *effect = world->meeting.effects.first, *next; effect != NULL; effect = next) {
    const eli_built_in *kind = effect->body->kind;
    next = effect->body->next_pair;
    if (kind != NULL && kind->acts_on != NULL && kind->acts_on(effect->self, &rod->body->view)) eli_effect_remove(effect);
  }
}

/* After a failure, too: without the rods that failed the world may be sound again. */
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
  world->lists_are_old = 1; /* room for them is asked for before the next step */
  eli_rod_take_out(rod);
  eli_rod_dismantle(rod);
  rod->next_removed = world->removed_rods;
  world->removed_rods = rod;
  eli_world_heal(world);
  return ELASTICA_OK;
}
