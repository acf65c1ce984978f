/* Definitions: plain structs that a user fills, from this version of the library or from an older one; and checks of their numbers, frames
 * and indices.
 *
 * A table lists the fields of a definition with their rules and defaults; an effect whose parameters are its definition also keeps them in
 * snapshots by this table. Versions of a definition differ in length: struct_size, the first field of each, tells how many of the fields
 * the caller knows.
 *
 * Each check returns ELASTICA_OK, or writes its sentence into the world's message and returns the status of the refusal. `field` is the
 * name in the public header ("boundary_def.position"), `function` is the public name without its prefix ("add_boundary").
 */
#ifndef ELI_DEFINITION_H
#define ELI_DEFINITION_H

#include "base/target.h"

#include <elastica.h>
#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "base/record.h"

/* ---- Numbers and frames ---- */

/* Largest accepted magnitude of a number that the model squares or multiplies with another one: the product must not overflow. Positive
 * numbers must not be smaller than its inverse. */
#define ELI_LARGEST 1e150

/* Returns 1 if x and its square are finite. */
static inline int eli_is_moderate(double x) {
  return x >= -ELI_LARGEST && x <= ELI_LARGEST;
}

static inline int eli_is_nan(double x) {
  return x != x;
}

/* The value of a field that is not set. */
static inline double eli_nan(void) {
  return NAN;
}

static inline int eli_is_flag(int x) {
  return x == 0 || x == 1;
}

int eli_all_finite(const double *values, int count);
int eli_all_nan(const double *values, int count);

/* The largest difference of the products of rows from those of a frame; 2 for a left-handed one, NaN for numbers that are not finite. */
double eli_frame_defect(const double director[9]);

/* Returns 1 if the rows are orthonormal to 1e-9 and right-handed; 0 if a number is not finite. */
int eli_is_frame(const double director[9]);

/* ---- Checks ---- */

/* Rule of a field of a definition, as a sum of these flags. A field without flags is not checked. The numbers of a field with flags must be
 * finite, and at most ELI_LARGEST in magnitude unless the flag says otherwise. */
enum {
  ELI_RULE_NUMBER = 1,
  ELI_RULE_NOT_NEGATIVE = 2,
  ELI_RULE_POSITIVE = 4,        /* and at least 1/ELI_LARGEST */
  ELI_RULE_DIRECTION = 8,       /* finite, with any magnitude */
  ELI_RULE_FRAME = 16,          /* nine numbers: rows orthonormal to 1e-9, right-handed */
  ELI_RULE_REQUIRED = 32,       /* the field has no default: NaN is reported as "is not set" */
  ELI_RULE_OPTIONAL = 64,       /* the field may be left unset: all its numbers are NaN */
  ELI_RULE_OPTIONAL_EACH = 128, /* each number may be NaN by itself */
  ELI_RULE_INFINITE = 256,      /* plus infinity and finite numbers above ELI_LARGEST are allowed */

  /* Fields that are not numbers. */
  ELI_RULE_NODE = 512,         /* index of a node of the rod, */
  ELI_RULE_ELEMENT = 1024,     /* or of an element; negative: counted from the end */
  ELI_RULE_BESIDE_NODE = 8192, /* with ELEMENT: ELASTICA_BESIDE_NODE selects the element beside the node of the preceding field */
  ELI_RULE_FUNCTION = 2048,    /* function of the user, or NULL */
  ELI_RULE_USER = 4096,        /* pointer that the function receives */
  ELI_RULE_GROUP = 16384,      /* a contact_group, or ELASTICA_EVERY_GROUP */
  ELI_RULE_NUMBERS = 511,      /* all flags of numbers */

  ELI_RULE_IF_USED = 32768,     /* NaN is allowed, also in snapshots: the effect requires the field only where it uses it */
  ELI_RULE_ONLY_FIRST = 65536,  /* the first kind of the effect alone uses it, */
  ELI_RULE_ONLY_SECOND = 131072 /* or the second kind (eli_def_refuse_unused) */
};

elastica_status eli_check_numbers(elastica_world *world, const char *field, unsigned rule, const double *values, int count);

/* Refuses a value above most. */
elastica_status eli_check_at_most(elastica_world *world, const char *field, double value, double most);

/* Checks the index of a node or element (`what` names it) against count and writes it to *out. Negative indices count from the end: -1 is
 * the last. */
elastica_status eli_check_index(elastica_world *world, const char *function, const char *what, int index, int count, int *out);

/* ---- Tables of fields ---- */

typedef struct eli_field {
  size_t begin, end; /* [bytes] in the definition */
  const char *name;
  unsigned rule;       /* ELI_RULE_...; 0: neither checked here nor kept in snapshots, unless it is a choice */
  unsigned last;       /* largest value of an enumeration or a flag */
  const char *choices; /* "neither FIRST nor LAST", the end of the sentence for a wrong choice; NULL: not a choice */
} eli_field;

/* A definition with all its fields in order: struct_size and at least one more. A struct_size that ends at the border of a field missing
 * from this table is WRONG_VERSION. */
typedef struct eli_layout {
  const char *name; /* "boundary_def" */
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
#define ELI_CHOICE_OF(type, field, last, choices, rule)                                                                                    \
  { ELI_EXTENT(type, field), rule, last, choices }
#define ELI_CHOICE(type, field, last, choices) ELI_CHOICE_OF(type, field, last, choices, 0)
#define ELI_NODE(type, field) ELI_NUMBERS(type, field, ELI_RULE_NODE)
#define ELI_ELEMENT(type, field) ELI_NUMBERS(type, field, ELI_RULE_ELEMENT)
#define ELI_FUNCTION(type, field) ELI_NUMBERS(type, field, ELI_RULE_FUNCTION)
#define ELI_USER(type, field) ELI_NUMBERS(type, field, ELI_RULE_USER)
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

/* Refuses a definition in which a field with this flag (ELI_RULE_ONLY_FIRST, ELI_RULE_ONLY_SECOND) differs from its default. user: what
 * does not use the field, such as "kind RIGID". */
elastica_status eli_def_refuse_unused(elastica_world *world, const eli_layout *layout, const void *def, unsigned flag, const char *user);

/* Replaces the indices of nodes and elements in a definition that was read by indices from 0 on, or refuses those outside the rod. */
elastica_status eli_def_resolve(elastica_world *world, const char *function, const eli_layout *layout, const elastica_rod_view *rod,
                                void *def);

/* Record of a definition, the parameters of an effect, in a snapshot, in the order of the table. Its indices are resolved, and numbers that
 * may be left unset are set. CHECK applies the rules of the fields; a function must be present in both worlds or in neither. rod may be
 * NULL if there are no indices. */
void eli_def_keep(const eli_layout *layout, void *def, const elastica_rod_view *rod, eli_record *record);

/* Reads the definition that eli_def_keep will check or read next, without advancing the record. */
void eli_def_peek(const eli_layout *layout, void *def, const elastica_rod_view *rod, const eli_record *record);

/* A user function that an effect calls, with its type erased, and the pointer passed to it. */
typedef struct eli_function {
  void (*function)(void);
  void (*drive)(void); /* joints only: the drive function, besides the motion */
  void *user;
} eli_function;

/* Gets, or with set replaces, the function of a definition and its pointer (see eli_built_in.function). */
void eli_def_function(const eli_layout *layout, void *def, eli_function *of, int set);

#endif
