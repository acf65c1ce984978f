/* Findings of elastica_world_check about definitions, without loads: rest strain, proportions, masses, damping, units; healthy scenes;
 * and the call itself. */
#include "base/target.h"

#include "checking.h"
#include "conformance_table.h"
#include "rationed_memory.h"

/* ---- Rest strain, proportions, masses, damping, units -------------------------------------------------------------------------------- */

TEST(large_rest_strains_are_found) {
  for (int large = 0; large < 2; large++) {
    double strain[150] = {0.0};
    elastica_rod_def def = rubber_def();
    strain[component(7, Z)] = large ? -0.55 : -0.45;
    def.rest_strain = strain;
    elastica_world *world = make_world(NULL);
    add_rubber(world, NULL);
    add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    const elastica_finding *found = find(&report, ELASTICA_FINDING_REST_STRAIN);
    assert_true((found != NULL) == large);
    if (large) assert_true(found->rod_index == 1 && found->element == 7 && found->rod_count == 1 && found->value == 0.55);
    elastica_world_destroy(world);
  }
}

TEST(elements_out_of_proportion_are_found) {
  static const struct {
    double length, radius;
    int n;
    elastica_severity severity;
  } ways[] = {{1.0, 0.1, 100, ELASTICA_SEVERITY_NONE},
              {1.0, 0.1, 250, ELASTICA_SEVERITY_WARNING},
              {100.0, 1e-3, 20, ELASTICA_SEVERITY_NONE},
              {100.0, 1e-4, 20, ELASTICA_SEVERITY_HINT}};
  for (int k = 0; k < 4; k++) {
    elastica_rod_def def = rubber_def();
    def.length = ways[k].length, def.radius = ways[k].radius, def.element_count = ways[k].n;
    elastica_world *world = make_world(NULL);
    for (int r = 0; r < 3; r++) add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    if (ways[k].severity == ELASTICA_SEVERITY_NONE)
      assert_int_equal(report.finding_count, 0);
    else
      assert_int_equal(the_only(&report, ELASTICA_FINDING_PROPORTION, ways[k].severity).rod_count, 3);
    elastica_world_destroy(world);
  }
}

TEST(heavy_neighbours_are_found) {
  for (int heavy = 0; heavy < 2; heavy++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, NULL);
    DEFAULTS(node_mass, mass);
    mass.node = 10;
    mass.mass = heavy ? 5e3 : 100.0; /* a node weighs 0.028 kg */
    must(world, elastica_add_node_mass(world, rod, &mass, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (heavy)
      assert_between((double)the_only(&report, ELASTICA_FINDING_MASS_RATIO, ELASTICA_SEVERITY_HINT).element, 9.0, 11.0);
    else
      assert_int_equal(report.finding_count, 0);
    elastica_world_destroy(world);
  }
}

/* The rubber cantilever of the README with the papers' law: found, and it gains energy until it fails. */
TEST(an_undamped_rescaled_rod_is_found_and_gains_energy) {
  const double g[3] = {0.0, -9.81, 0.0};
  for (int damped = 0; damped < 2; damped++) {
    elastica_rod_def def = rubber_def();
    def.length = 0.5, def.radius = 0.01;
    elastica_world *world = make_papers_world();
    elastica_rod *rod = add_rubber(world, &def);
    add_clamp_at(world, rod, ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_gravity(world, g, NULL));
    DEFAULTS(dissipation, damping);
    damping.translation = 0.1, damping.rotation = 1e-5;
    if (damped) must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    const elastica_check_report report = check(world, 0.0);
    if (damped) assert_int_equal(report.finding_count, 0);
    if (!damped) the_only(&report, ELASTICA_FINDING_UNDAMPED, ELASTICA_SEVERITY_WARNING);
    const elastica_status status = elastica_world_advance(world, 12.0);
    assert_true((status == ELASTICA_OK) == damped);
    elastica_world_destroy(world);
  }
}

TEST(slips_of_units_are_found) {
  static const struct {
    double length, radius, density, modulus;
    unsigned kinds; /* bits */
  } ways[] = {
      {1.0, 0.001, 7800.0, 210e9, 0},                                 /* steel */
      {1.0, 0.001, 7800.0, 210.0, 1u << ELASTICA_FINDING_WAVE_SPEED}, /* GPa */
      {1.0, 0.001, 7.8, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED},    /* g/cm^3 */
      {1.0, 0.001, 0.0078, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED | 1u << ELASTICA_FINDING_DENSITY},
      {1.0, 0.001, 1.0, 210e9, 1u << ELASTICA_FINDING_WAVE_SPEED}, /* none */
      {1000.0, 1.0, 7800.0, 210e9, 1u << ELASTICA_FINDING_SIZE},   /* mm */
      {2000.0, 0.5, 7800.0, 210e9, 1u << ELASTICA_FINDING_SIZE},   /* only the length */
      {1.0, 0.001, 5e4, 210e9, 1u << ELASTICA_FINDING_DENSITY},
      {1.0, 0.001, 7800.0, 210e15, 1u << ELASTICA_FINDING_WAVE_SPEED},
      {0.1, 0.001, 1000.0, 1e4, 0},  /* gel */
      {100.0, 0.35, 1776.0, 1e6, 0}, /* figure 3 of the papers */
  };
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    elastica_rod_def def = rubber_def();
    unsigned found = 0;
    def.length = ways[k].length, def.radius = ways[k].radius, def.density = ways[k].density, def.youngs_modulus = ways[k].modulus;
    elastica_world *world = make_world(NULL);
    add_rubber(world, &def);
    const elastica_check_report report = check(world, 0.0);
    for (int f = 0; f < report.finding_count; f++) {
      found |= 1u << report.findings[f].kind;
      assert_int_equal(report.findings[f].severity, ELASTICA_SEVERITY_HINT);
      assert_says(report.findings[f].sentence, "SI", "Stretch runs at", "bend stiffness", "lowest frequency");
    }
    if (found != ways[k].kinds) fail_msg("way %zu: found %x, not %x", k, found, ways[k].kinds);
    elastica_world_destroy(world);
  }
}

/* ---- Modules of the user ------------------------------------------------------------------------------------------------------------- */

/* A user's module that pulls one node and slows one element. */
typedef struct puller {
  int node;
  double force, drag;
} puller;

static elastica_status pull_node(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const puller *of = self;
  (void)now, (void)rod;
  loads->force[1][of->node] += of->force;
  loads->spin_drag[of->node] += of->drag;
  return ELASTICA_OK;
}

TEST(modules_that_write_elsewhere_than_they_say_are_found) {
  static const struct {
    puller self;
    int first, last, adds_rates;
    const char *says; /* NULL: nothing is found */
  } ways[] = {{{3, 1e-6, 0.0}, 3, 3, 0, NULL},
              {{3, 1e-6, 1e-9}, 0, -1, 1, NULL},
              {{4, 1e-6, 0.0}, 3, 3, 0, "node or element 4 of rod 0"},
              {{2, 1e-6, 0.0}, 3, -1, 0, "first_written and last_written of its module are 3 and "},
              {{4, 0.0, 1e-9}, 3, 3, 1, "node or element 4 of rod 0"},
              {{3, 1e-6, 1e-9}, 3, 3, 0, "adds_rates"}};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rubber(world, NULL);
    elastica_effect *effect = NULL;
    elastica_module module;
    elastica_module_init(&module, sizeof module);
    module.name = "puller";
    module.self = &ways[k].self, module.self_size = sizeof ways[k].self;
    module.add_loads = pull_node;
    module.first_written = ways[k].first, module.last_written = ways[k].last, module.adds_rates = ways[k].adds_rates;
    must(world, elastica_world_add_module(world, rod, &module, &effect));
    const elastica_check_report report = check(world, 0.0);
    const elastica_finding *found = find(&report, ELASTICA_FINDING_WRITES);
    assert_true((found != NULL) == (ways[k].says != NULL));
    if (found != NULL) {
      assert_says(found->sentence, "effect 0 \"puller\"", ways[k].says);
      assert_true(found->severity == ELASTICA_SEVERITY_ERROR && found->effect == effect && found->element == ways[k].self.node);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Healthy scenes, and the call itself --------------------------------------------------------------------------------------------- */

TEST(scenes_of_the_conformance_table_are_healthy) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      const int is_elastic = strcmp(row->name, "obstacle") == 0 && strstr(row->kind, "rigid") == NULL;
      if (!takes(row, closed)) continue;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_row_rod(row, world, closed, 4);
      add_effect_of(row, world, rod, is_elastic ? 100.0 : 1.0); /* with 300 Pa the overlap would be 0.7 radii */
      assert_silent(world, 0.0, label_of(row, closed));
      elastica_world_destroy(world);
    }
}

/* The check changes neither the state nor its later bits. */
TEST(a_check_changes_nothing) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    uint64_t hash[2];
    for (int checks = 0; checks < 2; checks++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_row_rod(&effect_rows[k], world, 0, 4);
      add_effect_of(&effect_rows[k], world, rod, 1.0);
      must(world, elastica_world_step(world, 0x1p-14, 10));
      if (checks) check(world, 0.0);
      must(world, elastica_world_step(world, 0x1p-14, 10));
      hash[checks] = hash_world(world);
      elastica_world_destroy(world);
    }
    if (hash[0] != hash[1]) fail_msg("%s: the check changes bits", label_of(&effect_rows[k], 0));
  }
}

static elastica_status refuse_to_add(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self;
  (void)now;
  (void)rod;
  (void)loads;
  return ELASTICA_IO_ERROR;
}

static elastica_status check_from_inside(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  elastica_check_report report;
  elastica_rod_facts facts;
  elastica_world *world = *(elastica_world **)self;
  (void)now;
  const int refused = elastica_world_check(world, 0.0, &report) == ELASTICA_WRONG_STATE &&
                      elastica_rod_get_facts(elastica_world_rod(world, rod->rod_index), &facts) == ELASTICA_WRONG_STATE;
  return refused ? ELASTICA_OK : ELASTICA_IO_ERROR;
}

TEST(refused_calls_say_why) {
  elastica_check_report report;
  elastica_module module = module_named("refuses");
  elastica_world *world = make_world(NULL);
  assert_silent(world, 1.0, "an empty world");
  add_rubber(world, NULL);
  assert_int_equal(elastica_world_check(NULL, 0.0, &report), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, 0.0, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, -1.0, &report), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_check(world, (double)NAN, &report), ELASTICA_INVALID_ARGUMENT);
  module.self = &world;
  module.observe = check_from_inside;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, 1e-6, 2));
  module.observe = NULL;
  module.add_loads = refuse_to_add;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_status(world, elastica_world_check(world, 0.0, &report), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "\"refuses\"", "add_loads", "IO_ERROR");
  assert_int_equal(report.finding_count, 0);
  elastica_world_destroy(world);
}

TEST(without_memory_a_check_is_refused) {
  long refused = 0;
  for (long left = 0; left < 30; left++) {
    memory_ration memory = plenty();
    elastica_check_report report;
    elastica_world *world = make_rationed_world(&memory);
    add_rubber(world, NULL);
    memory.left = left;
    const elastica_status status = elastica_world_check(world, 0.0, &report);
    if (status != ELASTICA_OK) assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
    refused += status != ELASTICA_OK;
    memory.left = LONG_MAX;
    assert_silent(world, 0.0, "with memory");
    elastica_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
  }
  assert_between((double)refused, 3.0, 29.0);
}
