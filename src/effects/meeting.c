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
  eli_effect_chain *pairs = &effect->world->meeting.effects;
  elastica_effect *before = pairs->last;
  effect->world->meeting.listed = 0;
  while (before != NULL && before->index > effect->index) before = before->body->previous_pair;
  elastica_effect *after = before != NULL ? before->body->next_pair : pairs->first;
  effect->body->previous_pair = before;
  effect->body->next_pair = after;
  *(before != NULL ? &before->body->next_pair : &pairs->first) = effect;
  *(after != NULL ? &after->body->previous_pair : &pairs->last) = effect;
}

void eli_effect_leave(elastica_effect *effect) {
  eli_effect_chain *pairs = &effect->world->meeting.effects;
  elastica_effect *before = effect->body->previous_pair, *after = effect->body->next_pair;
  effect->world->meeting.listed = 0;
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
  return world->meeting.joins;
}

int eli_world_rests(elastica_world *world) {
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    if (kind == NULL || kind->rests == NULL || !kind->rests(effect->self, world->segment_dt)) return 0;
  }
  return 1;
}

int eli_world_can_rest(const elastica_world *world) {
  ELI_EACH_PAIR_EFFECT(effect, world)
  if (effect->body->kind == NULL || effect->body->kind->rests == NULL) return 0;
  return 1;
}

unsigned eli_rod_has_left(const elastica_rod *rod) {
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_WORLD_LOADS)
    if (effect->body->kind->has_left(effect->self, &rod->body->view)) return ELI_TRIP_MEET;
  return 0;
}

void eli_world_share(const elastica_world *world, size_t count, double work, void (*task)(void *context, int worker, size_t index),
                     void *context) {
  eli_pool_run(world->pool, count, work, task, context);
}

/* ---- Arguments of the hooks ---- */

static int reserve_bounds(elastica_world *world) {
  eli_meeting *meeting = &world->meeting;
  const size_t count = meeting->bounded > 0 ? ELI_BOUND_LANES * world->slab.end : 0;
  if (meeting->bounds_capacity >= count) return 1;
  double *larger = eli_allocate(&world->allocator, count, sizeof *larger);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, meeting->bounds);
  meeting->bounds = larger;
  meeting->bounds_capacity = count;
  return 1;
}

static int reserve_list(elastica_world *world) {
  eli_meeting *meeting = &world->meeting;
  const int count = meeting->enabled;
  meeting->listed = 0;
  if (meeting->list_capacity >= count) return 1;
  eli_met *list = eli_allocate(&world->allocator, (size_t)count, sizeof *list);
  eli_found *found = eli_allocate(&world->allocator, (size_t)count, sizeof *found);
  eli_ties *ties = eli_allocate(&world->allocator, ((size_t)count + ELI_TIES - 1) / ELI_TIES, sizeof *ties);
  const int is_there = list != NULL && found != NULL && ties != NULL;
  eli_release(&world->allocator, is_there ? meeting->list : list);
  eli_release(&world->allocator, is_there ? meeting->found : found);
  eli_release(&world->allocator, is_there ? meeting->ties : ties);
  if (!is_there) return 0;
  meeting->list = list;
  meeting->found = found;
  meeting->ties = ties;
  meeting->list_capacity = count;
  return 1;
}

int eli_meeting_reserve(elastica_world *world) {
  eli_meeting *meeting = &world->meeting;
  const int count = world->rod_count;
  meeting->stale = 1;
  if (!eli_world_meets(world)) return 1;
  if (!reserve_bounds(world) || !reserve_list(world)) return 0;
  if (meeting->capacity >= count) return 1;
  const elastica_rod_view **rods = eli_allocate(&world->allocator, (size_t)count, sizeof *rods);
  elastica_loads *loads = eli_allocate(&world->allocator, (size_t)count, sizeof *loads);
  elastica_stiffness *stiffness = eli_allocate(&world->allocator, (size_t)count, sizeof *stiffness);
  const int found = rods != NULL && loads != NULL && stiffness != NULL;
  eli_release(&world->allocator, found ? (void *)meeting->rods : (void *)rods);
  eli_release(&world->allocator, found ? meeting->loads : loads);
  eli_release(&world->allocator, found ? meeting->stiffness : stiffness);
  if (!found) return 0;
  meeting->stiffness = stiffness;
  meeting->rods = rods;
  meeting->loads = loads;
  meeting->capacity = count;
  return 1;
}

void eli_meeting_release(elastica_world *world) {
  eli_release(&world->allocator, (void *)world->meeting.rods);
  eli_release(&world->allocator, world->meeting.loads);
  eli_release(&world->allocator, world->meeting.added);
  eli_release(&world->allocator, world->meeting.bounds);
  eli_release(&world->allocator, world->meeting.stiffness);
  eli_release(&world->allocator, world->meeting.list);
  eli_release(&world->allocator, world->meeting.found);
  eli_release(&world->allocator, world->meeting.ties);
}

static double **lane_of(elastica_stiffness *stiffness, int k) {
  double **const lanes[ELI_BOUND_LANES] = {&stiffness->node, &stiffness->element, &stiffness->node_rate, &stiffness->element_rate};
  return lanes[k];
}

/* Sets the pointers to the lanes of every rod. Rates of dissipation are not available to effects between rods, because a rate would take
 * momentum from the pair. */
static void aim(elastica_world *world) {
  eli_meeting *meeting = &world->meeting;
  if (!meeting->stale) return;
  meeting->stale = 0;
  if (world->rod_count == 0) return;
  memset(meeting->rods, 0, (size_t)world->rod_count * sizeof *meeting->rods);
  memset(meeting->loads, 0, (size_t)world->rod_count * sizeof *meeting->loads);
  memset(meeting->stiffness, 0, (size_t)world->rod_count * sizeof *meeting->stiffness);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    meeting->rods[rod->index] = &rod->body->view;
    meeting->loads[rod->index] = rod->body->loads;
    meeting->loads[rod->index].drag = meeting->loads[rod->index].spin_drag = NULL;
    double *bounds = meeting->bounds != NULL ? meeting->bounds + rod->offset : NULL;
    for (int k = 0; k < ELI_BOUND_LANES && bounds != NULL; k++)
      *lane_of(&meeting->stiffness[rod->index], k) = bounds + (size_t)k * world->slab.end;
    meeting->stiffness[rod->index].struct_size = sizeof *meeting->stiffness;
  }
}

/* ---- Loads for a budget ---- */

int eli_meeting_reserve_added(elastica_world *world) {
  eli_meeting *meeting = &world->meeting;
  const size_t count = (size_t)meeting->enabled * ELI_MET_LANES * world->slab.end;
  if (meeting->added_capacity >= count) return 1;
  double *larger = eli_allocate(&world->allocator, count, sizeof *larger);
  if (larger == NULL) return 0;
  eli_release(&world->allocator, meeting->added);
  meeting->added = larger;
  meeting->added_capacity = count;
  return 1;
}

/* Returns the lanes of an effect. Without slots the memory may be NULL. */
static double *lanes_added(const elastica_world *world, int number) {
  return world->meeting.added + (size_t)number * ELI_MET_LANES * world->slab.end;
}

const double *eli_meeting_added(const elastica_world *world, int number, int lane) {
  return lanes_added(world, number) + (size_t)lane * world->slab.end;
}

/* Copies the present sums in the lanes; subtract_before then leaves the loads of each effect alone. */
static void keep_added(const elastica_world *world, int number) {
  const size_t slots = world->slab.end;
  if (slots == 0) return;
  double *added = lanes_added(world, number);
  for (int k = 0; k < ELI_MET_LANES; k++, added += slots) memcpy(added, world->slab.lane[ELI_FORCE + k], slots * sizeof *added);
}

static void subtract_before(const elastica_world *world) {
  const size_t count = ELI_MET_LANES * world->slab.end;
  for (int number = world->meeting.enabled - 1; number > 0 && count > 0; number--) {
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
static inline elastica_status act(elastica_world *world, const eli_met *met, const eli_found *found, const elastica_instant *now,
                                  elastica_world_loads *loads) {
  if (found != NULL && met->tie >= 0 && eli_tie_push(world, met)) return ELASTICA_OK;
  if (found == NULL || !found->is_found) return eli_call(met->effect, ELI_ADD_WORLD_LOADS, now, NULL, loads);
  if (found->status == ELASTICA_OK) eli_add_found(found);
  return found->status;
}

elastica_status eli_world_meet(elastica_world *world, const elastica_instant *now, int accounts) {
  eli_meeting *meeting = &world->meeting;
  elastica_world_loads loads = {sizeof loads, world->rod_count, meeting->rods, meeting->loads, 0};
  elastica_instant instant = *now;
  instant.rod_index = -1;
  memset(&meeting->report, 0, sizeof meeting->report);
  aim(world);
  const eli_in_hook outside = world->in_hook;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_meeting_list(world);
  const int apart = eli_meeting_find(world, &instant);
  for (int k = 0; k < meeting->enabled; k++) {
    const elastica_status status = act(world, &meeting->list[k], apart ? &meeting->found[k] : NULL, &instant, &loads);
    if (status != ELASTICA_OK) report_failure(&meeting->report, meeting->list[k].effect, status);
    if (accounts) keep_added(world, k);
  }
  if (accounts) subtract_before(world);
  if (loads.look_again) meeting->report.trips |= ELI_TRIP_WATCH;
  eli_world_enter_hooks(world, outside);
  return meeting->report.status;
}

/* ---- The step limit ---- */

elastica_status eli_world_meet_bounds(elastica_world *world, const elastica_instant *now) {
  eli_meeting *meeting = &world->meeting;
  elastica_status status = ELASTICA_OK;
  memset(&meeting->report, 0, sizeof meeting->report);
  if (meeting->bounded == 0) return status;
  aim(world);
  if (world->slab.end > 0) memset(meeting->bounds, 0, ELI_BOUND_LANES * world->slab.end * sizeof *meeting->bounds);
  ELI_EACH_PAIR_EFFECT(effect, world) {
    if (!eli_effect_has_bounds(effect)) continue;
    status = effect->body->kind->add_bounds(effect->self, now, meeting->stiffness);
    if (status != ELASTICA_OK) report_failure(&meeting->report, effect, status);
  }
  return meeting->report.status;
}

elastica_status eli_effect_meet_bounds(const elastica_effect *effect, const elastica_rod *rod, const elastica_instant *now) {
  eli_meeting *meeting = &effect->world->meeting;
  if (!eli_effect_has_bounds(effect)) return ELASTICA_OK;
  if (meeting->bounded == 1) return meeting->report.status; /* no other effect has written to its lanes since eli_world_meet_bounds */
  for (int k = 0; k < ELI_BOUND_LANES; k++)
    memset(*lane_of(&meeting->stiffness[rod->index], k), 0, ((size_t)rod->element_count + 1) * sizeof(double));
  return effect->body->kind->add_bounds(effect->self, now, meeting->stiffness);
}
