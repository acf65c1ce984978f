/* Eigenvalues and eigenvectors of a symmetric matrix of any size, and of a tensor. */
#ifndef ELI_SYMMETRIC_EIGEN_H
#define ELI_SYMMETRIC_EIGEN_H

#include "base/target.h"

/* matrix [n n] is overwritten; only its upper triangle is read. values [n]: eigenvalues, ascending; vectors [n n]: unit eigenvectors as
 * rows. Returns 0 if a number is not finite or the sweeps do not converge. */
int eli_symmetric_eigen(int n, double *matrix, double *values, double *vectors);

/* Principal axes of a tensor. values: eigenvalues; axes: unit eigenvectors as the rows of a rotation, so that axes tensor axes^T is
 * diagonal. They are in no order: axes is the unit matrix for a diagonal tensor. Only the upper triangle of tensor is read. */
void eli_principal_axes(const double tensor[9], double values[3], double axes[9]);

#endif
