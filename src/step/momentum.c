/* Kick of velocities and spins (C3, C4), with linear dissipation by rates and velocity-dependent couples at the midpoint. */
#include "base/target.h"

#include "step/stages.h"

/* Describes the lanes and spans that the loads of this step have written, and the damper. Written in place, because a copy would wait for
 * the preceding writes. */
static void find_impulse(const eli_work *work, eli_impulse *impulse) {
  const elastica_effect *damper = work->tile->damper;
  const int reads = work->tile->loaded || eli_world_has_pair_phase(work->world);
  impulse->dt = work->dt;
  impulse->loaded = reads ? work->report->loaded : ELI_NO_LOADS;
  impulse->touched = impulse->loaded ? work->report->touched : 0;
  impulse->span_bits = eli_span_bits(work);
  impulse->half_translation = impulse->rotation = 0.0;
  if (damper == NULL) return;
  impulse->loaded = ELI_LOADS_AND_DAMPING;
  damper->body->kind->damping(damper->self, &impulse->half_translation, &impulse->rotation);
}

/* Node 0 of a ring is kicked in its ghost, which has the forces of both of its elements. */
static void kick_velocities(const eli_work *work, const eli_impulse *impulse) {
  const eli_tile *tile = work->tile;
  work->world->kernels->kick_velocity(&work->sweep, impulse);
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

static void kick_spins(const eli_work *work, const eli_impulse *impulse) {
  work->report->trips |= work->world->kernels->kick_spin(&work->sweep, impulse, &work->law);
  close_spins(work);
}

void eli_kick_velocity(const eli_work *work) {
  eli_impulse impulse;
  find_impulse(work, &impulse);
  kick_velocities(work, &impulse);
}

void eli_kick_spin(const eli_work *work) {
  eli_impulse impulse;
  find_impulse(work, &impulse);
  kick_spins(work, &impulse);
}

/* In the rescaled law spins are kicked after the velocity constraints, because their couples depend on the mean of old and new velocities.
 * If all prescribed velocities only fix nodes, no constraint is called. */
void eli_kick(const eli_work *work) {
  const eli_tile *tile = work->tile;
  eli_impulse impulse;
  find_impulse(work, &impulse);
  const int in_closed_form = !work->law.explicit_couples && !work->law.any_inertia;
  if (in_closed_form && tile->kicked_at_once && (work->law.classical || tile->velocities_stay)) {
    work->report->trips |= work->world->kernels->kick_both(&work->sweep, &impulse, &work->law);
    if (!tile->velocities_stay) eli_constrain_velocities(work);
  } else {
    kick_velocities(work, &impulse);
    if (!tile->velocities_stay) eli_constrain_velocities(work);
    kick_spins(work, &impulse);
  }
  eli_constrain_spins(work);
}
