/* Comma-separated tables.
 *
 * A row is composed in memory and written with one call, so that an interrupted run leaves whole rows. If a row cannot be written, the file
 * may end in half a row; nothing more is written then, and every later call returns the same error.
 */
#include "base/target.h"

#include <elastica.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "output/text.h"
#include "state/world.h"

struct elastica_csv {
  elastica_world *world;
  eli_writer writer;
  eli_text_file text;
  char *resolved; /* behind symbolic links: the place of the writer; NULL if that is path */
  int columns;
  char *row; /* after path, in the same block of memory */
  char path[];
};

/* Commas within double quotes do not separate columns. */
static int count_columns(const char *columns) {
  int count = 1, quoted = 0;
  for (const char *c = columns; *c != '\0'; c++) {
    if (*c == '"') quoted = !quoted;
    if (*c == ',' && !quoted) count++;
  }
  return count;
}

/* Returns the number of the first column without a name, from 1 on; 0 if all have one. */
static int find_unnamed(const char *columns) {
  int number = 1, quoted = 0, named = 0;
  for (const char *c = columns; *c != '\0'; c++) {
    if (*c == '"') quoted = !quoted;
    if (*c == ',' && !quoted) {
      if (!named) return number;
      number++;
      named = 0;
    } else if (*c != ' ' && *c != '"') {
      named = 1;
    }
  }
  return named ? 0 : number;
}

static elastica_csv *allocate_csv(elastica_world *world, const char *path, const char *columns) {
  const size_t path_size = strlen(path) + 1;
  const size_t row_size = (size_t)count_columns(columns) * ELI_NUMBER_SIZE;
  elastica_csv *csv = eli_allocate(eli_world_allocator(world), 1, sizeof *csv + path_size + row_size);
  if (csv == NULL) return NULL;
  csv->world = world;
  csv->columns = count_columns(columns);
  csv->row = csv->path + path_size;
  memcpy(csv->path, path, path_size);
  return csv;
}

static void free_csv(elastica_csv *csv) {
  eli_writer_remove(csv->world, &csv->writer);
  free(csv->resolved);
  eli_release(eli_world_allocator(csv->world), csv);
}

/* Opens the file and writes its head. Devices and pipes may have several writers. An existing file is claimed before it is emptied, a new
 * one as soon as it exists. */
static elastica_status open_file(elastica_csv *csv, const char *columns) {
  elastica_status status = ELASTICA_OK;
  csv->resolved = eli_file_kind_of(csv->path) == ELI_FILE_LINK ? eli_file_resolve(csv->path) : NULL;
  const char *const place = csv->resolved != NULL ? csv->resolved : csv->path;
  const eli_file_kind kind = eli_file_kind_of(place);
  const int is_own = kind == ELI_FILE_NONE || kind == ELI_FILE_REGULAR;
  if (is_own) status = eli_writer_add(csv->world, "csv_open", &csv->writer, place);
  if (status != ELASTICA_OK) return status;
  if (eli_text_open(&csv->text, csv->path) == 0 && is_own) status = eli_writer_claim(csv->world, "csv_open", &csv->writer);
  if (status == ELASTICA_OK) eli_text_print(&csv->text, "%s\n", columns);
  const int error = eli_text_flush(&csv->text);
  if (status == ELASTICA_OK && error == 0) return ELASTICA_OK;
  eli_text_close(&csv->text);
  if (status != ELASTICA_OK) return status;
  char label[ELI_PATH_LABEL_SIZE];
  if (error == ENXIO && kind == ELI_FILE_PIPE)
    return elastica_world_refuse(csv->world, ELASTICA_IO_ERROR, "csv_open: '%s' cannot be written: it is a pipe that no program reads",
                                 eli_shorten(csv->path, label, sizeof label));
  return eli_refuse_file(csv->world, "csv_open", csv->path, error);
}

elastica_status elastica_csv_open(elastica_world *world, const char *path, const char *columns, elastica_csv **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL || path == NULL || columns == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "csv_open: %s is NULL",
                                 out == NULL    ? "out"
                                 : path == NULL ? "path"
                                                : "columns");
  if (columns[strcspn(columns, "\r\n")] != '\0')
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "csv_open: columns must be one line, without its end");

  if (path[0] == '\0') return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "csv_open: path is empty");
  if (columns[0] == '\0')
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "csv_open: columns is empty: a table has at least one named column");
  const int unnamed = find_unnamed(columns);
  if (unnamed > 0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "csv_open: column %d of %d has no name", unnamed,
                                 count_columns(columns));
  char label[ELI_PATH_LABEL_SIZE];
  elastica_csv *csv = allocate_csv(world, path, columns);
  if (csv == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "csv_open: no memory for '%s'", eli_shorten(path, label, sizeof label));
  const elastica_status status = open_file(csv, columns);
  if (status == ELASTICA_OK)
    *out = csv;
  else
    free_csv(csv);
  return status;
}

elastica_status elastica_csv_row(elastica_csv *csv, const double *values, int count) {
  char label[ELI_PATH_LABEL_SIZE];
  if (csv == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (values == NULL) return elastica_world_refuse(csv->world, ELASTICA_INVALID_ARGUMENT, "csv_row: values is NULL");
  if (count != csv->columns)
    return elastica_world_refuse(csv->world, ELASTICA_INVALID_ARGUMENT, "csv_row: %d values for the %d column%s of '%s'", count,
                                 csv->columns, csv->columns == 1 ? "" : "s", eli_shorten(csv->path, label, sizeof label));

  char *end = csv->row;
  for (int c = 0; c < count; c++) {
    end += eli_number_text(end, values[c]);
    *end++ = c + 1 < count ? ',' : '\n';
  }
  eli_text_put(&csv->text, csv->row, (size_t)(end - csv->row));
  const int error = eli_text_flush(&csv->text);
  return error == 0 ? ELASTICA_OK : eli_refuse_file(csv->world, "csv_row", csv->path, error);
}

elastica_status elastica_csv_close(elastica_csv *csv) {
  if (csv == NULL) return ELASTICA_OK;
  elastica_world *world = csv->world;
  const int error = eli_text_close(&csv->text);
  const elastica_status status = error == 0 ? ELASTICA_OK : eli_refuse_file(world, "csv_close", csv->path, error);
  free_csv(csv);
  return status;
}
