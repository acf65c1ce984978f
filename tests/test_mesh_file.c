/* Meshes in files: STL as text and binary, and OBJ, give closed meshes; each fault of a file is a sentence that names it and the line. */
#include "base/target.h"

#include "../examples/common/mesh_file.h"
#include "meshes.h"
#include "writing.h"

#include <stdint.h>

static mesh_data data;

static void write_bytes(fixture *f, const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(scratch_path(&f->folder, name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_text(fixture *f, const char *name, const char *text) {
  write_bytes(f, name, text, strlen(text));
}

static void put_word(unsigned char *to, uint32_t word) {
  for (int b = 0; b < 4; b++) to[b] = (unsigned char)(word >> 8 * b);
}

/* Writes a mesh as binary STL; returns the number of bytes. */
static size_t binary_of(const mesh_data *of, unsigned char *bytes) {
  memset(bytes, 0, 84 + 50 * (size_t)of->triangle_count);
  memcpy(bytes, "solid, in spite of its name", 27);
  put_word(bytes + 80, (uint32_t)of->triangle_count);
  for (int t = 0; t < of->triangle_count; t++)
    for (int k = 0; k < 9; k++) {
      const float single = (float)of->points[3 * of->triangles[3 * t + k / 3] + k % 3];
      uint32_t bits;
      memcpy(&bits, &single, sizeof bits);
      put_word(bytes + 84 + 50 * t + 12 + 4 * k, bits);
    }
  return 84 + 50 * (size_t)of->triangle_count;
}

static void write_text_stl(fixture *f, const mesh_data *of, const char *name) {
  FILE *file = fopen(scratch_path(&f->folder, name), "w");
  assert_non_null(file);
  fprintf(file, "solid part\n");
  for (int t = 0; t < of->triangle_count; t++) {
    fprintf(file, " facet normal 0 0 0\n  outer loop\n");
    for (int k = 0; k < 3; k++) {
      const double *x = of->points + 3 * of->triangles[3 * t + k];
      fprintf(file, "   vertex %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    fprintf(file, "  endloop\n endfacet\n");
  }
  fprintf(file, "endsolid part\n");
  assert_int_equal(fclose(file), 0);
}

static mesh_file read_mesh(fixture *f, const char *name, double scale) {
  mesh_file out;
  char error[400];
  if (!mesh_file_read(scratch_path(&f->folder, name), scale, &out, error, sizeof error)) fail_msg("%s", error);
  return out;
}

/* The mesh is one of the library, and has its distances. */
static void claim_same(fixture *f, const mesh_file *mesh) {
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.1);
  assert_int_equal(mesh->point_count, data.point_count);
  assert_int_equal(mesh->triangle_count, data.triangle_count);
  for (int t = 0; t < 3 * data.triangle_count; t++)
    for (int a = 0; a < 3; a++) assert_close(mesh->points[3 * mesh->triangles[t] + a], data.points[3 * data.triangles[t] + a], 1e-7);
  def.points = mesh->points, def.triangles = mesh->triangles;
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
}

TEST_IN_FOLDER(meshes_come_back) {
  fixture *f = *state;
  static unsigned char bytes[84 + 50 * 4000];
  mesh_ball(&data, 1.0, 30);
  write_bytes(f, "ball.STL", bytes, binary_of(&data, bytes));
  mesh_file mesh = read_mesh(f, "ball.STL", 1.0);
  claim_same(f, &mesh);
  mesh_file_free(&mesh);
  write_text_stl(f, &data, "ball.stl");
  mesh = read_mesh(f, "ball.stl", 1.0);
  claim_same(f, &mesh);
  mesh_file_free(&mesh);
}

/* Indices from both ends, with textures and normals, comments, a face of four points; lengths in millimetres. */
TEST_IN_FOLDER(objects_are_cut_into_fans) {
  fixture *f = *state;
  write_text(
      f, "box.obj",
      "# a box\nmtllib none.mtl\no box\nv 0 0 0\nv 100 0 0 1.0\nv 100 100 0\nv 0 100 0\nv 0 0 50\nv 100 0 50\nv 100 100 50\nv 0 100 50\n"
      "vt 0 0\nvn 0 0 1\nf 4 3 2 1\nf 5/1/1 6/1/1 7/1/1 8//1\nf -8 -7 -3 -4\nf 2 3 7 6\r\nf 3 4 8 7\nf 4 1 5 8");
  mesh_file mesh = read_mesh(f, "box.obj", 1e-3);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.1);
  assert_int_equal(mesh.point_count, 8);
  assert_int_equal(mesh.triangle_count, 12);
  assert_close(mesh.points[20], 0.05, 1e-15);
  def.points = mesh.points, def.point_count = mesh.point_count, def.triangles = mesh.triangles, def.triangle_count = mesh.triangle_count;
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
  mesh_file_free(&mesh);
}

TEST_IN_FOLDER(collapsed_triangles_are_left_out) {
  fixture *f = *state;
  write_text(f, "needle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\n");
  mesh_file mesh = read_mesh(f, "needle.obj", 1.0);
  assert_true(mesh.triangle_count == 1 && mesh.collapsed == 1);
  mesh_file_free(&mesh);
}

#define TRIANGLE(z) "facet normal 0 0 1\nouter loop\nvertex 0 0 " z "\nvertex 1 0 " z "\nvertex 0 1 " z "\nendloop\nendfacet\n"

/* Forms in which programs write these files. */
TEST_IN_FOLDER(other_forms_are_read) {
  static const struct {
    const char *name, *text;
    int points, triangles;
  } rows[] = {
      {"two.stl", "solid C:\\a\\\n" TRIANGLE("0") "endsolid a b\nsolid c\n" TRIANGLE("1") TRIANGLE("0") "endsolid c\n", 6, 3},
      {"empty_first.stl", "solid\nendsolid\n\nsolid\n" TRIANGLE("0") "endsolid", 3, 1},
      {"capitals.stl",
       "\n  SOLID A\r\n  FACET NORMAL 0 0 1\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 1 0 0\r\nVERTEX 0 1 0\r\nENDLOOP\r\nENDFACET\r\n"
       "ENDSOLID A\r\n",
       3, 1},
      {"returns.obj", "# c\rv 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", 3, 1},
      {"comment.obj", "# C:\\a\\\nv 0 0 0 # a\nv 1 0 0\nv 0 1 0\nf 1/1 2/2 3/3 # b\nf 3 2 1 #c", 3, 2},
      {"continued.obj", "v 0 0 \\\n 0\nv 1 0 0\nv 0 1 0\ng a \\\nf 1 2 1\nf 1\\\r\n 2 3\n", 3, 1},
  };
  fixture *f = *state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    write_text(f, rows[k].name, rows[k].text);
    mesh_file mesh = read_mesh(f, rows[k].name, 1.0);
    assert_int_equal(mesh.point_count, rows[k].points);
    assert_int_equal(mesh.triangle_count, rows[k].triangles);
    assert_int_equal(mesh.collapsed, 0);
    mesh_file_free(&mesh);
  }
}

TEST_IN_FOLDER(scales_are_checked) {
  static const double scales[] = {0.0, -1.0, NAN, INFINITY, 1e31};
  fixture *f = *state;
  mesh_file mesh;
  char error[400];
  write_text(f, "flat.obj", "v 0 0 0\nv 1e10 0 0\nv 0 1 0\nf 1 2 3\n");
  for (int k = 0; k < 5; k++) {
    assert_int_equal(mesh_file_read(scratch_path(&f->folder, "flat.obj"), scales[k], &mesh, error, sizeof error), 0);
    assert_says(error, "flat.obj: the scale is", "not between 0 and 1e+30");
  }
  assert_int_equal(mesh_file_read(scratch_path(&f->folder, "flat.obj"), 1e25, &mesh, error, sizeof error), 0);
  assert_says(error, "line 2: a coordinate is 1e+10, times the scale 1e+25", "more than 1e+30 m");
}

#define FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"

TEST_IN_FOLDER(faults_are_named) {
  static const struct {
    const char *name, *text, *first, *second;
  } rows[] = {
      {"empty.stl", "", "empty.stl: it has 0 bytes", "'solid'"},
      {"empty.obj", "", "empty.obj: it has no triangles", ""},
      {"none.stl", "solid\nendsolid\n", "no triangles", ""},
      {"part.ply", "ply", "part.ply: its name ends neither", ".obj"},
      {"cut.stl", "solid a\n" FACET, "cut.stl, line 6: the file ends", "'vertex'"},
      {"open.stl", "solid a\n" FACET "vertex 0 1 0\nendloop\nendfacet\n", "line 9: the file ends without 'endsolid', after 1 triangles",
       ""},
      {"four.stl", "solid a\n" FACET "vertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid", "line 7: 'vertex' stands where 'endloop'",
       ""},
      {"nan.stl", "solid a\n" FACET "vertex 0 nan 0\nendloop\nendfacet\nendsolid", "line 6: a coordinate is", "nan, not finite"},
      {"word.stl", "solid a\n" FACET "vertex 0 x 0\nendloop\nendfacet\nendsolid", "line 6: 'x' is not a number", ""},
      {"other.stl", "solid a\nfacets\nendsolid", "line 2: 'facets' stands where 'facet'", ""},
      {"after.stl", "solid a\nendsolid a\nfacet", "line 3: 'facet' stands where 'solid'", ""},
      {"second.stl", "SOLID a\n" TRIANGLE("0") "endsolid\nsolid b\nfacets", "line 11: 'facets' stands where 'facet'", ""},
      {"line.obj", "v 0 0 0\rv 1 0 \\\r\n0\rf 1 2\r", "line 4: the face has 2 points", ""},
      {"two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "two.obj, line 3: the face has 2 points", ""},
      {"zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4: the face has point 0", "3 points so far"},
      {"far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: the face has point 4", "3 points so far"},
      {"back.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", "line 4: the face has point -4", ""},
      {"letter.obj", "v 0 0 0\nf a b c\n", "line 2: 'a' is not the index", ""},
      {"infinite.obj", "v 0 0 inf\n", "line 1: a coordinate is inf", ""},
      {"short.obj", "v 0 0\nv 1 0 0\n", "line 1: a number is missing", ""},
  };
  fixture *f = *state;
  unsigned char bytes[84 + 600];
  mesh_file mesh;
  char error[400];
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    write_text(f, rows[k].name, rows[k].text);
    assert_int_equal(mesh_file_read(scratch_path(&f->folder, rows[k].name), 1.0, &mesh, error, sizeof error), 0);
    assert_says(error, rows[k].first, rows[k].second);
    assert_null(mesh.points);
  }
  assert_int_equal(mesh_file_read(scratch_path(&f->folder, "absent.stl"), 1.0, &mesh, error, sizeof error), 0);
  assert_says(error, "absent.stl", "cannot be opened");
  mesh_box(&data, 1.0, 1.0, 1.0);
  const size_t size = binary_of(&data, bytes);
  memset(bytes, 0, 27);
  write_bytes(f, "less.stl", bytes, size - 7);
  assert_int_equal(mesh_file_read(scratch_path(&f->folder, "less.stl"), 1.0, &mesh, error, sizeof error), 0);
  assert_says(error, "less.stl", "50 x 12 bytes", "has 677");
  put_word(bytes + 80, 4000000000u);
  write_bytes(f, "more.stl", bytes, size);
  assert_int_equal(mesh_file_read(scratch_path(&f->folder, "more.stl"), 1.0, &mesh, error, sizeof error), 0);
  assert_says(error, "more.stl", "50 x 4000000000 bytes");
  put_word(bytes + 80, 12), put_word(bytes + 100, 0x7fc00000u);
  write_bytes(f, "nans.stl", bytes, size);
  assert_int_equal(mesh_file_read(scratch_path(&f->folder, "nans.stl"), 1.0, &mesh, error, sizeof error), 0);
  assert_says(error, "nans.stl", "not finite");
}
