/* Elements in frames for ParaView: each is a vertex with its own values. */
#include "base/target.h"

#include "vtk_reader.h"
#include "writing.h"

enum { N = 6 };

/* The first frame of a ring and an open rod, both bent and moving. */
static char *frame_of_two_rods(fixture *f) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample_ring(&sample, N + 3, 2);
  add_sample(f->world, &sample);
  make_sample(&sample, N, 1, &recipe);
  add_sample(f->world, &sample);
  return frame_text(f);
}

/* Compares three lanes of the view with an array, to single precision. */
static void assert_cells(const char *text, int r, const char *name, const double *const lane[3], int count) {
  double *found = read_cells(find_elements(text, r), name, 3);
  for (int j = 0; j < count; j++)
    for (int a = 0; a < 3; a++) assert_true(found[3 * j + a] == (float)lane[a][j]);
  free(found);
}

/* The values of each element, not the means used for nodes. */
TEST_WITH_FRAMES(elements_have_their_own_values) {
  static const char *const directors[3] = {"d1", "d2", "d3"};
  fixture *f = *state;
  char *text = frame_of_two_rods(f);
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

/* Each element is a vertex at its middle; the Tube filter ignores vertices. */
TEST_WITH_FRAMES(an_element_is_a_vertex_in_its_middle) {
  fixture *f = *state;
  char *text = frame_of_two_rods(f);
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

/* The smooth tube belongs to one line; all pieces have the same arrays, as a set requires. */
TEST_WITH_FRAMES(the_line_has_one_cell_and_no_element) {
  fixture *f = *state;
  char *text = frame_of_two_rods(f);
  double *strain = read_cells(find_piece(text, 1), "strain", 3), *element = read_cells(find_piece(text, 1), "element", 1);
  assert_int_equal(attribute(find_piece(text, 1), "NumberOfVerts"), 0);
  assert_int_equal(attribute(find_piece(text, 1), "NumberOfLines"), 1);
  assert_true(isnan(strain[0]) && element[0] == -1.0);
  free(strain), free(element);
  double *couple = read_numbers(find_array(find_elements(text, 1), "couple"), N, 3);
  assert_true(isnan(couple[0]));
  free(couple), free(text);
}
