/* Definitions that a user fills, and checks of a user's arguments (see definition.h). */
#include "base/target.h"

#include <stdio.h>
#include <string.h>

#include "base/definition.h"

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

/* What is wrong with NaN, which marks what is not set; NULL: nothing. */
static const char *trouble_with_nan(unsigned rule) {
  if (rule & ELI_RULE_OPTIONAL_EACH) return NULL;
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

elastica_status eli_check_numbers(elastica_world *world, const char *field, unsigned rule, const double *values, int count) {
  if (rule == 0 || (rule & ELI_RULE_OPTIONAL && eli_all_nan(values, count))) return ELASTICA_OK;
  for (int unset = 0; unset < 2; unset++) /* what is not set comes after what is set wrongly */
    for (int k = 0; k < count; k++) {
      const char *trouble = eli_is_nan(values[k]) == unset ? trouble_with(values[k], rule) : NULL;
      if (trouble != NULL) return refuse(world, field, k, count, trouble, values[k]);
    }
  if (!(rule & ELI_RULE_FRAME) || eli_is_frame(values)) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is not a right-handed frame, orthonormal to 1e-9", field);
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

static elastica_status check_field(elastica_world *world, const eli_layout *layout, const eli_field *field, const unsigned char *def) {
  enum { NAME_SIZE = 80 };
  char name[NAME_SIZE];
  if (field->choices != NULL) {
    int choice;
    memcpy(&choice, def + field->begin, sizeof choice);
    if (choice >= 0 && (unsigned)choice <= field->last) return ELASTICA_OK;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.%s is %d, %s", layout->name, field->name, choice, field->choices);
  }
  if (field->rule == 0) return ELASTICA_OK;
  snprintf(name, sizeof name, "%s.%s", layout->name, field->name);
  return eli_check_numbers(world, name, field->rule, (const double *)(const void *)(def + field->begin),
                           (int)((field->end - field->begin) / sizeof(double)));
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
