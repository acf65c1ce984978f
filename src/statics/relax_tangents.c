/* The stiffness of loads that effects know exactly, by their hook add_tangent.
 *
 * test       tests/test_statics_tangent.c
 */
#include "base/target.h"

#include <stdio.h>

#include "statics/relax.h"

#include "hooks/effects.h"

typedef struct visitor {
  eli_relaxation *relaxation;
  eli_take_block *take;
  void *context;
  elastica_tangent tangent;
  char fault[ELI_REASON_SIZE]; /* description of the first wrong part or block of a call; empty: none */
} visitor;

/* Describes an error of a part, if it has one. */
static void check_part(visitor *now, const elastica_part *part) {
  const elastica_world *world = now->relaxation->world;
  const elastica_rod_view *rod = part->rod;
  const elastica_rod *own =
      rod != NULL && rod->rod_index >= 0 && rod->rod_index < world->bodies.rod_count ? world->bodies.rods[rod->rod_index] : NULL;
  if (own == NULL || &own->body->view != rod) {
    snprintf(now->fault, sizeof now->fault, "added a block for a rod that is not in the world: pass the view that the hook receives");
    return;
  }
  const int last = part->turns ? rod->element_count - 1 : rod->closed ? rod->node_count : rod->node_count - 1;
  if (part->turns != 0 && part->turns != 1)
    snprintf(now->fault, sizeof now->fault, "added a block with turns = %d, not 0 or 1", part->turns);
  else if (part->index < 0 || part->index > last)
    snprintf(now->fault, sizeof now->fault, "added a block for %s %d of rod %d, outside 0..%d", part->turns ? "element" : "node",
             part->index, rod->rod_index, last);
}

/* Returns the number of a part: 2 block + turns. */
static size_t number_of(const eli_relaxation *relaxation, const elastica_part *part) {
  const elastica_rod *rod = relaxation->world->bodies.rods[part->rod->rod_index];
  const size_t index = (size_t)part->index, block = index < eli_block_count(rod) ? index : 0; /* the last node of a ring is its first */
  return 2 * (relaxation->first[rod->body->rank] + block) + (size_t)(part->turns != 0);
}

static void add(void *owner, elastica_part row, elastica_part column, const double block[9]) {
  visitor *now = owner;
  if (now->fault[0] == '\0') check_part(now, &row);
  if (now->fault[0] == '\0') check_part(now, &column);
  for (int k = 0; k < 9 && now->fault[0] == '\0'; k++)
    if (!eli_is_moderate(block[k]))
      snprintf(now->fault, sizeof now->fault, "added block[%d] = %g for %s %d of rod %d", k, block[k], row.turns ? "element" : "node",
               row.index, row.rod->rod_index);
  if (now->fault[0] != '\0') return;
  now->take(now->context, number_of(now->relaxation, &row), number_of(now->relaxation, &column), block, now->tangent.balanced);
}

/* Returns 1 if the effect adds loads of this kind: those of add_world_loads, or of add_loads, or by resultants that depend on the state. */
static int acts(const elastica_effect *effect, int between_rods) {
  const elastica_module *module = &effect->body->module;
  if (!effect->enabled || between_rods != (module->add_world_loads != NULL)) return 0;
  return between_rods || module->add_loads != NULL || (module->add_resultants != NULL && module->add_tangent != NULL);
}

/* Returns 1 if the effect adds such loads without their stiffness. An effect between rods may have both kinds. */
static int hides_tangent(const eli_relaxation *relaxation, const elastica_effect *effect, int between_rods) {
  const int presses = effect->body->kind != NULL && effect->body->kind->contact_stiffness != NULL && relaxation->touching.known;
  const elastica_module *module = &effect->body->module;
  const int adds = between_rods ? module->add_world_loads != NULL : module->add_loads != NULL;
  return effect->enabled && adds && module->add_tangent == NULL && !presses;
}

int eli_relax_has_tangents(const eli_relaxation *relaxation, int between_rods) {
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (hides_tangent(relaxation, effect, between_rods)) return 0;
  }
  return 1;
}

elastica_effect *eli_relax_without_tangent(const eli_relaxation *relaxation) {
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (hides_tangent(relaxation, effect, 0) || hides_tangent(relaxation, effect, 1)) return effect;
  }
  return NULL;
}

static elastica_status call(visitor *now, elastica_effect *effect, const elastica_rod *rod) {
  const elastica_world *world = now->relaxation->world;
  elastica_instant instant = eli_instant(world, eli_world_now(world), 1.0);
  instant.rod_index = rod != NULL ? rod->index : -1;
  now->tangent.unsymmetric = now->tangent.balanced = 0;
  const elastica_status status =
      effect->body->module.add_tangent(effect->self, &instant, rod != NULL ? &rod->body->view : NULL, &now->tangent);
  if (now->tangent.unsymmetric && now->relaxation->unsymmetric == NULL) now->relaxation->unsymmetric = effect;
  if (status == ELASTICA_OK && now->fault[0] == '\0') return status;
  if (status == ELASTICA_JOINT_TOO_FAR && effect->body->kind != NULL) return status;
  if (status == ELASTICA_OK)
    return eli_world_fail(effect->world, ELASTICA_CALLBACK_FAILED, "relax: effect %d \"%s\": add_tangent %s", effect->index,
                          effect->body->label, now->fault);
  const eli_tile_report report = {.status = status, .rod_index = instant.rod_index, .effect = effect, .hook = ELI_ADD_TANGENT};
  return eli_relax_fail_hook(now->relaxation, &report);
}

/* Calls the hook for each rod of an effect, or once. */
static elastica_status call_all(visitor *now, elastica_effect *effect, int between_rods) {
  elastica_status status = ELASTICA_OK;
  if (between_rods) return call(now, effect, NULL);
  ELI_EACH_ROD_OF_WORLD(rod, now->relaxation->world)
  if (status == ELASTICA_OK && (effect->rod == NULL || effect->rod == rod)) status = call(now, effect, rod);
  return status;
}

/* one: only this effect; NULL: all. */
static elastica_status visit(eli_relaxation *relaxation, const elastica_effect *one, int between_rods, eli_take_block *take,
                             void *context) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  visitor now = {relaxation, take, context, {sizeof now.tangent, &now, add, 0, 0}, ""};
  const elastica_purpose purpose = eli_world_set_purpose(world, ELASTICA_PURPOSE_STATICS);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (!acts(effect, between_rods) || effect->body->module.add_tangent == NULL || (one != NULL && effect != one)) continue;
    if (status == ELASTICA_OK) status = call_all(&now, effect, between_rods);
  }
  eli_world_leave_hooks(world);
  (void)eli_world_set_purpose(world, purpose);
  return status;
}

elastica_status eli_relax_visit_tangents(eli_relaxation *relaxation, int between_rods, eli_take_block *take, void *context) {
  return visit(relaxation, NULL, between_rods, take, context);
}

elastica_status eli_relax_visit_effect(eli_relaxation *relaxation, const elastica_effect *effect, eli_take_block *take, void *context) {
  return visit(relaxation, effect, effect->body->module.add_world_loads != NULL, take, context);
}
