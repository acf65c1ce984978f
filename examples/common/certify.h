/* --certify, a convergence certificate: the distance of results from the limits of small steps and of many elements.
 *
 * A program names one representative case in its example_about. The case reports its quantities with example_inform:
 *
 *   static void certified_case(example *e, int n) {
 *     example_inform(e, bend(e, n), "tip");
 *   }
 *   ... .certified = {certified_case, 12, "the tip at n = 12; 1 s"} ...
 *
 * The case runs with the steps dt, dt/2 and dt/4, then, at dt/4, with 2n and 4n elements: each time as with --quick and --dt, without
 * files. dt is the shortest step that the case chooses, or a little less, so that pieces of time are multiples of it. Three runs with dt
 * or n refined give the observed order and, by Richardson's extrapolation, the error of the coarsest of them. One line for each
 * quantity:
 *
 *   certify <quantity> value <v> dt-order <p> dt-error <e> n-order <q> n-error <e>
 *
 * The value is that of n and dt. Errors have signs: value - dt-error - n-error is the better estimate. An order is "-" if the runs agree
 * to round-off; the error is then their largest difference. Both are "-" if the differences do not decrease, for example if friction
 * amplifies rounding errors. If the order is far from that of the method, the error is not reliable. The method's order in dt is 2, or 1
 * with friction and with drag at the old velocities. A rod at rest does not depend on dt: its dt-error shows its remaining motion.
 */
#ifndef EXAMPLES_CERTIFY_H
#define EXAMPLES_CERTIFY_H

#include "example.h"

/* Runs the case of e->about and prints the lines. The results and the timing do not change. */
void certify(example *e);

#endif
