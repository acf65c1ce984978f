/* A pool of threads for the tasks of one step. */
#ifndef ELI_PARALLEL_H
#define ELI_PARALLEL_H

#include <stddef.h>

#include "base/memory.h"

typedef struct eli_pool eli_pool;

/* A task with index 0..count-1. worker = 0..worker_count-1 is the number of the executing thread, so that each thread can have its own
 * scratch. The result of a task must not depend on its worker or on the order of tasks. */
typedef void (*eli_task)(void *context, int worker, size_t index);

/* Threads of a host: run_tasks calls task(context, k) once for each k = 0 .. count-1 and returns when all calls have returned. */
typedef struct eli_lent_threads {
  void (*run_tasks)(void *user, int count, elastica_task task, void *context);
  void *user;
} eli_lent_threads;

/* Creates a pool of worker_count >= 1 workers; the calling thread is worker 0. Returns NULL if memory or threads run out. With a host the
 * pool starts no threads: each call of a task by the host is a worker. host may be NULL or without run_tasks. */
eli_pool *eli_pool_create(const eli_allocator *allocator, int worker_count, const eli_lent_threads *host);
void eli_pool_destroy(eli_pool *pool);

/* Estimate for work that is always shared [ns]. */
#define ELI_MUCH_WORK 1e9

/* Runs task for every index and returns when all are done; allocates nothing. work: estimated time of all tasks on one thread [ns]. If it
 * is too small to repay synchronisation, if the pool has one worker, or if pool is NULL, this is a plain loop in order on the calling
 * thread. */
void eli_pool_run(eli_pool *pool, size_t count, double work, eli_task task, void *context);

/* Makes the pool share all runs of two or more tasks, so that tests with small worlds use threads. */
void eli_pool_share_all(eli_pool *pool);

#endif
