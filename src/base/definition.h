/* Definitions: plain structs that a user fills, from this version of the library or from an older one.
 *
 * A table lists the fields of a definition with their rules and defaults. Versions of a definition differ in length: struct_size, the first
 * field of each, tells how many of the fields the caller knows.
 */
#ifndef ELI_DEFINITION_H
#define ELI_DEFINITION_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "base/checks.h"

typedef struct eli_field {
  size_t begin, end; /* [bytes] in the definition */
  const char *name;
  unsigned rule;       /* rule for its numbers (checks.h); 0: not checked here */
  unsigned last;       /* largest value of an enumeration or a flag */
  const char *choices; /* "neither FIRST nor LAST", the end of the sentence for a wrong choice; NULL: not a choice */
} eli_field;

/* A definition with all its fields in order: struct_size and at least one more. A struct_size that ends at the border of a field missing
 * from this table is WRONG_VERSION. */
typedef struct eli_layout {
  const char *name; /* "clamp_def" */
  size_t size;
  const eli_field *fields;
  size_t count;
  const void *defaults;
} eli_layout;

#define ELI_EXTENT(type, field) offsetof(type, field), offsetof(type, field) + sizeof(((type *)0)->field), #field
#define ELI_FIELD(type, field)                                                                                                             \
  { ELI_EXTENT(type, field), 0, 0, NULL }
#define ELI_NUMBERS(type, field, rule)                                                                                                     \
  { ELI_EXTENT(type, field), rule, 0, NULL }
#define ELI_CHOICE(type, field, last, choices)                                                                                             \
  { ELI_EXTENT(type, field), 0, last, choices }
#define ELI_FLAG(type, field) ELI_CHOICE(type, field, 1, "neither 0 nor 1")
#define ELI_LAYOUT(name, type, fields, defaults)                                                                                           \
  { name, sizeof(type), fields, sizeof(fields) / sizeof *(fields), &(defaults) }

/* Defaults of unset vectors and frames. */
#define ELI_UNSET_VECTOR                                                                                                                   \
  { NAN, NAN, NAN }
#define ELI_UNSET_FRAME                                                                                                                    \
  { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN }

/* Implements the public _def_init functions: writes the first size bytes of the defaults, with struct_size = size. NULL does nothing. */
void eli_def_init(const eli_layout *layout, void *def, size_t size);

/* Writes the defaults and then the fields of def (may be NULL) into copy, which has the full size, and checks the fields by their rules. A
 * smaller struct_size belongs to an older caller. A struct_size that is larger, ends inside a field, or holds no field is WRONG_VERSION. */
elastica_status eli_def_read(elastica_world *world, const eli_layout *layout, void *copy, const void *def);

#endif
