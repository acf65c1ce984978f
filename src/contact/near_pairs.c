/* The list of pairs of elements of one rod that may come into contact (see near_pairs.h).
 *
 * Only pairs that are far apart along the rod count: in the tightest ring that its radius allows, points half a turn apart are 2 r
 * apart, and points that are nearer along the rod always overlap. The rule takes rest lengths and rest radii, so that it does not change as
 * the rod moves.
 *
 * The list is built again when a node has moved by half the skin, or an element has become so much shorter, hence thicker, that a pair
 * could be missing.
 */
#include "base/target.h"

#include "contact/near_pairs.h"

#include "base/checks.h"
#include "base/elementary.h"
#include "base/section.h"
#include "contact/segment.h"

#include <math.h>

/* 1/sqrt(ELI_REFERENCE_SHRINKAGE): how much thicker an element may become before the list is built again. */
#define THICKER 1.0540925533894598

static int may_touch(const eli_near_pairs *near, int i, int j) {
  const int n = near->element_count;
  if (j == i + 1 || (near->closed && i == 0 && j == n - 1)) return 0;
  double between = near->arc[j] - near->arc[i + 1];
  if (near->closed) {
    const double around = near->arc[n] - (near->arc[j + 1] - near->arc[i]);
    if (around < between) between = around;
  }
  const double skip = near->skip_length;
  return between >= (eli_is_nan(skip) ? 0.5 * ELI_PI * (near->rest_radius[i] + near->rest_radius[j]) : skip);
}

static int is_near(void *self, int i, int j) {
  const eli_near_pairs *near = self;
  double *const *x = near->reference.position;
  eli_closest closest;
  if (!may_touch(near, i, j)) return 0;
  const double p[2][3] = {{x[0][i], x[1][i], x[2][i]}, {x[0][i + 1], x[1][i + 1], x[2][i + 1]}};
  const double q[2][3] = {{x[0][j], x[1][j], x[2][j]}, {x[0][j + 1], x[1][j + 1], x[2][j + 1]}};
  eli_segment_closest(p[0], p[1], q[0], q[1], &closest);
  return closest.distance <= near->thickness[i] + near->thickness[j] + near->reach;
}

int eli_near_pairs_cover(eli_near_pairs *near, const elastica_rod_view *rod, double need) {
  if (!eli_reference_is_left(&near->reference, rod->position, 0.5 * (near->reach - need))) return 1;
  const double *const *x = (const double *const *)near->reference.position;
  near->reach = need + near->skin;
  near->build_count++;
  eli_reference_set(&near->reference, rod->position, 0.9);
  for (int j = 0; j < near->element_count; j++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double edge = x[a][j + 1] - x[a][j];
      square += edge * edge;
      near->centre[a][j] = x[a][j] + 0.5 * edge;
    }
    const double length = sqrt(square);
    near->thickness[j] = THICKER * eli_radius(rod->volume[j], length);
    near->sphere[j] = 0.5 * (length + near->reach) + near->thickness[j];
  }
  const eli_spheres spheres = {near->element_count, {near->centre[0], near->centre[1], near->centre[2]}, near->sphere};
  if (eli_pairs_find(&near->pairs, &spheres, is_near, near)) return 1;
  near->reference.set = 0;
  return 0;
}

size_t eli_near_pairs_update(eli_near_pairs *near, const elastica_rod_view *rod) {
  if (near->pairs.count == 0) return 0;
  for (int j = 0; j < near->element_count; j++) near->radius[j] = eli_radius(rod->volume[j], rod->length[j]);
  return near->pairs.count;
}

void eli_near_pairs_set(eli_near_pairs *near, double skip_length, double skin) {
  near->skip_length = skip_length;
  near->skin = eli_is_nan(skin) ? 0.25 * near->largest_radius : skin;
  near->reference.set = 0;
}

static void lay_out(eli_near_pairs *near, const elastica_rod_view *rod) {
  const size_t n = (size_t)rod->element_count;
  double *free_memory = near->memory;
  for (int a = 0; a < 3; a++, free_memory += n) near->centre[a] = free_memory;
  near->sphere = free_memory;
  near->thickness = near->sphere + n;
  near->radius = near->thickness + n;
  near->rest_radius = near->radius + n;
  near->arc = near->rest_radius + n;
  eli_reference_init(&near->reference, rod->element_count, rod->closed, near->arc + n + 1);
  near->largest_radius = near->longest = 0.0;
  for (size_t j = 0; j < n; j++) {
    const double radius = eli_radius(rod->volume[j], rod->rest_length[j]);
    near->rest_radius[j] = radius;
    if (radius > near->largest_radius) near->largest_radius = radius;
    if (rod->rest_length[j] > near->longest) near->longest = rod->rest_length[j];
    near->arc[j + 1] = near->arc[j] + rod->rest_length[j];
  }
}

int eli_near_pairs_create(eli_near_pairs *near, const eli_allocator *allocator, const elastica_rod_view *rod) {
  const size_t n = (size_t)rod->element_count;
  near->allocator = *allocator;
  near->element_count = rod->element_count;
  near->closed = rod->closed;
  near->reach = 0.0;
  near->build_count = 0;
  eli_pairs_init(&near->pairs, allocator);
  near->memory = eli_allocate(allocator, 8 * n + 1 + eli_reference_size(rod->element_count), sizeof(double));
  if (near->memory == NULL || !eli_pairs_reserve(&near->pairs, n, 8 * n)) {
    eli_near_pairs_destroy(near);
    return 0;
  }
  lay_out(near, rod);
  eli_near_pairs_set(near, eli_nan(), eli_nan());
  return 1;
}

void eli_near_pairs_destroy(eli_near_pairs *near) {
  eli_pairs_destroy(&near->pairs);
  eli_release(&near->allocator, near->memory);
}
