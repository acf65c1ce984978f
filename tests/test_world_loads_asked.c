/* Claims about effects between rods in queries of loads, budgets, equilibria and the step limit; and about failing hooks. */
#include "base/target.h"

#include "rationed_memory.h"
#include "springs.h"

/* ---- Questions ---- */

TEST(evaluate_sees_them_and_changes_nothing) {
  elastica_world *world = make_world(NULL);
  const elastica_rod *one = add_standing_rod(world, 0.0, 0.0), *other = add_standing_rod(world, 0.7, 0.0);
  elastica_effect *effect = add_springs(world, &usual);
  for (int k = 0; k < 2; k++) {
    must(world, elastica_world_evaluate(world, k == 0 ? 0.0 : 1e-4));
    for (int i = 0; i <= 10; i++) {
      const double force = usual.rate * elastica_rod_get_view(one)->mass[i] * 0.2;
      assert_close(elastica_rod_get_view(one)->external_force[0][i], force, 1e-12);
      assert_close(elastica_rod_get_view(other)->total_force[0][i], -force, 1e-12);
    }
    assert_int_equal(((const springs *)elastica_effect_get(effect).self)->calls, 0);
  }
  elastica_world_destroy(world);
}

TEST(a_budget_has_their_work_and_impulse) {
  elastica_budget *budget = NULL;
  elastica_budget_share share;
  elastica_budget_sum sum;
  elastica_totals before, after;
  elastica_world *world = make_mixed_world(16, 1);
  elastica_effect *effect = add_springs(world, &usual);
  must(world, elastica_budget_open(world, &budget));
  must(world, elastica_rod_get_totals(elastica_world_rod(world, 0), &before));
  must(world, elastica_world_step(world, 1e-4, 200));
  must(world, elastica_rod_get_totals(elastica_world_rod(world, 0), &after));
  must(world, elastica_budget_get_effect(budget, elastica_effect_get(effect).index, &share));
  must(world, elastica_budget_get(budget, &sum));
  for (int a = 0; a < 3; a++) assert_close(share.impulse[a], 0.0, 1e-13);
  /* the springs release their energy, (k/2) sum m_i gap^2, and dissipation takes little of it */
  double held = 0.0;
  for (int i = 0; i <= 10; i++)
    for (int a = 0; a < 3; a++) {
      const elastica_rod_view *one = elastica_rod_get_view(elastica_world_rod(world, 0));
      const elastica_rod_view *other = elastica_rod_get_view(elastica_world_rod(world, 1));
      const double gap = other->position[a][i] - one->position[a][i] - usual.rest[a], first = a == 0 ? 0.4 - 0.5 : 0.0;
      held += 0.5 * usual.rate * one->mass[i] * (gap * gap - first * first);
    }
  assert_close(share.work, -held, 1e-5 * fabs(held) + 1e-9);
  for (int a = 0; a < 3; a++) assert_close(sum.momentum_change[a], sum.impulse[a], 1e-12);
  assert_close(sum.residual, 0.0, 1e-6);
  elastica_budget_close(budget);
  elastica_world_destroy(world);
}

TEST(relaxation_finds_the_balance_of_springs_and_weight) {
  const double gravity[3] = {-2.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *held = add_standing_rod(world, 0.0, 0.0), *hangs = add_standing_rod(world, 0.5, 0.0);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  for (int i = 0; i <= 10; i++) {
    pin.node = i;
    must(world, elastica_add_boundary(world, held, &pin, NULL));
  }
  add_springs(world, &usual);
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  for (int i = 0; i <= 10; i++) assert_close(elastica_rod_get_view(hangs)->position[0][i], 0.5 - 2.0 / usual.rate, 1e-7);
  elastica_world_destroy(world);
}

/* ---- Limits and failures ---- */

TEST(the_step_limit_counts_their_bounds) {
  springs s = usual;
  elastica_step_limit limit;
  s.rate = 1e9;
  elastica_world *world = make_world(NULL);
  add_standing_rod(world, 0.0, 0.0);
  add_standing_rod(world, 0.5, 0.0);
  elastica_effect *effect = add_springs(world, &s);
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.effect == effect && limit.mode == ELASTICA_MODE_EFFECT);
  assert_true(limit.dt <= 2.0 / sqrt(2.0 * s.rate) && limit.dt >= 0.5 / sqrt(2.0 * s.rate));
  elastica_world_destroy(world);
}

TEST(a_hook_that_fails_is_named) {
  springs s = usual;
  s.end = ELASTICA_CALLBACK_FAILED;
  elastica_world *world = make_mixed_world(16, 1);
  add_springs(world, &s);
  assert_int_equal(elastica_world_evaluate(world, 0.0), ELASTICA_CALLBACK_FAILED);
  assert_non_null(strstr(elastica_world_message(world), "\"springs\": add_world_loads returned"));
  assert_int_equal(elastica_world_step(world, 1e-4, 5), ELASTICA_CALLBACK_FAILED);
  assert_non_null(strstr(elastica_world_message(world), "\"springs\": add_world_loads returned"));
  assert_int_equal(elastica_world_step(world, 1e-4, 5), ELASTICA_WRONG_STATE);
  elastica_world_destroy(world);
}

/* Every allocation of the first pair phase fails once: the call is refused, and the next call continues as if nothing had happened. */
TEST(without_memory_nothing_is_lost) {
  memory_ration ration = plenty();
  uint64_t hash = 0;
  for (long refused = -1, done = 0; !done; refused++) {
    ration = plenty();
    elastica_world *world = make_rationed_world(&ration);
    add_standing_rod(world, 0.0, 0.2);
    add_standing_rod(world, 0.4, -0.2);
    add_springs(world, &usual);
    const long before = ration.calls;
    ration.refused_call = refused < 0 ? -1 : before + refused;
    const elastica_status status = elastica_world_step(world, 1e-4, 3);
    if (refused < 0) hash = status == ELASTICA_OK ? hash_world(world) : 0;
    done = refused >= 0 && status == ELASTICA_OK;
    if (status != ELASTICA_OK) {
      assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
      must(world, elastica_world_step(world, 1e-4, 3));
    }
    assert_int_equal(hash_world(world), hash);
    elastica_world_destroy(world);
    assert_int_equal(ration.blocks, 0);
  }
}
