/* Snapshots in files: bytes read equal bytes written, errors have a sentence with the path, and the old file survives a failed save. */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"
#include "scratch_folder.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const double dt = 0x1p-14;

static elastica_world *build(void) {
  elastica_world *world = make_world(NULL);
  fill_wanderers(world);
  return world;
}

TEST(a_file_has_the_bytes_of_the_snapshot) {
  scratch_folder folder;
  elastica_world *world = build();
  scratch_make(&folder);
  must(world, elastica_world_step(world, dt, 9));
  snapshot s = take_snapshot(world);
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  char *bytes = scratch_read(&folder, "state");
  assert_memory_equal(bytes, s.bytes, s.size);
  free(bytes);
  assert_int_equal(scratch_file_count(&folder), 1);

  elastica_world *fresh = build();
  must(fresh, elastica_world_snapshot_load_file(fresh, scratch_path(&folder, "state")));
  assert_true(hash_course(fresh) == hash_course(world));
  elastica_world_destroy(fresh), elastica_world_destroy(world);
  scratch_remove(&folder);
  free(s.bytes);
}

static void claim_unreadable(elastica_world *world, const char *path, elastica_status status, const char *says, const char *and_says) {
  const uint64_t before = hash_course(world);
  assert_status(world, elastica_world_snapshot_load_file(world, path), status);
  assert_says(elastica_world_message(world), "snapshot_load_file", says, and_says);
  assert_true(hash_course(world) == before);
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fwrite(bytes, 1, size, file) == size);
  fclose(file);
}

TEST(files_that_are_no_snapshot) {
  scratch_folder folder;
  elastica_world *world = build();
  snapshot s = take_snapshot(world);
  scratch_make(&folder);
  must(world, elastica_world_step(world, dt, 9));
  assert_status(world, elastica_world_snapshot_load_file(world, NULL), ELASTICA_INVALID_ARGUMENT);
  claim_unreadable(world, scratch_path(&folder, "missing"), ELASTICA_IO_ERROR, "missing", "cannot be read");
  claim_unreadable(world, folder.path, ELASTICA_IO_ERROR, folder.path, "cannot be read");
  write_bytes(scratch_path(&folder, "empty"), s.bytes, 0);
  claim_unreadable(world, scratch_path(&folder, "empty"), ELASTICA_INVALID_ARGUMENT, "0 bytes", "no snapshot");
  write_bytes(scratch_path(&folder, "cut"), s.bytes, s.size - 8);
  claim_unreadable(world, scratch_path(&folder, "cut"), ELASTICA_INVALID_ARGUMENT, "bytes", "only");
  write_bytes(scratch_path(&folder, "text"), "time,x,y,z of a table that is no snapshot at all\n", 48);
  claim_unreadable(world, scratch_path(&folder, "text"), ELASTICA_INVALID_ARGUMENT, "no snapshot", "elastica");
  s.bytes[s.size / 2] ^= 1;
  write_bytes(scratch_path(&folder, "flipped"), s.bytes, s.size);
  claim_unreadable(world, scratch_path(&folder, "flipped"), ELASTICA_INVALID_ARGUMENT, "damaged", "checksum");
  elastica_world_destroy(world);
  scratch_remove(&folder);
  free(s.bytes);
}

/* The draft does not fit, or cannot be renamed: the old file remains, and no draft is left. */
TEST(a_failed_save_leaves_the_old_file) {
  scratch_folder folder;
  elastica_world *world = build();
  scratch_make(&folder);
  assert_status(world, elastica_world_snapshot_save_file(world, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_snapshot_save_file(world, "/nowhere/at/all"), ELASTICA_IO_ERROR);
  assert_says(elastica_world_message(world), "snapshot_save_file", "/nowhere/at/all", "cannot be written");
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  const uint64_t saved = hash_course(world);
  must(world, elastica_world_step(world, dt, 9));
  scratch_limit(100);
  assert_status(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")), ELASTICA_IO_ERROR);
  scratch_limit(RLIM_INFINITY);
  assert_says(elastica_world_message(world), "snapshot_save_file", "state", "cannot be written");
  assert_int_equal(scratch_file_count(&folder), 1);
  assert_int_equal(mkdir(scratch_path(&folder, "folder"), 0700), 0); /* a folder of this name */
  assert_status(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "folder")), ELASTICA_IO_ERROR);
  assert_int_equal(rmdir(scratch_path(&folder, "folder")), 0);
  assert_int_equal(scratch_file_count(&folder), 1);
  must(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, "state")));
  assert_true(hash_course(world) == saved);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

TEST(files_without_memory_are_refused) {
  scratch_folder folder;
  memory_ration memory = plenty();
  elastica_world *world = make_rationed_world(&memory);
  fill_wanderers(world);
  scratch_make(&folder);
  must(world, elastica_world_step(world, dt, 3));
  memory.left = 0;
  assert_status(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")), ELASTICA_OUT_OF_MEMORY);
  memory.left = LONG_MAX;
  assert_int_equal(scratch_file_count(&folder), 0);
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  memory.left = 0;
  assert_status(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, "state")), ELASTICA_OUT_OF_MEMORY);
  memory.left = LONG_MAX;
  elastica_world_destroy(world);
  assert_int_equal(memory.blocks, 0);
  scratch_remove(&folder);
}

/* ---- Several worlds saved to one path ---- */

enum { SAVERS = 3, SAVES = 60 };

static void save_again_and_again(const char *path) {
  elastica_world *world = build();
  for (int k = 0; k < SAVES; k++) {
    must(world, elastica_world_step(world, dt, 1));
    must(world, elastica_world_snapshot_save_file(world, path));
  }
  elastica_world_destroy(world);
}

static void *save_on_a_thread(void *path) {
  save_again_and_again(path);
  return NULL;
}

/* At every reading the file is the whole snapshot of one of them; and no draft is left. */
static void claim_that_it_is_whole(scratch_folder *folder, int times) {
  elastica_world *world = build();
  for (int k = 0; k < times; k++) must(world, elastica_world_snapshot_load_file(world, scratch_path(folder, "state")));
  elastica_world_destroy(world);
}

TEST(processes_may_save_to_one_path) {
  scratch_folder folder;
  pid_t savers[SAVERS];
  scratch_make(&folder);
  elastica_world *world = build();
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  for (int k = 0; k < SAVERS; k++) {
    savers[k] = fork();
    assert_true(savers[k] >= 0);
    if (savers[k] != 0) continue;
    save_again_and_again(scratch_path(&folder, "state"));
    _exit(0);
  }
  claim_that_it_is_whole(&folder, SAVES);
  for (int k = 0; k < SAVERS; k++) {
    int how;
    assert_int_equal(waitpid(savers[k], &how, 0), savers[k]);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  }
  claim_that_it_is_whole(&folder, 1);
  assert_int_equal(scratch_file_count(&folder), 1);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

TEST(threads_may_save_to_one_path) {
  scratch_folder folder;
  pthread_t savers[SAVERS];
  scratch_make(&folder);
  scratch_path(&folder, "state");
  for (int k = 0; k < SAVERS; k++) assert_int_equal(pthread_create(&savers[k], NULL, save_on_a_thread, folder.file), 0);
  for (int k = 0; k < SAVERS; k++) assert_int_equal(pthread_join(savers[k], NULL), 0);
  claim_that_it_is_whole(&folder, 1);
  assert_int_equal(scratch_file_count(&folder), 1);
  scratch_remove(&folder);
}

/* A draft left by a crash does not matter. */
TEST(drafts_of_others_stay_as_they_are) {
  scratch_folder folder;
  char name[64];
  scratch_make(&folder);
  elastica_world *world = build();
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "state.%ld-%d.tmp", (long)getpid(), k);
    write_bytes(scratch_path(&folder, name), "a draft", 7);
  }
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  assert_int_equal(scratch_file_count(&folder), 4);
  claim_that_it_is_whole(&folder, 1);
  assert_file(&folder, name, "a draft");
  elastica_world_destroy(world);
  scratch_remove(&folder);
}
