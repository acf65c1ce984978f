#define _POSIX_C_SOURCE 200809L /* isatty */
#include "example.h"
#include "budget.h"
#include "certify.h"
#include "restart.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void example_begin(example *e, const example_about *about, int argc, char **argv) {
  *e = (example){.about = about, .shortest_step = INFINITY, .shortest_piece = INFINITY};
  options_read(&e->options, about, argc, argv);
  e->dt = e->options.dt;
  output_open(&e->output, about->name, e->options.out);
  for (int i = 0; i < about->file_count; i++) output_discard(&e->output, about->files[i].name);
}

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void
fail(const example *e, elastica_status status, const char *message) {
  fprintf(stderr, "%s%s: %s: %s\n", e->progress.terminal ? "\n" : "", e->about->name, elastica_status_text(status), message);
  output_leave(&e->output);
  exit(3);
}

elastica_world *example_world_of(example *e, elastica_world_def def) {
  char message[512] = "";
  elastica_world *world = NULL;
  def.worker_count = e->options.threads;
  def.allow_unstable_step = e->options.force_dt;
  def.message = message;
  def.message_size = sizeof message;
  const elastica_status status = elastica_world_create(&def, &world);
  if (status != ELASTICA_OK) fail(e, status, message);
  e->run = (result_run){0};
  e->budget = NULL;
  if (e->options.budget) example_require(e, world, elastica_budget_open(world, &e->budget));
  return world;
}

elastica_world *example_world(example *e) {
  elastica_world_def def;
  elastica_world_def_init(&def, sizeof def);
  return example_world_of(e, def);
}

elastica_world_def example_papers_law(void) {
  elastica_world_def def;
  elastica_world_def_init(&def, sizeof def);
  def.law = ELASTICA_LAW_RESCALED;
  def.exact_couple = 0;
  return def;
}

elastica_world *example_papers_world(example *e) {
  return example_world_of(e, example_papers_law());
}

void example_require(const example *e, const elastica_world *world, elastica_status status) {
  if (status != ELASTICA_OK) fail(e, status, elastica_world_message(world));
}

static long element_count(elastica_world *world) {
  long count = 0;
  for (int i = 0; i < elastica_world_get(world).rod_count; i++) count += elastica_rod_get_view(elastica_world_rod(world, i))->element_count;
  return count;
}

/* Books the steps and the evaluations of forces since the clock read `started`. */
static void book(example *e, elastica_world *world, double started, double dt) {
  const long steps = elastica_world_get(world).step_count + e->run.evaluations;
  e->run.seconds += progress_clock() - started;
  e->run.elements = element_count(world);
  e->element_steps += (double)e->run.elements * (double)(steps - e->run.steps);
  e->run.steps = steps;
  e->run.dt = dt;
  e->shortest_step = fmin(e->shortest_step, dt);
}

static void take(example *e, elastica_world *world, const restart_piece *piece) {
  const long number = ++e->pieces;
  if (!e->options.restart || (number & (number - 1)) != 0) {
    example_require(e, world, restart_take(world, piece));
    return;
  }
  const char *wrong = restart_check(world, piece);
  if (wrong != NULL) fail(e, ELASTICA_WRONG_STATE, wrong);
}

void example_step(example *e, elastica_world *world, double dt, long count) {
  const double started = progress_clock();
  take(e, world, &(restart_piece){dt, count, 0});
  book(e, world, started, dt);
}

void example_fit(const example *e, double piece) {
  if (e->options.dt > piece)
    options_refuse(e->about, "--dt %g s is longer than a piece of the run, %g s: no step of it is taken", e->options.dt, piece);
}

void example_advance(example *e, elastica_world *world, double until) {
  const double duration = until - elastica_world_get(world).time;
  if (duration > 0) e->shortest_piece = fmin(e->shortest_piece, duration);
  if (e->dt > 0) {
    const long count = lround(duration / e->dt);
    if (count > 0) example_step(e, world, e->dt, count);
    if (count == 0 && until > e->run.asked) example_fit(e, duration);
    e->run.asked = until;
  } else if (duration > 0) {
    const double started = progress_clock();
    take(e, world, &(restart_piece){0, 0, duration});
    book(e, world, started, elastica_world_get(world).working_step);
  }
}

int example_try_relax(example *e, elastica_world *world, elastica_relax_result *out) {
  const double started = progress_clock();
  const elastica_status status = elastica_world_relax(world, NULL, out);
  if (status != ELASTICA_NOT_CONVERGED) example_require(e, world, status);
  e->run.evaluations += out->evaluations;
  book(e, world, started, e->run.dt);
  return status == ELASTICA_OK;
}

elastica_relax_result example_relax(example *e, elastica_world *world) {
  elastica_relax_result result;
  if (!example_try_relax(e, world, &result)) fail(e, ELASTICA_NOT_CONVERGED, elastica_world_message(world));
  return result;
}

void example_done(example *e, elastica_world *world) {
  example_require(e, world, elastica_world_step_limit(world, &e->run.limit));
  if (results_run(&e->results, &e->run) && e->budget) {
    free(e->results.budget);
    e->results.budget = budget_lines(world, e->budget);
    if (!e->results.budget) fail(e, ELASTICA_OUT_OF_MEMORY, "no room for the budget");
  }
  elastica_budget_close(e->budget);
  e->budget = NULL;
  output_forget(&e->output, world);
  elastica_world_destroy(world);
}

double example_speed(const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double largest = 0;
  for (int i = 0; i < view->node_count; i++) {
    const double x = view->velocity[0][i], y = view->velocity[1][i], z = view->velocity[2][i];
    const double speed = sqrt(x * x + y * y + z * z);
    if (!(speed <= largest)) largest = speed;
  }
  return largest;
}

void example_expect(example *e, double work) {
  progress_begin(&e->progress, work);
  e->element_steps = 0;
}

void example_worked(example *e, double work) {
  progress_add(&e->progress, e->work_is_steps ? e->element_steps - e->progress.done : work, e->element_steps);
}

void example_check(example *e, double computed, double expected, double tolerance, const char *quantity, ...) {
  char name[64];
  va_list arguments;
  va_start(arguments, quantity);
  vsnprintf(name, sizeof name, quantity, arguments);
  va_end(arguments);
  if (!results_check(&e->results, computed, expected, tolerance, name)) fail(e, ELASTICA_OUT_OF_MEMORY, "no room for the results");
}

void example_inform(example *e, double computed, const char *quantity, ...) {
  char name[64];
  va_list arguments;
  va_start(arguments, quantity);
  vsnprintf(name, sizeof name, quantity, arguments);
  va_end(arguments);
  if (!results_inform(&e->results, computed, name)) fail(e, ELASTICA_OUT_OF_MEMORY, "no room for the results");
}

/* Finds the description of a file. Opening a file that the help does not announce for this mode is a mistake of the program. */
static const example_file *find_file(const example *e, const char *name) {
  for (int i = 0; i < e->about->file_count; i++) {
    const example_file *file = &e->about->files[i];
    if (output_matches(name, file->name) && options_writes(e->options.mode, file)) return file;
  }
  fprintf(stderr, "%s: %s is not among the files of --help\n", e->about->name, name);
  exit(3);
}

elastica_csv *example_csv(example *e, const char *name) {
  return e->output.folder ? output_csv(&e->output, name, find_file(e, name)->columns) : NULL;
}

elastica_vtk *example_vtk(example *e, elastica_world *world, const char *name) {
  char index[128];
  if (!e->output.folder) return NULL;
  snprintf(index, sizeof index, "%s.pvd", name);
  find_file(e, index);
  example_page(e, world);
  return output_vtk_open(&e->output, world, name);
}

elastica_view *example_page(example *e, elastica_world *world) {
  char title[256];
  snprintf(title, sizeof title, "%c%s", toupper((unsigned char)*e->about->title), e->about->title + 1);
  elastica_view_def def;
  elastica_view_def_init(&def, sizeof def);
  def.title = title;
  def.length_unit = e->about->length_unit;
  def.force_unit = e->about->force_unit;
  if (e->about->span > 0) memcpy(def.focus, e->about->focus, sizeof def.focus), def.span = e->about->span;
  if (e->options.mode == EXAMPLE_FULL) def.size_limit = 8000000;
  return output_page_open(&e->output, world, &def);
}

static elastica_status film(void *page, elastica_world *world) {
  (void)world;
  return elastica_view_frame(page);
}

void example_film(example *e, elastica_world *world, double interval) {
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = film;
  sampler.user = example_page(e, world);
  sampler.interval = interval;
  sampler.needs_derived = 0;
  if (sampler.user) example_require(e, world, elastica_world_set_sampler(world, &sampler));
}

void example_plot(example *e, int width, int height, const char *definitions, const char *run, ...) {
  char settings[256], heading[512];
  va_list arguments;
  va_start(arguments, run);
  vsnprintf(settings, sizeof settings, run, arguments);
  va_end(arguments);
  const char *title = e->about->title, *mode = options_mode(e->options.mode);
  snprintf(heading, sizeof heading, "%c%s\\n%s; %s mode", toupper((unsigned char)*title), title + 1, settings, mode);
  output_draw(&e->output, &(output_figure){.width = width,
                                           .height = height,
                                           .script = e->about->script ? e->about->script : e->about->name,
                                           .mode = mode,
                                           .heading = heading,
                                           .definitions = definitions});
}

int example_end(example *e) {
  progress_end(&e->progress);
  if (e->options.dt > 0 && e->pieces == 0 && e->results.largest.steps == e->results.largest.evaluations)
    options_refuse(e->about, "--dt: nothing takes a step in %s mode", options_mode(e->options.mode));
  const int for_people = isatty(STDOUT_FILENO) && !e->options.plain, has_page = e->output.has_page;
  output_close(&e->output);
  if (e->options.certify) certify(e);
  const int status = results_print(&e->results, for_people);
  if (for_people && has_page) printf("\nthe page: %s/%s.html\n", e->options.out, e->about->name);
  return status;
}
