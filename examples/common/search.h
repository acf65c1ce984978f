/* A search by CMA-ES for the numbers within bounds with the largest value of a function: gaits, designs.
 *
 * A search can resume from its state file: it is written under another name after every generation and renamed when it is complete, and
 * contains the search with the history so far. Values are told in the order of the candidates, for any order of their evaluation, so the
 * bits are the same.
 */
#ifndef EXAMPLES_SEARCH_H
#define EXAMPLES_SEARCH_H

#include "example.h"

enum { SEARCH_MOST = 24 }; /* numbers of a candidate */

typedef struct search_plan {
  int count;                   /* numbers */
  const double *start;         /* [count] NULL: 0 */
  const double *lower, *upper; /* [count] */
  double step;                 /* number of candidates in a generation */
  int population;              /* candidates of a generation */
  long generations;            /* at most */
  double stall_gain;           /* the search ends when the best value gains no more than this in stall_generations */
  int stall_generations;
  unsigned seed;
  const char *state; /* path of the state file, or NULL */
  const char *stamp; /* description of the evaluation, as one line: a state with another stamp belongs to another search */

  /* A thread evaluates one candidate after another. After a failure of create, *worker must be released, too; evaluate returns NaN if
   * the candidate fails, and adds to *element_steps. */
  const void *task;
  elastica_status (*create)(const example *e, const void *task, void **worker);
  double (*evaluate)(void *worker, const double *x, double *element_steps);
  void (*release)(void *worker);
} search_plan;

/* Evaluates candidates: count rows of plan->count numbers; NaN for a failed candidate. */
typedef void (*search_evaluate)(void *user, const search_plan *plan, int count, const double *candidates, double *value);

/* At the end of each generation. */
typedef struct search_row {
  double best, generation_best, mean, step;
} search_row;

typedef struct search_outcome {
  double x[SEARCH_MOST], value;
  long generations, evaluations;
  double seconds; /* of all processes, up to the last state before each interruption */
  const char *stop;
  search_row *rows; /* one row per generation; to be freed */
} search_outcome;

/* Ends the program with status 3 if the library or the state file refuses. */
search_outcome search_run(example *e, const search_plan *plan, search_evaluate evaluate, void *user);

/* Evaluates on the threads of the command line, each with one worker; user is the example. */
void search_on_threads(void *user, const search_plan *plan, int count, const double *candidates, double *value);

/* The columns of a file with its history, and the file; unit of the value. */
#define SEARCH_COLUMNS(unit)                                                                                                               \
  "generation [-],best [" unit "],best of the generation [" unit "],mean of the generation [" unit "],step [ranges of the parameters]"
void search_write(example *e, const char *file, const search_outcome *found);

#endif
