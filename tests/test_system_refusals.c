/* Calls of the operating system that fail, by wrappers of the linker (see CMakeLists.txt): files are closed, drafts are removed, the first
 * error is told, and the file of before stays; a world without its threads is refused.
 */
#include "base/target.h"

#include "base/system.h"
#include "rationed_memory.h"
#include "restarts.h"
#include "scratch_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

/* ---- Calls that fail on request ---- */

typedef enum call { NONE, FDOPEN, FCNTL, FSTAT, STAT, FCHMOD, FSYNC, SYSCONF, SIGMASK, THREAD, OPENED, FSEEK, FREAD } call;

static struct {
  call call; /* the one that fails */
  int error;
  int granted; /* calls that succeed before */
} refusal;

static int is_refused(call which) {
  if (refusal.call != which || refusal.granted-- > 0) return 0;
  errno = refusal.error;
  return 1;
}

static void refuse(call which, int error, int granted) {
  refusal.call = which, refusal.error = error, refusal.granted = granted;
}

FILE *__real_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode) {
  return is_refused(FDOPEN) ? NULL : __real_fdopen(file, mode);
}

int __real_fcntl(int file, int command, int value);
int __wrap_fcntl(int file, int command, int value);
int __wrap_fcntl(int file, int command, int value) {
  return is_refused(FCNTL) ? -1 : __real_fcntl(file, command, value);
}

int __real_fstat(int file, struct stat *found);
int __wrap_fstat(int file, struct stat *found);
int __wrap_fstat(int file, struct stat *found) {
  return is_refused(FSTAT) ? -1 : __real_fstat(file, found);
}

int __real_stat(const char *path, struct stat *found);
int __wrap_stat(const char *path, struct stat *found);
int __wrap_stat(const char *path, struct stat *found) {
  return is_refused(STAT) ? -1 : __real_stat(path, found);
}

int __real_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode) {
  return is_refused(FCHMOD) ? -1 : __real_fchmod(file, mode);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
  return is_refused(FSYNC) ? -1 : __real_fsync(file);
}

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name) {
  return is_refused(SYSCONF) ? -1 : __real_sysconf(name);
}

int __real_pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  return is_refused(SIGMASK) ? refusal.error : __real_pthread_sigmask(how, set, before);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *options, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *options, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *options, void *(*run)(void *), void *argument) {
  return is_refused(THREAD) ? refusal.error : __real_pthread_create(thread, options, run, argument);
}

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode) {
  return is_refused(OPENED) ? -1 : __real_open(path, flags, mode);
}

int __real_fseek(FILE *file, long offset, int from);
int __wrap_fseek(FILE *file, long offset, int from);
int __wrap_fseek(FILE *file, long offset, int from) {
  return is_refused(FSEEK) ? -1 : __real_fseek(file, offset, from);
}

/* Closing and removing may change the error number, which is that of the first error. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file) {
  const int status = __real_close(file);
  if (refusal.call != NONE) errno = EINTR;
  return status;
}

int __real_remove(const char *path);
int __wrap_remove(const char *path);
int __wrap_remove(const char *path) {
  const int status = __real_remove(path);
  if (refusal.call != NONE) errno = EINTR;
  return status;
}

static int has_failed; /* a read */

size_t __real_fread(void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file) {
  has_failed = is_refused(FREAD);
  return has_failed ? 0 : __real_fread(bytes, size, count, file);
}

int __real_ferror(FILE *file);
int __wrap_ferror(FILE *file);
int __wrap_ferror(FILE *file) {
  return has_failed || __real_ferror(file);
}

/* The number that the next opened file gets: larger if a file was left open. */
static int next_file(void) {
  const int file = open("/dev/null", O_RDONLY);
  assert_true(file >= 0);
  close(file);
  return file;
}

/* ---- Files ---- */

TEST(a_file_without_a_stream_is_closed_and_its_error_is_told) {
  static const struct {
    call call;
    int granted;
  } refused[] = {{FDOPEN, 0}, {FCNTL, 0}, {FCNTL, 1}, {FSTAT, 0}};
  scratch_folder folder;
  scratch_make(&folder);
  fclose(eli_file_create(scratch_path(&folder, "old")));
  const int next = next_file();
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    int64_t size;
    eli_file_kind kind;
    if (refused[k].call != FSTAT) {
      refuse(refused[k].call, EMFILE, refused[k].granted);
      errno = 0;
      assert_null(eli_file_create(scratch_path(&folder, "old")));
      assert_int_equal(errno, EMFILE);
    }
    if (refused[k].call == FDOPEN) {
      refuse(FDOPEN, EMFILE, 0);
      assert_null(eli_file_create_new(scratch_path(&folder, "new")));
      assert_int_equal(errno, EMFILE);
      assert_false(scratch_has(&folder, "new"));
    }
    if (refused[k].call != FCNTL) {
      refuse(refused[k].call, EMFILE, 0);
      errno = 0;
      assert_null(eli_file_read(scratch_path(&folder, "old"), &size, &kind));
      assert_int_equal(errno, EMFILE);
    }
    refuse(NONE, 0, 0);
    assert_int_equal(next_file(), next);
  }
  scratch_remove(&folder);
}

TEST(a_mode_that_is_not_copied_is_told) {
  scratch_folder folder;
  scratch_make(&folder);
  FILE *file = eli_file_create(scratch_path(&folder, "file"));
  assert_non_null(file);
  for (call which = STAT; which <= FCHMOD; which++) {
    refuse(which, EACCES, 0);
    assert_false(eli_file_copy_mode(file, folder.file));
    refuse(NONE, 0, 0);
    assert_true(eli_file_copy_mode(file, folder.file));
  }
  fclose(file);
  scratch_remove(&folder);
}

/* A pipe or a device without sync is no error. */
TEST(only_an_error_of_the_device_is_an_error_of_sync) {
  static const int errors[4] = {EIO, ENOSPC, EINVAL, ENOTSUP};
  scratch_folder folder;
  scratch_make(&folder);
  FILE *file = eli_file_create(scratch_path(&folder, "file"));
  assert_non_null(file);
  for (int k = 0; k < 4; k++) {
    refuse(FSYNC, errors[k], 0);
    assert_int_equal(eli_file_sync(file), k >= 2);
  }
  refuse(NONE, 0, 0);
  fclose(file);
  scratch_remove(&folder);
}

TEST(a_file_that_cannot_be_examined_is_not_claimed) {
  scratch_folder folder;
  int claim;
  scratch_make(&folder);
  fclose(eli_file_create(scratch_path(&folder, "file")));
  const int next = next_file();
  refuse(FSTAT, EACCES, 0);
  assert_true(eli_file_claim(folder.file, ELI_CLAIM_EXCLUSIVE, &claim));
  refuse(NONE, 0, 0);
  assert_int_equal(claim, ELI_NO_CLAIM);
  assert_int_equal(next_file(), next);
  scratch_remove(&folder);
}

/* ---- Writers ---- */

static elastica_status save(elastica_world *world, const char *path) {
  return elastica_world_snapshot_save_file(world, path);
}

/* Opens a page, adds a frame, and closes it. */
static elastica_status show(elastica_world *world, const char *path) {
  elastica_view *view = NULL;
  elastica_status status = elastica_view_open(world, path, NULL, &view);
  if (status == ELASTICA_OK) status = elastica_view_frame(view);
  const elastica_status closed = elastica_view_close(view);
  return status == ELASTICA_OK ? closed : status;
}

TEST(a_writer_keeps_the_file_of_before) {
  static const struct {
    elastica_status (*write)(elastica_world *world, const char *path);
    call refused[4];
  } writers[] = {{save, {FDOPEN, STAT, FCHMOD, FSYNC}}, {show, {FDOPEN, STAT, FCHMOD, NONE}}};
  for (size_t w = 0; w < sizeof writers / sizeof *writers; w++)
    for (int k = 0; k < 4 && writers[w].refused[k] != NONE; k++) {
      scratch_folder folder;
      elastica_world *world = make_world(NULL);
      char path[512];
      fill_hairpin(world);
      scratch_make(&folder);
      snprintf(path, sizeof path, "%s", scratch_path(&folder, "file"));
      must(world, writers[w].write(world, path));
      char *before = scratch_read(&folder, "file");
      must(world, elastica_world_step(world, 1e-5, 1));
      refuse(writers[w].refused[k], EIO, 0);
      const elastica_status status = writers[w].write(world, path);
      refuse(NONE, 0, 0);
      assert_int_equal(status, ELASTICA_IO_ERROR);
      char *after = scratch_read(&folder, "file");
      assert_string_equal(after, before);
      assert_int_equal(scratch_file_count(&folder), 1);
      must(world, writers[w].write(world, path));
      free(before), free(after);
      scratch_remove(&folder);
      elastica_world_destroy(world);
    }
}

/* A file that cannot be read leaves the world, also where the system gives no error number. */
TEST(a_snapshot_that_cannot_be_read_changes_nothing) {
  static const struct {
    call call;
    int granted;
  } refused[] = {{OPENED, 0}, {FSTAT, 0}, {FDOPEN, 0}, {FSEEK, 0}, {FREAD, 0}, {FREAD, 1}};
  elastica_world *world = make_world(NULL);
  scratch_folder folder;
  char path[512];
  fill_hairpin(world);
  scratch_make(&folder);
  snprintf(path, sizeof path, "%s", scratch_path(&folder, "state"));
  must(world, elastica_world_snapshot_save_file(world, path));
  const uint64_t saved = hash_world(world);
  must(world, elastica_world_step(world, 1e-5, 2));
  const uint64_t before = hash_world(world);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    for (int error = 0; error <= EACCES; error += EACCES) {
      refuse(refused[k].call, error, refused[k].granted);
      errno = 0;
      const elastica_status status = elastica_world_snapshot_load_file(world, path);
      refuse(NONE, 0, 0);
      has_failed = 0;
      assert_int_equal(status, ELASTICA_IO_ERROR);
      assert_says(elastica_world_message(world), "state", error != 0 ? strerror(error) : "");
      assert_true(hash_world(world) == before);
    }
  must(world, elastica_world_snapshot_load_file(world, path));
  assert_true(hash_world(world) == saved);
  scratch_remove(&folder);
  elastica_world_destroy(world);
}

/* ---- Threads ---- */

TEST(a_world_without_its_threads_is_refused) {
  for (int granted = 0; granted < 3; granted++)
    for (call which = SIGMASK; which <= THREAD; which++) {
      memory_ration ration = plenty();
      elastica_world_def def = rationed_world_def(&ration);
      elastica_world *world = NULL;
      def.worker_count = 4;
      refuse(which, EAGAIN, which == SIGMASK ? 2 * granted : granted); /* each start changes the mask twice */
      assert_int_equal(elastica_world_create(&def, &world), ELASTICA_OUT_OF_MEMORY);
      refuse(NONE, 0, 0);
      assert_null(world);
      assert_int_equal(ration.blocks, 0);
      must(world, elastica_world_create(&def, &world));
      elastica_world_destroy(world);
    }
}

TEST(an_unknown_number_of_processors_is_zero) {
  refuse(SYSCONF, EINVAL, 0);
  assert_int_equal(eli_processor_count(), 0);
  refuse(NONE, 0, 0);
  assert_true(eli_processor_count() > 0);
}
