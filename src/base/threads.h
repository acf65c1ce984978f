/* The threads of POSIX; or, on systems without threads, the same names in a program of one thread: locks are free, and no thread can be
 * created.
 */
#ifndef ELI_THREADS_H
#define ELI_THREADS_H

#if defined(__wasi__) && !defined(_REENTRANT)

#include <errno.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t, sigset_t;

#define pthread_create(thread, attributes, task, argument) ((void)(thread), (void)(task), (void)(argument), ENOSYS)
#define pthread_join(thread, result) ((void)(thread))
#define pthread_mutex_init(mutex, attributes) ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) ((void)(condition))
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_signal(condition) ((void)(condition))
#define pthread_cond_broadcast(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex))

/* There are no signals either. */
#define SIG_SETMASK 0
static inline void sigfillset(sigset_t *set) {
  *set = 0;
}
static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  (void)how, (void)set, (void)before;
  return 0;
}

#else

#include <pthread.h>
#include <signal.h>

#endif

#endif
