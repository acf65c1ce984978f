/* The rate at which a straight or flat rod leaves its shape, and the load at which that rate comes to zero: thresholds of buckling. */
#ifndef EXAMPLES_GROWTH_H
#define EXAMPLES_GROWTH_H

#include "example.h"

/* sigma^2 [1/s^2], from the time that the amplitude [m] of a mode takes from 1e-5 m to 1e-4 m; it must start far below. The world is looked at
 * every `look` [s]; 0 when the mode has not grown that far after `patience` [s]. */
double growth_squared(example *e, elastica_world *world, const elastica_rod *rod, double (*amplitude)(const elastica_rod_view *view),
                      double look, double patience);

/* The load at sigma^2 = 0, by the parabola through three rates and their loads. */
double growth_threshold(const double squared[3], const double load[3]);

#endif
