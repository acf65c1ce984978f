/* Assertions about numbers, statuses and sentences, and their messages. */
#ifndef TESTS_CLAIMS_H
#define TESTS_CLAIMS_H

#include "test.h"

#include <elastica.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void claim_close(double a, double b, double tolerance, const char *a_text, const char *b_text, const char *file, int line) {
  if (fabs(a - b) <= tolerance) return;
  print_error("%s = %.17g differs from %s = %.17g by %.3g, more than %.3g\n", a_text, a, b_text, b, fabs(a - b), tolerance);
  _fail(file, line);
}

static inline void claim_all_close(const double *a, const double *b, int count, double tolerance, const char *a_text, const char *b_text,
                                   const char *file, int line) {
  int worst = -1;
  for (int i = 0; i < count; i++) {
    if (fabs(a[i] - b[i]) <= tolerance) continue;
    if (worst < 0 || fabs(a[i] - b[i]) > fabs(a[worst] - b[worst])) worst = i;
    if (isnan(a[i] - b[i])) break;
  }
  if (worst < 0) return;
  print_error("%s[%d] = %.17g differs from %s[%d] = %.17g by %.3g, more than %.3g\n", a_text, worst, a[worst], b_text, worst, b[worst],
              fabs(a[worst] - b[worst]), tolerance);
  _fail(file, line);
}

static inline void claim_between(double x, double low, double high, const char *x_text, const char *file, int line) {
  if (x >= low && x <= high) return;
  print_error("%s = %.17g is not within %.17g .. %.17g\n", x_text, x, low, high);
  _fail(file, line);
}

/* Declares name, an elastica_<kind>_def, and fills it with its defaults. */
#define DEFAULTS(kind, name)                                                                                                               \
  elastica_##kind##_def name;                                                                                                              \
  elastica_##kind##_def_init(&name, sizeof name)

/* |a - b| <= tolerance; false for NaN. */
#define assert_close(a, b, tolerance) claim_close((a), (b), (tolerance), #a, #b, __FILE__, __LINE__)

/* The same for each of count numbers. */
#define assert_all_close(a, b, count, tolerance) claim_all_close((a), (b), (count), (tolerance), #a, #b, __FILE__, __LINE__)

/* low <= x <= high. */
#define assert_between(x, low, high) claim_between((x), (low), (high), #x, __FILE__, __LINE__)

/* Ignores the status of a call. */
static inline void ignore(elastica_status status) {
  (void)status;
}

static inline void claim_status(elastica_world *world, elastica_status status, elastica_status expected, const char *text, const char *file,
                                int line) {
  if (status == expected) return;
  print_error("%s is %s, not %s: %s\n", text, elastica_status_text(status), elastica_status_text(expected),
              world ? elastica_world_message(world) : "");
  _fail(file, line);
}

/* The call must succeed; otherwise the message of the world is printed. */
#define must(world, call) claim_status((world), (call), ELASTICA_OK, #call, __FILE__, __LINE__)

/* The call must return this status. */
#define assert_status(world, call, expected) claim_status((world), (call), (expected), #call, __FILE__, __LINE__)

/* 1 if one of the numbers in a sentence is value, to the number of digits in the sentence. */
static inline int sentence_has_number(const char *sentence, double value, double relative_tolerance) {
  for (const char *p = sentence; *p;) {
    char *end = NULL;
    const double x = strtod(p, &end);
    if (end == p) {
      p++;
      continue;
    }
    if (fabs(x - value) <= relative_tolerance * fabs(value)) return 1;
    p = end;
  }
  return 0;
}

/* ---- Sentences of errors ---- */

static inline int is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* 1 if a sentence contains a fragment as whole words: "node 1" is not in "node 12", "pin" is not in "add_boundary". */
static inline int sentence_has(const char *sentence, const char *fragment) {
  const size_t length = strlen(fragment);
  if (length == 0) return 1;
  for (const char *found = strstr(sentence, fragment); found != NULL; found = strstr(found + 1, fragment)) {
    const char last = fragment[length - 1], next = found[length];
    const int starts = found == sentence || !is_word_character(fragment[0]) || !is_word_character(found[-1]);
    const int ends = !is_word_character(last) || !is_word_character(next);
    if (starts && ends) return 1;
  }
  return 0;
}

/* fragments: a list that ends with NULL. */
static inline void claim_says(const char *sentence, const char *const *fragments, const char *file, int line) {
  for (; *fragments != NULL; fragments++) {
    if (sentence_has(sentence, *fragments)) continue;
    print_error("\"%s\" does not say \"%s\"\n", sentence, *fragments);
    _fail(file, line);
  }
}

/* The sentence must contain each fragment: its subject (function, field, rod, element, number) and the cause. Its other words are free;
 * test_sentences.c compares some whole sentences. */
#define assert_says(sentence, ...) claim_says((sentence), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* The same for a list that ends with NULL. */
#define assert_says_all(sentence, fragments) claim_says((sentence), (fragments), __FILE__, __LINE__)

static inline void claim_refused(elastica_world *world, elastica_status status, elastica_status expected, const char *const *fragments,
                                 const char *text, const char *file, int line) {
  claim_status(world, status, expected, text, file, line);
  claim_says(elastica_world_message(world), fragments, file, line);
}

/* The call must be refused with this status, and its sentence must contain these fragments. */
#define assert_refused(world, call, expected, ...)                                                                                         \
  claim_refused((world), (call), (expected), (const char *const[]){__VA_ARGS__, NULL}, #call, __FILE__, __LINE__)

static inline void claim_message(elastica_world *world, const char *sentence, const char *file, int line) {
  if (strcmp(elastica_world_message(world), sentence) == 0) return;
  print_error("the message is \"%s\", not \"%s\"\n", elastica_world_message(world), sentence);
  _fail(file, line);
}

/* The world's message must equal this sentence: a message copied before, or "" for none. */
#define assert_message(world, sentence) claim_message((world), (sentence), __FILE__, __LINE__)

/* A copy of the present message; the next call may overwrite the message. */
typedef struct kept_message {
  char text[1024];
} kept_message;

static inline kept_message keep_message(elastica_world *world) {
  kept_message kept;
  snprintf(kept.text, sizeof kept.text, "%s", elastica_world_message(world));
  return kept;
}

/* Returns the number behind these words. */
static inline double number_behind(const char *sentence, const char *words) {
  const char *at = strstr(sentence, words);
  if (at == NULL) fail_msg("\"%s\" does not say \"%s\"", sentence, words);
  return strtod(at + strlen(words), NULL);
}

static inline void claim_number(const char *sentence, double value, const char *file, int line) {
  if (sentence_has_number(sentence, value, 0.01)) return;
  print_error("\"%s\" does not name %.6g\n", sentence, value);
  _fail(file, line);
}

/* The sentence must contain this number, to two digits at least. */
#define assert_names_number(sentence, value) claim_number((sentence), (value), __FILE__, __LINE__)

#endif
