/* Loads of effects between rods that are computed separately from each other, before they are added: joints.
 *
 * FIXED joints, the usual case in worlds of many rods, are computed in blocks of ELI_TIES by kernels (kernels/ties.inl). These read all
 * data of a joint from one array in the order of the list. The loads themselves are added in order of addition, so that the bits of the
 * result do not depend on the method or the thread.
 *
 * test       tests/test_joint_threads.c
 */
#include "base/target.h"

#include <string.h>

#include "effects/effects.h"

/* FEW: the smallest number of effects that repays the threads. SOME: the number of effects in one task. Costs in [ns]: FIND_WORK of one
 * effect, TIE_WORK of one fixed joint. */
enum { FEW = 8, SOME = 64 };
#define FIND_WORK 100.0
#define FIXED_JOINT_WORK 30.0

/* ---- The list ---- */

static void describe_fixed_joint(eli_ties *ties, int q, const eli_tie *of, const elastica_world *world, int entry) {
  for (int k = 0; k < 2; k++) {
    const elastica_rod *rod = world->rods[of->rod[k]->rod_index];
    ties->slot[k][q] = (ptrdiff_t)rod->offset + of->element[k];
    ties->share[k][q] = of->share[k];
    for (int a = 0; a < 3; a++) {
      ties->offset[k][a][q] = of->offset[k][a];
      if (of->offset[k][a] != 0.0) ties->has_offsets = 1;
    }
  }
  for (int a = 0; a < 9; a++) ties->pose[a][q] = of->pose[a];
  ties->stiffness[q] = of->stiffness;
  ties->turning[q] = of->turning;
  ties->entry[q] = entry;
}

/* Fills the unused places of the last block with copies of its last joint; their results are not used. */
static void fill_up(eli_pair_phase *phase, const eli_tie *last, const elastica_world *world) {
  for (int k = phase->fixed_joint_count; k % ELI_TIES != 0; k++)
    describe_fixed_joint(&phase->fixed_joints[k / ELI_TIES], k % ELI_TIES, last, world, -1);
}

void eli_pair_phase_list(elastica_world *world) {
  eli_pair_phase *phase = &world->pair_phase;
  eli_tie tie;
  int count = 0;
  if (phase->listed) return;
  phase->fixed_joint_count = 0;
  ELI_EACH_PAIR_EFFECT(effect, world) {
    const eli_built_in *kind = effect->body->kind, *finder = kind != NULL && kind->find != NULL ? kind : NULL;
    eli_pair_effect *pair = &phase->list[count];
    *pair = (eli_pair_effect){effect, finder, effect->self, -1};
    if (finder != NULL && finder->ties != NULL && finder->ties(effect->self, &tie)) {
      pair->fixed_joint = phase->fixed_joint_count++;
      if (pair->fixed_joint % ELI_TIES == 0) phase->fixed_joints[pair->fixed_joint / ELI_TIES].has_offsets = 0;
      describe_fixed_joint(&phase->fixed_joints[pair->fixed_joint / ELI_TIES], pair->fixed_joint % ELI_TIES, &tie, world, count);
    }
    count++;
  }
  fill_up(phase, &tie, world);
  phase->listed = 1;
}

/* ---- Computation ---- */

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
static void find_block(const finding *of, eli_ties *ties) {
  const eli_slab *slab = &of->world->slab;
  of->world->kernels->find_ties(ties, slab->lane[0], slab->lane[1] - slab->lane[0]);
  for (int q = 0; q < ELI_TIES; q++)
    if (ties->large[q] != 0.0 && ties->entry[q] >= 0) find_alike(of, ties->entry[q], ties->entry[q] + 1);
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
  enum { BLOCKS = SOME / ELI_TIES };
  const finding *of = context;
  const eli_pair_phase *phase = &of->world->pair_phase;
  (void)worker;
  if (index < of->blocks) {
    const int end = (phase->fixed_joint_count + ELI_TIES - 1) / ELI_TIES;
    for (int b = (int)index * BLOCKS; b < end && b < ((int)index + 1) * BLOCKS; b++) find_block(of, &phase->fixed_joints[b]);
  } else {
    const int first = (int)(index - of->blocks) * SOME;
    find_others(of, first, first + SOME < phase->enabled ? first + SOME : phase->enabled);
  }
}

int eli_pair_phase_find(elastica_world *world, const elastica_instant *now) {
  const eli_pair_phase *phase = &world->pair_phase;
  if (phase->finders < FEW) return 0;
  finding of = {world, now, ((size_t)phase->fixed_joint_count + SOME - 1) / SOME};
  const size_t others = phase->fixed_joint_count < phase->enabled ? ((size_t)phase->enabled + SOME - 1) / SOME : 0;
  const double work = FIXED_JOINT_WORK * phase->fixed_joint_count + FIND_WORK * (phase->finders - phase->fixed_joint_count);
  eli_world_share(world, of.blocks + others, work, find_some, &of);
  return 1;
}

int eli_fixed_joint_push(elastica_world *world, const eli_pair_effect *pair) {
  const eli_ties *of = &world->pair_phase.fixed_joints[pair->fixed_joint / ELI_TIES];
  const int q = pair->fixed_joint % ELI_TIES;
  const ptrdiff_t stride = world->slab.lane[1] - world->slab.lane[0];
  if (of->large[q] != 0.0) return 0;
  const double force[3] = {of->force[0][q], of->force[1][q], of->force[2][q]};
  for (int k = 0; k < 2; k++) {
    const double couple[3] = {of->couple[k][0][q], of->couple[k][1][q], of->couple[k][2][q]}, share = of->share[k][q];
    double *node = world->slab.lane[ELI_FORCE] + of->slot[k][q] + (share == 1.0), *turn = world->slab.lane[ELI_COUPLE] + of->slot[k][q];
    eli_add_to_body(node, turn, stride, share == 1.0 ? 0.0 : share, k == 0 ? -1.0 : 1.0, force, couple);
  }
  return 1;
}
