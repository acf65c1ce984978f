/* Snapshots in files. A file is written under another name beside its place, flushed to the disk and renamed: whoever reads it, also after
 * a crash, finds the old or the new one, whole.
 *
 * test       tests/test_snapshot_file.c
 */
#include "base/target.h"

#include "base/memory.h"
#include "base/module.h"
#include "base/sentence.h"
#include "output/text_file.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static elastica_status refuse_read(elastica_world *world, const char *path, int error) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(world, ELASTICA_IO_ERROR, "snapshot_load_file: '%s' cannot be read: %s",
                               eli_shorten(path, label, sizeof label), error != 0 ? strerror(error) : "it ended too early");
}

/* ---- Saving ---- */

/* To the disk itself, so that the new name never appears there before its bytes. */
static int write_through(eli_text_file *file, const void *bytes, size_t size) {
  eli_text_put(file, bytes, size);
  eli_text_flush(file);
  errno = 0;
  if (file->error == 0 && fsync(fileno(file->file)) != 0 && errno != EINVAL && errno != ENOTSUP) file->error = errno != 0 ? errno : EIO;
  return eli_text_close(file);
}

static elastica_status replace_file(elastica_world *world, const char *draft, const char *path, const void *bytes, size_t size) {
  eli_text_file file;
  int error = eli_text_open(&file, draft);
  if (error != 0) return eli_refuse_file(world, "snapshot_save_file", path, error);
  error = write_through(&file, bytes, size);
  errno = 0;
  if (error == 0 && rename(draft, path) != 0) error = errno != 0 ? errno : EIO;
  if (error == 0) return ELASTICA_OK;
  remove(draft);
  return eli_refuse_file(world, "snapshot_save_file", path, error);
}

/* One block for the bytes and the name of the draft. */
elastica_status elastica_world_snapshot_save_file(elastica_world *world, const char *path) {
  static const char ending[] = ".tmp";
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_check_savable(world, "snapshot_save_file");
  size_t size;
  if (status == ELASTICA_OK && path == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_save_file: path is NULL");
  if (status == ELASTICA_OK) status = eli_world_measure(world, "snapshot_save_file", &size);
  if (status != ELASTICA_OK) return status;
  const size_t length = strlen(path);
  char *bytes = eli_allocate(&world->allocator, 1, size + length + sizeof ending);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "snapshot_save_file: no memory for a snapshot of %zu bytes", size);
  char *draft = bytes + size;
  memcpy(draft, path, length);
  memcpy(draft + length, ending, sizeof ending);
  status = eli_world_write(world, "snapshot_save_file", bytes, size);
  if (status == ELASTICA_OK) status = replace_file(world, draft, path, bytes, size);
  eli_release(&world->allocator, bytes);
  return status;
}

/* ---- Loading ---- */

/* The number of bytes from the beginning to the end, or -1. */
static long measure_file(FILE *file) {
  if (fseek(file, 0, SEEK_END) != 0) return -1;
  const long size = ftell(file);
  return fseek(file, 0, SEEK_SET) == 0 ? size : -1;
}

static elastica_status load_whole(elastica_world *world, const char *path, FILE *file) {
  errno = 0;
  const long size = measure_file(file);
  if (size < 0) return refuse_read(world, path, errno != 0 ? errno : EIO);
  unsigned char *bytes = eli_allocate(&world->allocator, 1, (size_t)size);
  if (bytes == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "snapshot_load_file: no memory for a snapshot of %ld bytes", size);
  errno = 0;
  const int whole = fread(bytes, 1, (size_t)size, file) == (size_t)size;
  const elastica_status status = whole ? eli_world_load(world, "snapshot_load_file", bytes, (size_t)size) : refuse_read(world, path, errno);
  eli_release(&world->allocator, bytes);
  return status;
}

/* What is no snapshot is refused by its head, however large it is. */
static elastica_status load_open_file(elastica_world *world, const char *path, FILE *file) {
  unsigned char head[ELI_SNAPSHOT_HEAD];
  errno = 0;
  const size_t count = fread(head, 1, sizeof head, file);
  if (count < sizeof head && ferror(file)) return refuse_read(world, path, errno != 0 ? errno : EIO);
  const elastica_status status = eli_check_head(world, "snapshot_load_file", head, count);
  return status == ELASTICA_OK ? load_whole(world, path, file) : status;
}

elastica_status elastica_world_snapshot_load_file(elastica_world *world, const char *path) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_change(world, "snapshot_load_file");
  if (status != ELASTICA_OK) return status;
  if (path == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "snapshot_load_file: path is NULL");
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return refuse_read(world, path, errno != 0 ? errno : EIO);
  status = load_open_file(world, path, file);
  fclose(file);
  return status;
}
