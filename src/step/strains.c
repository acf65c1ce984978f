/* Shear/stretch strain sigma (3.3) and curvature kappa (3.5), with the stresses n (2.11) and couples tau (2.8) of the material. */
#include "base/target.h"

#include "step/stages.h"

void eli_strains(const eli_work *work) {
  const eli_tile *tile = work->tile;
  const eli_kernels *kernels = work->world->kernels;
  work->report->trips |= kernels->strains(0, tile->count, &work->law, tile->lane, work->out);
  work->report->trips |= kernels->curvatures(0, tile->count, &work->law, tile->lane, work->out);
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) {
    elastica_rod *rod = work->world->rods[r];
    eli_rod_aim_derived(rod, work->out);
    if (!rod->closed) continue;
    const size_t first = rod->offset - tile->begin, ghost = first + (size_t)rod->element_count;
    for (int k = ELI_CURVATURE; k < ELI_CURVATURE + 6; k++) work->out[k][first] = work->out[k][ghost];
  }
}
