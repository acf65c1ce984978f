/* Velocities and spins: the kick (C3, C4), with linear dissipation by rates and velocity-dependent couples at the midpoint. */
#include "base/target.h"

#include "step/stages.h"

/* What of the external lanes the loads of this step have written. */
static int loads_of(const eli_work *work) {
  return work->tile->loaded ? work->report->loaded : ELI_NO_LOADS;
}

/* A ring's node 0 is kicked in its ghost, where its two elements meet. */
void eli_kick_velocity(const eli_work *work) {
  const eli_tile *tile = work->tile;
  work->world->kernels->kick_velocity(&work->sweep, work->dt, loads_of(work));
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
  work->report->trips |= work->world->kernels->kick_spin(&work->sweep, work->dt, loads_of(work), &work->law);
  close_spins(work);
}

/* The spins get their kick after the velocities are as prescribed: in the rescaled law their couples depend on the mean of old and new
 * velocities. */
static void kick_one_after_the_other(const eli_work *work) {
  eli_kick_velocity(work);
  eli_constrain_velocities(work);
  eli_kick_spin(work);
  eli_constrain_spins(work);
}

void eli_kick(const eli_work *work) {
  const int circular = !work->law.explicit_couples && !work->law.any_inertia;
  if (!work->law.classical || !circular || !work->tile->kicked_at_once) {
    kick_one_after_the_other(work);
    return;
  }
  work->world->kernels->kick_both(&work->sweep, work->dt, loads_of(work));
  eli_constrain_velocities(work);
  eli_constrain_spins(work);
}
