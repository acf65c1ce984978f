/* Runs the claims of the linked test files.
 *
 *   RUNNER                  all files
 *   RUNNER FILE             one file, for example test_gravity
 *   RUNNER FILE WORDS the claims of the file with these words in their names, for example free_fall
 *   RUNNER --list           the names of all files and claims
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *test_program;

static test_claim *first, **end = &first;

void register_claim(test_claim *claim) {
  *end = claim;
  end = &claim->next;
}

/* The name of a source without folder and ending: test_gravity. */
static const char *name_of(const char *path) {
  static char name[80];
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot != NULL) *dot = '\0';
  return name;
}

/* The claims of a file are adjacent in the list: a file registers all of them at once. */
static const test_claim *next_file(const test_claim *claim) {
  const char *file = claim->file;
  while (claim != NULL && strcmp(claim->file, file) == 0) claim = claim->next;
  return claim;
}

/* Returns the number of claims that match words, and puts them into tests unless tests is NULL. */
static size_t matching(const test_claim *claim, const char *words, struct CMUnitTest *tests) {
  size_t count = 0;
  for (const test_claim *stop = next_file(claim); claim != stop; claim = claim->next) {
    if (strstr(claim->test.name, words) == NULL) continue;
    if (tests != NULL) tests[count] = claim->test;
    count++;
  }
  return count;
}

/* Returns 1 if a claim failed. */
static int run_file(const test_claim *claim, const char *words, size_t count) {
  struct CMUnitTest *tests = calloc(count, sizeof *tests);
  if (tests == NULL) return 1;
  matching(claim, words, tests);
  const int failed = _cmocka_run_group_tests(name_of(claim->file), tests, count, NULL, NULL);
  free(tests);
  return failed != 0;
}

static int list(void) {
  for (const test_claim *claim = first; claim != NULL; claim = claim->next) printf("%s %s\n", name_of(claim->file), claim->test.name);
  return 0;
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : NULL, *words = argc > 2 ? argv[2] : "";
  size_t all = 0;
  int failed = 0;
  test_program = argv[0];
  if (file != NULL && strcmp(file, "--list") == 0) return list();
  for (const test_claim *claim = first; claim != NULL; claim = next_file(claim)) {
    if (file != NULL && strcmp(file, name_of(claim->file)) != 0) continue;
    const size_t count = matching(claim, words, NULL);
    all += count;
    if (count > 0) failed |= run_file(claim, words, count);
  }
  if (all == 0) fprintf(stderr, "no claim matches \"%s %s\"; %s --list names all\n", file ? file : "", words, argv[0]);
  return failed || all == 0;
}
