/* Definitions of older and newer callers: an init function writes as many bytes as its argument states, and stores the number in
 * struct_size. The functions of effects are in conformance_table.h.
 */
#include "conformance_table.h"
#include "header_text.h"

/* A block of exactly this size: a sanitizer detects writes beyond it. */
#define ASSERT_INIT_KEEPS_TO_SIZE(type)                                                                                                    \
  do {                                                                                                                                     \
    for (size_t size = sizeof(size_t); size <= sizeof(type); size += sizeof(double)) {                                                     \
      type *def = malloc(size);                                                                                                            \
      assert_non_null(def);                                                                                                                \
      type##_init(def, size);                                                                                                              \
      assert_true(*(const size_t *)def == size);                                                                                           \
      free(def);                                                                                                                           \
    }                                                                                                                                      \
  } while (0)

TEST(init_writes_no_more_than_it_is_told) {
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_world_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_rod_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_body_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_relax_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_path_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_modes_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_module);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_run_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_sampler);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_cmaes_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_view_def);
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    if (row->init) row->init(NULL, row->def_size);
    for (size_t size = sizeof(size_t); row->init && size <= row->def_size; size += sizeof(double)) {
      void *def = malloc(size);
      assert_non_null(def);
      row->init(def, size);
      assert_true(*(const size_t *)def == size);
      free(def);
    }
  }
}

/* Fields of a newer caller that this library does not know are refused, not ignored. */
TEST(newer_definitions_are_refused) {
  struct {
    elastica_world_def def;
    double more;
  } world_def;
  struct {
    elastica_module module;
    double more;
  } module;
  elastica_world *world = NULL;
  elastica_world_def_init(&world_def.def, sizeof world_def);
  assert_int_equal(elastica_world_create(&world_def.def, &world), ELASTICA_WRONG_VERSION);
  assert_null(world);
  world = make_world(NULL);
  elastica_module_init(&module.module, sizeof module);
  module.module.name = "newer";
  assert_status(world, elastica_world_add_module(world, NULL, &module.module, NULL), ELASTICA_WRONG_VERSION);
  elastica_world_destroy(world);
}

/* sizeof def for a pointer def: only struct_size of the definition was filled, and nothing else is read. */
TEST(the_size_of_a_pointer_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod_def *def = malloc(sizeof(void *));
  assert_non_null(def);
  elastica_rod_def_init(def, sizeof def);
  assert_status(world, elastica_world_add_rod(world, def, NULL), ELASTICA_WRONG_VERSION);
  assert_says(elastica_world_message(world), "rod_def.struct_size", "pointer", "elastica_rod_def_init");
  free(def);
  elastica_world_destroy(world);
}

/* ---- Definitions of older callers ---- */

/* The ends and beginnings of the fields of a struct of the header, from the text of the header. */
typedef struct boundaries {
  char at[1024]; /* 1: an older struct may have had this size */
  size_t full;
} boundaries;

static size_t size_of_type(const char *declaration) {
  static const char anchor[] = "elastica_anchor ";
  if (strncmp(declaration, anchor, strlen(anchor)) == 0) return sizeof(elastica_anchor);
  static const char *const eight[] = {"double ", "long ", "size_t ", "elastica_motion ", "elastica_surface ", "elastica_path_apply "};
  for (size_t k = 0; k < sizeof eight / sizeof *eight; k++)
    if (strncmp(declaration, eight[k], strlen(eight[k])) == 0) return 8;
  return 4; /* int, unsigned and enumerations */
}

/* One declarator: "first", "*self", "force[3]", "(*prepare)(...)". */
static size_t size_of_declarator(const char *text, size_t length, size_t type) {
  size_t size = memchr(text, '*', length) != NULL ? sizeof(void *) : type;
  for (const char *c = text; c < text + length && *c != '('; c++)
    if (*c == '[') size *= (size_t)atoi(c + 1);
  return size;
}

static void add_field(boundaries *found, size_t size, size_t alignment) {
  found->full = (found->full + alignment - 1) / alignment * alignment;
  found->at[found->full] = 1;
  found->full += size;
  found->at[found->full] = 1;
}

/* The fields of one declaration. */
static void add_declaration(boundaries *found, const char *text) {
  const size_t type = size_of_type(strncmp(text, "const ", 6) == 0 ? text + 6 : text);
  for (const char *begin = text;; begin++) {
    const size_t length = length_of_declarator(begin);
    const int pointer = memchr(begin, '*', length) != NULL;
    add_field(found, size_of_declarator(begin, length, type), pointer || type > sizeof(void *) ? sizeof(void *) : type);
    begin += length;
    if (*begin == ';') return;
  }
}

static void find_boundaries(const char *header, const char *name, boundaries *found) {
  memset(found, 0, sizeof *found);
  const char *text = fields_of_struct(header, name);
  for (const char *declaration; (declaration = next_declaration(&text)) != NULL;) add_declaration(found, declaration);
  found->full = (found->full + 7) / 8 * 8;
  found->at[0] = found->at[sizeof(size_t)] = 0; /* nothing but struct_size */
  found->at[found->full] = 1;
}

/* A world with a rod, and effects to set. */
typedef struct scene {
  elastica_world *world;
  elastica_rod *rod;
} scene;

typedef elastica_status (*use)(const scene *s, const void *def);

static elastica_status use_world(const scene *s, const void *def) {
  elastica_world *world = NULL;
  (void)s;
  const elastica_status status = elastica_world_create(def, &world);
  elastica_world_destroy(world);
  return status;
}

static elastica_status use_rod(const scene *s, const void *def) {
  return elastica_world_add_rod(s->world, def, NULL);
}

static elastica_status use_body(const scene *s, const void *def) {
  return elastica_world_add_body(s->world, def, NULL);
}

static elastica_status use_relax(const scene *s, const void *def) {
  return elastica_world_relax(s->world, def, NULL);
}

static elastica_status use_path(const scene *s, const void *def) {
  elastica_path *path = NULL;
  const elastica_status status = elastica_path_create(s->world, def, &path);
  elastica_path_destroy(path);
  return status;
}

static elastica_status use_modes(const scene *s, const void *def) {
  elastica_modes *modes = NULL;
  const elastica_status status = elastica_modes_find(s->world, def, &modes);
  elastica_modes_destroy(modes);
  return status;
}

static elastica_status use_module(const scene *s, const void *def) {
  return elastica_world_add_module(s->world, s->rod, def, NULL);
}

static elastica_status use_run(const scene *s, const void *def) {
  return elastica_world_run(s->world, def, NULL);
}

static elastica_status use_sampler(const scene *s, const void *def) {
  return elastica_world_set_sampler(s->world, def);
}

static elastica_status use_cmaes(const scene *s, const void *def) {
  elastica_cmaes *search = NULL;
  (void)s;
  return elastica_cmaes_create(def, &search);
}

static elastica_status use_view(const scene *s, const void *def) {
  elastica_view *view = NULL;
  return elastica_view_open(s->world, "no such folder/page.html", def, &view);
}

static const struct {
  const char *name;
  size_t size;
  use use;
} definitions[] = {
    {"elastica_world_def", sizeof(elastica_world_def), use_world}, {"elastica_rod_def", sizeof(elastica_rod_def), use_rod},
    {"elastica_relax_def", sizeof(elastica_relax_def), use_relax}, {"elastica_module", sizeof(elastica_module), use_module},
    {"elastica_run_def", sizeof(elastica_run_def), use_run},       {"elastica_sampler", sizeof(elastica_sampler), use_sampler},
    {"elastica_body_def", sizeof(elastica_body_def), use_body},    {"elastica_cmaes_def", sizeof(elastica_cmaes_def), use_cmaes},
    {"elastica_view_def", sizeof(elastica_view_def), use_view},    {"elastica_path_def", sizeof(elastica_path_def), use_path},
    {"elastica_modes_def", sizeof(elastica_modes_def), use_modes},
};

/* Accepted sizes are those at the end of a field, or at the beginning of the next. */
static void find_sizes(const char *header, const char *name, size_t size, boundaries *found) {
  find_boundaries(header, name, found);
  if (found->full != size) fail_msg("%s: %zu bytes, not %zu", name, size, found->full);
}

static void claim_size(const char *name, size_t size, elastica_status status, const boundaries *found) {
  const int refused = status == ELASTICA_WRONG_VERSION;
  if (refused == found->at[size]) fail_msg("%s of %zu bytes is %s", name, size, refused ? "refused" : "taken");
}

/* All fields 0 or NULL, which is harmless. */
typedef union zeros {
  size_t struct_size;
  char bytes[1024];
} zeros;

/* A pointer or number of which the caller has given only a part is never read. */
TEST(sizes_inside_a_field_are_refused) {
  char *header = read_header();
  for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++) {
    static boundaries found;
    find_sizes(header, definitions[d].name, definitions[d].size, &found);
    scene s = {make_world(NULL), NULL};
    s.rod = add_straight_rod(s.world, 4, 1.0, 0.01, 1000.0, 1e6, 4e5);
    for (size_t size = 0; size <= found.full + 8; size++) {
      zeros def;
      memset(&def, 0, sizeof def);
      def.struct_size = size;
      claim_size(definitions[d].name, size, definitions[d].use(&s, &def), &found);
    }
    elastica_world_destroy(s.world);
  }
  free(header);
}

/* ---- Effects ---- */

TEST(effects_refuse_sizes_inside_a_field) {
  char *header = read_header(), name[80];
  for (int k = 0; k < EFFECT_ROWS; k++) {
    static boundaries found;
    const effect_row *row = &effect_rows[k];
    if (row->def_size == 0) continue;
    snprintf(name, sizeof name, "elastica_%s_def", row->name);
    find_sizes(header, name, row->def_size, &found);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_row_rod(row, world, 0, 11);
    elastica_effect *effect = add_effect_of(row, world, rod, 1.0);
    for (size_t size = 0; size <= found.full + 8; size++) {
      elastica_effect *out = effect;
      zeros def;
      memset(&def, 0, sizeof def);
      def.struct_size = size;
      const elastica_status status = row->set(effect, &def);
      claim_size(name, size, status, &found);
      if (status == ELASTICA_WRONG_VERSION) {
        char field[100], value[20];
        snprintf(field, sizeof field, "%s_def.struct_size", row->name);
        snprintf(value, sizeof value, "%zu", size);
        assert_says(elastica_world_message(world), field, value);
      }
      claim_size(name, size, row->add(world, rod, &def, &out), &found);
      if (out) must(world, elastica_effect_set_enabled(out, 0)); /* walls close to each other would conflict */
    }
    elastica_world_destroy(world);
  }
  free(header);
}

/* The result of a definition: the bits after some steps, or a refusal with its sentence. */
typedef struct outcome {
  elastica_status status;
  char message[200];
  uint64_t hash;
} outcome;

/* Uses the first bytes of a row's definition: as an older caller has them, or in a whole definition with defaults behind them. */
static outcome outcome_of(const effect_row *row, size_t size, int older) {
  outcome found = {ELASTICA_OK, "", 0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_row_rod(row, world, 0, 11);
  char *def = make_def(row, rod, 1.0), *whole = calloc(1, row->def_size);
  assert_non_null(whole);
  row->init(whole, row->def_size);
  memcpy(whole, def, size);
  memset(def + size, 0x5a, row->def_size - size);
  memcpy(def, &size, sizeof size);
  found.status = row->add(world, row->is & EVERY_ROD ? NULL : rod, older ? def : whole, NULL);
  snprintf(found.message, sizeof found.message, "%s", elastica_world_message(world));
  if (found.status == ELASTICA_OK) {
    must(world, elastica_world_step(world, 0x1p-14, 5));
    found.hash = hash_world(world);
  }
  free(whole);
  free(def);
  elastica_world_destroy(world);
  return found;
}

/* The bytes behind the end of an older caller's definition are not read: the remaining fields have their defaults. */
TEST(effects_of_older_callers_have_defaults_behind_their_end) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    for (size_t size = sizeof(size_t); row->init && size <= row->def_size; size += 4) {
      const outcome older = outcome_of(row, size, 1);
      if (older.status == ELASTICA_WRONG_VERSION) continue;
      const outcome whole = outcome_of(row, size, 0);
      if (older.status != whole.status || older.hash != whole.hash || strcmp(older.message, whole.message) != 0)
        fail_msg("elastica_%s_def of %zu bytes (%s) is not one with defaults: %s \"%s\", not %s \"%s\"", row->name, size, row->kind,
                 elastica_status_text(older.status), older.message, elastica_status_text(whole.status), whole.message);
    }
  }
}
