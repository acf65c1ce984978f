/* Positions and frames: dr/dt = v, dQ/dt = -[omega]x Q (Gazzola et al. 2018, C1 and C2), and the geometry that follows from them. */
#include "base/target.h"

#include "step/stages.h"

void eli_drift(const eli_work *work, int twice) {
  work->report->trips |= work->world->kernels->drift(&work->sweep, 0.5 * work->dt, twice, work->law.watch.spin2);
}

void eli_geometry(const eli_work *work) {
  if (work->tile->rigid) {
    eli_tile_aim_tangents(work->tile);
    return;
  }
  work->world->kernels->geometry(&work->sweep);
  if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
}
