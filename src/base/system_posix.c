/* The operating system: POSIX (see system.h).
 *
 * test       tests/test_parallel.c, tests/test_system.c, tests/test_snapshot_path.c
 */
#define _XOPEN_SOURCE 700 /* for realpath */
#ifdef __APPLE__
#define _DARWIN_C_SOURCE /* for flock */
#endif
#include "base/target.h"

#include "base/system.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasi__
#include <sys/file.h>
#endif
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Threads ---- */

static void *run_thread(void *argument) {
  const eli_thread *thread = argument;
  thread->run(thread->argument);
  return NULL;
}

/* The thread blocks all signals, so that the threads of the program receive them. */
int eli_thread_start(eli_thread *thread, void (*run)(void *argument), void *argument) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return 0;
  thread->run = run;
  thread->argument = argument;
  const int started = pthread_create(&thread->handle, NULL, run_thread, thread) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

void eli_thread_join(eli_thread *thread) {
  pthread_join(thread->handle, NULL);
}

void eli_mutex_init(eli_mutex *mutex) {
  pthread_mutex_init(mutex, NULL);
}

void eli_mutex_destroy(eli_mutex *mutex) {
  pthread_mutex_destroy(mutex);
}

void eli_mutex_lock(eli_mutex *mutex) {
  pthread_mutex_lock(mutex);
}

void eli_mutex_unlock(eli_mutex *mutex) {
  pthread_mutex_unlock(mutex);
}

void eli_condition_init(eli_condition *condition) {
  pthread_cond_init(condition, NULL);
}

void eli_condition_destroy(eli_condition *condition) {
  pthread_cond_destroy(condition);
}

void eli_condition_wait(eli_condition *condition, eli_mutex *mutex) {
  pthread_cond_wait(condition, mutex);
}

void eli_condition_wake_one(eli_condition *condition) {
  pthread_cond_signal(condition);
}

void eli_condition_wake_all(eli_condition *condition) {
  pthread_cond_broadcast(condition);
}

int eli_processor_count(void) {
#ifdef _SC_NPROCESSORS_ONLN
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors > 0) return processors < INT_MAX ? (int)processors : INT_MAX;
#endif
  return 0;
}

double eli_clock_now(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Files ---- */

static eli_file_kind kind_of_mode(mode_t mode) {
  return S_ISREG(mode)    ? ELI_FILE_REGULAR
         : S_ISDIR(mode)  ? ELI_FILE_DIRECTORY
         : S_ISLNK(mode)  ? ELI_FILE_LINK
         : S_ISFIFO(mode) ? ELI_FILE_PIPE
                          : ELI_FILE_OTHER;
}

eli_file_kind eli_file_kind_of(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? kind_of_mode(found.st_mode) : ELI_FILE_NONE;
}

char *eli_file_resolve(const char *path) {
#ifdef __wasi__
  (void)path;
  errno = ENOSYS;
  return NULL;
#else
  return realpath(path, NULL);
#endif
}

/* Makes a stream of an open file, or closes the file. Keeps the first error. */
static FILE *stream_of(int file, const char *mode) {
  FILE *stream = fdopen(file, mode);
  if (stream != NULL) return stream;
  const int error = errno;
  close(file);
  errno = error;
  return NULL;
}

FILE *eli_file_create(const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0666);
  if (file < 0) return NULL;
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0 && fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0) return stream_of(file, "wb");
  const int error = errno;
  close(file);
  errno = error;
  return NULL;
}

FILE *eli_file_create_new(const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) return NULL;
  FILE *stream = stream_of(file, "wb");
  if (stream != NULL) return stream;
  const int error = errno;
  remove(path);
  errno = error;
  return NULL;
}

/* Opening does not wait for the writer of a pipe. */
FILE *eli_file_read(const char *path, int64_t *size, eli_file_kind *kind) {
  struct stat found;
  *kind = ELI_FILE_REGULAR;
  const int file = open(path, O_RDONLY | O_NONBLOCK);
  if (file < 0) return NULL;
  if (fstat(file, &found) == 0) {
    *kind = kind_of_mode(found.st_mode);
    *size = (int64_t)found.st_size;
    if (*kind == ELI_FILE_REGULAR) return stream_of(file, "rb");
  }
  const int error = errno;
  close(file);
  errno = error;
  return NULL;
}

int eli_file_copy_mode(FILE *file, const char *path) {
#ifdef __wasi__
  (void)file, (void)path;
  return 1;
#else
  struct stat found;
  return stat(path, &found) == 0 && fchmod(fileno(file), found.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) == 0;
#endif
}

int eli_file_sync(FILE *file) {
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP;
}

int eli_file_replace(const char *from, const char *to) {
  return rename(from, to) == 0;
}

/* The lock of flock belongs to the open file: unlike that of fcntl it also excludes other writers of this process. Opening does not wait
 * for the writer of a pipe, and programs that this one starts do not inherit the lock. */
int eli_file_claim(const char *path, eli_claim_kind kind, int *claim) {
  *claim = ELI_NO_CLAIM;
#ifdef __wasi__
  (void)path, (void)kind;
#else
  struct stat found;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return 1;
  const int is_regular = fstat(file, &found) == 0 && S_ISREG(found.st_mode);
  if (is_regular && flock(file, (kind == ELI_CLAIM_SHARED ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) {
    *claim = file;
    return 1;
  }
  const int is_excluded = is_regular && errno == EWOULDBLOCK;
  close(file);
  if (is_excluded) return 0;
#endif
  return 1;
}

/* Unlocking also ends the claim of a forked process, which shares the open file. */
void eli_file_release(int *claim) {
#ifndef __wasi__
  if (*claim != ELI_NO_CLAIM) {
    flock(*claim, LOCK_UN);
    close(*claim);
  }
#endif
  *claim = ELI_NO_CLAIM;
}

const char *eli_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Finds the folder of a path. Returns 0 on failure. */
static int examine_folder(const char *path, struct stat *out) {
  const size_t length = (size_t)(eli_file_name(path) - path);
  char *folder = calloc(length + 2, 1);
  if (folder == NULL) return 0;
  memcpy(folder, path, length);
  folder[length] = '.'; /* "run.csv" is in ".", "out/run.csv" in "out/." */
  const int found = stat(folder, out) == 0;
  free(folder);
  return found;
}

int eli_file_is_same_place(const char *one, const char *other) {
  struct stat of[2];
  if (strcmp(one, other) == 0) return 1;
  if (strcmp(eli_file_name(one), eli_file_name(other)) != 0) return 0;
  return examine_folder(one, &of[0]) && examine_folder(other, &of[1]) && of[0].st_dev == of[1].st_dev && of[0].st_ino == of[1].st_ino;
}

long eli_process_number(void) {
#ifdef __wasi__
  return 0;
#else
  return (long)getpid();
#endif
}

#endif
