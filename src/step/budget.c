/* The budget of energy and momentum: what all steps since its opening have done.
 *
 * equation   residual = change of (kinetic + elastic) - sum of work;   change of momentum - sum of impulses, likewise angular
 * test       tests/test_budget.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/module.h"
#include "step/account.h"

/* What is known of an effect, by its seat. */
typedef struct effect_account {
  int index;                     /* of the effect */
  eli_booking stage[ELI_STAGES]; /* by each kind of hook, added rod after rod: the same sums however rods share tiles */
  eli_booking step[ELI_STAGES];  /* of the last step */
  int known;                     /* 1: its energy before its first step in this budget: */
  double energy;
} effect_account;

struct elastica_budget {
  elastica_world *world;
  eli_ledger ledger;
  effect_account *effects;
  size_t effect_capacity;
  elastica_budget_sum sum;
};

eli_ledger *eli_budget_ledger(elastica_budget *budget) {
  return &budget->ledger;
}

/* ---- Memory ---- */

static int reserve_effects(elastica_budget *budget) {
  elastica_world *world = budget->world;
  const size_t count = (size_t)eli_seats_count(&world->effect_seats);
  if (budget->effect_capacity >= count) return 1;
  effect_account *larger = eli_allocate(&world->allocator, 2 * count, sizeof *larger);
  if (larger == NULL) return 0;
  if (budget->effects != NULL) memcpy(larger, budget->effects, budget->effect_capacity * sizeof *larger);
  eli_release(&world->allocator, budget->effects);
  budget->effects = larger;
  budget->effect_capacity = 2 * count;
  return 1;
}

elastica_status eli_budget_reserve(elastica_budget *budget) {
  elastica_world *world = budget->world;
  if (!reserve_effects(budget) || !eli_ledger_reserve(world, &budget->ledger))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for the budget of a step");
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    effect_account *of = &budget->effects[effect->body->seat];
    if (of->known && of->index == effect->index) continue;
    *of = (effect_account){.index = effect->index, .known = 1, .energy = elastica_effect_energy(effect)};
  }
  return ELASTICA_OK;
}

void eli_budget_release(elastica_world *world) {
  elastica_budget *budget = world->budget;
  if (budget == NULL) return;
  world->budget = NULL;
  eli_ledger_release(world, &budget->ledger);
  eli_release(&world->allocator, budget->effects);
  eli_release(&world->allocator, budget);
}

/* ---- Booking ---- */

static void add_booking(eli_booking *to, const eli_booking *from) {
  to->work += from->work;
  for (int a = 0; a < 3; a++) {
    to->impulse[a] += from->impulse[a];
    to->angular[a] += from->angular[a];
  }
}

/* Adds the lines of all tiles, and puts their sum into all. */
static void book_lines(elastica_budget *budget, eli_booking *all) {
  const eli_ledger *ledger = &budget->ledger;
  memset(all, 0, sizeof *all);
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world)
  memset(budget->effects[effect->body->seat].step, 0, sizeof budget->effects->step);
  for (size_t t = 0; t < budget->world->slab.tile_count; t++)
    for (size_t k = 0; k < ledger->line_count[t]; k++) {
      const eli_line *line = &ledger->lines[ledger->line_begin[t] + k];
      add_booking(&budget->effects[line->effect].step[line->stage], &line->booking);
    }
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world) {
    effect_account *of = &budget->effects[effect->body->seat];
    for (int s = 0; s < ELI_STAGES; s++) {
      add_booking(&of->stage[s], &of->step[s]);
      add_booking(all, &of->step[s]);
    }
  }
}

/* What all rods have, and the change of it in the step. */
static void add_wealth(elastica_budget *budget, eli_wealth *change) {
  const eli_ledger *ledger = &budget->ledger;
  elastica_budget_sum *sum = &budget->sum;
  memset(change, 0, sizeof *change);
  sum->kinetic = sum->elastic = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, budget->world) {
    const eli_wealth *before = &ledger->before[rod->body->seat], *after = &ledger->after[rod->body->seat];
    sum->kinetic += after->kinetic;
    sum->elastic += after->elastic;
    change->kinetic += after->kinetic - before->kinetic;
    change->elastic += after->elastic - before->elastic;
    for (int a = 0; a < 3; a++) {
      change->linear[a] += after->linear[a] - before->linear[a];
      change->angular[a] += after->angular[a] - before->angular[a];
    }
  }
}

void eli_budget_book(elastica_budget *budget, double dt) {
  elastica_budget_sum *sum = &budget->sum;
  eli_booking all;
  eli_wealth change;
  budget->ledger.known = 1;
  book_lines(budget, &all);
  add_wealth(budget, &change);
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

/* ---- As one asks for it ---- */

/* Tiles have other needs while a budget looks at every hook. */
static void outdate_needs(elastica_world *world) {
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
    eli_release(&world->allocator, budget);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "budget_open: no memory for a budget");
  }
  budget->sum.largest_step = -1;
  world->budget = budget;
  outdate_needs(world);
  *out = budget;
  return ELASTICA_OK;
}

void elastica_budget_close(elastica_budget *budget) {
  if (budget == NULL || budget->world->in_hook) return;
  elastica_world *world = budget->world;
  eli_budget_release(world);
  outdate_needs(world);
}

elastica_status elastica_budget_get(elastica_budget *budget, elastica_budget_sum *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(budget->world, ELASTICA_INVALID_ARGUMENT, "budget_get: out is NULL");
  const elastica_status status = eli_check_outside_hook(budget->world, "budget_get");
  if (status == ELASTICA_OK) *out = budget->sum;
  return status;
}

elastica_status elastica_budget_get_effect(elastica_budget *budget, elastica_effect *effect, elastica_budget_share *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = budget->world;
  if (effect == NULL || effect->world != world || out == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_get_effect: %s",
                                 out == NULL      ? "out is NULL"
                                 : effect == NULL ? "effect is NULL"
                                                  : "effect belongs to another world");
  elastica_status status = eli_effect_check(effect, "budget_get_effect");
  if (status == ELASTICA_OK) status = eli_check_outside_hook(world, "budget_get_effect");
  if (status != ELASTICA_OK) return status;
  const size_t seat = (size_t)effect->body->seat;
  const int known = seat < budget->effect_capacity && budget->effects[seat].known && budget->effects[seat].index == effect->index;
  eli_booking all = {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int s = 0; s < ELI_STAGES && known; s++) add_booking(&all, &budget->effects[seat].stage[s]);
  memset(out, 0, sizeof *out);
  out->work = all.work;
  out->energy = elastica_effect_energy(effect);
  out->energy_change = known ? out->energy - budget->effects[seat].energy : 0.0;
  memcpy(out->impulse, all.impulse, sizeof out->impulse);
  memcpy(out->angular_impulse, all.angular, sizeof out->angular_impulse);
  return ELASTICA_OK;
}
