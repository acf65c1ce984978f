/* Recognition of dissipation in rods of the law RESCALED by elastica_world_check. */
#include "base/target.h"

#include "support.h"

static elastica_world *make_cantilever(elastica_rod **rod) {
  const double g[3] = {0.0, -9.81, 0.0};
  elastica_world *world = make_papers_world();
  DEFAULTS(rod, def);
  def.element_count = 20, def.length = 0.2, def.radius = 0.01, def.density = 1100.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, rod));
  clamp_first_end(world, *rod);
  must(world, elastica_add_gravity(world, g, NULL));
  return world;
}

static int is_found(elastica_world *world) {
  elastica_check_report report;
  int found = 0;
  must(world, elastica_world_check(world, 0.0, &report));
  for (int k = 0; k < report.finding_count; k++) found += report.findings[k].kind == ELASTICA_FINDING_UNDAMPED;
  return found;
}

TEST(so_may_drag) {
  elastica_rod *rod = NULL;
  for (int explicit = 0; explicit < 2; explicit ++) {
    elastica_world *world = make_cantilever(&rod);
    DEFAULTS(drag, def);
    def.viscosity = 0.1, def.kind = explicit ? ELASTICA_DRAG_EXPLICIT : ELASTICA_DRAG_RATE;
    must(world, elastica_add_drag(world, rod, &def, NULL));
    assert_int_equal(is_found(world), 0);
    elastica_world_destroy(world);
  }
}

/* ---- User modules: their dissipation is unknown ---- */

static elastica_status add_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants) {
  (void)self, (void)now, (void)rod, (void)resultants;
  return ELASTICA_OK;
}

static elastica_status add_no_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod, (void)loads;
  return ELASTICA_OK;
}

static elastica_status add_nothing_between(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now, (void)loads;
  return ELASTICA_OK;
}

TEST(own_modules_may_damp) {
  elastica_rod *rod = NULL;
  for (int hook = 0; hook < 5; hook++) {
    elastica_world *world = make_cantilever(&rod);
    elastica_module module = module_named("mine");
    if (hook == 1) module.add_resultants = add_nothing;
    if (hook == 2) module.add_loads = add_no_loads;
    if (hook == 3) module.add_reactions = add_no_loads;
    if (hook == 4) module.add_world_loads = add_nothing_between;
    must(world, elastica_world_add_module(world, NULL, &module, NULL));
    assert_int_equal(is_found(world), hook == 0);
    elastica_world_destroy(world);
  }
}
