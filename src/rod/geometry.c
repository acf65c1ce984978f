/* Computes lengths l, dilatations e and tangents t of elements from the positions of their nodes (3.3); the formulas are in
 * kernels/kinematics.inl. */
#include "base/target.h"

#include "rod/rod_data.h"

void eli_tile_close_geometry(elastica_world *world, const eli_tile *tile) {
  double *const *lane = world->slab.lane;
  ELI_EACH_ROD(rod, world, tile) {
    if (rod->closed) lane[ELI_LENGTH][rod->offset + (size_t)rod->element_count] = lane[ELI_LENGTH][rod->offset];
  }
}

void eli_tile_aim_tangents(const eli_tile *tile) {
  for (int a = 0; a < 3; a++)
    for (size_t j = 0; j < tile->count; j++)
      tile->lane[ELI_TANGENT + a][j] = tile->lane[ELI_INVERSE_INERTIA][j] > 0.0 ? tile->lane[ELI_DIRECTOR + 6 + a][j] : 0.0;
}

void eli_tile_update_geometry(elastica_world *world, size_t t) {
  eli_tile *tile = &world->slab.tiles[t];
  for (int k = 0; k < ELI_LANE_COUNT; k++) tile->lane[k] = world->slab.lane[k] + tile->begin;
  if (tile->rigid) {
    eli_tile_aim_tangents(tile);
    return;
  }
  const eli_sweep sweep = eli_tile_sweep(tile, NULL);
  world->kernels->geometry(&sweep);
  if (tile->closed) eli_tile_close_geometry(world, tile);
}
