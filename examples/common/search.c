#include "files.h"

#include "search.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void
fail(const example *e, const char *what, const char *why) {
  fprintf(stderr, "%s%s: %s: %s\n", e->progress.terminal ? "\n" : "", e->about->name, what, why);
  exit(3);
}

static void require(const example *e, const elastica_cmaes *search, elastica_status status) {
  if (status != ELASTICA_OK) fail(e, elastica_status_text(status), elastica_cmaes_message(search));
}

static void *room(const example *e, size_t count, size_t size) {
  void *block = calloc(count, size);
  if (!block) fail(e, "search", "no memory");
  return block;
}

/* ---- Threads ---- */

typedef struct queue {
  pthread_mutex_t lock;
  example *e;
  const search_plan *plan;
  const double *candidates;
  double *value;
  int next, count;
  const char *failed; /* sentence of a worker that could not be created */
} queue;

static int take(queue *q) {
  pthread_mutex_lock(&q->lock);
  const int index = q->next < q->count ? q->next++ : -1;
  pthread_mutex_unlock(&q->lock);
  return index;
}

static void *work(void *argument) {
  queue *q = argument;
  void *worker = NULL;
  const elastica_status status = q->plan->create(q->e, q->plan->task, &worker);
  for (int k; status == ELASTICA_OK && (k = take(q)) >= 0;) {
    double element_steps = 0;
    q->value[k] = q->plan->evaluate(worker, q->candidates + q->plan->count * k, &element_steps);
    pthread_mutex_lock(&q->lock);
    q->e->element_steps += element_steps;
    example_worked(q->e, 1);
    pthread_mutex_unlock(&q->lock);
  }
  pthread_mutex_lock(&q->lock);
  if (status != ELASTICA_OK) q->failed = elastica_status_text(status);
  pthread_mutex_unlock(&q->lock);
  q->plan->release(worker);
  return NULL;
}

void search_on_threads(void *user, const search_plan *plan, int count, const double *candidates, double *value) {
  example *e = user;
  queue q = {.e = e, .plan = plan, .candidates = candidates, .value = value, .count = count};
  const int helpers = e->options.threads - 1;
  pthread_t *threads = room(e, (size_t)helpers + 1, sizeof *threads);
  int started = 0;
  pthread_mutex_init(&q.lock, NULL);
  while (started < helpers && pthread_create(&threads[started], NULL, work, &q) == 0) started++; /* fewer threads are enough */
  work(&q);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&q.lock);
  free(threads);
  if (q.failed) fail(e, "no worker could be made", q.failed);
}

/* ---- The state file: a line of text, the history as lines of numbers, the search as bytes ---- */

typedef struct course {
  elastica_cmaes *search;
  search_row *rows;
  long count, capacity;
  double started, before; /* [s] of this process; of the processes before it */
} course;

static void add_row(const example *e, course *c, search_row row) {
  if (c->count == c->capacity) {
    c->capacity = 2 * c->capacity + 16;
    search_row *rows = realloc(c->rows, (size_t)c->capacity * sizeof *rows);
    if (!rows) fail(e, "search", "no memory");
    c->rows = rows;
  }
  c->rows[c->count++] = row;
}

static void *bytes_of(const example *e, elastica_cmaes *search, size_t *size) {
  require(e, search, elastica_cmaes_save(search, NULL, 0, size));
  void *bytes = room(e, *size, 1);
  require(e, search, elastica_cmaes_save(search, bytes, *size, NULL));
  return bytes;
}

static double seconds_of(const course *c) {
  return c->before + progress_clock() - c->started;
}

/* Waiting for the other end of a pipe, or replacing a device by a file, must not happen. */
static void require_file_or_nothing(const example *e, const char *path) {
  struct stat what;
  if (stat(path, &what) == 0 && !S_ISREG(what.st_mode)) fail(e, path, "a state is a regular file, and this is none");
}

static void write_state(const example *e, const search_plan *plan, const course *c) {
  char path[4096];
  size_t size;
  if (!plan->state) return;
  if (snprintf(path, sizeof path, "%s.tmp", plan->state) >= (int)sizeof path) fail(e, plan->state, "the path is too long");
  require_file_or_nothing(e, path);
  require_file_or_nothing(e, plan->state);
  void *bytes = bytes_of(e, c->search, &size);
  FILE *file = fopen(path, "wb");
  if (!file) fail(e, path, strerror(errno));
  fprintf(file, "%s rows %ld seconds %.3f bytes %zu\n", plan->stamp, c->count, seconds_of(c), size);
  for (long k = 0; k < c->count; k++)
    fprintf(file, "%a %a %a %a\n", c->rows[k].best, c->rows[k].generation_best, c->rows[k].mean, c->rows[k].step);
  fwrite(bytes, 1, size, file);
  free(bytes);
  const int broken = fflush(file) != 0 || ferror(file) || write_to_disk(file) != 0;
  if (fclose(file) != 0 || broken || move_over(path, plan->state) != 0) fail(e, path, strerror(errno));
}

static int read_row(FILE *file, search_row *row) {
  char line[256], *text = line;
  double *const number[] = {&row->best, &row->generation_best, &row->mean, &row->step};
  if (!fgets(line, sizeof line, file)) return 0;
  for (int k = 0; k < 4; k++) {
    char *end;
    *number[k] = strtod(text, &end);
    if (end == text) return 0;
    text = end;
  }
  return 1;
}

/* Reads the state; does nothing if the file does not exist. */
static void read_state(const example *e, const search_plan *plan, course *c) {
  char head[256] = "", expected[256];
  long rows;
  size_t size;
  if (plan->state) require_file_or_nothing(e, plan->state);
  FILE *file = plan->state ? fopen(plan->state, "rb") : NULL;
  if (!file) {
    if (plan->state && errno != ENOENT) fail(e, plan->state, strerror(errno));
    return;
  }
  const int length = snprintf(expected, sizeof expected, "%s rows ", plan->stamp);
  if (!fgets(head, sizeof head, file) || strncmp(head, expected, (size_t)length) != 0 ||
      sscanf(head + length, "%ld seconds %lf bytes %zu", &rows, &c->before, &size) != 3 || size > 1u << 28)
    fail(e, plan->state, "this is no state of such a search");
  search_row row;
  for (long k = 0; k < rows; k++) {
    if (!read_row(file, &row)) fail(e, plan->state, "the state is damaged");
    add_row(e, c, row);
  }
  void *bytes = room(e, size, 1);
  if (fread(bytes, 1, size, file) != size) fail(e, plan->state, "the state ends too early");
  if (fgetc(file) != EOF) fail(e, plan->state, "the state goes on behind its end");
  fclose(file);
  if (elastica_cmaes_load(c->search, bytes, size) != ELASTICA_OK) fail(e, plan->state, elastica_cmaes_message(c->search));
  free(bytes);
}

/* ---- The search ---- */

static elastica_cmaes *make_search(const example *e, const search_plan *plan) {
  double range[SEARCH_MOST];
  char message[256] = "";
  elastica_cmaes *search = NULL;
  elastica_cmaes_def def;
  elastica_cmaes_def_init(&def, sizeof def);
  for (int k = 0; k < plan->count; k++) range[k] = plan->upper[k] - plan->lower[k];
  def.dimension = plan->count;
  def.start = plan->start;
  def.scale = range;
  def.lower = plan->lower, def.upper = plan->upper;
  def.step = plan->step;
  def.population = plan->population;
  def.seed = plan->seed;
  def.stall_gain = plan->stall_gain, def.stall_generations = plan->stall_generations;
  def.generation_limit = plan->generations;
  def.message = message;
  def.message_size = sizeof message;
  const elastica_status status = elastica_cmaes_create(&def, &search);
  if (status != ELASTICA_OK) fail(e, elastica_status_text(status), message);
  return search;
}

static elastica_cmaes_info info_of(const example *e, elastica_cmaes *search) {
  elastica_cmaes_info info;
  require(e, search, elastica_cmaes_get(search, &info));
  return info;
}

/* --restart: after generations 1, 2, 4, ... a new search continues from the bytes of the old one. */
static void hand_over(const example *e, const search_plan *plan, course *c) {
  size_t size, again;
  if (!e->options.restart || (c->count & (c->count - 1)) != 0) return;
  void *bytes = bytes_of(e, c->search, &size);
  elastica_cmaes_destroy(c->search);
  c->search = make_search(e, plan);
  require(e, c->search, elastica_cmaes_load(c->search, bytes, size));
  void *other = bytes_of(e, c->search, &again);
  if (again != size || memcmp(bytes, other, size) != 0) fail(e, "search", "a search that was loaded has other bits");
  free(bytes);
  free(other);
}

static void one_generation(example *e, const search_plan *plan, course *c, search_evaluate evaluate, void *user) {
  const int count = plan->population;
  const size_t numbers = (size_t)count * (size_t)plan->count;
  double *candidates = room(e, numbers, sizeof *candidates), *value = room(e, (size_t)count, sizeof *value);
  require(e, c->search, elastica_cmaes_ask(c->search, candidates, numbers));
  evaluate(user, plan, count, candidates, value);
  for (int k = 0; k < count; k++) value[k] = isnan(value[k]) ? INFINITY : -value[k]; /* it minimises */
  require(e, c->search, elastica_cmaes_tell(c->search, value));
  free(candidates);
  free(value);
  const elastica_cmaes_info info = info_of(e, c->search);
  add_row(e, c, (search_row){-info.best, -info.generation_best, -info.generation_mean, info.step});
  snprintf(e->progress.label, sizeof e->progress.label, "generation %ld, best %.4g", info.generation, -info.best);
}

search_outcome search_run(example *e, const search_plan *plan, search_evaluate evaluate, void *user) {
  course c = {.search = make_search(e, plan), .started = progress_clock()};
  read_state(e, plan, &c);
  e->progress.total -= (double)c.count * plan->population; /* this work was done before */
  while (!info_of(e, c.search).stop) {
    one_generation(e, plan, &c, evaluate, user);
    write_state(e, plan, &c);
    hand_over(e, plan, &c);
  }
  const elastica_cmaes_info info = info_of(e, c.search);
  search_outcome out = {.value = -info.best,
                        .generations = info.generation,
                        .evaluations = info.evaluations,
                        .seconds = seconds_of(&c),
                        .stop = info.stop_text,
                        .rows = c.rows};
  memcpy(out.x, info.best_x, (size_t)plan->count * sizeof *out.x);
  elastica_cmaes_destroy(c.search);
  return out;
}

void search_write(example *e, const char *file, const search_outcome *found) {
  elastica_csv *csv = example_csv(e, file);
  for (long k = 0; k < found->generations; k++) {
    const search_row *row = &found->rows[k];
    example_row(e, csv, (double)(k + 1), row->best, row->generation_best, row->mean, row->step);
  }
}
