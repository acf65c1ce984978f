/* The search for an animal's fastest gait, as in figures 10e and 11e of Gazzola et al. 2018. */
#ifndef EXAMPLES_GAIT_SEARCH_H
#define EXAMPLES_GAIT_SEARCH_H

#include "common/animal.h"
#include "common/search.h"

enum { GAIT_SEARCH_PERIODS = 3 }; /* the speed in the last period counts; the first has the ramp */

typedef struct gait_task {
  const animal *of;
  int n;     /* elements */
  double dt; /* [s] */
  char stamp[128];
} gait_task;

/* Four amplitudes and the number of waves, beginning at 0, with steps of a fifth of each range; the search ends when 15 generations gain
 * no more than 1e-3 L/T. The plan points to the task and to its stamp, which the function writes. */
search_plan gait_search_plan(gait_task *task, int population, long generations, unsigned seed);

#endif
