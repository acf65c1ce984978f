/* The stiffness of loads that effects know exactly, by their hook add_tangent.
 *
 * test       tests/test_statics_tangent.c
 */
#include "base/target.h"

#include "statics/relax.h"

#include "effects/effects.h"

typedef struct visitor {
  eli_relaxation *relaxation;
  eli_take_block *take;
  void *context;
  elastica_tangent tangent;
} visitor;

/* Returns the number of a part: 2 block + turns. */
static size_t number_of(const eli_relaxation *relaxation, const elastica_part *part) {
  const elastica_rod *rod = relaxation->world->rods[part->rod->rod_index];
  const size_t index = (size_t)part->index, block = index < eli_block_count(rod) ? index : 0; /* the last node of a ring is its first */
  return 2 * (relaxation->first[rod->body->rank] + block) + (size_t)(part->turns != 0);
}

static void add(void *owner, elastica_part row, elastica_part column, const double block[9]) {
  const visitor *now = owner;
  now->take(now->context, number_of(now->relaxation, &row), number_of(now->relaxation, &column), block, now->tangent.balanced);
}

int eli_relax_has_tangents(const eli_relaxation *relaxation) {
  ELI_EACH_PAIR_EFFECT(effect, relaxation->world) {
    const int presses = effect->body->kind != NULL && effect->body->kind->contact_stiffness != NULL && relaxation->touching.known;
    if (effect->body->module.add_tangent == NULL && !presses) return 0;
  }
  return 1;
}

elastica_status eli_relax_visit_tangents(eli_relaxation *relaxation, eli_take_block *take, void *context) {
  elastica_world *world = relaxation->world;
  const elastica_instant instant = {sizeof instant, eli_world_now(world), 1.0, world->step_count, -1, 0.0};
  elastica_status status = ELASTICA_OK;
  visitor now = {relaxation, take, context, {sizeof now.tangent, &now, add, 0, 0}};
  relaxation->unsymmetric = 0;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_PAIR_EFFECT(effect, world) {
    if (status != ELASTICA_OK || effect->body->module.add_tangent == NULL) continue;
    now.tangent.unsymmetric = now.tangent.balanced = 0;
    status = effect->body->module.add_tangent(effect->self, &instant, NULL, &now.tangent);
    relaxation->unsymmetric = relaxation->unsymmetric || now.tangent.unsymmetric;
  }
  eli_world_leave_hooks(world);
  return status;
}
