/* The budget of energy and momentum: the work of each effect, and the remainder. */
#include "base/target.h"

#include "budgets.h"
#include "conformance_table.h"
#include "rationed_memory.h"

static const double pi = 3.14159265358979324;

/* ---- Exact balances ----------------------------------------------------------------------------------------------------------------- */

/* A rod that flies and does not bend: the work of the weight is m g h, and dissipation accounts for the loss of kinetic energy. */
TEST(weight_and_dissipation_of_a_flying_rod_are_balanced_to_rounding) {
  const double g[3] = {0.0, 0.0, -9.81};
  double velocity[33];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < 11; i++) set_vector(velocity, i, 3.0, -2.0, 1.0);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 2.0;
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  elastica_budget *budget = open_budget(world);
  const double start = view->position[2][0], mass = 1000.0 * pi * 0.02 * 0.02;
  must(world, elastica_world_step(world, 1e-4, 1000));
  const elastica_budget_share weight = share_of(world, budget, 0), drag = share_of(world, budget, 1);
  const elastica_budget_sum sum = sum_of(world, budget);
  assert_close(weight.work, -mass * 9.81 * (view->position[2][0] - start), 1e-12 * fabs(weight.work));
  assert_close(weight.energy_change, -weight.work, 1e-12 * fabs(weight.work));
  assert_close(weight.impulse[2], -mass * 9.81 * 0.1, 1e-12);
  assert_true(drag.work < 0.0);
  assert_close(sum.kinetic_change, weight.work + drag.work, 1e-12 * fabs(drag.work));
  assert_close(sum.residual, 0.0, 1e-12 * fabs(drag.work));
  assert_close(sum.largest_step_residual, 0.0, 1e-13 * fabs(drag.work));
  assert_int_equal(sum.step_count, 1000);
  assert_close(sum.duration, 0.1, 1e-12);
  elastica_world_destroy(world);
}

/* A rod that is only decelerated: v = v0 exp(-c t/m), so that the dissipated energy is m v0^2 (1 - exp(-2 c t/m))/2. */
TEST(two_dissipations_share_by_their_rates) {
  double velocity[33], omega[30] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  for (int i = 0; i < 11; i++) set_vector(velocity, i, 3.0, -2.0, 1.0);
  for (int j = 0; j < 10; j++) omega[component(j, Z)] = 5.0;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 1.0, dissipation.rotation = 1e-4;
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  dissipation.translation = 3.0, dissipation.rotation = 3e-4;
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 1e-4, 1000));
  const elastica_budget_share one = share_of(world, budget, 0), three = share_of(world, budget, 1);
  const double mass = 1000.0 * pi * 4e-4, spin = 0.5 * 1000.0 * pi * 16e-8; /* J3 of all elements */
  const double taken = 0.5 * mass * 14.0 * (1.0 - exp(-2.0 * 4.0 * 0.1 / mass)) + 0.5 * spin * 25.0 * (1.0 - exp(-2.0 * 4e-4 * 0.1 / spin));
  assert_close(three.work, 3.0 * one.work, 1e-12 * fabs(three.work));
  assert_close(one.work + three.work, -taken, 1e-5 * taken);
  assert_close(sum_of(world, budget).residual, 0.0, 1e-12 * taken);
  elastica_world_destroy(world);
}

/* A cantilever at rest: the clamp supports its weight. */
TEST(a_clamp_bears_the_weight) {
  const double g[3] = {0.0, -9.81, 0.0}, weight = 9.81 * 1000.0 * pi * 4e-4;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e8, 4e7);
  clamp_first_end(world, rod);
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 1e-5, 1000));
  const elastica_budget_share held = share_of(world, budget, 0), fell = share_of(world, budget, 1);
  assert_close(fell.impulse[1], -0.01 * weight, 1e-12);
  assert_close(held.impulse[1], 0.01 * weight, 1e-8);
  assert_close(held.angular_impulse[0], -fell.angular_impulse[0], 1e-8); /* the weight has a moment about x at z = 0.5 */
  assert_close(fell.angular_impulse[0], 0.5 * 0.01 * weight, 1e-3);
  assert_close(held.work, 0.0, 1e-12);
  elastica_world_destroy(world);
}

/* ---- Every effect -------------------------------------------------------------------------------------------------------------------- */

typedef struct outcome {
  elastica_budget_sum sum;
  elastica_budget_share share;
  double energy, momentum, angular; /* largest kinetic energy, and momenta for comparison */
} outcome;

static outcome run_row(const effect_row *row, int closed, elastica_law law, long steps) {
  elastica_world_def def = default_world();
  def.law = law;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_row_rod(row, world, closed, 4);
  elastica_effect *effect = add_effect_of(row, world, rod, 1.0);
  elastica_totals energy;
  outcome end;
  must(world, elastica_world_get_totals(world, &energy));
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 0x1p-6 / (double)steps, steps));
  end.sum = sum_of(world, budget);
  must(world, elastica_budget_get_effect(budget, elastica_effect_get(effect).index, &end.share));
  end.energy = end.sum.kinetic + energy.translation + energy.rotation;
  end.momentum = 0.0, end.angular = 0.0;
  for (int a = 0; a < 3; a++) {
    end.momentum += fabs(end.sum.momentum_change[a] - end.sum.impulse[a]);
    end.angular += fabs(end.sum.angular_change[a] - end.sum.angular_impulse[a]);
  }
  elastica_world_destroy(world);
  return end;
}

/* The remainder must fall by four, unless it is at the level of rounding. */
static void claim_second_order(const effect_row *row, int closed, const char *what, double coarse, double fine, double rounding) {
  if (fabs(fine) <= rounding) return;
  if (!(fabs(coarse / fine) > 3.4 && fabs(coarse / fine) < 4.7))
    fail_msg("%s: %s falls from %g to %g", label_of(row, closed), what, coarse, fine);
}

TEST(residuals_fall_by_four_with_every_effect) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (!takes(row, closed)) continue;
      const outcome coarse = run_row(row, closed, ELASTICA_LAW_CLASSICAL, 256), fine = run_row(row, closed, ELASTICA_LAW_CLASSICAL, 512);
      if (!(fine.momentum <= 1e-12)) fail_msg("%s: momentum is off by %g N s", label_of(row, closed), fine.momentum);
      if (!(fabs(fine.sum.residual) <= 1e-3 * fine.energy))
        fail_msg("%s: %g J of %g J are left over", label_of(row, closed), fine.sum.residual, fine.energy);
      if (row->is & REACTS) continue; /* contacts of these effects open and close */
      claim_second_order(row, closed, "the residual", coarse.sum.residual, fine.sum.residual, 1e-11 * fine.energy);
      claim_second_order(row, closed, "the angular momentum", coarse.angular, fine.angular, 1e-11);
      if ((row->is & POTENTIAL) == POTENTIAL)
        claim_second_order(row, closed, "work + change of the potential", coarse.share.work + coarse.share.energy_change,
                           fine.share.work + fine.share.energy_change, 1e-11 * fine.energy);
    }
}

/* The law has no potential: the remainder does not depend on the step. */
TEST(energy_added_by_the_rescaled_law_is_the_remainder) {
  const outcome coarse = run_row(&effect_rows[9], 0, ELASTICA_LAW_RESCALED, 256),
                fine = run_row(&effect_rows[9], 0, ELASTICA_LAW_RESCALED, 512);
  assert_true(fabs(fine.sum.residual) > 1e-4 * fine.energy);
  assert_close(coarse.sum.residual, fine.sum.residual, 0.05 * fabs(fine.sum.residual));
  assert_true(fine.momentum <= 1e-12);
}

/* ---- User modules ------------------------------------------------------------------------------------------------------------------ */

/* Springs from each node to its initial place, without a power hook, and a prescribed spin of the first element about its d3. */
typedef struct anchor {
  double stiffness, place[3 * SAMPLE_NODES];
} anchor;

static elastica_status pull_back(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const anchor *held = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++)
    for (int a = 0; a < 3; a++) loads->force[a][i] += held->stiffness * (held->place[component(i, a)] - rod->position[a][i]);
  return ELASTICA_OK;
}

static double energy_of_springs(void *self, double time, const elastica_rod_view *rod) {
  const anchor *held = self;
  double sum = 0.0;
  (void)time;
  for (int i = 0; i < rod->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const double off = held->place[component(i, a)] - rod->position[a][i];
      sum += 0.5 * held->stiffness * (off * off);
    }
  return sum;
}

static elastica_status spin_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *to) {
  (void)self;
  (void)rod;
  to->omega[0][0] = 0.0, to->omega[1][0] = 0.0, to->omega[2][0] = 500.0 * now->time;
  return ELASTICA_OK;
}

/* Runs for 1/64 s; returns the budget and the final kinetic energy. */
static elastica_budget_sum run_anchored(long steps, elastica_budget_share *springs) {
  const sample_recipe recipe = usual_recipe();
  elastica_module module = module_named("anchor");
  anchor held = {.stiffness = 50.0};
  sample_rod sample;
  make_sample(&sample, 8, 3, &recipe);
  memset(sample.omega, 0, sizeof sample.omega);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_sample(world, &sample);
  memcpy(held.place, sample.position, sizeof held.place);
  module.self = &held;
  module.self_size = sizeof held;
  module.add_loads = pull_back;
  module.energy = energy_of_springs;
  module.constrain_spin = spin_up;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 0x1p-6 / (double)steps, steps));
  const elastica_budget_sum sum = sum_of(world, budget);
  *springs = share_of(world, budget, 0);
  elastica_world_destroy(world);
  return sum;
}

TEST(modules_without_a_power_hook_are_balanced) {
  elastica_budget_share share;
  const elastica_budget_sum coarse = run_anchored(256, &share), fine = run_anchored(512, &share);
  assert_true(share.energy > 0.0 && share.work != 0.0);
  assert_true(fabs(fine.residual) < 1e-4 * fine.kinetic);
  assert_between(coarse.residual / fine.residual, 3.4, 4.7);
}

/* ---- Between steps ------------------------------------------------------------------------------------------------------------------- */

TEST(changes_between_steps_are_not_counted) {
  const double velocity[33] = {[0] = 5.0, [6] = -3.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_rod *late;
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, 1e-5, 100));
  assert_close(sum_of(world, budget).kinetic_change, 0.0, 1e-20);
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  const double before = sum_of(world, budget).kinetic_change;
  must(world, elastica_world_step(world, 1e-5, 100));
  assert_true(fabs(before) < 1e-20 && fabs(sum_of(world, budget).residual) < 1e-4 * sum_of(world, budget).kinetic);
  assert_true(sum_of(world, budget).kinetic_change < 0.0); /* into strain */
  /* Rods and effects added later count from their addition on. */
  late = add_straight_rod(world, 3, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, 1e-5, 100));
  assert_close(share_of(world, budget, 0).energy_change, -share_of(world, budget, 0).work, 1e-12);
  assert_close(share_of(world, budget, 0).impulse[2], -2.0 * 1e-3 * 9.81 * 1000.0 * pi * 4e-4, 1e-12);
  assert_true(elastica_rod_get_view(late)->velocity[2][0] < 0.0);
  elastica_budget_close(budget);
  budget = open_budget(world);
  assert_int_equal(sum_of(world, budget).step_count, 0);
  elastica_budget_close(budget);
  elastica_budget_close(NULL);
  elastica_world_destroy(world);
}

static elastica_status ask_from_inside(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  elastica_budget *budget = *(elastica_budget **)self;
  elastica_budget_sum sum;
  (void)now;
  (void)rod;
  elastica_budget_close(budget);
  return elastica_budget_get(budget, &sum) == ELASTICA_WRONG_STATE ? ELASTICA_OK : ELASTICA_IO_ERROR;
}

TEST(refused_calls_say_why) {
  elastica_budget_sum sum;
  elastica_budget_share share;
  elastica_module module = module_named("asks");
  elastica_world *world = make_world(NULL);
  elastica_budget *budget = NULL, *second = (elastica_budget *)world;
  add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  assert_int_equal(elastica_budget_open(NULL, &budget), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_budget_open(world, NULL), ELASTICA_INVALID_ARGUMENT);
  budget = open_budget(world);
  assert_status(world, elastica_budget_open(world, &second), ELASTICA_WRONG_STATE);
  assert_null(second);
  assert_status(world, elastica_budget_get(budget, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_budget_get_effect(budget, 0, &share), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "effect = 0", "0 effects");
  assert_status(world, elastica_budget_get_effect(budget, -1, &share), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_budget_get(NULL, &sum), ELASTICA_INVALID_ARGUMENT);
  module.self = &budget;
  module.observe = ask_from_inside;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-5, 3));
  assert_int_equal(sum_of(world, budget).step_count, 3);
  elastica_world_destroy(world);
}

/* The allocator fails after one, two, three blocks: the step is refused, and succeeds later with the same bits. */
TEST(without_memory_steps_are_refused) {
  long refused = 0;
  for (long left = 0; left < 40; left++) {
    memory_ration memory = plenty();
    elastica_budget *budget = NULL;
    elastica_world *world = make_rationed_world(&memory);
    elastica_rod *rod = add_row_rod(&effect_rows[3], world, 0, 4);
    add_effect_of(&effect_rows[3], world, rod, 1.0);
    memory.left = left;
    if (elastica_budget_open(world, &budget) != ELASTICA_OK || elastica_world_step(world, 0x1p-14, 3) != ELASTICA_OK) {
      assert_says(elastica_world_message(world), "no memory");
      refused++;
    }
    memory.left = LONG_MAX;
    if (budget == NULL) budget = open_budget(world);
    if (elastica_world_get(world).step_count == 0) must(world, elastica_world_step(world, 0x1p-14, 3));
    assert_int_equal(sum_of(world, budget).step_count, 3);
    elastica_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
  }
  assert_between((double)refused, 10.0, 38.0);
}

/* The refusal closes the budget. */
TEST(a_budget_without_memory_closes) {
  for (long left = 0; left < 40; left++) {
    memory_ration memory = plenty();
    elastica_budget *budget = NULL;
    elastica_world *world = make_rationed_world(&memory);
    add_effect_of(&effect_rows[3], world, add_row_rod(&effect_rows[3], world, 0, 4), 1.0);
    memory.left = left;
    if (elastica_budget_open(world, &budget) == ELASTICA_OK) {
      ignore(elastica_world_step(world, 0x1p-14, 3));
      elastica_budget_close(budget);
    }
    memory.left = LONG_MAX;
    must(world, elastica_world_step(world, 0x1p-14, 3));
    elastica_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
  }
}
