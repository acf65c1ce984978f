/* The pair phase of a step: between the two sweeps all rods are at the middle of the step, and effects between rods add loads to them.
 *
 * The loads go to the external lanes, which are neutral between steps. Effects on single rods add their loads to them afterwards.
 *
 * test       tests/test_world_loads.c
 */
#include "base/target.h"

#include <string.h>

#include "effects/work.h"

/* ---- Effects between rods ---- */

void eli_effect_join(elastica_effect *effect) {
  eli_effect_chain *pairs = &effect->world->pair_phase.effects;
  elastica_effect *before = pairs->last;
  effect->world->pair_phase.listed = 0;
  while (before != NULL && before->index > effect->index) before = before->body->previous_pair;
  elastica_effect *after = before != NULL ? before->body->next_pair : pairs->first;
  effect->body->previous_pair = before;
  effect->body->next_pair = after;
  *(before != NULL ? &before->body->next_pair : &pairs->first) = effect;
  *(after != NULL ? &after->body->previous_pair : &pairs->last) = effect;
}

void eli_effect_leave(elastica_effect *effect) {
  eli_effect_chain *pairs = &effect->world->pair_phase.effects;
  elastica_effect *before = effect->body->previous_pair, *after = effect->body->next_pair;
  effect->world->pair_phase.listed = 0;
  *(before != NULL ? &before->body->next_pair : &pairs->first) = after;
  *(after != NULL ? &after->body->previous_pair : &pairs->last) = before;
}

void eli_world_each_join(const elastica_world *world, void (*visit)(void *context, const eli_join *join), void *context) {
  eli_join join;
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    if (kind != NULL && kind->joins != NULL && kind->joins(effect->self, &join)) visit(context, &join);
  }
}

unsigned eli_world_joins(const elastica_world *world) {
  return world->pair_phase.joins;
}

int eli_world_pairs_sleep(elastica_world *world) {
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    if (kind == NULL || kind->rests == NULL || !kind->rests(effect->self, world->segment_dt)) return 0;
  }
  return 1;
}

int eli_world_pairs_can_sleep(const elastica_world *world) {
  ELI_EACH_PAIR_EFFECT(effect, world)
  if (effect->body->kind == NULL || effect->body->kind->rests == NULL) return 0;
  return 1;
}

unsigned eli_rod_has_left(const elastica_rod *rod) {
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_WORLD_LOADS)
    if (effect->body->kind->has_left(effect->self, &rod->body->view)) return ELI_TRIP_PAIRS;
  return 0;
}

void eli_world_share(const elastica_world *world, size_t count, double work, void (*task)(void *context, int worker, size_t index),
                     void *context) {
  eli_pool_run(world->pool, count, work, task, context);
}

/* ---- Arguments of the hooks ---- */

static int reserve_bounds(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const size_t count = phase->bounded > 0 ? ELI_BOUND_LANES * world->slab.end : 0;
  if (phase->bounds_capacity >= count) return 1;
  double *larger = eli_allocate(&world->allocator, count, sizeof *larger);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, phase->bounds);
  phase->bounds = larger;
  phase->bounds_capacity = count;
  return 1;
}

static int reserve_list(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const int count = phase->enabled;
  phase->listed = 0;
  if (phase->list_capacity >= count) return 1;
  eli_pair_effect *list = eli_allocate(&world->allocator, (size_t)count, sizeof *list);
  eli_found *found = eli_allocate(&world->allocator, (size_t)count, sizeof *found);
  eli_ties *fixed_joints = eli_allocate(&world->allocator, ((size_t)count + ELI_TIES - 1) / ELI_TIES, sizeof *fixed_joints);
  const int is_there = list != NULL && found != NULL && fixed_joints != NULL;
  eli_release(&world->allocator, is_there ? phase->list : list);
  eli_release(&world->allocator, is_there ? phase->found : found);
  eli_release(&world->allocator, is_there ? phase->fixed_joints : fixed_joints);
  if (!is_there) return 0;
  phase->list = list;
  phase->found = found;
  phase->fixed_joints = fixed_joints;
  phase->list_capacity = count;
  return 1;
}

int eli_pair_phase_reserve(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const int count = world->rod_count;
  phase->stale = 1;
  if (!eli_world_has_pair_phase(world)) return 1;
  if (!reserve_bounds(world) || !reserve_list(world)) return 0;
  if (phase->capacity >= count) return 1;
  const elastica_rod_view **rods = eli_allocate(&world->allocator, (size_t)count, sizeof *rods);
  elastica_loads *loads = eli_allocate(&world->allocator, (size_t)count, sizeof *loads);
  elastica_stiffness *stiffness = eli_allocate(&world->allocator, (size_t)count, sizeof *stiffness);
  const int found = rods != NULL && loads != NULL && stiffness != NULL;
  eli_release(&world->allocator, found ? (void *)phase->rods : (void *)rods);
  eli_release(&world->allocator, found ? phase->loads : loads);
  eli_release(&world->allocator, found ? phase->stiffness : stiffness);
  if (!found) return 0;
  phase->stiffness = stiffness;
  phase->rods = rods;
  phase->loads = loads;
  phase->capacity = count;
  return 1;
}

void eli_pair_phase_release(elastica_world *world) {
  eli_release(&world->allocator, (void *)world->pair_phase.rods);
  eli_release(&world->allocator, world->pair_phase.loads);
  eli_release(&world->allocator, world->pair_phase.added);
  eli_release(&world->allocator, world->pair_phase.bounds);
  eli_release(&world->allocator, world->pair_phase.stiffness);
  eli_release(&world->allocator, world->pair_phase.list);
  eli_release(&world->allocator, world->pair_phase.found);
  eli_release(&world->allocator, world->pair_phase.fixed_joints);
}

static double **lane_of(elastica_stiffness *stiffness, int k) {
  double **const lanes[ELI_BOUND_LANES] = {&stiffness->node, &stiffness->element, &stiffness->node_rate, &stiffness->element_rate};
  return lanes[k];
}

/* Sets the pointers to the lanes of every rod. Rates of dissipation are not available to effects between rods, because a rate would take
 * momentum from the pair. */
static void aim(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  if (!phase->stale) return;
  phase->stale = 0;
  if (world->rod_count == 0) return;
  memset(phase->rods, 0, (size_t)world->rod_count * sizeof *phase->rods);
  memset(phase->loads, 0, (size_t)world->rod_count * sizeof *phase->loads);
  memset(phase->stiffness, 0, (size_t)world->rod_count * sizeof *phase->stiffness);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    phase->rods[rod->index] = &rod->body->view;
    phase->loads[rod->index] = rod->body->loads;
    phase->loads[rod->index].drag = phase->loads[rod->index].spin_drag = NULL;
    double *bounds = phase->bounds != NULL ? phase->bounds + rod->offset : NULL;
    for (int k = 0; k < ELI_BOUND_LANES && bounds != NULL; k++)
      *lane_of(&phase->stiffness[rod->index], k) = bounds + (size_t)k * world->slab.end;
    phase->stiffness[rod->index].struct_size = sizeof *phase->stiffness;
  }
}

/* ---- Loads for a budget ---- */

int eli_pair_phase_reserve_added(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const size_t count = (size_t)phase->enabled * ELI_PAIR_LANES * world->slab.end;
  if (phase->added_capacity >= count) return 1;
  double *larger = eli_allocate(&world->allocator, count, sizeof *larger);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, phase->added);
  phase->added = larger;
  phase->added_capacity = count;
  return 1;
}

/* Returns the lanes of an effect. Without slots the memory may be NULL. */
static double *lanes_added(const elastica_world *world, int number) {
  return world->pair_phase.added + (size_t)number * ELI_PAIR_LANES * world->slab.end;
}

const double *eli_pair_phase_added(const elastica_world *world, int number, int lane) {
  return lanes_added(world, number) + (size_t)lane * world->slab.end;
}

/* Copies the present sums in the lanes; subtract_before then leaves the loads of each effect alone. */
static void keep_added(const elastica_world *world, int number) {
  const size_t slots = world->slab.end;
  if (slots == 0) return;
  double *added = lanes_added(world, number);
  for (int k = 0; k < ELI_PAIR_LANES; k++, added += slots) memcpy(added, world->slab.lane[ELI_FORCE + k], slots * sizeof *added);
}

static void subtract_before(const elastica_world *world) {
  const size_t count = ELI_PAIR_LANES * world->slab.end;
  for (int number = world->pair_phase.enabled - 1; number > 0 && count > 0; number--) {
    double *added = lanes_added(world, number);
    const double *before = lanes_added(world, number - 1);
    for (size_t i = 0; i < count; i++) added[i] -= before[i];
  }
}

/* ---- The pair phase ---- */

static void report_failure(eli_tile_report *report, const elastica_effect *effect, elastica_status status) {
  if (report->status != ELASTICA_OK) return;
  report->status = status;
  report->rod_index = -1;
  report->effect = effect;
  report->hook = ELI_ADD_WORLD_LOADS;
  report->fault = ELI_RETURNED;
}

/* found NULL: the loads were not computed separately. */
static inline elastica_status act(elastica_world *world, const eli_pair_effect *pair, const eli_found *found, const elastica_instant *now,
                                  elastica_world_loads *loads) {
  if (found != NULL && pair->fixed_joint >= 0 && eli_fixed_joint_push(world, pair)) return ELASTICA_OK;
  if (found == NULL || !found->is_found) return eli_call(pair->effect, ELI_ADD_WORLD_LOADS, now, NULL, loads);
  if (found->status == ELASTICA_OK) eli_add_found(found);
  return found->status;
}

elastica_status eli_world_run_pair_phase(elastica_world *world, const elastica_instant *now, int metered) {
  eli_pair_phase *phase = &world->pair_phase;
  elastica_world_loads loads = {sizeof loads, world->rod_count, phase->rods, phase->loads, 0};
  elastica_instant instant = *now;
  instant.rod_index = -1;
  memset(&phase->report, 0, sizeof phase->report);
  aim(world);
  const eli_in_hook outside = world->in_hook;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_pair_phase_list(world);
  const int found_apart = eli_pair_phase_find(world, &instant);
  for (int k = 0; k < phase->enabled; k++) {
    const elastica_status status = act(world, &phase->list[k], found_apart ? &phase->found[k] : NULL, &instant, &loads);
    if (status != ELASTICA_OK) report_failure(&phase->report, phase->list[k].effect, status);
    if (metered) keep_added(world, k);
  }
  if (metered) subtract_before(world);
  if (loads.look_again) phase->report.trips |= ELI_TRIP_WATCH;
  eli_world_enter_hooks(world, outside);
  return phase->report.status;
}

/* ---- The step limit ---- */

elastica_status eli_world_bound_pairs(elastica_world *world, const elastica_instant *now) {
  eli_pair_phase *phase = &world->pair_phase;
  elastica_status status = ELASTICA_OK;
  memset(&phase->report, 0, sizeof phase->report);
  if (phase->bounded == 0) return status;
  aim(world);
  if (world->slab.end > 0) memset(phase->bounds, 0, ELI_BOUND_LANES * world->slab.end * sizeof *phase->bounds);
  ELI_EACH_PAIR_EFFECT(effect, world) {
    if (!eli_effect_has_bounds(effect)) continue;
    status = effect->body->kind->add_bounds(effect->self, now, phase->stiffness);
    if (status != ELASTICA_OK) report_failure(&phase->report, effect, status);
  }
  return phase->report.status;
}

elastica_status eli_effect_bound_pairs(const elastica_effect *effect, const elastica_rod *rod, const elastica_instant *now) {
  eli_pair_phase *phase = &effect->world->pair_phase;
  if (!eli_effect_has_bounds(effect)) return ELASTICA_OK;
  if (phase->bounded == 1) return phase->report.status; /* no other effect has written to its lanes since eli_world_bound_pairs */
  for (int k = 0; k < ELI_BOUND_LANES; k++)
    memset(*lane_of(&phase->stiffness[rod->index], k), 0, ((size_t)rod->element_count + 1) * sizeof(double));
  return effect->body->kind->add_bounds(effect->self, now, phase->stiffness);
}
