/* Eigenvalues and eigenvectors of a symmetric matrix of any size. */
#ifndef ELI_SYMMETRIC_EIGEN_H
#define ELI_SYMMETRIC_EIGEN_H

#include "base/target.h"

/* matrix [n n] is overwritten; only its upper triangle is read. values [n]: eigenvalues, ascending; vectors [n n]: unit eigenvectors as
 * rows. Returns 0 if a number is not finite or the sweeps do not converge. */
int eli_symmetric_eigen(int n, double *matrix, double *values, double *vectors);

#endif
