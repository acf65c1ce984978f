/* Positions and frames: dr/dt = v, dQ/dt = -[omega]x Q (Gazzola et al. 2018, C1 and C2), and the geometry that follows from them. */
#include "base/target.h"

#include "stages.h"

void eli_drift(const eli_work *work, int twice) {
  work->report->trips |= work->world->kernels->drift(0, work->tile->count, 0.5 * work->dt, twice, work->law.watch.spin2, work->tile->lane);
}

/* The ghost of a ring's element 0 has its length; otherwise it is neutral. */
void eli_close_geometry(const eli_work *work) {
  double *const *lane = work->world->slab.lane;
  for (int r = work->tile->first_rod; r < work->tile->first_rod + work->tile->rod_count; r++) {
    const elastica_rod *rod = work->world->rods[r];
    if (rod->closed) lane[ELI_LENGTH][rod->offset + (size_t)rod->element_count] = lane[ELI_LENGTH][rod->offset];
  }
}

void eli_geometry(const eli_work *work) {
  work->world->kernels->geometry(0, work->tile->count, work->tile->lane);
  if (work->tile->closed) eli_close_geometry(work);
}
