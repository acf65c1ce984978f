/* A convergence certificate: how far results are from the limits of small steps and of many elements.
 *
 * The case runs with the steps dt, dt/2 and dt/4, then, at dt/4, with 2n and 4n elements. Three runs that refine one of the two give the
 * observed order and, by Richardson's extrapolation, what the coarsest of them is off by. One line for each quantity:
 *
 *   certify <quantity> value <v> dt-order <p> dt-error <e> n-order <q> n-error <e>
 *
 * The value is that of n and dt, its errors have signs: value - dt-error - n-error is the better guess. An order is "-" where the runs
 * agree to round-off; the error is then their largest difference. Both are "-" where the differences do not shrink. An order far from the
 * method's, which is 2 in dt, says that the error is not to be trusted.
 */
#ifndef EXAMPLES_CERTIFY_H
#define EXAMPLES_CERTIFY_H

#include "example.h"

enum { CERTIFY_MOST = 16 };

/* Runs the case with n elements and the step_factor-fold of the step that it would take with the first n; writes the quantities. */
typedef void (*certify_run)(example *e, void *user, int n, double step_factor, double *values);

/* Prints the lines. The case's results stay as they are. */
void certify(example *e, const char *const *quantities, int count, int n, certify_run run, void *user);

#endif
