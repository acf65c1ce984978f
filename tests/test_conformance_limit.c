/* The step limit with every effect of the library (see conformance.h) at its strongest: it is not longer than the true limit, computed
 * by differences of the kick, and an effect with bounds makes it shorter.
 */
#include "base/target.h"

#include "conformance_table.h"

enum { SEED = 11 };

/* -d acceleration/d velocity of an unknown, at rest. The time of the kick is a power of two; the velocities are chosen so that at least
 * six digits remain. */
static void rate_column(elastica_rod *rod, const rod_state *base, int unknown, int nodes, int count, double *column) {
  const double dt = 0x1p-30, size = 0x1p-6;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_world *world = elastica_rod_get_view(rod)->world;
  for (int i = 0; i < count; i++) column[i] = 0.0;
  for (int side = -1; side <= 1; side += 2) {
    double velocity[3 * SAMPLE_NODES] = {0.0}, omega[3 * SAMPLE_NODES] = {0.0};
    double *const moved = unknown < 3 * nodes ? velocity + unknown : omega + (unknown - 3 * nodes);
    *moved = side * size;
    must(world, elastica_rod_set_state(rod, base->position, velocity, base->director, omega));
    must(world, kick_world(world, dt));
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < nodes; i++) column[3 * i + a] -= side * (view->velocity[a][i] - velocity[3 * i + a]) / (2.0 * size * dt);
      for (int j = 0; j < view->element_count; j++)
        column[3 * (nodes + j) + a] -= side * (view->omega[a][j] - omega[3 * j + a]) / (2.0 * size * dt);
    }
  }
}

/* K + (2/dt) C of rod and effect, in the form of linear_model: a step of dt is stable if its largest eigenvalue is at most 4/dt^2. */
static void measure(elastica_rod *rod, int with_rates, double dt, linear_model *model) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int nodes = view->node_count, count = 3 * (nodes + view->element_count);
  double column[LINEARISED_CAPACITY], rate[LINEARISED_CAPACITY] = {0.0};
  rod_state base;
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, NULL, still, NULL, still));
  read_state(rod, &base);
  model->count = count, model->node_count = nodes;
  for (int i = 0; i < 3 * nodes; i++) model->root[i] = sqrt(view->mass[i / 3]);
  for (int i = 3 * nodes; i < count; i++) {
    const int j = i / 3 - nodes;
    model->root[i] = sqrt(view->inertia[i % 3][j] / (view->classical_law ? 1.0 : view->dilatation[j]));
  }
  for (int c = 0; c < count; c++) {
    linear_column(rod, &base, c, 1e-6, nodes, count, column);
    if (with_rates) rate_column(rod, &base, c, nodes, count, rate);
    for (int i = 0; i < count; i++) model->matrix[i * count + c] = model->root[i] * (column[i] + 2.0 / dt * rate[i]) / model->root[c];
  }
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, base.position, NULL, base.director, NULL));
}

static void claim_limit(const effect_row *row, int closed, int law, int exact_couple) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  static linear_model model;
  const int bounds = (row->is & BOUNDS) == BOUNDS;
  elastica_world *world = make_rest_world(law, exact_couple);
  elastica_rod *rod = add_row_rod(row, world, closed, SEED);
  must(world, elastica_rod_set_state(rod, NULL, still, NULL, still));
  const double alone = limit_of(world).dt;
  add_effect_of(row, world, rod, row->strong > 0.0 ? row->strong : 1.0);
  const double dt = limit_of(world).dt;
  if (bounds != (dt < 0.99 * alone)) fail_msg("%s: the limit is %g s with it and %g s without", label_of(row, closed), dt, alone);
  measure(rod, bounds, dt, &model);
  const double share = 0.5 * dt * sqrt(largest_eigenvalue(&model));
  if (!(share <= 1.0 + ROUNDING)) fail_msg("%s: the limit, %g s, is %.7g of the true one", label_of(row, closed), dt, share);
  elastica_world_destroy(world);
}

TEST(the_limit_is_safe_with_the_strongest_effects) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++)
      for (int law = 0; law < 2; law++) {
        const effect_row *row = &effect_rows[k];
        if (!takes(row, closed) || row->is & HOLDS) continue;
        if (row->is & RIGID && !((row->is & BOUNDS) == BOUNDS)) continue;  /* the step of a single body has no bound */
        if (row->is & REACTS && !((row->is & BOUNDS) == BOUNDS)) continue; /* such a reaction is implicit in its step */
        claim_limit(row, closed, law, 1);
      }
}
