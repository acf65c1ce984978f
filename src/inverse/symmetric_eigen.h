/* Eigenvalues and eigenvectors of a symmetric matrix of any size. */
#ifndef ELI_SYMMETRIC_EIGEN_H
#define ELI_SYMMETRIC_EIGEN_H

#include "base/target.h"

/* matrix [n n], of which the upper half counts, is overwritten. values [n]: the eigenvalues, ascending; vectors [n n]: their unit vectors as
 * rows. Returns 0 when it does not converge, which only a matrix with numbers that are not finite does. */
int eli_symmetric_eigen(int n, double *matrix, double *values, double *vectors);

#endif
