/* A pool of threads that shares out the tasks of one step. The only POSIX-specific file pair of the library. */
#ifndef ELI_PARALLEL_H
#define ELI_PARALLEL_H

#include <stddef.h>

#include "base/memory.h"

typedef struct eli_pool eli_pool;

/* A task: index 0..count-1; worker 0..worker_count-1 names the thread, so that each can have its own scratch. Tasks must not depend on
 * which worker takes them, nor on their order. */
typedef void (*eli_task)(void *context, int worker, size_t index);

/* A pool of worker_count >= 1 workers, the calling thread being worker 0. NULL when memory or threads run out. */
eli_pool *eli_pool_create(const eli_allocator *allocator, int worker_count);
void eli_pool_destroy(eli_pool *pool);

/* Runs task for every index and returns when all are done; allocates nothing. With one worker it is a plain loop in order. Pool NULL:
 * likewise. */
void eli_pool_run(eli_pool *pool, size_t count, eli_task task, void *context);

#endif
