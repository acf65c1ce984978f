/* Rigid bodies in frames for ParaView: closed surfaces around the body that move with it. */
#include "base/target.h"

#include "meshes.h"
#include "output/objects.h"
#include "samples.h"
#include "vtk_reader.h"
#include "writing.h"

static mesh_data data;

static const double pi = 3.14159265358979324;

/* A rod, and a body of each shape, two of them with turned principal axes. */
static char *frame_of_bodies(fixture *f) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, 4, 1, &recipe);
  add_sample(f->world, &sample);
  for (int k = 0; k < 4; k++) add_numbered_body(f->world, k);
  return frame_text(f);
}

static elastica_body_info body_of(fixture *f, int k) {
  return body_now(elastica_world_rod(f->world, 1 + k));
}

/* Polygons of a piece: their ends, and the points of all. */
typedef struct polygons {
  int64_t *end, *corner;
  int count;
} polygons;

static polygons read_polygons(const char *piece) {
  polygons of;
  size_t bytes;
  const char *cells = strstr(piece, "<Polys>");
  of.end = (int64_t *)array_bytes(find_array(cells, "offsets"), &bytes);
  of.count = (int)(bytes / 8);
  assert_int_equal(of.count, attribute(piece, "NumberOfPolys"));
  of.corner = (int64_t *)array_bytes(find_array(cells, "connectivity"), &bytes);
  assert_int_equal(bytes / 8, of.end[of.count - 1]);
  return of;
}

static double signed_volume(const polygons *of, const double *x) {
  double volume = 0.0;
  for (int k = 0; k < of->count; k++) {
    const int64_t first = k > 0 ? of->end[k - 1] : 0;
    for (int64_t c = first + 1; c + 1 < of->end[k]; c++) {
      const double *p = x + 3 * of->corner[first], *q = x + 3 * of->corner[c], *r = x + 3 * of->corner[c + 1];
      volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])) / 6.0;
    }
  }
  return volume;
}

/* Every edge occurs once in each direction. */
static int is_closed(const polygons *of, int points) {
  char *seen = calloc((size_t)(points * points), 1);
  int closed = 1;
  assert_non_null(seen);
  for (int k = 0; k < of->count; k++) {
    const int64_t first = k > 0 ? of->end[k - 1] : 0;
    for (int64_t c = first; c < of->end[k]; c++) {
      const int64_t next = c + 1 < of->end[k] ? c + 1 : first;
      closed &= seen[of->corner[c] * points + of->corner[next]]++ == 0;
    }
  }
  for (int p = 0; p < points; p++)
    for (int q = 0; q < points; q++) closed &= seen[p * points + q] == seen[q * points + p];
  free(seen);
  return closed;
}

/* Area of a polygon of 20 corners in a circle, divided by that of the circle. */
static double share_of_circle(void) {
  return 20.0 * sin(2.0 * pi / 20.0) / (2.0 * pi);
}

TEST_WITH_FRAMES(a_surface_is_closed_and_encloses_the_body) {
  fixture *f = *state;
  char *text = frame_of_bodies(f);
  assert_well_formed(text);
  for (int k = 0; k < 4; k++) {
    const elastica_body_info body = body_of(f, k);
    const char *piece = find_piece(text, 1 + k);
    const int points = attribute(piece, "NumberOfPoints");
    double *x = read_numbers(find_array(piece, "position"), points, 3);
    polygons of = read_polygons(piece);
    assert_true(is_closed(&of, points));
    const double share = signed_volume(&of, x) / body.volume;
    if (body.shape == ELASTICA_SHAPE_BOX)
      assert_close(share, 1.0, 1e-12);
    else if (body.shape == ELASTICA_SHAPE_CYLINDER)
      assert_close(share, share_of_circle(), 1e-12);
    else
      assert_true(share > 0.95 && share < share_of_circle());
    free(x), free(of.end), free(of.corner);
  }
  free(text);
}

/* Distance of a point from the surface of the shape, in the frame of the definition. */
static double depth_of(const elastica_body_info *body, const double x[3]) {
  double own[3], r2 = 0.0;
  for (int a = 0; a < 3; a++) {
    own[a] = 0.0;
    for (int b = 0; b < 3; b++) own[a] += body->director[3 * a + b] * (x[b] - body->position[b]);
  }
  if (body->shape == ELASTICA_SHAPE_BOX) return fabs(own[0]) - 0.5 * body->edges[0];
  r2 = own[0] * own[0] + own[1] * own[1];
  if (body->shape == ELASTICA_SHAPE_CYLINDER) return sqrt(r2) - body->radius;
  const double over = fabs(own[2]) - 0.5 * body->length, past = over > 0.0 ? over : 0.0;
  return sqrt(r2 + past * past) - body->radius;
}

TEST_WITH_FRAMES(points_are_on_the_surface_and_move_as_the_body_does) {
  fixture *f = *state;
  char *text = frame_of_bodies(f);
  for (int k = 0; k < 4; k++) {
    const elastica_body_info body = body_of(f, k);
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(f->world, 1 + k));
    const char *piece = find_piece(text, 1 + k);
    const int points = attribute(piece, "NumberOfPoints");
    double *x = read_numbers(find_array(piece, "position"), points, 3), *v = read_numbers(find_array(piece, "velocity"), points, 3);
    const double material[3] = {view->omega[0][0], view->omega[1][0], view->omega[2][0]};
    double w[3];
    elastica_rotate_to_laboratory(view, 0, material, w);
    for (int p = 0; p < points; p++) {
      assert_close(depth_of(&body, x + 3 * p), 0.0, 1e-14);
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const double turning = w[b] * (x[3 * p + c] - body.position[c]) - w[c] * (x[3 * p + b] - body.position[b]);
        assert_close(v[3 * p + a], body.velocity[a] + turning, 1e-6);
      }
    }
    free(x), free(v);
  }
  free(text);
}

/* Cell arrays of the surface equal those of the body, and its vertex follows. */
TEST_WITH_FRAMES(a_surface_has_the_values_of_its_body) {
  fixture *f = *state;
  char *text = frame_of_bodies(f);
  for (int k = 0; k < 4; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(f->world, 1 + k));
    const char *piece = find_piece(text, 1 + k), *cells = strstr(piece, "<CellData>");
    const int count = attribute(piece, "NumberOfPolys");
    double *spin = read_numbers(find_array(cells, "omega"), count, 3), *v = read_numbers(find_array(cells, "velocity"), count, 3),
           *rod = read_numbers(find_array(cells, "rod"), count, 1);
    for (int j = 0; j < count; j++) {
      for (int a = 0; a < 3; a++) assert_true(spin[3 * j + a] == (float)view->omega[a][0] && v[3 * j + a] == (float)view->velocity[a][0]);
      assert_true(rod[3 * j] == 1 + k);
    }
    assert_int_equal(attribute(find_elements(text, 1 + k), "NumberOfVerts"), 1);
    free(spin), free(v), free(rod);
  }
  free(text);
}

TEST_WITH_FRAMES(frames_of_one_state_have_the_same_bytes) {
  fixture *f = *state;
  char *first = frame_of_bodies(f);
  must(f->world, elastica_vtk_frame(f->vtk));
  char *second = scratch_read(&f->folder, "run_000001.vtp");
  assert_string_equal(first, second);
  free(first), free(second);
}

/* A rod above a floor and beside an infinite cylinder, a box and a ball. */
TEST_WITH_FRAMES(obstacles_are_surfaces_that_belong_to_no_rod) {
  enum { OBSTACLES = 4 };
  fixture *f = *state;
  add_straight_rod(f->world, 4, 1.5, 0.01, 1000.0, 1e6, 0.4e6); /* along z, from the origin */
  DEFAULTS(obstacle, wall);
  wall.position[2] = -0.5, wall.stiffness = 1.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &wall, NULL));
  wall.shape = ELASTICA_SHAPE_CYLINDER, wall.radius = 0.2, wall.length = INFINITY, wall.position[0] = 2.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &wall, NULL));
  DEFAULTS(obstacle, obstacle);
  obstacle.kind = ELASTICA_OBSTACLE_ELASTIC;
  obstacle.modulus = 1e4, obstacle.position[1] = 2.0;
  obstacle.shape = ELASTICA_SHAPE_BOX, obstacle.edges[0] = 0.5, obstacle.edges[1] = 0.4, obstacle.edges[2] = 0.3;
  must(f->world, elastica_add_obstacle(f->world, NULL, &obstacle, NULL));
  obstacle.shape = ELASTICA_SHAPE_SPHERE, obstacle.radius = 0.3, obstacle.position[1] = -2.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &obstacle, NULL));
  char *text = frame_text(f);
  assert_well_formed(text);
  for (int k = 0; k < OBSTACLES; k++) {
    const char *piece = find_any_piece(text, 2 + k);
    const int points = attribute(piece, "NumberOfPoints");
    double *x = read_numbers(find_array(piece, "position"), points, 3), *rod = read_numbers(find_array(piece, "rod"), points, 1);
    polygons of = read_polygons(piece);
    const double volume = signed_volume(&of, x);
    assert_true(is_closed(&of, points) && rod[0] == -1.0);
    double highest = -INFINITY, widest = 0.0;
    for (int p = 0; p < points; p++) highest = fmax(highest, x[3 * p + 2]), widest = fmax(widest, fabs(x[3 * p]));
    if (k == 0) assert_true(fabs(highest + 0.5) < 1e-12 && widest > 1.0);
    if (k == 1) assert_close(volume / (share_of_circle() * pi * 0.04), 6.0, 1e-9); /* four times the height of the rod */
    if (k == 2) assert_close(volume, 0.5 * 0.4 * 0.3, 1e-12);
    if (k == 3) assert_true(volume > 0.95 * 4.0 / 3.0 * pi * 0.027 && volume < 4.0 / 3.0 * pi * 0.027);
    free(x), free(rod), free(of.end), free(of.corner);
  }
  assert_null(strstr(find_any_piece(text, 2 + OBSTACLES - 1) + 1, "<Piece "));
  free(text);
}

/* Checks the files of obstacles, their pieces, and their entries in the index, one for each frame; -1: none. */
static void claim_obstacle_files(fixture *f, const int *files, int frames, int points) {
  char *index = scratch_read(&f->folder, "run.pvd"), *entry = index;
  assert_well_formed(index);
  for (int k = 0, last = -1; k < frames; k++) {
    char name[64], wanted[80];
    snprintf(name, sizeof name, "run_obstacles_%06d.vtp", k);
    assert_int_equal(scratch_has(&f->folder, name), files[k] == k);
    if (files[k] < 0) continue;
    snprintf(wanted, sizeof wanted, "part=\"2\" file=\"run_obstacles_%06d.vtp\"", files[k]);
    entry = strstr(entry, "part=\"2\"");
    assert_non_null(entry);
    assert_memory_equal(entry, wanted, strlen(wanted));
    entry++;
    if (files[k] == last) continue;
    snprintf(name, sizeof name, "run_obstacles_%06d.vtp", last = files[k]);
    char *text = scratch_read(&f->folder, name);
    assert_well_formed(text);
    assert_null(strstr(text, "TimeValue"));
    assert_int_equal(attribute(find_any_piece(text, 0), "NumberOfPoints"), points);
    free(text);
  }
  assert_null(strstr(entry, "part=\"2\""));
  free(index);
}

/* A mesh is written again when it has moved or was switched on; frames between share its file. */
TEST_WITH_FRAMES(meshes_are_written_when_they_change) {
  enum { FRAMES = 7, POINTS = 8 };
  static const int files[FRAMES] = {0, 0, 0, 3, -1, 5, 5};
  fixture *f = *state;
  elastica_effect *effect = NULL;
  mesh_box(&data, 1.0, 2.0, 0.5);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, &effect));
  for (int k = 0; k < FRAMES; k++) {
    def.position[0] = 1.0;
    if (k == 3) must(f->world, elastica_obstacle_set(effect, &def));
    if (k == 4 || k == 5) must(f->world, elastica_effect_set_enabled(effect, k == 5));
    must(f->world, elastica_vtk_frame(f->vtk));
    must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  }
  assert_int_equal(scratch_file_count(&f->folder), 1 + FRAMES + 3);
  claim_obstacle_files(f, files, FRAMES, POINTS);
}

/* user: a component of velocity or spin. */
static elastica_status creep(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const int component = *(const int *)user;
  (void)time, (void)position, (void)director;
  *(component < 3 ? &velocity[component] : &omega[component - 3]) = 1e-9;
  return ELASTICA_OK;
}

static int count_pieces(const char *text) {
  int count = 0;
  for (const char *piece = text; (piece = strstr(piece, "<Piece ")) != NULL; piece++) count++;
  return count;
}

/* A mesh that moves or turns in any direction is in each frame, one at rest in a file of its own. */
TEST_WITH_FRAMES(meshes_that_move_in_any_direction_are_in_the_frame) {
  static int components[6] = {0, 1, 2, 3, 4, 5};
  fixture *f = *state;
  mesh_box(&data, 1.0, 2.0, 0.5);
  for (int k = 0; k < 7; k++) {
    elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
    if (k < 6) def.motion = creep, def.user = &components[k];
    must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
  }
  char *frame = frame_text(f), *own = scratch_read(&f->folder, "run_obstacles_000000.vtp");
  assert_int_equal(count_pieces(frame), 1 + 6); /* the first is that of all rods */
  assert_int_equal(count_pieces(own), 1);
  free(frame), free(own);
}

/* A plane is drawn below the middle of all nodes, four times as wide as their extent. */
TEST_WITH_FRAMES(a_plane_is_four_times_as_wide_as_the_rods) {
  fixture *f = *state;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  DEFAULTS(rod, rod);
  rod.element_count = 4, rod.length = 1.5, rod.radius = 0.01, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  rod.start[0] = 3.0, rod.start[1] = 5.0, rod.start[2] = 1.0;
  must(f->world, elastica_world_add_rod(f->world, &rod, NULL));
  DEFAULTS(obstacle, wall);
  wall.stiffness = 1.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &wall, NULL));
  char *text = frame_text(f);
  const char *piece = find_any_piece(text, 2);
  const int points = attribute(piece, "NumberOfPoints");
  double *x = read_numbers(find_array(piece, "position"), points, 3);
  for (int p = 0; p < points; p++)
    for (int a = 0; a < 2; a++) low[a] = fmin(low[a], x[3 * p + a]), high[a] = fmax(high[a], x[3 * p + a]);
  for (int a = 0; a < 2; a++) {
    assert_close(high[a] - low[a], 6.0, 1e-12);
    assert_close(0.5 * (low[a] + high[a]), a ? 5.0 : 3.0, 1e-12);
  }
  free(x), free(text);
}

/* All points of a straight tube lie on its surface: outside, the half balls of its ends belong to it; inside, rims and flat faces, half the
 * radius of an end beyond it. */
TEST_WITH_FRAMES(a_tube_is_drawn_around_its_axis_with_its_ends) {
  const double ends[6] = {0.1, 0.0, 0.0, 0.7, 0.0, 0.0}, radii[2] = {0.04, 0.06};
  fixture *f = *state;
  for (int inside = 0; inside < 2; inside++) {
    elastica_effect *effect = NULL;
    int points = 0;
    double low = INFINITY, high = -INFINITY, widest = 0.0;
    eli_body solid;
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_TUBE, def.modulus = 1e4;
    def.points = ends, def.radii = radii, def.point_count = 2, def.side = inside ? ELASTICA_SIDE_INSIDE : ELASTICA_SIDE_OUTSIDE;
    def.position[0] = 1.0, def.position[1] = 2.0, def.position[2] = 3.0;
    must(f->world, elastica_add_obstacle(f->world, NULL, &def, &effect));
    must(f->world, eli_find_solid(effect, "test", &solid));
    must(f->world, elastica_vtk_frame(f->vtk));
    char *text = scratch_read(&f->folder, inside ? "run_obstacles_000001.vtp" : "run_obstacles_000000.vtp");
    for (const char *piece = strstr(text, "<Piece "); piece != NULL; piece = strstr(piece + 1, "<Piece ")) {
      const int count = attribute(piece, "NumberOfPoints");
      double *x = read_numbers(find_array(piece, "position"), count, 3);
      for (int p = 0; p < count; p++, points++) {
        double gradient[3];
        const double *at = x + 3 * p;
        const double distance = eli_obstacle_distance(&solid.obstacle, solid.place.position, solid.place.director, at, gradient);
        assert_close(distance, 0.0, inside ? 4e-5 : 1e-12); /* the ring of a face is a thousandth of the rim off */
        low = fmin(low, at[0]), high = fmax(high, at[0]), widest = fmax(widest, hypot(at[1] - 2.0, at[2] - 3.0));
      }
      free(x);
    }
    assert_true(points > 8);
    assert_close(low, inside ? 1.1 - 0.5 * 0.04 : 1.1 - 0.04, 4e-5);
    assert_close(high, inside ? 1.7 + 0.5 * 0.06 : 1.7 + 0.06, 4e-5);
    assert_close(widest, inside ? 0.12 : 0.06, 1e-12);
    free(text);
    elastica_effect_remove(effect);
    must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  }
}

/* The file of obstacles of the frame before is gone: the next frame writes its own. */
TEST_WITH_FRAMES(a_lost_file_of_meshes_is_written_again) {
  fixture *f = *state;
  mesh_box(&data, 1.0, 2.0, 0.5);
  const elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
  for (int k = 0; k < 2; k++) {
    must(f->world, elastica_vtk_frame(f->vtk));
    if (k == 0) assert_int_equal(remove(scratch_path(&f->folder, "run_obstacles_000000.vtp")), 0);
    must(f->world, elastica_world_step(f->world, 0x1p-14, 1));
  }
  assert_false(scratch_has(&f->folder, "run_obstacles_000000.vtp"));
  assert_true(scratch_has(&f->folder, "run_obstacles_000001.vtp"));
}

/* The name of their file is longer by 10 bytes than that of the frame. */
TEST_WITH_FRAMES(names_that_leave_no_room_for_meshes_are_refused) {
  fixture *f = *state;
  mesh_box(&data, 1.0, 2.0, 0.5);
  const elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
  for (int length = 230; length <= 231; length++) {
    char name[240] = {0};
    elastica_vtk *vtk = NULL;
    memset(name, 'n', (size_t)length);
    must(f->world, elastica_vtk_open(f->world, f->folder.path, name, &vtk));
    const int before = scratch_file_count(&f->folder);
    if (length == 230)
      must(f->world, elastica_vtk_frame(vtk));
    else
      assert_refused(f->world, elastica_vtk_frame(vtk), ELASTICA_INVALID_ARGUMENT, "vtk_frame", "231", "230");
    assert_int_equal(scratch_file_count(&f->folder), before + (length == 230 ? 2 : 0));
    must(f->world, elastica_vtk_close(vtk));
  }
}
