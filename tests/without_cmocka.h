/* The few assertions of cmocka that bits.c needs, for a program that runs without cmocka, so on any platform: a failed one prints its
 * place and ends the program.
 */
#ifndef TESTS_WITHOUT_CMOCKA_H
#define TESTS_WITHOUT_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>

#define print_error(...) fprintf(stderr, __VA_ARGS__)

static inline void _fail(const char *file, int line) {
  print_error("%s:%d: failed\n", file, line);
  exit(1);
}

#define assert_true(holds) ((holds) ? (void)0 : _fail(__FILE__, __LINE__))
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define fail_msg(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#endif
