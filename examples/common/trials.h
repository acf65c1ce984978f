/* Independent runs, each in a world of its own, that tell whether something happens: for maps of probability. */
#ifndef EXAMPLES_TRIALS_H
#define EXAMPLES_TRIALS_H

#include "example.h"

typedef struct trial {
  int happened;
  double element_steps;
  elastica_status status; /* of the call that failed; the message is the library's sentence */
  char message[256];
} trial;

/* Runs one: makes a world, destroys it, touches nothing that other runs touch. */
typedef void (*trial_run)(const void *user, int index, trial *out);

/* Runs all, on the threads of the command line, which the outcome does not depend on. Each is one unit of work of the progress bar. A run that
 * failed ends the program with status 3. */
void trials_run(example *e, trial_run run, const void *user, int count, trial *out);

/* Room for so many runs. Ends the program with status 3 when there is none; free it. */
trial *trials_room(const example *e, int count);

/* In how many of them it happened. */
int trials_happened(const trial *outcome, int count);

/* Notes what failed. Returns 1 if nothing did. */
int trial_require(trial *out, const elastica_world *world, elastica_status status);

/* An empty world of the papers' law, of one thread; force_dt: steps beyond the stability limit are taken. */
elastica_status trial_world(int force_dt, elastica_world **out);

/* How many steps of equal size to take for a stretch of time [s]: of `wanted` [s], or 0.8 of the present limit when that is 0. A step that is shorter
 * now and then, where a stretch ends, is enough to shake up the fastest modes of an undamped rod. */
elastica_status trial_steps(elastica_world *world, double stretch, double wanted, long *out);

/* Pushes every node of a rod from the start until `duration` [s] with a constant random force: its direction uniform, its size uniform from 0 to
 * `largest` [N]. The seed says which. */
elastica_status add_random_push(elastica_world *world, elastica_rod *rod, unsigned seed, double largest, double duration);

#endif
