/* The loads of every effect of the library (see conformance.h): they are the gradient of its energy, its reported power is the rate of
 * their work, and internal loads have no resultant.
 */
#include "base/target.h"

#include "conformance_table.h"

enum { SEED = 11 };

/* A rod and a row's effect on it; NULL: no effect. */
typedef struct scene {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *effect;
  rod_state base;
} scene;

static void make_scene(scene *s, const effect_row *row, int closed, elastica_law law, int exact_couple) {
  s->world = make_kicked_world(law, exact_couple);
  s->rod = row ? add_row_rod(row, s->world, closed, SEED) : add_usual(s->world, closed, SEED);
  s->effect = row ? add_effect_of(row, s->world, s->rod, 1.0) : NULL;
  read_state(s->rod, &s->base);
}

static int has_loads(const effect_row *row) {
  return !(row->is & (HOLDS | MASS | RELAXED));
}

/* ---- Energy is the potential of the loads -------------------------------------------------------------------------------------------- */

/* The papers' law has no forces for the dependence of its bending energies on the lengths of elements, (MODEL) e in 1/e^3: only couples
 * are compared. */
static void claim_potential(const effect_row *row, int closed, elastica_law law, int exact_couple, int couples_alone) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  scene s;
  double load[LINEARISED_CAPACITY];
  make_scene(&s, row, closed, law, exact_couple);
  must(s.world, elastica_rod_set_state(s.rod, NULL, still, NULL, still));
  read_state(s.rod, &s.base);
  const int count = loads_of(s.rod, s.effect, &s.base, load), first = couples_alone ? 3 * elastica_rod_get_view(s.rod)->node_count : 0;
  const double size = largest_entry(load, count);
  assert_true(size > 0.0);
  for (int i = first; i < count; i++) {
    const double slope = load_of_potential(s.rod, s.effect, &s.base, i, 1e-5);
    if (!(fabs(load[i] - slope) <= 1e-7 * size))
      fail_msg("%s: load %d of %d is %.12g, the slope of the energy %.12g", row ? label_of(row, closed) : "the rod itself", i, count,
               load[i], slope);
  }
  elastica_world_destroy(s.world);
}

static int is_potential(const effect_row *row) {
  return (row->is & POTENTIAL) == POTENTIAL;
}

TEST(energy_is_the_potential_of_the_loads) {
  for (int closed = 0; closed < 2; closed++) {
    claim_potential(NULL, closed, ELASTICA_LAW_CLASSICAL, 1, 0);
    for (int k = 0; k < EFFECT_ROWS; k++)
      if (is_potential(&effect_rows[k]) && takes(&effect_rows[k], closed))
        claim_potential(&effect_rows[k], closed, ELASTICA_LAW_CLASSICAL, 1, 0);
  }
}

TEST(with_the_papers_law_gravity_and_the_couples_of_a_clamp_have_a_potential) {
  int found = 0;
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    const int clamp = strcmp(row->name, "boundary") == 0, weight = strcmp(row->name, "gravity") == 0;
    if (!is_potential(row) || !(clamp || weight)) continue;
    for (int closed = 0; closed < 2; closed++)
      if (takes(row, closed)) claim_potential(row, closed, ELASTICA_LAW_RESCALED, clamp, clamp);
    found++;
  }
  assert_int_equal(found, 4);
}

/* The papers' couple leaves out c theta x (theta x tau), c = 1/12 + ..., at clamps as at joints: the allowed difference is |theta|^2
 * |tau|/12. */
TEST(the_papers_couple_of_a_clamp_is_near_the_slope_of_its_energy) {
  int found = 0;
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    scene s;
    double load[LINEARISED_CAPACITY], square = 0.0, couple = 0.0;
    if (strcmp(row->name, "boundary") != 0 || !is_potential(row)) continue;
    make_scene(&s, row, 0, ELASTICA_LAW_CLASSICAL, 0);
    const elastica_rod_view *view = elastica_rod_get_view(s.rod);
    const int count = loads_of(s.rod, s.effect, &s.base, load);
    for (int i = 3 * view->node_count; i < count; i++) {
      const double off = load[i] - load_of_potential(s.rod, s.effect, &s.base, i, 1e-5);
      square += off * off;
      couple += load[i] * load[i];
    }
    const double theta2 = 0.25 + 0.49 + 0.16; /* turn_frame turns by slightly less than its argument */
    assert_between(sqrt(square), 1e-4 * sqrt(couple), 1.1 * theta2 / 12.0 * sqrt(couple));
    elastica_world_destroy(s.world);
    found++;
  }
  assert_int_equal(found, 2);
}

/* ---- Power is the work of the loads per time ----------------------------------------------------------------------------------------- */

/* -dE/dt while the state moves on with its velocities and spins. */
static double loss_of_energy(elastica_rod *rod, elastica_effect *effect, const rod_state *base) {
  const double h = 1e-5, factor[4] = {1.0, -1.0, 2.0, -2.0};
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double value[4];
  for (int k = 0; k < 4; k++) {
    rod_state moved = *base;
    for (int i = 0; i < 3 * view->node_count; i++) moved.position[i] += factor[k] * h * base->velocity[i];
    for (int j = 0; j < view->element_count; j++) {
      const double *w = base->omega + 3 * j;
      const double phi[3] = {factor[k] * h * w[0], factor[k] * h * w[1], factor[k] * h * w[2]};
      turn_frame_exactly(phi, moved.director + 9 * j);
    }
    value[k] = potential_at(rod, effect, &moved);
  }
  return -(8.0 * (value[0] - value[1]) - (value[2] - value[3])) / (12.0 * h);
}

static void claim_power(const effect_row *row, int closed, elastica_law law) {
  scene s;
  double load[LINEARISED_CAPACITY], work = 0.0, gross = 0.0;
  make_scene(&s, row, closed, law, 1);
  const int count = loads_of(s.rod, s.effect, &s.base, load), nodes = elastica_rod_get_view(s.rod)->node_count;
  const double power = elastica_effect_power(s.effect);
  for (int i = 0; i < count; i++) {
    const double rate = i < 3 * nodes ? s.base.velocity[i] : s.base.omega[i - 3 * nodes];
    work += load[i] * rate;
    gross += fabs(load[i] * rate);
  }
  assert_true(gross > 0.0);
  if (!(fabs(power - work) <= 1e-6 * gross))
    fail_msg("%s: power %.12g, work of the loads per time %.12g", label_of(row, closed), power, work);
  if (is_potential(row) && law == ELASTICA_LAW_CLASSICAL) assert_close(power, loss_of_energy(s.rod, s.effect, &s.base), 1e-7 * gross);
  elastica_world_destroy(s.world);
}

TEST(power_is_the_work_of_the_loads_per_time) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      if (!(effect_rows[k].is & POWER) || !takes(&effect_rows[k], closed)) continue;
      claim_power(&effect_rows[k], closed, ELASTICA_LAW_CLASSICAL);
      claim_power(&effect_rows[k], closed, ELASTICA_LAW_RESCALED);
    }
}

/* ---- The formula of a row ------------------------------------------------------------------------------------------------------------ */

TEST(energy_or_power_is_that_of_the_formula) {
  int found = 0;
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (row->formula == NULL || !takes(row, closed)) continue;
      scene s;
      make_scene(&s, row, closed, ELASTICA_LAW_CLASSICAL, 1);
      void *def = make_def(row, s.rod, 1.0);
      const double wanted = row->formula(def, elastica_rod_get_view(s.rod));
      const double value = is_potential(row) ? elastica_effect_energy(s.effect) : elastica_effect_power(s.effect);
      if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%s: energy or power %.15g, by its formula %.15g", label_of(row, closed), value, wanted);
      free(def);
      elastica_world_destroy(s.world);
      found++;
    }
  assert_true(found > 0);
}

/* ---- Momentum ------------------------------------------------------------------------------------------------------------------------ */

/* Resultant force and moment about the origin, divided by the sums of the absolute values of their terms. */
static double resultant_share(const scene *s, const double *load) {
  const elastica_rod_view *view = elastica_rod_get_view(s->rod);
  double force[3] = {0.0}, moment[3] = {0.0}, gross = 0.0, gross_moment = 0.0;
  for (int i = 0; i < view->node_count; i++) {
    double arm[3];
    cross(s->base.position + 3 * i, load + 3 * i, arm);
    for (int a = 0; a < 3; a++) force[a] += load[3 * i + a], moment[a] += arm[a];
    gross += norm(load + 3 * i), gross_moment += norm(s->base.position + 3 * i) * norm(load + 3 * i);
  }
  for (int j = 0; j < view->element_count; j++) {
    const double *couple = load + 3 * (view->node_count + j);
    double turned[3];
    apply_transposed(s->base.director + 9 * j, couple, turned);
    for (int a = 0; a < 3; a++) moment[a] += turned[a];
    gross_moment += norm(couple);
  }
  assert_true(gross_moment > 0.0);
  const double of_force = gross > 0.0 ? norm(force) / gross : 0.0, of_moment = norm(moment) / gross_moment;
  return of_force > of_moment ? of_force : of_moment;
}

static void claim_resultant(const effect_row *row, int closed, elastica_law law) {
  scene s;
  double load[LINEARISED_CAPACITY];
  make_scene(&s, row, closed, law, 1);
  loads_of(s.rod, s.effect, &s.base, load);
  const double share = resultant_share(&s, load);
  if (row->is & INTERNAL ? !(share <= 1e-7) : !(share >= 1e-3))
    fail_msg("%s: the resultant of its loads is %.3g of their sizes", label_of(row, closed), share);
  elastica_world_destroy(s.world);
}

TEST(internal_effects_and_no_others_keep_momentum_and_its_moment) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      if (!has_loads(&effect_rows[k]) || !takes(&effect_rows[k], closed)) continue;
      claim_resultant(&effect_rows[k], closed, ELASTICA_LAW_CLASSICAL);
      claim_resultant(&effect_rows[k], closed, ELASTICA_LAW_RESCALED);
    }
}
