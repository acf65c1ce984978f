/* Optimised gaits: CMA-ES finds gaits of a snake and of a filament in a fluid, beginning without activity.
 *
 * source    Gazzola et al. 2018, sections 5.2 and 5.2.1, figures 10e and 11e; N. Hansen, The CMA Evolution Strategy: A Tutorial (2016)
 * claim     the fastest slithering gait moves at about 0.6 L/T with a wavelength near L, the fastest swimming gait at about 0.055 L/T with
 *           a wavelength of about 0.38 L
 * settings  those of slithering and swimming: n = 50, dt = 2.5e-5 s, the spline as a curve, activity ramped over the first period; five
 *           parameters: four amplitudes from 0 to 50 N m, and the number of waves on the body, L/lambda, from 0 to 5 (the paper states
 *           no bounds); 60 candidates in a generation, first step a fifth of each range. Fitness: displacement of the centre of mass
 *           along the mean heading in the third period. The search ends when 15 generations gain no more than 1e-3 L/T.
 * compared  with the published speeds and numbers of waves; and with the fitness of the published gaits in the same model, unknown to
 *           the search. Each optimum is run again for five periods with n = 100.
 *
 * Candidates outside their bounds are moved to the bounds and penalised: the swimmer's optimum lies in a corner of the box.
 */
#include "optimise_gait/gait_search.h"

#include "optimise_gait.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static const double LEAST_SNAKE = 0.57, LEAST_SWIMMER = 0.053; /* [L/T] of a search that has found the paper's optimum */

typedef struct task {
  gait_task gait;
  int population;
  long generations;
  double waves_tolerance;
  double least;             /* [L/T] with --full */
  double shortfall_allowed; /* lacking speed relative to the published gait in the same model */
} task;

/* Settings of the command line for all searches. */
typedef struct searching {
  const char *state;
  unsigned seed;
  search_evaluate evaluate;
} searching;

static double speed_of(const example *e, const animal *of, int n, double dt, const double *gait, int periods, double *speed) {
  animal_runner runner;
  elastica_status status = animal_runner_create(of, n, dt, &runner);
  if (status == ELASTICA_OK) status = animal_run(&runner, gait, periods, speed);
  if (runner.world) example_require(e, runner.world, status);
  animal_runner_free(&runner);
  return speed[periods - 1];
}

/* The timing line: all evaluations of the search. */
static void note_timing(example *e, const gait_task *gait, const search_outcome *found) {
  animal_runner runner;
  result_run run = {.elements = gait->n, .seconds = found->seconds, .dt = gait->dt};
  if (animal_runner_create(gait->of, gait->n, gait->dt, &runner) == ELASTICA_OK)
    example_require(e, runner.world, elastica_world_step_limit(runner.world, &run.limit));
  animal_runner_free(&runner);
  run.steps = found->evaluations * lround(GAIT_SEARCH_PERIODS * ANIMAL_PERIOD / gait->dt);
  results_run(&e->results, &run);
}

static void compare_numbers(example *e, const task *t, const search_outcome *found) {
  static const char *const name[ANIMAL_NUMBERS] = {"beta_1_in_N_m", "beta_2_in_N_m", "beta_3_in_N_m", "beta_4_in_N_m", "waves"};
  const animal *of = t->gait.of;
  for (int k = 0; k < ANIMAL_NUMBERS; k++) {
    if (k == ANIMAL_NUMBERS - 1 && t->waves_tolerance > 0)
      example_check(e, found->x[k], of->published[k], t->waves_tolerance, "%s_%s", of->name, name[k]);
    else
      example_inform(e, found->x[k], "%s_%s", of->name, name[k]);
    if (t->waves_tolerance > 0) example_inform(e, of->published[k], "%s_published_%s", of->name, name[k]);
  }
}

/* Compares with the published gait, with twice as many elements. */
static void run_again(example *e, const task *t, const search_outcome *found) {
  enum { PERIODS = 5, N = 100 };
  double ours[PERIODS], theirs[PERIODS];
  speed_of(e, t->gait.of, N, animal_dt(N), found->x, PERIODS, ours);
  speed_of(e, t->gait.of, N, animal_dt(N), t->gait.of->published, PERIODS, theirs);
  for (int k = 2; k < PERIODS; k++) {
    example_inform(e, ours[k], "%s_n_%d_speed_in_period_%d", t->gait.of->name, N, k + 1);
    example_inform(e, theirs[k], "%s_n_%d_published_gait_in_period_%d", t->gait.of->name, N, k + 1);
  }
}

/* Shows the best gait on the page. */
static void show(example *e, const task *t, const search_outcome *found) {
  double speed[GAIT_SEARCH_PERIODS];
  animal_runner runner;
  if (!e->output.folder || e->output.has_page) return;
  elastica_status status = animal_runner_create(t->gait.of, t->gait.n, t->gait.dt, &runner);
  if (status == ELASTICA_OK) example_film(e, runner.world, ANIMAL_PERIOD / 40);
  if (status == ELASTICA_OK) status = animal_run(&runner, found->x, GAIT_SEARCH_PERIODS, speed);
  if (runner.world) example_require(e, runner.world, status);
  output_forget(&e->output, runner.world);
  animal_runner_free(&runner);
}

static void search_one(example *e, task *t, const searching *how) {
  const animal *of = t->gait.of;
  double speed[GAIT_SEARCH_PERIODS];
  char path[4096], history[64];
  search_plan plan = gait_search_plan(&t->gait, t->population, t->generations, how->seed);
  if (how->state && snprintf(path, sizeof path, "%s.%s", how->state, of->name) < (int)sizeof path) plan.state = path;
  search_outcome found = search_run(e, &plan, how->evaluate, e);
  const double published = speed_of(e, of, t->gait.n, t->gait.dt, of->published, GAIT_SEARCH_PERIODS, speed);
  note_timing(e, &t->gait, &found);
  example_inform(e, (double)found.generations, "%s_generations", of->name);
  example_inform(e, (double)found.evaluations, "%s_evaluations", of->name);
  example_inform(e, found.value, "%s_best_speed_in_L_per_T", of->name);
  example_inform(e, published, "%s_published_gait_in_L_per_T", of->name);
  if (e->options.mode == EXAMPLE_FULL)
    example_check(e, fmax(0, t->least - found.value), 0, 0, "%s_speed_below_%g", of->name, t->least);
  else
    example_check(e, fmax(0, 1 - found.value / published), 0, t->shortfall_allowed, "%s_slower_than_the_published_gait_by", of->name);
  compare_numbers(e, t, &found);
  if (e->options.mode == EXAMPLE_FULL) run_again(e, t, &found);
  show(e, t, &found);
  snprintf(history, sizeof history, "%s_history.csv", of->name);
  search_write(e, history, &found);
  free(found.rows);
}

static void draw(example *e, const task *tasks, int count) {
  char definitions[256], names[64] = "", figures[32] = "", speeds[64] = "";
  for (int k = 0; k < count; k++) {
    const animal *of = tasks[k].gait.of;
    snprintf(names + strlen(names), sizeof names - strlen(names), " %s", of->name);
    snprintf(figures + strlen(figures), sizeof figures - strlen(figures), " %s", of->figure);
    snprintf(speeds + strlen(speeds), sizeof speeds - strlen(speeds), " %g", of->published_speed);
  }
  snprintf(definitions, sizeof definitions, "names = '%s'\nfigures = '%s'\nspeeds = '%s'\n", names, figures, speeds);
  example_plot(e, 600 + 300 * count, 500, definitions, "n = %d, %d candidates", tasks[0].gait.n, tasks[0].population);
}

/* The tasks of a mode; the snake's only with --full. */
static int choose(const example *e, task *tasks) {
  const int quick = e->options.mode == EXAMPLE_QUICK;
  tasks[0] = quick ? (task){.gait = {&animal_swimmer, 10, 2e-4, ""}, .population = 20, .generations = 10, .shortfall_allowed = 0.4}
                   : (task){.gait = {&animal_swimmer, 16, 1e-4, ""}, .population = 60, .generations = 16, .shortfall_allowed = 0.02};
  if (e->options.mode != EXAMPLE_FULL) return 1;
  tasks[0] = (task){.population = 60, .generations = 300, .waves_tolerance = 0.2, .least = LEAST_SNAKE};
  tasks[1] = (task){.population = 60, .generations = 300, .waves_tolerance = 0.26, .least = LEAST_SWIMMER};
  for (int k = 0; k < 2; k++) tasks[k].gait = (gait_task){k ? &animal_swimmer : &animal_snake, 50, animal_dt(50), ""};
  return 2;
}

int optimise_gait(int argc, char **argv, search_evaluate evaluate) {
  static const char *gait, *state;
  static int snake, swimmer, seed = 1, generations;
  const case_option options[] = {
      {"--snake", NULL, "with --full or --gait: the snake alone", OPTION_SWITCH, &snake, 0, 0},
      {"--swimmer", NULL, "with --full or --gait: the swimmer alone", OPTION_SWITCH, &swimmer, 0, 0},
      {"--state", "FILE", "the searches keep their state in FILE.snake and FILE.swimmer after each generation,\nand go on from there",
       OPTION_TEXT, (void *)&state, 0, 0},
      {"--seed", "N", "of the search; default 1", OPTION_INTEGER, &seed, 0, 1e9},
      {"--generations", "N", "at most so many; default 16, with --quick 10, with --full 300", OPTION_INTEGER, &generations, 1, 1e6},
      ANIMAL_GAIT_OPTION(gait)};
  static const example_file files[] = {{"snake_history.csv", SEARCH_COLUMNS("L/T"), "the search for the snake's gait.", FILE_ONLY_FULL},
                                       {"swimmer_history.csv", SEARCH_COLUMNS("L/T"), "the search for the swimmer's gait.", FILE_ALWAYS}};
  const example_about about = {.name = "optimise_gait",
                               .title = "gaits optimised by CMA-ES (Gazzola et al. 2018, figures 10e and 11e)",
                               .quick = "ten generations of 20 swimmers of 10 elements; under 2 s",
                               .normal = "16 generations of 60 swimmers of 16 elements; 12 s",
                               .full = "the paper's snake and swimmer until they gain no more, half as long with --threads 2; 13 min",
                               .threads = "candidates evaluated at the same time, each on one thread; default 1",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  task tasks[2];
  example_begin(&e, &about, argc, argv);
  if (snake && swimmer) options_refuse(&about, "--snake and --swimmer exclude each other");
  if ((snake || swimmer) && e.options.mode != EXAMPLE_FULL && !gait) options_refuse(&about, "--snake and --swimmer want --full or --gait");
  if (gait) animal_evaluate(&e, snake ? &animal_snake : &animal_swimmer, 50, gait);
  int count = choose(&e, tasks);
  if (swimmer) tasks[0] = tasks[1];
  if (snake || swimmer) count = 1;
  example_fit(&e, ANIMAL_PERIOD / ANIMAL_SAMPLES);
  const searching how = {state, (unsigned)seed, evaluate};
  for (int k = 0; k < count; k++) {
    const long usual = 45; /* usual number of generations of a search of the paper's size, for the time left */
    if (generations > 0) tasks[k].generations = generations;
    if (e.options.dt > 0) tasks[k].gait.dt = e.options.dt;
    example_expect(&e, (double)(tasks[k].generations < usual ? tasks[k].generations : usual) * tasks[k].population);
    search_one(&e, &tasks[k], &how);
  }
  draw(&e, tasks, count);
  return example_end(&e);
}

#ifndef OPTIMISE_GAIT_WITHOUT_MAIN
int main(int argc, char **argv) {
  return optimise_gait(argc, argv, search_on_threads);
}
#endif
