/* Loads of a joint on its bodies. They are found first, which only reads positions and frames, and added later. */
#include "base/target.h"

#include "base/module.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "pairs/pairs.h"

#include <string.h>

/* Returns 1 for a joint that is only a spring between points of two centre lines: a force along the line through these has no moment about
 * either. */
static int is_spring(const eli_joint *of) {
  const double *one = of->anchor[0].offset, *other = of->anchor[1].offset;
  return of->kind == ELASTICA_JOINT_BALL && of->damping == 0.0 && of->anchor[1].rod != NULL && one[0] == 0.0 && one[1] == 0.0 &&
         one[2] == 0.0 && other[0] == 0.0 && other[1] == 0.0 && other[2] == 0.0;
}

static void find_pull(const eli_joint *of, eli_found *found) {
  double x[2][3];
  for (int k = 0; k < 2; k++) eli_anchor_find_between(&of->anchor[k], of->anchor[k].rod->position, x[k]);
  for (int a = 0; a < 3; a++) found->force[a] = -(of->stiffness * (x[1][a] - x[0][a]));
}

/* Sets the addresses of the loads. */
static void aim(const eli_joint *of, const elastica_loads *loads, eli_found *found) {
  found->to_node[1] = NULL;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const elastica_loads *to = &loads[anchor->rod->rod_index];
    found->share[k] = anchor->share == 1.0 ? 0.0 : anchor->share;
    found->to_node[k] = to->force[0] + anchor->element + (anchor->share == 1.0);
    found->to_turn[k] = to->couple[0] + anchor->element;
    found->stride[k] = to->force[1] - to->force[0];
  }
}

/* Whether the frames pass the limit on their way through half a step before or after its middle: where the angle is wide, or the second anchor
 * moves in the world, by any angle. */
static int passes_limit(const eli_joint *of, const elastica_instant *now, const eli_joined *joined) {
  const elastica_world *world = of->owner;
  const int supported = of->anchor[1].rod == NULL && of->world.motion != NULL;
  eli_anchored at[2];
  double expected[9], r[9], spin[2][3], before[3];
  if (!eli_joint_ties_frames(of) || (joined->angle < 2.0 && !supported)) return 0;
  if (eli_world_asks(world) || eli_world_stands_still(world)) return 0;
  memcpy(at, joined->at, sizeof at);
  for (int k = 0; k < 2; k++) {
    if (of->anchor[k].rod != NULL) eli_anchor_find(&of->anchor[k], &at[k]);
    eli_turn(at[k].director, at[k].spin, spin[k]);
  }
  if (supported && eli_world_time_stands(world)) memset(spin[1], 0, sizeof spin[1]);
  eli_matrix_product(of->pose, at[0].director, expected);
  eli_turn(of->pose, spin[0], before);
  eli_relative_rotation(at[1].director, expected, r);
  return eli_joint_widest(r, before, spin[1], 0.5 * now->dt) > ELI_JOINT_LIMIT_H ||
         eli_joint_widest(r, before, spin[1], -0.5 * now->dt) > ELI_JOINT_LIMIT_H;
}

/* Finds the loads; all forces act on both bodies at one point. */
void eli_joint_find_loads(const eli_joint *of, const elastica_instant *now, const elastica_loads *loads, eli_found *found) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_joined joined;
  double couple[3];
  aim(of, loads, found);
  found->status = ELASTICA_OK;
  found->turns = !is_spring(of);
  if (!found->turns) {
    find_pull(of, found);
    return;
  }
  found->status = eli_joint_find(of, now->time, 0, &joined);
  if (found->status == ELASTICA_OK && passes_limit(of, now, &joined)) found->status = ELASTICA_JOINT_TOO_FAR;
  if (found->status != ELASTICA_OK) return;
  for (int a = 0; a < 3; a++) found->force[a] = -of->stiffness * joined.gap[a], couple[a] = joined.couple[a];
  if (of->damping > 0.0) eli_joint_damp(of, &joined, now->dt, found->force, couple);
  if (of->kind == ELASTICA_JOINT_HINGE && (of->motor != 0.0 || of->drive != NULL))
    found->status = eli_joint_drive(of, &joined, now->time, couple);
  eli_anchored_couple(&joined.at[0], joined.middle, found->force, of->axis_in_world ? none : couple, found->couple[0]);
  if (of->anchor[1].rod != NULL) eli_anchored_couple(&joined.at[1], joined.middle, found->force, couple, found->couple[1]);
}

/* Returns 1 for springs between the frames of two bodies without anything else. */
int eli_joint_ties(const eli_joint *of, eli_tie *out) {
  if (!eli_joint_ties_frames(of) || of->damping != 0.0 || of->anchor[1].rod == NULL) return 0;
  for (int k = 0; k < 2; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    out->rod[k] = anchor->rod;
    out->element[k] = anchor->element;
    out->share[k] = anchor->share;
    memcpy(out->offset[k], anchor->offset, sizeof out->offset[k]);
  }
  memcpy(out->pose, of->pose, sizeof out->pose);
  out->stiffness = of->stiffness;
  out->turning = of->angular_stiffness;
  return 1;
}
