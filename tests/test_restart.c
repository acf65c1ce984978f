/* A run interrupted by a snapshot has the bits of an uninterrupted run, in the saving process and in a new process: every scene of
 * scenes.h and every effect of the table, changed by its set function during the run, by steps, by advancing and by following a clock.
 *
 * The new process runs the same claim with RESTART_FOLDER set: it builds each world, loads its snapshot from that folder, continues, and
 * writes the hashes of the loaded state and of the last state.
 */
#include "base/target.h"

#include "restarts.h"
#include "scratch_folder.h"

#include <inttypes.h>
#include <sys/wait.h>

static const char *file_name(int index, taking how) {
  static char name[60];
  snprintf(name, sizeof name, "%d_%d.snapshot", index, (int)how);
  return name;
}

/* ---- The new process ---- */

static void go_on_elsewhere(const char *path) {
  scratch_folder folder;
  restart r;
  snprintf(folder.path, sizeof folder.path, "%s", path);
  FILE *hashes = fopen(scratch_path(&folder, "hashes"), "w");
  assert_non_null(hashes);
  for (int k = 0; next_restart(k, &r); k++)
    for (taking how = BY_STEPS; how < TAKINGS; how++) {
      elastica_world *world = build_restart(&r, NULL);
      must(world, elastica_world_snapshot_load_file(world, scratch_path(&folder, file_name(k, how))));
      const uint64_t loaded = hash_course(world);
      take_half(&r, world, how, 1);
      fprintf(hashes, "%" PRIx64 " %" PRIx64 "\n", loaded, hash_course(world));
      elastica_world_destroy(world);
    }
  assert_int_equal(fclose(hashes), 0);
}

static void run_elsewhere(const scratch_folder *folder) {
  int status;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("RESTART_FOLDER", folder->path, 1);
    execl(test_program, test_program, "test_restart", "bits_are_those_of_an_uncut_run", (char *)NULL);
    _exit(127);
  }
  assert_true(waitpid(child, &status, 0) == child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- This process ---- */

typedef struct expected {
  uint64_t half, whole;
} expected;

static uint64_t hash_without_snapshot(const restart *r, taking how) {
  elastica_world *world = build_restart(r, NULL);
  take_half(r, world, how, 0);
  change_restart(r, world);
  take_half(r, world, how, 1);
  const uint64_t hash = hash_course(world);
  elastica_world_destroy(world);
  return hash;
}

/* Saves in the middle; then continues twice in the saving world. */
static expected run_here(scratch_folder *folder, const restart *r, int k, taking how) {
  elastica_world *world = build_restart(r, NULL);
  expected hash;
  take_half(r, world, how, 0);
  change_restart(r, world);
  must(world, elastica_world_snapshot_save_file(world, scratch_path(folder, file_name(k, how))));
  hash.half = hash_course(world);
  take_half(r, world, how, 1);
  hash.whole = hash_course(world);
  if (hash.whole != hash_without_snapshot(r, how)) fail_msg("%s (%d): saving changes bits", restart_name(r), (int)how);
  must(world, elastica_world_snapshot_load_file(world, scratch_path(folder, file_name(k, how))));
  if (hash_course(world) != hash.half) fail_msg("%s (%d): loading does not restore", restart_name(r), (int)how);
  take_half(r, world, how, 1);
  if (hash_course(world) != hash.whole) fail_msg("%s (%d): other bits after loading", restart_name(r), (int)how);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_are_those_of_an_uncut_run) {
  enum { MOST = 400 };
  static expected hashes[MOST];
  scratch_folder folder;
  restart r;
  int count = 0;
  const char *elsewhere = getenv("RESTART_FOLDER");
  if (elsewhere != NULL) {
    go_on_elsewhere(elsewhere);
    return;
  }
  scratch_make(&folder);
  for (int k = 0; next_restart(k, &r); k++)
    for (taking how = BY_STEPS; how < TAKINGS; how++) {
      assert_true(count < MOST);
      hashes[count++] = run_here(&folder, &r, k, how);
    }
  run_elsewhere(&folder);
  FILE *file = fopen(scratch_path(&folder, "hashes"), "r");
  assert_non_null(file);
  count = 0;
  for (int k = 0; next_restart(k, &r); k++)
    for (taking how = BY_STEPS; how < TAKINGS; how++, count++) {
      expected found;
      assert_int_equal(fscanf(file, "%" SCNx64 " %" SCNx64, &found.half, &found.whole), 2);
      if (found.half != hashes[count].half) fail_msg("%s (%d): loaded otherwise in a new process", restart_name(&r), (int)how);
      if (found.whole != hashes[count].whole) fail_msg("%s (%d): other bits in a new process", restart_name(&r), (int)how);
    }
  fclose(file);
  scratch_remove(&folder);
}

/* Threads, tiles and instruction set are not part of a snapshot. */
TEST(snapshots_fit_worlds_of_other_tiles_and_threads) {
  restart r;
  for (int k = 0; next_restart(k, &r); k++) {
    elastica_world_def other = default_world();
    other.tile_size = 7, other.worker_count = 2;
    elastica_world *world = build_restart(&r, NULL), *elsewhere = build_restart(&r, &other);
    take_half(&r, world, BY_STEPS, 0);
    snapshot s = take_snapshot(world);
    must(elsewhere, load_snapshot(elsewhere, &s));
    take_half(&r, world, BY_STEPS, 1);
    take_half(&r, elsewhere, BY_STEPS, 1);
    if (hash_course(world) != hash_course(elsewhere)) fail_msg("%s: other bits in other tiles", restart_name(&r));
    elastica_world_destroy(world);
    elastica_world_destroy(elsewhere);
    free(s.bytes);
  }
}
