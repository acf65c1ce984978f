/* A host with threads of its own: one queue of calls, served by any free thread, the waiting thread included. Several worlds may use it
 * at the same time, as in an engine's job system.
 */
#ifndef TESTS_TOY_HOST_H
#define TESTS_TOY_HOST_H

#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

enum { TOY_THREADS = 3, TOY_QUEUE = 256 };

typedef struct toy_call {
  elastica_task task;
  void *context;
  int index;
  int *left; /* number of calls of the same run that have not returned */
} toy_call;

typedef struct toy_host {
  pthread_t threads[TOY_THREADS];
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  toy_call queue[TOY_QUEUE];
  int count, stop;
  long runs;     /* number of calls of run_tasks */
  long calls[2]; /* numbers of calls served by the waiting threads and by the host's own threads */
} toy_host;

/* Takes one call from the queue, with the mutex held before and after; returns 0 if the queue is empty. */
static inline int serve_one(toy_host *host, int own) {
  if (host->count == 0) return 0;
  const toy_call next = host->queue[--host->count];
  host->calls[own]++;
  pthread_mutex_unlock(&host->mutex);
  next.task(next.context, next.index);
  pthread_mutex_lock(&host->mutex);
  --*next.left;
  pthread_cond_broadcast(&host->changed);
  return 1;
}

static inline void *serve_host(void *argument) {
  toy_host *host = argument;
  pthread_mutex_lock(&host->mutex);
  while (!host->stop)
    if (!serve_one(host, 1)) pthread_cond_wait(&host->changed, &host->mutex);
  pthread_mutex_unlock(&host->mutex);
  return NULL;
}

static inline void start_host(toy_host *host) {
  memset(host, 0, sizeof *host);
  pthread_mutex_init(&host->mutex, NULL);
  pthread_cond_init(&host->changed, NULL);
  for (int k = 0; k < TOY_THREADS; k++) assert_int_equal(pthread_create(&host->threads[k], NULL, serve_host, host), 0);
}

static inline void stop_host(toy_host *host) {
  pthread_mutex_lock(&host->mutex);
  host->stop = 1;
  pthread_cond_broadcast(&host->changed);
  pthread_mutex_unlock(&host->mutex);
  for (int k = 0; k < TOY_THREADS; k++) pthread_join(host->threads[k], NULL);
  pthread_cond_destroy(&host->changed);
  pthread_mutex_destroy(&host->mutex);
}

/* For elastica_world_def: the calling thread also serves calls while it waits. */
static inline void run_on_toy_host(void *user, int count, elastica_task task, void *context) {
  toy_host *host = user;
  int left = count;
  pthread_mutex_lock(&host->mutex);
  host->runs++;
  for (int k = 0; k < count; k++) {
    while (host->count == TOY_QUEUE) serve_one(host, 0);
    host->queue[host->count++] = (toy_call){task, context, k, &left};
  }
  pthread_cond_broadcast(&host->changed);
  while (left > 0)
    if (!serve_one(host, 0)) pthread_cond_wait(&host->changed, &host->mutex);
  pthread_mutex_unlock(&host->mutex);
}

#endif
