/* A rod that lies on a sheet of triangles: all of its elements touch. The triangles of the coarse sheet are wider than the rod, those of
 * the fine one are a quarter of its radius. */
#include "scenes.h"

#include <stdlib.h>

static elastica_status lie_on_sheet(elastica_world *world, int elements, int cells) {
  const double gravity[3] = {0.0, 0.0, -9.81}, size = 1.0;
  const size_t points = (size_t)(cells + 1) * (size_t)(cells + 1);
  double *point = malloc(3 * points * sizeof *point);
  int *triangles = malloc(6 * (size_t)cells * (size_t)cells * sizeof *triangles), *next = triangles;
  elastica_rod_def rod;
  elastica_obstacle_def sheet;
  elastica_status status = point != NULL && triangles != NULL ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
  elastica_rod_def_init(&rod, sizeof rod);
  rod.element_count = elements, rod.length = 0.8, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  rod.direction[0] = 1.0, rod.direction[1] = 0.2, rod.direction[2] = 0.0;
  rod.start[0] = -0.4, rod.start[1] = -0.08, rod.start[2] = 0.02;
  for (int i = 0; i <= cells && status == ELASTICA_OK; i++)
    for (int k = 0; k <= cells; k++) {
      double *at = point + 3 * (i * (cells + 1) + k);
      at[0] = size * ((double)i / cells - 0.5), at[1] = size * ((double)k / cells - 0.5), at[2] = 0.0;
      if (i == cells || k == cells) continue;
      const int first = i * (cells + 1) + k,
                corners[6] = {first, first + cells + 1, first + cells + 2, first, first + cells + 2, first + 1};
      for (int c = 0; c < 6; c++) *next++ = corners[c];
    }
  if (status == ELASTICA_OK) status = elastica_world_add_rod(world, &rod, NULL);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  elastica_obstacle_def_init(&sheet, sizeof sheet);
  sheet.kind = ELASTICA_OBSTACLE_ELASTIC, sheet.shape = ELASTICA_SHAPE_MESH, sheet.side = ELASTICA_SIDE_BOTH;
  sheet.modulus = 1e5, sheet.fillet = 0.03, sheet.friction = 0.2;
  sheet.points = point, sheet.point_count = (int)points, sheet.triangles = triangles, sheet.triangle_count = 2 * cells * cells;
  if (status == ELASTICA_OK) status = elastica_add_obstacle(world, NULL, &sheet, NULL);
  free(point);
  free(triangles);
  return status;
}

elastica_status bench_fill_coarse_mesh(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return lie_on_sheet(world, elements, 22);
}

elastica_status bench_fill_fine_mesh(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return lie_on_sheet(world, elements, 223);
}
