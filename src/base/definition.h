/* Definitions: plain structs that a user fills, of this version of the library or of an older one.
 *
 * A table says which fields a definition has, what each may hold and what it is when it is not set. Versions differ by their length:
 * struct_size, the first field of each, tells how much of it the caller knows.
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
  unsigned rule;       /* of its numbers (checks.h); 0: not checked here */
  unsigned last;       /* of an enumeration or a flag: its largest value */
  const char *choices; /* of these: "neither FIRST nor LAST"; NULL: it is none */
} eli_field;

/* A definition and all its fields in order, struct_size and at least one more. A struct_size that ends beside a field that is missing here is WRONG_VERSION. */
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

/* Defaults of vectors and frames that are not set. */
#define ELI_UNSET_VECTOR                                                                                                                   \
  { NAN, NAN, NAN }
#define ELI_UNSET_FRAME                                                                                                                    \
  { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN }

/* The body of a _def_init: writes the first size bytes of the defaults, with size for struct_size. def NULL does nothing. */
void eli_def_init(const eli_layout *layout, void *def, size_t size);

/* Writes the defaults and then what def (or NULL) has into copy, which is of full size, and checks fields by their rules. A smaller
 * struct_size is that of an older caller; one that ends inside a field or before the first, or a larger one, is WRONG_VERSION. */
elastica_status eli_def_read(elastica_world *world, const eli_layout *layout, void *copy, const void *def);

#endif
