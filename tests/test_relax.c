/* Relaxation finds equilibria known from other methods. */
#include "relaxed.h"

static const double pi = 3.14159265358979324;

/* ---- Cantilever ---------------------------------------------------------------------------------------------------------------------- */

/* At a load so small that geometry adds 3e-10 the discrete beam has a closed form: with a half-cell clamp, or a clamp in the middle of
 * its first element. */
TEST(small_deflection_is_the_discrete_closed_form) {
  const double force = 0.0015, area = pi * beam_radius * beam_radius;
  const double bent = force * beam_length * beam_length * beam_length / (3.0 * 1e6 * area * area / (4.0 * pi));
  const double sheared = force * beam_length / (4.0 / 3.0 * 1e4 * area);
  for (int kind = 0; kind < 2; kind++)
    for (int n = 10; n <= 160; n *= 4) {
      elastica_world *world = make_world(NULL);
      const elastica_rod *rod = add_beam(world, n, (elastica_boundary_kind)kind, force);
      const double clamped = kind == ELASTICA_BOUNDARY_FRAME ? (1.0 - 1.0 / n) * (1.0 - 0.5 / n) : 1.0 + 0.5 / ((double)n * n);
      const double expected = -(sheared + bent * clamped);
      relax(world);
      assert_close(tip(rod, 0), expected, 1e-9 * fabs(expected));
      elastica_world_destroy(world);
    }
}

/* Geometrically exact statics of the same rod in the continuum. */
TEST(large_load_extrapolates_to_exact_statics) {
  double y[2], z[2];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_papers_world();
    const elastica_rod *rod = add_beam(world, 50 << k, ELASTICA_BOUNDARY_CLAMP, 15.0);
    relax(world);
    y[k] = tip(rod, 0), z[k] = tip(rod, 2);
    elastica_world_destroy(world);
  }
  assert_close((4.0 * y[1] - y[0]) / 3.0, -0.0611759637626, 2e-10);
  assert_close((4.0 * z[1] - z[0]) / 3.0, 2.99936427121, 2e-10);
}

/* Residual of the state of a rod in a separate world. */
static double residual_of(const elastica_rod_view *from) {
  static double position[3 * (BEAM_ELEMENTS + 1)], director[9 * BEAM_ELEMENTS];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_beam(world, BEAM_ELEMENTS, ELASTICA_BOUNDARY_CLAMP, 15.0);
  elastica_relax_result result;
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i <= BEAM_ELEMENTS; i++) position[3 * i + a] = from->position[a][i];
    for (int j = 0; j < BEAM_ELEMENTS; j++)
      for (int b = 0; b < 3; b++) director[9 * j + 3 * a + b] = from->director[a][b][j];
  }
  must(world, elastica_rod_set_state(rod, position, NULL, director, NULL));
  DEFAULTS(relax, def);
  def.evaluation_limit = 1;
  ignore(elastica_world_relax(world, &def, &result));
  elastica_world_destroy(world);
  return result.force;
}

/* Near the critical damping of the slowest mode, at 0.8 of the certified step. */
TEST(fewer_evaluations_than_damped_dynamics) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_beam(world, BEAM_ELEMENTS, ELASTICA_BOUNDARY_CLAMP, 15.0);
  const elastica_relax_result relaxed = relax(world);
  elastica_world_destroy(world);

  elastica_step_limit limit;
  DEFAULTS(dissipation, damping);
  damping.translation = 1200.0;
  damping.rotation = 100.0;
  world = make_world(NULL);
  rod = add_beam(world, BEAM_ELEMENTS, ELASTICA_BOUNDARY_CLAMP, 15.0);
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  const double target = relaxed.force > 1e-6 ? relaxed.force : 1e-6; /* a smaller residual is rounding */
  while (residual_of(elastica_rod_get_view(rod)) > target && elastica_world_get(world).step_count < 200000)
    must(world, elastica_world_step(world, 0.8 * limit.dt, 1000));
  print_message("relaxation: %ld evaluations; damped dynamics: %ld\n", relaxed.evaluations, elastica_world_get(world).step_count);
  assert_true(elastica_world_get(world).step_count >= 50 * relaxed.evaluations);
  elastica_world_destroy(world);
}

/* Bisshopp and Drucker 1945: F L^2/B and the position of the tip; inextensible, hence a thin rod. */
TEST(large_deflection_is_the_elastica) {
  const double cases[2][3] = {{1.0, 0.3017207738, 0.9435667637}, {10.0, 0.8106090249, 0.4450044022}};
  for (int k = 0; k < 2; k++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_wire(world, 40 << fine);
      clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      pull_tip(world, rod, -cases[k][0], 0.0, 0.0);
      const elastica_relax_result result = relax(world);
      assert_true(result.evaluations <= 40);
      assert_true(result.stable);
      error[fine] = -tip(rod, 0) - cases[k][1];
      if (fine) assert_close(tip(rod, 2), cases[k][2], 3e-4);
      elastica_world_destroy(world);
    }
    assert_close(error[1], 0.0, 1.5e-4);
    assert_between(error[0] / error[1], 3.9, 4.1);
  }
}

/* ---- Loads of hooks without declarations --------------------------------------------------------------------------------------------- */

typedef struct spring {
  double stiffness, anchor[3];
} spring;

static elastica_status pull(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const spring *s = self;
  const int end = rod->node_count - 1;
  (void)now;
  for (int a = 0; a < 3; a++) loads->force[a][end] += s->stiffness * (s->anchor[a] - rod->position[a][end]);
  return ELASTICA_OK;
}

static elastica_status declare(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const spring *s = self;
  (void)now;
  stiffness->node[rod->node_count - 1] += s->stiffness;
  return ELASTICA_OK;
}

static elastica_relax_result relax_on_spring(double stiffness, int declared, double place[3]) {
  const spring s = {stiffness, {0.3, 0.1, 0.8}};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 30, 1.0, 0.02, 1000.0, 1e6, 1e6 / 3.0);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  elastica_module module = module_named("spring");
  module.self = &s;
  module.self_size = sizeof s;
  module.add_loads = pull;
  if (declared) module.add_stiffness = declare;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  const elastica_relax_result result = relax(world);
  for (int a = 0; a < 3; a++) place[a] = tip(rod, a);
  elastica_world_destroy(world);
  return result;
}

/* Springs of 0.03 to 3e5 times the stiffness of the tip: add_stiffness makes no difference to the result. */
TEST(springs_of_hooks_need_not_be_declared) {
  for (double stiffness = 0.01; stiffness < 2e5; stiffness *= 100.0) {
    double learned[3], declared[3];
    const elastica_relax_result learned_result = relax_on_spring(stiffness, 0, learned),
                                declared_result = relax_on_spring(stiffness, 1, declared);
    assert_true(learned_result.evaluations <= 60);
    assert_int_equal(declared_result.evaluations, learned_result.evaluations); /* statics does not use declared bounds */
    assert_true(learned_result.stable);
    assert_all_close(learned, declared, 3, 2e-7);
  }
}

/* ---- The certificate ----------------------------------------------------------------------------------------------------------------- */

/* Stopped at a coarse tolerance, the reported distance has the order of magnitude of the true one. */
TEST(reported_distance_is_that_to_the_equilibrium) {
  double end[2][3], estimated = 0.0;
  DEFAULTS(relax, def);
  for (int k = 0; k < 2; k++) {
    elastica_relax_result result;
    elastica_world *world = make_world(NULL);
    const elastica_rod *rod = add_beam(world, 40, ELASTICA_BOUNDARY_CLAMP, 300.0);
    def.tolerance = k == 0 ? 1e-4 : 0.0;
    must(world, elastica_world_relax(world, &def, &result));
    if (k == 0) estimated = result.distance;
    for (int a = 0; a < 3; a++) end[k][a] = tip(rod, a);
    elastica_world_destroy(world);
  }
  const double off[3] = {end[0][0] - end[1][0], end[0][1] - end[1][1], end[0][2] - end[1][2]};
  assert_between(norm(off) / estimated, 0.1, 1.1);
}
