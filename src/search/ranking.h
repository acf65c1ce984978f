/* Ranking and median of numbers. */
#ifndef ELI_RANKING_H
#define ELI_RANKING_H

#include "base/target.h"

/* order: indices of values [count], smallest value first; equal values keep the order of their indices. scratch [count]. */
void eli_rank(const double *values, int count, int *order, int *scratch);

/* Median of ranked values: the middle one, or the mean of the two middle ones. */
double eli_ranked_median(const double *values, const int *order, int count);

#endif
