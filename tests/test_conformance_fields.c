/* Refusals of every effect of the library (see conformance.h): each wrong field of its definition, by name, and senseless calls. A
 * refused call changes nothing: the world continues with the bits of a world without the call.
 */
#include "base/target.h"

#include "conformance_table.h"
#include "header_text.h"

enum { SEED = 11 };

/* ---- Rules and fields ---------------------------------------------------------------------------------------------------------------- */

/* Reads the name in one declarator, such as "double force[3]", "last" or "elastica_status (*function)(void *user)". */
static void read_name(const char *declarator, size_t length, char name[80]) {
  const char *begin = memchr(declarator, '(', length), *end = begin ? begin + strcspn(begin, ")") : declarator;
  if (begin == NULL) {
    while (end < declarator + length && *end != '[') end++;
    for (begin = end; begin > declarator && strchr(" *", begin[-1]) == NULL;) begin--;
  } else {
    begin += 2;
  }
  snprintf(name, 80, "%.*s", (int)(end - begin), begin);
}

/* In a row of the same effect. */
static int has_rule(const effect_row *row, const char *field) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int f = 0; f < effect_rows[k].field_count && strcmp(effect_rows[k].name, row->name) == 0; f++)
      if (strcmp(effect_rows[k].fields[f].field, field) == 0) return 1;
  return 0;
}

static void claim_rules(const effect_row *row, const char *header) {
  char name[80];
  snprintf(name, sizeof name, "elastica_%s_def", row->name);
  const char *text = fields_of_struct(header, name);
  for (const char *c; (c = next_declaration(&text)) != NULL;)
    for (;; c++) {
      const size_t length = length_of_declarator(c);
      read_name(c, length, name);
      if (strcmp(name, "struct_size") != 0 && !has_rule(row, name)) fail_msg("elastica_%s_def: no rule for %s", row->name, name);
      c += length;
      if (*c == ';') break;
    }
}

/* Each name of the table has rows with rules, and together these are all. */
TEST(every_field_has_a_rule) {
  char *header = read_header();
  for (int k = 0; k < EFFECT_ROWS; k++) {
    int with_rules = 0;
    for (int other = 0; other < EFFECT_ROWS; other++)
      with_rules += effect_rows[other].field_count > 0 && strcmp(effect_rows[other].name, effect_rows[k].name) == 0;
    if (with_rules == 0) fail_msg("%s: no row has rules for fields", effect_rows[k].name);
    if (effect_rows[k].field_count > 0 && effect_rows[k].def_size > 0) claim_rules(&effect_rows[k], header);
  }
  free(header);
}

/* ---- Scene --------------------------------------------------------------------------------------------------------------------------- */

/* A world that already has the effect, and another effect. */
typedef struct scene {
  const effect_row *row;
  elastica_world *world;
  elastica_rod *rod, *wanted; /* wanted: the argument of add, NULL for every rod */
  elastica_effect *effect, *other;
  void *def;
} scene;

static scene make_scene(const effect_row *row) {
  scene s = {.row = row, .world = make_world(NULL)};
  elastica_module module;
  s.rod = add_row_rod(row, s.world, 0, SEED);
  s.wanted = row->is & EVERY_ROD ? NULL : s.rod;
  s.effect = add_effect_of(row, s.world, s.rod, 1.0);
  s.def = make_def(row, s.rod, 1.0);
  elastica_module_init(&module, sizeof module);
  module.name = "stranger";
  must(s.world, elastica_world_add_module(s.world, NULL, &module, &s.other));
  return s;
}

/* Steps the world and returns the bits. */
static uint64_t finish(scene *s) {
  assert_int_equal(elastica_world_get(s->world).effect_count, 2);
  must(s->world, elastica_world_step(s->world, 0x1p-14, 5));
  const uint64_t hash = hash_world(s->world);
  elastica_world_destroy(s->world);
  free(s->def);
  return hash;
}

static uint64_t undisturbed(const effect_row *row) {
  scene s = make_scene(row);
  return finish(&s);
}

/* add and set must refuse the definition, with these words in the sentence. */
static void claim_refusal(const scene *s, const void *def, elastica_status expected, const char *const *words) {
  elastica_effect *out = s->other;
  claim_refused(s->world, s->row->add(s->world, s->wanted, def, &out), expected, words, s->row->name, __FILE__, __LINE__);
  assert_null(out);
  claim_refused(s->world, s->row->set(s->effect, def), expected, words, s->row->name, __FILE__, __LINE__);
}

/* ---- Wrong fields -------------------------------------------------------------------------------------------------------------------- */

typedef struct wrong_number {
  unsigned kind;
  double value;
  const char *words[2];
} wrong_number;

static const wrong_number wrong_numbers[] = {
    {UNSET, (double)NAN, {"not set", ""}},
    {NOT_A_NUMBER, (double)NAN, {"is not", ""}}, /* finite; unset in fields that may remain unset */
    {INFINITE, (double)INFINITY, {"not finite", ""}},
    {INFINITE, -(double)INFINITY, {"not finite", ""}},
    {LARGE, 1e200, {"too large", "1e+200"}},
    {NEGATIVE, -1.0, {"negative", "-1"}},
    {NOT_POSITIVE, -1.0, {"not positive", "-1"}},
    {NOT_POSITIVE, 0.0, {"not positive", "0"}},
    {SMALL, 1e-200, {"too", "1e-200"}},
};

/* The sentence must contain the name of the field and two more words. */
static void claim_wrong_field(const scene *s, const field_rule *rule, const void *def, const char *first, const char *second) {
  const int bare = rule->wrong & (NODE | ELEMENT) || s->row->def_size == 0;
  char name[80];
  snprintf(name, sizeof name, "%s_def.%s", s->row->name, rule->field);
  claim_refusal(s, def, ELASTICA_INVALID_ARGUMENT, (const char *const[]){bare ? rule->field : name, first, second, NULL});
}

/* Tries one wrong number in every entry of the field. */
static void claim_wrong_numbers(const scene *s, const field_rule *rule, char *def) {
  double copy[SAMPLE_NODES], *numbers = (double *)(def + rule->offset);
  const int count = rule->count > 0 ? rule->count : 1;
  if (rule->wrong & BEHIND) {
    const double *const given = *(const double **)(def + rule->offset);
    memcpy(copy, given, (size_t)count * sizeof *copy);
    numbers = copy;
    memcpy(def + rule->offset, &numbers, sizeof numbers);
  }
  for (size_t k = 0; k < sizeof wrong_numbers / sizeof *wrong_numbers; k++)
    for (int i = 0; i < count && rule->wrong & wrong_numbers[k].kind; i++) {
      const double right = numbers[i];
      numbers[i] = wrong_numbers[k].value;
      claim_wrong_field(s, rule, def, wrong_numbers[k].words[0], wrong_numbers[k].words[1]);
      numbers[i] = right;
    }
}

static void claim_wrong_integers(const scene *s, const field_rule *rule, char *def) {
  const elastica_rod_view *view = elastica_rod_get_view(s->rod);
  const int last = rule->wrong & CHOICE ? rule->count : rule->wrong & NODE ? view->node_count : view->element_count;
  const int wrong[2] = {last, rule->wrong & CHOICE ? -1 : -last - 1};
  for (int k = 0; k < 2; k++) {
    char value[20], range[40];
    snprintf(value, sizeof value, "%d", wrong[k]);
    snprintf(range, sizeof range, k == 0 ? "outside 0..%d" : "outside -%d..-1", k == 0 ? last - 1 : last);
    memcpy(def + rule->offset, &wrong[k], sizeof wrong[k]);
    if (rule->wrong & CHOICE)
      for (int w = 0; rule->says[w]; w++) claim_wrong_field(s, rule, def, rule->says[w], "");
    else
      claim_wrong_field(s, rule, def, value, range);
  }
}

static void claim_wrong_switches(const scene *s, const field_rule *rule, char *def) {
  static const int wrong[] = {2, -1, 256};
  const int right = *(const int *)(def + rule->offset);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char value[20];
    snprintf(value, sizeof value, "%d", wrong[k]);
    memcpy(def + rule->offset, &wrong[k], sizeof wrong[k]);
    claim_wrong_field(s, rule, def, value, "neither 0 nor 1");
  }
  memcpy(def + rule->offset, &right, sizeof right);
}

static void claim_wrong_frames(const scene *s, const field_rule *rule, char *def) {
  static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double *frame = (double *)(def + rule->offset);
  for (int k = 0; k < 9; k++) {
    memcpy(frame, one, sizeof one);
    frame[k] = k % 2 ? (double)NAN : (double)INFINITY;
    claim_wrong_field(s, rule, def, k % 2 ? "not set, but others of it are" : "not finite", "");
    frame[k] = one[k] + 1e-8;
    claim_wrong_field(s, rule, def, "frame", "orthonormal");
  }
  for (int k = 0; k < 9; k++) frame[k] = -one[k];
  claim_wrong_field(s, rule, def, "frame", "orthonormal");
}

static void claim_rule(const scene *s, const field_rule *rule) {
  char *def = make_def(s->row, s->rod, 1.0);
  if (rule->first) rule->first(def);
  if (rule->wrong & SPOILT) {
    claim_refusal(s, def, ELASTICA_INVALID_ARGUMENT, rule->says);
  } else if (rule->first) { /* the value is wrong, not the field that gives it a meaning */
    scene sound = make_scene(s->row);
    must(sound.world, s->row->set(sound.effect, def));
    finish(&sound);
  }
  if (rule->wrong & (NODE | ELEMENT | CHOICE)) claim_wrong_integers(s, rule, def);
  if (rule->wrong & SWITCH) claim_wrong_switches(s, rule, def);
  if (rule->wrong & FRAME) claim_wrong_frames(s, rule, def);
  claim_wrong_numbers(s, rule, def);
  free(def);
}

TEST(wrong_fields_are_refused_by_name) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    if (row->field_count == 0) continue;
    scene s = make_scene(row);
    for (int f = 0; f < row->field_count; f++) claim_rule(&s, &row->fields[f]);
    assert_true(finish(&s) == undisturbed(row));
  }
}

/* ---- Wrong calls --------------------------------------------------------------------------------------------------------------------- */

/* The names of the two functions of an effect, as used in sentences. */
typedef struct function_names {
  char add[80], set[80];
} function_names;

static function_names names_of(const effect_row *row) {
  function_names names;
  snprintf(names.add, sizeof names.add, "add_%s", row->name);
  snprintf(names.set, sizeof names.set, "%s_set", row->name);
  return names;
}

static void claim_missing_arguments(const scene *s) {
  const effect_row *row = s->row;
  const function_names names = names_of(row);
  const char *argument = row->def_size ? "def" : "acceleration";
  elastica_effect *out = s->other;
  assert_status(NULL, row->add(NULL, s->wanted, s->def, &out), ELASTICA_INVALID_ARGUMENT);
  assert_null(out);
  assert_status(NULL, row->set(NULL, s->def), ELASTICA_INVALID_ARGUMENT);
  out = s->other;
  assert_refused(s->world, row->add(s->world, s->wanted, NULL, &out), ELASTICA_INVALID_ARGUMENT, names.add, argument, "NULL");
  assert_null(out);
  assert_refused(s->world, row->set(s->effect, NULL), ELASTICA_INVALID_ARGUMENT, names.set, argument, "NULL");
  if (!(row->is & EVERY_ROD))
    assert_refused(s->world, row->add(s->world, NULL, s->def, NULL), ELASTICA_INVALID_ARGUMENT, names.add, "rod", "NULL");
}

/* A rod of another world, and another effect. */
static void claim_foreign_arguments(const scene *s) {
  const effect_row *row = s->row;
  const function_names names = names_of(row);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_row_rod(row, world, 0, SEED);
  assert_refused(s->world, row->set(s->other, s->def), ELASTICA_INVALID_ARGUMENT, names.set, "stranger", row->name);
  if (row->add != add_gravity) /* gravity takes no rod */
    assert_refused(s->world, row->add(s->world, rod, s->def, NULL), ELASTICA_INVALID_ARGUMENT, names.add, "rod", "another world");
  elastica_world_destroy(world);
}

static elastica_status ask_in_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const scene *s = *(scene **)self;
  const function_names names = names_of(s->row);
  elastica_effect *out = s->effect;
  (void)now, (void)rod;
  assert_refused(s->world, s->row->add(s->world, s->wanted, s->def, &out), ELASTICA_WRONG_STATE, names.add, "hook");
  assert_null(out);
  assert_refused(s->world, s->row->set(s->effect, s->def), ELASTICA_WRONG_STATE, names.set, "hook");
  return ELASTICA_OK;
}

TEST(wrong_calls_are_refused) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    scene s = make_scene(&effect_rows[k]);
    claim_missing_arguments(&s);
    claim_foreign_arguments(&s);
    assert_true(finish(&s) == undisturbed(&effect_rows[k]));
  }
}

TEST(calls_from_inside_a_hook_are_refused) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    scene s = make_scene(&effect_rows[k]);
    const scene *self = &s;
    elastica_module module;
    elastica_module_init(&module, sizeof module);
    module.name = "asking";
    module.self = &self;
    module.self_size = sizeof self;
    module.observe = ask_in_hook;
    must(s.world, elastica_world_add_module(s.world, NULL, &module, NULL));
    must(s.world, elastica_world_step(s.world, 0x1p-14, 2));
    assert_int_equal(elastica_world_get(s.world).effect_count, 3);
    elastica_world_destroy(s.world);
    free(s.def);
  }
}

static elastica_status fail_to_observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)self, (void)now, (void)rod;
  return ELASTICA_IO_ERROR;
}

TEST(calls_after_a_failure_are_refused) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    scene s = make_scene(&effect_rows[k]);
    elastica_module module;
    elastica_module_init(&module, sizeof module);
    module.name = "failing";
    module.observe = fail_to_observe;
    must(s.world, elastica_world_add_module(s.world, NULL, &module, NULL));
    assert_status(s.world, elastica_world_step(s.world, 0x1p-14, 2), ELASTICA_CALLBACK_FAILED);
    claim_refusal(&s, s.def, ELASTICA_WRONG_STATE, (const char *const[]){"failing", "observe", "IO_ERROR", NULL});
    assert_int_equal(elastica_world_get(s.world).effect_count, 3);
    elastica_world_destroy(s.world);
    free(s.def);
  }
}
