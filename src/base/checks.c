/* Questions that every add and set function asks of its arguments (see checks.h). */
#include "base/target.h"

#include "base/checks.h"
#include "base/sentence.h"

#include <string.h>

void eli_fill_nan(double *values, int count) {
  for (int i = 0; i < count; i++) values[i] = eli_nan();
}

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

int eli_is_frame(const double q[9]) {
  const double tolerance = 1e-9;
  for (int a = 0; a < 3; a++) {
    for (int b = a; b < 3; b++) {
      const double defect = q[3 * a] * q[3 * b] + q[3 * a + 1] * q[3 * b + 1] + q[3 * a + 2] * q[3 * b + 2] - (a == b ? 1.0 : 0.0);
      if (!(defect <= tolerance && defect >= -tolerance)) return 0;
    }
  }
  const double determinant = q[0] * (q[4] * q[8] - q[5] * q[7]) + q[1] * (q[5] * q[6] - q[3] * q[8]) + q[2] * (q[3] * q[7] - q[4] * q[6]);
  return determinant > 0.0;
}

void eli_def_write(void *def, size_t size, const void *defaults, size_t full) {
  if (def) memcpy(def, defaults, size < full ? size : full);
}

/* 1: size is full, or the size of some older struct, which ended with a field, or with padding before the field that came next. */
static int is_size_of(const eli_layout *layout, size_t size) {
  if (size == layout->size) return 1;
  for (size_t k = 0; k < layout->count; k++) {
    if (size > 0 && (size == layout->fields[k].begin || size == layout->fields[k].end)) return 1;
  }
  return 0;
}

elastica_status eli_def_read(elastica_world *world, const eli_layout *layout, void *copy, const void *def) {
  size_t given;
  memcpy(&given, def, sizeof given);
  if (!is_size_of(layout, given)) {
    return elastica_world_refuse(world, ELASTICA_WRONG_VERSION,
                                 given > layout->size
                                     ? "%s.struct_size is %zu, this library knows up to %zu: use elastica_%s_init"
                                     : "%s.struct_size is %zu, where no field ends; the whole is %zu: use elastica_%s_init",
                                 layout->name, given, layout->size, layout->name);
  }
  memcpy(copy, def, given);
  return ELASTICA_OK;
}

elastica_status eli_check_add_any(elastica_world *world, elastica_rod *rod, const void *def, const char *function) {
  if (!world) return ELASTICA_INVALID_ARGUMENT;
  if (!def) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: def is NULL", function);
  if (rod && elastica_rod_world(rod) != world) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: rod belongs to another world", function);
  }
  return ELASTICA_OK;
}

elastica_status eli_check_add(elastica_world *world, elastica_rod *rod, const void *def, const char *function) {
  if (world && !rod) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: rod is NULL", function);
  return eli_check_add_any(world, rod, def, function);
}

elastica_status eli_check_effect(elastica_effect *effect, const char *function, const char *name) {
  if (!effect) return ELASTICA_INVALID_ARGUMENT;
  if (eli_effect_is_built_in(effect) && elastica_effect_name(effect) == name) return ELASTICA_OK;
  char label[ELI_LABEL_SIZE];
  return elastica_world_refuse(elastica_effect_world(effect), ELASTICA_INVALID_ARGUMENT, "%s: the effect is a %s, not a %s of the library",
                               function, eli_shorten(elastica_effect_name(effect), label, sizeof label), name);
}

elastica_status eli_check_set(elastica_effect *effect, const void *def, const char *function, const char *name) {
  const elastica_status status = eli_check_effect(effect, function, name);
  if (status != ELASTICA_OK || def) return status;
  return elastica_world_refuse(elastica_effect_world(effect), ELASTICA_INVALID_ARGUMENT, "%s: def is NULL", function);
}

elastica_status eli_check_finite(elastica_world *world, const char *field, const double *values, int count) {
  if (eli_all_finite(values, count)) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is not finite", field);
}

elastica_status eli_check_numbers(elastica_world *world, const char *field, const double *values, int count) {
  const elastica_status status = eli_check_finite(world, field, values, count);
  for (int k = 0; k < count && status == ELASTICA_OK; k++) {
    if (!eli_is_moderate(values[k]))
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is too large: %g", field, values[k]);
  }
  return status;
}

elastica_status eli_check_not_negative(elastica_world *world, const char *field, double value) {
  const elastica_status status = eli_check_numbers(world, field, &value, 1);
  if (status != ELASTICA_OK) return status;
  if (value < 0.0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is negative: %g", field, value);
  return ELASTICA_OK;
}

elastica_status eli_check_frame(elastica_world *world, const char *field, const double director[9]) {
  const elastica_status status = eli_check_finite(world, field, director, 9);
  if (status != ELASTICA_OK) return status;
  if (eli_is_frame(director)) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is not a right-handed frame, orthonormal to 1e-9", field);
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
