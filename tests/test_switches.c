/* Switches of definitions and calls are 0 or 1: any other number is refused, and the sentence states it. Switches of effects are in
 * conformance_table.h.
 */
#include "base/target.h"

#include "one_rod.h"

#include <stdio.h>

static const int WRONG[] = {2, -1, 256};

/* `call` with each wrong number in `field` of `def`; the sentence names both. */
#define REFUSES(def, field, call, ...)                                                                                                     \
  for (size_t k = 0; k < sizeof WRONG / sizeof *WRONG; k++) {                                                                              \
    char number[16];                                                                                                                       \
    snprintf(number, sizeof number, "%d", WRONG[k]);                                                                                       \
    (def).field = WRONG[k];                                                                                                                \
    assert_refused(f->world, call, ELASTICA_INVALID_ARGUMENT, __VA_ARGS__, number, "neither 0 nor 1");                                     \
    (def).field = 0;                                                                                                                       \
  }

TEST_WITH_ROD(rods_refuse_other_numbers) {
  fixture *f = *state;
  DEFAULTS(rod, rod);
  rod.element_count = 5, rod.length = 1.0, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  REFUSES(rod, closed, elastica_world_add_rod(f->world, &rod, NULL), "rod_def.closed");
}

TEST_WITH_ROD(modules_and_calls_refuse_other_numbers) {
  fixture *f = *state;
  elastica_module module = module_named("mine");
  elastica_relax_result result;
  elastica_effect *effect = NULL;
  struct {
    int enabled;
  } call = {0};
  DEFAULTS(relax, relax);
  REFUSES(module, parallel_safe, elastica_world_add_module(f->world, NULL, &module, NULL), "module.parallel_safe");
  REFUSES(module, needs_derived, elastica_world_add_module(f->world, NULL, &module, NULL), "module.needs_derived");
  REFUSES(module, needs_geometry, elastica_world_add_module(f->world, NULL, &module, NULL), "module.needs_geometry");
  REFUSES(module, constrains_by_time, elastica_world_add_module(f->world, NULL, &module, NULL), "module.constrains_by_time");
  REFUSES(module, stateless, elastica_world_add_module(f->world, NULL, &module, NULL), "module.stateless");
  REFUSES(relax, keep_state, elastica_world_relax(f->world, &relax, &result), "relax_def.keep_state");
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  REFUSES(call, enabled, elastica_effect_set_enabled(effect, call.enabled), "effect_set_enabled");
  assert_true(elastica_effect_get(effect).is_enabled);
}

static elastica_status sample(void *user, elastica_world *world) {
  (void)user, (void)world;
  return ELASTICA_OK;
}

TEST_WITH_ROD(samplers_refuse_other_numbers) {
  fixture *f = *state;
  elastica_sampler def;
  elastica_sampler_init(&def, sizeof def);
  def.sample = sample, def.interval = 1.0;
  REFUSES(def, exact, elastica_world_set_sampler(f->world, &def), "sampler.exact");
  REFUSES(def, needs_derived, elastica_world_set_sampler(f->world, &def), "sampler.needs_derived");
}

TEST(worlds_refuse_other_numbers) {
  elastica_world_def good = default_world();
  int *const flags[] = {&good.exact_couple, &good.explicit_couples, &good.allow_unstable_step};
  static const char *const names[] = {"world_def.exact_couple", "world_def.explicit_couples", "world_def.allow_unstable_step"};
  char message[256] = "";
  good.message = message, good.message_size = sizeof message;
  for (int k = 0; k < 3; k++) {
    elastica_world *world = NULL;
    const int before = *flags[k];
    *flags[k] = 2;
    assert_int_equal(elastica_world_create(&good, &world), ELASTICA_INVALID_ARGUMENT);
    assert_null(world);
    assert_says(message, names[k], "neither 0 nor 1");
    *flags[k] = before;
  }
}
