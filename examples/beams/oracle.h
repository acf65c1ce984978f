/* The oracle of beams: statics of Simo and Reissner by shooting, without the library. */
#ifndef EXAMPLES_BEAM_ORACLE_H
#define EXAMPLES_BEAM_ORACLE_H

#include "beams/beam.h"

/* Place of the tip under the whole load, which rises in b->steps. intervals: of Runge and Kutta's fourth order along the beam, even.
 * Returns the factor of the load that was reached: 1 on success. */
double oracle_tip(const beam *b, int intervals, double tip[3]);

#endif
