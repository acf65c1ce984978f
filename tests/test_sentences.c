/* What sentences say when names are long, numbers close and statuses unknown; and that a sentence may quote the one before it. */
#include "base/target.h"

#include "support.h"

#include <errno.h>

typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
} fixture;

static int set_up(void **state) {
  static fixture f;
  elastica_world_def def = default_world();
  def.law = ELASTICA_LAW_CLASSICAL;
  def.exact_couple = 1;
  f.world = make_world(&def);
  f.rod = add_straight_rod(f.world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  elastica_world_destroy(f->world);
  return 0;
}

static void a_refusal_may_quote_the_message(void **state) {
  fixture *f = *state;
  assert_status(f->world, elastica_world_step(f->world, -1.0, 1), ELASTICA_INVALID_ARGUMENT);
  assert_refused(f->world, elastica_world_refuse(f->world, ELASTICA_INVALID_ARGUMENT, "add_mine: %s", elastica_world_message(f->world)),
                 ELASTICA_INVALID_ARGUMENT, "add_mine: step: dt = -1 is not positive and finite");
}

static void step_limit_says_that_out_is_missing(void **state) {
  fixture *f = *state;
  assert_refused(f->world, elastica_world_step_limit(f->world, NULL), ELASTICA_INVALID_ARGUMENT, "step_limit: out is NULL");
}

/* The number behind words. */
static double number_behind(const char *sentence, const char *words) {
  const char *at = strstr(sentence, words);
  if (at == NULL) fail_msg("\"%s\" does not say \"%s\"", sentence, words);
  return strtod(at + strlen(words), NULL);
}

/* However little dt lies above the limit, the sentence shows it: a factor above 1, and two steps that differ. */
static void a_step_just_above_the_limit_is_seen_to_be_above(void **state) {
  fixture *f = *state;
  elastica_step_limit limit;
  must(f->world, elastica_world_step_limit(f->world, &limit));
  for (double share = 1e-2; share > 1e-17; share *= 0.1) {
    const double above = limit.dt * (1.0 + share), dt = above > limit.dt ? above : nextafter(limit.dt, 1.0);
    assert_status(f->world, elastica_world_step(f->world, dt, 1), ELASTICA_UNSTABLE_STEP);
    const char *message = elastica_world_message(f->world);
    assert_true(number_behind(message, " s is ") > 1.0);
    assert_true(number_behind(message, "dt = ") > number_behind(message, "the stable "));
  }
}

static elastica_status refuse_to_prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod, (void)preparation;
  return (elastica_status)777;
}

static elastica_status refuse_to_add(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                     elastica_resultants *resultants) {
  (void)self, (void)now, (void)rod, (void)resultants;
  return (elastica_status)778;
}

static elastica_module module_named(const char *name) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = name;
  return module;
}

static void a_status_that_is_none_is_said_by_its_number(void **state) {
  fixture *f = *state;
  elastica_module module = module_named("odd");
  elastica_effect *effect = NULL;
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
  assert_says(elastica_world_message(f->world), "prepare returned status 777 for rod 0");
  module.prepare = NULL;
  module.add_resultants = refuse_to_add;
  must(f->world, elastica_effect_set_module(effect, &module));
  assert_status(f->world, elastica_rod_refresh(f->rod), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(f->world), "add_resultants returned status 778 for rod 0");
}

/* Whose name it is, what happened, and where: all of it stands beside a name of any length, of which both ends are seen. */
static void a_long_name_of_a_module_leaves_the_reason(void **state) {
  fixture *f = *state;
  char name[3000];
  memset(name, 'x', sizeof name);
  memcpy(name, "first", 5);
  memcpy(name + sizeof name - 5, "last", 5);
  elastica_module module = module_named(name);
  elastica_effect *effect = NULL;
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
  assert_says(elastica_world_message(f->world), "effect 0 \"first");
  assert_says(elastica_world_message(f->world), "last\": prepare returned status 777 for rod 0");
  assert_string_equal(elastica_effect_name(effect), name);
  module.name = "other";
  assert_status(f->world, elastica_effect_set_module(effect, &module), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "\"other\"");
}

static void a_long_path_leaves_the_reason(void **state) {
  fixture *f = *state;
  elastica_csv *csv = NULL;
  elastica_vtk *vtk = NULL;
  for (size_t length = 400; length < 20000; length *= 2) {
    char *path = malloc(length + 1);
    assert_non_null(path);
    for (size_t k = 0; k < length; k++) path[k] = k % 100 == 99 ? '/' : 'p';
    path[length] = '\0';
    memcpy(path, "/missing/", 9);
    const char *reason = strerror(length < 4096 ? ENOENT : ENAMETOOLONG);
    assert_status(f->world, elastica_csv_open(f->world, path, "a", &csv), ELASTICA_IO_ERROR);
    assert_says(elastica_world_message(f->world), "csv_open: '/missing/");
    assert_says(elastica_world_message(f->world), reason);
    assert_status(f->world, elastica_vtk_open(f->world, path, "run", &vtk), ELASTICA_IO_ERROR);
    assert_says(elastica_world_message(f->world), reason);
    free(path);
  }
}

/* ---- Who is named ---- */

static elastica_status add_from_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  fixture *f = *(fixture **)self;
  elastica_clamp_def clamp;
  const double g[3] = {0.0, 0.0, -9.81};
  (void)now, (void)rod;
  elastica_clamp_def_init(&clamp, sizeof clamp);
  assert_refused(f->world, elastica_add_clamp(f->world, f->rod, &clamp, NULL), ELASTICA_WRONG_STATE, "add_clamp: not from inside a hook");
  assert_refused(f->world, elastica_add_gravity(f->world, g, NULL), ELASTICA_WRONG_STATE, "add_gravity: not from inside a hook");
  assert_refused(f->world, elastica_gravity_set(elastica_world_effect(f->world, 0), g), ELASTICA_WRONG_STATE,
                 "gravity_set: not from inside a hook");
  return ELASTICA_OK;
}

static void sentences_name_the_function_that_was_called(void **state) {
  fixture *f = *state;
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_module module = module_named("meddler");
  elastica_self_contact_def contact;
  must(f->world, elastica_add_gravity(f->world, g, NULL));
  module.self = &f;
  module.self_size = sizeof f;
  module.observe = add_from_hook;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  must(f->world, elastica_world_step(f->world, 1e-6, 1));
  elastica_self_contact_def_init(&contact, sizeof contact);
  assert_refused(f->world, elastica_add_self_contact(f->world, f->rod, &contact, NULL), ELASTICA_INVALID_ARGUMENT,
                 "self_contact_def.stiffness is not set");
}

/* ---- Effects of the library ---- */

/* Hooks and parameters of the library's effects belong together: only their own functions change them. */
static void effects_of_the_library_take_no_other_module(void **state) {
  fixture *f = *state;
  elastica_effect *wall = NULL, *contact = NULL, *mine = NULL;
  elastica_wall_def wall_def;
  elastica_self_contact_def contact_def;
  elastica_self_contact_info info;
  elastica_wall_def_init(&wall_def, sizeof wall_def);
  wall_def.balance = ELASTICA_BALANCE_ELEMENTS;
  elastica_self_contact_def_init(&contact_def, sizeof contact_def);
  wall_def.stiffness = contact_def.stiffness = 1.0;
  wall_def.position[2] = -1.0;
  must(f->world, elastica_add_wall(f->world, f->rod, &wall_def, &wall));
  must(f->world, elastica_add_self_contact(f->world, f->rod, &contact_def, &contact));
  elastica_module module = module_named("wall");
  assert_refused(f->world, elastica_effect_set_module(wall, &module), ELASTICA_INVALID_ARGUMENT,
                 "set_module: effect 0 is a wall of the library, which elastica_wall_set alone may change");
  module.name = elastica_effect_name(contact);
  assert_status(f->world, elastica_effect_set_module(contact, &module), ELASTICA_INVALID_ARGUMENT);
  must(f->world, elastica_self_contact_get(contact, &info));
  must(f->world, elastica_wall_set(wall, &wall_def));
  /* One's own effect under the very name of the library's is still not the library's. */
  must(f->world, elastica_world_add_module(f->world, f->rod, &module, &mine));
  assert_status(f->world, elastica_self_contact_get(mine, &info), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_self_contact_set(mine, &contact_def), ELASTICA_INVALID_ARGUMENT);
}

static void ones_own_effects_may_change_their_hooks(void **state) {
  fixture *f = *state;
  elastica_effect *effect = NULL;
  elastica_module module = module_named("mine");
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_effect_set_module(effect, &module));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
}

#define claim(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      claim(a_refusal_may_quote_the_message),
      claim(step_limit_says_that_out_is_missing),
      claim(a_step_just_above_the_limit_is_seen_to_be_above),
      claim(a_status_that_is_none_is_said_by_its_number),
      claim(a_long_name_of_a_module_leaves_the_reason),
      claim(a_long_path_leaves_the_reason),
      claim(sentences_name_the_function_that_was_called),
      claim(effects_of_the_library_take_no_other_module),
      claim(ones_own_effects_may_change_their_hooks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
