/* Claims about what acts between rods: action and reaction, the instant at which all of them meet, and that nothing else notices.
 *
 * equation   a spring k_i = k m_i between nodes i of two equal rods moves them like two point masses: omega^2 = 2 k, and by Verlet
 *            sin(omega_d dt/2) = omega dt/2
 */
#include "base/target.h"

#include "rationed_memory.h"
#include "scenes.h"

/* ---- Springs between the nodes of two rods ---- */

typedef struct springs {
  int first, second;   /* numbers of the rods */
  double rate;         /* k/m_i [1/s^2] */
  double rest[3];      /* [m] from the first to the second at rest */
  long calls;          /* of the hook: history */
  elastica_status end; /* what it returns */
} springs;

static elastica_status pull_together(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  springs *s = self;
  const elastica_rod_view *one = loads->rods[s->first], *other = loads->rods[s->second];
  s->calls++;
  if (now->rod_index != -1 || loads->struct_size != sizeof *loads) return ELASTICA_INVALID_ARGUMENT;
  for (int i = 0; i < one->node_count && i < other->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const double force = s->rate * one->mass[i] * (other->position[a][i] - one->position[a][i] - s->rest[a]);
      loads->loads[s->first].force[a][i] += force;
      loads->loads[s->second].force[a][i] -= force;
    }
  return s->end;
}

static elastica_status bound_springs(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const springs *s = self;
  (void)now;
  for (int i = 0; i < rod->node_count && (rod->rod_index == s->first || rod->rod_index == s->second); i++)
    stiffness->node[i] += 2.0 * s->rate * rod->mass[i];
  return ELASTICA_OK;
}

static elastica_module module_of(const springs *s) {
  elastica_module module = module_named("springs");
  module.self = s;
  module.self_size = sizeof *s;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_world_loads = pull_together;
  module.add_stiffness = bound_springs;
  return module;
}

static elastica_effect *add_springs(elastica_world *world, const springs *s) {
  const elastica_module module = module_of(s);
  elastica_effect *effect = NULL;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}

/* A straight rod along z that stands at x and moves with v along x. */
static elastica_rod *add_standing_rod(elastica_world *world, double x, double v) {
  elastica_rod_def def;
  double velocity[3 * 11];
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 10;
  def.start[0] = x;
  def.length = 1.0, def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e6;
  for (int i = 0; i < 11; i++) set_vector(velocity, i, v, 0.0, 0.0);
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static const springs usual = {0, 1, 50.0, {0.5, 0.0, 0.0}, 0, ELASTICA_OK};

static void two_rods_on_springs_swing_as_the_discrete_formula_says(void **state) {
  const double dt = 1e-4, v = 0.1, omega = sqrt(2.0 * usual.rate), discrete = 2.0 / dt * asin(0.5 * omega * dt);
  (void)state;
  elastica_world *world = make_world(NULL);
  const elastica_rod *one = add_standing_rod(world, 0.0, v), *other = add_standing_rod(world, 0.5, -v);
  add_springs(world, &usual);
  for (int k = 1; k <= 20; k++) {
    must(world, elastica_world_step(world, dt, 250));
    const double gap = elastica_rod_get_view(other)->position[0][5] - elastica_rod_get_view(one)->position[0][5] - 0.5;
    /* the velocity at t = 0 stands where the drift begins: x = -(2 v/omega_d') sin, with the amplitude of Verlet's closed orbit */
    const double amplitude = 2.0 * v * dt / sin(discrete * dt) * (1.0 - 0.25 * omega * omega * dt * dt);
    assert_close(gap, -amplitude * sin(discrete * dt * 250.0 * k), 1e-11);
  }
  elastica_world_destroy(world);
}

/* Linear momentum in any motion; angular momentum where the rods themselves have no step error: here they translate. */
static void momentum_of_the_pair_stays(void **state) {
  springs s = usual;
  elastica_momentum before, after;
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  (void)state;
  for (int a = 0; a < 3; a++) s.rest[a] = 0.0;
  recipe.bend = 0.5;
  recipe.spin = 5.0;
  for (int translating = 0; translating < 2; translating++) {
    elastica_world *world = make_world(NULL);
    for (uint64_t k = 1; k <= 2 && !translating; k++) {
      make_sample(&sample, 12, k, &recipe);
      add_sample(world, &sample);
    }
    if (translating) add_standing_rod(world, 0.3, 0.2);
    if (translating) add_standing_rod(world, -0.3, 0.1);
    add_springs(world, &s);
    must(world, elastica_world_get_momentum(world, &before));
    must(world, elastica_world_advance(world, 0.1));
    must(world, elastica_world_get_momentum(world, &after));
    for (int a = 0; a < 3; a++) {
      assert_close(after.linear[a], before.linear[a], 1e-12 * before.mass);
      if (translating) assert_close(after.angular[a], before.angular[a], 1e-12 * before.mass);
    }
    elastica_world_destroy(world);
  }
}

/* ---- What does not act between rods keeps its bits ---- */

static elastica_status look_on(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)loads;
  return now->rod_index == -1 ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED;
}

static void add_onlooker(elastica_world *world) {
  elastica_module module = module_named("onlooker");
  module.add_world_loads = look_on;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

static uint64_t run_scene(const scene *of, int watched, size_t tile_size, int workers) {
  elastica_world_def def = of->by_default ? default_world() : papers_world();
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  of->fill(world);
  if (watched) add_onlooker(world);
  must(world, elastica_world_step(world, of->dt, of->steps));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

static void nothing_notices_a_meeting_in_which_nothing_happens(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
    assert_int_equal(run_scene(&scenes[k], 1, 256, 1), scenes[k].hash);
    assert_int_equal(run_scene(&scenes[k], 1, 16, 3), scenes[k].hash);
  }
}

/* Two rods on springs, a third beside them that swings in gravity, drag and on a wall. */
static elastica_world *make_mixed_world(size_t tile_size, int workers) {
  elastica_world_def def = default_world();
  elastica_dissipation_def dissipation;
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  add_standing_rod(world, 0.0, 0.2);
  add_standing_rod(world, 0.4, -0.2);
  fill_cantilever(world);
  elastica_dissipation_def_init(&dissipation, sizeof dissipation);
  dissipation.translation = 0.01;
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  return world;
}

static uint64_t run_mixed(size_t tile_size, int workers, int cut) {
  elastica_world *world = make_mixed_world(tile_size, workers);
  add_springs(world, &usual);
  for (int k = 0; k < (cut ? 300 : 1); k++) must(world, elastica_world_step(world, 1e-4, cut ? 1 : 300));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

static void bits_do_not_depend_on_tiles_threads_and_calls(void **state) {
  const uint64_t hash = run_mixed(256, 1, 0);
  (void)state;
  assert_int_equal(run_mixed(16, 1, 0), hash);
  assert_int_equal(run_mixed(16, 3, 0), hash);
  assert_int_equal(run_mixed(256, 1, 1), hash);
}

static void a_rod_beside_keeps_its_bits(void **state) {
  uint64_t hash[2];
  (void)state;
  for (int with = 0; with < 2; with++) {
    elastica_world *world = make_mixed_world(256, 1);
    if (with) add_springs(world, &usual);
    must(world, elastica_world_step(world, 1e-4, 300));
    hash[with] = hash_rod(hash_start(), elastica_world_rod(world, 2));
    elastica_world_destroy(world);
  }
  assert_int_equal(hash[0], hash[1]);
}

/* ---- On and off, holes, snapshots ---- */

static void springs_that_are_switched_off_do_nothing(void **state) {
  uint64_t hash[2];
  (void)state;
  for (int with = 0; with < 2; with++) {
    elastica_world *world = make_mixed_world(256, 1);
    elastica_effect *effect = with ? add_springs(world, &usual) : NULL;
    if (with) must(world, elastica_effect_set_enabled(effect, 0));
    must(world, elastica_world_step(world, 1e-4, 50));
    if (with) must(world, elastica_effect_set_enabled(effect, 1));
    if (with) must(world, elastica_effect_remove(effect));
    must(world, elastica_world_step(world, 1e-4, 50));
    hash[with] = hash_world(world);
    elastica_world_destroy(world);
  }
  assert_int_equal(hash[0], hash[1]);
}

static void a_removed_rod_reads_null(void **state) {
  springs s = usual;
  (void)state;
  s.first = 1, s.second = 2;
  elastica_world *world = make_world(NULL);
  elastica_rod *gone = add_standing_rod(world, -1.0, 0.0);
  add_standing_rod(world, 0.0, 0.1);
  add_standing_rod(world, 0.5, -0.1);
  elastica_effect *effect = add_springs(world, &s);
  must(world, elastica_world_step(world, 1e-4, 10));
  must(world, elastica_rod_remove(gone));
  must(world, elastica_world_step(world, 1e-4, 10));
  add_standing_rod(world, 3.0, 0.0);
  must(world, elastica_world_step(world, 1e-4, 10));
  assert_int_equal(((const springs *)elastica_effect_self(effect))->calls, 30);
  elastica_world_destroy(world);
}

static void a_snapshot_has_their_history(void **state) {
  unsigned char bytes[65536];
  (void)state;
  elastica_world *world = make_mixed_world(256, 1);
  elastica_effect *effect = add_springs(world, &usual);
  must(world, elastica_world_step(world, 1e-4, 100));
  const size_t size = elastica_world_snapshot_size(world);
  assert_true(size > 0 && size <= sizeof bytes);
  must(world, elastica_world_snapshot_save(world, bytes, size));
  must(world, elastica_world_step(world, 1e-4, 100));
  const uint64_t hash = hash_world(world);
  must(world, elastica_world_snapshot_load(world, bytes, size));
  assert_int_equal(((const springs *)elastica_effect_self(effect))->calls, 100);
  must(world, elastica_world_step(world, 1e-4, 100));
  assert_int_equal(hash_world(world), hash);
  elastica_world_destroy(world);
}

/* ---- Questions ---- */

static void evaluate_sees_them_and_changes_nothing(void **state) {
  (void)state;
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
    assert_int_equal(((const springs *)elastica_effect_self(effect))->calls, 0);
  }
  elastica_world_destroy(world);
}

static void a_budget_has_their_work_and_impulse(void **state) {
  elastica_budget *budget = NULL;
  elastica_budget_share share;
  elastica_budget_sum sum;
  elastica_momentum before, after;
  (void)state;
  elastica_world *world = make_mixed_world(16, 1);
  elastica_effect *effect = add_springs(world, &usual);
  must(world, elastica_budget_open(world, &budget));
  must(world, elastica_rod_get_momentum(elastica_world_rod(world, 0), &before));
  must(world, elastica_world_step(world, 1e-4, 200));
  must(world, elastica_rod_get_momentum(elastica_world_rod(world, 0), &after));
  must(world, elastica_budget_get_effect(budget, elastica_effect_index(effect), &share));
  must(world, elastica_budget_get(budget, &sum));
  for (int a = 0; a < 3; a++) assert_close(share.impulse[a], 0.0, 1e-13);
  /* the springs give what they hold, (k/2) sum m_i gap^2, and dissipation takes little of it */
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

static void relaxation_finds_where_springs_balance_weight(void **state) {
  const double gravity[3] = {-2.0, 0.0, 0.0};
  elastica_pin_def pin;
  (void)state;
  elastica_world *world = make_world(NULL);
  elastica_rod *held = add_standing_rod(world, 0.0, 0.0), *hangs = add_standing_rod(world, 0.5, 0.0);
  elastica_pin_def_init(&pin, sizeof pin);
  for (int i = 0; i <= 10; i++) {
    pin.node = i;
    must(world, elastica_add_pin(world, held, &pin, NULL));
  }
  add_springs(world, &usual);
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  for (int i = 0; i <= 10; i++) assert_close(elastica_rod_get_view(hangs)->position[0][i], 0.5 - 2.0 / usual.rate, 1e-7);
  elastica_world_destroy(world);
}

/* ---- Limits and failures ---- */

static void the_step_limit_counts_their_bounds(void **state) {
  springs s = usual;
  elastica_step_limit limit;
  (void)state;
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

static void a_hook_that_fails_is_named(void **state) {
  springs s = usual;
  (void)state;
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

/* Every allocation of the first meeting fails once: the call is refused, and the next one goes on as if nothing had been. */
static void without_memory_nothing_is_lost(void **state) {
  memory_ration ration = plenty();
  uint64_t hash = 0;
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_rods_on_springs_swing_as_the_discrete_formula_says),
      cmocka_unit_test(momentum_of_the_pair_stays),
      cmocka_unit_test(nothing_notices_a_meeting_in_which_nothing_happens),
      cmocka_unit_test(bits_do_not_depend_on_tiles_threads_and_calls),
      cmocka_unit_test(a_rod_beside_keeps_its_bits),
      cmocka_unit_test(springs_that_are_switched_off_do_nothing),
      cmocka_unit_test(a_removed_rod_reads_null),
      cmocka_unit_test(a_snapshot_has_their_history),
      cmocka_unit_test(evaluate_sees_them_and_changes_nothing),
      cmocka_unit_test(a_budget_has_their_work_and_impulse),
      cmocka_unit_test(relaxation_finds_where_springs_balance_weight),
      cmocka_unit_test(the_step_limit_counts_their_bounds),
      cmocka_unit_test(a_hook_that_fails_is_named),
      cmocka_unit_test(without_memory_nothing_is_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
