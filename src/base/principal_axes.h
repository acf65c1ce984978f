/* Principal axes of a symmetric tensor. */
#ifndef ELI_PRINCIPAL_AXES_H
#define ELI_PRINCIPAL_AXES_H

#include "base/target.h"

/* values: the eigenvalues; axes: their unit vectors as the rows of a rotation, so that axes tensor axes^T is diagonal. A tensor that is
 * diagonal already has the unit matrix. Of what is not symmetric the upper half counts. */
void eli_principal_axes(const double tensor[9], double values[3], double axes[9]);

#endif
