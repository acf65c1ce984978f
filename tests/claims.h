/* Claims about numbers, statuses and sentences: what they compare and what they say when it differs. */
#ifndef TESTS_CLAIMS_H
#define TESTS_CLAIMS_H

#include <elastica.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* |a - b| <= tolerance; not a number is never close. */
#define assert_close(a, b, tolerance) claim_close((a), (b), (tolerance), #a, #b, __FILE__, __LINE__)

/* The same for each of count numbers. */
#define assert_all_close(a, b, count, tolerance) claim_all_close((a), (b), (count), (tolerance), #a, #b, __FILE__, __LINE__)

/* low <= x <= high. */
#define assert_between(x, low, high) claim_between((x), (low), (high), #x, __FILE__, __LINE__)

static inline void claim_status(elastica_world *world, elastica_status status, elastica_status expected, const char *text, const char *file,
                                int line) {
  if (status == expected) return;
  print_error("%s is %s, not %s: %s\n", text, elastica_status_text(status), elastica_status_text(expected),
              world ? elastica_world_message(world) : "");
  _fail(file, line);
}

/* The call succeeds; else the world's own words are printed. */
#define must(world, call) claim_status((world), (call), ELASTICA_OK, #call, __FILE__, __LINE__)

/* The call ends in this status. */
#define assert_status(world, call, expected) claim_status((world), (call), (expected), #call, __FILE__, __LINE__)

/* 1 when one of the numbers in a sentence is value, to the digits that a sentence has. */
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

static inline void claim_words(const char *sentence, const char *words, const char *file, int line) {
  if (strstr(sentence, words)) return;
  print_error("\"%s\" does not say \"%s\"\n", sentence, words);
  _fail(file, line);
}

#define assert_says(sentence, words) claim_words((sentence), (words), __FILE__, __LINE__)

/* The call is refused with this status and exactly this sentence. */
static inline void claim_refused(elastica_world *world, elastica_status status, elastica_status expected, const char *sentence,
                                 const char *text, const char *file, int line) {
  claim_status(world, status, expected, text, file, line);
  if (strcmp(elastica_world_message(world), sentence) == 0) return;
  print_error("%s says \"%s\", not \"%s\"\n", text, elastica_world_message(world), sentence);
  _fail(file, line);
}

#define assert_refused(world, call, expected, sentence) claim_refused((world), (call), (expected), (sentence), #call, __FILE__, __LINE__)

static inline void claim_number(const char *sentence, double value, const char *file, int line) {
  if (sentence_has_number(sentence, value, 0.01)) return;
  print_error("\"%s\" does not name %.6g\n", sentence, value);
  _fail(file, line);
}

/* The sentence has this number, to two digits at least. */
#define assert_names_number(sentence, value) claim_number((sentence), (value), __FILE__, __LINE__)

#endif
