/* Principal axes of a symmetric tensor. */
#ifndef ELI_PRINCIPAL_AXES_H
#define ELI_PRINCIPAL_AXES_H

#include "base/target.h"

/* values: eigenvalues; axes: unit eigenvectors as the rows of a rotation, so that axes tensor axes^T is diagonal. axes is the unit matrix
 * for a diagonal tensor. Only the upper triangle of tensor is read. */
void eli_principal_axes(const double tensor[9], double values[3], double axes[9]);

#endif
