/* Every effect with add_tangent (see conformance.h) adds minus the derivative of its loads: beside central differences of loads.
 */
#include "conformance_table.h"

#include "tangents.h"

/* Resultants have another tangent, that of their change, and contacts have one for each pair (test_statics_tangent.c). */
static int has_tangent(const elastica_effect *effect) {
  const elastica_module *module = &effect->body->module;
  return module->add_tangent != NULL && module->add_resultants == NULL;
}

TEST(every_effect_has_the_tangent_of_its_loads) {
  int checked = 0;
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (!takes(row, closed)) continue;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_row_rod(row, world, closed, 3);
      const elastica_effect *effect = add_effect_of(row, world, rod, 1.0);
      if (has_tangent(effect)) {
        stop(world);
        checked += check_tangent(world, label_of(row, closed), effect->body->module.add_world_loads != NULL, -1, 1e-5,
                                 row->is & NEAR_TANGENT ? 0.1 : 2e-9) > 0.0;
      }
      elastica_world_destroy(world);
    }
  assert_true(checked >= 20);
}
