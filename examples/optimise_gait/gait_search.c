#include "gait_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static elastica_status create(const example *e, const void *task, void **worker) {
  const gait_task *of = task;
  animal_runner *runner = malloc(sizeof *runner);
  (void)e;
  *worker = runner;
  return runner ? animal_runner_create(of->of, of->n, of->dt, runner) : ELASTICA_OUT_OF_MEMORY;
}

static double evaluate(void *worker, const double *gait, double *element_steps) {
  animal_runner *runner = worker;
  double speed[GAIT_SEARCH_PERIODS];
  const elastica_status status = animal_run(runner, gait, GAIT_SEARCH_PERIODS, speed);
  *element_steps += (double)elastica_world_get(runner->world).step_count * runner->n;
  return status == ELASTICA_OK ? speed[GAIT_SEARCH_PERIODS - 1] : (double)NAN;
}

static void release(void *worker) {
  if (worker) animal_runner_free(worker);
  free(worker);
}

search_plan gait_search_plan(gait_task *task, int population, long generations, unsigned seed) {
  static const double none[ANIMAL_NUMBERS] = {0}, most[ANIMAL_NUMBERS] = {50, 50, 50, 50, 5};
  snprintf(task->stamp, sizeof task->stamp, "gait search 1 %s n %d dt %a", task->of->name, task->n, task->dt);
  return (search_plan){.count = ANIMAL_NUMBERS,
                       .lower = none,
                       .upper = most,
                       .step = 0.2,
                       .population = population,
                       .generations = generations,
                       .stall_gain = 1e-3,
                       .stall_generations = 15,
                       .seed = seed,
                       .stamp = task->stamp,
                       .task = task,
                       .create = create,
                       .evaluate = evaluate,
                       .release = release};
}
