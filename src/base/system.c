/* Calls to the system (see system.h). WASI, the system of WebAssembly, has neither processes nor modes of files. */
#define _XOPEN_SOURCE 700 /* for realpath */
#include "base/target.h"

#include "base/system.h"

#ifdef __wasi__

#include <errno.h>
#include <stddef.h>

long eli_process_id(void) {
  return 0;
}

char *eli_resolve_links(const char *path) {
  (void)path;
  errno = ENOSYS;
  return NULL;
}

int eli_set_mode(int file, mode_t mode) {
  (void)file, (void)mode;
  return 0;
}

#else

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

long eli_process_id(void) {
  return (long)getpid();
}

char *eli_resolve_links(const char *path) {
  return realpath(path, NULL);
}

int eli_set_mode(int file, mode_t mode) {
  return fchmod(file, mode);
}

#endif
