/* The operating system: Windows (see system.h).
 *
 * test       tests/test_parallel.c, tests/test_system.c, tests/test_snapshot_file.c
 */
#include "base/target.h"

#include "base/system.h"

#ifdef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <share.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* ---- Threads ---- */

static unsigned __stdcall run_thread(void *argument) {
  const eli_thread *thread = argument;
  thread->run(thread->argument);
  return 0;
}

int eli_thread_start(eli_thread *thread, void (*run)(void *argument), void *argument) {
  thread->run = run;
  thread->argument = argument;
  thread->handle = (HANDLE)_beginthreadex(NULL, 0, run_thread, thread, 0, NULL);
  return thread->handle != NULL;
}

void eli_thread_join(eli_thread *thread) {
  WaitForSingleObject(thread->handle, INFINITE);
  CloseHandle(thread->handle);
}

_Static_assert(sizeof(SRWLOCK) == sizeof(eli_mutex) && sizeof(CONDITION_VARIABLE) == sizeof(eli_condition), "system.h has room for both");

void eli_mutex_init(eli_mutex *mutex) {
  InitializeSRWLock((SRWLOCK *)mutex);
}

void eli_mutex_destroy(eli_mutex *mutex) {
  (void)mutex;
}

void eli_mutex_lock(eli_mutex *mutex) {
  AcquireSRWLockExclusive((SRWLOCK *)mutex);
}

void eli_mutex_unlock(eli_mutex *mutex) {
  ReleaseSRWLockExclusive((SRWLOCK *)mutex);
}

void eli_condition_init(eli_condition *condition) {
  InitializeConditionVariable((CONDITION_VARIABLE *)condition);
}

void eli_condition_destroy(eli_condition *condition) {
  (void)condition;
}

void eli_condition_wait(eli_condition *condition, eli_mutex *mutex) {
  SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, INFINITE, 0);
}

void eli_condition_wake_one(eli_condition *condition) {
  WakeConditionVariable((CONDITION_VARIABLE *)condition);
}

void eli_condition_wake_all(eli_condition *condition) {
  WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
}

int eli_processor_count(void) {
  return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

double eli_clock_now(void) {
  LARGE_INTEGER ticks, per_second;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&per_second);
  return (double)ticks.QuadPart / (double)per_second.QuadPart;
}

/* ---- Files ---- */

/* Sets errno from the last error of the system. Returns 0. */
static int keep_system_error(void) {
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION: errno = EACCES; break;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
  default: errno = EIO; break;
  }
  return 0;
}

/* Opens a file of any kind to examine it; a symbolic link itself with FILE_FLAG_OPEN_REPARSE_POINT. */
static HANDLE open_to_examine(const char *path, DWORD flags) {
  return CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                     FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
}

static eli_file_kind kind_of_handle(HANDLE file) {
  FILE_ATTRIBUTE_TAG_INFO info;
  const DWORD type = GetFileType(file);
  if (type == FILE_TYPE_PIPE) return ELI_FILE_PIPE;
  if (type != FILE_TYPE_DISK) return ELI_FILE_OTHER;
  if (!GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info)) return ELI_FILE_OTHER;
  if ((info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && info.ReparseTag == IO_REPARSE_TAG_SYMLINK) return ELI_FILE_LINK;
  return (info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? ELI_FILE_DIRECTORY : ELI_FILE_REGULAR;
}

static eli_file_kind examine(const char *path, DWORD flags) {
  HANDLE file = open_to_examine(path, flags);
  if (file == INVALID_HANDLE_VALUE) return ELI_FILE_NONE;
  const eli_file_kind kind = kind_of_handle(file);
  CloseHandle(file);
  return kind;
}

eli_file_kind eli_file_kind_of(const char *path) {
  return examine(path, FILE_FLAG_OPEN_REPARSE_POINT);
}

char *eli_file_resolve(const char *path) {
  HANDLE file = open_to_examine(path, 0);
  if (file == INVALID_HANDLE_VALUE) {
    keep_system_error();
    return NULL;
  }
  const DWORD room = GetFinalPathNameByHandleA(file, NULL, 0, 0);
  char *resolved = room > 0 ? malloc((size_t)room + 1) : NULL;
  const DWORD length = resolved != NULL ? GetFinalPathNameByHandleA(file, resolved, room + 1, 0) : 0;
  CloseHandle(file);
  if (length > 0 && length <= room) return resolved;
  free(resolved);
  errno = EIO;
  return NULL;
}

static FILE *open_stream(const char *path, int flags, int sharing, const char *mode) {
  const int file = _sopen(path, flags | _O_BINARY | _O_NOINHERIT, sharing, _S_IREAD | _S_IWRITE);
  FILE *stream = file >= 0 ? _fdopen(file, mode) : NULL;
  if (stream != NULL || file < 0) return stream;
  const int error = errno;
  _close(file);
  errno = error;
  return NULL;
}

FILE *eli_file_create(const char *path) {
  return open_stream(path, _O_WRONLY | _O_CREAT | _O_TRUNC, _SH_DENYWR, "wb");
}

FILE *eli_file_create_new(const char *path) {
  return open_stream(path, _O_WRONLY | _O_CREAT | _O_EXCL, _SH_DENYNO, "wb");
}

FILE *eli_file_read(const char *path, int64_t *size, eli_file_kind *kind) {
  const eli_file_kind found = examine(path, 0);
  *kind = found == ELI_FILE_NONE ? ELI_FILE_REGULAR : found; /* the reason why it cannot be examined is that of opening it */
  if (*kind != ELI_FILE_REGULAR) return NULL;
  FILE *stream = open_stream(path, _O_RDONLY, _SH_DENYNO, "rb");
  if (stream == NULL) return NULL;
  *size = _filelengthi64(_fileno(stream));
  if (*size >= 0) return stream;
  const int error = errno;
  fclose(stream);
  errno = error;
  return NULL;
}

int eli_file_copy_mode(FILE *file, const char *path) {
  (void)file;
  (void)path;
  return 1;
}

int eli_file_sync(FILE *file) {
  return _commit(_fileno(file)) == 0 || errno == EINVAL;
}

int eli_file_replace(const char *from, const char *to) {
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 || keep_system_error();
}

int eli_file_claim(const char *path, eli_claim_kind kind, int *claim) {
  (void)path;
  (void)kind;
  *claim = ELI_NO_CLAIM;
  return 1;
}

void eli_file_release(int *claim) {
  *claim = ELI_NO_CLAIM;
}

const char *eli_file_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c != '\0'; c++)
    if (*c == '/' || *c == '\\' || *c == ':') name = c + 1;
  return name;
}

int eli_file_is_same_place(const char *one, const char *other) {
  char *whole[2] = {_fullpath(NULL, one, 0), _fullpath(NULL, other, 0)};
  const int same = whole[0] != NULL && whole[1] != NULL && _stricmp(whole[0], whole[1]) == 0;
  for (int k = 0; k < 2; k++) free(whole[k]);
  return same;
}

long eli_process_number(void) {
  return _getpid();
}

#endif
