/* The pool of threads: every task is done once, for any number of workers and cores, and all memory is released. */
#include "base/target.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "rationed_memory.h"

#include <stdatomic.h>
#include <time.h>

enum { TASKS = 1000, WORKERS = 9 };

/* Plain counters: two threads on one task, or on the scratch memory of one worker, are a race that the thread sanitizer detects. */
typedef struct job {
  int done[TASKS];
  size_t scratch[WORKERS];
  size_t last[WORKERS];
} job;

static void count_task(void *context, int worker, size_t index) {
  job *of = context;
  of->done[index]++;
  of->scratch[worker]++;
  of->last[worker] = index;
}

static void pause_for(long nanoseconds) {
  const struct timespec duration = {0, nanoseconds};
  nanosleep(&duration, NULL);
}

static eli_pool *pool_of(int worker_count) {
  const eli_allocator allocator = eli_allocator_default();
  eli_pool *pool = eli_pool_create(&allocator, worker_count, NULL);
  assert_non_null(pool);
  return pool;
}

TEST(every_task_is_done_once) {
  for (int workers = 1; workers <= WORKERS; workers++) {
    eli_pool *pool = pool_of(workers);
    for (size_t count = 0; count <= TASKS; count += count < 40 ? 1 : 96) {
      job work;
      memset(&work, 0, sizeof work);
      eli_pool_run(pool, count, ELI_MUCH_WORK, count_task, &work);
      size_t total = 0;
      for (int w = 0; w < WORKERS; w++) total += work.scratch[w];
      assert_int_equal(total, count);
      for (size_t k = 0; k < TASKS; k++) assert_int_equal(work.done[k], k < count ? 1 : 0);
    }
    eli_pool_destroy(pool);
  }
}

TEST(one_worker_works_in_order) {
  eli_pool *pools[] = {NULL, pool_of(1)};
  for (int k = 0; k < 2; k++) {
    job work;
    memset(&work, 0, sizeof work);
    eli_pool_run(pools[k], 17, ELI_MUCH_WORK, count_task, &work);
    assert_int_equal(work.scratch[0], 17);
    assert_int_equal(work.last[0], 16);
    eli_pool_destroy(pools[k]);
  }
}

/* Each task reads the results of its neighbours in the previous run: a run must see all results of the previous run. */
typedef struct wave {
  uint64_t now[64], next[64];
} wave;

static void advance(void *context, int worker, size_t index) {
  wave *of = context;
  (void)worker;
  of->next[index] = of->now[(index + 63) % 64] * 3 + of->now[(index + 1) % 64] + index;
}

static void settle(void *context, int worker, size_t index) {
  wave *of = context;
  (void)worker;
  of->now[index] = of->next[index];
}

TEST(runs_follow_each_other_at_once) {
  wave alone = {{0}, {0}};
  const int runs = 5000;
  for (int run = 0; run < runs; run++) {
    eli_pool_run(NULL, 64, ELI_MUCH_WORK, advance, &alone);
    eli_pool_run(NULL, 64, ELI_MUCH_WORK, settle, &alone);
  }
  for (int workers = 2; workers <= 8; workers *= 2) {
    eli_pool *pool = pool_of(workers);
    wave shared = {{0}, {0}};
    for (int run = 0; run < runs; run++) {
      eli_pool_run(pool, 64, ELI_MUCH_WORK, advance, &shared);
      eli_pool_run(pool, 64, ELI_MUCH_WORK, settle, &shared);
    }
    eli_pool_destroy(pool);
    assert_memory_equal(&shared, &alone, sizeof alone);
  }
}

TEST(sleeping_workers_wake_up) {
  eli_pool *pool = pool_of(4);
  for (int run = 0; run < 20; run++) {
    job work;
    memset(&work, 0, sizeof work);
    pause_for(5000000);
    eli_pool_run(pool, 100, ELI_MUCH_WORK, count_task, &work);
    for (size_t k = 0; k < 100; k++) assert_int_equal(work.done[k], 1);
  }
  eli_pool_destroy(pool);
}

static int count_by_others(const job *of) {
  size_t total = 0;
  for (int w = 1; w < WORKERS; w++) total += of->scratch[w];
  return (int)total;
}

/* Slow enough for a worker that is awake to take one task. */
static void count_slowly(void *context, int worker, size_t index) {
  pause_for(1000000);
  count_task(context, worker, index);
}

/* A microsecond of work is shorter than waiting for another thread. */
TEST(little_work_is_the_callers) {
  eli_pool *pool = pool_of(3);
  job work;
  memset(&work, 0, sizeof work);
  for (int run = 0; run < 20; run++) eli_pool_run(pool, 10, 1e3, count_slowly, &work);
  assert_int_equal(work.scratch[0], 200);
  assert_int_equal(work.last[0], 9);
  assert_int_equal(count_by_others(&work), 0);
  eli_pool_share_all(pool);
  for (int run = 0; run < 20; run++) eli_pool_run(pool, 10, 1e3, count_slowly, &work);
  assert_true(count_by_others(&work) > 0);
  eli_pool_destroy(pool);
}

/* A single run of 30 microseconds does not wake a sleeping worker; many of them do. The machine decides whether it sleeps at the first
 * run. */
TEST(sleepers_wake_up_for_much_work_in_pieces) {
  eli_pool *pool = pool_of(3);
  for (int turn = 0; turn < 3; turn++) {
    job work;
    memset(&work, 0, sizeof work);
    pause_for(100000000);
    for (int run = 0; run < 100; run++) eli_pool_run(pool, 10, 3e4, count_slowly, &work);
    assert_true(count_by_others(&work) > 0);
  }
  eli_pool_destroy(pool);
}

typedef struct slow_job {
  job work;
  _Atomic int begun_by_others;
} slow_job;

/* The caller starts after another worker has taken a task, and finishes all other tasks while that worker is still busy. */
static void dawdle(void *context, int worker, size_t index) {
  slow_job *of = context;
  if (worker > 0) {
    atomic_fetch_add(&of->begun_by_others, 1);
    pause_for(20000000);
  }
  while (atomic_load(&of->begun_by_others) == 0) pause_for(1000);
  count_task(&of->work, worker, index);
}

TEST(tasks_of_others_are_waited_for) {
  for (int workers = 2; workers <= 3; workers++) {
    eli_pool *pool = pool_of(workers);
    for (int run = 0; run < 5; run++) {
      slow_job slow;
      memset(&slow, 0, sizeof slow);
      eli_pool_run(pool, 30, ELI_MUCH_WORK, dawdle, &slow);
      for (size_t k = 0; k < 30; k++) assert_int_equal(slow.work.done[k], 1);
    }
    eli_pool_destroy(pool);
  }
}

/* A task that ends only when another task runs at the same time. */
static void meet(void *context, int worker, size_t index) {
  _Atomic int *present = context;
  (void)worker;
  (void)index;
  atomic_fetch_add(present, 1);
  while (atomic_load(present) < 3) pause_for(1000);
}

TEST(tasks_run_at_the_same_time) {
  _Atomic int present = 0;
  eli_pool *pool = pool_of(3);
  eli_pool_run(pool, 3, ELI_MUCH_WORK, meet, &present);
  assert_int_equal(present, 3);
  eli_pool_destroy(pool);
}

static void count_only(void *context, int worker, size_t index) {
  uint64_t(*sums)[8] = context;
  sums[worker][0] += index;
}

/* More tasks than a ticket can count. */
TEST(runs_may_be_very_long) {
  const uint64_t count = (UINT64_C(1) << 24) + 12345;
  uint64_t sums[2][8] = {{0}, {0}};
  eli_pool *pool = pool_of(2);
  eli_pool_run(pool, (size_t)count, ELI_MUCH_WORK, count_only, sums);
  eli_pool_destroy(pool);
  assert_true(sums[0][0] + sums[1][0] == count * (count - 1) / 2);
}

TEST(memory_is_taken_at_creation_only) {
  memory_ration count = plenty();
  const eli_allocator allocator = {take_rationed, give_back_rationed, &count};
  eli_pool *pool = eli_pool_create(&allocator, 4, NULL);
  job work;
  memset(&work, 0, sizeof work);
  const long calls = count.calls;
  for (int run = 0; run < 100; run++) eli_pool_run(pool, 50, ELI_MUCH_WORK, count_task, &work);
  assert_int_equal(count.calls, calls);
  eli_pool_destroy(pool);
  assert_int_equal(count.blocks, 0);
}

TEST(running_out_of_memory_gives_no_pool) {
  for (int refused = 0; refused < 3; refused++) {
    memory_ration count = plenty();
    count.refused_call = refused;
    const eli_allocator allocator = {take_rationed, give_back_rationed, &count};
    eli_pool *pool = eli_pool_create(&allocator, 4, NULL);
    if (count.calls > refused) assert_null(pool);
    eli_pool_destroy(pool);
    assert_int_equal(count.blocks, 0);
  }
}

TEST(a_pool_needs_a_worker) {
  const eli_allocator allocator = eli_allocator_default();
  assert_null(eli_pool_create(&allocator, 0, NULL));
  assert_null(eli_pool_create(&allocator, -1, NULL));
  eli_pool_destroy(NULL);
}
