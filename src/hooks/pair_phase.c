/* The pair phase of a step: between the two sweeps all rods are at the middle of the step, and effects between rods add loads to them.
 *
 * The loads go to the external lanes, which are neutral between steps. Effects on single rods add their loads to them afterwards. Loads of
 * joints are computed separately from each other before they are added. FIXED joints, the usual case in worlds of many rods, are computed
 * in blocks of ELI_JOINT_LANES by kernels (kernels/fixed_joints.inl), which read all data of a joint from one array in the order of the
 * list. The loads themselves are added in order of addition, so that the bits of the result do not depend on the method or the thread.
 * test       tests/test_world_loads.c, tests/test_joint_threads.c
 */
#include "base/target.h"

#include <string.h>

#include "hooks/built_in.h"
#include "hooks/effects.h"
#include "hooks/work.h"

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
  const elastica_instant now = eli_instant(world, eli_world_now(world), world->clock.segment_dt);
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const elastica_module *module = &effect->body->module;
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    const int sleeps = module->may_sleep != NULL && module->may_sleep(effect->self, &now);
    eli_world_leave_hooks(world);
    if (!sleeps) return 0;
  }
  return 1;
}

int eli_world_pairs_can_sleep(const elastica_world *world) {
  ELI_EACH_PAIR_EFFECT(effect, world)
  if (effect->body->module.may_sleep == NULL) return 0;
  return 1;
}

unsigned eli_rod_wakes_pairs(const elastica_rod *rod) {
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_WORLD_LOADS)
    if (effect->body->module.must_wake(effect->self, &rod->body->view)) return ELI_TRIP_PAIRS;
  return 0;
}

void eli_world_share(const elastica_world *world, size_t count, double work, void (*task)(void *context, int worker, size_t index),
                     void *context) {
  eli_pool_run(world->scratch.pool, count, work, task, context);
}

/* ---- Arguments of the hooks ---- */

static int reserve_bounds(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const size_t count = phase->bounded > 0 ? ELI_BOUND_LANES * world->bodies.slab.end : 0;
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
  eli_joint_batch *fixed_joints =
      eli_allocate(&world->allocator, ((size_t)count + ELI_JOINT_LANES - 1) / ELI_JOINT_LANES, sizeof *fixed_joints);
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
  const int count = world->bodies.rod_count;
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
  if (world->bodies.rod_count == 0) return;
  memset(phase->rods, 0, (size_t)world->bodies.rod_count * sizeof *phase->rods);
  memset(phase->loads, 0, (size_t)world->bodies.rod_count * sizeof *phase->loads);
  memset(phase->stiffness, 0, (size_t)world->bodies.rod_count * sizeof *phase->stiffness);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    phase->rods[rod->index] = &rod->body->view;
    phase->loads[rod->index] = rod->body->loads;
    phase->loads[rod->index].drag = phase->loads[rod->index].spin_drag = NULL;
    double *bounds = phase->bounds != NULL ? phase->bounds + rod->offset : NULL;
    for (int k = 0; k < ELI_BOUND_LANES && bounds != NULL; k++)
      *lane_of(&phase->stiffness[rod->index], k) = bounds + (size_t)k * world->bodies.slab.end;
    phase->stiffness[rod->index].struct_size = sizeof *phase->stiffness;
  }
}

/* ---- Loads for a budget ---- */

int eli_pair_phase_reserve_added(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  const size_t count = (size_t)phase->enabled * ELI_PAIR_LANES * world->bodies.slab.end;
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
  return world->pair_phase.added + (size_t)number * ELI_PAIR_LANES * world->bodies.slab.end;
}

const double *eli_pair_phase_added(const elastica_world *world, int number, int lane) {
  return lanes_added(world, number) + (size_t)lane * world->bodies.slab.end;
}

/* Copies the present sums in the lanes; subtract_before then leaves the loads of each effect alone. */
static void keep_added(const elastica_world *world, int number) {
  const size_t slots = world->bodies.slab.end;
  if (slots == 0) return;
  double *added = lanes_added(world, number);
  for (int k = 0; k < ELI_PAIR_LANES; k++, added += slots) memcpy(added, world->bodies.slab.lane[ELI_FORCE + k], slots * sizeof *added);
}

static void subtract_before(const elastica_world *world) {
  const size_t count = ELI_PAIR_LANES * world->bodies.slab.end;
  for (int number = world->pair_phase.enabled - 1; number > 0 && count > 0; number--) {
    double *added = lanes_added(world, number);
    const double *before = lanes_added(world, number - 1);
    for (size_t i = 0; i < count; i++) added[i] -= before[i];
  }
}

/* FEW: the smallest number of effects that repays the threads. SOME: the number of effects in one task. Costs in [ns]: FIND_WORK of one
 * effect, FIXED_JOINT_WORK of one fixed joint. */
enum { FEW = 8, SOME = 64 };
#define FIND_WORK 100.0
#define FIXED_JOINT_WORK 30.0

/* ---- The list of effects ---- */

static void describe_fixed_joint(eli_joint_batch *joints, int q, const eli_fixed_joint *of, const elastica_world *world, int entry) {
  for (int k = 0; k < 2; k++) {
    const elastica_rod *rod = world->bodies.rods[of->rod[k]->rod_index];
    joints->slot[k][q] = (ptrdiff_t)rod->offset + of->element[k];
    joints->share[k][q] = of->share[k];
    for (int a = 0; a < 3; a++) {
      joints->offset[k][a][q] = of->offset[k][a];
      if (of->offset[k][a] != 0.0) joints->has_offsets = 1;
    }
  }
  for (int a = 0; a < 9; a++) joints->pose[a][q] = of->pose[a];
  for (int a = 0; a < 6; a++) {
    joints->deviator[a][q] = of->deviator[a];
    if (of->deviator[a] != 0.0) joints->has_deviators = 1;
  }
  joints->stiffness[q] = of->stiffness;
  joints->turning[q] = of->turning;
  joints->widest[q] = of->widest;
  joints->entry[q] = entry;
}

/* Fills the unused places of the last block with copies of its last joint; their results are not used. */
static void fill_up(eli_pair_phase *phase, const eli_fixed_joint *last, const elastica_world *world) {
  for (int k = phase->fixed_joint_count; k % ELI_JOINT_LANES != 0; k++)
    describe_fixed_joint(&phase->fixed_joints[k / ELI_JOINT_LANES], k % ELI_JOINT_LANES, last, world, -1);
}

/* Lists the enabled effects, if the list is outdated. */
static void list_effects(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  eli_fixed_joint joint;
  int count = 0;
  if (phase->listed) return;
  phase->fixed_joint_count = 0;
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const eli_built_in *kind = effect->body->kind, *finder = kind != NULL && kind->find != NULL ? kind : NULL;
    eli_pair_effect *pair = &phase->list[count];
    *pair = (eli_pair_effect){effect, finder, effect->self, -1};
    if (finder != NULL && finder->fixed_joint != NULL && finder->fixed_joint(effect->self, &joint)) {
      pair->fixed_joint = phase->fixed_joint_count++;
      eli_joint_batch *batch = &phase->fixed_joints[pair->fixed_joint / ELI_JOINT_LANES];
      if (pair->fixed_joint % ELI_JOINT_LANES == 0) batch->has_offsets = batch->has_deviators = 0;
      describe_fixed_joint(batch, pair->fixed_joint % ELI_JOINT_LANES, &joint, world, count);
    }
    count++;
  }
  fill_up(phase, &joint, world);
  phase->listed = 1;
}

/* ---- Loads computed before they are added ---- */

typedef struct finding {
  const elastica_world *world;
  const elastica_instant *now;
  size_t blocks; /* number of tasks for blocks of fixed joints; they precede the other tasks */
} finding;

/* Computes the loads of consecutive entries of one kind. */
static void find_alike(const finding *of, int first, int end) {
  const eli_pair_phase *phase = &of->world->pair_phase;
  const eli_built_in *finder = phase->list[first].finder;
  const void *self[SOME];
  for (int k = first; k < end; k++) self[k - first] = phase->list[k].self, phase->found[k].is_found = 0;
  if (finder != NULL) finder->find(of->world, self, end - first, of->now, phase->loads, &phase->found[first]);
}

/* Joints with an angle beyond the range of the kernel are computed one by one. */
static void find_block(const finding *of, eli_joint_batch *joints) {
  const eli_slab *slab = &of->world->bodies.slab;
  of->world->kernels->find_fixed_joints(joints, slab->lane[0], slab->lane[1] - slab->lane[0]);
  for (int q = 0; q < ELI_JOINT_LANES; q++)
    if (joints->large[q] != 0.0 && joints->entry[q] >= 0) find_alike(of, joints->entry[q], joints->entry[q] + 1);
}

static void find_others(const finding *of, int first, int end) {
  const eli_pair_effect *list = of->world->pair_phase.list;
  for (int next; first < end; first = next) {
    for (next = first + 1;
         next < end && list[next].finder == list[first].finder && list[next].fixed_joint < 0 && list[first].fixed_joint < 0;)
      next++;
    if (list[first].fixed_joint < 0) find_alike(of, first, next);
  }
}

static void find_some(void *context, int worker, size_t index) {
  enum { BLOCKS = SOME / ELI_JOINT_LANES };
  const finding *of = context;
  const eli_pair_phase *phase = &of->world->pair_phase;
  (void)worker;
  if (index < of->blocks) {
    const int end = (phase->fixed_joint_count + ELI_JOINT_LANES - 1) / ELI_JOINT_LANES;
    for (int b = (int)index * BLOCKS; b < end && b < ((int)index + 1) * BLOCKS; b++) find_block(of, &phase->fixed_joints[b]);
  } else {
    const int first = (int)(index - of->blocks) * SOME;
    find_others(of, first, first + SOME < phase->enabled ? first + SOME : phase->enabled);
  }
}

/* Computes the loads of the listed effects, on several threads if the work repays it. Returns 0 and computes nothing if they are too
 * few. */
static int find_loads(elastica_world *world, const elastica_instant *now) {
  const eli_pair_phase *phase = &world->pair_phase;
  if (phase->finders < FEW) return 0;
  finding of = {world, now, ((size_t)phase->fixed_joint_count + SOME - 1) / SOME};
  const size_t others = phase->fixed_joint_count < phase->enabled ? ((size_t)phase->enabled + SOME - 1) / SOME : 0;
  const double work = FIXED_JOINT_WORK * phase->fixed_joint_count + FIND_WORK * (phase->finders - phase->fixed_joint_count);
  eli_world_share(world, of.blocks + others, work, find_some, &of);
  return 1;
}

/* Adds the loads of a fixed joint. Returns 0 if the kernel has not computed them. */
static int push_fixed_joint(elastica_world *world, const eli_pair_effect *pair) {
  const eli_joint_batch *of = &world->pair_phase.fixed_joints[pair->fixed_joint / ELI_JOINT_LANES];
  const int q = pair->fixed_joint % ELI_JOINT_LANES;
  const ptrdiff_t stride = world->bodies.slab.lane[1] - world->bodies.slab.lane[0];
  if (of->large[q] != 0.0) return 0;
  const double force[3] = {of->force[0][q], of->force[1][q], of->force[2][q]};
  for (int k = 0; k < 2; k++) {
    const double couple[3] = {of->couple[k][0][q], of->couple[k][1][q], of->couple[k][2][q]}, share = of->share[k][q];
    double *node = world->bodies.slab.lane[ELI_FORCE] + of->slot[k][q] + (share == 1.0),
           *turn = world->bodies.slab.lane[ELI_COUPLE] + of->slot[k][q];
    eli_add_to_body(node, turn, stride, share == 1.0 ? 0.0 : share, k == 0 ? -1.0 : 1.0, force, couple);
  }
  return 1;
}

/* ---- The pair phase ---- */

static void report_failure(eli_tile_report *report, const elastica_effect *effect, eli_hook hook, elastica_status status) {
  if (report->status != ELASTICA_OK) return;
  report->status = status;
  report->rod_index = -1;
  report->effect = effect;
  report->hook = hook;
  report->fault = ELI_RETURNED;
}

/* found NULL: the loads were not computed separately. */
static inline elastica_status act(elastica_world *world, const eli_pair_effect *pair, const eli_found *found, const elastica_instant *now,
                                  elastica_world_loads *loads) {
  if (world->calls.leaves_contacts && eli_reports_contacts(pair->effect)) return ELASTICA_OK;
  if (found != NULL && pair->fixed_joint >= 0 && push_fixed_joint(world, pair)) return ELASTICA_OK;
  if (found == NULL || !found->is_found) return eli_call(pair->effect, ELI_ADD_WORLD_LOADS, now, NULL, loads);
  if (found->status == ELASTICA_OK) eli_add_found(found);
  if (found->check_again) loads->check_again = 1;
  return found->status;
}

elastica_status eli_world_run_pair_phase(elastica_world *world, const elastica_instant *now, int metered) {
  eli_pair_phase *phase = &world->pair_phase;
  elastica_world_loads loads = {sizeof loads, world->bodies.rod_count, phase->rods, phase->loads, 0};
  elastica_instant instant = *now;
  instant.rod_index = -1;
  memset(&phase->report, 0, sizeof phase->report);
  aim(world);
  const eli_in_hook outside = world->calls.in_hook;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  list_effects(world);
  const int found_apart = find_loads(world, &instant);
  for (int k = 0; k < phase->enabled; k++) {
    const elastica_status status = act(world, &phase->list[k], found_apart ? &phase->found[k] : NULL, &instant, &loads);
    if (status != ELASTICA_OK) report_failure(&phase->report, phase->list[k].effect, ELI_ADD_WORLD_LOADS, status);
    if (metered) keep_added(world, k);
  }
  if (metered) subtract_before(world);
  if (loads.check_again) phase->report.trips |= ELI_TRIP_WATCH;
  eli_world_enter_hooks(world, outside);
  return phase->report.status;
}

/* ---- The step limit ---- */

static elastica_world_stiffness bounds_of(const elastica_world *world) {
  return (elastica_world_stiffness){sizeof(elastica_world_stiffness), world->bodies.rod_count, world->pair_phase.rods,
                                    world->pair_phase.stiffness};
}

/* Reports a bound that a user's effect has made negative, infinite or not a number. */
static void check_bounds(elastica_world *world, const elastica_effect *effect) {
  eli_pair_phase *phase = &world->pair_phase;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  for (int k = 0; k < ELI_BOUND_LANES; k++)
    for (int i = 0; i <= rod->element_count; i++) {
      const double added = (*lane_of(&phase->stiffness[rod->index], k))[i];
      if ((added >= 0.0 && eli_is_finite(added)) || phase->report.status != ELASTICA_OK) continue;
      report_failure(&phase->report, effect, ELI_ADD_WORLD_STIFFNESS, ELASTICA_CALLBACK_FAILED);
      phase->report.fault = ELI_ADDED;
      phase->report.rod_index = rod->index;
      phase->report.place = i;
      phase->report.wrong = added;
    }
}

elastica_status eli_world_bound_pairs(elastica_world *world, const elastica_instant *now) {
  eli_pair_phase *phase = &world->pair_phase;
  elastica_status status = ELASTICA_OK;
  memset(&phase->report, 0, sizeof phase->report);
  if (phase->bounded == 0) return status;
  aim(world);
  elastica_world_stiffness bounds = bounds_of(world);
  if (world->bodies.slab.end > 0) memset(phase->bounds, 0, ELI_BOUND_LANES * world->bodies.slab.end * sizeof *phase->bounds);
  ELI_EACH_PAIR_EFFECT(effect, world) {
    if (!eli_effect_has_bounds(effect)) continue;
    status = eli_call(effect, ELI_ADD_WORLD_STIFFNESS, now, NULL, &bounds);
    if (status != ELASTICA_OK) report_failure(&phase->report, effect, ELI_ADD_WORLD_STIFFNESS, status);
    if (effect->body->kind == NULL) check_bounds(world, effect);
  }
  return phase->report.status;
}

elastica_status eli_effect_bound_pairs(const elastica_effect *effect, const elastica_rod *rod, const elastica_instant *now) {
  eli_pair_phase *phase = &effect->world->pair_phase;
  if (!eli_effect_has_bounds(effect)) return ELASTICA_OK;
  if (phase->bounded == 1) return phase->report.status; /* no other effect has written to its lanes since eli_world_bound_pairs */
  for (int k = 0; k < ELI_BOUND_LANES; k++)
    memset(*lane_of(&phase->stiffness[rod->index], k), 0, ((size_t)rod->element_count + 1) * sizeof(double));
  elastica_world_stiffness bounds = bounds_of(effect->world);
  return eli_call(effect, ELI_ADD_WORLD_STIFFNESS, now, NULL, &bounds);
}
