/* A claim of a test file: TEST(name) { ... }. Every test file is linked with runner.c, which runs the claims of a file in the order of
 * the source.
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TESTS_WITHOUT_CMOCKA
#include "without_cmocka.h"
#else

#include <setjmp.h>

#include <cmocka.h>

typedef struct test_claim {
  const char *file; /* path of the source */
  struct CMUnitTest test;
  struct test_claim *next;
} test_claim;

/* Called before main, once for each claim. */
void register_claim(test_claim *claim);

/* The running program; a test may start it again. */
extern const char *test_program;

/* A claim with a fixture: state is the result of set_up. */
#define TEST_WITH(claim, set_up, tear_down)                                                                                                \
  static void claim(void **state);                                                                                                         \
  __attribute__((constructor)) static void register_##claim(void) {                                                                        \
    static test_claim entry = {__FILE__, {#claim, claim, set_up, tear_down, NULL}, NULL};                                                  \
    register_claim(&entry);                                                                                                                \
  }                                                                                                                                        \
  static void claim(__attribute__((unused)) void **state)

/* A claim without a fixture. */
#define TEST(claim) TEST_WITH(claim, NULL, NULL)

/* A claim that takes about a second or more: slow builds leave it out. */
#ifdef TESTS_BRIEF
#define TEST_LONG(claim) __attribute__((unused)) static void claim(__attribute__((unused)) void **state)
#else
#define TEST_LONG(claim) TEST(claim)
#endif

#endif

#endif
