/* The text of elastica.h, for tests that compare the library, or themselves, with its declarations. */
#ifndef TESTS_HEADER_TEXT_H
#define TESTS_HEADER_TEXT_H

#include "claims.h"

/* Returns the header without comments; to be freed. */
static inline char *read_header(void) {
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

/* Returns the place of the first field of a struct. */
static inline const char *fields_of_struct(const char *header, const char *name) {
  char head[120];
  snprintf(head, sizeof head, "typedef struct %s {", name);
  const char *text = strstr(header, head);
  if (text == NULL) fail_msg("the header has no %s", name);
  return text + strlen(head);
}

/* The next declaration of a struct, up to its semicolon; NULL at the end. */
static inline const char *next_declaration(const char **text) {
  *text += strspn(*text, " \n");
  if (**text == '}') return NULL;
  const char *begin = *text;
  *text = strchr(begin, ';') + 1;
  return begin;
}

/* Length of a declarator from its first character up to its comma or semicolon. */
static inline size_t length_of_declarator(const char *begin) {
  int depth = 0;
  for (const char *c = begin;; c++) {
    if (*c == '(') depth++;
    if (*c == ')') depth--;
    if (*c == ';' || (*c == ',' && depth == 0)) return (size_t)(c - begin);
  }
}

#endif
