/* Order of numbers, and the numbers in the middle. */
#ifndef ELI_RANKING_H
#define ELI_RANKING_H

#include "base/target.h"

/* order: indices of values [count] from the smallest on; equal ones in the order of their indices. scratch [count]. */
void eli_rank(const double *values, int count, int *order, int *scratch);

/* Of the values in an order: the middle one, or the mean of the two in the middle. */
double eli_ranked_median(const double *values, const int *order, int count);

#endif
