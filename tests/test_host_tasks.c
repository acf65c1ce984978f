/* Claims about worlds on the threads of a host: equal bits for every behaviour of the host, errors included, and no threads created by
 * the library. Also run under the thread sanitizer.
 */
#include "base/target.h"

#include "rationed_memory.h"
#include "scenes.h"
#include "threads.h"
#include "toy_host.h"

#include <time.h>

/* ---- Hosts ---- */

static void in_order(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  for (int k = 0; k < count; k++) task(context, k);
}

static void backwards(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  for (int k = count; k-- > 0;) task(context, k);
}

static void not_at_all(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  (void)count, (void)task, (void)context;
}

static void only_the_last(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  task(context, count - 1);
}

static void twice(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  for (int k = 0; k < 2 * count; k++) task(context, k / 2);
}

static void with_wrong_numbers(void *user, int count, elastica_task task, void *context) {
  ++*(long *)user;
  task(context, -1);
  task(context, count);
  task(context, 1 << 30);
}

/* Threads without waiting: the calls of a run may come at any time, also in later runs. */
typedef struct careless {
  long runs;
  atomic_int running;
} careless;

typedef struct lone_call {
  careless *host;
  elastica_task task;
  void *context;
  int index;
  long pause; /* [ns] */
} lone_call;

static void *call_late(void *argument) {
  lone_call *call = argument;
  const struct timespec pause = {0, call->pause};
  nanosleep(&pause, NULL);
  call->task(call->context, call->index);
  atomic_fetch_sub(&call->host->running, 1);
  free(call);
  return NULL;
}

static void without_waiting(void *user, int count, elastica_task task, void *context) {
  careless *host = user;
  host->runs++;
  for (int k = 0; k < count && atomic_load(&host->running) < 16; k++) {
    pthread_t thread;
    lone_call *call = malloc(sizeof *call);
    assert_non_null(call);
    *call = (lone_call){host, task, context, k, 1000 * ((host->runs * 7 + k) % 13)};
    atomic_fetch_add(&host->running, 1);
    if (pthread_create(&thread, NULL, call_late, call) == 0) {
      pthread_detach(thread);
    } else {
      atomic_fetch_sub(&host->running, 1);
      free(call);
    }
  }
}

/* ---- Bits ---- */

typedef void (*run_tasks)(void *user, int count, elastica_task task, void *context);

static elastica_world *make_hosted(const scene *s, run_tasks host, void *user) {
  elastica_world_def def = s->by_default ? default_world() : papers_world();
  def.tile_size = 16;
  def.worker_count = host != NULL ? 4 : 1;
  def.run_tasks = host;
  def.tasks_user = user;
  elastica_world *world = make_world(&def);
  share_all_work(world);
  s->fill(world);
  return world;
}

/* Steps, a limit check, energies: all operations that are distributed to threads. */
static uint64_t run_scene(const scene *s, run_tasks host, void *user, long steps) {
  elastica_totals energy;
  elastica_world *world = make_hosted(s, host, user);
  must(world, elastica_world_step(world, s->dt, steps));
  must(world, elastica_world_get_totals(world, &energy));
  const double numbers[] = {energy.translation, energy.rotation, energy.bending, energy.shear, energy.effects};
  const uint64_t hash = hash_numbers(hash_world(world), numbers, 5);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_are_those_without_a_host) {
  static const run_tasks hosts[] = {in_order, backwards, not_at_all, only_the_last, twice, with_wrong_numbers};
  for (int k = 0; k < SCENE_COUNT; k++) {
    const uint64_t alone = run_scene(&scenes[k], NULL, NULL, 100);
    for (size_t h = 0; h < sizeof hosts / sizeof *hosts; h++) {
      long runs = 0;
      if (run_scene(&scenes[k], hosts[h], &runs, 100) != alone) fail_msg("%s on host %zu has other bits", scenes[k].name, h);
      if (k == 3) assert_true(runs >= 100 / 64); /* small rods: many tiles */
    }
  }
}

TEST(threads_of_a_host_do_the_work) {
  static toy_host host;
  start_host(&host);
  for (int k = 0; k < SCENE_COUNT; k++)
    if (run_scene(&scenes[k], run_on_toy_host, &host, 100) != run_scene(&scenes[k], NULL, NULL, 100))
      fail_msg("%s on threads of a host has other bits", scenes[k].name);
  stop_host(&host);
  assert_true(host.runs > 0);
  assert_true(host.calls[0] + host.calls[1] >= 2 * host.runs);
}

/* All of its calls are late; the caller waits for the calls that have begun and does the other tasks. */
TEST(a_host_that_does_not_wait_does_no_harm) {
  const struct timespec pause = {0, 1000000};
  careless host = {0, 0};
  const scene *s = &scenes[3];
  elastica_world *world = make_hosted(s, without_waiting, &host), *alone = make_hosted(s, NULL, NULL);
  must(world, elastica_world_step(world, s->dt, 100));
  must(alone, elastica_world_step(alone, s->dt, 100));
  assert_true(hash_world(world) == hash_world(alone));
  while (atomic_load(&host.running) > 0) nanosleep(&pause, NULL);
  nanosleep(&pause, NULL);
  assert_true(host.runs > 0);
  elastica_world_destroy(world);
  elastica_world_destroy(alone);
}

/* ---- Several worlds on one host ---- */

enum { WORLDS = 4 };

typedef struct job {
  toy_host *host;
  const scene *scene;
  uint64_t hash;
} job;

static void *run_job(void *argument) {
  job *of = argument;
  of->hash = run_scene(of->scene, run_on_toy_host, of->host, 60);
  return NULL;
}

TEST(worlds_may_share_a_host) {
  static toy_host host;
  job jobs[WORLDS];
  pthread_t threads[WORLDS];
  start_host(&host);
  for (int k = 0; k < WORLDS; k++) {
    jobs[k] = (job){&host, &scenes[k % 2 ? 3 : 6], 0};
    assert_int_equal(pthread_create(&threads[k], NULL, run_job, &jobs[k]), 0);
  }
  for (int k = 0; k < WORLDS; k++) pthread_join(threads[k], NULL);
  stop_host(&host);
  for (int k = 0; k < WORLDS; k++) assert_true(jobs[k].hash == run_scene(jobs[k].scene, NULL, NULL, 60));
}

/* ---- Distributed work ---- */

typedef struct counted {
  long runs;
  int most;
} counted;

static void count_calls(void *user, int count, elastica_task task, void *context) {
  counted *of = user;
  of->runs++;
  if (count > of->most) of->most = count;
  for (int k = 0; k < count; k++) task(context, k);
}

/* The caller does work of a microsecond; large worlds are divided into as many pieces as there are workers. */
TEST(little_work_is_not_handed_over) {
  for (int large = 0; large < 2; large++) {
    counted of = {0, 0};
    elastica_world_def def = default_world();
    def.worker_count = 5;
    def.run_tasks = count_calls;
    def.tasks_user = &of;
    elastica_world *world = make_world(&def);
    for (int r = 0; r < (large ? 400 : 2); r++) add_straight_rod(world, 40, 1.0, 0.02, 1000.0, 1e6, 4e5);
    must(world, elastica_world_step(world, 1e-6, 1));
    assert_true((of.runs > 0) == large);
    assert_int_equal(of.most, large ? 5 : 0);
    elastica_world_destroy(world);
  }
}

TEST(memory_is_given_back) {
  long runs = 0;
  for (long allowed = 0; allowed < 6; allowed++) {
    memory_ration ration = ration_of(allowed);
    elastica_world *world = NULL;
    elastica_world_def def = rationed_world_def(&ration);
    def.worker_count = 4;
    def.run_tasks = in_order;
    def.tasks_user = &runs;
    const elastica_status status = elastica_world_create(&def, &world);
    assert_true(status == ELASTICA_OK || status == ELASTICA_OUT_OF_MEMORY);
    elastica_world_destroy(world);
    assert_int_equal(ration.blocks, 0);
  }
}
