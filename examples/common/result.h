/* The table at the end of standard output: timing, step, and one line per quantity. */
#ifndef EXAMPLES_RESULT_H
#define EXAMPLES_RESULT_H

#include <elastica.h>

typedef struct result_row {
  char quantity[64];
  double computed, expected, tolerance;
  int known; /* 0: no value to compare with */
} result_row;

/* One run of one world, for the timing and step lines. */
typedef struct result_run {
  long elements, steps; /* steps, including the evaluations of all forces by relaxation */
  long evaluations;     /* of relaxation alone */
  double seconds;
  double dt;    /* [s] the last step; 0: no step was taken */
  double asked; /* [s] end of the last advance */
  elastica_step_limit limit;
} result_run;

typedef struct example_results {
  result_row *rows;
  int count, capacity;
  result_run largest; /* the run with the most element steps, for the timing line */
  char *budget;       /* its lines, or NULL; to be freed */
} example_results;

/* Adds a line that passes if |computed - expected| <= tolerance. The quantity has no spaces. Returns 0 if memory runs out. */
int results_check(example_results *table, double computed, double expected, double tolerance, const char *quantity);

/* Adds a line for a quantity without a known value. */
int results_inform(example_results *table, double computed, const char *quantity);

/* Returns 1 if this is the largest run so far. */
int results_run(example_results *table, const result_run *run);

/* Prints the table, frees it, and returns the exit status: 0 all passed, 1 a check failed, 3 standard output failed. for_people: the
 * results in columns, for a terminal. */
int results_print(example_results *table, int for_people);

#endif
