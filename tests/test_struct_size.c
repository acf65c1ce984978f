/* Definitions of older and newer callers: an init function writes as many bytes as its argument says, and stores that in struct_size. */
#include "support.h"

#include <stdlib.h>

/* A block of just so many bytes: a sanitizer sees what goes past it. */
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

static void init_writes_no_more_than_it_is_told(void **state) {
  (void)state;
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_world_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_rod_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_relax_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_module);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_closure);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_point_load_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_dissipation_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_clamp_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_pin_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_node_mass_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_muscle_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_contraction_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_drag_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_wall_def);
  ASSERT_INIT_KEEPS_TO_SIZE(elastica_self_contact_def);
}

/* What a newer caller knows and this library does not is refused, not ignored. */
static void newer_definitions_are_refused(void **state) {
  struct {
    elastica_world_def def;
    double more;
  } world_def;
  struct {
    elastica_module module;
    double more;
  } module;
  elastica_world *world = NULL;
  (void)state;
  elastica_world_def_init(&world_def.def, sizeof world_def);
  assert_int_equal(elastica_world_create(&world_def.def, &world), ELASTICA_WRONG_VERSION);
  assert_null(world);
  world = make_world(NULL);
  elastica_module_init(&module.module, sizeof module);
  module.module.name = "newer";
  assert_status(world, elastica_world_add_module(world, NULL, &module.module, NULL), ELASTICA_WRONG_VERSION);
  elastica_world_destroy(world);
}

/* ---- Definitions of older callers ---- */

/* Where a field of a struct of the header ends, and the next begins; from the text of the header. */
typedef struct boundaries {
  char at[1024]; /* 1: an older struct may have had this size */
  size_t full;
} boundaries;

static char *read_header(void) {
  FILE *file = fopen(ELASTICA_HEADER, "rb");
  if (file == NULL) fail_msg("no file %s", ELASTICA_HEADER);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  for (char *c = text; (c = strstr(c, "/*")) != NULL;) { /* comments become blanks */
    char *end = strstr(c, "*/") + 2;
    while (c < end) *c++ = ' ';
  }
  return text;
}

static size_t size_of_type(const char *declaration) {
  static const char *const eight[] = {"double ", "long ", "size_t ", "elastica_motion "};
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

/* The fields of one declaration, which ends at end. */
static void add_declaration(boundaries *found, const char *text, const char *end) {
  const size_t type = size_of_type(strncmp(text, "const ", 6) == 0 ? text + 6 : text);
  int depth = 0;
  for (const char *c = text, *begin = text; c <= end; c++) {
    if (*c == '(') depth++;
    if (*c == ')') depth--;
    if (c < end && (*c != ',' || depth > 0)) continue;
    const size_t length = (size_t)(c - begin);
    const int pointer = memchr(begin, '*', length) != NULL;
    add_field(found, size_of_declarator(begin, length, type), pointer ? sizeof(void *) : type);
    begin = c + 1;
  }
}

static void find_boundaries(const char *header, const char *name, boundaries *found) {
  char head[80];
  memset(found, 0, sizeof *found);
  snprintf(head, sizeof head, "typedef struct %s {", name);
  const char *text = strstr(header, head);
  if (text == NULL) fail_msg("the header has no %s", name);
  text += strlen(head);
  while (text[strspn(text, " \n")] != '}') {
    text += strspn(text, " \n");
    const char *end = strchr(text, ';');
    add_declaration(found, text, end);
    text = end + 1;
  }
  found->full = (found->full + 7) / 8 * 8;
  found->at[0] = 0;
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

static elastica_status use_relax(const scene *s, const void *def) {
  return elastica_world_relax(s->world, def, NULL);
}

static elastica_status use_module(const scene *s, const void *def) {
  return elastica_world_add_module(s->world, s->rod, def, NULL);
}

static elastica_status use_closure(const scene *s, const void *def) {
  elastica_topology topology;
  return elastica_rod_get_topology(s->rod, def, &topology);
}

#define EFFECT(name)                                                                                                                       \
  static elastica_status use_##name(const scene *s, const void *def) {                                                                     \
    return elastica_add_##name(s->world, s->rod, def, NULL);                                                                               \
  }
EFFECT(point_load)
EFFECT(dissipation)
EFFECT(clamp)
EFFECT(pin)
EFFECT(node_mass)
EFFECT(muscle)
EFFECT(contraction)
EFFECT(drag)
EFFECT(wall)
EFFECT(self_contact)

static const struct {
  const char *name;
  size_t size;
  use use;
} definitions[] = {
    {"elastica_world_def", sizeof(elastica_world_def), use_world},
    {"elastica_rod_def", sizeof(elastica_rod_def), use_rod},
    {"elastica_relax_def", sizeof(elastica_relax_def), use_relax},
    {"elastica_module", sizeof(elastica_module), use_module},
    {"elastica_closure", sizeof(elastica_closure), use_closure},
    {"elastica_point_load_def", sizeof(elastica_point_load_def), use_point_load},
    {"elastica_dissipation_def", sizeof(elastica_dissipation_def), use_dissipation},
    {"elastica_clamp_def", sizeof(elastica_clamp_def), use_clamp},
    {"elastica_pin_def", sizeof(elastica_pin_def), use_pin},
    {"elastica_node_mass_def", sizeof(elastica_node_mass_def), use_node_mass},
    {"elastica_muscle_def", sizeof(elastica_muscle_def), use_muscle},
    {"elastica_contraction_def", sizeof(elastica_contraction_def), use_contraction},
    {"elastica_drag_def", sizeof(elastica_drag_def), use_drag},
    {"elastica_wall_def", sizeof(elastica_wall_def), use_wall},
    {"elastica_self_contact_def", sizeof(elastica_self_contact_def), use_self_contact},
};

/* A pointer or a number of which the caller has given but half is never read. */
static void sizes_at_which_no_field_ends_are_refused(void **state) {
  char *header = read_header();
  (void)state;
  for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++) {
    static boundaries found;
    find_boundaries(header, definitions[d].name, &found);
    if (found.full != definitions[d].size) fail_msg("%s: %zu bytes, not %zu", definitions[d].name, definitions[d].size, found.full);
    scene s = {make_world(NULL), NULL};
    s.rod = add_straight_rod(s.world, 4, 1.0, 0.01, 1000.0, 1e6, 4e5);
    for (size_t size = 0; size <= found.full + 8; size++) {
      union {
        size_t struct_size;
        char bytes[1024];
      } def;
      memset(&def, 0, sizeof def); /* all fields 0 or NULL: nothing to go astray with */
      def.struct_size = size;
      const int refused = definitions[d].use(&s, &def) == ELASTICA_WRONG_VERSION;
      if (refused == found.at[size]) fail_msg("%s of %zu bytes is %s", definitions[d].name, size, refused ? "refused" : "taken");
    }
    elastica_world_destroy(s.world);
  }
  free(header);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(init_writes_no_more_than_it_is_told),
      cmocka_unit_test(newer_definitions_are_refused),
      cmocka_unit_test(sizes_at_which_no_field_ends_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
