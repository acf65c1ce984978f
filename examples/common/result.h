/* The table at the end of standard output: timing, step, and one line per quantity. */
#ifndef EXAMPLES_RESULT_H
#define EXAMPLES_RESULT_H

#include <elastica.h>

typedef struct result_row {
  char quantity[64];
  double computed, expected, tolerance;
  int known; /* 0: there is no value to compare with */
} result_row;

/* One run of one world, for the timing and step lines. */
typedef struct result_run {
  long elements, steps; /* steps: relaxation's evaluations of all forces among them */
  long evaluations;     /* of relaxation alone */
  double seconds;
  double dt;    /* [s] the last step; 0: there was none */
  double asked; /* [s] until when it was last advanced */
  elastica_step_limit limit;
} result_run;

typedef struct example_results {
  result_row *rows;
  int count, capacity;
  result_run largest; /* the run with the most element steps, for the timing line */
  char *budget;       /* its lines, or NULL; to be freed */
} example_results;

/* Adds a line that passes when |computed - expected| <= tolerance. The quantity has no spaces. Returns 0 when memory runs out. */
int results_check(example_results *table, double computed, double expected, double tolerance, const char *quantity);

/* Adds a line for a quantity without a known value. */
int results_inform(example_results *table, double computed, const char *quantity);

/* Returns 1 when this is the largest run so far. */
int results_run(example_results *table, const result_run *run);

/* Prints everything, frees the table, and returns the exit status: 0 all passed, 1 a check failed, 3 standard output broke. for_people: the
 * results in columns, for a terminal. */
int results_print(example_results *table, int for_people);

#endif
