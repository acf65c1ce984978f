/* Positions and frames: dr/dt = v, dQ/dt = -[omega]x Q (Gazzola et al. 2018, C1 and C2), and the geometry that follows from them. */
#include "base/target.h"

#include "stages.h"

void eli_drift(const eli_work *work, int twice) {
  work->report->trips |= work->world->kernels->drift(work->tile->count, 0.5 * work->dt, twice, work->tile->lane);
}

int eli_constrain_positions(const eli_work *work, double time) {
  elastica_world *world = work->world;
  const eli_hook_list *list = &world->hooks[ELI_CONSTRAIN_POSITION];
  if (list->first[work->tile->first_rod] == list->first[work->tile->first_rod + work->tile->rod_count]) return 1;
  elastica_state state = {sizeof state, {NULL}, {{NULL}}, {NULL}, {NULL}};
  for (int r = work->tile->first_rod; r < work->tile->first_rod + work->tile->rod_count; r++) {
    if (list->first[r] == list->first[r + 1]) continue;
    elastica_rod *rod = world->rods[r];
    const elastica_instant now = {sizeof now, time, work->dt, work->step, r};
    for (int a = 0; a < 3; a++) {
      state.position[a] = world->slab.lane[ELI_POSITION + a] + rod->offset;
      for (int b = 0; b < 3; b++) state.director[a][b] = world->slab.lane[ELI_DIRECTOR + 3 * a + b] + rod->offset;
    }
    if (!eli_call_hooks(world, ELI_CONSTRAIN_POSITION, rod, &now, &state, work->report)) return 0;
    if (rod->closed) {
      eli_rod_close_lanes(rod, ELI_POSITION, 3);
      eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
    }
  }
  return 1;
}

/* Behind the last element of a rod the kernel has measured the gap to the next rod: that slot becomes neutral again. */
void eli_geometry(const eli_work *work) {
  const eli_tile *tile = work->tile;
  double *const *lane = work->world->slab.lane;
  work->world->kernels->geometry(tile->count, tile->lane);
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) {
    const elastica_rod *rod = work->world->rods[r];
    const size_t ghost = rod->offset + (size_t)rod->element_count;
    lane[ELI_LENGTH][ghost] = rod->closed ? lane[ELI_LENGTH][rod->offset] : 1.0;
    lane[ELI_INVERSE_LENGTH][ghost] = lane[ELI_DILATATION][ghost] = 1.0;
    for (int a = 0; a < 3; a++) lane[ELI_TANGENT + a][ghost] = 0.0;
  }
  for (size_t i = tile->used; i < tile->count; i++) {
    tile->lane[ELI_LENGTH][i] = tile->lane[ELI_INVERSE_LENGTH][i] = tile->lane[ELI_DILATATION][i] = 1.0;
    for (int a = 0; a < 3; a++) tile->lane[ELI_TANGENT + a][i] = 0.0;
  }
}
