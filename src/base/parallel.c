/* A pool of threads for work of 1 to 100 microseconds.
 *
 * Each worker has a range of the tasks, the same in every run of equal count, so that the memory of its tasks stays in the caches of its
 * core. A worker that has finished its range takes tasks from other ranges. A task is claimed by decrementing the ticket of its range with
 * compare-and-swap. A run ends when all tasks are done: the caller waits for workers that execute a task, never for sleeping ones.
 *
 * An idle worker polls the number of the run for a tenth of a millisecond, so that it joins the next run within a fraction of a
 * microsecond; then it sleeps. Waking it costs the caller about 4 us, and it arrives about 50 us later. Therefore the caller does small
 * runs alone, and sleepers are woken only for much work: of one run, or of several that the caller has done alone.
 *
 * With a host, the host's threads are the workers: each call of its task is one worker of one run, and the caller waits in the host's
 * function. If the host calls a worker twice or after its run, the call returns at once. The caller does the work of workers that the host
 * left out, and waits for calls that are still running, so that no two calls ever use the scratch of one worker.
 *
 * A worker can be preempted between reading a ticket and claiming a task, while the run ends and others begin. Therefore a ticket contains
 * the number of its run, and the claim compares it. The data of a run are written only after all tasks of the run before have been claimed.
 */
#include "base/target.h"

#include "base/parallel.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/system.h"

/* Least work [ns] that repays sharing a run, and least work of one or several runs that repays waking the sleepers. */
#define WORTH_SHARING 2e4
#define WORTH_WAKING 4e5

/* A ticket holds the number of the run in its upper bits and the number of unclaimed tasks in its lower bits. SPINS pauses of 20 to 60 ns
 * each take a tenth of a millisecond. */
enum { LEFT_BITS = 24, CACHE_LINE = 64, SPINS = 3000 };
#define LEFT_MASK ((UINT64_C(1) << LEFT_BITS) - 1)

typedef struct range {
  _Atomic uint64_t ticket;
  _Atomic size_t end; /* the next task is end minus the unclaimed tasks */
  char padding[CACHE_LINE - sizeof(uint64_t) - sizeof(size_t)];
} range;

typedef struct worker {
  eli_pool *pool;
  int number;
  eli_thread thread;
  _Atomic int open; /* with a host: 1 from the start of a run until a call has become this worker */
} worker;

struct eli_pool {
  eli_allocator allocator;
  eli_lent_threads host;
  void *memory; /* block of the workers and ranges */
  int worker_count, started;
  worker *workers; /* 1 .. worker_count - 1 are threads, unless there is a host */
  range *ranges;
  int spins;    /* pauses before a thread sleeps; 0 if threads outnumber processors: polling could keep another thread from its task */
  double alone; /* work [ns] of the caller alone since all other workers slept */
  int share_all;

  _Atomic eli_task task;
  void *_Atomic context;
  _Atomic size_t left;  /* unfinished tasks of the run */
  _Atomic int inside;   /* unfinished calls by the host */
  _Atomic uint64_t run; /* number of the present run */
  _Atomic int stop;

  eli_mutex mutex;
  eli_condition work_is_there, all_is_done;
  _Atomic int sleepers, caller_sleeps;
};

/* Yields the core to its other hardware thread, and the cache line to its writer, for a moment. */
static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory"); /* "yield" takes no time on most Arm cores */
#endif
}

static int spins_of(int worker_count) {
  const int processors = eli_processor_count();
  if (processors > 0 && worker_count > processors) return 0;
  return worker_count > 1 ? SPINS : 0;
}

/* ---- Tasks ---- */

/* Executes tasks of one range until none is left. Returns their number. */
static size_t drain(eli_pool *pool, range *of, int number) {
  size_t taken = 0;
  uint64_t ticket = atomic_load_explicit(&of->ticket, memory_order_acquire);
  while ((ticket & LEFT_MASK) != 0) {
    /* These three may belong to a later run than the ticket. They were then written after the ticket changed, and the claim fails. */
    const eli_task task = atomic_load_explicit(&pool->task, memory_order_acquire);
    void *context = atomic_load_explicit(&pool->context, memory_order_acquire);
    const size_t end = atomic_load_explicit(&of->end, memory_order_acquire);
    if (atomic_compare_exchange_strong_explicit(&of->ticket, &ticket, ticket - 1, memory_order_acq_rel, memory_order_acquire)) {
      task(context, number, end - (size_t)(ticket & LEFT_MASK));
      taken++;
      ticket = atomic_load_explicit(&of->ticket, memory_order_acquire);
    }
  }
  return taken;
}

static void wake_caller(eli_pool *pool) {
  if (!atomic_load(&pool->caller_sleeps)) return;
  eli_mutex_lock(&pool->mutex);
  eli_condition_wake_one(&pool->all_is_done);
  eli_mutex_unlock(&pool->mutex);
}

/* Executes tasks of the worker's own range, then those of other ranges. */
static void work(eli_pool *pool, int number) {
  size_t taken = 0;
  for (int k = 0; k < pool->worker_count; k++) taken += drain(pool, &pool->ranges[(number + k) % pool->worker_count], number);
  /* The last worker to finish wakes the caller. Either this thread sees caller_sleeps or the caller sees left == 0. */
  if (taken > 0 && atomic_fetch_sub(&pool->left, taken) == taken) wake_caller(pool);
}

static int all_is_done(eli_pool *pool) {
  return atomic_load(&pool->left) == 0 && atomic_load(&pool->inside) == 0;
}

static void wait_for_all(eli_pool *pool) {
  for (int spin = 0; spin < pool->spins; spin++) {
    if (all_is_done(pool)) return;
    relax();
  }
  eli_mutex_lock(&pool->mutex);
  atomic_store(&pool->caller_sleeps, 1);
  while (!all_is_done(pool)) eli_condition_wait(&pool->all_is_done, &pool->mutex);
  atomic_store(&pool->caller_sleeps, 0);
  eli_mutex_unlock(&pool->mutex);
}

/* ---- Threads of a host ---- */

/* Task for the host: becomes a worker of the present run, unless another call already is this worker. */
static void serve_host(void *context, int index) {
  eli_pool *pool = context;
  atomic_fetch_add(&pool->inside, 1);
  if (index >= 0 && index < pool->worker_count && atomic_exchange(&pool->workers[index].open, 0)) work(pool, index);
  if (atomic_fetch_sub(&pool->inside, 1) == 1) wake_caller(pool);
}

/* The caller does the work as one of the workers that the host left out, if there are any. */
static void run_on_host(eli_pool *pool, int count) {
  int left_out = -1;
  for (int k = 0; k < count; k++) atomic_store(&pool->workers[k].open, 1);
  pool->host.run_tasks(pool->host.user, count, serve_host, pool);
  for (int k = 0; k < count; k++)
    if (atomic_exchange(&pool->workers[k].open, 0)) left_out = k;
  if (left_out >= 0) work(pool, left_out);
}

/* ---- Workers ---- */

/* Waits for a run other than `seen`, or for the end of the pool. Returns the number of the run. */
static uint64_t wait_for_run(eli_pool *pool, uint64_t seen) {
  for (int spin = 0; spin < pool->spins; spin++) {
    const uint64_t run = atomic_load_explicit(&pool->run, memory_order_acquire);
    if (run != seen) return run;
    relax();
  }
  eli_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleepers, 1);
  while (atomic_load(&pool->run) == seen) eli_condition_wait(&pool->work_is_there, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  eli_mutex_unlock(&pool->mutex);
  return atomic_load(&pool->run);
}

static void serve(void *argument) {
  const worker *self = argument;
  uint64_t seen = 0;
  for (;;) {
    seen = wait_for_run(self->pool, seen);
    if (atomic_load(&self->pool->stop)) return;
    work(self->pool, self->number);
  }
}

/* Starts a run (numbers 1 and up). Its tickets are written, so workers may have begun it already. */
static void announce(eli_pool *pool, uint64_t run) {
  atomic_store(&pool->run, run);
  if (atomic_load(&pool->sleepers) == 0) return;
  eli_mutex_lock(&pool->mutex);
  eli_condition_wake_all(&pool->work_is_there);
  eli_mutex_unlock(&pool->mutex);
}

/* ---- Pool ---- */

static int start_threads(eli_pool *pool) {
  while (pool->started < pool->worker_count) {
    worker *next = &pool->workers[pool->started];
    next->pool = pool;
    next->number = pool->started;
    if (pool->started > 0 && !eli_thread_start(&next->thread, serve, next)) break;
    pool->started++;
  }
  return pool->started == pool->worker_count;
}

eli_pool *eli_pool_create(const eli_allocator *allocator, int worker_count, const eli_lent_threads *host) {
  const size_t count = (size_t)worker_count;
  if (worker_count < 1 || count > SIZE_MAX / 4 / (sizeof(range) + sizeof(worker))) return NULL;
  eli_pool *pool = eli_allocate(allocator, 1, sizeof *pool);
  if (pool == NULL) return NULL;
  pool->allocator = *allocator;
  if (host != NULL) pool->host = *host;
  pool->worker_count = worker_count;
  pool->spins = spins_of(worker_count);
  pool->memory = eli_allocate(allocator, 1, CACHE_LINE + count * (sizeof(range) + sizeof(worker)));
  if (pool->memory == NULL) {
    eli_release(allocator, pool);
    return NULL;
  }
  pool->ranges = (range *)((char *)pool->memory + (-(uintptr_t)pool->memory & (CACHE_LINE - 1)));
  pool->workers = (worker *)(pool->ranges + count);
  eli_mutex_init(&pool->mutex);
  eli_condition_init(&pool->work_is_there);
  eli_condition_init(&pool->all_is_done);
  if (pool->host.run_tasks == NULL && !start_threads(pool)) {
    eli_pool_destroy(pool);
    return NULL;
  }
  return pool;
}

void eli_pool_destroy(eli_pool *pool) {
  if (pool == NULL) return;
  const eli_allocator allocator = pool->allocator;
  atomic_store(&pool->stop, 1);
  announce(pool, atomic_load(&pool->run) + 1);
  for (int k = 1; k < pool->started; k++) eli_thread_join(&pool->workers[k].thread);
  eli_condition_destroy(&pool->all_is_done);
  eli_condition_destroy(&pool->work_is_there);
  eli_mutex_destroy(&pool->mutex);
  eli_release(&allocator, pool->memory);
  eli_release(&allocator, pool);
}

/* Runs the tasks first .. first + count - 1. count fits a ticket. */
static void run_part(eli_pool *pool, size_t first, size_t count, eli_task task, void *context) {
  const size_t workers = (size_t)pool->worker_count;
  const uint64_t run = atomic_load_explicit(&pool->run, memory_order_relaxed) + 1;
  atomic_store_explicit(&pool->task, task, memory_order_release);
  atomic_store_explicit(&pool->context, context, memory_order_release);
  atomic_store_explicit(&pool->left, count, memory_order_release);
  for (size_t k = 0; k < workers; k++) {
    const size_t begin = count * k / workers, end = count * (k + 1) / workers;
    atomic_store_explicit(&pool->ranges[k].end, first + end, memory_order_release);
    atomic_store_explicit(&pool->ranges[k].ticket, run << LEFT_BITS | (end - begin), memory_order_release);
  }
  announce(pool, run);
  if (pool->host.run_tasks != NULL)
    run_on_host(pool, count < workers ? (int)count : pool->worker_count);
  else
    work(pool, 0);
  wait_for_all(pool);
}

void eli_pool_share_all(eli_pool *pool) {
  pool->share_all = 1;
}

/* Returns 1 if a run is shared. Sleepers are woken only for work that repays it. */
static int is_shared(eli_pool *pool, size_t count, double work) {
  if (pool == NULL || pool->worker_count == 1 || count < 2) return 0;
  if (pool->share_all) return 1;
  if (!(work >= WORTH_SHARING)) return 0;
  if (pool->host.run_tasks != NULL) return 1;
  const int all_sleep = atomic_load_explicit(&pool->sleepers, memory_order_relaxed) == pool->worker_count - 1;
  pool->alone = all_sleep ? pool->alone + work : 0.0;
  if (all_sleep && pool->alone < WORTH_WAKING) return 0;
  pool->alone = 0.0;
  return 1;
}

void eli_pool_run(eli_pool *pool, size_t count, double work, eli_task task, void *context) {
  if (!is_shared(pool, count, work)) {
    for (size_t k = 0; k < count; k++) task(context, 0, k);
    return;
  }
  const size_t part = LEFT_MASK;
  for (size_t first = 0; first < count; first += part) {
    run_part(pool, first, count - first < part ? count - first : part, task, context);
  }
}
