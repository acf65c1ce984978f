/* Definitions: plain structs that a user fills (see definition.h). */
#include "base/target.h"

#include "base/definition.h"

#include <stdio.h>
#include <string.h>

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
