/* Shear/stretch strain sigma (3.3) and curvature kappa (3.5), with the stresses n (2.11) and couples tau (2.8) of the material. */
#include "base/target.h"

#include "step/stages.h"

void eli_strains(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (work->tile->rigid)
    eli_rigid_strains(work);
  else
    work->report->trips |= kernels->strains(&work->sweep, &work->law);
  eli_show_strains(work);
}

void eli_show_strains(const eli_work *work) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    eli_rod_aim_derived(rod, work->scratch);
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int k = ELI_CURVATURE; k < ELI_CURVATURE + 6; k++) work->scratch[k][first] = work->scratch[k][ghost];
  }
}
