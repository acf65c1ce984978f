/* The search for an animal's fastest gait by CMA-ES, as in figures 10e and 11e of Gazzola et al. 2018.
 *
 * A state file makes it resume: it is written under another name after every generation and renamed when it is complete, and holds the
 * search with the history so far. Fitness is told in the order of the candidates, whoever evaluates them and when: same bits.
 */
#ifndef EXAMPLES_GAIT_SEARCH_H
#define EXAMPLES_GAIT_SEARCH_H

#include "animal.h"

/* How it is done: the paper's numbers, or fewer. */
typedef struct search_plan {
  const animal *of;
  int n;          /* elements */
  double dt;      /* [s] */
  int population; /* candidates of a generation */
  long generations;
  const char *state; /* path of the state file, or NULL */
  unsigned seed;
} search_plan;

enum { SEARCH_PERIODS = 3 }; /* the speed of the last one counts; the first has the ramp */

/* Evaluates gaits: ANIMAL_NUMBERS in each of count rows; speed [L/T], NaN where one blew up. */
typedef void (*search_evaluate)(void *user, const search_plan *plan, int count, const double *gaits, double *speed);

/* Speeds [L/T] at the end of each generation. */
typedef struct search_row {
  double best, generation_best, mean, step;
} search_row;

typedef struct search_outcome {
  double gait[ANIMAL_NUMBERS], speed;
  long generations, evaluations;
  double seconds; /* of all processes, up to the last state before each interruption */
  const char *stop;
  search_row *rows; /* one for each generation; to be freed */
} search_outcome;

/* Ends the program with status 3 when the library or the state file refuses. */
search_outcome search_run(example *e, const search_plan *plan, search_evaluate evaluate, void *user);

/* Evaluates on the threads of the command line, each with one animal; user is the example. */
void search_on_threads(void *user, const search_plan *plan, int count, const double *gaits, double *speed);

#endif
