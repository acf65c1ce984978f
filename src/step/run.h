/* Interface of running functions: limit checks, and the segment of steps of one call. */
#ifndef ELI_RUN_H
#define ELI_RUN_H

#include "state/world.h"

/* ---- run.c ---- */

/* Returns the number of steps until the next regular limit check, or until a state is kept for elastica_world_rewind. */
long eli_steps_to_limit_check(const elastica_world *world);

/* Keeps a state if one is due; checks the limit and chooses the working step if a check is due. Sentences name the calling function and its
 * end time. */
elastica_status eli_choose_step(elastica_world *world, const char *function, double end);

/* ---- stint.c ---- */

/* The segment of a run that one call takes. It ends when its budget is used up or a sampler stops it. */
typedef struct eli_run {
  elastica_world *world;
  long most;      /* largest number of steps */
  double seconds; /* [s] largest time by the clock */
  double (*clock)(void *user);
  void *user;
  double began;     /* [s] start, by the clock */
  double step_time; /* [s] duration of a step in the last piece, by the clock */
  long taken;       /* number of steps taken */
  int is_over;      /* 1: the budget is used up */
} eli_run;

/* Begins a segment in a prepared world, and takes a sample if one is due. def NULL: no budget. */
elastica_status eli_run_begin(eli_run *run, elastica_world *world, const elastica_run_def *def);

/* Takes up to `most` steps of dt, fewer if a sample or the end of the budget comes first. *taken is their number, 0 if the budget is used
 * up. The caller takes samples. */
elastica_status eli_run_take(eli_run *run, double dt, long most, long *taken);

/* Returns the time since the beginning, by the clock [s]. */
double eli_run_seconds(const eli_run *run);

#endif
