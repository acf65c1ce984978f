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

/* Notes what failed. Returns 1 if nothing did. */
int trial_require(trial *out, const elastica_world *world, elastica_status status);

/* Pushes every node of a rod from the start until `duration` [s] with a constant random force: its direction uniform, its size uniform from 0 to
 * `largest` [N]. The seed says which. */
elastica_status add_random_push(elastica_world *world, elastica_rod *rod, unsigned seed, double largest, double duration);

#endif
