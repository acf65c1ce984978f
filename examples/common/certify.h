/* --certify, a convergence certificate: how far results are from the limits of small steps and of many elements.
 *
 * A program names one representative case, in its example_about, and informs of its quantities as of results:
 *
 *   static void certified_case(example *e, int n) {
 *     example_inform(e, bend(e, n), "tip");
 *   }
 *   ... .certified = {certified_case, 12, "the tip at n = 12; 1 s"} ...
 *
 * The case runs with the steps dt, dt/2 and dt/4, then, at dt/4, with 2n and 4n elements: each time as with --quick and --dt, without files.
 * dt is the shortest step that the case takes by itself, or a little less, so that pieces of time are multiples of it. Three runs that refine
 * one of the two give the observed order and, by Richardson's extrapolation, what the coarsest of them is off by. One line for each quantity:
 *
 *   certify <quantity> value <v> dt-order <p> dt-error <e> n-order <q> n-error <e>
 *
 * The value is that of n and dt, its errors have signs: value - dt-error - n-error is the better guess. An order is "-" where the runs agree
 * to round-off; the error is then their largest difference. Both are "-" where the differences do not shrink: in the noise that friction
 * makes of rounding errors, say. An order far from the method's says that the error is not to be trusted. In dt that is 2, or 1 with
 * friction and with drag at the old velocities. What rests does not depend on dt: its dt-error shows how much it still moves.
 */
#ifndef EXAMPLES_CERTIFY_H
#define EXAMPLES_CERTIFY_H

#include "example.h"

/* Runs the case of e->about and prints the lines. The results and the timing stay as they are. */
void certify(example *e);

#endif
