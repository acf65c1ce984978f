/* Files as the library uses them on every system: kinds, new files, replacement, sizes, names. */
#include "base/target.h"

#include "base/system.h"
#include "scratch_folder.h"

#include <errno.h>

static void write_text(const char *path, const char *text) {
  FILE *file = eli_file_create(path);
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && eli_file_sync(file));
  assert_int_equal(fclose(file), 0);
}

TEST(kinds_of_files_are_told_apart) {
  scratch_folder folder;
  scratch_make(&folder);
  const char *path = scratch_path(&folder, "file");
  assert_int_equal(eli_file_kind_of(path), ELI_FILE_NONE);
  write_text(path, "text");
  assert_int_equal(eli_file_kind_of(path), ELI_FILE_REGULAR);
  assert_int_equal(eli_file_kind_of(folder.path), ELI_FILE_DIRECTORY);
  scratch_remove(&folder);
}

/* On Windows, too, lines end with one byte. */
TEST(a_file_has_the_bytes_that_were_written) {
  static const char bytes[] = "one\ntwo\r\n\x1a three\n";
  scratch_folder folder;
  int64_t size = -1;
  eli_file_kind kind;
  char read[64];
  scratch_make(&folder);
  const char *path = scratch_path(&folder, "file");
  write_text(path, "longer than the text that replaces it");
  write_text(path, bytes);
  FILE *file = eli_file_read(path, &size, &kind);
  assert_non_null(file);
  assert_int_equal(size, sizeof bytes - 1);
  assert_int_equal(fread(read, 1, sizeof read, file), sizeof bytes - 1);
  assert_memory_equal(read, bytes, sizeof bytes - 1);
  fclose(file);
  scratch_remove(&folder);
}

TEST(only_a_regular_file_is_read) {
  scratch_folder folder;
  int64_t size;
  eli_file_kind kind;
  scratch_make(&folder);
  assert_null(eli_file_read(folder.path, &size, &kind));
  assert_int_equal(kind, ELI_FILE_DIRECTORY);
  errno = 0;
  assert_null(eli_file_read(scratch_path(&folder, "absent"), &size, &kind));
  assert_int_equal(kind, ELI_FILE_REGULAR);
  assert_int_equal(errno, ENOENT);
  scratch_remove(&folder);
}

TEST(a_new_file_never_opens_an_existing_one) {
  scratch_folder folder;
  scratch_make(&folder);
  const char *path = scratch_path(&folder, "file");
  FILE *file = eli_file_create_new(path);
  assert_non_null(file);
  fputs("first", file);
  fclose(file);
  errno = 0;
  assert_null(eli_file_create_new(path));
  assert_int_equal(errno, EEXIST);
  assert_file(&folder, "file", "first");
  scratch_remove(&folder);
}

TEST(a_file_replaces_another) {
  scratch_folder folder;
  char from[512];
  scratch_make(&folder);
  snprintf(from, sizeof from, "%s", scratch_path(&folder, "new"));
  write_text(from, "new");
  write_text(scratch_path(&folder, "old"), "old");
  assert_true(eli_file_replace(from, scratch_path(&folder, "old")));
  assert_file(&folder, "old", "new");
  assert_int_equal(scratch_file_count(&folder), 1);
  errno = 0;
  assert_false(eli_file_replace(from, scratch_path(&folder, "old")));
  assert_int_equal(errno, ENOENT);
  assert_file(&folder, "old", "new");
  scratch_remove(&folder);
}

TEST(a_path_resolves_to_the_same_file) {
  scratch_folder folder;
  int64_t size;
  eli_file_kind kind;
  scratch_make(&folder);
  write_text(scratch_path(&folder, "file"), "12345");
  char *resolved = eli_file_resolve(scratch_path(&folder, "file"));
  assert_non_null(resolved);
  FILE *file = eli_file_read(resolved, &size, &kind);
  assert_non_null(file);
  assert_int_equal(size, 5);
  fclose(file);
  free(resolved);
  assert_null(eli_file_resolve(scratch_path(&folder, "absent")));
  scratch_remove(&folder);
}

/* A claim of a writer excludes all others; those before a replacement exclude that of a writer alone. */
#ifndef _WIN32
TEST(a_claimed_file_is_known) {
  scratch_folder folder;
  int claims[2];
  scratch_make(&folder);
  const char *path = scratch_path(&folder, "file");
  assert_true(eli_file_claim(path, ELI_CLAIM_EXCLUSIVE, &claims[0]));
  assert_int_equal(claims[0], ELI_NO_CLAIM);
  write_text(path, "text");
  assert_true(eli_file_claim(path, ELI_CLAIM_EXCLUSIVE, &claims[0]));
  for (int kind = ELI_CLAIM_SHARED; kind <= ELI_CLAIM_EXCLUSIVE; kind++) {
    assert_false(eli_file_claim(path, (eli_claim_kind)kind, &claims[1]));
    assert_int_equal(claims[1], ELI_NO_CLAIM);
  }
  eli_file_release(&claims[0]);
  assert_int_equal(claims[0], ELI_NO_CLAIM);
  for (int k = 0; k < 2; k++) assert_true(eli_file_claim(path, ELI_CLAIM_SHARED, &claims[k]));
  eli_file_release(&claims[0]);
  assert_false(eli_file_claim(path, ELI_CLAIM_EXCLUSIVE, &claims[0]));
  eli_file_release(&claims[1]);
  assert_true(eli_file_claim("/dev/null", ELI_CLAIM_EXCLUSIVE, &claims[0]));
  assert_int_equal(claims[0], ELI_NO_CLAIM);
  scratch_remove(&folder);
}
#endif

TEST(the_name_of_a_file_follows_the_last_separator) {
  assert_string_equal(eli_file_name("swing.html"), "swing.html");
  assert_string_equal(eli_file_name("a/b/swing.html"), "swing.html");
#ifdef _WIN32
  assert_string_equal(eli_file_name("C:\\a\\swing.html"), "swing.html");
  assert_string_equal(eli_file_name("C:swing.html"), "swing.html");
#else
  assert_string_equal(eli_file_name("a\\b"), "a\\b");
#endif
}

TEST(the_clock_runs_and_processors_are_counted) {
  const double before = eli_clock_now();
  double now = before;
  for (long k = 0; k < 1000000000L && now == before; k++) now = eli_clock_now();
  assert_true(now > before);
  assert_true(eli_processor_count() >= 1);
  assert_true(eli_process_number() > 0);
}
