/* Shear/stretch strain sigma (2.11) and curvature kappa (3.5), with the stresses n (3.8) and couples tau (3.9) of the material. */
#include "base/target.h"

#include "stages.h"

/* Points the derived lanes of a rod's view into the scratch. Joints of open rods start one slot later. */
void eli_rod_aim_derived(elastica_rod *rod, double *const *out) {
  const eli_tile *tile = &rod->world->slab.tiles[rod->tile];
  const size_t first = rod->offset - tile->begin, joint = first + (rod->closed ? 0 : 1);
  elastica_rod_view *view = &rod->view;
  for (int a = 0; a < 3; a++) {
    view->strain[a] = out[ELI_STRAIN + a] + first;
    view->force[a] = out[ELI_STRESS + a] + first;
    view->curvature[a] = out[ELI_CURVATURE + a] + joint;
    view->couple[a] = out[ELI_JOINT_COUPLE + a] + joint;
    view->internal_force[a] = out[ELI_INTERNAL_FORCE + a] + first;
    view->internal_couple[a] = out[ELI_INTERNAL_COUPLE + a] + first;
  }
}

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
