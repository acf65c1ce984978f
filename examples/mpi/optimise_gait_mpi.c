/* optimise_gait on many machines: rank 0 searches, the other ranks evaluate gaits, one at a time.
 *
 * It is the program optimise_gait, with its options, its table and its state files: both programs read each other's states. Fitness is
 * told in the order of the candidates, for any order of arrival, so both find the same bits. A rank that dies ends the job; the state
 * file then holds the last complete generation, and the same command continues from it.
 *
 *   mpirun -n 64 optimise_gait_mpi --full --state run
 *
 * With a single rank, rank 0 evaluates on its threads.
 */
#include "optimise_gait.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOP = 0, WORK = 1, DONE = 2 }; /* tags */

/* The job of a worker: animal, elements, step, and the number of the candidate with its gait; the answer is number and speed. */
enum { WHICH, ELEMENTS, STEP, NUMBER, GAIT, JOB_SIZE = GAIT + ANIMAL_NUMBERS };
enum { ANSWER_NUMBER, ANSWER_SPEED, ANSWER_STEPS, ANSWER_SIZE };

static int ranks = 1;

/* ---- Rank 0 ---- */

static void send_job(int worker, const search_plan *plan, int number, const double *gaits) {
  const gait_task *task = plan->task;
  double job[JOB_SIZE] = {[WHICH] = task->of == &animal_snake, [ELEMENTS] = task->n, [STEP] = task->dt, [NUMBER] = number};
  memcpy(job + GAIT, gaits + ANIMAL_NUMBERS * number, ANIMAL_NUMBERS * sizeof *job);
  MPI_Send(job, JOB_SIZE, MPI_DOUBLE, worker, WORK, MPI_COMM_WORLD);
}

/* Each worker receives another candidate after its answer. */
static void evaluate_on_ranks(void *user, const search_plan *plan, int count, const double *gaits, double *speed) {
  example *e = user;
  if (ranks == 1) {
    search_on_threads(user, plan, count, gaits, speed);
    return;
  }
  const gait_task *task = plan->task;
  int sent = 0;
  for (int worker = 1; worker < ranks && sent < count; worker++) send_job(worker, plan, sent++, gaits);
  for (int answered = 0; answered < count; answered++) {
    double answer[ANSWER_SIZE];
    MPI_Status from;
    MPI_Recv(answer, ANSWER_SIZE, MPI_DOUBLE, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &from);
    speed[(int)answer[ANSWER_NUMBER]] = answer[ANSWER_SPEED];
    e->element_steps += answer[ANSWER_STEPS] * task->n;
    example_worked(e, 1);
    if (sent < count) send_job(from.MPI_SOURCE, plan, sent++, gaits);
  }
}

/* For every end of rank 0, also by --help and wrong options, the other ranks end, too. */
static void dismiss_workers(void) {
  double nothing[JOB_SIZE] = {0};
  for (int worker = 1; worker < ranks; worker++) MPI_Send(nothing, JOB_SIZE, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
  MPI_Finalize();
}

/* ---- The other ranks ---- */

static void prepare(animal_runner *runner, const double job[JOB_SIZE]) {
  const animal *of = job[WHICH] != 0 ? &animal_snake : &animal_swimmer;
  static double dt;
  if (runner->world && runner->of == of && runner->n == (int)job[ELEMENTS] && dt == job[STEP]) return;
  animal_runner_free(runner);
  dt = job[STEP];
  const elastica_status status = animal_runner_create(of, (int)job[ELEMENTS], dt, runner);
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "optimise_gait_mpi: no animal could be made: %s\n", elastica_status_text(status));
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void serve(void) {
  animal_runner runner = {.n = 0};
  for (;;) {
    double job[JOB_SIZE], speed[GAIT_SEARCH_PERIODS];
    MPI_Status about;
    MPI_Recv(job, JOB_SIZE, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &about);
    if (about.MPI_TAG == STOP) break;
    prepare(&runner, job);
    const elastica_status status = animal_run(&runner, job + GAIT, GAIT_SEARCH_PERIODS, speed);
    const double answer[ANSWER_SIZE] = {[ANSWER_NUMBER] = job[NUMBER],
                                        [ANSWER_SPEED] = status == ELASTICA_OK ? speed[GAIT_SEARCH_PERIODS - 1] : (double)NAN,
                                        [ANSWER_STEPS] = (double)elastica_world_get(runner.world).step_count};
    MPI_Send(answer, ANSWER_SIZE, MPI_DOUBLE, 0, DONE, MPI_COMM_WORLD);
  }
  if (runner.world) animal_runner_free(&runner);
}

/* The arguments with --plain first: mpirun may give its ranks a terminal of their own while its own output goes to a file. NULL: no
 * memory. */
static char **plain_arguments(int argc, char **argv) {
  static char option[] = "--plain";
  char **const all = calloc((size_t)argc + 2, sizeof *all);
  if (!all) return NULL;
  all[0] = argv[0];
  all[1] = option;
  memcpy(all + 2, argv + 1, (size_t)(argc - 1) * sizeof *all);
  return all;
}

int main(int argc, char **argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank > 0) {
    serve();
    MPI_Finalize();
    return 0;
  }
  atexit(dismiss_workers);
  char **const plain = plain_arguments(argc, argv);
  if (!plain) MPI_Abort(MPI_COMM_WORLD, 3);
  const int result = optimise_gait(argc + 1, plain, evaluate_on_ranks);
  free(plain);
  return result;
}
