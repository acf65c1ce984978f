/* Paths of snapshots: the object at the path is replaced, and read, only if it is a file, and keeps its mode; errors name the failed
 * file. */
#include "base/target.h"

#include "restarts.h"
#include "scratch_folder.h"

#include <sys/stat.h>

static elastica_world *build(scratch_folder *folder) {
  elastica_world *world = make_world(NULL);
  fill_wanderers(world);
  scratch_make(folder);
  return world;
}

static struct stat status_of(const char *path) {
  struct stat what;
  assert_int_equal(lstat(path, &what), 0);
  return what;
}

TEST(an_existing_file_keeps_its_mode) {
  static const mode_t modes[] = {0600, 0644, 0640, 0400, 0666};
  scratch_folder folder;
  elastica_world *world = build(&folder);
  const char *path = scratch_path(&folder, "state");
  must(world, elastica_world_snapshot_save_file(world, path));
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
    assert_int_equal(chmod(path, modes[k]), 0);
    must(world, elastica_world_snapshot_save_file(world, path));
    assert_int_equal(status_of(path).st_mode & 07777, modes[k]);
  }
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

/* Relative and absolute links, in a chain: the links remain, the file behind them is replaced. */
TEST(links_are_followed) {
  scratch_folder folder;
  elastica_world *world = build(&folder);
  char file[600], link[600];
  snprintf(file, sizeof file, "%s", scratch_path(&folder, "state"));
  snprintf(link, sizeof link, "%s", scratch_path(&folder, "latest"));
  must(world, elastica_world_snapshot_save_file(world, file));
  const struct stat before = status_of(file);
  assert_int_equal(symlink("state", link), 0);
  assert_int_equal(symlink(link, scratch_path(&folder, "another")), 0);
  must(world, elastica_world_step(world, 0x1p-14, 5));
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "another")));
  assert_true(S_ISLNK(status_of(link).st_mode) && S_ISLNK(status_of(scratch_path(&folder, "another")).st_mode));
  assert_true(S_ISREG(status_of(file).st_mode) && status_of(file).st_ino != before.st_ino);
  assert_int_equal(scratch_file_count(&folder), 3);
  snapshot s = take_snapshot(world);
  char *bytes = scratch_read(&folder, "state");
  assert_memory_equal(bytes, s.bytes, s.size);
  free(bytes);
  free(s.bytes);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

TEST(only_files_are_replaced) {
  scratch_folder folder;
  elastica_world *world = build(&folder);
  char path[600];
  snprintf(path, sizeof path, "%s", scratch_path(&folder, "pipe"));
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_refused(world, elastica_world_snapshot_save_file(world, path), ELASTICA_IO_ERROR, "snapshot_save_file", "pipe", "no regular file");
  assert_true(S_ISFIFO(status_of(path).st_mode));
  assert_int_equal(symlink(path, scratch_path(&folder, "link")), 0);
  assert_refused(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "link")), ELASTICA_IO_ERROR, "link",
                 "no regular file");
  assert_int_equal(symlink("nothing", scratch_path(&folder, "dangling")), 0);
  assert_refused(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "dangling")), ELASTICA_IO_ERROR, "dangling",
                 "leads to no file");
  assert_refused(world, elastica_world_snapshot_save_file(world, folder.path), ELASTICA_IO_ERROR, "a directory");
  assert_int_equal(scratch_file_count(&folder), 3);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

/* No process writes to the pipe: the call does not wait. */
TEST(only_files_are_read) {
  scratch_folder folder;
  elastica_world *world = build(&folder);
  char path[600];
  snprintf(path, sizeof path, "%s", scratch_path(&folder, "pipe"));
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_refused(world, elastica_world_snapshot_load_file(world, path), ELASTICA_IO_ERROR, "snapshot_load_file", "pipe", "no regular file");
  assert_int_equal(symlink(path, scratch_path(&folder, "link")), 0);
  assert_refused(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, "link")), ELASTICA_IO_ERROR, "link",
                 "no regular file");
  assert_refused(world, elastica_world_snapshot_load_file(world, "/dev/null"), ELASTICA_IO_ERROR, "/dev/null", "no regular file");
  assert_refused(world, elastica_world_snapshot_load_file(world, folder.path), ELASTICA_IO_ERROR, "a directory");
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

TEST(the_file_that_failed_is_named) {
  scratch_folder folder;
  elastica_world *world = build(&folder);
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  scratch_limit(100);
  assert_refused(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")), ELASTICA_IO_ERROR,
                 "/state' cannot be written");
  assert_int_equal(scratch_file_count(&folder), 1);
  scratch_limit(RLIM_INFINITY);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

/* Names of the greatest length of the file system, so that a draft cannot have a longer one. In names of UTF-8 a draft keeps whole
 * characters. */
TEST(names_may_be_as_long_as_a_file_system_allows) {
  scratch_folder folder;
  elastica_world *world = build(&folder);
  char name[256];
  for (int length = 230; length <= 255; length++)
    for (int way = 0; way < 3; way++) {
      for (int k = 0; k < length; k++)
        name[k] = (char)(way < 2 ? 'x' : (k - length) % 2 == 0 ? 0xc3 : 0xa4); /* the letter a with two dots */
      if (way == 2 && length % 2 == 1) name[0] = 'x';
      name[length] = '\0';
      if (way == 1) memcpy(name + length - 4, ".tmp", 4);
      must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, name)));
      assert_int_equal(scratch_file_count(&folder), 1);
      must(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, name)));
      assert_int_equal(remove(scratch_path(&folder, name)), 0);
    }
  elastica_world_destroy(world);
  scratch_remove(&folder);
}
