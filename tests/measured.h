/* Measurements of a whole world: energies, momentum, the step limit, the work of effects; and worlds for them. */
#ifndef TESTS_MEASURED_H
#define TESTS_MEASURED_H

#include "support.h"

static inline elastica_world *make_world_of_law(elastica_law law, int exact_couple) {
  elastica_world_def def = default_world();
  def.law = law;
  def.exact_couple = exact_couple;
  return make_world(&def);
}

/* The forces of its bare rods have a potential: a change of their energy is the work of effects, up to the error of a step of second
 * order. */
static inline elastica_world *make_conservative_world(void) {
  return make_world_of_law(ELASTICA_LAW_CLASSICAL, 1);
}

/* Uniform straight rods at rest but for small random velocities. */
static inline elastica_world *make_noisy_world(int allow_unstable_step) {
  elastica_world_def def = default_world();
  def.allow_unstable_step = allow_unstable_step;
  elastica_world *world = make_world(&def);
  random_source source = {3};
  for (int k = 0; k < 2; k++) {
    double velocity[3 * 21];
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, k == 0 ? 0.05 : 0.025, 1000.0, 1e6, 0.35e6);
    for (int i = 0; i < 21; i++) random_vector(&source, 1e-3, velocity + 3 * i);
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  }
  return world;
}

/* Adds a clamp at one end; its frame is turned by phi from that of the end element. */
static inline void add_turned_clamp(elastica_world *world, elastica_rod *rod, elastica_end end, elastica_boundary_kind kind,
                                    const double *phi) {
  rod_state now;
  const int j = end == ELASTICA_END_FIRST ? 0 : elastica_rod_get_view(rod)->element_count - 1;
  DEFAULTS(boundary, clamp);
  clamp.node = end == ELASTICA_END_LAST ? -1 : 0;
  clamp.kind = kind;
  read_state(rod, &now);
  if (phi != NULL) {
    memcpy(clamp.director, now.director + 9 * j, sizeof clamp.director);
    turn_frame(phi, clamp.director);
  }
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

/* A muscle of period 1 s. */
static inline elastica_muscle_def muscle_of(elastica_muscle_kind kind, int axis, const double *amplitude) {
  DEFAULTS(muscle, def);
  def.kind = kind;
  def.axis = axis;
  def.amplitude = amplitude;
  def.period = 1.0;
  return def;
}

static inline elastica_totals momentum_of(elastica_world *world) {
  elastica_totals momentum;
  must(world, elastica_world_get_totals(world, &momentum));
  return momentum;
}

static inline elastica_step_limit limit_of(elastica_world *world) {
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  return limit;
}

static inline double power_of(elastica_effect *const *effects, int count) {
  double power = 0.0;
  for (int k = 0; k < count; k++) power += elastica_effect_power(effects[k]);
  return power;
}

/* Sums over a rod, laboratory components. */
typedef struct load_sum {
  double force[3], torque[3];
  double gross_force, gross_torque; /* sums of absolute values */
} load_sum;

/* Internal forces and couples of a refreshed rod, about the origin. */
static inline load_sum sum_internal_loads(const elastica_rod_view *view) {
  load_sum sum;
  memset(&sum, 0, sizeof sum);
  for (int i = 0; i < view->node_count; i++) {
    const double r[3] = {view->position[0][i], view->position[1][i], view->position[2][i]};
    const double f[3] = {view->internal_force[0][i], view->internal_force[1][i], view->internal_force[2][i]};
    double arm[3];
    cross(r, f, arm);
    for (int a = 0; a < 3; a++) sum.force[a] += f[a], sum.torque[a] += arm[a];
    sum.gross_force += norm(f), sum.gross_torque += norm(arm);
  }
  for (int j = 0; j < view->element_count; j++) {
    const double c[3] = {view->internal_couple[0][j], view->internal_couple[1][j], view->internal_couple[2][j]};
    double couple[3];
    elastica_rotate_to_laboratory(view, j, c, couple);
    for (int a = 0; a < 3; a++) sum.torque[a] += couple[a];
    sum.gross_torque += norm(couple);
  }
  return sum;
}

/* Steps the world to a time. Returns the work of the effects, integrated from their power before and after each step by the trapezoidal
 * rule. */
static inline double work_until(elastica_world *world, double end, double dt, elastica_effect *const *effects, int count) {
  double work = 0.0;
  while (elastica_world_get(world).time < end - 0.5 * dt) {
    work += 0.5 * dt * power_of(effects, count);
    must(world, elastica_world_step(world, dt, 1));
    work += 0.5 * dt * power_of(effects, count);
  }
  return work;
}

enum { MOST_ACTIVE = 12 };

/* Fills a world with rods and active effects; returns the number of effects. */
typedef int (*fill_active)(elastica_world *world, elastica_effect *effects[MOST_ACTIVE]);

/* The change of the energy by the effects must agree with the trapezoidal integral of their power, to this share of it; with half the
 * step the difference falls by four. */
static inline void assert_power_is_what_is_put_in(fill_active fill, double least_share) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_conservative_world();
    elastica_effect *effects[MOST_ACTIVE];
    const int count = fill(world, effects);
    const double before = mechanical_energy(world);
    const double work = work_until(world, 0.02, k == 0 ? 1e-4 : 5e-5, effects, count);
    const double change = mechanical_energy(world) - before;
    assert_true(fabs(change) > least_share * before);
    error[k] = fabs(work - change);
    assert_true(error[k] < 0.01 * fabs(change));
    elastica_world_destroy(world);
  }
  assert_between(error[0] / error[1], 3.0, 5.0);
}

#endif
