/* A pool of threads that shares out the tasks of one step. With clock.h the only POSIX-specific part of the library. */
#ifndef ELI_PARALLEL_H
#define ELI_PARALLEL_H

#include <stddef.h>

#include "base/memory.h"

typedef struct eli_pool eli_pool;

/* A task: index 0..count-1; worker 0..worker_count-1 names the thread, so that each can have its own scratch. Tasks must not depend on
 * which worker takes them, nor on their order. */
typedef void (*eli_task)(void *context, int worker, size_t index);

/* Threads of a host: run_tasks calls task(context, 0 .. count-1), each once, and returns when all have returned. */
typedef struct eli_lent_threads {
  void (*run_tasks)(void *user, int count, elastica_task task, void *context);
  void *user;
} eli_lent_threads;

/* A pool of worker_count >= 1 workers, the calling thread being worker 0. NULL when memory or threads run out. With a host (NULL or without
 * run_tasks: none) it has no threads: each call of a task of the host is a worker. */
eli_pool *eli_pool_create(const eli_allocator *allocator, int worker_count, const eli_lent_threads *host);
void eli_pool_destroy(eli_pool *pool);

/* Work that is always shared. */
#define ELI_MUCH_WORK 1e9

/* Runs task for every index and returns when all are done; allocates nothing. work: what all tasks take one thread, estimated [ns]; where
 * that is too little to repay the waiting for others, where the pool has one worker, and where it is NULL, this is a plain loop in order on
 * the calling thread. */
void eli_pool_run(eli_pool *pool, size_t count, double work, eli_task task, void *context);

/* From now on all runs of two tasks or more are shared, so that small worlds show what threads do to them. */
void eli_pool_share_all(eli_pool *pool);

#endif
