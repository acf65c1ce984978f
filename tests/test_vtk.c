/* Frames for ParaView: files that are whole, arrays as long as they say, numbers where they belong, an index that always opens. */
#include "base/target.h"

#include "rationed_memory.h"
#include "scratch_folder.h"
#include "vtk_reader.h"

#include <errno.h>

typedef struct fixture {
  elastica_world *world;
  elastica_vtk *vtk;
  scratch_folder folder;
  memory_ration memory;
} fixture;

static int set_up(void **state) {
  static fixture f;
  f.memory = plenty();
  f.world = make_rationed_world(&f.memory);
  scratch_make(&f.folder);
  must(f.world, elastica_vtk_open(f.world, f.folder.path, "run", &f.vtk));
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  setlocale(LC_ALL, "C");
  must(f->world, elastica_vtk_close(f->vtk));
  elastica_world_destroy(f->world);
  scratch_remove(&f->folder);
  return 0;
}

static char *read_frame(fixture *f, int frame) {
  char name[32];
  snprintf(name, sizeof name, "run_%06d.vtp", frame);
  return scratch_read(&f->folder, name);
}

/* Writes a frame and gives its text, to be freed. */
static char *frame_text(fixture *f) {
  must(f->world, elastica_vtk_frame(f->vtk));
  return read_frame(f, 0);
}

/* The value at point p of rod 0 is x, y, z but for rounding to single. */
static void assert_point(const char *text, const char *name, int p, double x, double y, double z) {
  double *values = read_array(text, 0, name, 3);
  const double expected[3] = {x, y, z}, tolerance = 1e-6 * (norm(expected) + 1e-6);
  assert_all_close(values + 3 * p, expected, 3, tolerance);
  free(values);
}

/* ---- Scenes -------------------------------------------------------------------------------------------------------------------------- */

enum { OPEN_ELEMENTS = 12, RING_ELEMENTS = 9 };

/* An open rod, a ring, and a rod of a single element, all bent and moving. */
static void add_three_rods(fixture *f) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, OPEN_ELEMENTS, 1, &recipe);
  add_sample(f->world, &sample);
  make_sample_ring(&sample, RING_ELEMENTS, 2);
  add_sample(f->world, &sample);
  make_sample(&sample, 1, 3, &recipe);
  add_sample(f->world, &sample);
}

/* A regular polygon in the plane z = 0: closed, or with its last edge missing. */
static elastica_rod *add_polygon(fixture *f, int edges, int closed) {
  double position[3 * SAMPLE_NODES] = {0.0};
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  for (int i = 0; i < edges; i++) {
    set_vector(position, i, cos(2.0 * 3.14159265358979324 * i / edges), sin(2.0 * 3.14159265358979324 * i / edges), 0.0);
  }
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = closed ? edges : edges - 1;
  def.closed = closed;
  def.position = position;
  def.radius = 0.1;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(f->world, elastica_world_add_rod(f->world, &def, &rod));
  return rod;
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

static void arrays_are_as_long_as_the_points_are_many(void **state) {
  static const char *const vectors[] = {"velocity",  "internal_force", "d1",     "d2",    "d3",
                                        "curvature", "couple",         "strain", "force", "internal_couple"};
  const int points[3] = {OPEN_ELEMENTS + 1, RING_ELEMENTS + 1, 2};
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  assert_well_formed(text);
  for (int r = 0; r < 3; r++) {
    const char *piece = find_piece(text, r);
    assert_int_equal(attribute(piece, "NumberOfPoints"), points[r]);
    assert_int_equal(attribute(piece, "NumberOfLines"), 1);
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) free(read_array(text, r, vectors[v], 3));
    free(read_array(text, r, "radius", 1));
    free(read_array(text, r, "position", 3));
    double *number = read_array(text, r, "rod", 1);
    for (int p = 0; p < points[r]; p++) assert_true(number[3 * p] == r);
    free(number);
  }
  assert_null(strstr(find_elements(text, 2) + 1, "<Piece "));
  free(text);
}

/* One line through the points in order. */
static void a_rod_is_one_line(void **state) {
  const int points[3] = {OPEN_ELEMENTS + 1, RING_ELEMENTS + 1, 2};
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    size_t count;
    unsigned char *bytes = array_bytes(find_array(find_piece(text, r), "connectivity"), &count);
    assert_int_equal(count, 8 * (size_t)points[r]);
    for (int64_t p = 0; p < points[r]; p++) assert_memory_equal(bytes + 8 * p, &p, 8);
    free(bytes);
    const int64_t end = points[r];
    bytes = array_bytes(find_array(find_piece(text, r), "offsets"), &count);
    assert_int_equal(count, 8);
    assert_memory_equal(bytes, &end, 8);
    free(bytes);
  }
  free(text);
}

/* Positions to the bit; what else a node has to single precision. A ring's last point is its first node. */
static void points_are_the_nodes(void **state) {
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double *position = read_array(text, r, "position", 3), *velocity = read_array(text, r, "velocity", 3);
    double *force = read_array(text, r, "internal_force", 3);
    for (int p = 0; p < attribute(find_piece(text, r), "NumberOfPoints"); p++) {
      const int i = p < view->node_count ? p : 0;
      for (int a = 0; a < 3; a++) {
        assert_true(position[3 * p + a] == view->position[a][i]);
        assert_true(velocity[3 * p + a] == (float)view->velocity[a][i]);
        assert_true(force[3 * p + a] == (float)view->internal_force[a][i]);
      }
    }
    free(position), free(velocity), free(force);
  }
  free(text);
}

static void a_node_has_the_mean_radius_of_its_elements(void **state) {
  const double position[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0}, radius[3] = {0.1, 0.2, 0.4};
  const double expected[4] = {0.1, 0.15, 0.3, 0.4};
  fixture *f = *state;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 3;
  def.position = position;
  def.element_radius = radius;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  char *text = frame_text(f);
  double *found = read_array(text, 0, "radius", 1);
  for (int p = 0; p < 4; p++) assert_close(found[3 * p], expected[p], 1e-7);
  free(found);
  free(text);
}

/* kappa = (2 pi/n)/(2 sin(pi/n)) and tau = E I kappa about the normal of the plane, which are d1 and d2 of no matter which angle. */
static void a_polygon_bends_alike_at_every_joint(void **state) {
  enum { EDGES = 16 };
  fixture *f = *state;
  for (int closed = 1; closed >= 0; closed--) add_polygon(f, EDGES, closed);
  char *text = frame_text(f);
  const double pi = 3.14159265358979324, kappa = pi / EDGES / sin(pi / EDGES), stiffness = 1e6 * pi * 1e-4 / 4.0;
  for (int r = 0; r < 2; r++) {
    double *curvature = read_array(text, r, "curvature", 3), *couple = read_array(text, r, "couple", 3);
    const int last = r == 0 ? EDGES : EDGES - 1;
    for (int p = 0; p <= last; p++) {
      const int end = r == 1 && (p == 0 || p == last);
      assert_close(norm(curvature + 3 * p), end ? 0.0 : kappa, 1e-6 * kappa);
      assert_close(norm(couple + 3 * p), end ? 0.0 : stiffness * kappa, 1e-6 * stiffness * kappa);
    }
    free(curvature), free(couple);
  }
  free(text);
}

/* Directors are those of the edge behind a node; the last node has those of the edge before it. */
static void frames_follow_the_edges(void **state) {
  enum { EDGES = 8 };
  fixture *f = *state;
  const elastica_rod_view *view = elastica_rod_get_view(add_polygon(f, EDGES, 0));
  char *text = frame_text(f);
  double *d[3] = {read_array(text, 0, "d1", 3), read_array(text, 0, "d2", 3), read_array(text, 0, "d3", 3)};
  for (int p = 0; p < EDGES; p++) {
    const int j = p < EDGES - 1 ? p : EDGES - 2;
    const double tangent[3] = {view->tangent[0][j], view->tangent[1][j], view->tangent[2][j]};
    double third[3];
    cross(d[0] + 3 * p, d[1] + 3 * p, third);
    assert_all_close(third, tangent, 3, 1e-6);
    assert_all_close(d[2] + 3 * p, tangent, 3, 1e-6);
  }
  for (int a = 0; a < 3; a++) free(d[a]);
  free(text);
}

/* Stretched by e: sigma = e - 1, n = E A (e - 1)/e (3.8) along d3, the ends pulled inwards by it, the rod thinner by sqrt(e). */
static void a_stretched_rod_shows_its_tension(void **state) {
  enum { N = 5 };
  const double e = 1.25, modulus = 1e6, radius = 0.1, tension = modulus * 3.14159265358979324 * radius * radius * (e - 1.0);
  fixture *f = *state;
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, radius, 1000.0, modulus, 0.4e6);
  double position[3 * (N + 1)] = {0.0};
  for (int i = 0; i <= N; i++) position[component(i, Z)] = e * i / N;
  must(f->world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  char *text = frame_text(f);
  for (int p = 0; p <= N; p++) {
    assert_point(text, "strain", p, 0.0, 0.0, e - 1.0);
    assert_point(text, "force", p, 0.0, 0.0, tension);
    assert_point(text, "internal_force", p, 0.0, 0.0, p == 0 ? tension : p == N ? -tension : 0.0);
    assert_point(text, "curvature", p, 0.0, 0.0, 0.0);
  }
  double *radii = read_array(text, 0, "radius", 1);
  assert_close(radii[0], radius / sqrt(e), 1e-7);
  free(radii), free(text);
}

static void what_elements_have_is_averaged(void **state) {
  fixture *f = *state;
  add_three_rods(f);
  char *text = frame_text(f);
  for (int r = 0; r < 3; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int n = view->element_count;
    double *found = read_array(text, r, "internal_couple", 3);
    for (int a = 0; a < 3; a++) {
      const double *couple = view->internal_couple[a];
      const double first = view->closed ? 0.5 * (couple[n - 1] + couple[0]) : couple[0], last = view->closed ? first : couple[n - 1];
      assert_close(found[a], first, 1e-6 * fabs(first));
      for (int p = 1; p < n; p++) assert_close(found[3 * p + a], 0.5 * couple[p - 1] + 0.5 * couple[p], 1e-6 * (fabs(couple[p]) + 1e-3));
      assert_close(found[3 * n + a], last, 1e-6 * fabs(last));
    }
    free(found);
  }
  free(text);
}

static void the_index_lists_all_frames_with_their_times(void **state) {
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

static void the_locale_does_not_matter(void **state) {
  fixture *f = *state;
  if (!use_comma()) skip();
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  must(f->world, elastica_vtk_frame(f->vtk));
  char *text = scratch_read(&f->folder, "run.pvd");
  assert_non_null(strstr(text, "timestep=\"6.103515625e-05\""));
  free(text);
}

/* An index without frames and a frame without rods are files too; ParaView wants one piece at least. */
static void an_empty_world_has_frames(void **state) {
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

static void names_may_have_any_characters_but_slash_and_control(void **state) {
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
  assert_says(elastica_world_message(f->world), "name");
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "a\nb", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "run.pvd", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "a\177", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "control characters");
}

static void arguments_are_checked(void **state) {
  fixture *f = *state;
  elastica_vtk *vtk = f->vtk;
  assert_int_equal(elastica_vtk_open(NULL, f->folder.path, "b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_null(vtk);
  assert_status(f->world, elastica_vtk_open(f->world, "", "b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f->world), "directory");
  assert_status(f->world, elastica_vtk_open(f->world, NULL, "b", &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, NULL, &vtk), ELASTICA_INVALID_ARGUMENT);
  assert_status(f->world, elastica_vtk_open(f->world, f->folder.path, "b", NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_vtk_frame(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_vtk_close(NULL), ELASTICA_OK);
}

static void a_missing_folder_is_seen_when_opening(void **state) {
  fixture *f = *state;
  elastica_vtk *vtk = f->vtk;
  const char *path = scratch_path(&f->folder, "missing");
  assert_status(f->world, elastica_vtk_open(f->world, path, "run", &vtk), ELASTICA_IO_ERROR);
  assert_null(vtk);
  assert_says(elastica_world_message(f->world), path);
  assert_says(elastica_world_message(f->world), strerror(ENOENT));
}

/* What is written under this name meets a full disk. */
static void fill_disk_at(fixture *f, const char *name) {
  if (access("/dev/full", W_OK) != 0) skip();
  assert_int_equal(symlink("/dev/full", scratch_path(&f->folder, name)), 0);
}

/* Whichever of the two files does not fit: the frame is not there, the index is the old one, and the next call succeeds. */
static void a_full_disk_costs_the_frame_and_nothing_else(void **state) {
  static const char *const blocked[] = {"run_000001.vtp.tmp", "run.pvd.tmp"};
  fixture *f = *state;
  add_three_rods(f);
  must(f->world, elastica_vtk_frame(f->vtk));
  char *index = scratch_read(&f->folder, "run.pvd");
  for (int k = 0; k < 2; k++) {
    fill_disk_at(f, blocked[k]);
    assert_status(f->world, elastica_vtk_frame(f->vtk), ELASTICA_IO_ERROR);
    assert_says(elastica_world_message(f->world), strerror(ENOSPC));
    assert_says(elastica_world_message(f->world), k == 0 ? "run_000001.vtp" : "run.pvd");
    assert_file(&f->folder, "run.pvd", index);
    assert_int_equal(scratch_file_count(&f->folder), 2);
  }
  must(f->world, elastica_vtk_frame(f->vtk));
  assert_int_equal(scratch_file_count(&f->folder), 3);
  free(index);
}

static void no_memory_costs_the_frame_and_nothing_else(void **state) {
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

/* A run that has blown up is just the one to look at: its frames are as whole as others. */
static void a_world_that_failed_can_still_be_written(void **state) {
  fixture *f = *state;
  const double far[3] = {0.0, 0.0, 1e200};
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_add_gravity(f->world, far, NULL));
  elastica_world_step(f->world, 0x1p-14, 10);
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

/* Forces can be had between steps only. */
static void a_frame_from_inside_a_hook_is_refused(void **state) {
  fixture *f = *state;
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "write_from_hook";
  module.self = f;
  module.observe = write_from_hook;
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  assert_int_equal(scratch_file_count(&f->folder), 1);
}

#define claim(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      claim(arrays_are_as_long_as_the_points_are_many),
      claim(a_rod_is_one_line),
      claim(points_are_the_nodes),
      claim(a_node_has_the_mean_radius_of_its_elements),
      claim(a_polygon_bends_alike_at_every_joint),
      claim(frames_follow_the_edges),
      claim(a_stretched_rod_shows_its_tension),
      claim(what_elements_have_is_averaged),
      claim(the_index_lists_all_frames_with_their_times),
      claim(the_locale_does_not_matter),
      claim(an_empty_world_has_frames),
      claim(names_may_have_any_characters_but_slash_and_control),
      claim(arguments_are_checked),
      claim(a_missing_folder_is_seen_when_opening),
      claim(a_full_disk_costs_the_frame_and_nothing_else),
      claim(no_memory_costs_the_frame_and_nothing_else),
      claim(a_world_that_failed_can_still_be_written),
      claim(a_frame_from_inside_a_hook_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
