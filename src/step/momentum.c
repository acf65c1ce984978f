/* Velocities and spins: the kick (C3, C4), with linear dissipation by rates and velocity-dependent couples at the midpoint. */
#include "base/target.h"

#include "step/stages.h"

/* A ring's node 0 is kicked in its ghost, where its two elements meet. */
void eli_kick_velocity(const eli_work *work) {
  const eli_tile *tile = work->tile;
  work->world->kernels->kick_velocity(0, tile->count, work->dt, tile->loaded, tile->lane, work->scratch);
  if (!tile->closed) return;
  ELI_EACH_ROD(rod, work->world, tile) {
    if (!rod->closed) continue;
    const size_t first = rod->offset, ghost = first + (size_t)rod->element_count;
    for (int a = 0; a < 3; a++) work->world->slab.lane[ELI_VELOCITY + a][first] = work->world->slab.lane[ELI_VELOCITY + a][ghost];
  }
}

static void close_spins(const eli_work *work) {
  if (!work->tile->closed) return;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (rod->closed) eli_rod_close_lanes(rod, ELI_OMEGA, 3);
  }
}

void eli_kick_spin(const eli_work *work) {
  const eli_tile *tile = work->tile;
  work->report->trips |= work->world->kernels->kick_spin(0, tile->count, work->dt, tile->loaded, &work->law, tile->lane, work->scratch);
  close_spins(work);
}

void eli_kick(const eli_work *work) {
  eli_kick_velocity(work);
  eli_constrain_velocities(work);
  eli_kick_spin(work);
  eli_constrain_spins(work);
}

void eli_kick_spin_and_drift(const eli_work *work, int twice) {
  const eli_kernels *kernels = work->world->kernels;
  const eli_tile *tile = work->tile;
  unsigned trips = 0;
  for (size_t begin = 0; begin < tile->count; begin += ELI_CHUNK) {
    const size_t count = tile->count - begin < ELI_CHUNK ? tile->count - begin : ELI_CHUNK;
    trips |= kernels->kick_spin(begin, count, work->dt, tile->loaded, &work->law, tile->lane, work->scratch);
    trips |= kernels->drift(begin, count, 0.5 * work->dt, twice, work->law.watch.spin2, tile->lane);
  }
  work->report->trips |= trips;
}
