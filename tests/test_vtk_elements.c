/* What frames for ParaView say of elements; and that a frame that cannot be written leaves the files of an earlier run. */
#include "base/target.h"

#include "scratch_folder.h"
#include "vtk_reader.h"

enum { N = 6 };

typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
  elastica_vtk *vtk;
  scratch_folder folder;
} fixture;

static int set_up(void **state) {
  static fixture f;
  static sample_rod sample;
  elastica_world_def def = default_world();
  const sample_recipe recipe = usual_recipe();
  def.law = ELASTICA_LAW_CLASSICAL;
  def.exact_couple = 1;
  f.world = make_world(&def);
  make_sample_ring(&sample, N + 3, 2);
  add_sample(f.world, &sample);
  make_sample(&sample, N, 1, &recipe);
  f.rod = add_sample(f.world, &sample);
  scratch_make(&f.folder);
  must(f.world, elastica_vtk_open(f.world, f.folder.path, "run", &f.vtk));
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  must(f->world, elastica_vtk_close(f->vtk));
  elastica_world_destroy(f->world);
  scratch_remove(&f->folder);
  return 0;
}

static char *frame_text(fixture *f) {
  must(f->world, elastica_vtk_frame(f->vtk));
  return scratch_read(&f->folder, "run_000000.vtp");
}

/* Three lanes of the view against an array, to single precision. */
static void assert_cells(const char *text, int r, const char *name, const double *const lane[3], int count) {
  double *found = read_cells(find_elements(text, r), name, 3);
  for (int j = 0; j < count; j++)
    for (int a = 0; a < 3; a++) assert_true(found[3 * j + a] == (float)lane[a][j]);
  free(found);
}

/* Not the means that nodes have, but what each element itself has. */
static void elements_have_their_own_values(void **state) {
  static const char *const directors[3] = {"d1", "d2", "d3"};
  fixture *f = *state;
  char *text = frame_text(f);
  assert_well_formed(text);
  for (int r = 0; r < 2; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int n = view->element_count;
    const char *piece = find_elements(text, r);
    assert_int_equal(attribute(piece, "NumberOfVerts"), n);
    assert_int_equal(attribute(piece, "NumberOfLines"), 0);
    assert_cells(text, r, "strain", view->strain, n);
    assert_cells(text, r, "force", view->force, n);
    assert_cells(text, r, "internal_couple", view->internal_couple, n);
    assert_cells(text, r, "omega", view->omega, n);
    for (int a = 0; a < 3; a++) assert_cells(text, r, directors[a], view->director[a], n);
    double *length = read_cells(piece, "length", 1), *dilatation = read_cells(piece, "dilatation", 1);
    double *radius = read_cells(piece, "radius", 1), *number = read_cells(piece, "element", 1), *of = read_cells(piece, "rod", 1);
    for (int j = 0; j < n; j++) {
      assert_true(length[3 * j] == (float)view->length[j] && dilatation[3 * j] == (float)view->dilatation[j]);
      assert_true(radius[3 * j] == (float)elastica_rod_radius(view, j) && number[3 * j] == j && of[3 * j] == r);
    }
    free(length), free(dilatation), free(radius), free(number), free(of);
  }
  free(text);
}

/* Each stands in the middle of its element, as a vertex, which the Tube filter passes over. */
static void an_element_is_a_vertex_in_its_middle(void **state) {
  fixture *f = *state;
  char *text = frame_text(f);
  for (int r = 0; r < 2; r++) {
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(f->world, r));
    const char *piece = find_elements(text, r);
    const int n = view->element_count;
    size_t count;
    double *position = read_numbers(find_array(piece, "position"), n, 3);
    for (int j = 0; j < n; j++)
      for (int a = 0; a < 3; a++)
        assert_close(position[3 * j + a], 0.5 * (view->position[a][j] + view->position[a][(j + 1) % view->node_count]), 1e-15);
    unsigned char *bytes = array_bytes(find_array(piece, "offsets"), &count);
    assert_int_equal(count, 8 * (size_t)n);
    for (int64_t j = 0; j < n; j++) {
      const int64_t end = j + 1;
      assert_memory_equal(bytes + 8 * j, &end, 8);
    }
    free(bytes), free(position);
  }
  free(text);
}

/* The smooth tube is that of one line; all pieces have the same arrays, or they could not be one set. */
static void the_line_has_one_cell_and_no_element(void **state) {
  fixture *f = *state;
  char *text = frame_text(f);
  double *strain = read_cells(find_piece(text, 1), "strain", 3), *element = read_cells(find_piece(text, 1), "element", 1);
  assert_int_equal(attribute(find_piece(text, 1), "NumberOfVerts"), 0);
  assert_int_equal(attribute(find_piece(text, 1), "NumberOfLines"), 1);
  assert_true(isnan(strain[0]) && element[0] == -1.0);
  free(strain), free(element);
  double *couple = read_numbers(find_array(find_elements(text, 1), "couple"), N, 3);
  assert_true(isnan(couple[0]));
  free(couple), free(text);
}

/* ---- Files of an earlier run ---- */

static void write_file(fixture *f, const char *name) {
  FILE *file = fopen(scratch_path(&f->folder, name), "w");
  assert_non_null(file);
  fputs("an earlier run\n", file);
  fclose(file);
}

static elastica_status write_from_hook(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const fixture *f = *(fixture **)self;
  (void)now, (void)rod;
  assert_int_equal(elastica_vtk_frame(f->vtk), ELASTICA_WRONG_STATE);
  return ELASTICA_OK;
}

static void a_refused_frame_leaves_the_file_that_is_there(void **state) {
  fixture *f = *state;
  elastica_module module;
  write_file(f, "run_000000.vtp");
  elastica_module_init(&module, sizeof module);
  module.name = "write_from_hook";
  module.self = &f;
  module.self_size = sizeof f;
  module.observe = write_from_hook;
  must(f->world, elastica_world_add_module(f->world, f->rod, &module, NULL));
  must(f->world, elastica_world_step(f->world, 1e-9, 1));
  assert_file(&f->folder, "run_000000.vtp", "an earlier run\n");
}

/* On a full disk, whichever of the two files does not fit. */
static void a_frame_that_does_not_fit_leaves_the_file_that_is_there(void **state) {
  static const char *const blocked[] = {"run_000000.vtp.tmp", "run.pvd.tmp"};
  fixture *f = *state;
  if (access("/dev/full", W_OK) != 0) skip();
  write_file(f, "run_000000.vtp");
  for (int k = 0; k < 2; k++) {
    assert_int_equal(symlink("/dev/full", scratch_path(&f->folder, blocked[k])), 0);
    assert_status(f->world, elastica_vtk_frame(f->vtk), ELASTICA_IO_ERROR);
    assert_file(&f->folder, "run_000000.vtp", "an earlier run\n");
    assert_int_equal(scratch_file_count(&f->folder), 2);
  }
  free(frame_text(f));
  assert_int_equal(scratch_file_count(&f->folder), 2);
}

#define claim(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      claim(elements_have_their_own_values),
      claim(an_element_is_a_vertex_in_its_middle),
      claim(the_line_has_one_cell_and_no_element),
      claim(a_refused_frame_leaves_the_file_that_is_there),
      claim(a_frame_that_does_not_fit_leaves_the_file_that_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
