/* An open budget while rods and effects are added and removed, and states are set: only steps count as work, and all changes between
 * steps are reported. */
#include "base/target.h"

#include "budgets.h"
#include "changing.h"

static const double dt = 0x1p-14, pi = 3.14159265358979324;

/* ---- Formulas ---- */

/* A straight rod that flies along x, decelerated at the rate c. */
static elastica_rod *throw_rod(elastica_world *world, int n, double speed, double c) {
  double velocity[3 * SAMPLE_NODES] = {0.0};
  elastica_rod *rod = add_straight_rod(world, n, 1.0, 0.02, 1000.0, 1e6, 4e5);
  for (int i = 0; i <= n; i++) velocity[component(i, X)] = speed;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = c;
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  return rod;
}

/* Energy dissipated in a time from a rod of mass m and speed v: m v^2 (1 - exp(-2 c t/m))/2. */
static double taken(double speed, double c, double time) {
  const double m = 1000.0 * pi * 4e-4;
  return 0.5 * m * speed * speed * (1.0 - exp(-2.0 * c * time / m));
}

/* The second effect takes the lanes and lists of the first. */
TEST(sums_of_a_removed_effect_stay_under_its_number) {
  const double time = 1000 * dt, m = 1000.0 * pi * 4e-4;
  elastica_world *world = make_world(NULL);
  elastica_rod *first = throw_rod(world, 10, 3.0, 1.0);
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, dt, 1000));
  const double left = mechanical_energy(world);
  must(world, elastica_rod_remove(first));
  throw_rod(world, 10, -5.0, 2.0);
  const elastica_budget_share at_once = share_of(world, budget, 1);
  assert_true(at_once.work == 0.0 && at_once.impulse[0] == 0.0);
  must(world, elastica_world_step(world, dt, 1000));
  const elastica_budget_sum sum = sum_of(world, budget);
  const elastica_budget_share one = share_of(world, budget, 0), two = share_of(world, budget, 1);
  const double from_one = taken(3.0, 1.0, time), from_two = taken(5.0, 2.0, time);
  assert_close(one.work, -from_one, 1e-6 * from_one);
  assert_close(two.work, -from_two, 1e-6 * from_two);
  assert_close(one.impulse[0], -3.0 * m * (1.0 - exp(-time / m)), 1e-6);
  assert_close(two.impulse[0], 5.0 * m * (1.0 - exp(-2.0 * time / m)), 1e-6);
  assert_true(one.energy == 0.0 && one.energy_change == 0.0);
  assert_close(sum.between, 0.5 * m * 25.0 - left, 1e-12 * left);
  assert_close(sum.kinetic_change, one.work + two.work, 1e-12 * from_two);
  assert_close(sum.residual, 0.0, 1e-12 * from_two);
  assert_close(sum.kinetic, 0.5 * m * 9.0 + sum.kinetic_change + sum.between, 1e-12 * sum.kinetic);
  elastica_world_destroy(world);
}

/* The work is m g h of the motion in steps alone. Lifting a rod by 7 m, adding and removing rods, and time with gravity disabled do not
 * count. */
TEST(a_potential_changes_in_steps_alone) {
  const double g[3] = {0.0, 0.0, -9.81};
  double lifted[33], speed[33];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_rod *other = add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_effect *weight;
  must(world, elastica_add_gravity(world, g, &weight));
  elastica_budget *budget = open_budget(world);
  must(world, elastica_world_step(world, dt, 100));
  for (int i = 0; i < 11; i++) set_vector(lifted, i, 0.0, 0.0, 7.0 + 0.1 * i), set_vector(speed, i, 0.0, 2.0, 0.0);
  must(world, elastica_rod_set_state(rod, lifted, speed, NULL, NULL));
  must(world, elastica_world_step(world, dt, 100));
  must(world, elastica_rod_remove(other));
  add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_step(world, dt, 100));
  must(world, elastica_effect_set_enabled(weight, 0));
  must(world, elastica_world_step(world, dt, 100));
  must(world, elastica_effect_set_enabled(weight, 1));
  must(world, elastica_world_step(world, dt, 100));
  const elastica_budget_share share = share_of(world, budget, 0);
  const double m = 1000.0 * pi * 4e-4;
  assert_close(share.impulse[2], -2.0 * m * 9.81 * 400 * dt, 1e-12);
  assert_close(share.energy_change, -share.work, 1e-10);
  assert_true(share.work > 0.0);
  assert_close(sum_of(world, budget).residual, 0.0, 1e-10);
  elastica_world_destroy(world);
}

/* ---- Every change ---- */

/* The remainder of the energy in each step, summed by queries around every change. */
TEST(nothing_is_lost_while_rods_come_and_go) {
  enum { ROUNDS = 60, MOST = 12 };
  random_source source = {11};
  elastica_rod *rods[MOST] = {NULL};
  double between = 0.0, work = 0.0, impulse = 0.0;
  elastica_world *world = make_world(NULL);
  add_common_effects(world);
  elastica_budget *budget = open_budget(world);
  double energy = mechanical_energy(world);
  for (int round = 0; round < ROUNDS; round++) {
    const double before = mechanical_energy(world);
    const int place = random_integer(&source, 0, MOST - 1);
    if (rods[place] != NULL) must(world, elastica_rod_remove(rods[place]));
    rods[place] = rods[place] != NULL && round % 3 == 0 ? NULL : add_numbered_rod(world, round);
    if (rods[place] != NULL) add_own_effects(world, rods[place], round);
    must(world, elastica_world_step(world, dt, 0)); /* no step; only constraints are applied */
    if (round > 0) between += mechanical_energy(world) - before;
    if (round == 0) energy = mechanical_energy(world);
    must(world, elastica_world_step(world, dt, 1 + round % 5));
    must(world, elastica_world_step(world, dt, 2));
  }
  const elastica_budget_sum sum = sum_of(world, budget);
  for (int k = 0; k < elastica_world_get(world).effect_count; k++)
    work += share_of(world, budget, k).work, impulse += share_of(world, budget, k).impulse[2];
  const double scale = fabs(sum.work) + fabs(between) + mechanical_energy(world);
  assert_true(fabs(between) > 1e-3 * scale);
  assert_close(sum.between, between, 1e-10 * scale);
  assert_close(mechanical_energy(world), energy + sum.kinetic_change + sum.elastic_change + sum.between, 1e-10 * scale);
  assert_close(sum.residual, sum.kinetic_change + sum.elastic_change - sum.work, 1e-12 * scale);
  assert_close(work, sum.work, 1e-10 * scale);
  assert_close(impulse, sum.impulse[2], 1e-10 * fabs(impulse));
  assert_close(sum.momentum_change[2], sum.impulse[2], 1e-10 * fabs(impulse));
  elastica_world_destroy(world);
}

/* The division of a run into calls does not matter without changes; loading a state is a change. */
TEST(without_a_change_there_is_nothing_between) {
  elastica_world_def def = default_world();
  def.snapshot_interval = 64;
  elastica_world *world = make_world(&def);
  for (int r = 0; r < 8; r++) add_own_effects(world, add_numbered_rod(world, r), r);
  elastica_budget *budget = open_budget(world);
  for (int k = 0; k < 20; k++) must(world, elastica_world_step(world, dt, 5));
  must(world, elastica_world_advance(world, 0.001));
  assert_true(sum_of(world, budget).between == 0.0);
  const double before = mechanical_energy(world);
  must(world, elastica_world_rewind(world));
  const double jump = mechanical_energy(world) - before;
  must(world, elastica_world_step(world, dt, 1));
  assert_true(jump != 0.0);
  assert_close(sum_of(world, budget).between, jump, 1e-12 * before);
  elastica_world_destroy(world);
}
