#include "balance.h"

#include <math.h>
#include <string.h>

double balance_size(const double v[3]) {
  return sqrt(v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z]);
}

static void add_rod(const elastica_rod_view *rod, balance *of) {
  for (int i = 0; i < rod->node_count; i++) {
    double f[3], x[3];
    for (int a = 0; a < 3; a++) {
      x[a] = rod->position[a][i];
      f[a] = rod->internal_force[a][i] + rod->external_force[a][i];
      of->force[a] += f[a];
      of->drag[a] -= rod->drag[i] * rod->velocity[a][i];
    }
    for (int a = 0; a < 3; a++) of->moment[a] += x[(a + 1) % 3] * f[(a + 2) % 3] - x[(a + 2) % 3] * f[(a + 1) % 3];
  }
  for (int j = 0; j < rod->element_count; j++)
    for (int b = 0; b < 3; b++)
      for (int a = 0; a < 3; a++) of->moment[a] += rod->director[b][a][j] * (rod->internal_couple[b][j] + rod->external_couple[b][j]);
}

void balance_find(const example *e, elastica_world *world, balance *of) {
  *of = (balance){{0}, {0}, {0}};
  example_require(e, world, elastica_world_evaluate(world, 0));
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) add_rod(elastica_rod_get_view(elastica_world_rod(world, k)), of);
}

balance_impulses balance_advance(example *e, elastica_world *world, double duration, const elastica_effect *but) {
  elastica_budget *budget = e->budget;
  elastica_budget_sum sum;
  double left[3] = {0}, scale = 0, angular_scale = 0, joints[3] = {0}, angular[3] = {0};
  if (!budget) example_require(e, world, elastica_budget_open(world, &budget));
  example_advance(e, world, elastica_world_get(world).time + duration);
  example_require(e, world, elastica_budget_get(budget, &sum));
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    elastica_budget_share share;
    const int joint = effect != but && strcmp(elastica_effect_get(effect).name, "joint") == 0;
    example_require(e, world, elastica_budget_get_effect(budget, k, &share));
    for (int a = 0; a < 3; a++) *(joint ? &joints[a] : &left[a]) += share.impulse[a];
    for (int a = 0; a < 3 && joint; a++) angular[a] += share.angular_impulse[a];
    if (!joint) scale += balance_size(share.impulse), angular_scale += balance_size(share.angular_impulse);
  }
  for (int a = 0; a < 3; a++) left[a] -= sum.momentum_change[a];
  if (budget != e->budget) elastica_budget_close(budget);
  return (balance_impulses){balance_size(left) / scale, balance_size(joints) / scale, balance_size(angular) / angular_scale};
}
