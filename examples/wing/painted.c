#include "painted.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file error ends the program, as in output.c. */
typedef struct text {
  FILE *file;
  char path[1024];
} text;

static void fail(const example *e, const char *path) {
  fprintf(stderr, "%s: %s: %s\n", e->about->name, path, strerror(errno));
  exit(3);
}

static text open_text(const example *e, const char *format, ...) {
  text t;
  va_list arguments;
  const int used = snprintf(t.path, sizeof t.path, "%s/", e->output.folder);
  va_start(arguments, format);
  vsnprintf(t.path + used, sizeof t.path - (size_t)used, format, arguments);
  va_end(arguments);
  t.file = fopen(t.path, "w");
  if (!t.file) fail(e, t.path);
  return t;
}

static void close_text(const example *e, text *t) {
  const int broken = ferror(t->file);
  if (fclose(t->file) != 0 || broken) fail(e, t->path);
}

/* ---- A frame ---- */

/* A body has two ends, on d3. */
static int point_count(const elastica_rod_view *rod) {
  return rod->rigid ? 2 : rod->element_count + 1;
}

static void find_point(elastica_rod *rod, int i, double point[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_body_info body;
  const int node = view->closed && i == view->element_count ? 0 : i;
  if (!view->rigid)
    for (int a = 0; a < 3; a++) point[a] = view->position[a][node];
  else if (elastica_body_get(rod, &body) == ELASTICA_OK)
    for (int a = 0; a < 3; a++)
      point[a] =
          body.position[a] + (i ? 1 : -1) * (body.length / 2 + (body.shape == ELASTICA_SHAPE_CAPSULE) * body.radius) * body.director[6 + a];
}

static double radius_of(elastica_rod *rod, int j) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_body_info body;
  if (view->rigid && elastica_body_get(rod, &body) == ELASTICA_OK) return body.radius;
  return elastica_rod_radius(view, j);
}

static void write_points(const text *t, elastica_world *world) {
  double x[3] = {0};
  fprintf(t->file, "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n");
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    for (int i = 0; i < point_count(elastica_rod_get_view(rod)); i++) {
      find_point(rod, i, x);
      fprintf(t->file, "%.6g %.6g %.6g\n", x[X], x[Y], x[Z]);
    }
  }
  fprintf(t->file, "</DataArray></Points>\n");
}

static void write_lines(const text *t, elastica_world *world) {
  int point = 0, lines = 0;
  fprintf(t->file, "<Lines><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n");
  for (int k = 0; k < elastica_world_get(world).rod_count; k++, point++)
    for (int i = 1; i < point_count(elastica_rod_get_view(elastica_world_rod(world, k))); i++, point++, lines++)
      fprintf(t->file, "%d %d\n", point, point + 1);
  fprintf(t->file, "</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n");
  for (int k = 1; k <= lines; k++) fprintf(t->file, "%d\n", 2 * k);
  fprintf(t->file, "</DataArray></Lines>\n");
}

/* Array -1 is the radius. */
static void write_array(const text *t, elastica_world *world, const painted *frames, int array) {
  double values[PAINTED_MOST] = {0};
  fprintf(t->file, "<DataArray type=\"Float32\" Name=\"%s\" format=\"ascii\">\n", array < 0 ? "radius" : frames->arrays[array]);
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j < view->element_count; j++) {
      if (array >= 0) frames->paint(frames->user, view, j, values);
      fprintf(t->file, "%.6g\n", array < 0 ? radius_of(rod, j) : values[array]);
    }
  }
  fprintf(t->file, "</DataArray>\n");
}

/* The same at the points: the mean of the elements that meet there. */
static void write_point_array(const text *t, elastica_world *world, const painted *frames, int array) {
  double before[PAINTED_MOST] = {0}, after[PAINTED_MOST] = {0};
  fprintf(t->file, "<DataArray type=\"Float32\" Name=\"%s\" format=\"ascii\">\n", array < 0 ? "radius" : frames->arrays[array]);
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < point_count(view); i++) {
      const int last = view->element_count - 1, one = i > 0 ? i - 1 : 0, other = i < last ? i : last;
      double value = (radius_of(rod, one < last ? one : last) + radius_of(rod, other)) / 2;
      if (array >= 0) {
        frames->paint(frames->user, view, one < last ? one : last, before);
        frames->paint(frames->user, view, other, after);
        value = (before[array] + after[array]) / 2;
      }
      fprintf(t->file, "%.6g\n", value);
    }
  }
  fprintf(t->file, "</DataArray>\n");
}

static void count(elastica_world *world, int *points, int *lines) {
  *points = *lines = 0;
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    *points += point_count(elastica_rod_get_view(rod));
    *lines += elastica_rod_get_view(rod)->element_count;
  }
}

void painted_frame(example *e, elastica_world *world, painted *frames) {
  int points, lines;
  if (!e->output.folder || frames->frames == (int)(sizeof frames->times / sizeof *frames->times)) return;
  text t = open_text(e, "%s_%06d.vtp", frames->name, frames->frames);
  count(world, &points, &lines);
  fprintf(t.file,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\">\n<PolyData>\n"
          "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
          points, lines);
  write_points(&t, world);
  write_lines(&t, world);
  fprintf(t.file, "<PointData Scalars=\"radius\">\n");
  for (int k = -1; k < frames->count; k++) write_point_array(&t, world, frames, k);
  fprintf(t.file, "</PointData>\n<CellData>\n");
  for (int k = -1; k < frames->count; k++) write_array(&t, world, frames, k);
  fprintf(t.file, "</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n");
  close_text(e, &t);

  frames->times[frames->frames++] = elastica_world_get(world).time;
  t = open_text(e, "%s.pvd", frames->name);
  fprintf(t.file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (int k = 0; k < frames->frames; k++)
    fprintf(t.file, "<DataSet timestep=\"%.9g\" part=\"0\" file=\"%s_%06d.vtp\"/>\n", frames->times[k], frames->name, k);
  fprintf(t.file, "</Collection>\n</VTKFile>\n");
  close_text(e, &t);
}
