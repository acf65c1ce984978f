/* Snapshots in files: what is read is what was written, errors have a sentence with the path, and the old file outlives a failed save. */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"
#include "scratch_folder.h"

#include <sys/stat.h>

static const double dt = 0x1p-14;

static elastica_world *build(void) {
  elastica_world *world = make_world(NULL);
  fill_wanderers(world);
  return world;
}

static void a_file_has_the_bytes_of_the_snapshot(void **state) {
  scratch_folder folder;
  elastica_world *world = build();
  (void)state;
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

static void files_that_are_no_snapshot(void **state) {
  scratch_folder folder;
  elastica_world *world = build();
  snapshot s = take_snapshot(world);
  (void)state;
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

/* The draft cannot be opened, or not be renamed: the old file stays, and no draft is left. */
static void a_failed_save_leaves_the_old_file(void **state) {
  scratch_folder folder;
  elastica_world *world = build();
  char draft[512];
  (void)state;
  scratch_make(&folder);
  assert_status(world, elastica_world_snapshot_save_file(world, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(world, elastica_world_snapshot_save_file(world, "/nowhere/at/all"), ELASTICA_IO_ERROR);
  assert_says(elastica_world_message(world), "snapshot_save_file", "/nowhere/at/all", "cannot be written");
  must(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")));
  const uint64_t saved = hash_course(world);
  must(world, elastica_world_step(world, dt, 9));
  snprintf(draft, sizeof draft, "%s", scratch_path(&folder, "state.tmp"));
  assert_int_equal(mkdir(draft, 0700), 0); /* in the way of the draft */
  assert_status(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "state")), ELASTICA_IO_ERROR);
  assert_int_equal(rmdir(draft), 0);
  assert_int_equal(mkdir(scratch_path(&folder, "folder"), 0700), 0); /* in the way of the name */
  assert_status(world, elastica_world_snapshot_save_file(world, scratch_path(&folder, "folder")), ELASTICA_IO_ERROR);
  assert_int_equal(rmdir(scratch_path(&folder, "folder")), 0);
  assert_int_equal(scratch_file_count(&folder), 1);
  must(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, "state")));
  assert_true(hash_course(world) == saved);
  elastica_world_destroy(world);
  scratch_remove(&folder);
}

static void files_without_memory_are_refused(void **state) {
  scratch_folder folder;
  memory_ration memory = plenty();
  elastica_world *world = make_rationed_world(&memory);
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_has_the_bytes_of_the_snapshot),
      cmocka_unit_test(files_that_are_no_snapshot),
      cmocka_unit_test(a_failed_save_leaves_the_old_file),
      cmocka_unit_test(files_without_memory_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
