/* Definitions that a user fills, and checks of a user's arguments (see definition.h). */
#include "base/target.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "state/definition.h"

/* ---- Numbers and frames ---- */

int eli_all_finite(const double *values, int count) {
  for (int i = 0; i < count; i++) {
    if (!eli_is_finite(values[i])) return 0;
  }
  return 1;
}

int eli_all_nan(const double *values, int count) {
  for (int i = 0; i < count; i++) {
    if (!eli_is_nan(values[i])) return 0;
  }
  return 1;
}

double eli_frame_defect(const double q[9]) {
  double most = 0.0;
  for (int a = 0; a < 3; a++) {
    for (int b = a; b < 3; b++) {
      const double defect = fabs(q[3 * a] * q[3 * b] + q[3 * a + 1] * q[3 * b + 1] + q[3 * a + 2] * q[3 * b + 2] - (a == b ? 1.0 : 0.0));
      if (!(defect <= most) && !eli_is_nan(most)) most = defect;
    }
  }
  const double determinant = q[0] * (q[4] * q[8] - q[5] * q[7]) + q[1] * (q[5] * q[6] - q[3] * q[8]) + q[2] * (q[3] * q[7] - q[4] * q[6]);
  return determinant > 0.0 || !(most <= 1.0) ? most : 2.0;
}

int eli_is_frame(const double q[9]) {
  return eli_frame_defect(q) <= 1e-9;
}

/* ---- Checks ---- */

/* The predicate of a sentence that refuses NaN, the mark of a number that is not set; NULL if the rule allows it. */
static const char *trouble_with_nan(unsigned rule) {
  if (rule & (ELI_RULE_OPTIONAL_EACH | ELI_RULE_IF_USED)) return NULL;
  if (rule & ELI_RULE_REQUIRED) return "is not set";
  if (rule & ELI_RULE_OPTIONAL) return "is not set, but others of it are";
  return rule & ELI_RULE_INFINITE ? "is not a number" : "is not finite";
}

/* The predicate of a sentence that refuses x, such as "is not finite"; NULL if x obeys the rule. */
static const char *trouble_with(double x, unsigned rule) {
  if (eli_is_nan(x)) return trouble_with_nan(rule);
  if (!eli_is_finite(x) && !(rule & ELI_RULE_INFINITE)) return "is not finite";
  if (rule & (ELI_RULE_DIRECTION | ELI_RULE_FRAME)) return NULL;
  if (rule & ELI_RULE_POSITIVE && x <= 0.0) return "is not positive";
  if (rule & ELI_RULE_NOT_NEGATIVE && x < 0.0) return "is negative";
  if (rule & ELI_RULE_POSITIVE && x < 1.0 / ELI_LARGEST) return "is too small";
  return eli_is_moderate(x) || rule & ELI_RULE_INFINITE ? NULL : "is too large";
}

/* "muscle_def.amplitude[3] is too large: 1e+200"; a field of one number has no index, and one that is not set does not show its value. */
static elastica_status refuse(elastica_world *world, const char *field, int index, int count, const char *trouble, double value) {
  char place[16] = "", shown[32] = "";
  if (count > 1) snprintf(place, sizeof place, "[%d]", index);
  if (!eli_is_nan(value) || strcmp(trouble, "is not finite") == 0) snprintf(shown, sizeof shown, ": %g", value);
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s%s %s%s", field, place, trouble, shown);
}

/* Finds the first number that breaks the rule; *index: its index, or -1 if the numbers together break it. Returns the predicate of the
 * sentence; NULL if all obey. */
static const char *find_trouble(unsigned rule, const double *values, int count, int *index) {
  if (rule == 0 || (rule & ELI_RULE_OPTIONAL && eli_all_nan(values, count))) return NULL;
  for (int unset = 0; unset < 2; unset++) /* wrong numbers are reported before unset ones */
    for (*index = 0; *index < count; ++*index) {
      const double x = values[*index];
      const char *trouble = eli_is_nan(x) == unset ? trouble_with(x, rule) : NULL;
      if (trouble != NULL) return trouble;
    }
  *index = -1;
  assert(!(rule & ELI_RULE_FRAME) || count == 9);
  return rule & ELI_RULE_FRAME && !eli_is_frame(values) ? "is not a right-handed frame, orthonormal to 1e-9" : NULL;
}

elastica_status eli_check_numbers(elastica_world *world, const char *field, unsigned rule, const double *values, int count) {
  int index;
  const char *trouble = find_trouble(rule, values, count, &index);
  if (trouble == NULL) return ELASTICA_OK;
  if (index >= 0) return refuse(world, field, index, count, trouble, values[index]);
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s %s", field, trouble);
}

elastica_status eli_check_at_most(elastica_world *world, const char *field, double value, double most) {
  return value <= most ? ELASTICA_OK : refuse(world, field, 0, 1, "is too large", value);
}

elastica_status eli_check_index(elastica_world *world, const char *function, const char *what, int index, int count, int *out) {
  if (index >= count) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: %s %d is outside 0..%d", function, what, index, count - 1);
  }
  if (index < -count) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: %s %d is outside -%d..-1", function, what, index, count);
  }
  *out = index < 0 ? index + count : index;
  return ELASTICA_OK;
}

/* ---- Tables of fields ---- */

void eli_def_init(const eli_layout *layout, void *def, size_t size) {
  if (def == NULL) return;
  memcpy(def, layout->defaults, size < layout->size ? size : layout->size);
  memcpy(def, &size, size < sizeof size ? size : sizeof size);
}

/* Returns 1 if size holds no field besides struct_size. No version had such a definition: the caller took the size of a pointer. */
static int is_empty(const eli_layout *layout, size_t size) {
  return size <= layout->fields[1].begin;
}

/* Returns 1 if size is the full size, or that of an older struct. An older struct ended at the end of a field, or with padding up to the
 * begin of the field that came next. */
static int is_size_of(const eli_layout *layout, size_t size) {
  if (size == layout->size) return 1;
  for (size_t k = 1; k < layout->count && !is_empty(layout, size); k++)
    if (size == layout->fields[k].begin || size == layout->fields[k].end) return 1;
  return 0;
}

/* Number of doubles of a field. */
static int count_of(const eli_field *field) {
  return (int)((field->end - field->begin) / sizeof(double));
}

static elastica_status check_field(elastica_world *world, const eli_layout *layout, const eli_field *field, const unsigned char *def) {
  enum { NAME_SIZE = 80 };
  char name[NAME_SIZE];
  if (field->choices != NULL) {
    int choice;
    memcpy(&choice, def + field->begin, sizeof choice);
    if (choice >= 0 && (unsigned)choice <= field->last) return ELASTICA_OK;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.%s is %d, %s", layout->name, field->name, choice, field->choices);
  }
  if (field->rule & ELI_RULE_GROUP) {
    int group;
    memcpy(&group, def + field->begin, sizeof group);
    if (group >= 0 || group == ELASTICA_EVERY_GROUP) return ELASTICA_OK;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.%s is %d: neither a group nor EVERY_GROUP", layout->name,
                                 field->name, group);
  }
  if (!(field->rule & ELI_RULE_NUMBERS)) return ELASTICA_OK;
  snprintf(name, sizeof name, "%s.%s", layout->name, field->name);
  return eli_check_numbers(world, name, field->rule, (const double *)(const void *)(def + field->begin), count_of(field));
}

elastica_status eli_def_read(elastica_world *world, const eli_layout *layout, void *copy, const void *def) {
  size_t given;
  assert(layout->count >= 2 && layout->fields[0].begin == 0 && layout->fields[layout->count - 1].end <= layout->size);
  eli_def_init(layout, copy, layout->size);
  if (def == NULL) return ELASTICA_OK;
  memcpy(&given, def, sizeof given);
  if (!is_size_of(layout, given)) {
    return elastica_world_refuse(
        world, ELASTICA_WRONG_VERSION,
        is_empty(layout, given) ? "%s.struct_size is %zu, that of a pointer or of nothing; the whole is %zu: use elastica_%s_init"
        : given > layout->size  ? "%s.struct_size is %zu, this library knows up to %zu: use elastica_%s_init"
                                : "%s.struct_size is %zu, where no field ends; the whole is %zu: use elastica_%s_init",
        layout->name, given, layout->size, layout->name);
  }
  memcpy(copy, def, given);
  elastica_status status = ELASTICA_OK;
  for (size_t k = 0; k < layout->count && status == ELASTICA_OK; k++) status = check_field(world, layout, &layout->fields[k], copy);
  return status;
}

/* Returns 1 if the bytes of a field are those of the default, or both numbers are NaN. */
static int is_default(const eli_layout *layout, const eli_field *field, const void *def) {
  const unsigned char *own = (const unsigned char *)def + field->begin, *other = (const unsigned char *)layout->defaults + field->begin;
  if (!(field->rule & ELI_RULE_NUMBERS)) return memcmp(own, other, field->end - field->begin) == 0;
  for (int k = 0; k < count_of(field); k++) {
    double value, usual;
    memcpy(&value, own + (size_t)k * sizeof value, sizeof value);
    memcpy(&usual, other + (size_t)k * sizeof usual, sizeof usual);
    if (value != usual && !(eli_is_nan(value) && eli_is_nan(usual))) return 0;
  }
  return 1;
}

elastica_status eli_def_refuse_unused(elastica_world *world, const eli_layout *layout, const void *def, unsigned flag, const char *user) {
  for (size_t k = 0; k < layout->count; k++) {
    const eli_field *field = &layout->fields[k];
    if (!(field->rule & flag) || is_default(layout, field, def)) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.%s is set, but %s does not use it", layout->name, field->name, user);
  }
  return ELASTICA_OK;
}

elastica_status eli_def_resolve(elastica_world *world, const char *function, const eli_layout *layout, const elastica_rod_view *rod,
                                void *def) {
  elastica_status status = ELASTICA_OK;
  int node = 0;
  for (size_t k = 0; k < layout->count && status == ELASTICA_OK; k++) {
    const eli_field *field = &layout->fields[k];
    const int is_node = (field->rule & ELI_RULE_NODE) != 0;
    int index;
    if (!is_node && !(field->rule & ELI_RULE_ELEMENT)) continue;
    assert(field->end - field->begin == sizeof index);
    memcpy(&index, (unsigned char *)def + field->begin, sizeof index);
    if (field->rule & ELI_RULE_BESIDE_NODE && index == ELASTICA_BESIDE_NODE)
      index = node < rod->element_count ? node : rod->element_count - 1;
    status = eli_check_index(world, function, field->name, index, is_node ? rod->node_count : rod->element_count, &index);
    memcpy((unsigned char *)def + field->begin, &index, sizeof index);
    if (is_node) node = index;
  }
  return status;
}

/* ---- Definitions in snapshots ---- */

static void keep_int(const eli_field *field, unsigned char *at, int least, int most, eli_record *record) {
  int value;
  assert(field->end - field->begin == sizeof value);
  memcpy(&value, at, sizeof value);
  eli_record_int(record, field->name, &value, least, most);
  memcpy(at, &value, sizeof value);
}

static void keep_numbers(const eli_field *field, unsigned char *at, eli_record *record) {
  enum { MOST = 16 };
  const int count = count_of(field);
  const unsigned rule = field->rule & ~(unsigned)(ELI_RULE_OPTIONAL | ELI_RULE_OPTIONAL_EACH);
  double values[MOST];
  int index;
  assert(count <= MOST);
  for (int k = 0; k < count; k++) {
    uint64_t bits;
    memcpy(&bits, at + (size_t)k * sizeof bits, sizeof bits);
    bits = eli_record_word(record, bits);
    memcpy(&values[k], &bits, sizeof bits);
  }
  if (record->use == ELI_RECORD_READ) memcpy(at, values, (size_t)count * sizeof *values);
  if (record->use == ELI_RECORD_CHECK && find_trouble(rule, values, count, &index) != NULL) eli_record_blame(record, field->name, 0);
}

static void keep_field(const eli_field *field, unsigned char *at, const elastica_rod_view *rod, eli_record *record) {
  void (*function)(void);
  if (field->choices != NULL) {
    keep_int(field, at, 0, (int)field->last, record);
  } else if (field->rule & ELI_RULE_NODE) {
    keep_int(field, at, 0, rod->node_count - 1, record);
  } else if (field->rule & ELI_RULE_ELEMENT) {
    keep_int(field, at, 0, rod->element_count - 1, record);
  } else if (field->rule & ELI_RULE_GROUP) {
    keep_int(field, at, ELASTICA_EVERY_GROUP, INT_MAX, record);
  } else if (field->rule & ELI_RULE_FUNCTION) {
    memcpy((void *)&function, at, sizeof function);
    eli_record_same(record, field->name, function != NULL);
  } else if (field->rule & ELI_RULE_NUMBERS) {
    keep_numbers(field, at, record);
  }
}

void eli_def_keep(const eli_layout *layout, void *def, const elastica_rod_view *rod, eli_record *record) {
  for (size_t k = 0; k < layout->count; k++) keep_field(&layout->fields[k], (unsigned char *)def + layout->fields[k].begin, rod, record);
}

void eli_def_peek(const eli_layout *layout, void *def, const elastica_rod_view *rod, const eli_record *record) {
  eli_record ahead = *record;
  ahead.use = ELI_RECORD_READ;
  eli_def_keep(layout, def, rod, &ahead);
}

void eli_def_function(const eli_layout *layout, void *def, eli_function *of, int set) {
  if (!set) *of = (eli_function){NULL, NULL, NULL};
  for (size_t k = 0; k < layout->count; k++) {
    const eli_field *field = &layout->fields[k];
    unsigned char *at = (unsigned char *)def + field->begin;
    void *value = field->rule & ELI_RULE_FUNCTION ? (void *)&of->function : field->rule & ELI_RULE_USER ? (void *)&of->user : NULL;
    if (value == NULL) continue;
    memcpy(set ? (void *)at : value, set ? value : (void *)at, field->end - field->begin);
  }
}
