/* A program as one evaluation, for optimisers of others: numbers by an option or from standard input, and `objective <value>` as the last line. */
#ifndef EXAMPLES_EVALUATION_H
#define EXAMPLES_EVALUATION_H

#include "example.h"

/* Numbers between which there are commas, blanks and ends of lines, of a text or, where that is "-", of standard input. Ends the program with
 * status 2 when there are fewer than least or more than most, or one is none: `wanted` says what option takes. Returns how many there are. */
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
