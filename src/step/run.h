/* What running functions share: looks at the step limit, and the steps of one call. */
#ifndef ELI_RUN_H
#define ELI_RUN_H

#include "state/world.h"

/* ---- run.c ---- */

/* Steps until the limit is looked at again, if nothing asks for it earlier, or a state is kept for elastica_world_rewind. */
long eli_steps_to_look(const elastica_world *world);

/* Keeps a state where that is due, and looks at the limit and chooses the working step likewise. Names the function that was called and
 * where it is to end in sentences. */
elastica_status eli_choose_step(elastica_world *world, const char *function, double end);

/* ---- stint.c ---- */

/* The steps of one call, which ends where its budget is used up or a sampler stops it. */
typedef struct eli_stint {
  elastica_world *world;
  long most;      /* steps that it may take */
  double seconds; /* of the clock that it may take */
  double (*clock)(void *user);
  void *user;
  double began;     /* [s] by the clock */
  double step_time; /* [s] of the clock that a step took in the last piece */
  long taken;       /* steps */
  int is_over;      /* 1: the budget is used up */
} eli_stint;

/* Of a prepared world. run NULL: no budget. First a sample is taken that is due. */
elastica_status eli_stint_begin(eli_stint *stint, elastica_world *world, const elastica_run_def *run);

/* Takes up to `most` steps of dt, fewer where a sample or the end of the budget comes before; *taken of them, 0 when it is over. Samples
 * are for the caller to take. */
elastica_status eli_stint_take(eli_stint *stint, double dt, long most, long *taken);

/* [s] by the clock since it began. */
double eli_stint_seconds(const eli_stint *stint);

#endif
