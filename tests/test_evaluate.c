/* Claims about loads at the present state: they give the accelerations of nodes and frames, their parts agree with formulas, and a query
 * changes no bit, history or record of a step.
 */
#include "base/target.h"

#include "conformance_table.h"
#include "rationed_memory.h"
#include "scenes.h"
#include "threads.h"

/* ---- Totals accelerate ---- */

/* The kick of a step of dt equals the total times dt, for every effect without constraints; rates count as -drag v. */
static void claim_newton(const effect_row *row, int closed) {
  const double dt = 0x1p-29;
  elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
  elastica_rod *rod = add_row_rod(row, world, closed, 4);
  add_effect_of(row, world, rod, 1.0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int nodes = view->node_count, elements = view->element_count;
  double force[3 * SAMPLE_NODES], couple[3 * SAMPLE_ELEMENTS], rates[LINEARISED_CAPACITY], largest = 0.0, largest_couple = 0.0;
  rod_state state;
  must(world, elastica_world_evaluate(world, dt));
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < nodes; i++) force[3 * i + a] = view->total_force[a][i], largest = fmax(largest, fabs(force[3 * i + a]));
    for (int j = 0; j < elements; j++)
      couple[3 * j + a] = view->total_couple[a][j], largest_couple = fmax(largest_couple, fabs(couple[3 * j + a]));
  }
  read_state(rod, &state);
  rates_of_momentum(rod, &state, rates);
  for (int k = 0; k < 3 * (nodes + elements); k++) {
    const int node = k < 3 * nodes;
    const int i = node ? k / 3 : k / 3 - nodes, a = k % 3;
    const double total = node ? force[k] : couple[k - 3 * nodes];
    const double momentum = node ? view->mass[i] * view->velocity[a][i] : view->inertia[a][i] * view->omega[a][i];
    const double rounding = 0x1p-51 * fabs(momentum) / dt; /* the inertia of a body is large compared with its couples */
    if (!(fabs(total - rates[k]) <= 1e-5 * (node ? largest : largest_couple) + rounding))
      fail_msg("%s: total %d is %g, not %g", label_of(row, closed), k, total, rates[k]);
  }
  elastica_world_destroy(world);
}

TEST(totals_give_the_accelerations) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++)
      if (takes(&effect_rows[k], closed) && !(effect_rows[k].is & HOLDS)) claim_newton(&effect_rows[k], closed);
}

/* ---- Parts ---- */

/* A cantilever at rest: only the held node has a net force, and the constraint supports the weight. */
TEST(the_clamp_of_a_cantilever_carries_its_weight) {
  const double g = 9.81, gravity[3] = {0.0, -9.81, 0.0};
  elastica_totals all;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e7, 4e6);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  clamp_first_end(world, rod);
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  must(world, elastica_rod_get_totals(rod, &all));
  must(world, elastica_world_evaluate(world, 0.0));
  const double weight = all.mass * g;
  for (int i = 0; i <= 20; i++) {
    assert_close(view->external_force[1][i], -g * view->mass[i], 1e-12 * weight);
    assert_true(view->external_force[0][i] == 0.0 && view->drag[i] == 0.0);
    assert_close(view->total_force[1][i], i == 0 ? -weight : 0.0, 1e-6 * weight);
    assert_close(view->total_force[2][i], 0.0, 1e-6 * weight);
    for (int a = 0; a < 3; a++) assert_true(view->reaction_force[a][i] == 0.0);
  }
  for (int j = 0; j < 20; j++) assert_close(view->total_couple[0][j], 0.0, 1e-6 * weight);
  elastica_world_destroy(world);
}

/* A rod on an inclined plane: pressure balances the normal part of its weight, static friction the tangential part. */
TEST(a_wall_bears_and_holds) {
  const double gravity[3] = {0.0, 1.0, -9.0};
  for (int balance = 0; balance < 2; balance++) {
    elastica_world *world = make_world(NULL);
    elastica_rod_def def = lying_rod_def(8);
    elastica_rod *rod = NULL;
    elastica_effect *effect = NULL;
    def.density = 500.0, def.youngs_modulus = 1e7;
    DEFAULTS(obstacle, wall);
    wall.balance = (elastica_balance)balance;
    wall.stiffness = 10.0, wall.slip_velocity = 1e-4;
    for (int a = 0; a < 3; a++) wall.static_friction[a] = wall.kinetic_friction[a] = 0.5;
    must(world, elastica_world_add_rod(world, &def, &rod));
    must(world, elastica_add_gravity(world, gravity, NULL));
    must(world, elastica_add_obstacle(world, rod, &wall, &effect));
    must(world, elastica_world_evaluate(world, 1e-5));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double sum[3] = {0.0, 0.0, 0.0}, mass = 0.0, felt[3];
    for (int i = 0; i < view->node_count; i++) {
      mass += view->mass[i];
      for (int a = 0; a < 3; a++) sum[a] += view->reaction_force[a][i];
      assert_close(view->total_force[2][i], 0.0, 1e-9);
    }
    assert_close(sum[2], 9.0 * mass, 1e-9 * mass);
    assert_close(sum[0], 0.0, 1e-9 * mass);
    assert_between(-sum[1] / mass, 0.3, 1.0); /* one third remains to roll the rod: (4.12) */
    must(world, elastica_obstacle_get_force(effect, felt, NULL));
    for (int a = 0; a < 3; a++) assert_true(felt[a] == 0.0); /* no step was taken */
    must(world, elastica_world_step(world, 1e-5, 1));
    must(world, elastica_obstacle_get_force(effect, felt, NULL));
    for (int a = 0; a < 3; a++) assert_close(felt[a], -sum[a], 1e-3 * mass);
    const double before[3] = {felt[0], felt[1], felt[2]};
    must(world, elastica_world_evaluate(world, 1e-3));
    must(world, elastica_obstacle_get_force(effect, felt, NULL));
    assert_memory_equal(before, felt, sizeof before);
    elastica_world_destroy(world);
  }
}

TEST(rates_are_shown) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
  DEFAULTS(dissipation, damping);
  damping.translation = 3.0, damping.rotation = 0.25;
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  must(world, elastica_world_evaluate(world, 0.0));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= 4; i++) assert_close(view->drag[i], i % 4 ? 0.75 : 0.375, 1e-15);
  for (int j = 0; j < 4; j++) assert_close(view->spin_drag[j], 0.0625, 1e-15);
  elastica_world_destroy(world);
}

/* ---- Queries change nothing ---- */

TEST(no_bit_depends_on_the_question) {
  for (int k = 0; k < SCENE_COUNT; k++) {
    elastica_world *asked = make_world_of_scene(&scenes[k]), *other = make_world_of_scene(&scenes[k]);
    for (int step = 0; step < 120; step++) {
      must(asked, elastica_world_evaluate(asked, step % 3 ? scenes[k].dt : 0.0));
      must(asked, elastica_world_step(asked, scenes[k].dt, 1 + step % 2));
      must(other, elastica_world_step(other, scenes[k].dt, 1 + step % 2));
    }
    if (hash_world(asked) != hash_world(other)) fail_msg("%s depends on questions for loads", scenes[k].name);
    elastica_world_destroy(asked);
    elastica_world_destroy(other);
  }
}

/* Counts its calls and applies a force of that size. */
static elastica_status push_by_count(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  double *count = self;
  (void)now, (void)rod;
  *count += 1.0;
  loads->force[0][0] += *count;
  return ELASTICA_OK;
}

TEST(history_is_put_back) {
  double count = 0.0;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("counter");
  elastica_effect *copied = NULL, *borrowed = NULL;
  module.self = &count;
  module.self_size = sizeof count;
  module.add_reactions = push_by_count;
  must(world, elastica_world_add_module(world, rod, &module, &copied));
  must(world, elastica_world_step(world, 1e-6, 3));
  for (int again = 0; again < 3; again++) {
    must(world, elastica_world_evaluate(world, 1e-6));
    assert_true(elastica_rod_get_view(rod)->reaction_force[0][0] == 4.0);
    assert_true(*(double *)elastica_effect_get(copied).self == 3.0);
  }
  must(world, elastica_world_evaluate(world, 0.0)); /* dt 0: no reactions */
  assert_true(elastica_rod_get_view(rod)->reaction_force[0][0] == 0.0);
  module.self_size = 0;
  must(world, elastica_world_add_module(world, rod, &module, &borrowed));
  assert_refused(world, elastica_world_evaluate(world, 1e-6), ELASTICA_INVALID_ARGUMENT, "evaluate", "effect 1 \"counter\"", "borrowed");
  assert_true(count == 0.0);
  must(world, elastica_world_evaluate(world, 0.0));
  must(world, elastica_effect_set_enabled(borrowed, 0));
  must(world, elastica_world_evaluate(world, 1e-6));
  must(world, elastica_effect_set_enabled(borrowed, 1));
  module.stateless = 1;
  must(world, elastica_effect_set_module(borrowed, &module));
  must(world, elastica_world_evaluate(world, 1e-6));
  elastica_world_destroy(world);
}

/* ---- Lanes ---- */

TEST(lanes_last_until_the_next_step) {
  elastica_totals energy;
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  fill_cantilever(world);
  elastica_rod *rod = elastica_world_rod(world, 0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  assert_null(view->total_force[0]);
  must(world, elastica_world_evaluate(world, 0.0));
  const double *total = view->total_force[1], *strain = view->strain[2];
  assert_true(total != NULL && strain != NULL && view->spin_drag != NULL);
  const double value = total[5];
  must(world, elastica_rod_refresh(rod));
  must(world, elastica_world_get_totals(world, &energy));
  must(world, elastica_world_step_limit(world, &limit));
  assert_status(world, elastica_world_step(world, 2.0 * limit.dt, 1), ELASTICA_UNSTABLE_STEP);
  assert_ptr_equal(view->total_force[1], total);
  assert_ptr_equal(view->strain[2], strain);
  assert_true(total[5] == value);
  must(world, elastica_world_step(world, 1e-5, 1));
  assert_null(view->total_force[1]);
  assert_null(view->external_couple[0]);
  assert_null(view->drag);
  assert_null(view->strain[2]);
  must(world, elastica_world_evaluate(world, 0.0));
  add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
  assert_null(view->total_force[1]);
  must(world, elastica_world_evaluate(world, 0.0));
  assert_non_null(elastica_rod_get_view(elastica_world_rod(world, 1))->total_force[1]);
  elastica_world_destroy(world);
}

/* ---- Refusals ---- */

typedef struct fickle {
  elastica_world *world;
  int fails, asks, refusals;
} fickle;

static elastica_status push_or_fail(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  fickle *f = self;
  (void)now, (void)rod;
  loads->force[1][0] += 1.0;
  if (f->asks && elastica_world_evaluate(f->world, 0.0) == ELASTICA_WRONG_STATE) f->refusals++;
  return f->fails ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

TEST(a_failing_hook_refuses_and_leaves_no_loads) {
  fickle one = {NULL, 0, 0, 0}, two = one;
  elastica_world *worlds[2] = {make_world(NULL), make_world(NULL)};
  fickle *selves[2] = {&one, &two};
  for (int k = 0; k < 2; k++) {
    elastica_module module = module_named("fickle");
    add_straight_rod(worlds[k], 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
    selves[k]->world = worlds[k];
    module.self = selves[k];
    module.add_loads = push_or_fail;
    must(worlds[k], elastica_world_add_module(worlds[k], NULL, &module, NULL));
    must(worlds[k], elastica_world_step(worlds[k], 1e-5, 2));
  }
  one.fails = 1;
  assert_refused(worlds[0], elastica_world_evaluate(worlds[0], 1e-5), ELASTICA_CALLBACK_FAILED, "effect 0 \"fickle\"", "add_loads",
                 "rod 0");
  assert_null(elastica_rod_get_view(elastica_world_rod(worlds[0], 0))->total_force[0]);
  one.fails = 0, one.asks = 1;
  for (int k = 0; k < 2; k++) must(worlds[k], elastica_world_step(worlds[k], 1e-5, 2));
  assert_int_equal(one.refusals, 2);
  assert_true(hash_world(worlds[0]) == hash_world(worlds[1]));
  for (int k = 0; k < 2; k++) elastica_world_destroy(worlds[k]);
}

TEST(wrong_steps_are_refused) {
  static const double wrong[] = {-1.0, (double)NAN, (double)INFINITY, 1e200, 1e-200};
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 5; k++) assert_refused(world, elastica_world_evaluate(world, wrong[k]), ELASTICA_INVALID_ARGUMENT, "evaluate", "dt");
  must(world, elastica_world_evaluate(world, 0.0)); /* an empty world */
  assert_int_equal(elastica_world_evaluate(NULL, 0.0), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}

TEST(without_memory_nothing_is_evaluated) {
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration), *other = make_world(NULL);
  fill_logs(world), fill_logs(other);
  must(world, elastica_world_step(world, 0x1p-17, 1));
  must(other, elastica_world_step(other, 0x1p-17, 1));
  int refused = 0;
  for (long allowed = 0; allowed < 20; allowed++) {
    ration.left = allowed;
    const elastica_status status = elastica_world_evaluate(world, 1e-5);
    if (status == ELASTICA_OK) break;
    assert_status(world, status, ELASTICA_OUT_OF_MEMORY);
    refused++;
  }
  assert_between(refused, 3, 10); /* derived lanes, loads, and the data from which two walls answer */
  ration.left = 100;
  must(world, elastica_world_step(world, 0x1p-17, 50));
  must(other, elastica_world_step(other, 0x1p-17, 50));
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(world);
  elastica_world_destroy(other);
  assert_int_equal(ration.blocks, 0);
}

/* A query in the middle of a run on this number of threads: returns a hash of the answers and of the steps around it. */
static uint64_t evaluate_while_running(size_t tile_size, int workers) {
  const sample_recipe recipe = usual_recipe();
  const double gravity[3] = {0.5, -9.81, 0.25};
  elastica_world_def def = default_world();
  sample_rod sample;
  uint64_t hash = hash_start();
  def.tile_size = tile_size, def.worker_count = workers;
  elastica_world *world = make_world(&def);
  share_all_work(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  for (int r = 0; r < 12; r++) make_sample(&sample, 2 + r, (uint64_t)r, &recipe), add_sample(world, &sample);
  for (int k = 0; k < 3; k++) {
    must(world, elastica_world_step(world, 0x1p-14, 5));
    must(world, elastica_world_evaluate(world, k * 0x1p-14));
    for (int r = 0; r < 12; r++) {
      const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, r));
      for (int a = 0; a < 3; a++) {
        hash = hash_numbers(hash, view->total_force[a], view->node_count);
        hash = hash_numbers(hash, view->total_couple[a], view->element_count);
      }
    }
  }
  hash ^= hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(loads_do_not_depend_on_tiles_and_threads) {
  const uint64_t expected = evaluate_while_running(4096, 1);
  assert_true(evaluate_while_running(1, 3) == expected);
  assert_true(evaluate_while_running(17, 2) == expected);
}

static elastica_status evaluate_in_sampler(void *user, elastica_world *world) {
  ++*(int *)user;
  must(world, elastica_world_evaluate(world, 1e-4));
  assert_non_null(elastica_rod_get_view(elastica_world_rod(world, 0))->total_force[2]);
  assert_non_null(elastica_rod_get_view(elastica_world_rod(world, 0))->strain[2]);
  return ELASTICA_OK;
}

TEST(a_sampler_may_ask) {
  elastica_sampler sampler;
  int calls = 0;
  elastica_world *world = make_papers_world(), *other = make_papers_world();
  fill_snake(world), fill_snake(other);
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = evaluate_in_sampler;
  sampler.user = &calls;
  sampler.interval = 7 * 0x1p-15;
  must(world, elastica_world_set_sampler(world, &sampler));
  must(world, elastica_world_step(world, 0x1p-15, 70));
  must(other, elastica_world_step(other, 0x1p-15, 70));
  assert_int_equal(calls, 11);
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}
