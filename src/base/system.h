/* Threads, a clock and files: the only parts of the library that are specific to an operating system.
 *
 * system_posix.c and system_windows.c define the same functions; each is empty on the other system. The Windows half needs only the
 * libraries of the system, no library of POSIX threads. WASI, the system of WebAssembly, is POSIX without threads, processes, links of
 * files that can be resolved, and permissions.
 */
#ifndef ELI_SYSTEM_H
#define ELI_SYSTEM_H

#include "base/target.h"

#include <stdint.h>
#include <stdio.h>

#ifndef _WIN32
#include "base/threads.h"
#endif

/* ---- Threads ---- */

#ifdef _WIN32
typedef void *eli_thread_handle;
typedef struct eli_mutex {
  void *lock; /* an SRWLOCK */
} eli_mutex;
typedef struct eli_condition {
  void *variable; /* a CONDITION_VARIABLE */
} eli_condition;
#else
typedef pthread_t eli_thread_handle;
typedef pthread_mutex_t eli_mutex;
typedef pthread_cond_t eli_condition;
#endif

typedef struct eli_thread {
  void (*run)(void *argument);
  void *argument;
  eli_thread_handle handle;
} eli_thread;

/* Starts a thread that calls run(argument) and receives no signals; its struct must stay where it is until the thread is joined. Returns 0
 * if the system has no more threads. */
int eli_thread_start(eli_thread *thread, void (*run)(void *argument), void *argument);
void eli_thread_join(eli_thread *thread);

void eli_mutex_init(eli_mutex *mutex);
void eli_mutex_destroy(eli_mutex *mutex);
void eli_mutex_lock(eli_mutex *mutex);
void eli_mutex_unlock(eli_mutex *mutex);

void eli_condition_init(eli_condition *condition);
void eli_condition_destroy(eli_condition *condition);
void eli_condition_wait(eli_condition *condition, eli_mutex *mutex);
void eli_condition_wake_one(eli_condition *condition);
void eli_condition_wake_all(eli_condition *condition);

/* Number of processors; 0 if it is unknown. */
int eli_processor_count(void);

/* Seconds since a fixed but unspecified time; never decreases. */
double eli_clock_now(void);

/* ---- Files. A path is one that fopen takes, and files are binary. A function that fails sets errno. ---- */

typedef enum eli_file_kind {
  ELI_FILE_NONE, /* there is nothing, or it cannot be examined */
  ELI_FILE_REGULAR,
  ELI_FILE_DIRECTORY,
  ELI_FILE_LINK, /* symbolic */
  ELI_FILE_PIPE,
  ELI_FILE_OTHER /* a device */
} eli_file_kind;

/* The kind of a file; the target of a symbolic link is not examined. */
eli_file_kind eli_file_kind_of(const char *path);

/* Returns the path of the target of a symbolic link, to be released with free(); NULL on failure. */
char *eli_file_resolve(const char *path);

/* Opens a new or emptied file for writing; NULL on failure. It does not wait for the reader of a pipe: without a reader it fails. On
 * Windows it fails if the file is open for writing. */
FILE *eli_file_create(const char *path);

/* Creates a file for writing; NULL on failure. It never opens an existing file: errno is then EEXIST. */
FILE *eli_file_create_new(const char *path);

/* Opens a regular file for reading and sets its size in bytes. Returns NULL on failure: kind is then ELI_FILE_REGULAR, or the kind of the
 * file that is not regular. */
FILE *eli_file_read(const char *path, int64_t *size, eli_file_kind *kind);

/* Gives an open file the permissions of the file at path. Returns 0 on failure. On Windows and WASI it does nothing. */
int eli_file_copy_mode(FILE *file, const char *path);

/* Writes all bytes of an open file to the disk. Returns 0 on failure. */
int eli_file_sync(FILE *file);

/* Moves a file to a path in the same directory. A file at that path is replaced: readers find either the old or the new one, complete.
 * Returns 0 on failure. */
int eli_file_replace(const char *from, const char *to);

/* A claim tells writers of this and of other processes that a regular file is in use. It belongs to the file, not to its path, and has no
 * effect on programs without claims. */
typedef enum eli_claim_kind {
  ELI_CLAIM_SHARED,   /* several may hold one: the file is about to be replaced */
  ELI_CLAIM_EXCLUSIVE /* a writer has it open */
} eli_claim_kind;

enum { ELI_NO_CLAIM = -1 };

/* Returns 0 if another claim excludes this one. Otherwise *claim is to be released, or ELI_NO_CLAIM: there is no regular file, or the file
 * system or the operating system (Windows, WASI) has no claims. */
int eli_file_claim(const char *path, eli_claim_kind kind, int *claim);

/* Releases a claim and sets it to ELI_NO_CLAIM. */
void eli_file_release(int *claim);

/* Returns the part of a path after its last separator. */
const char *eli_file_name(const char *path);

/* Returns 1 if two paths name one place: the same name in the same folder. Links of files are not followed. */
int eli_file_is_same_place(const char *one, const char *other);

/* The number of this process; 0 on WASI. */
long eli_process_number(void);

#endif
