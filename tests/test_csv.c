/* Comma-separated tables: numbers read back to the same bits, rows are flushed at once, and failed writes are reported. */
#include "base/target.h"

#include "writing.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static elastica_csv *open_table(fixture *f, const char *columns) {
  elastica_csv *csv = NULL;
  must(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "table.csv"), columns, &csv));
  assert_non_null(csv);
  return csv;
}

static void write_row(fixture *f, elastica_csv *csv, double a, double b) {
  const double row[2] = {a, b};
  must(f->world, elastica_csv_row(csv, row, 2));
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Every finite number (large, small, denormal, zero of either sign) has the same bits after writing and reading. */
TEST_IN_FOLDER(numbers_read_back_to_the_same_bits) {
  enum { COUNT = 20000 };
  const double special[] = {0.0,     -0.0,     1.0,         -1.0,         0.1,           1.0 / 3.0, DBL_MAX,
                            DBL_MIN, -DBL_MAX, DBL_EPSILON, double_of(1), -double_of(1), 1e22,      9007199254740993.0};
  enum { SPECIAL = sizeof special / sizeof *special };
  fixture *f = *state;
  static double values[COUNT];
  random_source source = {2018};
  for (int k = 0; k < COUNT; k++) {
    values[k] = k < SPECIAL ? special[k] : double_of(random_bits(&source));
    if (k >= SPECIAL && k % 8 == 0) values[k] = double_of(random_bits(&source) >> 12); /* denormal */
    if (!isfinite(values[k])) values[k] = 0.0;
  }
  elastica_csv *csv = open_table(f, "x,y");
  for (int k = 0; k < COUNT; k += 2) write_row(f, csv, values[k], values[k + 1]);
  must(f->world, elastica_csv_close(csv));

  char *text = scratch_read(&f->folder, "table.csv"), *p = strchr(text, '\n') + 1;
  for (int k = 0; k < COUNT; k++) {
    char *end;
    const double x = strtod(p, &end);
    assert_int_equal(*end, k % 2 == 0 ? ',' : '\n');
    if (bits_of(x) != bits_of(values[k])) fail_msg("%.17g came back as %.17g", values[k], x);
    p = end + 1;
  }
  assert_int_equal(*p, '\0');
  free(text);
}

TEST_IN_FOLDER(numbers_are_no_longer_than_needed) {
  fixture *f = *state;
  elastica_csv *csv = open_table(f, "x,y");
  write_row(f, csv, 0.1, -2.0);
  write_row(f, csv, 1e-300, 0.30000000000000004);
  must(f->world, elastica_csv_close(csv));
  assert_file(&f->folder, "table.csv", "x,y\n0.1,-2\n1e-300,0.30000000000000004\n");
}

TEST_IN_FOLDER(infinity_and_nan_are_written_as_words) {
  fixture *f = *state;
  elastica_csv *csv = open_table(f, "x,y");
  write_row(f, csv, (double)INFINITY, -(double)INFINITY);
  write_row(f, csv, (double)NAN, -(double)NAN);
  must(f->world, elastica_csv_close(csv));
  assert_file(&f->folder, "table.csv", "x,y\ninf,-inf\nnan,nan\n");
}

TEST_IN_FOLDER(the_locale_does_not_matter) {
  fixture *f = *state;
  if (!use_comma()) skip();
  elastica_csv *csv = open_table(f, "x,y");
  write_row(f, csv, 0.5, -1.25e-20);
  must(f->world, elastica_csv_close(csv));
  assert_file(&f->folder, "table.csv", "x,y\n0.5,-1.25e-20\n");
}

TEST_IN_FOLDER(rows_can_be_read_before_the_file_is_closed) {
  fixture *f = *state;
  elastica_csv *csv = open_table(f, "time,height");
  assert_file(&f->folder, "table.csv", "time,height\n");
  write_row(f, csv, 0.0, 1.5);
  assert_file(&f->folder, "table.csv", "time,height\n0,1.5\n");
  write_row(f, csv, 1.0, 2.5);
  assert_file(&f->folder, "table.csv", "time,height\n0,1.5\n1,2.5\n");
  must(f->world, elastica_csv_close(csv));
}

TEST_IN_FOLDER(a_row_must_fill_the_columns) {
  fixture *f = *state;
  const double row[3] = {1.0, 2.0, 3.0};
  elastica_csv *csv = open_table(f, "\"force, [N]\",y");
  assert_status(f->world, elastica_csv_row(csv, row, 3), ELASTICA_INVALID_ARGUMENT);
  assert_names_number(elastica_world_message(f->world), 3.0);
  assert_names_number(elastica_world_message(f->world), 2.0);
  assert_says(elastica_world_message(f->world), "table.csv");
  assert_status(f->world, elastica_csv_row(csv, row, 1), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_csv_row(csv, row, -1), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_csv_row(csv, NULL, 2), ELASTICA_INVALID_ARGUMENT);
  must(f->world, elastica_csv_row(csv, row, 2));
  must(f->world, elastica_csv_close(csv));
  assert_file(&f->folder, "table.csv", "\"force, [N]\",y\n1,2\n");
}

TEST_IN_FOLDER(arguments_are_checked) {
  fixture *f = *state;
  elastica_csv *csv = (elastica_csv *)f;
  assert_int_equal(elastica_csv_open(NULL, "table.csv", "x", &csv), ELASTICA_INVALID_ARGUMENT);
  assert_null(csv);
  assert_status(f->world, elastica_csv_open(f->world, NULL, "x", &csv), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "path");
  assert_status(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "a.csv"), NULL, &csv), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "columns");
  assert_status(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "a.csv"), "x\ny", &csv), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "a.csv"), "", &csv), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "csv_open", "columns is empty");
  assert_refused(f->world, elastica_csv_open(f->world, "", "x", &csv), ELASTICA_INVALID_ARGUMENT, "csv_open: path is empty");
  assert_status(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "a.csv"), "x", NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_csv_row(NULL, NULL, 0), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_csv_close(NULL), ELASTICA_OK);
  assert_int_equal(scratch_file_count(&f->folder), 0);
}

/* A second writer of a file is refused under any name of its folder, until the first one is closed; devices may have several. */
TEST_IN_FOLDER(a_file_has_one_writer) {
  fixture *f = *state;
  elastica_csv *csv = open_table(f, "x"), *second = NULL;
  elastica_view *view = NULL, *other = NULL;
  elastica_vtk *vtk = NULL, *another = NULL;
  char folder[1024];
  must(f->world, elastica_csv_row(csv, (const double[1]){1.0}, 1));
  for (int k = 0; k < 2; k++) {
    const char *path = scratch_path(&f->folder, k == 0 ? "table.csv" : "./table.csv");
    assert_refused(f->world, elastica_csv_open(f->world, path, "y", &second), ELASTICA_WRONG_STATE, "table.csv' open: close it first");
    assert_null(second);
  }
  assert_file(&f->folder, "table.csv", "x\n1\n");
  must(f->world, elastica_csv_close(csv));
  csv = open_table(f, "y");
  must(f->world, elastica_view_open(f->world, scratch_path(&f->folder, "run.html"), NULL, &view));
  assert_refused(f->world, elastica_view_open(f->world, scratch_path(&f->folder, "./run.html"), NULL, &other), ELASTICA_WRONG_STATE,
                 "view_open: another writer of this world has");
  strcpy(folder, scratch_path(&f->folder, "."));
  must(f->world, elastica_vtk_open(f->world, folder, "run", &vtk));
  assert_refused(f->world, elastica_vtk_open(f->world, folder, "run", &another), ELASTICA_WRONG_STATE, "run.pvd' open");
  must(f->world, elastica_vtk_open(f->world, folder, "other", &another));
  must(f->world, elastica_vtk_close(another));
  must(f->world, elastica_vtk_close(vtk));
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_view_close(view));
  must(f->world, elastica_csv_close(csv));
  for (int k = 0; k < 2; k++) must(f->world, elastica_csv_open(f->world, "/dev/null", "x", k == 0 ? &csv : &second));
  must(f->world, elastica_csv_close(csv));
  must(f->world, elastica_csv_close(second));
}

/* Neither a snapshot nor a frame replaces an open table, also behind a link, or the place of a page. */
TEST_IN_FOLDER(an_open_file_is_not_replaced) {
  fixture *f = *state;
  char link[1024], folder[1024];
  elastica_csv *csv = open_table(f, "x"), *frame = NULL;
  elastica_view *view = NULL;
  elastica_vtk *vtk = NULL;
  strcpy(link, scratch_path(&f->folder, "link.csv"));
  assert_int_equal(symlink("table.csv", link), 0);
  assert_refused(f->world, elastica_world_snapshot_save_file(f->world, link), ELASTICA_WRONG_STATE,
                 "snapshot_save_file: another writer of this world has", "table.csv' open: close it first");
  must(f->world, elastica_csv_row(csv, (const double[1]){1.0}, 1));
  assert_file(&f->folder, "table.csv", "x\n1\n");
  must(f->world, elastica_csv_close(csv));
  must(f->world, elastica_csv_open(f->world, link, "y", &csv));
  assert_refused(f->world, elastica_world_snapshot_save_file(f->world, scratch_path(&f->folder, "table.csv")), ELASTICA_WRONG_STATE,
                 "table.csv' open");
  must(f->world, elastica_csv_close(csv));
  must(f->world, elastica_world_snapshot_save_file(f->world, link));

  must(f->world, elastica_view_open(f->world, scratch_path(&f->folder, "run.html"), NULL, &view));
  assert_refused(f->world, elastica_world_snapshot_save_file(f->world, scratch_path(&f->folder, "run.html")), ELASTICA_WRONG_STATE,
                 "run.html' open");
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_view_close(view));

  strcpy(folder, scratch_path(&f->folder, "."));
  must(f->world, elastica_vtk_open(f->world, folder, "run", &vtk));
  assert_refused(f->world, elastica_world_snapshot_save_file(f->world, scratch_path(&f->folder, "run.pvd")), ELASTICA_WRONG_STATE,
                 "run.pvd' open");
  must(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "run_000000.vtp"), "z", &frame));
  assert_refused(f->world, elastica_vtk_frame(vtk), ELASTICA_WRONG_STATE, "vtk_frame", "run_000000.vtp' open");
  assert_file(&f->folder, "run_000000.vtp", "z\n");
  must(f->world, elastica_csv_close(frame));
  must(f->world, elastica_vtk_frame(vtk));
  must(f->world, elastica_vtk_close(vtk));
}

/* An existing file has one writer of all worlds. */
TEST_IN_FOLDER(worlds_share_no_file) {
  fixture *f = *state;
  elastica_world *other = make_world(NULL);
  elastica_csv *csv = open_table(f, "x"), *second = NULL;
  elastica_view *view[2] = {NULL, NULL};
  elastica_vtk *vtk[2] = {NULL, NULL};
  char table[1024], page[1024], folder[1024];
  strcpy(table, scratch_path(&f->folder, "table.csv"));
  strcpy(page, scratch_path(&f->folder, "run.html"));
  strcpy(folder, scratch_path(&f->folder, "."));
  must(f->world, elastica_csv_row(csv, (const double[1]){1.0}, 1));
  assert_refused(other, elastica_csv_open(other, table, "y", &second), ELASTICA_WRONG_STATE, "csv_open: another writer has",
                 "table.csv' open: close it first");
  assert_refused(other, elastica_world_snapshot_save_file(other, table), ELASTICA_WRONG_STATE, "snapshot_save_file", "table.csv' open");
  assert_refused(other, elastica_view_open(other, table, NULL, &view[1]), ELASTICA_WRONG_STATE, "view_open", "table.csv' open");
  assert_file(&f->folder, "table.csv", "x\n1\n");
  must(f->world, elastica_csv_close(csv));
  must(other, elastica_csv_open(other, table, "y", &second));
  must(other, elastica_csv_close(second));

  must(f->world, elastica_view_open(f->world, page, NULL, &view[0]));
  must(other, elastica_view_open(other, page, NULL, &view[1])); /* there is no file yet */
  for (int k = 0; k < 2; k++) must(f->world, elastica_view_frame(view[0]));
  assert_refused(other, elastica_view_frame(view[1]), ELASTICA_WRONG_STATE, "view_frame", "run.html' open");
  assert_refused(other, elastica_world_snapshot_save_file(other, page), ELASTICA_WRONG_STATE, "run.html' open");
  must(f->world, elastica_view_close(view[0]));
  must(other, elastica_view_frame(view[1]));
  must(other, elastica_view_close(view[1]));

  must(f->world, elastica_vtk_open(f->world, folder, "run", &vtk[0]));
  assert_refused(other, elastica_vtk_open(other, folder, "run", &vtk[1]), ELASTICA_WRONG_STATE, "vtk_open", "run.pvd' open");
  must(f->world, elastica_vtk_frame(vtk[0]));
  assert_refused(other, elastica_vtk_open(other, folder, "run", &vtk[1]), ELASTICA_WRONG_STATE, "vtk_open", "run.pvd' open");
  must(f->world, elastica_vtk_close(vtk[0]));
  must(other, elastica_vtk_open(other, folder, "run", &vtk[1]));
  must(other, elastica_vtk_close(vtk[1]));
  elastica_world_destroy(other);
}

/* A comma and a space within quotes belong to a name, and a name is more than quotes and spaces. */
TEST_IN_FOLDER(every_column_has_a_name) {
  static const struct {
    const char *columns, *sentence;
  } rows[] = {{"a,,b", "column 2 of 3 has no name"},
              {"a,", "column 2 of 2 has no name"},
              {",", "column 1 of 2 has no name"},
              {" ", "column 1 of 1 has no name"},
              {"\"\",b", "column 1 of 2 has no name"}};
  fixture *f = *state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    elastica_csv *csv = (elastica_csv *)f;
    assert_refused(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "a.csv"), rows[k].columns, &csv),
                   ELASTICA_INVALID_ARGUMENT, rows[k].sentence);
    assert_null(csv);
  }
  assert_int_equal(scratch_file_count(&f->folder), 0);
  elastica_csv *csv = open_table(f, "\",\"");
  assert_refused(f->world, elastica_csv_row(csv, (const double[2]){0.0, 0.0}, 2), ELASTICA_INVALID_ARGUMENT, "for the 1 column of");
  must(f->world, elastica_csv_close(csv));
}

TEST_IN_FOLDER(a_missing_folder_is_named_with_the_reason) {
  fixture *f = *state;
  elastica_csv *csv = (elastica_csv *)f;
  const char *path = scratch_path(&f->folder, "missing/table.csv");
  assert_status(f->world, elastica_csv_open(f->world, path, "x", &csv), ELASTICA_IO_ERROR);
  assert_null(csv);
  assert_says(elastica_world_message(f->world), path);
  assert_says(elastica_world_message(f->world), strerror(ENOENT));
}

/* A pipe is opened only if a program reads it. */
TEST_IN_FOLDER(a_pipe_does_not_make_opening_wait) {
  fixture *f = *state;
  elastica_csv *csv = NULL;
  char text[16] = {0};
  const char *path = scratch_path(&f->folder, "pipe");
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_status(f->world, elastica_csv_open(f->world, path, "x", &csv), ELASTICA_IO_ERROR);
  assert_says(elastica_world_message(f->world), path, "a pipe that no program reads");
  assert_null(csv);
  const int reader = open(path, O_RDONLY | O_NONBLOCK);
  must(f->world, elastica_csv_open(f->world, path, "x", &csv));
  must(f->world, elastica_csv_row(csv, (const double[1]){0.5}, 1));
  must(f->world, elastica_csv_close(csv));
  assert_int_equal(read(reader, text, sizeof text - 1), 6);
  assert_string_equal(text, "x\n0.5\n");
  close(reader);
}

TEST_IN_FOLDER(a_full_disk_is_seen_when_opening) {
  fixture *f = *state;
  elastica_csv *csv = (elastica_csv *)f;
  if (access("/dev/full", W_OK) != 0) skip();
  assert_status(f->world, elastica_csv_open(f->world, "/dev/full", "x", &csv), ELASTICA_IO_ERROR);
  assert_null(csv);
  assert_says(elastica_world_message(f->world), "/dev/full");
  assert_says(elastica_world_message(f->world), strerror(ENOSPC));
}

/* Limits the size of files: simulates a full disk on any machine. */
static void limit_file_size(rlim_t size) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* After an incomplete row no further row is written, and further rows and closing report the error. */
TEST_IN_FOLDER(a_disk_that_fills_up_is_said_by_row_and_close) {
  fixture *f = *state;
  const double row[2] = {1.0 / 3.0, 2.0 / 3.0};
  elastica_csv *csv = open_table(f, "x,y");
  write_row(f, csv, 1.0, 2.0);
  limit_file_size(12);
  const elastica_status status = elastica_csv_row(csv, row, 2);
  limit_file_size(RLIM_INFINITY);
  assert_status(f->world, status, ELASTICA_IO_ERROR);
  assert_says(elastica_world_message(f->world), "table.csv");
  assert_says(elastica_world_message(f->world), strerror(EFBIG));
  assert_status(f->world, elastica_csv_row(csv, row, 2), ELASTICA_IO_ERROR);
  assert_status(f->world, elastica_csv_close(csv), ELASTICA_IO_ERROR);
  assert_says(elastica_world_message(f->world), "table.csv");
  char *text = scratch_read(&f->folder, "table.csv");
  assert_memory_equal(text, "x,y\n1,2\n", 8);
  assert_true(strlen(text) <= strlen("x,y\n1,2\n0.3333333333333333,0.6666666666666666\n"));
  free(text);
}

TEST_IN_FOLDER(no_memory_leaves_no_file) {
  fixture *f = *state;
  elastica_csv *csv = (elastica_csv *)f;
  f->memory.left = 0;
  assert_status(f->world, elastica_csv_open(f->world, scratch_path(&f->folder, "table.csv"), "x", &csv), ELASTICA_OUT_OF_MEMORY);
  f->memory.left = LONG_MAX;
  assert_null(csv);
  assert_int_equal(scratch_file_count(&f->folder), 0);
}

static elastica_status note_height(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const double row[2] = {now->time, rod->position[2][0]};
  return elastica_csv_row(*(elastica_csv **)self, row, 2);
}

TEST_IN_FOLDER(an_observer_can_write_rows) {
  fixture *f = *state;
  elastica_csv *csv = open_table(f, "time,height");
  elastica_rod *rod = add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  elastica_module module = module_named("note_height");
  module.self = &csv;
  module.observe = note_height;
  must(f->world, elastica_world_add_module(f->world, rod, &module, NULL));
  must(f->world, elastica_world_step(f->world, 0x1p-14, 2));
  must(f->world, elastica_csv_close(csv));
  assert_file(&f->folder, "table.csv", "time,height\n6.103515625e-05,0\n0.0001220703125,0\n");
}
