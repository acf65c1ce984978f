/* Snapshots in files. A file is written as a draft beside its place, flushed to the disk and renamed, so that readers find either the old
 * or the new file complete, also after a crash. Only a regular file is replaced (symbolic links are followed), and its mode is kept;
 * renaming would replace a device or a pipe by a file.
 *
 * test       tests/test_snapshot_file.c, tests/test_snapshot_path.c
 */
#include "base/target.h"

#include "base/memory.h"
#include "base/sentence.h"
#include "base/system.h"
#include "output/text.h"
#include "snapshot/snapshot.h"
#include "state/module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static elastica_status refuse_read(elastica_world *world, const char *path, int error) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(world, ELASTICA_IO_ERROR, "snapshot_load_file: '%s' cannot be read: %s",
                               eli_shorten(path, label, sizeof label), error != 0 ? strerror(error) : "it ended too early");
}

/* ---- Saving ---- */

static elastica_status check_path(elastica_world *world, const char *function, const char *path) {
  if (path != NULL && path[0] != '\0') return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: path is %s", function, path == NULL ? "NULL" : "empty");
}

/* Flushing to the disk keeps the rename from reaching it before the bytes. */
static int write_through(eli_text_file *file, const void *bytes, size_t size) {
  eli_text_put(file, bytes, size);
  eli_text_flush(file);
  errno = 0;
  if (file->error == 0 && !eli_file_sync(file->file)) file->error = errno != 0 ? errno : EIO;
  return eli_text_close(file);
}

static elastica_status replace_file(elastica_world *world, const char *path, char *draft, const void *bytes, size_t size) {
  eli_text_file file;
  int error = eli_text_draft(&file, draft, path);
  if (error != 0) return eli_refuse_file(world, "snapshot_save_file", path, error);
  error = write_through(&file, bytes, size);
  if (error == 0) return eli_publish(world, "snapshot_save_file", draft, path, NULL);
  remove(draft);
  return eli_refuse_file(world, "snapshot_save_file", path, error);
}

/* Allocates one block for the bytes and the name of the draft. */
static elastica_status save_at(elastica_world *world, const char *path, size_t size) {
  char *bytes = eli_allocate(&world->allocator, 1, size + strlen(path) + ELI_DRAFT_ROOM);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "snapshot_save_file: no memory for a snapshot of %zu bytes", size);
  elastica_status status = eli_world_write(world, "snapshot_save_file", bytes, size);
  if (status == ELASTICA_OK) status = replace_file(world, path, bytes + size, bytes, size);
  eli_release(&world->allocator, bytes);
  return status;
}

elastica_status elastica_world_snapshot_save_file(elastica_world *world, const char *path) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_check_savable(world, "snapshot_save_file");
  size_t size;
  char *resolved = NULL;
  if (status == ELASTICA_OK) status = check_path(world, "snapshot_save_file", path);
  if (status == ELASTICA_OK) status = eli_world_measure(world, "snapshot_save_file", &size);
  if (status == ELASTICA_OK) status = eli_find_place(world, "snapshot_save_file", path, &resolved);
  const char *const place = resolved != NULL ? resolved : path;
  if (status == ELASTICA_OK) status = eli_check_unused(world, "snapshot_save_file", place);
  if (status == ELASTICA_OK) status = save_at(world, place, size);
  free(resolved);
  return status;
}

/* ---- Loading ---- */

static elastica_status load_whole(elastica_world *world, const char *path, FILE *file, size_t size) {
  errno = 0;
  if (fseek(file, 0, SEEK_SET) != 0) return refuse_read(world, path, errno != 0 ? errno : EIO);
  unsigned char *bytes = eli_allocate(&world->allocator, 1, size);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "snapshot_load_file: no memory for a snapshot of %zu bytes", size);
  errno = 0;
  const int whole = fread(bytes, 1, size, file) == size;
  const elastica_status status = whole ? eli_world_load(world, "snapshot_load_file", bytes, size) : refuse_read(world, path, errno);
  eli_release(&world->allocator, bytes);
  return status;
}

/* Loads an open file. Its head is checked first, so that a large file that is no snapshot is not read. */
static elastica_status load_open_file(elastica_world *world, const char *path, FILE *file, size_t size) {
  unsigned char head[ELI_SNAPSHOT_HEAD];
  errno = 0;
  const size_t count = fread(head, 1, sizeof head, file);
  if (count < sizeof head && ferror(file)) return refuse_read(world, path, errno != 0 ? errno : EIO);
  const elastica_status status = eli_check_head(world, "snapshot_load_file", head, count);
  return status == ELASTICA_OK ? load_whole(world, path, file, size) : status;
}

/* Opens a regular file. Other kinds are refused: opening a pipe would wait for a writer, and its size is unknown. */
static elastica_status open_regular(elastica_world *world, const char *path, FILE **out, size_t *size) {
  char label[ELI_PATH_LABEL_SIZE];
  eli_file_kind kind;
  int64_t bytes = 0;
  errno = 0;
  *out = eli_file_read(path, &bytes, &kind);
  if (*out == NULL && kind == ELI_FILE_REGULAR) return refuse_read(world, path, errno != 0 ? errno : EIO);
  *size = (size_t)bytes;
  if (*out != NULL) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_IO_ERROR, "snapshot_load_file: '%s' cannot be read: it is %s",
                               eli_shorten(path, label, sizeof label), kind == ELI_FILE_DIRECTORY ? "a directory" : "no regular file");
}

elastica_status elastica_world_snapshot_load_file(elastica_world *world, const char *path) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_change(world, "snapshot_load_file");
  if (status != ELASTICA_OK) return status;
  status = check_path(world, "snapshot_load_file", path);
  if (status != ELASTICA_OK) return status;
  FILE *file = NULL;
  size_t size;
  status = open_regular(world, path, &file, &size);
  if (status != ELASTICA_OK) return status;
  status = load_open_file(world, path, file, size);
  fclose(file);
  return status;
}
