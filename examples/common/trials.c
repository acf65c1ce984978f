#include "trials.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct queue {
  pthread_mutex_t lock;
  example *e;
  trial_run run;
  const void *user;
  trial *out;
  int next, count;
} queue;

static void *work(void *argument) {
  queue *q = argument;
  for (;;) {
    pthread_mutex_lock(&q->lock);
    const int index = q->next < q->count ? q->next++ : -1;
    pthread_mutex_unlock(&q->lock);
    if (index < 0) return NULL;
    q->run(q->user, index, &q->out[index]);
    pthread_mutex_lock(&q->lock);
    q->e->element_steps += q->out[index].element_steps;
    example_worked(q->e, 1);
    pthread_mutex_unlock(&q->lock);
  }
}

void trials_run(example *e, trial_run run, const void *user, int count, trial *out) {
  queue q = {.e = e, .run = run, .user = user, .out = out, .count = count};
  const int helpers = e->options.threads - 1;
  pthread_t *threads = calloc((size_t)helpers + 1, sizeof *threads);
  int started = 0;
  for (int i = 0; i < count; i++) out[i] = (trial){0};
  pthread_mutex_init(&q.lock, NULL);
  while (threads && started < helpers && pthread_create(&threads[started], NULL, work, &q) == 0) started++; /* fewer threads are enough */
  work(&q);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&q.lock);
  free(threads);
  for (int i = 0; i < count; i++) {
    if (out[i].status == ELASTICA_OK) continue;
    fprintf(stderr, "%s%s: run %d: %s: %s\n", e->progress.terminal ? "\n" : "", e->about->name, i, elastica_status_text(out[i].status),
            out[i].message);
    exit(3);
  }
}

trial *trials_room(const example *e, int count) {
  trial *outcome = calloc((size_t)count, sizeof *outcome);
  if (outcome) return outcome;
  fprintf(stderr, "%s: no room for %d runs\n", e->about->name, count);
  exit(3);
}

int trials_happened(const trial *outcome, int count) {
  int happened = 0;
  for (int k = 0; k < count; k++) happened += outcome[k].happened;
  return happened;
}

int trial_require(trial *out, const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return 1;
  out->status = status;
  snprintf(out->message, sizeof out->message, "%s", world ? elastica_world_message(world) : "no world");
  return 0;
}

elastica_status trial_world(int force_dt, elastica_world **out) {
  elastica_world_def def = example_papers_law();
  def.allow_unstable_step = force_dt;
  return elastica_world_create(&def, out);
}

elastica_status trial_steps(elastica_world *world, double stretch, double wanted, long *out) {
  elastica_step_limit limit;
  const elastica_status status = elastica_world_step_limit(world, &limit);
  *out = status == ELASTICA_OK ? (long)ceil(stretch / (wanted > 0 ? wanted : 0.8 * limit.dt) - 1e-9) : 1;
  return status;
}

typedef struct push {
  uint64_t seed;
  double largest, until; /* [N] [s] */
} push;

/* splitmix64 (Steele, Lea, Flood 2014): the next number of a sequence, in [0, 1). */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const push *p = self;
  if (now->time >= p->until) return ELASTICA_OK;
  uint64_t state = p->seed * UINT64_C(0xd1342543de82ef95); /* far from the sequences of the next seeds */
  for (int i = 0; i < rod->node_count; i++) {
    const double size = p->largest * uniform(&state);
    double x, y, z, square;
    do { /* a point of the unit ball */
      x = 2 * uniform(&state) - 1;
      y = 2 * uniform(&state) - 1;
      z = 2 * uniform(&state) - 1;
      square = x * x + y * y + z * z;
    } while (square > 1 || square < 1e-4);
    const double scale = size / sqrt(square);
    loads->force[0][i] += scale * x;
    loads->force[1][i] += scale * y;
    loads->force[2][i] += scale * z;
  }
  return ELASTICA_OK;
}

elastica_status add_random_push(elastica_world *world, elastica_rod *rod, unsigned seed, double largest, double duration) {
  const push self = {seed + UINT64_C(1), largest, duration};
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "random_push";
  module.self = &self;
  module.self_size = sizeof self;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_loads = add_loads;
  return elastica_world_add_module(world, rod, &module, NULL);
}
