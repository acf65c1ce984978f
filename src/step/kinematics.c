/* Drift of positions and frames: dr/dt = v, dQ/dt = -[omega]x Q (Gazzola et al. 2018, C1 and C2; frames by Rodrigues' formula), and the
 * geometry that follows. */
#include "base/target.h"

#include "base/rotation.h"
#include "step/stages.h"

void eli_drift(const eli_work *work, int twice) {
  work->report->trips |= work->world->kernels->drift(&work->sweep, 0.5 * work->dt, twice, work->law.watch.spin2);
}

/* Returns ELI_TRIP_JOINT if a joint angle exceeds the limit between now and a time. Not inlined, because few steps have such a joint. */
static __attribute__((noinline)) unsigned find_passing(const eli_sweep *sweep, double time) {
  const double *lane = sweep->lane;
  const ptrdiff_t stride = sweep->stride;
  for (ptrdiff_t i = 0; i < sweep->count; i++) {
    double after[9], before[9], spin_after[3], spin_before[3], r[9];
    if (lane[ELI_INVERSE_REST_JOINT_LENGTH * stride + i] < 0.0) continue;
    for (int a = 0; a < 9; a++) {
      after[a] = lane[(ELI_DIRECTOR + a) * stride + i];
      before[a] = lane[(ELI_DIRECTOR + a) * stride + i - 1];
    }
    for (int a = 0; a < 3; a++) {
      spin_after[a] = lane[(ELI_OMEGA + a) * stride + i];
      spin_before[a] = lane[(ELI_OMEGA + a) * stride + i - 1];
    }
    eli_relative_rotation(after, before, r);
    if (eli_joint_widest(r, spin_before, spin_after, time) > ELI_JOINT_LIMIT_H) return ELI_TRIP_JOINT;
  }
  return 0;
}

void eli_watch_joints(const eli_work *work, double time) {
  if (work->report->trips & ELI_TRIP_WIDE) work->report->trips |= find_passing(&work->sweep, time);
}

void eli_geometry(const eli_work *work) {
  if (work->tile->rigid) {
    eli_tile_aim_tangents(work->tile);
    return;
  }
  work->world->kernels->geometry(&work->sweep);
  if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
}
