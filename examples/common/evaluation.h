/* A program as one evaluation, for other optimisers: numbers by an option or from standard input, and `objective <value>` as the last
 * line. */
#ifndef EXAMPLES_EVALUATION_H
#define EXAMPLES_EVALUATION_H

#include "example.h"

/* Reads numbers separated by commas, blanks and line ends from a text or, if the text is "-", from standard input. Ends the program with
 * status 2 if their count is outside least..most, or if a word is not a number; `wanted` describes the argument of the option. Returns
 * their count. */
int evaluation_read(const example *e, const char *option, const char *text, int least, int most, double *numbers, const char *wanted);

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void evaluation_fail(const example *e, elastica_status status, const char *message); /* ends the program with status 3 */

/* Prints the table and the objective, the larger the better, and ends the program. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void evaluation_end(example *e, double objective);

#endif
