/* Files of frames for ParaView: an index that always opens, names, refusals, and files that remain when a frame cannot be written. */
#include "base/target.h"

#include "layered.h"
#include "vtk_reader.h"
#include "writing.h"

#include <errno.h>

TEST_WITH_FRAMES(the_index_lists_all_frames_with_their_times) {
  fixture *f = *state;
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  for (int frame = 0; frame < 20; frame++) {
    must(f->world, elastica_vtk_frame(f->vtk));
    char *text = scratch_read(&f->folder, "run.pvd"), *entry = text;
    assert_well_formed(text);
    for (int k = 0; k <= frame; k++) {
      char file[64];
      entry = strstr(entry, "<DataSet ");
      assert_non_null(entry);
      assert_true(strtod(strstr(entry, "timestep=\"") + 10, NULL) == k * 0x1p-14);
      snprintf(file, sizeof file, "file=\"run_%06d.vtp\"", k);
      assert_ptr_equal(strstr(strstr(entry, " file=") + 1, file), strstr(entry, " file=") + 1);
      entry++;
    }
    assert_null(strstr(entry, "<DataSet "));
    free(text);
    must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  }
  assert_int_equal(scratch_file_count(&f->folder), 21);
}

TEST_WITH_FRAMES(the_locale_does_not_matter) {
  fixture *f = *state;
  if (!use_comma()) skip();
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  must(f->world, elastica_vtk_frame(f->vtk));
  char *text = scratch_read(&f->folder, "run.pvd");
  assert_non_null(strstr(text, "timestep=\"6.103515625e-05\""));
  free(text);
}

/* An index without frames and a frame without rods are valid files, too; ParaView needs one piece at least. */
TEST_WITH_FRAMES(an_empty_world_has_frames) {
  fixture *f = *state;
  char *text = scratch_read(&f->folder, "run.pvd");
  assert_well_formed(text);
  assert_null(strstr(text, "<DataSet "));
  free(text);
  text = frame_text(f);
  assert_well_formed(text);
  assert_int_equal(attribute(find_piece(text, 0), "NumberOfPoints"), 0);
  assert_int_equal(attribute(find_piece(text, 0), "NumberOfLines"), 0);
  free(read_array(text, 0, "position", 3));
  free(read_array(text, 0, "curvature", 3));
  free(text);
}

TEST_WITH_FRAMES(the_field_data_name_the_units) {
  fixture *f = *state;
  char *text = frame_text(f), *at = strstr(text, "Name=\"units\""), units[1024];
  size_t count = 0;
  assert_non_null(at);
  at = strchr(at, '>') + 1;
  do {
    units[count] = (char)strtol(at, &at, 10);
  } while (units[count++] != '\0' && count < sizeof units);
  assert_non_null(strstr(units, "velocity [m/s]"));
  assert_non_null(strstr(units, "curvature [1/m]"));
  assert_non_null(strstr(units, "couple [N m]"));
  free(text);
}

TEST_WITH_FRAMES(names_may_have_any_characters_but_slash_and_control) {
  fixture *f = *state;
  elastica_vtk *vtk = NULL;
  must(f->world, elastica_vtk_open(f->world, f->folder.path, "a \"<b>\" & c", &vtk));
  must(f->world, elastica_vtk_frame(vtk));
  must(f->world, elastica_vtk_close(vtk));
  assert_true(scratch_has(&f->folder, "a \"<b>\" & c_000000.vtp"));
  char *text = scratch_read(&f->folder, "a \"<b>\" & c.pvd");
  assert_well_formed(text);
  assert_non_null(strstr(text, "file=\"a &#34;&#60;b&#62;&#34; &#38; c_000000.vtp\""));
  free(text);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "a/b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "name is 'a/b'");
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "a\nb", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "run.pvd", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "a\177", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "control characters");
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, ".", &vtk), ELASTICA_INVALID_ARGUMENT, "vtk_open: name is '.'");
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, "..", &vtk), ELASTICA_INVALID_ARGUMENT, "vtk_open: name is '..'");
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, "a\xff", &vtk), ELASTICA_INVALID_ARGUMENT,
                 "vtk_open: name is not UTF-8: its byte 1 is 0xff");
  must(f->world, elastica_vtk_open(f->world, f->folder.path, "\xc3\xa4", &vtk));
  must(f->world, elastica_vtk_close(vtk));
}

/* Files of contacts of "run" have the names of the frames of "run_contacts"; so have those of obstacles. */
TEST_WITH_FRAMES(names_of_the_parts_of_other_frames_are_refused) {
  fixture *f = *state;
  elastica_vtk *vtk = NULL;
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, "run_contacts", &vtk), ELASTICA_INVALID_ARGUMENT,
                 "vtk_open: name is 'run_contacts'", "_contacts");
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, "run_Obstacles", &vtk), ELASTICA_INVALID_ARGUMENT,
                 "vtk_open: name is 'run_Obstacles'", "_obstacles");
  assert_null(vtk);
  must(f->world, elastica_vtk_open(f->world, f->folder.path, "contacts", &vtk));
  must(f->world, elastica_vtk_close(vtk));
}

/* A file name has at most 255 bytes; the frame's number and the ending follow the name. */
TEST_WITH_FRAMES(names_that_leave_no_room_for_numbers_are_refused) {
  enum { LONGEST = 240 };
  fixture *f = *state;
  elastica_vtk *vtk = NULL;
  char name[LONGEST + 2] = {0};
  memset(name, 'n', LONGEST);
  must(f->world, elastica_vtk_open(f->world, f->folder.path, name, &vtk));
  must(f->world, elastica_vtk_frame(vtk));
  must(f->world, elastica_vtk_close(vtk));
  name[LONGEST] = 'n';
  assert_refused(f->world, elastica_vtk_open(f->world, f->folder.path, name, &vtk), ELASTICA_INVALID_ARGUMENT, "vtk_open", "name", "241",
                 "240");
}

/* The names of contacts are longer by 9 bytes. */
TEST_WITH_FRAMES(names_that_leave_no_room_for_contacts_are_refused) {
  fixture *f = *state;
  const elastica_contact_def def = layer(1e4);
  elastica_effect *contact;
  must(f->world, elastica_add_contact(f->world, NULL, &def, &contact));
  for (int length = 231; length <= 232; length++) {
    char name[256] = {0};
    elastica_vtk *vtk = NULL;
    memset(name, 'n', (size_t)length);
    must(f->world, elastica_vtk_open(f->world, f->folder.path, name, &vtk));
    if (length == 231)
      must(f->world, elastica_vtk_add_contacts(vtk, contact));
    else
      assert_refused(f->world, elastica_vtk_add_contacts(vtk, contact), ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts", "232", "231");
    must(f->world, elastica_vtk_frame(vtk));
    must(f->world, elastica_vtk_close(vtk));
    strcat(name, "_contacts_000000.vtp");
    assert_int_equal(scratch_has(&f->folder, name), length == 231);
  }
}

TEST_WITH_FRAMES(arguments_are_checked) {
  fixture *f = *state;
  elastica_vtk *vtk = f->vtk;
  assert_int_equal(elastica_vtk_open(NULL, f->folder.path, "b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_null(vtk);
  assert_status(f->world, elastica_vtk_open(f->world, "", "b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "directory");
  assert_refused(f->world, elastica_vtk_open(f->world, NULL, "b", &vtk), ELASTICA_INVALID_ARGUMENT, "directory is NULL");
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, NULL, &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "b", NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_vtk_frame(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_vtk_close(NULL), ELASTICA_OK);
}

TEST_WITH_FRAMES(a_missing_folder_is_seen_when_opening) {
  fixture *f = *state;
  elastica_vtk *vtk = f->vtk;
  const char *path = scratch_path(&f->folder, "missing");
  assert_status(f->world, elastica_vtk_open(f->world, path, "run", &vtk), ELASTICA_IO_ERROR);
  assert_null(vtk);
  assert_says(elastica_world_message(f->world), path);
  assert_says(elastica_world_message(f->world), strerror(ENOENT));
  elastica_csv *csv;
  must(f->world, elastica_csv_open(f->world, path, "x", &csv));
  must(f->world, elastica_csv_close(csv));
  char says[600];
  snprintf(says, sizeof says, "vtk_open: '%s' cannot be written: %s", path, strerror(ENOTDIR));
  assert_status(f->world, elastica_vtk_open(f->world, path, "run", &vtk), ELASTICA_IO_ERROR);
  assert_string_equal(elastica_world_message(f->world), says);
}

/* Size of a file in bytes. */
static rlim_t size_of(scratch_folder *folder, const char *name) {
  char *text = scratch_read(folder, name);
  const size_t size = strlen(text);
  free(text);
  return size;
}

/* One of the files of the next frame does not fit on the disk: the file of the rods, or the index alone. */
static void fail_frame(fixture *f, int index) {
  const int frame = scratch_file_count(&f->folder) - 1;
  char name[40];
  snprintf(name, sizeof name, "run_%06d.vtp", frame - 1);
  if (index) assert_true(size_of(&f->folder, "run.pvd") > size_of(&f->folder, name));
  scratch_limit(index ? size_of(&f->folder, name) + 8 : 100);
  assert_status(f->world, elastica_vtk_frame(f->vtk), ELASTICA_IO_ERROR);
  scratch_limit(RLIM_INFINITY);
  snprintf(name, sizeof name, "run_%06d.vtp", frame);
  assert_says(elastica_world_message(f->world), strerror(EFBIG), index ? "run.pvd" : name);
  assert_int_equal(scratch_file_count(&f->folder), frame + 1);
}

/* Writes frames until the index is longer than one of them. */
static void write_many_frames(fixture *f) {
  for (int frame = 0; frame < 200; frame++) must(f->world, elastica_vtk_frame(f->vtk));
}

/* Either file does not fit: no frame is added, the index is unchanged, and the next call succeeds. */
TEST_WITH_FRAMES(a_full_disk_costs_the_frame_and_nothing_else) {
  fixture *f = *state;
  add_straight_rod(f->world, 1, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  write_many_frames(f);
  char *index = scratch_read(&f->folder, "run.pvd");
  for (int k = 0; k < 2; k++) {
    fail_frame(f, k);
    assert_file(&f->folder, "run.pvd", index);
  }
  must(f->world, elastica_vtk_frame(f->vtk));
  assert_int_equal(scratch_file_count(&f->folder), 202);
  free(index);
}

TEST_WITH_FRAMES(no_memory_costs_the_frame_and_nothing_else) {
  fixture *f = *state;
  elastica_vtk *vtk = f->vtk;
  f->memory.left = 0;
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "more", &vtk), ELASTICA_OUT_OF_MEMORY);
  assert_null(vtk);
  assert_status(f->world, elastica_vtk_frame(f->vtk), ELASTICA_OUT_OF_MEMORY);
  f->memory.left = LONG_MAX;
  assert_int_equal(scratch_file_count(&f->folder), 1);
  must(f->world, elastica_vtk_frame(f->vtk));
}

/* Frames of a failed world are complete, for inspection of the failure. */
TEST_WITH_FRAMES(a_world_that_failed_can_still_be_written) {
  fixture *f = *state;
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  add_pull_too_far(f->world);
  ignore(elastica_world_step(f->world, 0x1p-14, 10));
  assert_status(f->world, elastica_world_step(f->world, 0x1p-14, 1), ELASTICA_WRONG_STATE);
  char *text = frame_text(f);
  assert_well_formed(text);
  double *velocity = read_array(text, 0, "velocity", 3);
  assert_true(!(fabs(velocity[2]) < 1e30));
  free(velocity), free(text);
}

static elastica_status write_from_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  fixture *f = self;
  (void)now, (void)rod;
  assert_refused(f->world, elastica_vtk_frame(f->vtk), ELASTICA_WRONG_STATE, "vtk_frame", "inside a hook");
  return ELASTICA_OK;
}

/* Derived lanes are defined between steps only. */
TEST_WITH_FRAMES(a_frame_from_inside_a_hook_is_refused) {
  fixture *f = *state;
  elastica_module module = module_named("write_from_hook");
  module.self = f;
  module.observe = write_from_hook;
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  assert_int_equal(scratch_file_count(&f->folder), 1);
}

/* ---- Files of an earlier run ---- */

static void write_file(fixture *f, const char *name) {
  FILE *file = fopen(scratch_path(&f->folder, name), "w");
  assert_non_null(file);
  fputs("an earlier run\n", file);
  fclose(file);
}

TEST_WITH_FRAMES(a_refused_frame_leaves_the_file_that_is_there) {
  fixture *f = *state;
  elastica_rod *rod = add_usual_rod(f->world);
  write_file(f, "run_000000.vtp");
  elastica_module module = module_named("write_from_hook");
  module.self = f;
  module.observe = write_from_hook;
  must(f->world, elastica_world_add_module(f->world, rod, &module, NULL));
  must(f->world, elastica_world_step(f->world, 1e-9, 1));
  assert_file(&f->folder, "run_000000.vtp", "an earlier run\n");
}

/* On a full disk, either file does not fit. */
TEST_WITH_FRAMES(a_frame_that_does_not_fit_leaves_the_file_that_is_there) {
  fixture *f = *state;
  add_straight_rod(f->world, 1, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  write_many_frames(f);
  write_file(f, "run_000200.vtp");
  for (int k = 0; k < 2; k++) {
    scratch_limit(k == 0 ? 100 : size_of(&f->folder, "run_000199.vtp") + 8);
    assert_status(f->world, elastica_vtk_frame(f->vtk), ELASTICA_IO_ERROR);
    scratch_limit(RLIM_INFINITY);
    assert_file(&f->folder, "run_000200.vtp", "an earlier run\n");
    assert_int_equal(scratch_file_count(&f->folder), 202);
  }
  must(f->world, elastica_vtk_frame(f->vtk));
  assert_int_equal(scratch_file_count(&f->folder), 202);
}
