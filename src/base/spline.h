/* Clamped uniform cubic B-splines over 0..1.
 *
 * models     profiles drawn by a few control values, such as the amplitude of a muscle along a rod
 * equation   knots 0, 0, 0, 0, 1/m, 2/m, ..., 1, 1, 1, 1 with m = N - 3; values by de Boor's recursion
 *            FUNCTION: beta(x) = Y(x).  CURVE: beta(x) = Y(u) where X(u) = x, and X has the control values 0, 0, 1/m, ..., (m-1)/m, 1, 1
 * source     Gazzola et al. 2018, section 4.2 and figure 6, which leave the construction open; CURVE gives their published speeds
 * test       tests/test_spline.c
 */
#ifndef ELI_SPLINE_H
#define ELI_SPLINE_H

#include "base/target.h"

#include <elastica.h>

/* The value at x of the spline of count >= 4 control values; x beyond 0..1 reads as the end. */
double eli_spline_at(elastica_spline kind, const double *control, int count, double x);

#endif
