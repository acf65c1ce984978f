/* Relaxation with every effect of the library (see conformance.h): a rod held at one node, or lying on the ground, reaches an
 * equilibrium. The remaining forces are measured by the kick of a step, which shares only the hooks with relaxation.
 */
#include "base/target.h"

#include "conformance_table.h"

enum { SEED = 8, LYING = 8 };

static void hold_first_node(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
}

/* A flat rod, straight or closed, slightly below its resting height on a wall at z = 0, with its weight. */
static elastica_rod *lay_down(elastica_world *world, int closed) {
  const double down[3] = {0.0, 0.0, -9.81};
  double position[3 * (LYING + 1)];
  elastica_rod_def def = lying_rod_def(LYING);
  elastica_rod *rod = NULL;
  for (int i = 0; i <= LYING; i++) {
    const double angle = 2.0 * 3.14159265358979324 * i / LYING;
    position[3 * i] = closed ? 0.3 * cos(angle) : 0.1 * i;
    position[3 * i + 1] = closed ? 0.3 * sin(angle) : 0.0;
    position[3 * i + 2] = 0.98 * def.radius;
  }
  def.position = position, def.closed = closed, def.rest = ELASTICA_REST_INITIAL;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, down, NULL));
  return rod;
}

/* Largest force on a node and couple on an element measured by a kick. The kick is so long that a node in contact with a surface, up to
 * rounding, ends below it. */
static void measure_unbalance(elastica_rod *rod, double *force, double *couple) {
  const double dt = 0x1p-6;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_world *world = elastica_rod_get_view(rod)->world;
  must(world, kick_world(world, dt));
  *force = *couple = 0.0;
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < view->node_count; i++) *force = fmax(*force, view->mass[i] * fabs(view->velocity[a][i]) / dt);
    for (int j = 0; j < view->element_count; j++) *couple = fmax(*couple, view->inertia[a][j] * fabs(view->omega[a][j]) / dt);
  }
}

static void claim_equilibrium(const effect_row *row, int closed) {
  elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
  const int bears = row->is & REACTS && !(row->is & INTERNAL);
  elastica_rod *rod = bears ? lay_down(world, closed) : add_row_rod(row, world, closed, SEED);
  elastica_relax_result result;
  double force, couple;
  if (!bears) hold_first_node(world, rod);
  add_effect_of(row, world, rod, 1.0);
  const elastica_status status = elastica_world_relax(world, NULL, &result);
  if (status != ELASTICA_OK) fail_msg("%s: %s", label_of(row, closed), elastica_world_message(world));
  measure_unbalance(rod, &force, &couple);
  const double lever = elastica_rod_get_view(rod)->rest_length[0]; /* a rod without bending has couples by forces alone */
  if (!(force <= 1e-8 * result.reference_force && couple <= 1e-8 * (result.reference_couple + lever * result.reference_force)))
    fail_msg("%s: unbalanced %.3g N of %.3g and %.3g N m of %.3g", label_of(row, closed), force, result.reference_force, couple,
             result.reference_couple);
  elastica_world_destroy(world);
}

TEST(rods_relax_with_every_effect) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++)
      if (takes(&effect_rows[k], closed) && !(effect_rows[k].is & RIGID)) claim_equilibrium(&effect_rows[k], closed);
}
