/* A separate folder for tests that write files, assertions about the content of files, and a locale that writes 0,5. On Windows there is no
 * limit of the size of files. */
#ifndef TESTS_SCRATCH_FOLDER_H
#define TESTS_SCRATCH_FOLDER_H

#include "support.h"

#include <dirent.h>
#include <locale.h>
#include <unistd.h>
#ifdef _WIN32
#include <io.h>
#else
#include <signal.h>
#include <sys/resource.h>
#endif

typedef struct scratch_folder {
  char path[256];
  char file[512]; /* path returned by the last scratch_path */
} scratch_folder;

static inline void scratch_make(scratch_folder *folder) {
  const char *parent = getenv("TMPDIR");
  snprintf(folder->path, sizeof folder->path, "%s/elastica_test_XXXXXX", parent != NULL && parent[0] != '\0' ? parent : "/tmp");
#ifdef _WIN32
  const int made = _mktemp(folder->path) != NULL && mkdir(folder->path) == 0;
#else
  const int made = mkdtemp(folder->path) != NULL;
#endif
  if (!made) fail_msg("no folder %s", folder->path);
}

/* Path of a file in the folder; valid until the next call. */
static inline const char *scratch_path(scratch_folder *folder, const char *name) {
  snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
  return folder->file;
}

static inline int scratch_has(scratch_folder *folder, const char *name) {
  return access(scratch_path(folder, name), F_OK) == 0;
}

static inline int scratch_file_count(const scratch_folder *folder) {
  int count = 0;
  DIR *listing = opendir(folder->path);
  assert_non_null(listing);
  for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) count += entry->d_name[0] != '.';
  closedir(listing);
  return count;
}

static inline void scratch_remove(scratch_folder *folder) {
  DIR *listing = opendir(folder->path);
  assert_non_null(listing);
  for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
    if (entry->d_name[0] != '.') remove(scratch_path(folder, entry->d_name));
  closedir(listing);
  remove(folder->path);
}

/* Returns the content of a file and a final 0; to be freed. */
static inline char *scratch_read(scratch_folder *folder, const char *name) {
  FILE *file = fopen(scratch_path(folder, name), "rb");
  if (file == NULL) fail_msg("no file %s", folder->file);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  assert_non_null(text);
  assert_true(fread(text, 1, size, file) == size);
  text[size] = '\0';
  fclose(file);
  return text;
}

#ifndef _WIN32
/* Simulates a full disk: no file can be written beyond this number of bytes. RLIM_INFINITY lifts the limit. */
static inline void scratch_limit(rlim_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
#endif

static inline void claim_file(scratch_folder *folder, const char *name, const char *expected, const char *source, int line) {
  char *text = scratch_read(folder, name);
  const int same = strcmp(text, expected) == 0;
  if (!same) print_error("%s holds\n%s\nnot\n%s\n", name, text, expected);
  free(text);
  if (!same) _fail(source, line);
}

/* The file must have exactly this content. */
#define assert_file(folder, name, expected) claim_file((folder), (name), (expected), __FILE__, __LINE__)

/* Makes printf write 0,5; returns 0 if the machine has no such locale. setlocale(LC_ALL, "C") restores the usual one. */
static inline int use_comma(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "fr_FR"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (setlocale(LC_ALL, names[n]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0) return 1;
  setlocale(LC_ALL, "C");
  return 0;
}

#endif
