/* Independent runs, each in its own world, that test whether an event happens: for maps of probability. */
#ifndef EXAMPLES_TRIALS_H
#define EXAMPLES_TRIALS_H

#include "example.h"

typedef struct trial {
  int happened;
  double element_steps;
  elastica_status status; /* of the failed call; the message is the library's sentence */
  char message[256];
} trial;

/* A single run: creates a world and destroys it. Runs share no data that they write. */
typedef void (*trial_run)(const void *user, int index, trial *out);

/* Does all runs on the threads of the command line; the outcome does not depend on the number of threads. Each run is a unit of work of
 * the progress bar. A failed run ends the program with status 3. */
void trials_run(example *e, trial_run run, const void *user, int count, trial *out);

/* Allocates the outcomes of this number of runs, to be freed. Ends the program with status 3 if memory runs out. */
trial *trials_room(const example *e, int count);

/* Number of runs with the event. */
int trials_happened(const trial *outcome, int count);

/* Records a failure. Returns 1 if status is OK. */
int trial_require(trial *out, const elastica_world *world, elastica_status status);

/* An empty world of the papers' law, with one thread; force_dt: allow steps beyond the stability limit. */
elastica_status trial_world(int force_dt, elastica_world **out);

/* Number of steps of equal size for a stretch of time [s]: of `wanted` [s], or 0.8 of the present limit if `wanted` is 0. Steps are
 * equal because a shorter step at the end of each stretch would excite the fastest modes of an undamped rod. */
elastica_status trial_steps(elastica_world *world, double stretch, double wanted, long *out);

/* Pushes every node of a rod from the start until `duration` [s] with a constant random force: uniform in direction, and in size from 0 to
 * `largest` [N]. The seed determines it. */
elastica_status add_random_push(elastica_world *world, elastica_rod *rod, unsigned seed, double largest, double duration);

#endif
