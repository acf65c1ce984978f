/* The budget of energy and momentum: sums over all steps since it was opened.
 *
 * equation   residual = change of (kinetic + elastic) - sum of work; change of momentum - sum of impulses, linear and angular
 * models     Changes are those from the beginning to the end of each step, of the rods present in it. Changes between steps are counted in
 *            `between`; potential energies are queried before and after every run of steps. Sums are kept by the index of an effect, which
 *            is never reused
 * test       tests/test_budget.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/module.h"
#include "step/account.h"

/* Work and impulses of an effect in one step, by kind of hook, added rod by rod: the sums do not depend on the division of rods into
 * tiles. */
typedef struct effect_step {
  eli_contribution stage[ELI_STAGE_COUNT];
} effect_step;

/* Sums for an effect since the budget was opened. */
typedef struct effect_total {
  eli_contribution all;
  double energy; /* energy before the present run of steps */
  double energy_change;
} effect_total;

struct elastica_budget {
  elastica_world *world;
  eli_work_meter meter;
  effect_step *steps; /* by eli_effect_body.table_index */
  size_t step_capacity;
  effect_total *totals; /* by index of the effect, including removed effects */
  size_t total_capacity;
  elastica_budget_sum sum;
};

eli_work_meter *eli_budget_meter(elastica_budget *budget) {
  return &budget->meter;
}

/* ---- Memory ---- */

/* Enlarges a block to twice `count` if it has fewer elements, and keeps its contents. Returns NULL if memory runs out. */
static void *grow(const elastica_budget *budget, void *block, size_t *capacity, size_t count, size_t size) {
  const eli_allocator *allocator = &budget->world->allocator;
  if (*capacity >= count) return block;
  void *larger = eli_allocate(allocator, 2 * count, size);
  if (larger == NULL) return NULL;
  if (block != NULL) memcpy(larger, block, *capacity * size);
  eli_release(allocator, block);
  *capacity = 2 * count;
  return larger;
}

static int reserve_effects(elastica_budget *budget) {
  elastica_world *world = budget->world;
  const size_t indices = (size_t)eli_indices_count(&world->effect_indices), numbers = (size_t)world->effect_count;
  effect_step *steps = grow(budget, budget->steps, &budget->step_capacity, indices, sizeof *steps);
  if (steps != NULL) budget->steps = steps;
  effect_total *totals = grow(budget, budget->totals, &budget->total_capacity, numbers, sizeof *totals);
  if (totals != NULL) budget->totals = totals;
  return (steps != NULL || indices == 0) && (totals != NULL || numbers == 0);
}

elastica_status eli_budget_begin(elastica_budget *budget) {
  elastica_world *world = budget->world;
  if (!reserve_effects(budget) || !eli_work_meter_reserve(world, &budget->meter))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "budget: no memory for the work meter");
  ELI_EACH_EFFECT_OF_WORLD(effect, world) budget->totals[effect->index].energy = elastica_effect_energy(effect);
  return ELASTICA_OK;
}

void eli_budget_end(elastica_budget *budget) {
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world) {
    effect_total *of = &budget->totals[effect->index];
    of->energy_change += elastica_effect_energy(effect) - of->energy;
  }
}

static void release_all(elastica_budget *budget) {
  elastica_world *world = budget->world;
  eli_work_meter_release(world, &budget->meter);
  eli_release(&world->allocator, budget->steps);
  eli_release(&world->allocator, budget->totals);
  eli_release(&world->allocator, budget);
}

void eli_budget_release(elastica_world *world) {
  if (world->budget != NULL) release_all(world->budget);
  world->budget = NULL;
}

/* ---- Sums ---- */

static void add_contribution(eli_contribution *to, const eli_contribution *from) {
  to->work += from->work;
  for (int a = 0; a < 3; a++) {
    to->impulse[a] += from->impulse[a];
    to->angular[a] += from->angular[a];
  }
}

/* Adds the lines of all rods in order of addition, which does not depend on holes in tiles, and writes their sum to `all`. */
static void add_lines(elastica_budget *budget, eli_contribution *all) {
  const eli_work_meter *meter = &budget->meter;
  memset(all, 0, sizeof *all);
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world)
  memset(&budget->steps[effect->body->table_index], 0, sizeof *budget->steps);
  ELI_EACH_ROD_OF_WORLD(rod, budget->world)
  for (size_t k = 0; k < meter->line_count[rod->body->table_index]; k++) {
    const eli_meter_line *line = &meter->lines[meter->line_begin[rod->body->table_index] + k];
    add_contribution(&budget->steps[line->effect].stage[line->stage], &line->sum);
  }
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world) {
    const effect_step *step = &budget->steps[effect->body->table_index];
    for (int s = 0; s < ELI_STAGE_COUNT; s++) {
      if (!eli_is_metered(s)) continue;
      add_contribution(&budget->totals[effect->index].all, &step->stage[s]);
      add_contribution(all, &step->stage[s]);
    }
  }
}

/* Computes energy and momentum of all rods, their changes in the step, and the change of energy since the step before. That is exactly 0 if
 * no rod was changed in between, because both sums then have the same terms. */
static void add_balances(elastica_budget *budget, eli_rod_balance *change) {
  const eli_work_meter *meter = &budget->meter;
  elastica_budget_sum *sum = &budget->sum;
  const double had_kinetic = sum->kinetic, had_elastic = sum->elastic;
  double kinetic = 0.0, elastic = 0.0;
  memset(change, 0, sizeof *change);
  sum->kinetic = sum->elastic = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, budget->world) {
    const eli_rod_balance *before = &meter->before[rod->body->table_index], *after = &meter->after[rod->body->table_index];
    kinetic += before->kinetic;
    elastic += before->elastic;
    sum->kinetic += after->kinetic;
    sum->elastic += after->elastic;
    change->kinetic += after->kinetic - before->kinetic;
    change->elastic += after->elastic - before->elastic;
    for (int a = 0; a < 3; a++) {
      change->linear[a] += after->linear[a] - before->linear[a];
      change->angular[a] += after->angular[a] - before->angular[a];
    }
  }
  if (sum->step_count > 0) sum->between += (kinetic - had_kinetic) + (elastic - had_elastic);
}

void eli_budget_add_step(elastica_budget *budget, double dt) {
  elastica_budget_sum *sum = &budget->sum;
  eli_contribution all;
  eli_rod_balance change;
  budget->meter.known = 1;
  add_lines(budget, &all);
  add_balances(budget, &change);
  sum->kinetic_change += change.kinetic;
  sum->elastic_change += change.elastic;
  sum->work += all.work;
  sum->step_residual = change.kinetic + change.elastic - all.work;
  sum->residual += sum->step_residual;
  if (fabs(sum->step_residual) > sum->largest_step_residual) {
    sum->largest_step_residual = fabs(sum->step_residual);
    sum->largest_step = budget->world->step_count - 1;
  }
  for (int a = 0; a < 3; a++) {
    sum->momentum_change[a] += change.linear[a];
    sum->angular_change[a] += change.angular[a];
    sum->impulse[a] += all.impulse[a];
    sum->angular_impulse[a] += all.angular[a];
  }
  sum->step_count++;
  sum->duration += dt;
}

/* ---- Public functions ---- */

/* Opening or closing a budget changes the requirements of tiles, because a budget meters every hook. */
static void outdate_requirements(elastica_world *world) {
  ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_outdate(rod, ELI_STALE_LISTS);
}

elastica_status elastica_budget_open(elastica_world *world, elastica_budget **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_open: out is NULL");
  elastica_status status = eli_world_check_open(world, "budget_open", 1);
  if (status != ELASTICA_OK) return status;
  if (world->budget != NULL) return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "budget_open: the world has a budget already");
  elastica_budget *budget = eli_allocate(&world->allocator, 1, sizeof *budget);
  if (budget != NULL) budget->world = world;
  if (budget == NULL || !reserve_effects(budget)) {
    if (budget != NULL) release_all(budget);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "budget_open: no memory for a budget");
  }
  budget->sum.largest_step = -1;
  world->budget = budget;
  outdate_requirements(world);
  *out = budget;
  return ELASTICA_OK;
}

void elastica_budget_close(elastica_budget *budget) {
  if (budget == NULL || budget->world->in_hook) return;
  elastica_world *world = budget->world;
  eli_budget_release(world);
  outdate_requirements(world);
}

elastica_status elastica_budget_get(elastica_budget *budget, elastica_budget_sum *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(budget->world, ELASTICA_INVALID_ARGUMENT, "budget_get: out is NULL");
  const elastica_status status = eli_check_outside_hook(budget->world, "budget_get");
  if (status == ELASTICA_OK) *out = budget->sum;
  return status;
}

elastica_status elastica_budget_get_effect(elastica_budget *budget, int effect, elastica_budget_share *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = budget->world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_get_effect: out is NULL");
  const elastica_status status = eli_check_outside_hook(world, "budget_get_effect");
  if (status != ELASTICA_OK) return status;
  if (effect < 0 || effect >= world->effect_count)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_get_effect: effect = %d, but %d effects have been added", effect,
                                 world->effect_count);
  memset(out, 0, sizeof *out);
  out->energy = elastica_effect_energy(world->effects[effect]); /* 0 if the effect was removed */
  if ((size_t)effect >= budget->total_capacity) return ELASTICA_OK;
  const effect_total *of = &budget->totals[effect];
  out->work = of->all.work;
  out->energy_change = of->energy_change;
  memcpy(out->impulse, of->all.impulse, sizeof out->impulse);
  memcpy(out->angular_impulse, of->all.angular, sizeof out->angular_impulse);
  return ELASTICA_OK;
}
