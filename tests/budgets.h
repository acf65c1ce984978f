/* Shared code of the tests of budgets. */
#ifndef TESTS_BUDGETS_H
#define TESTS_BUDGETS_H

#include "support.h"

static inline elastica_budget *open_budget(elastica_world *world) {
  elastica_budget *budget = NULL;
  must(world, elastica_budget_open(world, &budget));
  return budget;
}

static inline elastica_budget_sum sum_of(elastica_world *world, elastica_budget *budget) {
  elastica_budget_sum sum;
  must(world, elastica_budget_get(budget, &sum));
  return sum;
}

static inline elastica_budget_share share_of(elastica_world *world, elastica_budget *budget, int effect) {
  elastica_budget_share share;
  must(world, elastica_budget_get_effect(budget, effect, &share));
  return share;
}

#endif
