/* Optimised designs: CMA-ES makes a swimmer, a walker and a muscular snake faster.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figures 2 and 3; N. Hansen,
 *           The CMA Evolution Strategy: A Tutorial (2016)
 * claim     the best flagellum is 2.44 times as fast as the original design, with a shorter and wider head, cells nearer to it and a
 *           thinner tail; the best walker 2.5 times, with a softer bridge, a larger difference of its legs and another place of its
 *           strips; four pairs of muscles drive a snake as fast as continuous muscles
 * settings  boxes and evaluations are those of common/design.h; the papers do not print their boxes. Searches begin at the original
 *           design, with a step of a fifth of each range, and for the published snake, near an optimum, of 3 %. Evaluations are cheap:
 *           one beat of the flagellum, the sixth, with four times the rotary inertia of flagella; two strides of the walker; for the
 *           snake only the moments of its muscles, with 50 elements for three periods: 5 % faster than with muscles, at a hundredth of
 *           the cost
 * compared  originals and optima are run again at length: 18 beats as flagella has them, eight strides, five periods with muscles. Gains
 *           refer to these runs. The snake is compared with a snake with continuous muscles and the published gait of slithering
 *
 * A free walker is unstable: after some strides it turns to a side chosen by rounding errors. Here its beams are guided. Without --full
 * a short search for two pairs of muscles, and the designs in FOUND.
 */
#include "common/animal.h"
#include "common/design.h"
#include "common/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 3, FLAGELLA = 0, WALKER, SNAKE, MOST_PAIRS = 6, PUBLISHED_PAIRS = 4 };
static const char *const SYSTEM[SYSTEMS] = {"flagella", "walker", "snake"};
static const double PUBLISHED_GAIN[SYSTEMS] = {2.44, 2.5, NAN}, LEAST_GAIN = 1.5, LEAST_SNAKE = 0.9;

/* Results of --full. */
static const double FOUND[SYSTEMS][DESIGN_MOST] = {{0.453441589403, 19.8111543005, 4, 0.531469417324},
                                                   {0.1, 2.6817892377, -0.546108011715},
                                                   {3.19848691887, 38.9397064087, 22.0762905651, 0, 31.7058023992, 42.7219018347,
                                                    21.7748141134, 0.318473048603, 22.8233112257, 30.8494271147, 11.1881670597,
                                                    0.159052184119, 62.0380058317, 31.0466662588, 13.8091050329, 0.663597545812}};

typedef struct task {
  design of;
  int system, pairs;
  design_depth depth, again; /* of the search; of the comparison */
  int population, stall_generations;
  long generations;
  double step;
  char name[16], stamp[128];
  example quiet; /* copied by evaluations; nothing in it changes */
} task;

/* Settings of the command line for all searches. */
typedef struct searching {
  const char *state;
  int seed, generations;
} searching;

/* ---- Evaluations ---- */

typedef struct worker {
  const task *of;
} worker;

static elastica_status create(const example *e, const void *of, void **out) {
  worker *w = malloc(sizeof *w);
  (void)e;
  *out = w;
  if (w) w->of = of;
  return w ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
}

static double evaluate(void *self, const double *x, double *element_steps) {
  const task *of = ((const worker *)self)->of;
  const design_trial trial = design_run(&of->quiet, &of->of, x, of->depth);
  *element_steps += (double)trial.run.elements * (double)trial.run.steps;
  return trial.status == ELASTICA_OK ? trial.worth : (double)NAN;
}

/* NaN if the run fails, with a line on standard error. is_shown: on the page. */
static double worth_if_it_holds(example *e, const task *t, const double *x, design_depth depth, int is_shown) {
  const design_trial trial = is_shown ? design_show(e, &t->of, x, depth) : design_run(e, &t->of, x, depth);
  if (trial.status != ELASTICA_OK) {
    fprintf(stderr, "optimise_design: %s: %s: %s\n", t->name, elastica_status_text(trial.status), trial.message);
    return (double)NAN;
  }
  e->element_steps += (double)trial.run.elements * (double)trial.run.steps;
  results_run(&e->results, &trial.run);
  return trial.worth;
}

static double worth_of(example *e, const task *t, const double *x, design_depth depth) {
  const double worth = worth_if_it_holds(e, t, x, depth, 0);
  if (isnan(worth)) exit(3);
  return worth;
}

/* Value of a snake with continuous muscles, by the published gait of slithering [L/T]. */
static double worth_of_continuous(const example *e, design_depth depth) {
  static const int elements[] = {25, 50, 100}, periods[] = {2, 3, 5};
  double speed[ANIMAL_PERIODS] = {0};
  animal_runner runner;
  const int n = elements[depth];
  elastica_status status = animal_runner_create(&animal_snake, n, animal_dt(n), &runner);
  if (status == ELASTICA_OK) status = animal_run(&runner, animal_snake.published, periods[depth], speed);
  if (runner.world) example_require(e, runner.world, status);
  animal_runner_free(&runner);
  return speed[periods[depth] - 1];
}

/* ---- The value of a design ---- */

static void judge_snake(example *e, const task *t, double worth) {
  const double ratio = worth / worth_of_continuous(e, t->again);
  if (t->pairs == PUBLISHED_PAIRS && t->again != DESIGN_SKETCH)
    example_check(e, fmax(0, LEAST_SNAKE - ratio), 0, 0, "%s_below_%g_of_the_continuous", t->name, LEAST_SNAKE);
  example_inform(e, ratio, "%s_over_the_continuous", t->name);
}

/* Prints the value of a design in a long run, as a row; a failure is reported. */
static void show(example *e, const task *t, const char *which, double worth) {
  if (isnan(worth))
    example_inform(e, 1, "%s_%s_fails_at_length", t->name, which);
  else
    example_inform(e, worth, "%s_%s_in_%s", t->name, which, t->of.unit);
}

/* Keeps the original if the found design is no better in a long run, or fails there. */
static void judge(example *e, const task *t, const double *found) {
  const double improved = worth_if_it_holds(e, t, found, t->again, 1), original = worth_if_it_holds(e, t, t->of.original, t->again, 0);
  const int better = improved > original || isnan(original);
  const double *x = better ? found : t->of.original, worth = better ? improved : original, gain = worth / original;
  if (isnan(worth)) exit(3);
  for (int k = 0; k < t->of.count; k++) {
    char quantity[64];
    design_name(&t->of, k, quantity);
    if (t->system == SNAKE)
      example_inform(e, x[k], "%s_pair_%s", t->name, quantity + strlen("snake_"));
    else
      example_inform(e, x[k], "%s", quantity);
  }
  show(e, t, "original", original);
  show(e, t, "found", improved);
  example_inform(e, worth, "%s_best_in_%s", t->name, t->of.unit);
  if (t->system == SNAKE) {
    judge_snake(e, t, worth);
    return;
  }
  example_check(e, isnan(gain) ? 1 : fmax(0, LEAST_GAIN - gain), 0, 0, "%s_gain_below_%g", t->name, LEAST_GAIN);
  example_inform(e, gain, "%s_gain", t->name);
  example_inform(e, PUBLISHED_GAIN[t->system], "%s_published_gain", t->name);
}

/* ---- The search ---- */

static void search_one(example *e, task *t, const searching *how) {
  char path[4096], history[64];
  search_plan plan = {.count = t->of.count,
                      .start = t->of.original,
                      .lower = t->of.lower,
                      .upper = t->of.upper,
                      .step = t->step,
                      .population = t->population,
                      .generations = how->generations > 0 ? how->generations : t->generations,
                      .stall_generations = t->stall_generations,
                      .seed = (unsigned)how->seed,
                      .stamp = t->stamp,
                      .task = t,
                      .create = create,
                      .evaluate = evaluate,
                      .release = free};
  const double original = worth_of(e, t, t->of.original, t->depth);
  plan.stall_gain = 0.01 * fabs(original);
  snprintf(t->stamp, sizeof t->stamp, "design search 1 %s depth %d dt %a", t->name, (int)t->depth, e->options.dt);
  if (how->state && snprintf(path, sizeof path, "%s.%s", how->state, t->name) < (int)sizeof path) plan.state = path;
  const search_outcome found = search_run(e, &plan, search_on_threads, e);
  example_inform(e, (double)found.generations, "%s_generations", t->name);
  example_inform(e, (double)found.evaluations, "%s_evaluations", t->name);
  example_inform(e, original, "%s_original_as_searched_in_%s", t->name, t->of.unit);
  if (t->again == DESIGN_SKETCH) example_check(e, fmax(0, 1.1 - found.value / original), 0, 0, "%s_gain_below_1.1", t->name);
  example_inform(e, found.value, "%s_best_as_searched_in_%s", t->name, t->of.unit);
  snprintf(history, sizeof history, "%s_history.csv", t->name);
  search_write(e, history, &found);
  free(found.rows);
  judge(e, t, found.x);
}

static task make_task(int system, int pairs, design_depth depth, design_depth again) {
  static const int population[SYSTEMS] = {6, 6, 12}, stall_generations[SYSTEMS] = {8, 8, 25};
  static const long generations[SYSTEMS] = {8, 8, 60};
  task out = {.of = design_named(SYSTEM[system], pairs),
              .system = system,
              .pairs = pairs,
              .depth = depth,
              .again = again,
              .population = population[system],
              .stall_generations = stall_generations[system],
              .generations = generations[system],
              .step = system == SNAKE && pairs == PUBLISHED_PAIRS ? 0.03 : 0.2};
  snprintf(out.name, sizeof out.name, system == SNAKE ? "%s_%d" : "%s", SYSTEM[system], pairs);
  return out;
}

static void draw(example *e, const int searched[SYSTEMS], int fewest, int most) {
  char definitions[128];
  const int count = searched[FLAGELLA] + searched[WALKER] + searched[SNAKE];
  snprintf(definitions, sizeof definitions, "flagella = %d\nwalker = %d\nsnake = %d\nfewest = %d\nmost = %d\n", searched[FLAGELLA],
           searched[WALKER], searched[SNAKE], fewest, most);
  example_plot(e, 450 + 350 * count, 500, definitions, "from the original designs, or guesses");
}

int main(int argc, char **argv) {
  static const char *text, *state;
  static int named[SYSTEMS], pairs, seed = 1, generations;
  const case_option options[] = {
      {"flagella", NULL, "with --full or --design: this alone", OPTION_SWITCH, &named[FLAGELLA], 0, 0},
      {"walker", NULL, "likewise", OPTION_SWITCH, &named[WALKER], 0, 0},
      {"snake", NULL, "likewise", OPTION_SWITCH, &named[SNAKE], 0, 0},
      {"--pairs", "N", "with --full snake: so many pairs of muscles alone", OPTION_INTEGER, &pairs, 1, MOST_PAIRS},
      {"--state", "FILE",
       "the searches keep their state in FILE.flagella, FILE.walker, FILE.snake_1, ... after each\ngeneration, and go on from there",
       OPTION_TEXT, (void *)&state, 0, 0},
      {"--seed", "N", "of the search; default 1", OPTION_INTEGER, &seed, 0, 1e9},
      {"--generations", "N", "at most so many", OPTION_INTEGER, &generations, 1, 1e6},
      DESIGN_OPTION(text, "NUMBERS", "only evaluate a design, as a search does: " DESIGN_FLAGELLA ",\n" DESIGN_WALKER " or " DESIGN_SNAKE)};
  static const example_file files[] = {
      {"flagella_history.csv", SEARCH_COLUMNS("m/s"), "the search for the swimmer.", FILE_ONLY_FULL},
      {"walker_history.csv", SEARCH_COLUMNS("mm/s"), "the search for the walker.", FILE_ONLY_FULL},
      {"snake_*_history.csv", SEARCH_COLUMNS("L/T"), "the search with so many pairs of muscles.", FILE_ALWAYS}};
  const example_about about = {.name = "optimise_design",
                               .title = "designs optimised by CMA-ES (Zhang et al. 2019)",
                               .quick = "a snake with two pairs of muscles, 25 elements, eight generations; under 2 s",
                               .normal = "the same for longer, and the designs that --full found; 20 s",
                               .full = "flagella, walker, and snakes with one to six pairs of muscles, from the papers' designs; 20 min",
                               .threads = "candidates evaluated at the same time, each on one thread; default 1",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  static task t;
  example e;
  example_begin(&e, &about, argc, argv);
  const int full = e.options.mode == EXAMPLE_FULL, one = named[FLAGELLA] + named[WALKER] + named[SNAKE];
  if (one > 1) options_refuse(&about, "flagella, walker and snake exclude each other");
  if (one && !full && !text) options_refuse(&about, "flagella, walker and snake want --full or --design");
  if (text && !one) options_refuse(&about, "--design wants flagella, walker or snake before it");
  if (pairs && !(full && named[SNAKE])) options_refuse(&about, "--pairs wants --full snake");
  if (text) design_evaluate(&e, SYSTEM[named[WALKER] ? WALKER : named[SNAKE] ? SNAKE : FLAGELLA], text, DESIGN_SEARCH);
  const searching how = {state, seed, generations};
  const int searched[SYSTEMS] = {full && (!one || named[FLAGELLA]), full && (!one || named[WALKER]), !one || named[SNAKE]};
  const int fewest = !full ? 2 : pairs ? pairs : 1, most = !full ? 2 : pairs ? pairs : MOST_PAIRS;
  for (int system = 0; system < SYSTEMS; system++)
    for (int p = system == SNAKE ? fewest : 1; p <= (system == SNAKE ? most : 1); p++) {
      if (!searched[system]) continue;
      t = make_task(system, p, full ? DESIGN_SEARCH : DESIGN_SKETCH, full ? DESIGN_WHOLE : DESIGN_SKETCH);
      if (!full) t.population = 8, t.generations = e.options.mode == EXAMPLE_QUICK ? 8 : 20;
      t.quiet = e;
      example_fit(&e, t.of.piece);
      example_expect(&e, (double)t.generations * t.population);
      search_one(&e, &t, &how);
    }
  for (int system = 0; system < SYSTEMS && e.options.mode == EXAMPLE_DEFAULT; system++) {
    t = make_task(system, PUBLISHED_PAIRS, DESIGN_SEARCH, system == WALKER ? DESIGN_SKETCH : DESIGN_SEARCH);
    t.quiet = e;
    example_fit(&e, t.of.piece);
    judge(&e, &t, FOUND[system]);
  }
  draw(&e, searched, fewest, most);
  return example_end(&e);
}
