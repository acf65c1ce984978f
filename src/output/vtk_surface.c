/* The surface of a rigid body (see vtk_surface.h).
 *
 * Bits 0, 1, 2 of the number of a box corner are set for positive d1, d2, d3. A round shape is a stack of rings about d3, counted from
 * below. A cylinder has two rings and two lids. A sphere and a capsule have rings at equal steps of latitude between two poles; the poles
 * are the first two points.
 */
#include "base/target.h"

#include "output/vtk_surface.h"

#include <string.h>

#include "base/elementary.h"

enum { SECTORS = ELI_SURFACE_CORNERS, QUARTER = 5 }; /* QUARTER: number of latitude bands from the equator to a pole */

static int has_poles(const elastica_body_info *body) {
  return body->shape == ELASTICA_SHAPE_SPHERE || body->shape == ELASTICA_SHAPE_CAPSULE;
}

static int ring_count(const elastica_body_info *body) {
  return body->shape == ELASTICA_SHAPE_SPHERE ? 2 * QUARTER - 1 : body->shape == ELASTICA_SHAPE_CAPSULE ? 2 * QUARTER : 2;
}

void eli_surface_size(const elastica_body_info *body, int *points, int *polygons) {
  const int rings = ring_count(body);
  if (body->shape == ELASTICA_SHAPE_BOX) {
    *points = 8, *polygons = 6;
    return;
  }
  *points = (has_poles(body) ? 2 : 0) + rings * SECTORS;
  *polygons = has_poles(body) ? (rings + 1) * SECTORS : SECTORS + 2;
}

/* ---- Points ---- */

static void box_point(const elastica_body_info *body, int p, double point[3]) {
  for (int a = 0; a < 3; a++) point[a] = (p >> a & 1 ? 0.5 : -0.5) * body->edges[a];
}

/* Radius and height of a ring. The equator of a capsule consists of two rings. */
static void find_ring(const elastica_body_info *body, int ring, double *radius, double *height) {
  if (!has_poles(body)) {
    *radius = body->radius;
    *height = (ring - 0.5) * body->length;
    return;
  }
  const int above = ring >= QUARTER, doubled = body->shape == ELASTICA_SHAPE_CAPSULE;
  const int step = ring + 1 - QUARTER - (above && doubled ? 1 : 0);
  double sine, cosine;
  eli_sincos(0.5 * ELI_PI * step / QUARTER, &sine, &cosine);
  *radius = body->radius * cosine;
  *height = body->radius * sine + (doubled ? (above ? 0.5 : -0.5) * body->length : 0.0);
}

void eli_surface_point(const elastica_body_info *body, int p, double point[3]) {
  double radius, sine, cosine;
  if (body->shape == ELASTICA_SHAPE_BOX) {
    box_point(body, p, point);
    return;
  }
  const int poles = has_poles(body) ? 2 : 0, on_ring = p - poles;
  if (on_ring < 0) {
    point[0] = point[1] = 0.0;
    point[2] = (p == 0 ? -1.0 : 1.0) * (body->radius + 0.5 * body->length);
    return;
  }
  find_ring(body, on_ring / SECTORS, &radius, &point[2]);
  eli_sincos(2.0 * ELI_PI * (on_ring % SECTORS) / SECTORS, &sine, &cosine);
  point[0] = radius * cosine;
  point[1] = radius * sine;
}

/* ---- Polygons ---- */

static int box_polygon(int k, int64_t corner[ELI_SURFACE_CORNERS]) {
  static const int64_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  memcpy(corner, faces[k], sizeof faces[k]);
  return 4;
}

/* Corners of a lid of a cylinder. */
static int lid(int above, int64_t corner[ELI_SURFACE_CORNERS]) {
  for (int s = 0; s < SECTORS; s++) corner[s] = above ? SECTORS + s : SECTORS - 1 - s;
  return SECTORS;
}

int eli_surface_polygon(const elastica_body_info *body, int k, int64_t corner[ELI_SURFACE_CORNERS]) {
  if (body->shape == ELASTICA_SHAPE_BOX) return box_polygon(k, corner);
  const int poles = has_poles(body) ? 2 : 0, rings = ring_count(body), here = k % SECTORS, next = (here + 1) % SECTORS;
  if (!poles && k >= SECTORS) return lid(k > SECTORS, corner);
  const int band = k / SECTORS, upper = poles ? band : 1; /* number of the ring above the band; the ring below is the previous one */
  const int64_t above = poles + (int64_t)upper * SECTORS, below = above - SECTORS;
  if (poles && band == 0) {
    corner[0] = 0, corner[1] = above + next, corner[2] = above + here;
    return 3;
  }
  if (poles && band == rings) {
    corner[0] = 1, corner[1] = below + here, corner[2] = below + next;
    return 3;
  }
  corner[0] = below + here, corner[1] = below + next, corner[2] = above + next, corner[3] = above + here;
  return 4;
}
