/* Two bent rods, and definitions of a joint between them. */
#ifndef TESTS_JOINTED_H
#define TESTS_JOINTED_H

#include "support.h"

typedef struct pair {
  elastica_world *world;
  elastica_rod *rod[2];
  elastica_effect *joint;
} pair;

static inline elastica_joint_def joint_of(const pair *of, elastica_joint_kind kind) {
  DEFAULTS(joint, def);
  def.kind = kind;
  def.first.rod = of->rod[0];
  def.second.rod = of->rod[1];
  def.stiffness = 200.0;
  if (kind != ELASTICA_JOINT_BALL) def.angular_stiffness = 0.3;
  if (kind == ELASTICA_JOINT_HINGE) set_vector(def.axis, 0, 0.3, -0.5, 0.8);
  return def;
}

/* Bent, moving rods of 6 and 8 elements, chosen by a seed. */
static inline pair make_pair(uint64_t seed) {
  pair of = {make_world(NULL), {NULL, NULL}, NULL};
  for (int k = 0; k < 2; k++) of.rod[k] = add_bent_rod(of.world, 6 + 2 * k, seed + (uint64_t)k);
  return of;
}

#endif
