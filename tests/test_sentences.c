/* Sentences of errors: some are compared as a whole (all other tests compare only the subject and the cause); sentences with long names,
 * close numbers and unknown statuses; and a sentence that quotes the previous one.
 */
#include "base/target.h"

#include "base/sentence.h"
#include "one_rod.h"

#include <errno.h>

/* ---- Whole sentences ---- */

static elastica_status give_up(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod, (void)loads;
  return ELASTICA_IO_ERROR;
}

/* One of each kind: a missing field, a number out of range, an effect of another kind, a wrong number, a failing hook. */
TEST_WITH_ROD(exemplary_sentences_read_like_this) {
  fixture *f = *state;
  elastica_module module = module_named("tired");
  elastica_effect *gravity = NULL;
  const double g[3] = {0.0, 0.0, -9.81};
  DEFAULTS(rod, rod);
  rod.element_count = 5, rod.length = 1.0, rod.radius = 0.02, rod.youngs_modulus = 1e6;
  DEFAULTS(point_load, load);
  load.node = 120;
  must(f->world, elastica_add_gravity(f->world, g, &gravity));

  assert_status(f->world, elastica_world_add_rod(f->world, &rod, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_message(f->world, "rod_def.density is not set");
  assert_status(f->world, elastica_add_point_load(f->world, f->rod, &load, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_message(f->world, "add_point_load: node 120 is outside 0..5");
  assert_status(f->world, elastica_point_load_set(gravity, &load), ELASTICA_INVALID_ARGUMENT);
  assert_message(f->world, "point_load_set: the effect is gravity, not point_load of the library");
  assert_status(f->world, elastica_world_step(f->world, -1.0, 1), ELASTICA_INVALID_ARGUMENT);
  assert_message(f->world, "step: dt = -1 is not positive and finite");
  module.add_loads = give_up;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  assert_status(f->world, elastica_world_step(f->world, 2e-6, 1), ELASTICA_CALLBACK_FAILED);
  assert_message(f->world, "effect 1 \"tired\": add_loads returned IO_ERROR for rod 0 at t = 2e-06 s");
}

/* The functions used by the other tests. */
TEST(fragments_are_found_as_whole_words) {
  const char *sentence = "add_boundary: node 12 is outside -5..-1";
  assert_true(sentence_has(sentence, "add_boundary") && sentence_has(sentence, "node 12") && sentence_has(sentence, "-5..-1"));
  assert_false(sentence_has(sentence, "pin") || sentence_has(sentence, "node 1") || sentence_has(sentence, "ode 12"));
  assert_true(sentence_has("pin_set: pin 3", "pin")); /* not the first such word, but a later one */
}

/* ---- Long names, close numbers, unknown statuses ---- */

TEST_WITH_ROD(a_refusal_may_quote_the_message) {
  fixture *f = *state;
  char quoted[1100];
  assert_status(f->world, elastica_world_step(f->world, -1.0, 1), ELASTICA_INVALID_ARGUMENT);
  snprintf(quoted, sizeof quoted, "add_mine: %s", keep_message(f->world).text);
  elastica_world_refuse(f->world, ELASTICA_INVALID_ARGUMENT, "add_mine: %s", elastica_world_message(f->world));
  assert_message(f->world, quoted);
}

TEST_WITH_ROD(step_limit_says_that_out_is_missing) {
  fixture *f = *state;
  assert_refused(f->world, elastica_world_step_limit(f->world, NULL), ELASTICA_INVALID_ARGUMENT, "step_limit", "out", "NULL");
}

/* However little dt exceeds the limit, the sentence shows it: a factor above 1, and two different steps. */
TEST_WITH_ROD(a_step_just_above_the_limit_is_shown_to_be_above) {
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

TEST(neighbours_are_told_apart_and_equal_steps_are_equal) {
  char text[ELI_COMPARISON_SIZE];
  assert_string_equal(eli_comparison(0.125, 0.125, text), "0.125 s is 1 times the stable 0.125 s");
  assert_string_equal(eli_comparison(0.25, 0.125, text), "0.25 s is 2 times the stable 0.125 s");
  assert_string_equal(eli_comparison(1.0 + 0x1p-52, 1.0, text), "1.0000000000000002 s is 1.0000000000000002 times the stable 1 s");
  assert_string_equal(eli_comparison(2.0, 2.0 - 0x1p-52, text), "2 s is 1.0000000000000002 times the stable 1.9999999999999998 s");
}

/* Numbers that are none are written as such. */
TEST(a_comparison_of_no_numbers_ends) {
  char text[ELI_COMPARISON_SIZE];
  assert_string_equal(eli_comparison((double)NAN, (double)NAN, text), "nan s is nan times the stable nan s");
}

/* A long text loses its middle, but no part of a character, which has up to four bytes. */
TEST(a_shortened_text_has_whole_characters) {
  static const char *const letters[5] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\x8d", "\x80"};
  char text[400], out[64];
  for (int k = 0; k < 5; k++)
    for (size_t size = 16; size < 40; size++) {
      const size_t bytes = strlen(letters[k]);
      for (size_t i = 0; i <= 80; i++) memcpy(text + i * bytes, letters[k], bytes + 1);
      assert_ptr_equal(eli_shorten(text, out, size), out);
      const char *gap = strstr(out, "...");
      assert_non_null(gap);
      const size_t head = (size_t)(gap - out), tail = strlen(gap + 3);
      assert_true(strlen(out) < size);
      if (k == 4) assert_true(head == 0 && tail == 0); /* no characters at all */
      if (k < 4) assert_true(head % bytes == 0 && tail % bytes == 0 && strlen(out) + 2 * bytes > size - 1);
      assert_memory_equal(out, text, head);
    }
}

TEST_WITH_ROD(an_unknown_status_is_shown_as_its_number) {
  fixture *f = *state;
  elastica_module module = module_named("odd");
  elastica_effect *effect = NULL;
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
  assert_says(elastica_world_message(f->world), "prepare", "status 777", "rod 0");
  module.prepare = NULL;
  module.add_resultants = refuse_to_add;
  must(f->world, elastica_effect_set_module(effect, &module));
  assert_status(f->world, elastica_rod_refresh(f->rod), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(f->world), "add_resultants", "status 778", "rod 0");
}

/* The effect, the event and the place are stated beside a name of any length; both ends of the name are shown. */
TEST_WITH_ROD(a_long_name_of_a_module_leaves_the_reason) {
  fixture *f = *state;
  char name[3000];
  memset(name, 'x', sizeof name);
  memcpy(name, "first ", 6);
  memcpy(name + sizeof name - 6, " last", 6);
  elastica_module module = module_named(name);
  elastica_effect *effect = NULL;
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
  assert_says(elastica_world_message(f->world), "effect 0 \"first", "last\"", "prepare", "status 777", "rod 0");
  assert_string_equal(elastica_effect_get(effect).name, name);
  module.name = "other";
  assert_status(f->world, elastica_effect_set_module(effect, &module), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "\"other\"");
}

TEST_WITH_ROD(a_long_path_leaves_the_reason) {
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
    assert_says(elastica_world_message(f->world), "csv_open", "'/missing/", reason);
    assert_status(f->world, elastica_vtk_open(f->world, path, "run", &vtk), ELASTICA_IO_ERROR);
    assert_says(elastica_world_message(f->world), reason);
    free(path);
  }
}

/* ---- The named function ---- */

static elastica_status add_from_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  fixture *f = *(fixture **)self;
  const double g[3] = {0.0, 0.0, -9.81};
  (void)now, (void)rod;
  DEFAULTS(boundary, clamp);
  assert_refused(f->world, elastica_add_boundary(f->world, f->rod, &clamp, NULL), ELASTICA_WRONG_STATE, "add_boundary", "inside a hook");
  assert_refused(f->world, elastica_add_gravity(f->world, g, NULL), ELASTICA_WRONG_STATE, "add_gravity", "inside a hook");
  assert_refused(f->world, elastica_gravity_set(elastica_world_effect(f->world, 0), g), ELASTICA_WRONG_STATE, "gravity_set",
                 "inside a hook");
  return ELASTICA_OK;
}

TEST_WITH_ROD(sentences_name_the_function_that_was_called) {
  fixture *f = *state;
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_module module = module_named("meddler");
  must(f->world, elastica_add_gravity(f->world, g, NULL));
  module.self = &f;
  module.self_size = sizeof f;
  module.observe = add_from_hook;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  must(f->world, elastica_world_step(f->world, 1e-6, 1));
  DEFAULTS(contact, contact);
  assert_refused(f->world, elastica_add_contact(f->world, f->rod, &contact, NULL), ELASTICA_INVALID_ARGUMENT, "contact_def.modulus",
                 "not set");
}

/* ---- Effects of the library ---- */

/* Hooks and parameters of the library's effects belong together: only the set functions of the effect change them. */
TEST_WITH_ROD(effects_of_the_library_take_no_other_module) {
  fixture *f = *state;
  elastica_effect *wall = NULL, *contact = NULL, *mine = NULL;
  int count;
  DEFAULTS(obstacle, obstacle_def);
  obstacle_def.balance = ELASTICA_BALANCE_ELEMENTS;
  DEFAULTS(contact, contact_def);
  obstacle_def.stiffness = contact_def.modulus = 1.0;
  obstacle_def.position[2] = -1.0;
  must(f->world, elastica_add_obstacle(f->world, f->rod, &obstacle_def, &wall));
  must(f->world, elastica_add_contact(f->world, f->rod, &contact_def, &contact));
  elastica_module module = module_named("obstacle");
  assert_refused(f->world, elastica_effect_set_module(wall, &module), ELASTICA_INVALID_ARGUMENT, "set_module", "effect 0", "obstacle",
                 "elastica_obstacle_set");
  module.name = elastica_effect_get(contact).name;
  assert_status(f->world, elastica_effect_set_module(contact, &module), ELASTICA_INVALID_ARGUMENT);
  must(f->world, elastica_contact_get(contact, NULL, 0, &count));
  must(f->world, elastica_obstacle_set(wall, &obstacle_def));
  /* A user's effect with the name of a library effect is not a library effect. */
  must(f->world, elastica_world_add_module(f->world, f->rod, &module, &mine));
  assert_status(f->world, elastica_contact_get(mine, NULL, 0, &count), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_contact_set(mine, &contact_def), ELASTICA_INVALID_ARGUMENT);
}

static void *no_memory(void *user, size_t size) {
  (void)user, (void)size;
  return NULL;
}

static void release_nothing(void *user, void *block) {
  (void)user, (void)block;
}

/* A program that prints the message of a world that could not be created receives a hint to the reason. */
TEST(a_world_that_was_not_made_has_a_sentence) {
  elastica_world *world = NULL;
  char message[200] = "";
  DEFAULTS(world, def);
  def.allocate = no_memory, def.release = release_nothing;
  def.message = message, def.message_size = sizeof message;
  assert_int_equal(elastica_world_create(&def, &world), ELASTICA_OUT_OF_MEMORY);
  assert_says(elastica_world_message(world), "no world", "elastica_world_create", "elastica_world_def.message");
  assert_says(message, "no memory");
  elastica_world_def_init(&def, sizeof def);
  def.message = message, def.message_size = sizeof message;
  def.law = (elastica_law)7;
  assert_int_equal(elastica_world_create(&def, &world), ELASTICA_INVALID_ARGUMENT);
  assert_says(message, "world_def.law is 7", "elastica_law");
  def.law = ELASTICA_LAW_CLASSICAL, def.instruction_set = (elastica_instruction_set)99;
  assert_int_equal(elastica_world_create(&def, &world), ELASTICA_INVALID_ARGUMENT);
  assert_says(message, "world_def.instruction_set", "not available");
}

TEST_WITH_ROD(effects_of_the_user_may_change_their_hooks) {
  fixture *f = *state;
  elastica_effect *effect = NULL;
  elastica_module module = module_named("mine");
  must(f->world, elastica_world_add_module(f->world, NULL, &module, &effect));
  module.prepare = refuse_to_prepare;
  must(f->world, elastica_effect_set_module(effect, &module));
  assert_true(elastica_world_step(f->world, 1e-6, 1) != ELASTICA_OK);
}

TEST(each_status_has_its_name) {
  static const char *const names[] = {
      "OK",         "INVALID_ARGUMENT", "WRONG_STATE",     "WRONG_VERSION", "OUT_OF_MEMORY", "IO_ERROR", "UNSTABLE_STEP",
      "NOT_FINITE", "JOINT_TOO_FAR",    "CALLBACK_FAILED", "NOT_CONVERGED", "STOPPED"};
  static const elastica_status statuses[] = {ELASTICA_OK,
                                             ELASTICA_INVALID_ARGUMENT,
                                             ELASTICA_WRONG_STATE,
                                             ELASTICA_WRONG_VERSION,
                                             ELASTICA_OUT_OF_MEMORY,
                                             ELASTICA_IO_ERROR,
                                             ELASTICA_UNSTABLE_STEP,
                                             ELASTICA_NOT_FINITE,
                                             ELASTICA_JOINT_TOO_FAR,
                                             ELASTICA_CALLBACK_FAILED,
                                             ELASTICA_NOT_CONVERGED,
                                             ELASTICA_STOPPED};
  for (int k = 0; k < 12; k++) assert_string_equal(elastica_status_text(statuses[k]), names[k]);
  assert_string_equal(elastica_status_text((elastica_status)-1), "unknown status");
}

TEST(the_version_is_that_of_the_header) {
  char version[80];
  snprintf(version, sizeof version, "%d.%d.%d", ELASTICA_VERSION_MAJOR, ELASTICA_VERSION_MINOR, ELASTICA_VERSION_PATCH);
  assert_int_equal(strncmp(elastica_version(), version, strlen(version)), 0);
}
