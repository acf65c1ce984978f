/* Calls on folders and files that Windows spells differently from POSIX. Included before other headers. */
#ifndef EXAMPLES_FILES_H
#define EXAMPLES_FILES_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>

#ifdef _WIN32

#include <direct.h>
#include <io.h>

/* windows.h would define too many names. */
__declspec(dllimport) int __stdcall MoveFileExA(const char *from, const char *to, unsigned long flags);

static inline int create_folder(const char *path) {
  return _mkdir(path);
}

static inline int write_to_disk(FILE *file) {
  return _commit(_fileno(file));
}

/* 1: replaces an existing file. */
static inline int move_over(const char *from, const char *to) {
  return MoveFileExA(from, to, 1) ? 0 : -1;
}

#else

#include <sys/stat.h>
#include <unistd.h>

static inline int create_folder(const char *path) {
  return mkdir(path, 0777);
}

static inline int write_to_disk(FILE *file) {
  return fsync(fileno(file));
}

static inline int move_over(const char *from, const char *to) {
  return rename(from, to);
}

#endif

#endif
