/* Energy and power of effects against the loads that they put on the rod. A new effect with an energy or a power hook gets a row here. */
#include "acting.h"

/* ---- Energy is the potential of the loads
 * ------------------------------------------------------------------------------------------------ */

typedef struct potential {
  const char *name;
  add_effect add; /* NULL: the rod itself */
  add_rod rod;
  int shapes;
  elastica_law law;
  int exact_couple;
  /* The papers' law has no forces for what its energies do when elements change their length, (MODEL) e in 1/e^3: couples alone. */
  int couples_alone;
} potential;

static const potential potentials[] = {
    {"the rod itself", NULL, add_usual, OPEN | RING, ELASTICA_LAW_CLASSICAL, 1, 0},
    {"gravity", add_weight, add_usual, OPEN | RING, ELASTICA_LAW_CLASSICAL, 1, 0},
    {"gravity, papers' law", add_weight, add_usual, OPEN | RING, ELASTICA_LAW_RESCALED, 0, 0},
    {"clamp at the first end", add_first_joint, add_usual, OPEN, ELASTICA_LAW_CLASSICAL, 1, 0},
    {"clamp at the last end", add_last_joint, add_usual, OPEN, ELASTICA_LAW_CLASSICAL, 1, 0},
    {"clamp at the first end, papers' law", add_first_joint, add_usual, OPEN, ELASTICA_LAW_RESCALED, 1, 1},
    {"clamp at the last end, papers' law", add_last_joint, add_usual, OPEN, ELASTICA_LAW_RESCALED, 1, 1},
    {"self-contact", add_contact, add_tangle, OPEN | RING, ELASTICA_LAW_CLASSICAL, 1, 0},
};

/* -dE/d unknown: differences of fourth order. */
static double slope_of(elastica_rod *rod, elastica_effect *effect, const rod_state *base, int unknown) {
  const double h = 1e-4, factor[4] = {1.0, -1.0, 2.0, -2.0};
  const int nodes = elastica_rod_get_view(rod)->node_count;
  double value[4];
  for (int k = 0; k < 4; k++) {
    rod_state displaced;
    displace(base, nodes, unknown, factor[k] * h, &displaced);
    value[k] = potential_at(rod, effect, &displaced);
  }
  return -(8.0 * (value[0] - value[1]) - (value[2] - value[3])) / (12.0 * h);
}

static void assert_potential(const potential *row, int closed) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  elastica_world *world = make_kicked_world(row->law, row->exact_couple);
  elastica_rod *rod = row->rod(world, closed);
  elastica_effect *effect = row->add ? row->add(world, rod) : NULL;
  rod_state base;
  double load[LINEARISED_CAPACITY];
  must(world, elastica_rod_set_state(rod, NULL, still, NULL, still));
  read_state(rod, &base);
  const int count = loads_of(rod, effect, &base, load), first = row->couples_alone ? 3 * elastica_rod_get_view(rod)->node_count : 0;
  const double size = largest_entry(load, count);
  assert_true(size > 0.0);
  for (int i = first; i < count; i++) {
    const double slope = slope_of(rod, effect, &base, i);
    if (!(fabs(load[i] - slope) <= 1e-7 * size))
      fail_msg("%s, %s: load %d of %d is %.12g, the slope of the energy %.12g", row->name, closed ? "ring" : "open", i, count, load[i],
               slope);
  }
  elastica_world_destroy(world);
}

static void energy_is_the_potential_of_the_loads(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof potentials / sizeof potentials[0]; k++)
    for (int closed = 0; closed < 2; closed++)
      if (potentials[k].shapes & (closed ? RING : OPEN)) assert_potential(&potentials[k], closed);
}

/* The papers' couple leaves out c theta x (theta x tau), c = 1/12 + ..., at a clamp as at a joint: |theta|^2 |tau|/12 is what it may differ
 * by. */
static void the_papers_couple_of_a_clamp_is_near_the_slope_of_its_energy(void **state) {
  (void)state;
  for (int last = 0; last < 2; last++) {
    elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 0);
    elastica_rod *rod = add_usual_rod(world);
    elastica_effect *effect = last ? add_last_joint(world, rod) : add_first_joint(world, rod);
    rod_state base;
    double load[LINEARISED_CAPACITY], square = 0.0, couple = 0.0;
    read_state(rod, &base);
    loads_of(rod, effect, &base, load);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int first = 3 * (view->node_count + (last ? view->element_count - 1 : 0));
    for (int a = 0; a < 3; a++) {
      const double off = load[first + a] - slope_of(rod, effect, &base, first + a);
      square += off * off;
      couple += load[first + a] * load[first + a];
    }
    const double theta2 = 0.25 + 0.49 + 0.16; /* turn_frame turns by a little less than it is told */
    assert_between(sqrt(square), 1e-4 * sqrt(couple), 1.1 * theta2 / 12.0 * sqrt(couple));
    elastica_world_destroy(world);
  }
}

/* ---- Power is the work of the loads per time
 * ------------------------------------------------------------------------------------------------ */

typedef struct source {
  const char *name;
  add_effect add;
  add_rod rod;
  int has_energy; /* with the classical law what it gives is what its energy loses */
} source;

static const source sources[] = {
    {"gravity", add_weight, add_usual, 1},
    {"self-contact", add_contact, add_tangle, 1},
    {"damped self-contact", add_damped_contact, add_tangle, 0},
    {"point load", add_material_load, add_usual, 0},
    {"point load in the laboratory", add_laboratory_load, add_usual, 0},
    {"dissipation", add_friction, add_usual, 0},
    {"drag by rates", add_fluid_by_rates, add_usual, 0},
    {"explicit drag", add_explicit_fluid, add_usual, 0},
    {"contraction", add_pull, add_usual, 0},
    {"muscle about a director", add_bending_muscle, add_usual, 0},
    {"muscle along a director", add_stretching_muscle, add_usual, 0},
    {"muscle about a laboratory axis", add_laboratory_muscle, add_usual, 0},
};

/* -dE/dt where the state goes on with its velocities and spins. */
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

static void assert_power(const source *row, elastica_law law, int closed) {
  elastica_world *world = make_kicked_world(law, 1);
  elastica_rod *rod = row->rod(world, closed);
  elastica_effect *effect = row->add(world, rod);
  rod_state base;
  double load[LINEARISED_CAPACITY], work = 0.0, gross = 0.0;
  read_state(rod, &base);
  loads_of(rod, effect, &base, load);
  const double power = elastica_effect_power(effect);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < 3 * (view->node_count + view->element_count); i++) {
    const double rate = i < 3 * view->node_count ? base.velocity[i] : base.omega[i - 3 * view->node_count];
    work += load[i] * rate;
    gross += fabs(load[i] * rate);
  }
  assert_true(gross > 0.0);
  if (!(fabs(power - work) <= 1e-6 * gross))
    fail_msg("%s, %s: power %.12g, work of the loads per time %.12g", row->name, closed ? "ring" : "open", power, work);
  if (row->has_energy && law == ELASTICA_LAW_CLASSICAL) assert_close(power, loss_of_energy(rod, effect, &base), 1e-7 * gross);
  elastica_world_destroy(world);
}

static void power_is_the_work_of_the_loads_per_time(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof sources / sizeof sources[0]; k++)
    for (int closed = 0; closed < 2; closed++) {
      assert_power(&sources[k], ELASTICA_LAW_CLASSICAL, closed);
      assert_power(&sources[k], ELASTICA_LAW_RESCALED, closed);
    }
}

/* A damper never adds energy: the power of the contact is below the loss of its energy, however the elements move. */
static void a_damped_contact_never_gives_energy(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 40; seed++) {
    elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
    elastica_rod *rod = add_stretched_tangle(world, seed, 14, (int)(seed & 1));
    elastica_effect *effect = add_damped_contact(world, rod);
    rod_state base;
    read_state(rod, &base);
    const double power = elastica_effect_power(effect), loss = loss_of_energy(rod, effect, &base);
    assert_true(power < loss);
    elastica_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_is_the_potential_of_the_loads),
      cmocka_unit_test(the_papers_couple_of_a_clamp_is_near_the_slope_of_its_energy),
      cmocka_unit_test(power_is_the_work_of_the_loads_per_time),
      cmocka_unit_test(a_damped_contact_never_gives_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
