/* Clamped uniform cubic B-splines over 0..1.
 *
 * models     profiles given by a few control values, such as the amplitude of a muscle along a rod
 * equation   knots 0, 0, 0, 0, 1/m, 2/m, ..., 1, 1, 1, 1 with m = N - 3; values by de Boor's recursion
 *            FUNCTION: beta(x) = Y(x).  CURVE: beta(x) = Y(u) with X(u) = x; X has the control values 0, 0, 1/m, ..., (m-1)/m, 1, 1
 * source     Gazzola et al. 2018, section 4.1.1 and figure 6; they leave the construction open, and CURVE gives their published speeds
 * test       tests/test_spline.c
 */
#ifndef ELI_SPLINE_H
#define ELI_SPLINE_H

#include "base/target.h"

#include <elastica.h>

/* Value at x of the spline with count >= 4 control values. x outside 0..1 gives the value at the nearer end. */
double eli_spline_at(elastica_spline kind, const double *control, int count, double x);

#endif
