/* Meshes for tests. */
#ifndef TESTS_MESHES_H
#define TESTS_MESHES_H

#include "effects/mesh.h"
#include "obstacles.h"

enum { MOST_MESH_POINTS = 60000, MOST_MESH_TRIANGLES = 120000 };

typedef struct mesh_data {
  double points[3 * MOST_MESH_POINTS];
  int triangles[3 * MOST_MESH_TRIANGLES];
  int point_count, triangle_count;
} mesh_data;

static inline int mesh_point(mesh_data *of, double x, double y, double z) {
  double *point = of->points + 3 * of->point_count;
  assert_true(of->point_count < MOST_MESH_POINTS);
  point[0] = x, point[1] = y, point[2] = z;
  return of->point_count++;
}

static inline void mesh_triangle(mesh_data *of, int a, int b, int c) {
  int *triangle = of->triangles + 3 * of->triangle_count++;
  assert_true(of->triangle_count <= MOST_MESH_TRIANGLES);
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

static inline void mesh_quad(mesh_data *of, int a, int b, int c, int d) {
  mesh_triangle(of, a, b, c);
  mesh_triangle(of, a, c, d);
}

/* A prism over a polygon in the plane z = 0, anticlockwise, cut into triangles by the caller (indices of the polygon). */
static inline void mesh_prism(mesh_data *of, const double (*polygon)[2], int count, const int (*cut)[3], int cuts, double low,
                              double high) {
  of->point_count = of->triangle_count = 0;
  for (int k = 0; k < count; k++) mesh_point(of, polygon[k][0], polygon[k][1], low);
  for (int k = 0; k < count; k++) mesh_point(of, polygon[k][0], polygon[k][1], high);
  for (int k = 0; k < count; k++) mesh_quad(of, k, (k + 1) % count, count + (k + 1) % count, count + k);
  for (int t = 0; t < cuts; t++) {
    mesh_triangle(of, cut[t][0], cut[t][2], cut[t][1]);
    mesh_triangle(of, count + cut[t][0], count + cut[t][1], count + cut[t][2]);
  }
}

static inline void mesh_box(mesh_data *of, double a, double b, double c) {
  const double base[4][2] = {{-0.5 * a, -0.5 * b}, {0.5 * a, -0.5 * b}, {0.5 * a, 0.5 * b}, {-0.5 * a, 0.5 * b}};
  static const int cut[2][3] = {{0, 1, 2}, {0, 2, 3}};
  mesh_prism(of, base, 4, cut, 2, -0.5 * c, 0.5 * c);
}

/* Two arms of width 1 and length 2 along x and y: a concave edge at (1, 1). */
static inline void mesh_angle(mesh_data *of, double size) {
  const double base[6][2] = {{0.0, 0.0}, {2.0 * size, 0.0}, {2.0 * size, size}, {size, size}, {size, 2.0 * size}, {0.0, 2.0 * size}};
  static const int cut[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  mesh_prism(of, base, 6, cut, 4, -size, size);
}

/* A ball with so many rings between its poles. */
static inline void mesh_ball(mesh_data *of, double radius, int rings) {
  const int sectors = 2 * rings;
  const double step = acos(-1.0) / (rings + 1);
  of->point_count = of->triangle_count = 0;
  const int south = mesh_point(of, 0.0, 0.0, -radius), north = mesh_point(of, 0.0, 0.0, radius);
  for (int k = 0; k < rings; k++)
    for (int s = 0; s < sectors; s++) {
      const double up = (k + 1) * step - 0.5 * acos(-1.0), turn = 2.0 * acos(-1.0) * s / sectors;
      mesh_point(of, radius * cos(up) * cos(turn), radius * cos(up) * sin(turn), radius * sin(up));
    }
  for (int s = 0; s < sectors; s++) {
    const int next = (s + 1) % sectors, last = 2 + (rings - 1) * sectors;
    mesh_triangle(of, south, 2 + next, 2 + s);
    mesh_triangle(of, north, last + s, last + next);
    for (int k = 0; k + 1 < rings; k++)
      mesh_quad(of, 2 + k * sectors + s, 2 + k * sectors + next, 2 + (k + 1) * sectors + next, 2 + (k + 1) * sectors + s);
  }
}

/* A sheet z = height(x, y) over a square with so many cells along each side. */
static inline void mesh_sheet(mesh_data *of, double size, int cells, double (*height)(double x, double y)) {
  of->point_count = of->triangle_count = 0;
  for (int i = 0; i <= cells; i++)
    for (int k = 0; k <= cells; k++) {
      const double x = size * ((double)i / cells - 0.5), y = size * ((double)k / cells - 0.5);
      mesh_point(of, x, y, height(x, y));
    }
  for (int i = 0; i < cells; i++)
    for (int k = 0; k < cells; k++) {
      const int at = i * (cells + 1) + k;
      mesh_quad(of, at, at + cells + 1, at + cells + 2, at + 1);
    }
}

static inline elastica_obstacle_def mesh_def(const mesh_data *of, elastica_side side, double modulus, double fillet) {
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, modulus);
  def.shape = ELASTICA_SHAPE_MESH;
  def.points = of->points, def.point_count = of->point_count;
  def.triangles = of->triangles, def.triangle_count = of->triangle_count;
  def.side = side, def.fillet = fillet;
  return def;
}

/* The distance [m] from the solid of a mesh without fillets, and the gradient. */
static inline double sharp_distance(const eli_mesh *mesh, const double point[3], double gradient[3]) {
  eli_mesh sharp = *mesh;
  sharp.fillet = 0.0;
  return eli_mesh_distance(&sharp, point, gradient);
}

#endif
